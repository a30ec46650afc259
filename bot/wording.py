"""Words: titles, counts, lists, plurals. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.model import Kind, State

# The order in which a month is shown, with the heading and the words for one and for several.
KINDS: dict[Kind, tuple[str, str, str]] = {
    "feature": ("Features", "feature", "features"),
    "performance": ("Performance", "performance change", "performance changes"),
    "fix": ("Fixes", "fix", "fixes"),
    "refactor": ("Refactoring", "refactoring", "refactorings"),
    "docs": ("Documentation", "documentation change", "documentation changes"),
    "test": ("Tests", "test change", "test changes"),
    "build": ("Build", "build change", "build changes"),
    "ci": ("CI", "CI change", "CI changes"),
    "release": ("Releases", "release change", "release changes"),
    "revert": ("Reverts", "revert", "reverts"),
    "chore": ("Other", "other change", "other changes"),
}
# What a kind is called where one is chosen or named beside a change.
KIND_NAMES: dict[Kind, str] = {kind: one.removesuffix(" change") for kind, (_, one, _) in KINDS.items()}
KIND_NAMES["test"] = "tests"
UNNAMED = "somebody"  # who asked not to be shown, where others' work tells of them
LONGEST_TITLE = 160
# What steers a terminal: whole sequences first ("ESC [ 31 m", "ESC ] 0 ; title BEL"), then single characters.
_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]", re.DOTALL
)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# What turns the reading direction or shows nothing at all, and halves of characters that no file can hold.
_UNSEEN = re.compile(
    r"[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]+"
)
_TWO_TICKS = re.compile(r"(?<!`)``(?!`)")  # what reStructuredText marks as code
_HALVES = re.compile(r"[\ud800-\udfff]")


def kind_order(kind: Kind) -> int:
    """Where a kind stands in the order of telling."""
    return list(KINDS).index(kind)


def mark(kind: Kind, state: State) -> str:
    """What became of a change, in a word or two; empty for what simply landed."""
    if kind == "revert":
        return "undone" if state == "backed_out" else ""
    return {"backed_out": "backed out", "partly": "partly backed out", "relanded": "back in"}.get(state, "")


def clean(text: str) -> str:
    """Text from git in one line, without what steers a terminal, turns the reading direction or is unseen; code
    of reStructuredText is marked as everywhere."""
    text = _TWO_TICKS.sub("`", text) if "``" in text else text
    if text.isascii() and "\x1b" not in text:  # as most: then there is nothing of the rest
        return " ".join((text if text.isprintable() else _CONTROLS.sub(" ", text)).split())
    text = _UNSEEN.sub("", _CONTROLS.sub(" ", _SEQUENCES.sub("", text)))
    return " ".join(_HALVES.sub("\ufffd", text).split())


def shortened(text: str, longest: int = LONGEST_TITLE) -> str:
    """The text, cut between words with an ellipsis where it is longer."""
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    at_word = cut.rsplit(" ", 1)[0]
    return (at_word if len(at_word) > longest // 2 else cut).rstrip(" ,;:-") + "…"


def ended(text: str) -> str:
    """The text as a whole sentence: with a full stop, unless it was cut off or has an end of its own."""
    return text if text.endswith(("…", ".", "!", "?", "…”", ".”")) else f"{text}."


def kind_heading(kind: str) -> str:
    """ "Fixes", "Documentation"; what is of no kind for sure is "Other"."""
    return next((words[0] for one, words in KINDS.items() if one == kind), capital(kind))


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """What an error says, as a sentence; an address that it begins with stays as it is."""
    return ended(text if "@" in text.partition(" ")[0] else capital(text))


def count(number: int, one: str, several: str | None = None) -> str:
    """ "1 change", "1,204 changes"."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"; or with another word before the last."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def few(words: Sequence[str], most: int) -> list[str]:
    """The first of them, and how many others there are: "a", "b", "3 others"."""
    return [*words[:most], *([count(len(words) - most, "other")] if len(words) > most else [])]


def listed_few(words: Sequence[str], most: int) -> str:
    """ "a, b and 3 others"."""
    return listed(few(words, most))


def kinds_listed(kinds: Mapping[Kind, int]) -> str:
    """ "5 features, 1 fix and 2 other changes", most first, equals in the order of telling, the rest last."""
    ranked = sorted(
        (kind for kind in KINDS if kinds.get(kind)),
        key=lambda kind: (kind == "chore", -kinds[kind], kind_order(kind)),
    )
    return listed([count(kinds[kind], *KINDS[kind][1:]) for kind in ranked])
