"""A question → the reply to it: for each intent a function, in one table.

Whoever wants another answer to an intent puts another function into ANSWERS.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.ask.known import Thread
from bot.ask.list_replies import naming, of_each, reviewing, telling_files
from bot.ask.profiles import every_month
from bot.ask.question import LARGEST, OF_FILES, REVIEW, Choice, Question
from bot.ask.reading.choices import NOT_UNDERSTOOD
from bot.ask.release_replies import telling_dates, telling_releases
from bot.ask.reply import MOST_CHOICES, Reply, ended, kinds_asked, span_of
from bot.errors import CommitUnknown, PersonUnknown
from bot.model import Person
from bot.month.calendar import Days, Month, MonthRange, Span
from bot.story.documents import MonthDocument
from bot.story.lines import span_title
from bot.story.wording import KINDS, clean, count, listed

if TYPE_CHECKING:
    from bot.ask.query_service import QueryService

LONGEST = 366  # days of everyone that are shown in one answer
MOST_MONTHS = 12  # shown in one answer; what is older is named
MOST_SIDES = 4  # of a comparison
LINKING = "I cannot link addresses here. Use `almanac people link`, or [[people]] in almanac.toml."
WHOSE = "Whose month do you mean? Name somebody."
SCHEDULING = (
    "I cannot set a schedule here. Digests are made and changed in Slack, by /almanac digest, or in almanac.toml, "
    "under [[digests]]; almanac digest --list prints them all."
)

Answer = Callable[["QueryService", Question, Thread | None], Reply]


def answered(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """The reply to a question. Somebody who is unknown, or several, is asked about with choices.

    Raises RepositoryUnavailable where the question names a repository that is not indexed.
    """
    try:
        if question.without or question.without_repositories:
            span = span_of(queries, question)
            people = [queries.person(name, span) for name in question.without]
            queries = queries.leaving_out(people, question.without_repositories)
        answer = telling_files if OF_FILES.intersection(question.kinds) else ANSWERS.get(question.intent, helping)
        if question.release and question.intent in OF_RELEASES:
            answer = telling_releases
        reply = answer(queries, question, thread)
    except PersonUnknown as error:
        names = error.fitting or error.nearest
        choices = [Choice(clean(name), _instead(question, error.said, name)) for name in names[:MOST_CHOICES]]
        return Reply(question, words=ended(error), thread=thread, choices=tuple(choices))
    if not question.assumed:
        return reply
    offered = dict.fromkeys((*question.choices, *reply.choices))
    return replace(reply, assumed=question.assumed, choices=tuple(offered)[:MOST_CHOICES])


def helping(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """What is missing; and what can be asked, where nothing else was, or nothing was understood."""
    is_lost = question.missing in (None, NOT_UNDERSTOOD)
    return Reply(question, words=question.missing or "", thread=thread, help=is_lost, choices=question.choices)


def linking(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    if question.topic:  # in Slack it is said there, with buttons: bot/slack/linking.py
        return Reply(question, words=queries.who_is_who().command(question), thread=thread)
    return Reply(question, words=LINKING, thread=thread)


def scheduling(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    return Reply(question, words=SCHEDULING, thread=thread)


def explaining(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    if question.release:
        return telling_dates(queries, question, thread)
    try:
        explanation = queries.explain(question.topic or "")
    except CommitUnknown as error:
        return Reply(question, words=f"{str(error)[:1].upper()}{str(error)[1:]}.", thread=thread)
    return Reply(question, words=explanation.text, thread=thread, explanation=explanation)


def telling_months(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """Somebody's months, newest first, or days. For an empty time the nearest active ones are offered."""
    if question.topic:
        return naming(queries, question, thread)
    if not question.people:
        return Reply(question, words=WHOSE, thread=thread)
    months = span_of(queries, question)
    documents, older, choices = list[MonthDocument](), list[str](), list[Choice]()
    each = max(1, MOST_MONTHS // max(1, len(question.people)))
    for name in question.people:
        person = queries.person_in(question, name, months)
        theirs = queries.months(person, months, question.repositories)
        documents += theirs[:each]
        older += [document.month for document in theirs[each:]]
        if not theirs[0].counts["commits"]:
            choices += _nearest(queries, replace(question, people=(name,)), person, months, len(question.people) > 1)
    words = ""
    if older:
        words = (
            f"{count(len(older), 'older month')} left out, back to {Month.parse(min(older)).title}; "
            f"ask for {'it' if len(older) == 1 else 'them'} by name."
        )
    about = Thread(question.people[-1], Days.of(months), question.repositories)
    return Reply(question, tuple(documents), words, about, choices=tuple(choices[:MOST_CHOICES]))


def telling_profiles(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """Whole histories, whatever months were asked for. The months that a conversation is about stay the same."""
    if not question.people:
        return Reply(question, words=WHOSE, thread=thread)
    every = every_month(queries.present())
    reply = of_each(queries, question, every, lambda one: queries.profile(one, question.repositories))
    about = Thread(question.people[-1], thread.span if thread else None, question.repositories)
    return replace(reply, thread=about)


def telling_everyone(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """A month of everyone, of a team or of repositories; of several months what each was about."""
    if words := _no_team(queries, question):
        return Reply(question, words=words, thread=thread)
    months, words = span_of(queries, question), ""
    about = Thread(None, Days.of(months), question.repositories)
    if isinstance(months, Days) or months.is_one:
        period = months.last if isinstance(months, MonthRange) else _within_a_year(months)
        if period != months and isinstance(months, Days):
            words = f"This shows the last {count(LONGEST, 'day')} of {months.title}; ask for what was before by name."
        document = queries.digest(period, question.topic, question.repositories)
        choices: list[Choice] = []
        if not document.counts["commits"] and not question.topic and not question.repositories:
            last = queries.activity.last_time(months)
            choices = [_in(question, last)] if last else []
        return Reply(question, (document,), words, about, choices=tuple(choices))
    shown = MonthRange(max(months.first, months.last - (MOST_MONTHS - 1)), months.last)
    if shown != months:
        words = f"This shows the last year of {span_title(months)}; ask for what was before by name."
    shipped = queries.lists.shipped(shown, question.topic, question.repositories)
    newest = [Month.parse(one.month) for one in shipped.months]
    choices = [_in(question, month) for month in newest[:MOST_CHOICES]]
    return Reply(question, (shipped,), words, about, choices=tuple(choices))


def listing(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """The changes of somebody or of everyone, of some kinds; where there are none, what there is instead."""
    if REVIEW in question.kinds:
        return reviewing(queries, question, thread)
    if words := _no_team(queries, question):
        return Reply(question, words=words, thread=thread)
    months = span_of(queries, question)
    people = [queries.person_in(question, name, months) for name in question.people]
    kinds = kinds_asked(question)
    is_largest = LARGEST in question.kinds
    document = queries.lists.changes(people, months, kinds, question.repositories, question.topic, largest=is_largest)
    about = Thread(question.people[-1] if people else None, Days.of(months), question.repositories)
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


def comparing(queries: QueryService, question: Question, thread: Thread | None) -> Reply:
    """Two months of one person, or several people in the same months, side by side.

    Of one person without months, or with a single one, it is that month and the one before.
    """
    span = span_of(queries, question)
    if not question.people:
        return Reply(question, words="Whose months shall I compare? Name somebody.", thread=thread)
    names: dict[Person, str] = {}
    for name in question.people:
        names.setdefault(queries.person_in(question, name, span), name)
    people = list(names)[:MOST_SIDES]
    if len(people) == 1:
        sides = [(people[0], one) for one in _two_times(span, question.ends)]
        about = Thread(question.people[0], Days.of(sides[1][1]), question.repositories)
    else:
        sides = [(person, span) for person in people]
        about = Thread(question.people[-1], Days.of(span), question.repositories)
    document = queries.lists.comparison(sides, question.repositories)
    left_out = question.people[MOST_SIDES:] if len(people) > 1 else ()
    words = f"{clean(listed(left_out))} left out: I compare at most {MOST_SIDES}." if left_out else ""
    choices: list[Choice] = []
    for side, (person, of) in zip(document.sides, sides, strict=True):
        if not side.counts["commits"]:
            again = replace(question, intent="month", people=(names[person],))
            choices += _nearest(queries, again, person, of, len(people) > 1)
    return Reply(question, (document,), words, about, choices=tuple(choices[:MOST_CHOICES]))


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


def _within_a_year(days: Days) -> Days:
    return Days(max(days.first, days.end - timedelta(LONGEST)), days.end)


def _nearest(
    queries: QueryService, question: Question, person: Person, months: Span, is_named: bool
) -> Sequence[Choice]:
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


def _no_team(queries: QueryService, question: Question) -> str:
    """What to say where a question names a team that there is none of."""
    if not question.topic or question.people or question.topic in queries.teams():
        return ""
    there = listed([clean(name) for name in queries.teams()])
    return f"There is no team called “{clean(question.topic)}”{f'; there is {there}' if there else ''}."


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
