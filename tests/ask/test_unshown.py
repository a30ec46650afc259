"""Who asked not to be shown is named nowhere, to nobody but themselves; what others did stays shown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from builders import ADA, GRACE, NOW, Copy, GitRepo, index

from bot.ask.answers import answered, understood
from bot.ask.proven import NOTHING_PROVEN, Proven
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.ask.readable_index import UNSHOWN
from bot.errors import CommitUnknown, PersonHidden
from bot.month.calendar import Days, Month
from bot.settings import load_settings
from bot.story.documents import to_json
from storage import Store

OCTOBER = Month(2025, 10)
MONTH = Days.of(OCTOBER)
BOB = ("Bob Byte", "bob@example.com")
SENTENCE = "Grace Hopper asked not to be shown, so I tell nothing of their work"


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.commit("Add a mill", body="Reviewed-by: Grace Hopper <grace@example.com>", files={"mill.py": "1\n"})
    repo.commit("Add a difference engine", author=GRACE, files={"difference.py": "1\n"}, at="2025-10-04 12:00 +0000")
    first = repo.shas("HEAD~1")[0]
    repo.commit('Revert "Add a mill"', body=f"This reverts commit {first}.", author=GRACE, files={"mill.py": None},
                at="2025-10-05 12:00 +0000")  # fmt: skip
    repo.commit("Add a lamp", author=GRACE, body="Co-authored-by: Ada Lovelace <ada@example.com>",
                files={"lamp.py": "1\n"}, at="2025-10-06 12:00 +0000")  # fmt: skip
    repo.commit("Fix the engine", author=BOB, files={"difference.py": "2\n"}, at="2025-10-07 12:00 +0000")


@pytest.fixture
def repo(copy: Copy, tmp_path: Path) -> GitRepo:
    copy(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.fixture
def almanac(store: Store, repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> Queries:
    index(store, repo)
    monkeypatch.setenv("ALMANAC_NOW", NOW.isoformat())
    store.said.say("hide", "hide", [GRACE[1]], "", "grace", NOW)
    return Queries.of(store, load_settings())


def test_asked_for_by_name_the_answer_is_one_sentence(almanac: Queries) -> None:
    for name in ("Grace Hopper", "grace", "grace@example.com"):
        with pytest.raises(PersonHidden, match=SENTENCE):
            almanac.person(name, MONTH)
    for intent in ("month", "profile", "changes"):
        reply = answered(almanac, Question(intent, people=("Grace Hopper",), span=Days.of(OCTOBER)))
        assert (reply.documents, reply.words) == ((), f"{SENTENCE}.")
    question = understood(almanac, "what did Grace Hopper do in october?")
    assert answered(almanac, question).words == f"{SENTENCE}."


def test_a_person_who_is_at_hand_is_not_told_either(almanac: Queries) -> None:
    grace = next(one for one in almanac.known.everyone if one.name == "Grace Hopper")
    with pytest.raises(PersonHidden):
        almanac.month(grace, MONTH)
    with pytest.raises(PersonHidden):
        almanac.profile(grace)


def test_nobody_is_offered_them(almanac: Queries) -> None:
    assert answered(almanac, understood(almanac, "what did Grase Hoper do in october?")).documents == ()
    said = answered(almanac, understood(almanac, "what did Grase Hoper do in october?"))
    assert "Grace" not in json.dumps([said.words, [one.label for one in said.choices]])
    assert [one.name for one in almanac.activity.most(OCTOBER)] == ["Ada Lovelace", "Bob Byte"]
    assert almanac.people("grace").people == ()
    assert "Grace" not in json.dumps(to_json(almanac.changes(span="2025-10", without=("grace",))))


def test_a_digest_leaves_them_out_and_says_that_it_does(almanac: Queries, store: Store) -> None:
    document = json.dumps(to_json(almanac.digest(OCTOBER)), ensure_ascii=False)
    assert "Grace" not in document
    assert "difference engine" not in document
    assert UNSHOWN in document
    store.said.undo("hide", None, "grace", NOW)
    assert UNSHOWN in json.dumps(to_json(almanac.digest(OCTOBER)))  # which is of one moment
    assert UNSHOWN not in json.dumps(to_json(replace(almanac).digest(OCTOBER)))


def test_nobodys_note_names_them(almanac: Queries, store: Store, repo: GitRepo) -> None:
    old = "- Doors creak\n"
    repo.commit(
        "Begin a log", author=BOB, files={"CHANGES.md": f"# Log\n\n## Removed\n\n{old}"}, at="2025-09-01 12:00 +0000"
    )
    noted = "Removed the stones by which flour was ground at night"
    for day, (subject, said) in enumerate(
        [
            ("Take stones out (#7)", noted),
            ("Give up every sieve (#8)", "Removed the sieves, thanks to Grace Hopper who found them broken"),
            ("Let the horn go (#9)", "Removed the horns of grace HOPPER which nobody heard at night"),
        ],
        10,
    ):
        old = f"- {said}\n{old}"
        repo.commit(subject, author=BOB, files={f"{day}.py": "1\n", "CHANGES.md": f"# Log\n\n## Removed\n\n{old}"},
                    at=f"2025-10-{day} 12:00 +0000")  # fmt: skip
    index(store, repo)
    now = Queries.of(store, load_settings())
    digest = now.digest(OCTOBER)
    assert {one.title for one in digest.things if one.section == "act"} == {
        noted,
        "Give up every sieve",
        "Let the horn go",
    }
    (month,) = now.month(now.person("Bob", MONTH), MONTH)
    for document in (digest, month):
        assert "grace" not in json.dumps(to_json(document)).casefold()
    store.said.undo("hide", None, "grace", NOW)
    assert "thanks to Grace Hopper" in json.dumps(to_json(replace(now).digest(OCTOBER)))


def test_others_months_are_told_without_their_name(almanac: Queries) -> None:
    ada = almanac.person("Ada", MONTH)
    (document,) = almanac.month(ada, MONTH)
    told = json.dumps(to_json(document), ensure_ascii=False)
    assert "Grace" not in told
    assert [(one.subject, one.by, one.state) for one in document.changes] == [
        ("Add a mill", "somebody", "backed_out"),  # who took it out
        ("Add a lamp", None, "landed"),
    ]
    (lamp,) = [line for one in document.items for line in one.lines if "lamp" in line.title]
    assert lamp.by == "somebody"


def test_their_commits_are_not_explained_and_others_are_without_their_name(almanac: Queries, repo: GitRepo) -> None:
    _, lamp, _, _, mill = repo.shas()
    with pytest.raises(CommitUnknown, match="asked not to be shown"):
        almanac.explain([lamp])
    told = almanac.explain([mill]).explained[0].text
    assert "reviewed by somebody" in told
    assert "Grace" not in told


def test_they_alone_see_their_own(almanac: Queries) -> None:
    grace = next(one for one in almanac.known.everyone if one.name == "Grace Hopper")
    hers = replace(almanac, reader=Proven({GRACE[1]: "profile"}))
    (document,) = hers.month(hers.person("Grace Hopper", MONTH), MONTH)
    assert {one.subject for one in document.changes} >= {"Add a difference engine", "Add a lamp"}
    assert "Grace" in json.dumps(to_json(replace(hers, hidden=frozenset({"acme/other"})).digest(OCTOBER)))
    for other in (Proven({"ada@example.com": "profile"}), NOTHING_PROVEN):
        with pytest.raises(PersonHidden):
            replace(almanac, reader=other).month(grace, MONTH)
    with pytest.raises(PersonHidden):
        almanac.month(grace, MONTH)


def test_a_namesake_who_is_shown_comes_first(store: Store, almanac: Queries, repo: GitRepo) -> None:
    repo.commit("Add a page", author=("Grace Hopper", "grace@other.example"), files={"page.py": "1\n"},
                at="2025-10-08 12:00 +0000")  # fmt: skip
    index(store, repo)
    other = Queries.of(store, load_settings()).person("Grace Hopper", MONTH)
    assert other.addresses == ("grace@other.example",)
    (document,) = Queries.of(store, load_settings()).month(other, MONTH)
    assert "grace@example.com" not in json.dumps(to_json(document))
    assert document.person.name == "Grace Hopper"
    assert ADA[0] not in json.dumps(to_json(document))
