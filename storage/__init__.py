"""Where Almanac keeps what it knows: one SQLite file. Nothing else in the project runs SQL."""

from storage.store import Store

__all__ = ["Store"]
