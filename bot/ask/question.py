"""What people type → a Question. A small grammar, no guessing, and the present is an argument. Pure.

What cannot be understood is a Question too, with what is missing in it: nothing here raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.ask.when import When, when
from bot.model import Person, Question
from bot.month.calendar import Month, MonthRange
from bot.month.people import described, find
from bot.story.wording import clean, listed

_HELP = re.compile(
    r"(?:help|hi|hello|hey|hallo|thanks?(?: you)?|what can you do|how does this work|\?|usage|examples?)?[\s!?.]*",
    re.I,
)
_DIGEST = re.compile(
    r"\b(?:digest|what (?:was )?shipped|what happened|what (?:did|have) (?:we|the team|everyone|everybody)\b.*)\b",
    re.I,
)
_SHIPPED = re.compile(r"\bwhat\b", re.I)
_ME = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.I)
_MENTION = re.compile(r"<@(?P<user>[UW][A-Z0-9]+)(?:\|[^>]*)?>")
_WORD = re.compile(r"[^\s,;:?!()\"“”]+")
# Words around a name that are never a name. A name that is one of them is still found in full.
_FILLER = frozenset(
    ["a", "about", "activity", "an", "and", "any", "are", "at", "been", "better", "brief", "by", "can", "changes", "commit", "commits", "contribute", "contributed", "could", "did", "do", "does", "doing", "done", "else", "everything", "feature", "features", "fixes", "for", "from", "gave", "get", "getting", "give", "go", "had", "has", "have", "he", "her", "him", "his", "how", "i", "in", "into", "is", "it", "its", "just", "last", "let", "list", "lately", "made", "make", "many", "may", "me", "merge", "merged", "month", "monthly", "month's", "months", "much", "my", "of", "off", "on", "only", "or", "our", "out", "over", "page", "please", "post", "previous", "profile", "pull", "report", "requests", "review", "say", "shall", "she", "ship", "shipped", "should", "show", "since", "so", "some", "story", "sum", "summarise", "summarize", "summary", "tell", "that", "the", "their", "them", "then", "there", "they", "this", "those", "to", "told", "up", "us", "was", "we", "were", "what", "what's", "whats", "when", "which", "who", "whose", "will", "with", "work", "worked", "working", "would", "write", "wrote", "year", "you", "your"]
)  # fmt: skip


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


def parse_question(text: str, known: Known, present: Month, thread: Thread | None = None) -> Question:
    """The question in a text, `present` being the month it is asked in.

    `thread` is given for a follow-up: what it does not say is taken from there.
    """
    thread = thread or Thread()
    text = " ".join(text[:2_000].split())
    if _HELP.fullmatch(text):
        return Question("help")
    rest, named, unknown = _mentioned(text, known)
    rest, groups = _full_names(rest, known)
    asked = when(rest, present, thread.months)
    span = asked.months or thread.months or MonthRange(present - 1, present - 1)
    full: list[Person] = []
    for said, group in groups:
        narrow = known.narrowed(group, span)
        if len(narrow) > 1:
            return Question("unknown", missing=which_one(said, narrow))
        full += [person for person in narrow if person not in full]
    rest, repositories = _repositories(asked.rest, known)
    people = [*named, *full]
    if asked.wrong or unknown:
        return Question("unknown", tuple(_name(p, known) for p in people), missing=asked.wrong or unknown)
    if _ME.search(rest) and not people:
        if known.asker is None:
            return Question("unknown", missing=WHO_ARE_YOU)
        people.append(known.asker)
    if not people and (match := _DIGEST.search(rest)):
        intent = "what_shipped" if _SHIPPED.match(match[0]) else "digest"
        return _question(intent, (), asked, repositories, thread, known)
    if not people:
        people, missing, stray = _names(rest, known, span)
        if missing:
            return Question("unknown", missing=missing)
        if not people and stray:
            return Question("unknown", missing=stray)
    if not people and thread.person and (asked.months or repositories):
        return replace(_question("month", (), asked, repositories, thread, known), people=(thread.person,))
    if not people and not (asked.months or repositories):
        return Question("unknown", missing="I did not understand that.")
    if not people:
        return Question("unknown", missing="Whose month do you mean? Name somebody.")
    return _question("month", people, asked, repositories, thread, known)


WHO_ARE_YOU = (
    "I do not know which author you are in git: ask with your name as it stands in your commits, or have your "
    "Slack id put beside your name in almanac.toml."
)


def _question(
    intent: str,
    people: Sequence[Person],
    asked: When,
    repositories: tuple[str, ...],
    thread: Thread,
    known: Known,
) -> Question:
    """The question, with what a follow-up leaves unsaid taken from its thread.

    One that names both whom and when is complete and takes nothing.
    """
    complete = bool(people) and asked.months is not None
    months = asked.months or thread.months
    return Question(
        intent,
        people=tuple(dict.fromkeys(_name(person, known) for person in people)),
        first=months.first if months else None,
        last=months.last if months else None,
        repositories=repositories or (() if complete else thread.repositories),
    )


def _name(person: Person, known: Known) -> str:
    """The person's name, with an address where others have the same name."""
    twins = [other for other in known.people if other.name.casefold() == person.name.casefold()]
    return person.name if len(twins) < 2 else described(person)


def _mentioned(text: str, known: Known) -> tuple[str, list[Person], str | None]:
    """The text without Slack mentions, the people they stand for, and what to say of one who is unknown."""
    people: list[Person] = []
    unknown = None
    for match in _MENTION.finditer(text):
        person = known.member(match["user"])
        if person is None:
            unknown = (
                f"I do not know which author <@{match['user']}> is in git: ask with the name as it stands in their "
                f"commits, or put their Slack id beside their name in almanac.toml."
            )
        elif person not in people:
            people.append(person)
    return _MENTION.sub(" ", text), people, unknown


def _full_names(text: str, known: Known) -> tuple[str, list[tuple[str, list[Person]]]]:
    """Full names and addresses, taken out first: June Lee is no month, and has one. Each with who fits it."""
    found: list[tuple[str, list[Person]]] = []
    words = list(_WORD.finditer(text))
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + 6), at, -1):
            said = text[words[at].start() : words[end - 1].end()]
            if match := _exactly(_without_possessive(said), known):
                found.append((said, match))
                text = text[: words[at].start()] + " " * len(said) + text[words[end - 1].end() :]
                at = end - 1
                break
        at += 1
    return text, found


def _exactly(said: str, known: Known) -> list[Person]:
    """Whoever has this full name of several words, this address, or both ("Ada <ada@example.com>")."""
    is_address = "@" in said.lstrip("@")
    return list(find(known.people, said).people) if is_address or (" " in said and _is_name(said, known)) else []


def _is_name(said: str, known: Known) -> bool:
    plain = " ".join(said.split()).casefold()
    names = {name for p in known.people for name in (p.name, *(one.name for one in p.identities))}
    return plain in {name.casefold() for name in names}


def _repositories(text: str, known: Known) -> tuple[str, tuple[str, ...]]:
    """Repositories named in full ("acme/engine") or, with "in", by their last part."""
    found: list[str] = []
    for name in known.repositories:
        last = name.rsplit("/", 1)[-1]
        pattern = rf"(?:\b(?:in|only|for|of|on)\s+)?(?<![\w/]){re.escape(name)}(?![\w/-])|\b(?:in|only)\s+{re.escape(last)}(?![\w/-])"
        text, times = re.subn(pattern, " ", text, flags=re.IGNORECASE)
        if times:
            found.append(name)
    return text, tuple(found)


def _names(text: str, known: Known, span: MonthRange) -> tuple[list[Person], str | None, str | None]:
    """People by any part of their names; else a question back; else words that are nobody's name."""
    words = [_without_possessive(word) for word in _WORD.findall(text)]
    people: list[Person] = []
    strays: list[str] = []
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + 4), at, -1):
            said = " ".join(words[at:end])
            if end - at == 1 and said.casefold().strip(".'’-") in _FILLER:
                break
            match = find(known.people, said.rstrip("."))
            fitting = known.narrowed(match.people, span)
            if len(fitting) > 1:
                return [], which_one(said, fitting), None
            if fitting:
                people += [person for person in fitting if person not in people]
                at = end - 1
                break
        else:
            if words[at].strip(".-'’"):
                strays.append(words[at])
        at += 1
    if people or not strays:
        return people, None, None
    return [], None, nobody(" ".join(strays), known.people)


def _without_possessive(word: str) -> str:
    return re.sub(r"['’]s?$", "", word) if not re.search(r"\d['’]", word) else word


def which_one(said: str, people: Sequence[Person]) -> str:
    """The question back where a name fits several people: "Which Dave: Dave Kim or Dave Okafor?"."""
    names = [person.name for person in people]
    shown = [described(p) if names.count(p.name) > 1 else p.name for p in people[:6]]
    more = f" (and {len(people) - 6} more)" if len(people) > 6 else ""
    return f"Which {clean(said)}: {clean(listed(shown, 'or'))}{more}?"


def nobody(said: str, people: Sequence[Person]) -> str:
    """What to say where nobody has a name, with the nearest names there are."""
    near = find(people, said).nearest
    offer = f" Did you mean {clean(listed(near, 'or'))}?" if near else ""
    return f"I know nobody called “{clean(said)[:80]}”.{offer}"
