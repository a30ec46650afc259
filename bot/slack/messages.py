"""A reply → the messages that Slack gets: months, a digest, or words with examples. Pure but for the store."""

from __future__ import annotations

from bot.ask.answer import Almanac, Reply
from bot.slack.blocks import Message, digest_messages, month_messages, words_message
from bot.story.render import Templates, slack

__all__ = ["digest_messages", "reply_messages"]


def reply_messages(reply: Reply, templates: Templates, almanac: Almanac | None = None) -> list[Message]:
    """The messages of a reply. What could not be understood is answered with examples from the index."""
    if reply.help:
        return [help_message(templates, almanac, reply.words)]
    messages: list[Message] = []
    for document in reply.documents:
        told = digest_messages if "digest" in document else month_messages
        messages += told(document, templates)
    if reply.words:
        messages.append(words_message(slack(reply.words)))
    return messages


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
