"""Who may read of a repository is kept with its index: whichever almanac.toml a process reads, or none, the narrower
holds, until `almanac index` is run with a table that says more."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import patient, running_bot, settings_for
from builders import ADA, NOW, Copy, GitRepo, Run, both_engines, index
from digesting import jobs_of
from values import commit
from waiting import wait_until

from bot.index.places import keep_audiences
from bot.model import Repository
from bot.settings import DigestSettings, RepositorySettings, Settings
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceChannel, WorkspaceUser
from storage import Store
from storage.slack_state import Post

LEADS = ["#leads"]


@pytest.fixture
def workspace() -> Iterator[ThreadedWorkspace]:
    """Ada alone is in #leads."""
    people = [
        WorkspaceUser(name="ada", real_name="Ada Lovelace", email="ada@example.com", id="U0ADA1"),
        WorkspaceUser(name="grace", real_name="Grace H.", email="grace@example.com", id="U0GRACE1"),
    ]
    leads = WorkspaceChannel(name="leads", is_private=True, members=frozenset({"U0ADA1", BOT_USER_ID}))
    with patient(Workspace(people, ["general", leads])) as opened:
        yield opened


def _secret(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "secret")
    for number in range(1, 3):
        day = f"2025-10-0{number} 10:00 +0000"
        repo.commit(f"Plan raid {number}", author=ADA, at=day, files={"plan.txt": f"{number}"})


@pytest.fixture
def secret(indexed: Store, copy: Copy, tmp_path: Path) -> GitRepo:
    copy(_secret)
    return GitRepo(tmp_path / "acme" / "secret")


def toml(*tables: tuple[GitRepo | Path | str, str]) -> None:
    """The almanac.toml of the current folder: addresses, each with what else its table says."""
    lines = (f'[[repositories]]\naddress = "{getattr(one, "path", one)}"\n{more}\n' for one, more in tables)
    Path("almanac.toml").write_text("".join(lines))


@pytest.fixture
def almanac_here(almanac: Run, indexed: Store, engine: GitRepo, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("ALMANAC_DB", str(indexed.path))
    monkeypatch.setenv("ALMANAC_NOW", NOW.isoformat())
    return almanac


GUARDED, EVE = 'audience = ["#leads"]', ("Eve Evil", "eve@example.com")


@pytest.fixture
def kept(almanac_here: Run, engine: GitRepo, secret: GitRepo) -> None:
    """The secret repository is indexed where almanac.toml guards it."""
    toml((engine, ""), (secret, GUARDED))
    assert almanac_here("index").code == 0
    Path("almanac.toml").unlink()


@contextmanager
def serving(
    workspace: ThreadedWorkspace, store: Store, tables: Sequence[RepositorySettings] = (), **more: Any
) -> Iterator[Callable[..., str]]:
    """A bot that reads these tables. Asks it of Ada's October, and returns all that it says."""
    settings = settings_for(workspace, "socket", db=store.database, fixed_now=NOW, repositories=list(tables), **more)

    def asked(channel: str = "general", user: str = "grace", text: str = "@Almanac ada october 2025") -> str:
        ts = workspace.say(user, channel, text)
        return json.dumps(workspace.wait_for(lambda m: m.get("user") == BOT_USER_ID and m["ts"] > ts))

    with running_bot(settings):
        workspace.wait_connected()
        yield asked


def is_secret(said: str) -> bool:
    return "raid" not in said and "secret" not in said and "plan.txt" not in said


def table(where: GitRepo | Path | str, audience: Any = "everyone", name: str | None = None) -> RepositorySettings:
    return RepositorySettings(address=str(getattr(where, "path", where)), audience=audience, name=name)


Tables = list[RepositorySettings]


@dataclass
class Ground:
    """Two repositories, the secret one indexed where almanac.toml guards it, and what else happens to them."""

    engine: GitRepo
    secret: GitRepo
    folder: Path
    almanac: Run

    def index(self, *addresses: GitRepo | Path | str, code: int = 0) -> None:
        """By hand, from a folder without an almanac.toml; where nothing is named, all that the one here lists."""
        if addresses:
            Path("almanac.toml").unlink(missing_ok=True)
        assert self.almanac("index", *(str(getattr(one, "path", one)) for one in addresses)).code == code

    def listed(self, *tables: tuple[GitRepo | Path | str, str], code: int = 0) -> None:
        toml((self.engine, ""), *tables)
        self.index(code=code)

    def copied(self, source: GitRepo, *parts: str) -> GitRepo:
        shutil.copytree(source.path, self.folder.joinpath(*parts))
        return GitRepo(self.folder.joinpath(*parts))

    def tables(self, *more: RepositorySettings) -> Tables:
        return [table(self.engine), *more]


def untouched(ground: Ground) -> list[Tables]:
    return [[]]


def a_table_that_says_more(ground: Ground) -> list[Tables]:
    return [ground.tables(table(ground.secret, audience)) for audience in ("everyone", ["#general", "#leads"])]


def another_name(ground: Ground) -> list[Tables]:
    ground.listed((ground.secret, f'name = "acme/garden"\n{GUARDED}'))
    return [[], ground.tables(table(ground.secret, LEADS, "acme/garden"))]


def moved(ground: Ground) -> list[Tables]:
    elsewhere = ground.folder / "attic" / "garden"
    elsewhere.parent.mkdir()
    shutil.move(ground.secret.path, elsewhere)
    ground.listed((elsewhere, GUARDED))
    return [[], ground.tables(table(elsewhere, LEADS))]


def by_hand(ground: Ground) -> list[Tables]:
    """By every other address."""
    (ground.folder / "link").symlink_to(ground.secret.path)
    ground.copied(ground.secret, "copy")
    for way in ("{}/acme/secret", "file://{}/acme/%73ecret", "file://localhost{}/acme/secret/.git", "file://{}/%6Cink",
                "{}/copy"):  # fmt: skip
        ground.index(way.format(ground.folder))
    return [[], ground.tables(table(ground.secret, LEADS))]


def a_copy_that_is(which: str, ground: Ground) -> list[Tables]:
    """Ahead, behind, both, or without the commits of who is forgotten."""
    ground.secret.commit("Go on", author=EVE, at="2025-10-03 10:00 +0000", files={"plan.txt": "3"})
    ground.listed((ground.secret, GUARDED))
    copied = ground.copied(ground.secret, "copy")
    if which in ("behind", "both"):
        copied.git("reset", "--hard", "HEAD~1")
    if which == "forgetful":
        assert ground.almanac("people", "forget", EVE[1], "--yes").code == 0
    if which != "behind":
        copied.commit("Plan raid 3", author=EVE, at="2025-10-04 10:00 +0000", files={"plan.txt": "4"})
    ground.index(copied)
    return [[]]


def two_tables_of_one_history(ground: Ground, *, is_read_later: bool = False) -> list[Tables]:
    garden = ground.copied(ground.secret, "garden")
    ground.listed((ground.secret, GUARDED), (garden, ""))
    if is_read_later:
        ground.secret.commit("Plan raid 3", author=ADA, at="2025-10-03 10:00 +0000", files={"plan.txt": "3"})
        ground.index(ground.secret)
    return [[], ground.tables(table(ground.secret, LEADS), table(garden))]


def a_clone_under_the_name_of_one_for_everyone(ground: Ground) -> list[Tables]:
    """A fork of what all may read, whose path ends alike: it is taken for that one, moved."""
    fork, hush = ground.copied(ground.engine, "private", "acme", "engine"), f'name = "acme/hush"\n{GUARDED}'
    fork.commit("Plan raid 1", author=ADA, at="2025-10-03 10:00 +0000", files={"plan.txt": "1"})
    ground.listed((fork, hush))
    ground.index(ground.copied(fork, "clone", "acme", "engine"))
    fork.commit("Plan raid 2", author=ADA, at="2025-10-04 10:00 +0000", files={"plan.txt": "2"})
    ground.listed((fork, hush), code=1)  # which says that the name is taken
    return [[], ground.tables(table(fork, LEADS, "acme/hush"))]


def a_copy_that_was_indexed_before_it_was_guarded(ground: Ground) -> list[Tables]:
    ground.index(ground.copied(ground.secret, "garden"))
    ground.index(ground.secret)
    ground.listed((ground.secret, GUARDED))
    return [[]]


HAPPENS: dict[str, Callable[[Ground], list[Tables]]] = {
    one.__name__: one
    for one in (
        untouched, a_table_that_says_more, another_name, moved, by_hand, two_tables_of_one_history,
        a_clone_under_the_name_of_one_for_everyone, a_copy_that_was_indexed_before_it_was_guarded,
    )
} | {
    **{f"a copy {which}": partial(a_copy_that_is, which) for which in ("ahead", "behind", "both", "forgetful")},
    "two tables, read later": partial(two_tables_of_one_history, is_read_later=True),
}  # fmt: skip
TOLD = ("untouched", "a_table_that_says_more", "another_name", "moved", "by_hand")  # in #leads, as before


@pytest.mark.parametrize("what", HAPPENS)
def test_it_is_kept_whatever_happens(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo, tmp_path: Path, almanac_here: Run,
    what: str,
) -> None:  # fmt: skip
    ground = Ground(engine, secret, tmp_path, almanac_here)
    if not what.startswith(("a_copy_that", "a_clone")):
        ground.listed((secret, GUARDED))
        Path("almanac.toml").unlink()
    for tables in HAPPENS[what](ground):
        with serving(workspace, indexed, tables) as asked:
            said = asked()
            assert is_secret(said) and "garden" not in said
            assert what not in TOLD or ("store" in said and "left out" in said)
            assert is_secret(asked("general", "grace", "/almanac month ada october"))
            assert what not in TOLD or "raid" in asked("leads", "ada")
            assert what not in TOLD or "raid" in asked("general", "ada", "/almanac month ada october"), "alone"


@pytest.mark.usefixtures("kept")
def test_a_table_that_says_less_or_is_not_there_hides_more(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo
) -> None:
    """Of those that say less, for others too, from then on."""
    with serving(workspace, indexed, [table(engine)]) as asked:
        assert is_secret(asked()) and is_secret(asked("leads", "ada"))
    with serving(workspace, indexed, [table(secret, LEADS)]) as asked:
        said = asked("leads", "ada")
        assert "raid" in said and "store" not in said
    with serving(workspace, indexed, [table(engine), table(secret, ["#general"])]) as asked:
        assert is_secret(asked()) and is_secret(asked("leads", "ada"))
        wait_until(lambda: any(len(one.audience or ()) == 2 for one in indexed.commits.repositories()))
    with serving(workspace, indexed) as asked:
        assert is_secret(asked()) and is_secret(asked("leads", "ada"))


@pytest.mark.usefixtures("kept")
def test_what_is_not_read_to_its_end_is_not_shown_before_it_is_known_whose_history_it_is(
    workspace: ThreadedWorkspace, indexed: Store
) -> None:
    indexed.commits.register(Repository("acme/garden", "/srv/garden"))
    one = commit("Plan raid 7", repository="acme/garden")
    indexed.commits.add("acme/garden", [one])
    with serving(workspace, indexed) as asked:
        assert is_secret(asked())
        indexed.commits.mark_indexed("acme/garden", one.sha, NOW, shallow=False)
        assert "raid 7" in asked()


@pytest.mark.usefixtures("kept")
def test_a_copy_of_the_database_keeps_it(
    workspace: ThreadedWorkspace, indexed: Store, tmp_path: Path, almanac_here: Run
) -> None:
    assert almanac_here("db", "copy", str(indexed.path), str(tmp_path / "copy.db")).code == 0
    with serving(workspace, Store(tmp_path / "copy.db")) as asked:
        assert is_secret(asked()) and "raid" in asked("leads", "ada")


@both_engines
def test_a_bot_keeps_what_its_tables_say_for_others(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo
) -> None:
    """Of repositories that were indexed before audiences were kept, even of one that cannot be read any more."""
    index(indexed, secret.path)
    shutil.move(secret.path, secret.path.parent / "elsewhere")
    with serving(workspace, indexed, [table(engine), table(secret, LEADS)]) as asked:
        assert is_secret(asked())
        wait_until(lambda: any(one.audience for one in indexed.commits.repositories()))
    with serving(workspace, indexed) as asked:
        assert is_secret(asked())


# What waits to be sent


@pytest.mark.parametrize("audience", [LEADS, None], ids=["guarded", "taken out"])
def test_a_digest_that_waits_is_made_anew_when_fewer_may_read(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo, almanac_here: Run, audience: Any
) -> None:
    index(indexed, secret.path)

    def tick(at: datetime, *tables: RepositorySettings) -> None:
        digests = [DigestSettings(channel="#general")]
        settings = settings_for(
            workspace, "socket", db=indexed.path, fixed_now=at, digests=digests, repositories=list(tables)
        )
        jobs_of(settings, indexed, workspace).tick()

    tick(NOW - timedelta(days=21))
    workspace.faults.next("chat.postMessage", "error:restricted_action")
    tick(NOW)
    assert workspace.messages("general") == [] and "raid" in json.dumps(
        [one.payload for one in indexed.outbox.in_state("failed") + indexed.outbox.in_state("planned")]
    )
    toml((engine, ""), *([(secret, GUARDED)] if audience else []))
    assert almanac_here("index").code == 0
    for hours in (2, 4):
        tick(NOW + timedelta(hours=hours), table(engine), *([table(secret, audience)] if audience else []))
    said = json.dumps(workspace.messages("general"))
    assert "store" in said and is_secret(said) and said.count("*October 2025*") == 1


def payload_of(store: Store, key: str) -> Any:
    post = store.outbox.get(key)
    return post and post.payload


@both_engines
@pytest.mark.parametrize("way", ["guarded", "taken out"])
def test_what_else_waits_gives_way_to_a_sentence(indexed: Store, engine: GitRepo, secret: GitRepo, way: str) -> None:
    index(indexed, secret.path)

    def keep(*listed: RepositorySettings) -> None:
        keep_audiences(Settings(db=indexed.database, repositories=list(listed)), indexed)

    both = table(engine), table(secret, LEADS)
    keys = ("answer|T1|C1|1.1", "note|T1|x", "digest|T1|leads||2025-09|1", "pause|T1|x")
    posts = [Post(key, "C1", {"text": "Plan raid 1"}) for key in keys]
    for post in (Post("digest|T1|leads||2025-09", "C1", {}), *posts):
        parted = replace(post, thread_key="digest|T1|leads||2025-09") if post.key.endswith("|1") else post
        assert indexed.outbox.plan([parted], NOW)
    indexed.outbox.settle("digest|T1|leads||2025-09", "sent", NOW, ts="1.2")
    keep(table(engine), table(secret))
    assert [payload_of(indexed, key)["text"] for key in keys] == ["Plan raid 1"] * 4
    keep(*(both if way == "guarded" else both[:1]))
    assert ["raid" in payload_of(indexed, key)["text"] for key in keys] == [False, False, False, True]
    later = Post("answer|T1|C1|1.2", "C1", {"text": "Plan raid 2"})
    assert indexed.outbox.plan([later], NOW)
    keep(*(both if way == "guarded" else both[:1]))
    assert payload_of(indexed, later.key) == later.payload, "which was written since"


# To let more people read is done by `almanac index`


@pytest.mark.usefixtures("kept")
def test_widening_is_an_act(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo, almanac_here: Run
) -> None:
    toml((engine, ""), (secret, ""))
    assert (
        "acme/secret: in Slack for #leads, and almanac.toml says everyone: `almanac index`"
        in almanac_here("doctor").out
    )
    assert almanac_here("index", str(engine.path)).code == 0, "which is of another table"
    with serving(workspace, indexed, [table(engine), table(secret)]) as asked:
        assert is_secret(asked())
    assert "acme/secret: in Slack for everyone from now on, no longer only for #leads\n" in almanac_here("index").out
    assert "no longer" not in almanac_here("index").out
    assert "!!  acme/secret" not in almanac_here("doctor").out
    with serving(workspace, indexed) as asked:
        assert "raid" in asked()
