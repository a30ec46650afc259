"""Lists, comparisons and topics as documents: nothing is dropped, counted wrongly, or said without a commit."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest
from drawn import histories
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, Json, another_commit, commit, indexed, somebody

from bot.errors import AlmanacError
from bot.model import Commit, Person
from bot.month.calendar import Month, MonthRange
from bot.month.facts import FactsContext, MonthFacts, span_facts
from bot.month.histories import by_commit, histories_of
from bot.month.machines import BOTS
from bot.month.names import as_signed
from bot.month.people import by_author
from bot.slack.limits import MAX_TEXT, faults
from bot.slack.messages import document_messages, markdown_messages
from bot.story.comparison import ComparisonSide, comparison_document
from bot.story.digest import month_digest
from bot.story.document_json import documents_of, to_json
from bot.story.lines import span_title
from bot.story.list_documents import Document
from bot.story.listing import MOST_LISTED, Listing, changes_document
from bot.story.render import Templates
from bot.story.shipped import shipped_document
from bot.story.touched import MOST_PEOPLE, TopicActivity, who_document

OCTOBER = Month(2025, 10)
IN_OCTOBER = MonthRange(OCTOBER, OCTOBER)
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]
TEMPLATES = Templates()
WORST = ["Add a mill", "<!channel> & * _ ~ `" * 160, "漢字" * 700, "&" * 3000]


def span(commits: Sequence[Commit], person: Person = ADA, months: MonthRange = IN_OCTOBER) -> MonthFacts:
    return span_facts(
        person,
        months.last,
        months.bounds(UTC_ZONE)[1],
        commits,
        FactsContext(
            UTC_ZONE, REPOSITORIES, INDEXED, by_commit(histories_of(commits)), names=as_signed, dates="author"
        ),
    )


def of_each(commits: Sequence[Commit]) -> list[MonthFacts]:
    theirs = by_author([ADA, GRACE], commits)
    return [span(theirs[one], one) for one in (ADA, GRACE) if one in theirs]


def all_lists(commits: Sequence[Commit]) -> list[Document]:
    """A document of each sort."""
    spans = of_each(commits)
    digest = month_digest(
        "everyone", OCTOBER, [ADA, GRACE], commits, FactsContext(UTC_ZONE, REPOSITORIES, INDEXED), BOTS
    )
    return [
        changes_document(Listing(tuple(spans), IN_OCTOBER, "UTC", to_date=False)),
        comparison_document([ComparisonSide(one.person.name, IN_OCTOBER, one) for one in spans]),
        who_document(TopicActivity("plan", tuple(one for one in spans if one.changes), "UTC", IN_OCTOBER)),
        shipped_document("everyone", IN_OCTOBER, "UTC", to_date=False, digests=[digest]),
    ]


def lines_of(document: Json) -> list[Json]:
    """The lines of a list, in whatever part of it they stand."""
    parts = [one for part in ("people", "sides", "months") for one in document.get(part, ())]
    return [line for part in parts for line in part["items"]]


def messages_of(documents: Sequence[Document], form: str | None = None) -> list[dict[str, object]]:
    return [message.payload() for message in document_messages(documents, TEMPLATES, form=form)]


@given(histories())
def test_whatever_the_history_a_list_has_every_change_once_and_every_commit(commits: list[Commit]) -> None:
    october = [
        one for one in commits if IN_OCTOBER.bounds(UTC_ZONE)[0] <= one.author.at < IN_OCTOBER.bounds(UTC_ZONE)[1]
    ]
    for facts in of_each(october):
        document = to_json(changes_document(Listing((facts,), IN_OCTOBER, "UTC", to_date=False)))
        told = [line for person in document["people"] for line in person["items"]]
        assert sorted(line["id"] for line in told) == sorted(change.id for change in facts.changes)
        assert {sha for line in told for sha in line["evidence"]} == {
            one.sha for one in facts.commits if not one.is_merge
        }
        assert document["counts"]["changes"] == len(told)
        assert [line["at"] for line in told] == sorted((line["at"] for line in told), reverse=True)


@given(histories())
def test_whatever_the_history_every_line_rests_on_commits_that_are_named(commits: list[Commit]) -> None:
    for document in to_json(all_lists(commits)):
        named = {one["sha"] for one in document["commits"]}
        told = [line["evidence"] for line in lines_of(document)]
        told += [one["evidence"] for one in document.get("differences", ())]
        assert all(evidence and set(evidence) <= named for evidence in told)
        assert set(document["headline"]["evidence"]) <= named


@given(histories())
def test_whatever_the_history_the_documents_are_read_again_and_told(commits: list[Commit]) -> None:
    for document in all_lists(commits):
        assert documents_of(json.dumps(to_json(document)), "x") == [document]
        for form in ("text", "markdown", "html"):
            assert document.title.split(",")[0].split(":")[0] in TEMPLATES.month(form, document).replace("\\", "")


@given(st.lists(st.text(max_size=300), min_size=1, max_size=8), st.text(max_size=300))
def test_whatever_git_says_slack_takes_the_messages(subjects: list[str], body: str) -> None:
    commits = [another_commit(one, body=body, author=(ADA, GRACE)[n % 2]) for n, one in enumerate(subjects)]
    assert all(faults(payload) == [] for payload in messages_of(all_lists(commits)))
    assert all(faults(payload) == [] for payload in messages_of(all_lists(commits), "markdown"))


@pytest.mark.parametrize("subject", WORST)
@pytest.mark.parametrize("number", [1, 35, 250])
def test_any_number_of_changes_fits_into_messages_that_slack_takes(number: int, subject: str) -> None:
    commits = [
        another_commit(f"{n} {subject}", at=f"2025-10-{n % 28 + 1:02} 12:00", author=(ADA, GRACE)[n % 2])
        for n in range(number)
    ]
    document = all_lists(commits)[0]
    (first, *others) = document_messages([document], TEMPLATES)
    assert [faults(one.payload()) for one in (first, *others)] == [[]] * (1 + len(others))
    assert not first.in_thread and all(one.in_thread for one in others)
    text = "\n".join(one.text for one in (first, *others))
    assert all(line["evidence"][0][:9] in text for line in lines_of(to_json(document)))


def test_each_sort_is_a_message_with_its_title_and_a_link_to_each_change() -> None:
    commits = [commit("Add a plan (#1)"), commit("Plan it", author=GRACE, repository=WEB)]
    pages = {name: f"https://github.com/{name}" for name in (ENGINE, WEB)}
    for document in all_lists(commits):
        (message,) = document_messages([document], TEMPLATES, pages)
        assert message.text.split("\n")[:3] == [f"*{document.title}*", "", document.headline.text]
        told = json.dumps(message.blocks)
        assert f"{pages[ENGINE]}/pull/1" in told and f"{pages[WEB]}/commit/{commits[1].sha}" in told


def test_markdown_is_given_as_it_is_and_can_be_copied() -> None:
    document = all_lists([commit("Use <!channel> & `x`")])[0]
    (message,) = markdown_messages([document], TEMPLATES)
    text = TEMPLATES.month("markdown", document)
    assert message.blocks == (
        {
            "type": "rich_text",
            "elements": [{"type": "rich_text_preformatted", "elements": [{"type": "text", "text": text}]}],
        },
    )
    assert "&lt;!channel" in message.text.replace("\\", "") and "<!channel" not in message.text


def test_long_markdown_is_broken_between_lines_and_nothing_is_lost() -> None:
    document = all_lists([another_commit(f"Add a mill of the kind {n} & more") for n in range(200)])[0]
    messages = markdown_messages([document], TEMPLATES)
    assert len(messages) > 2 and all(len(one.text) <= MAX_TEXT for one in messages)
    texts = [one.blocks[0]["elements"][0]["elements"][0]["text"] for one in messages]
    assert "\n".join(texts).split() == TEMPLATES.month("markdown", document).split()


def listed(listing: Listing) -> Json:
    return to_json(changes_document(listing))


def on_topic(touched: TopicActivity) -> Json:
    return to_json(who_document(touched))


def numbers(sentence: Json) -> list[int]:
    """The numbers that a sentence says, without those of years."""
    return [int(one) for one in re.findall(r"\b\d{1,3}\b", sentence["text"])]


def sides_of(ours: Sequence[Commit], theirs: Sequence[Commit]) -> Json:
    pairs = (ADA, ours), (GRACE, theirs)
    sides = [ComparisonSide(one.name, IN_OCTOBER, span(commits, one)) for one, commits in pairs]
    return to_json(comparison_document(sides))


def test_work_of_others_is_not_counted_as_somebody_s_own() -> None:
    """Ada signed three changes and wrote one: the list and a comparison say whose the others are."""
    both = [commit("Fix a crash (#1)"), commit("Fix a leak (#2)", author=GRACE), commit("Add a lamp", author=GRACE)]
    document = listed(Listing((span(both),), IN_OCTOBER, "UTC", to_date=False, whose="Ada Lovelace"))
    assert numbers(document["headline"]) == [3, 2, 1, 2]  # changes; fixes and another; others'
    assert [one["by"] for one in document["people"][0]["items"]].count("Grace Hopper") == 2
    fixes = Listing((span(both),), IN_OCTOBER, "UTC", to_date=False, kinds=("fix",), whose="Ada Lovelace")
    assert numbers(listed(fixes)["headline"]) == [2, 1]
    compared = sides_of(both, both[1:])
    assert numbers(compared["headline"]) == [1, 2]
    assert [set(one["evidence"]) for one in compared["differences"]] == [{one.sha for one in both[1:]}]  # in common


def test_a_comparison_names_what_only_one_side_has_and_not_where_a_side_is_empty() -> None:
    ours = [commit("Add a mill", paths=["src/mill.rs"]), commit("Add a bell", repository=WEB)]
    theirs = [commit("Add a lamp", author=GRACE)]
    (places,) = sides_of(ours, theirs)["differences"]
    assert [places["text"].count(name) for name in (ENGINE, WEB, "Ada Lovelace", "Grace Hopper")] == [1, 1, 1, 0]
    assert set(places["evidence"]) == {one.sha for one in (*ours, *theirs)}
    assert sides_of(ours, [])["differences"] == []


def test_a_line_tells_what_became_of_its_change() -> None:
    work = commit("Add a mill")
    out = commit(f'Revert "{work.subject}"', at="2025-10-09 12:00", body=f"This reverts commit {work.sha}.")
    document = listed(Listing((span([work, out]),), IN_OCTOBER, "UTC", to_date=False, kinds=("revert",)))
    (line,) = document["people"][0]["items"]
    assert [step["sha"] for step in line["steps"]] == [work.sha, out.sha]
    assert out.sha[:9] in line["text"]


def test_who_comes_first_is_who_had_most_to_do_with_it() -> None:
    commits = [commit("Add a plan", at="2025-10-09 12:00"), commit("Plan b", at="2025-10-10 12:00", author=GRACE)]
    commits += [another_commit(f"Plan {n}", at="2025-10-02 12:00") for n in range(5)]
    document = to_json(all_lists(commits))[2]
    assert [(one["name"], one["counts"]["changes"]) for one in document["people"]] == [
        ("Ada Lovelace", 6), ("Grace Hopper", 1),
    ]  # fmt: skip


def test_of_a_list_that_is_cut_off_nobody_stands_without_a_line() -> None:
    """Whose changes are all older than those shown is left out, and the others keep their headings."""
    commits = [another_commit(f"Add a mill {n}", at=f"2025-10-09 {n // 60:02}:{n % 60:02}") for n in range(MOST_LISTED)]
    old = commit("Add a lamp", at="2025-10-01 12:00", author=GRACE)
    document = changes_document(Listing(tuple(of_each([*commits, old])), IN_OCTOBER, "UTC", to_date=False))
    assert [(one.name, len(one.items)) for one in document.people] == [("Ada Lovelace", MOST_LISTED)]
    assert numbers({"text": document.notes[0]}) == [1]
    for form in ("text", "markdown", "html"):
        assert "Ada Lovelace" in TEMPLATES.month(form, document)


def test_a_kind_that_is_not_sure_is_said_only_where_kinds_are_asked_for() -> None:
    made = (span([commit("Add a mill"), commit("Fix a crash (#1)")]),)
    of_all, of_some = (
        listed(Listing(made, IN_OCTOBER, "UTC", to_date=False, kinds=kinds)) for kinds in ((), ("fix", "feature"))
    )
    assert "not sure" not in json.dumps(of_all) and "feature" not in of_all["headline"]["text"]
    assert {line["title"]: "ix, " in line["text"] for line in lines_of(of_all)} == {
        "Add a mill": False, "Fix a crash": True,
    }  # fmt: skip
    assert ["(not sure)" in line["text"] for line in lines_of(of_some)].count(True) == 1


def test_what_says_the_topic_in_its_title_goes_before_what_only_its_body_says() -> None:
    commits = [another_commit(f"Tidy {n}", at=f"2025-10-{20 + n} 12:00", body="of the plan") for n in range(4)]
    document = to_json(all_lists([*commits, commit("Add a plan", at="2025-10-01 12:00")]))[2]
    assert [line["title"] for line in document["people"][0]["items"]] == ["Tidy 3", "Tidy 2", "Add a plan"]


def test_of_many_people_those_with_most_are_shown_and_the_rest_is_counted() -> None:
    people = [somebody(f"Person{n:02} Poe") for n in range(40)]
    spans = [span([commit("Plan", at=f"2025-10-02 12:{n:02}", author=one)], one) for n, one in enumerate(people)]
    document = on_topic(TopicActivity("plan", tuple(spans), "UTC"))
    assert (document["counts"]["people"], len(document["people"])) == (40, MOST_PEOPLE)
    assert numbers({"text": document["notes"][0]}) == [40 - MOST_PEOPLE]


def test_months_are_called_as_people_call_them() -> None:
    spans = (("2025-10", "2025-10"), ("2025-08", "2025-10"), ("2024-11", "2025-01"))
    assert [span_title(MonthRange(Month.parse(first), Month.parse(last))) for first, last in spans] == [
        "October 2025", "August to October 2025", "November 2024 to January 2025",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sort": "ranking"}, "sort must be one of changes, comparison, who, shipped, not"),
        ({"people": "x"}, "people must be a list, not"),
        ({"commits": [{"repository": "x", "sha": "y", "author_date": "z"}]}, "commits[0].sha must be a full SHA"),
    ],
)
def test_a_list_that_is_none_is_refused_with_the_place(change: Json, message: str) -> None:
    document = to_json(all_lists([commit("Add a plan")])[0]) | change
    with pytest.raises(AlmanacError, match=re.escape(message)):
        documents_of(json.dumps(document), "x")
