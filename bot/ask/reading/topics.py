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


_WORD = r"[^\W\d_][\w.-]+"
_WORDS = rf"(?P<x>@?{_WORD}(?: {_WORD})?)"
_NAME_AND = rf"(?P<x>PERSON {_WORD}(?: {_WORD})?)"
_DO = (
    r"(?:do|done|did|ship|shipped|work|worked|make|made|fix|fixed|been|get|change|changed|up|accomplish|contribute|commit|"
    r"build|add|write|gemacht)"
)
_ALONE = re.compile(rf"^\W*{_WORDS}\W*$")  # a name only with a capital letter
# Where only a name stands, and where one does beside somebody who is known.
_PLACES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:did|has|have|had|hat|does) {_WORDS} {_DO}\b",
        rf"^(?:\W|show|list|give|me|the|all|of|tell|about|what|is|was|how|and)*\b{_WORDS}'s (?:\w+ )?(?:WHEN|month|profile|"
        r"work|history|changes|commits|fixes|features|reverts|bug)",
        rf"\bprofile of {_WORDS}\W*$",
        rf"^\W*{_WORDS}(?: in| on| during| since|,)? WHEN\W*$",
        rf"\bwho(?:'s| is) {_WORDS}\W*$",
        _ALONE.pattern,
    )
)
_BESIDE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"PERSON(?:,| and| vs\.?| versus| with) {_WORDS}(?:(?: in| on| since|,)? WHEN|\W*$| {_DO}\b)",
        rf"^\W*{_NAME_AND}(?: in| on)? WHEN\W*$",
        rf"(?:^\W*|\b(?:did|has|about|of|by) )(?P<x>{_WORD} PERSON)(?:'s)? (?:do|done|ship|make|made|been|in|WHEN)\b",
        rf"\b(?:did|about|has) {_NAME_AND}(?: {_DO}\b|(?: in| on)? WHEN|\W*$)",
    )
)


def unknown_name(finds: Finds, *, beside_a_name: bool = False) -> str | None:
    """Words that stand where only a name does, and are none; with `beside_a_name`, beside or behind one."""
    words = finds.text.words
    for pattern in _BESIDE if beside_a_name else _PLACES:
        match = pattern.search(finds.said)
        inside = [n for n, at in enumerate(finds.at) if match and match.start("x") <= at < match.end("x")]
        strange = [n for n in inside if not words[n].taken and not _is_word(words[n].low)]
        if not strange or (pattern.pattern == _ALONE.pattern and not all(words[n].raw.istitle() for n in strange)):
            continue
        known = [n for n in inside if words[n].taken]
        is_acronym = words[strange[0]].raw.isupper() and any(word.raw.islower() for word in words)
        if not known or (len(known) == 1 and not is_acronym):
            return finds.text.raw(list(range(min(known + strange), max(known + strange) + 1)))
    return None


def _is_word(word: str) -> bool:
    return word in FILLER or word in KEYWORDS or month_number(word) is not None
