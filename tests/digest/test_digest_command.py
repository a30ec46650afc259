"""A channel's digest, from the command and from the clock, posted once; and `almanac digest` of weeks, months and
quarters, with --list, --pause and --resume."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from builders import GitRepo, Run

from bot.commands.house import period_meant
from bot.month.calendar import Cadence
from bot.settings import PostgresAddress, Settings
from bot.slack.audience import GUESTS_UNPOSTED
from bot.workspace import ThreadedWorkspace, WorkspaceUser
from storage import Store

NOW = datetime(2025, 11, 5, 9, tzinfo=UTC)
TO_SHIPPED = ("digest", "2025-10", "--post", "--channel", "#shipped")


@pytest.mark.parametrize(
    ("text", "cadence", "expected"),
    [
        ("", None, "2025-10"),
        ("", "weekly", "2025-W44"),
        ("", "quarterly", "2025-Q3"),
        ("2025-W41", None, "2025-W41"),
        ("2025-Q3", "weekly", "2025-Q3"),
        ("last week", None, "2025-W44"),
        ("this week", None, "2025-W45"),
        ("the previous quarter", None, "2025-Q3"),
        ("this quarter", None, "2025-Q4"),
        ("last month", "weekly", "2025-10"),
        ("october", None, "2025-10"),
        ("q2 2025", None, "2025-Q2"),
        ("july to september", None, "2025-Q3"),
        (" 2025-11 ", None, "2025-11"),
    ],
)
def test_a_period_is_what_is_said_or_the_last_of_its_cadence(text: str, cadence: Cadence | None, expected: str) -> None:
    assert str(period_meant(text, Settings(fixed_now=NOW), ZoneInfo("UTC"), cadence)) == expected


@pytest.fixture
def indexed(engine: GitRepo, tmp_path: Path, placed: Callable[[Path], Store]) -> Store:
    return placed(tmp_path / "almanac.db")


@pytest.fixture(autouse=True)
def environment(slack: ThreadedWorkspace, indexed: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person sets who posts from the command line."""
    place = indexed.database
    monkeypatch.setenv("ALMANAC_DB", place.url if isinstance(place, PostgresAddress) else str(place))
    monkeypatch.setenv("ALMANAC_NOW", NOW.isoformat())
    monkeypatch.setenv("SLACK_API_URL", slack.api_url)
    monkeypatch.setenv("SLACK_BOT_TOKEN", slack.workspace.bot_token)


def titles(slack: ThreadedWorkspace, channel: str = "shipped") -> list[str]:
    """The first line of each digest that stands in a channel."""
    return [m["text"].splitlines()[0] for m in slack.messages(channel) if m.get("thread_ts", m["ts"]) == m["ts"]]


class TestPost:
    """From the command line, to a channel that is named."""

    @pytest.mark.parametrize("fault", ["drop_after", "drop_before"])
    def test_what_was_lost_is_posted_again_only_if_somebody_says_so_and_it_is_not_there(
        self, almanac: Run, slack: ThreadedWorkspace, fault: str
    ) -> None:
        slack.faults.next("chat.postMessage", fault)
        for _ in range(2):
            ran = almanac(*TO_SHIPPED)
            assert ran.code == 1 and "not known whether Slack has it" in ran.err and "use --again" in ran.err
        again = almanac(*TO_SHIPPED, "--again")
        assert (again.code, again.err) == (0, "")
        assert titles(slack) == ["*October 2025*"]

    @pytest.mark.parametrize(
        ("channel", "said"),
        [
            ("#nowhere", "#nowhere: nothing is posted, channel_not_found: the channel was archived, deleted or"),
            *((channel, "is no channel") for channel in ("#a|b", "#", "two words")),
        ],
    )
    def test_what_is_no_channel_is_said_with_what_to_do(self, almanac: Run, channel: str, said: str) -> None:
        ran = almanac("digest", "--post", "--channel", channel)
        assert (ran.code, said in ran.err, ran.err.count("\n")) == (1, True, 1)

    def test_nothing_is_posted_where_guests_read(self, almanac: Run, slack: ThreadedWorkspace) -> None:
        slack.workspace.add_user(WorkspaceUser(name="guest", is_restricted=True))
        ran = almanac(*TO_SHIPPED)
        assert (ran.code, ran.out, slack.messages("shipped")) == (1, "", [])
        assert ran.err == f"#shipped: nothing is posted, {GUESTS_UNPOSTED}\n"


class TestListed:
    """Where almanac.toml lists a monthly and a weekly digest of #shipped."""

    @pytest.fixture(autouse=True)
    def listed(self, own_place: Path) -> None:
        table = '[[digests]]\nchannel = "#shipped"\n'
        (own_place / "almanac.toml").write_text(f'{table}{table}cadence = "weekly"\n')

    def test_a_period_is_told_in_every_form_and_a_channel_is_shown_only_what_it_gets(self, almanac: Run) -> None:
        """Never everybody's in place of a digest that it does not get."""
        assert almanac("digest", "2025-W44").out.startswith("The week of 27 October 2025\n")
        assert almanac("digest", "last quarter").out.startswith("The third quarter of 2025\n")
        for form in ("json", "markdown", "html", "slack"):
            ran = almanac("digest", "--cadence", "weekly", "--format", form)
            assert (ran.code, ran.err) == (0, "") and "compiler" in ran.out
        assert "Add the mill" in almanac("digest", "2025-10", "--channel", "#shipped").out
        for when, channel, gets in (
            ("2025-10", "#other", "no digest"),
            ("2025-Q3", "#shipped", "no quarterly digest, only"),
        ):
            ran = almanac("digest", when, "--channel", channel)
            assert (ran.code, ran.out) == (1, "")
            assert ran.err.startswith(f"almanac: {channel} gets {gets}") and "name a --team or --repo" in ran.err
        assert "Add the mill" in almanac("digest", "2025-10", "--channel", "#other", "--repo", "acme/engine").out

    def test_digests_are_listed_paused_and_resumed(self, almanac: Run) -> None:
        listed = almanac("digest", "--list").out.splitlines()
        assert listed == [
            "The monthly digest for #shipped, from almanac.toml: tells November 2025 on 2025-12-01 at 09:00 UTC",
            "The weekly digest for #shipped, from almanac.toml: tells the week of 3 November 2025 on 2025-11-10 at "
            "09:00 UTC",
        ]
        paused = almanac("digest", "--pause", "--channel", "#shipped", "--cadence", "weekly")
        assert (paused.code, paused.out) == (0, "The weekly digest for #shipped is paused\n")
        assert "paused since 2025-11-05 (paused by hand)" in almanac("digest", "--list").out
        resumed = almanac("digest", "--resume", "--channel", "shipped", "--cadence", "weekly")
        assert resumed.out == "The weekly digest for #shipped is posted again from the week of 3 November 2025 on\n"
        assert almanac("digest", "--list").out.splitlines() == listed
        assert "name its --channel" in almanac("digest", "--pause").err
        assert "there is no digest for #other" in almanac("digest", "--resume", "--channel", "#other").err
        assert almanac("digest", "--pause", "--post").code == 2
