"""What telling leaves out for speed makes no difference: each short cut beside the plain way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from bot.story.bodies import impact
from bot.story.grouping import kinship, linkage, traits
from bot.story.grouping.kinship import BRANCH, CUT, PULLS, similarities
from bot.story.grouping.linkage import NEVER, joined
from bot.story.grouping.theme_words import words_of
from bot.story.grouping.traits import Traits
from bot.story.proving import proof
from bot.story.words.remembered import LONGEST, remembered

WORDS = ("cache", "chunk", "[ci]", "[index]", "login", "invoice")
PATHS = ("src/cache.py", "src/", "[id].tsx", "web/login.ts", "web/", "*cache")


@st.composite
def read(draw: st.DrawFn) -> Traits:
    return Traits(
        seconds=draw(st.integers(0, 40 * 24)) * 3600,
        repository=draw(st.sampled_from(("acme/engine", "acme/web"))),
        paths=draw(st.dictionaries(st.sampled_from(PATHS), st.sampled_from((1.0, 0.5, 0.7)))),
        words=draw(st.dictionaries(st.sampled_from(WORDS), st.sampled_from((1.0, 0.3, 1.25)))),
        tags=frozenset(),
        own=frozenset(),
        named=frozenset(),
        issues=frozenset(draw(st.sets(st.sampled_from(("#1", "#2", "#3"))))),
        stacks=frozenset(),
        diff=draw(st.sampled_from((0, 0, 12_345, 12_350, 99_999))),
        is_pull=draw(st.booleans()),
        sort=draw(st.sampled_from(("", "", "", "revert", "backed out", "release"))),
        side=draw(st.sampled_from(("", "", "test", "docs"))),
        is_fix=False,
        lines=0,
        files_changed=0,
        is_trivial=False,
        is_measured=False,
    )


def cosine(rows: Sequence[dict[str, float]], one: int, other: int, power: float, *, are_words: bool) -> float:
    held = {part: sum(part in row for row in rows) for row in rows for part in row}
    rare = {part: math.log(1 + len(rows) / max(number, 2)) ** power for part, number in held.items()}
    counted = {part for part in held if held[part] > 1 or not (are_words and part[0] == "[")}
    weighed = [{part: weight * rare[part] for part, weight in row.items() if part in counted} for row in rows]
    norms = [math.sqrt(sum(weight * weight for weight in row.values())) or 1.0 for row in weighed]
    shared = weighed[one].keys() & weighed[other].keys()
    product: float = sum(weighed[one][part] * weighed[other][part] for part in shared)
    return product / norms[one] / norms[other]


def compared(every: Sequence[Traits], merged: set[int], one: int, other: int) -> float:
    """How alike two are, term by term."""
    first, second = every[one], every[other]
    pulls = kinship._of_pulls(every)
    is_pull = any(every[n].repository in pulls or n in merged for n in (one, other))
    weight = PULLS if is_pull else BRANCH
    paths = [{f"{each.repository}:{path}": value for path, value in each.paths.items()} for each in every]
    of_paths = cosine(paths, one, other, 1, are_words=False)
    of_words = cosine([dict(each.words) for each in every], one, other, 0.5, are_words=True)
    alike = (weight.paths * of_paths + weight.words * of_words) / weight.whole
    if first.sort != second.sort:
        return alike if {first.sort, second.sort} == {"revert", ""} and alike > CUT else NEVER
    if first.sort == "revert" and alike <= CUT:
        return NEVER
    days = abs(first.seconds - second.seconds) / 86_400
    more = weight.time * math.exp(-days / 3) if days < 20 else 0.0
    more += weight.issue if first.issues & second.issues else 0.0
    apart = abs(first.diff - second.diff)
    more += weight.stack * math.exp(-apart / 30) if first.diff and second.diff and apart < 120 else 0.0
    more += weight.side if first.side and first.side == second.side else 0.0
    return (alike + more / weight.whole) * (1 if first.repository == second.repository else 0.5)


@given(st.lists(read(), min_size=1, max_size=9), st.sets(st.integers(0, 8)))
def test_each_two_changes_are_as_alike_as_their_terms_say(drawn: list[Traits], merged: set[int]) -> None:
    every = sorted(drawn, key=lambda one: one.seconds)
    matrix = similarities(every, merged)
    for one in range(len(every)):
        assert matrix[one][one] == 0
        for other in range(one + 1, len(every)):
            assert matrix[one][other] == matrix[other][one]
            assert math.isclose(matrix[one][other], compared(every, merged, one, other), abs_tol=1e-9)


@given(st.data(), st.integers(1, 9), st.sampled_from((0.1, 0.2, 0.5)))
def test_groups_that_are_not_close_would_never_be_joined(data: st.DataObject, number: int, lowest: float) -> None:
    some = st.sampled_from((0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.6, 0.9, NEVER))
    upper = {(i, j): data.draw(some) for i in range(number) for j in range(i + 1, number)}
    matrix = [[upper.get((min(i, j), max(i, j)), 0.0) for j in range(number)] for i in range(number)]
    together = [data.draw(st.sampled_from((n, 0))) for n in range(number)]

    def everyone(similarity: object, groups: Sequence[object], least: float) -> list[set[int]]:
        return [set(range(len(groups))) - {at} for at in range(len(groups))]

    found = joined(matrix, together, lowest)
    with patch.object(linkage, "_close", everyone):
        assert found == joined(matrix, together, lowest)


PIECES = (
    "no longer crashes", "now works", "works again", "fixes the hang in the reader", "Unblocks the build", "any more",
    "it never fails any longer", "cured a deadlock", "resolves a memory leak", "eliminates OOM", "the reader", ". ",
    "2514us -> 220us", "40 % faster", "before: 3 ms", "after: 1 ms", "\n\n", "\n- ", "**now** works", "n**o**w", "to",
    "We go from:", "```", "\ufb01xes the hang", "ſaves 3 ms", "İ",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join))
def test_a_text_that_can_tell_nothing_of_an_effect_has_none(body: str) -> None:
    found = impact._effects.__wrapped__(body, "Rename the reader")  # type: ignore[attr-defined]
    with patch.object(impact, "may_tell", lambda text: True):
        assert found == impact._effects.__wrapped__(body, "Rename the reader")  # type: ignore[attr-defined]


@given(
    st.text(alphabet="abcXYZ Σσςİ_-.19", max_size=20),
    st.lists(st.text(alphabet="abcXYZΣσςİ_-./19", min_size=1, max_size=20), max_size=4),
)
@example("ΑΣ", ["ΑΣa"])  # a sigma in small letters depends on what follows it
def test_a_word_is_found_among_the_names_of_files_as_in_all_of_their_words(subject: str, paths: list[str]) -> None:
    said = list(words_of(subject))
    names = set(words_of("\n".join(path.rpartition("/")[2] or path for path in paths)))
    among = traits._named_among(said, paths)
    assert [word in among for word in said] == [word in names for word in said]


SMALL = st.characters(categories=["Ll"])


@given(st.text(SMALL, min_size=1, max_size=6), st.text(SMALL | st.characters(categories=["Lo"]), max_size=6))
def test_a_word_in_small_letters_names_nothing(start: str, end: str) -> None:
    word = start + end
    assert word.isalpha()
    assert word.islower()
    assert not proof._is_identifier(word)
    assert not word[0].isupper()
    assert not set(word) & set(proof._LEADING + proof._TRAILING)


def test_a_reading_is_kept_unless_the_text_is_long() -> None:
    asked: list[str] = []

    @remembered
    def length(text: str) -> int:
        asked.append(text[:1])
        return len(text)

    assert [length("a"), length("a"), length("b" * (LONGEST + 1)), length("b" * (LONGEST + 1))] == [
        1, 1, LONGEST + 1, LONGEST + 1,
    ]  # fmt: skip
    assert asked == ["a", "b", "b"]
