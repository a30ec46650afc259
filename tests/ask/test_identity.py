"""Who somebody of Slack is in git: proposed, confirmed, logged, undone; and nobody speaks for another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest
from values import ENGINE, commit, somebody

from bot.ask.identity import IdentityService, Linking
from bot.ask.people_directory import PeopleDirectory
from bot.errors import AlmanacError
from bot.model import Person, Repository
from bot.settings import PersonSettings, PrivacySettings, Settings
from storage import Store

AT = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
ADA = somebody("Ada Lovelace")
JANE = somebody("Jane Doe", "jdoe@acme.example")
OLD = somebody("J. Doe", "jane@home.example")
GITHUB = somebody("jd", "12345+janed@users.noreply.github.com")
Who = Callable[..., IdentityService]


def settings_of(tables: Sequence[PersonSettings] = (), privacy: PrivacySettings | None = None) -> Settings:
    return Settings(people=list(tables), join_people="addresses only", privacy=privacy or PrivacySettings())


@pytest.fixture
def who(store: Store) -> Who:
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    for number, person in enumerate((ADA, JANE, OLD, GITHUB)):
        store.commits.add(ENGINE, [commit(f"Add thing {number}", author=person)])

    def made(*tables: PersonSettings) -> IdentityService:
        directory = PeopleDirectory(store, settings_of(tables))
        return IdentityService(store, directory.now, lambda: AT, lambda one: f"<@{one}>" if one[0] == "U" else one)

    return made


def name(person: Person | None) -> str | None:
    return person.name if person else None


class TestWhoAUserIs:
    def test_almanac_toml_comes_first(self, who: Who) -> None:
        table = PersonSettings(name="Ada", addresses=["ada@example.com"], slack="U1")
        assert name(who(table).person("U1", "jdoe@acme.example")) == "Ada"
        assert who(table).user_of(who(table).person("U1") or JANE) == "U1"

    def test_that_it_is_not_them_holds_against_the_profile(self, who: Who, store: Store) -> None:
        store.said.say("slack", "unlink", ["U1"], "jdoe@acme.example", "U1", AT)
        assert who().person("U1", "jdoe@acme.example") is None


def known(store: Store, user: str, address: str) -> None:
    """A user of Slack as the list of users tells of them."""
    with store.transaction(write=True) as connection:
        connection.execute(
            """INSERT INTO slack_users (id, name, address, zone, standing, deleted, seen_at)
               VALUES (?, '-', ?, '', 'member', 0, '')""",
            (user, address),
        )


class TestClaims:
    @pytest.mark.parametrize(
        ("typed", "called"),
        [("janed", "the login janed"), ("byhand", "the login byhand"), ("bytable", "the login bytable"),
         ("jdoe@acme.example", "jdoe@acme.example")],
    )  # fmt: skip
    def test_they_are_not_told_by_what_rule_it_is_somebody_elses(
        self, who: Who, store: Store, typed: str, called: str
    ) -> None:
        tables = [
            PersonSettings(name="Jane Doe", addresses=["jdoe@acme.example"], logins=["bytable"]),
            PersonSettings(name="Ada Lovelace", addresses=["ada@example.com"]),
        ]
        directory = PeopleDirectory(store, settings_of(tables))
        Linking(store, directory.now, lambda: AT).link("jane@home.example", ["@byhand"], "-", confirmed=True)
        told = IdentityService(store, directory.now, lambda: AT, discreet=True)
        for admin in (False, True):
            with pytest.raises(AlmanacError) as refused:
                told.claim(typed, "U1", "ada@example.com", is_admin=admin)
            assert str(refused.value) == f"{called} is somebody else's: if that is not right, an admin can change it"

    def test_of_an_admin_take_it_from_whoever_had_it(self, who: Who, store: Store) -> None:
        store.said.say("slack", "link", ["U3"], "ada@example.com", "U3", AT)
        proposal = who().claim("ada@example.com", "U1", is_admin=True)
        with pytest.raises(AlmanacError, match="only whom it concerns"):
            who().confirm(proposal, "U3")
        who().confirm(proposal, "U9", is_admin=True)
        assert (name(who().person("U1")), who().person("U3", "ada@example.com")) == ("Ada Lovelace", None)

    def test_of_an_address_of_almanac_toml_are_refused_even_to_admins(self, who: Who) -> None:
        table = PersonSettings(name="Ada", addresses=["ada@example.com"], slack="U3")
        with pytest.raises(AlmanacError, match=r"<@U3>'s by almanac\.toml"):
            who(table).claim("ada@example.com", "U1", is_admin=True)

    def test_that_others_have_overtaken_are_not_carried_out(self, who: Who, store: Store) -> None:
        proposal = who().claim("jdoe@acme.example", "U1")
        store.said.say("slack", "link", ["U2"], "jdoe@acme.example", "U2", AT)
        with pytest.raises(AlmanacError, match="<@U2>"):
            who().confirm(proposal, "U1")
        store.said.say("slack", "link", ["U1"], "ada@example.com", "U1", AT)
        store.said.undo("slack", 1, "U2", AT)
        with pytest.raises(AlmanacError, match="changed since"):
            who().confirm(proposal, "U1")

    def test_of_somebody_who_asked_not_to_be_shown_are_an_admins(self, who: Who, store: Store) -> None:
        store.said.say("hide", "hide", ["jdoe@acme.example"], "", "jane", AT)
        with pytest.raises(AlmanacError, match="asked not to be shown: only an admin"):
            who().claim("jdoe@acme.example", "U1")

    def test_are_told_of_as_far_as_their_reader_may_know(self, who: Who, store: Store) -> None:
        store.commits.register(Repository("acme/secret", "/srv/secret"))
        spy = somebody("Sam Spy", "sam@acme.example")
        store.commits.add("acme/secret", [commit("Add a plan", author=spy)])
        directory = PeopleDirectory(store, settings_of())
        told = IdentityService(store, directory.now, lambda: AT, visible=directory.view(frozenset({"acme/secret"})))
        assert told.whose("sam@acme.example", "U1")[0].startswith(
            "I know nobody with the address sam@acme.example, and"
        )
        with pytest.raises(AlmanacError, match=r"I know nobody with the address sam@acme\.example, and not yet who"):
            told.claim("sam@acme.example", "U1")
        assert told.proposals("U1", "Sam Spy") == []
        assert "who has 1 commit:" in told.claim("jdoe@acme.example", "U1").sentence
        assert told.claim("sam@acme.example", "U1", "jdoe@acme.example").sentence == "sam@acme.example will be yours."
        assert [one.why for one in told.addresses("U1", "jdoe@acme.example")] == ["1 commit signed with it"]
        known(store, "U2SAM", "sam@acme.example")
        with pytest.raises(AlmanacError, match=r"sam@acme\.example is U2SAM's"):
            told.claim("sam@acme.example", "U1", "jdoe@acme.example")

    def test_for_who_may_not_ask_about_others_name_nobody_else(self, who: Who, store: Store) -> None:
        directory = PeopleDirectory(store, settings_of())
        known(store, "U2JANE", "jdoe@acme.example")
        told = IdentityService(store, directory.now, lambda: AT, discreet=True)
        words, proposal = told.whose("jane@home.example", "U1", "ada@example.com")
        assert (words, proposal and proposal.sentence) == (
            "", "jane@home.example will be yours, with the commits that are signed with it.",
        )  # fmt: skip
        _, proposal = told.whose("jane@home.example", "U9")
        assert proposal and proposal.sentence == (
            "You will be whoever has the address jane@home.example: what you ask of yourself is about them."
        )
        refused = "jdoe@acme.example is somebody else's: if that is not right, an admin can change it."
        assert told.whose("jdoe@acme.example", "U1", "ada@example.com") == (refused, None)
        assert told.whose("ada@example.com", "U1", "ada@example.com") == (
            "ada@example.com is Ada Lovelace's: 1 commit signed with it. ada@example.com is yours already.",
            None,
        )


class TestUnproven:
    """What somebody says of themselves tells whose months they are, where anybody may ask of anybody, and no more."""

    MINE = "jdoe@acme.example"  # the profile of U1

    @pytest.fixture
    def waiting(self, store: Store) -> Who:
        """Where people may ask only about themselves."""
        store.commits.register(Repository(ENGINE, "/srv/engine"))
        for number, person in enumerate((ADA, JANE, OLD, GITHUB)):
            store.commits.add(ENGINE, [commit(f"Add thing {number}", author=person)])

        def made(*tables: PersonSettings) -> IdentityService:
            settings = settings_of(tables, PrivacySettings(about_others="nobody"))
            return IdentityService(store, PeopleDirectory(store, settings).now, lambda: AT)

        return made

    def claimed(self, who: IdentityService, address: str) -> str:
        return who.confirm(who.claim(address, "U1", self.MINE), "U1", self.MINE)

    def test_where_it_waits_it_tells_nothing_either(self, waiting: Who) -> None:
        assert (
            waiting().claim("jane@home.example", "U1", self.MINE).sentence.endswith("An admin must confirm it first.")
        )
        assert "waits for an admin" in self.claimed(waiting(), "jane@home.example")
        me = waiting().person("U1", self.MINE)
        assert me and me.addresses == (self.MINE,)
        with pytest.raises(AlmanacError, match="is noted already, and waits for an admin"):
            self.claimed(waiting(), "jane@home.example")
        assert "waits for an admin" in waiting().confirm(waiting().claim("ada@example.com", "U7"), "U7")
        assert waiting().person("U7") is None and not waiting().proven("U7")

    @pytest.mark.parametrize("address", ["jane@home.example", "ada@example.com"])
    def test_an_admin_confirms_it(self, waiting: Who, address: str) -> None:
        who = waiting()
        self.claimed(who, address)
        (line,) = [one for one in who.log() if one.waits]
        with pytest.raises(AlmanacError, match="only an admin can confirm"):
            who.accept(line.key, "U1", is_admin=False)
        assert who.accept(line.key, "U9", is_admin=True).startswith("Confirmed: ")
        assert sorted(who.proven("U1", self.MINE).by) == sorted([self.MINE, address])
        me = who.person("U1", self.MINE)
        assert me and address in me.addresses
        assert not any(one.waits for one in who.log())
        with pytest.raises(AlmanacError, match="nothing to confirm any more"):
            who.accept(line.key, "U9", is_admin=True)

    def test_what_an_admin_has_declined_cannot_be_said_again(self, waiting: Who) -> None:
        who = waiting()
        self.claimed(who, "jane@home.example")
        (line,) = [one for one in who.log() if one.waits]
        who.undo(line.key, "U9", is_admin=True)
        with pytest.raises(AlmanacError, match="was undone: only an admin can say so again"):
            self.claimed(who, "jane@home.example")
        me = who.person("U1", self.MINE)
        assert me and me.addresses == (self.MINE,)

    def test_who_links_to_themselves_what_is_nobodys_takes_it_from_nobody(self, who: Who, store: Store) -> None:
        """To give it up again undoes what they said; it is not said of the address that it is joined with nobody."""
        self.claimed(who(), "12345+janed@users.noreply.github.com")
        given = who().disclaim("12345+janed@users.noreply.github.com", "U1", self.MINE)
        who().confirm(given, "U1", self.MINE)
        assert [(one.action, one.undone_by) for one in store.said.log("address")] == [("link", "U1")]

    def test_what_a_mailmap_alone_gives_them_they_cannot_give_up(self, who: Who, store: Store) -> None:
        store.commits.put_mailmap(ENGINE, f"Jane <{self.MINE}> <ada@example.com>")
        assert [one.address for one in who().addresses("U1", self.MINE)] == ["ada@example.com", self.MINE]
        with pytest.raises(AlmanacError, match="not proven to be: only an admin"):
            who().disclaim("ada@example.com", "U1", self.MINE)

    def test_who_hides_hides_what_is_proven_to_be_theirs(self, who: Who, store: Store) -> None:
        """Else a .mailmap of one's own would hide somebody else."""
        store.commits.put_mailmap(ENGINE, f"Ada Lovelace <ada@example.com> <{self.MINE}>")
        own = who().own("U1", self.MINE)
        assert own and own.addresses == (self.MINE,)
        who().hide(own, "U1")
        directory = PeopleDirectory(store, settings_of())
        assert "Ada Lovelace" in [one.name for one in directory.now().shown]
        assert [one.addresses for one in directory.now().everyone if directory.now().is_hidden(one)] == [(self.MINE,)]


class TestNotMe:
    def test_one_of_several_leaves_the_others(self, who: Who, store: Store) -> None:
        store.said.say("address", "link", ["jane@home.example"], "jdoe@acme.example", "U1", AT, confirmed=True)
        proposal = who().disclaim("jdoe@acme.example", "U1", "jdoe@acme.example")
        assert who().confirm(proposal, "U1", "jdoe@acme.example") == "Done: jdoe@acme.example is not yours any more."
        me = who().person("U1", "jdoe@acme.example")
        assert me is not None
        assert me.addresses == ("jane@home.example",)


class TestWhose:
    def test_an_address_is_told_with_the_rule(self, who: Who, store: Store) -> None:
        assert who().whose("jdoe@acme.example", "U1") == (
            "jdoe@acme.example is Jane Doe's: 1 commit signed with it.", who().claim("jdoe@acme.example", "U1"),
        )  # fmt: skip
        store.said.say("address", "link", ["jane@home.example"], "jdoe@acme.example", "U1", AT, confirmed=True)
        assert who().whose("jane@home.example", "U1")[0] == (
            "jane@home.example is J. Doe's: linked by hand, by <@U1> on 5 November 2025."
        )
        assert who().whose("janed", "U1")[0] == "The login janed is jd's: by the GitHub account janed."
        table = PersonSettings(name="Jane", addresses=["jdoe@acme.example"])
        assert who(table).whose("jdoe@acme.example", "U1")[0] == "jdoe@acme.example is Jane's: by almanac.toml."
        store.commits.put_mailmap(ENGINE, "Ada <ada@example.com> <12345+janed@users.noreply.github.com>")
        assert who().whose("12345+janed@users.noreply.github.com", "U1")[0] == (
            "12345+janed@users.noreply.github.com is Ada's: by .mailmap: Ada <ada@example.com>."
        )

    def test_what_is_nobodys_is_said(self, who: Who) -> None:
        assert who().whose("x@y.example", "U1")[0].startswith("I know nobody with the address x@y.example, and")
        assert who().whose("a b", "U1")[0].startswith("'a b' is no address and no login")

    def test_of_who_is_not_shown_only_that_is_said(self, who: Who, store: Store) -> None:
        store.said.say("hide", "hide", ["jdoe@acme.example"], "", "jane", AT)
        assert who().whose("jdoe@acme.example", "U1") == (
            "jdoe@acme.example asked not to be shown, so I tell nothing of their work.", None,
        )  # fmt: skip
        assert (
            who()
            .whose("jdoe@acme.example", "U2", "jdoe@acme.example")[0]
            .startswith("jdoe@acme.example is Jane Doe's: 1 commit signed with it.")
        )


class TestTheLog:
    def test_can_be_undone_by_whom_it_concerns_and_by_admins(self, who: Who, store: Store) -> None:
        store.said.say("address", "link", ["jane@home.example"], "jdoe@acme.example", "grace", AT, confirmed=True)
        store.said.say("slack", "link", ["U1"], "jdoe@acme.example", "U9", AT, confirmed=True)
        for user in ("U5", "U6"):
            with pytest.raises(AlmanacError, match="only whom it concerns"):
                who().undo("slack:2", user, "ada@example.com")
        assert who().undo("address:1", "U1") == "Undone: the link of jane@home.example (number 1)."
        assert who().undo("slack:2", "U5", is_admin=True) == (
            "Undone: 5 November 2025: <@U9> said that <@U1> is jdoe@acme.example."
        )
        assert who().person("U1") is None
        for key in ("slack:2", "slack:9", "nonsense"):
            with pytest.raises(AlmanacError, match="nothing to undo"):
                who().undo(key, "U5", is_admin=True)


class TestGuesses:
    @pytest.mark.parametrize(
        ("name", "profile", "guessed"),
        [
            ("Jane Doe", "", [("Jane Doe", "the same name")]),
            ("Jane", "", []),
            ("", "janed@new.example", [("jd", "their login is “janed”")]),
            ("", "doe@new.example", []),
            ("", "info@x.example", []),
        ],
    )
    def test_are_whoever_has_the_full_name_or_the_login_and_nobody_by_a_part_of_a_name_or_a_word_that_anybody_uses(
        self, who: Who, store: Store, name: str, profile: str, guessed: list[tuple[str, str]]
    ) -> None:
        store.commits.add(ENGINE, [commit("Open", author=somebody("Office", "1+info@users.noreply.github.com"))])
        assert [(one.name, why) for one, why, _ in who().proposals("U1", name, profile)] == guessed
