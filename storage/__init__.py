"""Where Almanac keeps what it knows: one SQLite file, or a PostgreSQL server. Nothing else in the project runs SQL."""

from storage.store import Store

__all__ = ["Store"]
