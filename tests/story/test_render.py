"""What is told of a document in every form: its notes, its items in their order, and the numbers of several places."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from values import ADA, ENGINE, INDEXED, UTC_ZONE, WEB, Json, commit, indexed, read

from bot.model import Commit, Dates
from bot.month.calendar import Month
from bot.month.facts import FactsContext, Helped, MonthFacts, month_facts
from bot.slack.render import document_messages
from bot.story.documents import Document, to_json
from bot.story.month import month_document
from bot.story.render import Templates, ref_link, short_names

OCTOBER = Month(2025, 10)
TEMPLATES = Templates()
FORMS = ("text", "markdown", "html")
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]
PAGES = {ENGINE: f"https://github.com/{ENGINE}", WEB: None}


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


# --- the items


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
