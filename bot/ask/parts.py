"""A sentence of a question, or a clause of one, as it is read: each word fills a slot, carries nothing, is a topic, or
is unread. Pure.

Passes over the list of its words, each of which takes what none took before, in this order: references and whole names
of repositories; slips; phrases of the lists; full names, and people whose names are words where people stand;
releases; times; teams, repositories, names, paths; topics and what is left out. The rest that no list has is unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise

from rapidfuzz.distance import OSA

from bot.ask.known import Known
from bot.ask.places import IDLE, Item, WordLine
from bot.ask.times import DAY, TIME_WORDS, Now, TimeFound, find_times
from bot.ask.words import Word, classes_of, listed_words, lists, phrases_at, slip, split_words, tables
from bot.model import Person
from bot.month.addresses import plain, unaccented
from bot.month.calendar import NAMES, Days
from bot.month.releases import LATEST, LINE, NEWEST, WHICH, name_after, name_before, version_of
from bot.wording import clean, listed

UNKNOWN_MEMBER = (
    "I do not know which author that is in git: ask with the name as it stands in their commits, or put their "
    "Slack id, {}, beside their name in almanac.toml."
)
ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\w")
_HEX = re.compile(r"[0-9a-f]{7,40}", re.IGNORECASE)
_REF = re.compile(r"(?:[\w.-]+/)?(?:[\w.-]+)?#\d+|D\d{5,}|cl/\d{6,12}", re.IGNORECASE)
_SLASHED = re.compile(r"[\w.-]+/[\w.-]+")
_VERSION = re.compile(r"v?\d+(?:\.\d+){1,4}(?:[-.]?(?:rc|beta|alpha|b|a|post|dev)\.?\d*)?|v\d+", re.IGNORECASE)
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_CODE = re.compile(
    r"\w*[a-z][A-Z]\w*|\w+_\w+|\w+::\w+|[A-Za-z]+\d+\w*|\w+\+\+|\w+#|[A-Z]{2,}\d*s?|[A-Za-z]{2,}(?:-\d{2,})+"
)
_PATH = re.compile(r"\.?[\w@+-][\w.@+-]*(?:/[\w.@+-]+){2,}/?")
_FISCAL = re.compile(r"fy'?\d+", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d(?:-\d\d)?(?:-\d\d)?|q[1-4]|h[12]")
_NEVER_NAMES = (
    "determiners", "prepositions", "questions", "pronouns", "asker", "theirs", "everyone", "do", "not",
)  # fmt: skip
_LEFT_OUT = ("PERSON", "REPO", "TOPIC", "PATH", "TEAM", "BOTS")
_NOBODY = frozenset(("and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"))  # is called so
_CLASSED = {  # of a word at a place other classes than its phrase has
    "branch": ("nothing",),
    "told of a summary": ("nothing",),
    "told of a pace": ("overview",),  # "was june slow"
    "told of others": (),  # "what users would notice"
    "of its copies": ("asks release",),
    "left": ("absent", "order: latest"),
    "thing shown": ("theirs",),
    "since that": ("since that",),
    "not of a why": ("nothing",),  # "why is the cache not on"
    "of a thing": (),  # "the handling of ignore files" leaves nothing out
    "neg": ("neg",),
}
LONGEST_TOPIC = 12  # words
MOST_VERSIONS = 12  # that are looked up among the tags


class QuestionPart(WordLine):
    """The words of a part, what they were taken as, and what was not understood.

    `mentioned` are all people who are named, whatever for. `trouble` says of a time, a team, a repository or a member
    that there is none such; `bad_negation` that something is left out, or is all, and nobody can tell what; `is_deed`
    that the topic is what was done: "what was removed". `released` is the release that the thread is about.
    """

    def __init__(self, words: list[Word], known: Known, now: Now, released: str | None = None) -> None:
        super().__init__(words)
        self.known, self.now, self._released = known, now, released
        self.last_parts = _called_so(tuple(known.repositories))
        self.slips, self.assumed, self.trouble = dict[int, tuple[str, str]](), list[str](), ""
        self.bad_negation = self.asks_who = self.is_deed = self._has_times = False
        self._take_references()
        self._mend_slang()
        self._mend_slips()
        self._find_phrases()
        for take in (
            self._take_names, self._take_releases, self._take_times, self._take_teams,
            self._take_repositories, self._take_names, self._take_paths, self._take_topics, self._take_near_names,
            self._take_asker,
        ):  # fmt: skip
            self._find_subjects()
            take()
        self.mentioned = self.of("PERSON")
        self._find_unread()

    def _find_subjects(self) -> None:
        """Find where a subject stands: between "did" or "has" and what was done."""
        self.runs = list[tuple[int, int]]()
        helps, verbs = lists()["before subject"] | {"if", "whether"}, lists()["verbs"]
        for n in (n for n, word in enumerate(self.words) if word.low in helps and not word.taken):
            behind = range(n + 1, min(n + 12, len(self.words)))
            acts = (at for at in behind if self.is_free(at) and (self.has(at, "deed") or self.low(at) in verbs))
            end = next(acts, n)
            same = all(self.words[at].sentence == self.words[n].sentence for at in range(n, end + 1))
            if end > n + 1 and same and not any(self.has(at, "questions") for at in range(n + 1, end)):
                self.runs.append((n + 1, end))
        self.subjects = {n for first, end in self.runs for n in range(first, end)}

    # references, slips, phrases

    def _take_references(self) -> None:
        full, exactly = {name.casefold(): name for name in self.known.repositories}, self.known.directory.exactly
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
                self.take(n, n + 1, "REPO", full[word.low])

    def _mend_slang(self) -> None:
        """Read "in ty", short for thanks elsewhere, as the folder that is called so."""
        for before, word in pairwise(self.words):
            raw = word.raw.casefold()
            is_short = raw != word.low and raw in tables()["contracted"] and before.low in ("about", "in", "of", "on")
            if is_short and self.known.knows_path(f"{raw}/"):
                word.low = raw

    def _mend_slips(self) -> None:
        """Read a word that hardly a message has, one letter from exactly one verb, kind or time word, as that."""
        is_common = self.known.is_common or self.known.knows_word
        for n, word in enumerate(self.words):
            low = word.low
            is_word = len(low) > 3 and low.isascii() and low.isalpha() and not (word.raw.isupper() or low in _LISTED)
            if not is_word or word.taken or word.quote or word.is_handle:
                continue
            if (meant := slip(low)) and not (self.known.directory.exactly(low) or self._plural(n) or is_common(low)):
                word.low, self.slips[n] = meant, (word.raw, meant)

    def _find_phrases(self) -> None:
        """Find the longest phrase that begins at each word, and what it is."""
        n, count, lows = 0, len(self.words), tuple(word.low for word in self.words)
        while n < count:
            end, names = n + 1, frozenset[str]()
            for at, of in sorted(phrases_at(lows, n).items(), reverse=True):
                if all(map(self.is_free, range(n, at))) and not any(map(self.pauses, range(n + 1, at))):
                    end, names = at, of
                    break
            self.classes[n:end], size = [names] * (end - n), end - n
            self.opens[n:end], self.phrase[n:end] = [n] * size, [size] * size
            n = end
        for n in self.all:
            for place, classes in _CLASSED.items():
                if self.stands(n, place):
                    self.classes[n] = frozenset(classes)
            if self.stands(n, "leave out"):  # "leave the docs aside"
                out = next((at for at in range(n + 2, n + 7) if self.among(at, "left aside")), n)
                if out > n and not any(map(self.pauses, range(n + 1, out + 1))):
                    self.classes[n], self.classes[out] = frozenset(("neg",)), frozenset(("nothing",))

    # people

    def _take_names(self) -> None:
        """Full names, before times are read; then whoever is called as a word is, where people stand."""
        n, opens = 0, self.known.directory.may_open
        while n < len(self.words) and not self._has_times:
            low, end = self.low(n), n + 1
            longest = 6 if opens(low) or opens(f"{low},") else 2 * (len(low) == 1)  # "d. kim"
            if longest and self.is_free(n):
                sizes = range(min(n + longest, len(self.words)), end, -1)
                end, people = next(((at, found) for at in sizes if (found := self._full_name(n, at))), (end, ()))
                if people:
                    self.take(n, end, "PERSON", people)
            n = end
        for n in filter(self.is_free, self.all):
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
        named = self.known.directory.exactly
        if is_word and not (named(word.low, levels=(0, 1, 2, 3)) or named(f"{word.low}[bot]", levels=(1,))):
            return False  # "python", of python-69
        return self.stands(n, "name") or not self.stands(n, "part of a thing")

    def _full_name(self, first: int, end: int) -> tuple[Person, ...]:
        """Who has some words as their full name, "Hopper, Grace" and "dave k." included."""
        directory, some = self.known.directory, self.words[first:end]
        if any(word.taken for word in some) or any(re.search(r"[;:?!()]|\s[-–—]\s", one.before) for one in some[1:]):
            return ()
        said = " ".join(word.low for word in some)
        people = directory.named(said) or directory.named(said.replace(" ", ", ", 1))
        people = people or (directory.named(said[:-1]) if said.endswith("s") else ())
        initial, name = sorted((some[0].low, some[-1].low), key=len)
        if people or len(some) > 2 or len(initial) != 1 or initial in "ai" or not initial.isalpha():
            return people
        parts = [(p, plain(p.name).split()) for p in directory.exactly(name, levels=(3,))]
        return tuple(p for p, of in parts if any(part.startswith(initial) for part in of if part != name))

    def _take_name(self, n: int, people: tuple[Person, ...]) -> None:
        """Take a word as somebody's name, with what stands beside it and is another part of that: "van der"."""
        if self.low(n - 1) == "both" and self._plural(n):  # "both daves"
            self.items += [Item(n, n + 1, "PERSON", (one,)) for one in people]
            self.words[n].taken = "PERSON"
            return
        item = self.take(n, n + 1, "PERSON", people)
        while self.stands(item.end, "part of a name behind") and self._is_part(item, item.end):
            item.end += 1
        while self.among(item.first - 1, "name parts") and self._is_part(item, item.first - 1):
            item.first -= 1

    def _is_part(self, item: Item, n: int) -> bool:
        """Whether a word beside a name is another part of it, which is taken then, and narrows whose it is."""
        part = unaccented(self.low(n))
        fitting = tuple(p for p in item.value if part in unaccented(plain(p.name)).split())
        if not fitting or not self.is_free(n):
            return False
        item.value, self.words[n].taken = fitting, "PERSON"
        return True

    def _plural(self, n: int) -> tuple[Person, ...]:
        """Whose name a word is with an s behind it: "graces july"."""
        low, exactly = self.low(n), self.known.directory.exactly
        return exactly(low[:-1], levels=(1, 2, 3)) if len(low) > 3 and low[-1] == "s" and not exactly(low) else ()

    def called(self, n: int) -> tuple[Person, ...]:
        """Who is called as a word says; as an English word says, only by their given name."""
        low, directory = self.low(n), self.known.directory
        if not any(map(str.isalpha, low)) or low in _NOBODY | lists()["bots"]:
            return ()
        is_repository = low in self.last_parts
        if (low in listed_words() or is_repository) and not self.words[n].is_handle:
            is_none = is_repository or not classes_of(low).isdisjoint(_NEVER_NAMES) or self.has(n, *_NEVER_NAMES)
            return tuple(filter(self.known.may_be_offered, directory.given(low))) if not is_none else ()
        bots = directory.exactly(f"{low}[bot]", levels=(1,))
        people = directory.exactly(low) or bots
        if people and people == directory.exactly(low, levels=(1,)) and not directory.exactly(low, levels=(2,)):
            people = tuple(dict.fromkeys((*people, *directory.given(low))))  # a Tim who signs just so is one of them
        return people or self._plural(n)

    def _take_near_names(self) -> None:
        """One letter off a name, or its beginning, where a name stands."""
        for n, word in enumerate(self.words):
            low = word.low
            is_word = self.is_strange(n) and len(low) > 3 and low.isalpha() and not self.known.knows_word(low)
            is_listed = low in _LISTED and (low in _MONTHS or not self.called(n))
            if not is_word or is_listed or not self.stands(n, "name place"):
                continue
            found = self._near(low) or self._begun(low)
            before = self.item_at(n - 1) if self.taken(n - 1) == "PERSON" and not self.pauses(n) else None
            if before and not self.words[n - 1].is_owner:
                if fitting := tuple(p for p in before.value if any(p in people for people in found.values())):
                    before.end, before.value, word.taken = n + 1, fitting, "PERSON"
                    self.assumed.append(f"“{word.raw}” read as {fitting[0].name}")
            elif len(found) == 1:
                self._take_name(n, next(iter(found.values())))
                people = self.items[-1].value
                self.assumed += [f"“{word.raw}” read as {one.name}" for one in people if len(people) == 1]

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
        for n in filter(self.is_free, self.all):
            if self.stands(n, "asker"):
                self.words[n].taken = "ME"

    # times, releases, teams, repositories, paths

    def is_time(self, n: int) -> bool:
        return self.among(n, "time words") or _YEAR.fullmatch(self.low(n)) is not None

    def _take_times(self) -> None:
        self._has_times, unclear, about = True, "", self.now.about
        people = {n for one in self.of("PERSON") for n in range(one.first, one.end)}
        for time in find_times(self.words, self.now, people):
            words = range(time.first, time.end)
            if all(map(self.is_free, words)) and not any(self.words[n].quote for n in words):
                self.take(time.first, time.end, "TIME", time)
                self.assumed += time.assumed
                unclear = unclear or time.unclear
        n = self.said("since that")
        if n is not None and about and about.end <= self.now.today:
            end = n + self.phrase[n]
            self.take(n, end, "TIME", TimeFound(n, end, Days(about.end, self.now.today + DAY)))
        for n in filter(self.is_free, self.all):
            if self.has(n, "since that", "release before that", "release after that"):  # of which nothing was told
                self.classes[n] = frozenset()
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
            elif self._released and self.opens[n] == n and (found := self._from_thread(n, self._released)):
                end = n + self.phrase[n]
            elif not self.is_free(n) or (self.words[n].quote and not _VERSION.fullmatch(low)):
                pass
            elif self.among(n, "newest") or self.stands(n, "release alone"):
                while self.low(end) in self.last_parts or self.among(end, "tagged"):
                    end += 1
                found = NEWEST if self.among(end, "release") or not self.among(n, "newest") else None
            elif left and (low in tags or any(map(str.isdigit, low + self.low(end)))):
                left -= 1
                joined = f"{low}-{self.low(end)}"  # "1.18 rc2", "tokio-util 0.7.19"
                found = self._release(n, joined, tags) if joined in tags else None
                end += bool(found)
                found = found or self._release(n, low, tags)
            n = self._take_release(n, end, found) if found else end
        if len(self.of("RELEASE")) > 1 or self.said("state: tagged") is not None:  # how long it was between releases
            for n in (n for n in self.all if self.has(n, "cannot: hours", "cannot: thing hours")):
                self.classes[n] = frozenset(("state: tagged",))

    def _from_thread(self, n: int, about: str) -> str | None:
        """The release before, or after, that of the thread, or what came since, as a word says."""
        if self.has(n, "since that"):
            return LATEST if about in (NEWEST, LATEST) else None if ".." in about or about == WHICH else f"{about}.."
        beside = name_before if self.has(n, "release before that") else name_after
        return self.release_beside(about, beside) if self.has(n, "release before that", "release after that") else None

    def release_beside(self, release: str, beside: Callable[[str, Iterable[str]], str | None]) -> str | None:
        """The tag of the release before or after one, by its version."""
        said, tagged = version_of(release), self.known.tags.values()
        return next((beside(tag, tags) for tags in tagged for tag in tags if said and version_of(tag) == said), None)

    def _take_release(self, n: int, end: int, found: str) -> int:
        """Take a release with the words around it that belong to it; where they end. "1.4 releases" are all of 1.4."""
        if self.low(end) == "releases" and (line := LINE.fullmatch(f"{self.low(n)}.x")):
            found = line[0]
        elif not self.pauses(end):
            end += self.among(end, "release", "release ends")
        first = n - (self.among(n - 1, "release") and self.low(n - 2) not in ("please", "you"))  # "can you tag 2.1.3"
        since = self.among(self.lead(first), "since release")
        while self.has(first - 1, "determiners", "order: latest") or self.among(
            first - 1, "of release", "since release"
        ):
            first -= 1
        if self.stands(first, "not in a release"):  # "what is in main that is not in 2.1"
            since, first = True, first - 2 - (self.low(first - 1) == "yet")
            first -= self.among(first - 1, "listed")
        last = next((self.last_parts[self.low(at)] for at in range(n + 1, end) if self.low(at) in self.last_parts), ())
        if since:
            found = LATEST if found == NEWEST else f"{found}.."
        self.take(first, end, "RELEASE", found)
        self.items += [Item(first, end, "REPO", name) for name in last if len(last) == 1]
        return end

    def _release(self, n: int, low: str, tags: Mapping[str, str]) -> str | None:
        """The release that a word names: a tag as it stands, the version of one, or a number where a release stands."""
        after, is_v = n + 1, low[0] == "v"
        is_date = _ISO.fullmatch(low) and not any(self.among(at, "release", "release ends") for at in self.all)
        if is_date or self.low(after) in ("branch", "branches", "series"):  # "the v3 API"
            return None
        if low in tags and (low not in listed_words() or self.stands(n, "release")):  # "list", "head" may be tags
            return tags[low]
        if not _VERSION.fullmatch(low) or not (wanted := version_of(low)):
            return None
        versions, lead = [(tag, one) for tag in tags.values() if (one := version_of(tag))], self.low(n - 1)
        fitting = [(tag, of) for tag, of in versions if (of.numbers, of.pre) == (wanted.numbers, wanted.pre)]
        led = [tag for tag, of in fitting if lead in re.split(r"\W", of.shape[0])]
        is_ours = led or (is_v and fitting) or any(lead in _parts(name) for name in self.known.repositories)
        if not is_ours and (self.among(n - 1, "platforms") or self.stands(n, "version of a thing")):  # "python 3.12"
            return None
        if fitting and ("." in low or is_v):
            plain = led or [tag for tag, of in fitting if of.shape[:2] == ("", "")]
            found = plain or [tag for tag, _ in fitting]
            several = sum(not set(of).isdisjoint(found) for of in self.known.tags.values()) > 1
            return self.words[n].raw if several or (not plain and len(found) > 1) else found[0]
        line = wanted.numbers[:2]  # 2.5.9 is near where there is 2.5.1
        near = any(of.numbers[: len(line)] == line for _, of in versions)
        is_named = is_v or (tags and (self.among(n - 1, "release") or (near and "." in low)))
        return self.words[n].raw if is_named and (is_v or self.stands(n, "release")) else None

    def _take_teams(self) -> None:
        own, teams = self.known.own_teams, self.known.teams
        for team in sorted(teams, key=len, reverse=True):
            parts = [word.low for word in split_words(team)]
            for n in range(len(self.words) - len(parts) + 1):
                end = n + len(parts)
                if [word.low for word in self.words[n:end]] == parts and all(map(self.is_free, range(n, end))):
                    before, after = self.low(n - 1) == "team", self.low(end) in ("team", "squad")
                    if before or after or self.stands(n, "team", end=end):
                        self.take(n - before, end + after, "TEAM", team)
        for n in filter(self.is_free, self.all):
            if teams and self.low(n) == "my" and self.low(n + 1) == "team" and self.is_free(n + 1):
                self.take(n, n + 2, "TEAM", own[0] if own else teams[0])
                if len(own) == 1:
                    self.assumed.append(f"“{self.raw(n, n + 2)}” read as {own[0]}")
                else:
                    self.trouble = self.trouble or f"Which team is yours: {clean(listed(list(own or teams), 'or'))}?"
            elif self.stands(n, "unknown team"):
                there = f"Teams are {clean(listed(list(teams)))}." if teams else "almanac.toml names no [[teams]]."
                self.trouble = self.trouble or f"I know no team called “{clean(self.words[n].raw)[:80]}”. {there}"

    def _take_repositories(self) -> None:
        owners = {name.casefold().rpartition("/")[0] for name in self.known.repositories}
        for n, word in enumerate(self.words):
            low, end = word.low, n + 1
            if word.taken or word.quote:
                continue
            is_called = self.among(end, "repository")
            stands = self.stands(n, "repository") and not self.stands(n, "part of a thing")
            if (names := self.last_parts.get(low, ())) and (is_called or stands):
                end += is_called or self.low(end) in ("main", "master", "trunk")
                self.take(n, end, "REPO", names[0] if len(names) == 1 else names)
            elif _SLASHED.fullmatch(low) and low.partition("/")[0] in owners and not self.known.knows_path(low):
                self.trouble = self.trouble or f"I have not indexed a repository called “{clean(word.raw)[:80]}”."

    def _take_paths(self) -> None:
        for n, word in enumerate(self.words):
            raw, end, trouble = word.raw, n + 1, ""
            if word.taken or not ("/" in raw or "." in raw):
                continue
            end += self.low(end) in ("file", "files", "folder", "stuff")
            if "/" in raw and re.fullmatch(r"[\d/.]+", raw):
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
        first = next((n for n in self.all if not self.has(n, "talk", "follow")), 0)
        who = next((one.end for one in self.of("PERSON") if one.first == first + 1), 0)  # "did Ann …", not "is Ann's …"
        acts = self.low(first + 1) == "i" or (who and not self.words[who - 1].is_owner)
        return self.among(first, "before subject") and not acts and self.taken(first + 1) != "RELEASE"

    @property
    def story(self) -> int:
        """Where the thing begins whose story is asked: why it is so, when it came, who made it; -1 where none is."""
        n = 0
        while self.stands(n, "before a story"):
            n += self.phrase[n]
        if self.stands(n, "why"):
            return n + self.phrase[n]
        if self.stands(n, "when"):
            return n + 1 + (self.low(n) in ("when", "what"))
        return n + 1 + self.phrase[n + 1] if self.stands(n, "who made") else -1

    def _asks_who(self) -> bool:
        """Whether it is asked who did something."""
        if self.said("asks who") is not None or self.stand("which people"):
            return True
        asides = [n for n in self.all if self.has(n, "aside", "told") and self.items]
        who = next((n for n in self.all if n not in asides and self.stands(n, "somebody")), -1)
        return who >= 0 and not self.has(who, "everyone") and not self.has(who + 1, "reviews")

    def _take_topics(self) -> None:
        """Things that are asked about: behind "on", "about" and the verb of "who …", before work and kinds, in quotes;
        what the index knows behind other verbs and prepositions, too, and anywhere where a story, a release or somebody
        is asked for."""
        self.asks_who, is_story = self._asks_who(), self.story >= 0
        self._leave_out()
        if not is_story:
            self._take_deeds()
        is_open, n = self.asks_who or is_story or (self.asks_release and not self.of("REF")), 0
        while n < len(self.words):
            end = self._topic_end(n)
            if self.has(n, "action") and self.is_free(n) and not is_story:  # "which backports", "bump the parser"
                first = self._behind_articles(n + 1)
                end = max(n + 1, self._topic_end(first))
                self._take_topic(n, end)
            elif end > n and self._is_topic(n, end, is_open=is_open):
                self._take_topic(n, end)
            else:
                end = n + 1
            if self.low(n) in ("last", "after", "since") and self.stands(n, "last of all"):  # "who touched it last"
                self.classes[n] = frozenset(("order: landed" if self.asks_who else "order: latest",))
            n = end
            if self.taken(n - 1) in ("TOPIC", "PATH", "REPO") or self.has(n - 1, "theirs"):
                self._mend_trailing(n)

    def _topic_end(self, first: int) -> int:
        """Where the words end that begin at one and may be a topic; there, where none may."""
        end = first
        while (
            self.is_free(end)
            and end - first < LONGEST_TOPIC
            and (end == first or not self.pauses(end) or self._is_quoted(end - 1, end))
        ):
            if self._may_be_topic(end) or self.stands(end, "noun first" if end == first else "noun"):
                end += 1
            elif end > first and self.stands(end, "within a topic"):
                end = self._behind_articles(end + 1)
            else:
                break
        while end - 1 > first and self._mend_trailing(end - 1):
            end -= 1
        return end

    def _may_be_topic(self, n: int) -> bool:
        """Whether a word can be one of a topic's: no list has it, or it is a thing or a form, or in quotes."""
        word = self.words[n] if self.is_free(n) else None
        if not word or word.quote or self.stands(n, "no thing"):
            return word is not None and word.quote > 0
        if word.is_owner and not self.known.knows_word(word.low):  # of somebody
            return False
        names = {name for name in self.classes[n] - IDLE if not name.startswith("cannot: thing")}
        is_form = self.phrase[n] == 1 and all(name.startswith("form: ") for name in names)
        return is_form and re.search(r"[^\W\d]", self.low(n)) is not None

    def _is_quoted(self, *numbers: int) -> bool:
        """Whether words stand in one pair of quotation marks."""
        quotes = {self.words[n].quote for n in numbers}
        return len(quotes) == 1 and quotes != {0}

    def _is_topic(self, first: int, end: int, *, is_open: bool) -> bool:
        """Whether words that may be a topic are one where they stand."""
        lead, words = self.lead(first), range(first, end)
        some = [n for n in words if self.is_strange(n) and not self.among(n, "generic", "folks")]
        is_sure = not self.pauses(first) and self.stands(lead, "topic")
        is_some = self.stands(end, "some") and self.has(first - 1, "only", "determiners")  # "only the parser ones"
        if self.words[first].quote or is_sure or ((self.stands(end, "kind") or is_some) and not self.pauses(end)):
            return True
        is_mixed = any(word.raw.islower() for word in self.words)
        is_code = end == first + 1 and is_mixed and _is_code(self.words[first].raw)
        if is_code and not (self.among(end, "does") and (first, end) in self.runs):
            return True
        is_heading = not self.opens[first] and end < len(self.words) and ":" in self.words[end].before
        stands = is_open or is_heading or self.stands(lead, "topic that is known")
        is_name = len(some) == 1 and self.called(some[0])  # "who helped grace"
        return stands and bool(some) and all(map(self._is_known, some)) and not is_name

    def _is_known(self, n: int) -> bool:
        """Whether the histories have a word, be it spelt otherwise."""
        raw, is_slip = self.words[n].raw, n not in self.subjects and self.words[n].raw.islower()
        return self.known.knows_word(self.low(n)) or _is_code(raw) or (is_slip and self._spelled(n) != "")

    def _behind_articles(self, n: int) -> int:
        while self.stands(n, "article"):
            n += 1
        return n

    def _mend_trailing(self, n: int) -> bool:
        """Whether a word behind a topic or a path only says when or how well: "who knows the parser best"."""
        is_trailing = self.is_free(n) and self.among(n, "trailing")
        if is_trailing:
            self.classes[n] = frozenset((tables()["trailing"].get(self.low(n), "nothing"),))
        return is_trailing

    def _take_deeds(self) -> None:
        """What was done, where nothing is said that it was done to: "what was fixed", "what did we remove"."""
        for n in (n for n in self.all if self.stands(n, "deed without an object")):
            kind = tables()["made"][self.low(n)]
            if kind.startswith("kind: "):
                self.classes[n] |= {kind, "kind"}
            else:
                self.take(n, n + 1, "TOPIC", kind)
                self.is_deed = True

    def _take_topic(self, first: int, end: int) -> None:
        """Take some words as a topic; "memory / cache" are alternatives."""
        words, is_quoted = range(first, end), end > first and self.words[first].quote > 0
        for n in words:
            self.slips.pop(n, None)
        kept = [n for n in words if is_quoted or not self.among(n, "within topic", "generic")]
        names = () if is_quoted else self.last_parts.get(self.raw(first, end).casefold(), ())
        if not kept and len(names) != 1:  # "that first one": no commit is found by such words
            self.lose(words)
            return
        said = ""
        for n in kept:
            word = self.words[n].raw if is_quoted else tables()["actions"].get(self.low(n), self.words[n].raw)
            if meant := "" if is_quoted else self._spelled(n):
                self.slips[n], word = (word, meant), meant
            is_other = said and not is_quoted and (self.words[n].before.strip() in ("/", "(") or self._is_other(n))
            said += (" OR " if is_other else " ") * bool(said) + word
        if not is_quoted and _PATH.fullmatch(said):
            said = said.replace("/", " OR ")
        self.take(first, end, "REPO" if len(names) == 1 else "TOPIC", names[0] if len(names) == 1 else said)

    def _spelled(self, n: int) -> str:
        """How the histories spell a word that they do not have so; "" where they have it, or nothing like it."""
        low = self.low(n)
        return self.known.alike(low) if len(low) > 4 and not self.known.knows_word(low) else ""

    def _is_other(self, n: int) -> bool:
        """Whether a word begins another topic than the one before it: "timers and signals", not "drag and drop", which
        some message says so."""
        if self.low(join := self.lead(n)) not in ("&", "+", "and"):
            return self.low(n - 1) == "or"
        said = f"{self.words[join - 1].raw}-and-{self.words[n].raw}"
        return not self.known.holds(said)

    # what is left out, and what is left

    def _leave_out(self) -> None:
        """What stands behind "without" and the like, across "and", or before "does not count"."""
        for n in (n for n in self.all if self.opens[n] == n):
            before = len(self.left_out)
            if self.has(n, "neg behind"):
                first = n
                while not self.pauses(first) and self._may_be_left_out(first - 1):
                    first -= 1
                self._leave_out_behind(first, n)
            elif self.stands(n, "without"):
                self._leave_out_behind(n + self.phrase[n], len(self.words))
            else:
                continue
            if self.low(n) == "not" and len(self.left_out) > before:
                self.words[n].taken = "NOT"
            elif len(self.left_out) == before or self.low(self.left_out[-1].end) == "of":
                self.bad_negation = True  # "without the tests of the parser" keeps all other tests
                self.classes[n : n + self.phrase[n]] = [frozenset(("not",))] * self.phrase[n]

    def _may_be_left_out(self, n: int) -> bool:
        is_word = self.has(n, "kind") or self.among(n, "bots", "joins") or self.stands(n, "left out first")
        return self.taken(n) in _LEFT_OUT or (self.is_free(n) and is_word)

    def _leave_out_behind(self, at: int, stop: int) -> None:
        """What is left out from a word on; behind a pause only what was read before it."""
        joined, before = True, len(self.left_out)
        while at < stop:
            item, some, end = self.item_at(at), self.left_out[before:], at
            while not item and self.stands(end, "left out first" if end == at else "left out"):
                end += 1
            in_list = bool(some) and "," in self.words[at].before  # "without Ada, Grace and bots"
            if item and not (item.tag in _LEFT_OUT and (joined or in_list or item.tag == "TOPIC")):
                return
            if some and self.low(at) == "by" and some[-1].end == at and len(self.of("PERSON")) == 1:
                return  # "commits without ports and docs by Ada" are hers
            in_list = in_list and self.among(at + self.phrase[at], "joins")
            if item or ((joined or in_list) and (item := self._word_left_out(at))):  # "no docs, tests or ci"
                self.left_out.append(item)
                joined = self.words[item.end - 1].is_owner or item.tag == "TOPIC"
            elif self.among(at, "joins"):
                joined, end = True, at + 1
            elif self.stands(at, "passed over") or (joined and self.stands(at, "leads what is left out")):
                end = at + 1
            elif end > at and (joined or ("," in self.words[at].before and self.among(end, "joins"))):
                self._take_topic(at, end)
                self.left_out += [one for one in [self.item_at(at)] if one]  # none, of words that say nothing
                joined = True
            else:
                return
            at = item.end if item else end

    def _word_left_out(self, n: int) -> Item | None:
        kinds = [name[6:] for name in sorted(self.classes[n]) if name.startswith("kind: ")]
        kinds += ["release"] * self.has(n, "state: tagged") + ["revert"] * self.has(n, "state: reverted")
        if not self.is_free(n):
            return None
        if self.among(n, "chores"):  # as titles say it: of that kind is what has no other
            return self.take(n, n + 1, "TOPIC", self.low(n).removesuffix("s"))
        if self.among(n, "bots"):
            return self.take(n, n + 1, "BOTS", self.low(n) if self.low(n) in ("merge", "merges") else "bots")
        if kinds:
            return self.take(n, n + self.phrase[n], "KIND", kinds[0])
        is_me = self.low(n) in ("me", "myself") and self.known.asker
        return self.take(n, n + 1, "PERSON", (self.known.asker,)) if is_me else None

    def _find_unread(self) -> None:
        """What nothing took: strange words with what leads to them, and what conditions the words behind it."""
        lost = self._lost_people()
        for n in filter(self.is_free, self.all):
            if self.has(n, "neg") and self.stands(self.opens[n], "kept in a story"):
                self.bad_negation, self.classes[n] = True, frozenset(("not",))
            if (self.is_strange(n) and not self.stands(n, "number of them")) or self.stands(n, "unread"):
                lost.add(n)
            elif self.phrase[n] == 1 and n not in lost and self.stands(n, "condition") and not self.stands(n, "read"):
                lost |= self._lost_behind(n, "prepositions")
            if self.bad_negation and self.has(n, "not"):
                lost |= self._lost_behind(n)
        for n in sorted(lost):
            while n - 1 not in lost and not self.pauses(n) and self.stands(n - 1, "lost before"):
                n -= 1
                lost.add(n)
        if any(self.among(n, "branches") for n in lost):
            self.assumed.append("only default branches are read")
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
        for item in self.of("PERSON", "TEAM"):
            n = self.lead(item.first)
            if self.stands(n, "conditions somebody"):
                self.items.remove(item)
                for word in self.words[n : item.end]:
                    word.taken = "LOST"
                lost |= {*range(n, item.end), *self._lost_behind(item.end - 1, "prepositions")}
        return lost

    @property
    def compares(self) -> bool:
        """Whether two are to stand side by side; "vs" may be a part of a time."""
        in_time = (self.low(n) for one in self.items if one.tag == "TIME" for n in range(one.first, one.end))
        return self.said("compare") is not None or not lists()["compare in time"].isdisjoint(in_time)


_LISTED = listed_words() | TIME_WORDS
_MONTHS = frozenset(name.lower()[:size] for name in NAMES for size in (3, 4, 9))


def _is_code(raw: str) -> bool:
    return _CODE.fullmatch(raw) is not None and not _FISCAL.fullmatch(raw)


@cache
def _parts(repository: str) -> frozenset[str]:
    return frozenset(re.split(r"[/._-]", repository.casefold()))


@cache
def _called_so(repositories: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """The repositories by the last parts of their names."""
    found: dict[str, tuple[str, ...]] = {}
    for name in repositories:
        last = name.casefold().rpartition("/")[2]
        found[last] = (*found.get(last, ()), name)
    return found


# What a word may be beside what lists, classes and tags say, for the places of words.json.
QuestionPart.marks = {
    "FREE": QuestionPart.is_free,
    "STRANGE": QuestionPart.is_strange,
    "THING": QuestionPart._may_be_topic,
    "TIMEWORD": QuestionPart.is_time,
    "TAKEN": lambda part, n: part.taken(n) not in ("", "LOST"),
    "OWNER": lambda part, n: part.words[n].is_owner,
    "HANDLE": lambda part, n: part.words[n].is_handle,
    "CAPITAL": lambda part, n: part.words[n].raw[:1].isupper(),
    "ALONE": lambda part, n: part.phrase[n] == 1,
    "NAME": lambda part, n: bool(part.called(n)),
    "OWNERS": lambda part, n: bool(part._plural(n)),
    "GIVEN": lambda part, n: bool(part.known.directory.given(part.low(n))),
    "KNOWN": lambda part, n: part.known.knows_word(part.low(n)),
    "LETTERS": lambda part, n: part.low(n).isascii() and part.low(n).isalpha(),
    "NUMBER": lambda part, n: part.low(n).isdigit(),
    "HASH": lambda part, n: re.search(r"[a-f]", part.low(n)) is not None and re.search(r"\d", part.low(n)) is not None,
    "LONG": lambda part, n: len(part.low(n)) == 40 or (len(part.low(n)) == 8 and part.words[n].raw.islower()),
    "PAST": lambda part, n: part.low(n).endswith("ed"),
    "VERSION": lambda part, n: "." in part.low(n) and _VERSION.fullmatch(part.low(n)) is not None,
    "MONTH": lambda part, n: part.low(n) in _MONTHS,
    "SIGN": lambda part, n: not part.low(n).strip("-–&+/"),
    "REPOSITORY": lambda part, n: part.low(n) in part.last_parts,
    "TWO": lambda part, n: len(part.known.repositories) == 2,
    "FIRST": lambda part, n: n == 0,
    "LAST": lambda part, n: n == len(part.words) - 1,
    "EARLY": lambda part, n: n < 2,
    "BEGINS": lambda part, n: all(part.has(at, "talk") for at in range(n)) and not part.has(n, "talk"),
    "OPENING": lambda part, n: all(part.has(at, "follow", "nothing", "talk") for at in range(n)),
    "ASKING": lambda part, n: all(part.has(at, "follow") or part.low(at) == "for" for at in range(n)),
    "WHATDID": lambda part, n: any(part.low(at) == "what" and part.among(at + 1, "before subject") for at in range(n)),
    "RUN": lambda part, n: n in part.subjects,
    "BEHIND": lambda part, n: any(end == n for _, end in part.runs),  # a subject
    "INSTORY": lambda part, n: 0 <= part.story <= n and "TIME" not in map(part.taken, range(part.story, n)),
    "STORY": lambda part, n: part.story == n + 2,
    "SUMMARY": lambda part, n: any(part.has(at, "overview") for at in range(n)),
    "COMPARED": lambda part, n: part.compares,
    "COMPARING": lambda part, n: any(word.low in ("compare", "vs", "versus") for word in part.words),
    "WHO": lambda part, n: part.asks_who,
}
