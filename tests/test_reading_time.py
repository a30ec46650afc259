"""No text that a member or a commit can write holds the bot up: what it costs is measured in processor time, which does
not grow on a busy machine as time does, and a text counts as slow when it was so twenty times. Where the processor is
slower than the one that the limits were set for, or slowed down by its neighbours, they are that much longer."""

# ruff: noqa: E501, SIM905  (tables of words)

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from builders import query_service
from values import ADA, commit, somebody

from bot.ask.known import Known
from bot.ask.queries import Queries
from bot.ask.reading import LONGEST, MOST_WORDS, read
from bot.month.calendar import Month
from bot.month.releases import entries_of
from bot.story.llm.material import redacted
from storage.search import is_signed

QUESTION, MESSAGE = 0.060, 0.020  # seconds of processor time, where _work takes PACE
PACE = 0.011
OCTOBER = Month(2025, 10)
_FIRST = "ada grace dave dennis june april may will mark art luc jose ivan ana bill summer sam li anne-marie".split()
_LAST = "lovelace hopper kim okafor lee chen stone twayne vance cho garcia petrov cruz reyes poe o'neil d'arcy".split()
TEAM = [
    somebody(f"{first.title()} {last.title()}", f"{first}.{last}@example.com", logins=[f"{first[0]}{last}"])
    for first, last in itertools.product(_FIRST, _LAST)
]
KNOWN = Known(
    TEAM,
    ["acme/engine", "acme/web", "acme/tools", "other/tools"],
    asker=TEAM[0],
    teams=["core", "platform"],
    tags={"acme/engine": ["v2.0", "v2.1"]},
)
_SIGNS = (
    "' \" ` `` ``` ( ) [ ] { } < > , . .. ... - -- --- / // \\ | * ** _ ~ : :: ; ? ! # = == + & % $ @ ^ “ ” ’ « » …"
)
_FIGURES = (
    "1 12 1th 31st #1 #12 2025 2025-10 31.08. 8/31 10% 3.5ms 2x v1.2.3 0xff D12345 deadbeef abcdef1234567 d1234567"
)
_ODD = (
    "é 字 月 先月 \u200b \u2028 \x1c \t &amp; <@U1> <http://x|y> http:// https://x.y/z a@b a@b.c a/b a.b a/b#1 x() ::"
)
_ASKED = (
    "i'd ada's team's his the a i d 's i've can't and or who what when did do show changes fixes bug fix docs tests test "
    "without except but not for in on of to from since until between october may last month week 3 days ago year q3 ada "
    "grace lovelace ocotber gracee xqz reviewed reviews files same compare vs with people worked as markdown please me my "
    "team everyone repo acme/engine acme/nope most biggest revert prs been usually WHEN PERSON REPO"
)
_WRITTEN = (
    "i'd the The fix fixes fixed by reverts Revert commit commits this diff Signed-off-by: Co-authored-by: Fixes: "
    "Summary: feat: fix( build!: [x] [ci] (#1) cherry picked back out reland re-land of from to faster not before after "
    "was regressed introduced in caused broken and or e.g. i.e. No. a_b aB AKIA ghp_ password= token: key= Bearer eyJ "
    "-----BEGIN github.com/a/b https://github.com/a/b/pull/1 -> => <!-- --> <details> </p> .py and.x/y#3"
)
QUESTIONS = f"{_SIGNS} {_FIGURES} {_ODD} {_ASKED}".split(" ")
MESSAGES = f"{_SIGNS} {_FIGURES} {_ODD} {_WRITTEN}".split(" ")


def texts(words: list[str], seed: int, many: int) -> Iterator[str]:
    """Texts of one thing said over and over: each word alone with each thing between, then what a seed draws."""
    between = ["", " ", "  ", "\n", "\n\n", ", ", "'", " and "]
    some = random.Random(seed)  # noqa: S311
    every = list(itertools.product(words, between))
    for word, sep in some.sample(every, min(many // 2, len(every))):
        yield (word + sep) * 20_000
    for _ in range(many - many // 2):
        said = some.choice(["", "", " ", "\n", "'"]).join(some.choices(words, k=some.randint(1, 4)))
        before = some.choice(
            ["", "", "what did ada do ", "show the fixes and ", "who worked on ", "This reverts ", "- "]
        )
        after = some.choice(["", "", " xqz!", "?", " ("])
        yield f"{before}{(said + some.choice([' ', *between])) * (6_000 // (len(said) + 1))}{after}"


def slow(run: Callable[[str], object], given: Iterator[str], seconds: float) -> list[str]:
    return [
        f"{text[:60]!r} … {text[-12:]!r}: {took * 1000:.0f} ms"
        for text in given
        if (took := spent(lambda text=text: run(text), seconds)) > seconds
    ]


def spent(run: Callable[[], object], seconds: float) -> float:
    """The least processor time that it took in up to twenty runs, as on a processor of the usual pace."""
    least = 60.0
    for _ in range(20):
        if (took := _timed(run)) > seconds:
            took /= max(1.0, _timed(_work) / PACE)
        least = min(least, took)
        if least <= seconds:
            break
    return least


def _timed(run: Callable[[], object]) -> float:
    before = time.process_time()
    run()
    return time.process_time() - before


def _work() -> None:
    """What takes as long on any machine of one pace."""
    found: dict[str, int] = {}
    for number in range(40_000):
        found[str(number % 977)] = found.get(str(number % 977), 0) + number
    sorted(found.items())


def as_asked(text: str) -> str:
    """As much of a text as a question may have."""
    return " ".join(text[:LONGEST].split(" ")[:MOST_WORDS])


def read_question(text: str) -> None:
    read(text, KNOWN, OCTOBER.first)


@pytest.mark.parametrize(
    "text",
    [
        "i'd " * 24,
        "ada's " * 20,
        "who WHEN REPO " * 40,
        "except bugfixes, " * 40,
        "누가" + "1월" * 700,
        "谁" + "1月" * 700,
        "é\n" * 1_400,
    ],
)
def test_what_once_took_for_ever_is_read_at_once(text: str) -> None:
    assert not slow(read_question, iter([text]), QUESTION)


def test_a_word_of_many_letters_is_looked_for_at_once() -> None:
    assert not slow(is_signed, iter(["a" * 20_000]), QUESTION)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_no_question_takes_long_to_read(seed: int) -> None:
    assert not slow(read_question, map(as_asked, texts(QUESTIONS, seed, 300)), QUESTION)


@pytest.mark.parametrize("said", ["#", "# ", "`a", "` ", "[", "[a]", "**", "<b", ":a", "(#", "- ", "1.0 ", "1.", "`"])
def test_no_change_log_takes_long_to_read(said: str) -> None:
    line = (said * 20_000)[:20_000]
    text = f"# 1.0\n\n## {line}\n\n- {line}\n{line}\n\n" + f"{said * 30}\n" * 10_000
    assert not slow(lambda text: entries_of(text, "v1.0"), iter([text]), 1.0)


class Telling:
    """Reads one message in all ways: as it is indexed, told in a month, in an answer, and explained."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._count = itertools.count()

    def told(self, text: str) -> Callable[[], object]:
        body, in_one_line = text[:20_000], " ".join(text[:20_000].split())
        return lambda: self._tell(in_one_line or "x", body)

    def _tell(self, subject: str, body: str) -> None:
        named = [commit(subject, body=body), commit(f'Revert "{subject[:500]}"', at="2025-10-04 12:00", body=body)]
        folder = self._path / str(next(self._count))
        folder.mkdir()
        almanac: Queries = query_service(folder, named)
        almanac.month(ADA, OCTOBER)
        almanac.explain([named[0].sha])


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.slow
def test_no_message_takes_long_to_read(tmp_path: Path, seed: int) -> None:
    telling, wrong = Telling(tmp_path), []
    plain = spent(telling.told("Some words of a sentence."), 0.0)
    most = plain + 2 * MESSAGE  # of two messages
    for text in texts(MESSAGES, seed, 60):
        if (took := spent(telling.told(text), most)) > most:
            wrong.append(f"{text[:60]!r} … {text[-12:]!r}: {(took - plain) * 500:.0f} ms")
    assert not wrong


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.slow
def test_no_message_takes_long_to_be_kept_from_a_model(seed: int) -> None:
    redacted("key = 1")  # the first takes a while to load what finds secrets
    assert not slow(redacted, (text[:20_000] for text in texts(MESSAGES, seed, 200)), MESSAGE)


@pytest.mark.parametrize("subject", ["_" * 1_000, "a_" * 500, ", " * 600, "[reland" * 140, "_ " * 500])
def test_what_once_took_for_ever_of_a_title_is_told_at_once(tmp_path: Path, subject: str) -> None:
    telling = Telling(tmp_path)
    telling.told("x")()
    assert not slow(lambda text: telling.told(text)(), iter([subject]), 1.0)
