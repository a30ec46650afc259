"""The runs of the campaign: what goes wrong in each, and what has to come of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot_process import PARTS, Fate

POST, LOOKS = "chat.postMessage", ("conversations.history", "conversations.replies")
KINDS = {
    "the connection drops before Slack takes it": "drop_before",
    "the connection drops after Slack took it": "drop_after",
    "429 with Retry-After": "ratelimited",
    "500": "http_500",
    "an answer that is no JSON": "invalid_json",
    "an answer that is no UTF-8": "answer_after:\xff\xfe",
    "an answer that is a list": 'answer_after:[{"ok":true}]',
    "half an answer": "half",
    "ok without a ts": 'answer_after:{"ok":true}',
    "a proxy answers, and Slack never hears of it": "answer_before:502 Bad Gateway",
    "a slow answer": "delay:0.2",
    "no answer in time; Slack takes it later": "delay:0.8",
    "internal_error": "error:internal_error",
    "fatal_error": "error:fatal_error",
}
OF_A_MESSAGE = ("before claim", "after claim", "before call", "in call", "after call", "before settle", "after settle")
OF_A_LOOK = ("before look", "after look")
TWO_LOOKS = ("before looked", "after looked", "before try again", "after try again")
FOUND = ("before found", "after found")
OF_A_PAUSE = (
    "before pause", "after pause", "before hold", "after hold", "before plan notice", "after plan notice",
    "before told", "after told", "before claim notice", "after claim notice", "in call notice", "after call notice",
    "before settle notice", "after settle notice",
)  # fmt: skip


@dataclass(frozen=True)
class Run:
    """One delivery of a digest of three messages, until nothing waits any more.

    `fates` are those of the bots that run, one after the other, or all at once where they race; after them comes one
    whom nothing befalls. `faults` are what Slack's calls meet with, as (method, kind, times).
    """

    group: str
    name: str
    fates: tuple[Fate, ...] = ()
    faults: tuple[tuple[str, str, int], ...] = ()
    readable: bool = True
    racing: bool = False
    pauses: bool = False  # the channel is gone: nothing is posted, and the owner is told
    random_kills: tuple[float, ...] = field(default=())  # after so many seconds, one bot after the other


def nth_message(number: int, kind: str) -> tuple[tuple[str, str, int], ...]:
    """A fault that the message with a number meets, from 0."""
    return ((POST, "delay:0", number), (POST, kind, 1)) if number else ((POST, kind, 1),)


def of_faults(readable: bool) -> Iterator[Run]:
    group = "a fault at a call" if readable else "a fault at a call, history not readable"
    for said, kind in KINDS.items():
        for number, part in enumerate(PARTS):
            yield Run(group, f"{said}, {part}", faults=nth_message(number, kind), readable=readable)
    for said, kind in KINDS.items():
        if kind != "ratelimited" and not readable:
            continue
        yield Run(group, f"{said}, every message", faults=((POST, kind, 3),), readable=readable)


def of_steps() -> Iterator[Run]:
    group = "killed at a named step"
    for step in ("before plan", "after plan"):
        yield Run(group, step, (Fate(step),))
    for part in PARTS:
        for step in OF_A_MESSAGE:
            fate = Fate(f"{step} {part}")
            slow = nth_message(PARTS.index(part), "delay:0.2") if step == "in call" else ()
            yield Run(group, fate.step, (fate,), slow)


def of_reconciling() -> Iterator[Run]:
    group = "killed at a step of looking for a lost message"
    for part in PARTS[:2]:
        number = PARTS.index(part)
        for step in (*OF_A_LOOK, *FOUND):
            yield Run(group, f"{step}, {part} was taken", (Fate(step),), nth_message(number, "drop_after"))
        for step in (*OF_A_LOOK, *TWO_LOOKS):
            yield Run(group, f"{step}, {part} was not taken", (Fate(step),), nth_message(number, "drop_before"))
        for step in ("before give up", "after give up"):
            lost = (Fate(f"after call {part}"), Fate(step))
            yield Run(group, f"{step}, {part} was being sent", lost)
    yield Run(group, "before look, twice", (Fate("before look"), Fate("before look")), nth_message(0, "drop_after"))


def of_pausing() -> Iterator[Run]:
    group = "killed while a broken channel is paused"
    for step in OF_A_PAUSE:
        slow = ((POST, "delay:0.2", 1),) if step.startswith("in call") else ()
        yield Run(group, step, (Fate(step),), ((POST, "error:is_archived", 1), *slow), pauses=True)


def of_chance(jobs: int, seed: int) -> Iterator[Run]:
    """Kills at random moments, one to four in a round, while up to three calls that post and two that look meet with
    faults.

    A delivery takes a tenth of a second where nothing goes wrong, and a second or two where something is looked for:
    a kill that comes too late is none.
    """
    dice = random.Random(seed)  # noqa: S311 -- the same in every campaign
    kinds = list(KINDS.values())
    for number in range(jobs):
        longest = [0.12, *dice.choices((0.12, 0.3, 1.5), k=dice.choice((0, 0, 1, 2, 3)))]
        times = tuple(round(dice.uniform(0.0, most), 4) for most in longest)
        posting = dice.sample([*kinds, "delay:0", "delay:0"], k=dice.choice((0, 1, 1, 2, 3)))
        looking = [(dice.choice(LOOKS), dice.choice(kinds)) for _ in range(dice.choice((0, 0, 1, 2)))]
        faults = tuple((method, kind, 1) for method, kind in [*((POST, kind) for kind in posting), *looking])
        said = f"{number}: at {', '.join(map(str, times))} s, {faults}"
        yield Run("kills and faults by chance", said, faults=faults, random_kills=times)


def of_races(processes: int, count: int) -> Iterator[Run]:
    group = f"{processes} processes tick at the same moment"
    patient = Fate(patient=True)
    for number in range(count):
        killed = [Fate(), Fate("after claim root"), Fate("after call root"), Fate("in call part 1"), Fate("after plan")]
        one = killed[number % len(killed)]
        fates = (Fate(one.step, patient=True),) * processes  # whoever gets there dies; the others go on
        name = f"each that gets there is killed {one.step}" if one.step else "none is killed"
        slow = nth_message(1, "delay:0.2") if one.step.startswith("in call") else ()
        yield Run(group, name, fates, slow, racing=True)
    yield Run(group, "an answer is lost", (patient,) * processes, nth_message(0, "drop_after"), racing=True)


def of_jumps() -> Iterator[Run]:
    group = "the clock jumps"
    for name, hours in {
        "an hour forward": (0, 1, 1), "an hour back": (0, -1, -1),
        "three days back after it was posted": (0, 0, -72, -72), "back and forth": (0, -240, 0, -240, 0),
    }.items():  # fmt: skip
        yield Run(group, name, (Fate(hours=hours),))
        yield Run(group, f"{name}, an answer is lost", (Fate(hours=hours),), nth_message(0, "drop_after"))
    yield Run(
        group, "three days forward when an answer is lost, then right again", (Fate(hours=(72, 0, 0)),),
        nth_message(0, "drop_after"),
    )  # fmt: skip
    killed = Fate("after call root", hours=(0, 2))
    yield Run(group, "two hours forward, killed, then right again", (killed, Fate(hours=(2, 0))))


def small() -> list[Run]:
    """A part that runs with all other tests."""
    faults = [one for one in of_faults(readable=True) if one.name.endswith(", root")]
    taken = ("the connection drops after Slack took it, root", "429 with Retry-After, root", "500, part 1")
    steps = ("after plan", "after claim root", "after call root", "in call part 1", "after settle part 1")
    return [
        *(one for one in (*faults, *of_faults(readable=True)) if one.name in taken[::2]),
        *(one for one in of_faults(readable=False) if one.name == taken[0]),
        *(one for one in of_steps() if one.name in steps),
        *(one for one in of_pausing() if one.name == "after pause"),
        *list(of_races(2, 2))[1:2],
        *list(of_jumps())[4:5],
    ]


def whole() -> list[Run]:
    return [
        *of_faults(readable=True), *of_faults(readable=False), *of_steps(), *of_reconciling(), *of_pausing(),
        *of_chance(200, seed=7), *of_races(2, 12), *of_races(10, 12), *of_jumps(),
    ]  # fmt: skip
