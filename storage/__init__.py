"""Where Almanac keeps what it knows: one SQLite file, or a PostgreSQL server. Nothing else in the project runs SQL."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from storage.store import Store

__all__ = ["Store"]


def __getattr__(name: str) -> Any:
    """Store is loaded when it is asked for: the process that parses commits needs only the form of their rows."""
    if name != "Store":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from storage.store import Store

    return Store
