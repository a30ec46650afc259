"""What a commit holds that a sentence may name: prepared once, however many sentences rest on it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from bot.model import Commit
from bot.story.proving.claims import BORNE_BY_ARROW, NOUNS, UNITS, borne_by
from bot.story.wording import clean

LONGEST_SUBJECT, LONGEST_BODY = 2_000, 20_000  # signs that are read
MOST_PATHS = 2_000  # of a commit, from the first on

SHA = re.compile(r"(?<![0-9A-Za-z_])[0-9a-f]{7,40}(?![0-9A-Za-z_])")
REFERENCE = re.compile(r"(?<![\w/.-])(?:(?P<of>[\w.-]+/[\w.-]+))?#(?P<number>\d+)(?!\w)")
_PAGE = re.compile(r"github\.com/([\w.-]+/[\w.-]+)/(?:pull|issues|discussions)/(\d+)")
# A number as a whole, not the digits of a name, a version's part or a reference; then what may be its unit.
_NUMBER = re.compile(
    r"(?<![\w#])(?<!\w[.,])(?P<number>\d+(?:[.,]\d+)*)"
    r"(?P<rest>(?P<gap>[ \u00a0\u202f-]?)(?P<unit>%|[A-Za-zµμ×]+(?:/[A-Za-z]+)?)(?!\w))?"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_WORDS = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]+")
# "2.68 s -> 0.015 s", "from 87 % to 99 %"
_ARROW = re.compile(
    r"\d[^\s>-]{0,20}(?: \w{1,12})?\s{0,3}(?:-{1,3}>|=>|→)\s{0,3}\D{0,3}\d|\bfrom \D{0,3}\d.{0,30}? to \D{0,3}\d"
)
_FOLDED = str.maketrans({"‘": "'", "’": "'"} | dict.fromkeys('“”„"`*'))


class Number(NamedTuple):
    """A number without its commas, its unit as UNITS has it or "", how both are written, and whether the number stands
    alone, as that of "64 GB" and "87%" does, not that of "64GB"."""

    value: str
    unit: str
    written: str
    is_alone: bool = True


def numbers_of(text: str) -> Iterator[Number]:
    """The numbers of a text, without the digits of names."""
    for match in _NUMBER.finditer(text):
        written, unit, end = match["number"], match["unit"] or "", match.end("number")
        known = UNITS.get(unit) or UNITS.get(unit.partition("/")[0], "")
        is_glued = text[end : end + 1].isalpha()
        if is_glued and not known:
            continue  # "3D", "0x1f"
        value = written.replace(",", "") if _THOUSANDS.fullmatch(written) else written
        yield Number(value, known, f"{written}{match['rest']}" if known else written, not is_glued)


def folded(text: str) -> str:
    """A text by which quotations are compared: without quotation marks, and without those of code and emphasis."""
    return " ".join(text.translate(_FOLDED).split())


class Witness:
    """What one commit says, or what was computed: each look at it is worked out when first asked for, and kept."""

    def __init__(self, commit: Commit | None, computed: str = "") -> None:
        self._commit = commit
        self._computed = computed
        self._repository = commit.repository if commit else ""
        self._sha = commit.sha if commit else ""

    @classmethod
    def of(cls, commit: Commit) -> Witness:
        """A commit's subject and body; beside them its paths, its repository, and who signed it."""
        return cls(commit)

    @classmethod
    def computed(cls, texts: Iterable[str]) -> Witness:
        return cls(None, "\n".join(texts))

    @cached_property
    def message(self) -> str:
        one = self._commit
        return clean(f"{one.subject[:LONGEST_SUBJECT]}\n\n{one.body[:LONGEST_BODY]}" if one else self._computed)

    @cached_property
    def small(self) -> str:
        """The message in small letters."""
        return self.message.lower()

    @cached_property
    def text(self) -> str:
        """The message, and what stands beside it: paths and names, which bear no claim."""
        one = self._commit
        if one is None:
            return self.message
        paths = (path for file in one.files[:MOST_PATHS] for path in (file.path, file.old_path) if path)
        beside = "\n".join((one.repository, one.author.name, one.committer.name, *paths))
        return f"{self.message}\n{clean(beside)}"

    @cached_property
    def words(self) -> frozenset[str]:
        """Every run of letters, digits and underscores."""
        return frozenset(_WORDS.findall(self.text))

    @cached_property
    def small_words(self) -> frozenset[str]:
        """The words of the message, in small letters."""
        return frozenset(_LETTERS.findall(self.small))

    @cached_property
    def _every_number(self) -> tuple[Number, ...]:
        return tuple(numbers_of(self.text))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers that stand alone."""
        return frozenset(one.value for one in self._every_number if one.is_alone)

    @cached_property
    def measures(self) -> frozenset[tuple[str, str]]:
        """The numbers with their units, and how many files were changed: so many, or one and so many more."""
        own = {(one.value, one.unit) for one in self._every_number}
        if self._commit:
            files = len(self._commit.files)
            own |= {(str(files), "file"), (str(files - 1), "more")}
        return frozenset(own)

    @cached_property
    def references(self) -> frozenset[str]:
        """Every `#12` and `owner/name#12`, in each way in which this repository may write it."""
        named = [(match["of"] or "", match["number"]) for match in REFERENCE.finditer(self.text)]
        named += _PAGE.findall(self.text) if "github.com/" in self.text else []
        return frozenset(form for of, number in named for form in self._forms(of, number))

    def _forms(self, of: str, number: str) -> Iterator[str]:
        if not of or of == self._repository:
            yield f"#{number}"
        if of or self._repository:
            yield f"{of or self._repository}#{number}"

    @cached_property
    def _shas(self) -> tuple[str, ...]:
        return tuple(SHA.findall(self.text))

    @cached_property
    def _folded(self) -> str:
        return folded(self.message)

    @cached_property
    def bears(self) -> frozenset[str]:
        """The families of claims that the message bears out."""
        families = frozenset().union(*map(borne_by, self.small_words))
        return families | BORNE_BY_ARROW if _ARROW.search(self.message) else families

    def has_sha(self, said: str) -> bool:
        return self._sha.startswith(said) or any(sha.startswith(said) for sha in self._shas)

    def has(self, said: str, *, may_be_cut: bool = False) -> bool:
        """Whether an identifier, a name or a word stands in it, as written; or begins one, where it may be cut."""
        words = _WORDS.findall(said)
        whole = words[:-1] if may_be_cut else words
        return self.words.issuperset(whole) and _end_of(said, self.text, may_be_cut=may_be_cut) >= 0

    def has_measure(self, number: str, unit: str) -> bool:
        if not unit:
            return number in self.numbers
        return (number, unit) in self.measures or (unit in NOUNS and (number, "") in self.measures)

    def has_quoted(self, pieces: Sequence[str]) -> bool:
        """Whether the pieces of a quotation stand in the message one behind the other, word for word.

        Where a quotation was cut, in its middle or at its end, a word may be as well. Its first letter may be a capital
        that the message does not have.
        """
        text = self._folded
        for number, piece in enumerate(pieces, 1):
            end = _end_of(piece, text, may_be_cut=number < len(pieces))
            if end < 0 and number == 1:
                end = _end_of(f"{piece[:1].lower()}{piece[1:]}", text, may_be_cut=number < len(pieces))
            if end < 0:
                return False
            text = text[end:]
        return True


def _end_of(piece: str, text: str, *, may_be_cut: bool) -> int:
    """Where something that stands in a text with whole words ends; -1 for what does not."""
    begun = text.find(piece)
    while begun >= 0:
        end = begun + len(piece)
        before, after = text[begun - 1 : begun] if begun else "", text[end : end + 1]
        if not (_joins(before) and _joins(piece[:1])) and (may_be_cut or not (_joins(after) and _joins(piece[-1:]))):
            return end
        begun = text.find(piece, begun + 1)
    return -1


def stands(said: str, text: str) -> bool:
    """Whether something stands in a text as a whole, not as a part of a longer word or number."""
    return _end_of(said, text, may_be_cut=False) >= 0


def _joins(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
