"""Words that are somebody's name and something else too: June, May, Will, Summer. Pure."""

from __future__ import annotations

import re
from typing import Literal

from bot.ask.grammar.month_words import SEASONS, month_number
from bot.ask.grammar.words import EDGES, JOINS, Token

ACTS = frozenset(["did", "does", "do", "has", "have", "had", "can", "could", "should", "would", "will"])
ASKS_FOR = ACTS | {"is", "was", "were", "about", "by", "of", "for", "from", "with"}
DOES = frozenset(
    [
        "do", "done", "doing", "work", "working", "worked", "ship", "shipped", "ships", "write", "wrote",
        "make", "made", "commit", "committed", "been", "get", "got", "up", "fix", "fixed", "build", "built",
        "add", "added", "deliver", "delivered", "land", "landed", "merge", "merged", "change", "changed",
        "contribute", "contributed", "release", "released", "review", "reviewed", "revert", "reverted",
        "accomplish", "achieve", "finish", "push", "pushed", "implement", "implemented", "touch", "busy",
        "active", "refactor",
    ]
)  # fmt: skip
_IS = frozenset(["is", "was", "were", "are"])
_PRONOUNS = frozenset(["i", "we", "you", "he", "she", "they", "it", "be", "have"])
_JOINS_MONTHS = frozenset(
    ["to", "and", "or", "with", "vs", "vs.", "versus", "until", "till", "through", "-", "–", "&", "against", "than"]
)
_LEADS_TO_TIME = frozenset(
    [
        "in",
        "during",
        "since",
        "past",
        "year's",
        "year’s",
        "until",
        "till",
        "through",
        "between",
        "last",
        "this",
        "next",
        "early",
        "late",
        "mid",
        "month",
        "before",
        "after",
        "bis",
        "von",
        "seit",
        "im",
        "vom",
        "depuis",
        "hasta",
    ]
)
_BEFORE_VERBS = frozenset(["you", "we", "they", "he", "she", "it", "i", "which", "that"])
_VERBS = frozenset(["show", "see", "tell", "have", "be", "ask", "know", "find", "through"])  # behind "may" and "march"
_COMPARES = frozenset(["compare", "compares", "differ", "differs", "stack", "measure"])
_PARTS = frozenset(
    [
        "end",
        "month",
        "months",
        "beginning",
        "start",
        "middle",
        "half",
        "week",
        "and",
        "rest",
        "all",
        "most",
        "through",
        "up",
    ]
)
# So short or so usual that they are a name only with an @, a capital would prove nothing.
_NEVER = frozenset(
    [
        "a", "an", "the", "in", "on", "i", "you", "he", "she", "we", "they", "it", "do", "so", "to", "for", "of",
        "by", "and", "or", "me", "my", "us", "is", "be", "as", "at", "if", "no", "not", "has", "had", "did", "was",
        "are", "am", "his", "her", "hi", "its", "all", "any", "can", "could", "out", "up", "off", "now", "how", "who",
        "what", "when", "where", "why", "which", "that", "this", "these", "those", "with", "from", "into", "one",
        "two", "did", "done", "does", "been", "being", "get", "got", "let", "lets", "yes", "ok", "hey", "hello",
        "please", "thanks", "thank", "test", "tests", "fix", "fixes", "team", "month", "months", "year", "repo",
        "bot", "work",
    ]
)  # fmt: skip
_CONTRACTED = frozenset(
    ["let", "what", "who", "that", "here", "there", "how", "where", "when", "it", "he", "she", "team", "month", "year"]
)

Sense = Literal["name", "time", "unsure"]


def is_time(word: str) -> bool:
    """Whether a word is a month or a year."""
    return month_number(word.strip(EDGES)) is not None or bool(re.match(r"\d{4}", word))


def may_be_time(word: str) -> bool:
    """Whether a word is a month, or a season."""
    return word in SEASONS or month_number(word) is not None


def word(tokens: list[Token], number: int) -> str:
    return tokens[number].text.casefold() if 0 <= number < len(tokens) else ""


def sense_of_time(tokens: list[Token], number: int, *, beside_name: bool) -> Sense | None:
    """Whether a word that is a month or a season and somebody's name is the one or the other, by the words around it.

    None where they do not tell. `beside_name`: somebody else's name stands before it.
    """
    token = tokens[number]
    before, before_that = word(tokens, number - 1), word(tokens, number - 2)
    after, after_that = word(tokens, number + 1), word(tokens, number + 2)
    if token.text.startswith("@"):
        return "name"
    if before in _BEFORE_VERBS or after in _VERBS or (before in ("a", "an", "the") and not token.is_possessive):
        return "time"  # or no name at all, as in "you may see"
    if token.plain == "may" and before in ("what", "how", "who", "where", "when", "why"):
        return "time"
    if after in _COMPARES and any(is_time(word(tokens, number + step)) for step in (2, 3, 4)):
        return "time"
    if before in ("of", "including", "to") and before_that in _PARTS:
        return "time"
    first, last = _joined_times(tokens, number)
    if word(tokens, first - 1) in ACTS and word(tokens, last + 1) in DOES:
        return "name"
    if token.is_possessive and after and not after.startswith("digest"):
        return "name"
    if (
        is_time(before)
        or (is_time(after) and before not in ("about", "for", "by"))
        or before in _LEADS_TO_TIME
        or re.match(r"['’]?\d", after)
        or after.startswith("digest")
    ):
        return "time"
    if (after in _JOINS_MONTHS and is_time(after_that)) or (before in _JOINS_MONTHS and is_time(before_that)):
        return "time"
    if after in _PRONOUNS:
        return "time"  # or no name at all, as in "may I ask"
    if (before in ACTS and after not in ("be", "have")) or before == "by" or (before in _IS and after in DOES):
        return "name"
    if beside_name:
        return "time"
    return None


def _joined_times(tokens: list[Token], number: int) -> tuple[int, int]:
    """The first and the last of the words that are a month too and are joined to one: "june and april"."""
    first = last = number
    while word(tokens, first - 1) in JOINS and is_time(word(tokens, first - 2)):
        first -= 2
    while word(tokens, last + 1) in JOINS and is_time(word(tokens, last + 2)):
        last += 2
    return first, last


def is_meant(tokens: list[Token], number: int, *, joined: bool) -> bool:
    """Whether a usual word that is somebody's name too is that name here. `joined`: a name is joined to it by "and"."""
    token = tokens[number]
    before, after = word(tokens, number - 1), word(tokens, number + 1)
    if token.text.startswith("@"):
        return True
    if token.plain in _NEVER:
        return False
    if token.is_possessive:
        return token.plain not in _CONTRACTED
    if joined or (before == "by" and after not in ("the", "a")):
        return True
    if before in ACTS | {"is", "was"} and (after in DOES or not after):
        return True
    if before in ("about", "for", "show", "me") and (not after or is_time(after) or after in _LEADS_TO_TIME):
        return True
    return number == 0 and (
        not after or after in _LEADS_TO_TIME or is_time(after) or after in JOINS or bool(re.match(r"q\d", after))
    )
