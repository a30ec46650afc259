"""The kinds of changes that a question asks for: "show the bug fixes", "refactorings and docs". Pure."""

# ruff: noqa: E501  (a table of patterns reads best with few breaks)

from __future__ import annotations

import re

from bot.ask.question import FILES, FOLDERS, LARGEST, REVIEW

_WORK = r"(?:\s+(?:changes|commits|work|improvements|updates|fixes|ones))"
# Kind → what is never anything else; and what is one only where nothing follows that makes it another thing, as in
# "feature flags".
_NOUNS = {
    "feature": (r"(?:new\s+)?features|enhancements?|funktionen|funcionalidades|fonctionnalités",
                r"(?:new\s+)?feature(?:\s+work)?"),
    "fix": (r"(?:bug|hot|defect|regression)[\s-]?fix(?:es)?|bug\s?fixing|bugs?(?:\s+fixed)?|fixes|correcciones"
            r"(?:\s+de\s+errores)?|corrections|correções|fehlerbehebungen", r"fix|correction"),
    "performance": (r"perf(?:ormance)?(?:\s+(?:changes|commits|work|improvements|fixes|wins|gains|ones))|"
                    r"optimi[sz]ations?|speed-?\s?ups?", r"perf(?:ormance)?"),
    "refactor": (r"refactor(?:ing)?s|refactoring(?:\s+work)?|clean-?\s?ups|code\s+clean-?\s?ups?",
                 r"refactor|clean-?\s?up"),
    "docs": (rf"docs{_WORK}?|doc{_WORK}|documentation{_WORK}?|readme{_WORK}", r"doc"),
    "test": (rf"tests{_WORK}?|test(?:ing)?(?:\s+(?:changes|commits|work|improvements|updates|additions|ones))",
             r"testing|test"),
    "build": (rf"build{_WORK}", r"builds?"),
    "ci": (rf"ci{_WORK}|pipeline{_WORK}", r"ci"),
    "revert": (r"reverts|reversions|back-?\s?outs|roll-?\s?backs", r"revert|back-?out|rollback"),
    "release": (r"releases|release\s+(?:changes|commits|work)|version\s+bumps?", r"release"),
    "chore": (r"chores|(?:chore|maintenance|housekeeping)(?:\s+(?:changes|commits|work))?|dependency\s+(?:bumps|updates)|"
              r"other\s+changes", r"(?!)"),
}  # fmt: skip
KINDS = tuple(_NOUNS)
_ENDS = (
    r"(?=\s*(?:$|[?.!,;&+/)]|(?:did|do|does|has|have|were|was|by|of|from|in|since|for|only|last|this|between|and|or|during|"
    r"made|changes?|commits?|please|pls|too|on|as|until|per|across|to|with|at|over|what|which|how|than)\b|"
    r"PERSON|WHEN|REPO|TEAM))"
)
_NOUN = re.compile(
    "|".join(
        rf"\b(?P<{kind}>(?:{strong})(?![\w-])|(?:{weak})(?![\w-]){_ENDS})" for kind, (strong, weak) in _NOUNS.items()
    )
)
_PLAIN = re.sub(r"\(\?P<\w+>", "(?:", _NOUN.pattern)
_LIST = rf"(?:{_PLAIN})(?:\s*(?:,\s*)?(?:,|\band\b|\bor\b|&|/|\+|\bas\s+well\s+as\b|\bplus\b)\s*(?:all\s+|the\s+|any\s+)*(?:{_PLAIN}))*"
_BUT = re.compile(
    r"\b(?:except(?:\s+for)?|excluding|without|but\s+(?:not|no)|other\s+than|apart\s+from|minus|"
    rf"(?:everything|all)\s+but)\s+(?:the\s+|any\s+)*(?P<list>{_LIST})"
)
_UNDONE = re.compile(
    r"\b(?:(?:re-?)?reverted|revert|backed[\s-]+out|back\s+out|rolled[\s-]+back|roll\s+back|undone|taken\s+(?:back|out))\b|"
    r"\bwhat\s+(?:all\s+)?(?:broke|went\s+wrong)\b"
)
# What makes kinds, or changes, what is asked for.
_ASKED = re.compile(
    rf"(?:\b(?:show|list|give|display|print|find|get|see|fetch|which|what|any|all|every|only|just|how\s+many|filter|about|"
    rf"and|muéstrame|montre|zeig|the|did|were|are|is)\b|PERSON's|ME's|\bmy\b|\b(?:his|her|their|its|our)\b|\w's|^)"
    rf"(?:\s*(?:me|us|PERSON|ME|TEAM|the|all|only|just|of|my|our|his|her|their|any|every|some|recent|latest|"
    rf"new|main|biggest|also|up|write|written|add|added|mir|las|los|die|are|were|adas|(?:\w+'s)|and|,|in|REPO|WHEN|(?:changes|commits|ones)(?=\W))(?!\w)){{0,20}}"
    rf"\s*{_LIST}"
)
_CHANGES = re.compile(
    r"^(?:\W|\b(?:and|so|ok|okay|now|then|please|pls|hey|hi|also|great|just|only|can|could|you|would|will|i|we|want|need|"
    r"like|to|d|the|full|me|us|show|list|give|display|print|find|get|see|fetch|all|every|each|single|of|my|our|his|her|"
    r"their|any|which|what|are|were|changes|PERSON|ME|TEAM|team|REPO|WHEN|in|from|core|sum|latest|recent)\b(?:'s)?)*?"
    r"\b(?P<noun>(?:code\s+)?changes?|commits?|prs?|pull\s+requests?|patches|change\s?log|commit\s+(?:list|log))\b"
    r"(?!\s+(?:the|to|a|an|log)\b)"
)
# What somebody reviewed is others' work, and so a list of its own. "Review" alone is also what a manager writes.
_REVIEWS = re.compile(
    r"\b(?:PERSON|ME|he|she|they|who)\s+(?:(?:have|has|had|been|also|all|code)\s+)*review(?:ed|ing|s)?\b|"
    r"\b(?:did|do|does|has|have)\s+(?:PERSON|ME|TEAM|i|he|she|they|we|everyone|everybody)\s+(?:(?:been|also|code)\s+)*review(?:ed|ing)?\b|"
    r"\breviewed\s+by\s+(?:PERSON|ME|him|her|them)\b|"
    r"\b(?:show|list|give|display|find|see|get)\b.*\breviews\b(?!\s+(?:are|is|doc))|"
    r"\b(?:which|what|how\s+many)\s+(?:code\s+)?reviews\b|\bwhom?\s+(?:did|has)\s+(?:PERSON|i|he|she|they)\s+help(?:ed)?\b|"
    r"\b(?:code\s+)?reviews\s+(?:by|of|from|done\s+by)\s+(?:PERSON|ME|him|her|them)\b|"
    r"^(?:\W|\b(?:and|ok|also|the)\b)*(?:PERSON's|my|his|her|their)\s+(?:code\s+)?reviews\b"
)


_FILES = re.compile(
    r"\b(?:which|what|list|show|top|most|same|my|PERSON's)(?:\s+(?:me|the|all|of|most|often|frequently|same|\d+|changed|touched|"
    r"edited|modified|source))*\s+(?:files|folders|directories)\b|"
    r"\b(?:files|folders|directories)\s+(?:that\s+)?(?:PERSON|i|he|she|they|we|were)?\s*(?:most\s+)?(?:changed|touched|edited|modified)\b|"
    r"\bwhat\s+(?:did|has|have)\s+(?:PERSON|i|he|she|they|we)\s+(?:changed?|touch(?:ed)?|edit(?:ed)?)\s+(?:the\s+)?most\b|"
    r"\bPERSON\s+and\s+(?:PERSON|i)\b.*\b(?:overlap|same\s+(?:code|places?|parts?|areas?))\b"
)
_PARTS = re.compile(
    r"\b(?:what|which)\s+(?:parts|areas)\s+of\s+the\s+(?:code|codebase|repo)\b|"
    r"\bwhere\s+(?:in\s+the\s+(?:code|codebase|repo)\s+)?(?:did|does|do)\s+(?:PERSON|i|he|she|they)\s+(?:mostly\s+)?(?:work|spend)\b"
)
_FOLDERS = re.compile(r"\b(?:folders|directories)\b")
_LARGEST = re.compile(
    rf"\b(?:biggest|largest|big)\s+(?:\w+\s+)?(?:changes?|commits?|prs?|pull\s+requests?|{_PLAIN})|\b(?:biggest|largest)\s+(?:things?|pieces?)\b"
)


def kinds_of(text: str) -> tuple[str, ...] | None:
    """Which kinds of changes a text asks to list, () for all of them; None where it asks for something else."""
    if _REVIEWS.search(text):
        return (REVIEW,)
    if (parts := _PARTS.search(text)) or _FILES.search(text):
        return (FOLDERS if parts or _FOLDERS.search(text) else FILES,)
    if _LARGEST.search(text):
        return (*(named(asked[0]) if (asked := _ASKED.search(text)) else ()), LARGEST)
    if but := _BUT.search(text):
        left_out = named(but["list"])
        return tuple(kind for kind in KINDS if kind not in left_out)
    if _UNDONE.search(text):
        return ("revert",)
    if asked := _ASKED.search(text):
        return named(asked[0])
    return () if _CHANGES.search(text) else None


def named(listed: str) -> tuple[str, ...]:
    """The kinds in a list, in their own order, each once."""
    return tuple(dict.fromkeys(str(match.lastgroup) for match in _NOUN.finditer(listed)))
