"""Where the page is scrolled to: what the reader asked for comes into view, and reading on is not interrupted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest
from chromium import CHROMIUM, Tab, in_tab

from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from bot.workspace.courier import DeliveryResult
from bot.workspace.model import Json, WorkspaceEvent

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here"),
]

ADAS = "D0001"  # her direct messages with the bot
TALL = "\n".join(f"line {number}" for number in range(80))
GO: Json = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
WITH_BUTTON: list[Json] = [
    {"type": "section", "text": {"type": "mrkdwn", "text": "The first."}},
    {"type": "actions", "block_id": "b", "elements": [GO]},
]


class Answering:
    """An app that answers everything in direct messages, at length and in two messages."""

    def __init__(self, slack: ThreadedWorkspace) -> None:
        self.slack = slack

    async def send(self, kind: str, payload: Json, attempt: int, reason: str) -> DeliveryResult:
        said = payload.get("event", {"text": "a press"}).get("text")
        for part in (f"Answer to {said}\n{TALL}", f"More on {said}\n{TALL}"):
            if said:
                self.slack.workspace.post(ADAS, user=BOT_USER_ID, text=part)
        return DeliveryResult()


Visited = Callable[[Callable[[Tab], Awaitable[None]]], None]


@pytest.fixture
def visited(slack: ThreadedWorkspace, port: int) -> Visited:
    """Opens Ada's direct messages with an app that answers, after a message with a button, and does something there."""
    slack.server._courier.transport = Answering(slack)
    say(slack, "The first.", WITH_BUTTON)

    def run(visit: Callable[[Tab], Awaitable[None]]) -> None:
        async def whole(tab: Tab) -> None:
            await tab.open(f"{slack.url}/#almanac")
            await tab.sees("#messages", "The first.")
            await tab.until("document.querySelector('#banner').dataset.state === 'open'")  # the stream stands
            await visit(tab)
            assert tab.errors == []

        asyncio.run(in_tab(port, whole))

    return run


def say(slack: ThreadedWorkspace, text: str, blocks: list[Json] | None = None) -> None:
    slack._look(lambda: slack.workspace.post(ADAS, user=BOT_USER_ID, text=text, blocks=blocks or []))


def begins_in_view(words: str) -> str:
    """Whether the message that begins so begins within the list's view, as JavaScript."""
    return (
        "(() => { const view = document.querySelector('#scroll').getBoundingClientRect();"
        " const body = [...document.querySelectorAll('#messages .body')]"
        f".find(one => one.innerText.trim().startsWith({json.dumps(words)}));"
        " const top = body?.getBoundingClientRect().top;"
        " return top >= view.top && top < view.bottom })()"
    )


IS_OFFERED = "!document.querySelector('[data-testid=new-messages]').hidden"
SCROLL_UP = (
    "new Promise(done => { const list = document.querySelector('#scroll');"
    " list.addEventListener('scroll', () => done(true), { once: true }); list.scrollTop = 0 })"
)


async def ask(tab: Tab, question: str) -> None:
    await tab.type("[data-testid=composer]", question)
    await tab.key("Enter")
    await tab.sees("#messages", f"More on {question}")


def test_after_long_answers_every_question_brings_its_answer_into_view(visited: Visited) -> None:
    """From its start on, with the question above it; more of the same answer does not push it away."""

    async def visit(tab: Tab) -> None:
        for question in ("one", "two", "three"):
            await ask(tab, question)
            await tab.until(begins_in_view(f"Answer to {question}"))
            assert await tab.value(begins_in_view(question))
            assert await tab.value(IS_OFFERED)  # its second part is below

    visited(visit)


def test_a_press_brings_its_result_into_view_from_anywhere(visited: Visited) -> None:
    async def visit(tab: Tab) -> None:
        await ask(tab, "one")
        await tab.value(SCROLL_UP)
        await tab.click("[data-action=go]")
        await tab.until(begins_in_view("Answer to a press"))

    visited(visit)


def test_a_question_brings_its_answer_into_view_though_one_has_scrolled_up(visited: Visited) -> None:
    async def visit(tab: Tab) -> None:
        await ask(tab, "one")
        await tab.value(SCROLL_UP)
        await ask(tab, "two")
        await tab.until(begins_in_view("Answer to two"))

    visited(visit)


def test_who_has_scrolled_up_stays_and_is_offered_the_new_messages(slack: ThreadedWorkspace, visited: Visited) -> None:
    """The button leads to the first of them, by the keyboard too, and is gone once they are in view."""

    async def visit(tab: Tab) -> None:
        await ask(tab, "one")
        await tab.value(SCROLL_UP)
        say(slack, f"News\n{TALL}")
        await tab.sees("#messages", "News")
        await tab.until(IS_OFFERED)
        assert await tab.value("document.querySelector('#scroll').scrollTop") == 0
        await tab.value("document.querySelector('#scroll').scrollTop = 1e6")
        await tab.until(f"!({IS_OFFERED})")
        await tab.value(SCROLL_UP)
        say(slack, f"Later news\n{TALL}")
        await tab.until(IS_OFFERED)
        await tab.value("document.querySelector('[data-testid=new-messages]').focus()")
        await tab.key("Enter")
        await tab.until(begins_in_view("Later news"))
        await tab.until(f"!({IS_OFFERED})")
        assert await tab.value("document.activeElement.id") == "scroll"

    visited(visit)


def test_a_modal_that_is_closed_leaves_the_reader_where_they_are(slack: ThreadedWorkspace, visited: Visited) -> None:
    """Nothing more comes of the press that opened it, so that what comes later is news like any other."""

    class Opening(Answering):
        async def send(self, kind: str, payload: Json, attempt: int, reason: str) -> DeliveryResult:
            if payload["type"] == "block_actions":
                title = {"type": "plain_text", "text": "Form"}
                self.slack.workspace.modals.open("U0001", {"type": "modal", "id": "V1", "title": title, "blocks": []})
                self.slack.workspace.tell(WorkspaceEvent("view"))
            return DeliveryResult()

    async def visit(tab: Tab) -> None:
        await ask(tab, "one")
        slack.server._courier.transport = Opening(slack)
        await tab.value(SCROLL_UP)
        await tab.click("[data-action=go]")
        await tab.sees("#modal h2", "Form")
        await tab.key("Escape")
        await tab.until("!document.querySelector('#modal').open")
        before = await tab.value("document.querySelector('#scroll').scrollTop")
        say(slack, f"News\n{TALL}")
        await tab.sees("#messages", "News")
        await tab.until(IS_OFFERED)
        assert await tab.value("document.querySelector('#scroll').scrollTop") == before

    visited(visit)


def test_who_is_at_the_end_follows_what_comes(slack: ThreadedWorkspace, visited: Visited) -> None:
    """Short messages one after the other; of a long one its start."""

    async def visit(tab: Tab) -> None:
        for number in range(30):
            say(slack, f"Short {number}.")
            await tab.until(begins_in_view(f"Short {number}."))
        assert not await tab.value(IS_OFFERED)
        say(slack, f"Long\n{TALL}")
        await tab.until(begins_in_view("Long"))
        assert not await tab.value(IS_OFFERED)

    visited(visit)


def test_a_press_on_a_message_with_a_thread_opens_it_at_the_answer(slack: ThreadedWorkspace, visited: Visited) -> None:
    """The app answers there, where nobody would see it otherwise."""

    class InThread(Answering):
        async def send(self, kind: str, payload: Json, attempt: int, reason: str) -> DeliveryResult:
            if "message" in payload:
                for part in (f"In the thread\n{TALL}", f"And on\n{TALL}"):
                    self.slack.workspace.post(ADAS, user=BOT_USER_ID, text=part, thread_ts=payload["message"]["ts"])
            return DeliveryResult()

    def reply() -> None:
        root = slack.workspace.stored(ADAS)[0]
        for _ in range(3):
            slack.workspace.post(ADAS, user=BOT_USER_ID, text=TALL, thread_ts=root.ts)

    slack.server._courier.transport = InThread(slack)
    slack._look(reply)

    async def visit(tab: Tab) -> None:
        await tab.click("[data-action=go]")
        await tab.sees("#thread-messages", "And on")
        for_thread = (
            begins_in_view("In the thread").replace("#scroll", "#thread-scroll").replace("#mess", "#thread-mess")
        )
        await tab.until(for_thread)

    visited(visit)
