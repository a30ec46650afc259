"""Files → a folder, of which only what is new or other than before is written."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path

from bot.commands.pages import Entry
from bot.errors import AlmanacError
from bot.month.calendar import parse_any_period

MANIFEST = ".almanac.json"  # which of a folder's pages are ours, with the digest of each


def write(path: Path, text: str) -> bool:
    """The whole file or none of it; False where it is there already, byte for byte. Raises AlmanacError."""
    whole = text.encode()
    try:
        if path.is_file() and path.read_bytes() == whole:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_name(f".{path.name}.{os.getpid()}")
        half.write_bytes(whole)
        half.replace(path)
    except OSError as error:
        raise AlmanacError(f"{path} cannot be written ({error.strerror}): name another folder") from error
    return True


@dataclass(frozen=True, slots=True)
class Kept:
    """A page that an export wrote."""

    entry: Entry
    digest: str


def kept_in(folder: Path) -> dict[str, Kept]:
    """The pages that earlier exports wrote into a folder and that are still there, by path; of a manifest that cannot
    be read none."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        names = [one.name for one in fields(Entry)]
        kept = [Kept(Entry(**{name: page[name] for name in names}), page["digest"]) for page in manifest["pages"]]
        for one in kept:
            parse_any_period(one.entry.period)
        return {one.entry.path: one for one in kept if _is_below(folder, one.entry.path)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _is_below(folder: Path, path: str) -> bool:
    at = folder / path
    return at.suffix == ".html" and at.is_file() and at.resolve().is_relative_to(folder.resolve())


def remember(folder: Path, kept: Mapping[str, Kept]) -> None:
    """Note which pages are ours."""
    pages = [{**asdict(kept[path].entry), "digest": kept[path].digest} for path in sorted(kept)]
    write(folder / MANIFEST, json.dumps({"pages": pages}, indent=1, ensure_ascii=False) + "\n")


def remove(folder: Path, one: Kept) -> bool:
    """Remove a page, unless somebody else changed it since, and folders that are empty then."""
    path = folder / one.entry.path
    try:
        if digest_of(path.read_bytes()) != one.digest:
            return False
        path.unlink()
        for parent in path.parents:
            if parent == folder or any(parent.iterdir()):
                break
            parent.rmdir()
    except OSError as error:
        raise AlmanacError(f"{path} cannot be removed ({error.strerror})") from error
    return True


def digest_of(whole: bytes) -> str:
    return sha256(whole).hexdigest()
