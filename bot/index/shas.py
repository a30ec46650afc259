"""Lists of commits too long to be held in memory: a history may have millions."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import IO, overload

from bot.errors import AlmanacError

PAGE = 5000  # SHAs in memory at a time


class Shas(Sequence[str]):
    """SHAs of one length in a temporary file, a line each, which `git log --stdin` takes as it is."""

    def __init__(self) -> None:
        self._width = 0
        self._bytes = 0
        try:
            self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed with its last reader
        except OSError as error:
            raise _no_room(error) from error
        # Not by __del__: of a circle, as tracebacks make, the file may be taken apart first.
        weakref.finalize(self, _close, self._file)

    @classmethod
    def of(cls, shas: Iterable[str]) -> Shas:
        made = cls()
        page: list[str] = []
        for sha in shas:
            page.append(sha)
            if len(page) == PAGE:
                made.write_lines(page)
                page = []
        made.write_lines(page)
        return made

    @classmethod
    def printed(cls, blocks: Iterable[bytes]) -> Shas:
        """What git prints as lines of a SHA."""
        made = cls()
        for block in blocks:
            made._write(block)
        return made

    def write_lines(self, shas: Sequence[str]) -> None:
        self._write("".join(f"{sha}\n" for sha in shas).encode())

    def _write(self, block: bytes) -> None:
        if not self._width and block:
            self._width = block.index(b"\n") + 1
        try:
            self._file.write(block)
        except OSError as error:
            raise _no_room(error) from error
        self._bytes += len(block)

    def open(self) -> IO[bytes]:
        """The file, at its beginning, for a git to read."""
        try:
            self._file.seek(0)
        except OSError as error:  # what was still to be written
            raise _no_room(error) from error
        return self._file

    def pages(self) -> Iterator[list[str]]:
        """All of them in order, PAGE at a time."""
        return (self[at : at + PAGE] for at in range(0, len(self), PAGE))

    def __len__(self) -> int:
        return self._bytes // self._width if self._width else 0

    def __iter__(self) -> Iterator[str]:
        for page in self.pages():
            yield from page

    @overload
    def __getitem__(self, wanted: int) -> str: ...
    @overload
    def __getitem__(self, wanted: slice) -> list[str]: ...
    def __getitem__(self, wanted: int | slice) -> str | list[str]:
        if isinstance(wanted, int):
            number = range(len(self))[wanted]  # or IndexError
            return self[number : number + 1][0]
        numbers = range(len(self))[wanted]
        if numbers.step != 1:
            return [self[number] for number in numbers]
        self._flush()
        data = os.pread(self._file.fileno(), len(numbers) * self._width, numbers.start * self._width)
        return data.decode().split()

    def _flush(self) -> None:
        try:
            self._file.flush()
        except OSError as error:
            raise _no_room(error) from error


def _close(file: IO[bytes]) -> None:
    with suppress(OSError):  # it has no room for its last bytes
        file.close()


def _no_room(error: OSError) -> AlmanacError:
    return AlmanacError(
        f"nothing can be written to {tempfile.gettempdir()} ({error.strerror}): free some room, or name another "
        f"folder in TMPDIR"
    )
