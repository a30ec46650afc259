"""Which addresses are one person's: rules in order, each of which can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st
from steps import steps
from test_people import Table
from values import ENGINE, WEB, everyone, told_there

from bot.model import Identity, Person, Said
from bot.month.addresses import HandLinks
from bot.month.joining import Mailmaps

AT = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
_number = count(1)


def said(action: Literal["link", "unlink"], address: str, other: str, *, undone: bool = False) -> Said:
    by = ("ada", AT) if undone else (None, None)
    return Said(next(_number), "address", action, address, other, "ada", AT, *by)


def authors(*addresses: str) -> list[Identity]:
    """Somebody called Ada for each address, with fewer commits each time."""
    return [Identity("Ada", address, 50 - number) for number, address in enumerate(addresses)]


def together(
    identities: Sequence[Identity],
    named: Sequence[Table] = (),
    links: Sequence[Said] = (),
    mailmap: str = "",
) -> set[str]:
    """The addresses of each person, as one text."""
    return {" ".join(person.addresses) for person in mapped(mailmap, identities, named, links)}


def mapped(
    mailmap: str, identities: Sequence[Identity], named: Sequence[Table] = (), links: Sequence[Said] = ()
) -> list[Person]:
    """The people of a repository with a .mailmap, who wrote nowhere else."""
    texts = {ENGINE: mailmap}
    return everyone(told_there(texts, identities), named, links, Mailmaps(texts))


class TestMailmap:
    def test_tells_apart_who_shares_an_address(self) -> None:
        text = "Joe Roe <joe@x> Joe <bugs@x>\nJane Doe <jane@x> Jane <bugs@x>"
        identities = [Identity(name, "bugs@x", 1) for name in ("Joe", "Jane", "Bugs")]
        identities += [Identity("Joe Roe", "joe@x", 5), Identity("Jane Doe", "jane@x", 5)]
        found = {person.name: person.commits for person in mapped(text, identities)}
        assert found == {"Joe Roe": 6, "Jane Doe": 6, "Bugs": 1}

    def test_a_circle_joins_nobody(self) -> None:
        assert together(authors("a@x", "b@x"), mailmap="A <a@x> <b@x>\nB <b@x> <a@x>") == {"a@x", "b@x"}


class TestAccounts:
    def test_of_a_login_that_changed_hands_are_not_joined(self) -> None:
        accounts = [f"{one}@users.noreply.github.com" for one in ("1+ada", "2+ada", "ada")]
        assert together(authors(*accounts)) == set(accounts)


class TestByHand:
    def test_what_is_said_later_holds(self) -> None:
        log = [said("link", "b@x", "a@x"), said("link", "c@x", "b@x"), said("unlink", "b@x", "a@x")]
        assert together(authors("a@x", "b@x", "c@x"), links=log) == {"a@x c@x", "b@x"}
        log.append(said("link", "b@x", "a@x"))
        assert together(authors("a@x", "b@x", "c@x"), links=log) == {"a@x b@x c@x"}
        assert HandLinks(log).apart == set()

    def test_whose_proper_address_is_unlinked_stay_together(self) -> None:
        mailmap = "Ada <ada@x> <ada@old>\nAda <ada@x> <ada@older>"
        log = [said("unlink", "ada@x", "ada@old")]
        assert together(authors("ada@x", "ada@old", "ada@older"), links=log, mailmap=mailmap) == {
            "ada@x",
            "ada@old ada@older",
        }

    def test_an_account_may_be_unlinked(self) -> None:
        accounts = ["1+ada@users.noreply.github.com", "ada@users.noreply.github.com"]
        assert together(authors(*accounts), links=[said("unlink", accounts[1], accounts[0])]) == set(accounts)


class TestLogins:
    ACCOUNT = "9+ada@users.noreply.github.com"

    def logins(
        self, identities: Sequence[Identity], links: Sequence[Said], named: Sequence[Table] = ()
    ) -> dict[str, tuple[str, ...]]:
        return {person.addresses[0]: person.logins for person in everyone(identities, named, links)}

    def test_linked_by_hand_is_its_persons_and_joins_nobody(self) -> None:
        links = [said("link", "@Ada-fb", "a@x"), said("link", "b@x", "a@x")]
        assert self.logins(authors("a@x", "b@x", "c@x"), links) == {"a@x": ("ada-fb",), "c@x": ()}
        links = [said("link", "@ada", "a@x")]
        assert together(authors("a@x", "ada@x", self.ACCOUNT), links=links) == {"a@x", "ada@x", self.ACCOUNT}

    def test_what_is_said_last_holds_and_what_is_undone_does_not(self) -> None:
        log = [said("link", "@ada", "a@x"), said("link", "@ada", "b@x")]
        assert self.logins(authors("a@x", "b@x"), log) == {"a@x": (), "b@x": ("ada",)}
        log[1] = said("link", "@ada", "b@x", undone=True)
        assert self.logins(authors("a@x", "b@x"), log) == {"a@x": ("ada",), "b@x": ()}
        log.append(said("unlink", "@ada", "a@x"))
        assert self.logins(authors("a@x", "b@x"), log) == {"a@x": (), "b@x": ()}
        assert HandLinks(log).not_theirs == {("ada", "a@x")}

    def test_almanac_toml_holds_before_a_hand_and_a_hand_before_github(self) -> None:
        identities, log = authors("a@x", self.ACCOUNT), [said("link", "@ADA", "a@x")]
        assert self.logins(identities, log) == {"a@x": ("ada",), self.ACCOUNT: ()}
        table = Table("Ada", ["ada@x"], logins=["ada"])
        assert self.logins(identities, log, [table]) == {"a@x": (), self.ACCOUNT: ("ada",)}


class TestPrecedence:
    TABLES = (Table("Ada", ["ada@x"]), Table("Grace", ["grace@x"], logins=["ghopper"]))

    def test_an_address_in_a_table_cannot_be_unlinked(self) -> None:
        table = Table("Ada", ["ada@x", "ada@y"])
        assert together(authors("ada@x", "ada@y"), [table], [said("unlink", "ada@y", "ada@x")]) == {"ada@x ada@y"}

    def test_each_identity_says_by_which_rule_it_is_whose(self) -> None:
        links, mailmap = [said("link", "ada@home", "ada@x")], "Max Roe <max@x> <max@old>"
        asked = ("ada@x", "ADA@home", "max@old", "9+max@users.noreply.github.com", "max@x", "")
        people = mapped(mailmap, [Identity("Max", address, 1) for address in asked], self.TABLES, links)
        by = {one.address: one.by for person in people for one in person.identities}
        assert [by[address] for address in asked] == [
            "almanac.toml",
            "linked by hand",
            ".mailmap: Max Roe <max@x>",
            "the GitHub account max",
            "its address",
            "its name, for want of an address",
        ]


ADDRESSES = st.sampled_from(
    ["a@x", "B@x", "b@x", "c@x", "", "@a", "1+a@users.noreply.github.com", "a@users.noreply.github.com"]
)
NAMES = st.sampled_from(["Ada", "Bob B", ""])


@given(
    st.lists(st.tuples(NAMES, ADDRESSES), unique=True),
    st.lists(st.lists(ADDRESSES, max_size=3), max_size=2),
    st.lists(st.tuples(st.sampled_from(["link", "unlink"]), ADDRESSES, ADDRESSES)),
    st.lists(st.lists(st.tuples(NAMES, ADDRESSES, NAMES, ADDRESSES)), max_size=2),
)
def test_nobody_is_lost_or_counted_twice(
    written: list[tuple[str, str]],
    tables: list[list[str]],
    links: list[tuple[Literal["link", "unlink"], str, str]],
    files: list[list[tuple[str, str, str, str]]],
) -> None:
    """Whatever the rules say, each identity is exactly one person's, and the order of identities changes nothing."""
    identities = [Identity(name, address, 1) for name, address in written]
    named = [Table(f"T{number}", addresses) for number, addresses in enumerate(tables)]
    log = [said(*one) for one in links]
    texts = {
        repository: "\n".join(f"{a} <{b}> {c} <{d}>" for a, b, c, d in lines)
        for repository, lines in zip((ENGINE, WEB), files, strict=False)
    }
    mailmaps, there = Mailmaps(texts), told_there(texts, identities)
    people = everyone(there, named, log, mailmaps)
    assert sorted((one.name, one.address) for person in people for one in person.identities if one.commits) == sorted(
        written
    )
    backwards = everyone(there[::-1], named, log, mailmaps)
    assert {person.identities for person in people} == {person.identities for person in backwards}


def test_many_identities_are_put_together_in_linear_time() -> None:
    """A step for each pair would be a hundred times as many for ten times as many."""

    def join(number: int) -> None:
        text = "".join(f"P{n} <p{n // 5}@x> <u{n}@x>\n" for n in range(number))
        log = [said("link", f"u{n}@x", f"u{n + 1}@x") for n in range(0, number, 20)]
        identities = [Identity(f"U {n}", f"u{n}@x", 1) for n in range(number)]
        assert len(mapped(text, identities, (), log)) == number // 5

    assert steps(lambda: join(2_000)) < 12 * steps(lambda: join(200))
