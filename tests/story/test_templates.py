"""A team's own templates: any file may be replaced, what it is given, and what is said of one that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest
from values import ADA, ENGINE, INDEXED, UTC_ZONE, WEB, commit, indexed

from bot.ask.months import Material
from bot.ask.profiles import whole_facts
from bot.errors import SettingsError
from bot.month.calendar import Month, MonthRange
from bot.month.facts import month_facts
from bot.month.histories import by_commit, histories_of
from bot.month.names import as_signed
from bot.settings import BOTS
from bot.slack.blocks import month_messages
from bot.slack.lists import changes_messages
from bot.slack.messages import help_message
from bot.story.comparison import Side, comparison_document
from bot.story.digest import month_digest
from bot.story.document import Document, digest_document, month_document
from bot.story.listing import Listing, changes_document
from bot.story.profile.document import profile_document
from bot.story.render import OURS, Templates
from bot.story.shipped import shipped_document
from bot.story.story import month_story
from bot.story.touched import Touched, who_document

OCTOBER = Month(2025, 10)
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]
COMMITS = [commit("Add a plan (#1)", body="Reviewed-by: x"), commit("Fix it", repository=WEB, paths=["a.ts"])]
FILES = sorted(
    str(path.relative_to(OURS)) for path in OURS.glob("*/*.j2") if path.parent.name != "prompt"  # a model's
)  # fmt: skip


def a_month() -> Document:
    facts = month_facts(ADA, OCTOBER, UTC_ZONE, COMMITS, REPOSITORIES, INDEXED)
    return month_document(facts, month_story(facts))


def a_digest() -> Document:
    return digest_document(month_digest("everyone", OCTOBER, UTC_ZONE, [ADA], COMMITS, REPOSITORIES, INDEXED, BOTS))


def a_profile() -> Document:
    material = Material(tuple(COMMITS), (), by_commit(histories_of(COMMITS)))
    whole = whole_facts(ADA, material, REPOSITORIES, UTC_ZONE, INDEXED, names=as_signed, dates="author")
    return profile_document(whole, {facts.month: month_story(facts) for facts in whole.months})


def the_lists() -> list[Document]:
    """One of each sort."""
    facts, months = month_facts(ADA, OCTOBER, UTC_ZONE, COMMITS, REPOSITORIES, INDEXED), MonthRange(OCTOBER, OCTOBER)
    digest = month_digest("everyone", OCTOBER, UTC_ZONE, [ADA], COMMITS, REPOSITORIES, INDEXED, BOTS)
    return [
        changes_document(Listing((facts,), months, "UTC", to_date=False)),
        comparison_document([Side(name, months, facts) for name in ("One", "Other")]),
        who_document(Touched("plan", (facts,), "UTC")),
        shipped_document("everyone", months, "UTC", to_date=False, digests=[digest]),
    ]


def everything(templates: Templates) -> dict[str, str]:
    """All that templates give, by the folder of the form."""
    documents = (a_month(), a_digest(), a_profile(), *the_lists())
    shown = {
        form: "\n".join(templates.month(form, document) for document in documents)
        for form in ("text", "markdown", "html")
    }
    messages = [
        *month_messages(a_month(), templates),
        help_message(templates, None),
        *changes_messages(the_lists()[0], templates),
    ]
    return shown | {"slack": "\n".join(message.text for message in messages)}


def own(folder: Path, file: str, source: str) -> Templates:
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    return Templates(folder)


def test_every_form_has_its_files() -> None:
    assert FILES == [
        "html/changes.j2", "html/commit.j2", "html/comparison.j2", "html/digest.j2", "html/footer.j2", "html/item.j2",
        "html/list_footer.j2", "html/month.j2", "html/profile.j2", "html/shipped.j2", "html/who.j2",
        "markdown/changes.j2", "markdown/commit.j2", "markdown/comparison.j2", "markdown/digest.j2",
        "markdown/footer.j2", "markdown/item.j2", "markdown/list_footer.j2", "markdown/month.j2", "markdown/profile.j2",
        "markdown/shipped.j2", "markdown/who.j2",
        "slack/footer.j2", "slack/help.j2", "slack/list_footer.j2",
        "text/changes.j2", "text/comparison.j2", "text/digest.j2", "text/footer.j2", "text/item.j2",
        "text/list_footer.j2", "text/month.j2", "text/profile.j2", "text/shipped.j2", "text/who.j2",
    ]  # fmt: skip


@pytest.mark.parametrize("file", FILES)
def test_any_file_may_be_replaced_and_the_others_stay(file: str, tmp_path: Path) -> None:
    """One of ours with a word more, in the team's folder: the word is there, and all else is as it was."""
    ours = everything(Templates())
    theirs = everything(own(tmp_path, file, "Zzz" + (OURS / file).read_text()))
    form = file.partition("/")[0]
    assert "Zzz" in theirs[form] and theirs[form].replace("Zzz", "") == ours[form]
    assert {name: text for name, text in theirs.items() if name != form} == {
        name: text for name, text in ours.items() if name != form
    }


@pytest.mark.parametrize("file", FILES)
def test_whatever_file_uses_what_is_not_there_is_named(file: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"the template \w+/\w+\.j2 cannot be used: 'missing' is undefined"):
        everything(own(tmp_path, file, "{{ missing }}"))


def test_html_is_escaped_in_a_teams_files_too(tmp_path: Path) -> None:
    templates = own(tmp_path, "html/month.j2", "<p>{{ person.name }}</p>")
    document = a_month()
    document["person"]["name"] = "<b>Ada</b>"
    assert templates.month("html", document) == "<p>&lt;b&gt;Ada&lt;/b&gt;</p>"


def test_a_document_is_never_a_template(tmp_path: Path) -> None:
    """What it says in braces stays as it is, through every filter."""
    document = a_month()
    document["headline"]["text"] = "{{ 7 * 7 }} {% include 'text/month.j2' %}"
    source = "{{ headline.text }}|{{ headline.text|plain }}|{{ headline.text|slack }}"
    told = own(tmp_path, "text/month.j2", source).month("text", document)
    assert told == "|".join([document["headline"]["text"]] * 3)


def test_the_example_of_the_page_works(tmp_path: Path) -> None:
    """docs/templates.md shows a file of a team's, and what it gives."""
    page = (OURS.parent / "docs" / "templates.md").read_text()
    source = page.partition("```jinja\n")[2].partition("```")[0]
    given = page.partition("```text\n")[2].partition("```")[0]
    document = a_month()
    document["items"] = [
        {**document["items"][0], "title": title, "repository": repository, "evidence": shas}
        for title, repository, shas in (
            ("Plans of several days", ENGINE, ["5b" * 20, "4c7e" * 10]),
            ("First paint", WEB, ["9d02" * 10]),
        )
    ]
    assert own(tmp_path, "text/month.j2", source).month("text", document) + "\n" == given
