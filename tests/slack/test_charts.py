"""Charts in messages: what they show, the same in words, and never more than Slack takes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, Json, another_commit, commit, indexed, read, sha_of

from bot.model import Commit
from bot.month.calendar import Month
from bot.month.facts import FactsContext, month_facts
from bot.month.machines import BOTS
from bot.slack.blocks import digest_messages
from bot.slack.charts import CHART, digest_charts, week_label
from bot.slack.limits import faults
from bot.slack.packing import Message
from bot.story.digest import month_digest
from bot.story.document_json import to_json
from bot.story.month import month_document
from bot.story.render import Templates

TEMPLATES = Templates()
OCTOBER = Month(2025, 10)
FOUR = [
    commit("feat: add a mill", at="2025-10-01 10:00"),
    commit("feat: add a lexer", at="2025-10-07 10:00"),
    commit("fix: the mill", at="2025-10-08 10:00"),
    commit("Something about the store", at="2025-10-30 10:00", paths=["src/store.py"]),
]
EIGHT = [*FOUR, *(replace(one, sha=sha_of(one.sha)) for one in FOUR)]


def month(commits: list[Commit]) -> Json:
    facts = month_facts(ADA, OCTOBER, commits, FactsContext(UTC_ZONE, [indexed(ENGINE)], INDEXED))
    return to_json(month_document(facts))


def digest(commits: list[Commit], *names: str) -> Json:
    repositories = [indexed(name) for name in names or (ENGINE, WEB)]
    told = month_digest("everyone", OCTOBER, [ADA, GRACE], commits, FactsContext(UTC_ZONE, repositories, INDEXED), BOTS)
    return to_json(told.document)


def charts_in(messages: list[Message]) -> list[Any]:
    return [block for message in messages for block in message.blocks if block["type"] == CHART]


def test_a_digest_shows_its_weeks_by_repository() -> None:
    document = digest([*FOUR, commit("Show plans", at="2025-10-09 10:00", author=GRACE, repository=WEB)])
    shown = digest_charts(read(document))
    (chart,) = shown.blocks
    assert [(one["name"], [point["value"] for point in one["data"]]) for one in chart["chart"]["series"]] == [
        (ENGINE, [1, 2, 0, 0, 1]),
        (WEB, [0, 1, 0, 0, 0]),
    ]
    assert shown.words == "By week: 1, 3, 0, 0, 1.\nacme/engine: 1, 2, 0, 0, 1.\nacme/web: 0, 1, 0, 0, 0."
    messages = digest_messages(read(document), TEMPLATES)
    assert len(charts_in(messages[:1])) == 1 and not charts_in(messages[1:])
    assert shown.words in messages[0].text


def test_repositories_of_one_long_name_stay_apart() -> None:
    names = [f"somebody-{number}/a-repository-of-a-very-long-name" for number in range(4)]
    commits = [commit(f"Add {n}", repository=name, at=f"2025-10-{7 * n + 1:02} 10:00") for n, name in enumerate(names)]
    (chart,) = digest_charts(read(digest(commits, *names))).blocks
    assert [one["name"] for one in chart["chart"]["series"]] == [
        "a-repository-of-a-v…",
        "a-repository-of- (2)",
        "a-repository-of- (3)",
        "a-repository-of- (4)",
    ]
    assert faults({"text": "x", "blocks": [chart]}) == []


@pytest.mark.parametrize(
    ("first", "last", "label"),
    [
        (date(2025, 10, 1), date(2025, 10, 5), "1–5 Oct"),
        (date(2025, 8, 31), date(2025, 8, 31), "31 Aug"),
        (date(2025, 9, 29), date(2025, 10, 5), "29 Sep–5 Oct"),
    ],
)
def test_weeks_are_labelled_by_their_days(first: date, last: date, label: str) -> None:
    assert week_label(first, last) == label


HOSTILE = st.one_of(
    st.text(max_size=200),
    st.sampled_from(["<!channel> & * _ ~ `" * 40, "漢字" * 300, "&" * 2000, "feat: " + "x" * 3000, "🎉" * 500]),
)


@given(st.lists(HOSTILE.map(lambda name: name[:300]).filter(str.strip), min_size=1, max_size=9, unique=True))
def test_whatever_repositories_are_called_a_digest_fits_with_its_chart(names: list[str]) -> None:
    commits = [
        another_commit(f"Add part {n}", repository=name, at=f"2025-10-{3 * n + 1:02} 10:00")
        for name in names
        for n in range(4)
    ]
    check(digest_messages(read(digest(commits, *names)), TEMPLATES))


_NUMBER = st.integers(0, 9) | st.just(10**300)
_DAYS = st.dates(date(2025, 1, 1), date(2025, 12, 31)).map(date.isoformat)
_NAMES = HOSTILE.map(lambda name: name[:300])
_WEEKS = st.lists(st.fixed_dictionaries({"from": _DAYS, "to": _DAYS, "changes": _NUMBER}), max_size=30)
_KINDS = st.lists(
    st.fixed_dictionaries({"kind": st.sampled_from(["feature", "fix", "chore", "other"]), "changes": _NUMBER}),
    max_size=15,
)
_ROWS = st.lists(
    st.fixed_dictionaries({"name": _NAMES, "changes": st.lists(_NUMBER, max_size=30)}),
    max_size=9,
)


def check(messages: list[Message]) -> None:
    for message in messages:
        assert faults(message.payload()) == []
