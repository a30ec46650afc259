"""Full text over what commits say of themselves: commits with all of some words, in any order.

The words are kept, not the texts: those are in `commits` already, and are given again when a commit is removed. Both
engines take words from a text in one way, that of SQLite's FTS5: without accents and endings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from storage.engine import Connection

TOKENIZER = "porter unicode61 remove_diacritics 2"  # of FTS5; another one would need all words to be taken in anew
WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 32


def matching(connection: Connection, text: str, among: Sequence[int] | None = None) -> list[int]:
    """The numbers of the commits that hold all words of what somebody typed, in order; none where it has no words.

    Nothing in `text` is syntax. `among` are those to choose from, in order, if not all.
    """
    words = WORD.findall(text)[:_MOST_WORDS]
    if not words or (among is not None and not among):
        return []
    found = connection.commits_with(words, among)
    if among is None:
        return found
    wanted = set(among)
    return [number for number in found if number in wanted]
