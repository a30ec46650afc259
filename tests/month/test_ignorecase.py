"""What is looked for quickly is found just as it would be slowly."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from bot.month import kind_words, languages
from bot.month.ignorecase import IgnoreCase

MODULES = (kind_words,)
EVERY = {f"{module.__name__}.{name}": one for module in MODULES for name, one in vars(module).items()
         if isinstance(one, IgnoreCase)}  # fmt: skip
WORDS = st.sampled_from(sorted({word for one in EVERY.values() for word in re.findall(r"[a-z']{2,}", one.any.pattern)}))
OTHERS = st.sampled_from(
    ["12%", "3x", "->", "(", ")", ".", ",", ":", "?", "`a_b`", "https://", "é", "ſ", "K", "İ", "\n"]
)
TEXTS = st.lists(st.tuples(WORDS | OTHERS, st.sampled_from([str.lower, str.upper, str.title])), max_size=9).map(
    lambda pieces: " ".join(change(piece) for piece, change in pieces)
)
_PIECES = (
    ".github docs src tests test_ _test README version.py setup.py build.rs third_party vendor dist deps .md .py "
    ".min.js .js .c .h .rs .lock go.sum _pb2.py generated requirements .txt snapshots .snap config.ts NOTICE "
    "AUTHORS.py fixtures Dockerfile .dockerfile .config .vscode ignore codecov.yml website external é K ſ a b_c x1"
)
PIECES = st.sampled_from([*_PIECES.split(), "\n", " "])
PATHS = st.lists(st.tuples(PIECES, st.sampled_from(["", "/", "_", ".", "-"])), min_size=1, max_size=5).map(
    lambda pieces: "".join(piece + after for piece, after in pieces)
)


@given(text=TEXTS)
@example("")
def test_a_pattern_finds_at_the_same_place_what_it_would_find_in_any_case(text: str) -> None:
    for name, one in EVERY.items():
        for quick, slow in ((one.match(text), one.any.match(text)), (one.search(text), one.any.search(text))):
            assert (quick and quick.span()) == (slow and slow.span()), name


def test_what_is_no_letter_stays_as_it_is_in_a_pattern() -> None:
    one = IgnoreCase(r"(?P<Name>[A-Z]\S) \W\bEnd")
    found = one.match("Qx -END")
    assert found is not None
    assert found["Name"] == "qx"
    assert not one.match("Q  -END")


@given(path=PATHS)
def test_a_place_that_is_told_quickly_is_that_of_the_patterns(path: str) -> None:
    cut = path[-kind_words.MAX_PATH :]
    places = (place for place, names in kind_words._PLACES if names.search(cut))
    assert kind_words.place_of(path) == next(places, "source")


@given(path=PATHS)
def test_what_is_known_quickly_to_be_written_by_hand_is_so_by_the_patterns(path: str) -> None:
    patterns = (languages._VENDORED, languages._GENERATED, languages._LOCKS)
    assert languages.is_by_hand(path) == (not any(pattern.search(path) for pattern in patterns))
