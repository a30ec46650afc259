"""What somebody describes in their own words is answered with the changes that hold the rarest of these, as it is said;
with nothing where no change holds enough of them, and with nothing that the reader may not see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from builders import query_service
from values import ADA, GRACE, WEB, another_commit, commit

from bot.ask.answers import Reply, answer_document, answered, understood
from bot.ask.queries import Queries
from bot.ask.reading import HANGS
from bot.model import Commit

COMMON = [another_commit(f"Update the engine to {n}", at="2024-10-03 12:00", body="For users.") for n in range(60)]
SECRET, SOCKET, MERGE = "a1" * 20, "b2" * 20, "c3" * 20
COMMITS = [
    *COMMON,
    commit("Preserve sibling keys when setting a secret in the vault", sha=SECRET, author=GRACE),
    commit("Clean up the socket on SIGTERM", sha=SOCKET, at="2025-10-05 12:00"),
    commit(
        "Merge pull request #7 from ada/drag", sha=MERGE, merge=True, body="Drag commits with the mouse\n\nAt last."
    ),
    replace(another_commit("Hear what the pointer does", paths=["src/pointer.py"]), via=MERGE),
    replace(another_commit("Merge branch main into drag", merge=True), via=MERGE),
]


def asked(almanac: Queries, text: str) -> Reply:
    return answered(almanac, understood(almanac, text))


def told(reply: Reply) -> list[str]:
    return [one.sha for one in reply.explanations.explained] if reply.explanations else []


@pytest.mark.parametrize(("text", "topic", "said"), [
    ("who did the sig-term thing", "sigterm", ("“sig-term” read as sigterm",)),
    ("who worked on the secret", "secret", ()),
    ("who worked on the sockett", None, ()),  # which one message has: no word that people use
    ("who worked on the enginex", "engine", ("“enginex” read as engine",)),
    ("who worked on src/pointer.py", None, ()),
    ("who worked on engine5", None, ()),
    (f"who worked on {'sigterm' * 200}", None, ()),  # a typed word has no such length
])  # fmt: skip
def test_a_word_that_no_message_has_is_the_one_that_messages_have_a_letter_away(
    almanac: Queries, text: str, topic: str | None, said: tuple[str, ...]
) -> None:
    question = understood(almanac, text)
    assert (question.topic, question.assumed) == (topic, said)


@pytest.fixture(scope="module")
def almanac(tmp_path_factory: pytest.TempPathFactory) -> Queries:
    return query_service(tmp_path_factory.mktemp("nearest"), COMMITS)


@pytest.mark.parametrize(
    ("text", "shas"),
    [
        ("we have a bug report that setting one secret in vault wipes the other keys. known issue? fixed?", [SECRET]),
        ("a customer says a SIGTERM leaves the socket lying around. in which release was that mended?", [SOCKET]),
        ("did Grace Hopper see that setting a vault secret wipes sibling keys? customers ask", [SECRET]),
        ("did Ada Lovelace see that setting a vault secret wipes sibling keys? customers ask", []),
        ("a customer asks about setting the vault secret. how many changes were there?", []),
        ("how many customers have set a secret in the vault?", []),
        ("customers say setting one secret in the vault wipes all keys. in acme/engine?", [SECRET]),
        ("customers say setting one secret in the vault wipes all keys. in acme/web?", []),
        ("customers say in acme/web setting one secret in the vault wipes all keys", []),
        ("customers say setting one secret in the vault wiped all keys in july 2024", []),
        ("customers say setting one secret in the vault wiped all keys in october 2025", [SECRET]),
        ("customers say setting one secret in the vault wipes all keys. who reviewed it?", []),
        ("is there an open issue about the vault secret", []),
        ("customers say the engine does not update", []),  # which most changes say
        ("customers say the zebra is striped", []),
    ],
)
def test_what_is_described_is_found_by_its_rarest_words(almanac: Queries, text: str, shas: Sequence[str]) -> None:
    assert told(asked(almanac, text)) == shas


def test_the_first_line_says_what_was_not_understood_and_by_which_words(almanac: Queries) -> None:
    reply = asked(almanac, "a customer says setting one secret in the vault wipes all keys. fixed?")
    assert reply.first == (
        "nearest by words: “setting secret vault wipes keys fixed” · not understood: “wipes” and “fixed”"
    )
    assert answer_document(reply)["unread"] == list(reply.question.unread)
    assert reply.thread and reply.thread.listed == (SECRET[:12],)


def test_a_release_that_is_asked_for_is_told_and_only_what_no_change_shows_is_not_understood(almanac: Queries) -> None:
    reply = asked(almanac, "which release first had sibling keys preserved when a customer sets a vault zebra")
    assert reply.first == (
        "in which release · nearest by words: “sibling keys preserved sets vault zebra” · not understood: "
        "“which release first had sibling keys preserved when a customer sets a vault zebra”"
    )
    reply = asked(almanac, "which release first had sibling keys preserved for the vault zebra")
    assert reply.first.endswith("· not understood: “zebra”")
    assert reply.explanations and reply.explanations.explained[0].brief[0].about == "release"


def test_what_narrows_it_is_said_and_what_does_not_is_not_understood(almanac: Queries) -> None:
    reply = asked(almanac, "customers say setting one secret in the vault wipes all keys. in acme/engine? in 2.5?")
    assert reply.first == (
        "acme/engine · nearest by words: “setting secret vault wipes keys” · not understood: “wipes” and “2.5”"
    )


@pytest.mark.parametrize(
    ("text", "is_answered"),
    [
        ("and last week?", False),
        ("in acme/web?", False),
        ("without Grace Hopper", False),
        ("did they add tests for it", False),
        ("which release is it in?", True),
        ("who reviewed it?", True),
        ("what did Grace do in october?", True),
    ],
)
def test_what_follows_is_of_the_changes_themselves_or_refused(
    almanac: Queries, text: str, *, is_answered: bool
) -> None:
    thread = asked(almanac, "a customer says setting one secret in the vault wipes all keys").thread
    question = understood(almanac, text, thread=thread)
    assert question.missing == (None if is_answered else HANGS)
    assert question.unread == ()


def test_a_topic_merge_stands_for_what_it_brought(almanac: Queries) -> None:
    assert told(asked(almanac, "customers cannot drag commits with the mouse. known issue?")) == [MERGE]


def hidden_of(commits: Sequence[Commit], path: Path) -> Reply:
    almanac = replace(query_service(path, commits), hidden=frozenset({WEB}))
    return asked(almanac, "customers say that setting a secret in the vault wipes sibling keys. known issue?")


def test_nothing_is_told_of_a_hidden_repository(tmp_path: Path) -> None:
    secret = commit("Preserve sibling keys when setting a secret in the vault", repository=WEB)
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    assert hidden_of([*COMMON, secret], tmp_path / "1").words == hidden_of(COMMON, tmp_path / "2").words
    assert told(hidden_of([*COMMON, secret], tmp_path / "1")) == []


def test_nor_of_who_asked_not_to_be_shown(tmp_path: Path) -> None:
    almanac = query_service(tmp_path, COMMITS)
    text = "customers say that setting a secret in the vault wipes sibling keys. known issue?"
    assert told(asked(almanac, text)) == [SECRET]
    almanac.store.said.say("hide", "hide", [GRACE.identities[0].address], "", "grace", almanac.settings.now())
    assert told(asked(replace(almanac), text)) == []
    assert ADA.name not in str(asked(replace(almanac), text).words)
