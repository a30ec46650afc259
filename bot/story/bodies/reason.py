"""Why something was taken out, as the commit that did it says: the first sentence of why, word for word. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.story.bodies.prose import FULL, LONGEST_BODY, is_abbreviated, is_whole, sentences
from bot.story.wording import clean

LONGEST = 200  # characters of a reason
_MOST_READ = 4  # sentences
_FEWEST_WORDS = 2
_CLAUSE = 60  # a reason is not cut before this

_REF = (
    r"(?:\{?\b[DTS]\d{4,}\b\}?'?|[\w.-]*(?:/[\w.-]+)?#\d+|\b[0-9a-f]{7,40}\b|https?://\S+)(?:\s*\(https?://[^\s)]*\))?"
)
_REFS = rf"{_REF}(?:(?:\s*(?:,|&|\+|\band\b)\s*|\s+){_REF})*"
_UNDO = (
    r"(?:(?:temporarily |partial(?:ly)? |manually |fully )?(?:revert(?:s|ed|ing)?|unland(?:s|ed|ing)?|"
    r"(?:back|roll)(?:s|ed|ing)?[ -]?(?:it |this |them )?(?:out|back)|undo(?:es|ing)?))"
)

# What comes before a reason: kept is what follows it.
_STATED = re.compile(
    r"[#*_\s]*(?:reasons?(?: for (?:the )?(?:revert(?:ing)?|back[ -]?out))?|revert reason|why|because|"
    r"reverted \S+ on behalf of \S+ due to)(?:[*_]*\s*:[*_]*|(?<=due to))\s+(?=\S)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[#*_\s]*(?:summary|description|context|motivation|background|problem|overview|details?|tl;?dr|note|"
    r"root cause|issue)[*_]*\s*(?::[*_]*\s*|$)",
    re.IGNORECASE,
)
# What follows one of these is how it was tested and by whom it was read.
_END = re.compile(
    r"[#*_\s]*(?:test(?:ed|ing)?(?: plans?)?|how (?:was|did|has)\b.*test\w*|reviewers?|subscribers|checklist|"
    r"type of change)[*_]*\s*(?::|$)",
    re.IGNORECASE,
)
# Lines that tools wrote, or that only point elsewhere.
_MACHINE = re.compile(
    r"#|\W*$|[a-z][\w-]*-(?:by|id|to|link):|(?:pull request resolved|privacy context\b.*|reviewed by|"
    r"differential revision|lama project|pulled by|oncall short name|facebook|depends on\b.*|\w*post|tests affected|"
    r"example (?:of )?failed (?:test )?jobs?|(?:error )?stack ?trace|test run|original (?:commit|phabricator)\b.*)\s*"
    r"(?::|$)|depends on [DT#]|original (?:commit|diff):|cc @|reversing changes|\{F\d+\}|"
    r"\(?note: this ignores|\(the context such as|__\w+__|\w+_\w+_\w+_\w+$|bypass-|diff-train-|ghstack|fbshipit|"
    r"(?:imported|exported)-using|here(?:'s| is| are) the\b|if you believe|we're generating|generated (?:by|with)\b|"
    r"stack from\b|\[ghstack|please (?:see|refer|check)|automated\b|this is an automated",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"(?:\(?(?:see|check|more|further|related|full|some)\b.{0,40}\b)?(?:details?|context|background|docs?|discussions?|"
    r"post|link|task|thread|request|here|comments?|sev|above|below)s?(?: (?:here|in|at|on|see))?$|"
    r"(?:see|check|follow(?:ed|ing|s)?)\b|failures? of$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"(?:[-*+•–—]|\(?(?:\d{1,2}|[a-z])[.)])\s+", re.IGNORECASE)
_ADDRESS = re.compile(r"\s*[(\[<]?https?://[^\s)\]>]*[)\]>]?")
_IN_BRACKETS = re.compile(r"(?<=\w)\s*\((?:https?://[^\s()]*|\[[^\]]*\]\(https?://[^\s()]*\))\)")
_TAIL = re.compile(
    r"[\s,;:(\-–—=]+$|[\s,(]+(?:see|here|like|at|in|for|from|with|after|since|e\.g\.?|i\.e\.?|for (?:example|instance)|"
    r"of|on|via|and|per|as|more|details?)[\s:]*$",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r",?\s+(?:for (?:example|instance)|e\.g\.,?|such as)\b[^.]*:$", re.IGNORECASE)

_GOES_ON = re.compile(r"(?:due|because|since|as|and|or|for|to|which|that|where|when|but|so|with|in|on|by|of|after)\b")

# What says that something is taken out, as everybody can see, and no more: unless one of the words of _CAUSE is there.
_SAYS_SO = re.compile(
    rf"(?:(?:as (?:per )?(?:the )?title[d,]*|this(?: (?:diff|pr|commit|change|patch))?(?: is)?|let(?:'s| us| me)|"
    rf"(?:so )?(?:we(?: are|'re)?|i(?: am|'m)?)(?: now)?|(?:so|for now|now|first|please|just),?|had to|"
    rf"need(?:s|ed)? to)\s+)*(?:be )?{_UNDO}\b(?P<rest>.*)",
    re.IGNORECASE,
)
# How many begin who then say why: "This reverts commit 1a2b3c4, as it breaks …".
_OPENING = re.compile(
    rf"(?:this (?:(?:diff|pr|commit|change|patch) )?(?:is )?{_UNDO}(?: commit)? {_REFS}(?: commit)?|"
    rf"{_UNDO} https?://\S+)[,;.]?\s+(?=(?:as|because|bc|since|due to|which|whose)\b)",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:due|because|bc|since|as|caus\w+|for (?!now\b|D\d)|to (?!D\d|main|the (?:original|previous))|until|while|"
    r"which|so(?: that)?|after|but|br[eo]ak\w*|fail\w*|regress\w*|error\w*|issues?|mitigat\w+|mismatch|seems?|"
    r"root|hang\w*|crash\w*)\b|[:—–]\s+\S",
    re.IGNORECASE,
)
# A reference, which may have a title and a day behind it in brackets.
_REFERRED = re.compile(rf"{_REFS}(?: commit)?(?:\s*\((?:[^()]|\([^()]*\))*\))?")
# By these a sentence is known that says what went wrong.
_WRONG = re.compile(
    r"\b(?:br[eo]ak(?:s|ing|age|ages)?|broken?|fail\w*|caus(?:e|es|ed|ing)|due to|because|bc|regress\w*|errors?|"
    r"crash\w*|issues?|problem\w*|conflict\w*|mismatch\w*|incompatib\w*|compatibility|hang(?:s|ing)?|hung|oom|nans?|"
    r"slow\w*|wrong\w*|incorrect\w*|abnormal|garbage|blocks|blocked|unblock\w*|mitigat\w*|avoid\w*|"
    r"(?:not|n't|cannot|never) (?:\w+ ){0,3}(?:work|support|supported|available|use|ready|needed|need|handle)\w*|"
    r"culprit|root cause|unintention\w*|accident\w*|complain\w*|overflow|leak\w*|flak\w*|bug\w*)\b",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"(?:as|per|see|same as) (?:the |per )*(?:title[ds]?|subj(?:ect)?|above|summary|request(?:ed)?|"
    r"discuss(?:ion|ed))\b(?!.*(?:because|since|due to|break|broke|fail|caus))|"
    r"(?:tsia|n/?a|wip|todo|none|nit|fyi|att|and|or|then|also|as such|therefore|pick)\b|had to manually|"
    r"(?:this is )?(?:a )?fix(?:es)? (?:for |to )?[STD]\d+\W*$|will follow up|"
    r"(?:this )?(?:fix|close|resolve)(?:e?s)?(?: issue)?(?: \S*\d+)?$|"
    r"no (?:reason|description)|to fix failures like this|(?:re)?land(?:ing)? (?:it )?(?:again|back)\W*$|"
    r"(?:revert|reapply|back ?out|re-?land)\w* [\"“][^\"”]*[\"”…]?\W*$",
    re.IGNORECASE,
)
_NOT_SAID = re.compile(
    r"https?://|www\.|\]\(|\*\*|\\n|```|\|.*\|.*\||<[a-z/]+>|=>|\{F\d+\}|::\w+\(.*;|\w\(\)\.\w+\(|;$"
)
_UNFINISHED = re.compile(r"\b(?:and|or|the|an?|of|that|which|is|are|as|on|for|with|to|by|from|at)$", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"(?:this|that|it|these|those|they|as such|however|the latter|besides|also|while at it|thus|hence|and|but|so)\b",
    re.IGNORECASE,
)
# Facebook's bisecting tool: the diff's title, which stands between, says nothing here.
_MULTISECT = re.compile(
    r"(?:.*\s)?(?P<diff>D\d+)(?P<title>: .*)? (?P<said>has been identified to be causing the following "
    r"(?:test|build)[\w ]*|causes the following (?:test|build)[\w ]*?):?$"
)
_SQUASHED = re.compile(r"^\s*\* (?:revert|reapply|back ?out|re-?land)\b", re.IGNORECASE)
_CUTS = (
    re.compile(r"[;,:—–](?=\s)|\s(?=[(—–])"),
    re.compile(r"\s(?=(?:and|or|which|that|where|when|while|so|but|by)\s)"),
)


def reason(body: str, subject: str) -> str | None:
    """Why a commit takes something out: the first sentence of its body that says so, without its full stop.

    It stands there word for word; only addresses in it are left out, and where it is longer than LONGEST it ends at a
    clause, with "…". None where the body does not say why, or says it only in code, in a log or behind an address.
    """
    lines = body[:LONGEST_BODY].splitlines()
    if lines and any(_SQUASHED.match(line) for line in lines[:3]):
        return None  # titles of commits that were squashed
    first: str | None = None
    for number, (sentence, is_stated) in enumerate(_sentences(lines)):
        if number >= _MOST_READ:
            break
        said = _fit(sentence, subject)
        if said is None:
            continue
        if is_stated or (_WRONG.search(said) and not (first and _POINTS_BACK.match(said))):
            return said
        first = first or said
    return first


def _sentences(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """The sentences of what is prose, each in one line, and whether it is labelled as the reason."""
    for paragraph, is_stated in _paragraphs(lines):
        for sentence in sentences(paragraph):
            yield sentence, is_stated
            is_stated = False


def _paragraphs(lines: list[str]) -> Iterator[tuple[str, bool]]:
    held: list[str] = []
    is_stated = fenced = opens = False
    listed = 0  # bullets of the list that is read
    for line in [*lines, ""]:
        text = line.strip()
        if text.startswith(("```", "~~~")):
            fenced, text = not fenced, ""
        elif fenced:
            continue
        elif _END.match(text):
            text, lines = "", []
        stated = _STATED.match(text)
        label = None if stated else _LABEL.match(text)
        if match := stated or label:
            text = text[match.end() :].strip()
        bullet = _BULLET.match(text)
        if bullet:
            text = text[bullet.end() :].strip()
            listed += 1
        code = line.startswith(("    ", "\t")) and not bullet and not held
        alone = not text or code or _MACHINE.match(text) or not _ADDRESS.sub("", text).strip()
        if held and (alone or bullet or match or _is_end(held[-1], text)):
            yield " ".join(held), is_stated
            opens = held[-1].endswith(":")
            held, is_stated = [], False
        if not line.strip():
            listed = 0
        if alone and not lines:
            return
        if not alone and not (bullet and (listed > 1 or opens)):
            held.append(text)
            is_stated = is_stated or bool(stated)


def _is_end(line: str, following: str) -> bool:
    """Whether a line of prose is a sentence's last, whatever follows it."""
    if line.endswith((".", "!", "?", ":")):
        return not is_abbreviated(line)
    return len(line) < FULL and not line.endswith(",") and not _GOES_ON.match(following)


def _fit(sentence: str, subject: str) -> str | None:
    """What of a sentence can be told as a reason."""
    text = clean(sentence)
    if found := _MULTISECT.match(text):
        return f"{found['diff']}{' …' if found['title'] else ''} {found['said'].strip()}"
    text = _IN_BRACKETS.sub("", text)
    if opening := _OPENING.match(text):
        text = text[opening.end() :]
    text = _without_end(text)
    if _MACHINE.match(text) or _POINTING.match(text) or _FILLER.match(text) or _says_only_so(text):
        return None
    if len(text) > LONGEST:
        text = _cut(text)
    words = re.findall(r"[^\W\d_]{2,}", text)
    letters = sum(character.isalpha() or character.isspace() for character in text)
    if (
        len(words) < _FEWEST_WORDS
        or not text
        or letters < 0.6 * len(text)
        or _NOT_SAID.search(text)
        or _UNFINISHED.search(text)
        or not is_whole(text)
        or _same(text, subject)
    ):
        return None
    return text


def _without_end(text: str) -> str:
    """The sentence without its full stop, an address at its end and what leads to that, and what is not closed."""
    text = _EXAMPLE.sub("", text)
    address = _ADDRESS.search(text)
    if address and not _ADDRESS.sub("", text[address.start() :]).strip(" .,;)"):
        text = text[: address.start()]
        while tail := _TAIL.search(text):
            text = text[: tail.start()]
    text = text.rstrip(" .:,")
    if not is_whole(text):
        opened = min((text.find(sign) for sign in '(["“`' if sign in text), default=0)
        before = text[:opened].rstrip(" :,;-–—")
        if len(before.split()) >= 3:
            return before
    return text


def _says_only_so(text: str) -> bool:
    says = _SAYS_SO.fullmatch(text)
    return says is not None and not _CAUSE.search(_REFERRED.sub(" ", says["rest"]))


def _cut(text: str) -> str:
    """As much of the sentence as may be told, up to the end of a clause, or else of a word."""
    for cuts in _CUTS:
        ends = [cut.start() for cut in cuts.finditer(text[:LONGEST]) if cut.start() >= _CLAUSE]
        whole = [end for end in ends if is_whole(text[:end])]
        if whole:
            return text[: whole[-1]].rstrip(" ,;:") + "…"
    return text[: text.rfind(" ", 0, LONGEST)].rstrip(" ,;:") + "…"


def _same(text: str, subject: str) -> bool:
    """Whether the text has no word of its own beside the subject's."""
    return set(re.findall(r"\w+", text.casefold())) <= set(re.findall(r"\w+", subject.casefold()))
