"""The commands as a person types them: what is printed, where, and how they end."""

from __future__ import annotations

import getpass
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders import ADA, GRACE, Copy, GitRepo, Run, index

from bot.commands.house import House
from bot.settings import load_settings
from storage import Store


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.commit("Add the mill (#1)", author=ADA, at="2025-08-04 10:00 +0000", files={"src/mill.py": "mill\n"})
    repo.commit("Add a lamp (#12)", author=ADA, at="2025-10-03 10:00 +0000")
    repo.commit("Add a compiler", author=GRACE, at="2025-10-05 10:00 +0000", files={"src/compiler.py": "c\n"})
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture
def engine(copy_home: Copy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """Two people's autumn, indexed."""
    copy_home(_engine)
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00Z")
    monkeypatch.setattr(getpass, "getuser", lambda: "grace")
    return GitRepo(tmp_path / "acme" / "engine")


# What is typed, how it ends, and what the one line of it says.
WRONG = [
    (["month"], 2, ""),
    (["month", "ada", "--format", "pdf"], 2, ""),
    (["month", "ada", "--zone", "Mars"], 2, ""),
    (["mouth"], 2, ""),
    (["profile", "  "], 1, "almanac: whose profile? name somebody"),
    (["profile", "Ada Lovelice"], 1, "Did you mean Ada Lovelace"),
    (["profile", "ada", "--repo", "acme/none"], 1, "acme/none: is not indexed"),
    (["digest", "since august"], 1, "a digest is of one week, month or quarter"),
    (["digest", "--post"], 1, "name a --channel, or list [[digests]] in almanac.toml"),
    (["serve"], 1, "SLACK_APP_TOKEN"),
]


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(("arguments", "code", "said"), WRONG)
def test_what_is_wrong_is_said_in_one_line(almanac: Run, arguments: list[str], code: int, said: str) -> None:
    ran = almanac(*arguments)
    assert (ran.code, ran.out, said in ran.err) == (code, "", True)
    assert code == 2 or ran.err.count("\n") == 1


@pytest.mark.usefixtures("engine")
def test_several_months_are_told_newest_first(almanac: Run) -> None:
    out = almanac("month", "ada", "since july").out
    assert out.index("Ada Lovelace, October 2025\n") < out.index("Ada Lovelace, August 2025\n")
    months = [one["month"] for one in json.loads(almanac("month", "ada", "since july", "--format", "json").out)]
    assert months == ["2025-10", "2025-08"]


@pytest.mark.usefixtures("engine")
def test_ask_prints_what_was_understood(almanac: Run) -> None:
    thread = json.dumps({"person": "Ada Lovelace", "from": "2025-10", "to": "2025-10", "repos": []})
    ran = almanac("ask", "and", "august?", "--parse", "--thread", thread)
    assert json.loads(ran.out) == {
        "intent": "month", "people": ["Ada Lovelace"], "from": "2025-08", "to": "2025-08",
        "repos": [], "topic": None, "kinds": [], "without": [], "release": None, "unread": [], "assumed": [],
    }  # fmt: skip


# Questions in one message, and how each is read: the query, people, span, topic, and what is unread.
TOGETHER: dict[str, list[tuple[str, list[str], str | None, str | None, list[str]]]] = {
    "what did ada do in october and what did grace do?": [
        ("month", ["Ada Lovelace"], "2025-10-01", None, []), ("month", ["Grace Hopper"], "2025-10-01", None, []),
    ],
    "who is grace and what did she do in october": [
        ("profile", ["Grace Hopper"], None, None, []), ("month", ["Grace Hopper"], "2025-10-01", None, []),
    ],
    "what did ada do in october; how many commits in august? and who yodelled": [
        ("month", ["Ada Lovelace"], "2025-10-01", None, ["and who yodelled"]),
        ("changes", ["Ada Lovelace"], "2025-08-01", None, []),
    ],
    "when was the mill added, and by whom?": [("explain", [], None, "mill", [])],
    "which commits mention the mill, and who made them?": [("changes", [], None, "mill", [])],
    "what did ada do in october, and what did ada do in october?": [
        ("month", ["Ada Lovelace"], "2025-10-01", None, [])
    ],
    "what did ada do in october? will she be back soon?": [
        ("month", ["Ada Lovelace"], "2025-10-01", None, ["will she be back soon"])
    ],
    'what did ada do in october, and which commits mention "lamp"?': [
        ("month", ["Ada Lovelace"], "2025-10-01", None, []), ("changes", ["Ada Lovelace"], "2025-10-01", "lamp", []),
    ],
    "top 5 people in august? and in october?": [
        ("who", [], "2025-08-01", None, []), ("who", [], "2025-10-01", None, []),
    ],
    "last commit by ada, and how many in october?": [
        ("changes", ["Ada Lovelace"], None, None, []), ("changes", ["Ada Lovelace"], "2025-10-01", None, []),
    ],
    "what are the fixes in october and are they released": [
        ("changes", [], "2025-10-01", None, ["are they released"]),
    ],
    "were there reverts in august? what was reverted in october?": [
        ("changes", [], "2025-08-01", None, []), ("changes", [], "2025-10-01", None, []),
    ],
}  # fmt: skip


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("text", TOGETHER)
def test_each_question_of_a_message_is_answered_once(almanac: Run, text: str) -> None:
    first = json.loads(almanac("ask", text, "--format", "json").out)
    also = first.pop("then", [])
    readings = [(one["reading"], one["unread"]) for one in (first, *also)]
    assert [
        (reading["query"], reading["people"], (reading["span"] or [None])[0], reading["topic"], unread)
        for reading, unread in readings
    ] == TOGETHER[text]
    parsed = json.loads(almanac("ask", text, "--parse").out)
    assert [one["unread"] for one in (parsed, *parsed.get("then", []))] == [unread for _, unread in readings]


@pytest.mark.usefixtures("engine")
def test_a_thread_goes_on_from_the_last_of_two_questions(almanac: Run) -> None:
    both = "what did ada do in october and what did grace do in october?"
    parsed = json.loads(almanac("ask", "and in august?", "--after", both, "--parse").out)
    assert (parsed["people"], parsed["from"]) == (["Grace Hopper"], "2025-08")


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("form", ["text", "markdown", "html", "slack"])
def test_two_answers_stand_one_below_the_other(almanac: Run, form: str) -> None:
    said = almanac("ask", "what did ada do in october and what did grace do in october?", "--format", form).out
    assert said.index("Ada Lovelace") < said.index("Add a lamp") < said.index("Grace Hopper")
    assert said.index("Grace Hopper") < said.index("Add a compiler") and said.count("</html>") == (form == "html")


def test_how_far_an_index_has_come_stands_in_a_line_that_goes_away(tmp_path: Path) -> None:
    """On a terminal; what stays there is what came of it."""
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.commit("Add the mill", files={"src/mill.py": "mill\n"})
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "bot", "index", repo.path]
    ran = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, text=True, check=True)
    os.close(theirs)
    shown = os.read(ours, 65536).decode().split("\r\x1b[K")
    os.close(ours)
    assert "acme/engine: reading 0 of 1" in shown and set(shown[-2:]) == {""}
    assert ran.stdout.startswith("acme/engine: 1 commit, 1 new, ")


def test_a_repository_is_taken_out_of_the_index_unless_it_would_be_read_again(almanac: Run, engine: GitRepo) -> None:
    ran = almanac("index", "--remove", "acme/enigne")
    assert (ran.code, ran.out, "there are acme/engine" in ran.err) == (1, "", True)
    Path("almanac.toml").write_text(f'[[repositories]]\naddress = "{engine.path}"\n', encoding="utf-8")
    ran = almanac("index", "--remove", engine.path)
    assert (ran.code, ran.out, "out of almanac.toml first" in ran.err) == (1, "", True)
    Path("almanac.toml").unlink()
    assert almanac("index", "--remove").code == 1
    ran = almanac("index", "--remove", engine.path)
    assert (ran.code, ran.out, ran.err) == (0, "acme/engine: removed, with 3 commits\n", "")
    assert almanac("digest", "2025-10").out == "October 2025\nNo commits.\n"


def test_a_repository_that_gets_another_name_is_not_told_as_two(almanac: Run, engine: GitRepo) -> None:
    table = f'[[repositories]]\nname = "acme/motor"\naddress = "file://{engine.path}"\n'
    Path("almanac.toml").write_text(table, encoding="utf-8")
    ran = almanac("index")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "acme/engine: is acme/motor from now on")
    told = json.loads(almanac("month", "ada", "2025-10", "--format", "json").out)
    assert [one["name"] for one in told["repositories"]] == ["acme/motor"]


def test_what_is_said_by_hand_counts_at_once_and_an_undo_restores_the_month(almanac: Run, engine: GitRepo) -> None:
    before, sha = almanac("month", "ada", "2025-10", "--format", "json").out, engine.shas()[1]
    ran = almanac("correct", sha[:12], "--kind", "docs", "--title", "Light for readers")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"Noted: {sha[:9]} “Add a lamp” is a documentation change (number 1).",
        f"Noted: {sha[:9]} “Add a lamp” is called “Light for readers” (number 2).",
        "It is shown as docs (said by hand; feature by the rule “begins with a verb "
        "of making”), called “Light for readers”, which is not proved.",
    ]
    assert "- Light for readers (#12)" in almanac("month", "ada", "2025-10").out
    details = json.loads(almanac("month", "ada", "2025-10", "--format", "json").out)["details"]
    assert [sha[:9] in one and "grace" in one for one in details] == [True, True]
    assert almanac("correct", sha, "--undo").out.splitlines() == [
        f"Undone: {sha[:9]} “Add a lamp” is called “Light for readers” (number 2).",
        "It is shown as docs (said by hand; feature by the rule “begins with a verb of making”).",
    ]
    assert almanac("correct", "#12", "--undo").code == 0
    assert almanac("month", "ada", "2025-10", "--format", "json").out == before
    ran = almanac("correct", sha, "--undo")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"almanac: nothing that counts was said by hand of {sha[:9]} “Add a lamp”\n"


def test_what_is_hidden_is_told_nowhere(almanac: Run, engine: GitRepo) -> None:
    sha = engine.shas()[1]
    assert almanac("correct", sha, "--hide").out.splitlines() == [
        f"Noted: {sha[:9]} “Add a lamp” is left out of all months (number 1).",
        f"It is left out of all months; `almanac correct {sha[:9]} --undo` undoes that.",
    ]
    for command in (("month", "ada", "2025-10"), ("digest", "2025-10"), ("profile", "ada")):
        for form in ("text", "json", "html", "markdown"):
            out = almanac(*command, "--format", form).out
            assert "1 change is left out at the wish of " in out
            assert "lamp" not in out and sha[:9] not in out


def test_whose_a_change_is_follows_who_began_it(tmp_path: Path, almanac: Run) -> None:
    """Who lands another's work once more may not hide it for them."""
    engine = GitRepo(tmp_path / "acme" / "engine")
    shas, title, body = [engine.commit("Add a mill", author=ADA, at="2025-10-01 10:00 +0000")], "Add a mill", ""
    for day in (2, 3):
        title, body = f'Revert "{title}"', f"This reverts commit {shas[-1]}."
        shas.append(engine.commit(title, body=body, author=GRACE, at=f"2025-10-0{day} 10:00 +0000"))
    assert almanac("index", engine.path).code == 0
    corrector = House(load_settings()).queries.corrector()
    whose = [(ADA[1] in one.addresses, one.shas) for one in map(corrector.of, shas)]
    assert whose == [(True, (shas[0], shas[2]))] * 3
