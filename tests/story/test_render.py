"""A document is all that its words are made of: printed as JSON and read again, it is told in the same bytes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from drawn import histories
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, commit, indexed, sha_of

from bot.errors import AlmanacError
from bot.model import Commit, Dates, Helped, MonthFacts, Role, Sentence
from bot.month.calendar import Month
from bot.month.facts import month_facts
from bot.settings import BOTS
from bot.slack.limits import faults
from bot.slack.messages import document_messages
from bot.story.digest import month_digest
from bot.story.document import Document, digest_document, month_document
from bot.story.render import Templates, context, ref_link
from bot.story.shape import documents_of
from bot.story.story import month_story

OCTOBER = Month(2025, 10)
TEMPLATES = Templates()
FORMS = ("text", "markdown", "html")
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]
PAGES = {ENGINE: f"https://github.com/{ENGINE}", WEB: None}
TITLES = ("Add a plan", "Fix the lock", "<b> & *x* `y`", "\x1b[31mred \u202eturned", "- a\nb", "漢字 {{ 1 }}", "")


def facts_of(commits: Sequence[Commit], helped: Sequence[Helped] = (), dates: Dates = "author") -> MonthFacts:
    return month_facts(ADA, OCTOBER, UTC_ZONE, commits, REPOSITORIES, INDEXED, helped=helped, dates=dates)


def document_of(*commits: Commit, impact: Sequence[Sentence] = (), **more: Any) -> Document:
    facts = facts_of(commits, **more)
    return month_document(facts, replace(month_story(facts), impact=tuple(impact)))


def item(title: str, *shas: str, repository: str = ENGINE, refs: Sequence[str] = (), text: str = "") -> Document:
    """An item as told, whatever the story would make of its commits."""
    return {
        "title": title, "text": text, "kind": "fix", "state": "landed", "repository": repository, "refs": list(refs),
        "evidence": list(shas),
    }  # fmt: skip


def told(document: Document) -> dict[str, str]:
    """A document in every form."""
    slack = [message.payload() for message in document_messages([document], TEMPLATES, PAGES)]
    return {form: TEMPLATES.month(form, document, PAGES) for form in FORMS} | {"slack": json.dumps(slack)}


# --- the same again from JSON

_helped = st.lists(
    st.builds(
        lambda role, name, commits, people: Helped(role, name, commits, people, (sha_of((role, name)),)),
        st.sampled_from(("reviewer", "tester", "reporter", "suggester", "helper")),
        st.sampled_from([ENGINE, WEB]),
        st.integers(1, 3000),
        st.integers(1, 9),
    ),
    max_size=4,
    unique_by=lambda one: (one.role, one.repository),
)


@given(histories(titles=TITLES), _helped, st.sampled_from(["author", "committer"]), st.booleans())
def test_any_month_is_told_the_same_from_its_json(
    commits: list[Commit], helped: list[Helped], dates: Dates, measured: bool
) -> None:
    """Byte for byte, in every form; nothing that is said is anywhere but in the document."""
    own = [one for one in commits if one.author.name == ADA.name]
    facts = facts_of(own, helped, dates)
    impact = (Sentence("Cut a\tstart from 2.68 s to 0.015 s.", tuple(one.sha for one in own[:2])),) * measured
    document = month_document(facts, replace(month_story(facts), impact=impact))
    written = json.dumps(document)
    assert json.loads(written) == document
    (again,) = documents_of(written, "-")
    assert again == document and list(again) == list(document)
    assert told(again) == told(document) == told(json.loads(written))


@given(histories(titles=TITLES), st.sampled_from(["author", "committer"]))
def test_any_digest_is_told_the_same_from_its_json(commits: list[Commit], dates: Dates) -> None:
    digest = month_digest(
        "every\x07one", OCTOBER, UTC_ZONE, [ADA, GRACE], commits, REPOSITORIES, INDEXED, BOTS, dates=dates
    )
    document = digest_document(digest)
    (again,) = documents_of(json.dumps(document), "-")
    assert again == document
    assert told(again) == told(document)


def test_several_documents_are_read_in_their_order() -> None:
    one, two = document_of(commit()), document_of()
    assert documents_of(json.dumps([two, one]), "-") == [two, one]
    assert documents_of(b"\xef\xbb\xbf" + json.dumps(one).encode(), "-") == [one]
    assert documents_of(json.dumps(one).encode("utf-16"), "-") == [one]  # as PowerShell writes a file


def test_keys_in_another_order_and_keys_of_somebody_elses_change_nothing() -> None:
    document = document_of(commit(), helped=[Helped("reviewer", ENGINE, 2, 1)])
    turned = {"self": 1, "web": {ENGINE: "javascript:x"}, **dict(reversed(document.items()))}
    assert documents_of(json.dumps(turned), "-") == [document]


# --- help, dates, impact, skills


def test_reviews_are_told_once_from_what_the_document_counts() -> None:
    helped = [Helped("reviewer", ENGINE, 1204, 5), Helped("reviewer", WEB, 1, 1)]
    document = document_of(helped=helped)
    sentence = "Reviewed 1,204 commits by 5 others in acme/engine and 1 commit by 1 other in acme/web."
    assert context(document)["helped"] == sentence
    assert document["notes"] == []
    assert all(text.count("Reviewed") == 1 for form, text in told(document).items() if form != "slack")
    assert TEMPLATES.month("text", document).count(sentence) == 1


@pytest.mark.parametrize(
    ("role", "note"),
    [
        ("tester", "Tested 2 commits by 1 other in acme/engine."),
        ("suggester", "Suggested 2 commits by 1 other in acme/engine."),
    ],
)
def test_other_help_is_a_note_of_the_month(role: Role, note: str) -> None:
    document = document_of(helped=[Helped(role, ENGINE, 2, 1)])
    assert document["notes"] == [note]
    assert context(document)["helped"] == ""
    assert all(note in text for text in told(document).values())


def test_only_where_the_commit_date_decides_it_is_said() -> None:
    note = "Commits belong to the month of their commit date."
    for dates, notes in (("author", []), ("committer", [note])):
        assert document_of(commit(), dates=dates)["notes"] == notes
        digest = month_digest("x", OCTOBER, UTC_ZONE, [ADA], [commit()], REPOSITORIES, INDEXED, BOTS, dates=dates)  # type: ignore[arg-type]
        assert digest_document(digest)["notes"] == notes


def test_impact_stands_behind_the_items_with_its_commits_and_is_absent_without() -> None:
    work = commit("Cut the start (#7)")
    short = work.sha[:9]
    lines = [f"- Cut the start (#7)  [{short}]", "", "Impact", f"- It took 2.68 s, and takes 0.015 s.  [{short}]"]
    document = document_of(work, impact=[Sentence("It took 2.68 s, and takes 0.015 s.", (work.sha,))])
    document["items"] = [item("Cut the start", work.sha, refs=["#7"])]
    text = TEMPLATES.month("text", document)
    assert "\n".join(lines) in text
    link = f"https://github.com/{ENGINE}/commit/{work.sha}"
    for form, shown in told(document).items():
        assert "Impact" in shown and (form == "text" or shown.count(link) == 2)
    assert all("Impact" not in shown for shown in told(document_of(work)).values())


def test_skills_have_a_line_each_with_the_most_used_first_and_eight_at_most() -> None:
    document = document_of()
    document["skills"] = {
        "languages": [{"name": f"L{n}", "lines": 90 - n} for n in range(9)],
        "technologies": [],
        "practices": [{"name": "<testing>", "evidence": [sha_of(1)]}],
    }
    lines = ["Languages: L0, L1, L2, L3, L4, L5, L6, L7.", "Practices: <testing>."]
    assert "\n\n" + "\n".join(lines) + "\n\n" in TEMPLATES.month("text", document)
    assert f"{lines[0]}  \nPractices: \\<testing\\>.\n" in TEMPLATES.month("markdown", document)
    assert f"<p>{lines[0]}</p>\n<p>Practices: &lt;testing&gt;.</p>" in TEMPLATES.month("html", document)
    (message,) = document_messages([document], TEMPLATES)
    assert f"{lines[0]}\nPractices: &lt;testing&gt;." in message.text
    leaves = [block for block in message.blocks if block["type"] == "rich_text"][-1]["elements"][-1]["elements"]
    assert leaves == [{"type": "text", "text": "\n"}, {"type": "text", "text": "\n".join(lines)}]


@pytest.mark.parametrize(
    ("commits", "line"),
    [
        ([], "Months in UTC."),
        ([commit()], "1 of 1 commit told, months in UTC."),
        ([commit(sha=sha_of(n)) for n in range(1204)], "1,204 of 1,204 commits told, months in UTC."),
    ],
    ids=["none", "one", "many"],
)
def test_the_footer_counts_the_commits_told(commits: list[Commit], line: str) -> None:
    shown = told(document_of(*commits))
    assert all(f"{line} Indexed 5 November 2025 09:00 UTC." in text for text in shown.values())


# --- the items


@pytest.mark.parametrize("form", [*FORMS, "slack"])
def test_items_are_one_list_in_the_order_told(form: str) -> None:
    document = document_of(commit(), commit("Fix it"))
    shas = [one["commits"][0]["sha"] for one in document["changes"]]
    document["items"] = [item(f"Part {n}", shas[n % 2], text="It was.") for n in (4, 0, 8, 3, 1)]
    for one, kind in zip(document["items"], ("fix", "docs", "feature", "fix", "chore"), strict=True):
        one["kind"] = kind
    shown = told(document)[form]
    places = [shown.index(one["title"]) for one in document["items"]]
    assert places == sorted(places)
    assert not any(heading in shown for heading in ("Features", "Fixes", "Documentation", "Other"))


@pytest.mark.parametrize("form", [*FORMS, "slack"])
def test_the_repository_of_an_item_is_named_only_where_there_are_several(form: str) -> None:
    several = document_of(commit(sha=sha_of(1)), commit(repository=WEB, sha=sha_of(2)))
    several["items"] = [item("Add a plan", sha_of(1)), item("Fix it", sha_of(2), repository=WEB)]
    one = document_of(commit(sha=sha_of(1)), commit(sha=sha_of(2)))
    one["items"] = [item("Add a plan", sha_of(1)), item("Fix it", sha_of(2))]
    for document in (several, one):
        document["headline"]["text"] = f"Ada worked in {ENGINE}."
    in_headline = told(one)[form].count(f" in {ENGINE}")
    assert in_headline == (2 if form == "slack" else 1)  # Slack gets plain text beside the blocks
    assert told(several)[form].count(f" in {ENGINE}") == 2 * in_headline
    assert told(several)[form].count(f" in {WEB}") == in_headline


def test_a_commit_opens_in_the_repository_that_holds_it() -> None:
    """What was exported too: each of its commits where it is; one of both repositories, where it is told."""
    here, there = "https://github.com/acme/engine", "https://git.example.org/web"
    diff = "Differential Revision: D71000001"
    commits = [
        commit("Add a plan", body=diff, sha="a" * 40),
        commit("Add a plan", body=diff, repository=WEB, sha="b" * 40),
        commit("Merge branch 'x'", repository=WEB, merge=True, sha="c" * 40),
        *(commit("Both", repository=name, sha="d" * 40, at="2025-10-09 12:00") for name in (ENGINE, WEB)),
    ]
    document = document_of(*commits)
    document["items"] = [
        item("Add a plan", "a" * 40, "b" * 40),
        item("Both", "d" * 40),
        item("Merged x", "c" * 40, repository=WEB),
    ]
    given = context(document, {ENGINE: here, WEB: there})
    assert given["web"] == {ENGINE: here, WEB: there}
    assert given["links"] == {
        "a" * 40: f"{here}/commit/{'a' * 40}",
        "b" * 40: f"{there}/commit/{'b' * 40}",
        "c" * 40: f"{there}/commit/{'c' * 40}",
        "d" * 40: f"{here}/commit/{'d' * 40}",
    }
    assert set(context(document)["links"].values()) == {None}


@pytest.mark.parametrize("ref", ["#7)](javascript:x)", "x#y", "#", "#７", "a b/c#7", "a/b/c#7", "7", "D71000001"])
def test_what_is_no_number_of_a_pull_request_has_no_page(ref: str) -> None:
    assert ref_link(ref, "https://github.com/a/b") is None


# --- what is refused, and what it cannot do


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "FILE: is empty: hand in what --format json prints"),
        (b"\n", "FILE: is empty: hand in what --format json prints"),
        (
            b"nonsense",
            "FILE: is no JSON (Expecting value: line 1 column 1 (char 0)): hand in what --format json prints",
        ),
        (b"\xc3\x28", "FILE: is no JSON: its bytes are not text in UTF-8"),
        (b"[" * 100_000, "FILE: is nested too deeply to be a document"),
        (b"[]", "FILE: is an empty list, so there is no month in it to tell"),
        (b'"x"', 'FILE: must be an object, not "x": hand in what --format json prints'),
        (b"{}", 'FILE: has no "schema", so it is no month or digest: hand in what --format json prints'),
        (b'{"schema": 2}', "FILE: is of schema 2, and this version of Almanac reads schema 1: print it anew"),
        (
            b'[{"schema": "1"}]',
            'FILE: [0]: is of schema "1", and this version of Almanac reads schema 1: print it anew',
        ),
    ],
)
def test_what_is_no_document_is_refused_in_one_line(text: bytes, said: str) -> None:
    with pytest.raises(AlmanacError) as refused:
        documents_of(text, "FILE")
    assert str(refused.value) == said


def _put(*path: str | int, value: Any) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda document: document.pop("notes"), "notes is missing"),
        (lambda document: document["items"][0].pop("refs"), "items[0].refs is missing"),
        (lambda document: (document.pop("zone"), document.pop("notes")), "zone and notes are missing"),
        (_put("items", 0, "title", value=["x"]), "items[0].title must be text of at most 300 characters, not a list"),
        (_put("items", value={}), "items must be a list, not an object"),
        (_put("person", value="Ada"), 'person must be an object, not "Ada"'),
        (_put("to_date", value=1), "to_date must be true or false, not 1"),
        (_put("counts", "commits", value=True), "counts.commits must be a whole number of at least 0, not true"),
        (_put("counts", "commits", value=-1), "counts.commits must be a whole number of at least 0, not -1"),
        (_put("counts", "commits", value=float("nan")), "counts.commits must be a whole number of at least 0, not NaN"),
        (_put("month", value="2025-13"), 'month must be a month such as 2025-10, not "2025-13"'),
        (_put("items", 0, "state", value="gone"), "items[0].state must be one of landed, backed_out, relanded, partly, "
         'not "gone"'),
        (_put("items", 0, "evidence", value=["../x"]), 'items[0].evidence[0] must be a full SHA, not "../x"'),
        (_put("changes", 0, "by", value=3), "changes[0].by must be text or null, not 3"),
        (_put("indexed_at", value="2025-11-05"), "indexed_at must be a time in UTC, such as 2025-11-05T09:00:00+00:00 "
         'or null, not "2025-11-05"'),
        (_put("indexed_at", value="2025-11-05T09:00:00+02:00"), "indexed_at must be a time in UTC, such as "
         '2025-11-05T09:00:00+00:00 or null, not "2025-11-05T09:00:00+02:00"'),
        (_put("zone", value="Mars/Phobos"), 'zone must be a time zone such as Europe/Berlin, not "Mars/Phobos"'),
        (_put("zone", value="../etc/passwd"), "zone must be a time zone"),
        (_put("headline", "text", value="x" * 200_000), "headline.text must be text of at most 3,000 characters, "
         "not one of 200,000"),
        (_put("items", 0, "title", value="x" * 301), "items[0].title must be text of at most 300 characters, "
         "not one of 301"),
        (_put("notes", value=["x" * 20_001]), "notes[0] must be text of at most 20,000 characters, not one of 20,001"),
        (_put("coverage", "commits_told", value=999), "coverage.commits_told must be at most 1, the number in "
         "commits_total, not 999"),
        (_put("items", value=[]), "coverage.commits_told must be at most 0, the number of commits that items name, "
         "not 1"),
        (_put("month", value="\x1b[31m" + "x" * 200), "month must be a month such as 2025-10, not \"" + "x" * 58 + "…"),
    ],
)  # fmt: skip
def test_what_was_edited_wrongly_is_named_with_its_place(change: Callable[[Document], object], said: str) -> None:
    document = deepcopy(document_of(commit("Add a plan (#1)")))
    change(document)
    with pytest.raises(AlmanacError) as refused:
        documents_of(json.dumps(document), "FILE")
    assert str(refused.value).startswith(f"FILE: {said}") and "\n" not in str(refused.value)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def test_what_an_older_version_printed_is_read_though_it_knew_no_figures() -> None:
    document = document_of(commit("Add a plan (#1)"))
    assert document["figures"]["kinds"]
    del document["figures"]
    (read,) = documents_of(json.dumps(document), "FILE")
    assert "figures" not in read and all(told(read).values())


@given(st.data())
def test_whatever_is_edited_is_told_or_refused_and_never_breaks(data: st.DataObject) -> None:
    """Any one value of a document replaced by any JSON, in every form."""
    work = commit("Add a plan (#1)")
    document = document_of(work, helped=[Helped("reviewer", ENGINE, 2, 1)], impact=[Sentence("It was.", (work.sha,))])
    place: Any = document
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if not (isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans())):
            break
        place = place[key]
    place[key] = data.draw(_JSON)
    try:
        (read,) = documents_of(json.dumps(document), "FILE")
    except AlmanacError as refused:
        assert "\n" not in str(refused)
        return
    assert all(told(read).values())


HOSTILE = "\x1b[31m<script>alert(1)</script> {{ 7 * 7 }} [x](javascript:y) <!channel> \u202e"


def test_nothing_in_a_document_is_executed_or_steers_a_reader() -> None:
    def poisoned(value: Any) -> Any:
        if isinstance(value, dict):
            kept = {"schema", "month", "zone", "kind", "state", "evidence", "sha", "author_date", "indexed_at"}
            kept |= {"coauthored", "from", "to"}
            return {key: one if key in kept else poisoned(one) for key, one in value.items()}
        if isinstance(value, list):
            return [poisoned(one) for one in value]
        return HOSTILE if isinstance(value, str) else value

    work = commit("Add a plan (#1)")
    document = poisoned(document_of(work, impact=[Sentence("It was.", (work.sha,))], dates="committer"))
    for key in ("reverted_in", "relanded_in"):
        document["changes"][0][key] = None
    (read,) = documents_of(json.dumps(document), "-")
    shown = told(read)
    assert not any(sign in text for text in shown.values() for sign in ("\x1b", "\u202e", "49", "\\u001b", "\\u202e"))
    assert "<script" not in shown["html"] and "href" not in shown["html"]
    assert "\\[x\\](javascript" in shown["markdown"] and "](h" not in shown["markdown"]
    messages = document_messages([read], TEMPLATES, PAGES)
    assert "<!channel>" not in "".join(message.text for message in messages)
    assert [faults(message.payload()) for message in messages] == [[]] * len(messages)


def test_a_huge_document_is_read_in_time_that_grows_with_it() -> None:
    """Megabytes of what begins a terminal's sequence and never ends it, too."""
    document = document_of(*(commit(sha=sha_of(n)) for n in range(200)))
    document["changes"][0]["subject"] = "\x1b]" * 500_000
    text = json.dumps([document] * 3)
    began = time.process_time()
    assert len(documents_of(text, "-")) == 3
    assert time.process_time() - began < 5


def test_the_longest_texts_that_are_read_are_messages_that_slack_takes() -> None:
    document, text = document_of(commit("Add a plan (#1)")), "word " * 600
    document["headline"]["text"] = text
    document["person"]["name"] = text[:300]
    document["items"][0] |= {"title": text[:300], "text": text, "repository": text[:300]}
    (read,) = documents_of(json.dumps(document), "-")
    messages = document_messages([read], TEMPLATES, PAGES)
    assert [faults(message.payload()) for message in messages] == [[]] * len(messages)


def test_what_is_wrong_in_a_digest_is_named_with_its_month() -> None:
    digest = month_digest("x", OCTOBER, UTC_ZONE, [ADA], [commit("Add a plan")], REPOSITORIES, INDEXED, BOTS)
    document = digest_document(digest)
    document["people"][0]["coverage"]["commits_told"] = 2
    said = r"F: people\[0\].coverage.commits_told must be at most 1, the number in"
    with pytest.raises(AlmanacError, match=said):
        documents_of(json.dumps(document), "F")


def test_a_document_of_another_schema_is_not_told() -> None:
    with pytest.raises(AlmanacError, match="this document is of schema 2, and this version of Almanac reads schema 1"):
        TEMPLATES.month("text", {**document_of(commit()), "schema": 2})
