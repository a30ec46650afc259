"""The demonstration for whoever opens it: two people with different rights side by side, by the keyboard alone, on a
phone, in the dark."""

from __future__ import annotations

import re

from browser import BROWSER, open_page
from e2e.conftest import accessible
from playwright.sync_api import Browser, Page, expect

pytestmark = BROWSER


def ask(page: Page, question: str) -> None:
    page.get_by_test_id("composer").fill(question)
    page.keyboard.press("Enter")


def test_two_people_with_different_rights_side_by_side(demo: str, chromium: Browser) -> None:
    """What is private to #billing is told to Grace, who is in it, and only counted for Dave, who is not."""
    asks = (f"{demo}?as={name}#almanac" for name in ("grace", "dkim"))
    with open_page(chromium, next(asks)) as grace, open_page(chromium, next(asks)) as dave:
        expect(grace.get_by_role("link", name="billing")).to_be_visible()
        expect(dave.get_by_role("link", name="billing")).to_have_count(0)
        for page in (grace, dave):
            ask(page, "what did Grace Hopper do in October?")
        expect(grace.locator("#messages")).to_contain_text("Close a month in the customer's zone")
        expect(dave.locator("#messages")).to_contain_text("Let a query name its time zone")
        expect(dave.locator("#messages")).not_to_contain_text("Close a month in the customer's zone")
        for page, offered in ((grace, 1), (dave, 0)):
            expect(page.get_by_role("button", name="Not right?")).to_have_count(offered)


def test_by_the_keyboard_alone(demo: str, chromium: Browser) -> None:
    """From the top of the page to an answer, into a modal, out of it to where one was, and on."""
    with open_page(chromium, f"{demo}?as=okafor") as page:  # whose direct messages no other test writes to
        expect(page.locator("#messages .message")).not_to_have_count(0)
        page.keyboard.press("Tab")
        reach(page, "link", "Almanac")
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("composer")).to_be_focused()
        page.keyboard.type("what did Dave Kim do in October?")
        page.keyboard.press("Enter")
        expect(page.locator("#messages")).to_contain_text("Dave Kim · October")
        button = page.get_by_role("button", name=re.compile("^All "))
        reach(page, "button", "All ", backwards=True)
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text("Dave Kim, October")
        reach(page, "button", "Explain")
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text("Why it is shown this way")
        for _ in range(2):
            title = page.locator("#modal h2").inner_text()
            page.keyboard.press("Escape")
            page.wait_for_function("title => !modal.open || modal.querySelector('h2').innerText !== title", arg=title)
        expect(button).to_be_focused()


def reach(page: Page, role: str, name: str, *, backwards: bool = False) -> None:
    """Go on with Tab until what is called so has the focus."""
    wanted = page.get_by_role(role, name=re.compile(f"^{re.escape(name)}")).first  # type: ignore[arg-type]
    expect(wanted).to_be_visible()
    for _ in range(60):
        if wanted.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
    raise AssertionError(f"60 times Tab do not lead to the {role} {name!r}")


def test_on_a_phone_in_the_dark(demo: str, chromium: Browser) -> None:
    """Nothing is wider than the window; channels are behind a button, a thread covers its channel. By day and on a wide
    screen, test_newcomer.py goes the same ways."""
    with open_page(chromium, demo, width=390, height=844, color_scheme="dark", has_touch=True) as page:
        fits(page, "the digest")
        page.get_by_test_id("replies").first.click()
        expect(page.get_by_test_id("thread")).to_contain_text("Ada Lovelace")
        fits(page, "its thread")
        page.get_by_role("button", name="Close the thread").click()
        page.get_by_role("button", name="Channels").click()
        fits(page, "the channels")
        page.get_by_role("link", name="Almanac", exact=True).click()
        ask(page, "what did Mila Berg do in October?")
        expect(page.locator("#messages")).to_contain_text("Mila Berg · October")
        fits(page, "an answer")
        page.get_by_role("button", name=re.compile("^All ")).last.click()
        expect(page.get_by_role("dialog")).to_contain_text("Mila Berg, October")
        fits(page, "all changes")
        page.keyboard.press("Escape")
        page.get_by_role("link", name="Home", exact=True).click()
        expect(page.get_by_role("region", name="Home")).to_contain_text("Who you are in git")
        fits(page, "Home")


def fits(page: Page, screen: str) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), screen
    accessible(page, screen)
