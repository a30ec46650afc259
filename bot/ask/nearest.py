"""Words in which somebody describes a change → the changes that hold most of them, the rarest words first.

A word counts whole in the title, less in the body or in a path, and what came years before others counts a little less.
Near enough is what holds two things that are as rare together as one commit among all, or one that is as rare alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.ask.words import classes_of, content_of
from bot.model import Commit, Person, Signatures
from bot.month.calendar import Days
from bot.month.credits import is_bot
from bot.month.message import heading_of
from storage.search import WORD, words_of

if TYPE_CHECKING:
    from bot.ask.readable_index import ReadableIndex

MOST_NEAREST = 3
ENOUGH, ALONE = 1.0, 0.85  # how rare words are together, and one by itself: see `Topics.nearest`
MENTIONED = 0.4  # of what a word in the title counts
OLD, LESS = timedelta(days=5 * 365), 0.3  # so much older than the newest a change counts so much less
MOST_FILES = 20  # of a change whose paths say anything
LONGEST_BODY = 5_000  # characters that are looked at
SHORTEST = 4  # letters of the beginning of a word that stands for it: "config" for "configuration"
_DEEDS = ("make", "action", "appear", "orders", "kind", "changes", "work")  # what may be done to anything


def nearest(
    words: Sequence[str], index: ReadableIndex, people: Sequence[Person] = (), span: Days | None = None,
    repositories: Collection[str] = (),
) -> tuple[list[Commit], set[str]]:  # fmt: skip
    """The changes that are near enough to what some words describe, at most three, the nearest first: of everybody but
    machines, or of some people; that came in a time; in some repositories. A topic merge may stand for what it brought.
    With those of the words that they hold.
    """
    start, end = (span or index.always).bounds(index.zone)
    identities, hidden, known = [one for who in people for one in who.identities], index.known.unshown, index.known
    said = content_of(words, {word.casefold() for one in index.repositories for word in WORD.findall(one.name)})
    theirs, found, corrections = Signatures(identities), list[tuple[set[str], set[str], Commit]](), index.corrections()
    commits, rarity = index.store.topics.nearest(
        said, start, end, identities=identities or None, repositories=sorted(repositories) or None,
        without=sorted(index.hidden),
    )  # fmt: skip

    def is_asked(one: Commit) -> bool:
        author = known.author(one)
        return one in theirs if people else not (author and is_bot(author, index.settings.bots))

    for commit, held in _ranked(commits, said, rarity):
        brought = index.store.commits.brought(commit) if commit.is_merge else [commit]
        works = [one for one in brought if not one.is_merge]
        if not any(map(is_asked, works)) or any(one in hidden for one in (commit, *works)):
            continue
        histories = index.histories(works)
        own = {histories[one.key].id for one in works}
        if any(own & ids for ids, *_ in found) or any(corrections.hides(one, histories) for one in works):
            continue
        found.append((own, held, commit))
        if len(found) == MOST_NEAREST:
            break
    return [commit for *_, commit in found], set[str]().union(*(held for _, held, _ in found))


def _ranked(
    commits: Sequence[Commit], said: Sequence[str], rarity: Mapping[str, float]
) -> Iterator[tuple[Commit, set[str]]]:
    """The commits that are near enough to some words, with those that each holds: the nearest first, else the
    newest."""
    stems = {found[0]: said[at] for at, found in words_of(enumerate(said)).items() if found and said[at] in rarity}
    texts = words_of(
        (3 * at + n, text)
        for at, one in enumerate(commits)
        for n, text in enumerate((
            heading_of(one).title, one.body[:LONGEST_BODY], "\n".join(file.path for file in one.files[:MOST_FILES]),
        ))
    )  # fmt: skip
    newest, ranked = max((one.came for one in commits), default=None), []
    for at, one in enumerate(commits):
        title, rest = texts[3 * at], {*texts[3 * at + 1], *texts[3 * at + 2]}
        held = {word: 1.0 for stem, word in stems.items() if any(_is_like(stem, each) for each in title)}
        held = {word: MENTIONED for stem, word in stems.items() if stem in rest} | held
        rare = sum(rarity[word] * part for word, part in held.items())
        things = [rarity[word] for word in held if classes_of(word).isdisjoint(_DEEDS) and not word.isdigit()]
        if newest and rare >= ENOUGH and (len(things) > 1 or max(things, default=0) >= ALONE):
            ranked.append((rare * (1 - LESS * min(1.0, (newest - one.came) / OLD)), one.came, one.key, one, {*held}))
    return ((one, held) for *_, one, held in sorted(ranked, key=lambda each: each[:3], reverse=True))


def _is_like(stem: str, other: str) -> bool:
    """Whether one of two words without their endings begins as the other."""
    short, long = sorted((stem, other), key=len)
    return stem == other or (len(short) >= SHORTEST and long.startswith(short))
