"""Signed deliveries that are not as Slack writes them: whatever is wrong, the bot says so in a line and goes on."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from bot_in_workspace import SECRET, running_bot, settings_for
from builders import NOW, GitRepo
from faulty_slack import send_signed
from mutations import Delivery, mutated, written
from plays import Play
from talking import ask

from bot.settings import DigestSettings, PrivacySettings, Settings
from bot.workspace import ThreadedWorkspace
from storage import Store

Json = dict[str, Any]


@pytest.fixture
def settings(workspace: ThreadedWorkspace, indexed: Store) -> Settings:
    """By HTTP; Ada is an admin, so that everything can be pressed."""
    settings = settings_for(workspace, "http", db=indexed.path, fixed_now=NOW)
    return replace(settings, digests=[DigestSettings(channel="#general")], privacy=PrivacySettings(admins=["U0001"]))


# Something of everything that Slack delivers; SHA is that of a change.
CONVERSATION = """
    ada #general: @Almanac octobr of adda
    bot thread:
    ada direct: my months since august 2025
    ada #general: /almanac month ada october
    bot alone: October
    ada #general: /almanac link grace@example.com
    bot alone: grace
    ada #general: @Almanac ada october 2025
    bot thread: October 2025
    ada presses All 2 changes
    modal: Fix the store
    ada presses Explain
    modal 2: Why it is shown
    ada closes all
    ada presses the same: Not right?
    modal: Which change?
    ada submits change=SHA wrong=performance
    modal: from now on
    ada closes all
    ada presses the same: Profile
    bot thread: Lovelace
    ada runs author_month on that
    modal: No person
    ada closes all
    ada #shipped: /almanac digest
    modal: New digest
    ada presses New digest
    modal 2: If nothing was done
    ada submits day=31 hour=17 zone=Europe/London
    modal 2: Saved
    ada closes all
    ada runs my_month
    modal: October 2025
    ada closes all
    ada opens home: All of October 2025
    ada presses Do not show me
    home: Show me again
    ada presses Add an address
    modal: signed with
    ada submits address=old@example.com
"""


def seen_by(workspace: ThreadedWorkspace) -> list[tuple[str, Json]]:
    """What was delivered, one of each sort, and each press and modal under every name that the bot knows."""
    sorts: dict[str, tuple[str, Json]] = {}
    for one in workspace.deliveries:
        payload: Json = one.payload
        action = (payload.get("actions") or [{}])[0].get("action_id", "").partition(".")[0]
        view = (payload.get("view") or {}).get("callback_id", "")
        sort = [payload.get("type"), payload.get("command"), (payload.get("event") or {}).get("type"), action, view]
        sorts.setdefault(" ".join(map(str, sort)), (one.kind, payload))
    return list(sorts.values())


def is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def campaign(
    workspace: ThreadedWorkspace,
    engine: GitRepo,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
    count: int,
    seed: int,
) -> Counter[int]:
    """What the bot answers to so many mutated deliveries. Nothing may be a fault of the bot's, by status or by log;
    what Slack did send is taken all the time, and nothing that somebody else signed."""
    statuses: Counter[int] = Counter()
    faults: list[str] = []

    def sent(one: Delivery, secret: str = SECRET) -> int:
        return send_signed(settings.port, "/slack/events", one.body, type_=one.content_type, secret=secret)[0]

    with running_bot(settings):
        Play(workspace).play(CONVERSATION.replace("SHA", engine.shas()[2]))
        seen = seen_by(workspace)
        as_seen = [Delivery(body, type_, "as it was") for type_, body in (written(*one) for one in seen)]
        caplog.clear()
        workspace.workspace.use_trigger = lambda _: None  # type: ignore[method-assign]  # modals open again and again
        for number, one in enumerate(mutated(seen, seed, count)):
            status = sent(one)
            statuses[status] += 1
            if status not in ((200, 400) if is_text(one.body) else (401,)):  # Slack signs no other
                faults.append(f"{status}: {one.what}: {one.body[:3000]!r}")
            if number % 50 == 0:
                right = as_seen[number // 50 % len(as_seen)]
                if (status := sent(right)) != 200:
                    faults.append(f"{status} to what was right: {right.body[:3000]!r}")
                if (status := sent(one, "another secret")) != 401:
                    faults.append(f"{status} to a wrong signature: {one.what}")
            said = [record for record in caplog.records if record.exc_info]
            faults += [f"{r.getMessage()} {r.exc_info and r.exc_info[1]!r}: {one.what}" for r in said]
            caplog.clear()
        ask(workspace, "guest", "@Almanac grace october 2025")
    assert faults == [], "\n".join(faults[:20])
    return statuses


def test_a_small_campaign(
    workspace: ThreadedWorkspace, engine: GitRepo, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    counted = campaign(workspace, engine, settings, caplog, 200, seed=0)
    assert counted[200] > 60 and counted[400] > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 4))
def test_the_whole_campaign(
    workspace: ThreadedWorkspace,
    engine: GitRepo,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    seed: int,
) -> None:
    """3,000 deliveries in three parts."""
    counted = campaign(workspace, engine, settings, caplog, 1_000, seed)
    with capsys.disabled():
        print(f"\nseed {seed}: {dict(sorted(counted.items()))}")
    assert sum(counted.values()) == 1_000
