"""The words of a question: how a text falls into them, and which of them are never a name. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

_ADDRESS = re.compile(r"<mailto:([^|>]+)(?:\|[^>]*)?>", re.IGNORECASE)
_LINK = re.compile(r"<(https?://[^|>]+)(?:\|[^>]*)?>", re.IGNORECASE)
_PAGE = re.compile(
    r"https?://[^/\s]+/([\w.-]+/[\w.-]+?)(?:\.git)?(?:/(?:-/)?(commit|pull|issues)/(\w+)\S*)?/?(?=[\s,;:?!)]|$)"
)
_CHANNEL = re.compile(r"<[#!][^>]*>")
_EMPHASIS = re.compile(r"(?<![\w*_~`])[*_~`]+(?=\w)|(?<=\w)[*_~`]+(?![\w*_~`])")
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
        "developed", "developer", "did", "do", "does", "doing", "done", "down", "during", "each", "else", "end", "ever",
        "every", "everything", "exactly", "far", "feature", "features", "finish", "finished", "fix", "fixed", "fixes",
        "focus", "for", "from", "full", "gave", "get", "gets", "getting", "git", "give", "go", "going", "good", "got",
        "great", "guess", "had", "happen", "happened", "has", "have", "he", "hello", "help", "her", "here", "hey", "hi",
        "highlights", "him", "his", "how", "i", "if", "implement", "implemented", "in", "info", "into", "is", "issue",
        "issues", "it", "its", "just", "keep", "know", "lately", "latest", "let", "like", "list", "look", "looks",
        "made", "mail", "main", "make", "many", "may", "me", "mean", "merge", "merged", "mine", "monday", "month",
        "monthly", "months", "more", "most", "mr", "mrs", "ms", "much", "must", "my", "myself", "need", "new", "news",
        "next", "now", "of", "off", "ok", "on", "one", "only", "onto", "or", "other", "our", "out", "output", "over",
        "overall", "page", "part", "past", "per", "please", "point", "post", "present", "previous", "probably",
        "product", "progress", "project", "projects", "pull", "pushed", "put", "ran", "rather", "read", "really",
        "recap", "recent", "recently", "release", "released", "remember", "remind", "repo", "report", "reports",
        "repos", "repositories", "repository", "requests", "result", "results", "review", "reviewed", "run", "said",
        "same", "say", "see", "send", "shall", "share", "she", "ship", "shipped", "shipping", "should", "show", "since",
        "so", "some", "something", "start", "started", "stats", "status", "still", "story", "stuff", "such", "sum",
        "summarise", "summarize", "summary", "sure", "tackle", "tackled", "team", "tell", "test", "tests", "than",
        "thank", "thanks", "that", "the", "their", "them", "then", "there", "these", "they", "thing", "things", "think",
        "this", "those", "time", "title", "to", "today", "together", "told", "too", "topic", "total", "try", "two",
        "under", "until", "up", "update", "updates", "us", "use", "used", "very", "via", "want", "wanted", "was", "way",
        "we", "well", "were", "what", "when", "where", "which", "while", "who", "whole", "whom", "whose", "why", "will",
        "wish", "with", "within", "without", "wonder", "work", "worked", "working", "works", "would", "write", "writes",
        "writing", "written", "wrote", "year", "years", "yes", "yet", "you", "your", "yourself",
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
        return without_possessive(self.text.strip(EDGES).lstrip("@")).strip(EDGES).casefold()

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


def _of_page(page: re.Match[str]) -> str:
    """The repository, the commit or the number that a page of a forge is of."""
    repository, what, which = page.groups()
    return which if what == "commit" else f"{repository}#{which}" if what else repository


def unwrapped(text: str) -> str:
    """The text without what Slack puts around addresses, links and channels, and without its escapes."""
    text = _ADDRESS.sub(r" \1 ", text)
    text = _PAGE.sub(_of_page, _LINK.sub(r" \1 ", text))
    text = _EMPHASIS.sub("", text)
    return " ".join(unescape(_CHANNEL.sub(" ", text)).split())


def without_possessive(word: str) -> str:
    """ "Ada's" → "Ada", "James'" → "James"."""
    return re.sub(r"['’]s?$", "", word, flags=re.IGNORECASE) if not re.search(r"\d['’]", word) else word
