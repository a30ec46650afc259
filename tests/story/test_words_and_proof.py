"""Cleaning, counting, listing, and the checker of what is said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, INDEXED, UTC_ZONE, commit, indexed, sha_of

from bot.model import Item, Sentence
from bot.month.calendar import Month
from bot.month.facts import month_facts
from bot.story.proof import counted, faults, proved
from bot.story.wording import KINDS, clean, count, kinds_listed, listed, shortened

ONE = commit(
    "Cache 40 keys (#12)", body="Hits go from 87% to 99%. See D12345678 and acme/web#7.", sha="abcdef1" + "0" * 33
)
OTHER = commit("Drop 1,204 rows", at="2025-10-04 09:00")
FACTS = month_facts(ADA, Month(2025, 10), UTC_ZONE, [ONE, OTHER], [indexed("acme/engine")], INDEXED)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("\x1b[31mred\x1b[0m alert", "red alert"),
        ("\x1b]0;title\x07done", "done"),
        ("a\x00b\x9bc\x7f", "a b"),  # C1's CSI takes the letter with it
        ("one\r\ntwo\tthree\u2028four", "one two three four"),
        ("abc\u202edef\u2066", "abcdef"),
        ("half \ud800 pair", "half \ufffd pair"),
        ("\ufeffstart\u200b", "start"),
        ("family 👨‍👩‍👧 stays", "family 👨‍👩‍👧 stays"),
        ("   ", ""),
    ],
)
def test_nothing_that_steers_a_reader_is_left(text: str, cleaned: str) -> None:
    assert cleaned == clean(text)


@given(st.text(st.characters(), max_size=100))
def test_clean_text_stays_as_it_is(text: str) -> None:
    once = clean(text)
    assert once == clean(once)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", once)
    once.encode()


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("short", "short"),
        ("one two three four", "one two…"),
        ("x" * 30, "xxxxxxxxxxx…"),
        ("one two, three", "one two…"),
    ],
)
def test_long_text_is_cut_between_words(text: str, cut: str) -> None:
    assert cut == shortened(text, 12)


@given(st.text(max_size=80), st.integers(5, 40))
def test_cut_text_fits(text: str, longest: int) -> None:
    assert len(shortened(text, longest)) <= max(longest, 1)


def test_counts_and_lists() -> None:
    assert [
        count(1, "change"),
        count(0, "change"),
        count(1204, "change"),
        count(2, "branch", "branches"),
    ] == ["1 change", "0 changes", "1,204 changes", "2 branches"]
    assert [listed([]), listed("a"), listed("ab"), listed("abc", "or")] == ["", "a", "a and b", "a, b or c"]


def test_kinds_are_told_most_first_and_what_nobody_knows_last() -> None:
    assert (
        kinds_listed({"chore": 9, "ci": 1, "fix": 2, "feature": 1, "docs": 0})
        == "2 fixes, 1 feature, 1 CI change and 9 other changes"
    )
    assert len(KINDS) == 11


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Hits go from 87% to 99%.", []),
        ("Cache 40 keys (#12).", []),
        ("See D12345678 and acme/web#7.", []),
        ("It is in abcdef1.", []),
        ("Hits go from 87% to 98%.", ["98"]),
        ("Cache 4 keys.", ["4"]),  # a part of 40 is not 40
        ("Closes #1.", ["#1"]),
        ("Closes #123.", ["#123"]),
        ("See acme/engine#7.", ["acme/engine#7"]),
        ("It is in deadbee1.", ["deadbee1"]),
        ("See D99999999.", ["D99999999"]),
        ("Drop 1,204 rows.", ["1,204"]),  # true, but of the other commit
    ],
)
def test_what_no_commit_holds_is_found(text: str, wrong: list[str]) -> None:
    found = [fault.split("'")[1] for fault in faults(text, [ONE.sha], FACTS)]
    assert set(wrong) <= set(found) if wrong else not found, found


def test_evidence_must_be_of_the_month() -> None:
    assert [f"{sha_of('elsewhere')} is no commit of the month"] == faults("A thing.", [sha_of("elsewhere")], FACTS)
    assert faults("A thing.", [], FACTS) == ["rests on no commit"]


def test_a_sentence_that_does_not_hold_leaves_the_plain_title() -> None:
    item = Item(
        "Cache keys", (Sentence("It is 3x faster.", (ONE.sha,)),), "feature", "landed", "acme/engine", (), (ONE.sha,)
    )
    assert (proved(item, FACTS).title, proved(item, FACTS).text) == ("Cache keys", "")
    held = Item(
        "Cache keys",
        (Sentence("Hits go from 87% to 99%.", (ONE.sha,)),),
        "feature",
        "landed",
        "acme/engine",
        (),
        (ONE.sha,),
    )
    assert held == proved(held, FACTS)


def test_a_headline_rests_on_what_was_counted() -> None:
    evidence = (ONE.sha, OTHER.sha)
    true = Sentence("Ada Lovelace made 2 changes in October 2025.", evidence)
    computed = ("Ada Lovelace", "2 changes", "in October 2025")
    assert true == counted(true, "plain", [FACTS], computed)
    false = Sentence("Ada Lovelace made 3 changes in October 2025.", evidence)
    assert Sentence("plain", evidence) == counted(false, "plain", [FACTS], computed)
    foreign = Sentence("Ada Lovelace made 2 changes.", (sha_of("elsewhere"),))
    assert counted(foreign, "plain", [FACTS], computed).text == "plain"


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_checked(text: str, body: str) -> None:
    one = commit("Say it", body=body)
    facts = month_facts(ADA, Month(2025, 10), UTC_ZONE, [one], [], INDEXED)
    faults(text, [one.sha], facts)
    assert not faults(clean(body), [one.sha], facts)
