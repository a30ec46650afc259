"""Facts become a story, a document and pages, with every commit in them and nothing that harms a reader."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from exports import faults
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from values import ADA, ENGINE, INDEXED, UTC_ZONE, WEB, Json, another_commit, commit, indexed, read

from bot.errors import SettingsError
from bot.model import Commit, Identity, Person, Sentence
from bot.month.calendar import Month
from bot.month.facts import FactsContext, MonthFacts, month_facts
from bot.month.title import plain_title
from bot.slack.elements import MAX_HEADER
from bot.slack.render import rows_of
from bot.story.documents import to_json
from bot.story.month import month_document
from bot.story.render import Templates, html_of, markdown, slack, text_of
from bot.wording import clean, shortened

OCTOBER = Month(2025, 10)
TEMPLATES = Templates()
FORMS = ("text", "markdown", "html")
HOSTILE = (
    "<script>alert(1)</script> & \"quoted\" 'too' <!channel>",
    "\x1b[31mred\x1b[0m \x07bell \u202eturned\u2066",
    "# no heading *no* _stress_ `code` [a](javascript:x) ~~x~~ |",
    "{{ 7 * 7 }} {% raw %} ${x}",
    "- a bullet\nand another line",
    "&lt;b&gt; &amp;amp;",
    "x" * 10_000,
    "中文 emoji 👩‍💻 ALL CAPS.",
    "",
)


def facts_of(*commits: Commit, person: Person = ADA, **more: object) -> MonthFacts:
    return month_facts(
        person, OCTOBER, commits, FactsContext(UTC_ZONE, [indexed(ENGINE), indexed(WEB)], INDEXED), **more
    )  # type: ignore[arg-type]


def document_of(*commits: Commit, **more: object) -> Json:
    facts = facts_of(*commits, **more)  # type: ignore[arg-type]
    return to_json(month_document(facts))


# --- the JSON

HOUSE = {  # the keys of the house page, which stay whatever is added
    "": "schema person month zone to_date counts repositories headline items impact skills credit changes coverage "
    "indexed_at notes",
    "person": "name addresses",
    "counts": "commits changes landed backed_out relanded additions deletions",
    "repositories": "name commits changes",
    "headline": "text evidence",
    "items": "title text kind state repository refs evidence",
    "skills": "languages technologies practices",
    "credit": "reviewed coauthored",
    "changes": "id commits subject kind state by reverted_in relanded_in refs",
    "coverage": "commits_told commits_total",
}


@pytest.mark.parametrize(
    "commits",
    [[], [commit("Add a thing (#1)")], [commit("Add a thing"), commit("Merge pull request #2 from a/b", merge=True)]],
    ids=["empty", "one", "with a merge"],
)
def test_a_months_json_has_the_keys_of_the_house_page(commits: list[Commit]) -> None:
    document = document_of(*commits)
    for key, names in HOUSE.items():
        part = document[key] if key else document
        for one in part if isinstance(part, list) else [part]:
            assert set(names.split()) <= set(one)


_commits = st.lists(
    st.builds(
        lambda number, repository, merge, body: commit(
            f"Change {number} (#{number})",
            sha=f"{number:02}{int(merge)}0" * 10,
            repository=repository,
            merge=merge,
            body=body,
        ),
        st.integers(0, 12),
        st.sampled_from([ENGINE, WEB]),
        st.booleans(),
        st.sampled_from(["", "This made 40 keys faster.", "See abcdef1234 and #99 for more of it."]),
    ),
    max_size=15,
)


@given(_commits)
def test_nothing_is_dropped_and_nothing_is_told_twice(commits: list[Commit]) -> None:
    """The evidence of the items holds every commit of the month, merges too, each in one item."""
    document = document_of(*commits)
    told = [sha for item in document["items"] for sha in item["evidence"]]
    assert {one.sha for one in commits} == set(told)
    assert len(told) == len(set(told))
    assert document["coverage"] == {"commits_told": len(told), "commits_total": len(told)}
    for form in FORMS:
        assert TEMPLATES.month(form, read(document))


def test_merges_of_each_repository_are_told_apart_so_that_links_lead_there() -> None:
    """One that two repositories hold is shown in the first of them."""
    document = document_of(
        another_commit("Merge branch 'x'", merge=True),
        another_commit("Merge branch 'y'", merge=True, repository=WEB),
        *(commit("Merge branch 'both'", merge=True, repository=name, sha="b" * 40) for name in (WEB, ENGINE)),
    )
    told = [(item["section"], item["repository"], len(item["evidence"])) for item in document["items"]]
    assert told == [("merges", ENGINE, 2), ("merges", WEB, 1)]
    assert "3 branches" in document["headline"]["text"]


@pytest.mark.parametrize(
    ("subject", "told"),
    [
        ("Fix the cache (#123)", "Fix the cache"),
        ("To be continued...", "To be continued..."),
        ("* - Cleanup", "Cleanup"),
        ("-1 is no index", "-1 is no index"),
        (" \x1b[31m ", "(no subject)"),
        ("(#12)", "(#12)"),
    ],
)
def test_what_a_change_is_called_is_its_subject_word_for_word(subject: str, told: str) -> None:
    assert told == plain_title(subject)


# --- pages


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.text, self.tags, self.attributes = "", list[str](), list[tuple[str, str | None]]()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("form", FORMS)
def test_hostile_text_steers_nothing(form: str, text: str) -> None:
    """Wherever it stands: in names, titles, tags, labels, quotations, measurements, reasons and notes."""
    person = Person(text or "Ada", (Identity(text, "ada@example.com", 1),))
    body = f"{text} is so that no plan is lost.\n\nReads of {text[:80]} go from 9 s to 3 s."
    commits = [
        commit(f"[{text[:40]}] {text}", body=body, author=person, sha="a" * 40),
        commit(f"[{text[:40]}] and {text}", body=body, author=person, at="2025-10-05 12:00"),
        commit(text, body=f"This reverts commit {'a' * 40}.\n\nDue to {text} it failed.", author=person,
               at="2025-10-07 12:00"),
    ]  # fmt: skip
    month = month_document(facts_of(*commits, person=person, notes=[text]))
    told = TEMPLATES.month(form, replace(month, impact=(Sentence(clean(text), ()),)))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", told)
    if form == "html":
        parsed = _Text()
        parsed.feed(told)
        assert faults("html", told) == []
        assert all(
            bare(line["title"]) in bare(parsed.text) for item in to_json(month)["items"] for line in item["lines"]
        )


def bare(text: str) -> str:
    """Without the marks of code."""
    return text.replace("`", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[vectors] [1/3] Store a & b", "[vectors] [1/3] Store a & b"),
        ("2 * 3 < 7 > 5, a|b, ~5 ms for $6", "2 * 3 < 7 > 5, a|b, ~5 ms for $6"),
        ("snake_case and C:\\path", "snake_case and C:\\path"),
        ("**a** _b_ ~~c~~ $d$", r"\*\*a\*\* \_b_ ~\~c\~\~ $d\$"),
        ("[a](b) ![c](d)", r"\[a\](b) !\[c\](d)"),
        ("[x] done", r"\[x\] done"),
        ("[a]: https://evil.example", r"\[a\]: https://evil.example"),
        ("<b> &lt; > |", r"\<b> \&lt; > |"),
        ("Escape < as &lt", r"Escape < as \&lt"),  # a list of titles goes on with ";"
        ("> a", r"\> a"),
        ("2.2.12 of +edit", "2.2.12 of +edit"),
        ("+edit, 2.", "+edit, 2."),
        ("1. Mill", r"1\. Mill"),
        ("- a", r"\- a"),
        ("---", r"\---"),
        ("By Juan <17+juan@example.com>, 1 <2", r"By Juan \<17+juan@example.com>, 1 <2"),
    ],
)
def test_markdown_escapes_only_what_would_be_a_sign(text: str, shown: str) -> None:
    assert markdown(text) == shown


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_markdown_reads_back_as_the_text(text: str) -> None:
    """A title in a list stays one line of text and code: no block, no stress, no link, no HTML comes of it."""
    shown = markdown(text)
    tokens = MarkdownIt("commonmark").parse(f"- {shown or 'x'}\n  {shown or 'x'}")
    assert [t.type for t in tokens[:5]] == [
        "bullet_list_open",
        "list_item_open",
        "paragraph_open",
        "inline",
        "paragraph_close",
    ]
    inline = [child for token in tokens for child in token.children or []]
    assert {child.type for child in inline} <= {"text", "softbreak", "text_special", "code_inline"}
    line = "".join("\n" if child.type == "softbreak" else child.content for child in inline)
    assert [bare(clean(text) or "x")] * 2 == bare(line).split("\n")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_every_form_says_what_markdown_was_told(text: str) -> None:
    """As a heading, a paragraph and an item, in a terminal, on a page and in Slack."""
    told = clean(text) or "x"
    shown = markdown(told)
    given = f"# {shown}\n\n{shown}\n\n- {shown}\n  {shown}"
    assert bare(text_of(given)) == bare(f"{told}\n{told}\n\n- {told}\n  {told}")
    parsed = _Text()
    parsed.feed(html_of(given, level=2))
    assert bare(parsed.text).split() == bare(told).split() * 4
    assert set(parsed.tags) - {"code"} == {"h2", "p", "ul", "li", "br"}
    rows = [bare("".join(leaf["text"] for leaf in row.leaves)).strip("\n") for row in rows_of(given)]
    twice = f"{bare(told)}\n{bare(told)}".strip("\n")
    assert rows == [bare(shortened(told, MAX_HEADER)), bare(told), twice]


def test_slack_gets_exactly_its_three_signs_escaped() -> None:
    assert slack("<!channel> & *x* \"'") == "&lt;!channel&gt; &amp; *x* \"'"


# --- templates of a team


@pytest.mark.parametrize(
    "source",
    [
        "{{ nothing_of_the_kind }}",
        "{{ person.age }}",
        "{% if %}",
        "{{ 1 / 0 }}",
        "{{ month|nofilter }}",
        "{{ counts + 1 }}",
    ],
)
def test_a_template_that_cannot_be_used_is_named(tmp_path: Path, source: str) -> None:
    """A missing fact is an error, and one that its writer can mend."""
    (tmp_path / "markdown").mkdir()
    (tmp_path / "markdown" / "month.j2").write_text(source)
    with pytest.raises(SettingsError, match=r"the template markdown/month\.j2 cannot be used"):
        Templates(tmp_path).month("text", read(document_of(commit())))
