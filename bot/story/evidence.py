"""What a commit's body says in prose: quoted, never reworded. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.story.wording import clean

LONGEST_SENTENCE = 240
LONGEST_BODY = 20_000  # what is read of one; some hold a whole log
SHORTEST_WORDS = 4
_HARD_WRAP = 50  # a line shorter than this was not broken because it was full

_LABEL = re.compile(
    r"[#*_\s]*(?:summary|description|what(?: changed| this does)?|why|context|motivation|overview|background|problem|"
    r"changes?|"
    r"purpose|details?|tl;?dr)[*_]*\s*(?::[*_]*\s*|$)",
    re.IGNORECASE,
)
# What follows one of these is how it was tested, by whom it was read, or where it went.
_END = re.compile(
    r"[#*_\s]*(?:(?:how (?:was (?:it|this)|did you|has this been) )?test(?:ed|ing)?(?: plans?)?|test plan|reviewers?|"
    r"reviewed[ -]by|subscribers|"
    r"tasks?|tags|checklist|type of change|"
    r"signed-off-by|co-authored-by)[*_]*\s*[:?]|[#*_\s]*(?:checklist|type of change)|"
    r"(?:---+|___+|===+|\*\*\*+)\s*$|# for the changelog",
    re.IGNORECASE,
)
_TRAILER = re.compile(r"[A-Za-z][\w-]{1,30}(?: [A-Za-z-]{1,20}){0,2}:(?:\s|$)")
_LIST = re.compile(r"(?:[-*+•–—>‣▪]|\(?(?:\d{1,2}|[a-zA-Z])[.)]|\[[ xX]?\]|#\d+\b|[🔴-🟿])\s*")
_NOT_PROSE = re.compile(
    r"[#|`~<@{}$&=/\\]|\[(?![\w-]+\] )|https?://|___|fbshipit|ghstack|stack from\b|imported-using|exported-using|"
    r"this reverts commit|this is an automated|reviewed by\b|original (?:commit|phabricator)|\(note: this|"
    r"please include|please describe|"
    r"for more information|see (?:the )?(?:title|above|https?:)|bypass-github|cc @|fixes:? #|closes:? #|resolves:? #|"
    r"generated (?:by|with)\b",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"^(?:att|fyi|summary of|because|so (?:that|instead)|which|and|but|or|then|therefore)\b|\{F\d+\}|(?:as|see|per|"
    r"same as) (?:the )?(?:title|subj(?:ect)?|above|titled|summary)|tsia\b|n/?a\b|title says|^(?:wip|todo|none|nit)\b|"
    r"automated semver|"
    r"if the code compiles|the context such as a|^(?:revert|reapply|back out) [\"“]|^(?:debug|test|fix|address|minor|"
    r"update|misc|more|initial) ?\w*\.?$|"
    r"^(?:buck2?|python3?|pytest|cargo|torchrun|bash|sh|pip3?|conda|git|make)\s+(?:\S*/|-|build|run|test|install)|"
    r"(?:easy|trivial|small|minor|simple) (?:change|fix|cleanup|update)\.?$|this (?:pr|diff) is (?:easy|trivial)|"
    r"there is no functional change|please (?:review|see|refer)|^(?:nothing|none) (?:to|of)|same thing\b",
    re.IGNORECASE,
)
_UNFIT = re.compile(
    r"https?://|www\.|fburl|internalfb|\]\(|\*\*|__\w+ \w+__|ghstack|exported-using|imported-using|bypass-github|\\n|"
    r"```|\|.*\|.*\||(?:^|\s)[-*•] \S|(?:^|[\s,:])\(?\d{1,2}[.)] \S.*|\b[\w.+-]+@[\w-]+\.\w|<[a-z/]+>|=>|->\s*$|"
    r"\bfollowing\.?$|\b(?:as follows|see below|e\.g\.|i\.e\.|such as)\.?$|[:;,]\.?$|[({\[]\.?$|"
    r"\.\.\.$|…$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”')\]]*\s+(?=[A-Z\"'“(`\[])")
_UNFINISHED = re.compile(r"\b(?:and|or|the|an?|of|that|which|is|are)$", re.IGNORECASE)
_ENDED = re.compile(r"[.!?][\"”')\]]*$")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|fig|eq|sec|no|nos|dr|mr|mrs|ms|prof|st|al|ca|ver|w\.r\.t|a\.k\.a)|"
    r"\b[A-Z]|(?:^|\s)\(?\d{1,2})\.$",
    re.IGNORECASE,
)
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"))


def first_sentence(body: str, subject: str) -> str | None:
    """The first sentence of prose in a body, word for word; None where there is none worth telling.

    Labels ("Summary:"), trailers, lists, code, quotes, links and what export tools add are no prose. Neither
    is told: a sentence that only says the subject again, half a sentence, one that opens a list, or filler.
    Only a full stop may be put behind it.
    """
    body = body[:LONGEST_BODY]
    if _is_squash(body):
        return None  # a squash of several messages, none of which speaks for the whole
    for paragraph, complete in _paragraphs(body):
        sentence = _first(paragraph)
        if _FILLER.search(sentence) or _same(sentence, subject):
            continue
        if not _ENDED.search(sentence):
            if not complete or sentence != paragraph or _UNFINISHED.search(sentence):
                return None
            sentence += "."
        return sentence if _fit(sentence) else None
    return None


def _is_squash(body: str) -> bool:
    """Whether the body is several messages in a row, each signed."""
    signatures, between = 0, True
    for line in body.lower().splitlines():
        text = line.strip()
        if text.startswith("signed-off-by:"):
            signatures, between = signatures + between, False
        elif text and not re.match(r"[\w-]+-by:", text):
            between = True
    return signatures > 1


def _fit(sentence: str) -> bool:
    return (
        len(sentence) <= LONGEST_SENTENCE
        and len(sentence.split()) >= SHORTEST_WORDS
        and not _UNFIT.search(sentence)
        and all(sentence.count(opened) == sentence.count(closed) for opened, closed in _PAIRS)
        and not any(sentence.count(quote) % 2 for quote in '`"')
        and sum(character.isalpha() for character in sentence) > 0.4 * len(sentence)
    )


def _paragraphs(body: str) -> Iterator[tuple[str, bool]]:
    """The paragraphs of prose, each in one line, and whether it ends there, not in a list or in code."""
    lines: list[str] = []
    fenced = False
    skipped = False  # the paragraph is a list, code or a table: so is what is wrapped behind its first line
    for line in [*body.splitlines(), ""]:
        text = line.strip()
        if text.startswith(("```", "~~~")):
            if lines and not fenced:
                yield clean(" ".join(lines)), False
            lines, fenced, skipped = [], not fenced, False
            continue
        if fenced:
            continue
        if _END.match(text):
            break
        labelled = _LABEL.match(text)
        if labelled:
            text = text[labelled.end() :].strip()
        if not text:
            if lines:
                yield clean(" ".join(lines)), True
            lines, skipped = [], False
            continue
        if skipped:
            continue
        indented = line.startswith(("    ", "\t")) and not lines
        if indented or _LIST.match(text) or (_NOT_PROSE.match(text) and not _code_begins(text)) or _TRAILER.match(text):
            if lines:
                yield clean(" ".join(lines)), not _LIST.match(text) and not _NOT_PROSE.match(text)
            lines, skipped = [], True
            continue
        if lines and len(lines[-1]) < _HARD_WRAP and text[:1].isupper() and lines[-1][-1] not in ".!?,;:":
            yield clean(" ".join(lines)), True  # two statements, a line each
            lines = []
        lines.append(text)
    if lines:
        yield clean(" ".join(lines)), True


def _code_begins(text: str) -> bool:
    """Whether the line is prose that begins with a name in backticks: "`foo` is gone"."""
    return re.match(r"`[^`]+`\S*\s+[a-z]", text) is not None


def _first(paragraph: str) -> str:
    for end in _SENTENCE_END.finditer(paragraph):
        sentence = paragraph[: end.end()].rstrip()
        if not _ABBREVIATED.search(sentence):
            return sentence
    return paragraph


def _same(sentence: str, subject: str) -> bool:
    """Whether the sentence has no word of its own beside the subject's."""

    def words(text: str) -> set[str]:
        return {word.rstrip("s") for word in re.findall(r"\w+", text.casefold())}

    idle = {
        "thi",
        "diff",
        "pr",
        "commit",
        "the",
        "a",
        "an",
        "to",
        "in",
        "of",
        "for",
        "we",
        "and",
        "change",
        "it",
        "i",
        "patch",
    }
    return words(sentence) - idle <= words(subject)
