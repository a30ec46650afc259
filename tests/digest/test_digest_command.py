"""`almanac digest`: of weeks, months and quarters; --list, --pause, --resume."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from builders import GitRepo

from bot.commands.periods import period_meant
from bot.digest.subscriptions import Cadence, Subscriptions
from bot.errors import AlmanacError
from bot.workspace import ThreadedWorkspace
from storage import Store

NOW = datetime(2025, 11, 5, 9, tzinfo=UTC)
TOML = """
[[digests]]
channel = "#shipped"
[[digests]]
channel = "#shipped"
cadence = "weekly"
"""


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
    assert str(period_meant(text, NOW, ZoneInfo("UTC"), cadence)) == expected


@pytest.mark.parametrize("text", ["since june", "2025-W46", "2025-Q5", "2026", "next week", "whenever"])
def test_what_is_no_one_period_or_has_not_begun_is_refused(text: str) -> None:
    with pytest.raises(AlmanacError):
        period_meant(text, NOW, ZoneInfo("UTC"))


@pytest.fixture(autouse=True)
def environment(
    slack: ThreadedWorkspace, engine: GitRepo, own_place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own_place / "almanac.toml").write_text(TOML)
    monkeypatch.setenv("ALMANAC_DB", str(tmp_path / "almanac.db"))
    monkeypatch.setenv("ALMANAC_NOW", NOW.isoformat())
    monkeypatch.setenv("SLACK_API_URL", slack.api_url)
    monkeypatch.setenv("SLACK_BOT_TOKEN", slack.workspace.bot_token)


Run = Callable[..., Any]


def test_each_digest_posts_its_own_last_period_and_one_that_is_named_only_its_own(
    almanac: Run, slack: ThreadedWorkspace
) -> None:
    assert almanac("digest", "2025-W40", "--post").out == "#shipped: The week of 29 September 2025 posted (1 message)\n"
    assert almanac("digest", "--post").out == (
        "#shipped: October 2025 posted (1 message)\n#shipped: The week of 27 October 2025 posted (1 message)\n"
    )
    titles = [m["text"].splitlines()[0] for m in slack.messages("shipped") if m.get("thread_ts", m["ts"]) == m["ts"]]
    assert titles == ["*The week of 29 September 2025*", "*October 2025*", "*The week of 27 October 2025*"]


def test_a_digest_of_one_repository_does_not_take_the_place_of_the_whole(
    almanac: Run, slack: ThreadedWorkspace
) -> None:
    assert almanac("digest", "2025-10", "--post", "--channel", "#shipped", "--repo", "acme/engine").code == 0
    assert almanac("digest", "2025-10", "--post", "--channel", "#shipped").out == (
        "#shipped: October 2025 posted (1 message)\n"
    )
    assert len(slack.messages("shipped")) == 2


def test_a_week_is_told_in_every_form(almanac: Run) -> None:
    assert almanac("digest", "2025-W44").out.startswith("The week of 27 October 2025\n")
    assert almanac("digest", "last quarter").out.startswith("The third quarter of 2025\n")
    for form in ("json", "markdown", "html", "slack"):
        ran = almanac("digest", "--cadence", "weekly", "--format", form)
        assert (ran.code, ran.err) == (0, "") and "compiler" in ran.out


def test_a_channel_is_shown_only_what_it_gets(almanac: Run) -> None:
    """Never everybody's in place of a digest that it does not get."""
    assert "Add the mill" in almanac("digest", "2025-10", "--channel", "#shipped").out
    for when, channel, gets in (
        ("2025-10", "#other", "no digest"),
        ("2025-Q3", "#shipped", "no quarterly digest, only"),
    ):
        ran = almanac("digest", when, "--channel", channel)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith(f"almanac: {channel} gets {gets}") and "name a --team or --repo" in ran.err
    assert "Add the mill" in almanac("digest", "2025-10", "--channel", "#other", "--repo", "acme/engine").out


def test_digests_are_listed_paused_and_resumed(almanac: Run) -> None:
    listed = almanac("digest", "--list").out.splitlines()
    assert listed == [
        "The monthly digest for #shipped, from almanac.toml: tells November 2025 on 2025-12-01 at 09:00 UTC",
        "The weekly digest for #shipped, from almanac.toml: tells the week of 3 November 2025 on 2025-11-10 at 09:00 "
        "UTC",
    ]
    paused = almanac("digest", "--pause", "--channel", "#shipped", "--cadence", "weekly")
    assert (paused.code, paused.out) == (0, "The weekly digest for #shipped is paused\n")
    assert "paused since 2025-11-05 (paused by hand)" in almanac("digest", "--list").out
    resumed = almanac("digest", "--resume", "--channel", "shipped", "--cadence", "weekly")
    assert resumed.out == "The weekly digest for #shipped is posted again from the week of 3 November 2025 on\n"
    assert almanac("digest", "--list").out.splitlines() == listed


def test_what_cannot_be_paused_is_said(almanac: Run) -> None:
    assert "name its --channel" in almanac("digest", "--pause").err
    assert "there is no digest for #other" in almanac("digest", "--resume", "--channel", "#other").err
    assert almanac("digest", "--pause", "--post").code == 2


def test_a_digest_made_in_slack_is_known_by_the_name_of_its_channel_too(
    almanac: Run, slack: ThreadedWorkspace, tmp_path: Path
) -> None:
    """Slack names channels by id: the same digest, asked for by name, must not be posted once more."""
    other = slack.workspace.channel("other")
    assert other is not None
    store = Store(tmp_path / "almanac.db")
    for cadence in ("monthly", "quarterly"):
        Subscriptions(store.digests, [], "UTC").make({"channel": other.id, "cadence": cadence}, "U1", NOW)
    for channel in ("#other", other.id, "other"):
        assert almanac("digest", "2025-10", "--post", "--channel", channel).code == 0
    titles = [m["text"].splitlines()[0] for m in slack.messages("other") if m.get("thread_ts", m["ts"]) == m["ts"]]
    assert titles == ["*October 2025*"]
    paused = almanac("digest", "--pause", "--channel", "#other", "--cadence", "monthly")
    assert (paused.code, paused.out) == (0, f"The monthly digest for {other.id} is paused\n")


def test_again_posts_nothing_that_can_be_seen_in_the_channel(almanac: Run, slack: ThreadedWorkspace) -> None:
    slack.faults.next("chat.postMessage", "drop_after")
    assert "use --again" in almanac("digest", "2025-10", "--post", "--channel", "#shipped").err
    again = almanac("digest", "2025-10", "--post", "--channel", "#shipped", "--again")
    assert (again.code, again.err) == (0, "")
    titles = [m["text"].splitlines()[0] for m in slack.messages("shipped") if m.get("thread_ts", m["ts"]) == m["ts"]]
    assert titles == ["*October 2025*"]
    assert len(slack.messages("shipped")) == 1
