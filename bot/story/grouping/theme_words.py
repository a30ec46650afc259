"""The words by which changes are compared: which say nothing of what a change is about, and their stems. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

# Tags that say of what sort a change is, or where it comes from, and not what it is about.
_TAGS = (
    "all amd auto automated back bc be breaking bug bugfix build c c++ cd chore ci clean clean-up cleanup codemod "
    "common core cuda dep dependencies deps doc docs documentation easy export ez fbcode feat feature fix github go "
    "hip hotfix import important internal jax lint main minor misc new nit no oss out paddle perf py python pytorch "
    "re-land refactor reland release revert rfc rocm rust skip style sync tensorflow test testing tests tf torch typo "
    "up update wip x-link"
)
GENERIC_TAGS = frozenset(_TAGS.split())
_EVERYDAY = (
    "a about above add added adding adds after again all allow allows already also an and another any are as at avoid "
    "back be because been before being better between both but by can cannot case cases change changed changes check "
    "clean cleanup code com correct correctly could create created creates default did diff disable do does doesn don "
    "due each easier enable enabled enables ensure etc even every existing expose extra few file files first fix "
    "fixed fixes fixing following for from function functions get gets github give given had handle handled handles "
    "handling has have here how however http https if implement implementation implemented improve improvement in "
    "initial instead internal into introduce introduced introduces is isn issue it its just keep landed last let like "
    "line lines made main make makes making may minor missing more most move moved moving much must need needed needs "
    "new no not now of off old on once one only option or original other our out over own part pass possible pr "
    "prevent previous problem proper properly provide pull put re reduce refactor related remove removed removes "
    "removing rename renamed replace request resolved return returns rewrite run running same set should shouldn "
    "simplify since so some split still stop such summary support supported supports sure take test testing tests "
    "than that the their them then there these they thing this those through title to too try turn two unused up "
    "update updated updates updating us use used user uses using v1 v2 value values version very via wait want was "
    "way we were what when where whether which while why will with within without won work works would wrong www yet "
    "you your"
)
_STOP = frozenset(_EVERYDAY.split())
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[_\-.:]{1,2}[A-Za-z0-9]+)*|[\u00c0-\uffff]{2,40}")
_PART = re.compile(r"[A-Z]{2,}(?=s\b)|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[\u00c0-\uffff]+")
_NAME = re.compile(r"^(?:tests?[_-]|spec[_-])|(?:[_-](?:tests?|spec|bench(?:marks?)?)|(?<=[a-z])Tests?)$")
_ENDINGS = ("ations", "ation", "ating", "ated", "ates", "ate", "ings", "ing", "ers", "ies", "ed", "es", "s", "er", "e")


# What is kept here of a team's month takes 20 MB at most, and mostly a quarter of that.


@lru_cache(maxsize=16_384)
def stem(name: str) -> str:
    """The name of a file without its ending and what makes it a test: what a test and its source share."""
    plain = _NAME.sub("", name.split(".", 1)[0])
    return "" if plain in ("__init__", "mod", "lib", "main", "index", "README", "setup", "utils", "util") else plain


def words_of(text: str) -> Iterator[str]:
    """The stems of the words that say something; of identifiers both the whole and the parts."""
    return chain.from_iterable(map(_stems_of, _WORD.findall(text)))


@lru_cache(maxsize=4_096)
def folders_above(folder: str) -> tuple[str, ...]:
    """A folder and those that it is in, each with a slash at its end."""
    found = []
    while folder:
        found.append(f"{folder}/")
        folder = folder.rpartition("/")[0]
    return tuple(found)


@lru_cache(maxsize=32_768)
def _stems_of(whole: str) -> tuple[str, ...]:
    if len(whole) > 80:
        return ()
    parts = _PART.findall(whole)
    stems = [whole.lower()] if len(parts) > 1 else []
    for part in parts:
        low = part.lower()
        if len(low) > 1 and low not in _STOP and not low.isdigit():
            stems.append(_stemmed(low))
    return tuple(stems)


@lru_cache(maxsize=16_384)
def _stemmed(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
