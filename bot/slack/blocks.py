"""Documents → Slack messages, each within Slack's limits, with complete plain text beside its blocks. Pure.

Text from git stands in rich text, which Slack does not parse; see packing.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.month.calendar import Month, parse_period
from bot.slack.charts import NONE, Charts, digest_charts, month_charts
from bot.slack.limits.blocks import MAX_SECTION_TEXT
from bot.slack.packing import (
    BREAK,
    NOTHING,
    Block,
    Message,
    Part,
    Row,
    context_block,
    header,
    heading_row,
    linked,
    packed,
    paragraph,
    paragraphs,
    plain,
    prose,
    titled,
    words_message,
)
from bot.story.document import Document
from bot.story.render import NOWHERE, Templates, Web, context, names, ref_link, slack
from bot.story.wording import count, mark, shortened

__all__ = ["Block", "Message", "digest_messages", "month_messages", "profile_messages", "words_message"]

MOST_COMMITS_NAMED = 8  # of one item in its line; the others follow the month
MOST_IN_A_LINE = 40  # commits, in the lines of what an item names no more
LONGEST_HEADLINE = 400  # of a month in a profile
IN_THREAD = "The thread tells of {people}, first in short, then change by change."
OWN_WORDS = "In their own words, which are not proved: “{words}”"
LONGEST_REPOSITORY = 100  # characters of its name in a line
LONGEST_PARAGRAPH = 2_500  # of a profile; 110 words are some 700 characters, but for names that are none


def month_messages(document: Document, templates: Templates, web: Web = NOWHERE, charts: bool = True) -> list[Message]:
    """A month as a message and, where that is not enough, more in its thread. `web` is each repository's page."""
    told = context(document, web)
    title = f"{document['person']['name']}, {parse_period(document['month']).title}"
    if document["to_date"]:
        title += " (to date)"
    opening = (header(title), paragraph(document["headline"]["text"]))
    text = f"{titled(title)}\n{plain(document['headline']['text'])}"
    rows = [*_items(told, told), *_impact(told), *paragraphs([told["helped"]]), *paragraphs(_skills(told))]
    rows += _further_commits(told, told)
    shown = _shown(month_charts(document) if charts else NONE)
    return packed(Part(opening, text), rows, _footer(told, templates), shown)


def digest_messages(document: Document, templates: Templates, web: Web = NOWHERE, charts: bool = True) -> list[Message]:
    """A channel's month: a message of who did how much, and everyone's changes in its thread."""
    told = context(document, web)
    when = parse_period(document["month"]).title
    title = f"{when[0].upper()}{when[1:]}"
    if document["digest"] != "everyone":
        title += f", {document['digest']}"
    if document["to_date"]:
        title += " (to date)"
    opening = (header(title), paragraph(document["headline"]["text"]))
    text = f"{titled(title)}\n{plain(document['headline']['text'])}"
    several = len(document["repositories"]) > 1
    themes = [item_row(item, told, name_repository=several) for item in document["themes"]]
    shown = _shown(digest_charts(document) if charts else NONE)
    footer, summaries = _footer(told, templates), list(_summaries(document))
    # The channel gets what was delivered; what each person did follows in the thread, in order of name.
    people = count(len(document["people"]), "person", "people")
    where = paragraphs([IN_THREAD.format(people=people)]) if summaries else ()
    root = packed(Part(opening, text), [*themes, *where], footer, shown)
    details = [row for one in document["people"] for row in person_rows(one, told)]
    return [*root, *_replies([*summaries, *details])]


def person_rows(one: Document, told: Document) -> Iterator[Row]:
    """What the thread of a digest tells of somebody, with what they said of it themselves. `told` has the links."""
    yield _name(one)
    if words := one.get("own_words"):
        said = OWN_WORDS.format(words=words)
        yield Row("paragraph", ({"type": "text", "text": said, "style": {"italic": True}},), slack(said))
    yield from _items(one, told)
    yield from _further_commits(one, told)


def profile_messages(document: Document, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """A whole history as a message of the paragraph and the repositories, and in its thread a line for each month."""
    told = context(document, web)
    title = document["person"]["name"]
    if document["from"]:
        title += f", {Month.parse(document['from']).title}"
        title += f" to {Month.parse(document['to']).title}" if document["to"] != document["from"] else ""
    if document["to_date"]:
        title += " (to date)"
    said = shortened(" ".join(one["text"] for one in document["paragraph"]), LONGEST_PARAGRAPH)
    rows = [_contributed(one) for one in document["repositories"]]
    opening = Part((header(title), paragraph(said)), f"{titled(title)}\n{plain(said)}")
    root = packed(opening, [heading_row("Repositories"), *rows] if rows else [], _footer(told, templates))
    return [*root, *_replies([_of_month(one) for one in document["months"]])]


def _replies(rows: Sequence[Row]) -> list[Message]:
    """The rows as messages of a thread."""
    return [replace(message, in_thread=True) for message in packed(NOTHING, rows)] if rows else []


def _contributed(one: Document) -> Row:
    """A repository of a profile."""
    numbers = f"{count(one['months'], 'active month')}, {count(one['changes'], 'change')}"
    told = "; ".join([numbers, *(names(used) for used in (one["languages"], one["technologies"]) if used)])
    name = shortened(one["name"], LONGEST_REPOSITORY)
    leaves = ({"type": "text", "text": name, "style": {"bold": True}}, {"type": "text", "text": f": {told}"})
    return Row("item", leaves, f"• {slack(name)}: {slack(told)}")


def _of_month(month: Document) -> Row:
    """A month of a profile in a line."""
    title = Month.parse(month["month"]).title
    said = f": {shortened(month['headline']['text'], LONGEST_HEADLINE)}"
    leaves = ({"type": "text", "text": title, "style": {"bold": True}}, {"type": "text", "text": said})
    return Row("item", leaves, f"• {slack(title)}{slack(said)}")


def _footer(told: Document, templates: Templates) -> Part:
    text = shortened(templates.render("slack/footer.j2", **told), MAX_SECTION_TEXT)
    return Part((context_block(text),), f"\n{text}")


def _shown(charts: Charts) -> Part:
    """Charts, and below them what they show."""
    words = "\n".join(map(slack, charts.words.splitlines()))
    return Part((*charts.blocks, context_block(words)), f"\n{words}") if words else NOTHING


def _items(month: Document, told: Document) -> Iterator[Row]:
    several = len(month["repositories"]) > 1
    for item in month["items"]:
        yield item_row(item, told, name_repository=several)


def _further_commits(month: Document, told: Document) -> Iterator[Row]:
    """The commits of long items that their lines only count: each can be opened from here."""
    for item in month["items"]:
        further = item["evidence"][MOST_COMMITS_NAMED:]
        for start in range(0, len(further), MOST_IN_A_LINE):
            leaves, text = commits_in_line(further[start : start + MOST_IN_A_LINE], told, most=MOST_IN_A_LINE)
            more = {"type": "text", "text": ", more commits:"}
            said = f"• {plain(item['title'])}, more commits:{text}"
            yield Row("item", (*prose(item["title"]), more, *leaves), said)


def _impact(told: Document) -> Iterator[Row]:
    for number, sentence in enumerate(told["impact"]):
        if not number:
            yield heading_row("Impact")
        leaves, text = commits_in_line(sentence["evidence"], told)
        yield Row("item", (*prose(sentence["text"]), *leaves), f"• {plain(sentence['text'])}{text}")


def _skills(told: Document) -> list[str]:
    """What was worked with, a line for each sort."""
    return [f"{sort.capitalize()}: {names(used)}." for sort, used in told["skills"].items() if used]


def _name(month: Document) -> Row:
    return heading_row(f"{month['person']['name']}: {count(month['counts']['changes'], 'change')}")


def _summaries(document: Document) -> Iterator[Row]:
    """Each person of a digest; the thread has all they did."""
    for summary, month in zip(document["summaries"], document["people"], strict=False):
        name = month["person"]["name"]
        rest = summary["text"].removeprefix(name)
        named = prose(name, "bold") if rest != summary["text"] else ()
        leaves = (BREAK, *named, *prose(rest))
        yield Row("paragraph", leaves, f"\n{plain(summary['text'])}")


def item_row(item: Document, told: Document, *, name_repository: bool) -> Row:
    web = told["web"][item["repository"]]
    leaves = list(prose(item["title"], "bold"))
    text = f"• {plain(item['title'])}"
    if became := mark(item["kind"], item["state"]):
        leaves.append({"type": "text", "text": f" ({became})"})
        text += f" ({became})"
    for ref in item["refs"][:MOST_COMMITS_NAMED]:
        leaves += [{"type": "text", "text": " "}, linked(ref, ref_link(ref, web))]
        text += f" {slack(ref)}"
    commits, shas = commits_in_line(item["evidence"], told)
    leaves, text = [*leaves, *commits], text + shas
    if name_repository:
        name = shortened(item["repository"], LONGEST_REPOSITORY)
        leaves.append({"type": "text", "text": f" in {name}"})
        text += f" in {slack(name)}"
    if item["text"]:
        leaves += [{"type": "text", "text": "\n"}, *prose(item["text"])]
        text += f"\n   {plain(item['text'])}"
    return Row("item", tuple(leaves), text)


def commits_in_line(evidence: Sequence[str], told: Document, most: int = MOST_COMMITS_NAMED) -> tuple[list[Block], str]:
    """The first few commits with their pages and how many more, and the same in plain text."""
    leaves: list[Block] = []
    for sha in evidence[:most]:
        leaves += [{"type": "text", "text": " "}, linked(sha[:9], told["links"][sha], code=True)]
    more = len(evidence) - most
    if more > 0:
        leaves.append({"type": "text", "text": f" and {more:,} more"})
    return leaves, "".join(leaf["text"] for leaf in leaves)
