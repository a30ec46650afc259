"""Nobody gets a right by writing a commit, a .mailmap or a link of their own; whose work is shown decides who may ask
and who else reads the answer; and what a channel may not read is answered there as what is not there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from test_every_path import ASKERS, LEAD, MEMBER, NOW, OCTOBER, OPEN, PLANS, Bot, filled, paths, shown, text_of
from values import commit, somebody

from bot.ask.question import Question
from bot.errors import AlmanacError
from bot.model import Person, Repository
from bot.month.calendar import Days
from bot.slack.audience import NOBODYS, OTHERS_REFUSED, SHARING_NOTHING, Request
from bot.slack.elements import written
from bot.slack.modals import Correcting, Origin
from storage import Store

EVES, EVE = "acme/eves", ASKERS["nobody in git"]  # a repository in which Eve may write what she likes
EVES_ADDRESS = "new@acme.example"
MEMS, LEAS = ("loom", "shuttle"), ("mill", "lathe")  # words of titles


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Mem reviewed what Lea wrote, and Lea what Mem did."""
    store = Store(tmp_path / "almanac.db")
    for name in (OPEN, EVES):
        store.commits.register(Repository(name, f"/srv/{name}", indexed_at=NOW))
    for title, author, reviewer, day in (
        ("Add the mill (#1)", LEAD, MEMBER, "2025-10-02"), ("Fix the lathe (#2)", LEAD, MEMBER, "2025-10-03"),
        ("Add the loom (#3)", MEMBER, LEAD, "2025-10-04"), ("Fix the shuttle (#4)", MEMBER, LEAD, "2025-10-05"),
        ("Add the spindle (#5)", MEMBER, LEAD, "2025-09-05"),
    ):  # fmt: skip
        body = f"Reviewed-by: {reviewer.name} <{reviewer.addresses[0]}>"
        path = f"src/{title.split()[2]}.py"
        store.commits.add(OPEN, [commit(title, author=author, body=body, at=f"{day} 10:00", paths=[path])])
    return store


def bot_of(store: Store, **privacy: Any) -> Bot:
    """A bot that has seen everybody of the workspace."""
    bot = Bot.of(store, EVES, **privacy)
    for user in ASKERS.values():
        bot.members.member(user)
    return bot


def told(bot: Bot, text: str, user: str = EVE, channel: str = "C0GEN1") -> tuple[str, bool]:
    """What is said in a channel, and whether to the asker alone."""
    return text_of(bot.answering.answer(text, Request(user, channel)))


def sha(store: Store, title: str) -> str:
    """Of the commit of October whose title begins so."""
    october = OCTOBER.bounds(ZoneInfo("UTC"))
    return next(one.sha for one in store.commits.between(*october) if one.subject.startswith(title))


def written_by_eve(store: Store, *commits: tuple[str, Person], mailmap: str = "") -> None:
    store.commits.add(EVES, [commit(title, author=author, repository=EVES) for title, author in commits])
    store.commits.put_mailmap(EVES, mailmap)


# What is asked by whom, what is said, and what is not.
Rows = list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]
AS_EVE, AS_ADA = somebody("New Comer", EVES_ADDRESS), somebody("Ada Boss", EVES_ADDRESS)
MAPPED = ("Draw a map", AS_EVE), ("Plan in here", LEAD)
MAP = f"New Comer <{EVES_ADDRESS}> <{LEAD.addresses[0]}>\n"
BOSS: dict[str, Any] = {"about_others": ["Ada Boss"], "admins": ["Ada Boss"]}
NAMES_NOBODY: Rows = [
    (EVE, "mem ber in october", (OTHERS_REFUSED,), MEMS),
    (EVE, "link mem@acme.example", ("else's: if that is not right, an admin can",), ()),
]
ATTACKS: dict[str, tuple[tuple[tuple[str, Person], ...], str, dict[str, Any], Rows]] = {
    "a name in a commit": ((("Be somebody", AS_ADA),), "", BOSS, NAMES_NOBODY),
    "a name in a .mailmap": ((("Be somebody", AS_EVE),), f"Ada Boss <{EVES_ADDRESS}>\n", BOSS, NAMES_NOBODY),
    "a name that a table defines counts": (
        (("Be somebody", AS_EVE),), "", {"about_others": ["Mem Ber"]},
        [(ASKERS["member"], "new comer in october", ("Be somebody",), ()),
         (EVE, "mem ber in october", (OTHERS_REFUSED,), MEMS)],
    ),
    "an address in a .mailmap": (
        MAPPED, MAP, {"about_others": "nobody"},
        [(EVE, "my october", ("Draw a map",), (*LEAS, "in here")),
         (EVE, "lea@acme.example october", (OTHERS_REFUSED,), LEAS), (EVE, "lea in october", (OTHERS_REFUSED,), LEAS),
         (EVE, "explain {planned}", (OTHERS_REFUSED,), ("in here",))],
    ),
    "a .mailmap tells of its own repository alone": (
        MAPPED, MAP, {},
        [(EVE, "my october", ("Draw a map", "in here"), LEAS), (EVE, "lea in october", LEAS, ()),
         (EVE, "explain {planned}", ("New Comer's, written on",), ())],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_what_somebody_commits_gives_them_no_right(store: Store, name: str) -> None:
    commits, mailmap, privacy, asked = ATTACKS[name]
    written_by_eve(store, *commits, mailmap=mailmap)
    bot = bot_of(store, **privacy)
    for user, text, found, absent in asked:
        said = told(bot, text.format(planned=sha(store, commits[-1][0])), user)[0]
        assert [one for one in found if one not in said] == [] and not [one for one in absent if one in said], text


def test_a_link_of_ones_own_waits_for_an_admin_where_people_may_not_ask_about_others(store: Store) -> None:
    written_by_eve(store, ("Add nothing much", AS_EVE))
    store.commits.add(OPEN, [commit("Add a clock", author=somebody("N. Comer", "old@home.example"))])
    bot = bot_of(store, about_others="nobody")
    context = bot.home_tab.seen(EVE)
    who = bot.linker.who(context)
    claim = who.claim("old@home.example", EVE, EVES_ADDRESS)
    assert "waits" in bot.linker.confirm(claim, context)
    mine = told(bot, "my october")[0]
    assert "clock" not in mine and "nothing much" in mine
    assert OTHERS_REFUSED in told(bot, "old@home.example october")[0]
    (key,) = store.outbox.keys("claim|")
    post = store.outbox.get(key)
    assert post and post.channel == ASKERS["admin"]
    assert "New Comer says in Slack that old@home.example is theirs. It counts for nothing" in str(post.payload)
    (line,) = [one for one in who.log() if one.waits]
    who.accept(line.key, ASKERS["admin"], is_admin=True)
    assert "clock" in told(bot, "my october")[0]


# What Mem asks, and whose work the answer shows.
QUERIES = {
    "my october": "mem's", "my october as markdown": "mem's", "mem ber in october": "mem's",
    "my profile": "mem's", "compare my september and october": "mem's", "my changes in october": "mem's",
    "my bug fixes in october": "mem's", "my biggest changes in october": "mem's",
    "explain {mems}": "mem's",
    "my reviews in october": "others'", "what did i review in october?": "others'",
    "show the changes i reviewed in october": "others'", "reviews by mem ber in october": "others'",
    "who reviewed my changes in october?": "others'",
    "did lea and i work on the same files in october?": "others'", "compare me and lea in october": "others'",
    "lea in october": "others'", "profile of lea": "others'", "changes of lea in october": "others'",
    "lea's reviews in october": "others'", "biggest changes in october": "others'", "explain {leas}": "others'",
    "who worked on the mill?": "others'", "who worked on the loom?": "others'", "what shipped in october?": "others'",
    "what did we do in october?": "others'", "help": "nobody's",
}  # fmt: skip
# How Mem, whom some of them name, and Lea, whom none does, are answered: to all, alone, or not.
SETTINGS: dict[str, tuple[dict[str, Any], dict[str, str], dict[str, str]]] = {
    "asker": (
        {"answers_about_others": "asker"}, {"mem's": "all", "others'": "alone"}, {"mem's": "alone", "others'": "alone"},
    ),
    "nobody": (
        {"about_others": "nobody"}, {"mem's": "all", "others'": "no"}, {"mem's": "no", "others'": "no"},
    ),
    "some, asker": (
        {"about_others": ["Mem Ber"], "answers_about_others": "asker"}, {"mem's": "all", "others'": "alone"},
        {"mem's": "no", "others'": "no"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("privacy", SETTINGS)
def test_whose_work_is_shown_decides(store: Store, privacy: str) -> None:
    rules, mem, lea = SETTINGS[privacy]
    bot, named = bot_of(store, **rules), {"mems": sha(store, "Add the loom"), "leas": sha(store, "Add the mill")}

    def how(text: str, user: str) -> str:
        said, privately = told(bot, text.format(**named), user)
        assert QUERIES[text] != "mem's" or not any(word in said for word in LEAS), text
        assert privately or OTHERS_REFUSED not in said
        return "no" if OTHERS_REFUSED in said else "alone" if privately else "all"

    assert {text: how(text, ASKERS["member"]) for text in QUERIES} == {
        text: mem.get(whose, "all") for text, whose in QUERIES.items()
    }
    asked = ["mem ber in october", "reviews by mem ber in october", "explain {mems}"]
    assert [how(text, ASKERS["lead"]) for text in asked] == [lea[QUERIES[text]] for text in asked]


HIDDEN = ["mem ber in acme/plans in october", "explain {sha}", "link spy@zeppelin.example", "profile of zeppelin"]


@pytest.mark.parametrize("text", HIDDEN)
def test_what_is_hidden_is_answered_as_what_is_not_there(tmp_path: Path, text: str) -> None:
    """A repository by its name, a commit by its SHA, and who wrote only there by their address and name."""
    store = Store(tmp_path / "almanac.db")
    filled(store)
    found = sha(store, "Fix the zeppelin leak")[:10]
    bot, asked = bot_of(store), text.format(sha=found)
    absent = asked.replace("acme/plans", "acme/absnt").replace(found, "0123456789").replace("zeppelin", "nobodies")
    of_hidden, of_absent = (told(bot, one)[0] for one in (asked, absent))
    hidden = of_hidden.replace("acme/plans", "acme/absnt").replace(found, "0123456789").replace("zeppelin", "nobodies")
    assert hidden == of_absent
    assert told(bot, asked, ASKERS["lead"], "C0LEADS1")[0] != of_hidden


def test_what_a_channel_may_not_know_of_is_not_named_where_somebody_shares_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "almanac.db")
    filled(store)
    bot, october = bot_of(store), Days.of(OCTOBER)
    for question in (
        Question("month", ("spy@zeppelin.example",), october), Question("profile", ("spy@zeppelin.example",)),
        Question("who", topic="zeppelin"), Question("month", ("Mem Ber",), october, repositories=(PLANS,)),
        Question("explain", references=(sha(store, "Fix the zeppelin leak"),)),
    ):  # fmt: skip
        assert bot.answering.shared(question, ASKERS["lead"], "C0GEN1") == SHARING_NOTHING
        assert "zeppelin" in text_of(bot.answering.answer(question, Request(ASKERS["lead"], "C0LEADS1")))[0]


def corrected(bot: Bot, user: str, sha: str) -> str:
    """What is said to somebody who hides a change."""
    origin = Origin(written(Question("month", ("Mem Ber",))), f"D0{user}", "1.1", ephemeral=False)
    return bot.dialogs.correct(user, Correcting(origin, sha, "hidden", "yes"))[0]


def test_to_correct_rests_on_the_addresses_a_change_was_written_under(store: Store) -> None:
    """Not on as whom it is shown: by a .mailmap, or by a link of one's own."""
    store.commits.add(OPEN, [commit("Add a wheel", author=somebody("Mem Ber", "mem@home.example"))])
    store.commits.put_mailmap(OPEN, "Mem Ber <mem@acme.example> <lea@acme.example>")
    member, lead, admin = ASKERS["member"], ASKERS["lead"], ASKERS["admin"]
    store.said.say("slack", "link", [member], "mem@home.example", member, NOW)
    store.said.say("address", "link", ["mem@home.example"], "mem@acme.example", member, NOW, confirmed=False)
    bot, mine, theirs, linked = bot_of(store), *(sha(store, f"Add {word}") for word in ("the loom", "the mill", "a wh"))
    shown_as_theirs = told(bot, "mem ber in october")[0]
    assert all(word in shown_as_theirs for word in ("loom", "mill", "wheel"))
    assert [corrected(bot, member, one) for one in (theirs, linked)] == [NOBODYS, NOBODYS]
    for user, one in (member, mine), (lead, theirs), (admin, linked):
        assert "left out from now on" in corrected(bot, user, one)


class TestTheNameOfSomebodyElse:
    """A stranger signs with Lea's name: they are treated as one person, and that is all."""

    ADDRESS, MINE, HERS = "lea@boss.example", "Add the mill", "Plan the takeover"
    USER, PROFILE = ASKERS["lead"], "lea@acme.example"

    @pytest.fixture
    def store(self, store: Store) -> Store:
        theirs = somebody("Lea Der", self.ADDRESS)
        store.commits.add(OPEN, [commit(f"{self.HERS} {number}", author=theirs) for number in range(4)])
        return store

    def told_by_every_path(self, bot: Bot, user: str) -> str:
        """All that somebody is shown of her or themselves in their direct messages and in a channel."""
        ways = [each for place in (f"D0{user}", "C0GEN1") for each in paths(bot, user, place)]
        of_her = [(text, way) for called, text, _, way in ways if re.search("lea der|of lea|my |home", called, re.I)]
        return "\n".join(f"{text}: {shown(way)[0]}" for text, way in of_her)

    def test_they_are_told_as_one(self, store: Store) -> None:
        said, _ = told(bot_of(store), "lea der in october")
        assert self.MINE in said and self.HERS in said

    @pytest.mark.parametrize("about_others", ["nobody", ["Lea Der"]])
    def test_she_sees_nothing_of_hers(self, store: Store, about_others: object) -> None:
        said = self.told_by_every_path(bot_of(store, about_others=about_others), self.USER)
        assert self.MINE in said and self.HERS not in said

    def test_she_is_no_admin(self, store: Store) -> None:
        assert not bot_of(store, admins=["Lea Der", self.ADDRESS]).home_tab.seen(self.USER).is_admin

    def test_she_corrects_and_hides_nothing_of_hers(self, store: Store) -> None:
        bot = bot_of(store)
        assert corrected(bot, self.USER, sha(store, self.HERS)) == NOBODYS
        assert "left out from now on" in corrected(bot, self.USER, sha(store, self.MINE))
        who = bot.linker.who(bot.home_tab.seen(self.USER))
        own = who.own(self.USER, self.PROFILE)
        assert own is not None and own.addresses == (self.PROFILE,)
        who.hide(own, self.USER)
        said, _ = told(bot, "lea der in october")
        assert self.HERS in said and self.MINE not in said

    def test_that_the_other_is_hidden_is_not_lost(self, store: Store) -> None:
        store.said.say("hide", "hide", [self.ADDRESS], "", "-", NOW)
        for user in (self.USER, EVE):
            said = self.told_by_every_path(bot_of(store), user)
            assert self.HERS not in said and self.MINE in said

    def test_she_cannot_keep_the_other_from_her_address_nor_have_it(self, store: Store) -> None:
        bot = bot_of(store)
        for user, profile in ((EVE, EVES_ADDRESS), (self.USER, self.PROFILE)):
            claim = bot.linker.who(bot.home_tab.seen(user)).claim(self.ADDRESS, user, profile)
            assert (claim.action, claim.address) == ("link", self.ADDRESS)
        lead = bot.members.reader(bot.members.member(self.USER), bot.members.rules())
        assert not lead.proven.has(self.ADDRESS)

    def test_either_may_say_that_they_are_two(self, store: Store) -> None:
        bot = bot_of(store)
        who = bot.linker.who(bot.home_tab.seen(self.USER))
        assert [one.address for one in who.addresses(self.USER, self.PROFILE)] == [self.ADDRESS, self.PROFILE]
        proposed = who.disclaim(self.ADDRESS, self.USER, self.PROFILE)
        assert proposed.sentence == f"You and whoever has {self.ADDRESS} will be treated as two people."
        who.confirm(proposed, self.USER, self.PROFILE)
        said, _ = told(bot, "my october", self.USER)
        assert self.MINE in said and self.HERS not in said
        with pytest.raises(AlmanacError, match="not yours"):
            who.disclaim(self.ADDRESS, self.USER, self.PROFILE)
