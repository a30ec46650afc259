"""Facts → what a model is given: each change with a number, its state, its words, its paths and what of its diff was
asked for; within a budget, and without secrets, people's addresses and what gives orders to a model. Pure.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from bot.model import Change, Commit
from bot.month.credits import BOTS, TOOLS, credits_of, is_tool
from bot.month.facts import MonthFacts
from bot.month.message import heading_of
from bot.month.paths import lines_of
from bot.month.title import plain_title
from bot.story.documents import DigestDocument
from bot.story.lines import came_after, chain, day, events_of, is_open, steps_of
from bot.wording import clean, count, shortened

REDACTED = "[redacted]"
ADDRESS = "[address]"
LINK = "[link]"
LEFT_OUT = "[a long line]"
LONGEST_TEXT = 20_000  # characters of one text that are read; the rest is left out
LONGEST_LINE = 4_000  # a longer line is data, and plugins are slow on it: it is left out
_MOST_KEYWORDS = 20  # in one line; more are no prose, and the plugin for them takes time by their square
_SHORTEST = 4  # characters of what may be taken for a secret; the rest of a text is full of shorter ones

# A key in armour goes with all its lines; without an end it goes on to the end of the text.
_ARMOURED = re.compile(
    r"-----BEGIN [A-Z ]{0,40}(?:PRIVATE KEY|MESSAGE)[A-Z ]{0,20}-----.*?(?:-----END [A-Z ]{0,60}-----|\Z)", re.DOTALL
)
# What the plugins do not know, or know only in part.
_OWN = (
    re.compile(r"\b(?:Bearer|Basic|Token)[ \t]+(?P<secret>(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,})", re.IGNORECASE),
    re.compile(
        r"\b(?:password|passphrase|passcode|token|api key|secret)\s+(?:is|was)\s+[\"'`]?"
        r"(?P<secret>(?=\D{0,60}\d)[^\s\"'`,;)]{6,})",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:sk|pk|rk)-[\w-]{16,}"),
    re.compile(r"\b(?:hf|gsk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|gldt|npm|pypi|dop_v1|shpat|xai)[_-]\w[\w-]{18,}"),
    re.compile(r"\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}"),
    re.compile(r"\bAIza[\w-]{30,}"),
    re.compile(r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    re.compile(
        r"\b[\w-]{0,40}(?:passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|private[_-]?key)"
        r"[\w-]{0,20}[\"']?\s{0,3}[=:]\s{0,3}[\"']?(?P<secret>[^\s\"',;)]{6,})",
        re.IGNORECASE,
    ),
)
_KEYWORD = re.compile(r"key|pass|pwd|secret|contrase", re.IGNORECASE)
# What speaks to a model is left out with all of its text: what it wants said is no news of the month.
_ORDERS = re.compile(
    r"\b(?:ignor(?:e|ed|ing|es)|disregard(?:ed|s)?|forget|override)\b"
    r"(?=[^.\n]{0,60}\b(?:all|any|every|previous|prior|earlier|above|preceding|your|these)\b)"
    r"[^.\n]{0,40}\b(?:instructions?|prompts?|rules)\b|"
    r"\b(?:instructions?|message|note) (?:to|for) (?:the |any |all )?(?:ai|llm|language model|assistant|chatbot)s?\b|"
    r"<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?INST\]|"
    r"\byou are (?:now )?(?:an? )?(?:ai|assistant|llm|chatgpt)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s<>\"'`]+")
_MAIL = re.compile(r"(?<![\w.%+@-])[\w.%+-]{1,128}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_TOKEN = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/=_-]{24,}(?![\w+/=-])")


def redacted(text: str) -> str:
    """The text with `[redacted]` for each secret that is found in it, `[address]` for each e-mail address, and `[link]`
    for each address of a page, which may hold either.

    Found is what the plugins of detect-secrets find, and a few things more. It is a net with holes: a secret that
    looks like a word stays. Raises ImportError where detect-secrets is not installed.
    """
    text = _ARMOURED.sub(REDACTED, within(text))
    return "\n".join(_line(line) for line in text.split("\n"))


def within(text: str) -> str:
    """The text as far as it is read: never cut within a word, half of which nothing would know for a secret."""
    if len(text) <= LONGEST_TEXT:
        return text
    cut = text[:LONGEST_TEXT]
    end = max(cut.rfind(" "), cut.rfind("\n"), cut.rfind("\t"))
    return cut[:end] if end > 0 else ""


def gives_orders(text: str) -> bool:
    """Whether a text speaks to a language model: "ignore all previous instructions"."""
    return _ORDERS.search(text) is not None


@lru_cache(maxsize=1_024)  # the plugins take 20 µs over the shortest line, and a message may say one over and over
def _line(line: str) -> str:
    if len(line) > LONGEST_LINE or sum(1 for _ in _KEYWORD.finditer(line)) > _MOST_KEYWORDS:
        return LEFT_OUT
    line = _LINK.sub(LINK, line).strip()
    if not line:
        return ""
    for found in sorted(set(_secrets(line)), key=len, reverse=True):
        line = line.replace(found, REDACTED)
    return _MAIL.sub(ADDRESS, line)


def _secrets(line: str) -> Iterator[str]:
    for pattern in _OWN:
        for match in pattern.finditer(line):
            yield match["secret"] if "secret" in pattern.groupindex else match[0]
    for match in _TOKEN.finditer(line):
        if _is_random(match[0]):
            yield match[0]
    for plugin in _plugins():
        # Where there are patterns, their whole match: what `analyze_string` yields is a group of it, which for some
        # plugins is the word before the secret. It never calls `verify`, which would ask a server.
        patterns = getattr(plugin, "denylist", ())
        found = (match[0] for pattern in patterns for match in pattern.finditer(line))
        limit = getattr(plugin, "entropy_limit", None)  # that some plugins leave to whoever asks them
        for secret in found if patterns else plugin.analyze_string(line):
            if len(secret) >= _SHORTEST and (limit is None or plugin.calculate_shannon_entropy(secret) > limit):
                yield secret


def _is_random(token: str) -> bool:
    """Whether a long token has capitals, small letters and digits all over it, as no path and no identifier has."""
    changes = sum(_class(one) != _class(other) for one, other in pairwise(token))
    kinds = {_class(sign) for sign in token}
    return {"a", "A", "0"} <= kinds and changes * 2 > len(token)


def _class(sign: str) -> str:
    return "0" if sign.isdigit() else "A" if sign.isupper() else "a" if sign.islower() else "-"


@cache
def _plugins() -> tuple[Any, ...]:
    # Loaded only where a model is set: these, and requests with them, take a fifth of a second.
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    found: Iterable[Any] = get_mapping_from_secret_type_to_class().values()
    return tuple(one() for one in found if one.__name__ != "IPPublicDetector")  # takes "12.4.1.3", a version, for one


Hunks = Mapping[tuple[str, str], str]  # what is telling of a commit's diff, by repository and SHA

BYTES_A_TOKEN = 4  # an estimate that is high for code and about right for prose
LONGEST_SUBJECT = 500  # characters
LONGEST_REASON = 600  # of why somebody reverted a change
MOST_PATHS = 8  # of a change, those with the most changed lines first
MOST_NAMED = 6  # who wrote a change together with the author

# Lines that name people, or where a commit went.
_TRAILER = re.compile(
    r"\s*(?:(?:signed[- ]off|(?:co-?)?authored|(?:co-?)?developed|acked|approved|assisted|committed|helped|pulled|"
    r"reported|reviewed|suggested|tested)[- ]by\s*:|"
    r"(?:cc|reviewers?|subscribers?|author|differential revision|fbshipit-source-id|ghstack-\w{1,20}(?:-\w{1,20})?|"
    r"stack from ghstack|change-id|x-link|pull request resolved|original (?:commit changeset|phabricator diff|diff|pr)|"
    r"git-svn-id|tasks?|tags)\s*[:(])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NumberedChange:
    """A change by the number that it has in a prompt, from 1, and whose month it is of."""

    n: int
    facts: MonthFacts
    change: Change

    @property
    def is_out(self) -> bool:
        """Whether it was backed out and is not back. A revert that was reverted is none of these."""
        return is_open(self.change)


@dataclass(frozen=True, slots=True)
class AreaOfChange:
    """Where a change stands in a team's month: under which heading, in which section of the plain post, if it has a
    line there, with the text of that, and whether it is only counted; `rank` puts the headings in the order of that
    post."""

    heading: str
    section: str = ""
    text: str = ""
    is_counted: bool = False
    rank: int = 0


def areas_of(plain: DigestDocument) -> dict[str, AreaOfChange]:
    """Where each change of a team's month stands, by the SHAs of its commits."""
    several = len(plain.repositories) > 1
    headed = [(f"{one.repository}: {one.name}" if several else one.name, one.evidence, False) for one in plain.areas]
    headed += [(one.name, one.evidence, False) for one in plain.also]
    headed += [(one.kind, one.evidence, True) for one in plain.counted]
    lines = {sha: (one.section, one.text) for one in plain.things for sha in one.evidence}
    return {
        sha: AreaOfChange(name, *lines.get(sha, ("", "")), is_counted, rank)
        for rank, (name, shas, is_counted) in enumerate(headed)
        for sha in shas
    }


NOWHERE = AreaOfChange("")
_SECTIONS = {
    "act": "a reader may have to act on it",
    "security": "it is about security",
    "off": "it turned tests off that are still off",
    "fixed": "a fix",
}


def numbered(months: Iterable[MonthFacts]) -> tuple[NumberedChange, ...]:
    """Every change of the months, once each, in their order."""
    found: dict[tuple[str, ...], tuple[MonthFacts, Change]] = {}
    for facts in months:
        for change in facts.changes:
            found.setdefault(change.shas, (facts, change))
    return tuple(NumberedChange(n, *pair) for n, pair in enumerate(found.values(), 1))


def plain_bullet(one: NumberedChange, became: str = "") -> str:
    """A change in its author's own words, with its number, and with what became of it where it was backed out: as a
    team's post says it, or step by step."""
    refs = f" ({', '.join(one.change.refs[:1])})" if one.change.refs else ""
    title = f"{clean(one.change.title) or plain_title(heading_of(one.change.lead).line)}{refs}"
    said = became or chain(steps_of(one.change, one.facts), str(one.facts.month)) or "backed out"
    return f"{title}: {said}" if one.is_out else title


def body_of(commit: Commit) -> str:
    """What is sent of a body: no secrets and addresses, no lines that only name people, and nothing at all of one that
    gives orders to a model."""
    text = within(commit.body)
    if gives_orders(text):
        return ""
    kept = "\n".join(line for line in text.splitlines() if not _TRAILER.match(line))
    return "\n".join(filter(None, map(clean, redacted(kept).split("\n"))))


def hunks_of(change: Change, hunks: Hunks) -> str:
    """What there is of a change's diffs; nothing where they give orders to a model."""
    texts = dict.fromkeys(hunks.get((commit.repository, commit.sha), "") for commit in change.commits)
    text = within("\n".join(filter(None, texts)))
    return "" if gives_orders(text) else text


def material(
    months: Sequence[MonthFacts],
    changes: Sequence[NumberedChange],
    hunks: Hunks,
    areas: Mapping[str, AreaOfChange],
) -> dict[str, Any]:
    """What every template of a prompt is given beside its fence; the changes of a team below their headings."""
    places = {one.n: areas.get(one.change.lead.sha, NOWHERE) for one in changes}
    changes = sorted(changes, key=lambda one: places[one.n].rank)
    own = [one for one in changes if not one.change.is_shared]
    first = months[0]
    return {
        "name": redacted(clean(first.person.name)),
        "month": first.month.title + (" so far" if first.to_date else ""),
        "repositories": sorted({redacted(clean(one.change.lead.repository)) for one in changes}),
        "own": count(len(own), "change"),
        "shared": len(changes) - len(own),
        "people": len({facts.person.name for facts in months}),
        "changes": [_entry(one, hunks, places[one.n]) for one in changes],
        "cut": 0,
    }


def _entry(one: NumberedChange, hunks: Hunks, place: AreaOfChange) -> dict[str, Any]:
    """A change as a prompt's template is given it: strings and numbers, all of them redacted. Of what a team's post
    only counts it is the title."""
    change, lead = one.change, one.change.lead
    return {
        "n": one.n,
        "who": clean(redacted(one.facts.person.name)),
        "month": str(one.facts.month),
        "day": day(lead.author.at.astimezone(ZoneInfo(one.facts.zone)).date().isoformat()),
        "kind": change.kind,
        "refs": list(change.refs),
        "repository": redacted(clean(lead.repository)),
        "by": redacted(clean(change.shared_by)) if change.shared_by else "",
        "with": _coauthors_of(one),
        "subject": redacted(clean(change.title)) or _subject_of(lead),
        "area": redacted(clean(place.heading)),
        "mark": _SECTIONS.get(place.section, ""),
        "body": "" if place.is_counted else body_of(lead),
        "chain": _history_of(one),
        "paths": [] if place.is_counted else _paths_of(change),
        "hunks": "\n".join(line.rstrip() for line in redacted(hunks_of(change, hunks)).split("\n")),
    }


def _history_of(one: NumberedChange) -> list[str]:
    """What became of a change, a line each: when, by whom, under which number, and why."""
    change, facts, events = one.change, one.facts, events_of(one.change)
    lines = []
    if landed := came_after([change], facts):
        lines.append(f"landed {landed.day} {landed:%b %Y}, when the month was over")
    if steps := chain(steps_of(change, facts), str(facts.month)):
        lines.append(redacted(steps))
    for event in events:
        reason = shortened(" ".join(body_of(event.commit).split()), LONGEST_REASON)
        lines.append(f"{_subject_of(event.commit)} | {reason or 'no reason given'}")
    if change.kind != "revert" and (events or change.state != "landed"):
        lines.append("does not stand today" if one.is_out else "stands today")
    return lines


def _subject_of(commit: Commit) -> str:
    return shortened(clean(redacted(commit.subject[: 4 * LONGEST_SUBJECT])), LONGEST_SUBJECT)


def _paths_of(change: Change) -> list[str]:
    weight: dict[str, int] = {}
    for commit in change.commits:
        for file in commit.files:
            weight.setdefault(file.path, (file.additions or 0) + (file.deletions or 0))
    ranked = sorted(weight, key=lambda path: (-weight[path], path))
    more = [f"and {len(ranked) - MOST_PATHS} more"] if len(ranked) > MOST_PATHS else []
    return [clean(redacted(path)) for path in ranked[:MOST_PATHS]] + more


def _coauthors_of(one: NumberedChange) -> list[str]:
    """Who wrote it together with the author, by name; no bots."""
    own = {clean(one.facts.person.name), *(clean(commit.author.name) for commit in one.change.commits)}
    credited = (credit for commit in one.change.commits for credit in credits_of(commit.body[:LONGEST_TEXT]))
    people = (one for one in credited if one.role == "coauthor" and one.name and not is_tool(one, [*BOTS, *TOOLS]))
    names = dict.fromkeys(clean(credit.name) for credit in people)
    return [redacted(name) for name in names if name not in own][:MOST_NAMED]


# --- the budget


def lightest_first(changes: Sequence[NumberedChange], areas: Mapping[str, AreaOfChange]) -> list[NumberedChange]:
    """The changes by their changed lines, fewest first; of a team's those first that its post only counts, and those
    last that have a line there. What was backed out is the heaviest."""

    def weight(one: NumberedChange) -> tuple[bool, bool, bool, int]:
        place, files = areas.get(one.change.lead.sha, NOWHERE), one.change.lead.files
        return bool(place.section), not place.is_counted, one.is_out, lines_of(files)

    return sorted(changes, key=weight)


def tokens(text: str) -> int:
    """About how many tokens a text is."""
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_A_TOKEN)


def within_budget(given: dict[str, Any], most: int, render: Callable[[dict[str, Any]], str]) -> str | None:
    """The prompt in at most so many tokens: the longest bodies and diffs are cut first, all to one length, and it says
    of how many changes. None where not even the subjects fit."""

    def size(longest: int) -> int:
        return tokens(render(_cut(given, longest)))

    if size(0) > most:
        return None
    lengths = range(
        1, 1 + max((len(one[part].encode()) for one in given["changes"] for part in ("body", "hunks")), default=0)
    )
    return render(_cut(given, bisect_right(lengths, most, key=size)))


def _cut(given: dict[str, Any], longest: int) -> dict[str, Any]:
    changes, number = [], 0
    for one in given["changes"]:
        cut = {part: _shortened(one[part], longest) for part in ("body", "hunks")}
        number += any(cut[part] != one[part] for part in cut)
        changes.append({**one, **cut})
    return {**given, "changes": changes, "cut": number}


def _shortened(text: str, longest: int) -> str:
    if len(text.encode()) <= longest:
        return text
    cut = text.encode()[: max(0, longest - 4)].decode(errors="ignore")
    end = max(cut.rfind(" "), cut.rfind("\n"))
    return f"{cut[:end]} …" if end > 0 else ""
