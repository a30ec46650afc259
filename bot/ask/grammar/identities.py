"""Whose address or login is it: the ways to ask, and to say that it is mine. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.month.anycase import AnyCase

_ADDRESS = r"[^\s<>,;]+@[^\s<>,;]+\w"
_SOMETHING = r"@?[\w][^\s<>,;?!]*\w|@?\w"
_WHAT = (
    r"(?:e-?mail(?:\s+address)?|addresse?s?|logins?|accounts?|handles?|user\s?names?|git\s?hub(?:\s+(?:login|"
    r"account|handle|user|user\s?name|name|id))?|gitlab|git\s+(?:name|address|author|e-?mail|identity)|identity)"
)
_IS = r"(?:is|are|was|['’]s|isn['’]?t|is\s+not|aren['’]?t|was\s+not|wasn['’]?t)"
_POLITE = r"^(?:(?:please|hi|hey|hello|ok|so|and|can you|could you|i want to|i['’]d like to)[\s,]+)*"
# Each holds what is asked about as <topic>, and who it is said to be as <whom>.
_PATTERNS = tuple(
    AnyCase(pattern)
    for pattern in (
        rf"{_POLITE}(?:un|dis|re)?-?(?:link|connect|attach|associate|map|join|merge|"
        rf"assign)\s+(?:the\s+)?(?:{_WHAT}\s+)?(?P<topic>{_ADDRESS}|{_SOMETHING})"
        rf"\s+(?:to|with|and|into|as|from|for|=)\s+(?P<whom>.+)$",
        rf"{_POLITE}(?:un|dis)?link(?:\s+(?P<topic>{_ADDRESS}|@\w\S*))?(?P<whom>\s+(?:me|my\s+\w+|mine|us))?[\s.!?]*$",
        rf"{_POLITE}(?:un|dis)?link\s+(?:my\s+(?:{_WHAT}\s+)?)?(?P<topic>{_ADDRESS}|{_SOMETHING})(?P<whom>)[\s.!?]*$",
        rf"{_POLITE}(?:add|remove|drop)\s+(?:the\s+|my\s+)?(?:{_WHAT}\s+)?(?P<topic>{_ADDRESS})(?:\s+(?:to|as|from|"
        rf"for)\s+(?P<whom>.+))?$",
        rf"{_POLITE}add\s+(?:an?\s+)?(?P<topic>)(?P<whom>(?:my|another)\s+{_WHAT})[\s.!?]*$",
        rf"\bwhose\s+(?:{_WHAT}|name)\s+{_IS}\s+(?:the\s+)?(?P<topic>(?:this|that|these|it)(?=\W*$)|{_ADDRESS}|"
        rf"{_SOMETHING})(?P<whom>)[\s?.!]*$",
        rf"\bwhose\s+{_IS}\s+(?:the\s+)?(?:{_WHAT}\s+)?(?P<topic>{_ADDRESS}|{_SOMETHING})(?P<whom>)[\s?.!]*$",
        rf"\bwho(?:m)?\s+(?:do|does)\s+(?:the\s+)?(?:{_WHAT}\s+)?(?P<topic>{_ADDRESS}|"
        rf"{_SOMETHING})\s+belong\s+to(?P<whom>)",
        rf"\bwho\s+(?:owns|uses|has|is\s+behind|commits\s+(?:as|from|with)|"
        rf"goes\s+by)\s+(?:the\s+)?(?:{_WHAT}\s+)?(?P<topic>{_ADDRESS}|@\w\S*\w)(?P<whom>)[\s?.!]*$",
        rf"\bwho\s+(?:uses|is\s+behind)\s+the\s+{_WHAT}\s+(?P<topic>{_SOMETHING})(?P<whom>)[\s?.!]*$",
        rf"^(?:so\s+|and\s+)?(?:who|whose)(?:\s+is|['’]s)\s+(?:the\s+)?(?P<topic>{_ADDRESS}|"
        rf"@\w\S*\w)(?P<whom>)[\s?.!]*$",
        rf"^(?:and\s+|the\s+)?(?:{_WHAT}\s+)?(?P<topic>{_ADDRESS})\s+(?:{_IS}|belongs?\s+to|"
        rf"should\s+be)\s+(?:also\s+|actually\s+|really\s+)?(?P<whom>.+)$",
        rf"^(?:and\s+)?(?:the\s+)?(?:{_WHAT}\s+)?(?P<topic>(?!(?:who|what|that|this|it|here|there|where|which|when|"
        rf"how|he|she|they|these|those|everything|all)\b)"
        rf"{_SOMETHING})\s+(?:{_IS}|belongs?\s+to)\s+(?:also\s+)?(?P<whom>(?:not\s+)?(?:me|mine|myself|"
        rf"my\s+(?:{_WHAT}|name|own|other\s+{_WHAT})))[\s.!?]*$",
        rf"^(?:and\s+)?(?:the\s+)?(?:{_WHAT}\s+)?(?P<topic>@\w\S*)\s+(?:{_IS}|belongs?\s+to)\s+(?P<whom>.+)$",
        rf"^(?:the\s+)?(?:{_WHAT})\s+(?P<topic>{_SOMETHING})\s+(?:{_IS}|belongs?\s+to)\s+(?P<whom>.+)$",
        rf"\b(?P<whom>my)\s+(?:\w+\s+)?(?:{_WHAT}|name(?:\s+in\s+git)?)\b[^?]*?\b(?:is|are|was)\s+(?:also\s+|now\s+|"
        rf"not\s+)?(?P<topic>{_ADDRESS}|{_SOMETHING}(?:\s+{_SOMETHING})?)[\s?.!]*$",
        rf"^(?:hi[,\s]+)?(?P<whom>i)(?:['’]?m|\s+am|\s+go\s+by|\s+also\s+use|\s+use|\s+commit\s+(?:as|with|from|"
        rf"under))\s+(?:also\s+)?(?P<topic>{_ADDRESS}|{_SOMETHING}(?=\s+(?:on|in)\s+git))"
        r"(?:\s+(?:on|in)\s+\w+)?(?:\s+too)?[\s.!]*$",
        rf"(?P<whom>[\ue000-\uf8ff]|<@\w+(?:\|[^>]*)?>|\b(?!(?:which|what|whose|the|that|"
        rf"this)\b)\w+)(?:['’]s)?\s+(?:other\s+)?{_WHAT}\s+(?:is|are)\s+(?P<topic>{_ADDRESS}|@?\w[\w-]*\w)[\s.!]*$",
        rf"^(?P<whom><@\w+(?:\|[^>]*)?>)\s+(?:is|has|uses|commits\s+as)\s+(?P<topic>{_ADDRESS}|@?\w[\w-]*\w)[\s.!]*$",
        r"^(?:no[,\s]+)?(?P<topic>)(?P<whom>)(?:(?:that|this|it|he|she|these|those|they|some\s+of\s+(?:these|those|"
        r"this))\s*(?:['’]s|['’]re|\s+(?:is|are|was|were)|isn['’]?t|wasn['’]?t|aren['’]?t|weren['’]?t)?"
        r"(?:\s+(?:not|n['’]t|isn['’]?t|wasn['’]?t|aren['’]?t|all))*\s+(?:me|mine|my\s+(?:commits?|changes?|work|"
        r"address(?:es)?|name|account|login))|not\s+(?:me|mine))(?:\s+at\s+all)?[\s.!?]*$",
        rf"^(?:so\s+|and\s+|show\s+(?:me\s+)?|list\s+)*(?P<topic>)(?:what|which|show|list)?(?:['’]s|\s+(?:is|are|"
        rf"were))?\s*(?:the\s+)?(?P<whom>my|\S+?['’]s)\s+(?:linked\s+)?{_WHAT}(?:\s+(?:again|in\s+git))?[\s?.!]*$",
        rf"^(?:what|which)\s+{_WHAT}\s+(?:is|are|do|does|have|has|did)\s+(?P<topic>)(?P<whom>mine|me|my|i|"
        rf"\S+)(?:\s+(?:have|has|use|uses|own|linked))*(?:\s+linked)?(?:\s+to\s+me)?[\s?.!]*$",
    )
)  # fmt: skip
_QUESTIONS = (
    AnyCase(
        rf"^(?:and\s+)?(?:is|are|isn['’]?t)\s+(?P<topic>{_ADDRESS})\s+(?:also\s+)?(?P<whom>[^?]+)[\s?.!]*$",
    ),
    AnyCase(
        r"^(?P<topic>)(?:(?:how\s+(?:do|can|should)\s+i|how\s+to)\s+(?:un)?link\b.*|am\s+(?P<whom>i)\s+linked.*)$",
    ),
    AnyCase(rf"^(?P<topic>)(?P<whom>\S+(?:\s+\S+)?['’]s)\s+{_WHAT}[\s?.!]*$"),
)
# Only where the one is nobody and the other is somebody: "octocat is grace", and not "the parser is slow".
_IS_SOMEBODY = re.compile(
    r"^(?:and\s+)?(?P<topic>(?!(?:who|what|that|this|it|here|there|where|which|when|how|he|she|they|i|we|you)\b)"
    r"[\w.-]*\w)\s+(?:is|belongs?\s+to)\s+(?:also\s+|really\s+)?(?P<whom>[^?!,;]{1,60}?)[\s.!]*$",
    re.IGNORECASE,
)
PATTERNS = (*_PATTERNS, *_QUESTIONS)
_THIS = frozenset(["this", "that", "these", "it", "me", "my"])


@dataclass(frozen=True, slots=True)
class Link:
    """What is asked about, and the text that says who it is."""

    topic: str | None
    rest: str


# Parts of the words, one of which stands in every text about an address or a login.
PARTS = (
    "@", "link", "connect", "attach", "associate", "map", "join", "merge", "assign", "mail", "address", "login",
    "account", "handle", "user", "hub", "lab", "git", "identity", "whose", "belong", "own", "uses", "behind",
    "commits", "goes", " me", "mine", "myself", "my ", "i'm", "i’m", "im ", "i am", "i go", "i use", "i also",
    "i commit",
)  # fmt: skip


def link_of(text: str) -> Link | None:
    """The address or login that a text is about, where it is about one."""
    small = text.lower()
    if not any(part in small for part in PARTS):
        return None
    for pattern in PATTERNS:
        if match := pattern.any.search(text):
            topic = (match["topic"] or "").strip("?.!,;:'\"“”").removeprefix("@")
            return Link(None if topic.casefold() in _THIS else topic or None, (match["whom"] or "").strip(" ?.!"))
    return None


def somebody_of(text: str) -> Link | None:
    """What may be a login, and what may be whose it is: a link where the one is nobody's name and the other is one."""
    match = _IS_SOMEBODY.match(text)
    return Link(match["topic"], match["whom"]) if match else None
