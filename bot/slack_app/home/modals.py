"""The modals that open from Home: all addresses, one to add, and what adding it will do. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bot.ask.people.proposal import Proposal
from bot.slack.buttons import compact, context
from bot.slack.modals import View, modal
from bot.slack.payload_checks import reads
from bot.slack_app.home.blocks import plain, words
from bot.slack_app.home.content import Address
from bot.slack_app.home.texts import ADD, CONFIRM
from bot.slack_app.home.view import address_row

MOST_ADDRESSES = 90
LONGEST_TYPED = 400
LONGEST_METADATA = 3_000
TITLE = "Add an address"
ADDRESS = "address"  # the block id of what is typed
LABEL = "An address that your commits are signed with, or a login"
HINT = "As it stands in git, such as jdoe@example.com; a login as trailers name you, such as jdoe."
TOO_LONG = "That is too long to be linked here: use almanac people link."
REST = "{count} more: ask /almanac link and an address whose it is."


def where(view: Mapping[str, Any]) -> Mapping[str, str]:
    """Where a Home tab was opened, or the one that a modal was opened from: `channel`, and of a modal `hash`."""
    try:
        kept = json.loads(view.get("private_metadata") or "{}")
    except ValueError:
        kept = {}
    kept = kept if isinstance(kept, dict) else {}
    return {name: str(kept.get(name) or "") for name in ("channel", "hash")}


def opened_from(home: Mapping[str, Any]) -> dict[str, str]:
    """What a modal keeps of the Home tab it is opened from, so that the tab can be published anew."""
    return {"channel": where(home)["channel"], "hash": str(home.get("hash") or "")}


def adding(home: Mapping[str, Any]) -> View:
    """Which address is to be added."""
    field = {
        "type": "input",
        "block_id": ADDRESS,
        "label": plain(LABEL),
        "hint": plain(HINT),
        "element": {"type": "plain_text_input", "action_id": ADDRESS, "min_length": 1, "max_length": LONGEST_TYPED},
    }
    return modal(TITLE, [field], callback_id=ADD, submit=plain("Next"), private_metadata=compact(opened_from(home)))


@reads
def typed(view: Mapping[str, Any]) -> str:
    """What was typed into the modal."""
    return str(view["state"]["values"][ADDRESS][ADDRESS].get("value") or "").strip()


def confirming(proposal: Proposal, view: Mapping[str, Any]) -> View:
    """What would be done, to be confirmed. `view` is the modal before it."""
    kept = compact({**where(view), "proposal": proposal.document()})
    if len(kept) > LONGEST_METADATA:
        return modal(TITLE, [words(TOO_LONG)])
    shown = [words(proposal.sentence)]
    return modal(TITLE, shown, callback_id=CONFIRM, submit=plain("Confirm"), private_metadata=kept)


def proposal_in(view: Mapping[str, Any]) -> Proposal:
    """What a modal that was confirmed proposed. Raises AlmanacError for one that holds nothing."""
    try:
        document = json.loads(view.get("private_metadata") or "{}").get("proposal")
    except (ValueError, AttributeError):
        document = None
    return Proposal.of(document if isinstance(document, dict) else {})


def addresses(mine: Sequence[Address], kept: Mapping[str, str], said: str = "") -> View:
    """All addresses of somebody, as many as fit. `kept` is what the modal keeps of its Home tab."""
    blocks = [words(said)] if said else []
    blocks += [address_row(one, number) for number, one in enumerate(mine[:MOST_ADDRESSES])]
    if not mine:
        blocks.append(words("There are none."))
    if len(mine) > MOST_ADDRESSES:
        blocks.append(context(REST.format(count=f"{len(mine) - MOST_ADDRESSES:,}")))
    return modal("Your addresses", blocks, private_metadata=compact(dict(kept)))
