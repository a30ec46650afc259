"""What of grammar can be checked: which rules a sentence breaks. Pure.

What a developer wrote, in “…” or as `code`, is their own and only has to be closed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from bot.story.proving.articles import article_of
from bot.story.words.verbs import VERBS

QUOTED, CODE = "\ufff9", "\ufffa"  # what stands for a quotation and for code while the rest is read
_CODE = re.compile(r"(?:(`{2,3})(?!`)(?P<long>.{1,300}?)\1|`(?P<code>[^`]*)`)(?!`)")
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_DOUBLED = re.compile(r"(?<![\w./:-])(\w+)\s+\1(?=[\s,;:!?)\]”\"]|\.?(?:\s|$))", re.IGNORECASE)
_MAY_DOUBLE = frozenset({"that", "had", "is", "bye", "so", "very"})
_BEFORE_A_SIGN = re.compile(r"(?<=[^\s.,;:!?])\s+([,;:!?]|\.(?!\.))(?=[\s)\]”\"]|$)")
_REPEATED = re.compile(
    r",(?:\s*[,;:.])+(?![\w/.])|;(?:\s*[,;:.])+(?!\w)|(?<![\w:]):(?:\s*[,;:.])+(?!\w)|(?<=\w):[,;.](?=\s|$)"
    r"|(?<![./])\.\.(?![./\w\]>)=<])|\.{4,}|…[.…]+|\.…|[!?]\.(?=\s|$)|!{2,}|\?{2,}"
)
_EMPTY = re.compile(r"(?:(?<=\s)|^)(?:\(\s*\)|\[\s*\]|\{\s*\})|“\s*”|\"\s*\"|(?<![`\w])``(?!`)|\(\s+\)|(?<=\s)''(?=\s)")
_ARTICLE = re.compile(r"(?<![\w'’./*&+-])([Aa]n?)\s+([\"“‘'(\[]*)([^\s\"“”‘’()\[\]]+)")
_NO_NOUN = frozenset(
    {"and", "or", "is", "in", "as", "at", "of", "if", "are", "into", "on", "an", "a", "was", "to", "for"}
)
_STARTS = re.compile(r"[\"“‘'`(\[]*(?P<first>\S+)")
_NAME = re.compile(r"\w[_./:@=#-]+\w|^[-_./@$~]|\d|[a-z][A-Z]|_$|\w\(")
_MARKS = ".!?…。！？"
_END = re.compile(rf"[{_MARKS}][\"”’')\]`]*\Z")
_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?(?:-[^\W\d_]+)*")
_FORMS = (
    "is are was were be been being am has have had does do did can could may might must shall should will would isn't "
    "aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't can't couldn't won't wouldn't cannot it's "
    "that's there's they're we're we've i've you're came went began became took gave knew saw stood left kept meant "
    "dealt said told thought sent spent led lay won paid stayed shared helped wrote written worked happened undone "
    "done known based given taken gone come comes go goes seen shown grown drawn thrown backed touched brought put "
    "cut set read let hit affects affected depends depended lacks lacked means suffered exists existed remained "
    "remains looks fails failed crashes crashed hangs hung works needs needed causes caused leads makes"
)
_MADE = ("ified", "ized", "ised")  # "torchified"
# The words that make a sentence; an -ing alone makes none. Of "sped up" the first one counts.
FINITE = frozenset(_FORMS.split()) | {
    form.split()[0] for verb in VERBS.values() for form in (verb.base, verb.past, verb.third)
}


def mistakes(text: str, verbs: Container[str] = FINITE) -> list[str]:
    """What in a text of one or several sentences breaks a rule of grammar, each named; empty if nothing does.

    `verbs` are the words, in small letters, of which one makes it a sentence.
    """
    return list(dict.fromkeys(_mistakes(text, verbs)))


def _mistakes(text: str, verbs: Container[str]) -> Iterator[str]:
    own, faults = _own(text)
    yield from faults
    if re.search(r"\s\s|[\t\n\r]", own):
        yield "two spaces"
    if text != text.strip():
        yield "space at the start or the end"
    yield from (f"{match[1]!r} twice" for match in _DOUBLED.finditer(own) if _is_double(match))
    yield from (f"space before {match[1]!r}" for match in _BEFORE_A_SIGN.finditer(own))
    yield from (f"{match[0]!r} repeated" for match in _REPEATED.finditer(own))
    yield from (f"{match[0]!r} is empty" for match in _EMPTY.finditer(own))
    yield from _unbalanced(own)
    yield from _articles(own)
    is_labelled = _LABELLED.fullmatch(own)
    if not is_labelled and not _begins_well(own):
        yield "no capital at the start"
    if not _END.search(own.replace(CODE, "")):
        yield "no full stop at the end"
    if not is_labelled and not _has_verb(own, verbs):
        yield "no verb"


def _own(text: str) -> tuple[str, list[str]]:
    """A text with a sign for each quotation and each piece of code, and what is wrong with their marks."""
    faults: list[str] = []
    own: list[str] = []
    depth = begun = 0
    for at, sign in enumerate(text):
        if sign == "“":
            if depth == 0:
                own.append(text[begun:at])
                begun = at
            depth += 1
        elif sign == "”":
            if depth == 0:
                faults.append("“…” not balanced")
                continue
            depth -= 1
            if depth == 0:
                own.append(_instead_of(text[begun + 1 : at].strip()))
                begun = at + 1
    if depth:
        faults.append("“…” not balanced")
    own.append(text[begun:])
    rest = _CODE.sub(lambda match: CODE if (match["long"] or match["code"]).strip() else "``", "".join(own))
    if rest.replace("``", "").count("`"):
        faults.append("` not balanced")
    return rest, faults


def _instead_of(quoted: str) -> str:
    if not quoted:
        return "“”"
    return f"“{QUOTED}{quoted[-1] if quoted[-1] in _MARKS else ''}”"


def _is_double(match: re.Match[str]) -> bool:
    word, again = match[1], match[0].split()[-1]
    if len(word) < 2 or not any(map(str.isalpha, word)) or word.lower() in _MAY_DOUBLE:
        return False
    return not (word.istitle() and word == again and match.start())  # somebody may be called Li Li


def _unbalanced(own: str) -> Iterator[str]:
    opened: list[str] = []
    for sign in own:
        if sign in "([{":
            opened.append(sign)
        elif sign in _BRACKETS and (not opened or opened.pop() != _BRACKETS[sign]):
            yield f"{sign!r} not balanced"
            return
    if opened:
        yield f"{opened[-1]!r} not balanced"
    if own.count('"') % 2:
        yield "'\"' not balanced"


def _articles(own: str) -> Iterator[str]:
    for match in _ARTICLE.finditer(own):
        said, opened, word = match.groups()
        is_letter = said == "A" and match.start() and not re.search(r"[.!?:…]\s$", own[: match.start()][-2:])
        if is_letter or QUOTED in word or CODE in word or (not opened and word.lower() in _NO_NOUN):
            continue
        wanted = article_of(word)
        if wanted not in ("either", said.lower()):
            yield f"{f'{said} {word}'!r} should be {wanted!r}"


def _begins_well(own: str) -> bool:
    start = _STARTS.match(own)
    if not start:
        return False
    first = start["first"]
    sign = first[0]
    return bool(_NAME.search(first)) or (not sign.islower() and (sign.isalnum() or sign in (QUOTED, CODE)))


# "Key cache: “it takes 2 s instead of 5 s”.": the sentence is the developer's, under the title of the change.
_LABELLED = re.compile(rf"[^{QUOTED}“]+: (?:from )?“{QUOTED}[^”]?”(?: to “{QUOTED}[^”]?”)?\.")


def _has_verb(own: str, verbs: Container[str]) -> bool:
    words = _WORD.findall(own.lower().replace("’", "'"))
    if not words or not all(map(str.isascii, words)):
        return True  # all of it is quoted, or code; or it is in a language of which no verbs are known
    return any(word in verbs or word.endswith(_MADE) or any(map(verbs.__contains__, word.split("-"))) for word in words)
