"""Average-link agglomeration over a matrix of similarities. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NEVER = -1e6  # between two that may not stand together
EQUAL = 1e-9  # averages are the same up to here, however they were rounded


def joined(
    similarity: Sequence[Sequence[float]], together: Sequence[int], lowest: float
) -> list[tuple[float, int, int]]:
    """What is joined, most alike first: (how alike, a member of the one group, a member of the other).

    `together` says for each element the first of those it belongs with in any case. Groups are joined while they are
    at least `lowest` alike, on the average over all pairs. Quadratic in the number of elements; whoever stands
    earlier wins a tie.
    """
    groups: dict[int, list[int]] = {}
    for element, first in enumerate(together):
        groups.setdefault(first, []).append(element)
    leaders = sorted(groups)
    size = [len(groups[leader]) for leader in leaders]
    rows = _sums(similarity, [groups[leader] for leader in leaders])
    close = _close(similarity, [groups[leader] for leader in leaders], lowest - EQUAL)
    alive = [True] * len(leaders)
    found: list[tuple[float, int, int]] = []
    chain: list[int] = []
    waiting = list(range(len(leaders) - 1, -1, -1))
    while waiting or chain:
        if not chain:
            start = waiting.pop()
            if not alive[start]:
                continue
            chain.append(start)
        one = chain[-1]
        best, value = _nearest(rows[one], one, close[one], size)
        if best < 0 or value < lowest:  # nothing that is joined later comes nearer: averages never rise above this
            alive[one] = False
            for other in close[one]:
                close[other].discard(one)
            chain.pop()
            continue
        before = _mean(rows[one], chain[-2], one, size) if len(chain) > 1 else NEVER
        if value <= before + EQUAL:
            best, value = chain[-2], before
            chain.pop()
            chain.pop()
            keep, gone = min(one, best), max(one, best)
            found.append((value, leaders[keep], leaders[gone]))
            _join(rows, keep, gone, alive)
            _join_close(close, keep, gone)
            size[keep] += size[gone]
            alive[gone] = False
            waiting.append(keep)
        else:
            chain.append(best)
    return sorted(found, key=lambda one: (-one[0], one[1], one[2]))


def _sums(similarity: Sequence[Sequence[float]], groups: Sequence[Sequence[int]]) -> list[list[float]]:
    if all(len(group) == 1 for group in groups):
        return [list(similarity[group[0]]) for group in groups]
    return _summed(list(zip(*_summed(similarity, groups), strict=True)), groups)


def _summed(rows: Sequence[Sequence[float]], groups: Sequence[Sequence[int]]) -> list[list[float]]:
    """For each group the sum of its members' rows."""
    return [[sum(column) for column in zip(*(rows[member] for member in group), strict=True)] for group in groups]


def _close(similarity: Sequence[Sequence[float]], groups: Sequence[Sequence[int]], least: float) -> list[set[int]]:
    """For each group the others of which any member is as alike as `least` to one of its own: no other group can be so
    on the average."""
    place = {member: at for at, group in enumerate(groups) for member in group}
    return [
        {place[other] for member in group for other, value in enumerate(similarity[member]) if value >= least} - {at}
        for at, group in enumerate(groups)
    ]


def _nearest(row: Sequence[float], one: int, close: Iterable[int], size: Sequence[int]) -> tuple[int, float]:
    best, value = -1, 0.0
    for other in close:
        mean = row[other] / size[other]
        if mean > value or (mean == value and other < best):
            best, value = other, mean
    return best, value / size[one]


def _mean(row: Sequence[float], other: int, one: int, size: Sequence[int]) -> float:
    return row[other] / size[other] / size[one]


def _join(rows: list[list[float]], keep: int, gone: int, alive: Sequence[bool]) -> None:
    into, out = rows[keep], rows[gone]
    for other, row in enumerate(rows):
        if alive[other]:
            into[other] += out[other]
            row[keep] = into[other]


def _join_close(close: Sequence[set[int]], keep: int, gone: int) -> None:
    for other in close[gone]:
        close[other].discard(gone)
        close[other].add(keep)
    close[keep].update(close[gone])
    close[keep].discard(keep)
