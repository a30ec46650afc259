"""`almanac export`: months as files, or one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from bot.commands.periods import span_meant
from bot.commands.questions import open_queries
from bot.commands.rendering import as_json, in_form
from bot.commands.spreadsheet import table
from bot.errors import AlmanacError
from bot.model import Person
from bot.month.calendar import Span
from bot.settings import Settings
from bot.story.documents import MonthDocument
from bot.story.wording import count

if TYPE_CHECKING:
    from bot.ask.query_service import QueryService

ENDINGS = {"markdown": "md", "html": "html", "json": "json", "csv": "csv"}
LONGEST_FOLDER = 50  # letters, of up to four bytes: a file system takes a name of 255
COLUMNS = (
    "person", "month", "zone", "change", "kind", "state", "repository", "subject", "commits", "author_date", "refs",
    "backed_out_by", "backed_out_in", "relanded_in",
)  # fmt: skip


def export(
    settings: Settings,
    people: Sequence[str],
    when: str,
    form: str,
    into: Path | None,
    repositories: Sequence[str],
    zone: ZoneInfo | None,
) -> tuple[str, str]:
    """What goes to standard output, and what is said beside it. With `into`, files are written there: a folder for each
    person with a file for each month, or changes.csv. Raises AlmanacError where they cannot be."""
    queries = open_queries(settings, zone)
    months = span_meant(when, settings.now(), queries.zone, settings.sprint)
    told = list(_documents(queries, people, months, repositories))
    if into is None:
        documents = [document for _, one in told for document in one]
        if form == "csv":
            return _table(documents), ""
        return as_json(documents) if form == "json" else in_form(settings, documents, form, queries.pages()), ""
    written = 0
    if form == "csv":
        _write(into / "changes.csv", _table([document for _, one in told for document in one]))
        return "", f"{into / 'changes.csv'} written"
    for folder, documents in told:
        for document in documents:
            whole = as_json(document) if form == "json" else in_form(settings, [document], form, queries.pages())
            _write(into / folder / f"{document.month}.{ENDINGS[form]}", whole + "\n")
            written += 1
    return "", f"{count(written, 'file')} written into {into}"


def _documents(
    queries: QueryService, names: Sequence[str], months: Span, repositories: Sequence[str]
) -> Iterator[tuple[str, list[MonthDocument]]]:
    """The months of each person, oldest first, with the name of the person's folder."""
    people = [queries.person(name, months) for name in names] or _active(queries, months)
    taken = set[str]()
    for person in people:
        documents = [one for one in queries.months(person, months, repositories) if one.counts["commits"]]
        yield _folder(person.name, taken), documents[::-1]


def _folder(name: str, taken: set[str]) -> str:
    """A folder for a person that none of those taken has, which this one joins."""
    letters = "".join(letter if letter.isalnum() else "-" for letter in name.casefold())
    plain = letters[:LONGEST_FOLDER].strip("-") or "nobody"
    folder, number = plain, 1
    while folder in taken:
        number += 1
        folder = f"{plain}-{number}"
    taken.add(folder)
    return folder


def _active(queries: QueryService, months: Span) -> list[Person]:
    """Everybody with commits in the months, in order of name."""
    return sorted(queries.activity.most(months), key=lambda person: (person.name, person.addresses))


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


def _write(path: Path, text: str) -> None:
    """The whole file or none of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_name(f".{path.name}.{os.getpid()}")
        half.write_text(text, encoding="utf-8")
        half.replace(path)
    except OSError as error:
        raise AlmanacError(f"{path} cannot be written ({error.strerror}): name another folder") from error
