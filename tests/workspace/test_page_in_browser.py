"""The page in a browser: every kind of element can be seen and used, and the app is notified as by Slack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from browser import BROWSER, open_page, wait_for
from playwright.sync_api import Browser, Page, expect

from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace
from bot.workspace.api import stored
from bot.workspace.delivery import DeliveryResult
from bot.workspace.state import Json, WorkspaceEvent

pytestmark = BROWSER


VIEW = WorkspaceEvent("view")


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text, "emoji": False}


def option(text: str) -> Json:
    return {"text": plain(text), "value": text.lower()}


FRUIT = [option("Apple"), option("Pear"), option("Plum")]
SURE = {"title": plain("Sure?"), "text": plain("It cannot be undone."), "confirm": plain("Do it"), "deny": plain("No")}
ELEMENTS: list[Json] = [
    {"type": "button", "action_id": "go", "text": plain("Go"), "value": "1", "style": "primary"},
    {"type": "button", "action_id": "drop", "text": plain("Drop"), "value": "2", "style": "danger", "confirm": SURE},
    {"type": "static_select", "action_id": "one", "option_groups": [{"label": plain("Fruit"), "options": FRUIT}]},
    {"type": "conversations_select", "action_id": "where", "filter": {"include": ["public"]}},
]
BLOCKS: list[Json] = [
    {"type": "section", "text": plain("First line\nsecond line"), "fields": [plain("left"), plain("right")]},
    {"type": "actions", "block_id": "b", "elements": ELEMENTS},
]


class Taking:
    """An app that takes all it is shown, and remembers it. `answers` are to submissions, one after the other."""

    def __init__(self, *answers: Json) -> None:
        self.told: list[Json] = []
        self.answers = list(answers)

    async def send(self, kind: str, payload: Json, attempt: int, reason: str) -> DeliveryResult:
        self.told.append(payload)
        is_submitted = payload["type"] == "view_submission"
        return DeliveryResult(payload=self.answers.pop(0)) if is_submitted and self.answers else DeliveryResult()

    def actions(self) -> list[Json]:
        """What was pressed or chosen, without what Slack makes up."""
        made_up = ("action_ts", "block_id", "text", "style", "placeholder")
        pressed = [one for payload in self.told for one in payload.get("actions", ())]
        return [{key: value for key, value in one.items() if key not in made_up} for one in pressed]


@pytest.fixture
def page(slack: ThreadedWorkspace, chromium: Browser) -> Iterator[Page]:
    """Ada's page, in a channel; its scripts may throw nothing and load nothing from elsewhere."""
    with open_page(chromium, f"{slack.url}/#general") as page:
        expect(page.get_by_test_id("who")).to_have_value("ada")
        yield page


def taking(slack: ThreadedWorkspace, *answers: Json) -> Taking:
    app = Taking(*answers)
    slack.deliver_by(app)
    return app


def look(slack: ThreadedWorkspace, work: Callable[[Workspace], Any]) -> None:
    """Do something in the thread that the workspace belongs to."""
    slack.in_thread(lambda: work(slack.workspace))


def post(slack: ThreadedWorkspace, blocks: list[Json], **more: Any) -> None:
    look(slack, lambda workspace: workspace.post("C0001", user=BOT_USER_ID, text="x", blocks=blocks, **more))


def test_every_element_of_a_message_can_be_used(slack: ThreadedWorkspace, page: Page) -> None:
    """What is pressed and chosen arrives once, with what was chosen."""
    app = taking(slack)
    post(slack, BLOCKS)

    expect(page.locator(".section-body").first).to_contain_text("First line\nsecond line")
    page.locator("[data-action=go]").last.click()
    page.locator("[data-action=drop]").last.click()
    page.locator(".confirm button", has_text="No").last.click()
    wait_for(page, "!document.querySelector('.confirm')")
    page.locator("[data-action=drop]").last.click()
    expect(page.locator(".confirm").first).to_contain_text("It cannot be undone.")
    page.locator(".confirm button", has_text="Do it").last.click()
    wait_for(page, "!document.querySelector('.confirm')")
    for menu, value in (("one", "plum"), ("where", "C0002")):
        chosen = f"document.querySelector('[data-action={menu}]')"
        events = "new Event('input'), new Event('change')"
        page.evaluate(f"{chosen}.value = '{value}'; for (const e of [{events}]) {chosen}.dispatchEvent(e)")
    wait_for(page, "!document.querySelector('[data-action=where]').closest('[aria-busy]')")

    assert app.actions() == [
        {"type": "button", "action_id": "go", "value": "1"},
        {"type": "button", "action_id": "drop", "value": "2"},
        {"type": "static_select", "action_id": "one", "selected_option": FRUIT[2]},
        {"type": "conversations_select", "action_id": "where", "selected_conversation": "C0002"},
    ]


def field(name: str, element: Json, **more: Any) -> Json:
    return {"type": "input", "block_id": name, "label": plain(name), "element": {"action_id": name, **element}, **more}


FIELDS = [
    field("title", {"type": "plain_text_input", "min_length": 3, "initial_value": "old"}, hint=plain("Three letters.")),
    field("note", {"type": "plain_text_input", "multiline": True}, optional=True),
    field("kind", {"type": "static_select", "options": FRUIT}),
    field("where", {"type": "conversations_select", "filter": {"include": ["public"]}}),
    field("many", {"type": "multi_static_select", "options": FRUIT}, optional=True),
]


def modal(title: str, blocks: list[Json], **more: Any) -> Json:
    return {"type": "modal", "title": plain(title), "close": plain("Close"), "blocks": blocks, **more}


def opened(slack: ThreadedWorkspace, *views: Json) -> None:
    """Show Ada modals one upon another, as the app would."""
    for number, view in enumerate(views):
        modals = slack.workspace.modals
        show = modals.push if number else modals.open
        slack.in_thread(partial(show, "U0001", stored(slack.workspace, view, f"V{number}")))
    look(slack, lambda workspace: workspace.tell(VIEW))


def test_a_modal_is_filled_in_and_submitted(slack: ThreadedWorkspace, page: Page) -> None:
    """Nothing is submitted while something is missing; the app's own errors stand beside their fields; what was typed
    stays through all of it."""
    app = taking(slack, {"response_action": "errors", "errors": {"title": "That is taken."}})
    opened(slack, modal("Form", FIELDS, submit=plain("Save")))

    expect(page.locator("#modal h2").first).to_contain_text("Form")
    wait_for(page, "document.activeElement.dataset.action === 'title'")
    page.get_by_test_id("modal-submit").last.click()
    wrong = "[...document.querySelectorAll('.field-error')].map(one => one.parentElement.innerText.split('\\n')[0])"
    assert page.evaluate(wrong) == ["kind", "where"]
    assert page.evaluate("document.activeElement.dataset.action") == "kind"
    assert app.told == []
    page.evaluate("document.querySelector('[data-action=title]').select()")
    page.locator("[data-action=title]").press_sequentially("newer")
    for menu, value in (("kind", "pear"), ("where", "C0002")):
        chosen = f"document.querySelector('[data-action={menu}]')"
        page.evaluate(f"{chosen}.value = '{value}'; {chosen}.dispatchEvent(new Event('change'))")
    page.locator("[data-action=many][value=apple]").last.click()
    page.get_by_test_id("modal-submit").last.click()
    expect(page.locator("#modal .field-error").first).to_contain_text("That is taken.")
    wait_for(page, "!document.querySelector('[data-testid=modal-submit][aria-busy]')")  # till then Enter does nothing
    wait_for(page, "document.activeElement.dataset.action === 'title'")
    assert page.evaluate("document.activeElement.value") == "newer"
    page.locator("[data-action=title]").press_sequentially("s")
    page.keyboard.press("Enter")
    wait_for(page, "!document.querySelector('#modal').open")

    state = app.told[-1]["view"]["state"]["values"]
    assert {name: told for block in state.values() for name, told in block.items()} == {
        "title": {"type": "plain_text_input", "value": "newers"},
        "note": {"type": "plain_text_input", "value": None},
        "kind": {"type": "static_select", "selected_option": FRUIT[1]},
        "where": {"type": "conversations_select", "selected_conversation": "C0002"},
        "many": {"type": "multi_static_select", "selected_options": [FRUIT[0]]},
    }
