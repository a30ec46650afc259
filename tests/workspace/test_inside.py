"""A look inside: what a message is made of, what went between the app and the workspace, and faults on command."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import BROWSER, open_page
from playwright.sync_api import Browser, Page, expect
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.workspace import ThreadedWorkspace
from bot.workspace.courier import DeliveryResult
from bot.workspace.inside import limits_used
from bot.workspace.journal import Journal
from bot.workspace.model import Json, WorkspaceEvent

HELLO: list[Json] = [{"type": "section", "text": {"type": "plain_text", "text": "Hello"}}]


class Slow:
    """An app whose acknowledgements take as long as they are said to, on a clock of their own."""

    def __init__(self, slack: ThreadedWorkspace, *seconds: float) -> None:
        self.seconds = list(seconds)
        self.now = 0.0
        self.told: list[Json] = []
        slack.workspace.journal._timer = lambda: self.now
        slack.server._courier.transport = self

    async def send(self, kind: str, payload: Json, attempt: int, reason: str) -> DeliveryResult:
        self.told.append(payload)
        self.now += self.seconds.pop(0) if self.seconds else 0.0
        return DeliveryResult()


def test_limits_are_those_that_messages_are_refused_by() -> None:
    assert limits_used({"text": "Hello", "blocks": HELLO}) == [
        {"name": "Blocks", "used": 1, "most": 50},
        {"name": "Characters in the blocks", "used": 5, "most": 9000},
        {"name": "Bytes of the blocks' JSON", "used": 64, "most": 15000},
        {"name": "Characters of plain text", "used": 5, "most": 4000},
    ]
    assert limits_used({"view": {"type": "home", "blocks": HELLO}})[0] == {"name": "Blocks", "used": 1, "most": 100}


def test_a_journal_says_which_call_wrote_a_message_and_which_delivery_was_late() -> None:
    """A delivery that was given up is late however soon; its acknowledgement after all says when it came."""
    now = 0.0
    journal = Journal(lambda: 0.0, lambda: now)
    with journal.entry("call", "chat.postMessage", {}) as call, journal.writing(call):
        journal.note(WorkspaceEvent("message", "C1", {"ts": "1.0"}))
    journal.note(WorkspaceEvent("message", "C1", {"ts": "2.0"}))
    assert journal.that_wrote("C1", "1.0") == [call]
    assert journal.that_wrote("C1", "2.0") == []
    with journal.entry("delivery", "app_mention", {}) as in_time:
        now = 3.0
    with journal.entry("delivery", "app_mention", {}) as slow:
        now = 6.1
    with journal.entry("delivery", "app_mention", {}) as given_up:
        given_up.outcome, given_up.envelope_id = "timeout", "e1"
    assert [one.is_late for one in (call, in_time, slow, given_up)] == [False, False, True, True]
    now = 10.1
    journal.acknowledged_late("e1")
    assert given_up.took == pytest.approx(4.0)
    assert given_up.outcome == "too late: timeout"


def test_a_fault_of_whichever_call_comes_next_is_used_up_by_it(slack: ThreadedWorkspace, client: WebClient) -> None:
    slack.faults.next("*", "error:fatal_error")
    with pytest.raises(SlackApiError, match="fatal_error"):
        client.auth_test()
    assert client.auth_test()["ok"]
    assert slack.faults.waiting() == []


@pytest.fixture
def page(slack: ThreadedWorkspace, chromium: Browser) -> Iterator[Page]:
    """Ada's page, in a channel."""
    with open_page(chromium, f"{slack.url}/#general") as page:
        expect(page.get_by_test_id("who")).to_have_value("ada")
        yield page


class TestDrawer:
    pytestmark = BROWSER

    def test_a_message_shows_its_json_its_limits_and_its_calls(
        self, slack: ThreadedWorkspace, client: WebClient, page: Page
    ) -> None:
        """From its menu; Escape leads back to it."""
        client.chat_postMessage(channel="C0001", text="Hello", blocks=HELLO)
        message = page.get_by_test_id("message").last
        message.hover()
        message.get_by_test_id("message-menu").click()
        message.get_by_role("menuitem", name="Look inside").click()
        drawer = page.get_by_role("complementary", name="A look inside")
        expect(drawer.get_by_test_id("limits")).to_contain_text("Blocks: 1 of 50")
        expect(drawer.get_by_test_id("source-json")).to_contain_text('"text": "Hello"')
        made = drawer.get_by_role("region", name="The message").get_by_test_id("journal-entry")
        expect(made).to_have_count(1)
        expect(made).to_contain_text("chat.postMessage")
        made.locator("summary").first.click()
        expect(made.get_by_test_id("source-answer")).to_contain_text('"ok": true')
        page.keyboard.press("Escape")
        expect(drawer).to_be_hidden()
        expect(message.get_by_test_id("message-menu")).to_be_focused()

    def test_late_acknowledgements_stand_out_and_events_can_be_delivered_again(
        self, slack: ThreadedWorkspace, page: Page
    ) -> None:
        app = Slow(slack, 0.5, 3.5)
        for text in ("@Almanac one", "@Almanac two"):
            slack.say("ada", "general", text)
        slack.wait_until(lambda: len(app.told) == 2)
        page.get_by_role("button", name="Look inside").click()
        entries = page.get_by_test_id("journal").get_by_test_id("journal-entry")
        expect(entries).to_contain_text(["late: ok", "500 ms"])
        expect(page.locator(".journal .late")).to_have_count(1)
        page.get_by_role("button", name="Deliver the last event again").click()
        expect(entries).to_have_count(3)
        assert app.told[2]["event_id"] == app.told[1]["event_id"]

    def test_faults_are_caused_from_the_drawer(self, slack: ThreadedWorkspace, client: WebClient, page: Page) -> None:
        """The next call of a method meets with it, and the page says what is still to happen."""
        page.get_by_role("button", name="Look inside").click()
        page.get_by_label("The next call of").select_option("chat.postMessage")
        page.get_by_label("What happens").select_option("ratelimited")
        page.get_by_role("button", name="Let it happen").click()
        expect(page.get_by_text("Still to happen: chat.postMessage: ratelimited.")).to_be_visible()
        with pytest.raises(SlackApiError) as met:
            client.chat_postMessage(channel="C0001", text="Hello")
        assert met.value.response.status_code == 429
        expect(page.get_by_text("Still to happen")).to_be_hidden()
        expect(page.get_by_test_id("journal-entry").first).to_contain_text("ratelimited")

    def test_on_a_phone_the_keyboard_walks_through_what_is_seen_alone(
        self, slack: ThreadedWorkspace, client: WebClient, chromium: Browser
    ) -> None:
        """Neither the drawer nor a thread leaves the focus on what they cover; closed, the channel is there again."""
        root = client.chat_postMessage(channel="C0001", text="Hello")["ts"]
        client.chat_postMessage(channel="C0001", text="Again", thread_ts=root)
        with open_page(chromium, f"{slack.url}/#general", width=390) as page:
            page.get_by_test_id("replies").click()
            walked(page, "thread")
            page.keyboard.press("Escape")
            expect(page.get_by_role("textbox", name="Message")).to_be_focused()
            page.get_by_role("button", name="Look inside").click()
            expect(page.get_by_role("heading", name="A look inside")).to_be_focused()
            walked(page, "inside")


def walked(page: Page, column: str) -> None:
    """Go on by the keyboard, which may lead to what is in a column and to the skip link."""
    for _ in range(12):
        page.keyboard.press("Tab")
        where = "document.activeElement.closest('#thread, #inside, #skip, #channel')?.id ?? 'body'"
        assert page.evaluate(where) in (column, "skip", "body")
