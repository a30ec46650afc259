"""What people type → a Question. A small grammar, no guessing, and the present is an argument. Pure.

What cannot be understood is a Question too, with what is missing in it: nothing here raises.
The steps, each taking its words out of the text: Slack's own forms → mentions → full names and addresses
→ months → repositories → the other names → whatever is left over, which is asked about where it matters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from rapidfuzz import fuzz, process

from bot.ask.intent import DIGEST, HELP, Intent, intent_of
from bot.ask.when import MONTH_WORDS, When, when
from bot.model import Person, Question
from bot.month.calendar import NAMES, Month, MonthRange
from bot.month.people import Directory, described
from bot.story.wording import clean, listed

LONGEST = 2_000  # characters that are read of a text
LIKE_A_NAME, LIKE_A_MONTH = 80.0, 78.0  # how alike, of 100, a word must be to be asked about

_MENTION = re.compile(r"<@(?P<user>[UW][A-Z0-9]+)(?:\|[^>]*)?>")
_ADDRESS = re.compile(r"<mailto:([^|>]+)(?:\|[^>]*)?>", re.IGNORECASE)
_LINK = re.compile(r"<(https?://[^|>]+)(?:\|[^>]*)?>", re.IGNORECASE)
_CHANNEL = re.compile(r"<[#!][^>]*>")
_WORD = re.compile(r"[^\s,;:?!()\"“”]+")
_EDGES = "*_~`'’‘.-…"
_MARK = re.compile("[\ue000-\uf8ff]")  # stands in the text for a person who was found
_SLASHED = re.compile(r"[\w.-]+/[\w.-]+")

_ME = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
_POLITE = re.compile(
    r"\b(?:tell|show|give|send|get|remind|let|help|excuse|teach)\s+me\b|\b(?:can|could|may|shall|should|would|do|did|how\s+do|how\s+can)\s+i\s+"
    r"(?:see|get|have|know|find|read|please|ask|use)\b|\bi(?:['’]d|\s+would)?\s+(?:want|like|need|wonder|wish|think|guess|mean|am\s+curious)\b"
    r"(?:\s+(?:to|if|what)\s+(?:see|know|get|read|about|have)?)?|\bi\s+mean\b|\bi['’]m\s+(?:curious|wondering|asking)\b|\bmy\s+(?:whole\s+)?team\b",
    re.IGNORECASE,
)
_ME_TOO = re.compile(
    r"(?:\b(?:and|with|vs\.?|versus|to)|[,&+])\s*(?:me|i|myself)\b|\b(?:me|i|myself)\s*(?:and\b|with\b|vs\b|versus\b|[,&+])",
    re.I,
)
_EVERYWHERE = re.compile(
    r"\b(?:in\s+|across\s+)?(?:all|any|every)\s+(?:the\s+)?(?:repos?|repositor(?:y|ies))\b|\beverywhere\b", re.I
)
_LEADS_TO_REPOSITORY = frozenset(
    ["in", "only", "for", "of", "on", "from", "to", "at", "into", "inside", "repo", "repository", "and", "just"]
)
_JOINS = frozenset(["and", "&", "+", "plus", "with", "or"])
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
_LEADS_TO_TIME = frozenset(
    ["in", "during", "since", "until", "till", "through", "between", "last", "this", "next", "early", "late", "mid"]
)

# Words around a name that are never a name. A name that is one of them is still found in full.
FILLER = frozenset(
    """a able about accomplish accomplished account achieve achieved across active activity add added all also am an and any anything are as at
    author back be because been before best better between bot brief brought build building built but by can catch change changed changes chart
    code coding commit commits contribute contributed contribution contributions could curious current currently day days deliver delivered
    detail details dev develop developed developer did do does doing done down during each else end ever every everything exactly far feature
    features finish finished fix fixed fixes focus for from full gave get gets getting git give go going good got great guess had happen happened
    has have hello help her here hey hi highlights him his how i if implement implemented in info into is issue issues it its just keep know
    lately latest let like list look looks made mail main make many may me mean merge merged mine monday month monthly months more most mr
    mrs ms much must my myself need new news next now of off ok on one only onto or other our out output over overall page part past per
    please point post present previous probably product progress project projects pull pushed put ran rather read really recap recent
    recently release released remember remind repo report reports repos repositories repository requests result results review reviewed run said
    same say see send shall share she ship shipped shipping should show since so some something start started stats status still story stuff
    such sum summarise summarize summary sure tackle tackled team tell test tests than thank thanks that the their them then there these they thing things think
    this those time title to today together told too topic total try two under until up update updates us use used very via want wanted was way
    we well were what when where which while who whole whom whose why will wish with within without wonder work worked working works
    would write writes writing written wrote year years yes yet you your yourself""".split()
)  # fmt: skip

WHO_ARE_YOU = (
    "I do not know which author you are in git: ask with your name as it stands in your commits, or have your "
    "Slack id put beside your name in almanac.toml."
)


@dataclass(frozen=True, slots=True)
class Thread:
    """What a conversation is about, so that a follow-up need not say it again."""

    person: str | None = None
    months: MonthRange | None = None
    repositories: tuple[str, ...] = ()

    @classmethod
    def of(cls, remembered: Mapping[str, Any] | None) -> Thread:
        """From {"person", "from", "to", "repos"}; what is missing or no month is left out."""
        remembered = remembered or {}
        try:
            months = MonthRange(Month.parse(str(remembered["from"])), Month.parse(str(remembered["to"])))
        except (KeyError, ValueError):
            months = None
        repositories = remembered.get("repos")
        return cls(
            person=str(remembered["person"]) if remembered.get("person") else None,
            months=months,
            repositories=tuple(map(str, repositories)) if isinstance(repositories, list) else (),
        )

    def document(self) -> dict[str, Any]:
        return {
            "person": self.person,
            "from": str(self.months.first) if self.months else None,
            "to": str(self.months.last) if self.months else None,
            "repos": list(self.repositories),
        }


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to ask about.

    `asker` is the person who asks and `member` finds the person behind a Slack user's id; both give None for
    somebody whose commits are not known. `narrowed` picks, of people with one name, those active in some months.
    """

    people: Sequence[Person]
    repositories: Sequence[str] = ()
    asker: Person | None = None
    member: Callable[[str], Person | None] = field(default=lambda _: None)
    narrowed: Callable[[Sequence[Person], MonthRange | None], Sequence[Person]] = field(
        default=lambda people, _: people
    )
    directory: Directory = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "directory", Directory(self.people))


class _Missing(Exception):
    """What must be asked back."""


def parse_question(text: str, known: Known, present: Month, thread: Thread | None = None) -> Question:
    """The question in a text, `present` being the month it is asked in.

    `thread` is given for a follow-up: what it does not say is taken from there.
    """
    try:
        return _Parser(known, present, thread or Thread()).question(text)
    except _Missing as missing:
        return Question("unknown", missing=str(missing))


@dataclass(frozen=True, slots=True)
class _Found:
    """People who fit what was said at a mark."""

    said: str
    people: Sequence[Person]


@dataclass(frozen=True, slots=True)
class _Token:
    """A word that is left: a person's mark, a connecting word, or any other."""

    text: str
    start: int
    end: int

    @property
    def plain(self) -> str:
        return without_possessive(self.text.strip(_EDGES).lstrip("@")).strip(_EDGES).casefold()

    @property
    def is_mark(self) -> bool:
        return bool(_MARK.match(self.text))

    @property
    def is_filler(self) -> bool:
        return not self.plain or self.plain in FILLER or self.text.casefold() in _JOINS or self.plain.isdecimal()


class _Parser:
    def __init__(self, known: Known, present: Month, thread: Thread) -> None:
        self._known = known
        self._directory = known.directory
        self._present = present
        self._thread = thread
        self._marks: dict[str, _Found] = {}

    def question(self, text: str) -> Question:
        text = _unwrapped(text[:LONGEST])
        if HELP.fullmatch(text):
            return Question("help")
        text = _MARK.sub(" ", text) if not self._marks else text
        text = self._mentions(text)
        text = self._full_names(text)
        text = self._names_that_are_months(text)
        intent = intent_of(text)
        asked = when(intent.rest, self._present, self._thread.months)
        if asked.wrong:
            raise _Missing(asked.wrong)
        rest, repositories = self._repositories(asked.rest)
        people = self._people(rest, asked, intent)
        return self._asked(intent, people, asked, repositories, rest)

    def _asked(
        self, intent: Intent, people: list[Person], asked: When, repositories: tuple[str, ...] | None, rest: str
    ) -> Question:
        thread = self._thread
        name = intent.name
        if name == "month" and not people:
            of_team = DIGEST.search(rest) or (repositories and not thread.person)
            if of_team:
                name = "digest" if DIGEST.search(rest) and re.search(r"\bdigest\b", rest, re.I) else "what_shipped"
        if name in ("digest", "what_shipped") and people:
            name = "month"
        inherits = not (asked.months and (people or name in ("digest", "what_shipped", "who")))
        months = asked.months or (thread.months if inherits else None)
        if name == "compare" and asked.months and thread.months and asked.months.is_one and not people:
            months = MonthRange(
                min(asked.months.first, thread.months.first), max(asked.months.last, thread.months.last)
            )
        names = tuple(dict.fromkeys(self._name(person) for person in people))
        if not names and thread.person and name in ("month", "compare", "changes", "profile"):
            if name == "month" and not (asked.months or repositories is not None):
                raise _Missing("I did not understand that.")
            names = (thread.person,)
        if not names and name in ("month", "changes", "profile"):
            said = asked.months or repositories or name != "month"
            raise _Missing("Whose month do you mean? Name somebody." if said else "I did not understand that.")
        if repositories is None:
            repositories = self._remembered_repositories() if inherits else ()
        return Question(
            name,
            people=names,
            first=months.first if months else None,
            last=months.last if months else None,
            repositories=repositories,
            topic=intent.topic,
            kinds=intent.kinds,
        )

    # --- people

    def _mentions(self, text: str) -> str:
        def mark(match: re.Match[str]) -> str:
            person = self._known.member(match["user"])
            if person is None:
                raise _Missing(
                    f"I do not know which author <@{match['user']}> is in git: ask with the name as it stands in their "
                    f"commits, or put their Slack id beside their name in almanac.toml."
                )
            return self._mark(match[0], [person])

        return _MENTION.sub(mark, text)

    def _mark(self, said: str, people: Sequence[Person]) -> str:
        mark = chr(0xE000 + len(self._marks))
        self._marks[mark] = _Found(said, people)
        return f" {mark} "

    def _full_names(self, text: str) -> str:
        """Full names and addresses, taken out first: June Lee is no month, and has one."""
        words = list(_WORD.finditer(text))
        pieces: list[str] = []
        at = done = 0
        while at < len(words):
            for end in range(min(len(words), at + 6), at, -1):
                said = text[words[at].start() : words[end - 1].end()]
                plain = without_possessive(said.strip(_EDGES))
                if "?" in said or len(self._marks) > 1_000:
                    continue
                if people := self._directory.named(plain):
                    owned = said.strip(_EDGES) != plain
                    pieces += [text[done : words[at].start()], self._mark(plain, people), "'s " if owned else ""]
                    at, done = end - 1, words[end - 1].end()
                    break
            at += 1
        return "".join(pieces) + text[done:]

    def _names_that_are_months(self, text: str) -> str:
        """People called June, Jan or May, where it is them who are meant."""
        tokens = list(_WORD.finditer(text))
        for number, token in enumerate(tokens):
            word = token[0].strip(_EDGES)
            plain = without_possessive(word)
            if plain.casefold() not in MONTH_WORDS or not (people := self._directory.exactly(plain)):
                continue
            before = tokens[number - 1][0].casefold() if number else ""
            after = tokens[number + 1][0].casefold() if number + 1 < len(tokens) else ""
            without = f"{text[: token.start()]} , {text[token.end() :]}"
            owned = plain != word
            if before in _LEADS_TO_TIME or re.match(r"['’]?\d", after) or (owned and after.startswith("digest")):
                continue
            named = word.startswith("@") or (owned and after) or before in _ASKS_FOR - {"about", "of", "by"}
            if named or before == "by" or when(without, self._present, self._thread.months).months:
                return self._names_that_are_months(
                    f"{text[: token.start()]}{self._mark(plain, people)}{chr(39) + 's ' if owned else ''}{text[token.end() :]}"
                )
            if (
                self._marks
                or self._thread.person
                or any(self._is_name(other[0]) for other in tokens if other is not token)
            ):
                continue
            names = [person.name for person in people]
            raise _Missing(
                f"Which {self._directory.spelled(plain)}: {clean(listed([*names, f'the month of {NAMES[MONTH_WORDS[plain.casefold()] - 1]}'], 'or'))}?"
            )
        return text

    def _is_name(self, word: str) -> bool:
        plain = without_possessive(word.strip(_EDGES))
        return plain.casefold() not in FILLER | MONTH_WORDS.keys() and bool(self._directory.exactly(plain))

    def _people(self, rest: str, asked: When, intent: Intent) -> list[Person]:
        """Everybody who is named in what is left of a text, in the order they are named."""
        span = asked.months or self._thread.months or MonthRange(self._present - 1, self._present - 1)
        shortened = _POLITE.sub(" , ", rest)
        tokens = [_Token(match[0], match.start(), match.end()) for match in _WORD.finditer(shortened)]
        found: list[tuple[int, Person]] = []
        strays: list[int] = []
        for number, token in enumerate(tokens):
            if token.is_mark:
                group = self._marks[token.text[0]]
            elif token.is_filler or _ME.fullmatch(token.plain) or _SLASHED.fullmatch(token.text):
                continue
            elif fitting := self._directory.exactly(token.plain):
                group = _Found(token.plain, self._with_next(tokens, number, fitting))
            else:
                strays.append(number)
                continue
            found.append((number, self._one(group, span)))
        for number in strays:
            self._check_month(tokens[number].plain, asked)
        people = list(dict.fromkeys(person for _, person in found))
        if people:
            self._check_strays(shortened, tokens, [number for number, _ in found], strays)
            if _ME_TOO.search(shortened):
                people.append(self._asker())
        elif _ME.search(shortened):
            people.append(self._asker())
        elif intent.name in ("month", "compare", "changes", "profile") and not DIGEST.search(rest):
            people = self._by_beginning(tokens, strays, span)
        return list(dict.fromkeys(people))

    def _with_next(self, tokens: list[_Token], number: int, fitting: Sequence[Person]) -> Sequence[Person]:
        """Of several people, those whose name goes on as the text does: "dave k"."""
        if len(fitting) > 1 and number + 1 < len(tokens):
            further = self._directory.begins(f"{tokens[number].plain} {tokens[number + 1].plain}")
            return [person for person in fitting if person in further] or fitting
        return fitting

    def _one(self, found: _Found, span: MonthRange) -> Person:
        narrow = self._known.narrowed(found.people, span)
        if len(narrow) != 1:
            raise _Missing(which_one(self._directory.spelled(found.said), narrow or found.people))
        return narrow[0]

    def _asker(self) -> Person:
        if self._known.asker is None:
            raise _Missing(WHO_ARE_YOU)
        return self._known.asker

    def _by_beginning(self, tokens: list[_Token], strays: list[int], span: MonthRange) -> list[Person]:
        """People by the beginning of their names, where nobody was named in any better way."""
        runs: list[list[int]] = []
        for number in strays:
            if runs and runs[-1][-1] == number - 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        for run in runs[:8]:
            for end in range(len(run), 0, -1):
                said = " ".join(tokens[number].plain for number in run[:end])
                if people := self._directory.begins(said):
                    if end < len(run):
                        break  # "grace kelly" is no Grace Hopper
                    return [self._one(_Found(said, people), span)]
        if strays:
            said = " ".join(tokens[number].text.strip(_EDGES) for number in strays)
            raise _Missing(nobody(said, self._known.people, self._directory))
        return []

    def _check_month(self, word: str, asked: When) -> None:
        """Ask about a word that is a month written wrong."""
        if asked.months or len(word) < 5:
            return
        near = process.extractOne(
            word, [name.casefold() for name in NAMES], scorer=fuzz.ratio, score_cutoff=LIKE_A_MONTH
        )
        if near and not self._directory.exactly(word):
            raise _Missing(f"I know no month called “{clean(word)}”. Did you mean {NAMES[near[2]]}?")

    def _check_strays(self, text: str, tokens: list[_Token], named: list[int], strays: list[int]) -> None:
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
                word = token.text.strip(_EDGES)
                follows = tokens[number + 1].plain if number + 1 < len(tokens) else ""
                leads = tokens[beside - 1].plain if beside else ""
                surname = (
                    (word.istitle() and number > 0 and not tokens[beside].is_mark)
                    or (beside < number and leads in _ASKS_FOR and follows in _DOES)
                    or (alone and len(strays) == 1 and not tokens[beside].is_mark)
                )
                if surname:
                    said = f"{self._said(tokens[one])} {self._said(tokens[two])}"
                    raise _Missing(nobody(said, self._known.people, self._directory))
            joined = any(
                (
                    0 <= number + step < len(tokens)
                    and tokens[number + step].text.casefold() in _JOINS
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
                raise _Missing(nobody(token.text.strip(_EDGES), self._known.people, self._directory))

    def _said(self, token: _Token) -> str:
        return self._marks[token.text[0]].said if token.is_mark else without_possessive(token.text.strip(_EDGES))

    def _name(self, person: Person) -> str:
        """The person's name, with an address where others have the same name."""
        return person.name if self._directory.namesakes(person) < 2 else described(person)

    # --- repositories

    def _repositories(self, text: str) -> tuple[str, tuple[str, ...] | None]:
        """Repositories named in full ("acme/engine") or, led by a word such as "in", by their last part.

        None where none is named; () where all of them are.
        """
        if everywhere := _EVERYWHERE.search(text):
            return f"{text[: everywhere.start()]} {text[everywhere.end() :]}", ()
        full = {name.casefold(): name for name in self._known.repositories}
        last: dict[str, list[str]] = {}
        for name in self._known.repositories:
            last.setdefault(name.rsplit("/", 1)[-1].casefold(), []).append(name)
        tokens = list(_WORD.finditer(text))
        found: list[str] = []
        kept = list(text)
        for number, token in enumerate(tokens):
            word = token[0].strip("*_~`'’‘…").rstrip(".").casefold()
            word = word.removeprefix("https://").removeprefix("http://").removeprefix("github.com/")
            before = [other[0].casefold() for other in tokens[max(0, number - 2) : number]]
            after = tokens[number + 1][0].casefold() if number + 1 < len(tokens) else ""
            led = (
                bool(before and before[-1] in _LEADS_TO_REPOSITORY)
                or before == [*before[:1], "the"]
                and before[0] in _LEADS_TO_REPOSITORY
            )
            names = [full[word]] if word in full else []
            if (
                not names
                and word in last
                and (led or after in ("repo", "repository"))
                and not self._directory.exactly(word)
            ):
                names = last[word]
                if len(names) > 1:
                    raise _Missing(f"Which {word}: {listed(names, 'or')}?")
            if not names and led and _SLASHED.fullmatch(word) and before[-1] != "and":
                near = process.extractOne(word, list(full), scorer=fuzz.ratio, score_cutoff=60)
                offer = f" Did you mean {full[near[0]]}?" if near else ""
                raise _Missing(f"I have not indexed a repository called “{clean(word)[:80]}”.{offer}")
            if names:
                found += names
                kept[token.start() : token.end()] = " " * (token.end() - token.start())
        if not found and _only(text) and self._known.repositories:
            raise _Missing(
                "Which repository do you mean? Write it as it is indexed, such as " + self._known.repositories[0] + "."
            )
        return "".join(kept), tuple(dict.fromkeys(found)) or None

    def _remembered_repositories(self) -> tuple[str, ...]:
        gone = [name for name in self._thread.repositories if name not in self._known.repositories]
        if gone:
            raise _Missing(f"{clean(gone[0])} is not indexed any more; ask again with the repositories you mean.")
        return self._thread.repositories


def _only(text: str) -> bool:
    return (
        re.fullmatch(r"\s*(?:and\s+)?only(?:\s+in)?\s+(?!my\b|me\b)[\w.-]*/[\w.-]+\W*", text, re.IGNORECASE) is not None
    )


def _unwrapped(text: str) -> str:
    """The text without what Slack puts around addresses, links and channels, and without its escapes."""
    text = _ADDRESS.sub(r" \1 ", text)
    text = _LINK.sub(r" \1 ", text)
    return " ".join(unescape(_CHANNEL.sub(" ", text)).split())


def without_possessive(word: str) -> str:
    """ "Ada's" → "Ada", "James'" → "James"."""
    return re.sub(r"['’]s?$", "", word, flags=re.IGNORECASE) if not re.search(r"\d['’]", word) else word


def which_one(said: str, people: Sequence[Person]) -> str:
    """The question back where a name fits several people: "Which Dave: Dave Kim or Dave Okafor?"."""
    names = [person.name for person in people]
    shown = [described(p) if names.count(p.name) > 1 else p.name for p in people[:6]]
    more = f" (and {len(people) - 6} more)" if len(people) > 6 else ""
    return f"Which {clean(said)}: {clean(listed(shown, 'or'))}{more}?"


def nobody(said: str, people: Sequence[Person], directory: Directory | None = None) -> str:
    """What to say where nobody has a name, with the nearest names there are."""
    near = (directory or Directory(people)).nearest(said)
    offer = f" Did you mean {clean(listed(near, 'or'))}?" if near else ""
    return f"I know nobody called “{clean(said)[:80]}”.{offer}"
