"""What people type → a Question in which every word is accounted for. The present is an argument; nothing raises. Pure.

The sentences of a text, and the clauses that begin a question, are read one by one (`parts`), what each asks is told
from what was found in it, and the fullest is answered; what the others say is unread. In a thread a question changes
one thing, or asks on. What cannot be answered is an "unknown" question with the one line to say, and whole questions
that are made of what was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import pairwise

from bot.ask.clarification import nobody, which_one
from bot.ask.known import Known, Thread
from bot.ask.parts import ADDRESS, Item, QuestionPart
from bot.ask.question import NO_TIME, NOT_UNDERSTOOD, THREADS_TIME, Choice, Question, reading_line
from bot.ask.times import Now, TimeFound, find_times, two_ends
from bot.ask.words import Word, cleaned, listed_words, lists, parts_of, split_words, tables, translated
from bot.model import Identity, Person
from bot.month.addresses import plain
from bot.month.calendar import NAMES, Days, Month, MonthRange
from bot.month.releases import LATEST, WHICH
from bot.story.wording import clean, listed

LONGEST = 3_000  # characters of a question
MOST_WORDS, MOST_CLAUSES = 200, 20
MOST_CHOICES = 5  # as many as stand in one row of buttons
MOST_OFFERED = 3  # questions of those that can be answered instead
NOW_DAYS = 30  # "what is X working on"
EVER = Days(date(1970, 1, 2), date(2100, 1, 1))
MOST_MEANT = 10  # of what was listed
TEN_TIMES = 10  # as active as the next of one name: then it is them
TOO_LONG = "That is more than I can read at once: ask in one or two sentences."
NOT_IN_GIT = "I only know what is in git: merged commits, their messages, authors and tags."
NO_RANKS = "I tell what people did; I do not rate, rank or compare how well."
# Why something cannot be told, by what the class of its words ends with.
WHY_NOT: Mapping[str, str] = {
    "rate": NO_RANKS,
    "open": "What is open, assigned or waiting for review is not in git: I only know what was merged.",
    "future": "What is planned or still to come is not in git: I only know what was merged and tagged.",
    "said": "Comments, discussions, mail and chats are not in git: I only know commits and their messages.",
    "away": "Git does not know who is away, or when people work: only when commits were written and came.",
    "ci": "Whether builds and tests pass is not in git.",
    "hours": "Git knows no hours of work: only when commits were written and came.",
    "often": "I count changes: no lines, averages or rates. Ask how many there were.",
    "advice": "I tell what was done, not what should be.",
    "merged": "I tell who wrote a change and when it came, not who merged it.",
    "git": NOT_IN_GIT,
}
ENGLISH = "Without a model I only read English."
FRIENDLY = "Glad to help! Ask me what somebody did in a month, who worked on something, or what a release holds."
_OTHER_SCRIPT = re.compile("[\u0370-\u1cff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
ONLY_TELLS = "I only tell what is in git, and change nothing there."
WHICH_COMMIT = "Which commit do you mean? Give the beginning of its SHA, or its number, such as #12."
WHOSE = "Whose month do you mean? Name somebody."
WITH_WHOM = "Who somebody worked with is not in git: ask who reviewed their changes, or who worked on something."
WHO_WHAT = "Who worked on what? Name it, such as “who worked on the parser”."
NOTHING_NEW = "That asks for nothing but what was told before: name what shall be other, such as a month or a topic."
HANGS = "What came before was not answered, so I cannot tell what this hangs on: ask it as a whole question."
NO_FORM = "I can write text and Markdown here: “almanac export” writes other forms."
WHO_ARE_YOU = (
    "I do not know which author you are in git: ask with your name as it stands in your commits, or have your "
    "Slack id put beside your name in almanac.toml."
)
# Classes of words that an answer shows nothing of, but for the intents that they ask for: elsewhere they are unread.
_UNSEEN = frozenset(
    (
        "split",
        "digest",
        "posts",
        "profile",
        "compare",
        "explain",
        "who",
        "asks who",
        "schedule",
        "link",
        "help",
        "hide",
        "appear",
        "aside",
        "told",
    )
)
_USED: Mapping[str, frozenset[str]] = {
    "digest": frozenset(("digest", "posts")), "profile": frozenset(("profile", "who")), "explain": _UNSEEN,
    "month": frozenset(("profile",)), "compare": frozenset(("compare",)), "what_shipped": frozenset(("compare",)),
    "who": frozenset(("split", "who", "asks who", "aside")),
}  # fmt: skip
_IDLE_CLASSES = frozenset(("english", "orders", "not", "repeated"))
_GROUPS = frozenset(("noun", "verb", "owned"))
_OF_TIME = ("month", "what_shipped", "changes", "compare")  # intents that take a time by default
_LINKED = re.compile(
    r"(?:please )?(?:un)?link @?(\S+)(?: (?:to|with|from|and) .+)?|"
    r"who(?:se (?:login|account|github|address|adress|e-?mail))? is @?(\S+)|(\S+) is (?:me|mine)(?: too)?|"
    r"(?:my|.+) (?:github|login)(?: login)? is (\S+)|i am (\S+) on (?:github|gitlab)"
)
_SAYS_LINK = re.compile(r"(?:whose|who is|who does|who owns|who uses|link|unlink|i am) |.* is (?:me|mine)\b")
_ABOUT_LINKS = re.compile(r"(?:un)?link(?: me)?|how .*|(?:that|this|these).*")
_SCHEDULED = re.compile(r"every \w+( at \S+)?|stop( posting)?|pause|resume|mute")


class NotAnswered(Exception):
    """What is said instead of an answer, with what may have been meant."""

    def __init__(self, message: str, choices: Iterable[Choice] = ()) -> None:
        super().__init__(message)
        self.choices = tuple(choices)[:MOST_CHOICES]


def read(text: str, known: Known, today: date, thread: Thread | None = None, *, mine: bool = False) -> Question:
    """The question in a text, asked on a day; what it does not say is taken from the `thread` that it is asked in.

    With `mine`, what names nothing but a time is about whoever asks.
    """
    text = cleaned(text) if len(text) <= 4 * LONGEST else text
    words = split_words(text) if len(text) <= LONGEST else []
    if len(text) > LONGEST or len(words) > MOST_WORDS:
        return Question("unknown", missing=TOO_LONG)
    if thread and thread.person and not thread.people:
        thread = replace(thread, people=(thread.person,))
    if thread and thread == Thread():
        thread = None
    language, words = translated(words, known.directory.exactly)
    if thread and thread.intent == "unknown":
        question = read(text, known, today, mine=mine)
        hangs = question.missing in (NOT_UNDERSTOOD, WHICH_COMMIT, WHOSE, WHO_WHAT)
        hangs = hangs or _Reading(known, today, thread, mine).hangs(words)
        return Question("unknown", missing=HANGS) if hangs else question
    question = _Reading(known, today, thread, mine).question(words) if words else Question("help")
    unread = {word.casefold() for text in question.unread for word in text.split()} - parts_of(language)
    is_foreign = language or any(map(_OTHER_SCRIPT.search, question.unread))
    if is_foreign and (unread or (question.missing and not question.missing.startswith("Which "))):
        return _english_only(question)
    said = (f"read as {language.title()}",) if language and not question.missing else ()
    return replace(question, assumed=(*said, *question.assumed))


def _english_only(question: Question) -> Question:
    """What is said of a question in another language, with what was read of it as a question to choose."""
    whole = replace(question, unread=())
    lead = {"what_shipped": "What shipped: ", "who": "Who: "}.get(question.intent, "")
    read = () if question.intent == "unknown" else (Choice(f"{lead}{reading_line(whole)}", whole),)
    return Question("unknown", missing=ENGLISH, choices=question.choices or read, unread=question.unread)


def is_schedule(text: str) -> bool:
    """Whether a text is about what repeats: digests that are set, changed or stopped."""
    return read(text, Known(()), date(2000, 1, 1)).intent == "schedule"


class _Reading:
    """All that a text says, and the thread that it says it in."""

    def __init__(self, known: Known, today: date, thread: Thread | None, mine: bool) -> None:
        self._known, self._thread, self._mine = known, thread, mine
        self._now = Now(today, thread.span if thread else None, known.sprint)
        self._meant, self._not_meant = set[Person](), set[Person]()

    def question(self, words: Sequence[Word]) -> Question:
        clauses = list(_clauses(words))
        if len(clauses) > MOST_CLAUSES:
            return Question("unknown", missing=TOO_LONG)
        every = [self._part(some) for some in clauses]
        parts = [part for part in every if not (len(every) > 1 and _corrects(part, self._meant, self._not_meant))]
        social = [part for part in parts if _is_idle(part)]
        forms = tuple(dict.fromkeys(form for part in parts for form in _forms(part)))
        read = [
            (number, part, _fullness(part), self._tried(part, parts[:number]))
            for number, part in enumerate(parts) if part not in social and not _is_idle(part, forms=True)
        ]  # fmt: skip
        unread = tuple(text for part in parts for text in part.unread_words)
        chat = list(filter(_is_chat, parts))
        if chat and len(chat) + len(social) >= len(parts):
            return Question("unknown", missing=FRIENDLY)
        if not read:
            if forms and self._thread:
                return _kept(self._thread, Question("unknown", form=forms))
            if any(word.low in lists()["thanks"] for word in words):
                return Question("unknown", missing=FRIENDLY)
            is_talk = any(part.has(n, "talk", "help") for part in parts for n in range(len(part.words)))
            return Question("help") if is_talk else Question("unknown", missing=NOT_UNDERSTOOD)
        found = [(one, -number, of) for number, _, one, of in read if isinstance(of, Question) and of.intent != "help"]
        if any(of.intent == "explain" for *_, of in found):  # "the cache came and went, what happened"
            found = [one for one in found if not _is_aside(parts[-one[1]], "explain")] or found
        if found:
            _, number, question = max(found, key=lambda one: one[:2])
            refused = next((of for *_, of in read if str(of) in WHY_NOT.values()), None)
            if isinstance(refused, NotAnswered) and (not parts[-number].items or NO_TIME in question.assumed):
                return Question("unknown", missing=str(refused), choices=refused.choices, unread=unread)
            said: dict[int, tuple[str, ...]] = {
                at: part.unread_words if _is_within(of, question) else (part.raw(0, len(part.words)),)
                for at, part, _, of in read
                if not (_carries_nothing(part) or _is_aside(part, question.intent))
            }
            said[-number] = parts[-number].unread_words
            if question.intent == "explain" and question.release == WHICH:  # "… ? was it already in rc2?"
                for at, part, *_ in read:
                    tags = [str(one.value) for one in part.of("RELEASE")]
                    if at > -number and tags and {one.tag for one in part.items} == {"RELEASE"}:
                        question, said[at] = replace(question, release="..".join(tags[:2])), part.unread_words
            texts = [text for at in sorted(said) for text in said[at] if not _is_in_rows(text, question)]
            if question.order == "size" and any(part.said("order: files") is not None for part in parts):
                question = replace(question, order="files")  # "the largest in July? by files"
            names_some = question.people or question.topic or question.repositories
            if (
                min(said) < -number and NO_TIME in question.assumed and not names_some
            ):  # a default behind what is unread
                return Question("unknown", missing=NOT_UNDERSTOOD, unread=tuple(texts))
            return replace(question, form=forms or question.form, unread=tuple(texts))
        for *_, helps in read:
            if isinstance(helps, Question):
                return replace(helps, form=forms, unread=unread)
        if forms and self._thread:  # "shorter please. only the two numbers"
            return _kept(
                self._thread, Question("unknown", form=forms, unread=tuple(p.raw(0, len(p.words)) for _, p, *_ in read))
            )
        for number, part, *_ in reversed(read):
            if clause := self._second_try(part, parts[:number]):
                return replace(clause, form=forms or clause.form)
        number, part, _, refused = max(read, key=lambda one: (one[2], -one[0]))
        return Question("unknown", missing=str(refused), choices=refused.choices, unread=part.unread_words)

    def hangs(self, words: Sequence[Word]) -> bool:
        """Whether a text goes on from what came before, or speaks of it."""
        part = self._part(words)
        first = next((n for n in range(len(words)) if not part.has(n, "talk")), 0)
        speaks = any(part.has(n, "pronouns") or part.among(n, "several") for n in range(len(words)))
        return (
            part.has(first, "follow") or bool(part.asks_who and part.says_listed) or (speaks and not part.of("PERSON"))
        )

    def _part(self, words: Sequence[Word]) -> QuestionPart:
        return QuestionPart([replace(word, taken="") for word in words], self._known, self._now)

    def _tried(self, part: QuestionPart, before: Sequence[QuestionPart]) -> Question | NotAnswered:
        try:
            asked = _Asked(part, self._known, self._thread, before, self._mine)
            asked.fitting = self._fitting
            return asked.question()
        except NotAnswered as refused:
            return refused

    def _fitting(self, people: Sequence[Person]) -> Sequence[Person]:
        """Those of some who are meant by "Jan, not Blaž"."""
        fitting = [p for p in people if p in self._meant] or [p for p in people if p not in self._not_meant]
        return fitting or people

    def _second_try(self, part: QuestionPart, before: Sequence[QuestionPart]) -> Question | None:
        """What the last clause asks that begins a question, of a part that is not understood; two are tried."""
        words = part.words
        starts = [n for n, word in enumerate(words) if n and word.low in lists()["begins"] and not word.quote]
        for start in starts[:-3:-1]:
            lead, rest = self._part(words[:start]), self._part(words[start:])
            refuses = lead.bad_negation or lead.said("not", "only") is not None or _why_not(lead, things=False)
            found = self._tried(rest, [*before, lead]) if not refuses else None
            if isinstance(found, Question) and found.intent != "help":
                story = () if _is_idle(lead) else (lead.raw(0, start),)
                return replace(found, unread=(*story, *rest.unread_words))
        return None


def _clauses(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """The sentences, cut where a question begins behind a comma or "and"."""
    questions, first = lists()["question"], 0
    for n in range(1, len(words)):
        word, before = words[n], words[n - 1]
        said = {one.low for one in words[first:n]}
        pauses = any(sign in word.before for sign in ",;:?!()") or word.before.strip() in ("-", "–")
        is_short = n - first < 5 and word.sentence == before.sentence and said.isdisjoint(lists()["no aside"])
        polite = (
            word.low in ("can", "could", "would", "if")
            and n + 1 < len(words)
            and words[n + 1].low in ("you", "i", "we")
        )
        begins = (word.low in questions and not word.quote) or (word.low in lists()["opens"] and ":" in word.before)
        is_led = n - 2 >= first and before.low in lists()["leads question"]  # "and in which parts"
        is_joined = words[n - 1 - is_led].low in ("and", "but", "then", "&")
        after = words[n + 1].low if n + 1 < len(words) else ""
        begins = begins and not is_short and (pauses or is_joined)
        asks = not said.isdisjoint(questions | {"show", "list", "did", "everything"})
        asks_on = asks and n - first > 2 and word.low in lists()["before subject"] and after in lists()["on it"]
        begins = begins or (asks_on and (pauses or is_joined) and not is_led)  # "and is any of it mine"
        begins = begins and not _is_time(words[first:n])  # "in the last two weeks, who …"
        begins = begins or (pauses and n - first > 2 and f"{word.low} {after}" in lists()["remarks"])
        goes_on = word.low in lists()["goes on"] or (word.low == "not" and after == "counting")
        goes_on = goes_on and after != "" and "," not in words[n + 1].before
        if word.sentence != before.sentence and not goes_on:  # "who knows the parser? past year or so"
            rest = [one for one in words[n:] if one.sentence == word.sentence]
            goes_on = _is_time(rest) and not find_times(words[first:n], Now(date(2100, 1, 1)))
        if (
            (word.sentence != before.sentence and not goes_on)
            or begins
            or (polite and n - first > 4 and said.isdisjoint(questions))
        ):
            end = n - (begins and is_led and is_joined)
            yield words[first:end]
            first = end
    yield words[first:]


def _is_time(words: Sequence[Word]) -> bool:
    """Whether some words are a time and nothing else."""
    return sum(time.end - time.first for time in find_times(words, Now(date(2100, 1, 1)))) == len(words)


def _is_idle(part: QuestionPart, *, forms: bool = False) -> bool:
    """Whether a part says nothing but hello, or, with `forms`, nothing but how the answer is wanted."""
    return not part.items and not part.unread and not part.asks_on and all(
        part.has(n, "idle") or (forms and any(name.startswith("form: ") for name in part.classes[n]))
        for n in range(len(part.words)) if part.taken(n) != "ME"
    ) and all(map(part.is_free, range(len(part.words))))  # fmt: skip


def _corrects(part: QuestionPart, meant: set[Person], others: set[Person]) -> bool:
    """Whether a part says no more than who is meant: "not louis, luis"; it says whom beside whom not."""
    said, is_other = (set[Person](), set[Person]()), False
    for n in range(len(part.words)):
        is_other = (is_other and not part.pauses(n)) or part.low(n) == "not"
        people = part.called(n)
        if not people and not part.has(n, "idle", "not"):
            return False
        said[is_other].update(people)
    if said[1]:
        meant |= said[0]
        others |= said[1] - said[0]
    return bool(said[1])


def _is_chat(part: QuestionPart) -> bool:
    """Whether a part is small talk: "thanks for yesterday", "you saved my friday"."""
    return part.said("chat") is not None and all(item.tag == "TIME" for item in part.items)


def _is_within(question: object, other: Question) -> bool:
    """Whether a question asks for nothing that another one does not: "what was he up to" behind his October."""
    if not isinstance(question, Question) or question.intent != "month":
        return False
    bare = replace(question, intent=other.intent, people=(), assumed=(), found={}, span=None)
    is_timed = question.span in (None, other.span)
    return bare == Question(other.intent) and is_timed and set(question.people) <= set(other.people)


def _why_not(part: QuestionPart, *, things: bool = True) -> str | None:
    """Why what a part speaks of cannot be told; or, without `things`, what it asks, whatever else it speaks of."""
    known_best = {"best"} if part.said("who") is not None else ()  # "who knows the parser best"
    words = (n for n in range(len(part.words)) if part.is_free(n) and part.low(n) not in known_best)
    free = (name for n in words for name in part.classes[n])
    named = (name.split() for name in free if name.startswith("cannot: "))
    cannot = {of for _, *some, of in named if things or not some}
    return next((line for name, line in WHY_NOT.items() if name in cannot), None)


def _is_in_rows(text: str, question: Question) -> bool:
    """Whether what is unread asks for what each row of the answer says: who, when, and of reverts why."""
    said = text.casefold().strip(" ,:&").removeprefix("and ")
    if question.listing != "changes" or question.intent not in ("changes", "explain"):
        return False
    tells_why = question.intent == "explain" or "reverted" in question.states
    return said in lists()["row tells"] or (tells_why and said in lists()["row tells of reverts"])


def _is_aside(part: QuestionPart, intent: str) -> bool:
    """Whether a part asks nothing but whose something is and when, and of an explanation why and what became of it."""
    names, lows = (("aside", "told"), ("and", "when", "why")) if intent == "explain" else (("aside",), ("and", "when"))
    text = " ".join(word.low for word in part.words).removeprefix("and ")
    if intent == "explain" and text in lists()["of fate"]:
        return True
    return intent in ("explain", "who") and all(
        part.has(n, *names) or part.low(n) in lows for n in range(len(part.words))
    )


def _carries_nothing(part: QuestionPart) -> bool:
    asks = any(part.has(n, "questions", "asks release") or part.low(n) == "mine" for n in range(len(part.words)))
    if part.said("away") is not None and not (part.unread or asks):
        return True
    return not (
        part.items
        or part.unread
        or part.asks_on
        or (asks and [word.low for word in part.words] != ["what"])
        or part.said("do", "make", "shipped", "reviews", "explain", "who", "count", "kind") is not None
        or any(part.has(n, "aside", "told") and not part.has(n, "nothing") for n in range(len(part.words)))
    )


def _fullness(part: QuestionPart) -> int:
    verbs = ("do", "make", "shipped", "touch", "reviews", "changes", "who", "explain", "compare", "profile")
    asks = any(part.has(n, "questions") for n in range(len(part.words)))
    return 2 * len(part.items) + sum(part.said(name) is not None for name in verbs) + 3 * asks - len(part.unread)


def _forms(part: QuestionPart) -> Iterator[str]:
    for n in filter(part.is_free, range(len(part.words))):
        yield from (name[6:] for name in part.classes[n] if name.startswith("form: "))


def _kept(thread: Thread, question: Question) -> Question:
    """A question with what it does not say taken from the thread."""
    remembered = thread.intent or ("month" if thread.people else "who" if thread.topic else "what_shipped")
    if question.intent in ("unknown", "changes", thread.intent) and question.listing == "changes":
        question = replace(
            question, states=question.states or thread.states, order=question.order or thread.order,  # type: ignore[arg-type]
            listing=thread.listing or "changes",  # type: ignore[arg-type]
        )  # fmt: skip
    return replace(
        question, intent=remembered if question.intent == "unknown" else question.intent,
        people=question.people or thread.people,
        span=question.span or (None if question.release else thread.span),
        repositories=question.repositories or thread.repositories, team=question.team or thread.team,
        topic=question.topic or thread.topic, paths=question.paths or thread.paths,
        kinds=question.kinds or thread.kinds,
        release=question.release or (None if question.span else thread.release),
    )  # fmt: skip


class _Asked:
    """What a part asks: its slots put together, the thread's beside them, or why it cannot be answered."""

    def __init__(
        self, part: QuestionPart, known: Known, thread: Thread | None, before: Sequence[QuestionPart], mine: bool
    ) -> None:
        self._part, self._known, self._thread, self._before, self._mine = part, known, thread, before, mine
        self.fitting: Callable[[Sequence[Person]], Sequence[Person]] = lambda people: people
        self._called, self._count = known.directory.called, len(part.words)
        self._text = " ".join(word.low for word in part.words)
        self._lows = frozenset(word.low for word in part.words)
        self._assumed: list[str] = []
        self._found: dict[str, Person] = {}
        self._unsure: tuple[list[str], int, str, Sequence[Person]] | None = None  # whom a name may mean, of all names
        self._commits: dict[Person, int] = {}  # of whom a name may mean, in the time that is asked for

    def question(self) -> Question:
        part = self._part
        if answer := self._managed():
            part.lose(n for one in part.of("TOPIC") for n in range(one.first, one.end))
            return answer
        self._refuse_what_git_cannot_know()
        base = self._base()
        question = self._intended(base)
        if question.intent == "who" and question.people:
            raise NotAnswered(WITH_WHOM, self._offers())
        if not question.references:
            self._refuse_strangers(question)
        question = self._in_thread(question, base) if self._thread else self._alone(question)
        is_now = not question.release and not any(
            self._lows.isdisjoint(some) for some in (("is", "are", "am"), ("working", "doing", "busy"))
        )
        if is_now and question.intent == "month" and not question.span:
            today = part.now.today
            question = replace(question, span=Days(today - timedelta(NOW_DAYS - 1), today + timedelta(1)))
            self._assumed.append(f"now: the last {NOW_DAYS} days")
        self._check(question)
        months = {name.casefold() for name in NAMES}
        slips = [f"“{raw}” read as {meant.title() if meant in months else meant}" for raw, meant in part.slips.values()]
        assumed = tuple(dict.fromkeys(filter(None, (*question.assumed, *slips, *part.assumed, *self._assumed))))
        return replace(question, assumed=assumed, found=dict(self._found))

    def _has(self, *classes: str) -> bool:
        return self._part.said(*classes) is not None

    def _any(self, *classes: str) -> bool:
        """Whether a word is of some classes, whatever it was taken for."""
        return any(self._part.has(n, *classes) for n in range(self._count))

    # what is no query

    def _managed(self) -> Question | None:
        part, text = self._part, self._text
        asks_how = re.match(r"(?:\w+ )?how (?:do|can|should|to)\b", text) is not None
        if self._has("help") and asks_how:
            return Question("help")
        if link := self._linked():
            return link
        people, topics = part.of("PERSON"), part.of("TOPIC")
        posts = self._has("digest", "posts") or not self._lows.isdisjoint(("send", "remind"))
        repeats = not people and (self._has("repeated") or not self._lows.isdisjoint(("every", "each")))
        repeats = repeats and (self._has("digest") or not self._has("do", "shipped", "make"))
        changes = self._has("digest") and not self._lows.isdisjoint(lists()["changes managed"])
        if (
            (self._has("schedule") and not people and not topics)
            or (posts and (repeats or changes))
            or _SCHEDULED.fullmatch(text)
        ):
            lost = {n for first, end in part.unread for n in range(first, end)}
            part.unread = []
            part.lose(n for n in lost if part.is_strange(n) and not (part.classes[n] or part.is_time(n)))
            return Question("schedule", repositories=tuple(str(one.value) for one in part.of("REPO")))
        helps = part.said("help")
        is_help = all(part.has(n, "idle", "questions", "pronouns") for n in range(self._count))
        if helps is not None and not part.items and (part.phrase[helps] > 1 or is_help):
            return Question("help")
        if self._has("hide") and not topics:
            raise NotAnswered(ONLY_TELLS)
        return None

    def _linked(self) -> Question | None:
        """Whose an address or a login is."""
        part, text = self._part, self._text
        addresses = [word.raw for word in part.words if ADDRESS.fullmatch(word.raw) and not word.is_handle]
        said: object = self._has("link") or _SAYS_LINK.match(text)
        said = said or (addresses and re.match(r"is |\S+ is ", text))
        topic, match = addresses[0] if addresses else "", _LINKED.fullmatch(text)
        if match and not topic:
            low = next(one for one in match.groups() if one).lstrip("@")
            word = next((one for one in part.words if one.low == low), None)
            people = self._known.directory.exactly(low, levels=(2,))
            asks = re.match(r"(?:un)?link|.*(?:login|account|github| is (?:me|mine)\b)", text) is not None
            is_whole = people or not text.startswith("who is") or (word and word.is_handle)
            if (
                word
                and (asks or word.is_handle or people)
                and is_whole
                and low not in ("my", "me", "that", "this", "it")
            ):
                topic = word.raw.lstrip("@")
        dated = part.of("TIME") or (self._has("do", "profile") and not text.startswith("who "))
        about_other = part.of("TOPIC") or self._has("do") or (self._has("explain") and part.of("REF"))
        if not said or (topic and addresses and dated and not self._has("link")):
            return None
        if not topic and (not self._has("link") or part.of("TIME") or about_other):
            return None
        names = [
            one
            for one in part.mentioned
            if topic not in (part.raw(one.first, one.end).lstrip("@"), part.raw(one.first, one.end))
        ]
        people_named = tuple(self._one(item) for item in names[:1])
        is_mine = re.search(r"\b(?:me|my|mine|i)\b", text) and not _ABOUT_LINKS.fullmatch(text)
        if is_mine and not people_named and self._known.asker:
            people_named = (self._called(self._known.asker),)
        return Question("link", people_named, topic=topic or None)

    def _one(self, item: Item) -> str:
        if len(item.value) != 1:
            raise NotAnswered(which_one(self._part.raw(item.first, item.end), item.value))
        return self._called(item.value[0])

    def _refuse_what_git_cannot_know(self) -> None:
        part = self._part
        first = 0
        while (
            part.has(first, "nothing", "talk", "follow")
            or part.among(first, "polite")
            or (first == 0 and part.taken(0) == "PERSON")
        ):
            first += 1
        after = first + (part.phrase[first] if first < self._count else 1)
        if part.among(first, "sql") and not self._known.knows_word(part.low(after)):
            raise NotAnswered(ONLY_TELLS)
        if part.has(first, "orders") and part.is_free(first) and part.opens[first] == first:
            is_object = part.taken(after) in ("REF", "PERSON", "TOPIC", "PATH", "REPO") or part.is_strange(after)
            is_object = (
                is_object
                or part.phrase[first] > 1
                or part.has(after, "determiners", "pronouns", "theirs", "asker", "nothing")
            )
            if is_object and not part.has(after, "work", "changes"):
                raise NotAnswered(ONLY_TELLS)
        is_between = "long" in self._lows and len(part.of("RELEASE")) > 1  # "how long did it take from 1.1 to 1.2"
        is_rare = "often" in self._lows and not (part.of("TOPIC") or part.of("PATH"))
        if (why := WHY_NOT["often"] if is_rare else _why_not(part)) and not is_between:
            raise NotAnswered(why, self._offers())

    def _span(self) -> Days | None:
        return next((one.value.days for one in self._part.of("TIME") if one.value.days), None)

    def _offers(self) -> list[Choice]:
        """Whole questions made of what was read."""
        part, span = self._part, self._span()
        where = tuple(one.value for one in part.of("REPO") if isinstance(one.value, str))
        named = [self._narrowed(part.raw(one.first, one.end), one.value, span) for one in part.of("PERSON")]
        people = [some[0][0] for some in named if len(some) == 1 and self._known.may_be_offered(some[0][0])]
        if self._known.asker and self._any("asker"):
            people.append(self._known.asker)
        offered = [Question("explain", references=(str(one.value),)) for one in part.of("REF")[:1]]
        topic = next((str(one.value) for one in part.of("TOPIC")), None)
        paths = tuple(str(one.value) for one in part.of("PATH"))
        named_intent = "changes" if topic or paths else "month"
        offered += [
            Question(named_intent, (self._called(one),), span, where, topic, paths=paths)
            for one in list(dict.fromkeys(people))[:2]
        ]
        team = next((str(one.value) for one in part.of("TEAM")), None)
        if topic or paths:
            offered.append(Question("who", (), span, where, topic, paths=paths))
        if (span or where or team) and not paths:
            offered.append(Question("what_shipped", (), span, where, team=team))
        lead = {"what_shipped": "What shipped: ", "who": "Who: "}
        return [Choice(f"{lead.get(one.intent, '')}{reading_line(one)}", one) for one in offered[:MOST_OFFERED]]

    def _not_understood(self) -> NotAnswered:
        unread = self._part.unread_words
        said = f"I did not understand {listed([f'“{clean(one)[:80]}”' for one in unread])}."
        is_known = self._part.items or sum(end - first for first, end in self._part.unread) < self._count
        return NotAnswered(said if unread and is_known else NOT_UNDERSTOOD, self._offers())

    # the slots

    def _base(self) -> Question:
        """What the words name, whatever is asked of it."""
        part, trouble = self._part, self._part.trouble
        if trouble:
            span = self._span()
            teams = [
                Choice(clean(one), Question("what_shipped", span=span, team=one))
                for one in self._known.teams[: MOST_CHOICES - 1]
            ]
            everyone = Choice("Everyone", Question("what_shipped", span=span))
            raise NotAnswered(trouble, [*teams, everyone] if trouble.startswith("I know no team") else self._offers())
        span, ends = self._times()
        if not span and (self._has("away") or any(part.said("away") is not None for part in self._before)):
            span = next((one.value.days for before in reversed(self._before) for one in before.of("TIME")), None)
        people = self._people(span)
        for one in part.of("REPO"):
            if isinstance(one.value, tuple):
                choices = [
                    Choice(name, Question("month" if people else "what_shipped", people, span, (name,)))
                    for name in one.value
                ]
                raise NotAnswered(
                    f"Which {part.raw(one.first, one.first + 1)}: {listed(list(one.value), 'or')}?", choices
                )

        def texts(tag: str, items: Sequence[Item] = ()) -> tuple[str, ...]:
            return tuple(dict.fromkeys(str(one.value) for one in items or part.of(tag) if one.tag == tag))

        releases, out = texts("RELEASE"), part.left_out
        if len(releases) > 2:
            raise NotAnswered(f"Which two releases: {clean(listed(list(releases), 'or'))}?")
        folders = {one.rpartition("/")[0] for one in releases if "/" in one}  # "operator/v0.11.0" is of a folder
        release = "..".join(releases[:2]) if not any(".." in one for one in releases) else releases[0]
        orders, limit = list(self._classes("order: ")), self._limit()
        kinds = dict.fromkeys(self._classes("kind: "))
        if self._has("count") and "fixed" in self._lows:  # "how often was it fixed"
            kinds = kinds or {"fix": None}
        order = "files" if "files" in orders else next(iter(orders), None)  # "the largest by files"
        read = {name for n in range(self._count) if part.is_free(n) and not part.is_lost(n) for name in part.classes[n]}
        listing = next((name for name in ("files", "folders", "people") if name in read), "changes")
        return Question(
            "unknown", people, span, texts("REPO"), " ".join(texts("TOPIC")) or None,
            tuple(kinds), ends=ends, team=next(iter(texts("TEAM")), None),
            release=release or None, paths=texts("PATH") or tuple(folders), references=texts("REF"),
            states=tuple(dict.fromkeys(self._classes("state: "))), count=self._has("count", "people"),
            only=self._only(), limit=limit,
            order=order or (("first" if "first" in self._lows else "latest") if limit else None),  # type: ignore[arg-type]
            listing=listing, first_time=self._has("firsttime"), form=tuple(dict.fromkeys(_forms(part))),  # type: ignore[arg-type]
            without=tuple(self._one(one) for one in out if one.tag == "PERSON" and one.value),
            without_repositories=texts("REPO", out) if out else (), without_kinds=texts("KIND", out) if out else (),
            without_topics=tuple(str(one.value) for one in out if one.tag in ("TOPIC", "PATH", "TEAM")),
        )  # fmt: skip

    def _times(self) -> tuple[Days | None, tuple[Days, Days] | None]:
        """The time, and its two ends where they stand side by side."""
        times: list[TimeFound] = [one.value for one in self._part.of("TIME") if one.value.days]
        span, ends = (times[0].days, times[0].ends) if times else (None, None)
        days = list(dict.fromkeys(one.days for one in times if one.days))
        present = self._part.now.today + timedelta(1)
        if len({(one.first, min(one.end, present)) for one in days}) == 1:  # "this week (since Monday)"
            days = days[:1]
        if len(days) > 1 and not self._part.compares:
            raise NotAnswered(f"Which time: {listed([one.title for one in days], 'or')}?", self._offers())
        ends = two_ends(days[0], days[1]) if len(days) > 1 else ends
        if ends and (self._part.compares or times[0].is_apart):
            return Days(min(one.first for one in ends), max(one.end for one in ends)), ends
        return span, None

    def _people(self, span: Days | None) -> tuple[str, ...]:
        part, compares = self._part, self._part.compares
        slots = [
            (one.first, one.end, part.raw(one.first, one.end).removesuffix("'s"), tuple(one.value))
            for one in part.of("PERSON")
        ]
        if me := [n for n in range(self._count) if part.taken(n) == "ME"]:
            if self._known.asker is None:
                raise NotAnswered(WHO_ARE_YOU)
            slots.append((me[0], me[0] + 1, "", (self._known.asker,)))
        if (bots := part.said("machines")) is not None:
            when = span or Days.of(MonthRange(*2 * (Month(part.now.today.year, part.now.today.month) - 1,)))
            slots += [(bots, bots + 1, one.name, (one,)) for one in self._known.bots(when)]
            if not slots:
                raise NotAnswered(f"No bot made a commit in {when.title}.")
        slots.sort(key=lambda slot: slot[0])
        narrowed = cache(lambda said, people: self._narrowed(said, people, span))  # one name may stand 200 times
        pronoun = part.said("pronouns")
        if (
            pronoun is not None
            and not part.of("TEAM")
            and (not slots or (compares and len(slots) == 1 and pronoun < slots[0][0]))
        ):
            meant = self._meant(part.low(pronoun))
            slots = [*((pronoun, pronoun + 1, said, people) for said, people in meant), *slots]
            plural = part.low(pronoun) in ("they", "them", "their")
            thread = self._thread and (self._thread.team or self._thread.listed or (plural and self._thread.span))
            if not slots and not part.of("REF") and not thread:
                raise NotAnswered(WHOSE, self._whose(Question("month", span=span)))
        names, unsure = list[str](), list[tuple[int, str, Sequence[Person]]]()
        for _, _, said, people in slots:
            chosen = narrowed(said, people)
            theirs = list(map(self._called, chosen[0])) if len(chosen) == 1 else [""]
            names += theirs
            if len(chosen) == 1:
                self._found |= dict(zip(theirs, chosen[0], strict=True))
            else:
                unsure.append((len(names) - 1, said, [one[0] for one in chosen]))
        if unsure and all(
            set(people) <= set(self._found.values()) for _, _, people in unsure
        ):  # "both daves, dave kim and …"
            names, unsure = [name for name in names if name], []
        self._unsure = (names, *unsure[0]) if unsure else None
        for (_, end, *_), (first, *_) in pairwise(slots) if not compares and len(set(names)) > 1 else ():
            between = [
                n for n in range(end, first) if not part.among(n, "joins") and not part.has(n, "determiners", "asker")
            ]
            is_joined = part.pauses(first) or any(part.low(n) in ("and", "with") for n in range(end, first))
            if between and not is_joined:
                raise NotAnswered(f"Whose: {listed(list(filter(None, names)), 'or')}?", self._offers())
        return tuple(dict.fromkeys(names))

    def _narrowed(self, said: str, people: Sequence[Person], span: Days | None) -> Sequence[tuple[Person, ...]]:
        """Whom a name means, each with who is the same: of several who alone was active under it in the time and the
        repositories, or ten times as active as the others."""
        known, directory = self._known, self._known.directory
        groups, people = list[tuple[Person, ...]](), self.fitting(people)
        for one in people:
            if not any(one in group for group in groups):
                groups.append(tuple(p for p in directory.same(one) if p in people or known.may_be_offered(p)))
        if not groups:
            return []
        thread = self._thread or Thread()
        span, where = span or thread.span, tuple(str(one.value) for one in self._part.of("REPO")) or thread.repositories
        asks = len(groups) > 1 or len(groups[0]) > 1
        written = known.written(span or EVER, where) if asks and known.written and (span or where) else None
        if len(groups) > 1:
            commits = [sum(written(i) for p in one for i in _signed(p, said)) for one in groups] if written else []
            if any(commits):
                self._commits |= {one[0]: n for one, n in zip(groups, commits, strict=True)}
            else:
                commits = [sum(i.commits for p in one for i in _signed(p, said)) for one in groups]
            most, *others = sorted(filter(None, commits), reverse=True) or [0]
            if most and most >= TEN_TIMES * max(others, default=0):
                groups = [groups[commits.index(most)]]
            elif self._commits:
                groups = sorted(
                    (one for one in groups if self._commits[one[0]]), key=lambda one: -self._commits[one[0]]
                )
        if len(groups) == 1 and len(groups[0]) > 1 and written:
            groups = [tuple(p for p in groups[0] if any(map(written, p.identities))) or groups[0]]
        if len(groups) == 1 and (len(people) > 1 or len(groups[0]) > 1):
            self._assumed.append(f"“{said}” read as {listed(list(map(self._called, groups[0])))}" if said else "")
        return groups

    def _meant(self, pronoun: str) -> list[tuple[str, tuple[Person, ...]]]:
        """Whom a pronoun means: who was named before it, else whom the thread is about."""
        for part in reversed(self._before):
            if items := part.mentioned:
                found = [(part.raw(one.first, one.end), tuple(one.value)) for one in items]
                return found if pronoun in ("they", "them", "their", "theirs") else found[-1:]
        names = self._thread.people if self._thread else ()
        named = [(name, self._known.directory.find(name).people) for name in names]
        return [(name, people[:1]) for name, people in named if people]

    def _classes(self, prefix: str) -> Iterator[str]:
        part = self._part
        for n in range(self._count):
            if part.is_free(n) and not part.is_lost(n):
                yield from sorted(name.removeprefix(prefix) for name in part.classes[n] if name.startswith(prefix))

    def _limit(self) -> int | None:
        """ "last 5 commits", "top 3 changes", "the very first commit": how many of a list."""
        part, orders = self._part, ("order: size", "order: files", "order: latest", "order: first")
        for n in filter(part.is_free, range(self._count)):
            said = part.raw(n, n + part.phrase[n] + 1).casefold().split()
            if part.has(n, *orders) and "first" in said and {"commit", "change", "pr"} & set(said[1:]):
                return 1
        for n in filter(part.is_free, range(self._count)):
            low = tables()["numbers"].get(part.low(n), part.low(n))
            led = part.has(n - 1, *orders) or part.low(n - 1) in ("last", "first", "top") or part.has(n + 1, *orders)
            if low.isdigit() and len(low) < 4 and led:
                part.unread = [one for one in part.unread if one not in ((n, n + 1), (n - 1, n + 1))]
                return int(low)
        return None

    def _only(self) -> bool:
        """Whether paths or kinds are to be all that a change has; nothing read behind "only" is a bad negation."""
        part, only = self._part, self._part.said("only")
        if only is None:
            return False
        after = only + 1
        while part.is_free(after) and part.has(
            after, "determiners", "prepositions", "only", "nothing", "pronouns", "asker"
        ):
            after += 1
        is_read = (
            part.taken(after)
            or part.has(after, "kind", "changes", "count", "touch", "order: size", "make")
            or part.taken(only - 1 - part.has(only - 1, "work"))
        )
        if part.is_lost(after) or not (is_read or part.has(only - 1, "kind")):
            part.bad_negation = True
        return part.has(only + 1, "touch") or part.has(only - 1, "touch") or part.taken(after) == "PATH"

    # what is asked

    def _intended(self, base: Question) -> Question:
        part, has = self._part, self._has
        everyone = has("everyone") or any(part.has(n, "neg") and part.among(n, "all") for n in range(self._count))
        asks_who, named = part.asks_who, bool(base.topic or base.paths)
        filters = (
            base.kinds or base.states or base.order or base.count or base.limit or base.first_time or base.without_kinds
        )
        if not base.references and not ("which" in self._lows and base.states) and not base.people and not base.topic:
            base = replace(base, references=self._listed())
        if base.references:
            return self._explained(base)
        if base.states == ("unreleased",) and not (base.span or base.release):
            return replace(base, intent="changes" if base.people else "what_shipped", release=LATEST, states=())
        if part.lists_releases and not (base.paths or base.people or (base.topic and not base.release)):
            part.lose(n for one in part.of("TOPIC") for n in range(one.first, one.end))
            return replace(
                Question("explain", (), base.span, base.repositories, release=base.release, listing="releases"),
                limit=base.limit,
            )
        if part.asks_release and (base.topic or base.paths):
            return Question("explain", base.people, base.span, base.repositories, base.topic, paths=base.paths,
                            release=base.release or WHICH, form=base.form)  # fmt: skip
        thread, hangs = self._thread or Thread(), part.says_listed and not (named or base.people)
        if hangs and (thread.topic or thread.paths) and (has("explain", "state: reverted") or "why" in self._lows):
            return replace(base, intent="explain")
        is_passive = self._lows.isdisjoint(("was", "were", "got", "been", "by"))
        if asks_who and named and has("state: reverted") and is_passive:  # "who reverted the parser"
            return replace(base, intent="explain")
        if hangs and self._thread and asks_who and has("do", "make", "touch", "who", "aside") and not has("reviews"):
            return replace(base, intent="who")
        is_range = base.release is not None and ".." in base.release and not base.people
        sides = base.people or base.release or len(base.repositories) > 1 or (base.ends and (base.kinds or base.states))
        if part.compares and not is_range and (sides or self._thread):
            return self._released(base) if base.release and not base.people else replace(base, intent="compare")
        for n in range(self._count) if is_range else ():  # which is said by the range itself
            if part.has(n, "compare") and part.is_free(n):
                part.words[n].taken = "RELEASE"
        if part.compares and not is_range:
            raise NotAnswered(
                "Whose months shall I compare? Name somebody.", self._whose(Question("compare", span=base.span))
            )
        is_who_is = re.match(r"(?:so |and |hey |hi )?who (?:is|am i|are)\b", self._text) and not has(
            "do", "make", "touch", "reviews", "who"
        )
        pronoun = has("pronouns") and self._thread
        if (
            (is_who_is and (base.people or pronoun) and not base.span)
            or (has("profile") and not named and (base.people or self._thread))
            or ("ever" in self._lows and base.people and not (base.span or base.release or named or filters))
        ):
            return replace(base, intent="month" if base.span and base.people else "profile", ends=None)
        if part.asks_release and base.people and not (base.release or self._thread):
            raise NotAnswered(WHICH_COMMIT)
        if has("reviews"):
            return self._reviewed(base)
        if (
            asks_who
            and base.span
            and has("do")
            and not (named or base.people or base.repositories or base.kinds or base.order)
        ):
            return replace(base, intent="what_shipped")
        if asks_who and (
            named
            or (not everyone and (base.first_time or base.repositories or base.kinds or base.order or base.people))
            or (not everyone and base.release)
        ):
            kinds = " ".join(part.low(n) for n in range(self._count) if part.is_free(n) and part.has(n, "kind"))
            order = base.order or ("first" if named and not self._lows.isdisjoint(lists()["begun"]) else None)
            return replace(
                base,
                intent="who",
                order=order,
                topic=base.topic or (kinds if base.kinds else None),
                kinds=(),
                states=(),
            )
        if asks_who and not everyone and "what" not in self._lows and has("make", "touch", "who"):
            raise NotAnswered(WHO_WHAT)
        if has("digest"):
            return replace(base, intent="digest", people=())
        if has("split") and not (base.people or base.kinds or base.states):
            return replace(base, intent="who", count=False)
        fate = self._asks_fate()
        tells = named and not base.count and (not base.people or "why" in self._lows)
        if (tells and (has("explain", "aside", "told") or part.story >= 0 or fate)) or (
            base.release and not base.topic and not {"when", "released"}.isdisjoint(self._lows)
        ):
            asks_where = fate and base.topic and not {"released", "shipped"}.isdisjoint(self._lows)
            if has("told") and not {"bug", "broken"}.isdisjoint(self._lows):  # "waker_set: what was the bug"
                base = replace(base, kinds=base.kinds or ("fix",))
            return replace(base, intent="explain", release=base.release or (WHICH if asks_where else None))
        if (has("explain") or "why" in self._lows) and not (base.people or base.release or self._thread):
            raise NotAnswered(WHICH_COMMIT)
        if base.first_time and not self._lists_changes():
            return replace(base, intent="who")
        if filters or base.listing != "changes" or self._lists_changes():
            return replace(base, intent="changes")
        if base.people:
            is_ever = "ever" in self._lows and not (base.span or named)
            return replace(base, intent="profile" if is_ever else "month")
        is_ours = has("do", "touch") and not self._lows.isdisjoint(("we", "us", "everyone"))
        if base.paths or (base.topic and not (everyone or is_ours or has("shipped"))):
            return replace(base, intent="changes")
        if base.release or base.team or base.repositories or everyone or is_ours or has("shipped"):
            return replace(base, intent="what_shipped")
        return base

    def _asks_fate(self) -> bool:
        """ "has the parser landed", "when was X removed": whether it is asked what became of something."""
        words = [word.low for n, word in enumerate(self._part.words) if not self._part.has(n, "talk", "follow")]
        begins = bool(words) and words[0] in lists()["before subject"] | {"when"}
        return (
            begins
            and not lists()["fate"].isdisjoint(words[1:])
            and self._lows.isdisjoint(("what", "who", "anyone", "anybody"))
        )

    def _asks_release(self) -> bool:
        return not self._lows.isdisjoint(lists()["release"] | {"release", "releases", "released", "versions", "tagged"})

    def _lists_changes(self) -> bool:
        part = self._part
        for n in filter(part.is_free, range(self._count)):
            before = n - 1 - (part.low(n - 1) in ("ever", "even", "just", "also"))
            is_verb = part.low(n) in ("change", "commit") and (
                part.among(before, "before subject") or part.taken(before) in ("PERSON", "ME")
            )
            if part.has(n, "changes") and not is_verb and (part.low(n) != "list" or part.of("PERSON")):
                return True
        return False

    def _listed(self) -> tuple[str, ...]:
        """What "it", "those" and "the second one" are, of what was listed before; () where nothing speaks of that."""
        part, ordinals = self._part, tables()["ordinals"]
        nth = next(
            (
                n
                for n in range(self._count - 1)
                if part.low(n) in ordinals and part.low(n + 1) in ("one", "change", "commit", "pr")
            ),
            None,
        )
        if part.of("PATH") or part.of("TOPIC"):
            nth = None
        said = [n for n in range(self._count) if part.among(n, "listed") and part.is_free(n) and part.phrase[n] == 1
                and not (part.low(n) == "that" and (part.among(n - 1, "all") or part.has(n - 1, "changes", "kind")
                                                    or part.low(n + 1) in ("got", "gets", "was", "were", "are")))
                and not (part.has(n + 1, "work", "do") or part.taken(n + 1) in ("TIME", "REPO"))]  # fmt: skip
        asks = (
            self._has("explain", "reviews", "state: reverted", "aside", "told")
            or self._asks_fate()
            or "why" in self._lows
        )
        asks = asks or part.asks_release
        is_bare = (
            asks
            and part.low(self._count - 1) in ("why", "explain")
            and not (part.items or self._has("do", "kind: fix", "shipped", "make", "changes"))
        )
        is_bare = is_bare or (
            part.asks_release and not (part.items or part.lists_releases) and self._thread is not None
        )
        if nth is None and not (said and asks) and not is_bare:
            return ()
        there = tuple(str(one.value) for before in self._before for one in before.of("REF"))
        there = there or (self._thread.listed if self._thread else ())
        if nth is not None and there:
            part.unread = [(a, b) for a, b in part.unread if (a, b) not in ((nth, nth + 1), (nth - 1, nth + 1))]
            return there[int(ordinals[part.low(nth)]) - 1 :][:1]
        if any(one.end <= n for one in part.of("TOPIC") for n in said):  # "the rssi fix, is that released"
            return ()
        several = any(part.among(n, "several") for n in said)
        about, thread = self._has("explain", "state: reverted"), self._thread or Thread()
        if not several and self._has("state: reverted") and (thread.topic or thread.paths or len(there) > 1):
            return ()  # which of them was reverted is looked for
        if len(there) == 1 or (there and (several or self._has("reviews") or part.asks_release or not about)):
            return there[:MOST_MEANT]
        if several or thread.topic or thread.paths or (part.items and not there):
            return ()
        raise NotAnswered(WHICH_COMMIT, [Choice(clean(one), Question("explain", references=(one,))) for one in there])

    def _explained(self, base: Question) -> Question:
        part, where = self._part, base.repositories or (self._thread.repositories if self._thread else ())
        part.lose(n for one in part.of("TOPIC") for n in range(one.first, one.end))
        one_there = where[0] if len(where) == 1 else ""
        references = tuple(f"{one_there}{one}" if one.startswith("#") else one for one in base.references)
        reviewed = self._has("reviews") and not self._lows.isdisjoint(("who", "whom"))
        if reviewed:
            return Question("changes", references=references, form=base.form, reviews="of")
        return Question(
            "explain", references=references, form=base.form,
            release=base.release or (WHICH if part.asks_release else None),
        )  # fmt: skip

    def _released(self, base: Question) -> Question:
        choice = Choice(f"What is in {base.release}", replace(base, intent="what_shipped"))
        raise NotAnswered(f"Compare {base.release} with which release?", [choice])

    def _reviewed(self, base: Question) -> Question:
        """Whose reviews: "what did Ann review"; or of whose changes: "who reviewed Ann's changes"."""
        part, n = self._part, self._part.said("reviews") or 0
        asks_who = not self._lows.isdisjoint(("who", "whom"))
        behind = any(one.first > n for one in part.of("PERSON"))
        passive = any(part.low(at) == "by" for at in range(n, self._count)) and not behind
        is_of = asks_who or passive or part.low(n) in ("reviewer", "reviewers")
        return replace(base, intent="changes", reviews="of" if is_of else "by", count=False)

    # the thread

    def _alone(self, question: Question) -> Question:
        if question.intent == "unknown" and question.span and not question.people:
            asker = self._known.asker
            if self._mine and asker:
                return replace(question, intent="month", people=(self._called(asker),))
            if not self._part.unread:
                raise NotAnswered(WHOSE, self._whose(replace(question, intent="month")))
        return question

    def _in_thread(self, question: Question, base: Question) -> Question:
        """A complete question inherits nothing, one of its own subject the thread's time; else the thread is kept."""
        part, thread, has = self._part, self._thread or Thread(), self._has
        pronoun = has("pronouns")
        if question.references:
            return question
        if question.intent == "explain":
            is_own = (question.topic or question.paths) and not part.says_listed
            kept = replace(_kept(thread, question), kinds=())
            is_out = "reverted" in thread.states or "revert" in thread.kinds
            return question if is_own else replace(kept, states=kept.states or (("reverted",) if is_out else ()))
        at = next((n for n in range(self._count) if not part.has(n, "talk")), 0)
        goes_on = part.has(at, "follow")
        own = base.people or base.team or base.topic or base.paths or has("everyone", "shipped")
        is_whole = own and question.intent != "unknown" and not pronoun
        is_half = question.intent == "compare" and len(base.people) == 1 and not base.ends
        if is_whole and base.span and not is_half and (not goes_on or base.people):
            return question
        asks = not self._lows.isdisjoint(lists()["question"] | {"show", "list", "give", "digest"})
        acts = has("do", "shipped", "who", "make", "profile", "digest", "everyone", "touch")
        if is_whole and question.intent != "compare" and not (goes_on or part.says_listed) and acts and asks:
            is_timed = question.span or question.release or question.intent == "profile" or not thread.span
            return question if is_timed else replace(question, span=thread.span, assumed=(THREADS_TIME,))
        remembered = thread
        if has("everywhere") or self._text == "everything":
            thread = replace(thread, repositories=())
        whole = _kept(thread, question)
        narrows = has("only") or not self._lows.isdisjoint(lists()["narrows"])
        if base.topic and thread.topic and narrows and " OR " not in base.topic + thread.topic:
            whole = replace(whole, topic=f"{thread.topic} {base.topic}")  # "only the security ones"
        if question.intent == "compare":
            people = base.people or thread.people
            if len(base.people) == 1 and not base.span and not pronoun:
                people = tuple(dict.fromkeys((*thread.people, *base.people)))
            if base.span and not base.ends and thread.span and not base.people:
                ends = two_ends(base.span, thread.span)
                whole = replace(whole, ends=ends, span=Days(ends[0].first, ends[1].end))
            return replace(whole, people=people or whole.people)
        if question.intent == "unknown" and base.people:
            whole = replace(
                whole, intent="month" if whole.intent == "what_shipped" else whole.intent, people=base.people
            )
        if question.intent == "what_shipped" and base.repositories and not (has("shipped", "everyone") or base.team):
            whole = replace(whole, intent=thread.intent or ("month" if thread.people else "what_shipped"))
        elif question.intent in ("what_shipped", "digest", "who") or (has("everyone") and not base.people):
            whole = replace(
                whole, people=question.people, intent="what_shipped" if whole.intent == "month" else whole.intent
            )
        if question.intent == "profile":
            whole = replace(whole, span=None, ends=None)
        if not question.form and _bare(whole) == _bare(_kept(remembered, Question("unknown"))):
            raise NotAnswered(NOTHING_NEW)
        return whole

    def _whose(self, draft: Question) -> list[Choice]:
        asker = self._known.asker
        choices = [Choice(clean(self._called(asker)), replace(draft, people=(self._called(asker),)))] if asker else []
        if draft.span:
            choices.append(
                Choice("Everyone", replace(draft, intent="what_shipped" if draft.intent == "month" else draft.intent))
            )
        return choices

    # what is refused

    def _refuse_strangers(self, question: Question) -> None:
        """Ask back where a name is nobody's."""
        if stranger := self._stranger():
            directory, offers = self._known.directory, self._known.may_be_offered
            people = [
                p for name in directory.nearest(stranger) for p in directory.exactly(name, levels=(1,)) if offers(p)
            ]
            people = [*filter(offers, directory.begins(stranger)[:2]), *people]
            near = [self._called(p) for p in dict.fromkeys(people)][:3]
            draft = replace(question, intent="month") if question.intent == "unknown" else question
            raise NotAnswered(
                nobody(stranger, near), [Choice(clean(name), replace(draft, people=(name,))) for name in near]
            )

    def _stranger(self) -> str:
        """A name that nobody has, where somebody must stand."""
        part = self._part
        for n in range(self._count):
            is_word = part.is_strange(n) and part.is_lost(n) and any(map(str.isalpha, part.low(n)))
            is_known = part.words[n].raw.islower() and (
                self._known.knows_word(part.low(n)) or (part.low(n) in listed_words() and not part.is_time(n))
            )
            beside = any(part.among(n + at, "joins") and part.taken(n + 2 * at) == "PERSON" for at in (-1, 1))
            is_known = is_known and not (part.words[n].is_owner or part.words[n].is_handle or beside)
            is_other = is_known or part.has(n, "not") or part.among(n, "conditioning", "conditions", "trailing")
            if not is_word or is_other or not part.is_name_place(n):
                continue
            first, end = n, n + 1
            while part.is_strange(end) and not part.pauses(end) and not part.words[end - 1].is_owner:
                end += 1
            if part.taken(n - 1) == "PERSON" and not part.pauses(n) and not part.words[n - 1].is_owner:
                first = next(one.first for one in part.items if one.tag == "PERSON" and one.first < n <= one.end)
            if not part.among(first - 1, "question"):
                return part.raw(first, end).removesuffix("'s")
        return ""

    def _check(self, question: Question) -> None:
        """Refuse what would be answered though a word was lost that the answer hangs on."""
        part = self._part
        if "none" in question.form:
            raise NotAnswered(
                NO_FORM,
                [Choice("As markdown", replace(question, form=("markdown",)))] if question.intent != "unknown" else [],
            )
        if "fix" in question.kinds and any(low.startswith(("introduce", "cause")) for low in self._lows):
            raise NotAnswered(NOT_IN_GIT, self._offers())
        if self._unsure:
            names, at, said, people = self._unsure
            every = [[self._called(p) if n == at else name for n, name in enumerate(names)] for p in people]
            choices = [Choice(clean(some[at]), replace(question, people=tuple(some))) for some in every if all(some)]
            raise NotAnswered(which_one(self._known.directory.spelled(said), people, self._commits), choices)
        if question.intent == "explain" and question.references:
            return
        if question.intent == "unknown":
            raise self._not_understood()
        idle = _IDLE_CLASSES | _GROUPS | (_UNSEEN - _USED.get(question.intent, frozenset()))
        part.lose(
            n for n in filter(part.is_free, range(self._count)) if part.classes[n] & _UNSEEN and part.classes[n] <= idle
        )
        is_default = not question.span and not question.release and question.intent in _OF_TIME
        is_default = is_default and question.order not in ("latest", "first")
        if is_default and any(part.taken(n) == "ME" for n in range(self._count)):
            part.lose(n for n in range(self._count) if part.low(n) == "ever" and part.is_free(n))
        if part.bad_negation or any(part.has(n, "not") and part.is_lost(n) for n in range(self._count)):
            raise self._not_understood()
        if is_default and not part.unread:
            self._assumed.append(NO_TIME)
        for first, _ in part.unread:
            acts = part.taken(first - 1) in ("PERSON", "ME") and part.among(part.lead(first - 1), "before subject")
            if part.has(first - 1, "questions") or (acts and not part.pauses(first)):
                raise self._not_understood()
        is_verb = (
            self._has("verb")
            or question.kinds
            or question.states
            or any(part.among(n, "does") for n in range(self._count))
        )
        is_listed = question.intent == "changes" and (question.topic or question.paths)
        if part.unread and (not is_verb or (is_default and not is_listed)):
            raise self._not_understood()


def _signed(person: Person, said: str) -> Sequence[Identity]:
    """The identities of somebody by whose names a word was theirs; all, where it was by something else."""
    words = set(plain(said).split())
    return [one for one in person.identities if words <= set(plain(one.name).split())] or person.identities


def _bare(question: Question) -> Question:
    return replace(question, found={}, form=(), assumed=(), choices=())
