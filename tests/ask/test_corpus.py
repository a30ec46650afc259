"""The corpus: what each question is read as, and what holds for all of them.

A line of corpus.txt is `asked | read`; before a follow-up stands the name of its thread. It is asked on 12 November
2025 by Ada Lovelace. Those behind "# strangers" are by writers who had seen only the README.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from steps import steps
from values import ADA, GRACE, somebody

from bot.ask.known import Known, Thread
from bot.ask.question import Question, typed
from bot.ask.question_document import question_document, question_of
from bot.ask.reading import read

TODAY = date(2025, 11, 12)
TEXT = (Path(__file__).parent / "corpus.txt").read_text(encoding="utf-8")
OURS, STRANGERS, TALKS = (part.strip().split("\n") for part in re.split(r"^# \w+\n", TEXT, flags=re.MULTILINE)[1:])
COMMON = [
    ADA, somebody("Dave Kim", "dkim@example.com"), somebody("Dave Okafor", "dokafor@example.com"), somebody("June Lee"),
    somebody("May Chen"), somebody("José García", "jose@example.com"), somebody("Jürgen Müller", "jm@example.com"),
    somebody("Will Stone"), GRACE, somebody("Dennis van der Staay", "dstaay@example.com"),
    somebody("李 明", "li@example.com"), somebody("Marcia Abbot"),
]  # fmt: skip
OUR_PEOPLE = [
    *COMMON, somebody("April O'Neil"), somebody("Jan Kowalski"), somebody("August Rush"),
    somebody("田中 さくら", "sakura@example.com"), somebody("James Roe"), somebody("Łukasz Nowak", "ln@example.com"),
    somebody("Jean-Luc Martin", "jlm@example.com"), somebody("Summer Reyes"), somebody("Mark Twayne"),
    somebody("Bill Cho"), somebody("Art Vance"), somebody("Søren Ødegård", "so@example.com"),
    somebody("Иван Петров", "ivan@example.com"), somebody("Ana de la Cruz", "adlc@example.com"),
    somebody("Park, Hyun-woo", "hw@example.com", logins=["hwpark"]), somebody("Sam Poe", "sam@one.example"),
    somebody("Sam Poe", "sam@two.example"),
]  # fmt: skip
STRANGE_PEOPLE = [
    *(replace(one, logins=("adal",)) if one is ADA else one for one in COMMON), somebody("Sam Poe"),
    somebody("CodemodService Lint Bot", "lint@example.com"),
]  # fmt: skip
HELD = frozenset(re.findall(r"[\w.-]+", " ".join(re.findall(r"topic=([^|\n]*)", TEXT)).casefold()))


def known(people: list[Any], repositories: list[str], **more: Any) -> Known:
    return Known(
        people, repositories, asker=people[0], member={"U02GRACE": GRACE}.get, knows_word=HELD.__contains__,
        knows_path=re.compile(r"\w[\w/]*\.[a-z]+").fullmatch, **more,
    )  # fmt: skip


OUR = known(OUR_PEOPLE, ["acme/engine", "acme/web", "acme/tools", "other/tools"], teams=["core"])
THEIR = known(
    STRANGE_PEOPLE, ["acme/engine", "acme/web", "acme/tools", "acme/docs"], teams=["core", "platform"],
    tags={"acme/engine": ["v2.0", "v2.1", "v2.2"], "acme/web": ["web-1.4.0"]}, sprint=(date(2025, 11, 10), 14),
    may_be_offered=lambda person: "Bot" not in person.name,
)  # fmt: skip


def _thread(line: str) -> tuple[str, Thread]:
    name, person, span, repositories = (one.strip("-") if one == "-" else one for one in line.split(" | "))
    first, _, last = span.partition("..")
    return name, Thread.of({"person": person, "from": first, "to": last or first, "repos": repositories.split()})


THREADS = dict(map(_thread, TALKS))
Row = tuple[Known, Thread | None, str, str]


def _row(line: str, of: Known) -> Row:
    asked, _, expected = line.rpartition(" => ")
    name, found, text = asked.partition(": ") if asked.partition(": ")[0] in THREADS else ("", "", asked)
    return of, THREADS[name] if found else None, text.replace("⏎", "\n"), expected


ROWS = [*(_row(line, OUR) for line in OURS), *(_row(line, THEIR) for line in STRANGERS)]


@cache
def _read(of: int, text: str, thread: Thread | None) -> Question:
    return read(text, (OUR, THEIR)[of], TODAY, thread)


def read_row(row: Row) -> Question:
    """What a row is read as; several tests ask that of the whole corpus."""
    return _read(row[0] is THEIR, row[2], row[1])


SAID = (
    "topic", "kinds", "form", "paths", "references", "states", "without_topics", "without_kinds", "unread", "team",
    "topic_in", "reviews", "order", "limit", "count", "only", "first_time", "without", "without_repos", "release",
    "listing",
)  # fmt: skip


def told(question: Question) -> str:
    """A reading in a line: what is not empty of it; of what is asked back what is said, and the choices."""
    if question.missing:
        return " | ".join(["unknown", question.missing, *(choice.label for choice in question.choices)])
    span = str(question.span) if question.span else ""
    parts = [question.intent, ", ".join(question.people), span, " ".join(question.repositories)]
    document = question_document(question)
    more = ((key, document[key]) for key in SAID if document.get(key))
    said = [f"{key}={', '.join(value) if isinstance(value, list) else value}" for key, value in more]
    return " | ".join([*parts, *said]).rstrip(" |")


def test_each_question_of_the_corpus_is_read_as_it_says() -> None:
    assert len(ROWS) > 1_800
    wrong = [(row[2], told(question), row[3]) for row in ROWS if told(question := read_row(row)) != row[3]]
    assert wrong == []


def test_every_choice_can_be_asked() -> None:
    """Each is answerable as it stands, survives being written down, and is not longer than a button holds."""
    for row in ROWS:
        for choice in read_row(row).choices:
            of = choice.question
            assert of.intent != "unknown" and of.missing is None and not of.choices and choice.label.strip()
            assert question_of(question_document(of)) == of and len(str(question_document(of))) < 2_000


def test_what_is_read_is_written_down_and_read_again() -> None:
    for row in ROWS:
        bare = replace(read_row(row), missing=None, choices=(), assumed=())
        assert question_of(question_document(bare)) == bare


def test_a_choice_can_be_typed() -> None:
    """Where there are no buttons, the words for a choice ask for just that."""
    asked = {one.question: row for row in ROWS for one in read_row(row).choices}
    read_so = {typed(one): question_document(read(typed(one), row[0], TODAY)) for one, row in asked.items()}
    assert read_so == {typed(one): question_document(replace(one, form=())) for one in asked}


@cache
def _large() -> Known:
    people = [somebody(f"Name{n % 700} Family{n}", f"p{n}@example.com", logins=[f"login{n}"]) for n in range(2_998)]
    return Known([*people, ADA, GRACE], [f"acme/repository{n}" for n in range(200)], asker=ADA)


def test_3000_people_and_200_repositories_make_no_question_slow() -> None:
    """No question goes through them, once their names are known."""
    large = _large()
    for row in ROWS[::7]:  # which also prepares the tables of its language
        read(row[2], large, TODAY)
    taken = {row[2]: steps(lambda row=row: read(row[2], large, TODAY)) for row in ROWS[::7]}
    assert {text: count for text, count in taken.items() if count > 200_000} == {}


def test_an_english_word_that_is_also_a_tag_is_a_release_only_behind_that_word() -> None:
    tagged = replace(OUR, tags={"acme/engine": ["v1.0", "list"]})
    assert read("can you list what grace did in october", tagged, TODAY).release is None
    assert read("what is in release list", tagged, TODAY).release == "list"


def test_what_is_not_to_be_counted_is_left_out() -> None:
    read_so = read("biggest change in october if you don't count pixi.lock", OUR, TODAY)
    assert (read_so.without_topics, read_so.unread) == (("pixi.lock",), ())
