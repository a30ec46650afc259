"""What of a commit's body is told, and how."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.story.bodies.evidence import LONGEST_SENTENCE, as_told, why_and_effect
from bot.story.words.verbs import VERBS

SUBJECT = "Add a pool of workers to the loader"
GOOD = "The pool keeps its workers so that a load no longer waits for a fork."

FOUND: list[tuple[str, str]] = [
    (GOOD, GOOD),
    (f"Summary:\n{GOOD}\n\nTest Plan: CI\n", GOOD),
    (f"Summary: {GOOD}", GOOD),
    (GOOD.removesuffix("."), GOOD),
    (f"## Summary\n\n{GOOD}\n\n## Test plan\n\n- [x] ran it", GOOD),
    (f"**What**: {GOOD}", GOOD),
    (f"### Key changes\n{GOOD}", GOOD),
    (f"Pull Request resolved: https://x.example/1\n\n{GOOD}", GOOD),
    (f"X-link: https://x.example/1\n\n{GOOD}", GOOD),
    (f"Stack from ghstack (oldest at bottom):\n* __->__ #12\n\n{GOOD}", GOOD),
    (f"As title.\n\n{GOOD}", GOOD),
    (f"```\ncode here is left out so that it is not read\n```\n\n{GOOD}", GOOD),
    (f"    indented code is left out because it is code\n\n{GOOD}", GOOD),
    (f"> a quote of somebody else, because it was asked\n\n{GOOD}", GOOD),
    (f"- an item of a list that avoids a fork\n  and is wrapped\n\n{GOOD}", GOOD),
    ("The pool keeps its workers, so that a load no longer\nwaits for a fork. More.",
     "The pool keeps its workers, so that a load no longer waits for a fork."),
    ("the pool keeps its workers to avoid a fork per load", "The pool keeps its workers to avoid a fork per load."),
    ("`Pool` keeps its workers to avoid a fork per load.", "`Pool` keeps its workers to avoid a fork per load."),
    ("forkPool keeps its workers to avoid a fork per load.", "forkPool keeps its workers to avoid a fork per load."),
    ("The pool keeps workers, e.g. The first four, to avoid forks. More.",
     "The pool keeps workers, e.g. The first four, to avoid forks."),
    (f"{GOOD}\n\nSigned-off-by: Ada <ada@example.com>", GOOD),
    (f"{GOOD}\nReviewed By: grace\nDifferential Revision: D123", GOOD),
    # the best, not the first
    (f"Internally we have generally worked with threads in bare processes. {GOOD}", GOOD),
    (f"Currently the loader forks a worker for each load. {GOOD}", GOOD),
    (f"Introducing the pool, initial API.\n\n{GOOD}", GOOD),
    (f"## Motivation\n\nMost loads wait for a fork because workers are not kept.\n\n## Summary\n\n{GOOD}", GOOD),
    (f"I think we should look at this later. It is nice. {GOOD}", GOOD),
    (f"This is the same as in D12345678, see https://x.example/1.\n\n{GOOD}", GOOD),
    (f"What does a pool do, and why? {GOOD}", GOOD),
    # a line of its own, without a full stop
    ("Pass the page numbers to `page_reader`", "Pass the page numbers to `page_reader`."),
    ("Gated by a flag\nAdd the logic to send pages to `PageService` in the store\n\nMore",
     "Add the logic to send pages to `PageService` in the store."),
    # what it opens with is no part of it
    ("As titled, send pages to `PageService` in the store.", "Send pages to `PageService` in the store."),
    ("As title: send pages to `PageService` in the store.", "Send pages to `PageService` in the store."),
    ("Also sends pages to `PageService` in the store.", "Sends pages to `PageService` in the store."),
    # the words of a link without its address
    ("Move the queue out to its own file, so it can be used by [PageReader](https://a.example/b?c=1) as well.",
     "Move the queue out to its own file, so it can be used by PageReader as well."),
    ("Move the queue out to `queue.rs` (https://a.example/b).", "Move the queue out to `queue.rs`."),
    # "it" and "this" that are the change
    ("It creates a thread `page_thread_` in the store to send pages.",
     "It creates a thread `page_thread_` in the store to send pages."),
    ("A child of a mesh loses sight of its root today.\n\nthis carries the `root` of a mesh across each spawn.",
     "This carries the `root` of a mesh across each spawn."),
    ("As per user requests, the pool keeps its pages.", "As per user requests, the pool keeps its pages."),
    # the best of a list where no prose is better
    ("Changes:\n- Created the `pages` module in the store\n- Fixed lint\n- Moved `PageCounter` of the reader to Rust",
     "Created the `pages` module in the store; moved `PageCounter` of the reader to Rust."),
    ("- Created the `pages` module in the store\n- ran it", "Created the `pages` module in the store."),
    ("We can no longer keep pages of the pool in `PageStore` because they are not counted.",
     "We can no longer keep pages of the pool in `PageStore` because they are not counted."),
    # one message of a squash
    ("* use the old queue but keep pages in the pool to save memory\n\nSigned-off-by: A <a@x.example>\n\n"
     "* fix lint\n\nSigned-off-by: A <a@x.example>",
     "Use the old queue but keep pages in the pool to save memory."),
    ("* Add a pool of workers to the loader\n\nKeep pages in `PageStore` to save memory.\n\n* up\n\n* fix",
     "Keep pages in `PageStore` to save memory."),
]  # fmt: skip

NOT_FOUND = [
    "",
    "\n\n",
    "Add the pool.",  # too little to be told
    "Add a pool of workers to the loader",  # the subject again
    "This diff adds a pool of workers to the loader.",
    "Adding pools of workers in loaders.",
    "Test Plan: ran it, so that the loads are no longer slow",
    "Reviewed By: grace\n\nDifferential Revision: D123",
    "Signed-off-by: Ada <ada@example.com>\nCo-authored-by: Grace <g@example.com>",
    "- one point, so that it is listed\n- another point",
    "See https://example.com/a for what this does because it is long.",
    "The loader does the following to avoid forks:\n- one\n- two",
    "The loader does several things to avoid forks, namely\n- one\n- two",
    "The loader (which forks to avoid threads is gone.",
    'The loader forks to avoid "threads and locks.',
    "Summary: the loader avoids one of the",
    "| a | table | of numbers |",
    "<!-- Please describe what this does. -->",
    "Please include a brief summary of the changes, relevant motivation and context.",
    "for more information, see https://pre-commit.ci",
    "Automated semver-compatible version bump.\n\nbypass-github-export-checks",
    "because we cannot instantiate workers here.",
    'Revert "Add a pool of workers so that loads are fast"',
    "buck2 build fbcode//mode/opt -c x.y=z --show",
    f"{GOOD}\n\nSigned-off-by: A <a@x.example>\n\nfix comments\n\nSigned-off-by: A <a@x.example>",
    "word " * 100 + "end.",
    "This is needed because of what was said above.",  # nobody knows of what
    "It avoids this problem because they are kept.",
    "However, the loader no longer forks.",
    "To fix this, the loader keeps its workers.",
    "Currently every load forks a worker because none is kept.",  # how it was, not how it is
    "There is no functional change to the loader, so that nothing breaks.",
    "Follow-up of the previous diff to avoid forks in the loader.",
    "This stack is a series of diffs to avoid forks in the loader.",
    "The loader avoids forks for several reasons.",
    "The loader avoids forks using the following strategies.",
    "Hi team, the loader avoids forks so that loads are fast.",
    "The next diff makes the loader avoid forks.",
    "The loader now keeps its workers to avoid the most common\ncases:\n- one\n- two",
    "As title",
    "Will hang otherwise when the pool of the loader is empty.",
    "Bumps the docker group with 2 updates to avoid forks in the pool.",
    "Next steps:\n- Create the `pages` module in the store",
    "- Add more tests of the pool\n- address review comments\n- the `pages` module of the store",
    # what a later message of a squash took out again, and what it mended of its own
    "* use threads for pages in the pool to save memory\n\n* remove threads from the pool again\n\n* up",
    "* fix the crash of the pool for pages in `PageStore`\n\n* up\n\n* up",
    "* Update\n\n[ghstack-poisoned]\n\n* Update\n\n[ghstack-poisoned]",
    '- Created the `pages` module in the store\n- Revert "Created the `pages` module in the store"',
    # the subject again, with little beside it
    "Added a pool of workers to the `ALoader` files.",
    "Add a pool of workers to the loader as `POOL_SIZE` = 0.",
    "Added `POOL_SIZE` = 0 to `enum` of the loader.",
    # a plan
    "We can overlap a pool with the loader to avoid forks, by running all the `reads` first.",
    "We could reuse the pages of `PageStore` so that a load avoids forks.",
]


@pytest.mark.parametrize(("body", "sentence"), FOUND, ids=[body[:40] for body, _ in FOUND])
def test_the_sentence_that_says_why_or_with_what_effect_is_told(body: str, sentence: str) -> None:
    assert why_and_effect(body, SUBJECT) == sentence


@pytest.mark.parametrize("body", NOT_FOUND, ids=[body[:40] for body in NOT_FOUND])
def test_what_is_not_worth_telling_or_does_not_stand_alone_is_left_out(body: str) -> None:
    assert why_and_effect(body, SUBJECT) is None


def test_what_was_wrong_is_told_of_a_repair_alone() -> None:
    """Of anything else it would be read as what is wrong now."""
    body = "Loads of empty pages crashed in the pool of workers since no page was read."
    assert why_and_effect(body, "Fix the pool for empty pages") == body
    assert why_and_effect("Loads of empty pages crash without a pool.", "Allow empty pages in loads") is None


def test_two_words_more_than_the_subject_are_told_where_they_say_why_or_how_much() -> None:
    subject = "Add page identities to the streamer to avoid conflicts of rows"
    again = "Add page identities to the raw streamer of tables to avoid conflicts of rows."
    assert why_and_effect(again, subject) is None
    widened = again.replace("raw streamer of tables", "streamer as int64 columns")
    assert why_and_effect(widened, subject) == widened
    reasoned = "Add page identities to the streamer, since rows disagree."
    assert why_and_effect(reasoned, subject) == reasoned


PAST: list[tuple[str, str]] = [
    ("This PR adds a pool of workers.", "Added a pool of workers."),
    ("This diff also fixes the loader.", "Fixed the loader."),
    ("This change makes loads faster.", "Made loads faster."),
    ("This small diff adds the pool.", "Added the pool."),
    ("This introduces a mode in the loader.", "Introduced a mode in the loader."),
    ("This diff add early exit to the loader.", "Added early exit to the loader."),
    ("These changes enable pools and use them in loads.", "Enabled pools and used them in loads."),
    ("In this PR, we extend the loader.", "Extended the loader."),
    ("We make `start` optional as it requires a pool.", "Made `start` optional as it requires a pool."),
    ("Add Drop function to ManagerActor to free pages.", "Added Drop function to ManagerActor to free pages."),
    ("Adds a check to the loader.", "Added a check to the loader."),
    ("Adding close() to the pool used in loads.", "Added close() to the pool used in loads."),
    ("Added a check to the loader.", "Added a check to the loader."),
    ("Remove the old pool and use the new one.", "Removed the old pool and used the new one."),
    ("Moves the pool to its file, and deletes the old one.", "Moved the pool to its file, and deleted the old one."),
    ("Adds guards and checks.", "Added guards and checks."),
    ("Use new pools instead of threads to avoid forks.", "Used new pools instead of threads to avoid forks."),
    ("Split the loader so that pools can be used.", "Split the loader so that pools can be used."),
    ("Hide the old pool.", "Hid the old pool."),
    ("It creates a thread in the store.", "Created a thread in the store."),
    ("We're extending the reader to tables in memory.", "Extended the reader to tables in memory."),
    ("Created the module in Rust; created a `Counter` that counts pages.",
     "Created the module in Rust; created a `Counter` that counts pages."),
    ("Add the pool; remove the old one.", "Added the pool; removed the old one."),
    ("Read pages in `load` which returns a list now.", "Read pages in `load` which returns a list now."),
]  # fmt: skip

QUOTED = [
    "The pool keeps its workers.",
    "We now open pools lazily.",
    "Now opens pools lazily.",
    "Support for pools is there.",
    "Support for pools in the loader.",
    "Changes to the loader and its pool.",
    "Test cases are in the loader.",
    "Use of pools avoids forks.",
    "Add pools so we don't need forks.",  # who would be "we"?
    "This PR adds what this diff needs.",
    "This PR is about pools.",
    "This PR contains the pool.",
    "This PR will add a pool.",
    "Adding pools makes the loader faster.",
    "Splitting the loader reduces build times.",
    "Moving copies to a later stage can avoid contention.",
    "Add a helper that reads pages and writes them.",  # "wrote"? who knows
    "Add a flag to enable and disable the pool.",
    "Implement the counter of misses and adds the test.",
    "Return -1 when the pool is empty.",  # what the program does
    "Lets put it in its own file.",
    "Add the pool. Then use it.",
    "Provides a robust pool of workers.",  # praise is theirs
    "Add",
    "",
    "加入一个工作池。",
    "Calling `open()` on an empty pool causes a crash.",
    "Complete pages behave as before.",
    "Compare the sizes directly solve the problem.",
    "Increase the size, the pool is full.",
    "Coalesced loads pass the check.",
    "Duplicate calls in the loader.",
    "Use to open pages, and it is wrong.",
    "It adds confusion since there is another pool.",
    "Compute the size once and pass into the pool.",
    "Use a sign and only forward it to the pool.",
    "Add a old pool to the loader.",  # their grammar stays theirs
    "We're seeing crashes of the pool.",
    "Open sourcing the pools used in loads.",
    "Open source the example of pools.",
    "Open sources the pool.",
    "Introduced a `size` of pools, and use this field to open them.",
    "Added a size to pools, and pass it to the loader.",
    "Added a size to avoid forks, and use the size in loads.",
]


@pytest.mark.parametrize(("sentence", "told"), PAST, ids=[sentence[:40] for sentence, _ in PAST])
def test_what_the_change_did_is_told_in_the_past(sentence: str, told: str) -> None:
    assert as_told(sentence) == (told, False)


@pytest.mark.parametrize("sentence", QUOTED, ids=[sentence[:40] for sentence in QUOTED])
def test_what_is_not_surely_a_sentence_in_the_past_stays_the_developers_own_words(sentence: str) -> None:
    assert as_told(sentence) == (sentence, True)


@given(st.text(max_size=300), st.text(max_size=80))
def test_any_body_can_be_read(body: str, subject: str) -> None:
    why_and_effect(body, subject)
    as_told(body)


_PARTS = st.sampled_from(
    ["Summary:", "The pool keeps", "its workers to avoid forks.", "so that loads no longer wait", "Test Plan: CI", "it",
     "`x", "(y", "https://a.example", "", "  code", "e.g.", "1.", "Done!", "This diff adds", "Adding", "a new `Pool`",
     "and moves the", "- item", "```"]
)  # fmt: skip


@given(st.lists(_PARTS, max_size=12), st.sampled_from(["\n", " "]))
def test_what_is_told_stands_in_the_body(parts: list[str], between: str) -> None:
    """Word for word, whole, its quotes and brackets closed; only a full stop and the first capital may be new."""
    body = between.join(parts)
    sentence = why_and_effect(body, SUBJECT)
    if sentence is not None:
        words = " ".join(body.split())
        firsts, rests = (sentence[0], sentence[0].lower()), (sentence[1:], sentence[1:-1])
        assert any(f"{first}{rest}" in words for first in firsts for rest in rests)
        assert len(sentence) <= LONGEST_SENTENCE + 1
        assert sentence.count("`") % 2 == 0
        assert sentence.count("(") == sentence.count(")")
        assert not re.search(r"https?://|Summary|Test Plan", sentence)


_WORDS = st.sampled_from(
    ["This PR", "adds", "Add", "the pool", "and", "moves", "use", "tests", "to", "that", "is", ",", "it", "We", "fix"]
)


@given(st.lists(_WORDS, max_size=9))
def test_what_is_told_in_the_past_begins_with_a_verb_in_the_past_and_keeps_the_rest(parts: list[str]) -> None:
    sentence = " ".join(parts) + "."
    told, is_quote = as_told(sentence)
    if is_quote:
        assert told == sentence
    else:
        first = told.split()[0].lower()
        assert first in {verb.past.split()[0] for verb in VERBS.values()}
        assert told.endswith(".")
        assert len(told.split()) <= len(sentence.split())


@pytest.mark.parametrize(
    "piece",
    [
        "a ",
        "a. ",
        "(",
        "`",
        "\n",
        "- x\n",
        "A: b\n",
        "1. ",
        "a" * 50,
        "http://",
        "Signed-off-by: a\n\n",
        "a_",
        "A.b ",
        "* add a b c d\n\n",
        "[a](http://a) ",
        "**a ",
        "- add `a` to b\n",
        "add a; ",
    ],
)
def test_a_huge_body_is_read_at_once(piece: str) -> None:
    began = time.thread_time()
    why_and_effect(piece * (16_000_000 // len(piece)), SUBJECT)
    as_told(piece * (240 // len(piece)))
    assert time.thread_time() - began < 1
