"""A team's own templates: any file may be replaced, what it is given, and what is said of one that cannot be used."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from values import ADA, ENGINE, INDEXED, UTC_ZONE, WEB, commit, indexed

from bot.commands.export import Page, index_page
from bot.errors import SettingsError
from bot.model import Sentence
from bot.month.calendar import Days, Month
from bot.month.credits import BOTS
from bot.month.facts import FactsContext, month_facts, whole_facts
from bot.slack.render import document_messages
from bot.story.digest import month_digest
from bot.story.documents import Document, MonthDocument, NamedPerson, PeopleDocument, PersonDocument
from bot.story.lists import Listing, changes_document, who_document
from bot.story.month import month_document, profile_document
from bot.story.render import OURS, Templates

OCTOBER = Month(2025, 10)
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]
COMMITS = [commit("Add a plan (#1)", body="Reviewed-by: x"), commit("Fix it", repository=WEB, paths=["a.ts"])]
FILES = sorted(str(path.relative_to(OURS)) for path in OURS.rglob("*.j2") if path.parent.name != "prompt")  # a model's
FORMS = ("text", "markdown", "html", "slack")


def a_month() -> MonthDocument:
    facts = month_facts(ADA, OCTOBER, COMMITS, FactsContext(UTC_ZONE, REPOSITORIES, INDEXED))
    return month_document(facts)


def a_digest() -> Document:
    return month_digest(
        "everyone", OCTOBER, [ADA], COMMITS, FactsContext(UTC_ZONE, REPOSITORIES, INDEXED), BOTS
    ).document


def a_profile() -> Document:
    whole = whole_facts(ADA, COMMITS, (), FactsContext(UTC_ZONE, REPOSITORIES, INDEXED))
    return profile_document(whole)


def the_lists() -> list[Document]:
    """One of each sort."""
    context = FactsContext(UTC_ZONE, REPOSITORIES, INDEXED)
    facts, months = month_facts(ADA, OCTOBER, COMMITS, context), Days.of(OCTOBER)
    listing = Listing((facts,), months, "UTC")
    person = NamedPerson("Ada", (), "Ada", 1, 2, "2025-10", "2025-10", (ENGINE,))
    return [
        changes_document(replace(listing, order="size")),
        who_document(replace(listing, span=None)),
        PeopleDocument(
            title="ada", from_=None, to=None, zone="UTC", to_date=False, headline=Sentence("One.", ()),
            repositories=(), indexed_at=None, notes=("A note.",), people=(person,), nearest=("Eva",),
        ),
    ]  # fmt: skip


def the_pages(templates: Templates) -> str:
    """What an export shows around documents."""
    body = templates.render("html/person.j2", name="Ada", said="2 changes", articles=[("2025-10", "")])
    page = Page("people/ada.html", "People", "Ada: 2 changes", body)
    return templates.page("Ada", body, "index.html") + "\n" + index_page(templates, [page])


@cache
def as_we_word_it() -> dict[str, str]:
    return everything(Templates())


def everything(templates: Templates) -> dict[str, str]:
    """All that templates give, by form."""
    documents = (a_month(), a_digest(), a_profile(), *the_lists())
    messages = document_messages(documents, templates)
    shown = {form: "\n".join(templates.month(form, document) for document in documents) for form in FORMS[:3]}
    shown["html"] += f"\n{the_pages(templates)}"
    help = templates.render("slack/help.j2", name="Ada", month="2025-10", previous="2025-09", released=True)
    return shown | {"slack": "\n".join([*(message.text for message in messages), help])}


def own(folder: Path, file: str, source: str) -> Templates:
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    return Templates(folder)


@pytest.mark.parametrize("file", [file for file in FILES if "/" in file])
def test_any_file_may_be_replaced_and_the_others_stay(file: str, tmp_path: Path) -> None:
    """One of ours with a word more, in the team's folder: the word is there, and all else is as it was."""
    source = (OURS / file).read_text()
    macro = re.sub(r"({% macro .+? %})", r"\1Zzz{% set _ = 1 %}", source, count=1)
    ours, theirs = as_we_word_it(), everything(own(tmp_path, file, macro if "macro" in source else f"Zzz\n\n{source}"))
    form = file.partition("/")[0]
    for other in FORMS:
        is_worded = form in ("markdown", other)  # which all forms are written from
        assert ("Zzz" in theirs[other]) == is_worded
        assert is_worded or theirs[other] == ours[other]
        assert re.sub(r"Zzz|<p>Zzz</p>", "", theirs[other]).split() == re.sub("<p></p>", "", ours[other]).split()


@pytest.mark.parametrize("file", FILES)
def test_whatever_file_uses_what_is_not_there_is_named(file: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"the template [\w/]+\.j2 cannot be used: 'missing' is undefined"):
        everything(own(tmp_path, file, "{{ missing }}"))


def test_pages_are_escaped_in_a_teams_files_too(tmp_path: Path) -> None:
    """Also where a file of theirs forgets to escape what it is given."""
    templates = own(tmp_path, "markdown/month.j2", "<i>{{ person.name }}</i>")
    document = replace(a_month(), person=PersonDocument("<b>Ada</b>", ()))
    assert "<p>&lt;i&gt;&lt;b&gt;Ada&lt;/b&gt;&lt;/i&gt;</p>" in templates.month("html", document)


def test_a_document_is_never_a_template(tmp_path: Path) -> None:
    """What it says in braces stays as it is, through every filter."""
    said = "{{ 7 * 7 }} {% include 'markdown/month.j2' %}"
    document = replace(a_month(), headline=Sentence(said, ()))
    source = "{{ headline.text }}|{{ headline.text|markdown }}"
    assert own(tmp_path, "markdown/month.j2", source).month("text", document) == f"{said}|{said}"


def test_the_example_of_the_page_works(tmp_path: Path) -> None:
    """docs/templates.md shows a file of a team's, and what it gives."""
    page = (OURS.parent / "docs" / "templates.md").read_text()
    source = page.partition("```jinja\n")[2].partition("```")[0]
    given = page.partition("```text\n")[2].partition("```")[0]
    document = a_month()
    items = tuple(
        replace(document.items[0], title=title, repository=repository, refs=refs)
        for title, repository, refs in (
            ("Plans of several days", ENGINE, ("#12", "#13")),
            ("First paint", WEB, ("#7",)),
        )
    )
    document = replace(document, items=items)
    assert own(tmp_path, "markdown/month.j2", source).month("text", document) + "\n" == given
