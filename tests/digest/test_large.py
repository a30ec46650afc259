"""Digests of very many people and changes."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from bot_in_workspace import running_bot, settings_for
from faulty_slack import FaultyWorkspace

from bot.digest.subscriptions import Subscriptions
from bot.model import Commit, FileChange, Repository, Signature
from bot.settings_tables import DigestSettings
from bot.workspace import Workspace, WorkspaceUser
from bot.workspace.block_kit import faults
from bot.workspace.server import PATIENCE
from storage import Store

BEGAN = 1_759_276_800  # 1 October 2025
VERBS = ["Add", "Fix", "Remove", "Speed up", "Rename", "Document", "Test", "Simplify", "Allow", "Cache"]
PARTS = [
    "loader",
    "mill",
    "compiler",
    "store",
    "parser",
    "shard",
    "planner",
    "kernel",
    "queue",
    "router",
    "codec",
    "view",
]
WHAT = ["for empty input", "on restart", "when idle", "with many rows", "in debug builds", "for large files", "by name"]


def fill(store: Store, people: int, changes: int) -> None:
    """A month of so many people, each with as many changes as the next, in ten repositories."""
    dice = random.Random(7)  # noqa: S311 -- the same month each time
    for name, numbers in ((f"acme/{n}", range(n, changes, 10)) for n in range(10)):
        store.commits.register(Repository(name, f"/made/up/{name}"))
        store.commits.add(name, list(_commits(name, numbers, people, dice)))
        store.commits.mark_indexed(name, "f" * 40, datetime(2025, 11, 1, tzinfo=UTC), shallow=False)


def _commits(name: str, numbers: range, people: int, dice: random.Random) -> Iterator[Commit]:
    for number in numbers:
        who = number % people
        signature = Signature(f"Person {who:04}", f"p{who:04}@example.com", BEGAN + number * 80, 0)
        part = dice.choice(PARTS)
        subject = f"{dice.choice(VERBS)} the {part} {dice.choice(WHAT)} (#{number})"
        sha = hashlib.sha1(b"%d" % number, usedforsecurity=False).hexdigest()
        file = FileChange(f"src/{part}/{dice.choice(PARTS)}.py", "modified", 7, 3)
        yield Commit(name, sha, ("e" * 40,), signature, signature, subject, "It was slow before.", (file,))


MAKING = """
import json, resource, sys, time
from datetime import UTC, datetime
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from bot.ask.queries import Queries
from bot.digest.service import planned_posts
from bot.digest.subscriptions import DigestPost, DigestSubscription
from bot.month.calendar import Month
from bot.settings import Settings
from bot.slack.render import messages_of
from bot.story.render import Templates
from storage import Store
store = Store(Path(sys.argv[1]))
settings = Settings(fixed_now=datetime(2025, 11, 1, 9, tzinfo=UTC))
began = time.process_time()
almanac = Queries.of(store, settings)
document = almanac.digest(Month(2025, 10))
made = time.process_time()
messages = messages_of(document, Templates(), almanac.pages())
rendered = time.process_time()
digest = DigestPost.of("T", DigestSubscription(channel="C"), Month(2025, 10))
store.outbox.plan(planned_posts(digest, "C", messages), datetime(2025, 11, 1, 9, tzinfo=UTC))
planned = time.process_time()
kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([made - began, rendered - made, planned - rendered, kilobytes / 1024, len(messages),
                  document.counts["people"], document.counts["changes"]]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("people", "changes"), [(500, 20_000), (30_000, 30_000)])
def test_a_digest_of_very_many_people_is_made_in_bounded_memory(
    people: int, changes: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(tmp_path / "almanac.db")
    fill(store, people, changes)
    ran = subprocess.run(
        [sys.executable, "-c", MAKING, str(store.path), *sys.path], capture_output=True, text=True, check=True
    )
    made, rendered, planned, megabytes, messages, *counts = json.loads(ran.stdout)
    with capsys.disabled():
        print(
            f"\n{people:,} people, {changes:,} changes: made in {made:.1f} s, rendered in {rendered:.1f} s as "
            f"{messages} messages, written down in {planned:.1f} s, of processor time; {megabytes:.0f} MB"
        )
    assert counts == [people, changes]
    assert megabytes < 1024
    posts = store.outbox.in_state("planned")
    assert len(posts) == messages and all(not faults(dict(post.payload)) for post in posts)
    assert messages == 1


def test_a_hundred_digests_that_are_due_at_once_hold_up_no_answer_and_are_each_posted_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "almanac.db")
    fill(store, 3, 9)
    names = [f"c{number:03}" for number in range(100)]
    digests = [DigestSettings(channel=f"#{name}") for name in names]
    Subscriptions(store.digests, digests, "UTC").all(datetime(2025, 10, 20, tzinfo=UTC))
    people = [WorkspaceUser(name="ada", real_name="Ada Lovelace")]
    with FaultyWorkspace(Workspace(people, ["general", *names]), ack_timeout=PATIENCE) as slack:
        due = datetime(2025, 11, 1, 9, 5, tzinfo=UTC)
        settings = settings_for(slack, "socket", db=store.path, fixed_now=due, digests=digests)
        slack.faults.next("chat.postMessage", "hold")
        with running_bot(settings):
            slack.wait_connected()
            slack.wait_until(lambda: [one for one in slack.calls if one.method == "chat.postMessage"])
            asked = slack.say("ada", "general", "@Almanac what shipped in october 2025?")
            slack.wait_for(lambda message: message.get("thread_ts") == asked and "9 changes" in message["text"])
            slack.release()
            slack.wait_until(lambda: all(slack.messages(name) for name in names))
    assert [len(slack.workspace.messages(channel.id)) for channel in slack.workspace.channels.values()
            if channel.name in names] == [1] * 100  # fmt: skip
