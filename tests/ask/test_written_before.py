"""A person's month is what they wrote in it; what came in it and was written before it stands in a last line."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from builders import query_service
from values import GRACE, commit

from bot.ask.queries import Queries
from bot.model import Commit
from bot.month.calendar import Days, Month
from bot.slack.render import messages_of
from bot.story.documents import MonthDocument
from bot.story.render import Templates

SEPTEMBER, OCTOBER = Month(2025, 9), Month(2025, 10)
TEMPLATES = Templates()


def came(one: Commit, at: str) -> Commit:
    """The commit as a topic merge brought it, `at` in UTC."""
    return replace(one, via="e" * 40, came_at=int(datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp()))


DIALS = came(commit("Draw dials (#7)", at="2025-08-20 12:00"), "2025-10-02 08:00")
MILLS = came(commit("Draw mills", at="2025-09-30 12:00"), "2025-10-03 08:00")
WITHIN = commit("Fix the cache (#2)", at="2025-10-04 12:00")


def month(almanac: Queries, span: Days, name: str = "Ada Lovelace") -> list[MonthDocument]:
    return almanac.month(almanac.person(name, span), span)


def of_october(path: Path, *commits: Commit, **settings: Any) -> MonthDocument:
    (document,) = month(query_service(path, commits, **settings), Days.of(OCTOBER))
    return document


def forms(document: MonthDocument) -> dict[str, str]:
    told = {form: TEMPLATES.month(form, document) for form in ("text", "markdown", "html")}
    return told | {"slack": "\n".join(one.text for one in messages_of(document, TEMPLATES))}


def test_several_months_each_tell_what_came_in_them(tmp_path: Path) -> None:
    almanac = query_service(tmp_path, [DIALS, MILLS, WITHIN])
    documents = month(almanac, Days.of(Month(2025, 8), OCTOBER))
    assert [(one.month, [early.title for early in one.written_before]) for one in documents] == [
        ("2025-10", ["Draw dials", "Draw mills"]),
        ("2025-09", []),
        ("2025-08", []),
    ]
    (week,) = month(almanac, Days.parse("2025-10-01", "2025-10-07"))
    assert "Written before, landed this period\n- Draw dials (#7)" in forms(week)["text"]


def test_what_landed_before_does_not_land_again_on_a_release_branch(tmp_path: Path) -> None:
    first = commit("Draw dials (#7)", at="2025-09-20 12:00")
    picked = came(
        commit("Draw dials (#7)", at="2025-09-20 12:00", body=f"(cherry picked from commit {first.sha})"),
        "2025-10-02 08:00",
    )
    assert not of_october(tmp_path, first, picked, WITHIN).written_before


def test_who_brought_their_own_branch_up_to_date_merged_none(tmp_path: Path) -> None:
    update = came(commit("Merge upstream/main into dials", at="2025-10-02 07:00", merge=True), "2025-10-03 08:00")
    assert "merged" not in of_october(tmp_path, WITHIN, update).headline.text


@pytest.mark.parametrize(("path", "told"), [("README.md", ["Draw mills"]), ("src/dial.py", [])])
def test_a_page_stands_for_nothing_else_that_its_merge_brought(tmp_path: Path, path: str, told: list[str]) -> None:
    page = came(commit("Round dials", at="2025-10-02 07:00", paths=[path]), "2025-10-03 08:00")
    assert [one.title for one in of_october(tmp_path, MILLS, page).written_before] == told


def test_what_was_hidden_by_hand_is_not_named_and_a_title_by_hand_is_used(tmp_path: Path) -> None:
    almanac = query_service(tmp_path, [DIALS, MILLS, WITHIN])
    now = almanac.settings.now()
    almanac.store.said.say("change", "hidden", [MILLS.sha], "yes", "test", now)
    almanac.store.said.say("change", "title", [DIALS.sha], "Draw all dials", "test", now)
    (document,) = month(almanac, Days.of(OCTOBER))
    assert [one.title for one in document.written_before] == ["Draw all dials"]


@pytest.mark.parametrize(("theirs", "title"), [(1, "Draw all"), (2, "Draw dials")])
def test_a_merge_speaks_for_whoever_wrote_most_of_it(tmp_path: Path, theirs: int, title: str) -> None:
    """And in its number its one change is found."""
    merge = commit(
        "Merge pull request #9 from ada/all", at="2025-10-06 12:00", author=GRACE, body="Draw all", merge=True
    )

    def brought(subject: str, day: int, **more: Any) -> Commit:
        made = commit(subject, at=f"2025-10-0{day} 12:00", **more)
        return replace(made, via=merge.sha, came_at=merge.committer.seconds)

    own = [brought("Draw dials", 1), brought("Draw mills by hand", 2)]
    others = [brought(f"Draw sails {n}", 3, author=GRACE) for n in range(theirs)]
    document = of_october(tmp_path, *own, *others, merge)
    assert title in {line.title for item in document.items for line in item.lines}
    alone = of_october(tmp_path / "alone", own[0], merge)
    assert [(line.title, line.ref) for item in alone.items for line in item.lines] == [("Draw all", "#9")]
