"""A text taken apart, and what it says: its own words, quotations, numbers, references and dates; what it denies; what
it claims that something brings about. Pure.

A message that says "`table_offset` is not needed" denies `needed`: the first word of meaning behind a negation is its
focus. A sentence that speaks of the same, has the focus, and denies it nowhere near, has lost the negation. Words that
claim an effect need a word of the same family in the changes, and two numbers, of which one was before the other, must
stand so in what the changes say. The tables are to read and to extend. All words are in small letters; one that ends in
`*` is a beginning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import combinations, pairwise, takewhile
from typing import NamedTuple

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)"
)
_QUOTED = re.compile(r"“([^“”]*)”|(?<![\w\"])\"([^\"\n]+)\"(?![\w\"])")
_CODE = re.compile(r"`([^`\n]+)`")
# "12 Nov 2024", "7 and 8 Nov", "Nov 12", "2024-11-12"
_DATE = re.compile(
    rf"\b(?P<a>\d{{1,2}})(?:\s+and\s+(?P<b>\d{{1,2}}))?\s+(?P<m>{_MONTH})\b(?:\.(?=\s+[a-z\d(]))?(?:\s+(?P<y>\d{{4}}))?|"
    rf"\b(?P<m2>{_MONTH})\s+(?P<a2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y2>\d{{4}}))?|"
    r"\b(?P<iso>\d{4}-\d{2}-\d{2})\b"
)
_DAY_ALONE = re.compile(r"\bon (?P<day>\d{1,2})(?=[,;.)]|\s+and\b|\s*$)")  # "v1 on 9 Aug, v2 on 11"
_MONTH_ALONE = re.compile(rf"\b{_MONTH}\b(?:\s+\d{{4}})?")
REFERENCE = re.compile(r"(?<![\w/.-])(?:[\w.-]+/[\w.-]+)?#\d+(?!\w)")
SHA = re.compile(r"(?<![\w#])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?!\w)")
_NUMBER = re.compile(
    r"(?<![\w#.])(?<![A-Za-z]-)v?[<>~≈]?(?P<number>\d+(?:[.,:]\d+)*)"
    r"[ \u00a0\u202f-]?(?P<unit>%|[A-Za-zµμ×]+(?:/[A-Za-z]+)?)?"
)
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
    """A number without its commas, its unit as UNITS has it or "", both as written, and where they begin."""

    value: str
    unit: str
    written: str
    at: int


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
        following = _DATE.search(text, match.end())
        for alone in _DAY_ALONE.finditer(text, match.end(), following.start() if following else len(text)):
            yield int(alone["day"]), month, None


def without_dates(text: str) -> str:
    """The text with spaces in the place of its dates."""
    patterns = (_DAY_ALONE, _DATE, _MONTH_ALONE) if _DATE.search(text) else (_MONTH_ALONE,)
    for pattern in patterns:
        text = pattern.sub(_blank, text)
    return text


def without_references(text: str) -> str:
    return REFERENCE.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def numbers_of(text: str) -> Iterator[Number]:
    """The numbers of a text, without the digits of names, references and dates."""
    for match in _NUMBER.finditer(text):
        written, unit, end = match["number"], UNITS.get(match["unit"] or "", ""), match.end("number")
        after = text[end : end + 1]
        if (after.isalpha() or after == "_") and not unit:
            continue  # "3D", "0x1f"
        value = written.replace(",", "") if _THOUSANDS.fullmatch(written) else written
        yield Number(value.rstrip(",:"), unit, match[0].strip() if unit else written, match.start("number"))


def is_rounding(short: str, long: str) -> bool:
    """Whether a number is a longer one, rounded: 1.89 of 1.888514757156372."""
    places = len(short.partition(".")[2])
    if not places or len(long.partition(".")[2]) < places + 2:
        return False
    try:
        return round(Decimal(long), places) == Decimal(short)
    except InvalidOperation:  # a version, or the time of a clock
        return False


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
    return word[:5]


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
_BEFORE = 3  # tokens before a word within which a negation denies it
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
    is_denied: bool = False


def statements_in(text: str) -> Iterator[Statement]:
    """What a text denies, which is the focus of each negation, and every word that it denies nowhere near."""
    plain = CAMEL.sub(" ", text.replace("_", " ").replace("’", "'"))
    tokens = [match[0].lower() for match in _SPOKEN.finditer(plain)]
    tells_a_bug = bool(tokens) and tokens[0].startswith("fix")  # "Fix users who will not see titles"
    for at, token in enumerate(tokens):
        if not _has_meaning(token):
            continue
        own, around = stem(token), _around(tokens, at)
        if _is_focus(tokens, at):
            if not tells_a_bug:
                yield Statement(own, around, is_denied=True)
        elif not _is_denied(tokens, at):
            yield Statement(own, around)


def negation_faults(text: str, statements: Sequence[Statement]) -> Iterator[str]:
    """A word that a text tells of something though the changes deny it of that."""
    for own in statements_in(text):
        if own.is_denied:
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
    return len(token) > 2 and token[0].isalpha() and token not in _MEANINGLESS and not _is_negation(token)


def _around(tokens: Sequence[str], at: int) -> frozenset[str]:
    begin, end = at, at + 1
    while begin > 0 and at - begin < _AROUND and tokens[begin - 1] not in _STOPS:
        begin -= 1
    while end < len(tokens) and end - at <= _AROUND and tokens[end] not in _STOPS:
        end += 1
    return frozenset(map(stem, filter(_has_meaning, (*tokens[begin:at], *tokens[at + 1 : end]))))


def _is_focus(tokens: Sequence[str], at: int) -> bool:
    """Whether a word is the focus of a negation: the first of meaning behind it."""
    for token in reversed(tokens[max(0, at - _FOCUS) : at]):
        if _is_negation(token):
            return True
        if token in _STOPS or _has_meaning(token):
            return False
    return False


def _is_denied(tokens: Sequence[str], at: int) -> bool:
    if tokens[at].startswith(_DENYING):
        return True
    for token in reversed(tokens[max(0, at - _BEFORE) : at]):
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
        "never not everything anything complet*",
    ),
    "only": (
        "only solely exclusively",
        "just restrict* limit* sole* exclusiv* unless except* gat* guard* if specific* without no not skip* need* "
        "instead temporar* default* support* requir*",
    ),
    "never": ("never none nobody", "no not without don't doesn't cannot nothing stop* avoid* prevent*"),
}
_SAID = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
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


def _families_of(word: str, table: dict[str, _Words]) -> frozenset[str]:
    return frozenset(
        family for family, (whole, begun) in table.items() if word in whole or (begun and word.startswith(begun))
    )


def effect_faults(own: str, bears_out: Iterable[frozenset[str]], is_fix: bool, has_code: bool) -> Iterator[str]:
    """What a text claims without a ground; `own` are its words without quotations and code, `bears_out` the families
    that each change bears out. `has_code` is whether diffs were sent, which may show what no message says."""
    borne = frozenset(_borne_by_numbers(own)).union(*bears_out)
    words = [word.lower().replace("’", "'") for word in _SAID.findall(own)]
    claims = {family: word for word in reversed(words) for family in _families_of(word, _CLAIMS)}
    for family in sorted(claims.keys() - borne):
        yield f"“{claims[family]}” is said, but no change of its says so"
    if is_fix and not has_code and "a fix" not in borne | claims.keys():
        yield "no change of its says that anything was fixed"


def _borne_by_numbers(own: str) -> Iterator[str]:
    """What two numbers say themselves, whose order is looked at elsewhere: that something fell, or rose."""
    for pair in pairs_of(own):
        try:
            before, after = float(pair.before.value), float(pair.after.value)
        except ValueError:  # a version, or a clock's time
            continue
        yield "less" if after < before else "more"


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
# Between two numbers that are said of two things: another clause, or two limits of one range.
_APART = re.compile(r"[.;](?:\s|$)|, and\b|\bor (?:less|fewer|more) than\b|^\.x\b", re.IGNORECASE)
_LONGEST_BETWEEN = 90  # characters
_MOST_PLACES, LONGEST_LINE = 40, 2_000  # of one number, and characters of a line, that are looked at
_NEAR = 3  # lines that the two numbers of a pair may be apart in a message


class Pair(NamedTuple):
    before: Number
    after: Number


class _Place(NamedTuple):
    """Where a number stands. `sign` is that of a line of a diff, "-" or "+", and empty in a message."""

    line: int
    at: int
    sign: str


class NumberOrder:
    """The numbers of a text, of which the last so many lines are those of a diff."""

    def __init__(self, text: str, diff_lines: int = 0) -> None:
        lines = [line[:LONGEST_LINE] for line in text.splitlines()]
        self._said = {(pair.before.value, pair.after.value) for line in lines for pair in pairs_of(line)}
        self._places: dict[str, list[_Place]] = {}
        for number, line in enumerate(lines):
            sign = line[:1] if number >= len(lines) - diff_lines else ""
            for one in numbers_of(line):
                places = self._places.setdefault(one.value, [])
                if len(places) < _MOST_PLACES:
                    places.append(_Place(number, one.at, sign))

    def places(self, value: str) -> list[_Place]:
        """Where a number stands, or a longer one of which it is the rounding."""
        own = self._places.get(value, [])
        if own or "." not in value:
            return own
        return [one for long in self._places if is_rounding(value, long) for one in self._places[long]]

    def holds(self, pair: Pair) -> bool:
        """Whether the text has the two numbers in this order, or a diff removed the one and added the other."""
        values = (pair.before.value, pair.after.value)
        if values in self._said or values[::-1] in self._said:
            return values in self._said
        return any(_is_before(one, other) for one in self.places(values[0]) for other in self.places(values[1]))


def order_faults(own: str, orders: Sequence[NumberOrder]) -> Iterator[str]:
    """Two numbers that a sentence tells in an order that no change has; `orders` are the changes' in order of time."""
    for pair in pairs_of(own):
        is_across = any(_is_across(pair, earlier, later) for earlier, later in combinations(orders, 2))
        if not is_across and not any(order.holds(pair) for order in orders):
            yield f"{pair.before.written} before and {pair.after.written} after is not what its changes say"


def pairs_of(text: str) -> Iterator[Pair]:
    """The numbers of a text of which one is said to be before the other."""
    plain = without_references(without_dates(text))
    for one, other in pairwise(numbers_of(plain)):
        between = plain[one.at + len(one.written) : other.at]
        if len(between) > _LONGEST_BETWEEN or _APART.search(between):
            continue
        if one.unit and other.unit and one.unit != other.unit:
            continue
        if _BACKWARD.search(between):
            yield Pair(other, one)
        elif _ONWARD.search(between):
            yield Pair(one, other)


def _is_across(pair: Pair, earlier: NumberOrder, later: NumberOrder) -> bool:
    """Whether the earlier change has the one number, and the later one the other."""
    before, after = pair.before.value, pair.after.value
    is_said = earlier.places(before) and later.places(after)
    return bool(is_said) and not (later.places(before) and earlier.places(after))


def _is_before(one: _Place, other: _Place) -> bool:
    if one.sign or other.sign:
        return one.sign == "-" and other.sign == "+"
    return 0 <= other.line - one.line <= _NEAR and (one.line, one.at) < (other.line, other.at)
