"""What the clock does at each tick with digests of every sort, and with channels that break."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from bot_in_workspace import settings_for
from builders import ADA, GitRepo, both_engines, index
from digesting import jobs_of, service_of
from faulty_slack import FaultyWorkspace

from bot.digest.service import problems
from bot.digest.subscriptions import DigestPost, DigestSubscription, Subscriptions
from bot.digest.tick import IndexRefresh
from bot.errors import RepositoryUnavailable
from bot.index.git import CancelToken
from bot.month.calendar import Month
from bot.settings import DigestSettings, PrivacySettings, RepositorySettings, TeamSettings
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceUser
from bot.workspace.server import PATIENCE
from bot.workspace.state import WorkspaceChannel, WorkspaceUserGroup
from storage import Store

BEFORE = datetime(2025, 10, 20, tzinfo=UTC)
ON_THE_FIRST = datetime(2025, 11, 1, 9, 5, tzinfo=UTC)
IN_DECEMBER = datetime(2025, 12, 1, 9, 5, tzinfo=UTC)
SHIPPED = {"channel": "C0SHIPPED"}


@pytest.fixture
def slack() -> Any:
    people = [
        WorkspaceUser(name="ada", real_name="Ada Lovelace", email="ada@example.com", id="U0ADA"),
        WorkspaceUser(name="grace", real_name="Grace Hopper", email="grace@example.com", id="U0GRACE"),
    ]
    channels = [WorkspaceChannel(name=name, id=f"C0{name.upper()}") for name in ("shipped", "other")]
    groups = [WorkspaceUserGroup(handle="mills", users=("U0ADA",), id="S0MILLS0000"), WorkspaceUserGroup(handle="none")]
    with FaultyWorkspace(Workspace(people, channels, usergroups=groups)) as opened:
        yield opened


@pytest.fixture
def store(engine: GitRepo, tmp_path: Path, placed: Callable[[Path], Store]) -> Store:
    return placed(tmp_path / "almanac.db")


Ticks = Callable[..., None]


@pytest.fixture
def tick(slack: ThreadedWorkspace, store: Store) -> Ticks:
    """A tick of a bot that is started anew at an instant, with what almanac.toml says."""

    def run(at: datetime, *tables: dict[str, Any], times: int = 1, **values: Any) -> None:
        digests = [DigestSettings(**table) for table in tables]
        settings = settings_for(slack, "socket", db=store.database, fixed_now=at, digests=digests, **values)
        jobs = jobs_of(settings, store, slack)
        for _ in range(times):
            jobs.tick()

    return run


def titles(slack: ThreadedWorkspace, channel: str = "C0SHIPPED") -> list[str]:
    """The first line of each digest that stands in a channel."""
    return [m["text"].splitlines()[0] for m in slack.messages(channel) if m.get("thread_ts", m["ts"]) == m["ts"]]


@both_engines
def test_what_was_missed_is_posted_late_and_oldest_first(slack: ThreadedWorkspace, tick: Ticks) -> None:
    tick(datetime(2025, 8, 20, tzinfo=UTC), SHIPPED | {"zone": "Pacific/Kiritimati"})
    tick(datetime(2025, 11, 9, tzinfo=UTC), SHIPPED | {"zone": "Pacific/Kiritimati"}, times=2)
    assert titles(slack) == [
        "This digest is late: it was due on 1 September 2025.",
        "This digest is late: it was due on 1 October 2025.",
        "This digest is late: it was due on 1 November 2025.",
    ]


def test_a_quiet_month_is_skipped_or_said_as_is_wanted(slack: ThreadedWorkspace, store: Store, tick: Ticks) -> None:
    tables = [SHIPPED | {"quiet": "skip"}, {"channel": "C0OTHER"}]
    tick(datetime(2025, 11, 20, tzinfo=UTC), *tables)
    tick(datetime(2025, 12, 1, 9, 5, tzinfo=UTC), *tables, times=3)
    assert slack.messages("C0SHIPPED") == []
    (said,) = slack.messages("C0OTHER")
    assert "No commits." in said["text"]
    assert [post.key.rpartition("|")[2] for post in store.outbox.in_state("skipped")] == ["2025-11"]


def test_repositories_that_cannot_be_read_are_named_once_by_their_names(
    slack: ThreadedWorkspace, tick: Ticks, store: Store, engine: GitRepo, tmp_path: Path
) -> None:
    """Neither where they are, which may be nobody's business, nor those of other channels; what can be read of a
    damaged one is told."""
    web = GitRepo(tmp_path / "acme" / "web")
    lost = web.commit("Add a page", author=ADA, at="2025-10-03 10:00 +0000", files={"page.html": "p\n"})
    web.commit("Add the card reader", author=ADA, at="2025-10-04 10:00 +0000", files={"src/card.py": "c\n"})
    web.loose_object(lost).unlink()
    tables = [
        RepositorySettings(address=str(engine.path), name="engine"), RepositorySettings(address=str(web.path)),
        RepositorySettings(address=str(tmp_path / "acme" / "gone")),
        RepositorySettings(address=str(tmp_path / "secret"), name="plans", audience=["#other"]),
    ]  # fmt: skip
    index(store, engine.path, name="engine")
    tick(BEFORE, SHIPPED, repositories=tables)
    shutil.rmtree(engine.path)
    tick(ON_THE_FIRST, SHIPPED, repositories=tables)
    text = json.dumps(slack.messages("C0SHIPPED"))
    assert "card reader" in text
    said = slack.messages("C0SHIPPED")[0]["text"]
    assert "acme/gone could not be read, and nothing of it is indexed, so it is not shown." in said
    assert said.count("engine could not be read at the last try, so it is shown as of") == 1
    assert "acme/web could not be read at the last try, so it is not shown in full." in said
    assert str(tmp_path) not in text and "plans" not in text and said.count("nothing of it is indexed") == 1


def test_a_repository_that_does_not_answer_holds_nothing_up_for_long(
    slack: ThreadedWorkspace, tick: Ticks, store: Store, engine: GitRepo
) -> None:
    """What is due is made of what is known; the reading goes on, once, and is asked again."""
    end, readings = Event(), list[int]()
    tables = [RepositorySettings(address=str(engine.path))]
    settings = settings_for(slack, "socket", db=store.database, fixed_now=IN_DECEMBER, repositories=tables)

    def read() -> list[RepositoryUnavailable]:
        readings.append(1)
        assert end.wait(PATIENCE)
        return []

    reading = IndexRefresh(settings, store, read, CancelToken(), seconds=0.05)
    try:
        unread = [*reading.unread(), *reading.unread()]
    finally:
        end.set()
    assert [(one.repository, one.reason) for one in unread] == [("acme/engine", "it did not answer in time")] * 2
    assert readings == [1]
    wanted, workspace = DigestSubscription(channel="C0SHIPPED"), slack.workspace.team_id
    digest = DigestPost.of(workspace, wanted, Month.parse("2025-10"))
    told = service_of(settings, store, slack).compose(digest, unread)
    (as_of,) = [one.indexed_at for one in store.commits.repositories() if one.indexed_at]
    day = f"{as_of.day} {Month(as_of.year, as_of.month).title}"
    assert f"acme/engine did not answer in time, so it is shown as of {day}." in told.messages[0].text


def test_a_digest_of_almanac_toml_and_of_slack_is_posted_once_by_whichever_name_of_its_channel(
    slack: ThreadedWorkspace, store: Store, tick: Ticks
) -> None:
    slack.workspace.add_channel(WorkspaceChannel(name="third", id="C0THIRD"))
    tables = [{"channel": "#shipped"}, {"channel": "#other", "cadence": "weekly"}, {"channel": "#third"}]
    made_in_slack(store)  # by the channel's id
    tick(BEFORE, *tables)
    tick(ON_THE_FIRST, *tables, times=3)
    assert titles(slack) == ["*October 2025*"]
    (told,) = slack.messages("D0002")
    assert told["text"].startswith(
        "The monthly digest for #shipped is paused: almanac.toml has this digest too, and what stands there holds. "
    )
    assert [(one.key, bool(one.paused_at)) for one in store.digests.all()] == [
        ("C0SHIPPED|", True), ("other|", False), ("shipped|", False), ("third|", False),
    ]  # fmt: skip


def texts_in(slack: ThreadedWorkspace, channel: str, ts: str) -> str:
    """All that a thread says."""
    return "\n".join(str(message["text"]) for message in slack.messages(channel, ts))


def test_a_digest_is_of_the_people_of_a_team_a_user_group_or_some_repositories(
    slack: ThreadedWorkspace, tick: Ticks
) -> None:
    tables = [
        {"channel": "C0SHIPPED", "team": "compilers"}, {"channel": "C0SHIPPED", "group": "@Mills"},
        {"channel": "C0SHIPPED", "group": "S0MILLS0000", "repositories": ["acme/engine"]},
        {"channel": "C0OTHER", "repositories": ["acme/engine"]},
    ]  # fmt: skip
    teams = [TeamSettings(name="compilers", people=["Grace Hopper"])]
    tick(BEFORE, *tables, teams=teams)
    tick(ON_THE_FIRST, *tables, teams=teams, times=2)
    every = [m for m in slack.messages("C0SHIPPED") if m.get("thread_ts", m["ts"]) == m["ts"]]
    whole = {m["text"].splitlines()[0]: texts_in(slack, "C0SHIPPED", m["ts"]) for m in every}
    of = {title: ("mill" in text, "compiler" in text) for title, text in whole.items()}
    assert of == {
        "*October 2025: compilers*": (False, True),
        "*October 2025: @Mills*": (True, False),
        "*October 2025: @S0MILLS0000*": (True, False),
    }
    assert "2 people, 2 changes" in slack.messages("C0OTHER")[0]["text"]


def made_in_slack(store: Store, **wanted: Any) -> None:
    Subscriptions(store.digests, [], "UTC").make(SHIPPED | wanted, "U0GRACE", BEFORE)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"team": "mills"}, "there is no team 'mills' in almanac.toml any more"),
        ({"group": "@mill"}, "there is no user group @mill in Slack any more"),
    ],
)
def test_a_digest_that_cannot_be_made_is_paused_and_its_owner_told_once(
    slack: ThreadedWorkspace, store: Store, tick: Ticks, wanted: dict[str, Any], why: str
) -> None:
    made_in_slack(store, **wanted)
    tick(ON_THE_FIRST, {"channel": "C0OTHER"}, times=3)
    tick(ON_THE_FIRST + timedelta(hours=3))
    (told,) = slack.messages("D0002")
    assert told["text"].startswith("The monthly digest") and f"is paused: {why}" in told["text"]
    assert slack.messages("C0SHIPPED") == []
    assert any(why in line for line in problems(store))


@both_engines
@pytest.mark.parametrize("code", ["is_archived", "not_in_channel", "channel_not_found", "restricted_action"])
def test_a_broken_channel_pauses_its_digest_alone_and_its_owner_is_told_once(
    slack: ThreadedWorkspace, store: Store, tick: Ticks, code: str
) -> None:
    made_in_slack(store)
    tick(BEFORE, {"channel": "C0OTHER"})
    slack.faults.next("chat.postMessage", f"error:{code}")
    tick(ON_THE_FIRST, {"channel": "C0OTHER"}, times=3)
    tick(ON_THE_FIRST + timedelta(hours=5), {"channel": "C0OTHER"})
    channels = [channel for channel in ("C0OTHER", "C0SHIPPED") if slack.messages(channel)]
    assert len(channels) == 1  # whichever came first met the fault
    notices = [call.arguments for call in slack.calls if call.arguments.get("channel") == "U0GRACE"]
    assert len(notices) == (channels == ["C0OTHER"])
    paused = [one for one in store.digests.all() if one.paused_at]
    assert [one.paused_why.partition(":")[0] for one in paused] == [code]


def test_a_digest_is_paused_where_guests_read_and_that_is_said_once(
    slack: ThreadedWorkspace, store: Store, tick: Ticks, caplog: pytest.LogCaptureFixture
) -> None:
    team, alone = slack.workspace, frozenset({"U0ADA", BOT_USER_ID})
    team.add_channel(WorkspaceChannel(name="alone", id="C0ALONE", is_private=True, members=alone))
    team.add_user(WorkspaceUser(name="guest", real_name="A Guest", email="guest@example.com", is_restricted=True))
    tables = [SHIPPED, {"channel": "C0ALONE"}]
    tick(BEFORE, *tables)
    tick(ON_THE_FIRST, *tables, times=3)
    assert slack.messages("C0SHIPPED") == [] and slack.messages("C0ALONE") != []
    why = "there are guests in the channel: see `guests` in almanac.toml"
    said = [record.message for record in caplog.records if "C0SHIPPED" in record.message]
    assert said == [f"The monthly digest for C0SHIPPED is paused: {why}"]
    assert [one.paused_why for one in store.digests.all() if one.is_paused] == [why]


def test_of_almanac_tomls_digests_the_admins_are_told(slack: ThreadedWorkspace, store: Store, tick: Ticks) -> None:
    privacy = PrivacySettings(admins=["U0ADA"])
    slack.workspace.add_channel(WorkspaceChannel(name="shipped", id="C0SHIPPED", is_archived=True))
    tick(BEFORE, SHIPPED, privacy=privacy)
    tick(ON_THE_FIRST, SHIPPED, privacy=privacy, times=3)
    (told,) = slack.messages("D0001")
    assert "is_archived: the channel is archived" in told["text"]
    assert "almanac digest --resume --channel C0SHIPPED" in told["text"]
