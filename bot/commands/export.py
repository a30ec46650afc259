"""`almanac export`: months as files, or one after the other.

As HTML there is a page for each person, one for each team and month, and one that links them; as Markdown or JSON a
folder for each person with a file for each month; as CSV a row for each change.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from bot.ask.queries import EVERY, Queries
from bot.commands.house import House, in_form, span_meant, title_of
from bot.errors import AlmanacError
from bot.month.calendar import AnyPeriod, Days, parse_any_period
from bot.story.documents import MonthDocument
from bot.story.render import Templates
from bot.wording import capital, clean, count

ENDINGS = {"markdown": "md", "json": "json"}
COLUMNS = (
    "person", "month", "zone", "change", "kind", "state", "repository", "subject", "commits", "author_date", "refs",
    "backed_out_by", "backed_out_in", "relanded_in",
)  # fmt: skip
INDEX = "index.html"
EVERYONE = "everyone"
LONGEST_NAME = 50  # letters, of up to four bytes: a file system takes a name of 255
Months = dict[str, list[MonthDocument]]  # newest first, by the name of their person's files


def export(house: House, people: Sequence[str], when: str, into: Path | None) -> str:
    """What goes to standard output. With `into`, and pages always, files are written there, and what was written is
    said beside it. Raises AlmanacError where they cannot be."""
    queries, form, settings = house.queries, house.form, house.settings
    span, web = span_meant(when, settings, queries.zone), queries.pages()
    months = _months(queries, people, span, house.repositories)
    documents = [one for some in months.values() for one in some[::-1]]
    if form == "html":
        pages = _pages(house, months, None if people else span)
        files, into = {one.path: one.text for one in pages}, into or Path("almanac-pages")
        said = f"{count(len(pages) - 1, 'page')} in {into / INDEX}"
    elif into is None:
        return _table(documents) if form == "csv" else in_form(settings, documents, form, web, as_list=True)
    else:
        files = {"changes.csv": _table(documents)} if form == "csv" else {}
        for name, some in months.items() if form != "csv" else ():
            files |= {f"{name}/{one.month}.{ENDINGS[form]}": in_form(settings, [one], form, web) + "\n" for one in some}
        said = f"{count(len(files), 'file')} written into {into}"
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


def _months(queries: Queries, names: Sequence[str], span: Days, repositories: Sequence[str]) -> Months:
    """The months in which there is something, of the people named or of all, by name."""
    found = [queries.person(name, span) for name in names]
    found = found or sorted(queries.activity.most(span), key=lambda person: (person.name, person.addresses))
    taken, months = set[str](), Months()
    for person in found:
        every = queries.month(person, span, most=EVERY, repositories=repositories)
        name = slug(person.name, taken)
        if some := [one for one in every if one.counts["commits"] or one.written_before]:
            months[name] = some
    return months


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
    writer.writerows([_BEGINS.sub(r"\g<0>'", clean(cell)) for cell in row] for row in rows)
    return text.getvalue()


# --- pages


@dataclass(frozen=True, slots=True)
class Page:
    """A file of an export; the index links it by its `label` below the heading of its `group`."""

    path: str
    group: str
    label: str
    text: str


def _pages(house: House, months: Months, teams: Days | None) -> list[Page]:
    """The page of each person, those of everyone and of each team for each period of `teams`, and the index."""
    templates, queries = Templates(house.settings.templates), house.queries
    web, pages = queries.pages(), list[Page]()

    def page(path: str, group: str, label: str, title: str, body: str) -> None:
        text = templates.page(title, body, f"{'../' * path.count('/')}{INDEX}")
        pages.append(Page(path, group, label, text + "\n"))

    taken = set[str]()
    periods: list[AnyPeriod] = list(teams.months or [teams]) if teams else []
    for team in (None, *queries.teams()) if teams else ():
        folder = slug(team or EVERYONE, taken)
        for period in reversed(periods):
            document = queries.digest(period, team, house.repositories)
            if document.counts["people"]:
                label = f"{_title(document.month)}: {count(document.counts['changes'], 'change')}"
                path, body = f"teams/{folder}/{document.month}.html", templates.month("html", document, web)
                page(path, capital(team or EVERYONE), label, title_of(document), body)
    for folder, some in months.items():
        newest, oldest = _title(some[0].month), _title(some[-1].month)
        name, label = some[0].person.name, newest if newest == oldest else f"{oldest} to {newest}"
        said = f"{count(sum(one.counts['changes'] for one in some), 'change')}, {label}"
        articles = [(one.month, templates.month("html", one, web, level=2)) for one in some]
        body = templates.render("html/person.j2", name=name, said=said, articles=articles)
        page(f"people/{folder}.html", "People", f"{name}: {said}", f"{name}, {label}", body)
    return [*pages, Page(INDEX, "", "", index_page(templates, pages))]


def index_page(templates: Templates, pages: Sequence[Page]) -> str:
    """The page that links all others, by their groups."""
    groups: dict[str, list[Page]] = {}
    for one in pages:
        groups.setdefault(one.group, []).append(one)
    return templates.page("Almanac", templates.render("html/index.j2", groups=groups)) + "\n"


def _title(period: str) -> str:
    return capital(parse_any_period(period).title)
