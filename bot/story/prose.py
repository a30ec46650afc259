"""How a commit's body is laid out: its prose, its lists, its logs, and where it speaks of tests. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from bot.story.terms import EVERYDAY, stem, words_of
from bot.story.wording import clean

LONGEST_BODY = 20_000  # characters that are read of a body; some hold a whole log
LONGEST_SUBJECT = 2_000
_KEPT = 512  # bodies, which are read for their effect and once more for why
FULL = 50  # a line shorter than this was not broken because it was full

Part = Literal["said", "results", "tested"]

# A label is "Summary:", "## Why", "**Context**: text", and what it labels stands behind or below it.
_LABELS: tuple[tuple[Part, str], ...] = (
    (
        "said",
        r"(?:quick |pr |brief )?(?:summary|description)|overview|details?|tl;?dr;?|purpose|"
        r"what(?: changed| this does| does this (?:pr|change) do\??)?|"
        r"(?:(?:key|main|major|detailed|other|code) )?changes?|(?:in )?this (?:diff|pr|commit|change)(?: summary)?|"
        r"(?:the )?(?:fix|solution)|approach|implementation|note|diff summary|"
        r"why|context|motivation|background|(?:the )?(?:problem|issue|bug)|(?:root )?cause|rationale|current solution|"
        r"error|failures?|symptoms?",
    ),
    (
        "results",
        r"(?:benchmark(?:ing|s)?|perf(?:ormance)?|measured?)?[ -]?(?:results?|improvements?|gains?|numbers|impact)|"
        r"(?:perf(?:ormance)?|benchmarks?|impact|effects?|speed-?ups?)|"
        r"(?:before|after)(?: (?:this|the) (?:diff|pr|change|fix|commit)| change)?|baseline|old|main|"
        r"this (?:pr|diff)|new|now",
    ),
)
LABEL = re.compile(
    r"[#*_\s]*(?:" + "|".join(f"(?P<{part}>{words})" for part, words in _LABELS) + r")[*_]*\s*(?::[*_]*\s*|$)",
    re.IGNORECASE,
)
# What follows one of these is how it was tested, by whom it was read, or where it went.
_TESTED = r"(?:(?:how (?:was (?:it|this)|did you|has this been) )?test(?:ed|ing|s)?(?: plans?)?|test plan|verification)"
END = re.compile(
    rf"[#*_\s]*(?:(?P<tested>{_TESTED})|reviewers?|reviewed[ -]by|subscribers|tasks?|tags|checklist|type of change|"
    r"signed-off-by|co-authored-by|rollback plan|differential revision)[*_]*\s*(?:[:?]|$)|[#*_\s]*(?:checklist|"
    r"type of change)|"
    r"(?:---+|___+|===+|\*\*\*+)\s*$|# for the changelog",
    re.IGNORECASE,
)
# Lines that tools wrote, or that only point elsewhere.
MACHINE = re.compile(
    r"pull request resolved|x-link|differential revision|reviewed by\b|fbshipit|ghstack|stack from\b|\[ghstack|"
    r"imported-using|exported-using|diff-train-|original (?:commit|phabricator)|\(note: this ignores|"
    r"bypass-|generated (?:by|with)\b|this is an automated|automated\b|cc @|privacy context\b|lama project|pulled by|"
    r"oncall short name|depends on [DT#]|reversing changes|\{F\d+\}|if you believe|we're generating|"
    r"please (?:include|describe)|for more information",
    re.IGNORECASE,
)
TRAILER = re.compile(r"(?![Aa]s (?:per )?titled?:)[A-Za-z][\w-]{1,30}(?: [A-Za-z-]{1,20}){0,2}:(?:\s|$)")
_ITEM = re.compile(r"(?:(?:[-*+•–—‣▪]|\(?(?:\d{1,2}|[a-zA-Z])[.)]|\[[ xX]?\]|[🔴-🟿])\s+)+")
_HEADING = re.compile(r"#{1,6}\s|\*\*[^*]+\*\*:?$|[^.!?]{1,60}:$")
_NOT_PROSE = re.compile(
    r"[#|`<>@{}$&=/\\]|\[(?![\w-]+\] )|~(?!\d)|https?://|___|this reverts commit|see (?:the )?(?:title|above)"
)
_NAME_IN_CODE = re.compile(r"`[^`]+`\S*\s+[a-z]")

_STATES = re.compile(
    r"(?:Add|Remove|Delete|Fix|Update|Change|Move|Introduce|Implement|Enable|Replace|Support|Make|Use|Create|"
    r"Refactor|Rename|"
    r"Expose|Extend|Improve)(?:d|ed|s|es)?\s(?!of\b|for\b|to\b)"
)

# With one of these no statement ends.
_GOES_ON = re.compile(r"\b(?:of|the|an?|in|to|for|with|and|or|by|on|from|at|as|than|that|is|are)$", re.IGNORECASE)
_ENDS = re.compile(r"(?<=[.!?])[\"”')\]]*\s+(?=\S)")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|fig|eq|sec|nos?|dr|mr|mrs|ms|prof|st|al|ca|ver|w\.r\.t|a\.k\.a)|"
    r"(?:^|\s)\(?\d{1,2}|\.\.)\.$",
    re.IGNORECASE,
)
# The trailers that end a message within a squash.
_SIGNED = re.compile(r"(?:signed-off-by|co-authored-by|[a-z]+(?:-[a-z]+)?-by): |\[ghstack-poisoned\]", re.IGNORECASE)
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"))
_PAIRED = re.compile(r"[()\[\]{}“”`\"]")
_REVERTS = re.compile(r"(?:revert|back out)\w*\W{1,3}?[\"“](?P<title>.+?)[\"”]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, an item of a list, or a line of a log or a table: in one line, and cleaned."""

    text: str
    kind: Literal["prose", "item", "line"]
    part: Part = "said"
    is_whole: bool = True  # not followed at once by a list or by code, which it may open


@lru_cache(maxsize=_KEPT)
def blocks(body: str) -> tuple[Block, ...]:
    """What of a body was written by a person, in its order; labels, trailers and what export tools add are left out,
    and so is what a squash removed again, and that it did."""
    every = tuple(_laid_out(_without_comments(body)))
    reverts = [(block, _REVERTS.match(block.text)) for block in every]
    gone = {found["title"].casefold() for _, found in reverts if found}
    if not gone:
        return every
    return tuple(block for block, found in reverts if not (found or block.text.rstrip(".").casefold() in gone))


def _without_comments(body: str) -> str:
    """A body without what a forge's template says between <!-- and -->, which its author never saw shown."""
    first, *others = body.split("<!--")
    parts = (one.partition("-->") for one in others)
    return first + "".join(rest if end else f"<!--{said}" for said, end, rest in parts)


def _laid_out(body: str) -> Iterator[Block]:
    held: list[str] = []
    kind: Literal["prose", "item"] = "prose"
    part: Part = "said"
    fenced = skipped = ended = False
    for line in [*body[:LONGEST_BODY].splitlines(), ""]:
        text = line.strip()
        fence = text.startswith(("```", "~~~"))
        end = None if fenced or fence else END.match(text)
        item = None if fenced or fence else _ITEM.match(text)
        label = None if fenced or fence or end or item else LABEL.match(text)
        goes_on = bool(held) and held[-1][-1] not in ".!?:"  # or ends without a full stop
        heading = not (item or label or goes_on) and _HEADING.match(text) is not None
        trailer = part != "results" and ":" in text and TRAILER.match(text) is not None
        machine = not (item or label) and (trailer or MACHINE.match(text) is not None)
        code = not fenced and line.startswith(("    ", "\t")) and not held and not item
        flows = bool(held) and len(held[-1]) >= FULL and held[-1][-1] not in ".:!?" and text[:1] not in ("|", ">")
        raw = not (label or item) and (
            code or fenced or (_NOT_PROSE.match(text) is not None and not flows and not _NAME_IN_CODE.match(text))
        )
        breaks = not text or fence or end or label or item or raw or machine or heading
        two = held and kind == "prose" and _is_over(held[-1], text)  # two statements, a line each
        if held and (breaks or two):
            cut = trailer and goes_on and len(held[-1]) >= FULL and not MACHINE.match(text)
            yield Block(clean(" ".join(held)), kind, part, not (fence or item or raw or cut))
            held = []
        if fence:
            fenced, skipped = not fenced, False
        elif end:
            part, ended, skipped = ("tested" if end["tested"] else part), not end["tested"], False
            text = text[end.end() :].strip() if end["tested"] else ""
        elif label:
            part, ended, skipped = ("said" if label["said"] else "results"), False, False
            text = text[label.end() :].strip()
        elif not text:
            skipped = False
        if ended or fence or not text:
            continue
        if raw or (machine and not end) or (heading and not end):
            if raw or heading or not MACHINE.match(text):
                yield Block(clean(text), "line", part)
            skipped = not heading  # so is what is wrapped behind it
        elif item:
            kind, held, skipped = "item", [text[item.end() :]], False
        elif skipped:
            yield Block(clean(text), "line", part)
        else:
            kind = kind if held else "prose"
            held.append(text)


def _is_over(line: str, following: str) -> bool:
    """Whether a statement ends with its line, although no full stop says so."""
    if len(line) < FULL and "->" in line and "->" in following:
        return True  # a list of what was measured before and after
    if not following[:1].isupper() or line[-1] in ".!?,;:" or _GOES_ON.search(line):
        return False
    return len(line) < FULL or _STATES.match(following) is not None


@lru_cache(maxsize=16)  # what is effect, reason and measure is looked for one after the other
def sentences(paragraph: str) -> tuple[str, ...]:
    """The sentences of a paragraph, whole."""
    found, begun = list[str](), 0
    for end in _ENDS.finditer(paragraph):
        if not is_abbreviated(paragraph[max(begun, end.start() - 20) : end.end()].strip()):
            found.append(paragraph[begun : end.end()].strip())
            begun = end.end()
    return (*found, *filter(None, [paragraph[begun:].strip()]))


def is_abbreviated(text: str) -> bool:
    """Whether the full stop at the end is that of an abbreviation or of a number, not of a sentence."""
    return _ABBREVIATED.search(text[-20:]) is not None


def is_whole(text: str) -> bool:
    """Whether what is opened in a text is closed in it."""
    if not _PAIRED.search(text):
        return True
    return all(text.count(opened) == text.count(closed) for opened, closed in _PAIRS) and not any(
        text.count(quote) % 2 for quote in '`"'
    )


def new_words(text: str, subject: str) -> tuple[int, int]:
    """How many words that say something a text has beside the subject's, and how many in all."""
    said = _stems(text)
    return len(said - _stems(subject)), len(said)


def _stems(text: str) -> set[str]:
    return set(map(stem, words_of(text[:LONGEST_SUBJECT]))) - EVERYDAY


def messages(body: str) -> list[str]:
    """The messages that a squash put in a row, each without its bullet and its trailers; none where a body is one."""
    is_listed = body.lstrip().startswith("* ")
    if not is_listed and body.lower().count("-by: ") < 2:
        return []
    found: list[list[str]] = []
    signed, blank = False, True
    signatures = bullets = 0
    for line in body[:LONGEST_BODY].splitlines():
        text = line.strip()
        if _SIGNED.match(text):
            signatures += text[0] in "Ss" and not signed
            signed = True
            continue
        if text and not text.strip("-"):
            break  # "---------": behind it stand the trailers of the whole
        if not text:
            blank = True
            if found:
                found[-1].append("")
            continue
        bullet = line.startswith("* ") and (blank or signed)
        if bullet or signed or not found:
            bullets += bullet
            found.append([text.removeprefix("* ")])
        else:
            found[-1].append(line)
        signed = blank = False
    if signatures < 2 and (bullets < 2 or not is_listed):
        return []
    return ["\n".join(lines).strip() for lines in found]
