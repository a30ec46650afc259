"""A whole history is told in a paragraph, each sentence of it counted or quoted, and as a document."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, commit, indexed

from bot.ask.months import Material
from bot.ask.profiles import whole_facts
from bot.model import Commit, Person, Role
from bot.month.histories import by_commit, histories_of
from bot.month.names import as_signed
from bot.month.whole import WholeFacts, counts_of
from bot.story.document import Document
from bot.story.profile.areas import areas
from bot.story.profile.document import profile_document
from bot.story.profile.paragraph import FEWEST_WORDS, MOST_WORDS, paragraph, recurring, words
from bot.story.profile.remark import Remark, Slot
from bot.story.profile.remarks import remarks
from bot.story.proving.proof import Proof
from bot.story.shape import A_PROFILE, documents_of
from bot.story.story import month_story

YEAR = 366 * 24 * 3600
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]


def whole_of(
    *commits: Commit, person: Person = ADA, credited: Sequence[tuple[Role, Commit]] = (), **more: object
) -> WholeFacts:
    """The whole of these commits, which are the person's, as of November 2025."""
    material = Material(tuple(commits), (), by_commit(histories_of(commits)), tuple(credited))
    known: dict[str, object] = {"names": as_signed, "dates": "author", **more}
    return whole_facts(person, material, REPOSITORIES, UTC_ZONE, INDEXED, **known)  # type: ignore[arg-type]


def told(whole: WholeFacts) -> str:
    return " ".join(one.text for one in paragraph(whole, recurring(whole)))


def document_of(whole: WholeFacts) -> Document:
    return profile_document(whole, {facts.month: month_story(facts) for facts in whole.months})


def names(*commits: Commit) -> list[tuple[str, int]]:
    """What recurs in some commits: the names, and how many changes each has."""
    return [(area.name, len(area.changes)) for area in recurring(whole_of(*commits))]


def day(number: int) -> str:
    """The days of a year and a half, three days apart."""
    month = number * 3 // 28
    return f"{2024 + month // 12}-{month % 12 + 1:02}-{number * 3 % 28 + 1:02} 10:00"


WORK = (
    ("Add a mill for {}", "src/mill/grind.rs"),
    ("Test {} in pytest", "tests/test_mill.py"),
    ("Document {}", "docs/card.md"),
    ("Fix the order of {} in PunchCard", "src/punch_card.py"),
    ("PunchCard: read {} from a reader", "src/punch_card.py"),
    ("Carry the tens of {}", "src/mill/carriage.rs"),
    ("Let the mill stop after {}", "src/mill/stop.rs"),
    ("Print {} with the plotter", "src/plotter.py"),
    ("Teach the plotter {}", "src/plotter.py"),
)
THINGS = ("cosines", "one barrel", "many digits", "a bell", "Bernoulli numbers")


def history(changes: int) -> list[Commit]:
    """So many changes over many months."""
    return [
        commit(WORK[n % len(WORK)][0].format(f"{THINGS[n % 5]} {n}"), at=day(n), paths=[WORK[n % len(WORK)][1]])
        for n in range(changes)
    ]


# --- the paragraph


@pytest.mark.parametrize("changes", [12, 20, 40, 150])
def test_a_rich_history_has_90_to_110_words(changes: int) -> None:
    whole = whole_of(*history(changes))
    text = told(whole)
    assert 90 <= len(text.split()) <= 110, text
    assert words(paragraph(whole, recurring(whole))) == len(text.split())
    assert (FEWEST_WORDS, MOST_WORDS) == (90, 110)


def test_a_rich_history_is_told_like_this() -> None:
    assert told(whole_of(*history(40))) == (
        "Over five active months, from January 2024 to May 2024, Ada Lovelace made 40 changes in acme/engine. None "
        "of them was backed out. The work went most often into mill (18 changes, January to April 2024), PunchCard "
        "(9, January to May 2024) and plotter (8, January to April 2024). The changes with most lines are “Add a "
        "mill for cosines 0” (January 2024), “Test one barrel 1 in pytest” (January 2024) and “Document many "
        "digits 2” (January 2024). By lines changed, the languages are Python and Rust. The technology shown most "
        "often is pytest. Documentation is part of 5 changes and tests of 5."
    )


def test_a_single_commit_is_told_in_few_words() -> None:
    only = commit("Add a bell to the mill", at="2025-10-03 12:00", paths=["src/mill.py"])
    assert told(whole_of(only)) == (
        "In October 2025, Ada Lovelace made 1 change in acme/engine. It was not backed out. "
        "The change is “Add a bell to the mill”. By lines changed, the language is Python."
    )


def test_two_changes_are_both_named() -> None:
    bell = commit("Add a bell to the mill", at="2025-09-03 12:00", paths=["src/mill.py"])
    card = commit("Read cards from a drawer", at="2025-10-03 12:00", paths=["src/card.py"], repository=WEB)
    assert told(whole_of(bell, card)) == (
        "Over two active months, from September 2025 to October 2025, Ada Lovelace made 2 changes in acme/engine (1) "
        "and acme/web (1). Neither was backed out. The changes are “Add a bell to the mill” (September 2025) and "
        "“Read cards from a drawer” (October 2025). By lines changed, the language is Python."
    )


def test_somebody_without_commits_is_told_so() -> None:
    document = document_of(whole_of())
    assert document["paragraph"] == [{"text": "Ada Lovelace has no commits here.", "evidence": []}]
    assert (document["from"], document["to"], document["months"], document["themes"]) == (None, None, [], [])
    assert set(document["counts"].values()) == {0}


def test_merges_alone_are_no_changes() -> None:
    merge = commit("Merge branch 'bell'", at="2025-10-03 12:00", merge=True)
    assert told(whole_of(merge)) == "In October 2025, Ada Lovelace merged 1 branch in acme/engine."


def taken_out(work: Commit, at: str) -> Commit:
    return commit(f'Revert "{work.subject}"', at=at, body=f"This reverts commit {work.sha}.", author=ADA)


def test_what_was_backed_out_never_stands() -> None:
    work = [commit(f"Add the {n} bell", at=f"2025-0{n}-03 12:00", paths=[f"src/bell_{n}.py"]) for n in (1, 2, 3)]
    out = taken_out(work[2], "2025-04-05 12:00")
    text = told(whole_of(*work, out))
    assert "Ada Lovelace made 3 changes in acme/engine. Of these, 2 stand and 1 was backed out." in text
    assert "Add the 3 bell" not in text
    assert counts_of(whole_of(*work, out)) == {
        "months": 4, "commits": 4, "changes": 3, "landed": 2, "backed_out": 1, "relanded": 0,
    }  # fmt: skip


def test_what_came_back_in_a_later_month_is_one_change_that_stands() -> None:
    work = commit("Add the great bell", at="2025-01-03 12:00", paths=["src/bell.py"])
    out = taken_out(work, "2025-02-05 12:00")
    back = commit(f'Reland "{work.subject}"', at="2025-03-05 12:00", body=f"Relands {work.sha}.")
    card = commit("Read cards from a drawer", at="2025-03-06 12:00", paths=["src/card.py"])
    whole = whole_of(work, out, back, card)
    assert counts_of(whole) == {
        "months": 3, "commits": 4, "changes": 2, "landed": 1, "backed_out": 0, "relanded": 1,
    }  # fmt: skip
    assert "made 2 changes in acme/engine. All of these stand, 1 of them landed again after a back-out." in told(whole)


def test_who_only_took_out_others_work_delivered_nothing() -> None:
    work = commit("Add the great bell", at="2025-01-03 12:00", author=GRACE)
    out = taken_out(work, "2025-02-05 12:00")
    material = Material((out,), (), by_commit(histories_of([work, out])))
    whole = whole_facts(ADA, material, REPOSITORIES, UTC_ZONE, INDEXED, names=as_signed, dates="author")
    assert told(whole).startswith(
        "In February 2025, Ada Lovelace made 1 change in acme/engine. It only took out another change."
    )


def test_reviews_are_told_with_their_commits_and_never_as_own_changes() -> None:
    reviewed = [commit(f"Add wheel {n}", at=f"2025-0{n}-07 12:00", author=GRACE) for n in (1, 2)]
    whole = whole_of(*history(12), credited=[("reviewer", one) for one in reviewed])
    said = paragraph(whole, recurring(whole))[-1]
    assert said.text == "They also reviewed 2 commits by 1 other in acme/engine."
    assert said.evidence == tuple(one.sha for one in reviewed)
    assert counts_of(whole)["changes"] == 12


def test_work_by_others_is_told_apart() -> None:
    shared = commit("Add a great wheel", at="2025-01-07 12:00", author=GRACE)
    text = told(whole_of(*history(12), shared, credited=[("coauthor", shared)]))
    assert "Ada Lovelace made 12 changes" in text and text.endswith("They shared in 1 change by others.")


def test_each_sentence_rests_on_commits_of_the_history_and_is_proved() -> None:
    whole = whole_of(*history(40))
    proof = Proof.of(*whole.months)
    known = {one.sha for one in whole.commits}
    for sentence in paragraph(whole, recurring(whole)):
        assert sentence.evidence and known.issuperset(sentence.evidence)
        assert not [fault for fault in proof.faults(sentence) if "filler" in fault or "claimed" in fault]


def test_a_sentence_that_its_proof_refuses_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers that were not counted, and quotations that nobody wrote, do not get past the checker."""
    whole = whole_of(*history(12))
    found = recurring(whole)
    shas = tuple(one.sha for one in whole.commits)
    wrong = [
        Slot((Remark("Ada Lovelace made 13 changes.", shas, ("Ada Lovelace", "12 changes")),), (0,)),
        Slot((Remark("The latest is “Add a great clock”.", shas, (), is_counted=False),), (0,)),
        Slot((Remark("Ada Lovelace made 12 changes.", shas, ("Ada Lovelace", "12 changes")),), (0,)),
    ]
    monkeypatch.setattr("bot.story.profile.paragraph.remarks", lambda *_: wrong)
    assert [one.text for one in paragraph(whole, found)] == ["Ada Lovelace made 12 changes."]


def remark_of(whole: WholeFacts, beginning: str) -> Remark:
    """The fullest of the remarks that can be made with this beginning."""
    every = (slot.lengths[0] for slot in remarks(whole, recurring(whole)))
    return next(one for one in every if one is not None and one.text.startswith(beginning))


def test_kinds_are_those_that_are_sure_and_no_practices() -> None:
    work = [
        commit("feat: ring a bell", at=day(1)),
        commit("fix: ring it once", at=day(2)),
        commit("fix: ring it at noon", at=day(3)),
        commit("test: listen to it", at=day(4), paths=["tests/test_bell.py"]),
        commit("Something", at=day(5)),
    ]
    assert remark_of(whole_of(*work), "Among").text == "Among the changes are 2 fixes and 1 feature."


def test_what_is_no_sure_feature_is_not_called_one() -> None:
    whole = whole_of(*(commit(f"Bell number {n} in the tower", at=day(n), paths=["src/bell.py"]) for n in range(5)))
    assert not any(change.is_sure for change in whole.changes)
    assert remark_of(whole, "The change").text.startswith(
        "The changes with most lines are “Bell number 0 in the tower”"
    )


def test_practices_are_those_of_own_changes() -> None:
    own = [commit(f"Listen to bell {n}", at=day(n), paths=[f"tests/test_{n}.py"]) for n in range(3)]
    shared = commit("Listen to a great bell", at=day(9), author=GRACE, paths=["tests/test_great.py"])
    said = remark_of(whole_of(*own, shared, credited=[("coauthor", shared)]), "Tests")
    assert (said.text, said.evidence) == ("Tests are part of 3 changes.", tuple(one.sha for one in own))


# --- what recurs


def test_words_are_one_however_they_are_written() -> None:
    assert names(
        commit("Add PunchCard", at=day(1), paths=["src/a.py"]),
        commit("Read a punch card twice", at=day(2), paths=["src/b.py"]),
        commit("Sort them", at=day(3), paths=["src/punch_card.py"]),
        commit("Ring a bell", at=day(4), paths=["src/c.py"]),
        commit("Turn the wheel", at=day(5), paths=["src/d.py"]),
    ) == [("PunchCard", 3)]


def test_a_tag_is_told_as_the_team_writes_it() -> None:
    assert names(
        *(commit(f"[loom link] Step {n}", at=day(n), paths=[f"src/{n}.py"]) for n in range(1, 4)),
        *(commit(f"Weave {n}", at=day(n + 9), paths=[f"src/{n}{n}.py"]) for n in range(1, 5)),
    ) == [("loom link", 3)]


def test_what_only_paths_name_is_no_theme() -> None:
    assert names(*(commit(f"Step {n}", at=day(n), paths=["src/plotter.py"]) for n in range(1, 9))) == []


def test_the_repository_and_its_package_are_no_themes() -> None:
    assert (
        names(
            *(commit(f"Oil engine and enginelib {n}", at=day(n), paths=[f"enginelib/part{n}.py"]) for n in range(1, 9))
        )
        == []
    )


def test_a_theme_shows_only_what_stands() -> None:
    work = [commit(f"Add plotter pen {n}", at=day(n), paths=["src/plotter.py"]) for n in range(1, 5)]
    rest = [commit(f"Turn wheel {n}", at=day(n), paths=[f"w{n}.py"]) for n in range(6, 12)]
    out = taken_out(work[0], day(5))
    (area,) = [one for one in recurring(whole_of(*work, out, *rest)) if one.name == "plotter pen"]
    assert [change.lead.sha for change in area.changes] == [one.sha for one in work[1:]]


def test_most_of_each_theme_is_in_none_before_it() -> None:
    found = areas(whole_of(*history(60)).own)
    assert 1 < len(found) <= 5
    before: set[str] = set()
    for area in found:
        ids = {change.id for change in area.changes}
        assert len(ids - before) * 10 >= len(ids) * 6
        before |= ids


def test_a_folder_that_holds_everything_is_no_theme_where_its_parts_are() -> None:
    """Gears are named more often than any one of them, and hold all of them."""
    gears = ("cam", "cog", "pinion", "rod", "hub", "rim", "pawl", "ratchet")
    work = [
        commit(f"Turn the {gears[n % 8]} {n}{' of a gear' * (n < 6)}", at=day(n), paths=[f"gear/{gears[n % 8]}/{n}.rs"])
        for n in range(32)
    ]
    rest = [commit(f"{n}", at=day(n), paths=[f"{n}.rs"]) for n in range(40, 80)]
    found = {name for name, _ in names(*work, *rest)}
    assert len(found) == 5 and found < set(gears)


def test_a_word_that_is_a_part_of_longer_names_is_no_theme_beside_them() -> None:
    chairs = [f"Oil the {kind}Chair {n}" for kind in ("Arm", "Deck") for n in range(4)]
    work = [commit(subject, at=day(n), paths=["src/chair.rs"]) for n, subject in enumerate([*chairs, "Oil a chair"])]
    rest = [commit(f"{n}", at=day(n), paths=[f"{n}.rs"]) for n in range(20, 45)]
    assert names(*work, *rest) == [("ArmChair", 4), ("DeckChair", 4)]


def test_a_theme_spans_the_months_by_the_date_that_counts() -> None:
    """By the committer's date where that one decides the month, here a year after the author's."""
    written = [commit(f"Add plotter {n}", at=day(n), paths=["src/plotter.py"]) for n in range(3)]
    later = [replace(one, committer=replace(one.committer, seconds=one.committer.seconds + YEAR)) for one in written]
    document = document_of(whole_of(*later, dates="committer"))
    assert [(one["name"], one["from"], one["to"]) for one in document["themes"]] == [("plotter", "2025-01", "2025-01")]
    assert document["notes"] == ["Commits belong to the month of their commit date."]


# --- the document


def test_the_page_names_every_key() -> None:
    page = (Path(__file__).parents[2] / "docs" / "profile.md").read_text()
    table = page.partition("## The JSON")[2]
    assert set(re.findall(r"`([a-z_]+)`", table)) >= keys(A_PROFILE)


def keys(shape: object) -> set[str]:
    """The keys of a profile, without those of the months in it, which have a page of their own."""
    if isinstance(shape, dict):
        return {*shape, *(key for name, inner in shape.items() if name != "months" for key in keys(inner))}
    return keys(shape[0]) if isinstance(shape, list) else set()


def test_the_document_is_read_again_as_it_was_written() -> None:
    document = document_of(whole_of(*history(20)))
    assert documents_of(json.dumps(document), "here") == [document]


def test_the_document_has_months_newest_first_and_tells_every_commit() -> None:
    document = document_of(whole_of(*history(20)))
    months = [month["month"] for month in document["months"]]
    assert months == sorted(months, reverse=True) and document["counts"]["months"] == len(months)
    assert (document["from"], document["to"]) == (months[-1], months[0])
    assert document["coverage"] == {"commits_told": 20, "commits_total": 20}


def test_repositories_are_told_by_changes_with_what_was_used_there() -> None:
    work = [
        commit("Add a wheel", at="2025-01-03 12:00", paths=["src/wheel.rs"]),
        commit("Add an axle", at="2025-02-03 12:00", paths=["src/axle.rs"], repository=WEB),
        commit("Add a spoke", at="2025-02-04 12:00", paths=["src/spoke.py"], repository=WEB),
    ]
    assert document_of(whole_of(*work))["repositories"] == [
        {"name": WEB, "months": 1, "commits": 2, "changes": 2, "languages": ["Python", "Rust"], "technologies": []},
        {"name": ENGINE, "months": 1, "commits": 1, "changes": 1, "languages": ["Rust"], "technologies": []},
    ]


def test_what_is_wrong_with_the_index_is_noted_once() -> None:
    failing = [replace(indexed(ENGINE), failure="gone"), indexed(WEB)]
    commits = history(12)
    material = Material(tuple(commits), (), by_commit(histories_of(commits)))
    whole = whole_facts(ADA, material, failing, UTC_ZONE, INDEXED, names=as_signed, dates="author")
    document = document_of(whole)
    assert document["notes"] == ["acme/engine could not be read at the last try, so it is told as of 5 November 2025."]
    assert not any(month["notes"] for month in document["months"])


# --- whatever is in git

SUBJECTS = st.one_of(st.text(max_size=60), st.sampled_from([one for one, _ in WORK]), st.just("Fix `a” “b"))
COMMITS = st.lists(
    st.tuples(SUBJECTS, st.integers(0, 170), st.sampled_from(["src/mill.py", "a", "x/y/zebra_crossing.rs", "é/ü.c"])),
    max_size=30,
)


@given(COMMITS)
def test_whatever_git_holds_the_paragraph_is_short_proved_and_the_same_again(
    drawn: list[tuple[str, int, str]],
) -> None:
    commits = [
        commit(subject, at=day(number), paths=[path], sha=f"{place:040x}")
        for place, (subject, number, path) in enumerate(drawn)
    ]
    document = document_of(whole_of(*commits))
    text = " ".join(one["text"] for one in document["paragraph"])
    assert len(text.split()) <= MOST_WORDS and "  " not in text and "()" not in text
    assert text.endswith(".") and text[0].isupper()
    assert document_of(whole_of(*reversed(commits))) == document
    assert documents_of(json.dumps(document), "here") == [document]


def test_a_huge_subject_and_path_cost_no_time() -> None:
    huge = "wheel of Many_Parts " * 800_000
    commits = [commit(f"{n} {huge}", at=day(n), paths=["/".join(["p_q" * 50_000] * 4)]) for n in range(3)]
    whole = whole_of(*commits)
    begun = time.perf_counter()
    recurring(whole)
    assert time.perf_counter() - begun < 1


def test_ten_years_of_three_thousand_commits_are_put_in_words_at_once() -> None:
    """The paragraph and the themes; the months' own stories have a time of their own."""
    commits = [
        commit(
            f"{subject.format(number)}",
            at=f"{2015 + number // 300}-{number // 25 % 12 + 1:02}-{number % 25 + 1:02} 10:00",
            paths=[f"{path}/{number % 40}.py" for number in range(number, number + 3)],
        )
        for number in range(3_000)
        for subject, path in [WORK[number % len(WORK)]]
    ]
    whole = whole_of(*commits)
    begun = time.process_time()
    paragraph(whole, recurring(whole))
    assert time.process_time() - begun < 2
