"""Histories that somebody made to do harm, written with git's own fast-import: any bytes that it takes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

OCTOBER = 1_759_276_800  # its first second, in UTC
DAYS = 31 * 86_400

# What would be run, be markup, steer a terminal or break a format, wherever a name, a path or a message is told.
TOKENS = [
    b"$(touch CANARY)", b"`touch CANARY`", b";touch CANARY;", b"|touch CANARY", b"--upload-pack=touch CANARY", b"-rf",
    b"<script>fetch('//x')</script>", b"<img src=x onerror=alert(1)>", b"\"'><svg onload=alert(1)>", b"<!-- ", b"]]>",
    b"<!channel>", b"<!here|here>", b"<@U0ADA>", b"<#C0SHIPPED>", b"<https://evil.example|Sign in>", b"&lt;!here&gt;",
    b"[click](javascript:alert(1))", b"![](https://evil.example/x.png)", b"<https://evil.example>", b"# Heading",
    b"```", b"~~~", b"* * *", b"| a | b |", b"[x]: javascript:alert(1)", b"\\", b"*b* _i_ ~s~ `c`",
    b"&amp;&#60;b&#62;", b"=cmd|'/C calc'!A0", b"x;=1+1", b"x\t@SUM(1)", b"x|-2+3", b"+1", b"@x", b"\"\"\"",
    b"a\";=1", b"x;", b"\xef\xbc\x9d1", b"{{ 7 * 7 }}", b"{% raw %}", b"${7*7}", b"%s%n%x", b"{0.__class__}",
    b"%(name)s", b"\x1b[2J\x1b]0;owned\x07", b"\x1b]8;;https://evil.example\x1b\\x\x1b]8;;\x1b\\", b"\x9b31m", b"\r",
    b"\b\b\b", b"\x07", b"\xc2\x9b31m", b"\xe2\x80\xae", b"\xe2\x81\xa6", b"\xe2\x80\x8b", b"\xef\xbb\xbf",
    b"\xe2\x80\xa8", b"\xc2\x85", b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xcc\x81" * 40,
    b"\xf0\x9f\x92\xa3", b"../../etc/passwd", b"/etc/passwd", b"C:\\con", b"a\x01b\x02", b"\x01", b":100644",
    b"1\t1\t", b"-\t-\t",
]  # fmt: skip
TRAILERS = [
    b"Co-authored-by: Eve <eve@example.com>", b"Co-authored-by: <@U0ADA> <<!here>>", b"Reviewed-by: " + b"x" * 5000,
    b"This reverts commit " + b"0" * 40 + b".", b"(cherry picked from commit " + b"f" * 40 + b")",
    b"Fixes: #" + b"9" * 400, b"Closes acme/engine#1", b"Signed-off-by: =cmd <a@b>", b"Change-Id: I" + b"0" * 40,
    b"git-svn-id: x@1 y", b"Co-authored-by: " + b"<" * 3000, b"Reverts #" + b"1" * 5000,
]  # fmt: skip
ENCODINGS = [
    b"ISO-8859-1", b"UTF-7", b"UTF-16", b"UTF-16LE", b"UTF-32BE", b"SHIFT_JIS", b"ISO-2022-JP", b"IBM037", b"UCS-2",
    b"x", b"\x1b[2J", b"../../x", b"UTF-8//IGNORE", b"A" * 3000, b"\xff",
]  # fmt: skip
MAILMAPS = [
    b"Ada Boss <ada@example.com> <eve@example.com>", b"<ada@example.com> <*>", b"<>", b"< > < >", b"# x",
    b"\xff\xfe <a@b>", b"<a@b> <b@a>\n<b@a> <a@b>", b"N" * 50_000 + b" <a@b>", b"\x00\x01\x02",
    b"A <" + b"x" * 9000 + b"> <y>", b"=1 <@x>",
]  # fmt: skip
ATTRIBUTES = b"* diff=trap filter=trap merge=trap -text export-subst working-tree-encoding=UTF-16\n[attr]x diff=trap\n"
MODULES = b'[submodule "x"]\npath=x\nurl=ext::touch CANARY\nupdate=!touch CANARY\n'


@dataclass
class History:
    """A branch that was made, as fast-import is shown it."""

    branch: str
    lines: list[bytes] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)


class Maker:
    """Makes histories of one stream from a seed; the same seed makes the same."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311
        self._mark = 0

    def stream(self, branches: list[str]) -> bytes:
        """So many branches that share nothing, each a history of one to seven commits."""
        return b"".join(b"".join(self._history(branch).lines) for branch in branches) + b"done\n"

    def _history(self, branch: str) -> History:
        history = History(branch, [b"reset refs/heads/%s\n" % branch.encode()])
        for _ in range(self._chance.randrange(1, 8)):
            self._commit(history)
        return history

    def _commit(self, history: History) -> None:
        chance, lines = self._chance, history.lines
        self._mark += 1
        lines.append(b"commit refs/heads/%s\nmark :%d\n" % (history.branch.encode(), self._mark))
        lines.append(b"author %s %s\n" % (self._who(), self._when()))
        lines.append(b"committer %s %s\n" % (self._who(), self._when()))
        if chance.random() < 0.2:
            lines.append(b"encoding %s\n" % chance.choice(ENCODINGS))
        lines.append(_data(self._message()))
        if history.marks:
            first = history.marks[-1] if chance.random() < 0.8 else chance.choice(history.marks)
            lines.append(b"from :%d\n" % first)
            others = [one for one in history.marks if one != first]
            # An octopus, or the same parent twice.
            for _ in range(chance.choice([0, 0, 0, 1, 2, 9]) if others else 0):
                lines.append(b"merge :%d\n" % chance.choice(others))
        lines += [self._file() for _ in range(chance.choice([0, 1, 1, 2, 5]))]
        if chance.random() < 0.1:
            lines.append(b"deleteall\n")
        if chance.random() < 0.15:
            mailmap = b"\n".join(chance.choices(MAILMAPS, k=3))
            lines.append(
                chance.choice([_file(b"100644", b".mailmap", mailmap), _file(b"120000", b".mailmap", b"/etc/passwd")])
            )
        if chance.random() < 0.15:
            lines.append(_file(b"100644", b".gitattributes", ATTRIBUTES))
        if chance.random() < 0.1:
            lines.append(_file(b"100644", b".gitmodules", MODULES))
        history.marks.append(self._mark)

    def _bytes(self, most: int = 6) -> bytes:
        """Tokens, words and noise; now and then very long."""
        chance = self._chance
        kinds: list[Callable[[], bytes]] = [
            lambda: chance.choice(TOKENS),
            lambda: chance.choice([b"Fix", b"Add", b"the mill", b"Revert", b"cache", b"\xc3\xa9t\xc3\xa9"]),
            lambda: chance.randbytes(chance.randrange(1, 20)),
        ]
        said = b" ".join(chance.choices(kinds, [5, 4, 1])[0]() for _ in range(chance.randrange(0, most)))
        if chance.random() < 0.01:
            said = (said + b"x") * chance.choice([300, 3000])
        return said

    def _who(self) -> bytes:
        chance = self._chance
        if chance.random() < 0.3:
            return chance.choice([b"Ada Lovelace <ada@example.com>", b"Grace Hopper <grace@example.com>"])
        name, address = (_only(self._bytes(4), b"<>\n\0") for _ in range(2))
        return b"%s <%s>" % (name, address)

    def _when(self) -> bytes:
        chance = self._chance
        if chance.random() < 0.8:
            seconds = OCTOBER + chance.randrange(DAYS)
        else:
            seconds = chance.choice([0, 1, 2**31 - 1, 2**31, 2**32, 2**40, 2**53, 2**63 - 1, 2**63, 2**64 - 1])
        zone = chance.choice([b"+0000", b"-0700", b"+1400", b"+0545", b"-2400", b"+9999", b"+99999999", b"-0", b"+1"])
        return b"%d %s" % (seconds, zone)

    def _message(self) -> bytes:
        chance = self._chance
        parts = [self._bytes() for _ in range(chance.choice([0, 1, 1, 2, 6]))]
        parts += chance.sample(TRAILERS, chance.choice([0, 0, 1, 3]))
        message = chance.choice([b"\n\n", b"\n", b"\r\n\r\n"]).join(parts)
        if chance.random() < 0.05:
            message = message.replace(b" ", b"\0", 1)
        return message

    def _file(self) -> bytes:
        chance = self._chance
        path = self._path()
        kind = chance.random()
        if kind < 0.08:
            return b"M 160000 %s %s\n" % (chance.randbytes(20).hex().encode(), _quoted(path))
        if kind < 0.16:
            return _file(b"120000", path, chance.choice([b"/etc/passwd", b"../" * 50, path, b"x" * 5000]))
        content = chance.choice([b"", self._bytes(), b"line\n" * chance.randrange(40), b"\0" * 9, b"x" * 30_000])
        return _file(chance.choice([b"100644", b"100755"]), path, content)

    def _path(self) -> bytes:
        """What fast-import takes for one: no empty part, none that leads up, none that is git's own."""
        parts = [_only(part, b"\0") for part in self._bytes(4).split(b"/")]
        kept = [part[:200] for part in parts if part not in (b"", b".", b"..") and not part.lower().startswith(b".git")]
        return b"/".join(kept) or b"a"


def _only(data: bytes, without: bytes) -> bytes:
    return data.translate(None, without)


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


def _quoted(path: bytes) -> bytes:
    return b'"%s"' % b"".join(b"\\%03o" % byte for byte in path)


def _file(mode: bytes, path: bytes, content: bytes) -> bytes:
    return b"M %s inline %s\n%s" % (mode, _quoted(path), _data(content))
