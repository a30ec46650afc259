"""A question about a release → the reply to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.ask.known import Thread
from bot.ask.question import Choice, Question
from bot.ask.reply import MOST_CHOICES, Reply, kinds_asked
from bot.model import Tag
from bot.month.calendar import MonthRange
from bot.month.releases import LATEST, NEWEST
from bot.story.states import on
from bot.story.wording import clean, count, listed

if TYPE_CHECKING:
    from bot.ask.query_service import QueryService
    from bot.ask.releases import Released


def telling_releases(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """What is in a release that the one before, or another, does not hold, or what came since one; of everyone or of
    those who are named. A name that may mean several tags, or none, is asked back with choices."""
    from bot.ask.releases import MOST_COMMITS, ReleaseUnreadable

    releases = queries.releases
    first, _, last = (question.release or LATEST).rpartition("..")
    name = last or first
    tags = _meant(queries, question, name)
    if not tags:
        return _unknown(queries, question, thread, name)
    if len(tags) > 1 and name not in (LATEST, NEWEST):
        every = [_choice(question, name, tag) for tag in tags]
        words = f"Which {clean(name)}: {listed([one.label for one in every[:MOST_CHOICES]], 'or')}?"
        return Reply(question, words=words, thread=thread, choices=tuple(every[:MOST_CHOICES]))
    earlier = releases.meant(first, (tags[0].repository,)) if first and last else [None]
    if not earlier:
        return _unknown(queries, question, thread, first)
    try:
        is_since = name == LATEST or not last
        released = [releases.since(tag) if is_since else releases.released(tag, earlier[0]) for tag in tags]
    except ReleaseUnreadable as error:
        return Reply(question, words=f"I cannot tell that: {error}.", thread=thread)
    if any(len(one.shas) > MOST_COMMITS for one in released):
        words = f"That is more than {count(MOST_COMMITS, 'commit')}, too many to tell at once: ask for some months."
        return Reply(question, words=words, thread=thread)
    present = queries.present()
    people = [queries.person_in(question, one, MonthRange(present, present)) for one in question.people]
    title = listed([_title(queries, one) for one in released])
    title = f"{title}: {clean(listed(question.people))}" if people else title
    kinds = kinds_asked(question) if question.intent == "changes" else None
    document = queries.release(title, released, people or None, kinds)
    span = thread.span if thread else None
    about = Thread(question.people[-1] if people else None, span, tuple(one.repository for one in released))
    return Reply(question, (document,), "", about)


def _title(queries: QueryService, one: Released) -> str:
    """ "acme/engine v2.1 (30 September 2025)", "acme/engine since v2.1 (30 September 2025)"."""
    tag = one.tag or one.since
    since = "" if one.tag else "since "
    return f"{clean(one.repository)} {since}{queries.releases.named(tag) if tag else ''}".strip()


def telling_dates(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """When a release was tagged, in each repository that has it."""
    name = question.release or NEWEST
    tags = _meant(queries, question, name)
    if not tags:
        return _unknown(queries, question, thread, name)
    said = [f"{clean(tag.repository)} {clean(tag.name)} was tagged on {on(tag.at, queries.zone)}." for tag in tags]
    return Reply(question, words="\n".join(said), thread=thread)


def _meant(queries: QueryService, question: Question, name: str) -> list[Tag]:
    """The tags that a name means, of each repository the last one where it is no name."""
    releases, where = queries.releases, question.repositories
    return releases.latest(where) if name in (LATEST, NEWEST) else releases.meant(name, where)


def _unknown(queries: QueryService, question: Question, thread: Thread | None, name: str) -> Reply:
    where = f" in {clean(listed(list(question.repositories)))}" if question.repositories else ""
    if name in (LATEST, NEWEST):
        return Reply(question, words=f"No release is known{where}: there is no tag with a version.", thread=thread)
    near = queries.releases.nearest(name, question.repositories)
    choices = tuple(_choice(question, name, tag) for tag in near)
    meant = f" The nearest are {listed([one.label for one in choices])}." if choices else " No tag is known there."
    return Reply(question, words=f"There is no tag {clean(name)}{where}.{meant}", thread=thread, choices=choices)


def _choice(question: Question, name: str, tag: Tag) -> Choice:
    """The question with a tag in the place of a name."""
    release = "..".join(tag.name if part == name else part for part in (question.release or "").split(".."))
    asks = replace(question, release=release, repositories=(tag.repository,), choices=(), assumed=())
    return Choice(f"{clean(tag.repository)} {clean(tag.name)}", asks)
