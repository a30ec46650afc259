"""Who is named in a text: by mention, address, name, first name, nickname or login, and by one slip. Pure.

Words that are a name and something else too ("will", "may", "mark") are a name only where one stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from bot.ask.known import Known
from bot.ask.reading.time_words import LEADS
from bot.ask.reading.vocabulary import DOUBTFUL, FILLER, month_number, words_of
from bot.ask.reading.words import Text, TypedWord
from bot.model import Person
from bot.month.addresses import plain
from bot.month.people import unaccented

DOES = words_of(
    """
    did has have had does do hat haben habe hast fez hizo fait fatto deed heeft zrobiła zrobił сделала сделал
    gjorde har
    """
)
_VERBS = words_of(
    """
    do does did done doing been work worked working ship shipped make made fix fixed add write wrote build built
    get got change changed land landed merge merged accomplish achieve achieved contribute contributed commit
    committed finish have has spend deliver delivered refactor revert reverted up go gemacht fez
    """
)
_BEFORE = words_of(
    """
    by of from about for with compare and or & + vs vs. versus profile without except besides both neither than
    between month changes against , whose vergelijk compair summary summarize summarise minus to show what's mit
    von de on exclude excluding et und y e och i og но и a
    """
)
_JOINS = words_of(
    """
    and & + or , vs vs. versus with und et y e i en och
    """
)
_ALL = frozenset(["both", "all", "two", "three", "the"])
_TIMES = words_of("week month quarter sprint year yesterday today days since q1 q2 q3 q4")
_LISTING = frozenset(["and", "or", "with", "vs", "versus", "compare", "for", "of"])
MOST_NEAR = 4  # words of a question that are held against every name


@dataclass(slots=True)
class Named:
    """Somebody who is named by the words from `first` to `end`: several where the name fits several, and nobody yet
    where it is "bots"."""

    first: int
    end: int
    people: tuple[Person, ...]
    said: str
    is_plural: bool = False  # "both daves": all of them
    is_near: bool = False
    others: tuple[Person, ...] = field(default=())  # of a near name: who else may be meant


class Names:
    """Looks for people in a text. What is found is taken in it as PERSON."""

    def __init__(self, text: Text, known: Known) -> None:
        self._text, self._known, self._directory = text, known, known.directory
        self.found: list[Named] = []
        self.unsure: list[int] = []  # words that are a month and somebody's name

    def mentions(self) -> list[str]:
        """Take the people behind "<@U…>"; ids of whom it is not known who they are in git are returned."""
        strangers = []
        for number, word in enumerate(self._text.words):
            if word.raw.startswith("<@"):
                user = word.raw[2:].rstrip(">").partition("|")[0].upper()
                person = self._known.member(user) if user else None
                if person is not None:
                    self._take(number, number + 1, (person,), word.raw)
                elif user:
                    strangers.append(word.raw)
                    self._text.take(number, number + 1, "STRANGER")
        return strangers

    def exact(self) -> None:
        """Take everybody who is called as they are written."""
        number = 0
        while number < len(self._text.words):
            number = max(number + 1, self._longest(number))

    def _longest(self, first: int) -> int:
        words = self._text.words
        word = words[first]
        if word.taken or not word.raw:
            return first
        if word.low == "bots" and (not first or self._text.word(first - 1) in _ALL | DOES | {"by", "of"}):
            return self._take(first, first + 1, (), word.low, is_plural=True)  # who they are depends on the time
        if self._directory.may_open(word.low) or (len(word.low) == 1 and word.low.isalpha()):
            for end in range(min(first + 5, len(words)), first + 1, -1):
                said = " ".join(one.low for one in words[first:end])
                if people := self._directory.exactly(said, levels=(0, 1, 2)):
                    return self._take(first, end, people, said)
        people, is_plural = self._one_word(word, first)
        if not people or (
            word.low in self._known.repositories and people != self._directory.exactly(word.low, levels=(1,))
        ):
            return first  # a login, or what an address begins with, may be what a repository is called
        is_month = month_number(word.low) is not None
        is_doubtful = not word.is_handle and (is_month or word.low in FILLER or word.low in DOUBTFUL)
        if is_doubtful and not self._is_in_place(first):
            if is_month:
                self.unsure.append(first)
            return first
        return self._extended(first, people, is_plural)

    def _one_word(self, word: TypedWord, number: int) -> tuple[tuple[Person, ...], bool]:
        """Who has this name; and whether it is in the plural, as in "both daves"."""
        low = word.low.rstrip("'")
        if people := self._directory.exactly(low):
            return people, False
        if low.endswith("s") and len(low) > 3 and low not in FILLER:
            people = self._directory.exactly(low[:-1], levels=(1, 2, 3))
            if people:
                if len(people) > 1 and self._text.word(number - 1) in _ALL:
                    return people, True
                word.low, word.is_owner = low[:-1], True
                return people, False
        return (), False

    def _is_in_place(self, number: int) -> bool:
        """Whether a word that may be something else stands where a name does."""
        text, word = self._text, self._text.words[number]
        before, after = text.word(number - 1), text.word(number + 1)
        is_month, has_comma = month_number(word.low) is not None, word.before.strip() == ","
        if word.low in FILLER and not is_month and word.low != "will":
            return (word.is_owner or before in DOES) and after in _VERBS
        if before in DOES and (after in _VERBS or after in _JOINS or not after or word.low in DOUBTFUL or is_month):
            return before not in ("do", "does") or after in _VERBS
        if after in ("did", "has", "been", "doing"):
            return True
        if word.is_owner:
            return not (is_month and (after.startswith("digest") or before in LEADS - _LISTING))
        if before == "PERSON" and has_comma and not self._leads_to_month(number):
            return after in _JOINS or text.word(number - 2) in DOES
        if is_month:
            return self._is_person_of_month(number, before, after)
        if before in _BEFORE or (number and word.raw[:1].isupper() and text.words[number - 1].raw[:1].islower()):
            return True
        return number == 0 and (
            len(text.words) == 1 or text.words[1].before.strip() == "," or after[:1].isdigit()
            or month_number(after) is not None or after in LEADS | {"&"}
        )  # fmt: skip

    def _is_person_of_month(self, number: int, before: str, after: str) -> bool:
        """Whether a month's name is a person's: other words say the time, or a list of people goes on."""
        text = self._text
        if after in ("and", ",", "or") and text.word(number + 2) in ("PERSON", "will"):
            return before not in LEADS - {"for", "of"}
        listed = before in _JOINS and text.word(number - 2) == "PERSON" and not text.words[number - 2].is_owner
        opens = number == 0 or listed or before in ("about", "for", "of", "by", "compare")
        is_time = self._leads_to_month(number) or after in ("to", "until", "have", "know", "show")
        return opens and not is_time and self._others_say_when(number)

    def _leads_to_month(self, number: int) -> bool:
        """Whether a month follows behind "and", "to" or a line: "june and july"."""
        text = self._text
        if text.word(number + 1) not in (*_JOINS, "to", "-", "–") or not month_number(text.word(number + 2)):
            return False
        return not text.words[number + 2].is_owner and text.word(number + 3) not in _VERBS

    def _others_say_when(self, number: int) -> bool:
        """Whether other words of the text say a time, so that this one is none."""
        words = self._text.words
        return any(month_number(word.low) or word.low in _TIMES for word in words[number + 1 :])

    def _extended(self, first: int, people: tuple[Person, ...], is_plural: bool) -> int:
        """Take a name with what follows of it: "dave okafro", "dave k.", "denis van der stay"."""
        words, end = self._text.words, first + 1
        if is_plural or words[first].is_owner:
            return self._take(first, end, people, words[first].low, is_plural=is_plural)
        own, is_near = {words[first].low}, False
        while end < len(words) and not words[end].taken and words[end].before.strip() == "":
            low = words[end].low.rstrip(".")
            fitting = tuple(p for p in people if _goes_on(low, p, own))
            if not fitting or (len(low) == 1 and not (end == first + 1 and len(people) > 1)):
                break
            people, end = fitting, end + 1
            is_near |= len(low) > 1 and not any(
                low == part or low == unaccented(part) for p in people for part in plain(p.name).split()
            )
            own.add(low)
        self._take(first, end, people, self._said(first, end))
        self.found[-1].is_near = is_near
        return end

    def near(self) -> None:
        """Take who is meant by a name with a slip, where a name stands."""
        tried = 0
        for number, word in enumerate(self._text.words):
            if tried == MOST_NEAR:
                break
            if word.taken or not word.is_name_like or len(word.low) < 3 or any(map(str.isdigit, word.low)):
                continue
            if "/" in word.low or "@" in word.low or not self._is_near_place(number):
                continue
            tried += 1
            begun = self._directory.begins(word.low)
            best, others = (begun, ()) if len(begun) == 1 else self.nearest(word.low)
            if not best:
                continue
            end = self._extended(number, best, False)
            self.found[-1].is_near, self.found[-1].others = True, others
            self.found[-1].said = self._text.raw(list(range(number, end)))

    def _is_near_place(self, number: int) -> bool:
        """Whether a name with a slip may stand here."""
        word, before, after = self._text.words[number], self._text.word(number - 1), self._text.word(number + 1)
        leads = before in DOES or before in _BEFORE or before in ("PERSON", "what", "show", "me", "hi", "hey", "please")
        return number == 0 or word.is_owner or word.is_handle or leads or after in _VERBS

    def nearest(self, said: str) -> tuple[tuple[Person, ...], tuple[Person, ...]]:
        """Who is near a name within a threshold that grows with its length, and who else is not far."""
        word = unaccented(plain(said))
        for owned in (word, word[:-1] if word.endswith("s") else ""):
            least = 84 if len(owned) == 4 else 80 if len(owned) < 7 else 77
            if not owned:
                continue
            near = self._people(self._directory.nearest(owned))
            scores = {person: _likeness(owned, person, least) for person in near}
            best = max(scores.values(), default=0)
            people = tuple(person for person, score in scores.items() if score == best > 0)
            if people and (len(owned) > 4 or len(people) == 1):
                return people, tuple(person for person in near if person not in people)
        return (), ()

    def offered(self, said: str) -> tuple[Person, ...]:
        """The nearest people to a name that nobody has; never machines."""
        return self._people(self._directory.nearest(plain(said)[:80]))[:3]

    def _people(self, names: Sequence[str]) -> tuple[Person, ...]:
        found = (p for name in names for p in self._directory.exactly(name, levels=(1,)))
        return tuple(dict.fromkeys(p for p in found if self._known.may_be_offered(p)))

    def _said(self, first: int, end: int) -> str:
        return " ".join(word.raw for word in self._text.words[first:end])

    def _take(self, first: int, end: int, people: tuple[Person, ...], said: str, *, is_plural: bool = False) -> int:
        self._text.take(first, end, "PERSON")
        self.found.append(Named(first, end, people, said, is_plural))
        return end


def _likeness(word: str, person: Person, least: float) -> float:
    """How like a word is to one of those that somebody is called by, of about its length; 0 below the threshold."""
    called = {*plain(person.name).split(), plain(person.name), *map(plain, (*person.logins, *person.nicknames))}
    alike = (unaccented(part) for part in called if abs(len(word) - len(part)) < 3 and len(part) > 3)
    return max((score for part in alike if (score := fuzz.ratio(word, part)) >= least), default=0)


def _goes_on(low: str, person: Person, own: set[str]) -> bool:
    """Whether a word is another part of somebody's name, but for a slip, or the beginning of it."""
    parts = [unaccented(part) for part in plain(person.name).split() if part not in own]
    low = unaccented(low)
    return any(part == low or (len(low) == 1 and part.startswith(low)) for part in parts) or (
        len(low) > 3 and low not in FILLER and any(fuzz.ratio(low, part) >= 80 for part in parts)
    )
