"""Who is one person by a full name alone, and what speaks against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from test_joining import said
from test_people import Table
from values import ENGINE, WEB, told_there

from bot.model import Identity, Person, Said
from bot.month.credits import BOTS, is_machine
from bot.month.joining import MOST_NAMESAKES, JoinRules, Mailmaps, full_name, joined_by_name

ONE, OTHER = "9+ada@users.noreply.github.com", "8+love@users.noreply.github.com"


def joined(
    *identities: Identity,
    named: Sequence[Table] = (),
    links: Sequence[Said] = (),
    mailmap: str = "",
    users: Mapping[str, str] | None = None,
    where: Mapping[str, str] | None = None,
) -> list[Person]:
    """`where` tells the repository of each address."""
    texts = {ENGINE: mailmap} if mailmap else {}
    rules = JoinRules(named, links, Mailmaps(texts))
    return joined_by_name(
        rules.joined(told_there(texts, identities) if texts else identities),
        rules,
        users or {},
        lambda name, address: is_machine(name, address, BOTS),
        lambda some: {
            (one.name, one.address): frozenset({(where or {}).get(one.address, one.address)}) for one in some
        },
    )


def together(*identities: Identity, **more: object) -> set[str]:
    """The addresses of each person, as one text."""
    found = joined(*identities, **more)  # type: ignore[arg-type]
    return {" ".join(sorted({one.address for one in each.identities})) for each in found}


def written(*addresses: str, name: str = "Ada Lovelace") -> list[Identity]:
    return [Identity(name, address, 99 - number) for number, address in enumerate(addresses)]


@pytest.mark.parametrize(
    "name", ["Łucja Hopper-Réz", "lucja  HOPPER-REZ", "Hopper-Réz, Łucja", "hopper-rez, lucja", "Łucja Hopper-Réz "]
)
def test_case_accents_and_order_make_no_other_name(name: str) -> None:
    assert full_name(name) == "lucja hopper-rez"


@pytest.mark.parametrize(
    "name", ["Dave", "", "D. K.", "J. Smith", "your name", "Your  Name", "root User", "GitHub Actions", "李明", "a b c"]
)
def test_what_is_no_full_name_of_somebody(name: str) -> None:
    assert full_name(name) == ""


def test_addresses_of_one_full_name_are_one_person_of_whom_the_parts_are_known() -> None:
    identities = [Identity("Ada Lovelace", "ada@a", 1), Identity("lovelace, ada", "ada@b", 5), Identity("Ada", "c@c")]
    both, _ = sorted(joined(*identities), key=lambda one: -len(one.identities))
    assert [[one.address for one in part.identities] for part in both.parts] == [["ada@b"], ["ada@a"]]


@pytest.mark.parametrize(
    ("addresses", "more"),
    [
        ([ONE, OTHER, "al@x"], {}),
        (["ada@x", "ada@y", "ada@z"], {"users": {"ada@x": "U1", "ada@y": "U2"}}),
        (["ada@x", "ada@y", "ada@z"], {"named": [Table("A", ["ada@x"]), Table("B", ["ada@y"])]}),
        (["ada@x", "ada@y"], {"named": [Table("A", ["ada@x"], slack="U1")], "users": {"ada@y": "U2"}}),
        (["ada@x", "ada@y"], {"links": [said("unlink", "ada@y", "ada@x")]}),
        (["ada@x", ""], {}),
        ([f"ada@{number}.example" for number in range(MOST_NAMESAKES + 1)], {}),
    ],
)
def test_what_speaks_against_it_for_two_keeps_all_of_the_name_apart(
    addresses: list[str], more: dict[str, object]
) -> None:
    assert together(*written(*addresses), **more) == set(addresses)


def test_whoever_signs_without_an_address_is_put_to_whoever_has_one() -> None:
    (one,) = joined(Identity("ada-l8e", "", 9), Identity("ada-l8e", "ada-l8e@x", 1), where={"": "x", "ada-l8e@x": "x"})
    assert {each.address: each.by for each in one.identities} == {
        "ada-l8e@x": "its address",
        "": "its login, as that of ada-l8e@x",
    }


def test_one_account_one_user_and_one_table_speak_for_nobody_else() -> None:
    table = Table("Ada Lovelace", ["ada@x"], slack="U1")
    identities = [*written(ONE, "ada@y"), Identity("al", "ada@x", 99)]
    assert together(*identities, named=[table], users={"ada@y": "U1"}) == {f"{ONE} ada@x ada@y"}


def test_what_a_mailmap_says_names_nobody_elsewhere() -> None:
    """Whoever writes one says by it whose the commits of its own repository are."""
    ada, eve = Identity("Ada Lovelace", "ada@x", 5), Identity("Eve", "eve@x", 3)
    assert together(ada, eve, mailmap="Ada Lovelace <eve@x>") == {"ada@x", "eve@x"}
    there = Identity("Ada Lovelace", "ada@x", 1, only=ENGINE, moved=True)
    elsewhere = Identity("Ada Lovelace", "ada@x", 4, but=(ENGINE,))
    rules = JoinRules((), (), Mailmaps({ENGINE: "Eve <eve@x> <ada@x>"}))
    found = joined_by_name(
        rules.joined([there, elsewhere, eve]), rules, {}, lambda *_: False, lambda some: dict.fromkeys((), frozenset())
    )
    assert sorted(len(one.identities) for one in found) == [1, 2], "Ada's other commits are not Eve's"


def test_a_frequent_name_joins_only_with_something_in_common() -> None:
    kims = written("dkim@one.example", "dave.kim@two.example", name="Dave Kim")
    assert len(together(*kims)) == 2
    assert len(together(*kims, where={one.address: WEB for one in kims})) == 1
    assert len(together(*written("dkim@one.example", "dkim@two.example", name="Dave Kim"))) == 1
    assert len(together(*written("info@one.example", "info@two.example", name="Dave Kim"))) == 2
    both = written("yi@acme.example", "ywang@acme.example", name="Yi Wang")
    assert len(together(*both, where={one.address: WEB for one in both})) == 2, "few have two addresses at one place"
    assert len(together(*written("dave@acme.example", "dkim@acme.example", name="Dave Kimball"))) == 1


WILL = Identity("Will Leinweber", "7+will@users.noreply.github.com", 6)
ANN, ANN_ONE = Identity("Ann Dee", "12+anndee@users.noreply.github.com", 2), Identity("AnnDee", "a@x", 5)


@pytest.mark.parametrize(
    ("identities", "more", "told"),
    [
        ([ANN, ANN_ONE], {}, {f"{ANN.address} a@x"}),  # her login, and her name without spaces
        ([Identity("Zoë Ek", "z@x", 1), Identity("zoeek", "e@y", 1)], {}, {"e@y z@x"}),
        (
            [Identity("Kim", ONE, 1), Identity("Kim", "ada@y", 1), Identity("Kim", "k@y", 1)],
            {},
            {f"{ONE} ada@y", "k@y"},
        ),
        ([ANN, ANN_ONE, Identity("Ann Dee II", "13+anndee@users.noreply.github.com", 1)], {}, None),  # whose is it?
        ([ANN, Identity("AnnDee", "a@x", 30), Identity("Ann Dee", "a@x", 1)], {}, {f"{ANN.address} a@x"}),
        ([ANN, Identity("AnnDee", "a@x", 30), Identity("Bo Ek", "a@x", 1)], {}, None),  # somebody else's as well
        ([ANN, Identity("Dee", "anndee@y", 1)], {}, None),  # another name
        ([ANN, Identity("Ann D", "a@x", 1)], {}, None),
        ([ANN, ANN_ONE], {"links": [said("unlink", "a@x", ANN.address)]}, None),
        ([ANN, ANN_ONE], {"users": {"a@x": "U1", ANN.address: "U2"}}, None),
        ([ANN, Identity("AnnDee", "3+ad@users.noreply.github.com", 1)], {}, None),  # two accounts
        ([ANN, Identity("anndee", "anndee-bot@x", 1)], {}, None),
        ([ANN, ANN_ONE], {"links": [said("unlink", "@anndee", "a@x")]}, None),
        ([WILL, Identity("Will", "will@lewis", 1)], {}, None),  # whoever has a given name for a login
        ([Identity("Al K", "1+alex@users.noreply.github.com", 1), Identity("alex", "a@x", 1)], {}, None),
        ([Identity("Al K", "1+root@users.noreply.github.com", 1), Identity("root", "root@x", 1)], {}, None),
        ([Identity("Test User", "1+tu7@users.noreply.github.com", 1), Identity("Test User", "tu7@x", 1)], {}, None),
        ([Identity("Your Name", "you@x", 1), Identity("yourname", "a@x", 1)], {}, None),
        ([Identity("Yang Yang", "yy@x", 1), Identity("yangyang", "y@x", 1)], {}, None),
    ],
)
def test_one_word_is_whose_login_it_is(
    identities: list[Identity], more: dict[str, object], told: set[str] | None
) -> None:
    more["where"] = {one.address: WEB for one in identities}
    assert together(*identities, **more) == ({one.address for one in identities} if told is None else told)


def test_one_word_joins_only_with_something_in_common() -> None:
    """More people have a login than a full name: Mike of one repository need not be him of another one."""
    assert together(ANN, ANN_ONE) == {ANN.address, "a@x"}
    assert together(ANN, Identity("AnnDee", "anndee@x", 1)) == {f"{ANN.address} anndee@x"}


def test_a_login_is_not_whose_name_was_on_an_address_once_nor_of_a_mailmap() -> None:
    lent = [Identity("benclive", "ben@x", 40), Identity("Ada Lovelace", "ben@x", 1)]
    there = {"where": dict.fromkeys(("ben@x", "ada@y"), WEB)}
    assert together(*lent, Identity("adalovelace", "ada@y", 5), **there) == {"ben@x", "ada@y"}
    eve = "9+eve9@users.noreply.github.com"
    rules = JoinRules((), (), Mailmaps({ENGINE: f"Ada Lovelace <ada@x> <{eve}>"}))
    taken = Identity("evelyn", eve, 3, only=ENGINE, moved=True)
    every = [Identity("Ada Lovelace", "ada@x", 5), taken, Identity("eve9", "eve@y", 2)]
    found = joined_by_name(
        rules.joined(every), rules, {}, lambda *_: False,
        lambda some: {(one.name, one.address): frozenset({WEB}) for one in some},
    )  # fmt: skip
    assert sorted(len(one.identities) for one in found) == [1, 2], "the login is Ada's in that repository alone"


@pytest.mark.parametrize(
    ("name", "are_one"),
    [
        ("ChickenBenny", True),
        ("zed42x", True),
        ("andig", True),
        ("rana", False),
        ("alexander", False),
        ("cameron", False),
        ("felix", False),
        ("hujie", False),
        ("student", False),
        ("ada-l", False),
        ("Benny", False),
        ("McDonald", False),
        ("MacBook-Pro", False),
        ("user123", False),
        ("student1", False),
        ("dev-user", False),
        ("JohnDoe", False),
        ("GitLab", False),
        ("john_doe42", False),
    ],
)
def test_a_name_of_one_word_that_no_given_name_is_is_one_persons_in_one_repository(name: str, are_one: bool) -> None:
    some = written("ada@a", "bee@b", name=name)
    assert len(joined(*some, where={"ada@a": "acme/engine", "bee@b": "acme/engine"})) == (1 if are_one else 2)
    assert len(joined(*some)) == 2, "in two repositories they may be two"


def test_a_handle_joins_several_addresses_but_not_where_it_is_a_word_of_a_full_name() -> None:
    where = dict.fromkeys(("ada@a", "bee@b", "cat@c"), "acme/engine")
    some = written("ada@a", "bee@b", "cat@c", name="andig")
    assert len(joined(*some, Identity("Ada Lovelace", "bee@b", 2), where=where)) == 1, "once under another name"
    assert len(joined(*some, Identity("Ben Andig", "ben@b", 2), where={**where, "ben@b": "acme/engine"})) == 4


def test_a_handle_joins_no_address_that_was_unlinked() -> None:
    where = dict.fromkeys(("ada@a", "bee@b", "cat@c"), "acme/engine")
    some = written("ada@a", "bee@b", "cat@c", name="andig")
    found = joined(*some, links=[said("unlink", "bee@b", "zed@z")], where=where)
    assert sorted(len(one.identities) for one in found) == [1, 2]


def test_a_handle_takes_no_full_name_from_an_address() -> None:
    some = [Identity("ChickenBenny", "ada@a", 9), Identity("Benny Hsiao", "ada@a", 2), Identity("Benny Hsiao", "bee@b")]
    assert len(joined(*some)) == 1
