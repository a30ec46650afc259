"""Lies made of the commits' own words, which a checker of words alone takes for true, and true words that are told."""

from __future__ import annotations

import time

import pytest

from bot.model import Commit
from bot.story.llm.deeds import Source, faults, title_faults
from tests.values import commit

CHUNKS = commit(
    "Stream chunks of the checkpoint from disk (#12)",
    body="Reading the whole checkpoint took 2.68 s. With chunks of 64 KiB it takes 0.015 s. It does not touch tensors."
    "\n\nReviewed-by: Bob Example <bob@example.org>\nThe password: hunter22-and-more",
    sha="c" * 40,
)
PARSER = commit("Fix a crash of the parser on empty lines", body="An empty line has no token.", sha="a" * 40)
TEST = commit("Add a test for the crash of the parser", sha="b" * 40)
CACHE = commit("Move the cache from memory to disk", sha="d" * 40)
QUIET = commit("Fix the parser not reading comments", sha="e" * 40)
NUMBERS = commit("Raise the limit from 10 to 20", body="Before, 10 requests took 5 s. Now 20 requests take 4 s.")

LIES = [
    (CHUNKS, "Removed chunks of the checkpoint from disk."),
    (CHUNKS, "Reverted the chunks of the checkpoint stream from disk."),
    (CHUNKS, "Changed the reading of the whole checkpoint from 0.015 s to 2.68 s."),
    (CHUNKS, "Took reading the whole checkpoint from 0.015 s to 2.68 s with chunks."),
    (CHUNKS, "Broke reading of the whole checkpoint from disk, which took 2.68 s."),
    (CHUNKS, "Deleted the whole checkpoint stream, and disabled chunks of 64 KiB."),
    (CHUNKS, "Streamed chunks of the checkpoint from disk and leaked the password."),
    (CHUNKS, "Streamed chunks of the checkpoint from disk, and removed the whole checkpoint."),
    (CHUNKS, "Streamed chunks of the checkpoint from disk, never the whole checkpoint."),
    (CHUNKS, "Streamed chunks of the checkpoint to disk."),
    (CHUNKS, "Streamed chunks of the checkpoint from disk for Bob."),
    (CHUNKS, "Helped Bob Example to stream chunks of the checkpoint from disk."),
    (PARSER, "Did not fix the crash of the parser on empty lines."),
    (PARSER, "Introduced a crash of the parser on empty lines."),
    (PARSER, "Caused a crash of the parser on empty lines."),
    (PARSER, "Fixed the parser on empty lines, failed to fix the crash."),
    (PARSER, "Crashed the parser on empty lines."),
    (PARSER, "Partly fixed a crash of the parser on empty lines."),
    (PARSER, "Fixed every crash of the parser."),
    (PARSER, "Fixed the parser without a crash on empty lines."),
    (TEST, "Added the crash of the parser."),
    (TEST, "Implemented a crash of the parser and a test."),
    (CACHE, "Moved the cache from disk to memory."),
    (QUIET, "Fixed the parser reading comments."),
    (NUMBERS, "Raised the limit from 20 to 10."),
]
LATER_LIES = [
    (CHUNKS, "Reading took 0.015 s instead of 2.68 s."),
    (CHUNKS, "Reading took 2.68 s instead of 0.015 s."),
    (CHUNKS, "The whole checkpoint took 0.015 s."),
    (CHUNKS, "It touches tensors."),
    (CHUNKS, "Bob streamed the checkpoint."),
    (NUMBERS, "20 requests took 5 s."),
]
TRUE = [
    (CHUNKS, "Streamed the checkpoint from disk in chunks of 64 KiB."),
    (CHUNKS, "Streamed chunks of the checkpoint from disk."),
    (PARSER, "Fixed the parser, which crashed on empty lines."),
    (PARSER, "Resolved a crash of the parser on empty lines."),
    (TEST, "Introduced a test for the crash of the parser."),
    (CACHE, "Moved the cache to disk from memory."),
    (QUIET, "Fixed the parser, which was not reading comments."),
    (NUMBERS, "Raised the limit from 10 to 20."),
]
LATER_TRUE = [
    (CHUNKS, "Reading took 2.68 s, and takes 0.015 s."),
    (CHUNKS, "With chunks of 64 KiB, reading takes 0.015 s."),
    (NUMBERS, "Before, 10 requests took 5 s."),
]


@pytest.mark.parametrize(("lead", "text"), LIES)
def test_a_lie_in_the_commits_own_words_is_not_told_first(lead: Commit, text: str) -> None:
    assert faults(text, [Source(lead)], (), is_first=True) != []


@pytest.mark.parametrize(("lead", "text"), LATER_LIES)
def test_nor_as_a_later_sentence(lead: Commit, text: str) -> None:
    assert faults(text, [Source(lead)], (), is_first=False) != []


@pytest.mark.parametrize(("lead", "text"), TRUE)
def test_what_a_commit_did_may_be_said_in_other_words(lead: Commit, text: str) -> None:
    assert faults(text, [Source(lead)], (), is_first=True) == []


@pytest.mark.parametrize(("lead", "text"), LATER_TRUE)
def test_what_a_body_says_may_follow(lead: Commit, text: str) -> None:
    assert faults(text, [Source(lead)], (), is_first=False) == []


def test_a_deed_is_one_of_the_commit_that_is_about_its_object() -> None:
    drop = commit("Drop the legacy scheduler", sha="f" * 40)
    assert faults("Dropped the parser on empty lines.", [Source(drop), Source(PARSER)], (), is_first=True) != []
    assert (
        faults("Dropped the legacy scheduler and fixed a crash.", [Source(drop), Source(PARSER)], (), is_first=True)
        == []
    )


def test_a_plain_sentence_is_told_whatever_it_says() -> None:
    plain = "It does not touch tensors, as Bob found."
    assert faults(plain, [Source(CHUNKS)], (plain,), is_first=False) == []


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("Added parser crash", PARSER),
        ("Introduction of a parser crash", PARSER),
        ("Crash of the parser without empty lines", PARSER),
        ("Crash of the parser for tensors", PARSER),
        ("Removal of chunks of the checkpoint", CHUNKS),
        ("Broken checkpoint chunks", CHUNKS),
        ("Cache moved to disk", CACHE),
        ("Cache from disk to memory", CACHE),
        ("Parser reading comments", QUIET),
    ],
)
def test_a_title_of_other_words_than_a_subjects_is_not_told(text: str, lead: Commit) -> None:
    assert title_faults(text, [Source(lead)], "Parser") != []


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("Parser crash on empty lines", PARSER),
        ("Streaming of checkpoint chunks", CHUNKS),
        ("Move of the cache to disk", CACHE),
        ("Test for the parser crash", TEST),
    ],
)
def test_a_title_of_a_subjects_words_is_told(text: str, lead: Commit) -> None:
    assert title_faults(text, [Source(TEST), Source(lead)], "Parser") == []


def test_a_title_is_not_put_together_of_several_subjects() -> None:
    assert title_faults("Crash of the cache on disk", [Source(PARSER), Source(CACHE)], "Parser") != []


def test_a_long_body_is_looked_through_in_time() -> None:
    many = [
        Source(commit(f"Fix part {n}", body="took was 12 s not from adds to " * 700, sha=f"{n:040x}"))
        for n in range(25)
    ]
    begun = time.monotonic()
    for _ in range(6):
        faults("Fixed " + "took from adds 12 s and 13 s " * 10, many, (), is_first=True)
    assert time.monotonic() - begun < 5
