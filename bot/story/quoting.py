"""How a commit's body is laid out, which sentence of it may stand below its title, why something was reverted, and what
was measured. Pure.

A sentence is quoted whole or not at all, and stands in its body verbatim. The rules are meant to leave out much: where
none is sure to help, there is no quotation (docs/months.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from typing import Literal

from bot.model import Change, Commit
from bot.month.message import heading_of
from bot.month.paths import places_of
from bot.month.title import EVERYDAY, NO_SUBJECT, is_identifier, stem, title_of, words_of
from bot.wording import clean

LONGEST_BODY = 20_000  # characters that are read of a body; some hold a whole log
LONGEST_SUBJECT = 2_000
_KEPT = 512  # bodies, which are read for their effect and once more for why
FULL = 50  # a line shorter than this was not broken because it was full

Part = Literal["said", "results", "tested"]

# A label is "Summary:", "## Why", "**Context**: text", and what it labels stands behind or below it.
_LABELS: tuple[tuple[Part, str], ...] = (
    (
        "said",
        r"(?:quick |brief )?(?:summary|description)|overview|details?|tl;?dr;?|"
        r"what(?: changed| this does| does this (?:pr|change) do\??)?|"
        r"(?:(?:key|code) )?changes?|(?:in )?this (?:diff|pr|change)(?: summary)?|(?:the )?(?:fix|solution)|"
        r"implementation|note|why|context|motivation|background|(?:the )?(?:problem|issue|bug)|(?:root )?cause|error",
    ),
    (
        "results",
        r"(?:benchmark(?:ing|s)?|perf(?:ormance)?|measured?)?[ -]?results?|(?:perf(?:ormance)?|benchmarks?|effects?)|"
        r"(?:before|after)(?: (?:this|the) (?:diff|pr|change|fix))?|now",
    ),
)
LABEL = re.compile(
    r"[#*_\s]*(?:" + "|".join(f"(?P<{part}>{words})" for part, words in _LABELS) + r")[*_]*\s*(?::[*_]*\s*|$)",
    re.IGNORECASE,
)
# What follows one of these is how it was tested, by whom it was read, or where it went.
_TESTED = r"(?:(?:how (?:was (?:it|this)|did you|has this been) )?test(?:ed|ing|s)?(?: plans?)?|test plan|verification)"
END = re.compile(
    rf"[#*_\s]*(?:(?P<tested>{_TESTED})|reviewed[ -]by|signed-off-by|co-authored-by|rollback plan|"
    r"differential revision)[*_]*\s*(?:[:?]|$)|(?:---+|___+|===+)\s*$",
    re.IGNORECASE,
)
# Lines that tools wrote, or that only point elsewhere.
MACHINE = re.compile(
    r"pull request (?:resolved|courtesy)|x-link|differential revision|reviewed by\b|fbshipit|ghstack|"
    r"original (?:commit|phabricator)|\(note: this ignores|automated\b|bypass-|"
    r"generated (?:by|with)\b|cc @|pulled by|depends on [DT#]|\{F\d+\}|for more information",
    re.IGNORECASE,
)
TRAILER = re.compile(r"(?![Aa]s (?:per )?titled?:)[A-Za-z][\w-]{1,30}(?: [A-Za-z-]{1,20}){0,2}:(?:\s|$)")
_ITEM = re.compile(r"(?:(?:[-*+•–—‣▪]|\(?(?:\d{1,2}|[a-zA-Z])[.)])\s+)+")
_HEADING = re.compile(r"#{1,6}\s|\*\*[^*]+\*\*:?$|[^.!?]{1,60}:$")
_NOT_PROSE = re.compile(r"[#|`<>@{}$&=/\\]|\[(?![\w-]+\] )|~(?!\d)|https?://|___")
_NAME_IN_CODE = re.compile(r"`[^`]+`\S*\s+[a-z]")

# With one of these no statement ends.
_GOES_ON = re.compile(r"\b(?:of|the|an?|in|to|for|with|and|or|by|on|from|at|as|than|that|is|are)$", re.IGNORECASE)
_ENDS = re.compile(r"(?<=[.!?])[\"”')\]]*\s+(?=\S)")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|eq|sec|nos?|al|w\.r\.t)|(?:^|\s)\(?\d{1,2}|\.\.)\.$", re.IGNORECASE
)
# The trailers that end a message within a squash.
_SIGNED = re.compile(r"(?:signed-off-by|co-authored-by|[a-z]+(?:-[a-z]+)?-by): |\[ghstack-poisoned\]", re.IGNORECASE)
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"))
_PAIRED = re.compile(r"[()\[\]{}“”`\"]")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, an item of a list, or a line of a log or a table: in one line, and cleaned."""

    text: str
    kind: Literal["prose", "item", "line"]
    part: Part = "said"
    is_whole: bool = True  # not followed at once by a list or by code, which it may open


@lru_cache(maxsize=_KEPT)
def blocks(body: str) -> tuple[Block, ...]:
    """What of a body was written by a person, in its order; labels, trailers and what export tools add are left out."""
    return tuple(_laid_out(_without_comments(body)))


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
    return len(line) < FULL


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
    """Whether what is opened in a text is closed in it, and it does not end amid a phrase, as before code."""
    if _GOES_ON.search(text):
        return False
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


def is_squash(body: str) -> bool:
    """Whether a body is the messages that a squash put in a row: it begins as a list, or is signed several times."""
    if body.lstrip().startswith("* "):
        return body.count("\n* ") > 0
    lines = [_SIGNED.match(line.strip()) is not None for line in body[:LONGEST_BODY].splitlines() if line.strip()]
    return sum(signed and not before for before, signed in pairwise([True, *lines])) > 1


SHORTEST, LONGEST = 30, 160  # characters of a sentence below a title
LONGEST_REASON = 300  # of one that says why something was reverted
READ = 65_536  # characters of a body in which a quotation may stand
FEWEST_NEW = 3  # words that the title has not
MOST_READ = 6  # sentences of a body
MOST_FOR_REASON = 3

_FAULTS = (
    r"crash\w*|hangs?|hanging|leak\w*|races?|overflow\w*|corrupt\w*|lost|wrong\w*|incorrect\w*|cannot|can['’]t|"
    r"doesn['’]t|caus\w+|results? in|leads? to"
)
_EFFECT = re.compile(
    r"\b(?:so(?: that)?|because|since|instead of|no longer|without|must|don't|overhead|rather than|only|never|"
    r"in order to|faster|slower|which (?:makes|means)|to (?:avoid|prevent|allow|make|support|keep|let|ensure|fix)|"
    r"(?:avoid|reduc|prevent|allow|enabl|remov|eliminat|simplif|sav)(?:s|es|ing|e|ies)|fail(?:s|ed|ure)?|"
    rf"{_FAULTS})\b",
    re.IGNORECASE,
)
# A fault alone is what was before the change; what it does about it must be said with it.
_FAULT = re.compile(
    rf"\b(?:{_FAULTS}|fail\w*|deadlock\w*|does not|didn['’]t|isn['’]t|is not|br[eo]ak\w*|confusing|issues?|problems?|"
    r"bugs?)\b",
    re.IGNORECASE,
)
_REMEDY = re.compile(
    r"\b(?:so that|no longer|instead|without|now|"
    r"(?:avoid|prevent|reduc|remov|allow|enabl|ensur|add|mak|us|skip|fix|sav|let|replac|return|support)(?:s|ed|es|ing|e)?)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:was|were|had|been|previous(?:ly)?|current(?:ly)?|before|earlier|today|existing|original(?:ly)?|right now|"
    r"until now|old|will|would|going to)\b|^(?:part of|\d+[/.)])",
    re.IGNORECASE,
)
_MARKED = r"[^\w`“\"']"  # what marks text up, stands beside the matter, or is the rest of something
_NO_START = re.compile(
    rf"{_MARKED}|"
    r"(?:we|i|our|my|this|that|these|those|it|its|they|here|there|then|also|same|the (?:first|second|last|following|"
    r"next|previous|new|other|main|idea|goal|rest)|and|but|so|now|note|todo|in this|in the|currently|previously|before|"
    r"today|right now|at the moment|originally|existing|as (?:per|titled?|discussed|a result|such)|see|however|"
    r"additionally|furthermore|moreover|similar\w*|thus|hence|therefore|otherwise|finally|first(?:ly)?|second(?:ly)?|third|"
    r"for (?:example|instance|now)|follow-up|let|please|thanks?|if|when|what|why|how|test(?:ed|ing|s)?|verified|run|"
    r"with (?:this|the)|(?:by )?doing|fix(?:es|ed)? (?:this|it)|yes|one|another|some|once|after|no|basically|actually|"
    r"hopefully|ironically|interestingly|incidentally|(?:un)?fortunately|noticed|found|updated?|"
    r"add(?:s|ed)? (?:\w+ ){0,3}tests?)\b",
    re.IGNORECASE,
)
_OF_THEMSELVES = r"\bi(?= [a-z]|['’])"  # what the author hopes, guesses or means to do
_NOWHERE = re.compile(
    r"https?://|\bT\d{5,}\b|\bP\d{6,}\b|\bS\d{5,}\b|\bD\d{4,}\b|#\d+|@\w|```|~~|\||\\n|=>|::\w+\(|<[a-z/]+>|"
    r"\b[0-9a-f]{9,40}\b|\b(?:here|above|below|(?:previous|prior|next|last|parent|following) (?:diff|pr|commit)s?|"
    r"later|imo|hopefully|maybe|currently|previously|at the moment|used to|follow[- ]?up|future|todo|wip|lol|for now|"
    r"while (?:at it|we|i)|"
    r"stacked|rebased?|cc|reviewers?|internal(?:ly)?|fbcode|oss)\b|[:,]$|" + _OF_THEMSELVES,
    re.IGNORECASE,
)
_STEMS = re.compile(r"[^\W_]{4,}")

# --- why something was reverted

_SAYS_ONLY_SO = re.compile(
    r"(?:\w+ ){0,2}(?:revert|back(?:s|ed|ing)?[ -]?out|original |undo|roll(?:s|ed|ing)? ?back|re-?land)\S*",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"][^“”\"]*[”\"]")  # a title that is quoted gives no cause
_CAUSE = re.compile(
    r"\b(?:because|due to|since (?:it|this|that|they|the|we|there)|caus(?:e[sd]?|ing)|br(?:eaks?|oke|oken|eaking)|"
    r"fail(?:s|ed|ing|ures?)?|regress(?:ed|es|ions?(?! tests?))|crash\w*|leak\w*|hang(?:s|ing)?|deadlock\w*|culprit|"
    r"flak(?:y|iness|es)|conflicts?|incompatib\w*|accident\w*|unintention\w*|by mistake|wrong\w*|incorrect\w*|"
    r"premature|havoc|mitigat\w+|blocks|too [a-z]+|not (?:\w+ )?(?:work\w*|ready|needed|necessary|correct|safe|"
    r"intended|supported)|(?:does|did)(?: not|n['’]t) (?:\w+ )?(?:work|help|build|compile))\b",
    re.IGNORECASE,
)
# What the reverted change was for, or what is mended by now, is no reason for the revert.
_NO_CAUSE = re.compile(
    r"\b(?:goal|attempt\w*|tr(?:ied|ying) to|used to|was (?:to|added|introduced to|meant)|any ?more|(?:is|was|were) "
    r"fixed|should fix|should be fine)\b",
    re.IGNORECASE,
)
# What stands before the cause in one sentence with it, and the page that proves it.
_OF_WHAT = re.compile(
    r"this (?:reverts|backs out) (?:commit )?\w+,? (?=(?:as|because|since|due to) (?!per\b))", re.IGNORECASE
)
_PAGE = re.compile(r": https?://\S+$", re.IGNORECASE)
_NO_REASON = re.compile(
    r"https?://|<[a-z/]+>|^\S+$|\b[0-9a-f]{12,40}\b|^(?:as (?:per )?title|see |re-?land|had to|however|earlier|"
    r"this was introduced|we're generating|if this diff|test plan)|[:,]$",
    re.IGNORECASE,
)


class Quote(str):
    """Words that stand in a commit's title or body, verbatim but for line breaks and control characters.

    Raises ValueError where they do not stand there: proof is by construction.
    """

    __slots__ = ()

    def __new__(cls, text: str, commit: Commit, place: Literal["title", "body"] = "body") -> Quote:
        there = heading_of(commit).line if place == "title" else commit.body[:READ]
        if not text or text not in (clean(there) or NO_SUBJECT):
            raise ValueError(f"{text!r} does not stand in the {place} of {commit.sha}")
        return super().__new__(cls, text)


def _quoted(sentence: str, commit: Commit) -> str:
    """A sentence of a body; empty where its lines are marked up, so that it does not stand there as it reads."""
    try:
        return Quote(sentence, commit) if sentence else ""
    except ValueError:
        return ""


def quote_of(change: Change, *, generous: bool = False) -> str:
    """The sentence of a change's body that says best why, or with what effect; empty where no rule is sure of one. One
    that is `generous`, as for a month of few titles, says more in whatever way, and so does the only one there is."""
    commit = change.lead
    if change.kind in ("revert", "release") or is_squash(commit.body):
        return ""
    title = title_of(commit).words
    said = [one for one in blocks(commit.body) if one.kind != "line" and one.part != "tested"]
    first = next((one for one in said if one.part == "said" and one.kind == "prose" and one.is_whole), None)
    every = sentences(first.text)[:MOST_READ] if first else ()
    is_enough = generous or len(said) == len(every) == 1
    fit = (one for one in every if _stands_alone(one, title) and (is_enough or _helps(one, title)))
    return _quoted(next(fit, ""), commit)


def reason_of(commit: Commit) -> str:
    """Why a commit reverts something: the first sentence of its body that says so, without the commit and the page that
    it names; empty where none does."""
    body = "" if is_squash(commit.body) else commit.body
    said = (one for one in blocks(body) if one.part != "tested" and one.kind != "line")
    for whole in islice((each for one in said for each in sentences(one.text)), MOST_FOR_REASON):
        lead = _OF_WHAT.match(whole)
        sentence = _PAGE.sub("", whole[lead.end() :] if lead else whole)
        is_fit = 8 <= len(sentence) <= LONGEST_REASON and is_whole(sentence) and not _NO_REASON.search(sentence)
        words = _QUOTED.sub("", sentence)
        is_why = lead or (_CAUSE.search(words) and not _NO_CAUSE.search(words))
        if is_fit and is_why and new_words(sentence, commit.subject)[0]:
            return _quoted(sentence, commit)
    return ""


def may_have_reason(commit: Commit) -> bool:
    """Whether a message speaks of a cause, or holds anything that people wrote, be it in no sentence to be quoted."""
    if any(_CAUSE.search(line) and "Commandeer" not in line for line in (commit.subject, *commit.body.splitlines())):
        return True
    said = (one for block in blocks(commit.body) if block.part != "tested" for one in sentences(block.text))
    return not all(_SAYS_ONLY_SO.match(one) or _NO_REASON.search(one) for one in said)


def _stands_alone(sentence: str, title: str) -> bool:
    """Whether a sentence says enough that its title does not, and leans on none before it."""
    new, every = new_words(sentence, title)
    if not SHORTEST <= len(sentence) <= LONGEST or not is_whole(sentence) or sentence[-1] == "?":
        return False
    if new < FEWEST_NEW or new * 10 < every * 4:
        return False
    begin = sentence.split()[0]
    if is_identifier(begin) and begin not in title:  # of the inside
        return False
    return not (_NO_START.match(sentence) or _NOWHERE.search(sentence) or _is_of_before(sentence))


def _is_of_before(sentence: str) -> bool:
    """Whether a sentence tells what was before the change or comes after it, or is a piece of a sentence or a list."""
    if _BEFORE.search(sentence) or (_FAULT.search(sentence) and not _REMEDY.search(sentence)):
        return True
    return sentence[0].islower() and "_" not in sentence.split()[0]


def _helps(sentence: str, title: str) -> bool:
    """Whether a sentence says an effect or a reason of what its title names."""
    named = {word.casefold()[:5] for word in _STEMS.findall(title)}
    said = {word.casefold()[:5] for word in _STEMS.findall(sentence)}
    return _EFFECT.search(sentence) is not None and not named.isdisjoint(said)


# --- what was measured: two numbers of one unit in a sentence. A lone factor or "faster" is no measurement, nor is what
# is hoped for; sizes, versions and counts are none either.

LONGEST_MEASURE = 200  # characters of a line that is quoted
MOST_MEASURES = 2  # of one change

_NUMBER = r"[~≈+-]?\d[\d,]*(?:\.\d+)?"
_UNIT = (
    r"(?:%|x\b|×|(?:ns|[uµμ]s|ms|secs?|seconds?|s|mins?|minutes?|hours?|[TGP]FLOPS?|QPS|rps|fps|\w+/(?:s|sec|iter))\b)"
)
_MEASURES = re.compile(
    rf"(?P<a>{_NUMBER})\s?(?P<ua>{_UNIT})?[^.;|→>\d]{{0,30}}?\s*(?:->|→|=>|-->|\bto\b|\bvs\.?\s|\bversus\b|\bdown to\b|"
    rf"\bup to\b)[^.;|\d~]{{0,25}}(?P<b>{_NUMBER})\s?(?P<ub>{_UNIT})",
    re.IGNORECASE,
)
_ARROW = re.compile(r"->|→|=>|\bfrom\b.{1,60}\bto\b|\bvs\b|\bversus\b|\b(?:down|up) to\b", re.IGNORECASE)
_HOPED = re.compile(
    r"\b(?:expect\w*|should|could|would|might|may|estimat\w*|theoretical\w*|target\w*|goal|hope\w*|potential\w*|assum\w*|"
    r"for example|timeout|default|limit|coverage|version|if we|todo|tolerance|regress\w*|slow(?:er|s|ed|downs?)?|"
    r"degrad\w*|worse|previously|currently|used to|problem|threshold|atol|increase the|raise|bump\w*|set to|wait\w*|"
    r"sleep\w*|interval|retr(?:y|ies)|https?)\b",
    re.IGNORECASE,
)
# How a measure ends, in small letters and one line: to lay a body out takes ten times as long as to look for that.
_MEASURED = re.compile(rf"(?:[-=]>|→|to\b|vs\b|versus\b)[^.;|\d~]{{0,25}}{_NUMBER}\s?{_UNIT.lower()}")


def measured(change: Change) -> tuple[str, ...]:
    """What the body of a change measured of it, quoted, at most MOST_MEASURES; nothing of what was backed out or is
    a test alone."""
    commit = change.lead
    is_gone = change.state == "backed_out" or change.kind == "revert"
    if is_gone or not _MEASURED.search(" ".join(commit.body[:LONGEST_BODY].lower().split())):
        return ()
    if is_squash(commit.body) or (commit.files and places_of(commit) <= {"test", "docs", "ci"}):
        return ()
    found = dict.fromkeys(quote for said in _measures_of(commit.body) if (quote := _quoted(said, commit)))
    return tuple(f"“{said.rstrip('.')}”" for said in list(found)[:MOST_MEASURES])


def _measures_of(body: str) -> Iterator[str]:
    """The sentences, or lines of a log, that have both numbers."""
    for block in blocks(body):
        if block.text.startswith(">"):  # quoted itself, and cut where the mark ends
            continue
        for sentence in (block.text,) if block.kind == "line" else sentences(block.text):
            is_fit = len(sentence) <= LONGEST_MEASURE and sentence.count("|") < 2 and is_whole(sentence)
            if is_fit and _has_both(sentence) and not _HOPED.search(sentence):
                yield sentence


def _has_both(sentence: str) -> bool:
    found = _MEASURES.search(sentence)
    if not found or not _ARROW.search(sentence):
        return False
    units = [one.casefold() for one in (found["ua"], found["ub"]) if one]
    if len(set(units)) != 1 or found["a"] == found["b"]:
        return False
    return not (len(units) == 1 and units[0] in ("x", "×"))  # "8 to 16x" is a range
