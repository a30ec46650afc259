"""A commit's subject taken apart, and read: which verb it begins with, if it is one, and what that governs. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bot.month.kind_words import PREFIXES
from bot.month.trailers import without_references
from bot.story.wording import clean
from bot.story.words.remembered import remembered
from bot.story.words.verbs import HEADS, NOUNY, OWN_ADVERBS, PROGRAM_ADVERBS, VERBS, Form, Verb, verb_of, words_of

LONGEST = 2_000  # characters of a subject that are read
# The types of Conventional Commits, and those that NumPy's histories and others like them write.
TYPES = frozenset(PREFIXES) | words_of(
    "chore mnt bld dep dev doc documentation enh enhancement maint maintenance meta misc nep nit rel rev sty tst "
    "typ types typing simd api deprecation deprecate hotfix bugfix fixup style wip rfc nfc"
)
FIXING = frozenset(("fix", "bugfix", "hotfix", "bug", "bug fix", "fixup"))
# Tags that say how a change stands or how large it is, not what it is about.
STATUS = words_of(
    "be ez easy e-z trivial minor major small tiny nit nfc wip rfc draft hotfix bugfix fix bug feat feature chore "
    "cleanup clean-up refactor reland re-land revert backout test tests docs doc ci build perf oss internal "
    "ghstack-poisoned skip-ci ci-skip no-ci do-not-merge don't-merge dnm untested experimental easy-land codemod "
    "retry v2 v3 reapply land bc-breaking breaking new performance misc other typo improvement enhancement patch lint "
    "hack temp temporary experiment poc"
)

_LEADING = re.compile(
    r"(?:[\s\-*•+>–—·:]+(?=[\w\[(`'\"“./@$])|\[(?P<square>[^\[\]]{0,80})\]\s*:?|\((?P<round>[A-Za-z0-9][^()]{0,40})\)\s*:?(?=\s|\(|\[)"
    r"|[\[(]?\d{1,3}\s?/\s?[\dnNxX]{1,3}[\])]?(?=[\s:.,-])[:.,]?|(?:part|pt)\.?\s?\d{1,2}\b[:.,]?(?=\s)"
    r"|[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+(?=[\s\w])|(?:[Mm]inor|[Nn]it|[Tt]rivial|[Hh]otfix)[,:]\s"
    r"|TEMP\b(?:\s*[:.,-]|(?=\s)))\s*"
)
# What says that a change is not done, or not meant to stay: told as done it would be a wrong claim.
_UNFINISHED = re.compile(
    r"(?:(?:WIP|RFC|DRAFT|DNM|DO NOT (?:MERGE|LAND|REVIEW))\b(?:\s*[:.,-]|(?=\s))"
    r"|(?i:wip|rfc|draft|todo|dnm|poc|do(?: not|n['’]t)[ -](?:merge|land|review))\s?(?::|\s--?\s))\s*"
)
_UNFINISHED_TAGS = words_of(
    "wip rfc draft dnm todo poc do-not-merge don't-merge do-not-land don't-land do-not-review not-for-landing"
)
_CUT_OFF = range(60, 81)  # a subject as long as this that ends in an ellipsis was cut by a forge, likely within a word
_PLACED_FIRST = re.compile(
    r"(?P<place>(?:in|on|for|after|before|when|if|with|during|at|under|inside|within|while) .{2,80}?), "
    r"(?P<said>[a-zA-Z-]+ .+)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"(?:pt\.?|part)?\s?\d{0,3}\s?/?\s?[\dnNxX]{0,3}")
_LABEL = re.compile(
    r"(?P<word>[`A-Za-z_*.~/@{-][^\s:()]{0,48}(?: [\w.+/*&,`{}-]{1,24}){0,2})\s?"
    r"(?:\((?P<scope>[^()]{0,60})\))?!?:\s+(?=\S)"
)
_ENDING = re.compile(
    r"\s*(?:[\[(]\s*(?:(?:pt\.?|part)\s*)?\d{1,3}[A-Z]?\s*/\s*[\dnNxX]{1,3}\s*[\])]"
    r"|[\[(](?:skip ci|ci skip|no ci|nfc|wip)[\])]"
    r"|[\[(](?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|see|re|issue)?:?\s*(?:[\w.-]+/[\w.-]+)?#\d+[\])])\s*$",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"\S+ -{1,2}[a-z][\w-]*")  # "add -p: ask again"
_UPDATE_ON = re.compile(r'Update on "(.+)"')  # as ghstack writes it
_MOVED_BY = re.compile(r"(?:hg|git|sl|svn) (?=mv\b|rm\b|rename\b|move\b)", re.IGNORECASE)
_LABELS = words_of(
    "update change move use refactor cleanup upgrade drop bump revert merge note add remove fix implement "
    "improve introduce rename replace enable disable delete clean migrate support"
)
_PAIRS = {")": "(", "]": "[", "}": "{", "”": "“"}

# After one of these a nouny word was a noun: "Tests for X", "Support of X".
_AFTER_NOUNS = words_of(
    "for of in on to from with and or is are was at by via as should needs between after before when that which "
    "without needed required inside within across into during due not has using only + & / - = -> | "
    "and/or under upon"
)
DETERMINERS = words_of(
    "the a an all both its their this that these those each every any some more multiple several whether another "
    "our your existing new old unused duplicate missing extra most if how what"
)
PREPOSITIONS = words_of(
    "for of in on to from with at by via as between after before when while without inside within per across into "
    "during due using under upon if that which where so because and or against through over instead rather than "
    "until since about around based like unless, - -> / & + but then , ; upto behind only"
)
# Nouns or adjectives so much more often that they are verbs only before an article and the like.
_MOSTLY_NOUNS = words_of(
    "default shutdown error model process host index output thread channel batch group zero branch page "
    "position version state step time range rank template prefix style snapshot paper order reference queue "
    "segment scale block base structure prototype pipeline partition shard slice tile trace separate duplicate "
    "abstract compact double present narrow author access buffer function git outline package pool profile rest "
    "experiment dispatch jit key issue stage signal target label mask round request comment design plan need "
    "notice table mock free complete broadcast cast pack display guide color count cache benchmark post stream "
    "list initial parallel select delta overlap embed extended stub fake sample flake init react"
)
_DEEDS: dict[str, str] = {
    "fix": "fix", "bugfix": "fix", "hotfix": "fix", "cleanup": "cleanup", "clean-up": "cleanup", "update": "update",
    "refactor": "refactor", "refactoring": "refactor", "removal": "remove", "rename": "rename", "renaming": "rename",
    "migration": "migrate", "deprecation": "deprecate", "simplification": "simplify", "upgrade": "upgrade",
    "rewrite": "rewrite", "implementation": "implement", "impl": "implement", "improvement": "improve", "bump": "bump",
    "optimization": "optimize", "optimisation": "optimise", "integration": "integrate", "modernization": "modernize",
    "addition": "add", "introduction": "introduce", "creation": "create", "reorg": "reorganize",
    "extraction": "extract", "fixup": "fix",
}  # fmt: skip
_OF_KINDS = words_of("implementation impl")  # before a preposition: of what kind a thing is, and the thing comes later
_FIXES = words_of("fix bugfix hotfix cleanup clean-up update refactor refactoring improvement removal")
_FIXED_THINGS = words_of("build test lint format import export benchmark debug log cache link install type default")
_MAKEABLE = words_of("fix improve update cleanup refactor rename optimize upgrade bump simplify")
_MADE = words_of(
    "fixes bugfixes hotfixes cleanups clean-ups updates improvements improvments optimizations optimisations "
    "changes tweaks refactorings refactors enhancements corrections adjustments modifications additions "
    "refinements simplifications fixups fix-ups edits upgrades speedups"
)
_QUALITIES = words_of(
    "minor small quick temporary temp proper bug simple possible another more tiny big large first second initial "
    "final further additional other several some many various misc miscellaneous internal trivial important real "
    "better forward hot obvious general partial full basic preliminary main cosmetic little assorted typo one "
    "last code style a an the these automated automatic tentative slight"
)
_CLAUSES = words_of(
    "is are was were isn't isnt aren't doesn't does should shouldn't can can't cannot could couldn't must will "
    "won't would need needs has have had hasn't may might don't dont didn't fails breaks crashes it's we i it i'm "
    "there not no let's it’s doesn’t don’t isn’t hasn’t can’t seems became becomes gets got did made depends "
    "causes means requires now"
)
_STARTS_CLAUSE = words_of(
    "if when to why how what where which who because since although though while as so and or but"
)

_OF_THE_WRITER = words_of("know want think")  # "Don't know why": what is not true of whoever writes it
_BEFORE_VERBS = words_of("always only never")  # and before no noun, where no other verb follows
# Words that are mostly nouns or adjectives, and by what further on they are told to be verbs: "separate X from Y".
_VERBS_WITH = {
    "separate": words_of("from into out"), "prefix": words_of("with"), "embed": words_of("in into as"),
    "group": words_of("by under into together"),
}  # fmt: skip
_MODALS = words_of("should must shouldn't cannot can't doesn't isn't aren't is are was needs fails")
_SURELY = words_of("added fixed removed updated changed moved made improved renamed replaced deleted implemented")
_FINITE = words_of("will should must cannot can't doesn't don't isn't aren't are is does do")
_WHERE = words_of("that if when whether what which so how why where")

# Of a fix and the like one says these, too, though they may be nouns.
_ACTS = words_of(
    "revert reland port merge report document review land test backport cherry-pick release move drop split import "
    "export support reuse copy push pull start stop force schedule track fix cleanup fixup run update change use "
    "upgrade make need help note check"
)
_DONE = words_of("fix fixes bugfix hotfix refactor refactoring cleanup improvement improvements tweaks fixups")
_NO_VERBS = (["go", "mod"], ["getting", "started"])

_MARKS = re.compile(r"[\"`()\[\]{}“”]")

Nature = Literal["verb", "stop", "not", "deed", "made", "support", "noun", "clause", "empty"]


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject: what it says, without its bullet, numbers, tags, labels and full stop, and those.

    `prefix` is a type as of Conventional Commits, in small letters; `scope` is the component before a colon or in the
    brackets of a type, as written. The words may be empty.
    """

    words: str
    tags: tuple[str, ...] = ()
    prefix: str | None = None
    scope: str | None = None
    is_open: bool = False  # it says of itself that it is not done, or not to stay

    @property
    def component(self) -> str | None:
        """The component, or the first tag that names one."""
        return self.scope or next((tag for tag in self.tags if names_a_part(tag)), None)


@dataclass(frozen=True, slots=True)
class Reading:
    """How words are understood. `rest` is what follows the verb; where there is none, all the words.

    verb: "Add X"; stop: "don't X"; not: the same of a verb that is not known, with which `rest` begins; deed: "X
    cleanup" (`rest` is then "X …"); made: "small fixes for X"; support: "X support"; noun: another noun phrase; clause:
    words with a finite verb, or none one can read; empty: nothing said.
    """

    nature: Nature
    rest: str
    verb: Verb | None = None
    form: Form = "base"
    adverb: str = ""
    is_small: bool = False  # the first word is in small letters


def names_a_part(tag: str) -> bool:
    """Whether a tag names what a change is about: "fused seqpar" does, "easy", "1/n" and "T1234" do not."""
    low = _dashed(tag)
    return low not in STATUS and bool(re.search(r"[^\W\d]{2}", tag)) and not re.fullmatch(r"[dtpDTP]\d+", tag)


def _dashed(tag: str) -> str:
    return tag.lower().replace(" ", "-")


def taken_apart(subject: str) -> Subject:
    """The subject's words, and what stands around them."""
    return _taken_apart(subject[:LONGEST])


@remembered  # a title and several sentences ask for the same one
def _taken_apart(subject: str) -> Subject:
    text = without_references(clean(subject))
    if text.startswith("Update on ") and (update := _UPDATE_ON.fullmatch(text)):
        text = update[1]
    if text[:1] == '"' == text[-1:] and text.count('"') == 2:
        text = text[1:-1]
    if len(text) in _CUT_OFF and text.endswith(("...", "…")):
        text = f"{text.rstrip('.…').rpartition(' ')[0].rstrip(' ,;:-')}…"
        while (cut := text[:-1].rpartition(" "))[2].lower() in PREPOSITIONS | {"a", "an", "the"} and cut[0]:
            text = f"{cut[0]}…"
    tags: list[str] = []
    prefix = scope = None
    is_open = False
    for _ in range(8):
        if (match := _UNFINISHED.match(text)) and re.search(r"\w", text[match.end() :]):
            is_open, text = True, text[match.end() :]
        elif (match := _LEADING.match(text)) and match.end():
            inside = match["square"] or match["round"]
            if match["round"] and not text[match.end() :]:
                break
            if inside and not _COUNTED.fullmatch(inside.strip()):
                tags += [tag.strip() for tag in inside.split(",") if tag.strip()]
            text = text[match.end() :].lstrip()
        elif ": " in text[:90] and (match := _LABEL.match(text)):
            word = match["word"].strip("`*")
            rest = text[match.end() :]
            if word.lower() in TYPES or ("," in word and all(one.strip().lower() in TYPES for one in word.split(","))):
                word = word.partition(",")[0]
                prefix, scope = prefix or word.lower(), match["scope"] or scope
            elif (known := verb_of(word.partition(" ")[0].lower())) and not _COMMAND.fullmatch(word):
                first = word.partition(" ")[0].lower()
                if " " in word and first in NOUNY and first not in _LABELS and verb_of(rest.partition(" ")[0].lower()):
                    scope, text = word, rest  # "push doc: move X"
                    continue
                if " " in word or match["scope"]:
                    break
                if word.lower() not in _LABELS:  # "host: kill_on_drop for subprocesses"
                    scope = word
                elif not verb_of(rest.partition(" ")[0].lower()) and known[1] == "base":  # "Update: the readme"
                    text = f"{word} {rest}"
                    break
            elif " " in word and (last := word.rpartition(" ")[2].lower()) and (last in _DEEDS or last in _MADE):
                break  # "Automated submodule update: X"
            elif word.partition(" ")[0].lower() in _STARTS_CLAUSE or word.lower() == "note":
                break
            else:
                scope = f"{word}({match['scope']})" if match["scope"] else word
            text = rest
        else:
            break
    for _ in range(3):
        text = _ENDING.sub("", text)
    text = balanced(
        _MOVED_BY.sub("", text, count=1) if text[:4].lower() in ("hg m", "hg r", "git ", "sl m", "svn ") else text
    )
    if not text.endswith(("...", "…")):
        text = text.rstrip(" .,:;–—-")
    if not re.search(r"\w", text) or re.fullmatch(r"\S+://\S+", text) or text.lower() == "(no subject)":
        text = ""
    is_open = is_open or prefix in ("wip", "rfc") or any(_dashed(tag) in _UNFINISHED_TAGS for tag in tags)
    return Subject(text, tuple(tags), prefix, balanced(scope) if scope else None, is_open)


def balanced(text: str) -> str:
    """The text without the quotation marks, backticks and brackets that have no counterpart."""
    if not _MARKS.search(text):
        return text
    unmatched: set[int] = set()
    opened: list[int] = []
    for at, character in enumerate(text):
        if character in "([{“":
            opened.append(at)
        elif (opening := _PAIRS.get(character)) is not None:
            if opened and text[opened[-1]] == opening:
                opened.pop()
            else:
                unmatched.add(at)
    unmatched.update(opened)
    for quote in '"`':
        if text.count(quote) % 2:
            unmatched.add(text.rindex(quote))
    text = "".join(one for at, one in enumerate(text) if at not in unmatched) if unmatched else text
    for empty in ("()", "[]", "“”", '""', "``"):
        text = (
            text.replace(f" {empty} ", " ").removesuffix(f" {empty}").removeprefix(f"{empty} ")
            if empty in text
            else text
        )
    return " ".join(text.split())


@remembered
def read(words: str) -> Reading:
    """How words without tags and labels are to be understood."""
    return _read(words)


def _read(words: str) -> Reading:
    tokens = words.split(" ")
    lows = [token.strip(",;:.!").lower().replace("’", "'") for token in tokens[:40]]
    if not words:
        return Reading("empty", "")
    if stop := _stopped(tokens, lows):
        return stop
    first = lows[0]
    if first in PREPOSITIONS and (placed := _PLACED_FIRST.fullmatch(words)):  # "In X, use Y" is "use Y in X"
        moved = _read(f"{placed['said']} {placed['place'][:1].lower()}{placed['place'][1:]}")
        if moved.nature in ("verb", "stop") and moved.form == "base":
            return moved
    if len(tokens) > 1 and (first in OWN_ADVERBS or first in PROGRAM_ADVERBS):
        known = verb_of(lows[1])
        is_plural = known is not None and known[1] == "third" and len(tokens) == 2  # "Better asserts"
        is_sure = known is not None and known[1] == "base" and first in _BEFORE_VERBS and _FINITE.isdisjoint(lows[2:])
        if known and (is_sure or not is_noun(lows[1], known[1], lows[2:])) and not is_plural:
            return Reading("verb", " ".join(tokens[2:]), *known, adverb=first, is_small=tokens[0].islower())
    known = verb_of(first) if tokens[0][:1].isalpha() and lows[:2] not in _NO_VERBS else None
    if known and not is_noun(first, known[1], lows[1:]) and not _is_name(tokens) and not _names_a_deed(tokens, lows):
        verb = _as_written(known[0], tokens[0]) if known[0].base == first else known[0]
        nature: Nature = "empty" if len(tokens) == 1 else "verb"
        return Reading(nature, " ".join(tokens[1:]), verb, known[1], is_small=tokens[0].islower())
    if lows[:2] == ["getting", "started"]:
        return Reading("noun", words)  # the page of that name
    if lows[:2] == ["go", "mod"]:
        return Reading("clause", words)  # a command
    return _nominal(words, tokens, lows)


def is_noun(word: str, form: Form, following: Sequence[str]) -> bool:
    """Whether a form of a verb is a noun or an adjective here, going by the words that follow it."""
    if not following:
        return False
    after = following[0]
    if (word == "attribute" and "to" not in following) or (word == "subclass" and len(following) == 1):
        return True
    if word == "search" and len(following) < 3 and after not in DETERMINERS and after not in NOUNY[word]:
        return True  # "search english only"
    if word == "drive" and after == "by":
        return True
    if word in NOUNY and form == "base" and not _MODALS.isdisjoint(following[1:4]):
        return _WHERE.isdisjoint(following[:4])  # "Merge masks should return X", unlike "Test that X should return"
    if (
        form in ("past", "third")
        and word not in _SURELY
        and not _FINITE.isdisjoint(following[:3])
        and _WHERE.isdisjoint(following[:3])
    ):
        return True  # "Tagged versions will override X"
    if form == "ing":
        return after in ("of", "for", "in", "and") or after in _MODALS
    if form == "past":
        return after in ("by", "and") and word not in _SURELY
    if form == "third":
        return after in _AFTER_NOUNS
    if form == "base" and not _VERBS_WITH.get(word, frozenset[str]()).isdisjoint(following[1:8]):
        return after in HEADS.get(word, ())
    if word not in NOUNY:
        return word in _MOSTLY_NOUNS and after not in DETERMINERS
    if after in NOUNY[word] or list(following[:2]) == ["at", "least"]:
        return False
    if after in ("and", "or", "/", "&", "+") and len(following) > 1 and verb_of(following[1]):
        return False
    if len(following) > 1 and following[1] in ("the", "a", "an") and (known := verb_of(after)) and known[1] == "third":
        return True  # "stash drops the index"
    if after in HEADS.get(word, ()) or after in _AFTER_NOUNS:
        return True
    at = next((at for at, one in enumerate(following[:3]) if one in _MADE or one in _FIXES), -1)
    if following[:2] == ["at", "least"] or word in (
        "revert",
        "reland",
        "port",
        "merge",
        "report",
        "document",
        "review",
    ):
        return False
    if at == 0 and word in _FIXED_THINGS:
        return True  # "Lint fixes engine/rows"
    if at == 0 or (at > 0 and word in _FIXED_THINGS):
        return len(following) == at + 1 or following[at + 1] in _AFTER_NOUNS
    return word in _MOSTLY_NOUNS and after not in DETERMINERS


def _names_a_deed(tokens: Sequence[str], lows: Sequence[str]) -> bool:
    """ "retry version guard fix", "BE improvements to X": what was made stands at the end, and no article before it."""
    end = next((at for at, low in enumerate(lows) if at and low in PREPOSITIONS), len(lows))
    if end < 2 or not DETERMINERS.isdisjoint(lows[1:end]):
        return False
    if lows[end - 1] not in _DONE or any(token[-1:] in ",;:." for token in tokens[:end]):
        return False
    first = lows[0]
    return first == "be" or (first in NOUNY and first not in _ACTS and end == len(lows) and end > 2)


def _as_written(verb: Verb, word: str) -> Verb:
    """A verb that is put together with the capitals of its name: "SymInt-ify" → "SymInt-ified"."""
    if not word.endswith("ify") or word[1:] == word[1:].lower() or word.isupper():
        return verb
    return Verb(verb.base, f"{word[:-1]}ied", f"{word[:-1]}ies", f"{word}ing", verb.noun)


def _is_name(tokens: Sequence[str]) -> bool:
    """ "MERGE INTO fails": in capitals among others that are not, and a noun as often."""
    first = tokens[0]
    return len(first) > 1 and first.isupper() and first.lower() in NOUNY and not " ".join(tokens).isupper()


def _stopped(tokens: Sequence[str], lows: Sequence[str]) -> Reading | None:
    """ "don't X", "do not X", "no longer X"."""
    skipped = (
        1 if lows[0] in ("don't", "dont", "not") else 2 if tuple(lows[:2]) in (("do", "not"), ("no", "longer")) else 0
    )
    if not skipped or len(tokens) <= skipped:
        return None
    adverb = ""
    if lows[skipped] in OWN_ADVERBS | PROGRAM_ADVERBS | {"even"}:
        adverb = lows[skipped]
        skipped += 1
    known = verb_of(lows[skipped]) if len(tokens) > skipped else None
    if known and known[1] in ("base", "ing"):
        return Reading("stop", " ".join(tokens[skipped + 1 :]), *known, adverb=adverb)
    told = tokens[2 if lows[0] == "do" else 1 :]
    is_told_to = lows[0] not in ("not", "no") and told[0] not in _OF_THE_WRITER
    if is_told_to and re.fullmatch("[a-z]+(?:-[a-z]+)*", told[0]) and len(told) > 1:
        return Reading("not", " ".join(told))
    return Reading("clause", " ".join(tokens))


def _nominal(words: str, tokens: Sequence[str], lows: Sequence[str]) -> Reading:
    if words.endswith("?") or lows[0] in _STARTS_CLAUSE or lows[0] in PREPOSITIONS:
        return Reading("clause", words)
    within = next((at for at, low in enumerate(lows) if low in _WHERE), len(lows))
    if not _CLAUSES.isdisjoint(lows[:within]) and (
        lows[0] == "no" or not _CLAUSES.isdisjoint({*lows[:within]} - {"no"})
    ):
        return Reading("clause", words)
    end = next(
        (at for at, low in enumerate(lows) if (at and low in PREPOSITIONS) or tokens[at][-1:] in ",;:"), len(lows)
    )
    last = min(end, len(lows) - 1) if end < len(lows) and tokens[end][-1:] in ",;:" else end - 1
    deed = lows[last] if last >= 0 else ""
    if deed in _MADE:
        return Reading("made", words)
    if deed in ("support", "suport"):
        return Reading("support", words)
    if deed in _DEEDS and (tokens[last][-1:] not in ",;:" or lows[0] in _QUALITIES):
        before = lows[:last]
        if not before:
            if len(tokens) > 1 and lows[1] == "of" and len(tokens) > 2:
                return Reading("deed", " ".join(tokens[2:]), *_verb(deed))
            return Reading("made" if len(tokens) > 1 and deed in ("fix", "bugfix", "hotfix") else "noun", words)
        if before[-1] in _QUALITIES or before[0] in _QUALITIES:
            return Reading("made" if _DEEDS[deed] in _MAKEABLE else "noun", words)
        if deed in _OF_KINDS and end < len(lows):
            return Reading("noun", words)  # "CPU implementation for X" is not CPU that was implemented
        if not before[-1].endswith("'s") and lows[last + 1 : last + 2] != ["of"]:
            return Reading("deed", " ".join((*tokens[:last], *tokens[last + 1 :])), *_verb(deed))
    return Reading("noun", words)


def _verb(deed: str) -> tuple[Verb, Form]:
    return VERBS[_DEEDS[deed]], "base"
