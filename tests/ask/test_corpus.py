"""The corpus: what each question is understood as, and what holds for all of them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import corpus
from hypothesis import given
from hypothesis import strategies as st
from steps import steps
from values import ADA, GRACE, somebody

from bot.ask.known import Known, Thread
from bot.ask.question import Question
from bot.ask.question_document import question_document, question_of, typed, understood_document
from bot.ask.reading.question import TOO_LONG, parse_question
from bot.month.calendar import Days, Month, MonthRange

SEPTEMBER = MonthRange(Month(2025, 9), Month(2025, 9))
THREADS = {
    "FOLLOWING": Thread("Ada Lovelace", Days.of(SEPTEMBER), ("acme/web",)),
    "OF_TEAM": Thread(None, Days.of(SEPTEMBER)),
    "OF_GRACE": Thread("Grace Hopper", Days.of(MonthRange(Month(2025, 10), Month(2025, 10)))),
}
PARTS = ["MONTH", "WHEN", "COMPARE", "PROFILE", "WHO_DID", "SHIPPED", "CHANGES", "EXPLAIN", "DIGEST", "SCHEDULE",
         "LINK", "HELPED", "TAKEN", *THREADS]  # fmt: skip
INTENTS = [
    "month",
    "compare",
    "profile",
    "who",
    "what_shipped",
    "changes",
    "explain",
    "digest",
    "schedule",
    "link",
    "help",
]
_ROW = re.compile(rf"(?P<text>.*?) \| (?P<intent>{'|'.join(INTENTS)})(?P<people>(?: [A-Z0-9]+)*) \|(?P<rest>.*)")
_MORE = {"w": "without_repos", "r": "repos", "t": "topic", "k": "kinds", "form": "form"}


def _row(part: str, line: str) -> tuple[str, str, dict[str, object]]:
    match = _ROW.fullmatch(line)
    assert match, line
    months, _, more = match["rest"].partition("|")
    first, _, last = months.strip().partition("..")
    expected: dict[str, object] = {
        "intent": match["intent"], "people": [corpus.NAMES[key] for key in match["people"].split()],
        "from": first or None, "to": last or first or None, "repos": [], "topic": None, "kinds": [],
    }  # fmt: skip
    for said in filter(None, map(str.strip, more.split(" / "))):
        key, _, value = said.partition(" ")
        expected[_MORE[key]] = value.split() if key in "wrk" else value
    return part, match["text"], expected


ROWS = [_row(part, line) for part in PARTS for line in getattr(corpus, part).strip().splitlines()]
UNKNOWN = [tuple(map(str.strip, line.rsplit("|", 2))) for line in corpus.UNKNOWN.strip().splitlines()]
ASKED = [(THREADS.get(part), text) for part, text, _ in ROWS] + [(None, row[0]) for row in UNKNOWN]


def _is_told(expected: dict[str, object]) -> bool:
    return expected["intent"] not in ("help", "schedule") and (expected["intent"] != "link" or bool(expected["topic"]))


@cache
def parsed(text: str, thread: Thread | None = None) -> Question:
    """What a text is understood as; several tests ask that of the whole corpus."""
    return parse_question(text, corpus.KNOWN, corpus.TODAY, thread)


def test_each_question_of_the_corpus_is_understood() -> None:
    wrong = []
    for part, text, expected in ROWS:
        question = parsed(text, THREADS.get(part))
        understood = understood_document(question)
        if (understood, question.missing) != (expected, None):
            wrong.append((f"{part} {text}", understood, question.missing, expected))
    assert wrong == []


def test_what_is_not_sure_is_asked_about_with_what_may_have_been_meant() -> None:
    wrong = []
    for text, said, choices in UNKNOWN:
        question = parsed(text)
        offered = " / ".join(choice.label for choice in question.choices)
        if question.intent != "unknown" or not (question.missing or "").startswith(said) or offered != choices:
            wrong.append((text, question.intent, question.missing, offered))
    assert wrong == []


def test_the_corpus_is_wide() -> None:
    assert len({text for _, text in ASKED}) > 650
    assert {expected["intent"] for _, _, expected in ROWS} == set(INTENTS)


def test_a_choice_is_the_whole_question_put_right() -> None:
    def choices(text: str) -> dict[str, Question]:
        return {choice.label: choice.question for choice in parsed(text).choices}

    october = {"span": Days.of(Month(2025, 10))}
    assert choices("dave's bug fixes in october") == {
        name: Question("changes", (name,), kinds=("fix",), **october) for name in ("Dave Kim", "Dave Okafor")
    }
    assert choices("dave and sam in october")["Dave Kim, Sam Poe <sam@one.example>"] == Question(
        "month", ("Dave Kim", "Sam Poe <sam@one.example>"), **october
    )
    assert choices("october") == {
        "Ada Lovelace": Question("month", ("Ada Lovelace",), **october),
        "Everyone": Question("what_shipped", **october),
    }
    assert choices("grace in tools in october")["other/tools"] == Question(
        "month", ("Grace Hopper",), repositories=("other/tools",), **october
    )
    assert choices("grcae in october") == {"José García": Question("month", ("José García",), **october)}
    assert choices("explain #12 and #13")["#13"] == Question("explain", topic="#13")


def test_every_choice_can_be_asked() -> None:
    """Each is answerable as it stands, survives being written down, and is not longer than a button holds."""
    for thread, text in ASKED:
        for choice in parsed(text, thread).choices:
            assert (
                choice.question.intent != "unknown" and choice.question.missing is None and not choice.question.choices
            )
            assert question_of(question_document(choice.question)) == choice.question
            assert choice.label.strip() and len(str(question_document(choice.question))) < 2_000


def test_what_is_understood_is_written_down_and_read_again() -> None:
    for thread, text in ASKED:
        question = parsed(text, thread)
        bare = replace(question, missing=None, choices=(), assumed=())
        assert question_of(question_document(question)) == bare


def test_neither_case_nor_spaces_change_what_is_understood() -> None:
    changed = []
    for thread, text in ASKED:
        one = _without_case(parsed(text, thread))
        title = text if "<" in text else text.title()
        spaced = f"  {text.lower().replace(' ', '   ')}\n\t"
        for said in {text.upper(), title, spaced}:
            if (other := _without_case(parsed(said, thread))) != one:
                changed.append((said, one, other))
    assert changed == []


def _without_case(question: Question) -> tuple[object, ...]:
    document = question_document(question)
    return (*document.items(), (question.topic or "").casefold()) if not question.topic else (
        document["intent"], document["people"], document["from"], document["to"], question.topic.casefold()
    )  # fmt: skip


_PIECES = sorted(
    {word for _, text in ASKED for word in text.split()} | {"\ue000", "\ue8ff", "\x00", "'", "ſept", "İ", "K"}
)


@given(
    st.one_of(st.text(max_size=120), st.lists(st.sampled_from(_PIECES), max_size=16).map(" ".join)),
    st.sampled_from([None, *THREADS.values()]),
)
def test_any_text_is_a_question_or_what_is_missing(text: str, thread: Thread | None) -> None:
    question = parsed(text, thread)
    assert (question.intent == "unknown") == (question.missing is not None)
    assert question.intent in (*INTENTS, "unknown")
    assert question.span is None or question.span.first <= corpus.TODAY
    assert question == parse_question(text, corpus.KNOWN, corpus.TODAY, thread)
    shown = f"{question_document(question)} {question.missing} {question.choices}"
    assert not re.search("[\ue000-\uf8ff]", shown.replace(repr(text), ""))


def test_what_is_understood_can_be_typed_again() -> None:
    """Where there are no buttons, the words for a choice ask for just that."""
    wrong = []
    for part, text in ((part, text) for part, text, expected in ROWS if _is_told(expected)):
        question = parsed(text, THREADS.get(part))
        again = parsed(typed(question))
        if question_document(again) != question_document(question):
            wrong.append((text, typed(question), question_document(again)))
    assert wrong == []


def test_a_text_of_16_megabytes_is_too_long_and_no_trouble() -> None:
    for text in ("x " * 8_000_000, "<" * 16_000_000, "é" * 16_000_000):
        assert steps(lambda text=text: refused(text)) < 500


def refused(text: str) -> None:
    assert parsed(text).missing == TOO_LONG


@cache
def _large() -> Known:
    people = [somebody(f"Name{n % 700} Family{n}", f"p{n}@example.com", logins=[f"login{n}"]) for n in range(2_998)]
    return Known([*people, ADA, GRACE], [f"acme/repository{n}" for n in range(200)], asker=ADA)


def test_3000_people_and_200_repositories_make_no_question_slow() -> None:
    """No question goes through them, once their names are known."""
    known = _large()
    taken = {text: _steps(text, known, thread) for thread, text in ASKED}
    assert {text: count for text, count in taken.items() if count > 20_000} == {}


def test_no_text_is_read_slowly() -> None:
    """Whatever repeats takes no more steps than a question does; a pattern that tried all ways through it would not
    end within the time limit."""
    known = _large()
    pieces = [
        "'", "' ", "may ", "for march ", "june to ", "grace and ", "a@b ", "<@U1 ", "q1 ", "the ", "link ",
        "x's ", "@x is ", "#1 ", "every ", "post every ", "who worked on ", "show the ", "fixes and ", "-",
        "a/", "1/", "- ", "my ", "is my ", "last 3 ", "not ", "2025-", "é", "all of ", "what did ", "except ",
    ]  # fmt: skip
    taken = {piece: _steps((piece * 300)[:300], known) for piece in pieces}
    assert {piece: count for piece, count in taken.items() if count > 50_000} == {}


def _steps(text: str, known: Known, thread: Thread | None = None) -> int:
    follows = replace(thread, repositories=()) if thread else None
    parse_question(text, known, corpus.TODAY, follows)  # what is made for the first question of its sort is kept
    return steps(lambda: parse_question(text, known, corpus.TODAY, follows))
