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
from bot.slack.blocks import digest_messages, month_messages
from bot.slack.charts import CHART, digest_charts, has_charts, month_charts, week_label, without_charts
from bot.slack.limits import MAX_BLOCKS_JSON, MAX_BLOCKS_TEXT, MAX_TEXT, block_text_length, blocks_json_size, faults
from bot.slack.packing import Message
from bot.story.digest import month_digest
from bot.story.document_json import to_json
from bot.story.layout import MOST_NAMED
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


def test_a_month_shows_its_weeks_and_its_kinds() -> None:
    shown = month_charts(read(month(FOUR)))
    weeks = ["1–5 Oct", "6–12 Oct", "13–19 Oct", "20–26 Oct", "27–31 Oct"]
    assert list(shown.blocks) == [
        {
            "type": "data_visualization",
            "title": "Changes by week, October 2025",
            "chart": {
                "type": "bar",
                "series": [
                    {
                        "name": "Changes",
                        "data": [
                            {"label": label, "value": number}
                            for label, number in zip(weeks, [1, 2, 0, 0, 1], strict=True)
                        ],
                    }
                ],
                "axis_config": {"categories": weeks},
            },
        },
        {
            "type": "data_visualization",
            "title": "Changes by kind, October 2025",
            "chart": {
                "type": "bar",
                "series": [
                    {
                        "name": "Changes",
                        "data": [
                            {"label": "Features", "value": 2},
                            {"label": "Fixes", "value": 1},
                            {"label": "Other", "value": 1},
                        ],
                    }
                ],
                "axis_config": {"categories": ["Features", "Fixes", "Other"]},
            },
        },
    ]
    assert shown.words == "By week: 1, 2, 0, 0, 1. 2 features, 1 fix, 1 other."


def test_what_a_chart_shows_is_said_in_the_text() -> None:
    (message,) = month_messages(read(month(EIGHT)), TEMPLATES)
    assert [block["type"] for block in message.blocks] == ["header", "rich_text", CHART, CHART]
    assert "By week: 2, 4, 0, 0, 2. 4 features, 2 fixes, 2 others." in message.text.splitlines()


def test_a_short_month_has_no_charts_but_its_lines() -> None:
    assert not charts_in(month_messages(read(month(FOUR)), TEMPLATES))


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


@pytest.mark.parametrize(
    "commits",
    [
        [],
        FOUR[:1],
        FOUR[:3],
        [commit(f"feat: add part {n}", at=f"2025-10-08 1{n}:00") for n in range(6)],  # one week, one kind
    ],
)
def test_nothing_is_drawn_where_there_is_nothing_to_see(commits: list[Commit]) -> None:
    document = month(commits)
    assert (month_charts(read(document)).blocks, month_charts(read(document)).words) == ((), "")
    assert month_messages(read(document), TEMPLATES) == month_messages(read(document), TEMPLATES, charts=False)


def test_one_week_of_several_kinds_has_the_chart_of_kinds_alone() -> None:
    shown = month_charts(read(month([replace(one, author=FOUR[1].author) for one in FOUR])))
    assert [block["title"] for block in shown.blocks] == ["Changes by kind, October 2025"]
    assert shown.words == "2 features, 1 fix, 1 other."


def test_kinds_are_not_drawn_where_most_changes_are_of_no_sure_kind() -> None:
    unsure = [
        commit(f"Something about the {what}", at=f"2025-10-1{day} 10:00", paths=[f"src/{what}.py"])
        for day, what in enumerate(["store", "mill", "door"])
    ]
    shown = month_charts(read(month([*FOUR, *unsure])))
    assert [block["title"] for block in shown.blocks] == ["Changes by week, October 2025"]
    assert shown.words == "By week: 1, 5, 0, 0, 1."


def test_no_charts_where_none_are_wanted_or_nothing_is_known_to_draw() -> None:
    document = month(EIGHT)
    assert charts_in(month_messages(read(document), TEMPLATES))
    assert not charts_in(month_messages(read(document), TEMPLATES, charts=False))
    del document["figures"]  # a document that an older version printed
    assert not charts_in(month_messages(read(document), TEMPLATES))


def test_seven_kinds_are_six_bars() -> None:
    subjects = ["feat: a", "fix: b", "perf: c", "refactor: d", "docs: e", "test: f", "ci: g", "feat: h"]
    shown = month_charts(read(month([commit(one, at=f"2025-10-0{n} 10:00") for n, one in enumerate(subjects, 1)])))
    points = shown.blocks[1]["chart"]["series"][0]["data"]
    assert [(point["label"], point["value"]) for point in points] == [
        ("Features", 2),
        ("Performance", 1),
        ("Fixes", 1),
        ("Refactoring", 1),
        ("Documentation", 1),
        ("Other", 2),
    ]
    said = "2 features, 1 performance change, 1 fix, 1 refactoring, 1 documentation change, 2 others."
    assert shown.words.endswith(said)


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


def test_a_message_without_its_charts_says_the_same() -> None:
    (message,) = month_messages(read(month(EIGHT)), TEMPLATES)
    less = without_charts(message.payload())
    assert has_charts(message.payload()) and not has_charts(less)
    assert less == {"text": message.text, "blocks": [one for one in message.blocks if one["type"] != CHART]}
    assert without_charts({"text": "x"}) == {"text": "x"}


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


@given(st.lists(st.tuples(HOSTILE, st.integers(1, 31)), min_size=8, max_size=60), HOSTILE)
def test_whatever_git_says_the_budget_holds_with_charts(written: list[tuple[str, int]], body: str) -> None:
    commits = [another_commit(subject, at=f"2025-10-{day:02} 10:00", body=body) for subject, day in written]
    messages = month_messages(read(month(commits)), TEMPLATES)
    check(messages)
    assert len(charts_in(messages)) <= 2 and charts_in(messages) == charts_in(messages[:1])


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


@given(_WEEKS, _KINDS, _ROWS)
def test_figures_that_somebody_wrote_are_drawn_or_left_out(
    weeks: list[Json], kinds: list[Json], rows: list[Json]
) -> None:
    check(month_messages(read({**month(EIGHT), "figures": {"weeks": weeks, "kinds": kinds}}), TEMPLATES))
    check(digest_messages(read({**digest(FOUR), "figures": {"weeks": weeks, "repositories": rows}}), TEMPLATES))


def test_the_charts_stand_in_the_first_message_of_a_month_that_needs_many() -> None:
    measured = "\n".join(
        f"{what} of part {{0}} {'of the mill ' * 11}go from 90 ms to {{0}} ms." for what in ("Reads", "Writes")
    )
    commits = [
        commit(f"Tune part {n} {'of the mill ' * 9}", at=f"2025-10-{n % 30 + 1:02} 10:00", body=measured.format(n + 1))
        for n in range(MOST_NAMED)
    ]
    messages = month_messages(read(month(commits)), TEMPLATES)
    check(messages)
    assert len(messages) > 1
    assert messages[0].blocks[-1]["type"] == CHART and not charts_in(messages[1:])


def test_a_headline_and_an_item_that_fill_a_message_leave_room_for_charts() -> None:
    """As a document may have them that somebody wrote."""
    document = month(EIGHT)
    document["headline"]["text"] = "h " * 1_500
    for line in (line for item in document["items"] for line in item["lines"]):
        line["title"] = line["quote"] = "& " * 1_500
    document["impact"] = [{"text": "&" * 1_400, "evidence": []}] * 3
    check(month_messages(read(document), TEMPLATES))


def check(messages: list[Message]) -> None:
    for message in messages:
        assert faults(message.payload()) == []
        assert len(message.text) <= MAX_TEXT
        assert block_text_length(message.blocks) <= MAX_BLOCKS_TEXT
        assert blocks_json_size(message.blocks) <= MAX_BLOCKS_JSON
