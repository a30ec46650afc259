"""What many changes were about is what their titles name, and each change is in one topic at most."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ENGINE, commit

from bot.model import Change
from bot.story.themes import topics_of
from bot.story.wording import clean

FILLING = ["red", "green", "blue", "white", "black", "grey", "pink", "gold", "brown", "silver"]


def changes(titles: Sequence[str]) -> list[Change]:
    commits = [commit(title, at=f"2025-10-{n % 28 + 1:02} {n // 28:02}:00") for n, title in enumerate(titles)]
    return [Change(one.sha, (one,), "feature") for one in commits]


def told(titles: Sequence[str], fewest: int = 3, most: int = 7) -> list[tuple[str, int]]:
    return [(topic.name, len(topic.changes)) for topic in topics_of(changes(titles), fewest, most)]


def beside(titles: Sequence[str]) -> list[str]:
    """The titles among others that name nothing in common, so that no word is the project's."""
    return [*titles, *(f"Paint {word}{n}" for n, word in enumerate(FILLING * 2) if n < 2 * len(titles))]


@pytest.mark.parametrize(
    ("titles", "topics"),
    [
        (["[loom_link] Weave", "[loom link] Spin", "[loom link] Dye"], [("loom link", 3)]),  # however it is written
        (["[looms] Weave", "[looms] Spin", "[looms] Dye", "Sell the looms", "Paint our looms"], [("looms", 5)]),
        (["Teach the plotter to draw", "Let a plotter rest", "Add pens to the plotter"], [("plotter", 3)]),
        (["[fix] Update a test", "[fix] Update the test", "[fix] Update tests quickly"], []),  # says nothing
        ([f"Oil the {ENGINE.partition('/')[2]} {n}" for n in range(5)], []),  # the project
    ],
)
def test_a_tag_or_word_that_several_titles_have_is_a_topic(titles: list[str], topics: list[tuple[str, int]]) -> None:
    assert told(beside(titles)) == topics


def test_what_most_titles_name_is_no_topic() -> None:
    assert told([f"Turn wheels {word}" for word in FILLING]) == []


def test_too_few_changes_are_no_topic_and_only_so_many_are_told() -> None:
    titles = [f"Mend the {word} {n}" for word in ("plotter", "punchcard", "barrel") for n in range(3)]
    assert told(beside(titles), fewest=4) == []
    assert len(told(beside(titles), most=2)) == 2


WORDS = st.sampled_from(
    ["plotter", "[loom]", "PunchCard", "read_card", "fix", "the", "Add", "`barrel`", "x" * 200, "é"]
)


@given(st.lists(st.lists(WORDS, max_size=5).map(" ".join) | st.text(max_size=40), max_size=25), st.integers(1, 5))
def test_whatever_titles_say_each_change_is_in_one_topic_at_most_and_names_stand_in_titles(
    titles: list[str], fewest: int
) -> None:
    every = changes(titles)
    topics = topics_of(every, fewest, 4)
    assert len(topics) <= 4
    told = [change.id for topic in topics for change in topic.changes]
    assert len(told) == len(set(told))
    for topic in topics:
        assert len(topic.changes) >= fewest
        said = " ".join(clean(one.lead.subject) for one in topic.changes).replace("`", "").casefold()
        assert topic.name.replace("`", "").casefold() in said
    assert [(one.name, one.changes) for one in topics_of(every, fewest, 4)] == [
        (one.name, one.changes) for one in topics
    ]
