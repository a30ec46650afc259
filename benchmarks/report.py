"""Rows → a Markdown table, and into a page between two marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

BEGIN = "<!-- measured: written by make bench -->"
END = "<!-- measured: end -->"


@dataclass(frozen=True, slots=True)
class Row:
    """One thing measured. `reached` is None where there is no target, or where nothing could be measured."""

    what: str
    on: str
    target: str
    measured: str
    ratio: str = ""
    reached: bool | None = None


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


def target_table(rows: Sequence[Row]) -> str:
    said = {True: "yes", False: "**no**", None: ""}
    return table(
        ("what", "on", "target", "measured", "ratio", "reached"),
        [(row.what, row.on, row.target, row.measured, row.ratio, said[row.reached]) for row in rows],
    )


def written_into(page: Path, text: str) -> None:
    """Put the text between the page's two marks. Raises ValueError where it has none."""
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page} lacks the lines {BEGIN} and {END}")
    page.write_text(f"{before}{BEGIN}\n\n{text.strip()}\n\n{END}{after}")


def duration(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 0.1 else f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.1f} s"


def megabytes(size: float) -> str:
    return f"{size / 1e6:.0f} MB"


def at_most(value: float, limit: float) -> bool:
    """Whether a value reaches its target, as precisely as both are printed."""
    return round(value, 3) <= round(limit, 3)
