"""What kinds are known by: the words that say one. Pure.

`begins("handle", …)` takes verbs in their plain form and finds every form, so handles, handled and handling, too;
what follows the first text are patterns. All are held against texts in small letters. How the rules use them is in
kinds.py, how well they do in docs/months.md.
"""

from __future__ import annotations

import re

from bot.model import Kind
from bot.month.message import NO_UNDO, UNDO

_DOUBLED = frozenset(
    {"drop", "split", "pin", "strip", "trim", "wrap", "swap", "log", "run", "set", "get", "put", "map"}
)


def _forms(verb: str) -> str:
    """A verb in all its regular forms, as a pattern."""
    if verb.endswith("e"):
        return f"{verb[:-1]}(?:e[sd]?|ing)"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}(?:y|ies|ied|ying)"
    last = f"{verb[-1]}?" if verb in _DOUBLED else ""
    return f"{verb}(?:e?s|{last}ed|{last}ing)?"


def begins(verbs: str, *others: str) -> re.Pattern[str]:
    """To be matched: a text that begins with one of these verbs, in any form, or with one of these patterns."""
    return re.compile(rf"(?:{'|'.join([*map(_forms, verbs.split()), *others])})\b")


def holds(*words: str) -> re.Pattern[str]:
    """To be searched: a text that has one of these words, or patterns, anywhere."""
    return re.compile(rf"\b(?:{'|'.join(words)})\b")


# --- what developers say outright

PREFIXES: dict[str, Kind] = {
    "feat": "feature", "feature": "feature", "fix": "fix", "bugfix": "fix", "hotfix": "fix", "bug": "fix",
    "bug fix": "fix", "perf": "performance", "performance": "performance", "refactor": "refactor", "refac": "refactor",
    "cleanup": "refactor", "style": "refactor", "docs": "docs", "doc": "docs", "test": "test", "tests": "test",
    "testing": "test", "build": "build", "deps": "build", "ci": "ci", "ci/cd": "ci", "revert": "revert",
    "release": "release",
}  # fmt: skip
REVERT = re.compile(UNDO + NO_UNDO)
_NUMBER = r"v?\d+\.\d[\w.+-]*"
RELEASE = begins(
    "",
    rf"(?:@?[\w/.-]+@|(?:release|version|tag|cut|publish)\w*:?\s+(?:the\s+|version\s+|@?[\w/.-]+[@ ])?)?{_NUMBER}"
    r"(?:\s+release)?(?=\s*(?:[\[(]|$))",
    rf"cut\s+(?:(?:[\w-]+\s+)?(?:version|release)\s+)?{_NUMBER}",
    rf"prep(?:are|aring)?\b[^.]*?\b(?:release|{_NUMBER})",
    r"(?:bump|update|set|changed?|increment)\w*\s+(?:the\s+)?(?:(?:development|package|main|release)\s+)*versions?"
    r"(?=\s*(?:(?:to|from|and|number)\b|v?\d|[(\[#:-]|$))",
)
CLOSES_FIXED = re.compile(r"^[ \t*-]{0,8}(?:fix|fixes|fixed)[: ]++\S{0,100}?#\d+", re.IGNORECASE | re.MULTILINE)

# --- work that is on no user's behalf

DEPENDENCY = begins(
    "",
    r"(?:bump|upgrade|pin)(?:s|ed|ing)?",
    r"updat\w+ (?:[\w-]+ ){0,3}(?:dependenc(?:y|ies)|deps|nightly|toolchain|cargo\.lock|lock ?files?|requirements)",
    r"(?:updat|chang)\w+ [\w@./-]+(?: crate| version)? (?:(?:from \S+ )?to|version)\b.{0,20}\d",
)
LINTERS = (
    r"(?:ameba|biome|black|clang-(?:format|tidy)|clippy|eslint|flake8|gocritic|gofmt|golangci-lint|isort|mypy|phpstan|"
    r"prettier|pylint|pyre|ruff|rustfmt|staticcheck|usort)"
)
TIDY = begins("lint reformat", rf"(?:apply|run|use) {LINTERS}")
TIDYING = holds(
    r"(?:fix\w*|more|address|apply|remove|clean(?:ed)? ?up)\b.{0,40}\b(?:lints?|linter|linting|formatting|whitespaces?|"
    r"spelling|comments?)",
    r"typos?", r"unused[ _]imports?", rf"fix\w* (?:the )?(?:{LINTERS}|pre-commit)\b",
    rf"(?:lint|{LINTERS}) (?:fix|fixes|warnings?|errors?)",
)  # fmt: skip
DOCUMENT = begins(
    "document", r"documentation", r"docs?(?: for| on)?",
    r"(?:add|update|improve|fix|expand|clarify|correct|more|better|remove|rewrite|move|use|make|mention|link|"
    r"clean(?: ?up)?)\w*\s+(?:(?!test|support|method|function)[\w/`.'-]+\s+){0,4}"
    r"(?:docs?|documentation|docstrings?|readme|changelog|code comments)",
    r"(?:add|update|improve|fix)\w*\s+(?:[\w`-]+\s+){0,2}examples?\b",
)  # fmt: skip
TEST = begins(
    "",
    r"(?:add|enable|disable|skip|fix|update|improve|refactor|more|move|remove|use|run|simplify)\w*\s+"
    r"(?:(?!support|benchmark|in\b|for\b)[\w/`.\"'-]+\s+){0,3}(?:stress[ -])?tests?(?! (?:support|mode)\b)",
    r"tests? (?:for|that|of)",
)
REPAIRS_TESTS = begins(
    "",
    r"(?:fix|resolve|repair)\w* (?:\w+ ){0,3}tests?(?=\s*(?:\(|$))",
    r"test(?:s|ing)? (?!support|mode|util|framework|infra|helper|harness|data|runner)",
)
# --- work that is

FASTER = begins(
    "",
    r"optimi[sz](?:e|es|ed|ing|ations?)(?! (?:state|hyper))", r"speed(?:s|ed|ing)?[ -]?up",
    r"(?:improv|boost|increas)\w*\b.{0,60}\b(?:perf|performance|speed|throughput|latency|efficiency)",
    r"reduc\w+\b.{0,40}\b(?:latency|overhead|runtime|memory (?:usage|footprint)|allocations?|cop(?:ies|ying))",
)  # fmt: skip
FASTER_ANYWHERE = holds(
    r"\dx (?:faster|speed-?up)",
    r"for (?:better )?perf(?:ormance)?",
    r"perf(?:ormance)? (?:optimi[sz]ations?|improvements?)",
)
FIX = begins("fix", r"(?:quick|minor|small|hot|bug)[ -]?(?:bug ?)?fix(?:es)?")
AROUND = begins(  # what is fixed and no fault of the program: what stands around it
    "",
    r"\w+ (?:[\w'`/.-]+ ){0,3}(?:tests?|ci|docs?|documentation|\w+docs?|readme|links?|headers?|examples?|clippy|"
    r"references?|types?|typing|annotations?|imports?|sorting|format(?:ting)?|lint\w*|indent\w*|comments?|grammar|"
    r"words?|naming|warnings?|workflows?|scripts?|build|compil\w+|deps|dependenc\w+)"
    r"(?: (?:errors?|issues?|warnings?|failures?))?(?=\s*(?:\(|$|(?:for|in|on|and|from|of)\b))",
)
REPAIR = begins(
    "correct resolve handle ensure prevent preserve respect escape close sanitize guard",
    r"(?:correct|proper)ly", r"work ?around", "do not", r"don['’]t",
)  # fmt: skip
FAULT = holds(
    r"bug ?fix(?:es)?", r"bugs? in", r"crash(?:es|ed|ing)?", r"races?", r"hangs?",
    r"segfaults?", r"leak\w*", r"out[ -]of[ -]bounds?", r"overflow\w*", r"infinite (?:loop|recursion)", r"deadlocks?",
    r"nans?", r"panic\w*", r"corrupt\w*", r"correctly",
    r"(?:incorrect|wrong|broken)(?:ly)?", r"regression(?! (?:test|model|loss|metric|unit))",
    r"(?:does|do|is|are|was)(?:n['’]t| not)",
    r"should(?! have\b| be (?:const|static|final|private|public|nodiscard)\b)(?:n['’]t| not)?",
)  # fmt: skip
FIXED = holds(r"(?<!pre)fix(?:e[sd])?(?! (?:point|size|length|format)\w*)")
CASE = holds(
    r"when|if|without|already|during|instead|empty|null|nil|none|missing|invalid|duplicated?|trailing|"
    r"issues?|fail\w*|errors?|exceptions?|windows|(?:the |of )same|not|never|no longer|only|before|after"
)
MAKING = begins(
    "add implement introduce allow expose enable create provide extend detect export support impl",
    r"(?:initial|basic|full|first|partial) support",
    "initial",
)
SUPPORTING = begins("support implement", r"(?:initial|basic|full|first|partial) support", r"add\w* .{0,60}\bsupport")
MENDING = begins(  # what is added in fixing something
    "",
    r"(?:add|allow)\w* (?:the |a |an |some )*(?:missing|checks?|guards?|fallback|workaround|assertions?|comments?|"
    r"logging|notes?|warnings?|deprecat\w+|back)",
)
SUPPORT = re.compile(r"[^.:]*\b(?<!drop )(?<!remove )supports?(?: (?:for|in|to|on)\b|\s*(?:\(|$))")
REGROUPING = begins(
    "split extract consolidate migrate simplify unify delete inline hoist decouple reorganize restructure centralize",
    r"refactor\w*",
    "factor out",
)
REARRANGING = begins(
    "remove drop rename clean cleanup replace deprecate modernize dedup deduplicate convert flatten tidy rewrite "
    "rework reuse port align apply turn switch define separate generalize isolate encapsulate standardize",
    r"mov(?:e[sd]?|ing)(?! average)",
    "get rid of",
    r"break (?:up|down|out)",
)
USING = begins("use make change update improve")  # says that something changed, and not what for
EXPLAINING = begins("update improve warn explain print raise")
CLEANING = holds(r"clean[ -]?ups?", r"refactor(?:ing|ings|s|ed)?", r"dead code", r"in favou?r of",
                 "readability")  # fmt: skip
