"""What a commit's body measured: a sentence with two numbers of one unit, or with a ratio and its condition. Pure.

A lone factor or "faster" is no measurement, nor is what is hoped for; sizes, versions and counts are none either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model import Change
from bot.month.kind_words import places_of
from bot.story.prose import blocks, is_whole, messages, sentences
from bot.story.quote import stands

LONGEST = 200  # characters of a line that is quoted
MOST = 2  # of one change

_NUMBER = r"[~≈+-]?\d[\d,]*(?:\.\d+)?"
_UNIT = (
    r"(?:%|x\b|×|(?:ns|[uµμ]s|ms|msec|secs?|seconds?|s|mins?|minutes?|hours?|hrs?|[KMG]i?B/s|[KMGT]?B/s|TB/s|"
    r"[TGP]FLOPS?(?:/s)?|[TG]FLOP/s|Q[PG]?S|tok(?:en)?s?/s(?:ec)?|it/s|ops/s|req/s|rps|fps|samples/s|us/iter|ms/iter|"
    r"MB/sec|GB/sec)\b)"
)
_CHANGE = re.compile(
    rf"(?P<a>{_NUMBER})\s?(?P<ua>{_UNIT})?[^.;|→>\d]{{0,30}}?\s*(?:->|→|=>|-->|\bto\b|\bvs\.?\s|\bversus\b|\bdown to\b|"
    rf"\bup to\b)[^.;|\d~]{{0,25}}(?P<b>{_NUMBER})\s?(?P<ub>{_UNIT})",
    re.IGNORECASE,
)
_ARROW = re.compile(r"->|→|=>|\bfrom\b.{1,60}\bto\b|\bvs\b|\bversus\b|\b(?:down|up) to\b", re.IGNORECASE)
_RATIO = re.compile(
    rf"(?:{_NUMBER}\s?(?:x|×|%)\s*(?:\w+ ){{0,2}}(?:faster|speed-?ups?|improvements?|reductions?|"
    rf"gains?|less|fewer|"
    r"smaller|higher|lower|better|throughput)|(?:speed-?ups?|improv\w+|reduc\w+|faster|cut\w*|gains?)\s+"
    rf"(?:of|by|is|was)?\s*(?:about |around |up to )?{_NUMBER}\s?(?:x|×|%))",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:on|for|with|when|under|at|in)\b[^.;]{1,40}?[A-Z0-9`(]")
_SCHEDULE = re.compile(
    rf"(?:->|→|=>)\s*{_NUMBER}\s?{_UNIT}?\s*(?:->|→|=>)"
)  # of waits, for instance: 20ms → 40ms → 80ms
_HOPED = re.compile(
    r"\b(?:expect\w*|should|could|would|might|may|estimat\w*|theoretical\w*|ideally|target\w*|goal|anecdotal\w*|hope\w*|"
    r"potential\w*|assum\w*|e\.g\.|for example|timeout|default|limit|coverage|version|roughly half|if we|"
    r"todo|tolerance|regress\w*|slow(?:er|s|ed)?|slowdowns?|degrad\w*|worse|previously|currently|used to|problem|"
    r"threshold|atol|rtol|increase the|raise|changed from|bump\w*|set to|wait\w*|sleep\w*|interval)\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_SKIPPED = re.compile(r"https?://|\{F\d|^\s*[$>]|\bD\d{5,}\b|^diff |^[+-]{3} |\bPASS\w*\b|✓|Ran \d+ tests?|\[\d+/\d+\]")


def measured(change: Change) -> tuple[str, ...]:
    """What the body of a change measured of it, quoted, at most MOST. Nothing of what was backed out or is a test
    alone."""
    commit = change.lead
    if change.state == "backed_out" or change.kind == "revert" or not commit.body or messages(commit.body):
        return ()
    if commit.files and places_of(commit) <= {"test", "docs", "ci"}:
        return ()
    found = dict.fromkeys(said for said in _said(commit.body) if stands(said, commit, "body"))
    return tuple(f"“{said.rstrip('.')}”" for said in list(found)[:MOST])


def _said(body: str) -> Iterator[str]:
    """The sentences, or lines of a log, that have both numbers, or a ratio with its condition."""
    for block in blocks(body):
        for sentence in (block.text,) if block.kind == "line" else sentences(block.text):
            if not _DIGIT.search(sentence) or len(sentence) > LONGEST or sentence.count("|") > 1:
                continue
            if any(one.search(sentence) for one in (_SKIPPED, _HOPED, _SCHEDULE)) or not is_whole(sentence):
                continue
            if _has_both(sentence) or _has_ratio(sentence):
                yield sentence


def _has_both(sentence: str) -> bool:
    found = _CHANGE.search(sentence)
    if not found or not _ARROW.search(sentence):
        return False
    units = [one.casefold() for one in (found["ua"], found["ub"]) if one]
    if len(set(units)) != 1 or found["a"] == found["b"]:
        return False
    return not (len(units) == 1 and units[0] in ("x", "×"))  # "8 to 16x" is a range


def _has_ratio(sentence: str) -> bool:
    found = _RATIO.search(sentence)
    if not found:
        return False
    beside = sentence[found.end() :]
    return bool(_CONDITION.search(beside) or _CONDITION.search(sentence[: found.start()])) and "-" not in found[0][1:3]
