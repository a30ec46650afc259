"""What a process, or a former release, left of messages and questions in whatever state is settled by the next bot."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from bot_in_workspace import running_bot
from builders import NOW, both_engines
from talking import answers, whispers
from waiting import wait_until

from bot.settings import Settings
from bot.slack import inbox
from bot.slack.sender import EVENT_TYPE
from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from storage import Store
from storage.engine import written
from storage.outbox import Post

DAY = timedelta(days=1)
LONG_AGO = datetime.now(UTC) - DAY  # what is sent goes by the real time


def set_row(store: Store, key: str, **columns: str) -> None:
    with store.transaction(write=True) as connection:
        for name, value in columns.items():
            connection.execute(f"UPDATE outbox SET {name} = ? WHERE key = ?", (value, key))  # noqa: S608


@both_engines
def test_rows_in_every_state_are_settled_and_nothing_is_said_twice(
    workspace: ThreadedWorkspace, settings: Settings, indexed: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "RENEW_SECONDS", 0.05)  # what others left is looked at so often
    team = workspace.workspace
    keys = [f"answer|{team.team_id}|C0001|1.{number}" for number in range(6)]
    waits, begun, lost, refused, done, part = keys
    died, quiet, changed, alone = "press|x", "digest|x", "change|x", "whisper|x"
    posts = [Post(key, "C0001", {"text": f"answer {number}"}) for number, key in enumerate(keys[:5])]
    posts += [Post(key, "C0001", {"text": key}) for key in (died, quiet)]
    stands = team.post("C0001", user=BOT_USER_ID, text="as it stood")
    posts.append(Post(changed, "C0001", {"text": "as it is now"}, ts=stands.ts))
    for post in (*posts, Post(part, "C0001", {"text": "answer 5"}, thread_key=lost)):
        indexed.outbox.plan([post], LONG_AGO)
    indexed.outbox.plan([Post(alone, "C0001", {"text": "for you"}, only_for="U0003")], datetime.now(UTC))
    as_begun = team.post("C0001", user=BOT_USER_ID, text="ans")  # as a stream of a former release was
    key = {"event_type": EVENT_TYPE, "event_payload": {"key": lost}}
    taken = team.post("C0001", user=BOT_USER_ID, text="answer 2", metadata=key)
    set_row(indexed, begun, ts=as_begun.ts)
    set_row(indexed, lost, state="unknown", tried_at=written(LONG_AGO), changed_at=written(LONG_AGO))
    set_row(indexed, refused, state="failed", error="is_archived: the channel is archived")
    set_row(indexed, done, state="sent", ts="1.1")
    set_row(indexed, quiet, state="skipped")
    indexed.outbox.claim(died, LONG_AGO)  # and then its process died, once Slack had it
    in_event = {"event_type": EVENT_TYPE, "event_payload": {"key": died}}
    team.post("C0001", user=BOT_USER_ID, text=died, metadata=in_event)
    asked = team.post("C0001", user="U0003", text=f"<@{BOT_USER_ID}> ada october 2025").ts
    event = {"type": "app_mention", "user": "U0003", "text": "ada october 2025", "channel": "C0001", "ts": asked}
    indexed.pending_events.keep([("Ev1", {"event_id": "Ev1", "event": event})], NOW - DAY, NOW - DAY)
    with running_bot(settings):
        wait_until(
            lambda: not indexed.pending_events.count() and set(indexed.outbox.counts()) == {"sent", "failed", "skipped"}
        )
    every = [*keys, died, quiet, changed, alone]
    states = {one: post.state for one in every if (post := indexed.outbox.get(one))}
    sent = dict.fromkeys((waits, begun, lost, done, part, died, changed, alone), "sent")
    assert states == sent | {refused: "failed", quiet: "skipped"}
    said = [one["text"] for one in answers(workspace, "general") if one.get("thread_ts") != asked]
    assert sorted(said) == ["answer 0", "answer 1", "answer 2", "answer 5", "as it is now", died]
    assert [one["text"] for one in whispers(workspace, "general", "guest")] == ["for you"]
    assert [one["thread_ts"] for one in answers(workspace, "general") if one["text"] == "answer 5"] == [taken.ts]
    assert "the store" in "".join(one["text"] for one in answers(workspace, "general", asked))
