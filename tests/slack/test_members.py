"""Who is in the workspace, who of them is who in git, who reads a channel; and what follows when Slack is silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.model import Identity, Person
from bot.settings import PrivacySettings, Settings
from bot.slack import directory
from bot.slack.audience import HOME, Place, Reader
from bot.slack.directory import Members, standing_of
from storage import Store
from storage.erasure import PersonToErase
from storage.people import SlackUser

NOW = datetime(2025, 11, 5, 9, tzinfo=UTC)
ADA = Person("Ada Lovelace", (Identity("Ada Lovelace", "ada@example.com", 9),))
GRACE = Person("Grace Hopper", (Identity("Grace Hopper", "grace@example.com", 5),), slack="U0GRACE1")
DAVE = Person("Dave Kim", (Identity("Dave Kim", "dave@example.com", 2),))
NAMESAKE = Person("Dave Kim", (Identity("Dave Kim", "kim@example.org", 1),))
PEOPLE = [ADA, DAVE, GRACE]


def refusal(code: str, status: int = 200, **headers: str) -> SlackApiError:
    response = SlackResponse(
        client=None, http_verb="GET", api_url="", req_args={}, data={"ok": False, "error": code}, headers=headers,
        status_code=status,
    )  # fmt: skip
    return SlackApiError(code, response)  # type: ignore[no-untyped-call]  # the SDK has no types for it


def user(number: str, name: str = "", address: str = "", **more: Any) -> dict[str, Any]:
    profile = {"real_name": name, **({"email": address} if address else {})}
    return {"id": number, "team_id": "T1", "tz": "Europe/Berlin", "profile": profile, **more}


class FakeSlack:
    """A workspace that remembers what it was asked, and refuses what it is told to."""

    def __init__(self) -> None:
        self.users = {
            one["id"]: one
            for one in (
                user("U0ADA1", "Ada L.", "Ada@Example.com"),
                user("U0GRACE1", "Somebody", "other@example.com"),
                user("U0DAVE1", "dave  KIM"),
                user("U0GUEST1", "A Guest", "guest@example.com", is_restricted=True),
                user("U0PART1", "Ada Lovelace", "ada@example.com", team_id="T2", is_stranger=True),
            )
        }
        self.channels: dict[str, dict[str, Any]] = {
            "C0GEN1": {"name": "general", "members": ["U0ADA1", "U0DAVE1"]},
            "C0LEADS1": {"name": "leads", "is_private": True, "members": ["U0ADA1"]},
            "C0MIX1": {"name": "mixed", "members": ["U0ADA1", "U0GUEST1"]},
            "C0PART1": {"name": "partner", "is_ext_shared": True, "members": ["U0ADA1", "U0PART1"]},
            "G0GRP1": {"name": "mpdm-ada--dave", "is_mpim": True, "is_private": True, "members": ["U0ADA1", "U0DAVE1"]},
            "D0ADA1": {"is_im": True, "user": "U0ADA1", "members": ["U0ADA1"]},
        }
        self.groups = [{"id": "S0CHIEF1", "handle": "Chiefs", "users": ["U0ADA1"]}]
        self.refuses: dict[str, SlackApiError] = {}
        self.calls: list[str] = []

    def _asked(self, method: str, about: str = "") -> None:
        self.calls.append(f"{method} {about}".strip())
        if method in self.refuses:
            raise self.refuses[method]

    def users_info(self, *, user: str) -> dict[str, Any]:
        self._asked("users.info", user)
        if user not in self.users:
            raise refusal("user_not_found")
        return {"ok": True, "user": self.users[user]}

    def users_list(self, *, limit: int, cursor: str | None) -> dict[str, Any]:
        self._asked("users.list", cursor or "")
        assert limit == 200
        every, at = sorted(self.users.values(), key=lambda one: str(one["id"])), int(cursor or 0)
        more = str(at + limit) if at + limit < len(every) else ""
        return {"ok": True, "members": every[at : at + limit], "response_metadata": {"next_cursor": more}}

    def conversations_info(self, *, channel: str) -> dict[str, Any]:
        self._asked("conversations.info", channel)
        if channel not in self.channels:
            raise refusal("channel_not_found")
        return {"ok": True, "channel": {"id": channel, **self.channels[channel]}}

    def conversations_members(self, *, channel: str, limit: int, cursor: str | None) -> dict[str, Any]:
        self._asked("conversations.members", channel)
        every, at = self.channels[channel]["members"], int(cursor or 0)
        more = str(at + limit) if at + limit < len(every) else ""
        return {"ok": True, "members": every[at : at + limit], "response_metadata": {"next_cursor": more}}

    def conversations_list(self, *, types: str, limit: int, cursor: str | None) -> dict[str, Any]:
        self._asked("conversations.list")
        named = [{"id": number, **one} for number, one in self.channels.items() if "is_im" not in one]
        return {"ok": True, "channels": [one for one in named if "private" in types or not one.get("is_private")]}

    def usergroups_list(self, *, include_users: bool) -> dict[str, Any]:
        self._asked("usergroups.list")
        return {"ok": True, "usergroups": self.groups}


@pytest.fixture
def slack() -> FakeSlack:
    return FakeSlack()


class Passing:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> Passing:
    clock = Passing()
    monkeypatch.setattr(directory, "monotonic", clock)
    return clock


def settings(now: datetime = NOW, **values: Any) -> Settings:
    return Settings(fixed_now=now, **values)


def members(slack: FakeSlack, store: Store, now: datetime = NOW, **values: Any) -> Members:
    return Members(slack, settings(now, **values), store, "T1")  # type: ignore[arg-type]


# who is in the workspace


def reader_of(asked: Members, user: str, people: Sequence[Person] = ()) -> Reader:
    """A user as one who asks, told as one of the people."""
    member = asked.member(user)
    return replace(asked.reader(member, asked.rules()), person=asked.person_of(member, people))


def person(asked: Members, user: str, people: Sequence[Person]) -> Person | None:
    return asked.person_of(asked.member(user), people)


def test_a_list_that_breaks_off_counts_for_nothing(
    slack: FakeSlack, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    slack.refuses["users.list"] = refusal("missing_scope")
    members(slack, store).refresh()
    assert store.slack_users.listed_at() is None and store.slack_users.everyone() == []
    assert "could not be read, so they are looked up one by one" in caplog.text
    slack.refuses["users.list"] = refusal("ratelimited", 429, **{"Retry-After": "3600"})
    stopped = members(slack, store)
    stopped.stop()
    stopped.refresh()  # which waits no hour
    assert store.slack_users.listed_at() is None


def test_the_users_of_another_workspace_are_dropped(slack: FakeSlack, store: Store) -> None:
    """U0ADA1 is somebody else there."""
    members(slack, store).refresh()
    Members(slack, settings(), store, "T9")  # type: ignore[arg-type]
    assert store.slack_users.everyone() == [] and store.slack_users.listed_at() is None


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, "member"),
        ({"team_id": "T1"}, "member"),
        ({"team_id": "T1", "is_admin": True}, "member"),
        ({"is_restricted": True}, "guest"),
        ({"is_restricted": True, "is_ultra_restricted": True}, "guest"),
        ({"is_ultra_restricted": True}, "guest"),
        ({"team_id": "T2"}, "stranger"),
        ({"team_id": "T1", "is_stranger": True}, "stranger"),
        ({"team_id": "T2", "is_restricted": True}, "stranger"),
        ({"team_id": "T2", "enterprise_user": {"teams": ["T2", "T1"]}}, "member"),
        ({"team_id": "T2", "enterprise_user": {"teams": ["T2"]}}, "stranger"),
        ({"team_id": "T2", "enterprise_user": None}, "stranger"),
    ],
)
def test_a_standing_is_told_by_slacks_flags(said: dict[str, Any], expected: str) -> None:
    assert standing_of(said, "T1") == expected


# who is who


def test_the_rules_of_who_is_who_stand_in_order(slack: FakeSlack, store: Store) -> None:
    asked = members(slack, store)

    def known(number: str) -> tuple[str, list[str]]:
        reader = reader_of(asked, number, PEOPLE)
        return reader.person.name if reader.person else "", sorted(reader.proven.by)

    assert known("U0GRACE1") == ("Grace Hopper", ["other@example.com"])
    assert known("U0ADA1") == ("Ada Lovelace", ["ada@example.com"])
    assert known("U0DAVE1") == ("Dave Kim", [])  # a name tells, and proves nothing
    assert known("U0GUEST1") == ("", ["guest@example.com"])
    assert known("U0PART1") == ("", [])  # another organisation's word, which may be any address
    assert "usergroups.list" not in slack.calls, "which no setting names here"
    store.said.say("slack", "link", ["U0ADA1"], "dave@example.com", "U0ADA1", NOW)
    store.said.say("slack", "link", ["U0GRACE1"], "dave@example.com", "U0GRACE1", NOW)
    assert known("U0ADA1") == ("Dave Kim", ["ada@example.com"])  # as does a link of one's own
    assert known("U0GRACE1") == ("Grace Hopper", ["other@example.com"])


def test_where_people_ask_only_of_themselves_a_link_of_ones_own_tells_nothing(slack: FakeSlack, store: Store) -> None:
    asked = members(slack, store, privacy=PrivacySettings(about_others="nobody"))
    store.said.say("slack", "link", ["U0ADA1"], "dave@example.com", "U0ADA1", NOW)
    assert person(asked, "U0ADA1", PEOPLE) == ADA
    store.said.say("slack", "link", ["U0ADA1"], "dave@example.com", "U0GRACE1", NOW, confirmed=True)
    assert person(asked, "U0ADA1", PEOPLE) == DAVE


def test_who_was_said_not_to_be_somebody_is_not(slack: FakeSlack, store: Store) -> None:
    asked = members(slack, store)
    store.said.say("slack", "unlink", ["U0ADA1"], "ada@example.com", "U0ADA1", NOW)
    store.said.say("slack", "unlink", ["U0DAVE1"], "dave@example.com", "U0DAVE1", NOW)
    assert [person(asked, one, PEOPLE) for one in ("U0ADA1", "U0DAVE1")] == [None, None]


@pytest.mark.parametrize(("name", "others"), [("Dave", []), ("", []), ("Dave Kimm", []), ("Dave Kim", [NAMESAKE])])
def test_only_a_full_name_that_one_person_has_is_somebody(
    slack: FakeSlack, store: Store, name: str, others: list[Person]
) -> None:
    slack.users["U0DAVE1"]["profile"] = {"real_name": name}
    assert person(members(slack, store), "U0DAVE1", [*PEOPLE, *others]) is None


# groups and channels


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        ("", HOME),
        ("C0GEN1", Place("C0GEN1", "general", "public")),
        ("C0LEADS1", Place("C0LEADS1", "leads", "private")),
        ("C0MIX1", Place("C0MIX1", "mixed", "public", guests=True)),
        ("C0PART1", Place("C0PART1", "partner", "public", shared=True, guests=None)),
        ("G0GRP1", Place("G0GRP1", "", "group")),
        ("D0ADA1", Place("D0ADA1", "", "direct")),
        ("C0GONE1", Place("C0GONE1", "", "unknown", shared=None, guests=None)),
    ],
)
def test_a_channel_is_known_by_who_reads_it(slack: FakeSlack, store: Store, channel: str, expected: Place) -> None:
    asked = members(slack, store)
    assert asked.place(channel) == expected
    looked = list(slack.calls)
    assert asked.place(channel) == expected and slack.calls == looked


def test_where_not_all_readers_are_known_nothing_is_assumed(slack: FakeSlack, store: Store, passing: Passing) -> None:
    many = [f"U1{number:04}" for number in range(1200)]
    slack.channels["C0GEN1"]["members"] += many
    slack.users |= {one: user(one) for one in many}
    asked = members(slack, store)
    assert asked.place("C0GEN1").guests is None
    assert not [call for call in slack.calls if call.startswith("users.info")], "they are too many to look up"
    asked.refresh()
    passing.seconds += 61
    assert asked.place("C0GEN1").guests is False
    slack.channels["C0GEN1"]["members"].append("U0PART1")
    passing.seconds += 601
    assert asked.place("C0GEN1").shared is True, "since a stranger reads it"


@pytest.mark.parametrize(("method", "channel"), [("users.info", "C0GEN1"), ("conversations.members", "C0LEADS1")])
def test_one_reader_who_is_not_known_is_enough(slack: FakeSlack, store: Store, method: str, channel: str) -> None:
    slack.refuses[method] = refusal("internal_error", 500)
    assert members(slack, store).place(channel).guests is None


def test_channels_that_cannot_be_listed_are_told_nothing(slack: FakeSlack, store: Store) -> None:
    slack.refuses["conversations.list"] = refusal("ratelimited", 429)
    asked = members(slack, store)
    assert asked.place_named("#general") == Place("", "general", "unknown", shared=None, guests=None)
    _, seen = asked.seen_in("#general")
    assert seen.refused == "Slack does not say just now who can read the channel: it is tried again"


def test_of_those_who_asked_to_be_forgotten_only_their_standing_is_kept(slack: FakeSlack, store: Store) -> None:
    members(slack, store).refresh()
    store.erasure.erase(PersonToErase(("ada@example.com",)), NOW)
    assert store.slack_users.users(["U0ADA1"]) == {}
    later = members(slack, store, NOW + timedelta(days=1))
    later.refresh()
    assert later.member("U0ADA1") == SlackUser("U0ADA1", "", "", "Europe/Berlin", "member")
    assert "ada@example.com" not in {one.address for one in store.slack_users.everyone()}
