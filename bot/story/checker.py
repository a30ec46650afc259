"""The checker: a sentence, the changes it names, and what does not hold of it. docs/model.md says what is looked at.

What is named must stand in the changes: references, numbers, days, quotations, identifiers and people; what is said of
states is as the facts have it, and nothing that was backed out is shown as delivered. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from bot.model import Change, Commit
from bot.month.credits import credits_of
from bot.month.languages import language_of
from bot.story.claims import (
    CAMEL,
    LONGEST_LINE,
    REFERENCE,
    SHA,
    UNITS,
    Number,
    NumberOrder,
    Parts,
    Statement,
    borne_by,
    compact,
    dates_of,
    effect_faults,
    folded,
    is_rounding,
    negation_faults,
    numbers_of,
    order_faults,
    parts_of,
    statements_in,
    stem,
    without_dates,
    without_references,
    words_of,
)
from bot.story.states import events_of

LONGEST_BODY, MOST_PATHS = 20_000, 2_000  # characters, and paths of a commit, that are read
_PAGE = re.compile(r"/(?:pull|issues|discussions)/(\d+)")
_LIST_ITEM = re.compile(r"\s*(?:[-*+•|>#]|\d+[.)/]|```)")
_SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+(?=[\w`\"'“(*])")
_TOKEN, _PART = re.compile(r"[A-Za-z0-9_]+"), re.compile(r"[A-Za-z0-9]+")
_LONGEST_RUN = 6  # parts of words that may be written as one: "non contiguous", "AllGather", "all_gather"


class Revert(NamedTuple):
    """What reverted a change or brought it back: by whom, on which days as clocks may show it, with which message."""

    does: Literal["reverts", "relands"]
    people: frozenset[str]
    days: frozenset[date]
    text: str


def is_in(change: Change) -> bool:
    """Whether the change was in when it was last looked at."""
    events = events_of(change)
    return events[-1].does == "relands" if events else change.state not in ("backed_out", "partly")


class Ground:
    """A change, its diffs as far as they were sent, and the person whose month it is of."""

    def __init__(self, change: Change, person: str, zone: str, hunks: str = "", without_bodies: bool = False) -> None:
        self.change, self.person = change, person
        self._zone = ZoneInfo(zone)
        self.hunks = hunks
        self._without_bodies = without_bodies  # they were not sent, so they bear out nothing
        self.is_in = is_in(change)

    @cached_property
    def reverts(self) -> tuple[Revert, ...]:
        return tuple(
            Revert(
                event.does,
                frozenset({event.by or event.commit.author.name, event.commit.author.name}),
                self._days(event.commit),
                f"{event.commit.subject}\n{event.commit.body[:LONGEST_BODY]}",
            )
            for event in events_of(self.change)
        )

    @cached_property
    def message(self) -> str:
        texts = dict.fromkeys(
            commit.subject if self._without_bodies else f"{commit.subject}\n\n{commit.body[:LONGEST_BODY]}"
            for commit in self.change.commits
        )
        return "\n\n".join((*([self.change.title] if self.change.title else []), *texts))

    @cached_property
    def messages(self) -> tuple[str, ...]:
        return (self.message, *(revert.text for revert in self.reverts))

    @cached_property
    def words(self) -> str:
        """Everything that words may come from: messages, also of reverts, and what was sent of diffs."""
        return "\n".join((*self.messages, self.hunks))

    @cached_property
    def text(self) -> str:
        """The same, with paths, names, repositories and what paths tell of the work."""
        files = [file for commit in self.change.commits for file in commit.files[:MOST_PATHS]]
        paths = dict.fromkeys(path for file in files for path in (file.path, file.old_path) if path)
        implied = sorted({language for path in paths if (language := language_of(path))})
        if any(path.endswith((".md", ".rst")) for path in paths):
            implied.append("docs documentation")
        if any(path.startswith((".github/", ".circleci/", ".gitlab")) for path in paths):
            implied.append("CI GitHub Actions")
        if any("win" in re.split(r"[/_.-]", path.lower()) for path in paths):
            implied.append("Windows")
        repositories = (commit.repository for commit in self.change.commits)
        return "\n".join((self.words, *repositories, *self.people, *paths, *implied))

    @cached_property
    def lower(self) -> str:
        return self.text.lower()

    @cached_property
    def people(self) -> frozenset[str]:
        names = {self.person, self.change.shared_by}
        for commit in self.change.commits:
            names |= {commit.author.name, commit.committer.name}
            names.update(credited.name for credited in credits_of(commit.body[:LONGEST_BODY]))
        return frozenset(names.union(*(revert.people for revert in self.reverts)) - {""})

    @cached_property
    def references(self) -> frozenset[str]:
        texts = "\n".join(self.messages)
        every = {*REFERENCE.findall(texts), *(f"#{number}" for number in _PAGE.findall(texts)), *self.change.refs}
        return frozenset(every | {f"#{reference.partition('#')[2]}" for reference in every})

    @cached_property
    def days(self) -> frozenset[date]:
        own = (self._days(commit) for commit in self.change.commits)
        return frozenset().union(*own, *(revert.days for revert in self.reverts))

    def _days(self, commit: Commit) -> frozenset[date]:
        """The day of a commit on the clocks that may have shown it."""
        signatures = (commit.author, commit.committer)
        return frozenset(at.date() for one in signatures for at in (one.at, one.at.astimezone(self._zone), one.local))

    @cached_property
    def runs(self) -> frozenset[str]:
        """Every run of up to six parts of words of a line, written as one."""
        found: set[str] = set()
        for line in self.text.splitlines():
            found.update(map(compact, _TOKEN.findall(line[:LONGEST_LINE])))
            parts = [part.lower() for part in _PART.findall(CAMEL.sub(" ", line[:LONGEST_LINE]))]
            for at in range(len(parts)):
                joined = ""
                for part in parts[at : at + _LONGEST_RUN]:
                    joined += part
                    found.add(joined)
        return frozenset(found.union(words_of(self.text)))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(map(stem, words_of(self.text)))

    @cached_property
    def bears_out(self) -> frozenset[str]:
        """The families of claims that it bears out."""
        words = {*re.findall(r"[a-z]+(?:['’-][a-z]+)*", self.words.lower()), *words_of(self.words)}
        by_kind = {"fix": {"a fix"}, "performance": {"speed"}}.get(self.change.kind, set())
        return frozenset(by_kind).union(*map(borne_by, words))

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        """The units that each number stands with, "" among them where it stands with none."""
        found: dict[str, set[str]] = {}
        for number in numbers_of(f"{self.words}\n{' '.join(self.change.refs)}"):
            found.setdefault(number.value, set()).add(number.unit)
        return {value: frozenset(units) for value, units in found.items()}

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """What the sentences of its messages assert and deny."""
        return tuple(
            statement
            for message in self.messages
            for sentence in _sentences_of(message)
            for statement in statements_in(sentence)
        )

    @cached_property
    def order(self) -> NumberOrder:
        return NumberOrder(self.words, len(self.hunks.splitlines()))

    @cached_property
    def shas(self) -> tuple[str, ...]:
        """Those of its commits, of its reverts, and those that a message names."""
        turned = (event.commit.sha for event in events_of(self.change))
        return (*self.change.shas, *turned, *SHA.findall(self.words))


def _sentences_of(text: str) -> Iterator[str]:
    """The sentences of a message, whose lines may be wrapped anywhere."""
    paragraph: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""]):
        begins = not line.strip() or bool(_LIST_ITEM.match(line)) or number <= 1
        if begins and paragraph:
            yield from (one for one in _SENTENCE_END.split(" ".join(paragraph)) if one.strip())
            paragraph = []
        if line.strip():
            paragraph.append(line.strip()[:LONGEST_LINE])


# --- what is named

_CUT = re.compile(r"\s*(?:…|\.\.\.)\s*")
_CHUNK = re.compile(r"[^\s,;()\[\]{}“”\"!?=<>|→]+")
_TRIM = ".,:'’&*…–—-/~`"
_BEGINS = re.compile(r"(?:^|[.!?:;(–—]|\ufffc)\s*$")
_MIXED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}|\d[A-Za-z]|[A-Za-z]\d")
_IDENTIFIER = re.compile(rf"{_MIXED.pattern}|\w_\w|^_|_$|::|\w\.\w|\w/\w|^--?\w|@")
_MEASURE = re.compile(r"[<>~≈]?\d[\d.,:]*(?:%|[A-Za-zµμ×]+(?:/[A-Za-z]+)?)?")
# Words of the trade that any writer may use: they name nothing of a commit's own.
_TRADE = frozenset(("api", "ci", "cpu", "gpu", "oss", "pr", "ui", "id", "os", "ide", "io", "ram", "c++", "utc"))


def _unborne(parts: Parts, grounds: Sequence[Ground], common: Collection[str], people: Iterable[str]) -> Iterator[str]:
    """What is named, but stands in none of the changes. `common` are words in small letters that name the month
    itself, `people` those whom any change of the month names."""
    own, known = parts.own, {*common, *_TRADE}
    shas = {sha for ground in grounds for sha in ground.shas}
    for reference in dict.fromkeys(REFERENCE.findall(own)):
        if not any(reference in ground.references for ground in grounds):
            yield f"{reference} is no number of its changes"
    for day, month, year in dates_of(own):
        days = (on for ground in grounds for on in ground.days)
        if not any((on.day, on.month) == (day, month) and year in (None, on.year) for on in days):
            yield f"nothing of its changes happened on {day:02}-{month:02}"
    quoted = (one for one in parts.quoted if not any(_is_quoted(one, ground) for ground in grounds))
    yield from (f"“{one}” is quoted, but stands in none of its changes" for one in quoted)
    codes = (one for one in parts.code if not _is_known(one, grounds, known, is_code=True))
    yield from (f"`{one}` stands in none of its changes" for one in codes)
    others = (one for one in SHA.findall(own) if not any(sha.startswith(one) for sha in shas))
    yield from (f"{one} is none of its commits" for one in others)
    plain = SHA.sub(" ", without_references(without_dates(own)))
    numbers = (one for one in numbers_of(plain) if not any(_has_number(one, ground) for ground in grounds))
    yield from (f"the number {one.written} stands in none of its changes" for one in numbers)
    names = (one for one in _names_in(plain) if not _is_known(one, grounds, known))
    yield from (f"{one} stands in none of its changes" for one in names)
    yield from (f"{one} has no part in its changes" for one in people if _has_no_part(one, own, grounds))


def _has_no_part(person: str, own: str, grounds: Sequence[Ground]) -> bool:
    """Whether somebody is named whom none of the changes names."""
    if person not in own or any(person in ground.people or person.lower() in ground.lower for ground in grounds):
        return False
    return re.search(rf"(?<!\w){re.escape(person)}(?!\w)", own) is not None


def _has_number(number: Number, ground: Ground) -> bool:
    """Whether a number stands in a change, with its unit or where its unit stands apart, as in the head of a table; or
    is one of its numbers, rounded, or the line of one of its versions ("3.1" of 3.1.0)."""
    units = ground.values.get(number.value, frozenset())
    if number.unit in units or (units and not number.unit):
        return True
    forms = (form.lower() for form, unit in UNITS.items() if unit == number.unit)
    if "" in units and any(form in ground.lower for form in forms):
        return True
    line = f"{number.value}." if "." in number.value and not number.unit else "-"
    return any(is_rounding(number.value, value) or value.startswith(line) for value in ground.values)


def _is_quoted(quotation: str, ground: Ground) -> bool:
    """Whether the pieces of a quotation, which may leave something out at "…", stand in a change in their order."""
    pieces = [piece for piece in (folded(one).strip(" .,;:") for one in _CUT.split(quotation)) if piece]
    text = folded(ground.words)
    for piece in pieces:
        _, found, text = text.partition(piece)
        if not found:
            return False
    return bool(pieces)


def _names_in(plain: str) -> Iterator[str]:
    """The identifiers of a text, and the words with a capital that begin no sentence."""
    for match in _CHUNK.finditer(plain):
        name = re.sub(r"['’]s?$", "", match[0].strip(_TRIM))
        if not any(map(str.isalpha, name)) or _MEASURE.fullmatch(name):
            continue
        if _IDENTIFIER.search(name) or (name[0].isupper() and not _BEGINS.search(plain[: match.start()])):
            yield name


def _is_known(name: str, grounds: Sequence[Ground], known: Collection[str], is_code: bool = False) -> bool:
    """Whether the changes have a name, in whatever case and however it is joined, as a whole or by its parts; of a
    word such as "KJT-based" those that are names."""
    if _has_word(name, grounds, known):
        return True
    parts = [part for part in re.split(r"[^A-Za-z0-9_]" if is_code else r"[-/–+.]", name) if part]
    names = [part for part in parts if part[0].isupper() or _MIXED.search(part) or "_" in part]
    telling = parts if is_code else names or parts
    return (len(parts) > 1 or not telling) and all(_has_word(part, grounds, known) for part in telling)


def _has_word(word: str, grounds: Sequence[Ground], known: Collection[str]) -> bool:
    bare, lower = compact(word), word.lower()
    forms = {bare, f"{bare}s", bare.removesuffix("s"), bare.removesuffix("es"), bare.removesuffix("ed")} - {""}
    is_common = lower in known or lower.removesuffix("s") in known
    return not bare or is_common or any(not forms.isdisjoint(ground.runs) for ground in grounds)


# --- states

_STATES = re.compile(
    r"(?P<still_out>\b(?:not|never|nor) (?:been |yet |come |brought |re-?landed |is )*"
    r"(?:back|re-?landed|brought back|on main|restored)|"
    r"\bstill out\b|\bnot on main\b|\bhas not returned\b|\bdoes not stand\b|\bdo not stand\b|\bno longer in\b)|"
    r"(?P<out>\b(?:(?:is|was|were|been|be|got|being) )?(?:back(?:ed|s|ing)?[ -]out|revert(?:ed|s|ing)?|"
    r"roll(?:ed|s)? back|taken (?:back|out)|withdrawn|undone|undid|pulled again|took (?:it )?out)\b)|"
    r"(?P<back>\b(?:re-?land(?:ed|s|ing)?|land(?:ed|s) again|brought back|came back|comes back|back (?:in|on|since)\b|"
    r"is back|are back|be back|back \d|re-?appl(?:ied|ies)|restor(?:ed|es) (?:on|by)|reinstat\w+|back again|"
    r"stands? again))",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[;:]|[.!?](?=\s|$)|, (?:and|but) |, (?=the part\b)")
_BY_AUTHOR = re.compile(r"\bby (?:the author|its author|himself|herself|themselves)\b")
_DEEDS = {"out": "reverts", "back": "relands"}
_DONE = {"out": "backed out", "back": "brought back"}


@lru_cache(maxsize=1000)
def _states_in(text: str) -> frozenset[str]:
    return frozenset(str(match.lastgroup) for match in _STATES.finditer(text))


def _state_faults(own: str, beside: str, grounds: Sequence[Ground], people: Iterable[str]) -> Iterator[str]:
    """What is wrong with the states that `own`, a text's own words, tells; `beside` is what else is said with it."""
    mentions = list(_STATES.finditer(own))
    said = [str(match.lastgroup) for match in mentions]
    back = [ground for ground in grounds if ground.change.state == "relanded" or any(_deeds(ground, "back"))]
    if "out" in said and not any(not ground.is_in or any(_deeds(ground, "out")) for ground in grounds):
        yield "none of its changes was backed out"
    if "back" in said and not back:
        yield "none of its changes was brought back"
    if "still_out" in said and all(ground.is_in for ground in grounds):
        yield "its changes stand"
    if said[-1:] == ["back"] and back and not any(ground.is_in for ground in back):
        yield "it does not stand today"
    for number, match in enumerate(mentions):
        end = mentions[number + 1].start() if number + 1 < len(mentions) else len(own)
        clause_end = _CLAUSE_END.search(own, match.end(), end)
        clause = own[match.start() : clause_end.start() if clause_end else end]
        yield from _wrong_deed(said[number], clause, grounds, people)
    if _states_in(f"{own} {beside}").isdisjoint(("out", "still_out")):
        for ground in grounds:
            if not ground.is_in and ground.change.kind != "revert":
                called = next(iter(ground.change.refs), ground.change.lead.subject[:60])
                yield f"it does not say that {called} was backed out"


def _wrong_deed(state: str, clause: str, grounds: Sequence[Ground], people: Iterable[str]) -> Iterator[str]:
    """A day or a person that is said with a state, and is another's."""
    deeds = [deed for ground in grounds for deed in _deeds(ground, state)]
    if not deeds:
        return
    days = {(day.day, day.month) for on, _ in deeds for day in on}
    if any((day, month) not in days for day, month, _ in dates_of(clause)):
        yield f"it was not {_DONE[state]} on that day"
    who = {name for _, names in deeds for name in names}
    for name in people:
        if name in clause and name not in who and re.search(rf"\bby {re.escape(name)}(?!\w)", clause):
            yield f"it was not {_DONE[state]} by {name}"
    if _BY_AUTHOR.search(clause) and who.isdisjoint(name for ground in grounds for name in _authors(ground)):
        yield f"it was not {_DONE[state]} by the author"


def _deeds(ground: Ground, state: str) -> Iterator[tuple[frozenset[date], frozenset[str]]]:
    """The days and the people of what reverted a change or brought it back: of its reverts, or of the change itself
    where that is one."""
    for revert in ground.reverts:
        if revert.does == _DEEDS.get(state):
            yield revert.days, revert.people
    is_revert = ground.change.kind == "revert" and state == "out"
    if is_revert or state in _states_in(ground.message):
        yield ground.days, frozenset(_authors(ground) - {ground.person})


def _authors(ground: Ground) -> set[str]:
    return {ground.person, *(commit.author.name for commit in ground.change.commits)}


# --- all of it

Part = Literal["headline", "item", "fixed", "attention", "impact"]


_LEAST_SHARE = 0.25  # of a sentence's telling words that its changes have in some form
# Words that carry too little to tell one commit from another.
_COMMON = """
    about above across actually added adding adds after again against along already also although among another anything
    around because been before behind being below beside between both called calls came cannot change changed changes
    come comes could current currently does doing done down during each either else even ever every everything find from
    gain gains gave get gets give given gives goes gone got had has have having here hold holds how into instead its
    itself keep keeps kept landed last later leave let like longer look made main make makes making many may means more
    most mostly much must need needs neither never new next none not nothing now off old once one only other others our
    out over own part past per put rather really replaces run said same say says second see seem seems set several shall
    should show shows since some something still such take taken takes tell than that the their them then there these
    they thing this those three through today together told too took two under unless until upon use used uses using
    very via want wants was way were what when where whether which while who whole whom whose why will with within
    without work works would year years yet and are but can did for you your
"""


class Checker:
    """Holds sentences against the changes of a month, or of several, by their numbers in a prompt.

    `common` are texts whose words name nothing of a change's own: the month, the repositories, the person.
    """

    def __init__(self, grounds: Mapping[int, Ground], common: Iterable[str] = ()) -> None:
        self._grounds = grounds
        words = {word.lower() for text in common for word in re.findall(r"[\w+]+", text)}
        repositories = {c.repository for ground in grounds.values() for c in ground.change.commits}
        words |= {part.lower() for name in repositories for part in re.split(r"[/_.-]", name)}
        words |= {compact(name.rpartition("/")[2]) for name in repositories}
        self._common = frozenset(words)
        self._common_stems = frozenset(map(stem, (*words, *_COMMON.split())))

    @cached_property
    def _people(self) -> tuple[str, ...]:
        """Whom any change names; a name of one word in small letters is too likely to be another word."""
        names = {name for ground in self._grounds.values() for name in ground.people}
        return tuple(sorted(name for name in names if len(name) > 3 and (" " in name or re.search(r"[\dA-Z_-]", name))))

    def faults(self, text: str, evidence: Collection[int], part: Part = "item", beside: str = "") -> list[str]:
        """What in a sentence the changes of its evidence do not bear out; empty if all of it holds.

        `beside` is what else is said in the same place, which may say what became of a change.
        """
        if not evidence:
            return ["it names no change"]
        if unknown := [n for n in evidence if n not in self._grounds]:
            return [f"{n} is the number of no change" for n in unknown]
        grounds = [self._grounds[n] for n in dict.fromkeys(evidence)]
        parts = parts_of(text)
        in_time = sorted(grounds, key=lambda ground: ground.change.lead.author.seconds)
        found = [
            *self.unknown_names(text, grounds),
            *_state_faults(parts.own, beside, grounds, self._people),
            *order_faults(parts.own, [ground.order for ground in in_time]),
            *effect_faults(
                parts.own, [one.bears_out for one in grounds], part == "fixed", any(one.hunks for one in grounds)
            ),
            *negation_faults(text, [statement for ground in grounds for statement in ground.statements]),
            *self._unsupported(text, grounds),
        ]
        return list(dict.fromkeys(found))

    def unknown_names(self, text: str, grounds: Sequence[Ground]) -> list[str]:
        return list(_unborne(parts_of(text), grounds, self._common, self._people))

    def _unsupported(self, text: str, grounds: Sequence[Ground]) -> list[str]:
        """Whether it speaks of other changes, or of none: as far as words tell."""
        plain = without_dates(_STATES.sub(" ", text))
        said = {stem(word) for word in words_of(plain) if len(word) > 2} - self._common_stems
        there = frozenset[str]().union(*(ground.stems for ground in grounds))
        missing = said - there
        if len(missing) > (1 - _LEAST_SHARE) * len(said):
            return [f"its changes do not speak of {', '.join(sorted(missing)[:8])}"]
        return []
