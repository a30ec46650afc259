"""What a model wrote is kept under what it was written from, and the first that was kept stays."""

from __future__ import annotations

from datetime import UTC, datetime

from storage import Store
from storage.caches import ModelCache

NOW = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
TOLD = {"headline": None, "items": [{"n": 1, "title": "Chunks – größer", "sentences": []}]}


def test_what_was_written_is_found_again_by_its_key_alone(store: Store) -> None:
    writings = ModelCache(store.transaction)
    assert writings.get("one") is None
    writings.put("one", TOLD, NOW)
    assert writings.get("one") == TOLD
    assert writings.get("other") is None
    assert ModelCache(Store(store.path).transaction).get("one") == TOLD


def test_two_that_write_the_same_month_at_once_tell_what_the_first_one_wrote(store: Store) -> None:
    writings = ModelCache(store.transaction)
    writings.put("one", TOLD, NOW)
    writings.put("one", {"items": []}, NOW)
    assert writings.get("one") == TOLD


def test_of_what_is_kept_nothing_but_the_key_the_time_and_the_text_stands_in_the_database(store: Store) -> None:
    ModelCache(store.transaction).put("one", {"items": []}, NOW)
    with store.transaction() as connection:
        rows = [tuple(row) for row in connection.execute("SELECT * FROM model_cache")]
    assert rows == [("one", "2025-11-05T09:00:00.000000+00:00", '{"items": []}')]
