"""What is typed at the bottom of the page: commands and people are completed, and the box keeps its height."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import BROWSER, open_page
from playwright.sync_api import Browser, Locator, Page, expect

from bot.workspace import ThreadedWorkspace
from bot.workspace.delivery import DeliveryResult
from bot.workspace.page import PageOffers
from bot.workspace.state import Json

pytestmark = BROWSER

SUBCOMMANDS = [
    {"text": "month", "arguments": "@someone october", "description": "A month"},
    {"text": "changes", "arguments": "", "description": "The changes, one by one"},
]


class Taking:
    """An app that takes all it is shown, and remembers the texts."""

    def __init__(self) -> None:
        self.told: list[str] = []

    async def send(self, kind: str, payload: Json, attempt: int, reason: str) -> DeliveryResult:
        self.told.append(payload["text"] if kind == "slash_commands" else payload["event"].get("text", ""))
        return DeliveryResult()


@pytest.fixture
def app(slack: ThreadedWorkspace) -> Taking:
    slack.page.offered = PageOffers(subcommands=SUBCOMMANDS)
    app = Taking()
    slack.deliver_by(app)
    return app


@pytest.fixture
def page(slack: ThreadedWorkspace, app: Taking, chromium: Browser) -> Iterator[Page]:
    """Ada's page, in a channel."""
    with open_page(chromium, f"{slack.url}/#general") as page:
        expect(page.get_by_test_id("who")).to_have_value("ada")
        yield page


def options_of(page: Page) -> Locator:
    """What is offered to complete."""
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


def test_a_command_is_completed_by_the_keyboard(slack: ThreadedWorkspace, app: Taking, page: Page) -> None:
    """Its subcommands are offered with their arguments; then the person is; and Enter sends only what is whole."""
    box, options = page.get_by_role("textbox", name="Message"), options_of(page)
    box.press_sequentially("/al")
    expect(page.get_by_role("listbox", name="Suggestions")).to_be_visible()
    expect(options).to_contain_text(["/almanac month @someone october", "/almanac changes"])
    active = page.get_by_test_id("completions").get_by_role("option", selected=True)
    expect(active).to_contain_text("/almanac month")
    box.press("ArrowDown")
    expect(active).to_contain_text("/almanac changes")
    expect(box).to_have_attribute("aria-activedescendant", active.get_attribute("id") or "none")
    box.press("ArrowUp")
    box.press("Tab")
    expect(box).to_have_value("/almanac month ")
    box.press_sequentially("@hop")
    expect(options).to_contain_text(["Grace Hopper"])
    expect(options.locator(".avatar")).to_have_text("GH")
    box.press("Enter")
    expect(box).to_have_value("/almanac month @Grace Hopper ")
    box.press("Enter")
    expect(box).to_have_value("")
    slack.wait_until(lambda: app.told)
    assert app.told == ["month <@U0002|grace>"]
