"""Which sentence of a commit's body may stand below its title, and why something was reverted. Pure.

A sentence is quoted whole or not at all. The rules are meant to leave out much: where none is sure to help, there is
no quotation (docs/months.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model import Change, Commit
from bot.story.prose import blocks, is_whole, messages, new_words, sentences
from bot.story.quote import Quote
from bot.story.title import title_of
from bot.story.wording import shortened

SHORTEST, LONGEST = 40, 160  # characters of a sentence below a title,
LONGEST_GENEROUS = 260  # and in a month of few titles
SHORTEST_GENEROUS = 30
LONGEST_REASON = 300  # of one that says why something was reverted
FEWEST_NEW = 3  # words that the title has not
MOST_READ = 6  # sentences of a body
MOST_FOR_REASON = 3

_EFFECT = re.compile(
    r"\b(?:so(?: that)?|because|since|instead of|no longer|without|must|cannot|can't|don't|doesn't|overhead|spends?|"
    r"fail(?:s|ed|ure)?|confusing|to (?:avoid|enable|restore|free|reduce|prevent|allow|make|support|keep|"
    r"let|ensure|fix)"
    r"|(?:avoid|reduc|prevent|allow|enabl|remov|eliminat|simplif|sav)(?:s|es|ing|e|ies)|rather than|only|never|"
    r"in order to|which (?:means|causes|leads|makes|lets|allows)|results? in|leads? to|causes?|caused|crash\w*|hang\w*|"
    r"deadlock\w*|leak\w*|race|overflow\w*|corrupt\w*|lost|silently|wrong\w*|incorrect\w*|faster|slower)\b",
    re.IGNORECASE,
)
# A fault alone is what was before the change; what it does about it must be said with it.
_FAULT = re.compile(
    r"\b(?:fail\w*|crash\w*|hangs?|hanging|deadlock\w*|leak\w*|races?|overflow\w*|corrupt\w*|lost|silently|wrong\w*|"
    r"incorrect\w*|cannot|can['’]t|doesn['’]t|does not|didn['’]t|isn['’]t|is not|caus\w+|results? in|leads? to|"
    r"br[eo]ak\w*|confusing|issues?|problems?|bugs?)\b",
    re.IGNORECASE,
)
_REMEDY = re.compile(
    r"\b(?:so that|no longer|instead|without|now|(?:avoid|prevent|reduc|eliminat|remov|allow|enabl|ensur|sav|simplif|"
    r"add|mak|us|skip|keep|fix|replac|return|restor|let|support)(?:s|ed|es|ing|e|ies)?)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:was|were|had|been|used to|previous(?:ly)?|current(?:ly)?|before|earlier|today|existing|original(?:ly)?|"
    r"so far|until now|right now|at the moment|old|will|would|going to)\b|^(?:part of|\d+[/.)])",
    re.IGNORECASE,
)
_MARKED = r"[^\w`“\"']"  # what marks text up, stands beside the matter, or is the rest of something
_NO_START = re.compile(
    rf"{_MARKED}|"
    r"(?:we|i|our|my|this|that|these|those|it|its|they|he|she|here|there|then|also|same|the (?:first|second|last|"
    r"above|following|next|previous|new|other|main|idea|goal|rest)|and|but|or|so|now|note|nit|fyi|todo|in this|in the|"
    r"currently|previously|before|today|until now|right now|at the moment|historically|originally|existing|as (?:per|"
    r"titled?|above|discussed|mentioned|requested|a result|such)|see|however|additionally|furthermore|moreover|similar"
    r"\w*|thus|hence|therefore|otherwise|finally|first(?:ly)?|second(?:ly)?|third|for (?:example|instance|now)|"
    r"followup|follow-up|let's|let|please|thanks?|if|when|what|why|how|test(?:ed|ing|s)?|verified|reviewed|ran|run|"
    r"tsia|with (?:this|the)|by doing|doing|one|another|some|once|after|yes|no|ok|btw|basically|actually|hopefully)\b",
    re.IGNORECASE,
)
_OF_THEMSELVES = r"\bi(?= [a-z]|['’])"  # what the author hopes, guesses or means to do
_NOWHERE = re.compile(
    r"https?://|www\.|\]\(|\{F\d|\bD\d{4,}\b|\bT\d{5,}\b|\bP\d{6,}\b|\bS\d{5,}\b|#\d+|@\w|```|\||\\n|=>|::\w+\(|\$ |~~|"
    r"<[a-z/]+>|\b[0-9a-f]{9,40}\b|\b(?:here|above|below|previous (?:diff|pr|commit)|next (?:diff|pr|"
    r"commit)|this stack|"
    r"(?:earlier|later|prior|last|other|parent) (?:diff|pr|commit)s?|in (?:the )?(?:summary|title)|imo|imho|"
    r"hopefully|maybe|currently|previously|at the moment|used to|test plan|"
    r"follow[- ]?up|future|todo|wip|for now|sorry|lol|stacked|rebased?|cc|reviewers?|internal(?:ly)?|"
    r"fbcode|oss)\b|[:,]$|" + _OF_THEMSELVES,
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"`|\w+_\w|\w+::|[a-z]+[A-Z]|[A-Z][a-z]+[A-Z]|\w+\(|\w+\.\w|--?\w")
_UPDATED = re.compile(
    r"^[#*_ \t]*(?:updates?|changes in (?:the )?latest revision|note)[*_ \t]*:", re.IGNORECASE | re.MULTILINE
)
_STEMS = re.compile(r"[^\W_]{4,}")

# --- why something was reverted

_SAYS_ONLY_SO = re.compile(
    r"(?:(?:this|let's|we|i|as (?:per )?titled?|need to|had to|please|so|for now)\W+)*(?:\w+ "
    r"){0,2}(?:revert|back(?:s|ed|"
    r"ing)?[ -]?out|unland|undo|roll(?:s|ed|ing)? ?back|original |reland|reapply)\S*",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"][^“”\"]*[”\"]")  # a title that is quoted gives no cause
_CAUSE = re.compile(
    r"\b(?:due to|because|since|caus\w+|br(?:ea|o)k\w*|fail\w*|regress\w*|errors?|issues?|mitigat\w+|mismatch\w*|"
    r"hang\w*|crash\w*|not ready|unintention\w*|accident\w*|incorrect\w*|wrong\w*|culprit|conflict\w*|incompatib\w*|"
    r"block\w*|slow\w*|oom|nans?|leak\w*|flak\w*|"
    r"not (?:\w+ )?work\w*|doesn't|does not|can't|cannot|too|overflow\w*|bugs?)\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"\b(?:not|no longer|never|need\w*|unnecessar\w*|superfluous|instead|until|unclear|should|remov\w+|conflict\w*|"
    r"mitigat\w+|dubious|risk\w*|unsafe|complain\w*|complicat\w*|complexity)\b|n['’]t\b",
    re.IGNORECASE,
)
_NO_REASON = re.compile(
    r"https?://|\{F\d|```|\||<[a-z/]+>|__\w+__|\w = |^\S+$|\b[0-9a-f]{12,40}\b|commandeer|differential revision|"
    r"\bthe following\b|"
    r"^(?:as (?:per )?title|see |tsia|n/?a\b|reversing changes|if (?:you believe|this diff)|re-?land|here we are|"
    r"had to|however|now,|\(the context|earlier|the error message|example of|this was introduced|"
    r"we're generating|please|this is an automated|automated|generated|depends on|test plan|cc\b)|[:,]$",
    re.IGNORECASE,
)


def quote_of(change: Change, *, generous: bool = False) -> Quote | None:
    """The sentence of a change's body that says best why, or with what effect; none where no rule is sure of one. One
    that is `generous`, as for a month of few titles, says more in whatever way."""
    commit = change.lead
    if change.kind in ("revert", "release") or not commit.body:
        return None
    title = title_of(commit).words
    for sentence in () if messages(commit.body) else _statements(commit):
        if _stands_alone(sentence, title) and (_helps(sentence, title) or _is_all(sentence, commit, title)):
            return _quote(sentence, commit)
    return _explanation(commit, title) if generous else None


def _explanation(commit: Commit, title: str) -> Quote | None:
    """What else of a body explains its title, where little else is said: it need not stand alone, as it stands below
    the title."""
    for block in () if messages(commit.body) else blocks(commit.body):
        if block.part != "said" or block.kind == "line" or not block.is_whole:
            continue
        for sentence in sentences(block.text)[:MOST_READ]:
            if (
                SHORTEST_GENEROUS <= len(sentence) <= LONGEST_GENEROUS
                and is_whole(sentence)
                and sentence[-1] != "?"
                and not _NO_START.match(sentence)
                and not _NOWHERE.search(sentence)
                and new_words(sentence, title)[0] >= FEWEST_NEW
                and block.kind == "prose"
                and not _is_of_before(sentence)
                and (quote := _quote(sentence, commit))
            ):
                return quote
    return None


def message_of(commit: Commit, longest: int) -> str:
    """What people wrote in a commit's body, a paragraph or an item a line, as far as it fits: without labels, trailers,
    logs, code, and how it was tested."""
    said = (one for one in blocks(commit.body) if one.part != "tested" and one.kind != "line")
    return shortened("\n".join(f"- {one.text}" if one.kind == "item" else one.text for one in said), longest)


def reason_of(commit: Commit) -> Quote | None:
    """Why a commit reverts something: the first sentence of its body that says so."""
    read = 0
    for block in blocks(commit.body):
        if block.part == "tested" or block.kind == "line":
            continue
        for sentence in sentences(block.text):
            read += 1
            if read > MOST_FOR_REASON:
                return None
            if not 8 <= len(sentence) <= LONGEST_REASON or not is_whole(sentence) or _NO_REASON.search(sentence):
                continue
            if not (
                _CAUSE.search(_QUOTED.sub("", sentence))
                or (_WHY.search(sentence) and not _SAYS_ONLY_SO.match(sentence))
            ):
                continue
            if not new_words(sentence, commit.subject)[0]:
                continue
            return _quote(sentence, commit)
    return None


def may_have_reason(commit: Commit) -> bool:
    """Whether a message speaks of a cause, or holds anything that people wrote, be it in no sentence to be quoted."""
    if any(_CAUSE.search(line) and "Commandeer" not in line for line in (commit.subject, *commit.body.splitlines())):
        return True
    said = (one for block in blocks(commit.body) if block.part != "tested" for one in sentences(block.text))
    return not all(_SAYS_ONLY_SO.match(one) or _NO_REASON.search(one) for one in said)


def _quote(sentence: str, commit: Commit) -> Quote | None:
    try:
        return Quote(sentence, commit, "body")
    except ValueError:  # the lines that it stands in are marked up, so that it does not stand there as it reads
        return None


def _statements(commit: Commit) -> Iterator[str]:
    """The sentences of the first paragraph behind "Summary:", or of what an update puts in its place."""
    body = commit.body
    if updated := list(_UPDATED.finditer(body)):
        body = body[updated[-1].end() :]
    for block in blocks(body):
        if block.part == "said" and block.kind == "prose" and block.is_whole:
            yield from sentences(block.text)[:MOST_READ]
            return


def _is_all(sentence: str, commit: Commit, title: str) -> bool:
    """Whether a sentence is all that a body says, and says something that the title does not."""
    said = [block for block in blocks(commit.body) if block.kind != "line" and block.part != "tested"]
    if len(said) != 1 or said[0].text != sentence:
        return False
    new, every = new_words(sentence, title)
    return 2 * new >= every and new_words(title, sentence)[0] > 0  # which else only repeats it


def _stands_alone(sentence: str, title: str) -> bool:
    if not SHORTEST <= len(sentence) <= LONGEST or not is_whole(sentence) or sentence[-1] == "?":
        return False
    if _NO_START.match(sentence) or _NOWHERE.search(sentence) or _is_of_before(sentence):
        return False
    first = sentence.split(maxsplit=1)[0]
    return not (_IDENTIFIER.search(first) and first.strip("`'\"()").casefold() not in title.casefold())


def _is_of_before(sentence: str) -> bool:
    """Whether a sentence tells what was before the change or comes after it, or is a piece of a sentence or a list."""
    if _BEFORE.search(sentence) or (_FAULT.search(sentence) and not _REMEDY.search(sentence)):
        return True
    return sentence[0].islower() and "_" not in sentence.split()[0]


def _helps(sentence: str, title: str) -> bool:
    """Whether a sentence says an effect or a reason of what its title names, in other words than its title."""
    new, every = new_words(sentence, title)
    if not _EFFECT.search(sentence) or new < FEWEST_NEW or new * 10 < every * 4:
        return False
    named = {word.casefold()[:5] for word in _STEMS.findall(title)}
    return not named.isdisjoint(word.casefold()[:5] for word in _STEMS.findall(sentence))
