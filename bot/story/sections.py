"""Under which heading a change of a month stands (docs/months.md). Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from bot.model import Change, Commit, Key, Kind
from bot.month.areas import product_files
from bot.month.kind_words import places_of
from bot.month.kinds import DOCUMENTS
from bot.month.trailers import heading_of
from bot.story.diffs import FromDiffs
from bot.story.documents import Section
from bot.story.quoting import quote_of
from bot.story.states import is_open, was_out
from bot.story.themes import lines_of
from bot.story.things import Judgement, is_security, says_nothing

LIGHT = 50  # changed lines of the product: a change of less whose title says nothing is no work of its own
FIRST_WORDS = 6  # of a title of a fix: what is a test's is named there
SMALL: tuple[Section, ...] = ("tests", "docs", "build", "releases", "other")
_CHORES: dict[str, Section] = {
    "tests": "tests", "docs": "docs", "CI": "build", "build": "build", "bumps and versions": "build",
}  # fmt: skip
_BY_HAND: dict[Kind, Section] = {
    "fix": "fixed", "test": "tests", "docs": "docs", "build": "build", "ci": "build", "release": "releases",
}  # fmt: skip
_SWEEPS = re.compile(
    r"\b(?:typos?|lint\w*|clippy|ruff|black|isort|prettier|rustfmt|gofmt|clang-format|whitespace|copyrights?|spdx|"
    r"licen[sc]e)\b",
    re.IGNORECASE,
)
# What says at its beginning that it mends something is no new thing, whatever its files look like.
_FIXES = re.compile(r"(?:fix|stop|avoid|prevent|do not|don['’]t)\w*\b", re.IGNORECASE)
_FIXES_LINTS = re.compile(r"fix\w*\b.*\b(?:warnings?|lints?|clippy)\b", re.IGNORECASE)
_OF_CI = re.compile(r"\bCI\b")
# What a product does with documents of its own is work ("Use the doc of typed commands").
_OF_THE_PRODUCT = re.compile(r"(?:use|make|move|remove|link|rewrite|chang)\w*\b", re.IGNORECASE)
_OF_DOCUMENTS = re.compile(
    r"(?:(?:small |minor )?(?:docs?|typo) fix|(?:clearly )?document\w*|.* in (?:the )?docs|"
    r"clarif\w+|reword\w*|enhance\w* (?:the )?documentation)\b(?!.*\b(?:errors?|messages?|logs?|output|names?)\b)",
    re.IGNORECASE,
)
# Only what says so is told as fixed: of what is a fix by other signs, a third was none.
_SAYS_FIX = re.compile(
    r"\b(?:bug|hot)?[ -]?fix(?:e[sd]|ing)?\b|\bbugs?\b|\bregress\w+|"
    r"\b(?:avoid|prevent|stop|do not|don['’]t|no longer|never)\w*\b.*\b(?:crash|panic|race|leak|deadlock|hang|corrupt|"
    r"overflow|segfault|lose|lost|wrong)\w*",
    re.IGNORECASE,
)


def by_section(
    changes: Sequence[Change], judgements: Mapping[str, Judgement], topics: Collection[Key], diffs: FromDiffs
) -> dict[Section, list[Change]]:
    """The changes by the section of a month that they stand in. What came by one of the `topics` stands together."""
    sections = {change.id: _section(change, judgements[change.id], diffs) for change in changes}
    of_topic: dict[Key, list[Change]] = defaultdict(list)
    for change in changes:
        key = change.lead.repository, change.lead.via or ""
        if key in topics and sections[change.id] in ("work", "fixed", *SMALL):
            of_topic[key].append(change)
    for some in of_topic.values():
        places = Counter(sections[one.id] for one in some)
        small = places.keys() <= set(SMALL)
        for one in some:
            if small or sections[one.id] in ("tests", "docs", "build", "other"):
                sections[one.id] = places.most_common(1)[0][0] if small else "work"
    found: dict[Section, list[Change]] = {
        name: [] for name in ("work", "fixed", "attention", "reverts", "became", *SMALL, "shared")
    }
    for change in changes:
        found[sections[change.id]].append(change)
    # Somebody whose month was mostly tests, or documents, did that as their work.
    name: Section = max(SMALL[:-1], key=lambda one: len(found[one]))
    if 2 * len(found[name]) > len(changes) - len(found["shared"]):
        found["work"], found[name] = [*found["work"], *found[name]], []
    return found


def says_fix(commit: Commit) -> bool:
    """Whether the title of a commit, or of a pull request, says that it repairs something."""
    return _SAYS_FIX.search(heading_of(commit).line) is not None


def _section(change: Change, judged: Judgement, diffs: FromDiffs) -> Section:
    if change.is_shared:
        return "shared"
    if change.kind == "revert":
        return "reverts"
    if is_open(change) or change.id in diffs.off:
        return "attention"
    if was_out(change):
        return "became"
    if any(one.action == "kind" for one in change.corrections):
        return _BY_HAND.get(change.kind, "work")
    if section := _chore(change, judged):
        return section
    words = judged.title.words
    says_so = says_fix(change.lead) and (change.kind == "fix" or _FIXES.match(words))
    if says_so or is_security(change.lead):
        return "fixed"
    is_empty = says_nothing(words) and not change.title and _is_light(change)
    return "other" if is_empty and not quote_of(change, generous=True) else "work"


def _chore(change: Change, judged: Judgement) -> Section | None:
    """Where a change stands that is no work of the product."""
    places, words, chore = places_of(change.lead), judged.title.words, judged.chore
    if change.kind == "release":
        return "releases"
    if is_security(change.lead) and chore in ("", "build", "bumps and versions"):
        return None
    if chore == "formatting" and not (_is_light(change) or _SWEEPS.search(words)):
        chore = ""  # what a formatter does with its users' code
    if chore == "tests" and change.kind == "fix" and "test" not in " ".join(words.lower().split()[:FIRST_WORDS]):
        chore = ""  # with tests, not of them
    if change.kind == "test" or chore:
        return "tests" if change.kind == "test" else _CHORES.get(chore, "other")
    tidies = change.kind in ("chore", "refactor")
    if tidies and _FIXES_LINTS.match(words) and _is_light(change):
        return "other"
    if (tidies and _OF_CI.search(words)) or (places and places <= {"ci", "build", "version"}):
        return "build"
    of_documents = change.rule == DOCUMENTS and not _OF_THE_PRODUCT.match(words)
    return "docs" if of_documents or _OF_DOCUMENTS.match(words) else None


def _is_light(change: Change) -> bool:
    return change.lead.is_counted and lines_of(product_files(change.lead)) < LIGHT
