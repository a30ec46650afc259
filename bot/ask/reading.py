"""What people type → a Question in which every word is accounted for. The present is an argument; nothing raises. Pure.

The sentences of a text, and the clauses that begin a question, are read one by one (`parts`), what each asks is told
from what was found in it, and the fullest is answered; what the others say is unread. In a thread a question changes
one thing, or asks on. What cannot be answered is an "unknown" question with the one line to say, and whole questions
that are made of what was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from typing import Any

from bot.ask.known import NEAREST, NOTHING_ASKED, Known, Thread
from bot.ask.languages import OTHER_SCRIPT, in_english
from bot.ask.parts import ADDRESS, QuestionPart
from bot.ask.places import IDLE, Item
from bot.ask.question import NO_TIME, NOT_UNDERSTOOD, THREADS_TIME, WHY, Choice, Question, nobody, typed, which_one
from bot.ask.times import Now, TimeFound, find_times, two_ends
from bot.ask.words import Word, cleaned, content_of, listed_words, lists, phrases, split_words, tables
from bot.model import Identity, Person
from bot.month.addresses import plain
from bot.month.calendar import NAMES, Days, Month, MonthRange
from bot.month.paths import place_of
from bot.month.people import of_one_name
from bot.month.releases import LATEST, NEWEST, WHICH, name_before, version_of
from bot.wording import KINDS, clean, listed

LONGEST = 3_000  # characters of a question
LONGEST_OF_OTHERS = 300  # of one in another language: each of its signs may begin a phrase of eleven tables
MOST_WORDS, MOST_CLAUSES = 160, 20
MOST_CHOICES = 5  # as many as stand in one row of buttons
MOST_OFFERED = 3  # questions of those that can be answered instead
NOW_DAYS = 30  # "what is X working on"
EVER = Days(date(1970, 1, 2), date(2100, 1, 1))
MOST_MEANT = 10  # of what was listed
TEN_TIMES = 10  # as active as the next of one name: then it is them
TOO_LONG = "That is more than I can read at once: ask in one or two sentences."
WHY_NOT = tables()["cannot"]  # why something cannot be told, by what the class of its words ends with
ENGLISH = "Without a model I read English, and of other languages only plain questions."
FRIENDLY = "Glad to help! Ask me what somebody did in a month, who worked on something, or what a release holds."
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
# Behind these something near may be shown.
_NOT_FOUND = ("I did not understand", WHOSE, NOT_NAMED.partition("“")[0], WHO_WHAT, *WHY_NOT.values())
_OF_MANY = ("count", "compare", "firsttime", "people", "reviews", "state: tagged", "order: most", "order: size")
_NO_MORE = ("RELEASE", "SIZE", "TEAM", "REF", "BOTS")  # conditions that the nearest changes are not told on
_TELLING = ("", "TOPIC", "PATH", "LOST")  # what words are taken as that may describe a change
AREAS = ("docs", "test", "ci", "build", "chore")  # kinds that are places as well
_OF_TIME = ("month", "what_shipped", "changes", "compare")  # intents that take a time by default
_SAYS_LINK = re.compile(
    r"(?:whose|who is|who does|who owns|who uses|link|unlink|i am) |.* is (?:me|mine|not me)\b|is \S+@\S+ |\S+@\S+ is "
)
_SCHEDULED = re.compile(r"every \w+( at \S+)?|stop( posting)?|pause|resume|mute")


class NotAnswered(Exception):
    """What is said instead of an answer, with what may have been meant."""

    def __init__(self, message: str, choices: Iterable[Choice] = ()) -> None:
        super().__init__(message)
        self.choices = tuple(one for one in choices if one.label)[:MOST_CHOICES]


def read(text: str, known: Known, today: date, thread: Thread | None = None, *, mine: bool = False) -> Question:
    """The question in a text, asked on a day; what it does not say is taken from the `thread` that it is asked in.

    With `mine`, what names nothing but a time is about whoever asks.
    """
    text = cleaned(text) if len(text) <= 4 * LONGEST else text
    if len(text) <= LONGEST_OF_OTHERS and (said := in_english(text, known.directory)):
        return _of_other(text, said[1], _read(said[0], known, today, thread, mine=mine))
    return _read(text, known, today, thread, mine=mine)


def _read(text: str, known: Known, today: date, thread: Thread | None, *, mine: bool) -> Question:
    words = _with_whole_names(split_words(text) if len(text) <= LONGEST else [], known)
    if len(text) > LONGEST or len(words) > MOST_WORDS:
        return Question("unknown", missing=TOO_LONG)
    if thread == Thread():
        thread = None
    reading = _Reading(known, today, thread, mine)
    if thread and not thread.is_of_something:
        question = _read(text, known, today, None, mine=mine)
        is_own = bool(question.people and question.span and not question.unread)  # "what else did I do in july"
        hangs = question.missing in (NOT_UNDERSTOOD, WHICH_COMMIT, WHOSE, WHO_WHAT) or reading.hangs(words, is_own)
        return replace(question, intent="unknown", missing=HANGS) if hangs else question
    question = reading.question(words) if words else Question("help")
    is_half = thread and thread.asked.unread and not _is_of_commits(thread.asked) and question.intent != "unknown"
    if thread and is_half and _read(text, known, today, None, mine=mine) != question:  # which is still missing
        question = replace(question, unread=tuple(dict.fromkeys((*thread.asked.unread, *question.unread))))
    return _only_english(question) if any(map(OTHER_SCRIPT.search, question.unread)) else question


def _of_other(text: str, language: str, question: Question) -> Question:
    """What is read of the English of a text in another language: what was lost of it is named where it is one word of
    the text itself, else the question is refused."""
    unread = [word for lost in question.unread for word in lost.split()]
    if any(one.startswith(NEAREST) for one in question.assumed) or question.missing in WHY_NOT.values():
        return question
    if len(unread) > 1 or any(word.casefold() not in text.casefold() for word in unread):
        return _only_english(question)
    if question.intent == "unknown":
        return question
    return replace(question, assumed=(*question.assumed, f"read from {language}"))


def _only_english(question: Question) -> Question:
    choices = () if question.intent == "unknown" else (_choice(question),)
    return Question("unknown", missing=ENGLISH, choices=question.choices or choices, unread=question.unread)


def _with_whole_names(words: list[Word], known: Known) -> list[Word]:
    """The words, where "!" behind one is of somebody's name: "what did Gnome! do" is one sentence."""
    for n in (n for n, word in enumerate(words) if n and word.before[:1] == "!"):
        word, after = words[n - 1], words[n]
        if after.low not in lists()["question"] and known.directory.exactly(f"{word.low}!", levels=(1, 2)):
            after.before = after.before[1:]
            for one in words[n:] if after.sentence > word.sentence else ():
                one.sentence -= 1
    return words


def _choice(question: Question) -> Choice:
    """A question that is offered, as it could be typed."""
    question = replace(question, unread=(), assumed=(), choices=())
    return Choice(typed(question), question)


def _quoted(texts: Sequence[str]) -> str:
    return listed([f"“{clean(one)[:80]}”" for one in texts])


def is_schedule(text: str) -> bool:
    """Whether a text is about what repeats: digests that are set, changed or stopped."""
    return read(text, Known(()), date(2000, 1, 1)).intent == "schedule"


class _Reading:
    """All that a text says, and the thread that it says it in."""

    def __init__(self, known: Known, today: date, thread: Thread | None, mine: bool) -> None:
        self.known, self.thread, self.mine = known, thread, mine
        self._now = Now(today, thread.subject.span if thread else None, known.sprint)
        is_last = thread and "tagged" in thread.asked.states and thread.asked.order == "latest"
        self._released = (thread.asked.release or (NEWEST if is_last else None)) if thread else None

    def question(self, words: Sequence[Word]) -> Question:
        clauses = list(_clauses(words))
        if len(clauses) > MOST_CLAUSES:
            return Question("unknown", missing=TOO_LONG)
        parts = [self._part(some) for some in clauses]
        question = self._read(parts, words)
        return self._nearest(parts, question) if (question.missing or "").startswith(_NOT_FOUND) else question

    def _nearest(self, parts: Sequence[QuestionPart], refused: Question) -> Question:
        """A refused question as one about the changes that are nearest to its words, by some people, in a time and some
        repositories: not where it asks for more than some change, for what git cannot know, or on another condition."""
        items = [item for part in parts for item in part.items]
        if any(_why_not(part, things=False) or part.left_out or part.said(*_OF_MANY) is not None for part in parts):
            return refused
        if self.thread and any(part.stand("says those") or part.stand("says listed") for part in parts):
            return refused
        spans = dict.fromkeys(item.value.days for item in items if item.tag == "TIME")
        where = dict.fromkeys(item.value for item in items if item.tag == "REPO")
        is_clear = len(spans) < 2 and None not in spans and all(isinstance(one, str) for one in where)
        if not is_clear or any(part.trouble for part in parts) or any(item.tag in _NO_MORE for item in items):
            return refused
        said = {part: content_of([part.low(n) for n in part.all if part.taken(n) in _TELLING]) for part in parts}
        words = list(dict.fromkeys(word for some in said.values() for word in some))
        named = (one for item in items if item.tag == "PERSON" for one in item.value)
        people = tuple(dict.fromkeys((*refused.people, *map(self.known.directory.called, named))))
        asked = Question("explain", people, next(iter(spans), None), tuple(where), form=refused.form)
        found = self.known.nearest(replace(asked, topic=" ".join(words))) if words else ()
        unread = (part.raw(0, len(part.words)) for part, some in said.items() if some or not _only_narrows(part))
        return replace(
            asked, references=tuple(found), unread=tuple(unread), choices=refused.choices,
            assumed=(f"{NEAREST} “{' '.join(words)}”",),
        ) if found else refused  # fmt: skip

    def _read(self, parts: Sequence[QuestionPart], words: Sequence[Word]) -> Question:
        """What the fullest part asks, with what the others say of it."""
        chat = [part.said("chat") is not None and all(one.tag == "TIME" for one in part.items) for part in parts]
        if any(chat) and all(chat[n] or _is_idle(part) for n, part in enumerate(parts)):
            return Question("unknown", missing=FRIENDLY)
        form = tuple(dict.fromkeys(form for part in parts for form in part.named("form: ", anywhere=True)))
        asks = [n for n, part in enumerate(parts) if not _is_idle(part, forms=True)]
        read = {n: self._tried(parts[n], parts[:n]) for n in asks}
        thanks = any(word.low in lists()["thanks"] for word in words)
        if not read:
            return self._unasked(parts, form, thanks=thanks)
        unread = tuple(text for part in parts for text in part.unread_words)
        first = next((n for n in asks if _asks(parts[n])), -1)
        is_release = first >= 0 and bool(parts[first].of("RELEASE"))  # "when did 2.1 come out, and who did the bump"
        fullest = sorted(asks, key=lambda n: (-_fullness(parts[n]) - (n == first and is_release), n))
        if (whole := read.get(first)) and whole.intent == "profile" and not whole.unread:
            fullest = [first] if all(_is_of(read[n], whole) for n in asks[1:]) else fullest  # "and what do they do"
        if found := [n for n in fullest if read[n].intent not in ("unknown", "help")]:
            if (of := read[found[0]]).intent == "changes" and not (of.order or of.kinds or of.people):
                # "I have a PR for X, who knows that", "what is our X, and when was it last bumped"
                is_asked = _asks(parts[found[0]])
                narrow = (n for n in found if (read[n].limit if is_asked else read[n].intent == "who"))
                found = [next((n for n in narrow if _of_topic(read[n]) and not parts[n].items), found[0])]
            return self._beside(found[0], parts, read, form)
        if helps := next((of for of in read.values() if of.intent == "help"), None):
            return replace(helps, form=form, unread=unread)
        is_talk = any(part.stand("speaks to the bot") for part in parts) and not any(part.items for part in parts)
        named = any(one.tag not in ("TOPIC", "TIME") for part in parts for one in part.items)
        if is_talk or (thanks and not named and not any(part.stand("asks") for part in parts)):
            return Question("unknown", missing=FRIENDLY)
        for n in reversed(asks):
            if clause := self._without_aside(parts[n], parts[:n]) or self._second_try(parts[n], parts[:n]):
                beside = (text for at in asks if at != n for text in parts[at].unread_words)
                return replace(clause, form=form or clause.form, unread=(*clause.unread, *beside))
        return next((of for of in read.values() if of.missing in WHY_NOT.values()), read[fullest[0]])

    def _unasked(self, parts: Sequence[QuestionPart], form: tuple[str, ...], *, thanks: bool) -> Question:
        """What is said to a text that asks for nothing, or only how the answer is wanted."""
        if form and self.thread:
            asked = self.thread.asked
            return replace(asked, form=form) if asked.intent else continued(asked, Question("unknown", form=form))
        if thanks:
            return Question("unknown", missing=FRIENDLY)
        is_talk = any(part.stand("talk") for part in parts)
        return Question("help") if is_talk else Question("unknown", missing=NOT_UNDERSTOOD)

    def _beside(
        self, number: int, parts: Sequence[QuestionPart], read: Mapping[int, Question], form: tuple[str, ...]
    ) -> Question:
        """The question of one part with what the other parts say, which is unread; where it
        stands for little by itself, it is not understood."""
        question, texts, hangs = read[number], list[str](), False
        asked = [n for n in read if n < number and read[n].intent == "unknown" and _asks(parts[n])]
        is_of = question.release or question.ends or any(getattr(question, name) for name in _SUBJECT)
        is_why = any(read[n].missing in WHY_NOT.values() for n in asked) and not _asks(parts[number])
        if asked and (self.thread or is_why or not (is_of or _asks(parts[number]))):
            return read[asked[0]]  # "who yodels? the last three months"
        if asked and not question.people and (read[asked[0]].missing or "").startswith("Which "):
            return read[asked[0]]  # "is Tim still active? when was the last commit"
        for at, part in ((at, parts[at]) for at in read):
            if at == number:
                texts += part.unread_words
            elif question.intent == "profile" and _is_of(read[at], question):
                continue
            elif more := _with_more(part, question):
                question = more
            elif not (_carries_nothing(part) or _is_answered(part, question) or _is_what_about(part, question)):
                texts.append(part.raw(0, len(part.words)))
                is_bare = not (question.people or question.topic or question.paths)
                hangs = hangs or (NO_TIME in question.assumed and (is_bare or bool(part.of("TIME"))))
        if hangs:
            missing = f"I did not understand {_quoted(texts)}."
            return Question("unknown", missing=missing, unread=tuple(texts), choices=(_choice(question),))
        return replace(question, form=form or question.form, unread=tuple(texts))

    def hangs(self, words: Sequence[Word], is_own: bool) -> bool:
        """Whether a text goes on from what came before, unless it has its own person and time, or speaks of it."""
        part = self._part(words)
        return (part.stand("goes on") and not is_own) or (part.asks_who and part.stand("says listed"))

    def _part(self, words: Sequence[Word]) -> QuestionPart:
        return QuestionPart([replace(word, taken="") for word in words], self.known, self._now, self._released)

    def _tried(self, part: QuestionPart, before: Sequence[QuestionPart]) -> Question:
        asked = _Asked(self, part, before)
        try:
            return asked.question()
        except NotAnswered as refused:
            return replace(asked.named, missing=str(refused), choices=refused.choices, unread=part.unread_words)

    def _without_aside(self, part: QuestionPart, before: Sequence[QuestionPart]) -> Question | None:
        """What a part asks without what stands behind its last pause, which names nothing and asks nothing."""
        if not (at := next((n for n in reversed(part.all) if n and part.pauses(n)), 0)):
            return None
        head, aside = self._part(part.words[:at]), self._part(part.words[at:])
        conditions = aside.items or aside.stand("asks") or aside.said("kind", "only", "neg") is not None
        if conditions or not _asks(head):
            return None
        found = self._tried(head, before)
        is_of = found.people or found.topic or found.references or found.release
        if found.intent in ("unknown", "help") or not is_of:
            return None
        return replace(found, unread=(*found.unread, aside.raw(0, len(aside.words))))

    def _second_try(self, part: QuestionPart, before: Sequence[QuestionPart]) -> Question | None:
        """What the last clause asks that begins a question, of a part that is not understood; two are tried."""
        words = part.words
        starts = [n for n, word in enumerate(words) if n and word.low in lists()["begins"] and not word.quote]
        for start in starts[:-3:-1]:
            lead, rest = self._part(words[:start]), self._part(words[start:])
            if lead.bad_negation or lead.said("not", "only") is not None or _why_not(lead, things=False):
                continue
            found = self._tried(rest, [*before, lead])
            if found.intent not in ("unknown", "help") and (found.people or NO_TIME not in found.assumed):
                story = () if _is_idle(lead) else (lead.raw(0, start),)
                return replace(found, unread=(*story, *rest.unread_words))
        return None


def _clauses(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """The sentences, cut where a question begins behind a comma or "and"."""
    some, first = lists(), 0
    for n in range(1, len(words)):
        word, before, after = words[n], words[n - 1], words[n + 1].low if n + 1 < len(words) else ""
        said = {one.low for one in words[first:n]}
        is_led = n - 2 >= first and before.low in some["leads question"]  # "and in which parts"
        is_joined = words[n - 1 - is_led].low in ("and", "but", "then", "&")
        pauses = any(sign in word.before for sign in ",;:?!()") or word.before.strip() in ("-", "–")
        begins = (word.low in some["question"] and not word.quote) or (word.low in some["opens"] and ":" in word.before)
        gaps = "".join(one.before for one in words[first + 1 : n])
        is_heading = ":" in word.before and not re.search("[,;:?!]", gaps)
        is_short = (
            n - first < (10 if is_heading else 5)
            and word.sentence == before.sentence
            and said.isdisjoint(some["no aside"])
        )
        asks_on = n - first > 2 and word.low in some["before subject"] and after in some["on it"] and not is_led
        asks_on = asks_on and not said.isdisjoint(some["question"] | {"show", "list", "did", "everything"})
        begins = ((begins and not is_short) or asks_on) and (pauses or is_joined)  # "and is any of it mine"
        begins = begins and not _is_time(words[first:n])  # "in the last two weeks, who …"
        is_remark = word.low in some["remarks"] or f"{word.low} {after}" in some["remarks"]
        begins = begins or (pauses and n - first > 2 and is_remark)
        polite = word.low in ("can", "could", "would", "if") and after in ("you", "i", "we")
        polite = polite and n - first > 4 and said.isdisjoint(some["question"])
        if word.low == "please" and n + 2 < len(words):  # "pls skip the docs"
            word, after = replace(words[n + 1], sentence=word.sentence), words[n + 2].low
        goes_on = word.low in some["goes on"] and after != "" and "," not in words[n + 1].before
        goes_on = goes_on and (word.low != "not" or after in some["behind not"] | some["bots"])
        if word.sentence != before.sentence and not goes_on:  # "who knows the parser? past year or so"
            rest = [one for one in words[n:] if one.sentence == word.sentence]
            is_rest = len(rest) < 8 and _ends_left_out(rest)  # "? bumps excepted", "dependency bumps don't count"
            is_time = _is_time(rest) and not find_times(words[first:n], Now(date(2100, 1, 1)))
            goes_on = is_rest or is_time or _is_limit(rest)
        if begins or polite or (word.sentence != before.sentence and not goes_on):
            end = n - (begins and is_led and is_joined)
            yield words[first:end]
            first = end
    yield words[first:]


def _ends_left_out(words: Sequence[Word]) -> bool:
    """Whether some words end by saying that what stands before is left out."""
    lows = tuple(word.low for word in words)
    return any("neg behind" in phrases().get(lows[n:], ()) for n in range(1, len(lows)))


def _is_limit(words: Sequence[Word]) -> bool:
    """Whether some words say how many of a list are wanted and nothing else: "say the last four"."""
    lows = [word.low for word in words if word.low not in lists()["limits"]]
    return len(words) > 1 and len(lows) == 1 and (lows[0].isdigit() or lows[0] in tables()["numbers"])


def _is_time(words: Sequence[Word]) -> bool:
    """Whether some words are a time and nothing else."""
    return sum(time.end - time.first for time in find_times(words, Now(date(2100, 1, 1)))) == len(words)


def _is_idle(part: QuestionPart, *, forms: bool = False) -> bool:
    """Whether a part says nothing but hello, or, with `forms`, nothing but how the answer is wanted."""
    return not part.items and not part.unread and not part.stand("asks on") and all(
        part.taken(n) == ""
        and (part.has(n, "idle") or (forms and any(name.startswith("form: ") for name in part.classes[n])))
        for n in range(len(part.words))
    )  # fmt: skip


def _why_not(part: QuestionPart, *, things: bool = True) -> str | None:
    """Why what a part speaks of cannot be told; or, without `things`, what it asks, whatever else it speaks of."""
    known_best = {"best"} if part.said("who") is not None else ()  # "who knows the parser best"
    words = (n for n in range(len(part.words)) if part.is_free(n) and part.low(n) not in known_best)
    cannot = {name.split()[-1] for n in words for name in part.classes[n]
              if name.startswith("cannot: ") and (things or "thing" not in name)}  # fmt: skip
    return next((line for name, line in WHY_NOT.items() if name in cannot), None)


def _with_more(part: QuestionPart, question: Question) -> Question | None:
    """A question with what another part asks of the same; None where that is none of it."""
    if question.intent == "what_shipped" and question.release and part.stand("who made the release"):
        named = question.release not in (NEWEST, LATEST) and question.release
        return replace(
            question, intent="changes", states=("tagged",), release=named or None,
            order=None if named else "latest", limit=None if named else 1,
        )  # fmt: skip
    asks_story = _asks_story(part)
    if question.intent == "changes" and not question.reviews and asks_story and not part.asks_release:
        return replace(question, form=(*question.form, WHY))
    if question.intent == "who" and _of_topic(question) and asks_story:  # "who added X, and why"
        release = WHICH if part.asks_release else question.release
        return replace(question, intent="explain", release=release, order=None, kinds=())
    return None


def _is_answered(part: QuestionPart, question: Question) -> bool:
    """Whether a part asks nothing but what the answer says anyhow: who did it, when, how many there are, what it is
    about, its time again; of an explanation, why and what became of it."""
    if _is_aside(part, "explain" if "reverted" in question.states else question.intent):
        return True
    if question.intent == "explain" and _asks_story(part):
        return True
    rows = question.intent in ("changes", "who", "what_shipped", "month", "compare") and not part.items
    rows = rows and (part.said("state: reverted") is None or "reverted" in question.states)
    return rows and part.stand("asks what rows tell") and all(part.stands(n, "told by rows") for n in part.all)


def _is_of(question: Question, profile: Question) -> bool:
    """Whether a question of any time is of nobody but whom a profile is of, which tells all that it asks."""
    narrowed = question.span or question.topic or question.paths or question.unread
    return question.intent in ("month", "changes") and question.people == profile.people and not narrowed


def _asks_story(part: QuestionPart) -> bool:
    """Whether a part asks no more of something than why, or in which release it is."""
    asks = any(word.low == "why" for word in part.words) or part.asks_release
    return asks and not part.items and all(part.stands(n, "of a story") for n in part.all)


def _of_topic(question: Question) -> str:
    return question.topic or " ".join(question.paths)


def _is_what_about(part: QuestionPart, question: Question) -> bool:
    """Whether a part only says what a question speaks of: "I have a PR for the parser, who knows that best"."""
    said = [str(one.value) for one in part.of("TOPIC") or part.of("PATH")]
    return bool(said) and " ".join(said) == _of_topic(question) and not (part.unread or _asks(part))


def _is_aside(part: QuestionPart, intent: str) -> bool:
    """Whether a part asks nothing but whose something is and when, and of an explanation why and what became of it."""
    if intent == "explain" and " ".join(word.low for word in part.words).removeprefix("and ") in lists()["of fate"]:
        return True
    return intent == "explain" and all(part.stands(n, "aside of a story") for n in part.all)


def _asks(part: QuestionPart) -> bool:
    return part.stand("asks") or part.among(0, "before subject")


def _carries_nothing(part: QuestionPart) -> bool:
    asks = [word.low for word in part.words] != ["what"] and part.stand("asks")
    if part.said("away") is not None and not (part.unread or part.stand("asks")):
        return True
    verb = part.said("do", "make", "shipped", "reviews", "explain", "who", "count", "kind")
    is_said = part.items or part.unread or any(word.taken for word in part.words)
    return not (is_said or asks or verb is not None or _why_not(part, things=False) or part.stand("asks on or tells"))


def _only_narrows(part: QuestionPart) -> bool:
    """Whether a part says nothing but of whom, when or where something is."""
    is_narrow = all(part.taken(n) in ("PERSON", "TIME", "REPO") or part.has(n, "idle") for n in part.all)
    return _carries_nothing(part) or (is_narrow and not part.stand("asks"))


def _fullness(part: QuestionPart) -> int:
    verbs = ("do", "make", "shipped", "touch", "reviews", "changes", "who", "explain", "compare", "profile", "kind")
    asks = any(part.has(n, "questions", "asks who") for n in part.all)
    named = len(part.items) + (part.said("pronouns") is not None)
    return 4 * named + sum(part.said(name) is not None for name in verbs) + 3 * asks - len(part.unread)


def _is_of_reverts(asked: Question) -> bool:
    """Whether a question is about what was taken out, or what did so."""
    return "reverted" in asked.states or "revert" in asked.kinds


def continued(before: Question, question: Question) -> Question:
    """A question with what it does not say taken from the one before."""
    if question.intent in ("unknown", "changes", before.intent):
        limit = question.limit or (None if question.order or question.states else before.limit)
        question = replace(question, states=question.states or before.states, order=question.order or before.order)
        question = replace(question, limit=limit)
    if _is_of_those(before, question):
        question = replace(question, references=before.references)
    asked = before.intent if before.intent != "unknown" else ""
    remembered = asked or ("month" if before.people else "who" if before.topic else "what_shipped")
    return replace(
        question, intent=remembered if question.intent == "unknown" else question.intent,
        span=question.span or (None if question.release else before.span),
        release=question.release or (None if question.span else before.release),
        **{name: getattr(question, name) or getattr(before, name) for name in _SUBJECT},
    )  # fmt: skip


def _is_of_commits(asked: Question) -> bool:
    """Whether a question is of some commits alone, as of those that are nearest to what was not understood."""
    return asked.intent == "explain" and bool(asked.references)


def _is_of_those(before: Question, question: Question) -> bool:
    """Whether what is asked on is of the changes that the question before is of."""
    is_list = before.intent in ("changes", "who") and not before.reviews
    is_same = question.intent in ("unknown", "changes", "who") and not (question.span or question.release)
    return bool(is_list and is_same and before.references)


def subject_of(thread: Thread | None, question: Question) -> Question | None:
    """A question of changes that a thread listed as one of its own: what the thread is about, with what is asked of
    them. None of any other."""
    is_list = question.references and question.intent in ("changes", "who") and not question.reviews
    if not (is_list and thread and thread.asked.intent):
        return None
    if not {*thread.listed, *thread.asked.references}.issuperset(question.references):
        return None
    asked = replace(question, references=(), form=(), limit=None, count=False, assumed=(), choices=())
    return _without_still(replace(continued(thread.subject, asked), references=()), thread.subject)


def _without_still(question: Question, before: Question) -> Question:
    """A question that leaves out nothing itself without what the one before leaves out."""
    if any(getattr(question, name) for name in _WITHOUT):
        return question
    return replace(question, **{name: getattr(before, name) for name in _WITHOUT})


_SUBJECT = ("people", "repositories", "team", "topic", "paths", "kinds", "size")
_WITHOUT = ("without", "without_repositories", "without_topics", "without_kinds")


class _Asked:
    """What a part asks: its slots put together, the thread's beside them, or why it cannot be answered."""

    def __init__(self, reading: _Reading, part: QuestionPart, before: Sequence[QuestionPart]) -> None:
        self._part, self._known, self._thread, self._before = part, reading.known, reading.thread, before
        self._asked = reading.thread.asked if reading.thread else NOTHING_ASKED
        self._called, self._count, self._reading = reading.known.directory.called, len(part.words), reading
        self._text = " ".join(word.low for word in part.words)
        self._lows = frozenset(word.low for word in part.words)
        self.named = Question("unknown")  # what was read of it so far
        self._assumed = list[str]()
        self._found: dict[str, Person] = {}
        self._unsure: tuple[list[str], int, str, Sequence[Person]] | None = None  # whom a name may mean, of all names
        self._commits: dict[Person, int] = {}  # of whom a name may mean, in the time that is asked for

    def question(self) -> Question:
        part = self._part
        if answer := self._managed():
            part.lose_topics()
            return answer
        self._refuse_what_git_cannot_know()
        base = self._base()
        self.named = self._worth_keeping(base)
        question = self._intended(base)
        if question.intent == "who" and question.people:
            raise NotAnswered(WITH_WHOM, self._offers())
        if not question.references:
            self._refuse_strangers(question)
        question = self._in_thread(question, base) if self._thread else self._alone(question)
        is_now = (
            self._says("is", "are", "am") and self._says("working", "doing", "busy", "active") and not question.release
        )
        if is_now and question.intent == "month" and not question.span:
            today = part.now.today
            question = replace(question, span=Days(today - timedelta(NOW_DAYS - 1), today + timedelta(1)))
            self._assumed.append(f"now: the last {NOW_DAYS} days")
        if part.stand("at work on a day"):
            raise NotAnswered(WHY_NOT["away"], self._offers())
        question = self._checked(question)
        months = {name.casefold() for name in NAMES}
        slips = [f"“{raw}” read as {meant.title() if meant in months else meant}" for raw, meant in part.slips.values()]
        assumed = tuple(dict.fromkeys(filter(None, (*question.assumed, *slips, *part.assumed, *self._assumed))))
        return replace(question, assumed=assumed, found=dict(self._found))

    def _has(self, *classes: str) -> bool:
        return self._part.said(*classes) is not None

    def _says(self, *words: str) -> bool:
        return not self._lows.isdisjoint(words)

    # what is no query

    def _managed(self) -> Question | None:
        part, text = self._part, self._text
        if self._has("help") and re.match(r"(?:\w+ )?how (?:do|can|should|to)\b", text):
            return Question("help")
        if not self._has("cannot: thing git") and (link := self._linked()):
            return link
        people, topics = part.of("PERSON"), part.of("TOPIC")
        repeats = not people and (self._has("repeated") or self._says("every", "each"))
        repeats = repeats and (self._has("digest") or not self._has("do", "shipped", "make"))
        changes = self._has("digest") and self._says(*lists()["changes managed"])
        posts = (self._has("digest", "posts") or self._says("send", "remind")) and (repeats or changes)
        lost = [n for n in range(self._count) if part.is_lost(n) and part.is_strange(n) and not part.is_time(n)]
        said = [part.phrase[n] for n in range(self._count) if part.has(n, "schedule")]
        is_clear = not lost or max(said, default=0) > 1  # "pause the digest", not "I remember a long pause"
        is_said = bool(said) and is_clear and not people and not topics
        if is_said or posts or _SCHEDULED.fullmatch(text):
            part.unread = []
            part.lose(n for n in lost if not part.classes[n])
            return Question("schedule", repositories=tuple(str(one.value) for one in part.of("REPO")))
        helps = part.said("help")
        is_help = all(part.has(n, "idle", "questions", "pronouns") for n in range(self._count))
        if helps is not None and not part.items and (part.phrase[helps] > 1 or is_help):
            return Question("help")
        return None

    def _linked(self) -> Question | None:
        """Whose an address or a login is."""
        part, logins = self._part, self._known.directory.exactly

        def is_login(n: int) -> bool:
            word, led = part.words[n], part.low(n - 1 - (part.low(n - 1) == "is")) in ("github", "link", "login")
            is_known = word.is_handle or bool(logins(word.low, levels=(2, 4)))
            return is_known or ADDRESS.fullmatch(word.raw) is not None or (led and not part.classes[n] - IDLE)

        topic = next((part.words[n].raw.lstrip("@") for n in range(self._count) if is_login(n)), None)
        is_link = self._has("link") or (topic and _SAYS_LINK.match(self._text))
        is_other = (
            part.stand("speaks to the bot")
            or part.of("TIME")
            or part.of("TOPIC")
            or (self._has("do", "profile") and not self._has("link"))
        )
        is_other = is_other and part.low(0) != "link"
        return Question("link", topic=topic) if is_link and not is_other else None

    def _one(self, item: Item) -> str:
        if len(item.value) != 1:
            raise NotAnswered(which_one(self._part.raw(item.first, item.end), item.value))
        return self._called(item.value[0])

    def _left_out(self, item: Item, span: Days | None) -> Sequence[str]:
        """Who is meant by a name whose work is left out; a bot of that name, too."""
        said = self._part.raw(item.first, item.end).removesuffix("'s")
        chosen = self._narrowed(said, item.value, span)
        bots = self._known.directory.exactly(f"{said}[bot]", levels=(1,))
        return [self._called(chosen[0]) if len(chosen) == 1 else self._one(item), *map(self._called, bots)]

    def _refuse_what_git_cannot_know(self) -> None:
        part, first = self._part, 0
        while part.stands(first, "before an order"):
            first += 1
        after = first + (part.phrase[first] if first < self._count else 1)
        is_order = part.stands(first, "order") and part.opens[first] == first
        is_order = is_order and part.stands(first, "order to do", end=after)
        if is_order:
            raise NotAnswered(ONLY_TELLS)
        is_of_them = (n for n in part.all if part.stands(n, "what somebody is"))
        if "why" in self._lows and (n := next(is_of_them, 0)):
            part.lose(range(n, self._count))
            raise self._not_understood()
        is_rare = "often" in self._lows and not (
            part.of("TOPIC") or part.of("PATH") or part.of("TIME") or self._has("state: tagged")
        )
        if why := WHY_NOT["often"] if is_rare or not self._is_one_share() else _why_not(part):
            raise NotAnswered(why, self._offers())

    def _is_one_share(self) -> bool:
        """Whether what part is asked for is that of one thing in all of a time, a release, or somebody's work."""
        part, asked = self._part, self._asked
        if not self._has("form: share"):
            return True
        kinds = [n for n in part.all if part.is_free(n) and part.has(n, "kind")]
        things = [one.first for tag in ("TOPIC", "PATH") for one in part.of(tag)] + kinds[:1]
        is_alone = not (asked.topic or asked.paths or asked.kinds or asked.states or part.said("machines"))
        return is_alone and len(things) == 1 and all(one.first < things[0] for one in part.of("PERSON"))

    def _span(self) -> Days | None:
        return next((one.value.days for one in self._part.of("TIME") if one.value.days), None)

    def _offers(self) -> list[Choice]:
        """Whole questions made of what was read."""
        part, span = self._part, self._span()
        where = tuple(one.value for one in part.of("REPO") if isinstance(one.value, str))
        named = [self._narrowed(part.raw(one.first, one.end), one.value, span) for one in part.of("PERSON")]
        people = [some[0] for some in named if len(some) == 1 and self._known.may_be_offered(some[0])]
        if self._known.asker and any(part.has(n, "asker") for n in range(self._count)):
            people.append(self._known.asker)
        offered = [Question("explain", references=(str(one.value),)) for one in part.of("REF")[:1]]
        topic, team = (next((str(one.value) for one in part.of(tag)), None) for tag in ("TOPIC", "TEAM"))
        paths = tuple(str(one.value) for one in part.of("PATH"))
        about, names = Question("who", (), span, where, topic, paths=paths), map(self._called, dict.fromkeys(people))
        intent = "changes" if topic or paths else "month"
        offered += [replace(about, intent=intent, people=(name,)) for name in list(names)[:2]]
        offered += [about] if topic or paths else []
        if (span or where or team) and not paths:
            offered.append(Question("what_shipped", (), span, where, team=team))
        return list(map(_choice, offered[:MOST_OFFERED]))

    def _not_understood(self) -> NotAnswered:
        unread = self._part.unread_words
        said = f"I did not understand {_quoted(unread)}."
        is_known = self._part.items or not all(map(self._part.is_lost, range(self._count)))
        return NotAnswered(said if unread and is_known else NOT_UNDERSTOOD, self._offers())

    # the slots

    def _base(self) -> Question:
        """What the words name, whatever is asked of it."""
        part, trouble = self._part, self._part.trouble
        if trouble:
            span = self._span()
            teams = [(clean(one), one) for one in self._known.teams[: MOST_CHOICES - 1]] + [("Everyone", None)]
            choices = [Choice(label, Question("what_shipped", span=span, team=one)) for label, one in teams]
            raise NotAnswered(trouble, choices if trouble.startswith("I know no team") else self._offers())
        span, ends = self._times()
        stated = next((one.value.days for before in reversed(self._before) for one in before.of("TIME")), None)
        if not span and any(one.said("away") is not None for one in [*self._before, part]):
            span = stated
        people = self._people(span)
        for one in part.of("REPO"):
            if isinstance(one.value, tuple):
                intent = "month" if people else "what_shipped"
                choices = [Choice(name, Question(intent, people, span, (name,))) for name in one.value]
                said = f"Which {part.raw(one.first, one.first + 1)}: {listed(list(one.value), 'or')}?"
                raise NotAnswered(said, choices)

        def texts(tag: str, items: Sequence[Item] | None = None) -> tuple[str, ...]:
            some = part.of(tag) if items is None else items
            return tuple(dict.fromkeys(str(one.value) for one in some if one.tag == tag))

        releases, out, size = texts("RELEASE"), part.left_out, texts("SIZE")
        topics, paths = texts("TOPIC"), texts("PATH")
        is_bare = not (topics or paths or part.of("REF") or people)
        if is_bare and self._before and (part.asks_who or not self._thread) and part.stand("speaks of that"):
            about = next((one for one in reversed(self._before) if one.of("TOPIC") or one.of("PATH")), part)
            topics, paths = texts("TOPIC", about.of("TOPIC")), texts("PATH", about.of("PATH"))  # "who knows that best"
        tags = [(one.first, one.end) for one in part.of("RELEASE")]
        is_gap = self._has("state: tagged") and len(releases) == 2
        if len(releases) > 2 or (not is_gap and self._unjoined(tags, "joins", "before release")):
            raise NotAnswered(f"Which release: {clean(listed(list(releases), 'or'))}?", self._offers())
        if len(releases) > 1:  # "what came after 2.4 until 2.5"
            releases = tuple(one.removesuffix("..") for one in releases)
        folders = tuple({one.rpartition("/")[0] for one in releases if "/" in one})  # "operator/v0.11.0" is of a folder
        release = self._both_releases(*releases) if len(releases) == 2 else "".join(releases)
        placed = {name for n in part.all if part.stands(n, "kind of a place") for name in part.classes[n]}
        placed |= {f"kind: {place_of(one)}" for path in paths for one in (path, f"{path.rstrip('/')}/")}
        kinds = tuple(one for one in dict.fromkeys(part.named("kind: ")) if not (paths and f"kind: {one}" in placed))
        stood = [n for n in range(self._count) if part.has(n, "kind") and part.is_free(n) and not part.is_lost(n)]
        if len(kinds) > 1 and self._unjoined([(n, n + 1) for n in stood if not part.has(n - 1, "kind")], "joins"):
            part.lose(stood[1:])
            raise self._not_understood()
        if not part.asks_who:  # of months and words no number is known
            part.lose(n for n in range(self._count) if part.has(n, "order: most"))
        order, limit, is_oldest = self._order(is_sized=bool(size), is_timed=span is not None)
        left_out = (name for one in out if one.tag == "PERSON" for name in self._left_out(one, span))
        bots = ("bots",) if "bots" in texts("BOTS", out) or self._has("people only") else ()
        return Question(
            "unknown", people, span, texts("REPO"), " ".join(topics) or None,
            kinds, ends=ends, team=next(iter(texts("TEAM")), None),
            release=release or None, paths=paths or folders, references=texts("REF"),
            states=tuple(dict.fromkeys(part.named("state: "))), count=self._has("count", "people"),
            only=self._only(), limit=limit,
            order=order,  # type: ignore[arg-type]
            size=size,
            first_time=self._has("firsttime") and not is_oldest,
            form=tuple(dict.fromkeys(part.named("form: ", anywhere=True))),
            topic_in=next(part.named("in: "), "subject" if part.is_deed else None) if topics else None,  # type: ignore[arg-type]
            without=tuple(dict.fromkeys((*left_out, *self._others(), *bots))),
            without_repositories=texts("REPO", out), without_kinds=texts("KIND", out),
            without_topics=tuple(str(one.value) for one in out if one.tag in ("TOPIC", "PATH", "TEAM")),
        )  # fmt: skip

    def _others(self) -> tuple[str, ...]:
        """Whose work "others" leave out: of whom the thread is; nobody's where this sentence leaves out somebody."""
        part = self._part
        if part.said("others") is None or part.left_out:
            return ()
        people = self._asked.people or (self._thread.subject.people if self._thread else ())
        if not people:
            part.lose(n for n in part.all if part.has(n, "others") and part.is_free(n))
        return people

    def _both_releases(self, first: str, second: str) -> str:
        """What came between two releases; what is in both, where these follow each other: "in 2.4 and 2.5"."""
        part = self._part
        last = part.release_beside(second, name_before) if part.stand("in both releases") else None
        if last is None:
            both = (first, second)
            return "..".join(sorted(both, key=_version_order) if all(map(version_of, both)) else both)
        if version_of(last) != version_of(first):
            raise NotAnswered(f"Which release: {clean(first)} or {clean(second)}?", self._offers())
        return f"{part.release_beside(first, name_before) or first}..{second}"

    def _unjoined(self, spans: Sequence[tuple[int, int]], *joins: str) -> bool:
        """Whether no word of some lists, and no comma, is between what stands beside each other in one slot."""
        part = self._part

        def joined(n: int) -> bool:
            return part.among(n, *joins) or ".." in part.low(n) or part.words[n].before.strip() != ""

        return any(not any(map(joined, range(end, last))) for (_, end), (_, last) in pairwise(spans))

    def _times(self) -> tuple[Days | None, tuple[Days, Days] | None]:
        """The time, and its two ends where they stand side by side."""
        times: list[TimeFound] = [one.value for one in self._part.of("TIME") if one.value.days]
        span, ends = (times[0].days, times[0].ends) if times else (None, None)
        days = list(dict.fromkeys(one.days for one in times if one.days))
        if len(days) > 1 and not self._part.compares:  # "this year, before june"
            first, end = max(one.first for one in days), min(one.end for one in days)
            if first >= end:
                raise NotAnswered(f"Which time: {listed([one.title for one in days], 'or')}?", self._offers())
            present = self._part.now.today + timedelta(1)
            inside = (one for one in days if one.first == first and min(one.end, present) == min(end, present))
            span, days = next(inside, Days(first, end)), days[:1]  # "this week (since Monday)"
        ends = two_ends(days[0], days[1]) if len(days) > 1 else ends
        if ends and (self._part.compares or times[0].is_apart):
            return Days(min(one.first for one in ends), max(one.end for one in ends)), ends
        return span, None

    def _people(self, span: Days | None) -> tuple[str, ...]:
        part, compares, slots = self._part, self._part.compares, self._slots(span)
        narrowed = cache(lambda said, people: self._narrowed(said, people, span))  # one name may stand 200 times
        names, unsure = list[str](), list[tuple[int, str, Sequence[Person]]]()
        for _, _, said, people in slots:
            chosen = narrowed(said, people)
            names.append(self._called(chosen[0]) if len(chosen) == 1 else "")
            if len(chosen) == 1:
                self._found[names[-1]] = chosen[0]
            else:
                unsure.append((len(names) - 1, said, chosen))
        self._unsure = (names, *unsure[0]) if unsure else None
        for (_, end, *_), (first, *_) in pairwise(slots) if not compares and len(set(names)) > 1 else ():
            is_joined = part.pauses(first) or any(part.low(n) in ("and", "with") for n in range(end, first))
            if not is_joined and (end == first or not all(part.stands(n, "between people") for n in range(end, first))):
                raise NotAnswered(f"Whose: {listed(list(filter(None, names)), 'or')}?", self._offers())
        return tuple(dict.fromkeys(names))

    def _slots(self, span: Days | None) -> list[tuple[int, int, str, tuple[Person, ...]]]:
        """Where people are named, by which words, and who is called so; the asker, bots and pronouns too."""
        part, compares = self._part, self._part.compares
        slots = [(one.first, one.end, part.raw(one.first, one.end).removesuffix("'s"), tuple(one.value))
                 for one in part.of("PERSON")]  # fmt: skip
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
        pronoun = part.said("pronouns")
        if pronoun is not None and (
            part.stands(pronoun, "them are things")
            or (part.story >= 0 and part.low(pronoun) == "they" and part.of("TOPIC"))  # "why did they drop the cache"
        ):
            pronoun = None
        is_beside = compares and len(slots) == 1 and pronoun is not None and pronoun < slots[0][0]
        if pronoun is not None and (is_beside or not slots) and not part.of("TEAM"):
            plural, asked = part.low(pronoun) in lists()["several people"], self._asked
            has_more = asked.team or asked.span or (self._thread and self._thread.listed)
            slots = [*((pronoun, pronoun + 1, said, people) for said, people in self._meant(plural)), *slots]
            if not (slots or part.of("REF") or (plural and has_more)):
                raise NotAnswered(WHOSE, self._whose(Question("month", span=span)))
        return slots

    def _narrowed(self, said: str, people: Sequence[Person], span: Days | None) -> Sequence[Person]:
        """Whom a name means: of several who alone was active under it in the time and the repositories, or ten times as
        active as the others."""
        if len(people) < 2:
            return people
        every, people = people, of_one_name(people)
        people = self._most_active(said, people, span) if len(people) > 1 else people
        joined = [one for one in every if len(of_one_name((one, people[0]))) == 1]
        if len(people) == 1 and len(joined) > 1:
            many = "both" if len(joined) == 2 else f"all {len(joined)}"
            self._assumed.append(f"{many} of the name {people[0].name}")
        return people

    def _most_active(self, said: str, people: Sequence[Person], span: Days | None) -> Sequence[Person]:
        """Of people of several names the one who is meant, which is said, or those who were active at all."""
        known = self._known
        where = tuple(str(one.value) for one in self._part.of("REPO")) or self._asked.repositories
        span = span or self._asked.span
        written = known.written(span or EVER, where) if known.written and (span or where) else None
        commits = [sum(map(written, _signed(one, said))) for one in people] if written else []
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
        return people

    def _meant(self, plural: bool) -> list[tuple[str, tuple[Person, ...]]]:
        """Whom a pronoun means: who was named before it, else whom the thread is about."""
        for part, items in ((self._part, self._part.met), *((one, one.mentioned) for one in reversed(self._before))):
            if items:
                return [(part.raw(one.first, one.end), tuple(one.value)) for one in items[0 if plural else -1 :]]
        thread = self._thread if not plural or self._has("else") else None
        names = self._asked.people or (thread.subject.people if thread else ())
        names = names or ((thread.shown,) if thread and thread.shown else ())
        named = [(name, self._known.directory.find(name)) for name in names]
        return [(name, tuple(of_one_name(people)[:1])) for name, people in named if people]

    def _orders_one(self, n: int) -> bool:
        """Whether "the last one" is the last by time of what was told of, not the last row."""
        about = self._has("explain", "reviews", "state: reverted", "told") or "why" in self._lows
        return self._part.low(n) in ("first", "last") and not (about or self._asks_fate() or self._asked.references)

    def _order(self, *, is_sized: bool, is_timed: bool) -> tuple[str | None, int | None, bool]:
        """In which order, how many of a list, and whether it is the first there ever was: "her last commit" is one."""
        order, limit = next(self._part.named("order: "), None), self._limit()
        is_of_one = self._says(*lists()["one change"])
        is_oldest = "first" in self._lows and is_of_one and not (is_timed or self._has("pronouns"))
        if is_oldest or (limit and not (order or is_sized)):
            order = order or ("first" if "first" in self._lows else "latest")
        order = order or ("size" if is_sized else None)
        if is_of_one and order in ("first", "latest", "landed"):
            limit = limit or (1 if is_oldest or not self._has("firsttime", "count") else None)
        return order, limit, is_oldest

    def _limit(self) -> int | None:
        """ "last 5 commits", "top 3 changes", "the very first commit": how many of a list."""
        part = self._part
        for n in filter(part.is_free, range(self._count)):
            low = tables()["numbers"].get(part.low(n), part.low(n))
            if low.isdigit() and len(low) < 4 and part.stands(n, "limit"):
                first = part.lead(n - 1) + 1 if part.low(n - 1) in ("first", "last", "top") else n
                part.unread = [one for one in part.unread if one not in ((n, n + 1), (n - 1, n + 1), (first, n + 1))]
                return int(low)
        return None

    def _only(self) -> bool:
        """Whether paths or kinds are to be all that a change has; nothing read behind "only" is a bad negation."""
        part, is_all = self._part, self._has("nothing else")
        for only in (n for n in part.all if part.has(n, "only") and part.opens[n] == n and part.is_free(n)):
            is_touched = part.stands(only, "only touched")
            is_nobody_else = part.stands(only, "only somebody")  # which no query holds
            if is_nobody_else or (part.among(0, "before subject") and not is_touched):
                part.lose([only])
                part.bad_negation = part.bad_negation or is_nobody_else
                continue
            after = only + part.phrase[only]
            while part.stands(after, "behind only"):
                after += 1
            while part.is_lost(after) and part.is_strange(after) and not part.pauses(after + 1):
                after += 1  # "only real fixes"
            is_read = part.stands(after, "only of this") or part.stands(only, "only of that")
            part.bad_negation = part.bad_negation or part.is_lost(after) or not is_read
            is_path = part.taken(after) == "PATH" and not part.has(only + part.phrase[only], "work")
            is_all = is_all or is_touched or is_path
        return is_all

    # what is asked

    def _intended(self, base: Question) -> Question:
        """What is asked of what was named: the first way of asking that fits."""
        if not base.people and self._has("absent"):  # "who has gone quiet"
            self._part.lose(n for n in self._part.all if self._part.has(n, "absent"))
            raise self._not_understood()
        if those := self._of_those(base):
            return those
        if "share" in base.form:
            return replace(base, intent="changes", count=True)
        if not (base.references or base.people or base.topic or ("which" in self._lows and base.states)):
            base = replace(base, references=self._listed())
        if base.references:
            return self._explained(base)
        ways = (
            self._of_releases, self._of_what_was_listed, self._compared, self._of_a_person, self._of_who,
            self._of_a_story, self._of_changes,
        )  # fmt: skip
        return next(filter(None, (way(base) for way in ways)), None) or self._of_everyone(base)

    def _of_those(self, base: Question) -> Question | None:
        """What is asked of the very changes that were listed: who made those, which of them are fixes."""
        part, has, thread = self._part, self._has, self._thread
        is_own = base.span or base.release or base.team or base.references or base.states or base.first_time
        asks_on = has("explain", "reviews", "state: reverted", "told") or part.asks_release or "why" in self._lows
        asks_who = (part.asks_who or (has("aside") and self._says("who", "whom", "whose"))) and not base.people
        speaks = part.stand("says those") or (asks_who and (part.stand("says listed") or _is_aside(part, "explain")))
        asks_on = asks_on or has("others")
        if not thread or not thread.listed or thread.is_cut or is_own or asks_on or not speaks:
            return None
        if part.unread:
            raise self._not_understood()
        if not (asks_who or base.people or base.topic or base.paths or base.repositories or self._filters(base)):
            return None
        return replace(base, intent="who" if asks_who else "changes", references=thread.listed)

    @property
    def _everyone(self) -> bool:
        return self._has("everyone") or self._part.stand("without anybody")

    def _filters(self, base: Question) -> bool:
        narrowed = base.kinds or base.states or base.order or base.count or base.limit or base.first_time
        return bool(narrowed or base.without_kinds)

    def _of_releases(self, base: Question) -> Question | None:
        part, named = self._part, base.topic or base.paths
        release = base.release or (self._asked.release if part.stand("says listed") else None)
        if release and part.stand("when a release came") and not (base.people or named or base.span):
            return self._of_tags(replace(base, release=release, limit=1 if release == NEWEST else None))
        if "tagged" in base.states and not (named and self._says("tagged")):
            return self._of_tags(base)
        if base.states == ("unreleased",) and not (base.span or base.release):
            is_list = base.people or base.kinds or base.without_kinds
            return replace(base, intent="changes" if is_list else "what_shipped", release=LATEST, states=())
        if named and (part.asks_release or "tagged" in base.states):
            return Question("explain", base.people, base.span, base.repositories, base.topic, paths=base.paths,
                            release=base.release or WHICH, form=base.form, deed=self._deed())  # fmt: skip
        return None

    def _of_tags(self, base: Question) -> Question:
        """The releases themselves, the last ones where no time is named or but "lately"."""
        part, release = self._part, base.release if base.release not in (NEWEST, LATEST) else None
        if self._says("new", "newer") and not (base.span or base.count or base.people):  # "is there a new version"
            return replace(base, intent="what_shipped", topic=None, kinds=(), states=(), release=NEWEST)
        if lately := [one for one in part.assumed if one.endswith(f"the last {NOW_DAYS} days")]:
            part.assumed = [one for one in part.assumed if one not in lately]
            base = replace(base, span=None)
        part.lose(n for one in part.items if one.tag in ("TOPIC", "PATH") for n in range(one.first, one.end))
        part.lose(n for n in part.all if part.is_free(n) and part.has(n, "changes") and part.low(n) != "list")
        return replace(
            base, intent="changes", topic=None, paths=(), kinds=(), states=("tagged",), release=release,
            order=base.order or (None if base.span or release else "latest"),
        )  # fmt: skip

    def _of_what_was_listed(self, base: Question) -> Question | None:
        part, has, named = self._part, self._has, base.topic or base.paths
        hangs = not (named or base.people) and (part.stand("says listed") or _is_aside(part, "explain"))
        why = has("explain") or "why" in self._lows
        if hangs and (self._asked.topic or self._asked.paths) and (why or has("state: reverted")):
            return replace(base, intent="explain")
        asks_who = has("aside") and self._says("who", "whom", "whose")
        asks_who = (asks_who or part.asks_who) and not has("reviews")
        return replace(base, intent="who") if hangs and self._thread and asks_who else None

    def _compared(self, base: Question) -> Question | None:
        part, named = self._part, base.topic or base.paths
        is_range = base.release is not None and ".." in base.release and not base.people
        # Two numbers of two times are each told as one alone.
        is_number = base.count and base.ends and (not base.people or self._has("reviews"))
        if is_range or is_number or not part.compares:
            return None
        narrowed = base.kinds or base.states or base.count or base.repositories or named
        sides = base.people or base.release or len(base.repositories) > 1 or (base.ends and narrowed)
        if not (sides or self._thread):
            choices = self._whose(Question("compare", span=base.span))
            raise NotAnswered("Whose months shall I compare? Name somebody.", choices)
        if base.release and not base.people:
            choice = _choice(Question("what_shipped", release=base.release, repositories=base.repositories))
            raise NotAnswered(f"Compare {base.release} with which release?", [choice])
        return replace(base, intent="compare")

    def _of_a_person(self, base: Question) -> Question | None:
        has, named, in_thread = self._has, base.topic or base.paths, self._thread is not None
        is_who_is = re.match(r"(?:so |and |hey |hi )?who (?:is|am i|are)\b", self._text) and not base.span
        is_who_is = is_who_is and not has("do", "make", "touch", "reviews", "who")
        if has("else") and in_thread and base.people and not (named or base.release):
            return replace(base, intent="changes", order=base.order or (None if base.span else "latest"))
        is_ever = self._says("ever", "everything") and base.people and not (base.span or base.release or in_thread)
        if is_ever and (named or self._filters(base) or not self._says("ever")):
            ever = Days(EVER.first, self._part.now.today + timedelta(1)) if base.order == "size" else None
            return replace(base, intent="changes", span=ever, order=base.order or (None if named else "latest"))
        has_profile = has("profile") and not named and (base.people or self._asked.people)
        if is_ever or has_profile or (is_who_is and (base.people or (has("pronouns") and in_thread))):
            return replace(base, intent="month" if base.span and base.people else "profile", ends=None)
        if self._part.asks_release and base.people and not (base.release or in_thread):
            if self._says("do", "make", "cut", "tag", "publish") and not (base.kinds or base.order):
                return self._of_tags(base)
            raise NotAnswered(WHICH_COMMIT)
        return self._reviewed(base) if has("reviews") else None

    def _of_who(self, base: Question) -> Question | None:
        part, has, named = self._part, self._has, base.topic or base.paths
        if not part.asks_who:
            return None
        speaks = self._says("it", "them", "those") and has("make", "touch")
        if speaks and not (named or self._thread or base.references):
            raise NotAnswered(WHO_WHAT)  # "who bumped it last"
        is_passive = self._says("was", "were", "got", "been", "by")
        deed = self._deed()
        if named and not is_passive and (has("state: reverted") or (deed and deed not in KINDS)):
            if base.span and (each := self._done_to(base.topic, deed)):
                return replace(base, intent="who", topic=each)  # "who removed the old flags in june": all that did
            return replace(base, intent="explain", deed=deed)  # "who reverted the parser", "who removed it"
        more = base.repositories or base.kinds or base.order or base.people
        if base.states:
            return None
        if not named and base.order in ("first", "latest") and self._says(*lists()["one change"]):
            return replace(base, intent="changes")  # "who made the very first commit"
        acts = has("people", "do", "touch", "changes")
        is_some = more or base.first_time or base.release or ((base.span or self._thread) and acts)
        if named or (is_some and (not self._everyone or part.stand("which people"))):
            areas = [kind for kind in base.kinds if kind in AREAS] if not base.topic else []
            said = " ".join(
                part.low(n) for n in part.all if part.is_free(n) and part.has(n, *(f"kind: {one}" for one in areas))
            )  # "who worked on the docs": in the folder, too
            order = base.order or ("first" if named and self._says(*lists()["begun"]) else None)
            order = "most" if order == "size" else order
            kinds = tuple(kind for kind in base.kinds if kind not in areas)
            return replace(base, intent="who", order=order, topic=base.topic or said or None, kinds=kinds)
        if not self._everyone and "what" not in self._lows and has("make", "touch", "who"):
            raise NotAnswered(WHO_WHAT)
        return None

    def _of_a_story(self, base: Question) -> Question | None:
        """Digests, who has how much, and why something is so or what became of it."""
        has, named, fate = self._has, base.topic or base.paths, self._asks_fate()
        if has("digest"):
            return replace(base, intent="digest", people=())
        if has("split") and not (base.people or base.kinds or base.states):
            return replace(base, intent="who", count=False)
        tells = named and not base.count and base.order != "landed" and (not base.people or "why" in self._lows)
        asks_why = has("explain", "told") or (has("aside") and not (base.kinds and base.span))
        begins = re.match(r"(?:\w+ )?how did\b", self._text)  # "how did X get in"
        asks_why = asks_why or (begins is not None and not base.span)
        tells = tells and (asks_why or self._part.story >= 0 or fate)
        if tells:
            asks_where = fate and base.topic and self._says("released", "shipped")
            release = base.release or (WHICH if asks_where else None)
            if base.order == "latest" and (each := self._done_to(base.topic, self._deed())):
                return replace(base, intent="changes", topic=each, limit=base.limit or 1)  # "when was it last bumped"
            order = base.order if base.order != "first" else None  # which it says anyhow
            return replace(base, intent="explain", release=release, deed=self._deed(), order=order)
        return None

    def _deed(self) -> str | None:
        """What was done to what is explained: its removal, if it asks when it was dropped; not its beginning."""
        made = (tables()["made"].get(self._part.low(n), "") for n in self._part.all if self._part.is_free(n))
        deed = next(filter(None, made), "").removeprefix("kind: ")
        return deed if deed not in ("", "feature") and not self._says(*lists()["begun"]) else None

    def _done_to(self, topic: str | None, deed: str | None) -> str:
        """What titles say that had something done to it, as alternatives: "remove flags OR drop flags"; "" where none
        does."""
        each = [f"{verb} {topic}" for verb in deed.split(" OR ")] if topic and deed and " OR " not in topic else []
        done = " OR ".join(each)
        return done if self._holds(done) else ""

    def _holds(self, topic: str) -> bool:
        """Whether the histories hold a topic, or one of its alternatives."""
        return any(self._known.holds(one) for one in topic.split(" OR ") if one)

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

    def _asks_fate(self) -> bool:
        """ "has the parser landed", "when was X removed": whether it is asked what became of something."""
        words = [word.low for n, word in enumerate(self._part.words) if not self._part.has(n, "talk", "follow")]
        begins = words[:1] == ["when"] or not lists()["before subject"].isdisjoint(words[:1])
        is_fate = begins and not lists()["fate"].isdisjoint(words[1:])
        return is_fate and not self._says("what", "who", "anyone", "anybody")

    def _listed(self) -> tuple[str, ...]:
        """What "it", "those" and "the second one" are, of what was listed before; () where nothing speaks of that."""
        part = self._part
        nth = next((n for n in range(self._count) if part.stands(n, "one of those listed")), None)
        if nth is not None and self._asked.intent in ("changes", "month", "what_shipped") and self._orders_one(nth):
            return ()
        alone = self._thread is not None and len(self._thread.listed) == 1
        said = [
            n for n in range(self._count)
            if part.stands(n, "those listed")
            and (part.phrase[n] == 1 or part.has(n, "asks release") or (alone and part.has(n, "aside")))
        ]  # fmt: skip
        asks = self._has("explain", "reviews", "state: reverted", "aside", "told") or "why" in self._lows
        asks = asks or self._asks_fate()
        bare = part.stand("bare question") and not self._has("do", "kind: fix", "shipped", "make", "changes")
        bare = bare and not part.items
        bare = bare or bool(part.asks_release and self._thread and not part.items)
        if nth is None and not (said and (asks or part.asks_release)) and not bare:
            return ()
        there = tuple(str(one.value) for before in self._before for one in before.of("REF"))
        there = there or (self._thread.listed if self._thread else ())
        if nth is not None and not there and part.low(nth) in ("first", "last"):
            return ()  # "the first commit ever"
        if nth is not None and there:
            part.unread = [(a, b) for a, b in part.unread if (a, b) not in ((nth, nth + 1), (nth - 1, nth + 1))]
            return there[int(tables()["ordinals"][part.low(nth)]) - 1 :][:1]
        if nth is not None and part.low(nth) == "last":  # "when was the last commit"
            return ()
        several = any(part.among(n, "several") for n in said)
        about, asked = self._has("explain", "state: reverted", "reviews"), self._asked
        if there and _is_of_reverts(asked):  # each of them was, or was taken out
            return there[:MOST_MEANT]
        if not several and self._has("state: reverted") and (asked.topic or asked.paths or len(there) > 1):
            return ()  # which of them was reverted is looked for
        if len(there) == 1 or (there and (several or part.asks_release or not about)):
            return there[:MOST_MEANT]
        if several or asked.topic or asked.paths or (part.items and not there):
            return ()
        raise NotAnswered(WHICH_COMMIT, [Choice(clean(one), Question("explain", references=(one,))) for one in there])

    def _explained(self, base: Question) -> Question:
        part, where = self._part, base.repositories or self._asked.repositories
        part.lose_topics()
        one_there = where[0] if len(where) == 1 else ""
        references = tuple(f"{one_there}{one}" if one.startswith("#") else one for one in base.references)
        release = base.release or (WHICH if part.asks_release else None)
        if base.order == "files":
            return Question("changes", references=references, form=base.form, order="files")
        if self._has("reviews") and self._says("who", "whom"):
            return Question("changes", references=references, form=base.form, reviews="of")
        return Question("explain", references=references, form=base.form, release=release)

    def _reviewed(self, base: Question) -> Question:
        """Whose reviews: "what did Ann review"; or of whose changes: "who reviewed Ann's changes"."""
        part, n = self._part, self._part.said("reviews") or 0
        behind = any(one.first > n for one in part.of("PERSON"))
        passive = any(part.low(at) == "by" for at in range(n, self._count)) and not behind
        is_of = self._says("who", "whom") or passive or part.low(n) in ("reviewer", "reviewers")
        return replace(base, intent="changes", reviews="of" if is_of else "by", count=False)

    # the thread

    def _alone(self, question: Question) -> Question:
        if question.intent == "unknown" and question.span and not question.people:
            asker, part = self._known.asker, self._part
            is_asker = any(
                part.is_free(n) and part.has(n, "asker") and (part.low(n) != "me" or part.pauses(n))
                for n in range(self._count)
            )  # "what have I been doing this year", "yesterday, me", but not "show me july"
            if asker and (self._reading.mine or (is_asker and not part.unread)):
                return replace(question, intent="month", people=(self._called(asker),))
            is_how = re.match(r"(?:and |so |hey |hi )?how\b", self._text) is not None  # "how was july"
            if (question.form or is_how or self._has("overview")) and not (self._has("pronouns") or part.of("ADDR")):
                return replace(question, intent="what_shipped")
            if not self._part.unread:
                raise NotAnswered(WHOSE, self._whose(replace(question, intent="month")))
        return question

    def _in_thread(self, question: Question, base: Question) -> Question:
        """A complete question inherits nothing, one of its own subject the thread's time; else the thread is kept."""
        before, has, says_listed = self._asked, self._has, self._part.stand("says listed")
        if question.references:
            return question
        if has("else") and question.people:
            return replace(question, repositories=question.repositories or before.repositories)
        if question.intent == "explain":
            is_own = (question.topic or question.paths) and not says_listed
            kept = replace(continued(before, question), kinds=())
            states = kept.states or (("reverted",) if _is_of_reverts(before) else ())
            return question if is_own else replace(kept, states=states)
        if self._thread and not _is_of_those(before, question):
            before = self._thread.subject
        if whole := self._whole(question, base, before):
            return whole
        if _is_of_commits(before):  # which are told whole, however they were found
            raise NotAnswered(HANGS if before.unread else WHICH_COMMIT)
        same = _without_still(continued(before, Question("unknown")), before)
        if has("everywhere") or self._text == "everything":
            before = replace(before, repositories=())
        whole = _without_still(continued(before, question), before)
        narrows = has("only") or self._says(*lists()["narrows"])
        if base.topic and before.topic and narrows and " OR " not in base.topic + before.topic:
            whole = replace(whole, topic=f"{before.topic} {base.topic}")  # "only the security ones"
        if question.intent == "compare":
            return self._beside_thread(whole, base, before)
        whole = self._as_asked(whole, question, base, before)
        if not question.form and _bare(whole) == _bare(same) and not (before.release and has("shipped")):
            raise NotAnswered(NOTHING_NEW)
        return whole

    def _as_asked(self, whole: Question, question: Question, base: Question, before: Question) -> Question:
        """A question of which the thread is kept, with what is asked of it now."""
        has, asked = self._has, question.intent
        if asked == "what_shipped" and base.repositories and not (has("shipped", "everyone") or base.team):
            whole = replace(whole, intent=before.intent or ("month" if before.people else "what_shipped"))
        elif asked in ("what_shipped", "digest", "who") or (has("everyone", "others") and not base.people):
            intent = "what_shipped" if whole.intent == "month" else whole.intent
            whole = replace(whole, people=question.people, intent=intent)
        began = base.order == "first" and self._says(*lists()["begun"])  # "when did that start": at any time
        if asked == "profile" or ((has("absent") or began) and not base.span):  # "has he gone quiet"
            whole = replace(whole, span=None, ends=None)
        is_deed = has("make", "touch") or self._says(*lists()["does"])
        if asked == "unknown" and whole.intent == "who" and is_deed and "what" in self._lows:  # "what did they do"
            whole = replace(whole, intent="changes")
        if whole.intent == "month" and (whole.kinds or whole.states):
            whole = replace(whole, intent="changes")
        if asked == "who" and not (base.topic or base.paths):
            is_list = before.intent == "changes" and (before.states or before.order)  # which say by whom they are
            if (is_list and not base.order) or (before.intent == "explain" and not (before.topic or before.paths)):
                raise NotAnswered(NOTHING_NEW)
        return whole

    def _whole(self, question: Question, base: Question, before: Question) -> Question | None:
        """A question that has its own subject, with the thread's time if it names none; None where it goes on."""
        has, goes_on, says_listed = self._has, self._part.stand("goes on"), self._part.stand("says listed")
        own = base.people or base.team or base.topic or base.paths or has("everyone", "shipped")
        if not own or question.intent == "unknown" or (has("pronouns") and before.people):
            return None
        is_half = question.intent == "compare" and len(base.people) == 1 and not base.ends
        if base.span and not is_half and (not goes_on or base.people):
            return question
        asks = self._says(*lists()["question"], "show", "list", "give", "digest")
        acts = has("do", "shipped", "who", "make", "profile", "digest", "everyone", "touch")
        if question.intent == "compare" or goes_on or says_listed or not (acts and asks):
            return None
        if question.span or question.release or question.intent in ("profile", "explain"):
            return question
        question = replace(question, release=before.release if before.release != WHICH else None)
        return replace(question, span=before.span, assumed=(THREADS_TIME,)) if before.span else question

    def _beside_thread(self, whole: Question, base: Question, before: Question) -> Question:
        """What is compared with whom, or with the time, that the thread is about."""
        people = base.people or before.people
        if len(base.people) == 1 and not base.span and not (self._has("pronouns") and before.people):
            people = tuple(dict.fromkeys((*before.people, *base.people)))
        if base.span and not base.ends and before.span and not base.people:
            ends = two_ends(base.span, before.span)
            whole = replace(whole, ends=ends, span=Days(ends[0].first, ends[1].end))
        return replace(whole, people=people)

    def _whose(self, draft: Question) -> list[Choice]:
        names = [self._called(self._known.asker)] if self._known.asker else []
        choices = [Choice(clean(name), replace(draft, people=(name,))) for name in names]
        everyone = replace(draft, intent="what_shipped" if draft.intent == "month" else draft.intent)
        return [*choices, Choice("Everyone", everyone)] if draft.span else choices

    # what is refused

    def _worth_keeping(self, base: Question) -> Question:
        """What a question names that a follow-up can speak of, though it may not be answered itself."""
        is_held = self._holds(base.topic or "")
        return Question(
            "unknown", tuple(filter(None, base.people)), base.span, base.repositories, base.topic if is_held else None,
            team=base.team, release=base.release, paths=base.paths,
        )  # fmt: skip

    def _held(self, question: Question) -> Question:
        """A question with of each topic what the histories hold together, with or without words that say of what sort a
        thing is; the rest is unread, and what nothing holds is not left out. What is asked about and not held is
        refused."""

        for topic in filter(None, (question.topic, *question.without_topics)):
            is_asked = topic == question.topic
            bare = " ".join(word for word in topic.split() if word.casefold() not in lists()["light"])
            held = next((one for one in (topic, bare) if self._holds(one)), "")
            if not held and is_asked:
                words = [word for word in topic.split() if " " in topic and self._holds(word)]
                some = [_choice(replace(question, topic=word)) for word in words]
                named = (one for one in self._part.items if one.tag == "TOPIC" and one.value == topic)
                typed = next((self._part.raw(one.first, one.end) for one in named), topic)  # not "remove OR drop"
                raise NotAnswered(NOT_NAMED.format(clean(typed)[:80]), some[:MOST_OFFERED])
            lost = {*topic.casefold().split()} - {*held.casefold().split()}
            part, verbs = self._part, ("make", "appear", "action", *["kind"] * (not is_asked))  # "did we drop X"
            said = (n for one in part.items if one.tag == "TOPIC" for n in range(one.first, one.end))
            part.lose(n for n in said if lost.intersection(part.low(n).split()) and not part.has(n, *verbs))
            others = tuple(filter(None, (held if one == topic else one for one in question.without_topics)))
            question = replace(question, topic=held if is_asked else question.topic, without_topics=others)
        return question

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
        for n in range(self._count):
            is_word = part.is_strange(n) and part.is_lost(n) and any(map(str.isalpha, part.low(n)))
            is_listed = part.low(n) in listed_words() and not part.is_time(n)
            is_known = part.words[n].raw.islower() and (self._known.knows_word(part.low(n)) or is_listed)
            is_known = is_known and not part.stands(n, "sure name")
            if not is_word or is_known or not part.stands(n, "name place"):
                continue
            first, end = n, n + 1
            while part.is_strange(end) and not part.pauses(end) and not part.words[end - 1].is_owner:
                end += 1
            if part.taken(n - 1) == "PERSON" and not part.pauses(n) and not part.words[n - 1].is_owner:
                first = next(one.first for one in part.items if one.tag == "PERSON" and one.first < n <= one.end)
            if not part.among(first - 1, "question"):
                return part.raw(first, end).removesuffix("'s")
        return ""

    def _checked(self, question: Question) -> Question:
        """What is answered; what hangs on a word that was lost is refused."""
        part, is_free = self._part, self._part.is_free
        if "fix" in question.kinds and any(low.startswith(("introduce", "cause")) for low in self._lows):
            raise NotAnswered(WHY_NOT["git"], self._offers())
        if self._unsure:
            names, at, said, people = self._unsure
            every = [[self._called(p) if n == at else name for n, name in enumerate(names)] for p in people]
            choices = [Choice(clean(some[at]), replace(question, people=tuple(some))) for some in every if all(some)]
            raise NotAnswered(which_one(self._known.directory.spelled(said), people, self._commits), choices)
        if part.of("REF") and question.references:  # what else is said describes them
            return question
        if question.intent == "unknown":
            raise self._not_understood()
        question = self._held(question)
        unseen = lists()["unseen"] - lists().get(f"seen in {question.intent}", frozenset())
        unseen -= {"compare"} if question.ends or ".." in (question.release or "") else set()
        classed = ((n, part.classes[n]) for n in filter(is_free, range(self._count)))
        part.lose(n for n, of in classed if of - IDLE and of <= unseen | IDLE)
        if question.intent == "changes" and not question.reviews and part.stand("why beside a list"):
            question = replace(question, form=(*question.form, WHY))
        elif question.intent != "explain" and not _is_of_reverts(question):  # which say why
            part.lose(n for n in part.all if part.low(n) == "why" and is_free(n))
        is_default = not (question.span or question.release or question.references) and question.intent in _OF_TIME
        is_default = is_default and question.order not in ("latest", "first")
        if part.bad_negation or any(part.has(n, "not") and part.is_lost(n) for n in range(self._count)):
            raise self._not_understood()
        is_listed = question.intent == "changes" and (question.topic or question.paths)  # of any time
        if part.unread and ((is_default and not is_listed) or not self._is_named(question)):
            raise self._not_understood()
        lost = [n for n in part.all if part.is_lost(n) and is_free(n)]
        is_half = question.release and any("." in part.low(n) and version_of(part.low(n)) for n in lost)
        verbs = [n for n in lost if part.stands(n, "verb of a subject") and question.intent != "profile"]
        if is_half or verbs or any(part.stands(n, "in a subject") for n in lost):
            raise self._not_understood()
        if is_default and not part.unread:
            self._assumed.append(NO_TIME)
        return question

    def _is_named(self, question: Question) -> bool:
        """Whether this part itself names what its answer is of, so that its unread words can stand beside that: of a
        comparison both sides."""
        part = self._part
        if question.intent == "compare" or part.compares:
            sides = (question.people, question.ends or (), question.repositories)
            return any(len(some) > 1 for some in sides) or ".." in (question.release or "")
        is_verb = self._has("verb") or question.kinds or question.states or self._says(*lists()["does"])
        return bool((part.items or question.kinds or question.states) and (is_verb or not part.stand("asks")))


def _signed(person: Person, said: str) -> Sequence[Identity]:
    """The identities of somebody by whose names a word was theirs; all, where it was by something else."""
    words = set(plain(said).split())
    return [one for one in person.identities if words <= set(plain(one.name).split())] or person.identities


def _version_order(release: str) -> tuple[Any, ...]:
    version = version_of(release)
    return version.order if version else ()


def _bare(question: Question) -> Question:
    return replace(question, found={}, form=(), assumed=(), choices=())
