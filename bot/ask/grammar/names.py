"""Who is named in a question. Pure.

Each step takes the words it understood out of the text and leaves a mark for the person in their place.
What is left over and must be a name is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz, process

from bot.ask.asking_back import nobody, which_one
from bot.ask.intent import DIGEST, Intent
from bot.ask.known import Known, Missing, Thread
from bot.ask.times import MONTH_WORDS, SURE_MONTHS
from bot.ask.when import When, when
from bot.ask.words import EDGES, JOINS, MARK, SLASHED, WORD, Token, without_possessive
from bot.model import Person
from bot.month.calendar import NAMES, Month, MonthRange
from bot.story.wording import clean, listed

MOST_WORDS = 6  # of a name that nobody has
LIKE_A_NAME, LIKE_A_MONTH = 80.0, 78.0  # how alike, of 100, a word must be to be asked about

_MENTION = re.compile(r"<@(?P<user>[UW][A-Z0-9]+)(?:\|[^>]*)?>")
_ME = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
_POLITE = re.compile(
    r"\b(?:tell|show|give|send|get|remind|let|help|excuse|teach)\s+me\b|\b(?:can|could|may|shall|should|would|do|did|"
    r"how\s+do|how\s+can)\s+i\s+"
    r"(?:see|get|have|know|find|read|please|ask|use)\b|\bi(?:['’]d|\s+would)?\s+(?:want|like|need|wonder|wish|think|"
    r"guess|mean|am\s+curious)\b"
    r"(?:\s+(?:to|if|what)\s+(?:see|know|get|read|about|have)?)?|\bi\s+mean\b|\bi['’]m\s+(?:curious|wondering|"
    r"asking)\b|\bmy\s+(?:whole\s+)?team\b",
    re.IGNORECASE,
)
_ME_TOO = re.compile(
    r"(?:\b(?:and|with|vs\.?|versus|to)|[,&+])\s*(?:me|i|myself)\b|\b(?:me|i|myself)\s*(?:and\b|with\b|vs\b|versus\b|"
    r"[,&+])",
    re.I,
)
_ASKS_FOR = frozenset(
    [
        "did",
        "does",
        "do",
        "has",
        "have",
        "had",
        "is",
        "was",
        "were",
        "about",
        "by",
        "of",
        "can",
        "could",
        "should",
        "would",
        "will",
    ]
)
_DOES = frozenset(
    [
        "do",
        "done",
        "doing",
        "work",
        "working",
        "worked",
        "ship",
        "shipped",
        "write",
        "wrote",
        "make",
        "made",
        "commit",
        "been",
        "get",
        "up",
    ]
)
_ACTS = frozenset(["did", "does", "do", "has", "have", "had", "can", "could", "should", "would", "will"])
_IS = frozenset(["is", "was", "were", "are"])
_PRONOUNS = frozenset(["i", "we", "you", "he", "she", "they", "it", "be", "have"])
_JOINS_MONTHS = frozenset(
    ["to", "and", "or", "with", "vs", "vs.", "versus", "until", "till", "through", "-", "–", "&", "against"]
)
_LEADS_TO_TIME = frozenset(
    ["in", "during", "since", "until", "till", "through", "between", "last", "this", "next", "early", "late", "mid"]
)


WHO_ARE_YOU = (
    "I do not know which author you are in git: ask with your name as it stands in your commits, or have your "
    "Slack id put beside your name in almanac.toml."
)


@dataclass(frozen=True, slots=True)
class Found:
    """People who fit what was said at a mark."""

    said: str
    people: Sequence[Person]


class Names:
    """The people of one question, found step by step."""

    def __init__(self, known: Known, present: Month, thread: Thread) -> None:
        self._known = known
        self._directory = known.directory
        self._present = present
        self._thread = thread
        self._marks: dict[str, Found] = {}

    def marked(self, text: str) -> str:
        """The text with marks for whoever is named in a way that is no month: mentions, full names, addresses."""
        return self._names_that_are_months(self._full_names(self._mentions(MARK.sub(" ", text))))

    def _mentions(self, text: str) -> str:
        def mark(match: re.Match[str]) -> str:
            person = self._known.member(match["user"])
            if person is None:
                raise Missing(
                    f"I do not know which author <@{match['user']}> is in git: ask with the name as it stands in their "
                    f"commits, or put their Slack id beside their name in almanac.toml."
                )
            return self._mark(match[0], [person])

        return _MENTION.sub(mark, text)

    def _mark(self, said: str, people: Sequence[Person]) -> str:
        mark = chr(0xE000 + len(self._marks))
        self._marks[mark] = Found(said, people)
        return f" {mark} "

    def _full_names(self, text: str) -> str:
        """Full names and addresses, taken out first: June Lee is no month, and has one."""
        words = list(WORD.finditer(text))
        pieces: list[str] = []
        at = done = 0
        while at < len(words):
            if not self._directory.may_open(words[at][0].strip(EDGES)):
                at += 1
                continue
            for end in range(min(len(words), at + 6), at, -1):
                said = text[words[at].start() : words[end - 1].end()]
                plain = without_possessive(said.strip(EDGES))
                if "?" in said or len(self._marks) > 1_000:
                    continue
                if people := self._directory.named(plain):
                    owned = said.strip(EDGES) != plain
                    pieces += [text[done : words[at].start()], self._mark(plain, people), "'s " if owned else ""]
                    at, done = end - 1, words[end - 1].end()
                    break
            at += 1
        return "".join(pieces) + text[done:]

    def _names_that_are_months(self, text: str) -> str:
        """People called June, Jan or May, where it is them who are meant; a question back where that is not sure."""
        tokens = [Token(match[0], match.start(), match.end()) for match in WORD.finditer(text)]
        for number, token in enumerate(tokens):
            if token.plain not in MONTH_WORDS or not (people := self._directory.exactly(token.plain)):
                continue
            meant = self._meant(text, tokens, number)
            if meant == "person":
                owned = "'s " if token.is_possessive else ""
                said = f"{text[: token.start]}{self._mark(token.plain, people)}{owned}{text[token.end :]}"
                return self._names_that_are_months(said)
            if meant == "unsure":
                month = f"the month of {NAMES[MONTH_WORDS[token.plain] - 1]}"
                names = clean(listed([*(person.name for person in people), month], "or"))
                raise Missing(f"Which {self._directory.spelled(token.plain)}: {names}?")
        return text

    def _meant(self, text: str, tokens: list[Token], number: int) -> Literal["person", "month", "unsure"]:
        """Whether a word that is a month and somebody's name is the one or the other."""
        token = tokens[number]
        before, before_that = (tokens[at].text.casefold() if at >= 0 else "" for at in (number - 1, number - 2))
        after, after_that = (tokens[at].text.casefold() if at < len(tokens) else "" for at in (number + 1, number + 2))
        if token.text.startswith("@"):
            return "person"
        if token.is_possessive and after and not after.startswith("digest"):
            return "person"
        if (
            _is_time(before)
            or _is_time(after)
            or before in _LEADS_TO_TIME
            or re.match(r"['’]?\d", after)
            or after.startswith("digest")
        ):
            return "month"
        if (after in _JOINS_MONTHS and _is_time(after_that)) or (before in _JOINS_MONTHS and _is_time(before_that)):
            return "month"
        if after in _PRONOUNS:
            return "month"  # or no name at all, as in "may I ask"
        beside = before in ("'s", "’s") or (
            number > 0 and (tokens[number - 1].is_mark or self._is_name(tokens[number - 1]))
        )
        if before in _ACTS or before == "by" or (before in _IS and after in _DOES):
            return "person"
        if beside:
            return "month"
        without = f"{text[: token.start]} , {text[token.end :]}"
        if when(without, self._present, self._thread.months).months:
            return "person"
        if self._marks or self._thread.person or any(self._is_name(other) for other in tokens if other is not token):
            return "month"
        return "unsure"

    def _is_name(self, token: Token) -> bool:
        return not token.is_filler and token.plain not in MONTH_WORDS and bool(self._directory.exactly(token.plain))

    def people(self, rest: str, asked: When, intent: Intent) -> list[Person]:
        """Everybody who is named in what is left of a text, in the order they are named."""
        span = asked.months or self._thread.months or MonthRange(self._present - 1, self._present - 1)
        shortened = _POLITE.sub(" , ", rest)
        tokens = [Token(match[0], match.start(), match.end()) for match in WORD.finditer(shortened)]
        found: list[tuple[int, Person]] = []
        strays: list[int] = []
        begun = -1  # a word that went with the one before it
        for number, token in enumerate(tokens):
            if number == begun:
                continue
            if token.is_mark:
                group = self._marks[token.text[0]]
            elif token.is_filler or _ME.fullmatch(token.plain) or SLASHED.fullmatch(token.text):
                continue
            elif fitting := self._directory.exactly(token.plain):
                if further := self._with_next(tokens, number, fitting):
                    begun = number + 1
                group = Found(token.plain, further or fitting)
            else:
                strays.append(number)
                continue
            found.append((number, self._one(group, span)))
        for number in strays:
            self._check_month(tokens[number].plain, asked)
        people = list(dict.fromkeys(person for _, person in found))
        if people:
            if asked.months and (
                month := next((tokens[n].plain for n in strays if tokens[n].plain in SURE_MONTHS), None)
            ):
                name = NAMES[MONTH_WORDS[month] - 1]
                raise Missing(f"Do you mean {name} too? Say one month, or a range such as “from june to august”.")
            self._check_strays(shortened, tokens, [number for number, _ in found], strays)
            if _ME_TOO.search(shortened):
                people.append(self._asker())
        elif _ME.search(shortened):
            people.append(self._asker())
        elif intent.name in ("month", "compare", "changes", "profile") and not DIGEST.search(rest):
            people = self._by_beginning(tokens, strays, span)
        return list(dict.fromkeys(people))

    def _with_next(self, tokens: list[Token], number: int, fitting: Sequence[Person]) -> Sequence[Person] | None:
        """Of several people, those whose name goes on as the text does: "dave k"."""
        if len(fitting) < 2 or number + 1 == len(tokens) or tokens[number + 1].is_filler:
            return None
        further = self._directory.begins(f"{tokens[number].plain} {tokens[number + 1].plain}")
        return [person for person in fitting if person in further] or None

    def _one(self, found: Found, span: MonthRange) -> Person:
        narrow = self._known.narrowed(found.people, span)
        if len(narrow) != 1:
            raise Missing(which_one(self._directory.spelled(found.said), narrow or found.people))
        return narrow[0]

    def _asker(self) -> Person:
        if self._known.asker is None:
            raise Missing(WHO_ARE_YOU)
        return self._known.asker

    def _by_beginning(self, tokens: list[Token], strays: list[int], span: MonthRange) -> list[Person]:
        """People by the beginning of their names, where nobody was named in any better way."""
        runs: list[list[int]] = []
        for number in strays:
            if runs and runs[-1][-1] == number - 1 and len(runs[-1]) < MOST_WORDS:
                runs[-1].append(number)
            else:
                runs.append([number])
        for run in runs[:MOST_WORDS]:
            for end in range(len(run), 0, -1):
                said = " ".join(tokens[number].plain for number in run[:end])
                if people := self._directory.begins(said):
                    if end < len(run):
                        break  # "grace kelly" is no Grace Hopper
                    return [self._one(Found(said, people), span)]
        names = [" ".join(tokens[number].text.strip(EDGES) for number in run) for run in runs[:MOST_WORDS]]
        if near := next((name for name in names if self._directory.nearest(name)), None):
            raise Missing(nobody(near, self._directory))
        if names:
            raise Missing(nobody(names[0], self._directory) if len(strays) < 3 else "I did not understand that.")
        return []

    def _check_month(self, word: str, asked: When) -> None:
        """Ask about a word that is a month written wrong."""
        if asked.months or len(word) < 5:
            return
        near = process.extractOne(
            word, [name.casefold() for name in NAMES], scorer=fuzz.ratio, score_cutoff=LIKE_A_MONTH
        )
        if near and not self._directory.exactly(word):
            raise Missing(f"I know no month called “{clean(word)}”. Did you mean {NAMES[near[2]]}?")

    def _check_strays(self, text: str, tokens: list[Token], named: list[int], strays: list[int]) -> None:
        """Ask about words beside a name that must be another name, or the rest of it."""
        alone = all(number in named or number in strays for number in range(len(tokens)))
        for number in strays:
            token = tokens[number]
            for beside in (number - 1, number + 1):
                if beside not in named:
                    continue
                one, two = sorted((number, beside))
                if text[tokens[one].end : tokens[two].start].strip() or tokens[one].text.endswith(("'s", "’s")):
                    continue
                word = token.text.strip(EDGES)
                follows = tokens[number + 1].plain if number + 1 < len(tokens) else ""
                leads = tokens[beside - 1].plain if beside else ""
                surname = (
                    (word.istitle() and number > 0 and not tokens[beside].is_mark)
                    or (beside < number and leads in _ASKS_FOR and follows in _DOES)
                    or (alone and len(strays) == 1 and not tokens[beside].is_mark and not word.isupper())
                )
                if surname:
                    said = f"{self._said(tokens[one])} {self._said(tokens[two])}"
                    raise Missing(nobody(said, self._directory))
            joined = any(
                (
                    0 <= number + step < len(tokens)
                    and tokens[number + step].text.casefold() in JOINS
                    and number + 2 * step in named
                )
                or (
                    number + step in named
                    and ","
                    in text[min(token.end, tokens[number + step].end) : max(token.start, tokens[number + step].start)]
                )
                for step in (-1, 1)
            )
            if joined and self._directory.nearest(token.plain, LIKE_A_NAME if "," in text else 60.0):
                raise Missing(nobody(token.text.strip(EDGES), self._directory))

    def _said(self, token: Token) -> str:
        return self._marks[token.text[0]].said if token.is_mark else without_possessive(token.text.strip(EDGES))


def _is_time(word: str) -> bool:
    return word.strip(EDGES) in MONTH_WORDS or bool(re.match(r"\d{4}", word))
