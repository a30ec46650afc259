"""A commit as the values of its rows, all but the numbers that only the database gives. Pure.

Making them costs more than storing them, so of a long history another process does it (`bot.index.parallel_parsing`).
"""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.model import Commit, FileChange
from storage.commit_references import CreditRow, ReferenceRow, credit_rows, reference_rows

# Never to be changed: what was packed with it cannot be read without it. What is most common stands last.
_PHRASES = (
    b"cherry picked from commit This reverts commit Change-Id: I Merge branch 'main' into Merge pull request # from "
    b"Reported-by: Tested-by: Acked-by: Suggested-by: Helped-by: Cc: Fixes: Closes: Approved-by: "
    b"Co-authored-by: <noreply@users.noreply.github.com>\nCo-authored-by: dependabot[bot] "
    b"<49699333+dependabot[bot]@users.noreply.github.com>\nSigned-off-by: Signed-off-by: @gmail.com>\n"
    b"the of to and in is that for this be we with it as not are when which from should use instead because\n- \n* "
    b"imported-using-ghimport\n\nghstack-source-id: X-link: https://github.com/ Pull Request resolved: "
    b"https://github.com/ /pull/\n\nSummary:\n\nTest Plan:\n\nReviewed By: \n\nDifferential Revision: D\n\n"
    b"fbshipit-source-id: "
)
_PLAIN = b"\xff"  # before a body that is not packed: nothing that is begins so (RFC 1951, 3.2.3: no block type 11)
_SHORT = 48  # bytes; less is not worth the trouble
# 8 kB of memory for what came before, and as much work to find it: with zlib's own 32 kB, whose memory is asked
# of the system anew each time, packing takes up to four times as long and saves nothing.
_WINDOW, _MEMORY = -13, 6


def packed(body: str) -> bytes:
    """The body as it is put into the database."""
    raw = body.encode()
    if len(raw) <= _SHORT:
        return raw and _PLAIN + raw
    packer = zlib.compressobj(6, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=_PHRASES)
    small = packer.compress(raw) + packer.flush()
    return small if len(small) < len(raw) else _PLAIN + raw


def unpacked(stored: bytes | str) -> str:
    """The body that was packed."""
    if isinstance(stored, str):  # until 0.2.0 those that are not packed were stored as text
        return stored
    if stored[:1] == _PLAIN:
        return stored[1:].decode()
    return zlib.decompressobj(_WINDOW, zdict=_PHRASES).decompress(stored).decode()


FileRow = tuple[str, str, int | None, int | None, str | None, bool]


class CommitRow(NamedTuple):
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
    body: bytes  # as `storage.commit_rows` packs it
    said: str  # what full text is made of
    references: list[ReferenceRow]
    credits: list[CreditRow]
    files: Sequence[FileRow]


def commit_row(commit: Commit, files: Sequence[FileRow] | None = None) -> CommitRow:
    """The values of a commit's rows; `files` are in place of its own."""
    author, committer = commit.author, commit.committer
    return CommitRow(
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
        reference_rows(commit),
        credit_rows(commit),
        file_rows(commit.files) if files is None else files,
    )


def file_rows(files: Iterable[FileChange]) -> list[FileRow]:
    return [(one.path, one.state, one.additions, one.deletions, one.old_path, one.binary) for one in files]


def as_bytes(commits: Sequence[CommitRow]) -> bytes:
    """The same for another process of the same Python; `from_bytes` reads it."""
    return marshal.dumps([tuple(one) for one in commits], 2)


def from_bytes(data: bytes) -> list[CommitRow]:
    return list(map(CommitRow._make, marshal.loads(data)))  # noqa: S302  what another process of ours wrote, and nobody else
