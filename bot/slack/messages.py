"""A reply → the messages that Slack gets: months, a digest, or words with examples. Pure but for the store."""

from __future__ import annotations

from collections.abc import Iterable

from bot.ask.answer import Almanac, Reply
from bot.ask.explain import SHA_SHOWN, Explanation
from bot.slack.blocks import Block, Message, digest_messages, month_messages, profile_messages, words_message
from bot.slack.limits import MAX_BLOCKS_JSON, MAX_TEXT, blocks_json_size
from bot.story.document import Document
from bot.story.render import NOWHERE, Templates, Web, slack, sort_of
from bot.story.wording import clean, shortened

LONGEST_LINES = (600, 200, 60)  # of an explanation, which has nine at most: with the last it fits whatever it says


def reply_messages(reply: Reply, templates: Templates, almanac: Almanac | None = None) -> list[Message]:
    """The messages of a reply. What could not be understood is answered with examples from the index."""
    if reply.help:
        return [help_message(templates, almanac, reply.words)]
    if reply.explanation:
        return [explanation_message(reply.explanation)]
    web = almanac.pages() if almanac and reply.documents else NOWHERE
    messages = document_messages(reply.documents, templates, web)
    if reply.words:
        messages.append(words_message(slack(reply.words)))
    return messages


def document_messages(documents: Iterable[Document], templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """The messages of months, digests or profiles, one after the other."""
    messages: list[Message] = []
    for document in documents:
        told = {"digest": digest_messages, "month": month_messages, "profile": profile_messages}[sort_of(document)]
        messages += told(document, templates, web)
    return messages


def explanation_message(explanation: Explanation) -> Message:
    """What was decided of a commit: one block with a line for each. Nothing in it is parsed by Slack."""
    message = Message("", ())
    for longest in LONGEST_LINES:
        message = _explanation(explanation, longest)
        if len(message.text) <= MAX_TEXT and blocks_json_size(message.blocks) <= MAX_BLOCKS_JSON:
            break
    return message


def _explanation(explanation: Explanation, longest: int) -> Message:
    sha, subject = explanation.commit.sha[:SHA_SHOWN], shortened(clean(explanation.commit.subject), longest)
    leaves: list[Block] = [_text(sha, "code"), _text(f" {subject}")]
    lines = [f"{sha} {slack(subject)}"]
    for line in explanation.lines:
        said = shortened(line.text, longest)
        leaves += [_text(f"\n{line.about}", "bold"), _text(f" {said}")]
        lines.append(f"*{line.about}* {slack(said)}")
    section = {"type": "rich_text_section", "elements": leaves}
    return Message("\n".join(lines), ({"type": "rich_text", "elements": [section]},))


def _text(text: str, style: str | None = None) -> Block:
    return {"type": "text", "text": text, **({"style": {style: True}} if style else {})}


def help_message(templates: Templates, almanac: Almanac | None, first: str = "") -> Message:
    """What can be asked, with examples that have an answer here. `first` is said before it."""
    name, month = None, None
    if almanac and (active := almanac.activity.last_month()):
        people = almanac.activity.most(active)
        name, month = (people[0].name if people else None), active
    month = month or (almanac.present() - 1 if almanac else None)
    text = templates.render(
        "slack/help.j2",
        name=name,
        month=str(month) if month else "2025-10",
        previous=str(month - 1) if month else "2025-09",
    )
    # A mention in what is said first was made by us, and must stay one.
    said = slack(first).replace("&lt;@", "<@").replace("&gt;", ">") if first else ""
    return words_message(f"{said}\n\n{text}" if said else text)
