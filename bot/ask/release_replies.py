"""A question about a release → the reply to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.ask.known import Thread
from bot.ask.question import Choice, Question
from bot.ask.reply import Reply, kinds_asked
from bot.errors import ReleaseUnknown, ReleaseUnreadable
from bot.month.calendar import MonthRange
from bot.month.releases import LATEST, NEWEST

if TYPE_CHECKING:
    from bot.ask.queries import Queries


def telling_releases(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    """What is in a release that the one before, or another, does not hold, or what came since one; of everyone or of
    those who are named. A name that may mean several tags, or none, is asked back with choices."""
    try:
        released = queries.releases.asked(question.release or LATEST, question.repositories)
    except ReleaseUnknown as error:
        return _asked_back(question, thread, error)
    except ReleaseUnreadable as error:
        return Reply(question, words=f"I cannot tell that: {error}.", thread=thread)
    present = queries.present()
    people = [queries.person_in(question, one, MonthRange(present, present)) for one in question.people]
    where, release = [one.repository for one in released], question.release or LATEST
    without = (*question.without, *question.without_repositories)
    documents: tuple[Any, ...]
    if question.intent == "changes":
        kinds = kinds_asked(question)
        documents = (queries.changes(people, release, kinds=kinds, repositories=where, without=without),)
    elif people:
        documents = tuple(queries.month(people, release, repositories=where, without=without))
    else:
        documents = (queries.team(release, repositories=where, without=without),)
    span = thread.span if thread else None
    about = Thread(question.people[-1] if people else None, span, tuple(one.repository for one in released))
    return Reply(question, documents, "", about)


def telling_dates(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    """When a release was tagged, in each repository that has it."""
    try:
        said = queries.releases.dates(question.release or NEWEST, question.repositories)
    except ReleaseUnknown as error:
        return _asked_back(question, thread, error)
    return Reply(question, words="\n".join(said), thread=thread)


def _asked_back(question: Question, thread: Thread | None, error: ReleaseUnknown) -> Reply:
    asks = replace(question, choices=(), assumed=())
    choices = tuple(
        Choice(label, replace(asks, release=release, repositories=(where,))) for label, where, release in error.choices
    )
    return Reply(question, words=str(error), thread=thread, choices=choices)
