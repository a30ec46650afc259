"""Of somebody who asked to be forgotten nothing is left but hashes, and an index keeps them out from then on."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from builders import ADA, GRACE, Copy, GitRepo, Steps, index
from hypothesis import given
from hypothesis import strategies as st
from values import ENGINE, INDEXED, commit
from values import GRACE as HOPPER

from bot.index import indexing
from bot.index.indexing import Indexing
from bot.index.places import place
from bot.model import Identity, Repository
from storage import Store
from storage.commit_rows import Blocklist, files_of
from storage.erasure import EMPTIED, PersonToErase
from storage.migrations import table_names
from storage.slack_state import Post

AT = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
BOB = ("Bob Byte", "bob@example.com")
WHOM = PersonToErase((GRACE[1],), (("ghopper", ""), ("Grace Hopper", "")), ("Grace Hopper",), ("U02GRACE",))

# What a history says, without the numbers that its rows happen to have.
WHAT_IS_STORED = {
    "repositories": "SELECT name, commits, shallow, failure, areas FROM repositories",
    "identities": "SELECT name, address, commits FROM identities",
    "commits": """SELECT repositories.name, sha, parents, author.name, author.address, authored_at,
                         author_offset, committer.name, committer.address, committed_at, committer_offset, counted,
                         subject, body
                  FROM commits JOIN repositories ON repositories.id = repository_id
                  JOIN identities AS author ON author.id = author_id
                  JOIN identities AS committer ON committer.id = committer_id""",
    "commit_references": "SELECT key, role, sha FROM commit_references JOIN commits ON commits.id = commit_id",
    "credits": """SELECT name, address, role, credits.authored_at, sha FROM credits
                  JOIN credited ON credited.id = credited_id JOIN commits ON commits.id = commit_id""",
    "credited": "SELECT name, address FROM credited",
    "mailmaps": "SELECT text FROM mailmaps",
    "dangling": """SELECT 'credits', commit_id FROM credits WHERE commit_id NOT IN (SELECT id FROM commits)
                   UNION SELECT 'commit_references', commit_id FROM commit_references
                         WHERE commit_id NOT IN (SELECT id FROM commits)
                   UNION SELECT 'commit_files', commit_id FROM commit_files
                         WHERE commit_id NOT IN (SELECT id FROM commits)""",
}


def stored(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    store.check()
    with store.transaction(write=True) as connection:
        if isinstance(connection, sqlite3.Connection):
            connection.execute("INSERT INTO commit_words (commit_words) VALUES ('integrity-check')")
        found = {what: sorted(connection.tuples(query), key=repr) for what, query in WHAT_IS_STORED.items()}
        shas = dict(connection.tuples("SELECT id, sha FROM commits"))
        found["files"] = sorted((shas[number], *some) for number, some in files_of(connection, list(shas)).items())
        return found


def bytes_of(store: Store) -> bytes:
    """All that lies on the disk of a database; of a server, all that can be asked of it."""
    if not store.path.exists():
        with store.transaction() as connection:
            return repr([connection.tuples(f"SELECT * FROM {name}") for name in table_names()]).encode()  # noqa: S608
    return b"".join(one.read_bytes() for one in sorted(store.path.parent.glob(f"{store.path.name}*")))


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.commit("Add a mill", files={"mill.py": "1\n", ".mailmap": f"Grace H <{GRACE[1]}> <g@old>\nAda <{ADA[1]}>\n"})
    repo.commit("Add a difference engine", author=GRACE, body="It has brass wheels that nobody else speaks of.",
                files={"difference.py": "1\n2\n"}, at="2025-10-04 12:00 +0000")  # fmt: skip
    repo.commit("Add a store", body="Reviewed By: ghopper\n\nReviewed-by: Bob Byte <bob@example.com>",
                committer=GRACE, files={"store.py": "1\n"}, at="2025-10-05 12:00 +0000")  # fmt: skip
    repo.commit("Fix the mill", author=BOB, body="Reviewed-by: Grace Hopper", files={"mill.py": "1\n2\n"},
                at="2025-10-06 12:00 +0000")  # fmt: skip
    repo.commit("Fix the difference engine", author=("Grace", "GRACE@example.com"), files={"difference.py": "2\n"},
                at="2025-10-07 12:00 +0000")  # fmt: skip


@pytest.fixture
def repo(copy: Copy, tmp_path: Path) -> GitRepo:
    """Grace writes, reviews, puts others' commits into the branch, and stands in .mailmap."""
    copy(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


def new_store(folder: Path, name: str) -> Store:
    return Store(folder / name / "almanac.db")


@pytest.mark.sqlite
def test_nothing_of_somebody_is_in_the_file_or_its_log_any_more(store: Store, repo: GitRepo) -> None:
    index(store, repo)
    before = bytes_of(store).lower()
    assert before.count(b"grace@example.com") > 2
    assert b"difference engine" in before
    removed = store.erasure.erase(WHOM, AT)
    assert (removed.commits, removed.hindered) == ((("acme/engine", 2),), "")
    after = bytes_of(store).lower()
    assert b"grace@example.com" not in after
    assert b"difference engine" not in after
    assert b"brass" not in after  # the full text
    assert b"grace h " not in after
    assert after.count(b"grace hopper") == 1  # in Bob's own words, who says who reviewed it
    assert store.topics.about(["brass wheels"]).commits == ()
    assert [one.subject for one in store.topics.about(["mill"]).commits] == ["Fix the mill", "Add a mill"]


def test_what_is_left_is_what_an_index_from_nothing_finds_without_them(
    tmp_path: Path, store: Store, repo: GitRepo
) -> None:
    index(store, repo)
    store.erasure.erase(WHOM, AT)
    anew = new_store(tmp_path, "anew")
    _same_key(store, anew)
    done = index(anew, repo)
    assert (done.new, done.total, done.kept_out) == (3, 3, 2)
    assert stored(store) == stored(anew)
    left = stored(store)
    assert left["dangling"] == []
    assert left["credited"] == [("Bob Byte", "bob@example.com")]
    assert left["mailmaps"] == [(f"Ada <{ADA[1]}>\n",)]
    assert ("", "", 0) in left["identities"]  # the committer of Ada's second commit
    assert {row[1] for row in left["identities"]} == {"", ADA[1], BOB[1]}


def _same_key(store: Store, other: Store) -> None:
    """As if the index had been thrown away, but not who asked to be forgotten."""
    with store.transaction() as connection:
        rows = connection.tuples("SELECT * FROM erasure_blocklist")
    with other.transaction(write=True) as connection:
        connection.executemany("INSERT INTO erasure_blocklist VALUES (?, ?)", rows)


def test_what_comes_later_is_kept_out_and_counted_right(tmp_path: Path, store: Store, repo: GitRepo) -> None:
    index(store, repo)
    store.erasure.erase(WHOM, AT)
    repo.commit("Add a light", files={"light.py": "1\n"}, at="2025-10-08 12:00 +0000")
    repo.commit("Add a lamp", author=GRACE, files={"lamp.py": "1\n"}, at="2025-10-09 12:00 +0000")
    first = index(store, repo)
    assert (first.new, first.removed, first.total, first.kept_out) == (1, 0, 4, 3)
    again = index(store, repo)
    assert (again.new, again.removed, again.total, again.kept_out) == (0, 0, 4, 3)
    repo.reset("HEAD~3")
    repo.commit("Add a candle", files={"candle.py": "1\n"}, at="2025-10-10 12:00 +0000")
    forced = index(store, repo)
    assert (forced.new, forced.removed, forced.total, forced.kept_out) == (1, 1, 4, 1)
    anew = new_store(tmp_path, "anew")
    _same_key(store, anew)
    index(anew, repo)
    assert {what: rows for what, rows in stored(store).items() if what != "identities"} == {
        what: rows for what, rows in stored(anew).items() if what != "identities"
    }


def test_of_a_history_that_is_kept_out_whole_only_what_is_new_is_read(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "MANY", 2)
    hers = GitRepo(tmp_path / "grace" / "own")
    for number in range(4):
        hers.commit(f"Step {number}", author=GRACE, committer=GRACE, files={"a.py": f"{number}"})
    store.erasure.erase(WHOM, AT)
    assert index(store, hers).kept_out == 4
    hers.commit("One more", author=GRACE, committer=GRACE, files={"b.py": "1"})
    steps = Steps()
    done = index(store, hers, steps=steps)
    assert (done.new, done.total, done.kept_out) == (0, 0, 5)
    assert steps.starts == [("grace/own", 1)]


@pytest.mark.parametrize("page", [1, 2000])
def test_whoever_is_let_in_again_is_back_after_the_next_index(
    tmp_path: Path, store: Store, repo: GitRepo, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr("storage.commit_rows._PAGE", page)
    whole = new_store(tmp_path, "whole")
    index(whole, repo)
    index(store, repo)
    store.erasure.erase(WHOM, AT)
    for name, address in (("", GRACE[1]), ("ghopper", ""), ("Grace Hopper", "")):
        assert store.erasure.readmit(name, address)
        assert not store.erasure.readmit(name, address)
    done = index(store, repo)
    assert (done.total, done.kept_out) == (5, 0)
    assert {what: rows for what, rows in stored(store).items() if what != "identities"} == {
        what: rows for what, rows in stored(whole).items() if what != "identities"
    }


def test_others_can_ask_meanwhile_and_see_all_or_nothing_of_it(store: Store, repo: GitRepo) -> None:
    index(store, repo)
    other = Store(store.path)
    with other.transaction() as connection:
        assert connection.execute("SELECT count(*) FROM commits").fetchone()[0] == 5
        impatient = Store(store.path, busy_seconds=0.05)
        removed = impatient.erasure.erase(WHOM, AT)
        assert "another process" in removed.hindered
        assert connection.execute("SELECT count(*) FROM commits").fetchone()[0] == 5
    assert len(other.topics.about(["the"]).commits) == 1
    assert store.erasure.sweep() == ""
    assert b"grace@example.com" not in bytes_of(store).lower()


def test_people_are_put_together_anew_in_every_process(store: Store, repo: GitRepo) -> None:
    index(store, repo)
    store.said.say("address", "link", ["g@old"], GRACE[1], "ada", AT, confirmed=True)
    store.said.say("address", "link", ["a@old"], ADA[1], "Grace Hopper", AT, confirmed=True)
    before = store.identities.revision()
    store.erasure.erase(WHOM, AT)
    after = store.identities.revision()
    assert (after[0] > before[0], after[1] > before[1]) == (True, True)
    assert [(one.number, one.about, one.by) for one in store.said.log("address")] == [
        (2, "a@old", "somebody who is forgotten")
    ]


def test_what_was_said_and_sent_of_them_goes_too(store: Store, repo: GitRepo) -> None:
    index(store, repo)
    (theirs,) = [one.sha for one in store.topics.about(["brass"]).commits]
    (others,) = [one.sha for one in store.topics.about(["store"]).commits]
    store.said.say("hide", "hide", [GRACE[1]], "", "U02GRACE", AT)
    store.said.say("slack", "link", ["U02GRACE"], GRACE[1], "U02GRACE", AT)
    store.said.say("slack", "link", ["U01ADA"], ADA[1], "U02GRACE", AT)
    store.said.say("change", "kind", [theirs], "fix", "Ada Lovelace", AT)
    store.said.say("change", "kind", [others], "fix", "Grace Hopper", AT)
    store.model_cache.put("hers", {"items": [{"sentences": [{"text": "x", "evidence": [theirs]}]}]}, AT)
    store.model_cache.put("his", {"items": [{"sentences": [{"text": "x", "evidence": [others]}]}]}, AT)
    store.conversations.remember("C1", "1.0", {"person": "Grace Hopper"}, AT)
    store.conversations.remember("C1", "2.0", {"person": "Ada Lovelace"}, AT)
    posts = {
        "sent": Post("sent", "C1", {"text": "Grace  hopper made 2 changes."}),
        "waiting": Post("waiting", "C1", {"text": "Löve", "blocks": [{"text": {"text": "By Grace Hopper."}}]}),
        "answer": Post("answer", "C1", {"text": "of no one"}, thread_key="waiting"),
        "other": Post("other", "C1", {"text": "Gracey Hopperson made 2 changes."}),
    }
    for post in posts.values():
        store.outbox.plan([post], AT)
    store.outbox.claim("sent", AT)
    store.outbox.settle("sent", "sent", AT, ts="1.5")
    with store.transaction(write=True) as connection:
        for user, address in (("U02GRACE", GRACE[1]), ("U05OTHER", "GRACE@example.com"), ("U01ADA", ADA[1])):
            connection.execute(
                """INSERT INTO slack_users (id, name, address, zone, standing, deleted, seen_at)
                   VALUES (?, '-', ?, '', 'member', 0, '')""",
                (user, address),
            )
        connection.execute(
            """INSERT INTO digests (key, cadence, origin, wanted, since, first, owner, changed_at)
               VALUES ('C|', 'monthly', 'slack', '{}', '', '', 'U02GRACE', '')"""
        )
        connection.execute(
            "INSERT INTO digest_snapshots VALUES ('p', ?, ?, ''), ('p', ?, 'a', '')", (others, theirs, others)
        )
    store.erasure.erase(WHOM, AT)
    assert store.said.log("hide") == []
    assert [(one.about, one.by) for one in store.said.log("slack")] == [("U01ADA", "somebody who is forgotten")]
    assert [(one.about, one.by) for one in store.said.log("change")] == [(others, "somebody who is forgotten")]
    assert store.model_cache.get("hers") is None
    assert store.model_cache.get("his") is not None
    assert store.conversations.recall("C1", "1.0", AT) is None
    assert store.conversations.recall("C1", "2.0", AT) == {"person": "Ada Lovelace"}
    sent, other = store.outbox.get("sent"), store.outbox.get("other")
    assert sent is not None
    assert other is not None
    assert (sent.payload, sent.state, sent.ts) == ({"text": EMPTIED}, "sent", "1.5")
    assert other.payload == posts["other"].payload
    assert store.outbox.get("waiting") is store.outbox.get("answer") is None
    assert not store.outbox.plan([posts["sent"]], AT)  # nothing is sent again
    with store.transaction() as connection:
        assert [row[0] for row in connection.execute("SELECT id FROM slack_users")] == ["U01ADA"]
        assert [row[0] for row in connection.execute("SELECT owner FROM digests")] == [""]
        assert [row[0] for row in connection.execute("SELECT event FROM digest_snapshots")] == ["a"]
    left = bytes_of(store).lower()
    assert b"u02grace" not in left
    assert left.count(b"grace hopper") == 1


@pytest.mark.parametrize(
    ("pair", "held", "others"),
    [
        # An address that others have too keeps only the name out.
        (("Grace Hopper", "root@localhost"), [("grace  hopper", "ROOT@localhost")],
         [("Ada Lovelace", "root@localhost"), ("Grace Hopper", "")]),
        (("No Address", ""), [("No Address", "")], [("No Address", "root@localhost")]),
        # A login is known in trailers and in GitHub's addresses.
        (("ghopper", ""), [("ghopper", ""), ("@GHopper", ""), ("Grace", "12345+ghopper@users.noreply.github.com")],
         [("ghopper", "somebody@example.com")]),
    ],
)  # fmt: skip
def test_a_name_with_an_address_or_a_login_is_kept_out_and_nobody_else(
    store: Store, pair: tuple[str, str], held: list[tuple[str, str]], others: list[tuple[str, str]]
) -> None:
    out = _kept_out(store, PersonToErase((), (pair,)))
    assert [out.holds(*one) for one in (*held, *others)] == [True] * len(held) + [False] * len(others)


def _kept_out(store: Store, whom: PersonToErase) -> Blocklist:
    store.erasure.erase(whom, AT)
    return store.erasure.blocklist()


def test_a_hash_cannot_be_looked_up_without_the_file(tmp_path: Path) -> None:
    """Each database has a key of its own, which stays the same."""
    one, other = new_store(tmp_path, "one"), new_store(tmp_path, "other")
    hashes = [_kept_out(store, WHOM).of_address(GRACE[1]) for store in (one, other)]
    assert hashes[0] != hashes[1]
    later = AT + timedelta(days=1)
    one.erasure.erase(PersonToErase((ADA[1],)), later)
    out = one.erasure.blocklist()
    assert out.of_address(GRACE[1]) == hashes[0]
    assert out.holds(*GRACE)
    assert out.holds(*ADA)


@given(name=st.text(max_size=20), address=st.text(max_size=20), other=st.text(max_size=20))
def test_only_who_is_meant_is_held(name: str, address: str, other: str) -> None:
    empty = Blocklist(b"key", ())
    out = Blocklist(b"key", [empty.of_pair(name, address)])
    assert out.holds(name, address)
    by_address = Blocklist(b"key", [empty.of_address(address)])
    assert by_address.holds(other, address) == bool(address.strip())


def test_a_forgotten_author_of_a_tied_commit_takes_his_ties_with_him(store: Store, repo: GitRepo) -> None:
    """What others reverted of theirs is a revert of something that is not there."""
    (sha,) = repo.shas("HEAD~3")[:1]
    repo.commit('Revert "Add a difference engine"', body=f"This reverts commit {sha}.", author=BOB,
                at="2025-10-11 12:00 +0000")  # fmt: skip
    index(store, repo)
    (revert,) = store.topics.about(["reverts"]).commits
    assert [one.subject for one in store.commits.related([revert]).commits][1:] == ["Add a difference engine"]
    store.erasure.erase(WHOM, AT)
    assert store.commits.related([revert]).commits == [revert]


def test_credits_of_what_they_wrote_together_go_and_others_stay(store: Store) -> None:
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    both = commit("Add a cache", body="Co-authored-by: Grace <grace@example.com>\nCo-authored-by: Bob <bob@b>")
    store.commits.add(ENGINE, [both, commit("Add a light", author=HOPPER, body="Reviewed-by: Bob <bob@b>")])
    store.erasure.erase(WHOM, AT)
    names = ["grace@example.com", "bob@b"], ["Bob", "Grace"]
    found = store.commits.crediting(INDEXED - timedelta(days=99), INDEXED, *names, lambda _: True)
    assert [(role, one.subject) for role, one in found] == [("coauthor", "Add a cache")]
    assert store.identities.credited() == [Identity("Bob", "bob@b")]


@pytest.mark.sqlite
def test_every_table_that_may_hold_somebody_is_known_here(store: Store) -> None:
    """Whoever adds a table thinks of those who ask to be forgotten: it is emptied of them, or holds nobody."""
    emptied = {
        "identities", "commits", "commit_files", "commit_references", "credits", "credited", "mailmaps", "commit_words",
        "said", "slack_users", "conversations", "model_cache",
        "outbox",
        "digests", "digest_snapshots", "pending_events",
    }  # fmt: skip
    of_nobody = {
        "repositories", "ids", "paths", "tags", "erasure_blocklist", "processed_events", "digest_posts",
        "_sqlite_migrations",
    }  # fmt: skip
    with store.transaction() as connection:
        rows = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'commit\\_words\\_%' ESCAPE '\\'"
        )
        there = {row[0] for row in rows} - {"sqlite_sequence"}
    assert there == emptied | of_nobody


def test_an_index_that_is_running_meanwhile_brings_nobody_back(
    tmp_path: Path, store: Store, repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the commits that it has read already, those still to be stored are looked at once more."""
    monkeypatch.setattr(indexing, "BATCH", 1)
    monkeypatch.setattr(indexing, "LARGEST", 1)

    class Forgetting:
        def start(self, repository: str, total: int | None) -> None:
            pass

        def advance(self, repository: str, commits: int) -> None:
            elsewhere = Store(store.path)
            if not elsewhere.erasure.blocklist():
                elsewhere.erasure.erase(WHOM, AT)

    here = place(str(repo.path))
    done = Indexing(store.commits, tmp_path / "mirrors", AT, Forgetting()).repository(here)
    assert (done.total, done.kept_out) == (3, 2)
    anew = new_store(tmp_path, "anew")
    _same_key(store, anew)
    index(anew, repo)
    assert stored(store) == stored(anew)
