"""What commits leave by which others find them is kept with them, and goes with them."""

from __future__ import annotations

import pytest
from values import ENGINE, commit

from bot.model import Repository
from storage import Store

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
