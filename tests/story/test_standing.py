"""What became of a month's changes is said in whole sentences, by whom, when and why."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, commit, indexed

from bot.model import Commit, Person, Story
from bot.month.calendar import Month
from bot.month.facts import month_facts
from bot.month.histories import by_commit, histories_of
from bot.story.story import month_story

OCTOBER, NOVEMBER = Month(2025, 10), Month(2025, 11)
WHY = "It breaks the build on older machines.\n\nSee the log."
TITLE = "feat: cache the kernel (#1)"
REVERTED = f'Revert "{TITLE}" (#2)'

WORK = commit(TITLE, at="2025-10-03 12:00", sha="a" * 40)
BY_GRACE = commit(REVERTED, at="2025-10-04 12:00", author=GRACE, body=WHY, sha="b" * 40)
BY_ADA = commit(REVERTED, at="2025-10-04 12:00", sha="b" * 40)
AGAIN = commit(f"[reland] {TITLE} (#3)", at="2025-10-20 12:00", sha="c" * 40)
LAMP, NO_LAMP = (
    commit(subject, at=at, sha=sha * 40)
    for subject, at, sha in (
        ("feat: a lamp (#5)", "2025-10-06 12:00", "d"),
        ('Revert "feat: a lamp (#5)" (#6)', "2025-10-07 12:00", "e"),
    )
)
BELL, NO_BELL = (
    commit(subject, at=at, sha=sha * 40)
    for subject, at, sha in (
        ("feat: a bell (#7)", "2025-10-08 12:00", "1"),
        ('Revert "feat: a bell (#7)" (#8)', "2025-10-09 12:00", "2"),
    )
)
DOOR = commit("feat: a door", at="2025-10-10 12:00", sha="f" * 40)


def in_november(one: Commit, day: int) -> Commit:
    return commit(one.subject, at=f"2025-11-{day:02} 12:00", body=one.body, sha=one.sha, author=_person(one))


def _person(one: Commit) -> Person:
    return next(person for person in (ADA, GRACE) if person.name == one.author.name)


def story(
    *commits: Commit,
    person: Person = ADA,
    month: Month = OCTOBER,
    now: datetime = INDEXED,
    zone: ZoneInfo = UTC_ZONE,
) -> Story:
    """The person's month among these commits."""
    start, end = month.bounds(zone)
    own = [one for one in commits if one.author.name == person.name and start <= one.author.at < end]
    whole = by_commit(histories_of(commits))
    return month_story(month_facts(person, month, zone, own, [indexed(ENGINE), indexed(WEB)], now, histories=whole))


def said(*commits: Commit, **more: object) -> list[tuple[str, str]]:
    """The state and the sentences of each item."""
    return [(item.state, item.text) for item in story(*commits, **more).items]  # type: ignore[arg-type]


# --- of one change


@pytest.mark.parametrize(
    ("commits", "state", "text"),
    [
        ([WORK], "landed", "Cached the kernel."),
        (
            [WORK, BY_GRACE],
            "backed_out",
            "Cached the kernel. Backed out on 4 October 2025 by Grace Hopper (bbbbbbbbb): “It breaks the build on "
            "older machines”.",
        ),
        ([WORK, BY_ADA], "backed_out", "Cached the kernel. Backed out on 4 October 2025 (bbbbbbbbb)."),
        (
            [WORK, commit(f'Partially revert "{TITLE}"', at="2025-10-04 12:00", author=GRACE, body=WHY, sha="b" * 40)],
            "partly",
            "Cached the kernel. Partly backed out on 4 October 2025 by Grace Hopper (bbbbbbbbb): “It breaks the build "
            "on older machines”.",
        ),
        (
            [WORK, BY_GRACE, AGAIN],
            "relanded",
            "Cached the kernel. Back in on 20 October 2025 (ccccccccc), after it had been backed out on 4 October 2025 "
            "by Grace Hopper (bbbbbbbbb).",
        ),
        (
            [WORK, BY_GRACE, commit(AGAIN.subject, at="2025-10-20 12:00", author=GRACE, sha="c" * 40)],
            "relanded",
            "Cached the kernel. Back in on 20 October 2025 by Grace Hopper (ccccccccc), after it had been backed out "
            "on 4 October 2025 by Grace Hopper (bbbbbbbbb).",
        ),
    ],
    ids=["stayed", "by another", "by oneself", "partly", "back in", "brought back by another"],
)
def test_how_a_change_stood_when_the_month_was_over(commits: list[Commit], state: str, text: str) -> None:
    assert said(*commits) == [(state, text)]


def test_a_reason_that_its_commit_does_not_hold_is_not_told() -> None:
    """Nor is one that is too long, or only a link."""
    for body in ("https://example.com/log", "Because.", "x " * 300 + "is why it is out."):
        revert = commit(REVERTED, at="2025-10-04 12:00", author=GRACE, body=body, sha="b" * 40)
        assert said(WORK, revert) == [
            ("backed_out", "Cached the kernel. Backed out on 4 October 2025 by Grace Hopper (bbbbbbbbb).")
        ]


def test_days_are_those_of_the_zone() -> None:
    late = commit(REVERTED, at="2025-10-04 23:30", author=GRACE, sha="b" * 40)
    assert said(WORK, late, zone=ZoneInfo("Europe/Berlin")) == [
        ("backed_out", "Cached the kernel. Backed out on 5 October 2025 by Grace Hopper (bbbbbbbbb).")
    ]


def test_a_change_that_came_back_in_a_later_month_is_out_in_its_own_and_back_in_the_other() -> None:
    again = in_november(AGAIN, 20)
    october = story(WORK, BY_GRACE, again)
    assert [item.state for item in october.items] == ["backed_out"]
    assert october.later == ("Later: “feat: cache the kernel” came back on 20 November 2025 (ccccccccc).",)
    november = story(WORK, BY_GRACE, again, month=NOVEMBER)
    assert [(item.state, item.text) for item in november.items] == [
        (
            "relanded",
            "Brought back “feat: cache the kernel”. Back in on 20 November 2025 (ccccccccc), after it had been backed "
            "out on 4 October 2025 by Grace Hopper (bbbbbbbbb).",
        )
    ]
    assert november.later == ()


# --- what happened later


@pytest.mark.parametrize(
    ("commits", "later"),
    [
        (
            [WORK, in_november(BY_GRACE, 4)],
            "Later: “feat: cache the kernel” was backed out on 4 November 2025 by Grace Hopper (bbbbbbbbb): “It breaks "
            "the build on older machines”.",
        ),
        (
            [WORK, in_november(BY_ADA, 4)],
            "Later: “feat: cache the kernel” was backed out on 4 November 2025 (bbbbbbbbb).",
        ),
        (
            [WORK, commit(f'Partially revert "{TITLE}"', at="2025-11-04 12:00", author=GRACE, sha="b" * 40)],
            "Later: “feat: cache the kernel” was partly backed out on 4 November 2025 by Grace Hopper (bbbbbbbbb).",
        ),
        (
            [WORK, in_november(BY_GRACE, 4), in_november(AGAIN, 20)],
            "Later: “feat: cache the kernel” was backed out on 4 November 2025 by Grace Hopper (bbbbbbbbb) and came "
            "back on 20 November 2025 (ccccccccc).",
        ),
    ],
    ids=["by another", "by oneself", "partly", "and back"],
)
def test_what_happened_later_is_a_note_and_the_month_stays_as_it_was(commits: list[Commit], later: str) -> None:
    told = story(*commits)
    assert [(item.state, item.text) for item in told.items] == [("landed", "Cached the kernel.")]
    assert told.later == (later,)
    assert "backed out" not in told.headline.text


# --- reverts


def test_a_revert_is_somebodys_change_and_stands() -> None:
    assert said(WORK, BY_GRACE, person=GRACE) == [
        ("landed", "Reverted “feat: cache the kernel (#1)”. “It breaks the build on older machines”.")
    ]


@pytest.mark.parametrize(("day", "when"), [("2025-10-09", "in the month"), ("2025-11-09", "later")])
def test_a_revert_that_was_undone_says_by_whom(day: str, when: str) -> None:
    undone = commit(f'Revert "{REVERTED}" (#4)', at=f"{day} 12:00", sha="c" * 40)
    revert = commit(REVERTED, at="2025-10-04 12:00", author=GRACE, sha="b" * 40)
    did = "Reverted “feat: cache the kernel (#1)”."
    told = story(WORK, revert, undone, person=GRACE)
    assert ([(item.kind, item.state, item.text) for item in told.items], told.later) == {
        "in the month": (
            [("revert", "backed_out", f"{did} Undone on 9 October 2025 by Ada Lovelace (ccccccccc).")],
            (),
        ),
        "later": (
            [("revert", "landed", did)],
            (f'Later: “Revert "{TITLE}"” was undone on 9 November 2025 by Ada Lovelace (ccccccccc).',),
        ),
    }[when]


# --- the headline

MADE = "Ada Lovelace made"
IN_OCTOBER = "in acme/engine in October 2025"


@pytest.mark.parametrize(
    ("commits", "text"),
    [
        ([DOOR], f"{MADE} 1 change {IN_OCTOBER}: a door."),
        (
            [LAMP, NO_LAMP],
            f"{MADE} 1 change {IN_OCTOBER}: a lamp. It was backed out by the end of the month, so nothing of it "
            "stayed.",
        ),
        (
            [LAMP, NO_LAMP, BELL, NO_BELL],
            f"{MADE} 2 changes {IN_OCTOBER}: a lamp and a bell. Both were backed out by the end of the month, so none "
            "of them stayed.",
        ),
        (
            [LAMP, NO_LAMP, BELL, NO_BELL, WORK, BY_GRACE],
            f"{MADE} 3 changes {IN_OCTOBER}: caching the kernel, a lamp and a bell. All 3 were backed out by the end "
            "of the month, so none of them stayed.",
        ),
        (
            [LAMP, NO_LAMP, DOOR],
            f"{MADE} 2 changes {IN_OCTOBER}, among them a door. 1 change was backed out by the end of the month.",
        ),
        (
            [LAMP, NO_LAMP, BELL, NO_BELL, DOOR],
            f"{MADE} 3 changes {IN_OCTOBER}, among them a door. 2 changes were backed out by the end of the month.",
        ),
        (
            [WORK, BY_GRACE, AGAIN],
            f"{MADE} 1 change {IN_OCTOBER}: caching the kernel. It had been backed out before and is back in.",
        ),
        (
            [WORK, BY_GRACE, AGAIN, DOOR],
            f"{MADE} 2 changes {IN_OCTOBER}: caching the kernel and a door. 1 change that had been backed out before "
            "is back in.",
        ),
        (
            [WORK, BY_GRACE, AGAIN, LAMP, NO_LAMP],
            f"{MADE} 2 changes {IN_OCTOBER}, among them caching the kernel. 1 change was backed out by the end of the "
            "month. 1 change that had been backed out before is back in.",
        ),
    ],
    ids=[
        "stayed",
        "the only one",
        "both",
        "all",
        "one of two",
        "two of three",
        "the only one is back",
        "one is back",
        "one out, one back",
    ],
)
def test_a_headline_says_how_much_stayed(commits: Sequence[Commit], text: str) -> None:
    assert story(*commits).headline.text == text


def test_a_headline_of_reverts_only_says_just_that() -> None:
    told = story(WORK, BY_GRACE, person=GRACE)
    assert told.headline.text == (
        "Grace Hopper made 1 change in acme/engine in October 2025: revert of “feat: cache the kernel (#1)”."
    )


def test_somebodys_one_change_beside_the_reverts_of_others_work() -> None:
    theirs = commit("feat: a lamp (#5)", at="2025-10-06 12:00", author=GRACE, sha="d" * 40)
    assert story(theirs, NO_LAMP, WORK, BY_ADA).headline.text == (
        f"{MADE} 2 changes {IN_OCTOBER}: caching the kernel and revert of “feat: a lamp (#5)”. The one change of their "
        "own was backed out by the end of the month."
    )


def test_a_month_to_date_is_not_at_its_end() -> None:
    now = datetime(2025, 10, 20, tzinfo=UTC)
    so_far = f"{IN_OCTOBER} so far"
    assert story(LAMP, NO_LAMP, now=now).headline.text == (
        f"{MADE} 1 change {so_far}: a lamp. It has been backed out, so nothing of it stayed."
    )
    assert story(LAMP, NO_LAMP, BELL, NO_BELL, now=now).headline.text == (
        f"{MADE} 2 changes {so_far}: a lamp and a bell. Both have been backed out, so none of them stayed."
    )
    assert story(LAMP, NO_LAMP, DOOR, now=now).headline.text == (
        f"{MADE} 2 changes {so_far}, among them a door. 1 change has been backed out."
    )


def test_what_is_told_rests_on_the_months_commits() -> None:
    told = story(LAMP, NO_LAMP, WORK, BY_GRACE, DOOR)
    own = {one.sha for one in (LAMP, NO_LAMP, WORK, DOOR)}
    assert set(told.headline.evidence) == {sha for item in told.items for sha in item.evidence} == own
