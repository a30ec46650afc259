"""Conversations as plays: a line is what somebody does, or what is seen then, once it is.

guest #general: @Almanac ada october 2025     somebody says something; `direct` to the bot, `thread` in its thread
bot thread: October 2025 … the store          the bot's next message: `thread`, `channel`, `direct`, `alone` (for one
                                              person's eyes), `here` (in the place of the one before)
buttons: ← August 2025; Profile               all that can be pressed in what was seen last
grace presses Profile                         there; `the same: ` in the message that was pressed last
ada submits when=2025-10                      the modal that they see
ada runs my_month                             a shortcut; `on it`, on what was said last, `on that`, on the answer
modal 2: Which change? … Fix the store        what the modal of whoever did something last says; two are open
not: raid                                     what was seen last does not say this
unchanged                                     the message that was pressed last looks as it did
again                                         Slack delivers the last press once more
holds 1 #general: October                     how many messages of the bot for everybody there say something
fault chat.postMessage error:not_in_channel   what the next call comes to
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from talking import SECONDS, answers, buttons, direct, message_now, modal, press, press_in_modal, said, whispers

from bot.workspace import BOT_USER_ID, ThreadedWorkspace

Json = dict[str, Any]


class Play:
    """Plays what is written, against a bot that runs."""

    def __init__(self, workspace: ThreadedWorkspace) -> None:
        self.workspace = workspace
        self.who = self.where = self.root = ""
        self.since = "0"
        self.seen: Json = {}
        self.pressed: Json = {}

    def play(self, text: str) -> None:
        for line in filter(None, map(str.strip, text.splitlines())):
            act, found = next((act, found) for form, act in LINES if (found := re.fullmatch(form, line)))
            try:
                act(self, *found.groups())
            except Exception as error:
                raise AssertionError(f"{line!r}, where this was seen: {self.seen and said(self.seen)}") from error

    # what somebody does

    def says(self, who: str, where: str, text: str) -> None:
        self.who = who
        if where != "thread":
            self.where = direct(self.workspace, who) if where == "direct" else where[1:]
        self.since = self.workspace.say(who, self.where, text, *([self.root] if where == "thread" else []))
        self.root = self.root if where == "thread" else self.since

    def presses(self, who: str, label: str) -> None:
        self.who = who
        if "ts" not in self.seen:
            press_in_modal(self.workspace, who, label)
            return
        self.pressed, self.since = self.seen, self.seen["ts"]
        press(self.workspace, who, self.seen, label)

    def presses_again(self, who: str, label: str) -> None:
        self.seen = self.pressed
        self.presses(who, label)

    def submits(self, who: str, filled: str) -> None:
        self.workspace.submit(who, dict(one.split("=") for one in filled.split()))

    def runs(self, who: str, shortcut: str, on: str | None) -> None:
        self.who, self.since = who, self.workspace.workspace.next_ts()
        if on is None:
            self.workspace.shortcut(who, shortcut)
        else:
            self.workspace.message_shortcut(who, self.where, self.root if on == "it" else self.seen["ts"], shortcut)

    def again(self) -> None:
        presses = [one.payload["actions"] for one in self.workspace.deliveries if one.payload.get("actions")]
        self.workspace.redeliver_press(str(presses[-1][0]["action_ts"]))

    def fault(self, method: str, fault: str) -> None:
        self.workspace.faults.next(method, fault)

    # what is seen

    def answers(self, how: str, words: str) -> None:
        wanted = words.split(" … ")

        def fits(message: Json) -> bool:
            shown = message["text"] + (said(message) if message.get("blocks") else "")
            return all(one in shown for one in wanted)

        if how == "here":
            self.seen = message_now(self.workspace, self.pressed, fits, self.who)
            return
        found: Callable[[Json], bool] = {
            "thread": lambda m: m.get("thread_ts") == self.root and not m.get("ephemeral"),
            "channel": lambda m: "thread_ts" not in m and m["channel"][0] == "C" and not m.get("ephemeral"),
            "direct": lambda m: "thread_ts" not in m and m["channel"][0] == "D",
            "alone": lambda m: bool(m.get("ephemeral")),
        }[how]
        self.seen = self.workspace.wait_for(
            lambda m: m.get("user") == BOT_USER_ID and m["ts"] > self.since and found(m) and fits(m), timeout=SECONDS
        )
        self.since = self.seen["ts"]

    def shows(self, depth: str | None, words: str) -> None:
        first, *others = words.split(" … ")
        self.seen = modal(self.workspace, self.who, first, int(depth or 1))
        assert all(one in said(self.seen) for one in others)

    def offers(self, labels: str) -> None:
        assert "; ".join(buttons(self.seen)) == labels

    def lacks(self, words: str) -> None:
        assert words not in said(self.seen)

    def stays(self) -> None:
        assert message_now(self.workspace, self.pressed, lambda _: True, self.who)["blocks"] == self.pressed["blocks"]

    def holds(self, number: str, where: str, words: str) -> None:
        thread = self.root if where == "thread" else None
        there = answers(self.workspace, self.where if thread else where[1:], thread)
        assert len([one for one in there if words in one["text"]]) == int(number)

    def is_gone(self) -> None:
        self.workspace.wait_until(lambda: not whispers(self.workspace, self.where, self.who), SECONDS)


LINES: list[tuple[str, Callable[..., None]]] = [
    (r"bot (thread|channel|direct|alone|here): (.*)", Play.answers),
    (r"modal(?: (\d))?: (.*)", Play.shows),
    (r"buttons: ?(.*)", Play.offers),
    (r"not: (.*)", Play.lacks),
    (r"unchanged", Play.stays),
    (r"again", Play.again),
    (r"holds (\d+) (thread|#\w+): (.*)", Play.holds),
    (r"nothing alone", Play.is_gone),
    (r"fault (\S+) (\S+)", Play.fault),
    (r"(\w+) presses the same: (.+)", Play.presses_again),
    (r"(\w+) presses (.+)", Play.presses),
    (r"(\w+) submits (.+)", Play.submits),
    (r"(\w+) runs (\w+)(?: on (it|that))?", Play.runs),
    (r"(\w+) (#\w+|direct|thread): ?(.*)", Play.says),
]
