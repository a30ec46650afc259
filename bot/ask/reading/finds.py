"""All that one text names: people, places, times, who is left out; and the text with them in capitals. Pure.

What is left is the topic that somebody worked on, or a name that nobody has.
"""

# ruff: noqa: E501  (a table of patterns reads best with few breaks)

from __future__ import annotations

import re

from bot.ask.known import Known
from bot.ask.reading import intents
from bot.ask.reading.names import Named, Names
from bot.ask.reading.places import Places, take_places, take_references
from bot.ask.reading.spans import When, when
from bot.ask.reading.time_words import time_words
from bot.ask.reading.times import OldNow, Unclear
from bot.ask.reading.vocabulary import FILLER, KEYWORDS, month_number, words_of
from bot.ask.reading.words import Text

_LISTED = re.compile(r"^(?:'s)?\s*(?:,|,?\s*\b(?:and|or|with|vs\.?|versus|to|nor|y|e|et|und|en|i|than)\b|&|\+|/)\s*$")
# What is stripped from both ends of a topic, and what is none alone.
_EDGES = re.compile(
    r"^(?:(?:the|teh|a|an|our|my|any|some|all|most|of|on|in|to|with|about|for|at|into|code\s+for|stuff\s+like|that|this)\s+)+|"
    r"\s+(?:the\s+most|mostly|lately|recently|ever|so\s+far|code|here|please|pls|plz|thx|thanks|again|currently|right\s+now|"
    r"before|these\s+days|in\s+the\s+past|at\s+all|best|well|and\s+when|most|in|on|during|for|since|of|repo|then|now|"
    r"between|from|though|btw|and|us|around|el|la|le|il|de|o|im|en)$",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"(?:the|a|an|our|on|in|to|with|about|of|at|it|this|that|most|what|anything|something|which|them|repo|and|so|far)?",
    re.IGNORECASE,
)
_STRIPPED = " ?!.,;:\"“”'’`"
_WORD = r"[^\W\d_][\w.-]+"
_WORDS = rf"(?P<x>@?{_WORD}(?: {_WORD})?)"
_NAME_AND = rf"(?P<x>PERSON {_WORD}(?: {_WORD})?)"
_DO = (
    r"(?:do|done|did|ship|shipped|work|worked|make|made|fix|fixed|been|get|change|changed|up|accomplish|contribute|commit|"
    r"build|add|write|gemacht)"
)
_ALONE = re.compile(rf"^\W*{_WORDS}\W*$")  # a name only with a capital letter
# Where only a name stands, and where one does beside somebody who is known.
_PLACES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:did|has|have|had|hat|does) {_WORDS} {_DO}\b",
        rf"^(?:\W|show|list|give|me|the|all|of|tell|about|what|is|was|how|and)*\b{_WORDS}'s (?:\w+ )?(?:WHEN|month|profile|"
        r"work|history|changes|commits|fixes|features|reverts|bug)",
        rf"\bprofile of {_WORDS}\W*$",
        rf"^\W*{_WORDS}(?: in| on| during| since|,)? WHEN\W*$",
        rf"\bwho(?:'s| is) {_WORDS}\W*$",
        _ALONE.pattern,
    )
)
_BESIDE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"PERSON(?:,| and| vs\.?| versus| with) {_WORDS}(?:(?: in| on| since|,)? WHEN|\W*$| {_DO}\b)",
        rf"^\W*{_NAME_AND}(?: in| on)? WHEN\W*$",
        rf"(?:^\W*|\b(?:did|has|about|of|by) )(?P<x>{_WORD} PERSON)(?:'s)? (?:do|done|ship|make|made|been|in|WHEN)\b",
        rf"\b(?:did|about|has) {_NAME_AND}(?: {_DO}\b|(?: in| on)? WHEN|\W*$)",
    )
)

_WORK = words_of("changes commits work stuff fixes")
# Behind a word of a topic they are a part of it: "fused attention", "unit tests".
_NOUNS = words_of(
    "attention test tests point load log logs page index text type types user users link login sync state"
)
_ABOUT = re.compile(r"\b(?:on|about|for|to|with|in|around|regarding|of|behind) (?:(?:the|our|a|an|all) )*$")
_TOPIC = re.compile(r"(?!(?:[qh]|fy|v)\d)(?:[^\W\d_]{2}|[^\W\d_][\w.-]*[A-Za-z])", re.IGNORECASE)


# Days that only who asks knows.
_MEETING = re.compile(
    r"\bsince (?:our|my|the|his|her|their)(?: (?:last|previous|latest))? (?:1:1|1-1|1on1|one[- ](?:on|to)[- ]one|meeting|catch-?up|"
    r"sync|retro|stand-?up)\b"
)


class Finds:
    """What a text names. The `said` text has the finds in capitals; `unclear` is what is wrong with its time."""

    def __init__(self, raw: str, known: Known, now: OldNow) -> None:
        self._known, self._now = known, now
        directory = known.directory
        self.text = text = Text(raw, lambda word: bool(directory.exactly(word, levels=(0, 1, 2, 3))))
        self.places, self.when, self.unclear = Places(), When(), ""
        self.names = names = Names(text, known)
        self.strangers = names.mentions()
        take_references(text, known, self.places)
        names.exact()
        asks_who = re.search(r"\bwho\b|\bwho's\b|\banyone\b", text.low) is not None
        of_path = intents.OF_PATH.search(text.skeleton()[0])
        take_places(text, known, self.places, paths=bool(asks_who or of_path or self.places.references))
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
            f"reading “{one.said[:60]}” as {self._known.directory.called(one.people[0])}"
            for one in self.names.found if one.is_near and len(one.people) == 1
        )  # fmt: skip
        return (*self.text.assumed, *self.when.assumed, *self.places.assumed, *near)

    @property
    def repositories(self) -> tuple[str, ...]:
        named = (name for _, name in self.places.repositories if name)
        return tuple(dict.fromkeys(name for name in named if name not in self.without_repositories))

    def _take_times(self) -> None:
        said, starts = time_words(self.text)
        try:
            self.when = when(said, self._now, two_ends=self._two_ends)
        except Unclear as unclear:
            self.unclear = str(unclear)
            return
        if not self.when.span and _MEETING.search(self.text.low):
            self.unclear = "I do not know when that was: name the day, such as “since 3 october”"
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

    def topic(self, start: int, end: int) -> str | None:
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
        return _topic_of(self.text.raw(numbers))

    def names_only_a_time(self) -> bool:
        """Whether the text names a time, and its other words name nothing."""
        words = self.text.words
        named = {one.taken for one in words if one.taken or not _is_word(one.low)}
        return named == {"WHEN"} and not intents.EVERYBODY.search(self.said)

    def names_only_a_topic(self) -> bool:
        """Whether one word may be a topic, and the others say who, where and when: "who RDMA in october"."""
        others = [one for one in self.text.words if one.taken not in ("WHEN", "REPO") and not _is_word(one.low)]
        return len(others) == 1 and not others[0].taken

    def topic_beside(self, *, of_kinds: bool = False) -> str | None:
        """Words that are nothing else, where what was worked on stands: "what did PERSON do for grouped gemm". With
        `of_kinds` only behind "in", "for" and their like: "the fixes in grouped gemm"."""
        words = self.text.words
        places = {number for number, _ in self.places.repositories}
        for match in (*intents.DONE_ON.finditer(self.said), *intents.BEFORE_CHANGES.finditer(self.said)):
            first = next((n for n, at in enumerate(self.at) if at >= match.end()), len(words))
            end = first
            while end < len(words) and not (words[end].taken or _is_word(words[end].low) or end in places):
                if end > first and re.search(r"[,?!;]|\.\s", words[end].before):
                    break
                end += 1
            if of_kinds and not _ABOUT.search(match[0]):
                continue
            if match.re is intents.BEFORE_CHANGES and not (end < len(words) and words[end].low in _WORK):
                continue
            if first < end < len(words) and not words[end].taken and words[end].low in _NOUNS:
                end += 1
            topic = self.text.raw(list(range(first, end))).strip(_STRIPPED)
            if _TOPIC.match(topic):
                return topic
        return None

    def unknown_name(self, *, beside: bool = False) -> str | None:
        """Words that stand where only a name does, and are none; with `beside`, beside or behind one."""
        words = self.text.words
        for pattern in _BESIDE if beside else _PLACES:
            match = pattern.search(self.said)
            inside = [n for n, at in enumerate(self.at) if match and match.start("x") <= at < match.end("x")]
            strange = [n for n in inside if not words[n].taken and not _is_word(words[n].low)]
            if not strange or (pattern.pattern == _ALONE.pattern and not all(words[n].raw.istitle() for n in strange)):
                continue
            known = [n for n in inside if words[n].taken]
            is_acronym = words[strange[0]].raw.isupper() and any(word.raw.islower() for word in words)
            if not known or (len(known) == 1 and not is_acronym):
                return self.text.raw(list(range(min(known + strange), max(known + strange) + 1)))
        return None


def _topic_of(said: str) -> str | None:
    """The topic in what is left behind "worked on"; None where nothing is."""
    said = said.strip(_STRIPPED)
    for _ in range(5):
        shorter = _EDGES.sub("", said).strip(_STRIPPED)
        if shorter == said:
            break
        said = shorter
    return None if _NONE.fullmatch(said) else said


def _is_word(word: str) -> bool:
    return word in FILLER or word in KEYWORDS or month_number(word) is not None
