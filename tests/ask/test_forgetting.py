"""As whom somebody is forgotten: by all that is theirs alone, and by nothing that may be another's."""

from __future__ import annotations

from values import ADA, somebody

from bot.ask.identity import whom
from bot.model import Identity, Person
from bot.month.credits import Resolver
from storage.erasure import PersonToErase

GRACE = somebody("Grace Hopper", "grace@example.com", "g@old.example", logins=["ghopper"])


def test_addresses_logins_and_names_that_are_theirs_alone() -> None:
    people = [ADA, GRACE]
    mentions = [
        ("Grace B. Hopper", "GRACE@example.com"),
        ("Ada Lovelace", ""),
        ("gh", ""),
        ("grace", ""),
    ]
    assert whom(GRACE, people, Resolver(people), mentions, ["U02GRACE"]) == PersonToErase(
        ("g@old.example", "grace@example.com"),
        (
            ("ghopper", ""), ("g", ""), ("grace", ""), ("grace hopper", ""), ("Grace B. Hopper", "GRACE@example.com"),
        ),
        ("Grace Hopper",),
        ("U02GRACE",),
    )  # fmt: skip


def test_what_a_namesake_may_be_meant_by_is_left_to_them() -> None:
    other = somebody("Grace Hopper", "grace@other.example", "g@other.example")
    people = [GRACE, other]
    found = whom(GRACE, people, Resolver(people), [("Grace Hopper", ""), ("grace", "")])
    assert found.pairs == (("ghopper", ""),)


def test_of_an_address_that_is_shared_only_their_name_with_it() -> None:
    root = "root@localhost"
    grace = Person("Grace Hopper", (Identity("Grace Hopper", root, 3), Identity("Grace", "grace@example.com", 1)))
    ada = Person("Ada Lovelace", (Identity("Ada Lovelace", root, 2),))
    found = whom(grace, [ada, grace], Resolver([ada, grace]), [])
    assert found.addresses == ("grace@example.com",)
    assert ("Grace Hopper", root) in found.pairs
    assert not any(name.startswith("Ada") for name, _ in found.pairs)
