"""A reply or a document → the messages that Slack gets, within its limits, each with its plain text beside its blocks.

One set of templates words a month for Markdown and for Slack: what they write is read as Markdown into rows of rich
text, which Slack does not parse, so that a `<!channel>` in a title pings nobody. Pure but for the store.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.ask.answers import LONG, Reply, fitted
from bot.ask.explain import SHA_SHOWN, Explanation, ExplanationLine, Explanations
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.errors import PersonUnknown
from bot.month.calendar import AnyPeriod, Days, parse_any_period
from bot.slack import elements
from bot.slack.elements import (
    ASK,
    BREAK,
    CHANGES,
    OTHER_MONTHS,
    PICK,
    Around,
    Block,
    Message,
    Surface,
    actions,
    below,
    button,
    choices,
    context,
    feedback,
    fits,
    header,
    titled,
    words_message,
    written,
)
from bot.story.documents import DigestDocument, Document, MonthDocument
from bot.story.render import NOWHERE, Templates, Web, slack, slack_lines
from bot.story.render import context as document_values
from bot.story.wording import count, shortened

# Of a row in plain text and in JSON; a longer one goes on in another, so that any of them fits into a message.
LONGEST_ROW, LARGEST_ROW = 1_500, 6_000
LONGEST_LEAF = 300

_MARKDOWN = MarkdownIt("commonmark", {"html": False})
_STYLES = {"strong": "bold", "em": "italic", "s": "strike"}


def rows_of(text: str) -> list[Row]:
    """The rows of a Markdown text: headings, items with their depth, and paragraphs."""
    rows: list[Row] = []
    depth, opened, is_heading = 0, False, False
    for token in _MARKDOWN.parse(text):
        if token.type.startswith(("bullet_list", "ordered_list")):
            depth += token.nesting
        elif token.type == "list_item_open":
            opened = True
        elif token.type.startswith("heading"):
            is_heading = token.nesting == 1
        elif token.type not in ("inline", "fence", "code_block") or not (leaves := list(_leaves(token))):
            continue
        elif is_heading or (not depth and _is_bold_line(leaves)):
            rows.append(heading_row(_plain(leaves)))
        elif depth:
            rows += [_item(one, depth - 1, is_new=opened and not at) for at, one in enumerate(_row_pieces(leaves))]
            opened = False
        else:
            for piece in _row_pieces(leaves):
                rows.append(Row("paragraph", (BREAK, *piece) if rows else tuple(piece), f"\n{_in_lines(piece)}"))
    return rows


def _is_bold_line(leaves: Sequence[Block]) -> bool:
    return len(_plain(leaves)) <= elements.MAX_HEADER and all(leaf.get("style", {}).get("bold") for leaf in leaves)


def _item(leaves: Sequence[Block], indent: int, *, is_new: bool) -> Row:
    sign = "• " if is_new else "  "
    return Row("item", tuple(leaves), f"{'   ' * indent}{sign}{_in_lines(leaves, '   ' * (indent + 1))}", indent)


def _row_pieces(leaves: Sequence[Block]) -> Iterator[list[Block]]:
    """The leaves of one row, or of several where it is too long."""
    taken: list[Block] = []
    length = size = 0
    for leaf in leaves:
        for at in range(0, len(leaf["text"]), LONGEST_LEAF):
            part = {**leaf, "text": leaf["text"][at : at + LONGEST_LEAF]}
            more, larger = len(slack(part["text"])) + 1, elements.blocks_json_size(part) + 1
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
            yield dict(BREAK)
        elif child.type == "code_inline" or child.content:
            style = dict.fromkeys([*styles, *(["code"] if child.type == "code_inline" else [])], True)
            leaf: Block = {"type": "link", "url": link} if link else {"type": "text"}
            yield {**leaf, "text": child.content, **({"style": style} if style else {})}


def messages_of(document: Document, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """A document as a message and, where that is not enough, more in its thread. `web` is each repository's page."""
    is_month, is_team = isinstance(document, MonthDocument), isinstance(document, DigestDocument)
    name = "month" if is_month else "team" if is_team else document.template
    rows = rows_of(templates.render(f"slack/{name}.j2", **document_values(document, web)))
    if not rows or rows[0].kind != "heading":
        return packed(NOTHING, rows)
    title = _plain(rows[0].leaves)  # the first message's header
    return packed(Message(titled(title), (header(title),)), rows[1:])


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
    sentences = [words_message(slack_lines(reply.sentence_lines))] if reply.sentences else []
    form = "markdown" if "markdown" in reply.question.form else None
    messages = [*sentences, *(explained or document_messages(shown.documents, templates, web, form))]
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
    question, rows = reply.question, _otherwise(reply)
    if len(reply.documents) == 1 and isinstance(document := reply.documents[0], MonthDocument):
        month = parse_any_period(document.month)
        beside = (None, None) if reply.choices else around(queries, question, month)  # they are among the choices
        changes = document.counts["changes"]
        is_hidden = any(elements.WISHED in note for note in document.notes)  # then it can be undone
        return (
            *rows,
            *elements.of_month(question, month, changes, beside, surface, is_hidden=is_hidden),
            *feedback(),
        )
    whole = button("Show all", f"{ASK}.9", written(replace(question, form=(*question.form, LONG), choices=())))
    is_cut = left or any(isinstance(one, DigestDocument) for one in reply.documents)
    is_cut = is_cut and LONG not in question.form
    return (*rows, *actions([whole if is_cut else None, elements.share(question, surface)]), *feedback())


def _otherwise(reply: Reply) -> tuple[Block, ...]:
    """What else may have been meant; and menus of whom, when and where, where something was taken for granted."""
    if not reply.question.assumed:
        return choices(reply.choices, OTHER_MONTHS)
    return (
        *choices(reply.choices),
        *actions([button("Something else", PICK, PICK)]),
    )  # Slack takes no empty value


def around(queries: Queries | None, question: Question, month: AnyPeriod) -> Around:
    """The active months beside one, as far as the reader may know of them."""
    if queries and len(question.people) == 1:
        name = question.people[0]
        with suppress(PersonUnknown):
            person = question.found.get(name) or queries.person(name, Days.of(month))
            return queries.activity.around(person, Days.of(month))
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
    whole = button(f"All {count(changes, 'change')}", CHANGES, written(question)) if question and changes > 1 else None
    row = actions([button("Somebody’s month", PICK, PICK) if changes else None, whole])
    return below(messages_of(document, templates, web), row, FURTHER)


def explanations_message(explanations: Explanations) -> Message:
    """What is known of some commits, in short. Nothing in it is parsed by Slack."""
    each = [(one, [line for line in one.brief if line.evidence]) for one in explanations.explained]
    return _explained(each, explanations.notes)


def explanation_message(explanation: Explanation) -> Message:
    """What was decided of a commit, a line for each."""
    return _explained([(explanation, explanation.lines)])


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
    lines = "\n\n\n".join(texts).split("\n")
    short = [one[at : at + LONGEST_MARKDOWN] for one in lines for at in range(0, len(one) or 1, LONGEST_MARKDOWN)]
    pieces, room = [list[str]()], elements.MAX_TEXT
    for line in short:
        length = len(_escaped(line)) + 1
        if pieces[-1] and length > room:
            pieces.append([])
            room = elements.MAX_TEXT
        pieces[-1].append(line)
        room -= length
    shown = filter(None, ("\n".join(piece).strip("\n") for piece in pieces))
    return [_preformatted(text, in_thread=number > 0) for number, text in enumerate(shown)]


def _preformatted(text: str, *, in_thread: bool) -> Message:
    element = {"type": "rich_text_preformatted", "elements": [_text(text)]}
    return Message(_escaped(text), ({"type": "rich_text", "elements": [element]},), in_thread)


def _escaped(text: str) -> str:
    """Text of several lines for Slack; what the templates gave holds nothing that would need more."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


NOTHING = Message("", ())


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a message: leaves of rich text, and the same in plain text."""

    kind: Literal["heading", "item", "paragraph"]
    leaves: tuple[Block, ...]
    text: str
    indent: int = 0  # of an item in a nested list


def heading_row(text: str) -> Row:
    leaf = {"type": "text", "text": shortened(text, elements.MAX_HEADER), "style": {"bold": True}}
    return Row("heading", (leaf,), f"\n{titled(text)}")


def packed(opening: Message, rows: Sequence[Row]) -> list[Message]:
    """The rows in as few messages as Slack's limits allow, with the opening in the first. A heading is never the last
    line of a message."""
    if fits(whole := _message(opening, rows)):
        return [whole]
    messages: list[Message] = []
    head, taken = opening, list[Row]()
    for row in rows:
        if (taken or head.blocks) and not fits(_message(head, [*taken, row]), with_buttons=not messages):
            is_alone = len(taken) == 1 and not head.blocks
            carried = [taken.pop()] if taken and taken[-1].kind == "heading" and not is_alone else []
            messages.append(_message(head, taken, in_thread=bool(messages)))
            head, taken = NOTHING, carried
        taken.append(row)
    return [*messages, _message(head, taken, in_thread=bool(messages))]


def _message(head: Message, rows: Sequence[Row], *, in_thread: bool = False) -> Message:
    lead = rows[0] if rows else None
    if lead and lead.leaves[:1] == (BREAK,):  # below nothing
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
    row = actions([button("Digests", f"{elements.DIGESTS}.0", "open", style="primary")])
    return Message(f"{DIGESTS_HERE} /almanac digest", (elements.words(DIGESTS_HERE), *row))
