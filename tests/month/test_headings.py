"""What forges and conventions make of a message: what its commit is called, which pull request it is, and what it does
to which commit."""

from __future__ import annotations

import pytest
from values import ENGINE, commit

from bot.model import Commit
from bot.month.histories import links_of
from bot.month.kinds import decided
from bot.month.message import references_of
from bot.month.title import number_of, title_of

SHA = "676104e2ab5e1b1a9f3d0c6de14f7b0ad1c0a1c5"


# --- what it is called

CALLED = [  # subject, body, the words of the title, the number that is shown
    # GitHub
    ("Round tides (#12)", "", "Round tides", "#12"),
    ("Round tides (#12)", "* Round tides\n\n* lint", "Round tides", "#12"),
    ("Round tides (acme/web#3) (#12)", "", "Round tides", "#12"),
    ("Merge pull request #12 from sea/tides", "Round tides", "Round tides", "#12"),
    ("Merge pull request #12 from sea/tides", "", "Merge pull request #12 from sea/tides", "#12"),
    ("Merge pull request #12 from sea/tides", "* one\n* two", "Merge pull request #12 from sea/tides", "#12"),
    # GitLab
    ("Merge commit from fork", "", "Merge commit from fork", ""),
    ("Merge commit from fork", "Fix the tides", "Fix the tides", ""),
    ("Merge commit from fork", "* Add a test of tides\n\n* fix: round tides\n", "round tides", ""),
    ("Merge commit from fork", "* Add a test\n\n* Check the tides", "Check the tides", ""),
    ("Merge commit from fork", "* use the prefix\n* docs: fix the tides", "fix the tides", ""),
    ("Merge commit from fork", "Round tides\n\n- add test fixtures", "Round tides", ""),
    ("Merge commit from fork", "The tides were checked\nfor one moon only.", "Merge commit from fork", ""),
    ("Merge commit from fork", "Co-authored-by: Ada <ada@example.com>", "Merge commit from fork", ""),
    ("Merge commit from fork", "https://example.com/GHSA-1\n\nFix", "Merge commit from fork", ""),
    ("Round tides", "See merge request sea/tides!12", "Round tides", "!12"),
    ("Round tides", "Because.\n\nSee merge request sea/deep/tides!12\n", "Round tides", "!12"),
    ("Round tides", "See merge request !12", "Round tides", "!12"),
    ("Merge branch 'tides' into 'main'", "Round tides\n\nSee merge request sea/tides!12", "Round tides", "!12"),
    (
        "Merge branch 'tides' into 'main'",
        "fix(api): round tides\n\nCloses #3\n\nSee merge request sea/tides!12",
        "round tides",
        "!12",
    ),
    ("Merge branch 'tides' into 'main'", "See merge request a/b!12", "Merge branch 'tides' into 'main'", "!12"),
    ("Merge branch 'main' into tides", "Round tides", "Merge branch 'main' into tides", ""),
    ("Round tides", "We see merge request a/b!12 for more.", "Round tides", ""),
    # Bitbucket, Cloud and Server
    ("Merged in tides (pull request #12)", "Round tides\n\nApproved-by: Mia Tarn", "Round tides", "#12"),
    ("Merged in nora/SEA-7 (pull request #12)", "SEA-7 Round tides", "SEA-7 Round tides", "#12"),
    ("Merged in tides (pull request #12)", "Approved-by: Mia", "Merged in tides", "#12"),
    ("Round tides (pull request #12)", "", "Round tides", "#12"),
    ("Pull request #12: Round tides", "Merge in SEA/tides from tides to main\n\n* commit 'ab'", "Round tides", "#12"),
    (
        "Merge pull request #12 in SEA/tides from tides to main",
        "* commit 'ab':\n  Round tides",
        "Merge pull request #12 in SEA/tides from tides to main",
        "#12",
    ),
    # Azure DevOps
    ("Merged PR 12: Round tides", "Because.\n\nRelated work items: #3", "Round tides", "!12"),
    ("Merged PR 12: fix: round tides", "", "round tides", "!12"),
    ("Merge pull request 12 from tides into main", "Round tides", "Round tides", "!12"),
    # Gerrit, whose numbers nobody writes with a sign
    ("Round tides", "Change-Id: I0123456789\nReviewed-on: https://review.example.org/c/tides/+/12", "Round tides", ""),
    # Gitea and Forgejo
    ("Merge pull request 'Round tides' (#12) from nora/tides into main", "", "Round tides", "#12"),
    ("Round tides (#12)", f"Reviewed-on: https://codeberg.org/{ENGINE}/pulls/12", "Round tides", "#12"),
    # projects' own
    ("Round tides", f"PR-URL: https://github.com/{ENGINE}/pull/12\nReviewed-By: Mia", "Round tides", "#12"),
    ("Round tides", "Why.\n\nCloses #12 from nora/tides.\n\nAuthored-by: Nora", "Round tides", "#12"),
    ("Round tides", "Closes #12", "Round tides", ""),
    ("PR #12: Round tides", "", "Round tides", "#12"),
    ("PR 12 - Round tides", "", "Round tides", "#12"),
    ("Auto merge of #12 - nora:tides, r=mia", "Round tides", "Round tides", "#12"),
    ("Rollup merge of #12 - nora:tides, r=mia", "Round tides", "Round tides", "#12"),
    ("auto merge of #12 : nora/sea/tides, r=mia", "Round tides", "Round tides", "#12"),
    ("Merge #12", "12: Round tides twice r=mia,pete a=nora\n\nBecause.", "Round tides twice", "#12"),
    ("Merge #12: Round tides", "", "Round tides", "#12"),
    (f"Merge {ENGINE}#12: Round tides", "", "Round tides", "#12"),
    ("Merge sea/tides#12: Round tides", "", "Round tides", ""),
    ("Merge PR #12: Round tides", "", "Round tides", "#12"),
    ("Merge PR #12 into main", "* refs/pull/12/head:\n\tRound tides", "Merge PR #12 into main", "#12"),
    # what is none of these
    ("Merge of two tides", "Round tides", "Merge of two tides", ""),
    ("Merge #12 and the tides", "", "Merge #12 and the tides", ""),
    ("Merged the tides", "", "Merged the tides", ""),
    ("Pull requests: list them", "", "list them", ""),
    ("PRs are listed", "", "PRs are listed", ""),
    ("Fix #12 in the tides", "", "Fix #12 in the tides", ""),
    ("Round tides!12", "", "Round tides!12", ""),
]


@pytest.mark.parametrize(("subject", "body", "words", "number"), CALLED)
def test_what_a_commit_is_called(subject: str, body: str, words: str, number: str) -> None:
    one = commit(subject, body=body)
    assert (title_of(one).words, number_of(one)) == (words, number)


@pytest.mark.parametrize(
    ("subject", "kind"),
    [("Merged PR 12: fix: round tides", "fix"), ("Merged PR 12: Revert 'Round tides'", "revert")],
)
def test_its_kind_is_that_of_what_it_is_called(subject: str, kind: str) -> None:
    assert decided(commit(subject)).kind == kind


# --- what it does to which commit

REVERTS = [  # what is reverted, subject and body, and the subject and body of what reverts it
    (("Round tides", ""), ('Revert "Round tides"', "")),
    (("Round tides", ""), ("Revert “Round tides”", "")),
    (("Round tides", ""), ("Revert 'Round tides'", "")),
    (("Round tides (#12)", ""), ('Revert "Round tides" (#13)', "Reverts acme/engine#12")),
    (("Round tides (#12)", ""), ("Undo what went wrong", "Reverts acme/engine#12")),
    (("Round tides (#12)", ""), ("Undo what went wrong", "Reverts #12.")),
    (("Round tides (#12)", ""), ("Take it out", "This reverts pull request #12.")),
    (("Round tides (#12)", ""), ("Revert PR #12", "")),
    (("Round tides (#12)", ""), ("Automated rollback of PR #12", "")),
    (("Round tides (#12)", ""), ("Rollback of pull request #12: Round tides", "")),
    (("Round tides (#12)", ""), ('Undo "Round tides"', "")),
    (("Round tides (#12)", ""), ("Roll back #12", "")),
    # GitLab
    (("Round tides", "See merge request acme/engine!12"), ('Revert "Round tides"', "This reverts merge request !12")),
    (("Round tides", "See merge request acme/engine!12"), ("Take it out", "This reverts merge request !12")),
    (("Round tides", "See merge request acme/engine!12"), ("Take it out", "This reverts merge request acme/engine!12")),
    (
        ("Round tides", "See merge request acme/engine!12"),
        ("Take it out", "Reverts https://gitlab.com/acme/engine/-/merge_requests/12"),
    ),
    (
        ("Merge branch 'tides' into 'main'", "Round tides\n\nSee merge request acme/engine!12"),
        ("Merge branch 'out' into 'main'", 'Revert "Round tides"\n\nSee merge request acme/engine!13'),
    ),
    # Azure DevOps
    (("Merged PR 12: Round tides", ""), ("Merged PR 13: Revert 'Round tides'", "Reverts !12")),
    (("Merged PR 12: Round tides", ""), ("Merged PR 13: Take it out", "Reverts !12")),
    (("Merged PR 12: Round tides", ""), ('Revert "Merged PR 12: Round tides"', "")),
    # Bitbucket
    (
        ("Merged in tides (pull request #12)", "Round tides"),
        ("Merged in out (pull request #13)", 'Revert "Round tides (pull request #12)"'),
    ),
    (
        ("Merged in tides (pull request #12)", "Round tides"),
        ('Revert "Merged in tides (pull request #12)"', "This reverts pull request #12."),
    ),
    # Gerrit
    (("Round tides", f"Change-Id: I{SHA}"), ("Take it out", f"This reverts commit I{SHA}.\n\nChange-Id: I77aa77aa")),
    (("Round tides", f"Change-Id: I{SHA}"), ("Take it out", f"This reverts change I{SHA[:10]}")),
    (("Round tides", f"Change-Id: I{SHA}"), ("Take it out", f"Reverts I{SHA}")),
    (
        ("Round tides", f"Change-Id: I{SHA}"),
        ("Revert submission 12-tides", f"Reverted Changes:\nI77aa77aa:Dry it\nI{SHA[:9]}:Round tides\n\nBug: 5"),
    ),
    # bors
    (("Merge #12", "12: Round tides r=mia a=nora"), ('Revert "Merge #12"', "")),
    # Conventional Commits
    (("fix: round tides", ""), ("revert: fix: round tides", "")),
    (("fix: round tides", ""), ("revert: fix: round tides (SEA-999)", "")),
    (("fix: round tides (SEA-7)", ""), ("revert: fix: round tides", "")),
    (("fix: round tides [SEA-7]", ""), ("Revert: fix: round tides [SEA-7]", "")),
    (("fix: round tides", ""), ("revert: round tides", "")),
    (("fix(api)!: round tides", ""), ("revert: round tides", "")),
    (("fix(api): round tides", ""), ("revert(api): round tides", "")),
    (("fix(api): round tides", ""), ("revert(api)!: fix(api): round tides", "")),
    (("fix: round tides", ""), ('Revert "round tides"', "")),
    (("fix: round tides", ""), ('chore: revert "fix: round tides"', "")),
    (("fix: round tides", ""), ('SEA-999: Revert "fix: round tides"', "")),
    (("SEA-7 Round tides", ""), ('SEA-999 Revert "SEA-7 Round tides"', "")),
    (("SEA-7: Round tides", ""), ("[SEA-999] Revert 'SEA-7: Round tides'", "")),
    # gitmoji
    (("🐛 Round tides", ""), ('⏪ Revert "🐛 Round tides"', "")),
    (("🐛 Round tides", ""), ("⏪️ Revert “Round tides”", "")),
    (("🐛 Round tides", ""), ("⏪️ Round tides", "")),
    ((":bug: Round tides", ""), (":rewind: Round tides", "")),
    ((":bug: Round tides", ""), ("revert: :bug: Round tides", "")),
    (("🐛 fix(api): round tides", ""), ("⏪️ revert: round tides", "")),
]


def links_between(first: tuple[str, str], second: tuple[str, str]) -> list[tuple[str, str, str]]:
    early = commit(first[0], body=first[1], at="2025-10-02 10:00", paths=["a.py"])
    late = commit(second[0], body=second[1], at="2025-10-03 10:00", paths=["a.py"])
    return [(one.source.subject, one.kind, one.target.subject) for one in links_of([early, late])]


@pytest.mark.parametrize(("work", "revert"), REVERTS)
def test_a_revert_in_the_words_of_a_forge_or_a_convention(work: tuple[str, str], revert: tuple[str, str]) -> None:
    assert links_between(work, revert) == [(revert[0], "reverts", work[0])]


def test_footers_of_a_conventional_revert_name_what_it_reverts() -> None:
    """As the convention's own example has it; beside any other commit, `Refs:` says nothing of the kind."""
    works: list[Commit] = [commit(f"feat: {one}", at=f"2025-10-0{day} 10:00") for day, one in enumerate("ab", 1)]
    footer = f"Refs: {works[0].sha[:7]}, {works[1].sha[:9]}"
    for subject, expected in (("revert: let us never again speak of this", 2), ("fix: more of the same", 0)):
        found = links_of([*works, commit(subject, body=footer, at="2025-10-09 10:00")])
        assert [one.kind for one in found] == ["reverts"] * expected


# --- what only sounds like it

NONE = [
    "Revert to the old default colour of buoys",
    "Revert back to casting structs",
    "Reverting to the original scheme",
    "Reverts to metres when nothing is chosen",
    "Revert to the previous colour of buoys",
    "Revert button: ask before",
    "Revert dialog: name the buoys",
    "Revert command line: say what goes",
    "Revert if the tide turns",
    "Revert on error",
    "Back out of the harbour in small steps",
    "Back out early where there is no chart",
    "Backs out gracefully without a chart",
    "Undo stack: keep twenty steps",
    "Undo the last step with one key",
    "Undo/redo for routes",
    "Rollback support for migrations",
    "Roll back the transaction on errors",
    "Rolling back buoys is possible",
    "fix: revert to metres",
    "tides: Revert to metres",
    "Backport tides",
    "Island of lands",
    "Checkout: add tides",
    "Irreversible tides",
    "Rollout of tides",
    "⏩ Tides",
]


@pytest.mark.parametrize("subject", NONE)
def test_what_begins_like_a_revert_and_is_none(subject: str) -> None:
    one = commit(subject)
    assert (decided(one).kind != "revert", references_of(one).does) == (True, None)


@pytest.mark.parametrize(
    "subject",
    [
        "Revert accidental push of the cache PRs",
        "Backing out on-device tides",
        "Back out the tides",
        "Backed out of D71000001",
        "Revert the colours",
        "Revert back my change",
        "Revert tides: they were wrong",
        "Reverted r25895",
        "Reverted to r16487 due to various problems",
        "revert to the previous version",
        "Partially revert the tides",
        "kernel: Revert the changes to buoys",
        "Unland tides",
        "revert(api): round tides",
    ],
)
def test_a_revert_that_names_nothing_is_one_all_the_same(subject: str) -> None:
    assert decided(commit(subject)).kind == "revert"
