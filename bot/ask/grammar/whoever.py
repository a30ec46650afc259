"""Who worked on something: the ways to ask, and what it is. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.month.anycase import AnyCase

# Stands between what was said before the topic, such as a month, and the topic itself.
TOPIC = "\ue8ff"
_VERBS = (
    r"worked|working|works|work|contributed|contributes|contributing|reviewed|reviews|touched|touches|changed|"
    r"changes|wrote|writes|fixed|fixes|built|builds|"
    r"added|adds|removed|deleted|implemented|made|makes|created|introduced|ported|refactored|rewrote|improved|"
    r"optimi[sz]ed|documented|tested|"
    r"landed|shipped|merged|reverted|cleaned\s+up|maintains|maintained|owns|owned|handles|handled|started|designed|"
    r"upgraded|bumped|broke|committed|"
    r"moved|migrated|debugged|solved|sped\s+up|did|does|dealt|looked|hacked|is\s+doing|has\s+done|done|doing"
)
_KNOWS = (
    r"knows|know|understands|understand|has\s+experience|have\s+experience|is\s+familiar|is\s+responsible|"
    r"is\s+an?\s+expert|are\s+the\s+experts?|is\s+the\s+expert|is\s+in\s+charge"
)
_TO = (
    r"(?:\s+(?:on|with|to|in|at|about|for|of|into|anything\s+(?:on|about|with|to)|something\s+(?:on|about|with)|"
    r"stuff\s+(?:on|with)|any\s+work\s+on|work\s+on|(?:the\s+)?most\s+on|of\s+the|much\s+(?:on|about)))?"
)
_BEFORE = r"(?P<lead>^.{0,60}?)"
_WHO = (
    r"\bwho(?:['’]s|['’]ve|\s+(?:has|have|is|are|was|were|may|might|could|would|must|else|all|exactly|actually|mainly|mostly|here|ever|"
    r"usually|currently|recently|on\s+(?:the|our)\s+team))*"
)
_PATTERNS = (
    (rf"{_BEFORE}{_WHO}\s+(?:been\s+)?(?:{_KNOWS}){_TO}\s+(?P<topic>.+)$", True),
    (rf"{_BEFORE}{_WHO}\s+(?:been\s+)?(?:the\s+)?(?:most\s+|mainly\s+|mostly\s+)?(?:{_VERBS}){_TO}\s+(?P<topic>.+)$",
     False),
    (rf"{_BEFORE}\bwho\s+(?:(?:should|can|could|do|would|must)\s+(?:i|we)\s+(?:ask|talk\s+to|ping|speak\s+to|"
        rf"contact)|to\s+(?:ask|talk\s+to|ping|contact)|"
     r"(?:can|could|would|might|may)\s+(?:help(?:\s+(?:me|us))?|review|explain|know|answer(?:\s+\w+)?|tell\s+(?:me|"
     r"us)|fix))"
     r"(?:\s+(?:about|with|on|for|regarding))?\s+(?P<topic>.+)$", True),
    (rf"{_BEFORE}\b(?:which|what)\s+(?:people|persons?|developers?|engineers?|devs?|authors?|teammates?|colleagues?|"
        rf"contributors?|of\s+us)\s+(?:has\s+|have\s+|is\s+|are\s+|were\s+|was\s+|been\s+)*"
     rf"(?:{_VERBS}){_TO}\s+(?P<topic>.+)$", False),
    (rf"{_BEFORE}\b(?:which|what)\s+(?:people|persons?|developers?|engineers?|devs?|authors?|teammates?|"
        rf"colleagues?)\s+(?:{_KNOWS}){_TO}\s+(?P<topic>.+)$", True),
    (rf"{_BEFORE}\b(?:has|have|did|is|was)\s+(?:anyone|anybody|someone|somebody)(?:\s+else)?\s+(?:ever\s+|"
        rf"been\s+)*(?:{_VERBS}|touch|change|write|fix|build|add|implement|review|use|contribute)"
     rf"{_TO}\s+(?P<topic>.+)$", False),
    (rf"{_BEFORE}\b(?:does|do)\s+(?:anyone|anybody|someone|somebody)\s+(?:here\s+)?(?:{_KNOWS}){_TO}\s+(?P<topic>.+)$",
     True),
    (rf"^(?:list|show|find|name|give)(?:\s+(?:me|us))?(?:\s+(?:the|all|everyone|everybody|anyone|someone|somebody|"
        rf"people|persons?|developers|engineers|those|of))*\s+(?:who|that)\s+(?:has\s+|have\s+|is\s+|are\s+|been\s+)*"
     rf"(?:{_VERBS}|{_KNOWS}){_TO}\s+(?P<topic>.+)$", False),
    (r"^(?:(?:list|show|find|name|give|the|people|everyone|all|me)\s+)*(?:people|everyone|everybody|developers|"
        r"engineers|those)(?:\s+who)?\s+(?:(?:were|are|was)\s+)?(?:working|worked|works)\s+on\s+(?P<topic>.+)$", False),
    (r"^(?:(?:find|who\s+(?:is|are)|who['’]s|list|show|me|us)\s+)*(?:the\s+|our\s+|an?\s+)?(?:experts?|owners?|"
        r"authors?|maintainers?|contributors?|reviewers?|specialists?|go-?to(?:\s+person)?|point\s+person)\s+"
     r"(?:on|for|of|in|to|about|behind|with)\s+(?P<topic>.+)$", True),
    (r"^who(?:\s*:)?\s+(?P<topic>(?!is\b|are\b|was\b|were\b|has\b|have\b|had\b|can\b|could\b|did\b|do\b|does\b|"
        r"will\b|would\b|should\b|to\b|else\b|am\b|the\b|won\b|won['’]t|wants?\b|"
     r"gets?\b|got\b|likes?\b|needs?\b|said\b|invented\b|cares?\b|worked\b|shipped\b|"
     r"contributed\b)[\w#./+-]+(?:\s+(?:(?:in|since|during|last|this|from|between)\s+.+|[\w.-]+))?)$", False),
)  # fmt: skip
_COMPILED = tuple((AnyCase(pattern), timeless) for pattern, timeless in _PATTERNS)
PATTERNS = tuple(pattern for pattern, _ in _COMPILED)
# Who did what in a month is what everybody did.
_EVERYBODY = re.compile(
    r"^(?:(?:in|during|since|last|this)\s+.{0,30},\s*)?(?:so\s+|and\s+)?who(?:['’]s|\s+(?:has|have|was|were|is|all|"
    r"else|been))*\s+(?:did\s+(?:what|anything|something)|"
    r"(?:been\s+)?(?:active|busy)|(?:been\s+)?(?:worked|working|contributed|committed|shipped|landed|"
    r"merged)(?:\s+(?:something|anything|code|what|on\s+what|hard))?)"
    r"(?=\W*$|\s+(?:in|during|since|last|this|between|from|over|q\d|\d)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Who:
    """The text with its times, and a topic behind TOPIC. `timeless`: who knows it, and not who did it then."""

    topic: str
    rest: str
    timeless: bool


# Parts of the words, one of which stands in every text that asks who worked on something.
PARTS = (
    "who", "which", "what", "anyone", "anybody", "someone", "somebody", "people", "everyone", "everybody", "persons",
    "developer", "engineer", "those", "that", "expert", "owner", "author", "maintainer", "contributor", "reviewer",
    "specialist", "go-to", "goto", "point person",
)  # fmt: skip


def who_of(text: str) -> Who | None:
    """What a text asks somebody for, where it asks who worked on something."""
    small = text.lower()
    if not any(part in small for part in PARTS):
        return None
    if (everybody := _EVERYBODY.match(text)) and not re.search(
        r"\b(?:in|to|on)\s+(?:the\s+)?[\w.-]+/[\w.-]+", text[everybody.end() :]
    ):
        return None
    for pattern, timeless in _COMPILED:
        if match := pattern.any.search(text):
            lead = match.groupdict().get("lead") or ""
            return Who(match["topic"], f"{lead} {TOPIC} {match['topic']}", timeless)
    return None


_EDGES = re.compile(
    r"^(?:(?:the|a|an|our|my|any|some|all|most|of|on|in|to|with|about|for|at|into|code\s+for|stuff\s+like)\s+)+|"
    r"\s+(?:the\s+most|mostly|lately|recently|ever|so\s+far|here|please|again|currently|right\s+now|before|"
    r"these\s+days|in\s+the\s+past|at\s+all|best|well|and\s+when|most|in|on|during|for|since|of)$",
    re.IGNORECASE,
)


def topic_of(rest: str) -> str | None:
    """The topic in what is left when times and repositories are taken out."""
    said = " ".join(rest.split(TOPIC, 1)[-1].replace(TOPIC, " ").split()).strip(" ?!.,;:\"“”'’")
    for _ in range(4):
        shorter = _EDGES.sub("", said).strip(" ?!.,;:\"“”'’")
        if shorter == said:
            break
        said = shorter
    alone = re.fullmatch(
        r"(?:the|a|an|our|on|in|to|with|about|of|at|it|this|that|most|what|anything|something)?", said, re.IGNORECASE
    )
    return None if alone else said
