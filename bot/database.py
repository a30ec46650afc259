"""Where the database is: in a file, or at the address of a PostgreSQL server."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

SCHEMES = ("postgresql://", "postgres://")
_LIKE_AN_ADDRESS = re.compile(
    r"\s*[a-z][\w+.-]+:/|\s*(?:postgres\w*|mysql)\W{0,3}//|[^:]*:.*@|.*\bpassword\s*=", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """`url` is as PostgreSQL's own programs take it. As text it is the server and the database, without any secret.

    Raises ValueError for one that names no database.
    """

    url: str = field(repr=False)

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            hosts = re.sub(r"\[[^\]]*\]", "", parts.netloc.rpartition("@")[2]).split(",")
            is_whole = self.url.startswith(SCHEMES) and parts.path.strip("/") != "" and "@" not in parts.path
            is_whole = is_whole and all(re.fullmatch(r"[^:]*(?::\d*)?", host) for host in hosts)
        except ValueError:
            is_whole = False
        if not is_whole:
            raise ValueError(
                "is no address of a database: write it as postgresql://HOST/DATABASE, with USER:PASSWORD@ before HOST"
            )

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"


DatabasePlace = Path | PostgresAddress


def database_place(value: object) -> DatabasePlace:
    """What ALMANAC_DB takes: an address, or a path, seen from the current folder. Raises ValueError."""
    if isinstance(value, str) and _LIKE_AN_ADDRESS.match(value):
        return PostgresAddress(value)
    if not isinstance(value, str | Path):
        raise ValueError("must be a path in quotes")
    return absolute(Path(value))


def absolute(path: Path, folder: Path | None = None) -> Path:
    """A relative path is seen from the folder, or from the current one."""
    try:
        return ((folder or Path()) / path.expanduser()).absolute()
    except (RuntimeError, ValueError):  # a name that no user has, or could have
        raise ValueError(f"nobody knows the home folder in {str(path)!r}; write the whole path") from None
