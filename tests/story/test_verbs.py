"""The table of verbs: that its forms are right, and that look-ups tell a verb from a noun."""

from __future__ import annotations

import pytest

from bot.story.words.verbs import HEADS, NOUNY, VERBS, verb_of

# --- forms


@pytest.mark.parametrize(
    ("base", "past", "third", "ing"),
    [
        ("add", "added", "adds", "adding"),
        ("build", "built", "builds", "building"),
        ("run", "ran", "runs", "running"),
        ("fix", "fixed", "fixes", "fixing"),
        ("copy", "copied", "copies", "copying"),
        ("delay", "delayed", "delays", "delaying"),
        ("catch", "caught", "catches", "catching"),
        ("free", "freed", "frees", "freeing"),
        ("tie", "tied", "ties", "tying"),
        ("format", "formatted", "formats", "formatting"),
        ("plug", "plugged", "plugs", "plugging"),
        ("cleanup", "cleaned up", "cleans up", "cleaning up"),
        ("workaround", "worked around", "works around", "working around"),
        ("mv", "moved", "moves", "moving"),
        ("redo", "redid", "redoes", "redoing"),
        ("be", "was", "is", "being"),
        ("swap", "swapped", "swaps", "swapping"),
        ("refer", "referred", "refers", "referring"),
        ("sync", "synced", "syncs", "syncing"),
    ],
)
def test_a_verb_has_all_its_forms(base: str, past: str, third: str, ing: str) -> None:
    verb = VERBS[base]

    assert (past, third, ing) == (verb.past, verb.third, verb.ing)


def test_the_table_holds_the_verbs_of_developers() -> None:
    assert len(VERBS) > 170
    assert {"add", "fix", "remove", "use", "move", "rename", "revert", "bump", "skip", "land"} <= VERBS.keys()


def test_no_form_is_malformed() -> None:
    wrong = [v.past for v in VERBS.values() if v.past.endswith("eed") and not v.base.endswith("ee")]
    wrong += [v.ing for v in VERBS.values() if v.ing.endswith("eing") and not v.base.endswith(("be", "ee", "oe", "ye"))]
    wrong += [v.third for v in VERBS.values() if v.third.endswith(("sss", "xs", "chs", "shs"))]

    assert wrong == []


def test_words_that_settle_a_noun_belong_to_verbs_that_are_known() -> None:
    assert [word for word in NOUNY if verb_of(word) is None] == []
    assert [word for word in HEADS if word not in VERBS] == []


# --- look-ups


@pytest.mark.parametrize(
    ("word", "base", "form"),
    [
        ("adds", "add", "third"),
        ("fixing", "fix", "ing"),
        ("removed", "remove", "past"),
        ("re-enable", "re-enable", "base"),
        ("re-enabled", "re-enable", "past"),
        ("symintify", "symintify", "base"),
        ("fix/ignore", "fix/ignore", "base"),
    ],
)
def test_any_form_leads_to_its_verb(word: str, base: str, form: str) -> None:
    found = verb_of(word)

    assert found is not None
    assert (base, form) == (found[0].base, found[1])


@pytest.mark.parametrize(
    "word",
    ["testing", "caching", "fused", "shared", "tests", "benchmarks", "readme", "rdma", "", "-", "/", "re-", "a/b"],
)
def test_a_word_that_is_a_noun_leads_to_none(word: str) -> None:
    assert verb_of(word) is None


def test_a_verb_put_together_is_inflected_where_the_verb_is() -> None:
    found = verb_of("re-run")

    assert found is not None
    assert found[0].past == "re-ran"
