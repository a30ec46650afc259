"""Questions by four writers who had seen only the README, with what they expect. Each wrong one is listed here."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from values import GRACE, somebody

from bot.ask.known import Known, Thread
from bot.ask.question import Question
from bot.ask.question_document import typed, understood_document
from bot.ask.reading.question import parse_question
from bot.month.people import Directory

TODAY = date(2025, 11, 12)
PEOPLE = [
    somebody("Ada Lovelace", "ada@example.com", logins=["adal"]), GRACE, somebody("Dave Kim", "dkim@example.com"),
    somebody("Dave Okafor", "dokafor@example.com"), somebody("Dennis van der Staay", "dstaay@example.com"),
    somebody("June Lee"), somebody("May Chen"), somebody("José García", "jose@example.com"),
    somebody("Jürgen Müller", "jm@example.com"), somebody("李 明", "li@example.com"), somebody("Marcia Abbot"),
    somebody("Will Stone"), somebody("Sam Poe"), somebody("CodemodService Lint Bot", "lint@example.com"),
]  # fmt: skip
KNOWN = Known(
    PEOPLE,
    ["acme/engine", "acme/web", "acme/tools", "acme/docs"],
    asker=PEOPLE[0],
    member={"U02GRACE": GRACE}.get,
    teams=["core", "platform"],
    tags={"acme/engine": ["v2.0", "v2.1", "v2.2"], "acme/web": ["web-1.4.0"]},
    sprint=(date(2025, 11, 10), 14),
    may_be_offered=lambda person: "Bot" not in person.name,
)
WRITERS = {
    writer: [
        json.loads(line)
        for line in (Path(__file__).parent / f"fresh_{writer}.jsonl").read_text(encoding="utf-8").split("\n")
        if line
    ]
    for writer in "abcd"
}
NOTHING = {"people": [], "from": None, "to": None, "repos": [], "topic": None, "kinds": []}
KNOWN_WRONG: dict[str, frozenset[str]] = {
    "a": frozenset(),
    "b": frozenset(),
    "c": frozenset(),
    "d": frozenset(
        (
            "yo what was june lee up 2 last week",
            "may chens march plz",
            "who wrkd on the parser in q3",
            "what did the platfrom team get out the door last week?",
        )
    ),
}


def understood(row: dict[str, Any]) -> dict[str, Any]:
    document = understood_document(parse_question(row["text"], KNOWN, TODAY, Thread.of(row.get("thread"))))
    document.pop("form", None)
    is_plain = document["intent"] in ("help", "schedule", "unknown")  # of which nothing else is told
    return {"intent": document["intent"], **NOTHING} if is_plain else document


def expected(row: dict[str, Any]) -> dict[str, Any]:
    wanted = {key: value for key, value in row["expect"].items() if key != "form"}
    return {"intent": wanted["intent"], **NOTHING} if wanted["intent"] in ("help", "schedule", "unknown") else wanted


@pytest.mark.parametrize("writer", WRITERS)
def test_what_fresh_writers_ask_is_read_as_they_expect(writer: str) -> None:
    rows = WRITERS[writer]
    assert len(rows) >= 150
    wrong = {row["text"] for row in rows if understood(row) != expected(row)}
    assert wrong == KNOWN_WRONG[writer]
    assert len(wrong) <= 0.03 * len(rows)


def test_what_is_taken_for_granted_is_said_with_the_alternatives() -> None:
    question = parse_question("what did Garce do in augst", KNOWN, TODAY)
    assert question.people == ("Grace Hopper",)
    assert question.assumed == ("reading “augst” as August", "reading “Garce” as Grace Hopper")
    assert [choice.question.people for choice in question.choices] == [("José García",)]
    parts = parse_question("compare grace early 2025 with the end of last year", KNOWN, TODAY)
    assert parts.assumed == (
        "taking “early 2025” as January 2025 to April 2025",
        "taking “end of last year” as September 2024 to December 2024",
    )
    assert parse_question("grace since early 2025", KNOWN, TODAY).assumed == ()


@pytest.mark.parametrize("text", ["what did Bob do in october", "Bob", "what did Lunt do in october"])
def test_a_name_that_nobody_has_is_asked_back_and_no_machine_is_offered(text: str) -> None:
    question = parse_question(text, KNOWN, TODAY)
    assert (question.intent, (question.missing or "")[:20]) == ("unknown", "I know nobody called")
    assert not any("Bot" in choice.label for choice in question.choices)


@pytest.mark.parametrize("text", ["delete grace's commits from august", "SELECT * FROM commits WHERE author = 'grace'"])
def test_an_order_is_told_that_nothing_is_changed(text: str) -> None:
    assert "change nothing" in (parse_question(text, KNOWN, TODAY).missing or "")


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("what's in 1.4.0?", "web-1.4.0"),
        ("what is in 2.1", "v2.1"),
        ("what is in 9.9.9", None),
        ("what's new in acme/engine since 2.1", "v2.1.."),
        ("what's new since v2.1", "v2.1.."),
        ("changelog of acme/engine from 2.0 to 2.1", "v2.0..v2.1"),
        ("what changed between v2.0 and v2.1?", "v2.0..v2.1"),
        ("compare v2.0 with v2.1", "v2.0..v2.1"),
        ("what is in v2.0..v2.1", "v2.0..v2.1"),
        ("what's new since 9.9", None),
        ("who moved us from 2.0", None),
        ("what did grace do in v2.1", "v2.1"),
        ("what did grace do since 2.1", "v2.1.."),
        ("what did grace do for v9", None),
        ("grace in 2025", None),
    ],
)
def test_a_version_is_found_by_its_number_where_a_tag_has_it(text: str, release: str | None) -> None:
    assert parse_question(text, KNOWN, TODAY).release == release


@pytest.mark.parametrize(
    ("text", "release", "repositories"),
    [
        ("when did engine v2.1 come out?", "v2.1", ("acme/engine",)),
        ("when was v2.1 released", "v2.1", ()),
        ("when was the last release of acme/web?", "newest", ("acme/web",)),
    ],
)
def test_when_a_release_was_made_can_be_asked(text: str, release: str, repositories: tuple[str, ...]) -> None:
    question = parse_question(text, KNOWN, TODAY)
    assert question == Question("explain", release=release, repositories=repositories)
    assert parse_question(typed(question), KNOWN, TODAY) == question


def test_where_nobody_is_near_a_name_people_are_named_who_can_be_asked_about() -> None:
    lint, grace = PEOPLE[-1], replace(GRACE, identities=tuple(replace(one, commits=7) for one in GRACE.identities))
    busy = replace(lint, identities=tuple(replace(one, commits=99) for one in lint.identities))
    known = replace(KNOWN, people=[*PEOPLE[2:4], busy, grace], directory=Directory([*PEOPLE[2:4], busy, grace]))
    question = parse_question("what did zorblax do in october", known, TODAY)
    assert question.missing == (
        "I know nobody called “zorblax”. You can ask about Dave Kim, Dave Okafor or Grace Hopper, for example."
    )
    assert question.choices == ()


@pytest.mark.parametrize(
    ("text", "tags", "intent", "release", "span"),
    [
        ("what went into the march release of acme/web", ["web-1.3.0"], "what_shipped", "web-1.3.0", None),
        ("what went into the march release of acme/web", ["web-1.3.0", "web-1.3.1"], "what_shipped", None, "2025-03"),
        ("what went into the march release of acme/web", [], "what_shipped", None, "2025-03"),
        ("show the fixes in the march release of acme/web", ["web-1.3.0"], "changes", "web-1.3.0", None),
        ("show the fixes in v2.1", [], "changes", "v2.1", None),
    ],
)
def test_a_month_names_the_only_release_that_was_made_in_it(
    text: str, tags: list[str], intent: str, release: str | None, span: str | None
) -> None:
    asked = list[object]()

    def tagged_in(repositories: object, days: object) -> list[str]:
        asked.append((repositories, str(days)))
        return tags

    question = parse_question(text, replace(KNOWN, tagged_in=tagged_in), TODAY)
    assert (question.intent, question.release, question.span and str(question.span)) == (intent, release, span)
    assert asked == ([(("acme/web",), "2025-03")] if "march" in text else [])
