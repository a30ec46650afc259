"""Sentences → the same with one thing made false, for each sort of fault that a checker should refuse.

What decides whether a planted thing is false reads the texts of the changes as plain strings: none of it is the
checker's.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from benchmarks.replies import DATA, Recorded, Told, month_of

SORTS = ("number", "swapped", "name", "moved", "state", "negation", "effect")
_REFERENCE = re.compile(r"#\d+")
_DIGITS = re.compile(r"(?<![\w#.])\d+(?:[.,]\d+)*(?![\w]*#)")
_IDENTIFIER = re.compile(
    r"`[^`]{3,}`|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[A-Z][a-z]+(?:[A-Z][A-Za-z0-9]*)+\b|\b[A-Z]{2,}[A-Za-z]*\d*\b"
)
_WHEN = re.compile(r"\b(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)")
_ORDERED = re.compile(r"->|→|\bfrom\b|\bto\b|instead of|\bbefore\b|\bafter\b|\bnow\b|\bthan\b|pinned back")
_OUT = re.compile(r"(?:backed out|reverted|Backed out|Reverted|taken back)")
_BACK = re.compile(r"(?:brought back|re-landed|back on|back in|Back on|Not back|back since|brought it back|came back)")
_NOT = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"\bno longer (\w+)", r"now \1"),
        (r"\b(do|does|did|is|are|was|were|can|could|must|has|have) not\b", r"\1"),
        (r"\b(do|does|did|is|are|was|were|would|could|should)n[’']t\b", r"\1"),
        (r"\bcannot\b|\bcan't\b", "can"),
        (r"\bDon't\b", "Do"),
        (r"\bnot (?:yet )?", ""),
        (r"\bnever\b", "always"),
        (r"\bwithout\b", "with"),
        (r"\bNo (?=[a-z`])", "With "),
        (r"\bno (?=[a-z`])", "a "),
    )
)
_FASTER = (
    "fast|perf|speed|sped|slow|latenc|optim|effic|overhead|throughput|qps|benchmark|cheap|quick|vector|parallel|"
    r"bottleneck|expens|cost|\bms\b|\bus\b|time|increas|doubl|two|2x"
)
# What is put behind a sentence, and what none of its changes may say.
_EFFECTS = (
    (", which makes it faster", _FASTER),
    (", which doubles throughput", _FASTER),
    (
        ", which reduces memory use",
        "reduc|memory|less|small|shrink|cut|low|sav|drop|limit|half|trim|remov|compress|compact|avoid|unnecess|min|split|"
        "few|short|elimin",
    ),
    (
        " and fixes a crash",
        "crash|segfault|panic|abort|sigsegv|illegal|fatal|exit|kill|fail|err|core|rais|throw|assert|die",
    ),
    (" and fixes a memory leak", "leak|free"),
    (", which ended a race", "rac|concurr|synch|order|lock|volatile|visib|fence|over"),
    (", fixing a deadlock", "deadlock|hang|hung|stuck|freez|block|forever|timeout|wait"),
    (
        " and improves accuracy",
        "improv|better|enhanc|optim|boost|fast|speed|clean|simpl|clear|easier|friendl|more|polish",
    ),
    (", which closes a security hole", "secur|vulner|cve|sanit|escap|auth|encrypt|exploit|inject|token|secret"),
    (" and makes it more reliable", "stab|robust|reliab|flak|harden|intermittent"),
    (
        ", the first in the project",
        "first|init|begin|start|new|proto|introduc|add|prepar|creat|early|part|1/|poc|found|before|basic|take",
    ),
    (", so that it never fails", r"never|\bno\b|not|none|without|n't|nothing|stop|avoid|prevent"),
)


@dataclass(frozen=True, slots=True)
class Planted:
    """A sentence made false, the true one, and the month it is of."""

    sort: str
    told: Told
    true: Told
    month: Recorded


def text_of(month: Recorded, evidence: Sequence[int]) -> str:
    """All that the changes say, and what is told beside them."""
    said: list[str] = [month.facts.person.name]
    for n in evidence:
        change = month.facts.changes[n - 1]
        revert_events = [event for event in (change.out, change.back, *change.later) if event]
        for commit in (*change.commits, *(event.commit for event in revert_events)):
            said += [commit.subject, commit.body, commit.author.name, commit.committer.name, *change.refs]
            said += [file.path for file in commit.files]
            said.append(month.hunks.get((commit.repository, commit.sha), ""))
        said += [event.by for event in revert_events]
    return "\n".join(said)


def _stands(said: str, text: str) -> bool:
    words = said.strip("`")
    if words.casefold() not in text.casefold():  # of thousands most are not: a pattern for each is slow to make
        return False
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(words)}(?![A-Za-z0-9])", text, re.IGNORECASE) is not None


def _number(told: Told, month: Recorded, chance: random.Random, months: Sequence[Recorded]) -> Iterator[Told]:
    text = text_of(month, told.evidence)
    spans = [match.span() for match in _REFERENCE.finditer(told.text)] + [m.span(1) for m in _WHEN.finditer(told.text)]
    plain = [m for m in _DIGITS.finditer(told.text) if not any(a <= m.start() < b for a, b in spans)]
    for match in [*plain, *_REFERENCE.finditer(told.text)]:
        for _ in range(8):
            at = chance.choice([at for at in range(*match.span()) if told.text[at].isdigit()])
            digit = chance.choice([d for d in "123456789" if d != told.text[at]])
            altered = f"{told.text[:at]}{digit}{told.text[at + 1 :]}"
            said = altered[match.start() : match.end()]
            if not _stands(said, text) and said.replace(",", "") not in text:
                yield replace(told, text=altered)
                break


def _swapped(told: Told, month: Recorded, chance: random.Random, months: Sequence[Recorded]) -> Iterator[Told]:
    spans = [match.span() for match in _REFERENCE.finditer(told.text)] + [m.span(1) for m in _WHEN.finditer(told.text)]
    found = [m for m in _DIGITS.finditer(told.text) if not any(a <= m.start() < b for a, b in spans)]
    for one, other in pairwise(found):
        between = told.text[one.end() : other.start()]
        if one[0] != other[0] and _ORDERED.search(between) and len(between) < 80:
            yield replace(told, text=f"{told.text[: one.start()]}{other[0]}{between}{one[0]}{told.text[other.end() :]}")


def _name(told: Told, month: Recorded, chance: random.Random, months: Sequence[Recorded]) -> Iterator[Told]:
    text = text_of(month, told.evidence)
    others = [n for n in range(1, len(month.facts.changes) + 1) if n not in told.evidence]
    pool = sorted({m for n in others for m in _IDENTIFIER.findall(text_of(month, [n])[:6000])})
    pool = [m for m in pool if 3 < len(m) < 50 and not _stands(m, text)]
    for match in _IDENTIFIER.finditer(told.text):
        if pool:
            other = chance.choice(pool).strip("`")
            other = f"`{other}`" if match[0].startswith("`") else other
            yield replace(told, text=f"{told.text[: match.start()]}{other}{told.text[match.end() :]}")
    people = sorted(
        {one.facts.person.name for one in months if " " in one.facts.person.name} - {month.facts.person.name}
    )
    for name in sorted(people_of(month)):
        if " " in name and name in told.text:
            other = chance.choice([one for one in people if not _stands(one, text)])
            yield replace(told, text=told.text.replace(name, other))


def people_of(month: Recorded) -> set[str]:
    names = {month.facts.person.name}
    for change in month.facts.changes:
        names |= {change.shared_by, *(commit.author.name for commit in change.commits)}
        names |= {event.by for event in (change.out, change.back, *change.later) if event}
    return names - {""}


def _moved(told: Told, month: Recorded, chance: random.Random, months: Sequence[Recorded]) -> Iterator[Told]:
    others = [n for n in range(1, len(month.facts.changes) + 1) if n not in told.evidence]
    if others and told.part != "headline":
        count = min(len(told.evidence), len(others))
        yield replace(told, evidence=tuple(sorted(chance.sample(others, count))))


def _state(told: Told, month: Recorded, chance: random.Random, months: Sequence[Recorded]) -> Iterator[Told]:
    changes = [month.facts.changes[n - 1] for n in told.evidence]
    turned = [event for change in changes for event in (change.out, change.back, *change.later) if event]
    if not turned and all(change.kind != "revert" and change.state == "landed" for change in changes):
        text = text_of(month, told.evidence).lower()
        if not re.search(r"revert|back|re-?land|reapply|restor|undo", text):
            yield replace(told, text=f"{told.text} It was {chance.choice(('backed out', 'reverted'))} later.")
            if told.part == "item":
                yield replace(told, text=f"{told.text} It was re-landed after a revert.")
        return
    for event in turned:
        if event.by in told.text and f"by {event.by}" in told.text:
            other = chance.choice(sorted(one.facts.person.name for one in months if one.facts.person.name != event.by))
            yield replace(told, text=told.text.replace(f"by {event.by}", f"by {other}"))
    for match in _WHEN.finditer(told.text):
        day = int(match[1])
        yield replace(
            told, text=f"{told.text[: match.start(1)]}{day + 9 if day < 15 else day - 9}{told.text[match.end(1) :]}"
        )
    lone = [change for change in changes if change.kind != "revert"]
    final = [last(change) for change in lone]
    if final and all(one == "out" for one in final):
        if _OUT.search(told.text):
            yield replace(told, text=_OUT.sub("landed", told.text), beside="")
            if not any(change.back for change in lone):
                yield replace(told, text=_OUT.sub("brought back", told.text), beside="")
        if "Not back since" in told.text:
            yield replace(told, text=told.text.replace("Not back since", "Back since"))
    if final and all(one == "in" for one in final) and _BACK.search(told.text) and "Not back" not in told.text:
        yield replace(told, text=re.sub(_BACK, "not back on", told.text, count=1))


def last(change: object) -> str:
    revert_events = [event for event in (change.out, change.back, *change.later) if event]  # type: ignore[attr-defined]
    if not revert_events:
        return "out" if change.state in ("backed_out", "partly") else "in"  # type: ignore[attr-defined]
    return "in" if revert_events[-1].does == "relands" else "out"


def _negation(told: Told, month: Recorded, chance: random.Random, months: Sequence[Recorded]) -> Iterator[Told]:
    plain = re.sub(r"`[^`]*`|\"[^\"]*\"|“[^”]*”", lambda m: "\x00" * len(m[0]), told.text)
    if re.search(r"no reason given|Not back since", told.text):
        return
    taken: set[int] = set()
    for pattern, instead in _NOT:
        for match in pattern.finditer(plain):
            if not taken.intersection(range(*match.span())):
                taken.update(range(*match.span()))
                yield replace(told, text=told.text[: match.start()] + match.expand(instead) + told.text[match.end() :])


def _effect(told: Told, month: Recorded, chance: random.Random, months: Sequence[Recorded]) -> Iterator[Told]:
    text = f"{text_of(month, told.evidence)} {told.text}".lower()
    fitting = [effect for effect, says in _EFFECTS if not re.search(says, text)]
    for effect in chance.sample(fitting, min(2, len(fitting))):
        end = told.text.rstrip(".")
        yield replace(told, text=f"{end}{effect}.")


_PLANTING: dict[str, Callable[[Told, Recorded, random.Random, Sequence[Recorded]], Iterator[Told]]] = {
    "number": _number, "swapped": _swapped, "name": _name, "moved": _moved, "state": _state, "negation": _negation,
    "effect": _effect,
}  # fmt: skip


def planted(
    sort: str, sentences: Sequence[tuple[Recorded, Told]], months: Sequence[Recorded], most: int, seed: int
) -> list[Planted]:
    """Up to `most` faults of a sort, each in a sentence of its own as long as there are any left."""
    chance = random.Random(f"{sort} {seed}")  # noqa: S311
    rounds: list[list[Planted]] = []
    for month, told in sentences:
        every = [Planted(sort, false, told, month) for false in _PLANTING[sort](told, month, chance, months)]
        chance.shuffle(every)
        for at, one in enumerate(every):
            if at == len(rounds):
                rounds.append([])
            rounds[at].append(one)
    ordered: list[Planted] = []
    for one_round in rounds:
        chance.shuffle(one_round)
        ordered += one_round
    return ordered[:most]


def denying(months: Sequence[Recorded]) -> list[tuple[Recorded, Told]]:
    """Sentences of messages that deny something, as they stand, and their changes."""
    found: list[tuple[Recorded, Told]] = []
    for month in months:
        for n, change in enumerate(month.facts.changes, 1):
            for sentence in _PROSE_END.split(" ".join(change.lead.body.split())):
                if _PROSE.fullmatch(sentence) and any(pattern.search(sentence) for pattern, _ in _NOT):
                    found.append((month, Told(sentence, (n,), "attention", "message")))
    return found


def measured(half: str) -> list[tuple[Recorded, Told]]:
    """Sentences of other messages that tell two numbers, one before the other, as they stand."""
    rows = json.loads(gzip.decompress((DATA / "measured.json.gz").read_bytes()))
    some = rows if half == "both" else rows[("rules", "other").index(half) :: 2]
    return [(month_of(row["commit"]), Told(row["text"], (1,), "attention", "message")) for row in some]


_PROSE_END = re.compile(r"(?<=[a-z)][.!])\s+(?=[A-Z])")
_PROSE = re.compile(r"[A-Z][^*#|>\n]{40,220}[.]")
