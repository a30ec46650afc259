"""Which identities are one person's, by rules in order: of two that contradict each other the earlier one holds. Pure.

1. almanac.toml: a [[people]] table has its addresses, and GitHub's noreply addresses of its logins. No other rule
   ever puts two tables together.
2. What people linked or unlinked by hand. An address that was unlinked is joined by the rules below no more. A login
   joins no addresses: it is its person's, and no account of GitHub makes it somebody else's.
3. The .mailmap of a repository, for the commits of that repository.
4. GitHub's noreply addresses: of one account, known by its id, or by its login where that login has but one id.
5. Full names, as `git shortlog` counts: the weakest. Those who sign most of their commits with one and the same, of two
   words or more, are treated as one person; case, accents and the order of "Last, First" make no difference. If
   anything speaks against it for two of a name (`_Namesakes`), nobody of that name is put together. Where a word of it
   is among the world's most frequent, it joins only those who have a repository in common, or what stands before their
   @. Machines, placeholders such as "Your Name", and names that more than MOST_NAMESAKES sign with are nobody's.
6. Logins: who signs with one word, and else only with the same full names, is whose login that is, or whose full name
   it is without spaces; and of one name is who has for a login what stands before the other's @. A name of one word
   that is written as no given name is (ChickenBenny, andig), and is in nobody's full name, counts as a login, and as a
   full name. Where that could be several, nobody is; a login that many may have, or that is a word of its owner's full
   name, is nobody's; they have something in common, and nothing speaks against it, as above.

Without a rule, one address is one person, whatever name stands beside it. Each identity keeps the rule `by` which it is
whose it is, in a few words, and who is one by a name or a login is known in `parts`.

All of this is for telling. What somebody may do never rests on it: see `bot.ask.proven`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING

from bot.model import Identity, Person, Said
from bot.month.addresses import HandLinks, PeopleTables, account, noreply_login, plain, unaccented

if TYPE_CHECKING:
    from bot.settings import PersonSettings


# --- .mailmap: whose a name with an address is, exactly as git says it, from gitmailmap(5) and git's mailmap.c. Names
# and addresses are compared without regard to the case of ASCII letters; a line that cannot be read is no line; of two
# lines about the same, what the later one says counts; and what a line gives is final, so that a circle is only two
# people who have changed places.

MOST_CHARACTERS = 1 << 20  # of one file; git's own has 18,000, Linux's 60,000
_SPACE = " \t\n\r"  # what git takes for space


@dataclass(frozen=True, slots=True)
class Proper:
    """The name and address that are to stand for somebody's; None where theirs stays."""

    name: str | None
    address: str | None


class Mailmap:
    """One file. Any text is a mailmap; what git could not read in it says nothing."""

    def __init__(self, text: str) -> None:
        # What is said of an address, and of it beside a name: for whoever else uses it the name is None.
        self._said: dict[tuple[str, str | None], Proper] = {}
        for line in text[:MOST_CHARACTERS].partition("\0")[0].split("\n"):
            if not line.startswith("#"):
                self._read(line)

    def proper(self, name: str, address: str) -> Proper | None:
        """What the file says of a name with an address; None where it says nothing."""
        at = folded(address)
        return self._said.get((at, folded(name))) or self._said.get((at, None))

    def mapped(self, name: str, address: str) -> tuple[str, str]:
        """The name and the address as `git check-mailmap` gives them."""
        found = self.proper(name, address)
        return (found.name or name, found.address or address) if found else (name, address)

    def _read(self, line: str) -> None:
        first = _name_and_address(line)
        if first is None or not first[1]:
            return
        new_name, new_address, rest = first
        second = _name_and_address(rest)
        old_name, old_address, _ = second or (None, None, "")
        if old_address is None:  # "Proper Name <address>": only the name is to be another
            old_address, new_address = new_address, ""
        key = folded(old_address), old_name and folded(old_name)
        before = self._said.get(key) if old_name is None else None
        name = new_name or (before.name if before else None)
        address = new_address or (before.address if before else None)
        if name or address:
            self._said[key] = Proper(name, address)


Counted = Callable[[Sequence[Identity]], Mapping[tuple[str, str], Mapping[str, int]]]


class Mailmaps:
    """The files of several repositories, by the repository's name. Each says how the commits of its own repository are
    shown, and nothing of any other: whoever can commit can write one."""

    def __init__(self, texts: Mapping[str, str] = MappingProxyType({})) -> None:
        self._of = {repository: Mailmap(text) for repository, text in texts.items()}

    def __bool__(self) -> bool:
        return bool(self._of)

    @property
    def repositories(self) -> tuple[str, ...]:
        """Those that have a file."""
        return tuple(self._of)

    def proper(self, name: str, address: str, repository: str) -> Proper | None:
        """What is said of a name with an address in the commits of a repository; None where nothing is."""
        file = self._of.get(repository)
        return file.proper(name, address) if file else None

    def split(self, identities: Iterable[Identity], counted: Counted) -> list[Identity]:
        """The identities, those of which a file speaks in two: of the commits of its repository, and of all others.
        `counted` says how many commits some identities have in each repository, by name and address."""
        every = [(one, [each for each in self._of if self.proper(one.name, one.address, each)]) for one in identities]
        spoken_of = [one for one, files in every if files]
        many, found = counted(spoken_of) if spoken_of else {}, list[Identity]()
        for one, files in every:
            commits = many.get((one.name, one.address), {})
            here = [repository for repository in files if commits.get(repository)]
            for repository in here:
                proper = self._of[repository].mapped(one.name, one.address)[1]
                moved = folded(proper) != folded(one.address)
                found.append(Identity(one.name, one.address, commits[repository], only=repository, moved=moved))
            left = one.commits - sum(commits[repository] for repository in here)
            found.append(replace(one, commits=left, but=tuple(here)) if here else one)
        return [one for one in found if one.commits > 0]


def folded(text: str) -> str:
    """In small letters as far as ASCII goes, which is how git compares."""
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def _name_and_address(text: str) -> tuple[str | None, str, str] | None:
    """The first name, address, and what follows them; None where there is no address."""
    left = text.find("<")
    right = text.find(">", left + 1)
    if left < 0 or right < 0:
        return None
    return text[:left].strip(_SPACE) or None, text[left + 1 : right], text[right + 1 :]


# --- the rules

BY_TOML, BY_HAND = "almanac.toml", "linked by hand"
# An address as it is written, and the proper one that a .mailmap puts in its place; of who has none, the name.
_Node = tuple[str, str]


class JoinRules(PeopleTables):
    """The first four rules, ready to be applied. `links` is the log in its order."""

    def __init__(
        self, named: Sequence[PersonSettings] = (), links: Iterable[Said] = (), mailmaps: Mailmaps | None = None
    ) -> None:
        super().__init__(named)
        log = list(links)
        self.hand = HandLinks(log)
        # What of it was said by an admin, or at the command line.
        self.sure = HandLinks(one for one in log if one.confirmed or one.action == "unlink")
        self.mailmaps = mailmaps or Mailmaps()
        self._by_hand: dict[str, list[str]] = {}  # logins, by an address of whose they are
        for login, address in self.hand.logins.items():
            if login not in self.logins:
                self._by_hand.setdefault(address, []).append(login)

    def joined(self, identities: Iterable[Identity]) -> list[Person]:
        """The people behind the identities; nobody without one. Costs a few microseconds an identity."""
        return [self.person(some) for some in _Forest(self, identities).trees()]

    def table(self, person: Person) -> int | None:
        """The number of the table that is somebody's."""
        if not (self.tables or self.logins):
            return None
        tables = (self.table_of(plain(one.address)) for one in person.identities)
        return next((table for table in tables if table is not None), None)

    def proper(self, identity: Identity) -> Proper | None:
        """What the .mailmap that an identity is `only` of puts in its place."""
        if not identity.only or plain(identity.address) in self.hand.alone:
            return None
        return self.mailmaps.proper(identity.name, identity.address, identity.only)

    def person(self, identities: Sequence[Identity], parts: tuple[Person, ...] = ()) -> Person:
        """Somebody with all that is theirs. An identity without a name or commits is an address that they are known to
        have. They are called as their table says, or as most of their commits; who is one with a login is called by
        their full name."""
        own = list(identities)
        if len(own) > 1:
            own.sort(key=lambda one: (-one.commits, not one.name, one.name, one.address, one.only))
        person = Person("", tuple(own), parts=parts)
        number = self.table(person)
        table = self.named[number] if number is not None else None
        logins = dict.fromkeys(table.logins if table else ())
        # What is somebody's in one repository alone, by its .mailmap, has no login: whoever has it anywhere has.
        for one in own if self._by_hand else ():
            if not one.only:
                logins |= dict.fromkeys(self._by_hand.get(plain(one.address), ()))
        known = {plain(login) for login in logins}.union(self.hand.logins)
        for one in own:
            if (login := noreply_login(one.address)) and plain(login) not in known:
                logins[login] = None
        name = table.name if table else self._usual_name(person) or own[0].address.strip() or "(no name)"
        more = (tuple(table.nicknames), table.slack) if table else ((), None)
        return Person(name, person.identities, tuple(logins), *more, parts=parts)

    def _usual_name(self, person: Person) -> str:
        if len(person.identities) == 1 and not person.identities[0].only:
            return person.identities[0].name.strip()
        commits: Counter[str] = Counter()
        for one in person.identities:
            proper = self.proper(one)
            commits[((proper.name if proper else None) or one.name).strip()] += one.commits
        full = {part.name for part in person.parts if " " in part.name}
        return min(full or filter(None, commits), key=lambda name: (-commits[name], name), default="")

    def one_by_name(self, parts: Sequence[Person]) -> Person:
        """Those who are one by a name or a login alone; the others of them are put to the first."""
        first, *others = parts
        if not others:
            return first
        names = {full_name(one.name) for one in first.identities}
        identities = list(first.identities)
        for part in others:
            shared = {full_name(one.name) for one in part.identities} & names - {""}
            by = f"its {'name' if shared else 'login'}, as that of {next(iter(first.addresses), first.name)}"
            identities += [replace(one, by=by) for one in part.identities]
        return self.person(identities, tuple(parts))

    def sides(self, person: Person, inside: Callable[[str], bool]) -> tuple[Person | None, Person | None]:
        """Somebody in two, by address: who is outside, and who is inside. An address without commits goes with the
        others."""
        sides: tuple[list[Person], list[Person]] = ([], [])
        for part in person.parts or (person,):
            signed = [one for one in part.identities if _is_signed(one)] or part.identities
            found = {inside(one.address) for one in signed}
            for side in found if len(found) > 1 else ():
                sides[side].append(self.person([one for one in part.identities if inside(one.address) is side]))
            if len(found) == 1:
                sides[found.pop()].append(part)
        if all(sides):
            return self.one_by_name(sides[False]), self.one_by_name(sides[True])
        return (None, person) if sides[True] else (person, None)

    def sure_of(self, addresses: Iterable[str]) -> Callable[[str], bool]:
        """Which addresses are, beyond what anybody could say, of those who have some: by almanac.toml, by links that
        an admin confirmed, or as the same account of GitHub."""
        known = self.sure.linked(map(plain, addresses))
        tables = {table for one in known if (table := self.table_of(one)) is not None}
        accounts = {each for one in known if (found := account(one)) for each in (found.id, plain(found.login)) if each}

        def is_theirs(address: str) -> bool:
            raw = plain(address)
            if (table := self.table_of(raw)) is not None or raw in known:
                return raw in known or table in tables
            return (found := account(raw)) is not None and not accounts.isdisjoint((found.id, plain(found.login)))

        return is_theirs


def _is_signed(one: Identity) -> bool:
    """Whether it stands in a commit, and is not only known to be somebody's."""
    return bool(one.commits or one.name)


class _Forest:
    """What the rules put together, as union-find over nodes. By each rule the nodes of one key are one person's, unless
    they are of two tables."""

    def __init__(self, rules: JoinRules, identities: Iterable[Identity]) -> None:
        self._rules, self._alone = rules, rules.hand.alone
        self._nodes: dict[_Node, list[Identity]] = {}
        self._at: dict[str, list[_Node]] = {}  # all that have an address as it is written
        self._parent: dict[_Node, _Node] = {}
        self._table: dict[_Node, int] = {}  # of the root of a tree
        self._why: dict[_Node, str] = {}
        for one in sorted(identities, key=lambda one: (one.name, one.address, one.only)):  # always in one order
            self._take(one)
        propers = (proper for raw, proper in self._nodes if raw != proper and proper[:1] not in ("", "\0"))
        for address in [*filter(None, rules.tables), *propers]:
            self._whose(address)
        self._by_tables()
        self._by_hand()
        if rules.mailmaps:
            self._by_mailmap()
        self._by_accounts()

    def _take(self, one: Identity) -> None:
        raw, proper = plain(one.address), self._rules.proper(one) if one.only else None
        at = plain(proper.address) if proper and proper.address else raw
        if proper and at != raw:
            one = replace(one, by=f".mailmap: {proper.name or one.name} <{proper.address}>")
        elif not raw:
            at, one = f"\0{one.name}", replace(one, by="its name, for want of an address")
        self._node(raw, at).append(one)

    def _node(self, raw: str, proper: str) -> list[Identity]:
        node = raw, proper
        if node not in self._nodes:
            self._nodes[node], self._parent[node] = [], node
            self._at.setdefault(raw, []).append(node)
        return self._nodes[node]

    def _whose(self, address: str) -> _Node | None:
        """The node of an address; None where it is shown as several people's, and nobody's else."""
        if address not in self._at:
            self._node(address, address)
        own, at = (address, address), self._at[address]
        return own if own in self._nodes else at[0] if len(at) == 1 else None

    # --- the rules

    def _by_tables(self) -> None:
        if self._rules.named:
            tables = {node: table for node in self._nodes if (table := self._rules.table_of(node[0])) is not None}
            self._table |= tables
            self._why |= dict.fromkeys(tables, BY_TOML)
            self._unite(tables.items())

    def _by_hand(self) -> None:
        sets = self._rules.hand.together
        linked = [(self._whose(address), number) for number, some in enumerate(sets) for address in some]
        self._unite((node, number) for node, number in linked if node)
        for address in self._alone.union(*sets):
            for node in self._at.get(address, ()):
                self._why.setdefault(node, BY_HAND)

    def _by_mailmap(self) -> None:
        nodes = [node for node in self._nodes if node[0] not in self._alone]
        nodes.sort(key=lambda node: node[0] != node[1])  # whose own address it is comes first
        self._unite((node, node[1]) for node in nodes)

    def _by_accounts(self) -> None:
        accounts = {node: found for node in self._nodes if (found := account(node[0]))}
        ids: dict[str, set[str]] = {}
        for node, found in accounts.items():
            if node[0] == node[1]:
                self._why.setdefault(node, f"the GitHub account {found.login}")
            if found.id and node[0] not in self._alone:
                ids.setdefault(plain(found.login), set()).add(found.id)
        having = [
            (node, found.id, plain(found.login)) for node, found in accounts.items() if node[0] not in self._alone
        ]
        self._unite((node, number) for node, number, _ in having if number)
        # A login of two ids has changed hands.
        self._unite((node, login) for node, _, login in having if len(ids.get(login, ())) < 2)

    # --- the forest

    def _root(self, node: _Node) -> _Node:
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def _unite(self, keyed: Iterable[tuple[_Node, object]]) -> None:
        """Put the trees of the nodes of each key to that of the first of them, but for those of another table."""
        first: dict[object, _Node] = {}
        for node, key in keyed:
            one, other = self._root(first.setdefault(key, node)), self._root(node)
            tables = {self._table[root] for root in (one, other) if root in self._table}
            if one != other and len(tables) < 2:
                self._parent[other] = one
                if tables:
                    self._table[one] = tables.pop()

    def trees(self) -> Iterable[list[Identity]]:
        """What each tree with an identity has; an address that no identity has is one without a name."""
        found, signed = dict[_Node, list[Identity]](), set[_Node]()
        for node, identities in self._nodes.items():
            root, why = self._root(node), self._why.get(node)
            if identities:
                signed.add(root)
            own = identities or ([Identity("", node[0])] if node[0] else [])
            found.setdefault(root, []).extend([replace(one, by=why) for one in own] if why else own)
        return (some for root, some in found.items() if root in signed)


# --- full names and logins

# Words by which nobody is told apart from others, of addresses and of names; and names that are nobody's.
_PUBLIC = (
    "gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com mac.com "
    "aol.com gmx.de gmx.net gmx.com web.de t-online.de mail.ru yandex.ru yandex.com proton.me protonmail.com pm.me "
    "fastmail.com fastmail.fm hey.com zoho.com qq.com vip.qq.com foxmail.com 163.com 126.com yeah.net sina.com "
    "naver.com daum.net hanmail.net rediffmail.com orange.fr free.fr laposte.net wanadoo.fr libero.it seznam.cz "
    "wp.pl mailbox.org posteo.de tutanota.com duck.com users.noreply.github.com users.noreply.gitlab.com "
    "noreply.github.com localhost localhost.localdomain alumni.cmu.edu apache.org debian.org kernel.org python.org "
    "acm.org ieee.org"
)
_EVERYBODYS = (
    "admin anonymous author code contact contato dev developer email git github gitlab guest hello hi info mail me "
    "name nobody none noreply no-reply root student test ubuntu unknown user username work"
)
_COMMON = (
    "wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he lin gao luo zheng liang xie tang han cao "
    "deng feng xiao cheng yuan lu jiang cai jia ding wei xue ye yan yu pan du dai xia fan fang shi yao tan liao zou "
    "xiong jin kim lee park choi jung kang cho yoon jang lim nguyen tran le pham hoang phan vu dang bui do ho ngo "
    "duong singh kumar sharma patel gupta khan shah das reddy rao jain mehta verma mishra agarwal ali ahmed hussain "
    "mohammed muhammad mohamed smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez "
    "lopez gonzalez wilson anderson thomas taylor moore jackson martin thompson white harris clark lewis robinson "
    "walker young allen king wright scott torres hill green adams nelson baker hall rivera campbell mitchell carter "
    "roberts silva santos oliveira souza pereira costa ferreira muller schmidt schneider fischer weber meyer wagner "
    "becker ivanov petrov kuznetsov smirnov sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi "
    "rossi russo ferrari cohen levy james john robert michael william david richard joseph charles chris christopher "
    "daniel matthew anthony mark steven stephen paul andrew joshua kevin brian george edward jason jeffrey ryan "
    "jacob eric jonathan justin brandon benjamin ben samuel sam alex alexander max tim tom peter frank jack mary "
    "patricia jennifer linda elizabeth susan jessica sarah karen lisa nancy anna maria laura emily emma julia sandra "
    "kate jane jose juan carlos luis pedro antonio manuel ivan dmitry sergey andrei alexey mohamad amit rahul raj "
    "vijay sanjay ravi arun ankit jun wei jian ming hao yi ying xin tao bin bo fei hui jie jing lei min ning peng "
    "ping qiang rui ting xiang yong yuki hiroshi kenji takashi"
)
_PLACEHOLDERS = (
    "your name, your full name, full name, first last, firstname lastname, first name, last name, user name, "
    "john doe, jane doe, foo bar, test user, test account, test test, example user, some one, unknown user, "
    "unknown author, unknown unknown, no name, no author, not committed yet, root user, super user, system user, "
    "system administrator, local user, default user, git user, github user, git hub, git lab, github actions, "
    "github action, gitlab ci, travis ci, circle ci, jenkins ci, azure pipelines, continuous integration, "
    "build server, build user, ci user, ci bot, vagrant user, ubuntu user, docker user, code space, vs code, "
    "visual studio code, mac book, mac book air, mac book pro, macbook air, macbook pro"
)

# Domains where anybody gets an address, or many people of no common organisation do.
PUBLIC = frozenset(_PUBLIC.split())
# What may stand before the @ of anybody's address.
EVERYBODYS = frozenset(_EVERYBODYS.split())
# Words of names that many people share: the most frequent family and given names of the world.
COMMON = frozenset(_COMMON.split())
# What tools, and people in a hurry, sign with where a full name should stand.
PLACEHOLDERS = frozenset(_PLACEHOLDERS.split(", "))

SHARE = 10  # of how many commits of an address one must be under a full name, beside those under a login
SHORTEST_HANDLE = 6  # letters of a name of one word by which somebody is found,
SHORTEST_SMALL = 5  # and of one in small letters
MOST_NAMESAKES = 30  # under one name; more of them are a placeholder's, such as “Your Name”

_HANDLE = re.compile(r"[a-z][A-Z]|[A-Za-z]\d|\w[-_.]\w")
_WORDS = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")  # "Mac", "Book" and "Pro" of MacBook-Pro
_FAMILY = re.compile(r"(?:Mc|Mac|De|Di|Du|La|Le|Van|Von|O')[A-Z][a-z]+$")  # McDonald is nobody's handle

IsMachine = Callable[[str, str], bool]  # of a name and an address
# Of identities: the repositories in which each has commits, by name and address.
Places = Callable[[Sequence[Identity]], Mapping[tuple[str, str], frozenset[str]]]


def full_name(name: str) -> str:
    """A full name of two words or more as it is compared; empty for any other, for initials with a word, and for what
    is nobody's."""
    last, _, first = name.partition(",")
    if first.strip() and "," not in first:
        name = f"{first} {last}"
    compared = plain(unaccented(plain(name)))
    words = [word for word in compared.split() if len(word.strip(".")) > 1 or not word.isascii()]
    return compared if len(words) > 1 and compared not in PLACEHOLDERS else ""


def _handle(name: str) -> str:
    """A name of one word as it is compared that no two people have by chance, since it is written as no given name is:
    with a capital inside, a digit or a sign, as ChickenBenny is, or all in small letters; empty for any other."""
    compared, words = plain(name), [word.casefold() for word in _WORDS.findall(name)]
    is_nobodys = EVERYBODYS.issuperset(words) or " ".join(words) in PLACEHOLDERS
    if " " in compared or is_nobodys or _FAMILY.match(name):
        return ""
    if name.isascii() and name.isalpha() and name.islower() and len(name) >= SHORTEST_SMALL:
        is_pinyin = any(name[:n] in COMMON and name[n:] in COMMON for n in range(2, len(name) - 1))  # as hujie
        return "" if is_pinyin or name in COMMON or name in _given_names() else compared
    return compared if len(name) >= SHORTEST_HANDLE and _HANDLE.search(name) else ""


@cache
def _given_names() -> frozenset[str]:
    """The given names of five letters and more that are frequent in Europe, India and the Americas."""
    return frozenset(resources.files("bot.month").joinpath("given_names.txt").read_text("utf-8").split())


def joined_by_name(
    people: Sequence[Person], rules: JoinRules, users: Mapping[str, str], is_machine: IsMachine, places: Places
) -> list[Person]:
    """The people, by the last two rules. `users` tells the users of Slack by their addresses, as they are compared.
    Costs some forty microseconds for each of the people, and `places` of a few."""
    namesakes = _Namesakes(people, rules, users, is_machine, places)
    called: dict[str, list[int]] = {}
    for number, names in enumerate(namesakes.full):
        for name in dict.fromkeys((*names, *sorted(namesakes.handles(number)))):
            called.setdefault(name, []).append(number)
    few = {name: some for name, some in called.items() if 1 < len(some) <= MOST_NAMESAKES}
    rare = {name: some for name, some in few.items() if " " in name and COMMON.isdisjoint(name.split())}
    namesakes.unite(rare.items(), is_enough=True)
    namesakes.unite((name, some) for name, some in few.items() if name not in rare)
    namesakes.unite(namesakes.by_login())
    return namesakes.people()


class _Namesakes:
    """People by number, those of one name in one group. Machines are in none, nor are two of whom anything says that
    they are two: two tables of almanac.toml; what was said by hand; two accounts of GitHub, or two users of Slack; two
    addresses at one place of work, where each word of the name is among the world's most frequent."""

    def __init__(
        self,
        people: Sequence[Person],
        rules: JoinRules,
        users: Mapping[str, str],
        is_machine: IsMachine,
        places: Places,
    ) -> None:
        self._people, self._rules, self._users, self._is_machine = people, rules, users, is_machine
        self._places = places
        self._group: dict[int, list[int]] = {}
        alone = rules.hand.alone  # what a .mailmap calls theirs, or was unlinked, speaks for nothing
        self._own = [
            [each for each in one.identities if not each.moved and plain(each.address) not in alone] for one in people
        ]
        self.full = [self._names(number) for number in range(len(people))]
        every = {full_name(each.name) for one in people for each in one.identities if " " in each.name}
        parts = {word for name in every for word in name.split()}  # of full names, which are no handles
        self._handles = [
            {one.name: word for one in some if (word := _handle(one.name)) and word not in parts} for some in self._own
        ]

    def _names(self, number: int) -> list[str]:
        """The full names by which somebody may be found to be one with others: of each address the most used one,
        unless it was on it once, and that of their table."""
        of_address: dict[str, Counter[str]] = {}
        for one in self._own[number]:
            if one.address and _is_signed(one):
                of_address.setdefault(plain(one.address), Counter())[full_name(one.name)] += one.commits
        found = []
        for names in of_address.values():
            name = min(filter(None, names), key=lambda name: (-names[name], name), default="")
            found += [name] if SHARE * names[name] >= names.total() else []
        if (table := self._rules.table(self._people[number])) is not None:
            found.append(full_name(self._rules.named[table].name))
        return list(dict.fromkeys(filter(None, found)))

    def handles(self, number: int) -> set[str]:
        """The names of one word that nobody else has by chance, on a tenth of their commits."""
        named, total = self._handles[number], self._people[number].commits
        return {named[one.name] for one in self._own[number] if one.name in named and SHARE * one.commits >= total}

    def by_login(self) -> Iterator[tuple[str, Sequence[int]]]:
        """Who is likely one with somebody else by a login, and by which name."""
        names = [{plain(one.name) for one in some if one.name} for some in self._own]
        logins = [self._logins(number, some) for number, some in enumerate(names)]
        having: dict[str, list[int]] = {}  # a login, or a full name without spaces
        for number, theirs in enumerate(logins):
            whole = {name.replace(" ", "") for name in self.full[number] if not COMMON.issuperset(name.split())}
            for word in theirs | whole:
                having.setdefault(word, []).append(number)
        for number, own in enumerate(names):
            addresses = {plain(one.address) for one in self._own[number] if _is_signed(one)}
            refused = {login for login, address in self._rules.hand.not_theirs if address in addresses}
            spaced, others = {name for name in own if " " in name}, dict[int, str]()
            for at in sorted({one.partition("@")[0] for one in addresses} - refused):
                for other in having.get(at, ()):
                    shared = own & names[other] if at in logins[other] else ()
                    if name := max((one for one in shared if " " not in one or full_name(one)), default=""):
                        others[other] = name
            for name in sorted(own - spaced):  # who signs with more than that is whose full names these are
                for other in having.get(unaccented(name), ()) if unaccented(name) not in refused else ():
                    if spaced <= names[other]:
                        others[other] = name
            others.pop(number, None)
            if len({self._first(other) for other in others}) == 1:
                other, name = next(iter(others.items()))
                yield name, (number, other)

    def _logins(self, number: int, names: Iterable[str]) -> set[str]:
        """The logins by which somebody may be found: not those of others' accounts that a .mailmap calls theirs, nor
        such as many people may have; and the names of one word that nobody else has by chance."""
        person, own = self._people[number], self._own[number]
        logins = {plain(login) for login in person.logins}
        if logins:
            every, signed = ({noreply_login(one.address) or "" for one in some} for some in (person.identities, own))
            logins -= set(map(plain, every - signed))
            logins -= COMMON.union(*(name.split() for name in (*self.full[number], *names) if " " in name))
        return {login for login in logins.union(self._handles[number].values()) if _is_telling(login)}

    def unite(self, named: Iterable[tuple[str, Sequence[int]]], *, is_enough: bool = False) -> None:
        """Put those of each name together; unless that `is_enough`, only those who have something in common."""
        every = [(name, [one for one in numbers if not self._has_machine(one)]) for name, numbers in named]
        wanted = [(name, numbers) for name, numbers in every if len(numbers) > 1]
        where = {} if is_enough else self._places([one for _, some in wanted for n in some for one in self._signed(n)])
        for name, numbers in wanted:
            if not self._speaks_against(name, self._with_theirs(numbers)):
                for some in [numbers] if is_enough else self._connected(numbers, where):
                    members = self._with_theirs(some)
                    self._group |= dict.fromkeys(members, members)

    def people(self) -> list[Person]:
        """Each group as one person. The part that the others are put to comes first: that of almanac.toml, then one
        with an address, then whoever has most commits."""
        rules, firsts = self._rules, [number for number in range(len(self._people)) if self._first(number) == number]

        def weight(one: Person) -> tuple[bool, bool, int, str]:
            return (
                rules.table(one) is None,
                not one.addresses,
                -one.commits,
                min(each.address for each in one.identities),
            )

        groups = [[self._people[each] for each in self._group.get(number, (number,))] for number in firsts]
        return [rules.one_by_name(sorted(some, key=weight)) if len(some) > 1 else some[0] for some in groups]

    def _first(self, number: int) -> int:
        """The number by which a group is told from others."""
        return self._group.get(number, (number,))[0]

    def _signed(self, number: int) -> list[Identity]:
        return [one for one in self._people[number].identities if _is_signed(one)]

    def _has_machine(self, number: int) -> bool:
        return any(self._is_machine(one.name, one.address) for one in self._signed(number))

    def _with_theirs(self, numbers: Iterable[int]) -> list[int]:
        return list(dict.fromkeys(each for one in numbers for each in self._group.get(one, (one,))))

    def _addresses(self, number: int) -> set[str]:
        """All that are theirs by more than a .mailmap, as they are compared."""
        return {plain(one.address) for one in self._people[number].identities if not one.moved}

    def _speaks_against(self, name: str, members: Sequence[int]) -> bool:
        """Whether any two of the members are known to be two people."""
        theirs = [self._addresses(number) for number in members]
        tables = [table for number in members if (table := self._rules.table(self._people[number])) is not None]
        if len(tables) > 1 or sum(any(map(account, each)) for each in theirs) > 1:
            return True
        users = [
            {slack} if (slack := self._people[number].slack) else set(filter(None, map(self._users.get, each)))
            for number, each in zip(members, theirs, strict=True)
        ]
        if any(a.isdisjoint(b) for a, b in combinations(filter(None, users), 2)):
            return True
        domains = [{address.partition("@")[2] for address in each} - PUBLIC - {""} for each in theirs]
        if COMMON.issuperset(name.split()) and not all(a.isdisjoint(b) for a, b in combinations(domains, 2)):
            return True
        owner = {address: number for number, each in enumerate(theirs) for address in each}
        return any(owner.get(a, -1) != owner.get(b, -1) for a, b in self._rules.hand.apart if a in owner and b in owner)

    def _connected(
        self, numbers: Sequence[int], where: Mapping[tuple[str, str], frozenset[str]]
    ) -> Iterator[list[int]]:
        """Those of them who are connected by what they have in common: repositories, and what stands before their @."""
        groups: list[tuple[set[str], list[int]]] = []
        for number in numbers:
            marks, members = set[str](), [number]
            for one in self._people[number].identities:
                marks |= where.get((one.name, one.address), frozenset()) if not one.moved else frozenset()
            for address in self._addresses(number):
                word = plain(found.login) if (found := account(address)) else address.partition("@")[0]
                marks |= {f"{word}@"} if _is_telling(word) else set()
            for group in [one for one in groups if not one[0].isdisjoint(marks)]:
                groups.remove(group)
                marks, members = marks | group[0], group[1] + members
            groups.append((marks, members))
        return (sorted(members) for _, members in groups)


def _is_telling(word: str) -> bool:
    """Whether few have a word before the @ of their addresses, or for a login."""
    return len(word) > 2 and word not in EVERYBODYS
