"""The modals of /almanac digest: what they show to whom, what is made in them, and what is pressed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from bot_in_workspace import patient, running_bot, settings_for, two_and_a_guest
from builders import NOW, GitRepo, both_engines
from plays import Play
from talking import answers
from waiting import wait_until

from bot.digest.subscriptions import Subscriptions
from bot.settings import DigestSettings, PrivacySettings, Settings, TeamSettings
from bot.slack_app.digests import NOT_IN
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceChannel
from storage import Store

Json = dict[str, Any]
MADE = """
    grace #shipped: /almanac digest
    modal: #general: everyone, weekly … Set in almanac.toml
    grace presses New digest
    modal 2: If nothing was done
    grace submits
    modal 2: Saved: #shipped
    grace closes
    modal: #shipped: everyone, monthly
"""
PLAYS = {
    "paused, resumed and deleted": f"""
        {MADE}
        buttons: Edit; Preview; Pause; Post now; Delete; New digest
        grace presses Pause
        modal: Paused: by Grace
        grace presses Resume
        modal: It is posted again, from the next time on.
        grace presses Delete
        modal: Deleted: #shipped gets this digest no more.
    """,
    "what cannot be is said by its field": """
        grace #shipped: /almanac digest
        modal: #general: everyone, weekly
        grace presses New digest
        modal 2: If nothing was done
        grace submits channel=C0001 cadence=weekly
        refused channel: Almanac.toml has this digest already: change it there.
    """,
    "who did not make it cannot change it but an admin can": f"""
        {MADE}
        guest #shipped: /almanac digest
        modal: #shipped: everyone, monthly
        buttons: Preview; New digest
        ada #shipped: /almanac digest
        modal: #shipped: everyone, monthly
        buttons: Edit; Preview; Pause; Post now; Delete; New digest
    """,
    "asked for in words, it leads to the modal": """
        grace #general: @almanac pause the digest
        bot thread: igest
        buttons: Digests
        not: engine
        grace presses Digests
        modal: #general: everyone, weekly
        grace closes
        grace #shipped: /almanac post it every monday
        modal: #general: everyone, weekly
        nothing alone
    """,
    "Home leads to the same, and shows what was done": """
        grace opens home: 1 change in acme
        grace presses Digests
        modal: New digest
        grace presses New digest
        modal 2: If nothing was done
        grace submits channel=C0002
        modal 2: Saved
        home: Saved: #shipped
        grace closes
        modal: #shipped: everyone, monthly
        grace presses Pause
        modal: Paused: by Grace
        home: Paused: by
    """,
}
POSTED = f"""
    {MADE}
    grace presses Preview
    modal 2: October 2025, as #shipped would read it. Nothing is posted. … 2 people, 3 changes
    holds 0 #shipped: October
    grace closes
    grace presses Post now
    modal 2: October 2025 is posted in #shipped now, for all who read there. … 2 people, 3 changes
    holds 0 #shipped: October
    grace submits
    modal 2: #shipped: October 2025
    grace closes
    modal: #shipped: October 2025
"""
ALREADY = """
    grace presses Post now
    modal 2: October 2025 was posted already in #shipped.
    grace closes all
    bot channel: October 2025
    buttons: Somebody’s month; All 3 changes
    holds 1 #shipped: October
    grace presses All 3 changes
    modal: everyone, October 2025: 3 changes … Explain
    grace closes all
    grace presses the same: Somebody’s month
    modal: In which month?
"""
UPDATE = "Update the digest of October 2025 in #shipped"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Ada is an admin, there is a team, and one digest is in almanac.toml."""
    return replace(
        settings,
        zone=ZoneInfo("Europe/Berlin"),
        digests=[DigestSettings(channel="#general", cadence="weekly", day=1)],
        privacy=PrivacySettings(admins=["U0001"]),
        teams=[TeamSettings(name="engine", people=["Ada Lovelace", "Grace Hopper"])],
    )


@pytest.fixture
def play(workspace: ThreadedWorkspace, bot: None) -> Play:
    return Play(workspace)


def made(indexed: Store) -> list[tuple[str, str, Json]]:
    """The digests that were made in Slack."""
    return [(*one.id, one.as_wanted()) for one in Subscriptions(indexed.digests, [], "UTC").known(NOW)]


@pytest.mark.parametrize("name", PLAYS)
def test_a_digest_is(play: Play, name: str) -> None:
    play.play(PLAYS[name])


@both_engines
def test_what_is_posted_now_is_posted_once(play: Play, indexed: Store) -> None:
    """Though the bot's own clock may be at it first, which is said too."""
    play.play(POSTED)
    wait_until(lambda: not indexed.outbox.in_state("planned") and not indexed.outbox.in_state("sending"))
    play.play(ALREADY)


def test_a_digest_is_made_where_it_was_asked_for_and_an_edit_begins_with_what_it_is(play: Play, indexed: Store) -> None:
    play.play("""
        grace #shipped: /almanac digest
        modal: New digest
        grace presses New digest
        modal 2: If nothing was done
        grace submits whom=team:engine day=31 hour=17 zone=Europe/Berlin quiet=skip
        modal 2: Saved: #shipped, team engine, monthly. … on 30 November 2025 at 17:00 (Europe/Berlin).
    """)
    wanted = {
        "channel": "C0002", "team": "engine", "day": 31, "hour": 17, "zone": "Europe/Berlin", "quiet": "skip",
    }  # fmt: skip
    assert made(indexed) == [("C0002|engine", "monthly", wanted)]
    play.play("grace closes\nmodal: #shipped: team engine\ngrace presses Edit\nmodal 2: If nothing was done")
    chosen = {
        one["element"]["action_id"]: one["element"]["initial_option"]["value"]
        for one in play.seen["blocks"]
        if one["type"] == "input" and "initial_option" in one["element"]
    }
    assert chosen == {
        "whom": "team:engine", "cadence": "monthly", "day": "31", "weekday": "1", "hour": "17",
        "zone": "Europe/Berlin", "quiet": "skip",
    }  # fmt: skip
    play.play("grace submits whom=everyone cadence=weekly weekday=3\nmodal 2: Saved")
    assert [(key, cadence, one.get("day")) for key, cadence, one in made(indexed)] == [("C0002|", "weekly", 3)]


class TestUpdated:
    """A correction offers to update the digest that told it."""

    @pytest.fixture
    def corrected(self, play: Play, engine: GitRepo) -> Json:
        """Ada has a digest posted, then calls a change of hers something else; the modal that says so."""
        play.play(MADE.replace("grace", "ada"))
        play.play("""
            ada presses Post now
            modal 2: October 2025 is posted in #shipped now
            ada submits
            modal 2: posted (1 message)
            ada closes
            ada #general: @almanac my october 2025
            bot thread: October 2025
            ada presses Not right?
            modal: Which change?
        """)
        play.play(f'ada submits change={engine.shas()[2]} title="A store that holds"\nmodal: from now on')
        return play.seen

    def test_in_its_place(self, play: Play, corrected: Json) -> None:
        before = answers(play.workspace, "C0002")
        play.play(f"ada presses {UPDATE}\nmodal: The digest of October 2025 is updated in its place.")
        after = answers(play.workspace, "C0002")
        assert [one["ts"] for one in after] == [one["ts"] for one in before]
        assert "A store that holds" in after[0]["text"] and "A store that holds" not in before[0]["text"]

    def test_by_nobody_else(self, play: Play, corrected: Json) -> None:
        """What a modal carries was made for one reader; who may correct is looked at again."""
        play.workspace.workspace.modals.open("U0002", corrected)
        play.play(f"""
            ada closes all
            grace presses {UPDATE}
            modal: Only the person concerned and admins can correct what is shown of a change.
        """)
        updates = [one.arguments["channel"] for one in play.workspace.calls if one.method == "chat.update"]
        assert "C0002" not in updates


# What is set, and what is seen then: #leads is Ada's alone, and a guest of the workspace reads #general.
WHO: dict[str, tuple[str, PrivacySettings, str]] = {
    "nobody learns of a private channel or posts where they are not": (
        "#leads", PrivacySettings(), f"""
        grace #own: /almanac digest
        modal: New digest
        not: leads
        ada #own: /almanac digest
        modal: #leads: everyone, monthly
        grace presses New digest
        modal 2: If nothing was done
        grace submits channel=C0LEADS1
        refused channel: {NOT_IN}
        """,
    ),
    "who may ask only about themselves has no digests made": (
        "#general", PrivacySettings(about_others="nobody"), "grace #own: /almanac digest\nmodal: igest\nbuttons:",
    ),
    "a guest has none": (
        "#general", PrivacySettings(guests=True),
        "guest #general: /almanac digest\nmodal: Only members of this workspace can see and change digests.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WHO)
def test_who_may_see_and_make_them(indexed: Store, name: str) -> None:
    leads, own = (
        WorkspaceChannel(name=name, id=id, is_private=True, members=frozenset({*members, BOT_USER_ID}))
        for name, id, members in (("leads", "C0LEADS1", {"U0ADA1"}), ("own", "C0OWN1", {"U0GRACE1", "U0ADA1"}))
    )
    channel, privacy, text = WHO[name]
    with patient(Workspace(two_and_a_guest(), ["general", leads, own])) as workspace:
        wanted = [DigestSettings(channel=channel)]
        settings = settings_for(
            workspace, "socket", db=indexed.database, fixed_now=NOW, digests=wanted, privacy=privacy
        )
        with running_bot(settings):
            workspace.wait_connected()
            Play(workspace).play(text)
