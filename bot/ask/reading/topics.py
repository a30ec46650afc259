"""What is left of a text: the topic that somebody worked on, or a name that nobody has. Pure."""

# ruff: noqa: E501  (a table of patterns reads best with few breaks)

from __future__ import annotations

import re

from bot.ask.reading.finds import Finds
from bot.ask.reading.vocabulary import FILLER, KEYWORDS, month_number

_EDGES = re.compile(
    r"^(?:(?:the|teh|a|an|our|my|any|some|all|most|of|on|in|to|with|about|for|at|into|code\s+for|stuff\s+like|that|this)\s+)+|"
    r"\s+(?:the\s+most|mostly|lately|recently|ever|so\s+far|here|please|pls|plz|thx|thanks|again|currently|right\s+now|"
    r"before|these\s+days|in\s+the\s+past|at\s+all|best|well|and\s+when|most|in|on|during|for|since|of|repo|then|now|"
    r"between|from|though|btw|and|us|around|el|la|le|il|de|o|im|en)$",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"(?:the|a|an|our|on|in|to|with|about|of|at|it|this|that|most|what|anything|something|which|them|repo|and|so|far)?",
    re.IGNORECASE,
)
_STRIPPED = " ?!.,;:\"“”'’`"


def topic_of(said: str) -> str | None:
    """The topic in what is left behind "worked on"; None where nothing is."""
    said = said.strip(_STRIPPED)
    for _ in range(5):
        shorter = _EDGES.sub("", said).strip(_STRIPPED)
        if shorter == said:
            break
        said = shorter
    return None if _NONE.fullmatch(said) else said


_WORDS = r"(?P<x>@?[^\W\d_][\w.-]*(?: [^\W\d_][\w.-]*)?)"
_DO = (
    r"(?:do|done|did|ship|shipped|work|worked|make|made|fix|fixed|been|get|change|changed|up|accomplish|contribute|commit|"
    r"build|add|write|gemacht)"
)
_ALONE = rf"^\W*{_WORDS}\W*$"  # a name only with a capital letter
# Where only a name stands.
_PLACES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:did|has|have|had|hat|does) {_WORDS} {_DO}\b",
        rf"^(?:\W|show|list|give|me|the|all|of|tell|about|what|is|was|how|and)*\b{_WORDS}'s (?:\w+ )?(?:WHEN|month|profile|"
        r"work|history|changes|commits|fixes|features|reverts|bug)",
        rf"\bprofile of {_WORDS}\W*$",
        rf"^\W*{_WORDS}(?: in| on| during| since|,)? WHEN\W*$",
        rf"\bwho(?:'s| is) {_WORDS}\W*$",
        _ALONE,
    )
)
_BESIDE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:PERSON|ME)(?:,| and| vs\.?| versus| with) {_WORDS}(?:(?: in| on| since|,)? WHEN|\W*$| {_DO}\b)",
        rf"^\W*PERSON {_WORDS}(?: in| on)? WHEN\W*$",
        r"(?:^\W*|\b(?:did|has|about|of|by) )(?P<x>[^\W\d_][\w.-]+) PERSON(?:'s)? (?:do|done|ship|make|made|been|in|WHEN)\b",
        rf"\b(?:did|about|has) PERSON {_WORDS}(?: {_DO}\b|(?: in| on)? WHEN|\W*$)",
    )
)


def unknown_name(finds: Finds, *, beside_a_name: bool = False) -> str | None:
    """A word that stands where only a name does, and is none; with `beside_a_name`, beside or behind one."""
    for pattern in _BESIDE if beside_a_name else _PLACES:
        match = pattern.search(finds.said)
        if match is None:
            continue
        words = match["x"].split()
        while words and _is_word(words[0]):
            words.pop(0)
        while words and _is_word(words[-1]):
            words.pop()
        if not words:
            continue
        numbers = [n for n, at in enumerate(finds.at) if match.start("x") <= at < match.end("x")]
        numbers = [n for n in numbers if finds.text.words[n].low in words]
        if pattern.pattern == _ALONE and not all(finds.text.words[n].raw.istitle() for n in numbers):
            continue
        if beside_a_name and f"PERSON {match['x']}" in match[0]:
            is_acronym = finds.text.words[numbers[0]].raw.isupper() if numbers else True
            is_acronym = is_acronym and any(word.raw.islower() for word in finds.text.words)
            named = next((one for one in finds.names.found if numbers and one.end == numbers[0]), None)
            if named is None or named.end - named.first > 1 or is_acronym:
                continue
            numbers = [numbers[0] - 1, *numbers] if numbers and numbers[0] else numbers
        elif beside_a_name and f"{match['x']} PERSON" in match[0]:
            numbers = [*numbers, numbers[-1] + 1] if numbers else numbers
        return finds.text.raw(numbers) or None
    return None


def _is_word(word: str) -> bool:
    return word in FILLER or word in KEYWORDS or month_number(word) is not None
