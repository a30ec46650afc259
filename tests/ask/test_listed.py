"""Lists of changes, comparisons, who worked on what, and several months of everyone, from what the index holds."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from builders import query_service
from values import ADA, ENGINE, GRACE, INDEXED, WEB, another_commit, changed, commit, sha_of, somebody

from bot.ask.known import Thread
from bot.ask.query_service import QueryService, Reply
from bot.ask.question import Choice, Question
from bot.ask.replies import MOST_MONTHS
from bot.month.calendar import Days, Month, MonthRange
from bot.settings import Settings
from bot.settings_tables import TeamSettings
from bot.story.document_json import documents_of, to_json
from bot.story.list_documents import LISTS
from bot.story.render import Templates

AUGUST, SEPTEMBER, OCTOBER = Month(2025, 8), Month(2025, 9), Month(2025, 10)
IN_OCTOBER = MonthRange(OCTOBER, OCTOBER)
DAVE, OTHER_ADA = somebody("Dave Kim", "dkim@example.com"), somebody("Ada Lovelace", "ada@other.example")
BOT = somebody("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com")

CACHE = commit("Add a cache (#1)", at="2025-10-03 12:00", paths=["src/cache.py"])
CRASH = commit("Fix a crash in the parser (#2)", at="2025-10-05 12:00", paths=["src/parser.py", "tests/test_parser.py"])
LAMP = commit("Add a lamp (#3)", at="2025-10-06 12:00", paths=["src/lamp.py"])
UNDONE = commit(
    "Back out the lamp",
    at="2025-10-08 12:00",
    author=GRACE,
    body=f"This reverts commit {LAMP.sha}.",
    paths=["src/lamp.py"],
)
PAGE = commit(
    "Fix a page that stayed empty (#4)", at="2025-10-09 12:00", author=GRACE, repository=WEB, paths=["page.ts"]
)
LIGHT = commit("Add a light (#5)", at="2025-08-09 12:00", paths=["src/light.py"])
COMMITS = [CACHE, CRASH, LAMP, UNDONE, PAGE, LIGHT]


@pytest.fixture
def almanac(tmp_path: Path) -> QueryService:
    return query_service(tmp_path, COMMITS)


def in_october(intent: str, *people: str, **more: Any) -> Question:
    return Question(intent, people, Days.of(OCTOBER), **more)


def printed(reply: Reply) -> list[Any]:
    """The documents of a reply, as JSON has them."""
    return [to_json(one) for one in reply.documents]


def lines(reply: Reply) -> list[tuple[str, list[tuple[str, str]]]]:
    """Who is shown, with the titles of what they did and what is said of it."""
    (document,) = printed(reply)
    return [
        (person["called"], [(item["title"], item["text"]) for item in person["items"]]) for person in document["people"]
    ]


def headline(reply: Reply) -> str:
    return str(printed(reply)[0]["headline"]["text"])


def in_every_form(reply: Reply) -> None:
    """The documents stand what anybody may do to them: written, read again, and shown in every form."""
    templates = Templates()
    for document in reply.documents:
        assert documents_of(json.dumps(to_json(document)), "x") == [document]
        named = {item["ref"] for part in to_json(document).get("people", []) for item in part["items"]}
        for form in ("text", "markdown", "html"):
            told = templates.month(form, document, {ENGINE: f"https://github.com/{ENGINE}"})
            assert all(ref in told for ref in named)


class TestChanges:
    def test_of_one_kind_are_listed_with_what_became_of_them(self, almanac: QueryService) -> None:
        reply = almanac.reply(in_october("changes", "Ada Lovelace", kinds=("fix",)))
        assert headline(reply) == "1 fix by Ada Lovelace in October 2025 in acme/engine."
        assert lines(reply) == [("Ada Lovelace", [("Fix a crash in the parser", "Fix, 5 October 2025.")])]
        assert printed(reply)[0]["people"][0]["items"][0]["evidence"] == [CRASH.sha]
        assert reply.thread == Thread("Ada Lovelace", Days.of(IN_OCTOBER))
        in_every_form(reply)

    def test_are_told_newest_first_and_not_by_weight(self, almanac: QueryService) -> None:
        reply = almanac.reply(in_october("changes", "Ada Lovelace"))
        assert [title for title, _ in lines(reply)[0][1]] == ["Add a lamp", "Fix a crash in the parser", "Add a cache"]
        assert printed(reply)[0]["counts"] == {
            "commits": 3, "changes": 3, "landed": 2, "backed_out": 1, "relanded": 0,
        }  # fmt: skip

    def test_of_several_people_stand_under_their_names_as_they_were_asked_for(self, almanac: QueryService) -> None:
        reply = almanac.reply(in_october("changes", "Grace Hopper", "Ada Lovelace", kinds=("fix", "performance")))
        assert (
            headline(reply) == "2 fixes by Grace Hopper and Ada Lovelace in October 2025 in acme/engine and acme/web."
        )
        assert [name for name, _ in lines(reply)] == ["Grace Hopper", "Ada Lovelace"]
        in_every_form(reply)

    def test_of_everyone_are_told_without_machines(self, tmp_path: Path) -> None:
        bump = commit("Bump x from 1 to 2", at="2025-10-07 12:00", author=BOT, paths=["Cargo.lock"])
        reply = query_service(tmp_path, [*COMMITS, bump]).reply(in_october("changes", kinds=("fix",)))
        assert [name for name, _ in lines(reply)] == ["Ada Lovelace", "Grace Hopper"]
        assert headline(reply).startswith("2 fixes by 2 people in October 2025")
        assert "Bots: 1 commit by 1 account." in printed(reply)[0]["notes"]

    def test_of_a_repository_are_those_alone(self, almanac: QueryService) -> None:
        reply = almanac.reply(in_october("changes", kinds=("fix",), repositories=(WEB,)))
        assert lines(reply) == [("Grace Hopper", [("Fix a page that stayed empty", "Fix, 9 October 2025.")])]
        assert printed(reply)[0]["title"] == "acme/web, October 2025: fixes"

    def test_of_a_team_are_those_of_its_people(self, tmp_path: Path) -> None:
        teams = [TeamSettings(name="engine", people=["Grace Hopper"])]
        almanac = query_service(tmp_path, COMMITS, teams=teams)
        assert [name for name, _ in lines(almanac.reply(in_october("changes", topic="engine")))] == ["Grace Hopper"]
        reply = almanac.reply(in_october("changes", topic="engines"))
        assert reply.words == "There is no team called “engines”; there is engine."

    def test_of_a_kind_that_there_is_none_of_say_what_there_is(self, almanac: QueryService) -> None:
        asked = in_october("changes", "Ada Lovelace", kinds=("docs",))
        reply = almanac.reply(asked)
        assert headline(reply) == (
            "There are no documentation changes among the 3 changes by Ada Lovelace in October 2025: "
            "they are 2 features and 1 fix."
        )
        assert printed(reply)[0]["headline"]["evidence"] == [CACHE.sha, CRASH.sha, LAMP.sha]
        assert reply.choices == (
            Choice("2 features", replace(asked, kinds=("feature",))),
            Choice("1 fix", replace(asked, kinds=("fix",))),
        )

    def test_of_an_empty_month_offer_the_nearest_active_ones(self, almanac: QueryService) -> None:
        asked = Question("changes", ("Ada Lovelace",), Days.of(SEPTEMBER), kinds=("fix",))
        reply = almanac.reply(asked)
        assert headline(reply) == "Ada Lovelace has no changes in September 2025."
        assert printed(reply)[0]["notes"] == ["The nearest active months are August 2025 and October 2025."]
        assert reply.choices == tuple(
            Choice(month.title, replace(asked, span=Days.of(month))) for month in (AUGUST, OCTOBER)
        )

    def test_the_largest_come_first_whoever_made_them(self, tmp_path: Path) -> None:
        sizes = {
            "Add a mill": (ADA, 40),
            "Add a wheel": (GRACE, 300),
            "Add a spring": (ADA, 30),
            "Add a dam": (GRACE, 5),
        }
        made = [
            commit(title, at="2025-10-07 12:00", author=author, paths=[changed("src/x.py", number, 1)])
            for title, (author, number) in sizes.items()
        ]
        tests = commit("Test it", at="2025-10-07 12:00", paths=[changed("tests/test_x.py", 900)])
        almanac = query_service(tmp_path, [*made, tests])
        reply = almanac.reply(in_october("changes", kinds=("largest",)))
        assert [(name, [title for title, _ in theirs]) for name, theirs in lines(reply)] == [
            ("Grace Hopper", ["Add a wheel"]), ("Ada Lovelace", ["Add a mill", "Add a spring"]),
            ("Grace Hopper", ["Add a dam"]), ("Ada Lovelace", ["Test it"]),
        ]  # fmt: skip
        assert lines(reply)[0][1][0][1] == "+300 −1 lines of code, 7 October 2025."
        assert lines(reply)[-1][1][0][1] == "+900 −1 lines, 7 October 2025."
        in_every_form(reply)
        of_ada = almanac.reply(in_october("changes", "Ada Lovelace", kinds=("largest",)))
        assert [title for title, _ in lines(of_ada)[0][1]] == ["Add a mill", "Add a spring", "Test it"]

    def test_the_largest_are_at_most_ten_of_the_kinds_that_are_asked_for(self, tmp_path: Path) -> None:
        fixes = [
            another_commit(f"Fix a crash {n}", at="2025-10-07 12:00", paths=[changed("a.c", n + 9)]) for n in range(12)
        ]
        almanac = query_service(tmp_path, [*COMMITS, *fixes])
        reply = almanac.reply(in_october("changes", "Ada Lovelace", kinds=("fix", "largest")))
        ((_, theirs),) = lines(reply)
        assert [title for title, _ in theirs] == [f"Fix a crash {n}" for n in range(11, 1, -1)]
        assert printed(reply)[0]["counts"]["changes"] == 13
        assert not any("older" in note for note in printed(reply)[0]["notes"])

    def test_that_were_taken_out_are_listed_with_who_did_it(self, almanac: QueryService) -> None:
        reply = almanac.reply(in_october("changes", "Ada Lovelace", kinds=("revert",)))
        assert headline(reply) == "1 of 3 changes by Ada Lovelace in October 2025 was backed out."
        ((title, text),) = lines(reply)[0][1]
        assert title == "Add a lamp"
        assert text.endswith(f". 6 Oct landed → 8 Oct backed out by Grace Hopper ({UNDONE.sha[:9]}).")

    def test_that_take_others_out_are_reverts(self, almanac: QueryService) -> None:
        reply = almanac.reply(in_october("changes", "Grace Hopper", kinds=("revert",)))
        assert headline(reply) == "1 revert by Grace Hopper in October 2025."
        assert [title for title, _ in lines(reply)[0][1]] == ["Back out the lamp"]

    def test_that_were_taken_out_when_the_month_was_over_are_among_them(self, tmp_path: Path) -> None:
        out = commit("Revert it", at="2025-11-02 12:00", author=GRACE, body=f"This reverts commit {CACHE.sha}.")
        reply = query_service(tmp_path, [CACHE, CRASH, out]).reply(
            in_october("changes", "Ada Lovelace", kinds=("revert",))
        )
        assert headline(reply) == "1 of 2 changes by Ada Lovelace in October 2025 was backed out."
        ((title, text),) = lines(reply)[0][1]
        assert title == "Add a cache"
        assert text.endswith(f". 3 Oct landed → 2 Nov backed out by Grace Hopper ({out.sha[:9]}).")

    def test_of_which_none_was_reverted_are_counted(self, tmp_path: Path) -> None:
        asked = in_october("changes", "Ada Lovelace", kinds=("revert",))
        reply = query_service(tmp_path, [CACHE, CRASH]).reply(asked)
        assert headline(reply) == (
            "None of the 2 changes by Ada Lovelace in October 2025 was backed out, and none reverts another one."
        )
        assert reply.choices == (Choice("All 2 changes", replace(asked, kinds=())),)

    def test_of_several_months_are_each_told_once(self, tmp_path: Path) -> None:
        again = commit("Add a lamp (#9)", at="2025-11-01 12:00", body=f"Reland of #3.\n\nThis relands {LAMP.sha}.")
        almanac = query_service(tmp_path, [*COMMITS, again])
        reply = almanac.reply(Question("changes", ("Ada Lovelace",), Days.of(MonthRange(AUGUST, Month(2025, 11)))))
        ids = [item["id"] for item in printed(reply)[0]["people"][0]["items"]]
        assert len(ids) == len(set(ids))
        assert headline(reply).startswith(f"{len(ids)} changes by Ada Lovelace from August to November 2025 so far")

    def test_more_than_a_list_holds_are_counted(self, tmp_path: Path) -> None:
        commits = [another_commit(f"Add {n}", at=f"2025-10-{n % 28 + 1:02} 12:00") for n in range(230)]
        (document,) = printed(query_service(tmp_path, commits).reply(in_october("changes", "Ada Lovelace")))
        told, every = len(document["people"][0]["items"]), document["counts"]["changes"]
        assert told < every == 230
        assert document["notes"][0].startswith(f"{every - told} older changes are left out of this list")

    def test_that_were_hidden_by_hand_are_not_told(self, almanac: QueryService) -> None:
        almanac.store.corrections.add([CRASH.sha], "hidden", "yes", "Ada Lovelace", INDEXED)
        reply = almanac.reply(in_october("changes", "Ada Lovelace", kinds=("fix",)))
        assert headline(reply).startswith("There are no fixes among the 2 changes")
        assert "1 change is left out at the wish of its author." in printed(reply)[0]["notes"]
        assert CRASH.sha not in json.dumps(printed(reply)[0])

    def test_in_repositories_that_are_not_for_the_reader_are_only_counted(self, almanac: QueryService) -> None:
        reply = replace(almanac, hidden=frozenset({ENGINE})).reply(in_october("changes", "Grace Hopper"))
        assert [title for title, _ in lines(reply)[0][1]] == ["Fix a page that stayed empty"]
        assert printed(reply)[0]["notes"] == [
            "1 change in repositories that are not for this channel is left out."
        ]  # fmt: skip


class TestReviews:
    REVIEWED = commit("Add a mill (#7)", at="2025-10-07 12:00", body="Reviewed-by: Grace Hopper <grace@example.com>")
    TESTED = commit("Add a wheel (#8)", at="2025-10-07 13:00", body="Tested-by: Grace Hopper <grace@example.com>")
    BY_DAVE = commit(
        "Fix the mill", at="2025-10-10 12:00", author=DAVE, repository=WEB,
        body="Reviewed-by: Grace Hopper <grace@example.com>",
    )  # fmt: skip

    def test_are_others_changes_under_their_names(self, tmp_path: Path) -> None:
        almanac = query_service(tmp_path, [*COMMITS, self.REVIEWED, self.TESTED, self.BY_DAVE])
        reply = almanac.reply(in_october("changes", "Grace Hopper", kinds=("review",)))
        assert (
            headline(reply)
            == "Grace Hopper reviewed 2 changes by 2 people in October 2025 in acme/engine and acme/web."
        )
        assert [(name, [title for title, _ in theirs]) for name, theirs in lines(reply)] == [
            ("Ada Lovelace", ["Add a mill"]), ("Dave Kim", ["Fix the mill"]),
        ]  # fmt: skip
        assert reply.thread == Thread("Grace Hopper", Days.of(IN_OCTOBER))
        in_every_form(reply)
        here = almanac.reply(in_october("changes", "Grace Hopper", kinds=("review",), repositories=(WEB,)))
        assert [name for name, _ in lines(here)] == ["Dave Kim"]
        assert headline(here) == "Grace Hopper reviewed 1 change by Dave Kim in October 2025 in acme/web."

    def test_where_no_commit_names_somebody_it_is_said(self, almanac: QueryService) -> None:
        reply = almanac.reply(in_october("changes", "Grace Hopper", kinds=("review",)))
        assert headline(reply) == "No commit in October 2025 names Grace Hopper as its reviewer."
        in_every_form(reply)

    def test_reviewers_and_co_authors_are_named_with_what_they_had_a_part_in(self, tmp_path: Path) -> None:
        theirs = "Reviewed-by: Grace Hopper <grace@example.com>\nCo-authored-by: Dave Kim <dkim@example.com>"
        together = commit("Add a spring", at="2025-10-11 12:00", body=theirs)
        almanac = query_service(tmp_path, [*COMMITS, self.REVIEWED, self.BY_DAVE, together])
        reply = almanac.reply(in_october("who", "Ada Lovelace"))
        assert (
            headline(reply) == "2 people reviewed or co-wrote 2 changes by Ada Lovelace in October 2025 in acme/engine."
        )
        assert [(name, [title for title, _ in theirs]) for name, theirs in lines(reply)] == [
            ("Grace Hopper", ["Add a spring", "Add a mill"]), ("Dave Kim", ["Add a spring"]),
        ]  # fmt: skip
        in_every_form(reply)
        of_dave = almanac.reply(in_october("who", "Dave Kim"))  # of whose changes one is hers, which he helped to write
        assert headline(of_dave).startswith("2 people reviewed or co-wrote 2 changes by Dave Kim")
        alone = almanac.reply(Question("who", ("Ada Lovelace",), Days.of(AUGUST)))
        assert (
            headline(alone) == "No commit by Ada Lovelace in August 2025 names another author as reviewer or co-author."
        )
        in_every_form(alone)

    def test_reviewers_are_of_a_topic_where_one_is_named(self, tmp_path: Path) -> None:
        spring = commit("Add a spring", at="2025-10-11 12:00", body="Co-authored-by: Dave Kim <dkim@example.com>")
        almanac = query_service(tmp_path, [*COMMITS, self.REVIEWED, self.BY_DAVE, spring])
        reply = almanac.reply(Question("who", ("Ada Lovelace",), topic="mill"))
        assert [(name, [title for title, _ in theirs]) for name, theirs in lines(reply)] == [
            ("Grace Hopper", ["Add a mill"])
        ]
        in_every_form(reply)

    def test_reviewers_whom_nobody_is_known_as_are_noted(self, tmp_path: Path) -> None:
        mill = commit("Add a mill", at="2025-10-07 12:00", body="Reviewed By: gracehop")
        almanac = query_service(tmp_path, [*COMMITS, mill])
        for question, command in (
            (in_october("changes", "Grace Hopper", kinds=("review",)), "`almanac people link grace@example.com LOGIN`"),
            (in_october("who", "Ada Lovelace"), "`almanac people link AUTHOR gracehop`"),
        ):
            notes = " ".join(printed(almanac.reply(question))[0]["notes"])
            assert "gracehop (1 commit)" in notes
            assert command in notes

    def test_whose_is_asked_where_nobody_is_named(self, almanac: QueryService) -> None:
        assert almanac.reply(in_october("changes", kinds=("review",))).words.startswith("Whose reviews")

    def test_of_people_and_in_repositories_that_are_not_to_be_shown_are_left_out(self, tmp_path: Path) -> None:
        almanac = query_service(tmp_path, [*COMMITS, self.REVIEWED, self.BY_DAVE])
        hidden = QueryService.of(almanac.store, almanac.settings, hidden=frozenset({WEB}))
        reply = hidden.reply(in_october("changes", "Grace Hopper", kinds=("review",)))
        assert [name for name, _ in lines(reply)] == ["Ada Lovelace"]
        assert "not for this channel" in " ".join(printed(reply)[0]["notes"])
        almanac.store.hidden_people.hide(["ada@example.com"], "Ada", INDEXED)
        later = QueryService.of(almanac.store, almanac.settings)
        reply = later.reply(in_october("changes", "Grace Hopper", kinds=("review",)))
        assert [name for name, _ in lines(reply)] == ["Dave Kim"]


class TestComparing:
    def test_two_months_of_a_person_stand_side_by_side(self, almanac: QueryService) -> None:
        reply = almanac.reply(Question("compare", ("Ada Lovelace",), Days.of(MonthRange(AUGUST, OCTOBER))))
        (document,) = printed(reply)
        assert document["title"] == "Ada Lovelace: August 2025 and October 2025"
        assert document["headline"]["text"] == "Ada Lovelace made 1 change in August 2025 and 3 in October 2025."
        assert [(side["name"], side["counts"]["changes"]) for side in document["sides"]] == [
            ("August 2025", 1), ("October 2025", 3),
        ]  # fmt: skip
        assert document["sides"][0]["headline"]["evidence"] == [LIGHT.sha]
        in_every_form(reply)

    def test_a_month_alone_is_held_against_the_one_before(self, almanac: QueryService) -> None:
        (document,) = printed(almanac.reply(in_october("compare", "Ada Lovelace")))
        assert [side["name"] for side in document["sides"]] == ["September 2025", "October 2025"]

    def test_two_quarters_are_compared_whole_and_not_their_ends(self, almanac: QueryService) -> None:
        for text in ("compare ada in q3 and q4", "compare ada's q4 with q3"):
            (document,) = printed(almanac.reply(almanac.question(text)))
            assert document["title"] == "Ada Lovelace: July to September 2025 and October to November 2025"
        (document,) = printed(almanac.reply(almanac.question("compare ada in july and november")))
        assert document["title"] == "Ada Lovelace: July 2025 and November 2025"

    def test_two_people_are_compared_in_the_same_months(self, almanac: QueryService) -> None:
        people = ("Grace Hopper", "Ada Lovelace")
        reply = almanac.reply(Question("compare", people, Days.of(MonthRange(AUGUST, OCTOBER))))
        (document,) = printed(reply)
        assert document["title"] == "Grace Hopper and Ada Lovelace, August to October 2025"
        assert document["headline"]["text"] == (
            "From August to October 2025, Grace Hopper made 2 changes and Ada Lovelace 4."
        )
        assert "Repositories of both: acme/engine. Only Grace Hopper: acme/web." in [
            one["text"] for one in document["differences"]
        ]
        assert document["sides"][1]["headline"]["text"].startswith("4 changes in acme/engine.")
        in_every_form(reply)

    def test_every_sentence_rests_on_commits_of_the_sides(self, almanac: QueryService) -> None:
        (document,) = printed(almanac.reply(in_october("compare", "Ada Lovelace", "Grace Hopper")))
        named = {one["sha"] for one in document["commits"]}
        told = [document["headline"], *document["differences"], *(side["headline"] for side in document["sides"])]
        assert all(set(one["evidence"]) <= named and one["evidence"] for one in told)
        assert named == {one.sha for one in COMMITS if one is not LIGHT}

    def test_nobody_is_ranked_and_lines_are_not_mentioned(self, almanac: QueryService) -> None:
        (document,) = printed(almanac.reply(in_october("compare", "Ada Lovelace", "Grace Hopper")))
        said = " ".join(one["text"] for one in (document["headline"], *document["differences"])).casefold()
        assert not any(word in said for word in ("line", "better", "more", "less", "most", "only ada lovelace made"))
        assert not {"additions", "deletions"} & set(document["sides"][0]["counts"])
        assert [side["name"] for side in document["sides"]] == ["Ada Lovelace", "Grace Hopper"]

    def test_an_empty_side_offers_its_nearest_month(self, almanac: QueryService) -> None:
        reply = almanac.reply(Question("compare", ("Ada Lovelace",), Days.of(MonthRange(SEPTEMBER, OCTOBER))))
        assert [choice.label for choice in reply.choices] == ["August 2025", "October 2025"]
        assert {choice.question.intent for choice in reply.choices} == {"month"}

    def test_without_a_name_is_asked_back(self, almanac: QueryService) -> None:
        assert almanac.reply(in_october("compare")).words == "Whose months shall I compare? Name somebody."


class TestWho:
    def test_more_is_told_of_somebody_who_is_asked_about(self, tmp_path: Path) -> None:
        commits = [another_commit(f"Add a cache {n}", at=f"2025-10-{n + 1:02} 12:00") for n in range(9)]
        almanac = query_service(tmp_path, commits)
        of_ada = almanac.reply(Question("month", ("Ada Lovelace",), Days.of(OCTOBER), topic="cache"))
        assert len(lines(of_ada)[0][1]) == 9
        assert len(lines(almanac.reply(Question("who", topic="cache")))[0][1]) < 9

    def test_worked_on_a_topic_is_told_by_the_latest_work(self, tmp_path: Path) -> None:
        commits = [
            commit("Speed up the cache", at="2025-09-03 12:00", author=DAVE),
            *COMMITS,
            commit("Fix the cache", at="2025-10-20 12:00", author=GRACE),
            commit("Tidy", at="2025-10-21 12:00", author=BOT, body="the cache"),
        ]
        reply = query_service(tmp_path, commits).reply(Question("who", topic="caching"))
        assert headline(reply) == (
            "3 people made 3 changes on “caching” in acme/engine. The latest is by Grace Hopper."
        )
        assert lines(reply) == [
            ("Grace Hopper", [("Fix the cache", "20 October 2025.")]),
            ("Ada Lovelace", [("Add a cache", "3 October 2025.")]),
            ("Dave Kim", [("Speed up the cache", "3 September 2025.")]),
        ]
        in_every_form(reply)

    def test_touched_a_path_is_found_without_a_word_of_it(self, almanac: QueryService) -> None:
        assert [name for name, _ in lines(almanac.reply(Question("who", topic="src/lamp")))] == [
            "Grace Hopper", "Ada Lovelace",
        ]  # fmt: skip

    def test_touched_it_among_many_other_files_did_not_work_on_it(self, tmp_path: Path) -> None:
        paths = [f"docs/{n}.md" for n in range(9)]
        commits = [commit("Format", paths=[*paths, "src/parser.py"])]
        assert query_service(tmp_path, commits).reply(Question("who", topic="parser")).documents == ()

    def test_is_asked_of_some_months_and_repositories(self, almanac: QueryService) -> None:
        asked = Question("who", span=Days.of(OCTOBER), topic="page", repositories=(WEB,))
        assert headline(almanac.reply(asked)) == "Grace Hopper made 1 change on “page” in October 2025 in acme/web."
        assert almanac.reply(replace(asked, repositories=(ENGINE,))).documents == ()

    def test_nobody_is_said_with_what_is_written_like_it(self, almanac: QueryService) -> None:
        asked = Question("who", topic="chace")
        reply = almanac.reply(asked)
        assert reply.words == (
            "No change names “chace”, neither in its message nor in the paths of its files. Did you mean “cache”?"
        )
        assert reply.choices == (Choice("cache", replace(asked, topic="cache")),)

    def test_nobody_in_a_month_is_offered_all_months(self, almanac: QueryService) -> None:
        asked = Question("who", span=Days.of(OCTOBER), topic="light")
        assert almanac.reply(asked).choices[0] == Choice("In all months", replace(asked, span=None))

    def test_of_several_words_those_are_offered_that_are_there(self, almanac: QueryService) -> None:
        reply = almanac.reply(Question("who", topic="cache zebra"))
        assert [choice.label for choice in reply.choices] == ["cache"]

    def test_a_hidden_repository_or_change_is_not_told(self, almanac: QueryService) -> None:
        asked = Question("who", topic="page")
        assert replace(almanac, hidden=frozenset({WEB})).reply(asked).documents == ()
        (document,) = printed(replace(almanac, hidden=frozenset({WEB})).reply(Question("who", topic="lamp")))
        assert "Repositories that are not for this channel were not looked at." in document["notes"]
        almanac.store.corrections.add([PAGE.sha], "hidden", "yes", "Grace Hopper", INDEXED)
        assert almanac.reply(asked).documents == ()

    def test_two_of_one_name_are_told_apart(self, tmp_path: Path) -> None:
        commits = [CACHE, commit("Drop the cache", at="2025-10-09 12:00", author=OTHER_ADA)]
        reply = query_service(tmp_path, commits, join_people="addresses only").reply(Question("who", topic="cache"))
        assert [name for name, _ in lines(reply)] == [
            "Ada Lovelace <ada@other.example>", "Ada Lovelace <ada@example.com>",
        ]  # fmt: skip

    @pytest.mark.parametrize("topic", [None, "", "?!", "”"])
    def test_on_nothing_is_asked_back(self, almanac: QueryService, topic: str | None) -> None:
        assert almanac.reply(Question("who", topic=topic)).words.startswith("Who worked on what?")


class TestTopicOfSomebody:
    def test_is_what_they_did_on_it(self, almanac: QueryService) -> None:
        reply = almanac.reply(in_october("month", "Ada Lovelace", topic="lamp"))
        assert headline(reply) == "Ada Lovelace made 1 change on “lamp” in October 2025 in acme/engine."
        assert [name for name, _ in lines(reply)] == ["Ada Lovelace"]  # and not Grace, who backed it out
        in_every_form(reply)

    def test_may_be_of_some_kinds(self, almanac: QueryService) -> None:
        reply = almanac.reply(in_october("who", topic="parser", kinds=("fix",)))
        assert headline(reply) == "Ada Lovelace made 1 fix on “parser” in October 2025 in acme/engine."
        in_every_form(reply)
        none = almanac.reply(in_october("who", topic="parser", kinds=("feature",)))
        assert none.words.startswith("No feature names “parser” in October 2025")

    def test_where_it_is_nothing_that_is_said_and_the_whole_month_offered(self, almanac: QueryService) -> None:
        reply = almanac.reply(in_october("month", "Grace Hopper", topic="parser"))
        assert reply.words.startswith("No change by Grace Hopper names “parser” in October 2025")
        assert in_october("month", "Grace Hopper") in [choice.question for choice in reply.choices]


class TestShipped:
    def test_months_of_everyone_are_told_newest_first(self, almanac: QueryService) -> None:
        asked = Question("what_shipped", span=Days.of(MonthRange(AUGUST, OCTOBER)))
        reply = almanac.reply(asked)
        (document,) = printed(reply)
        assert document["headline"]["text"] == (
            "2 people made 6 changes in acme/engine and acme/web from August to October 2025, in 2 months."
        )
        assert [month["month"] for month in document["months"]] == ["2025-10", "2025-08"]
        assert document["months"][1]["headline"]["evidence"] == [LIGHT.sha]
        assert [item["title"] for item in document["months"][1]["items"]] == ["Add a light"]  # a theme takes two
        assert reply.choices == tuple(
            Choice(month.title, replace(asked, span=Days.of(month))) for month in (OCTOBER, AUGUST)
        )
        assert reply.thread == Thread(None, Days.of(MonthRange(AUGUST, OCTOBER)))
        in_every_form(reply)

    def test_more_than_a_year_is_told_for_its_last_year(self, almanac: QueryService) -> None:
        reply = almanac.reply(Question("what_shipped", span=Days.of(MonthRange(Month(2023, 1), OCTOBER))))
        assert printed(reply)[0]["from"] == str(OCTOBER - (MOST_MONTHS - 1)) == "2024-11"
        assert (
            reply.words == "This shows the last year of January 2023 to October 2025; ask for what was before by name."
        )

    def test_a_repository_gives_its_name_to_what_happened_in_it(self, almanac: QueryService) -> None:
        (month,) = printed(almanac.reply(in_october("what_shipped", repositories=(WEB,))))
        (months,) = printed(almanac.reply(Question("what_shipped", (), Days.of(MonthRange(AUGUST, OCTOBER)), (WEB,))))
        assert (month["digest"], months["title"]) == (WEB, "August to October 2025: acme/web")

    def test_a_team_is_told_alone(self, tmp_path: Path) -> None:
        almanac = query_service(tmp_path, COMMITS, teams=[TeamSettings(name="engine", people=["Grace Hopper"])])
        (document,) = printed(almanac.reply(in_october("digest", topic="engine")))
        assert (document["digest"], [one["person"]["name"] for one in document["people"]]) == (
            "engine",
            ["Grace Hopper"],
        )
        assert almanac.reply(in_october("digest", topic="web")).words.startswith("There is no team called “web”")

    def test_an_empty_month_offers_the_last_active_one(self, almanac: QueryService) -> None:
        asked = Question("what_shipped", span=Days.of(SEPTEMBER))
        assert almanac.reply(asked).choices == (Choice("October 2025", replace(asked, span=Days.of(OCTOBER))),)


def test_a_month_is_drawn_in_the_zone(tmp_path: Path) -> None:
    late = commit("Fix it at night", at="2025-10-31 23:30", sha=sha_of("night"))
    store = query_service(tmp_path, [late]).store
    settings = Settings(fixed_now=INDEXED, zone=ZoneInfo("Europe/Berlin"))
    berlin = QueryService.of(store, settings)
    assert printed(berlin.reply(in_october("changes", "Ada Lovelace")))[0]["counts"]["changes"] == 0
    november = Question("changes", ("Ada Lovelace",), Days.of(Month(2025, 11)))
    (line,) = printed(berlin.reply(november))[0]["people"][0]["items"]
    assert line["text"].endswith("1 November 2025.")


PAGE_OF_EXAMPLES = (Path(__file__).parent.parent.parent / "docs" / "asking.md").read_text()
EXAMPLES = re.findall(r"```text\n\$ almanac ask \"([^\"\n]+)\"\n(.+?)```", PAGE_OF_EXAMPLES, re.DOTALL)


@pytest.mark.parametrize(("question", "answer"), EXAMPLES, ids=[question for question, _ in EXAMPLES])
def test_the_examples_of_the_page_are_what_is_answered(almanac: QueryService, question: str, answer: str) -> None:
    (document,) = almanac.reply(almanac.question(question)).documents
    assert Templates().month("text", document) + "\n" == answer


def test_the_page_names_every_key_of_a_list() -> None:
    said = PAGE_OF_EXAMPLES.partition("## The JSON of lists")[2]
    assert len(EXAMPLES) == 6
    for kind in LISTS:
        row = next(line for line in said.splitlines() if line.startswith(f"| `{kind.template}`"))
        of_all = said.partition("| `sort`")[0]
        assert {one.name.rstrip("_") for one in fields(kind)} <= set(re.findall(r"`([^`]+)`", row + of_all))
