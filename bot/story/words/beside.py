"""Documentation and tests: whether a subject's type says that a change is in those, where its words do not. Pure.

"docs: drop support for 3.8" took a line out of a page; told without its type it would be a claim about the product.
"""

from __future__ import annotations

import re

from bot.story.words.subjects import Subject
from bot.story.words.verbs import words_of

_DOCS = words_of("docs doc documentation")
_TESTS = words_of("test tests testing tst")
_SAYS_DOCS = re.compile(
    r"(?i)doc(?!ker)|readme|\.(?:md|rst|txt|adoc|ipynb)\b|\b(?:tutorials?|guides?|pages?|examples?|comments?|notes?|links?|"
    r"typos?|spelling|wording|grammar|references?|manual|faq|changelog|changes|instructions?|website|blog|news|"
    r"explain\w*|describ\w*|descriptions?|clarif\w*|mention\w*|illustrat\w*|sphinx|copyright)\b"
)
_SAYS_TESTS = re.compile(r"(?i)test|spec\b|\b(?:fixtures?|coverage|mock\w*|golden|assert\w*|snapshots?|benchmark\w*)\b")


def place_of(part: Subject) -> str | None:
    """ "documentation" or "tests", where only the type of a subject says so."""
    told = f"{part.scope or ''} {part.words}"
    if part.prefix in _DOCS and not _SAYS_DOCS.search(told):
        return "documentation"
    return "tests" if part.prefix in _TESTS and not _SAYS_TESTS.search(told) else None
