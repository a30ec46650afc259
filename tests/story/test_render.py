"""What is told of a document in every form: its notes, its items in their order, and the numbers of several places."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from values import ADA, ENGINE, INDEXED, UTC_ZONE, WEB, Json, commit, indexed, read, sha_of

from bot.model import Commit, Dates
from bot.month.calendar import Month
from bot.month.facts import FactsContext, Helped, MonthFacts, month_facts
from bot.slack.render import document_messages
from bot.story.documents import Document, to_json
from bot.story.month import month_document
from bot.story.render import Templates, context, ref_link, short_names
from bot.workspace.block_kit import faults

OCTOBER = Month(2025, 10)
TEMPLATES = Templates()
FORMS = ("text", "markdown", "html")
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]
PAGES = {ENGINE: f"https://github.com/{ENGINE}", WEB: None}
TITLES = ("Add a plan", "Fix the lock", "<b> & *x* `y`", "\x1b[31mred \u202eturned", "- a\nb", "漢字 {{ 1 }}", "")


def facts_of(commits: Sequence[Commit], helped: Sequence[Helped] = (), dates: Dates = "author") -> MonthFacts:
    return month_facts(ADA, OCTOBER, commits, FactsContext(UTC_ZONE, REPOSITORIES, INDEXED, dates=dates), helped=helped)


def document_of(*commits: Commit, **more: Any) -> Json:
    facts = facts_of(commits, **more)
    return to_json(month_document(facts))


def told(document: Json | Document) -> dict[str, str]:
    """A document in every form."""
    given = read(document) if isinstance(document, dict) else document
    slack = [message.payload() for message in document_messages([given], TEMPLATES, PAGES)]
    return {form: TEMPLATES.month(form, given, PAGES) for form in FORMS} | {"slack": json.dumps(slack)}


def test_a_note_stands_one_blank_line_below_whatever_a_month_has() -> None:
    for document in (document_of(), document_of(commit()), document_of(helped=[Helped("reviewer", ENGINE, 2, 1)])):
        for form, text in told(document | {"notes": ["Left out: x."]}).items():
            assert form in ("html", "slack") or ("\n\nLeft out" in text and "\n\n\n" not in text)


# --- help, dates, impact


def test_reviews_are_told_once_from_what_the_document_counts() -> None:
    document = document_of(helped=[Helped("reviewer", ENGINE, 1204, 5), Helped("reviewer", WEB, 1, 1)])
    said = context(read(document))["helped"]
    assert "1,205" in said and document["notes"] == []
    assert all(text.count(said) == (2 if form == "slack" else 1) for form, text in told(document).items())


def test_where_the_commit_date_decides_the_details_say_so() -> None:
    for dates in ("author", "committer"):
        assert len(document_of(commit(), dates=dates)["details"]) == (dates == "committer")


def test_what_is_said_of_effect_stands_in_every_form() -> None:
    document = document_of(commit("Cut the start"))
    document["impact"] = [{"text": "It took 2.68 s.", "evidence": document["headline"]["evidence"]}]
    assert all("It took 2.68 s." in text for text in told(document).values())


# --- the items


SECTIONS = ("work", "work", "fixed", "attention", "reverts", "tests", "docs", "build", "shared", "other")


def test_items_stand_in_the_order_told() -> None:
    document = document_of(*(commit(f"{word} the wall", sha=sha_of(word)) for word in "Abcdefghij"))
    one = document["items"][0]
    line = one["lines"][0]
    order = (8, 2, 5, 0, 1, 9, 4, 3, 7, 6)
    document["items"] = [
        {**one, "section": SECTIONS[n], "label": "", "lines": [{**line, "title": f"Part {n}"}], "more": []}
        for n in order
    ]
    wanted = [0, 1, 2, 3, 4, 5, 9, 7, 6, 8]  # tests, documents, build and the rest are one section
    for shown in told(document).values():
        found = [int(n) for n in re.findall(r"Part (\d)", shown)]
        assert found[: len(wanted)] == wanted


def test_where_there_are_several_repositories_each_number_says_of_which_it_is() -> None:
    out = commit("Add a wall (#1)", sha="a" * 40, paths=["src/a.py"])
    back = commit('Revert "Add a wall" (#3)', at="2025-10-09 12:00", body=f"This reverts commit {out.sha}.\n\nIt fell.")
    plan = commit("Add a plan (#2)", repository=WEB, paths=["src/b.ts"])
    for shown in told(document_of(out, back, plan)).values():
        assert "engine#1" in shown and "engine#3" in shown and "web#2" in shown
        assert not re.search(r'[( \["]#[123]', shown)
    plan_here = told(document_of(commit("Add a gate (#9)"), plan))["markdown"]
    assert f"[engine#9]({PAGES[ENGINE]}/pull/9)" in plan_here.replace("\\", "")
    assert all("engine#" not in shown for shown in told(document_of(out, back)).values())
    assert short_names(["a/x", "b/x", "b/y"]) == {"a/x": "a/x", "b/x": "b/x", "b/y": "y"}


@pytest.mark.parametrize("ref", ["#7)](javascript:x)", "x#y", "#", "#７", "a b/c#7", "a/b/c#7", "7", "D71000001"])
def test_what_is_no_number_of_a_pull_request_has_no_page(ref: str) -> None:
    assert ref_link(ref, "https://github.com/a/b") is None


# --- what a document cannot do


HOSTILE = "\x1b[31m<script>alert(1)</script> {{ 7 * 7 }} [x](javascript:y) <!channel> \u202e"


def test_a_month_of_a_thousand_changes_names_some_counts_the_others_and_loses_none() -> None:
    commits = [
        commit(f"Widen a{n} by b{n} (#{n})", sha=sha_of(n), at=f"2025-10-{n % 28 + 1:02} 12:00") for n in range(1_000)
    ]
    document = document_of(*commits)
    messages = document_messages([read(document)], TEMPLATES, PAGES)
    assert [faults(message.payload()) for message in messages] == [[]] * len(messages)
    assert {sha for item in document["items"] for sha in item["evidence"]} == {one.sha for one in commits}
