"""What people type → a Question. A small grammar, no guessing, and the present is an argument. Pure.

What cannot be understood is a Question too, with what is missing in it: nothing here raises.
The steps, each taking its words out of the text: Slack's own forms → mentions, full names and addresses
→ months → repositories → the other names → whatever is left over, which is asked about where it matters.
"""

from __future__ import annotations

import re

from rapidfuzz import fuzz, process

from bot.ask.intent import DIGEST, HELP, Intent, intent_of
from bot.ask.known import Known, Missing, Thread
from bot.ask.names import Names
from bot.ask.when import When, when
from bot.ask.words import SLASHED, WORD, unwrapped
from bot.model import Person, Question
from bot.month.calendar import Month, MonthRange
from bot.month.people import described
from bot.story.wording import clean, listed

__all__ = ["Known", "Thread", "parse_question"]

LONGEST = 300  # characters of a question; what is longer is something else
_EVERYWHERE = re.compile(
    r"\b(?:in\s+|across\s+)?(?:all|any|every)\s+(?:the\s+)?(?:repos?|repositor(?:y|ies))\b|\beverywhere\b", re.I
)
_LEADS_TO_REPOSITORY = frozenset(
    ["in", "only", "for", "of", "on", "from", "to", "at", "into", "inside", "repo", "repository", "and", "just"]
)


def parse_question(text: str, known: Known, present: Month, thread: Thread | None = None) -> Question:
    """The question in a text, `present` being the month it is asked in.

    `thread` is given for a follow-up: what it does not say is taken from there.
    """
    try:
        return _Parser(known, present, thread or Thread()).question(text)
    except Missing as missing:
        return Question("unknown", missing=str(missing))


class _Parser:
    def __init__(self, known: Known, present: Month, thread: Thread) -> None:
        self._known = known
        self._directory = known.directory
        self._present = present
        self._thread = thread

    def question(self, text: str) -> Question:
        text = unwrapped(text[: 4 * LONGEST])
        if len(text) > LONGEST:
            raise Missing("That is more than I can read at once: ask in a sentence.")
        if HELP.fullmatch(text):
            return Question("help")
        intent = intent_of(text)
        # A part of somebody's name may look like an abbreviated SHA.
        is_name = intent.name == "explain" and self._directory.find(intent.topic or "").people
        if intent.name in ("explain", "link", "schedule", "who") and not is_name:
            return self._asked(intent, [], self._when(intent.rest), (), "")
        names = Names(self._known, self._present, self._thread)
        intent = intent_of(names.marked(text))
        asked = self._when(intent.rest)
        rest, repositories = self._repositories(asked.rest)
        return self._asked(intent, names.people(rest, asked, intent), asked, repositories, rest)

    def _when(self, text: str) -> When:
        asked = when(text, self._present, self._thread.months)
        if asked.wrong:
            raise Missing(asked.wrong)
        return asked

    def _asked(
        self, intent: Intent, people: list[Person], asked: When, repositories: tuple[str, ...] | None, rest: str
    ) -> Question:
        thread = self._thread
        name = intent.name
        if name == "month" and not people:
            of_team = DIGEST.search(rest) or (repositories and not thread.person)
            if of_team:
                name = "digest" if DIGEST.search(rest) and re.search(r"\bdigest\b", rest, re.I) else "what_shipped"
        if name in ("digest", "what_shipped") and people:
            name = "month"
        inherits = not (asked.months and (people or name in ("digest", "what_shipped", "who")))
        months = asked.months or (thread.months if inherits else None)
        if name == "compare" and asked.months and thread.months and asked.months.is_one and not people:
            months = MonthRange(
                min(asked.months.first, thread.months.first), max(asked.months.last, thread.months.last)
            )
        names = tuple(dict.fromkeys(self._name(person) for person in people))
        if name == "compare" and len(names) == 1 and thread.person not in (None, *names) and not asked.months:
            names = (str(thread.person), *names)
        if not names and thread.person and name in ("month", "compare", "changes", "profile"):
            if name == "month" and not (asked.months or repositories is not None):
                raise Missing("I did not understand that.")
            names = (thread.person,)
        if not names and name in ("month", "changes", "profile"):
            said = asked.months or repositories or name != "month"
            raise Missing("Whose month do you mean? Name somebody." if said else "I did not understand that.")
        if repositories is None:
            repositories = self._remembered_repositories() if inherits else ()
        return Question(
            name,
            people=names,
            first=months.first if months else None,
            last=months.last if months else None,
            repositories=repositories,
            topic=intent.topic,
            kinds=intent.kinds,
        )

    def _name(self, person: Person) -> str:
        """The person's name, with an address where others have the same name."""
        return person.name if self._directory.namesakes(person) < 2 else described(person)

    def _repositories(self, text: str) -> tuple[str, tuple[str, ...] | None]:
        """Repositories named in full ("acme/engine") or, led by a word such as "in", by their last part.

        None where none is named; () where all of them are.
        """
        if everywhere := _EVERYWHERE.search(text):
            return f"{text[: everywhere.start()]} {text[everywhere.end() :]}", ()
        full = {name.casefold(): name for name in self._known.repositories}
        last: dict[str, list[str]] = {}
        for name in self._known.repositories:
            last.setdefault(name.rsplit("/", 1)[-1].casefold(), []).append(name)
        tokens = list(WORD.finditer(text))
        found: list[str] = []
        kept = list(text)
        for number, token in enumerate(tokens):
            word = token[0].strip("*_~`'’‘…").rstrip(".").casefold()
            before = [other[0].casefold() for other in tokens[max(0, number - 2) : number]]
            after = tokens[number + 1][0].casefold() if number + 1 < len(tokens) else ""
            led = bool(before and before[-1] in _LEADS_TO_REPOSITORY) or (
                before == [*before[:1], "the"] and before[0] in _LEADS_TO_REPOSITORY
            )
            names = [full[word]] if word in full else []
            if (
                not names
                and word in last
                and (led or after in ("repo", "repository"))
                and not self._directory.exactly(word)
            ):
                names = last[word]
                if len(names) > 1:
                    raise Missing(f"Which {word}: {listed(names, 'or')}?")
            if not names and led and SLASHED.fullmatch(word) and before[-1] != "and":
                near = process.extractOne(word, list(full), scorer=fuzz.ratio, score_cutoff=80)
                offer = f" Did you mean {full[near[0]]}?" if near else ""
                raise Missing(f"I have not indexed a repository called “{clean(word)[:80]}”.{offer}")
            if names:
                found += names
                kept[token.start() : token.end()] = " " * (token.end() - token.start())
        if not found and _only(text) and self._known.repositories:
            raise Missing(
                "Which repository do you mean? Write it as it is indexed, such as " + self._known.repositories[0] + "."
            )
        return "".join(kept), tuple(dict.fromkeys(found)) or None

    def _remembered_repositories(self) -> tuple[str, ...]:
        gone = [name for name in self._thread.repositories if name not in self._known.repositories]
        if gone:
            raise Missing(f"{clean(gone[0])} is not indexed any more; ask again with the repositories you mean.")
        return self._thread.repositories


def _only(text: str) -> bool:
    return (
        re.fullmatch(r"\s*(?:and\s+)?only(?:\s+in)?\s+(?!my\b|me\b)[\w.-]*/[\w.-]+\W*", text, re.IGNORECASE) is not None
    )
