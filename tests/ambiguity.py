"""Finds the places where a regular expression can read one text in several ways, and so take for ever over it.

A pattern is made into a position automaton: a state for each sign that it can read, a step for each way from one to
the next, with what `\\b`, `^`, `$` and lookarounds ask of the signs on both sides of the step. A repeat that can read
one text in two ways is then a state that two different paths lead back to over the same signs (Weber and Seidl, "On the
degree of ambiguity of finite automata"): the time grows exponentially. Two repeats beside each other that can share
one text out among them are two states, one before the other, that loop over the same signs: it grows with the square.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

UNROLLED = 5  # a repeat of at most so many is written out; one of more is taken for one without end
_EDGE = ""  # the sign before the first and behind the last
_SIGNS = "aZ_5 \n\t!\x1cé字\u2028\xb2"
_CATEGORIES = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_WORD: lambda sign: sign.isalnum() or sign == "_",
}
_NOT = {
    sre.CATEGORY_NOT_DIGIT: sre.CATEGORY_DIGIT,
    sre.CATEGORY_NOT_SPACE: sre.CATEGORY_SPACE,
    sre.CATEGORY_NOT_WORD: sre.CATEGORY_WORD,
}
_DOTALL, _ASCII, _MULTILINE = map(int, (re.DOTALL, re.ASCII, re.MULTILINE))  # to ask a flag itself takes far longer
_READS = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)


def ambiguous(pattern: str, flags: int = 0) -> str | None:
    """What of a pattern can be read in exponentially many ways; None where nothing can."""
    for tree in _parts(_parser.parse(pattern, flags)):
        automaton = _Automaton(tree, tree.state.flags | flags)
        if found := automaton.exponential():
            return found
    return None


def shared_out(pattern: str, flags: int = 0) -> str | None:
    """What of a pattern can be shared out among two repeats one behind the other; None where nothing can."""
    for tree in _parts(_parser.parse(pattern, flags)):
        if found := _Automaton(tree, tree.state.flags | flags, counts=False).quadratic():
            return found
    return None


def _parts(tree: Any) -> Iterator[Any]:
    """A pattern, and what of it is read on its own: each lookaround, and each atomic group, of which what was read once
    is never read in another way."""
    yield tree
    for op, value in tree:
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _parts(value[1])
        for inner in _inside(op, value):
            own = _parts(inner)
            if op is not sre.ATOMIC_GROUP:
                next(own)
            yield from own


def _inside(op: Any, value: Any) -> list[Any]:
    if op is sre.BRANCH:
        return list(value[1])
    if op is sre.SUBPATTERN:
        return [value[3]]
    if op in _REPEATS:
        return [value[2]]
    if op is sre.ATOMIC_GROUP:
        return [value]
    if op is sre.GROUPREF_EXISTS:
        return [one for one in value[1:] if one is not None]
    return []


@dataclass
class _Node:
    """A node of the graph that the pattern is first made into: a sign to read, or steps that read none."""

    reads: Any = None
    atomic: frozenset[int] = frozenset()  # the atomic groups around it
    steps: list[tuple[int, Any]] = field(default_factory=list)  # to a node, under a condition


class _Automaton:
    def __init__(self, tree: Any, flags: int, *, counts: bool = True) -> None:
        self._flags, self._counts = int(flags), counts
        self._folds = bool(flags & re.IGNORECASE)
        self._nodes: list[_Node] = []
        self._atomic: frozenset[int] = frozenset()
        first, last = self._node(), self._node()
        self._built(tree, first, last)
        self._last = last
        self._atoms = self._alphabet()
        self._size = len(self._atoms)
        self._tested: dict[tuple[Any, int], int] = {}
        self._own: dict[int, int] = {
            at: self._bits(node.reads) for at, node in enumerate(self._nodes) if node.reads is not None
        }
        self._masks: dict[int, int] = {}
        self._steps: dict[int, dict[int, list[int]]] = {at: self._behind(at) for at in self._own}
        self._read: dict[tuple[int, int], dict[int, list[tuple[int, bool]]]] = {}

    # the graph

    def _node(self, reads: Any = None) -> int:
        self._nodes.append(_Node(reads, self._atomic))
        return len(self._nodes) - 1

    def _link(self, start: int, end: int, condition: Any = None) -> None:
        self._nodes[start].steps.append((end, condition))

    def _built(self, tree: Any, start: int, end: int) -> None:
        at = start
        for op, value in tree:
            behind = self._node()
            self._one(op, value, at, behind)
            at = behind
        self._link(at, end)

    def _one(self, op: Any, value: Any, start: int, end: int) -> None:
        if op in _READS:
            sign = self._node((op, value))
            self._link(start, sign)
            self._link(sign, end)
        elif op in (sre.ATOMIC_GROUP, sre.POSSESSIVE_REPEAT):
            outside, self._atomic = self._atomic, self._atomic | {end}
            if op is sre.ATOMIC_GROUP:
                self._built(value, start, end)
            else:
                self._repeated(*value, start, end)
            self._atomic = outside
        elif op in _REPEATS:
            self._repeated(*value, start, end)
        elif op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
            self._link(start, end, (op, value))
        elif inside := _inside(op, value):
            for one in inside:
                self._built(one, start, end)
            if op is sre.GROUPREF_EXISTS and value[2] is None:
                self._link(start, end)
        else:  # what was found before, again: of no length
            self._link(start, end)

    def _repeated(self, least: int, most: int, body: Any, start: int, end: int) -> None:
        if not self._counts and most != sre.MAXREPEAT:
            least, most = min(least, 1), min(most, 1)  # what has an end takes no time that grows
        if least > UNROLLED and not (len(body) == 1 and body[0][0] in _READS and least < 99):
            least = 1
        at = start
        for _ in range(least):
            behind = self._node()
            self._built(body, at, behind)
            at = behind
        if most == least:
            self._link(at, end)
        elif most - least <= UNROLLED:
            for _ in range(most - least):
                behind, inner = self._node(), self._node()
                self._link(at, end)
                self._link(at, inner)
                self._built(body, inner, behind)
                at = behind
            self._link(at, end)
        else:
            loop, inner = self._node(), self._node()
            self._link(at, loop)
            self._link(loop, end)
            self._link(loop, inner)
            self._built(body, inner, loop)

    # what is read

    def _alphabet(self) -> list[str]:
        """A sign for each class of signs that the pattern tells apart, and the edge."""
        signs = set(_SIGNS)
        tests: list[Any] = [node.reads for node in self._nodes if node.reads is not None]
        for node in self._nodes:
            for _, condition in node.steps:
                if condition and condition[0] is not sre.AT:
                    tests += _reads_in(condition[1][1])
        for op, value in tests:
            items = value if op is sre.IN else [(op, value)]
            for kind, what in items:
                if kind in (sre.LITERAL, sre.NOT_LITERAL):
                    signs |= {chr(what)}
                elif kind is sre.RANGE:
                    signs |= {chr(max(what[0] - 1, 0)), chr(what[0]), chr(what[1]), chr(min(what[1] + 1, 0x10FFFF))}
        seen: dict[tuple[bool, ...], str] = {}
        unique = list({repr(test): test for test in tests}.values())
        for sign in sorted(signs):
            is_word = _CATEGORIES[sre.CATEGORY_WORD](sign)
            seen.setdefault((is_word, sign == "\n", *(self._is_read(*test, sign) for test in unique)), sign)
        return [_EDGE, *seen.values()]

    def _is_read(self, op: Any, value: Any, sign: str) -> bool:
        if not sign:
            return False
        if op is sre.ANY:
            return bool(self._flags & _DOTALL) or sign != "\n"
        if op is sre.NOT_LITERAL:
            return not self._same(value, sign)
        if op is sre.LITERAL:
            return self._same(value, sign)
        negated, found = False, False
        for kind, what in value:
            if kind is sre.NEGATE:
                negated = True
            elif kind is sre.LITERAL:
                found = found or self._same(what, sign)
            elif kind is sre.RANGE:
                both = {sign, sign.lower(), sign.upper()} if self._folds else {sign}
                found = found or any(len(one) == 1 and what[0] <= ord(one) <= what[1] for one in both)
            elif kind is sre.CATEGORY:
                is_ascii = not self._flags & _ASCII or sign.isascii()
                found = found or (
                    not (_CATEGORIES[_NOT[what]](sign) and is_ascii)
                    if what in _NOT
                    else bool(_CATEGORIES[what](sign) and is_ascii)
                )
        return found != negated

    def _same(self, code: int, sign: str) -> bool:
        return chr(code) == sign or (self._folds and chr(code).lower() == sign.lower())

    def _bits(self, test: Any) -> int:
        op, value = test
        key = (op, value if isinstance(value, int) else id(value))
        if key not in self._tested:
            self._tested[key] = sum(1 << n for n, sign in enumerate(self._atoms) if self._is_read(op, value, sign))
        return self._tested[key]

    # steps without a sign, and what they ask of the signs on both sides

    def _condition(self, condition: Any) -> int:
        """The pairs (sign before, sign behind) under which a step can be taken, as bits."""
        key = id(condition)
        if key not in self._masks:
            self._masks[key] = self._made(*condition)
        return self._masks[key]

    def _made(self, op: Any, value: Any) -> int:
        every = range(self._size)
        if op is sre.AT:
            word = [sign != _EDGE and bool(_CATEGORIES[sre.CATEGORY_WORD](sign)) for sign in self._atoms]
            line = [sign in (_EDGE, "\n") for sign in self._atoms]
            multiline = self._flags & _MULTILINE

            def holds(before: int, behind: int) -> bool:
                if value in (sre.AT_BOUNDARY, sre.AT_NON_BOUNDARY):
                    return (word[before] != word[behind]) == (value is sre.AT_BOUNDARY)
                if value in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
                    return line[before] if multiline and value is sre.AT_BEGINNING else before == 0
                return line[behind] if value is sre.AT_END else behind == 0

        else:
            direction, tree = value
            allowed, exact = self._ends(list(tree), direction)
            if op is sre.ASSERT_NOT:
                if not exact:
                    return (1 << self._size**2) - 1
                allowed = ((1 << self._size) - 1) & ~allowed

            def holds(before: int, behind: int) -> bool:
                return bool(allowed >> (behind if direction > 0 else before) & 1)

        return sum(1 << (a * self._size + b) for a in every for b in every if holds(a, b))

    def _ends(self, items: list[Any], direction: int) -> tuple[int, bool]:
        """The signs that can stand first (or last, looking back) in what a lookaround wants, and whether that is all
        that it wants."""
        every = (1 << self._size) - 1
        if not items:
            return every, True
        op, value = items[0] if direction > 0 else items[-1]
        rest = items[1:] if direction > 0 else items[:-1]
        if op in _READS:
            return self._bits((op, value)), not rest
        if op is sre.AT and value in (sre.AT_END, sre.AT_END_STRING, sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
            return sum(1 << n for n, sign in enumerate(self._atoms) if sign in (_EDGE, "\n")), False
        if op in (sre.BRANCH, sre.SUBPATTERN):
            both = [
                self._ends([*one, *rest] if direction > 0 else [*rest, *one], direction) for one in _inside(op, value)
            ]
            signs = 0
            for one, _ in both:
                signs |= one
            return signs, all(exact for _, exact in both)
        if op in _REPEATS:
            inner, exact = self._ends(list(value[2]), direction)
            if value[0]:
                return inner, exact and not rest and value[0] == 1
            behind, _ = self._ends(rest, direction)
            return inner | behind, False
        return every, False

    def _behind(self, start: int) -> dict[int, list[int]]:
        """What can be read next after a sign, with the conditions of each way there."""
        found: dict[int, list[int]] = defaultdict(list)
        seen: dict[int, list[int]] = defaultdict(list)
        everything = (1 << self._size**2) - 1

        def walk(at: int, mask: int, path: frozenset[int]) -> None:
            for end, condition in self._nodes[at].steps:
                narrowed = mask & self._condition(condition) if condition else mask
                if not narrowed:
                    continue
                if self._nodes[end].reads is not None:
                    found[end].append(narrowed)
                elif end not in path and len(seen[end]) < 4:
                    seen[end].append(narrowed)
                    walk(end, narrowed, path | {end})

        walk(start, everything, frozenset({start}))
        return dict(found)

    def _next(self, state: int, before: int) -> dict[int, list[tuple[int, bool]]]:
        """For each sign, the states that reading it leads to, each with whether there are two ways there."""
        key = (state, before)
        if key not in self._read:
            found: dict[int, list[tuple[int, bool]]] = defaultdict(list)
            for end, masks in self._steps[state].items():
                once = twice = 0
                for mask in masks:
                    signs = mask >> (before * self._size) & self._own[end] & ~1
                    once, twice = once | signs, twice | once & signs
                while once:
                    atom = once.bit_length() - 1
                    found[atom].append((end, bool(twice >> atom & 1)))
                    once ^= 1 << atom
            self._read[key] = dict(found)
        return self._read[key]

    # how many ways

    def _loops(self) -> list[set[int]]:
        graph = {at: set(ends) for at, ends in self._steps.items()}
        return [set(one) for one in _components(graph) if len(one) > 1 or next(iter(one)) in graph[next(iter(one))]]

    def exponential(self) -> str | None:
        for loop in self._loops():
            graph, doubled = self._pairs(loop)
            for component in _components(graph):
                inside = set(component)
                if any(a == b for a, b, _ in inside) and any(a != b for a, b, _ in inside):
                    return self._shown(next((a, b) for a, b, _ in inside if a != b))
                for start, end in doubled:
                    if start in inside and end in inside and (len(inside) > 1 or start == end):
                        return self._shown((start[0], end[0]))
        return None

    def _pairs(self, loop: set[int]) -> tuple[dict[Any, set[Any]], list[tuple[Any, Any]]]:
        """Which pairs of states of a loop lead to which by one sign, and where one state leads to one in two ways."""
        graph: dict[Any, set[Any]] = defaultdict(set)
        doubled: list[tuple[Any, Any]] = []
        todo = [(state, state, atom) for state in loop for atom in range(1, self._size) if self._own[state] >> atom & 1]
        seen = set(todo)
        while todo:
            one = todo.pop()
            for pair, is_doubled in self._steps_of(one, loop):
                if is_doubled:
                    doubled.append((one, pair))
                graph[one].add(pair)
                if pair not in seen:
                    seen.add(pair)
                    todo.append(pair)
        return graph, doubled

    def _steps_of(self, one: tuple[int, int, int], loop: set[int]) -> Iterator[tuple[tuple[int, int, int], bool]]:
        """Where a pair leads within a loop, and whether that is one state in two ways."""
        left, right, before = one
        behind = self._next(right, before)
        for atom, ends in self._next(left, before).items():
            for end, double in ends:
                for other, _ in behind.get(atom, ()):
                    if end not in loop or other not in loop:
                        continue
                    if end != other and left == right and self._is_settled(left, end, other):
                        continue
                    yield (min(end, other), max(end, other), atom), end == other and double and left == right

    def _is_settled(self, state: int, one: int, other: int) -> bool:
        """Whether an atomic group takes one of two ways on from a state for good."""
        at, first, second = (self._nodes[n].atomic for n in (state, one, other))
        return bool((at & (first | second)) or (first & second) - at)

    def quadratic(self) -> str | None:
        loops = self._loops()
        of = {state: n for n, loop in enumerate(loops) for state in loop}
        reach = {n: self._reached(loop) for n, loop in enumerate(loops)}
        for n, loop in enumerate(loops):
            behind = {state for state in reach[n] if of.get(state, n) != n}
            if not behind:
                continue
            graph: dict[Any, set[Any]] = defaultdict(set)
            todo = [
                (p, q, atom)
                for p in loop
                for q in behind
                for atom in range(1, self._size)
                if self._own[p] & self._own[q] & (1 << atom) and self._nodes[p].atomic <= self._nodes[q].atomic
            ]
            for one in todo:
                p, q, before = one
                own = self._next(p, before)
                for atom, others in self._next(q, before).items():
                    ends = [end for end, _ in own.get(atom, ()) if end in loop]
                    graph[one].update(
                        (end, other, atom) for end in ends for other, _ in others if of.get(other) == of[q]
                    )
            for component in _components(graph):
                if len(component) == 1 and component[0] not in graph[component[0]]:
                    continue
                # One pair answers for all: they lead to one another over the same signs.
                p, q, before = component[0]
                if self._slides(p, q, before, set(component)):
                    return self._shown((p, q))
        return None

    def _slides(self, p: int, q: int, before: int, pairs: set[Any]) -> bool:
        """Whether, over signs that lead from p to p and from q to q, something leads from p to q."""
        start, goal = (p, p, q, before), (p, q, q, before)
        todo, seen = [start], {start}
        while todo:
            a, b, c, last = todo.pop()
            for atom, ones in self._next(a, last).items():
                for one, _ in ones:
                    for three, _ in self._next(c, last).get(atom, ()):
                        if (one, three, atom) not in pairs:
                            continue
                        for two, _ in self._next(b, last).get(atom, ()):
                            state = (one, two, three, atom)
                            if state == goal:
                                return True
                            if state not in seen:
                                seen.add(state)
                                todo.append(state)
        return False

    def _reached(self, states: Iterable[int]) -> set[int]:
        todo, seen = list(states), set(states)
        while todo:
            for end in self._steps[todo.pop()]:
                if end not in seen:
                    seen.add(end)
                    todo.append(end)
        return seen

    def _shown(self, states: tuple[int, int]) -> str:
        return " and ".join(
            "".join(sign for n, sign in enumerate(self._atoms) if self._own[state] >> n & 1)[:12].__repr__()
            + f" (sign {sorted(self._own).index(state) + 1})"
            for state in states
        )


def _reads_in(tree: Any) -> list[Any]:
    found = []
    for op, value in tree:
        if op in _READS:
            found.append((op, value))
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            found += _reads_in(value[1])
        for inner in _inside(op, value):
            found += _reads_in(inner)
    return found


def _components(graph: Any) -> list[list[Any]]:
    """The strongly connected parts of a graph (Tarjan), without recursion."""
    index: dict[Any, int] = {}
    low: dict[Any, int] = {}
    stack: list[Any] = []
    on: set[Any] = set()
    found = []
    for root in list(graph):
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            for end in rest:
                if end not in index:
                    index[end] = low[end] = len(index)
                    stack.append(end)
                    on.add(end)
                    work.append((end, iter(graph.get(end, ()))))
                    break
                if end in on:
                    low[node] = min(low[node], index[end])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = []
                    while True:
                        end = stack.pop()
                        on.discard(end)
                        part.append(end)
                        if end == node:
                            break
                    found.append(part)
    return found
