"""A digest whose process is killed between any two steps, whatever Slack's calls meet with, is posted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Barrier, Thread
from zoneinfo import ZoneInfo

import pytest
from bot_in_workspace import settings_for
from faulty_slack import FaultyWorkspace
from killed import Clock, Ends, Life, is_killed, is_killed_for_real, process

from bot.digest.service import Composed, DigestService, problems
from bot.digest.subscriptions import DigestPost
from bot.digest.tick import Jobs
from bot.errors import RepositoryUnavailable
from bot.month.calendar import Month
from bot.month.facts import FactsContext
from bot.settings import DigestSettings, PrivacySettings, Settings
from bot.slack.directory import Members
from bot.slack.elements import Message
from bot.story.digest import month_digest
from bot.story.render import Templates
from bot.workspace import Workspace, WorkspaceChannel, WorkspaceUser
from storage import Store

OWNER, TEAM = "U0OWNER", "T0"
BEFORE, DUE = datetime(2025, 10, 20, tzinfo=UTC), datetime(2025, 11, 5, 9, tzinfo=UTC)
_EMPTY = month_digest("everyone", Month(2025, 10), [], [], FactsContext(ZoneInfo("UTC"), [], DUE), ())
DOCUMENT = replace(_EMPTY.document, counts={"commits": 1})
PARTS = ("root", "part 1", "part 2")
TAKEN = ("drop_after", "invalid_json", "half", 'answer_after:[{"ok":true}]', 'answer_after:{"ok":true}')
NOT_TAKEN = ("drop_before", "ratelimited", "http_500", "answer_before:502 Bad Gateway", "error:fatal_error")
GONE = "error:is_archived"


class QuickDigests(DigestService):
    """Tells the same three messages of every period: this is of how they are delivered."""

    def compose(self, post: DigestPost, unread: Sequence[RepositoryUnavailable] = ()) -> Composed:
        messages = [Message(f"{post.period} {name}", (), in_thread=bool(n)) for n, name in enumerate(PARTS)]
        return Composed(post.subscription.channel, DOCUMENT, tuple(messages), ())


@pytest.fixture
def slack() -> Iterator[FaultyWorkspace]:
    """In some channels the bot may post, but not read."""
    channels = [WorkspaceChannel(name=f"open{n}", id=f"C0OPEN{n}") for n in range(40)]
    channels += [WorkspaceChannel(name=f"shut{n}", id=f"C0SHUT{n}", members=frozenset([OWNER])) for n in range(40)]
    owner = WorkspaceUser(name="owner", real_name="The Owner", id=OWNER)
    with FaultyWorkspace(Workspace([owner], channels, team_id=TEAM)) as opened:
        yield opened


def tick(settings: Settings, life: Life, clock: Clock) -> None:
    """What a process does that has just started."""
    store, poster = process(settings, life, clock)
    digests = QuickDigests(settings, store, Members.of(settings, store, TEAM), Templates(), poster, TEAM)
    Jobs(settings, store, poster, digests).tick()
    poster.send_waiting(20.0, pause=lambda seconds: setattr(clock, "at", clock.at + timedelta(seconds=seconds)))


def is_settled(store: Store, clock: Clock) -> bool:
    """Whether nothing more will happen: all is sent or refused, or cannot be looked for."""
    searched = [one for one in store.outbox.in_state("unknown") if not one.is_unsearchable]
    paused = [one for one in store.digests.all() if one.is_paused]
    untold = [one for one in paused if one.reported_at is None] or (store.outbox.in_state("failed") and not paused)
    waiting = searched or untold or store.outbox.in_state("sending") or store.outbox.waiting(clock.at)
    return bool(store.outbox.keys("digest|")) and not waiting


def posts(slack: FaultyWorkspace, channel: str) -> Counter[str]:
    """How often each message is there that was meant for a channel, in it or as a notice to the owner."""
    direct = slack.workspace.channel(OWNER)
    stored = [*slack.workspace.stored(channel), *slack.workspace.stored(direct.id if direct else OWNER)]
    keys = [str((one.metadata or {}).get("event_payload", {}).get("key", "")) for one in stored]
    return Counter(one for one in keys if channel in one)


def outcome(slack: FaultyWorkspace, settings: Settings, channel: str) -> str:
    """What came of a digest, where nothing of it is there twice."""
    store, found = Store(settings.database), posts(slack, channel)
    keys = store.outbox.keys("digest|")
    assert len(keys) == len(PARTS) and set(found.values()) <= {1}, found
    missing = [key for key in keys if not found[key]]
    if missing and any(one.is_paused for one in store.digests.all()):
        return "paused, and told" if [*found] == store.outbox.keys("pause|") else "paused"
    if missing:
        unknown = any("not known whether Slack has it" in line for line in problems(store))
        told = any(key.startswith("lost|") for key in found)
        return "not known, and told" if unknown and told else f"{missing} lost"
    return "posted"


def settings_of(slack: FaultyWorkspace, database: Path, channel: str) -> Settings:
    """Of a bot whose digest for a channel is due for the first time."""
    settings = settings_for(
        slack, "socket", db=database, fixed_now=DUE, digests=[DigestSettings(channel=channel, hour=0)],
        privacy=PrivacySettings(guests=True, shared_channels=True, admins=[OWNER]),
    )  # fmt: skip
    tick(replace(settings, fixed_now=BEFORE), Life(), Clock(datetime.now(UTC)))
    return settings


def killed_everywhere(
    slack: FaultyWorkspace, folder: Path, faults: Sequence[str], kind: str, nth: int, ends: Ends
) -> Iterator[str]:
    """What came of a digest whose nth process, from 0, is killed after no step, after one, and so on, until it lives to
    its end; Slack's calls that post meet with these faults."""
    for steps in range(40):
        settings = settings_of(slack, folder / f"{steps}.db", f"C0{kind}{steps}")
        store, clock, lives = Store(settings.database), Clock(datetime.now(UTC)), True
        for fault in faults:
            slack.faults.next("chat.postMessage", fault)
        for number in range(12):
            if number > nth and is_settled(store, clock):
                break
            if number == nth:
                lives = not ends(partial(tick, settings, Life(steps), clock))
            else:
                tick(settings, Life(), clock)
            clock.at += timedelta(minutes=2)
        assert is_settled(store, clock)
        slack.faults.clear()
        yield outcome(slack, settings, f"C0{kind}{steps}")
        if lives:
            return
    raise AssertionError("it never came to its end")


def faults_at(fault: str, number: int) -> list[str]:
    return ["delay:0"] * number + [fault]


CASES: list[tuple[list[str], str, int, set[str]]] = [
    ([], "OPEN", 0, {"posted"}),
    (["drop_after"], "OPEN", 1, {"posted"}),
    (["delay:0", "drop_before"], "OPEN", 1, {"posted"}),
    (["drop_after"], "SHUT", 0, {"not known, and told"}),
    ([GONE], "OPEN", 0, {"paused, and told", "posted"}),
]
SLOW = [
    *((faults_at(one, n % 3), "OPEN", 1, {"posted"}) for n, one in enumerate(TAKEN + NOT_TAKEN)),
    *((faults_at(one, 1), "SHUT", 0, {"posted", "not known, and told"}) for one in (TAKEN[1:4] + NOT_TAKEN[1:4])),
]


@pytest.mark.parametrize(("faults", "kind", "nth", "comes_of_it"), CASES)
def test_killed_at_any_step_each_message_is_posted_once(
    slack: FaultyWorkspace, tmp_path: Path, faults: list[str], kind: str, nth: int, comes_of_it: set[str]
) -> None:
    found = list(killed_everywhere(slack, tmp_path, faults, kind, nth, is_killed))
    assert set(found) == comes_of_it and len(found) > 4


@pytest.mark.slow
@pytest.mark.parametrize(("faults", "kind", "nth", "comes_of_it"), CASES + SLOW)
def test_killed_for_real_at_any_step_each_message_is_posted_once(
    slack: FaultyWorkspace, tmp_path: Path, faults: list[str], kind: str, nth: int, comes_of_it: set[str]
) -> None:
    assert set(killed_everywhere(slack, tmp_path, faults, kind, nth, is_killed_for_real)) <= comes_of_it


@pytest.mark.parametrize("fault", ["delay:0", "drop_after", "drop_before"])
def test_several_processes_that_tick_at_once_post_each_message_once(
    slack: FaultyWorkspace, tmp_path: Path, fault: str
) -> None:
    settings, clock = settings_of(slack, tmp_path / "almanac.db", "C0OPEN0"), Clock(datetime.now(UTC))
    slack.faults.next("chat.postMessage", fault)
    barrier = Barrier(6)

    def race() -> None:
        barrier.wait()
        tick(settings, Life(), clock)

    threads = [Thread(target=race) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _ in range(4):
        clock.at += timedelta(minutes=2)
        tick(settings, Life(), clock)
    assert outcome(slack, settings, "C0OPEN0") == "posted"
