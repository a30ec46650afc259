"""The queries: what each lists of a small history, to whom, and what stands in its JSON."""

from __future__ import annotations

from pathlib import Path

from builders import NOW, query_service
from values import GRACE, commit

from bot.ask.queries import Queries
from bot.settings import Settings

COMMITS = [
    commit("Add a cache (#1)", at="2025-10-03 12:00", paths=["src/cache.py"]),
    commit("Fix the cache (#2)", at="2025-10-04 12:00", author=GRACE, paths=["src/cache.py"]),
]


def queries_over(path: Path, commits: list[object] = COMMITS) -> Queries:  # type: ignore[assignment]
    return Queries.of(query_service(path, commits).store, Settings(fixed_now=NOW))  # type: ignore[arg-type]


def test_a_month_is_asked_by_a_name_and_a_text(tmp_path: Path) -> None:
    (document,) = queries_over(tmp_path).month("Ada", "2025-10")
    assert (document.person.name, document.month, document.counts["changes"]) == ("Ada Lovelace", "2025-10", 1)
