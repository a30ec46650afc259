"""Who is named in a question. Pure.

Each step takes the words it understood out of the text and leaves a mark for the person in their place.
What is left over and must be a name is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from bot.ask.grammar import homonyms
from bot.ask.grammar.asking_back import Meant, Missing, nobody_but, people_meant, which_one
from bot.ask.grammar.homonyms import ASKS_FOR, DOES
from bot.ask.grammar.intent import DIGEST, POST, Intent
from bot.ask.grammar.known import Known, Thread
from bot.ask.grammar.month_words import ENGLISH_MONTHS, SURE_MONTHS, month_number
from bot.ask.grammar.when import When, when
from bot.ask.grammar.words import EDGES, JOINS, MARK, SLASHED, WORD, Token, without_possessive
from bot.model import Person
from bot.month.calendar import NAMES, Month, MonthRange
from bot.story.wording import clean, listed

MOST_WORDS = 6  # of a name that nobody has
MOST_MARKS = 1_000
LIKE_A_NAME, LIKE_A_MONTH = 80.0, 78.0  # how alike, of 100, a word must be to be asked about
NOT_UNDERSTOOD = "I did not understand that."

ME = re.compile(r"\b(?:i|me|my|mine|myself|i['’](?:ve|m|d))\b", re.IGNORECASE)
_MENTION = re.compile(r"<@(?P<user>[UW][A-Z0-9]{1,30})(?:\|[^<>]*)?>", re.IGNORECASE)
_POLITE = re.compile(
    r"\b(?:tell|show|give|send|get|remind|let|help|excuse|teach|dm|email|mail|ping|list|find|bring|read|write|draw|"
    r"make)\s+me\b(?!\s+and\b)|"
    r"\b(?:can|could|may|shall|should|would|do|how\s+do|how\s+can|might)\s+i\s+"
    r"(?:see|get|have|know|find|read|please|ask|use)\b|\bi(?:['’]d|\s+would)?\s+(?:want|like|need|wonder|wish|think|"
    r"guess|mean|am\s+curious|am\s+looking|believe|hope|was\s+wondering|meant)\b"
    r"(?:\s+(?:to|if|what|for)\s+(?:see|know|get|read|about|have)?)?|\bi\s+mean\b|\bi['’]m\s+(?:curious|wondering|"
    r"asking|looking|interested)\b|\b(?:my|our)\s+(?:whole\s+)?team\b|\bfor\s+me\b(?=\s+(?:what|how)\b)|"
    r"\bmy\s+(?:boss|manager|colleagues?|teammates?|repos?|repositor(?:y|ies))\b",
    re.IGNORECASE,
)
# Something that I may have done; "hide me" is not.
_DONE = re.compile(r"\b(?:did|do|done|doing|have|been|work\w*|month|quarter|year|made|my|mine)\b", re.IGNORECASE)
_BEFORE_THINGS = frozenset(["a", "an", "the", "in", "on", "at", "into"])
_ME_TOO = re.compile(
    r"(?:\b(?:and|with|vs\.?|versus|to|or|against|than)|[,&+])\s*(?:me|i|myself|mine|my)\b|\b(?:me|i|myself|mine|"
    r"my\s+\S+)\s*(?:and\b|with\b|vs\b|versus\b|"
    r"against\b|to\b|[,&+])",
    re.I,
)
# "match" and "jury" are no months written wrong.
_NO_MONTHS = frozenset(
    ["match", "marsh", "marco", "marcus", "jury", "julia", "julie", "junie", "augusta", "augustin", "marcel", "marc"]
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
    """The people of one question, found step by step. `meant` is who is meant by a name that may be of several."""

    def __init__(self, known: Known, present: Month, thread: Thread, meant: Sequence[Meant] = ()) -> None:
        self._known = known
        self._directory = known.directory
        self._present = present
        self._thread = thread
        self._meant = {one.said: one.person for one in meant if one.person and one.said is not None}
        self._marks: dict[str, Found] = {}

    def marked(self, text: str) -> str:
        """The text with marks for whoever is named in a way that is no month: mentions, full names, addresses."""
        text = self._settled(self._mentions(MARK.sub(" ", text)))
        return self._homonyms(self._full_names(text))

    def _settled(self, text: str) -> str:
        for said, person in self._meant.items():
            if said and person:
                words = r"\s+".join(map(re.escape, said.split()))
                pattern = rf"(?<![\w@]){words}(?!\w)|@{words}(?!\w)"
                if found := re.search(pattern, text, re.IGNORECASE):
                    mark = self._mark(person.name, [person])
                    text = f"{text[: found.start()]}{mark}{text[found.end() :]}"
        return text

    def _mentions(self, text: str) -> str:
        def mark(match: re.Match[str]) -> str:
            user = match["user"].upper()
            person = self._known.member(user)
            if person is None:
                raise Missing(
                    "I do not know which author that is in git: ask with the name as it stands in their commits, or "
                    f"put their Slack id, {user}, beside their name in almanac.toml."
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
        while at < len(words) and len(self._marks) < MOST_MARKS:
            if not self._directory.may_open(words[at][0].strip(EDGES)):
                at += 1
                continue
            for end in range(min(len(words), at + MOST_WORDS), at, -1):
                said = text[words[at].start() : words[end - 1].end()]
                plain = without_possessive(said.strip(EDGES))
                if "?" in said:
                    continue
                if people := self._directory.named(plain):
                    owned = said.strip(EDGES) != plain
                    pieces += [text[done : words[at].start()], self._mark(plain, people), "'s " if owned else ""]
                    at, done = end - 1, words[end - 1].end()
                    break
            at += 1
        return "".join(pieces) + text[done:]

    def _homonyms(self, text: str) -> str:
        """People called June, May, Summer or Will, where it is them who are meant; a question back where that is not
        sure."""
        tokens = _tokens(text)
        pieces: list[str] = []
        done = 0
        decided: set[int] = set()
        for number, token in enumerate(tokens):
            is_time = homonyms.may_be_time(token.plain)
            if not (is_time or token.is_filler) or not (people := self._directory.exactly(token.plain)):
                continue
            if not is_time:
                if not homonyms.is_meant(tokens, number, joined=self._joined(tokens, number)):
                    continue
            elif not self._is_person(text, tokens, number, people, beside_name=number - 1 in decided):
                continue
            decided.add(number)
            owned = "'s " if token.is_possessive else ""
            pieces += [text[done : token.start], self._mark(token.plain, people), owned]
            done = token.end
        return "".join(pieces) + text[done:]

    def _is_person(
        self, text: str, tokens: list[Token], number: int, people: Sequence[Person], *, beside_name: bool
    ) -> bool:
        """Whether a word that is a month, and somebody's name, is that name here. Raises Missing if it is not sure."""
        token = tokens[number]
        beside = (
            beside_name
            or homonyms.word(tokens, number - 1) in ("'s", "’s")
            or (number > 0 and (tokens[number - 1].is_mark or self._is_name(tokens[number - 1])))
        )
        if POST.search(text):
            return False
        sense = homonyms.sense_of_time(tokens, number, beside_name=beside)
        if sense:
            return sense == "name"
        without = f"{text[: token.start]} , {text[token.end :]}"
        if when(without, self._present, self._thread.months).months:
            return True
        if self._marks or self._thread.person or any(self._is_name(other) for other in tokens if other is not token):
            return False
        month = month_number(token.plain)
        time = f"the month of {NAMES[month - 1]}" if month else f"the {token.plain}"
        names = clean(listed([*(person.name for person in people), time], "or"))
        raise Missing(
            f"Which {self._directory.spelled(token.plain)}: {names}?",
            people_meant(token.plain, people, self._directory),
        )

    def _joined(self, tokens: list[Token], number: int) -> bool:
        """Whether "and", or the like, joins a word to somebody's name."""
        return any(
            homonyms.word(tokens, number + step) in JOINS
            and 0 <= number + 2 * step < len(tokens)
            and (tokens[number + 2 * step].is_mark or self._is_name(tokens[number + 2 * step]))
            for step in (-1, 1)
        )

    def _is_name(self, token: Token) -> bool:
        return (
            not token.is_filler and not homonyms.may_be_time(token.plain) and bool(self._directory.exactly(token.plain))
        )

    def people(self, rest: str, asked: When, intent: Intent) -> list[Person]:
        """Everybody who is named in what is left of a text, in the order they are named."""
        span = asked.months or self._thread.months or MonthRange(self._present - 1, self._present - 1)
        shortened = _POLITE.sub(" , ", rest)
        tokens = _tokens(shortened)
        found: list[tuple[int, Person]] = []
        strays: list[int] = []
        begun = -1  # a word that went with the one before it
        for number, token in enumerate(tokens):
            if number == begun:
                continue
            if token.is_mark and token.text[0] in self._marks:
                group = self._marks[token.text[0]]
            elif token.is_filler or ME.fullmatch(token.plain) or SLASHED.fullmatch(token.text):
                continue
            elif (fitting := self._directory.exactly(token.plain)) and not self._is_thing(tokens, number):
                if further := self._with_next(tokens, number, fitting):
                    begun = number + 1
                group = Found(token.plain, further or fitting)
            else:
                strays.append(number)
                continue
            found.append((number, self._one(group, span)))
        for number in strays:
            self._check_month(tokens, number, asked, bool(found))
        people = list(dict.fromkeys(person for _, person in found))
        if people:
            if asked.months and (
                month := next((tokens[n].plain for n in strays if tokens[n].plain in SURE_MONTHS), None)
            ):
                name = NAMES[(month_number(month) or 1) - 1]
                raise Missing(f"Do you mean {name} too? Say one month, or a range such as “from june to august”.")
            self._check_strays(shortened, tokens, [number for number, _ in found], strays, intent)
            if _ME_TOO.search(shortened):
                me = ME.search(shortened)
                at = sum(1 for number, _ in found if me and tokens[number].start < me.start())
                people.insert(min(at, len(people)), self._asker())
        elif ME.search(shortened):
            if strays and intent.name == "month" and not asked.months and not _DONE.search(rest):
                raise Missing(NOT_UNDERSTOOD)
            people.append(self._asker())
        elif intent.name in ("month", "compare", "changes", "profile", "link") and not DIGEST.search(rest):
            people = self._by_beginning(tokens, strays, span, intent)
        if not people and (settled := self._meant.get("")):
            people = [settled]
        return list(dict.fromkeys(people))

    def _is_thing(self, tokens: list[Token], number: int) -> bool:
        """Whether an article says that a word is no name: "the bill"."""
        return homonyms.word(tokens, number - 1) in ("the", "a", "an") and not self._directory.exactly(
            tokens[number].plain, levels=(0, 1, 2)
        ) and homonyms.word(tokens, number + 1) not in DOES and not tokens[number].is_possessive  # fmt: skip

    def _with_next(self, tokens: list[Token], number: int, fitting: Sequence[Person]) -> Sequence[Person] | None:
        """Of several people, those whose name goes on as the text does: "dave k"."""
        if len(fitting) < 2 or number + 1 == len(tokens):
            return None
        if tokens[number + 1].is_filler and len(tokens[number + 1].plain) > 1:
            return None
        further = self._directory.begins(f"{tokens[number].plain} {tokens[number + 1].plain}")
        return [person for person in fitting if person in further] or None

    def _one(self, found: Found, span: MonthRange) -> Person:
        narrow = self._known.narrowed(found.people, span)
        if len(narrow) != 1:
            people = narrow or found.people
            raise Missing(
                which_one(self._directory.spelled(found.said), people),
                people_meant(found.said, people, self._directory),
            )
        return narrow[0]

    def _asker(self) -> Person:
        if self._known.asker is None:
            raise Missing(WHO_ARE_YOU)
        return self._known.asker

    def _nobody(self, said: str, near: Sequence[str] | None = None) -> Missing:
        """What to say where nobody has a name, and the nearest ones as choices."""
        said = said.strip()
        near = self._directory.nearest(said) if near is None and said else near or ()
        people = [person for name in near for person in self._directory.exactly(name, levels=(1,))]
        return Missing(nobody_but(said, near), people_meant(said, list(dict.fromkeys(people))[:3], self._directory))

    def _by_beginning(self, tokens: list[Token], strays: list[int], span: MonthRange, intent: Intent) -> list[Person]:
        """People by the beginning of their names, where nobody was named in any better way."""
        runs: list[list[int]] = []
        some = bool(strays)
        strays = [
            number
            for number in strays
            if homonyms.word(tokens, number - 1) not in _BEFORE_THINGS and tokens[number].plain not in ENGLISH_MONTHS
        ]
        if some and not strays and not self._thread.person and intent.name == "month":
            raise Missing(NOT_UNDERSTOOD)
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
        names = [without_possessive(name) for name in names]
        for name in names[:2]:
            if near := self._directory.nearest(name):
                raise self._nobody(name, near)
        if names and intent.name == "changes" and not (self._known.asker or self._thread.person):
            return []
        if names:
            raise self._nobody(names[0], ()) if len(strays) < 3 else Missing(NOT_UNDERSTOOD)
        return []

    def _check_month(self, tokens: list[Token], number: int, asked: When, named: bool) -> None:
        """Ask about a word that is a month written wrong, or one that may be a month."""
        word = tokens[number].plain
        before = homonyms.word(tokens, number - 1)
        if named and not asked.months and word in ENGLISH_MONTHS and not tokens[number].is_possessive:
            if before in ("the", "to", "a", "an", "on"):
                return
            name = NAMES[(month_number(word) or 1) - 1]
            raise Missing(f"Do you mean the month of {name}? Say “in {name}”.")
        joins = before in ("to", "and", "until", "till", "through", "-", "–", "or", "since", "vs", "with")
        if (
            len(word) < 5
            or word in _NO_MONTHS
            or (asked.months and not (joins or _is_a_year(asked.months)))
            or self._directory.exactly(word)
        ):
            return
        if word in ENGLISH_MONTHS:
            return
        near = process.extractOne(
            word, [name.casefold() for name in NAMES], scorer=fuzz.ratio, score_cutoff=LIKE_A_MONTH
        )
        if near:
            raise Missing(f"I know no month called “{clean(word)}”. Did you mean {NAMES[near[2]]}?")

    def _check_strays(
        self, text: str, tokens: list[Token], named: list[int], strays: list[int], intent: Intent
    ) -> None:
        """Ask about words beside a name that must be another name, or the rest of it."""
        joins = JOINS | {"against", "to"} if intent.name == "compare" else JOINS - {"with", "or"}
        alone = all(number in named or number in strays for number in range(len(tokens)))
        for number in strays:
            token = tokens[number]
            if self._is_rest_of_a_name(text, tokens, named, strays, number, alone=alone):
                beside = number - 1 if number - 1 in named else number + 1
                one, two = sorted((number, beside))
                raise self._nobody(f"{self._said(tokens[one])} {self._said(tokens[two])}")
            plain = token.plain
            if any(
                homonyms.word(tokens, number + step) in joins and number + 2 * step in named
                and not _between(text, tokens, number, number + 2 * step, "?")
                for step in (-1, 1)
            ):  # fmt: skip
                follows = homonyms.word(tokens, number + 1)
                if (
                    number + 2 in named
                    or follows in JOINS
                    or number + 1 >= len(tokens)
                    or follows in DOES
                    or _ends(text, token)
                ):
                    raise self._nobody(without_possessive(token.text.strip(EDGES)))
            comma = any(
                number + step in named and _between(text, tokens, number, number + step, ",") for step in (-1, 1)
            )
            if comma and (near := self._directory.nearest(plain, LIKE_A_NAME)):
                raise self._nobody(token.text.strip(EDGES), near)

    def _is_rest_of_a_name(
        self, text: str, tokens: list[Token], named: list[int], strays: list[int], number: int, *, alone: bool
    ) -> bool:
        """Whether a word beside a name is part of it, so that it is another name: "grace kelly"."""
        token = tokens[number]
        for beside in (number - 1, number + 1):
            if beside not in named or tokens[beside].is_mark:
                continue
            one, two = sorted((number, beside))
            if text[tokens[one].end : tokens[two].start].strip() or tokens[one].text.endswith(("'s", "’s", "'", "’")):
                continue
            if self._is_initial(token, tokens[beside]):
                continue
            if token.text.isupper() and len(token.plain) > 1 and token.text.isascii() and not text.isupper():
                continue  # "Grace RDMA" is no Ms RDMA
            leads, follows = homonyms.word(tokens, beside - 1), homonyms.word(tokens, number + 1)
            if beside < number:
                acts = leads in homonyms.ACTS | {"is", "was", "were", "what", "how", "does"}
                named_alone = not acts and token.text[0].isalpha() and _is_last_or_timely(tokens, number, alone)
                if (leads in ASKS_FOR and follows in DOES) or named_alone:
                    return True
            elif alone and len(strays) == 1:
                return True
        return False

    def _is_initial(self, token: Token, name: Token) -> bool:
        """Whether a letter is how the rest of the name beside it begins: "g. hopper"."""
        people = self._directory.exactly(name.plain) if len(token.plain) == 1 else ()
        return any(word.startswith(token.plain) for one in people for word in one.name.casefold().split())

    def _said(self, token: Token) -> str:
        if token.is_mark:
            return self._marks[token.text[0]].said
        return without_possessive(token.text.strip(EDGES))


def _tokens(text: str) -> list[Token]:
    return [Token(match[0], match.start(), match.end()) for match in WORD.finditer(text)]


def _between(text: str, tokens: list[Token], one: int, two: int, what: str) -> bool:
    first, second = sorted((one, two))
    return what in text[tokens[first].end : tokens[second].start]


def _ends(text: str, token: Token) -> bool:
    return not text[token.end :].strip(" ?!.,") or text[token.end : token.end + 2] == "  "


def _is_a_year(months: MonthRange) -> bool:
    """Whether months are all that a year has, so that a month written wrong may stand before it: "setember 2024"."""
    return months.first.number == 1 and months.first.year == months.last.year and months.last > months.first


def _is_last_or_timely(tokens: list[Token], number: int, alone: bool) -> bool:
    """Whether what follows a word says that it is no verb: nothing, or words that are no names either."""
    return alone or number + 1 >= len(tokens) or tokens[number + 1].is_filler
