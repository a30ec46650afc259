"""A sentence of a question, or a clause of one, as it is read: each word fills a slot, carries nothing, is a topic, or
is unread. Pure.

Passes over the list of its words, each of which takes what none took before, in this order: references and whole names
of repositories; slips; phrases of the lists; full names, and people whose names are words where people stand; times,
releases; teams, repositories, names, paths; topics; what is left out. The rest that no list has is unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from rapidfuzz.distance import OSA

from bot.ask.known import Known
from bot.ask.times import TIME_WORDS, Now, find_times
from bot.ask.words import Word, listed_words, lists, phrases, slip, split_words, tables
from bot.model import Person
from bot.month.addresses import plain, unaccented
from bot.month.releases import LATEST, NEWEST, of_line, version_of
from bot.story.wording import clean, listed

UNKNOWN_MEMBER = (
    "I do not know which author that is in git: ask with the name as it stands in their commits, or put their "
    "Slack id, {}, beside their name in almanac.toml."
)
_HEX = re.compile(r"[0-9a-f]{7,40}", re.IGNORECASE)
_REF = re.compile(r"(?:[\w.-]+/)?(?:[\w.-]+)?#\d+|D\d{5,}|cl/\d{6,12}", re.IGNORECASE)
ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\w")
_SLASHED = re.compile(r"[\w.-]+/[\w.-]+")
_VERSION = re.compile(r"v?\d+(?:\.\d+){1,4}(?:[-.]?(?:rc|beta|alpha|b|a|post|dev)\.?\d*)?|v\d+", re.IGNORECASE)
MOST_VERSIONS = 12  # that are looked up among the tags
_PRE_RELEASE = re.compile(r"(?:rc|beta|alpha)[.-]?\d+")
_LINE = re.compile(r"v?\d+(?:\.\d+)*\.x")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_CODE = re.compile(r"\w*[a-z][A-Z]\w*|\w+_\w+|\w+::\w+|[A-Za-z]+\d+\w*|\w+\+\+|\w+#|[A-Z]{2,}\d*s?")
_PATH = re.compile(r"\.?[\w@+-][\w.@+-]*(?:/[\w.@+-]+){2,}/?")
_FISCAL = re.compile(r"fy'?\d+")
_PAUSE = re.compile(r"[,;:?!()]|\s[-–—]\s")
_YEAR = re.compile(r"(?:19|20)\d\d(?:-\d\d)?(?:-\d\d)?|[qh][1-4]")
_IDLE = frozenset(
    ("english", "orders", "not", "repeated", "noun", "verb", "owned")
)  # classes that do not account for a word
_NEVER_NAMES = ("determiners", "prepositions", "questions", "pronouns", "asker", "theirs", "everyone", "do")
_EMPTY = ("talk", "nothing", "follow", "determiners", "prepositions", "aux", "theirs", "do", "everyone")
_NOBODY = frozenset(("and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"))  # is called so


@dataclass(slots=True, eq=False)
class Item:
    """What some words are: PERSON, TIME, RELEASE, REF, ADDR, REPO, TEAM, PATH, TOPIC, KIND or BOTS, and its value."""

    first: int
    end: int
    tag: str
    value: Any


@dataclass(eq=False)
class QuestionPart:
    """The words of a part, what they were taken as, and what was not understood.

    `classes` are those of the phrase that a word is in, which is `phrase` words long and begins at `opens`. `mentioned`
    are all people who are named, whatever for. `trouble` says of a time, a team, a repository or a member that there is
    none such; `bad_negation` that something is left out, or is all, and nobody can tell what.
    """

    words: list[Word]
    known: Known
    now: Now
    items: list[Item] = field(default_factory=list)
    classes: list[frozenset[str]] = field(default_factory=list)
    opens: list[int] = field(default_factory=list)
    phrase: list[int] = field(default_factory=list)
    slips: dict[int, tuple[str, str]] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)
    unread: list[tuple[int, int]] = field(default_factory=list)
    left_out: list[Item] = field(default_factory=list)
    mentioned: list[Item] = field(default_factory=list)
    runs: list[tuple[int, int]] = field(default_factory=list)  # where a subject stands
    trouble: str = ""
    bad_negation: bool = False
    _is_who: bool = False

    def __post_init__(self) -> None:
        self._take_references()
        self._mend_slips()
        self._find_phrases()
        for take in (
            self._take_sure_names, self._take_releases, self._take_times, self._take_teams, self._take_repositories,
            self._take_names, self._take_paths, self._take_feature, self._take_topics, self._take_near_names,
            self._take_asker,
        ):  # fmt: skip
            self.runs = list(self._subjects())
            take()
        self._leave_out()
        self._find_unread()

    # what stands where

    def low(self, n: int) -> str:
        return self.words[n].low if 0 <= n < len(self.words) else ""

    def has(self, n: int, *classes: str) -> bool:
        """Whether a word is in a phrase of one of some classes or groups."""
        return 0 <= n < len(self.words) and not self.classes[n].isdisjoint(classes)

    def among(self, n: int, *names: str) -> bool:
        """Whether a word is one of some lists."""
        return any(self.low(n) in lists()[name] for name in names)

    def taken(self, n: int) -> str:
        return self.words[n].taken if 0 <= n < len(self.words) else ""

    def is_free(self, n: int) -> bool:
        return 0 <= n < len(self.words) and not self.words[n].taken

    def said(self, *classes: str) -> int | None:
        """Where the first phrase of some classes is of which nothing is taken."""
        return next((n for n in range(len(self.words)) if self.has(n, *classes) and not self.taken(n)), None)

    def pauses(self, n: int) -> bool:
        """Whether there is a comma or the like before a word, or no word."""
        if not 0 < n < len(self.words):
            return True
        word, before = self.words[n], self.words[n - 1]
        return word.sentence != before.sentence or _PAUSE.search(word.before) is not None

    def is_strange(self, n: int) -> bool:
        """Whether nothing took a word, and no list accounts for it."""
        return self.is_free(n) and not self.classes[n] - _IDLE

    def lead(self, n: int) -> int:
        """The number of the word before another one, articles aside."""
        n -= 1
        while self.is_free(n) and self.has(n, "determiners"):
            n -= 1
        return n

    def _behind_articles(self, n: int) -> int:
        """The number of the first word from one on that is no article."""
        while self.is_free(n) and self.has(n, "determiners") and not self.pauses(n) and self.low(n) != "of":
            n += 1
        return n

    def of(self, tag: str) -> list[Item]:
        """What was found of a slot and is not left out, in the order of the words."""
        found = [one for one in self.items if one.tag == tag and one not in self.left_out]
        return sorted(found, key=lambda one: one.first)

    def raw(self, first: int, end: int) -> str:
        parts = []
        while 0 < first < end and not self.words[first].before:  # "can't" is two words
            first -= 1
        for n, word in enumerate(self.words[first:end]):
            gap = " " if n and word.before else ""
            parts.append(gap + word.raw + ("'s" if word.is_owner else ""))
        return "".join(parts)

    @property
    def compares(self) -> bool:
        """Whether two are to stand side by side; "vs" may be a part of a time."""
        in_time = (self.low(n) for one in self.items if one.tag == "TIME" for n in range(one.first, one.end))
        return self.said("compare") is not None or any(
            low in ("vs", "versus", "compared", "compare", "against") for low in in_time
        )

    def _take(self, first: int, end: int, tag: str, value: Any) -> Item:
        for word in self.words[first:end]:
            word.taken = tag
        item = Item(first, end, tag, value)
        self.items.append(item)
        return item

    # the passes

    def _take_references(self) -> None:
        full = _full_names(tuple(self.known.repositories))
        exactly = self.known.directory.exactly
        for n, word in enumerate(self.words):
            raw = word.raw
            if raw.startswith("<@"):
                user = raw.strip("<@>").partition("|")[0].upper()
                person = self.known.member(user)
                self._take(n, n + 1, "PERSON", (person,) if person else ())
                self.trouble = self.trouble or ("" if person else UNKNOWN_MEMBER.format(user))
            elif _REF.fullmatch(raw) or (_HEX.fullmatch(raw) and self._is_sha(n) and not exactly(raw)):
                self._take(n, n + 1, "REF", raw)
            elif (
                raw.isdigit()
                and len(raw) <= 7
                and (self.among(n - 1, "numbered") or (self.low(n - 1) == "explain" and not _YEAR.fullmatch(raw)))
                and self.low(n - 2) not in ("last", "top")
            ):
                self._take(n - 1, n + 1, "REF", f"#{raw}")
            elif raw.isdigit() and 1 < len(raw) <= 7 and self.low(n - 1) in ("explain", "describe"):
                self._take(n, n + 1, "REF", f"#{raw}")
            elif raw.isdigit() and 5 < len(raw) < 13 and self.low(n - 1) in ("changelist", "cl"):
                self._take(n - 1, n + 1, "REF", f"cl/{raw}")
            elif ADDRESS.fullmatch(raw) and not word.is_handle:
                people = exactly(raw, levels=(0,))
                self._take(n, n + 1, "PERSON" if people else "ADDR", people or raw)
            elif word.low in full:
                self._take(n, n + 1, "REPO", full[word.low])

    def _is_sha(self, n: int) -> bool:
        raw = self.words[n].raw
        has_digit, has_letter = any(map(str.isdigit, raw)), any(map(str.isalpha, raw))
        is_plain = has_letter and len(raw) == 8 and raw.islower()
        return (has_digit and has_letter) or self.among(n - 1, "before sha") or len(raw) == 40 or is_plain

    def _mend_slips(self) -> None:
        """Read a word that nobody knows, one letter from exactly one verb, kind or time word, as that."""
        exactly, knows = self.known.directory.exactly, self.known.knows_word
        for n, word in enumerate(self.words):
            low = word.low
            is_word = (
                len(low) > 3 and low.isascii() and low.isalpha() and not (word.taken or word.quote or word.is_handle)
            )
            if not is_word or word.raw.isupper() or low in listed_words() | TIME_WORDS or not (meant := slip(low)):
                continue
            is_noun = self.low(n - 1) in ("the", "a", "an", "on") and meant.endswith("ed")
            if not (is_noun or knows(low) or exactly(low) or (low.endswith("s") and exactly(low[:-1]))):
                word.low = meant
                self.slips[n] = (word.raw, meant)

    def _find_phrases(self) -> None:
        n, count, lows = 0, len(self.words), tuple(word.low for word in self.words)
        self.classes, self.opens, self.phrase = [frozenset()] * count, list(range(count)), [1] * count
        while n < count:
            size, names = 1, frozenset[str]()
            for parts, of in phrases().get(lows[n], ()):
                end = n + len(parts)
                is_there = lows[n:end] == parts and all(map(self.is_free, range(n, end)))
                if is_there and not any(map(self.pauses, range(n + 1, end))):
                    size, names = len(parts), of
                    break
            for at in range(n, n + size):
                self.classes[at], self.opens[at], self.phrase[at] = names, n, size
            n += size
        for n in range(count):  # "no docs"; "no, I mean", "no rush" and "is no longer" leave nothing out
            leads = self.pauses(n) or self.low(n - 1) in ("and", "but", "with") or self.has(n + 1, "kind")
            drops = n and self.low(n) == "drop" and self.has(n + 1, "determiners")
            if (self.low(n) == "no" or drops) and self.phrase[n] == 1 and leads and not self.pauses(n + 1):
                self.classes[n] = frozenset(("neg",))
            lines = tables()["numbers"].get(self.low(n), self.low(n))  # "in 3 lines at most"
            is_few = lines in tuple("123456789") and self.low(n - 1) not in ("than", "least", "over")
            if is_few and self.among(n + 1, "lines") and self.phrase[n] == 1 and self.is_free(n):
                first, end = n, n + 2
                while self.low(first - 1) in ("at", "in", "most", "max"):
                    first -= 1
                while self.low(end) in ("at", "max", "maximum", "most", "or", "less", "points"):
                    end += 1
                self.classes[first:end] = [frozenset((f"form: {lines}-lines",))] * (end - first)

    # people

    def _take_sure_names(self) -> None:
        """Full names; and people whose names are words where people stand: did … do, …'s october, Will in october."""
        n, count = 0, len(self.words)
        opens = self.known.directory.may_open
        while n < count:
            end = n + 1
            if self.is_free(n) and (opens(self.low(n)) or opens(f"{self.low(n)},") or len(self.low(n)) == 1):
                sizes = range(min(n + 6, count), n + 1, -1)
                found = next(((end, people) for end in sizes if (people := self._full_name(n, end))), None)
                if found:
                    end = found[0]
                    self._take(n, end, "PERSON", found[1])
            n = end
        for first, end in self.runs:
            for n in range(first, end):
                is_none = self.has(n, "pronouns", "asker", "everyone", "theirs") or self.low(n) in ("you", "each")
                is_word = self.words[n].raw.islower() and self.has(n, "determiners", "prepositions", "nothing")
                is_none = is_none or is_word or self.low(n + 1) in ("team", "squad")
                is_none = is_none or (self.low(n) in _months() and self.low(n - 1) in ("in", "of", "since", "until"))
                if self.is_free(n) and not is_none and not self._take_both(n):
                    self._take_name(n, self.called(n))
        for n in range(count):
            if self.is_free(n) and self._is_word_name(n) and self._is_word_place(n):
                self._take_name(n, self.called(n))

    def _full_name(self, first: int, end: int) -> tuple[Person, ...]:
        """Who has some words as their full name, "Hopper, Grace" and "dave k." included."""
        named, some = self.known.directory.named, self.words[first:end]
        if any(
            word.taken or (at and _PAUSE.search(word.before) and "," not in word.before) for at, word in enumerate(some)
        ):
            return ()
        said = " ".join(word.low for word in some)
        people = named(said) or named(said.replace(" ", ", ", 1))
        if not people and said.endswith("s") and not some[-1].is_owner:
            people = named(said[:-1])
        initial, name = sorted((some[0].low, some[-1].low), key=len)
        if people or len(some) > 2 or len(initial) != 1 or len(name) < 2 or initial in "ai" or not initial.isalpha():
            return people
        parts = [(p, plain(p.name).split()) for p in self.known.directory.exactly(name, levels=(3,))]
        return tuple(p for p, of in parts if any(part.startswith(initial) for part in of if part != name))

    def _take_name(self, n: int, people: tuple[Person, ...]) -> None:
        """Take a word as somebody's name, with what stands beside it and is another part of it: "van der", "de la"."""
        if not people:
            return
        item = self._take(n, n + 1, "PERSON", people)
        for step in (-1, 1):
            at = item.first - 1 if step < 0 else item.end
            while (
                self.is_free(at)
                and not self.pauses(max(at, at - step))
                and not (step > 0 and self.words[at - 1].is_owner)
            ):
                part = unaccented(self.low(at))
                fitting = tuple(p for p in item.value if part in unaccented(plain(p.name)).split())
                if not fitting or part in (self.low(one) for one in range(item.first, item.end)):
                    break
                item.value, self.words[at].taken = fitting, "PERSON"
                item.first, item.end = min(item.first, at), max(item.end, at + 1)
                at += step

    def _subjects(self) -> Iterator[tuple[int, int]]:
        """Where a subject stands: between "did" or "has" and what was done."""
        for n in range(len(self.words)):
            if not self.among(n, "before subject") or not self.is_free(n):
                continue
            for end in range(n + 1, min(n + 12, len(self.words))):
                if self.words[end].sentence != self.words[n].sentence:
                    break
                if (self.has(end, "deed") or self.among(end, "verbs")) and self.is_free(end):
                    if end > n + 1:
                        yield n + 1, end
                    break
                if self.has(end, "questions"):
                    break

    def _is_word_name(self, n: int) -> bool:
        """Whether a word is an English one, or a time, more often than a name."""
        return bool(self.classes[n]) or self.low(n) in _months() or self.low(n) in listed_words()

    def _is_word_place(self, n: int) -> bool:
        """Whether somebody stands where such a word is: @will, will's october, Will in october, May in may."""
        word, after = self.words[n], n + 1
        if word.is_handle:
            return True
        if self.has(n, "pronouns", "asker", "questions", "theirs", "everyone", "determiners") or word.low in (
            "it",
            "us",
        ):
            return False
        is_month, before = word.low in _months(), self.low(n - 1)
        follows = self.is_time(after) or self.has(after, "owned")
        if (word.is_owner or self._plural(n)) and follows:
            return True
        if (
            not follows
            and word.raw[:1].isupper()
            and (before == "by" or (self.among(n - 1, "joins") and self.taken(n - 2) == "PERSON"))
        ):
            return True
        beside = self.called(after + 1) if self.among(after, "joins") else ()
        beside = beside or (self.called(n - 2) if self.among(n - 1, "joins") else ())
        is_idle = self.has(n, "nothing", "questions")
        compares = any(one.low in ("compare", "vs", "versus") for one in self.words) and self.among(n - 1, "names")
        acts = self.low(after) in ("did", "does", "has") and not is_idle and not self.has(n, "do") and before != "how"
        if not is_month and ((not follows and ((beside and not is_idle) or compares)) or acts):
            return True
        later = after + (self.low(after) in ("in", "since", "from", "on", "during"))
        begins = n == 0 or (self.pauses(n) and self.low(n - 1) not in _months())
        return begins and (later > after or (self.pauses(after) and not is_month)) and self.is_time(later)

    def _plural(self, n: int) -> tuple[Person, ...]:
        """Whose name a word is with an s behind it: "graces july", "both daves"."""
        low, exactly = self.low(n), self.known.directory.exactly
        return exactly(low[:-1], levels=(1, 2, 3)) if len(low) > 3 and low[-1] == "s" and not exactly(low) else ()

    def _take_both(self, n: int) -> bool:
        """Take all of one name: "both daves"."""
        people = self._plural(n) if self.low(n - 1) == "both" else ()
        self.items += [Item(n, n + 1, "PERSON", (one,)) for one in people]
        if people:
            self.words[n].taken = "PERSON"
        return bool(people)

    def is_time(self, n: int) -> bool:
        return self.among(n, "time words") or _YEAR.fullmatch(self.low(n)) is not None

    def called(self, n: int) -> tuple[Person, ...]:
        """Who is called as a word says; as an English word says, only by their given name."""
        low, directory = self.low(n), self.known.directory
        if not any(map(str.isalpha, low)) or low in _NOBODY | lists()["bots"]:
            return ()
        is_repository = low in _last_parts(tuple(self.known.repositories))
        if (self._is_word_name(n) or is_repository) and not self.words[n].is_handle:
            is_none = is_repository or self.has(n, *_NEVER_NAMES)
            return tuple(p for p in directory.given(low) if self.known.may_be_offered(p)) if not is_none else ()
        people = directory.exactly(low)
        if people and people == directory.exactly(low, levels=(1,)) and not directory.exactly(low, levels=(2,)):
            people = tuple(dict.fromkeys((*people, *directory.given(low))))  # a Tim who signs just so is one of them
        return people or self._plural(n)

    def _take_names(self) -> None:
        for n, word in enumerate(self.words):
            in_quotes = word.quote and sum(one.quote == word.quote for one in self.words) > 1
            if word.taken or len(word.low) < 2 or in_quotes or (self._is_word_name(n) and not word.is_handle):
                continue
            people = self.called(n)
            if not people or self._take_both(n):
                continue
            after = n + 1
            is_given = self.known.directory.given(word.low.removesuffix("s")) and not self.known.knows_word(word.low)
            if self._plural(n) and not (
                is_given or self.is_time(after) or self.taken(after) or self.has(after, "owned")
            ):
                continue
            begins_name = self.is_strange(after) and self._resembles(after, people) and not self.pauses(after)
            in_run = self.among(n - 1, "before subject") or any(first <= n < end for first, end in self.runs)
            is_thing = bool(self.of("RELEASE")) and word.raw.islower() and not (word.is_owner or word.is_handle)
            is_thing = is_thing and not self.known.directory.given(word.low)
            is_thing = is_thing and self.known.knows_word(word.low) and self.low(n - 1) in ("is", "are", "was", "were")
            if is_thing:  # "is libcoap in 2.1", which is somebody's login as well
                continue
            is_first = n == 0 and (word.raw[:1].isupper() or self.known.directory.given(word.low))
            if word.is_handle or word.is_owner or begins_name or in_run or is_first or self._is_alone(n):
                self._take_name(n, people)

    def _is_alone(self, n: int) -> bool:
        """Whether a word is no part of a longer name of something."""
        after, owner = n + 1, self.words[n].is_owner
        follows = (
            self.is_strange(after) and self.known.knows_word(self.low(after)) and not (self.pauses(after) or owner)
        )
        leads = self.is_strange(n - 1) and not (self.has(n - 1, "not") or self.pauses(n) or self.words[n - 1].is_owner)
        return not ((follows and not self.called(after)) or (leads and not self.called(n - 1)))

    def _resembles(self, n: int, people: Sequence[Person]) -> bool:
        """Whether a word is one letter off a part of somebody's name."""
        low = unaccented(self.low(n))
        parts = {part for p in people for part in _name_parts(p.name)} if len(low) > 3 else ()
        return any(OSA.distance(low, part, score_cutoff=1) <= 1 for part in parts)

    def _take_near_names(self) -> None:
        """One letter off a name, or its beginning, where a name stands."""
        for item in self.of("PERSON"):  # "Mark Brooks" is Marc Brooks
            at = item.first - 1
            before = next((one for one in self.of("PERSON") if one.end == item.first), None)
            if self.pauses(item.first) or self.words[at].is_owner or not (before or self.is_free(at)):
                continue
            people = dict.fromkeys((*item.value, *(before.value if before else ())))
            if fitting := tuple(p for p in people if self._resembles(at, [p]) and self._resembles(item.first, [p])):
                item.first, item.value, self.words[at].taken = at, fitting, "PERSON"
                self.items = [one for one in self.items if one is not before]
                self.assumed.append(f"“{self.raw(at, item.end)}” read as {fitting[0].name}")
        for n, word in enumerate(self.words):
            low = word.low
            is_word = self.is_strange(n) and len(low) > 3 and low.isalpha() and not self.among(n, "conditioning")
            is_listed = low in listed_words() | TIME_WORDS and not self.called(n)
            is_word = is_word and not (self.known.knows_word(low) or low in _months() or is_listed)
            if not is_word or not self.is_name_place(n):
                continue
            found = self._near(low) or (self._near(low[:-1]) if low.endswith("s") else {}) or self._begun(low)
            if self.taken(n - 1) == "PERSON" and not self.pauses(n) and not self.words[n - 1].is_owner:
                before = next(one for one in self.items if one.tag == "PERSON" and one.first < n <= one.end)
                if fitting := tuple(p for p in before.value if any(p in people for people in found.values())):
                    before.end, before.value, word.taken = n + 1, fitting, "PERSON"
                    self.assumed.append(f"“{word.raw}” read as {fitting[0].name}")
            elif len(found) == 1:
                self._take_name(n, next(iter(found.values())))
                if len(people := self.items[-1].value) == 1:
                    self.assumed.append(f"“{word.raw}” read as {people[0].name}")

    def _begun(self, said: str) -> dict[str, tuple[Person, ...]]:
        """The one person whose login, or name of one word, begins so."""
        people = self.known.directory.begins(said)
        is_one = people and {*people} <= {*self.known.directory.same(people[0])}
        is_one = is_one and self.known.may_be_offered(people[0])
        words = map(plain, (people[0].name, *people[0].logins)) if is_one else ()
        return {said: people} if any(word.startswith(said) and " " not in word for word in words) else {}

    def _near(self, said: str) -> dict[str, tuple[Person, ...]]:
        """Whose name, or part of one, one letter separates from a word, by that; of four letters only a swap."""
        found: dict[str, tuple[Person, ...]] = {}
        directory = self.known.directory
        for person in (p for name in directory.nearest(said) for p in directory.exactly(name, levels=(1,))):
            called = {*unaccented(plain(person.name)).split(), *map(plain, (*person.logins, *person.nicknames))}
            for part in (one for one in called if len(one) > 3 and self.known.may_be_offered(person)):
                is_long = len(said) > 4 or len(part) != len(said) or sorted(part) == sorted(said)
                if is_long and OSA.distance(said, part, score_cutoff=1) <= 1:
                    found[part] = tuple(dict.fromkeys((*found.get(part, ()), person)))
        return found

    def is_name_place(self, n: int) -> bool:
        """Whether only somebody stands where a word is."""
        word, before, after = self.words[n], self.low(n - 1), n + 1
        if word.is_handle or word.is_owner or any(first <= n < end for first, end in self.runs):
            return True
        if self.taken(n - 1) == "PERSON" and not self.pauses(n):
            return not self.among(self.lead(n - 1), "before subject") or word.raw[:1].isupper()
        is_beside = self.taken(after + 1) == "PERSON" or self.low(after + 1) in ("me", "i")
        if (self.among(n - 1, "joins") and self.taken(n - 2) == "PERSON") or (self.among(after, "joins") and is_beside):
            return True
        two = after + 1
        beside = self.among(after, "joins") and (self.taken(two) == "PERSON" or self.low(two) in ("me", "i"))
        if beside or (word.raw[:1].isupper() and self.low(after) in ("did", "does")):
            return True
        if word.low.endswith("s") and (self.taken(after) == "TIME" or self.has(after, "owned")):
            return True
        last = after  # where the name would end
        while not self.pauses(last) and (
            self.is_strange(last) or (self.is_free(last) and (self.called(last) or self.has(last, "foreign")))
        ):
            last += 1
        ends = self.pauses(last) or self.taken(last) in ("TIME", "REPO", "PERSON")
        if n == 0 and (self.taken(last) in ("TIME", "PERSON") or (last > after and self.pauses(last))):
            return True
        led = before in ("by", "compare", "about", "vs", "versus", "profile")
        led = led or (before in ("of", "for") and self.has(n - 2, "profile", "changes"))
        led = led or (before in ("of", "from") and self.has(n - 2, "kind"))
        led = led or (n > 0 and all(self.has(at, "follow") for at in range(n)))
        return led and (ends or self.among(last, "joins") or self.low(last) in ("in", "with", "since", "to"))

    def _take_asker(self) -> None:
        """Who asks: what did I do, my october, me and Dave; "show me" and "my boss" are nobody."""
        for n, word in enumerate(self.words):
            follows_on = all(self.has(at, "follow") or self.low(at) == "for" for at in range(n))
            is_side = (
                word.low == "me" and self.low(n - 1) in ("to", "for", "with", "and") and (self.compares or follows_on)
            )
            if word.taken or not (self.has(n, "asker") or is_side):
                continue
            after, is_me = n + 1, True
            if word.low == "i":
                at = after + (self.low(after) in ("have", "even", "all", "just", "actually", "was", "already", "ever"))
                acts = self.has(at, "deed") or self.among(at, "does", "verbs") or self.low(at) == "commit"
                acts = acts or self.low(n - 1) == "am"
                joined = any(self.among(n + at, "joins") and self.taken(n + 2 * at) == "PERSON" for at in (-1, 1))
                is_me = (
                    acts or joined or (n == 0 and (self.taken(after) == "TIME" or self.low(after) in ("in", "since")))
                )
            elif word.low == "my":
                at = after
                while (
                    self.has(at, "determiners", "order: size", "order: latest")
                    or self.low(at) in ("entire", "full", "recent", "last", "first")
                    or (self.low(at).isdigit() and self.has(at + 1, "changes", "order: size", "order: latest"))
                ):
                    at += 1
                owned = self.taken(at) in ("TIME", "TOPIC", "REPO") or self.has(at, "owned") or self.low(at) == "month"
                is_me = owned and not self.among(after, "not mine")
            elif word.low == "me":
                led = (
                    is_side
                    or self.among(n - 1, "joins")
                    or self.low(n - 1) in ("with", "about", "compare", "by", "of", "from")
                )
                led = led or (self.among(after, "joins") and self.taken(after + 1) == "PERSON")
                begins = all(self.has(at, "follow", "nothing", "talk") for at in range(n))
                goes_on = self.pauses(after) or self.taken(after) == "TIME" or self.among(after, "joins", "inside")
                is_me = led or (begins and goes_on)
            elif word.low == "mine":  # "and is any of it mine" is another question
                is_me = not any(
                    self.among(at, "before subject") and self.low(at - 1) in ("and", "or") for at in range(1, n)
                )
            if is_me:
                word.taken = "ME"
            elif word.low == "mine":
                self.lose([n])

    # times, releases, teams, repositories, paths

    def _take_times(self) -> None:
        people = {n for one in self.of("PERSON") for n in range(one.first, one.end)}
        unclear = ""
        for time in find_times(self.words, self.now, people):
            quotes = {self.words[n].quote for n in range(time.first, time.end)} - {0}
            in_quotes = 0 < sum(word.quote in quotes for word in self.words) < 7
            if all(map(self.is_free, range(time.first, time.end))) and not in_quotes:
                self._take(time.first, time.end, "TIME", time)
                self.assumed += time.assumed
                unclear = unclear or time.unclear
        if not any(one.value.days for one in self.of("TIME")):
            self.trouble = self.trouble or unclear

    def _take_releases(self) -> None:
        """Versions and tags that there are, which no time is then, and "the last release"."""
        named, owners = _last_parts(tuple(self.known.repositories)), set[str]()
        for name in self.known.repositories:
            owners.update(re.split(r"[/._-]", name.casefold()))
        lows = {word.low for word in self.words}
        where = {name for last, names in named.items() if last in lows for name in names}
        where |= {str(one.value) for one in self.of("REPO")}
        tags = {tag.casefold(): tag for name, of in self.known.tags.items() if not where or name in where for tag in of}
        n, left = 0, MOST_VERSIONS
        while n < len(self.words):
            end = n + 1
            if self.has(n, "the one before") and self.of("RELEASE"):  # which a release is held against anyhow
                self.words[n].taken = "RELEASE"
            if not self.is_free(n) or (self.words[n].quote and not _VERSION.fullmatch(self.low(n))):
                n = end
                continue
            among = self.low(n) in ("first", "earliest", "which", "what") and (
                self.among(end + 1, "release") or self.has(end + 1, "asks release")
            )
            if among and self.low(end) in named:  # "which gvisor release has"
                if len(named[self.low(end)]) == 1:
                    self._take(end, end + 1, "REPO", named[self.low(end)][0])
                self.classes[n] = self.classes[end + 1] = frozenset(("explain", "asks release"))
                n = end + 2
                continue
            if self.among(n, "newest"):
                while self.low(end) in named or self.low(end) == "tagged":
                    end += 1
                found = NEWEST if self.among(end, "release") else None
            else:
                joined = f"{self.low(n)}-{self.low(end)}"  # "1.18 rc2", "tokio-util 0.7.19"
                joined = joined if joined in tags or _PRE_RELEASE.fullmatch(self.low(end)) else ""
                found = self._release(n, joined, tags, owners) if joined and self.is_strange(n) else None
                if self.words[n].raw.isdigit() and self.among(n + 2, "release"):  # "the 08-01 tag"
                    found = max((tag for tag in tags if tag.endswith(f"-{self.low(n)}-{self.low(end)}")), default=None)
                end += bool(found)
                may_be = left > 0 and (self.low(n) in tags or any(map(str.isdigit, self.low(n))))
                found = found or (self._release(n, self.low(n), tags, owners) if may_be else None)
                left -= may_be
            if not found:
                n = n + 1
                continue
            end += self.among(end, "release", "release ends") and not self.pauses(end)
            first = n - self.among(n - 1, "release")
            since = self.among(self.lead(first), "since release")
            if [self.low(at) for at in range(end, end + 3)] in (["does", "not", "have"], ["does", "not", "contain"]):
                since, end = True, end + 3
            if [self.low(at) for at in (first - 2, first - 1)] == ["not", "in"]:  # "that were not in 1.17 or before"
                since, first = not self.of("RELEASE"), first - 2
                end += 2 if self.low(end + 1) in ("before", "earlier") else 0
                while self.low(first - 1) in ("that", "which", "who", "was", "were", "is", "are"):
                    first -= 1
            while self.is_free(first - 1) and (
                self.has(first - 1, "determiners") or self.among(first - 1, "of release", "since release")
            ):
                first -= 1
            if since:
                found = LATEST if found == NEWEST else f"{found}.."
            place = next((at for at in range(n + 1, end) if self.low(at) in named), None)
            self._take(first, end, "RELEASE", found)
            last = named[self.low(place)] if place is not None else ()
            if len(last) == 1:
                self.items.append(Item(first, end, "REPO", last[0]))
            for at in (n - 1, n - 2):  # "tokio 1.53.1", "the zulip app 27.232"
                names = named.get(self.low(at), ()) or [
                    name for name in self.known.repositories if self.low(at) in re.split(r"[/._-]", name.casefold())
                ]
                if self.is_strange(n - 1) and self.is_strange(at) and len(names) == 1:
                    self._take(at, at + 1, "REPO", names[0])
                    break
            if self.is_strange(n - 1) and f"{self.low(n - 1)}/" in found.casefold():  # "operator v0.11.0"
                self.words[n - 1].taken = "RELEASE"
            n = end

    def _release(self, n: int, low: str, tags: Mapping[str, str], owners: Set[str]) -> str | None:
        """The release that a word names: a tag as it stands, the version of one, a pre-release ("rc2"), or a number
        behind words that a release stands behind."""
        before, after = n - 1, n + 1
        if self.low(after) in ("branch", "branches", "series"):
            return None
        is_date = _ISO.fullmatch(low) and not self.among(after, "release ends")
        is_date = is_date and not any(self.among(at, "release") for at in range(len(self.words)))
        if low in tags and not is_date:
            return tags[low]
        if _PRE_RELEASE.fullmatch(low):
            return self._pre_release(low, tags.values())
        if not (_VERSION.fullmatch(low) or _LINE.fullmatch(low)) or is_date:
            return None
        if _LINE.fullmatch(low) and any(of_line(tag, low) for tag in tags.values()):
            return self.words[n].raw
        wanted, versions = version_of(low), [(tag, one) for tag in tags.values() if (one := version_of(tag))]
        fitting = [(tag, of) for tag, of in versions if wanted and (of.numbers, of.pre) == (wanted.numbers, wanted.pre)]
        lead = self.low(before)
        led = [tag for tag, of in fitting if lead in re.split(r"\W", of.shape[0])]
        plain = [tag for tag, of in fitting if of.shape[:2] == ("", "")]
        is_part = self.is_strange(before) and not self.pauses(n)  # "python 3.12", of something else
        is_part = is_part and not self.among(before, "before release", "of release", "since release")
        is_part = is_part and not ({lead, self.low(before - 1)} & owners or led or low[0] == "v")
        is_dotted = "." in low or low[0] == "v"
        placed = self.among(self.lead(n), "before release") or low[0] == "v" or self.among(before, "release")
        placed = placed or all(self.has(at, "follow", "nothing", "talk") for at in range(n))
        if fitting and is_dotted and not is_part:
            found = led or plain or [tag for tag, _ in fitting]
            several = sum(not set(of).isdisjoint(found) for of in self.known.tags.values()) > 1
            return self.words[n].raw if several or len(plain or led) < 1 < len(found) else found[0]
        is_near = bool(tags) and self.low(before) in ("in", "since", "after") and self.pauses(after)
        near = wanted.numbers if wanted else ()
        is_near = is_near or any(of.numbers[: len(near)] == near for _, of in versions)
        is_named = self.among(before, "release") or low[0] == "v" or (is_near and is_dotted)
        return self.words[n].raw if placed and is_named and not is_part and (tags or low[0] == "v") else None

    def _pre_release(self, low: str, tags: Iterable[str]) -> str | None:
        """The tag of "rc2": of the version that is named beside it, else of the highest."""
        wanted = version_of(f"0-{low}")
        versions = [(one, tag) for tag in tags if (one := version_of(tag)) and wanted and one.pre == wanted.pre]
        beside = {one.numbers for word in self.words if (one := version_of(word.raw)) and "." in word.raw}
        found = [(one.order, tag) for one, tag in versions if one.numbers in beside]
        several = sum(any(tag in of for _, tag in versions) for of in self.known.tags.values()) > 1
        if several and not found:
            return low
        found = found or [(one.order, tag) for one, tag in versions]
        return max(found)[1] if found else None

    def _take_teams(self) -> None:
        for team in sorted(self.known.teams, key=len, reverse=True):
            parts = [word.low for word in split_words(team)]
            for n in range(len(self.words) - len(parts) + 1):
                end = n + len(parts)
                if [self.low(at) for at in range(n, end)] != parts or not all(map(self.is_free, range(n, end))):
                    continue
                before, after = self.low(n - 1) == "team", self.low(end) in ("team", "squad")
                leads = (self.low(n - 1), self.low(self.lead(n)))
                led = not {"for", "of", "by", "from"}.isdisjoint(leads) and not self.is_strange(end)
                is_subject = self.among(self.lead(n), "before subject") and any(one[1] == end for one in self.runs)
                if before or after or led or is_subject:
                    self._take(n - before, end + after, "TEAM", team)
        for n in range(len(self.words)):
            if self.low(n) not in ("team", "squad") or not self.is_free(n):
                continue
            acts = self.low(n - 1) in ("", "the", "did", "has") and (n == 0 or self.has(n + 2, "deed"))
            for at in ([n - 1] if not self.words[n - 1].is_owner else []) + ([n + 1] if acts else []):
                if (
                    self.is_strange(at)
                    and not self.called(at)
                    and self.low(at) not in _last_parts(tuple(self.known.repositories))
                ):
                    there = (
                        f"Teams are {clean(listed(list(self.known.teams)))}."
                        if self.known.teams
                        else "almanac.toml names no [[teams]]."
                    )
                    self.trouble = self.trouble or f"I know no team called “{clean(self.words[at].raw)[:80]}”. {there}"

    def _take_repositories(self) -> None:
        last = _last_parts(tuple(self.known.repositories))
        owners = {name.partition("/")[0].casefold() for name in self.known.repositories}
        for n, word in enumerate(self.words):
            after, low = n + 1, word.low
            if word.taken or word.quote:
                continue
            if app := self._app(n):
                first, name = app
                self._take(first, after, "REPO", name)
                self.assumed.append(f"“{self.raw(first, after)}” read as {name}")
            elif low in last and (self._is_alone(n) or self.among(after, "repository")):
                lead = self.lead(n)
                joined = (self.among(lead, "joins") and self.taken(lead - 1) == "REPO") or (
                    self.pauses(n) and self.taken(n - 1) == "REPO"
                )
                beside = after + 1 + self.has(after + 1, "determiners")
                led = (
                    self.among(after, "release", "folks")
                    or self.low(after) in ("main", "master", "trunk")
                    or (self.among(after, "joins") and self.low(beside) in last)
                )
                led = led or self.among(n - 1, "before subject") or self.low(n - 1) == "of"
                is_alone = self.low(n - 1) == "last" or not self.is_strange(n - 1)
                led = led or (
                    is_alone and self.has(after, "changes", "kind", "work", "only") and not self.pauses(after)
                )
                led = led or self.among(lead, "before repository")
                led = led and (not self.has(n, "kind") or self.among(lead, "inside"))
                alone = (len(self.words) <= 3 and n == 0) or (self.pauses(n) and self.is_time(after))
                if led or joined or alone or self.among(after, "repository"):
                    end = after + (self.among(after, "repository") or self.low(after) in ("main", "master", "trunk"))
                    self._take(n, end, "REPO", last[low][0] if len(last[low]) == 1 else last[low])
                    if self.low(after) == "team":
                        self.assumed.append(f"“the {word.raw} team” read as {last[low][0]}")
            elif _SLASHED.fullmatch(low) and low.partition("/")[0] in owners and not self.known.knows_path(low):
                near = [
                    one for one in self.known.repositories if OSA.distance(low, one.casefold(), score_cutoff=1) <= 1
                ]
                if len(near) == 1:
                    self.assumed.append(f"“{word.raw}” read as {near[0]}")
                    self._take(n, after, "REPO", near[0])
                else:
                    self.trouble = self.trouble or f"I have not indexed a repository called “{clean(word.raw)[:80]}”."

    def _app(self, n: int) -> tuple[int, str] | None:
        """Where it begins and which repository it is: "the mobile app", "zulip app", "the app", "zulip mobile"."""
        named, is_app = _words_of_names(tuple(self.known.repositories)), self.among(n, "apps")
        fitting = list(named.get(self.low(n - 1), ())) if self.is_strange(n - 1) and not self.pauses(n) else []
        fitting = fitting if is_app or not fitting else [one for one in named.get(self.low(n), ()) if one in fitting]
        first = n - 1
        if is_app and not fitting and self.low(n - 1) in ("the", "our"):
            fitting, first = list({one for part in lists()["app parts"] for one in named.get(part, ())}), n
        return (first, fitting[0]) if len(fitting) == 1 else None

    def _take_paths(self) -> None:
        for n, word in enumerate(self.words):
            if word.taken or not ("/" in word.raw or "." in word.raw):
                continue
            if "/" in word.raw and re.fullmatch(r"[\d/.]+", word.raw):
                self.trouble = self.trouble or f"I do not understand “{word.raw}”: write a month as 2025-10."
            elif self.known.knows_path(word.raw):
                self._take(n, n + 1, "PATH", word.raw)
                self._mend_trailing(n + 1)
            elif _PATH.fullmatch(word.raw) and not word.quote:
                self.trouble = self.trouble or f"I know no file or folder called “{clean(word.raw)[:80]}”."
        for n, word in enumerate(self.words[:-1]):
            if self.is_strange(n) and self.among(n + 1, "folders") and self.known.knows_path(f"{word.raw}/"):
                self._take(n, n + 2, "PATH", f"{word.raw}/")

    # topics

    @property
    def asks_release(self) -> bool:
        """Whether it is asked in which release something is: "which version has …", "is … in 2.5"."""
        lows, held = [word.low for word in self.words], [one for one in self.of("RELEASE") if ".." not in one.value]
        first = next((n for n in range(len(lows)) if not self.has(n, "talk", "follow")), 0)
        who = next((one.end for one in self.of("PERSON") if one.first == first + 1), 0)  # "did Ann …", not "is Ann's …"
        acts = self.low(first + 1) == "i" or (who and not self.words[who - 1].is_owner)
        begins = self.among(first, "before subject") and not acts and self.taken(first + 1) != "RELEASE"
        holding = {"have", "contain", "hold", "include", "get"}
        holds = self.among(first, "before subject") and not acts and not holding.isdisjoint(lows)
        begins = begins or holds or any(lows[n : n + 2] in (["in", "it"], ["made", "it"]) for n in range(len(lows)))
        return self.said("asks release") is not None or (begins and bool(held))

    @property
    def lists_releases(self) -> bool:
        """Whether the releases themselves are asked for: "which tags came out", "list the 1.47.x releases"."""
        is_line = any(_LINE.fullmatch(str(one.value).casefold()) for one in self.of("RELEASE"))
        for n in range(len(self.words)):
            led = self.has(n, "asks release", "count") or self.has(self.lead(n), "count", "changes") or is_line
            led = led or (self.low(n - 1).isdigit() and self.among(n - 2, "newest"))
            if led and self.low(n) in ("releases", "tags", "versions", "rcs"):
                return True
        return False

    def _take_feature(self) -> None:
        """What is sought in releases: of each stretch of words all that say anything, as one topic."""
        if not self.asks_release or any(one.tag == "REF" for one in self.items):
            return
        stops = ("questions", "asks release", "neg", "not", "only", "asker", "pronouns", "talk", "follow", "firsttime")
        first = 0
        for n in range(len(self.words) + 1):
            gap = self.words[n].before if n < len(self.words) else "?"
            is_stop = not self.is_free(n) or self.has(n, *stops) or re.search(r"[,;?!]|\s[-–—]\s", gap)
            if not is_stop:
                continue
            sure = [at for at in range(first, n) if self._may_be_topic(at)]
            if sure:
                while sure[0] > first and (self.low(sure[0] - 1).isdigit() or self.low(sure[0] - 1).endswith("ed")):
                    sure.insert(0, sure[0] - 1)  # "16 bit", "disabled plugins"
                idle = (*_EMPTY, "kind", "work", "shipped")
                said = [at for at in range(sure[0], sure[-1] + 1) if at in sure or not self.has(at, *idle)]
                low, end = said[0], said[-1] + 1
                self._take(low, end, "TOPIC", " ".join(self.words[at].raw.replace("#", " ") for at in said).strip())
            first = n if self.is_free(n) and not self.has(n, *stops) else n + 1

    def _take_topics(self) -> None:
        count, self._is_who = len(self.words), self.asks_who
        for n in range(count):  # in quotes
            quote, end = self.words[n].quote, n
            while quote and end < count and self.words[end].quote == quote and self.is_free(end):
                end += 1
            if end > n:
                self._take_topic(n, end)
        for n in range(count):
            if self.has(n, "neg behind") and self.opens[n] == n:  # "renovate does not count"
                first = n
                while (self._may_be_left_out(first - 1) or self.low(first - 1) == "file") and not self.pauses(first):
                    first -= 1
                self._take_topic(first, n)
            goes_on = self.among(n, "left away") and 0 <= self.story <= n  # "who made X skip Y"
            if self.has(n, "neg") and self.opens[n] == n and self.is_free(n) and not goes_on:
                self._take_left_out(n + self.phrase[n])
        end = next((n for n in range(1, count) if self.pauses(n) or not self._may_be_topic(n)), count)
        is_led = end < count and re.search(r":|\s[-–—]\s", self.words[end].before)
        if is_led and self._may_be_topic(0):  # "waker_set: who …"
            self._take_topic(0, self._topic_end(0, strong=False))
        self._take_story()
        for n in range(count):  # behind on, about, who worked on
            if self.is_free(n) and not self.pauses(n + 1) and (strong := self._leads_topic(n)):
                first = n + 1
                if (
                    self.low(first) in ("on", "about", "in", "for", "with", "to")
                    and not self.has(n, "about")
                    and self.is_free(first)
                ):
                    first += 1
                first = self._behind_articles(first)
                end = self._topic_end(first, strong=strong > 1)
                is_name = self.low(n) == "about" and not self._is_who and end == first + 2 and self.called(first)
                if not is_name:
                    self._take_topic(first, end)
        for first, end in self.runs:  # has … landed, did … ship
            is_last = self.pauses(end + 1) or self.taken(end + 1) in ("TIME", "RELEASE", "REPO")
            is_last = is_last or self.has(end + 1, "nothing", "prepositions")
            asks = self.low(0) in ("what", "which", "who", "how") and self.low(1) != "often"
            lands = self.has(end, "shipped", "make", "touch", "state: reverted") and not asks
            if is_last and lands and all(map(self.is_free, range(first, end))):
                while self.has(first, "determiners", "nothing") or self.low(first) == "my":
                    first += 1
                self._take_topic(first, min(self._topic_end(first, strong=True), end))
        for n in range(1, count):  # before work, changes, fixes
            first = n
            are_some = self.among(n, "many") and self.phrase[n] == 1
            if self.is_free(n) and (are_some or self.has(n, "work", "kind")) and self.opens[n] == n:
                while not (self.pauses(first) or self.words[first - 1].is_owner) and (
                    self._may_be_topic(first - 1)
                    or (first < n and self.is_free(first - 1) and self.has(first - 1, "link"))
                ):
                    first -= 1
                if not are_some or self.has(first - 1, "only", "determiners"):
                    self._take_topic(first, n)
        is_mixed = any(map(str.islower, "".join(word.raw for word in self.words)))
        is_story = self.story >= 0
        for n, word in enumerate(self.words):  # what only code has, an action with its object
            end = n + 1
            is_code = _is_code(word.raw) and (is_mixed or not word.raw.isupper())
            is_somebody = any(run == (n, end) and self.among(end, "does") for run in self.runs)
            if self.is_strange(n) and not is_somebody and is_code:
                while self.is_strange(end) and not self.pauses(end) and self.known.knows_word(self.low(end)):
                    end += 1
                self._take_topic(n, end)
            elif (
                self.is_free(n)
                and self.has(n, "action")
                and not (is_story or (word.low.endswith("ed") and self.of("PATH")))
            ):
                while self.has(end, "determiners") and not self.pauses(end):
                    end += 1
                stop = self._topic_end(end, strong=False)
                said = f"{tables()['actions'].get(word.low, word.low)} {self.raw(end, stop)}".strip()
                self._take(n, stop if stop > end else n + 1, "TOPIC", said)
        for n in range(count):  # "who touched X last"
            if self._is_who and self.low(n) == "last" and self.is_strange(n) and self.pauses(n + 1):
                self.classes[n] = frozenset(("order: landed",))

    def _take_topic(self, first: int, end: int) -> None:
        """Take some words as a topic; "memory / cache" are alternatives."""
        if end > first:
            for n in range(first, end):
                self.slips.pop(n, None)
            said, is_quoted = self.raw(first, end), self.words[first].quote
            places = _last_parts(tuple(self.known.repositories)).get(said.casefold(), ())
            if len(places) == 1 and not is_quoted:
                self._take(first, end, "REPO", places[0])
                return
            kept = [n for n in range(first, end) if is_quoted or not self.among(n, "within topic", "generic")]
            if not kept:  # "that first one": no commit is found by such words
                self.lose(range(first, end))
                return
            said = said if len(kept) == end - first else " ".join(self.words[n].raw for n in kept)
            begins = [first, *(n for n in range(first + 1, end) if self.words[n].before.strip() == "/"), end]
            said = " OR ".join(self.raw(a, b) for a, b in pairwise(begins)) if len(begins) > 2 else said
            self._take(first, end, "TOPIC", said)

    @property
    def story(self) -> int:
        """Where the thing begins whose story is asked: why it is so, when it came, what became of it, who made it; -1
        where none is."""
        n = 0
        while self.has(n, "follow", "talk", "nothing") and not (
            self.has(n, "explain") or self.among(n, "before subject")
        ):
            n += self.phrase[n]
        if self.low(n) == "why" or (self.has(n, "explain") and self.phrase[n] > 1 and self.is_free(n)):
            return n + self.phrase[n]
        if self.low(n) == "when" and self.low(n + 1) in ("did", "had", "has", "was", "were"):
            return n + 2
        if self.among(n, "before subject") and any(
            self.has(at, "explain") and self.phrase[at] > 1 for at in range(len(self.words))
        ):
            return n + 1  # "is the parser in a release yet"
        if self.low(n) == "who" and (self.has(n + 1, "make") or self.low(n + 1) == "made"):
            return n + 1 + self.phrase[n + 1]
        end = first = self._behind_articles(n)
        while (
            self.taken(end) == "TOPIC"
            or (self.is_free(end) and (self._tells(end) or (end > first and self.has(end, "make"))))
        ) and not (end > first and self.pauses(end)):
            end += 1
        comes = self.among(end, "came")  # "doxygen support came and went", "the rssi fix, is that released"
        comes = comes or (self.pauses(end) and self.among(end, "before subject") and self.among(end + 1, "listed"))
        return first if end > first and comes else -1

    @property
    def says_listed(self) -> bool:
        """Whether "it", "those" or "the … ones" stands for what was listed."""
        said = (n for n in range(len(self.words)) if self.among(n, "listed") and self.is_free(n))
        return any(not (self.has(n + 1, "work") or self.taken(n + 1) in ("TIME", "REPO")) for n in said)

    @property
    def asks_on(self) -> bool:
        """Whether it is asked of what was said: "and is any of it mine"."""
        return any(self.among(n, "before subject") and self.among(n + 1, "on it") for n in range(2))

    def _take_story(self) -> None:
        """The words of a story that the index knows, whatever verbs stand between them: why did we pull X out of Y."""
        n, count, kept = -1 if self.of("REF") else self.story, len(self.words), list[int]()
        subject = n + self.has(n, "aux")
        if self.among(subject, "listed") and not self.is_strange(subject + 1):  # "why was it reverted"
            return
        while 0 <= n <= count:
            goes_on = (
                self.is_free(n) and not self.has(n, "questions", "aside", "told") and not (kept and self.pauses(n))
            )
            is_adjective = self.has(n, "deed") and self.has(n - 1, "determiners") and self._tells(n + 1)  # "added keys"
            if goes_on and (self._tells(n) or is_adjective):
                kept.append(n)
            elif not goes_on or not self._is_between(n):
                beside = any(self.taken(at) == "PATH" for at in (kept[0] - 1, kept[-1] + 1)) if kept else False
                if beside and all(self.among(at, "sorts") for at in kept):
                    for at in kept:
                        self.classes[at] = frozenset(("nothing",))
                elif kept:
                    first = kept[0] - (self.is_free(kept[0] - 1) and self.has(kept[0] - 1, "determiners", "asker"))
                    self._take(first, kept[-1] + 1, "TOPIC", " ".join(self.words[at].raw for at in kept))
                kept = []
                if self.has(n, "questions", "aside", "told") or self.pauses(n) or self.among(n, "came"):
                    return
            n += 1

    def _tells(self, n: int) -> bool:
        low, names = self.low(n), {one for one in self.classes[n] - _IDLE if not one.startswith("cannot: thing")}
        is_word = (
            not (low.isdigit() or low == "not" or self.among(n, "conditioning", "within topic", "repository", "filler"))
            and low.strip("-–&+/") != ""
        )
        names = (
            names - {one for one in names if one.startswith("kind: ")} - {"files", "folders", "kind", "changes", "work"}
        )
        is_plain = self.has(n, "changes", "work") and not self.has(n, "kind")
        is_known = (
            self.classes[n] or self.among(n, "sorts") or self.known.knows_word(low) or _is_code(self.words[n].raw)
        )
        return bool(is_word and not names and not is_plain and is_known)

    def _is_between(self, n: int) -> bool:
        if self.has(n, "neg"):
            return self.among(n, "left away")
        return (
            self.low(n) in ("from", "with")
            or self.among(n, "repository")
            or (
                not self.among(n, "conditioning")
                and self.has(
                    n, "determiners", "prepositions", "nothing", "deed", "appear", "aux", "pronouns", "everyone", "work"
                )
                and not self.has(n, "not", "only", "state: reverted")
            )
        )

    def _may_be_left_out(self, n: int) -> bool:
        """Whether a word is one of a topic that is left out; what is added, changed or shipped is one there as well."""
        is_thing = self.is_free(n) and self.phrase[n] == 1 and self.has(n, "action", "shipped", "make")
        is_thing = is_thing or self._may_be_topic(n)
        return is_thing and not (self.has(n, "kind", "work") or self.among(n, "bots") or self.words[n].is_owner)

    def _take_left_out(self, first: int) -> None:
        """Take the topics that stand behind "without": each of what is joined."""
        goes_on = not self.pauses(first)
        while goes_on:
            while self._leads_left_out(first) or self.among(first, "joins"):
                first += 1
            end = self._end_of_left_out(first)
            self._take_topic(first, end)
            if self.among(first, "bots") and self.is_free(first):
                self._take(first, first + 1, "BOTS", "bots")
            end = min(end + self.phrase[first], len(self.words)) if end == first < len(self.words) else end
            first = end + self.has(end, "work")
            goes_on = self.among(first, "joins") or (self.words[end - 1].is_owner and not self.pauses(first))
            if not goes_on and 0 < first < len(self.words) and "," in self.words[first].before:
                goes_on = self.among(self._end_of_left_out(first), "joins")

    def _end_of_left_out(self, first: int) -> int:
        end = first
        while (self._may_be_left_out(end) and (end == first or not self.pauses(end))) or (
            end > first and self.is_free(end) and self.has(end, "kind") and not self.pauses(end)  # "flaky tests"
        ):
            end += 1
        return end

    def _leads_left_out(self, n: int) -> bool:
        return self.is_free(n) and (
            self.has(n, "determiners", "theirs", "pronouns", "asker")
            or self.low(n) in ("by", "from", "in", "on", "for", "about")
        )

    def _leads_topic(self, n: int) -> int:
        """Whether a topic stands behind a word: 2 where it does in any case, 1 where the index must know it."""
        low, after = self.low(n), n + 1
        if after < len(self.words) and self.opens[after] != after:
            return 0  # within a phrase
        if self.has(n, "about") or low in ("on", "regarding"):
            return 2
        if self.has(n, "make", "touch", "shipped") and any(end == n for _, end in self.runs):
            return 2
        if self._is_who and self.has(n, "make", "touch", "do", "who", "order: landed") and not self.has(n, "work"):
            return 2
        if low in ("in", "for", "of") and self.has(n - 1, "kind", "do", "changes", "work", "reviews"):
            return 2
        if self.has(n, "explain") and not self.has(n, "questions"):
            return 2
        goes_on = all(self.has(at, "follow") for at in range(after))
        if low == "who":
            return self._may_be_topic(after + self.has(after, "determiners"))
        is_weak = low in ("in", "for", "of", "to", "into", "with") or self.has(n, "make", "touch", "shipped")
        return 1 if is_weak or goes_on else 0

    @property
    def asks_who(self) -> bool:
        """Whether it is asked who did something."""
        if self.said("asks who") is not None:
            return True
        for n in range(len(self.words)):
            if self.has(n, "aside", "told") and self.items:
                continue
            if self.among(n, "folks") and self.low(n - 1).isdigit():
                return True
            if self.among(n, "anybody") and not self.among(n + 1, "tells"):  # "can somebody tell me what Ann did"
                return not self.has(n, "everyone") and not self.has(n + 1, "reviews")
        return any(
            self.low(n) in ("which", "what", "how") and self.among(n + 1 + (self.low(n) == "how"), "folks")
            for n in range(len(self.words))
        )

    def _may_be_topic(self, n: int) -> bool:
        """Whether a word can be one of a topic's: no list has it, or it is a thing or a form."""
        low = self.low(n)
        is_other = low.isdigit() or low in tables()["ordinals"] or low in tables()["numbers"]
        is_other = is_other or self.among(n, "filler") or (self.among(n, "conditioning") and low != "new")
        if not self.is_free(n) or is_other or self.has(n, "not") or not low.strip("-–&+/"):
            return False
        names = {name for name in self.classes[n] - _IDLE if not name.startswith("cannot: thing")}
        return not names or (self.phrase[n] == 1 and all(name.startswith("form: ") for name in names))

    def _topic_end(self, first: int, *, strong: bool) -> int:
        """Where the topic ends that begins at a word; there, where none does."""
        end = first
        while self.is_free(end) and (end == first or not self.pauses(end)):
            if self._may_be_topic(end):
                end += 1
            elif end > first and self.among(end, "within topic") and not self.pauses(end + 1):
                after = end + 1
                while self.low(after) in ("the", "a", "an", "our"):
                    after += 1
                if not self._may_be_topic(after) or self.low(after)[0].isdigit():
                    break
                end = after + 1
            elif self.low(end) in tables()["ordinals"] or self.among(end, "conditioning"):
                break
            elif self.has(end, "kind", "noun", "english", "nothing", "do") and self._is_noun(end, first):
                end += 1
            else:
                break
        while end > first and self.among(end - 1, "within topic"):
            end -= 1
        while end - 1 > first and self._mend_trailing(end - 1):
            end -= 1
        known = [
            self.known.knows_word(self.low(n)) or _CODE.fullmatch(self.words[n].raw)
            for n in range(first, end)
            if self._may_be_topic(n) and not self.classes[n] - _IDLE
        ]
        return end if strong or (known and all(known)) else first

    def _mend_trailing(self, n: int) -> bool:
        """Whether a word behind a topic or a path only says when or how well: "who knows the parser best"."""
        if self.among(n, "trailing") and self.is_free(n):
            self.classes[n] = frozenset(("order: landed" if self.low(n) == "last" else "nothing",))
            return True
        return False

    def _is_noun(self, n: int, first: int) -> bool:
        """Whether a word of the lists is a part of a topic: "the search index", "scheduled jobs", "build scripts"."""
        goes_on = self._may_be_topic(n + 1) and not self.pauses(n + 1)
        is_kind = self.has(n, "kind")
        if n == first:
            return goes_on or (self._is_who and self.has(n, "kind", "digest", "schedule", "link", "profile", "files"))
        if self.has(n, "nothing", "do"):
            return False
        return (goes_on and not is_kind) or (
            self._may_be_topic(n - 1) and self.has(n, "noun", "kind", "english") and not self.has(n, "work")
        )

    # what is left

    def _leave_out(self) -> None:
        """What stands behind "without" and the like, across "and"."""
        for n in range(len(self.words)):
            is_other = self.low(n) == "not" and self.taken(n + 1) == "PERSON"  # "luis, not louis"
            if self.has(n, "neg behind") and self.opens[n] == n:
                self._leave_out_before(n)
            if not (self.has(n, "neg") or is_other) or self.taken(n) or self.opens[n] != n:
                continue
            at, before, joined = n + self.phrase[n], len(self.left_out), True
            while at < len(self.words):
                item = next((one for one in self.items if one.first <= at < one.end), None)
                end = at + self.phrase[at]
                is_same = (
                    item
                    and self.left_out[before:]
                    and self.left_out[-1].tag == item.tag
                    and "," in self.words[at].before
                )
                if item and item.tag == "TOPIC" and self.left_out[before:] and self.left_out[-1].tag == "PATH":
                    self.items.remove(item)  # "devenv.lock bumps" are all that is done to it
                    at = item.end
                elif (
                    item
                    and item.tag in ("PERSON", "REPO", "TOPIC", "PATH", "TEAM", "BOTS")
                    and (joined or is_same or item.tag == "TOPIC")
                ):
                    self.left_out.append(item)
                    joined, at = self.words[item.end - 1].is_owner or item.tag == "TOPIC", item.end
                elif item:
                    break
                elif joined and (value := self._left_out_word(at)):
                    self.left_out.append(self._take(at, end if value[0] == "KIND" else at + 1, *value))
                    joined, at = False, self.left_out[-1].end
                elif self.among(at, "joins"):
                    joined, at = True, at + 1
                elif self.has(at, "work") or self.among(at, "many") or (joined and self._leads_left_out(at)):
                    at += 1
                else:
                    break
            if is_other:
                self.words[n].taken = "NOT"
            if len(self.left_out) == before:
                self.bad_negation = True
                for word in range(n, n + self.phrase[n]):
                    self.classes[word] = frozenset(("not",))

    def _leave_out_before(self, n: int) -> None:
        """What stands before "does not count"."""
        item = next((one for one in self.items if one.end == n), None)
        if not item and n and self.is_free(n - 1) and (value := self._left_out_word(self.opens[n - 1])):
            item = self._take(self.opens[n - 1], n, *value)
        if item:
            self.left_out.append(item)
        self.bad_negation = self.bad_negation or item is None

    def _left_out_word(self, n: int) -> tuple[str, Any] | None:
        if self.low(n) in lists()["bots"]:
            return "BOTS", "bots"
        kinds = [name[6:] for name in self.classes[n] if name.startswith("kind: ")]
        if kinds or self.has(n, "state: reverted"):
            return "KIND", kinds[0] if kinds else "revert"
        if self.low(n) in ("me", "myself") and self.known.asker:
            return "PERSON", (self.known.asker,)
        return None

    def _find_unread(self) -> None:
        """What nothing took: strange words with what leads to them, and what conditions the words behind it."""
        count, lost, compares = len(self.words), set[int](), self.compares
        self.mentioned = self.of("PERSON")

        def lose_behind(n: int, *stops: str) -> None:
            """A word and those behind it, as far as nothing took them."""
            at = n + 1
            lost.add(n)
            while (
                self.is_free(at)
                and not self.pauses(at)
                and not self.has(at, "questions", *(stops if at > n + 1 else ()))
            ):
                lost.add(at)
                at += 1

        for item in [*self.of("PERSON"), *self.of("TEAM")]:  # "with Ralf", "like Ralf", "before Ralf left"
            n = self.lead(item.first)
            if not self.is_free(n) or not self.among(n, "conditions") or self.pauses(n + 1) or self.phrase[n] > 1:
                continue
            if self.has(n, "compare"):
                continue
            if self.low(n) != "for" and not (compares and self.among(n, "is for")):
                self.items.remove(item)
                lost.update(range(n, item.end))
                for word in self.words[item.first : item.end]:
                    word.taken = "LOST"
                lose_behind(item.end - 1, "prepositions")
        for n in range(count):
            is_other = (
                self.has(n, "everywhere") and self.low(n) in ("both", "either") and len(self.known.repositories) != 2
            )
            is_number = self.low(n) in tables()["numbers"] and self.among(n - 1, "several") and self.pauses(n + 1)
            if (self.is_strange(n) and not is_number) or (self.is_free(n) and (self.has(n, "not") or is_other)):
                lost.add(n)
            elif (
                self.is_free(n)
                and self.among(n, "conditioning")
                and self.phrase[n] == 1
                and n not in lost
                and not self._conditions(n)
            ):
                lose_behind(n, "prepositions")
            if self.bad_negation and self.is_free(n) and self.has(n, "not"):
                lose_behind(n)
        for n in sorted(lost):
            at = n - 1
            while (
                self.is_free(at)
                and at not in lost
                and not self.pauses(at + 1)
                and self.has(at, "determiners", "prepositions", "about")
            ):
                lost.add(at)
                at -= 1
        self.lose(lost)

    def _conditions(self, n: int) -> bool:
        """Whether a word that conditions what stands behind it does so with a slot: "by Ann", "every fix"."""
        low, after = self.low(n), n + 1
        if low == "when" and self.story == after + 1:
            return True
        if low == "when" and self.of("RELEASE") and all(self.has(at, "follow", "nothing", "talk") for at in range(n)):
            return True
        if self.has(n, "compare", "neg") or (low in ("every", "each", "new") and self.has(after, "owned")):
            return True
        after = self._behind_articles(after)
        if low == "by" and (
            self.has(after, "firsttime", "everyone") or self.low(after) in ("me", "us", "bots", "myself")
        ):
            return True
        is_slot = self.taken(after) not in ("", "LOST") and not self.pauses(after)
        if low == "under":
            return self.taken(after) == "PATH"
        return (is_slot and low in ("by", "from", "against", "than", "as")) or (compares_with(low) and self.compares)

    def lose(self, numbers: Iterable[int]) -> None:
        """Say of some more words that they are unread."""
        lost = {n for first, end in self.unread for n in range(first, end)} | set(numbers)
        self.unread = []
        for n in sorted(lost):
            if self.unread and self.unread[-1][1] == n and not self.pauses(n):
                self.unread[-1] = (self.unread[-1][0], n + 1)
            else:
                self.unread.append((n, n + 1))

    @property
    def unread_words(self) -> tuple[str, ...]:
        return tuple(self.raw(first, end) for first, end in self.unread)

    def is_lost(self, n: int) -> bool:
        return any(first <= n < end for first, end in self.unread)


def _is_code(raw: str) -> bool:
    return _CODE.fullmatch(raw) is not None and not _FISCAL.fullmatch(raw.casefold())


def compares_with(low: str) -> bool:
    return low in ("with", "to", "as", "than")


@lru_cache(maxsize=10_000)
def _name_parts(name: str) -> tuple[str, ...]:
    """The words of a name that are long enough for a slip."""
    return tuple(part for part in unaccented(plain(name)).split() if len(part) > 3)


@cache
def _months() -> frozenset[str]:
    return frozenset(word for word in lists()["time words"] if word[:3] in _MONTHS_BEGIN)


_MONTHS_BEGIN = frozenset(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"))


@cache
def _full_names(repositories: tuple[str, ...]) -> Mapping[str, str]:
    return {name.casefold(): name for name in repositories}


@cache
def _words_of_names(repositories: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """The repositories by each word of their last parts, where there are several: "mobile" of zulip-mobile."""
    found: dict[str, tuple[str, ...]] = {}
    for name in repositories:
        words = re.split(r"[-_.]", name.rsplit("/", 1)[-1].casefold())
        for word in words if len(words) > 1 else ():
            found[word] = (*found.get(word, ()), name)
    return found


@cache
def _last_parts(repositories: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name in repositories:
        last = name.rsplit("/", 1)[-1].casefold()
        found[last] = (*found.get(last, ()), name)
    return found
