"""The words of titles: which say something, and what they are without their endings. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

_TAGS = (
    "all amd auto automated back bc be breaking bug bugfix build c c++ cd chore ci clean clean-up cleanup codemod "
    "common core cuda dep dependencies deps doc docs documentation easy export ez fbcode feat feature fix github go "
    "hip hotfix import important internal jax lint main minor misc new nit no oss out paddle perf py python pytorch "
    "re-land refactor reland release revert rfc rocm rust skip style sync tensorflow test testing tests tf torch typo "
    "enhancement enhancements improvement improvements features performance change changes "
    "security tweak tweaks backport "
    "up update wip x-link lib src init mod util utils helper helpers types api index config base setup "
    "version __init__ "
    "interface impl note hg mv git"
)
GENERIC_LABELS = frozenset(_TAGS.split())  # which say of what sort a change is, or where it comes from
_STOP = (
    "a about above add after again all allow already also an and another any are as at avoid back be because been "
    "before being better between both but by can cannot case change check clean code com correct could create default "
    "delete couple bunch warning lint "
    "did diff disable do does don due each easier enable ensure etc even every existing expose extra few file first "
    "fix follow for from function get github give given had handle has have here how http if impl implement improve in "
    "initial instead internal into introduce is isn issue it its just keep land last let like line list made main make "
    "may minor missing more most move much must need new no not now of off old on once one only option or original "
    "other our out over own part pass possible pr prevent previous problem proper provide pull put re reduce refactor "
    "related remove rename replace request resolve return rewrite run same set should simplify since so some split "
    "still stop subject such summary support sure take test than that the their them then there these they thing this "
    "those rather "
    "through to too try turn two unused up update us use user using value version very via want was way we were what "
    "when where which while why will with within without won work would wrong yet you your type error data non per "
    "based basic class method subject test name number bump build docs py api init raw max min read write start end log"
)
_WORD = re.compile(r"`[^`]{1,60}`|[\w][\w.:+#-]*[\w+#]|\w")
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ers", "ed", "es", "s")


def words_of(text: str) -> list[str]:
    """The words of a title, identifiers whole, those between backticks with them."""
    return _WORD.findall(text)


@lru_cache(maxsize=32_768)
def is_identifier(word: str) -> bool:
    """Whether a word is a name out of code: marked as code, or with humps or underscores, and long enough to be one
    thing's."""
    bare = word.strip("`").rstrip("()")
    if len(bare) < 5 or " " in bare:
        return False
    return word[0] == "`" or ("_" in bare.strip("_") or bool(re.search(r"[a-z][A-Z]|::", bare)))


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """A word in small letters without its ending."""
    low = word.strip("`").casefold()
    for ending in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= 4 and not low.endswith("ss"):
            return low[: -len(ending)]
    return low[:-1] if low.endswith("e") and len(low) > 5 else low


EVERYDAY = frozenset(form for word in _STOP.split() for form in (word, stem(word)))


# --- tags and prefixes


def is_telling(label: str) -> bool:
    """Whether a tag or prefix names something: not a sort of change, and no folder of all the project."""
    return not GENERIC_LABELS.issuperset(re.split(r"[ /]", folded(label))) and not label.startswith("fbcode")


def folded(label: str) -> str:
    """A label as it is compared: "mesh_admin" and "mesh admin" are one."""
    return re.sub(r"[\s_-]+", " ", label.casefold()).strip()
