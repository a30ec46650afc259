"""Whose address or login is it: what is asked of them, or said. Over the text with its finds in capitals. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.ask.clarification import Missing, which_one
from bot.ask.known import Known
from bot.ask.question import Question
from bot.ask.reading.finds import Finds
from bot.ask.reading.names import Named
from bot.ask.reading.vocabulary import words_of
from bot.month.people import Directory

_WHAT = r"(?:e-?mails?|addresse?s?|logins?|accounts?|handles?|user ?names?|git ?hub(?: (?:login|account|name))?|gitlab)"
_IS = r"(?:is not|isn't|is|are|was|'s)"
_X = r"(?P<topic>ADDR|PERSON|@?[\w.+-]*\w)"
_WHOM = r"(?P<whom>me|my|mine|PERSON|STRANGER)"
_END = r"(?: too| also| please| pls| thx|\W)*$"
# What is asked about is <topic>; it is <whom>'s, or the asker's where the pattern says "my" or "I".
_LINKS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:un)?link {_X}(?: (?:to|with|from|and) {_WHOM})?{_END}",
        rf"\badd {_X} to {_WHOM}\b",
        rf"\bwho(?:se|'s) (?:{_WHAT} )?{_IS} {_X}{_END}",
        rf"\bwho does (?:the )?(?:{_WHAT} )?{_X} belong to\b",
        r"\bwho(?:'s| \w+(?: as)?) (?P<topic>ADDR)\b",
        r"\b(?P<topic>ADDR)\b.*\bwhose\b",
        rf"^\W*(?:is )?(?P<topic>ADDR) (?:{_IS} |belongs to )?(?:also )?{_WHOM}{_END}",
        rf"(?:\bmy|(?P<whom>PERSON)'s) (?:\w+ )?{_WHAT} {_IS} {_X}{_END}",
        r"\bi(?:'m| am| also use| use| commit as| sign as) (?P<topic>ADDR)\b",
        rf"\bi(?:'m| am) {_X} (?:on|at) (?:git ?hub|gitlab)\b",
    )
)
# The same, of a login that somebody has.
_LOGINS = (re.compile(rf"^\W*{_X} {_IS} (?:also )?{_WHOM}{_END}"), re.compile(rf"^\W*who(?:'s| is) {_X}{_END}"))
_NO_LOGIN = words_of("that this it me my address addresses login commit who what how where")
_ASKED = re.compile(
    rf"^\W*(?:what(?:'s| is| are) )?(?:PERSON's|my) {_WHAT}\W*$|\bam i linked\b|"
    rf"\bwhich {_WHAT} (?:are mine|does PERSON have|do i have)\b"
)
_SAID = re.compile(
    r"^\W*(?:un)?link(?: me)?\W*$|\blink my\b|"
    r"^\W*(?:that|this|these|those)(?:'s| is| are|isn't| isn't| aren't) (?:not )?(?:me|mine|my commits)\W*$"
)


def each_one(named: Sequence[Named], directory: Directory) -> tuple[str, ...]:
    """What each is called, of whom it is clear who they are. Raises Missing where it is not."""
    for one in named:
        if len(one.people) > 1:
            raise Missing(which_one(one.said, one.people))
    return tuple(directory.called(one.people[0]) for one in named if one.people)  # digests are without bots anyhow


def linked(finds: Finds, known: Known) -> Question | None:
    """The question of whose an address or a login is, where a text asks or says it."""
    said, found, directory = finds.with_all, finds.names.found, known.directory
    asker = (directory.called(known.asker),) if known.asker else ()
    for pattern in (*_LINKS, *_LOGINS):
        if match := pattern.search(said):
            if not (topic := _topic(finds, match, directory)):
                continue
            whom = match.groupdict().get("whom")
            if whom == "PERSON":
                number = said[: match.start("whom")].count("PERSON")
                return Question("link", each_one(found[number : number + 1], directory), topic=topic)
            is_mine = re.search(r"\b(?:me|my|mine|i)\b", match[0])
            return Question("link", asker if is_mine else (), topic=topic)
    if asked := _ASKED.search(said):
        return Question("link", each_one(found[:1], directory) if "PERSON" in asked[0] else asker)
    return Question("link") if _SAID.search(said) else None


def _topic(finds: Finds, match: re.Match[str], directory: Directory) -> str:
    """The address or login that a match is of, as it was typed; "" where it is none."""
    topic, is_strict = match["topic"], match.re in _LOGINS
    if topic == "ADDR":
        return finds.places.addresses[0]
    if topic != "PERSON":
        is_none = topic in _NO_LOGIN or (is_strict and match.re is not _LOGINS[0])
        return "" if is_none else next((w.raw for w in finds.text.words if w.low == topic.lstrip("@")), topic)
    number = match.string[: match.start("topic")].count("PERSON")
    named = finds.names.found[number] if number < len(finds.names.found) else None
    if named is None or named.end - named.first > 1 or named.is_near:
        return ""
    word = finds.text.words[named.first]
    is_login = word.is_handle or bool(directory.exactly(word.low, levels=(2,)))
    return word.raw.lstrip("@") if is_login or not is_strict else ""
