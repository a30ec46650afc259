"""`almanac doctor`: a line each that is ok or says what to do, whatever is wrong, and never a secret."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from a_model import AModel
from bot_in_workspace import patient
from builders import ADA, Copy, GitRepo, Run, index

from bot.commands.doctor import SECONDS, Check, clean, findings, ok, report, trouble
from bot.slack.web_api import OPTIONAL, SCOPES
from bot.workspace import ThreadedWorkspace, Workspace, WorkspaceChannel, WorkspaceUser
from storage import Store

ROOT = Path(__file__).parents[1]
MANIFEST = json.loads((ROOT / "manifest.json").read_text())
SCOPES_ASKED = MANIFEST["oauth_config"]["scopes"]["bot"]


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.commit("Add the mill (#1)", author=ADA, at="2025-10-04 10:00 +0000", files={"src/mill.py": "mill\n"})
    index(Store(folder / "almanac.db"), repo, now=datetime.now(UTC))


@pytest.fixture
def engine(copy_home: Copy, tmp_path: Path) -> GitRepo:
    """Ada's October, indexed, and named in almanac.toml."""
    copy_home(_engine)
    repo = GitRepo(tmp_path / "acme" / "engine")
    configure(f'[[repositories]]\naddress = "{repo.path}"\n')
    return repo


def configure(text: str) -> None:
    file = Path("almanac.toml")
    file.write_text(f"{text}{file.read_text() if file.exists() else ''}")


def lines(out: str) -> dict[str, str]:
    """What is said of each thing, with its mark; of several lines the last."""
    found = {}
    for line in out.splitlines():
        mark, _, rest = line.partition("  ")
        name, _, said = rest.partition(": ")
        assert mark in ("ok", "!!", "--"), line
        found[name] = f"{mark} {said}"
    return found


TOLD = [
    (
        '[[repositories]]\naddress = "./nowhere"\n',
        ["!!  ", "nowhere does not exist: check the path in almanac.toml"],
    ),
    (  # anybody may sign commits with a name that no table defines, so that it counts for nobody
        '[[people]]\nname = "Ada Lovelace"\nslack = "U0ADA1"\n'
        '[privacy]\nadmins = ["Ada Lovelace", "Eve Boss", "U0EVE1", "eve@example.com", "@leads"]\n'
        'about_others = ["Bob Byte"]\n',
        ["!!  privacy: 'Eve Boss' in `admins` means nobody: name them in a [[people]] table",
         "!!  privacy: 'Bob Byte' in `about_others` means nobody"],
    ),
    (
        '[[digests]]\nchannel = "#shipped"\nrepositories = ["acme/engine"]\n',
        ["ok  digests: 1 digest, none paused, refused or lost"],
    ),
    (
        "mirror_contents = false\n[slack]\ncharts = false\nstreaming = true\n"
        '[[digests]]\nchannel = "#shipped"\npreview_days = 2\nunanswered = "post"\n',
        [f"ok  settings: {key} is not used any more: take it out of almanac.toml"
         for key in ("mirror_contents", "[slack]", "preview_days under [[digests]]", "unanswered under [[digests]]")],
    ),
]  # fmt: skip
DATABASES = {
    "is damaged or no database: move it away": "",
    "was made by a newer Almanac: upgrade this one":
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('almanac', 'm999_next', '')",
    "1 step behind this Almanac: run `almanac index`, which brings it up to date":
        "DELETE FROM _sqlite_migrations WHERE id = (SELECT max(id) FROM _sqlite_migrations)",
    "was made by an Almanac before 0.2.0":
        "DELETE FROM _sqlite_migrations WHERE name <> 'm001_schema'",
}  # fmt: skip


class TestHere:
    @pytest.mark.usefixtures("engine")
    def test_where_all_is_well_each_line_says_so(self, almanac: Run, own_place: Path) -> None:
        ran = almanac("doctor")
        assert (ran.code, ran.err) == (0, "")
        said = lines(ran.out)
        assert [*said] == [
            "settings", "zones", "git", "disk", "database", "acme/engine", "areas of acme/engine", "Slack",
        ]  # fmt: skip
        config = own_place / "almanac.toml"
        assert said["settings"] == f"ok {config}: 1 repository, 0 people, 0 teams, 0 digests"
        assert said["zones"] == "ok UTC"
        assert re.fullmatch(r"ok \d+\.\d+\.\d+.* at /.*/git", said["git"])
        assert re.fullmatch(r"ok [\d,.]+ GB free \(\d+%\) for .*", said["disk"])
        assert re.fullmatch(r"ok /.*/almanac\.db: 0\.\d MB, at step m\d+_\w+", said["database"])
        assert re.fullmatch(
            r"ok read \d{4}-\d\d-\d\d \d\d:\d\d UTC, newest commit of main 2025-10-04 10:00 UTC", said["acme/engine"]
        )
        assert said["areas of acme/engine"] == "ok none that its titles name"
        assert said["Slack"] == "-- is not set up yet (docs/slack.md)"

    def test_it_lists_the_areas_of_each_repository(self, almanac: Run, engine: GitRepo) -> None:
        for number in range(3):
            engine.commit("mill: Turn", files={"src/mill/a.py": f"{number}"}, at="2025-10-05 10:00 +0000")
            engine.commit("lamp: Shine", files={"src/lamp/a.py": f"{number}"}, at="2025-10-05 10:00 +0000")
        almanac("index")
        configure('[[areas]]\nname = "Light"\npaths = ["src/lamp/"]\n[[areas]]\nname = ""\npaths = ["src/x/"]\n')
        assert lines(almanac("doctor").out)["areas of acme/engine"] == "ok Light, lamp, mill"

    @pytest.mark.usefixtures("engine")
    @pytest.mark.parametrize(("text", "told"), TOLD)
    def test_what_almanac_toml_has_wrong_is_told(self, almanac: Run, text: str, told: list[str]) -> None:
        configure(text)
        ran = almanac("doctor")
        assert [one for one in told if one not in ran.out] == []
        assert ran.code == any(one.startswith("!!") for one in told)

    @pytest.mark.usefixtures("engine")
    @pytest.mark.parametrize("said", DATABASES)
    def test_a_database_that_cannot_be_used_does_not_end_the_rest(
        self, almanac: Run, own_place: Path, said: str
    ) -> None:
        path, wrong = own_place / "almanac" / "almanac.db", DATABASES[said]
        if wrong:
            with closing(sqlite3.connect(path)) as connection, connection:
                connection.execute(wrong)
        else:
            path.write_bytes(b"no database at all" * 100)
        ran = almanac("doctor")
        found = lines(ran.out)
        assert (ran.code, said in found["database"], found["git"][:2]) == (1, True, "ok")
        assert found["repositories"] == "-- are looked at once the database can be read"
        assert "acme/engine" not in found

    def test_a_repository_that_could_not_be_read_is_named(self, almanac: Run, engine: GitRepo) -> None:
        engine.path.rename(engine.path.with_name("moved"))
        assert almanac("index").code == 1
        said = lines(almanac("doctor").out)["acme/engine"]
        assert said.startswith("!! could not be read last time (") and "what was indexed of it stays" in said

    @pytest.mark.parametrize(
        ("free", "said"),
        [(500e9, "ok 500.0 GB free (50%)"), (49e9, "!! only 49.0 GB free (5%)"), (0.9e9, "!! only 0.9 GB free (0%)")],
    )
    def test_a_disk_that_is_nearly_full_is_trouble(
        self, almanac: Run, monkeypatch: pytest.MonkeyPatch, free: float, said: str
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: (10**12, 10**12 - int(free), int(free)))
        assert lines(almanac("doctor").out)["disk"].startswith(said)


class TestChecks:
    def test_one_that_fails_or_hangs_leaves_the_others_their_time(self) -> None:
        done = threading.Event()

        def fail() -> list[Any]:
            raise RuntimeError("a mistake\nof ours")

        def hang() -> list[Any]:
            waited_for.append(done.wait(600))
            return []

        waited_for = list[bool]()
        found = findings(
            [Check("a", fail, "do this"), Check("b", hang, "do that"), Check("c", lambda: [ok("c", "well")])], 1.5
        )
        assert waited_for == []
        done.set()
        assert found == [
            trouble("a", "could not be looked at (RuntimeError: a mistake?of ours): do this"),
            trouble("b", "no answer within 1.5 seconds: do that"),
            ok("c", "well"),
        ]
        assert SECONDS == 5

    def test_whatever_a_check_says_no_secret_is_printed(self) -> None:
        secrets = ("s3cret",)
        said = "xoxb-1-abc and xapp-1-A-2 at https://me:pw@host/x?token=y, s3cret"
        assert clean(said, secrets) == "… and … at https://host/x …"
        for form in ("text", "json"):
            shown = report([trouble("a", said)], form, secrets)
            assert not re.search(r"xox|xapp-1|pw@|s3cret|token=y", shown)


@pytest.fixture
def workspace() -> Iterator[ThreadedWorkspace]:
    people = [WorkspaceUser(name="ada", real_name="Ada Lovelace", email="ada@example.com")]
    team = Workspace(people, ["general", "shipped"], scopes=SCOPES_ASKED)
    with patient(team) as opened:
        yield opened


@pytest.fixture
def connected(workspace: ThreadedWorkspace, monkeypatch: pytest.MonkeyPatch, engine: GitRepo) -> ThreadedWorkspace:
    """Slack is set up, for Socket Mode."""
    monkeypatch.setenv("SLACK_API_URL", workspace.api_url)
    monkeypatch.setenv("SLACK_BOT_TOKEN", workspace.workspace.bot_token)
    monkeypatch.setenv("SLACK_APP_TOKEN", workspace.workspace.app_token)
    return workspace


class TestSlack:
    @pytest.mark.parametrize(
        ("scopes", "code", "told"),
        [
            (set(SCOPES_ASKED) - {"users:read"}, 1, ["!!  scopes: users:read is missing, so nobody gets an answer"]),
            (
                set(SCOPES), 0,
                [f"ok  scopes: all {len(SCOPES)} that are needed\n"]
                + [f"--  scopes: {scope} was left out, so what Slack did not answer is not looked for in" for scope in
                   ("channels:history", "groups:history")],
            ),
        ],
    )  # fmt: skip
    def test_what_is_lost_without_a_scope_is_said(
        self, almanac: Run, connected: ThreadedWorkspace, scopes: set[str], code: int, told: list[str]
    ) -> None:
        connected.workspace.scopes = tuple(scopes)
        ran = almanac("doctor")
        assert (ran.code, [one for one in told if one not in ran.out]) == (code, []), ran.out
        assert set(SCOPES) | set(OPTIONAL) == set(SCOPES_ASKED)
        assert list(OPTIONAL) == MANIFEST["oauth_config"]["scopes"]["bot_optional"]

    def test_an_app_token_that_is_refused_is_said(
        self, almanac: Run, connected: ThreadedWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SLACK_APP_TOKEN", "xapp-wrong-secret")
        ran = almanac("doctor")
        assert lines(ran.out)["SLACK_APP_TOKEN"].startswith("!! Slack refuses it (invalid_auth): generate one")
        assert "wrong-secret" not in ran.out

    def test_channels_of_digests_that_cannot_be_posted_to_are_named(
        self, almanac: Run, connected: ThreadedWorkspace
    ) -> None:
        team = connected.workspace
        team.add_channel(WorkspaceChannel(name="old", id="C0OLD12345", is_archived=True))
        team.add_channel(WorkspaceChannel(name="leads", id="C0LEADS123", is_private=True, members=frozenset({"U1"})))
        team.add_channel(WorkspaceChannel(name="open", id="C0OPEN1234", members=frozenset({"U1"})))
        for name in ("#shipped", "#nowhere", "C0OLD12345", "C0LEADS123", "#open"):
            configure(f'[[digests]]\nchannel = "{name}"\n')
        said = lines(almanac("doctor").out)
        assert said["#shipped"].startswith("ok")
        assert said["#shipped"] == "ok the bot may post there"
        assert said["#open"].startswith("ok the bot may post there; after /invite @Almanac")  # chat:write.public
        assert said["C0OLD12345"] == "!! is archived: name another in the digest, or have it brought back"
        assert said["C0LEADS123"].startswith("!! ") and "/invite @Almanac" in said["C0LEADS123"]
        team.scopes = tuple(scope for scope in SCOPES_ASKED if scope != "chat:write.public")
        assert lines(almanac("doctor").out)["#open"] == "!! the bot is not in it: type /invite @Almanac there"
        assert said["#nowhere"] == (
            "!! is no channel the bot can see: check the name; a private one needs /invite @Almanac in it"
        )


MODEL = {
    200: "ok small at {}: it answers",
    401: "!! small at {}: it refuses the key",
    503: "!! small at {}: it answers HTTP 503",
}


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("status", MODEL)
def test_a_models_server_is_asked_without_a_word_of_anybodys_work(
    almanac: Run, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    pytest.importorskip("httpx")
    monkeypatch.setenv("ALMANAC_MODEL_KEY", "k3y")
    with AModel() as server:
        server.status = status
        configure(f'[model]\naddress = "{server.address}"\nname = "small"\n')
        ran = almanac("doctor")
        assert [(one.path, one.headers["Authorization"]) for one in server.requests] == [("/v1/models", "Bearer k3y")]
    assert lines(ran.out)["model"].startswith(MODEL[status].format(server.address))
    assert "k3y" not in ran.out
