"""What two checkouts make of one index: titles, numbers, kinds, credits, links and changes, and documents, that differ.

    python -m benchmarks.trees BASE DATABASE [--months "since 2025-01"] [--most 20]

BASE is another checkout of Almanac (`git worktree add BASE COMMIT`), DATABASE an index that the older of the two
made. Each tree reads a copy of it, which it may upgrade. With --months, what `almanac export` says of these is compared
as well. Prints what differs, at most so many of a sort; exits 1 if anything does.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

Row = tuple[str, str, object]  # a sort, what it is of, and its value


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("base", type=Path)
    arguments.add_argument("database", type=Path)
    arguments.add_argument("--months")
    arguments.add_argument("--most", type=int, default=20)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trees = options.base.resolve(), Path(__file__).resolve().parent.parent
        read = [_rows(tree, options.database, Path(folder, tree.name), options.months) for tree in trees]
        before, after = ({(sort, name): value for sort, name, value in rows} for rows in read)
    found = Counter[str]()
    for sort, name in sorted(before.keys() | after.keys()):
        one, other = before.get((sort, name)), after.get((sort, name))
        if one != other:
            found[sort] += 1
            if found[sort] <= options.most:
                print(f"{sort} {name}\n  - {_shown(one)}\n  + {_shown(other)}")
    for sort, every in Counter(sort for sort, _ in after).items():
        print(f"{sort}: {found[sort]:,} of {every:,} differ")
    sys.exit(1 if found else 0)


def _shown(value: object) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)[:600]


def _rows(tree: Path, database: Path, folder: Path, months: str | None) -> Iterator[Row]:
    """What a tree says: its own process reads this file with the tree's modules."""
    folder.mkdir()
    copy = folder / "index.db"
    with sqlite3.connect(database) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("ALMANAC_")},
        "PYTHONPATH": str(tree),
        "PYTHONHASHSEED": "0",
        "ALMANAC_DB": str(copy),
        "ALMANAC_HOME": str(folder / "home"),
        "ALMANAC_NOW": "2030-01-01T00:00:00Z",
    }
    script = shutil.copy(__file__, folder / "child.py")
    said = subprocess.run(
        [sys.executable, script, str(copy)], cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    yield from (tuple(json.loads(line)) for line in said.stdout.splitlines())
    if months:
        export = ["-m", "bot", "export", "--months", months, "--format", "json", "--into", str(folder / "pages")]
        subprocess.run([sys.executable, *export], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        for page in sorted((folder / "pages").rglob("*.json")):
            for number, line in enumerate(page.read_text().splitlines()):
                yield "document", f"{page.relative_to(folder / 'pages')}:{number}", line.strip()


def child(database: Path) -> Iterator[Row]:
    """What the modules of this process's tree make of each commit."""
    from bot.month.credits import credits_of
    from bot.month.histories import links_of, month_changes
    from bot.month.kinds import decided
    from bot.month.title import number_of, title_of
    from storage import Store

    store = Store(database)
    commits = store.commits.between(datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC))
    begun = time.process_time()
    for one in commits:
        name, title = f"{one.repository} {one.sha}", title_of(one)
        yield "title", name, [title.words, title.tags, title.prefix, title.kind]
        yield "number", name, number_of(one)
        yield "kind", name, decided(one)
        yield "credits", name, [[each.role, each.name, each.address] for each in credits_of(one.body)]
    for link in links_of(commits):
        source, target = link.source, link.target
        name = (
            f"{source.repository} {source.sha} “{source.subject[:80]}” {link.kind} {target.sha} “{target.subject[:80]}”"
        )
        yield "link", name, [link.found_by, link.partly]
    for change in month_changes(commits, (), None):
        yield "change", change.id, [list(change.shas), change.kind, change.state, change.refs]
    print(f"{len(commits):,} commits: {time.process_time() - begun:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1].endswith("index.db") and len(sys.argv) == 2:
        for row in child(Path(sys.argv[1])):
            print(json.dumps(row))
    else:
        main()
