"""What modals and Home are made of: plain words, inputs, menus and what asks whether somebody is sure. Pure.

Text that people wrote stands in plain text, in which Slack parses nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bot.month.calendar import NAMES
from bot.slack.blocks import Block
from bot.slack.limits import MAX_VIEW_TITLE
from bot.slack.limits.blocks import MAX_OPTION_TEXT, MAX_OPTION_VALUE, MAX_OPTIONS, MAX_SECTION_TEXT
from bot.slack.packing import plain
from bot.slack.payload_checks import reads
from bot.story.wording import clean, shortened

View = dict[str, Any]

LOADING = "One moment…"
LONGEST_LINE = 300
LONGEST_CONFIRMED = 300
MOST_GROUPS = 40  # of options in one menu


def words(text: str) -> Block:
    """A section of plain text, never empty."""
    return {"type": "section", "text": plain(shortened(text, MAX_SECTION_TEXT) or "Nothing.")}


def line(text: str) -> str:
    """A text in one line, never empty."""
    return shortened(clean(text), LONGEST_LINE) or "(nothing)"


def slack_date(at: datetime) -> str:
    """An instant as Slack writes it, in the zone of whoever reads it; where it cannot, in UTC."""
    utc = at.astimezone(UTC)
    fallback = f"{utc.day} {NAMES[utc.month - 1]} {utc.year}, {utc:%H:%M} UTC"
    return f"<!date^{int(at.timestamp())}^{{date_pretty}} at {{time}}|{fallback}>"


def confirmation(title: str, text: str, yes: str) -> Block:
    """What asks whether somebody is sure who pressed a button."""
    return {
        "title": plain(title),
        "text": plain(shortened(clean(text), LONGEST_CONFIRMED) or title),
        "confirm": plain(yes),
        "deny": plain("Cancel"),
    }


# modals


def modal(title: str, blocks: Iterable[Block], **more: Any) -> View:
    """A modal that is read and closed."""
    return {
        "type": "modal",
        "title": plain(shortened(clean(title), MAX_VIEW_TITLE) or "Almanac"),
        "close": plain("Close"),
        "blocks": list(blocks),
        **more,
    }


def form(title: str, blocks: Iterable[Block], callback_id: str, submit: str, metadata: str) -> View:
    """A modal that is filled in and submitted."""
    return modal(title, blocks, callback_id=callback_id, submit=plain(submit), private_metadata=metadata)


def loading(title: str) -> View:
    """What stands there until the answer is known: a modal must be opened within three seconds."""
    return modal(title, [words(LOADING)])


def said(title: str, text: str) -> View:
    """A modal with words of ours or from git, in which nothing is parsed."""
    return modal(title, [words(text)])


# inputs; each element has the name of its block


def input_block(name: str, label: str, element: Block, hint: str = "", *, optional: bool = False) -> Block:
    more = {**({"hint": plain(hint)} if hint else {}), **({"optional": True} if optional else {})}
    element = {**element, "action_id": name}
    return {"type": "input", "block_id": name, "label": plain(label), "element": element, **more}


def text_input(most: int, least: int = 1, value: str = "", *, multiline: bool = False) -> Block:
    more = {
        **({"min_length": least} if least else {}),
        **({"multiline": True} if multiline else {}),
        **({"initial_value": value} if value else {}),
    }
    return {"type": "plain_text_input", "max_length": most, **more}


def channel_menu(**more: Any) -> Block:
    """The channels that whoever fills it in can choose from."""
    only = {"include": ["public", "private"], "exclude_bot_users": True}
    return {"type": "conversations_select", "filter": only, **more}


def option(value: str, text: str) -> Block:
    return {"text": plain(shortened(clean(text), MAX_OPTION_TEXT) or "?"), "value": value[:MAX_OPTION_VALUE]}


def options(words: Mapping[str, str]) -> list[Block]:
    """Options by value."""
    return [option(value, text) for value, text in words.items()]


def menu(every: Sequence[Block] | Mapping[str, Sequence[Block]], chosen: str = "", placeholder: str = "") -> Block:
    """A menu of options, or of groups of them by label; `chosen` is the value that it begins with."""
    groups = every if isinstance(every, Mapping) else {"": every}
    first = next((one for group in groups.values() for one in group if one["value"] == chosen), None)
    return {
        "type": "static_select",
        **({"options": list(every)[:MAX_OPTIONS]} if not isinstance(every, Mapping) else option_groups(every)),
        **({"initial_option": first} if first else {}),
        **({"placeholder": plain(placeholder)} if placeholder else {}),
    }


def option_groups(groups: Mapping[str, Sequence[Block]]) -> dict[str, list[Block]]:
    """Groups of options, each as long as Slack takes it."""
    found = [
        {
            "label": plain(f"{label}, from {at + 1:,} on" if at else label),
            "options": list(group[at : at + MAX_OPTIONS]),
        }
        for label, group in groups.items()
        for at in range(0, len(group), MAX_OPTIONS)
    ]
    return {"option_groups": found[:MOST_GROUPS]}


def radio(words: Mapping[str, str], chosen: str = "") -> Block:
    every = options(words)
    first = next((one for one in every if one["value"] == chosen), None)
    return {"type": "radio_buttons", "options": every, **({"initial_option": first} if first else {})}


# what was filled in, and what is kept


def kept_in(view: Mapping[str, Any]) -> dict[str, Any]:
    """What a modal or a Home tab keeps of where it was opened and of what it shows; nothing where it cannot be read."""
    try:
        kept = json.loads(view.get("private_metadata") or "{}")
    except (ValueError, TypeError):
        return {}
    return kept if isinstance(kept, dict) else {}


@reads
def typed_in(view: Mapping[str, Any], name: str) -> str:
    """What was typed into an input; empty for none."""
    return str(view["state"]["values"][name][name].get("value") or "")


@reads
def chosen_in(view: Mapping[str, Any], name: str) -> str:
    """The value of the option that was chosen."""
    return str(view["state"]["values"][name][name]["selected_option"]["value"])
