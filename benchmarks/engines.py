"""Ask SQLite and PostgreSQL the same and compare the answers byte for byte:
`python -m benchmarks.engines postgresql://USER@HOST/DATABASE REPOSITORY …`

The database must be empty. Each engine indexes the repositories by itself; then months of people, digests, questions,
profiles and explanations are drawn, the same each time.
"""

from __future__ import annotations

import argparse
import difflib
import random
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.timing import say
from bot.commands import answers, asking, indexing
from bot.commands.house import House, WantedDigest
from bot.errors import AlmanacError
from bot.settings import PostgresAddress, Settings

TRIES = 3  # an answer waits for diffs for two seconds; what was read until then is kept, and more is read the next time
SHOWN = 10  # documents that differ, with their first differences
QUESTIONS = (
    "what did {person} do in {month}?", "what shipped in {month}?", "what happened in {repository} in {month}?",
    "who worked on {word}?", "who reviewed most in {month}?", "who else besides {person} worked on {word} in {month}?",
    "compare {person} in {month} and {other}", "{person} vs {colleague} in {month}", "show {person}'s bug fixes",
    "which were reverted in {month}?", "list the performance changes of {person} since {month}",
    "what is new in {repository} since {month}?", "{word} in {month}", "was {word} reverted?", "profile of {person}",
    "why is {sha} a fix?", "what is in the latest release of {repository}?", "{person}", "who is {person}?",
)  # fmt: skip

Document = tuple[str, str, Callable[[Settings], str]]  # its kind, what is asked, and who answers


def documents(database: Path, many: int) -> Iterator[Document]:
    """So many of each kind, drawn from what a file of SQLite holds."""
    chance = random.Random(18)  # noqa: S311
    with closing(sqlite3.connect(database)) as connection:
        active = connection.execute(
            """SELECT DISTINCT name, strftime('%Y-%m', authored_at, 'unixepoch') FROM commits
               JOIN identities ON identities.id = author_id WHERE authored_at > 0 ORDER BY 1, 2"""
        ).fetchall()
        shas = [row[0] for row in connection.execute("SELECT lower(hex(sha)) FROM commits ORDER BY sha")]
        repositories = [row[0] for row in connection.execute("SELECT name FROM repositories ORDER BY name")]
        said = [row[0] for row in connection.execute("SELECT subject FROM commits ORDER BY sha LIMIT 20000")]
    months, people = (sorted({pair[at] for pair in active}) for at in (1, 0))
    words = sorted({word.strip(".,:()[]`") for text in said for word in text.split() if len(word) > 3})
    for person, month in chance.sample(active, min(many, len(active))):
        form = chance.choice(("json", "json", "slack", "text", "markdown", "html"))
        yield "month", f"{person} {month} {form}", _month(person, month, form)
    for month in chance.sample(months, min(max(1, many // 10), len(months))):
        form = chance.choice(("json", "slack", "text"))
        yield "digest", f"{month} {form}", _digest(month, form)
    for person in chance.sample(people, min(max(1, many // 20), len(people))):
        yield "profile", person, _profile(person)
    for sha in chance.sample(shas, min(max(1, many // 5), len(shas))):
        yield "explanation", sha, _explanation(sha)
    for number in range(many):
        person, month = chance.choice(active)
        question = QUESTIONS[number % len(QUESTIONS)].format(
            person=person, month=month, other=chance.choice(months), word=chance.choice(words),
            colleague=chance.choice(people), repository=chance.choice(repositories), sha=chance.choice(shas)[:9],
        )  # fmt: skip
        yield "question", question, _answer(question, chance.choice(("text", "json", "slack")))


def _month(person: str, month: str, form: str) -> Callable[[Settings], str]:
    return lambda settings: answers.month(House(settings, form), person, month)


def _digest(month: str, form: str) -> Callable[[Settings], str]:
    return lambda settings: answers.shown_digest(House(settings, form), WantedDigest(month))


def _profile(person: str) -> Callable[[Settings], str]:
    return lambda settings: answers.profile(House(settings, "json"), person)


def _explanation(sha: str) -> Callable[[Settings], str]:
    return lambda settings: answers.explain(House(settings, "json"), sha)


def _answer(question: str, form: str) -> Callable[[Settings], str]:
    return lambda settings: asking.ask(House(settings, form), question)


def answered(settings: Settings, answer: Callable[[Settings], str]) -> str:
    """What is printed, or the line in which it is refused."""
    try:
        return answer(settings)
    except AlmanacError as error:
        return f"almanac: {error}".replace(str(settings.database), "DATABASE")


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.engines", description=(__doc__ or "").partition(":")[0])
    parser.add_argument("server", type=PostgresAddress, help="an empty database of PostgreSQL")
    parser.add_argument("repositories", nargs="+", metavar="REPOSITORY")
    parser.add_argument("--many", type=int, default=300, help="how many months and questions: %(default)s")
    asked = parser.parse_args(given)
    compared, different = Counter[str](), list[tuple[str, str, str, str]]()
    with tempfile.TemporaryDirectory(prefix="almanac-engines-") as folder:
        file = Settings(home=Path(folder), fixed_now=datetime.now(UTC))
        server = replace(file, db=asked.server)
        for settings in (file, server):
            with redirect_stdout(sys.stderr):
                indexing.index(settings, asked.repositories)
        for kind, text, answer in documents(Path(folder) / "almanac.db", asked.many):
            first, second = answered(file, answer), answered(server, answer)
            for _ in range(TRIES):
                if first == second:
                    break
                say(f"asked again: {text}: {first[:100]!r} and {second[:100]!r}")
                first, second = answered(file, answer), answered(server, answer)
            compared[kind] += 1
            if first != second:
                different.append((kind, text, first, second))
            if not compared.total() % 100:
                say(f"{compared.total():,} documents compared, {len(different):,} differ")
    for kind, text, first, second in different[:SHOWN]:
        print(f"{kind}: {text}")
        lines = difflib.unified_diff(first.splitlines(), second.splitlines(), "SQLite", "PostgreSQL", n=0, lineterm="")
        print(*(f"  {line[:300]}" for _, line in zip(range(8), lines, strict=False)), sep="\n")
    counts = Counter(kind for kind, *_ in different)
    print(*(f"{kind}: {number:,} compared, {counts[kind]:,} differ" for kind, number in compared.items()), sep="\n")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
