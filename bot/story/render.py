"""Documents → words, through the templates. A team's own folder of templates goes before ours.

Templates choose words and order; they never count, sort or filter. A fact that is missing is an error. They write
Markdown, one for each sort of document; text, pages and messages of Slack are written from the tree of that, so text
from git is escaped once, by `markdown`, and once more as each form writes it.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError
from markupsafe import Markup

import bot
from bot.errors import SettingsError
from bot.month.calendar import NAMES, parse_any_period
from bot.month.title import plain_title
from bot.story.documents import ChangeReference, DigestDocument, ListDocument, MonthDocument, keys_of
from bot.story.lines import chain, day
from bot.wording import KIND_NAMES, capital, clean, count, kind_heading, mark

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from bot.story.documents import Document, LineDocument, ListedChange, ThingDocument

_CODE = re.compile(r"(?<!`)`([^`\s](?:[^`]*[^`\s])?)`(?!`)")
# Signs of Markdown, and of GitHub's: only where they would be taken for one. A tilde or a dollar that follows a blank
# can begin something and end nothing; ends are escaped, so nothing begins. Of underlines only beginnings are.
_SIGNS = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|$)|`|(?<!\s)\*|\*(?!\s)|(?<![^\W_])_|<(?=[A-Za-z/!?]|[^\s<>]+@)"
    r"|&(?=#?\w+(?:;|$))|(?<!\s)[~$]|[~$](?=\s|$)|^[>|]|(?<=\s)#(?=#*$)"
)
_PAIR = re.compile(r"\[[^\[\]]*\]")
_BRACKETS = re.compile(r"[\[\]]")
_LINKS = re.compile(r"\][(\[]|^\[[ xX]\]|^\[[^\]]*\]:|!\[")  # a link, a box to tick, or where a link leads
_CODE_OR_REF = re.compile(rf"{_CODE.pattern}|(?<![\w\[/])(?:#\d+|[0-9a-f]{{9}})\b")
# A list or, below another line, a heading or a rule; "2.2.12" is neither.
_OPENS_BLOCK = re.compile(r"^(\d*)([-+.)](?=\s|$)|[-=](?=[-=\s]*$)|#(?=#*(?:\s|$)))")
_PULL = re.compile(r"(?:(?P<at>[\w.-]+/[\w.-]+)|[\w.-]+)?(?P<sign>[#!])(?P<number>\d+)", re.ASCII)
_FORGES = tuple(
    (re.compile(pattern), pages)
    for pattern, pages in (
        (r"^\w+://bitbucket\.org/|/(?:projects|users)/[^/]+/repos/[^/]+$", ("commits", "#", "pull-requests")),
        (
            r"^\w+://(?:[^/]*gitlab|code\.videolan\.org/|framagit\.org/|invent\.kde\.org/|salsa\.debian\.org/)",
            ("-/commit", "!", "-/merge_requests"),
        ),
        (r"/_git/", ("commit", "!", "pullrequest")),
        (r"^\w+://[^/]+\.googlesource\.com/", ("+", "", "")),
        (r"^\w+://(?:codeberg\.org/|[^/]*(?:gitea|forgejo))", ("commit", "#", "pulls")),
        (r"^\w+://github\.com/", ("commit", "#", "pull")),
        (r"", ("commit", "", "pull")),
    )
)
MOST_REFS = 8  # of one item in a line of text
OURS = Path(bot.__file__).parent.parent / "templates"
WITHOUT_NUMBERS = ("changes", "commits", "repositories", "evidence", "named")  # fields that show none
Web = Mapping[str, str | None]  # the page of each repository, by name; None for one that has none
NOWHERE: Web = MappingProxyType({})
T = TypeVar("T")
Citable: TypeAlias = "ChangeReference | LineDocument | ListedChange | ThingDocument"  # has a number, or a SHA


class Templates:
    """The templates, with the context and the filters that docs/templates.md describes."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise SettingsError([f"almanac.toml: templates: there is no folder {folder}"])
        self._own = folder
        self._environment = Environment(  # see autoescape
            loader=FileSystemLoader([folder, OURS] if folder else [OURS]),
            undefined=StrictUndefined,
            # Only what stands around documents on a page is escaped here.
            autoescape=lambda name: bool(name and name.startswith("html/")),  # noqa: S701
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= {
            "slack": slack,
            "markdown": markdown,
            "title": lambda month: capital(parse_any_period(month).title),
            "noun": lambda month: parse_any_period(month).noun,
            "refs": shortened_refs,
            "count": count,
            "ref_link": page_of,
            "linked": linked,
            "chain": chain,
            "numbered": numbered,
            "rest": rest_of,
            "day": day_of,
            "marked": marked,
            "fate": fate,
            "code": lambda text: Markup(_parser().renderInline(markdown(text))),  # noqa: S704 - which escapes all else
            "commit_page": lambda one, web: commit_link(one.sha, web.get(one.repository)) or "",
        }

    def render(self, template: str, /, **context: Any) -> str:
        """The text a template gives, without blank lines at either end."""
        try:
            return self._environment.get_template(template).render(context).strip("\n")
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            if not (self._own or isinstance(error, TemplateError)):
                raise  # in our own templates that is a bug
            frames = [Path(one.filename) for one in traceback.extract_tb(error.__traceback__)]
            own = [one.relative_to(self._own).as_posix() for one in frames if self._own and self._own in one.parents]
            do = f"; compare it in {self._own} with ours in {OURS}, or remove it" if self._own else ""
            raise SettingsError([f"the template {[template, *own][-1]} cannot be used: {error}{do}"]) from error

    def source(self, template: str, /) -> str:
        """How a template is worded."""
        loader = self._environment.loader
        return loader.get_source(self._environment, template)[0] if loader else ""

    def markdown(self, document: Document, web: Web = NOWHERE, level: int = 1) -> str:
        """A document as Markdown, never with two blank lines in a row, and with links where `web` knows a repository's
        page. `level` is where its first heading will stand: below the first, somebody's month is called by its time."""
        text = self.render(f"markdown/{document.template}.j2", **context(document, web), level=level)
        return re.sub(r"\n{3,}", "\n\n", text)

    def month(self, form: str, document: Document, web: Web = NOWHERE, level: int = 1) -> str:
        """A document as text, markdown or html, which is an article whose first heading is of that level."""
        text = self.markdown(document, web, level)
        if form == "markdown":
            return text
        if form == "text":
            return text_of(text)
        rows = evidence(document) if isinstance(document, MonthDocument) else []
        folded = self.render("html/evidence.j2", rows=rows, web=web)
        return f"<article>\n{html_of(text, level)}{folded}\n</article>"

    def page(self, title: str, body: str, index: str = "") -> str:
        """A complete HTML page around what the html templates give, with a link to the `index` above it."""
        return self.render("html/page.j2", title=title, body=body, index=index)


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """A heading, a paragraph or what stands in an item of a list: `content` is its text, code and links as markdown-it
    has them, or a block of code. `depth` counts the lists that it is in; it `begins` an item, or goes on in one."""

    is_heading: bool
    depth: int
    begins: bool
    content: Token


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # which JSON does without

    return MarkdownIt("commonmark", {"html": False, "breaks": True})


def blocks_of(text: str) -> Iterator[MarkdownBlock]:
    """The blocks of a Markdown text."""
    depth, begins, is_heading = 0, False, False
    for token in _parser().parse(text):
        if token.type.startswith(("bullet_list", "ordered_list")):
            depth += token.nesting
        elif token.type.startswith("list_item"):
            begins = token.nesting == 1
        elif token.type.startswith("heading"):
            is_heading = token.nesting == 1
        elif token.type in ("inline", "fence", "code_block"):
            yield MarkdownBlock(is_heading, depth, begins, token)
            begins = False


def text_of(text: str) -> str:
    """A Markdown text for a terminal: each heading directly above what it heads, an item behind a "-"."""
    said, before = "", None
    for block in blocks_of(text):
        margin = "  " * block.depth
        words = "".join(map(_plain, block.content.children or [block.content])).replace("\n", f"\n{margin}")
        is_close = before and (before.is_heading or (before.depth and block.depth))
        gap = "\n" if is_close else "\n\n" if before else ""
        said += f"{gap}{f'{margin[2:]}- ' if block.begins else margin}{words}"
        before = block
    return said


def _plain(leaf: Token) -> str:
    if leaf.type in ("softbreak", "hardbreak"):
        return "\n"
    return f"`{leaf.content}`" if leaf.type == "code_inline" else leaf.content


def html_of(text: str, level: int = 1) -> str:
    """A Markdown text for a page, with its first heading of that level."""
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type.startswith("heading"):
            token.tag = f"h{int(token.tag[1]) + level - 1}"
    return str(parser.renderer.render(tokens, parser.options, {}))


def evidence(month: MonthDocument) -> list[dict[str, Any]]:
    """The changes of a month with their commits, newest first; "marked" is what became of one, empty for what simply
    landed."""
    days = {one.id: min(commit.author_date for commit in one.commits)[:10] for one in month.changes}
    return [
        {
            "change": one, "title": plain_title(one.subject), "on": day(days[one.id], month.month),
            "kind": kind_heading(one.kind), "marked": mark(one.kind, one.state),
        }
        for one in sorted(month.changes, key=lambda one: days[one.id], reverse=True)
    ]  # fmt: skip


def context(document: Document, web: Web = NOWHERE) -> dict[str, Any]:
    """What a template is given: the document by its keys, and what is said of it in more than one form.

    `web` is the page of each of its repositories, or None. Where there are several, each number says of which it is.
    """
    names = (one if isinstance(one, str) else one.name for one in document.repositories)
    pages = {name: web.get(name) for name in names}
    if len(pages) > 1 and not isinstance(document, ListDocument):
        document = with_repositories(document, short_names(pages))
    more: dict[str, Any] = {"web": pages, "document": document}
    if isinstance(document, MonthDocument):
        more |= {"sections": document.sections, "helped": document.helped}
    if isinstance(document, DigestDocument):
        more |= {"heading": heading(document), "sections": document.sections, "more": document.more}
        more |= {"usual_release": document.usual_release}
    return {**keys_of(document), **more}


def heading(document: DigestDocument) -> str:
    """Of a digest: its time, and of whom it is where that is not everyone; of a release its name says both."""
    if document.release:
        return document.digest
    time = capital(parse_any_period(document.month).title)
    whose = f": {document.digest}" if document.digest != "everyone" else ""
    return f"{time}{' (to date)' if document.to_date else ''}{whose}"


def short_names(names: Iterable[str]) -> dict[str, str]:
    """What stands for each repository before a number: the last part of its name, if that is no other's."""
    last = {name: name.rpartition("/")[2] for name in names}
    return {name: short if list(last.values()).count(short) == 1 else name for name, short in last.items()}


def with_repositories(value: Any, names: Mapping[str, str], own: str = "") -> Any:
    """A document, or a part of one, whose numbers name their repository: "web#12". `own` is that of the part around."""
    if isinstance(value, tuple):
        return tuple(with_repositories(one, names, own) for one in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    if isinstance(value, MonthDocument) and len(value.repositories) == 1:  # of a profile: its first line says where
        names = {**names, value.repositories[0].name: ""}
    own = getattr(value, "repository", own)
    held = {one.name: getattr(value, one.name) for one in fields(value) if one.name not in WITHOUT_NUMBERS}
    changed = {name: with_repositories(one, names, own) for name, one in held.items()}
    if changed.get("ref", "")[:1] in ("#", "!"):
        changed["ref"] = f"{names.get(own, own)}{changed['ref']}"
    return replace(value, **changed)


def shortened_refs(refs: Sequence[str]) -> str:
    """ "#12, #13": the first few, and how many more."""
    more = f" and {len(refs) - MOST_REFS:,} more" if len(refs) > MOST_REFS else ""
    return ", ".join(refs[:MOST_REFS]) + more


def slack(text: str) -> str:
    """Text for Slack: exactly the three characters it asks to escape.

    https://docs.slack.dev/messaging/formatting-message-text#escaping
    """
    return clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def slack_lines(text: str) -> str:
    """Text of several lines for Slack, those of a list with its own sign."""
    return "\n".join(slack(re.sub(r"^- ", "• ", one)) for one in text.splitlines())


def markdown(text: str) -> str:
    """Text for Markdown: what its author marked as code is code, and what else would be taken for signs of Markdown is
    escaped, at the beginning of a line too."""
    parts = _CODE.split(clean(text))
    escaped = "".join(f"`{part}`" if number % 2 else _escaped(part) for number, part in enumerate(parts))
    return _OPENS_BLOCK.sub(r"\1\\\2", escaped)


def markdown_lines(text: str) -> str:
    """Text of several lines for Markdown, those of a list as such."""
    return "\n".join(f"- {markdown(one[2:])}" if one.startswith("- ") else markdown(one) for one in text.splitlines())


def _escaped(text: str) -> str:
    """Only what Markdown would take for a sign: "[mill] 2 * 3 < 7 & more" stays as it is."""
    found = _SIGNS.sub(r"\\\g<0>", text)
    may_link = _LINKS.search(text) or _BRACKETS.search(_PAIR.sub("", text))  # or ends the link that it stands in
    return _BRACKETS.sub(r"\\\g<0>", found) if may_link else found


def commit_link(sha: str, web: str | None) -> str | None:
    """The page of a commit, where its repository has pages."""
    return f"{web}/{_pages(web)[0]}/{sha}" if web else None


def ref_link(ref: str, web: str | None) -> str | None:
    """The page of a pull request, on forges whose numbers say where they lead: "#12", "!12" of GitLab and Azure."""
    named = _PULL.fullmatch(ref)
    if not web or not named or named["sign"] != (of := _pages(web))[1]:
        return None
    if not named["at"] or web.endswith(f"/{named['at']}"):
        return f"{web}/{of[2]}/{named['number']}"
    return f"https://github.com/{named['at']}/pull/{named['number']}" if of[2] == "pull" else None


def _pages(web: str) -> tuple[str, str, str]:
    """Under which folder a forge shows commits, with which sign it writes pull requests, and under which it shows them;
    no sign where that is not known."""
    return next(pages for pattern, pages in _FORGES if pattern.search(web))


def linked(text: str, named: Sequence[ChangeReference], web: Web) -> str:
    """Markdown in which each "#12", or beginning of a SHA, by which a named change is called is a link to its page, but
    not in code."""
    pages = {one.ref: page for one in named if (page := page_of(one, web))}
    return _CODE_OR_REF.sub(lambda found: f"[{found[0]}]({pages[found[0]]})" if found[0] in pages else found[0], text)


def day_of(iso: str) -> str:
    """ "5 October 2025"."""
    day = date.fromisoformat(iso)
    return f"{day.day} {NAMES[day.month - 1]} {day.year}"


def marked(row: ListedChange) -> str:
    """The kind of a change in a list, where it is sure, and what became of it, unless its fate says so."""
    kind = KIND_NAMES[row.kind] if row.sure is None and row.kind != "chore" else ""
    return ", ".join(filter(None, [kind, "" if row.reverted_in else mark(row.kind, row.state)]))


def fate(row: ListedChange) -> str:
    """In what a change of a list was taken out, by whom, when and why, and in what it came back; of a revert what it
    takes out."""
    reason = f": “{row.reason}”" if row.reason else ""
    if row.undoes:
        return f", takes out {row.undoes}{reason}"
    if not row.reverted_in:
        return ""
    part = "partly " if row.state == "partly" else ""
    back = f"; back in {row.back_in} on {day_of(row.back_on)}" if row.back_in and row.back_on else ""
    by, when = f" by {row.reverted_by}" if row.reverted_by else "", f" on {day_of(row.reverted_on or row.on)}"
    return f", {part}taken out in {row.reverted_in}{by}{when}{reason}{back}"


def numbered(more: Sequence[Citable]) -> list[Citable]:
    """Of what is named those that have a number, each once."""
    return list({one.ref: one for one in more if _PULL.fullmatch(one.ref.partition(" ")[0])}.values())


def rest_of(more: Sequence[ChangeReference]) -> str:
    """What has no line of its own: one by its short title with its number, where it has that, several counted."""
    if len(more) == 1 and more[0].title:
        return f"and {more[0].title} ({more[0].ref})"
    return f"and {len(more)} more"


def page_of(line: Citable, web: Web) -> str:
    """The page of what has a `ref`, a `sha` and a `repository`: of its pull request, or of its commit; else empty."""
    at = web.get(line.repository)
    return ref_link(line.ref.partition(" ")[0], at) or commit_link(line.sha, at) or ""
