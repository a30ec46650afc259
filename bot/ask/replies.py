"""A question → the reply to it: for each intent a function, in one table.

Whoever wants another answer to an intent puts another function into ANSWERS.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.ask.known import Thread
from bot.ask.material import every_month
from bot.ask.question import FOLDERS, LARGEST, NOT_UNDERSTOOD, OF_FILES, REVIEW, TIME_ASSUMED, Choice, Question
from bot.ask.release_replies import telling_dates, telling_releases
from bot.ask.reply import MOST_CHOICES, Reply, ended, kinds_asked, span_of
from bot.errors import CommitUnknown, PersonUnknown
from bot.model import Person
from bot.month.calendar import Days, Month, MonthRange, Span
from bot.story.documents import MonthDocument
from bot.story.wording import KINDS, clean, count, listed

if TYPE_CHECKING:
    from bot.ask.queries import Queries

MOST_MONTHS = 12  # shown in one answer; what is older is named
MOST_SIDES = 4  # of a comparison
LINKING = "I cannot link addresses here. Use `almanac people link`, or [[people]] in almanac.toml."
WHOSE = "Whose month do you mean? Name somebody."
SCHEDULING = (
    "I cannot set a schedule here. Digests are made and changed in Slack, by /almanac digest, or in almanac.toml, "
    "under [[digests]]; almanac digest --list prints them all."
)

Answer = Callable[["Queries", Question, Thread | None], Reply]


def answered(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    """The reply to a question. Somebody who is unknown, or several, is asked about with choices.

    Raises RepositoryUnavailable where the question names a repository that is not indexed.
    """
    try:
        is_of_files = OF_FILES.intersection(question.kinds) or question.listing in OF_FILES
        answer = telling_files if is_of_files else ANSWERS.get(question.intent, helping)
        if question.release and question.intent in OF_RELEASES:
            answer = telling_releases
        reply = answer(queries, question, thread)
    except PersonUnknown as error:
        names = error.fitting or error.nearest
        choices = [Choice(clean(name), _instead(question, error.said, name)) for name in names[:MOST_CHOICES]]
        return Reply(question, words=ended(error), thread=thread, choices=tuple(choices))
    said = [one for one in question.assumed if one not in TIME_ASSUMED]
    said += [f"not understood: {listed([f'“{clean(one)}”' for one in question.unread])}"] if question.unread else []
    if not said or question.intent == "unknown":
        return reply
    offered = dict.fromkeys((*question.choices, *reply.choices))
    return replace(reply, assumed=tuple(said), choices=tuple(offered)[:MOST_CHOICES])


def helping(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    """What is missing; and what can be asked, where nothing else was, or nothing was understood."""
    is_lost = question.missing in (None, NOT_UNDERSTOOD)
    return Reply(question, words=question.missing or "", thread=thread, help=is_lost, choices=question.choices)


def linking(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    if question.topic:  # in Slack it is said there, with buttons: bot/slack/linking.py
        return Reply(question, words=queries.who_is_who().command(question), thread=thread)
    return Reply(question, words=LINKING, thread=thread)


def scheduling(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    return Reply(question, words=SCHEDULING, thread=thread)


def explaining(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    from bot.ask.explain import Explainer  # which a plain `almanac month` can do without

    if question.release:
        return telling_dates(queries, question, thread)
    try:
        explanation = Explainer(queries).explain("".join(question.references[:1]) or question.topic or "")
    except CommitUnknown as error:
        return Reply(question, words=f"{str(error)[:1].upper()}{str(error)[1:]}.", thread=thread)
    return Reply(question, words=explanation.text, thread=thread, explanation=explanation)


def telling_months(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    """Somebody's months, newest first, or days. For an empty time the nearest active ones are offered."""
    if not question.people:
        return Reply(question, words=WHOSE, thread=thread)
    months = span_of(queries, question)
    documents, choices = list[MonthDocument](), list[Choice]()
    each = max(1, MOST_MONTHS // max(1, len(question.people)))
    for name in question.people:
        person = queries.person_in(question, name, months)
        theirs = queries.month(person, months, most=each, **_limits(question))
        documents += theirs
        if not theirs[0].counts["commits"]:
            choices += _nearest(queries, replace(question, people=(name,)), person, months, len(question.people) > 1)
    about = Thread(question.people[-1], Days.of(months), question.repositories)
    return Reply(question, tuple(documents), "", about, choices=tuple(choices[:MOST_CHOICES]))


def telling_profiles(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    """Whole histories, whatever months were asked for. The months that a conversation is about stay the same."""
    if not question.people:
        return Reply(question, words=WHOSE, thread=thread)
    every = every_month(queries.present())
    people = dict.fromkeys(queries.person_in(question, name, every) for name in question.people)
    about = Thread(question.people[-1], thread.span if thread else None, question.repositories)
    return Reply(question, tuple(queries.profile(one, **_limits(question)) for one in people), "", about)


def telling_everyone(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    """A time of everyone, of a team or of repositories."""
    months = span_of(queries, question)
    document = queries.team(months, **_limits(question, **_team(queries, question)))
    choices: list[Choice] = []
    if not document.counts["commits"] and not question.topic and not question.repositories:
        last = queries.activity.last_time(months)
        choices = [_in(question, last)] if last else []
    about = Thread(None, Days.of(months), question.repositories)
    return Reply(question, (document,), "", about, choices=tuple(choices))


def listing(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    """The changes of somebody or of everyone, of some kinds; where there are none, what there is instead."""
    months = span_of(queries, question)
    people = [queries.person_in(question, name, months) for name in question.people]
    about = Thread(question.people[-1] if people else None, Days.of(months), question.repositories)
    if REVIEW in question.kinds or question.reviews:
        if not people:
            return Reply(question, words="Whose reviews do you mean? Name somebody.", thread=thread)
        each = (queries.reviews(one, question.reviews or "by", span=months, **_limits(question)) for one in people)
        return Reply(question, tuple(each), "", about)
    kinds = kinds_asked(question)
    states: tuple[Any, ...] = ("reverted",) if kinds == ("revert",) else question.states
    document = queries.changes(
        people, months, kinds=() if kinds == ("revert",) else kinds, states=states,
        order="size" if LARGEST in question.kinds else question.order, limit=question.limit,
        **_limits(question, **_team(queries, question)), first_time=question.first_time,
    )  # fmt: skip
    choices: list[Choice] = []
    if not document.counts["changes"]:
        there = document.instead
        if kinds == ("revert",) and there:
            choices = [Choice(f"All {count(sum(one.changes for one in there), 'change')}", replace(question, kinds=()))]
        else:
            choices = [_of_kind(question, one.kind, one.changes) for one in there]
        if not there:
            choices = [one for person in people for one in _nearest(queries, question, person, months, len(people) > 1)]
    return Reply(question, (document,), "", about, choices=tuple(choices[:MOST_CHOICES]))


def comparing(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    """Two times of one person, or several people in the same time, side by side, each as it is told alone.

    Of one person without a time, or with a single one, it is that and the one before.
    """
    span = span_of(queries, question)
    if not question.people:
        return Reply(question, words="Whose months shall I compare? Name somebody.", thread=thread)
    people = list(dict.fromkeys(queries.person_in(question, name, span) for name in question.people))[:MOST_SIDES]
    spans = list(_two_times(span, question.ends)) if len(people) == 1 else [span]
    about = Thread(question.people[-1], Days.of(spans[-1]), question.repositories)
    documents = queries.month(people, spans, **_limits(question))
    left_out = question.people[MOST_SIDES:] if len(people) > 1 else ()
    words = f"{clean(listed(left_out))} left out: I compare at most {MOST_SIDES}." if left_out else ""
    choices: list[Choice] = []
    for document, (person, of) in zip(documents, ((one, of) for one in people for of in spans), strict=True):
        if not document.counts["commits"]:
            again = replace(question, intent="month", people=(person.name,), ends=None)
            choices += _nearest(queries, again, person, of, len(people) > 1)
    return Reply(question, tuple(documents), words, about, choices=tuple(choices[:MOST_CHOICES]))


def telling_files(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    """Which files somebody or everyone changed, or which all of several people did; on a topic, at any time."""
    in_common, of_topic = question.intent == "compare", question.intent == "who"
    months = None if of_topic and question.span is None else span_of(queries, question)
    if in_common and len(question.people) < 2:
        words = "Name two people, and I say which files both changed: “did Ada and Grace change the same files?”"
        return Reply(question, words=words, thread=thread)
    people = [queries.person_in(question, name, months or every_month(queries.present())) for name in question.people]
    limits = _limits(question, **({} if of_topic else _team(queries, question)))
    folders = FOLDERS in question.kinds or question.listing == "folders"
    document = queries.files(people, months, folders=folders, common=in_common, **limits)
    about = Thread(question.people[-1] if people else None, Days.of(months) if months else None, question.repositories)
    return Reply(question, (document,), thread=about)


def naming(queries: Queries, question: Question, thread: Thread | None) -> Reply:
    """Who worked on a topic, or what somebody did on it; or who worked with somebody."""
    months = span_of(queries, question) if question.span else None
    every = months or every_month(queries.present())
    people = [queries.person_in(question, name, every) for name in question.people]
    if people and question.intent == "who" and not question.kinds:
        time = span_of(queries, question) if months or not question.topic else None
        each = tuple(queries.reviews(one, "of", span=time, **_limits(question)) for one in people)
        time = time or (thread.months if thread else None)
        about = Thread(question.people[-1], Days.of(time) if time else None, question.repositories)
        return Reply(question, each, "", about)
    topic = clean(question.topic or "")
    if not any(map(str.isalnum, topic)) and not question.paths:
        words = "Who worked on what? Name a topic, such as a word of a subject or a folder."
        return Reply(question, words=words, thread=thread)
    span = Days.of(months) if months else (thread.span if thread else None)
    about = Thread(thread.person if thread else None, span)
    kinds = kinds_asked(question)
    document = queries.who(months, people=people, kinds=kinds, order=question.order, **_limits(question))
    if document.counts["people"]:
        return Reply(question, (document,), "", replace(about, repositories=question.repositories))
    choices = [Choice(clean(near), replace(question, topic=near)) for near in queries.nearest_topics(topic)]
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


def _limits(question: Question, **more: Any) -> dict[str, Any]:
    """What a query is limited to, by the names that it takes it under."""
    without = (
        *question.without, *question.without_repositories, *question.without_topics, *question.without_kinds,
    )  # fmt: skip
    every = {
        "repositories": question.repositories, "topic": question.topic, "topic_in": question.topic_in,
        "paths": question.paths, "only": question.only, "without": without, **more,
    }  # fmt: skip
    return {name: value for name, value in every.items() if value}


def _two_times(span: Span, ends: tuple[Days, Days] | None) -> tuple[Span, Span]:
    """What is compared of one person: two times that are said; the first and the last month of several; else a time and
    the one of the same length before it."""
    if ends:
        one, other = (side.months or side for side in ends)
        return one, other
    if isinstance(span, Days):
        return Days(span.first - (span.end - span.first), span.first), span
    first = span.last - 1 if span.is_one else span.first
    return MonthRange(first, first), MonthRange(span.last, span.last)


def _nearest(queries: Queries, question: Question, person: Person, months: Span, is_named: bool) -> Sequence[Choice]:
    """The same question for the nearest times in which a person is active."""
    return [
        replace(one, label=f"{clean(person.name)}, {one.label}") if is_named else one
        for one in (_in(question, near) for near in queries.activity.near(person, months))
    ]


def _in(question: Question, time: Month | Span) -> Choice:
    return Choice(time.title, replace(question, span=Days.of(time), ends=None, choices=(), assumed=()))


def _of_kind(question: Question, kind: str, changes: int) -> Choice:
    one, several = next(words[1:] for known, words in KINDS.items() if known == kind)
    return Choice(count(changes, one, several), replace(question, kinds=(kind,), choices=()))


def _instead(question: Question, said: str, name: str) -> Question:
    people, without = (
        tuple(name if one == said else one for one in named) for named in (question.people, question.without)
    )
    return replace(question, people=people, without=without, choices=())


def _team(queries: Queries, question: Question) -> dict[str, str | None]:
    """The team and the topic of a question; buttons that are older than both hold a team as their topic."""
    is_team = not question.team and not question.people and question.topic in queries.teams()
    return {"team": question.topic, "topic": None} if is_team else {"team": question.team, "topic": question.topic}


OF_RELEASES = ("month", "digest", "what_shipped", "changes")
ANSWERS: dict[str, Answer] = {
    "month": telling_months,
    "profile": telling_profiles,
    "digest": telling_everyone,
    "what_shipped": telling_everyone,
    "changes": listing,
    "compare": comparing,
    "who": naming,
    "explain": explaining,
    "link": linking,
    "schedule": scheduling,
    "help": helping,
    "unknown": helping,
}
