"""Links → histories: each piece of work with its exports, what reverted it and what brought it back. Pure.

A history is a list of revert events. A commit that reverts one piece of work belongs to the history of that; one that
reverts several is a history of its own, and an event in each of theirs. Whether an event reverts or brings back follows
from how many came before: the revert of a revert brings back, and the revert of that reverts again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.model import Commit, Key, RevertEvent, State
from bot.month.links import Link, links_of, order_of
from bot.month.message import Effect


@dataclass(frozen=True, slots=True)
class History:
    """One piece of work. `originals` are the commits it began with, more than one where tools exported it.

    `commits` are all of it in order of time, `revert_events` what happened to it, some by commits of other
    histories. `fixes` are the links to its commits from those that say they repair them, in order of time.
    """

    id: str
    originals: tuple[Commit, ...]
    commits: tuple[Commit, ...]
    revert_events: tuple[RevertEvent, ...] = ()
    fixes: tuple[Link, ...] = ()


def state_of(
    events: Iterable[RevertEvent], until: datetime | None = None
) -> tuple[State, RevertEvent | None, RevertEvent | None]:
    """The state to which revert events bring a piece of work just before `until`, or at the end; with the event that
    reverted it last, and the one that brought it back after that."""
    state: State = "landed"
    out = back = None
    for event in events:
        if until is not None and event.commit.came >= until:
            break
        if event.does == "relands":
            state = "partly" if event.partly and state in ("backed_out", "partly") else "relanded"
            back = event
        elif not event.partly:
            state, out, back = "backed_out", event, None
        elif state != "backed_out":
            state, out = "partly", event
    return state, out, back


def histories_of(commits: Iterable[Commit], alone: Container[Key] = ()) -> list[History]:
    """The histories of the commits, merges left out; each commit is in exactly one. In order of their beginnings.

    Those that are `alone` are known to have no links.
    """
    every = {one.key: one for one in commits}
    tied = {key: one for key, one in every.items() if key not in alone}
    histories = [History(one.sha, (one,), (one,)) for one in every.values() if one.key in alone and not one.is_merge]
    own = {key: one for key, one in tied.items() if not one.is_merge}
    histories += _Histories(own, links_of(tied.values())).build()
    return sorted(histories, key=lambda one: _written(one.originals[0]))


def by_commit(histories: Iterable[History]) -> dict[Key, History]:
    """The history that each commit is in, by repository and SHA."""
    return {commit.key: history for history in histories for commit in history.commits}


CONTRARY: dict[Effect, Effect] = {"reverts": "relands", "relands": "reverts"}


class _Histories:
    """Works on pieces: the commits that are the same work by a link "same". A piece is named by its first commit."""

    def __init__(self, commits: dict[Key, Commit], links: Sequence[Link]) -> None:
        self._commits = commits
        self._pieces = _together(commits, links)
        self._of = {key: first for first, keys in self._pieces.items() for key in keys}
        self._links: dict[Key, list[Link]] = defaultdict(list)
        self._fixes: dict[Key, list[Link]] = defaultdict(list)
        for link in links:
            if link.kind == "fixes":
                self._fixes[link.target.key].append(link)
            source, target = self._of[link.source.key], self._of[link.target.key]
            if link.kind in ("reverts", "relands") and source != target:
                self._links[source].append(link)
        self._home: dict[Key, Key] = {}  # the piece whose history a piece belongs to
        self._does: dict[Key, dict[Key, Effect]] = {}  # what a piece does to which histories
        self._revert_events: dict[Key, list[RevertEvent]] = defaultdict(list)
        self._cleared: dict[Key, set[str]] = defaultdict(set)  # the repositories that a history is out of

    def build(self) -> list[History]:
        for piece in self._pieces:
            self._place(piece)
        members: dict[Key, list[Commit]] = defaultdict(list)
        for piece, home in self._home.items():
            members[home] += [self._commits[key] for key in self._pieces[piece]]
        return [self._history(home, commits) for home, commits in members.items()]

    def _history(self, home: Key, commits: list[Commit]) -> History:
        if len(commits) == 1 and home not in self._revert_events and home not in self._fixes:  # as most
            return History(commits[0].sha, (commits[0],), (commits[0],))
        originals = sorted((self._commits[key] for key in self._pieces[home]), key=_written)
        events = self._revert_events.get(home, ())
        revert_events = sorted(events, key=lambda one: (one.commit.came, order_of(one.commit)))
        ranked = sorted(commits, key=order_of)
        fixes = [link for commit in ranked for link in self._fixes.get(commit.key, ())]
        fixes.sort(key=lambda link: order_of(link.source))
        return History(originals[0].sha, tuple(originals), tuple(ranked), tuple(revert_events), tuple(fixes))

    def _place(self, piece: Key) -> None:
        """Find the history of a piece; those before it have theirs, and what is not before it is not its target."""
        if piece not in self._links:  # as most
            self._home[piece], self._does[piece] = piece, {}
            return
        does: dict[Key, Effect] = {}
        by_target: dict[Key, list[Link]] = defaultdict(list)
        for link in self._links[piece]:
            target = self._of[link.target.key]
            if target in self._home:
                by_target[target].append(link)
        own_undone = [target for target in by_target if self._home[target] == target and self._does[target]]
        for target, links in by_target.items():
            kind = links[0].kind
            for history, deed in (self._does[target] or {self._home[target]: "relands"}).items():
                does.setdefault(history, CONTRARY[deed] if kind == "reverts" else "relands")
            if target in own_undone and kind == "reverts":  # the revert of a revert of several
                does.setdefault(target, "reverts")
        if len(does) == 1:
            home = next(iter(does))
        else:
            home = own_undone[0] if len(own_undone) == 1 and len(by_target) == 1 else piece
        self._home[piece] = home
        self._does[piece] = does
        for history, deed in does.items():
            self._revert_events[history].append(self._revert_event(piece, history, deed, by_target))

    def _revert_event(self, piece: Key, history: Key, deed: Effect, by_target: dict[Key, list[Link]]) -> RevertEvent:
        links = [
            link
            for target, found in by_target.items()
            if history in (self._home[target], target) or history in self._does[target]
            for link in found
        ]
        at = self._commits[history].repository
        link = min(links, key=lambda one: (one.source.repository != at, order_of(one.source)))
        return RevertEvent(deed, link.source, link.found_by, self._is_partly(piece, history, deed, links))

    def _is_partly(self, piece: Key, history: Key, deed: Effect, links: Sequence[Link]) -> bool:
        """Whether an event leaves a part: of its target's files, or in one of the repositories that hold the work."""
        whole = {link.target.repository for link in links if not link.partly}
        some = {link.target.repository for link in links} - whole
        cleared = self._cleared[history]
        if deed == "relands":
            cleared.clear()
            return bool(some)
        held = {key[0] for link in links for key in self._pieces[self._of[link.target.key]]}
        cleared |= whole | {key[0] for key in self._pieces[piece]} - some
        return bool(some) or not held <= cleared


def _written(commit: Commit) -> tuple[int, str, tuple[int, str, int, str, str]]:
    return commit.author.seconds, commit.repository, commit.written


def _together(commits: dict[Key, Commit], links: Sequence[Link]) -> dict[Key, list[Key]]:
    """The keys of each piece under the first of them, in order of time."""
    over: dict[Key, Key] = {}

    def top(key: Key) -> Key:
        while key in over:
            over[key] = key = over.get(over[key], over[key])
        return key

    for link in links:
        if link.kind == "same":
            one, other = top(link.source.key), top(link.target.key)
            if one != other:
                over[max(one, other)] = min(one, other)
    pieces: dict[Key, list[Key]] = defaultdict(list)
    for commit in sorted(commits.values(), key=order_of):
        pieces[top(commit.key)].append(commit.key)
    return {keys[0]: keys for keys in pieces.values()}
