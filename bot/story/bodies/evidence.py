"""The one sentence of a commit's body that says best what was done, why or with what effect. Pure.

Prose comes first; where none of it is worth telling, the items of a list, and of a squash one of its messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bot.story.bodies import evidence_words as words
from bot.story.bodies.past import as_told
from bot.story.bodies.prose import LONGEST_SUBJECT, blocks, is_whole, messages, new_words, sentences
from bot.story.words.remembered import remembered
from bot.story.words.verbs import verb_of

__all__ = ["LONGEST_SENTENCE", "as_told", "why_and_effect"]

LONGEST_SENTENCE = 240
FEWEST_WORDS, MOST_WORDS = 5, 34
_MOST_READ = 14  # sentences
_MOST_ITEMS = 24  # of lists, or messages of a squash
_FIRST = 0.6
_LEAST = 1.5  # what a sentence must score to be told
_LEAST_TOLD = 0.9  # the same of one that says itself what was done
_LEAST_NEW = 3  # words beside the subject's
_LEAST_SHARE = 0.35  # of two such words, in what tells the same deed
_LEAST_LISTED = 1.4  # the same of an item of a list, or of one message of several


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    part: str = "said"
    is_item: bool = False
    is_first: bool = False  # nothing that was said before it could be what it speaks of
    is_verbatim: bool = True


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a sentence is compared with, read once."""

    text: str
    rare: frozenset[str]
    is_repair: bool
    is_beside: bool  # of tests, documents and the like, of which nothing else would be told

    @classmethod
    def of(cls, text: str) -> _Subject:
        text = text[:LONGEST_SUBJECT]
        repairs, beside = words.REPAIRS.search(text), words.BESIDE.search(text)
        return cls(text, _rare(text), repairs is not None, beside is not None)


@remembered
def why_and_effect(body: str, subject: str) -> str | None:
    """The sentence of a body that tells best what was done, why or with what effect; None where none is worth telling.

    It stands in the body word for word, without what only made sense beside other sentences. Only its first letter may
    have become a capital, and a full stop may be new. What `as_told` tells in the past may besides have lost the
    address of a link, and may be two items of a list with a semicolon between them. A sentence that says the subject
    again is not told.
    """
    about = _Subject.of(subject)
    several = messages(body)
    best = _best_of(several, about) if several else _best(body, about)
    if best is None:
        return None
    best = words.LOOSE_END.sub(".", best)
    best = best if words.ENDED.search(best) else f"{best}."
    return best[0].upper() + best[1:] if words.ORDINARY.match(best) else best


def _best(body: str, about: _Subject) -> str | None:
    """The best sentence of one message, or the best items of its lists."""
    best, highest = None, 0.0
    items: list[tuple[int, float, str]] = []
    number = -1
    for one in islice(_candidates(body), _MOST_READ + _MOST_ITEMS):
        if one.is_item:
            if len(items) < _MOST_ITEMS:
                items.append((len(items), _listed(one.text, about), one.text))
            continue
        number += 1
        if number >= _MOST_READ:
            break
        text = one.text
        if not (_is_fit(text) and _stands_alone(text, one.is_first) and not words.BEFORE.match(text)):
            continue
        told, is_quote = as_told(text if words.ENDED.search(text) else f"{text}.")
        if not is_quote and words.BARE.search(words.EASIER.sub("", told)):
            continue  # "We use it …"
        if (is_quote and not one.is_verbatim) or not _says_more(text, about.text, is_told=not is_quote):
            continue
        if is_quote and _misleads(text):
            continue
        score = _score(text, about, is_told=not is_quote)
        if number == 0 and is_quote and words.WHY.search(text):
            score += _FIRST  # what a body begins with is why
        score -= (0.25 if is_quote else 0.12) * min(number, 10) + (1.0 if one.part == "background" else 0.0)
        score -= _LEAST if is_quote else _LEAST_TOLD
        if score > highest:
            best, highest = text, score
    return best or _joined(items)


def _best_of(several: Sequence[str], about: _Subject) -> str | None:
    """The best sentence of a squash: of the message that speaks for the whole, or one of the others as a whole."""
    first, *_ = several
    heads = [message.split("\n\n", 1)[0] for message in several]
    if new_words(heads[0], about.text)[0] <= 1:
        _, _, first = first.partition("\n")
    if "\n" in first and (best := _best(first, about)):
        return best
    best, highest = None, _LEAST_LISTED
    for number, head in enumerate(heads[:_MOST_ITEMS]):
        text = words.TAG.sub("", " ".join(head.split()))
        text = words.LINKED.sub(r"\g<end>", words.LINK.sub(r"\g<words>", text))
        rare = _rare(text)
        if (
            not rare & about.rare
            or (text[:3].lower() == "fix" and not about.is_repair)
            or any(words.UNDOES.search(one) and _rare(one) & rare for one in heads[number + 1 :])
        ):
            continue
        score = _listed(text, about) - 0.05 * number
        if score > highest:
            best, highest = text, score
    for message in several[1:_MOST_ITEMS] if best is None else ():
        _, _, rest = message.partition("\n\n")
        if rest and (best := _best(rest, about)):
            break
    return best


def _misleads(text: str) -> bool:
    """Whether a quotation would be read as what is so now, or makes sense only beside what is not quoted."""
    if words.SO_NOW.search(text) and not words.OF_THIS.match(text):
        return words.DID.match(text) is None or text[:3].lower() == "we "
    return words.NOT_QUOTED.search(text) is not None


def _joined(items: Sequence[tuple[int, float, str]]) -> str | None:
    """The best item of a list, or the best two with a semicolon between them."""
    good = sorted((one for one in items if one[1] >= _LEAST_LISTED), key=lambda one: -one[1])[:2]
    if not good:
        return None
    texts = [text.rstrip(" .;") for _, _, text in sorted(good)]
    joined = f"{texts[0]}; {texts[-1][0].lower()}{texts[-1][1:]}" if len(texts) > 1 else texts[0]
    if len(joined) <= LONGEST_SENTENCE and len(joined.split()) <= MOST_WORDS and not as_told(f"{joined}.")[1]:
        return joined
    return good[0][2].rstrip(" .;")


def _listed(text: str, about: _Subject) -> float:
    """What an item of a list or a message of a squash is worth: only what says surely what was done counts."""
    text = text.rstrip(" .;")
    if not _is_fit(text) or words.JUNK.search(text) or words.POINTS_BACK.match(text) or words.BARE.search(text):
        return 0.0
    known = verb_of(text.split(" ", 1)[0].lower())
    if known is None or known[0].base not in words.DEEDS or as_told(f"{text}.")[1]:
        return 0.0
    new, every = new_words(text, about.text)
    if new < 3 or new < 0.4 * every:
        return 0.0
    return _score(text, about, is_told=True)


def _candidates(body: str) -> Iterator[_Candidate]:
    """The sentences of the prose before tests and logs, and the items of lists, except lists of what was not done."""
    is_first, of_change, skips = True, False, False
    for block in blocks(body):
        if block.part in ("tested", "before", "after"):
            return
        if block.kind == "item" and block.part == "said" and not skips:
            yield from (_Candidate(text, is_item=True) for text in _item(block.text))
            continue
        if block.kind != "item":
            skips = words.LISTS_ELSE.search(block.text[-120:]) is not None
        if block.kind != "prose" or block.part == "results":
            continue
        for number, sentence in enumerate(sentences(block.text)):
            if not words.ENDED.search(sentence) and (not block.is_whole or words.UNFINISHED.search(sentence)):
                continue
            if words.SAYS_NOTHING.match(sentence):
                continue
            text, is_verbatim = _plain(sentence)
            is_of_change = is_first or of_change or (number == 0 and words.PARAGRAPH_DOES.match(text) is not None)
            yield _Candidate(text, block.part, False, is_of_change, is_verbatim)
            of_change = words.OF_CHANGE.match(sentence) is not None
            is_first = False


def _item(text: str) -> Iterator[str]:
    """The first sentence of an item of a list."""
    text = next(sentences(words.LINKED.sub(r"\g<end>", words.LINK.sub(r"\g<words>", text))), "")
    if not text.endswith(":"):
        yield text


def _plain(sentence: str) -> tuple[str, bool]:
    """A sentence without what points elsewhere: an opening word, an address behind it, that of a link; and whether it
    is still there word for word."""
    plain = words.STRONG.sub(r"\g<words>", sentence)
    text = words.LINKED.sub(r"\g<end>", words.LINK.sub(r"\g<words>", plain))
    text = words.AS_TITLED.sub("", text)
    if opens := words.OPENS.match(text):
        rest = text[opens.end() :]
        verb = words.BY_CHANGE.match(rest) or verb_of(rest.split(" ", 1)[0].lower())
        text = rest if verb else text
    return text, text in plain


def _is_fit(sentence: str) -> bool:
    length = len(sentence.split())
    return (
        len(sentence) <= LONGEST_SENTENCE
        and FEWEST_WORDS <= length <= MOST_WORDS
        and words.BEGINS.match(sentence) is not None
        and not words.FILLER.search(sentence)
        and not words.UNFIT.search(words.GENERIC.sub("", sentence))
        and is_whole(sentence)
        and sum(character.isalpha() for character in sentence) > 0.6 * len(sentence)
    )


def _says_more(sentence: str, subject: str, *, is_told: bool) -> bool:
    """Whether the sentence says enough that the subject does not."""
    new, every = new_words(sentence, subject)
    lettered, _ = new_words(words.DIGITS.sub(" ", sentence), subject)  # "= 0" is no word
    if (
        is_told
        and lettered >= _LEAST_NEW
        and any(name[0] not in subject for name in words.IDENTIFIER.finditer(sentence))
    ):
        return True
    if words.WHY.search(sentence) or words.EFFECT.search(sentence) or words.NUMBER.search(sentence):
        is_much = words.BECAUSE.search(sentence) or any(
            number[0] not in subject for number in words.NUMBER.finditer(sentence)
        )
        return new >= (_LEAST_NEW if is_told and not is_much and new < _LEAST_SHARE * every else 2)
    return lettered >= _LEAST_NEW and new >= 0.4 * every


def _stands_alone(sentence: str, is_first: bool) -> bool:
    """Whether a reader understands the sentence who has read the subject and no more."""
    rest = sentence
    if own := words.OF_THIS.match(sentence) or (
        is_first and (words.THIS_DOES.match(sentence) or words.PARAGRAPH_DOES.match(sentence))
    ):
        rest = sentence[own.end() :]
    elif words.POINTS_BACK.match(sentence):
        return False
    return not words.BARE.search(words.OF_THIS.sub(" ", rest))


def _score(sentence: str, about: _Subject, *, is_told: bool) -> float:
    score = 0.0
    why, effect = words.WHY.search(sentence), words.EFFECT.search(sentence)
    did: object = words.OF_THIS.match(sentence) or words.THIS_DOES.match(sentence) or words.DID.match(sentence)
    did = did or is_told or words.IS_DONE.search(sentence)
    shared = len(_rare(sentence) & about.rare)
    score += 1.6 * bool(why) + 1.6 * bool(effect) + 1.0 * bool(did)
    score += min(shared, 2) * 0.6
    score += 0.5 * bool(words.IDENTIFIER.search(sentence)) + 0.4 * bool(words.NUMBER.search(sentence))
    score -= 1.8 * bool(words.DOUBT.search(sentence))
    if words.BACKGROUND.match(sentence) and not did:
        score -= 1.2 if shared else 1.8
    if not shared and not did:
        score -= 0.6
    if words.WRONG.search(sentence) and not (did or about.is_repair or effect):
        score -= 1.5  # what is wrong would be read as what is so now
    if about.is_repair and not did and words.FAULT.search(sentence):
        score += 0.6 if shared > 1 or words.IDENTIFIER.search(sentence) else 0.3  # what was wrong says why
    if not about.is_beside and words.BESIDE.search(sentence):
        score -= 0.8 if shared < 2 else 0.4
    length = len(sentence.split())
    if length < (6 if is_told else 8) or length > 30:
        score -= 0.5
    return score


def _rare(text: str) -> frozenset[str]:
    """The words by which a sentence is known to speak of the same thing."""
    parts = re.findall(r"[a-z]{4,}|\d{2,}", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())
    return frozenset(part.removesuffix("s")[:8] for part in parts if part not in words.STOP)
