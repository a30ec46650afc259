"""Why something was taken out is told as its commit says it, word for word, or not at all."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import commit

from bot.story.bodies.reason import LONGEST, reason
from bot.story.proving.proof import is_borne_out

SUBJECT = 'Back out "Cache the kernel" (#12)'
TRAILERS = (
    "Reviewed By: grace\n\nDifferential Revision: D71000009\n\nfbshipit-source-id: f6501b57346cc5e82fa2198dcf6b60b2"
)
EXPORTED = (
    "Original commit changeset: 9a33573ba34b\n\nOriginal Phabricator Diff: D71000001 (https://x.example/commit/1)"
)
LONG = (
    "The new allocator keeps every buffer alive until the last stream has been synchronised by the host, because the "
    "event that should release it is recorded on a stream that nobody waits for, and so the memory of a rank grows"
)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("It breaks the build.", "It breaks the build"),
        (f"Summary:\n{EXPORTED}\n\nthis is breaking trunk\n\n{TRAILERS}", "this is breaking trunk"),
        (
            "Summary: revert D71000001 (https://x.example/c/1) for gcc9 build issue",
            "revert D71000001 for gcc9 build issue",
        ),
        (
            "This diff reverts D71000001\nNeed to revert this to fix an import error",
            "Need to revert this to fix an import error",
        ),
        ("As titled. Reverting because it makes many jobs fail.", "Reverting because it makes many jobs fail"),
        ("As title, back out D71000001\n\nIt makes many jobs fail.", "It makes many jobs fail"),
        ("This reverts commit 1a2b3c4, as it breaks CI.", "as it breaks CI"),
        ("This reverts commit 1a2b3c4d5e6f.\n\nReason for revert: flaky on arm\n\nIt breaks.", "flaky on arm"),
        ("### Why\nThe cache is never emptied", "The cache is never emptied"),
    ],
    ids=[
        "plain",
        "exported",
        "on the line of a label",
        "reverts",
        "as titled",
        "as title",
        "git's own",
        "stated",
        "heading",
    ],
)
def test_what_tools_and_labels_put_before_it_is_left_out(body: str, why: str) -> None:
    assert reason(body, SUBJECT) == why


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("The culprit pulls in cuda.\nwe should handle this, so first back it out.", "The culprit pulls in cuda"),
        ("It fails at night\nHowever nobody is there then", "It fails at night"),
        ('it did not "stick". that being so, we reset it.', 'it did not "stick"'),
        ("It needs v0.19.0. We have another.", "It needs v0.19.0"),
        ("It breaks e.g. the build of wheels. See there.", "It breaks e.g. the build of wheels"),
        ("Backing it out\ndue to a dtype mismatch in transfer", "Backing it out due to a dtype mismatch in transfer"),
        ("- D71000001 caused a hang on AMD.\n- more of it", "D71000001 caused a hang on AMD"),
        (
            "The diff has two features:\n(a) it is wide\n(b) it is deep\n\nDownstream tests fail.",
            "Downstream tests fail",
        ),
        ("It is old. It breaks the build of wheels on arm.", "It is old"),
        ("There is another option. The build of wheels is broken.", "The build of wheels is broken"),
    ],
)
def test_the_first_sentence_of_why_is_told(body: str, why: str) -> None:
    assert reason(body, SUBJECT) == why


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("Broken several packages: https://x.example/1", "Broken several packages"),
        ("It broke CI (some tests, see e.g. https://x.example/1", "It broke CI"),
        ("The job will fail like: https://x.example/1", "The job will fail like"[:17]),
        ("This diff breaks a model publish\nhttps://x.example/1?a=1", "This diff breaks a model publish"),
        ("segment_sum causes a regression:\n```\nslow\n```", "segment_sum causes a regression"),
        ("Metrics look abnormal, for example (*fire-1*):\n{F1}", "Metrics look abnormal"),
    ],
)
def test_an_address_and_what_only_leads_to_it_are_cut(body: str, why: str) -> None:
    assert reason(body, SUBJECT) == why


@pytest.mark.parametrize(
    "body",
    [
        "",
        EXPORTED,
        TRAILERS,
        "This diff is reverting D71000001",
        "This reverts commit 1a2b3c4d5e6f1a2b3c4d5e6f1a2b3c4d5e6f1a2b.",
        "This reverts 1a2b3c4d (progress: use the line, 2019-06-24).",
        'Revert "Cache the kernel (#12)"\n\nThis reverts commit 1a2b3c4d5e6f.',
        '* Revert "Cache the kernel (#12)"\n\n* update\n\n* yolo again',
        "- Revert the changes made in D71000001",
        "Reverting this",
        "as title",
        "Per request",
        "See context in https://x.example/1",
        "back out for https://x.example/1",
        "Fixes issue https://x.example/1",
        "Related debugging doc: https://x.example/1",
        "S532997",
        "Had to manually revert the diff because there was a merge conflict",
        "(Note: this ignores all push blocking failures!)",
        "```\nTraceback: it fails\n```",
        "    hg backout D71000001",
        "Test Plan: it does not break",
        "bypass-github-export-checks",
        "The kernel back out cache",
        "Pulled By: ada",
    ],
)
def test_filler_code_and_machine_text_are_no_reason(body: str) -> None:
    assert reason(body, SUBJECT) is None


def test_what_a_bisecting_tool_says_is_told_without_the_title_in_it() -> None:
    body = (
        "This diff is reverting D71000001\nD71000001: Cache the kernel by ada has been identified to be causing the "
        "following test or build failures:\n\nTests affected:\n- [a:b](https://x.example/1)"
    )
    why = "D71000001 … has been identified to be causing the following test or build failures"
    assert reason(body, SUBJECT) == why


def test_a_long_reason_ends_at_a_clause() -> None:
    why = reason(f"{LONG}.", SUBJECT)
    assert why == LONG[: LONG.index(", and so")] + "…"
    assert len(why) <= LONGEST + 1


@given(
    st.lists(
        st.sampled_from([*LONG.split(), ".\n", "\n\n", "- ", "D71000001", "(", ")", '"', "https://x.example/1", "#7"])
    )
)
def test_every_word_stands_in_the_commit_in_that_order(words: list[str]) -> None:
    body = " ".join(words)
    why = reason(body, SUBJECT)
    if why is not None:
        assert len(why) <= LONGEST + 1
        assert is_borne_out(why, [commit(SUBJECT, body=body)])
        every = iter(re.findall(r"\w+", body))
        assert all(word in every for word in re.findall(r"\w+", why))


@pytest.mark.parametrize(
    "body", ["a " * 50_000, "(" * 50_000, "revert " * 20_000, "a, " * 30_000, "see " * 20_000 + "https://x"]
)
def test_no_body_takes_long(body: str) -> None:
    reason(body, SUBJECT)
