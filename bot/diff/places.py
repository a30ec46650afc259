"""A path → what its lines count as in a diff. Pure; the one place where this is decided.

It puts together what is known of paths elsewhere: where a file belongs (`month/kind_words.py`), and whether somebody
wrote it, and in which language (`month/languages.py`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from bot.month.kind_words import place_of
from bot.month.languages import is_by_hand, is_markup, language_of

# made: generated, vendored or locked. Build scripts in a language are product, their settings are not.
FilePlace = Literal["product", "test", "stub", "settings", "docs", "data", "made"]


@lru_cache(maxsize=16_384)
def file_place(path: str) -> FilePlace:
    """What a file's lines count as, by its path alone."""
    if not is_by_hand(path):
        return "made"
    place = place_of(path)
    if place in ("test", "docs"):
        return "test" if place == "test" else "docs"
    if path.endswith(".ipynb"):
        return "docs"
    if path.endswith(".pyi"):
        return "stub"
    language = language_of(path)
    if language is not None and not is_markup(language) and place in ("source", "build"):
        return "product"
    return "settings" if language is not None or place != "source" else "data"
