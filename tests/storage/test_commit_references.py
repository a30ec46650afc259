"""What commits leave by which others find them is kept with them, and goes with them."""

from __future__ import annotations

import pytest
from values import ENGINE, GRACE, WEB, commit

from bot.model import Repository
from storage import Store

BODY = "It is faster.\n\nDifferential Revision: D71000001\nReviewed By: ada, grace\nCo-authored-by: Ada <ada@b.example>"
WORK = commit("Cache it (#1)", body=BODY)
REVERT = commit('Revert "Cache it (#1)" (#2)', body=f"This reverts commit {WORK.sha}.", author=GRACE)
MERGE = commit("Merge pull request #3 from ada/x", body="Reviewed-by: Ada <ada@b.example>", merge=True)
ALL = [WORK, REVERT, MERGE]


def rows(store: Store, table: str) -> list[tuple[object, ...]]:
    """The rows of a table, with SHAs in place of commits' numbers and names in place of those of who is credited."""
    columns = {
        "commit_references": """SELECT key, role, sha FROM commit_references
                                LEFT JOIN commits ON commits.id = commit_id""",
        "credits": """SELECT name, address, credits.authored_at, sha, role FROM credits
                      LEFT JOIN commits ON commits.id = commit_id LEFT JOIN credited ON credited.id = credited_id""",
    }
    with store.transaction() as connection:
        found = connection.tuples(columns[table])
    return sorted(tuple(one.hex() if isinstance(one, bytes) else one for one in row) for row in found)


@pytest.fixture
def filled(store: Store) -> Store:
    for name in (ENGINE, WEB):
        store.commits.register(Repository(name, f"/srv/{name}"))
    store.commits.add(ENGINE, ALL)
    return store


# --- a pull request


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Round tides (#12)", ""),
        ("Merged PR 12: Round tides", ""),
        ("Merged in tides (pull request #12)", "Round tides"),
        ("Round tides", "See merge request acme/engine!12"),
        ("Round tides", "Change-Id: I0123456789\nReviewed-on: https://review.example.org/c/engine/+/12"),
        ("Round tides", "Reviewed-on: https://review.example.org/#/c/12/"),
        ("Round tides", f"PR-URL: https://github.com/{ENGINE}/pull/12"),
    ],
)
def test_a_commit_is_found_by_the_number_of_its_pull_request(store: Store, subject: str, body: str) -> None:
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    one = commit(subject, body=body)
    store.commits.add(ENGINE, [one])
    assert store.commits.by_pull(None, 12) == [one]
    assert store.commits.by_pull("engine", 12) == [one]
    assert store.commits.by_pull(None, 13) == []
