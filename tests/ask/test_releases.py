"""What is in a release, what came since the last one, and in which release a commit is, from real repositories."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import ADA, GRACE, NOW, Copy, GitRepo, index

from bot.ask.query_service import QueryService, Reply
from bot.ask.question import Question
from bot.commands.questions import rendered
from bot.month.releases import LATEST
from bot.settings import Settings
from bot.story.document_json import documents_of, to_json
from storage import Store

ENGINE, WEB = "acme/engine", "acme/web"


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")

    def add(what: str, author: tuple[str, str], at: str, tag: str = "") -> None:
        repo.commit(f"Add {what}", author=author, at=at, files={f"src/{what}.py": f"{what}\n"})
        if tag:
            repo.git("tag", tag)

    add("mill", ADA, "2025-07-01 10:00 +0000", "v1.0")
    add("store", ADA, "2025-08-01 10:00 +0000", "v2.0-rc1")
    add("bell", GRACE, "2025-08-09 10:00 +0000", "v2.0")
    add("lamp", GRACE, "2025-10-01 10:00 +0000")
    repo.checkout("fixes", new=True)
    repo.reset("v1.0")
    add("patch", ADA, "2025-09-01 10:00 +0000", "v1.0.1")
    repo.checkout("main")


@pytest.fixture
def engine(copy: Copy, tmp_path: Path) -> GitRepo:
    """v1.0, then v2.0 with a release candidate before it, a fix of v1 on a branch of its own, and more since."""
    copy(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.fixture
def web(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "acme" / "web")
    repo.commit("Add a page", author=GRACE, at="2025-08-02 10:00 +0000", files={"page.ts": "page\n"})
    repo.git("tag", "v2.0")
    return repo


@pytest.fixture
def almanac(engine: GitRepo, store: Store) -> QueryService:
    index(store, f"file://{engine.path}", ENGINE)
    return almanac_of(store)


def almanac_of(store: Store) -> QueryService:
    return QueryService.of(store, Settings(home=store.path.parent, db=store.path, fixed_now=NOW))


def asks(release: str, **more: Any) -> Question:
    return Question("what_shipped", release=release, **more)


def subjects(reply: Reply) -> list[str]:
    people = [person for document in reply.documents for person in document.people]
    return sorted(change.subject for person in people for change in person.changes)


@pytest.mark.parametrize(
    "release, expected",
    [
        ("v2.0", ["Add bell", "Add store"]),
        ("2.0", ["Add bell", "Add store"]),
        ("v2.0-rc1", ["Add store"]),
        ("v1.0", ["Add mill"]),
        (LATEST, ["Add lamp"]),
        ("v1.0..", ["Add bell", "Add lamp", "Add store"]),
        ("1.0..2.0", ["Add bell", "Add store"]),
        ("v2.0-rc1..v2.0", ["Add bell"]),
    ],
)
def test_a_release_holds_what_the_one_before_does_not(almanac: QueryService, release: str, expected: list[str]) -> None:
    assert subjects(almanac.reply(asks(release))) == expected


def test_the_release_before_may_be_on_a_branch_that_was_never_merged(
    almanac: QueryService, engine: GitRepo, store: Store
) -> None:
    engine.checkout("v2-fixes", new=True)
    engine.reset("v2.0")
    engine.commit("Pick a patch", author=ADA, at="2025-08-20 10:00 +0000", files={"src/bell.py": "rings\n"})
    engine.git("tag", "v2.1")
    engine.checkout("main")
    engine.commit("Add a gate", author=ADA, at="2025-10-03 10:00 +0000", files={"src/gate.py": "gate\n"})
    engine.git("tag", "v3.0")
    index(store, f"file://{engine.path}", ENGINE)
    reply = almanac_of(store).reply(asks("v3.0"))
    (document,) = reply.documents
    assert document.release[0].since == "v2.1"
    assert document.counts["commits"] == int(engine.line("rev-list", "--count", "v2.1..v3.0"))
    assert subjects(reply) == ["Add a gate", "Add lamp"]


def test_it_is_told_under_its_name_in_every_form(almanac: QueryService) -> None:
    reply = almanac.reply(asks("v2.0"))
    (document,) = reply.documents
    assert documents_of(json.dumps(to_json(document)), "x") == [document]
    assert document.digest == "acme/engine v2.0 (9 August 2025)"
    assert (document.from_, document.to) == ("2025-08-01", "2025-08-09")
    (release,) = document.release
    assert (release.tag, release.on, release.since) == ("v2.0", "2025-08-09", "v1.0.1")
    settings = Settings(fixed_now=NOW)
    for form in ("text", "markdown", "html", "slack"):
        assert "acme/engine v2.0 (9 August 2025)" in rendered(settings, reply, form, almanac)
    (since,) = almanac.reply(asks(LATEST)).documents
    assert since.digest == "acme/engine since v2.0 (9 August 2025)"


def test_it_can_be_of_some_people_or_without_them(almanac: QueryService) -> None:
    assert subjects(almanac.reply(asks("v2.0", people=("Grace Hopper",)))) == ["Add bell"]
    assert subjects(almanac.reply(asks("v2.0", without=("Grace Hopper",)))) == ["Add store"]


def test_its_changes_are_listed_where_they_are_asked_for(almanac: QueryService) -> None:
    def listed(**more: Any) -> tuple[str, list[str]]:
        (document,) = almanac.reply(Question("changes", release="v2.0", **more)).documents
        assert documents_of(json.dumps(to_json(document)), "x") == [document]
        return document.title, sorted(item.title for one in document.people for item in one.items)

    title, subjects = listed()
    assert title.startswith("acme/engine v2.0 (9 August 2025)")
    assert subjects == ["Add bell", "Add store"]
    assert listed(kinds=("feature",))[1] == ["Add bell", "Add store"]
    assert listed(kinds=("fix",))[1] == []
    assert listed(people=("Grace Hopper",))[1] == ["Add bell"]
    reply = almanac.reply(Question("changes", release="v2.0"))
    for form in ("text", "markdown", "html", "slack"):
        assert "Add bell" in rendered(Settings(fixed_now=NOW), reply, form, almanac)


def test_the_release_of_a_month_is_found_by_its_day(almanac: QueryService) -> None:
    assert almanac.question("what went into the july release").release == "v1.0"
    august = almanac.question("what went into the august release")  # of which there are two
    assert (august.release, str(august.span)) == (None, "2025-08")


def test_what_only_a_release_branch_has_is_counted(almanac: QueryService) -> None:
    """The index has the default branch alone."""
    (document,) = almanac.reply(asks("v1.0.1")).documents
    assert document.counts["commits"] == 0
    assert any("1 commit" in note for note in document.notes)


def test_an_unknown_tag_is_answered_in_a_line_with_the_nearest(almanac: QueryService) -> None:
    reply = almanac.reply(asks("v2.2"))
    assert not reply.documents and "\n" not in reply.words
    assert "v2.2" in reply.words
    near = [one.question.release for one in reply.choices]
    assert "v2.0" in near
    assert all(subjects(almanac.reply(one.question)) or one.question.release == "v1.0.1" for one in reply.choices)


def test_a_name_that_several_repositories_have_is_asked_back(almanac: QueryService, web: GitRepo, store: Store) -> None:
    index(store, web)
    reply = almanac.reply(asks("v2.0"))
    assert not reply.documents
    assert [one.label for one in reply.choices] == ["acme/engine v2.0", "acme/web v2.0"]
    assert subjects(almanac.reply(reply.choices[1].question)) == ["Add a page"]
    assert subjects(almanac.reply(asks("v2.0", repositories=(WEB,)))) == ["Add a page"]


def test_of_a_range_each_end_may_be_asked_back(almanac: QueryService, web: GitRepo, store: Store) -> None:
    index(store, web)
    reply = almanac.reply(asks("v2.0.."))
    assert [one.question.release for one in reply.choices] == ["v2.0..", "v2.0.."]
    assert subjects(almanac.reply(reply.choices[0].question)) == ["Add lamp"]
    reply = almanac.reply(asks("v9.9..v2.0", repositories=(ENGINE,)))
    assert "no tag v9.9" in reply.words
    assert all(str(one.question.release).endswith("..v2.0") for one in reply.choices)


def test_when_a_release_was_tagged_is_a_line_for_each_repository(
    almanac: QueryService, web: GitRepo, store: Store
) -> None:
    index(store, web)
    reply = almanac.reply(Question("explain", release="v2.0"))
    lines = rendered(Settings(fixed_now=NOW), reply, "text", almanac).splitlines()
    assert [("acme/engine" in one, "9 August 2025" in one) for one in lines] == [(True, True), (False, False)]
    assert "acme/web v2.0" in lines[1] and "2 August 2025" in lines[1]
    (message,) = json.loads(rendered(Settings(fixed_now=NOW), reply, "slack", almanac))
    assert message["text"].splitlines() == lines
    assert "no tag v9" in almanac.reply(Question("explain", release="v9")).words


def test_tags_of_a_repository_that_may_not_be_read_are_unknown(
    almanac: QueryService, web: GitRepo, store: Store
) -> None:
    index(store, web)
    web.git("tag", "secret-1.0")
    index(store, web)
    elsewhere = replace(almanac, hidden=frozenset({WEB}))
    assert subjects(elsewhere.reply(asks("v2.0"))) == ["Add bell", "Add store"]
    assert "no tag secret-1.0" in elsewhere.reply(asks("secret-1.0")).words
    reply = elsewhere.reply(asks("secret-1.1"))
    assert "web" not in reply.words and all("secret" not in one.label for one in reply.choices)
    assert almanac.reply(asks("secret-1.0")).documents


def test_an_explanation_says_in_which_release_a_commit_is(almanac: QueryService, engine: GitRepo) -> None:
    def release(revision: str) -> str:
        sha = engine.line("rev-parse", revision)
        return next(line.text for line in almanac.explain(sha).lines if line.about == "release")

    assert release("v1.0") == "first in v1.0 (1 July 2025)"
    assert release("v2.0-rc1").startswith("first in v2.0-rc1 (1 August 2025), then in")
    assert "v2.0 (9 August 2025)" in release("v2.0-rc1")
    assert release("main") == "in no release yet"


def test_the_tag_of_a_build_is_no_release_where_there_are_versions(
    almanac: QueryService, engine: GitRepo, store: Store
) -> None:
    engine.git("tag", "ci/6186")
    index(store, engine)
    assert almanac.explain(engine.tip).lines[-1].text == "in no release yet"


def test_a_mirror_that_is_gone_is_said_and_nothing_is_guessed(
    almanac: QueryService, engine: GitRepo, store: Store
) -> None:
    shutil.rmtree(store.path.parent / "mirrors")
    reply = almanac.reply(asks("v2.0"))
    assert not reply.documents and "almanac index" in reply.words
    assert "almanac index" in almanac.explain(engine.tip).lines[-1].text


def test_where_there_is_no_release_that_is_said(engine: GitRepo, store: Store) -> None:
    engine.git("tag", "--delete", "v1.0", "v1.0.1", "v2.0-rc1", "v2.0")
    index(store, engine)
    almanac = almanac_of(store)
    for release in (LATEST, "v2.0"):
        reply = almanac.reply(asks(release))
        assert not reply.documents and reply.words and not reply.choices


def test_the_same_index_gives_the_same_bytes(almanac: QueryService, store: Store) -> None:
    one, other = (json.dumps(to_json(each.reply(asks("v2.0")).documents)) for each in (almanac, almanac_of(store)))
    assert one == other
    kept = replace(asks("v2.0"), repositories=(ENGINE,))
    assert json.dumps(to_json(almanac.reply(kept).documents)) == one


def test_a_commit_whose_lines_were_not_counted_is_explained(
    almanac: QueryService, engine: GitRepo, store: Store
) -> None:
    with store.transaction(write=True) as connection:
        connection.execute("UPDATE commits SET counted = 0")
    assert almanac.explain(engine.tip).lines[-1].text == "in no release yet"
