"""What a subject says that its commit does to another one. Pure.

`Revert "Re-land "X" (#12)" (#13)` reverts a commit called `Re-land "X"`, which was pull request 12.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from bot.month.trailers import pull_requests_in, without_pull_requests

Effect = Literal["reverts", "relands"]

READ = 1_000  # characters of a subject that are read
NUMBERS = 200  # characters at the end of a subject in which numbers of pull requests may stand
LABEL = 26  # characters in which a label such as "fix: " ends
LISTED = 16  # how many commits one list may name

# One way to name a commit: D123 (also {D123}), owner/name#12, #12, the address of either, or digits of a SHA.
# "https://github.com/acme/x/commit/…" often follows a D in brackets, where an export has added it.
NAMED = (
    r"(?:\{?\b[Dd]\d{4,}\b\}?|(?:[\w.-]+/[\w.-]+)?#\d+\b|https?://github\.com/[\w.-]+/[\w.-]+/(?:pull|commit)/\w+"
    r"|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b)(?:\s*\(https?://[^\s)]*\))?"
)
LIST = rf"{NAMED}(?:(?:\s*(?:,|&|\+|\band\b)\s*|\s+){NAMED})*"

_TAGS = r"(?:\[[^\]]{0,60}\]\s*|\([a-z]{1,20}\)\s+)*"
_UNDO = r"(?P<undo>revert(?:s|ed|ing)?|back(?:s|ed|ing)?[ -]?out|unland(?:s|ed|ing)?)"
_AGAIN = r"(?P<again>re-?land(?:s|ed|ing)?|re-?appl(?:y|ies|ied|ying)|reprise)"
_HEAD = re.compile(
    rf"{_TAGS}(?P<part>partial(?:ly)?\s+)?(?:{_UNDO}|{_AGAIN})\b"
    r"(?P<words>(?:\s+(?:of|the|this|diffs?|commits?|prs?|pull request|changes? (?:made )?in)\b)*)(?P<colon>\s*:)?\s*",
    re.IGNORECASE,
)
_TAG = re.compile(r"(?P<before>(?:\[[^\]]{0,60}\]\s*)*?)[\[(]re-?land ?\d*[\])]:?\s*", re.IGNORECASE)
_TRY = r"(?:re-?land(?:ing)?|re-?submi(?:t(?:ted)?|ssion)|(?:2nd|second|3rd|third) (?:attempt|try)|re-?attempt)"
_TAIL = re.compile(
    rf"[\s,]*(?:(?:-+|–|—)?\s*[\[(]?\bre-?land(?:ing)?[\])]?|(?:-+|–|—)\s*{_TRY}"
    rf"|[\[(]{_TRY}(?:\s+(?:of|from)\s+(?P<list>(?>{LIST})))?[\])])$",
    re.IGNORECASE,
)
_LISTED = re.compile(rf"(?P<list>{LIST})(?P<rest>.*)", re.DOTALL)
_CHANGES = re.compile(rf"\bchanges?\s+(?:made\s+)?(?:from|in|of|by)\s+(?P<list>{LIST})", re.IGNORECASE)
_AGAIN_NUMBER = re.compile(r"\s*\((?:v|take |attempt #?)?\d\)$", re.IGNORECASE)
_TAGS_ONLY = re.compile(_TAGS)
_QUOTES = "\"“”'`"
_COUNT = r"(?:v|take |try |attempt )#?[2-9]"
_NEXT = re.compile(rf"[\s,:–—-]*(?:[\[(]{_COUNT}[\])]|(?P<alone>\b{_COUNT}))$")
_THEIRS = frozenset(("to", "in", "for", "of", "from", "on", "with", "the", "and", "use", "using", "by", "at"))
_LABEL = re.compile(rf"(?P<label>[\w./-]{{2,{LABEL - 2}}}):\s+(?=\S)")
_WITHIN = re.compile(r"[\[(]([^\])]*)[\])]")
_BETWEEN = re.compile(r"[\"”]\s*(?:,|&|,?\s*and)\s*[\"“]")
_CUT = ("…", "...")
_MARKS = f"{_QUOTES}?!., "
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NamedCommit:
    """A commit that a subject names: by its title, by pull requests of its, or by what is in `listed`."""

    does: Effect
    title: str = ""
    pulls: tuple[str, ...] = ()
    listed: str = ""


@dataclass(frozen=True, slots=True)
class SubjectMeaning:
    """What a subject says, and of which commits."""

    does: Effect | None = None
    names: tuple[NamedCommit, ...] = ()
    partly: bool = False


NOTHING = SubjectMeaning()


def meaning_of(subject: str) -> SubjectMeaning:
    """What the subject says that its commit reverts or brings back."""
    low = subject[:READ].lower()
    talks = "revert" in low or "out" in low or "land" in low or "appl" in low or "reprise" in low
    talks = talks or "submi" in low or "attempt" in low or "d try" in low
    title, numbers = numbers_of(subject[:READ]) if talks else ("", ())
    if not talks or (found := _layer(title)) is None:
        return NOTHING
    does, names, partly = found
    if does == "relands" and len(numbers) > 1:  # "[reland] Add it (#66) (#74)": 74 is its own
        names = (*names, NamedCommit(does, pulls=numbers[:-1]))
    return SubjectMeaning(does, names, partly)


def plain_title(title: str) -> str:
    """A title as others may repeat it: without numbers, in small letters; empty where it was cut off."""
    text = " ".join(numbers_of(title[:READ])[0].split()).lower()
    return "" if text.endswith(_CUT) else text


def tags_of(title: str) -> tuple[str, str]:
    """A title's tags, such as "[ci]", and what follows them: quotations often have some more, or some fewer."""
    if title[:1] not in ("[", "("):
        return "", title
    end = _TAGS_ONLY.match(title).end()  # type: ignore[union-attr]  # it may match nothing, but it matches
    return title[:end], title[end:] or title


def core_of(title: str) -> tuple[frozenset[str], str]:
    """The labels of a plain title, and what stays of it when the same is landed once more in slightly other words:
    without them, what counts the attempts ("v2"), quotation marks and marks at the end."""
    if title[:1].isalnum() and title[-1:].isalpha() and ": " not in title[:LABEL]:
        return _NONE, title
    tags, text = tags_of(title.strip(_QUOTES))
    labels = _WITHIN.findall(tags) if tags else []
    if ": " in text[:LABEL] and (label := _LABEL.match(text)):
        labels.append(label["label"])
        text = text[label.end() :]
    if text.rstrip(")]")[-1:].isdigit() and (attempt := _NEXT.search(text)):
        first = text[: attempt.start()]
        if first and first.rpartition(" ")[2] not in _THEIRS:  # "Move to v2" is no second attempt
            text = first
            if attempt["alone"]:  # it may be a version after all, and then v2 is not v3
                labels.append(attempt["alone"])
    return frozenset(labels), text.strip(_MARKS) or text


def numbers_of(subject: str) -> tuple[str, tuple[str, ...]]:
    """The subject without the numbers of pull requests behind it, and those."""
    at = subject.find("(", max(0, len(subject) - NUMBERS)) if "#" in subject else -1
    if at < 0:
        return subject.strip(), ()
    tail = f"x{subject[at:]}"  # only this is searched: most subjects have their one bracket at the end
    numbers = pull_requests_in(tail)
    return (subject[:at] + without_pull_requests(tail)[1:]).strip() if numbers and at else subject.strip(), numbers


def _layer(text: str) -> tuple[Effect, tuple[NamedCommit, ...], bool] | None:
    """What the outermost words of a title do, and to which commits."""
    if tag := _TAG.match(text):
        return "relands", (_mention("relands", f"{tag['before'].strip()} {text[tag.end() :]}"),), False
    if not (head := _HEAD.match(text)):
        tail = _TAIL.search(text)
        if not tail:
            return None
        mention = _mention("relands", text[: tail.start()])
        return "relands", (replace(mention, listed=tail["list"] or ""),), False
    does: Effect = "reverts" if head["undo"] else "relands"
    rest = text[head.end() :]
    names: tuple[NamedCommit, ...] = ()
    if listed := _LISTED.match(rest):
        after = listed["rest"].lstrip(" :")
        # "Revert D2: Multisect successfully blamed D1 …" is an explanation, no title.
        title = "" if not listed["rest"].startswith((":", ' "')) or "blamed" in after[:60] else after.strip(_QUOTES)
        names = (NamedCommit(does, title, numbers_of(title)[1], listed["list"]),)
    elif rest[:1] and rest[0] in _QUOTES:
        end = max(rest.rfind(quote) for quote in _QUOTES)
        inside = rest[1:end] if end > 0 else rest[1:]
        names = tuple(_mention(does, one) for one in _BETWEEN.split(inside)[:LISTED])
    elif head["colon"] or head["again"]:  # "Revert the colours" names nothing
        names = (_mention(does, rest),)
    elif changes := _CHANGES.search(rest):
        return does, (NamedCommit(does, listed=changes["list"]),), True
    return does, names, bool(head["part"])


def _mention(does: Effect, title: str) -> NamedCommit:
    title = title.strip().strip(_QUOTES if title.count('"') % 2 else " ").strip()
    if does == "relands":
        title = _AGAIN_NUMBER.sub("", title)
    return NamedCommit(does, title, numbers_of(title)[1])
