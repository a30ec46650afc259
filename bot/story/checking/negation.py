"""No "not" is lost: what the changes deny is not told as if it were so, and what they do not deny is not denied. Pure.

A message that says "`table_offset` is not needed" denies `needed`: the words behind a negation are its focus. A
sentence that speaks of the same, has the focus, and denies it nowhere near, has lost the negation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.story.checking.text import CAMEL, stem
from bot.story.checking.words import EMPTY, denies

_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?|[.;:!?](?=\s|$)|[,()](?=\s|$)")
_STOPS = frozenset(".;:!?")
_JOINS = frozenset((",", "(", ")", "and", "but", "so", "because", "if", "when", "as", "until", "unless", "while"))
_ENDS = _STOPS | {","}
_RESETS = frozenset(("now", "but", "instead", "always"))
_FOCUS = 1  # words of meaning behind a negation that it denies
_REACH = 5  # tokens behind a negation within which its focus stands
_AROUND = 6  # tokens on either side that tell what a word is said of
_BEFORE, _BEHIND = 4, 2  # tokens before and behind a word within which a negation denies it
# A verb that says no to what stands behind it, or, as a participle, to what stands before.
_DENYING = (
    "remov", "delet", "drop", "disab", "skip", "stop", "avoid", "prevent", "reject", "gone", "lack", "miss", "keeps",
    "forbid", "non", "unus", "unne",
)  # fmt: skip
_WISH = frozenset(("should", "must", "shall"))  # "it should not return NULL" says of a bug that it did
_AS_A_QUOTE, _LEAST_OF_A_QUOTE = 0.8, 4  # of the stems of a text, and of a line, that make it a quotation; and how many
_LATER = 5  # tokens behind it within which "are removed" does


class Said(NamedTuple):
    """A word in its place: its stem, the stems around it, and whether it is denied as a wish: "should not"."""

    stem: str
    around: frozenset[str]
    is_wish: bool = False


def tokens_of(text: str) -> list[str]:
    """Words in small letters, those of identifiers apart, and the signs that end a clause."""
    text = CAMEL.sub(" ", text.replace("_", " ").replace("’", "'"))
    return [match[0].lower() for match in _WORD.finditer(text)]


def _is_content(token: str) -> bool:
    return len(token) > 2 and token[0].isalpha() and token not in EMPTY and not denies(token)


def _around(tokens: Sequence[str], at: int) -> frozenset[str]:
    begin, end = at, at
    while begin > 0 and at - begin < _AROUND and tokens[begin - 1] not in _STOPS:
        begin -= 1
    while end + 1 < len(tokens) and end - at < _AROUND and tokens[end + 1] not in _STOPS:
        end += 1
    return frozenset(
        stem(one) for number, one in enumerate(tokens[begin : end + 1], begin) if number != at and _is_content(one)
    )


def denied_in(line: str) -> list[Said]:
    """What a line of a message denies: the first word of meaning behind each negation."""
    tokens = tokens_of(line)
    found: list[Said] = []
    if tokens[:1] and tokens[0].startswith("fix"):  # "Fix: users will not have permissions" tells what was wrong
        return found
    for at, token in enumerate(tokens):
        if not denies(token):
            continue
        is_wish = not _WISH.isdisjoint((token.removesuffix("n't"), tokens[at - 1] if at else ""))
        focus = 0
        for behind, other in enumerate(tokens[at + 1 : at + 1 + _REACH], at + 1):
            if other in _STOPS or denies(other) or (focus and other in _JOINS):
                break
            if _is_content(other):
                around = (_around(tokens, behind) | _around(tokens, at)) - {stem(other)}
                found.append(Said(stem(other), around, is_wish))
                focus += 1
            if focus == _FOCUS:
                break
    return found


def asserted_in(text: str) -> list[Said]:
    """Every word of meaning of a text that it denies nowhere near."""
    tokens = tokens_of(text)
    return [
        Said(stem(token), _around(tokens, at))
        for at, token in enumerate(tokens)
        if _is_content(token) and not _is_denied(tokens, at)
    ]


def _is_denied(tokens: Sequence[str], at: int) -> bool:
    for token in reversed(tokens[max(0, at - _BEFORE) : at]):
        if token in _STOPS or token in _RESETS:
            break
        if denies(token) or token.startswith(_DENYING):
            return True
    for behind, token in enumerate(tokens[at + 1 : at + 1 + _LATER]):
        if token in _ENDS:
            break
        if (behind < _BEHIND and denies(token)) or token.startswith(_DENYING):
            return True
    return tokens[at].startswith(_DENYING)


def is_fewer(text: str, lines: Sequence[str]) -> bool:
    """Whether a text says nearly what a line of a message says, but with fewer negations."""
    own = tokens_of(text)
    said = frozenset(stem(token) for token in own if _is_content(token))
    if len(said) < _LEAST_OF_A_QUOTE:
        return False
    for line in lines:
        tokens = tokens_of(line)
        there = frozenset(stem(token) for token in tokens if _is_content(token))
        is_quote = len(said & there) >= _AS_A_QUOTE * max(len(said), len(there))
        if is_quote and sum(map(denies, own)) < sum(map(denies, tokens)):
            return not any(token.startswith(_DENYING) for token in own)
    return False


def lost(text: str, denied: Sequence[Said], asserted: Sequence[Said]) -> Iterator[str]:
    """The words that a text tells of something though the changes deny them of it, and tell them of nothing so like."""
    for said in asserted_in(text):
        against = max((len(said.around & one.around) for one in denied if one.stem == said.stem), default=0)
        if not against:
            continue
        bearing = max((len(said.around & one.around) for one in asserted if one.stem == said.stem), default=0)
        if against > bearing or against == bearing > 1:
            yield said.stem
