"""A change → what it is compared by. Pure."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.model import Change, Commit, Kind
from bot.month.anycase import AnyCase
from bot.month.titles import numbers_of, tags_of
from bot.story.grouping.theme_words import GENERIC_TAGS, folders_above, stem, words_of
from bot.story.words.remembered import remembered

READ, READ_BODY = 2_000, 20_000  # signs of a subject and of a body
PROSE = 1_500  # signs of a body whose words are compared
COMMITS = 8  # of a change, whose bodies are read
PATHS = 40  # of a change that are looked at
LONGEST = 300  # signs of a path
NAMES = 64  # others that a message may name
HELD_LINES = 400  # of one file that count: generated ones have thousands
_SIDES: dict[Kind, str] = {"test": "test", "docs": "docs", "ci": "build", "build": "build"}


@dataclass(frozen=True, slots=True)
class Traits:
    """What is compared of a change."""

    seconds: int
    repository: str
    paths: Mapping[str, float]
    words: Mapping[str, float]
    tags: frozenset[str]
    own: frozenset[str]  # its pull requests, diffs and SHAs
    named: frozenset[str]  # those of others that it names
    issues: frozenset[str]
    stacks: frozenset[str]  # the pull requests that are said to be one stack
    diff: int  # its number in Phabricator, or 0
    is_pull: bool  # a pull request or a diff of its own, squashed
    sort: str  # only one sort stands together
    side: str
    is_fix: bool
    lines: int  # changed by its lead, of one file not more than count
    files_changed: int  # by its lead
    is_trivial: bool  # by its subject
    is_measured: bool  # as its body says

    @property
    def topic(self) -> frozenset[str]:
        """The stems of its subject's words."""
        return frozenset(word for word, weight in self.words.items() if weight >= 1 and word[0] != "[")

    @property
    def files(self) -> frozenset[str]:
        return frozenset(path for path, weight in self.paths.items() if weight == 1)


_DIGIT = re.compile(r"\d")
_ISSUE = re.compile(r"#(\d{1,7})\b")
_DIFF = re.compile(r"\bD(\d{5,12})\b")
_REVISION = re.compile(r"Differential Revision:\s*\[?(?:https?://\S{0,80}/)?D(\d{5,12})")
_RESOLVED = re.compile(r"Pull Request resolved:\s*https?://github\.com/[\w.-]+/[\w.-]+/pull/(\d+)")
_SHA = re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,40}\b")
_STACKED = re.compile(
    r"^[ \t]*[*-] (?:__->__ )?(?:https?://github\.com/\S{1,80}/(?:issues|pull)/|#)(\d+)", re.MULTILINE
)
_SCOPE = re.compile(r"^[a-z]+\(([\w ./,-]{2,40})\)!?:\s")
_LABEL = re.compile(r"^([\w./+-]{1,40}(?: [\w./+-]{1,40}){0,2}): ")
_SERIES = re.compile(r"^(\S{2,40} [^:\n]{2,50}?) - \S")
_TAG = re.compile(r"\[([^\]]{1,60})\]")
_OF_A_RELEASE = re.compile(
    r"(?i)\W*(?:(?:bump|update|set|change) (?:the )?(?:dev(?:elopment)? |package |release )?version"
    r"(?:\W*$|\W+v?\d|\s+(?:numbers?|to|from|after|before|in|for (?:the )?release)\b)"
    r"|v?\d+\.\d+(?:\.\d+)*(?:(?:[ab]|rc)\d*)?\W*$|(?:update|add) (?:the )?(?:change ?log|release notes)\b)"
)
_TRIVIAL = AnyCase(
    r"\b(?:typos?|reformat(?:ted|ting)?|formatting|clang-format|lint(?:s|ing)?|nits?|wip"
    r"|address (?:comments|review)|copyrights?|(?:run|with|apply) black|ufmt|pyre|ruff|licen[cs]e headers?|codemod"
    r"|spelling|white ?space|minor)\b"
)
_MEASURED = re.compile(
    r"\d ?%|\d ?x (?:faster|speed|less|fewer|smaller)"
    r"|\d(?:\.\d+)? ?(?:us|ms|s|sec|TFLOPS|[GM]B/s|QPS)\b.{0,40}(?:->|→|\bto\b)"
)
_EXPORTED = re.compile(r"^(?:ghstack-source-id|fbshipit-source-id|__original_commit__)\b", re.MULTILINE)
_TRAILER = re.compile(
    r"\n(?:Test Plan:|Reviewed By:|Reviewed-by:|Differential Revision:|ghstack-source-id:|__original_commit__"
    r"|Stack from |stack-info:|Signed-off-by:|Co-authored-by:|X-link:)"
)


def traits_of(change: Change) -> Traits:
    """What is compared of a change: of its lead mostly, of its other commits the paths and the numbers."""
    lead = change.lead
    subject, numbers = numbers_of(lead.subject[:READ])
    bodies = [commit.body[:READ_BODY] for commit in change.commits[:COMMITS]]
    said = "\n".join(bodies)
    diffs = _REVISION.findall(bodies[0]) if "Differential Revision:" in bodies[0] else []
    own = {f"#{number.rpartition('#')[2]}" for number in (*numbers, *change.refs)}
    if "Pull Request resolved:" in said:
        own |= {f"#{number}" for body in bodies for number in _RESOLVED.findall(body)}
    if "Differential Revision:" in said:
        own |= {f"D{number}" for body in bodies for number in _REVISION.findall(body)}
    stacks = _stack_of(bodies[0])
    named = _named(subject, said) - own - stacks
    paths = _path_parts(change.commits)
    tags = _tags_of(subject)
    return Traits(
        seconds=lead.author.seconds,
        repository=lead.repository,
        paths=paths,
        words=_words(subject, bodies[0], tags, paths),
        tags=tags,
        own=frozenset(own | {commit.sha for commit in change.commits}),
        named=named,
        issues=frozenset(one for one in named if one[0] == "#"),
        stacks=frozenset(stacks),
        diff=int(diffs[-1]) if diffs else 0,
        is_pull=bool(numbers or diffs or _EXPORTED.search(bodies[0])),
        sort=_sort(change, subject),
        side=_SIDES.get(change.kind, ""),
        is_fix=change.kind == "fix",
        lines=sum(min((file.additions or 0) + (file.deletions or 0), HELD_LINES) for file in lead.files),
        files_changed=len(lead.files),
        is_trivial=_TRIVIAL.search(lead.subject[:200]) is not None,
        is_measured=_MEASURED.search(bodies[0]) is not None,
    )


class TraitsOnce:
    """Reads the traits of each change once, however often it is compared: in a person's month, and in the team's."""

    def __init__(self) -> None:
        self._read: dict[int, tuple[Change, Traits]] = {}  # a change is kept, so that no other one gets its number

    def __call__(self, change: Change) -> Traits:
        found = self._read.get(id(change))
        if found is None:
            found = self._read[id(change)] = change, traits_of(change)
        return found[1]


@remembered
def _named(subject: str, said: str) -> frozenset[str]:
    """The issues, diffs and commits that a message names."""
    message = f"{subject}\n{said}"
    found = {f"#{number}" for number in _ISSUE.findall(message)[:NAMES]} if "#" in message else set[str]()
    if _DIGIT.search(message):
        found |= {f"D{number}" for number in _DIFF.findall(message)[:NAMES]}
        found |= set(_SHA.findall(message)[:NAMES])
    return frozenset(found)


def _sort(change: Change, subject: str) -> str:
    if change.kind == "revert":
        return "revert"
    if change.state == "backed_out":
        return "backed out"
    if change.kind == "release" or _OF_A_RELEASE.match(subject):
        return "release"
    return ""


def _stack_of(body: str) -> set[str]:
    at = body.find("Stack from")
    at = body.find("stack-info:") if at < 0 else at
    if at < 0:
        return set()
    end = body.find("\n\n", at)
    return {f"#{number}" for number in _STACKED.findall(body[at : end if end > 0 else at + 4_000])[:NAMES]}


def _tags_of(subject: str) -> frozenset[str]:
    """The tags before a subject, the scope of its prefix, or the component or series that it begins with, in small
    letters."""
    tags, rest = tags_of(subject)
    found = {" ".join(tag.lower().split()) for tag in _TAG.findall(tags)}
    if scope := _SCOPE.match(rest):
        found |= {part.strip().lower() for part in scope[1].split(",")}
    elif label := _LABEL.match(rest) or _SERIES.match(rest):
        found.add(label[1].lower())
    return frozenset(tag for tag in found if tag not in GENERIC_TAGS and not tag.replace("/", "").isdigit())


def _words(subject: str, body: str, tags: Iterable[str], paths: Iterable[str]) -> dict[str, float]:
    """The stems of a message's words: those of the body weakly, tags strongly, and so what is called as its files."""
    found = dict.fromkeys(_prose_words(body), 0.3)
    said = list(words_of(tags_of(subject)[1]))
    places = _named_among(said, paths)
    found |= {word: 1.25 if word in places else 1.0 for word in said}
    return found | {f"[{tag}]": 1.3 for tag in tags}


@remembered
def _prose_words(body: str) -> tuple[str, ...]:
    """The stems of a body's words, each once, before its trailers."""
    trailer = _TRAILER.search(body)
    return tuple(dict.fromkeys(words_of(body[: min(trailer.start() if trailer else PROSE, PROSE)])))


def _named_among(said: Iterable[str], paths: Iterable[str]) -> Container[str]:
    """The stems of the words by which files and folders are called, where any of what is said can be among them."""
    names = "\n".join([path.rpartition("/")[2] or path for path in paths])
    small = names.lower()
    if small.isascii() and not any(word in small for word in said):
        return ()
    return set(words_of(names))


def _path_parts(commits: Sequence[Commit]) -> dict[str, float]:
    """The files with the folders above them, which weigh half, and the stem that a test and its source share."""
    found: dict[str, float] = {}
    paths = dict.fromkeys(file.path[:LONGEST] for commit in commits for file in commit.files[:PATHS])
    for path in list(paths)[:PATHS]:
        found[path] = 1.0
        folder, _, name = path.rpartition("/")
        if (plain := stem(name)) and len(plain) > 3:
            found[f"*{plain}"] = 0.7
        for above in folders_above(folder):
            if above in found:
                break
            found[above] = 0.5
    return found
