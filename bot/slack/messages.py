"""A reply → the messages that Slack gets: months, a digest, or words with examples. Pure but for the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.ask.explain import SHA_SHOWN, Explanation
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.ask.reply import Reply, said_first
from bot.errors import PersonUnknown
from bot.month.calendar import AnyPeriod, Days, parse_any_period
from bot.slack.blocks import (
    Block,
    Message,
    digest_messages,
    month_messages,
    plain_messages,
    words_message,
)
from bot.slack.buttons import (
    OTHER_MONTHS,
    Around,
    Surface,
    actions,
    below,
    button,
    choices,
    context,
    feedback,
    of_month,
    share,
)
from bot.slack.correcting import WISHED
from bot.slack.limits import MAX_TEXT
from bot.slack.packing import fits
from bot.slack.picker import PICK
from bot.story.documents import DigestDocument, MonthDocument
from bot.story.render import NOWHERE, Templates, Web, slack, slack_lines
from bot.story.wording import clean, shortened

if TYPE_CHECKING:
    from bot.story.list_documents import Document

FURTHER = "What else to ask about this:"  # above buttons that fit into no message of an answer
LONGEST_MARKDOWN = 1_000  # characters of a line of Markdown to be copied; a longer one is broken
LONGEST_LINES = (600, 200, 60)  # of an explanation, which has a dozen at most: with the last it fits whatever it says


def reply_messages(
    reply: Reply,
    templates: Templates,
    queries: Queries | None = None,
    surface: Surface | None = None,
    *,
    charts: bool = True,
) -> list[Message]:
    """The messages of a reply, with what can be pressed below them where a `surface` says where that is. What could
    not be understood is answered with examples from the index, or with what may have been meant. What was taken for
    granted is said first."""
    messages = _answer_messages(reply, templates, queries, surface, charts=charts)
    if not (assumed := said_first(reply.assumed)) or not messages:
        return messages
    first = messages[0]
    longer = replace(first, text=f"{slack(assumed)}\n{first.text}", blocks=(context(assumed), *first.blocks))
    if fits(longer):
        return [longer, *messages[1:]]
    return [words_message(slack(assumed)), *messages]


def _answer_messages(
    reply: Reply, templates: Templates, queries: Queries | None, surface: Surface | None, *, charts: bool
) -> list[Message]:
    if reply.help and not reply.choices:
        return [help_message(templates, queries, reply.words)]
    if reply.explanation:
        row = (*choices(reply.choices), *actions([share(reply.question, surface)])) if surface else ()
        return below([explanation_message(reply.explanation)], row, FURTHER)
    if not reply.documents:
        message = words_message(slack_lines(reply.words))  # and buttons for what may have been meant
        return [replace(message, blocks=(*message.blocks, *(choices(reply.choices) if surface else ())))]
    web = queries.pages() if queries else NOWHERE
    form = "markdown" if "markdown" in reply.question.form else None
    messages = document_messages(reply.documents, templates, web, form, charts=charts)
    said = [words_message(slack(reply.words))] if reply.words else []
    return [*below(messages, _offered(reply, queries, surface) if surface else (), FURTHER), *said]


def _offered(reply: Reply, queries: Queries | None, surface: Surface) -> tuple[Block, ...]:
    """What can be pressed below documents."""
    question, rows = reply.question, assumed_otherwise(reply) if reply.assumed else choices(reply.choices, OTHER_MONTHS)
    if len(reply.documents) == 1 and isinstance(document := reply.documents[0], MonthDocument):
        month = parse_any_period(document.month)
        beside = Around() if reply.choices else around(queries, question, month)  # they are among the choices
        changes = document.counts["changes"]
        is_hidden = any(WISHED in note for note in document.notes)  # then it can be undone
        return (*rows, *of_month(question, month, changes, beside, surface, is_hidden=is_hidden), *feedback())
    return (*rows, *actions([share(question, surface)]), *feedback())


def assumed_otherwise(reply: Reply) -> tuple[Block, ...]:
    """What else may have been meant where something was taken for granted; and menus of whom, when and where."""
    is_somebody = any(clean(name) in line for name in reply.question.people for line in reply.assumed)
    otherwise = button("Somebody else" if is_somebody else "Something else", PICK, PICK)  # Slack takes no empty value
    return (*choices(reply.choices), *actions([otherwise]))


def around(queries: Queries | None, question: Question, month: AnyPeriod) -> Around:
    """The active months beside one, as far as the reader may know of them."""
    if queries is None or len(question.people) != 1:
        return Around()
    try:
        person = queries.person_in(question, question.people[0], Days.of(month))
    except PersonUnknown:
        return Around()
    return Around(*queries.activity.around(person, Days.of(month)))


def document_messages(
    documents: Sequence[Document],
    templates: Templates,
    web: Web = NOWHERE,
    form: str | None = None,
    *,
    charts: bool = True,
) -> list[Message]:
    """The messages of documents, one after the other; in the form "markdown" as text to be copied."""
    if form == "markdown":
        return markdown_messages(documents, templates, web)
    messages = list[Message]()
    for document in documents:
        if isinstance(document, DigestDocument):
            messages += digest_messages(document, templates, web, charts)
        elif isinstance(document, MonthDocument):
            messages += month_messages(document, templates, web, charts)
        else:
            messages += plain_messages(document, templates, web)
    return messages


def explanation_message(explanation: Explanation) -> Message:
    """What was decided of a commit: one block with a line for each. Nothing in it is parsed by Slack."""
    message = Message("", ())
    for longest in LONGEST_LINES:
        message = _explanation(explanation, longest)
        if fits(message):
            break
    return message


def _explanation(explanation: Explanation, longest: int) -> Message:
    sha, subject = explanation.sha[:SHA_SHOWN], shortened(explanation.subject, longest)
    leaves: list[Block] = [_text(sha, "code"), _text(f" {subject}")]
    lines = [f"{sha} {slack(subject)}"]
    for line in explanation.decided:
        said = shortened(line.text, longest)
        leaves += [_text(f"\n{line.about}", "bold"), _text(f" {said}")]
        lines.append(f"*{line.about}* {slack(said)}")
    section = {"type": "rich_text_section", "elements": leaves}
    return Message("\n".join(lines), ({"type": "rich_text", "elements": [section]},))


def _text(text: str, style: str | None = None) -> Block:
    return {"type": "text", "text": text, **({"style": {style: True}} if style else {})}


def help_message(templates: Templates, queries: Queries | None, first: str = "") -> Message:
    """What can be asked, with examples that have an answer here. `first` is said before it."""
    name, month = None, None
    if queries and (active := queries.activity.last_month()):
        people = queries.activity.most(active)
        name, month = (people[0].name if people else None), active
    month = month or (queries.present() - 1 if queries else None)
    text = templates.render(
        "slack/help.j2",
        name=name,
        month=str(month) if month else "2025-10",
        previous=str(month - 1) if month else "2025-09",
        released=bool(queries and queries.releases.tags()),
    )
    return words_message(f"{slack(first)}\n\n{text}" if first else f"Hello! {text}")


def markdown_messages(documents: Sequence[Document], templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """Documents as Markdown to be copied: preformatted, in as many messages as it takes, broken between lines."""
    texts = [templates.month("markdown", document, web) for document in documents]
    pieces = list(_pieces("\n\n\n".join(texts)))
    return [_preformatted(piece, in_thread=number > 0) for number, piece in enumerate(pieces)]


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces that a message takes, escaped for its plain text."""
    taken: list[str] = []
    room = MAX_TEXT
    for line in _lines(text):
        length = len(_escaped(line)) + 1
        if taken and length > room:
            yield "\n".join(taken).strip("\n")
            taken, room = [], MAX_TEXT
        taken.append(line)
        room -= length
    if rest := "\n".join(taken).strip("\n"):
        yield rest


def _lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield from (line[at : at + LONGEST_MARKDOWN] for at in range(0, len(line) or 1, LONGEST_MARKDOWN))


def _preformatted(text: str, *, in_thread: bool) -> Message:
    leaf = {"type": "text", "text": text}
    element = {"type": "rich_text_preformatted", "elements": [leaf]}
    return Message(_escaped(text), ({"type": "rich_text", "elements": [element]},), in_thread)


def _escaped(text: str) -> str:
    """Text of several lines for Slack; what the templates gave holds nothing that would need more."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
