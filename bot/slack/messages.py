"""A reply → the messages that Slack gets: months, a digest, or words with examples. Pure but for the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.ask.answers import LONG, Reply, fitted
from bot.ask.explain import SHA_SHOWN, Explanation, ExplanationLine, Explanations
from bot.ask.queries import Queries
from bot.ask.question import Question
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
    ASK,
    CHANGES,
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
    written,
)
from bot.slack.correcting import WISHED
from bot.slack.limits import MAX_TEXT
from bot.slack.packing import fits, header, titled
from bot.slack.picker import PICK
from bot.story.documents import DigestDocument, MonthDocument
from bot.story.render import NOWHERE, Templates, Web, slack, slack_lines
from bot.story.wording import count, shortened

if TYPE_CHECKING:
    from bot.story.list_documents import Document

FURTHER = "What else to ask about this:"  # above buttons that fit into no message of an answer
LONGEST_MARKDOWN = 1_000  # characters of a line of Markdown to be copied; a longer one is broken
LONGEST_LINES = (600, 200, 60)  # of an explanation, which has a dozen at most: with the last it fits whatever it says


def reply_messages(
    reply: Reply, templates: Templates, queries: Queries | None = None, surface: Surface | None = None
) -> list[Message]:
    """The messages of a reply: first how it was read, then as much as an answer may be long, with what can be pressed
    below where a `surface` says where that is. What could not be understood is answered with what may have been meant,
    or with examples from the index."""
    if reply.help and not reply.choices:
        return [help_message(templates, queries, reply.words)]
    if not reply.is_answered:
        message = words_message(slack_lines(reply.words))
        return [replace(message, blocks=(*message.blocks, *(choices(reply.choices) if surface else ())))]
    shown, left = fitted(reply, templates)
    web = queries.pages() if queries else NOWHERE
    explained = [explanations_message(reply.explanations)] if reply.explanations else []
    if reply.sentences:
        explained = [words_message(slack_lines(reply.sentence_lines))]
    form = "markdown" if "markdown" in reply.question.form else None
    messages = explained or document_messages(shown.documents, templates, web, form)
    if reply.first and form is None:
        messages = _headed(messages, reply.first, alone=len(messages) == 1 or len(shown.documents) == 1)
    words = " ".join(filter(None, [reply.words, f"{count(left, 'more change')}." if left else ""]))
    if words and messages:
        messages = below(messages, (context(words),), words)
    return below(messages, _offered(reply, left, queries, surface), FURTHER) if surface else messages


def _headed(messages: list[Message], first: str, *, alone: bool) -> list[Message]:
    """The messages with how the question was read above them, in the place of a heading that says the same."""
    head, *others = messages
    blocks, text = head.blocks, head.text
    if alone and blocks[:1] and blocks[0]["type"] == "header":
        blocks, text = blocks[1:], text.partition("\n")[2]
    headed = replace(head, text=f"{titled(first)}\n{text}", blocks=(header(first), *blocks))
    return [headed, *others] if fits(headed) else [words_message(titled(first)), *messages]


def _offered(reply: Reply, left: int, queries: Queries | None, surface: Surface) -> tuple[Block, ...]:
    """What can be pressed below an answer."""
    question, rows = reply.question, _otherwise(reply)
    if len(reply.documents) == 1 and isinstance(document := reply.documents[0], MonthDocument):
        month = parse_any_period(document.month)
        beside = Around() if reply.choices else around(queries, question, month)  # they are among the choices
        changes = document.counts["changes"]
        is_hidden = any(WISHED in note for note in document.notes)  # then it can be undone
        return (*rows, *of_month(question, month, changes, beside, surface, is_hidden=is_hidden), *feedback())
    whole = button("Show all", f"{ASK}.9", written(replace(question, form=(*question.form, LONG), choices=())))
    is_cut = left or any(isinstance(one, DigestDocument) for one in reply.documents)
    is_cut = is_cut and LONG not in question.form
    return (*rows, *actions([whole if is_cut else None, share(question, surface)]), *feedback())


def _otherwise(reply: Reply) -> tuple[Block, ...]:
    """What else may have been meant; and menus of whom, when and where, where something was taken for granted."""
    if not reply.question.assumed:
        return choices(reply.choices, OTHER_MONTHS)
    return (*choices(reply.choices), *actions([button("Something else", PICK, PICK)]))  # Slack takes no empty value


def around(queries: Queries | None, question: Question, month: AnyPeriod) -> Around:
    """The active months beside one, as far as the reader may know of them."""
    if queries is None or len(question.people) != 1:
        return Around()
    name = question.people[0]
    try:
        person = question.found.get(name) or queries.person(name, Days.of(month))
    except PersonUnknown:
        return Around()
    return Around(*queries.activity.around(person, Days.of(month)))


def document_messages(
    documents: Sequence[Document],
    templates: Templates,
    web: Web = NOWHERE,
    form: str | None = None,
) -> list[Message]:
    """The messages of documents, one after the other; in the form "markdown" as text to be copied."""
    if form == "markdown":
        return markdown_messages(documents, templates, web)
    messages = list[Message]()
    for document in documents:
        if isinstance(document, DigestDocument):
            messages += digest_messages(document, templates, web)
        elif isinstance(document, MonthDocument):
            messages += month_messages(document, templates, web)
        else:
            messages += plain_messages(document, templates, web)
    return messages


def post_messages(document: DigestDocument, templates: Templates, web: Web, question: Question | None) -> list[Message]:
    """A team's post, and what can be pressed below it: somebody's month, for whoever presses, and all changes.
    `question` is what asks for the same, if anything does."""
    changes = document.counts["changes"]
    whole = button(f"All {count(changes, 'change')}", CHANGES, written(question)) if question and changes > 1 else None
    row = actions([button("Somebody’s month", PICK, PICK) if changes else None, whole])
    return below(digest_messages(document, templates, web), row, FURTHER)


def explanations_message(explanations: Explanations) -> Message:
    """What is known of some commits, in short. Nothing in it is parsed by Slack."""
    each = [(one, [line for line in one.brief if line.evidence]) for one in explanations.explained]
    return _explained(each, explanations.notes)


def explanation_message(explanation: Explanation) -> Message:
    """What was decided of a commit, a line for each."""
    return _explained([(explanation, explanation.decided)])


def _explained(each: Sequence[tuple[Explanation, Sequence[ExplanationLine]]], notes: Sequence[str] = ()) -> Message:
    """One block, whose lines are cut until Slack takes it."""
    message = Message("", ())
    for longest in LONGEST_LINES:
        leaves, texts = list[Block](), list[str]()
        for explanation, lines in each:
            sha, subject = explanation.sha[:SHA_SHOWN], shortened(explanation.subject, longest)
            leaves += [_text(f"\n{sha}" if leaves else sha, "code"), _text(f" {subject}")]
            texts.append(f"{sha} {slack(subject)}")
            for line in lines:
                said = shortened(line.text, longest)
                leaves += [_text(f"\n{line.about}", "bold"), _text(f" {said}")]
                texts.append(f"*{line.about}* {slack(said)}")
        for note in notes:
            leaves.append(_text(f"\n{note}" if leaves else note))
            texts.append(slack(note))
        section = {"type": "rich_text_section", "elements": leaves}
        message = Message("\n".join(texts), ({"type": "rich_text", "elements": [section]},))
        if fits(message):
            break
    return message


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
