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
