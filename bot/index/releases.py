"""What a release holds: which commits are reachable from where, as git knows it of a mirror or of a repository here.

The index itself holds the default branch alone, and releases are often made on branches of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice

from bot.index.git import BLOCK, LARGEST, TAGS, GitAt
from bot.index.gitlog import OPTIONS, LogParser
from bot.model import Commit
from bot.month.changelog import is_change_log
from bot.month.message import PICKED, core_of, heading, heading_of, meaning_of, plain_title

MOST_COPIES = 4
MOST_PICKED = 5000  # commits of a release's branch that are looked at, the newest
SHORTEST = 7  # digits of a SHA
LONGEST = 40  # characters of a title that are looked for, which may be of several lines
# "[release-3.7.x]", "(backport 2.1)": what a title says of the branch that something was picked to.
_BRANCH = re.compile(r"\s*[\[(](?:backport|release|stable|branch)[^\])]*[\])](?=\s*(?:\(#\d+\))?$)", re.IGNORECASE)
_NUMBERS = re.compile(r"[#!]\d+")
FEWEST = 2  # blanks in a title that is not two people's by chance
SECONDS = 10.0  # an answer's patience with one look into a long history


def tags_with(git: GitAt, sha: str) -> set[str]:
    """The tags that hold a commit. Raises GitFailed, also where it takes too long."""
    # Which remembers for all tags what it has walked; `for-each-ref` walks for each.
    names = git.text("tag", "--list", "--format=%(refname)", f"--contains={sha}", seconds=SECONDS).split("\n")
    return {name.removeprefix(TAGS) for name in names if name}


def taggers(git: GitAt) -> dict[str, tuple[str, str]]:
    """The name and the address of who made each tag that says so, by its name. Raises GitFailed, as above."""
    form = "--format=%(refname)%01%(taggername)%01%(taggeremail:trim)"
    rows = (line.split("\x01") for line in git.text("for-each-ref", form, TAGS, seconds=SECONDS).split("\n"))
    return {row[0].removeprefix(TAGS): (row[1], row[2]) for row in rows if len(row) == 3 and row[1]}


def commits_between(git: GitAt, sha: str, before: str | None, most: int) -> list[str]:
    """The commits that are reachable from one and not from another, the newest of them. Raises GitFailed, also where it
    takes too long."""
    but = [f"^{before}"] if before else []
    return git.text("rev-list", f"--max-count={most}", sha, *but, "--", seconds=SECONDS).split()


def commits_of(git: GitAt, repository: str, shas: Sequence[str]) -> list[Commit]:
    """Some commits as git has them, with their files. Raises GitFailed, also where it takes too long."""
    if not shas:
        return []
    arguments = ["log", *OPTIONS, "--no-ext-diff", "--no-textconv", "--no-walk=unsorted", *shas, "--"]
    with closing(git.blocks(arguments, seconds=SECONDS)) as blocks:
        return list(LogParser(repository).commits(blocks))


def change_logs(git: GitAt, sha: str, folders: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The paths and the texts of the change logs that a commit has in some folders, "" for the root. Of a file that is
    too large only the beginning is given. Raises GitFailed, also where it takes too long, or contents are not here."""
    for folder in folders:
        where = [f"{folder}/"] if folder else []
        listed = git.text("ls-tree", "-z", "--name-only", sha, "--", *where, seconds=SECONDS).split("\0")
        for path in (one for one in listed if is_change_log(one.rpartition("/")[2])):
            with closing(git.blocks(["cat-file", "blob", f"{sha}:{path}"], seconds=SECONDS)) as blocks:
                yield path, b"".join(islice(blocks, LARGEST // BLOCK)).decode(errors="replace")


def copies_beside(git: GitAt, commit: Commit, tip: str) -> list[str]:
    """The commits that tags have and the branch of a tip has not, and that are copies of one, the newest of them: they
    say that they were picked from it, or have its title, and its number, its second, or its author and half its files.

    Raises GitFailed, also where it takes too long."""
    title = heading_of(commit).title
    wanted = [commit.sha, *([title[:LONGEST]] if title.count(" ") >= FEWEST else [])]
    grep = (f"--grep={one}" for one in wanted)
    rows = _rows(git, "--tags", f"^{tip}", "--fixed-strings", "--regexp-ignore-case", *grep, "--max-count=50")
    found = (row[0] for row in rows if _picks(row).intersection(_beginnings(commit)) or _is_copy(git, commit, row))
    return list(islice(found, MOST_COPIES))


def copied_to(git: GitAt, commits: Sequence[Commit], sha: str, other: str) -> set[str]:
    """The SHAs of those of some commits of which another commit's history has a copy that the history of `sha` has not:
    it is a release's, with what was picked to its branch, as it says, or with one title and one number or second.
    Raises GitFailed, also where it takes too long."""
    picks, known = set[str](), set[tuple[str, str]]()
    for row in _rows(git, f"{sha}..{other}", f"--max-count={MOST_PICKED}"):
        picks |= _picks(row)
        work = _work(heading(_BRANCH.sub("", row[4])).title) if not meaning_of(row[4]).does else ""
        known |= {(work, mark) for mark in _marks(row)} if work else set()
    found = set[str]()
    for commit in commits if picks or known else ():
        title = heading_of(commit).title
        work, marks = _work(title), _marks_of(commit) if title.count(" ") >= FEWEST else ()
        if any((work, mark) in known for mark in marks) or not picks.isdisjoint(_beginnings(commit)):
            found.add(commit.sha)
    return found


_Row = tuple[str, str, str, str, str, str]  # SHA, the author's name, address and Unix time, subject, message


def _rows(git: GitAt, *which: str) -> list[_Row]:
    form = "--format=%H%x01%an%x01%ae%x01%at%x01%s%x01%B"
    printed = git.text("log", "-z", "--no-merges", form, *which, "--", seconds=SECONDS)
    rows = (one.split("\x01", 5) for one in printed.split("\0") if one)
    return [(row[0], row[1], row[2], row[3], row[4], row[5]) for row in rows if len(row) == 6]


def _picks(row: _Row) -> set[str]:
    """The beginnings of SHAs from which a message says that its commit was picked."""
    return {digits.lower() for digits in PICKED.findall(row[5])}


def _beginnings(commit: Commit) -> Iterator[str]:
    return (commit.sha[:length] for length in range(SHORTEST, len(commit.sha) + 1))


def _marks(row: _Row) -> set[str]:
    """What a copy of a commit has in common with it beside the title: the second, and the numbers of its message."""
    return {row[3], *_NUMBERS.findall(row[5])}


def _marks_of(commit: Commit) -> tuple[str, ...]:
    return (str(commit.author.seconds), *heading_of(commit).numbers[-1:])


def _work(title: str) -> str:
    return core_of(plain_title(title))[1]


def _is_copy(git: GitAt, commit: Commit, row: _Row) -> bool:
    sha, name, address, _, subject, message = row
    own, other = heading_of(commit), heading(_BRANCH.sub("", subject))
    if meaning_of(subject).does or _work(own.title) != _work(other.title):
        return False
    if not _marks(row).isdisjoint(_marks_of(commit)):
        return True
    who = {one.casefold() for one in commit.author.who}
    if {name.casefold(), address.casefold()}.isdisjoint(who) and not any(one in message.casefold() for one in who):
        return False
    listed = git.text("diff-tree", "--no-commit-id", "--name-only", "-r", "-z", sha, seconds=SECONDS)
    paths, theirs = {one.path for one in commit.files}, set(listed.split("\0")) - {""}
    return 2 * len(paths & theirs) >= max(len(paths), len(theirs))
