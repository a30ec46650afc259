"""The phrases by which messages tie commits to each other, as patterns and as words to look for first. Pure.

Words come before patterns, since these are read for each commit of an index and most messages hold none.
"""

from __future__ import annotations

import re

from bot.month.subjects import LIST, NAMED

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
