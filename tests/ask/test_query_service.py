"""Questions become answers, from what the index holds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from builders import query_service
from values import ADA, ENGINE, GRACE, WEB, another_commit, commit, somebody

from bot.ask.answers import Reply, answered, understood
from bot.ask.known import Thread
from bot.ask.queries import MOST_MONTHS, Queries
from bot.ask.question import Question
from bot.commands.asking import rendered
from bot.model import Commit
from bot.month.calendar import Days, Month
from bot.settings import PersonSettings
from bot.story.documents import to_json

OCTOBER = Month(2025, 10)
IN_OCTOBER = Days.of(OCTOBER)
DAVE_KIM, DAVE_OKAFOR = somebody("Dave Kim", "dkim@example.com"), somebody("Dave Okafor", "dokafor@example.com")
SAM_THEN, SAM_NOW = somebody("Sam Poe", "sam@then.example"), somebody("Sam Poe", "sam@now.example")
BOT = somebody("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com")


COMMITS = [
    commit("Add a cache (#1)", at="2025-10-03 12:00"),
    commit("Fix the cache (#2)", at="2025-10-04 12:00"),
    commit("Add a page", at="2025-08-04 12:00", repository=WEB),
    commit("Add a light", at="2025-10-05 12:00", author=GRACE, repository=WEB),
    commit("Add a lamp", at="2025-10-06 12:00", author=DAVE_KIM),
    commit("Add a lantern", at="2025-07-06 12:00", author=DAVE_OKAFOR),
    commit("Add sun", at="2024-05-06 12:00", author=SAM_THEN),
    commit("Add moon", at="2025-10-06 12:00", author=SAM_NOW),
    commit("Bump x from 1 to 2", at="2025-10-07 12:00", author=BOT, paths=["Cargo.lock"]),
    commit("Written at half past midnight in Berlin", at="2025-08-31 22:30", author=GRACE),
]


def almanac_of(path: Path, commits: list[Commit], zone: str = "UTC", **more: object) -> Queries:
    """There are two of one name here."""
    return query_service(path, commits, **{"join_people": "addresses only", "zone": ZoneInfo(zone), **more})


@pytest.fixture
def almanac(tmp_path: Path) -> Queries:
    return almanac_of(tmp_path, COMMITS)


def ask(almanac: Queries, text: str, thread: Thread | None = None) -> Reply:
    question = understood(almanac, text, asker=ADA, thread=thread)
    return answered(almanac, question, thread)


def told(reply: Reply) -> list[tuple[str, str, list[str]]]:
    return [
        (document.person.name, document.month, [change.subject for change in document.changes])
        for document in reply.documents
    ]


def test_many_months_are_cut_and_everybody_who_was_asked_for_is_told(tmp_path: Path) -> None:
    commits = [
        another_commit(f"Add {number}", at=f"{2024 + number // 12}-{number % 12 + 1:02}-05 12:00", author=author)
        for number in range(20)
        for author in (ADA, GRACE)
    ]
    almanac = almanac_of(tmp_path, commits)
    reply = ask(almanac, "ada since 2024")
    assert len(reply.documents) == MOST_MONTHS
    said = "8 older months left out, back to January 2024; ask for them by name."
    assert said in reply.documents[0].notes
    both = ask(almanac, "ada and grace since 2024")
    assert [name for name, _, _ in told(both)] == ["Ada Lovelace", "Grace Hopper"]  # of all of it, side by side


def test_what_is_on_nothing_in_its_time_is_told_of_any_time_or_of_all_of_somebody_and_said(almanac: Queries) -> None:
    ever = ask(almanac, "anything on the cache in july 2024")
    assert ever.first.startswith("any time · “cache”") and ever.first.endswith("July 2024: nothing")
    assert [one.title for one in ever.documents[0].rows] == ["Fix the cache", "Add a cache"]
    whole = ask(almanac, "what did ada do on lanterns in october 2025")
    assert whole.first == "Ada Lovelace · October 2025 · nothing on “lanterns”"
    assert whole.documents[0].counts["changes"] == 2


@pytest.mark.parametrize("asked, first, told", [
    ("sha1 changes in july 2024", "any time · “sha1 OR sha-1” · July 2024: nothing", 2),
    ("who worked on sha1 in july 2024", "any time · “sha1 OR sha-1” · July 2024: nothing", 2),
    ("what did ada do on sha1 in october 2025", "Ada Lovelace · October 2025 · nothing on “sha1 OR sha-1”", 1),
    ("parser changes without sha-1", "any time (no time named) · “parser” · without sha-1 and sha1", 1),
])  # fmt: skip
def test_a_topic_of_two_spellings_is_told_and_left_out_as_one_is(
    tmp_path: Path, asked: str, first: str, told: int
) -> None:
    said = ("Pass sha1 of the cache to the parser", "Use sha-1 in the cache", "Tune the parser")
    late = [commit("Rename the cache", at="2025-10-07 12:00")]
    almanac = almanac_of(tmp_path, [*(commit(one, at="2024-10-07 12:00") for one in said), *late])
    reply = ask(almanac, asked)
    assert (reply.first, reply.documents[0].counts["changes"]) == (first, told)


def test_where_all_is_left_out_it_is_said_who_was(almanac: Queries) -> None:
    (document,) = ask(almanac, "who worked on the cache without ada").documents
    assert (document.counts["changes"], document.notes) == (0, ("Left out: Ada Lovelace.",))


def test_two_times_stay_two_in_what_is_asked_on(almanac: Queries) -> None:
    first = ask(almanac, "compare ada in august and october 2025")
    then = ask(almanac, "and how many fixes?", first.thread)
    assert [one.counts["changes"] for one in then.documents] == [0, 1]
    assert [one.counts["changes"] for one in ask(almanac, "how many releases in july vs june 2025").documents] == [0, 0]


def test_those_of_one_and_the_same_name_are_told_as_one_which_is_said(almanac: Queries) -> None:
    reply = ask(almanac, "sam in october")
    (document,) = reply.documents
    assert document.person.addresses == ("sam@now.example", "sam@then.example")
    assert reply.first == "Sam Poe · October 2025 · both of the name Sam Poe"
    assert ask(almanac, "what shipped in october without sam").first.endswith(
        "without Sam Poe · both of the name Sam Poe"
    )


def test_a_slack_id_in_almanac_toml_is_that_person_at_the_command_line_too(tmp_path: Path) -> None:
    """`almanac ask "<@U02GRACE> in october"` and `--as U02GRACE` need no Slack."""
    table = PersonSettings(name="Grace Hopper", addresses=["grace@example.com"], slack="U02GRACE")
    almanac = almanac_of(tmp_path, COMMITS, people=[table])
    assert understood(almanac, "<@u02grace|grace>'s october").people == ("Grace Hopper",)
    said = [almanac.person(name, IN_OCTOBER).name for name in ("U02GRACE", "<@U02GRACE>", "u02grace", "grace")]
    assert said == ["Grace Hopper"] * 4
    assert understood(almanac, "<@U0NOBODY> in october").intent == "unknown"


def test_of_kinds_of_which_there_are_none_no_more_is_denied(almanac: Queries) -> None:
    """There are changes in October, none of which touches documents alone."""
    for text, said in {
        "docs-only changes in october": "There are no documentation changes in October 2025.",
        "ada's docs-only changes in october": "There are no documentation changes by Ada Lovelace in October 2025.",
    }.items():
        assert ask(almanac, text).documents[0].headline.text == said  # type: ignore[union-attr]


def test_what_is_asked_of_those_is_told_of_the_changes_that_were_listed(almanac: Queries) -> None:
    """By their hashes, not by what was asked before: of the two largest, not of all of October."""
    latest = ask(almanac, "the 2 latest changes in october")
    makers = ask(almanac, "who made them?", latest.thread)
    (document,) = makers.documents
    assert sorted(one.name for one in document.people) == ["Dave Kim", "Sam Poe"]  # type: ignore[union-attr]
    theirs = ask(almanac, "which of those are dave kim's?", latest.thread)
    assert [row.title for row in theirs.documents[0].rows] == ["Add a lamp"]  # type: ignore[union-attr]
    assert ask(almanac, "which of those are on cobwebs?", latest.thread).documents == ()
    none = ask(almanac, "which of those are ada's?", latest.thread)
    assert none.documents[0].headline.text == "There are no changes by Ada Lovelace among these."  # type: ignore[union-attr]
    assert none.choices == ()  # no time is another for them
    largest = ask(almanac, "the 2 largest changes in october")  # of more, which were not asked for
    assert ask(almanac, "who made them?", largest.thread).question.references == largest.thread.listed  # type: ignore[union-attr]


def test_a_bot_is_found_by_its_name_without_its_mark(almanac: Queries) -> None:
    (document,) = ask(almanac, "how many commits did dependabot make in october").documents
    assert [row.title for row in document.rows] == ["Bump x from 1 to 2"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("asked", "titles"),
    [
        (Question("compare", repositories=(ENGINE, WEB), span=Days.of(OCTOBER)), [ENGINE, WEB]),
        (Question("compare", ends=(Days.of(Month(2025, 9)), Days.of(OCTOBER))), ["everyone", "everyone"]),
        (
            Question("compare", people=("Ada Lovelace", "Grace Hopper"), span=Days.parse("2025-08", "2025-10")),
            ["Ada Lovelace", "Grace Hopper"],
        ),
        (Question("compare", repositories=(ENGINE, WEB), kinds=("fix",), span=Days.of(OCTOBER)), [ENGINE, WEB]),
    ],
)
def test_what_is_compared_is_one_document_a_side(almanac: Queries, asked: Question, titles: list[str]) -> None:
    sides = [to_json(one) for one in answered(almanac, asked).documents]
    assert len(sides) == len(titles)
    for one, title in zip(sides, titles, strict=True):
        assert title in str(one.get("digest") or one.get("title") or one["person"])


def test_a_count_beside_a_count_is_a_sentence_a_side(almanac: Queries) -> None:
    sides = [to_json(one) for one in ask(almanac, "how many commits did ada make in august vs october").documents]
    assert [(side["counts"]["changes"], side["rows"]) for side in sides] == [(1, []), (2, [])]


@pytest.mark.parametrize("what", ["contributors", "new contributors", "changes", "commits", "files changed", "fixes"])
def test_two_numbers_of_two_times_are_those_that_are_told_of_each_alone(almanac: Queries, what: str) -> None:
    sides = [to_json(one) for one in ask(almanac, f"how many {what} in august vs october").documents]
    alone = [to_json(ask(almanac, f"how many {what} in {month}").documents[0]) for month in ("august", "october")]
    assert [one["headline"] for one in sides] == [one["headline"] for one in alone]
    assert sides[0]["headline"] != sides[1]["headline"]
    assert [one["counts"] for one in sides] == [one["counts"] for one in alone]


def test_two_letters_are_the_folder_that_is_called_so(tmp_path: Path) -> None:
    made = [commit("Mend it", at="2025-10-04 12:00", paths=["crates/ty/a.rs"]), commit("Add ty", at="2025-10-05 12:00")]
    almanac = almanac_of(tmp_path, made)
    assert ask(almanac, "what changed in ty in october").question.topic == "ty"


@pytest.mark.parametrize(
    ("text", "has_help"),
    [
        ("help", True),
        ("hello!", True),
        ("fhqwhgads", True),
        ("who is the best developer?", False),
        ("delete grace's commits", False),
        ("what did Nobody Nowhere do in october?", False),
        ("grace in acme/nowhere", False),
        ("compare", False),
        ("link me", False),
        ("post it every monday", False),
    ],
)
def test_a_refusal_is_one_line_and_the_help_is_for_who_is_lost(almanac: Queries, text: str, has_help: bool) -> None:
    reply = ask(almanac, text)
    shown = rendered(almanac.settings, [replace(reply, choices=())], "text", almanac)
    assert (reply.help, "\n" in shown) == (has_help, has_help)


@pytest.mark.parametrize("intent", ["month", "profile", "compare", "explain", "no such intent"])
def test_a_question_that_says_too_little_is_answered_in_words(almanac: Queries, intent: str) -> None:
    """As a button may hold that somebody has tampered with."""
    reply = answered(almanac, Question(intent, span=Days.of(OCTOBER)))
    assert (reply.documents, bool(reply.words)) == ((), intent != "no such intent")


def test_behind_what_was_asked_of_those_a_follow_up_keeps_whom_it_was_about(almanac: Queries) -> None:
    about = ask(almanac, "what did ada do in october?").thread
    fixes = ask(almanac, "which of those are fixes?", about).thread
    assert fixes and Thread.of(fixes.document()) == fixes
    assert ask(almanac, "and in september?", fixes).question == Question(
        "changes", ("Ada Lovelace",), Days.of(Month(2025, 9)), kinds=("fix",)
    )
    assert ask(almanac, "and the month before?", fixes).question.span == Days.of(Month(2025, 9))
    both = ask(almanac, "who made those?", about).thread
    assert ask(almanac, "which release are they in?", both).question.intent == "explain"  # they are changes
    all_of_them = ask(almanac, "show the fixes of october").thread
    makers = ask(almanac, "who made those?", all_of_them).thread
    assert ask(almanac, "only ada", makers).question == Question(
        "changes", ("Ada Lovelace",), Days.of(IN_OCTOBER), kinds=("fix",)
    )


def test_those_are_told_of_as_far_as_they_are_in_the_repositories_that_are_asked_for(almanac: Queries) -> None:
    latest = ask(almanac, "the 5 latest changes in october").thread
    theirs = ask(almanac, "which of those are in acme/web?", latest)
    assert [row.title for row in theirs.documents[0].rows] == ["Add a light"]  # type: ignore[union-attr]
    ours = ask(almanac, "what did dave kim do in october?").thread
    none = ask(almanac, "which of those are in acme/web?", ours)
    assert none.documents[0].counts["changes"] == 0  # type: ignore[union-attr]


def test_commits_that_are_named_are_told_in_their_own_time_only(almanac: Queries) -> None:
    """As a model or an agent may ask for both."""
    said = {span: almanac.changes(span=span, references=["#2"]).counts["changes"] for span in ("2025-10", "2025-09")}
    assert said == {"2025-10": 1, "2025-09": 0}


def test_those_show_nothing_of_repositories_that_a_reader_may_not_see(almanac: Queries) -> None:
    latest = ask(almanac, "the 5 latest changes in october").thread
    there = replace(almanac, hidden=frozenset(["acme/web"]))
    (document,) = ask(there, "who made those?", latest).documents
    assert "Add a light" not in json.dumps(to_json(document)) and "Grace" not in json.dumps(to_json(document))
    assert "1 change of these cannot be found." in document.notes
    of_grace = ask(almanac, "what did grace do in october?").thread
    assert ask(there, "who made those?", of_grace).documents == ()


def test_of_a_thread_of_0_3_0_nobody_knows_whether_all_of_it_was_kept() -> None:
    kept = {"person": None, "from": "2025-10", "to": "2025-10", "repos": [], "intent": "what_shipped", "listed": ["1a"]}
    assert Thread.of(kept).is_cut and not Thread.of({**kept, "cut": False}).is_cut
