"""What people type → a Question. A small grammar, no guessing, and the present is an argument. Pure.

What cannot be understood is a Question too, with what is missing in it, and with what may have been meant: nothing here
raises. The steps, each taking its words out of the text: Slack's own forms → mentions, full names and addresses
→ months → repositories → the other names → whatever is left over, which is asked about where it matters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.ask.grammar import identities, kinds, times, whoever
from bot.ask.grammar.asking_back import Meant, Missing, called
from bot.ask.grammar.choices import choices_of
from bot.ask.grammar.intent import DIGEST, HELP, POST, Intent, intent_of, plain_intent
from bot.ask.grammar.known import Known, Thread
from bot.ask.grammar.named_repositories import EVERYTHING, repositories_in
from bot.ask.grammar.names import ME, Names
from bot.ask.grammar.when import When, when
from bot.ask.grammar.whoever import topic_of
from bot.ask.grammar.words import MARK, form_of, is_sentence, unwrapped
from bot.model import Person, Question
from bot.month.calendar import Days, Month, MonthRange
from bot.story.wording import clean, listed

__all__ = ["Known", "Thread", "parse_question", "ready"]

LONGEST = 300  # characters of a question; what is longer is something else
SHORT = 150  # characters up to which what may have been meant is worked out, which reads a question again for each
TOO_LONG = "That is more than I can read at once: ask in a sentence."
NOT_UNDERSTOOD = "I did not understand that."
_OF_THE_SAME = re.compile(
    r"\b(?:him|her|hers|she|he|his|they|them|their|theirs|again|month|story|summary|details|same)\b", re.IGNORECASE
)
# "who worked on the parser?" is a whole question; these words say that it goes on about the months before it.
_GOES_ON = re.compile(
    r"^\W*(?:and|but|so|then|also|ok|now)\b|\b(?:else|also|too|then|there)\b|\bthat\s+(?:month|time|quarter|year)\b",
    re.IGNORECASE,
)
_SHOW_IT = re.compile(  # "show it as markdown"
    r"\W*(?:(?:please|and|now|can|could|you|i|we|want|need|have|get|show|give|send|write|print|format|me|us|it|that|this|all|"
    r"answer|the|same|again)\b\W*)*",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"^\s*/(?:almanac\b\s*)?(?=\w|$)", re.IGNORECASE)  # typed where Slack takes no commands
_NUMBERS = re.compile(r"(?<![\w#/.-])\d{1,4}[/-]\d{1,4}(?:[/-]\d{1,4})*(?![\w/.-])")  # that may be a time, and is none


def parse_question(text: str, known: Known, present: Month, thread: Thread | None = None) -> Question:
    """The question in a text, `present` being the month it is asked in.

    `thread` is given for a follow-up: what it does not say is taken from there. An unknown question has what may have
    been meant among its choices, each the whole question put right.
    """
    if len(text) > 4 * LONGEST:  # even with what Slack puts around links
        return Question("unknown", missing=TOO_LONG)

    def parsed(meant: Sequence[Meant]) -> Question:
        return _Parser(known, present, thread or Thread(), meant).question(text)

    try:
        return parsed(())
    except Missing as missing:
        choices = choices_of(missing, parsed) if len(text) <= SHORT else ()
        return Question("unknown", missing=str(missing), choices=choices)


def ready() -> None:
    """Compile what is compiled when first needed: a server does at its start, so that no first question waits."""
    for pattern in (*times.PATTERNS, *kinds.PATTERNS, *identities.PATTERNS, *whoever.PATTERNS):
        _ = pattern.any


# Whoever was away asks for what others did meanwhile; of themselves they say only that.
_AWAY = re.compile(
    r"\b(?:while|when|whilst|during the time|the time)\s+(?:i|we)(?:['’]ve| have| had)?\s+(?:was|were|am|been)\s+"
    r"(?:away|out(?: of (?:the )?office)?|off(?: work)?|gone|sick|ill|absent|travel+ing|"
    r"(?:away )?on (?:a |my |our |the |parental |paternity |maternity |sick |annual )*"
    r"(?:holidays?|vacation|leave|pto|trip|break|sabbatical|honeymoon))\b",
    re.IGNORECASE,
)
_MISSED = re.compile(r"\bwhat(?:['’]ve| have| has| did)?\s+(?:i|we)\s+miss(?:ed)?(?: out on)?\b", re.IGNORECASE)


def _since_away(text: str) -> str:
    return _MISSED.sub("what happened", _AWAY.sub(" ", text))


class _Parser:
    def __init__(self, known: Known, present: Month, thread: Thread, meant: Sequence[Meant]) -> None:
        self._known = known
        self._directory = known.directory
        self._present = present
        self._thread = thread
        self._meant = meant

    def question(self, text: str) -> Question:
        text = _COMMAND.sub("", MARK.sub(" ", unwrapped(text)))
        if len(text) > LONGEST or not is_sentence(text):
            raise Missing(TOO_LONG)
        if HELP.fullmatch(text):
            return Question("help")
        text, form = form_of(_since_away(text))
        if form and _SHOW_IT.fullmatch(text):
            text = ""
        if form not in (None, "markdown"):
            raise Missing(f"I can write text and Markdown here, not {form}: “almanac export” writes other forms.")
        question = self._plain(text) or self._asked_of_people(text)
        return replace(question, form="markdown" if form else None)

    def _plain(self, text: str) -> Question | None:
        """The question where it is about no person's month, whoever is named."""
        intent = plain_intent(text)
        if intent is None:
            link = identities.somebody_of(text)
            if link is None or not self._directory.exactly(link.rest) or self._directory.find(str(link.topic)).people:
                return None
            return self._linked(Intent("link", link.rest, topic=link.topic))
        if intent.name == "ranking":
            raise Missing(
                "I do not rank people. Ask what somebody did in a month, who worked on something, or what shipped."
            )
        if intent.name == "explain":
            return self._explained(intent)
        if intent.name == "link":
            return self._linked(intent)
        if intent.name == "who":
            return self._who(intent, text)
        if intent.name == "schedule":
            return Question("schedule")
        return self._who_is(intent)

    def _explained(self, intent: Intent) -> Question | None:
        topic = intent.topic
        if topic is None:
            raise Missing("Which commit do you mean? Give the beginning of its SHA, or its number, such as #12.")
        if self._directory.exactly(topic) or self._is_part_of_a_name(intent):
            return None
        if intent.others:
            several = [topic, *intent.others]
            settled = [one.commit for one in self._meant if one.commit in several]
            if not settled:
                shown = listed([clean(one) for one in several], "or")
                raise Missing(f"Which one: {shown}?", [Meant(one, commit=one) for one in several[:5]])
            topic = str(settled[0])
        if topic.startswith("#"):
            _, repositories = self._repositories(intent.rest)
            topic = f"{repositories[0]}{topic}" if repositories and len(repositories) == 1 else topic
        return Question("explain", topic=topic)

    def _is_part_of_a_name(self, intent: Intent) -> bool:
        """Whether what looks like a commit is a part of somebody's name."""
        return "#" not in str(intent.topic) and bool(self._directory.find(str(intent.topic)).people)

    def _linked(self, intent: Intent) -> Question:
        names = Names(self._known, self._present, self._thread, self._meant)
        if self._known.asker is None and (ME.search(intent.rest) or not intent.rest):
            return Question("link", topic=intent.topic)
        people = names.people(names.marked(intent.rest), When(None, ""), intent) if intent.rest else []
        return Question("link", people=self._names(people), topic=intent.topic)

    def _who(self, intent: Intent, text: str) -> Question:
        asked = self._when(intent.rest)
        rest, repositories = self._repositories(asked.rest.replace("\ue8ff", "\ue8ff on "), paths=True)
        goes_on = not (asked.months or intent.timeless) and _GOES_ON.search(text) is not None
        months = asked.months or (self._thread.months if goes_on else None)
        if repositories is None:
            repositories = self._remembered_repositories() if goes_on else ()
        topic = topic_of(rest)
        if topic is None and not repositories:
            raise Missing("Who worked on what? Name it, such as “who worked on the parser”.")
        return self._made("who", (), months, repositories, topic)

    def _who_is(self, intent: Intent) -> Question | None:
        """ "who is grace?": her whole history, and whose login it is where it is one."""
        said = intent.rest.strip()
        if said.casefold() in ("he", "she", "they", "this", "that", "it") and self._thread.person:
            return Question("profile", people=(self._thread.person,))
        if self._directory.exactly(said, levels=(2,)) and not self._directory.exactly(said, levels=(1, 3)):
            logins = {
                login.casefold() for person in self._directory.exactly(said, levels=(2,)) for login in person.logins
            }
            if said.casefold() in logins:
                return Question("link", topic=said)
        return self._asked_of_people(f"{said} profile")

    def _asked_of_people(self, text: str) -> Question:
        names = Names(self._known, self._present, self._thread, self._meant)
        intent = intent_of(names.marked(text))
        if intent.name == "explain":
            raise Missing("Which commit do you mean? Give the beginning of its SHA, or its number, such as #12.")
        asked = self._when(intent.rest, two_ends=intent.name == "compare")
        rest, repositories = self._repositories(asked.rest)
        if intent.name == "month" and EVERYTHING.fullmatch(rest):
            repositories = repositories or ()
        team = next((team for team in self._known.teams if _said(team).search(rest)), None)
        if team:
            rest = _said(team).sub(" the team ", rest)
        people = names.people(rest, asked, intent)
        return self._asked(intent, people, asked, repositories, rest, team)

    def _when(self, text: str, *, two_ends: bool = False) -> When:
        asked = when(text, self._present, self._thread.months, two_ends=two_ends)
        if asked.wrong:
            if meant := next((one.months for one in self._meant if one.months in asked.options), None):
                return When(meant, asked.rest)
            raise Missing(asked.wrong, [Meant(months.title, months=months) for months in asked.options])
        if left := _NUMBERS.search(asked.rest):
            raise Missing(f"I do not understand “{left[0]}”: write a month as 2025-10.")
        return asked

    def _asked(
        self,
        intent: Intent,
        people: list[Person],
        asked: When,
        repositories: tuple[str, ...] | None,
        rest: str,
        team: str | None,
    ) -> Question:
        thread = self._thread
        name = intent.name
        of_team = bool(team or DIGEST.search(rest))
        about_team = not thread.person and thread.months is not None
        everybody = of_team or about_team or any(one.everybody for one in self._meant)
        said_nothing = not (asked.months or repositories is not None or people)
        if name == "month" and not people:
            if POST.search(rest):
                name = "digest"
            elif everybody or (repositories and not thread.person):
                if said_nothing and not of_team and not self._follows(rest):
                    raise Missing(NOT_UNDERSTOOD)
                name = "what_shipped"
        inherits = not (asked.months and (people or name in ("digest", "what_shipped")))
        months = asked.months or (thread.months if inherits and name != "profile" else None)
        if name == "compare":
            months = self._two_ends(asked, months, people, rest)
        names = self._names(people)
        if name == "compare" and len(names) == 1 and thread.person not in (None, *names) and not asked.months:
            names = (str(thread.person), *names)
        if not names and thread.person and name in ("month", "compare", "changes", "profile") and not of_team:
            if name == "month" and said_nothing and not self._follows(rest):
                raise Missing(NOT_UNDERSTOOD)
            names = (thread.person,)
        if name == "compare" and not names and said_nothing:
            raise Missing("Whose months shall I compare? Name somebody.")
        if (
            not names
            and name == "changes"
            and (everybody or repositories or (intent.is_said and (asked.months or repositories is not None)))
        ):
            pass
        elif not names and name in ("month", "changes", "profile"):
            raise self._whose(name, asked, repositories, rest)
        if repositories is None:
            repositories = self._remembered_repositories() if inherits else ()
        topic = team if name in ("what_shipped", "digest", "changes") else None
        made = self._made(name, names, months, repositories, topic, intent.kinds)
        if not (name == "compare" and len(names) == 1 and months and asked.ends):
            return made
        sides = MonthRange(months.first, asked.ends[0]), MonthRange(asked.ends[1], months.last)
        return replace(made, ends=(Days.of(sides[0]), Days.of(sides[1])))

    def _follows(self, rest: str) -> bool:
        """Whether a text that names nothing goes on about the same: "and her?", "as markdown"."""
        return not rest.strip(" ?!.,") or bool(_OF_THE_SAME.search(rest))

    def _two_ends(self, asked: When, months: MonthRange | None, people: list[Person], rest: str) -> MonthRange | None:
        """The months of a comparison: with one month said in a thread, that one and the thread's."""
        about = self._thread.months
        if not (asked.months and about) or people:
            return months
        if asked.months.is_one:
            return MonthRange(min(asked.months.first, about.first), max(asked.months.last, about.last))
        year = asked.months.first.year
        if (
            about.is_one
            and asked.months.first.number == 1
            and asked.months.last.number == 12
            and year != about.first.year
        ):
            other = Month(year, about.first.number)  # September with last year is with its September
            return MonthRange(min(other, about.first), max(other, about.first))
        return months

    def _whose(self, name: str, asked: When, repositories: tuple[str, ...] | None, rest: str) -> Missing:
        if not (
            asked.months
            or repositories
            or name != "month"
            or re.search(r"\b(?:he|she|they|his|her|their|month|summary|recap)\b", rest, re.I)
        ):
            return Missing(NOT_UNDERSTOOD)
        asker = self._known.asker
        options = [Meant(clean(called(asker, self._directory)), said="", person=asker)] if asker else []
        if name in ("month", "changes"):
            options.append(Meant("Everyone", everybody=True))
        return Missing("Whose month do you mean? Name somebody.", options)

    def _names(self, people: Sequence[Person]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(called(person, self._directory) for person in people))

    def _made(
        self,
        name: str,
        names: tuple[str, ...],
        months: MonthRange | None,
        repositories: tuple[str, ...],
        topic: str | None = None,
        kinds: tuple[str, ...] = (),
    ) -> Question:
        return Question(name, names, Days.of(months) if months else None, repositories, topic, kinds)

    def _repositories(self, text: str, *, paths: bool = False) -> tuple[str, tuple[str, ...] | None]:
        meant = [one.repository for one in self._meant if one.repository]

        def is_name(word: str) -> bool:
            return bool(self._directory.exactly(word))

        return repositories_in(text, self._known.repositories, is_name, meant, paths=paths)

    def _remembered_repositories(self) -> tuple[str, ...]:
        gone = [name for name in self._thread.repositories if name not in self._known.repositories]
        if gone:
            raise Missing(f"{clean(gone[0])} is not indexed any more; ask again with the repositories you mean.")
        return self._thread.repositories


def _said(team: str) -> re.Pattern[str]:
    """How a team is named: "the engine team", "team engine"."""
    said = re.escape(team)
    return re.compile(rf"(?<!\w)(?:the\s+)?(?:{said}\s+team|team\s+{said})(?!\w)", re.IGNORECASE)
