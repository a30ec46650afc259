"""Facts of a time → which files were changed in it, and which by several people, as a plain list in words. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from bot.model import Change
from bot.month.facts import MonthFacts, all_changes
from bot.month.languages import is_by_hand
from bot.story.lines import distinct_names
from bot.story.wording import clean, count, listed

MOST_PLACES = 10  # files, or folders, of a list
MOST_FOLDERS = 5  # below files
LONGEST_PATH = 120  # characters of a path, of which the end is shown
Place = tuple[str, str]  # a repository, and a path in it


def changed_files(spans: Sequence[MonthFacts], whose: str, at: str, *, folders: bool = False) -> str:
    """The files that some people changed, or their `folders`: those of most changes first, each with how many. Of many
    files of one change each the folders say more, and stand in their place."""
    changes = all_changes(spans)
    files, by_folder = _counted(changes, _files), _counted(changes, _folders)
    if not files:
        return f"{whose or 'Nobody'} changed no files{at}."
    who, having = whose or count(len(spans), "person", "people"), sum(bool(_files(one)) for one in changes)
    said = f"{who} changed {count(len(files), 'file')}{at}, in {count(having, 'change')}"
    if folders or (len(files) > MOST_PLACES and max(files.values()) == 1):
        return "\n".join([f"{said}. By folder:", *_lines(by_folder, "folder")])
    lines = _lines(files, "file")
    if len(files) > MOST_PLACES:
        lines.append(f"Most changed folders: {listed(_ranked(by_folder)[:MOST_FOLDERS])}.")
    return "\n".join([f"{said}:", *lines])


def files_in_common(spans: Sequence[MonthFacts], at: str) -> str:
    """The files that each of some people changed, those of most changes first; and how many each changed in all."""
    names = list(map(clean, distinct_names([one.person for one in spans])))
    theirs = [_counted(one.changes, _files) for one in spans]
    both = set.intersection(*map(set, theirs))
    each = listed([f"{name} {len(files):,}" for name, files in zip(names, theirs, strict=True)])
    if not both:
        return f"{listed(names)} changed none of the same files{at}: in all, {each}."
    total = Counter({place: sum(files[place] for files in theirs) for place in both})
    said = f"{listed(names)} changed {count(len(both), 'file')} in common{at}; in all, {each}:"
    return "\n".join([said, *_lines(total, "file")])


def _files(change: Change) -> set[Place]:
    """The files of a change that people write: none that is locked, generated, or copied from others."""
    return {(one.repository, file.path) for one in change.commits for file in one.files if is_by_hand(file.path)}


def _folders(change: Change) -> set[Place]:
    return {(name, f"{PurePosixPath(path).parent}/") for name, path in _files(change)}


def _counted(changes: Sequence[Change], places_of: Callable[[Change], set[Place]]) -> Counter[Place]:
    """In how many changes each place is."""
    return Counter(place for change in changes for place in places_of(change))


def _ranked(places: Counter[Place]) -> list[str]:
    """Those of most changes first, each with how many; and its repository where they are of several."""
    several = len({name for name, _ in places}) > 1
    return [
        f"{_called(path)}{f' in {clean(name)}' if several else ''} ({count(number, 'change')})"
        for (name, path), number in sorted(places.items(), key=lambda one: (-one[1], one[0]))
    ]


def _called(path: str) -> str:
    """A path as code, lest Slack takes what is between two of its underscores for stressed."""
    path = clean(path).replace("`", "'")
    if path == "./":
        return "the top folder"
    if len(path) > LONGEST_PATH:
        path = f"…{path[1 - LONGEST_PATH :]}"
    return f"`{path}`"


def _lines(places: Counter[Place], what: str) -> list[str]:
    rest = len(places) - MOST_PLACES
    shown = [f"- {one}" for one in _ranked(places)[:MOST_PLACES]]
    return [*shown, *([f"And {count(rest, f'other {what}')}."] if rest > 0 else [])]
