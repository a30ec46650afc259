"""What many changes were about is what their titles name, and each change is in one topic at most."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from values import ENGINE, commit

from bot.model import Change
from bot.story.themes import TOO_MANY, topics_of
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


def test_a_tag_however_written_is_a_topic_in_the_form_that_most_use() -> None:
    titles = ["[loom_link] Weave", "[loom link] Spin", "[loom link] Dye"]
    assert told(beside(titles)) == [("loom link", 3)]


def test_a_tag_and_the_same_word_in_titles_are_one_topic() -> None:
    titles = ["[looms] Weave", "[looms] Spin", "[looms] Dye", "Sell the looms", "Paint our looms", "Count all looms"]
    assert told(beside(titles)) == [("looms", 6)]


def test_a_word_that_several_titles_name_is_a_topic() -> None:
    titles = ["Teach the plotter to draw", "Let a plotter rest", "Add pens to the plotter"]
    assert told(beside(titles)) == [("plotter", 3)]


def test_the_project_is_no_topic_of_itself() -> None:
    name = ENGINE.partition("/")[2]
    assert told(beside([f"Oil the {name} {n}" for n in range(5)])) == []
    most = [f"Turn wheels {word}" for word in FILLING]
    assert told(most) == []
    assert len(most) > TOO_MANY * len(most)


def test_words_that_say_nothing_are_none() -> None:
    assert told(beside(["[fix] Update a test", "[fix] Update the test", "[fix] Update tests quickly"])) == []


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
