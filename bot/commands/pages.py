"""`almanac export` as HTML: a page for each person, one for each team and month, and one that links them.

Which files there are, and what is in them; folder.py writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.ask.queries import EVERY, Queries
from bot.commands.rendering import title_of
from bot.model import Person
from bot.month.calendar import AnyPeriod, Days, Span, parse_any_period
from bot.story.documents import DigestDocument, MonthDocument
from bot.story.render import PageLink, Templates
from bot.story.wording import capital

INDEX = "index.html"
EVERYONE = "everyone"
LONGEST_NAME = 50  # letters, of up to four bytes: a file system takes a name of 255
# Of a page, which people mail to each other. What surrounds the months of one takes the rest.
MOST_BYTES, MOST_OF_MONTHS = 300_000, 260_000
NOWHERE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Entry:
    """A page as the index lists it; `path` is seen from there. `group` is the person or the team, `period` the newest
    month as "2025-10", `label` the months in words, and `said` how many changes there are."""

    path: str
    is_team: bool
    group: str
    period: str
    label: str
    said: str


@dataclass(frozen=True, slots=True)
class ExportedPage:
    """`address` is the first of a person's, empty for a team."""

    entry: Entry
    title: str
    body: str
    address: str = ""

    def whole(self, templates: Templates, links: Sequence[PageLink] = ()) -> str:
        return templates.page(self.title, self.body, links) + "\n"


@dataclass(frozen=True, slots=True)
class IndexedMonth:
    """A row of the index: the page of each team, None for one that has none."""

    label: str
    pages: tuple[Entry | None, ...]


class Pages:
    """The pages of one export: of a span and some repositories, of all if none are named."""

    def __init__(self, queries: Queries, templates: Templates, span: Span, repositories: Sequence[str]) -> None:
        self._queries = queries
        self._templates = templates
        self._repositories = repositories
        self._web = queries.pages()
        self._periods: Sequence[AnyPeriod] = [span] if isinstance(span, Days) else list(span)[::-1]
        self._span = span

    def of_people(self, people: Iterable[Person]) -> list[ExportedPage]:
        """A page for each who has commits in the span."""
        taken, pages = set[str](), []
        for person in people:
            path = f"people/{slug(person.name, taken)}.html"
            every = self._queries.month(person, self._span, most=EVERY, repositories=self._repositories)
            if months := [one for one in every if one.counts["commits"] or one.written_before]:
                pages.append(self._of_person(person, months, path))
        return pages

    def of_teams(self) -> list[ExportedPage]:
        """A page for each month of everyone's and of each team's in which there are changes, newest first."""
        taken, pages = set[str](), []
        for team in (None, *self._queries.teams()):
            folder = slug(team or EVERYONE, taken)
            for period in self._periods:
                document = self._queries.digest(period, team, self._repositories)
                if document.counts["people"]:
                    path = f"teams/{folder}/{document.month}.html"
                    pages.append(self._of_team(document, team or EVERYONE, path))
        return pages

    def _of_person(self, person: Person, months: Sequence[MonthDocument], path: str) -> ExportedPage:
        name, changes = months[0].person.name, sum(one.counts["changes"] for one in months)
        address = months[0].person.addresses[0] if months[0].person.addresses else ""
        entry = Entry(path, False, name, months[0].month, _label(months), f"{changes:,}")
        if len(months) == 1:
            return ExportedPage(entry, title_of(months[0]), self._fitting(months, 1)[0][1], address)
        articles = self._fitting(months, 2)
        body = self._templates.render(
            "html/person.j2",
            name=name, months=months[::-1], articles=articles, left_out=len(months) - len(articles), changes=changes,
        )  # fmt: skip
        return ExportedPage(entry, f"{name}, {entry.label}", body, address)

    def _fitting(self, months: Sequence[MonthDocument], level: int) -> list[tuple[str, str]]:
        """The months as told, newest first, as many as fit into a page: with their evidence, or else without."""
        fitting: list[tuple[str, str]] = []
        room = MOST_OF_MONTHS
        for month in months:
            for brief in (False, True):
                text = self._templates.month("html", month, self._web, level=level, brief=brief)
                if len(text.encode()) <= room or (brief and not fitting):
                    break
            else:
                return fitting
            room -= len(text.encode())
            fitting.append((month.month, text))
        return fitting

    def _of_team(self, document: DigestDocument, team: str, path: str) -> ExportedPage:
        body = self._templates.month("html", document, self._web)
        entry = Entry(path, True, team, document.month, _title(document.month), f"{document.counts['changes']:,}")
        return ExportedPage(entry, title_of(document), body)


def index_page(templates: Templates, entries: Iterable[Entry]) -> str:
    """The page that links all others: teams by month, newest first, and people by name."""
    entries = list(entries)
    of_teams = [one for one in entries if one.is_team]
    teams = sorted({one.group for one in of_teams}, key=lambda name: (name != EVERYONE, name))
    by_place = {(one.period, one.group): one for one in of_teams}
    months = [
        IndexedMonth(_title(period), tuple(by_place.get((period, team)) for team in teams))
        for period in sorted({one.period for one in of_teams}, reverse=True)
    ]
    people = sorted((one for one in entries if not one.is_team), key=lambda one: (one.group.casefold(), one.path))
    body = templates.render("html/index.j2", teams=teams, months=months, people=people)
    return templates.page("Almanac", body) + "\n"


def links_of(page: ExportedPage, pages: Sequence[ExportedPage]) -> list[PageLink]:
    """From a page to the index, and from a team's month to those beside it."""
    up = "../" * page.entry.path.count("/")
    links = [PageLink(f"{up}{INDEX}", "All months and people")]
    if page.entry.is_team:
        row = [one for one in pages if one.entry.is_team and one.entry.group == page.entry.group]
        at = row.index(page)
        for beside, sign in ((row[at + 1 : at + 2], "← {}"), (row[at - 1 : at] if at else [], "{} →")):
            links += [PageLink(f"{up}{one.entry.path}", sign.format(one.entry.label)) for one in beside]
    return links


def slug(name: str, taken: set[str]) -> str:
    """What a file of a name is called, as none of those taken, which this one joins."""
    letters = "".join(letter if letter.isalnum() else "-" for letter in name.casefold())
    plain = letters[:LONGEST_NAME].strip("-") or "nobody"
    found, number = plain, 1
    while found in taken:
        number += 1
        found = f"{plain}-{number}"
    taken.add(found)
    return found


def _title(period: str) -> str:
    return capital(parse_any_period(period).title)


def _label(months: Sequence[MonthDocument]) -> str:
    newest, oldest = _title(months[0].month), _title(months[-1].month)
    return newest if newest == oldest else f"{oldest} to {newest}"
