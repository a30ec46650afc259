"""response_url: what an app answers a command or a press with."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import aiohttp

from bot.workspace import ThreadedWorkspace


async def post(url: str, **body: Any) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.post(url, json=body) as response:
        return response.status, await response.text()


def command_url(slack: ThreadedWorkspace) -> str:
    """The response_url of a command typed now; nobody acknowledges it."""
    before = len(slack.deliveries)
    slack.say("ada", "general", "/almanac help")
    slack.wait_until(lambda: len(slack.deliveries) > before)
    return str(slack.deliveries[-1].payload["response_url"])


def test_a_response_url_is_good_five_times(slack: ThreadedWorkspace) -> None:
    """Then it is used up; what was refused does not count."""
    url = command_url(slack)
    status, body = asyncio.run(post(url, text="x", blocks=[{"type": "header"}]))
    assert (status, json.loads(body)["error"]) == (400, "invalid_blocks")
    assert json.loads(asyncio.run(post(url))[1])["error"] == "no_text"
    for number in range(5):
        assert asyncio.run(post(url, text=str(number))) == (200, "ok")
    status, body = asyncio.run(post(url, text="six"))
    assert (status, json.loads(body)) == (404, {"ok": False, "error": "used_url"})


def test_a_response_url_is_good_for_half_an_hour(slack: ThreadedWorkspace, clock: Any) -> None:
    """After that it is none."""
    url = command_url(slack)
    clock.now += 30 * 60 + 1
    assert asyncio.run(post(url, text="late"))[0] == 404
    assert json.loads(asyncio.run(post(url, text="late"))[1])["error"] == "expired_url"
    assert json.loads(asyncio.run(post(f"{slack.url}/response/none", text="x"))[1])["error"] == "invalid_url"


def test_an_answer_goes_where_it_says(slack: ThreadedWorkspace) -> None:
    """To the person, or to the channel; in a thread if asked."""
    url = command_url(slack)
    root = slack.say("grace", "general", "look")
    asyncio.run(post(url, text="for you"))
    asyncio.run(post(url, text="for all", response_type="in_channel"))
    asyncio.run(post(url, text="beneath", response_type="in_channel", thread_ts=root))
    assert [message["text"] for message in slack.messages("general")] == ["look", "for all", "beneath"]
    assert slack.messages("general")[-1]["thread_ts"] == root
    seen = [message["text"] for message in slack.messages("general", user="U0001")]
    assert "for you" in seen
