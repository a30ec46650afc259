"""Names and addresses become people, and a typed name finds them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, GRACE, everyone, somebody

from bot.model import Identity, Person
from bot.month.addresses import noreply_login
from bot.month.credits import BOTS, is_bot
from bot.month.people import Directory, of_one_name


@dataclass(frozen=True)
class Table:
    """A [[people]] table of almanac.toml."""

    name: str
    addresses: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)
    nicknames: list[str] = field(default_factory=list)
    slack: str | None = None


def told(identities: list[Identity], named: list[Table] | None = None) -> list[tuple[str, tuple[str, ...], int]]:
    return [(person.name, person.addresses, person.commits) for person in everyone(identities, named or [])]


def test_a_bare_name_joins_nobody() -> None:
    """Teams have two Daves, and without an address a name is all there is."""
    identities = [
        Identity("Dave", "dave@one.example", 1),
        Identity("Dave", "dave@two.example", 1),
        Identity("Dave", "", 3),
        Identity("dave", "", 1),
    ]
    assert told(identities) == [
        ("Dave", (), 3),
        ("Dave", ("dave@one.example",), 1),
        ("Dave", ("dave@two.example",), 1),
        ("dave", (), 1),
    ]


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        (Identity("", "x@example.com", 1), "x@example.com"),
        (Identity("  ", "x@example.com", 1), "x@example.com"),
        (Identity("", "", 1), "(no name)"),
        (Identity("Ada", "", 1), "Ada"),
    ],
)
def test_who_lacks_a_name_or_an_address_is_somebody_all_the_same(identity: Identity, name: str) -> None:
    assert [name] == [person.name for person in everyone([identity])]


@pytest.mark.parametrize(
    ("address", "login"),
    [
        ("12345+ada@users.noreply.github.com", "ada"),
        ("ada@users.noreply.github.com", "ada"),
        ("49699333+dependabot[bot]@users.noreply.github.com", "dependabot[bot]"),
        ("ada@github.com", None),
        ("x@users.noreply.github.com.evil.example", None),
        ("", None),
    ],
)
def test_github_logins_stand_in_noreply_addresses(address: str, login: str | None) -> None:
    assert login == noreply_login(address)


@pytest.mark.parametrize(
    ("name", "address", "machine"),
    [
        ("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", True),
        ("renovate", "bot@renovateapp.com", True),
        ("github-actions", "x@example.com", True),
        ("Release Bot", "rel@example.com", True),
        ("pytorch-bot", "x@example.com", True),
        ("generatedunixname1234", "generatedunixname1234@fb.com", True),
        ("Marcia Abbot", "marcia@example.com", False),
        ("Abbot", "abbot@example.com", False),
        ("marcia", "marcia@example.com", False),
        ("Talbot", "talbot@example.com", False),
        ("Bot Nguyen", "bot.nguyen@example.com", False),
        ("Ada Lovelace", "ada@bots.example.com", False),
        ("Robotics Team", "ada@robotics.example.com", False),
        ("Paperless-ngx Bot [bot]", "99855517+paperlessngx-bot@users.noreply.github.com", True),
        ("GitHub Actions", "actions@github.com", True),
        ("github-actions", "41898282+github-actions[bot]@users.noreply.github.com", True),
        ("Facebook Community Bot", "facebook-github-bot@users.noreply.github.com", True),
        ("pytorchbot", "soumith+bot@pytorch.org", True),
        ("Crowdin Bot", "support+bot@crowdin.com", True),
        ("CodemodService Lint Bot", "lint@example.com", True),
        ("PerfAICT Bot", "noreply+1395027625275998@fb.com", True),
        ("Dead Code Bot", "", True),
        ("travis-ci", "builds@travis-ci.org", True),
        ("acme_bot", "x@example.com", True),
        ("Mill Release Automation", "release@example.com", True),
        ("Pieter Bot", "pieter.bot@example.org", False),
        ("Pieter Bot", "pieter-bot@example.org", False),
        ("Pieter Bot", "12345+pieter-bot@users.noreply.github.com", False),
        ("PIETER BOT", "bot@example.org", False),
        ("gVisor bot", "gvisor-bot@example.com", True),
        ("mill bot", "bot@example.org", True),
        ("Ada", "bot@example.org", False),
        ("Grot (@grafanabot)", "4+grafanabot@users.noreply.github.com", True),
        ("Crys", "1+crysbot@users.noreply.github.com", False),
        ("Copybara-Service", "copybara-worker@example.com", True),
        ("hugoreleaser", "ada+hugoreleaser@example.com", True),
        ("Bot, Pieter", "p.bot@example.org", False),
        ("Jan Willem de Bot", "jw_bot@example.org", False),
        ("Li Ci", "li-ci@example.org", False),
        ("Ci", "ci@example.org", False),
        ("Robot", "robot@example.org", False),
        ("Greg Abbott", "gabbott@example.org", False),
        ("Renée Botte", "rbotte@example.org", False),
        ("Dimitri Action", "actions@example.org", False),
        ("Claude Dupont", "claude@example.fr", False),
    ],
)
def test_machines_are_told_by_name_and_address(name: str, address: str, machine: bool) -> None:
    assert machine == is_bot(everyone([Identity(name, address, 1)])[0], BOTS)


DAVE_KIM, DAVE_OKAFOR = somebody("Dave Kim", "dkim@example.com"), somebody("Dave Okafor", "david@example.com")
PEOPLE = [
    ADA,
    GRACE,
    DAVE_KIM,
    DAVE_OKAFOR,
    somebody("Dennis van der Staay", "dstaay@example.com"),
    somebody("李 明", "li@example.com"),
    somebody("Robert (Bob) Roe", "roe@example.com"),
    somebody("Simon Fan (Meta Employee)", "xf@example.com"),
]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Lovelace", ["Ada Lovelace"]),
        ("  ada   LOVELACE ", ["Ada Lovelace"]),
        ("@ada", ["Ada Lovelace"]),
        ("ADA@EXAMPLE.COM", ["Ada Lovelace"]),
        ("Ada Lovelace <ada@example.com>", ["Ada Lovelace"]),
        ("somebody else <ada@example.com>", ["Ada Lovelace"]),
        ("ghopper", ["Grace Hopper"]),
        ("amazing grace", ["Grace Hopper"]),
        ("hopper", ["Grace Hopper"]),
        ("gra", ["Grace Hopper"]),
        ("dave", ["Dave Kim", "Dave Okafor"]),
        ("dave o", ["Dave Okafor"]),
        ("david", ["Dave Okafor"]),  # before the @
        ("van", ["Dennis van der Staay"]),
        ("dennis van", ["Dennis van der Staay"]),
        ("明", ["李 明"]),
        ("bob", ["Robert (Bob) Roe"]),
        ("fan", ["Simon Fan (Meta Employee)"]),
        ("meta", []),
        ("employee", []),
        ("gr", []),
        ("", []),
        ("@", []),
        ("nobody@example.com", []),
    ],
)
def test_who_is_meant(text: str, names: list[str]) -> None:
    assert names == [person.name for person in Directory(PEOPLE).find(text)]


def test_a_remark_behind_a_name_makes_nobody_another() -> None:
    """Who says in brackets which account it is, or where they work, is called so as well."""
    work, home = somebody("Ann Roe (Acme)", "a@acme.example", commits=9), somebody("ann roe", "ann@home.example")
    found = Directory([work, home, somebody("Ann (Roe)", "o@example.com")]).find("ann roe")
    assert found == (work, home)
    assert len(of_one_name(found)) == 2, "which of them, the asker says"


def test_a_stronger_match_hides_the_weaker_ones() -> None:
    """The full name of one is theirs, even where it is also somebody's nickname."""
    people = [somebody("Max", "m@example.com"), somebody("Maxine Roe", "r@example.com", nicknames=["max"])]
    assert [person.name for person in Directory(people).find("max")] == ["Max"]


def test_a_full_name_is_whose_it_is_and_not_whose_commit_once_had_it() -> None:
    other = Person("benclive", (Identity("benclive", "ben@x", 40), Identity("Ada Lovelace", "ben@x", 1)))
    often = replace(other, identities=(Identity("Ada Lovelace", "ben@x", 30), *other.identities[:1]))
    ada = Person("Ada Lovelace", (Identity("Ada Lovelace", "ada@x", 20),))
    assert Directory([ada, other]).find("ada lovelace") == (ada,)
    assert Directory([ada, often]).find("ada lovelace") == (ada, often)
    bep = Person("bep", (Identity("bep", "bep@x", 400), Identity("Ada Lovelace", "bep@x", 4_000)))
    assert Directory([bep, other]).find("ada lovelace") == (bep,)  # where nobody is called so


@given(st.text(max_size=60))
def test_any_text_finds_somebody_or_nobody(text: str) -> None:
    directory = Directory(PEOPLE)
    assert set(directory.find(text)) <= set(PEOPLE)
    assert len(directory.nearest(text)) <= 3


def test_a_part_of_a_placeholder_is_no_name() -> None:
    directory = Directory([somebody("Your Name", "you@example.com"), somebody("Ada Name")])
    assert [[p.name for p in directory.exactly(word)] for word in ("name", "your", "your name")] == [
        ["Ada Name"],
        [],
        ["Your Name"],
    ]
    assert not directory.given("your")
