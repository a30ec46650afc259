"""Which files somebody or everyone changed, and which several people did, from what the index holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from builders import query_service
from values import ENGINE, GRACE, INDEXED, WEB, another_commit, commit

from bot.ask.question import Question
from bot.commands.questions import rendered
from bot.month.calendar import Days, Month
from bot.slack.messages import reply_messages
from bot.story.render import Templates

OCTOBER = Days.of(Month(2025, 10))
COMMITS = [
    commit("Add a cache (#1)", at="2025-10-03 12:00", paths=["src/cache.py", "Cargo.lock"]),
    commit("Fix the cache (#2)", at="2025-10-04 12:00", paths=["src/cache.py", "tests/test_cache.py"]),
    commit("Tune the cache (#3)", at="2025-10-05 12:00", author=GRACE, paths=["src/cache.py", "src/heap.py"]),
    commit("Add a page (#4)", at="2025-10-06 12:00", author=GRACE, repository=WEB, paths=["page.ts"]),
    commit("Add a heap", at="2025-08-06 12:00", paths=["src/heap.py"]),
]


def answer(path: Path, *people: str, kind: str = "files", intent: str = "changes", **more: object) -> list[str]:
    """The lines of the answer, of October."""
    question = Question(intent, people, OCTOBER, kinds=(kind,), **more)  # type: ignore[arg-type]
    return query_service(path, COMMITS).reply(question).words.split("\n")


def test_files_of_most_changes_come_first_without_what_nobody_writes(tmp_path: Path) -> None:
    assert answer(tmp_path, "Ada Lovelace") == [
        "Ada Lovelace changed 2 files in October 2025, in 2 changes:",
        "- `src/cache.py` (2 changes)",
        "- `tests/test_cache.py` (1 change)",
    ]


def test_files_of_everyone_say_their_repository(tmp_path: Path) -> None:
    first, second, *others = answer(tmp_path)
    assert first == "2 people changed 4 files in October 2025, in 4 changes:"
    assert second == "- `src/cache.py` in acme/engine (3 changes)"
    assert "- `page.ts` in acme/web (1 change)" in others


def test_files_of_a_repository_are_those_alone(tmp_path: Path) -> None:
    assert answer(tmp_path, "Grace Hopper", repositories=(WEB,))[1:] == ["- `page.ts` (1 change)"]


def test_folders_are_listed_where_they_are_asked_for(tmp_path: Path) -> None:
    assert answer(tmp_path, "Ada Lovelace", kind="folders")[1:] == ["- `src/` (2 changes)", "- `tests/` (1 change)"]


def test_folders_stand_in_the_place_of_many_files_of_one_change_each(tmp_path: Path) -> None:
    many = another_commit("Add much", paths=[f"src/{n}.py" for n in range(30)])
    question = Question("changes", ("Ada Lovelace",), OCTOBER, kinds=("files",))
    words = query_service(tmp_path, [many]).reply(question).words
    assert words == "Ada Lovelace changed 30 files in October 2025, in 1 change. By folder:\n- `src/` (1 change)"


def test_of_many_files_the_rest_is_counted_and_the_folders_are_named(tmp_path: Path) -> None:
    commits = [another_commit("Add", paths=[f"src/{n}.py" for n in range(12)]) for _ in range(2)]
    question = Question("changes", ("Ada Lovelace",), OCTOBER, kinds=("files",))
    words = query_service(tmp_path, commits).reply(question).words
    assert words.endswith("- `src/7.py` (2 changes)\nAnd 2 other files.\nMost changed folders: `src/` (2 changes).")


def test_on_a_topic_only_its_changes_count(tmp_path: Path) -> None:
    lines = answer(tmp_path, "Ada Lovelace", intent="who", topic="fix")
    assert lines[0] == "Ada Lovelace changed 2 files in October 2025 on “fix”, in 1 change:"


def test_where_nothing_was_changed_it_is_said(tmp_path: Path) -> None:
    nothing = query_service(tmp_path, COMMITS).reply(
        Question("changes", ("Grace Hopper",), Days.of(Month(2025, 8)), kinds=("files",))
    )
    assert nothing.words.startswith("Grace Hopper changed no files in August 2025.")
    assert "October 2025" in nothing.words  # the nearest active month


def test_lines_of_the_list_are_lines_in_slack_and_in_markdown(tmp_path: Path) -> None:
    almanac = query_service(tmp_path, COMMITS)
    reply = almanac.reply(Question("changes", ("Ada Lovelace",), OCTOBER, kinds=("files",)))
    (message,) = reply_messages(reply, Templates())
    assert message.text.split("\n")[1] == "• `src/cache.py` (2 changes)"
    assert rendered(almanac.settings, reply, "markdown", almanac).split("\n")[1] == "- `src/cache.py` (2 changes)"


def test_files_that_both_changed_are_counted_for_both(tmp_path: Path) -> None:
    assert answer(tmp_path, "Ada Lovelace", "Grace Hopper", intent="compare") == [
        "Ada Lovelace and Grace Hopper changed 1 file in common in October 2025; in all, Ada Lovelace 2 and "
        "Grace Hopper 3:",
        "- `src/cache.py` (3 changes)",
    ]


def test_of_one_person_alone_two_are_asked_for_in_one_line(tmp_path: Path) -> None:
    (line,) = answer(tmp_path, "Ada Lovelace", intent="compare")
    assert "two people" in line


def test_files_that_the_reader_may_not_see_are_not_named(tmp_path: Path) -> None:
    almanac = query_service(tmp_path, COMMITS)
    question = Question("changes", (), OCTOBER, kinds=("files",))
    assert "page.ts" not in replace(almanac, hidden=frozenset({WEB})).reply(question).words
    almanac.store.hidden_people.hide(["ada@example.com"], "Ada", INDEXED)
    words = type(almanac).of(almanac.store, almanac.settings).reply(question).words
    assert "test_cache.py" not in words
    assert ENGINE in words
