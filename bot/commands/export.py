"""`almanac export`: months as files, or one after the other.

As HTML there is a page for each person, one for each team and month, and one that links them; as Markdown or JSON a
folder for each person with a file for each month; as CSV a row for each change.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from bot.ask.queries import EVERY, Queries
from bot.commands.house import House, in_form, title_of
from bot.commands.periods import span_meant
from bot.errors import AlmanacError
from bot.model import Person
from bot.month.calendar import Days, Span, parse_any_period
from bot.story.documents import DigestDocument, MonthDocument
from bot.story.render import PageLink, Templates
from bot.wording import capital, clean, count

ENDINGS = {"markdown": "md", "json": "json"}
COLUMNS = (
    "person", "month", "zone", "change", "kind", "state", "repository", "subject", "commits", "author_date", "refs",
    "backed_out_by", "backed_out_in", "relanded_in",
)  # fmt: skip
INDEX = "index.html"
EVERYONE = "everyone"
LONGEST_NAME = 50  # letters, of up to four bytes: a file system takes a name of 255


def export(house: House, people: Sequence[str], when: str, into: Path | None) -> str:
    """What goes to standard output. With `into`, and pages always, files are written there, and what was written is
    said beside it. Raises AlmanacError where they cannot be."""
    queries, form = house.queries, house.form
    months = span_meant(when, house.settings, queries.zone)
    found = [queries.person(name, months) for name in people]
    found = found or sorted(queries.activity.most(months), key=lambda person: (person.name, person.addresses))
    every = _documents(queries, found, months, house.repositories)
    if form == "html":
        into = into or Path("almanac-pages")
        pages = Pages(queries, Templates(house.settings.templates))
        made = [pages.of_person(some, f"people/{folder}.html") for folder, some in every if some]
        files = pages.files([*made, *([] if people else pages.of_teams(months, house.repositories))])
        said = f"{count(len(files) - 1, 'page')} in {into / INDEX}"
    else:
        by_folder = [(folder, some[::-1]) for folder, some in every]
        documents = [document for _, some in by_folder for document in some]

        def shown(some: Sequence[MonthDocument], *, as_list: bool = False) -> str:
            return in_form(house.settings, some, form, queries.pages(), as_list=as_list)

        if into is None:
            return _table(documents) if form == "csv" else shown(documents, as_list=True)
        if form == "csv":
            files, said = {"changes.csv": _table(documents)}, f"{into / 'changes.csv'} written"
        else:
            files = {
                f"{folder}/{one.month}.{ENDINGS[form]}": shown([one]) + "\n"
                for folder, some in by_folder
                for one in some
            }
            said = f"{count(len(documents), 'file')} written into {into}"
    for path, text in files.items():
        write(into / path, text)
    click.echo(said, err=True)
    return ""


def write(path: Path, text: str) -> None:
    """The whole file or none of it; one that holds that already stays as it is. Raises AlmanacError."""
    whole = text.encode()
    try:
        if path.is_file() and path.read_bytes() == whole:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_name(f".{path.name}.{os.getpid()}")
        half.write_bytes(whole)
        half.replace(path)
    except OSError as error:
        raise AlmanacError(f"{path} cannot be written ({error.strerror}): name another folder") from error


def _documents(
    queries: Queries, people: Sequence[Person], months: Span, repositories: Sequence[str]
) -> Iterator[tuple[str, list[MonthDocument]]]:
    """The months of each person in which there is something, newest first, with the name of the person's files."""
    taken = set[str]()
    for person in people:
        every = queries.month(person, months, most=EVERY, repositories=repositories)
        yield slug(person.name, taken), [one for one in every if one.counts["commits"] or one.written_before]


def _table(documents: Sequence[MonthDocument]) -> str:
    """A row for each change."""
    rows: list[Sequence[str]] = [COLUMNS]
    for document in documents:
        for change in document.changes:
            commits = change.commits
            rows.append((
                document.person.name, document.month, document.zone, change.id, change.kind,
                change.state, commits[0].repository, change.subject,
                " ".join(one.sha for one in commits), commits[0].author_date, " ".join(change.refs),
                change.by or "", change.reverted_in or "", change.relanded_in or "",
            ))  # fmt: skip
    return table(rows)


# What a spreadsheet may take for the beginning of a formula, where it may take a cell to begin: wide signs count in
# some languages, blanks and quotation marks before it are skipped. Between commas and tabs no cell can begin: the
# quotation marks around each cell hold the former, and none of the latter is written. To whoever splits at another
# sign those marks are part of the text and hold nothing, and one right behind that sign would open a cell that goes on
# into the next row. See https://owasp.org/www-community/attacks/CSV_Injection
_BEGINS = re.compile(r"""(?:^|(?<=[;|]))[\s"]*(?=[=+\-@＝＋－＠])|(?<=[;|])[\s"]*$""")


def table(rows: Iterable[Sequence[str]]) -> str:
    """The rows, separated by commas, every cell in quotation marks and in one line. An apostrophe stands before what
    may be taken for a formula, which makes it text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([_inert(clean(cell)) for cell in row] for row in rows)
    return text.getvalue()


def _inert(cell: str) -> str:
    return _BEGINS.sub(lambda before: f"{before[0]}'", cell)


# --- pages


@dataclass(frozen=True, slots=True)
class ExportedPage:
    """A page, and what the index says of it, from which its `path` is seen. `group` is the person or the team, `period`
    the newest month as "2025-10", `label` the months in words, and `said` how many changes there are."""

    path: str
    is_team: bool
    group: str
    period: str
    label: str
    said: str
    title: str
    body: str


@dataclass(frozen=True)
class Pages:
    """The pages of one export."""

    queries: Queries
    templates: Templates

    def of_person(self, months: Sequence[MonthDocument], path: str) -> ExportedPage:
        """The page of somebody's months, which are newest first."""
        name, changes, label = months[0].person.name, sum(one.counts["changes"] for one in months), _label(months)
        if len(months) == 1:
            title, body = title_of(months[0]), self._body(months[0])
        else:
            title, articles = f"{name}, {label}", [(one.month, self._body(one, level=2)) for one in months]
            body = self.templates.render(
                "html/person.j2", name=name, months=months[::-1], articles=articles, changes=changes
            )
        return ExportedPage(path, False, name, months[0].month, label, f"{changes:,}", title, body)

    def of_teams(self, span: Span, repositories: Sequence[str]) -> Iterator[ExportedPage]:
        """A page for each month of everyone's and of each team's in which there are changes, newest first."""
        taken = set[str]()
        for team in (None, *self.queries.teams()):
            folder = slug(team or EVERYONE, taken)
            for period in [span] if isinstance(span, Days) else list(span)[::-1]:
                document = self.queries.digest(period, team, repositories)
                if document.counts["people"]:
                    month, said = document.month, f"{document.counts['changes']:,}"
                    path, title, body = f"teams/{folder}/{month}.html", title_of(document), self._body(document)
                    yield ExportedPage(path, True, team or EVERYONE, month, _title(month), said, title, body)

    def _body(self, document: MonthDocument | DigestDocument, level: int = 1) -> str:
        return self.templates.month("html", document, self.queries.pages(), level=level)

    def files(self, pages: Sequence[ExportedPage]) -> dict[str, str]:
        """What each file holds, by its path: the pages, and the index of them."""
        whole: dict[str, str] = {}
        for one in pages:
            links = [PageLink(f"{'../' * one.path.count('/')}{INDEX}", "All months and people")]
            whole[one.path] = self.templates.page(one.title, one.body, links) + "\n"
        return {**whole, INDEX: index_page(self.templates, pages)}


def index_page(templates: Templates, pages: Sequence[ExportedPage]) -> str:
    """The page that links all others: teams by month, newest first, with None for one that has none; people by name."""
    of_teams = [one for one in pages if one.is_team]
    teams = sorted({one.group for one in of_teams}, key=lambda name: (name != EVERYONE, name))
    by_place = {(one.period, one.group): one for one in of_teams}
    months = [
        {"label": _title(period), "pages": [by_place.get((period, team)) for team in teams]}
        for period in sorted({one.period for one in of_teams}, reverse=True)
    ]
    people = sorted((one for one in pages if not one.is_team), key=lambda one: (one.group.casefold(), one.path))
    body = templates.render("html/index.j2", teams=teams, months=months, people=people)
    return templates.page("Almanac", body) + "\n"


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
