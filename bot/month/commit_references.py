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
from bot.month import reference_patterns as patterns
from bot.month.subjects import LISTED, Effect, NamedCommit, core_of, meaning_of, plain_title, tags_of
from bot.month.trailers import heading_of

ReferenceKind = Literal["sha", "changeset", "change", "diff", "changelist", "pull", "subject"]
READ = 65_536  # characters of a body that are read at its beginning, and as many at its end, where trailers are
WIDE = 600  # characters that are read on each side of a word that tells something
MANY = 32  # how many references of a sort one message may leave
SHORT = 7  # hexadecimal digits that git itself abbreviates to at the least


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
        said.undoes += [Reference("sha", one) for found in patterns.REFS.findall(low) for one in found.split(", ")]
    if _any_of(("rever", "original ", "back", "unland"), low) and _any_of(patterns.UNDO_WORDS, low):
        _undoing(said, message, low, titles[0].does)
    if does == "reverts" and not (said.undoes or titles[0].names):
        said.undoes += _listed_below(body[:READ], home)
    # A revert that quotes "D2: Reland D1" undoes D2, which says enough.
    again = does != "reverts" and _any_of(patterns.AGAIN_STEMS, low) and _any_of(patterns.AGAIN_WORDS, low)
    if again:
        for text in _lines(message, low, patterns.AGAIN_WORDS):
            for found in patterns.AGAIN.finditer(text):
                if not _is_yet_to_come(found):
                    said.restores += _listed(f"{found['list']} {found['more'] or ''}", home)
                    said.partly = said.partly or bool(found["part"])
    if "cherry" in low:
        said.copies += [Reference("sha", found[1].lower()) for found in islice(patterns.PICKED.finditer(body), MANY)]
    if _any_of(patterns.REPAIR_WORDS, low):
        said.repairs += _repairing(subject, body, home)
    for title in titles:
        for mention in title.names:
            (said.undoes if mention.does == "reverts" else said.restores).extend(_mentioned(mention, home))
            if mention.does == "reverts":  # 'Back out "Revert D1: Add it"' brings D1 back, whatever that revert is
                inner = (one.listed for one in meaning_of(mention.title).names if one.does == "reverts")
                said.restores += [one for listed in inner for one in _listed(listed, home)]
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
            for found in patterns.CHANGESETS.finditer(text):
                said.undoes += [Reference("changeset", digits) for digits in patterns.DIGITS.findall(found[1].lower())]
            for found in patterns.DIFFS.finditer(text):
                said.undoes += _listed(found[1], said.home)
    if (
        "reverted changes:" in low and "reverts commit" not in low
    ):  # else each commit tells all that its submission does
        listed = low.partition("reverted changes:")[2].lstrip().partition("\n\n")[0]
        said.undoes += [Reference("change", one) for one in patterns.LISTED_CHANGE.findall(listed)[:LISTED]]
    tells_why = does == "relands" or (not does and _any_of(patterns.AGAIN_WORDS, low))
    for text in _lines(message, low, patterns.UNDO_WORDS[1:]):
        for found in patterns.COMMITS.finditer(text):
            said.undoes += [Reference("sha", digits) for digits in patterns.DIGITS.findall(found[1].lower())]
        said.undoes += [Reference("change", digits.lower()) for digits in patterns.CHANGES.findall(text)]
        for found in patterns.SAID.finditer(text):
            begin, verb = found.start(), found.start("verb")
            if patterns.STORY.match(text, found.end()) and not patterns.TELLS.search(text, begin, verb):
                continue
            if patterns.DENIED.search(text, max(0, begin - 8), begin):
                continue
            said.undoes += _listed(found["list"], said.home)
            said.partly = said.partly or bool(found["part"])
        for found in patterns.WAS.finditer(text) if tells_why else ():
            said.restores += _listed(found[1], said.home)


def _listed_below(body: str, home: str) -> list[Reference]:
    """What the items of a list name, each at its beginning, below words that something is reverted: a whole stack."""
    items = list(islice(patterns.LISTED_ITEM.finditer(body), LISTED))
    before = body[: items[0].start()].rstrip() if items else ""
    said = before.rpartition("\n\n")[2].lower()
    if not before.endswith(":") or not _any_of(patterns.UNDO_WORDS, said):
        return []
    return [one for item in items for one in _listed(item["list"], home)]


def _repairing(subject: str, body: str, home: str) -> list[Reference]:
    """What a message says that it repairs: in its title, where that may quote the other one's, and in sentences of its
    body. The bullets of a squash are what was done on the way there."""
    found: list[Reference] = []
    if quoted := patterns.FIXES_QUOTED.match(subject):
        found += _subjects(home, quoted["title"])
    said = "\n".join((subject, *(line for line in body[:READ].split("\n") if not line.startswith("* "))))
    for one in said.split("\n\n"):
        text = " ".join(one.split())
        for match in islice(patterns.REPAIRS.finditer(text), MANY):
            before = text[max(0, match.start() - 60) : match.start()]
            if not patterns.NOT_SO.search(before) and (not match["came"] or patterns.FAULT.search(before)):
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
    return ((again["earlier"] or "").lower() in patterns.INTENDS) if before == "to" else before in patterns.NOT_YET


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
    if "fbshipit-source-id" in body and (shipped := patterns.SHIPPED.findall(body)):
        own.append(Reference("changeset", shipped[-1]))
    if "Differential Revision" in body:
        own += [Reference("diff", diff.lower()) for diff in patterns.REVISION.findall(body)[:MANY]]
    if "PiperOrigin-RevId:" in body:
        own += [Reference("changelist", number) for number in patterns.PIPER.findall(body)[-1:]]
    if "Change-Id:" in body and (changed := patterns.CHANGE_ID.findall(body)):
        own.append(Reference("change", changed[-1]))
    _, title, numbers = heading_of(commit)
    own += [_pull(one, commit.repository) for one in (numbers if title.startswith("Merge #") else numbers[-1:])]
    if "Pull Request resolved" in body or "PR-URL" in body or "Reviewed-on" in body:
        resolved = [f"{found[1]}#{found[2]}" for found in islice(patterns.RESOLVED.finditer(body), MANY)]
        resolved += [f"{commit.repository}+{number}" for number in patterns.GERRIT.findall(body)[-1:] if not resolved]
        own += [Reference("pull", one.casefold()) for one in resolved]
    linked: list[Reference] = []
    if "X-link" in body:
        linked = [one for found in islice(patterns.LINKED.finditer(body), MANY) for one in _listed(found[1], "")]
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
    for found in patterns.ONE.finditer(text[:2_000]):
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
