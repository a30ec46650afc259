"""A repository is written by one process at a time, on both engines: who comes second waits, and says so once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import ADA, NOW, GitRepo, a_minute_later, both_engines, everything, index

from bot.commands import indexing
from bot.errors import StoreLocked
from bot.model import Repository
from bot.settings import DatabasePlace, PostgresAddress
from storage import Store
from storage.erasure import PersonToErase

if TYPE_CHECKING:
    from postgres import Server

NAME = "acme/engine"
WAITS = "acme/engine: another process reads it; waiting until it has finished"


@pytest.fixture
def place(on_engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[DatabasePlace]:
    if on_engine == "sqlite":
        yield tmp_path / "shared.db"
        return
    server: Server = request.getfixturevalue("postgres")
    one = server.database()
    yield one
    server.give_back(one)


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.many(6)
    return repo


@both_engines
def test_an_index_waits_for_who_reads_the_same_repository_and_says_so_in_one_line(
    almanac: Callable[..., Any], place: DatabasePlace, repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMANAC_DB", place.url if isinstance(place, PostgresAddress) else str(place))
    store = Store(place)
    store.commits.register(Repository(NAME, str(repo.path), None))
    say, other = indexing.ShownProgress.say, ExitStack()
    other.enter_context(store.commits.taken(NAME))

    def ended_then(one: Any, line: str, *, err: bool = False) -> None:
        say(one, line, err=err)
        if "waiting" in line:
            assert store.commits.count(NAME) == 0
            other.close()

    monkeypatch.setattr(indexing.ShownProgress, "say", ended_then)
    ran = almanac("index", repo.path)
    assert ran.code == 0
    assert [line for line in ran.err.splitlines() if "waiting" in line] == [WAITS]
    assert store.commits.count(NAME) == 6


@both_engines
def test_who_was_taken_for_dead_stores_nothing_more(place: DatabasePlace, repo: GitRepo) -> None:
    store = Store(place)
    index(store, repo)
    (known,) = store.commits.repositories()
    found = [replace(one, sha="f" * 40) for one in everything(store)[:1]]
    with store.commits.taken(known.name) as frozen:
        frozen.mark_failed(known.name, "the disk is away")
        a_minute_later(store)
        with store.commits.taken(known.name) as next_one:
            for write in (
                lambda: frozen.add(known.name, found),
                lambda: frozen.forget(known.name, repo.shas()),
                lambda: frozen.mark_indexed(known.name, "f" * 40, NOW, 6, shallow=False, gone=repo.shas()),
                lambda: frozen.put_tags(known.name, []),
                lambda: frozen.put_mailmap(known.name, "Ada <ada@x.example>"),
            ):
                with pytest.raises(StoreLocked, match="another process reads it"):
                    write()
            next_one.mark_failed(known.name, "it is away still")
        with pytest.raises(StoreLocked):  # nor when the other has finished
            frozen.mark_failed(known.name, "no")
    assert store.commits.stored(known.name) == set(repo.shas())
    (now,) = store.commits.repositories()
    assert (now.tip, now.failure) == (known.tip, "it is away still")
    with store.commits.taken(known.name):
        pass


@both_engines
def test_who_is_let_in_again_while_a_repository_is_read_is_read_too(place: DatabasePlace, repo: GitRepo) -> None:
    store = Store(place)
    index(store, repo)
    (known,) = store.commits.repositories()
    store.erasure.erase(PersonToErase((ADA[1],)), NOW)
    with store.commits.taken(known.name) as reader:
        assert store.erasure.readmit("", ADA[1])
        with pytest.raises(StoreLocked):
            reader.mark_indexed(known.name, known.tip or "", NOW, 6, shallow=False)
    index(store, repo)
    assert store.commits.count(known.name) == 6
