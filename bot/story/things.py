"""A team's changes → what is one thing, of what sort, and how much a reader would notice of it. Pure.

What is decided here is decided by closed lists over titles and paths; docs/digests.md says how.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from typing import Literal

from bot.model import Change, Commit, Key
from bot.month.kind_words import LINTERS
from bot.month.kinds import decided
from bot.month.message import heading_of, meaning_of
from bot.month.paths import Place, is_of_product, place_of, places_of
from bot.month.title import (
    EVERYDAY,
    SORTS,
    Title,
    folded,
    is_identifier,
    parts_of,
    stem,
    title_of,
    title_said,
    words_of,
)
from bot.story.lines import events_of
from bot.story.quoting import blocks, measured, sentences
from bot.wording import clean, listed, shortened

Sort = Literal["act", "security", "fixed", "cleaning", "new", "out"]
MOST_LINES, A_LINE = 400, 0.4  # product lines of one change that count, and what each weighs;
FEW_LINES = 150  # of what makes nothing, by its title or a new file of more: a rewrite of the inside is long, too
FEWEST_WORDS = 3  # of a title that is told together with those that differ from it in one word
MOST_NAMES = 8  # words in which titles that are told together differ
MOST_READ = 20_000  # characters of a body
ALONE = 15  # changes that one merge brought: more are one thing, whatever they are,
PEOPLE, APART = 3, timedelta(31)  # of more people than that, or half of them written longer before

# --- what sort

# Without re.I a pattern is held against text in small letters, which takes half of the time.

_SECURITY = re.compile(
    r"\b(?:cve-\d{4}|ghsa-\w{4})|\bsecurity (?:fix|issue|advisor|patch)|\bvulnerab|\bmalicious\b|"
    r"\bleak\w* .{0,40}\b(?:credential|password|secret)|"
    r"\b(?:path|directory) tra\w{0,2}vers|\b(?:xss|csrf|ssrf)\b|\b(?:sql|command|code|header) injection|"
    r"\bprivilege escalation"
)
_ADVISORY = re.compile(  # in a body
    r"\b(?:CVE-\d{4}-\d|GHSA(?:-\w{4}){3})|\battackers?\s+(?:can|could|may|might)\b", re.I
)
_SECURITY_LABELS = frozenset({"security", "sec"})
_FORK = re.compile(r"merge commit from fork", re.I)  # how GitHub calls the fix of an advisory
_BREAKS = re.compile(r"[\w ()/.,*-]{1,60}!(?:\([^()]*\))?:\s|\W*breaking\b\W*[:\]]|.*\bbreaking change\b", re.I)
_BREAKS_IN_BODY = re.compile(
    r"^[^\w\n]*BREAKING[ -]CHANGES?\b\W*"
    r"|^(?i:#{1,6} *break(?:ing)?[ -]changes?:?[ \t]*$)\s*(?!(?i:[\W_]*(?:no|none|n/?a|nothing|false)\b|#))(?=\S)",
    re.M,
)
_DEFAULT = re.compile(
    r"(?:(?:re-?)?(?:enable|disable)|turn|use|set|build|allow)\w*\b.{1,80}\bby default\b"
    r"|(?:flip|change|switch)\w*\b.{1,60}\bdefaults?\b(?! (?:constructor|branch|impl))"
    r"|.{0,60}(?<![-_.\w])defaults? (?:is |are |now )?to (?!\w+ing\b)|defaults? \w+ ?="
    r"|(?!(?:add|allow|support|introduc|implement|provid|expos)\w*\b|.*\b(?:as|because|if|since|that|when|which)\b)"
    r".{1,100} by default$"
)
_MINIMUM = re.compile(
    r"(?!.*\b(?:lower|relax|keep)).{0,60}\bminimum\b.{0,40}(?:\bversions?\b|\d\.\d)|(?:bump|raise|update|require|set)\w*\b"
    r".{0,30}(?<!for )\bmsrv\b"
    r"|requires?\b.{1,60}(?:\d|\bnightly\b)|.{0,60}\b(?:no longer supports?|now requires?)\b"
    r"|(?:drop|remove|end)\w*\b.{0,40}\b(?:support(?: (?:for|of)\b|$)|end[- ]of[- ]life\b)"
)
_REMOVES = re.compile(
    r"(?:remove[sd]?|deletes?d?|drop(?:s|ped)?|get rid of) (?:[^,;]{0,60}(?<![\w-])--\w|[^,;]{0,60}"
    r"\b(?:deprecated|options?|settings|endpoints?|public api)\b|.{0,60}`[^`]{1,60}` .{0,20}(?:commands?|flags?)\b)",
    re.I,
)
_DEPRECATES = re.compile(r"deprecat(?:e|es|ed|ing)\b|mark\w* .{1,60} as deprecated\b")
_INSIDE = re.compile(
    r"\w::\w|\b(?:unused|unnecessary|internal|private|tests?|calls?|uses|references? to|warnings?|from)\b"
)

_FAULT = (
    r"(?:crash|segfault|panic|deadlock|corrupt|(?:int)?overflow|leak)\w*|hangs?|data loss|lost|losing|nans?|races?|"
    r"oob|(?:wrong|incorrect) (?:result|answer|value|output)s?|undefined (?:value|behaviou?r)s?|"
    r"infinite (?:loop|recursion)s?|use[- ]after[- ]free|out[- ]of[- ]bounds|bounds checks?|kdl"
)
_GRAVE = re.compile(rf"\b(?:{_FAULT})\b")
# Begins a repair where it names a fault, or the message says which issue it fixes.
_MENDS = re.compile(r"(?:avoid|handle|reject|stop|do not|don['’]t|no longer|guard|protect|never|ensure|respect)\w*\b")
_FIXES = re.compile(
    r"(?:(?:bug|hot)?[ -]?fix|correct|repair|prevent|preserve)(?:e?s|e?d|ing)?\b(?![- ](?:point|size|width|length)\b)"
    r"|add(?:s|ed|ing)? (?:an? |the )?(?:missing|(?:null|nil) checks?)\b"
    rf"|{_MENDS.pattern}.{{0,80}}\b(?:{_FAULT}|lose|fail\w*|wrong|incorrect)\b"
    rf"|.{{0,80}}\bto (?:prevent|avoid)\b.{{0,40}}\b(?:{_FAULT})\b"
)
_NAMES_FAULT = re.compile(
    rf".{{0,80}}\b(?:{_FAULT}|(?:bug ?|to |and )fix(?:es)?|properly|correctly)\b"
)  # of what makes nothing
_MENDED = re.compile(  # as a sentence of a body says it
    r"(?:(?:this|the) (?:pr|pull request|change|commit|diff|patch) )?(?:also )?"
    r"fix(?:e[sd])?\b(?! (?:typos?|lint|the (?:test|build)))",
    re.I,
)
_MENDED_ISSUE = re.compile(r"\bfix(?:e[sd])?\b:?\s+(?:[^\s/#]+/[^\s/#]+)?#\d+", re.I)
_CLEANS = re.compile(
    r"(?:rename|move|reorder|extract|simplif|refactor|clean|tidy|inline|reorgani[sz]|restructur|deduplicat|consolidat|"
    r"split|silence)\w*\b|(?:make|turn|mark)\w* .{1,60}\b(?:fallible|private|public|internal|static|const)\b(?! api)"
    r"|.{0,60}\b(?:(?:remove|avoid|reduce) duplicat\w+|unused|dead code|clean[- ]?ups?|refactor(?:ing|s|ed)?|typos?|"
    r"redundant|docstrings?|type hints?|readability|naming|whitespace)\b"
)
_SAME = re.compile(r"\bno (?:functional|behaviou?r(?:al)?)[ -]changes?\b", re.I)  # in a body
_CHANGES = re.compile(
    r"(?:change|update|improve|use|switch|set|display|bump|upgrade|remove|log|report|reduce|require|crash)\w*\b"
)
_REMAKES = re.compile(r"(?:replace|rewrite|rework|port|migrate)")

# --- what is only counted

_TRANSLATED = re.compile(
    r"\.(?:po|pot|xlf|xliff|catkeys|ftl|arb|resx)$|"
    r"(?:^|/)(?:locales?|translations?|catalogs|i18n|l10n|lang|localization)/.*\.(?:json|ya?ml|properties|xml|strings)$",
    re.I,
)
_BUMPS = re.compile(
    r"(?:bump|upgrade|pin|update|chore\(deps\)|build\(deps)\w*\b.{0,60}(?:\d+\.\d|\b(?:dependenc\w+|deps|versions?|"
    r"lock ?files?|submodules?)\b)"
)
_NAMES_CI = re.compile(r"\bCI\b")
_OF_TESTS = re.compile(r"(?:\S+ ){0,5}(?:unit)?tests?\b")  # of what is fixed
_LINTS = re.compile(rf"(?!add |support ).{{0,60}}\b(?:lint\w*|{LINTERS})\b")
# What titles say outright; the first that fits decides.
_SAID = {
    "bumps and versions": r"(?:bump|set|prepare|increase|increment|release)\w*\b.{0,40}\bversions?\b.{0,30}\d"
    r"|(?:bump|release|prepare|start|begin)\w*\b.{0,20}\bv?\d+\.\d"
    r"|squashed '[^']+' (?:changes|content) from\b|(?:update|upgrade|bump)\w* (?:\w+ ){0,3}dependenc"
    r"|(?:\w+ ){0,2}dependenc\w+ (?:update|upgrade|bump)"
    r"|update (?:module|.* dependencies)\b",
    "CI": r".{0,60}\b(?:in|on|to) (?:[\w-]+ )?ci$|(?:fix|unbreak|repair)\w* (?:the )?ci\b",
    "translations": r"update translat|translat(?:ed|e|ions?)\b.{0,40}\b(?:using|from|update)",
    "tests": r"(?:add|enable|disable|skip|fix|update|extend|improve|refactor|more|missing|move|cover|remove)\w*"
    r"\s+(?:[\w`/.-]+ ){0,4}(?:unit |regression |integration |snapshot )?tests?(?: cases?| coverage| suite)?"
    r"(?:(?: (?:for|that|which|of|in|to|on|assert\w+|check\w*)\b|,).*)?$",
    "docs": r"(?:(?:add|updat|fix|prepare|edit|write|improve|clean)\w* (?:.{0,50} )?)?"
    r"(?:changelogs?|release[ -]notes?)(?: entr(?:y|ies))?(?: (?:for|in|of|to)\b.*| v?\d.*)?$"
    r"|document(?:s|ed|ing)? (?!\S*(?:highlight|symbol|link|format|colo))|(?:\w+ )?documentation\b(?! support)"
    r"|(?:updat\w+|edit) (?:the )?changelogs?\b"
    r"|(?:add|update|adjust|improve|fix|clarify|correct|expand|extend|more|missing|remove|move|tweak|better|enhance)\w*\b"
    r".{0,50}\b(?:(?:js|php)?docs?|documentation|man ?pages?|doc(?:string|block)s?|readme|typos?|[\w-]+\.md)"
    r"(?: comments?| links?| files?| blocks?)?"
    r"(?:(?: (?:about|for|in|of|on|to|and|with)\b|[,:]).*)?$"
    r"|(?:added|adds?|(?:fix|update|correct)\w*)\b.{0,60}\bcomments?$"
    r"|(?:add|provide|fix|correct|improve|update|more)\w* (?:an? |the |some |more |missing )*(?:\S+ ){0,2}"
    r"(?:notes?|guides?|sections?|guidelines?|examples?|caveats?|links?|comments(?= (?:to|in) \S+\.\w)|"
    r"cross-references?) (?:about|on|in|of|to|for|around)\b"
    r"|clarif\w+ (?:that\b|(?!.*\b(?:errors?|messages?|output|logs?)\b))|typos?\b",
    "benchmarks": r"add\w*\b.{0,60}\b(?:micro|macro)?benchmarks?(?: suite)?(?: (?:for|of|to)\b.*)?$",
    "formatting": rf"fix indentation\b|(?:cargo )?(?:fmt|{LINTERS})!?(?: [+&]|,|$)"
    rf"|(?:\S+ ){{0,4}}(?:fix|enable|enforce)\w*\b.{{0,60}}\b(?:lint\w*|{LINTERS})\b"
    r"|(?:fix\w* )?lint (?:errors?|failures?|issues?)\b"
    r"|(?:.{0,40}, )?fix\w*\b.{0,40}\b(?:compil\w+|gcc|clang|build|deprecation|shellcheck|dialyzer) "
    r"(?:warnings?|violations?)\b"
    r"|.{0,40}\b(?:(?:run|apply) .{0,30}(?:\bformat\w*|fmt\b)|reformat\w*|typos?|spelling|copyrights?|"
    r"(?:fix|remove|trim|clean\w*|trailing) .{0,30}whitespace|licen[sc]e headers?)\b",
}
_SAYS = {chore: re.compile(pattern) for chore, pattern in _SAID.items()}
_BY_LABEL = {
    "docs": "docs doc documentation book readme changelog release-notes licenses license example examples",
    "benchmarks": "bench benches benchmark benchmarks",
    "tests": "test tests testing fuzz",
    "CI": "ci ci/cd workflows workflow",
    "formatting": "lint lints format formatting style",
    "bumps and versions": "deps dependencies chore(deps) deps-dev vendor",
    "translations": "translation translations i18n l10n",
}
_LABELLED = {label: chore for chore, labels in _BY_LABEL.items() for label in labels.split()}
_TICKET = re.compile(r"[A-Z]{1,10}-?\d{3,}")

# --- what says nothing

_NOTHING = re.compile(
    r"(?:(?:some|minor|small|more|further|various|misc\w*|few|several|a|the|tiny|other|final|follow[- ]?up)\s+)*"
    r"(?:bug ?)?(?:fix(?:es|ed|ups?)?|updates?|changes?|clean[- ]?ups?|improvements?|tweaks?|work|wip|typos?|"
    r"refactor(?:ing)?|comments?|adjustments?|revert\w*|formatting)(?:\s+(?:(?:for|in|of|on|to|from|after)\s+)?(?:the\s+)?"
    r"(?:tests?|ci|build|(?:code[- ]?)?reviews?(?: comments)?|lint\w*|style|comments?|feedback|code|warnings?|errors?|"
    r"docs?))?"
    r"|(?:various|several|some|more|multiple|misc\w*|minor|small|tiny)\b.{0,40}\b(?:fixes|improvements?|updates?|changes|"
    r"tweaks|clean[- ]?ups?)(?: (?:for|in|of|to|and)\b.{0,60})?"
    r"|(?:backport|port|cherry[- ]pick)\w* (?:changes? |pull request |pr )?(?:from |of )?#?\d*(?: from \S+)?"
    r"|\w+ (?:fix(?:es)?|updates?|changes?|tweaks?|improvements?)|fix\w* bugs?"
    r"|(?:address|apply|resolve)\w* .{0,20}\b(?:reviews?|comments?|feedback|suggestions?|conflicts?)\b.*"
    r"|merge (?:\S+$|['\"]|(?:branch|commit|pull|pr|remote|tag|from|into|with|main|master|develop|upstream|origin)\b)"
    r".{0,80}|update \S+/\S+\.\w+"
    r"|initial (?:commit|import|work|version|implementation)|revert \S*\d"
)

_FIXES_ONE = re.compile(r"fix(?:e[sd])? [a-z]+")
_BARE = re.compile(r"[A-Z]?[a-z]+ [a-z]+|(?:Fix|fix)\w* \S+")  # says little where no prefix says of what

# --- what weighs

_MAKES = re.compile(
    r"(?:add(?! missing)|allow|support|implement|introduce|enable|expose|new|provide|show)(?:e?s|e?d|ing)?\b|"
    r".{0,80}\b(?:options?|support)\b"
)
_OF_CODE = re.compile(  # what those notice who work on the inside
    r"\b(?:structs?|traits?|enums?|helpers?|wrappers?|ast|getters?|accessors?|macros?|overloads?|subclass|impls?|"
    r"mutex(?:es)?)\b"
)
_CLOSES = re.compile(r"\b(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?)\b:?\s+(?:[^\s/#]+/[^\s/#]+)?#\d+", re.I)
_NOTE = re.compile(r"(?:^|/)(?:release_?notes?|changelogs?|news|newsfragments?|changes|changeset)(?:/|\.d/|\.)", re.I)
_EXAMPLE = re.compile(r"(?:^|/)(?:examples?|tutorials?|docs?|documentation|userguide)/", re.I)
_HOUSEKEEPING = re.compile(
    r"(?:^|/)(?:\.github|\.vscode|\.idea|ci|tools|scripts|hack|benchmarks?|bench|build(?:[-_]tools)?)/|\.(?:sh|patch|bat|ps1)$",
    re.I,
)
# Files are touched by many changes of a time.
_of_notes, _of_examples, _of_tools = (
    lru_cache(maxsize=65_536)(pattern.search) for pattern in (_NOTE, _EXAMPLE, _HOUSEKEEPING)
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is decided of a change by itself: its title in parts, what it is if it is only counted (`chore_of`), of what
    sort it is, and how much a reader would notice of it."""

    title: Title
    chore: str
    sort: Sort
    weight: float


@dataclass(frozen=True, slots=True)
class TeamThing:
    """Changes that a reader takes for one, the heaviest first. `speaks` is the commit whose title stands for them: that
    of the first, or the merge that brought them; `title`, if there is one, are the words that their titles share with
    those in which they differ. What came as one has no `more`."""

    changes: tuple[Change, ...]
    judged: Judgement
    speaks: Commit
    title: str = ""
    more: int = 0
    is_of_many: bool = False  # many changes of many people, or of long before, which came by one merge

    @property
    def lead(self) -> Change:
        return self.changes[0]

    @property
    def is_own(self) -> bool:
        """Whether a change of its own speaks for it, and no merge."""
        return self.speaks == self.lead.lead


def judged(changes: Sequence[Change], beside: Sequence[Change] = ()) -> dict[str, Judgement]:
    """What is decided of each of a time's changes, and of others that only stand beside these, by id."""
    new_paths = _new_paths(changes)
    return {one.id: judge(one, new_paths) for one in (*changes, *beside)}


def _new_paths(changes: Iterable[Change]) -> frozenset[str]:
    return frozenset(
        one.path for change in changes for commit in change.commits for one in commit.files if one.state == "added"
    )


def judge(change: Change, new_paths: Collection[str]) -> Judgement:
    """What is decided of a change. `new_paths` are the files that came in the same time."""
    title = _words_said(change)
    chore = chore_of(change, title)
    must = _must_act(change, title.words, chore, new_paths)
    sort = _sort(change, title, chore, must)
    return Judgement(title, chore, sort, _weight(change, title, chore, sort, must))


def _words_said(change: Change) -> Title:
    """The title of a change in its parts. What is several words before a colon is the beginning of a sentence ("Remove
    the old cache: nobody used it"), and no prefix."""
    title = title_said(change)
    if not change.title and (back := _brought_back(heading_of(change.lead).line)):
        title = parts_of(back)
    if " " not in title.prefix:
        return title
    return replace(title, words=f"{title.prefix}: {title.words}", prefix="")


def _brought_back(line: str) -> str:
    """What a title brings back, as that is called itself: of `Revert "Revert "X""` and `Re-land "X"` it is X. Empty of
    what brings nothing back."""
    is_out, was = False, line
    while (said := meaning_of(line)).does and said.names and said.names[0].title:
        is_out ^= said.does == "reverts"
        line = said.names[0].title
    return "" if is_out or line == was else line


def chore_of(change: Change, title: Title | None = None) -> str:
    """What a change is that is only counted: "tests", "docs", "CI", "translations", "formatting", "bumps and versions",
    "benchmarks", "build"; empty for work of the product."""
    title, paths = title or _words_said(change), [one.path for one in change.lead.files]
    labels, words = (title.kind, *title.labels), title.words
    places = places_of(change.lead)
    if change.kind == "revert" and (named := meaning_of(heading_of(change.lead).line).names):
        quoted = parts_of(named[0].title)  # what is taken out is of the same sort
        labels, words = (*labels, quoted.kind, *quoted.labels), quoted.words
    for label in labels:
        if chore := _LABELLED.get(label.casefold().partition("/")[0].removesuffix(".txt")):
            return chore
    if change.kind == "release" or places == {"version"}:
        return "bumps and versions"
    low = words.lower()
    if paths and all(_TRANSLATED.search(path) for path in paths) and not _FIXES.match(low):
        return "translations"
    beside_ci = "ci" in places and not (change.is_sure and change.kind in ("feature", "fix", "performance"))
    if places == {"ci"} or change.kind == "ci" or (beside_ci and _NAMES_CI.search(words)):
        return "CI"
    if places == {"test"} or (change.kind == "test" and change.is_sure):
        return "tests"
    if places == {"docs"} or (change.kind == "docs" and change.is_sure):
        return "docs"
    said = next((one for one, pattern in _SAYS.items() if _says(pattern, low)), "")
    return said or (_tidies(change, words, places) if paths else "")


def _tidies(change: Change, words: str, places: Set[Place]) -> str:
    """What a change is that is about what stands around the product."""
    bumps, low = says_bump(change.lead, words), words.lower()
    around = places <= {"build", "version", "ci"} or (places <= {"build", "version", "docs"})
    if not _has_product(change.lead) and (change.kind == "build" or around):
        return "bumps and versions" if bumps else "build"
    is_of_versions = places <= {"build", "version", "settings", "ci"} and places & {"build", "version"}
    if bumps and (change.kind == "build" or is_of_versions):
        return "bumps and versions"
    if all(
        _HOUSEKEEPING.match(one) or one.rpartition("/")[2][0] == "." or place_of(one) in ("build", "docs")
        for one in (file.path for file in change.lead.files)
    ):
        return "build"
    if change.kind == "fix" and _OF_TESTS.match(low):
        return "tests"
    tidies = change.kind in ("chore", "refactor", "build")
    if tidies and not _has_product(change.lead) and _NAMES_CI.search(words):
        return "CI"
    return "formatting" if tidies and _LINTS.match(low) else ""


def says_bump(commit: Commit, words: str) -> bool:
    """Whether a title, of which these are the words, says that something is taken in another version."""
    return bool(_BUMPS.match(words.lower()) or _BUMPS.match(heading_of(commit).line.lower()))


def _must_act(change: Change, words: str, chore: str, new_paths: Collection[str]) -> float:
    """How heavily a reader must act on a change, 0 for not at all: something is broken, a default or a minimum is
    another, something is deprecated or removed."""
    lead = change.lead
    is_new = lead.files and all(one.path in new_paths for one in lead.files)
    if change.kind == "revert" or is_new:
        return 0
    if (not chore and _BREAKS.match(heading_of(lead).line)) or _BREAKS_IN_BODY.search(lead.body):
        return 800
    if change.kind in ("fix", "test", "docs", "ci") or chore in ("tests", "docs", "CI", "translations"):
        return 0
    low = words.lower()
    is_minimum = _MINIMUM.match(low) is not None
    if is_minimum or (not chore and _DEFAULT.match(low)):
        must = 800
    elif _DEPRECATES.match(low) or (_REMOVES.match(words) and _has_product(lead)):
        must = 600
    else:  # as most
        return 0
    is_inside = not is_minimum and _INSIDE.search(low)
    return 0 if is_inside or _says(_FIXES, low) or _says(_CLEANS, low) else must


def _sort(change: Change, title: Title, chore: str, must: float) -> Sort:
    """Of what sort a change is; the first that fits."""
    labels = {one.casefold() for one in (*title.labels, title.kind)}
    if change.kind == "revert" and not _brought_back(heading_of(change.lead).line):
        return "out"
    if not chore and (labels & _SECURITY_LABELS or (_has_product(change.lead) and is_security(change.lead))):
        return "security"
    if must:
        return "act"
    if says_fix(change.lead, title):
        return "fixed"
    cleans = change.kind == "refactor" and not _says(_REMAKES, title.low)
    return "cleaning" if cleans or _SAME.search(change.lead.body) or _says(_CLEANS, title.low) else "new"


def says_fix(commit: Commit, title: Title | None = None) -> bool:
    """Whether a commit, or the merge of a pull request, says that it repairs something."""
    title = title or title_of(commit)
    labels = {one.casefold() for one in (*title.labels, title.kind)}
    if any(one.startswith("bug") or one.endswith("fix") for one in labels):
        return not re.match(r"(?:implement|introduce|support)\w*\b", title.words, re.I)
    if title.kind.casefold().startswith(("feat", "perf")):
        return False
    low = title.low
    if _says(_FIXES, low) or (_says(_MENDS, low) and _MENDED_ISSUE.search(f"{commit.subject}\n{commit.body}")):
        return True
    if any(_says(one, low) for one in (_MAKES, _CLEANS, _CHANGES)):
        return False
    return _says(_NAMES_FAULT, low) or _mends(commit)


def _mends(commit: Commit) -> bool:
    """Whether a title names an issue that is fixed, a small change fixes one, or a body begins with what is fixed."""
    if _MENDED_ISSUE.match(commit.subject):
        return True
    if "fix" not in commit.body[:MOST_READ].casefold():  # as most
        return False
    lines = sum((one.additions or 0) + (one.deletions or 0) for one in commit.files if is_of_product(one.path))
    if lines <= FEW_LINES and _MENDED_ISSUE.search(commit.body):
        return True
    first = next(iter(blocks(commit.body[:MOST_READ])), None)
    return first is not None and first.kind == "prose" and _MENDED.match(first.text) is not None


def _says(pattern: re.Pattern[str], low: str) -> bool:
    """Whether a title, in small letters, begins so, or what stands behind a colon in it."""
    return bool(pattern.match(low) or (": " in low and pattern.match(low.partition(": ")[2])))


def is_security(commit: Commit) -> bool:
    """Whether a message says that its commit mends what endangers users."""
    said = _SECURITY.search(heading_of(commit).line.lower()) or _FORK.search(commit.subject)
    return bool(said or _ADVISORY.search(commit.body[:MOST_READ]))


def says_sort(label: str) -> bool:
    """Whether a tag or a prefix says only of what sort a change is, or is a ticket's number; nothing does so, too."""
    return not label or label.casefold() in SORTS or _TICKET.fullmatch(label) is not None


def says_nothing(words: str) -> bool:
    """Whether a title alone tells a reader nothing: "Small fixes", a bare name."""
    return len(words.split()) < 2 or _NOTHING.fullmatch(words.strip(" .!").lower()) is not None


def _names_nothing(words: str) -> bool:
    """Whether a title has only words that stand in titles of everything ("Fix return type"), or "Fix" and one word."""
    return _FIXES_ONE.fullmatch(words.lower()) is not None or all(
        stem(one) in EVERYDAY or one.isdigit() for one in words_of(words)
    )


def is_grave(words: str) -> bool:
    """Whether a title speaks of a crash, a race, lost data or the like."""
    return _GRAVE.search(words.lower()) is not None


def _weight(change: Change, title: Title, chore: str, sort: Sort, must: float) -> float:
    """How much a reader would notice of a change."""
    lead, words, low, paths = change.lead, title.words, title.low, [one.path for one in change.lead.files]
    if (says_nothing(words) or (not title.labels and _names_nothing(words))) and sort != "security":
        return 0
    product = [one for one in lead.files if is_of_product(one.path) and not _of_tools(one.path)]
    lines = sum((one.additions or 0) + (one.deletions or 0) / 4 for one in product)
    said = _says(_MAKES, low)
    makes = said or any(one.state == "added" and (one.additions or 0) > FEW_LINES for one in product)
    weight = A_LINE * min(lines, MOST_LINES if makes else FEW_LINES)
    weight += 300 * bool(measured(change))
    weight += 120 * bool(_GRAVE.search(low)) + 40 * (sort == "fixed")
    weight += 120 * any(map(_of_notes, paths))
    weight += 100 * (bool(lines) and any(map(_of_examples, paths))) + 100 * bool(_CLOSES.search(lead.body))
    weight += 60 * said
    named = sum(map(is_identifier, words_of(words)))
    if 2 * named > len(words.split()):
        weight /= 2
    if sort == "new" and _OF_CODE.search(low):
        weight *= 0.4
    if not title.labels and sort != "security" and _BARE.fullmatch(words):
        weight /= 8
    if sort == "cleaning" or _says(_REMAKES, low):
        weight *= 0.3 if sort == "cleaning" else 0.5
    if chore or (paths and all(place_of(one) in ("test", "docs") for one in paths)):
        weight *= 0.05
    return weight + must


# --- what is one


def things_of(
    changes: Sequence[Change],
    of: Mapping[str, Judgement],
    by: Mapping[str, str],
    merges: Mapping[Key, Commit],
) -> list[TeamThing]:
    """The things of a team's changes, each change in exactly one, the heaviest first: what came by one pull request, or
    topic merge with a title of its own; of one author and sort, what `pieces_of` takes for one. What readers must act
    on stands alone unless all of it is; and so does what was ever taken out. `of` is what is decided of each by itself,
    `by` says whose a change is, `merges` are the topic merges by repository and SHA."""
    new_paths = _new_paths(changes)
    order = {one.id: (-of[one.id].weight, one.lead.written) for one in changes}
    brought: dict[Key, list[Change]] = defaultdict(list)
    alike: dict[tuple[object, ...], list[Change]] = defaultdict(list)
    crowds = _crowds(changes, by, merges)
    for one in sorted(changes, key=lambda one: order[one.id]):
        together = crowds.get(one.id) or _came_with(one, merges)
        # What was taken out stands alone, but for what came and went within one pull request.
        if (of[one.id].sort == "out" or events_of(one)) and not (together in merges and _stays_inside(one)):
            together = None
        if together:
            brought[together].append(one)
        else:
            alike[_apart(one, of[one.id], by)].append(one)
    found = []
    for key, some in brought.items():
        merge = merges.get(key)
        own = judge(_whole(merge, some), new_paths) if merge and len(some) > 1 else of[some[0].id]
        is_whole = own.sort == "act" or some[0].id in crowds
        left = some if is_whole else [one for one in some if of[one.id].sort != "act"]
        if len(left) > 1:
            sorts = Counter(of[one.id].sort for one in left if not of[one.id].chore)
            if sorts["security"]:
                own = replace(own, sort="security")
            elif own.sort == "new" and 2 * sorts["fixed"] > sorts.total():
                own = replace(own, sort="fixed")
            if merge and some[0].id in crowds and _own_title(merge) is None:
                said = Title(f"Merged: {branch_of(merge)}")
                own = Judgement(said, "", "new", sum(of[one.id].weight for one in some))
            found.append(TeamThing(tuple(left), own, merge or left[0].lead, is_of_many=left[0].id in crowds))
        for one in some:
            if len(left) < 2 or one not in left:
                alike[_apart(one, of[one.id], by)].append(one)
    weights = {one.id: of[one.id].weight for one in changes}
    for piece in (one for some in alike.values() for one in pieces_of(some, {}, weights)):
        some = sorted(piece.changes, key=lambda one: order[one.id])
        found.append(TeamThing(tuple(some), of[some[0].id], some[0].lead, piece.title, len(some) - 1))
    return sorted(found, key=lambda one: (-one.judged.weight, one.lead.lead.written))


def _whole(merge: Commit, changes: Sequence[Change]) -> Change:
    """What a merge brought, as one change with its message."""
    files = tuple(file for one in changes for file in one.lead.files)
    commit = replace(merge, parents=merge.parents[:1], files=files)
    decision = decided(commit)
    return Change(merge.sha, (commit,), decision.kind, is_sure=decision.is_sure)


def _crowds(changes: Sequence[Change], by: Mapping[str, str], merges: Mapping[Key, Commit]) -> dict[str, Key]:
    """Of what is told as one whatever it is, by id, the merge that brought it: many changes, of many people or from a
    branch that lived apart for long."""
    of: dict[Key, list[Change]] = defaultdict(list)
    for one in changes:
        of[one.lead.repository, one.lead.via or ""].append(one)
    return {
        one.id: key
        for key, some in of.items()
        if key in merges
        and len(some) > ALONE
        and (
            len({by.get(one.id) for one in some}) > PEOPLE
            or merges[key].came - sorted(one.lead.author.at for one in some)[len(some) // 2] > APART
        )
        for one in some
    }


def branch_of(merge: Commit) -> str:
    """What a merge brought, as it calls it: a branch, where it names one."""
    title = heading_of(merge).title
    if not (named := _BRANCH.match(merge.subject)):
        name = title.removeprefix("Merge ")
    else:
        name = named[2] if named[2] and named[1] in ("main", "master") else named[1]
    return shortened(clean(name))


# "Merge branch 'beta'", "Merge remote-tracking branch 'origin/beta'", "Merge pull request #7 from ada/beta"
_BRANCH = re.compile(r"Merge (?:[^']*'(?:origin/)?|pull request #\d+ from [^/\s]+/)([^'\s]+)'?(?: into '?([^'\s]+))?")


def _own_title(merge: Commit) -> str | None:
    title = heading_of(merge).title
    return None if title.startswith("Merge") or title.endswith(("…", "..")) or says_nothing(title) else title


def _came_with(change: Change, merges: Mapping[Key, Commit]) -> Key | None:
    """By what a change came with others: a topic merge that has a title of its own, and the whole of it; or the number
    of its pull request."""
    lead = change.lead
    merge = merges.get((lead.repository, lead.via or ""))
    if merge and _own_title(merge):
        return merge.key
    numbers = heading_of(lead).numbers
    return (lead.repository, numbers[-1]) if numbers else None


def _stays_inside(change: Change) -> bool:
    """Whether all that became of a change came with it to the default branch."""
    return all(event.commit.via == change.lead.via for event in events_of(change))


def _apart(change: Change, it: Judgement, by: Mapping[str, str]) -> tuple[object, ...]:
    """Equal of changes of which one may be like the other."""
    is_alone = it.chore or it.sort in ("security", "out") or events_of(change)
    return (change.id,) if is_alone else (by.get(change.id, ""), it.sort, it.chore)


@dataclass(frozen=True, slots=True)
class Piece:
    """Changes that a reader takes for one, in the order in which their `title` names them: verbatim that of the one
    that speaks for them, `lead`, or the words that their titles share with those in which they differ."""

    changes: tuple[Change, ...]
    title: str  # empty: that of `lead`
    lead: Change
    notice: float
    topic: Commit | None = None  # the merge by whose title they are called


def pieces_of(changes: Sequence[Change], topics: Mapping[Key, Commit], notices: Mapping[str, float]) -> list[Piece]:
    """What is one thing: what came by one topic merge, what has one title but for its place in a series, and titles
    that differ in one word. Most noticed first, by how much a reader would notice of each change."""
    if len(changes) == 1 and not topics:  # as most
        return [Piece(tuple(changes), "", changes[0], notices[changes[0].id])]
    found = list[Piece]()

    def add(some: Sequence[Change], title: str, lead: Change, topic: Commit | None = None) -> None:
        notice = max(notices[one.id] for one in some) + 10 * min(len(some) - 1, 6)
        found.append(Piece(tuple(some), title, lead, notice, topic))

    left = sorted(changes, key=lambda one: one.lead.written)
    of_topic: dict[Key, list[Change]] = defaultdict(list)
    for change in left:
        key = change.lead.repository, change.lead.via or ""
        if key in topics and not change.title:
            of_topic[key].append(change)
    for key, some in of_topic.items():
        if len(some) > 1 or says_nothing(title_said(some[0]).words):
            lead = max(some, key=lambda one: notices[one.id])
            add([lead, *(one for one in some if one is not lead)], title_of(topics[key]).words, lead, topics[key])
    taken = {one.id for thing in found for one in thing.changes}
    left = [one for one in left if one.id not in taken]
    series: dict[object, list[Change]] = defaultdict(list)
    for change in left:
        series[_place_in_series(change)].append(change)
    for some in series.values():
        if len(some) > 1:
            lead = max(some, key=lambda one: notices[one.id])
            if title_said(lead).issue:  # of which the first change says most
                lead = next((one for one in some if notices[one.id]), lead)
            words = title_said(lead).words
            add(some, _COUNTED.sub("", words) or words, lead)
    for some, title in _alike([some[0] for some in series.values() if len(some) == 1], notices):
        add(some, title, some[0])
    return sorted(found, key=lambda one: (-one.notice, one.lead.lead.written))


_COUNTED = re.compile(r"[,(\[ ]+(?:(?:pt\.?|part|step|phase) ?\d{1,3}|\d{1,3}/(?:\d{1,3}|n))[)\]]?$", re.IGNORECASE)


def _place_in_series(change: Change) -> object:
    """Equal of titles that are the same but for a number at their end or in brackets before them, and of those that
    begin with the number of one issue."""
    title = title_said(change)
    if title.issue:
        return change.lead.repository, title.issue
    words = _COUNTED.sub("", title.words).casefold()
    return (change.lead.repository, folded(" ".join(title.labels)), words) if len(words.split()) > 1 else change.id


def _alike(changes: Sequence[Change], notices: Mapping[str, float]) -> Iterator[tuple[list[Change], str]]:
    """Titles that differ in one word behind the first, together with what they say at once; and all others alone."""
    by_frame: dict[tuple[str, ...], list[tuple[Change, str]]] = defaultdict(list)
    for change in changes:
        title = title_said(change)
        words = title.words.split()
        if change.title or not (2 <= len(words) <= 12) or (len(words) < FEWEST_WORDS and not title.prefix):
            continue
        if measured(change):  # of this one alone
            continue
        for at in range(1, len(words)):
            if not _is_common(words[at]):
                frame = (change.lead.repository, folded(" ".join(title.labels)), *words[:at], "", *words[at + 1 :])
                by_frame[frame].append((change, words[at]))
    taken = set[str]()
    for frame, every in sorted(by_frame.items(), key=lambda one: -len(one[1])):
        some = [(change, word) for change, word in every if change.id not in taken]
        is_telling = len(frame) - 2 > FEWEST_WORDS or all(is_identifier(word) for _, word in some)
        if len(some) < (2 if is_telling else 3):
            continue
        some.sort(key=lambda one: (-notices[one[0].id], one[0].lead.written))
        names = list(dict.fromkeys(word.rstrip(",") for _, word in some))
        most = MOST_NAMES if len(names) > MOST_NAMES + 1 else len(names)
        shown = [*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])]
        at = frame.index("", 2)
        taken |= {change.id for change, _ in some}
        yield [change for change, _ in some], " ".join((*frame[2:at], listed(shown), *frame[at + 1 :]))
    yield from (([one], "") for one in changes if one.id not in taken)


def _is_common(word: str) -> bool:
    return len(word) > 2 and word.islower() and stem(word) in EVERYDAY and word not in ("go", "c")


def _has_product(commit: Commit) -> bool:
    return any(is_of_product(one.path) for one in commit.files)


def opened(commit: Commit) -> str:
    """What the fix of an advisory did, by the body: a forge gave it no title. Empty for other commits."""
    lines = [one.strip("*- ") for one in commit.body.split("\n") if one.strip()]
    fixes = (one for one in lines if _FIXES.match(one.lower()))
    return next(fixes, lines[0] if lines else "") if _FORK.search(commit.subject) else ""


def said_breaking(commit: Commit) -> str:
    """The first sentence of what a body says is broken; empty where it says nothing of it."""
    found = _BREAKS_IN_BODY.search(commit.body)
    for block in blocks(commit.body[found.end() :]) if found else ():
        return next(iter(sentences(block.text)), "")
    return ""
