"""Who asks, where, and what they may read of there. Pure, and the only place that decides it; docs/privacy.md tells it.

Whatever goes to Slack is asked of `sight` first: it says what must be left out, whether nothing may be said at all,
and whether the answer is for the eyes of whoever asked. Where Slack does not say who somebody is or who reads a
channel, it is taken for the narrowest: what is in doubt is left out.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bot.ask.explain import Correctable
from bot.ask.proven import NOTHING_PROVEN, Proven
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.errors import AlmanacError
from bot.index.places import named, whereabouts
from bot.model import Person, Repository
from bot.month.addresses import plain, unaccented
from bot.settings import Settings
from bot.wording import sentence
from storage.people import SlackUser

log = logging.getLogger(__name__)

EVERYONE = "everyone"
# gone: deactivated, or a bot; unknown: Slack does not say at the moment
Standing = Literal["member", "guest", "stranger", "gone", "unknown"]
# direct: of the bot and one person; unknown: Slack does not say; absent: nothing can be posted there
Kind = Literal["direct", "group", "private", "public", "unknown", "absent"]
AboutOthers = Literal["everyone", "nobody"] | tuple[str, ...]

GUEST_REFUSED = "I answer only members of this workspace, and you are a guest here; an admin of mine can allow it."
STRANGER_REFUSED = "I answer only people of this workspace, and you are of another one; an admin of mine can allow it."
UNKNOWN_REFUSED = "Slack does not tell me who you are just now, so I cannot answer; ask again in a minute."
# Why nothing is shown in a channel: to whoever asks there, and of a digest that is to be posted there.
SHARED_REFUSED = "This channel is shared with another workspace, so I tell nothing here; ask me in a direct message."
SHARED_UNPOSTED = "the channel is shared with another workspace: see `shared_channels` in almanac.toml"
GUESTS_REFUSED = "There are guests in this channel, so I tell nothing here; ask me in a direct message."
GUESTS_UNPOSTED = "there are guests in the channel: see `guests` in almanac.toml"
READERS_REFUSED = "Slack does not tell me who can read this just now, so I tell nothing here; ask me directly."
READERS_UNPOSTED = "Slack does not say just now who can read the channel: it is tried again"
OTHERS_REFUSED = "Here people may ask only about themselves; ask me about your own month."
WHO_REFUSED = (
    "Here people may ask only about themselves, and I do not know for sure who you are in git; link yourself with "
    "/almanac link and your address in git."
)
SHARING_NOTHING = "There is nothing of this that I may show in the channel."
SHARING_REFUSED = "This cannot be shown in the channel: here, answers about others are only for whoever asks."

# Intents that tell nothing of anybody's work. Any other one does, those that are thought of later too.
_OF_NOBODY = frozenset({"help", "unknown", "schedule", "link"})
_OF_PEOPLE = frozenset({"month", "compare", "profile", "changes"})
_ID = re.compile(r"(?=.*\d)[CDGSUW][A-Z0-9]{2,}")  # of Slack: a channel's, a user's, a user group's
_WITH_ADDRESS = re.compile(r"[^<>]*<(?P<address>[^<>\s]+)>")


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks, as a user of Slack. What they may do rests on `proven`; `person` is only as whom they are shown.
    `groups` are their user groups, as S… and as @handle; `channels` those they are in, as C… and as #name, of the ones
    that settings name."""

    user: str
    proven: Proven = NOTHING_PROVEN
    person: Person | None = None
    groups: frozenset[str] = frozenset()
    channels: frozenset[str] = frozenset()
    standing: Standing = "unknown"


NOBODY = Reader("", standing="member")  # nobody in particular: a digest's reader, who is whoever reads the channel


@dataclass(frozen=True, slots=True)
class Place:
    """Where something will be read. None: not known."""

    channel: str
    name: str = ""
    kind: Kind = "unknown"
    shared: bool | None = False  # with another workspace, or with people of one
    guests: bool | None = False


HOME = Place("", kind="direct")  # what has no channel: the Home tab, its modals


@dataclass(frozen=True, slots=True)
class About:
    """Whom an answer tells of: these people, and others too where `others` says so."""

    people: tuple[Person, ...] = ()
    others: bool = False


@dataclass(frozen=True, slots=True)
class Guarded:
    """A repository that is not for everyone: the names it is indexed under, and who may read of it."""

    names: frozenset[str]
    audience: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AccessRules:
    """What the settings say, with the names of all repositories of the index."""

    every: frozenset[str] = frozenset()
    guarded: tuple[Guarded, ...] = ()
    guests: bool = False
    shared_channels: bool = False
    about_others: AboutOthers = "everyone"
    answers_about_others: Literal["channel", "asker"] = "channel"
    admins: tuple[str, ...] = ()

    @property
    def listed(self) -> frozenset[str]:
        """All that audiences list."""
        return frozenset(entry for one in self.guarded for entry in one.audience)

    @property
    def name_groups(self) -> bool:
        """Whether anything here may be a user group, so that it matters who is in which."""
        people = self.about_others if isinstance(self.about_others, tuple) else ()
        return any(may_be_group(entry) for entry in self.listed) or any(
            entry.startswith("@") or is_id(entry, "S") for entry in (*people, *self.admins)
        )


@dataclass(frozen=True, slots=True)
class Sight:
    """What follows: repositories to leave out, what to say in place of an answer, and whether what is said is to be
    shown to the asker alone. `hidden` is reckoned for those who will read it then."""

    hidden: frozenset[str] = frozenset()
    refused: str | None = None
    privately: bool = False


def sight(reader: Reader, place: Place, rules: AccessRules, about: About = About(), *, alone: bool = False) -> Sight:
    """What may be shown to a reader in a place. `alone`: nobody else will read it, wherever it is asked."""
    asked = bool(reader.user)
    alone = asked and (alone or place.kind == "direct")
    refused = _refused_about(about, reader, rules) if asked else None
    if not _is_let_in(reader, rules):
        refused = {"guest": GUEST_REFUSED, "stranger": STRANGER_REFUSED}.get(reader.standing, UNKNOWN_REFUSED)
    if refused:
        return Sight(rules.every, refused, privately=asked and not alone)
    privately = asked and not alone and rules.answers_about_others == "asker" and _tells_of_others(about, reader)
    if not alone and not privately:
        if place.kind == "absent":
            return Sight(rules.every)
        if why := _refused_in(place, rules):
            return Sight(rules.every, why[0] if asked else why[1], privately=asked)
    # What looks like an id is never held against a name, for anybody may call a channel c0123456789.
    here = {place.channel, f"#{place.name.casefold()}"} - {"", "#"}
    if alone or privately:
        here |= reader.channels
    hidden: set[str] = set()
    for one in rules.guarded:
        may_read = (alone or privately) and any(in_group(entry, reader.groups) for entry in one.audience)
        if not may_read and here.isdisjoint(map(channel_of, one.audience)):
            hidden |= one.names
    return Sight(frozenset(hidden), privately=privately)


def about(question: Question, people: Sequence[Person], authors: Sequence[Person] | None = None) -> About:
    """Whom the answer to a question tells of. Where several people have a name, it may be any of them.

    `people` is everybody in the index, and `authors` are those whose commits an `explain` means, where that is known.
    """
    if question.intent in _OF_NOBODY:
        offered = {one.question.people for one in question.choices if one.question.people}
        return About(others=len(offered) > 1)  # who of several is asked back with their addresses
    if question.intent == "explain":
        return About(tuple(authors), not authors) if authors is not None else About(others=True)
    if question.intent not in _OF_PEOPLE or not question.people or question.reviews:  # which others wrote
        return About(others=True)
    found, others = list[Person](), False
    for name in question.people:
        wanted = _bare(name)
        if "@" in wanted:
            meant = [one for one in people if wanted.lower() in one.addresses]
        else:
            full = unaccented(plain(wanted))
            meant = [one for one in people if unaccented(plain(one.name)) == full]
        found += meant
        others = others or not meant
    return About(tuple(dict.fromkeys(found)), others)


def may_correct(reader: Reader, addresses: Collection[str], rules: AccessRules) -> bool:
    """Whether a reader may correct what was written under some addresses: their own, or anybody's as an admin."""
    own = bool(addresses) and all(map(reader.proven.has, addresses))
    return _is_let_in(reader, rules) and (own or is_admin(reader, rules))


def is_admin(reader: Reader, rules: AccessRules) -> bool:
    """Whether the settings name a reader among the admins."""
    return reader.standing == "member" and _is_named(reader, rules.admins)


def channel_of(entry: str) -> str | None:
    """The channel that an entry of an audience may mean, as C… or as #name."""
    if is_id(entry):
        return entry if is_id(entry, "CDG") else None
    return None if entry.startswith("@") else f"#{entry.lstrip('#').casefold()}"


def may_be_group(entry: str) -> bool:
    """Whether an entry of an audience may mean a user group: @handle, handle, or S…"""
    return is_id(entry, "S") if is_id(entry) else not entry.startswith("#")


def is_id(entry: str, letters: str = "") -> bool:
    """Whether an entry is one of Slack's ids, of the kind that begins with one of these letters."""
    return bool(_ID.fullmatch(entry)) and (not letters or entry[0] in letters)


def in_group(entry: str, groups: Collection[str]) -> bool:
    """Whether an entry means one of somebody's user groups, which are held as S… and as @handle."""
    if is_id(entry):
        return entry in groups
    return f"@{entry.lstrip('@').casefold()}" in groups


def _is_let_in(reader: Reader, rules: AccessRules) -> bool:
    return {
        "member": True,
        "guest": rules.guests,
        "stranger": rules.shared_channels,
        "gone": False,
        "unknown": rules.guests and rules.shared_channels,  # whoever it is may
    }[reader.standing]


def _refused_in(place: Place, rules: AccessRules) -> tuple[str, str] | None:
    """Why nothing may be shown in a place that others read: to whoever asks there, and of a digest."""
    if place.shared and not rules.shared_channels:
        return SHARED_REFUSED, SHARED_UNPOSTED
    if place.guests and not rules.guests:
        return GUESTS_REFUSED, GUESTS_UNPOSTED
    unsure = place.kind == "unknown"
    may_be_shared, may_have_guests = unsure or place.shared is None, unsure or place.guests is None
    if (may_be_shared and not rules.shared_channels) or (may_have_guests and not rules.guests):
        return READERS_REFUSED, READERS_UNPOSTED
    return None


def _refused_about(about: About, reader: Reader, rules: AccessRules) -> str | None:
    if rules.about_others == "everyone" or not _tells_of_others(about, reader):
        return None
    if rules.about_others != "nobody" and _is_named(reader, rules.about_others):
        return None
    return OTHERS_REFUSED if reader.person and reader.proven.touches(reader.person) else WHO_REFUSED


def _tells_of_others(about: About, reader: Reader) -> bool:
    return about.others or not all(map(reader.proven.covers, about.people))


def _is_named(reader: Reader, listed: Iterable[str]) -> bool:
    """Whether a list of people names a reader: by id, by user group, by an address that is proven to be theirs, or by
    the name of their [[people]] table. What they are called in git or in Slack is for anybody to choose."""
    for entry in listed:
        if is_id(entry):
            if entry == reader.user or entry in reader.groups:
                return True
        elif entry.startswith("@"):
            if in_group(entry, reader.groups):
                return True
        elif reader.proven.is_called(_bare(entry)):
            return True
    return False


def _bare(name: str) -> str:
    """A name, or the address in it."""
    match = _WITH_ADDRESS.fullmatch(name)
    return match["address"] if match else name.strip()


NOBODYS = "Only the person concerned and admins can correct what is shown of a change."
UNSEEN = Sight(refused="")  # of whom nothing is asked yet
SORRY = "Something went wrong while I was answering; it is in my log. Please ask again."


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks, and where: `alone` where only they will read the answer."""

    user: str
    channel: str
    alone: bool = False


@dataclass(frozen=True, slots=True)
class RequestContext:
    """What a request is answered with, read once: who asks, what they may see there, and the index without the rest."""

    request: Request
    member: SlackUser
    reader: Reader
    place: Place
    rules: AccessRules
    sight: Sight
    queries: Queries

    def narrowed(self, meant: About) -> RequestContext:
        """The same where some people are asked about. Who may ask only about themselves is shown as what is proven to
        be theirs, lest they read others' commits as their own. Raises AccessRefused where nothing may be shown."""
        request, own = self.request, self.reader.proven
        seen = sight(self.reader, self.place, self.rules, meant, alone=request.alone)
        if seen.refused:
            raise AccessRefused(seen.refused, seen.privately)
        if seen == self.sight:
            return self
        reader = own if request.alone or seen.privately else NOTHING_PROVEN
        apart = () if self.may_ask_about_others else (own,)
        queries = replace(self.queries, hidden=seen.hidden, reader=reader, apart=apart)
        queries.indexed = self.queries.indexed
        return replace(self, sight=seen, queries=queries)

    @property
    def is_admin(self) -> bool:
        return is_admin(self.reader, self.rules)

    @property
    def may_ask_about_others(self) -> bool:
        return _refused_about(About(others=True), self.reader, self.rules) is None

    @property
    def called(self) -> str:
        """How whoever asks is named to others, wherever they read it: by almanac.toml, else as in Slack."""
        return self.reader.proven.name or self.member.name or self.reader.user

    def may_correct(self, question: Question) -> bool:
        """Whether they may correct anything of what is shown of everybody whom a question is about."""
        whom = about(question, self.queries.known.everyone)
        if whom.others:
            return False
        return all(
            any(may_correct(self.reader, [one.address], self.rules) for one in person.identities if one.address)
            for person in whom.people
        )

    def correctable(self, sha: str) -> Correctable:
        """The change that a commit belongs to: their own, by proven addresses, or anybody's as an admin. Raises
        AlmanacError where they may not correct it, or there is none."""
        one = self.queries.corrector().of(sha)
        if not may_correct(self.reader, one.addresses, self.rules):
            raise AlmanacError(NOBODYS)
        return one


class AccessRefused(Exception):
    """Nothing may be shown; its text is the sentence to say instead."""

    def __init__(self, words: str, privately: bool) -> None:
        super().__init__(words)
        self.privately = privately


def explained(error: Exception, what: str) -> str:
    """Why something was not done. `what` is what failed, for the log, which has what nobody is shown."""
    if isinstance(error, AccessRefused):
        return str(error)
    if isinstance(error, AlmanacError):
        if error.public_text != str(error):  # which says that the rest is in the log
            log.warning("%s: %s", what, error)
        return sentence(error.public_text)
    log.error("%s", what, exc_info=error)
    return SORRY


def rules_of(settings: Settings, indexed: Iterable[Repository]) -> AccessRules:
    """The rules, the only place where they are made. Of a repository the almanac.toml that is read here and what is
    kept in the index hold, and both where they differ; of one that is indexed twice, by place or by its newest commit,
    all that holds of either. Where almanac.toml lists repositories, nobody is shown another."""
    stored = list(indexed)
    every, listed = {one.name for one in stored}, frozenset[str]()
    said = [(frozenset({one.name}), one.audience or ()) for one in stored]
    for table, names in named(settings.repositories, stored):
        listed |= names
        said.append((names, table.lets_in))
    same = defaultdict[str, set[str]](set)
    for one in stored:
        for key in {whereabouts(one.location), one.tip or one.name}:
            same[key].add(one.name)
    alike = {one.name: same[whereabouts(one.location)] | same[one.tip or one.name] for one in stored}
    guarded = [
        Guarded(names.union(*(alike.get(name, ()) for name in names)), entries)
        for names, audience in said
        for entries in audience
    ]
    if guarded:  # whether it has commits of one of these is known of another only once it is read to its end
        unread = {one.name for one in stored if one.audience is None and not one.tip}
        guarded.append(Guarded(frozenset(unread - listed), ()))
    if settings.repositories:
        guarded.append(Guarded(frozenset(every - listed), ()))
    privacy = settings.privacy
    others = privacy.about_others
    return AccessRules(
        every=listed.union(every),
        guarded=tuple(guarded),
        guests=privacy.guests,
        shared_channels=privacy.shared_channels,
        about_others=tuple(others) if isinstance(others, list) else others,
        answers_about_others=privacy.answers_about_others,
        admins=tuple(privacy.admins),
    )


def hidden_in(channel: str, settings: Settings, indexed: Iterable[Repository]) -> frozenset[str]:
    """The names of the repositories that are left out in a channel, by name or id, where Slack is not asked who reads
    it: for what is printed at a terminal."""
    place = Place(channel, kind="public") if is_id(channel) else Place("", channel.lstrip("#"), "public")
    return sight(NOBODY, place, rules_of(settings, indexed)).hidden
