"""A sentence of a body is quoted whole where it says why or with what effect, and stands alone; else none is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from values import commit

from bot.model import Change
from bot.story.quoting import LONGEST, quote_of, reason_of
from bot.wording import clean

TITLE = "Demote non-essential spans to DEBUG (#2511)"
GOOD = "Almost all the telemetry overhead comes from spans that nobody reads."


def change(body: str, subject: str = TITLE, **more: object) -> Change:
    one = commit(subject, body=body)
    return Change(one.sha, (one,), "feature", **more)  # type: ignore[arg-type]


@given(st.text(max_size=300))
def test_any_body_gives_a_sentence_of_it_or_nothing(body: str) -> None:
    told = change(body)
    quote = quote_of(told)
    assert quote in clean(told.lead.body) and len(quote) <= LONGEST


def test_no_thanks_are_quoted() -> None:
    told = change("Pull request courtesy Abhinav Gorrepati.\n\nFixes: #123")
    assert quote_of(told, generous=True) == ""


REASONS = {
    "Summary:\nThe culprit pulls CUDA into CPU builds.\n\nTest Plan: CI": "The culprit pulls CUDA into CPU builds.",
    "This reverts commit 1234567.\n\nThey were not ready yet": "They were not ready yet",
    "This reverts commit 1234567890123456789012345678901234567890.": "",
    f"This reverts commit {'1' * 40} as it is not easily possible there.": "as it is not easily possible there.",
    "This diff reverts D12345678\n\nIf this diff has been generated in error, you can Commandeer and Abandon it.": "",
    "This reverts commit 1234567.\n\nIt broke booting.": "It broke booting.",
    "This reverts commit 1234567 as it is not easy on the next branch.": "as it is not easy on the next branch.",
    "It still wreaks havoc on the builds: https://ci.example/1": "It still wreaks havoc on the builds",
    "It is back.\n\nDiscussion with the release managers: https://ci.example/1": "",
    "This reverts commit abcdef1 for now, we land it again after the release.": "",
    "This reverts commit abcdef1 for breaking the build.": "This reverts commit abcdef1 for breaking the build.",
    'Revert "Fix incorrect wheels"\n\nThis reverts commit 1234567.': "",
    "Backs out D12345678 as it seems to break the build.": "Backs out D12345678 as it seems to break the build.",
    "Original commit changeset: 1234567\n\nOriginal Phabricator Diff: D1234567": "",
    "__original_commit__ = fairinternal/xformers@4564e38bf4bdade520e9ef2a2d7df52554f1bb95": "",
    "": "",
    "This reverts #12.\n\nInternal issue to track removal: ABC": "",
    "It used to be possible to apply a plan that fails.\n\nThe goal was to avoid errors.": "",
    "* Opened the wrong file\n\n* Revert the rest": "",
    "The two are kept as they were.\n\nThis caused regressions on Windows.": "This caused regressions on Windows.",
}


def test_why_something_was_reverted_is_quoted_where_it_is_said() -> None:
    told = {body: reason_of(commit('Revert "Add a plan"', body=body)) for body in REASONS}
    assert told == REASONS
