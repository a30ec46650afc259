"""The areas of a repository are learnt when it was read, and kept until it is read again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from builders import ADA, GRACE
from values import another_commit

from bot.model import Commit, Repository, Signature
from storage import Store
from storage.erasure import PersonToErase

ENGINE = "acme/engine"
READ = datetime(2025, 11, 1, tzinfo=UTC)


def titled(title: str, path: str, day: str = "2025-10-03", who: tuple[str, str] = ADA) -> Commit:
    seconds = int(datetime.fromisoformat(f"{day}T12:00+00:00").timestamp())
    signed = Signature(*who, seconds, 0)
    return replace(another_commit(title, paths=[path]), author=signed, committer=signed)


def many(count: int, title: str, path: str, day: str = "2025-10-03", who: tuple[str, str] = ADA) -> list[Commit]:
    return [titled(f"{title} {number}", path, day, who) for number in range(count)]


def read(store: Store, *commits: Commit, at: datetime = READ) -> dict[str, str]:
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    store.commits.add(ENGINE, commits)
    store.commits.mark_indexed(ENGINE, "f" * 40, at, shallow=False)
    return kept(store)


def kept(store: Store) -> dict[str, str]:
    return store.commits.areas([ENGINE])[ENGINE]


MILL, LAMP = many(4, "Mill: add", "mill/a.py"), many(3, "Lamp: add", "lamp/a.py")


def test_they_are_those_of_the_twelve_months_to_the_newest_commit_that_is_not_yet_to_come(store: Store) -> None:
    old, soon = many(9, "Web: add", "web/a.ts", "2024-10-01"), many(9, "Fan: add", "fan/a.py", "2026-01-01")
    assert [*read(store, *MILL, *LAMP, *old, *soon).items()] == [("mill", "Mill"), ("lamp", "Lamp")]  # largest first
    assert store.commits.areas(["acme/unknown"]) == {}


def test_they_stay_until_the_repository_is_read_to_its_end_again(store: Store) -> None:
    read(store, *MILL)
    store.commits.add(ENGINE, LAMP)
    store.commits.mark_unchanged(ENGINE, "f" * 40, READ)
    assert kept(store) == {"mill": "Mill"}
    assert read(store) == {"mill": "Mill", "lamp": "Lamp"}


def test_no_heading_is_left_that_only_titles_of_somebody_forgotten_say(store: Store) -> None:
    hers, others = many(3, "Hopper: add", "hopper/a.py", who=GRACE), many(2, "Add", "hopper/b.py")
    assert read(store, *MILL, *hers, *others) == {"hopper": "Hopper", "mill": "Mill"}
    store.erasure.erase(PersonToErase((GRACE[1],)), READ)
    assert kept(store) == {"mill": "Mill", "hopper": ""}
    with store.transaction() as connection:
        assert "Hopper" not in repr(connection.tuples("SELECT * FROM repositories"))


def test_each_repository_has_its_own_also_before_it_was_read_to_its_end(store: Store) -> None:
    read(store, *MILL)
    store.commits.register(Repository("acme/web", "/srv/web"))
    assert store.commits.areas(["acme/web"]) == {"acme/web": {}}
    store.commits.add("acme/web", [replace(one, repository="acme/web") for one in LAMP])
    assert store.commits.areas([ENGINE, "acme/web"]) == {ENGINE: {"mill": "Mill"}, "acme/web": {"lamp": "Lamp"}}
