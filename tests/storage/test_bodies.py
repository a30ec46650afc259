"""Whatever a body holds, it comes back the same."""

from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st

from storage.commit_rows import _PHRASES, packed, unpacked

BODY = "Summary:\nGive the store a cache.\n\nTest Plan: run the tests\n\nDifferential Revision: D12345678\n"


@given(st.text(st.characters(codec="utf-8")), st.integers(1, 40))
def test_any_body_comes_back_as_it_was(text: str, times: int) -> None:
    assert unpacked(packed(text * times)) == text * times


def test_a_body_that_was_stored_as_text_is_read_too() -> None:
    assert unpacked("Fixes #1") == "Fixes #1"


def test_the_phrases_are_those_that_bodies_were_packed_with() -> None:
    """Another dictionary would make every stored body unreadable."""
    assert zlib.crc32(_PHRASES) == 1081146158
