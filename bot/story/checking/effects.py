"""Words that claim an effect: a sentence may have one only where its changes have a word of the same family. Pure.

The tables are to read and to extend. All words are in small letters; one that ends in `*` is a beginning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.story.checking.before_after import pairs_of

if TYPE_CHECKING:
    from bot.story.checking.ground import Ground

# family: (what claims it, what bears it out beside that)
_FAMILIES: dict[str, tuple[str, str]] = {
    "a fix": (
        "fix fixes fixed fixing repair* mended mends resolves resolved corrects corrected bug bugs bugfix*",
        "fix* issue* error* fail* broke* break* wrong* incorrect* crash* rac* leak* regress* resolv* correct* "
        "workaround* patch* flak* mitigat* missing miss* mistak* problem* hang* stuck stale invalid mend* address* "
        "unable cannot can't doesn't didn't unexpected* spurious* accident* typo* overflow* timeout* oom nan handl* "
        "unblock* inconsisten* mismatch* diverg* discrepan* should warn* undefined forgot* except* without not",
    ),
    "a crash": (
        "crash* segfault* panic* aborts aborted",
        "abort* sigsegv core ima illegal fatal exit* raise* throw* die* kill* fail* error* assert*",
    ),
    "a leak": ("leak*", "free freed"),
    "a race": (
        "race races racing racy",
        "race* concurren* synchron* fence* order* overtak* volatile lock* visible",
    ),
    "a hang": ("hang hangs hung hanging deadlock* freez*", "stuck block* forever timeout* wait*"),
    "an overflow": ("overflow*", "exceed* int32 int64"),
    "corruption": ("corrupt*", "incorrect* wrong* invalid"),
    "security": ("secur* vulnerab* exploit*", "cve* sanitiz* escap* auth* encrypt* inject* token* secret*"),
    "out of memory": ("oom", "memory oomed"),
    "speed": (
        "fast faster fastest quick* speed* sped accelerat* cheap* slow* latenc* throughput performan* efficien* "
        "optimi*",
        "fast* perf* overhead* qps tps tflop* benchmark* bottleneck* vectori* expens* costl* microsecond* "
        "millisecond* ms us bandwidth parallel*",
    ),
    "less": (
        "reduc* fewer smaller shrink* shrank lower lowers lowered halv* saves saving* decreas* less cuts",
        "few* small* cut* low* sav* drop* limit* half* trim* remov* down compress* compact* lighter short* unnecessar* "
        "avoid* minim* split* restrict* eliminat*",
    ),
    "more": ("increas* doubl* tripl*", "larg* big* high* rais* bump* grow* up more exten* expand*"),
    "better": (
        "improv* better enhanc*",
        "optimi* boost* fast* speed* polish* clean* simpl* clear* easier friendl* more",
    ),
    "safety": ("safe safer safely safety", "unsafe* guard* protect* check* assert* valid* race* lock*"),
    "stability": ("stabl* stabil* robust* reliab*", "flak* harden* intermittent*"),
    "prevention": (
        "prevent* avoid* protects guarantee* ensur*",
        "protect* guard* stop* skip* no not never without don't doesn't cannot must mak* instead so fix* check* "
        "assert* eliminat* remov* unnecessar* always enforc* only",
    ),
    "the first": (
        "first earliest",
        "initial* init begin* start* new* prototyp* introduc* add* part pt poc creat* before early take prepar* "
        "foundation basic",
    ),
    "all": (
        "all every always everywhere any everyone everybody universal*",
        "each full* both whole entire* general* across only total whatever remaining rest unif* consistent* no none "
        "never not everything anything complet*",
    ),
    "only": (
        "only solely exclusively",
        "just restrict* limit* sole* exclusiv* unless except* gat* guard* if specific* without no not skip* need* "
        "instead temporar* default* support* requir*",
    ),
    "never": ("never none nobody", "no not without don't doesn't cannot nothing stop* avoid* prevent*"),
}
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_Words = tuple[frozenset[str], tuple[str, ...]]  # whole words, and beginnings


def _read(words: str) -> _Words:
    every = words.split()
    beginnings = tuple(word[:-1] for word in every if word.endswith("*"))
    return frozenset(word for word in every if not word.endswith("*")), beginnings


_CLAIMS = {family: _read(claims) for family, (claims, _) in _FAMILIES.items()}
_GROUNDS = {family: _read(f"{claims} {grounds}") for family, (claims, grounds) in _FAMILIES.items()}


@lru_cache(maxsize=50_000)
def borne_by(word: str) -> frozenset[str]:
    """The families of claims that a word of a commit, in small letters, bears out."""
    return _families_of(word[:40], _GROUNDS)


def _families_of(word: str, table: dict[str, _Words]) -> frozenset[str]:
    return frozenset(
        family for family, (whole, begun) in table.items() if word in whole or (begun and word.startswith(begun))
    )


def faults(own: str, grounds: Sequence[Ground], is_fix: bool) -> Iterator[str]:
    """What a text claims without a ground; `own` are its words without quotations and code."""
    borne = frozenset(_borne_by_numbers(own)).union(*(ground.bears_out for ground in grounds))
    words = [word.lower().replace("’", "'") for word in _WORD.findall(own)]
    claims = {family: word for word in reversed(words) for family in _families_of(word, _CLAIMS)}
    for family in sorted(claims.keys() - borne):
        yield f"“{claims[family]}” is said, but no change of its says so"
    has_code = any(ground.hunks for ground in grounds)  # which may show what no message says
    if is_fix and not has_code and "a fix" not in borne | claims.keys():
        yield "no change of its says that anything was fixed"


def _borne_by_numbers(own: str) -> Iterator[str]:
    """What two numbers say themselves, whose order is looked at elsewhere: that something fell, or rose."""
    for pair in pairs_of(own):
        try:
            before, after = float(pair.before.value), float(pair.after.value)
        except ValueError:  # a version, or a clock's time
            continue
        yield "less" if after < before else "more"
