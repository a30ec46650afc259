"""What a sentence may claim only where a commit says so, filler that nobody may write, and units: tables to read and
to extend. Data.

A row of CLAIMS is a family: words that claim something, and words of a commit that bear it out. All are in small
letters; one that ends in `*` is a beginning. What claims, bears as well. Phrases are claimed by PHRASES.
"""

from __future__ import annotations

from functools import lru_cache

from bot.model import Kind

FIXED, FASTER, REDUCED, INCREASED = "fixed", "faster", "reduced", "increased"

_FASTER = "accelerat* fast* latenc* optimal* optimis* optimiz* overhead* perf* quick* slow* sped speed* throughput"
_MENDED = (
    "address* bug* bugfix* correct* crash* debug* fail* fix* fixup* hotfix* mend* patch* race* repair* resolv* solv* "
    "unbreak* unbroke* broke* wrong*"
)
# family: (what claims it, what bears it out beside that)
_CLAIMS: dict[str, tuple[str, str]] = {
    FIXED: (
        "bugfix* cured fixed fixes fixing hotfix* mended mends mending rectif* repaired repairs repairing resolved "
        "resolves resolving solved solves solving unbroke unbreaks unbreaking",
        # a correction may be called so; what is only broken is not mended yet
        "bugfix* correct* fix* fixup* fxi hotfix* mend* repair* resolv* solv* solution* unbreak* unbroke* bug bugs "
        "patch* address* deflak* typo* workaround*",
    ),
    "corrected": ("corrected corrects correcting", _MENDED),
    "addressed": ("addressed", _MENDED),
    "prevented": (
        "prevented prevents preventing avoided avoids avoiding averted",
        "avoid* prevent* guard* protect* stop* never longer forbid* disallow* block* fix* skip* don doesn without "
        "instead workaround* bypass* not",
    ),
    "no longer": (
        "",
        "longer stop* don dont doesn doesnt avoid* prevent* remov* delet* drop* disabl* fix* never without not no",
    ),
    FASTER: (
        "accelerated accelerates accelerating faster fastest quicker sped speedup speedups",
        _FASTER + " efficien* vectoris* vectoriz* boost* bottleneck*",
    ),
    "optimised": (
        "optimised optimises optimising optimized optimizes optimizing",
        _FASTER + " efficien* tun* opt",
    ),
    "slower": ("slower slowed", "slow* regress* overhead*"),
    REDUCED: (
        "reduced reduces reducing reduction* decreased decreases decreasing lowered lowers lowering shrank shrunk "
        "shrinks shrinking cuts cutting fewer smaller minimised minimises minimized minimizes halved trimmed slimmed "
        "saved saves savings lessened relieved",
        "reduc* decreas* lower* shrink* shrank shrunk cut* less few* small* minim* half halv* trim* slim* "
        "sav* drop* shorten* short* compact* compress* prun* remov* down limit* clamp* avoid* lighter",
    ),
    INCREASED: (
        "increased increases increasing higher grew doubled doubles tripled quadrupled maximised maximized "
        "bigger larger",
        "increas* rais* high* grow* grew doubl* tripl* quadrupl* maxim* bump* up big* larg* more expand* extend*",
    ),
    "improved": (
        "improved improves improving improvement improvements better boosted boosts",
        "improv* better* enhanc* boost* optimis* optimiz* faster speed* sped speedup perf polish*",
    ),
    "simplified": (
        "simplified simplifies simplifying simpler",
        "simpl* clean* tid* refactor* streamlin* dedup* eas* consolidat* unif*",
    ),
    "cleaner": ("cleaner tidier", "clean* tid* neat* pretti*"),
    "easier": ("easier eased", "eas* simpl* convenien* friendl* ergonomic*"),
    "clearer": ("clearer clarified clarifies", "clear* clarif* readab* explain* unclear confus*"),
    "safer": ("safer", "safe* unsafe* secur* protect* guard* race*"),
    "stabilised": (
        "stabilised stabilises stabilized stabilizes deflaked hardened hardens",
        "stabil* stable* unstable harden* robust* flak* deflak* reliab*",
    ),
    "more reliable": ("reliable reliability reliably", "reliab* unreliab* robust* flak* stabil* stable"),
    "secured": (
        "secured secures securing",
        "secur* vulnerab* cve* insecure* sanitis* sanitiz* escap* auth* encrypt* exploit* injection*",
    ),
    "eliminated": ("eliminated eliminates eliminating", "eliminat* remov* delet* drop* rid no without unnecessary"),
    "unblocked": ("unblocked unblocks unblocking", "unblock* block*"),
    "ensured": ("ensured ensures ensuring guaranteed guarantees", "ensur* guarant* sure enforc* assur* always must"),
    "mitigated": ("mitigated mitigates alleviated alleviates", "mitigat* alleviat* workaround* reduc* work*"),
}
# What claims with more words than one, within a sentence in small letters.
PHRASES: tuple[tuple[str, str], ...] = (
    ("no longer", "no longer"),
    ("speed up", FASTER), ("speeds up", FASTER), ("speeding up", FASTER), ("more quickly", FASTER),
    ("less time", FASTER), ("less memory", REDUCED), ("more efficient", "optimised"),
    ("makes sure", "ensured"), ("made sure", "ensured"),
)  # fmt: skip
# Which kinds of a change bear a claim out as well, where the rule that decided them is sure.
BORNE_BY_KIND: dict[Kind, tuple[str, ...]] = {"fix": (FIXED,), "performance": (FASTER, "optimised")}
# "87 % -> 99 %" says that something rose or fell, without a word for it.
BORNE_BY_ARROW = frozenset({REDUCED, INCREASED})

# Said only where the commits say it: words and phrases in small letters, `*` as above.
FILLER_WORDS = (
    "robust* seamless* significant* leverag* streamlin* enhanc* synerg* holistic* cutting-edge state-of-the-art "
    "world-class best-in-class mission-critical game-chang* groundbreaking innovative innovation* scalab* empower* "
    "spearhead* meticulous* crucial* pivotal invaluable comprehensive* substantial* dramatic* drastic* tremendous* "
    "remarkabl* impressive* outstanding exceptional excellent* effortless* elegan* delightful* foster* elevat* "
    "unlock* supercharg* turbocharg* revolution* transformative transformational impactful actionable proactive* "
    "dedicated commitment passionate expertise showcas* demonstrat* underscor* boast* notabl* essential* vital vitally "
    "paramount productivity time-to-market stakeholder* maintainab* high-quality rock-solid bulletproof "
    "production-grade enterprise-grade future-proof* "
)
FILLER_PHRASES = (
    "business value", "business impact", "developer experience", "user experience", "various improvements",
    "various fixes", "various changes", "various bug", "various enhancements", "several improvements",
    "many improvements", "numerous", "a number of", "a wide range", "wide variety", "a variety of", "and more",
    "overall quality", "code quality", "best practices", "key role", "strong focus", "smooth experience",
    "at scale", "operational excellence", "technical debt", "paving the way", "lays the groundwork",
    "laying the groundwork", "solid foundation", "end users", "peace of mind", "going forward", "next level",
    "deep understanding", "attention to detail", "high quality", "greatly", "vastly", "massively", "hugely",
    "in order to", "due to the fact", "it is worth", "it's worth", "needless to say", "more robust",
)  # fmt: skip

# Units that may stand behind a number, by the way they are all compared; capitals count, Mb is not MB.
_UNITS = {
    "%": "% percent pct", "x": "x X × times fold", "s": "s sec secs second seconds", "ms": "ms msec millisecond "
    "milliseconds", "µs": "µs μs us usec microsecond microseconds", "ns": "ns nsec nanosecond nanoseconds",
    "min": "min mins minute minutes", "h": "h hr hrs hour hours", "d": "day days", "week": "week weeks",
    "month": "month months", "year": "year years", "B": "B byte bytes", "bit": "bit bits", "kB": "kB KB kb",
    "KiB": "KiB", "MB": "MB mb megabyte megabytes", "MiB": "MiB", "GB": "GB gb gigabyte gigabytes", "GiB": "GiB gib",
    "TB": "TB tb terabyte terabytes", "TiB": "TiB", "PB": "PB", "Mb": "Mb Mbit", "Gb": "Gb Gbit", "Mbps": "Mbps Mb/s",
    "Gbps": "Gbps Gb/s gbps", "MB/s": "MB/s MBps", "GB/s": "GB/s GBps", "GiB/s": "GiB/s", "TB/s": "TB/s TBps",
    "Hz": "Hz", "kHz": "kHz KHz", "MHz": "MHz", "GHz": "GHz", "K": "K k", "M": "M", "G": "G", "T": "T",
    "million": "million millions mln", "billion": "billion billions bn", "thousand": "thousand thousands",
    "FLOPS": "FLOPS FLOP/s", "GFLOPS": "GFLOPS GFLOP/s", "TFLOPS": "TFLOPS TFLOP/s TFLOPs TFlops", "QPS": "QPS qps",
    "PFLOPS": "PFLOPS", "fps": "fps FPS", "W": "W watt watts", "GPU": "GPU GPUs", "CPU": "CPU CPUs",
    "node": "node nodes", "rank": "rank ranks", "thread": "thread threads", "core": "core cores",
    "line": "line lines LOC", "file": "file files", "test": "test tests", "commit": "commit commits",
    "change": "change changes", "error": "error errors", "token": "token tokens", "tokens/s": "tokens/s tok/s",
    "request": "request requests", "iteration": "iteration iterations iters", "step": "step steps",
    "epoch": "epoch epochs", "more": "more",
}  # fmt: skip
# What is counted, not measured: another word may stand between it and its number.
NOUNS = frozenset({"GPU", "CPU", "node", "rank", "thread", "core", "line", "file", "test", "commit", "change", "error",
                   "token", "request", "iteration", "step", "epoch", "more"})  # fmt: skip
UNITS: dict[str, str] = {written: unit for unit, forms in _UNITS.items() for written in forms.split()}

# Numbers in words, which only a caller who counted may say, or who finds them in a commit.
NUMBER_WORDS: dict[str, str] = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12", "twice": "2", "thrice": "3", "dozen": "12", "dozens": "12",
    "hundreds": "100", "thousands": "1000",
}  # fmt: skip


def _split(words: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Whole words, and beginnings."""
    every = words.split()
    return frozenset(w for w in every if not w.endswith("*")), tuple(w[:-1] for w in every if w.endswith("*"))


_CLAIMING = {family: _split(claiming) for family, (claiming, _) in _CLAIMS.items()}
_BEARING = {family: _split(f"{claiming} {bearing}") for family, (claiming, bearing) in _CLAIMS.items()}
_FILLING = _split(FILLER_WORDS)


def _families(word: str, table: dict[str, tuple[frozenset[str], tuple[str, ...]]]) -> frozenset[str]:
    return frozenset(
        family
        for family, (whole, beginnings) in table.items()
        if word in whole or (beginnings and word.startswith(beginnings))
    )


@lru_cache(maxsize=50_000)
def borne_by(word: str) -> frozenset[str]:
    """The families of claims that a word of a commit, in small letters, bears out."""
    return _families(word[:40], _BEARING)


@lru_cache(maxsize=50_000)
def claimed_by(word: str) -> frozenset[str]:
    """The families that a word of a sentence, in small letters, claims."""
    return _families(word, _CLAIMING)


@lru_cache(maxsize=50_000)
def filler_of(word: str) -> str | None:
    """The stem by which a word, in small letters, is filler; None for one that is not."""
    whole, beginnings = _FILLING
    if word in whole:
        return word
    return next((beginning for beginning in beginnings if word.startswith(beginning)), None)
