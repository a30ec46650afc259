"""Which repositories a question names. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rapidfuzz import fuzz, process

from bot.ask.grammar.asking_back import Meant, Missing
from bot.ask.grammar.words import SLASHED, WORD
from bot.story.wording import clean, listed

_EVERYWHERE = re.compile(
    r"\b(?:in\s+|across\s+|on\s+|for\s+)?(?:all|any|every)\s+(?:of\s+)?(?:the\s+|our\s+|my\s+)?(?:repos?|"
    r"repositor(?:y|ies)|projects?)\b|"
    r"\beverywhere\b",
    re.I,
)
EVERYTHING = re.compile(
    r"\W*(?:and\s+|now\s+|ok\s+|show\s+(?:me\s+)?)*(?:everything|all|all\s+of\s+it|the\s+(?:whole\s+)?lot)\W*",
    re.IGNORECASE,
)
_LEADS = frozenset(
    ["in", "only", "for", "of", "on", "from", "to", "at", "into", "inside", "repo", "repository", "and", "just",
     "within", "im", "en"]
)  # fmt: skip
_FOLLOWS = frozenset(["repo", "repository", "repo?", "project", "only"])
_ONLY = re.compile(r"\s*(?:and\s+)?only(?:\s+in)?\s+(?!my\b|me\b)[\w.-]*/[\w.-]+\W*", re.IGNORECASE)


def repositories_in(
    text: str, known: Sequence[str], is_name: Callable[[str], bool], meant: Sequence[str] = (), *, paths: bool = False
) -> tuple[str, tuple[str, ...] | None]:
    """The text without them, and repositories named in full ("acme/engine") or, led by a word such as "in", by their
    last part; None where none is named, () where all of them are.

    `is_name` tells what is somebody's name; `meant` are those that are meant where a last part is of several. With
    `paths`, "src/parser.py" is a path and stays, unless its first part is the owner of a repository. Raises
    Missing where a name is of none, or of several.
    """
    if everywhere := _EVERYWHERE.search(text):
        return f"{text[: everywhere.start()]} {text[everywhere.end() :]}", ()
    full = {name.casefold(): name for name in known}
    last: dict[str, list[str]] = {}
    for name in known:
        last.setdefault(name.rsplit("/", 1)[-1].casefold(), []).append(name)
    owners = {name.partition("/")[0] for name in full}
    tokens = list(WORD.finditer(text))
    found: list[str] = []
    kept = list(text)
    for number, token in enumerate(tokens):
        word = re.sub(r"['’]s?$", "", token[0].strip("*_~`'’‘…").rstrip(".")).casefold()
        before = [other[0].casefold() for other in tokens[max(0, number - 2) : number]]
        after = tokens[number + 1][0].casefold() if number + 1 < len(tokens) else ""
        led = bool(before and before[-1] in _LEADS) or (before == [*before[:1], "the"] and before[0] in _LEADS)
        names = [full[word]] if word in full else []
        if not names and word in last and (led or after in _FOLLOWS) and not is_name(word):
            names = [name for name in last[word] if name in meant] or last[word]
            if len(names) > 1:
                raise Missing(
                    f"Which {word}: {listed(names, 'or')}?", [Meant(name, repository=name) for name in names[:5]]
                )
        if not names and led and SLASHED.fullmatch(word) and before[-1] != "and":
            if paths and word.partition("/")[0] not in owners:
                continue
            close = process.extract(word, list(full), scorer=fuzz.ratio, score_cutoff=80, limit=3)
            near = [full[key] for key, _, _ in close]
            chosen = [name for name in near if name in meant]
            if not chosen:
                offer = f" Did you mean {near[0]}?" if near else ""
                raise Missing(
                    f"I have not indexed a repository called “{clean(word)[:80]}”.{offer}",
                    [Meant(name, repository=name) for name in near],
                )
            names = chosen
        if names:
            found += names
            kept[token.start() : token.end()] = " " * (token.end() - token.start())
    if not found and _ONLY.fullmatch(text) and known:
        raise Missing(f"Which repository do you mean? Write it as it is indexed, such as {known[0]}.")
    return "".join(kept), tuple(dict.fromkeys(found)) or None
