"""What a commit message says in the forms that tools read. Pure."""

from __future__ import annotations

import re

from bot.model import Credited, Role

# "Fix the cache (#123)": the number a forge appends when it squashes. Some histories carry two.
_APPENDED = re.compile(r"(?:\s*\((?:[\w.-]+/[\w.-]+)?#\d+\))+\s*$")
_NUMBER = re.compile(r"(?:[\w.-]+/[\w.-]+)?#\d+")
_MERGED = re.compile(r"Merge pull request (#\d+) ")


def pull_requests_in(subject: str) -> tuple[str, ...]:
    """The pull requests a subject names as its own, as written: ("#123",), ("acme/engine#7",)."""
    if merged := _MERGED.match(subject):
        return (merged[1],)
    appended = _APPENDED.search(subject)
    return tuple(dict.fromkeys(_NUMBER.findall(appended[0]))) if appended else ()


def without_pull_requests(subject: str) -> str:
    """The subject without the numbers a forge appended. One that is nothing else stays as it is."""
    return _APPENDED.sub("", subject).strip() or subject


# --- who helped

MOST_CREDITS = 500  # of one commit; a squashed release may name a hundred people, only mischief more
_LONGEST = 300  # characters of what stands behind "by:"
_ROLES: dict[str, Role] = {
    "authored": "coauthor", "developed": "coauthor", "reviewed": "reviewer", "suggested": "suggester",
    "reported": "reporter", "tested": "tester", "helped": "helper",
}  # fmt: skip
_CREDIT = re.compile(
    r"(?:co-?(?P<co>authored|developed)|(?P<did>reviewed|suggested|reported|tested|helped))(?P<gap>[- ])by:(?P<who>.*)",
    re.IGNORECASE,
)
# What else stands in a block of trailers: other trailers, what they are continued with, and notes of a maintainer.
_IN_BLOCK = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9-]*(?: [A-Za-z0-9-]+){0,2}[ \t]*:(?!//)|[ \t]+\S|\(cherry picked from |\[.*\]$"
)
_ADDRESSED = re.compile(r"(?P<name>[^<>]*)<(?P<address>[^<>]*)>")
_BARE_ADDRESS = re.compile(r"[^\s@<>,]+@[^\s@<>,]+\.[^\s@<>,]+")
_BETWEEN = re.compile(r"(?<=>)\s*[,;]\s*")


def credits_of(body: str) -> tuple[Credited, ...]:
    """Whom the trailers of a commit's body name, in order, each once a role, exactly as written.

    Read are lines in a block of trailers, wherever in the body that stands: histories that squash put several of
    them into one body. In a paragraph that begins with prose, the trailers at its end count if they give an address.
    `Reviewed By: ada, grace`, as Phabricator writes it, counts wherever a line begins so; its groups (`#infra`) are
    nobody. Lines within ``` are code. Nobody is resolved here: see `bot.month.people.Resolver`.
    """
    if "by:" not in body and "By:" not in body and "BY:" not in body:  # as most; quicker than any other way to see it
        return ()
    found: dict[tuple[str, str], Credited] = {}
    paragraph: list[str] = []
    is_code = False
    fences = 0
    if "```" in body:
        lines = [line.rstrip("\r \t") for line in body.split("\n")]
        fences = sum(map(_is_fence, lines))
    else:  # as most; then only paragraphs that name somebody need be read
        paragraphs = (one for one in body.split("\n\n") if "by:" in one.lower())
        lines = [line.rstrip("\r \t") for one in paragraphs for line in (*one.split("\n"), "")]
    for line in (*lines, ""):
        if fences and _is_fence(line):
            fences -= 1
            is_code = not is_code and fences > 0  # what is never closed was none
            line = ""
        elif is_code:
            continue
        if line and line.strip("-_="):  # a rule, as between what was squashed and its trailers, ends a paragraph too
            paragraph.append(line)
            continue
        for credited in _of_paragraph(paragraph):
            found.setdefault((credited.role, (credited.address or credited.name).casefold()), credited)
        paragraph = []
        if len(found) >= MOST_CREDITS:
            break
    return tuple(found.values())[:MOST_CREDITS]


def _is_fence(line: str) -> bool:
    return line.startswith("```") and "```" not in line[3:]


def _of_paragraph(lines: list[str]) -> list[Credited]:
    wanted = [(number, match) for number, line in enumerate(lines) if (match := _CREDIT.match(line))]
    if not wanted:
        return []
    block = len(lines)  # where the trailers at the end begin
    while block and _IN_BLOCK.match(lines[block - 1]):
        block -= 1
    found: list[Credited] = []
    for number, match in wanted:
        is_listing = match["gap"] == " " and match["did"] is not None and match["did"].casefold() == "reviewed"
        if number < block and not is_listing:
            continue
        role = _ROLES[(match["co"] or match["did"]).casefold()]
        for name, address in _who(match["who"][:_LONGEST].strip()):
            if address or block == 0 or is_listing:
                found.append(Credited(role, name, address))
    return found


def _who(text: str) -> list[tuple[str, str]]:
    """The names and addresses that are listed behind a "by:"."""
    found = []
    parts = _BETWEEN.split(text) if "<" in text else text.split(",")
    for part in parts:
        part = part.strip()
        if match := _ADDRESSED.match(part):
            name, address = match["name"].strip(" \t\"'"), match["address"].strip()
        else:
            name, address = ("", part) if _BARE_ADDRESS.fullmatch(part) else (part, "")
        if (name or address) and not name.startswith("#"):
            found.append((name, address))
    return found
