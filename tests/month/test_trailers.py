"""Who is credited by a body, as written; only real trailers count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps import steps

from bot.model import Credited
from bot.month.credits import MOST_CREDITS, credits_of

ADA = Credited("coauthor", "Ada Lovelace", "ada@example.com")


def test_each_role_has_its_trailers() -> None:
    body = """Why it was slow.

Co-authored-by: Ada Lovelace <ada@example.com>
CO-AUTHORED-BY: Max Roe <max@example.com>
Reviewed-by: Grace Hopper <grace@example.com>
Suggested-by: Joe Roe
Reported-by: "Jane Doe" <jane@example.com>
Tested-by: jane@example.com
Helped-by: Li <li@example.com>
Signed-off-by: Nobody <nobody@example.com>
"""
    assert credits_of(body) == (
        ADA,
        Credited("coauthor", "Max Roe", "max@example.com"),
        Credited("reviewer", "Grace Hopper", "grace@example.com"),
        Credited("suggester", "Joe Roe"),
        Credited("reporter", "Jane Doe", "jane@example.com"),
        Credited("tester", "", "jane@example.com"),
        Credited("helper", "Li", "li@example.com"),
    )


@pytest.mark.parametrize(
    "body",
    [
        "Prose that was\nReviewed-by: everybody in the team\nbefore it went on.",
        "This was\nReviewed-by: the whole team",  # at the end of prose, without an address
        "We now parse:\n\n    Co-authored-by: Ada Lovelace <ada@example.com>",
        "```\nCo-authored-by: Ada Lovelace <ada@example.com>\n```",
        "```\nReviewed By: ada\n\nReviewed By: grace\n```\n",
        "> Co-authored-by: Ada Lovelace <ada@example.com>",
        "Stand-by: Ada Lovelace <ada@example.com>",
        "Reviewed-by:",
        "Reviewed By: #infra",
        "",
    ],
)
def test_what_is_no_trailer_credits_nobody(body: str) -> None:
    assert credits_of(body) == ()


@pytest.mark.parametrize(
    "body",
    [
        "Fix it\n\nCo-authored-by: Ada Lovelace <ada@example.com>\n\n* Another commit\n\nof a squash",
        "Fix it\nin a hurry.\nCo-authored-by: Ada Lovelace <ada@example.com>",
        "text\n---------\nCo-authored-by: Ada Lovelace <ada@example.com>\n(cherry picked from commit 12ab)",
        "text\r\n\r\nCo-authored-by: Ada Lovelace <ada@example.com>\r\n",
        "Broken:\n```\ncode that never ends\n\nCo-authored-by: Ada Lovelace <ada@example.com>",
        "Co-authored-by: Ada Lovelace <ada@example.com>\nco-authored-by: ada <ADA@example.com>",
        "Fixes: #12\nCo-authored-by: Ada Lovelace\n <ada@example.com>\nCo-authored-by: Ada Lovelace <ada@example.com>",
    ],
)
def test_trailers_are_found_where_histories_put_them(body: str) -> None:
    assert ADA in credits_of(body)
    assert len([one for one in credits_of(body) if one.address]) == 1


@given(st.text(alphabet="Co-authored-by: Reviewed By:\n\r\t <>@,#`a.", max_size=300))
def test_any_body_names_somebody_or_nobody(body: str) -> None:
    found = credits_of(body)
    assert len({(one.role, (one.address or one.name).casefold()) for one in found}) == len(found)
    assert all((one.name or one.address) and "\n" not in one.name + one.address for one in found)


@pytest.mark.parametrize(
    "piece",
    ["Reviewed-by: ", "Reviewed By: a,", "a: ", "by:\n", "Co-authored-by: <", "Tested-by: a <a@x>\n\n", "```\n"],
)
def test_hostile_bodies_take_linear_time(piece: str) -> None:
    """A quarter of a second at most; a step for each pair of lines would take minutes."""

    def read(count: int) -> None:
        assert len(credits_of(piece * count + "\nReviewed-by: A <a@x.org>")) <= MOST_CREDITS

    assert steps(lambda: read(8_000)) < 12 * steps(lambda: read(800))
    read(80_000)  # and no pattern goes back and forth: that would not end within the time limit
