"""Who may read of a repository is kept with its index: whichever almanac.toml a process reads, or none, the narrower
holds, until `almanac index` is run with a table that says more."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import patient, running_bot, settings_for
from builders import ADA, NOW, Copy, GitRepo, index
from digesting import jobs_of
from values import commit
from waiting import wait_until

from bot.index.places import keep_audiences
from bot.model import Repository
from bot.settings import Settings
from bot.settings_tables import DigestSettings, RepositorySettings
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceChannel, WorkspaceUser
from storage import Store
from storage.outbox import Post

LEADS = ["#leads"]
Run = Callable[..., Any]


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


GUARDED = 'audience = ["#leads"]'


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


# From another folder


@pytest.mark.usefixtures("kept")
def test_a_bot_without_an_almanac_toml_keeps_it(workspace: ThreadedWorkspace, indexed: Store) -> None:
    with serving(workspace, indexed) as asked:
        said = asked()
        assert is_secret(said) and "store" in said and "left out" in said
        assert is_secret(asked("general", "grace", "/almanac month ada october"))
        assert "raid" in asked("leads", "ada")
        assert "raid" in asked("general", "ada", "/almanac month ada october"), "who is in #leads"


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("audience", ["everyone", ["#general", "#leads"]])
def test_a_table_that_says_more_lets_nobody_in(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo, audience: Any
) -> None:
    with serving(workspace, indexed, [table(engine), table(secret, audience)]) as asked:
        assert is_secret(asked()) and "raid" in asked("leads", "ada")


@pytest.mark.usefixtures("kept")
def test_a_table_that_says_less_holds_for_others_from_then_on(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo
) -> None:
    with serving(workspace, indexed, [table(engine), table(secret, ["#general"])]) as asked:
        assert is_secret(asked()) and is_secret(asked("leads", "ada"))
        wait_until(lambda: any(len(one.audience or ()) == 2 for one in indexed.commits.repositories()))
    with serving(workspace, indexed) as asked:
        assert is_secret(asked()) and is_secret(asked("leads", "ada"))


@pytest.mark.usefixtures("kept")
def test_a_digest_that_is_posted_from_another_folder_keeps_it(
    workspace: ThreadedWorkspace, almanac_here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_API_URL", workspace.api_url)
    monkeypatch.setenv("SLACK_BOT_TOKEN", workspace.workspace.bot_token)
    for channel, knows in (("general", False), ("leads", True)):
        assert almanac_here("digest", "2025-10", "--post", "--channel", f"#{channel}").code == 0
        said = json.dumps(workspace.messages(channel))
        assert "store" in said and is_secret(said) is not knows


# A table that is taken out, or renamed


@pytest.mark.usefixtures("kept")
def test_what_no_table_names_is_not_shown(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo
) -> None:
    with serving(workspace, indexed, [table(engine)]) as asked:
        assert is_secret(asked()) and is_secret(asked("leads", "ada"))
    with serving(workspace, indexed, [table(secret, LEADS)]) as asked:
        said = asked("leads", "ada")
        assert "raid" in said and "store" not in said


@pytest.mark.usefixtures("kept")
def test_another_name_in_almanac_toml_is_the_same_repository(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo, almanac_here: Run
) -> None:
    toml((engine, ""), (secret, f'name = "acme/garden"\n{GUARDED}'))
    assert almanac_here("index").code == 0
    for tables in ([], [table(engine), table(secret, LEADS, "acme/garden")]):
        with serving(workspace, indexed, tables) as asked:
            said = asked()
            assert is_secret(said) and "garden" not in said
            assert "raid" in asked("leads", "ada")


# Moved, copied


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("reads", ["nothing", "the new address"])
def test_a_repository_that_moved_keeps_it(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo, reads: str, almanac_here: Run
) -> None:
    moved = secret.path.parent.parent / "attic" / "garden"
    moved.parent.mkdir()
    shutil.move(secret.path, moved)
    toml((engine, ""), (moved, GUARDED))
    assert almanac_here("index").code == 0
    tables = [table(engine), table(moved, LEADS)] if reads == "the new address" else []
    with serving(workspace, indexed, tables) as asked:
        said = asked()
        assert is_secret(said) and "garden" not in said


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("way", "reads"),
    [
        ("file://{0}/acme/%73ecret", "nothing"), ("file://localhost{0}/acme/secret/.git", "its tables"),
        ("file://{0}/%6Cink", "nothing"), ("{0}/copy", "its tables"),
    ],
)  # fmt: skip
def test_another_address_by_hand_keeps_it(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo, tmp_path: Path,
    almanac_here: Run, way: str, reads: str,
) -> None:  # fmt: skip
    (tmp_path / "link").symlink_to(secret.path)
    shutil.copytree(secret.path, tmp_path / "copy")
    assert almanac_here("index", way.format(tmp_path)).code == 0
    tables = [table(engine), table(secret, LEADS)] if reads == "its tables" else []
    with serving(workspace, indexed, tables) as asked:
        assert is_secret(asked())


EVE = ("Eve Evil", "eve@example.com")


@pytest.mark.parametrize("which", ["ahead", "behind", "both", "without who is forgotten"])
def test_a_copy_with_another_newest_commit_keeps_it(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo, tmp_path: Path, almanac_here: Run,
    which: str,
) -> None:  # fmt: skip
    secret.commit("Go on", author=EVE, at="2025-10-03 10:00 +0000", files={"plan.txt": "3"})
    toml((engine, ""), (secret, GUARDED))
    assert almanac_here("index").code == 0
    Path("almanac.toml").unlink()
    shutil.copytree(secret.path, tmp_path / "copy")
    copied = GitRepo(tmp_path / "copy")
    if which in ("behind", "both"):
        copied.git("reset", "--hard", "HEAD~1")
    if which == "without who is forgotten":
        assert almanac_here("people", "forget", EVE[1], "--yes").code == 0
    if which != "behind":
        copied.commit("Plan raid 3", author=EVE, at="2025-10-04 10:00 +0000", files={"plan.txt": "4"})
    assert almanac_here("index", str(copied.path)).code == 0
    with serving(workspace, indexed) as asked:
        assert is_secret(asked())


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


@pytest.mark.parametrize("is_read_later", [False, True])
def test_of_two_tables_for_one_history_the_narrower_holds(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo, tmp_path: Path, almanac_here: Run,
    is_read_later: bool,
) -> None:  # fmt: skip
    shutil.copytree(secret.path, tmp_path / "garden")
    toml((engine, ""), (secret, GUARDED), (tmp_path / "garden", ""))
    assert almanac_here("index").code == 0
    if is_read_later:
        secret.commit("Plan raid 3", author=ADA, at="2025-10-03 10:00 +0000", files={"plan.txt": "3"})
        assert almanac_here("index", str(secret.path)).code == 0
    for tables in ([], [table(engine), table(secret, LEADS), table(tmp_path / "garden")]):
        with serving(workspace, indexed, tables) as asked:
            assert is_secret(asked())


def test_a_clone_by_hand_under_the_name_of_one_for_everyone_keeps_it(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, tmp_path: Path, almanac_here: Run
) -> None:
    """A fork of what all may read, whose path ends alike: it is taken for that one, moved."""
    fork, clone = (tmp_path / where / "acme" / "engine" for where in ("private", "clone"))
    shutil.copytree(engine.path, fork)
    GitRepo(fork).commit("Plan raid 1", author=ADA, at="2025-10-03 10:00 +0000", files={"plan.txt": "1"})
    hush = f'name = "acme/hush"\n{GUARDED}'
    toml((engine, ""), (fork, hush))
    assert almanac_here("index").code == 0
    shutil.copytree(fork, clone)
    Path("almanac.toml").unlink()
    assert almanac_here("index", str(clone)).code == 0
    GitRepo(fork).commit("Plan raid 2", author=ADA, at="2025-10-04 10:00 +0000", files={"plan.txt": "2"})
    toml((engine, ""), (fork, hush))
    assert almanac_here("index").code == 1, "which says that the name is taken"
    for tables in ([], [table(engine), table(fork, LEADS, "acme/hush")]):
        with serving(workspace, indexed, tables) as asked:
            assert is_secret(asked())


def test_a_copy_that_was_indexed_before_it_was_guarded_is_guarded_with_it(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo, tmp_path: Path, almanac_here: Run
) -> None:
    shutil.copytree(secret.path, tmp_path / "garden")
    for where in (tmp_path / "garden", secret.path):
        assert almanac_here("index", str(where)).code == 0
    toml((engine, ""), (secret, GUARDED))
    assert almanac_here("index").code == 0
    with serving(workspace, indexed) as asked:
        assert is_secret(asked())


@pytest.mark.usefixtures("kept")
def test_a_copy_of_the_database_keeps_it(
    workspace: ThreadedWorkspace, indexed: Store, tmp_path: Path, almanac_here: Run
) -> None:
    assert almanac_here("db", "copy", str(indexed.path), str(tmp_path / "copy.db")).code == 0
    with serving(workspace, Store(tmp_path / "copy.db")) as asked:
        assert is_secret(asked()) and "raid" in asked("leads", "ada")


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


@pytest.mark.parametrize("way", ["guarded", "taken out"])
def test_what_else_waits_gives_way_to_a_sentence(indexed: Store, engine: GitRepo, secret: GitRepo, way: str) -> None:
    index(indexed, secret.path)

    def keep(*listed: RepositorySettings) -> None:
        keep_audiences(Settings(db=indexed.path, repositories=list(listed)), indexed)

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


def test_doctor_says_what_keeps_a_copy_from_more_readers(
    indexed: Store, engine: GitRepo, secret: GitRepo, tmp_path: Path, almanac_here: Run
) -> None:
    shutil.copytree(secret.path, tmp_path / "garden")
    toml((engine, ""), (secret, GUARDED), (tmp_path / "garden", ""))

    def said_of_the_copy() -> str:
        assert almanac_here("index").code == 0
        (line,) = [one for one in almanac_here("doctor").out.splitlines() if "/garden: " in one]
        return line

    line = said_of_the_copy()
    assert "in Slack for #leads, since acme/secret has the same history" in line and "`almanac index`" not in line
    toml((engine, ""), (secret, ""), (tmp_path / "garden", ""))
    assert said_of_the_copy().startswith("ok"), "which it says of both"


@pytest.mark.usefixtures("kept")
def test_by_hand_nobody_is_let_in(
    workspace: ThreadedWorkspace, indexed: Store, secret: GitRepo, almanac_here: Run
) -> None:
    assert almanac_here("index", str(secret.path)).code == 0
    with serving(workspace, indexed) as asked:
        assert is_secret(asked())


@pytest.mark.usefixtures("kept")
def test_doctor_says_who_reads_and_what_is_shown_to_nobody(engine: GitRepo, secret: GitRepo, almanac_here: Run) -> None:
    said = almanac_here("doctor").out
    assert "acme/secret" in said and ", for #leads in Slack; it is not in almanac.toml" in said
    toml((engine, ""))
    (line,) = [one for one in almanac_here("doctor").out.splitlines() if "acme/secret" in one]
    assert line.endswith("only `almanac index` reads it, and nothing of it is shown in Slack")
