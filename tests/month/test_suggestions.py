"""Who may be one person is suggested with its reason; a bare name is none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.model import Identity, Presence
from bot.month.machines import BOTS
from bot.month.people import everyone
from bot.month.suggestions import Suggestion, suggestions

ENGINE, WEB = "acme/engine", "acme/web"


def at(
    name: str, address: str, repository: str = ENGINE, commits: int = 1, first: int = 2024, last: int = 2024
) -> Presence:
    """Commits in a repository, from the first day of a year to the last of another."""
    return Presence(
        name, address, repository, commits, datetime(first, 1, 1, tzinfo=UTC), datetime(last, 12, 31, tzinfo=UTC)
    )


def suggested(*presences: Presence, apart: frozenset[tuple[str, str]] = frozenset()) -> list[Suggestion]:
    identities: dict[tuple[str, str], int] = {}
    for one in presences:
        identities[one.name, one.address] = identities.get((one.name, one.address), 0) + one.commits
    people = everyone(Identity(name, address, commits) for (name, address), commits in identities.items())
    return suggestions(people, presences, BOTS, apart)


def told(*presences: Presence, apart: frozenset[tuple[str, str]] = frozenset()) -> list[tuple[list[str], list[str]]]:
    """The addresses and reasons of each suggestion."""
    return [
        ([address for person in one.people for address in person.addresses], list(one.reasons))
        for one in suggested(*presences, apart=apart)
    ]


LUCA = (
    at("Luca Wehrstedt", "lcw@meta.com", ENGINE, 85, 2023, 2026),
    at("Luca Wehrstedt", "lcw@fb.com", ENGINE, 13, 2023, 2024),
    at("Luca Wehrstedt", "lcw@gmail.com", WEB, 1),
)


def test_three_addresses_of_one_person_are_one_suggestion() -> None:
    assert told(*LUCA) == [
        (
            ["lcw@meta.com", "lcw@fb.com", "lcw@gmail.com"],
            ["the same full name, and “lcw” before the @"],
        )
    ]
    assert suggested(*LUCA)[0].presences == LUCA


def test_the_same_full_name_at_one_company_is_suggested() -> None:
    found = told(at("Lu Fang", "lufang@acme.com"), at("lu  fang", "fanglu@acme.com"))
    assert found == [(["fanglu@acme.com", "lufang@acme.com"], ["the same full name, and addresses at acme.com"])]


def test_of_a_usual_name_it_is_doubtful_and_comes_last() -> None:
    qiang = (
        at("Qiang Zhang", "drqiangzhang@acme.com", commits=9),
        at("Qiang Zhang", "qiangzhang@acme.com", commits=3),
        at("Qiang Zhang", "qiangzhang@old.com"),
    )
    found = suggested(*qiang, *LUCA, at("Zoe Zebrowski", "zoe@acme.com"), at("Zoe Zebrowski", "zz@acme.com"))
    assert [([person.addresses[0] for person in one.people], bool(one.doubt)) for one in found] == [
        (["lcw@meta.com", "lcw@fb.com", "lcw@gmail.com"], False),
        (["qiangzhang@acme.com", "qiangzhang@old.com"], False),
        (["zoe@acme.com", "zz@acme.com"], False),
        (["drqiangzhang@acme.com", "qiangzhang@acme.com"], True),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # a name alone
        (at("John Smith", "js@gmail.com"), at("John Smith", "smith@gmail.com", WEB)),
        (at("Jason Wang", "jw@acme.com"), at("Jason Wang", "blah@gmail.com", WEB)),
        (at("Dave", "dave@acme.com"), at("Dave", "dave.k@acme.com")),
        (at("Luca Wehrstedt", "a@acme.com"), at("Luca Wehrstedt", "b@gmail.com")),  # in one repository
        # two organisations at the same time
        (at("Min Tarkowski", "m@acme.com"), at("Min Tarkowski", "mt@other.com", WEB)),
        # what anybody uses
        (at("Mary Jones", "info@acme.com"), at("Mary Jones", "info@other.com", WEB, 1, 2020, 2020)),
        # machines
        (at("Wehr Release Bot", "r@acme.com"), at("Wehr Release Bot", "s@acme.com")),
        # without an address
        (at("John Smith", ""), at("John Smith", "js@acme.com")),
    ],
)
def test_what_does_not_speak_for_one_person_is_not_suggested(one: Presence, other: Presence) -> None:
    assert told(one, other) == []


def test_a_login_of_github_counts_as_what_stands_before_the_at() -> None:
    found = told(at("Joel Lee", "9+jbschlosser@users.noreply.github.com"), at("Joel Lee", "jbschlosser@acme.com"))
    assert [reasons for _, reasons in found] == [["the same full name, and “jbschlosser” before the @"]]


def test_accents_make_no_other_name() -> None:
    assert len(told(at("Frédéric Bastien", "fb@acme.com"), at("Frederic Bastien", "f@acme.com"))) == 1


def test_what_was_said_to_be_apart_is_not_suggested_not_even_around_a_corner() -> None:
    apart = frozenset({("lcw@meta.com", "lcw@gmail.com"), ("lcw@gmail.com", "lcw@meta.com")})
    assert [addresses for addresses, _ in told(*LUCA, apart=apart)] == [["lcw@fb.com", "lcw@gmail.com"]]


def test_a_name_that_everybody_has_is_nobodys() -> None:
    assert told(*(at("Your Namehere", f"u{number}@acme.com") for number in range(40))) == []
