"""A reply or a document → the messages that Slack gets, within its limits, each with its plain text beside its blocks.

What the templates write is read as Markdown into rows of rich text, which Slack does not parse, so that a `<!channel>`
in a title pings nobody. Pure but for the store.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from typing import Literal

from markdown_it.token import Token

from bot.ask.answers import BY_MODEL, LONG, Reply, fitted
from bot.ask.explain import SHA_SHOWN, Explanations
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.errors import PersonUnknown
from bot.month.calendar import AnyPeriod, Days, Month, parse_any_period
from bot.slack import elements as ui
from bot.slack.elements import Around, Block, Message, Surface
from bot.story.documents import DigestDocument, Document, MonthDocument
from bot.story.render import NOWHERE, Templates, Web, blocks_of, markdown, markdown_lines, slack
from bot.wording import count, shortened

# Of a row in plain text and in JSON; a longer one goes on in another, so that any of them fits into a message.
LONGEST_ROW, LARGEST_ROW = 1_500, 6_000
LONGEST_LEAF = 300

_STYLES = {"strong": "bold", "em": "italic", "s": "strike"}


def rows_of(text: str) -> list[Row]:
    """The rows of a Markdown text: headings, items with their depth, and paragraphs."""
    rows: list[Row] = []
    for block in blocks_of(text):
        leaves, depth, begins = list(_leaves(block.content)), block.depth, block.begins
        if block.is_heading and leaves:
            title = shortened(_plain(leaves), ui.MAX_HEADER)
            rows.append(Row("heading", (_text(title, "bold"),), f"\n{ui.titled(title)}"))
            continue
        for piece in _row_pieces(leaves):
            if depth:
                margin = "   " * (depth - 1)
                text = f"{margin}{'• ' if begins else '  '}{_in_lines(piece, f'{margin}   ')}"
                rows.append(Row("item", tuple(piece), text, depth - 1))
                begins = False
            else:
                rows.append(Row("paragraph", (ui.BREAK, *piece) if rows else tuple(piece), f"\n{_in_lines(piece)}"))
    return rows


def _row_pieces(leaves: Sequence[Block]) -> Iterator[list[Block]]:
    """The leaves of one row, or of several where it is too long."""
    taken: list[Block] = []
    length = size = 0
    for leaf in leaves:
        for at in range(0, len(leaf["text"]), LONGEST_LEAF):
            part = {**leaf, "text": leaf["text"][at : at + LONGEST_LEAF]}
            more, larger = len(slack(part["text"])) + 1, ui.blocks_json_size(part) + 1
            if taken and (length + more > LONGEST_ROW or size + larger > LARGEST_ROW):
                yield taken
                taken, length, size = [], 0, 0
            taken.append(part)
            length, size = length + more, size + larger
    if taken:
        yield taken


def _in_lines(leaves: Sequence[Block], margin: str = "") -> str:
    """The same in plain text, which Slack parses; further lines are set in."""
    return f"\n{margin}".join(slack(line) for line in _plain(leaves).split("\n"))


def _plain(leaves: Sequence[Block]) -> str:
    return "".join(leaf["text"] for leaf in leaves)


def _leaves(token: Token) -> Iterator[Block]:
    """The leaves of a paragraph: text with its styles, code, links and line breaks."""
    if token.type != "inline":
        yield {"type": "text", "text": token.content, "style": {"code": True}}
        return
    styles: list[str] = []
    link = ""
    for child in token.children or ():
        name = child.type.removesuffix("_open").removesuffix("_close")
        if name in _STYLES:
            styles = [*styles, _STYLES[name]] if child.nesting == 1 else styles[:-1]
        elif name == "link":
            link = str(child.attrs.get("href", "")) if child.nesting == 1 else ""
        elif child.type in ("softbreak", "hardbreak"):
            yield dict(ui.BREAK)
        elif child.type == "code_inline" or child.content:
            style = dict.fromkeys([*styles, *(["code"] if child.type == "code_inline" else [])], True)
            leaf: Block = {"type": "link", "url": link} if link else {"type": "text"}
            yield {**leaf, "text": child.content, **({"style": style} if style else {})}


def messages_of(document: Document, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """A document as a message and, where that is not enough, more in its thread. `web` is each repository's page."""
    rows = rows_of(templates.markdown(document, web))
    if not rows or rows[0].kind != "heading":
        return packed(NOTHING, rows)
    return packed(_title(_plain(rows[0].leaves)), rows[1:])


def in_messages(text: str) -> list[Message]:
    """A Markdown text as messages."""
    return packed(NOTHING, rows_of(text))


def rich_text(text: str) -> Block:
    """A Markdown text as one block, however long it is."""
    return _rich_text(rows_of(text))


def _title(text: str) -> Message:
    return Message(ui.titled(text), (ui.header(text),))


WISHED = "left out at the wish of"  # as a month says of what is hidden
FURTHER = "What else to ask about this:"  # above buttons that fit into no message of an answer
LONGEST_MARKDOWN = 1_000  # characters of a line of Markdown to be copied; a longer one is broken
LONGEST_LINE = 600  # of an explanation


def reply_messages(
    reply: Reply, templates: Templates, queries: Queries, surface: Surface | None = None
) -> list[Message]:
    """The messages of a reply: first how it was read, then as much as an answer may be long, with what can be pressed
    below where a `surface` says where that is. What could not be understood is answered with what may have been meant,
    or with examples from the index."""
    if reply.help and not reply.choices:
        return [help_message(templates, queries, reply.words)]
    if not reply.is_answered:
        return ui.below(in_messages(markdown_lines(reply.words)), ui.choices(reply.choices) if surface else (), FURTHER)
    shown, left = fitted(reply, templates)
    web = queries.pages()
    explained = explanations_messages(reply.explanations) if reply.explanations else []
    sentences = in_messages(markdown_lines(reply.sentence_lines)) if reply.sentences else []
    form = "markdown" if "markdown" in reply.question.form else None
    listed = document_messages(shown.documents, templates, web, form) if not explained else []
    messages = [*sentences, *listed, *explained]
    if reply.first and form is None:
        is_said = reply.first != BY_MODEL and (len(messages) == 1 or len(shown.documents) == 1)
        messages = _headed(messages, reply.first, is_said=is_said)
    words = " ".join(filter(None, [reply.words, f"{count(left, 'more change')}." if left else ""]))
    if words and messages:
        messages = ui.below(messages, (ui.context(words),), words)
    if surface is None or reply.first == BY_MODEL:  # of which no question is known that would show just that
        return messages
    return ui.below(messages, _offered(reply, left, queries, surface), FURTHER)


def _headed(messages: list[Message], first: str, *, is_said: bool) -> list[Message]:
    """The messages with how the question was read above them, in the place of a heading where that says the same."""
    head, *others = messages
    blocks, text = head.blocks, head.text
    if is_said and blocks[:1] and blocks[0]["type"] == "header":
        blocks, text = blocks[1:], text.partition("\n")[2]
    title = _title(first)
    headed = replace(head, text=f"{title.text}\n{text}", blocks=(*title.blocks, *blocks))
    return [headed, *others] if ui.fits(headed) else [title, *messages]


def _offered(reply: Reply, left: int, queries: Queries, surface: Surface) -> tuple[Block, ...]:
    question = reply.question
    if not question.assumed:
        rows = ui.choices(reply.choices, ui.OTHER_MONTHS)
    else:  # menus of whom, when and where; Slack takes no empty value
        rows = (*ui.choices(reply.choices), *ui.actions([ui.button("Something else", ui.PICK, ui.PICK)]))
    if len(reply.documents) == 1 and isinstance(document := reply.documents[0], MonthDocument):
        month, changes = parse_any_period(document.month), document.counts["changes"]
        here = replace(question, intent="month", people=question.people[:1], span=Days.of(month), choices=(), form=())
        profile = Question("profile", people=here.people, repositories=question.repositories)
        # Months beside it are among the choices, where there are any; what is hidden can be undone.
        beside = (None, None) if reply.choices else around(queries, question, month)
        is_wrong = surface.can_correct and (changes or any(WISHED in note for note in document.notes))
        every = f"All {count(changes, 'change')}" if changes > 1 else "The change"
        row = [
            *ui.beside(here, beside, ui.ASK),
            ui.button(every, ui.CHANGES, ui.written(here)) if changes else None,
            ui.button("Profile", f"{ui.ASK}.2", ui.written(profile)),
            ui.share(question if question.span else replace(question, span=here.span), surface),
            ui.button("Not right?", ui.CORRECT, ui.written(here)) if is_wrong else None,
        ]
        return (*rows, *ui.actions(row))
    is_cut = left or any(isinstance(one, DigestDocument) for one in reply.documents)
    asks = ui.written(replace(question, form=(*question.form, LONG), choices=()))
    whole = ui.button("Show all", f"{ui.ASK}.9", asks) if is_cut and LONG not in question.form else None
    return (*rows, *ui.actions([whole, ui.share(question, surface)]))


def around(queries: Queries, question: Question, month: AnyPeriod) -> Around:
    """The active months beside one, as far as the reader may know of them."""
    if len(question.people) == 1:
        name = question.people[0]
        with suppress(PersonUnknown):
            person = question.found.get(name) or queries.person(name, Days.of(month))
            before, after = queries.activity.around([person], Days.of(month))
            one, other = (Month.of(at, queries.zone) if at else None for at in (before, after))
            return one, other
    return None, None


def document_messages(
    documents: Sequence[Document], templates: Templates, web: Web = NOWHERE, form: str | None = None
) -> list[Message]:
    """The messages of documents, one after the other; in the form "markdown" as text to be copied."""
    if form == "markdown":
        return markdown_messages(documents, templates, web)
    return [message for document in documents for message in messages_of(document, templates, web)]


def post_messages(document: DigestDocument, templates: Templates, web: Web, question: Question | None) -> list[Message]:
    """A team's post, and what can be pressed below it: somebody's month, for whoever presses, and all changes.
    `question` is what asks for the same, if anything does."""
    changes = document.counts["changes"]
    asks = ui.written(question) if question and changes > 1 else None
    whole = ui.button(f"All {count(changes, 'change')}", ui.CHANGES, asks) if asks else None
    row = ui.actions([ui.button("Somebody’s month", ui.PICK, ui.PICK) if changes else None, whole])
    return ui.below(messages_of(document, templates, web), row, FURTHER)


def explanations_messages(explanations: Explanations) -> list[Message]:
    """What is known of some commits, in short."""
    lines = list[str]()
    for one in explanations.explained:
        lines += ("", f"`{one.sha[:SHA_SHOWN]}` {markdown(shortened(one.subject, LONGEST_LINE))}", "")
        lines += (f"- **{line.about}:** {markdown(shortened(line.text, LONGEST_LINE))}" for line in one.brief)
    for note in explanations.notes:
        lines += ("", markdown(note))
    return in_messages("\n".join(lines))


def _text(text: str, style: str | None = None) -> Block:
    return {"type": "text", "text": text, **({"style": {style: True}} if style else {})}


def help_message(templates: Templates, queries: Queries, first: str = "") -> Message:
    """What can be asked, with examples that have an answer here. `first` is said before it."""
    active = queries.activity.last_month()
    people, month = queries.activity.most(active) if active else [], active or queries.present() - 1
    shown = {"name": people[0].name if people else None, "month": str(month), "previous": str(month - 1)}
    text = templates.render("slack/help.j2", **shown, released=bool(queries.releases.tags()))
    said = f"{slack(first)}\n\n{text}" if first else f"Hello! {text}"
    return Message(said, ({"type": "section", "text": ui.mrkdwn(said)},))


def markdown_messages(documents: Sequence[Document], templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """Documents as Markdown to be copied: preformatted, in as many messages as it takes, broken between lines."""
    shown = [""]
    for line in "\n\n\n".join(templates.month("markdown", document, web) for document in documents).split("\n"):
        for at in range(0, len(line) or 1, LONGEST_MARKDOWN):
            longer = f"{shown[-1]}{line[at : at + LONGEST_MARKDOWN]}\n"
            if len(escape(longer, quote=False)) > ui.MAX_TEXT:
                shown.append(longer[len(shown[-1]) :])
            else:
                shown[-1] = longer
    messages = list[Message]()
    for text in filter(None, (one.strip("\n") for one in shown)):
        element = {"type": "rich_text_preformatted", "elements": [_text(text)]}
        blocks = ({"type": "rich_text", "elements": [element]},)
        messages.append(Message(escape(text, quote=False), blocks, in_thread=bool(messages)))
    return messages


NOTHING = Message("", ())


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a message: leaves of rich text, and the same in plain text."""

    kind: Literal["heading", "item", "paragraph"]
    leaves: tuple[Block, ...]
    text: str
    indent: int = 0  # of an item in a nested list


def packed(opening: Message, rows: Sequence[Row]) -> list[Message]:
    """The rows in as few messages as Slack's limits allow, with the opening in the first. A heading is never the last
    line of a message."""
    if ui.fits(whole := _message(opening, rows)):
        return [whole]
    messages: list[Message] = []
    head, taken = opening, list[Row]()
    for row in rows:
        if (taken or head.blocks) and not ui.fits(_message(head, [*taken, row]), with_buttons=not messages):
            is_alone = len(taken) == 1 and not head.blocks
            carried = [taken.pop()] if taken and taken[-1].kind == "heading" and not is_alone else []
            messages.append(_message(head, taken, in_thread=bool(messages)))
            head, taken = NOTHING, carried
        taken.append(row)
    return [*messages, _message(head, taken, in_thread=bool(messages))]


def _message(head: Message, rows: Sequence[Row], *, in_thread: bool = False) -> Message:
    lead = rows[0] if rows else None
    if lead and lead.leaves[:1] == (ui.BREAK,):  # below nothing
        lead = replace(lead, leaves=lead.leaves[1:])
    blocks = (*head.blocks, *([_rich_text([lead, *rows[1:]])] if lead else []))
    return Message("\n".join(filter(None, [head.text, *(row.text for row in rows)])).strip("\n"), blocks, in_thread)


def _rich_text(rows: Sequence[Row]) -> Block:
    elements: list[Block] = []
    for row in rows:
        section = {"type": "rich_text_section", "elements": list(row.leaves)}
        last = elements[-1] if elements else {}
        if row.kind != "item":
            elements.append(section)
        elif last.get("type") == "rich_text_list" and last.get("indent", 0) == row.indent:
            last["elements"].append(section)
        else:
            nested = {"indent": row.indent} if row.indent else {}
            elements.append({"type": "rich_text_list", "style": "bullet", **nested, "elements": [section]})
    return {"type": "rich_text", "elements": elements}


DIGESTS_HERE = "Digests are made, changed and paused here:"


def scheduled_message() -> Message:
    """The answer to what is asked of schedules where no modal opens: anybody reads it, so it names no digest."""
    row = ui.actions([ui.button("Digests", f"{ui.DIGESTS}.0", "open", style="primary")])
    return ui.words_message(f"{DIGESTS_HERE} /almanac digest", row)
