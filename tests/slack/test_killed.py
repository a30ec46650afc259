"""A question whose process is killed between any two steps is answered once, by whoever takes it over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from bot_in_workspace import settings_for
from killed import Clock, Ends, Life, is_killed, is_killed_for_real, process

from bot.monitoring import Metrics
from bot.settings import PrivacySettings, Settings
from bot.slack.answering import Conversation, IncomingMessage
from bot.slack.directory import Members
from bot.slack.sender import INTERRUPTED, Sender
from bot.slack.web_api import identity, posting_client
from bot.slack_app.listeners import Services
from bot.story.render import Templates
from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from storage import Store


def answering(settings: Settings, life: Life, clock: Clock) -> tuple[Conversation, Sender]:
    store, poster = process(settings, life, clock)
    me = identity(posting_client(settings))
    members = Members.of(settings, store, str(me["team_id"]))
    services = Services(settings, store, poster, members, Templates(), Metrics().question, me)
    return services.conversation, poster


def answered(
    workspace: ThreadedWorkspace,
    settings: Settings,
    channel: str,
    user: str,
    text: str,
    ends: Ends = is_killed,
) -> Iterator[str]:
    """Has somebody ask a process that is killed after no step, after one, and so on, and then another answer, until
    one lives to the end. Gives the ts of each question that was so answered."""
    store = Store(settings.database)
    for steps in range(100):
        ts = workspace.workspace.post(channel, user=user, text=text).ts
        one = IncomingMessage(text, user, channel, ts, event=ts)
        clock, life = Clock(datetime.now(UTC)), Life()
        store.pending_events.keep([(ts, {})], clock.at, clock.at)
        conversation, _ = answering(settings, life, clock)
        life.left = steps
        if ends(partial(conversation.answer, one)):
            is_written = store.outbox.get(f"answer|{workspace.workspace.team_id}|{channel}|{ts}") is not None
            assert bool(store.pending_events.count()) != is_written, "either the question is kept or its answer"
        else:
            return
        clock.at += timedelta(minutes=1)
        other, poster = answering(settings, Life(), clock)
        other.answer(one)
        for _ in range(4):
            clock.at += timedelta(minutes=2)
            poster.give_up_on_lost()
            poster.reconcile()
            poster.send([post.key for post in store.outbox.in_state("planned")])
        yield ts
    raise AssertionError("it never came to its end")


def keys(workspace: ThreadedWorkspace, channel: str) -> list[str]:
    """Of the bot's messages that all see."""
    found = [one for one in workspace.workspace.stored(channel) if one.json.get("user") == BOT_USER_ID and one.metadata]
    return [str(one.metadata["event_payload"]["key"]) for one in found if one.metadata]


@pytest.fixture
def settings(workspace: ThreadedWorkspace, indexed: Store) -> Settings:
    return settings_for(workspace, "socket", db=indexed.path)


@pytest.mark.parametrize(
    ("channel", "user", "text"),
    [
        ("C0001", "U0003", "ada october 2025"),
        ("D0001", "U0001", "my october 2025"),
    ],
    ids=["in a thread", "in a direct message"],
)
def test_an_answer_that_stays(
    workspace: ThreadedWorkspace, settings: Settings, channel: str, user: str, text: str
) -> None:
    asked = list(answered(workspace, settings, channel, user, text))
    assert len(asked) > 6
    found = keys(workspace, channel)
    assert len(found) == len(set(found))
    firsts = {f"answer|{workspace.workspace.team_id}|{channel}|{ts}" for ts in asked}
    assert firsts <= set(found)


@pytest.mark.parametrize("ends", [is_killed, pytest.param(is_killed_for_real, marks=pytest.mark.slow)])
def test_an_answer_for_one_person_alone(workspace: ThreadedWorkspace, settings: Settings, ends: Ends) -> None:
    """It is shown once at most, and where nobody knows whether it was, that is said."""
    settings = replace(settings, privacy=PrivacySettings(answers_about_others="asker"))
    before, asked = 0, 0
    for _ in answered(workspace, settings, "C0001", "U0003", "ada october 2025", ends):
        shown = [one.json["text"] for one in workspace.workspace.stored("C0001") if one.only_for][before:]
        before, asked = before + len(shown), asked + 1
        answers = [text for text in shown if text != INTERRUPTED]
        assert len(answers) <= 1 and all("Ada Lovelace" in text for text in answers)
        assert len(shown) - len(answers) <= 1 and shown
    assert asked > 5
