"""Facts and the plain story → what a model is given: redacted, within a budget, all from git in a fence. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bot.model import Change, Commit, Item, MonthFacts, Story
from bot.month.facts import by_kind, by_repository
from bot.story.items import REST
from bot.story.llm.redaction import redacted, within
from bot.story.wording import KINDS, clean, count, shortened, when

SHORT = 9  # digits of a SHA, more where two would be the same
BYTES_A_TOKEN = 4  # an estimate that is high for code and about right for prose
LONGEST_SUBJECT = 500  # characters
_TRIES = 6

# Lines that name people, or where a commit went.
_TRAILER = re.compile(
    r"\s*(?:(?:signed[- ]off|(?:co-?)?authored|(?:co-?)?developed|acked|approved|assisted|committed|helped|pulled|"
    r"reported|reviewed|suggested|tested)[- ]by\s*:|"
    r"(?:cc|reviewers?|subscribers?|author|differential revision|fbshipit-source-id|ghstack-\w{1,20}(?:-\w{1,20})?|"
    r"stack from ghstack|change-id|x-link|pull request resolved|original (?:commit changeset|phabricator diff|diff|pr)|"
    r"git-svn-id|tasks?|tags)\s*[:(])",
    re.IGNORECASE,
)
# A body that speaks to a model is left out: what it wants said is no news of the month.
SPEAKS_TO_MODEL = re.compile(
    r"\b(?:ignor(?:e|ed|ing|es)|disregard(?:ed|s)?|forget|override)\b"
    r"(?=[^.\n]{0,60}\b(?:all|any|every|previous|prior|earlier|above|preceding|your|these)\b)"
    r"[^.\n]{0,40}\b(?:instructions?|prompts?|rules)\b|"
    r"\b(?:instructions?|message|note) (?:to|for) (?:the |any |all )?(?:ai|llm|language model|assistant|chatbot)s?\b|"
    r"<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?INST\]|"
    r"\byou are (?:now )?(?:an? )?(?:ai|assistant|llm|chatgpt)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """An item of the plain story that may be worded by a model: its number in the story, from 1, its commits, and the
    SHAs of each of its changes."""

    n: int
    item: Item
    commits: tuple[Commit, ...]
    changes: tuple[tuple[str, ...], ...]


def askable(facts: MonthFacts, story: Story) -> tuple[Asked, ...]:
    """The items that may be told in other words.

    What was backed out, came back, was reverted or shared is told in the plain ones, for those say so; and so is
    what somebody gave a title by hand, and the rest, which belongs to nothing else.
    """
    by_sha: dict[str, Commit] = {}
    for commit in facts.commits:
        by_sha.setdefault(commit.sha, commit)
    unfit = {sha for change in facts.changes if not _is_plain(change) for sha in change.shas}
    unfit |= {merge.sha for merge in facts.merges}
    changes = {sha: tuple(dict.fromkeys(change.shas)) for change in facts.changes for sha in change.shas}
    return tuple(
        Asked(
            n,
            item,
            tuple(by_sha[sha] for sha in item.evidence),
            tuple(dict.fromkeys(changes.get(sha, (sha,)) for sha in item.evidence)),
        )
        for n, item in enumerate(story.items, 1)
        if item.evidence
        and item.state == "landed"
        and item.kind != "revert"
        and item.title != REST
        and not unfit.intersection(item.evidence)
        and all(sha in by_sha for sha in item.evidence)
    )


def wants_headline(facts: MonthFacts) -> bool:
    """Whether the headline may be other words: not where it says what did not stay, or who shared in it."""
    name = clean(facts.person.name)
    return bool(facts.changes) and all(map(_is_plain, facts.changes)) and not facts.merges and redacted(name) == name


def _is_plain(change: Change) -> bool:
    return change.state == "landed" and change.kind != "revert" and not (
        change.out or change.back or change.later or change.is_shared or change.title
    )  # fmt: skip


def numbers(facts: MonthFacts) -> tuple[str, ...]:
    """The counts that a headline may say, in the only words it may say them in."""
    own = [change for change in facts.changes if not change.is_shared]
    kinds = [count(number, *KINDS[kind][1:]) for kind, number in sorted(by_kind(own).items()) if kind != "chore"]
    repositories = len(by_repository([facts]))
    commits = len({commit.sha for commit in facts.commits})
    some = [count(repositories, "repository", "repositories")] if repositories > 1 else []
    return (count(len(own), "change"), count(commits, "commit"), *some, *kinds)


def short_shas(facts: MonthFacts) -> dict[str, str]:
    """What each commit of the month is called in a prompt."""
    shas = sorted({commit.sha for commit in facts.commits})
    same = max((_alike(one, other) for one, other in pairwise(shas)), default=0)
    return {sha: sha[: max(SHORT, same + 1)] for sha in shas}


def _alike(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@dataclass(frozen=True, slots=True)
class Text:
    """What is sent of a commit's message."""

    subject: str
    body: str


def sent(commit: Commit) -> Text:
    """A message without secrets and addresses, and without lines that name people; nothing of a body that speaks to a
    model."""
    return Text(shortened(clean(redacted(commit.subject[: 4 * LONGEST_SUBJECT])), LONGEST_SUBJECT), _body(commit))


def _body(commit: Commit) -> str:
    text = within(commit.body)
    if SPEAKS_TO_MODEL.search(text):
        return ""
    kept = "\n".join(line for line in text.splitlines() if not _TRAILER.match(line))
    lines = (clean(line) for line in redacted(kept).split("\n"))
    return "\n".join(line for line in lines if line)


@dataclass(frozen=True, slots=True)
class Again:
    """What is wrong with an item's words, or the headline's, as they were first given."""

    text: str
    faults: tuple[str, ...]


def material(
    facts: MonthFacts,
    asked: Sequence[Asked],
    texts: Mapping[str, Text],
    *,
    headline: bool,
    again: Mapping[int, Again] | None = None,
) -> dict[str, Any]:
    """What the templates of prompts are given: strings and numbers, all of them redacted. `texts` are what is sent of
    each commit, by SHA; 0 is the headline's number in `again`."""
    short, again = short_shas(facts), again or {}
    return {
        "name": clean(facts.person.name) if headline else "",
        "when": when(facts.month, facts.to_date),
        "numbers": list(numbers(facts)),
        "headline": headline,
        "repositories": [redacted(clean(one.name)) for one, _, _ in by_repository([facts])],
        "items": [
            {
                "n": one.n,
                "kind": KINDS[one.item.kind][1],
                "repository": redacted(clean(one.item.repository)),
                "title": redacted(clean(one.item.title)),
                "commits": [
                    {"sha": short[commit.sha], "subject": texts[commit.sha].subject, "body": texts[commit.sha].body}
                    for commit in one.commits
                ],
                **_wrong(again.get(one.n)),
            }
            for one in asked
        ],
        "wrong": _wrong(again.get(0)),
        "cut": 0,
    }


def _wrong(again: Again | None) -> dict[str, Any]:
    if again is None:
        return {}
    faults = [redacted(clean(fault))[:200] for fault in again.faults[:8]]
    return {"text": redacted(clean(again.text))[:1000], "faults": faults}


def tokens(text: str) -> int:
    """About how many tokens a text is."""
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_A_TOKEN)


def within_budget(given: dict[str, Any], most: int, render: Callable[[dict[str, Any]], str]) -> str | None:
    """The prompt in at most so many tokens: the longest bodies are cut first, to one length, and it says how many
    commits' were. None where not even the subjects fit."""
    sizes = [len(body.encode()) for body in _bodies(given)]
    room = most * BYTES_A_TOKEN - len(render(_cut(given, 0)).encode("utf-8", "replace"))
    if room < 0:
        return None
    for _ in range(_TRIES):
        prompt = render(_cut(given, _longest(sizes, room)))
        over = tokens(prompt) - most
        if over <= 0:
            return prompt
        room -= over * BYTES_A_TOKEN + room // 10  # lines are indented, which the sizes do not tell
        if room <= 0:
            break
    return render(_cut(given, 0))


def _bodies(given: dict[str, Any]) -> Iterable[str]:
    return (commit["body"] for item in given["items"] for commit in item["commits"])


def _longest(sizes: Sequence[int], room: int) -> int:
    """How many bytes of each may stay so that all of them have room: what the short ones leave goes to the long."""
    left = room
    for at, size in enumerate(ordered := sorted(sizes)):
        share = left // (len(ordered) - at)
        if size > share:
            return share
        left -= size
    return max(sizes, default=0)


def _cut(given: dict[str, Any], longest: int) -> dict[str, Any]:
    items, number = [], 0
    for item in given["items"]:
        commits = []
        for commit in item["commits"]:
            body = commit["body"]
            if len(body.encode()) > longest:
                body, number = _shortened(body, longest), number + 1
            commits.append({**commit, "body": body})
        items.append({**item, "commits": commits})
    return {**given, "items": items, "cut": number}


def _shortened(body: str, longest: int) -> str:
    cut = body.encode()[: max(0, longest - 4)].decode(errors="ignore")
    end = max(cut.rfind(" "), cut.rfind("\n"))
    return f"{cut[:end]} …" if end > 0 else ""
