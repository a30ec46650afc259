"""Histories drawn by hypothesis: commits whose messages point to each other, truly or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, WEB, changed, commit, sha_of

from bot.model import Commit

DAY = "2025-10-01 12:00"
TIMES = st.integers(0, 12)
TITLES = ("Add a plan", "[x] Add a plan", "Tidy", "Fix the lock")
AGAIN = ("{}", "{}", "{} v2", "{} (v3)", "{} (resubmit)", "{}?", '"{}')  # how a title is landed once more
PATHS = (["a.py"], ["a.py", "b.py"], ["c.py"])


def later(days: float) -> str:
    return (datetime.fromisoformat(DAY) + timedelta(days=days)).isoformat(sep=" ")


@st.composite
def histories(
    draw: st.DrawFn,
    *,
    days: st.SearchStrategy[int] = TIMES,
    repositories: Sequence[str] = (ENGINE, WEB),
    titles: Sequence[str] = TITLES,
    most: int = 14,
) -> list[Commit]:
    """Commits of some repositories, often several of one moment."""
    count = draw(st.integers(2, most))
    shas = [sha_of((n, "history")) for n in range(count)]
    found: list[Commit] = []
    for n in range(count):
        other = draw(st.integers(0, count - 1))
        diff, pull = f"D7100000{draw(st.integers(0, 4))}", draw(st.integers(1, 5))
        title = draw(st.sampled_from(titles))
        said = draw(st.sampled_from([title, *(one.subject for one in found)]) | st.just(title))
        subject = draw(
            st.sampled_from(
                [
                    title,
                    draw(st.sampled_from(AGAIN)).format(title),
                    f"{title} (#{pull})",
                    f'Revert "{said}"',
                    f"Reland {said}",
                    f"Revert {diff}",
                ]
            )
        )
        lines = draw(
            st.lists(
                st.sampled_from(
                    [
                        f"This reverts commit {shas[other]}.",
                        f"This reverts commit {shas[other][:8]}.",
                        f"Reverts #{pull}",
                        f"Differential Revision: {diff}",
                        f"This is a reland of {diff}",
                        f"X-link: https://github.com/{WEB}/pull/{pull}",
                        f"Follow-up to {diff}",
                        f"(cherry picked from commit {shas[other]})",
                    ]
                ),
                max_size=2,
            )
        )
        found.append(
            commit(
                subject,
                body="\n".join(lines),
                at=later(draw(days)),
                author=draw(st.sampled_from([ADA, GRACE])),
                repository=draw(st.sampled_from(list(repositories))),
                paths=draw(st.sampled_from(PATHS)),
                sha=shas[n],
            )
        )
    return found


def _silently_landed_again(draw: st.DrawFn, one: Commit) -> list[Commit]:
    """What a machine takes out by its SHA, and its author brings back without a word."""
    found = [one]
    for n, body in enumerate((f"This reverts commit {one.sha}.", "")):
        seconds = found[-1].committer.seconds + 24 * 3600 * draw(st.sampled_from([0, 1, 20, 100, 181]))
        author = replace(one.author, seconds=seconds)
        subject = draw(st.sampled_from(AGAIN)).format(one.subject) if n else "Multisect blamed it"
        sha = sha_of((one.sha, n))
        found.append(replace(one, sha=sha, subject=subject, body=body, author=author, committer=author))
    return found[1:]


def _brought_by_merges(draw: st.DrawFn, commits: list[Commit], repositories: Sequence[str]) -> list[Commit]:
    """Some of the commits as topic merges brought them, the merges, and what takes these back, and brings them back."""
    found = commits
    for n in range(draw(st.integers(0, 2))):
        home, days = draw(st.sampled_from(repositories)), draw(st.sampled_from([1, 9, 60]))
        subject = f"Merge pull request #{draw(st.integers(1, 5))} from ada/x"
        merge = commit(subject, at=later(days), merge=True, sha=sha_of(("merge", n)), repository=home)
        for place, one in enumerate(found):
            if one.repository == home and not one.is_merge and not one.via and draw(st.booleans()):
                found[place] = replace(one, via=merge.sha, came_at=merge.committer.seconds)
        found.append(merge)
        for _ in range(draw(st.integers(0, 2))):
            body = f"This reverts commit {found[-1].sha}, reversing\nchanges made to {'1' * 40}."
            subject, days = f'Revert "{found[-1].subject}"', days + draw(st.sampled_from([1, 40]))
            sha = sha_of((found[-1].sha, "out"))
            found.append(commit(subject, body=body, at=later(days), repository=home, sha=sha, paths=["a.py"]))
    return found


@st.composite
def scattered(draw: st.DrawFn, repositories: Sequence[str], titles: Sequence[str] = TITLES) -> list[Commit]:
    """Such commits over a year, with parents; some in several repositories: the same SHA, or the same patch later; some
    brought by merges."""
    days = st.sampled_from([0, 1, 2, 8, 20, 35, 45, 58, 70, 100, 170, 185, 300])
    drawn = draw(histories(days=days, repositories=repositories, titles=titles, most=16))
    found: list[Commit] = []
    for one in drawn:
        if draw(st.booleans()):
            one = replace(one, parents=(draw(st.sampled_from(drawn)).sha,))
        found.append(one)
        elsewhere = draw(st.sampled_from(repositories))
        if (copied := draw(st.integers(0, 6))) == 6:
            found += _silently_landed_again(draw, one)
        elif copied == 0:
            found.append(replace(one, repository=elsewhere))
        elif copied == 1:
            author = replace(one.author, seconds=one.author.seconds + 24 * 3600 * draw(st.integers(0, 59)))
            files = tuple(changed(file.path, 90) for file in one.files)
            found.append(
                replace(
                    one, repository=elsewhere, sha=sha_of((one.sha, 2)), author=author, committer=author, files=files
                )
            )
    found = list({(one.repository, one.sha): one for one in found}.values())
    return _brought_by_merges(draw, found, repositories)
