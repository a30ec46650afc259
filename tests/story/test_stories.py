"""Facts become a story, a document and pages, with every commit in them and nothing that harms a reader."""

from __future__ import annotations

import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, another_commit, changed, commit, indexed, somebody

from bot.errors import SettingsError
from bot.model import Commit, Identity, MonthFacts, Person
from bot.month.calendar import Month
from bot.month.facts import month_facts
from bot.month.people import everyone
from bot.settings import BOTS
from bot.story.digest import month_digest
from bot.story.document import Document, digest_document, month_document
from bot.story.render import Templates, commit_link, markdown, page, ref_link, slack
from bot.story.story import month_story
from bot.story.wording import clean, plain_title

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
    return month_facts(person, OCTOBER, UTC_ZONE, commits, [indexed(ENGINE), indexed(WEB)], INDEXED, **more)  # type: ignore[arg-type]


def document_of(*commits: Commit, **more: object) -> Document:
    facts = facts_of(*commits, **more)  # type: ignore[arg-type]
    return month_document(facts, month_story(facts))


# --- the JSON

SHAPE = {  # as the house page has it, and the figures that charts show
    "schema": int,
    "person": {"name": str, "addresses": [str]},
    "month": str,
    "zone": str,
    "to_date": bool,
    "counts": dict.fromkeys(["commits", "changes", "landed", "backed_out", "relanded", "additions", "deletions"], int),
    "figures": {"weeks": [{"from": str, "to": str, "changes": int}], "kinds": [{"kind": str, "changes": int}]},
    "repositories": [{"name": str, "commits": int, "changes": int}],
    "headline": {"text": str, "evidence": [str]},
    "items": [
        {"title": str, "text": str, "kind": str, "state": str, "repository": str, "refs": [str], "evidence": [str]}
    ],
    "impact": [{"text": str, "evidence": [str]}],
    "skills": {"languages": list, "technologies": list, "practices": list},
    "credit": {"reviewed": list, "coauthored": list},
    "changes": [
        {
            "id": str,
            "commits": [{"repository": str, "sha": str, "author_date": str}],
            "subject": str,
            "kind": str,
            "state": str,
            "by": (str, type(None)),
            "reverted_in": (str, type(None)),
            "relanded_in": (str, type(None)),
            "refs": [str],
        }
    ],
    "coverage": {"commits_told": int, "commits_total": int},
    "indexed_at": (str, type(None)),
    "notes": [str],
}


def misfits(value: object, shape: object, where: str = "") -> list[str]:
    """Where a value has not the shape of the house page."""
    if isinstance(shape, dict):
        if not isinstance(value, dict) or list(value) != list(shape):
            return [f"{where}: keys {list(value) if isinstance(value, dict) else value}"]
        return [fault for key in shape for fault in misfits(value[key], shape[key], f"{where}.{key}")]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{where}: no list"]
        return [fault for one in value for fault in misfits(one, shape[0], f"{where}[]")]
    return [] if isinstance(value, shape) else [f"{where}: {value!r}"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "commits",
    [[], [commit("Add a thing (#1)")], [commit("Add a thing"), commit("Merge pull request #2 from a/b", merge=True)]],
    ids=["empty", "one", "with a merge"],
)
def test_a_months_json_has_exactly_the_shape_of_the_house_page(commits: list[Commit]) -> None:
    document = json.loads(json.dumps(document_of(*commits)))
    assert not misfits(document, SHAPE)


def test_a_document_that_was_json_is_told_in_the_same_words() -> None:
    document = document_of(commit("Add a thing (#1)"), another_commit("Fix it", repository=WEB))
    again = json.loads(json.dumps(document))
    assert TEMPLATES.month("text", document) == TEMPLATES.month("text", again)
    assert TEMPLATES.month("markdown", document) == TEMPLATES.month("markdown", again)


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
        assert TEMPLATES.month(form, document)


def test_merges_of_each_repository_are_told_apart_so_that_links_lead_there() -> None:
    """One that two repositories hold is told in the first of them."""
    facts = facts_of(
        another_commit("Merge branch 'x'", merge=True),
        another_commit("Merge branch 'y'", merge=True, repository=WEB),
        *(commit("Merge branch 'both'", merge=True, repository=name, sha="b" * 40) for name in (WEB, ENGINE)),
    )
    story = month_story(facts)
    assert story.headline.text == "Ada Lovelace merged 3 branches in acme/engine and acme/web in October 2025."
    assert [(item.repository, len(item.evidence)) for item in story.items] == [(ENGINE, 2), (WEB, 1)]


# --- words


@pytest.mark.parametrize(
    ("commits", "text"),
    [
        ([], "Ada Lovelace has no commits in October 2025."),
        ([commit("Add a thing")], "Ada Lovelace made 1 change in acme/engine in October 2025: thing."),
        (
            [commit("Add a thing"), commit("Fix the parser"), commit("Merge branch 'x'", merge=True)],
            "Ada Lovelace made 2 changes in acme/engine in October 2025: thing and parser fix. They also merged 1 "
            "branch.",
        ),
        ([commit("Merge branch 'x'", merge=True)], "Ada Lovelace merged 1 branch in acme/engine in October 2025."),
    ],
)
def test_the_headline(commits: list[Commit], text: str) -> None:
    assert text == month_story(facts_of(*commits)).headline.text


@pytest.mark.parametrize("name", ["", "no name at all"])
def test_somebody_without_a_name_has_a_headline(name: str) -> None:
    person = everyone([Identity(name, "", 1)])[0]
    assert f"{person.name} has no commits in October 2025." == month_story(facts_of(person=person)).headline.text


def test_a_name_of_digits_and_signs_is_no_unproved_number() -> None:
    person = somebody("user2048 #7 deadbeef99", "u@example.com")
    facts = facts_of(commit("Add a thing", author=person), person=person)
    assert month_story(facts).headline.text == (
        "user2048 #7 deadbeef99 made 1 change in acme/engine in October 2025: thing."
    )


@pytest.mark.parametrize(
    ("subject", "told"),
    [
        ("Fix the cache (#123).", "Fix the cache (#123)"),
        ("Fix the cache (#123)", "Fix the cache"),
        ("Fix the cache.", "Fix the cache"),
        ("To be continued...", "To be continued..."),
        ("- Cleanup *-sys build.rs", "Cleanup *-sys build.rs"),
        ("* - Cleanup", "Cleanup"),
        ("-1 is no index", "-1 is no index"),
        ("", "(no subject)"),
        (" \x1b[31m ", "(no subject)"),
        ("(#12)", "(#12)"),
        ("[BE][easy] hg mv rdma.py to monarch/rdma", "[BE][easy] hg mv rdma.py to monarch/rdma"),
        ("fetch_from_l1_sp_w_row_ids", "fetch_from_l1_sp_w_row_ids"),
    ],
)
def test_what_a_change_is_called_is_its_subject_word_for_word(subject: str, told: str) -> None:
    assert told == plain_title(subject)


def test_merges_name_their_branches_where_they_are_few() -> None:
    merges = [
        commit(f"Merge pull request #{number} from ada/b{number}", at=f"2025-10-0{number} 12:00", merge=True)
        for number in range(1, 6)
    ]

    def told(*some: Commit) -> list[tuple[str, tuple[str, ...]]]:
        return [(item.title, item.refs) for item in month_story(facts_of(*some)).items]

    assert told(merges[0]) == [("Merged ada/b1", ("#1",))]
    assert told(*merges[:2]) == [("Merged ada/b1 and ada/b2", ("#1", "#2"))]
    assert told(*merges) == [("Merged 5 branches", ("#1", "#2", "#3", "#4", "#5"))]
    assert told(commit("Merge it somehow", merge=True)) == [("Merge it somehow", ())]
    assert told(commit("Merge branch 'main' into x", merge=True)) == [("Merged main", ())]


def test_a_sentence_that_its_commit_does_not_hold_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker has the last word: what does not hold is left out or told in plain words, and counted."""
    monkeypatch.setattr("bot.story.items.why_and_effect", lambda body, subject: "It is 300 % faster.")
    told = month_story(facts_of(commit("Add a cache")))
    assert [(item.title, item.text) for item in told.items] == [("Cache", "Added a cache.")]
    assert told.replaced == 1


def test_a_title_and_a_deed_that_their_commit_does_not_hold_are_told_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.story.items.title", lambda subject, paths: "300 times the lamp_of_doom")
    monkeypatch.setattr("bot.story.items.sentence", lambda subject, paths: "Added 300 lamps.")
    told = month_story(facts_of(commit("Add a cache")))
    assert [(item.title, item.text) for item in told.items] == [("Add a cache", "Made the change “Add a cache”.")]
    assert told.replaced == 2
    assert "300" not in told.headline.text


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


OURS = {"article", "h1", "h2", "p", "ul", "li", "a", "strong", "code", "br", "footer"}


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("form", FORMS)
def test_hostile_text_steers_nothing(form: str, text: str) -> None:
    person = Person(text or "Ada", (Identity(text, "ada@example.com", 1),))
    document = document_of(commit(text, body=f"{text} is what this does.", author=person), person=person, notes=[text])
    told = TEMPLATES.month(form, document)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", told)
    if form == "html":
        parsed = _Text()
        parsed.feed(told)
        assert set(parsed.tags) <= OURS
        assert {name for name, _ in parsed.attributes} <= {"href"}
        assert all(item["title"] in parsed.text and item["text"] in parsed.text for item in document["items"])


@given(st.text(st.characters(), max_size=120))
def test_html_reads_back_as_what_is_told(subject: str) -> None:
    parsed = _Text()
    document = document_of(commit(subject))
    parsed.feed(TEMPLATES.month("html", document))
    (item,) = document["items"]
    assert item["title"] in parsed.text and item["text"] in parsed.text
    assert set(parsed.tags) <= OURS


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_markdown_reads_back_as_the_text(text: str) -> None:
    """A title in a list stays one line of text: no block, no stress, no link, no HTML comes of it."""
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
    assert {child.type for child in inline} <= {"text", "softbreak", "text_special"}
    line = "".join("\n" if child.type == "softbreak" else child.content for child in inline)
    assert [clean(text) or "x"] * 2 == line.split("\n")


def test_slack_gets_exactly_its_three_signs_escaped() -> None:
    assert slack("<!channel> & *x* \"'") == "&lt;!channel&gt; &amp; *x* \"'"


@pytest.mark.parametrize(
    ("web", "link"),
    [
        ("https://github.com/a/b", "https://github.com/a/b/commit/abc"),
        ("https://gitlab.example.org/a/b", "https://gitlab.example.org/a/b/-/commit/abc"),
        (None, None),
        ("", None),
    ],
)
def test_where_a_commit_can_be_opened(web: str | None, link: str | None) -> None:
    assert link == commit_link("abc", web)


def test_where_a_pull_request_can_be_opened() -> None:
    github = "https://github.com/a/b"
    assert f"{github}/pull/7" == ref_link("#7", github)
    assert ref_link("c/d#7", github) == "https://github.com/c/d/pull/7"
    assert ref_link("#7", "https://git.example.org/a/b") is None


def test_a_page_has_its_title_escaped() -> None:
    assert "<title>&lt;b&gt;</title>" in page("<b>", "")


# --- templates of a team


def test_a_team_overrides_one_template_and_keeps_the_others(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "month.j2").write_text(
        "{{ person.name }} in {{ month|title }}: {{ counts.changes|count('change') }}"
    )
    templates = Templates(tmp_path)
    assert templates.month("text", document_of(commit())) == "Ada Lovelace in October 2025: 1 change"
    assert templates.month("markdown", document_of(commit())).startswith("# Ada Lovelace, October 2025")


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
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "month.j2").write_text(source)
    with pytest.raises(SettingsError, match=r"the template text/month\.j2 cannot be used"):
        Templates(tmp_path).month("text", document_of(commit()))


def test_a_folder_of_templates_must_exist(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="there is no folder"):
        Templates(tmp_path / "nowhere")


# --- the digest


def digest_of(*commits: Commit, people: list[Person] | None = None, **more: object) -> Document:
    known = [ADA, GRACE] if people is None else people
    repositories = [indexed(ENGINE), indexed(WEB)]
    return digest_document(
        month_digest("everyone", OCTOBER, UTC_ZONE, known, commits, repositories, INDEXED, BOTS, **more)  # type: ignore[arg-type]
    )


def test_a_digest_of_nobody() -> None:
    document = digest_of()
    assert (document["headline"]["text"], document["people"]) == ("No commits in October 2025.", [])
    assert all(TEMPLATES.month(form, document) for form in FORMS)


def test_a_digest_of_merges_only() -> None:
    document = digest_of(commit("Merge branch 'x'", merge=True))
    assert document["headline"]["text"] == "1 person merged branches in acme/engine in October 2025."


def test_a_change_of_two_repositories_counts_once_in_a_digest() -> None:
    document = digest_of(*(commit("Add a thing", repository=name, sha="a" * 40) for name in (ENGINE, WEB)))
    assert document["counts"] == {"people": 1, "commits": 1, "changes": 1, "landed": 1, "backed_out": 0, "relanded": 0}


def test_a_digest_of_a_team_has_its_people_only() -> None:
    document = digest_of(commit("Add a thing"), commit("Fix it", author=GRACE), team=[GRACE])
    assert [month["person"]["name"] for month in document["people"]] == ["Grace Hopper"]
    assert document["headline"]["text"] == "1 person made 1 change in acme/engine in October 2025."


def test_somebody_who_was_indexed_a_moment_ago_is_told() -> None:
    """People and commits are read one after the other, and an index may run between."""
    document = digest_of(commit("Add a thing", author=GRACE), people=[ADA])
    assert [month["person"]["name"] for month in document["people"]] == ["Grace Hopper"]


def test_people_of_a_digest_are_in_order_of_name_and_never_ranked() -> None:
    zoe = somebody("Zoe")
    commits = [another_commit(author=zoe), another_commit(author=zoe), another_commit(author=GRACE), another_commit()]
    names = [month["person"]["name"] for month in digest_of(*commits, people=[zoe, GRACE, ADA])["people"]]
    assert names == ["Ada Lovelace", "Grace Hopper", "Zoe"]


def test_a_month_of_400_commits_is_told_at_once() -> None:
    body = "Summary:\nA single transfer of 40 keys failed past 1 GB. Now it does not.\n\nTest Plan: CI"
    commits = [
        another_commit(f"Fix transfer {n} (#{n})", body=body, paths=[changed(f"src/{n}.py")]) for n in range(400)
    ]
    began = time.thread_time()
    assert document_of(*commits)["coverage"]["commits_told"] == 400
    assert time.thread_time() - began < 0.5


def test_zones_are_named_as_they_were_asked_for() -> None:
    facts = month_facts(ADA, OCTOBER, ZoneInfo("Europe/Berlin"), [], [], INDEXED)
    assert "Months in Europe/Berlin." in TEMPLATES.month("text", month_document(facts, month_story(facts)))
