"""What the tests of conversations do and look for in a workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bot.workspace import BOT_USER_ID, Call, ThreadedWorkspace
from bot.workspace.block_kit import faults, view_faults
from bot.workspace.server import PATIENCE

Json = dict[str, Any]
SECONDS = PATIENCE  # whoever waits goes on as soon as it is there


def answer_to(workspace: ThreadedWorkspace, ts: str, contains: str = "") -> Json:
    """The bot's message after `ts` that contains a text."""
    return workspace.wait_for(
        lambda m: m.get("user") == BOT_USER_ID and m["ts"] > ts and contains in m["text"], timeout=SECONDS
    )


def direct(workspace: ThreadedWorkspace, login: str) -> str:
    """The channel of somebody's direct messages with the bot."""
    user = workspace.workspace.user(login)
    assert user is not None
    channel = workspace.workspace.channel(user.id)
    assert channel is not None
    return channel.id


def write_to_bot(workspace: ThreadedWorkspace, login: str, text: str) -> str:
    """A direct message from somebody to the bot."""
    return workspace.say(login, direct(workspace, login), text)


def ask(workspace: ThreadedWorkspace, login: str, text: str, channel: str = "general", contains: str = "") -> Json:
    """The first answer to what somebody says in a channel."""
    return answer_to(workspace, workspace.say(login, channel, text), contains)


def buttons(shown: Json) -> dict[str, Json]:
    """The buttons of a message or a modal, by their labels, in order."""
    found = [node for node in nodes(shown["blocks"]) if node.get("type") == "button"]
    return {one["text"]["text"]: one for one in found}


def press(workspace: ThreadedWorkspace, login: str, message: Json, label: str) -> None:
    """Action the button of a message that has a label."""
    one = buttons(message)[label]
    workspace.press(login, message["channel"], message["ts"], one["action_id"], one.get("value"))


def press_in_modal(workspace: ThreadedWorkspace, login: str, label: str, number: int = 0) -> None:
    """Action a button of the modal somebody sees, of several with a label the one with that number."""
    view = workspace.modals(login)[-1]
    found = [one for one in nodes(view["blocks"]) if one.get("type") == "button" and one["text"]["text"] == label]
    workspace.press_modal(login, found[number]["action_id"], found[number].get("value"))


def modal(workspace: ThreadedWorkspace, login: str, contains: str, depth: int = 1) -> Json:
    """The modal somebody sees, once it says something; `depth` of them are open."""

    def shown() -> Json | None:
        views = workspace.modals(login)
        return views[-1] if len(views) == depth and contains in said(views[-1]) else None

    return workspace.wait_until(shown, timeout=SECONDS)


def message_now(workspace: ThreadedWorkspace, message: Json, fits: Callable[[Json], bool], login: str) -> Json:
    """A message as somebody sees it, once it fits."""
    user = workspace.workspace.user(login)
    assert user is not None

    def shown() -> Json | None:
        there = [one for one in workspace.messages(message["channel"], user=user.id) if one["ts"] == message["ts"]]
        return there[0] if there and fits(there[0]) else None

    return workspace.wait_until(shown, timeout=SECONDS)


def answers(workspace: ThreadedWorkspace, channel: str, thread: str | None = None) -> list[Json]:
    """What the bot said in a channel, or in one of its threads, for everybody."""
    return [m for m in workspace.messages(channel, thread_ts=thread) if m.get("user") == BOT_USER_ID]


def whispers(workspace: ThreadedWorkspace, channel: str, login: str) -> list[Json]:
    """What the bot said in a channel to somebody alone."""
    user = workspace.workspace.user(login)
    assert user is not None
    return [m for m in workspace.messages(channel, user=user.id) if m.get("ephemeral") and m["user"] == BOT_USER_ID]


def settled(workspace: ThreadedWorkspace, count: int) -> None:
    """Return when so many deliveries have been made."""
    workspace.wait_until(lambda: len(workspace.deliveries) >= count, timeout=SECONDS)


def delivered(workspace: ThreadedWorkspace, fits: Callable[[Json], Any]) -> Json:
    """The first payload that fits of those that were delivered: an answer may be there before it is noted that its
    question was taken."""
    found = workspace.wait_until(lambda: [one.payload for one in workspace.deliveries if fits(one.payload)], SECONDS)
    return found[0]


def pressed_at(workspace: ThreadedWorkspace) -> str:
    """When the first button was pressed, by which a press is known."""
    return str(delivered(workspace, lambda payload: payload.get("actions"))["actions"][0]["action_ts"])


def said(shown: Json) -> str:
    """All the text of a modal or a message."""
    texts = [shown.get("title"), *nodes(shown["blocks"])]
    return "\n".join(str(one["text"]) for one in texts if one and isinstance(one.get("text"), str))


def nodes(value: Any) -> Iterator[Json]:
    """Every object in a JSON value, in order."""
    if isinstance(value, list):
        for one in value:
            yield from nodes(one)
    elif isinstance(value, dict):
        yield value
        yield from nodes(list(value.values()))


def broken_limits(calls: list[Call]) -> list[str]:
    """What of all that was sent Slack would refuse."""
    found = []
    for call in calls:
        if call.method.startswith("views.") and "view" in call.arguments:
            found += [f"{call.method}: {one}" for one in view_faults(call.arguments["view"])]
        elif call.method in ("chat.postMessage", "chat.postEphemeral", "chat.update", "response_url"):
            sent: Json = {key: call.arguments[key] for key in ("text", "blocks", "metadata") if key in call.arguments}
            if not call.arguments.get("delete_original"):
                found += [f"{call.method}: {one}" for one in faults(sent)]
    return found
