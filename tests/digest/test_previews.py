"""People are shown their part of a digest before it is posted, and what they say counts when it is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import patient, running_bot, settings_for
from builders import ADA, GRACE, Copy, GitRepo, index
from hypothesis import given
from hypothesis import strategies as st
from talking import SECONDS, buttons, direct, message_now, modal, nodes, press, said
from values import ADA as ADA_LOVELACE
from values import ENGINE, INDEXED, UTC_ZONE, commit, indexed

from bot.ask.people.proven import Proven
from bot.digest import preview_messages as previews
from bot.digest.composing import Composer
from bot.digest.preview_rules import (
    NO_REPLIES,
    PreviewReplies,
    fitting,
    replies_that_count,
    to_ask,
    with_mentions,
    with_replies,
)
from bot.digest.previews import PreviewRequests
from bot.digest.sending import Sender
from bot.digest.subscription import DigestPost, DigestSubscription
from bot.digest.subscriptions import Subscriptions, checked
from bot.month.calendar import Month, Period
from bot.month.facts import FactsContext
from bot.month.machines import BOTS
from bot.settings import Settings
from bot.settings_tables import RepositorySettings, TeamSettings
from bot.slack.client import posting_client
from bot.slack.limits import faults, view_faults
from bot.slack.members import Members
from bot.slack.poster import Poster
from bot.story.digest import month_digest
from bot.story.render import Templates
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceUser
from storage import Store
from storage.digests import Preview

OCTOBER = Month.parse("2025-10")
SINCE = datetime(2025, 10, 1, tzinfo=UTC)
BEFORE = datetime(2025, 10, 29, 9, 5, tzinfo=UTC)  # three days before, and a little
POSTED = datetime(2025, 11, 1, 9, 5, tzinfo=UTC)
Json = dict[str, Any]


class Team:
    """Ada and Grace with Slack accounts, Bob without, and a digest in #shipped of which people are asked first."""

    def __init__(self, slack: ThreadedWorkspace, store: Store) -> None:
        self.slack, self.store = slack, store
        self.table: Json = {"channel": "#shipped", "preview_days": 3}
        self.more: Json = {}
        self.wanted(SINCE)  # since then it is wanted

    def settings(self, at: datetime) -> Settings:
        digests = [checked(self.table)]
        values = {"digests": digests, **self.more}
        return settings_for(self.slack, "socket", db=self.store.path, fixed_now=at, **values)

    def wanted(self, at: datetime) -> list[DigestSubscription]:
        settings = self.settings(at)
        return Subscriptions(self.store.digests, settings.digests, "UTC").all(at)

    def composer(self, at: datetime) -> Composer:
        settings = self.settings(at)
        return Composer(settings, self.store, self.members(settings), Templates())

    def members(self, settings: Settings) -> Members:
        return Members.of(settings, self.store, self.slack.workspace.team_id)

    def asking(self, at: datetime) -> PreviewRequests:
        settings = self.settings(at)
        return PreviewRequests(settings, self.store, self.members(settings), Templates(), self.slack.workspace.team_id)

    def ask(self, at: datetime = BEFORE) -> int:
        """As a tick does: write down who is asked, and send it."""
        settings = self.settings(at)
        self.members(settings).refresh()
        asked = self.asking(at).ask(self.wanted(at), at)
        poster = Poster(posting_client(settings), self.store.outbox, settings.now)
        Sender(poster, self.store.outbox, lambda _: False, apart=0.0).send_waiting(20.0)
        return asked

    def post(self, at: datetime = POSTED) -> DigestPost:
        return DigestPost.of(self.slack.workspace.team_id, self.wanted(at)[0], OCTOBER)

    @property
    def first(self) -> str:
        return self.post().key

    def digest(self, at: datetime = POSTED) -> Json:
        """The document of the digest as it is posted."""
        return self.asking(at).composed(self.post(at)).document

    def shown(self, login: str) -> Json:
        return self.slack.messages(direct(self.slack, login))[0]


@pytest.fixture
def slack() -> Iterator[ThreadedWorkspace]:
    people = [
        WorkspaceUser(name="ada", real_name="Ada Lovelace", email="ada@example.com", id="U0ADA1"),
        WorkspaceUser(name="grace", real_name="Grace H.", email="grace@example.com", id="U0GRACE1"),
        WorkspaceUser(name="bob", real_name="Bob Hope", email="", id="U0BOB1"),
    ]
    with patient(Workspace(people, ["shipped"])) as opened:
        yield opened


def _engine(folder: Path) -> None:
    made = GitRepo(folder / "acme" / "engine")
    made.commit("Add the mill (#1)", author=ADA, at="2025-10-01 10:00 +0000", files={"src/mill.py": "mill\n"})
    made.commit("Fix the store", author=ADA, at="2025-10-02 10:00 +0000", files={"src/store.py": "s\n"})
    made.commit("Add a compiler", author=GRACE, at="2025-10-02 10:00 +0000", files={"src/compiler.py": "c\n"})
    bob = ("Bob Hope", "bob@example.com")
    made.commit("Add a road", author=bob, at="2025-10-03 10:00 +0000", files={"road.py": "r\n"})
    index(Store(folder / "almanac.db"), made)


@pytest.fixture
def repo(copy: Copy, tmp_path: Path) -> GitRepo:
    copy(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.fixture
def team(slack: ThreadedWorkspace, repo: GitRepo, tmp_path: Path) -> Team:
    return Team(slack, Store(tmp_path / "almanac.db"))


class TestAsked:
    def test_each_person_of_the_digest_gets_their_part_once(self, team: Team) -> None:
        assert team.ask() == 2
        assert [team.ask(), team.ask(BEFORE.replace(day=30))] == [0, 0]
        (message,) = team.slack.messages(direct(team.slack, "ada"))
        head, _, part = message["text"].partition("\n\n")
        assert all(words in head for words in ("October 2025", "#shipped", "1 November 2025 at 09:00 (UTC)"))
        assert part.startswith("*Ada Lovelace*") and "mill" in part and "compiler" not in part
        assert list(buttons(message)) == [
            "Looks right", "Not right?", "Add a note", "Skip me this time", "Never ask me again",
        ]  # fmt: skip
        assert team.slack.messages(direct(team.slack, "bob")) == []  # a name in Slack does not say who he is in git

    def test_nobody_is_asked_too_early_or_when_it_is_due(self, team: Team) -> None:
        assert team.ask(BEFORE.replace(day=28)) == 0
        assert team.ask(POSTED) == 0

    def test_nobody_is_asked_of_what_is_posted_already(self, team: Team) -> None:
        composed = team.composer(BEFORE).compose(team.post(BEFORE))
        from bot.digest.delivery import planned_posts

        team.store.outbox.plan(planned_posts(team.post(BEFORE), composed.channel, composed.messages), BEFORE)
        assert team.ask() == 0

    def test_who_does_not_want_to_be_asked_is_not(self, team: Team) -> None:
        team.store.preview_optouts.add("U0ADA1", BEFORE)
        assert team.ask() == 1
        assert team.slack.messages(direct(team.slack, "ada")) == []

    def test_who_may_not_read_what_the_channel_reads_is_not_asked(self, team: Team, repo: GitRepo) -> None:
        """Grace is not in the one channel that may read of the repository."""
        shipped = team.slack.workspace.channel("shipped")
        assert shipped is not None
        among = replace(shipped, is_private=True, members=frozenset({"U0ADA1", BOT_USER_ID}))
        team.slack.workspace.channels[shipped.id] = among
        team.more = {"repositories": [RepositorySettings(address=str(repo.path), audience=["#shipped"])]}
        assert team.ask() == 1
        assert "mill" in team.shown("ada")["text"]

    def test_one_who_died_while_asking_asks_the_others_only(self, team: Team) -> None:
        team.store.previews.ask(team.first, "U0ADA1", [], BEFORE)
        assert team.ask() == 1

    def test_several_who_ask_at_once_ask_each_once(self, team: Team) -> None:
        one, other = team.asking(BEFORE), team.asking(BEFORE)
        team.members(team.settings(BEFORE)).refresh()
        assert one.ask(team.wanted(BEFORE), BEFORE) + other.ask(team.wanted(BEFORE), BEFORE) == 2
        assert len(team.store.outbox.keys("preview|")) == 2

    def test_a_long_part_is_shown_in_full_within_what_slack_takes(self, team: Team, repo: GitRepo) -> None:
        for number in range(120):
            subject = f"Fix a crash of gear {number} in <!channel> & {'& ' * 60}back (#{number + 9})"
            repo.commit(subject, author=ADA, at="2025-10-05 10:00 +0000", files={f"gears/{number}.py": "g\n"})
        index(team.store, repo.path)
        team.ask()
        team.store.previews.note(team.first, "U0ADA1", "& <@U0GRACE1> " * 20, BEFORE)
        messages = team.asking(BEFORE).part(team.first, "U0ADA1")
        assert len(messages) > 1 and all(faults(one.payload()) == [] for one in messages)
        root, *others = team.slack.messages(direct(team.slack, "ada"))
        assert {one["thread_ts"] for one in others} == {root["ts"]}
        assert "Skip me this time" in buttons(root)


class TestCounted:
    def test_who_skips_is_not_told_of_but_counted(self, team: Team) -> None:
        team.ask()
        team.store.previews.answer(team.first, "U0ADA1", "skip", BEFORE)
        document = team.digest()
        assert [one.person.name for one in document.people] == ["Bob Hope", "Grace Hopper"]
        assert "2 commits by 1 person are left out, as they wanted." in document.notes
        assert "Ada" not in str(replace(document, notes=())) and document.counts["commits"] == 2

    def test_who_says_nothing_is_told_of_unless_the_team_wants_it_otherwise(self, team: Team) -> None:
        team.ask()
        assert len(team.digest().people) == 3
        team.table["unanswered"] = "leave out"
        team.store.previews.answer(team.first, "U0ADA1", "right", BEFORE)
        document = team.digest()
        # Bob was never asked, for nobody knows who he is in Slack.
        assert [one.person.name for one in document.people] == ["Ada Lovelace", "Bob Hope"]
        assert "1 commit by 1 person is left out: they wanted it so, or did not answer." in document.notes

    def test_whom_the_question_never_reached_is_told_of(self, team: Team) -> None:
        team.table["unanswered"] = "leave out"
        team.store.previews.ask(team.first, "U0ADA1", [], BEFORE)
        assert len(team.digest().people) == 3

    def test_own_words_stand_with_their_part_and_are_marked(self, team: Team) -> None:
        team.ask()
        team.store.previews.note(team.first, "U0ADA1", "I broke <!channel> and mended it", BEFORE)
        composed = team.asking(POSTED).composed(team.post())
        words = "In their own words: “I broke <!channel> and mended it”"
        leaves = [
            one for message in composed.messages for one in nodes(list(message.blocks)) if one.get("text") == words
        ]
        assert [(one["type"], one["style"]) for one in leaves] == [("text", {"italic": True})]
        assert all(faults(message.payload()) == [] for message in composed.messages)

    def test_who_wants_it_is_mentioned_once_and_others_are_named(self, team: Team) -> None:
        team.store.mention_optins.add("U0ADA1", BEFORE)
        team.members(team.settings(POSTED)).refresh()
        composed = team.asking(POSTED).composed(team.post())
        users = [
            one for message in composed.messages for one in nodes(list(message.blocks)) if one.get("type") == "user"
        ]
        assert users == [{"type": "user", "user_id": "U0ADA1"}]

    def test_what_machines_did_is_counted_whether_or_not_somebody_is_left_out(self, team: Team, repo: GitRepo) -> None:
        for number, login in enumerate(("dependabot[bot]", "dependabot[bot]", "renovate[bot]")):
            machine = (login, f"{login}@users.noreply.github.com")
            repo.commit(f"Bump it to {number}", author=machine, at="2025-10-04 10:00 +0000", files={"v": str(number)})
        index(team.store, repo.path)
        team.ask()
        by_machines = "Bots: 3 commits by 2 accounts."
        assert (team.digest().machines, team.digest().notes) == (by_machines, ())
        team.store.previews.answer(team.first, "U0GRACE1", "skip", BEFORE)
        assert team.digest().machines == by_machines
        assert list(team.digest().notes) == ["1 commit by 1 person is left out, as they wanted."]

    def test_what_somebody_who_skips_wrote_with_others_is_not_told_as_theirs(self, team: Team, repo: GitRepo) -> None:
        message = "Draw wrecks\n\nCo-authored-by: Grace Hopper <grace@example.com>"
        repo.commit(message, author=("Ada Lovelace", "ada@example.com"), at="2025-10-05 10:00 +0000", files={"w": "1"})
        index(team.store, repo.path)
        team.ask()
        team.store.previews.answer(team.first, "U0ADA1", "skip", BEFORE)
        document = team.digest()
        assert "Draw wrecks" not in str(document) and "3 commits by 1 person are left out" in str(document.notes)

    def test_a_team_s_digest_leaves_out_who_skips_too(self, team: Team) -> None:
        team.table["team"] = "engine"
        team.more = {"teams": [TeamSettings(name="engine", people=["Ada Lovelace", "Grace Hopper"])]}
        team.wanted(SINCE)
        assert team.ask() == 2
        team.store.previews.answer(team.first, "U0ADA1", "skip", BEFORE)
        document = team.digest()
        assert (document.digest, [one.person.name for one in document.people]) == (
            "engine",
            ["Grace Hopper"],
        )


@pytest.fixture
def served(team: Team) -> Iterator[Team]:
    """They were asked, and the bot is there to hear what they say."""
    team.ask()
    with running_bot(team.settings(BEFORE)):
        team.slack.wait_connected()
        yield team


def until(team: Team, login: str, contains: str) -> Json:
    return message_now(team.slack, team.shown(login), lambda message: contains in said(message), login)


class TestSaid:
    """What is pressed below a part."""

    def test_skip_and_that_it_looks_right(self, served: Team) -> None:
        press(served.slack, "ada", served.shown("ada"), "Skip me this time")
        until(served, "ada", previews.SAID["skip"])
        assert served.store.previews.one(served.first, "U0ADA1") == Preview(served.first, "U0ADA1", "skip")
        press(served.slack, "ada", served.shown("ada"), "Looks right")
        message = until(served, "ada", previews.SAID["right"])
        assert previews.SAID["skip"] not in said(message)
        assert served.store.previews.one(served.first, "U0ADA1") == Preview(served.first, "U0ADA1", "right")

    @pytest.mark.parametrize(
        ("wrong", "asks", "values", "done", "shown"),
        [
            ("title", "What should it be called?", {"value": "The mill that grinds"}, "is called", "that grinds"),
            ("hidden", "It will be left out", {}, "is left out from now on.", "\n1 change in acme/engine."),
        ],
    )
    def test_a_change_is_corrected_and_the_part_shown_anew(
        self, served: Team, wrong: str, asks: str, values: Json, done: str, shown: str
    ) -> None:
        press(served.slack, "ada", served.shown("ada"), "Not right?")
        view = modal(served.slack, "ada", "Which change?")
        mill = next(one["value"] for one in nodes(view) if "mill" in str(one.get("text") or {}) and one.get("value"))
        served.slack.submit("ada", {"change": mill, "wrong": wrong})
        modal(served.slack, "ada", asks)
        served.slack.submit("ada", values)
        modal(served.slack, "ada", done)
        message = until(served, "ada", shown)
        assert done in said(message)
        assert "Add the mill" not in said(message).partition("\nAda Lovelace\n")[2]
        assert [(one.field, one.by) for one in served.store.corrections.live()] == [(wrong, "Ada Lovelace")]

    def test_own_words_are_kept_shown_and_taken_back(self, served: Team) -> None:
        for words, shown in (("Ask <@U0GRACE1>\nabout it", True), ("", False)):
            press(served.slack, "ada", served.shown("ada"), "Add a note")
            modal(served.slack, "ada", "Your note")
            served.slack.submit("ada", {"value": words})
            modal(served.slack, "ada", "are shown with your part" if shown else "No words of yours are shown.")
            served.slack.close_modal("ada")
            served.slack.wait_until(
                lambda shown=shown: ("In their own words" in said(served.shown("ada"))) == shown or None,
                timeout=SECONDS,
            )
        assert served.store.previews.one(served.first, "U0ADA1") == Preview(served.first, "U0ADA1", "asked")

    def test_never_again(self, served: Team) -> None:
        press(served.slack, "ada", served.shown("ada"), "Never ask me again")
        until(served, "ada", previews.NEVER_AGAIN)
        assert served.store.preview_optouts.users() == {"U0ADA1"}

    def test_a_press_that_is_delivered_again_changes_nothing(self, served: Team) -> None:
        press(served.slack, "ada", served.shown("ada"), "Skip me this time")
        until(served, "ada", previews.SAID["skip"])
        press(served.slack, "ada", served.shown("ada"), "Looks right")
        until(served, "ada", previews.SAID["right"])
        delivered = served.slack.wait_until(
            lambda: next((one.payload for one in served.slack.deliveries if one.payload.get("actions")), None)
        )
        action = delivered["actions"][0]["action_ts"]
        served.slack.redeliver_press(action)
        assert served.store.previews.of(served.first) == [
            Preview(served.first, "U0ADA1", "right"),
            Preview(served.first, "U0GRACE1", "asked"),
        ]

    def test_once_it_is_posted_nothing_can_be_said(self, served: Team) -> None:
        composed = served.composer(POSTED).compose(served.post())
        from bot.digest.delivery import planned_posts

        served.store.outbox.plan(planned_posts(served.post(), composed.channel, composed.messages), POSTED)
        press(served.slack, "ada", served.shown("ada"), "Skip me this time")
        until(served, "ada", previews.TOO_LATE)
        assert served.store.previews.one(served.first, "U0ADA1") == Preview(served.first, "U0ADA1", "asked")


class TestDeciding:
    """Pure: who is asked when, and what counts."""

    @pytest.mark.parametrize(
        ("cadence", "days", "day", "at", "period"),
        [
            ("monthly", 3, 1, "2025-10-29T09:00", "2025-10"),
            ("monthly", 3, 1, "2025-10-29T08:59", None),
            ("monthly", 3, 1, "2025-11-01T09:00", None),
            ("monthly", 14, 31, "2025-11-16T09:00", "2025-10"),
            ("weekly", 14, 1, "2025-10-20T00:00", "2025-W42"),
            ("weekly", 14, 1, "2025-10-20T09:01", "2025-W43"),  # not before the week has begun
            ("weekly", 14, 3, "2025-10-19T09:00", "2025-W42"),
            ("quarterly", 1, 1, "2025-09-30T09:00", "2025-Q3"),
            ("monthly", 0, 1, "2025-10-31T09:00", None),
        ],
    )
    def test_when(self, store: Store, cadence: str, days: int, day: int, at: str, period: str | None) -> None:
        table = {"channel": "#shipped", "cadence": cadence, "preview_days": days, "day": day}
        every = Subscriptions(store.digests, [checked(table)], "UTC")
        wanted = every.all(datetime(2025, 1, 1, tzinfo=UTC))
        found: list[tuple[DigestSubscription, Period]] = list(to_ask(datetime.fromisoformat(f"{at}+00:00"), wanted))
        assert [str(one) for _, one in found] == ([period] if period else [])

    def test_what_counts(self) -> None:
        answers = [
            Preview("d", "U1", "skip"),
            Preview("d", "U2", "asked"),
            Preview("d", "U3", "asked", "words"),
            Preview("d", "U4", "right"),
        ]
        people = {user: Proven({f"{user}@example.com": "profile"}) for user in ("U1", "U2", "U3", "U4")}
        every = set(people)
        assert replies_that_count(answers, every, "post", people, {}) == PreviewReplies(
            (people["U1"],), ((people["U3"], "words"),)
        )
        left = replies_that_count(answers, every, "leave out", people, {"U4": people["U4"], "U1": people["U1"]})
        assert left == PreviewReplies(
            (people["U1"], people["U2"]), ((people["U3"], "words"),), ((people["U4"], "U4"),), is_asked_for=False
        )
        assert replies_that_count(answers[1:2], set(), "leave out", people, {}) == NO_REPLIES

    @given(st.text())
    def test_own_words_are_one_line_and_short(self, text: str) -> None:
        words = fitting(text)
        assert len(words) <= 300 and "\n" not in words and fitting(words) == words

    @given(st.text(max_size=300))
    def test_the_modal_of_a_note_fits(self, text: str) -> None:
        where = previews.PreviewOrigin("digest|T|C|w|2025-10", "D1", "1.0")
        view = previews.noting(where, text)
        assert view_faults(view) == []
        assert previews.PreviewOrigin.of(view) == where

    def test_nothing_said_changes_nothing(self) -> None:
        of_ada = [commit("Add a plan")]
        repositories = [indexed(ENGINE)]
        document = month_digest(
            "x", Month(2025, 10), [ADA_LOVELACE], of_ada, FactsContext(UTC_ZONE, repositories, INDEXED), BOTS
        ).document
        assert with_replies(document, NO_REPLIES, 0) == document
        assert with_mentions([], document, NO_REPLIES) == []
