"""Nobody gets a right by writing a commit, a .mailmap or a link of their own: each attack, on the bot as it runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from bot_in_workspace import running_bot, settings_for
from builders import ADA, GRACE, NOW, GitRepo, index
from faulty_slack import FaultyWorkspace
from plays import Play
from test_every_path import OCTOBER, OPEN, Bot, shown, text_of
from values import commit, somebody

from bot.ask.question import Question
from bot.errors import AlmanacError
from bot.model import Repository
from bot.month.calendar import Days
from bot.settings_tables import PersonSettings, PrivacySettings, RepositorySettings
from bot.slack.audience import NOBODYS, OTHERS_REFUSED, Request
from bot.slack.elements import written
from bot.slack.modals import Correcting, Origin
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceUser
from storage import Store

EVE = "eve@example.com"


@pytest.fixture
def workspace() -> Iterator[ThreadedWorkspace]:
    """Nobody here has Ada's address in their profile."""
    people = [
        WorkspaceUser(name="eve", real_name="Eve Evil", email=EVE, id="U0EVE1"),
        WorkspaceUser(name="grace", real_name="Grace Hopper", email="grace@example.com", id="U0GRACE1"),
        WorkspaceUser(name="root", real_name="Root Admin", email="root@example.com", id="U0ROOT1"),
    ]
    with FaultyWorkspace(Workspace(people, ["general"]), retry_delays=(0.0,)) as opened:
        yield opened


@pytest.fixture
def privacy() -> dict[str, Any]:
    return {"about_others": "nobody"}


@pytest.fixture
def tables() -> dict[str, Any]:
    """Of almanac.toml."""
    return {}


@pytest.fixture
def evil(tmp_path: Path) -> GitRepo:
    """A repository of Eve's own, in which she may write what she likes."""
    return GitRepo(tmp_path / "eve" / "own")


@pytest.fixture
def asked(
    workspace: ThreadedWorkspace,
    indexed: Store,
    evil: GitRepo,
    privacy: dict[str, Any],
    tables: dict[str, Any],
    wrote: None,
) -> Iterator[ThreadedWorkspace]:
    index(indexed, evil.path)
    rules = PrivacySettings(**privacy)
    settings = settings_for(workspace, "socket", db=indexed.path, fixed_now=NOW, privacy=rules, **tables)
    with running_bot(settings):
        workspace.wait_connected()
        yield workspace


@pytest.fixture
def wrote(evil: GitRepo) -> None:
    evil.commit("Add nothing much", author=("Eve Evil", EVE), at="2025-10-03 10:00 +0000", files={"a": "a"})


def said(workspace: ThreadedWorkspace, text: str, user: str = "eve") -> dict[str, Any]:
    ts = workspace.say(user, "general", text)
    return workspace.wait_for(lambda m: m.get("user") == BOT_USER_ID and m["ts"] > ts and m["channel"][:1] == "C")


def pressed(workspace: ThreadedWorkspace, message: dict[str, Any], user: str, label: str) -> str:
    """What is said after somebody has pressed a button."""
    buttons = [one for block in message["blocks"] for one in block.get("elements", ())]
    (found,) = [one for one in buttons if one.get("text", {}).get("text") == label]
    before = message["text"]
    workspace.press(user, message["channel"], message["ts"], found["action_id"], found["value"])
    return str(workspace.wait_for(lambda m: m["ts"] >= message["ts"] and m["text"] != before)["text"])


class TestANameInACommit:
    @pytest.fixture
    def wrote(self, evil: GitRepo) -> None:
        evil.commit("Be somebody", author=("Ada Boss", EVE), at="2025-10-03 10:00 +0000", files={"a": "a"})

    @pytest.fixture
    def privacy(self) -> dict[str, Any]:
        return {"about_others": ["Ada Boss"], "admins": ["Ada Boss"]}

    def test_names_nobody_in_about_others(self, asked: ThreadedWorkspace) -> None:
        assert said(asked, "/almanac month grace october")["text"] == OTHERS_REFUSED

    def test_makes_nobody_an_admin(self, asked: ThreadedWorkspace) -> None:
        assert "else's: if that is not right, an admin can" in said(asked, "/almanac link grace@example.com")["text"]


class TestANameInAMailmap(TestANameInACommit):
    @pytest.fixture
    def wrote(self, evil: GitRepo) -> None:
        files = {"a": "a", ".mailmap": f"Ada Boss <{EVE}>\n"}
        evil.commit("Be somebody", author=("Eve Evil", EVE), at="2025-10-03 10:00 +0000", files=files)


class TestANameThatATableDefines:
    @pytest.fixture
    def privacy(self) -> dict[str, Any]:
        return {"about_others": ["Grace Hopper"]}

    @pytest.fixture
    def tables(self) -> dict[str, Any]:
        return {"people": [PersonSettings(name="Grace Hopper", addresses=["grace@example.com"])]}

    def test_counts(self, asked: ThreadedWorkspace) -> None:
        assert "Eve" in said(asked, "/almanac month Eve october", "grace")["text"]
        assert said(asked, "/almanac month grace october", "eve")["text"] == OTHERS_REFUSED


class TestAnAddressInAMailmap:
    @pytest.fixture
    def wrote(self, evil: GitRepo, engine: GitRepo) -> None:
        files = {"a": "a", ".mailmap": f"Eve Evil <{EVE}> <{ADA[1]}>\n"}
        evil.commit("Draw a map", author=("Eve Evil", EVE), at="2025-10-03 10:00 +0000", files=files)
        evil.commit("Plan in here", author=ADA, at="2025-10-04 10:00 +0000", files={"b": "b"})

    def test_makes_nothing_ones_own(self, asked: ThreadedWorkspace) -> None:
        mine = json.dumps(said(asked, "/almanac my october"))
        assert "store" not in mine and "in here" not in mine and "Draw a map" in mine
        for text in ("/almanac month ada@example.com october", "/almanac month ada october"):
            assert said(asked, text)["text"] == OTHERS_REFUSED

    def test_lets_nobody_correct(self, asked: ThreadedWorkspace, evil: GitRepo) -> None:
        assert said(asked, f"/almanac explain {evil.tip}")["text"] == OTHERS_REFUSED


class TestAMailmapOfAnotherRepository(TestAnAddressInAMailmap):
    @pytest.fixture
    def privacy(self) -> dict[str, Any]:
        return {}

    def test_makes_nothing_ones_own(self, asked: ThreadedWorkspace) -> None:
        """It tells of the commits of its own repository, and of no others."""
        mine = json.dumps(said(asked, "/almanac my october"))
        assert "in here" in mine and "store" not in mine
        assert "store" in json.dumps(said(asked, "/almanac month ada october"))

    def test_lets_nobody_correct(self, asked: ThreadedWorkspace, evil: GitRepo) -> None:
        assert "Eve Evil's, written on" in said(asked, f"/almanac explain {evil.tip}")["text"]


class TestALinkOfOnesOwn:
    def test_waits_where_people_may_not_ask_about_others(self, asked: ThreadedWorkspace) -> None:
        proposed = said(asked, f"/almanac link {ADA[1]}")
        assert "admin" in proposed["text"]
        assert "waits" in pressed(asked, proposed, "eve", "Confirm")
        mine = json.dumps(said(asked, "/almanac my october"))
        assert "store" not in mine and "nothing much" in mine
        assert said(asked, "/almanac month ada october")["text"] == OTHERS_REFUSED


class TestAMailmapThatAChannelMayNotRead:
    """Grace is Gracelyn Codename there, of another address."""

    @pytest.fixture
    def privacy(self) -> dict[str, Any]:
        return {}

    @pytest.fixture
    def tables(self, evil: GitRepo, engine: GitRepo) -> dict[str, Any]:
        secret = RepositorySettings(address=str(evil.path), audience=["#leads"])
        return {"repositories": [secret, RepositorySettings(address=str(engine.path))]}

    @pytest.fixture
    def wrote(self, evil: GitRepo) -> None:
        line = f"Gracelyn Codename <code@secret.example> <{GRACE[1]}>\n"
        evil.commit("Hide", author=GRACE, at="2025-10-03 10:00 +0000", files={"a": "a", ".mailmap": line})

    def test_is_not_told_of(self, asked: ThreadedWorkspace, engine: GitRepo) -> None:
        for text in (
            f"@Almanac explain {engine.tip}", "@Almanac grace october 2025", "@Almanac what shipped in october?",
            "@Almanac whose address is grace@example.com?", "/almanac link",
        ):  # fmt: skip
            shown = json.dumps(said(asked, text, "grace"))
            assert "Codename" not in shown and "secret.example" not in shown
        asked.say("grace", "general", "/almanac link code@secret.example")
        told = asked.wait_for(lambda m: "secret.example" in m["text"])["text"]
        assert told == "I know nobody with the address code@secret.example. code@secret.example will be yours."


class TestAnAdminConfirms:
    @pytest.fixture
    def privacy(self) -> dict[str, Any]:
        return {"about_others": "nobody", "admins": ["root@example.com"]}

    def test_what_somebody_says_of_themselves(self, asked: ThreadedWorkspace, indexed: Store) -> None:
        pressed(asked, said(asked, f"/almanac link {ADA[1]}"), "eve", "Confirm")
        (told,) = [indexed.outbox.get(key) for key in indexed.outbox.keys("claim|")]
        assert told and told.channel == "U0ROOT1"
        assert "Eve Evil says in Slack that ada@example.com is theirs. It counts for nothing" in json.dumps(
            told.payload
        )
        Play(asked).play("""
            eve opens home: not confirmed by an admin
            not: Confirm
            root opens home: not confirmed by an admin … Confirm … Decline
            root presses Confirm
            home: Confirmed: ada@example.com is eve@example.com's.
        """)
        assert "store" in json.dumps(said(asked, "/almanac my october"))


def test_to_correct_rests_on_the_addresses_a_change_was_written_under(tmp_path: Path) -> None:
    """Not on as whom it is shown: by a .mailmap, or by a link of one's own."""
    store = Store(tmp_path / "almanac.db")
    store.commits.register(Repository(OPEN, "/srv/engine"))
    mine, theirs, linked = (
        commit(f"Add {address}", author=somebody("Mem Ber", address))
        for address in ("mem@acme.example", "lea@acme.example", "mem@home.example")
    )
    store.commits.add(OPEN, [mine, theirs, linked])
    store.commits.put_mailmap(OPEN, "Mem Ber <mem@acme.example> <lea@acme.example>")
    store.said.say("slack", "link", ["U0MEMB1"], "mem@home.example", "U0MEMB1", NOW)
    store.said.say("address", "link", ["mem@home.example"], "mem@acme.example", "U0MEMB1", NOW, confirmed=False)
    bot = Bot.of(store)
    origin = Origin(written(Question("month", ("Mem Ber",))), "D0U0MEMB1", "1.1", ephemeral=False)

    def corrected(user: str, sha: str) -> str:
        return bot.dialogs.correct(user, Correcting(origin, sha, "hidden", "yes"))[0]

    assert (
        bot.answering.reply(
            Question("month", ("Mem Ber",), Days.of(OCTOBER)),
            bot.answering.context(Request("U0MEMB1", "C0GEN1")),
        )[0]
        .documents[0]
        .counts["commits"]
        == 3
    ), "it is shown as theirs"
    assert [corrected("U0MEMB1", one.sha) for one in (theirs, linked)] == [NOBODYS, NOBODYS]
    assert "left out from now on" in corrected("U0MEMB1", mine.sha)
    assert "left out from now on" in corrected("U0LEAD1", theirs.sha)
    assert "left out from now on" in corrected("U0ROOT1", linked.sha), "an admin"


class TestTheNameOfSomebodyElse:
    """Lea signs her commits as Ada Boss, who is not in Slack: they are treated as one person, and that is all."""

    MINE, HERS = "Add nothing much", "Plan the takeover"

    @pytest.fixture
    def store(self, tmp_path: Path) -> Store:
        store = Store(tmp_path / "almanac.db")
        store.commits.register(Repository(OPEN, "/srv/engine", indexed_at=NOW))
        eve, ada = somebody("Ada Boss", "lea@acme.example"), somebody("Ada Boss", "ada@boss.example")
        store.commits.add(OPEN, [commit(self.MINE, author=eve), commit(self.HERS, author=ada)])
        store.commits.add(OPEN, [commit(f"{self.HERS} {number}", author=ada) for number in range(3)])
        return store

    def sha(self, store: Store, words: str) -> str:
        october = OCTOBER.bounds(ZoneInfo("UTC"))
        return next(one.sha for one in store.commits.between(*october) if one.subject.startswith(words))

    def told(self, bot: Bot, user: str = "U0LEAD1") -> str:
        """All that somebody is shown in their direct messages, by every path."""
        return "\n".join(f"{text}: {shown(told)[0]}" for _, text, _, told in paths_of(bot, user))

    def test_they_are_told_as_one(self, store: Store) -> None:
        said = text_of(Bot.of(store).answering.answer("ada boss in october", Request("U0NEW1", "C0GEN1")))[0]
        assert self.MINE in said and self.HERS in said

    @pytest.mark.parametrize("about_others", ["nobody", ["Ada Boss"]])
    def test_she_sees_nothing_of_hers(self, store: Store, about_others: object) -> None:
        told = self.told(Bot.of(store, about_others=about_others))
        assert self.MINE in told
        assert self.HERS not in told

    def test_she_is_no_admin(self, store: Store) -> None:
        bot = Bot.of(store, admins=["Ada Boss", "ada@boss.example"])
        assert not bot.home_tab.seen("U0LEAD1").is_admin

    def test_she_corrects_and_hides_nothing_of_hers(self, store: Store) -> None:
        bot = Bot.of(store)
        origin = Origin(written(Question("month", ("Ada Boss",))), "D0U0LEAD1", "1.1", ephemeral=False)

        def corrected(words: str) -> str:
            return bot.dialogs.correct("U0LEAD1", Correcting(origin, self.sha(store, words), "hidden", "yes"))[0]

        assert corrected(self.HERS) == NOBODYS
        assert "left out from now on" in corrected(self.MINE)
        who = bot.linker.who(bot.home_tab.seen("U0LEAD1"))
        own = who.own("U0LEAD1", "lea@acme.example")
        assert own is not None and own.addresses == ("lea@acme.example",)
        who.hide(own, "U0LEAD1")
        said = text_of(bot.answering.answer("ada boss in october", Request("U0NEW1", "C0GEN1")))[0]
        assert self.HERS in said and self.MINE not in said

    def test_that_ada_is_hidden_is_not_lost(self, store: Store) -> None:
        store.said.say("hide", "hide", ["ada@boss.example"], "", "-", NOW)
        for user in ("U0LEAD1", "U0NEW1"):
            told = self.told(Bot.of(store), user)
            assert self.HERS not in told and self.MINE in told

    def test_she_cannot_keep_ada_from_her_address_nor_have_it(self, store: Store) -> None:
        bot = Bot.of(store)
        for user, profile in (("U0NEW1", "new@acme.example"), ("U0LEAD1", "lea@acme.example")):
            who = bot.linker.who(bot.home_tab.seen(user))
            claim = who.claim("ada@boss.example", user, profile)
            assert (claim.action, claim.address) == ("link", "ada@boss.example")
        lead = bot.members.reader(bot.members.member("U0LEAD1"), bot.members.rules())
        assert not lead.proven.has("ada@boss.example")

    def test_either_may_say_that_they_are_two(self, store: Store) -> None:
        bot = Bot.of(store)
        who = bot.linker.who(bot.home_tab.seen("U0LEAD1"))
        assert [one.address for one in who.addresses("U0LEAD1", "lea@acme.example")] == [
            "ada@boss.example", "lea@acme.example",
        ]  # fmt: skip
        proposed = who.disclaim("ada@boss.example", "U0LEAD1", "lea@acme.example")
        assert proposed.sentence == "You and whoever has ada@boss.example will be treated as two people."
        who.confirm(proposed, "U0LEAD1", "lea@acme.example")
        said = text_of(bot.answering.answer("my october", Request("U0LEAD1", "C0GEN1")))[0]
        assert self.MINE in said and self.HERS not in said
        with pytest.raises(AlmanacError, match="not yours"):
            who.disclaim("ada@boss.example", "U0LEAD1", "lea@acme.example")


def paths_of(bot: Bot, user: str) -> Iterator[tuple[str, str, bool, Callable[[], object]]]:
    """Every way to be shown something of Ada Boss in one's direct messages, and in a channel."""
    texts = [
        "my october", "ada boss in october", "ada@boss.example october", "profile of ada boss",
        "who worked on takeover?", "what shipped in october?",
        "my profile", "my changes in october", "changes of ada boss in october", "link",
        "everyone in october as markdown", "my october as markdown", "compare ada boss and mem ber in october",
        "digest of october", "link ada@boss.example",
    ]  # fmt: skip
    for channel, text in product((f"D0{user}", "C0GEN1"), texts):
        yield "said", text, True, partial(bot.answering.answer, text, Request(user, channel))
    held = written(Question("month", ("Ada Boss",), Days.of(OCTOBER)))
    origin = Origin(held, f"D0{user}", "1.1", ephemeral=False)
    yield "changes", "", True, partial(bot.dialogs.changes, user, f"D0{user}", held)
    yield "month", "", True, partial(bot.dialogs.month, user, f"D0{user}", held)
    yield "correct", "", True, partial(bot.dialogs.correction, user, origin)
    yield "home", "", True, partial(bot.home_tab.tab, user, f"D0{user}")
