"""A commit's subject, or several, as a short title: a noun phrase in the team's own words. Pure.

One style: what it is about with what was done to it. "Add NIC autodetection" → "NIC autodetection", "Fix crash in X" →
"Crash fix in X", "Remove X and Y" → "Removal of X and Y"; a verb without a noun of its own becomes one with -ing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from bot.model import Kind
from bot.month.lexicon import LEXICON
from bot.story.wording import shortened
from bot.story.words.beside import place_of
from bot.story.words.sentences import (
    NOTHING_SAID,
    ORDINARY,
    first_sentence,
    nothing_said,
    says_nothing,
    seconds_at,
    supported,
    uncapital,
    undone,
    version_of,
)
from bot.story.words.subjects import (
    DETERMINERS,
    FIXING,
    PREPOSITIONS,
    Reading,
    Subject,
    balanced,
    is_noun,
    read,
    taken_apart,
)
from bot.story.words.verbs import NOUNY, Verb, verb_of, words_of

LONGEST_TITLE = 70
_SHORTEST = 14  # a title cut at a phrase keeps at least this much
_OF_A_KIND: dict[Kind, str] = {
    "test": "tests",
    "docs": "docs",
    "build": "build",
    "ci": "CI",
    "performance": "performance",
}

_MAKING = words_of("add introduce create provide implement impl")
# "X fix" rather than "Fix of X", where X is short.
_COMPOUNDS = words_of("fix update cleanup clean upgrade bump refactor integrate sync")
_PARTICLES = words_of("up out off away back down over in on to into with around through together forward apart along")
_ENDINGS = words_of(
    "for of in on to from with at by via as between after before when while without into onto the a an and or but "
    "that which if so because using than per where since until under its their be due + & - -> / = , across "
    "against through over not leads is are was were"
)
# With a single word behind them at the end they say as little as alone: "to fail if optim", "too tiny that leads".
_JOINING = words_of("if that which when while because so but where since until unless")
_BOUNDARIES = words_of(
    "for in on to from with at by via as between after before when while without into and or but that which if so "
    "because using where since until under due across against through over instead rather - + & based such to: "
    "only"
)
_FINITE = words_of("is are was were does do should must can cannot can't doesn't don't isn't aren't will")
_PLACING = words_of("for in on to from with at by via into between across after before when while if of")
_OF_A_PACKAGE = re.compile(r"[a-z][\w-]* (?:bump|upgrade|update) (?:from |to )?v?\d+\.\d")
_CUTS = re.compile(r"(?:[,;:]|\.| -+| –| —)$")


def title(subject: str, paths: Sequence[str] = ()) -> str:
    """A subject as a noun phrase of at most 70 characters, cut where a phrase ends if it is longer."""
    return _labelled(taken_apart(subject), _phrase(subject, paths))


def title_of(subjects: Sequence[str], paths: Sequence[str] = (), kinds: Sequence[Kind] = ()) -> str:
    """The title of several changes, the lead first: the lead's own, under the component, tag or name that most share.

    `paths` are the lead's files. Where all kinds are the same, tests say, the name stands with it: "RDMA tests".
    """
    lead = title(subjects[0], paths) if subjects else title("", paths)
    if len(subjects) < 2:
        return lead
    parts = [taken_apart(one) for one in subjects]
    name = _shared_component(parts)
    word = name or _shared_word(parts)
    of_kind = _OF_A_KIND.get(kinds[0]) if kinds and len(set(kinds)) == 1 else None
    if word and of_kind:
        named = re.split(r"[\W_]+", word.lower())
        own = of_kind.lower()
        return _capital(word if own in named or own.rstrip("s") in named else f"{word} {of_kind}")
    return _under(name, _phrase(subjects[0], paths)) if name else lead


def _shared_component(parts: Sequence[Subject]) -> str | None:
    """The component or the tag of most, where the lead has it, too."""
    own = parts[0].component
    if own is None:
        return None
    same = sum(1 for part in parts if (part.component or "").lower() == own.lower())
    return own if same * 5 >= len(parts) * 3 and same > 1 else None


def _shared_word(parts: Sequence[Subject]) -> str | None:
    """A name (one with capitals, digits or underscores within) that three in four mention, the lead among them."""
    counted = Counter(word for part in parts for word in {token.strip(",.:;()`'\"") for token in part.words.split()})
    own = [token.strip(",.:;()`'\"") for token in parts[0].words.split()]
    names = (word for word in own if word[1:] != word[1:].lower() and word[:1].isalpha())
    return next((word for word in names if counted[word] * 4 >= len(parts) * 3 and counted[word] > 1), None)


def _labelled(part: Subject, phrase: str) -> str:
    """A title with the component before it, where it has one and room for it."""
    name = part.scope or (part.component if len(phrase.split(" ")) < 5 else None)
    if (place := place_of(part)) and not phrase.startswith(("Change without ", "Change in ")):
        what = "docs" if place == "documentation" else place
        fits = part.scope and len(part.scope) < 24 and " " not in part.scope
        return _under(f"{part.scope} {what}" if fits else what, phrase)
    return _under(name, phrase) if name and len(name) <= 40 else _capital(phrase)


def _under(name: str, phrase: str) -> str:
    if name.lower() in phrase.lower():
        return _capital(phrase)
    phrase = _cut(phrase, LONGEST_TITLE - len(name) - 2)
    shown = _capital(name) if " " in name or name.lower() in ORDINARY else name
    return f"{shown}: {uncapital(phrase)}"


def _phrase(subject: str, paths: Sequence[str]) -> str:
    if done := undone(subject):
        what, name = done
        partial = "Partial " if what.startswith("Partly ") else ""
        noun = {"brought back": "reland", "backed out": "backout"}.get(what.removeprefix("Partly ").lower(), "revert")
        inner = name if len(name) <= LONGEST_TITLE - 12 else f"“{_cut(name.split('”')[0][1:], LONGEST_TITLE - 14)}”"
        return f"{partial}{noun if partial else _upper(noun)} of {inner}"
    part = taken_apart(subject)
    reading = read(part.words)
    if re.fullmatch(r"(?:the )?(?:initial|first) (?:commit|check-?in|import)", part.words, re.IGNORECASE):
        return "Initial commit"
    if says_nothing(part, reading):
        if part.scope and not paths:
            return part.scope
        said = nothing_said(paths)
        return (
            "Change without a description"
            if said == NOTHING_SAID
            else shortened(f"Change in {said.removeprefix('Changed ')}", 80)
        )
    if (version := version_of(part.words)) and not place_of(part):
        return f"Release {version}"
    return _cut(_nominal(part, reading))


def _nominal(part: Subject, reading: Reading) -> str:
    verb, rest = reading.verb, reading.rest
    if reading.nature == "stop" and verb:
        adverb = f"{reading.adverb} " if reading.adverb else ""
        return f"No longer {adverb}{verb.ing} {_first(rest, reading)}".rstrip()
    if reading.nature == "verb" and verb:
        return _joint(verb, reading) or _of(verb, _first(rest, reading), reading)
    if reading.nature == "noun" and part.prefix in FIXING:
        return _fixed(part.words)
    if reading.nature != "noun":
        return part.words
    words = first_sentence(part.words)
    at = seconds_at(words, reading) if "," in words else None
    return words[:at].rstrip(" ,") if at else words


def _joint(verb: Verb, reading: Reading) -> str | None:
    """ "Fix and update X" as "fixing and updating X": of both verbs, as both have the one object."""
    joint, _, after = reading.rest.partition(" ")
    second, _, said = after.partition(" ")
    known = verb_of(second.lower()) if joint.lower() in ("and", "or", "&", "/") else None
    if not known or reading.adverb or known[1] not in ("base", reading.form):
        return None
    if said and is_noun(known[0].base, known[1], said.lower().split(" ")):
        return None
    return f"{verb.ing} {joint} {known[0].ing} {said}".rstrip()


def _first(rest: str, reading: Reading) -> str:
    """What the first verb governs, without the others' clauses."""
    tokens = rest.split(" ")
    if len(tokens) > 2 and tokens[0].lower() in ("and", "or", "&", "/") and verb_of(tokens[1].lower()):
        return " ".join(tokens[2:])
    if (
        reading.verb
        and reading.verb.base == "fix"
        and len(tokens) > 1
        and tokens[0].lower() in ("fix", "fixes", "fixed")
    ):
        rest = " ".join(tokens[1:])
    at = seconds_at(rest, reading) if reading.verb else None
    kept = (rest[:at].rstrip(" ,;:.+&-") if at else rest) or rest
    return kept.partition("; ")[0] or kept


def _of(verb: Verb, said: str, reading: Reading) -> str:
    """A verb with its object as a noun phrase."""
    first, _, after = said.partition(" ")
    low = first.lower()
    if reading.adverb:
        return f"{reading.adverb} {verb.ing} {said}"
    if verb.base == "open" and low == "source":
        return f"open-sourcing {after}"
    if verb.base == "clean" and low == "up":
        verb, said = Verb("cleanup", "", "", "cleaning up", "cleanup"), after
        first, _, after = said.partition(" ")
        low = first.lower()
    if not said:
        return verb.noun or verb.ing
    if (
        low in ("the", "a", "an")
        and after[:4] not in ("", "bit ", "few ", "lot ")
        and verb.base in (*_MAKING, "support", *_COMPOUNDS)
    ):
        said = after
        low = said.partition(" ")[0].lower()
    if verb.base == "support":
        if low == "for":
            return f"support {said}"
        if (inner := supported(said)) != said:
            return f"support for {inner}"
        return f"{said} support" if _is_short(said) and not said.endswith("support") else f"support for {said}"
    if verb.base == "fix":
        return _fixed(said)
    if verb.base in ("bump", "upgrade", "update") and low == "up" and after:
        said = after  # "Bump up X to 2"
        low = said.partition(" ")[0].lower()
    if (low in _PARTICLES and verb.base not in ("switch", "move", "upgrade", "bump")) or low in (
        "that",
        "whether",
        "if",
        "how",
        "sure",
        "back",
    ):
        return f"{verb.ing} {said}"
    if verb.base in _MAKING:
        return _with_place(said) if low not in PREPOSITIONS else f"{verb.ing} {said}"
    if not verb.noun or not _FINITE.isdisjoint(said.lower().split(" ")[1:4]):  # "Validating that rows are sorted"
        return f"{verb.ing} {said}"
    if low in _PLACING or low == "according":
        return f"{verb.noun} {said}"
    if verb.base in _COMPOUNDS:
        head, place = _split(said)
        if re.match(r"\S+ v?\d", head):  # "thiserror 2.0.17 -> 2.0.18"
            head, _, later = head.partition(" ")
            place = f"{later} {place}"
        if (
            len(head.split(" ")) < 3
            and not (
                place
                and place.split(" ")[0] not in ("to", "from", "in")
                and not place[:2].strip("v").isdigit()
                and not place[:1].isdigit()
            )
            and head[-1:] not in ",;:"
        ):
            return f"{head} {verb.noun} {place}".rstrip()
    return f"{verb.noun} of {said}"


def _fixed(said: str) -> str:
    """ "crash in X" → "crash fix in X"; "X not respecting Y" → "fix for X not respecting Y"."""
    low = said.partition(" ")[0].lower()
    if low in ("the", "a", "an") and " " in said:
        said = said.partition(" ")[2]
        low = said.partition(" ")[0].lower()
    if low in PREPOSITIONS or low in ("up", "not"):
        return f"fix {said}" if low not in ("up", "not") else f"fixing {said}"
    head, place = _split(said)
    words = head.split(" ")
    if any(word.endswith("ly") or word == "more" for word in words[1:]):
        return f"fixing {said}"
    if place and (known := verb_of(words[-1].lower())) and known[1] == "past":
        return f"fix for {said}"  # "bug reported on the list"
    fits = not place or place.split(" ")[0] in ("in", "on", "for", "when", "with", "at", "from")
    if (
        len(words) < 4
        and fits
        and not any(f"{mark} " in f"{head} " for mark in ",;:")
        and not _is_plural(words[-1])
        and not head.lower().endswith("ing")
    ):
        return f"{head} fix {place}".rstrip()
    return f"fix for {said}"


def _is_plural(word: str) -> bool:
    return word.islower() and word.endswith("s") and not word.endswith(("ss", "us", "is", "docs", "tests"))


def _split(said: str) -> tuple[str, str]:
    """An object, and what follows it from the first preposition on."""
    tokens = said.split(" ")
    at = next((at for at, token in enumerate(tokens) if token.lower() in PREPOSITIONS), len(tokens))
    return " ".join(tokens[:at]), " ".join(tokens[at:])


def _is_short(said: str) -> bool:
    head, place = _split(said)
    return (
        not place
        and len(head.split(" ")) < 4
        and said.partition(" ")[0].lower() not in ("the", "all")
        and "," not in said
    )


def _with_place(said: str) -> str:
    """ "X to Y" as "X in Y" where something was added to Y; "an option to set Y" stays."""
    head, to, place = said.partition(" to ")
    known = verb_of(place.partition(" ")[0].lower()) if to else None
    after = place.partition(" ")[0]
    last = head.rpartition(" ")[2].lower().strip("()")
    if (
        last in _TO_DO
        or after.lower() in _MORE_DEEDS
        or (last in _FOR and not _GOES_ON.isdisjoint(place.lower().split(" ")[1:2]))
    ):
        return said
    if not to or (known and known[1] == "base") or " from " in f" {head} " or ":" in head or _split(head)[1]:
        return said
    return f"{head} in {place}"


# "option to clip", "thanks to X": what follows is no place.
_TO_DO = words_of("way ways ability thanks")
_FOR = words_of("option options method methods prototype prototypes flag flags")
_MORE_DEEDS = words_of("lookup opt fallback login rollback")  # verbs here, though the table has them not
_GOES_ON = (DETERMINERS | PREPOSITIONS) - {"-"}


def _cut(text: str, longest: int = LONGEST_TITLE) -> str:
    """A title that fits: without its last phrases where they are too many, and never with a loose word at its end."""
    text = balanced(text)
    if len(text) > longest:
        tokens = text.split(" ")
        best = length = depth = 0
        for at, token in enumerate(tokens):
            if (
                at
                and (token.lower() in _BOUNDARIES or token[:1] in "([" or _CUTS.search(tokens[at - 1]))
                and _SHORTEST <= length <= longest
                and depth == 0
            ):
                best = at
            length += len(token) + (at > 0)
            depth = max(depth + token.count("[") + token.count("(") - token.count("]") - token.count(")"), 0)
            if length > longest:
                break
        text = _settled(tokens[:best]) if best else shortened(text, longest)
    return _whole(balanced(text))


def _is_deed(word: str) -> bool:
    """Whether a word behind "to" is surely a verb: "to fail", unlike "to prototype"."""
    return word not in NOUNY and verb_of(word) is not None


def _settled(tokens: Sequence[str]) -> str:
    """Where a title was cut: without a clause of one word at its end, or the beginning of a list."""
    text = _whole(" ".join(tokens))
    for turn in range(2):
        *kept, before, last = ["", *text.split(" ")]
        is_listed = before[-1:] == "," and turn == 0 and last[-1:] not in ")]"
        if before.lower() not in _JOINING and not is_listed and not (before == "to" and _is_deed(last.lower())):
            break
        shorter = _whole(" ".join([*kept, before])).strip()
        if len(shorter) < _SHORTEST:
            break
        text = shorter
    return text


def _whole(text: str) -> str:
    """Without prepositions, articles and marks at the end."""
    while True:
        text = text.rstrip(" ,;:-–—") if not text.endswith(("...", "…")) else text
        head, space, last = text.rstrip("….").rpartition(" ")
        if not space or last.lower() not in _ENDINGS:
            return text
        text = head


def _capital(text: str) -> str:
    """A capital at the beginning if that is an ordinary word; `fetch_rows`, numpy and monarch/rdma keep their shape."""
    word = text.partition(" ")[0].rstrip(",:;").removesuffix("'s").removesuffix("’s")
    if word not in ORDINARY and word not in ("version", "versions", "release") and _OF_A_PACKAGE.match(text):
        return text  # "globset bump 0.4 -> 0.5": a name
    if not word.isalpha() or not word.isascii() or not word.islower() or word in _names():
        pieces = re.split("[-/]", word)
        if "/" in word and not all(verb_of(one) for one in pieces):
            return text
        plain = (
            len(pieces) > 1
            and word.islower()
            and all(one.isalpha() and one.isascii() and _is_word(one) for one in pieces)
        )
        return _upper(text) if plain else text
    return _upper(text) if _is_word(word) else text


def _is_word(word: str) -> bool:
    """Whether it is an ordinary word as far as one can tell; names in small letters keep them."""
    return word not in _names() and bool(
        word in ORDINARY
        or word in PREPOSITIONS
        or word in ("re", "un", "de", "pre")
        or verb_of(word)
        or (len(word) > 3 and re.search("[aeiou]", word))
    )


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    """Names of technologies that are written in small letters."""
    return _CODE_NAMES | {part.strip().lower() for one in LEXICON for part in one.parts.split(",") if part.strip()}


_CODE_NAMES = words_of(
    "numpy torch torchrec torchao fbgemm xformers triton monarch conda cmake cutlass hipify hyperactor pybind "
    "cublas cudnn nccl clippy ruff pytest mypy pyre flake npm pip setuptools gcc clang nvcc ptxas grpc tokio "
    "serde pyo3 libtorch executorch megatron vllm fmha rdma mxtensor autoquant circleci smoothquant spinquant "
    "kineto git gitk reftable refspec jax"
)
