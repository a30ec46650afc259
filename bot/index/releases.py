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
from bot.month.message import PICKED, core_of, heading, heading_of, meaning_of, plain_title
from bot.month.releases import is_change_log

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
    """The commits that tags have and the branch of a tip has not, and that are copies of one, the newest of them.
    Raises GitFailed, also where it takes too long."""
    title = heading_of(commit).title
    wanted = [commit.sha, *([title[:LONGEST]] if title.count(" ") >= FEWEST else [])]
    grep = (f"--grep={one}" for one in wanted)
    looked = ["--fixed-strings", "--regexp-ignore-case", *grep, "--max-count=50"]
    rows = _rows(git, "--tags", f"^{tip}", *looked)
    own, likely = _marks_of(commit), _likely(commit)
    found = {sha for sha, marks in rows if not own.isdisjoint(marks)}
    alike = [sha for sha, marks in rows if sha not in found and not likely.isdisjoint(marks)]
    # Under a title that recurs on the branch, as of bumps, nothing says which is copied.
    if alike and sum(not likely.isdisjoint(marks) for _, marks in _rows(git, tip, *looked)) < 2:
        found |= {sha for sha in alike if _touches_same(git, commit, sha)}
    return [sha for sha, _ in rows if sha in found][:MOST_COPIES]


def copied_to(git: GitAt, commits: Sequence[Commit], sha: str, other: str) -> set[str]:
    """The SHAs of those of some commits of which another commit's history has a copy that the history of `sha` has not:
    it is a release's, with what was picked to its branch. Raises GitFailed, also where it takes too long."""
    known = set[_Mark]().union(*(marks for _, marks in _rows(git, f"{sha}..{other}", f"--max-count={MOST_PICKED}")))
    return {one.sha for one in commits if not known.isdisjoint(_marks_of(one))} if known else set()


def lacked(git: GitAt, commits: Sequence[Commit], releases: Sequence[str]) -> set[str]:
    """The SHAs of those of some commits that none of some releases has, nor anything that may be a copy of it. Raises
    GitFailed, also where it takes too long, or a release is not here."""
    printed = git.text("rev-list", *(one.sha for one in commits), "--not", *releases, "--", seconds=SECONDS)
    beside = set(printed.split())
    lacking = [one for one in commits if one.sha in beside]
    if not lacking:
        return set()
    since = max(0, min(one.author.seconds for one in lacking))  # copies are younger
    rows = _rows(git, *releases, f"--since=@{since}", f"--max-count={MOST_PICKED}")
    known = set[_Mark]().union(*(marks for _, marks in rows))
    return {one.sha for one in lacking if known.isdisjoint(_marks_of(one) | _likely(one))}


# What a copy has in common with its original: digits of the SHA from which it says that it was picked, or the title
# together with the second of writing or the number of a pull request. The author and the title make it likely.
_Mark = str | tuple[str, str]


def _rows(git: GitAt, *which: str) -> list[tuple[str, set[_Mark]]]:
    """The SHA of each commit, newest first, with what it may have in common with an original."""
    form = "--format=%H%x01%at%x01%an%x01%ae%x01%s%x01%B"
    printed = git.text("log", "-z", "--no-merges", form, *which, "--", seconds=SECONDS)
    found = []
    for row in (one.split("\x01", 5) for one in printed.split("\0") if one.count("\x01") > 4):
        sha, seconds, name, address, subject, message = row
        marks: set[_Mark] = {digits.lower() for digits in PICKED.findall(message)}
        if not meaning_of(subject).does:
            work = _work(heading(_BRANCH.sub("", subject)).title)
            marks |= {(work, one) for one in (seconds, name, address, *_NUMBERS.findall(message))}
        found.append((sha, marks))
    return found


def _marks_of(commit: Commit) -> set[_Mark]:
    marks: set[_Mark] = {commit.sha[:length] for length in range(SHORTEST, len(commit.sha) + 1)}
    _, title, numbers = heading_of(commit)
    if title.count(" ") >= FEWEST:
        marks |= {(_work(title), one) for one in (str(commit.author.seconds), *numbers[-1:])}
    return marks


def _likely(commit: Commit) -> set[_Mark]:
    title = heading_of(commit).title
    return {(_work(title), one) for one in commit.author.who} if title.count(" ") >= FEWEST else set()


def _touches_same(git: GitAt, commit: Commit, sha: str) -> bool:
    """Whether another commit has half of the files, at least."""
    listed = git.text("diff-tree", "--no-commit-id", "--name-only", "-r", "-z", sha, seconds=SECONDS)
    paths, theirs = {one.path for one in commit.files}, set(listed.split("\0")) - {""}
    return 2 * len(paths & theirs) >= max(len(paths), len(theirs))


def _work(title: str) -> str:
    return core_of(plain_title(title))[1]
