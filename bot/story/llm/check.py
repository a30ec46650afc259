"""A sentence of a model's, the changes it names, and what does not hold of it (docs/model.md). Pure.

What is named must stand in the changes: references, numbers, days, quotations, identifiers and people; what is said of
states is as the facts have it, and nothing that was backed out is shown as delivered.

A message that says "`table_offset` is not needed" denies `needed`: the first word of meaning behind a negation is its
focus. A sentence that speaks of the same, has the focus, and denies it nowhere near, has lost the negation. Words that
claim an effect need a word of the same family in the changes, and two numbers, of which one was before the other, must
stand so in what the changes say. All words of the tables are in small letters; one that ends in `*` is a beginning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, lru_cache
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, RevertEvent
from bot.month.calendar import NAMES
from bot.month.credits import credits_of
from bot.month.paths import language_of
from bot.story.lines import events_of, state_now

_MONTHS = tuple(name[:3].lower() for name in NAMES)
_MONTH = rf"(?:{'|'.join(NAMES)}|Sept|{'|'.join(name[:3] for name in NAMES)})"
_QUOTED = re.compile(r"“([^“”]*)”|(?<![\w\"])\"([^\"\n]+)\"(?![\w\"])")
_CODE = re.compile(r"`([^`\n]+)`")
# "12 Nov 2024", "7 and 8 Nov", "7 to 8 Nov", "Nov 12", "2024-11-12"
_DATE = re.compile(
    rf"\b(?P<a>\d{{1,2}})(?:\s+(?:and|to)\s+(?P<b>\d{{1,2}}))?\s+(?P<m>{_MONTH})\b(?:\.(?=\s+[a-z\d(]))?(?:\s+(?P<y>\d{{4}}))?|"
    rf"\b(?P<m2>{_MONTH})\s+(?P<a2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y2>\d{{4}}))?|"
    r"\b(?P<iso>\d{4}-\d{2}-\d{2})\b"
)
_MONTH_ALONE = re.compile(rf"\b{_MONTH}\b(?:\s+\d{{4}})?")
REFERENCE = re.compile(r"(?<![\w/.-])(?:[\w.-]+/[\w.-]+)?#\d+(?!\w)")
SHA = re.compile(r"(?<![\w#])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?!\w)")
_NUMBER = re.compile(
    r"(?<![\w#.])(?<![A-Za-z]-)v?[<>~≈]?(?P<number>\d+(?:[.,:]\d+)*)"
    r"[ \u00a0\u202f-]?(?P<unit>%|[A-Za-zµμ×]+(?:/[A-Za-z]+)?)?"
)
_NON = re.compile(r"\b(non)-(?=\d)", re.IGNORECASE)  # "non-200 answers"
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

# Units that may stand behind a number, by the form in which they are compared; capitals count, Mb is not MB.
_UNITS = {
    "%": "% percent pct", "x": "x X × times fold", "s": "s sec secs second seconds",
    "ms": "ms msec millisecond milliseconds", "µs": "µs μs us usec microsecond microseconds", "ns": "ns nsec",
    "min": "min mins minute minutes", "h": "h hr hrs hour hours", "B": "B byte bytes", "bit": "bit bits",
    "kB": "kB KB kb", "KiB": "KiB", "MB": "MB mb megabyte megabytes", "MiB": "MiB",
    "GB": "GB gb gigabyte gigabytes", "GiB": "GiB gib", "TB": "TB tb", "TiB": "TiB", "Mbps": "Mbps Mb/s",
    "Gbps": "Gbps Gb/s gbps", "MB/s": "MB/s MBps", "GB/s": "GB/s GBps", "GiB/s": "GiB/s", "TB/s": "TB/s TBps",
    "Hz": "Hz", "kHz": "kHz KHz", "MHz": "MHz", "GHz": "GHz", "K": "K k", "M": "M", "TFLOPS": "TFLOPS TFLOP/s TFLOPs",
    "QPS": "QPS qps", "TPS": "TPS tps", "tokens/s": "tokens/s tok/s",
}  # fmt: skip
UNITS: dict[str, str] = {form: unit for unit, forms in _UNITS.items() for form in forms.split()}


class Number(NamedTuple):
    """A number without its commas, its unit as UNITS has it or "", both as written, and where they begin and end."""

    value: str
    unit: str
    written: str
    at: int
    end: int


class Parts(NamedTuple):
    """A text's own words, with a sign in the place of what it quotes and of code, which follow."""

    own: str
    quoted: tuple[str, ...]
    code: tuple[str, ...]


def parts_of(text: str) -> Parts:
    quoted = tuple(one or other for one, other in _QUOTED.findall(text))
    rest = _QUOTED.sub(" \ufffc ", text)
    return Parts(_CODE.sub(" \ufffd ", rest), quoted, tuple(_CODE.findall(rest)))


def dates_of(text: str) -> Iterator[tuple[int, int, int | None]]:
    """Day, month, and the year if it is given, of each date of a text."""
    for match in _DATE.finditer(text):
        if match["iso"]:
            year, month, day = map(int, match["iso"].split("-"))
            yield day, month, year
            continue
        month = _MONTHS.index((match["m"] or match["m2"])[:3].lower()) + 1
        year_given = match["y"] or match["y2"]
        for given in filter(None, (match["a"], match["b"], match["a2"])):
            yield int(given), month, int(year_given) if year_given else None


def with_and_without_year(days: Iterable[tuple[int, int, int | None]]) -> frozenset[tuple[int, int, int | None]]:
    return frozenset(one for day, month, year in days for one in ((day, month, year), (day, month, None)))


def plain_of(text: str) -> str:
    """The text with spaces in the place of its dates and references."""
    for pattern in (_DATE, _MONTH_ALONE, REFERENCE):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return text


def numbers_of(text: str) -> Iterator[Number]:
    """The numbers of a text, without the digits of names, references and dates."""
    for match in _NUMBER.finditer(_NON.sub(r"\1 ", text)):
        written, unit, end = match["number"], UNITS.get(match["unit"] or "", ""), match.end("number")
        after = text[end : end + 1]
        if (after.isalpha() or after == "_") and not unit:
            continue  # "3D", "0x1f"
        value = written.replace(",", "") if _THOUSANDS.fullmatch(written) else written
        at, shown = match.start("number"), match[0].strip() if unit else written
        yield Number(value.rstrip(",:"), unit, shown, at, at + len(shown))


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


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, those of names apart: "loadStateDict" is three."""
    return [word.lower() for word in _WORD.findall(CAMEL.sub(" ", text.replace("_", " ")))]


def folded(text: str) -> str:
    """A text by which quotations are compared."""
    return " ".join(re.sub(r"[“”„\"`*‘’']", "", text).casefold().split())


# --- what is denied

_SPOKEN = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?|[.;:!?](?=\s|$)|[,()](?=\s|$)")
_STOPS = frozenset(".;:!?")
_CLAUSE_ENDS = _STOPS | {","}
_FOCUS = 5  # tokens behind a negation within which its focus stands
_AROUND = 8  # tokens on either side that tell what a word is said of
_BEFORE = 3  # tokens before a word, without those that stand for nothing, within which a negation denies it
MOST_MISSING = 0.75  # of a sentence's words of meaning, which its changes have in no form
_PARTICIPLE = 5  # tokens behind a word within which "are removed" denies it
_NOT = "not no never none nor neither cannot without nothing nobody unable dont doesnt cant non"
# A verb that says no to what stands behind it, or, as a participle, to what stands before.
_DENYING = (
    "remov", "delet", "drop", "disab", "skip", "stop", "avoid", "prevent", "reject", "gone", "lack", "miss", "keeps",
    "forbid", "non", "unus", "unne",
)  # fmt: skip
# Words that stand for nothing: no negation denies them alone.
_SAYING_NOTHING = """
    the and for are was were been being has have had its his her their our this that these those which who whose with
    from into onto over under than then there here when where while will would could should may might must can does did
    doing done also just very too any some such much more most each every both either other another own same yet ever
    even still quite really actually currently properly simply directly necessarily simple seem seems they them you your
    let lets get gets got longer out off via per about using allow allowed allows able possible because since want wants
"""
_NEGATIONS, _MEANINGLESS = frozenset(_NOT.split()), frozenset(_SAYING_NOTHING.split())


class Statement(NamedTuple):
    """A word of meaning, as its stem, the stems around it, and whether it is denied."""

    stem: str
    around: frozenset[str]
    is_denied: bool


def statements_in(text: str) -> Iterator[Statement]:
    """What a text denies, which is the focus of each negation, and every word that it denies nowhere near."""
    plain = CAMEL.sub(" ", _NON.sub("", text).replace("_", " ").replace("’", "'"))
    tokens = [match[0].lower() for match in _SPOKEN.finditer(plain)]
    tells_a_bug = bool(tokens) and tokens[0].startswith("fix")  # "Fix users who will not see titles"
    for at, token in enumerate(tokens):
        if _has_meaning(token):
            is_focus = _is_focus(tokens, at)
            if not (tells_a_bug if is_focus else _is_denied(tokens, at)):
                yield Statement(stem(token), _around(tokens, at), is_focus)


def _negation_faults(text: str, grounds: Sequence[Ground]) -> Iterator[str]:
    """A word that a text tells of something though the changes deny it of that; not where it stands with "only", which
    denies the rest."""
    statements = [one for ground in grounds for one in ground.statements]
    for own in statements_in(text):
        if own.is_denied or "only" in own.around:
            continue
        # How much the changes have of what it is said of, with and without a "not".
        overlaps = [(one.is_denied, len(own.around & one.around)) for one in statements if one.stem == own.stem]
        denied = max((overlap for is_denied, overlap in overlaps if is_denied), default=0)
        said = max((overlap for is_denied, overlap in overlaps if not is_denied), default=0)
        if denied > said or denied == said > 1:
            yield f"its changes deny what it says of “{own.stem}”"


def _unsupported(text: str, grounds: Sequence[Ground]) -> Iterator[str]:
    """Whether a text speaks of other changes, or of none: as far as its words of meaning tell."""
    words = words_of(_STATES.sub(" ", plain_of(text)))
    said = set(map(stem, filter(_has_meaning, words)))
    missing = said.difference(*(map(stem, words_of(ground.text)) for ground in grounds))
    is_document = not any(ground.change.commits for ground in grounds)  # which has all its words, and denies nothing
    if is_document and any(map(_is_negation, words)):
        yield "its call denies nothing"
    if len(missing) > (0 if is_document else max(1, MOST_MISSING * len(said))):
        yield f"its changes do not speak of {', '.join(sorted(missing)[:8])}"


def _is_negation(token: str) -> bool:
    return token in _NEGATIONS or token.endswith("n't")


def _has_meaning(token: str) -> bool:
    return len(token) > 2 and token[0].isalpha() and token not in _MEANINGLESS and not _is_negation(token)


def _around(tokens: Sequence[str], at: int) -> frozenset[str]:
    begin, end = at, at + 1
    while begin > 0 and at - begin < _AROUND and tokens[begin - 1] not in _STOPS:
        begin -= 1
    while end < len(tokens) and end - at <= _AROUND and tokens[end] not in _STOPS:
        end += 1
    return frozenset(map(stem, filter(_has_meaning, (*tokens[begin:at], *tokens[at + 1 : end]))))


def _is_focus(tokens: Sequence[str], at: int) -> bool:
    for token in reversed(tokens[max(0, at - _FOCUS) : at]):
        if _is_negation(token):
            return True
        if token in _STOPS or _has_meaning(token):
            return False
    return False


def _is_denied(tokens: Sequence[str], at: int) -> bool:
    before = [token for token in tokens[max(0, at - _AROUND) : at] if token not in _MEANINGLESS]
    for token in reversed(before[-_BEFORE:]):
        if token in _STOPS:
            break
        if _is_negation(token) or token.startswith(_DENYING):
            return True
    if at + 1 < len(tokens) and _is_negation(tokens[at + 1]):
        return True
    behind = takewhile(lambda token: token not in _CLAUSE_ENDS, tokens[at + 1 : at + 1 + _PARTICIPLE])
    return any(token.startswith(_DENYING) for token in behind)


# --- what is claimed

# family: (what claims it, what bears it out beside that)
_FAMILIES: dict[str, tuple[str, str]] = {
    "a fix": (
        "fix fixes fixed fixing repair* mended mends resolves resolved corrects corrected bug bugs bugfix*",
        "fix* issue* error* fail* broke* break* wrong* incorrect* crash* rac* leak* regress* resolv* correct* "
        "workaround* patch* flak* mitigat* missing miss* mistak* problem* hang* stuck stale invalid mend* address* "
        "unable cannot can't doesn't didn't unexpected* spurious* accident* typo* overflow* timeout* oom nan handl* "
        "unblock* inconsisten* mismatch* diverg* discrepan* should warn* undefined forgot* except* without not",
    ),
    "a crash": (
        "crash* segfault* panic* aborts aborted",
        "abort* sigsegv core ima illegal fatal exit* raise* throw* die* kill* fail* error* assert*",
    ),
    "a leak": ("leak*", "free freed"),
    "a race": (
        "race races racing racy",
        "race* concurren* synchron* fence* order* overtak* volatile lock* visible",
    ),
    "a hang": ("hang hangs hung hanging deadlock* freez*", "stuck block* forever timeout* wait*"),
    "an overflow": ("overflow*", "exceed* int32 int64"),
    "corruption": ("corrupt*", "incorrect* wrong* invalid"),
    "security": ("secur* vulnerab* exploit*", "cve* sanitiz* escap* auth* encrypt* inject* token* secret*"),
    "out of memory": ("oom", "memory oomed"),
    "speed": (
        "fast faster fastest quick* speed* sped accelerat* cheap* slow* latenc* throughput performan* efficien* "
        "optimi*",
        "fast* perf* overhead* qps tps tflop* benchmark* bottleneck* vectori* expens* costl* microsecond* "
        "millisecond* ms us bandwidth parallel*",
    ),
    "less": (
        "reduc* fewer smaller shrink* shrank lower lowers lowered halv* saves saving* decreas* less cuts",
        "few* small* cut* low* sav* drop* limit* half* trim* remov* down compress* compact* lighter short* unnecessar* "
        "avoid* minim* split* restrict* eliminat*",
    ),
    "more": ("increas* doubl* tripl*", "larg* big* high* rais* bump* grow* up more exten* expand*"),
    "better": (
        "improv* better enhanc*",
        "optimi* boost* fast* speed* polish* clean* simpl* clear* easier friendl* more",
    ),
    "safety": ("safe safer safely safety", "unsafe* guard* protect* check* assert* valid* race* lock*"),
    "stability": ("stabl* stabil* robust* reliab*", "flak* harden* intermittent*"),
    "prevention": (
        "prevent* avoid* protects guarantee* ensur*",
        "protect* guard* stop* skip* no not never without don't doesn't cannot must mak* instead so fix* check* "
        "assert* eliminat* remov* unnecessar* always enforc* only",
    ),
    "the first": (
        "first earliest",
        "initial* init begin* start* new* prototyp* introduc* add* part pt poc creat* before early take prepar* "
        "foundation basic",
    ),
    "all": (
        "all every always everywhere any everyone everybody universal*",
        "each full* both whole entire* general* across only total whatever remaining rest unif* consistent* no none "
        "never not everything anything complet* unconditional*",
    ),
    "only": (
        "only solely exclusively",
        "just restrict* limit* sole* exclusiv* unless except* gat* guard* if specific* without no not skip* need* "
        "instead temporar* default* support* requir*",
    ),
    "never": ("never none nobody", "no not without don't doesn't cannot nothing stop* avoid* prevent*"),
}
_SAID = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_ANY_MORE = re.compile(r"\bany (?:more|longer)\b", re.IGNORECASE)
_Words = tuple[frozenset[str], tuple[str, ...]]  # whole words, and beginnings


def _read(words: str) -> _Words:
    every = words.split()
    beginnings = tuple(word[:-1] for word in every if word.endswith("*"))
    return frozenset(word for word in every if not word.endswith("*")), beginnings


_CLAIMS = {family: _read(claims) for family, (claims, _) in _FAMILIES.items()}
_GROUNDS = {family: _read(f"{claims} {grounds}") for family, (claims, grounds) in _FAMILIES.items()}


@lru_cache(maxsize=50_000)
def borne_by(word: str) -> frozenset[str]:
    """The families of claims that a word of a commit, in small letters, bears out."""
    return _families_of(word[:40], _GROUNDS)


def _families_of(word: str, table: Mapping[str, _Words]) -> frozenset[str]:
    return frozenset(family for family, (whole, begun) in table.items() if word in whole or word.startswith(begun))


def _effect_faults(own: str, grounds: Sequence[Ground], is_fix: bool) -> Iterator[str]:
    """What a text claims without a ground; `own` are its words without quotations and code. Of a fix one may only be
    shown by a diff, where that was sent."""
    # Two numbers, whose order is looked at elsewhere, say themselves that something fell or rose.
    borne = frozenset({"less", "more"} if any(pairs_of(own)) else ()).union(*(one.bears_out for one in grounds))
    words = [word.lower().replace("’", "'") for word in _SAID.findall(_ANY_MORE.sub(" ", own))]
    claims = {family: word for word in reversed(words) for family in _families_of(word, _CLAIMS)}
    for family in sorted(claims.keys() - borne):
        yield f"“{claims[family]}” is said, but no change of its says so"
    if is_fix and "a fix" not in borne | claims.keys() and not any(one.hunks for one in grounds):
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
_REACHED = re.compile(r"\b(?:to|now)\s$", re.IGNORECASE)  # before what a number became, wherever the other stands
_LONGEST_BETWEEN = 90  # characters
_MOST_PLACES, LONGEST_LINE = 40, 2_000  # of one number, and characters of a line, that are looked at
_NEAR = 3  # lines that the two numbers of a pair may be apart in a message


class NumberOrder:
    """The numbers of a text: which of them are said to be before which, and where, by line and place in it, they
    stand. In a diff what was removed stands above what was added."""

    def __init__(self, text: str) -> None:
        lines = [line[:LONGEST_LINE] for line in text.splitlines()]
        self._said = {(before.value, after.value) for line in lines for before, after in pairs_of(line)}
        self._places: dict[str, list[tuple[int, int]]] = {}
        self._reached = set[str]()
        for number, line in enumerate(lines):
            for one in numbers_of(line):
                self._places.setdefault(one.value, []).append((number, one.at))
                self._reached |= {one.value} if _REACHED.search(line[: one.at][-4:]) else set()

    def holds(self, before: str, after: str) -> bool:
        """Whether the text has the two numbers in this order."""
        if (before, after) in self._said or (after, before) in self._said:
            return (before, after) in self._said
        if self._places.keys() >= {before, after} and (after in self._reached) != (before in self._reached):
            return after in self._reached
        places = [self._places.get(one, [])[:_MOST_PLACES] for one in (before, after)]
        return any(one < other and other[0] - one[0] <= _NEAR for one in places[0] for other in places[1])


def _order_faults(own: str, grounds: Sequence[Ground]) -> Iterator[str]:
    for before, after in pairs_of(own):
        if not any(ground.order.holds(before.value, after.value) for ground in grounds):
            yield f"{before.written} before and {after.written} after is not what its changes say"


def pairs_of(text: str) -> Iterator[tuple[Number, Number]]:
    """The numbers of a text of which one is said to be before the other, that one first."""
    plain = plain_of(text)
    for one, other in pairwise(numbers_of(plain)):
        between = plain[one.end : other.at]
        if len(between) > _LONGEST_BETWEEN or (one.unit and other.unit and one.unit != other.unit):
            continue
        if _BACKWARD.search(between):
            yield other, one
        elif _ONWARD.search(between):
            yield one, other


# --- a change, and what it says


LONGEST_BODY, MOST_PATHS = 20_000, 2_000  # characters, and paths of a commit, that are read
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+•|>#]|\d+[.)/]|```))")
_PAGE = re.compile(r"/(?:pull|issues|discussions)/(\d+)")
_TOKEN, _PART = re.compile(r"[A-Za-z0-9_]+"), re.compile(r"[A-Za-z0-9]+")
_LONGEST_RUN = 6  # parts of words that may be written as one: "non contiguous", "AllGather", "all_gather"


def _people_of(event: RevertEvent) -> frozenset[str]:
    return frozenset({event.by or event.commit.author.name, event.commit.author.name})


class Ground:
    """A change, its diffs as far as they were sent, and the person whose month it is of; and what all these bear out.
    Bodies that were not sent (`without_bodies`) bear out nothing."""

    def __init__(self, change: Change, person: str, zone: str, hunks: str = "", without_bodies: bool = False) -> None:
        self.change, self.person, self.hunks = change, person, hunks
        self._zone = ZoneInfo(zone)
        self.is_in = state_now(change) not in ("backed_out", "partly")
        self.events = events_of(change)
        self.authors = frozenset(commit.author.name for commit in change.commits)
        texts = dict.fromkeys(
            one.subject if without_bodies else f"{one.subject}\n\n{one.body[:LONGEST_BODY]}" for one in change.commits
        )
        self.message = "\n\n".join((*([change.title] if change.title else []), *texts))
        reverts = (event.commit for event in self.events)
        self.messages = (self.message, *(f"{one.subject}\n{one.body[:LONGEST_BODY]}" for one in reverts))
        self.words = "\n".join((*self.messages, hunks))  # all that words may come from

    @cached_property
    def text(self) -> str:
        """Its words, with repositories, names, paths and their languages."""
        commits = self.change.commits
        files = [file for commit in commits for file in commit.files[:MOST_PATHS]]
        paths = dict.fromkeys(path for file in files for path in (file.path, file.old_path) if path)
        languages = sorted({language for path in paths if (language := language_of(path))})
        return "\n".join((self.words, *(one.repository for one in commits), *self.people, *paths, *languages))

    @cached_property
    def lower(self) -> str:
        return self.text.lower()

    @cached_property
    def people(self) -> frozenset[str]:
        names = {self.person, self.change.shared_by, *self.authors}
        for commit in self.change.commits:
            names.add(commit.committer.name)
            names.update(credited.name for credited in credits_of(commit.body[:LONGEST_BODY]))
        return frozenset(names.union(*map(_people_of, self.events)) - {""})

    @cached_property
    def references(self) -> frozenset[str]:
        texts = "\n".join(self.messages)
        every = {*REFERENCE.findall(texts), *(f"#{number}" for number in _PAGE.findall(texts)), *self.change.refs}
        return frozenset(every | {f"#{reference.partition('#')[2]}" for reference in every})

    @cached_property
    def days(self) -> frozenset[date]:
        return frozenset().union(*map(self.days_of, (*self.change.commits, *(event.commit for event in self.events))))

    @cached_property
    def days_said(self) -> frozenset[tuple[int, int, int | None]]:
        """The days that its words name, with the year and without it."""
        return with_and_without_year(dates_of(self.words))

    def days_of(self, commit: Commit) -> frozenset[date]:
        """The days on which a commit was written, committed and came, on the clocks that may have shown them."""
        signatures = (commit.author, commit.committer, commit.dated("came"))
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
    def bears_out(self) -> frozenset[str]:
        """The families of claims that it bears out."""
        words = {*re.findall(r"[a-z]+(?:['’-][a-z]+)*", self.words.lower()), *words_of(self.words)}
        by_kind = {"fix": {"a fix"}, "performance": {"speed"}}.get(self.change.kind, set())
        return frozenset(by_kind).union(*map(borne_by, words))

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        """The units that each number stands with, "" among them where it stands with none."""
        found: dict[str, frozenset[str]] = {}
        for number in numbers_of(f"{self.words}\n{' '.join(self.change.refs)}"):
            found[number.value] = found.get(number.value, frozenset()) | {number.unit}
        return found

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """What the sentences of its messages assert and deny."""
        paragraphs = [one for message in self.messages for one in _PARAGRAPH.split(message)]
        return tuple(statement for one in paragraphs for statement in statements_in(one))

    @cached_property
    def order(self) -> NumberOrder:
        return NumberOrder(self.words)

    @cached_property
    def shas(self) -> tuple[str, ...]:
        """Those of its commits, of its reverts, and those that a message names."""
        return (*self.change.shas, *(event.commit.sha for event in self.events), *SHA.findall(self.words))


# --- what is named

_CHUNK = re.compile(r"[^\s,;()\[\]{}“”\"!?=<>|→]+")
_TRIM = ".,:'’&*…–—-/~`"
_BEGINS = re.compile(r"(?:^|[.!?:;(–—]|\ufffc)\s*$")
_MIXED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}|\d[A-Za-z]|[A-Za-z]\d")
_IDENTIFIER = re.compile(rf"{_MIXED.pattern}|\w_\w|^_|_$|::|\w\.\w|\w/\w|^--?\w|@")
_MEASURE = re.compile(r"[<>~≈]?\d[\d.,:]*(?:%|[A-Za-zµμ×]+(?:/[A-Za-z]+)?)?")


def _unborne(parts: Parts, grounds: Sequence[Ground], known: Collection[str], people: Iterable[str]) -> Iterator[str]:
    """What is named, but stands in none of the changes. `known` are words in small letters that name the month,
    `people` those whom any change of it names."""
    own = parts.own
    shas = {sha for ground in grounds for sha in ground.shas}
    for reference in dict.fromkeys(REFERENCE.findall(own)):
        if not any(reference in ground.references for ground in grounds):
            yield f"{reference} is no number of its changes"
    for day, month, year in dates_of(own):
        days = (on for ground in grounds for on in ground.days)
        is_own = any((on.day, on.month) == (day, month) and year in (None, on.year) for on in days)
        if not is_own and not any((day, month, year) in ground.days_said for ground in grounds):
            yield f"nothing of its changes happened on {day:02}-{month:02}"
    quoted = (one for one in parts.quoted if not any(_is_quoted(one, ground) for ground in grounds))
    yield from (f"“{one}” is quoted, but stands in none of its changes" for one in quoted)
    codes = (one for one in parts.code if not _is_known(one, grounds, known, is_code=True))
    yield from (f"`{one}` stands in none of its changes" for one in codes)
    others = (one for one in SHA.findall(own) if not any(sha.startswith(one) for sha in shas))
    yield from (f"{one} is none of its commits" for one in others)
    plain = SHA.sub(" ", plain_of(own))
    numbers = (one for one in numbers_of(plain) if not any(_has_number(one, ground) for ground in grounds))
    yield from (f"the number {one.written} stands in none of its changes" for one in numbers)
    names = (one for one in _names_in(plain) if not _is_known(one, grounds, known))
    yield from (f"{one} stands in none of its changes" for one in names)
    yield from (f"{one} has no part in its changes" for one in people if _has_no_part(one, own, grounds))


def _has_no_part(person: str, own: str, grounds: Sequence[Ground]) -> bool:
    if person not in own or any(person in ground.people or person.lower() in ground.lower for ground in grounds):
        return False
    return re.search(rf"(?<!\w){re.escape(person)}(?!\w)", own) is not None


def _has_number(number: Number, ground: Ground) -> bool:
    """Whether a number stands in a change, with its unit or where its unit stands apart, as in the head of a table; or
    is the line of one of its versions ("3.1" of 3.1.0)."""
    units = ground.values.get(number.value, frozenset())
    if number.unit in units or (units and not number.unit):
        return True
    forms = (form.lower() for form, unit in UNITS.items() if unit == number.unit)
    if "" in units and any(form in ground.lower for form in forms):
        return True
    line = f"{number.value}." if "." in number.value and not number.unit else "-"
    return any(value.startswith(line) for value in ground.values)


def _is_quoted(quotation: str, ground: Ground) -> bool:
    said = folded(quotation).strip(" .,;:…")
    return bool(said) and said in folded(ground.words)


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
    r"(?P<still_out>\b(?:not|never|nor) (?:been |yet |come |brought |re-?landed |is |itself |so far |since )*"
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
    authors = (name for ground in grounds for name in (ground.person, *ground.authors))
    if _BY_AUTHOR.search(clause) and who.isdisjoint(authors):
        yield f"it was not {_DONE[state]} by the author"


def _deeds(ground: Ground, state: str) -> Iterator[tuple[frozenset[date], frozenset[str]]]:
    """The days and the people of what reverted a change or brought it back: of its reverts, or of the change itself
    where that is one."""
    for event in ground.events:
        if event.does == _DEEDS.get(state):
            yield ground.days_of(event.commit), _people_of(event)
    if (ground.change.kind == "revert" and state == "out") or state in _states_in(ground.message):
        yield ground.days, ground.authors - {ground.person}


# --- all of it

Part = Literal["headline", "item", "fixed", "attention", "impact"]


class Checker:
    """Holds sentences against the changes of a month, or of several, by their numbers in a prompt.

    `common` are texts whose words name nothing of a change's own: the month, the repositories, the person. `releases`
    are the tags of the time, which a headline may name whatever its changes are.
    """

    def __init__(self, grounds: Mapping[int, Ground], common: Iterable[str] = (), releases: Iterable[str] = ()) -> None:
        self._grounds = grounds
        self._releases = tuple(releases)
        words = {word.lower() for text in common for word in re.findall(r"[\w+]+", text)}
        repositories = {c.repository for ground in grounds.values() for c in ground.change.commits}
        words |= {part.lower() for name in repositories for part in re.split(r"[/_.-]", name)}
        words |= {compact(name.rpartition("/")[2]) for name in repositories}
        self._common = frozenset(words)

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
        text = _without(text, self._releases if part == "headline" else ())
        text = _without(text, {name for one in grounds for name in one.people if '"' in name}, r"\w")
        parts = parts_of(text)
        found = [
            *self.unknown_names(text, grounds),
            *_state_faults(parts.own, beside, grounds, self._people),
            *_order_faults(parts.own, grounds),
            *_effect_faults(parts.own, grounds, part == "fixed"),
            *_negation_faults(text, grounds),
            *_unsupported(text, grounds),
        ]
        if part != "headline" and _VERSION.search(parts.own) and _is_of_unknown_release(grounds):
            found.append("it is not known which of its changes the release has")
        return list(dict.fromkeys(found))

    def unknown_names(self, text: str, grounds: Sequence[Ground]) -> list[str]:
        return list(_unborne(parts_of(text), grounds, self._common, self._people))


_VERSION = re.compile(r"(?<![\w.])v?\d+\.\d+")


def _is_of_unknown_release(grounds: Sequence[Ground]) -> bool:
    """Whether a release is told of together with other changes, of which it is not known what they came with."""
    return len({ground.change.kind == "release" for ground in grounds}) > 1


def _without(text: str, names: Iterable[str], inside: str = r"[\w.]*\w") -> str:
    """A text without some names, those of releases with their v or without it; what is `inside` of another stays."""
    forms = "|".join(re.escape(one.removeprefix("v")) for one in sorted(names, key=len, reverse=True) if one)
    return re.sub(rf"(?<![\w.])v?(?:{forms})(?!{inside})", " ", text) if forms else text
