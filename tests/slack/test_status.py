"""The status of a thread: there at once, gone with the answer, and never in its way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.status import WORDS, Lacking, Status
from bot.workspace import ThreadedWorkspace

ADAS = "D0001"
OLDER, NEWER = "assistant.threads.setStatus", "agents.sessions.setStatus"


@pytest.fixture
def asked(workspace: ThreadedWorkspace) -> str:
    return workspace.say("ada", ADAS, "my october")


@pytest.fixture
def status(workspace: ThreadedWorkspace) -> Status:
    return status_of(workspace)


def status_of(workspace: ThreadedWorkspace, lacking: Lacking | None = None) -> Status:
    return Status(AsyncWebClient(token=workspace.workspace.bot_token, base_url=workspace.api_url), lacking)


def show(status: Status, asked: str, during: Callable[[], object] = lambda: None, times: int = 1) -> None:
    """Have the status while something is done."""

    async def run() -> None:
        for _ in range(times):
            async with status.shown(ADAS, asked):
                await asyncio.to_thread(during)

    asyncio.run(run())


def called(workspace: ThreadedWorkspace) -> list[tuple[str, str]]:
    return [(call.method, call.arguments["status"]) for call in workspace.calls if "setStatus" in call.method]


def stands(workspace: ThreadedWorkspace, asked: str) -> str:
    return workspace.workspace.statuses.get((ADAS, asked), "")


def test_it_stands_while_an_answer_is_made(status: Status, workspace: ThreadedWorkspace, asked: str) -> None:
    show(status, asked, lambda: workspace.wait_until(lambda: stands(workspace, asked) == WORDS))
    assert stands(workspace, asked) == ""
    assert called(workspace) == [(OLDER, WORDS), (OLDER, "")]


def test_it_is_cleared_when_something_goes_wrong(status: Status, workspace: ThreadedWorkspace, asked: str) -> None:
    def fail() -> None:
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        show(status, asked, fail)
    assert called(workspace) == [(OLDER, WORDS), (OLDER, "")]
    assert stands(workspace, asked) == ""


def test_one_that_comes_late_does_not_stay(status: Status, workspace: ThreadedWorkspace, asked: str) -> None:
    workspace.faults.next(OLDER, "delay:0.2")
    show(status, asked)
    assert stands(workspace, asked) == ""
    assert called(workspace) == [(OLDER, WORDS), (OLDER, "")]


def test_where_the_words_cannot_be_said_the_work_is_shown(
    status: Status, workspace: ThreadedWorkspace, asked: str
) -> None:
    workspace.faults.next(OLDER, "error:unknown_method")
    show(status, asked, times=2)
    assert called(workspace) == [
        (OLDER, WORDS),
        *[(NEWER, "processing"), (NEWER, "active")] * 2,
    ]


@pytest.mark.parametrize("fault", ["error:missing_scope", "error:internal_error", "http_500", "ratelimited"])
def test_a_status_that_cannot_be_set_costs_nothing(
    status: Status, workspace: ThreadedWorkspace, asked: str, fault: str
) -> None:
    for method in (OLDER, NEWER):
        workspace.faults.next(method, fault, times=2)
    done: list[str] = []
    show(status, asked, lambda: done.append("answered"), times=2)
    assert done == ["answered"] * 2


def test_what_is_not_allowed_is_asked_for_once_an_hour(workspace: ThreadedWorkspace, asked: str) -> None:
    now = [1000.0]
    status = status_of(workspace, Lacking(lambda: now[0]))
    for method in (OLDER, NEWER):
        workspace.faults.next(method, "error:missing_scope", times=2)
    show(status, asked, times=3)
    now[0] += 3_601
    show(status, asked)
    assert [method for method, _ in called(workspace)] == [OLDER, NEWER] * 2


def test_what_may_pass_next_time_is_asked_for_next_time() -> None:
    lacking = Lacking(lambda: 0.0)
    lacking.refused("a.method", "ratelimited")
    assert "a.method" not in lacking
    lacking.refused("a.method", "missing_scope")
    assert "a.method" in lacking and "another.method" not in lacking
