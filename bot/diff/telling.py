"""A commit's diff → what of it a model is given that is to tell what the commit did. Pure.

A commit gets its share of the signs that there are: those that need less than others leave the rest to them, so that
the largest change does not take the room of all. Where a diff fits into its share, it is given whole; otherwise the
lines that say most, by a small table of scores.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from bot.diff.facts import is_defined, is_marked
from bot.diff.patch import FilePatch, Hunk, Patch, bare

MOST_LINES = 400  # of a commit that are kept to be chosen from
MOST_WHOLE = 60_000  # signs of a commit that is given whole
LONG = 160  # signs of a line
SHORT_HUNK = 8  # lines: where so few took the place of others, what was changed is seen
K = TypeVar("K", bound=Hashable)


class Line(NamedTuple):
    """A line to choose: how much it says, in which file, where among the lines of the commit, and as it is shown."""

    score: int
    file: int
    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Telling:
    """What may be shown of a commit: the files' headings, and lines in the order of the diff; or all of it."""

    headings: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    whole: str = ""  # all lines that went or came but for those that only moved; empty where they are too many

    @property
    def length(self) -> int:
        """Signs of all of it."""
        if self.whole:
            return len(self.whole)
        headings = {line.file for line in self.lines}
        return sum(len(line.text) + 1 for line in self.lines) + sum(len(self.headings[one]) + 1 for one in headings)


_SIGNATURE = re.compile(
    r"\s*(?:(?:pub(?:\([^)]*\))?|export|public|protected|default|static|virtual|inline|abstract|async|unsafe|final|"
    r"override) )*(?:def|class|fn|struct|enum|trait|interface|func|function|type|template|void) +(?P<name>[\w<(]+)"
)
_SCORES: tuple[tuple[int, re.Pattern[str]], ...] = (
    (0, re.compile(r"[\s\W]*$|\s*(?:import|from|use|pub use|#include|using|package|else|try|end|pass|super)\b[^=]*$")),
    (0, re.compile(r".*(?:\bCopyright\b|All rights reserved|\b[Ll]icen[sc]ed? |LICENSE|pyre-|clang-format|noqa)")),
    (2, re.compile(r"\s*(?:#(?!define|\[)|//|/?\*|--|\"\"\"|<!--)")),
    (
        7,
        re.compile(
            r".*(?:add_argument\(|@click\.|#\[arg|\benviron\b|getenv|env::var|\bdefault\s*=|default_value|\bDEFAULT_|_DEFAULT\b"
            r"|\bpub attr )",
        ),
    ),
    (7, re.compile(r"\s*(?:raise|throw|bail!|panic!|return Err|unimplemented!|todo!|abort)\b|.*(?:_CHECK|_ENFORCE)\(")),
    (6, re.compile(r"\s*(?:(?:pub |export |static )*(?:const|constexpr|static)\b|#define |[A-Z][A-Z0-9_]{2,}\s*[:=])")),
    (5, re.compile(r"\s*(?:\} )?(?:if|elif|else if|match|while|when|case|assert\w*!?)\b")),
    (4, re.compile(r"\s*(?:self\.)?\w+\s*:[^=]+=\s*\S|\s*@\w")),
    (3, re.compile(r"\s*(?:return|yield|await|for)\b|.*\w\(")),
)


def telling(patch: Patch) -> Telling:
    """What may be shown of a commit; nothing of a diff that was too long to be held."""
    hunks = [hunk for file in patch.files for hunk in file.hunks]
    moved = Counter(bare(line) for hunk in hunks for line in hunk.removed)
    moved &= Counter(bare(line) for hunk in hunks for line in hunk.added)
    left = {"-": Counter(moved), "+": moved}
    lines: list[Line] = []
    whole: list[str] = []
    for number, file in enumerate(patch.files):
        of_file: list[str] = []
        for hunk in file.hunks:
            of_hunk: list[str] = []
            for sign, some in (("-", hunk.removed), ("+", hunk.added)):
                for at, text in enumerate(some):
                    if left[sign][key := bare(text)] > 0:
                        left[sign][key] -= 1
                        continue
                    of_hunk.append(f"{sign} {text.rstrip()}"[:LONG])
                    if score := _score(file, hunk, text):
                        said = " ".join(part.strip() for part in some[at : at + _parts(text)])
                        lines.append(Line(score, number, len(lines), f"{sign} {said}"[:LONG]))
            if of_hunk:
                of_file += [f"@@ {hunk.within}"[:LONG], *of_hunk] if hunk.within else of_hunk
        if of_file:
            whole += [_heading(file), *of_file]
    once = {(line.file, line.text): line for line in reversed(lines)}.values()  # the first of those that are the same
    best = sorted(once, key=lambda line: (-line.score, line.at))[:MOST_LINES]
    text = "\n".join(whole)
    return Telling(
        tuple(map(_heading, patch.files)),
        tuple(sorted(best, key=lambda line: line.at)),
        text if len(text) <= MOST_WHOLE else "",
    )


def _parts(line: str) -> int:
    """How many lines a statement that begins here is shown with: what raises says why in the next one."""
    return 3 if line.rstrip().endswith("(") else 1


def shown(commits: Mapping[K, Telling], most: int) -> dict[K, str]:
    """The text of each commit that has any, all of them together in at most so many signs."""
    texts: dict[K, str] = {}
    by_need = sorted(commits, key=lambda key: commits[key].length)
    for number, key in enumerate(by_need):
        share, one = most // (len(by_need) - number), commits[key]
        text = one.whole if one.whole and len(one.whole) <= share else _within(one, share)
        most -= len(text)
        if text:
            texts[key] = text
    return {key: texts[key] for key in commits if key in texts}


def _within(commit: Telling, most: int) -> str:
    """The best lines that fit, in the order of the diff, each file under its heading."""
    chosen: list[Line] = []
    files: set[int] = set()
    ranks: Counter[tuple[int, int]] = Counter()  # the first of each file before the second of any
    ranked = []
    for line in commit.lines:
        ranks[line.file, line.score] += 1
        ranked.append((-line.score, ranks[line.file, line.score], line))
    for *_, line in sorted(ranked):
        needed = len(line.text) + 1 + (0 if line.file in files else len(commit.headings[line.file]) + 1)
        if needed <= most:
            most -= needed
            files.add(line.file)
            chosen.append(line)
    said: list[str] = []
    above = None
    for line in sorted(chosen, key=lambda line: line.at):
        if line.file != above:
            said.append(commit.headings[line.file])
            above = line.file
        said.append(line.text)
    return "\n".join(said)


def _heading(file: FilePatch) -> str:
    if file.state in ("renamed", "copied"):
        return f"{file.path} ({file.state} from {file.old_path})"
    return file.path if file.state == "modified" else f"{file.path} ({file.state})"


def _score(file: FilePatch, hunk: Hunk, line: str) -> int:
    if file.place == "test":
        return 9 if is_marked(line, file.path) else 6 if is_defined(line, file.path) else 0
    if file.place == "settings":
        return 3 if bare(line) and not line.lstrip().startswith(("#", "//")) else 0
    if match := _SIGNATURE.match(line):
        score = 5 if match["name"].startswith("_") else 8
    else:
        score = next((score for score, pattern in _SCORES if pattern.match(line)), 1)
    is_change = bool(hunk.removed and hunk.added) and len(hunk.removed) + len(hunk.added) <= SHORT_HUNK
    return score + is_change if score else 0
