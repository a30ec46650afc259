"""`almanac export`: months as files, or one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.ask.queries import EVERY, Queries
from bot.commands.folder import Kept, digest_of, kept_in, remember, remove, write
from bot.commands.options import AnswerOptions
from bot.commands.pages import INDEX, ExportedPage, Pages, index_page, links_of, slug
from bot.commands.periods import span_meant
from bot.commands.questions import open_queries
from bot.commands.rendering import as_json, in_form
from bot.commands.spreadsheet import table
from bot.model import Person
from bot.month.calendar import Span
from bot.settings import Settings
from bot.story.documents import MonthDocument
from bot.story.render import Templates
from bot.story.wording import count, listed

ENDINGS = {"markdown": "md", "json": "json"}
MOST_NAMED = 5  # of the pages that are left or removed
COLUMNS = (
    "person", "month", "zone", "change", "kind", "state", "repository", "subject", "commits", "author_date", "refs",
    "backed_out_by", "backed_out_in", "relanded_in",
)  # fmt: skip


def export(
    settings: Settings,
    people: Sequence[str],
    when: str,
    into: Path | None,
    options: AnswerOptions,
    *,
    prune: bool = False,
) -> tuple[str, str]:
    """What goes to standard output, and what is said beside it. With `into`, files are written there: pages, a folder
    for each person with a file for each month, or changes.csv. With `prune`, pages of earlier exports that are not
    made any more are removed. Raises AlmanacError where files cannot be written."""
    queries, form, repositories = open_queries(settings, options.zone), options.form, options.repositories
    months = span_meant(when, settings.now(), queries.zone, settings.sprint)
    found = [queries.person(name, months) for name in people] or _active(queries, months)
    if form == "html":
        templates = Templates(settings.templates)
        pages = Pages(queries, templates, months, repositories)
        if into is None:
            made = pages.of_people(found) if people else pages.of_teams()
            title = made[0].title if len(made) == 1 else "Almanac"
            return templates.page(title, "\n".join(one.body for one in made)), ""
        made = pages.of_people(found)
        if not people:
            made += pages.of_teams()
        return "", _written(templates, made, into, prune=prune)
    by_folder = list(_documents(queries, found, months, repositories))
    documents = [document for _, one in by_folder for document in one]
    if form == "csv":
        if into is None:
            return _table(documents), ""
        write(into / "changes.csv", _table(documents))
        return "", f"{into / 'changes.csv'} written"
    if into is None:
        return as_json(documents) if form == "json" else in_form(settings, documents, form, queries.pages()), ""
    for folder, of_person in by_folder:
        for document in of_person:
            whole = as_json(document) if form == "json" else in_form(settings, [document], form, queries.pages())
            write(into / folder / f"{document.month}.{ENDINGS[form]}", whole + "\n")
    return "", f"{count(len(documents), 'file')} written into {into}"


def _written(templates: Templates, pages: Sequence[ExportedPage], into: Path, *, prune: bool) -> str:
    """Write pages, the index of them and of what earlier exports left, and say what was done."""
    before, changed = kept_in(into), 0
    kept: dict[str, Kept] = {}
    for page in pages:
        whole = page.whole(templates, links_of(page, pages))
        changed += write(into / page.entry.path, whole)
        kept[page.entry.path] = Kept(page.entry, digest_of(whole.encode()))
    old = [before[path] for path in sorted(before.keys() - kept.keys())]
    gone = [one for one in old if prune and remove(into, one)]
    left = {one.entry.path: one for one in old if one not in gone}
    write(into / INDEX, index_page(templates, [one.entry for one in (left | kept).values()]))
    remember(into, left | kept)
    said = [f"{count(len(pages), 'page')} in {into / INDEX}: {changed} written, {len(pages) - changed} as before"]
    if gone:
        said.append(f"removed, since they are not made any more: {_named(gone)}")
    if left and prune:
        said.append(f"left, since somebody changed them: {_named(list(left.values()))}")
    elif left:
        said.append(f"left from earlier exports: {_named(list(left.values()))}; --prune removes them")
    return "\n".join(said)


def _named(every: Sequence[Kept]) -> str:
    names = [one.entry.path for one in every[:MOST_NAMED]]
    return listed([*names, f"{len(every) - MOST_NAMED} more"] if len(every) > MOST_NAMED else names)


def _documents(
    queries: Queries, people: Sequence[Person], months: Span, repositories: Sequence[str]
) -> Iterator[tuple[str, list[MonthDocument]]]:
    """The months of each person, oldest first, with the name of the person's folder."""
    taken = set[str]()
    for person in people:
        every = queries.month(person, months, most=EVERY, repositories=repositories)
        documents = [one for one in every if one.counts["commits"] or one.written_before]
        yield slug(person.name, taken), documents[::-1]


def _active(queries: Queries, months: Span) -> list[Person]:
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
