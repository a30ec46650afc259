"""Conversations as plays: a line is what somebody does, or what is seen then, once it is.

guest #general: @Almanac ada october 2025     somebody says something; `direct` to the bot, `thread` in its thread
bot thread: October 2025 … the store          the bot's next message: `thread`, `channel`, `direct`, `alone` (for one
                                              person's eyes), `here` (in the place of the one before)
buttons: ← August 2025; Profile               all that can be pressed in what was seen last; `first: …`, what is
                                              offered there first
grace presses Profile                         there; `the same: ` in the message that was pressed last
ada submits when=2025-10 title="A mill"       the modal that they see
ada closes                                    the uppermost modal; `closes all`
grace opens home: 1 change                    their Home tab, which says something then
home: Done … Undo                             what it says, once it does
refused channel: Not there                    what the modal says by a field that was not filled in well
ada runs my_month                             a shortcut; `on it`, on what was said last, `on that`, on the answer
modal 2: Which change? … Fix the store        what the modal of whoever did something last says; two are open
not: raid                                     what was seen last does not say this; `not here: …`, the message that was
                                              pressed last does so no more
unchanged                                     the message that was pressed last looks as it did
again                                         Slack delivers the last press once more
holds 1 #general: October                     how many messages of the bot for everybody there say something
fault chat.postMessage error:not_in_channel   what the next call comes to
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from talking import SECONDS, answers, buttons, direct, message_now, modal, press, press_in_modal, said, whispers

from bot.slack import elements
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
        self.presses_made = 0

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
        self.presses_made += 1
        if self.seen.get("type") == "home":
            one = buttons(self.seen)[label]
            self.workspace.press_home(who, one["action_id"], one.get("value"))
            return
        if "ts" not in self.seen:
            press_in_modal(self.workspace, who, label)
            return
        self.pressed, self.since = self.seen, self.seen["ts"]
        press(self.workspace, who, self.seen, label)

    def presses_again(self, who: str, label: str) -> None:
        self.seen = self.pressed
        self.presses(who, label)

    def submits(self, who: str, filled: str) -> None:
        self.who = who
        self.workspace.submit(who, dict(one.split("=", 1) for one in shlex.split(filled)))

    def closes(self, who: str, every: str) -> None:
        self.who = who
        self.workspace.close_modal(who, every=bool(every))

    def opens_home(self, who: str, words: str) -> None:
        """Once more where the bot has not noticed yet what was indexed just now."""
        self.who = who
        for _ in range(20):
            self.workspace.open_home(who)
            with suppress(TimeoutError):
                return self.home(words, SECONDS / 20)
        raise AssertionError(said(self.workspace.home_views[self.user]))

    def runs(self, who: str, shortcut: str, on: str | None) -> None:
        self.who, self.since = who, self.workspace.workspace.next_ts()
        if on is None:
            self.workspace.shortcut(who, shortcut)
        else:
            self.workspace.message_shortcut(who, self.where, self.root if on == "it" else self.seen["ts"], shortcut)

    def again(self) -> None:
        """Its answer may be seen before it is noted that the press was taken."""

        def noted() -> list[Json]:
            presses = [one.payload["actions"][0] for one in self.workspace.deliveries if one.payload.get("actions")]
            return presses if len(presses) >= self.presses_made else []

        self.workspace.redeliver_press(str(self.workspace.wait_until(noted, SECONDS)[-1]["action_ts"]))
        self.presses_made += 1

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

    def home(self, words: str, seconds: float = SECONDS) -> None:
        def shown() -> Json | None:
            view = self.workspace.home_views.get(self.user)
            text = said(view) if view else elements.LOADING
            return view if elements.LOADING not in text and all(one in text for one in words.split(" … ")) else None

        self.seen = self.workspace.wait_until(shown, timeout=seconds)

    @property
    def user(self) -> str:
        user = self.workspace.workspace.user(self.who)
        assert user is not None
        return user.id

    def refused(self, field: str, words: str) -> None:
        errors = self.workspace.workspace.modals.errors
        self.workspace.wait_until(lambda: words in errors.get(self.user, {}).get(field, ""), SECONDS)

    def offers(self, labels: str) -> None:
        assert "; ".join(buttons(self.seen)) == labels

    def offers_first(self, labels: str) -> None:
        assert "; ".join(label for label, one in buttons(self.seen).items() if one.get("style") == "primary") == labels

    def lacks(self, words: str) -> None:
        assert words not in said(self.seen)

    def lacks_here(self, words: str) -> None:
        self.seen = message_now(self.workspace, self.pressed, lambda m: words not in m["text"], self.who)

    def stays(self) -> None:
        assert message_now(self.workspace, self.pressed, lambda _: True, self.who)["blocks"] == self.pressed["blocks"]

    def holds(self, number: str, where: str, words: str) -> None:
        thread = self.root if where == "thread" else None
        there = answers(self.workspace, self.where if thread else where[1:], thread)
        assert len([one for one in there if words in one["text"]]) == int(number)

    def is_gone(self) -> None:
        self.workspace.wait_until(lambda: not whispers(self.workspace, self.where, self.who), SECONDS)


LINES: list[tuple[str, Callable[..., None]]] = [
    (r"bot (thread|channel|direct|alone|here): ?(.*)", Play.answers),
    (r"modal(?: (\d))?: (.*)", Play.shows),
    (r"buttons: ?(.*)", Play.offers),
    (r"first: ?(.*)", Play.offers_first),
    (r"not: (.*)", Play.lacks),
    (r"not here: (.*)", Play.lacks_here),
    (r"unchanged", Play.stays),
    (r"again", Play.again),
    (r"holds (\d+) (thread|#\w+): (.*)", Play.holds),
    (r"nothing alone", Play.is_gone),
    (r"fault (\S+) (\S+)", Play.fault),
    (r"(\w+) presses the same: (.+)", Play.presses_again),
    (r"(\w+) presses (.+)", Play.presses),
    (r"(\w+) submits ?(.*)", Play.submits),
    (r"(\w+) closes( all)?", Play.closes),
    (r"(\w+) opens home: (.*)", Play.opens_home),
    (r"home: (.*)", Play.home),
    (r"refused (\w+): (.*)", Play.refused),
    (r"(\w+) runs (\w+)(?: on (it|that))?", Play.runs),
    (r"(\w+) (#\w+|direct|thread): ?(.*)", Play.says),
]
