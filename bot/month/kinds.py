"""A commit → what kind of work it is, whether it is only counted, and by which rule; and of what sort posts tell a
change. Decided once, here, by closed lists over its title, its body and its paths: lists, months, posts and exports all
go by it. Pure.

Rules are tried in the order of one table until one fits. What a commit says outright and where its files are come
before what its words hint at. No rule counts lines, so that a month reads the same before and after its lines are
counted. How often each rule is right: docs/months.md. Patterns are held against text in small letters, which takes half
of the time that re.I does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from bot.model import Change, Commit, FileChange, Kind
from bot.month.message import FORK, NO_UNDO, UNDO, any_of, heading_of, meaning_of, references_of
from bot.month.paths import Place, is_upkeep, place_of, product_files, work_files
from bot.month.title import SORTS, Title, parts_of, unprefixed

Sort = Literal["act", "security", "fixed", "cleaning", "new", "out"]
MAX_SUBJECT, MAX_BODY = 400, 20_000  # characters that are read
MAX_FILES = 500  # that are looked at, from the first on
FEW, MANY = 3, 8  # files of source that a repair touches at most: without tests beside it, and with them
MUST, SHOULD = 800, 600  # how heavily a reader must act on what breaks or changes by itself, and on what goes
VERSIONS = "bumps and versions"
# What is only counted, by its kind; formatting, translations and benchmarks are of none of their own.
CHORES: Mapping[Kind, str] = {"test": "tests", "docs": "docs", "ci": "CI", "build": "build", "release": VERSIONS}
_KINDS: Mapping[str, Kind] = {chore: kind for kind, chore in CHORES.items()} | {VERSIONS: "build"}


class Decision(NamedTuple):
    """A commit's kind, the name of the rule that decided it, and as what it is only counted: "tests", "docs", "CI",
    "translations", "lint and formatting", "bumps and versions", "benchmarks", "build"; empty for work of the product.

    A rule is sure where at least 80 of 100 decisions agreed with the developers' own, or where the commit says outright
    what it is (a revert that its developers call a fix is one of the other 20, and a revert).
    """

    kind: Kind
    rule: str
    is_sure: bool = False
    chore: str = ""


# --- what developers say outright


def begins(verbs: str, *others: str) -> re.Pattern[str]:
    """To be matched: a text that begins with one of these verbs, in any form, or with one of these patterns."""
    return re.compile(rf"(?:{'|'.join([*map(_forms, verbs.split()), *others])})\b")


def _forms(verb: str) -> str:
    """A verb, given plainly, in all its regular forms, as a pattern."""
    if verb.endswith("e"):
        return f"{verb[:-1]}(?:e[sd]?|ing)"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}(?:y|ies|ied|ying)"
    last = f"{verb[-1]}?" if verb in ("drop", "skip", "split", "log", "set") else ""
    return f"{verb}(?:e?s|{last}ed|{last}ing)?"


# Prefixes and tags that say a kind; those of chores go before all that files and words say.
_LABELS: tuple[tuple[Kind, str, str], ...] = (
    ("docs", "docs", "docs doc documentation book readme changelog release-notes licenses license example examples"),
    ("chore", "benchmarks", "bench benches benchmark benchmarks"),
    ("test", "tests", "test tests testing testscripts testutil fuzz e2e"),
    ("ci", "CI", "ci workflows workflow"),
    ("refactor", "lint and formatting", "style"),
    ("chore", "lint and formatting", "lint lints format formatting"),
    ("build", VERSIONS, "deps dependencies chore(deps) deps-dev vendor"),
    ("chore", "translations", "translation translations i18n l10n"),
    ("feature", "", "feat feature"),
    ("performance", "", "perf performance"),
    ("refactor", "", "refactor refac cleanup"),
    ("build", "", "build"),
)
_LABELLED = {label: (kind, chore) for kind, chore, labels in _LABELS for label in labels.split()}
_SECURITY_LABELS = frozenset({"security", "sec"})
_TICKET = re.compile(r"[A-Z]-?\d{3,}|[A-Z]{2,10}-\d{3,}")  # MSC4140 is what somebody specified
_REVERT = re.compile(UNDO + NO_UNDO)
_NUMBER = r"v?\d+\.\d[\w.+-]*"
_RELEASE = begins(
    "",
    rf"(?:@?[\w/.-]+@|(?:release|version|tag|cut|publish)\w*:?\s+(?:the\s+|version\s+|@?[\w/.-]+[@ ])?)?{_NUMBER}"
    r"(?:\s+release)?(?=\s*(?:[\[(]|$))",
    rf"cut\s+{_NUMBER}|version packages$|prep(?:are|aring)?\b[^.]*?\b(?:release|{_NUMBER})",
    r"bump(?:s|ed|ing)? (?:for|after) (?:the )?(?:next )?(?:release|dev(?:elopment)?)",
    r"(?:bump|update|set|changed?|increment)\w*\s+(?:the\s+)?(?:(?:development|package|main|release)\s+)*versions?"
    r"(?=\s*(?:(?:to|from|and|number)\b|v?\d|[(\[#:-]|$))",
)
# A note of the changelog, as towncrier has them, is named after the kind that its author says the change is.
_NOTE = re.compile(r"(?:^|/)(?:changelog\.d|news(?:fragments?)?)/[^/]+?\.([a-z]+)(?:\.\d+)?(?:\.(?:md|rst|txt))?$")
_NOTED: Mapping[str, Kind] = {"feature": "feature", "bugfix": "fix", "bug": "fix", "doc": "docs", "docs": "docs"}
_CALLED_BREAK = re.compile(  # and not that it is none, or whether it is one
    r"(?:^|[.!:>\n]\W{0,4}|\b(?:as|since|because|so|but|and|calling) )"
    r"this (?:is |as )?a breaking change\b(?!\?| in )", re.I,
)  # fmt: skip
_NOTE_BREAKS = re.compile(  # or what breaks, as of reno too
    r"(?:^|/)(?:news\w*|changes?|changelog\.d|release[-_]?notes?)/.*\.(?:breaking|removal|deprecation|incompat\w*)\b",
    re.I,
)

# --- what is only counted, by its words

_TRANSLATED = re.compile(
    r"\.(?:po|pot|xlf|xliff|catkeys|ftl|arb|resx)$|"
    r"(?:^|/)(?:locales?|translations?|catalogs|i18n|l10n|lang|localization)/.*\.(?:json|ya?ml|properties|xml"
    r"|strings)$",
    re.I,
)
_VERSIONS = re.compile(
    r"(?:bump|set|prepare|increase|increment|release)\w*\b.{0,40}\bversions?\b.{0,30}\d|update module |squashed '"
    r"|(?:bump|release|prepare|start|begin)(?:s|ing)?\b.{0,20}\bv?\d+\.\d"
    r"|(?:\w+ ){0,2}dep(?:s|endenc\w+)? (?:update|upgrade|bump)|(?:update|upgrade|bump)\w* (?:\w+ ){0,3}dependenc"
)
_BUMPS = re.compile(
    r"(?:bump|upgrade|pin|update)\w*\b.{0,60}(?:\d+\.\d|\b(?:dependenc\w+|deps|versions?|lock ?files?|submodules?)\b)"
    r"|(?:bump|upgrade|pin)(?:s|ed|ing)? [\w@./-]+$"
)
_TESTS = re.compile(
    r"(?:add|enable|disable|skip|fix|resolve|update|extend|improve|refactor|rewrite|clean up|more|missing|move|"
    r"cover|remove)\w*\s+(?:[\w`/.-]+ ){0,5}(?:unit)?tests?(?: cases?| coverage| suite| fail\w*| flak\w*)?"
    r"(?:(?: (?:for|that|which|of|in|to|on|assert\w+|check\w*)\b|,).*)?$|.{0,60}\btests? fix(?:es)?$"
    r"|fix\w* (?:\S+ ){0,5}(?:unit)?tests?\b"
    r"|test(?:s|ing)? (?!support|mode|util|framework|infra|helper|harness|data|runner|case|suite)"
)
_DOCS = re.compile(
    r"(?:add|adjust|better|clarif|clean|correct|edit|enhance|expand|extend|fix|improve|missing|more|move|prepare|"
    r"remove|tweak|updat|write)\w*\b.{0,50}\b(?:(?:js|php|go|java)?docs?|documentation|man ?pages?|readme|typos?|"
    r"doc[ -]?(?:string|block)s?|[\w-]+\.md|changelogs?|changes entr(?:y|ies)|(?:release[ -]|changes? )notes?)"
    r"(?: comments?| links?| files?| formatting| entr(?:y|ies))?"
    r"(?:(?: (?:about|and|for|in|of|on|to|with)\b|[,:]).*)?$|typos?\b|(?:changelog|readme) fix"
    r"|(?:add(?:s|ed)?|(?:fix|correct|update)\w*) .{0,60}\bcomments?(?: (?:in|to) \S+\.\w+)?$"
    r"|document(?:s|ed|ing)? (?!\S*(?:highlight|symbol|link|format|colo))|(?:\w+ )?documentation\b(?! support)"
    r"|(?:add|fix|improve|update)\w* (?:an? |the |some )?(?:\S+ )?"
    r"(?:notes?|examples?|guides?|cross-references?) (?:about|for|in|of|on|to)\b"
    r"|clarif\w+ (?:that\b|(?!.*\b(?:errors?|messages?|output|logs?)\b))"
)
_BENCHMARKS = re.compile(r"add\w* (?:[\w`/.-]+ ){0,4}benchmarks?(?: (?:for|of|to|that|and|harness)\b.*)?$")
_LINTER = (
    r"(?:ameba|black|clang-(?:format|tidy)|clippy|eslint|flake8|gocritic|gofmt|golangci-lint|go ?vet|isort|mypy|"
    r"pre-commit|prettier|pylint|pyre|rubocop|ruff|rustfmt|staticcheck|usort)"
)
_A_LINTER = re.compile(rf"(?:.*/)?(?:{_LINTER}|.*lint.*)")  # in such a repository they are the work
_FORMATS = re.compile(
    r".{0,40}\b(?:(?:run|apply) .{0,30}(?:\bformat\w*|fmt\b)|reformat\w*|typos?|spelling|copyrights?|"
    r"(?:fix|remove|trim|clean\w*|trailing) .{0,30}whitespace|licen[sc]e headers?)\b|fix (?:formatting|indentation)$"
    r"|fix\w*\b.{0,40}\b(?:compil\w+|gcc|clang|build|deprecation) (?:warnings?|violations?)\b"
)
_LINTS = re.compile(
    rf"(?:cargo )?(?:fmt|{_LINTER})(?: [+&]|,|$| fix(?:es)?\b)|lint(?:s|ing|er)?\b(?!/)|(?:\S+ ){{0,4}}"
    r"(?:address|appease|apply|bump|enable|enforce|fix|format|m(?:ake|ore)|run|silence|update|upgrade)"
    rf"\w*\b.{{0,60}}\b(?:lint\w*|{_LINTER})\b(?!/)"
)

# --- work, by its words

_FAULT = (
    r"(?:crash|segfault|panic|deadlock|corrupt|(?:int)?overflow|leak)\w*(?! docs?\b)|hangs?|data loss|lost|losing|"
    r"nans?|(?<!-)races?|(?:wrong|incorrect) (?:result|answer|value|output)s?|infinite (?:loop|recursion)s?"
    r"|undefined (?:value|behaviou?r)s?|"
    r"use[- ]after[- ]free|out[- ]of[- ]bounds"
)
_GRAVE = re.compile(rf"\b(?:{_FAULT})\b")
# What a title names that is no such fault for sure, but mended where it makes, changes and moves nothing.
_NAMES_FAULT = re.compile(
    rf"\b(?:{_FAULT}|bugs?(?: in\b|$)|proper(?:ly)?|correctly|(?:incorrect|wrong)(?:ly)?|regression(?! (?:test|loss))|"
    r"should(?! have\b| be (?:const|static|final|private|public|nodiscard)\b)(?:n['’]t| not)?)\b"
)
_FIX = re.compile(r"\b(?<!pre)(?:bug ?)?fix(?:e[sd])?(?![ -](?:point|size|length|format))\b")
_REPAIRS = re.compile(
    r"(?:(?:bug|hot)?[ -]?fix|correct|repair|prevent|preserve|restore)(?:e?s|e?d|ing)?\b"
    r"(?![- ](?:point|size|width|length)\b)|add(?:s|ed|ing)? (?:an? |the )?(?:missing|(?:null|nil) checks?)\b"
    r"|(?:stop|do not|don['’]t|no longer|never) (?:drop|error|ignor|skip|swallow|abort|treat|truncat)\w*\b"
    r"|(?:avoid|handle|reject|stop|do not|don['’]t|no longer|guard|protect|never|ensure|respect)\w*\b"
    rf".{{0,80}}\b(?:{_FAULT}|lose|fail\w*|wrong|incorrect)\b|.{{0,80}}\bto (?:prevent|avoid) .{{0,40}}\b(?:{_FAULT})\b"
)
# With tests, nine of ten are repairs.
_GUARDS = begins("avoid ensure escape guard handle honor honour normalize omit reject respect skip")
_MENDED_ISSUE = re.compile(r"\bfix(?:e[sd])?\b:?\s+(?:(?:[^\s/#]+/[^\s/#]+)?#|GH-)\d+|^bug #?\d+(?::| -)", re.I)
FASTER = re.compile(
    r"optimi[sz](?:e|es|ed|ing|ations?)\b(?! (?:state|hyper))|speed(?:s|ed|ing)?[ -]?up\b"
    r"|(?:improv|boost|increas)\w*\b.{0,60}\b(?:perf|performance|speed|throughput|latency|efficiency)\b"
    r"|reduc\w+\b.{0,40}\b(?:latency|overhead|runtime|memory (?:usage|footprint)|allocations?|cop(?:ies|ying))\b"
    r"|(?:avoid|fix|remov|eliminat|get rid of)\w*\b.{0,30}\bquadratic\b"
    r"|.{0,200}\b(?:\dx (?:faster|speed-?up)|for (?:better )?perf(?:ormance)?|"
    r"perf(?:ormance)? (?:optimi[sz]ations?|improvements?))\b"
)
MAKES = begins(
    "allow create enable export expose extend implement introduce provide show support",
    r"new|add(?:s|ed|ing)?(?! (?:an? |the |some )?(?:missing|check|comment|note|warning|assertion|logging)s?\b)",
)
OFFERS = re.compile(r".{0,80}\b(?:options?|support)\b")
_TYPES = r".{0,60}\b(?:type (?:annotations?|hints?|safety)|typing)\b"  # of the code, which only a checker reads
_OF_TYPES = re.compile(_TYPES)
_CLEANS = re.compile(
    rf"{_TYPES}|(?:rename|move(?!\w* average)|reorder|extract|simplif|refactor|clean|tidy|inline|re-?organi[sz]|"
    r"restructur|deduplicat|consolidat|split|silence)\w*\b|sort imports\b"
    r"|(?:make|turn|mark)\w* .{1,60}\b(?:fallible|private|public|internal|static|const)\b(?! api)"
    r"|.{0,60}\b(?:(?:remove|avoid|reduce) duplicat\w+|unused|dead code|clean[- ]?ups?|refactor(?:ing|s|ed)?|typos?|"
    r"redundant|docstrings?|readability|naming|whitespace|abstractions?)\b"
)
_REARRANGES = begins(
    "remove delete drop deprecate modernize convert flatten reuse align apply turn switch define separate generalize "
    "isolate encapsulate standardize unify hoist decouple centralize replace rewrite rework port migrate",
    r"get rid of|break (?:up|down|out)|factor out|.{0,60}\bin favou?r of",
)
REMAKES = re.compile(r"(?:replace|rewrite|rework|port|migrate)")  # and so a reader may notice it
_USES = begins(
    "use change update improve switch set bump upgrade mark stabilize display log report reduce require crash"
)


def says(pattern: re.Pattern[str], low: str) -> bool:
    """Whether a title, in small letters, begins so, or what stands behind a colon in it."""
    return bool(pattern.match(low) or (": " in low and pattern.match(low.partition(": ")[2])))


# --- a commit → its kind


class _Clues:
    """What the rules look at: a title in parts, and in small letters what it is filed under and its words; how many
    files are in each place, a moved one where it was and where it is; and how many more source files there are than
    before (`new`)."""

    def __init__(self, commit: Commit) -> None:
        self.commit = commit
        self.title = unprefixed(parts_of(_work_of(commit)[0]))
        self.low = self.title.low[:MAX_SUBJECT]
        self.labels = [one.casefold() for one in (self.title.kind, *self.title.labels) if one]
        said = [_LABELLED.get(one.partition("/")[0].removesuffix(".txt"), ("chore", "")) for one in self.labels]
        nothing: tuple[Kind, str] = ("chore", "")
        self.labelled = max(said, key=lambda one: (one[1] != "", one != nothing), default=nothing)
        files = commit.files[:MAX_FILES]
        self.paths = [one.path for one in files]
        self.places, self.new = _places(files)
        if self.labelled[1] == VERSIONS and "source" in self.places and "build" not in self.places:  # it is a folder
            self.labelled = ("chore", "")
        # As a repair is: it adds no source and touches little of it.
        self.is_small = self.new <= 0 and self.places.get("source", 0) <= (MANY if "test" in self.places else FEW)
        self.is_whole = self.new > 0 or ("test" in self.places and "docs" in self.places)

    def says(self, *patterns: re.Pattern[str]) -> bool:
        return any(says(one, self.low) for one in patterns)

    def holds(self, *patterns: re.Pattern[str]) -> bool:
        return any(one.search(self.low) for one in patterns)


def _counted(clues: _Clues) -> Decision | None:
    """What is only counted: as a commit says outright, by where its files are, or by the words of its title."""
    places, says = clues.places, clues.says
    if places.keys() == {"version"} or "release" in clues.labels or says(_RELEASE):
        return Decision("release", "says that it releases", is_sure=True, chore=VERSIONS)
    kind, chore = clues.labelled
    if chore:
        return Decision(kind, "says its kind in a prefix or a tag", is_sure=True, chore=chore)
    if len(places) == 1 and (found := _ONLY.get(next(iter(places)))):
        return _chore(found, "touches only CI, only documents or only tests", is_sure=True)
    if clues.paths and all(map(_TRANSLATED.search, clues.paths)) and not _REPAIRS.match(clues.low):
        return _chore("translations", "touches only translations")
    is_of_ci = "ci" in places or not product_files(clues.commit)
    if clues.paths and is_of_ci and kind == "chore" and re.search(r"\bCI\b", clues.title.words):
        return _chore("CI", "names CI")
    for chore, pattern in _SAID:
        is_work = chore == "docs" and (kind != "chore" or clues.holds(_GRAVE))
        has_files = chore != "benchmarks" or any("bench" in one.casefold() for one in clues.paths)
        if says(pattern) and has_files and not is_work:
            return _chore(chore, f"says that it is of {chore}")
    if says(_LINTS) and not _A_LINTER.fullmatch(clues.commit.repository.lower()):
        return _chore("lint and formatting", "says that it is of a linter")
    return _counted_by_files(clues) if clues.paths else None


def _counted_by_files(clues: _Clues) -> Decision | None:
    places, paths = clues.places, clues.paths
    if clues.says(_BUMPS) and ("build" in places or "source" not in places):
        return _chore(VERSIONS, "says that it updates a dependency")
    is_of_build = "build" in clues.labels and 4 * len(work_files(clues.commit)) <= len(paths)
    if is_of_build or all(is_upkeep(one) or place_of(one) in ("build", "docs", "note") for one in paths):
        return _chore("build", "touches only what the project is kept with")
    most = max(sorted(places), key=lambda place: places[place])
    if "source" in places or most == "settings" or clues.labelled[0] != "chore":  # settings may be the product's own
        return None
    return _chore(_ONLY.get(most, "build"), "touches no source")


_ONLY: Mapping[Place, str] = {"ci": "CI", "docs": "docs", "test": "tests"}
_SAID = (
    (VERSIONS, _VERSIONS), ("tests", _TESTS), ("docs", _DOCS), ("benchmarks", _BENCHMARKS),
    ("lint and formatting", _FORMATS),
)  # fmt: skip


def _chore(chore: str, rule: str, *, is_sure: bool = False) -> Decision:
    return Decision(_KINDS.get(chore, "chore"), rule, is_sure, chore)


def _worked(clues: _Clues) -> Decision:
    """What is work: as a commit says outright, then by its words and its files."""
    says, kind = clues.says, clues.labelled[0]
    if any(map(is_fault, clues.labels)) or kind != "chore":
        kind = "fix" if any(map(is_fault, clues.labels)) else kind
        return Decision(kind, "says its kind in a prefix or a tag", is_sure=True)
    if says(_REPAIRS) and not says(_OF_TYPES):
        if clues.is_small and ("test" in clues.places or clues.holds(_NAMES_FAULT)):
            return Decision("fix", "repairs, with tests or a fault that it names", is_sure=True)
        return Decision("fix", "begins with a verb of repair")
    if says(FASTER):
        return Decision("performance", "says that it makes something faster")
    if says(_CLEANS):
        return Decision("refactor", "says that it cleans")
    if says(MAKES):
        shape = "makes something, in new files or with tests and documents"
        return Decision("feature", shape if clues.is_whole else "begins with a verb of making", is_sure=clues.is_whole)
    if not says(OFFERS, _USES) or _MENDED_ISSUE.match(clues.commit.subject):
        guards = "test" in clues.places and not clues.is_whole and says(_GUARDS)
        if clues.is_small and (guards or clues.holds(_NAMES_FAULT, _FIX)):
            return Decision("fix", "names a fault, or with tests what is avoided", is_sure=True)
        if _closes(clues):
            return Decision("fix", "closes an issue as fixed", is_sure=True)
    if says(_REARRANGES):
        return Decision("refactor", "begins with a verb of rearranging")
    if clues.is_whole and not says(_USES):
        return Decision("feature", "has the shape of something new")
    return Decision("chore", "nothing decides")


def _closes(clues: _Clues) -> bool:
    subject, body = clues.commit.subject, clues.commit.body[:MAX_BODY]
    is_open = clues.is_small and not clues.says(_REARRANGES) and ("#" in subject or "#" in body)
    return _MENDED_ISSUE.match(subject) is not None or (
        is_open and _MENDED_ISSUE.search(f"{subject}\n{body}") is not None
    )


def decided(commit: Commit) -> Decision:
    """The kind of one commit's work, which rule decided it, and whether that is sure. What takes something out, or
    brings it back, is counted as what that is."""
    clues = _Clues(commit)
    if references_of(commit).does == "reverts" or clues.says(_REVERT):
        counted = _counted(clues)
        return Decision("revert", "says that it reverts", is_sure=True, chore=counted.chore if counted else "")
    notes = [path for path in _added(commit) if "news" in path or "changelog.d" in path]  # as few have
    noted = [found[1] for path in notes if (found := _NOTE.search(path))]
    kind = next((_NOTED[name] for name in _NOTED if name in noted), None)
    if kind and work_files(commit):
        return Decision(kind, "says its kind in a note of the changelog", is_sure=True, chore=CHORES.get(kind, ""))
    return _counted(clues) or _worked(clues)


def _added(commit: Commit) -> list[str]:
    return [one.path for one in commit.files[:MAX_FILES] if one.state == "added"]


def _work_of(commit: Commit) -> tuple[str, bool]:
    """What a title takes out or brings back, as that is called itself, and whether it brings it back: of
    `Revert "Revert "X""` and `Re-land "X"` it is X."""
    line = heading_of(commit).line
    if references_of(commit).does is None:  # as most
        return line, False
    is_out, work = False, line
    while (said := meaning_of(work)).does and said.names and said.names[0].title:
        is_out ^= said.does == "reverts"
        work = said.names[0].title
    return work, work != line and not is_out


def is_fault(label: str) -> bool:
    """Whether a prefix or a tag says that something is repaired."""
    return label.casefold().startswith("bug") or label.casefold().endswith("fix")


def _places(files: Sequence[FileChange]) -> tuple[Mapping[Place, int], int]:
    """How many files are in each place, and how many more of source there are than before. Git knows a moved file as
    one that went and one that came unless it has looked inside: either counts the same."""
    found: dict[Place, int] = {}
    new = 0
    for one in files:
        place = place_of(one.path)
        found[place] = found.get(place, 0) + 1
        if one.state == "deleted":
            new -= place == "source"
        elif one.state != "modified":
            new += place == "source" and one.state != "retyped"
            if one.state == "renamed" and one.old_path is not None:
                place = place_of(one.old_path)
                found[place] = found.get(place, 0) + 1
                new -= place == "source"
    notes = found.pop("note", 0)
    return found or ({"docs": notes} if notes else {}), new


# --- a change → how posts tell it

_SECURITY = re.compile(
    r"\b(?:cve-\d{4}|ghsa-\w{4})|\bsecurity (?:fix|issue|advisor|patch(?! version))|\bvulnerab|\bmalicious\b|"
    r"\bleak\w* .{0,40}\b(?:credential|password|secret)|\b(?:path|directory) tra\w{0,2}vers|"
    r"\b(?:sql|command|code|header) injection|\bprivilege escalation"
    r"|\b(?:block|den(?:y|ie)|disallow|fix|prevent|refuse|reject|stop)\w*\b.{0,40}\bunauthenticated\b"
)
_ATTACK = re.compile(r"\b(?:xss|csrf|ssrf)\b")  # beside which code is cleaned up, too
_ADVISORY = re.compile(  # in a body
    r"\b(?:cve-\d{4}-\d|ghsa(?:-\w{4}){3})|\battackers?\s+(?:can|could|may|might)\b"
    r"|\b(?:publicly|remotely|easily|trivially) exploitable\b"
)
_BREAKS = re.compile(
    r"[\w ()/.,*-]{1,60}!(?:\([^()]*\))?:\s|\W*breaking\b\W*[:\]]|.*\bbreaking change\b"
    r"|.*(?-i:[(\[]BC[)\]])(?: \(#\d+\))?$",
    re.I,
)
BREAKS_IN_BODY = re.compile(
    r"^[^\w\n]*BREAKING[ -]CHANGES?\b\W*"
    r"|^(?i:#{1,6} *break(?:ing)?[ -]changes?:?[ \t]*$)\s*(?!(?i:[\W_]*(?:no|none|n/?a|nothing|false)\b|#))(?=\S)",
    re.M,
)
_DEFAULT = re.compile(
    r"(?:(?:re-?)?(?:enable|disable)|turn|use|set|build|(?:dis)?allow)\w*\b.{1,80}\bby default\b"
    r"|(?:flip|change|switch|stabilize)\w*\b.{1,60}\bdefaults?\b(?! (?:constructor|branch|impl))"
    r"|add\w* .{1,60} to (?:the )?defaults$|.{0,60}(?<![-_.\w])(?<!should )defaults? (?:is |are |now )?to (?!\w+ing\b)"
    r"|defaults? \w+ ?="
)
_MINIMUM = re.compile(
    r"(?!.*\b(?:development|contribut))(?:"
    r"(?!.*\blower)(?:bump|raise|increase|update|require|set)\w*\b.{0,30}(?<!for )\b(?:msrv|minimum)\b"
    r"|requires?\b.{1,60}(?:\d|\bnightly\b)|.{0,60}\b(?:no longer supports?|now requires?)\b"
    r"|(?:drop|remove|end)\w*\b.{0,40}\b(?:support(?: (?:for|of)\b|$)|end[- ]of[- ]life\b))"
)
_MINIMUM_WORDS = ("minimum", "msrv", "require", "support", "end of life", "end-of-life")
_REMOVES = re.compile(
    r"(?:remove[sd]?|deletes?d?|drop(?:s|ped)?|get rid of) (?:[^,;]{0,60}(?<![\w-])--\w|[^,;]{0,60}"
    r"\b(?:deprecated|options?|settings|endpoints?|public api)\b(?!-)|"
    r".{0,60}`[^`]{1,60}` .{0,20}(?:commands?|flags?)\b)",
    re.I,
)
_DEPRECATES = re.compile(r"(?:.{1,80}, (?:and )?)?deprecat(?:e|es|ed|ing) (?!and\b)|mark\w* .{1,60} as deprecated\b")
_INSIDE = re.compile(
    r"\w::\w|\b(?:unused|unnecessary|internal|private|tests?|calls?|uses|references? to|warnings?|from|todo|wrappers?|"
    r"(?:a|m|t|ub)san)\b"
)
_SMALL = r"(?:various|several|some|more|multiple|misc\w*|minor|small|tiny)"
_NOTHING = re.compile(
    rf"(?:(?:{_SMALL}|further|few|other|final|follow[- ]?up|a|the)\s+)*(?:bug ?)?(?:fix(?:es|ed|ups?)?|updates?"
    r"|changes?|clean[- ]?ups?|improvements?|tweaks?|work|wip|typos?|refactor(?:ing)?|comments?|adjustments?|revert\w*"
    r"|formatting)(?:\s+(?:(?:for|in|of|on|to|from)\s+)?(?:the\s+)?(?:tests?|ci|build|(?:code[- ]?)?reviews?"
    r"(?: comments)?|lint\w*|style|comments?|feedback|code|warnings?|errors?|docs?))?"
    rf"|{_SMALL}\b.{{0,40}}\b(?:fixes|improvements?|updates?|changes|tweaks|clean[- ]?ups?)"
    r"(?: (?:for|in|of|to|and) .*)?|\w+ (?:fix(?:es)?|updates?|changes?|tweaks?|improvements?)"
    r"|(?:fix|correct)\w* (?:bugs?|#\d+|[0-9a-f]{7,40})"
    r"|(?:address|apply|resolve)\w* .{0,20}\b(?:reviews?|comments?|feedback|suggestions?|conflicts?)\b.*"
    r"|merge (?:\S+$|['\"]|(?:branch|commit|pull|pr|remote|tag|from|into|with|main|master|develop|upstream|origin)\b)"
    r".{0,80}|update (?:\S+/.*|[\w-]+)\.[a-z]{1,5}|(?:proof[- ]of[- ]concept|poc|wip|draft)\b(?! (?:mode|releases?)).*"
    r"|(?:(?:begin|continue|further|more|some|start)\w* )*work(?:ing)? (?:on|for) .*|initial (?:commit|import|version)"
    r"|(?:backport|port|cherry[- ]pick)\w* (?:changes? |pull request |pr )?(?:from |of )?#?\d*(?: from \S+)?"
    r"|revert\w* (?:\S*\d|(?:the |my )?(?:last|previous)(?: (?:change|commit|patch))?(?:[,;:] .*)?)"
)


def is_security(change: Change) -> bool:
    """Whether its message says that a change mends what endangers users."""
    commit, line = change.lead, heading_of(change.lead).line.lower()
    if _SECURITY.search(line) or FORK.search(commit.subject) or (change.kind != "refactor" and _ATTACK.search(line)):
        return True
    body = commit.body[:MAX_BODY].lower()
    return any_of(("cve-", "ghsa-", "attacker", "exploitable"), body) and _ADVISORY.search(body) is not None


def says_breaking(change: Change) -> bool:
    """Whether its author marks it as a break: in the title, the body, or a note of the changelog that it brings."""
    lead, quotes = change.lead, change.chore in (VERSIONS, "CI")  # in whose bodies stand the notes of what they update
    line, body = heading_of(lead).line, lead.body[:MAX_BODY]
    if not change.chore and any_of(("!", "break", "bc"), line.lower()) and _BREAKS.match(line):
        return True
    if not quotes and "break" in body.lower() and (BREAKS_IN_BODY.search(body) or _CALLED_BREAK.search(body)):
        return True
    return any(map(_NOTE_BREAKS.search, _added(lead)))


def must_act(change: Change, title: Title, new_paths: Collection[str]) -> float:
    """How heavily a reader must act on a change, 0 for not at all: its author marks it as a break, a default or a
    minimum is another, something is deprecated or removed. What is of files that came in the same time, `new_paths`,
    is not out yet."""
    lead, low = change.lead, title.low
    if change.kind == "revert" or (lead.files and all(one.path in new_paths for one in lead.files)):
        return 0
    if says_breaking(change):
        return MUST
    ends = _DEPRECATES.match(low)
    if (
        change.kind in ("fix", "test", "docs", "ci")
        or change.chore == "translations"
        or title.kind.casefold() in ("chore", "build")  # "chore: require node 26" is of those who build it
        or (says(_CLEANS, low) and not ends)
    ):
        return 0
    if any_of(_MINIMUM_WORDS, low) and _MINIMUM.match(low):
        return MUST
    if _INSIDE.search(low.replace("::", ".") if ends else low):  # what users call by now has such names too
        return 0
    if not change.chore and "default" in low and _DEFAULT.match(low):
        return MUST
    return SHOULD if ends or (_REMOVES.match(title.words) and product_files(lead)) else 0


def sort_of(change: Change, title: Title, must: float) -> Sort:
    """Of what sort a change is to readers; the first that fits. `must` is how heavily they must act on it."""
    labels = {one.casefold() for one in (*title.labels, title.kind)}
    if change.kind == "revert" and not brought_back(change.lead):
        return "out"
    is_work = not change.chore or FORK.search(change.lead.subject)  # the first of its commits may be one of tests
    is_product = is_work and (labels & _SECURITY_LABELS or product_files(change.lead))
    if is_product and (labels & _SECURITY_LABELS or is_security(change)):
        return "security"
    if must:
        return "act"
    if change.kind == "fix":
        return "fixed"
    return "cleaning" if change.kind == "refactor" and not says(REMAKES, title.low) else "new"


def brought_back(commit: Commit) -> str:
    """What a title brings back, as that is called itself; empty of what brings nothing back."""
    work, is_back = _work_of(commit)
    return work if is_back else ""


def says_sort(label: str) -> bool:
    """Whether a tag or a prefix says only of what sort a change is, or is a ticket's number; nothing does so, too."""
    return not label or label.casefold() in SORTS or _TICKET.fullmatch(label) is not None


def says_nothing(words: str) -> bool:
    """Whether a title alone tells a reader nothing: "Small fixes", a bare name."""
    return len(words.split()) < 2 or _NOTHING.fullmatch(words.strip(" .!").lower()) is not None


def is_grave(words: str) -> bool:
    """Whether a title speaks of a crash, a race, lost data or the like."""
    return _GRAVE.search(words.lower()) is not None
