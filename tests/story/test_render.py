"""A document is all that its words are made of: printed as JSON and read again, it is shown in the same bytes."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import pytest
from drawn import histories
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, Json, commit, indexed, read, sha_of

from bot.errors import AlmanacError
from bot.model import Commit, Dates
from bot.month.calendar import Month
from bot.month.facts import FactsContext, Helped, MonthFacts, month_facts
from bot.month.machines import BOTS
from bot.slack.limits import faults
from bot.slack.render import document_messages
from bot.story.digest import month_digest
from bot.story.document_json import documents_of, to_json
from bot.story.list_documents import Document
from bot.story.month import month_document
from bot.story.render import Templates, context, ref_link, short_names

OCTOBER = Month(2025, 10)
TEMPLATES = Templates()
FORMS = ("text", "markdown", "html")
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]
PAGES = {ENGINE: f"https://github.com/{ENGINE}", WEB: None}
TITLES = ("Add a plan", "Fix the lock", "<b> & *x* `y`", "\x1b[31mred \u202eturned", "- a\nb", "漢字 {{ 1 }}", "")


def facts_of(commits: Sequence[Commit], helped: Sequence[Helped] = (), dates: Dates = "author") -> MonthFacts:
    return month_facts(ADA, OCTOBER, commits, FactsContext(UTC_ZONE, REPOSITORIES, INDEXED, dates=dates), helped=helped)


def document_of(*commits: Commit, **more: Any) -> Json:
    facts = facts_of(commits, **more)
    return to_json(month_document(facts))


def told(document: Json | Document) -> dict[str, str]:
    """A document in every form."""
    given = read(document) if isinstance(document, dict) else document
    slack = [message.payload() for message in document_messages([given], TEMPLATES, PAGES)]
    return {form: TEMPLATES.month(form, given, PAGES) for form in FORMS} | {"slack": json.dumps(slack)}


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


@given(histories(titles=TITLES), _helped, st.sampled_from(["author", "committer"]))
def test_any_month_is_told_the_same_from_its_json(commits: list[Commit], helped: list[Helped], dates: Dates) -> None:
    """Byte for byte, in every form; nothing that is said is anywhere but in the document."""
    facts = facts_of([one for one in commits if one.author.name == ADA.name], helped, dates)
    document = month_document(facts)
    written = to_json(document)
    again = read(written)
    assert again == document and list(to_json(again)) == list(written)
    assert told(again) == told(document)


@given(histories(titles=TITLES), st.sampled_from(["author", "committer"]))
def test_any_digest_is_told_the_same_from_its_json(commits: list[Commit], dates: Dates) -> None:
    digest = month_digest(
        "every\x07one", OCTOBER, [ADA, GRACE], commits, FactsContext(UTC_ZONE, REPOSITORIES, INDEXED, dates=dates), BOTS
    )
    document = digest.document
    again = read(to_json(document))
    assert again == document
    assert told(again) == told(document)


def test_several_documents_are_read_in_their_order() -> None:
    one, two = document_of(commit()), document_of()
    assert to_json(documents_of(json.dumps([two, one]), "-")) == [two, one]
    assert documents_of(b"\xef\xbb\xbf" + json.dumps(one).encode(), "-") == [read(one)]
    assert documents_of(json.dumps(one).encode("utf-16"), "-") == [read(one)]  # as PowerShell writes a file


def test_keys_in_another_order_and_keys_of_somebody_elses_change_nothing() -> None:
    document = document_of(commit(), helped=[Helped("reviewer", ENGINE, 2, 1)])
    turned = {"self": 1, "web": {ENGINE: "javascript:x"}, **dict(reversed(document.items()))}
    assert read(turned) == read(document)


def test_a_note_stands_one_blank_line_below_whatever_a_month_has() -> None:
    for document in (document_of(), document_of(commit()), document_of(helped=[Helped("reviewer", ENGINE, 2, 1)])):
        for form, text in told(document | {"notes": ["Left out: x."]}).items():
            assert form in ("html", "slack") or ("\n\nLeft out" in text and "\n\n\n" not in text)


# --- help, dates, impact


def test_reviews_are_told_once_from_what_the_document_counts() -> None:
    document = document_of(helped=[Helped("reviewer", ENGINE, 1204, 5), Helped("reviewer", WEB, 1, 1)])
    said = context(read(document))["helped"]
    assert "1,205" in said and document["notes"] == []
    assert all(text.count(said) == (2 if form == "slack" else 1) for form, text in told(document).items())


def test_where_the_commit_date_decides_the_details_say_so() -> None:
    for dates in ("author", "committer"):
        assert len(document_of(commit(), dates=dates)["details"]) == (dates == "committer")


def test_what_is_said_of_effect_stands_in_every_form() -> None:
    document = document_of(commit("Cut the start"))
    document["impact"] = [{"text": "It took 2.68 s.", "evidence": document["headline"]["evidence"]}]
    assert all("It took 2.68 s." in text for text in told(document).values())


# --- the items


SECTIONS = ("work", "work", "fixed", "attention", "reverts", "tests", "docs", "build", "shared", "other")


@pytest.mark.parametrize("attention_first", [False, True])
def test_items_stand_in_the_order_told_and_what_needs_attention_first_where_it_is_most(attention_first: bool) -> None:
    document = document_of(*(commit(f"{word} the wall", sha=sha_of(word)) for word in "Abcdefghij"))
    one = document["items"][0]
    line = one["lines"][0]
    order = (8, 2, 5, 0, 1, 9, 4, 3, 7, 6)
    document["items"] = [
        {**one, "section": SECTIONS[n], "label": "", "lines": [{**line, "title": f"Part {n}"}], "more": []}
        for n in order
    ]
    document["attention_first"] = attention_first
    wanted = [0, 1, 2, 3, 4, 5, 9, 7, 6, 8]  # tests, documents, build and the rest are one section
    if attention_first:
        wanted = [3, *(n for n in wanted if n != 3)]
    for shown in told(document).values():
        found = [int(n) for n in re.findall(r"Part (\d)", shown)]
        assert found[: len(wanted)] == wanted


def test_where_there_are_several_repositories_each_number_says_of_which_it_is() -> None:
    out = commit("Add a wall (#1)", sha="a" * 40, paths=["src/a.py"])
    back = commit('Revert "Add a wall" (#3)', at="2025-10-09 12:00", body=f"This reverts commit {out.sha}.\n\nIt fell.")
    plan = commit("Add a plan (#2)", repository=WEB, paths=["src/b.ts"])
    for shown in told(document_of(out, back, plan)).values():
        assert "engine#1" in shown and "engine#3" in shown and "web#2" in shown
        assert not re.search(r'[( \["]#[123]', shown)
    plan_here = told(document_of(commit("Add a gate (#9)"), plan))["markdown"]
    assert f"[engine#9]({PAGES[ENGINE]}/pull/9)" in plan_here.replace("\\", "")
    assert all("engine#" not in shown for shown in told(document_of(out, back)).values())
    assert short_names(["a/x", "b/x", "b/y"]) == {"a/x": "a/x", "b/x": "b/x", "b/y": "y"}


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
        (b'{"schema": 1}', "FILE: is of schema 1, and this version of Almanac reads schema 2: print it anew"),
        (
            b'[{"schema": "2"}]',
            'FILE: [0]: is of schema "2", and this version of Almanac reads schema 2: print it anew',
        ),
    ],
)
def test_what_is_no_document_is_refused_in_one_line(text: bytes, said: str) -> None:
    with pytest.raises(AlmanacError) as refused:
        documents_of(text, "FILE")
    assert str(refused.value) == said


def _put(*path: str | int, value: Any) -> Callable[[Json], None]:
    def change(document: Json) -> None:
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
        (_put("items", 0, "label", value=["x"]), "items[0].label must be text of at most 300 characters, not a list"),
        (_put("items", 0, "section", value="x"), "items[0].section must be one of work, fixed,"),
        (_put("items", 0, "lines", 0, "on", value="3 Oct"), 'items[0].lines[0].on must be a day such as 2025-10-03, '
         'not "3 Oct"'),
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
        (_put("items", 0, "label", value="x" * 301), "items[0].label must be text of at most 300 characters, "
         "not one of 301"),
        (_put("notes", value=["x" * 20_001]), "notes[0] must be text of at most 20,000 characters, not one of 20,001"),
        (_put("month", value="\x1b[31m" + "x" * 200), "month must be a month such as 2025-10, not \"" + "x" * 58 + "…"),
    ],
)  # fmt: skip
def test_what_was_edited_wrongly_is_named_with_its_place(change: Callable[[Json], object], said: str) -> None:
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


def test_what_an_older_version_of_the_schema_did_not_know_may_be_missing() -> None:
    document = document_of(commit("Add a plan (#1)"))
    del document["figures"], document["details"]
    (read,) = documents_of(json.dumps(document), "FILE")
    assert read.figures is None and all(told(read).values())


RICH = (  # a label, a number, a quotation, a measurement, a chain of dates and a reason
    commit("[plans] Keep plans (#1)", sha="a" * 40, body="Reads go from 9 s to 3 s."),
    commit("[plans] Add a cache (#2)", at="2025-10-05 12:00", body="The cache is kept, so that no plan is ever lost."),
    commit('Revert "Keep plans"', at="2025-10-09 12:00", body=f"This reverts commit {'a' * 40}.\n\nIt crashed."),
    commit("Fix a crash", at="2025-10-10 12:00", repository=WEB),
)


@given(st.data())
def test_whatever_is_edited_is_told_or_refused_and_never_breaks(data: st.DataObject) -> None:
    """Any one value of a document replaced by any JSON, in every form."""
    document = document_of(*RICH, helped=[Helped("reviewer", ENGINE, 2, 1)])
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
            kept |= {"coauthored", "from", "to", "section", "on", "reverted_in", "relanded_in"}
            return {key: one if key in kept else poisoned(one) for key, one in value.items()}
        if isinstance(value, list):
            return [poisoned(one) for one in value]
        return HOSTILE if isinstance(value, str) else value

    document = poisoned(document_of(*RICH, dates="committer"))
    document["impact"] = document["measured"]
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
    document["items"][0] |= {"label": text[:300], "repository": text[:300], "lines": document["items"][0]["lines"] * 9}
    document["items"][0]["lines"][0] |= {
        "title": text,
        "quote": text,
        "reason": text,
        "ref": text[:300],
        "measured": [text] * 3,
    }
    document["notes"] = [text[:300]] * 40
    (read,) = documents_of(json.dumps(document), "-")
    messages = document_messages([read], TEMPLATES, PAGES)
    assert [faults(message.payload()) for message in messages] == [[]] * len(messages)


def test_a_month_of_a_thousand_changes_names_some_counts_the_others_and_loses_none() -> None:
    commits = [
        commit(f"Widen a{n} by b{n} (#{n})", sha=sha_of(n), at=f"2025-10-{n % 28 + 1:02} 12:00") for n in range(1_000)
    ]
    document = document_of(*commits)
    messages = document_messages([read(document)], TEMPLATES, PAGES)
    assert [faults(message.payload()) for message in messages] == [[]] * len(messages)
    assert {sha for item in document["items"] for sha in item["evidence"]} == {one.sha for one in commits}


def test_what_is_wrong_in_a_digest_is_named_with_its_place() -> None:
    digest = month_digest(
        "x", OCTOBER, [ADA], [commit("Add a plan")], FactsContext(UTC_ZONE, REPOSITORIES, INDEXED), BOTS
    )
    document = to_json(digest.document)
    document["things"][0]["changes"] = -2
    with pytest.raises(AlmanacError, match=r"F: things\[0\].changes must be a whole number of at least 0, not -2"):
        documents_of(json.dumps(document), "F")
