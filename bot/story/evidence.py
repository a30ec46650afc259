"""What a commit's body says in prose: quoted, never reworded. Pure."""

from __future__ import annotations

import re

from bot.story.wording import clean

LONGEST_SENTENCE = 240
_TRAILER = re.compile(r"[A-Za-z][\w -]{1,40}:\s?\S")
_LABEL = re.compile(r"(?:summary|description|what|why|context|motivation|overview)\s*:\s*", re.IGNORECASE)
_OTHER_SECTION = re.compile(r"(?:test plan|reviewers?|subscribers|tasks|tags|checklist|type of change)\b.*:?\s*$", re.I)
_NOT_PROSE = re.compile(
    r"(?:[-*+•>#|`~]|\d+[.)]\s|https?://|\[|<|---|@|pull request resolved|x-link|stack from|ghstack|imported-using|"
    r"original (?:commit|phabricator)|differential revision|reviewed by|this reverts commit|this is an automated)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]?\s+(?=[A-Z\"'(`])")
_ABBREVIATED = re.compile(r"(?:\be\.g|\bi\.e|\betc|\bvs|\bcf|\bapprox|\bDr|\bMr|\bMs|\bNo|\b[A-Z])\.$")


def first_sentence(body: str, subject: str) -> str | None:
    """The first sentence of prose in a body, word for word; None where there is none worth telling.

    Labels ("Summary:"), trailers, lists, code, quotes, links and what export tools add are no prose. A
    sentence that only says the subject again is not worth telling.
    """
    for paragraph in _paragraphs(body):
        sentence = _first(paragraph)
        if len(sentence) > LONGEST_SENTENCE or len(sentence.split()) < 4:
            return None
        if sentence[-1] not in ".!?":
            if sentence[-1] in ":,;":
                return None
            sentence += "."
        return None if _same(sentence, subject) else sentence
    return None


def _paragraphs(body: str) -> list[str]:
    paragraphs: list[str] = []
    fenced = False
    for block in re.split(r"\n\s*\n", body):
        lines: list[str] = []
        for line in block.splitlines():
            if line.lstrip().startswith(("```", "~~~")):
                fenced = not fenced
                lines = []
                continue
            if fenced:
                continue
            lines.append(line)
        text = " ".join(line.strip() for line in lines).strip()
        indented = bool(lines) and all(line.startswith(("    ", "\t")) for line in lines if line.strip())
        text = _LABEL.sub("", text, count=1) if _LABEL.match(text) else text
        if not text or indented:
            continue
        if _OTHER_SECTION.match(lines[0].strip()):
            break  # what follows is how it was tested, and by whom it was read
        if not _NOT_PROSE.match(text) and not _TRAILER.match(text):
            paragraphs.append(clean(text))
    return paragraphs


def _first(paragraph: str) -> str:
    start = 0
    for end in _SENTENCE_END.finditer(paragraph):
        sentence = paragraph[start : end.start()].strip()
        if not _ABBREVIATED.search(sentence):
            return sentence
    return paragraph


def _same(sentence: str, subject: str) -> bool:
    def words(text: str) -> set[str]:
        return set(re.findall(r"\w+", text.casefold()))

    return words(sentence) <= words(subject)
