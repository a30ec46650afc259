"""A sentence of a question, or a clause of one, as it is read: each word fills a slot, carries nothing, is a topic, or
is unread. Pure.

Passes over the list of its words, each of which takes what none took before, in this order: references and whole names
of repositories; slips; phrases of the lists; full names, and people whose names are words where people stand;
releases; times; teams, repositories, names, paths; topics; what is left out. The rest that no list has is unread.

Where a person, a topic or a repository stands is said in the "places" of words.json (`bot.ask.places`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from itertools import pairwise

from rapidfuzz.distance import OSA

from bot.ask.known import Known
from bot.ask.places import IDLE, Item, WordLine
from bot.ask.times import DAY, TIME_WORDS, Now, TimeFound, find_times
from bot.ask.words import Word, classes_of, listed_words, lists, longest, phrases, slip, split_words, tables
from bot.model import Person
from bot.month.addresses import plain, unaccented
from bot.month.calendar import NAMES, Days
from bot.month.languages import endings_of
from bot.month.releases import LATEST, LINE, NEWEST, WHICH, name_after, name_before, version_of
from bot.wording import clean, listed

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
LONGEST_THING = 12  # words of what came or went
_PRE_RELEASE = re.compile(r"(?:rc|beta|alpha)[.-]?\d+")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_CODE = re.compile(r"\w*[a-z][A-Z]\w*|\w+_\w+|\w+::\w+|[A-Za-z]+\d+\w*|\w+\+\+|\w+#|[A-Z]{2,}\d*s?")
_PATH = re.compile(r"\.?[\w@+-][\w.@+-]*(?:/[\w.@+-]+){2,}/?")
_ENDING = re.compile(r"\*?(\.\w{1,9})")
_FISCAL = re.compile(r"fy'?\d+")
_NUMBER = re.compile(r"(\d+)(k?)(\+?)")
_YEAR = re.compile(r"(?:19|20)\d\d(?:-\d\d)?(?:-\d\d)?|[qh][1-4]")
_NEVER_NAMES = frozenset(
    ("determiners", "prepositions", "questions", "pronouns", "asker", "theirs", "everyone", "do", "not")
)  # fmt: skip
_CARRYING_NOTHING = frozenset(("talk", "idle"))
_LEFT_OUT = ("PERSON", "REPO", "TOPIC", "PATH", "TEAM", "BOTS")
_NOBODY = frozenset(("and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"))  # is called so


class QuestionPart(WordLine):
    """The words of a part, what they were taken as, and what was not understood.

    `mentioned` are all people who are named, whatever for, `met` those whom the asker is to talk to. `trouble` says of
    a time, a team, a repository or a member that there is none such; `bad_negation` that something is left out, or is
    all, and nobody can tell what; `is_deed` that the topic is what was done: "what was removed". `released` is the
    release that the thread is about.
    """

    def __init__(self, words: list[Word], known: Known, now: Now, released: str | None = None) -> None:
        super().__init__(words)
        self._released = released
        self.known, self.now, self._repositories = known, now, tuple(known.repositories)
        self.last_parts = _called_so(self._repositories)
        self.slips, self.assumed = dict[int, tuple[str, str]](), list[str]()
        self.trouble, self.bad_negation, self.asks_who, self._has_times = "", False, False, False
        self.is_deed = False
        self._take_references()
        self._mend_slang()
        self._mend_slips()
        self._find_phrases()
        for take in (
            self._take_sizes, self._take_names, self._take_releases, self._take_times, self._take_teams,
            self._take_repositories, self._take_names, self._take_paths, self._take_feature, self._take_topics,
            self._take_near_names, self._take_asker,
        ):  # fmt: skip
            self.runs = list(self._subjects())  # where a subject stands
            self.subjects = {n for first, end in self.runs for n in range(first, end)}
            take()
        self.mentioned, self.met = self.of("PERSON"), list[Item]()
        self._find_unread()

    # the passes

    def _take_references(self) -> None:
        full, exactly = _called_so(self._repositories, "name"), self.known.directory.exactly
        for n, word in enumerate(self.words):
            raw = word.raw
            if raw.startswith("<@"):
                user = raw.strip("<@>").partition("|")[0].upper()
                person = self.known.member(user)
                self.take(n, n + 1, "PERSON", (person,) if person else ())
                self.trouble = self.trouble or ("" if person else UNKNOWN_MEMBER.format(user))
            elif _REF.fullmatch(raw) or (_HEX.fullmatch(raw) and self.stands(n, "hash") and not exactly(raw)):
                self.take(n, n + 1, "REF", raw)
            elif raw.isdigit() and len(raw) <= 7 and self.stands(n, "number"):
                self.take(n - self.among(n - 1, "numbered"), n + 1, "REF", f"#{raw}")
            elif ADDRESS.fullmatch(raw) and not word.is_handle:
                people = exactly(raw, levels=(0,))
                self.take(n, n + 1, "PERSON" if people else "ADDR", people or raw)
            elif word.low in full:
                self.take(n, n + 1, "REPO", full[word.low][0])

    def _mend_slang(self) -> None:
        """Take "ty", short for thanks, for the folder, tag or repository that is called so, where one stands."""
        called = {tag.casefold() for tags in self.known.tags.values() for tag in tags}.union(self.last_parts)
        for n, word in enumerate(self.words):
            raw = word.raw.casefold()
            if raw != word.low and len(raw) > 1 and raw in tables()["contracted"] and self.stands(n, "slang or a name"):
                word.low = raw if raw in called or self.known.knows_path(f"{raw}/") else word.low

    def _mend_slips(self) -> None:
        """Read a word that hardly a message has, one letter from exactly one verb, kind or time word, as that."""
        for n, word in enumerate(self.words):
            low, exactly = word.low, self.known.directory.exactly
            is_word = len(low) > 3 and low.isascii() and low.isalpha() and not word.raw.isupper()
            is_other = word.taken or word.quote or word.is_handle or low in _LISTED
            meant = slip(low) if is_word and not is_other else ""
            is_owner = low[-1:] == "s" and self.stands(n, "owner") and bool(exactly(low[:-1]))  # "graces july"
            is_owner = is_owner and "determiners" not in classes_of(self.low(n - 1))  # "any changs in it"
            is_ending = low == f"{meant[:-2]}{meant[-1:]}"  # "changs", which the index holds as an ending of "changes"
            is_common = self.known.is_common or self.known.knows_word
            if meant and not (exactly(low) or is_owner) and (is_ending or not is_common(low)):
                word.low, self.slips[n] = meant, (word.raw, meant)

    def _find_phrases(self) -> None:
        n, count, lows = 0, len(self.words), tuple(word.low for word in self.words)
        while n < count:
            size, names = 1, frozenset[str]()
            for end in range(min(count, n + longest().get(lows[n], 0)), n, -1):
                of = phrases().get(lows[n:end])
                if of and all(map(self.is_free, range(n, end))) and not any(map(self.pauses, range(n + 1, end))):
                    size, names = end - n, of
                    break
            self.classes[n : n + size] = [names] * size
            self.opens[n : n + size], self.phrase[n : n + size] = [n] * size, [size] * size
            n += size
        for n in range(count):
            end = n + 1
            while self.stands(n, "or else") and not self.pauses(end) and lows[end] in listed_words():
                end += 1  # "is it in 2.1, or do I have to wait for the next one"
            if end > n + 1:
                self.classes[n:end] = [frozenset(("nothing", "asks release"))] * (end - n)
            if n and lows[n] in ("skip", "ignore") and ":" in self.words[n].before and self.stands(n, "a directive"):
                self.classes[n] = frozenset()  # "fmt: skip"
            if self.stands(n, "branch") and not self.last_parts.get(lows[n]):
                self.classes[n] = frozenset(("nothing",))
            if self.phrase[n] == 1 and self.stands(n, "neg"):
                self.classes[n] = frozenset(("neg",))
            if self.among(n, "left away") and self.has(n, "neg") and self.stands(n, "of a thing"):
                self.classes[n] = frozenset()  # "the handling of ignore files" leaves nothing out
            behind = lows[n + 1 : n + 7]
            outs = [n + 1 + at for at, low in enumerate(behind) if low in ("out", "aside", "off", "away")]
            out = outs[0] if outs and self.stands(n, "leave out") else n
            if out > n and not any(map(self.pauses, range(n + 1, out + 1))):  # "leave the docs aside"
                self.classes[n], self.classes[out] = frozenset(("neg",)), frozenset(("nothing",))

    def _take_sizes(self) -> None:
        """How large a change is: "with more than 500 changed lines", ">20 files", "1,000+ lines"."""
        for n, word in enumerate(self.words):
            number, end = _NUMBER.fullmatch(word.low), n + 1
            while self.among(end, "of a size"):
                end += 1
            if not number or not self.is_free(n) or not self.among(end, "sized"):
                continue
            unit, first, how = self.low(end)[0], n, ""
            end += 1
            while self.among(end, "of a size") or (self.low(end) == "of" and self.among(end + 1, "of a size")):
                end += 1
            amount = number[1]
            if word.before == "," and len(amount) == 3 and self.low(n - 1).isdigit():
                first, amount = n - 1, self.low(n - 1) + amount
            sign = re.search("[<>≤≥]=?", self.words[first].before)
            sizes = [number[3], sign[0] if sign else "", " ".join(self.low(at) for at in range(end, end + 2))]
            how = next(filter(None, map(tables()["sizes"].get, sizes)), "")
            end += 2 * (sizes[2] in tables()["sizes"])
            for length in range(3, 0, -1):
                said = " ".join(self.low(at) for at in range(first - length, first))
                if not how and said in tables()["sizes"]:
                    first, how = first - length, tables()["sizes"][said]
            if how:
                first -= self.among(first - 1, "before a size")
                lines = "lines" if unit == "l" else "files"
                self.take(first, end, "SIZE", f"{how} {int(amount) * (1000 if number[2] else 1)} {lines}")

    # people

    def _take_names(self) -> None:
        """Full names, before times are read; then whoever is called as a word is, where people stand."""
        n, opens = 0, self.known.directory.may_open
        while n < len(self.words) and not self._has_times:
            low, end = self.low(n), n + 1
            if self.is_free(n) and (len(low) == 1 or opens(low) or opens(f"{low},")):
                sizes = range(min(n + 6, len(self.words)), end, -1)
                end, people = next(((at, found) for at in sizes if (found := self._full_name(n, at))), (end, ()))
                self._take_name(n, people, end)
            n = end
        for n in filter(self.is_free, range(len(self.words))):
            people = self.called(n)
            if people and self._is_name(n, people):
                self._take_name(n, people)

    def _is_name(self, n: int, people: Sequence[Person]) -> bool:
        """Whether a word that some are called by is their name where it stands."""
        word = self.words[n]
        if self.stands(n, "subject"):
            return True
        if word.low in listed_words() and not word.is_handle:  # an English one, or a time, more often than a name
            return self.stands(n, "name that is a word")
        if word.low in TIME_WORDS and not (self._has_times or word.is_handle):  # "en julio"
            return False
        is_word = word.raw == word.low and self.known.knows_word(word.low) and not self.stands(n, "owner")
        is_word = is_word and self.low(n - 1) != "by"
        named = self.known.directory.exactly
        if is_word and not (named(word.low, levels=(0, 1, 2, 3)) or named(f"{word.low}[bot]", levels=(1,))):
            return False  # "python", of python-69
        return self.stands(n, "name") or not self.stands(n, "part of a thing")

    def _full_name(self, first: int, end: int) -> tuple[Person, ...]:
        """Who has some words as their full name, "Hopper, Grace" and "dave k." included."""
        named, some = self.known.directory.named, self.words[first:end]
        gaps = (word.before for word in some[1:])
        if any(word.taken for word in some) or any(re.search(r"[;:?!()]|\s[-–—]\s", gap) for gap in gaps):
            return ()
        said = " ".join(word.low for word in some)
        people = named(said) or named(said.replace(" ", ", ", 1)) or (named(said[:-1]) if said.endswith("s") else ())
        initial, name = sorted((some[0].low, some[-1].low), key=len)
        if people or len(some) > 2 or len(initial) != 1 or initial in "ai" or not initial.isalpha():
            return people
        parts = [(p, plain(p.name).split()) for p in self.known.directory.exactly(name, levels=(3,))]
        return tuple(p for p, of in parts if any(part.startswith(initial) for part in of if part != name))

    def _take_name(self, n: int, people: tuple[Person, ...], end: int = 0) -> None:
        """Take words as somebody's name, with what stands beside and is another part of it: "van der", "de la"; or a
        word as all of one name: "both daves"."""
        if not people or (self.low(n - 1) == "both" and self._plural(n)):
            self.items += [Item(n, n + 1, "PERSON", (one,)) for one in people]
            self.words[n].taken = "PERSON" if people else ""
            return
        item = self.take(n, end or n + 1, "PERSON", people)
        while not end and self.stands(item.end, "part of a name behind") and self._is_part(item, item.end):
            item.end += 1
        while not end and self.among(item.first - 1, "name parts") and self._is_part(item, item.first - 1):
            item.first -= 1

    def _is_part(self, item: Item, n: int) -> bool:
        """Whether a word beside a name is another part of it, which is taken then, and narrows whose it is."""
        part = unaccented(self.low(n))
        fitting = tuple(p for p in item.value if part in unaccented(plain(p.name)).split())
        if fitting and self.is_free(n):
            item.value, self.words[n].taken = fitting, "PERSON"
        return bool(fitting) and self.words[n].taken == "PERSON"

    def _subjects(self) -> Iterator[tuple[int, int]]:
        """Where a subject stands: between "did" or "has" and what was done."""
        helps, verbs, words = lists()["before subject"] | {"if", "whether"}, lists()["verbs"], self.words
        for n in (n for n, word in enumerate(words) if word.low in helps and not word.taken):
            for end in range(n + 1, min(n + 12, len(words))):
                if words[end].sentence != words[n].sentence or "questions" in self.classes[end]:
                    break
                if not words[end].taken and ("deed" in self.classes[end] or words[end].low in verbs):
                    yield from [(n + 1, end)][: end - n - 1]
                    break

    def _plural(self, n: int) -> tuple[Person, ...]:
        """Whose name a word is with an s behind it: "graces july", "both daves"."""
        low, exactly = self.low(n), self.known.directory.exactly
        return exactly(low[:-1], levels=(1, 2, 3)) if len(low) > 3 and low[-1] == "s" and not exactly(low) else ()

    def is_time(self, n: int) -> bool:
        return self.among(n, "time words") or _YEAR.fullmatch(self.low(n)) is not None

    def called(self, n: int) -> tuple[Person, ...]:
        """Who is called as a word says; as an English word says, only by their given name."""
        low, directory = self.low(n), self.known.directory
        if not any(map(str.isalpha, low)) or low in _NOBODY | lists()["bots"]:
            return ()
        is_repository = low in self.last_parts
        if (low in listed_words() or is_repository) and not self.words[n].is_handle:
            is_none = is_repository or self.has(n, *_NEVER_NAMES) or not _NEVER_NAMES.isdisjoint(classes_of(low))
            return tuple(p for p in directory.given(low) if self.known.may_be_offered(p)) if not is_none else ()
        people = directory.exactly(low) or directory.exactly(f"{low}[bot]", levels=(1,))
        if people and people == directory.exactly(low, levels=(1,)) and not directory.exactly(low, levels=(2,)):
            people = tuple(dict.fromkeys((*people, *directory.given(low))))  # a Tim who signs just so is one of them
        if self.known.knows_word(low) and not any(map(self.known.may_be_offered, people)):
            people = directory.exactly(low, levels=(0, 1, 2)) or directory.exactly(f"{low}[bot]", levels=(1,))
        return people or self._plural(n)

    def _take_near_names(self) -> None:
        """One letter off a name, or its beginning, where a name stands."""
        for n, word in enumerate(self.words):
            low = word.low
            is_word = self.is_strange(n) and len(low) > 3 and low.isalpha() and not self.known.knows_word(low)
            is_listed = low in _LISTED and (low in _MONTHS or not self.called(n))
            if not is_word or is_listed or not self.stands(n, "name place"):
                continue
            found = self._near(low) or self._near(low.removesuffix("s")) or self._begun(low)
            if self.taken(n - 1) == "PERSON" and not self.pauses(n) and not self.words[n - 1].is_owner:
                before = next(one for one in self.items if one.tag == "PERSON" and one.first < n <= one.end)
                if fitting := tuple(p for p in before.value if any(p in people for people in found.values())):
                    before.end, before.value, word.taken = n + 1, fitting, "PERSON"
                    self._assume_name(n, n + 1, fitting)
            elif len(found) == 1:
                self._take_name(n, next(iter(found.values())))
                self._assume_name(n, n + 1, self.items[-1].value if len(self.items[-1].value) == 1 else ())

    def _assume_name(self, first: int, end: int, people: Sequence[Person]) -> None:
        self.assumed += [f"“{self.raw(first, end)}” read as {one.name}" for one in people[:1]]

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

    def _begun(self, said: str) -> dict[str, tuple[Person, ...]]:
        """Whose name or login goes on behind a word of more than four letters: "eshita" of eshitachandwani."""
        begun = self.known.directory.begins(said) if len(said) > 4 else ()
        people = tuple(filter(self.known.may_be_offered, begun))
        return {said: people} if people else {}

    def _take_asker(self) -> None:
        """Who asks: what did I do, my october, me and Dave; "show me" and "my boss" are nobody."""
        for n in filter(self.is_free, range(len(self.words))):
            if self.stands(n, "asker"):
                self.words[n].taken = "ME"

    # times, releases, teams, repositories, paths

    def _take_times(self) -> None:
        self._has_times = True
        people = {n for one in self.of("PERSON") for n in range(one.first, one.end)}
        unclear = ""
        for time in find_times(self.words, self.now, people):
            quotes = {self.words[n].quote for n in range(time.first, time.end)} - {0}
            in_quotes = 0 < sum(word.quote in quotes for word in self.words) < 7
            if not in_quotes and all(map(self.is_free, range(time.first, time.end))):
                self.take(time.first, time.end, "TIME", time)
                self.assumed += time.assumed
                unclear = unclear or time.unclear
        about, n = self.now.about, self.said("since that")
        if n is not None and about and about.end <= self.now.today:
            days = Days(about.end, self.now.today + DAY)
            self.take(n, n + self.phrase[n], "TIME", TimeFound(n, n + self.phrase[n], days))
        for n in filter(self.is_free, self.all):
            if self.has(n, "since that", "release before that", "release after that"):  # of which nothing was told
                self.classes[n] = frozenset()
        for n in range(len(self.words)):
            if self.stands(n, "release of a time"):  # "the april release", "how long between 2.1 and 2.2"
                first, size = self.opens[n], self.phrase[n]
                self.classes[first : first + size] = [frozenset(("state: tagged",))] * size
        if not any(one.value.days for one in self.of("TIME")):
            self.trouble = self.trouble or unclear

    def _take_releases(self) -> None:
        """Versions and tags that there are, which no time is then, and "the last release"."""
        lows, n, left = {word.low for word in self.words}, 0, MOST_VERSIONS
        where = {name for last, names in self.last_parts.items() if last in lows for name in names}
        where |= {str(one.value) for one in self.of("REPO")}
        tags = {tag.casefold(): tag for name, of in self.known.tags.items() if not where or name in where for tag in of}
        while n < len(self.words):
            end, found, low = n + 1, None, self.low(n)
            if self.has(n, "the one before") and self.of("RELEASE"):  # which a release is held against anyhow
                self.words[n].taken = "RELEASE"
            elif (
                self._released
                and self.opens[n] == n
                and self.has(n, "release before that", "release after that", "since that")
            ):
                found = self._from_thread(n, self._released)
                end += self.phrase[n] - 1
            elif not self.is_free(n) or (self.words[n].quote and not _VERSION.fullmatch(low)):
                pass
            elif self.among(n, "newest") or self.stands(n, "release alone"):
                while self.low(end) in self.last_parts or self.among(end, "tagged"):
                    end += 1
                found = NEWEST if self.among(end, "release") or not self.among(n, "newest") else None
            else:
                may_be = left > 0 and (low in tags or any(map(str.isdigit, low)))
                found, end = self._version_at(n, tags, may_be)
                left -= may_be
            n = self._take_release(n, end, found) if found else end
        if len(self.of("RELEASE")) > 1:
            for n in self.all:
                if self.has(n, "cannot: hours", "cannot: thing hours") or self.among(n, "apart"):
                    self.classes[n] = frozenset(("state: tagged",))  # how long it was between two releases

    def _from_thread(self, n: int, about: str) -> str | None:
        """The release before, or after, that of the thread, or what came since, as a word says."""
        if self.has(n, "since that"):
            if about in (NEWEST, LATEST):
                return LATEST
            return None if ".." in about or about == WHICH else f"{about}.."
        return self.release_beside(about, name_before if self.has(n, "release before that") else name_after)

    def release_beside(self, release: str, beside: Callable[[str, Iterable[str]], str | None]) -> str | None:
        """The tag of the release before or after one, by its version."""
        said, tagged = version_of(release), self.known.tags.values()
        return next((beside(tag, tags) for tags in tagged for tag in tags if said and version_of(tag) == said), None)

    def _version_at(self, n: int, tags: Mapping[str, str], may_be: bool) -> tuple[str | None, int]:
        """The release that a word begins, and where it ends."""
        end, found, low = n + 1, None, self.low(n)
        joined = f"{low}-{self.low(end)}"  # "1.18 rc2", "tokio-util 0.7.19"
        if self.is_strange(n) and (joined in tags or _PRE_RELEASE.fullmatch(self.low(end))):
            found = self._release(n, joined, tags)
        end += bool(found)
        return found or (self._release(n, low, tags) if may_be else None), end

    def _take_release(self, n: int, end: int, found: str) -> int:
        """Take a release with the words around it that belong to it; where they end. "1.4 releases" are all of 1.4."""
        if self.low(end) == "releases" and (line := LINE.fullmatch(f"{self.low(n)}.x")):
            found = line[0]
        else:
            end += self.among(end, "release", "release ends") and not self.pauses(end)
        first = n - self.among(n - 1, "release")
        since = self.among(self.lead(first), "since release")
        while self.has(first - 1, "determiners") or self.among(first - 1, "of release", "since release"):
            first -= 1
        if self.stands(first, "not in a release"):  # "what is in main that is not in 2.1"
            since, first = True, first - 2 - (self.low(first - 1) == "yet")
            first -= self.among(first - 1, "listed")
        last = next((self.last_parts[self.low(at)] for at in range(n + 1, end) if self.low(at) in self.last_parts), ())
        if since:
            found = LATEST if found == NEWEST else f"{found}.."
        self.take(first, end, "RELEASE", found)
        if len(last) == 1:
            self.items.append(Item(first, end, "REPO", last[0]))
        return end

    def _release(self, n: int, low: str, tags: Mapping[str, str]) -> str | None:
        """The release that a word names: a tag as it stands, the version of one, a pre-release ("rc2"), or a number
        behind words that a release stands behind."""
        before, after, is_v = n - 1, n + 1, low[0] == "v"
        is_date = _ISO.fullmatch(low) and not self.among(after, "release ends")
        is_date = is_date and not any(self.among(at, "release") for at in range(len(self.words)))
        is_thing = is_v and low[1:].isdigit() and self.is_strange(after) and self.known.knows_word(self.low(after))
        if is_date or is_thing or self.low(after) in ("branch", "branches", "series"):  # "the v3 API"
            return None
        if low in tags and (low not in listed_words() or self.stands(n, "release")):  # "list", "head" may be tags
            return tags[low]
        if _PRE_RELEASE.fullmatch(low):
            return self._pre_release(low, tags.values())
        if not _VERSION.fullmatch(low) or not (wanted := version_of(low)):
            return None
        versions, lead = [(tag, one) for tag in tags.values() if (one := version_of(tag))], self.low(before)
        fitting = [(tag, of) for tag, of in versions if (of.numbers, of.pre) == (wanted.numbers, wanted.pre)]
        led = [tag for tag, of in fitting if lead in re.split(r"\W", of.shape[0])]
        beside = {lead, self.low(before - 1)}
        at = before - (lead in ("to", "from", "version"))  # "bump go to 1.25", of grpc-go
        is_other = self.among(at, "platforms") and self.low(at) not in self.last_parts
        is_ours = led or any(not beside.isdisjoint(_parts(name)) for name in self.known.repositories)
        if is_other or (self.stands(n, "version of a thing") and not (is_ours or (is_v and fitting))):  # "python 3.12"
            if is_other and self.is_free(at):
                end = self._topic_end(n + 1, strong=False)
                self.take(at, end, "TOPIC", f"{self.words[at].raw} {self.raw(n, end)}")
            return None
        if fitting and ("." in low or is_v):
            plain = led or [tag for tag, of in fitting if of.shape[:2] == ("", "")]
            found = plain or [tag for tag, _ in fitting]
            several = sum(not set(of).isdisjoint(found) for of in self.known.tags.values()) > 1
            return self.words[n].raw if several or (not plain and len(found) > 1) else found[0]
        near = any(of.numbers[: len(wanted.numbers)] == wanted.numbers for _, of in versions)
        is_named = is_v or (tags and (self.among(before, "release") or (near and "." in low)))
        return self.words[n].raw if is_named and (is_v or self.stands(n, "release")) else None

    def _pre_release(self, low: str, tags: Iterable[str]) -> str | None:
        """The tag of "rc2": of the version that is named beside it, else of the highest."""
        wanted = version_of(f"0-{low}")
        versions = [(one, tag) for tag in tags if (one := version_of(tag)) and wanted and one.pre == wanted.pre]
        beside = {one.numbers for word in self.words if (one := version_of(word.raw)) and "." in word.raw}
        found = [(one.order, tag) for one, tag in versions if one.numbers in beside]
        return max(found or [(one.order, tag) for one, tag in versions], default=(None, None))[1]

    def _take_teams(self) -> None:
        for team in sorted(self.known.teams, key=len, reverse=True):
            parts = [word.low for word in split_words(team)]
            for n in range(len(self.words) - len(parts) + 1):
                end = n + len(parts)
                if [word.low for word in self.words[n:end]] == parts and all(map(self.is_free, range(n, end))):
                    before, after = self.low(n - 1) == "team", self.low(end) in ("team", "squad")
                    if before or after or self.stands(n, "team", end=end):
                        self.take(n - before, end + after, "TEAM", team)
        self._take_own_team()
        for n in range(len(self.words)):
            if self.stands(n, "unknown team"):
                teams = clean(listed(list(self.known.teams)))
                there = f"Teams are {teams}." if teams else "almanac.toml names no [[teams]]."
                self.trouble = self.trouble or f"I know no team called “{clean(self.words[n].raw)[:80]}”. {there}"

    def _take_own_team(self) -> None:
        """My team, where almanac.toml has teams: the one that the asker is in."""
        own, teams = self.known.own_teams, self.known.teams
        for n in range(len(self.words) - 1) if teams else ():
            if self.low(n) == "my" and self.low(n + 1) == "team" and self.is_free(n) and self.is_free(n + 1):
                self.take(n, n + 2, "TEAM", own[0] if own else teams[0])
                if len(own) == 1:
                    self.assumed.append(f"“{self.raw(n, n + 2)}” read as {own[0]}")
                else:
                    self.trouble = self.trouble or f"Which team is yours: {clean(listed(list(own or teams), 'or'))}?"

    def _take_repositories(self) -> None:
        owners = _called_so(self._repositories, "owner")
        for n, word in enumerate(self.words):
            after, low = n + 1, word.low
            if word.taken or word.quote:
                continue
            if low in self.last_parts and (
                self.among(after, "repository")
                or (self.stands(n, "repository") and not self.stands(n, "part of a thing"))
            ):
                names = self.last_parts[low]
                end = after + (self.among(after, "repository") or self.low(after) in ("main", "master", "trunk"))
                self.take(n, end, "REPO", names[0] if len(names) == 1 else names)
            elif _SLASHED.fullmatch(low) and low.partition("/")[0] in owners and not self.known.knows_path(low):
                self.trouble = self.trouble or f"I have not indexed a repository called “{clean(word.raw)[:80]}”."

    def _take_paths(self) -> None:
        for n, word in enumerate(self.words):
            raw, trouble = word.raw, ""
            if not word.taken and self.low(n + 1) in ("file", "files") and not self.pauses(n + 1):
                known = [one for one in endings_of(word.low) if self.known.knows_path(f"*.{one}")]
                self.items += [Item(n, n + 2, "PATH", f"*.{one}") for one in known]
                for at in (n, n + 1) if known else ():
                    self.words[at].taken = "PATH"
            if word.taken or not ("/" in raw or "." in raw):
                continue
            ending, end = _ENDING.fullmatch(raw), n + 1 + (self.low(n + 1) in ("file", "files", "folder", "stuff"))
            if ending and (raw[0] == "*" or end > n + 1) and self.known.knows_path(f"*{ending[1]}"):  # not ".NET"
                self.take(n, end, "PATH", f"*{ending[1]}")
            elif "/" in raw and re.fullmatch(r"[\d/.]+", raw):
                trouble = f"I do not understand “{raw}”: write a month as 2025-10."
            elif self.known.knows_path(raw):
                self.take(n, end, "PATH", raw)
                self._mend_trailing(end)
            elif _PATH.fullmatch(raw) and not (word.quote or self.stands(n + 1, "kind")):  # "crash/hang/freeze fixes"
                trouble = f"I know no file or folder called “{clean(raw)[:80]}”."
            self.trouble = self.trouble or trouble

    # topics

    @property
    def asks_release(self) -> bool:
        """Whether it is asked in which release something is: "which version has …", "is … in 2.5"."""
        if self.said("asks release") is not None:
            return True
        if all(".." in one.value or one.value == LATEST for one in self.of("RELEASE")) or self.stand("there are some"):
            return False
        first = next((n for n in range(len(self.words)) if not self.has(n, "talk", "follow")), 0)
        who = next((one.end for one in self.of("PERSON") if one.first == first + 1), 0)  # "did Ann …", not "is Ann's …"
        acts = self.low(first + 1) == "i" or (who and not self.words[who - 1].is_owner)
        asks = self.among(first, "before subject") and not acts
        return asks and self.taken(first + 1) != "RELEASE"

    def _take_feature(self) -> None:
        """What is sought in releases: of each stretch of words all that say anything, as one topic."""
        if not self.asks_release or any(one.tag == "REF" for one in self.items):
            return
        first = 0
        for n in range(len(self.words) + 1):
            gap = self.words[n].before if n < len(self.words) else "?"
            ends = self.stands(n, "end of a feature")
            if self.is_free(n) and not ends and not re.search(r"[,;?!]|\s[-–—]\s", gap):
                continue
            if sure := [at for at in range(first, n) if self._may_be_topic(at)]:
                said = [at for at in range(sure[0], n) if at in sure or not self.stands(at, "empty")]
                text = " ".join(self.words[at].raw.replace("#", " ") for at in said).strip()
                self.take(said[0], said[-1] + 1, "TOPIC", text)
            first = n if self.is_free(n) and not ends else n + 1

    def _take_topics(self) -> None:
        self.asks_who = self._asks_who()
        self._take_quoted()
        self._leave_out()
        self._take_heading()
        self._take_story()
        self._take_behind()
        self._take_landed()
        self._take_deeds()
        self._take_before_kinds()
        self._take_code()
        self._take_actions()
        self._widen_topics()

    def _widen_topics(self) -> None:
        """A word that carries nothing, but of which the history tells beside the topic that it stands before, is of
        that: "super reactions", "the ChangeLog file"."""
        for item in self.of("TOPIC"):
            n = item.first - 1
            is_bare = n >= 0 and self.is_free(n) and self.phrase[n] == 1
            is_bare = is_bare and (self.classes[n] <= _CARRYING_NOTHING or self.among(item.first, "sorts"))
            if not is_bare or self.pauses(item.first) or self.among(n, "within topic") or self.has(n, *_NEVER_NAMES):
                continue
            wider = f"{self.raw(n, n + 1)} {item.value}"
            is_known = bool(self.classes[n]) or self.known.knows_word(self.low(n))
            if " OR " not in wider and is_known and self.known.holds(wider):
                item.first, item.value, self.words[n].taken = n, wider, "TOPIC"

    def _take_quoted(self) -> None:
        for n in range(len(self.words)):
            quote, end = self.words[n].quote, n
            while quote and self.is_free(end) and self.words[end].quote == quote:
                end += 1
            self._take_topic(n, end)

    def _take_heading(self) -> None:
        """ "waker_set in june: who …" """
        count = len(self.words)
        end = next((n for n in range(1, count) if self.pauses(n) or not self._may_be_topic(n)), count)
        behind = next((one.end for one in self.of("TIME") if one.first == end), end)
        if behind < count and re.search(r":|\s[-–—]\s", self.words[behind].before):
            self._take_topic(0, self._topic_end(0, strong=False))

    def _take_behind(self) -> None:
        """What stands behind on, about, who worked on."""
        last = len(self.words) - 1
        for n in range(last + 1):
            is_sure = self.stands(n, "topic")
            if self.opens[min(n + 1, last)] == n + 1 and (is_sure or self.stands(n, "topic that is known")):
                first = self._behind_articles(n + 1)
                if first > n + 1 and self._mend_trailing(first):  # "who knows that best"
                    continue
                end = self._topic_end(first, strong=is_sure)
                if self.asks_who:
                    self._mend_trailing(end)
                is_name = self.low(n) == "about" and not self.asks_who and end == first + 2
                is_name = is_name and bool(self.known.directory.given(self.low(first)))
                self._take_topic(first, end if not is_name else first)
                if self.low(n) == "new" and self.taken(n + 1) == "TOPIC":
                    self.classes[n] = frozenset(("kind: feature", "kind"))

    def _behind_articles(self, n: int) -> int:
        while self.stands(n, "article"):
            n += 1
        return n

    def _take_landed(self) -> None:
        """ "has … landed", "did … ship" """
        for first, end in self.runs:
            if self.stands(end, "landed") and all(map(self.is_free, range(first, end))):
                while self.has(first, "determiners", "nothing"):
                    first += 1
                self._take_topic(first, min(self._topic_end(first, strong=True), end))

    def _take_deeds(self) -> None:
        """What was done, where nothing is said that it was done to: "what was fixed", "what did we remove"."""
        for n, word in enumerate(self.words):
            if self.story < 0 and self.stands(n, "deed without an object"):
                kind = tables()["made"][word.low]
                if kind.startswith("kind: "):
                    self.classes[n] |= {kind, "kind"}
                else:
                    self.take(n, n + 1, "TOPIC", kind)
                    self.is_deed = True

    def _take_before_kinds(self) -> None:
        """What stands before work, changes, fixes."""
        for n in range(1, len(self.words)):
            first, is_kind = n, self.stands(n, "kind")
            while (is_kind or self.stands(n, "some")) and self.opens[n] == n:
                is_or = (
                    first < n and self.low(first - 1) in ("or", "and", "+") and self.stands(first - 2, "before a kind")
                )
                if not (is_or or self.stands(first - 1, "before a kind")):
                    break
                first -= 1
            if is_kind or self.has(first - 1, "only", "determiners"):
                self._take_topic(first, n)

    def _take_code(self) -> None:
        """What only code is called."""
        is_mixed = any(map(str.islower, "".join(word.raw for word in self.words)))
        for n, word in enumerate(self.words):
            end = n + 1
            is_code = _is_code(word.raw) and (is_mixed or not word.raw.isupper())
            is_somebody = any(run == (n, end) and self.among(end, "does") for run in self.runs)
            if self.is_strange(n) and not is_somebody and is_code:
                self._take_topic(n, end)

    def _take_actions(self) -> None:
        """An action with its object; "who touched X last"."""
        is_story = self.story >= 0
        for n, word in enumerate(self.words):
            end = n + 1
            if self.stands(n, "action") and not is_story:
                end = self._behind_articles(end)
                stop = self._topic_end(end, strong=False)
                said = f"{tables()['actions'].get(word.low, word.low)} {self.raw(end, stop)}".strip()
                self.take(n, stop if stop > end else n + 1, "TOPIC", said)
            elif word.low == "last" and self.stands(n, "last of all"):
                self.classes[n] = frozenset(("order: landed" if self.asks_who else "order: latest",))

    def _take_topic(self, first: int, end: int) -> None:
        """Take some words as a topic; "memory / cache" are alternatives."""
        if end <= first or (
            not self.words[first].quote
            and (
                all(self.has(n, "theirs") for n in range(first, end))
                or (self.among(first - 1, "listed") and all(self.among(n, "sorts") for n in range(first, end)))
            )
        ):  # "who knows it", "who knows that code"
            return
        for n in range(first, end):
            self.slips.pop(n, None)
        said, is_quoted = self.raw(first, end), self.words[first].quote
        names = () if is_quoted else self.last_parts.get(said.casefold(), ())
        kept = [
            self.words[n].raw for n in range(first, end) if is_quoted or not self.among(n, "within topic", "generic")
        ]
        if not kept and len(names) != 1:  # "that first one": no commit is found by such words
            self.lose(range(first, end))
            return
        said = said if len(kept) == end - first else " ".join(kept)
        if not is_quoted:
            said = self._alternatives(range(first, end), kept) or said
            said = said.replace("/", " OR ") if _PATH.fullmatch(said) else said
        if not is_quoted and "." in said and _VERSION.fullmatch(said) and any(self.known.tags.values()):
            self.trouble = self.trouble or f"I know no release called “{clean(said)}”."
        self.take(first, end, "REPO" if len(names) == 1 else "TOPIC", names[0] if len(names) == 1 else said)

    def _alternatives(self, words: range, kept: Sequence[str]) -> str:
        """Those of some words that are kept, as alternatives where "or" or a stroke stands between; "" where none
        does."""
        ors = [n for n in words[1:] if self.words[n].before.strip() == "/" or self.low(n - 1) == "or"]
        halves = [range(a, b) for a, b in pairwise((words[0], *ors, words[-1] + 1))]
        each = (" ".join(self.words[n].raw for n in one if self.words[n].raw in kept) for one in halves)
        return " OR ".join(filter(None, each)) if ors else ""

    @property
    def story(self) -> int:
        """Where the thing begins whose story is asked: why it is so, when it came, what became of it, who made it; -1
        where none is."""
        n = 0
        while self.stands(n, "before a story"):
            n += self.phrase[n]
        if self.stands(n, "why"):
            return n + self.phrase[n]
        if self.stands(n, "when"):
            return n + 1 + (self.low(n) == "when")
        if self.stands(n, "who made"):
            return n + 1 + self.phrase[n + 1]
        while self.stands(n, "article"):
            n += 1
        end = n
        while (
            self.taken(end) == "TOPIC"
            or (self.is_free(end) and (self._tells(end) or (end > n and self.has(end, "make"))))
        ) and (end == n or (end - n < LONGEST_THING and not self.pauses(end))):
            end += 1
        return n if end > n and self.stands(end, "came") else -1  # "doxygen support came and went"

    def _take_story(self) -> None:
        """The words of a story that the index knows, whatever verbs stand between them: why did we pull X out of Y."""
        n, kept = -1 if self.of("REF") else self.story, list[int]()
        while 0 <= n <= len(self.words):
            ends = self.has(n, "questions", "aside", "told")
            goes_on = self.is_free(n) and not ends and not (kept and self.pauses(n))
            if goes_on and (self._tells(n) or (kept and self.stands(n, "word of a thing"))):  # "the drag handle option"
                kept.append(n)
            elif not goes_on or not self.stands(n, "between in a story"):
                beside = kept and "PATH" in (self.taken(kept[0] - 1), self.taken(kept[-1] + 1))
                if beside and all(self.among(at, "sorts") for at in kept):
                    for at in kept:
                        self.classes[at] = frozenset(("nothing",))
                elif kept:
                    said = [self.words[at].raw for at in kept]
                    if not all(self.among(at, "generic") for at in kept):
                        either = self._alternatives(range(kept[0], kept[-1] + 1), said)
                        self.take(kept[0], kept[-1] + 1, "TOPIC", either or " ".join(said))
                kept = []
                if ends or self.pauses(n) or self.among(n, "came"):
                    return
            n += 1

    def _tells(self, n: int) -> bool:
        passed = IDLE | {"kind", "changes", "work"}
        return self.stands(n, "told") and all(
            name.startswith(("cannot: thing", "kind: ")) for name in self.classes[n] - passed
        )

    def _mend_trailing(self, n: int) -> bool:
        """Whether a word behind a topic or a path only says when or how well: "who knows the parser best"."""
        is_trailing = self.is_free(n) and self.among(n, "trailing")
        if is_trailing:
            self.classes[n] = frozenset((tables()["trailing"].get(self.low(n), "nothing"),))
        return is_trailing

    def _asks_who(self) -> bool:
        """Whether it is asked who did something."""
        if self.said("asks who") is not None or self.stand("which people"):
            return True
        asides = [n for n in range(len(self.words)) if self.has(n, "aside", "told") and self.items]
        who = next((n for n in range(len(self.words)) if self.stands(n, "somebody") and n not in asides), -1)
        return who >= 0 and not self.has(who, "everyone") and not self.has(who + 1, "reviews")

    def _may_be_topic(self, n: int) -> bool:
        """Whether a word can be one of a topic's: no list has it, or it is a thing or a form."""
        low = self.low(n)
        if not self.is_free(n) or self.stands(n, "no thing") or _NUMBER.fullmatch(low) or not low.strip("-–&+/"):
            return False
        names = {name for name in self.classes[n] - IDLE if not name.startswith("cannot: thing")}
        return not names or (self.phrase[n] == 1 and all(name.startswith("form: ") for name in names))

    def _topic_end(self, first: int, *, strong: bool) -> int:
        """Where the topic ends that begins at a word; there, where none does."""
        end = first
        while self.is_free(end) and (end == first or not self.pauses(end)):
            if self._may_be_topic(end) or self.stands(end, "noun first" if end == first else "noun"):
                end += 1
            elif end > first and self.stands(end, "within a topic"):
                end += 1
                while self.low(end) in ("the", "a", "an", "our"):
                    end += 1
            else:
                break
        while end > first and self.among(end - 1, "within topic"):
            end -= 1
        while end - 1 > first and self._mend_trailing(end - 1):
            end -= 1
        words = [n for n in range(first, end) if self.is_strange(n) and self._may_be_topic(n)]
        known = [self.known.knows_word(self.low(n)) or _CODE.fullmatch(self.words[n].raw) for n in words]
        return end if strong or (known and all(known)) else first

    # what is left

    def _leave_out(self) -> None:
        """What stands behind "without" and the like, across "and", or before "does not count"."""
        for n in range(len(self.words)):
            before, end, first = len(self.left_out), n + self.phrase[n], n
            if self.opens[n] == n and self.has(n, "neg behind"):
                while self.stands(first - 1, "left out before"):
                    first -= 1
                self._take_topic(first, n)
                item = self.item_at(n - 1)
                first = item.first if item else self.opens[n - 1]
                while self.among(first - 1, "joins") and not self.pauses(first) and self._may_be_left_out(first - 2):
                    item = self.item_at(first - 2)
                    first = item.first if item else self.opens[first - 2]
                self._leave_out_behind(first, n)
            elif self.opens[n] == n and self.stands(n, "without"):
                self._leave_out_behind(end, len(self.words))
            else:
                continue
            if self.low(n) == "not" and len(self.left_out) > before:
                self.words[n].taken = "NOT"
            elif len(self.left_out) == before or self.low(self.left_out[-1].end) == "of":
                # "without the tests of the parser" keeps all other tests
                self.bad_negation = True
                self.classes[n:end] = [frozenset(("not",))] * (end - n)

    def _may_be_left_out(self, n: int) -> bool:
        item = self.item_at(n)
        return item.tag in _LEFT_OUT if item else self.has(n, "kind") or self.among(n, "bots")

    def _leave_out_behind(self, at: int, stop: int) -> None:
        """What is left out from a word on; behind a pause only what was read before it."""
        joined, before, is_apart = True, len(self.left_out), self.pauses(at)
        while at < stop:
            item, some, end = self.item_at(at), self.left_out[before:], at
            while not item and self.stands(end, "left out first" if end == at else "left out"):
                end += 1
            in_list = bool(some) and "," in self.words[at].before
            if item and in_list and item.tag == some[-1].tag:  # "without Ada, Grace and bots"
                joined = item.end >= len(self.words) or self.among(item.end, "joins") or self.pauses(item.end)
            if item and not (item.tag in _LEFT_OUT and (joined or item.tag == "TOPIC")):
                return
            if some and self.low(at) == "by" and some[-1].end == at and len(self.of("PERSON")) == 1:
                return  # "commits without ports and docs by Ada" are hers
            in_list = in_list and self.among(at + self.phrase[at], "joins")
            if item or ((joined or in_list) and (item := self._word_left_out(at))):  # "no docs, tests or ci"
                self.left_out.append(item)
                joined = self.words[item.end - 1].is_owner or item.tag == "TOPIC"
            elif self.among(at, "joins"):
                joined, end = True, at + 1
            elif joined and self.stands(at, "says of what is left out"):
                # "commits that only add tests"
                self.classes[at], end = frozenset(("nothing",)), at + 1
            elif self.stands(at, "passed over") or (joined and self.stands(at, "leads what is left out")):
                end = at + 1
            elif end > at and not is_apart and (joined or ("," in self.words[at].before and self.among(end, "joins"))):
                self._take_topic(at, end)
                self.left_out += [one for one in [self.item_at(at)] if one]  # none, of words that say nothing
                joined = True
            else:
                return
            at = item.end if item else end

    def _word_left_out(self, n: int) -> Item | None:
        kinds = [name[6:] for name in self.classes[n] if name.startswith("kind: ")]
        kinds += ["release"] * self.has(n, "state: tagged")
        kinds += ["revert"] * self.has(n, "state: reverted")
        if self.is_free(n) and self.among(n, "chores"):  # as titles say it: of that kind is what has no other
            return self.take(n, n + 1, "TOPIC", self.low(n).removesuffix("s"))
        if self.is_free(n) and self.among(n, "bots"):
            return self.take(n, n + 1, "BOTS", self.low(n) if self.low(n) in ("merge", "merges") else "bots")
        if self.is_free(n) and kinds:
            return self.take(n, n + self.phrase[n], "KIND", kinds[0])
        is_me = self.low(n) in ("me", "myself") and self.known.asker
        return self.take(n, n + 1, "PERSON", (self.known.asker,)) if is_me else None

    def _find_unread(self) -> None:
        """What nothing took: strange words with what leads to them, and what conditions the words behind it."""
        lost = set[int]()
        for n in filter(self.is_free, range(len(self.words))):
            if self.stands(n, "not of a why"):  # "why is the cache not on"
                self.classes[n] = frozenset(("nothing",))
            if self.has(n, "neg") and self.stands(self.opens[n], "kept in a story"):
                self.bad_negation, self.classes[n] = True, frozenset(("not",))
        lost |= self._lost_people()
        for n in filter(self.is_free, range(len(self.words))):
            if (self.is_strange(n) and not self.stands(n, "number of them")) or self.stands(n, "unread"):
                lost.add(n)
            elif self.phrase[n] == 1 and n not in lost and self.stands(n, "condition") and not self.stands(n, "read"):
                lost |= self._lost_behind(n, "prepositions")
            if self.bad_negation and self.has(n, "not"):
                lost |= self._lost_behind(n)
        for n in sorted(lost):
            at = n - 1
            while at not in lost and not self.pauses(at + 1) and self.stands(at, "lost before"):
                lost.add(at)
                at -= 1
        self.lose(lost)

    def _lost_behind(self, n: int, *stops: str) -> set[int]:
        """A word and those behind it, as far as nothing took them."""
        at = n + 1
        while self.is_free(at) and not self.pauses(at) and not self.has(at, "questions", *stops[: at - n - 1]):
            at += 1
        return set(range(n, at))

    def _lost_people(self) -> set[int]:
        """ "with Ralf", "like Ralf", "before Ralf left": of somebody who is a condition that nobody can hold."""
        lost = set[int]()
        for item in [*self.of("PERSON"), *self.of("TEAM")]:
            n = self.lead(item.first)
            if not self.stands(n, "conditions somebody"):
                continue
            self.items.remove(item)
            for word in self.words[n : item.end]:
                word.taken = "LOST"
            if self.among(n - 1, "meetings"):  # which only says why somebody asks
                self.met.append(item)
            else:
                lost |= {*range(n, item.end), *self._lost_behind(item.end - 1, "prepositions")}
        return lost


_LISTED = listed_words() | TIME_WORDS
_MONTHS = frozenset(name.lower()[:size] for name in NAMES for size in (3, 4, 9))


def _is_code(raw: str) -> bool:
    return _CODE.fullmatch(raw) is not None and not _FISCAL.fullmatch(raw.casefold())


@lru_cache(maxsize=10_000)
def _parts(repository: str) -> Set[str]:
    return frozenset(re.split(r"[/._-]", repository.casefold()))


@cache
def _called_so(repositories: tuple[str, ...], by: str = "last part") -> Mapping[str, tuple[str, ...]]:
    """The repositories by their whole names, owners, or last parts."""
    found: dict[str, tuple[str, ...]] = {}
    for name in repositories:
        owner, _, last = name.casefold().rpartition("/")
        keys = {
            "name": [name.casefold()],
            "owner": [owner],
            "last part": [last],
        }
        for key in keys[by]:
            found[key] = (*found.get(key, ()), name)
    return found


# What a word may be beside what lists, classes and tags say, for the places of words.json.
QuestionPart.marks = {
    "FREE": QuestionPart.is_free,
    "STRANGE": QuestionPart.is_strange,
    "ANYTAKEN": lambda part, n: part.taken(n) != "",
    "LAST": lambda part, n: n == len(part.words) - 1,
    "BEGINS": lambda part, n: all(part.has(at, "talk") for at in range(n)) and not part.has(n, "talk"),
    "TAKEN": lambda part, n: part.taken(n) not in ("", "LOST"),
    "OWNER": lambda part, n: part.words[n].is_owner,
    "HANDLE": lambda part, n: part.words[n].is_handle,
    "CAPITAL": lambda part, n: part.words[n].raw[:1].isupper(),
    "NUMBER": lambda part, n: part.low(n).isdigit(),
    "NAME": lambda part, n: bool(part.called(n)),
    "OWNERS": lambda part, n: bool(part._plural(n)),
    "GIVEN": lambda part, n: bool(part.known.directory.given(part.low(n))),
    "KNOWN": lambda part, n: part.known.knows_word(part.low(n)),
    "LETTERS": lambda part, n: part.low(n).isascii() and part.low(n).isalpha(),
    "MONTH": lambda part, n: part.low(n) in _MONTHS,
    "HASH": lambda part, n: re.search(r"[a-f]", part.low(n)) is not None and re.search(r"\d", part.low(n)) is not None,
    "LONG": lambda part, n: len(part.low(n)) == 40 or (len(part.low(n)) == 8 and part.words[n].raw.islower()),
    "EARLY": lambda part, n: n < 2,
    "SIGN": lambda part, n: not part.low(n).strip("-–&+/"),
    "CLASSED": lambda part, n: bool(part.classes[n]),
    "CODE": lambda part, n: _is_code(part.words[n].raw),
    "INSTORY": lambda part, n: 0 <= part.story <= n and not {"TIME"} & {*map(part.taken, range(part.story, n))},
    "STORY": lambda part, n: part.story == n + 2,
    "TWO": lambda part, n: len(part.known.repositories) == 2,
    "ALONE": lambda part, n: part.phrase[n] == 1,
    "TIMEWORD": QuestionPart.is_time,
    "REPOSITORY": lambda part, n: part.low(n) in part.last_parts,
    "ASKED": lambda part, n: part.low(0) in ("what", "which", "who", "how"),
    "WHATDID": lambda part, n: any(part.low(at) == "what" and part.among(at + 1, "before subject") for at in range(n)),
    "ASKING": lambda part, n: all(part.has(at, "follow") or part.low(at) == "for" for at in range(n)),
    "THING": QuestionPart._may_be_topic,
    "RUN": lambda part, n: n in part.subjects,
    "BEHIND": lambda part, n: any(end == n for _, end in part.runs),  # a subject
    "FIRST": lambda part, n: n == 0,
    "OPENING": lambda part, n: all(part.has(at, "follow", "nothing", "talk") for at in range(n)),
    "COMPARED": lambda part, n: part.compares,
    "COMPARING": lambda part, n: any(word.low in ("compare", "vs", "versus") for word in part.words),
    "WHO": lambda part, n: part.asks_who,
}
