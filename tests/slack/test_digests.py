"""The modals of /almanac digest: what they show to whom, what is made in them, and what is pressed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from bot_in_workspace import patient, running_bot, settings_for
from builders import NOW, GitRepo, both_engines
from hypothesis import given
from hypothesis import strategies as st
from talking import SECONDS, answers, ask, buttons, modal, press, press_in_modal, said, whispers

from bot.digest.subscriptions import DigestSubscription, Subscriptions
from bot.settings import Settings
from bot.settings_tables import DigestSettings, PrivacySettings, TeamSettings
from bot.slack.elements import DIGESTS
from bot.slack_app import digests
from bot.slack_app.digests import NOT_IN, DigestRow, OpenedFrom
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceChannel, WorkspaceUser
from bot.workspace.block_kit import view_faults
from storage import Store

Json = dict[str, Any]
TEXT = st.text(max_size=200)


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


def channel_id(workspace: ThreadedWorkspace, name: str) -> str:
    channel = workspace.workspace.channel(name)
    assert channel is not None
    return channel.id


def opened(workspace: ThreadedWorkspace, login: str, text: str = "/almanac digest", channel: str = "shipped") -> Json:
    """The list of digests as somebody opens it."""
    workspace.close_modal(login, every=True)
    workspace.say(login, channel, text)

    def shown() -> Json | None:
        views = workspace.modals(login)
        return views[-1] if views and views[-1].get("callback_id") == DIGESTS else None

    return workspace.wait_until(shown, timeout=SECONDS)


def form(workspace: ThreadedWorkspace, login: str, label: str = "New digest", depth: int = 2) -> Json:
    press_in_modal(workspace, login, label)
    return modal(workspace, login, "If nothing was done", depth)


def saved(workspace: ThreadedWorkspace, login: str, contains: str = "Saved", depth: int = 2, **values: Any) -> str:
    workspace.submit(login, values)
    return said(modal(workspace, login, contains, depth))


def wanted(indexed: Store) -> list[tuple[str, str, Json]]:
    """The digests that were made in Slack."""
    every = Subscriptions(indexed.digests, [], "UTC").known(NOW)
    return [(*one.id, one.as_wanted()) for one in every]


def refused(workspace: ThreadedWorkspace, login: str, wanted: Json) -> None:
    """Return once the form says by its fields what is wrong, and nothing else."""
    user = workspace.workspace.user(login)
    assert user is not None
    workspace.wait_until(lambda: workspace.workspace.modals.errors.get(user.id) == wanted or None, timeout=SECONDS)


@pytest.mark.usefixtures("bot")
class TestInSlack:
    """Whoever is in a channel can have a digest there."""

    @both_engines
    def test_a_digest_is_made_where_it_was_asked_for(self, workspace: ThreadedWorkspace, indexed: Store) -> None:
        view = opened(workspace, "grace")
        assert "#general: everyone, weekly" in said(view) and "Set in almanac.toml" in said(view)
        assert list(buttons(view)) == ["Preview", "New digest"]
        form(workspace, "grace")
        text = saved(workspace, "grace", whom="team:engine", day="31", hour="17", zone="Europe/Berlin", quiet="skip")
        assert "Saved: #shipped, team engine, monthly." in text
        assert "It tells October 2025 on 30 November 2025 at 17:00 (Europe/Berlin)." in text
        shipped = channel_id(workspace, "shipped")
        assert wanted(indexed) == [
            (
                f"{shipped}|engine",
                "monthly",
                {
                    "channel": shipped, "team": "engine", "day": 31, "hour": 17, "zone": "Europe/Berlin",
                    "quiet": "skip",
                },
            )
        ]  # fmt: skip
        workspace.close_modal("grace")
        below = modal(workspace, "grace", "#shipped: team engine, monthly")
        assert list(buttons(below)) == [
            "Edit", "Preview", "Pause", "Post now", "Delete", "New digest",
        ]  # fmt: skip

    def test_what_cannot_be_is_said_by_its_field(self, workspace: ThreadedWorkspace, indexed: Store) -> None:
        opened(workspace, "grace")
        form(workspace, "grace")
        general = channel_id(workspace, "general")
        workspace.submit("grace", {"channel": general, "cadence": "weekly"})
        there = {"channel": "Almanac.toml has this digest already: change it there."}
        refused(workspace, "grace", there)
        assert wanted(indexed) == []

    def test_an_edit_begins_with_what_it_is_and_moves_it(self, workspace: ThreadedWorkspace, indexed: Store) -> None:
        opened(workspace, "grace")
        form(workspace, "grace")
        saved(workspace, "grace", cadence="weekly", weekday="3")
        workspace.close_modal("grace", every=True)
        opened(workspace, "grace")
        view = form(workspace, "grace", "Edit")
        chosen = {
            one["element"]["action_id"]: one["element"]["initial_option"]["value"]
            for one in view["blocks"]
            if one["type"] == "input" and "initial_option" in one["element"]
        }
        assert chosen == {
            "whom": "everyone", "cadence": "weekly", "day": "1", "weekday": "3", "hour": "9", "zone": "UTC",
            "quiet": "say",
        }  # fmt: skip
        saved(workspace, "grace", cadence="monthly", day="2")
        assert [(key.partition("|")[2], cadence, one.get("day")) for key, cadence, one in wanted(indexed)] == [
            ("", "monthly", 2)
        ]

    def test_pause_resume_and_delete(self, workspace: ThreadedWorkspace, indexed: Store) -> None:
        made(workspace, "grace")
        press_in_modal(workspace, "grace", "Pause")
        modal(workspace, "grace", "Paused: by Grace")
        press_in_modal(workspace, "grace", "Resume")
        modal(workspace, "grace", "It is posted again, from the next time on.")
        press_in_modal(workspace, "grace", "Delete")
        modal(workspace, "grace", "Deleted: #shipped gets this digest no more.")
        assert wanted(indexed) == []

    @both_engines
    def test_what_is_posted_now_is_posted_once(self, workspace: ThreadedWorkspace) -> None:
        made(workspace, "grace")
        press_in_modal(workspace, "grace", "Preview")
        preview = modal(workspace, "grace", "October 2025, as #shipped would read it. Nothing is posted.", 2)
        assert "2 people, 3 changes" in said(preview)
        assert answers(workspace, channel_id(workspace, "shipped")) == []
        workspace.close_modal("grace")
        press_in_modal(workspace, "grace", "Post now")
        asked = modal(workspace, "grace", "October 2025 is posted in #shipped now, for all who read there.", 2)
        assert "2 people, 3 changes" in said(asked)
        assert answers(workspace, channel_id(workspace, "shipped")) == []
        workspace.submit("grace")
        modal(workspace, "grace", "#shipped: October 2025 posted (1 message).", 2)
        workspace.close_modal("grace")
        modal(workspace, "grace", "#shipped: October 2025 posted (1 message).")
        press_in_modal(workspace, "grace", "Post now")
        assert "submit" not in modal(workspace, "grace", "October 2025 was posted already in #shipped.", 2)
        (root,) = answers(workspace, channel_id(workspace, "shipped"))
        workspace.close_modal("grace", every=True)
        assert list(buttons(root)) == ["Somebody’s month", "All 3 changes"]
        press(workspace, "grace", root, "All 3 changes")
        listed = modal(workspace, "grace", "everyone, October 2025: 3 changes")
        assert "Explain" in buttons(listed)
        workspace.close_modal("grace", every=True)
        press(workspace, "grace", root, "Somebody’s month")
        modal(workspace, "grace", "In which month?")

    def test_who_did_not_make_it_cannot_change_it_but_an_admin_can(self, workspace: ThreadedWorkspace) -> None:
        opened(workspace, "grace")
        form(workspace, "grace")
        saved(workspace, "grace")
        assert list(buttons(opened(workspace, "guest"))) == ["Preview", "New digest"]
        assert {"Edit", "Pause", "Delete", "Post now"} <= set(buttons(opened(workspace, "ada")))

    def test_a_schedule_asked_for_in_words_leads_to_the_modal(self, workspace: ThreadedWorkspace) -> None:
        answer = ask(workspace, "grace", "@almanac pause the digest")
        assert list(buttons(answer)) == ["Digests"] and "engine" not in answer["text"]
        press(workspace, "grace", answer, "Digests")
        modal(workspace, "grace", "#general: everyone, weekly")
        workspace.close_modal("grace")
        opened(workspace, "grace", "/almanac post it every monday")
        assert whispers(workspace, channel_id(workspace, "shipped"), "grace") == []

    def test_home_leads_to_the_same(self, workspace: ThreadedWorkspace, indexed: Store) -> None:
        workspace.open_home("grace")
        view = workspace.wait_until(
            lambda: (v := workspace.home_views.get("U0002")) and "Digests" in buttons(v) and v, timeout=SECONDS
        )
        one = buttons(view)["Digests"]
        workspace.press_home("grace", one["action_id"], one["value"])
        modal(workspace, "grace", "New digest")
        form(workspace, "grace")
        saved(workspace, "grace", channel=channel_id(workspace, "shipped"))
        workspace.wait_until(lambda: "Saved: #shipped" in said(workspace.home_views["U0002"]) or None, timeout=SECONDS)
        assert len(wanted(indexed)) == 1
        workspace.close_modal("grace")
        modal(workspace, "grace", "#shipped: everyone, monthly")
        press_in_modal(workspace, "grace", "Pause")
        modal(workspace, "grace", "Paused: by Grace")
        workspace.wait_until(lambda: "Paused: by" in said(workspace.home_views["U0002"]) or None, timeout=SECONDS)

    def test_a_correction_offers_to_update_the_digest_that_told_it(
        self, workspace: ThreadedWorkspace, engine: GitRepo
    ) -> None:
        done = corrected_after_posting(workspace, engine)
        assert list(buttons(done))[-1:] == ["Update the digest of October 2025 in #shipped"]
        before = answers(workspace, channel_id(workspace, "shipped"))
        press_in_modal(workspace, "ada", "Update the digest of October 2025 in #shipped")
        modal(workspace, "ada", "The digest of October 2025 is updated in its place.")
        after = answers(workspace, channel_id(workspace, "shipped"))
        assert [one["ts"] for one in after] == [one["ts"] for one in before]
        assert "A store that holds" in after[0]["text"] and "A store that holds" not in before[0]["text"]

    def test_nobody_else_can_have_a_digest_updated(self, workspace: ThreadedWorkspace, engine: GitRepo) -> None:
        """What a modal carries was made for one reader; who may correct is looked at again."""
        done = corrected_after_posting(workspace, engine)
        workspace.workspace.modals.open("U0002", done)
        workspace.close_modal("ada", every=True)
        press_in_modal(workspace, "grace", "Update the digest of October 2025 in #shipped")
        modal(workspace, "grace", "Only the person concerned and admins can correct what is shown of a change.")
        shipped = channel_id(workspace, "shipped")
        changed = [one.arguments["channel"] for one in workspace.calls if one.method == "chat.update"]
        assert shipped not in changed


def made(workspace: ThreadedWorkspace, login: str) -> Json:
    """The list of digests after somebody has made one in #shipped."""
    opened(workspace, login)
    form(workspace, login)
    saved(workspace, login)
    workspace.close_modal(login)
    return modal(workspace, login, "#shipped: everyone, monthly")


def corrected_after_posting(workspace: ThreadedWorkspace, engine: GitRepo) -> Json:
    """Ada has a digest posted, then calls a change of hers something else; the modal that says so."""
    made(workspace, "ada")
    press_in_modal(workspace, "ada", "Post now")
    modal(workspace, "ada", "October 2025 is posted in #shipped now", 2)
    workspace.submit("ada")
    modal(workspace, "ada", "posted (1 message)", 2)
    workspace.close_modal("ada")
    october = ask(workspace, "ada", "@almanac my october 2025")
    press(workspace, "ada", october, "Not right?")
    modal(workspace, "ada", "Which change?")
    workspace.submit("ada", {"change": engine.shas()[2], "wrong": "title"})
    modal(workspace, "ada", "What should it be called?")
    workspace.submit("ada", {"value": "A store that holds"})
    return modal(workspace, "ada", "from now on")


@pytest.fixture
def closed(indexed: Store) -> Iterator[ThreadedWorkspace]:
    """#leads is Ada's alone; Grace may ask only about herself, and a guest of the workspace nothing."""
    people = [
        WorkspaceUser(name="ada", real_name="Ada Lovelace", email="ada@example.com", id="U0ADA1"),
        WorkspaceUser(name="grace", real_name="Grace H.", email="grace@example.com", id="U0GRACE1"),
        WorkspaceUser(name="guest", real_name="A G.", email="g@example.com", id="U0GUEST1", is_restricted=True),
    ]
    leads = WorkspaceChannel(name="leads", is_private=True, members=frozenset({"U0ADA1", BOT_USER_ID}))
    own = WorkspaceChannel(name="own", is_private=True, members=frozenset({"U0GRACE1", "U0ADA1", BOT_USER_ID}))
    with patient(Workspace(people, ["general", leads, own])) as workspace:
        yield workspace


def served(workspace: ThreadedWorkspace, indexed: Store, **values: Any) -> Settings:
    return settings_for(workspace, "socket", db=indexed.database, fixed_now=NOW, **values)


class TestWho:
    def test_nobody_learns_of_a_private_channel_or_posts_where_they_are_not(
        self, closed: ThreadedWorkspace, indexed: Store
    ) -> None:
        with running_bot(served(closed, indexed, digests=[DigestSettings(channel="#leads")])):
            closed.wait_connected()
            view = opened(closed, "grace", channel="own")
            assert "leads" not in said(view)
            assert "#leads: everyone, monthly" in said(opened(closed, "ada", channel="own"))
            opened(closed, "grace", channel="own")
            form(closed, "grace")
            closed.submit("grace", {"channel": channel_id(closed, "leads")})
            refused(closed, "grace", {"channel": NOT_IN})

    def test_who_may_ask_only_about_themselves_has_no_digests_made(
        self, closed: ThreadedWorkspace, indexed: Store
    ) -> None:
        wanted = served(
            closed,
            indexed,
            digests=[DigestSettings(channel="#general")],
            privacy=PrivacySettings(about_others="nobody"),
        )
        with running_bot(wanted):
            closed.wait_connected()
            assert list(buttons(opened(closed, "grace", channel="own"))) == []

    def test_a_guest_has_none(self, closed: ThreadedWorkspace, indexed: Store) -> None:
        with running_bot(served(closed, indexed, privacy=PrivacySettings(guests=True))):
            closed.wait_connected()
            closed.say("guest", "general", "/almanac digest")
            modal(closed, "guest", "Only members of this workspace can see and change digests.")


SUBSCRIPTION = st.builds(
    DigestSubscription,
    channel=TEXT,
    team=st.none() | TEXT,
    repositories=st.lists(TEXT, max_size=3),
    cadence=st.sampled_from(["weekly", "monthly", "quarterly"]),
    origin=st.sampled_from(["toml", "slack"]),
    paused_at=st.none() | st.just(NOW),
    paused_why=st.text(max_size=4_000),
)
ROW = st.builds(DigestRow, SUBSCRIPTION, TEXT, st.datetimes(timezones=st.just(UTC)), st.booleans(), st.booleans())


class TestLimits:
    """Whatever there is fits into what Slack takes."""

    @given(st.lists(ROW, max_size=40), st.booleans(), TEXT)
    def test_the_list(self, rows: list[DigestRow], can_make: bool, text: str) -> None:
        view = digests.list_view(rows, OpenedFrom("C1"), text, can_make=can_make)
        assert view_faults(view) == []

    @given(
        st.lists(TEXT, max_size=250, unique=True),
        st.lists(TEXT, max_size=150, unique=True),
        st.lists(TEXT, max_size=300, unique=True),
        st.sampled_from([{}, {"team": "engine", "day": 31}, {"group": "leads", "cadence": "weekly", "day": 7}]),
    )
    def test_the_form(self, teams: list[str], groups: list[str], repositories: list[str], table: Json) -> None:
        kept = OpenedFrom("C1", "D1", ("k", "monthly"))
        faults = view_faults(digests.form_view(table, kept, ["Europe/Berlin"], teams, groups, repositories))
        assert [one for one in faults if "unique" not in one.message] == []


def test_the_zones_of_the_digest_its_maker_and_almanac_toml_can_be_chosen() -> None:
    view = digests.form_view({"zone": "Asia/Tokyo"}, OpenedFrom(), ["Europe/Berlin", "America/New_York"])
    menu = next(one["element"] for one in view["blocks"] if one["block_id"] == "zone")
    values = [one["value"] for one in menu["options"]]
    assert values == ["Asia/Tokyo", "Europe/Berlin", "America/New_York", "UTC"]
    assert menu["initial_option"]["value"] == "Asia/Tokyo"
