"""A part of a text that is read → the Question that it asks, in its thread, or why it cannot be answered. Pure.

What the words name is put together first, whatever is asked of it; the first way of asking that fits says what it is;
what is not named is taken from the thread, or is anything. What hangs on a word that was not read is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from bot.ask.known import NOTHING_ASKED, Known, Thread
from bot.ask.parts import ADDRESS, QuestionPart
from bot.ask.places import IDLE, Item
from bot.ask.question import NO_TIME, NOT_UNDERSTOOD, THREADS_TIME, Choice, Question, nobody, typed, which_one
from bot.ask.times import TimeFound, two_ends
from bot.ask.words import apart, listed_words, lists, respelled, tables
from bot.model import Identity, Person
from bot.month.addresses import plain
from bot.month.calendar import NAMES, Days, Month
from bot.month.paths import place_of
from bot.month.people import of_one_name
from bot.month.releases import LATEST, NEWEST, WHICH, name_before, version_of
from bot.wording import KINDS, clean, listed

MOST_CHOICES = 5  # as many as stand in one row of buttons
MOST_OFFERED = 3  # questions of those that can be answered instead
NOW_DAYS = 30  # "what is X working on"
EVER = Days(date(1970, 1, 2), date(2100, 1, 1))
MOST_MEANT = 10  # of what was listed
TEN_TIMES = 10  # as active as the next of one name: then it is them
WHY_NOT = tables()["cannot"]  # why something cannot be told, by what the class of its words ends with
ONLY_TELLS = "I only tell what is in git, and change nothing there."
WHICH_COMMIT = "Which commit do you mean? Give the beginning of its SHA, or its number, such as #12."
NOT_NAMED = "No change has all of “{}” in its title or its paths."
WHOSE = "Whose month do you mean? Name somebody."
WITH_WHOM = "Who somebody worked with is not in git: ask who reviewed their changes, or who worked on something."
WHO_WHAT = "Who worked on what? Name it, such as “who worked on the parser”."
NOTHING_NEW = "That asks for nothing but what was told before: name what shall be other, such as a month or a topic."
HANGS = "I did not wholly understand what came before, so I cannot tell what this hangs on: ask a whole question."
WHO_ARE_YOU = (
    "I do not know which author you are in git: ask with your name as it stands in your commits, or have your "
    "Slack id put beside your name in almanac.toml."
)
AREAS = ("docs", "test", "ci", "build", "chore")  # kinds that are places as well
_OF_TIME = ("month", "what_shipped", "changes", "compare")  # intents that take a time by default
_SAYS_LINK = re.compile(
    r"(?:whose|who is|who does|who owns|who uses|link|unlink|i am) |.* is (?:me|mine|not me)\b|is \S+@\S+ |\S+@\S+ is "
)
_SCHEDULED = re.compile(r"every \w+( at \S+)?|stop( posting)?|pause|resume|mute")
_MONTHS = frozenset(map(str.casefold, NAMES))
_SUBJECT = ("people", "repositories", "team", "topic", "paths", "kinds")
_SAID_BY = {  # which words name what a question has: by what they were taken as, by their classes and groups
    "people": ("PERSON",), "span": ("TIME",), "repositories": ("REPO",), "team": ("TEAM",), "topic": ("TOPIC",),
    "paths": ("PATH",), "release": ("RELEASE",), "kinds": ("kind",), "states": ("state",),
    "order": ("order",), "count": ("count", "people"), "first_time": ("firsttime",),
}  # fmt: skip
_NOT_TAKEN = {  # by what answers an intent
    "explain": frozenset(("order", "count", "first_time")), "who": frozenset(("states",)),
    "profile": frozenset(("kinds", "states", "order", "count")),
}  # fmt: skip
_WITHOUT = ("without", "without_repositories", "without_topics", "without_kinds")


class NotAnswered(Exception):
    """What is said instead of an answer, with what may have been meant."""

    def __init__(self, message: str, choices: Iterable[Choice] = ()) -> None:
        super().__init__(message)
        self.choices = tuple(one for one in choices if one.label)[:MOST_CHOICES]


def offered(question: Question) -> Choice:
    """A question that is offered, as it could be typed."""
    question = replace(question, unread=(), assumed=(), choices=())
    return Choice(typed(question), question)


def why_not(part: QuestionPart, *, things: bool = True) -> str | None:
    """Why what a part speaks of cannot be told; or, without `things`, what it asks, whatever else it speaks of."""
    known_best = {"best"} if part.said("who") is not None else ()  # "who knows the parser best"
    words = (n for n in part.all if part.is_free(n) and part.low(n) not in known_best)
    cannot = {name.split()[-1] for n in words for name in part.classes[n]
              if name.startswith("cannot: ") and (things or "thing" not in name)}  # fmt: skip
    return next((line for name, line in WHY_NOT.items() if name in cannot), None)


def continued(before: Question, question: Question) -> Question:
    """A question with what it does not say taken from the one before."""
    if question.intent in ("unknown", "changes", before.intent):
        if is_of_release(before) and question.intent == "changes":  # of what it holds
            before = replace(before, states=(), order=None, limit=None)
        is_own = question.order or question.states or question.count
        limit = question.limit or (None if is_own else before.limit)
        order = question.order or (None if question.count else before.order)
        question = replace(question, states=question.states or before.states, order=order, limit=limit)
        if "reverted" in question.states and before.kinds == ("revert",):
            before = replace(before, kinds=())
    asked = before.intent if before.intent != "unknown" else ""
    remembered = asked or ("month" if before.people else "who" if before.topic else "what_shipped")
    return replace(
        question, intent=remembered if question.intent == "unknown" else question.intent,
        span=question.span or (None if question.release else before.span),
        release=question.release or (None if question.span else before.release),
        ends=question.ends or (None if question.span or question.release else before.ends),
        **{name: getattr(question, name) or getattr(before, name) for name in _SUBJECT},
    )  # fmt: skip


def without_still(question: Question, before: Question) -> Question:
    """A question that leaves out nothing itself without what the one before leaves out."""
    if any(getattr(question, name) for name in _WITHOUT):
        return question
    return replace(question, **{name: getattr(before, name) for name in _WITHOUT})


def is_of_reverts(asked: Question) -> bool:
    """Whether a question is about what was taken out, or what did so."""
    return "reverted" in asked.states or "revert" in asked.kinds


def is_of_release(asked: Question) -> bool:
    """Whether a question is of when one release came."""
    return "tagged" in asked.states and bool(asked.release or asked.limit == 1)


def is_of_commits(asked: Question) -> bool:
    """Whether a question is of some commits alone, as of those that are nearest to what was not understood."""
    return asked.intent == "explain" and bool(asked.references)


def _is_of_those(before: Question, question: Question) -> bool:
    """Whether what is asked on is of the changes that the question before is of."""
    is_list = before.intent in ("changes", "who") and not before.reviews
    is_same = question.intent in ("unknown", "changes", "who") and not (question.span or question.release)
    return bool(is_list and is_same and before.references)


class AskedPart:
    """What a part asks. `before` are the parts before it; with `mine`, what names but a time is about the asker."""

    def __init__(
        self, part: QuestionPart, before: Sequence[QuestionPart], known: Known, thread: Thread | None, *, mine: bool
    ) -> None:
        self._part, self._before, self._known, self._thread, self._mine = part, before, known, thread, mine
        self._asked = thread.asked if thread else NOTHING_ASKED
        self._called = known.directory.called
        self._text = " ".join(word.low for word in part.words)
        self._lows = frozenset(word.low for word in part.words)
        self.named = Question("unknown")  # what was read of it so far
        self._assumed = list[str]()
        self._found: dict[str, Person] = {}
        self._unsure: tuple[list[str], int, str, Sequence[Person]] | None = None  # whom a name may mean, of all names
        self._commits: dict[Person, int] = {}  # of whom a name may mean, in the time that is asked for

    def question(self) -> Question:
        """Raises NotAnswered."""
        part = self._part
        if answer := self._managed():
            return answer
        self._refuse_what_git_cannot_know()
        base = self._base()
        self.named = Question(
            "unknown", tuple(filter(None, base.people)), base.span, base.repositories,
            base.topic if self._holds(base.topic or "") else None, team=base.team, release=base.release,
            paths=base.paths,
        )  # fmt: skip
        question = self._intended(base)
        if question.intent == "who" and question.people:
            raise NotAnswered(WITH_WHOM, self._offers())
        if not question.references:
            self._refuse_strangers(question)
        question = self._in_thread(question, base) if self._thread else self._alone(question)
        self._lose_unused(base, question)
        self._refuse_other_subjects(question)
        if question.intent == "month" and not (question.span or question.release) and part.stand("at work now"):
            today = part.now.today
            question = replace(question, span=Days(today - timedelta(NOW_DAYS - 1), today + timedelta(1)))
            self._assumed.append(f"now: the last {NOW_DAYS} days")
        if part.stand("at work on a day"):
            raise NotAnswered(WHY_NOT["away"], self._offers())
        question = self._checked(question)
        slips = [
            f"“{raw}” read as {meant.title() if meant in _MONTHS else meant}" for raw, meant in part.slips.values()
        ]
        assumed = tuple(dict.fromkeys((*question.assumed, *slips, *part.assumed, *self._assumed)))
        return replace(question, assumed=assumed, found=self._found)

    def _has(self, *classes: str) -> bool:
        return self._part.said(*classes) is not None

    def _says(self, *words: str) -> bool:
        return not self._lows.isdisjoint(words)

    # what is no query, and what git does not know

    def _managed(self) -> Question | None:
        """Digests that are set, addresses that are linked, help."""
        part, has, helps = self._part, self._has, self._part.said("help")
        is_help = all(part.has(n, "idle", "questions", "pronouns") for n in part.all) or part.stand("how to")
        if helps is not None and (is_help or (not part.items and part.phrase[helps] > 1)):
            return Question("help")
        if link := self._linked():
            return link
        people, topics = part.of("PERSON"), part.of("TOPIC")
        repeats = has("repeated") or self._says("every", "each")
        repeats = repeats and not people and (has("digest") or not has("do", "shipped", "make"))
        changes = has("digest") and self._says(*lists()["changes managed"])
        posts = (has("digest", "posts") or self._says("send", "remind")) and (repeats or changes)
        lost = [n for n in part.all if part.is_lost(n) and part.is_strange(n) and not part.is_time(n)]
        said = [part.phrase[n] for n in part.all if part.has(n, "schedule")]
        is_clear = not lost or max(said, default=0) > 1  # "pause the digest", not "I remember a long pause"
        if (said and is_clear and not people and not topics) or posts or _SCHEDULED.fullmatch(self._text):
            part.regain(n for n in part.all if n not in lost or part.classes[n])
            return Question("schedule", repositories=tuple(str(one.value) for one in part.of("REPO")))
        return None

    def _linked(self) -> Question | None:
        """Whose an address or a login is."""
        part, exactly = self._part, self._known.directory.exactly
        full_names = {n for one in part.of("PERSON") if one.end - one.first > 1 for n in range(one.first, one.end)}
        topic = next((
            word.raw.lstrip("@") for n, word in enumerate(part.words) if n not in full_names
            if word.is_handle or exactly(word.low, levels=(2, 4)) or ADDRESS.fullmatch(word.raw)
            or (part.stands(n, "login") and not part.classes[n] - IDLE)
        ), None)  # fmt: skip
        is_link = self._has("link") or (topic and _SAYS_LINK.match(self._text))
        is_other = part.of("TIME", "TOPIC", "PATH") or (self._has("do", "profile") and not self._has("link"))
        is_other = is_other or self._has("cannot: thing git")
        return Question("link", topic=topic) if is_link and (not is_other or part.low(0) == "link") else None

    def _refuse_what_git_cannot_know(self) -> None:
        part, first = self._part, 0
        while part.stands(first, "before an order"):
            first += 1
        after = first + (part.phrase[first] if first in part.all else 1)
        if part.stands(first, "order") and part.opens[first] == first and part.stands(first, "order to do", end=after):
            raise NotAnswered(ONLY_TELLS)
        is_rare = "often" in self._lows and not (part.of("TOPIC", "PATH", "TIME") or self._has("state: tagged"))
        if why := WHY_NOT["often"] if is_rare else why_not(part):
            raise NotAnswered(why, self._offers())

    def _offers(self) -> list[Choice]:
        """Whole questions made of what was read."""
        part, span = self._part, self._span()
        where = tuple(one.value for one in part.of("REPO") if isinstance(one.value, str))
        named = [self._narrowed(_said(part, one), one.value, span) for one in part.of("PERSON")]
        people = [some[0] for some in named if len(some) == 1 and self._known.may_be_offered(some[0])]
        if self._known.asker and any(part.has(n, "asker") for n in part.all):
            people.append(self._known.asker)
        found = [Question("explain", references=(str(one.value),)) for one in part.of("REF")[:1]]
        topic, team = (next((str(one.value) for one in part.of(tag)), None) for tag in ("TOPIC", "TEAM"))
        paths = tuple(str(one.value) for one in part.of("PATH"))
        about = Question("who", (), span, where, topic, paths=paths)
        intent = "changes" if topic or paths else "month"
        found += [replace(about, intent=intent, people=(self._called(one),)) for one in list(dict.fromkeys(people))[:2]]
        found += [about] if topic or paths else []
        if (span or where or team) and not paths:
            found.append(Question("what_shipped", (), span, where, team=team))
        return list(map(offered, found[:MOST_OFFERED]))

    def _not_understood(self) -> NotAnswered:
        part, unread = self._part, self._part.unread_words
        quoted = listed([f"“{clean(one)[:80]}”" for one in unread])
        is_known = part.items or not all(map(part.is_lost, part.all))
        return NotAnswered(f"I did not understand {quoted}." if unread and is_known else NOT_UNDERSTOOD, self._offers())

    # the slots

    def _base(self) -> Question:
        """What the words name, whatever is asked of it."""
        part = self._part
        if part.trouble:
            teams = [(clean(one), one) for one in self._known.teams[: MOST_CHOICES - 1]] + [("Everyone", None)]
            choices = [Choice(label, Question("what_shipped", span=self._span(), team=one)) for label, one in teams]
            raise NotAnswered(part.trouble, choices if part.trouble.startswith("I know no team") else self._offers())
        span, ends = self._times()
        if not span and any(one.said("away") is not None for one in [*self._before, part]):
            span = next((one.value.days for before in reversed(self._before) for one in before.of("TIME")), None)
        people = self._people(span)
        for one in part.of("REPO"):
            if isinstance(one.value, tuple):
                draft = Question("month" if people else "what_shipped", people, span)
                choices = [Choice(name, replace(draft, repositories=(name,))) for name in one.value]
                raise NotAnswered(
                    f"Which {part.raw(one.first, one.first + 1)}: {listed(list(one.value), 'or')}?", choices
                )

        def texts(tag: str, items: Sequence[Item] | None = None) -> tuple[str, ...]:
            some = part.of(tag) if items is None else items
            return tuple(dict.fromkeys(str(one.value) for one in some if one.tag == tag))

        out, topics, paths = part.left_out, texts("TOPIC"), texts("PATH")
        is_bare = not (topics or paths or people or part.of("REF")) and (part.asks_who or not self._thread)
        if is_bare and self._before and part.stand("speaks of that"):  # "the parser broke. who knows that best"
            about = next((one for one in reversed(self._before) if one.of("TOPIC", "PATH")), part)
            topics, paths = texts("TOPIC", about.of("TOPIC")), texts("PATH", about.of("PATH"))
        places = {f"kind: {place_of(one)}" for path in paths for one in (path, f"{path.rstrip('/')}/")}
        kinds = tuple(one for one in part.named("kind: ") if not (paths and f"kind: {one}" in places))
        stood = [n for n in part.all if part.has(n, "kind") and part.is_free(n) and not part.is_lost(n)]
        if len(kinds) > 1 and self._unjoined([(n, n + 1) for n in stood if not part.has(n - 1, "kind")], "joins"):
            part.lose(stood[1:])
            raise self._not_understood()
        if not part.asks_who:  # of months and words no number is known
            part.lose(n for n in part.all if part.has(n, "order: most"))
        order, limit = self._order(is_timed=span is not None)
        bots = ("bots",) if "bots" in texts("BOTS", out) or self._has("people only") else ()
        left_out = (name for one in out if one.tag == "PERSON" for name in self._left_out(one, span))
        others = self._asked.people if self._has("others") and not out else ()
        in_title = "subject" if part.is_deed else None
        return Question(
            "unknown", people, span, texts("REPO"), " ".join(topics) or None, kinds, ends=ends,
            team=next(iter(texts("TEAM")), None), release=self._release(texts("RELEASE")) or None, paths=paths,
            references=texts("REF"), states=tuple(part.named("state: ")), count=self._has("count", "people"),
            only=self._only(), limit=limit, order=order,  # type: ignore[arg-type]
            first_time=self._has("firsttime") and (order, limit) != ("first", 1),
            form=tuple(part.named("form: ", anywhere=True)),
            topic_in=next(iter(part.named("in: ")), in_title) if topics else None,  # type: ignore[arg-type]
            without=tuple(dict.fromkeys((*left_out, *others, *bots))),
            without_repositories=texts("REPO", out), without_kinds=texts("KIND", out),
            without_topics=tuple(str(one.value) for one in out if one.tag in ("TOPIC", "PATH", "TEAM")),
        )  # fmt: skip

    def _release(self, releases: Sequence[str]) -> str:
        """The release, or what came between two; what is in both, where these follow each other: "in 2.4 and 2.5"."""
        part = self._part
        tags = [(one.first, one.end) for one in part.of("RELEASE")]
        is_gap = self._has("state: tagged") and len(releases) == 2
        which = f"Which release: {clean(listed(list(releases), 'or'))}?"
        if len(releases) > 2 or (not is_gap and self._unjoined(tags, "joins", "before release")):
            raise NotAnswered(which, self._offers())
        if len(releases) < 2:
            return "".join(releases)
        first, second = (one.removesuffix("..") for one in releases)  # "what came after 2.4 until 2.5"
        if part.stand("in both releases") and (last := part.release_beside(second, name_before)):
            if version_of(last) != version_of(first):
                raise NotAnswered(which, self._offers())
            return f"{part.release_beside(first, name_before) or first}..{second}"
        versions = [version_of(first), version_of(second)]
        later = versions[0] and versions[1] and versions[0].order > versions[1].order
        return f"{second}..{first}" if later else f"{first}..{second}"

    def _unjoined(self, spans: Sequence[tuple[int, int]], *joins: str) -> bool:
        """Whether no word of some lists, and no comma, is between what stands beside each other in one slot."""
        part = self._part

        def joined(n: int) -> bool:
            return part.among(n, *joins) or ".." in part.low(n) or part.words[n].before.strip() != ""

        return any(not any(map(joined, range(end, last))) for (_, end), (_, last) in pairwise(spans))

    def _span(self) -> Days | None:
        return next((one.value.days for one in self._part.of("TIME") if one.value.days), None)

    def _times(self) -> tuple[Days | None, tuple[Days, Days] | None]:
        """The time, and its two ends where they stand side by side."""
        part = self._part
        times: list[TimeFound] = [one.value for one in part.of("TIME") if one.value.days]
        days = list(dict.fromkeys(one.days for one in times if one.days))
        span, ends = (days[0], times[0].ends) if days else (None, None)
        if len(days) > 1 and not part.compares:  # "this year, before june"
            first, end = max(one.first for one in days), min(one.end for one in days)
            if first >= end:
                raise NotAnswered(f"Which time: {listed([one.title for one in days], 'or')}?", self._offers())
            return Days(first, end), None
        ends = two_ends(days[0], days[1]) if len(days) > 1 else ends
        if ends and (part.compares or times[0].is_apart):
            return Days(min(one.first for one in ends), max(one.end for one in ends)), ends
        return span, None

    # people

    def _people(self, span: Days | None) -> tuple[str, ...]:
        part, slots = self._part, self._slots(span)
        names, chosen = list[str](), dict[tuple[str, tuple[Person, ...]], Sequence[Person]]()
        for _, _, said, people in slots:
            if (said, people) not in chosen:  # one name may stand 200 times
                chosen[said, people] = self._narrowed(said, people, span)
            some = chosen[said, people]
            names.append(self._called(some[0]) if len(some) == 1 else "")
            if len(some) == 1:
                self._found.setdefault(names[-1], some[0])
            elif not self._unsure:
                self._unsure = (names, len(names) - 1, said, some)
        for (_, end, *_), (first, *_) in pairwise(slots) if not part.compares and len(set(names)) > 1 else ():
            is_joined = part.pauses(first) or any(part.low(n) in ("and", "with") for n in range(end, first))
            if not is_joined and (end == first or not all(part.stands(n, "between people") for n in range(end, first))):
                raise NotAnswered(f"Whose: {listed(list(filter(None, names)), 'or')}?", self._offers())
        return tuple(dict.fromkeys(names))

    def _slots(self, span: Days | None) -> list[tuple[int, int, str, tuple[Person, ...]]]:
        """Where people are named, by which words, and who is called so; the asker, bots and pronouns too."""
        part, asked = self._part, self._asked
        slots = [(one.first, one.end, _said(part, one), tuple(one.value))
                 for one in part.of("PERSON")]  # fmt: skip
        if me := [n for n in part.all if part.taken(n) == "ME"]:
            if self._known.asker is None:
                raise NotAnswered(WHO_ARE_YOU)
            slots.append((me[0], me[0] + 1, "", (self._known.asker,)))
        if (bots := part.said("machines")) is not None:
            when = span or Days.of(Month.holding(part.now.today) - 1)
            slots += [(bots, bots + 1, one.name, (one,)) for one in self._known.bots(when)]
            if not slots:
                raise NotAnswered(f"No bot made a commit in {when.title}.")
        slots.sort(key=lambda slot: slot[0])
        pronoun = next((n for n in part.all if part.stands(n, "pronoun of somebody")), None)
        is_things = part.story >= 0 and part.of("TOPIC") and self._says("they")  # "why did they drop the cache"
        if pronoun is None or is_things or part.of("TEAM"):
            return slots
        is_beside = part.compares and len(slots) == 1 and pronoun < slots[0][0]
        if is_beside or not slots:
            plural = part.among(pronoun, "several people")
            slots = [*((pronoun, pronoun + 1, said, people) for said, people in self._meant(plural)), *slots]
            has_more = asked.team or asked.span or (self._thread and self._thread.listed)
            if not (slots or part.of("REF") or (plural and has_more)):
                raise NotAnswered(WHOSE, self._whose(Question("month", span=span)))
        return slots

    def _meant(self, plural: bool) -> list[tuple[str, tuple[Person, ...]]]:
        """Whom a pronoun means: who was named before it, else whom the thread is about."""
        own = [self._part] if not self._part.of("PERSON") else []
        for part in (*own, *reversed(self._before)):
            if items := part.mentioned:
                return [(part.raw(one.first, one.end), tuple(one.value)) for one in items[0 if plural else -1 :]]
        thread = self._thread if not plural or self._has("else") else None
        names = self._asked.people or (thread.subject.people if thread else ())
        names = names or ((thread.shown,) if thread and thread.shown else ())
        named = [(name, self._known.directory.find(name)) for name in names]
        return [(name, tuple(of_one_name(people)[:1])) for name, people in named if people]

    def _narrowed(self, said: str, people: Sequence[Person], span: Days | None) -> Sequence[Person]:
        """Whom a name means: of several who alone was active under it in the time and the repositories, or ten times as
        active as the others, which is said; else those who were active at all."""
        every, known = people, self._known
        people = of_one_name(every) if len(every) > 1 else every
        if len(people) > 1:
            if said:  # who signed so once or twice is not meant where others always do
                people = [one for one in people if _signs(one, said)] or people
            where = tuple(str(one.value) for one in self._part.of("REPO")) or self._asked.repositories
            span = span or self._asked.span
            written = known.written(span or EVER, where) if known.written and (span or where) else None
            signed = [_signed(one, said) for one in people], [one.identities for one in people]
            counted = ([sum(map(written, of)) for of in some] for some in signed) if written else ()
            commits = next(filter(any, counted), [])
            if any(commits):
                self._commits |= dict(zip(people, commits, strict=True))
            else:
                commits = [sum(each.commits for each in _signed(one, said)) for one in people]
            most, *others = sorted(filter(None, commits), reverse=True) or [0]
            if most and most >= TEN_TIMES * max(others, default=0):
                people = [people[commits.index(most)]]
            elif self._commits:
                people = sorted(filter(self._commits.get, people), key=lambda one: -self._commits[one])
            if said and len(people) == 1:
                self._assumed.append(f"“{said}” read as {self._called(people[0])}")
        joined = [one for one in every if len(of_one_name((one, people[0]))) == 1] if len(people) == 1 else []
        if len(joined) > 1:
            self._assumed.append(f"{'both' if len(joined) == 2 else f'all {len(joined)}'} of the name {people[0].name}")
        return people

    def _left_out(self, item: Item, span: Days | None) -> Sequence[str]:
        """Who is meant by a name whose work is left out; a bot of that name, too."""
        said = _said(self._part, item)
        chosen = self._narrowed(said, item.value, span)
        if len(chosen) != 1:
            raise NotAnswered(which_one(said, chosen))
        return list(map(self._called, (chosen[0], *self._known.directory.exactly(f"{said}[bot]", levels=(1,)))))

    def _whose(self, draft: Question) -> list[Choice]:
        names = [self._called(self._known.asker)] if self._known.asker else []
        choices = [Choice(clean(name), replace(draft, people=(name,))) for name in names]
        everyone = replace(draft, intent="what_shipped" if draft.intent == "month" else draft.intent)
        return [*choices, Choice("Everyone", everyone)] if draft.span else choices

    # order, and what is all

    def _order(self, *, is_timed: bool) -> tuple[str | None, int | None]:
        """In which order, and how many of a list: "last 5 commits", "top 3 changes"; "her last commit" is one."""
        part, order, limit = self._part, next(iter(self._part.named("order: ")), None), None
        for n in filter(part.is_free, part.all):
            number = tables()["numbers"].get(part.low(n), part.low(n))
            if number.isdigit() and len(number) < 4 and part.stands(n, "limit"):
                first = n - (part.low(n - 1) in ("first", "last", "latest", "top"))
                part.regain(range(part.lead(first) + 1, n + 1))
                limit, order = int(number), order or ("first" if "first" in self._lows else "latest")
                break
        is_one = self._says(*lists()["one change"])
        if is_one and "first" in self._lows and not (order or is_timed or self._has("pronouns")):  # "first commit ever"
            order = "first"
        elif self._has("firsttime", "count"):
            is_one = False
        is_one = is_one or self._has("absent")  # "has she gone quiet": her last one says when
        is_one = self._says("one") if order == "size" else is_one  # "biggest change" may be one of many
        return order, limit or (1 if is_one and order in ("first", "latest", "landed", "size") else None)

    def _only(self) -> bool:
        """Whether paths or kinds are to be all that a change has; nothing read behind "only" is a bad negation."""
        part, is_all = self._part, self._has("nothing else")
        for only in (n for n in part.all if part.has(n, "only") and part.opens[n] == n and part.is_free(n)):
            after = only + part.phrase[only]
            while part.stands(after, "behind only"):
                after += 1
            is_read = part.stands(after, "only of this") or part.stands(only, "only of that")
            is_somebody = part.stands(only, "only somebody")  # which no query holds
            if is_somebody:
                part.lose([only])
            part.bad_negation = part.bad_negation or is_somebody or part.is_lost(after) or not is_read
            is_all = is_all or part.stands(only, "only touched") or part.taken(after) == "PATH"
        return is_all

    # what is asked

    def _intended(self, base: Question) -> Question:
        """What is asked of what was named: the first way of asking that fits."""
        if not base.people and self._has("absent"):  # "who has gone quiet"
            self._part.lose(n for n in self._part.all if self._part.has(n, "absent"))
            raise self._not_understood()
        ways = (
            self._of_those, self._of_commits, self._of_releases, self._of_what_was_listed, self._compared,
            self._of_a_person, self._of_who, self._of_a_story, self._of_changes,
        )  # fmt: skip
        return next(filter(None, (way(base) for way in ways)), None) or self._of_everyone(base)

    def _filters(self, base: Question) -> bool:
        narrowed = base.kinds or base.states or base.order or base.count or base.limit or base.first_time
        return bool(narrowed or base.without_kinds)

    @property
    def _asks_why(self) -> bool:
        return self._has("explain", "reviews", "state: reverted", "told") or "why" in self._lows

    def _of_those(self, base: Question) -> Question | None:
        """What is asked of the very changes that were listed: who made those, which of them are fixes."""
        part, thread = self._part, self._thread
        is_own = base.span or base.release or base.team or base.references or base.states or base.first_time
        asks_who = part.asks_who and not base.people
        speaks = part.stand("says those") or (asks_who and part.stand("says listed"))
        asks_on = self._asks_why or part.asks_release or self._has("others")
        asks_on = asks_on or bool(self._asked.topic and self._says("began", "begin", "start", "started"))
        if not thread or not thread.listed or thread.is_cut or is_own or asks_on or not speaks:
            return None
        if part.unread_words:
            raise self._not_understood()
        return replace(base, intent="who" if asks_who else "changes", references=thread.listed)

    def _of_commits(self, base: Question) -> Question | None:
        """What is asked of commits that are named, or that "it" and "the second one" are."""
        part, where = self._part, base.repositories or self._asked.repositories
        if not (base.references or base.people or base.topic or ("which" in self._lows and base.states)):
            base = replace(base, references=self._listed(is_timed=base.span is not None))
        if not base.references:
            return None
        unused = ("TOPIC",) if part.of("REF") else ("TOPIC", "TIME")
        part.lose(n for one in part.items if one.tag in unused for n in range(one.first, one.end))
        one_there = where[0] if len(where) == 1 else ""
        references = tuple(f"{one_there}{one}" if one.startswith("#") else one for one in base.references)
        asked = Question("explain", references=references, form=base.form)
        if base.order == "files":
            return replace(asked, intent="changes", order="files")
        if self._has("reviews") and not (self._has("explain") and base.people):  # "was #12 reviewed by Ann"
            return replace(asked, intent="changes", reviews="of")
        part.lose(n for n in part.all if part.has(n, "reviews"))
        return replace(asked, release=base.release or (WHICH if part.asks_release else None))

    def _listed(self, *, is_timed: bool) -> tuple[str, ...]:
        """What "it", "those" and "the second one" are, of what was listed before; () where nothing speaks of that, and
        where it is asked which of several are of a time: that is looked for."""
        part, asked = self._part, self._asked
        there = tuple(str(one.value) for before in self._before for one in before.of("REF"))
        there = there or (self._thread.listed if self._thread else ())
        asks = self._asks_why or self._has("aside") or self._asks_fate() or part.asks_release
        asks = asks or (len(there) == 1 and (part.stand("when") or self._has("order: files")))
        nth = next((n for n in part.all if part.stands(n, "one of those listed")), None)
        if nth is not None:  # "the last one" of months is the last by time
            asks_it = self._asks_why or self._asks_fate() or asked.references
            is_by_time = part.low(nth) in ("first", "last") and not asks_it
            if not there or (is_by_time and asked.intent in ("changes", "month", "what_shipped")):
                return ()
            part.regain(n for n in (nth - 1, nth) if n == nth or part.has(n, "determiners"))
            if not (one := there[int(tables()["ordinals"][part.low(nth)]) - 1 :][:1]):
                raise NotAnswered(WHICH_COMMIT)
            return one
        said = [n for n in part.all if part.stands(n, "those listed") and (part.phrase[n] == 1 or asks)]
        bare = (part.stand("bare question") or (part.asks_release and self._thread)) and not part.items
        if (not (said and asks) and not bare) or (is_timed and len(there) != 1):
            return ()
        several = any(part.among(n, "several") for n in said)
        about = self._has("explain", "state: reverted", "reviews")
        if there and is_of_reverts(asked):  # each of them was, or was taken out
            return there[:MOST_MEANT]
        if not several and self._has("state: reverted") and (asked.topic or asked.paths or len(there) > 1):
            return ()  # which of them was reverted is looked for
        if len(there) == 1 or (there and (several or part.asks_release or not about)):
            return there[:MOST_MEANT]
        if several or asked.topic or asked.paths or (part.items and not there):
            return ()
        raise NotAnswered(WHICH_COMMIT, [Choice(clean(one), Question("explain", references=(one,))) for one in there])

    def _of_releases(self, base: Question) -> Question | None:
        part, named = self._part, base.topic or base.paths
        release = base.release or (self._asked.release if part.stand("says listed") else None)
        is_made = part.stand("who made a release")
        is_asked = is_made or (part.stand("when a release came") and not base.people)
        if release and is_asked and not (named or base.span):
            return self._of_tags(replace(base, people=(), release=release, limit=1 if release == NEWEST else None))
        if "tagged" in base.states and not (named and self._says("tagged")):
            tags = self._of_tags(base)
            return replace(tags, intent="compare") if part.compares and base.limit and not base.people else tags
        if "unreleased" in base.states and not (base.span or base.release):
            states = tuple(one for one in base.states if one != "unreleased")
            is_list = base.people or base.kinds or base.without_kinds or states
            return replace(base, intent="changes" if is_list else "what_shipped", release=LATEST, states=states)
        if part.asks_release and base.people and not (named or base.release or self._thread):
            raise NotAnswered(WHICH_COMMIT)
        if named and (part.asks_release or "tagged" in base.states):
            release = base.release or WHICH
            return replace(base, intent="explain", release=release, kinds=(), states=(), order=None, deed=self._deed())
        return None

    def _of_tags(self, base: Question) -> Question:
        """The releases themselves, the last ones where no time is named."""
        release = base.release if base.release not in (NEWEST, LATEST) else None
        return replace(
            base, intent="changes", topic=None, paths=(), kinds=(), states=("tagged",), release=release,
            order=base.order or (None if base.span or release else "latest"),
        )  # fmt: skip

    def _of_what_was_listed(self, base: Question) -> Question | None:
        part, has = self._part, self._has
        is_aside = all(part.stands(n, "aside of a story") for n in part.all)  # "and why"
        hangs = not (base.topic or base.paths or base.people) and (part.stand("says listed") or is_aside)
        why = has("explain", "state: reverted") or "why" in self._lows
        if hangs and (self._asked.topic or self._asked.paths) and why:
            return replace(base, intent="explain")
        asks_who = part.asks_who and not (has("reviews") or base.limit)
        order = base.order or ("first" if self._says(*lists()["begun"]) else None)
        return replace(base, intent="who", order=order) if hangs and self._thread and asks_who else None

    def _compared(self, base: Question) -> Question | None:
        part, is_range = self._part, base.release is not None and ".." in base.release and not base.people
        # Two numbers of two times are each told as one alone.
        is_number = base.count and base.ends and (not base.people or self._has("reviews"))
        if is_range or is_number or not part.compares:
            return None
        sides = base.people or base.release or len(base.repositories) > 1 or base.ends
        if base.count and len(base.people) == 1 and not base.ends:  # "how many did bots make vs humans"
            at = part.said("compare") or 0
            part.lose(range(at, at + 2))
            return None
        if not (sides or self._thread):
            choices = self._whose(Question("compare", span=base.span))
            raise NotAnswered("Whose months shall I compare? Name somebody.", choices)
        if base.release and not base.people:
            choice = offered(Question("what_shipped", release=base.release, repositories=base.repositories))
            raise NotAnswered(f"Compare {base.release} with which release?", [choice])
        return replace(base, intent="compare")

    def _of_a_person(self, base: Question) -> Question | None:
        has, named, thread = self._has, base.topic or base.paths, self._thread
        latest = replace(base, intent="changes", order=base.order or (None if base.span or named else "latest"))
        if has("else") and thread and base.people and not (named or base.release):
            return latest
        is_ever = (
            (self._says("ever", "everything") or "so far" in self._text)
            and base.people
            and not (base.span or base.release or thread)
        )
        if is_ever and (named or self._filters(base) or not self._says("ever")):
            return latest
        is_who = self._part.stand("who somebody is") and not (base.span or has("do", "make", "touch", "reviews", "who"))
        is_somebody = base.people or (has("pronouns") and thread)
        if (
            is_ever
            or (is_who and is_somebody)
            or (has("profile") and not named and (base.people or self._asked.people))
        ):
            return replace(base, intent="month" if base.span and base.people else "profile", ends=None)
        return self._reviewed(base) if has("reviews") else None

    def _reviewed(self, base: Question) -> Question:
        """Whose reviews: "what did Ann review"; or of whose changes: "who reviewed Ann's changes"."""
        part, n = self._part, self._part.said("reviews") or 0
        behind = any(one.first > n for one in part.of("PERSON"))
        passive = any(part.low(at) == "by" for at in part.all[n:]) and not behind
        is_of = self._says("who", "whom") or passive or part.low(n) in ("reviewer", "reviewers")
        return replace(base, intent="changes", reviews="of" if is_of else "by", count=False)

    def _of_who(self, base: Question) -> Question | None:
        part, has, named = self._part, self._has, base.topic or base.paths
        if not part.asks_who or (base.states and not (named and has("state: reverted"))):
            return None
        deed, is_passive = self._deed(), self._says("was", "were", "got", "been", "by")
        is_bump = deed is not None and deed.startswith("bump")  # of which there are many: the last is meant
        if named and not (is_passive or is_bump) and (has("state: reverted") or (deed and deed not in KINDS)):
            return replace(base, intent="explain", deed=deed)  # "who reverted the parser", "who removed it"
        is_one_of_size = base.order == "size" and base.limit == 1
        if not named and ((base.order in ("first", "latest") and base.limit) or is_one_of_size):
            return replace(base, intent="changes")  # "who made the very first commit"
        acts = has("people", "do", "touch", "changes") and (base.span or self._thread)
        is_some = (
            base.repositories or base.kinds or base.order or base.people or base.first_time or base.release or acts
        )
        speaks = self._says("it", "them", "those") and has("make", "touch") and not self._thread  # "who bumped it"
        is_most = base.order == "most" and has("asks who")  # "the team's june: top people"
        if named or (is_some and not speaks and (not self._everyone or is_most or part.stand("which people"))):
            areas = [kind for kind in base.kinds if kind in AREAS] if not base.topic else []
            free = (n for n in part.all if part.is_free(n) and part.has(n, *(f"kind: {one}" for one in areas)))
            said = " ".join(map(part.low, free))  # "who worked on the docs": in the folder, too
            made = self._says(*lists()["begun"]) or (base.paths and self._says(*lists()["wrote"]))
            order = base.order or ("first" if named and made and not base.kinds else "landed" if is_bump else None)
            kinds = tuple(kind for kind in base.kinds if kind not in areas)
            order = "most" if order == "size" else order
            return replace(base, intent="who", order=order, topic=base.topic or said or None, kinds=kinds)
        if not self._everyone and "what" not in self._lows and has("make", "touch", "who"):
            raise NotAnswered(WHO_WHAT)
        return None

    @property
    def _everyone(self) -> bool:
        return self._has("everyone") or self._part.stand("without anybody")

    def _of_a_story(self, base: Question) -> Question | None:
        """Digests, who has how much, and why something is so or what became of it."""
        has, named, fate = self._has, base.topic or base.paths, self._asks_fate()
        if has("digest"):
            return replace(base, intent="digest", people=())
        asks_why = has("explain", "told") or (has("aside") and not (base.kinds and base.span)) or self._part.story >= 0
        is_listed = base.count or base.order == "landed" or (base.people and "why" not in self._lows)
        if not named or is_listed or not (asks_why or fate):
            return None
        where = WHICH if fate and base.topic and self._says("released", "shipped") else None
        return replace(base, intent="explain", release=base.release or where, deed=self._deed())

    def _deed(self) -> str | None:
        """What was done to what is explained: its removal, if it asks when it was dropped; not its beginning."""
        made = (tables()["made"].get(self._part.low(n), "") for n in self._part.all if self._part.is_free(n))
        deed = next(filter(None, made), "").removeprefix("kind: ")
        return deed if deed not in ("", "feature") and not self._says(*lists()["begun"]) else None

    def _holds(self, topic: str) -> bool:
        """Whether the histories hold a topic, or one of its alternatives."""
        return any(self._known.holds(one) for one in topic.split(" OR ") if one)

    def _asks_fate(self) -> bool:
        """ "has the parser landed", "when was X removed": whether it is asked what became of something."""
        words = [word.low for n, word in enumerate(self._part.words) if not self._part.has(n, "talk", "follow")]
        begins = words[:1] == ["when"] or not lists()["before subject"].isdisjoint(words[:1])
        return begins and not lists()["fate"].isdisjoint(words[1:])

    def _of_changes(self, base: Question) -> Question | None:
        lists_changes = self._part.stand("list of changes")
        if base.order and self._has("profile") and not (base.people or base.span or base.release):  # "of all time"
            base = replace(base, span=Days(EVER.first, self._part.now.today + timedelta(1)))
        if base.first_time and not lists_changes:
            return replace(base, intent="who")
        of_any_time = base.people and (base.topic or base.paths) and not (base.span or base.release)
        if self._filters(base) or lists_changes or of_any_time:
            return replace(base, intent="changes")
        return replace(base, intent="month") if base.people else None

    def _of_everyone(self, base: Question) -> Question:
        has = self._has
        acts = has("do", "touch") and self._says("we", "us", "everyone")
        acts = acts or (has("touch") and self._says("what", "anything", "everything"))
        shipped = self._everyone or acts or has("shipped", "others")
        if base.paths or (base.topic and not (shipped and (base.span or base.release or self._thread))):
            return replace(base, intent="changes")
        named_some = base.release or base.team or base.repositories
        return replace(base, intent="what_shipped") if shipped or named_some else base

    # the thread

    def _alone(self, question: Question) -> Question:
        if question.intent != "unknown" or not question.span or question.people:
            return question
        asker, part = self._known.asker, self._part
        if asker and (self._mine or (part.stand("asker alone") and not part.unread_words)):
            return replace(question, intent="month", people=(self._called(asker),))
        if (question.form or part.stand("overview")) and not (self._has("pronouns") or part.of("ADDR")):
            return replace(question, intent="what_shipped")  # "how was july"
        if not part.unread_words:
            raise NotAnswered(WHOSE, self._whose(replace(question, intent="month")))
        return question

    def _in_thread(self, question: Question, base: Question) -> Question:
        """A complete question inherits nothing, one of its own subject the thread's time; else the thread is kept."""
        before, has, part = self._asked, self._has, self._part
        if question.references:
            return question
        if has("else") and question.people:
            return replace(question, repositories=question.repositories or before.repositories)
        if question.intent == "explain":
            is_own = (question.topic or question.paths) and not part.stand("says listed")
            kept = replace(continued(before, question), kinds=())
            states = kept.states or (("reverted",) if is_of_reverts(before) else ())
            return question if is_own else replace(kept, states=states)
        if self._thread and not _is_of_those(before, question):
            before = self._thread.subject
        if whole := self._whole(question, base, before):
            return whole
        if is_of_commits(before):  # which are told whole, however they were found
            raise NotAnswered(HANGS if before.unread else WHICH_COMMIT)
        same = without_still(continued(before, Question("unknown")), before)
        if has("everywhere") or self._text == "everything":
            before = replace(before, repositories=())
        whole = without_still(continued(before, question), before)
        narrows = has("only") or self._says(*lists()["narrows"])
        topics = [*apart(before.topic or ""), *apart(base.topic or "")]
        if narrows and len(topics) == 2 and all(topics):
            whole = replace(whole, topic=" ".join(topics))  # "only the security ones"
        whole = (
            self._beside(whole, base, before) if question.intent == "compare" else self._as_asked(whole, question, base)
        )
        if not question.form and _bare(whole) == _bare(same) and not (before.release and has("shipped")):
            raise NotAnswered(NOTHING_NEW)
        return whole

    def _whole(self, question: Question, base: Question, before: Question) -> Question | None:
        """A question that has its own subject, with the thread's time if it names none; None where it goes on."""
        has, goes_on = self._has, self._part.stand("goes on")
        own = base.people or base.team or base.topic or base.paths or has("everyone", "shipped")
        if not own or question.intent == "unknown" or (has("pronouns") and before.people):
            return None
        if base.span and (not goes_on or base.people):
            return question
        asks = self._says(*lists()["question"], "show", "list", "give", "digest")
        acts = has("do", "shipped", "who", "make", "profile", "digest", "everyone", "touch")
        listed_said = self._part.stand("says listed")
        if question.intent == "compare" or goes_on or listed_said or not (acts and asks):
            return None
        if question.span or question.release or question.intent in ("profile", "explain"):
            return question
        question = replace(question, release=before.release if before.release != WHICH else None)
        return replace(question, span=before.span, assumed=(THREADS_TIME,)) if before.span else question

    def _as_asked(self, whole: Question, question: Question, base: Question) -> Question:
        """A question of which the thread is kept, with what is asked of it now."""
        has, asked, before = self._has, question.intent, self._asked
        if asked == "what_shipped" and base.repositories and not (has("shipped", "everyone") or base.team):
            whole = replace(whole, intent=before.intent or ("month" if before.people else "what_shipped"))
        elif asked in ("what_shipped", "digest", "who") or (has("everyone", "others") and not base.people):
            intent = "what_shipped" if whole.intent == "month" else whole.intent
            whole = replace(whole, people=question.people, intent=intent)
        began = question.order == "first" and self._says(*lists()["begun"])  # "when did that start": at any time
        if asked == "profile" or ((has("absent") or began) and not base.span):  # "has he gone quiet"
            whole = replace(whole, span=None, ends=None)
        if whole.intent == "month" and (whole.kinds or whole.states):
            whole = replace(whole, intent="changes")
        if asked == "who" and not (base.topic or base.paths or question.order or base.first_time):
            is_list = before.intent == "changes" and (before.states or before.order)  # which say by whom they are
            if is_list or (before.intent == "explain" and not (before.topic or before.paths)):
                raise NotAnswered(NOTHING_NEW)
        return whole

    def _beside(self, whole: Question, base: Question, before: Question) -> Question:
        """What is compared with whom, or with the time, that the thread is about."""
        people = base.people or before.people
        if len(base.people) == 1 and not base.span and not (self._has("pronouns") and before.people):
            people = tuple(dict.fromkeys((*before.people, *base.people)))
        if base.span and not base.ends and before.span and not base.people:
            ends = two_ends(base.span, before.span)
            whole = replace(whole, ends=ends, span=Days(ends[0].first, ends[1].end))
        return replace(whole, people=people)

    # what is refused

    def _held(self, question: Question) -> Question:
        """A question with of each topic what the histories hold together, with or without words that say of what sort a
        thing is; the rest is unread, and what nothing holds is not left out. What is asked about and not held is
        refused."""
        part, kept = self._part, dict[str, str]()
        for topic in filter(None, (question.topic, *question.without_topics)):
            kept[topic] = " OR ".join(dict.fromkeys(t for one in topic.split(" OR ") for t in self._held_of(one)))
            if not kept[topic] and topic == question.topic:
                words = [word for word in topic.split() if " " in topic and self._holds(word)]
                some = [offered(replace(question, topic=word)) for word in words]
                raise NotAnswered(NOT_NAMED.format(clean(topic)[:80]), some[:MOST_OFFERED])
            held = {*kept[topic].casefold().split()}
            lost = {word for word in topic.casefold().split() if held.isdisjoint((word, respelled(word)))}
            said = (n for one in part.items if one.tag == "TOPIC" for n in range(one.first, one.end))
            part.lose(n for n in said if lost.intersection(part.low(n).split()))
        out = dict.fromkeys(one for topic in question.without_topics for one in kept[topic].split(" OR ") if one)
        return replace(question, topic=kept.get(question.topic or ""), without_topics=tuple(out))

    def _held_of(self, topic: str) -> Sequence[str]:
        words, some = topic.split(), lists()
        bare = " ".join(word for word in words if word.casefold() not in some["light"])
        found = next((one for one in (" ".join(words), topic, bare) if one and self._known.holds(one)), "")
        if (other := respelled(found or topic)) in (found, topic) or not self._known.holds(other):
            return [found] if found else []
        self._assumed += [] if found else [f"“{topic}” read as {other}"]
        return [found, other] if found else [other]

    def _lose_unused(self, base: Question, question: Question) -> None:
        """Say of what was read and is nothing of what is answered that it was not understood."""
        part, kept = self._part, {"kinds", "states"} if question.intent == "explain" else {"count"}
        kept |= {"order"} if base.order == "first" or (base.order, question.intent) == ("latest", "changes") else set()
        kept |= {"people"} if question.reviews or question.intent == "digest" else set()
        kept |= {"states"} if question.release or question.intent == "digest" else set()
        kept |= {"people", "span", "release"} if "tagged" in question.states else set()
        kept |= {"kinds"} if question.intent == "who" and set(base.kinds) <= set(AREAS) else set()
        kept |= {"order"} if question.references and base.order == "size" else set()
        kept |= _SAID_BY.keys() - {"order", "count"} if question.references else set()
        lacks = _NOT_TAKEN.get(question.intent, frozenset())
        gone = {name for name in _SAID_BY if getattr(base, name) and (name in lacks or not getattr(question, name))}
        tags = [tag for name in gone - kept for tag in _SAID_BY[name]]
        part.lose(n for one in part.items if one.tag in tags for n in range(one.first, one.end))
        classed = ((n, name) for n in filter(part.is_free, part.all) for name in part.classes[n])
        part.lose(n for n, name in classed if name.partition(":")[0] in tags)

    def _refuse_other_subjects(self, question: Question) -> None:
        """Refuse what asks of "it" or "them" where nothing of the answer is what the thread is about."""
        part, before = self._part, self._thread.subject if self._thread else NOTHING_ASKED
        meant = [n for n in part.all if part.stands(n, "means what was told")]
        named = _SUBJECT if question.topic or question.paths else ("span", "release", *_SUBJECT)
        is_of_that = any(getattr(before, name) and getattr(before, name) == getattr(question, name) for name in named)
        if self._thread and meant and not (is_of_that or question.references or question.people):
            part.lose(meant)
            raise self._not_understood()

    def _refuse_strangers(self, question: Question) -> None:
        """Ask back where a name is nobody's."""
        if stranger := self._stranger():
            directory, offers = self._known.directory, self._known.may_be_offered
            people = [p for name in directory.nearest(stranger) for p in directory.exactly(name, levels=(1,))]
            people = list(filter(offers, (*list(filter(offers, directory.begins(stranger)))[:2], *people)))
            near = [self._called(p) for p in dict.fromkeys(people)][:3]
            draft = replace(question, intent="month") if question.intent in ("unknown", "what_shipped") else question
            choices = [Choice(clean(name), replace(draft, people=(name,))) for name in near]
            raise NotAnswered(nobody(stranger, near), choices)

    def _stranger(self) -> str:
        """A name that nobody has, where somebody must stand."""
        part = self._part
        if unknown := part.of("ADDR"):
            return str(unknown[0].value)
        for n in part.all:
            is_word = part.is_strange(n) and part.is_lost(n) and any(map(str.isalpha, part.low(n)))
            is_listed = part.low(n) in listed_words() and not part.is_time(n)
            is_known = part.words[n].raw.islower() and (self._known.knows_word(part.low(n)) or is_listed)
            if not is_word or (is_known and not part.stands(n, "sure name")) or not part.stands(n, "name place"):
                continue
            first, end = n, n + 1
            while part.is_strange(end) and not part.pauses(end) and not part.words[end - 1].is_owner:
                end += 1
            before = part.item_at(n - 1) if part.taken(n - 1) == "PERSON" and not part.pauses(n) else None
            if before and not part.words[n - 1].is_owner:
                first = before.first
            return part.raw(first, end).removesuffix("'s")
        return ""

    def _checked(self, question: Question) -> Question:
        """What is answered; what hangs on a word that was lost is refused."""
        part, is_free = self._part, self._part.is_free
        if self._unsure:
            names, at, said, people = self._unsure
            every = [[self._called(p) if n == at else name for n, name in enumerate(names)] for p in people]
            choices = [Choice(clean(some[at]), replace(question, people=tuple(some))) for some in every if all(some)]
            raise NotAnswered(which_one(self._known.directory.spelled(said), people, self._commits), choices)
        if "fix" in question.kinds and any(low.startswith(("introduce", "cause")) for low in self._lows):
            raise NotAnswered(WHY_NOT["git"], self._offers())
        if part.of("REF") and question.references:  # what else is said describes them
            return question
        if question.intent == "unknown":
            raise self._not_understood()
        question = self._held(question)
        if not question.references:  # nothing was shown
            part.lose(n for n in part.all if part.stands(n, "thing shown"))
        unseen = lists()["unseen"] - lists().get(f"seen in {question.intent}", frozenset())
        unseen -= {"compare"} if question.ends or ".." in (question.release or "") else set()
        classed = ((n, part.classes[n]) for n in filter(is_free, part.all))
        part.lose(n for n, of in classed if of - IDLE and of <= unseen | IDLE)
        if question.intent != "explain" and not is_of_reverts(question):  # which say why
            part.lose(n for n in part.all if part.low(n) in ("why", "reason", "reasons") and is_free(n))
        lost = [n for n in part.all if part.is_lost(n)]
        is_default = not (question.span or question.release or question.references) and question.intent in _OF_TIME
        is_default = is_default and question.order not in ("latest", "first")
        is_listed = question.intent == "changes" and (question.topic or question.paths)  # of any time
        hangs = lost and ((is_default and not is_listed) or not (is_of_commits(question) or self._is_named(question)))
        bad = part.bad_negation or any(part.has(n, "not") and is_free(n) for n in lost)
        half = question.release and any("." in part.low(n) and version_of(part.low(n)) for n in lost)
        verbs = [n for n in lost if part.stands(n, "verb of a subject") and question.intent != "profile"]
        if hangs or bad or half or verbs or any(is_free(n) and part.stands(n, "in a subject") for n in lost):
            raise self._not_understood()
        if is_default and not lost:
            self._assumed.append(NO_TIME)
        return question

    def _is_named(self, question: Question) -> bool:
        """Whether this part itself names what its answer is of, so that its unread words can stand beside that: of a
        comparison both sides."""
        part = self._part
        is_verb = self._has("verb") or question.kinds or question.states or self._says(*lists()["does"])
        return bool((part.items or question.kinds or question.states) and (is_verb or not part.stand("asks")))


def _said(part: QuestionPart, item: Item) -> str:
    return part.raw(item.first, item.end).removesuffix("'s")


def _signed(person: Person, said: str) -> Sequence[Identity]:
    """The identities of somebody by whose names a word was theirs; all, where it was by something else."""
    words = set(plain(said).split())
    return [one for one in person.identities if words <= set(plain(one.name).split())] or person.identities


def _signs(person: Person, said: str) -> bool:
    """Whether a tenth of somebody's commits are under a name that a word is of."""
    return TEN_TIMES * sum(one.commits for one in _signed(person, said)) >= person.commits


def _bare(question: Question) -> Question:
    return replace(question, found={}, form=(), assumed=(), choices=())
