"""A sentence keeps the rules of grammar that can be checked; a developer's own words are left alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.story.proving.articles import article_of
from bot.story.proving.grammar import mistakes


@pytest.mark.parametrize(
    "text",
    [
        "Added a thing.",
        "He said that that had had to go.",
        "Called foo() and list[int] in std::vector, `a  a`, and ``x`y``.",
        "Added “the  the a hour (” to it.",
        "Quoted ““one” in another”.",
        "It left “Half of it.”",
        "“Fix it.”",
        "fetch_from_l1 was added.",
        "--dry-run was added, and ../x too.",
        "mlx5dv is used.",
        "Waited… and went on.",
        "Waited... and went on.",
        "Ranged from a..b to c.",
        "Wrote (see #12, #13), etc., to it.",
        "Later: “x” was backed out on 20 February 2026 by Li Li (28c4c6a4c): “it broke”.",
        "16 of 16 commits were told.",
        "修复缓存。",
        "Sped up it; worked around that.",
        "Chose option A and not B, from a to z.",
        "Is it so?",
        "Re-enabled the cache.",
    ],
)
def test_a_good_sentence_has_no_mistake(text: str) -> None:
    assert mistakes(text) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Added a  thing.", ["two spaces"]),
        ("Added a thing. ", ["space at the start or the end", "no full stop at the end"]),
        ("Added\na thing.\n", ["two spaces", "space at the start or the end", "no full stop at the end"]),
        ("Added the the thing.", ["'the' twice"]),
        ("The the thing is gone.", ["'The' twice"]),
        ("Added Fixed fixed it.", ["'Fixed' twice"]),
        ("Added a (thing.", ["'(' not balanced"]),
        ("Added a [thing) here.", ["')' not balanced"]),
        ('Added a "thing.', ["'\"' not balanced"]),
        ("Added “a thing.", ["“…” not balanced"]),
        ("Added a thing”.", ["“…” not balanced"]),
        ("Added `a thing.", ["` not balanced"]),
        ("Added () to it.", ["'()' is empty"]),
        ("Added “ ” to it.", ["'“”' is empty"]),
        ("Added `` to it.", ["'``' is empty"]),
        ("Added it , too .", ["space before ','", "space before '.'"]),
        ("Added it :", ["space before ':'", "no full stop at the end"]),
        ("Added it,, too.", ["',,' repeated"]),
        ("Added it,. too.", ["',.' repeated"]),
        ("Added it..", ["'..' repeated"]),
        ("Added it….", ["'….' repeated"]),
        ("Added it!!", ["'!!' repeated"]),
        ("Added a hour.", ["'a hour.' should be 'an'"]),
        ("An user is added.", ["'An user' should be 'a'"]),
        ("Added a (optional) user.", ["'a optional' should be 'an'"]),
        ("added a thing.", ["no capital at the start"]),
        ("Added a thing", ["no full stop at the end"]),
        ("The thing of it.", ["no verb"]),
        ("", ["no capital at the start", "no full stop at the end"]),
    ],
)
def test_what_breaks_a_rule_is_named(text: str, wrong: list[str]) -> None:
    assert sorted(mistakes(text)) == sorted(wrong)


def test_which_words_are_verbs_is_the_callers_choice() -> None:
    assert mistakes("Blorped a thing.") == ["no verb"]
    assert mistakes("Blorped a thing.", {"blorped"}) == []


@pytest.mark.parametrize(
    ("article", "words"),
    [
        ("a", "thing user unit unique_ptr uniform union one one-way once use usage utility European URL UUID USB UI "
              "UTF-8 GPU PR PyTorch Tensor 1 2nd 100 110 1,100 12 U-turn B-tree url uuid yellow well-known "
              "kernel write schedule pull universal uri LoRA"),
        ("an", "apple hour honest hourly heir MR SSD RDMA FP8 FSDP H100 NVLink LLM HTTP HBM XLA MLP RPC API AMD IP OOM "
               "8-bit 8 80 11 18 88 18th unused uninitialised unintended update upper umbrella int8 enum item X-ray "
               "async_call import io.h x86 f32 e2e MRs uninstall undo urgent"),
        ("either", "NIC RAM SQL NCCL FIFO NULL UNSET README.md fp8 uint8 nvlink 缓存 … ncclAllReduce SHA tqdm.write"),
    ],
    ids=["a", "an", "either"],
)  # fmt: skip
def test_the_article_goes_by_how_a_word_is_said(article: str, words: str) -> None:
    assert [word for word in words.split() if article_of(word) != article] == []


TEXTS = st.lists(
    st.sampled_from(["a", "an", "the", "(", ")", "“", "”", "`", '"', ".", "..", "…", ",", ":", "::", " ", "  ", "hour",
                     "Fixed", "x_y", "-", "1", "NIC", "é", "修", "\n", "\U0001f600", "[", "]"])
)  # fmt: skip


@given(TEXTS.map("".join))
def test_any_text_can_be_read(text: str) -> None:
    found = mistakes(text)
    assert found == list(dict.fromkeys(found))


@given(st.text(max_size=60))
def test_a_quotation_is_the_developers_own(text: str) -> None:
    own = text.replace("“", "").replace("”", "").strip() or "x"
    assert mistakes(f"It says: “{own}”.") == []


@given(
    TEXTS.map("".join), st.sampled_from(["the the", "two  spaces", "foo ,", "(unclosed", "a hour", "an user", "() "])
)
def test_a_mistake_is_found_among_others(text: str, wrong: str) -> None:
    safe = text.replace("“", "").replace("”", "").replace("`", "").replace("(", "").replace(")", "")
    assert mistakes(f"It is {wrong} here {safe}.") != []


@pytest.mark.parametrize(
    "text", ["`" * 20_000, "“" * 20_000, "a " * 10_000, " " * 20_000, "(" * 20_000, ", " * 10_000, "." * 20_000,
             "a" * 20_000, "ab ab" * 5_000, "an A" * 5_000, "x. A " * 5_000, "_" * 20_000, "a-" * 10_000]
)  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    begun = time.process_time()
    mistakes(text)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    "text",
    ["Key cache: “a load takes 2 s instead of 5 s”.", "Key cache: from “load: 5 s” to “load: 2 s”."],
)
def test_a_quotation_under_the_title_of_its_change_is_a_sentence(text: str) -> None:
    assert mistakes(text) == []
