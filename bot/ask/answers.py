"""A question → the reply to it: which query answers it, what is said first, and what could be asked instead.

One table says which function answers which intent. What may be too long is cut where it is shown (`fitted`); the
documents of a reply are whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from bot.ask.asked import is_of_release
from bot.ask.known import MOST_LISTED, NEAREST, Thread
from bot.ask.question import NO_TIME, NOT_UNDERSTOOD, Choice, Question, reading_line, typed
from bot.ask.reading import FRIENDLY, ONLY_TELLS, TOO_LONG, WHOSE, continued, read, subject_of
from bot.ask.words import apart
from bot.errors import AlmanacError, CommitUnknown, PersonUnknown, ReleaseUnknown, ReleaseUnreadable
from bot.model import Kind, Person, Sentence
from bot.month.calendar import Days, parse_any_period
from bot.month.people import of_one_name
from bot.month.releases import NEWEST, WHICH
from bot.story.documents import DigestDocument, MonthDocument, TopicDocument, cut, to_json
from bot.wording import capital, clean, count, listed

if TYPE_CHECKING:
    from bot.ask.explain import Explanations
    from bot.ask.queries import Queries
    from bot.story.documents import Document
    from bot.story.render import Templates

MOST_CHOICES = 4  # buttons below a reply
MOST_SHOWN, MOST_IN_SHORT = 1_200, 600  # characters of an answer, but for a team's post
SHA_LISTED = 12  # digits by which a conversation knows what was listed
MOST_SIDES = 4  # documents side by side

MOST_COUNTED = 20  # people who made most
RECENTLY = "the last 30 days"
FINAL = (ONLY_TELLS, TOO_LONG, FRIENDLY)  # which no model is asked about
BY_MODEL = "Answered with a model"
DROPPED = "Left out as not proved: {}."
LONG = "long"  # of a question's `form`: all of it
LINKING = "Addresses are linked by /almanac link in Slack, by `almanac people link`, or in almanac.toml."
COMPARE_WHAT = "Compare what: name two people, two times or two releases."
SCHEDULING = "Digests are made, changed and paused in Slack by /almanac digest, or in almanac.toml."

UNANSWERED = Thread(Question("unknown"))  # what a follow-up hangs on, where nothing was answered

Answer = Callable[["Queries", Question], "Reply"]
Beside = TypeVar("Beside")  # what belongs to a reply, such as whose eyes it is for


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered: documents, explanations, or words. `first` says how the question was read. `thread` is to be
    remembered. `sentences` are a model's, each with its commits, which have been held against these. `shares` is how
    many replies to one message share the room of an answer.

    `choices` are what may have been meant, or what could be asked instead; each is a whole question.
    """

    question: Question
    documents: tuple[Document, ...] = ()
    words: str = ""
    thread: Thread | None = None
    help: bool = False
    explanations: Explanations | None = None
    choices: tuple[Choice, ...] = ()
    first: str = ""
    sentences: tuple[Sentence, ...] = ()
    shares: int = 1

    @property
    def is_answered(self) -> bool:
        return bool(self.documents or self.sentences or (self.explanations and self.explanations.explained))

    @property
    def is_empty(self) -> bool:
        """Whether it tells of no commit."""
        counts = (getattr(one, "counts", {"commits": 1}) for one in self.documents)
        nothing = not any(one.get("commits", one.get("changes", 1)) for one in counts)
        return nothing and not (self.sentences or (self.explanations and self.explanations.explained))

    @property
    def sentence_lines(self) -> str:
        """What a model wrote, a line a sentence, each of which names its changes."""
        return "\n".join(f"- {one.text}" for one in self.sentences)


def understood(
    queries: Queries,
    text: str,
    *,
    asker: Person | None = None,
    member: Callable[[str], Person | None] | None = None,
    today: date | None = None,
    thread: Thread | None = None,
    mine: bool = False,
) -> Question:
    """What a text asks of the index as this reader may see it; `today` is the asker's day where that may be another
    than ours. With `mine`, what names nothing but a time is about the asker. `member` finds the person behind a Slack
    user's id; by almanac.toml alone unless it is given."""
    day = today or queries.settings.now().astimezone(queries.zone).date()
    return read(text, queries.known_for(text, asker, member), day, thread, mine=mine)


def answered_by_model(
    queries: Queries,
    text: str,
    question: Question,
    thread: Thread | None = None,
    *,
    now: datetime | None = None,
    asker: Person | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Reply | None:
    """What a model answers by the queries, where the settings want that; None where it is not asked, as of what
    `is_sure`, or has no answer that holds, or refuses what the tables read wholly. Below its sentences stands the list
    of the changes that they name, and nothing else."""
    is_read = question.intent != "unknown" and not question.unread
    is_final = question.missing in FINAL or (question.intent in ("help", "schedule", "link") and is_read)
    model = queries.writer.answering
    if model is None or is_final or is_sure(question, thread) or text.strip() == typed(question):
        return None
    from bot.ask.explain import Explanations
    from bot.ask.model_answer import HELP, Asked, ask_model
    from bot.story.render import Templates

    at = now or queries.settings.now().astimezone(queries.zone)
    asked = Asked(text, question, thread or Thread(), at, asker.name if asker else "")
    bare, prompts = replace(queries, writer=queries.writer.plain()), Templates(queries.settings.templates)
    found = ask_model(asked, bare, model, prompts, stopped=stopped)
    if found is None or (found.refused and is_read):
        return None
    if found.refused == HELP:
        return helping(queries, Question("help"))
    if found.refused:
        return Reply(question, words=found.refused, choices=question.choices, thread=_after(question, thread))
    reply = Reply(
        replace(question, missing=None, choices=()),
        tuple(one for one in found.documents if not isinstance(one, Explanations)),
        words=DROPPED.format(count(found.dropped, "sentence")) if found.dropped else "",
        explanations=next((one for one in found.documents if isinstance(one, Explanations)), None),
        first=BY_MODEL,
        sentences=found.sentences,
    )
    listed = found.evidence or tuple(_listed(reply))
    about = _thread(reply, thread) if question.intent != "unknown" else thread or Thread()
    return replace(reply, thread=replace(about, listed=listed[:MOST_LISTED]))


def is_sure(question: Question, thread: Thread | None = None) -> bool:
    """Whether the tables read it surely: people, a team, a time, repositories or a release in so many words and nothing
    else, one commit, or what has to be asked back. What has a topic, a condition or a thread behind it is answered more
    rightly by a model, also where each word of it was read."""
    if thread and thread.asked.intent:
        return False
    rest = replace(
        question, people=(), team=None, span=None, repositories=(), release=None, references=(), choices=(),
        assumed=tuple(one for one in question.assumed if one != NO_TIME),
    )  # fmt: skip
    is_known = question.intent in ("month", "what_shipped", "profile", "changes") or len(question.references) == 1
    is_asked_back = bool(question.missing) and not question.unread
    return question.intent != "unknown" and (is_asked_back or (is_known and rest == Question(question.intent)))


def answered(queries: Queries, question: Question, thread: Thread | None = None) -> Reply:
    """The reply to a question. Somebody who is unknown, or several, is asked about with choices.

    Raises AlmanacError where it names what is not there, with a sentence that says so.
    """
    try:
        tell = comparing if question.ends and question.intent in APART else ANSWERS.get(question.intent, helping)
        reply = tell(queries, question)
    except (PersonUnknown, ReleaseUnknown, CommitUnknown, ReleaseUnreadable) as error:
        reply = _asked_back(question, error)
    is_bounded = question.span or question.people or question.release
    if is_bounded and reply.is_empty and question.intent not in ("unknown", "explain"):
        wider = _widened(question)
        if wider and not (found := answered(queries, wider, thread)).is_empty:
            return found
    if not reply.is_answered:
        first = reading_line(question) if question.unread and question.intent != "unknown" else ""
        is_read = question.intent not in NO_QUERIES and not reply.choices
        return replace(reply, first=first, thread=_thread(reply, thread) if is_read else _after(question, thread))
    offered = tuple(dict.fromkeys((*question.choices, *reply.choices)))[:MOST_CHOICES]
    return replace(reply, first=_read(reply), choices=offered, thread=_thread(reply, thread))


def answered_each(
    first: Reply,
    beside: Beside,
    read: Callable[[str, Thread], Question],
    ask: Callable[[Question, Thread], tuple[Reply, Beside]],
) -> list[tuple[Reply, Beside]]:
    """The reply to the first question of a message, and those to its others, each of which is read and asked in the
    thread of the one before. What is not read wholly stays unread; what is told already is not told again. `beside` is
    what belongs to the first reply, as `ask` gives it with the others."""
    replies, unread = [(first, beside)], list(first.question.unread)
    for text in first.question.then if first.is_answered and not first.sentences else ():
        about = replies[-1][0].thread or Thread()
        try:
            question = read(text, about)
            if question.unread or question.missing or question.intent in NO_QUERIES:
                continue
            reply, its = ask(question, about)
        except AlmanacError:  # the first is answered in any case
            continue
        reply = reply if reply.thread else replace(reply, thread=about)
        if question.topic and not (reply.is_answered and not reply.is_empty):  # "and why it matters" is no topic
            continue
        same = [one for one, _ in replies if (one.documents, one.explanations) == (reply.documents, reply.explanations)]
        if same and all(one.question.intent != reply.question.intent for one in same):
            continue  # it asks for more than what is told, or for something else
        if not same:
            replies.append((reply, its))
        unread.remove(text)
    if len(unread) < len(first.question.unread):
        first = replace(first, question=replace(first.question, unread=tuple(unread)))
        replies[0] = replace(first, first=_read(first)), beside
    return [(replace(one, shares=len(replies)), its) for one, its in replies]


def _asked_back(question: Question, error: AlmanacError) -> Reply:
    """What cannot be answered as it is asked, with what may have been meant."""
    asks, meant = replace(question, choices=(), found={}), list[Choice]()
    said = str(error).rstrip(".?") + ("?" if str(error).endswith("?") else ".")
    if isinstance(error, PersonUnknown):
        for name in error.fitting or error.nearest:
            people, without = (
                tuple(name if one == error.said else one for one in named) for named in (asks.people, asks.without)
            )
            meant.append(Choice(clean(name), replace(asks, people=people, without=without)))
    elif isinstance(error, ReleaseUnknown):
        for label, where, release in error.choices:
            meant.append(Choice(label, replace(asks, release=release, repositories=(where,), assumed=())))
    elif isinstance(error, CommitUnknown):
        meant = [Choice(one, replace(asks, references=(one,))) for one in error.meant]
    else:
        said = f"I cannot tell that: {said}"
    return Reply(question, words=capital(said), choices=tuple(meant[:MOST_CHOICES]))


def _after(question: Question, thread: Thread | None) -> Thread:
    """What a follow-up hangs on behind what was not answered: what was read of that, else the thread as it was."""
    said = replace(question, intent="unknown", form=(), assumed=(), choices=(), missing=None, found={})
    named = Thread(said) if question.intent == "unknown" else UNANSWERED
    if not thread or thread == Thread() or not thread.is_of_something:
        return named
    return replace(thread, asked=continued(thread.asked, said)) if named.is_of_something else thread


def fitted(reply: Reply, templates: Templates) -> tuple[Reply, int]:
    """The reply with as much of each document as an answer may be long, and how many changes are not shown then. All of
    it is for whoever asks for that, and for whoever copies it as Markdown."""
    if {LONG, "markdown"}.intersection(reply.question.form):
        return reply, 0
    documents, left = list[Any](), 0
    is_short = "short" in reply.question.form
    most = (MOST_IN_SHORT if is_short else MOST_SHOWN) // (max(1, len(reply.documents)) * reply.shares)
    for one in reply.documents:
        if isinstance(one, DigestDocument) and not is_short:  # which is short enough
            documents.append(one)
            continue
        kept, cut_off = cut(one, lambda some: len(templates.month("markdown", some)) <= most)
        documents.append(kept)
        left += cut_off
    return replace(reply, documents=tuple(documents)), left


def answer_document(reply: Reply) -> Any:
    """What `--format json` prints: the document that answers, or a list of several, with how the question was read
    beside it; of what is not answered the sentence and the choices."""
    question = reply.question
    span = [question.span.first.isoformat(), question.span.end.isoformat()] if question.span else None
    query, lists = QUERIES.get(question.intent, question.intent), ("people", "repositories", "kinds")
    reading = {"query": query, "span": span, "topic": question.topic, "release": question.release}
    reading |= {"without": list(question.left_out), **{name: list(getattr(question, name)) for name in lists}}
    beside = {"reading": reading, "unread": list(question.unread), "assumed": list(question.assumed)}
    documents = [to_json(one) for one in (*reply.documents, *([reply.explanations] if reply.explanations else []))]
    if reply.sentences:
        return beside | {"sentences": to_json(reply.sentences), "documents": documents}
    if not documents:
        return beside | {"said": reply.words, "choices": [typed(one.question) for one in reply.choices]}
    each = [one | beside for one in documents]
    return each[0] if len(each) == 1 else each


def more_said(left: int) -> str:
    """What is said of changes that are not shown."""
    return f"{count(left, 'more change')}: ask for “all of it”." if left else ""


def helping(queries: Queries, question: Question) -> Reply:
    """What is missing; and what can be asked, where nothing else was, or nothing was understood."""
    is_lost = question.missing in (None, NOT_UNDERSTOOD)
    return Reply(question, words=question.missing or "", help=is_lost, choices=question.choices)


def pointing(queries: Queries, question: Question) -> Reply:
    """Where that is done which no question does."""
    return Reply(question, words=LINKING if question.intent == "link" else SCHEDULING)


def telling_months(queries: Queries, question: Question) -> Reply:
    """Months of somebody; of several people, or of one in two times, one document each, side by side."""
    if not question.people:
        return Reply(question, words=WHOSE)
    spans = list(question.ends) if question.ends else [_span(question)]
    people, recent = _people(queries, question)[:MOST_SIDES], _is_recent(question)
    span = None if recent else spans if question.ends or len(people) > 1 else spans[0]
    documents = queries.month(people, span, recent=recent, **_limits(question))
    if not (question.span or question.release) and len(documents) == len(people):  # another time does as well
        documents = [
            queries.month(who, recent=True, **_limits(question))[0] if _is_empty(one) else one
            for who, one in zip(people, documents, strict=True)
        ]
    if recent and len(documents) == 1 and documents[0].from_ is None:  # a whole month instead
        span = Days.parse(documents[0].month, documents[0].month)
        question = replace(question, span=span, assumed=(*_but_recent(question), f"{RECENTLY} have nothing"))
    words = ""
    if left_out := question.people[MOST_SIDES:]:
        words = f"{clean(listed(left_out))} left out: I show at most {MOST_SIDES} side by side."
    return Reply(question, tuple(documents), words)


def comparing(queries: Queries, question: Question) -> Reply:
    """Two times, releases, people or repositories side by side, each as it is told alone, and never what lies between
    them."""
    is_list = bool(question.kinds or question.states or question.count)
    ends, first, last = question.ends, *(question.release or "").partition("..")[::2]
    if question.intent == "compare" and not is_list and (len(set(question.people)) > 1 or (question.people and ends)):
        return telling_months(queries, replace(question, people=question.people[:2]))
    if "tagged" in question.states and not ends:  # the last ones, with the days between them, and what is in each
        tags, bare = listing(queries, question).documents[0], replace(question, states=(), order=None, limit=None)
        sides = [replace(bare, release=row.title) for row in reversed(getattr(tags, "rows", ()))][-MOST_SIDES:]
        return Reply(question, (_number(tags), *(telling_everyone(queries, side).documents[0] for side in sides)))
    sides = [replace(question, span=one, ends=None) for one in ends or ()]
    sides = sides or [replace(question, release=one) for one in (first, last) if last]
    sides = sides or [replace(question, people=(one,)) for one in question.people]
    sides = sides or [replace(question, repositories=(one,)) for one in question.repositories]
    if len(sides) < 2:
        return Reply(question, words=COMPARE_WHAT)
    tell = ANSWERS[question.intent] if question.intent in APART else listing if is_list else telling_everyone
    documents = (one for side in sides[:MOST_SIDES] for one in tell(queries, side).documents)
    return Reply(question, tuple(map(_number, documents) if question.count else documents))


def _number(document: Any) -> Any:
    """A document of changes or people without those that it lists: their number alone is asked for."""
    of_it = "people" if isinstance(document, TopicDocument) else "rows"
    return replace(document, more=0, **{of_it: ()})


def telling_everyone(queries: Queries, question: Question) -> Reply:
    """A time or a release of everyone, of a team or of repositories; or who is new in it. Where some kinds alone are
    asked for, or some states, it is a list of these."""
    if question.first_time:
        return naming(queries, question)
    if question.kinds or question.states:
        return listing(queries, question)
    return Reply(question, (queries.team(_span(question), **_limits(question)),))


def listing(queries: Queries, question: Question) -> Reply:
    """Changes, or reviews."""
    people, limits, span = _people(queries, question), _limits(question), _span(question)
    if question.reviews:
        whose: Sequence[Person | str | None] = people or [None]
        each = (queries.reviews(one, question.reviews, question.references, span, **limits) for one in whose)
        return Reply(question, tuple(each))
    asked = _limits(question, "kinds", "states", "order", "limit", "first_time", "references")
    return Reply(question, (queries.changes(people, span, **asked),))


def naming(queries: Queries, question: Question) -> Reply:
    """Who worked on a topic, on a path, in a place, or at all in a time."""
    if question.reviews or question.people:
        return listing(queries, question)
    asked = _limits(question, "kinds", "order", "first_time", "references")
    if question.order == "most" and not question.release and asked.keys() <= {"order", "repositories"}:
        where, most = question.repositories, question.limit or MOST_COUNTED
        return Reply(question, (queries.people("", _span(question) or "ever", repositories=where, limit=most),))
    return Reply(question, (queries.who(_span(question), limit=question.limit, **asked),))


def explaining(queries: Queries, question: Question) -> Reply:
    if question.release and not (question.references or question.topic or question.paths):
        return telling_everyone(queries, replace(question, intent="what_shipped"))
    asked = _limits(question, "kinds", "deed", "release") | {"reverted": "reverted" in question.states}
    people = _people(queries, question)
    try:
        explanations = queries.explain(question.references, question.span, people=people, **asked)
    except CommitUnknown:
        if not question.span:
            raise
        there = "any time: nothing in the last 30 days" if _is_recent(question) else f"{question.span.title}: nothing"
        question = replace(question, span=None, assumed=(*_but_recent(question), there))
        explanations = queries.explain(question.references, people=people, **asked)
    return Reply(question, explanations=explanations)


def telling_profiles(queries: Queries, question: Question) -> Reply:
    """Whole histories, whatever months were asked for."""
    if not question.people:
        return Reply(question, words=WHOSE)
    people = _people(queries, question)[:MOST_SIDES]
    return Reply(question, tuple(queries.profile(one, **_limits(question)) for one in people))


# --- from a question to what a query takes


def _people(queries: Queries, question: Question) -> list[Person | str]:
    """Who is asked about, as found when it was read, else by name; all of one full name are told as one."""
    exactly = queries.known.directory.exactly
    same = {name: of_one_name(exactly(name, levels=(1,))) for name in question.people if name not in question.found}
    return [question.found.get(name) or (same[name][0] if len(same[name]) == 1 else name) for name in question.people]


def _limits(question: Question, *more: str) -> dict[str, Any]:
    """What a question is limited to, and more of it, by the names that the queries give that."""
    names = ("repositories", "topic", "topic_in", "paths", "only", "team", *more)
    kinds = tuple(kind for kind in get_args(Kind) if kind in question.kinds)
    every = {name: kinds if name == "kinds" else getattr(question, name) for name in names}
    every["without"] = question.left_out
    return {name: value for name, value in every.items() if value}


def _span(question: Question) -> Days | str | None:
    return f"tags:{question.release}" if question.release else question.span


def _widened(question: Question) -> Question | None:
    """A question on a topic that nothing in its time is on as one of any time, or of somebody's work as one of all of
    it; not one that is on a condition besides, or on any of some words."""
    is_bare = replace(question, kinds=(), states=(), order=None, count=False, first_time=False) == question
    if not (is_bare and question.topic and len(apart(question.topic)) == 1) or question.left_out:
        return None
    if question.people:
        return replace(question, topic=None, assumed=(*question.assumed, f"nothing on “{question.topic}”"))
    if not question.span or question.intent not in ("changes", "who"):  # others take last month for any time
        return None
    return replace(question, span=None, assumed=(*question.assumed, f"{question.span.title}: nothing"))


def _is_empty(document: MonthDocument) -> bool:
    return not (document.counts["commits"] or document.written_before or document.credit.reviewed)


def _is_recent(question: Question) -> bool:
    """Whether a time was taken that says no more than "now", so that another one will do where it holds nothing."""
    return len(_but_recent(question)) < len(question.assumed)


def _but_recent(question: Question) -> tuple[str, ...]:
    return tuple(one for one in question.assumed if not one.endswith(RECENTLY))


# --- what is said besides


def _read(reply: Reply) -> str:
    """How a question was read: with the releases as their document calls them, with their days, and the time that was
    taken where none was named, that of the first document; nothing where it is of commits, which name themselves."""
    question, document = reply.question, reply.documents[0] if reply.documents else None
    is_plain = question.references and (question.intent == "explain" or question.reviews)
    if is_plain and not (question.unread or question.assumed):
        return ""
    if any(one.startswith(NEAREST) for one in question.assumed):
        question = replace(question, references=())
    if question.release and isinstance(document, DigestDocument) and document.release and len(reply.documents) == 1:
        question = replace(question, release=document.digest.partition(": ")[0], repositories=())
    first = getattr(document, "month", None) or getattr(document, "from_", None)
    last = first if hasattr(document, "month") else getattr(document, "to", None) or first
    default = capital(parse_any_period(first if first == last else f"{first}..{last}").title) if first and last else ""
    if hasattr(document, "from_") and not (default or question.release):
        default = "any time"
    return reading_line(question, default=default)


def _thread(reply: Reply, before: Thread | None) -> Thread:
    """What the conversation is about now."""
    unread = tuple(one for one in reply.question.unread if one not in reply.question.then)
    asked = replace(reply.question, form=(), assumed=(), choices=(), missing=None, found={}, unread=unread, then=())
    if asked.release == WHICH:
        asked = replace(asked, release=None)
    if asked.intent == "profile":  # what is asked on is a time of theirs
        asked = replace(asked, intent="month")
    listed, shown = tuple(dict.fromkeys(_listed(reply))) or asked.references, set(_authors(reply))
    if is_of_release(asked):  # and not of the commit that its tag names
        asked, listed = replace(asked, release=asked.release or NEWEST), ()
    every = sum(one.counts.get("changes", 0) for one in reply.documents if hasattr(one, "counts") and not asked.limit)
    is_cut = max(every, len(listed)) > len(listed[:MOST_LISTED])
    is_first = asked.intent == "explain" or (asked.intent == "who" and asked.order in ("first", "landed", "latest"))
    alone = next(iter(_authors(reply)), "") if is_first or len(shown) == 1 else ""
    return Thread(asked, listed[:MOST_LISTED], is_cut, alone, about=subject_of(before, asked))


def _authors(reply: Reply) -> Iterable[str]:
    """Whose work an answer on a topic or a commit shows."""
    yield from (one.author for one in (reply.explanations.explained if reply.explanations else ()))
    for document in reply.documents:
        if isinstance(document, TopicDocument):
            yield from (one.name for one in document.people)


def _listed(reply: Reply) -> Iterable[str]:
    """The changes of a reply, in the order in which they are shown, as a follow-up may name them."""
    for explanation in reply.explanations.explained if reply.explanations else ():
        yield explanation.sha[:SHA_LISTED]
    for document in reply.documents:
        if isinstance(document, MonthDocument):
            yield from (line.sha[:SHA_LISTED] for item in document.items for line in item.lines)
        elif isinstance(document, DigestDocument):
            yield from (one.sha[:SHA_LISTED] for one in document.things)
        else:
            groups = (document, *getattr(document, "people", ()))
            yield from (row.sha[:SHA_LISTED] for one in groups for row in getattr(one, "rows", ()))


NO_QUERIES = ("unknown", "help", "link", "schedule")  # intents that nothing is looked up for
APART = ("changes", "what_shipped", "who")  # intents that tell of two times one after the other
# Which query answers an intent.
QUERIES = {"what_shipped": "team", "digest": "team", "compare": "month"}
ANSWERS: dict[str, Answer] = {
    "month": telling_months,
    "compare": comparing,
    "profile": telling_profiles,
    "what_shipped": telling_everyone,
    "digest": telling_everyone,
    "changes": listing,
    "who": naming,
    "explain": explaining,
    "link": pointing,
    "schedule": pointing,
    "help": helping,
    "unknown": helping,
}
