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

from bot.ask.clarification import Missing, nobody_but
from bot.ask.known import Known, Thread
from bot.ask.reading import intents
from bot.ask.reading.choosing import MOST_CHOICES, Choosing
from bot.ask.reading.finds import Finds
from bot.ask.reading.kinds import kinds_of
from bot.ask.reading.links import each_one, linked
from bot.ask.reading.names import Named
from bot.ask.reading.scheduled import is_schedule
from bot.ask.reading.times import Now
from bot.ask.reading.topics import topic_of, unknown_name
from bot.ask.reading.words import asked_in, form_of, unwrapped
from bot.model import Choice, Question
from bot.month.calendar import Days, Month
from bot.story.wording import clean, listed

LONGEST = 1_200  # characters of a question, with what Slack puts around links; what is longer is something else
MOST_WORDS = 160
TOO_LONG = "That is more than I can read at once: ask in a sentence."
NOT_UNDERSTOOD = "I did not understand that."
ONLY_TELLS = "I only tell what is in git, and change nothing there."
NO_RANKS = "I do not rank people. Ask what somebody did in a month, who worked on something, or what shipped."
WHICH_COMMIT = "Which commit do you mean? Give the beginning of its SHA, or its number, such as #12."
_COMMAND = re.compile(r"^\s*/(?:almanac\b\s*)?(?=\w|$)", re.IGNORECASE)
_NUMBERS = re.compile(r"\d{1,4}[/-]\d{1,4}(?:[/-]\d{1,4})*")  # that may be a time, and is none
_SENTENCE = re.compile(
    r"(?<=[!?;])\s+|(?<=\w{4}\.)(?<!sept\.)(?<!Sept\.)\s+|\n+|\s+-\s+(?=(?:that|so|what|who|which|can|could|how|show|i|hi|thanks?)\b)|(?<=\w)\.{3,}\s*|(?<=\w)…\s*"
)


def parse_question(text: str, known: Known, today: date, thread: Thread | None = None) -> Question:
    """The question in a text, asked on a day.

    `thread` is given for a follow-up: what it does not say is taken from there. An unknown question has what may have
    been meant among its choices, each the whole question put right.
    """
    if len(text) > LONGEST:
        return Question("unknown", missing=TOO_LONG)
    try:
        return _Reader(known, today, thread or Thread()).question(text)
    except _Social:
        return Question("help")
    except Missing as missing:
        return Question("unknown", missing=str(missing), choices=missing.choices)


class _Reader(Choosing):
    def __init__(self, known: Known, today: date, thread: Thread) -> None:
        super().__init__(known)
        self._thread = thread
        self._now = Now(today, thread.span, known.sprint)

    def question(self, text: str) -> Question:
        text = _COMMAND.sub("", unwrapped(text)).strip()
        text, form = form_of(text)
        if form not in (None, "markdown"):
            raise Missing(f"I can write text and Markdown here, not {form}: “almanac export” writes other forms.")
        body = asked_in(text)
        if not intents.ASKS.search(body.casefold()) and intents.ASKS.search(text.casefold()):
            body = text
        if len(text.split()) > MOST_WORDS:
            raise Missing(TOO_LONG)
        said, beside = self._focused(body)
        finds = Finds(said, self.known, self._now)
        if beside and not any(word.taken for word in finds.text.words):
            finds, beside = Finds(body, self.known, self._now), ""
        if not finds.places.references and text != body and re.search(r"\b(?:commit|explain|that|it)\b", finds.said):
            whole = Finds(text.replace("`", " "), self.known, self._now)
            finds.places.references = whole.places.references
        question = self._read(finds, beside, is_form=form is not None)
        if finds.assumed and question.intent not in ("help", "schedule"):
            question = replace(question, assumed=finds.assumed, choices=self.instead(finds, question))
        return replace(question, form="markdown" if form else None) if form else question

    def _focused(self, text: str) -> tuple[str, str]:
        """The sentences that ask for something, and those beside them; all of it where none does."""
        sentences = [one for one in _SENTENCE.split(text) if one.strip()]
        asking = [one for one in sentences if intents.ASKS.search(one.casefold().replace("’", "'"))]
        if len(sentences) < 2 or not asking:
            return text, ""
        short = [one for one in sentences if one in asking or len(one.split()) < 3]
        return " ; ".join(short), " ; ".join(one for one in sentences if one not in short)

    def _read(self, finds: Finds, beside: str, *, is_form: bool) -> Question:
        said, places = finds.said, finds.places
        if (
            intents.HELP.fullmatch(finds.text.low)
            and re.search(r"\w|\?|👋|^$", finds.text.low)
            and not (is_form and self._thread.span)
        ):
            return Question("help")
        if re.search(r"\bhow (?:do|can|should) (?:i|we) (?:schedule|set up|get|make)\b", finds.text.low):
            return Question("help")
        if is_schedule(finds.text.low):
            return Question("schedule", repositories=finds.repositories)
        if link := linked(finds, self.known):
            return link
        if intents.ORDER.search(said):
            raise Missing(ONLY_TELLS)
        if intents.NOT_IN_GIT.search(said):
            raise Missing(NOT_UNDERSTOOD)
        if places.references:
            return self._explained(finds)
        compares = len(finds.names.found) + ("PERSON" in said and " me" in said) > 1 and intents.MORE.search(said)
        if intents.RANKING.search(said) and not compares:
            raise Missing(NO_RANKS)
        if not compares and not intents.EVERYBODY_DID.search(said) and (who := self._who(finds)):
            return who
        return self._asked(finds, beside, bool(compares), is_form=is_form)

    # what is about no person's month

    def _explained(self, finds: Finds) -> Question:
        references = list(dict.fromkeys(finds.places.references))
        where = finds.repositories
        if len(references) > 1:
            choices = [Choice(clean(one), Question("explain", topic=one)) for one in references[:MOST_CHOICES]]
            raise Missing(f"Which one: {listed([clean(one) for one in references], 'or')}?", choices)
        topic = references[0]
        return Question("explain", topic=f"{where[0]}{topic}" if topic.startswith("#") and len(where) == 1 else topic)

    def _who(self, finds: Finds) -> Question | None:
        for pattern in intents.WHO:
            match = pattern.search(finds.said)
            if not match:
                continue
            if re.search(r"\bwhat (?:did|has|have|do|are|were)(?: \w+)?\s*$", finds.said[: match.start()]):
                return None
            topic = finds.topic(*match.span("topic"))
            topic_said = topic_of(topic)
            goes_on = intents.GOES_ON.search(finds.said) is not None and not finds.when.span
            repositories = finds.repositories or (self._remembered() if goes_on and self._thread.span else ())
            self._clear(finds)
            if topic_said is None and not repositories:
                raise Missing("Who worked on what? Name it, such as “who worked on the parser”.")
            span = finds.when.span or (self._thread.span if goes_on else None)
            out = self._out(finds)
            return Question(
                "who", (), span, repositories, topic_said, without=out, without_repositories=finds.without_repositories
            )
        return None

    def _out(self, finds: Finds) -> tuple[str, ...]:
        asker = self.known.asker
        me = (self.called(asker),) if finds.without_me and asker else ()
        return tuple(dict.fromkeys([*each_one(finds.without, self.known.directory), *me]))

    def _clear(self, finds: Finds) -> None:
        """Ask back where a time or a repository cannot be told."""
        if finds.unclear:
            raise Missing(f"{finds.unclear[:1].upper()}{finds.unclear[1:]}.")
        for word in finds.text.words:
            if not word.taken and _NUMBERS.fullmatch(word.raw):
                raise Missing(f"I do not understand “{word.raw}”: write a month as 2025-10.")
        if finds.places.strangers:
            raise Missing(f"I have not indexed a repository called “{clean(finds.places.strangers[0])[:80]}”.")

    # people's months, everybody's, and lists

    def _asked(self, finds: Finds, beside: str, compares: bool, *, is_form: bool) -> Question:
        said, thread = finds.said, self._thread
        finds.refuse_strangers()
        intent, kinds = self._intent(finds, compares)
        if intent != "profile":
            self._clear(finds)
        named = finds.people(compares=intent == "compare")
        is_mine = self._is_mine(finds, named, intent)
        span, repositories = finds.when.span, finds.repositories
        if beside and (not named or not span):
            rest = Finds(beside, self.known, self._now)
            if not span and intents.AWAY.search(said):
                span = rest.when.span
        team, release = finds.places.team, finds.places.release
        everybody = bool(
            team
            or release
            or intents.SHIPPED.search(said)
            or intents.MISSED.search(said)
            or intents.EVERYBODY_DID.search(said)
        )
        if not named and not is_mine and not (everybody and intent == "month") and (who := unknown_name(finds)):
            raise self.nobody(who, finds, intent, kinds)
        if finds.places.addresses and not named:
            people = [p for one in finds.places.addresses for p in self.directory.exactly(one, levels=(0,))]
            if not people:
                raise Missing(nobody_but(finds.places.addresses[0], ()))
            named = [Named(0, 0, (one,), one.name) for one in dict.fromkeys(people)]
        if named and (wrong := unknown_name(finds, beside_a_name=True)) and intent in ("month", "compare", "changes"):
            raise self.nobody(wrong, finds, intent, kinds, named)

        slots = self.slots(named, finds, is_mine)
        if not slots and intent == "month" and not (is_form or everybody or thread.span):
            self.month_or_name(finds)

        def made(people: tuple[str, ...], whom: bool = True) -> Question:
            return self._made(finds, intent, kinds, people, span, repositories, everybody, is_form=is_form)

        if finds.places.several:
            self.which_repository(finds, slots, made)
        return self.settled(slots, made)

    def _intent(self, finds: Finds, compares: bool) -> tuple[str, tuple[str, ...]]:
        said = finds.said
        if compares or intents.COMPARE.search(said):
            return "compare", ()
        if intents.WHO_IS.search(said) or (intents.PROFILE.search(said)):
            return "profile", ()
        if intents.EXPLAIN.search(said):
            raise Missing(WHICH_COMMIT)
        if intents.DIGEST.search(said):
            return ("digest" if not finds.names.found else "month"), ()
        kinds = kinds_of(said)
        return ("changes", kinds) if kinds is not None else ("month", ())

    def _is_mine(self, finds: Finds, named: Sequence[Named], intent: str) -> bool:
        said = finds.said
        if finds.without_me or intents.MISSED.search(said):
            return False
        if not named:
            return intents.MINE.search(said) is not None
        if intents.FOR_ME.search(said) or not intents.BESIDE_ME.search(said):
            return False
        return intent == "compare" or intents.AND_ME.search(said) is not None

    def _made(
        self,
        finds: Finds,
        intent: str,
        kinds: tuple[str, ...],
        names: tuple[str, ...],
        span: Days | None,
        repositories: tuple[str, ...],
        everybody: bool,
        *,
        is_form: bool,
    ) -> Question:
        said, thread, places = finds.said, self._thread, finds.places
        where_said = bool(repositories) or places.everywhere or intents.EVERYTHING.fullmatch(finds.text.low) is not None
        out = self._out(finds)
        said_nothing = not (span or where_said or names or out or finds.without_repositories)
        about_team = not thread.person and thread.span is not None
        follows = is_form or intents.SAME.search(said) is not None
        is_social = intents.SOCIAL.search(said)
        if intent == "month" and said_nothing and not is_form and not everybody and is_social:
            raise _Social
        if intent == "month" and not names and (
            everybody
            or (about_team and (not said_nothing or follows))
            or (not thread.person and (out or repositories))
        ):  # fmt: skip
            intent = "what_shipped"
        inherits = not (span and (names or everybody or intent == "digest"))
        when = span or (thread.span if inherits and intent != "profile" and not places.release else None)
        ends = finds.when.ends
        if intent == "compare":
            when, ends = self._two_ends(finds, when, names)
        if intent == "compare" and len(names) == 1 and thread.person not in (None, *names) and not span:
            names = (str(thread.person), *names)
        if not names and thread.person and intent in ("month", "compare", "changes", "profile"):
            names = (thread.person,)
        if not names and intent == "compare" and said_nothing:
            raise Missing("Whose months shall I compare? Name somebody.")
        is_nobodys = intent == "changes" and said_nothing and not (everybody or about_team)
        if not names and (intent in ("month", "profile") or is_nobodys):
            raise self._whose(finds, intent, kinds, span, repositories)
        if not where_said and inherits and not intents.WHO_IS.search(said):
            repositories = self._remembered()
        repositories = tuple(one for one in repositories if one not in finds.without_repositories)
        is_everybodys = intent in ("what_shipped", "digest", "changes") and not names
        return Question(
            intent, names, when, repositories, places.team if is_everybodys else None, kinds,
            ends=ends if intent == "compare" and len(names) < 2 else None,
            without=tuple(one for one in out if one not in names), without_repositories=finds.without_repositories,
            release=places.release if intent == "what_shipped" else None,
        )  # fmt: skip

    def _two_ends(
        self, finds: Finds, when: Days | None, names: tuple[str, ...]
    ) -> tuple[Days | None, tuple[Days, Days] | None]:
        """The times of a comparison: with one said in a thread, that one and the thread's."""
        about, span = self._thread.span, finds.when.span
        if finds.when.ends or not (span and about) or names or span == about:
            return when, finds.when.ends
        months, told = span.months, about.months
        if months and told and told.is_one and months.first.number == 1 and months.last.number == 12:
            span = Days.of(Month(months.first.year, told.first.number))  # September with last year's
        a, b = (span, about) if span.first < about.first else (about, span)
        is_simple = a.months and b.months and a.months.is_one and b.months.is_one
        return Days(a.first, max(a.end, b.end)), None if is_simple or a.end > b.end else (a, b)

    def _whose(
        self, finds: Finds, intent: str, kinds: tuple[str, ...], span: Days | None, repositories: tuple[str, ...]
    ) -> Missing:
        is_asked = span or repositories or intent != "month"
        if not is_asked:
            if intents.SOCIAL.search(finds.text.low):
                raise _Social
            return Missing(NOT_UNDERSTOOD)
        asker = self.known.asker
        choices = []
        if asker:
            name = self.called(asker)
            choices.append(Choice(clean(name), Question(intent, (name,), span, repositories, None, kinds)))
        if intent in ("month", "changes"):
            everyone = "what_shipped" if intent == "month" else intent
            choices.append(Choice("Everyone", Question(everyone, (), span, repositories, None, kinds)))
        return Missing("Whose month do you mean? Name somebody.", choices)

    def _remembered(self) -> tuple[str, ...]:
        gone = [name for name in self._thread.repositories if name not in self.known.repositories]
        if gone:
            raise Missing(f"{clean(gone[0])} is not indexed any more; ask again with the repositories you mean.")
        return self._thread.repositories


class _Social(Exception):
    """A greeting, thanks, or a question about the bot itself, and nothing that it could tell of."""
