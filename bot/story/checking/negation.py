"""No "not" is lost: what the changes deny is not shown as if it were so. Pure.

A message that says "`table_offset` is not needed" denies `needed`: the first word of meaning behind a negation is its
focus. A sentence that speaks of the same, has the focus, and denies it nowhere near, has lost the negation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from bot.story.checking.text import CAMEL, stem

_TOKEN = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?|[.;:!?](?=\s|$)|[,()](?=\s|$)")
_STOPS = frozenset(".;:!?")
_CLAUSE_ENDS = _STOPS | {","}
_FOCUS = 5  # tokens behind a negation within which its focus stands
_AROUND = 8  # tokens on either side that tell what a word is said of
_BEFORE = 3  # tokens before a word within which a negation denies it
_PARTICIPLE = 5  # tokens behind a word within which "are removed" denies it
_NOT = "not no never none nor neither cannot without nothing nobody unable dont doesnt cant non"
# A verb that says no to what stands behind it, or, as a participle, to what stands before.
_DENYING = (
    "remov", "delet", "drop", "disab", "skip", "stop", "avoid", "prevent", "reject", "gone", "lack", "miss", "keeps",
    "forbid", "non", "unus", "unne",
)  # fmt: skip
# Words that stand for nothing: no negation denies them alone.
_EMPTY = """
    the and for are was were been being has have had its his her their our this that these those which who whose with
    from into onto over under than then there here when where while will would could should may might must can does did
    doing done also just very too any some such much more most each every both either other another own same yet ever
    even still quite really actually currently properly simply directly necessarily simple seem seems they them you your
    let lets get gets got longer out off via per about using allow allowed allows able possible because since want wants
"""
_NEGATIONS, _MEANINGLESS = frozenset(_NOT.split()), frozenset(_EMPTY.split())


class Statement(NamedTuple):
    """A word of meaning, as its stem, the stems around it, and whether it is denied."""

    stem: str
    around: frozenset[str]
    is_denied: bool = False


def statements_in(text: str) -> Iterator[Statement]:
    """What a text denies, which is the focus of each negation, and every word that it denies nowhere near."""
    plain = CAMEL.sub(" ", text.replace("_", " ").replace("’", "'"))
    tokens = [match[0].lower() for match in _TOKEN.finditer(plain)]
    tells_a_bug = bool(tokens) and tokens[0].startswith("fix")  # "Fix users who will not see titles"
    for at, token in enumerate(tokens):
        if not _has_meaning(token):
            continue
        own, around = stem(token), _around(tokens, at)
        if _is_focus(tokens, at):
            if not tells_a_bug:
                yield Statement(own, around, is_denied=True)
        elif not _is_denied(tokens, at):
            yield Statement(own, around)


def faults(text: str, statements: Sequence[Statement]) -> Iterator[str]:
    """A word that a text tells of something though the changes deny it of that."""
    for own in statements_in(text):
        if own.is_denied:
            continue
        # How much the changes have of what it is said of, with and without a "not".
        overlaps = [(one.is_denied, len(own.around & one.around)) for one in statements if one.stem == own.stem]
        denied = max((overlap for is_denied, overlap in overlaps if is_denied), default=0)
        said = max((overlap for is_denied, overlap in overlaps if not is_denied), default=0)
        if denied > said or denied == said > 1:
            yield f"its changes deny what it says of “{own.stem}”"


def _is_negation(token: str) -> bool:
    return token in _NEGATIONS or token.endswith("n't")


def _has_meaning(token: str) -> bool:
    return len(token) > 2 and token[0].isalpha() and token not in _MEANINGLESS and not _is_negation(token)


def _around(tokens: Sequence[str], at: int) -> frozenset[str]:
    begin, end = at, at + 1
    while begin > 0 and at - begin < _AROUND and tokens[begin - 1] not in _STOPS:
        begin -= 1
    while end < len(tokens) and end - at <= _AROUND and tokens[end] not in _STOPS:
        end += 1
    return frozenset(map(stem, filter(_has_meaning, (*tokens[begin:at], *tokens[at + 1 : end]))))


def _is_focus(tokens: Sequence[str], at: int) -> bool:
    """Whether a word is the focus of a negation: the first of meaning behind it."""
    for token in reversed(tokens[max(0, at - _FOCUS) : at]):
        if _is_negation(token):
            return True
        if token in _STOPS or _has_meaning(token):
            return False
    return False


def _is_denied(tokens: Sequence[str], at: int) -> bool:
    if tokens[at].startswith(_DENYING):
        return True
    for token in reversed(tokens[max(0, at - _BEFORE) : at]):
        if token in _STOPS:
            break
        if _is_negation(token) or token.startswith(_DENYING):
            return True
    if at + 1 < len(tokens) and _is_negation(tokens[at + 1]):
        return True
    behind = takewhile(lambda token: token not in _CLAUSE_ENDS, tokens[at + 1 : at + 1 + _PARTICIPLE])
    return any(token.startswith(_DENYING) for token in behind)
