"""Lists as documents: nothing is dropped, counted wrongly, or said without a commit; and Slack takes them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from drawn import histories
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, Json, another_commit, commit, indexed, read

from bot.model import Commit, Person
from bot.month.calendar import Days, Month
from bot.month.facts import FactsContext, MonthFacts, span_facts
from bot.month.histories import by_commit, histories_of
from bot.month.people import by_author
from bot.slack.elements import MAX_TEXT
from bot.slack.render import document_messages, markdown_messages
from bot.story.documents import Document, to_json
from bot.story.lists import MOST_ROWS, Listing, changes_document, who_document
from bot.story.render import Templates
from bot.workspace.block_kit import faults

IN_OCTOBER = Days.of(Month(2025, 10))
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]
TEMPLATES = Templates()
WORST = ["Add a mill", "<!channel> & * _ ~ `" * 160, "漢字" * 700, "&" * 3000]


def span(commits: Sequence[Commit], person: Person = ADA) -> MonthFacts:
    context = FactsContext(UTC_ZONE, REPOSITORIES, INDEXED, by_commit(histories_of(commits)))
    return span_facts(person, Month(2025, 10), None, commits, context)


def listing_of(commits: Sequence[Commit], **more: object) -> Listing:
    theirs = by_author([ADA, GRACE], commits)
    spans = tuple(span(theirs[one], one) for one in (ADA, GRACE) if one in theirs)
    return Listing(spans, IN_OCTOBER, "UTC", **more)  # type: ignore[arg-type]


def all_lists(commits: Sequence[Commit]) -> list[Document]:
    listing = listing_of(commits)
    return [changes_document(listing), who_document(listing, "plan")]


def listed(commits: Sequence[Commit], **more: object) -> Json:
    return to_json(changes_document(listing_of(commits, **more)))


@given(histories())
def test_whatever_the_history_each_change_is_in_a_row_or_counted(commits: list[Commit]) -> None:
    document = listed(commits)
    shas = [row["sha"] for row in document["rows"]]
    assert len(shas) == len(set(shas)) == document["counts"]["changes"] - document["more"]
    assert {one.sha[:12] for one in commits}.issuperset(shas)
    assert sum(one["changes"] for one in document["kinds"]) == document["counts"]["changes"]
    assert {sha[:12] for sha in document["headline"]["evidence"]}.issuperset(shas)


@given(histories())
def test_whatever_the_history_the_documents_are_read_again_and_told(commits: list[Commit]) -> None:
    for document in all_lists(commits):
        assert read(to_json(document)) == document
        for form in ("text", "markdown", "html"):
            assert document.title.split(",")[0].split(":")[0] in TEMPLATES.month(form, document).replace("\\", "")


@given(st.lists(st.text(max_size=300), min_size=1, max_size=8), st.text(max_size=300))
def test_whatever_git_says_slack_takes_the_messages(subjects: list[str], body: str) -> None:
    commits = [another_commit(one, body=body, author=(ADA, GRACE)[n % 2]) for n, one in enumerate(subjects)]
    for form in (None, "markdown"):
        messages = document_messages(all_lists(commits), TEMPLATES, form=form)
        assert all(faults(one.payload()) == [] for one in messages)


@pytest.mark.parametrize("subject", WORST)
@pytest.mark.parametrize("number", [1, 35, 250])
def test_any_number_of_changes_fits_into_messages_that_slack_takes(number: int, subject: str) -> None:
    commits = [
        another_commit(f"{n} {subject}", at=f"2025-10-{n % 28 + 1:02} 12:00", author=(ADA, GRACE)[n % 2])
        for n in range(number)
    ]
    document = changes_document(listing_of(commits))
    (first, *others) = document_messages([document], TEMPLATES)
    assert [faults(one.payload()) for one in (first, *others)] == [[]] * (1 + len(others))
    assert not first.in_thread and all(one.in_thread for one in others)
    text = "\n".join(one.text for one in (first, *others))
    assert len(document.rows) == min(number, MOST_ROWS) and all(row.ref in text for row in document.rows)


def test_markdown_is_given_as_it_is_and_is_broken_between_lines() -> None:
    document = all_lists([commit("Use <!channel> & `x`")])[0]
    (message,) = markdown_messages([document], TEMPLATES)
    leaf = {"type": "text", "text": TEMPLATES.month("markdown", document)}
    preformatted = {"type": "rich_text_preformatted", "elements": [leaf]}
    assert message.blocks == ({"type": "rich_text", "elements": [preformatted]},)
    assert "&lt;!channel" in message.text.replace("\\", "") and "<!channel" not in message.text
    document = all_lists([another_commit(f"Add a mill of the kind {n} & more" * 3) for n in range(200)])[0]
    messages = markdown_messages([document], TEMPLATES)
    assert len(messages) > 1 and all(len(one.text) <= MAX_TEXT for one in messages)
    texts = [one.blocks[0]["elements"][0]["elements"][0]["text"] for one in messages]
    assert "\n".join(texts).split() == TEMPLATES.month("markdown", document).split()


def test_work_of_others_is_not_counted_as_somebody_s_own() -> None:
    """Ada wrote one of three changes and is named in two: that stands beside the list, in no row and no count."""
    both = [commit("Fix a crash (#1)"), commit("Fix a leak (#2)", author=GRACE), commit("Add a lamp", author=GRACE)]
    made = Listing((span(both),), IN_OCTOBER, "UTC", whose="Ada Lovelace")
    document = to_json(changes_document(made))
    assert document["counts"]["changes"] == 1 and [row["by"] for row in document["rows"]] == ["Ada Lovelace"]
    (note,) = [one for one in document["notes"] if "co-author" in one]
    assert note.startswith("Ada Lovelace is named as co-author of 2 changes by others: Add a lamp")
