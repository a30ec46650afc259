"""The disk that mirrors take: reported, and bounded by removing those that nobody has used for long."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from bot.index.mirror import alone, folder_name, is_address

UNUSED_SECONDS = 30 * 24 * 3600


def disk_use(mirrors: Path) -> tuple[int, int]:
    """How many mirrors there are, and the bytes that they take on the disk."""
    folders = _folders(mirrors)
    return len(folders), sum(_bytes(folder) for folder in folders)


def remove_unused(mirrors: Path, named: Iterable[str], now: float) -> int:
    """Remove the mirrors of locations that are not `named` any more. Returns how many were.

    Other databases may be indexed from the same mirrors, so only what nobody has opened for UNUSED_SECONDS is
    removed, and nothing that somebody has open. A mirror that is missed after all is fetched anew.
    """
    kept = {folder_name(location) for location in named if is_address(location)}
    removed = 0
    for folder in _folders(mirrors):
        lock = folder.with_suffix(".lock")
        try:
            last_used = lock.stat().st_mtime
            if folder.with_suffix(".git").name in kept or now - last_used < UNUSED_SECONDS:
                continue
            with alone(folder, wait=False):
                shutil.rmtree(folder)
                removed += 1
            os.utime(lock, (last_used, last_used))
        except OSError:  # it is in use, or cannot be removed: another time
            continue
    return removed


def _folders(mirrors: Path) -> list[Path]:
    """Mirrors, and what was left of one that was being made."""
    try:
        return sorted(path for path in mirrors.iterdir() if path.suffix in (".git", ".new") and path.is_dir())
    except OSError:
        return []


def _bytes(folder: Path) -> int:
    found = 0
    for path, _, files in os.walk(folder):
        for name in files:
            try:
                found += os.lstat(Path(path) / name).st_blocks * 512
            except OSError:  # removed meanwhile
                continue
    return found
