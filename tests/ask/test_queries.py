"""The queries: what each lists of a small history, to whom, and what stands in its JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from builders import query_service
from values import ADA, ENGINE, GRACE, INDEXED, WEB, another_commit, changed, commit, read, somebody

from bot.ask.answers import answered, fitted, understood
from bot.ask.known import Thread
from bot.ask.queries import LANDED, UNREAD, WRITTEN, Queries
from bot.ask.question import Question, reading_line
from bot.ask.reading import FRIENDLY
from bot.errors import AlmanacError, CommitUnknown, PersonHidden, PersonUnknown, RepositoryUnavailable
from bot.index.diffs import Diffs
from bot.month.calendar import Days, Month
from bot.settings import TeamSettings
from bot.story.documents import PeopleDocument, TopicDocument, to_json
from bot.story.render import Templates

DAVE = somebody("Dave Kim", "dkim@example.com")
BOT = somebody("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com")

LIGHT = commit("Add a light (#5)", at="2025-08-09 12:00", paths=["src/light.py"])
CACHE = commit("Add a cache (#1)", at="2025-10-03 12:00", paths=[changed("src/cache.py", 40)])
CRASH = commit(
    "Fix a crash in the parser (#2)", at="2025-10-05 12:00", paths=["src/parser.py", "tests/test_parser.py"],
    body="The cache was empty.\n\nReviewed-by: Grace Hopper <grace@example.com>",
)  # fmt: skip
LAMP = commit("Add a lamp (#3)", at="2025-10-06 12:00", paths=[changed("src/lamp.py", 9)])
DOCS = commit("Document the lamp (#6)", at="2025-10-07 12:00", author=GRACE, paths=["docs/lamp.md"])
UNDONE = commit(
    "Back out the lamp (#8)", at="2025-10-08 12:00", author=GRACE, paths=["src/lamp.py"],
    body=f"This reverts commit {LAMP.sha}.\n\nIt broke the build because the wick was missing.",
)  # fmt: skip
PAGE = commit(
    "Fix a page that stayed empty (#4)", at="2025-10-09 12:00", author=GRACE, repository=WEB, paths=["page.ts"]
)
BUMP = commit("Bump x from 1 to 2 (#9)", at="2025-10-10 12:00", author=BOT, paths=["Cargo.lock"])
NEW = commit("Tune the cache (#7)", at="2025-10-11 12:00", author=DAVE, paths=[changed("src/cache/heap.py", 70)])
COMMITS = [LIGHT, CACHE, CRASH, LAMP, DOCS, UNDONE, PAGE, BUMP, NEW]
TEAMS = [TeamSettings(name="lights", people=["Grace Hopper"])]


@pytest.fixture
def queries(tmp_path: Path) -> Queries:
    return query_service(tmp_path, COMMITS, teams=TEAMS)


@pytest.mark.parametrize(("notes", "expected"), [(None, 1), ({}, 0)])
def test_an_answer_without_notes_that_took_too_long_says_so(
    queries: Queries, monkeypatch: pytest.MonkeyPatch, notes: object, expected: int
) -> None:
    monkeypatch.setattr(Diffs, "notes", lambda *_: notes)
    (month,), digest = queries.month("Ada", "2025-10"), queries.digest(Month(2025, 10))
    assert [month.notes.count(UNREAD), digest.notes.count(UNREAD)] == [expected, expected]


def refs(document: Any) -> list[str]:
    """The rows of a list, in their order."""
    return [row["ref"] for row in to_json(document)["rows"]]


CHANGES: list[tuple[dict[str, Any], list[str]]] = [
    ({"people": "Ada"}, ["#3", "#1", "#2"]),  # last month; of each kind the largest first
    ({"people": ADA, "span": "2025-08"}, ["#5"]),
    ({"people": ["ada", "dave"], "span": "2025-10-05..2025-10-11"}, ["#7", "#3", "#2"]),
    ({"span": "2025-10", "kinds": ("fix",)}, ["#2", "#4"]),
    ({"span": "2025-10", "team": "Lights"}, ["#6", "#4", "#8"]),
    ({"span": "2025-10", "repositories": ("web",)}, ["#4"]),
    ({"span": "2025-10", "order": "latest", "limit": 2}, ["#7", "#4"]),
    ({"order": "first", "limit": 1}, ["#5"]),
    ({"span": "2025-10", "order": "size", "limit": 2}, ["#7", "#1"]),
    ({"people": "ada", "order": "latest", "limit": 2}, ["#3", "#2"]),
    ({"people": "ada", "order": "latest", "limit": 4}, ["#3", "#2", "#1", "#5"]),
    ({"people": "dependabot[bot]", "span": "2025-10"}, ["#9"]),
    ({"topic": "caching"}, ["#7", "#1"]),  # any time; not what only mentions it
    ({"topic": "caching", "order": "latest"}, ["#7", "#2", "#1"]),
    ({"topic": "cache", "topic_in": "body"}, ["#2"]),
    ({"topic": "cache", "topic_in": "path"}, ["#7", "#1"]),
    ({"topic": "zebra OR light"}, ["#5"]),
    ({"topic": "lamp zebra"}, []),
    ({"topic": "src/lamp.py"}, ["#3", "#8"]),
    ({"paths": ("src/cache.py",)}, ["#1"]),
    ({"paths": ("src/cache",)}, ["#7"]),
    ({"paths": ("cache/",)}, ["#7"]),
    ({"paths": ("src",), "span": "2025-10", "only": True}, ["#7", "#3", "#1", "#8"]),
    ({"paths": ("src", "tests"), "kinds": ("fix",), "only": True}, ["#2"]),
    ({"paths": ("src/lamp.py",), "order": "landed", "limit": 1}, ["#8"]),
    ({"paths": ("src", "tests"), "without": ("tests/test_parser.py",), "kinds": ("fix",)}, ["#2"]),
    ({"paths": ("tests",), "without": ("tests/test_parser.py",)}, []),  # though it has other files
    ({"span": "2025-10", "first_time": True, "without": ("grace",)}, ["#7"]),
    ({"span": "2025-10", "states": ("reverted",)}, ["#3"]),
    ({"span": "2025-10", "states": ("relanded",)}, []),
    ({"span": "2025-10", "without": ("Ada", "docs", "acme/web")}, ["#7", "#8"]),
    ({"span": "2025-10", "without": ("cache", "tests/", "src/lamp.py", "page.ts")}, ["#2", "#6"]),
]


def test_changes_are_listed(queries: Queries) -> None:
    for asked, expected in CHANGES:
        document, is_ordered = queries.changes(**asked), bool(asked.get("order"))
        assert (refs(document) if is_ordered else sorted(refs(document))) == (
            expected if is_ordered else sorted(expected)
        ), asked
        assert document.more == 0 or asked.get("limit"), asked


@pytest.mark.parametrize("intent", ["changes", "what_shipped", "who"])
def test_two_times_that_stand_apart_are_told_without_what_lies_between(queries: Queries, intent: str) -> None:
    august, october = Days.parse("2025-08", "2025-08"), Days.parse("2025-10", "2025-10")
    question = Question(intent, span=Days(august.first, october.end), ends=(august, october))
    shown = [to_json(one) for one in answered(queries, question).documents]
    assert [one["counts"]["changes"] for one in shown] == [1, 7]
    assert "lamp" not in json.dumps(shown[0]) and "light" not in json.dumps(shown[1])


def test_the_files_that_most_changes_touch_are_told_instead_of_these(queries: Queries) -> None:
    document = to_json(queries.changes(span="2025-10", paths=("src",), order="files", limit=2))
    assert (document["rows"], document["more"]) == ([], 0)
    assert [(one["path"], one["changes"]) for one in document["files"]] == [("src/lamp.py", 2), ("src/cache.py", 1)]


def test_the_rows_of_a_list_are_short_and_say_what_became_of_it(queries: Queries) -> None:
    document = to_json(queries.changes(span="2025-10", states=("reverted",)))
    assert document["rows"] == [
        {
            "sha": LAMP.sha[:12], "ref": "#3", "repository": ENGINE, "on": "2025-10-06", "by": "Ada Lovelace",
            "title": "Add a lamp", "kind": "feature", "state": "backed_out", "sure": False, "reverted_in": "#8",
            "reverted_by": "Grace Hopper", "reverted_on": "2025-10-08",
            "reason": "It broke the build because the wick was missing.",
        }
    ]  # fmt: skip
    assert document["headline"] == {
        "text": "1 reverted change by Ada Lovelace in October 2025 in acme/engine.", "evidence": [LAMP.sha],
    }  # fmt: skip


@pytest.mark.parametrize("release", ["which", "latest"])
def test_what_came_since_goes_on_from_no_release_that_is_none(queries: Queries, release: str) -> None:
    thread = Thread(Question("what_shipped", release=release))
    question = understood(queries, "what came since then", thread=thread)
    assert question.release in (None, "latest")


@pytest.mark.parametrize("topic", ["?!", "++", "\0 ' \" % _ \\"])
def test_a_topic_without_words_is_refused(queries: Queries, topic: str) -> None:
    with pytest.raises(AlmanacError, match="has no word that could be looked for"):
        queries.changes(topic=topic)


def test_a_list_of_what_was_taken_out_names_the_reverts_of_nobody_knows_what(tmp_path: Path) -> None:
    kept = commit("Add a mill", at="2025-10-07 12:00", paths=[changed("src/a.py", 90)])
    back = commit("Revert the wheel of last year", at="2025-10-08 12:00", paths=[changed("src/b.py", 9)])
    document = query_service(tmp_path, [kept, back]).changes(span="2025-10", states=("reverted",))
    assert document.counts["changes"] == 0
    named = f"Revert the wheel of last year ({back.sha[:9]})"
    assert document.headline.text == f"1 revert of what is not known here: {named}."


def test_the_largest_are_by_all_that_people_write(tmp_path: Path) -> None:
    tested = commit("Test the mill", at="2025-10-07 12:00", paths=[changed("tests/test_mill.py", 90)])
    locked = commit("Lock it", at="2025-10-07 12:00", paths=[changed("Cargo.lock", 900), "a.c", "b.c"])
    grown = commit("Add a mill", at="2025-10-07 12:00", paths=[changed("src/mill.c", 50)])
    queries = query_service(tmp_path, [tested, locked, grown])
    by_size = queries.changes(order="size")
    assert [row.title for row in by_size.rows] == ["Test the mill", "Add a mill", "Lock it"]
    assert "by changed lines, but for what is generated or locked" in by_size.headline.text


def test_who_has_most_commits_is_counted_at_any_time_and_without_merges(tmp_path: Path) -> None:
    merges = [commit(f"Merge {n}", at="2025-10-12 12:00", author=GRACE, merge=True) for n in range(2)]
    queries = query_service(tmp_path, [*COMMITS, *merges])
    question = Question("who", order="most", limit=2)
    (document,) = answered(queries, question).documents
    assert isinstance(document, PeopleDocument)
    assert [(one.name, one.commits) for one in document.people] == [("Ada Lovelace", 4), ("Grace Hopper", 3)]
    assert document.headline.text == "3 people wrote 8 commits, merges not counted." and document.from_ is None


def test_of_everyone_the_day_counts_on_which_something_landed_and_that_is_said(tmp_path: Path) -> None:
    one = commit("Add a mill", at="2025-09-30 12:00", paths=["mill.c"])
    merged = replace(one, committer=replace(one.committer, seconds=one.committer.seconds + 5 * 86400))
    queries = query_service(tmp_path, [merged, commit("Add a wheel", at="2025-10-07 12:00", paths=["wheel.c"])])
    document = queries.changes(span="2025-10")
    assert (document.counts["changes"], document.notes) == (2, (LANDED,))
    assert queries.changes("ada", "2025-10").counts["changes"] == 1
    assert queries.changes("ada", "2025-09").notes == (WRITTEN,)


def test_what_a_bot_wrote_with_somebody_is_not_what_they_wrote(tmp_path: Path) -> None:
    """It is told as work of both, is in no count of how much somebody did, and goes where bots are left out."""
    with_ada = "\n\nCo-authored-by: Ada Lovelace <ada@example.com>"
    made = [
        commit("Add a mill", at="2025-10-07 12:00"),
        commit("Add a lamp", at="2025-10-08 12:00", author=BOT, body=with_ada),
        commit("Add a light", at="2025-10-09 12:00", author=BOT, body=with_ada),
    ]
    queries = query_service(tmp_path, made)
    assert len(queries.changes(span="2025-10").rows) == 3
    without = queries.changes(span="2025-10", without=("bots",))
    assert [row.title for row in without.rows] == ["Add a mill"] and "without bots" in without.title
    assert queries.who("2025-10", order="most").people[0].changes == 1
    assert queries.who(topic="light", without=("Ada Lovelace",)).people == ()
    own = queries.changes("ada", "2025-10")
    assert own.counts["commits"] == 1 and any("co-author of 2 changes by others" in note for note in own.notes)


def test_a_name_with_a_slash_is_one_name_where_anything_says_it(tmp_path: Path) -> None:
    titles = ["Add a linter", "Add new `Lint/Mismatch` cop", "Mend Lint/Mismatch", "Mend Style/Mismatch"]
    made = [another_commit(title, at=f"2025-10-0{n} 12:00", paths=["x.c"]) for n, title in enumerate(titles, 1)]
    queries = query_service(tmp_path, made)
    assert sorted(row.title for row in queries.changes(topic="Lint/Mismatch").rows) == titles[1:3]
    assert queries.explain(topic="Lint/Mismatch").explained[0].subject == titles[1]


def test_who_is_new_is_told_whatever_is_asked_of_the_time(tmp_path: Path) -> None:
    reply = answered(query_service(tmp_path, COMMITS), Question("what_shipped", span=Days.parse("2025-10", "2025-10"),
                                                                first_time=True))  # fmt: skip
    assert isinstance(reply.documents[0], TopicDocument)


def test_what_went_before_a_month_and_came_back_in_it_is_work_of_it(tmp_path: Path) -> None:
    one = commit("Replace the mill", at="2025-09-20 12:00", paths=["src/mill.py"])
    out = commit('Revert "Replace the mill"', at="2025-09-28 12:00", body=f"This reverts commit {one.sha}.")
    back = commit("Replace the mill", at="2025-10-02 12:00", body=f"Reland {one.sha}", paths=["src/mill.py"])
    (line,) = query_service(tmp_path, [one, out, back]).team("2025-10").things
    assert (line.section, line.text) == ("new", f"taken back by {ADA.name} on 28 Sep, back since 2 Oct")


def test_what_shipped_of_some_kinds_is_a_list_of_these(queries: Queries) -> None:
    asked = Question("what_shipped", span=Days.parse("2025-10", "2025-10"), kinds=("fix",), unread=("in which",))
    (document,) = answered(queries, asked).documents
    assert refs(document) == ["#2", "#4"]


def test_an_identifier_is_no_sentence_and_what_is_left_out_is_a_whole_series(tmp_path: Path) -> None:
    said = [
        commit("Delete lamp::to_address"),
        commit("Fix how lamps are sent", at="2025-10-04 12:00", body="To address a fault."),
        commit("Wire to_address", at="2025-10-05 12:00", body="Of the lit registry."),
        commit("Add a registry", at="2025-10-06 12:00", body="A lit one: to_address."),
    ]  # fmt: skip
    queries = query_service(tmp_path, said)
    found = [row["title"] for row in to_json(queries.changes(topic="to_address"))["rows"]]
    assert sorted(found) == ["Delete lamp::to_address", "Wire to_address"]
    left = [row["title"] for row in to_json(queries.changes(span="2025-10", without=("lit registry",)))["rows"]]
    assert sorted(left) == ["Delete lamp::to_address", "Fix how lamps are sent", "Wire to_address"]
    stems = queries.changes(span="2025-10", without=("deletion", "registries"))  # whatever the ending
    assert sorted(row["title"] for row in to_json(stems)["rows"]) == ["Fix how lamps are sent", "Wire to_address"]


def test_who_is_new_is_by_the_day_of_landing_under_any_address(tmp_path: Path) -> None:
    commits = [
        commit("Add a mill", at="2025-08-01 12:00", author=somebody("Serdar Dogan", "serdar@old.example")),
        commit("Mend it", at="2025-10-02 12:00", author=somebody("Serdar Dogan", "serdar@new.example")),
        commit("Add a brake", at="2025-10-03 12:00", author=somebody("Uma Ray", "uma@old.example")),
    ]
    early = commit("Add a sail", at="2025-09-20 12:00", author=somebody("Olu Bello", "olu@acme.example"))
    late = int(datetime(2025, 10, 5, tzinfo=UTC).timestamp())
    merged = replace(early, committer=replace(early.committer, seconds=late))
    again = commit("Mend a brake", at="2025-10-04 12:00", author=somebody("Uma Ray", "uma@new.example"))
    almanac = query_service(tmp_path, [*commits, again, merged])
    document = almanac.who("2025-10", first_time=True)
    assert [(one.name, one.changes) for one in document.people] == [("Uma Ray", 2), ("Olu Bello", 1)]
    assert document.headline.text.endswith("in October 2025: Uma Ray and Olu Bello.")
    assert "Olu Bello" not in [one.name for one in almanac.who("2025-10").people]  # who wrote nothing in it


def test_of_many_people_each_is_named_before_more_of_their_changes_are(tmp_path: Path) -> None:
    queries = query_service(tmp_path, [
        commit(f"Mend the mill of a very long name, part {n}-{m}", at=f"2025-10-{m + 1:02} 12:{n:02}",
               author=somebody(f"Person{n} Poe", f"p{n}@acme.example"), paths=["mill.c"])
        for n in range(12) for m in range(3)
    ])  # fmt: skip
    question = Question("who", span=Days.parse("2025-10", "2025-10"), paths=("mill.c",))
    reply, _ = fitted(answered(queries, question), Templates())
    (document,) = reply.documents
    assert isinstance(document, TopicDocument)
    assert (len(document.people), document.more) == (12, 0)
    assert [len(one.rows) for one in document.people[:3]] == [1, 1, 1]
    assert len(answered(queries, replace(question, limit=3)).documents[0].people) == 3  # type: ignore[union-attr]


def test_whoever_only_wrote_it_with_them_is_said_to_be_no_reviewer(tmp_path: Path) -> None:
    shared = commit("Add a mill (#8)", body="Co-authored-by: Grace Hopper <grace@example.com>")
    document = query_service(tmp_path, [shared, commit("Add a page", author=GRACE)]).reviews(reference="#8")
    assert document.headline.text.startswith("Grace Hopper co-wrote #8 in acme/engine; nobody is named as reviewer:")


def test_reviews(queries: Queries) -> None:
    by = to_json(queries.reviews("Grace Hopper", span="2025-10"))
    assert (refs(queries.reviews("grace")), [one["name"] for one in by["people"]]) == (["#2"], ["Ada Lovelace"])
    of = to_json(queries.reviews("ada", "of", span="2025-10"))
    assert [(row["ref"], row["reviewers"]) for row in of["rows"]] == [("#2", ["Grace Hopper"])]
    assert to_json(queries.reviews(reference="#2"))["rows"] == of["rows"]
    assert to_json(queries.reviews(role="of", span="2025-10"))["rows"] == of["rows"]  # of everyone's changes
    assert not queries.reviews("ada", "of", topic="lamp").rows


def test_a_month_may_be_limited_and_says_to_what(queries: Queries) -> None:
    (month,) = queries.month("ada", "2025-10", topic="cache")
    assert ([one.refs for one in month.changes], month.about) == (
        [("#1",), ("#2",)], "on “cache”",
    )  # fmt: skip
    (month,) = queries.month("ada", "2025-10", paths=("src",), without=("fixes",))
    assert (len(month.changes), month.about) == (2, "in src without fixes")
    assert Templates().month("text", month).startswith("Ada Lovelace, October 2025 in src without fixes\n")
    team = queries.team("2025-10", topic="lamp")
    assert (team.counts["changes"], team.digest) == (3, "everyone on “lamp”")


def test_of_lately_the_last_month_with_anything_is_told_and_that_is_said(tmp_path: Path) -> None:
    now = datetime(2025, 11, 20, tzinfo=UTC)
    fresh = commit("Add a mill", at="2025-11-18 12:00", author=GRACE)
    queries = query_service(tmp_path, [CACHE, LIGHT, fresh], fixed_now=now)
    (grace,) = queries.month("grace", recent=True)
    assert (grace.from_, grace.to, grace.counts["changes"]) == ("2025-10-22", "2025-11-20", 1)
    (ada,) = queries.month("ada", recent=True)
    assert (ada.month, ada.counts["changes"]) == ("2025-10", 1)
    assert "Nothing in the last 30 days: this is the last month with anything, October 2025." in ada.notes
    (light,) = queries.month("ada", recent=True, topic="light")
    assert light.month == "2025-08"
    told = answered(queries, understood(queries, "what is ada working on?")).question
    assert reading_line(told) == "Ada Lovelace · October 2025 · the last 30 days have nothing"


@pytest.mark.parametrize("intent", ["what_shipped", "digest"])
def test_of_a_topic_that_nothing_in_a_time_is_on_no_other_time_is_told(queries: Queries, intent: str) -> None:
    reply = answered(queries, Question(intent, span=Days.parse("2025-08", "2025-08"), topic="cache"))
    assert reply.question.span == Days.parse("2025-08", "2025-08")


def test_of_many_people_those_who_are_shown_and_those_who_are_not_make_up_all(tmp_path: Path) -> None:
    many = [commit("Tune it", author=somebody(f"Person {n} With Long Names", f"p{n}@example.com")) for n in range(60)]
    queries = query_service(tmp_path, many)
    reply = answered(queries, understood(queries, "top contributors in october"))
    (shown,) = fitted(reply, Templates())[0].documents
    assert isinstance(shown, PeopleDocument)
    assert (0 < len(shown.people) < 20, len(shown.people) + shown.more) == (True, 60)


def test_who_did_most_on_a_topic_in_the_last_two_years_comes_first(tmp_path: Path) -> None:
    old = [
        commit(
            "Tune the cache",
            at=f"2022-0{n}-01 12:00",
        )
        for n in range(1, 6)
    ]
    known = [commit("Speed up the cache", at=f"2024-0{n}-01 12:00", author=GRACE) for n in (5, 6)]
    fresh = commit("Warm the cache", at="2025-10-11 12:00", author=DAVE)
    queries = query_service(tmp_path, [*old, *known, fresh])
    assert [one.changes for one in queries.who(topic="cache").people] == [2, 1, 5]


def test_what_somebody_took_out_of_a_bots_work_is_listed_of_everyone(tmp_path: Path) -> None:
    undone = commit(
        "Back out the bump (#10)", at="2025-10-12 12:00", author=GRACE, body=f"This reverts commit {BUMP.sha}."
    )
    queries = query_service(tmp_path, [CACHE, BUMP, undone])
    assert refs(queries.changes(span="2025-10", states=("reverted",))) == ["#9"]
    assert refs(queries.changes(span="2025-10")) == ["#1", "#10"]


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda one: one.month("Nobody Nowhere", "2025-10"), PersonUnknown),
        (lambda one: one.team("2025-10", team="tops"), AlmanacError),
        (lambda one: one.team("2025-10", repositories=("acme/nowhere",)), RepositoryUnavailable),
        (lambda one: one.changes(span="v9.9"), AlmanacError),
        (lambda one: one.changes(span="the other day"), AlmanacError),
        (lambda one: one.reviews(reference="#99"), CommitUnknown),
        (lambda one: one.reviews(), PersonUnknown),
        (lambda one: one.explain(), CommitUnknown),
    ],
)
def test_what_there_is_not_is_said(queries: Queries, ask: Callable[[Queries], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        ask(queries)


# --- to whom

EVERY: list[Callable[[Queries], Any]] = [
    lambda one: one.month(["grace", "ada"], ["2025-10", "2025-08..2025-11"]),
    lambda one: one.month("grace", "2025-10", topic="page"),
    lambda one: one.month("grace", recent=True),
    lambda one: one.team("2025-10"),
    lambda one: one.team("2025-08..2025-10", topic="page OR lamp"),
    lambda one: one.changes(span="2025-10"),
    lambda one: one.changes("grace", order="latest"),
    lambda one: one.changes(topic="page empty"),
    lambda one: one.changes(paths=("page.ts",), order="landed", limit=1),
    lambda one: one.changes(topic="page.ts"),
    lambda one: one.changes(span="2025-10", states=("reverted",), first_time=True),
    lambda one: one.changes(span="2025-10", without=("page", "acme/web", "page.ts")),
    lambda one: one.who(topic="page"),
    lambda one: one.who("2025-10", first_time=True),
    lambda one: one.who(paths=("page.ts",), order="landed"),
    lambda one: one.reviews("grace", "of", span="2025-10"),
    lambda one: one.reviews("grace", "by", span="2025-10"),
    lambda one: one.profile("grace"),
    lambda one: one.people("grace", "2025-10"),
    lambda one: one.people("", "2025-10"),
    lambda one: one.explain(topic="page OR lamp"),
]


def test_of_a_hidden_repository_no_query_shows_anything(tmp_path: Path) -> None:
    """But how many changes were left out, where nothing was looked for."""
    some = query_service(tmp_path / "some", COMMITS)
    none = query_service(tmp_path / "none", [one for one in COMMITS if one.repository != WEB])
    left_out = "1 commit in repositories that are not for this channel is left out."
    for number, ask in enumerate(EVERY):
        found, without = (
            json.dumps(to_json(ask(replace(one, hidden=frozenset({WEB})))), ensure_ascii=False) for one in (some, none)
        )
        assert not [secret for secret in (PAGE.sha[:12], "stayed empty", "#4") if secret in found], number
        for with_comma in (f', "{left_out}"', f'"{left_out}", ', f'"{left_out}"'):
            found = found.replace(with_comma, "")
        assert found == without, number


def test_what_a_query_gives_is_read_again_and_told_in_every_form(queries: Queries) -> None:
    given = [one for ask in EVERY for made in [ask(queries)] for one in (made if isinstance(made, list) else [made])]
    for document in given:
        if not hasattr(document, "template"):
            continue
        assert read(to_json(document)) == document
        for form in ("text", "markdown", "html"):
            assert Templates().month(form, document, {ENGINE: f"https://github.com/{ENGINE}"})


def test_who_asked_not_to_be_shown_is_in_no_answer(queries: Queries) -> None:
    queries.store.said.say("hide", "hide", ["dkim@example.com"], "", "Dave Kim", INDEXED)
    hiding = Queries.of(queries.store, queries.settings)
    for number, ask in enumerate(EVERY):
        shown = json.dumps(to_json(ask(hiding)), ensure_ascii=False)
        assert "Dave" not in shown and NEW.sha[:12] not in shown, number
    with pytest.raises(PersonHidden):
        hiding.changes("dave kim", "2025-10")


def test_a_thread_keeps_what_was_read_of_what_was_not_answered(queries: Queries) -> None:
    lost, thanks = (Question("unknown", missing=said) for said in ("I did not understand “zorb”.", FRIENDLY))
    half = replace(lost, topic="parser")
    about = Thread(Question("month", ("Ada Lovelace",)))
    assert [answered(queries, one, about).thread for one in (lost, thanks)] == [about, about]
    threads = [answered(queries, half, before).thread for before in (about, None)]
    assert [one and (one.asked.people, one.asked.topic) for one in threads] == [
        (("Ada Lovelace",), "parser"), ((), "parser"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("theirs", "shown"), [("Draw the mill", ["Add a wheel", "Turn it so"]), ("Add a sail", ["Draw the mill"])]
)
def test_a_pull_request_that_is_called_as_what_somebody_else_wrote_is_no_work_of_whoever_wrote_most(
    tmp_path: Path, theirs: str, shown: list[str]
) -> None:
    merge = commit("Merge pull request #7 from grace/mill", at="2025-10-03 12:00", body="Draw the mill", merge=True)
    came_at = merge.committer.seconds
    brought = [
        replace(one, via=merge.sha, came_at=came_at)
        for one in (
            commit(theirs, at="2025-10-02 12:00", author=GRACE, paths=[changed("src/sail.py", 5)]),
            commit("Add a wheel", at="2025-10-03 11:00", paths=[changed("src/wheel.py", 90)]),
            commit("Turn it so", at="2025-10-03 11:30", paths=[changed("src/turn.py", 9)]),
        )
    ]
    (document,) = query_service(tmp_path, [*brought, merge]).month("ada", "2025-10")
    assert [line.title for item in document.items if item.section == "work" for line in item.lines] == shown


def test_who_began_comes_first_and_then_who_did_most(tmp_path: Path) -> None:
    made = [
        ("Add a store", GRACE, 1),
        ("Fix the store", DAVE, 2),
        ("Tune the store", ADA, 3),
        ("Fill the store", ADA, 4),
    ]
    store = [commit(title, author=who, at=f"2025-10-0{day} 12:00", paths=["s.py"]) for title, who, day in made]
    found = query_service(tmp_path, store).who(paths=("s.py",), order="first")
    assert [one.name for one in found.people] == [GRACE.name, ADA.name, DAVE.name]


def test_what_bots_did_is_listed_where_that_is_wanted(tmp_path: Path) -> None:
    queries = query_service(tmp_path, [CACHE, BUMP])
    last = [refs(queries.changes(order="landed", limit=1, bots=bots)) for bots in (True, False)]
    assert last == [["#9"], ["#1"]]
    who = to_json(queries.who("2025-10", order="most", bots=True))
    assert {one["name"] for one in who["people"]} == {"Ada Lovelace", "dependabot[bot]"}
