"""What the message of a commit says that ties it to other commits. Pure.

Fewer than one revert in five says `This reverts commit SHA` in the histories we measured (docs/months.md); the
others are tied by what tools of review and export leave, by pull requests, by words, or by a quoted subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple
from zlib import crc32

from bot.model import Commit
from bot.month.subjects import LIST, LISTED, NAMED, Effect, NamedCommit, core_of, meaning_of, plain_title, tags_of
from bot.month.trailers import heading_of

ReferenceKind = Literal["sha", "changeset", "change", "diff", "changelist", "pull", "subject"]
READ = 65_536  # characters of a body that are read at its beginning, and as many at its end, where trailers are
WIDE = 600  # characters that are read on each side of a word that tells something
MANY = 32  # how many references of a sort one message may leave
SHORT = 7  # hexadecimal digits that git itself abbreviates to at the least

# --- the phrases that tie; words to look for come before patterns, since most messages hold none of them

HEX = r"[0-9a-f]{7,40}\b"
DIGITS = re.compile(HEX)
REVISION = re.compile(r"Differential Revision:\s*\[?(?:https?://\S{0,80}/)?(D\d{1,12})")
SHIPPED = re.compile(rf"fbshipit-source-id:\s*({HEX})")
# A pull request by its address, as ghstack, Node.js, and Gitea and Forgejo write it; and a change of Gerrit.
RESOLVED = re.compile(
    r"(?:Pull Request resolved|PR-URL|Reviewed-on):\s*https?://[\w.:-]+/([\w.-]+/[\w.-]+)/pulls?/(\d{1,12})\b"
)
GERRIT = re.compile(r"^Reviewed-on:\s*https?://[\w.:-]+/(?:\S*/)?(\d{1,12})/?$", re.MULTILINE)
CHANGE_ID = re.compile(r"^Change-Id:\s*I([0-9a-f]{7,40})\b", re.MULTILINE)
CHANGES = re.compile(r"\brevert(?!ed changes)(?:s|ed|ing)?:?\s+(?:(?:commit|change)s?:?\s+)?I([0-9a-f]{7,40})\b", re.I)
LISTED_CHANGE = re.compile(r"^i([0-9a-f]{7,40})\b", re.MULTILINE)  # of a submission of Gerrit, in small letters
REFS = re.compile(rf"^Refs:?\s+({HEX}(?:\s*,\s*{HEX})*)\s*$", re.MULTILINE | re.I)  # Conventional Commits, of a revert
LINKED = re.compile(r"X-link:\s*(https?://github\.com/[\w.-]+/[\w.-]+/pull/\d+)")
PIPER = re.compile(r"^PiperOrigin-RevId:\s*(\d{6,12})\s*$", re.MULTILINE)
LISTED_ITEM = re.compile(rf"^[ \t]*[-*][ \t]+`?(?P<list>{NAMED})", re.IGNORECASE | re.MULTILINE)
CHANGESETS = re.compile(rf"original commit changesets?:\s*({HEX}(?:(?:\s*,\s*|\s+and\s+|[ \t]+){HEX})*)", re.I)
DIFFS = re.compile(rf"original phabricator diffs?:\s*({LIST})", re.I)
COMMITS = re.compile(rf"\bthis reverts commits?:?\s+({HEX}(?:(?:\s*,\s*(?:(?<=\s)and\s+)?|\s+and\s+){HEX})*)", re.I)
FILLING = (
    r"(?:\s+(?:of|the|this|diffs?|commits?|prs?|(?:pull|merge) request|original|previous|part of"
    r"|changes? (?:made )?(?:in|from)))"
)
# What is reverted, only where a sentence or a line begins: "proven by backing out D12345" reverts nothing.
SAID = re.compile(
    r"(?:^|[.:;,!]\s)[\s*>-]*(?:(?:this(?: (?:\w+ )?(?:diff|pr|(?:pull|merge) request|commit|change|patch))?|it'?s|is"
    r"|are|a|also|so|now|here|summary:|temporarily|(?P<part>mostly|partial(?:ly)?)|we|hg|simply|just)\s+){0,5}"
    r"(?P<verb>reverts?|reverting|revers(?:es|ing)|back(?:s|ing)?[ -]?out|unland(?:s|ing)?)"
    rf"(?:(?:\s+\w+){{1,4}}\s+(?:in|from)(?:\s+the)?\s+(?:stack|diff|pr)(?=\s)|{FILLING}{{0,4}})\s+"
    rf"[\"“]?(?P<list>{LIST})",
    re.I,
)
# "Reverting D12345 did not help" is a story, unlike "This is reverting D12345".
STORY = re.compile(r",?\s+(?:did|does|do|would|could|might|may|will|won|had|has|was|is)(?:n?['’]?t)?\b", re.I)
TELLS = re.compile(r"\b(?:this|it|is|are|we)\b", re.I)
DENIED = re.compile(r"(?:\b(?:not?|never)|n['’]t)$", re.I)  # "This is deliberately not: a revert of D12345"
AGAIN = re.compile(
    r"(?:(?<![\w'])(?:(?P<earlier>[\w']+)\s+)?(?P<before>[\w']+)\s+)?\b"
    r"(?:re-?land(?:s|ed|ing)?|re-?appl(?:y|ies|ying)|redo|brings? back|re-?submi(?:t(?:s|ted|ting)?|ssion)"
    r"|re-?attempt(?:s|ed|ing)?)"
    r"(?:\s+(?:attempt|diffs?|of|from|the|this|a|an|original|previous|prs?|pull request|commits?|(?P<part>parts?)))"
    rf"{{0,5}}:?\s+(?P<list>{LIST})(?:(?:\s*\(\w{{1,9}}\))?\s+(?:combined|together|along)\s+with\s+(?P<more>{LIST}))?",
    re.I,
)
UNDO_WORDS = (
    "original ", "revert", "reversing", "reverses", "back out",
    "backs out", "backing out", "backout", "unland", "backed out",
)  # fmt: skip
AGAIN_WORDS = (
    "reland", "re-land", "reapply", "re-appl", "reapplies", "redo", "bring",
    "resubmi", "re-submi", "reattempt", "re-attempt",
)  # fmt: skip
AGAIN_STEMS = ("land", "appl", "redo", "bring", "submi", "attempt")
NOT_YET = {
    "will", "plan", "should", "for", "before", "not", "later", "can", "cannot", "must", "could", "would", "until",
}  # fmt: skip
INTENDS = {"plan", "plans", "planning", "want", "wants", "need", "needs", "going", "possible", "able", "hope", "how"}
WAS = re.compile(
    rf"({NAMED}),?\s+(?:was|is|were|gets?|got|had been|has been)\s+(?:\w+\s+)?(?:reverted|backed out|unlanded)", re.I
)
PICKED = re.compile(rf"cherry[- ]picked from commit ({HEX})", re.I)
# Only these words, directly before what is named, say that it is repaired: a mention of a commit is no fix of it, and
# what is "fixed by #12" is repaired there.
_WHICH = r"(?:\s+(?:the|issues?|commits?|diffs?|prs?|pull request)){0,3}:?\s+"
REPAIRS = re.compile(
    rf"\b(?:fix(?:es|ed|ing|up)?(?:\s+(?:of|for))?|(?:(?P<came>introduced)|broken|caused|regressed|regressions?|breakage"
    rf"|bugs?)(?:\s+introduced)?\s+(?:in|by|from)){_WHICH}(?P<list>{LIST})",
    re.I,
)
REPAIR_WORDS = ("fix", "introduced", "caused", "broken", "regress", "breakage", "bug")
# Before such a word: "Not a fix for #39", "needed to fix #39", "Previous fix: #39".
NOT_SO = re.compile(
    r"(?:\b(?:not?|never|without|to|will|would|should|could|can|may|might|partly|previous|earlier|prior)|n['’]?t)"
    r"(?: \w+){0,2} ?$",
    re.I,
)
# What was "introduced in #12" may be the very thing that is used, unless a fault is spoken of before.
FAULT = re.compile(
    r"\b(?:bugs?|regress\w*|breaks?|brok\w+|breakage|crash\w*|leaks?|races?|errors?|issues?|problems?|faults?|failures?|"
    r"oversight|typos?|fix\w*|wrong\w*|incorrect\w*|mistakes?|overflow\w*|deadlocks?)\b",
    re.I,
)
FIXES_QUOTED = re.compile(r"(?:\[[^\]]{0,60}\]\s*)*fix(?:es|ed|ing)?:?\s+(?:for\s+)?[\"“](?P<title>.{8,})[\"”]", re.I)
ONE = re.compile(
    r"(?P<diff>\b[Dd]\d{4,}\b)|\b(?:changelist |cl/ ?)(?P<changelist>\d{6,12})\b"
    r"|https?://[\w.:-]+/(?P<at>[\w.~-]+(?:/[\w.~-]+)+?)(?:/-)?/(?:(?:pulls?|pull-requests|merge_requests)/"
    r"(?P<number>\d+)|commits?/(?P<full>[0-9a-f]{7,40}))"
    r"|(?:(?<![\w./-])(?P<of>[\w.-]+(?:/[\w.-]+)+))?[#!](?P<pull>\d+)\b|\b(?P<sha>[0-9a-f]{7,40})\b"
)


class Reference(NamedTuple):
    """One way to point to a commit.

    "sha", "changeset" (fbshipit-source-id) and "change" (a Change-Id) hold hexadecimal digits, the beginning of them at
    least; "diff" a number of Phabricator such as "d123", "changelist" one of Piper; "pull" "owner/name#12", or
    "owner/name+12" for Gerrit's; "subject" the repository and the plain title.
    """

    kind: ReferenceKind
    value: str


@dataclass(frozen=True, slots=True)
class References:
    """The ties of a commit. `own` are those by which others may point to it; the rest points to others.

    `repairs` is what it says that it repairs, or that something was broken by; a mention is none.
    `does` is what the subject says. Each is in the order of the message, and holds nothing twice.
    """

    own: tuple[Reference, ...]
    undoes: tuple[Reference, ...] = ()
    restores: tuple[Reference, ...] = ()
    copies: tuple[Reference, ...] = ()
    repairs: tuple[Reference, ...] = ()
    does: Effect | None = None
    partly: bool = False

    @property
    def pointers(self) -> tuple[Reference, ...]:
        return (*self.undoes, *self.restores, *self.copies, *self.repairs)


# --- of a message


def references_of(commit: Commit) -> References:
    """The ties that a commit's message leaves. Costs microseconds, and no more for a body of megabytes."""
    body = commit.body if len(commit.body) <= 2 * READ else f"{commit.body[:READ]}\n{commit.body[-READ:]}"
    home, subject = commit.repository, heading_of(commit).line
    own, linked = _own(commit, body)
    titles = [meaning_of(subject)]
    if (does := titles[0].does) == "reverts":  # tools give the revert of D123 the number D123 once more
        named = {reference for mention in titles[0].names for reference in _mentioned(mention, home)}
        own = tuple(reference for reference in own if reference not in named)
    elif does == "relands" and (entry := meaning_of(_first_line(body))).does == does:
        titles.append(entry)  # a squash opens with the title that the pull request had at first
    message = f"{subject}\n\n{body}"
    low = message.lower()
    if len(low) != len(message):  # a letter of some other script got longer, so places would not fit
        message = low
    said = _Said(home, [], [], list(linked), [], titles[0].partly)
    if does == "reverts" and "refs" in low:
        said.undoes += [Reference("sha", one) for found in REFS.findall(low) for one in found.split(", ")]
    if _any_of(("rever", "original ", "back", "unland"), low) and _any_of(UNDO_WORDS, low):
        _undoing(said, message, low, titles[0].does)
    if does == "reverts" and not (said.undoes or titles[0].names):
        said.undoes += _listed_below(body[:READ], home)
    if does != "reverts":  # a revert that quotes "D2: Reland D1" undoes D2, which says enough
        _restoring(said, message, low)
    if "cherry" in low:
        said.copies += [Reference("sha", found[1].lower()) for found in islice(PICKED.finditer(body), MANY)]
    if _any_of(REPAIR_WORDS, low):
        said.repairs += _repairing(subject, body, home)
    for mention in (mention for title in titles for mention in title.names):
        _naming(said, mention)
    return References(
        own,
        _others(said.undoes, own),
        _others(said.restores, (*own, *said.undoes)),
        _others(said.copies, own[:1]),
        _others(said.repairs, (*own, *said.undoes, *said.restores)),
        does,
        said.partly,
    )


@dataclass(slots=True)
class _Said:
    """What has been read so far."""

    home: str
    undoes: list[Reference]
    restores: list[Reference]
    copies: list[Reference]
    repairs: list[Reference]
    partly: bool


def _undoing(said: _Said, message: str, low: str, does: Effect | None) -> None:
    if "original " in low:
        for text in _lines(message, low, ("original commit", "original phab")):
            for found in CHANGESETS.finditer(text):
                said.undoes += [Reference("changeset", digits) for digits in DIGITS.findall(found[1].lower())]
            for found in DIFFS.finditer(text):
                said.undoes += _listed(found[1], said.home)
    if (
        "reverted changes:" in low and "reverts commit" not in low
    ):  # else each commit tells all that its submission does
        listed = low.partition("reverted changes:")[2].lstrip().partition("\n\n")[0]
        said.undoes += [Reference("change", one) for one in LISTED_CHANGE.findall(listed)[:LISTED]]
    tells_why = does == "relands" or (not does and _any_of(AGAIN_WORDS, low))
    for text in _lines(message, low, UNDO_WORDS[1:]):
        for found in COMMITS.finditer(text):
            said.undoes += [Reference("sha", digits) for digits in DIGITS.findall(found[1].lower())]
        said.undoes += [Reference("change", digits.lower()) for digits in CHANGES.findall(text)]
        for found in SAID.finditer(text):
            begin, verb = found.start(), found.start("verb")
            if STORY.match(text, found.end()) and not TELLS.search(text, begin, verb):
                continue
            if DENIED.search(text, max(0, begin - 8), begin):
                continue
            said.undoes += _listed(found["list"], said.home)
            said.partly = said.partly or bool(found["part"])
        for found in WAS.finditer(text) if tells_why else ():
            said.restores += _listed(found[1], said.home)


def _restoring(said: _Said, message: str, low: str) -> None:
    if not (_any_of(AGAIN_STEMS, low) and _any_of(AGAIN_WORDS, low)):
        return
    for text in _lines(message, low, AGAIN_WORDS):
        for found in AGAIN.finditer(text):
            if not _is_yet_to_come(found):
                said.restores += _listed(f"{found['list']} {found['more'] or ''}", said.home)
                said.partly = said.partly or bool(found["part"])


def _naming(said: _Said, mention: NamedCommit) -> None:
    """What a title names."""
    (said.undoes if mention.does == "reverts" else said.restores).extend(_mentioned(mention, said.home))
    if mention.does == "reverts":  # 'Back out "Revert D1: Add it"' brings D1 back, whatever that revert is
        inner = (one.listed for one in meaning_of(mention.title).names if one.does == "reverts")
        said.restores += [one for listed in inner for one in _listed(listed, said.home)]


def _listed_below(body: str, home: str) -> list[Reference]:
    """What the items of a list name, each at its beginning, below words that something is reverted: a whole stack."""
    items = list(islice(LISTED_ITEM.finditer(body), LISTED))
    before = body[: items[0].start()].rstrip() if items else ""
    said = before.rpartition("\n\n")[2].lower()
    if not before.endswith(":") or not _any_of(UNDO_WORDS, said):
        return []
    return [one for item in items for one in _listed(item["list"], home)]


def _repairing(subject: str, body: str, home: str) -> list[Reference]:
    """What a message says that it repairs: in its title, where that may quote the other one's, and in sentences of its
    body. The bullets of a squash are what was done on the way there."""
    found: list[Reference] = []
    if quoted := FIXES_QUOTED.match(subject):
        found += _subjects(home, quoted["title"])
    said = "\n".join((subject, *(line for line in body[:READ].split("\n") if not line.startswith("* "))))
    for one in said.split("\n\n"):
        text = " ".join(one.split())
        for match in islice(REPAIRS.finditer(text), MANY):
            before = text[max(0, match.start() - 60) : match.start()]
            if not NOT_SO.search(before) and (not match["came"] or FAULT.search(before)):
                found += _listed(match["list"], home)
    return found[:MANY]


def _any_of(words: Iterable[str], low: str) -> bool:
    for word in words:  # noqa: SIM110  # `any` takes three times as long, and this runs for each commit
        if word in low:
            return True
    return False


def _is_yet_to_come(again: re.Match[str]) -> bool:
    """Whether "plan to reland D123" or the like is said, and not "trying to reland D123"."""
    before = (again["before"] or "").lower()
    return ((again["earlier"] or "").lower() in INTENDS) if before == "to" else before in NOT_YET


def _lines(text: str, low: str, words: Iterable[str]) -> list[str]:
    """The lines that hold one of the words, each with the one behind it, where a sentence may go on."""
    found: dict[tuple[int, int], None] = {}
    for word in words:
        at = low.find(word)
        while at >= 0 and len(found) < MANY:
            start, end = low.rfind("\n", 0, at) + 1, low.find("\n", at)
            end = len(low) if end < 0 else end
            following = low.find("\n", end + 1)
            following = len(low) if following < 0 else following
            found[max(start, at - WIDE), min(following, at + WIDE)] = None
            at = low.find(word, end)
    return [text[start:end].replace("\n", " ") for start, end in found]


def _own(commit: Commit, body: str) -> tuple[tuple[Reference, ...], list[Reference]]:
    """The references by which others may point to a commit, and those of them that lead to other repositories."""
    own = [Reference("sha", commit.sha)]
    if "fbshipit-source-id" in body and (shipped := SHIPPED.findall(body)):
        own.append(Reference("changeset", shipped[-1]))
    if "Differential Revision" in body:
        own += [Reference("diff", diff.lower()) for diff in REVISION.findall(body)[:MANY]]
    if "PiperOrigin-RevId:" in body:
        own += [Reference("changelist", number) for number in PIPER.findall(body)[-1:]]
    if "Change-Id:" in body and (changed := CHANGE_ID.findall(body)):
        own.append(Reference("change", changed[-1]))
    _, title, numbers = heading_of(commit)
    own += [_pull(one, commit.repository) for one in (numbers if title.startswith("Merge #") else numbers[-1:])]
    if "Pull Request resolved" in body or "PR-URL" in body or "Reviewed-on" in body:
        resolved = [f"{found[1]}#{found[2]}" for found in islice(RESOLVED.finditer(body), MANY)]
        resolved += [f"{commit.repository}+{number}" for number in GERRIT.findall(body)[-1:] if not resolved]
        own += [Reference("pull", one.casefold()) for one in resolved]
    linked: list[Reference] = []
    if "X-link" in body:
        linked = [one for found in islice(LINKED.finditer(body), MANY) for one in _listed(found[1], "")]
    own += linked
    own += _subjects(commit.repository, title)
    return tuple(dict.fromkeys(own)), linked


def _first_line(body: str) -> str:
    return next((line for line in body[:2_000].splitlines() if line.strip()), "").strip().removeprefix("* ")


def _others(references: Iterable[Reference], own: tuple[Reference, ...]) -> tuple[Reference, ...]:
    return tuple(reference for reference in dict.fromkeys(references) if reference not in own) if references else ()


def _mentioned(mention: NamedCommit, home: str) -> Iterator[Reference]:
    yield from _listed(mention.listed, home) if mention.listed else ()
    yield from (_pull(number, home) for number in mention.pulls)
    yield from _subjects(home, mention.title)


def _subjects(home: str, title: str) -> tuple[Reference, ...]:
    text = plain_title(title)
    return (Reference("subject", f"{home}\n{text}"),) if text else ()


def _pull(number: str, home: str) -> Reference:
    where, _, digits = number.replace("!", "#").partition("#")
    return Reference("pull", f"{where or home}#{digits}".casefold())


def _listed(text: str, home: str) -> list[Reference]:
    """What a list such as "D123 (https://…/commit/abc…) and #12" names, as references."""
    references = []
    for found in ONE.finditer(text[:2_000]):
        if found["diff"]:
            references.append(Reference("diff", found["diff"].lower()))
        elif found["changelist"]:
            references.append(Reference("changelist", found["changelist"]))
        elif number := found["number"] or found["pull"]:
            references.append(Reference("pull", f"{found['at'] or found['of'] or home}#{number}".casefold()))
        elif digits := found["full"] or found["sha"]:
            references.append(Reference("sha", digits))
    return references[:LISTED]


# --- keys: what a link index keeps of the references


def key_of(reference: Reference) -> int:
    """A number of 32 bits for a reference. Abbreviated digits have the key of the full ones, and a title that of the
    same title with other tags. Two references of one key are no harm: what is found by keys is looked at closely."""
    return _number(*rough(reference))


def rough(reference: Reference) -> Reference:
    """What all references have in common that may mean the same commit."""
    if reference.kind in ("sha", "changeset", "change"):
        return Reference(reference.kind, reference.value[:SHORT])
    if reference.kind == "subject":
        home, _, title = reference.value.partition("\n")
        return Reference("subject", f"{home}\n{rest}") if (rest := tags_of(title)[1]) != title else reference
    return reference


class CommitKeys(NamedTuple):
    """The keys of a commit: what an index keeps to load what the commit is tied to and nothing else.

    `own` and `titles` are of the references it has, `points` and `quotes` of those it points to; titles are apart since
    thousands of commits may have one. `work` is of its title: whoever shares it may be the same patch
    elsewhere, or bring the commit back without a word.
    """

    own: set[int]
    titles: set[int]
    points: set[int]
    quotes: set[int]
    work: int | None


def keys_of(commit: Commit, references: References) -> CommitKeys:
    """The keys of a commit, whatever its files are; of a merge, those by which others may point to what it brought."""
    own: set[int] = set()
    titles: set[int] = set()
    points: set[int] = set()
    quotes: set[int] = set()
    if commit.is_merge:
        own = {key_of(reference) for reference in references.own if reference.kind != "subject"}
        return CommitKeys(own, titles, points, quotes, None)
    for reference in references.own:
        (titles if reference.kind == "subject" else own).add(key_of(reference))
    for reference in references.pointers:
        (quotes if reference.kind == "subject" else points).add(key_of(reference))
    work = work_of(references)
    return CommitKeys(own, titles, points, quotes, _number("work", work) if work else None)


def work_of(references: References) -> str | None:
    """The title, as far as a second attempt has it too, whoever makes it and wherever."""
    title = title_in(references)
    return core_of(title)[1] if title else None


def title_in(references: References) -> str:
    """The plain title that a commit owns; empty where it was cut off."""
    return next(
        (reference.value.partition("\n")[2] for reference in reversed(references.own) if reference.kind == "subject"),
        "",
    )


def _number(kind: str, value: str) -> int:
    return crc32(f"{kind}\n{value}".encode("utf-8", "surrogatepass"))
