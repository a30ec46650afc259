"""The kinds of changes that a question asks for: "show the bug fixes", "refactorings and docs". Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.month.anycase import AnyCase

_WORK = r"(?:\s+(?:changes|commits|work|improvements|updates|fixes))"
# Kind → what is never anything else, and what is one only where nothing follows that would make it another thing
# ("feature flags", "the build system").
_NOUNS = {
    "feature": (r"(?:new\s+)?features|enhancements?", r"(?:new\s+)?feature(?:\s+work)?"),
    "fix": (r"(?:bug|hot|defect|regression)[\s-]?fix(?:es)?|bugs?(?:\s+fixed)?|fixes|hotfixes|bug\s*fixing",
     r"fix|corrections?"),
    "performance": (
        r"perf(?:ormance)?(?:\s+(?:changes|commits|work|improvements|fixes|wins|gains))|optimi[sz]ations?|"
        r"speed-?\s?ups?",
        r"perf(?:ormance)?"),
    "refactor": (r"refactor(?:ing)?s|refactoring(?:\s+work)?|clean-?\s?ups|code\s+clean-?\s?ups?",
     r"refactor(?:ing)?|clean-?\s?up"),
    "docs": (rf"docs{_WORK}?|doc{_WORK}|documentation{_WORK}?|readme{_WORK}", r"doc"),
    "test": (rf"tests{_WORK}?|test(?:ing)?(?:\s+(?:changes|commits|work|improvements|updates|additions))",
     r"testing|test"),
    "build": (rf"build{_WORK}", r"builds?"),
    "ci": (rf"ci{_WORK}|pipeline{_WORK}", r"ci"),
    "revert": (r"reverts|reversions|back-?\s?outs|roll-?\s?backs|reverted(?:\s+(?:changes|commits|work|ones|prs))?",
     r"revert|back-?out|rollback"),
    "release": (r"releases|release\s+(?:changes|commits|work)|version\s+bumps?", r"release"),
    "chore": (r"chores|(?:chore|maintenance|housekeeping)(?:\s+(?:changes|commits|work))?|dependency\s+(?:bumps|"
        r"updates)|other\s+changes",
              r"chore"),
}  # fmt: skip
KINDS = tuple(_NOUNS)
_AFTER_WEAK = (
    r"(?=\s*(?:$|[?.!,;&+/)]|\b(?:did|do|does|has|have|were|was|by|of|from|in|since|for|only|last|this|between|and|"
    r"or|during|"
    r"made|changes?|commits?|please|too|on|as|until|per|across|to|with|at|over|what|which|how|than|v?s\.?|\d|q\d)\b|"
    r"[\ue000-\uf8ff]))"
)
_NOUN = (
    "(?:"
    + "|".join(
        rf"(?P<{{0}}{kind}>(?:{strong})(?![\w-])|(?:{weak})(?![\w-]){_AFTER_WEAK})"
        for kind, (strong, weak) in _NOUNS.items()
    )
    + ")"
)
_NAMED = AnyCase(_NOUN.replace("{0}", ""))
_PLAIN = re.sub(r"\(\?P<[^>]+>", "(?:", _NOUN)
_KINDS_LISTED = (
    rf"(?P<list>{_PLAIN}(?:\s*(?:,\s*)?(?:,|\band\b|\bor\b|&|/|\+|\bas\s+well\s+as\b|"
    rf"\bplus\b)\s*(?:all\s+|the\s+|any\s+)*+{_PLAIN})*)"
)
_ASKED = (
    r"(?:(?:and|so|ok(?:ay)?|now|then|please|hey|hi|also|or)[\s,]+)*(?:(?:can|could|would|will)\s+(?:you|i|"
    r"we)\s+(?:please\s+)?)?"
    r"(?:i(?:['’]d| would)?\s+(?:like|want|need)\s+(?:to\s+)?)?"
)
_SHOW = (
    r"(?:show|list|give|display|print|find|get|see|fetch|enumerate|name|tell)\b(?:\s+(?:me|us|everyone))?(?:\s+about)?"
)
_OF = (
    r"(?:\s*(?:the|all|only|just|of|my|our|his|her|hers|their|any|every|each|some|recent|latest|new|main|biggest|"
    r"also|team|(?:[\ue000-\uf8ff]|\w[\w.-]*+)(?:\s*['’]s?)|[\ue000-\uf8ff])(?!\w))*+"
)
_FIRST = AnyCase(
    rf"^{_ASKED}(?:{_SHOW}|only|just|(?:which|what)\s+(?:ones?|of\s+(?:them|these|those|it))\s+(?:are|were|is|was)|which|what(?:\s+(?:are|were|about))?|how\s+(?:many|about)|(?:are|were|is|"
    rf"was)\s+there|any|all|"
    rf"the|what['’]s\s+with)?{_OF}\s*{_KINDS_LISTED}"
)
_WITHIN = AnyCase(
    rf"(?:\b(?:which|what|how\s+many|any|all(?:\s+(?:the|of\s+the))?|only(?:\s+the)?|just(?:\s+the)?|list|show|"
    rf"filter\s+(?:by|to))"
    rf"(?:\s+(?:are|were|the|of))*|(?:[\ue000-\uf8ff]|\w)\s*['’]s|\w['’]|\b(?:my|his|her|their))\s+"
    rf"(?:(?:new|main|recent|latest|biggest|other)\s+)?{_KINDS_LISTED}"
)
_ARE = AnyCase(
    r"^\W*(?:(?:and|so)\s+)?(?:which|what|how\s+many)\b[^?]*?\b(?:changes|commits|prs|pull\s+requests|work)\b[^?]*?"
    rf"\b(?:are|were|is|was)\s+(?:(?:the|only|all|just)\s+)*{_KINDS_LISTED}(?=\W*$|\s+(?:in|since|from|last|this|during)\b)"
)
_BEHIND = AnyCase(rf"\b{_KINDS_LISTED}\s+(?:only|please|alone)\W*$")
_DONE = AnyCase(
    r"\b(?:what|which|anything|something)\b(?:\s+\w+)?\s+(?:did|has|have|had|does)\s+(?:[\ue000-\uf8ff]|"
    r"[^\W\d]+)(?:\s+(?:and|&|,)\s+(?:[\ue000-\uf8ff]|[^\W\d]+))?\s+"
    r"(?:(?P<fix>fix(?:ed)?)|(?P<refactor>refactor(?:ed)?|clean(?:ed)?\s+up)|(?P<performance>optimi[sz]ed?|"
    r"speed\s+up|sped\s+up)|"
    r"(?P<docs>document(?:ed)?))\b(?=\W*$|\s+(?:in|since|from|last|this|between|during|for|on|over|until|q\d|\d|"
    r"the\s+past))"
)
_UNDONE = AnyCase(
    r"\b(?:(?:re-?)?reverted|revert|backed[\s-]+out|back\s+out|rolled[\s-]+back|roll\s+back|undone|taken\s+(?:back|"
    r"out)|re-?landed)\b"
)
_ASKS_UNDONE = AnyCase(
    r"\b(?:which|what|what['’]s|any|anything|something|was|were|got|get|has|have|did|list|show|how\s+(?:many|much)|"
    r"and|is|only|all|the|my|her|his|their)\b|['’]s\b"
)
_EVERY_CHANGE = AnyCase(
    rf"^{_ASKED}(?:"
    rf"(?:{_SHOW}{_OF}|(?:all|every|each)(?:\s+(?:of|the|my|his|her|their|single)\b)*(?:\s*(?:[\ue000-\uf8ff]|"
    rf"[\w.-]+)\s*['’]s?)?|(?:which|what)(?:\s+(?:are|were))?{_OF})"
    r"\s*(?P<noun>(?:code\s+)?changes?|commits?|prs?|pull\s+requests?|patches)\b(?!\s+(?:the|to|a|an|log)\b)"
    r"|(?P<log>(?:full\s+)?(?:change\s?log|commit\s+(?:list|log)|list\s+of\s+(?:the\s+|all\s+)*(?:changes|commits))))"
)
_CHANGES_OF = AnyCase(
    r"^(?P<lead>(?:and\s+|only\s+|just\s+)?(?:my\s+|her\s+|his\s+|their\s+)?(?:all\s+)?)(?:changes|commits)\b(?!\s+(?:made|to|that|which|were)\b)[\s:,]*(?:(?:by|"
    r"of|from)\b)?"
)
_BUT = AnyCase(
    rf"\b(?:except(?:\s+for)?|excluding|without|but\s+(?:not|no)|other\s+than|apart\s+from|minus)\s+(?:the\s+|"
    rf"any\s+)*{_KINDS_LISTED}"
)
_ALL_BUT = AnyCase(rf"\b(?:everything|all)\s+but\s+(?:the\s+|any\s+)*{_KINDS_LISTED}")


@dataclass(frozen=True, slots=True)
class Asked:
    """The kinds that are asked for, all where there are none, and the text without them.

    `is_said` means that somebody's or everybody's changes are asked for by a whole sentence ("what was reverted in
    october"), so that it may be everybody's where nobody is named.
    """

    kinds: tuple[str, ...]
    rest: str
    is_said: bool = False


PATTERNS = (_CHANGES_OF, _BUT, _ALL_BUT, _DONE, _UNDONE, _ARE, _FIRST, _BEHIND, _WITHIN, _EVERY_CHANGE, _NAMED)
# Parts of the words, one of which stands in every text that asks for changes; the patterns are slow to compile.
PARTS = (
    "feature", "enhance", "fix", "bug", "correct", "perf", "optimi", "speed", "sped", "refactor", "clean", "doc",
    "readme", "test", "build", "ci", "pipeline", "revert", "reversion", "back", "roll", "releas", "version", "chore",
    "mainten", "housekeep", "dependen", "change", "commit", "pr", "pull", "patch", "undone", "taken", "land",
)  # fmt: skip


def kinds_of(text: str) -> Asked | None:
    """Which kinds of changes a text asks to list; None where it asks for something else."""
    small = text.lower()
    if not any(part in small for part in PARTS):
        return None
    if listed := _CHANGES_OF.any.match(text):
        rest = f"{listed['lead']} {text[listed.end() :]}"
        return kinds_of(rest) or Asked(_named(rest), _NAMED.any.sub(" ", rest))
    if but := _BUT.any.search(text) or _ALL_BUT.any.search(text):
        left_out = _named(but["list"])
        rest = f"{text[: but.start()]} {text[but.end() :]}"
        return Asked(tuple(kind for kind in KINDS if kind not in left_out), _without_changes(rest))
    if done := _DONE.any.search(text):
        kind = next(kind for kind, said in done.groupdict().items() if said)
        return Asked((kind,), f"{text[: done.start(kind)]} {text[done.end(kind) :]}")
    if (undone := _UNDONE.any.search(text)) and (_ASKS_UNDONE.any.search(text) or not text[: undone.start()].strip()):
        said = bool(re.match(r"\s*(?:what|which|was|were|has|did|list|show|any)\b", text, re.IGNORECASE))
        return Asked(("revert",), _without_changes(_UNDONE.any.sub(" ", text)), said and undone.start() > 0)
    for pattern in (_ARE, _FIRST, _BEHIND, _WITHIN):
        if match := pattern.any.search(text):
            kinds = _named(match["list"])
            rest = f"{text[: match.start('list')]} {text[match.end('list') :]}"
            rest = _without_changes(rest) if pattern is _ARE else rest
            said = bool(re.match(r"\s*(?:what|which|how|were|was|are|is|any)\b", text, re.IGNORECASE))
            return Asked(kinds, rest, said)
    if match := _EVERY_CHANGE.any.search(text):
        noun = "noun" if match["noun"] else "log"
        return Asked((), f"{text[: match.start(noun)]} {text[match.end(noun) :]}")
    return None


def _named(listed: str) -> tuple[str, ...]:
    """The kinds in a list, in their own order, each once."""
    return tuple(dict.fromkeys(str(match.lastgroup) for match in _NAMED.any.finditer(listed)))


def _without_changes(text: str) -> str:
    return re.sub(r"\b(?:changes?|commits?|prs?|pull\s+requests?)\b", " ", text, flags=re.IGNORECASE)
