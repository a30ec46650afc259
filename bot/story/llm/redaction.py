"""Texts out of git or of people → what a model may be given of them: no secrets, no addresses, no orders. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

REDACTED = "[redacted]"
ADDRESS = "[address]"
LINK = "[link]"
LEFT_OUT = "[a long line]"
LONGEST_TEXT = 20_000  # characters of one text that are read; the rest is left out
LONGEST_LINE = 4_000  # a longer line is data, and plugins are slow on it: it is left out
_MOST_KEYWORDS = 20  # in one line; more are no prose, and the plugin for them takes time by their square
_SHORTEST = 4  # characters of what may be taken for a secret; the rest of a text is full of shorter ones

# A key in armour goes with all its lines; without an end it goes on to the end of the text.
_ARMOURED = re.compile(
    r"-----BEGIN [A-Z ]{0,40}(?:PRIVATE KEY|MESSAGE)[A-Z ]{0,20}-----.*?(?:-----END [A-Z ]{0,60}-----|\Z)", re.DOTALL
)
# What the plugins do not know, or know only in part.
_OWN = (
    re.compile(r"\b(?:Bearer|Basic|Token)[ \t]+(?P<secret>(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,})", re.IGNORECASE),
    re.compile(
        r"\b(?:password|passphrase|passcode|token|api key|secret)\s+(?:is|was)\s+[\"'`]?"
        r"(?P<secret>(?=\D{0,60}\d)[^\s\"'`,;)]{6,})",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:sk|pk|rk)-[\w-]{16,}"),
    re.compile(r"\b(?:hf|gsk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|gldt|npm|pypi|dop_v1|shpat|xai)[_-]\w[\w-]{18,}"),
    re.compile(r"\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}"),
    re.compile(r"\bAIza[\w-]{30,}"),
    re.compile(r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    re.compile(
        r"\b[\w-]{0,40}(?:passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|private[_-]?key)"
        r"[\w-]{0,20}[\"']?\s{0,3}[=:]\s{0,3}[\"']?(?P<secret>[^\s\"',;)]{6,})",
        re.IGNORECASE,
    ),
)
_KEYWORD = re.compile(r"key|pass|pwd|secret|contrase", re.IGNORECASE)
# What speaks to a model is left out with all of its text: what it wants said is no news of the month.
_ORDERS = re.compile(
    r"\b(?:ignor(?:e|ed|ing|es)|disregard(?:ed|s)?|forget|override)\b"
    r"(?=[^.\n]{0,60}\b(?:all|any|every|previous|prior|earlier|above|preceding|your|these)\b)"
    r"[^.\n]{0,40}\b(?:instructions?|prompts?|rules)\b|"
    r"\b(?:instructions?|message|note) (?:to|for) (?:the |any |all )?(?:ai|llm|language model|assistant|chatbot)s?\b|"
    r"<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?INST\]|"
    r"\byou are (?:now )?(?:an? )?(?:ai|assistant|llm|chatgpt)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s<>\"'`]+")
_MAIL = re.compile(r"(?<![\w.%+@-])[\w.%+-]{1,128}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_TOKEN = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/=_-]{24,}(?![\w+/=-])")


def redacted(text: str) -> str:
    """The text with `[redacted]` for each secret that is found in it, `[address]` for each e-mail address, and `[link]`
    for each address of a page, which may hold either.

    Found is what the plugins of detect-secrets find, and a few things more. It is a net with holes: a secret that
    looks like a word stays. Raises ImportError where detect-secrets is not installed.
    """
    text = _ARMOURED.sub(REDACTED, within(text))
    return "\n".join(_line(line) for line in text.split("\n"))


def within(text: str) -> str:
    """The text as far as it is read: never cut within a word, half of which nothing would know for a secret."""
    if len(text) <= LONGEST_TEXT:
        return text
    cut = text[:LONGEST_TEXT]
    end = max(cut.rfind(" "), cut.rfind("\n"), cut.rfind("\t"))
    return cut[:end] if end > 0 else ""


def gives_orders(text: str) -> bool:
    """Whether a text speaks to a language model: "ignore all previous instructions"."""
    return _ORDERS.search(text) is not None


@lru_cache(maxsize=1_024)  # the plugins take 20 µs over the shortest line, and a message may say one over and over
def _line(line: str) -> str:
    if len(line) > LONGEST_LINE or sum(1 for _ in _KEYWORD.finditer(line)) > _MOST_KEYWORDS:
        return LEFT_OUT
    line = _LINK.sub(LINK, line).strip()
    if not line:
        return ""
    for found in sorted(set(_secrets(line)), key=len, reverse=True):
        line = line.replace(found, REDACTED)
    return _MAIL.sub(ADDRESS, line)


def _secrets(line: str) -> Iterator[str]:
    """What in a line is a secret, as it stands there."""
    for pattern in _OWN:
        for match in pattern.finditer(line):
            yield match["secret"] if "secret" in pattern.groupindex else match[0]
    for match in _TOKEN.finditer(line):
        if _is_random(match[0]):
            yield match[0]
    for plugin in _plugins():
        # Where there are patterns, their whole match: what `analyze_string` yields is a group of it, which for some
        # plugins is the word before the secret. It never calls `verify`, which would ask a server.
        patterns = getattr(plugin, "denylist", ())
        found = (match[0] for pattern in patterns for match in pattern.finditer(line))
        limit = getattr(plugin, "entropy_limit", None)  # that some plugins leave to whoever asks them
        for secret in found if patterns else plugin.analyze_string(line):
            if len(secret) >= _SHORTEST and (limit is None or plugin.calculate_shannon_entropy(secret) > limit):
                yield secret


def _is_random(token: str) -> bool:
    """Whether a long token has capitals, small letters and digits all over it, as no path and no identifier has."""
    changes = sum(_class(one) != _class(other) for one, other in pairwise(token))
    kinds = {_class(sign) for sign in token}
    return {"a", "A", "0"} <= kinds and changes * 2 > len(token)


def _class(sign: str) -> str:
    return "0" if sign.isdigit() else "A" if sign.isupper() else "a" if sign.islower() else "-"


@cache
def _plugins() -> tuple[Any, ...]:
    # Loaded only where a model is set: these, and requests with them, take a fifth of a second.
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    found: Iterable[Any] = get_mapping_from_secret_type_to_class().values()
    return tuple(one() for one in found if one.__name__ != "IPPublicDetector")  # takes "12.4.1.3", a version, for one


def redacted_in(value: Any) -> Any:
    """JSON with each of its texts redacted."""
    if isinstance(value, dict):
        return {key: redacted_in(one) for key, one in value.items()}
    if isinstance(value, list):
        return [redacted_in(one) for one in value]
    return redacted(value) if isinstance(value, str) else value
