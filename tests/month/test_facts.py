"""The numbers of a month: nothing is counted twice, whoever wrote it together and however often it came and went."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders import GRACE as HOPPER
from builders import GitRepo, index
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, Json, changed, commit, indexed
from values import read as as_document

from bot.ask.queries import Queries
from bot.model import Commit, Person, Repository
from bot.month.calendar import Days, Month
from bot.month.facts import FactsContext, MonthFacts, counts, month_facts
from bot.month.histories import by_commit, histories_of
from bot.settings import Settings
from bot.story.documents import to_json
from bot.story.render import context
from storage import Store

OCTOBER = Month(2025, 10)
IN_OCTOBER = Days.of(OCTOBER)
BY_GRACE = "Co-authored-by: Grace Hopper <grace@example.com>"
SHARED = commit("Add a cache", body=BY_GRACE, sha="a" * 40)
OWN = commit("Add a lamp", author=GRACE, at="2025-10-05 12:00", sha="b" * 40)


def facts_of(
    own: Sequence[Commit], person: Person = ADA, every: Sequence[Commit] | None = None, **more: object
) -> MonthFacts:
    whole = by_commit(histories_of(every or own))
    known = [indexed(ENGINE), indexed(WEB)]
    return month_facts(person, OCTOBER, own, FactsContext(UTC_ZONE, known, INDEXED, histories=whole), **more)  # type: ignore[arg-type]


def almanac_of(path: Path, *commits: Commit) -> Queries:
    store = Store(path / "almanac.db")
    for name in (ENGINE, WEB):
        store.commits.register(Repository(name, f"/srv/{name}"))
        store.commits.add(name, [one for one in commits if one.repository == name])
    return Queries.of(store, Settings(fixed_now=datetime(2025, 11, 5, 9, tzinfo=UTC)))


def month(path: Path, *commits: Commit, person: Person = GRACE) -> Json:
    (document,) = to_json(almanac_of(path, *commits).month(person, IN_OCTOBER))
    return document


def titles(document: Json) -> list[tuple[str, str, str]]:
    """Section, title and, where it is somebody else's, author of each line."""
    return [(item["section"], line["title"], line["by"]) for item in document["items"] for line in item["lines"]]


# --- written together


def test_what_somebody_wrote_with_another_is_in_their_month_once_and_marked(tmp_path: Path) -> None:
    document = month(tmp_path, SHARED, OWN)
    assert titles(document) == [("work", "Add a lamp", ""), ("shared", "Add a cache", "Ada Lovelace")]
    assert document["counts"]["commits"] == document["counts"]["changes"] == 2
    assert document["credit"] == {"reviewed": [], "coauthored": [SHARED.sha]}
    assert document["coverage"] == {"commits_told": 2, "commits_total": 2}


# --- lines


def lines(*commits: Commit) -> tuple[int, int]:
    numbers = counts(facts_of(commits))
    return numbers["additions"], numbers["deletions"]


FILES = [changed("src/cache.py", 40, 10)]
WORK = commit("Add a cache (#1)", at="2025-10-03 12:00", paths=FILES)


def again(subject: str, day: int, repository: str = ENGINE, body: str = "") -> Commit:
    return commit(subject, at=f"2025-10-{day:02} 12:00", paths=FILES, repository=repository, body=body)


@pytest.mark.parametrize(
    "more",
    [
        [],
        [commit(WORK.subject, paths=FILES, repository=WEB, sha=WORK.sha)],
        [again("Add a cache (#9)", 3, WEB)],
        [again('Revert "Add a cache (#1)" (#2)', 4)],
        [again('Revert "Add a cache (#1)" (#2)', 4), again("[reland] Add a cache (#1) (#3)", 5)],
        [again('Revert "Add a cache (#1)" (#2)', 4), again("Add a cache (#3)", 5)],
        [
            again('Revert "Add a cache (#1)" (#2)', 4),
            again("[reland] Add a cache (#1) (#3)", 5),
            again('Revert "[reland] Add a cache (#1) (#3)" (#4)', 6),
            again("[reland] Add a cache (#1) (#5)", 7),
        ],
        [
            again('Revert "Add a cache (#1)" (#2)', 4),
            again("Add a cache (#3)", 5),
            again('Revert "Add a cache (#3)" (#4)', 6),
            again("Add a cache (#5)", 7),
        ],
        [
            again("Go back", 4, body=f"This reverts commit {WORK.sha}."),
            again("[reland] Add a cache (#1) (#3)", 5),
            again('Revert "[reland] Add a cache (#1) (#3)" (#4)', 6),
        ],
    ],
)
def test_lines_are_counted_once_however_often_they_came_and_went(more: list[Commit]) -> None:
    facts = facts_of([WORK, *more])
    assert len(facts.changes) == 1
    assert lines(WORK, *more) == (40, 10)


# --- a month without a commit


def test_a_month_of_nothing_but_reviews_tells_them(tmp_path: Path) -> None:
    """They are work: it is not a month of nothing, nor are other months offered in its place."""
    read = commit("Add a cache", body="Reviewed-by: Grace Hopper <grace@example.com>", sha="a" * 40)
    before = commit("Add a lamp", at="2025-08-05 12:00", author=GRACE)
    document = month(tmp_path, read, before)
    assert document["headline"]["evidence"] == [read.sha]
    assert document["headline"]["text"] != month(tmp_path / "none", before)["headline"]["text"]
    assert re.findall(r"\d+", context(as_document(document))["helped"]) == ["1"]
    assert (document["items"], document["notes"]) == ([], [])
    assert document["credit"]["reviewed"] == [{"repository": ENGINE, "commits": 1, "people": 1}]


def test_lines_of_what_was_written_together_are_counted_for_the_answer(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a first index, which reads names only, as those of what somebody wrote alone are."""
    monkeypatch.setattr("bot.index.mirrors.AT_ONCE", 0)
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.commit("Add a cache", body=BY_GRACE, files={"cache.py": "1\n2\n3\n"})
    repo.commit("Add a lamp", author=HOPPER, at="2025-08-05 12:00 +0000", files={"lamp.py": "on\n"})
    index(store, repo)
    assert store.commits.uncounted("acme/engine") == 2
    (document,) = to_json(
        Queries.of(store, Settings(fixed_now=datetime(2025, 11, 5, 9, tzinfo=UTC))).month(GRACE, IN_OCTOBER)
    )
    assert document["skills"]["languages"] == [{"name": "Python", "lines": 3}]
