"""A sentence is refused for what is false in it, not for how it is worded."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from benchmarks.checker import measure
from bot.model import Change, RevertEvent
from bot.story.llm.check import Checker, Ground, Part
from tests.values import GRACE, commit

READER = Change(
    "1",
    (
        commit(
            "Stream chunks of the checkpoint from disk (#12)",
            at="2025-10-03 12:00",
            body="Reading the whole checkpoint took 2.68 s. With chunks of 64 KiB it takes 0.015 s.\n"
            "`chunk_size` is not needed any more when `--whole` is given.\n"
            "GPU memory: 1,024 MB, 87% -> 99% utilization.\n\nCo-authored-by: Alan Turing <alan@example.com>",
            paths=("src/engine/reader.py", "tests/test_reader.py"),
        ),
    ),
    "performance",
    refs=("#12",),
)
PARSER = Change(
    "2", (commit("Fix NullPointer crash in LineParser", at="2025-10-05 12:00", body="It fails on empty lines."),), "fix"
)
OUT = commit('Revert "Cache the index" (#20)', at="2025-10-09 12:00", author=GRACE, body="It broke the nightly build.")
BACK = commit("Reland: Cache the index (#23)", at="2025-10-20 12:00")
CACHE = Change(
    "3", (commit("Cache the index (#18)", at="2025-10-08 12:00"),), "feature", "backed_out", ("#18",),
    out=RevertEvent("reverts", OUT, "SHA", by="Grace Hopper"),
)  # fmt: skip
RETURNED = replace(CACHE, id="4", state="relanded", back=RevertEvent("relands", BACK, "subject", by="Ada Lovelace"))
HUNKS = "src/engine/reader.py\n-TIMEOUT = 20\n+TIMEOUT = 40\n+def read_some(path): ..."


def checker() -> Checker:
    changes = (READER, PARSER, CACHE, RETURNED)
    grounds = {n: Ground(change, "Ada Lovelace", "UTC", HUNKS if n == 1 else "") for n, change in enumerate(changes, 1)}
    return Checker(grounds, ("Ada Lovelace", "October 2025"))


def faults(text: str, *evidence: int, part: Part = "item", beside: str = "") -> list[str]:
    return checker().faults(text, evidence, part, beside)


@pytest.mark.parametrize(
    "text",
    [
        "Checkpoints come off the disk in 64KiB chunks (#12).",
        "Checkpoint streaming cuts reading from 2.68 s to 0.015 s.",
        "A checkpoint is read in 0.015 s, down from 2.68 s, in chunks.",
        "GPU utilization of checkpoints rose from 87 % to 99 % with 1024 MB.",
        "`chunk_size` is no longer needed when the checkpoint is read with `--whole`.",
        "The reader's timeout is 40 instead of 20, and `read_some()` is new.",
        "Streaming of checkpoints, with Alan Turing (3 Oct).",
        "“Reading the whole checkpoint took 2.68 s”, without chunks.",
        "The Python reader streams checkpoint chunks.",
    ],
)
def test_what_is_true_passes_in_whatever_words(text: str) -> None:
    assert faults(text, 1) == []


@pytest.mark.parametrize(
    "text",
    [
        "Checkpoints come off the disk in 128 KiB chunks (#12).",
        "Checkpoints come off the disk in 64 MB chunks (#12).",
        "Checkpoint streaming takes reading from 0.015 s to 2.68 s.",
        "A checkpoint is read in 2.68 s, down from 0.015 s, in chunks.",
        "Checkpoints come off the disk in chunks (#13).",
        "Checkpoints come off the disk through `ZeroCopyReader` (#12).",
        "Checkpoints come off the disk in chunks, as the TensorReader wants.",
        "Streaming of checkpoint chunks, with Grace Hopper.",
        "Streaming of checkpoint chunks landed on 4 Oct.",
        "“Reading the checkpoint took no time”, says the change on chunks.",
        "Checkpoint chunks are streamed from disk, which ends a memory leak.",
        "The reader's timeout is 20 instead of 40 for checkpoints.",
        "`chunk_size` is needed when the checkpoint is read with `--whole`.",
        "Streaming of checkpoint chunks was reverted (#12).",
        "Checkpoints of 2.68 s do not take 0.015 s with chunks of 64 KiB.",
        "The index is cached.",
    ],
)
def test_what_is_false_is_refused(text: str) -> None:
    assert faults(text, 1) != []


@pytest.mark.parametrize(
    ("message", "true", "false"),
    [
        (
            "restrict unix socket permissions to 0660\n\n\nThe Unix socket was created world-writable (0666).",
            "The Unix socket is now 0660 instead of world-writable 0666.",
            "The Unix socket is now 0666 instead of 0660.",
        ),
        (
            "Bump winit to 0.30.13\n\nFor 2026.",
            "In alacritty so far winit was bumped to 0.30.13, on 3 October 2025.",
            "In alacritty so far winit was 0.30.13, now 2026.",
        ),
        (
            "Close temp file handles before cleanup on Windows\n\nWindows cannot remove files while handles are still "
            "open. We called RemoveAll without closing handles, which left artifacts.",
            "Ada also closed temp file handles, since Windows cannot remove files while handles are open.",
            "RemoveAll was called, closing handles, which left artifacts.",
        ),
        (
            "Don't take the view over when the content isn't changing\n\nOnly let it take over when it does.",
            "It takes a view over only when the content is changing.",
            "It takes a view over when the content is changing.",
        ),
    ],
)
def test_what_a_strong_model_said_passes_and_the_contrary_does_not(message: str, true: str, false: str) -> None:
    subject, _, body = message.partition("\n\n")
    change = Change("1", (commit(subject, at="2025-10-03 12:00", body=body),), "fix")
    held = Checker({1: Ground(change, "Ada Lovelace", "UTC")}, ("alacritty",))
    assert held.faults(true, [1]) == [] and held.faults(false, [1]) != []


SLANG = Change(
    "1",
    (
        commit(
            "Port the cell shader (#31)",
            at="2025-10-06 12:00",
            body="Non-200 answers of the compiler don't raise errors.",
        ),
    ),
    "feature",
)
OF_A_RELEASE = Change("2", (commit("version 0.48.0", at="2025-10-18 12:00"),), "release")


@pytest.mark.parametrize(
    ("text", "evidence", "holds"),
    [
        ("An answer of the compiler other than 200 no longer leads to errors.", [1], True),
        ("An answer of the compiler other than 404 no longer leads to errors.", [1], False),
        ("The cell shader raises no errors any more.", [1], True),
        ("The cell shader is ported, and 0.48.0 came on 18 Oct.", [2, 1], False),  # nobody knows whether it has it
        ("Version 0.48.0 has the cell shader.", [2, 1], False),
        ("Version 0.48.0 came on 18 Oct.", [2], True),
    ],
)
def test_what_is_said_in_other_words_than_the_messages_holds(text: str, evidence: list[int], holds: bool) -> None:
    grounds = {n: Ground(one, "Ada Lovelace", "UTC") for n, one in ((1, SLANG), (2, OF_A_RELEASE))}
    assert (Checker(grounds).faults(text, evidence) == []) is holds


@pytest.mark.parametrize(("who", "holds"), [("Ada Lovelace", True), ("Alan Turing", True), ("Grace Hopper", False)])
def test_a_change_is_credited_only_to_who_has_a_part_in_it(who: str, holds: bool) -> None:
    """Though the month is of several, whose names may be said."""
    checker = Checker({1: Ground(READER, "Ada Lovelace", "UTC"), 2: Ground(CACHE, "Grace Hopper", "UTC")}, (who,))
    assert (checker.faults(f"{who} streamed chunks of the checkpoint from disk (#12).", [1]) == []) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Ada Lovelace, October 2025: 3 commits.", True),
        ("Ada Lovelace, October 2025: 3 parsers.", False),
        ("Ada Lovelace, October 2025: no commits.", False),
        ("Ada Lovelace wasn't there with 3 commits.", False),
    ],
)
def test_of_a_document_without_commits_only_its_own_words_hold_and_no_denial(text: str, holds: bool) -> None:
    document = Change("call 1", (), "chore", title="name: Ada Lovelace\nlast: October 2025\ncommits: 3")
    assert (Checker({1: Ground(document, "", "UTC")}).faults(text, [1]) == []) is holds


def test_who_took_a_change_out_may_be_told_first() -> None:
    assert faults("Caching of the index (#18) went in, and Grace Hopper backed this out on 9 Oct.", 3) == []


def releases() -> Checker:
    said = "The `v2.6.3` notes are here.\nFix users who will not see titles of notes."
    one = Change("1", (commit("Add v2.6.3 notes", at="2025-10-09 12:00", body=said),), "docs")
    two = Change("2", (commit("Add v2.6.4 notes", at="2025-10-11 12:00"),), "docs")
    return Checker({1: Ground(one, "Ada Lovelace", "UTC"), 2: Ground(two, "Ada Lovelace", "UTC")})


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Notes for 2.6.3 on 9 Oct, for 2.6.4 on 11 Oct.", True),
        ("Notes for 2.6.3 on 9 Oct, for 2.6.4 on 12 Oct.", False),
        ("Notes for 2.6.5 on 9 Oct.", False),
        ("Notes of the 2.6 line were added on 9 October. Both name titles, on 9 Oct. and later.", True),
        ("Notes of the 2.5 line.", False),
        ("Notes of 2.6.3 show their titles to users.", True),
    ],
)
def test_versions_and_days_stand_as_people_write_them_and_a_fix_tells_what_was_wrong(text: str, holds: bool) -> None:
    assert (releases().faults(text, [1, 2], "fixed") == []) is holds


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The cached index (#18) was backed out by Ada Lovelace.", "it was not backed out by Ada Lovelace"),
        ("The cached index (#18) was backed out by the author.", "it was not backed out by the author"),
        ("The cached index (#18) was backed out on 8 Oct.", "it was not backed out on that day"),
        ("The cached index (#18) was backed out and brought back.", "none of its changes was brought back"),
    ],
)
def test_a_state_is_the_facts_with_who_and_when(text: str, wrong: str) -> None:
    assert wrong in faults(text, 3)


@pytest.mark.parametrize(
    "unit", ["1,1", "#1", "not a ", "1 -> 2 ", "3 Oct ", "a_", "“", "`", "- 1 to 2\n", "deadbeef1 "]
)
def test_a_hostile_message_is_looked_through_in_time(unit: str) -> None:
    body = (unit * 20_000)[:20_000]
    hostile = Checker(
        {1: Ground(Change("1", (commit("Add it", body=body),), "fix"), "Ada Lovelace", "UTC", body[:5_000])}
    )
    begun = time.process_time()
    for text in (
        f"Reading takes 1 s instead of 2 s, from 1 to 2 (#1), not by `a`. {unit * 9}",
        "1 to 2 " * 60,
        "#1–#2 " * 60,
    ):
        hostile.faults(text, [1])
    assert time.process_time() - begun < 5


# --- measured on recorded replies


@pytest.mark.parametrize("half", ["rules", "other"])
def test_of_what_a_strong_model_wrote_nearly_all_that_is_true_passes_and_planted_faults_are_refused(half: str) -> None:
    """On the months that the rules were found on, and on the others. docs/model.md has the figures."""
    found = measure(half)
    assert len(found.true) > 100
    assert found.share_passed >= 0.95
    assert found.share_refused() >= 0.95
    for sort in ("number", "swapped", "name", "moved", "state", "effect"):
        assert found.share_refused(sort) >= 0.95, sort
    assert found.share_refused("negation") >= 0.55  # what is only implied, no table of words can tell
