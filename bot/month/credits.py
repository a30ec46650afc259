"""Whom the trailers of a message name, and which authors and trailers are machines and no people. Pure.

BOTS and TOOLS are the patterns that count unless almanac.toml has others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from fnmatch import translate
from functools import cached_property, lru_cache

from bot.model import Credited, Identity, Person, Role
from bot.month.addresses import account, login_of, plain
from bot.month.common_words import EVERYBODYS
from bot.month.joining import Places
from bot.month.mailmap import Mailmaps

MOST_CREDITS = 500  # of one commit; a squashed release may name a hundred people, only mischief more
_LONGEST = 300  # characters of what stands behind "by:"
_ROLES: dict[str, Role] = {
    "authored": "coauthor", "developed": "coauthor", "reviewed": "reviewer", "suggested": "suggester",
    "reported": "reporter", "tested": "tester", "helped": "helper",
}  # fmt: skip
_CREDIT = re.compile(
    r"(?:co-?(?P<co>authored|developed)|(?P<did>reviewed|suggested|reported|tested|helped))(?P<gap>[- ])by:(?P<who>.*)",
    re.IGNORECASE,
)
# What else stands in a block of trailers: other trailers, what they are continued with, and notes of a maintainer.
_IN_BLOCK = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9-]*(?: [A-Za-z0-9-]+){0,2}[ \t]*:(?!//)|[ \t]+\S|\(cherry picked from |\[.*\]$"
)
_ADDRESSED = re.compile(r"(?P<name>[^<>]*)<(?P<address>[^<>]*)>")
_BARE_ADDRESS = re.compile(r"[^\s@<>,]+@[^\s@<>,.]+\.[^\s@<>,]+")
_BETWEEN = re.compile(r"(?<=>)\s*[,;]\s*")


def credits_of(body: str) -> tuple[Credited, ...]:
    """Whom the trailers of a commit's body name, in order, each once a role, exactly as written.

    Read are lines in a block of trailers, wherever in the body that stands: histories that squash put several of
    them into one body. In a paragraph that begins with prose, the trailers at its end count if they give an address.
    `Reviewed By: ada, grace`, as Phabricator writes it, counts wherever a line begins so; its groups (`#infra`) are
    nobody. Lines within ``` are code. Nobody is resolved here: see `bot.month.credits.Resolver`.
    """
    if "by:" not in body and "By:" not in body and "BY:" not in body:  # as most; quicker than any other way to see it
        return ()
    found: dict[tuple[str, str], Credited] = {}
    paragraph: list[str] = []
    is_code = False
    fences = 0
    if "```" in body:
        lines = [line.rstrip("\r \t") for line in body.split("\n")]
        fences = sum(map(_is_fence, lines))
    else:  # as most; then only paragraphs that name somebody need be read
        paragraphs = (one for one in body.split("\n\n") if "by:" in one.lower())
        lines = [line.rstrip("\r \t") for one in paragraphs for line in (*one.split("\n"), "")]
    for line in (*lines, ""):
        if fences and _is_fence(line):
            fences -= 1
            is_code = not is_code and fences > 0  # what is never closed was none
            line = ""
        elif is_code:
            continue
        if line and line.strip("-_="):  # a rule, as between what was squashed and its trailers, ends a paragraph too
            paragraph.append(line)
            continue
        for credited in _of_paragraph(paragraph):
            found.setdefault((credited.role, (credited.address or credited.name).casefold()), credited)
        paragraph = []
        if len(found) >= MOST_CREDITS:
            break
    return tuple(found.values())[:MOST_CREDITS]


def _is_fence(line: str) -> bool:
    return line.startswith("```") and "```" not in line[3:]


def _of_paragraph(lines: list[str]) -> list[Credited]:
    wanted = [(number, match) for number, line in enumerate(lines) if (match := _CREDIT.match(line))]
    if not wanted:
        return []
    block = len(lines)  # where the trailers at the end begin
    while block and _IN_BLOCK.match(lines[block - 1]):
        block -= 1
    found: list[Credited] = []
    for number, match in wanted:
        is_listing = match["gap"] == " " and match["did"] is not None and match["did"].casefold() == "reviewed"
        if number < block and not is_listing:
            continue
        role = _ROLES[(match["co"] or match["did"]).casefold()]
        for name, address in _who(match["who"][:_LONGEST].strip()):
            if address or block == 0 or is_listing:
                found.append(Credited(role, name, address))
    return found


def _who(text: str) -> list[tuple[str, str]]:
    """The names and addresses that are listed behind a "by:"."""
    found = []
    parts = _BETWEEN.split(text) if "<" in text else text.split(",")
    for part in parts:
        part = part.strip()
        if match := _ADDRESSED.match(part):
            name, address = match["name"].strip(" \t\"'"), match["address"].strip()
        else:
            name, address = ("", part) if _BARE_ADDRESS.fullmatch(part) else (part, "")
        if (name or address) and not name.startswith("#"):
            found.append((name, address))
    return found


# --- machines

# Authors that are machines, by name or address; `is_bot` says how a pattern is held against them. Bot is a surname
# too, so of full names only those that are accounts' stand here.
BOTS = [
    "*[bot]", "*[bot]@*", "*+bot@*", "*-bot", "*_bot", "*-ci", "dependabot*", "renovate*", "github-actions*",
    "github actions", "generatedunixname*", "facebook-github-bot@*", "buildbot", "*agent bot", "*build bot", "*ci bot",
    "*codemod bot", "*community bot", "*crowdin bot", "*deploy bot", "*github bot", "*gitlab bot", "*lint bot",
    "*linter bot", "*merge bot", "*release bot", "*security bot", "*sync bot", "*test bot", "*translation bot",
    "*update bot", "*version bot", "pyre bot*", "codemodservice*", "* bot <noreply*@*>", "* bot <>", "*(@*bot)",
    "copybara*", "autocommitter@*", "automatic committer",
]  # fmt: skip
# AI tools that trailers name; `is_tool` says how a pattern is held against them. Companies' own people
# write from the same domains, so an address stands here in full; a first name only with what a tool adds.
TOOLS = [
    "noreply@anthropic.com", "claude@anthropic.com", "claude@users.noreply.github.com",
    "*+claude@users.noreply.github.com", "*claude*[bot]*", "claude", "claude ai", "claude code*", "claude opus*",
    "claude sonnet*", "claude haiku*", "claude fable*", "claude 3*", "claude 4*", "claude 5*",
    "copilot@github.com", "copilot@users.noreply.github.com", "*+copilot@users.noreply.github.com", "*copilot*[bot]*",
    "copilot", "copilot agent*", "copilot autofix*", "copilot coding agent*", "copilot swe agent*", "github copilot*",
    "cursoragent@cursor.com", "cursor <cursoragent*", "*cursor*[bot]*", "cursor", "cursor agent*", "cursor ai*",
    "codex@openai.com", "noreply@openai.com", "*codex*[bot]*", "codex", "codex cli*", "openai codex*", "chatgpt*",
    "gpt-*", "gemini", "gemini cli*", "gemini code assist*", "gemini 1*", "gemini 2*", "gemini 3*", "google gemini*",
    "*gemini*[bot]*", "devin ai*", "devin@cognition.ai", "devin@cognition-labs.com", "*devin-ai*[bot]*",
    "aider (*", "aider@aider.chat", "noreply@aider.chat", "windsurf ai*", "windsurf cascade*", "windsurf@codeium.com",
    "noreply@windsurf.com", "amp@ampcode.com", "noreply@ampcode.com", "amp@sourcegraph.com", "sourcegraph amp*",
    "amazon q developer*", "*amazon-q*[bot]*", "google jules*", "*jules*[bot]*", "junie@jetbrains.com",
    "jetbrains junie*", "opencode", "noreply@opencode.ai", "crush@charm.land", "agent@warp.dev",
    "roomote@roocode.com", "roo code*", "openhands@all-hands.dev", "qwen-coder*", "*coderabbit*[bot]*",
    "*greptile*[bot]*", "*sourcery-ai*[bot]*",
]  # fmt: skip


def is_bot(person: Person, patterns: Sequence[str]) -> bool:
    """Whether the author is a machine, by name and address.

    Patterns are as in file names, without regard to case. A pattern is held against the name, the address, both as
    "Name <address>", and the address before its @, unless the name is a full name: pieter-bot@ is Pieter Bot's. Only
    authors are asked: bots commit what people wrote.
    """
    return any(is_machine(person.name, address, patterns) for address in person.addresses or ("",))


def is_machine(name: str, address: str, patterns: Sequence[str]) -> bool:
    """The same of one name with an address."""
    # Bot is a surname, but bot is none: "gVisor bot" is the machine that gvisor-bot@ is.
    login = "" if " " in name.strip() and not name.endswith(" bot") else address.partition("@")[0]
    return _fits((name, address, login, f"{name} <{address}>"), patterns)


def is_tool(credited: Credited, patterns: Sequence[str]) -> bool:
    """Whether a trailer names an AI tool and no person.

    Patterns are as in file names, without regard to case. A pattern is held against the address, and against all
    that is written, "Name <address>"; so "claude" is whoever is called that and gives no address, "claude opus*"
    whoever's name begins so, and Claude Dupont <claude@example.fr> is neither.
    """
    whole = f"{credited.name} <{credited.address}>" if credited.address else credited.name
    return _fits([whole, credited.address] if credited.address else [whole], patterns)


def _fits(texts: Sequence[str], patterns: Sequence[str]) -> bool:
    pieces, fits = _matcher(tuple(patterns))
    low = [text.casefold() for text in texts]
    whole = "\n".join(low)
    for piece in pieces:
        if piece in whole:
            return any(map(fits.fullmatch, low))
    return False


@lru_cache(maxsize=16)
def _matcher(patterns: tuple[str, ...]) -> tuple[frozenset[str], re.Pattern[str]]:
    """What fits one of the patterns, and pieces of text of which that has one: most people's names have none."""
    folded = [one.casefold() for one in patterns]
    literal = (max(re.split(r"[*?]", one), key=len) for one in folded)
    pieces = {min((word for word in re.findall(r"\w{3,}", one)), key=len, default=one) for one in literal}
    few = frozenset(one for one in pieces if not any(other in one for other in pieces - {one}))
    # In a pattern `[bot]` would mean one letter; nobody who writes it means that.
    return few, re.compile("|".join(translate(one.replace("[", "[[]")) for one in folded) or r"(?!)")


# --- trailers → people


class Resolver:
    """Whom trailers name, looked up once and asked for every commit.

    Whoever matches `tools` (see `is_tool`) or `bots` (see `is_bot`) is nobody. A trailer may hold an address that only
    one of the `mailmaps` knows, which counts in the commits of its repository. `not_theirs` are logins, each with an
    address of somebody who does not have it, whatever stands before the @ of their addresses. What stands before the @
    of several people's is, with `places`, the one's who alone writes under such an address where they are named.
    """

    def __init__(
        self,
        people: Sequence[Person],
        mailmaps: Mailmaps | None = None,
        tools: Sequence[str] = (),
        bots: Sequence[str] = (),
        not_theirs: Set[tuple[str, str]] = frozenset(),
        places: Places | None = None,
    ) -> None:
        self._people = people
        self._places, self._not_theirs = places, not_theirs
        self._where: dict[str, Mapping[str, int]] = {}
        self._mailmaps = mailmaps or Mailmaps()
        self._tools, self._bots = tools, bots
        self._machines: dict[int, bool] = {}
        self._by_address: dict[str, int] = {}
        self._by_id: dict[str, int] = {}
        self._by_login: dict[str, int] = {}
        self._by_beginning: dict[str, int] = {}
        self._by_name: dict[str, int] = {}
        for number, person in enumerate(people):
            self._note_all(number, [one for one in person.identities if not one.moved], not_theirs)
            for login in person.logins:
                _note(self._by_login, plain(login), number)
            _note(self._by_name, name if " " in (name := plain(person.name)) else "", number)
        # What somebody has by a .mailmap alone takes nothing from whoever has it by themselves.
        known = tuple(map(frozenset, (self._by_id, self._by_beginning, self._by_name)))
        for number, person in enumerate(people):
            if moved := [one for one in person.identities if one.moved]:
                self._note_all(number, moved, not_theirs, known)

    def _note_all(
        self,
        number: int,
        identities: Iterable[Identity],
        not_theirs: Set[tuple[str, str]],
        known: tuple[frozenset[str], ...] | None = None,
    ) -> None:
        """Note what identities of a person are called. With what is `known`: but for that, and no addresses."""
        person = self._people[number]
        ids, beginnings, names = known or (frozenset[str](),) * 3
        for address in dict.fromkeys(one.address.lower() for one in identities if one.address):
            if known is None:
                _note(self._by_address, plain(address), number)
            if found := account(address):
                _note(self._by_id, "" if (word := found.id or "") in ids else word, number)
            elif not _is_denied(word := plain(address.partition("@")[0]), person, not_theirs):
                _note(self._by_beginning, "" if word in beginnings else word, number)
        for name in {plain(one.name) for one in identities}:
            _note(self._by_name, name if " " in name and name not in names else "", number)

    @property
    def by_repository(self) -> bool:
        """Whether it may matter in which repository somebody is named."""
        return bool(self._mailmaps) or bool(self._several)

    def person(self, credited: Credited, repository: str = "") -> Person | None:
        """Who is named in a repository, where that is one person beyond doubt; None for anybody else.

        By address, then by the GitHub account in it, or else by the login (one of GitHub's, of almanac.toml, linked by
        hand, or what stands before the @ of one person's addresses, of all or of those who write in the repository), or
        last by a full name of two or more words. Each holds only where it is exactly one person's, and of a login
        whoever comes first in this order.
        """
        number = self._number(credited, repository)
        return None if number is None else self._people[number]

    def may_be(self, credited: Credited) -> list[Person]:
        """Who is named in one repository or another."""
        login = "" if credited.address else login_of(credited.name) or ""
        repositories = {"", *self._mailmaps.repositories, *(self._beginning_in(login) if login else ())}
        numbers = {self._number(credited, repository) for repository in repositories}
        return [self._people[number] for number in numbers if number is not None]

    def credited(
        self, credits: Iterable[Credited], author: Person | None = None, repository: str = ""
    ) -> tuple[tuple[Role, Person], ...]:
        """The people whom the trailers of a commit name, each once a role, without its own author."""
        found: dict[tuple[Role, int], Person] = {}
        for credited in credits:
            number = self._number(credited, repository)
            if number is not None and self._people[number] != author:
                found.setdefault((credited.role, number), self._people[number])
        return tuple((role, person) for (role, _), person in found.items())

    def is_unknown(self, credited: Credited, repository: str = "") -> bool:
        """Whether it is nobody's here who is named: no tool, no machine, and not one person beyond doubt."""
        number = self._by_written(credited.name, credited.address, repository)
        is_somebody = number is not None and number >= 0
        is_none = is_tool(credited, self._tools) or is_machine(credited.name, credited.address, self._bots)
        return not (is_somebody or is_none)

    def _number(self, credited: Credited, repository: str) -> int | None:
        if is_tool(credited, self._tools):
            return None
        number = self._by_written(credited.name, credited.address, repository)
        return None if number is None or number < 0 or self._is_machine(number) else number

    def _by_written(self, name: str, address: str, repository: str) -> int | None:
        if address:
            number = self._by_its_address(name, address, repository)
            if number is not None:
                return number
        elif login := login_of(name):
            number = self._by_login.get(login)
            if number is None and (number := self._by_beginning.get(login)) == _SEVERAL:
                number = self._beginning_in(login).get(repository, _SEVERAL)
            return number
        called = plain(name)
        return self._by_name.get(called) if " " in called else None

    @cached_property
    def _several(self) -> Mapping[str, list[tuple[int, Identity]]]:
        """What stands before the @ of several people's addresses, and whose they are."""
        words = {word for word, number in self._by_beginning.items() if number == _SEVERAL and len(word) > 2}
        words = words - EVERYBODYS if self._places else set()
        found: dict[str, list[tuple[int, Identity]]] = {word: [] for word in words}
        for number, person in enumerate(self._people) if words else ():
            for one in person.identities:
                word = plain(one.address.partition("@")[0])
                if word not in words or one.moved or account(one.address):
                    continue
                if not _is_denied(word, person, self._not_theirs):
                    found[word].append((number, one))
        return found

    def _beginning_in(self, login: str) -> Mapping[str, int]:
        """In which repositories a login that several people's addresses begin with is whose."""
        if login not in self._where:
            found: dict[str, int] = {}
            theirs = self._several.get(login, ())
            where = self._places([one for _, one in theirs]) if theirs and self._places else {}
            for number, one in theirs:
                for repository in filter(one.is_of, where.get((one.name, one.address), ())):
                    _note(found, repository, number)
            self._where[login] = found
        return self._where[login]

    def _by_its_address(self, name: str, address: str, repository: str) -> int | None:
        proper = self._mailmaps.proper(name, address, repository)
        if proper and proper.address and (number := self._by_address.get(plain(proper.address))) is not None:
            return number
        number = self._by_address.get(plain(address))
        if number is None and (found := account(address)):
            number = self._by_id.get(found.id) if found.id else None
            return self._by_login.get(plain(found.login)) if number is None else number
        return number

    def _is_machine(self, number: int) -> bool:
        if number not in self._machines:
            self._machines[number] = is_bot(self._people[number], self._bots)
        return self._machines[number]


_SEVERAL = -1


def _is_denied(word: str, person: Person, not_theirs: Set[tuple[str, str]]) -> bool:
    return bool(not_theirs) and any((word, address) in not_theirs for address in person.addresses)


def _note(index: dict[str, int], word: str, number: int) -> None:
    """Note whose a word is, or that it is several people's."""
    if word and index.setdefault(word, number) != number:
        index[word] = _SEVERAL
