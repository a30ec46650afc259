"""How many reverts of real histories are linked, by which reference, and a sample of them to read by hand.

    python -m benchmarks.links DATABASE [--sample 60] [--seed 4]

DATABASE is an index of Almanac's. docs/months.md is written from what this prints.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from bot.month.histories import Link, links_of, month_changes
from bot.month.message import keys_of, references_of
from storage import Store

# What counts as saying that it reverts: the words of a subject, as in the histories' own counts.
_SAYS = re.compile(r"\b(?:revert(?:s|ed|ing)?|back(?:s|ed|ing)?[ -]?out|backout|unland(?:s|ed|ing)?)\b", re.IGNORECASE)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("database", type=Path)
    arguments.add_argument("--sample", type=int, default=60)
    arguments.add_argument("--seed", type=int, default=4)
    options = arguments.parse_args()
    store = Store(options.database, must_exist=True)
    commits = store.commits.between(datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC))

    begun = time.perf_counter()
    for commit in commits:
        references_of(commit)
    read = time.perf_counter()
    for commit in commits:
        keys_of(commit)
    keyed = time.perf_counter()
    links = links_of(commits)
    linked = time.perf_counter()
    changes = month_changes(commits, (), None)
    done = time.perf_counter()
    each = [seconds / len(commits) * 1e6 for seconds in (read - begun, keyed - read)]
    print(f"{len(commits)} commits: references {each[0]:.0f} µs, with keys {each[1]:.0f} µs each")
    print(f"links {linked - keyed:.2f} s, changes with links {done - linked:.2f} s")

    turns = [link for link in links if link.kind in ("reverts", "relands")]
    sources = {(link.source.repository, link.source.sha) for link in turns}
    saying = [one for one in commits if _SAYS.search(one.subject) and not one.is_merge]
    found = [one for one in saying if (one.repository, one.sha) in sources]
    print(f"{len(saying)} subjects say that they revert; {len(found)} are linked")
    for kind in ("reverts", "relands", "same", "fixes"):
        print(kind, Counter(link.found_by for link in links if link.kind == kind).most_common())
    print(len(changes), "changes,", Counter(change.state for change in changes).most_common())

    print("\nnot linked:")
    for one in saying:
        if (one.repository, one.sha) not in sources:
            print(f"  {one.repository} {one.sha[:9]} {one.subject[:110]}")
    print("\nsample:")
    for link in sorted(random.Random(options.seed).sample(turns, options.sample), key=_by_place):  # noqa: S311
        source, target = link.source, link.target
        kind = f"{link.kind}{', a part' if link.partly else ''}"
        place = source.repository.split("/")[1]
        print(f"| {place} | `{source.sha[:9]}` | {kind} | `{target.sha[:9]}` | {link.found_by} |", end="")
        print(f" {source.subject[:90]} → {target.subject[:90]}")


def _by_place(link: Link) -> tuple[str, int]:
    return link.source.repository, link.source.committer.seconds


if __name__ == "__main__":
    main()
