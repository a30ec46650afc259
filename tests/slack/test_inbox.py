"""What a process takes of others' questions, and when."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from bot.errors import StoreBusy
from bot.slack import inbox
from bot.slack.inbox import Inbox
from bot.workspace.server import PATIENCE
from storage.slack_state import PendingEvents


class Pending:
    """A database that is away for some looks."""

    def __init__(self, away: range, error: Exception | None = None) -> None:
        self.looks: list[datetime | None] = []
        self._away = away
        self._error = error or StoreBusy("it is away")

    def take(self, now: datetime, until: datetime, leased: datetime | None = None) -> list[dict[str, Any]]:
        self.looks.append(leased)
        if len(self.looks) in self._away:
            raise self._error
        return []


async def looked(pending: Pending, times: int, *, shared: bool = True) -> None:
    one = Inbox(cast(PendingEvents, pending), lambda: datetime.now(UTC), shared=shared)
    await one.start()
    async with asyncio.timeout(PATIENCE):
        while len(pending.looks) < times:
            await asyncio.sleep(0.005)
    one.stop()
    one.close()


def test_after_the_database_was_away_those_who_live_get_the_time_to_renew_their_leases(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise all would take from all what each of them is at."""
    monkeypatch.setattr(inbox, "RENEW_SECONDS", 0.05)
    pending = Pending(range(3, 8))
    asyncio.run(looked(pending, 40))
    assert pending.looks[0] is None
    assert pending.looks[7] is None
    assert any(pending.looks[8:])


def test_whatever_a_look_ends_in_the_next_comes_and_meanwhile_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "RENEW_SECONDS", 0.02)
    pending = Pending(range(2, 5), ValueError("a mistake of ours"))

    async def faults() -> tuple[bool, str]:
        one = Inbox(cast(PendingEvents, pending), lambda: datetime.now(UTC), shared=True)
        await one.start()
        said = False
        async with asyncio.timeout(PATIENCE):
            while len(pending.looks) < 8 or one.fault:
                said |= one.fault == "questions are not looked after"
                await asyncio.sleep(0.001)
        one.stop()
        one.close()
        return said, one.fault

    assert asyncio.run(faults()) == (True, "")
