"""Who may see what, as tables: who asks, where it is read, what is set, and what follows."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ask.proven import NOTHING_PROVEN, Proven
from bot.ask.question import Question
from bot.model import Identity, Person
from bot.month.calendar import Days, Month
from bot.slack import audience
from bot.slack.audience import (
    HOME,
    NOBODY,
    About,
    AccessRules,
    Guarded,
    Kind,
    Place,
    Reader,
    Sight,
    Standing,
    about,
    is_admin,
    may_correct,
    sight,
)

ADA = Person("Ada Lovelace", (Identity("Ada Lovelace", "ada@example.com", 9),))
GRACE = Person("Grace Hopper", (Identity("Grace Hopper", "grace@example.com", 5),))
OTHER_ADA = Person("Ada Lovelace", (Identity("Ada Lovelace", "lovelace@example.org", 1),))
JOINED = Person("Ada Lovelace", (*ADA.identities, *GRACE.identities))
PEOPLE = [ADA, GRACE]

# engine is for everyone, plans for those in #leads, pay for the user group @chiefs, raid for C0RAID1 and S0RAID1.
RULES = AccessRules(
    every=frozenset({"engine", "plans", "pay", "raid"}),
    guarded=(
        Guarded(frozenset({"plans"}), ("#leads",)),
        Guarded(frozenset({"pay"}), ("@chiefs",)),
        Guarded(frozenset({"raid"}), ("C0RAID1", "S0RAID1")),
    ),
)
SETTINGS = {
    "": RULES,
    "guests": replace(RULES, guests=True),
    "shared": replace(RULES, shared_channels=True),
    "both": replace(RULES, guests=True, shared_channels=True),
}
ADAS_OWN = Proven({"ada@example.com": "profile"})
MEMBER = Reader("U01", ADAS_OWN, ADA, standing="member")
READERS = {
    "member": MEMBER,
    "lead": replace(MEMBER, channels=frozenset({"#leads"})),
    "chief": replace(MEMBER, groups=frozenset({"@chiefs", "S0CHIEF1"})),
    "raider": replace(MEMBER, groups=frozenset({"@raiders", "S0RAID1"})),
    "in C0RAID1": replace(MEMBER, channels=frozenset({"C0RAID1"})),
    "guest": replace(MEMBER, standing="guest"),
    "guest lead": replace(MEMBER, standing="guest", channels=frozenset({"#leads"})),
    "stranger": replace(MEMBER, standing="stranger"),
    "unknown": Reader("U01"),
    "digest": NOBODY,
}
LEADS = Place("C0LEADS1", "leads", "private")
PLACES = {
    "#general": Place("C0GEN1", "general", "public"),
    "#leads": LEADS,
    "#LEADS": replace(LEADS, name="LEADS"),
    "#chiefs": Place("C0CHI1", "chiefs", "public"),
    "C0RAID1": Place("C0RAID1", "attic", "private"),
    "#c0raid1": Place("C0GEN2", "c0raid1", "public"),  # anybody may call a channel so
    "#leads + guest": replace(LEADS, guests=True),
    "#leads + guest?": replace(LEADS, guests=None),
    "#leads shared?": replace(LEADS, shared=None),
    "#leads shared": replace(LEADS, shared=True),
    "#partner": Place("C0PAR1", "partner", "public", shared=True, guests=None),
    "#partner + guest": Place("C0PAR1", "partner", "public", shared=True, guests=True),
    "private": Place("C0PRI1", "", "private"),
    "group": Place("C0GRP1", "", "group"),
    "group + guest": Place("C0GRP1", "", "group", guests=True),
    "direct": Place("D01", "", "direct"),
    "direct guest": Place("D02", "", "direct", guests=True),
    "home": HOME,
    "unknown": Place("C0RAID1", shared=None, guests=None),
    "no word": Place("C0RAID1"),
    "absent": Place("", "nowhere", "absent"),
}

# Who reads | where | alone: by themselves | what is set | which repositories they see, or why nothing is told
SEEN = """
member     | #general         |       |        | engine
member     | #leads           |       |        | engine plans
member     | #LEADS           |       |        | engine plans
member     | #chiefs          |       |        | engine
member     | C0RAID1          |       |        | engine raid
member     | #c0raid1         |       |        | engine
member     | private          |       |        | engine
member     | group            |       |        | engine
lead       | #general         |       |        | engine
chief      | #general         |       |        | engine
chief      | #chiefs          |       |        | engine
chief      | #leads           |       |        | engine plans
raider     | #general         |       |        | engine
lead       | group            |       |        | engine
member     | #leads + guest   |       |        | GUESTS
member     | #leads + guest   |       | guests | engine plans
member     | #leads + guest   |       | shared | GUESTS
member     | #leads + guest?  |       |        | READERS
member     | #leads + guest?  |       | guests | engine plans
member     | #leads + guest?  |       | shared | READERS
member     | #leads shared    |       |        | SHARED
member     | #leads shared    |       | shared | engine plans
member     | #leads shared    |       | guests | SHARED
member     | #leads shared?   |       |        | READERS
member     | #leads shared?   |       | shared | engine plans
member     | #leads shared?   |       | guests | READERS
member     | no word          |       |        | READERS
member     | no word          |       | guests | READERS
member     | #partner         |       |        | SHARED
member     | #partner         |       | shared | READERS
member     | #partner         |       | both   | engine
member     | #partner + guest |       | shared | GUESTS
member     | #partner + guest |       | guests | SHARED
member     | #partner + guest |       | both   | engine
member     | group + guest    |       |        | GUESTS
member     | unknown          |       |        | READERS
member     | unknown          |       | guests | READERS
member     | unknown          |       | shared | READERS
member     | unknown          |       | both   | engine raid
member     | absent           |       |        | -
chief      | absent           |       | both   | -
member     | direct           |       |        | engine
member     | home             |       |        | engine
lead       | direct           |       |        | engine plans
lead       | home             |       |        | engine plans
chief      | direct           |       |        | engine pay
chief      | home             |       |        | engine pay
raider     | direct           |       |        | engine raid
in C0RAID1 | direct           |       |        | engine raid
member     | #general         | alone |        | engine
lead       | #general         | alone |        | engine plans
chief      | #general         | alone |        | engine pay
chief      | #leads           | alone |        | engine plans pay
raider     | #leads           | alone |        | engine plans raid
member     | #leads           | alone |        | engine plans
member     | #c0raid1         | alone |        | engine
member     | #leads + guest   | alone |        | engine plans
member     | #partner         | alone |        | engine
lead       | #partner         | alone |        | engine plans
member     | unknown          | alone |        | engine raid
chief      | unknown          | alone |        | engine pay raid
chief      | absent           | alone |        | engine pay
guest      | #general         |       |        | GUEST
guest      | #leads           |       |        | GUEST
guest      | direct           |       |        | GUEST
guest      | home             |       |        | GUEST
guest lead | #leads           | alone |        | GUEST
guest      | direct           |       | shared | GUEST
guest      | #general         |       | guests | engine
guest      | direct           |       | guests | engine
guest lead | home             |       | guests | engine plans
stranger   | #partner         |       |        | STRANGER
stranger   | #partner         | alone |        | STRANGER
stranger   | direct           |       | guests | STRANGER
stranger   | #partner         |       | both   | engine
stranger   | direct           |       | shared | engine
unknown    | #general         |       |        | UNKNOWN
unknown    | direct           |       |        | UNKNOWN
unknown    | direct           |       | guests | UNKNOWN
unknown    | direct           |       | shared | UNKNOWN
unknown    | direct           |       | both   | engine
digest     | #general         |       |        | engine
digest     | #leads           |       |        | engine plans
digest     | #chiefs          |       |        | engine
digest     | C0RAID1          |       |        | engine raid
digest     | #leads + guest   |       |        | GUESTS
digest     | #leads + guest   |       | guests | engine plans
digest     | #partner         |       |        | SHARED
digest     | #partner         |       | both   | engine
digest     | unknown          |       |        | READERS
digest     | absent           |       |        | -
digest     | direct           |       |        | engine
digest     | direct guest     |       |        | GUESTS
digest     | #general         | alone |        | engine
"""


def rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(cell.strip() for cell in line.split("|")) for line in table.strip().splitlines()]


@pytest.mark.parametrize(("who", "where", "alone", "which", "sees"), rows(SEEN))
def test_what_is_seen(who: str, where: str, alone: str, which: str, sees: str) -> None:
    found = sight(READERS[who], PLACES[where], SETTINGS[which], alone=bool(alone))
    if sees.isupper():
        kind = "UNPOSTED" if who == "digest" else "REFUSED"
        private = who != "digest" and not alone and PLACES[where].kind != "direct"
        assert found == Sight(RULES.every, getattr(audience, f"{sees}_{kind}"), private)
    else:
        assert found == Sight(RULES.every - set(sees.replace("-", "").split()))


ABOUT = {
    "nobody": About(),
    "ada": About((ADA,)),
    "grace": About((GRACE,)),
    "both": About((ADA, GRACE)),
    "namesake": About((ADA, OTHER_ADA)),
    "everyone": About(others=True),
    "joined": About((JOINED,)),
}
ADAS = {
    "settings": replace(MEMBER, proven=Proven({"ada@example.com": "almanac.toml"}, name="Ada Lovelace")),
    "address": MEMBER,
    "confirmed": replace(MEMBER, proven=Proven({"ada@example.com": "confirmed"})),
    "told": replace(MEMBER, proven=NOTHING_PROVEN),  # by a link of their own, a .mailmap, or a name in Slack
    "joined": replace(MEMBER, person=JOINED),  # with an address of Grace's, by a .mailmap
    "": Reader("U01", standing="member"),
    "chief": READERS["chief"],
    "guest": READERS["guest"],
    "digest": NOBODY,
}
LISTS: dict[str, tuple[str, ...]] = {
    "[Ada Lovelace]": ("Ada Lovelace",),
    "[ada@]": ("Ada@example.com",),
    "[U01]": ("U01",),
    "[u01]": ("u01",),
    "[@chiefs]": ("@Chiefs",),
    "[S0CHIEF1]": ("S0CHIEF1",),
    "[chiefs]": ("chiefs",),  # that would be somebody's name
    "[Grace]": ("Grace Hopper", "U02", "@leads"),
}

# How it is known that they are Ada | whom it is about | who may ask about others | what follows in a channel
TOLD = """
address   | nobody   | nobody         | told
address   | ada      | nobody         | told
settings  | ada      | nobody         | told
confirmed | ada      | nobody         | told
joined    | ada      | nobody         | told
joined    | joined   | nobody         | OTHERS
address   | joined   | nobody         | OTHERS
address   | grace    | nobody         | OTHERS
address   | both     | nobody         | OTHERS
address   | namesake | nobody         | OTHERS
address   | everyone | nobody         | OTHERS
confirmed | grace    | nobody         | OTHERS
told      | nobody   | nobody         | told
told      | ada      | nobody         | WHO
told      | grace    | nobody         | WHO
          | ada      | nobody         | WHO
          | everyone | nobody         | WHO
digest    | everyone | nobody         | told
digest    | grace    | nobody         | told
address   | grace    | everyone       | told
told      | grace    | everyone       | told
          | everyone | everyone       | told
settings  | grace    | [Ada Lovelace] | told
settings  | everyone | [Ada Lovelace] | told
address   | grace    | [Ada Lovelace] | OTHERS
confirmed | grace    | [Ada Lovelace] | OTHERS
told      | grace    | [Ada Lovelace] | WHO
          | grace    | [Ada Lovelace] | WHO
settings  | grace    | [ada@]         | told
address   | grace    | [ada@]         | told
confirmed | grace    | [ada@]         | OTHERS
told      | grace    | [ada@]         | WHO
          | grace    | [U01]          | told
address   | grace    | [U01]          | told
address   | grace    | [u01]          | OTHERS
address   | grace    | [@chiefs]      | OTHERS
chief     | grace    | [@chiefs]      | told
chief     | everyone | [@chiefs]      | told
chief     | grace    | [S0CHIEF1]     | told
chief     | grace    | [chiefs]       | OTHERS
settings  | grace    | [Grace]        | OTHERS
address   | ada      | [Grace]        | told
digest    | everyone | [Grace]        | told
guest     | ada      | everyone       | GUEST
"""


@pytest.mark.parametrize(("known", "whom", "may_ask", "follows"), rows(TOLD))
def test_who_is_told_of_others(known: str, whom: str, may_ask: str, follows: str) -> None:
    rules = replace(RULES, about_others=LISTS.get(may_ask, may_ask))  # type: ignore[arg-type]
    for place, alone in (PLACES["#general"], False), (PLACES["#general"], True), (HOME, True):
        found = sight(ADAS[known], place, rules, ABOUT[whom], alone=alone)
        assert found.refused == (None if follows == "told" else getattr(audience, f"{follows}_REFUSED"))
        assert found.privately == (follows != "told" and not alone)


# Who | whom it is about | where | alone | what they see
PRIVATELY = """
member | grace    | #general  |       | engine privately
chief  | grace    | #general  |       | engine pay privately
chief  | grace    | #partner  |       | engine pay privately
chief  | grace    | unknown   |       | engine pay raid privately
chief  | everyone | #leads    |       | engine plans pay privately
member | ada      | #general  |       | engine
chief  | ada      | #general  |       | engine
member | nobody   | #general  |       | engine
chief  | grace    | #general  | alone | engine pay
chief  | grace    | direct    |       | engine pay
member | ada      | #partner  |       | SHARED privately
guest  | grace    | #general  |       | GUEST privately
digest | everyone | #leads    |       | engine plans
"""


@pytest.mark.parametrize(("who", "whom", "where", "alone", "sees"), rows(PRIVATELY))
def test_answers_about_others_may_be_for_one_alone(who: str, whom: str, where: str, alone: str, sees: str) -> None:
    rules = replace(RULES, answers_about_others="asker")
    found = sight(READERS[who], PLACES[where], rules, ABOUT[whom], alone=bool(alone))
    names = set(sees.split()) - {"privately"}
    refused = next((getattr(audience, f"{name}_REFUSED") for name in names if name.isupper()), None)
    assert found == Sight(RULES.every - names, refused, "privately" in sees)


# Who | may correct what is told of Ada | of Grace | is an admin, with the admins U01, @chiefs, Grace Hopper
CORRECT = """
settings  | yes | yes | yes
address   | yes | yes | yes
other     | yes |     |
confirmed | yes |     |
joined    | yes |     |
told      |     |     |
chief     | yes | yes | yes
grace     | yes | yes | yes
profile   |     | yes |
claims    |     |     |
guest     |     |     |
stranger  |     |     |
unknown   |     |     |
digest    |     |     |
"""


@pytest.mark.parametrize(("who", "ada", "grace", "admin"), rows(CORRECT))
def test_who_may_correct(who: str, ada: str, grace: str, admin: str) -> None:
    rules = replace(RULES, admins=("U01", "@chiefs", "Grace Hopper"))
    hers = replace(MEMBER, user="U02", person=GRACE)
    others = {
        "other": replace(MEMBER, user="U09"),
        "confirmed": replace(ADAS["confirmed"], user="U09"),
        "joined": replace(ADAS["joined"], user="U09"),
        "told": replace(ADAS["told"], user="U09"),
        "chief": replace(READERS["chief"], user="U09"),
        "grace": replace(hers, proven=Proven({"grace@example.com": "almanac.toml"}, name="Grace Hopper")),
        "profile": replace(hers, proven=Proven({"grace@example.com": "profile"})),  # no table has that name
        "claims": replace(hers, proven=NOTHING_PROVEN),
    }
    reader = others.get(who) or ADAS.get(who) or READERS[who]
    assert may_correct(reader, ADA.addresses, rules) == bool(ada)
    assert may_correct(reader, GRACE.addresses, rules) == bool(grace)
    assert may_correct(reader, (*ADA.addresses, *GRACE.addresses), rules) == bool(ada and grace)
    assert is_admin(reader, rules) == bool(admin)
    assert not may_correct(reader, (), replace(rules, admins=()))


OCTOBER = Month.parse("2025-10")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (Question("month", ("Ada Lovelace",), Days.of(OCTOBER)), About((ADA,))),
        (Question("month", ("ada  lovelace",)), About((ADA,))),
        (Question("month", ("Ada Lovelace <ADA@example.com>",)), About((ADA,))),
        (Question("month", ("ada@example.com",)), About((ADA,))),
        (Question("compare", ("Ada Lovelace", "Grace Hopper")), About((ADA, GRACE))),
        (Question("profile", ("Grace Hopper",)), About((GRACE,))),
        (Question("changes", ("Ada Lovelace",), kinds=("fix",)), About((ADA,))),
        (Question("changes", kinds=("fix",)), About(others=True)),
        (Question("month", ("Ada",)), About(others=True)),  # whoever that is
        (Question("month", ("Ada Lovelace", "Nobody Known")), About((ADA,), others=True)),
        (Question("who", topic="mill"), About(others=True)),
        (Question("who", ("Ada Lovelace",), topic="mill"), About(others=True)),
        (Question("what_shipped"), About(others=True)),
        (Question("digest"), About(others=True)),
        (Question("explain", topic="1234567"), About(others=True)),
        (Question("something new", ("Ada Lovelace",)), About(others=True)),
        (Question("help"), About()),
        (Question("unknown", missing="Which Dave?"), About()),
        (Question("schedule"), About()),
        (Question("link", topic="ada@example.com"), About()),
    ],
)
def test_whom_an_answer_tells_of(question: Question, expected: About) -> None:
    assert about(question, PEOPLE) == expected


def test_a_list_of_nothing_is_for_nobody() -> None:
    """Settings refuse it, and it would be a pity if it were for everyone."""
    for listed in ((), ("#",), ("@",), ("",)):
        rules = AccessRules(frozenset({"plans"}), (Guarded(frozenset({"plans"}), listed),))
        for place in PLACES.values():
            assert sight(MEMBER, place, rules, alone=True).hidden == {"plans"}


def test_an_explanation_tells_of_those_whose_commits_it_is() -> None:
    asked = Question("explain", topic="1234567")
    assert about(asked, PEOPLE, [ADA]) == About((ADA,))
    assert about(asked, PEOPLE, []) == About(others=True)  # somebody whom nobody knows


entries = st.sampled_from(["#leads", "leads", "@leads", "S0LEADS1", "C0LEADS1", "c0leads1", "#c0leads1", "U01"])
readers = st.builds(
    Reader,
    user=st.sampled_from(["U01", "U02"]),
    proven=st.sampled_from([NOTHING_PROVEN, ADAS_OWN]),
    person=st.sampled_from([None, ADA, GRACE]),
    groups=st.frozensets(st.sampled_from(["@leads", "S0LEADS1", "@other"])),
    channels=st.frozensets(st.sampled_from(["#leads", "C0LEADS1", "#general"])),
    standing=st.sampled_from(get_args(Standing)),
)
maybe = st.sampled_from([False, True, None])
places = st.builds(
    Place,
    channel=st.sampled_from(["", "C0LEADS1", "C0GEN1"]),
    name=st.sampled_from(["", "leads", "general", "c0leads1"]),
    kind=st.sampled_from(get_args(Kind)),
    shared=maybe,
    guests=maybe,
)
guarded = st.builds(
    Guarded,
    names=st.frozensets(st.sampled_from(["plans", "pay", "raid"]), min_size=1),
    audience=st.lists(entries, min_size=1).map(tuple),
)
whom = st.builds(About, people=st.lists(st.sampled_from(PEOPLE)).map(tuple), others=st.booleans())
rulings = st.builds(
    AccessRules,
    every=st.just(RULES.every),
    guarded=st.lists(guarded).map(tuple),
    guests=st.booleans(),
    shared_channels=st.booleans(),
    about_others=st.sampled_from(["everyone", "nobody", ("Ada Lovelace", "@leads"), ("U02",)]),
    answers_about_others=st.sampled_from(["channel", "asker"]),
    admins=st.lists(st.sampled_from(["U01", "@leads", "Grace Hopper"])).map(tuple),
)


@given(readers, places, rulings, whom, st.booleans())
def test_a_channel_is_never_told_more_than_the_narrowest_of_its_readers(
    reader: Reader, place: Place, rules: AccessRules, tells_of: About, alone: bool
) -> None:
    """What is posted where others read is no more than a digest there, whoever asks; to restrict hides no less."""
    found = sight(reader, place, rules, tells_of, alone=alone)
    posted = sight(NOBODY, place, rules, tells_of)
    if not (alone or found.privately or place.kind == "direct"):
        assert found.hidden >= posted.hidden and bool(found.refused) >= bool(posted.refused)
    if found.refused:
        assert found.hidden == rules.every
    if reader.standing != "member" and not (rules.guests or rules.shared_channels):
        assert found.refused and not may_correct(reader, ADA.addresses, rules) and not is_admin(reader, rules)
    stricter = replace(rules, guests=False, shared_channels=False)
    assert sight(reader, place, stricter, tells_of, alone=alone).hidden >= found.hidden
