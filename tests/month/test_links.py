"""Which commit reverts, brings back or repeats which other one, and by which trace that is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from drawn import DAY, histories, later
from hypothesis import given
from hypothesis import strategies as st
from steps import steps
from values import ADA, ENGINE, GRACE, WEB, changed, commit, sha_of

from bot.model import Commit
from bot.month.histories import links_of, month_changes

FIX = "Cache the kernel of a plan"


def original(subject: str = FIX, **more: object) -> Commit:
    return commit(subject, **{"at": DAY, **more})  # type: ignore[arg-type]


def after(subject: str, body: str = "", days: float = 1, **more: object) -> Commit:
    return commit(subject, body=body, at=later(days), **{"author": GRACE, **more})  # type: ignore[arg-type]


def told(*commits: Commit) -> list[tuple[str, str, str, str, bool]]:
    """The links as subject, kind, subject, trace and whether only a part is meant."""
    found = links_of(commits)
    return [(one.source.subject, one.kind, one.target.subject, one.found_by, one.partly) for one in found]


EXPORTED = f"Summary: faster.\n\nDifferential Revision: D71000001\n\nfbshipit-source-id: {'ab12cd34ef' * 4}\n"
EXPORTED += "PiperOrigin-RevId: 964380388"


@pytest.mark.parametrize(
    ("subject", "body", "found_by"),
    [
        (f'Revert "{FIX}"', "This reverts commit {sha}.", "SHA"),
        (f'Revert "{FIX}"', "This reverts commit {short}.", "SHA"),
        ("Go back to the old cache", "This reverts commit {sha}.", "SHA"),
        ("Go back to the old cache", "Hopefully this reverts commit {sha}.", "SHA"),
        (f'Back out "{FIX}"', "Original commit changeset: ab12cd34efab", "changeset"),
        (f'Back out "[kernels] {FIX}"', "Original commit changeset: ab12cd34efab", "changeset"),
        (f'Back out "{FIX}"', "Original Phabricator Diff: D71000001", "diff"),
        (f"Revert D71000001: {FIX}", "Differential Revision:\nD71000001", "diff"),
        ("Revert D71000001: Search blamed D71000001 for test failures", "This diff reverts D71000001", "diff"),
        ("Back out D71000001 — breaks the build (S1234)", "", "diff"),
        ("Mend the simulator", "Summary:\nRevert of D71000001 which broke it.", "diff"),
        ("Automated rollback of changelist 964380388", "PiperOrigin-RevId: 967439753", "changelist"),
        ("Revert the cache", "Reverts #41", "pull request"),
        ("Revert the cache", f"Reverts {ENGINE}#41", "pull request"),
        (f'Revert "{FIX} (#41)" (#44)', "", "pull request"),
        ("revert(cache): Revert sizing it (#41) (#44)", "", "pull request"),
        (f'Revert "{FIX}"', "", "subject"),
        (f"Back out “{FIX}” (#44)", "", "subject"),
        (f'Back out "[kernels] {FIX}"', "", "subject"),
        (f"revert: {FIX}", "", "subject"),
        (f'[ci] Backed out "{FIX}"', "", "subject"),
        (f'(exclusively) Back out "{FIX}"', "", "subject"),
    ],
)
def test_a_revert_is_linked_by_the_strongest_trace(subject: str, body: str, found_by: str) -> None:
    first = original(f"{FIX} (#41)", body=EXPORTED)
    revert = after(subject, body.format(sha=first.sha, short=first.sha[:8]))
    assert told(first, revert) == [(subject, "reverts", first.subject, found_by, False)]


@pytest.mark.parametrize("digits", ["1234567", "deadbee", "ABCDEF1", "123456789012"])
def test_a_revert_names_digits_of_any_sort(digits: str) -> None:
    first = original(FIX, sha=f"{digits.lower():0<40}", body=f"fbshipit-source-id: {digits.lower():0<40}")
    for body, found_by in (
        (f"This reverts commit {digits}.", "SHA"),
        (f"Original commit changeset: {digits}", "changeset"),
    ):
        assert told(first, after("Undo it", body)) == [("Undo it", "reverts", FIX, found_by, False)]


@pytest.mark.parametrize(
    ("subject", "body", "found_by"),
    [
        (f"Re-land {FIX}", "", "subject"),
        (f"[reland] {FIX} (#41) (#47)", "", "pull request"),
        (f"[kernels][Reland] {FIX}", "", "subject"),
        (f"[kernels][Reland2] {FIX} (2)", "", "subject"),
        (f"Relanding {FIX}", "", "subject"),
        (f're-land "{FIX}" after mending it', "", "subject"),
        (f"{FIX} -- reland", "", "subject"),
        (f'Reapply "{FIX}"', "", "subject"),
        (f"{FIX} - reland (#47)", "", "subject"),
        ("Reland D71000001 (#47)", "", "diff"),
        (f"{FIX} (resubmit)", "", "subject"),
        (f"{FIX} - resubmit (#47)", "", "subject"),
        (f"{FIX} (2nd attempt)", "", "subject"),
        (f"{FIX} (reattempt of D71000001)", "", "diff"),
        ("A better cache", "This diff (resubmit from D71000001) widens it.", "diff"),
        ("A better cache", "This is a re-land of D71000001 with a fix.", "diff"),
        ("A better cache", "Relanding https://github.com/acme/engine/pull/41 after the fix.", "pull request"),
        ("[Reland] A cache (#47)", f"* [Reland] {FIX} (#41)\n\n* review", "subject"),
    ],
)
def test_what_is_landed_again_is_linked_to_what_was_reverted(subject: str, body: str, found_by: str) -> None:
    first = original(f"{FIX} (#41)", body=EXPORTED)
    revert = after(f'Revert "{FIX}"', f"This reverts commit {first.sha}.")
    again = after(subject, body, days=2)
    assert told(first, revert, again)[1:] == [(subject, "relands", first.subject, found_by, False)]


@pytest.mark.parametrize(
    "body",
    [
        "The plan to reland D71000001 stands.",
        "Proven by backing out D71000001.",
        "This does not revert D71000001.",
        "We do this before relanding D71000001.",
        "D71000001 was reverted, so the test is skipped.",
        "Reverting D71000001 did not help, so we tune.",
        "Reverting D71000001 and D71000002 would help.",
        "Simply backing out D71000001 doesn't do it.",
        "Same as D71000001, for the other kernel.",
    ],
)
def test_words_about_a_revert_are_none(body: str) -> None:
    assert told(original(body=EXPORTED), after("Something else", body)) == []


def test_a_revert_of_a_revert_undoes_that() -> None:
    """`Revert "Revert "X""` undoes the first revert."""
    first, revert = original(), after(f'Revert "{FIX}" (#2)')
    again = after(f'Revert "Revert "{FIX}" (#2)" (#3)', days=2)
    assert told(first, revert, again)[1:] == [(again.subject, "reverts", revert.subject, "pull request", False)]


def test_what_has_the_title_of_what_was_reverted_brings_it_back() -> None:
    """Half of the re-lands we saw say nothing; author, title and files do."""
    first, revert = original(f"{FIX} (#1)"), after(f'Revert "{FIX}" (#2)')
    again = after(f"{FIX} (#3)", days=5, author=ADA)
    assert told(first, revert, again)[1:] == [(again.subject, "relands", first.subject, "subject", False)]
    for other in (
        after(f"{FIX} (#3)", days=5, author=ADA, paths=["docs/x.md"]),
        after(f"{FIX} (#3)", days=500, author=ADA),
        after(f"{FIX} (#3)", days=5, author=ADA, repository=WEB),
    ):
        assert len(told(first, revert, other)) == 1
    assert told(first, again) == []


@pytest.mark.parametrize(
    ("title", "paths", "is_back"),
    [
        (FIX, ["a.py", "b.py", "c.py"], True),
        (FIX, ["a.py", "b.py"], True),
        (FIX, ["a.py"], False),  # less than half of the files
        (FIX, ["a.py", "b.py", "d.py", "e.py", "f.py"], False),
        ("Fix broken tests", ["a.py", "b.py", "c.py"], False),  # which anybody may do again
    ],
)
def test_somebody_else_brings_it_back_where_title_and_half_of_the_files_agree(
    title: str, paths: list[str], is_back: bool
) -> None:
    first = original(f"{title} (#1)", paths=["a.py", "b.py", "c.py"])
    revert = after(f'Revert "{title}" (#2)', paths=["a.py", "b.py", "c.py"])
    again = after(f"{title} (#3)", days=5, author=GRACE, paths=paths)
    assert [one[1] for one in told(first, revert, again)] == ["reverts", *(["relands"] if is_back else [])]


@pytest.mark.parametrize("revert", ["Revert D71000001: Multisect blamed D71000001", "Undo what broke the build"])
def test_what_a_machine_took_out_comes_back_under_its_title_alone(revert: str) -> None:
    """The revert need not quote the title."""
    first = original(body=EXPORTED)
    out = after(revert, f"This reverts commit {first.sha}.")
    again = after(f"{FIX} (#9)", days=3, author=ADA)
    assert told(first, out, again)[1:] == [(again.subject, "relands", FIX, "subject", False)]
    unlike = after(f"{FIX} of another", days=3, author=ADA)
    assert len(told(first, out, unlike)) == 1


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (FIX, f"{FIX} v2"),
        (FIX, f"{FIX}, v2 (#9)"),
        (FIX, f"{FIX} (take 3)"),
        (f"{FIX} (v2)", f"{FIX} (v3)"),
        (f"{FIX}?", FIX),
        (f"[jax] {FIX}", f"jax: {FIX}"),
        (f"[jax] {FIX}", f'"[jax] {FIX}"'),
        (FIX, f"reworked: {FIX}"),
    ],
)
def test_a_second_attempt_has_nearly_the_title_of_the_first(first: str, again: str) -> None:
    pair = original(first), after("Undo it", f"This reverts commit {original(first).sha}.")
    assert [one[1] for one in told(*pair, after(again, days=3, author=ADA))] == ["reverts", "relands"]
    assert told(pair[0], after(again, days=3, author=ADA)) == []


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("Move the plan to v2", "Move the plan to v3"),
        ("Upgrade the kernels v2", "Upgrade the kernels v3"),
        ("[jax] Add a kernel", "[torch] Add a kernel"),
        ("fix: the lock of a plan", "test: the lock of a plan"),
        ("Step 1 of the plan", "Step 2 of the plan"),
        ("Split the plan, part 1", "Split the plan, part 2"),
    ],
)
def test_titles_that_tell_two_things_apart_are_two(first: str, other: str) -> None:
    pair = original(first), after("Undo it", f"This reverts commit {original(first).sha}.")
    assert [one[1] for one in told(*pair, after(other, days=3, author=ADA))] == ["reverts"]


def test_what_was_picked_anew_after_its_revert_is_back() -> None:
    """With whatever title; and it is the same no more."""
    first = original("Fix #13247")
    out = after('Revert "Merge pull request #41"', f"This reverts commit {first.sha}.")
    again = after("Fix #13247", f"(cherry picked from commit {first.sha})", days=9)
    assert told(first, out, again) == [
        (out.subject, "reverts", first.subject, "SHA", False),
        (again.subject, "relands", first.subject, "cherry-pick", False),
    ]
    elsewhere = replace(again, repository=WEB)
    assert ("relands" in [kind for _, kind, *_ in told(first, out, elsewhere)]) is False


def test_pull_requests_of_another_repository_are_not_ours() -> None:
    """A private repository's #41 stands in a public copy of its history, whose own #41 is another one."""
    ours, theirs = original("Ours (#41)"), original("Theirs (private/engine#41)", at=later(0.1))
    (link,) = links_of([ours, theirs, after("Revert it", "Reverts private/engine#41")])
    assert link.target == theirs


def test_few_digits_of_a_sha_that_fit_two_commits_link_none() -> None:
    two = [original(f"Step {end}", sha="abcdef1" + end * 33) for end in "01"]
    assert told(*two, after("Undo", "This reverts commit abcdef1.")) == []
    assert len(told(*two, after("Undo", "This reverts commit abcdef10."))) == 1


def test_a_sha_leads_to_another_repository_only_in_full() -> None:
    first = original(repository=WEB)
    assert len(told(first, after("Undo", f"This reverts commit {first.sha}."))) == 1
    assert told(first, after("Undo", f"This reverts commit {first.sha[:12]}.")) == []


def test_a_revert_of_a_part_is_said_to_be_one() -> None:
    first = original(paths=[changed("a.py", 10), changed("b.py", 90)])
    words = after(f'Partially back out "{FIX}"', paths=["a.py", "b.py"])
    files = after(f'Revert "{FIX}"', paths=["a.py"])
    most = after(f'Back out "{FIX}"', paths=["b.py"])
    unknown = after(f'Back out "{FIX}"', paths=[])
    moved = after(f'Revert "{FIX}"', paths=["a.py", "moved/b.py"])
    for revert, partly in ((words, True), (files, True), (most, False), (unknown, False), (moved, False)):
        assert [link.partly for link in links_of([first, revert])] == [partly], revert.subject


# --- one piece of work in several places


def twins(one: Commit, other: Commit) -> list[str]:
    return [link.found_by for link in links_of([one, other]) if link.kind == "same"]


def test_one_piece_of_work_in_two_repositories() -> None:
    here, there = original(body=EXPORTED), original(body=EXPORTED, repository=WEB)
    assert twins(here, there) == ["diff"] or twins(here, there) == ["SHA"]
    told_apart = replace(there, sha=sha_of("there"))
    assert twins(here, told_apart) == ["diff"]
    assert twins(original(repository=WEB), original()) == ["SHA"]
    linked = original("Widen it (#9)", repository=WEB)
    assert twins(linked, after(FIX, f"X-link: https://github.com/{WEB}/pull/9")) == ["X-link"]
    assert twins(linked, after(FIX, f"(cherry picked from commit {linked.sha})", repository=WEB)) == ["cherry-pick"]
    patchback = f"[PR #41/{linked.sha[:8]} backport][3.14] {FIX} (#52)"
    assert twins(linked, after(patchback, repository=WEB)) == ["cherry-pick"]


def test_a_revert_that_was_picked_takes_out_once_more_and_is_no_work() -> None:
    work = original()
    revert = after(f'Revert "{FIX}"', f"This reverts commit {work.sha}.")
    picked = after(f'[PR #41/{revert.sha[:8]} backport][3.14] Revert "{FIX}"', f"Reverts {work.sha}", days=2)
    assert [(kind, target) for _, kind, target, *_ in told(work, revert, picked)] == [("reverts", FIX)] * 2


def test_an_x_link_does_not_join_two_diffs() -> None:
    """A re-land copies the message of what it lands again, with its links."""
    linked = original("Widen it (#9)", body="Differential Revision: D71000001", repository=WEB)
    body = f"X-link: https://github.com/{WEB}/pull/9\nDifferential Revision: D71000002"
    assert twins(linked, after("Widen it once more", body)) == []


@pytest.mark.parametrize(("seconds", "author", "are_twins"), [(0, ADA, True), (0, GRACE, False), (9, ADA, False)])
def test_the_same_patch_by_the_same_author_in_another_repository(seconds, author, are_twins) -> None:  # type: ignore[no-untyped-def]
    """By author, title and the second in which it was written."""
    one = original(f"{FIX} (#1)")
    other = original(f"{FIX} (#7)", repository=WEB, at=later(seconds / 86_400), author=author)
    assert twins(one, other) == (["same patch"] if are_twins else [])


@pytest.mark.parametrize(
    ("seconds", "author", "body", "path", "are_one"),
    [
        (0, ADA, "Why", "a.py", True),
        (9, ADA, "Why", "a.py", False),
        (0, GRACE, "Why", "a.py", False),
        (0, ADA, "Why not", "a.py", False),
        (0, ADA, f"Why\n\n(cherry picked from commit {'a' * 40})", "a.py", True),
        (0, ADA, "Why", "b.py", False),
    ],
)
def test_a_copy_without_a_word_in_the_same_repository(  # type: ignore[no-untyped-def]
    seconds, author, body, path, are_one
) -> None:
    """As git cherry-pick and git rebase make them: of who wrote it, and when and why; -x adds a line to that."""
    one = original(body="Why", paths=["a.py"])
    other = commit(FIX, body=body, at=later(seconds / 86_400), author=author, paths=[path], sha=sha_of("copy"))
    assert twins(one, replace(other, committer=after(days=20, subject="").committer)) == (
        ["same patch"] if are_one else []
    )


SHORT = original(f"{FIX} (#41)", body=EXPORTED).sha[:12]


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Hold the lock", f"Fixes: {SHORT}"),
        ("Hold the lock", f'Fixes: {SHORT} ("{FIX}")'),
        ("Hold the lock", "Fixes #41"),
        ("Hold the lock", "Fix for D71000001."),
        ("Hold the lock", "A fixup of #41"),
        ("Hold the lock", "It was broken by #41."),
        ("Hold the lock", "Fixes a regression from #41: two threads met."),
        ("Hold the lock", f"A bug introduced in {SHORT}, where two threads met."),
        ("Hold the lock", "The crash was caused by https://github.com/acme/engine/pull/41"),
        ("Hold the lock", "Fixes the breakage\nin pull request #41."),
        (f"Fix a crash introduced in {SHORT}", ""),
        ("Fix the lock", f"...introduced in {SHORT}."),
    ],
)
def test_a_fix_says_outright_what_it_repairs(subject: str, body: str) -> None:
    first = original(f"{FIX} (#41)", body=EXPORTED)
    assert [(one[1], one[2]) for one in told(first, after(subject, body))] == [("fixes", first.subject)]


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Fix the lock", "Not a fix for #41."),
        ("Fix the lock", "This does not fix #41."),
        ("Fix the lock", "Needed to fix #41."),
        ("Fix the lock", "Previous fix: D71000001"),
        ("Fix the lock", "It crashed since #41."),
        ("Fix the lock", "See #41."),
        ("Fix the lock", "#41 fails without this."),
        ("Fix the lock", "This should fix D71000001."),
        ("Fix the lock", "Follow-up to D71000001, which broke it."),
        ("Fix the lock", "Was fixed by #41 in the other file."),
        ("Fix the lock", f"* Add the lock\n\n* Fix #41\n\n* fixes {SHORT}"),
        ("Use the cache", f"It takes what was introduced in {SHORT}."),
        (f'Fix "{FIX}"', ""),
    ],
)
def test_a_mention_is_no_fix(subject: str, body: str) -> None:
    assert told(original(f"{FIX} (#41)", body=EXPORTED), after(subject, body)) == []


# --- messages that lie


def test_lies_link_nothing() -> None:
    one = commit("A", at=DAY, sha="a" * 40, body=f"This reverts commit {'a' * 40}.")
    unknown = after('Revert "What never was"', f"This reverts commit {'9' * 40}.")
    assert told(one, unknown) == []


def test_a_thousand_nested_reverts_end() -> None:
    line = [original()]
    for n in range(1, 40):
        line.append(after(f'Revert "{line[-1].subject}"', days=n))
    links = links_of(line)
    assert [(link.source, link.target) for link in links] == [(b, a) for a, b in pairwise(line)]
    deep = after('Revert "' * 1000 + FIX + '"' * 1000)
    assert len(links_of([original(), deep])) <= 1


@pytest.mark.parametrize("shape", ["one title", "one diff", "one pull request", "one X-link", "one second"])
def test_commits_that_are_alike_cost_in_proportion(shape: str) -> None:
    """Ten times as many take about ten times as many steps."""
    body = {"one diff": "Differential Revision: D71000001", "one X-link": f"X-link: https://github.com/{WEB}/pull/9"}
    subject = {"one pull request": "Tidy (#9)"}.get(shape, "Tidy")

    def storm(count: int) -> list[Commit]:
        start = datetime(2020, 1, 1, tzinfo=UTC)
        found = []
        for n in range(count):
            when = start if shape == "one second" else start + timedelta(minutes=n)
            reverts = n % 2 and shape != "one X-link"
            one = commit(
                f'Revert "{subject}"' if reverts else subject,
                at=when.replace(tzinfo=None).isoformat(sep=" "),
                sha=sha_of(n),
                repository=(ENGINE, WEB)[n % 3 == 0],
                body=body.get(shape, "") if not reverts else "",
            )
            found.append(replace(one, parents=(sha_of(n - 1),)))
        return found

    def put_together(commits: list[Commit]) -> None:
        assert sum(len(change.commits) for change in month_changes(commits, (), None)) == len(commits)

    small, large = storm(100), storm(1_000)
    assert steps(lambda: put_together(large)) < 12 * steps(lambda: put_together(small))


# --- whatever commits there are


@given(histories(), st.randoms(use_true_random=False))
def test_every_commit_is_in_one_change_in_whatever_order_they_come(commits: list[Commit], random: Random) -> None:
    changes = month_changes(commits, (), None)
    assert sorted(one.sha for change in changes for one in change.commits) == sorted(one.sha for one in commits)
    assert len({change.id for change in changes}) == len(changes)
    shuffled = commits[:]
    random.shuffle(shuffled)
    assert month_changes(shuffled, (), None) == changes


def test_a_second_attempt_at_what_was_not_taken_out_brings_nothing_back() -> None:
    first = original(f"{FIX} (#41)")
    assert told(first, after(f"{FIX} - 2nd attempt (#47)", days=2)) == []
    assert [kind for _, kind, *_ in told(first, after(f"{FIX} - reland (#47)", days=2))] == ["relands"]
