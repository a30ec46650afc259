"""What a message says that ties its commit to others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ENGINE, WEB, commit, sha_of

from bot.model import Commit
from bot.month.message import CommitKeys, Reference, key_of, keys_of, references_of

SHA = sha_of("pointed to")
KEY = 3666877664


def all_keys(one: Commit) -> CommitKeys:
    return keys_of(one)


def pointing(subject: str, body: str = "") -> dict[str, list[str]]:
    """The values that a message points to, without those of titles."""
    references = references_of(commit(subject, body=body))
    sorts = {
        "undoes": references.undoes,
        "restores": references.restores,
        "copies": references.copies,
        "repairs": references.repairs,
    }
    told = {name: [one.value for one in found if one.kind != "subject"] for name, found in sorts.items()}
    return {name: values for name, values in told.items() if values}


def test_what_others_may_point_to() -> None:
    body = (
        "Summary: faster.\n\nPull Request resolved: https://github.com/acme/engine-old/pull/12\n\n"
        f"X-link: https://github.com/{WEB}/pull/9\n\nDifferential Revision: [D71000001](https://example.com/D71000001)\n\n"
        "fbshipit-source-id: ab12cd34ef"
    )
    one = commit("Cache  the [Kernel] (acme/x#3) (#41)", body=body)
    assert references_of(one).own == (
        Reference("sha", one.sha),
        Reference("changeset", "ab12cd34ef"),
        Reference("diff", "d71000001"),
        Reference("pull", f"{ENGINE}#41"),
        Reference("pull", "acme/engine-old#12"),
        Reference("pull", f"{WEB}#9"),
        Reference("subject", f"{ENGINE}\ncache the [kernel]"),
    )
    assert references_of(one).copies == (Reference("pull", f"{WEB}#9"),)


@pytest.mark.parametrize(
    ("subject", "body", "expected"),
    [
        ("Undo", f"This reverts commit {SHA}.", {"undoes": [SHA]}),
        ("Undo", "This reverts commits 1a2b3c4 and 2a2b3c4.", {"undoes": ["1a2b3c4", "2a2b3c4"]}),
        ("Undo", "This reverts commit 1234567.", {"undoes": ["1234567"]}),
        ("Undo", "This reverts commit deadbee.", {"undoes": ["deadbee"]}),
        ("Undo", "This reverts commit ABCDEF1.", {"undoes": ["abcdef1"]}),
        ("Undo", "This reverts change I77AA77AA77.", {"undoes": ["77aa77aa77"]}),
        ("Undo", "This reverts\ncommits 1234567, deadbee, and 2a2b3c4.", {"undoes": ["1234567", "deadbee", "2a2b3c4"]}),
        ("Undo", "Hopefully this reverts commit 1a2b3c4.", {"undoes": ["1a2b3c4"]}),
        ("Undo", "Original commit changeset: ab12cd34efab", {"undoes": ["ab12cd34efab"]}),
        ("Undo", "Original commit changeset: 123456789012", {"undoes": ["123456789012"]}),
        ("Undo", "Original commit changesets: AB12CD34 12345678", {"undoes": ["ab12cd34", "12345678"]}),
        ("Undo", "Original Phabricator Diff: D71000001 D71000002", {"undoes": ["d71000001", "d71000002"]}),
        (
            "Undo",
            f"Original Phabricator Diff: D71000001 (https://github.com/acme/engine/commit/{SHA})",
            {"undoes": ["d71000001", SHA]},
        ),
        ("Revert D71000001: Add it", "", {"undoes": ["d71000001"]}),
        ("Back out D71000001, D71000002", "", {"undoes": ["d71000001", "d71000002"]}),
        ("Backing out it", "as title, back out D71000001", {"undoes": ["d71000001"]}),
        ("Mend it", "This diff reverts D71000001", {"undoes": ["d71000001"]}),
        ("Mend it", "This PR is reverting #41.", {"undoes": [f"{ENGINE}#41"]}),
        ("Mend it", "Reverts Acme/Web#41", {"undoes": [f"{WEB}#41"]}),
        ("Mend it", "Reverts https://github.com/acme/web/pull/41", {"undoes": [f"{WEB}#41"]}),
        ("Revert its colours from D71000001", "", {}),
        ("Mend it", "This is deliberately not: a revert of D71000001, a bump", {}),
        ("Revert a change from D71000001", "", {"undoes": ["d71000001"]}),
        ("Reland D71000001", "", {"restores": ["d71000001"]}),
        ("Mend it", "Trying to reland D71000001", {"restores": ["d71000001"]}),
        ("Mend it", f"This reverts commit {SHA}.\n\nReverted changes:\nI77aa77aa77:Add it", {"undoes": [SHA]}),
        ("Automated rollback of changelist 71000001", "PiperOrigin-RevId: 71000002", {"undoes": ["71000001"]}),
        ("Mend it", "Reverts changelist 71000001", {"undoes": ["71000001"]}),
        ("Rollback of cl/71000001", "", {"undoes": ["71000001"]}),
        ("Revert PR 41", "", {"undoes": [f"{ENGINE}#41"]}),
        ("Revert the colours", "Follow-ups:\n- #12\n- #13", {}),
        ("Revert the colours", "Reverted, since it broke:\n\n* the build of #12", {}),
        ("Mend it", "- Re-lands the changes in #41.", {}),
        ("Mend it", "This re-applies #41", {"restores": [f"{ENGINE}#41"]}),
        ("Mend it", f"(cherry picked from commit {SHA})", {"copies": [SHA]}),
        ("Mend it", "X-link: https://github.com/acme/web/pull/9", {"copies": [f"{WEB}#9"]}),
        ("Mend it", f"Fixes: {SHA[:12]}", {"repairs": [SHA[:12]]}),
        ("Mend it", "Fixes #12", {"repairs": [f"{ENGINE}#12"]}),
        ("Mend it", "A follow-up to D71000001.", {}),
        ("Mend it", "feedback: the cafe1234 facade decade 1234567", {}),
    ],
)
def test_what_a_message_points_to(subject: str, body: str, expected: dict[str, list[str]]) -> None:
    assert pointing(subject, body) == expected


def test_the_revert_of_a_diff_does_not_have_its_number() -> None:
    """Tools write the number of what was reverted into the revert's own trailer."""
    one = references_of(commit("Revert D71000001: Add it", body="Differential Revision:\nD71000001"))
    assert Reference("diff", "d71000001") not in one.own
    again = references_of(commit("[reland] Add it", body="Differential Revision: D71000001"))
    assert Reference("diff", "d71000001") in again.own


def test_keys_fit_a_column_and_do_not_change() -> None:
    """They are stored, so a new release must compute the old ones, or make them anew."""
    assert key_of(Reference("diff", "d71000001")) == KEY
    keys = all_keys(commit('Revert "Add it (#4)" (#5)', body=f"This reverts commit {SHA}."))
    every = keys.own | keys.titles | keys.points | keys.quotes | {keys.work}
    assert all(key is not None and 0 <= key < 2**32 for key in every)
    assert key_of(Reference("sha", SHA)) in keys.points
    assert key_of(Reference("subject", f"{ENGINE}\nadd it")) in keys.quotes
    assert all_keys(commit("Add it (#4)")).titles == keys.quotes


@given(st.text(), st.text())
def test_any_message_has_traces(subject: str, body: str) -> None:
    assert all_keys(commit(subject, body=body, sha=SHA)).own
