"""Whose the names in trailers may be that are nobody's: proposed with good reason, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.model import Identity, Mention, Person, Presence, Role
from bot.month.machines import BOTS, TOOLS
from bot.month.people import everyone
from bot.month.resolver import Resolver
from bot.month.suggestions import suggestions
from bot.month.unmatched_credits import UnmatchedCredit, unmatched_credits

ENGINE, WEB = "acme/engine", "acme/web"
DAY = datetime(2025, 10, 1, tzinfo=UTC)
STAAY = ("Dennis van der Staay", "dstaay@acme.com")
SHAYNE = ("Shayne Fletcher", "shaynefletcher@acme.com")
JIANYU = ("Jianyu Huang", "jh@acme.com")
PEOPLE = (STAAY, SHAYNE, JIANYU, ("Ann Oak", "oak@gmail.com"))


def mention(
    name: str,
    address: str = "",
    role: Role = "reviewer",
    repository: str = ENGINE,
    author: tuple[str, str] = ("Ann Oak", "oak@gmail.com"),
    count: int = 1,
) -> Mention:
    return Mention(name, address, role, repository, author, count)


def found(
    *mentions: Mention,
    people: Sequence[tuple[str, str]] = PEOPLE,
    commits: dict[str, int] | None = None,
    not_theirs: frozenset[tuple[str, str]] = frozenset(),
) -> list[UnmatchedCredit]:
    """Everybody writes ten commits in one repository, unless it is said how many an address has."""
    written = [(*one, (commits or {}).get(one[1], 10)) for one in people]
    everybody = everyone(Identity(*one) for one in written)
    presences = [Presence(name, address, ENGINE, times, DAY, DAY) for name, address, times in written]
    may_be_one = suggestions(everybody, presences, BOTS)
    resolver = Resolver(everybody, (), TOOLS, BOTS, not_theirs)
    return unmatched_credits(mentions, everybody, resolver, presences, may_be_one, BOTS, not_theirs)


def proposed(*mentions: Mention, **given: Any) -> tuple[list[str], str] | None:
    """The addresses of who is meant, and what is to be linked to them besides."""
    (one,) = found(*mentions, **given)
    return one.proposal and ([person.addresses[0] for person in one.proposal.people], one.proposal.also)


def test_names_are_counted_by_role_and_repository_whatever_their_case() -> None:
    (first, second) = found(
        mention("q10", count=2),
        mention("@Q10", repository=WEB),
        mention("q10", role="tester", author=JIANYU),
        mention("Zoe Elm", "zoe@elm.example", count=3),
        mention("dstaay"),
        mention("renovate[bot]", "7+renovate[bot]@users.noreply.github.com", "coauthor"),
        mention("Claude", "noreply@anthropic.com", "coauthor"),
    )
    assert (first.name, first.count, dict(first.roles)) == ("q10", 4, {"reviewer": 3, "tester": 1})
    assert dict(first.repositories) == {ENGINE: 3, WEB: 1}
    assert (second.name, second.address, second.count) == ("Zoe Elm", "zoe@elm.example", 3)


@pytest.mark.parametrize(
    ("login", "person"),
    [
        ("dstaay-fb", None),  # nobody here writes from there
        ("dstaay-acme", STAAY),
        ("DStaay_Acme", STAAY),
        ("dstaayacme", STAAY),
        ("dstaay-oss", STAAY),
        ("dstaayoss", None),
        ("dstaay123", STAAY),
        ("d-staay42", STAAY),
        ("dstaay7-acme", STAAY),
        ("shayne-fletcher", SHAYNE),
        ("shayne.fletcher", SHAYNE),
        ("sfletcher", SHAYNE),
        ("dvanderstaay", STAAY),
        ("jianyuh", JIANYU),
        ("huangjianyu99", JIANYU),
        ("jianyu", None),  # one name is anybody's
        ("huang", None),
        ("dst", None),
        ("123456", None),
        ("-", None),
        ("acme", None),
        ("oak1", ("Ann Oak", "oak@gmail.com")),
        ("info1", None),
    ],
)
def test_a_login_is_held_against_addresses_and_names(login: str, person: tuple[str, str] | None) -> None:
    author = ("Somebody Else", "else@x.example")
    assert proposed(mention(login, author=author)) == (person and ([person[1]], login))


def test_the_reason_says_what_fits() -> None:
    one, other = found(mention("dstaay-acme", count=2), mention("jianyuh"))
    assert one.proposal and one.proposal.reason == "“dstaay” stands before the @ of dstaay@acme.com"
    assert other.proposal and other.proposal.reason == "“jianyuh” is made of the name Jianyu Huang"


def test_of_two_people_nobody_is_proposed() -> None:
    assert proposed(mention("jianyuh"), people=[*PEOPLE, ("Jianyu Hong", "hong@x.example")]) is None
    assert proposed(mention("jianyuh"), people=[*PEOPLE, ("Jianyu Huang", "other@x.example")]) is None
    two = [("Dan Staay", "dstaay@acme.com"), ("Dee Staay", "dstaay@other.com")]
    assert proposed(mention("dstaay-acme"), people=two) is None
    assert proposed(mention("dstaay"), people=two) is None


def test_namesakes_who_may_be_one_are_linked_and_what_they_have_finds_them() -> None:
    both = [STAAY, ("Dennis van der Staay", "dstaay@old.com")]
    addresses = ["dstaay@acme.com", "dstaay@old.com"]
    assert proposed(mention("dstaay"), people=both) == (addresses, "")
    assert proposed(mention("dstaay-acme"), people=both) == (addresses, "dstaay-acme")


def test_of_several_of_a_name_nobody_is_meant() -> None:
    people = [JIANYU, ("Jianyu Huang", "x@gmail.com")]
    assert proposed(mention("jianyuh"), people=people, commits={"jh@acme.com": 100, "x@gmail.com": 2}) is None


def test_who_would_have_reviewed_their_own_is_not_meant() -> None:
    assert proposed(mention("jianyuh", author=JIANYU, count=3), mention("jianyuh", count=97)) is None
    assert proposed(mention("jianyuh", author=JIANYU, count=1), mention("jianyuh", count=99)) is not None
    assert proposed(mention("jianyuh", role="coauthor", author=JIANYU)) is not None


def test_a_name_must_be_found_where_they_write_an_address_need_not() -> None:
    assert proposed(mention("jianyuh", repository=WEB)) is None
    assert proposed(mention("dstaay9", repository=WEB)) == (["dstaay@acme.com"], "dstaay9")


def test_who_was_said_not_to_have_it_and_machines_are_not_meant() -> None:
    assert proposed(mention("dstaay9"), not_theirs=frozenset({("dstaay9", "dstaay@acme.com")})) is None
    assert proposed(mention("release1"), people=[("Release Bot", "release@acme.com")]) is None


def test_an_address_of_github_is_held_against_people_by_its_login() -> None:
    address = "7+dstaay-acme@users.noreply.github.com"
    assert proposed(mention("Dee", address, "coauthor")) == (["dstaay@acme.com"], address)


def test_any_text_is_a_name() -> None:
    odd = ["", "@", "\x1b[31m", "()", "é" * 9, "a" * 10_000, "1" * 10_000, "(?:", "-_-", "ﬁ"]
    assert len(found(*(mention(text) for text in odd))) == len(odd)


def test_a_person_without_an_address_is_nobody_to_link_to() -> None:
    assert everyone([Identity("Jo March", "")])[0] == Person("Jo March", (Identity("Jo March", ""),))
    assert proposed(mention("jomarch"), people=[("Jo March", "")]) is None
