"""Documents → words, through the templates. A team's own folder of templates goes before ours.

Templates choose words and order; they never count, sort or filter. A fact that is missing is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from html import escape as escape_html
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

import bot
from bot.errors import SettingsError
from bot.month.calendar import Month
from bot.story.document import Document, dates, helped, pages
from bot.story.wording import clean, count, heading, mark

_OPENS_BLOCK = re.compile(r"^(\d*)([-+=.)])")  # a list or, below another line, a heading
MOST_REFS = 8  # of one item in a line of text
OURS = Path(bot.__file__).parent.parent / "templates"


class Templates:
    """The templates, and the filters they may use: `slack`, `markdown`, `title`, `heading`, `short`, `date`."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise SettingsError([f"almanac.toml: templates: there is no folder {folder}"])
        self._own = folder is not None
        self._environment = Environment(  # see autoescape
            loader=FileSystemLoader([folder, OURS] if folder else [OURS]),
            undefined=StrictUndefined,
            # Only HTML is escaped here: in Slack, Jinja's own escapes would show as &#34;.
            autoescape=lambda name: bool(name and name.startswith("html/")),  # noqa: S701
            trim_blocks=True,
            lstrip_blocks=True,
        )
        filters: dict[str, Callable[..., str]] = {
            "slack": slack,
            "markdown": markdown,
            "plain": clean,
            "title": lambda month: Month.parse(month).title,
            "heading": heading,
            "mark": lambda item: mark(item["kind"], item["state"]),
            "refs": shortened_refs,
            "short": lambda sha: sha[:9],
            "date": date,
            "count": count,
            "commit_link": lambda sha, web: commit_link(sha, web) or "",
            "ref_link": lambda ref, web: ref_link(ref, web) or "",
        }
        self._environment.filters |= filters

    def render(self, template: str, /, **context: Any) -> str:
        """The text a template gives, without blank lines at either end."""
        try:
            return self._environment.get_template(template).render(**context).strip("\n")
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            if not (self._own or isinstance(error, TemplateError)):
                raise  # in our own templates that is a bug
            raise SettingsError([f"the template {template} cannot be used: {error}"]) from error

    def month(self, form: str, document: Document) -> str:
        """A month as text, markdown or html."""
        return self.render(f"{form}/{'digest' if 'digest' in document else 'month'}.j2", **context(document))


def context(document: Document) -> Document:
    """What a template is given: the document, `web`, the page of each of its repositories, `helped`, sentences on what
    somebody did for others, and `dates`, by which a commit belongs to the month."""
    return {**document, "web": pages(document), "helped": helped(document), "dates": dates(document)}


def shortened_refs(refs: Sequence[str]) -> str:
    """ "#12, #13": the first few, and how many more."""
    more = len(refs) - MOST_REFS
    return ", ".join(refs[:MOST_REFS]) + (f" and {more:,} more" if more > 0 else "")


def date(iso: str) -> str:
    """ "5 November 2025 09:00", on the clock that the time is written in."""
    at = datetime.fromisoformat(iso)
    return f"{at.day} {Month(at.year, at.month).title} {at:%H:%M}"


def slack(text: str) -> str:
    """Text for Slack: exactly the three characters it asks to escape.

    https://docs.slack.dev/messaging/formatting-message-text#escaping
    """
    return clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def markdown(text: str) -> str:
    """Text for Markdown, with what would be taken for its signs escaped, at the beginning of a line too."""
    escaped = "".join(f"\\{sign}" if sign in "\\`*_[]<>|#~&$!" else sign for sign in clean(text))
    return _OPENS_BLOCK.sub(r"\1\\\2", escaped)


def commit_link(sha: str, web: str | None) -> str | None:
    """The page of a commit, where its repository has pages."""
    if not web:
        return None
    host = urlsplit(web).netloc
    return f"{web}/-/commit/{sha}" if "gitlab" in host else f"{web}/commit/{sha}"


def ref_link(ref: str, web: str | None) -> str | None:
    """The page of a pull request. Only GitHub's numbers say where they lead."""
    if not web or not web.startswith("https://github.com/"):
        return None
    repository, _, number = ref.rpartition("#")
    return f"https://github.com/{repository}/pull/{number}" if repository else f"{web}/pull/{number}"


def page(title: str, body: str) -> str:
    """A complete HTML page around what the html templates give."""
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape_html(title)}</title>\n'
        f"{body}\n</html>"
    )
