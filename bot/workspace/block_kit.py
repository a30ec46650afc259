"""Block Kit's grammar: what Slack would refuse in a message or a view, as a table of the fields of each block.

`faults` and `view_faults` never raise, whatever JSON they are given; an empty list means Slack would take it. A rule
looks at one value and says what is wrong, in Slack's words. The numbers are those of Slack's reference
(docs.slack.dev/reference/block-kit) and of slack_sdk's models; where copies of the docs disagree, the smaller one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bot.slack import elements as slack
from bot.slack.elements import blocks_json_size

MAX_TEXT_ACCEPTED = 4_000
MAX_ID = 255  # block_id, action_id, callback_id


class BlockFault(NamedTuple):
    """One thing Slack would refuse: its error code, a JSON pointer to the place, and what is wrong there."""

    code: str
    pointer: str
    message: str


Rule = Callable[[object, str], Iterator[BlockFault]]
Fields = Mapping[str, Rule]  # a name with "!" is required


def invalid(pointer: str, message: str) -> BlockFault:
    return BlockFault("invalid_blocks", pointer, message)


# rules


def string(most: int | None = None, least: int = 1, *, one_of: Sequence[str] = ()) -> Rule:
    """A string of a length, perhaps one of some."""

    def check(value: object, pointer: str) -> Iterator[BlockFault]:
        if not isinstance(value, str):
            yield invalid(pointer, "must provide a string")
        elif one_of and value not in one_of:
            yield invalid(pointer, f"must be one of: {', '.join(one_of)}")
        elif most is not None and len(value) > most:
            yield invalid(pointer, f"must be less than {most + 1} characters")
        elif len(value) < least:
            yield invalid(pointer, f"must be more than {least - 1} characters")

    return check


def whole(least: int = 0) -> Rule:
    """A whole number of three thousand at most."""

    def check(value: object, pointer: str) -> Iterator[BlockFault]:
        if not isinstance(value, int) or isinstance(value, bool):
            yield invalid(pointer, "must provide an integer")
        elif not least <= value <= 3_000:
            yield invalid(pointer, f"must be no less than {least} and no more than 3000")

    return check


def boolean(value: object, pointer: str) -> Iterator[BlockFault]:
    if not isinstance(value, bool):
        yield invalid(pointer, "must provide a boolean")


def items(of: Rule, most: int | None = None, least: int = 1) -> Rule:
    """A list of so many of something."""

    def check(value: object, pointer: str) -> Iterator[BlockFault]:
        if not isinstance(value, list | tuple):
            yield invalid(pointer, "must provide an array")
            return
        if most is not None and len(value) > most:
            yield invalid(pointer, f"no more than {most} items allowed")
        if len(value) < least:
            yield invalid(pointer, f"no fewer than {least} items allowed")
        for number, item in enumerate(value):
            yield from of(item, f"{pointer}/{number}")

    return check


def fields(known: Fields, *, any_of: Sequence[str] = (), just_one_of: Sequence[str] = ()) -> Rule:
    """An object with these fields and no others; of `any_of` at least one is required, of `just_one_of` exactly one."""

    def check(value: object, pointer: str) -> Iterator[BlockFault]:
        if not isinstance(value, Mapping):
            yield invalid(pointer, "must provide an object")
            return
        for name in known:
            if name.endswith("!") and name[:-1] not in value:
                yield invalid(pointer, f"missing required field: {name[:-1]}")
        if any_of and not any(name in value for name in any_of):
            yield invalid(pointer, f"one of these is required: {', '.join(any_of)}")
        if just_one_of and sum(name in value for name in just_one_of) != 1:
            yield invalid(pointer, f"exactly one of these is required: {', '.join(just_one_of)}")
        for name, inner in value.items():
            rule = (known.get(name) or known.get(f"{name}!")) if isinstance(name, str) else None
            if rule is None:
                yield invalid(pointer, f"invalid additional property: {name}")
            else:
                yield from rule(inner, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}")  # RFC 6901

    return check


def typed(table: Mapping[str, Rule], allowed: Sequence[str] = ()) -> Rule:
    """An object whose "type" says which rule of a table it follows; only the types of `allowed`, if given."""

    def check(value: object, pointer: str) -> Iterator[BlockFault]:
        if not isinstance(value, Mapping):
            yield invalid(pointer, "must provide an object")
        elif not isinstance(kind := value.get("type"), str):
            yield invalid(pointer, "missing required field: type")
        elif kind not in table or (allowed and kind not in allowed):
            yield invalid(f"{pointer}/type", f"unsupported type: {kind}")
        else:
            yield from table[kind]({name: inner for name, inner in value.items() if name != "type"}, pointer)

    return check


# the table: texts, then what is made of them


def texts(most: int) -> dict[str, Rule]:
    plain_text = fields({"text!": string(most), "emoji": boolean})
    return {"plain_text": plain_text, "mrkdwn": fields({"text!": string(most), "verbatim": boolean})}


def plain(most: int) -> Rule:
    return typed(texts(most), ("plain_text",))


def text(most: int) -> Rule:
    return typed(texts(most))


ID, URL, WORD = string(MAX_ID), string(3_000), string()
STYLE = fields(dict.fromkeys(("bold", "italic", "strike", "code", "underline", "highlight"), boolean))
LEAVES = items(
    typed(
        {
            "text": fields({"text!": WORD, "style": STYLE}),
            "link": fields({"url!": URL, "text": WORD, "unsafe": boolean, "style": STYLE}),
        }
    ),
    least=0,  # Slack takes an empty section
)
RICH_SECTION: Mapping[str, Rule] = {"rich_text_section": fields({"elements!": LEAVES})}
RICH_LIST = fields({"elements!": items(typed(RICH_SECTION)), "style!": string(one_of=("bullet",)), "indent": whole()})
PREFORMATTED = fields({"elements!": LEAVES})
RICH_ELEMENTS = {**RICH_SECTION, "rich_text_list": RICH_LIST, "rich_text_preformatted": PREFORMATTED}
RICH_TEXT = fields({"elements!": items(typed(RICH_ELEMENTS)), "block_id": ID})

CONFIRM = fields({"title!": plain(100), "text!": text(300), "confirm!": plain(30), "deny!": plain(30)})
OPTION = fields({"text!": plain(75), "value!": string(150), "description": plain(75)})
OPTIONS = items(OPTION, 100)
OPTION_GROUPS = items(fields({"label!": plain(75), "options!": OPTIONS}), 100)
FILTER = fields(
    {
        "include": items(string(one_of=("im", "mpim", "private", "public"))),
        "exclude_external_shared_channels": boolean,
        "exclude_bot_users": boolean,
    }
)

MENU: Fields = {"action_id": ID, "confirm": CONFIRM, "placeholder": plain(150)}
OPTIONS_OR_GROUPS = ("options", "option_groups")
FROM_OPTIONS: Fields = {**MENU, "options": OPTIONS, "option_groups": OPTION_GROUPS}

ELEMENTS: dict[str, Rule] = {
    "button": fields(
        {
            "action_id": ID,
            "text!": plain(75),
            "value": string(2_000),
            "url": URL,
            "style": string(one_of=("primary", "danger")),
            "confirm": CONFIRM,
            "accessibility_label": string(75),
        }
    ),
    "static_select": fields({**FROM_OPTIONS, "initial_option": OPTION}, just_one_of=OPTIONS_OR_GROUPS),
    "multi_static_select": fields({**FROM_OPTIONS, "initial_options": OPTIONS}, just_one_of=OPTIONS_OR_GROUPS),
    "users_select": fields({**MENU, "initial_user": WORD}),
    "conversations_select": fields(
        {**MENU, "default_to_current_conversation": boolean, "filter": FILTER, "initial_conversation": WORD}
    ),
    "plain_text_input": fields(
        {
            "action_id": ID,
            "placeholder": plain(150),
            "initial_value": string(3_000, least=0),
            "multiline": boolean,
            "min_length": whole(),
            "max_length": whole(1),
        }
    ),
}
PICKERS = [name for name in ELEMENTS if name.endswith("_select")]
PRESSED = typed(ELEMENTS, (*PICKERS, "button"))
IN_INPUT = typed(ELEMENTS, (*PICKERS, "plain_text_input"))
IN_CONTEXT = typed(texts(3_000))


BLOCKS: dict[str, Rule] = {
    "section": fields(
        {
            "block_id": ID,
            "text": text(3_000),
            "fields": items(text(2_000), 10),
            "accessory": PRESSED,
        },
        any_of=("text", "fields"),
    ),
    "header": fields({"block_id": ID, "text!": plain(150)}),
    "context": fields({"block_id": ID, "elements!": items(IN_CONTEXT, 10)}),
    "actions": fields({"block_id": ID, "elements!": items(PRESSED, 25)}),
    "divider": fields({"block_id": ID}),
    "input": fields(
        {"block_id": ID, "label!": plain(2_000), "element!": IN_INPUT, "hint": plain(2_000), "optional": boolean}
    ),
    "rich_text": RICH_TEXT,
}
VIEW: Fields = {
    "private_metadata": string(3_000, least=0),
    "callback_id": string(MAX_ID, least=0),
    "blocks!": items(typed(BLOCKS), slack.MAX_VIEW_BLOCKS),
}
MODAL: Fields = {
    **VIEW,
    "title!": plain(slack.MAX_VIEW_TITLE),
    "submit": plain(slack.MAX_VIEW_TITLE),
    "close": plain(slack.MAX_VIEW_TITLE),
}
VIEWS = typed({"home": fields(VIEW), "modal": fields(MODAL)})


# whole messages and views


def faults(message: Mapping[str, object]) -> list[BlockFault]:
    """What Slack would refuse in a message for chat.postMessage, chat.update or a response_url, the gravest
    first. `no_text` and `msg_too_long` at 4,000 are stricter than Slack: beside its blocks a message
    carries its whole sense as plain text, because screen readers and notifications read only that."""
    if not isinstance(message, Mapping):
        return [BlockFault("invalid_arguments", "", "must provide an object")]
    found: list[BlockFault] = []
    blocks = message.get("blocks")
    if isinstance(blocks, list | tuple):
        found += _in_blocks(blocks)
    elif blocks is not None:
        found.append(BlockFault("invalid_blocks_format", "/blocks", "must provide an array"))
    return [*found, *_in_text(message.get("text")), *_in_metadata(message.get("metadata"))]


def view_faults(view: Mapping[str, object]) -> list[BlockFault]:
    """What Slack would refuse in a view for views.open, views.update or views.publish."""
    if not isinstance(view, Mapping):
        return [BlockFault("invalid_arguments", "", "must provide an object")]
    found = list(VIEWS(view, ""))
    blocks = view.get("blocks")
    if not isinstance(blocks, list | tuple):
        return found
    found += _in_ids(blocks)
    if view.get("type") == "modal" and "submit" not in view and of_type("input", blocks):
        found.append(invalid("", "missing required field: submit, because there is an input block"))
    too_large = ("view_too_large", slack.MAX_VIEW_JSON)
    return [*found, *_in_size(view, "", "invalid_arguments", too_large)]


def of_type(kind: str, blocks: Sequence[object]) -> list[Mapping[str, object]]:
    """The blocks of a type."""
    return [block for block in blocks if isinstance(block, Mapping) and block.get("type") == kind]


def _in_blocks(blocks: Sequence[object]) -> Iterator[BlockFault]:
    if len(blocks) > slack.MAX_BLOCKS:
        yield BlockFault("msg_blocks_too_many", "/blocks", f"no more than {slack.MAX_BLOCKS} items allowed")
    yield from items(typed(BLOCKS), least=0)(blocks, "/blocks")
    yield from _in_ids(blocks)
    yield from _in_size(blocks, "/blocks", "invalid_blocks_format", ("msg_blocks_too_long", slack.MAX_BLOCKS_JSON))


def _in_size(value: object, pointer: str, no_json: str, too_large: tuple[str, int]) -> Iterator[BlockFault]:
    code, most = too_large
    try:
        size = blocks_json_size(value)
    except (TypeError, ValueError, RecursionError):
        yield BlockFault(no_json, pointer, "the blocks are no JSON")
    else:
        if size > most:
            yield BlockFault(code, pointer, f"{size} bytes of JSON, {most} allowed")


def _in_ids(blocks: Sequence[object]) -> Iterator[BlockFault]:
    """Every block_id is unique in the message or view, every action_id in its block."""
    block_ids: set[str] = set()
    for number, block in enumerate(blocks):
        if not isinstance(block, Mapping):
            continue
        if isinstance(block_id := block.get("block_id"), str):
            if block_id in block_ids:
                yield invalid(f"/blocks/{number}/block_id", f"block_id already exists: {block_id}")
            block_ids.add(block_id)
        among = block.get("elements")
        inside = [*(among if isinstance(among, list) else ()), block.get("accessory"), block.get("element")]
        every = (one.get("action_id") for one in inside if isinstance(one, Mapping))
        action_ids = [one for one in every if isinstance(one, str)]
        for twice in sorted({one for one in action_ids if action_ids.count(one) > 1}):
            yield invalid(f"/blocks/{number}", f"action_id already exists in this block: {twice}")


def _in_text(said: object) -> Iterator[BlockFault]:
    if said is None or (isinstance(said, str) and not said.strip()):
        yield BlockFault("no_text", "/text", "a message needs its whole sense as plain text")
    elif not isinstance(said, str):
        yield BlockFault("invalid_arguments", "/text", "must provide a string")
    elif len(said) > MAX_TEXT_ACCEPTED:
        yield BlockFault("msg_too_long", "/text", f"must be less than {MAX_TEXT_ACCEPTED + 1} characters")


def _in_metadata(metadata: object) -> Iterator[BlockFault]:
    kind, payload = (
        (metadata.get("event_type"), metadata.get("event_payload")) if isinstance(metadata, Mapping) else ("", None)
    )
    if metadata is not None and not (kind and isinstance(kind, str) and isinstance(payload, Mapping)):
        yield BlockFault("invalid_metadata_format", "/metadata", "must provide event_type and event_payload")
