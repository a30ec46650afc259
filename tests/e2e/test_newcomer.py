"""What somebody does who opens the demonstration for the first time: each step shows its result, on screens that
everybody can use."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from browser import BROWSER, open_page
from e2e.conftest import accessible
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = BROWSER

MESSAGES = "#messages .message"


@pytest.fixture
def page(demo: str, chromium: Browser) -> Iterator[Page]:
    with open_page(chromium, demo) as page:
        yield page


def direct(page: Page) -> None:
    """To one's own messages with the bot."""
    page.get_by_role("link", name="Almanac", exact=True).click()
    page.get_by_role("link", name="Messages", exact=True).click()


def ask(page: Page, question: str, answer: str) -> Locator:
    """Type it; the answer, which must begin where one looks."""
    count = page.locator(MESSAGES).count()
    page.get_by_test_id("composer").fill(question)
    page.keyboard.press("Enter")
    return shown(page.locator(MESSAGES).nth(count + 1), answer)


def shown(message: Locator, title: str) -> Locator:
    expect(message).to_contain_text(title)
    expect(message.get_by_text(title).first).to_be_in_viewport()
    return message


def close(page: Page) -> None:
    """Every modal that is open, the topmost first."""
    dialog = page.locator("#modal")
    while dialog.is_visible():
        shown = dialog.inner_text()
        page.keyboard.press("Escape")
        page.wait_for_function("shown => !modal.open || modal.innerText !== shown", arg=shown)


def test_a_newcomers_way(page: Page) -> None:
    questions(page)
    correction(page)
    sharing(page)
    an_address(page)
    digests(page)


def questions(page: Page) -> None:
    dialog = page.get_by_role("dialog")

    # reads the digest
    digest = page.locator(MESSAGES).first
    expect(digest).to_contain_text("5 people, 34 changes")
    expect(digest).to_contain_text("New and changed")
    accessible(page, "the digest")
    expect(digest).to_contain_text("Grace Hopper")

    # asks by typing, and follows up three times
    direct(page)
    ask(page, "what shipped last month?", "October")
    ask(page, "and Grace Hopper?", "Grace Hopper · October")
    ask(page, "the month before", "Grace Hopper · September")
    answer = ask(page, "what did Dave Kim do in October?", "Dave Kim · October")
    accessible(page, "an answer")

    # the same from the menu of a message, and from that of the box
    page.locator(MESSAGES, has_text="what did Dave Kim do").first.get_by_test_id("message-menu").click()
    page.get_by_role("menuitem", name="This person's month").click()
    expect(dialog).to_contain_text("Ada Lovelace")
    close(page)
    page.get_by_test_id("shortcuts").last.click()
    page.get_by_role("menuitem", name="My month").click()
    expect(dialog).to_contain_text("Ada Lovelace")
    close(page)

    # previous month
    answer.get_by_role("button", name=re.compile("^← September")).click()
    answer = shown(page.locator(MESSAGES).last, "Dave Kim · September")

    # all changes, and why one is shown as it is
    answer.get_by_role("button", name=re.compile("^All ")).click()
    expect(dialog).to_contain_text("Dave Kim, September")
    accessible(page, "all changes")
    dialog.get_by_role("button", name="Explain").first.click()
    expect(dialog).to_contain_text("files")
    accessible(page, "why")
    close(page)


def correction(page: Page) -> None:
    dialog = page.get_by_role("dialog")
    direct(page)
    answer = ask(page, "my October", "Ada Lovelace · October")
    title = "Search with a width of 128"
    expect(answer).to_contain_text(title)
    answer.get_by_role("button", name="Not right?").click()
    change = dialog.get_by_role("option", name=re.compile(title)).get_attribute("value")
    dialog.get_by_label("Which change?").select_option(change)
    dialog.get_by_label("What should it be called?").fill("Search wider")
    accessible(page, "how it should be")
    dialog.get_by_role("button", name="Correct it").click()
    expect(dialog).to_contain_text("is called “Search wider” from now on")
    expect(answer).to_contain_text("Search wider")
    dialog.get_by_role("button", name="Undo").click()
    expect(answer).to_contain_text(title)
    close(page)


def sharing(page: Page) -> None:
    direct(page)
    answer = ask(page, "what did Mila Berg do in October?", "Mila Berg · October")
    answer.get_by_role("button", name="Share in a channel").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Post it in").select_option(label="#general")
    accessible(page, "where to share")
    dialog.get_by_role("button", name="Post").click()
    expect(dialog).to_contain_text("It is posted there.")
    close(page)
    page.get_by_role("link", name="general").click()
    expect(page.locator(MESSAGES).last).to_contain_text("Mila Berg · October")


def an_address(page: Page) -> None:
    page.get_by_role("link", name="Almanac", exact=True).click()
    page.get_by_role("link", name="Home", exact=True).click()
    home, dialog = page.get_by_role("region", name="Home"), page.get_by_role("dialog")
    expect(home).to_contain_text("Who you are in git")
    accessible(page, "Home")
    home.get_by_role("button", name="Add an address").click()
    dialog.get_by_role("textbox").fill("ada@home.example")
    accessible(page, "an address")
    dialog.get_by_test_id("modal-submit").click()
    expect(dialog).to_contain_text("ada@home.example will be yours")
    dialog.get_by_role("button", name="Confirm").click()
    close(page)
    expect(home).to_contain_text("ada@home.example")


def digests(page: Page) -> None:
    page.get_by_role("link", name="Almanac", exact=True).click()
    page.get_by_role("link", name="Home", exact=True).click()
    home, dialog = page.get_by_role("region", name="Home"), page.get_by_role("dialog")
    home.get_by_role("button", name="Digests").click()
    accessible(page, "digests")
    dialog.get_by_role("button", name="New digest").click()
    for label, choice in (
        ("Channel", "#general"),
        ("Of whom", "Everyone who was active"),
        ("How often", "Every month"),
    ):
        dialog.get_by_label(label, exact=True).select_option(label=choice)
    dialog.get_by_label("At", exact=True).select_option(label="09:00")
    accessible(page, "the form of a digest")
    dialog.get_by_test_id("modal-submit").click()
    expect(dialog).to_contain_text("Saved: #general, everyone, monthly.")
    close(page)
    expect(home).to_contain_text("#general: everyone, monthly")

    home.get_by_role("button", name="Digests").click()
    dialog.get_by_role("button", name="Edit").first.click()
    dialog.get_by_label("How often", exact=True).select_option(label="Every week")
    dialog.get_by_label("Day of the week", exact=True).select_option(label="Monday")
    dialog.get_by_test_id("modal-submit").click()
    expect(dialog).to_contain_text("Saved: #general, everyone, weekly.")
    close(page)
    expect(home).to_contain_text("#general: everyone, weekly")

    home.get_by_role("button", name="Digests").click()
    dialog.get_by_role("button", name="Post now").first.click()
    expect(dialog).to_contain_text("is posted in #general now, for all who read there. It is posted so:")
    accessible(page, "a digest before it is posted")
    dialog.get_by_test_id("modal-submit").click()
    expect(dialog).to_contain_text("posted (")
    close(page)
    page.get_by_role("link", name="general").click()
    expect(page.locator(MESSAGES).last).to_contain_text("The week of 16 November 2026")
    accessible(page, "a digest of a week")
