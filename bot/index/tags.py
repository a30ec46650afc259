"""The tags of a repository, as git lists them."""

from __future__ import annotations

from collections.abc import Iterator

from bot.index.git import GitAt
from storage.repositories import TagRow

TAGS = "refs/tags/"
LONGEST = 200  # characters of a name; nobody asks for a release by a longer one


def tag_objects(git: GitAt) -> dict[str, str]:
    """What each tag stands for, by its name: no object is read for it. Names that nobody can write are left out.

    Raises GitFailed.
    """
    rows = listed(git, "%(refname)%00%(objectname)", TAGS)
    return {name: sha for ref, sha in rows if is_writable(name := ref.removeprefix(TAGS))}


def read_tags(git: GitAt) -> list[TagRow]:
    """The same tags with the commits that they name, and when they were made. Raises GitFailed, also where one of them
    names what is not there."""
    form = "%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(creatordate:unix)"
    found = []
    for ref, kind, sha, peeled_kind, peeled, seconds in listed(git, form, TAGS):
        name = ref.removeprefix(TAGS)
        if is_writable(name):
            commit = sha if kind == "commit" else peeled if peeled_kind == "commit" else None
            found.append(TagRow(name, sha, commit, _seconds(seconds)))
    return found


def is_writable(name: str) -> bool:
    """Whether a name can be shown and typed: of no excessive length, in UTF-8, without control characters."""
    return len(name) <= LONGEST and name.isprintable()


def listed(git: GitAt, form: str, *wanted: str) -> Iterator[list[str]]:
    """The fields of each reference, which stand with %00 between them in a form. Raises GitFailed."""
    lines = git.text("for-each-ref", f"--format={form}", *wanted).split("\n")
    return (line.split("\0") for line in lines if line)


def _seconds(text: str) -> int:
    """Unix time, as far as the database takes it; 0 where there is none."""
    try:
        return min(max(int(text), 0), 2**63 - 1)
    except ValueError:
        return 0
