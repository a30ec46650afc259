"""Commits → changes: one for each piece of work, with its exports, its reverts and its re-lands. Pure.

A month is made from those commits of a change that are in it; what became of the change is read from all of it,
whoever did it and whenever (see `histories`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from bot.model import Change, Commit, Key, LaterFix
from bot.month.histories import CONTRARY, History, Link, by_commit, histories_of, order_of, state_of
from bot.month.kinds import decided
from bot.month.message import heading_of
from bot.month.title import number_of

Names = Callable[[Commit], str]  # who the author of a commit is, shown by name
FIXED_WITHIN = 183 * 24 * 3600  # seconds: what is repaired later than that was good for long


def as_signed(commit: Commit) -> str:
    """The name that a commit is signed with, where nobody knows better whose it is."""
    return commit.author.name


def month_changes(
    commits: Iterable[Commit],
    histories: Iterable[History] | Mapping[Key, History],
    until: datetime | None,
    names: Names = as_signed,
) -> tuple[Change, ...]:
    """The changes that somebody's commits of a month belong to, each with those commits only.

    `histories` are those of the commits and of all that is linked with them, by whoever and whenever; who tells many
    months of one index gives them `by_commit`. The state is that just before `until`, the month's end; `later` holds
    what happened since. Who has only reverted what others had made, or had made before, has a change of kind
    "revert" and with an id of its own, which is "landed" while it stands; where only a body says so, below a title
    such as "Enable it by default", the change is what its title says. `names` tells who an author is.
    """
    own = {commit.key: commit for commit in commits if not commit.is_merge}
    known = histories if isinstance(histories, Mapping) else by_commit(histories)
    if missing := [commit for key, commit in own.items() if key not in known]:
        known = {**known, **by_commit(histories_of(missing))}
    views: dict[Key, tuple[History, list[Commit]]] = {}
    for key, commit in own.items():
        history = known[key]
        views.setdefault(history.originals[0].key, (history, []))[1].append(commit)
    found = [_change(history, view, until, names) for history, view in views.values()]
    if links := [link for history, _ in views.values() for link in history.fixes]:  # as few have
        links.sort(key=lambda one: order_of(one.source))
        found = list(_fixed_later(found, links, names))
    return tuple(sorted(found, key=lambda change: change.lead.written))


def _change(history: History, view: Sequence[Commit], until: datetime | None, names: Names) -> Change:
    """A history as seen by somebody who has made the commits in `view`."""
    events = [replace(event, by=names(event.commit)) for event in history.revert_events]
    backs, outs = ({one.commit.key for one in events if one.does == does} for does in ("relands", "reverts"))
    first = {commit.key for commit in history.originals}

    def rank(one: Commit) -> tuple[bool, ...]:  # what is none of these is the export of an event to another repository
        return one.key not in first, one.key not in backs, one.key not in outs

    ranked = sorted(view, key=lambda one: (rank(one), one.author.seconds, one.repository, one.written))
    lead = ranked[0]
    decision = decided(lead)
    reverts = lead.key in outs - first
    undoes = reverts and decision.kind == "revert"
    if lead.key in backs - first and decision.kind in ("revert", "chore"):  # it is the work once more
        decision = decided(history.originals[0])
    if reverts:  # it stands until what it reverted is brought back
        place = next(number for number, event in enumerate(events) if event.commit.key == lead.key)
        events = events[place + 1 :]
        if not undoes:  # what brings the other one back takes this one out
            events = [replace(event, does=CONTRARY[event.does]) for event in events]
    later = tuple(event for event in events if until is not None and event.commit.came >= until)
    state, out, back = state_of(events, until)
    if undoes:
        undone = next((event for event in events if event.does == "relands" and event not in later), None)
        state, out, back = ("backed_out", undone, None) if undone else ("landed", None, None)
    return Change(
        lead.sha if reverts else history.id,
        tuple(ranked),
        decision.kind,
        state,
        refs_of(ranked),
        out,
        back,
        decision.rule,
        decision.is_sure,
        decision.chore,
        later=later,
        undone=history.originals if undoes else (),
        undone_by=names(history.originals[0]) if undoes else "",
        earlier=() if reverts else tuple(event for event in events if event not in (*later, out, back)),
    )


def _fixed_later(changes: Sequence[Change], links: Iterable[Link], names: Names) -> Iterator[Change]:
    """The changes with the commits that name one of them as what they repair, whoever made those and whenever."""
    of = {commit.key: number for number, change in enumerate(changes) for commit in change.commits}
    found: dict[int, dict[Key, LaterFix]] = defaultdict(dict)
    for link in links:
        number, source = of.get(link.target.key), link.source
        if number is not None and of.get(source.key) != number and _is_fix_of(link):
            found[number].setdefault(source.key, LaterFix(source, names(source)))
    for number, change in enumerate(changes):
        is_fixed = number in found and change.kind != "revert"
        yield replace(change, fixes=tuple(found[number].values())) if is_fixed else change


def _is_fix_of(link: Link) -> bool:
    """Whether a commit that says that it repairs an earlier one soon after it changes what the program does."""
    decision = decided(link.source)
    soon = link.source.committer.seconds - link.target.committer.seconds <= FIXED_WITHIN
    return soon and not decision.chore and decision.kind not in ("revert", "build")


def with_number(change: Change, topics: Mapping[Key, Commit]) -> Change:
    """A change that has no number of a pull request, with that of the topic merge that brought it, where it has one."""
    merge = None if number_in(change) else topics.get((change.lead.repository, change.lead.via or ""))
    return replace(change, refs=(*change.refs, number)) if merge and (number := number_of(merge)) else change


def number_in(change: Change) -> str:
    """The number of a change's pull request in its own repository, as "#12"; empty where it has none."""
    return number_of(change.lead) or next((one for one in change.refs if one[0] in "#!"), "")


def refs_of(commits: Sequence[Commit]) -> tuple[str, ...]:
    """The pull requests of the commits in the first one's repository, as written there."""
    at = commits[0].repository
    return tuple(dict.fromkeys(ref for one in commits if one.repository == at for ref in heading_of(one).numbers))
