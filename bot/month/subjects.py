"""What a subject says that its commit does to another one. Pure.

`Revert "Re-land "X" (#12)" (#13)` reverts a commit called `Re-land "X"`, which was pull request 12.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from bot.month.trailers import READ, heading

Effect = Literal["reverts", "relands"]

LABEL = 26  # characters in which a label such as "fix: " ends
LISTED = 16  # how many commits one list may name

# One way to name a commit: D123 (also {D123}), owner/name#12, #12, !12, the address of either, or digits of a SHA.
# "https://github.com/acme/x/commit/…" often follows a D in brackets, where an export has added it.
NAMED = (
    r"(?>\{?\b[Dd]\d{4,}\b\}?|\b(?:changelist |cl/ ?)\d{6,12}\b|(?:(?<![\w./-])[\w.-]+(?:/[\w.-]+)+)?[#!]\d+\b"
    r"|https?://[\w.:-]+/[\w./~-]{1,200}?/(?:pulls?|pull-requests|merge_requests|commits?)/\w+"
    r"|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b)(?:\s*\(https?://[^\s)]*\))?"
)
LIST = rf"{NAMED}(?:(?:\s*[,&+]\s*|\s+(?:and(?=[\s#{{])\s*)?){NAMED})*"

# Before a title: tags, the type of Conventional Commits, an emoji or the name of one, a ticket.
_TYPE = (
    r"(?:feat|feature|fix|bugfix|hotfix|docs|style|refactor|perf|tests?|build|deps|ci|chore)(?:\([^()]{0,40}\))?!?:\s+"
    r"|:[a-z_]{2,40}:\s*"
    r"|[\u2190-\u2bff\U0001f000-\U0001faff]\ufe0f?\s*|(?-i:[A-Z][A-Z0-9]+-\d+):?\s+"
)
_TAGS = rf"(?:\[[^\]]{{0,60}}\]\s*|\([a-z]{{1,20}}\)\s+|{_TYPE})*"
UNDO = r"(?:revert(?:s|ed|ing)?|back(?:s|ed|ing)?[ -]?out|unland(?:s|ed|ing)?)\b"
# "Revert to the old colour" goes back to it, unless that is a version, "Revert button: ask" is about one, "Back out
# early" and "Reverts on close" say what a program does: none of them undoes a commit.
NO_UNDO = (
    r"(?!\s+(?:back\s+)?to\b(?!\s+(?:the\s+|an?\s+)?(?:(?:previous|last|earlier|older|original)\s+"
    r"(?:version|revision|state)|(?:version\s+|hrev|r)?\d{4,}|[0-9a-f]{7,40})\b)"
    r"|\s+(?:if|when|whenever|on (?:close|errors?|exit|failure)|early|gracefully|cleanly)\b"
    r"|\s+(?:button|command|confirmation|dialog|flow|icon|link|menu|mode|option|page|popup|prompt|screen|shortcut)s?"
    r"(?:\s+\w+)?:|(?<=out)\s+of\s+(?:an?|the)\s+(?!(?:change|commit|diff|patch|pr|pull)))"
)
# What is said of programs more than of commits, and so counts only where it names one.
_ROLLS = r"(?P<rolls>undo(?:es)?|(?:automated\s+)?roll(?:s|ed|ing)?[ -]?back)\b"
_AGAIN = r"(?P<again>re-?land(?:s|ed|ing)?|re-?appl(?:y|ies|ied|ying)|reprise)"
_HEAD = re.compile(
    rf"{_TAGS}(?P<part>partial(?:ly)?\s+)?(?:(?P<undo>{UNDO}){NO_UNDO}|{_ROLLS}|{_AGAIN}\b)"
    r"(?P<words>(?:\s+(?:of|the|this|diffs?|commits?|prs?|(?:pull|merge) request|changes? (?:made )?in)\b)*)"
    r"(?P<colon>(?:\([^()]{0,40}\))?!?\s*:)?\s*",
    re.IGNORECASE,
)
_REWIND = re.compile(r"(?:\u23ea\ufe0f?|:rewind:)\s*")  # gitmoji's sign of a revert
_TICKET_BEHIND = re.compile(r"\s*[\[(][a-z][a-z0-9]+-\d+[\])]$")
_TAG = re.compile(r"(?P<before>(?:\[[^\]]{0,60}\]\s*)*?)[\[(]re-?land ?\d*[\])]:?\s*", re.IGNORECASE)
_TRY = r"(?:re-?land(?:ing)?|re-?submi(?:t(?:ted)?|ssion)|(?:2nd|second|3rd|third) (?:attempt|try)|re-?attempt)"
_TAIL = re.compile(
    rf"(?<![\s,])[\s,]*+(?:(?:-+|–|—)?\s*[\[(]?\bre-?land(?:ing)?[\])]?|(?:-+|–|—)\s*{_TRY}"
    rf"|[\[(]{_TRY}(?:\s+(?:of|from)\s+(?P<list>(?>{LIST})))?[\])])$",
    re.IGNORECASE,
)
_LISTED = re.compile(rf"(?P<list>{LIST})(?P<rest>.*)", re.DOTALL)
_BARE_PULL = re.compile(r"\s*(\d{1,6})$")  # "Revert PR 12"
_CHANGES = re.compile(rf"\bchanges?\s+(?:made\s+)?(?:from|in|of|by)\s+(?P<list>{LIST})", re.IGNORECASE)
_AGAIN_NUMBER = re.compile(r"\s*\((?:v|take |attempt #?)?\d\)$", re.IGNORECASE)
_TAGS_ONLY = re.compile(_TAGS)
_QUOTES = "\"“”'`"
_COUNT = r"(?:v|take |try |attempt )#?[2-9]"
_NEXT = re.compile(rf"[\s,:–—-]*(?:[\[(]{_COUNT}[\])]|(?P<alone>\b{_COUNT}))$")
_THEIRS = frozenset(("to", "in", "for", "of", "from", "on", "with", "the", "and", "use", "using", "by", "at"))
_LABEL = re.compile(rf"(?P<label>[\w./-]{{2,{LABEL - 2}}}):\s+(?=\S)")
_NO_TAG = re.compile(r"[^\w./-]+")
_BETWEEN = re.compile(r"[\"”]\s*(?:,(?:\s*and)?|&|and)\s*[\"“]")
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
    talks = talks or "submi" in low or "attempt" in low or "d try" in low or "undo" in low or "roll" in low
    talks = talks or "\u23ea" in low or ":rewind:" in low
    _, title, numbers = heading(subject) if talks else ("", "", ())
    if not talks or (found := _layer(title)) is None:
        return NOTHING
    does, names, partly = found
    if len(numbers) > 1:  # "[reland] Add it (#66) (#74)" and "Revert adding it (#66) (#74)": 74 is its own
        names = (*names, NamedCommit(does, pulls=numbers[:-1]))
    return SubjectMeaning(does, names, partly)


def plain_title(title: str) -> str:
    """A title as others may repeat it: without numbers, in small letters; empty where it was cut off."""
    text = " ".join(heading(title).title.split()).lower()
    return "" if text.endswith(_CUT) else text


def tags_of(title: str) -> tuple[frozenset[str], str]:
    """The words of a title's tags and type and of a ticket behind it, such as "[ci]", "fix:" and "(SEA-7)", and what is
    left: quotations often have some more of these, or some fewer."""
    if title[:1].isalnum() and title[-1:] not in (")", "]") and ":" not in title[:LABEL]:
        return _NONE, title
    end = _TAGS_ONLY.match(title).end()  # type: ignore[union-attr]  # it may match nothing, but it matches
    ticket = _TICKET_BEHIND.search(title, max(end, len(title) - LABEL))
    tags, rest = (title[:end], title[end:]) if not ticket else (title[:end] + ticket[0], title[end : ticket.start()])
    return frozenset(_NO_TAG.split(tags)) - {""}, rest or title


def core_of(title: str) -> tuple[frozenset[str], str]:
    """The labels of a plain title, and what stays of it when the same is landed once more in slightly other words:
    without them, what counts the attempts ("v2") or Sapling puts behind a commit in work, quotation marks and marks at
    the end."""
    title = title.partition(", temporary commit at ")[0]
    if title[:1].isalnum() and title[-1:].isalpha() and ": " not in title[:LABEL]:
        return _NONE, title
    tags, text = tags_of(title.strip(_QUOTES))
    labels = set(tags)
    if ": " in text[:LABEL] and (label := _LABEL.match(text)):
        labels.add(label["label"])
        text = text[label.end() :]
    if text.rstrip(")]")[-1:].isdigit() and (attempt := _NEXT.search(text)):
        first = text[: attempt.start()]
        if first and first.rpartition(" ")[2] not in _THEIRS:  # "Move to v2" is no second attempt
            text = first
            if attempt["alone"]:  # it may be a version after all, and then v2 is not v3
                labels.add(attempt["alone"])
    return frozenset(labels), text.strip(_MARKS) or text


def _layer(text: str) -> tuple[Effect, tuple[NamedCommit, ...], bool] | None:
    """What the outermost words of a title do, and to which commits."""
    if rewind := _REWIND.match(text):
        rest = text[rewind.end() :]
        return _layer(rest) or ("reverts", (_mention("reverts", rest),), False)
    if tag := _TAG.match(text):
        return "relands", (_mention("relands", f"{tag['before'].strip()} {text[tag.end() :]}"),), False
    if not (head := _HEAD.match(text)):
        tail = _TAIL.search(text)
        if not tail:
            return None
        mention = _mention("relands", text[: tail.start()])
        return "relands", (replace(mention, listed=tail["list"] or ""),), False
    does: Effect = "relands" if head["again"] else "reverts"
    rest = text[head.end() :]
    names: tuple[NamedCommit, ...] = ()
    if listed := _LISTED.match(rest):
        after = listed["rest"].lstrip(" :")
        # "Revert D2: Multisect successfully blamed D1 …" is an explanation, no title.
        title = "" if not listed["rest"].startswith((":", ' "')) or "blamed" in after[:60] else after.strip(_QUOTES)
        names = (NamedCommit(does, *heading(title)[1:], listed["list"]),)
    elif bare := _BARE_PULL.match(text, head.end("words")) if "pr" in head["words"].lower() else None:
        names = (NamedCommit(does, pulls=(f"#{bare[1]}",)),)
    elif rest[:1] and rest[0] in _QUOTES:
        end = max(rest.rfind(quote) for quote in _QUOTES)
        inside = rest[1:end] if end > 0 else rest[1:]
        names = tuple(_mention(does, one) for one in _BETWEEN.split(inside)[:LISTED])
    elif head["rolls"]:
        return None
    elif head["colon"] or head["again"]:  # "Revert the colours" names nothing
        names = (_mention(does, rest),)
    elif changes := _CHANGES.search(rest):
        return does, (NamedCommit(does, listed=changes["list"]),), True
    return does, names, bool(head["part"])


def _mention(does: Effect, title: str) -> NamedCommit:
    title = title.strip().strip(_QUOTES if title.count('"') % 2 else " ").strip()
    if does == "relands":
        title = _AGAIN_NUMBER.sub("", title)
    return NamedCommit(does, *heading(title)[1:])
