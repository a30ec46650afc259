"""Whom a trailer names: one person beyond doubt, or nobody."""

from __future__ import annotations

import pytest
from values import ENGINE, WEB, everyone, somebody, told_there

from bot.model import Credited, Identity, Person
from bot.month.credits import BOTS, TOOLS, Resolver, is_tool
from bot.month.joining import Mailmaps

ADA = somebody("Ada Lovelace", "ada@example.com", "1+countess@users.noreply.github.com", logins=["countess"])
GRACE = somebody("Grace Hopper", "grace@example.com", logins=["ghopper"])
DAVE_KIM, DAVE_ROE = somebody("Dave", "dave@kim.example"), somebody("Dave", "dave@roe.example")
JOHN_1, JOHN_2 = somebody("John Smith", "john1@example.com"), somebody("John Smith", "john2@example.com")
BOT = somebody("renovate[bot]", "bot@renovate.example")
CLAUDE = somebody("Claude", "noreply@anthropic.com")
PEOPLE = [ADA, GRACE, DAVE_KIM, DAVE_ROE, JOHN_1, JOHN_2, BOT, CLAUDE]
RESOLVER = Resolver(PEOPLE, Mailmaps({ENGINE: "Ada Lovelace <ada@example.com> <ada@old.example>"}), TOOLS, BOTS)


@pytest.mark.parametrize(
    ("name", "address", "person"),
    [
        ("whoever", "ADA@example.com", ADA),
        ("Ada", "ada@old.example", ADA),  # by .mailmap, though no commit has it
        ("x", "1+renamed@users.noreply.github.com", ADA),  # the same account
        ("x", "countess@users.noreply.github.com", ADA),
        ("x", "2+ghopper@users.noreply.github.com", GRACE),
        ("ghopper", "", GRACE),
        ("@GHopper", "", GRACE),
        ("grace", "", GRACE),  # before the @
        ("john1", "", JOHN_1),
        ("dave", "", None),  # before the @ of two people
        ("Dave", "dave@elsewhere.example", None),
        ("Ada Lovelace", "", ADA),
        ("ada  lovelace", "ada@elsewhere.example", ADA),
        ("John Smith", "", None),
        ("Hopper", "", None),
        ("grace", "grace@elsewhere.example", None),  # a bare name beside an address is no login
        ("", "", None),
        ("@", "", None),
        ("renovate[bot]", "bot@renovate.example", None),
        ("Claude", "noreply@anthropic.com", None),
    ],
)
def test_who_is_named(name: str, address: str, person: Person | None) -> None:
    assert RESOLVER.person(Credited("reviewer", name, address), ENGINE) == person


def test_a_mailmap_says_nothing_of_other_repositories() -> None:
    assert RESOLVER.person(Credited("reviewer", "Ada", "ada@old.example"), WEB) is None
    assert RESOLVER.may_be(Credited("reviewer", "Ada", "ada@old.example")) == [ADA]


def test_what_a_mailmap_gives_takes_nothing_from_who_has_it_by_themselves() -> None:
    text = "Eve Evil <eve@x> <ada@x>"
    signed = [Identity("Ada Lovelace", "ada@x", 2), Identity("Eve Evil", "eve@x", 2)]
    there = told_there({WEB: text}, [Identity("Ada Lovelace", "ada@x", 1)], WEB)
    mailmaps = Mailmaps({WEB: text})
    resolver = Resolver(everyone([*signed, *there], mailmaps=mailmaps), mailmaps)
    for name, address in (("ada", ""), ("Ada Lovelace", ""), ("A", "ada@x")):
        found = resolver.person(Credited("reviewer", name, address), ENGINE)
        assert found and found.name == "Ada Lovelace"


def test_who_was_said_not_to_have_a_login_is_not_meant_by_it() -> None:
    resolver = Resolver([ADA, GRACE, DAVE_KIM, DAVE_ROE], not_theirs=frozenset({("dave", "dave@roe.example")}))
    assert resolver.person(Credited("reviewer", "dave")) == DAVE_KIM
    denied = frozenset({("grace", "grace@example.com")})
    assert Resolver([GRACE], not_theirs=denied).person(Credited("reviewer", "grace")) is None
    assert Resolver([GRACE], not_theirs=denied).person(Credited("reviewer", "x", "grace@example.com")) == GRACE


@pytest.mark.parametrize(
    ("name", "address", "tool"),
    [
        ("Claude", "noreply@anthropic.com", True),
        ("Claude Opus 4.8 (1M context)", "", True),
        ("Claude", "", True),
        ("claude", "81847+claude@users.noreply.github.com", True),
        ("claude[bot]", "41898282+claude[bot]@users.noreply.github.com", True),
        ("Copilot", "175728472+Copilot@users.noreply.github.com", True),
        ("copilot-swe-agent[bot]", "198982749+Copilot@users.noreply.github.com", True),
        ("Cursor", "cursoragent@cursor.com", True),
        ("Cursor Agent", "", True),
        ("Codex", "codex@openai.com", True),
        ("gemini-code-assist[bot]", "176961590+gemini-code-assist[bot]@users.noreply.github.com", True),
        ("Devin AI", "158243242+devin-ai-integration[bot]@users.noreply.github.com", True),
        ("aider (gpt-4o)", "aider@aider.chat", True),
        ("Windsurf Cascade", "", True),
        ("Amp", "amp@ampcode.com", True),
        ("Claude Dupont", "claude@dupont.fr", False),
        ("Claude", "claude@dupont.fr", False),
        ("Claude Dupont", "", False),
        ("Jane Doe", "jane@anthropic.com", False),
        ("Devin Nguyen", "devin@example.com", False),
        ("Devin", "", False),
        ("Gemini Wu", "gemini@example.com", False),
        ("Curt Cursor", "", False),
        ("Ada Lovelace", "ada@example.com", False),
    ],
)
def test_tools_are_told_from_people(name: str, address: str, tool: bool) -> None:
    assert is_tool(Credited("coauthor", name, address), TOOLS) == tool


def test_without_patterns_nobody_is_a_tool() -> None:
    assert not is_tool(Credited("coauthor", "", ""), [])
