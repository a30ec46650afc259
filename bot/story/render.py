"""Documents → words, through the templates. A team's own folder of templates goes before ours.

Templates choose words and order; they never count, sort or filter. A fact that is missing is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from html import escape as escape_html
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError
from markupsafe import Markup

import bot
from bot.errors import AlmanacError, SettingsError
from bot.month.calendar import Month, parse_any_period
from bot.story.document import LISTS, SCHEMA, Document, chain, day, reviews
from bot.story.shape import other_schema
from bot.story.title import without_fix
from bot.story.wording import capital, clean, count, mark

_CODE = re.compile(r"(?<!`)`([^`\s](?:[^`]*[^`\s])?)`(?!`)")
_SIGNS = re.compile(r"[\\`*\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])|(?<=\w)!(?=\[)")
_REF = re.compile(r"(?<![\w\[/])#\d+\b")
_OPENS_BLOCK = re.compile(r"^(\d*)([-+=.)]|#(?=#*(?:\s|$)))")  # a list or, below another line, a heading
_PULL = re.compile(r"(?:([\w.-]+/[\w.-]+))?#(\d+)", re.ASCII)
MOST_REFS = 8  # of one item in a line of text, and as many SHAs
MOST_SKILLS = 8  # languages, technologies or practices of a repository
MOST_TECHNOLOGIES = 4  # of a month
OURS = Path(bot.__file__).parent.parent / "templates"
ORDER = ("work", "fixed", "attention", "reverts", "also", "shared")
ALSO = dict.fromkeys(("tests", "docs", "build", "releases", "other"), "also")  # sections that stand under one heading
Web = Mapping[str, str | None]  # the page of each repository, by name; None for one that has none
NOWHERE: Web = MappingProxyType({})


class Templates:
    """The templates, with the context and the filters that docs/templates.md describes."""

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
        filters: dict[str, Callable[..., Any]] = {
            "slack": slack,
            "markdown": markdown,
            "plain": clean,
            "title": lambda month: capital(parse_any_period(month).title),
            "mark": lambda item: mark(item["kind"], item["state"]),
            "refs": shortened_refs,
            "shas": shortened_shas,
            "short": lambda sha: sha[:9],
            "names": names,
            "date": date,
            "count": count,
            "ref_link": lambda line, web: page_of(line, web) or "",
            "linked": linked,
            "chain": chain,
            "numbered": numbered,
            "day": day,
            "code": code,
        }
        self._environment.filters |= filters
        self.filters = frozenset(filters)

    def render(self, template: str, /, **context: Any) -> str:
        """The text a template gives, without blank lines at either end."""
        try:
            return self._environment.get_template(template).render(context).strip("\n")
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            if not (self._own or isinstance(error, TemplateError)):
                raise  # in our own templates that is a bug
            raise SettingsError([f"the template {template} cannot be used: {error}"]) from error

    def source(self, template: str, /) -> str:
        """How a template is worded."""
        loader = self._environment.loader
        return loader.get_source(self._environment, template)[0] if loader else ""

    def month(self, form: str, document: Document, web: Web = NOWHERE) -> str:
        """A document as text, markdown or html, with links where `web` knows a repository's page."""
        return self.render(f"{form}/{sort_of(document)}.j2", **context(document, web))


def sort_of(document: Document) -> str:
    """What a document tells: "month", "digest", "profile", or one of LISTS."""
    if document.get("sort") in LISTS:
        return str(document["sort"])
    return "digest" if "digest" in document else "profile" if "paragraph" in document else "month"


def context(document: Document, web: Web = NOWHERE) -> Document:
    """What a template is given: the document, and what is said of it in more than one form.

    `web` is the page of each of its repositories, `links` that of each of its commits; either is None where there is
    none. Of a month, `sections` are its items by section in the order told, `helped` is a sentence on the commits that
    were reviewed, or empty, and `technologies` names at most four.

    Raises AlmanacError for a document of another schema.
    """
    if document["schema"] != SCHEMA:
        raise AlmanacError(f"this document {other_schema(document['schema'])}")
    sort = sort_of(document)
    if sort in LISTS:
        return {**document, **_pages_of(document, web)}
    months = {"month": [document], "digest": document.get("people"), "profile": document.get("months")}[sort] or []
    named = {one["name"] for one in document["repositories"]}
    named |= {one["repository"] for month in months for one in month["items"]}
    more: Document = {"web": {name: web.get(name) for name in sorted(named)}, "links": links(months, web)}
    if sort == "profile":  # whose themes rest on commits of its months
        named_by_themes = dict.fromkeys(sha for theme in document["themes"] for sha in theme["evidence"])
        more["links"] = {**named_by_themes, **more["links"]}
    if sort == "month":
        return {**document, **more, **_of_month(document)}
    if sort == "digest":
        people = [{**month, **_of_month(month)} for month in months]
        return {**document, **more, "heading": heading(document), "people": people}
    return {**document, **more}


def heading(document: Document) -> str:
    """Of a digest: its time, and of whom it is where that is not everyone; of a release its name says both."""
    if "release" in document:
        return str(document["digest"])
    time = capital(parse_any_period(document["month"]).title)
    whose = f": {document['digest']}" if document["digest"] != "everyone" else ""
    return f"{time}{' (to date)' if document['to_date'] else ''}{whose}"


def _of_month(document: Document) -> Document:
    """What is said of a month in more than one form: nothing here is counted or chosen by a template."""
    return {
        "sections": sections(document),
        "helped": reviews(document["credit"]["reviewed"]),
        "technologies": technologies(document["skills"]),
    }


def sections(document: Document) -> list[Document]:
    """The items by section, in the order told: [{"name": "work", "items": […]}]; below "fixed", titles do not say
    "Fix" once more."""
    found: dict[str, list[Document]] = {}
    for item in document["items"]:
        if item["section"] == "merges":
            continue  # the headline says how many
        if item["section"] == "fixed":
            item = {**item, "lines": [{**line, "title": without_fix(line["title"])} for line in item["lines"]]}
        found.setdefault(ALSO.get(item["section"], item["section"]), []).append(item)
    names = sorted(found, key=ORDER.index)
    if document["attention_first"] and "attention" in found:
        names = ["attention", *(name for name in names if name != "attention")]
    return [{"name": name, "items": found[name]} for name in names]


def technologies(skills: Document) -> list[str]:
    """At most four that tell: the two languages with most lines, then technologies, then further languages. One alone
    tells nothing that the repository does not."""
    languages = [one["name"] for one in skills["languages"]]
    others = [one["name"] for one in skills["technologies"] if one["name"] not in languages]
    found = [*languages[:2], *others, *languages[2:]][:MOST_TECHNOLOGIES]
    return found if len(found) > 1 else []


def _pages_of(document: Document, web: Web) -> Document:
    """The pages of what a list names; whose lines and commits say where they are."""
    of_commits: dict[str, str | None] = {}
    for one in document["commits"]:
        of_commits[one["sha"]] = of_commits.get(one["sha"]) or commit_link(one["sha"], web.get(one["repository"]))
    places = {one["repository"] for one in document["commits"]}
    places |= {one["name"] for one in document["repositories"]}
    places |= {line["repository"] for line in lines_of(document)}
    named = (sha for line in lines_of(document) for sha in line["evidence"])
    return {"web": {name: web.get(name) for name in sorted(places)}, "links": {**dict.fromkeys(named), **of_commits}}


def lines_of(document: Document) -> list[Document]:
    """The lines of a list, in whatever part of it they stand."""
    parts = [one for part in ("people", "sides", "months") for one in document.get(part, ())]
    return [line for part in parts for line in part["items"]]


def links(months: Sequence[Document], web: Web = NOWHERE) -> dict[str, str | None]:
    """The page of each commit that months name. One that several repositories hold is opened where it is told."""
    found: dict[str, str | None] = {}
    for month in months:
        held: dict[str, list[str]] = {}
        for commit in (one for change in month["changes"] for one in change["commits"]):
            held.setdefault(commit["sha"], []).append(commit["repository"])
        for item in month["items"]:
            for sha in item["evidence"]:
                there = held.get(sha, [item["repository"]])  # merges are no changes
                name = item["repository"] if item["repository"] in there else there[0]
                found.setdefault(sha, commit_link(sha, web.get(name)))
        for sentence in (month["headline"], *month["impact"]):
            for sha in sentence["evidence"]:
                found.setdefault(sha, commit_link(sha, web.get(held[sha][0])) if sha in held else None)
    return found


def shortened_refs(refs: Sequence[str]) -> str:
    """ "#12, #13": the first few, and how many more."""
    return ", ".join(refs[:MOST_REFS]) + _more(refs)


def shortened_shas(evidence: Sequence[str]) -> str:
    """ "1a2b3c4d5 6e7f8a9b0": the first few, cut short, and how many more."""
    return " ".join(sha[:9] for sha in evidence[:MOST_REFS]) + _more(evidence)


def _more(every: Sequence[str]) -> str:
    return f" and {len(every) - MOST_REFS:,} more" if len(every) > MOST_REFS else ""


def names(skills: Sequence[Document | str]) -> str:
    """ "Rust, Python": the most used, as they come."""
    return ", ".join(one if isinstance(one, str) else one["name"] for one in skills[:MOST_SKILLS])


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
    """Text for Markdown: what its author marked as code is code, and what else would be taken for signs of Markdown is
    escaped, at the beginning of a line too."""
    parts = _CODE.split(clean(text))
    escaped = "".join(f"`{part}`" if number % 2 else _escaped(part) for number, part in enumerate(parts))
    return _OPENS_BLOCK.sub(r"\1\\\2", escaped)


def _escaped(text: str) -> str:
    """Underscores within a word are no signs in Markdown, and so stay readable."""
    return _SIGNS.sub(r"\\\g<0>", text)


def code(text: str) -> Markup:
    """Text for HTML, with what its author marked as code as code."""
    parts = _CODE.split(clean(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in enumerate(parts)
    )


def commit_link(sha: str, web: str | None) -> str | None:
    """The page of a commit, where its repository has pages."""
    if not web:
        return None
    host = urlsplit(web).netloc
    return f"{web}/-/commit/{sha}" if "gitlab" in host else f"{web}/commit/{sha}"


def ref_link(ref: str, web: str | None) -> str | None:
    """The page of a pull request. Only GitHub's numbers say where they lead."""
    named = _PULL.fullmatch(ref)
    if not web or not named or not web.startswith("https://github.com/"):
        return None
    return f"https://github.com/{named[1]}/pull/{named[2]}" if named[1] else f"{web}/pull/{named[2]}"


def linked(text: str, named: Sequence[Document], web: Web) -> str:
    """Markdown in which each "#12" that is the number of a named change is a link to its page."""
    pages = {one["ref"]: page for one in named if (page := page_of(one, web))}
    return _REF.sub(lambda found: f"[{found[0]}]({pages[found[0]]})" if found[0] in pages else found[0], text)


def numbered(more: Sequence[Document]) -> list[Document]:
    """Of what is named those that have a number, each once."""
    return list({one["ref"]: one for one in more if one["ref"].startswith("#")}.values())


def page_of(line: Document, web: Web) -> str | None:
    """The page of what has a `ref`, a `sha` and a `repository`: of its pull request, or of its commit."""
    at = web.get(line["repository"])
    return ref_link(line["ref"], at) or commit_link(line["sha"], at)


def page(title: str, body: str) -> str:
    """A complete HTML page around what the html templates give."""
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape_html(title)}</title>\n'
        f"{body}\n</html>"
    )
