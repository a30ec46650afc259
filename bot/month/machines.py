"""Who is a machine and no person: authors that are bots, and AI tools that trailers name. Pure.

BOTS and TOOLS are the patterns that count unless almanac.toml has others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import translate
from functools import lru_cache

from bot.model import Credited, Person

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
    fits = _matcher(tuple(patterns))
    return any(map(fits.fullmatch, map(str.casefold, texts)))


@lru_cache(maxsize=16)
def _matcher(patterns: tuple[str, ...]) -> re.Pattern[str]:
    # In a pattern `[bot]` would mean one letter; nobody who writes it means that.
    return re.compile("|".join(translate(one.casefold().replace("[", "[[]")) for one in patterns) or r"(?!)")
