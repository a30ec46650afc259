"""A commit's subject as a sentence in the past tense, in the developer's own words. Pure.

A subject that begins with a verb is inflected: "Add X and fix Y" → "Added X and fixed Y." What has no verb gets one
that claims no more than is known: "build.rs fix" → "Fixed build.rs.", "NIC choice" → "Worked on NIC choice." What is a
clause of its own is quoted, and what says nothing is told by the files that were changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.month.titles import title_of as undoing_of
from bot.story.wording import clean, count, shortened
from bot.story.words.beside import place_of
from bot.story.words.subjects import (
    FIXING,
    LONGEST,
    PREPOSITIONS,
    Reading,
    Subject,
    balanced,
    is_noun,
    read,
    taken_apart,
)
from bot.story.words.verbs import BEHAVES, NOUNY, PROGRAM_ADVERBS, VERBS, Form, Verb, verb_of, words_of

LONGEST_SENTENCE = 200
NOTHING_SAID = "Made a change without a description"
_LONGEST_PATH = 80
_LONGEST_PLACED = 120
_SHORT = 4  # words of an object behind which "in the component" reads well

_VAGUE = words_of(
    "wip update updates fix fixes minor misc changes change stuff test tests tmp temp nit nits cleanup cleanups "
    "refactor save progress initial more work commit oops refactoring formatting format style backup checkpoint "
    "merge done todo na n/a none nothing"
) | {
    "work in progress",
    "more work",
    "some work",
    "no message",
    "empty log message",
    "empty commit message",
    "see title",
    "as title",
}
_FIRST_COMMIT = re.compile(r"(?:the )?(initial|first) (?:commit|check-?in|import)", re.IGNORECASE)
_VERSION = re.compile(
    r"(?:version |release )?(v?\d+\.\d+(?:\.\d+)*(?:[.-]?(?:rc|a|b|alpha|beta|dev|post)[.-]?\d*)?)", re.IGNORECASE
)
_BACKED_OUT = re.compile(r"\bback(?:s|ed|ing)?[ -]?out\b|\bunland", re.IGNORECASE)
_BLAMED = re.compile(r"blamed \"?D\d+: (.+?)\"? for [^\"]{0,40}$")
_ANOTHER = re.compile(
    r"(?P<sep>,? and then |,? then |,? and also |, and |, also | and |, |; | \+ | & |\. | - and | - | -- |: )"
    r"(?P<verb>[A-Za-z][a-z-]+|[A-Z]{3,})(?P<end>(?= )|$)"
)
_AFTER_AN_INFINITIVE = re.compile(
    r"\b(?:can|could|should|will|would|must|may|might|cannot|don't|not|never|let|lets|make|makes|help|helps|do|does|"
    r"doesn't|they|we|you)\b|\bto (?:[a-z]+ly )?(?P<verb>[a-z-]+)\b"
)
# Verbs that are followed when they come second, though they may be nouns: hardly ever there.
_ALSO_VERBS = words_of(
    "fix update use change move refactor switch cleanup revert upgrade bump drop start stop reuse wrap skip "
    "support swap split export import document wire route mark pin port store"
)
_NUMBERS = words_of("one two three four five six seven eight nine ten i ii iii iv")
_PROGRAM_PARTS = words_of(
    "routine routines function functions method methods op ops operator operators kernel kernels helper helpers api "
    "apis support tests command commands step steps stage stages phase phases call calls path paths hook hooks"
)
# "fix: more logs" did not fix the logs.
_MORE = words_of(
    "more better less fewer faster slower larger bigger smaller longer shorter nicer cleaner safer stricter simpler "
    "clearer improved extra additional another new"
)
_OPERATIONS = words_of("scatter gather select reduce compile infer flatten permute embed fuse")  # "scatter dispatch"
_NEXT_SENTENCE = re.compile(r"(?<=[^\W\d]{3})\. (?=(?P<next>[A-Z][a-z]+) )")
_GOVERNING = words_of("make let have help allow enable teach")
# Ordinary words that need no capital within a sentence. Any other may be a name.
ORDINARY = words_of(
    "a an the new small minor better more initial basic dynamic some simple quick first second another additional "
    "various generic general custom optional temporary unused missing additional experimental explicit "
    "deterministic selective faster fast further improvements improvement changes fixes fix bugfix cleanup "
    "support follow-up followup preliminary partial full multiple single separate specialized specialization lazy "
    "automatic manual extra final various many typo typos code comments documentation docs tests test unit "
    "example examples tutorial implementation performance memory bug bugs refactoring refactor removal "
    "miscellaneous misc assorted tiny trivial proper correct consistent internal external shared common local "
    "global remote distributed dedicated fused grouped batched sparse dense jagged quantized optimized unified "
    "improved adaptive persistent configurable default benchmark benchmarks logging error errors warning warnings "
    "crash no only not robust cosmetic whitespace spelling grammar formatting style daily tentative automated two "
    "three several one second third final last possible potential large big huge open-source private public "
    "static doc user users op ops key keys log logs attention license grid"
)

_WITH_AN_ARTICLE = words_of(
    "minor small quick temporary proper bug simple possible tiny big large second further internal trivial slight "
    "important real better hot obvious general partial full basic preliminary cosmetic little typo fix bugfix "
    "hotfix automated automatic tentative documentation test build lint code"
)
_COUNTING = words_of(
    "a an the minor small slight more initial some additional better various misc several many automated tentative"
)


_ANYTHING = re.compile(  # "various small improvements and fixes"
    r"(?=.*\b(?:some|various|several|misc|miscellaneous|more|many|other|general|few)\b)"
    r"(?:(?:some|various|several|misc|miscellaneous|minor|small|more|many|other|general|a few|few|tiny) )+"
    r"(?:(?:fixes|improvements|changes|updates|tweaks|clean-?ups|edits|modifications|enhancements|adjustments|things|stuff)"
    r"(?: and |, | & |$))+"
)


def sentence(subject: str, paths: Sequence[str] = ()) -> str:
    """The subject as a whole sentence of at most 200 characters that begins with a verb, or with an adverb and one."""
    text = _ended(shortened(_told(subject, paths), LONGEST_SENTENCE))
    return text if text.endswith(("…", "...", "…”", ".”")) else f"{text}."


def clause(subject: str, paths: Sequence[str] = ()) -> str:
    """The sentence as it stands in a list: "It also fixed X, renamed Y and …", without a capital and a full stop."""
    return as_clause(sentence(subject, paths))


def as_clause(whole: str) -> str:
    """A sentence as it stands in a list."""
    text = whole.split(". ", 1)[0]
    text = text if balanced(text) == text else whole  # a full stop within a quotation ends no sentence of ours
    return text[:1].lower() + (text[1:] if text.endswith("...") else text[1:].removesuffix("."))


def undone(subject: str) -> tuple[str, str] | None:
    """What a subject takes out or brings back, as ("Backed out", "“X”"); None if it does not say so."""
    deed = undoing_of(clean(subject[:LONGEST]))
    if not deed.does or not deed.names:
        return None
    head = clean(subject[:LONGEST])
    does = (
        "Brought back" if deed.does == "brings back" else "Backed out" if _BACKED_OUT.search(head[:60]) else "Reverted"
    )
    blamed = _BLAMED.search(head) if "blamed" in head else None
    name = blamed[1] if blamed else deed.names[0].title.strip()
    if not name:
        return None  # "Revert D123 to unblock X" is a sentence with a verb
    several = f" and {count(len(deed.names) - 1, 'more change')}" if len(deed.names) > 1 and deed.names[1].title else ""
    return (f"Partly {does.lower()}" if deed.partly else does), f"“{_inside(name)}”{several}"


def _inside(title: str) -> str:
    """A title as it stands between quotation marks."""
    within = balanced(shortened(title, LONGEST_SENTENCE - 60)).strip(" .,").lstrip(":;- ")
    if within[:1] in '"“' and within[-1:] in '"”' and within.count('"') + within.count("“") < 3:
        within = within[1:-1]
    return balanced(within.replace("“", '"').replace("”", '"')) or "…"


def nothing_said(paths: Sequence[str]) -> str:
    """ "Changed bot/index/git.py and 3 more files", for a subject that says nothing."""
    named = list(dict.fromkeys(one for path in paths if (one := clean(path))))
    return f"Changed {_files(named)}" if named else NOTHING_SAID


def _files(named: Sequence[str]) -> str:
    first = balanced(named[0]) or named[0]
    first = first if len(first) <= _LONGEST_PATH else shortened(first.rpartition("/")[2], _LONGEST_PATH)
    return first if len(named) == 1 else f"{first} and {count(len(named) - 1, 'more file')}"


def says_nothing(subject: Subject, reading: Reading) -> bool:
    """Whether all the words are ones that anybody might write of any change."""
    if reading.nature == "empty":
        return True
    words = subject.words.lower().strip("!*. ")
    return (
        words in _VAGUE
        or _ANYTHING.fullmatch(words) is not None
        or (reading.nature in ("verb", "deed") and reading.rest.lower() in ("fix", "fixes", "stuff", "things", "wip"))
    )


def version_of(words: str) -> str | None:
    """The version, where the words are nothing else: "v1.2.3", "Version 1.2"."""
    found = _VERSION.fullmatch(words)
    return found[1] if found else None


def _told(subject: str, paths: Sequence[str]) -> str:
    if done := undone(subject):
        return " ".join(done)
    part = taken_apart(subject)
    reading = read(part.words)
    if first := _FIRST_COMMIT.fullmatch(part.words):
        return f"Made the {first[1].lower()} commit"
    if says_nothing(part, reading):
        return f"Worked on {part.scope}" if part.scope and not paths else nothing_said(paths)
    place = place_of(part)
    if (version := version_of(part.words)) and not place:
        return f"Released {version}"
    told = _unfinished(part, reading) if part.is_open else _worded(part, reading, paths)
    return balanced(_in_component(_in_place(told, place, part, reading) if place else told, part, reading, place))


def _unfinished(part: Subject, reading: Reading) -> str:
    """What is not done, or not to stay, as that: "WIP: add X" → "Worked on adding X"."""
    verb, rest = reading.verb, reading.rest
    if reading.nature in ("clause", "not"):
        return f"Worked on “{_inside(part.words)}”"
    if reading.nature == "stop" and verb:
        adverb = f"{reading.adverb} " if reading.adverb else ""
        return f"Worked on no longer {adverb}{verb.ing} {rest}".rstrip()
    if reading.nature != "verb" or not verb:
        return f"Worked on {uncapital(part.words)}"
    adverb = f"{reading.adverb} " if reading.adverb else ""
    told = _seconds(rest, reading, "ing")
    if verb.base == "support" and not adverb:
        return f"Worked on support {_supported(told)}"
    return f"Worked on {adverb}{verb.ing} {told}"


def _in_place(text: str, place: str, part: Subject, reading: Reading) -> str:
    """Words about documentation or tests that do not name them: "Dropped support for 3.8 in the documentation"."""
    if text.startswith(("Made it ", "Worked on “")) or reading.nature in ("noun", "clause"):
        is_quoted = reading.nature in ("clause", "not")
        return f"Worked on {place}: {f'“{_inside(part.words)}”' if is_quoted else uncapital(part.words)}"
    if len(text) > _LONGEST_PLACED or ". " in text or ": " in text or not (text[-1:].isalnum() or text[-1:] in '`")'):
        return f"{text} ({place})"
    own = part.scope and " " not in part.scope and part.scope.lower() not in text.lower()
    return f"{text} in the {part.scope} {place}" if own else f"{text} in the {place}"


def _worded(part: Subject, reading: Reading, paths: Sequence[str]) -> str:
    """The words of a subject with a verb before them, without the component."""
    rest = reading.rest
    match reading.nature:
        case "verb" if reading.verb:
            return _inflected(reading.verb, reading)
        case "stop" if reading.verb:
            adverb = f"{reading.adverb} " if reading.adverb else ""
            return f"Stopped {adverb}{reading.verb.ing} {rest}".rstrip()
        case "not":
            return f"Made it not {rest}"
        case "deed" if reading.verb:
            return f"{_capital(reading.verb.past)} {uncapital(rest)}"
        case "support":
            return f"Added {uncapital(_seconds(rest, Reading('verb', rest, VERBS['add'])))}"
        case "made":
            where = f" in {_files(paths)}" if paths and len(rest.split(" ")) < 3 and not part.scope else ""
            article = _article(rest)
            return f"Made {article}{uncapital(rest)}{where}"
        case "noun":
            first = rest.partition(" ")[0].lower()
            if first in ("typo", "typos", "typo:"):
                return f"Fixed {uncapital(rest)}"
            if first in ("workaround", "work-around") and " " in rest:
                return f"Added a {uncapital(rest)}"
            if part.prefix in FIXING and first in _MORE:
                return f"Made a fix: {uncapital(rest)}"
            if part.prefix in FIXING and "fix" in rest.lower().split(" ")[:5]:
                return f"Made {_article(rest)}{uncapital(rest)}"
            if part.prefix in FIXING:
                return f"Fixed {uncapital(rest)}"
            if part.prefix in ("feat", "feature"):
                return f"Added {uncapital(rest)}"
            if part.prefix in ("revert", "rev"):
                return f"Reverted {uncapital(rest)}"
            if (" -> " in rest or " → " in rest) and len(rest.split(" ")) < 7:
                return f"Changed {uncapital(rest)}"
            return f"Worked on {uncapital(_seconds(first_sentence(rest), reading))}"
        case _:
            return f"Worked on “{_inside(rest)}”"


def _article(words: str) -> str:
    """The article before a quick fix; none before fixes, or before what it is not known how one says."""
    tokens = uncapital(words).split(" ")
    end = next((at for at, token in enumerate(tokens) if token in PREPOSITIONS), len(tokens))
    if end == 0 or tokens[end - 1].rstrip(",;:.").endswith("s") or tokens[0] not in _WITH_AN_ARTICLE:
        return ""
    return "an " if tokens[0][:1] in "aeiou" else "a "


def _inflected(verb: Verb, reading: Reading) -> str:
    rest = reading.rest
    low = rest.partition(" ")[0].lower()
    if verb.base == "fix" and low in ("fix", "fixes", "fixed"):  # "fixes fix test"
        rest = rest.partition(" ")[2] or rest
    if verb.base == "support" and not reading.adverb:
        governs = supported(rest) != rest.removeprefix("for ")  # "Support read and sort rows"
        return f"Added support {_supported(_seconds(rest, reading, 'ing' if governs else 'past'))}"
    if verb.base == "open" and low == "source":
        return f"Open-sourced {_seconds(rest.partition(' ')[2], reading)}"
    told = _seconds(rest, reading)
    if reading.form != "past" and (reading.adverb in PROGRAM_ADVERBS or _behaves(verb, low)):
        adverb = f"{reading.adverb} " if reading.adverb else ""
        return f"Made it {adverb}{verb.base} {rest}"
    past = f"{reading.adverb} {verb.past}" if reading.adverb else verb.past
    return f"{_capital(past)} {told}"


def _supported(rest: str) -> str:
    """What support is for: "for rows"; "for sorting rows", where a verb follows."""
    first, _, after = rest.partition(" ")
    known = verb_of(first.lower()) if first.islower() and first not in _OPERATIONS else None
    is_verb = known and known[1] == "base" and after and first not in NOUNY and not first.endswith("size")
    following = after.lower().split(" ")
    if known and is_verb and following[0] not in PREPOSITIONS and not is_noun(first, "base", following):
        return f"for {known[0].ing} {after}"
    return rest if first.lower() == "for" else f"for {rest}"


def supported(rest: str) -> str:
    """What support is for, without the "for"."""
    return _supported(rest).removeprefix("for ")


def first_sentence(words: str) -> str:
    """The words up to a full stop with a sentence behind it: "rows availability. And add a check"."""
    found = _NEXT_SENTENCE.search(words)
    if not found or ((known := verb_of(found["next"].lower())) and known[1] == "base"):
        return words  # what begins with a verb can be told behind it
    return words[: found.start()]


def _behaves(verb: Verb, after: str) -> bool:
    if verb.base == "default":
        return after == "to"
    if verb.base == "error":
        return after in ("out", "if", "when", "on")
    return verb.base in BEHAVES


def _seconds(rest: str, reading: Reading, form: Form = "past") -> str:
    """What follows a verb, with the further verbs that are parallel to it in the past, too (or with an -ing)."""
    pieces: list[str] = []
    start = 0
    rest = f" {rest}"
    for match, verb in _parallel(rest, reading):
        sep = ("; " if match["sep"] == ". " else match["sep"]) if reading.verb or start else " and "
        pieces += [rest[start : match.start()], sep, verb.ing if form == "ing" else verb.past]
        start = match.end()
    return "".join((*pieces, rest[start:])).removeprefix(" ")


def seconds_at(rest: str, reading: Reading) -> int | None:
    """Where in what follows a verb the next verb that is parallel to it is joined, if there is one."""
    return next((max(match.start() - 1, 0) for match, _ in _parallel(f" {rest}", reading)), None)


def _parallel(rest: str, reading: Reading) -> Iterator[tuple[re.Match[str], Verb]]:
    start = 0
    main, form = reading.verb, reading.form
    for match in _ANOTHER.finditer(rest):  # " and fix X" of "Test and fix X", too
        word = match["verb"]
        known = verb_of(word.lower())
        is_listed = match["sep"].strip(" ,") in ("", "and", "&")
        if word[:1].isupper() and is_listed and (reading.is_small or not _is_title(word, rest)):
            continue  # "add Future and Handle tests", "FUSE integration": a name
        before = rest[start : match.start()]
        if known and _is_parallel(known, form, before, match["sep"], rest[match.end() :], main, start > 0):
            yield match, known[0]
            start = match.end()


def _is_title(word: str, rest: str) -> bool:
    """Whether a word with a capital may yet be a verb: not where it is all capitals and the rest is not."""
    return not word.isupper() or rest.isupper()


def _ends_as_noun(verb: Verb, main: Verb | None, last: str, following: Sequence[str], after: str) -> bool:
    """Whether a verb is none because of the single word behind it: "attempt 2", "and publish date"."""
    if len(following) != 1 or len(after.split()) != 1:
        return False
    word = following[0]
    if word.isdigit() or word in _NUMBERS:
        return True
    if verb.base == "publish":
        return word == "date"
    before = verb_of(last)  # "Add cache load and evict routines", "Add pack and unpack uint5"
    if main is None or main.base not in ("add", "implement", "impl", "introduce", "create", "support") or not before:
        return False
    return before[1] == "base" and (word in _PROGRAM_PARTS or verb.base.endswith(before[0].base))


def _is_parallel(
    known: tuple[Verb, Form], form: Form, before: str, sep: str, after: str, main: Verb | None, later: bool
) -> bool:
    """Whether a word is another verb of what the developer did."""
    verb, own = known
    if own == "past" or own not in ("base", form) or (not after.strip(" .,;") and sep not in (", and ", " and ")):
        return False
    following = [one.strip(",;:.").lower() for one in after.split(" ", 3)[1:3]]
    if not following and main and not later and not before.strip():
        return True  # "Bump and relock"
    if not following or not following[0][:1].strip("+&|=<>/") or is_noun(verb.base, own, following):
        return False
    if _ends_as_noun(verb, main, before.rpartition(" ")[2].strip(",").lower(), following, after):
        return False
    if (
        verb.base in NOUNY
        and verb.base not in _ALSO_VERBS
        and not (verb.base == "point" and following[0] in ("to", "at"))
        and following[0] not in ("the", "a", "an", "all", "its", "their", "it")
    ):
        return False
    last = before.rpartition(" ")[2].strip(",").lower()
    if not last:
        return main is not None and not before.strip()
    nearby = verb_of(last)
    if (
        nearby
        and nearby[1] == "base"
        and (nearby[0].base not in NOUNY or (main is not None and _governs(main, before)))
    ):
        return False  # "Let users load and save", "Implement add, remove and contains"
    if sep.endswith("and ") and re.search(r"\b(?:both|between)\b", before):
        return False
    if sep in (". ", "; "):
        return main is not None or last.strip(";:.") not in ("and", "or")
    if main is None:
        return last.strip(";:.") not in ("and", "or") and sep in (", ", ": ")
    if main.base in BEHAVES or main.base in ("do", "be"):
        return False
    if (
        main.base in _GOVERNING
        and not later
        and any(
            (one := verb_of(token)) and one[1] == "base" and one[0].base not in NOUNY
            for token in before.lower().split(" ")
        )
    ):
        return False
    for found in _AFTER_AN_INFINITIVE.finditer(before):
        if not found["verb"] or ((one := verb_of(found["verb"])) and one[1] == "base"):
            return False
    return True


def _governs(main: Verb, before: str) -> bool:
    """Whether a verb has others under it: "Let users load", "Enable users to load", but not "Enable the CUDA build"."""
    return main.base in _GOVERNING and (main.base not in ("enable", "allow") or " to " in before)


def _in_component(text: str, part: Subject, reading: Reading, place: str | None) -> str:
    """The words with the component the subject was about, where they do not name it."""
    scope = part.scope
    words = reading.rest.split(" ")
    if not scope:
        tag = part.component
        if not tag or len(words) > _SHORT or len(tag) > 30:
            return text
        scope = tag
    if scope.lower() in text.lower() or scope.lower() in ("all", "various", "general", "*"):
        return text
    if part.scope and text.startswith("Made it ") and " " not in scope:
        return f"Made {scope} {text.removeprefix('Made it ')}"
    plain = not place and reading.nature in ("verb", "deed", "support", "made") and len(words) <= _SHORT
    if plain and part.scope and not _has_a_place(words) and text[-1:].isalnum():
        return f"{text} in {scope}"
    return f"{text} ({scope})"


def _has_a_place(words: Sequence[str]) -> bool:
    return any(
        word.lower()
        in (
            "in",
            "on",
            "at",
            "to",
            "from",
            "for",
            "into",
            "when",
            "if",
            "with",
            "and",
            "or",
            "by",
            "of",
            "as",
            "via",
            "up",
            "out",
        )
        for word in words
    )


def uncapital(text: str) -> str:
    """Text as it goes on within a sentence: an ordinary word loses its capital, a name or an identifier keeps it."""
    first, _, rest = text.partition(" ")
    word = first.rstrip(",:;")
    if word.lower() in _COUNTING and word.istitle():
        return text[:1].lower() + text[1:]
    if not (word[:1].isupper() and word[1:].islower()) or rest[:1].isupper():
        return text  # "Dedicated Resource Manager" may be a name
    return text[:1].lower() + text[1:] if word.lower() in ORDINARY or verb_of(word.lower()) else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ended(text: str) -> str:
    """Text ready for its full stop, whole again where it was cut within brackets or quotation marks."""
    text = balanced(text)
    return text if text.endswith(("..", "…")) else text.rstrip(" .,;:!?-–—")
