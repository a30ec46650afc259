"""How often the checker is wrong: true sentences of recorded replies it refuses, and planted faults it lets pass.

    python -m benchmarks.checker [--half rules|other|both] [--show SORT] [--seed 7] [--most 100]

The data is in tests/story/replies: months of six public histories with what a strong model replied to the prompts of
templates/prompt, judged by a careful reader with the commits and diffs beside them. The rules were found on every
second month ("rules"); the "other" months were only measured. docs/model.md tells what came of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.faults import SORTS, Planted, denying, measured, planted
from benchmarks.replies import Recorded, Told, judged, recorded
from benchmarks.report import table

HALVES = ("rules", "other")


@dataclass(frozen=True, slots=True)
class Outcome:
    """True sentences, which of them were refused and why; of each sort of fault, those planted and those passed."""

    true: tuple[tuple[Recorded, Told], ...]
    refused: tuple[tuple[Told, tuple[str, ...]], ...]
    untrue: tuple[tuple[Told, bool], ...]  # and whether it was refused
    planted: dict[str, tuple[Planted, ...]]
    passed: dict[str, tuple[Planted, ...]]

    @property
    def share_passed(self) -> float:
        return 1 - len(self.refused) / len(self.true)

    def share_refused(self, *sorts: str) -> float:
        some = sorts or tuple(self.planted)
        return 1 - sum(len(self.passed[sort]) for sort in some) / sum(len(self.planted[sort]) for sort in some)


def measure(half: str = "both", seed: int = 7, most: int = 100) -> Outcome:
    months = recorded()
    wanted = [at for at in range(len(months)) if half == "both" or at % 2 == HALVES.index(half)]
    why = judged()
    every = [(at, told) for at in wanted for told in months[at].told()]
    true = [(months[at], told) for at, told in every if (at, told.text) not in why]
    untrue = [(months[at], told) for at, told in every if (at, told.text) in why]
    checkers = {id(month): month.checker() for month in months}

    def faults(month: Recorded, told: Told) -> list[str]:
        if id(month) not in checkers:
            checkers[id(month)] = month.checker()
        return checkers[id(month)].faults(told.text, told.evidence, told.part, told.beside)

    refused = [(told, tuple(found)) for month, told in true if (found := faults(month, told))]
    extra = {"swapped": measured(half), "negation": denying([months[at] for at in wanted])}
    by_sort: dict[str, tuple[Planted, ...]] = {}
    for sort in SORTS:
        some = planted(sort, true, months, most, seed)
        if sort in extra:  # replies have too few of them: sentences of messages, as they stand, make up the number
            held = [(month, told) for month, told in extra[sort] if not faults(month, told)]
            some += planted(sort, held, months, most - len(some), seed)
        by_sort[sort] = tuple(some)
    passed = {sort: tuple(one for one in some if not faults(one.month, one.told)) for sort, some in by_sort.items()}
    return Outcome(
        tuple(true), tuple(refused), tuple((told, bool(faults(month, told))) for month, told in untrue), by_sort, passed
    )


def _of_messages(some: Sequence[Planted]) -> int:
    return sum(one.true.part == "attention" and one.true.beside == "message" for one in some)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--half", choices=(*HALVES, "both"), default="both")
    arguments.add_argument("--show", choices=("true", *SORTS))
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--most", type=int, default=100)
    options = arguments.parse_args()
    found = measure(options.half, options.seed, options.most)
    print(f"true sentences: {len(found.true)}, passed {found.share_passed:.1%}")
    print(f"untrue or misleading: {len(found.untrue)}, refused {sum(is_refused for _, is_refused in found.untrue)}")
    rows = [
        [
            sort,
            str(len(some)),
            str(_of_messages(some)),
            str(len(found.passed[sort])),
            f"{found.share_refused(sort):.0%}",
        ]
        for sort, some in found.planted.items()
    ]
    rows.append(["together", str(sum(map(len, found.planted.values()))), "", "", f"{found.share_refused():.1%}"])
    print(table(["planted", "number", "in sentences of messages", "passed", "refused"], rows))
    if options.show == "true":
        for told, faults in found.refused:
            print(f"{told.text}\n    {'; '.join(faults)}")
    for one in found.passed.get(options.show or "", ()):
        print(f"{one.told.text} {one.told.evidence}\n    of: {one.true.text}")


if __name__ == "__main__":
    main()
