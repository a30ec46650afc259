"""Whom the trailers of a message name, and which authors and trailers are machines and no people. Pure.

BOTS and TOOLS are the patterns that count unless almanac.toml has others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from fnmatch import translate
from functools import lru_cache
from typing import Literal

from bot.model import Credited, Person, Role
from bot.month.addresses import account, login_of, plain
from bot.month.joining import Mailmaps

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
_CODE = re.compile(r"^```(?!.*```).*\n(?:.*\n)*?```(?!.*```).*$", re.MULTILINE)  # what is never closed is none
_ASUNDER = re.compile(r"^[-_=]*[ \t\r]*$", re.MULTILINE)  # a rule, as behind what was squashed, ends a paragraph too
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
    for paragraph in _ASUNDER.split(_CODE.sub("", body) if "```" in body else body):
        if "by:" in paragraph.lower():
            for credited in _of_paragraph([line.rstrip("\r \t") for line in paragraph.strip("\n").split("\n")]):
                found.setdefault((credited.role, (credited.address or credited.name).casefold()), credited)
        if len(found) >= MOST_CREDITS:
            break
    return tuple(found.values())[:MOST_CREDITS]


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
    "*(bot)", "hosted@weblate.org", "noreply@weblate.org",
    "copybara*", "autocom*itter*", "automatic committer", "*releaser", "* automation",
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

AGENTS = [one for one in TOOLS if "[bot]" in one]  # that write what people review, as authors


def is_agent(person: Person) -> bool:
    """Whether the author is a coding agent: a machine whose work is as others' is."""
    return is_bot(person, AGENTS)


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
    if login == "bot" and name.endswith(" bot"):
        login = name.replace(" ", "-")
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


_Key = tuple[Literal["address", "id", "login", "before @", "name"], str]


class Resolver:
    """Whom trailers name, looked up once and asked for every commit.

    Whoever matches `tools` (see `is_tool`) or `bots` (see `is_bot`) is nobody. A trailer may hold an address that only
    one of the `mailmaps` knows, which counts in the commits of its repository. `not_theirs` are logins, each with an
    address of somebody who does not have it, whatever stands before the @ of their addresses.
    """

    def __init__(
        self,
        people: Sequence[Person],
        mailmaps: Mailmaps | None = None,
        tools: Sequence[str] = (),
        bots: Sequence[str] = (),
        not_theirs: Set[tuple[str, str]] = frozenset(),
    ) -> None:
        self._mailmaps, self._tools, self._bots = mailmaps or Mailmaps(), tools, bots
        self._machines: dict[int, bool] = {}
        self._of: dict[_Key, Person | None] = {}  # whose a word is; None: it is several people's
        for person in people:
            for key in _called(person, not_theirs):
                if self._of.setdefault(key, person) is not person:
                    self._of[key] = None

    @property
    def by_repository(self) -> bool:
        """Whether it may matter in which repository somebody is named."""
        return bool(self._mailmaps)

    def person(self, credited: Credited, repository: str = "") -> Person | None:
        """Who is named in a repository, where that is one person beyond doubt; None for anybody else.

        By address, then by the GitHub account in it, or else by the login (one of GitHub's, of almanac.toml, linked by
        hand, or what stands before the @ of one person's addresses), or last by a full name of two or more words. Each
        holds only where it is exactly one person's, and of a login whoever comes first in this order.
        """
        person = None if is_tool(credited, self._tools) else self._whom(credited, repository)
        if person and id(person) not in self._machines:
            self._machines[id(person)] = is_bot(person, self._bots)
        return person if person and not self._machines[id(person)] else None

    def may_be(self, credited: Credited) -> list[Person]:
        """Who is named in one repository or another."""
        named = (self.person(credited, repository) for repository in ("", *self._mailmaps.repositories))
        return list({id(person): person for person in named if person}.values())

    def credited(
        self, credits: Iterable[Credited], author: Person | None = None, repository: str = ""
    ) -> tuple[tuple[Role, Person], ...]:
        """The people whom the trailers of a commit name, each once a role, without its own author."""
        named = [(one.role, person) for one in credits if (person := self.person(one, repository))]
        return tuple(dict.fromkeys(pair for pair in named if pair[1] != author))

    def is_unknown(self, credited: Credited, repository: str = "") -> bool:
        """Whether it is nobody's here who is named: no tool, no machine, and not one person beyond doubt."""
        is_none = is_tool(credited, self._tools) or is_machine(credited.name, credited.address, self._bots)
        return not (is_none or self._whom(credited, repository))

    def _whom(self, credited: Credited, repository: str) -> Person | None:
        return next((self._of[key] for key in self._keys(credited, repository) if key in self._of), None)

    def _keys(self, credited: Credited, repository: str) -> Iterator[_Key]:
        name, address = credited.name, credited.address
        if address:
            if (proper := self._mailmaps.proper(name, address, repository)) and proper.address:
                yield "address", plain(proper.address)
            yield "address", plain(address)
            if found := account(address):
                yield "id", found.id or ""
                yield "login", plain(found.login)
        elif login := login_of(name):
            yield "login", login
            yield "before @", login
        if " " in (called := plain(name)):
            yield "name", called


def _called(person: Person, not_theirs: Set[tuple[str, str]]) -> Iterator[_Key]:
    own = [one for one in person.identities if not one.moved]  # a .mailmap names nobody elsewhere
    for address in dict.fromkeys(one.address.lower() for one in own if one.address):
        word = plain(address.partition("@")[0])
        yield "address", plain(address)
        if found := account(address):
            if found.id:
                yield "id", found.id
        elif not (not_theirs and any((word, each) in not_theirs for each in person.addresses)):
            yield "before @", word
    for name in {plain(person.name), *(plain(one.name) for one in own)}:
        yield "name", name
    for login in person.logins:
        yield "login", plain(login)
