"""The fault campaign: whatever happens to a delivery, each message is posted once.

`make slow` runs the whole of it, and prints a row for each sort of trouble.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

DRIVE = Path(__file__).parent / "campaign" / "drive.py"


def campaign(which: str, lanes: int) -> list[dict[str, Any]]:
    paths = os.pathsep.join([str(DRIVE.parent), str(DRIVE.parents[2]), *sys.path])
    command = [sys.executable, str(DRIVE), which, str(lanes)]
    environment = {**os.environ, "PYTHONPATH": paths}
    # In a session of its own, so that all of it can be ended at once.
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, start_new_session=True)
    assert ran.returncode == 0, ran.stderr[-4000:]
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


def faults_of(one: dict[str, Any]) -> list[str]:
    """What is wrong with how a run came out."""
    posts, planned, said = one["posts"], one["planned"], one["said"]
    faults = [f"{key} is there {count} times" for key, count in posts.items() if count > 1]
    if one["ended"] != 0:
        faults.append(f"it did not come to an end ({one['ended']})")
    if one["kills"] < one["wanted_kills"]:
        faults.append(f"{one['kills']} of {one['wanted_kills']} kills came about")
    missing = [key for key in planned if not posts.get(key)]
    if one["pauses"]:
        if len(missing) != 3 or len(one["notices"]) != 1 or posts.get(one["notices"][0]) != 1:
            faults.append(f"its owner was not notified once: {posts}")
    elif len(planned) != 3 and not (one["group"] == "the clock jumps" and _are_of_two_months(planned)):
        faults.append(f"{len(planned)} messages were planned: {planned}")
    elif one["readable"] and missing:
        faults.append(f"{missing} never came")
    elif missing and not any("not known whether Slack has it" in line for line in said):
        faults.append(f"{missing} never came, and nobody is notified")
    elif len([key for key in missing if one["states"][key] == "unknown"]) > 1:
        faults.append("more than one is missing without what follows it being held back")
    return faults


def _are_of_two_months(planned: Sequence[str]) -> bool:
    """Whether there are two whole digests: towards its end, a clock that jumps forward reaches the next month."""
    roots = [key for key in planned if not any(key.startswith(f"{other}|") for other in planned)]
    return [sum(f"{key}|".startswith(f"{root}|") for key in planned) for root in roots] == [3, 3]


def table(found: Sequence[dict[str, Any]]) -> str:
    """What came of the campaign, a row for each sort of trouble."""
    rows = [
        "| what happens | runs | kills | posted once | posted twice | missing |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    groups = dict.fromkeys(one["group"] for one in found)
    for group in [*groups, "all"]:
        of = [one for one in found if group in (one["group"], "all")]
        counts = [one["posts"].get(key, 0) for one in of if not one["pauses"] for key in one["planned"]]
        counts += [one["posts"].get(key, 0) for one in of if one["pauses"] for key in one["notices"]]
        twice = sum(count > 1 for count in counts)
        kills = sum(one["kills"] for one in of)
        rows.append(f"| {group} | {len(of)} | {kills} | {counts.count(1)} | {twice} | {counts.count(0)} |")
    return "\n".join(rows)


def test_a_small_campaign_posts_each_message_once() -> None:
    found = campaign("small", 4)
    assert [(one["name"], faults) for one in found if (faults := faults_of(one))] == []
    assert sum(one["kills"] for one in found) >= 6


@pytest.mark.slow
def test_the_whole_campaign_posts_each_message_once(capsys: pytest.CaptureFixture[str]) -> None:
    found = campaign("whole", 8)
    with capsys.disabled():
        print(f"\n{table(found)}")
    assert [(one["group"], one["name"], faults) for one in found if (faults := faults_of(one))] == []
    assert sum(one["kills"] for one in found if one["group"] == "kills and faults by chance") >= 200
