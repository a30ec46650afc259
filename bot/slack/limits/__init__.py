"""What Slack takes: Block Kit's rules for whole messages and views, and a validator that names what is wrong.

`faults` and `view_faults` never raise, whatever JSON they are given; an empty list means Slack would take it.
The rules of single blocks are tables in blocks.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.slack.limits.blocks import IN_HOME, IN_MESSAGE, IN_MODAL, MAX_ID, plain
from bot.slack.limits.blocks import MAX_MARKDOWN as MAX_MARKDOWN
from bot.slack.limits.measures import ALSO, all_blocks, id_faults, kind_of, kinds_in, nodes
from bot.slack.limits.measures import block_text_length as block_text_length
from bot.slack.limits.measures import blocks_json_size as blocks_json_size
from bot.slack.limits.rules import BlockFault as BlockFault
from bot.slack.limits.rules import BlockRule, Bool, Items, Obj, Str, TypedObject, escaped, invalid

MAX_BLOCKS = 50  # docs.slack.dev/reference/block-kit/blocks
MAX_VIEW_BLOCKS = 100
# Slack's cap on the text of all blocks of a message is not documented; msg_blocks_too_long was met between
# 9,597 characters / 15,561 bytes, which passed, and 11,341 / 17,694 (slackapi/bolt-js issues 2509 and 2867).
MAX_BLOCKS_TEXT = 9_000
MAX_BLOCKS_JSON = 15_000
# Slack splits a text of more than 4,040 characters in several messages (slackapi/bolt-python issue 764) and
# recommends 4,000; MAX_TEXT is what we aim for.
MAX_TEXT = 3_900
MAX_TEXT_ACCEPTED = 4_000
MAX_METADATA_JSON = 4_000  # the true limit behind metadata_too_large is not documented
MAX_CHARTS = 2
MAX_SUGGESTED_PROMPTS = 4
MAX_VIEW_JSON = 250_000  # view_too_large; the number is not documented, and reported by those who met it
MAX_VIEW_TITLE = 24  # also submit and close
MAX_PRIVATE_METADATA = 3_000


def faults(message: Mapping[str, object]) -> list[BlockFault]:
    """What Slack would refuse in a message for chat.postMessage, chat.update or a response_url, the gravest
    first. `no_text` and `msg_too_long` at 4,000 are stricter than Slack: beside its blocks a message
    carries its whole sense as plain text, because screen readers and notifications read only that."""
    if not isinstance(message, Mapping):
        return [BlockFault("invalid_arguments", "", "must provide an object")]
    found: list[BlockFault] = []
    blocks = message.get("blocks")
    if isinstance(blocks, list | tuple):
        found += message_blocks_faults(blocks)
    elif blocks is not None:
        found.append(BlockFault("invalid_blocks_format", "/blocks", "must provide an array"))
    return [*found, *text_faults(message.get("text")), *metadata_faults(message)]


def view_faults(view: Mapping[str, object]) -> list[BlockFault]:
    """What Slack would refuse in a view for views.open, views.update or views.publish."""
    if not isinstance(view, Mapping):
        return [BlockFault("invalid_arguments", "", "must provide an object")]
    found = list(VIEWS.check(view, ""))
    blocks = view.get("blocks")
    if not isinstance(blocks, list | tuple):
        return found
    found += id_faults(blocks)
    if view.get("type") == "modal" and "submit" not in view and "input" in kinds_in(blocks):
        found.append(invalid("", "missing required field: submit, because there is an input block"))
    if sum(1 for node in nodes(blocks) if node.get("focus_on_load") is True) > 1:
        found.append(invalid("/blocks", "no more than 1 focus_on_load allowed"))
    for pointer, block in all_blocks(blocks):
        if check := ALSO.get(kind_of(block)):
            found += check(block, pointer)
    return [*found, *view_size_faults(view)]


def view_size_faults(view: Mapping[str, object]) -> Iterator[BlockFault]:
    try:
        size = blocks_json_size(view)
    except ValueError as error:
        yield BlockFault("invalid_arguments", "", str(error))
    else:
        if size > MAX_VIEW_JSON:
            yield BlockFault("view_too_large", "", f"{size} bytes of JSON, {MAX_VIEW_JSON} allowed")


VIEW_FIELDS: dict[str, BlockRule] = {
    "private_metadata": Str(MAX_PRIVATE_METADATA, least=0),
    "callback_id": Str(MAX_ID, least=0),
    "external_id": Str(MAX_ID, least=0),
}
VIEWS = TypedObject(
    {
        "home": Obj({**VIEW_FIELDS, "blocks!": Items(IN_HOME, MAX_VIEW_BLOCKS)}),
        "modal": Obj(
            {
                **VIEW_FIELDS,
                "blocks!": Items(IN_MODAL, MAX_VIEW_BLOCKS),
                "title!": plain(MAX_VIEW_TITLE),
                "submit": plain(MAX_VIEW_TITLE),
                "close": plain(MAX_VIEW_TITLE),
                "clear_on_close": Bool(),
                "notify_on_close": Bool(),
                "submit_disabled": Bool(),
            }
        ),
    }
)


# the rules of a whole message


def message_blocks_faults(blocks: Sequence[object]) -> Iterator[BlockFault]:
    if len(blocks) > MAX_BLOCKS:
        yield BlockFault("msg_blocks_too_many", "/blocks", f"no more than {MAX_BLOCKS} items allowed")
    yield from Items(IN_MESSAGE, least=0).check(blocks, "/blocks")
    yield from id_faults(blocks)
    kinds = kinds_in(blocks)
    if kinds.count("table") > 1:
        yield BlockFault("invalid_attachments", "/blocks", "only_one_table_allowed")
    if kinds.count("data_visualization") > MAX_CHARTS:
        yield invalid("/blocks", f"no more than {MAX_CHARTS} data_visualization blocks allowed")
    for pointer, block in all_blocks(blocks):
        if check := ALSO.get(kind_of(block)):
            yield from check(block, pointer)
    texts = [block.get("text") for _, block in all_blocks(blocks) if kind_of(block) == "markdown"]
    if sum(len(text) for text in texts if isinstance(text, str)) > MAX_MARKDOWN:
        yield invalid("/blocks", f"no more than {MAX_MARKDOWN} characters in all markdown blocks allowed")
    length = block_text_length(blocks)
    if length > MAX_BLOCKS_TEXT:
        yield BlockFault("msg_blocks_too_long", "/blocks", f"{length} characters of text, {MAX_BLOCKS_TEXT} allowed")
    try:
        size = blocks_json_size(blocks)
    except ValueError as error:
        yield BlockFault("invalid_blocks_format", "/blocks", str(error))
    else:
        if size > MAX_BLOCKS_JSON:
            yield BlockFault("msg_blocks_too_long", "/blocks", f"{size} bytes of JSON, {MAX_BLOCKS_JSON} allowed")


def text_faults(text: object) -> Iterator[BlockFault]:
    if text is None or text == "" or (isinstance(text, str) and not text.strip()):
        yield BlockFault("no_text", "/text", "a message needs its whole sense as plain text")
    elif not isinstance(text, str):
        yield BlockFault("invalid_arguments", "/text", "must provide a string")
    elif len(text) > MAX_TEXT_ACCEPTED:
        yield BlockFault("msg_too_long", "/text", f"must be less than {MAX_TEXT_ACCEPTED + 1} characters")


def metadata_faults(message: Mapping[str, object]) -> Iterator[BlockFault]:
    """What is wrong with the metadata of a message."""
    metadata = message.get("metadata")
    if metadata is None:
        return
    payload = metadata.get("event_payload") if isinstance(metadata, Mapping) else None
    if not isinstance(metadata, Mapping) or not isinstance(payload, Mapping):
        yield BlockFault("invalid_metadata_format", "/metadata", "must provide event_type and event_payload")
        return
    if not isinstance(metadata.get("event_type"), str) or not metadata["event_type"]:
        yield BlockFault("invalid_metadata_format", "/metadata/event_type", "must provide a string")
    for key, value in payload.items():
        if not (is_flat(value) or (isinstance(value, list | tuple) and all(map(is_flat_object, value)))):
            pointer = f"/metadata/event_payload/{escaped(str(key))}"
            yield BlockFault(
                "invalid_metadata_schema",
                pointer,
                "must be a scalar, a flat object or a list of flat objects",
            )
    try:
        size = blocks_json_size(metadata)
    except ValueError:
        yield BlockFault("invalid_metadata_format", "/metadata", "is no JSON")
    else:
        if size > MAX_METADATA_JSON:
            yield BlockFault("metadata_too_large", "/metadata", f"{size} bytes of JSON, {MAX_METADATA_JSON} allowed")


def is_flat(value: object) -> bool:
    return isinstance(value, str | int | float | bool) or is_flat_object(value)


def is_flat_object(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(leaf, str | int | float) for leaf in value.values())
