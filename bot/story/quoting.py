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
from itertools import islice
from typing import Literal

from bot.model import Change, Commit
from bot.month.message import heading_of
from bot.month.paths import places_of
from bot.month.title import EVERYDAY, NO_SUBJECT, is_identifier, stem, title_of, words_of
from bot.wording import clean

LONGEST_BODY = 20_000  # characters that are read of a body; some hold a whole log
READ = 65_536  # of one in which a quotation may stand
LONGEST_SUBJECT = 2_000
_KEPT = 512  # bodies, which are read for their effect and once more for why
FULL = 50  # a line shorter than this was not broken because it was full

Part = Literal["said", "results", "tested"]

# --- how a body is laid out

# What a line is; the first that fits. A label is "Summary:", "## Why", "**Context**: text", and what it labels stands
# behind or below it. Below an end is by whom it was read, or where it went.
_LINES = tuple(
    (sort, re.compile(pattern, re.IGNORECASE))
    for sort, pattern in (
        ("fence", r"```|~~~"),
        (
            "tested",
            r"[#*_\s]*(?:(?:how (?:was (?:it|this)|did you|has this been) )?test(?:ed|ing|s)?(?: plans?)?|verification)"
            r"[*_]*\s*(?:[:?]|$)",
        ),
        (
            "end",
            r"[#*_\s]*(?:reviewed[ -]by|signed-off-by|co-authored-by|rollback plan|differential revision)[*_]*\s*"
            r"(?:[:?]|$)|(?:---+|___+|===+)\s*$",
        ),
        ("item", r"(?:(?:[-*+•–—‣▪]|\(?(?:\d{1,2}|[a-z])[.)])\s+)+"),
        (
            "said",
            r"[#*_\s]*(?:(?:quick |brief )?(?:summary|description)|overview|details?|tl;?dr;?|"
            r"what(?: changed| this does| does this (?:pr|change) do\??)?|(?:(?:key|code) )?changes?|"
            r"(?:in )?this (?:diff|pr|change)(?: summary)?|(?:the )?(?:fix|solution)|implementation|note|why|context|"
            r"motivation|background|(?:the )?(?:problem|issue|bug)|(?:root )?cause|error)[*_]*\s*(?::[*_]*\s*|$)",
        ),
        (
            "results",
            r"[#*_\s]*(?:(?:benchmark(?:ing|s)?|perf(?:ormance)?|measured?)?[ -]?results?|perf(?:ormance)?|benchmarks?|"
            r"effects?|(?:before|after)(?: (?:this|the) (?:diff|pr|change|fix))?|now)[*_]*\s*(?::[*_]*\s*|$)",
        ),
        (  # that tools wrote, or that only points elsewhere
            "machine",
            r"pull request (?:resolved|courtesy)|x-link|differential revision|reviewed by\b|fbshipit|ghstack|"
            r"original (?:commit|phabricator)|\(note: this ignores|automated\b|bypass-|generated (?:by|with)\b|cc @|"
            r"pulled by|depends on [dt#]|\{f\d+\}|for more information",
        ),
        ("trailer", r"(?!as (?:per )?titled?:)[a-z][\w-]{1,30}(?: [a-z-]{1,20}){0,2}:(?:\s|$)"),
        ("heading", r"#{1,6}\s|\*\*[^*]+\*\*:?$|[^.!?]{1,60}:$"),
        ("code", r"(?!`[^`]+`\S*\s+[a-z])(?:[#|`<>@{}$&=/\\]|\[(?![\w-]+\] )|~(?!\d)|https?://|___)"),
    )
)

# With one of these no statement ends.
_GOES_ON = re.compile(r"\b(?:of|the|an?|in|to|for|with|and|or|by|on|from|at|as|than|that|is|are)$", re.IGNORECASE)
_ENDS = re.compile(r"(?<=[.!?])[\"”')\]]*\s+(?=\S)")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|eq|sec|nos?|al|w\.r\.t)|(?:^|\s)\(?\d{1,2}|\.\.)\.$", re.IGNORECASE
)
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"))
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)  # of a forge's template, which its author never saw shown


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
    return tuple(_laid_out(_COMMENT.sub("", body) if "<!--" in body else body))


def _laid_out(body: str) -> Iterator[Block]:
    held: list[str] = []
    kind: Literal["prose", "item"] = "prose"
    part: Part = "said"
    fenced = skipped = ended = False
    for line in [*body[:LONGEST_BODY].splitlines(), ""]:
        text = line.strip()
        sort, rest = _sort(text, fenced)
        if held and (sort or (kind == "prose" and _is_over(held[-1], text))):
            yield Block(clean(" ".join(held)), kind, part, sort not in ("fence", "item", "code"))
            held = []
        if sort in ("said", "results", "tested"):
            part, ended = sort, False  # type: ignore[assignment]
        fenced ^= sort == "fence"
        ended |= sort == "end"
        skipped = sort in ("machine", "trailer", "code") or (skipped and not sort)
        if ended or not rest:
            continue
        if sort in ("trailer", "heading", "code") or (skipped and not sort):
            yield Block(clean(rest), "line", part)
        elif sort != "machine":
            kind = "item" if sort == "item" else kind if held else "prose"
            held.append(rest)


def _sort(text: str, fenced: bool) -> tuple[str, str]:
    """What a line is, as in `_LINES`, or "blank", or nothing where the paragraph goes on; and what of it is said."""
    if not text:
        return "blank", ""
    if fenced and not text.startswith(("```", "~~~")):
        return "code", text
    for sort, pattern in _LINES:
        if found := pattern.match(text):
            begins = sort in ("said", "results", "tested", "item")
            return sort, text[found.end() :].strip() if begins else "" if sort == "fence" else text
    return "", text


def _is_over(line: str, following: str) -> bool:
    """Whether a statement ends with its line, although no full stop says so."""
    if len(line) < FULL and "->" in line and "->" in following:
        return True  # a list of what was measured before and after
    is_new = following[:1].isupper() and line[-1] not in ".!?,;:" and not _GOES_ON.search(line)
    return is_new and len(line) < FULL


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
    if _GOES_ON.search(text) or text[-1:] in (":", ","):
        return False
    return all(text.count(opened) == text.count(closed) for opened, closed in _PAIRS) and not any(
        text.count(quote) % 2 for quote in '`"'
    )


def is_squash(body: str) -> bool:
    """Whether a body is the messages that a squash put in a row: it begins as a list."""
    return body.lstrip().startswith("* ") and "\n* " in body


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


# --- why, or with what effect

SHORTEST, LONGEST = 30, 160  # characters of a sentence below a title
FEWEST_NEW, NEW = 3, 0.4  # words that the title has not, and what part of its words they are
MOST_READ = 6  # sentences of a body

_EFFECT = re.compile(
    r"\b(?:so(?: that)?|because|since|instead of|no longer|without|don't|overhead|rather than|only|never|in order to|"
    r"faster|slower|which (?:makes|means)|to (?:avoid|prevent|allow|make|support|keep|let|ensure|fix)|"
    r"(?:avoid|reduc|prevent|allow|enabl|remov|eliminat|simplif|sav|caus)(?:s|es|ing|e|ies)|results? in|leads? to)\b",
    re.IGNORECASE,
)
# A fault alone is what was before the change; what it does about it must be said with it.
_FAULT = re.compile(
    r"\b(?:crash\w*|hangs?|hanging|leak\w*|races?|overflow\w*|corrupt\w*|lost|wrong\w*|incorrect\w*|cannot|caus\w+|"
    r"results? in|leads? to|fail\w*|deadlock\w*|(?:can|does|did|is)(?: not|['’]t|n['’]t)|br[eo]ak\w*|confusing|issues?|"
    r"problems?|bugs?)\b",
    re.IGNORECASE,
)
_REMEDY = re.compile(
    r"\b(?:so that|no longer|instead|without|now|(?:avoid|prevent|reduc|remov|allow|enabl|ensur|add|mak|us|skip|fix|"
    r"sav|let|replac|return|support)(?:s|ed|es|ing|e)?)\b",
    re.IGNORECASE,
)
# What leans on a sentence before it, or stands beside the matter.
_LEANS = re.compile(
    r"[^\w`“\"']|[a-z]+\b(?!_)|(?:We|I|Our|My|This|That|These|Those|Its?|They|Here|There|Then|Also|Same|And|But|So|Now|"
    r"Note|In (?:this|the)|As|See|However|Additionally|Furthermore|Moreover|Similar\w*|Thus|Hence|Therefore|Otherwise|"
    r"Finally|First(?:ly)?|Second(?:ly)?|Third|For (?:example|instance|now)|Let|Please|Thanks?|If|When|What|Why|How|"
    r"Test(?:ed|ing|s)?|Verified|Run|With (?:this|the)|(?:By )?[Dd]oing|Fix(?:es|ed)? (?:this|it)|Yes|One|Another|Some|"
    r"Once|After|No|Basically|Actually|\w+ly,|Noticed|Found|Updated?|Whoops|Just|"
    r"The (?:first|second|last|next|new|other|main|idea|goal|rest)|Add(?:s|ed)? (?:\w+ ){0,3}tests?)\b"
)
# What tells of before the change or of after it, of its author, or of what stands elsewhere.
_ELSEWHERE = re.compile(
    r"https?://|\b[TPSD]\d{4,}\b|#\d+|@\w|```|~~|\||\\n|=>|::\w+\(|<[a-z/]+>|\b[0-9a-f]{9,40}\b|"
    r"\b(?:here|above|below|(?:previous|prior|next|last|parent|following|existing) \w+|later|imo|hopefully|maybe|"
    r"current(?:ly)?|previously|at the moment|used to|follow[- ]?up|future|todo|wip|lol|for now|while (?:at it|we|i)|"
    r"stacked|rebased?|cc|reviewers?|was|were|had|been|before|earlier|today|original(?:ly)?|right now|until now|old|"
    r"will|would|going to|i)\b",
    re.IGNORECASE,
)


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
    fit = (one for one in every if (is_enough or _EFFECT.search(one)) and _stands_alone(one, title, is_enough))
    return _quoted(next(fit, ""), commit)


def _stands_alone(sentence: str, title: str, is_enough: bool) -> bool:
    """Whether a sentence says enough that its title does not, of what that names unless it `is_enough`, and leans on
    none before it."""
    if not SHORTEST <= len(sentence) <= LONGEST or not is_whole(sentence) or sentence[-1] == "?":
        return False
    if _LEANS.match(sentence) or _ELSEWHERE.search(sentence) or is_abbreviated(sentence):
        return False
    begin = sentence.split()[0]
    is_inside = is_identifier(begin) and begin not in title  # what that does may be what was wrong
    if is_inside or (_FAULT.search(sentence) and not _REMEDY.search(sentence)):
        return False
    return adds_to(sentence, title) and (is_enough or bool(_stems(sentence) & _stems(title)))


def adds_to(sentence: str, title: str) -> bool:
    """Whether a sentence has enough words that say something and are not in a title."""
    said = _stems(sentence)
    return len(said - _stems(title)) >= max(FEWEST_NEW, NEW * len(said))


def _stems(text: str) -> set[str]:
    return set(map(stem, words_of(text[:LONGEST_SUBJECT]))) - EVERYDAY


# --- why something was reverted

LONGEST_REASON = 300  # characters
MOST_FOR_REASON = 3  # sentences
_SAYS_ONLY_SO = re.compile(
    r"(?:\w+ ){0,2}(?:revert|back(?:s|ed|ing)?[ -]?out|original |undo|roll(?:s|ed|ing)? ?back|re-?land)\S*",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because|due to|since (?:it|this|that|they|the|we|there)|caus(?:e[sd]?|ing)|br(?:eaks?|oke|oken|eaking)|"
    r"fail(?:s|ed|ing|ures?)?|regress(?:ed|es|ions?(?! tests?))|crash\w*|leak\w*|hang(?:s|ing)?|deadlock\w*|culprit|"
    r"flak(?:y|iness|es)|conflicts?|incompatib\w*|accident\w*|unintention\w*|by mistake|wrong\w*|incorrect\w*|"
    r"premature|havoc|mitigat\w+|blocks|too [a-z]+|not (?:\w+ )?(?:work\w*|ready|needed|necessary|correct|safe|"
    r"intended|supported)|cannot|can['’]t|(?:does|did)(?: not|n['’]t) (?:\w+ )?(?:work|help|build|compile))\b",
    re.IGNORECASE,
)
# What the reverted change was for, or what is mended by now, is no reason for the revert.
_NO_CAUSE = re.compile(
    r"\b(?:goal|attempt\w*|tr(?:ied|ying) to|used to|was (?:to|added|introduced to|meant)|any ?more|(?:is|was|were) "
    r"fixed|should fix|should be fine)\b",
    re.IGNORECASE,
)
# What stands before the cause in one sentence with it.
_OF_WHAT = re.compile(
    r"this (?:reverts|backs out) (?:commit )?\w+,? (?=(?:as|because|since|due to) (?!per\b))", re.IGNORECASE
)
_NO_REASON = re.compile(
    r"https?://|<[a-z/]+>|^\S+$|\b[0-9a-f]{12,40}\b|^(?:as (?:per )?title|see |re-?land|had to|however|earlier|"
    r"this was introduced|we're generating|if this diff|test plan)",
    re.IGNORECASE,
)


def reason_of(commit: Commit) -> str:
    """Why a commit reverts something: the first sentence of its body that says so, without the commit
    that it names; empty where none does."""
    body = "" if is_squash(commit.body) else commit.body
    said = (one for one in blocks(body) if one.part != "tested" and one.kind != "line")
    for whole in islice((each for one in said for each in sentences(one.text)), MOST_FOR_REASON):
        lead = _OF_WHAT.match(whole)
        sentence = whole[lead.end() :] if lead else whole
        is_fit = len(sentence) <= LONGEST_REASON and is_whole(sentence) and not _NO_REASON.search(sentence)
        words = re.sub(r"[“\"][^“”\"]*[”\"]", "", sentence)  # a title that is quoted gives no cause
        is_why = lead or (_CAUSE.search(words) and not _NO_CAUSE.search(words))
        if is_fit and is_why and _stems(sentence) - _stems(commit.subject):
            return _quoted(sentence, commit)
    return ""


def may_have_reason(commit: Commit) -> bool:
    """Whether a message speaks of a cause, or holds anything that people wrote, be it in no sentence to be quoted."""
    if any(_CAUSE.search(line) and "Commandeer" not in line for line in (commit.subject, *commit.body.splitlines())):
        return True
    return any(_remarks(commit))


def _remarks(commit: Commit) -> Iterator[str]:
    """The sentences of a body but for those of tests, of tools, and that say only that something is reverted."""
    said = (one for block in blocks(commit.body) if block.part != "tested" for one in sentences(block.text))
    return (one for one in said if not (_SAYS_ONLY_SO.match(one) or _NO_REASON.search(one)))


# --- what was measured: two numbers of one unit in a sentence, with an arrow or a word between them. A lone factor or
# "faster" is no measurement, nor is what is hoped for; sizes, versions and counts are none either.

LONGEST_MEASURE = 200  # characters of a line that is quoted
MOST_MEASURES = 2  # of one change

_NUMBER = r"[~≈+-]?\d[\d,]*(?:\.\d+)?"
_UNIT = (
    r"(?:%|x\b|×|(?:ns|[uµμ]s|ms|secs?|seconds?|s|mins?|minutes?|hours?|[TGP]FLOPS?|QPS|rps|fps|\w+/(?:s|sec|iter))\b)"
)
_MEASURES = re.compile(
    rf"(?P<a>{_NUMBER})\s?(?P<ua>{_UNIT})?[^.;|→>\d]{{0,30}}?\s*(?:->|→|=>|-->|\bto\b|\bvs\.?\s|\bversus\b)"
    rf"[^.;|\d~]{{0,25}}(?P<b>{_NUMBER})\s?(?P<ub>{_UNIT})",
    re.IGNORECASE,
)
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
    said = [  # whole sentences, or lines of a log; what is quoted itself is cut where the mark ends
        sentence
        for block in blocks(commit.body)
        if not block.text.startswith(">")
        for sentence in ((block.text,) if block.kind == "line" else sentences(block.text))
        if _is_measure(sentence)
    ]
    found = dict.fromkeys(filter(None, (_quoted(one, commit) for one in said)))
    return tuple(f"“{one.rstrip('.')}”" for one in list(found)[:MOST_MEASURES])


def _is_measure(sentence: str) -> bool:
    if len(sentence) > LONGEST_MEASURE or sentence.count("|") > 1 or not is_whole(sentence) or _HOPED.search(sentence):
        return False
    found = _MEASURES.search(sentence)
    units = [found[name].casefold() for name in ("ua", "ub") if found[name]] if found else []
    is_range = units in (["x"], ["×"])  # "8 to 16x"
    return found is not None and len(set(units)) == 1 and found["a"] != found["b"] and not is_range
