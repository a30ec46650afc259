"""A commit → what kind of work it is, whether it is only counted, and by which rule; and of what sort posts tell a
change. Decided once, here, by closed lists over its title, its body and its paths: lists, months, posts and exports all
go by it. Pure.

Rules are tried in order until one decides. What a commit says outright and where its files are come before what its
words hint at. No rule counts lines, so that a month reads the same before and after its lines are counted. How often
each rule is right: docs/months.md. Patterns are held against text in small letters, which takes half of the time that
re.I does.
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
MOSTLY = 3 / 4  # of its files: so many of the build make a change one of it that says so
FEW, MANY = 3, 8  # files of source that a repair touches at most: without tests beside it, and with them
MUST, SHOULD = 800, 600  # how heavily a reader must act on what breaks or changes by itself, and on what goes
VERSIONS = "bumps and versions"
# What is only counted, by its kind; formatting, translations and benchmarks are of none of their own.
CHORES: Mapping[Kind, str] = {"test": "tests", "docs": "docs", "ci": "CI", "build": "build", "release": VERSIONS}
_KINDS: Mapping[str, Kind] = {chore: kind for kind, chore in CHORES.items()} | {VERSIONS: "build"}


class Decision(NamedTuple):
    """A commit's kind, the name of the rule that decided it, and as what it is only counted: "tests", "docs", "CI",
    "translations", "formatting", "bumps and versions", "benchmarks", "build"; empty for work of the product.

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
    last = f"{verb[-1]}?" if verb in ("drop", "split", "log", "set") else ""
    return f"{verb}(?:e?s|{last}ed|{last}ing)?"


_LABELS: Mapping[Kind, str] = {
    "feature": "feat feature", "performance": "perf performance", "refactor": "refactor refac cleanup",
    "build": "build",
}  # fmt: skip
_LABELLED = {label: kind for kind, labels in _LABELS.items() for label in labels.split()}
_CHORE_LABELS = {
    "docs": "docs doc documentation book readme changelog release-notes licenses license example examples",
    "benchmarks": "bench benches benchmark benchmarks",
    "tests": "test tests testing testscripts testutil fuzz e2e",
    "CI": "ci workflows workflow",
    "formatting": "lint lints format formatting style",
    VERSIONS: "deps dependencies chore(deps) deps-dev vendor",
    "translations": "translation translations i18n l10n",
}
_COUNTED = {label: chore for chore, labels in _CHORE_LABELS.items() for label in labels.split()}
_PLACES: Mapping[Place, str] = {"ci": "CI", "docs": "docs", "test": "tests"}
_SECURITY_LABELS = frozenset({"security", "sec"})
_TICKET = re.compile(r"[A-Z]-?\d{3,}|[A-Z]{2,10}-\d{3,}")  # MSC4140 is what somebody specified
_REVERT = re.compile(UNDO + NO_UNDO)
_NUMBER = r"v?\d+\.\d[\w.+-]*"
_RELEASE = begins(
    "",
    rf"(?:@?[\w/.-]+@|(?:release|version|tag|cut|publish)\w*:?\s+(?:the\s+|version\s+|@?[\w/.-]+[@ ])?)?{_NUMBER}"
    r"(?:\s+release)?(?=\s*(?:[\[(]|$))",
    rf"cut\s+(?:(?:[\w-]+\s+)?(?:version|release)\s+)?{_NUMBER}",
    r"version packages$",
    rf"prep(?:are|aring)?\b[^.]*?\b(?:release|{_NUMBER})",
    r"(?:bump|update|set|changed?|increment)\w*\s+(?:the\s+)?(?:(?:development|package|main|release)\s+)*versions?"
    r"(?=\s*(?:(?:to|from|and|number)\b|v?\d|[(\[#:-]|$))",
)

# A note of the changelog, as towncrier has them, is named after the kind that its author says the change is.
_NOTE = re.compile(r"(?:^|/)(?:changelog\.d|news(?:fragments?)?)/[^/]+?\.([a-z]+)(?:\.\d+)?(?:\.(?:md|rst|txt))?$")
_NOTED: Mapping[str, Kind] = {"feature": "feature", "bugfix": "fix", "bug": "fix", "doc": "docs", "docs": "docs"}

# --- what is only counted

_TRANSLATED = re.compile(
    r"\.(?:po|pot|xlf|xliff|catkeys|ftl|arb|resx)$|"
    r"(?:^|/)(?:locales?|translations?|catalogs|i18n|l10n|lang|localization)/.*\.(?:json|ya?ml|properties|xml|strings)$",
    re.I,
)
_NAMES_CI = re.compile(r"\bCI\b")
_BUMPS = re.compile(
    r"(?:bump|upgrade|pin|update)\w*\b.{0,60}(?:\d+\.\d|\b(?:dependenc\w+|deps|versions?|lock ?files?|submodules?)\b)"
    r"|(?:bump|upgrade|pin)(?:s|ed|ing)? [\w@./-]+$"
)
_LINTERS = (
    r"(?:ameba|biome|black|clang-(?:format|tidy)|clippy|eslint|flake8|gocritic|gofmt|golangci-lint|go ?vet|isort|mypy|"
    r"phpstan|pre-commit|prettier|pylint|pyre|revive|ruff|rustfmt|staticcheck|usort)"
)
_A_LINTER = re.compile(rf"(?:.*/)?(?:{_LINTERS}|.*lint.*|rubocop.*)")  # in such a repository they are the work
_LINTS = re.compile(
    rf"(?:cargo )?(?:fmt|{_LINTERS})!?(?: [+&]|,|$| fix(?:es)?\b)|lint(?:s|ing|er)?\b(?!/)"
    r"|(?:\S+ ){0,4}(?:address|appease|apply|bump|enable|enforce|fix|format|make|run|silence|update|upgrade)\w*\b"
    rf".{{0,60}}\b(?:lint\w*|{_LINTERS})\b(?!/)"
)
_DOCS = (
    r"(?:(?:js|php|go|java)?docs?|documentation|man ?pages?|doc[ -]?(?:string|block)s?|readme|typos?|[\w-]+\.md|"
    r"changelogs?|changes entr(?:y|ies)|(?:release[ -]|breaking[ -]changes? )notes?)"
)
# What titles say outright; the first that fits decides. Without one of the words no such pattern fits: to look for
# them takes a tenth of the time.
_SAYS = [
    (chore, words.split(), re.compile(pattern)) for chore, words, pattern in (
        (VERSIONS, "version dep update squashed .",
         r"(?:bump|set|prepare|increase|increment|release)\w*\b.{0,40}\bversions?\b.{0,30}\d"
         r"|(?:bump|release|prepare|start|begin)(?:s|ing)?\b.{0,20}\bv?\d+\.\d|update module |version \S+ placeholder"
         r"|squashed '[^']+' (?:changes|content) from\b|(?:update|upgrade|bump)\w* (?:\w+ ){0,3}dependenc"
         r"|(?:\w+ ){0,2}dep(?:s|endenc\w+)? (?:update|upgrade|bump)"),
        ("tests", "test",
         r"(?:add|enable|disable|skip|fix|resolve|update|extend|improve|refactor|rewrite|clean up|more|missing|move|"
         r"cover|remove)\w*\s+(?:[\w`/.-]+ ){0,5}tests?(?: cases?| coverage| suite| fail\w*| flak\w*)?"
         r"(?:(?: (?:for|that|which|of|in|to|on|assert\w+|check\w*)\b|,).*)?$"
         r"|.{0,60}\btests? fix(?:es)?$|fix\w* (?:\S+ ){0,5}(?:unit)?tests?\b"
         r"|(?:stub|mock|fake)\w* .{1,40} (?:for|in) tests?$"
         r"|test(?:s|ing)? (?!support|mode|util|framework|infra|helper|harness|data|runner|case|suite)"),
        ("docs", "doc change release man readme typo .md clarif note example guide cross comment",
         r"(?:add|adjust|better|clarif|clean|correct|edit|enhance|expand|extend|fix|improve|missing|more|move|prepare|"
         rf"remove|tweak|updat|write)\w*\b.{{0,50}}\b{_DOCS}(?: comments?| links?| files?| formatting| entr(?:y|ies))?"
         r"(?:(?: (?:about|and|for|in|of|on|to|with)\b|[,:]).*)?$|(?:changelog|readme) fix(?:es)?\b|typos?\b"
         r"|(?:add|fix|improve|update)\w* (?:an? |the |some )?(?:\S+ )?"
        r"(?:notes?|examples?|guides?|cross-references?) (?:about|for|in|of|on|to)\b"
        r"|(?:add(?:s|ed)?|(?:fix|correct|update)\w*) .{0,60}\bcomments?(?: (?:in|to) \S+\.\w+)?$"
         r"|document(?:s|ed|ing)? (?!\S*(?:highlight|symbol|link|format|colo))|(?:\w+ )?documentation\b(?! support)"
         r"|clarif\w+ (?:that\b|(?!.*\b(?:errors?|messages?|output|logs?)\b))"),
        ("formatting", "indent warning violation format fmt typo spelling copyright whitespace header",
         r"fix (?:formatting|indentation)$"
         r"|.{0,40}\b(?:(?:run|apply) .{0,30}(?:\bformat\w*|fmt\b)|reformat\w*|typos?|spelling|"
         r"copyrights?|(?:fix|remove|trim|clean\w*|trailing) .{0,30}whitespace|licen[sc]e headers?)\b"
         r"|fix\w*\b.{0,40}\b(?:compil\w+|gcc|clang|build|deprecation|shellcheck) (?:warnings?|violations?)\b"),
    )
]  # fmt: skip

# --- repairs

_FAULT = (
    r"(?:crash|segfault|panic|deadlock|corrupt|(?:int)?overflow|leak)\w*(?! docs?\b)|hangs?|data loss|lost|losing|"
    r"nans?|(?<!-)races?|oob|(?:wrong|incorrect) (?:result|answer|value|output)s?|undefined (?:value|behaviou?r)s?|"
    r"infinite (?:loop|recursion)s?|use[- ]after[- ]free|out[- ]of[- ]bounds|bounds checks?|kdl"
)
_GRAVE = re.compile(rf"\b(?:{_FAULT})\b")
# What a title names that is no such fault for sure, but mended where it makes, changes and moves nothing.
_NAMES_FAULT = re.compile(
    rf"\b(?:{_FAULT}|bugs?(?: in\b|$)|proper(?:ly)?|correctly|(?:incorrect|wrong)(?:ly)?|"
    r"regression(?! (?:test|model|loss|metric|unit))|"
    r"should(?! have\b| be (?:const|static|final|private|public|nodiscard)\b)(?:n['’]t| not)?)\b"
)
_FIX = re.compile(r"\b(?<!pre)(?:bug ?)?fix(?:e[sd])?(?![ -](?:point|size|length|format))\b")
FIXES = re.compile(
    r"(?:(?:bug|hot)?[ -]?fix|correct|repair|prevent|preserve|restore)(?:e?s|e?d|ing)?\b"
    r"(?![- ](?:point|size|width|length)\b)"
    r"|add(?:s|ed|ing)? (?:an? |the )?(?:missing|(?:null|nil) checks?)\b"
    r"|(?:stop|do not|don['’]t|no longer|never) (?:drop|error|ignor|skip|swallow|abort|treat|truncat)\w*\b"
    r"|(?:avoid|handle|reject|stop|do not|don['’]t|no longer|guard|protect|never|ensure|respect)\w*\b"
    rf".{{0,80}}\b(?:{_FAULT}|lose|fail\w*|wrong|incorrect)\b"
    rf"|.{{0,80}}\bto (?:prevent|avoid)\b.{{0,40}}\b(?:{_FAULT})\b"
)
_MENDED_ISSUE = re.compile(r"\bfix(?:e[sd])?\b:?\s+(?:[^\s/#]+/[^\s/#]+)?#\d+", re.I)

# --- the rest of the work, by its verb

_FASTER = begins(
    "",
    r"optimi[sz](?:e|es|ed|ing|ations?)(?! (?:state|hyper))", r"speed(?:s|ed|ing)?[ -]?up",
    r"(?:improv|boost|increas)\w*\b.{0,60}\b(?:perf|performance|speed|throughput|latency|efficiency)",
    r"reduc\w+\b.{0,40}\b(?:latency|overhead|runtime|memory (?:usage|footprint)|allocations?|cop(?:ies|ying))",
    r".{0,200}\b(?:\dx (?:faster|speed-?up)|for (?:better )?perf(?:ormance)?|"
    r"perf(?:ormance)? (?:optimi[sz]ations?|improvements?))",
)  # fmt: skip
MAKES = begins(
    "allow create enable export expose extend implement introduce provide show support",
    "new",
    r"add(?:s|ed|ing)?(?! (?:an? |the |some )?(?:missing|checks?|comments?|notes?|warnings?|assertions?|logging)\b)",
)
OFFERS = re.compile(r".{0,80}\b(?:options?|support)\b")
_TYPES = r".{0,60}\b(?:type (?:annotations?|hints?|safety)|typing)\b"  # of the code, which only a checker reads
_OF_TYPES = re.compile(_TYPES)
_CLEANS = re.compile(
    rf"{_TYPES}"
    r"|(?:rename|move(?!\w* average)|reorder|extract|simplif|refactor|clean|tidy|inline|reorgani[sz]|restructur|"
    r"deduplicat|consolidat|split|silence)\w*\b"
    r"|(?:make|turn|mark)\w* .{1,60}\b(?:fallible|private|public|internal|static|const)\b(?! api)"
    r"|.{0,60}\b(?:(?:remove|avoid|reduce) duplicat\w+|unused|dead code|clean[- ]?ups?|refactor(?:ing|s|ed)?|typos?|"
    r"redundant|docstrings?|readability|naming|whitespace|abstractions?)\b"
)
_REARRANGES = begins(
    "remove delete drop deprecate modernize dedup convert flatten reuse align apply turn switch define separate "
    "generalize isolate encapsulate standardize unify hoist decouple centralize replace rewrite rework port migrate",
    "get rid of", r"break (?:up|down|out)", "factor out", r".{0,60}\bin favou?r of",
)  # fmt: skip
REMAKES = re.compile(r"(?:replace|rewrite|rework|port|migrate)")  # and so a reader may notice it
_USES = begins(
    "use change update improve switch set bump upgrade mark stabilize display log report reduce require crash"
)

# --- what readers must act on, and what says nothing

_SECURITY = re.compile(
    r"\b(?:cve-\d{4}|ghsa-\w{4})|\bsecurity (?:fix|issue|advisor|patch(?! version))|\bvulnerab|\bmalicious\b|"
    r"\bleak\w* .{0,40}\b(?:credential|password|secret)|"
    r"\b(?:path|directory) tra\w{0,2}vers|\b(?:sql|command|code|header) injection|"
    r"\bprivilege escalation"
)
_ATTACK = re.compile(r"\b(?:xss|csrf|ssrf)\b")  # beside which code is cleaned up, too
_ADVISORY = re.compile(  # in a body
    r"\b(?:cve-\d{4}-\d|ghsa(?:-\w{4}){3})|\battackers?\s+(?:can|could|may|might)\b"
)
_BREAKS = re.compile(r"[\w ()/.,*-]{1,60}!(?:\([^()]*\))?:\s|\W*breaking\b\W*[:\]]|.*\bbreaking change\b", re.I)
BREAKS_IN_BODY = re.compile(
    r"^[^\w\n]*BREAKING[ -]CHANGES?\b\W*"
    r"|^(?i:#{1,6} *break(?:ing)?[ -]changes?:?[ \t]*$)\s*(?!(?i:[\W_]*(?:no|none|n/?a|nothing|false)\b|#))(?=\S)",
    re.M,
)
_NOTE_BREAKS = re.compile(  # a note of towncrier or reno that is filed under what breaks
    r"(?:^|/)(?:news\w*|changes?|changelog\.d|release[-_]?notes?)/.*\.(?:breaking|removal|deprecation|incompat\w*)\b",
    re.I,
)
_DEFAULT = re.compile(
    r"(?:(?:re-?)?(?:enable|disable)|turn|use|set|build|allow)\w*\b.{1,80}\bby default\b"
    r"|(?:flip|change|switch|stabilize)\w*\b.{1,60}\bdefaults?\b(?! (?:constructor|branch|impl))"
    r"|add\w* .{1,60} to (?:the )?defaults$"
    r"|.{0,60}(?<![-_.\w])(?<!should )defaults? (?:is |are |now )?to (?!\w+ing\b)|defaults? \w+ ?="
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
_NOTHING = re.compile(
    r"(?:(?:some|minor|small|more|further|various|misc\w*|few|several|a|the|tiny|other|final|follow[- ]?up)\s+)*"
    r"(?:bug ?)?(?:fix(?:es|ed|ups?)?|updates?|changes?|clean[- ]?ups?|improvements?|tweaks?|work|wip|typos?|"
    r"refactor(?:ing)?|comments?|adjustments?|revert\w*|formatting)(?:\s+(?:(?:for|in|of|on|to|from|after)\s+)?(?:the\s+)?"
    r"(?:tests?|ci|build|(?:code[- ]?)?reviews?(?: comments)?|lint\w*|style|comments?|feedback|code|warnings?|errors?|"
    r"docs?))?"
    r"|(?:various|several|some|more|multiple|misc\w*|minor|small|tiny)\b.{0,40}\b(?:fixes|improvements?|updates?|changes|"
    r"tweaks|clean[- ]?ups?)(?: (?:for|in|of|to|and)\b.{0,60})?"
    r"|(?:backport|port|cherry[- ]pick)\w* (?:changes? |pull request |pr )?(?:from |of )?#?\d*(?: from \S+)?"
    r"|\w+ (?:fix(?:es)?|updates?|changes?|tweaks?|improvements?)|fix\w* (?:bugs?|#\d+)"
    r"|(?:address|apply|resolve)\w* .{0,20}\b(?:reviews?|comments?|feedback|suggestions?|conflicts?)\b.*"
    r"|merge (?:\S+$|['\"]|(?:branch|commit|pull|pr|remote|tag|from|into|with|main|master|develop|upstream|origin)\b)"
    r".{0,80}|update (?:\S+/.*|[\w-]+)\.[a-z]{1,5}"
    r"|(?:proof[- ]of[- ]concept|poc|wip|draft)\b(?! (?:mode|releases?)).*"
    r"|initial (?:commit|import|work|version|implementation)|revert \S*\d"
    r"|(?:clean\w*(?:[- ]?up)?|fix\w*|finish) (?:the )?(?:previous|last|earlier) (?:pr|commit|patch|change|merge)s?"
)


def says(pattern: re.Pattern[str], low: str) -> bool:
    """Whether a title, in small letters, begins so, or what stands behind a colon in it."""
    return bool(pattern.match(low) or (": " in low and pattern.match(low.partition(": ")[2])))


# --- a commit → its kind


class _Clues(NamedTuple):
    """What the rules look at: a title in parts, and in small letters what it is filed under, its words, and what stands
    behind a colon in them; the body; how many files are in each place, a moved one where it was and where it is; and
    how many more source files there are than before (`new`)."""

    commit: Commit
    title: Title
    labels: Sequence[str]
    low: str
    rest: str
    body: str
    places: Mapping[Place, int]
    new: int

    def says(self, *patterns: re.Pattern[str]) -> bool:
        for one in patterns:  # noqa: SIM110  # `any` takes twice as long, and this runs a dozen times for each commit
            if one.match(self.low) or (self.rest and one.match(self.rest)):
                return True
        return False

    def holds(self, pattern: re.Pattern[str]) -> bool:
        return pattern.search(self.low) is not None

    @property
    def is_small(self) -> bool:
        """As a repair is: it adds no source and touches little of it."""
        return self.new <= 0 and self.places.get("source", 0) <= (MANY if "test" in self.places else FEW)

    @property
    def is_whole(self) -> bool:
        """Whether it is in new files, or with tests and documents."""
        return self.new > 0 or ("test" in self.places and "docs" in self.places)


def decided(commit: Commit) -> Decision:
    """The kind of one commit's work, which rule decided it, and whether that is sure. What takes something out, or
    brings it back, is counted as what that is."""
    title = unprefixed(parts_of(_work_of(commit)[0]))
    files = commit.files[:MAX_FILES]
    low = title.low[:MAX_SUBJECT]
    labels = [one.casefold() for one in (title.kind, *title.labels) if one]
    rest = low.partition(": ")[2]
    clues = _Clues(commit, title, labels, low, rest, commit.body[:MAX_BODY], _places(files), _new_source(files))
    if references_of(commit).does == "reverts" or clues.says(_REVERT):
        counted = _counted(clues)
        return Decision("revert", "says that it reverts", is_sure=True, chore=counted.chore if counted else "")
    return _noted(commit) or _counted(clues) or _labelled(clues) or _repairs(clues) or _makes(clues)


def note_kinds(commit: Commit) -> list[str]:
    """What the notes of the changelog that a commit adds say of its kind: "feature", "bugfix", "misc" …"""
    added = (one.path for one in commit.files[:MAX_FILES] if one.state == "added")
    may_be = (path for path in added if "news" in path or "changelog.d" in path)  # as few
    return [found[1] for path in may_be if (found := _NOTE.search(path))]


def _noted(commit: Commit) -> Decision | None:
    """As its author files a change of the product: of several notes as what comes first."""
    said = note_kinds(commit)
    if not said or not work_files(commit):  # as most
        return None
    kind = next((kind for name, kind in _NOTED.items() if name in said), None)
    chore = CHORES.get(kind, "") if kind else ""
    return Decision(kind, "says its kind in a note of the changelog", is_sure=True, chore=chore) if kind else None


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


def _only(chore: str, rule: str, *, is_sure: bool = False) -> Decision:
    return Decision(_KINDS.get(chore, "chore"), rule, is_sure, chore)


def _counted(clues: _Clues) -> Decision | None:
    """What is only counted: as a commit says outright, by where its files are, or by the words of its title."""
    places = clues.places
    if places.keys() == {"version"}:
        return Decision("release", "changes the version alone", is_sure=True, chore=VERSIONS)
    if clues.title.kind.casefold() == "release" or clues.says(_RELEASE):
        return Decision("release", "says that it releases", is_sure=True, chore=VERSIONS)
    for label in clues.labels:
        found = _COUNTED.get(label.partition("/")[0].removesuffix(".txt"))
        # A folder may be called "dependencies", too.
        if found and not (found == VERSIONS and "build" not in places and product_files(clues.commit)):
            decision = _only(found, "says its kind in a prefix or a tag", is_sure=True)
            return decision._replace(kind="refactor") if label == "style" else decision
    if len(places) == 1 and (chore := _PLACES.get(next(iter(places)))):
        return _only(chore, "touches only CI, only documents or only tests", is_sure=True)
    return _counted_by_words(clues)


def _counted_by_words(clues: _Clues) -> Decision | None:
    places, low, paths = clues.places, clues.low, [file.path for file in clues.commit.files]
    if paths and all(map(_TRANSLATED.search, paths)) and not FIXES.match(low):
        return _only("translations", "touches only translations")
    is_labelled = any(map(_LABELLED.get, clues.labels))
    is_of_ci = "ci" in places or (paths and not product_files(clues.commit))
    if is_of_ci and not is_labelled and _NAMES_CI.search(clues.title.words):
        return _only("CI", "names CI")
    for chore, words, pattern in _SAYS:
        if any_of(words, low) and clues.says(pattern):
            if chore == "docs" and (is_labelled or clues.holds(_GRAVE)):
                continue  # it is work
            return _only(chore, f"says that it is of {chore}")
    if clues.says(_LINTS) and not _A_LINTER.fullmatch(clues.commit.repository.lower()):
        return _only("formatting", "says that it is of a linter")
    if clues.says(_BUMPS) and ("build" in places or (paths and "source" not in places)):
        return _only(VERSIONS, "says that it updates a dependency")
    is_of_build = "build" in clues.labels and len(work_files(clues.commit)) <= (1 - MOSTLY) * len(paths)
    if paths and (is_of_build or all(is_upkeep(one) or place_of(one) in ("build", "docs", "note") for one in paths)):
        return _only("build", "touches only what the project is kept with")
    if paths and "source" not in places and not is_labelled:
        most = max(sorted(places), key=lambda place: places[place])
        if most != "settings":  # they may be the product's own
            return _only(_PLACES.get(most, "build"), "touches no source")
    return None


def is_fault(label: str) -> bool:
    """Whether a prefix or a tag says that something is repaired."""
    return label.casefold().startswith("bug") or label.casefold().endswith("fix")


def _labelled(clues: _Clues) -> Decision | None:
    """What says its kind in a prefix or a tag."""
    kind = next((kind for one in clues.labels if (kind := _LABELLED.get(one))), None)
    if any(map(is_fault, clues.labels)):
        kind = "fix"
    return Decision(kind, "says its kind in a prefix or a tag", is_sure=True) if kind else None


def _repairs(clues: _Clues) -> Decision | None:
    if clues.says(FIXES) and not clues.says(_OF_TYPES):
        if clues.is_small and ("test" in clues.places or clues.holds(_NAMES_FAULT)):
            return Decision("fix", "repairs, with tests or a fault that it names", is_sure=True)
        return Decision("fix", "begins with a verb of repair")
    if clues.says(MAKES, OFFERS, _CLEANS, _USES, _FASTER):
        return None
    if clues.is_small and (clues.holds(_NAMES_FAULT) or clues.holds(_FIX)):
        return Decision("fix", "names a fault", is_sure=True)
    subject, ends = clues.commit.subject, clues.says(_REARRANGES)
    closed = _MENDED_ISSUE.search(f"{subject}\n{clues.body}") if "#" in f"{subject}{clues.body}" and not ends else None
    if closed and (clues.is_small or _MENDED_ISSUE.match(subject)):
        return Decision("fix", "closes an issue as fixed", is_sure=True)
    return None


def _makes(clues: _Clues) -> Decision:
    """The rest of the work, by its verb and its files."""
    says = clues.says
    if says(_FASTER):
        return Decision("performance", "says that it makes something faster")
    if says(_CLEANS):
        return Decision("refactor", "says that it cleans")
    if says(MAKES):
        if clues.is_whole:
            return Decision("feature", "makes something, in new files or with tests and documents", is_sure=True)
        return Decision("feature", "begins with a verb of making")
    if says(_REARRANGES):
        return Decision("refactor", "begins with a verb of rearranging")
    if clues.is_whole and not says(_USES):
        return Decision("feature", "has the shape of something new")
    return Decision("chore", "nothing decides")


def _places(files: Sequence[FileChange]) -> Mapping[Place, int]:
    """Git knows a moved file as one that went and one that came unless it has looked inside: either counts the same."""
    paths = [file.path for file in files]
    paths += [file.old_path for file in files if file.state == "renamed" and file.old_path is not None]
    found: dict[Place, int] = {}
    for place in map(place_of, paths):
        found[place] = found.get(place, 0) + 1
    notes = found.pop("note", 0)
    return found or ({"docs": notes} if notes else {})


def _new_source(files: Sequence[FileChange]) -> int:
    new = 0
    for one in files:
        if one.state in ("added", "copied", "renamed"):
            new += place_of(one.path) == "source"
        if one.state in ("deleted", "renamed") and (gone := one.path if one.state == "deleted" else one.old_path):
            new -= place_of(gone) == "source"
    return new


# --- a change → how posts tell it


def is_security(change: Change) -> bool:
    """Whether its message says that a change mends what endangers users."""
    commit, line = change.lead, heading_of(change.lead).line.lower()
    if _SECURITY.search(line) or FORK.search(commit.subject) or (change.kind != "refactor" and _ATTACK.search(line)):
        return True
    body = commit.body[:MAX_BODY].lower()
    return any_of(("cve-", "ghsa-", "attacker"), body) and _ADVISORY.search(body) is not None


def says_breaking(change: Change) -> bool:
    """Whether its author marks it as a break: in the title, the body, or a note of the changelog that it brings."""
    lead, quotes = change.lead, change.chore in (VERSIONS, "CI")  # in whose bodies stand the notes of what they update
    line, body = heading_of(lead).line, lead.body[:MAX_BODY]
    if not change.chore and ("!" in line or "break" in line.lower()) and _BREAKS.match(line):
        return True
    if not quotes and "break" in body.lower() and BREAKS_IN_BODY.search(body):
        return True
    return any(one.state == "added" and _NOTE_BREAKS.search(one.path) for one in lead.files)


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
    named = low.replace("::", ".") if ends else low  # what users call by now has such names too
    if change.kind in ("fix", "test", "docs", "ci") or change.chore == "translations":
        return 0
    if says(_CLEANS, low) and not ends:
        return 0
    if any_of(_MINIMUM_WORDS, low) and _MINIMUM.match(low):
        return MUST
    if _INSIDE.search(named):
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
