"""What of a commit's body is quoted."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.story.evidence import LONGEST_SENTENCE, first_sentence

QUOTED: list[tuple[str, str]] = [
    ("We had a race in our allocator. More.", "We had a race in our allocator."),
    ("Summary:\nWe had a race in our allocator.\n\nTest Plan: CI\n", "We had a race in our allocator."),
    ("Summary: We had a race in our allocator", "We had a race in our allocator."),
    ("## Summary\n\nWe had a race here.\n\n## Test plan\n\n- [x] ran it", "We had a race here."),
    ("**What**: We had a race here.", "We had a race here."),
    ("Pull Request resolved: https://x.example/1\n\nWe had a race here.", "We had a race here."),
    ("X-link: https://x.example/1\n\nWe had a race here.", "We had a race here."),
    ("Stack from ghstack (oldest at bottom):\n* __->__ #12\n\nWe had a race here.", "We had a race here."),
    ("TSIA\n\nWe had a race here.", "We had a race here."),
    ("As title.\n\nWe had a race here.", "We had a race here."),
    ("```\ncode here is left out\n```\n\nWe had a race here.", "We had a race here."),
    ("    indented code is left out\n\nWe had a race here.", "We had a race here."),
    ("> a quote of somebody else\n\nWe had a race here.", "We had a race here."),
    ("- a list item that goes on\n  and is wrapped\n\nWe had a race here.", "We had a race here."),
    ("This moves the code, e.g. The loader, elsewhere. More.", "This moves the code, e.g. The loader, elsewhere."),
    ("Dr. Strange wrote this kernel. More.", "Dr. Strange wrote this kernel."),
    ("A sentence that is wrapped by its author at the usual\nwidth of a message. And more.",
     "A sentence that is wrapped by its author at the usual width of a message."),
    ('He said "this is broken." Then more.', 'He said "this is broken."'),
    ("adds a `Clone` constraint to the server\n", "adds a `Clone` constraint to the server."),
    ("`foo` is gone from the parser.", "`foo` is gone from the parser."),
    ("Sends 64 GB: 87% utilization -> 99% on 16 GiB.", "Sends 64 GB: 87% utilization -> 99% on 16 GiB."),
    ("Remove the old path\nAdd the new path for the loader", "Remove the old path."),
    ("We had a race here.\n\nSigned-off-by: Ada <ada@example.com>", "We had a race here."),
    ("We had a race here.\nReviewed By: grace\nDifferential Revision: D123", "We had a race here."),
]  # fmt: skip

NOT_QUOTED = [
    "",
    "\n\n",
    "Fix it.",  # too little to be told
    "Add a thing",  # the subject again
    "This diff adds a thing.",
    "Test Plan: CI",
    "Reviewed By: grace\n\nDifferential Revision: D123",
    "Signed-off-by: Ada <ada@example.com>\nCo-authored-by: Grace <g@example.com>",
    "- one point\n- another point",
    "1. one point of it\n2. another point of it",
    "https://example.com/a",
    "See https://example.com/a for what this does.",
    "This does the following:\n- one\n- two",
    "This does several things, namely\n- one\n- two",
    "We change (and this is open the loader.",
    'We change "the loader.',
    "We change the `loader.",
    "Summary: the loader is one of the",
    "| a | table | of numbers |",
    "<!-- Please describe what this does. -->",
    "Please include a brief summary of the changes, relevant motivation and context.",
    "for more information, see https://pre-commit.ci",
    "Automated semver-compatible version bump.\n\nbypass-github-export-checks",
    "att, this is needed in the loader.",
    "because we cannot instantiate it here.",
    'Revert "Add a thing for the loader"',
    "buck2 build fbcode//mode/opt -c x.y=z --show",
    "Fix the first part of it.\n\nSigned-off-by: A <a@x.example>\n\nfix comments\n\nSigned-off-by: A <a@x.example>",
    "word " * 100 + "end.",
    "fbshipit-source-id: abc\nghstack-source-id: 1",
    "Mail ada@example.com about what this does.",
    "This reverts commit 1234567890abcdef.",
    "12 34 56 78 90 ----- 12 34.",
]


@pytest.mark.parametrize(("body", "sentence"), QUOTED, ids=[row[0][:40] for row in QUOTED])
def test_the_first_sentence_of_prose_is_quoted(body: str, sentence: str) -> None:
    assert sentence == first_sentence(body, "Add a thing")


@pytest.mark.parametrize("body", NOT_QUOTED, ids=[body[:40] for body in NOT_QUOTED])
def test_what_is_no_prose_is_left_out(body: str) -> None:
    assert first_sentence(body, "Add a thing") is None


@given(st.text(max_size=300))
def test_any_body_can_be_read(body: str) -> None:
    first_sentence(body, "Add a thing")


_PARTS = st.sampled_from(
    ["Summary:", "We had a race", "in the allocator.", "Test Plan: CI", "- item", "```",
     "`x", "(y", "https://a.example", "", "  code", "e.g.", "1.", "Done!"]
)  # fmt: skip


@given(st.lists(_PARTS, max_size=12))
def test_what_is_quoted_stands_in_the_body(parts: list[str]) -> None:
    """Word for word, whole, and with its quotes and brackets closed; only a full stop may be new."""
    body = "\n".join(parts)
    sentence = first_sentence(body, "Add a thing")
    if sentence is not None:
        words = " ".join(body.split())
        assert sentence in words or sentence.removesuffix(".") in words
        assert len(sentence) <= LONGEST_SENTENCE + 1
        assert sentence.count("`") % 2 == 0
        assert sentence.count("(") == sentence.count(")")
        assert not re.search(r"https?://|Summary|Test Plan", sentence)


@pytest.mark.parametrize(
    "piece", ["a ", "a. ", "(", "`", "\n", "- x\n", "A: b\n", "1. ", "a" * 50, "http://", "Signed-off-by: a\n\n"]
)
def test_a_huge_body_is_read_at_once(piece: str) -> None:
    began = time.thread_time()
    first_sentence(piece * (200_000 // len(piece)), "Add a thing")
    assert time.thread_time() - began < 1
