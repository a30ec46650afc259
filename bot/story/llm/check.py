"""A sentence of a model's, the changes it names, and what does not hold of it (docs/model.md). Pure.

A sentence is read once (`Reading`): references, days, hashes, quotations, code, numbers and names. Each must stand in
the `Ground` of one of its changes, which holds all that may be said of that change; what is said of states is as the
facts have it, and nothing that was backed out is shown as delivered. What changes do not say of themselves, how many
there are and which release has them, stands in `Facts`.

A message that says "`table_offset` is not needed" denies `needed`: the first word of meaning behind a negation is its
focus. A sentence that speaks of the same, has the focus, and denies it nowhere near, has lost the negation. Words that
claim an effect need a word of the same family in the changes, and two numbers, of which one was before the other, must
stand so in what the changes say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, RevertEvent
from bot.month.credits import credits_of
from bot.month.languages import language_of
from bot.story.lines import events_of

Day = tuple[int, int, int | None]  # day, month, and the year or None

# --- a text, read once

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)"
)
# What is named by signs of its own: each takes what it covers out of the text. "12 Nov 2024", "7 and 8 Nov", "Nov 12".
_MARKED = re.compile(
    r"(?P<quoted>“[^“”]*”|(?<![\w\"])\"[^\"\n]+\"(?![\w\"]))|"
    r"(?P<code>`[^`\n]+`)|"
    rf"(?P<day>\b(?P<d>\d{{1,2}})(?:\s+and\s+(?P<d2>\d{{1,2}}))?\s+(?P<m>{_MONTH})\b(?:\s+(?P<y>\d{{4}}))?|"
    rf"\b(?P<m2>{_MONTH})\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y2>\d{{4}}))?|\b\d{{4}}-\d{{2}}-\d{{2}}\b)|"
    rf"(?P<month>\b{_MONTH}\b(?:\s+\d{{4}})?)|"
    r"(?P<reference>(?<![\w/.-])(?:[\w.-]+/[\w.-]+)?#\d+(?!\w))|"
    r"(?P<sha>(?<![\w#])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?!\w))"
)
_SIGNS = {"quoted": "\ufffc", "code": "\ufffd"}
_NUMBER = re.compile(
    r"(?<![\w#.])v?[<>~≈]?(?P<number>\d+(?:[.,:]\d+)*)"
    r"[ \u00a0\u202f-]?(?P<unit>%|[A-Za-zµμ×]+(?:/[A-Za-z]+)?)?"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Units that may stand behind a number, the first as which the others count; capitals count, Mb is not MB.
_UNITS = """% percent pct | x X × times fold | s sec secs second seconds | ms msec millisecond milliseconds |
µs μs us usec microsecond microseconds | ns nsec | min mins minute minutes | h hr hrs hour hours | B byte bytes |
bit bits | kB KB kb | KiB | MB mb megabyte megabytes | MiB | GB gb gigabyte gigabytes | GiB gib | TB tb | TiB |
Mbps Mb/s | Gbps Gb/s gbps | MB/s MBps | GB/s GBps | GiB/s | TB/s TBps | Hz | kHz KHz | MHz | GHz | K k | M |
TFLOPS TFLOP/s TFLOPs | QPS qps | TPS tps | tokens/s tok/s"""
UNITS: dict[str, str] = {form: forms.split()[0] for forms in _UNITS.split("|") for form in forms.split()}

_CHUNK = re.compile(r"[^\s,;()\[\]{}“”\"!?=<>|→]+")
_TRIM = ".,:'’&*…–—-/~`"
_BEGINS = re.compile(r"(?:^|[.!?:;(–—]|\ufffc)\s*$")
_MIXED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}|\d[A-Za-z]|[A-Za-z]\d")
_IDENTIFIER = re.compile(rf"{_MIXED.pattern}|\w_\w|^_|_$|::|\w\.\w|\w/\w|^--?\w|@")
_MEASURE = re.compile(r"[<>~≈]?\d[\d.,:]*(?:%|[A-Za-zµμ×]+(?:/[A-Za-z]+)?)?")


class Number(NamedTuple):
    """A number without its commas, its unit as UNITS has it or "", both as written, and where they stand."""

    value: str
    unit: str
    written: str
    at: int

    @property
    def end(self) -> int:
        return self.at + len(self.written)


def numbers_of(text: str) -> Iterator[Number]:
    """The numbers of a text, without the digits of names and references."""
    for match in _NUMBER.finditer(text):
        written, unit, end = match["number"], UNITS.get(match["unit"] or "", ""), match.end("number")
        after = text[end : end + 1]
        if (after.isalpha() or after == "_") and not unit:
            continue  # "3D", "0x1f"
        value = written.replace(",", "").rstrip(":")
        yield Number(value, unit, match[0].strip() if unit else written, match.start("number"))


class Reading:
    """What a text names: `plain` is its own words at their places, without what is marked as one of these sorts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._found: dict[str, list[re.Match[str]]] = {}
        self.plain = _MARKED.sub(self._taken, text)

    def _taken(self, match: re.Match[str]) -> str:
        self._found.setdefault(match.lastgroup or "", []).append(match)
        return _SIGNS.get(match.lastgroup or "", " ").ljust(len(match[0]))

    def named(self, sort: Literal["quoted", "code", "reference", "sha"]) -> list[str]:
        marks = {"quoted": '“”"', "code": "`"}.get(sort, "")
        return list(dict.fromkeys(match[0].strip(marks) for match in self._found.get(sort, ())))

    @cached_property
    def days(self) -> tuple[tuple[Day, int], ...]:
        """The days, and where each stands."""
        return tuple((day, match.start()) for match in self._found.get("day", ()) for day in _days_of(match))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        return tuple(numbers_of(self.plain))

    def names(self) -> Iterator[str]:
        """The identifiers, and the words with a capital that begin no sentence."""
        for match in _CHUNK.finditer(self.plain):
            name = re.sub(r"['’]s?$", "", match[0].strip(_TRIM))
            if not any(map(str.isalpha, name)) or _MEASURE.fullmatch(name):
                continue
            if _IDENTIFIER.search(name) or (name[0].isupper() and not _BEGINS.search(self.plain[: match.start()])):
                yield name


def _days_of(match: re.Match[str]) -> Iterator[Day]:
    if not (match["m"] or match["m2"]):
        year, month, day = map(int, match[0].split("-"))
        yield day, month, year
        return
    month = _MONTHS.index((match["m"] or match["m2"])[:3].lower()) + 1
    said = match["y"] or match["y2"]
    for given in filter(None, (match["d"], match["d2"], match["d3"])):
        yield int(given), month, int(said) if said else None


def _spoken(text: str) -> set[str]:
    """The words of a text in small letters, those of names apart: "loadStateDict" is three."""
    return {word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text.replace("_", " ")))}


def compact(text: str) -> str:
    """Its letters and digits in small letters: "non-contiguous", "nonContiguous" and "non_contiguous" are one."""
    return "".join(sign for sign in text.lower() if sign.isalnum())


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """What a word and its forms have in common, as far as five letters tell."""
    word = word.lower().partition("'")[0].partition("’")[0]
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    return (word.removesuffix("e") if len(word) > 3 else word)[:5]  # "close" as "closed"


def folded(text: str) -> str:
    """A text by which quotations are compared."""
    return " ".join(re.sub(r"[“”„\"`*‘’']", "", text).casefold().split())


# --- what is denied

_SPOKEN = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?|[,()](?=\s|$)")
_CLAUSE = re.compile(r"[.;:!?](?=\s|$)")
_NEARBY = 5  # tokens behind a negation within which its focus stands, and behind a word that "are removed" denies
_AROUND = 8  # tokens on either side that tell what a word is said of
_BEFORE = 3  # tokens before a word, without those that stand for nothing, within which a negation denies it
_NOT = "not no never none nor neither cannot without nothing nobody unable dont doesnt cant"
# Verbs that say no to what stands behind them, or, as a participle, to what stands before.
_NO = "remov delet drop disab skip stop avoid prevent reject gone lack miss keeps forbid unus unne"
# Words that stand for nothing: no negation denies them alone.
_FILLING = """
the and for are was were been being has have had its his her their our this that these those which who whose with from
into onto over under than then there here when where while will would could should may might must can does did doing
done also just very too any some such much more most each every both either other another own same yet ever even still
quite really actually currently properly simply directly necessarily simple seem seems they them you your let lets get
gets got longer out off via per about using allow allowed allows able possible because since want wants
"""
_NEGATIONS, _MEANINGLESS, _DENYING = frozenset(_NOT.split()), frozenset(_FILLING.split()), tuple(_NO.split())


class Statement(NamedTuple):
    """A word of meaning, as its stem, the stems around it, and whether it is denied."""

    stem: str
    around: frozenset[str]
    is_denied: bool


def statements_in(paragraph: str) -> Iterator[Statement]:
    """What a text denies, which is the focus of each negation, and every word that it denies nowhere near."""
    plain = _CAMEL.sub(" ", paragraph.replace("_", " ").replace("’", "'"))
    tells_a_bug = plain.lstrip().lower().startswith("fix")  # "Fix users who will not see titles"
    for clause in _CLAUSE.split(plain):
        tokens = [token.lower() for token in _SPOKEN.findall(clause)]
        stems = [stem(token) if _has_meaning(token) else "" for token in tokens]
        for at, own in enumerate(stems):
            if not own:
                continue
            around = frozenset((*stems[max(0, at - _AROUND) : at], *stems[at + 1 : at + 1 + _AROUND])) - {""}
            if _is_focus(tokens, at):
                if not tells_a_bug:
                    yield Statement(own, around, True)
            elif not _is_denied(tokens, at):
                yield Statement(own, around, False)


def _negation_faults(text: str, statements: Sequence[Statement]) -> Iterator[str]:
    """A word that a text tells of something though the changes deny it of that; not where it stands with "only", which
    denies the rest."""
    for own in statements_in(text):
        if own.is_denied or "only" in own.around:
            continue
        # How much the changes have of what it is said of, with and without a "not".
        overlaps = [(one.is_denied, len(own.around & one.around)) for one in statements if one.stem == own.stem]
        denied = max((overlap for is_denied, overlap in overlaps if is_denied), default=0)
        said = max((overlap for is_denied, overlap in overlaps if not is_denied), default=0)
        if denied > said or denied == said > 1:
            yield f"its changes deny what it says of “{own.stem}”"


def _is_negation(token: str) -> bool:
    return token in _NEGATIONS or token.endswith("n't")


def _has_meaning(token: str) -> bool:
    return len(token) > 2 and token not in _MEANINGLESS and not _is_negation(token)


def _is_focus(tokens: Sequence[str], at: int) -> bool:
    """Whether a word is the first of meaning behind a negation."""
    before = reversed(tokens[max(0, at - _NEARBY) : at])
    return _is_negation(next((one for one in before if _is_negation(one) or _has_meaning(one)), ""))


def _is_denied(tokens: Sequence[str], at: int) -> bool:
    before = [one for one in tokens[max(0, at - _AROUND) : at] if one not in _MEANINGLESS][-_BEFORE:]
    behind = list(takewhile(lambda one: one != ",", tokens[at + 1 : at + 1 + _NEARBY]))
    return any(map(_is_negation, (*before, *behind[:1]))) or any(one.startswith(_DENYING) for one in (*before, *behind))


# --- what is claimed

# family | what claims it | what bears it out beside that; in small letters, "*" ends a beginning.
_FAMILIES = """
a fix | fix fixes fixed fixing repair* mended mends resolves resolved corrects corrected bug bugs bugfix* |
    fix* issue* error* fail* broke* break* wrong* incorrect* crash* rac* leak* regress* resolv* correct* workaround*
    patch* flak* mitigat* missing miss* mistak* problem* hang* stuck stale invalid mend* address* unable cannot can't
    doesn't didn't unexpected* spurious* accident* typo* overflow* timeout* oom nan handl* unblock* inconsisten*
    mismatch* diverg* discrepan* should warn* undefined forgot* except* without not;
a crash | crash* segfault* panic* aborts aborted |
    abort* sigsegv core ima illegal fatal exit* raise* throw* die* kill* fail* error* assert*;
a leak | leak* | free freed;
a race | race races racing racy | race* concurren* synchron* fence* order* overtak* volatile lock* visible;
a hang | hang hangs hung hanging deadlock* freez* | stuck block* forever timeout* wait*;
an overflow | overflow* | exceed* int32 int64;
corruption | corrupt* | incorrect* wrong* invalid;
security | secur* vulnerab* exploit* | cve* sanitiz* escap* auth* encrypt* inject* token secret*;
out of memory | oom | memory oomed;
speed | fast faster fastest quick* speed* sped accelerat* cheap* slow* latenc* throughput performan* efficien* optimi* |
    fast* perf* overhead* qps tps tflop* benchmark* bottleneck* vectori* expens* costl* microsecond* millisecond* ms us
    bandwidth parallel*;
less | reduc* fewer smaller shrink* shrank lower lowers lowered halv* saves saving* decreas* less cuts |
    few* small* cut* low* sav* drop* limit* half* trim* remov* down compress* compact* lighter short* unnecessar*
    avoid* minim* split* restrict* eliminat*;
better | improv* better enhanc* | optimi* boost* fast* speed* polish* clean* simpl* clear* easier friendl* more;
stability | stabl* stabil* robust* reliab* | flak* harden* intermittent*;
the first | first earliest |
    initial* init begin* start* new* prototyp* introduc* add* part pt poc creat* before early take prepar* foundation
    basic;
all | all every always everywhere everyone everybody universal* |
    each full* both whole entire* general* across only total whatever remaining rest unif* consistent* no none never
    not everything anything complet* unconditional*;
only | only solely exclusively |
    just restrict* limit* sole* exclusiv* unless except* gat* guard* if specific* without no not skip* need* instead
    temporar* default* support* requir*;
never | never none nobody | no not without don't doesn't cannot nothing stop* avoid* prevent*
"""
_Words = tuple[frozenset[str], tuple[str, ...]]  # whole words, and beginnings


def _table(words: str) -> _Words:
    beginnings = tuple(word[:-1] for word in words.split() if word.endswith("*"))
    return frozenset(words.split()), beginnings


_ROWS = [[one.strip() for one in row.split("|")] for row in _FAMILIES.split(";")]
_CLAIMS = {family: _table(claims) for family, claims, _ in _ROWS}
_GROUNDS = {family: _table(f"{claims} {grounds}") for family, claims, grounds in _ROWS}


@lru_cache(maxsize=50_000)
def _borne_by(word: str) -> frozenset[str]:
    """The families of claims that a word of a commit, in small letters, bears out."""
    return _families_of(word[:40], _GROUNDS)


def _families_of(word: str, table: dict[str, _Words]) -> frozenset[str]:
    return frozenset(family for family, (whole, begun) in table.items() if word in whole or word.startswith(begun))


def _effect_faults(plain: str, grounds: Sequence[Ground], part: Part) -> Iterator[str]:
    """What a text claims without a ground, in its words without quotations and code."""
    # Two numbers, whose order is looked at elsewhere, say themselves that something fell.
    borne = frozenset({"less"} if any(pairs_of(plain)) else ()).union(*(one.bears_out for one in grounds))
    words = [word.lower().replace("’", "'") for word in _SPOKEN.findall(plain)]
    claims = {family: word for word in reversed(words) for family in _families_of(word, _CLAIMS)}
    for family in sorted(claims.keys() - borne):
        yield f"“{claims[family]}” is said, but no change of its says so"
    # Diffs, where they were sent, may show what no message says.
    if part == "fixed" and "a fix" not in borne | claims.keys() and not any(one.shown for one in grounds):
        yield "no change of its says that anything was fixed"


# --- two numbers, of which one was before the other

# What may stand between two numbers, and which of the two was before: the first, or the second.
_ONWARD = re.compile(
    r"^\W*(?:now|then|before[,;:]?|after(?:wards)?)\W*$|(?:-+>|=+>|→|\bto\b|\bbecame\b|\bnow\b|\bafter|\bbefore\b)",
    re.IGNORECASE,
)
_BACKWARD = re.compile(
    r"\b(?:from|instead of|up from|down from|rather than|was|were|had been|had allowed|before that|previously|formerly|"
    r"not|replac\w+|in place of|compared (?:to|with)|than|against|after)\b",
    re.IGNORECASE,
)
_MOST_PLACES, LONGEST_LINE = 40, 2_000  # of one number, and characters of a line, that are looked at
_NEAR = 3  # lines that the two numbers of a pair may be apart in a message


def pairs_of(plain: str) -> Iterator[tuple[Number, Number]]:
    """Of two neighbouring numbers of a text, which was before and which after, where it says so."""
    for one, other in pairwise(numbers_of(plain)):
        between = plain[one.end : other.at]
        if one.unit and other.unit and one.unit != other.unit:
            continue
        if _BACKWARD.search(between):
            yield other, one
        elif _ONWARD.search(between):
            yield one, other


def _order_faults(plain: str, grounds: Sequence[Ground]) -> Iterator[str]:
    """Two numbers that a sentence tells in an order that no change has."""
    for before, after in pairs_of(plain):
        if not any(ground.has_order(before.value, after.value) for ground in grounds):
            yield f"{before.written} before and {after.written} after is not what its changes say"


# --- what may be said of a change

LONGEST_BODY, MOST_PATHS = 20_000, 2_000  # characters, and paths of a commit, that are read
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+•|>#]|\d+[.)/]|```))")
_PAGE = re.compile(r"/(?:pull|issues|discussions)/(\d+)")
_MARKS = re.compile(r"[“”\"`]")
_TOKEN, _PART = re.compile(r"[A-Za-z0-9_]+"), re.compile(r"[A-Za-z0-9]+")
_LONGEST_RUN = 6  # parts of words that may be written as one: "non contiguous", "AllGather", "all_gather"


def is_in(change: Change) -> bool:
    """Whether the change was in when it was last looked at."""
    events = events_of(change)
    return events[-1].does == "relands" if events else change.state not in ("backed_out", "partly")


def _people_of(event: RevertEvent) -> frozenset[str]:
    return frozenset({event.by or event.commit.author.name, event.commit.author.name})


class Ground:
    """All that may be said of a change. `person` is whose month it is of, `shown` what else a model was given of it:
    its diffs, or rows of documents. `releases` are the tags without their v that have it ("in", "2.4"), that it came
    after ("since"), and that lack it ("not"); of the commit of a tag, which it is ("is")."""

    def __init__(
        self,
        change: Change,
        person: str,
        zone: str,
        shown: str = "",
        without_bodies: bool = False,
        releases: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.change, self.person, self.shown, self.releases = change, person, shown, frozenset(releases)
        self._zone = ZoneInfo(zone)
        self.is_in, self.events = is_in(change), events_of(change)
        # Bodies that were not sent bear out nothing.
        bodies = {one: "" if without_bodies else f"\n\n{one.body[:LONGEST_BODY]}" for one in change.commits}
        texts = dict.fromkeys(f"{one.subject}{body}" for one, body in bodies.items())
        self.message = "\n\n".join((*([change.title] if change.title else []), *texts))
        reverts = (event.commit for event in self.events)
        self.messages = (self.message, *(f"{one.subject}\n{one.body[:LONGEST_BODY]}" for one in reverts))
        self.words = "\n".join((*self.messages, shown))  # all that words may come from

    @cached_property
    def text(self) -> str:
        """Its words, with repositories, names, paths and their languages."""
        files = [file for commit in self.change.commits for file in commit.files[:MOST_PATHS]]
        paths = dict.fromkeys(path for file in files for path in (file.path, file.old_path) if path)
        languages = sorted({language for path in paths if (language := language_of(path))})
        repositories = (commit.repository for commit in self.change.commits)
        return "\n".join((self.words, *repositories, *self.people, *paths, *languages))

    @cached_property
    def folded(self) -> str:
        return folded(self.text)

    @cached_property
    def people(self) -> frozenset[str]:
        names = {self.person, self.change.shared_by}
        for commit in self.change.commits:
            names |= {commit.author.name, commit.committer.name}
            names.update(credited.name for credited in credits_of(commit.body[:LONGEST_BODY]))
        return frozenset(names.union(*map(_people_of, self.events)) - {""})

    @property
    def is_tag(self) -> bool:
        return any(way == "is" for way, _ in self.releases)

    @property
    def authors(self) -> frozenset[str]:
        return frozenset(commit.author.name for commit in self.change.commits)

    @cached_property
    def _reading(self) -> Reading:
        return Reading(_MARKS.sub(" ", self.words))

    @cached_property
    def references(self) -> frozenset[str]:
        pages = (f"#{number}" for number in _PAGE.findall("\n".join(self.messages)))
        every = {*self._reading.named("reference"), *pages, *self.change.refs}
        return frozenset(every | {f"#{reference.partition('#')[2]}" for reference in every})

    @cached_property
    def days(self) -> frozenset[Day]:
        """The days on which it and its reverts happened, and those that its words name; without the year, too."""
        said = {day for day, _ in self._reading.days}
        return self.happened | said | {(day, month, None) for day, month, _ in said}

    @cached_property
    def happened(self) -> frozenset[Day]:
        return frozenset().union(*map(self.days_of, (*self.change.commits, *(one.commit for one in self.events))))

    def days_of(self, commit: Commit) -> frozenset[Day]:
        """The days on which a commit was written, committed and came, on the clocks that may have shown them."""
        signatures = (commit.author, commit.committer, commit.dated("came"))
        instants = [at for one in signatures for at in (one.at, one.at.astimezone(self._zone), one.local)]
        return frozenset(form for at in instants for form in forms_of(at))

    @cached_property
    def shas(self) -> tuple[str, ...]:
        """Those of its commits, of its reverts, and those that its words name."""
        return (*self.change.shas, *(event.commit.sha for event in self.events), *self._reading.named("sha"))

    @cached_property
    def runs(self) -> frozenset[str]:
        """Every run of up to six parts of words of a line, written as one."""
        found = _spoken(self.text)
        for line in self.text.splitlines():
            found.update(map(compact, _TOKEN.findall(line[:LONGEST_LINE])))
            parts = [part.lower() for part in _PART.findall(_CAMEL.sub(" ", line[:LONGEST_LINE]))]
            for at in range(len(parts)):
                joined = ""
                for part in parts[at : at + _LONGEST_RUN]:
                    joined += part
                    found.add(joined)
        return frozenset(found)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(map(stem, _spoken(self.text)))

    @cached_property
    def bears_out(self) -> frozenset[str]:
        """The families of claims that it bears out."""
        words = _spoken(self.words).union(re.findall(r"[a-z]+(?:['’-][a-z]+)*", self.words.lower()))
        by_kind = {"fix": {"a fix"}, "performance": {"speed"}}.get(self.change.kind, set())
        return frozenset(by_kind).union(*map(_borne_by, words))

    @cached_property
    def values(self) -> Mapping[str, set[str]]:
        """The units that each number stands with, "" among them where it stands with none."""
        found: dict[str, set[str]] = {}
        for number in numbers_of(self.words):
            found.setdefault(number.value, set()).add(number.unit)
        return found

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        paragraphs = (paragraph for message in self.messages for paragraph in _PARAGRAPH.split(message))
        return tuple(statement for paragraph in paragraphs for statement in statements_in(paragraph))

    @cached_property
    def _order(self) -> tuple[set[tuple[str, str]], dict[str, list[tuple[int, int]]]]:
        """Which numbers its words say to be before which, and where, by line and place in it, each stands. In a diff
        what was removed stands above what was added."""
        said, places = set[tuple[str, str]](), dict[str, list[tuple[int, int]]]()
        for at, line in enumerate(self.words.splitlines()):
            said |= {(before.value, after.value) for before, after in pairs_of(line[:LONGEST_LINE])}
            for one in numbers_of(line[:LONGEST_LINE]):
                places.setdefault(one.value, []).append((at, one.at))
        return said, places

    def has_order(self, before: str, after: str) -> bool:
        """Whether its words have two numbers in this order."""
        said, places = self._order
        if (before, after) in said or (after, before) in said:
            return (before, after) in said
        some, others = (places.get(one, [])[:_MOST_PLACES] for one in (before, after))
        return any(one < other and other[0] - one[0] <= _NEAR for one in some for other in others)


def forms_of(on: date) -> tuple[Day, Day]:
    """A day with its year, and without it."""
    return (on.day, on.month, on.year), (on.day, on.month, None)


# --- what is named


def _is_known(name: str, grounds: Sequence[Ground], common: Collection[str]) -> bool:
    """Whether the changes have a name, in whatever case and however it is joined, as a whole or by its parts; of a
    word such as "KJT-based" those that are names."""
    parts = [part for part in re.split(r"[^A-Za-z0-9_]+", name) if part]
    names = [part for part in parts if part[0].isupper() or _MIXED.search(part) or "_" in part]
    return _has_word(name, grounds, common) or all(_has_word(part, grounds, common) for part in names or parts)


def _has_word(word: str, grounds: Sequence[Ground], common: Collection[str]) -> bool:
    bare, lower = compact(word), word.lower()
    if not bare or lower in common or lower.removesuffix("s") in common:
        return True
    forms = {bare, f"{bare}s", bare.removesuffix("s")}
    return any(not forms.isdisjoint(ground.runs) for ground in grounds)


def _has_number(number: Number, ground: Ground) -> bool:
    """Whether a number stands in a change, with its unit or where its unit stands apart, as in the head of a table."""
    units = ground.values.get(number.value, set())
    if number.unit in units or (units and not number.unit):
        return True
    forms = (form.lower() for form, unit in UNITS.items() if unit == number.unit)
    return "" in units and any(form in ground.text.lower() for form in forms)


# --- states

_STATES = re.compile(
    r"(?P<still_out>\b(?:not|never|nor) (?:been |yet |come |brought |re-?landed |is )*"
    r"(?:back|re-?landed|brought back|on main|restored)|"
    r"\bstill out\b|\bnot on main\b|\bhas not returned\b|\bdoes not stand\b|\bdo not stand\b|\bno longer in(?=\W*$))|"
    r"(?P<out>\b(?:(?:is|was|were|been|be|got|being) )?(?:back(?:ed|s|ing)? (?:it |this |that |them )?out|"
    r"back(?:ed|s|ing)?-out|revert(?:ed|s|ing)?|"
    r"roll(?:ed|s)? back|taken (?:back|out)|withdrawn|undone|undid|pulled again|took (?:it )?out)\b)|"
    r"(?P<back>\b(?:re-?land(?:ed|s|ing)?|land(?:ed|s) again|brought back|came back|comes back|back (?:in|on|since)\b|"
    r"is back|are back|be back|back \d|re-?appl(?:ied|ies)|restor(?:ed|es) (?:on|by)|reinstat\w+|back again|"
    r"stands? again))",
    re.IGNORECASE,
)
_BY_AUTHOR = re.compile(r"\bby (?:the author|its author|himself|herself|themselves)\b")
_CLAUSE_END = re.compile(r"[;:]|[.!?](?=\s|$)|, (?:and|but) |, (?=the part\b)")
_DONE = {"out": ("reverts", "backed out"), "back": ("relands", "brought back")}


@lru_cache(maxsize=1000)
def _states_in(text: str) -> frozenset[str]:
    return frozenset(str(match.lastgroup) for match in _STATES.finditer(text))


def _state_faults(reading: Reading, beside: str, grounds: Sequence[Ground], people: Iterable[str]) -> Iterator[str]:
    """What is wrong with the states that a text tells; `beside` is what else is said with it, `people` are named."""
    mentions = list(_STATES.finditer(reading.plain))
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
    ends = [*(match.start() for match in mentions[1:]), len(reading.text)]
    for state, match, end in zip(said, mentions, ends, strict=False):
        clause = _CLAUSE_END.split(reading.text[match.start() : end])[0]
        if state in _DONE and (deeds := [deed for ground in grounds for deed in _deeds(ground, state)]):
            yield from (f"it was not {_DONE[state][1]} {what}" for what in _wrong(clause, deeds, grounds, people))
    if _states_in(f"{reading.plain} {beside}").isdisjoint(("out", "still_out")):
        for ground in grounds:
            if not ground.is_in and ground.change.kind != "revert":
                called = next(iter(ground.change.refs), ground.change.lead.subject[:60])
                yield f"it does not say that {called} was backed out"


_Deed = tuple[frozenset[Day], frozenset[str]]  # the days and the people of what was done


def _wrong(clause: str, deeds: Iterable[_Deed], grounds: Iterable[Ground], people: Iterable[str]) -> Iterator[str]:
    """A day or a person that is said with a state, and is another's."""
    days, who = (frozenset().union(*some) for some in zip(*deeds, strict=True))
    others = frozenset[Day]().union(*(ground.happened for ground in grounds)) - days
    if any(day in others for day, _ in Reading(clause).days):
        yield "on that day"
    by = (name for name in people if name not in who and re.search(rf"\bby {re.escape(name)}(?!\w)", clause))
    yield from (f"by {name}" for name in by)
    authors = {name for ground in grounds for name in (ground.person, *ground.authors)}
    if _BY_AUTHOR.search(clause) and who.isdisjoint(authors):
        yield "by the author"


def _deeds(ground: Ground, state: str) -> Iterator[_Deed]:
    """What reverted a change or brought it back: its reverts, or the change itself where that is one."""
    for event in ground.events:
        if event.does == _DONE[state][0]:
            yield ground.days_of(event.commit), _people_of(event)
    if (ground.change.kind == "revert" and state == "out") or state in _states_in(ground.message):
        yield ground.days, ground.authors - {ground.person}


# --- all of it

Part = Literal["headline", "item", "fixed", "attention", "impact"]
_VERSION = re.compile(r"(?<![\w.])v?\d+\.\d+")
_DENIED = re.compile(r"\b(?:not?|none|neither|nor)\b(?:[^\w,;:.()]+(?!and\b|but\b)\w+){0,8}\W*$", re.IGNORECASE)
_WAYS = {"since": {"in", "since"}, "after": {"since"}}  # what must be known of a release that is said so
_BOUND = re.compile(r"\b(?:from|to|since|until)\s$", re.IGNORECASE)  # before the first or the last day of a span
_COUNTED = re.compile(r"(?:\s+[\w-]+){0,4}")  # behind a number
_BARE = re.compile(r"\W|\s(?:of|by|in|from|on|and|is|was|are|were)\b|$")  # behind a number of what was counted before
_ASIDE = re.compile(r"[,;:.]\s|\band\b")  # between the parts of a sentence of which each counts something


@dataclass(frozen=True, slots=True)
class Facts:
    """What no change says of itself, and the documents beside it do: how many there are of something, by its stem, and
    whose they are ("" of all); the days that bound what was asked for; and the tags of the time, without their v,
    with their days."""

    counts: frozenset[tuple[str, int, str]] = frozenset()
    bounds: frozenset[Day] = frozenset()
    releases: Mapping[str, Collection[Day]] = field(default_factory=dict)

    def counts_so(self, number: Number, plain: str, named: int) -> bool:
        """Whether that number is counted of what stands behind it, or, if nothing does, of whom its clause names; or,
        where anything is counted, is how many changes are `named`."""
        if number.unit or not number.value.isdigit() or not self.counts:
            return False
        if number.value == str(named) and named > 1:
            return True
        behind = {stem(word) for word in (_COUNTED.match(plain, number.end) or [""])[0].split()}
        is_bare = _BARE.match(plain, number.end) is not None
        clause = f"{_ASIDE.split(plain[: number.at])[-1]} {_ASIDE.split(plain[number.end :])[0]}"
        every = {stem(word) for word in plain.split()}
        return any(
            count == int(number.value)
            and (kind in behind or (is_bare and (whose in clause if whose else kind in every)))
            for kind, count, whose in self.counts
        )


class Checker:
    """Holds sentences against changes, by their numbers in a prompt.

    `common` are texts whose words name nothing of a change's own: the month, the repositories, the person. A headline
    may name every release of the facts, what readers have to attend to that of some change of its, and another sentence
    that of all.
    """

    def __init__(self, grounds: Mapping[int, Ground], common: Iterable[str] = (), facts: Facts | None = None) -> None:
        self._grounds, self._facts = grounds, facts or Facts()
        words = {word.lower() for text in common for word in re.findall(r"[\w+]+", text)}
        repositories = {c.repository for ground in grounds.values() for c in ground.change.commits}
        words |= {part.lower() for name in repositories for part in re.split(r"[/_.-]", name)}
        words |= {compact(name.rpartition("/")[2]) for name in repositories}
        self._common = frozenset(words)
        # Whom any change names; a name of one word in small letters is too likely to be another word.
        names = {name for ground in grounds.values() for name in ground.people}
        self._people = sorted(name for name in names if len(name) > 3 and re.search(r"[ \dA-Z_-]", name))
        tags = {tag for ground in grounds.values() for _, tag in ground.releases}
        every = sorted(tags.union(self._facts.releases), key=len, reverse=True)
        names_of_tags = "|".join(map(re.escape, filter(None, every))) or "(?!)"
        self._tag = re.compile(
            rf"(?:\b(?P<how>in|with|since|after)\s)?(?<![\w.])v?(?P<tag>{names_of_tags})(?!\.?\w)",
            re.IGNORECASE,
        )

    def faults(self, text: str, evidence: Collection[int], part: Part = "item", beside: str = "") -> list[str]:
        """What in a sentence the changes of its evidence do not bear out; empty if all of it holds.

        `beside` is what else is said in the same place, which may say what became of a change.
        """
        if not evidence:
            return ["it names no change"]
        if unknown := [n for n in evidence if n not in self._grounds]:
            return [f"{n} is the number of no change" for n in unknown]
        grounds = [self._grounds[n] for n in dict.fromkeys(evidence)]
        rest, named, found = self._without_releases(text, grounds, part)
        reading = Reading(rest)
        people = [one for one in self._people if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", reading.plain)]
        found += [
            *self._unborne(reading, grounds, named),
            *(f"{one} has no part in its changes" for one in people if not _has_part(one, grounds)),
            *_state_faults(reading, beside, grounds, people),
            *_order_faults(reading.plain, grounds),
            *_effect_faults(reading.plain, grounds, part),
            *_negation_faults(reading.text, [statement for ground in grounds for statement in ground.statements]),
        ]
        said = {stem(word) for word in _spoken(reading.text) if _has_meaning(word)}
        if said and not self._facts.counts and not any(said & ground.stems for ground in grounds):
            found.append("its changes speak of nothing that it says")
        are_releases = {ground.change.kind == "release" for ground in grounds}
        if part != "headline" and len(are_releases) > 1 and _VERSION.search(reading.plain):
            found += [] if any(ground.releases for ground in grounds) else ["no change says which release has it"]
        return list(dict.fromkeys(found))

    def unknown_names(self, text: str, evidence: Collection[int]) -> list[str]:
        """What a text names, but none of some changes has."""
        return list(self._unborne(Reading(text), [self._grounds[n] for n in evidence], ()))

    def _without_releases(self, text: str, grounds: Sequence[Ground], part: Part) -> tuple[str, list[str], list[str]]:
        """A text without the releases that it may name; these; and what the facts are against."""
        named, found = list[str](), list[str]()

        def borne(match: re.Match[str]) -> str:
            tag, is_denied = match["tag"], _DENIED.search(text[: match.start()]) is not None
            ways = {"not"} if is_denied else _WAYS.get((match["how"] or "").lower(), {"in"})
            own = [any((way, tag) in ground.releases for way in ways) for ground in grounds]
            others = [held for held, ground in zip(own, grounds, strict=True) if not ground.is_tag]
            is_itself = ways == {"in"} and any(("is", tag) in ground.releases for ground in grounds)
            is_held = (is_itself and all(others)) or all(own) or (part == "attention" and any(own))
            if is_held or (part == "headline" and tag in self._facts.releases):
                named.append(tag)
                return " "
            if any(tag == other for ground in grounds for _, other in ground.releases):
                found.append(f"that is not said of {tag}")
            return match[0]

        return self._tag.sub(borne, text), named, found

    def _unborne(self, reading: Reading, grounds: Sequence[Ground], releases: Collection[str]) -> Iterator[str]:
        """What is named, but stands in none of the changes, nor with the releases that are named."""
        for reference in reading.named("reference"):
            if not any(reference in ground.references for ground in grounds):
                yield f"{reference} is no number of its changes"
        days = {day for one in releases for day in self._facts.releases.get(one, ())}
        days = days.union(*(ground.days for ground in grounds))
        for day, at in reading.days:
            is_bound = day in self._facts.bounds and _BOUND.search(reading.text[:at])
            if day not in days and not is_bound:
                yield f"nothing of its changes happened on {day[0]:02}-{day[1]:02}"
        for one in reading.named("quoted"):
            said = folded(one).strip(" .,;:…")
            if not said or not any(said in ground.folded for ground in grounds):
                yield f"“{one}” is quoted, but stands in none of its changes"
        for one in reading.named("sha"):
            if not any(sha.startswith(one) for ground in grounds for sha in ground.shas):
                yield f"{one} is none of its commits"
        for number in reading.numbers:
            is_borne = any(_has_number(number, ground) for ground in grounds)
            if not is_borne and not self._facts.counts_so(number, reading.plain, len(grounds)):
                yield f"the number {number.written} stands in none of its changes"
        codes = (one for one in reading.named("code") if not _is_known(one, grounds, self._common))
        names = (one for one in reading.names() if not _is_known(one, grounds, self._common))
        yield from (f"{one} stands in none of its changes" for one in (*codes, *names))


def _has_part(person: str, grounds: Sequence[Ground]) -> bool:
    return any(person in ground.people or person.lower() in ground.text.lower() for ground in grounds)
