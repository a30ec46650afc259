"""All that one text names: people, places, times, who is left out; and the text with them in capitals. Pure."""

from __future__ import annotations

import re

from bot.ask.clarification import called
from bot.ask.known import Known
from bot.ask.reading import intents
from bot.ask.reading.names import Named, Names
from bot.ask.reading.places import Places, take_places, take_references
from bot.ask.reading.spans import When, when
from bot.ask.reading.time_words import time_words
from bot.ask.reading.times import Now, Unclear
from bot.ask.reading.words import Text
from bot.model import Person

_LISTED = re.compile(r"^(?:'s)?\s*(?:,|,?\s*\b(?:and|or|with|vs\.?|versus|to|nor|y|e|et|und|en|i|than)\b|&|\+|/)\s*$")


class Finds:
    """What a text names. The `said` text has the finds in capitals; `unclear` is what is wrong with its time."""

    def __init__(self, raw: str, known: Known, now: Now) -> None:
        self._known, self._now = known, now
        directory = known.directory
        self.text = text = Text(raw, lambda word: bool(directory.exactly(word, levels=(0, 1, 2, 3))))
        self.places, self.when, self.unclear = Places(), When(), ""
        self.names = names = Names(text, known)
        self.strangers = names.mentions()
        take_references(text, known, self.places)
        names.exact()
        asks_who = re.search(r"\bwho\b|\bwho's\b|\banyone\b", text.low) is not None
        take_places(text, known, self.places, paths=asks_who or bool(self.places.references))
        self._two_ends = intents.COMPARE.search(text.low) is not None
        self._take_times()
        if not (asks_who and not intents.MORE.search(text.low)) or " without " in text.low or "except" in text.low:
            names.near()
        names.found.sort(key=lambda named: named.first)
        self.without: list[Named] = []
        self.without_repositories: tuple[str, ...] = ()
        self.without_me = False
        self.with_all = text.skeleton()[0]
        self._take_out()
        self.said, self.at = text.skeleton()

    @property
    def assumed(self) -> tuple[str, ...]:
        near = (
            f"reading “{one.said[:60]}” as {self.called(one.people[0])}"
            for one in self.names.found if one.is_near and len(one.people) == 1
        )  # fmt: skip
        return (*self.text.assumed, *self.when.assumed, *self.places.assumed, *near)

    @property
    def repositories(self) -> tuple[str, ...]:
        named = (name for _, name in self.places.repositories if name)
        return tuple(dict.fromkeys(name for name in named if name not in self.without_repositories))

    def called(self, person: Person) -> str:
        """The person's name, with an address where others have the same name."""
        return called(person, self._known.directory)

    def _take_times(self) -> None:
        said, starts = time_words(self.text)
        try:
            self.when = when(said, self._now, two_ends=self._two_ends)
        except Unclear as unclear:
            self.unclear = str(unclear)
            return
        for first, end in self.when.places:
            inside = [n for n, start in enumerate(starts) if first <= start < end]
            lead = inside[0] - 1 if inside else -1
            if inside and self.text.is_free(inside[0], inside[-1] + 1):
                self.text.take(inside[0], inside[-1] + 1, "WHEN")
                if lead > 0 and self.text.word(lead) == "the":
                    self.text.words[lead].taken, self.text.words[lead].opens = "WHEN", False

    def _take_out(self) -> None:
        """Who, and what, is left out: "without grace and acme/docs"."""
        said, at = self.text.skeleton()
        numbers: set[int] = set()
        for match in intents.OUT.finditer(said):
            where = "items" if match["items"] else "after"
            numbers.update(n for n, place in enumerate(at) if match.start(where) <= place < match.end(where))
            self.without_me |= bool(re.search(r"\b(?:me|myself|mine|us)\b", match[where]))
            inside = [n for n, place in enumerate(at) if match.start() <= place < match.end()]
            self.text.take(inside[0], inside[-1] + 1, "OUT")
        left_out = [name for number, name in self.places.repositories if number in numbers and name]
        self.without_repositories = tuple(dict.fromkeys(left_out))
        self.without = [one for one in self.names.found if one.first in numbers]
        self.names.found = [one for one in self.names.found if one.first not in numbers]

    def people(self, *, compares: bool) -> list[Named]:
        """Who is asked about: not whoever asked for it, or who is only spoken of beside."""
        found = self.names.found
        places = [match.start() for match in re.finditer(r"\bPERSON\b", self.said)]
        if compares or len(found) < 2 or len(places) != len(found):
            return found

        def within(pattern: re.Pattern[str]) -> set[int]:
            matches = list(pattern.finditer(self.said))
            return {n for n, place in enumerate(places) if any(m.start() <= place < m.end() for m in matches)}

        subjects, reporters = within(intents.IN_PLACE), within(intents.REPORTER)
        groups: list[list[int]] = []
        for number, place in enumerate(places):
            gap = self.said[places[number - 1] + len("PERSON") : place] if number else ""
            if number and _LISTED.match(gap):
                groups[-1].append(number)
            else:
                groups.append([number])
        kept = [group for group in groups if subjects.intersection(group)] or [
            group for group in groups if group[0] not in reporters
        ]
        numbers = [number for group in kept for number in group] or list(range(len(found)))
        return [found[number] for number in numbers]

    def topic(self, start: int, end: int) -> str:
        """What is said between two places in `said`, without times, repositories and who is left out, until the
        sentence ends."""
        numbers = list[int]()
        for number, place in enumerate(self.at):
            if not start <= place < end:
                continue
            if numbers and re.search(r"[?!;]|\.\s", self.text.words[number].before):
                break
            if self.text.words[number].taken in ("", "PERSON", "TAG", "TEAM", "REF"):
                numbers.append(number)
        return self.text.raw(numbers)
