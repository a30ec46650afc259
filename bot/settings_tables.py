"""The tables of almanac.toml, as values. What may stand in them, bot.settings_schema says."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import date
from pathlib import Path
from typing import Any, Literal

# Authors that are machines, by name or address; see bot.month.people.is_bot for how a pattern is held against them.
BOTS = [
    "*[bot]", "*[bot]@*", "* bot", "*-bot", "*_bot", "dependabot*", "renovate*", "github-actions*", "*-ci",
    "generatedunixname*",
]  # fmt: skip
# AI tools that trailers name; see bot.month.people.is_tool for how a pattern is held against them. Companies' own
# people write from the same domains, so an address stands here in full; a first name only with what a tool adds.
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

# Whether people of one full name are told as one person: see bot.month.by_name.
JoinPeople = Literal["by name", "addresses only"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositorySettings:
    address: str
    name: str | None = None
    audience: str | list[str] = "everyone"
    branch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSettings:
    name: str
    addresses: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)
    nicknames: list[str] = field(default_factory=list)
    slack: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SprintSettings:
    """Sprints follow each other without a gap: the first day of any of them, and how many days each has."""

    first: date
    days: int = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSettings:
    name: str
    people: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestSettings:
    channel: str
    team: str | None = None
    group: str | None = None
    repositories: list[str] = field(default_factory=list)
    cadence: Literal["weekly", "monthly", "quarterly"] = "monthly"
    day: int = 1
    hour: int = 9
    zone: str | None = None
    quiet: Literal["say", "skip"] = "say"
    templates: Path | None = None
    months_back: int = 3
    preview_days: int = 0
    unanswered: Literal["post", "leave out"] = "post"

    def as_wanted(self) -> dict[str, Any]:
        """What is other than the defaults, as plain JSON: the form in which a digest is stored."""
        plain = DigestSettings(channel="")
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {
            name: str(value) if isinstance(value, Path) else value
            for name, value in values.items()
            if name == "channel" or value != getattr(plain, name)
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacySettings:
    """Who may see what, besides the audiences of repositories; docs/privacy.md tells the rules."""

    about_others: Literal["everyone", "nobody"] | list[str] = "everyone"
    answers_about_others: Literal["channel", "asker"] = "channel"
    guests: bool = False
    shared_channels: bool = False
    admins: list[str] = field(default_factory=list)

    @property
    def claims_wait(self) -> bool:
        """Whether what somebody says of themselves counts for nothing before an admin has confirmed it: by it they
        would read of others what they may not ask."""
        return self.about_others != "everyone"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSettings:
    """What of Slack is used."""

    charts: bool = True
    streaming: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """A language model that words are asked of. Its key stands in ALMANAC_MODEL_KEY, never here.

    `second_opinion` is whether the same model is asked again whether each sentence holds, or which other is. With
    `questions`, it reads what people ask where our own tables do not understand it.
    """

    address: str
    name: str
    seconds: float = 20
    tokens: int = 8000
    diffs: bool = False
    second_opinion: bool | str = False
    questions: bool = False
