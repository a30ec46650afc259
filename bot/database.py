"""Where the database is: in a file, or at the address of a PostgreSQL server."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

SCHEMES = ("postgresql://", "postgres://")


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """`url` is as PostgreSQL's own programs take it. As text it is the server and the database, without any secret.

    Raises ValueError for one that names no database.
    """

    url: str = field(repr=False)

    def __post_init__(self) -> None:
        try:
            is_whole = self.url.startswith(SCHEMES) and urlsplit(self.url).path.strip("/") != ""
        except ValueError:
            is_whole = False
        if not is_whole:
            raise ValueError("is no address of a database: write it as postgresql://USER:PASSWORD@HOST/DATABASE")

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"


DatabasePlace = Path | PostgresAddress


def database_place(value: object) -> DatabasePlace:
    """What ALMANAC_DB takes: an address, or a path, seen from the current folder. Raises ValueError."""
    if isinstance(value, str) and value.startswith(SCHEMES):
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
