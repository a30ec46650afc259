"""What is alive in an exported month, as parsers of its kind see it: markup, links, formulas, mentions, controls."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

csv.field_size_limit(1 << 30)  # a message may be long
PAGES = "https://forge.example/"  # where links may lead
SEPARATORS = (",", ";", "\t", "|")
FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_UNSEEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff\u2028\u2029]")
# The elements that we write, each with its attributes; none of these is text of a commit's.
PLAIN = "head title style body header main article h1 h2 h3 h4 ul li strong em br code small summary tbody tr pre"
TAGS = {
    **dict.fromkeys(PLAIN.split(), ""),
    **dict.fromkeys(["p", "div", "span", "table", "thead", "td"], "class"),
    "html": "lang", "meta": "charset name content", "a": "href", "section": "id", "nav": "aria-label",
    "th": "scope class", "details": "class open",
}  # fmt: skip
_EMPTY = {"br", "meta"}
_TOKENS = {
    "heading", "paragraph", "bullet_list", "list_item", "strong", "em", "link", "inline", "text", "text_special",
    "code_inline", "softbreak", "hardbreak", "hr",
}  # fmt: skip
_MENTIONS = {"user", "usergroup", "broadcast", "channel", "team", "emoji", "image"}


def faults(form: str, text: str) -> list[str]:
    """What is wrong with a month that was written in a form; nothing where it is as it should be."""
    found = [f"steers a terminal: {one!r}" for one in steering(text)]
    if form == "html":
        found += _Page.faults_of(text)
    if form == "markdown":
        found += [one for token in MarkdownIt("js-default", {"html": True}).parse(text) for one in _of_token(token)]
    if form == "csv":
        found += formulas(text)
    if form in ("json", "slack"):
        document = json.loads(text, parse_constant=lambda name: found.append(name))
        found += [f"steers a terminal: {one!r}" for said in _texts(document) for one in steering(said)]
        if form == "slack":
            found += list(_of_message(document))
    return found


def steering(text: str) -> list[str]:
    """The characters that steer a terminal, turn the reading direction, or are not seen."""
    controls = [sign for sign in text if sign != "\n" and unicodedata.category(sign) in ("Cc", "Cs")]
    return controls + _UNSEEN.findall(text)


def formulas(text: str) -> list[str]:
    """The cells that a spreadsheet would run, if it splits at any of the separators, and skips blanks or does not."""
    return [
        cell
        for separator in SEPARATORS
        for skips in (False, True)
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=skips)
        for cell in row
        if cell.startswith(FORMULA) or cell.strip(' "').startswith(FORMULA)
    ]


class _Page(HTMLParser):
    """Every element and attribute of a page that we do not write, and those that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self._open: list[str] = []

    @classmethod
    def faults_of(cls, text: str) -> list[str]:
        page = cls()
        page.feed(text)
        page.close()
        return page.faults + [f"not closed: {tag}" for tag in page._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.faults.append(f"<{tag}>")
        for name, value in attrs:
            if name not in TAGS.get(tag, "").split() or (name == "href" and not (value or "").startswith(PAGES)):
                self.faults.append(f"{tag} {name}={value}")
        if tag not in _EMPTY:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"<!--{data}")

    def unknown_decl(self, data: str) -> None:
        self.faults.append(f"<![{data}")

    def handle_pi(self, data: str) -> None:
        self.faults.append(f"<?{data}")


def _of_token(token: Token) -> Iterator[str]:
    if token.type.removesuffix("_open").removesuffix("_close") not in _TOKENS:
        yield f"{token.type} {token.content!r}"
    if token.type == "link_open" and not str(token.attrs["href"]).startswith(PAGES):
        yield f"link to {token.attrs['href']}"
    for child in token.children or []:
        yield from _of_token(child)


def _of_message(value: Any) -> Iterator[str]:
    """Slack reads marks in `text` of a message and of what is `mrkdwn`; in rich text, an element is what it says."""
    if isinstance(value, list):
        for one in value:
            yield from _of_message(one)
    if not isinstance(value, dict):
        return
    if value.get("type") in _MENTIONS:
        yield f"mention {value}"
    if value.get("type") == "link" and not value["url"].startswith(PAGES):
        yield f"link {value}"
    if value.get("type", "mrkdwn") == "mrkdwn" and isinstance(said := value.get("text"), str):
        rest = re.sub(rf"<{PAGES}[^<>|]*(?:\|[^<>]*)?>", "", said)
        yield from (f"mark {one}" for one in re.findall(r"<[^>]*>?", rest))
    for one in value.values():
        yield from _of_message(one)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for one in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        yield from _texts(one)
