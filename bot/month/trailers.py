"""What a commit message says in the forms that tools read. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from bot.model import Commit, Credited, Role

# --- what a commit is called

READ, TAIL = 1_000, 4_000  # characters at the beginning and at the end of a message that are read,
NUMBERS = 200  # and at the end of a title, where numbers of pull requests may stand
# "Fix the cache (#123)": the number a forge appends when it squashes. Some histories carry two.
_APPENDED = re.compile(r"\((?:(?:pull request|PR) )?((?:[\w.-]+/[\w.-]+)?[#!]\d+)\)", re.IGNORECASE)
# What forges write in place of a subject: the sign before a number as each of them writes it, and which subjects. The
# title stands in it, or in the body.
_WRITTEN = tuple(
    (sign, re.compile(pattern, re.IGNORECASE))
    for sign, pattern in (
        ("#", r"Merge pull request '(?P<title>.+)' \(#(?P<number>\d+)\) from .{0,300}"),  # Gitea
        ("#", r"Merge pull request #(?P<number>\d+) (?:from|in) .*"),  # GitHub, Bitbucket
        ("!", r"Merge pull request (?P<number>\d+) from .*"),  # Azure DevOps, as the next
        ("!", r"Merged PR (?P<number>\d+): (?P<title>.+)"),
        ("#", r"(?:Pull request|PR) #?(?P<number>\d+)(?::| -) (?P<title>.+)"),  # Bitbucket, and by hand
        ("#", r"Merged in .* \(pull request #(?P<number>\d+)\)"),  # Bitbucket
        ("#", r"(?:Auto|Rollup) merge of #(?P<number>\d+)(?: -| ?:) .*"),  # bors, as the next
        ("#", r"Merge(?: #\d+)* #(?P<number>\d+)"),
        ("#", r"Merge (?P<of>[\w.-]+/[\w.-]+)?#(?P<number>\d+): (?P<title>.+)"),  # projects' own
        ("#", r"Merge PR #(?P<number>\d+) into .*"),
        ("!", r"Merge branch '.*"),  # GitLab, with what the next pattern finds
    )
)
_COPIES = re.compile(r"(?:Backport|Cherry-pick) (?:of )?(?:pull request|PR) #\d+ from \S+", re.IGNORECASE)  # of a bot
_SEE = re.compile(r"^See merge request (?:\S+/)?(?:[\w.-]+)?!(\d+)\s*$", re.MULTILINE)
_CLOSES = re.compile(r"^Closes #(\d+) from \S+\s*$", re.MULTILINE)  # of Apache's, beside issues
_NO_TITLE = re.compile(
    r"See merge request|Approved-by:|Merge in |[*-] |(?:Closes|Fixes|Related)\b|[\w-]+-by:|\w+(?:-\w+)+: \S+$|\w+=\S",
    re.IGNORECASE,
)


class Heading(NamedTuple):
    """What a commit is called: the line of its message that says so, which is its subject unless a forge wrote that;
    the line without numbers behind it; and the pull requests that it is, as written: ("#123",), ("acme/engine#7",),
    "!123" on GitLab and Azure DevOps. Of several the last is its own, those before it what it was made from."""

    line: str
    title: str
    numbers: tuple[str, ...]


def heading_of(commit: Commit) -> Heading:
    """What a commit is called."""
    found: Heading | None = commit.heading
    if found is None:
        subject, body = commit.subject, commit.body
        subject = subject if len(subject) <= READ + NUMBERS else f"{subject[:READ]}{subject[-NUMBERS:]}"
        found = heading(subject, body if len(body) <= READ + TAIL else f"{body[:READ]}\n{body[-TAIL:]}")
        object.__setattr__(commit, "heading", found)
    return found


def heading(subject: str, body: str = "") -> Heading:
    """The same of a message, or of a title that another one quotes."""
    line, own = subject[:READ], ""
    if "See merge request" in body and (seen := _SEE.findall(body)):
        own = f"!{seen[-1]}"
    elif "Closes #" in body and (closed := _CLOSES.findall(body)):
        own = f"#{closed[-1]}"
    if line[:5].lower() in ("merge", "pull ", "auto ", "rollu") or line[:2].lower() == "pr":
        for sign, pattern in _WRITTEN:
            if (found := pattern.fullmatch(line.strip())) and (own or "number" in pattern.groupindex):
                said = found.groupdict()
                own = f"{said.get('of') or ''}{sign}{said['number']}" if "number" in said else own
                line = said["title"] if "title" in said else _first_said(body, own[1:]) or line
                break
    elif line[:8].lower() in ("backport", "cherry-p") and _COPIES.fullmatch(line.strip()):
        line = _first_said(body, "") or line
    numbers = re.findall(r"#\d+", line) if own and line.startswith("Merge #") else [own] if own else []
    title = line.strip()
    end = title if len(subject) <= READ else subject[-NUMBERS:].rstrip()
    at, first = len(end), max(0, len(end) - NUMBERS)
    while end.endswith(")", 0, at) and (
        appended := _APPENDED.fullmatch(end, max(first, end.rfind("(", first, at)), at)
    ):
        numbers.insert(0, appended[1])
        at = len(end[: appended.start()].rstrip())
    title = end[:at] or title if end is title else title
    return Heading(line, title, tuple(dict.fromkeys(numbers)) if numbers else ())


def _first_said(body: str, number: str) -> str:
    """The first line of a body, where a forge puts the title if it has one."""
    line = body[:READ].lstrip().partition("\n")[0].strip()
    first, _, title = line.partition(": ")
    if first.isdigit() and (" r=" in title or " a=" in title):  # of bors, with who reviewed and who wrote it
        return re.split(" [ra]=", title)[0] if first == number else ""  # the title of one of several
    return "" if _NO_TITLE.match(line) else line


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
_BARE_ADDRESS = re.compile(r"[^\s@<>,]+@[^\s@<>,.]+\.[^\s@<>,]+")
_BETWEEN = re.compile(r"(?<=>)\s*[,;]\s*")


def credits_of(body: str) -> tuple[Credited, ...]:
    """Whom the trailers of a commit's body name, in order, each once a role, exactly as written.

    Read are lines in a block of trailers, wherever in the body that stands: histories that squash put several of
    them into one body. In a paragraph that begins with prose, the trailers at its end count if they give an address.
    `Reviewed By: ada, grace`, as Phabricator writes it, counts wherever a line begins so; its groups (`#infra`) are
    nobody. Lines within ``` are code. Nobody is resolved here: see `bot.month.resolver.Resolver`.
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
