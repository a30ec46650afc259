"""Where the database is: in a file, or at the address of a PostgreSQL server."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_HOST = r"(?:\[[^]/?#\s]*\]|[^][:,/?#@\s]*)(?::\d*)?"
_ADDRESS = re.compile(rf"postgres(?:ql)?://(?:[^/?#]*@)?(?P<at>{_HOST}(?:,{_HOST})*/+[^/@?#][^@?#]*)(?:[?#].*)?")
_LIKE_AN_ADDRESS = re.compile(r"(?i)\s*[a-z][\w+.-]+:/|\s*(?:postgres\w*|mysql)\W{0,3}//|[^:]*:.*@|.*\bpassword\s*=")


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """`url` is as PostgreSQL's own programs take it. As text it is the server and the database, without any secret.

    Raises ValueError for one that names no database.
    """

    url: str = field(repr=False)

    def __post_init__(self) -> None:
        if not _ADDRESS.fullmatch(self.url):
            raise ValueError("is no database address: use postgresql://HOST/DATABASE, with USER:PASSWORD@ before HOST")

    def __str__(self) -> str:
        return _ADDRESS.sub(r"postgresql://\g<at>", self.url)


DatabasePlace = Path | PostgresAddress


def database_place(value: object) -> DatabasePlace:
    """What ALMANAC_DB takes: an address, or a path, seen from the current folder. Raises ValueError."""
    if isinstance(value, str) and _LIKE_AN_ADDRESS.match(value):
        return PostgresAddress(value)
    return absolute(value)


def absolute(value: object, folder: Path = Path()) -> Path:
    """A relative path is seen from the folder. Raises ValueError."""
    if not isinstance(value, str | Path):
        raise ValueError("must be a path in quotes")
    try:
        return (folder / Path(value).expanduser()).absolute()
    except (RuntimeError, ValueError):  # a name that no user has, or could have
        raise ValueError(f"nobody knows the home folder in {str(value)!r}; write the whole path") from None
