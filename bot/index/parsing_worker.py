"""The process that makes commits ready to be stored: git's log comes in, rows go out. See `bot.index.parallel_parsing`.

It ends with whoever started it: when nothing more comes in, or nobody takes what goes out.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from bot.index.frames import read_frame, write_frame
from bot.index.gitlog import LogParser, Part
from storage.commit_rows import CommitRow, as_bytes, commit_row

CHUNK = 250  # commits handed over at a time,
HEAVY = 1 << 20  # or bytes of what they say and of the names of their files, roughly
_A_FILE = 100  # bytes


def main() -> None:
    gc.disable()  # nothing here refers to itself, and looking for what does takes a fifth of the time
    taken, given = sys.stdin.buffer, sys.stdout.buffer
    header = json.loads(read_frame(taken) or b"{}")
    parser = LogParser(header["repository"], frozenset(header["without_files"]))
    for chunk in _chunks(_commits(parser, taken)):
        write_frame(given, as_bytes(chunk))
    write_frame(given, b"")
    write_frame(given, json.dumps(parser.oddities).encode())


def _quietly() -> None:
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)  # and not by way of what would be said of a pipe that nobody reads


def _commits(parser: LogParser, taken: BinaryIO) -> Iterator[Part]:
    while block := read_frame(taken):
        yield from parser.parts(block)
    if block is not None:  # an empty frame: git has ended well
        yield from parser.last_part()


def _chunks(commits: Iterable[Part]) -> Iterator[list[CommitRow]]:
    chunk: list[CommitRow] = []
    weight = 0
    for commit, files in commits:
        chunk.append(commit_row(commit, files))
        weight += len(commit.subject) + len(commit.body) + _A_FILE * len(files)
        if len(chunk) == CHUNK or weight > HEAVY:
            yield chunk
            chunk, weight = [], 0
    if chunk:
        yield chunk


if __name__ == "__main__":
    _quietly()
