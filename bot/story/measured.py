"""What a commit's body measured: two numbers of one unit, before and after, quoted with their condition. Pure.

A lone factor or "faster" is no measurement, nor is what is hoped for; sizes, versions and counts are none either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from bot.model import Change, Commit
from bot.story.prose import messages
from bot.story.quote import stands
from bot.story.weight import places_of
from bot.story.wording import clean

LONGEST = 200  # characters of a line that is quoted
READ = 20_000  # characters of a body
MOST = 2  # of one change
MOST_ROWS = 3  # of a table
WORSE = 1.1  # a row that got so much worse is shown as well

_NUMBER = r"[~≈+-]?\d[\d,]*(?:\.\d+)?"
_UNIT = (
    r"(?:%|x\b|×|(?:ns|[uµμ]s|ms|msec|secs?|seconds?|s|mins?|minutes?|hours?|hrs?|[KMG]i?B/s|[KMGT]?B/s|TB/s|"
    r"[TGP]FLOPS?(?:/s)?|[TG]FLOP/s|Q[PG]?S|tok(?:en)?s?/s(?:ec)?|it/s|ops/s|req/s|rps|fps|samples/s|us/iter|ms/iter|"
    r"MB/sec|GB/sec)\b)"
)
_VALUE = re.compile(rf"(?P<number>{_NUMBER})\s?(?P<unit>{_UNIT})", re.IGNORECASE)
_CHANGE = re.compile(
    rf"(?P<a>{_NUMBER})\s?(?P<ua>{_UNIT})?[^.;|→>\d]{{0,30}}?\s*(?:->|→|=>|-->|\bto\b|\bvs\.?\s|\bversus\b|\bdown to\b|"
    rf"\bup to\b)[^.;|\d~]{{0,25}}(?P<b>{_NUMBER})\s?(?P<ub>{_UNIT})",
    re.IGNORECASE,
)
_ARROW = re.compile(r"->|→|=>|\bfrom\b.{1,60}\bto\b|\bvs\b|\bversus\b|\b(?:down|up) to\b", re.IGNORECASE)
_RATIO = re.compile(
    rf"(?:{_NUMBER}\s?(?:x|×|%)\s*(?:\w+ ){{0,2}}(?:faster|slower|speed-?ups?|improvements?|reductions?|"
    rf"gains?|less|fewer|"
    r"smaller|higher|lower|regressions?|better|throughput)|(?:speed-?ups?|improv\w+|reduc\w+|faster|cut\w*|gains?)\s+"
    rf"(?:of|by|is|was)?\s*(?:about |around |up to )?{_NUMBER}\s?(?:x|×|%))",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:on|for|with|when|under|at|in)\b[^.;]{1,40}?[A-Z0-9`(]")
# "Before:" and "After this change:" alone in a line, and "Average latency: 0.58 ms" below them.
_HEADS = re.compile(r"[#*_\s]*(?P<word>before|after)\b[^:.\d]{0,40}[:*_\s]*$", re.IGNORECASE)
_NAMED_VALUE = re.compile(rf"(?P<name>[A-Za-z][^:|]{{2,60}}):\s+{_NUMBER}\s?(?P<unit>{_UNIT})", re.IGNORECASE)
_BEFORE = re.compile(
    r"\W*(?:before|original(?: upstream)?|baseline|old|main|trunk|w/o|without|prior|current|eager|unoptimized)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\W*(?:after|optimi[sz]ed|new|now|with|this (?:pr|diff)|updated|patched|improved|fused|compiled|ours)\b",
    re.IGNORECASE,
)
_HOPED = re.compile(
    r"\b(?:expect\w*|should|could|would|might|may|estimat\w*|theoretical\w*|ideally|target\w*|goal|anecdotal\w*|hope\w*|"
    r"potential\w*|assum\w*|e\.g\.|for example|timeout|default|limit|coverage|version|roughly half|if we|"
    r"todo|tolerance|"
    r"threshold|atol|rtol|increase the|bump\w*|set to|wait\w*|sleep\w*|interval)\b",
    re.IGNORECASE,
)
_SKIPPED = re.compile(r"https?://|\{F\d|^\s*[$>]|\bD\d{5,}\b|^diff |^[+-]{3} |\bPASS\w*\b|✓|Ran \d+ tests?|\[\d+/\d+\]")
_CELL = re.compile(rf"\W*({_NUMBER})\s?({_UNIT})?(?:\s.*)?$", re.IGNORECASE)
_IN_HEAD = re.compile(rf"[(\[]\s*({_UNIT})\s*[)\]]|\b({_UNIT})", re.IGNORECASE)


def measured(change: Change) -> tuple[str, ...]:
    """What the body of a change measured of it, at most MOST: numbers before and after in its words, with arrows
    between them. Nothing of what was backed out or is a test alone."""
    commit = change.lead
    if change.state == "backed_out" or change.kind == "revert" or not commit.body or messages(commit.body):
        return ()
    if places_of(change) <= {"test", "docs", "ci"} and commit.files:
        return ()
    found: dict[str, None] = {}
    lines = [line.strip() for line in commit.body[:READ].splitlines()]
    for one in (
        *_tables(lines, commit), *_pairs(lines, commit), *_from_to(lines, commit), *_blocks(lines, commit),
        *_lines(lines, commit),
    ):  # fmt: skip
        found[one] = None
        if len(found) == MOST:
            break
    return tuple(found)


def _lines(lines: list[str], commit: Commit) -> Iterator[str]:
    """A line, or a sentence of one, that has both numbers, or a ratio with its condition."""
    for line in lines:
        if not line or line.count("|") > 1 or _SKIPPED.search(line) or not any(map(str.isdigit, line)):
            continue
        for sentence in _sentences_of(clean(line)):
            if (
                len(sentence) <= LONGEST
                and not _HOPED.search(sentence)
                and (_has_both(sentence) or _has_ratio(sentence))
            ):
                yield from _made((sentence,), commit)


def _sentences_of(line: str) -> Iterator[str]:
    line = re.sub(r"^(?:[-*•+]|\d+[.)])\s+", "", line)
    yield from re.split(r"(?<=[a-z%)x])[.!]\s+(?=[A-Z])", line)


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


def _pairs(lines: list[str], commit: Commit) -> Iterator[str]:
    """Two lines that follow each other, one that begins with what was and one with what is, with one unit."""
    filled = [line for line in lines if line]
    for before, after in pairwise(filled):
        if "|" in before or "|" in after or _SKIPPED.search(before) or _SKIPPED.search(after):
            continue
        if not (_BEFORE.match(before) and _AFTER.match(after)) or max(len(before), len(after)) > LONGEST:
            continue
        one, other = _VALUE.search(before), _VALUE.search(after)
        if one and other and one["unit"].casefold() == other["unit"].casefold() and not _HOPED.search(before + after):
            yield from _made((_bare(before), _bare(after)), commit)


def _from_to(lines: list[str], commit: Commit) -> Iterator[str]:
    """One line with two values, with nothing but "to" between: "completed in 341 s", "to", "completed in 7.6 s"."""
    filled = [line for line in lines if line and not line.startswith("```")]
    for before, word, after in zip(filled, filled[1:], filled[2:], strict=False):
        if word.casefold().strip("*_: ") not in ("to", "->", "→", "=>") or max(len(before), len(after)) > LONGEST:
            continue
        one, other = _VALUE.search(before), _VALUE.search(after)
        alike = one and other and _VALUE.sub("", before) == _VALUE.sub("", after) and one[0] != other[0]
        if alike and not _HOPED.search(before):
            yield from _made((_bare(before), _bare(after)), commit)


def _blocks(lines: list[str], commit: Commit) -> Iterator[str]:
    """The first value that has one name below "Before:" and below the "After:" that follows, if it changed."""
    before: dict[str, tuple[str, str, str]] = {}
    where = ""
    for line in lines:
        if head := _HEADS.match(line):
            where = head["word"].casefold()
            before = {} if where == "before" else before
            continue
        found = _NAMED_VALUE.match(line) if where and len(line) <= LONGEST and not _SKIPPED.search(line) else None
        if found is None or _HOPED.search(line):
            continue
        name, unit, value = found["name"].casefold(), found["unit"].casefold(), found[0]
        if where == "before":
            before.setdefault(name, (unit, value, line))
        elif name in before and before[name][0] == unit and before[name][1] != value:
            yield from _made((_bare(before[name][2]), _bare(line)), commit)
            before, where = {}, ""


def _bare(line: str) -> str:
    return clean(re.sub(r"^[-*•+#\s]+", "", line)).strip("*` ")


def _tables(lines: list[str], commit: Commit) -> Iterator[str]:
    """The rows of a Markdown table with a column of what was and one of what is: the first, and what got worse."""
    at = 0
    while at < len(lines) - 2:
        if lines[at].count("|") < 3 or not re.fullmatch(r"\|?[\s:|-]{5,}\|?", lines[at + 1]):
            at += 1
            continue
        head = _cells(lines[at])
        rows = []
        end = at + 2
        while end < len(lines) and "|" in lines[end]:
            rows.append(_cells(lines[end]))
            end += 1
        yield from _of_table(head, rows, commit)
        at = end


def _cells(line: str) -> list[str]:
    return [clean(cell).strip("*` ") for cell in line.strip().strip("|").split("|")]


def _of_table(head: list[str], rows: list[list[str]], commit: Commit) -> Iterator[str]:
    was = next((n for n, one in enumerate(head) if _BEFORE.match(one)), None)
    now = next((n for n, one in enumerate(head) if n != was and _AFTER.match(one)), None)
    if was is None or now is None:
        return
    told = 0
    for number, row in enumerate(rows):
        if len(row) <= max(was, now):
            continue
        one, other = _CELL.match(row[was]), _CELL.match(row[now])
        in_head = _IN_HEAD.search(head[was])
        unit = (one and one[2]) or (in_head and (in_head[1] or in_head[2]))
        if not (one and other and unit) or told >= MOST_ROWS:
            continue
        first, second = _value(one[1]), _value(other[1])
        is_time = (
            unit.casefold().strip()[-1:] == "s" and "/" not in unit and unit.casefold() not in ("tflops", "gflops")
        )
        if number and not (is_time and first and second > first * WORSE):
            continue
        name = next((cell for n, cell in enumerate(row) if n not in (was, now) and cell), "")
        told += 1
        if all(stands(part, commit, "body") for part in (name, row[was], row[now]) if part):
            yield f"{f'{name}: ' if name else ''}{row[was]} → {row[now]}{'' if one[2] else f' {unit}'}"


def _value(text: str) -> float:
    return float(text.strip("~≈+").replace(",", ""))


def _made(parts: tuple[str, ...], commit: Commit) -> Iterator[str]:
    if all(stands(part, commit, "body") for part in parts):
        yield " → ".join(f"“{part.rstrip('.')}”" for part in parts)
