"""The words of a question that say what is wanted. Pure.

An intent is recognised only where it is sure; whatever is not is the question for somebody's month.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.ask.grammar.identities import link_of
from bot.ask.grammar.kinds import kinds_of
from bot.ask.grammar.scheduled import is_schedule
from bot.ask.grammar.whoever import who_of

HELP = re.compile(
    r"(?:(?:please|hi|hello|hey|hallo|yo|good (?:morning|evening|day|afternoon)|almanac|bot|there|ok(?:ay)?)[\s,!.]*)*"
    r"(?:(?:(?:i )?need |can you |could you )?(?:some )?help(?: me)?(?: out)?|thanks?(?: you| a lot| so much)*|thx|"
    r"ty|cheers|"
    r"(?:tell me )?what (?:can|do|else can) you (?:do|know|understand|answer)|what can i (?:ask|say|type|"
    r"do)(?: you| here)?|how do(?:es)? (?:this|it|you|i)(?: bot)?"
    r"(?: work| use (?:this|it|you|almanac))?|how (?:can|do) i (?:use|ask|talk to) (?:you|this|it|almanac)|"
    r"how to use (?:you|this|it|almanac)|who are you|what are you|(?:are you|is this) (?:a bot|alive|there)|"
    r"what is (?:this|almanac)|usage|(?:show (?:me )?)?(?:some )?examples?|commands?|menu|instructions|manual|settings|"
    r"cool|great|nice|perfect|awesome|bye|what questions can i ask(?: you)?|\?)?"
    r"(?: please)?[\s!?.]*",
    re.IGNORECASE,
)
_TEAM = (
    r"(?:the|our|my|an?|this|that|your|whole|entire)(?:\s+[\w-]+){0,2}?\s+(?:team|squad|group|crew|folks|guys|"
    r"devs|developers|engineers)"
)
_EVERYONE = rf"(?:we|us|{_TEAM}|everyone|everybody|all of us|people|anyone|anybody|folks|y['’]?all|others|the others)"
_HAPPENED = (
    r"shipped|ship|shipping|happened|happening|happen|released|release|merged|merge|landed|land|new|done|delivered|"
    r"changed|"
    r"going on|went out|went live|came out|went in|deployed|going in"
)
DIGEST = re.compile(
    rf"\bdigests?\b|\bwhat(?:['’]s| is| has| have| was| were| all| all has| got| did| stuff| things)*\s+(?:been\s+|"
    rf"get\s+)?"
    rf"(?:{_HAPPENED})\b(?!\s+by\b)|"
    rf"\bwhat got (?:shipped|done|merged|released|in)\b|\bwhat (?:all )?(?:did|have|has|does|do|are|is|was|were) "
    rf"{_EVERYONE}\b|"
    rf"\bhow (?:was|were|did|has|is)\b.*\b(?:{_TEAM}|everyone|everybody|we)\b|"
    rf"\b(?:everyone|everybody|{_TEAM}|all of us|the others)\b|\bwhat shipped\b|\b(?:did|have|has) (?:we|anyone|"
    rf"anybody|anything)\b|"
    r"\bour\s+(?:month|quarter|year|work|progress|q[1-4]|changes|recap|summary|\w+ber|january|february|march|april|"
    r"may|june|july|"
    r"august|last)\b|\bwho (?:did what|did anything|was active|worked|contributed|shipped)\b|\bwho['’]s been "
    r"(?:active|busy)\b|"
    r"\bour\b(?=\s*[?.!]*$)|^\W*(?:the\s+)?team\b|\b(?:release|shipping) notes\b|\bteam (?:summary|recap|overview|"
    r"report|update|month|"
    r"work)\b|\bwhat (?:has|have) been\b|"
    r"\bwhat['’]s (?:new|up|happening)\b|\b(?:any|recent|latest) (?:news|releases)\b",
    re.IGNORECASE,
)
POST = re.compile(r"\bdigests?\b", re.IGNORECASE)

_OWNED = r"(?:(?:[\w.-]+/)?[\w.-]+)?#\d+"
_SHA = r"(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}"
_REF = re.compile(
    rf"(?<![\w@/#.-])(?P<ref>{_OWNED}|{_SHA})(?![\w@])(?!\.\w)|"
    rf"(?<![\w@/#.-])(?P<sha>(?=\d*[0-9a-f]*)[0-9a-f]{{40}})(?!\w)",
    re.I,
)
_NUMBERED = re.compile(
    r"(?<![\w/])(?:(?P<kind>pr|mr|pull(?:[\s-]request)?|merge[\s-]request|issue|diff)[\s#!-]*|"
    r"!)(?P<number>\d{1,7})(?![\w./-])|"
    r"(?<![\w/])(?P<repository>[\w.-]+/[\w.-]+)!(?P<merge>\d+)(?!\w)|(?<!\w)(?P<diff>D\d{5,})(?!\w)",
    re.IGNORECASE,
)
_ONLY_DIGITS = re.compile(
    r"^(?:please )?(?:(?:explain|why|what|describe|show|about|commit|"
    r"sha)\b.*?)?(?<![\w/.#-])(?P<ref>\d{7,40})(?![\w/.-])",
    re.IGNORECASE,
)
_EXPLAIN = re.compile(
    r"^(?:and |so |but |please |ok |can you |could you )*(?:explain|why)\b(?:\s+(?:is|was|are|were|did|does|to me|me|"
    r"please|not|so|this|that|"
    r"it|the|a|an|one|commit|change|pr|bug|fix|counted|here|there|in|my|month|feature|missing|isn['’]t|wasn['’]t|"
    r"which))*[\s?!.]*$",
    re.IGNORECASE,
)
_WHY = re.compile(r"^(?:and |so |but )*why\b", re.IGNORECASE)
_ASKED = (
    r"(?:(?:and|so|ok(?:ay)?|now|then|please|hey|hi|also)[\s,]+)*(?:(?:can|could|would|will)\s+(?:you|i|"
    r"we)\s+(?:please\s+)?)?"
    r"(?:show\s+(?:me\s+)?|give\s+(?:me\s+)?|(?:i(?:['’]d| would)?\s+(?:like|"
    r"want)\s+)?)?(?:to\s+)?(?:see\s+)?(?:a\s+|the\s+)?"
)
_COMPARE = re.compile(
    rf"^{_ASKED}(?:compar(?:e|es|ed|ing|ison)|differences?)\b(?:\s+(?:of|between|for))?|\bcompar(?:e|es|"
    rf"ed)\s+(?=to\b|with\b|against\b|on\b)|"
    r"\bcompar(?:e|es|ed|ison)(?=\W*$)|\bcomparison\s+(?:of|between)\b|\bcompares?(?=\s+(?:in|for|last|this|between|"
    r"since)\b)|"
    r"\bversus\b|\bvs\b\.?|\bdifferences?\s+(?:between|from|to)\b|\bdiffers?\s+from\b|\b(?:stacks?|measures?|"
    r"stacked)\s+up\s+(?:against|to|with)\b|"
    r"\b(?:better|worse|busier|quieter|more|less|fewer|different|bigger|smaller|faster|"
    r"slower)(?=(?:\s+\w+){0,3}?\s+than\b)|"
    r"\bside\s+by\s+side\b",
    re.IGNORECASE,
)
_PROFILE = re.compile(
    r"(?<!the )\bprofile\b(?!\s+(?:page|pages|view|api|code|service|screen|editor|picture|settings|module|command)\b)|"
    r"^(?:show |open |see |give )?(?:me )?(?:the )?profile\b|\b(?:whole|entire|full|complete|overall|"
    r"all)\s+(?:of\s+)?(?:(?:\ue000|[\w'’]+['’]s|his|her|their|my|the)\s+)?"
    r"(?:git\s+)?(?:history|story|career|track record|work ever)\b|"
    r"\ball[- ]time\b|\bcareer\b|\blife'?s work\b|\bbio(?:graphy)?\b|\b(?:work|commit|git)\s+history\b|\btrack "
    r"record\b|"
    r"\bso far in (?:their|his|her|my) (?:life|career)\b|\beverything\b.*\b(?:ever|so far)\b|\bever\s+(?:done|did|"
    r"made|shipped|worked|written|wrote)\b|"
    r"\b(?:did|done|made|shipped|worked|wrote|written)\s+ever\b|\bsince (?:the (?:very )?(?:beginning|start|first "
    r"commit)|(?:he|she|they|i) (?:joined|started|began))\b(?!\s+of)|"
    r"\b(?:over|through|throughout|across) (?:all )?the years\b|"
    r"\bfrom (?:the )?(?:very )?(?:beginning|start)(?:\s+(?:to|until) (?:now|today))?\W*$|\b(?:skills?|skill set|"
    r"expertise|strengths|specialit(?:y|ies)|speciali[sz]es?)\b(?=\W*$|\s+(?:of|does|do|in|is|are|has)\b)|"
    r"\bwhen did \S+(?: \S+)? (?:start|join|begin)\b|\bwhat kind of (?:engineer|developer|programmer)\b|"
    r"\bwhat (?:programming )?languages\b", re.IGNORECASE
)  # fmt: skip
_OF_PROFILES = re.compile(
    r"\b(?:profiles?|history|career|bio(?:graphy)?|track|record|life|entire|complete|ever|skills?|set|expertise|"
    r"strengths|speciali\w+|languages|"
    r"programming|kind|engineer|programmer|join(?:ed)?|beg[ai]n|beginning|first|all[- ]time)\b", re.IGNORECASE
)  # fmt: skip
_WHO_IS = re.compile(
    r"^(?:so |and |hey |but |tell me )*who(?:['’]s|\s+is|\s+are|\s+was|"
    r"\s+the\s+\w+\s+is)\s+(?P<who>(?!the\s+(?!profile)|next|on\b|in\b|here|there|using|active|busy|"
    r"working)[^?!]+?)[\s?!.]*$|"
    r"^(?:tell me )?who (?P<whom>\S+(?: \S+)?) is[\s?!.]*$|^who am (?P<i>i)[\s?!.]*$", re.IGNORECASE
)  # fmt: skip
_RANKING = re.compile(
    r"\b(?:best|top|worst|laziest|slowest|fastest|strongest|weakest|greatest|(?:most|least)\s+(?:productive|active|"
    r"valuable|useful|prolific|busy)|"
    r"hardest[- ]working)\s+(?:\d+\s+|five\s+|ten\s+|three\s+)?(?:developers?|contributors?|engineers?|people|"
    r"committers?|performers?|coders?|"
    r"employees?|persons?|programmers?|members?|reviewers?|authors?)\b|\bleader\s?board\b|^(?:please )?rank\b|\b(?:a|"
    r"the)\s+rank(?:ing|ings)\b|\branked\s+by\b|"
    r"\bwho(?:['’]s| is| was| are| were)?\s+(?:the\s+)?(?:best|worst|laziest|slowest|fastest|(?:most|more|least|"
    r"less)\s+\w+|smartest|better|top|busiest)\b|"
    r"\bwho\s+(?:has|have|had|made|did|wrote|shipped|landed|committed|merged|fixed|added|"
    r"contributed)(?:\s+\w+)?\s+(?:the\s+)?(?:most|fewest|least)\b(?!\s+(?:of|on)\b)|"
    r"\bperformance\s+review\b|\bproductivity\b(?!\s+\w)|\b(?:should|shall)\s+(?:we|i)\s+(?:fire|promote|hire)\b|"
    r"\blines\s+of\s+code\s+(?:did|has|per)\b",
    re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Intent:
    """What is wanted, and the text that is left to find people and months in.

    `others` are further commits that were named, where one was to be explained. `is_said` is of changes: see
    `bot.ask.grammar.kinds`. `timeless` asks for what somebody knows, whatever month a conversation is about.
    """

    name: str
    rest: str
    topic: str | None = None
    kinds: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    is_said: bool = False
    timeless: bool = False


def plain_intent(text: str) -> Intent | None:
    """What a text wants where that is no person's month, whoever is named in it."""
    if link := link_of(text):
        return Intent("link", link.rest, topic=link.topic)
    if is_schedule(text):
        return Intent("schedule", "")
    if (references := _references(text)) and not (POST.search(text) and "/" not in references[0]):
        return Intent("explain", _without_references(text), topic=references[0], others=tuple(references[1:]))
    if _RANKING.search(text):
        return Intent("ranking", "")
    if who := who_of(text):
        return Intent("who", who.rest, topic=who.topic, timeless=who.timeless)
    if who_is := _WHO_IS.match(text):
        return Intent("who is", who_is["who"] or who_is["whom"] or who_is["i"])
    if _EXPLAIN.match(text):
        return Intent("explain", "")
    return None


def intent_of(text: str) -> Intent:
    """What a text with its people marked wants, "month" where it says nothing else."""
    if match := _COMPARE.search(text):
        return Intent("compare", f"{text[: match.start()]} , {text[match.end() :]}" if match.start() == 0 else text)
    if _PROFILE.search(text) and not re.match(r"^(?:what|how) did\b.*\bprofile\b", text, re.IGNORECASE):
        return Intent("profile", _OF_PROFILES.sub(" ", text))
    if _WHY.match(text):
        return Intent("explain", "")
    if asked := kinds_of(text):
        return Intent("changes", asked.rest, kinds=asked.kinds, is_said=asked.is_said)
    return Intent("month", text)


def _references(text: str) -> list[str]:
    """The commits and numbers that a text names, each once: "#12", "acme/engine#12", "abc1234"."""
    found = [(match.start(), match["ref"] or match["sha"]) for match in _REF.finditer(text)]
    for match in _NUMBERED.finditer(text):
        number = match["number"] or match["merge"]
        found.append((match.start(), f"{match['repository'] or ''}#{number}" if number else match["diff"]))
    if not found and (digits := _ONLY_DIGITS.match(text)):
        found.append((digits.start("ref"), digits["ref"]))
    return list(dict.fromkeys(reference for _, reference in sorted(found)))


def _without_references(text: str) -> str:
    return _NUMBERED.sub(" ", _REF.sub(" ", text))
