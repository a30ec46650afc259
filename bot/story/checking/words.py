"""The words that claim something, by families, and what bears them out; what denies; what tells of states: tables to
read and to extend. Data.

All are in small letters; one that ends in `*` is a beginning.
"""

from __future__ import annotations

import re
from functools import lru_cache

_FAULTS = """
    bug* fix* issue* error* fail* broke* break* wrong* incorrect* crash* rac* leak* regress* resolv* correct*
    workaround* patch* flak* mitigat* missing miss* mistak* problem* hang* stuck stale invalid mend* repair* address*
    unable cannot can't doesn't didn't unexpected* spurious* accident* typo* overflow* timeout* oom nan handl* unblock*
    inconsisten* mismatch* diverg* discrepan* should warn* undefined forgot* except* without not
"""
_SPEED = """
    fast* speed* sped perf* latenc* throughput overhead* slow* optimi* efficien* cheap* quick* accelerat* qps tps tflop*
    benchmark* bottleneck* vectori* expens* costl* microsecond* millisecond* ms us bandwidth parallel*
"""
# family: (what claims it, what bears it out beside that)
_CLAIMS: dict[str, tuple[str, str]] = {
    "a fix": (
        "fix fixes fixed fixing repair* mended mends resolves resolved corrects corrected bug bugs bugfix*",
        _FAULTS,
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
    "a loss": ("lost loss", "lose loss* drop* miss* silent* preserv* retr* reconnect* disconnect*"),
    "security": ("secur* vulnerab* exploit*", "cve* sanitiz* escap* auth* encrypt* inject* token* secret*"),
    "out of memory": ("oom", "memory oomed"),
    "a regression": ("regress*", "slow* broke* break*"),
    "speed": (
        "fast faster fastest quick* speed* sped accelerat* cheap* slow* latenc* throughput performan* "
        "efficien* optimi*",
        _SPEED,
    ),
    "less": (
        "reduc* fewer smaller shrink* shrank lower lowers lowered halv* saves saving* decreas* less cuts",
        "few* small* cut* low* sav* drop* limit* half* trim* remov* down compress* compact* lighter short* unnecessar* "
        "avoid* minim* split* restrict* eliminat*",
    ),
    "more": (
        "increas* doubl* tripl* larger bigger higher",
        "larg* big* high* rais* bump* grow* up more exten* expand*",
    ),
    "better": (
        "improv* better enhanc*",
        "optimi* boost* fast* speed* polish* clean* simpl* clear* easier friendl* more",
    ),
    "simpler": (
        "simpl* easier cleaner",
        "eas* clean* refactor* dedup* unif* consolidat* remov* tid* boilerplat* drop*",
    ),
    "safety": ("safe safer safely safety", "unsafe* guard* protect* check* assert* valid* race* lock*"),
    "stability": ("stabl* stabil* robust* reliab*", "flak* harden* intermittent*"),
    "prevention": (
        "prevent* avoid* protects guarantee* ensur*",
        "protect* guard* stop* skip* no not never without don't doesn't cannot must mak* instead so fix* "
        "check* assert* "
        "eliminat* remov* unnecessar* always enforc* only",
    ),
    "compatibility": ("compatib* incompatib* breaking", "compat* incompat* break* broke* bc support* deprecat*"),
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
    "a default": ("default defaults", "default* opt-in enabl* disabl* true false on off option*"),
    "the user": ("users customers", "user* customer* people client* develop* caller* model* team*"),
    "production": ("production", "prod deploy* releas* online fbcode intern*"),
}

_DENYING = """
    not no never none nor neither cannot can't won't don't doesn't didn't isn't aren't wasn't weren't shouldn't couldn't
    wouldn't hasn't haven't without nothing nobody unable dont doesnt cant non
"""
_AS_GOOD = """
    remov* delet* drop* disabl* skip* stop* avoid* prevent* fail* lack* miss* absent eliminat* except* unless instead
    replac* rather off deprecat* gone reject* ignor* unused unnecess* redundan* obsolete only limit* restrict* revert*
    wrong* incorrect* bug* fix* broke* invalid wip todo unsupport* less exclud* filter* omit* bypass* independen*
    agnostic
    optional* lazy lazil* cut* forbid* refus* hide hidden empty false unset suppress* silen* until regardless leav*
    prohibit*
    err* abort* rais* partial* backed unclear unknown dummy
"""
# Words that stand for nothing: no negation denies them alone.
_EMPTY = """
    the and for are was were been being has have had its his her their our this that these those which who whose with
    from into onto over under than then there here when where while will would could should may might must can does did
    doing done also just very too any some such much more most each every both either other another own same yet ever
    even
    still quite really actually currently properly simply directly necessarily simple seem seems they them you your let
    lets get gets got longer out off via per about using allow allowed allows able possible because since want wants
"""
# Words that carry too little to tell one commit from another.
_COMMON = """
    about above across actually added adding adds after again against along already also although among another anything
    around because been before behind being below beside between both called calls came cannot change changed changes
    come
    comes could current currently does doing done down during each either else even ever every everything find from gain
    gains gave get gets give given gives goes gone got had has have having here hold holds how into instead its
    itself keep
    keeps kept landed last later leave let like longer look made main make makes making many may means more most mostly
    much must need needs neither never new next none not nothing now off old once one only other others our out over own
    part past per put rather really replaces run said same say says second see seem seems set several shall should show
    shows since some something still such take taken takes tell than that the their them then there these they thing
    this
    those three through today together told too took two under unless until upon use used uses using very via want wants
    was way were what when where whether which while who whole whom whose why will with within without work works would
    year years yet and are but can did for you your
"""


def _words(words: str) -> frozenset[str]:
    return frozenset(word for word in words.split() if not word.endswith("*"))


def _beginnings(words: str) -> tuple[str, ...]:
    return tuple(word[:-1] for word in words.split() if word.endswith("*"))


NEGATIONS, EMPTY, COMMON = _words(_DENYING), _words(_EMPTY), _words(_COMMON)
_NEGATIVE, _NEGATIVE_BEGUN = _words(_AS_GOOD), _beginnings(_AS_GOOD)
_CLAIMING = {family: (_words(says), _beginnings(says)) for family, (says, _) in _CLAIMS.items()}
_BEARING = {
    family: (_words(f"{says} {bears}"), _beginnings(f"{says} {bears}")) for family, (says, bears) in _CLAIMS.items()
}

_OUT = (
    r"\b(?:(?:is|was|were|been|be|got|being) )?(?:back(?:ed|s|ing)?[ -]out|revert(?:ed|s|ing)?|roll(?:ed|s)? back|"
    r"taken (?:back|out)|withdrawn|undone|undid|pulled again|took (?:it )?out)\b"
)
_BACK = (
    r"\b(?:re-?land(?:ed|s|ing)?|land(?:ed|s) again|brought back|came back|comes back|back (?:in|on|since)\b|is back|"
    r"are back|be back|back \d|re-?appl(?:ied|ies)|restor(?:ed|es) (?:on|by)|reinstat\w+|back again|stands? again)"
)
_STILL_OUT = (
    r"\b(?:not|never|nor) (?:been |yet |come |brought |re-?landed |is )*"
    r"(?:back|re-?landed|brought back|on main|restored)|"
    r"\bstill out\b|\bnot on main\b|\bhas not returned\b|\bdoes not stand\b|\bdo not stand\b|\bno longer in\b"
)
OUT, BACK, STILL_OUT = (re.compile(one, re.IGNORECASE) for one in (_OUT, _BACK, _STILL_OUT))
STATES = re.compile("|".join((_STILL_OUT, _OUT, _BACK)), re.IGNORECASE)


@lru_cache(maxsize=50_000)
def claimed_by(word: str) -> frozenset[str]:
    """The families that a word, in small letters, claims."""
    return _families(word, _CLAIMING)


@lru_cache(maxsize=50_000)
def borne_by(word: str) -> frozenset[str]:
    """The families of claims that a word of a commit, in small letters, bears out."""
    return _families(word[:40], _BEARING)


def _families(word: str, table: dict[str, tuple[frozenset[str], tuple[str, ...]]]) -> frozenset[str]:
    return frozenset(
        family for family, (whole, begun) in table.items() if word in whole or (begun and word.startswith(begun))
    )


@lru_cache(maxsize=50_000)
def denies(word: str) -> bool:
    """Whether a word, in small letters, is a negation."""
    return word in NEGATIONS or word.endswith("n't")


@lru_cache(maxsize=50_000)
def is_negative(word: str) -> bool:
    """Whether a word, in small letters, denies, or says what another may say with a negation."""
    return denies(word) or word in _NEGATIVE or word.startswith(_NEGATIVE_BEGUN)
