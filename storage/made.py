"""A commit made ready to be stored: the values of its rows, all but the numbers that only the database gives. Pure.

Making them costs more than storing them, so a long history has it done by another process (`bot.index.making`).
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.model import Commit, FileChange
from storage.bodies import packed
from storage.credits import CreditRow, credit_rows
from storage.traces import TraceRow, trace_rows

FileRow = tuple[str, str, int | None, int | None, str | None, bool]


class Made(NamedTuple):
    """What is stored of one commit, in values that a process can hand to another."""

    sha: bytes
    parents: bytes
    author: tuple[str, str]  # name and address
    authored_at: int
    author_offset: int
    committer: tuple[str, str]
    committed_at: int
    committer_offset: int
    is_counted: bool
    subject: str
    body: str | bytes  # as `storage.bodies` packs it
    said: str  # what full text is made of
    traces: list[TraceRow]
    credits: list[CreditRow]
    files: Sequence[FileRow]


def made(commit: Commit, files: Sequence[FileRow] | None = None) -> Made:
    """The values of a commit's rows; `files` are in place of its own."""
    author, committer = commit.author, commit.committer
    return Made(
        bytes.fromhex(commit.sha),
        bytes.fromhex("".join(commit.parents)),
        (author.name, author.address),
        author.seconds,
        author.offset,
        (committer.name, committer.address),
        committer.seconds,
        committer.offset,
        commit.is_counted,
        commit.subject,
        packed(commit.body),
        f"{commit.subject}\n{commit.body}",
        trace_rows(commit),
        credit_rows(commit),
        file_rows(commit.files) if files is None else files,
    )


def file_rows(files: Iterable[FileChange]) -> list[FileRow]:
    return [(one.path, one.state, one.additions, one.deletions, one.old_path, one.binary) for one in files]


def as_bytes(commits: Sequence[Made]) -> bytes:
    """The same for another process of the same Python; `from_bytes` reads it."""
    return marshal.dumps([tuple(one) for one in commits], 2)


def from_bytes(data: bytes) -> list[Made]:
    return list(map(Made._make, marshal.loads(data)))  # noqa: S302  what another process of ours wrote, and nobody else
