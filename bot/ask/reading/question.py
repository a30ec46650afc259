"""What people type → a Question, by what it names. The present is an argument; nothing here raises. Pure.

The known things are found anywhere in the text (`Finds`), then what is wanted of them by a table of words (`intents`);
what is left is the topic, or nothing. What one slip separates from a name is taken for it and said; what fits several
is asked back, with what may have been meant, each the whole question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from bot.ask.clarification import Missing, nobody
from bot.ask.known import Known, Thread
from bot.ask.question import LARGEST, OF_FILES, REVIEW, Choice, Question
from bot.ask.reading import intents
from bot.ask.reading.choices import MOST_CHOICES, Choices
from bot.ask.reading.finds import Finds
from bot.ask.reading.kinds import kinds_of
from bot.ask.reading.links import each_one, linked
from bot.ask.reading.names import Named
from bot.ask.reading.spans import compared
from bot.ask.reading.times import OldNow
from bot.ask.reading.words import asked_in, form_of, unwrapped
from bot.month.calendar import Days
from bot.story.wording import clean, listed

LONGEST = 1_200  # characters of a question, with what Slack puts around links; what is longer is something else
MOST_WORDS = 160
TOO_LONG = "That is more than I can read at once: ask in a sentence."
NOT_IN_GIT = (
    "Git has commits alone: it knows nothing of open pull requests, issues, or who is on call. Ask what somebody did "
    "in a month, who worked on something, or what shipped."
)
ONLY_TELLS = "I only tell what is in git, and change nothing there."
NO_RANKS = "I do not rank people. Ask what somebody did in a month, who worked on something, or what shipped."
UNKNOWN_MEMBER = (
    "I do not know which author that is in git: ask with the name as it stands in their commits, or put their "
    "Slack id, {}, beside their name in almanac.toml."
)
WHICH_COMMIT = "Which commit do you mean? Give the beginning of its SHA, or its number, such as #12."
_COMMAND = re.compile(r"^\s*/(?:almanac\b\s*)?(?=\w|$)", re.IGNORECASE)
_NUMBERS = re.compile(r"\d{1,4}[/-]\d{1,4}(?:[/-]\d{1,4})*")  # that may be a time, and is none
_SENTENCE = re.compile(
    r"(?<=[!?;])\s+|(?<=\w{4}\.)(?<!sept\.)(?<!Sept\.)\s+|\n+|\s+-\s+(?=(?:that|so|what|who|which|can|could|how|show|i|hi|thanks?)\b)|(?<=\w)\.{3,}\s*|(?<=\w)…\s*"
)


def parse_question(
    text: str, known: Known, today: date, thread: Thread | None = None, *, mine: bool = False
) -> Question:
    """The question in a text, asked on a day.

    `thread` is given for a follow-up: what it does not say is taken from there. With `mine`, what names nothing but a
    time is about whoever asks. An unknown question has what may have
    been meant among its choices, each the whole question put right.
    """
    if len(text) > LONGEST:
        return Question("unknown", missing=TOO_LONG)
    try:
        return _Reader(known, today, thread or Thread(), mine).question(text)
    except Missing as missing:
        return Question("unknown", missing=str(missing), choices=missing.choices)


_PRONOUN = re.compile(r"\b(?:he|she|his|her|him)\b")


class _Reader:
    def __init__(self, known: Known, today: date, thread: Thread, mine: bool) -> None:
        self._known, self._directory, self._thread, self._mine = known, known.directory, thread, mine
        self._choices = Choices(known)
        self._now = OldNow(today, thread.span, known.sprint)

    def question(self, text: str) -> Question:
        text, form = form_of(_COMMAND.sub("", unwrapped(text)).strip())
        if form not in (None, "markdown"):
            raise Missing(f"I can write text and Markdown here, not {form}: “almanac export” writes other forms.")
        if len(text.split()) > MOST_WORDS or len(text) > LONGEST:  # "…" becomes three characters
            raise Missing(TOO_LONG)
        body = asked_in(text)
        if not intents.ASKS.search(body.casefold()) and intents.ASKS.search(text.casefold()):
            body = text
        said, beside = _focused(body)
        finds = Finds(said, self._known, self._now)
        is_of_somebody_beside = _PRONOUN.search(finds.said) and not (finds.names.found or self._thread.person)
        if beside and (is_of_somebody_beside or not any(word.taken for word in finds.text.words)):
            finds, beside = Finds(body, self._known, self._now), ""
        if not finds.places.references and text != body and re.search(r"\b(?:commit|explain|that|it)\b", finds.said):
            finds.places.references = Finds(text.replace("`", " "), self._known, self._now).places.references
        question = self._read(finds, beside, is_form=form is not None)
        if finds.assumed and question.intent not in ("help", "schedule"):
            question = replace(question, assumed=finds.assumed, choices=self._choices.alternatives(finds, question))
        return replace(question, form=("markdown",)) if form else question

    def _read(self, finds: Finds, beside: str, *, is_form: bool) -> Question:
        said, low = finds.said, finds.text.low
        is_social = (
            intents.HELP.fullmatch(low) and re.search(r"\w|\?|👋|^$", low) and not (is_form and self._thread.span)
        )
        if is_social or intents.HOW_TO.search(low):
            return Question("help")
        if intents.is_schedule(low):
            return Question("schedule", repositories=finds.repositories)
        if link := linked(finds, self._known):
            return link
        if intents.ORDER.search(said):
            raise Missing(ONLY_TELLS)
        if finds.places.references:
            return self._explained(finds)
        if intents.NOT_IN_GIT.search(said):
            raise Missing(NOT_IN_GIT)
        if finds.places.release and intents.WHEN_RELEASED.search(said):
            return Question("explain", repositories=finds.repositories, release=finds.places.release)
        compares = len(finds.names.found) + ("PERSON" in said and " me" in said) > 1 and intents.MORE.search(said)
        if intents.RANKING.search(said) and not compares:
            raise Missing(NO_RANKS)
        with_whom = intents.WITH_WHOM.search(said) is not None
        everybody = intents.EVERYBODY_DID.search(said) or intents.HOW_MANY_PEOPLE.search(said)
        if not (with_whom or compares or everybody) and (who := self._who(finds)):
            return who
        intent = ("who", ()) if with_whom else self._intent(finds, bool(compares))
        return self._asked(finds, beside, *intent, is_form=is_form)

    # what is about no person's month

    def _explained(self, finds: Finds) -> Question:
        references = list(dict.fromkeys(finds.places.references))
        if len(references) > 1:
            choices = [Choice(clean(one), Question("explain", topic=one)) for one in references[:MOST_CHOICES]]
            raise Missing(f"Which one: {listed([clean(one) for one in references], 'or')}?", choices)
        where, topic = finds.repositories, references[0]
        return Question("explain", topic=f"{where[0]}{topic}" if topic.startswith("#") and len(where) == 1 else topic)

    def _who(self, finds: Finds) -> Question | None:
        match = next(
            (match for pattern in (*intents.WHO, intents.OF_PATH) if (match := pattern.search(finds.said))), None
        )
        if match is None and finds.names_only_a_topic():
            match = intents.WHO_TOPIC.fullmatch(finds.said)
        if match is None or re.search(r"\bwhat (?:did|has|have|do|are|were)(?: \w+)?\s*$", finds.said[: match.start()]):
            return None
        topic = finds.topic(*match.span("topic"))
        goes_on = intents.GOES_ON.search(finds.said) is not None and not finds.when.span and self._thread.span
        repositories = finds.repositories or (self._remembered() if goes_on else ())
        self._clear(finds)
        if topic is None and not repositories:
            raise Missing("Who worked on what? Name it, such as “who worked on the parser”.")
        return Question(
            "who", (), self._thread.span if goes_on else finds.when.span, repositories, topic,
            without=self._out(finds), without_repositories=finds.without_repositories,
        )  # fmt: skip

    def _out(self, finds: Finds) -> tuple[str, ...]:
        asker = self._known.asker
        me = (self._directory.called(asker),) if finds.without_me and asker else ()
        return tuple(dict.fromkeys([*each_one(finds.without, self._directory), *me]))

    def _clear(self, finds: Finds) -> None:
        """Ask back where a time or a repository cannot be told."""
        if finds.unclear:
            raise Missing(f"{finds.unclear[:1].upper()}{finds.unclear[1:]}.")
        for word in finds.text.words:
            if not word.taken and _NUMBERS.fullmatch(word.raw):
                raise Missing(f"I do not understand “{word.raw}”: write a month as 2025-10.")
        if finds.places.unknown_team:
            raise self._choices.no_team(finds)
        if finds.places.strangers:
            raise Missing(f"I have not indexed a repository called “{clean(finds.places.strangers[0])[:80]}”.")

    # people's months, everybody's, and lists

    def _asked(self, finds: Finds, beside: str, intent: str, kinds: tuple[str, ...], *, is_form: bool) -> Question:
        said, places = finds.said, finds.places
        if finds.strangers:
            raise Missing(UNKNOWN_MEMBER.format(finds.strangers[0].strip("<@>").partition("|")[0]))
        may_have_topic = intent in ("month", "changes", "who") and REVIEW not in kinds
        topic = finds.topic_beside(of_kinds=bool(kinds)) if may_have_topic else None
        if topic:
            intent = "month" if intent != "who" and not kinds else "who"
        if intent != "profile":
            self._clear(finds)
        named = finds.people(compares=intent == "compare")
        is_mine = self._is_mine(finds, named, intent) or (self._mine and finds.names_only_a_time())
        span = finds.when.span
        if beside and not span and intents.AWAY.search(said):
            span = Finds(beside, self._known, self._now).when.span
        draft = Question(intent, (), span, finds.repositories, topic, kinds)  # before it is known whose
        is_plain_list = not ((OF_FILES | {LARGEST}).isdisjoint(kinds) or _PRONOUN.search(said))
        everybody = bool(places.team or places.release or intents.EVERYBODY.search(said) or is_plain_list)
        may_be_nobody = not named and not is_mine and not (everybody and intent == "month")
        if may_be_nobody and (who := finds.unknown_name()) and not (topic and topic in who):
            raise self._choices.nobody(who, finds, draft)
        if places.addresses and not named:
            people = [p for one in places.addresses for p in self._directory.exactly(one, levels=(0,))]
            if not people:
                raise Missing(nobody(places.addresses[0], ()))
            named = [Named(0, 0, (one,), one.name) for one in dict.fromkeys(people)]
        if named and intent in ("month", "compare", "changes") and (who := finds.unknown_name(beside=True)):
            raise self._choices.nobody(who, finds, draft)
        when = span or self._thread.span or Days.of(self._now.month - 1)
        slots = self._choices.slots(named, finds, is_mine, when)
        if not slots and intent == "month" and not (is_form or everybody or self._thread.span):
            self._choices.month_or_name(finds)
        names = tuple(dict.fromkeys(self._directory.called(people[0]) for _, people in slots))
        question = self._whole(finds, draft, names, everybody=everybody, is_form=is_form)
        return self._choices.settled(finds, slots, question)

    def _intent(self, finds: Finds, compares: bool) -> tuple[str, tuple[str, ...]]:
        said = finds.said
        kinds = kinds_of(said)
        if kinds and OF_FILES.issuperset(kinds):
            return ("compare" if intents.SAME_FILES.search(said) else "changes"), kinds
        if compares or (intents.COMPARE.search(said) and ".." not in (finds.places.release or "")):
            return "compare", ()
        if intents.WHO_IS.search(said) or intents.PROFILE.search(said):
            return "profile", ()
        if intents.EXPLAIN.search(said):
            raise Missing(WHICH_COMMIT)
        if intents.DIGEST.search(said):
            return ("digest" if not finds.names.found else "month"), ()
        return ("changes", kinds) if kinds is not None else ("month", ())

    def _is_mine(self, finds: Finds, named: Sequence[Named], intent: str) -> bool:
        said = finds.said
        if finds.without_me or intents.MISSED.search(said):
            return False
        if not named:
            return bool(intents.MINE.search(said) or (intent == "compare" and re.search(r"\bfor me\b", said)))
        if intents.FOR_ME.search(said) or not intents.BESIDE_ME.search(said):
            return False
        return intent == "compare" or intents.AND_ME.search(said) is not None

    def _whole(
        self, finds: Finds, draft: Question, names: tuple[str, ...], *, everybody: bool, is_form: bool
    ) -> Question:
        """The question with what a follow-up keeps of the conversation."""
        said, thread, places, intent, span = finds.said, self._thread, finds.places, draft.intent, draft.span
        repositories, left_out = draft.repositories, finds.without_repositories
        where_said = bool(repositories) or places.everywhere or intents.EVERYTHING.fullmatch(finds.text.low) is not None
        out = self._out(finds)
        said_nothing = not (span or where_said or names or out or left_out)
        about_team = not thread.person and thread.span is not None
        topic = None if places.team else draft.topic
        if topic and not names:
            intent = "who"
        if intent == "month" and not names:
            if said_nothing and not is_form and not everybody and intents.SOCIAL.search(said):
                return Question("help")
            follows = not said_nothing or is_form or intents.SAME.search(said) is not None
            if everybody or (about_team and follows) or (not thread.person and (out or repositories)):
                intent = "what_shipped"
        inherits = not (span and (names or everybody or intent == "digest"))
        release = places.release or self._release_of(said, draft)
        when = span or (thread.span if inherits and intent != "profile" and not release else None)
        if release and release != places.release:
            when = None  # the month says which release, and not what is in it
        tags = {tag for some in self._known.tags.values() for tag in some}
        is_tag = release and not span and (".." in release or release in tags)
        ends = finds.when.ends
        if intent == "compare":
            when, ends = self._two_ends(finds, when, names)
            if len(names) == 1 and thread.person not in (None, *names) and not span:
                names = (str(thread.person), *names)
        if not names and not topic and thread.person and intent in ("month", "compare", "changes", "profile", "who"):
            names = (thread.person,)
        if not names and intent == "compare" and said_nothing:
            raise Missing("Whose months shall I compare? Name somebody.")
        is_nobodys = intent == "changes" and (_PRONOUN.search(said) or (said_nothing and not (everybody or about_team)))
        if not names and not topic and (intent in ("month", "profile", "who") or is_nobodys):
            raise self._choices.whose(draft)
        if not where_said and inherits and not intents.WHO_IS.search(said):
            repositories = self._remembered()
        is_everybodys = intent in ("what_shipped", "digest", "changes") and not names
        return Question(
            intent, names, when, tuple(one for one in repositories if one not in left_out),
            places.team if is_everybodys else topic, draft.kinds,
            ends=ends if intent == "compare" and len(names) < 2 else None,
            without=tuple(one for one in out if one not in names), without_repositories=left_out,
            release=release if intent in ("what_shipped", "changes") or (intent == "month" and is_tag) else None,
        )  # fmt: skip

    def _release_of(self, said: str, draft: Question) -> str | None:
        """The only tag of the month that "the march release" names."""
        if draft.span and draft.intent in ("month", "changes") and re.search(r"\bWHEN release\b", said):
            tags = self._known.tagged_in(draft.repositories, draft.span)
            return tags[0] if len(tags) == 1 else None
        return None

    def _two_ends(
        self, finds: Finds, when: Days | None, names: tuple[str, ...]
    ) -> tuple[Days | None, tuple[Days, Days] | None]:
        """The times of a comparison: with one said in a thread, that one and the thread's."""
        about, span = self._thread.span, finds.when.span
        if finds.when.ends or not (span and about) or names or span == about:
            return when, finds.when.ends
        return compared(span, about, self._now)

    def _remembered(self) -> tuple[str, ...]:
        gone = [name for name in self._thread.repositories if name not in self._known.repositories]
        if gone:
            raise Missing(f"{clean(gone[0])} is not indexed any more; ask again with the repositories you mean.")
        return self._thread.repositories


def _focused(text: str) -> tuple[str, str]:
    """The sentences that ask for something, and those beside them; all of it where none does."""
    sentences = [one for one in _SENTENCE.split(text) if one.strip()]
    asking = [one for one in sentences if intents.ASKS.search(one.casefold().replace("’", "'"))]
    if len(sentences) < 2 or not asking:
        return text, ""
    short = [one for one in sentences if one in asking or len(one.split()) < 3]
    return " ; ".join(short), " ; ".join(one for one in sentences if one not in short)
