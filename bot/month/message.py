"""The message of a commit: what it is called, and what ties it to other commits. Pure.

`Revert "Re-land "X" (#12)" (#13)` reverts a commit called `Re-land "X"`, which was pull request 12. Fewer than one
revert in five says `This reverts commit SHA` in the histories we measured (docs/months.md); the others are tied by what
tools of review and export leave, by pull requests, by words, or by a quoted title. What was read of a message is kept
on its commit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal, NamedTuple
from zlib import crc32

from bot.model import Commit

Effect = Literal["reverts", "relands"]
ReferenceKind = Literal["sha", "changeset", "change", "diff", "changelist", "pull", "subject"]
TITLE = 1_000  # characters at the beginning of a title that are read,
TAIL = 4_000  # at the end of a body, for a title,
NUMBERS = 200  # and at the end of a title, where numbers of pull requests may stand
READ = 65_536  # characters of a body that are read at its beginning, and as many at its end, where trailers are
WIDE = 600  # characters that are read on each side of a word that tells something
MANY = 32  # how many references of a sort one message may leave
LISTED = 16  # how many commits one list may name
LABEL = 26  # characters in which a label such as "fix: " ends
SHORT = 7  # hexadecimal digits that git itself abbreviates to at the least

# --- patterns of titles

# "Fix the cache (#123)": the number a forge appends when it squashes. Some histories carry two.
_APPENDED = re.compile(r"\((?:(?:pull request|PR) )?((?:[\w.-]+/[\w.-]+)?[#!]\d+)\)", re.IGNORECASE)
# What forges write in place of a subject: the sign before a number as each of them writes it, and which subjects. The
# title stands in it, or in the body.
_WRITTEN = tuple(
    (sign, re.compile(pattern, re.IGNORECASE))
    for sign, pattern in (
        ("#", r"Merge pull request '(?P<title>.+)' \(#(?P<number>\d+)\) from .{0,300}"),  # Gitea
        ("#", r"Merge pull request #(?P<number>\d+) (?:from|in) .*"),  # GitHub, Bitbucket
        ("!", r"Merge pull request (?P<number>\d+) from .*"),  # Azure DevOps, as the next
        ("!", r"Merged PR (?P<number>\d+): (?P<title>.+)"),
        ("#", r"(?:Pull request|PR) #?(?P<number>\d+)(?::| -) (?P<title>.+)"),  # Bitbucket, and by hand
        ("#", r"Merged in .* \(pull request #(?P<number>\d+)\)"),  # Bitbucket
        ("#", r"(?:Auto|Rollup) merge of #(?P<number>\d+)(?: -| ?:) .*"),  # bors, as the next
        ("#", r"Merge #(?P<number>\d+)"),
        ("#", r"Merge (?:PR )?(?P<of>[\w.-]+/[\w.-]+)?#(?P<number>\d+): (?P<title>.+)"),  # projects' own
        ("#", r"Merge PR #(?P<number>\d+) into .*"),
        ("!", r"Merge branch '.*"),  # GitLab, with what the next pattern finds
    )
)
_FIX_OF_FORK = re.compile(r"(?:[\w()/-]{1,40}: )?fix(?:es|ed)?\b(?!up)", re.IGNORECASE)
_SEE = re.compile(r"^See merge request (?:\S+/)?(?:[\w.-]+)?!(\d+)\s*$", re.MULTILINE)
_CLOSES = re.compile(r"^Closes #(\d+) from \S+\s*$", re.MULTILINE)  # of Apache's, beside issues
_NO_TITLE = re.compile(
    r"See merge request|Approved-by:|Merge in |[*-] |(?:Closes|Fixes|Related)\b|[\w-]+-by:|\w+(?:-\w+)+: \S+$|\w+=\S",
    re.IGNORECASE,
)
# One way to name a commit: D123 (also {D123}), owner/name#12, #12, !12, the address of either, or digits of a SHA or of
# a Change-Id.
# "https://github.com/acme/x/commit/…" often follows a D in brackets, where an export has added it.
NAMED = (
    r"(?>\{?\b[Dd]\d{4,}\b\}?|\b(?:changelist |cl/ ?)\d{6,12}\b|(?:(?<![\w./-])[\w.-]+(?:/[\w.-]+)+)?[#!]\d+\b"
    r"|https?://[\w.:-]+/[\w./~-]{1,200}?/(?:pulls?|pull-requests|merge_requests|commits?)/\w+"
    r"|\bI?(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b)(?:\s*\(https?://[^\s)]*\))?"
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
_CHANGES = re.compile(rf"\bchanges?\s+(?:made\s+)?(?:from|in|of|by)\s+(?P<list>{LIST})", re.IGNORECASE)
_LISTED = re.compile(rf"(?P<list>{LIST})(?P<rest>.*)", re.DOTALL)
_BARE_PULL = re.compile(r"\s*(\d{1,6})$")  # "Revert PR 12"
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
# Without one of these words a title does nothing to another commit.
_TALKS = (
    "revert", "out", "land", "appl", "reprise", "submi", "attempt", "d try", "undo", "roll", "\u23ea", ":rewind:",
)  # fmt: skip

# --- the phrases that tie; words to look for come before patterns, since most messages hold none of them

HEX = r"[0-9a-f]{7,40}\b"
DIGIT = re.compile(r"[0-9]")  # whatever is named has one
REVISION = re.compile(r"Differential Revision:\s*\[?(?:https?://\S{0,80}/)?(D\d{1,12})")
# A pull request by its address, as ghstack, Node.js, and Gitea and Forgejo write it; and a change of Gerrit.
RESOLVED = re.compile(
    r"(?:Pull Request resolved|PR-URL|Reviewed-on):\s*https?://[\w.:-]+/([\w.-]+/[\w.-]+)/pulls?/(\d{1,12})\b"
)
GERRIT = re.compile(r"^Reviewed-on:\s*https?://[\w.:-]+/(?:\S*/)?(\d{1,12})/?$", re.MULTILINE)
LISTED_CHANGE = re.compile(r"^i([0-9a-f]{7,40})\b", re.MULTILINE)  # of a submission of Gerrit, in small letters
REFS = re.compile(rf"^Refs:?\s+({HEX}(?:\s*,\s*{HEX})*)\s*$", re.MULTILINE | re.I)  # Conventional Commits, of a revert
LINKED = re.compile(r"X-link:\s*(https?://github\.com/[\w.-]+/[\w.-]+/pull/\d+)")
# Of these the last one counts.
TRAILERS: tuple[tuple[ReferenceKind, str, re.Pattern[str]], ...] = (
    ("changeset", "fbshipit-source-id", re.compile(rf"fbshipit-source-id:\s*({HEX})")),
    ("changelist", "PiperOrigin-RevId:", re.compile(r"^PiperOrigin-RevId:\s*(\d{6,12})\s*$", re.MULTILINE)),
    ("change", "Change-Id:", re.compile(r"^Change-Id:\s*I([0-9a-f]{7,40})\b", re.MULTILINE)),
)
SQUASHED = re.compile(r"^\* .*\n?", re.MULTILINE)  # a line for each commit that a squash took in
DIFFS = re.compile(rf"original phabricator diffs?:\s*(?P<list>{LIST})", re.I)
# What tools write, so that digits of any sort are meant, as "1234567" and "deadbee".
DIGITS = re.compile(HEX)
HASHES = re.compile(
    r"(?:\bthis reverts commits?:?\s|original commit (?P<changeset>changeset)s?:)\s*"
    rf"(?P<list>{HEX}(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and\s+)?){HEX})*)",
    re.I,
)
FILLING = (
    r"(?:\s+(?:of|the|this|diffs?|commits?|prs?|(?:pull|merge) request|original|previous|part of"
    r"|changes?(?: (?:made )?(?:in|from))?))"
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
    r"\b(?:re-?land(?:s|ed|ing)?|re-?appl(?:y|ies|ying)|redo|brings? back|re-?submi(?:t(?:s|ted|ting)?|ssion)"
    r"|re-?attempt(?:s|ed|ing)?)"
    r"(?:\s+(?:attempt|diffs?|of|from|the|this|a|an|original|previous|prs?|pull request|commits?|(?P<part>parts?)))"
    rf"{{0,5}}:?\s+(?P<list>{LIST})",
    re.I,
)
UNDO_WORDS = (
    "revert", "reversing", "reverses", "back out",
    "backs out", "backing out", "backout", "unland", "backed out",
)  # fmt: skip
AGAIN_WORDS = (
    "reland", "re-land", "reapply", "re-appl", "reapplies", "redo", "bring",
    "resubmi", "re-submi", "reattempt", "re-attempt",
)  # fmt: skip
SAID_WORDS = ("rever", "back", "unland", "original ", *AGAIN_WORDS)  # of which each thing that is said has one
# Before such a word: "plan to reland D123", and not "trying to reland D123".
NOT_YET = re.compile(
    r"(?<![\w'])(?:will|plan|should|for|before|not|later|can|cannot|must|could|would|until"
    r"|(?:plan|plans|planning|want|wants|need|needs|going|possible|able|hope|how)\s+to)\s+$",
    re.I,
)
# As git says it, and as patchback does: "[PR #12/28d1214f backport][3.14] Cache it".
PICKED = re.compile(rf"(?:cherry[- ]picked from commit |\[PR #\d+/(?=[0-9a-f]+ backport\]))({HEX})", re.I)
# Only these words, directly before what is named, say that it is repaired: a mention of a commit is no fix of it, and
# what is "fixed by #12" is repaired there.
_WHICH = r"(?:\s+(?:the|issues?|commits?|diffs?|prs?|pull request)){0,3}:?\s+"
REPAIRS = re.compile(
    rf"(?=[bcfir])\b(?:fix(?:es|ed|ing|up)?(?:\s+(?:of|for))?|(?:(?P<came>introduced)|broken|caused|regressed"
    rf"|regressions?|breakage|bugs?)(?:\s+introduced)?\s+(?:in|by|from)){_WHICH}(?P<list>{LIST})",
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
ONE = re.compile(
    r"(?P<diff>\b[Dd]\d{4,}\b)|\b(?:changelist |cl/ ?)(?P<changelist>\d{6,12})\b"
    r"|https?://[\w.:-]+/(?P<at>[\w.~-]+(?:/[\w.~-]+)+?)(?:/-)?/(?:(?:pulls?|pull-requests|merge_requests)/"
    r"(?P<number>\d+)|commits?/(?P<full>[0-9a-fA-F]{7,40}))"
    r"|(?:(?<![\w./-])(?P<of>[\w.-]+(?:/[\w.-]+)+))?[#!](?P<pull>\d+)\b|\b[Ii](?P<change>[0-9a-fA-F]{7,40})\b"
    r"|\b(?P<sha>[0-9a-fA-F]{7,40})\b"
)


# --- what a commit is called

FORK = re.compile(r"merge commit from fork", re.I)  # how GitHub calls the fix of an advisory


class Heading(NamedTuple):
    """What a commit is called: the line of its message that says so, which is its subject unless a forge wrote that;
    the line without numbers behind it; and the pull requests that it is, as written: ("#123",), ("acme/engine#7",),
    "!123" on GitLab and Azure DevOps. Of several the last is its own, those before it what it was made from."""

    line: str
    title: str
    numbers: tuple[str, ...]


def heading_of(commit: Commit) -> Heading:
    """What a commit is called."""
    found: Heading | None = commit.heading
    if found is None:
        subject, body = commit.subject, commit.body
        subject = subject if len(subject) <= TITLE + NUMBERS else f"{subject[:TITLE]}{subject[-NUMBERS:]}"
        found = heading(subject, body if len(body) <= TITLE + TAIL else f"{body[:TITLE]}\n{body[-TAIL:]}")
        object.__setattr__(commit, "heading", found)
    return found


def heading(subject: str, body: str = "") -> Heading:
    """The same of a message, or of a title that another one quotes."""
    line, own = subject[:TITLE], ""
    begin = line[:8].lower()
    is_written = begin[:5] in ("merge", "pull ", "auto ", "rollu") or begin[:2] == "pr"
    if not (body or is_written) and line is subject and line[-1:] not in (")", " "):  # as most titles
        return Heading(line, line.strip(), ())
    if "See merge request" in body and (seen := _SEE.findall(body)):
        own = f"!{seen[-1]}"
    elif "Closes #" in body and (closed := _CLOSES.findall(body)):
        own = f"#{closed[-1]}"
    if is_written:
        for sign, pattern in _WRITTEN:
            if (found := pattern.fullmatch(line.strip())) and (own or "number" in pattern.groupindex):
                said = found.groupdict()
                own = f"{said.get('of') or ''}{sign}{said['number']}" if "number" in said else own
                line = said["title"] if "title" in said else _first_said(body, own[1:]) or line
                break
        if FORK.fullmatch(line.strip()):
            line = _said_of_fork(body) or line
    numbers = [own] if own else []
    title = line.strip()
    end = title if len(subject) <= TITLE else subject[-NUMBERS:].rstrip()
    at, first = len(end), max(0, len(end) - NUMBERS)
    while end.endswith(")", 0, at) and (
        appended := _APPENDED.fullmatch(end, max(first, end.rfind("(", first, at)), at)
    ):
        numbers.insert(0, appended[1])
        at = len(end[: appended.start()].rstrip())
    title = end[:at] or title if end is title else title
    return Heading(line, title, tuple(dict.fromkeys(numbers)) if len(numbers) > 1 else tuple(numbers))


def _first_said(body: str, number: str) -> str:
    """The first line of a body, where a forge puts the title if it has one."""
    line = body[:TITLE].lstrip().partition("\n")[0].strip()
    line = re.split(" [ra]=", line)[0].removeprefix(f"{number}: ")  # of bors, with who reviewed and who wrote it
    return "" if _NO_TITLE.match(line) else line


def _said_of_fork(body: str) -> str:
    """What the fix of an advisory did, by its body, for GitHub gives it neither a title nor a number: of the commits
    that it was made from one that says "fix", else the first that is of no test, or a first line that stands alone."""
    lines = [one.strip() for one in body[:TITLE].strip().split("\n")]
    made_from = [one[2:] for one in lines if one[:2] in ("* ", "- ")] if lines[0][:2] in ("* ", "- ") else []
    alone = lines[:1] if lines[1:2] in ([], [""]) else []
    titles = [one for one in made_from or alone if not (_NO_TITLE.match(one) or one.startswith("http"))]
    titles.sort(key=lambda one: (_FIX_OF_FORK.match(one) is None, "test" in one.lower()))
    return titles[0] if titles else ""


def plain_title(title: str) -> str:
    """A title without its numbers as others may repeat it: in small letters; empty where it was cut off."""
    text = " ".join(title.split()).lower()
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
    without them, what counts the attempts ("v2"), quotation marks and marks at the end."""
    if title[:1].isalnum() and title[-1:].isalpha() and ": " not in title[:LABEL]:
        return _NONE, title
    tags, text = tags_of(title.strip(_QUOTES))
    labels = set(tags)
    if ": " in text[:LABEL] and (label := _LABEL.match(text)):
        labels.add(label["label"])
        text = text[label.end() :]
    if text.rstrip(")]")[-1:].isdigit() and (attempt := _NEXT.search(text, max(0, len(text) - LABEL))):
        first = text[: attempt.start()]
        if first and first.rpartition(" ")[2] not in _THEIRS:  # "Move to v2" is no second attempt
            text = first
            if attempt["alone"]:  # it may be a version after all, and then v2 is not v3
                labels.add(attempt["alone"])
    return frozenset(labels), text.strip(_MARKS) or text


# --- what a title does


class NamedCommit(NamedTuple):
    """A commit that a title names: by its own title, by pull requests of its, or by what is in `listed`."""

    does: Effect
    title: str = ""
    pulls: tuple[str, ...] = ()
    listed: str = ""


class TitleMeaning(NamedTuple):
    """What a title says that its commit reverts or brings back."""

    does: Effect | None = None
    names: tuple[NamedCommit, ...] = ()
    partly: bool = False


_NOTHING = TitleMeaning()


def meaning_of(subject: str) -> TitleMeaning:
    """What a subject, or a title that another one quotes, says of other commits."""
    low = subject[:TITLE].lower()
    if not (any_of(_TALKS, low) and (found := _layer((head := heading(subject)).title))):
        return _NOTHING
    if len(head.numbers) > 1:  # "[reland] Add it (#66) (#74)" and "Revert adding it (#66) (#74)": 74 is its own
        return found._replace(names=(*found.names, NamedCommit(found.does or "reverts", pulls=head.numbers[:-1])))
    return found


def _layer(text: str) -> TitleMeaning | None:
    """What the outermost words of a title do, and to which commits."""
    if rewind := _REWIND.match(text):
        rest = text[rewind.end() :]
        return _layer(rest) or TitleMeaning("reverts", (_mention("reverts", rest),))
    if tag := _TAG.match(text):
        return TitleMeaning("relands", (_mention("relands", f"{tag['before'].strip()} {text[tag.end() :]}"),))
    if not (head := _HEAD.match(text)):
        if not (tail := _TAIL.search(text)):
            return None
        mention = _mention("relands", text[: tail.start()])
        return TitleMeaning("relands", (mention._replace(listed=tail["list"] or ""),))
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
        return TitleMeaning(does, (NamedCommit(does, listed=changes["list"]),), partly=True)
    return TitleMeaning(does, names, bool(head["part"]))


def _mention(does: Effect, title: str) -> NamedCommit:
    title = title.strip().strip(_QUOTES if title.count('"') % 2 else " ").strip()
    if does == "relands":
        title = _AGAIN_NUMBER.sub("", title)
    return NamedCommit(does, *heading(title)[1:])


# --- what a message does


class Reference(NamedTuple):
    """One way to point to a commit.

    "sha", "changeset" (fbshipit-source-id) and "change" (a Change-Id) hold hexadecimal digits, the beginning of them at
    least; "diff" a number of Phabricator such as "d123", "changelist" one of Piper; "pull" "owner/name#12", or
    "owner/name+12" for Gerrit's; "subject" the repository and the plain title.
    """

    kind: ReferenceKind
    value: str


class References(NamedTuple):
    """The ties of a commit. `own` are those by which others may point to it; the rest points to others.

    `repairs` is what it says that it repairs, or that something was broken by; a mention is none. `does` is what the
    title says. Each is in the order of the message, and holds nothing twice. `title` is the plain title, empty where it
    was cut off; `labels` and `work` are its `core_of`: whoever makes a second attempt, and wherever, has the work too.
    """

    own: tuple[Reference, ...]
    undoes: tuple[Reference, ...]
    restores: tuple[Reference, ...]
    copies: tuple[Reference, ...]
    repairs: tuple[Reference, ...]
    does: Effect | None
    partly: bool
    title: str
    labels: frozenset[str]
    work: str

    @property
    def pointers(self) -> tuple[Reference, ...]:
        return self.undoes + self.restores + self.copies + self.repairs


def references_of(commit: Commit) -> References:
    """The ties that a commit's message leaves. Costs microseconds, and no more for a body of megabytes."""
    found: References | None = commit.references
    if found is None:
        found = _references(commit)
        object.__setattr__(commit, "references", found)
    return found


def _references(commit: Commit) -> References:
    body = commit.body if len(commit.body) <= 2 * READ else f"{commit.body[:READ]}\n{commit.body[-READ:]}"
    home, (subject, title, _) = commit.repository, heading_of(commit)
    plain, titles = plain_title(title), [meaning_of(subject)]
    own, linked = _own(commit, body, plain)
    does, partly = titles[0].does, titles[0].partly
    if does == "reverts":  # tools give the revert of D123 the number D123 once more
        named = {reference for mention in titles[0].names for reference in _mentioned(mention, home)}
        own = tuple(reference for reference in own if reference not in named)
    elif does == "relands" and (entry := meaning_of(_first_line(body))).does == does:
        titles.append(entry)  # a squash opens with the title that the pull request had at first
    message = f"{subject}\n\n{body}"
    low = message.lower()
    if len(low) != len(message):  # a letter of some other script got longer, so places would not fit
        message = low
    undoes, restores, is_part = _said(home, message, low, does)
    partly, copies = partly or is_part, list(linked)
    if "cherry" in low or " backport]" in low:
        copies += [Reference("sha", found[1].lower()) for found in islice(PICKED.finditer(message), MANY)]
    repairs = _repaired(subject, body, home) if any_of(REPAIR_WORDS, low) else []
    for one in titles:
        undoes += [each for mention in one.names if mention.does == "reverts" for each in _mentioned(mention, home)]
        restores += _restored_by(one, home)
    core = core_of(plain)
    if not (undoes or restores or copies or repairs):  # as most
        return References(own, (), (), (), (), does, partly, plain, *core)
    return References(
        own,
        _others(undoes, own),
        _others(restores, (*own, *undoes)),
        _others(copies, own[:1]),
        _others(repairs, (*own, *undoes, *restores)),
        does,
        partly,
        plain,
        *core,
    )


def _restored_by(title: TitleMeaning, home: str) -> Iterator[Reference]:
    """What a title brings back: 'Back out "Revert D1: Add it"' does that with D1, whatever the revert is."""
    for mention in title.names:
        if mention.does == "relands":
            yield from _mentioned(mention, home)
        for inner in meaning_of(mention.title).names if mention.does == "reverts" else ():
            if inner.does == "reverts":
                yield from _listed(inner.listed, home)


def _said(home: str, message: str, low: str, does: Effect | None) -> tuple[list[Reference], list[Reference], bool]:
    """What the sentences of a message say that it reverts and that it brings back, and whether only in part."""
    undoes, restores, partly = list[Reference](), list[Reference](), False
    if not (does or any_of(SAID_WORDS, low)):  # as most
        return undoes, restores, partly
    if does == "reverts" and "refs" in low:
        undoes += [Reference("sha", one) for found in REFS.findall(low) for one in found.split(", ")]
    for found in _found(HASHES, message, low, ("reverts", "original commit")):
        kind: ReferenceKind = "changeset" if found["changeset"] else "sha"
        undoes += [Reference(kind, one) for one in DIGITS.findall(found["list"].lower())]
    for found in _found(DIFFS, message, low, ("original phab",)):
        undoes += _listed(found["list"], home)
    if "reverted changes:" in low and "reverts commit" not in low:  # else each commit tells all of its submission
        items = low.partition("reverted changes:")[2].lstrip().partition("\n\n")[0]
        undoes += [Reference("change", one) for one in LISTED_CHANGE.findall(items)[:LISTED]]
    says_so = any_of(("rever", "back", "unland"), low)  # as of few
    for text in _lines(message, low, UNDO_WORDS) if says_so else ():
        for found in SAID.finditer(text):
            begin, verb = found.start(), found.start("verb")
            is_story = STORY.match(text, found.end()) and not TELLS.search(text, begin, verb)
            if not is_story and not DENIED.search(text, max(0, begin - 8), begin):
                undoes += _listed(found["list"], home)
                partly = partly or bool(found["part"])
    # A revert that quotes "D2: Reland D1" undoes D2, which says enough.
    for found in _found(AGAIN, message, low, AGAIN_WORDS) if does != "reverts" else ():
        if not NOT_YET.search(found.string, max(0, found.start() - 60), found.start()):
            restores += _listed(found["list"], home)
            partly = partly or bool(found["part"])
    return undoes, restores, partly


def _repaired(subject: str, body: str, home: str) -> list[Reference]:
    """What a message says that it repairs, in its title and in sentences of its body. The bullets of a squash are what
    was done on the way there."""
    found: list[Reference] = []
    for one in f"{subject}\n{SQUASHED.sub('', body[:READ])}".split("\n\n"):
        if not any_of(REPAIR_WORDS, one.lower()) or not DIGIT.search(one):
            continue
        text = " ".join(one.split())
        for match in islice(REPAIRS.finditer(text), MANY):
            before = text[max(0, match.start() - 60) : match.start()]
            if not NOT_SO.search(before) and (not match["came"] or FAULT.search(before)):
                found += _listed(match["list"], home)
    return found[:MANY]


def any_of(words: Iterable[str], low: str) -> bool:
    for word in words:  # noqa: SIM110  # `any` takes three times as long, and this runs for each commit
        if word in low:
            return True
    return False


def _found(pattern: re.Pattern[str], text: str, low: str, words: Iterable[str]) -> Iterator[re.Match[str]]:
    return (found for line in _lines(text, low, words) for found in pattern.finditer(line))


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


def _own(commit: Commit, body: str, plain: str) -> tuple[tuple[Reference, ...], list[Reference]]:
    """The references by which others may point to a commit, and those of them that lead to other repositories."""
    own, home = [Reference("sha", commit.sha)], commit.repository
    for kind, word, pattern in TRAILERS:
        own += [Reference(kind, one) for one in pattern.findall(body)[-1:]] if word in body else ()
    if "Differential Revision" in body:
        own += [Reference("diff", diff.lower()) for diff in REVISION.findall(body)[:MANY]]
    own += [_pull(one, home) for one in heading_of(commit).numbers[-1:]]
    if "Pull Request resolved" in body or "PR-URL" in body or "Reviewed-on" in body:
        resolved = [f"{found[1]}#{found[2]}" for found in islice(RESOLVED.finditer(body), MANY)]
        if not resolved:
            resolved = [f"{home}+{number}" for number in GERRIT.findall(body)[-1:]]
        own += [Reference("pull", one.casefold()) for one in resolved]
    linked: list[Reference] = []
    if "X-link" in body:
        linked = [one for found in islice(LINKED.finditer(body), MANY) for one in _listed(found[1], "")]
    own = list(dict.fromkeys((*own, *linked))) if linked or len(own) > 2 else own
    return (*own, *_subject(home, plain)), linked


def _first_line(body: str) -> str:
    return next((line for line in body[:2_000].splitlines() if line.strip()), "").strip().removeprefix("* ")


def _others(references: Iterable[Reference], own: tuple[Reference, ...]) -> tuple[Reference, ...]:
    return tuple(reference for reference in dict.fromkeys(references) if reference not in own)


def _mentioned(mention: NamedCommit, home: str) -> Iterator[Reference]:
    yield from _listed(mention.listed, home) if mention.listed else ()
    yield from (_pull(number, home) for number in mention.pulls)
    yield from _subject(home, plain_title(mention.title))


def _subject(home: str, plain: str) -> tuple[Reference, ...]:
    return (Reference("subject", f"{home}\n{plain}"),) if plain else ()


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
        elif found["change"]:
            references.append(Reference("change", found["change"].lower()))
        elif digits := found["full"] or found["sha"]:
            references.append(Reference("sha", digits.lower()))
    return references[:LISTED]


# --- keys: what an index keeps of the references


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


def keys_of(commit: Commit) -> CommitKeys:
    """The keys of a commit, whatever its files are; of a merge, those by which others may point to what it brought."""
    references = references_of(commit)
    own, titles = _keys(references.own)
    if commit.is_merge:
        return CommitKeys(own, set(), set(), set(), None)
    points, quotes = _keys(references.pointers)
    return CommitKeys(own, titles, points, quotes, _number("work", references.work) if references.work else None)


def _keys(references: Iterable[Reference]) -> tuple[set[int], set[int]]:
    """The keys of all but titles, and those of titles."""
    own: set[int] = set()
    titles: set[int] = set()
    for reference in references:
        (titles if reference.kind == "subject" else own).add(key_of(reference))
    return own, titles


def _number(kind: str, value: str) -> int:
    return crc32(f"{kind}\n{value}".encode("utf-8", "surrogatepass"))
