"""Rows → CSV in which no spreadsheet finds a formula, whichever separator it takes the file to have."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from bot.story.wording import clean

# What a spreadsheet may take for the beginning of a formula, where it may take a cell to begin: wide signs count in
# some languages, blanks and quotation marks before it are skipped. Between commas and tabs no cell can begin: the
# quotation marks around each cell hold the former, and none of the latter is written. To whoever splits at another
# sign those marks are part of the text and hold nothing, and one right behind that sign would open a cell that goes on
# into the next row. See https://owasp.org/www-community/attacks/CSV_Injection
_BEGINS = re.compile(r"""(?:^|(?<=[;|]))[\s"]*(?=[=+\-@＝＋－＠])|(?<=[;|])[\s"]*$""")


def table(rows: Iterable[Sequence[str]]) -> str:
    """The rows, separated by commas, every cell in quotation marks and in one line. An apostrophe stands before what
    may be taken for a formula, which makes it text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([_inert(clean(cell)) for cell in row] for row in rows)
    return text.getvalue()


def _inert(cell: str) -> str:
    return _BEGINS.sub(lambda before: f"{before[0]}'", cell)
