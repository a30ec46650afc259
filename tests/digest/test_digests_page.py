"""docs/digests.md agrees with the program."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from datetime import timedelta
from pathlib import Path

from bot.digest.tick import AGAIN_AFTER, MOST_PUT, MOST_TRIES, TICK_SECONDS
from bot.settings_tables import DigestSettings
from bot.slack.sender import (
    ASK_AGAIN_SECONDS,
    LOOK_AFTER,
    LOOK_AGAIN_AFTER,
    LOOK_FOR,
    LOOKS,
    LOST_AFTER,
    MOST_AMISS,
    SECONDS_APART,
    SURE_AFTER,
)

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "digests.md").read_text()


def test_the_page_names_every_key_of_a_digest() -> None:
    table = PAGE.partition("| key | means |")[2].partition("\n\n")[0]
    named = {key for row in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE) for key in re.findall(r"`(\w+)`", row)}
    assert named == {field.name for field in fields(DigestSettings)}


def test_the_page_tells_the_numbers_of_the_program() -> None:
    assert TICK_SECONDS == 30 and "every half minute" in PAGE
    assert SECONDS_APART == 1 and "one a second in a channel" in PAGE
    assert (timedelta(seconds=10), timedelta(minutes=1), 2) == (LOOK_AFTER, SURE_AFTER, LOOKS)
    assert "after ten seconds and, if it is not there, once more after a minute" in PAGE
    assert timedelta(seconds=45) == LOST_AFTER and "taken for lost after 45 seconds" in PAGE
    assert (timedelta(minutes=5), timedelta(days=7)) == (LOOK_AGAIN_AFTER, LOOK_FOR)
    assert "for a week it looks again every five minutes" in PAGE
    assert timedelta(hours=1) == MOST_AMISS and "more than an hour away from Slack's" in PAGE
    assert timedelta(days=1) == MOST_PUT and "by more than a day between two looks" in PAGE
    assert ASK_AGAIN_SECONDS == 600 and "asked every ten minutes" in PAGE
    assert (timedelta(hours=1), 24) == (AGAIN_AFTER, MOST_TRIES) and "tried again after an hour, a day long" in PAGE


def test_the_pages_table_is_of_the_campaign_as_it_is() -> None:
    """Its rows are the sorts of runs that there are, with as many runs as there are."""
    counted = subprocess.run(
        [sys.executable, "-c", "from collections import Counter; from runs import whole; "
         "print(*(f'{g}|{n}' for g, n in Counter(one.group for one in whole()).items()), sep='\\n')"],
        env={"PYTHONPATH": f"{HERE / 'campaign'}:{HERE.parents[1]}"}, capture_output=True, text=True, check=True,
    ).stdout.split("\n")  # fmt: skip
    table = PAGE.partition("| what happens | runs |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (.+?) \| (\d+) \|.+\| (\d+) \| \d+ \|$", table, re.MULTILINE)
    assert [f"{group}|{runs}" for group, runs, _ in rows[:-1]] == [line for line in counted if line]
    assert {twice for _, _, twice in rows} == {"0"}
