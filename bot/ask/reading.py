"""What people type → a Question in which every word is accounted for. The present is an argument; nothing raises. Pure.

The sentences of a text, and the clauses that begin a question, are read one by one (`parts`), what each asks is told
from what was found in it (`asked`), and the fullest is answered; what the others say is unread. What cannot be answered
is an "unknown" question with the one line to say, and whole questions that are made of what was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date

from bot.ask.asked import (
    HANGS,
    NOT_NAMED,
    ONLY_TELLS,
    WHICH_COMMIT,
    WHO_WHAT,
    WHOSE,
    WHY_NOT,
    AskedPart,
    NotAnswered,
    continued,
    is_of_commits,
    is_of_reverts,
    offered,
    why_not,
    without_still,
)  # fmt: skip
from bot.ask.known import NEAREST, Known, Thread
from bot.ask.languages import OTHER_SCRIPT, in_english
from bot.ask.parts import QuestionPart
from bot.ask.question import NO_TIME, NOT_UNDERSTOOD, OTHERS_TIME, Question
from bot.ask.times import Now, find_times
from bot.ask.words import Word, as_typed, cleaned, content_of, lists, phrases_at, split_words
from bot.month.releases import NEWEST, WHICH
from bot.wording import clean

__all__ = ("ONLY_TELLS", "WHOSE", "WHY_NOT", "continued", "read", "subject_of")

LONGEST = 3_000  # characters of a question
LONGEST_OF_OTHERS = 300  # of one in another language: each of its signs may begin a phrase of any table
MOST_WORDS, MOST_CLAUSES = 160, 20
MOST_READ_AGAIN = 80  # words of a part that is not understood: each try reads all of them
MOST_ASKED = 3  # questions of one message that are answered
TOO_LONG = "That is more than I can read at once: ask in one or two sentences."
ENGLISH = "Without a model I read English, and of other languages only plain questions."
FRIENDLY = "Glad to help! Ask me what somebody did in a month, who worked on something, or what a release holds."
# Behind these something near may be shown, unless the text asks for one of many or on a condition.
_NOT_FOUND = ("I did not understand", WHOSE, NOT_NAMED.partition("“")[0], WHO_WHAT, *WHY_NOT.values())
_OF_MANY = ("count", "compare", "firsttime", "people", "reviews", "state: tagged", "order: most", "order: size")
_CONDITIONS = ("RELEASE", "TEAM", "REF", "BOTS")
_TELLING = ("", "TOPIC", "PATH", "LOST")  # what words are taken as that may describe a change
_JOINS = ("and", "but", "then", "&", "+")  # two clauses
_VERBS = ("do", "make", "shipped", "touch", "reviews", "changes", "who", "explain", "compare", "profile", "kind")


def read(text: str, known: Known, today: date, thread: Thread | None = None, *, mine: bool = False) -> Question:
    """The question in a text, asked on a day; what it does not say is taken from the `thread` that it is asked in.

    With `mine`, what names nothing but a time is about whoever asks.
    """
    text = cleaned(text) if len(text) <= 4 * LONGEST else text
    if len(text) <= LONGEST_OF_OTHERS and (said := in_english(text, known.directory)):
        return _of_other(text, said[1], _read(said[0], known, today, thread, mine=mine))
    return _read(text, known, today, thread, mine=mine)


def is_schedule(text: str) -> bool:
    """Whether a text is about what repeats: digests that are set, changed or stopped."""
    return read(text, Known(()), date(2000, 1, 1)).intent == "schedule"


def subject_of(thread: Thread | None, question: Question) -> Question | None:
    """A question of changes that a thread listed as one of its own: what the thread is about, with what is asked of
    them. None of any other."""
    is_list = question.references and question.intent in ("changes", "who") and not question.reviews
    if not (is_list and thread and thread.asked.intent):
        return None
    if not {*thread.listed, *thread.asked.references}.issuperset(question.references):
        return None
    asked = replace(question, references=(), form=(), limit=None, count=False, assumed=(), choices=())
    return without_still(replace(continued(thread.subject, asked), references=()), thread.subject)


def _read(text: str, known: Known, today: date, thread: Thread | None, *, mine: bool) -> Question:
    words = split_words(text) if len(text) <= LONGEST else []
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
    is_half = thread and thread.asked.unread and not is_of_commits(thread.asked) and question.intent != "unknown"
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
    choices = () if question.intent == "unknown" else (offered(question),)
    return Question("unknown", missing=ENGLISH, choices=question.choices or choices, unread=question.unread)


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
        for n in reversed(range(len(parts) - 1)):  # "Grace - how many commits in June?"
            if set(map(parts[n].taken, parts[n].all)) == {"PERSON"} and not parts[n + 1].of("PERSON"):
                parts[n : n + 2] = [self._part([*parts[n].words, *parts[n + 1].words])]
        question = self._fullest(parts, words)
        return self._nearest(parts, question) if (question.missing or "").startswith(_NOT_FOUND) else question

    def hangs(self, words: Sequence[Word], is_own: bool) -> bool:
        """Whether a text goes on from what came before, unless it has its own person and time, or speaks of it."""
        part = self._part(words)
        return (part.stand("goes on") and not is_own) or (part.asks_who and part.stand("says listed"))

    def _part(self, words: Sequence[Word]) -> QuestionPart:
        return QuestionPart([replace(word, taken="") for word in words], self.known, self._now, self._released)

    def _tried(self, part: QuestionPart, before: Sequence[QuestionPart]) -> Question:
        asked = AskedPart(part, before, self.known, self.thread, mine=self.mine)
        try:
            return replace(asked.question(), unread=part.unread_words)
        except NotAnswered as refused:
            return replace(asked.named, missing=str(refused), choices=refused.choices, unread=part.unread_words)

    def _fullest(self, parts: Sequence[QuestionPart], words: Sequence[Word]) -> Question:
        """What the fullest part asks, with what the others say of it."""
        chat = [part.said("chat") is not None and not set(part.items) - set(part.of("TIME")) for part in parts]
        if any(chat) and all(chat[n] or _is_idle(part) for n, part in enumerate(parts)):
            return Question("unknown", missing=FRIENDLY)
        form = tuple(dict.fromkeys(form for part in parts for form in part.named("form: ", anywhere=True)))
        asks = [n for n, part in enumerate(parts) if not _is_idle(part, forms=True)]
        read = {n: self._tried(parts[n], parts[:n]) for n in asks}
        thanks = any(word.low in lists()["thanks"] for word in words)
        if not read:
            return self._unasked(parts, form, thanks=thanks)
        fullest = sorted(asks, key=lambda n: (-_fullness(parts[n]), n))
        if found := [n for n in fullest if read[n].intent not in ("unknown", "help")]:
            behind = [*(next((word.before for word in part.words if word.raw), "") for part in parts[1:]), ""]
            asked = [n for n in found if _asks(parts[n]) or "?" in behind[n]]  # "latest commit? who made it"
            whole = [n for n in asked if not read[n].unread]
            return self._beside(min([found[0], *whole]), parts, read, form)
        if helps := next((of for of in read.values() if of.intent == "help"), None):
            return replace(helps, form=form, unread=tuple(text for of in read.values() for text in of.unread))
        is_named = any(one.tag not in ("TOPIC", "TIME") for part in parts for one in part.items)
        if thanks and not is_named and not any(part.stand("asks") for part in parts):
            return Question("unknown", missing=FRIENDLY)
        for n in reversed(asks):
            if clause := self._second_try(parts[n], parts[:n]):
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
        """The question of one part with what the other parts say, which is unread; where it stands for little by
        itself, it is not understood."""
        question, texts, then, hangs = read[number], list[str](), list[str](), False
        asked = [n for n in read if n < number and read[n].intent == "unknown" and _asks(parts[n])]
        named = (
            question.people,
            question.topic,
            question.paths,
            question.repositories,
            question.team,
            question.release,
        )
        is_why = any(read[n].missing in WHY_NOT.values() for n in asked) and not _asks(parts[number])
        if asked and (self.thread or is_why or not (any(named) or _asks(parts[number]))):
            return read[asked[0]]  # "who yodels? the last three months"
        times = [read[n].span for n in read if n > number and read[n].span and read[n].intent != "unknown"]
        times = [read[n].span for n in read if n > number and read[n].span and read[n].intent != "unknown"]
        if NO_TIME in question.assumed and times:  # "what did Ann do, and how many commits did Ralf make in June"
            others = tuple(one for one in question.assumed if one != NO_TIME)
            question = replace(question, span=times[0], assumed=(*others, OTHERS_TIME))
        for at in read:
            if at == number:
                texts += question.unread
            elif not (_carries_nothing(parts[at]) or _is_answered(parts[at], question)):
                texts.append(as_typed(parts[at].words))
                then += texts[-1:] if at > number else []
                is_bare = not (question.people or question.topic or question.paths)
                hangs = hangs or (NO_TIME in question.assumed and (is_bare or bool(parts[at].of("TIME"))))
                # "Did Ann stop? when was the last one": of nobody it would be everybody's.
                turns = at < number and is_bare and not question.release
                hangs = hangs or (turns and bool(parts[at].of("PERSON", "PATH")))
        if hangs:
            missing = f"I did not understand {', '.join(f'“{clean(one)[:80]}”' for one in texts)}."
            return Question("unknown", missing=missing, unread=tuple(texts), choices=(offered(question),))
        return replace(question, form=form or question.form, unread=tuple(texts), then=tuple(then[: MOST_ASKED - 1]))

    def _second_try(self, part: QuestionPart, before: Sequence[QuestionPart]) -> Question | None:
        """What the last clause asks that begins a question, of a part that is not understood; two are tried."""
        words = part.words if len(part.words) <= MOST_READ_AGAIN else []
        starts = [n for n, word in enumerate(words) if n and word.low in lists()["begins"] and not word.quote]
        for start in starts[:-3:-1]:
            lead, rest = self._part(words[:start]), self._part(words[start:])
            if lead.bad_negation or lead.said("not", "only") is not None or why_not(lead, things=False):
                continue
            found = self._tried(rest, [*before, lead])
            if found.intent not in ("unknown", "help") and (found.people or NO_TIME not in found.assumed):
                story = () if _is_idle(lead) else (lead.raw(0, start),)
                return replace(found, unread=(*story, *found.unread))
        return None

    def _nearest(self, parts: Sequence[QuestionPart], refused: Question) -> Question:
        """A refused question as one about the changes that are nearest to its words, by some people, in a time and some
        repositories: not where it asks for more than some change, for what git cannot know, or on another condition."""
        items = [item for part in parts for item in part.items]
        if any(why_not(part, things=False) or part.left_out or part.said(*_OF_MANY) is not None for part in parts):
            return refused
        if self.thread and any(part.stand("says those") or part.stand("says listed") for part in parts):
            return refused
        spans = dict.fromkeys(item.value.days for item in items if item.tag == "TIME")
        where = dict.fromkeys(item.value for item in items if item.tag == "REPO")
        is_clear = len(spans) < 2 and None not in spans and all(isinstance(one, str) for one in where)
        if not is_clear or any(part.trouble for part in parts) or any(item.tag in _CONDITIONS for item in items):
            return refused
        words = content_of(part.low(n) for part in parts for n in part.all if part.taken(n) in _TELLING)
        named = (one for item in items if item.tag == "PERSON" for one in item.value)
        people = tuple(dict.fromkeys((*refused.people, *map(self.known.directory.called, named))))
        asked = Question("explain", people, next(iter(spans), None), tuple(where), form=refused.form)
        found, held = self.known.nearest(replace(asked, topic=" ".join(words))) if words else ((), frozenset[str]())
        release = WHICH if any(part.asks_release for part in parts) else None
        return replace(
            asked, references=tuple(found), choices=refused.choices, release=release,
            unread=tuple(text for part in parts for text in _not_shown(part, held, asked)),
            assumed=(f"{NEAREST} “{' '.join(words)}”",),
        ) if found else refused  # fmt: skip


# --- sentences and clauses


def _clauses(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """The sentences, cut where a question begins behind a comma or "and"."""
    first = 0
    for n in range(1, len(words)):
        if _begins_clause(words, first, n) or (
            words[n].sentence != words[n - 1].sentence and not _goes_on(words, first, n)
        ):
            is_led = words[n - 1].low in lists()["leads question"] and words[n - 2].low == "and"
            end = n - (is_led and n - 2 >= first)
            yield words[first : end - (end - 1 > first and words[end - 1].low in _JOINS)]
            first = end
    yield words[first:]


def _begins_clause(words: Sequence[Word], first: int, n: int) -> bool:
    """Whether a question, or a remark, begins at a word behind others of its sentence."""
    some, word, after = lists(), words[n], words[n + 1].low if n + 1 < len(words) else ""
    said = {one.low for one in words[first:n]}
    is_led = n - 2 >= first and words[n - 1].low in some["leads question"]  # "and in which parts"
    is_joined = words[n - 1 - is_led].low in _JOINS
    pauses = any(sign in word.before for sign in ",;:?!()") or word.before.strip() in ("-", "–")
    if pauses and n - first > 2 and (word.low in some["remarks"] or f"{word.low} {after}" in some["remarks"]):
        return True
    if pauses and word.low in ("i", "we") and after not in some["joins"] | {""} and n - first > 2:  # why it is asked
        return words[first].low in some["opens"] | some["begins"] or not said.isdisjoint(some["question"])
    if word.low in ("can", "could", "would", "if") and after in ("you", "i", "we") and n - first > 4:
        return said.isdisjoint(some["question"])
    begins = (word.low in some["question"] and not word.quote) or (word.low in some["opens"] and ":" in word.before)
    is_heading = ":" in word.before and not any(re.search("[,;:?!]", one.before) for one in words[first + 1 : n])
    is_short = n - first < (10 if is_heading else 5) and said.isdisjoint(some["no aside"])
    is_named = word.low in ("did", "does", "has") and words[min(n + 1, len(words) - 1)].raw.istitle()
    has_subject = after in some["on it"] or is_named
    asks_on = word.low in some["before subject"] and has_subject  # "and is any of it mine"
    asks_on = asks_on or (word.low in some["begins"] | {"tell"} and after == "me")  # "and tell me who"
    asks_on = asks_on and n - first > 2 and not is_led
    asks_on = asks_on and not said.isdisjoint(some["question"] | {"show", "list", "did", "everything", "compare"})
    begins = (begins and not is_short) or asks_on
    return begins and (pauses or is_joined) and not _is_time(words[first:n])  # "in the last two weeks, who …"


def _goes_on(words: Sequence[Word], first: int, n: int) -> bool:
    """Whether a sentence only says more of the one before: "without docs", "the last year"."""
    some, word, after = lists(), words[n], words[n + 1] if n + 1 < len(words) else None
    rest = [one for one in words[n:] if one.sentence == word.sentence]
    lows = tuple(one.low for one in rest[:8])
    if any("neg behind" in phrases_at(lows, at).get(len(lows), ()) for at in range(1, len(lows))):  # "? bumps excepted"
        return True
    part_of = word.low in some["goes on"] and after is not None and "," not in after.before
    if part_of and (word.low != "not" or after is None or after.low in some["behind not"] | some["bots"]):
        return True
    return _is_time(rest) and not find_times(words[first:n], Now(date(2100, 1, 1)))


def _is_time(words: Sequence[Word]) -> bool:
    """Whether some words are a time and nothing else."""
    return sum(time.end - time.first for time in find_times(words, Now(date(2100, 1, 1)))) == len(words)


def _is_idle(part: QuestionPart, *, forms: bool = False) -> bool:
    """Whether a part says nothing but hello, or, with `forms`, nothing but how the answer is wanted."""
    if part.items or part.unread_words or part.stand("asks on"):
        return False
    named = (any(name.startswith("form: ") for name in part.classes[n]) for n in part.all)
    return all(not part.taken(n) and (part.has(n, "idle") or (forms and form)) for n, form in enumerate(named))


def _asks(part: QuestionPart) -> bool:
    return part.stand("asks") or part.among(0, "before subject", "question")


def _fullness(part: QuestionPart) -> int:
    asks = int(any(part.has(n, "questions", "asks who") for n in part.all))
    named = len(part.items) + (part.said("pronouns") is not None)
    asks += int(not named and part.asks_who and part.stand("speaks of that"))
    return 4 * named + sum(part.said(name) is not None for name in _VERBS) + 3 * asks - len(part.unread_words)


def _carries_nothing(part: QuestionPart) -> bool:
    said = [part.low(n) for n in part.all if not part.has(n, "talk")]  # "if so what"
    asks = said != ["what"] and part.stand("asks")
    if part.said("away") is not None and not (part.unread_words or asks):
        return True
    verb = part.said("do", "make", "shipped", "reviews", "explain", "who", "count", "kind")
    is_said = part.items or part.unread_words or any(word.taken for word in part.words)
    return not (is_said or asks or verb is not None or why_not(part, things=False) or part.stand("asks on or tells"))


def _not_shown(part: QuestionPart, held: Set[str], asked: Question) -> Sequence[str]:
    """The words of a part that no change holds which is shown; all of it where one of them conditions others, or where
    it describes nothing and asks what is not told of a change."""
    said = content_of(part.low(n) for n in part.all if part.taken(n) in _TELLING)
    is_more = _asks(part) and not (said or _only_narrows(part) or _is_answered(part, asked))
    if is_more or any(
        part.has(n, "not", "neg") or part.among(n, "conditioning") or part.low(n) == "how" for n in part.all
    ):
        return () if _only_narrows(part) else (part.raw(0, len(part.words)),)
    part.regain(part.all)
    each = ((n, content_of([part.low(n)])) for n in part.all if part.taken(n) in _TELLING)
    part.lose(n for n, some in each if not held >= {*(some or re.findall(r"\d+", part.low(n)))})
    return part.unread_words


def _only_narrows(part: QuestionPart) -> bool:
    """Whether a part says nothing but of whom, when or where something is."""
    is_narrow = all(part.taken(n) in ("PERSON", "TIME", "REPO") or part.has(n, "idle") for n in part.all)
    return _carries_nothing(part) or (is_narrow and not part.stand("asks"))


def _is_answered(part: QuestionPart, question: Question) -> bool:
    """Whether a part asks nothing but what the answer says anyhow: who did it, when, how many there are, what it is
    about; of an explanation, why and what became of it; or only says what it speaks of."""
    text = " ".join(word.low for word in part.words).removeprefix("and ")
    is_story = question.intent == "explain" or "reverted" in question.states
    if is_story and (text in lists()["of fate"] or all(part.stands(n, "aside of a story") for n in part.all)):
        return True
    is_gap = text in lists()["between releases"] or part.said("state: tagged") is not None
    if "tagged" in question.states and is_gap and not part.items and not part.asks_who:
        return True
    is_read = not part.unread_words
    asks_it = (part.asks_who and part.stand("says listed")) or part.asks_release
    if question.intent == "explain" and asks_it and not part.items and is_read:
        return True
    said = " ".join(str(one.value) for one in part.of("TOPIC") or part.of("PATH"))
    if said and said == (question.topic or " ".join(question.paths)) and is_read and not _asks(part):
        return True
    rows = question.intent in ("changes", "who", "what_shipped", "month", "compare") and not part.items
    rows = rows and (part.said("state: reverted") is None or is_of_reverts(question))
    rows = rows and (question.intent in ("changes", "who") or part.said("order: most") is None)
    rows = rows and not (question.reviews and question.references)  # of which no day is said
    if "tagged" in question.states:
        return rows and all(part.stands(n, "aside of a story") for n in part.all)
    return rows and part.stand("asks what rows tell") and all(part.stands(n, "told by rows") for n in part.all)
