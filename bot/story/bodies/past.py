"""What a sentence of a body says was done, told in the past tense where that is sure to be right. Pure."""

from __future__ import annotations

import re

from bot.story.bodies import evidence_words as words
from bot.story.bodies.prose import is_abbreviated
from bot.story.proving.grammar import mistakes
from bot.story.words.verbs import BEHAVES, NOUNY, Verb, verb_of


def as_told(sentence: str) -> tuple[str, bool]:
    """A sentence of a body as a story tells it, and whether it has to stand in quotation marks.

    What says itself what the change did is told in the past tense ("This PR adds X" and "Add X" as "Added X"). All
    else, and all that is not surely a whole sentence when so told, is returned as it is: the developer's own words.
    """
    told, is_quote = _both_told(sentence)
    return (sentence, True) if is_quote or mistakes(told) else (told, False)


def _both_told(sentence: str) -> tuple[str, bool]:
    """A sentence, or two clauses with a semicolon between them that can both be told."""
    pieces = words.TWO.split(sentence)
    if len(pieces) == 2 and len(sentence) <= words.LONGEST_JOINED:
        (first, is_quote), (second, also) = map(_as_told, pieces)
        if not (is_quote or also):
            return f"{first}; {second[0].lower()}{second[1:]}", False
    return _as_told(sentence)


def _as_told(sentence: str) -> tuple[str, bool]:
    if doing := words.WE_ARE.match(sentence):
        sentence, unchanged = sentence[doing.end() :], sentence
        told, is_quote = _as_told(sentence)
        known = verb_of(sentence.split(" ", 1)[0].lower())
        return (unchanged, True) if is_quote or known is None or known[1] != "ing" else (told, False)
    found = words.BY_CHANGE.match(sentence)
    expected = _expected(found) if found else ("base", "third", "past", "ing")
    begins = words.VERB.match(sentence, found.end() if found else 0)
    if begins is None:
        return sentence, True
    word, rest = begins["verb"].lower(), sentence[begins.end() :]
    known = None if word == "lets" else verb_of(word)
    if known is None or known[1] not in expected or not _may_be_told(known[0], rest):
        return sentence, True
    verb, form = known
    if found is None and form == "past" and not (verb.base in words.DEEDS or words.OBJECT.match(rest)):
        return sentence, True  # "Coalesced loads pass the check"
    if found is None and form in ("base", "third") and verb.base in NOUNY and not _has_object(verb, rest):
        return sentence, True  # "Support for X", "Changes to Y": no verb
    if form == "ing" and _holds_a_verb(rest):
        return sentence, True  # "Adding X makes Y faster"
    further = _coordinated(rest, form)
    if further is None:
        return sentence, True
    text = f"{verb.past}{further}"
    return text[0].upper() + text[1:], False


def _expected(found: re.Match[str]) -> tuple[str, ...]:
    """The forms of the verb behind "This diff", "These changes", "In this PR, we"."""
    if found["one"] or found["bare"]:
        return ("third", "base") if found["one"] else ("third",)
    return ("base",) if found["several"] else ("base", "past")


def _may_be_told(verb: Verb, rest: str) -> bool:
    """Whether what follows the verb is the rest of a clause whose subject is the change."""
    return not (
        verb.base in BEHAVES
        or verb.base in words.NOT_DONE
        or not rest.strip(" .")
        or (verb.base in ("add", "introduce", "create") and words.HARM.match(rest))  # what was wrong
        or (verb.base in ("use", "add") and rest.startswith(" to "))
        or (verb.base == "open" and rest.startswith(" sourc"))  # one verb in two words
        or words.OWN_VOICE.search(words.NOW_IN_A_CLAUSE.sub(r"\g<clause>", rest))
        or words.CLAUSE_INSIDE.search(rest)
        or words.FINITE.match(words.CODE.sub("x", rest))
        or any(not is_abbreviated(rest[: end.end()]) for end in words.INNER_END.finditer(rest))
    )


def _has_object(verb: Verb, rest: str) -> bool:
    """Whether a word that may be a noun is a verb at the head of a sentence."""
    if words.OBJECT.match(rest):
        return True
    return verb.base in words.BEGINNING and not words.NO_OBJECT.match(rest)


def _holds_a_verb(rest: str) -> bool:
    rest = words.CODE.sub("x", rest)
    forms = (verb_of(word) for word in re.findall(r"[a-z]+", rest))
    return words.FINITE_ANYWHERE.search(rest) is not None or any(known and known[1] == "third" for known in forms)


def _coordinated(rest: str, form: str) -> str | None:
    """The rest with its further verbs in the past; None where it is not sure which words are verbs."""
    told, last = [], 0
    if any((one := verb_of(found["verb"].lower())) and one[1] == form for found in words.AND_ADVERB.finditer(rest)):
        return None  # "Use X and only forward Y"
    for found in words.ANOTHER.finditer(rest):
        known = verb_of(found["verb"].lower())
        follows = rest[found.end() :]
        if known is None or known[1] not in ("base", "third", "ing") or (known[1] == "ing" and form != "ing"):
            continue
        verb = known[0]
        if form == "ing" and (known[1] != "ing" or " " not in found[0].strip()):
            continue  # ", keeping Y" is said of the way in which it was done
        if known[1] != form:
            is_verb = words.OBJECT.match(follows) or words.THIS_ONE.match(follows)
            if is_verb and (", and" in found[0] or not words.INFINITIVE.search(rest[: found.start()])):
                return None  # "adds X and fix the Y"
            continue
        if words.GOVERNED.search(rest[: found.start()]):
            return None  # of an infinitive, perhaps, or of a clause: "to read X and write Y"
        if form == "base" and words.ONWARD.match(follows):
            return None  # "Compute X and pass into Y"
        if not words.OBJECT.match(follows):
            if verb.base in NOUNY or form == "third":
                if words.NO_OBJECT.match(follows):
                    continue  # a noun: "adds guards and checks."
                return None
            if not follows.startswith(" "):
                return None
        told.append(f"{rest[last : found.start('verb')]}{verb.past}")
        last = found.end("verb")
    return "".join((*told, rest[last:]))
