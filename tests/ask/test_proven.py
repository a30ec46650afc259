"""What is proven of a Slack user: by almanac.toml, by their profile, or by an admin; never by git or by themselves."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ask.proven import Proven, proven
from bot.model import Identity, Person, Said
from bot.settings import PersonSettings

AT = datetime(2025, 11, 5, 9, tzinfo=UTC)
_number = count(1)
TABLES = [
    PersonSettings(name="Ada Boss", addresses=["ada@x", "Ada@Home"], logins=["adal"], slack="U0ADA"),
    PersonSettings(name="Grace", addresses=["grace@x", "grace@home"]),
]


def joined(address: str, other: str, *, confirmed: bool = True, action: str = "link") -> Said:
    return Said(next(_number), "address", action, address, other, "-", AT, confirmed=confirmed)


def said(user: str, address: str, *, by: str = "U0ROOT", confirmed: bool = True, action: str = "link") -> Said:
    return Said(next(_number), "slack", action, user, address, by, AT, confirmed=confirmed)


def test_the_id_in_a_table_proves_its_addresses_and_logins() -> None:
    ada = proven("U0ADA", "", TABLES)
    assert ada == Proven({"ada@x": "almanac.toml", "ada@home": "almanac.toml"}, frozenset({"adal"}), "Ada Boss")
    assert ada.has("ADA@home") and ada.has("7+AdaL@users.noreply.github.com") and not ada.has("grace@x")
    assert ada.is_called("ada  boss") and ada.is_called("ada@home") and not ada.is_called("Grace")


def test_the_address_of_a_profile_proves_itself_and_the_table_that_has_it() -> None:
    assert proven("U1", "Eve@X", TABLES) == Proven({"eve@x": "profile"})
    grace = proven("U2", "grace@x", TABLES)
    assert grace == Proven({"grace@x": "profile", "grace@home": "almanac.toml"}, frozenset(), "Grace")


def test_what_almanac_toml_gives_to_another_user_is_theirs() -> None:
    assert not proven("U1", "ada@x", TABLES)
    assert not proven("U1", "", TABLES, [said("U1", "ada@x")])
    assert sorted(proven("U1", "eve@x", TABLES, (), [joined("ada@x", "eve@x")]).by) == ["eve@x"]
    assert sorted(proven("U0ADA", "grace@x", TABLES).by) == ["ada@home", "ada@x"]


def test_an_admin_confirms_addresses_and_makes_nobody_an_admin_by_it() -> None:
    grace = proven("U1", "eve@x", TABLES, [said("U1", "grace@x")], [joined("g@old", "grace@home")])
    assert grace.by == {
        "eve@x": "profile", "grace@x": "confirmed", "grace@home": "confirmed", "g@old": "confirmed",
    }  # fmt: skip
    assert not grace.is_called("Grace") and not grace.is_called("grace@x") and grace.is_called("eve@x")


def test_what_somebody_says_of_themselves_proves_nothing() -> None:
    mine = [said("U1", "ada2@x", by="U1", confirmed=False)]
    assert proven("U1", "eve@x", TABLES, mine, [joined("bob@x", "eve@x", confirmed=False)]).by == {"eve@x": "profile"}


def test_what_somebody_says_is_not_theirs_is_not_until_they_take_it_back() -> None:
    not_mine = said("U1", "eve@x", by="U1", confirmed=False, action="unlink")
    again = said("U1", "eve@x", by="U1", confirmed=False)
    assert not proven("U1", "eve@x", (), [not_mine])
    assert proven("U1", "eve@x", (), [not_mine, again]).has("eve@x")
    by_admin = said("U1", "eve@x", action="unlink")
    assert not proven("U1", "eve@x", (), [by_admin, again])
    assert proven("U1", "eve@x", (), [by_admin, again, said("U1", "eve@x")]).has("eve@x")
    links = [joined("e@old", "eve@x"), joined("e@old", "eve@x", confirmed=False, action="unlink")]
    assert not proven("U1", "eve@x", (), (), links).has("e@old")


def test_a_person_is_covered_by_all_that_they_signed() -> None:
    eve = Proven({"eve@x": "profile"})
    one, other = Identity("Eve", "eve@x", 2), Identity("Ada", "ada@x", 1)
    assert eve.covers(Person("Eve", (one,))) and not eve.covers(Person("Eve", (one, other)))
    assert eve.touches(Person("Eve", (one, other))) and not eve.touches(Person("Ada", (other,)))
    assert eve.covers(Person("Eve", (one, Identity("", "later@x")))), "what has no commits tells of nobody"
    assert not eve.covers(Person("Nobody", ())) and not eve.covers(Person("Eve", (Identity("Eve", "", 3),)))


ADDRESSES = st.sampled_from(["ada@x", "grace@x", "grace@home", "eve@x", "bob@x", "@login"])
USERS = st.sampled_from(["U0ADA", "U1", "U2"])
ACTIONS = st.sampled_from(["link", "unlink"])


@pytest.mark.parametrize("profile", ["", "eve@x", "grace@x"])
@given(
    st.lists(
        st.builds(lambda a, u, b, w: said(u, a, by=b, confirmed=False, action=w), ADDRESSES, USERS, USERS, ACTIONS)
    ),
    st.lists(st.builds(lambda a, o, w: joined(a, o, confirmed=False, action=w), ADDRESSES, ADDRESSES, ACTIONS)),
)
def test_whatever_is_said_unconfirmed_proves_no_more_than_nothing_said(
    profile: str, links: list[Said], addresses: list[Said]
) -> None:
    for user in ("U1", "U2"):
        assert proven(user, profile, TABLES, links, addresses).by.keys() <= proven(user, profile, TABLES).by.keys()
