"""Who stands in trailers alone can be asked about, and takes nothing from whoever wrote commits."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Copy, GitRepo, Run, index

from storage import Store

NORA = ("Nora Quist", "nora@example.org")


def _repositories(folder: Path) -> None:
    tides = GitRepo(folder / "sea" / "tides")
    tides.commit(
        "Add tides (#11)\n\nCo-authored-by: Mia Tarn <mia@example.org>", author=NORA, at="2025-10-03 10:00 +0000"
    )
    tides.commit("Add buoys\n\nReviewed-by: Mia Tarn <mia@example.org>", author=NORA, at="2025-10-04 10:00 +0000")
    tides.commit(
        "Add winds\n\nReviewed-by: Nora Berg <nora@elsewhere.example>\nReviewed-by: ci[bot] <ci[bot]@example.org>\n"
        "Co-authored-by: Claude <noreply@anthropic.com>\nReviewed-by: Nora Quist <quist@home.example>",
        author=("Ada Lovelace", "ada@example.org"),
        at="2025-10-05 10:00 +0000",
    )
    index(Store(folder / "almanac.db"), tides)


@pytest.fixture(autouse=True)
def indexed(copy_home: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-10T12:00:00Z")
    copy_home(_repositories)


def test_they_take_nothing_from_authors(almanac: Run) -> None:
    """A name or a login finds the author, as it did; machines and tools are nobody."""
    for who in ("nora", "Nora Quist", "quist"):
        assert "Add buoys" in almanac("month", who, "2025-10").out
    assert "Nora Quist" in almanac("ask", "what did nora review in october?").out
    for who in ("Claude", "ci[bot]", "mia", "berg", "nora@nowhere.example"):
        assert almanac("month", who, "2025-10").code == 1, who


def test_they_may_ask_not_to_be_shown_and_to_be_forgotten(almanac: Run) -> None:
    assert almanac("people", "hide", "mia@example.org").code == 0
    hidden = almanac("month", "mia@example.org", "2025-10")
    assert hidden.code == 1 and "asked not to be shown" in hidden.err
    assert almanac("people", "show", "mia@example.org").code == 0
    assert "Add tides" in almanac("month", "Mia Tarn", "2025-10").out
    assert almanac("people", "forget", "--yes", "Mia Tarn").code == 0
    assert almanac("month", "Mia Tarn", "2025-10").code == 1
    assert "Add tides" in almanac("month", "nora", "2025-10").out
