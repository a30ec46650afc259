"""The words of a question that say what is wanted. Pure.

An intent is recognised only where it is sure; whatever is not is the question for somebody's month.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

HELP = re.compile(
    r"(?:(?:please|hi|hello|hey|hallo|yo|good (?:morning|evening|day)|almanac|bot)[\s,!.]*)*"
    r"(?:help(?: me)?|thanks?(?: you| a lot)?|thx|what (?:can|do) you (?:do|know|understand)|what can i (?:ask|"
    r"do)(?: you)?|how do(?:es)? (?:this|it|you|i)"
    r"(?: work| use (?:this|it|you))?|how (?:can|do) i (?:use|ask) (?:you|this|it)|who are you|what are you|"
    r"what is (?:this|almanac)|usage|examples?|commands?|\?)?"
    r"[\s!?.]*",
    re.IGNORECASE,
)
_EVERYONE = r"(?:we|us|the (?:whole |entire )?team|our team|my team|everyone|everybody|all of us|people|anyone|anybody)"
DIGEST = re.compile(
    rf"\bdigests?\b|\bwhat(?:['’]s| is| has| have| was| all)*\s+(?:been\s+)?(?:shipped|ship|happened|happening|"
    rf"released|merged|landed|new|done|delivered)\b|"
    rf"\bwhat got (?:shipped|done|merged|released|in)\b|\bwhat (?:did|have|has) {_EVERYONE}\b|\bhow (?:was|were|"
    rf"did) (?:the |our )?(?:team|month|everyone)\b|"
    rf"\b(?:everyone|everybody|the (?:whole |entire )?team|our team|my team|all of us)\b|\bwhat shipped\b",
    re.IGNORECASE,
)
_KINDS = {
    "fix": r"(?:bug ?|hot)?fix(?:es)?|bugs?(?: fixed)?", "feature": r"(?:new )?features?",
    "performance": r"performance(?: changes| work| improvements)?|optimi[sz]ations?",
    "refactor": r"refactor(?:ings?|s)?|clean-?ups?", "docs": r"docs|documentation(?: changes)?",
    "test": r"tests?(?: changes)?", "build": r"build changes",
    "ci": r"ci changes", "revert": r"reverts?", "release": r"releases", "chore": r"chores?|other changes",
}  # fmt: skip
_LISTED = re.compile(
    r"^(?:and |please )?(?:show|list|give|only|which|what|just)\b(?: me)?(?: (?:the|all|only|just|of|my|his|her|"
    r"their|\ue000(?:'s| 's)?|[\w'’]+['’]s))* "
    rf"(?P<what>{'|'.join(_KINDS.values())})(?=\s+(?:did|do|does|has|have|were|was|by|of|in|from|since|for|only|last|"
    rf"this|between|\d)|\W*$)",
    re.IGNORECASE,
)
_UNDONE = re.compile(r"\b(?:reverted|backed[ -]out|rolled back)\b", re.IGNORECASE)
_REVERTED = re.compile(rf"\b(?:which|what|any|anything)\b.*{_UNDONE.pattern}", re.IGNORECASE)
_REF = r"(?P<ref>(?:(?:[\w.-]+/)?[\w.-]+)?#\d+|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f]|\d{7,40}\b)[0-9a-f]{7,40})(?!\w)"
_EXPLAIN = re.compile(
    rf"^(?:please )?(?:explain|why (?:is|was|are|did|does|isn['’]t|wasn['’]t)|what (?:is|was|about|does|did)|what['’]s|"
    rf"tell me about|show(?: me)?|describe)\b[^#]*?(?<![\w]){_REF}.*|"
    rf"^(?:commit |pr |pull request )?{_REF.replace('ref', 'alone')}[?!.\s]*",
    re.IGNORECASE,
)
_SCHEDULE = re.compile(
    r"\b(?:every|each)\s+(?:month|first|last|1st|monday|week)\b|\bpost\b.*\bmonthly\b(?! digest)|\b(?:schedules?|"
    r"scheduled|reschedule|unsubscribe|subscribe)\b|"
    r"\b(?:pause|resume|unpause|stop|cancel)\b.*\b(?:digests?|posting|posts)\b",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"^(?:please )?(?:un)?link\s+(?P<one>\S+)(?:\s+(?:to|with|and|from)\b|$)|(?P<two>\S+@\S+\w)\s+(?:is|are|"
    r"belongs to)\s+(?:me|my|mine|also|[\ue000-\uf8ff])|"
    r"\bwhose\s+(?:address|e-?mail|login|account|handle)\s+is\s+(?P<three>\S+?)[?.!]*$|\bmy\s+(?:address|e-?mail|"
    r"login|github|account|handle)\b.*?\bis\s+(?P<four>\S+?)[?.!]*$|"
    r"^(?:who|whose) is (?P<five>\S+@\S+\w)",
    re.IGNORECASE,
)
_COMPARE = re.compile(r"\bcompar(?:e|es|ed|ing|ison)\b|\bversus\b|\bvs\b\.?|\bdifference between\b", re.IGNORECASE)
_PROFILE = re.compile(
    r"\bprofile\b|\b(?:whole|entire|full|complete|overall) (?:history|story|career)\b|\ball[- ]time\b|\bcareer\b|"
    r"\bso far in (?:their|his|her|my) (?:life|career)\b", re.IGNORECASE
)  # fmt: skip
_WHO = re.compile(
    r"^(?:so |and |hey )?who(?:['’]s| has| have| is| else| all)*\s+(?:been\s+)?(?:worked|working|works|work|"
    r"contributed|contributes)\s+(?:on|with|to|in|at)\s+(?P<on>.+)|"
    r"^(?:so |and )?who(?: has| have| else)*\s+(?:reviewed|touched|changed|wrote|fixed|built|added|removed|"
    r"implemented|made|"
    r"knows|understands|maintains|owns|did)\s+(?:about\s+)?(?P<did>.+)",
    re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Intent:
    """What is wanted, and the text that is left to find people and months in."""

    name: str
    rest: str
    topic: str | None = None
    kinds: tuple[str, ...] = ()


def intent_of(text: str) -> Intent:
    """What a text wants, "month" where it says nothing else."""
    if match := _EXPLAIN.fullmatch(text):
        return Intent("explain", "", topic=match["ref"] or match["alone"])
    if _SCHEDULE.search(text):
        return Intent("schedule", "")
    if match := _LINK.search(text):
        return Intent("link", "", topic=next(group for group in match.groups() if group))
    if match := _WHO.match(text):
        return _who(match["on"] or match["did"])
    if match := _COMPARE.search(text):
        return Intent("compare", f"{text[: match.start()]} , {text[match.end() :]}" if match.start() == 0 else text)
    if match := _PROFILE.search(text):
        return Intent("profile", f"{text[: match.start()]} {text[match.end() :]}")
    if _REVERTED.search(text):
        return Intent("changes", _UNDONE.sub(" ", text), kinds=("revert",))
    if match := _LISTED.match(text):
        kind = next(kind for kind, words in _KINDS.items() if re.fullmatch(words, match["what"], re.IGNORECASE))
        return Intent("changes", f"{text[: match.start('what')]} {text[match.end('what') :]}", kinds=(kind,))
    return Intent("month", text)


def _who(topic: str) -> Intent:
    """ "RDMA in october" → the topic, and the rest that says when."""
    match = re.search(r"\s+(?:in|during|since|from|between|last|this|until)\s+.*$", topic, re.IGNORECASE)
    said, rest = (topic[: match.start()], match[0]) if match else (topic, "")
    return Intent("who", rest, topic=said.strip(" ?!.") or None)
