"""A question about reviews, files or a topic → the reply to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.ask.changed_files import changed_files, files_in_common
from bot.ask.known import Thread
from bot.ask.profiles import every_month
from bot.ask.question import FOLDERS, Choice, Question
from bot.ask.reply import MOST_CHOICES, Reply, kinds_asked, span_of
from bot.model import Person
from bot.month.calendar import Days, MonthRange, Span
from bot.story.lines import distinct_names, in_span
from bot.story.list_documents import ChangesDocument, Document
from bot.story.wording import clean, listed

if TYPE_CHECKING:
    from bot.ask.query_service import QueryService


def reviewing(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """Others' changes that somebody reviewed."""
    if not question.people:
        return Reply(question, words="Whose reviews do you mean? Name somebody.", thread=thread)
    months = span_of(queries, question)
    return of_each(queries, question, months, lambda one: queries.lists.reviews(one, months, question.repositories))


def telling_files(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """Which files somebody or everyone changed, or which all of several people did; on a topic, at any time."""
    in_common, of_topic = question.intent == "compare", question.intent == "who"
    months = None if of_topic and question.span is None else span_of(queries, question)
    every = months or every_month(queries.present())
    people = list(dict.fromkeys(queries.person_in(question, name, every) for name in question.people))
    if in_common and len(people) < 2:
        words = "Name two people, and I say which files both changed: “did Ada and Grace change the same files?”"
        return Reply(question, words=words, thread=thread)
    if of_topic:
        activity = queries.lists.on_topic(question.topic or "", months, question.repositories, people)
        spans, notes = list(activity.spans), list(activity.notes)
    else:
        spans, notes = queries.lists.spans(people, every, question.repositories, question.topic)
    at = f" {in_span(months, not months.is_over(queries.settings.now(), queries.zone))}" if months else ""
    whose = clean(listed(distinct_names(people)) or (not of_topic and question.topic) or "")
    at += f" on “{clean(question.topic)}”" if of_topic and question.topic else ""
    folders = FOLDERS in question.kinds
    words = files_in_common(spans, at) if in_common else changed_files(spans, whose, at, folders=folders)
    of_spans = dict.fromkeys(clean(note) for facts in spans for note in facts.notes)
    about = Thread(question.people[-1] if people else None, Days.of(months) if months else None, question.repositories)
    return Reply(question, words="\n".join([words, *of_spans, *notes]), thread=about)


def helping_whom(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """Who reviewed somebody's changes or wrote them with them; on a topic, if no time is said, since they began."""
    topic, where = question.topic, question.repositories
    if not topic or question.span:
        months = span_of(queries, question)
        return of_each(queries, question, months, lambda one: queries.lists.reviewers(one, months, where, topic))
    present = queries.present()

    def ever(person: Person) -> ChangesDocument:
        first = next(iter(queries.activity.months(person)), present)
        return queries.lists.reviewers(person, MonthRange(first, present), where, topic)

    reply = of_each(queries, question, every_month(present), ever)
    return replace(reply, thread=thread)


def naming(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """Who worked on a topic, or what somebody did on it; or who worked with somebody."""
    if question.people and question.intent == "who" and not question.kinds:
        return helping_whom(queries, question, thread)
    topic = clean(question.topic or "")
    if not any(map(str.isalnum, topic)):
        words = "Who worked on what? Name a topic, such as a word of a subject or a folder."
        return Reply(question, words=words, thread=thread)
    months = span_of(queries, question) if question.span else None
    span = Days.of(months) if months else (thread.span if thread else None)
    about = Thread(thread.person if thread else None, span)
    every = months or every_month(queries.present())
    people = [queries.person_in(question, name, every) for name in question.people]
    kinds = kinds_asked(question)
    document = queries.lists.who(topic, months, question.repositories, people, kinds)
    if document.counts["people"]:
        return Reply(question, (document,), "", replace(about, repositories=question.repositories))
    choices = [Choice(clean(near), replace(question, topic=near)) for near in queries.lists.nearest_topics(topic)]
    if kinds:
        choices = [Choice("Changes of any kind", replace(question, kinds=()))]
    elif people:
        choices = [Choice("All of the time" if months else "Last month", replace(question, topic=None))]
    if months:
        choices.insert(
            0, Choice("At any time" if isinstance(months, Days) else "In all months", replace(question, span=None))
        )
    words = document.headline.text
    offered = [f"“{one.label}”" for one in choices if one.question.topic not in (None, question.topic)]
    if near := listed(offered, "or"):
        words += f" Did you mean {near}?"
    return Reply(question, words=words, thread=thread, choices=tuple(choices[:MOST_CHOICES]))


def of_each(
    queries: QueryService, question: Question, months: Span, document_of: Callable[[Person], Document]
) -> Reply:
    """A document for each person who is asked about."""
    people = dict.fromkeys(queries.person_in(question, name, months) for name in question.people)
    about = Thread(question.people[-1], Days.of(months), question.repositories)
    return Reply(question, tuple(map(document_of, people)), "", about)
