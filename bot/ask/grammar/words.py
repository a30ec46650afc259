"""The words of a question: how a text falls into them, and which of them are never a name. Pure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from unicodedata import normalize

_ADDRESS = re.compile(r"<mailto:([^|>]+)(?:\|[^>]*)?>", re.IGNORECASE)
_LINK = re.compile(r"<(https?://[^|>]+)(?:\|[^>]*)?>", re.IGNORECASE)
_PAGE = re.compile(
    r"https?://[^/\s]+/([\w.-]+/[\w.-]+?)(?:\.git)?(?:/(?:-/)?(commit|pull|issues|"
    r"merge_requests)/(\w+)[^\s,;!)]*)?/?(?=[\s,;:?!)]|$)",
    re.IGNORECASE,
)
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")  # turns the direction of writing
_CHANNEL = re.compile(r"<[#!][^>]*>")
_EMPHASIS = re.compile(r"(?<![\w*_~`])[*_~`]+(?=\w)|(?<=\w)[*_~`]+(?![\w*_~`])")
_REPEATED = re.compile(r"([^\w\s])\1{3,}")  # says no more than three do
WORD = re.compile(r"[^\s,;:?!()\"“”]+")
EDGES = "*_~`'’‘.-…"
MARK = re.compile("[\ue000-\uf8ff]")  # stands in the text for a person who was found
SLASHED = re.compile(r"[\w.-]+/[\w.-]+")

JOINS = frozenset(["and", "&", "+", "plus", "with", "or", "vs", "vs.", "versus"])
# Words around a name that are never a name. A name that is one of them is still found in full.
FILLER = frozenset(
    [
        "a", "able", "about", "accomplish", "accomplished", "account", "achieve", "achieved", "across", "active",
        "activity", "add", "added", "all", "also", "am", "an", "and", "any", "anything", "are", "as", "at", "author",
        "back", "be", "because", "been", "before", "best", "better", "between", "bot", "brief", "brought", "build",
        "building", "built", "but", "by", "can", "catch", "change", "changed", "changes", "chart", "code", "coding",
        "commit", "commits", "contribute", "contributed", "contribution", "contributions", "could", "curious",
        "current", "currently", "day", "days", "deliver", "delivered", "detail", "details", "dev", "develop",
        "developed", "developer", "did", "do", "does", "doing", "done", "down", "during", "each", "else", "end",
        "ever", "every", "everything", "exactly", "far", "feature", "features", "finish", "finished", "fix", "fixed",
        "fixes", "focus", "for", "from", "full", "gave", "get", "gets", "getting", "git", "give", "go", "going",
        "good", "got", "great", "guess", "had", "happen", "happened", "has", "have", "he", "hello", "help", "her",
        "here", "hey", "hi", "highlights", "him", "his", "how", "i", "if", "implement", "implemented", "in", "info",
        "into", "is", "issue", "issues", "it", "its", "just", "keep", "know", "lately", "latest", "let", "like",
        "list", "look", "looks", "made", "mail", "main", "make", "many", "may", "me", "mean", "merge", "merged",
        "mine", "monday", "month", "monthly", "months", "more", "most", "mr", "mrs", "ms", "much", "must", "my",
        "myself", "need", "new", "news", "next", "now", "of", "off", "ok", "on", "one", "only", "onto", "or", "other",
        "our", "out", "output", "over", "overall", "page", "part", "past", "per", "please", "point", "post",
        "present", "previous", "probably", "product", "progress", "project", "projects", "pull", "pushed", "put",
        "ran", "rather", "read", "really", "recap", "recent", "recently", "release", "released", "remember", "remind",
        "repo", "report", "reports", "repos", "repositories", "repository", "requests", "result", "results", "review",
        "reviewed", "run", "said", "same", "say", "see", "send", "shall", "share", "she", "ship", "shipped",
        "shipping", "should", "show", "since", "so", "some", "something", "start", "started", "stats", "status",
        "still", "story", "stuff", "such", "sum", "summarise", "summarize", "summary", "sure", "tackle", "tackled",
        "team", "tell", "test", "tests", "than", "thank", "thanks", "that", "the", "their", "them", "then", "there",
        "these", "they", "thing", "things", "think", "this", "those", "time", "title", "to", "today", "together",
        "told", "too", "topic", "total", "try", "two", "under", "until", "up", "update", "updates", "us", "use",
        "used", "very", "via", "want", "wanted", "was", "way", "we", "well", "were", "what", "when", "where", "which",
        "while", "who", "whole", "whom", "whose", "why", "will", "wish", "with", "within", "without", "wonder",
        "work", "worked", "working", "works", "would", "write", "writes", "writing", "written", "wrote", "year",
        "years", "yes", "yet", "you", "your", "yourself", "against", "busy", "compare", "compared", "differ",
        "digest", "digests", "earlier", "forward", "later", "least", "mostly", "notes", "ones", "ought",
        "professional", "rundown", "round-up", "roundup", "seen", "side", "spend", "spent", "touched", "usually",
        "vs", "whatever", "who's", "what's", "wondering", "including", "through", "towards", "again", "boss",
        "manager", "quarter", "half", "week", "weeks", "period", "long", "hard", "lot", "lots", "bit", "anybody",
        "everybody", "everyone", "people", "somebody", "someone", "nobody", "cheers", "nice", "cool", "okay", "fine",
        "short", "quick", "quickly", "detailed", "language", "languages", "version", "format", "text", "yours",
        "ours", "hers", "theirs", "i'm", "i've", "i'd", "it's", "he's", "she's", "let's", "don't", "didn't", "hasn't",
        "isn't", "wasn't", "that's", "there's",
        # other languages' words around a name
        "hat", "macht", "arbeitet", "behoben", "behob", "haben", "was", "woran", "gemacht", "getan", "geschrieben",
        "gearbeitet", "und",
        "oder", "mit", "von",
        "für", "bei", "der", "die", "das", "den", "dem", "im", "ist", "wer", "wie", "zeig", "zeige", "mir", "bitte",
        "qu'a", "qu’a", "que", "qui", "quoi", "fait", "faits", "ont", "ce", "est", "et", "en", "dans", "pour", "par",
        "sur", "avec", "le", "la", "les", "des", "du", "de", "un", "une", "travaillé", "montre", "moi", "qué", "hizo",
        "hicieron", "hecho", "ha", "han", "y", "del", "los", "las", "el", "con", "por", "para", "trabajó", "fez",
        "fizeram", "feito", "o", "os", "e", "em", "no", "na", "da", "dos", "com", "cosa", "che", "fatto", "hanno",
        "il", "gli", "di", "nel", "per", "wat", "deed", "deden", "heeft", "hebben", "gedaan", "het", "van", "een",
        "met", "co", "zrobił", "zrobiła", "zrobili", "w", "z", "od", "vad", "gjorde", "och", "har", "gjort", "på",
        "av", "hvad", "hva", "og", "mitä", "teki", "ne", "yaptı", "что", "сделал", "сделала", "делал", "делала", "в",
        "и", "с", "за", "的", "做了什么", "は", "が", "を",
    ]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A word that is left: a person's mark, a connecting word, or any other."""

    text: str
    start: int
    end: int

    @property
    def plain(self) -> str:
        return _plain(self.text)

    @property
    def is_possessive(self) -> bool:
        return self.text.casefold().endswith(("'s", "’s"))

    @property
    def is_mark(self) -> bool:
        return bool(MARK.match(self.text))

    @property
    def is_filler(self) -> bool:
        plain = self.plain
        return not any(letter.isalpha() for letter in plain) or plain in FILLER or self.text.casefold() in JOINS


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    return without_possessive(text.strip(EDGES).lstrip("@")).strip(EDGES).casefold()


def _of_page(page: re.Match[str]) -> str:
    """The repository, the commit or the number that a page of a forge is of."""
    repository, what, which = page.groups()
    return which if what and what.lower() == "commit" else f"{repository}#{which}" if what else repository


def unwrapped(text: str) -> str:
    """The text without what Slack puts around addresses, links and channels, and without its escapes."""
    text = _ADDRESS.sub(r" \1 ", normalize("NFC", _UNSEEN.sub("", text)))
    text = _PAGE.sub(_of_page, _LINK.sub(r" \1 ", text))
    text = _EMPHASIS.sub("", text)
    text = re.sub(r"(?<=\w)&amp;(?=\w)|(?<=\w)&(?=\w)(?!\w{1,6};)", " & ", text)
    return " ".join(_REPEATED.sub(r"\1\1\1", unescape(_CHANNEL.sub(" ", text))).split())


MOST_WORDS, MOST_TIMES = 60, 12  # words of a question, and how often one of them may stand in it


def is_sentence(text: str) -> bool:
    """Whether a text may be a question: what is longer, or says one word again and again, takes long and is none."""
    words = WORD.findall(text.casefold())
    if len(words) <= MOST_TIMES:
        return True
    told = Counter(word for word in words if word not in FILLER and word not in JOINS)
    return len(words) <= MOST_WORDS and max(told.values(), default=0) <= MOST_TIMES


_FORM = re.compile(
    r"[\s,]*\b(?:as|in|into|to|using|with)\s+(?:an?\s+)?(?P<form>markdown|md|brag[\s-]+doc(?:ument)?|html|json|csv|"
    r"pdf|excel|xlsx?|word|"
    r"yaml|latex|powerpoint)(?:\s+(?:format|file|text|table|document|please))*(?=\W*$)|"
    r"^\W*(?:and\s+|now\s+)?(?:(?:give|show|send)\s+(?:me\s+)?)?(?:the\s+)?(?P<alone>markdown|md)(?:\s+(?:version|"
    r"format|please|of\s+(?:that|this|it)))*\W*$",
    re.IGNORECASE,
)


def form_of(text: str) -> tuple[str, str | None]:
    """The text without the form that the answer is wanted in, and that form: "markdown", or one there is not."""
    match = _FORM.search(text)
    if not match:
        return text, None
    said = (match["form"] or match["alone"]).lower()
    form = "markdown" if said in ("markdown", "md") or said.startswith("brag") else said
    return f"{text[: match.start()]} {text[match.end() :]}".strip(), form


def without_possessive(word: str) -> str:
    """ "Ada's" → "Ada", "James'" → "James", "李明的" → "李明"."""
    if not word.isascii() and len(word) > 2:
        word = re.sub(r"(?:的|さんの|さん|の|님의|님|의)$", "", word)
    return re.sub(r"['’]s?$", "", word, flags=re.IGNORECASE) if not re.search(r"\d['’]", word) else word
