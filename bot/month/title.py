"""A commit's subject, taken apart: its tags, its prefix, its number, and its words; which of
these say something, and what they are without their endings. Pure.

Every part stands in the subject as it is; nothing is reworded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.model import Change, Commit
from bot.month.message import FORK, RESOLVED, heading, heading_of
from bot.month.paths import product_files
from bot.wording import clean, shortened

_SORTS = (
    "add auto automated backport bc be breaking bug bugfix build change changes chore ci ci/cd claude clean-up "
    "cleanup codemod codex copilot cursor dep deps doc docs enh enhancement enhancements feat feature features fix "
    "fixhancement hotfix imp improvement improvements maint misc mnt new perf performance refac refactor release "
    "revert security sty style test testing tests tst tweak tweakhancement tweaks update"
)
SORTS = frozenset((*_SORTS.split(), "bug fix"))  # labels that say only of what sort a change is, or who helped
_ORIGINS = (
    "__init__ all amd api back base c c++ cd clean common config core cuda dep dependencies documentation easy export "
    "ez fbcode git github go helper helpers hg hip important impl import index init interface internal jax lib lint "
    "main minor mod mv nit no note oss out paddle py python pytorch re-land reland rfc rocm rust setup skip src sync "
    "tensorflow tf torch types typo up util utils version wip x-link"
)
GENERIC_LABELS = SORTS.union(_ORIGINS.split())  # and those that say where it comes from: neither names a part
_STOP = (
    "a about above add after again all allow already also an and another any are as at avoid back be because been "
    "before being better between both but by can cannot case change check clean close closes code com correct could "
    "create default delete couple bunch warning lint did diff disable do does don due each easier enable ensure etc "
    "even every existing expose extra few file first fix fixes follow for from function get github give given had "
    "handle has have here how http if impl implement improve in initial instead internal into introduce is isn issue "
    "it its just keep land last let like line list made main make may minor missing more most move much must need "
    "new no not now of off old on once one only option or original other our out over own part pass possible pr "
    "prevent previous problem proper provide pull put re reduce refactor related remove rename replace request "
    "resolve return rewrite run same set should simplify since so some split still stop subject such summary support "
    "sure take test than that the their them then there these they thing this those rather through to too try turn "
    "two unused up update us use user using value version very via want was way we were what when where which while "
    "why will with within without won work would wrong yet you your type error data non per based basic class method "
    "subject test name number bump build docs py api init raw max min read write start end log"
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
    """Whether a tag or prefix names something: no sort of change, no release line, no folder of all the project."""
    is_generic = GENERIC_LABELS.issuperset(re.split(r"[ /]", folded(label))) or RELEASE_LINE.fullmatch(label)
    return not (is_generic or label.startswith("fbcode"))


RELEASE_LINE = re.compile(r"v?\d+(?:\.(?:\d+|x))+", re.IGNORECASE)  # for which a change is, and no part of the product


def folded(label: str) -> str:
    """A label as it is compared: "mesh_admin" and "mesh admin" are one."""
    return " ".join(label.casefold().replace("_", " ").replace("-", " ").split())


NO_SUBJECT = "(no subject)"  # stands for a title without a word
LONGEST = 120  # characters of a title in a list
WHOLE = 160  # of one that is told as a line of its own
MOST_TAGS = 4
LONGEST_LABEL = 100  # characters of what may stand for several changes
LONGEST_NUMBER = 13  # characters of a number with its "#"; a longer one is no pull request's

_PICTURES = re.compile(
    r"^[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff\s]+|[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff\s]+$"
)
_CLOSES = r"(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)"
# An issue's number in front: "Closes #12: …", "#12 …", "Bug 123 - …", "Fixed #123 -- …", "18417 Add outer_height to
# racks"; and behind: "…, closes #12"
_ISSUE = re.compile(
    rf"(?:(?:{_CLOSES}\b:? +(?:#|GH-)|bug:? +#?)\d{{1,7}}(?::| --?) +|(?:{_CLOSES}\b:? +)?"
    r"(?:#\d{1,6}(?::| -)|(?:#\d{1,6}|(?!(?:19|20)\d\d\b)\d{4,6})(?= (?-i:[A-Z]))) *|(?:#\d{1,6}[,:]? (?:- )?)+)"
    r"(?=\w{2,} \S)",
    re.IGNORECASE,
)
_CLOSED = re.compile(
    rf"(?<=\w) *(?:[,;.] *|[-–] |(?=\())(\()?{_CLOSES}:?(?:,?(?: and)? #\d{{1,6}})+(?(1)\))\.?$", re.IGNORECASE
)
_BULLET = re.compile(r"^(?:[-–*•+>]+\s+)+")
_TAG = re.compile(r"\[(?P<square>[^\[\]]{1,60})\]:?\s*|\((?P<round>[A-Za-z][\w .-]{0,30})\)\s+(?=\S)")
_TICKET = re.compile(rf"(?:{_CLOSES} )?[\w./-]*#\d+|[\d/]*", re.IGNORECASE)
_SERIES = re.compile(r"[#\w .-]{0,20}?(\d{1,3}) ?(?:/|of) ?(?:\d{1,3}|[nNxX?])\b")
_PREFIX = re.compile(
    r"(?P<prefix>[\w.+/@-]+(?: [\w.+/@-]+){0,3}?)!?(?:\((?P<scope>[\w ./,*-]{1,40})\) ?)?(?:\[[\w "
    r"/.-]{1,20}\])?!?: (?=\S)"
)
_WAS = re.compile(r"\s*\((?:was|formerly|previously)[: ][^()]*\)\s*$", re.IGNORECASE)
_KINDS = re.compile(
    r"(?:(?:bug|hot)?fix(?:es|ed)?|feat(?:ure)?|docs?|tests?|ci|build|chore|refac(?:tor)?|perf|style|misc|nit|wip|rfc|"
    r"minor|maint|mnt|cleanup|revert|release|bug|depr|infra|easy|draft|re-?land)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Title:
    """The parts of a subject.

    `words` is what is left: a piece of the subject as it stands. `tags` are those in brackets before it without the
    brackets, `prefix` is what stands before its colon, or the scope where that is a kind ("fix(parser): …"). `kind`
    is a prefix or tag that says only what sort of change it is.
    """

    words: str
    tags: tuple[str, ...] = ()
    prefix: str = ""
    kind: str = ""

    @property
    def low(self) -> str:
        """The words in small letters."""
        return self.words.lower()

    @property
    def labels(self) -> tuple[str, ...]:
        """What the author filed the change under, first what stands first."""
        return (*self.tags, *((self.prefix,) if self.prefix else ()))


def title_of(commit: Commit) -> Title:
    """The parts of what a commit is called."""
    title = parts_of(heading_of(commit).line)
    if commit.files and FORK.fullmatch(title.words):  # which says nothing: then the first of its files does
        return replace(title, prefix=clean(next(iter(product_files(commit) or commit.files)).path))
    return title


def title_said(change: Change) -> Title:
    """The parts of what a change is called: by hand, where it was."""
    return Title(clean(change.title)) if change.title else title_of(change.lead)


def unprefixed(title: Title) -> Title:
    """What is several words before a colon is the beginning of a sentence ("Remove the old cache: nobody used it"), and
    no prefix."""
    return title if " " not in title.prefix else replace(title, words=f"{title.prefix}: {title.words}", prefix="")


@lru_cache(maxsize=65_536)  # a post asks twice for each title of its month
def parts_of(subject: str) -> Title:
    """The parts of a title that stands alone, as one that a revert quotes."""
    whole = clean(subject)
    text = _BULLET.sub("", _without_pictures(heading(whole).title)).strip()
    while text.endswith(")") and (shorter := _WAS.search(text)):
        text = text[: shorter.start()]
    tags: list[str] = []
    kind = ""
    rest = text
    if issue := _ISSUE.match(rest):
        rest = rest[issue.end() :]
    while rest[:1] in ("[", "(") and len(tags) < MOST_TAGS and (found := _TAG.match(rest)) and rest[found.end() :]:
        tag = (found["square"] or found["round"]).strip()
        rest = rest[found.end() :]
        if _KINDS.fullmatch(tag):
            kind = kind or tag
        elif not (_SERIES.fullmatch(tag) or _TICKET.fullmatch(tag)):
            tags.append(tag)
    prefix = ""
    if ": " in rest and (found := _PREFIX.match(rest)) and not found["prefix"].isdigit():
        if _KINDS.fullmatch(found["prefix"]):
            kind, prefix = kind or found["prefix"], found["scope"] or ""
            rest = rest[found.end() :]
        elif not found["scope"] and len(found["prefix"]) <= LONGEST_LABEL:
            prefix = found["prefix"]
            rest = rest[found.end() :]
    words = _BULLET.sub("", _without_pictures(rest)).rstrip("-– ")
    if "#" in words and (closed := _CLOSED.search(words)) and " " in words[: closed.start()]:
        words = words[: closed.start()]
    if not words.endswith(".."):
        words = words.rstrip(".").rstrip()
    return Title(words or text or whole or NO_SUBJECT, tuple(tags), prefix, kind)


def plain_title(subject: str) -> str:
    """A subject in its own words: in one line, without a bullet before it or the number a forge appended."""
    words = _BULLET.sub("", heading(clean(subject)).title)
    if not words.endswith(".."):
        words = words.rstrip(".")
    return shortened(words.strip()) or NO_SUBJECT


def _without_pictures(text: str) -> str:
    return text.strip() if text.isascii() else _PICTURES.sub("", text)


def number_of(commit: Commit) -> str:
    """The number of a commit's pull request in its own repository, as "#12" or "!12"; empty where it has none."""
    for at, number in RESOLVED.findall(commit.body):
        if at.casefold() == commit.repository.casefold():
            return f"#{number}"
    every = (one.removeprefix(commit.repository) for one in heading_of(commit).numbers)
    numbers = [one for one in every if one[0] in "#!" and len(one) <= LONGEST_NUMBER]
    return numbers[-1] if numbers else ""
