"""Whether requests may come is said soon, whatever the database does, and without saying where it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing

from bot.monitoring import HealthCheck
from bot.settings import Settings
from storage import Store


def asked(store: Store, ask: Callable[[HealthCheck], Awaitable[str]], faults: Callable[[], str] = lambda: "") -> str:
    async def main() -> str:
        with closing(HealthCheck(Settings(db=store.path), store, faults)) as check:
            return await ask(check)

    return asyncio.run(main())


def test_one_that_is_stopped_or_not_connected_is_not(store: Store) -> None:
    async def main(check: HealthCheck) -> str:
        connected = [True, False, True]

        async def is_connected() -> bool:
            return connected.pop(0)

        check.is_connected = is_connected
        assert await check.unready() == ""
        assert "connection to Slack" in await check.unready()
        assert await check.unready() == ""
        check.stop()
        return await check.unready()

    assert "stopped" in asked(store, main)


def test_one_of_whose_work_something_does_not_go_on_is_not(store: Store) -> None:
    faults = ["questions are not looked after", ""]

    async def main(check: HealthCheck) -> str:
        return f"{await check.unready()}, then {await check.unready()}"

    assert asked(store, main, lambda: faults.pop(0)) == "questions are not looked after, then "
