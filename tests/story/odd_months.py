"""Odd months, each small: what git really holds, in words of our own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, commit, indexed

from bot.model import Commit, MonthFacts
from bot.month.calendar import Month
from bot.month.facts import month_facts
from bot.month.histories import by_commit, histories_of

OCTOBER = Month(2025, 10)
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]
LONG = (
    "Make the scheduler keep the order of waiting jobs when a worker is lost while another one is being started, "
    "since the queue was sorted by the time of the last attempt and not by the time at which a job was first asked "
    "for, which let late jobs overtake early ones whenever the pool was small and busy for longer than an hour"
)
NOW_TO_DATE = datetime(2025, 10, 15, 9, tzinfo=UTC)


def at(day: int, hour: int = 12) -> str:
    return f"2025-10-{day:02} {hour:02}:00"


def some(*subjects: str, paths: Sequence[str] = ("src/engine.py",)) -> list[Commit]:
    """Commits of these subjects, a day apart."""
    return [commit(subject, at=at(day), paths=paths) for day, subject in enumerate(subjects, 2)]


CACHE = commit("Add a cache for plans (#4)", at=at(3), author=GRACE, sha="a1" * 20)
LAMP = commit("Add a lamp (#5)", at=at(4), author=GRACE, sha="a2" * 20)
BELL = commit("Add a bell to the door (#7)", at=at(6), sha="a3" * 20)


def out(of: Commit, number: int, day: int, sha: str, body: str = "") -> Commit:
    said = f"This reverts commit {of.sha}." + (f"\n\n{body}" if body else "")
    return commit(f'Revert "{of.subject}" (#{number})', at=at(day), body=said, sha=sha * 20)


NO_BELL = out(BELL, 8, 9, "b3")

MONTHS: dict[str, list[Commit]] = {
    "a move by hg": some("hg mv rdma.py to monarch/rdma", paths=["monarch/rdma/rdma.py"]),
    "a bullet": some("- Cleanup *-sys build.rs", paths=["nccl-sys/build.rs"]),
    "WIP": some("WIP", paths=["src/engine.py", "src/lock.py"]),
    "Update": some("Update", paths=["README.md"]),
    "emoji only": some("🎉🚀", paths=["src/engine.py"]),
    "a breaking feature": some("feat(parser)!: allow x", paths=["src/parser.py"]),
    "tags": some("[BE][easy] tidy", paths=["src/engine.py"]),
    "Chinese": some("修复解析器的崩溃", paths=["src/parser.py"]),
    "all capitals": some("FIX THE CRASH IN THE PARSER", paths=["src/parser.py"]),
    "300 characters": some(LONG),
    "a full stop": some("Fix the race in the lock."),
    "a lone link": some("https://github.com/acme/engine/issues/12"),
    "a stutter": some("Fixed fix"),
    "fix fix": some("fix: fix fix"),
    "no subject": some("", paths=["src/engine.py"]),
    "digits": some("12345"),
    "an open quotation": some('Use "strict mode in the parser', paths=["src/parser.py"]),
    "backticks": some("Rename `Plan.take` to `Plan.pop` and drop `Plan.peek`"),
    "a ping": some("Tell <!channel> & <@U0001> of failed plans"),
    "reverts of others only": [
        out(CACHE, 6, 5, "b1", "It keeps plans that were changed since."),
        out(LAMP, 9, 6, "b2"),
    ],
    "net zero": [BELL, NO_BELL],
    "landed again": [BELL, NO_BELL, commit("[reland] Add a bell to the door (#10)", at=at(12), sha="c3" * 20)],
    "written together": [
        commit("Add a store for plans", at=at(3), body="Co-authored-by: Ada Lovelace <ada@example.com>", author=GRACE),
        *some("Fix the printer", paths=["src/printer.py"]),
    ],
    "to date": some("Add a lexer", "Fix the lexer's last line"),
    "merges only": [
        commit("Merge pull request #21 from ada/plans", at=at(3), merge=True),
        commit("Merge branch 'main' into plans", at=at(4), merge=True),
    ],
    "a release": some("Release 1.4.0", "Bump version to 1.5.0.dev0", paths=["pyproject.toml"]),
    "docs only": some("docs: explain how plans are kept", "Fix typo in README", paths=["docs/plans.md", "README.md"]),
    "ten of one title": [commit("Update dependencies", at=at(day), paths=["uv.lock"]) for day in range(2, 12)],
    "a stack": some(
        "[plan cache] Add a key of the plan's hash (#31)",
        "[plan cache] Keep plans for an hour (#32)",
        "[plan cache] Evict the oldest plan first (#33)",
        "[plan cache] Count hits and misses (#34)",
        "[plan cache] Turn the cache on by default (#35)",
        paths=["src/plan_cache.py"],
    ),
    "two repositories": [
        commit("Add an endpoint for plans", at=at(3), paths=["src/endpoint.py"]),
        commit("Show plans on the first page", at=at(4), repository=WEB, paths=["app/first.ts"]),
    ],
    "a measured effect": [
        commit(
            "Read the index in one pass",
            at=at(3),
            body="The index was read once for each table.\n\nLoading the big index takes 0.4 s instead of 2.9 s.",
            paths=["src/index.py"],
        )
    ],
    "a number that is no effect": [
        commit(
            "Limit the length of a title",
            at=at(3),
            body="A title may have 160 characters at most, since the page has 80 columns and two lines.",
            paths=["src/title.py"],
        )
    ],
    "this PR adds": [
        commit(
            "Plan export",
            at=at(3),
            body="This PR adds an exporter of plans to CSV, so that they can be read without the engine.",
            paths=["src/export.py"],
        )
    ],
    "one's own fix of one's own feature": some("Add a scheduler", "Fix the scheduler's last hour"),
    "what everybody writes": some("fixes", "minor", "more work", "."),
}
EVERYONE = [CACHE, LAMP]  # what others did, so that reverts find it


def facts_of(name: str) -> MonthFacts:
    """Ada's month of this name."""
    commits = MONTHS[name]
    now = NOW_TO_DATE if name == "to date" else INDEXED
    whole = by_commit(histories_of([*EVERYONE, *commits]))
    return month_facts(ADA, OCTOBER, UTC_ZONE, commits, REPOSITORIES, now, histories=whole)
