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


def test_a_person_is_completed_in_the_middle_and_escape_leaves_what_was_typed(page: Page) -> None:
    """Clicked, too; an address is no person; Escape closes the list and nothing else."""
    box, options = page.get_by_role("textbox", name="Message"), options_of(page)
    box.fill("what did  do?")
    for _ in " do?":
        box.press("ArrowLeft")
    box.press_sequentially("@a")
    expect(options).to_contain_text(["Almanac", "Ada Lovelace"])
    options.last.click()
    expect(box).to_have_value("what did @Ada Lovelace do?")
    expect(box).to_be_focused()
    box.fill("")
    box.press_sequentially("mail ada@exam")
    expect(options).to_have_count(0)
    box.fill("")
    box.press_sequentially("@gr")
    expect(options).to_have_count(1)
    box.press("Escape")
    expect(page.get_by_role("listbox", name="Suggestions")).to_have_count(0)
    expect(box).to_have_value("@gr")


def test_the_box_keeps_its_height(slack: ThreadedWorkspace, app: Taking, chromium: Browser) -> None:
    """Also where its placeholder is wider than the window, after sending, and when one comes from Home; a long text
    makes it higher, up to a limit."""
    with open_page(chromium, f"{slack.url}/#almanac/home", width=390) as page:
        page.get_by_role("link", name="Messages").click()
        box = page.get_by_role("textbox", name="Message")
        expect(box).to_be_focused()
        height = "document.querySelector('[data-testid=composer]').offsetHeight"
        direct = page.evaluate(height)
        page.goto(f"{slack.url}/#general")
        expect(box).to_have_attribute("placeholder", "Message #general, or ask @Almanac")
        empty = page.evaluate(height)
        box.press_sequentially("x")
        assert direct == empty == page.evaluate(height) > 30
        box.fill("\n".join("long" for _ in range(60)))
        assert empty < page.evaluate(height) <= 200
        box.press("Enter")
        expect(box).to_have_value("")
        assert page.evaluate(height) == empty
