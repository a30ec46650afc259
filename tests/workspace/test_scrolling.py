"""Where the page is scrolled to: what the reader asked for comes into view, and reading on is not interrupted."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from browser import BROWSER, open_page, wait_for
from playwright.sync_api import Browser, Page, expect

from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from bot.workspace.delivery import DeliveryResult
from bot.workspace.state import Json

pytestmark = BROWSER

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


@pytest.fixture
def page(slack: ThreadedWorkspace, chromium: Browser) -> Iterator[Page]:
    """Ada's direct messages with an app that answers, after a message with a button."""
    slack.deliver_by(Answering(slack))
    say(slack, "The first.", WITH_BUTTON)
    with open_page(chromium, f"{slack.url}/#almanac") as page:
        expect(page.locator("#messages")).to_contain_text("The first.")
        wait_for(page, "document.querySelector('#banner').dataset.state === 'open'")  # the stream stands
        yield page


def say(slack: ThreadedWorkspace, text: str, blocks: list[Json] | None = None) -> None:
    slack.in_thread(lambda: slack.workspace.post(ADAS, user=BOT_USER_ID, text=text, blocks=blocks or []))


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


def ask(page: Page, question: str) -> None:
    page.get_by_test_id("composer").press_sequentially(question)
    page.keyboard.press("Enter")
    expect(page.locator("#messages").first).to_contain_text(f"More on {question}")


def test_after_long_answers_every_question_brings_its_answer_into_view(page: Page) -> None:
    """From its start on, with the question above it; more of the same answer does not push it away."""

    for question in ("one", "two", "three"):
        ask(page, question)
        wait_for(page, begins_in_view(f"Answer to {question}"))
        assert page.evaluate(begins_in_view(question))
        assert page.evaluate(IS_OFFERED)  # its second part is below


def test_who_has_scrolled_up_stays_and_is_offered_the_new_messages(slack: ThreadedWorkspace, page: Page) -> None:
    """The button leads to the first of them, by the keyboard too, and is gone once they are in view."""

    ask(page, "one")
    page.evaluate(SCROLL_UP)
    say(slack, f"News\n{TALL}")
    expect(page.locator("#messages").first).to_contain_text("News")
    wait_for(page, IS_OFFERED)
    assert page.evaluate("document.querySelector('#scroll').scrollTop") == 0
    page.evaluate("document.querySelector('#scroll').scrollTop = 1e6")
    wait_for(page, f"!({IS_OFFERED})")
    page.evaluate(SCROLL_UP)
    say(slack, f"Later news\n{TALL}")
    wait_for(page, IS_OFFERED)
    page.evaluate("document.querySelector('[data-testid=new-messages]').focus()")
    page.keyboard.press("Enter")
    wait_for(page, begins_in_view("Later news"))
    wait_for(page, f"!({IS_OFFERED})")
    assert page.evaluate("document.activeElement.id") == "scroll"
