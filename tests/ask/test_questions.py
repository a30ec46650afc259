"""What people type, and what is understood: as `almanac ask --parse` prints it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps import steps
from values import ADA, GRACE, somebody

from bot.ask.known import Known, Thread
from bot.ask.question_document import question_document
from bot.ask.reading.question import parse_question
from bot.model import Identity, Person
from bot.month.calendar import Days, Month, MonthRange
from bot.slack.messages import help_message
from bot.story.render import Templates

NOW = date(2025, 11, 12)
PEOPLE = [
    ADA, GRACE, somebody("Dave Kim", "dkim@example.com"), somebody("Dave Okafor", "dokafor@example.com"),
    somebody("June Lee"), somebody("April O'Neil"), somebody("May Chen"), somebody("Jan Kowalski"),
    somebody("August Rush"),
    somebody("李 明", "li@example.com"), somebody("Dennis van der Staay", "dstaay@example.com"), somebody("James Roe"),
    somebody("Sam Poe", "sam@one.example"), somebody("Sam Poe", "sam@two.example"), somebody("Marcia Abbot"),
]  # fmt: skip
ENGINE, WEB, TOOLS = "acme/engine", "acme/web", "acme/tools"
SLACK = {person.slack: person for person in PEOPLE if person.slack}
KNOWN = Known(PEOPLE, [ENGINE, WEB, TOOLS, "other/tools"], asker=ADA, member=SLACK.get)
# Ada, September 2025, in acme/web
ABOUT = Thread("Ada Lovelace", Days.of(MonthRange(Month(2025, 9), Month(2025, 9))), (WEB,))

A, G, DK, DO = "Ada Lovelace", "Grace Hopper", "Dave Kim", "Dave Okafor"
OCT, SEP, AUG = "2025-10", "2025-09", "2025-08"


def understood(text: str, thread: Thread | None = None, known: Known = KNOWN) -> dict[str, object]:
    return question_document(parse_question(text, known, NOW, thread))


def expected(
    intent: str, people: Sequence[str] = (), first: str | None = None, last: str | None = None, **more: object
) -> dict[str, object]:
    return {
        "intent": intent, "people": list(people), "from": first, "to": last or first,
        "repos": [], "topic": None, "kinds": [], **more,
    }  # fmt: skip


QUESTIONS: list[tuple[str, dict[str, object]]] = [
    # one person
    ("what did grace do in october?", expected("month", [G], OCT)),
    ("What did Grace Hopper do in August 2025?", expected("month", [G], AUG)),
    ("grace", expected("month", [G])),
    ("Grace?", expected("month", [G])),
    ("what did grace do?", expected("month", [G])),
    ("grace last month", expected("month", [G], OCT)),
    ("GRACE OCTOBER", expected("month", [G], OCT)),
    ("grace 2025-10", expected("month", [G], OCT)),
    ("grace: october", expected("month", [G], OCT)),
    ("(grace) october!!!", expected("month", [G], OCT)),
    ('"grace" "october"', expected("month", [G], OCT)),
    ("*grace* in _october_", expected("month", [G], OCT)),
    ("october grace", expected("month", [G], OCT)),
    ("in october, what did grace work on?", expected("month", [G], OCT)),
    ("grace's october", expected("month", [G], OCT)),
    ("grace’s october", expected("month", [G], OCT)),
    ("James' october", expected("month", ["James Roe"], OCT)),
    ("show me grace's october", expected("month", [G], OCT)),
    ("tell me about grace", expected("month", [G])),
    ("tell me about grace in october", expected("month", [G], OCT)),
    ("can you tell me what grace shipped in august please", expected("month", [G], AUG)),
    ("I want to know what grace did in may", expected("month", [G], "2025-05")),
    ("may I ask what grace did in june", expected("month", [G], "2025-06")),
    *((text, expected("month", [G], "2025-10-14", "2025-11-12")) for text in [
        "what has grace been working on lately?", "what is grace working on right now", "latest work of grace",
        "what is grace currently doing",
    ]),
    ("what's grace been up to", expected("month", [G])),
    ("any updates from grace?", expected("month", [G])),
    ("summary of grace's work since june", expected("month", [G], "2025-06", "2025-11")),
    ("grace between june and august", expected("month", [G], "2025-06", AUG)),
    ("grace, the past three months", expected("month", [G], AUG, OCT)),
    ("grace Q3", expected("month", [G], "2025-07", SEP)),
    ("grace last quarter", expected("month", [G], "2025-07", SEP)),
    ("grace last year", expected("month", [G], "2024-01", "2024-12")),
    ("grace since june until now", expected("month", [G], "2025-06", "2025-11")),
    ("who is grace?", expected("profile", [G])),
    ("list grace's commits in october", expected("changes", [G], OCT)),
    ("grace 🚀 october", expected("month", [G], OCT)),
    ("{{7*7}} grace october", expected("month", [G], OCT)),
    ("<!channel> what did grace do", expected("month", [G])),
    ("Grace RDMA october", expected("month", [G], OCT)),
    ("what did grace do with RDMA in october", expected("month", [G], OCT, topic="RDMA")),
    ("what did grace do for grouped gemm", expected("month", [G], topic="grouped gemm")),
    # other ways to name somebody
    ("<@U02GRACE> in october", expected("month", [G], OCT)),
    ("<@U02GRACE|grace> last month", expected("month", [G], OCT)),
    ("<@U02GRACE>'s october", expected("month", [G], OCT)),
    ("@grace october", expected("month", [G], OCT)),
    ("@ghopper october", expected("month", [G], OCT)),
    ("amazing grace in october", expected("month", [G], OCT)),
    ("grace@example.com in october", expected("month", [G], OCT)),
    ("<mailto:grace@example.com|grace@example.com> in october", expected("month", [G], OCT)),
    ("Grace Hopper <grace@example.com> in october", expected("month", [G], OCT)),
    ("hopper october", expected("month", [G], OCT)),
    ("gra october", expected("month", [G], OCT)),
    ("dave kim october", expected("month", [DK], OCT)),
    ("dave k october", expected("month", [DK], OCT)),
    ("Dave Okafor's october", expected("month", [DO], OCT)),
    ("what did van der staay do in october", expected("month", ["Dennis van der Staay"], OCT)),
    ("dennis october", expected("month", ["Dennis van der Staay"], OCT)),
    ("李 明 october", expected("month", ["李 明"], OCT)),
    ("李 明 2025年10月", expected("month", ["李 明"], OCT)),
    ("sam@one.example in october", expected("month", ["Sam Poe <sam@one.example>"], OCT)),
    # several
    ("what did grace and dave kim do in october", expected("month", [G, DK], OCT)),
    ("grace & ada october", expected("month", [G, A], OCT)),
    ("grace, ada october", expected("month", [G, A], OCT)),
    ("ada's and grace's october", expected("month", [A, G], OCT)),
    ("<@U02GRACE> and <@U02GRACE>", expected("month", [G])),
    ("what did grace and i do in october", expected("month", [G, A], OCT)),
    # me
    ("what did I do last month?", expected("month", [A], OCT)),
    ("my month", expected("month", [A])),
    ("me in october", expected("month", [A], OCT)),
    ("show me my october", expected("month", [A], OCT)),
    ("how was my september", expected("month", [A], SEP)),
    ("i", expected("month", [A])),
    # people whose names are months
    ("what did June do in august?", expected("month", ["June Lee"], AUG)),
    ("june lee in june", expected("month", ["June Lee"], "2025-06")),
    ("June's august", expected("month", ["June Lee"], AUG)),
    ("is june doing well", expected("month", ["June Lee"])),
    ("what did may do in august", expected("month", ["May Chen"], AUG)),
    ("May Chen in may", expected("month", ["May Chen"], "2025-05")),
    ("April O'Neil april", expected("month", ["April O'Neil"], "2025-04")),
    ("what did jan do in october", expected("month", ["Jan Kowalski"], OCT)),
    ("jan kowalski since jan", expected("month", ["Jan Kowalski"], "2025-01", "2025-11")),
    ("August Rush, august", expected("month", ["August Rush"], AUG)),
    ("what did august do in june", expected("month", ["August Rush"], "2025-06")),
    ("grace june", expected("month", [G], "2025-06")),
    ("grace from june to august", expected("month", [G], "2025-06", AUG)),
    ("grace in june, august", expected("month", [G], "2025-06", AUG)),
    ("marcia in march", expected("month", ["Marcia Abbot"], "2025-03")),
    ("august digest", expected("digest", [], AUG)),
    # repositories
    ("what did grace do in acme/engine in october", expected("month", [G], OCT, repos=[ENGINE])),
    ("what did grace do in engine in october", expected("month", [G], OCT, repos=[ENGINE])),
    ("grace on the engine in october", expected("month", [G], OCT, repos=[ENGINE])),
    ("grace only acme/engine", expected("month", [G], repos=[ENGINE])),
    ("grace in acme/engine and acme/web", expected("month", [G], repos=[ENGINE, WEB])),
    ("grace in ACME/Engine.", expected("month", [G], repos=[ENGINE])),
    ("grace in https://github.com/acme/engine.git october", expected("month", [G], OCT, repos=[ENGINE])),
    ("grace in <https://github.com/acme/engine|acme/engine>", expected("month", [G], repos=[ENGINE])),
    # the team
    ("what shipped in october?", expected("what_shipped", [], OCT)),
    ("what shipped?", expected("what_shipped")),
    ("what shipped in acme/engine in october?", expected("what_shipped", [], OCT, repos=[ENGINE])),
    ("what did we ship in q3", expected("what_shipped", [], "2025-07", SEP)),
    ("what did the team do last month", expected("what_shipped", [], OCT)),
    ("what did everyone do in june", expected("what_shipped", [], "2025-06")),
    ("what was released last month", expected("what_shipped", [], OCT)),
    ("what happened in engine last month", expected("what_shipped", [], OCT, repos=[ENGINE])),
    ("acme/engine in october", expected("what_shipped", [], OCT, repos=[ENGINE])),
    ("what happened with grace in october", expected("month", [G], OCT)),
    ("digest", expected("digest")),
    ("post the digest", expected("digest")),
    ("digest for october", expected("digest", [], OCT)),
    ("show the monthly digest", expected("digest")),
    # help
    *((text, expected("help")) for text in [
        "", "  ", "?", "help", "Help!", "hi", "hello almanac", "thanks!", "thank you", "what can you do?",
        "how does this work?", "who are you", "how do i use this", "please help me",
    ]),
    # anything else
    ("compare grace and ada in october", expected("compare", [G, A], OCT)),
    ("compare june with august for grace", expected("compare", [G], "2025-06", AUG)),
    ("grace vs ada last month", expected("compare", [G, A], OCT)),
    ("grace's profile", expected("profile", [G])),
    ("profile of grace", expected("profile", [G])),
    ("who worked on RDMA in october?", expected("who", [], OCT, topic="RDMA")),
    ("who knows the allocator?", expected("who", topic="allocator")),
    ("show grace's bug fixes in october", expected("changes", [G], OCT, kinds=["fix"])),
    ("which features did grace ship in october", expected("changes", [G], OCT, kinds=["feature"])),
    ("which of grace's changes were reverted?", expected("changes", [G], kinds=["revert"])),
    *((text, expected("changes", [G], OCT, kinds=["review"])) for text in [
        "what did grace review in october?", "show grace's code reviews in october", "reviews by grace, october",
        "which changes did grace review in october", "changes reviewed by grace in october",
    ]),
    ("what have i reviewed in october", expected("changes", [A], OCT, kinds=["review"])),
    ("my reviews", expected("changes", [A], kinds=["review"])),
    ("perf reviews are due friday, what did grace do in october?", expected("month", [G], OCT)),
    ("grace's october for her review", expected("month", [G], OCT)),
    ("explain abc1234", expected("explain", topic="abc1234")),
    *((text, expected("who", [G], OCT)) for text in [
        "who reviewed grace's changes in october?", "who worked with grace in october", "grace's reviewers in october",
        "who did grace work with in october?",
    ]),
    ("who reviews my code?", expected("who", [A])),
    ("who worked with RDMA?", expected("who", topic="RDMA")),
    ("anything about cuda graphs?", expected("who", topic="cuda graphs")),
    ("what changed in the allocator in october?", expected("who", [], OCT, topic="allocator")),
    ("which files did grace touch in october", expected("changes", [G], OCT, kinds=["files"])),
    ("fixes in the allocator in october", expected("who", [], OCT, topic="allocator", kinds=["fix"])),
    ("show grace's fixes in grouped gemm", expected("who", [G], topic="grouped gemm", kinds=["fix"])),
    ("when did grouped gemm land?", expected("who", topic="grouped gemm")),
    ("when did we add support for blackwell", expected("who", topic="blackwell")),
    ("is there a fix for the int32 overflow?", expected("who", topic="int32 overflow")),
    ("who knows the allocator code best?", expected("who", topic="allocator")),
    ("did grace land anything in october", expected("month", [G], OCT)),
    ("what changed in the last 24 hours?", expected("what_shipped", [], "2025-11-11", "2025-11-12")),
    ("how many people contributed in october?", expected("what_shipped", [], OCT)),
    ("prep for my 1:1 with grace - what did she ship in october?", expected("month", [G], OCT)),
    ("what broke in october?", expected("changes", [], OCT, kinds=["revert"])),
    ("show all commits to the allocator in october", expected("who", [], OCT, topic="allocator")),
    ("when was grouped gemm added?", expected("who", topic="grouped gemm")),
    ("when did we drop python 3.8 support", expected("who", topic="python 3.8 support")),
    ("did anyone upgrade cutlass?", expected("who", topic="cutlass")),
    ("what's the status of the cuda graphs work?", expected("who", topic="cuda graphs")),
    ("ssd changes in october", expected("who", [], OCT, topic="ssd")),
    ("what happened in october while i was on holiday?", expected("what_shipped", [], OCT)),
    ("what did fromm do on the parser?", expected("unknown")),
    ("when did grace last commit?", expected("profile", [G])),
    ("what's grace good at?", expected("profile", [G])),
    ("is grace still around?", expected("profile", [G])),
    ("how long has grace been on the project", expected("profile", [G])),
    ("why did grace revert #12", expected("explain", topic="#12")),
    ("what does !12 do?", expected("explain", topic="#12")),
    ("what does acme/engine!12 do?", expected("explain", topic="acme/engine#12")),
    ("explain #1444", expected("explain", topic="#1444")),
    ("explain https://github.com/acme/engine/pull/12", expected("explain", topic="acme/engine#12")),
    ("explain <https://github.com/acme/engine/commit/abc1234>", expected("explain", topic="abc1234")),
    ("why is acme/engine#12 not in my month", expected("explain", topic="acme/engine#12")),
    ("post the digest every month on the 1st", expected("schedule")),
    ("pause the digest", expected("schedule")),
    ("grace@home.example is me", expected("link", [A], topic="grace@home.example")),
    ("whose address is foo@bar.example?", expected("link", topic="foo@bar.example")),
    ("link foo@bar.example to grace", expected("link", [G], topic="foo@bar.example")),
]  # fmt: skip


def test_each_question_is_understood() -> None:
    read = [(text, understood(text), parse) for text, parse in QUESTIONS]
    assert [(text, found, parse) for text, found, parse in read if found != parse] == []


UNKNOWN: list[tuple[str, str]] = [
    ("what did dave do last month", "Which Dave: Dave Kim or Dave Okafor?"),
    ("what did dave and grace do", "Which Dave: Dave Kim or Dave Okafor?"),
    ("DAVE", "Which Dave: Dave Kim or Dave Okafor?"),
    ("what did sam do", "Which Sam: Sam Poe <sam@one.example> or Sam Poe <sam@two.example>?"),
    ("Sam Poe october", "Which Sam Poe: Sam Poe <sam@one.example> or Sam Poe <sam@two.example>?"),
    ("grace and adda in october", "I know nobody called “adda”. Did you mean Ada Lovelace?"),
    ("what did zorblax do in october", "I know nobody called “zorblax”. You can ask about Ada Lovelace, "
     "April O'Neil or August Rush, for example."),
    ("what did grace kelly do in october", "I know nobody called “grace kelly”. Did you mean Grace Hopper?"),
    ("What did Grace Kelly do in october?", "I know nobody called “Grace Kelly”. Did you mean Grace Hopper?"),
    ("grace kelly october", "I know nobody called “grace kelly”. Did you mean Grace Hopper?"),
    ("nobody@example.com in october", "I know nobody called “nobody@example.com”."),
    ("<@U0UNKNOWN> last month", "I do not know which author that is in git: ask with the name as it stands in "
     "their commits, or put their Slack id, U0UNKNOWN, beside their name in almanac.toml."),
    ("june", "Which June: June Lee or the month of June?"),
    ("how was june?", "Which June: June Lee or the month of June?"),
    ("jan", "Which Jan: Jan Kowalski or the month of January?"),
    ("grace next month", "December 2025 has not begun yet."),
    ("grace 2025-13", "There is no month 2025-13."),
    ("grace in acme/nowhere", "I have not indexed a repository called “acme/nowhere”."),
    ("grace in tools", "Which tools: acme/tools or other/tools?"),
    ("october", "Whose month do you mean? Name somebody."),
    ("show the bug fixes", "Whose month do you mean? Name somebody."),
    ("'; DROP TABLE commits; -- grace", "I only tell what is in git, and change nothing there."),
    ("delete grace's commits from august", "I only tell what is in git, and change nothing there."),
    ("asdf qwer zxcv", "I did not understand that."),
    ("x " * 5_000, "That is more than I can read at once: ask in a sentence."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "missing"), UNKNOWN, ids=[row[0][:40] for row in UNKNOWN])
def test_what_is_not_sure_is_asked_about(text: str, missing: str) -> None:
    question = parse_question(text, KNOWN, NOW)
    assert (question_document(question), question.missing) == (expected("unknown"), missing)


FOLLOW_UPS: list[tuple[str, dict[str, object]]] = [
    ("and august?", expected("month", [A], AUG, repos=[WEB])),
    ("august", expected("month", [A], AUG, repos=[WEB])),
    ("and in october?", expected("month", [A], OCT, repos=[WEB])),
    ("and june?", expected("month", [A], "2025-06", repos=[WEB])),
    ("previous month", expected("month", [A], AUG, repos=[WEB])),
    ("the month before", expected("month", [A], AUG, repos=[WEB])),
    ("next month", expected("month", [A], OCT, repos=[WEB])),
    ("last month", expected("month", [A], OCT, repos=[WEB])),
    ("since june", expected("month", [A], "2025-06", "2025-11", repos=[WEB])),
    ("what about grace?", expected("month", [G], SEP, repos=[WEB])),
    ("and grace", expected("month", [G], SEP, repos=[WEB])),
    ("same for grace", expected("month", [G], SEP, repos=[WEB])),
    ("and me?", expected("month", [A], SEP, repos=[WEB])),
    ("only acme/engine", expected("month", [A], SEP, repos=[ENGINE])),
    ("and in engine?", expected("month", [A], SEP, repos=[ENGINE])),
    ("in all repositories", expected("month", [A], SEP)),
    ("what did he do in june", expected("month", [A], "2025-06", repos=[WEB])),
    ("same month last year", expected("month", [A], "2024-09", repos=[WEB])),
    ("everywhere", expected("month", [A], SEP)),
    ("and grace in acme/engine?", expected("month", [G], SEP, repos=[ENGINE])),
    ("and everyone?", expected("what_shipped", [], SEP, repos=[WEB])),
    ("what shipped?", expected("what_shipped", [], SEP, repos=[WEB])),
    ("compare with june", expected("compare", [A], "2025-06", SEP, repos=[WEB])),
    ("compare with grace", expected("compare", [A, G], SEP, repos=[WEB])),
    ("show the bug fixes", expected("changes", [A], SEP, repos=[WEB], kinds=["fix"])),
    ("which were reverted?", expected("changes", [A], SEP, repos=[WEB], kinds=["revert"])),
    ("thanks", expected("help")),
    # complete, so nothing is inherited
    ("what did grace do in october?", expected("month", [G], OCT)),
    ("grace october", expected("month", [G], OCT)),
    ("what shipped in october?", expected("what_shipped", [], OCT)),
    ("digest for october", expected("digest", [], OCT)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "parse"), FOLLOW_UPS, ids=[row[0] for row in FOLLOW_UPS])
def test_a_follow_up_keeps_what_it_does_not_replace(text: str, parse: dict[str, object]) -> None:
    assert understood(text, ABOUT) == parse


def test_a_follow_up_in_a_repository_that_is_gone_is_asked_about() -> None:
    gone = replace(ABOUT, repositories=("acme/gone",))
    assert parse_question("and august?", KNOWN, NOW, gone).missing == (
        "acme/gone is not indexed any more; ask again with the repositories you mean."
    )
    assert understood("and august in acme/web?", gone) == expected("month", [A], AUG, repos=[WEB])


def test_who_asks_must_be_known_for_what_is_mine() -> None:
    stranger = Known(PEOPLE, [])
    for text in ("my month", "what did I do", "me and grace"):
        assert "I do not know which author you are" in (parse_question(text, stranger, NOW).missing or "")
    assert understood("show me grace", known=stranger) == expected("month", [G])


def test_a_name_that_looks_like_a_sha_is_a_name() -> None:
    known = Known([Person("Team 5d78eaec maintainers", (Identity("Team 5d78eaec maintainers", "m@example.com"),))])
    text = "what did Team 5d78eaec maintainers do in october?"
    assert understood(text, known=known) == expected("month", ["Team 5d78eaec maintainers"], OCT)


def test_a_repository_goes_before_who_has_its_name_before_an_at() -> None:
    people = [*PEOPLE, Person("Lea Tarr", (Identity("Lea Tarr", "engine@example.com"),))]
    found = understood("what changed in engine in october?", known=Known(people, ["engine", "web"]))
    assert (found["people"], found["repos"]) == ([], ["engine"])


def test_of_people_with_one_name_the_active_one_is_meant() -> None:
    """One address may be an old one: whoever has commits in the months asked for is shown."""
    one = next(person for person in PEOPLE if person.addresses == ("sam@one.example",))

    def narrowed(people: list[Person], _: object) -> list[Person]:
        return [one] if {person.name for person in people} == {"Sam Poe"} else people

    known = Known(PEOPLE, narrowed=narrowed)  # type: ignore[arg-type]
    assert understood("sam in october", known=known) == expected("month", ["Sam Poe <sam@one.example>"], OCT)


@pytest.mark.parametrize(
    ("remembered", "thread"),
    [
        (None, Thread()),
        ({}, Thread()),
        ({"person": "Ada", "from": "2025-09", "to": "2025-10", "repos": ["a/b"]},
         Thread("Ada", Days.of(MonthRange(Month(2025, 9), Month(2025, 10))), ("a/b",))),
        ({"person": None, "from": None, "to": None, "repos": None}, Thread()),
        ({"from": "2025-13", "to": "2025-10"}, Thread()),
        ({"from": "2025-10", "to": "2025-09", "repos": "a/b"}, Thread()),
        ({"person": 7, "repos": [1]}, Thread("7", None, ("1",))),
    ],
)  # fmt: skip
def test_a_thread_is_remembered_as_json(remembered: dict[str, object] | None, thread: Thread) -> None:
    assert Thread.of(remembered) == thread
    assert Thread.of(thread.document()) == thread


_TEXT = """
what did grace dave june may march ada hopper do in on since last next month october 2025-13 q3 only
acme/engine engine compare with profile who worked explain #12 abc1234 digest every shipped me my
and , ? <@U02GRACE> <@U1> grace@example.com 's to from everyone show the fixes link is help   👋 李 月
tools
"""
_WORDS = st.sampled_from([*_TEXT.split(), "\ue000", "\x00"])


@given(st.one_of(st.text(max_size=100), st.lists(_WORDS, max_size=14).map(" ".join)), st.booleans())
def test_any_text_is_a_question_or_what_is_missing(text: str, follows: bool) -> None:
    question = parse_question(text, KNOWN, NOW, ABOUT if follows else None)
    assert (question.intent == "unknown") == (question.missing is not None)
    assert question.span is None or question.span.first <= NOW
    assert "\ue000" not in str(question_document(question)) + str(question.missing)


def test_each_example_of_the_help_is_understood() -> None:
    text = help_message(Templates(), None).text
    examples = [line.removeprefix("• ") for line in text.splitlines() if line.startswith("• ")]
    assert {"review" in one for one in examples} == {" on " in one for one in examples} == {True, False}
    assert not [one for one in examples if parse_question(one, KNOWN, NOW).intent in ("help", "unknown")]


def test_500_people_make_no_question_slow() -> None:
    """They take no more steps than five do, once the names are known."""
    people = [somebody(f"Person{n % 50} Family{n}", f"p{n}@example.com", logins=[f"login{n}"]) for n in range(500)]
    few = Known(people[:5], [f"acme/repository{n}" for n in range(300)], asker=people[0])
    many = Known(people, [f"acme/repository{n}" for n in range(300)], asker=people[0])
    texts = [
        "what did person3 family3 do in october?",
        "person3 family53 and login77 since june in acme/repository7",
        "zorblax in october",
        "what did I do",
        "famly3 oktobr",
        "word " * 59,
    ]
    for text in texts:
        parse_question(text, few, NOW), parse_question(text, many, NOW)
        among_few = steps(lambda text=text: parse_question(text, few, NOW))
        assert steps(lambda text=text: parse_question(text, many, NOW)) < 1.5 * among_few + 500, text
