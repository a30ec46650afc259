"""The modals that open from Home: an address to add, and what adding it will do. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.ask.people.proposal import Proposal
from bot.slack.elements import View, compact, form, input_block, kept_in, modal, text_input, typed_in, words
from bot.slack_app.home import texts

LONGEST_TYPED = 400
LONGEST_METADATA = 3_000
TITLE = "Add an address"
ADDRESS = "address"  # the block id of what is typed
LABEL = "An address that your commits are signed with, or a login"
HINT = "As it stands in git, such as jdoe@example.com; a login as trailers name you, such as jdoe."
TOO_LONG = "That is too long to be linked here: use almanac people link."


def where(view: Mapping[str, Any]) -> Mapping[str, str]:
    """Where a Home tab was opened, or the one that a modal was opened from: `channel`, and of a modal `hash`."""
    kept = kept_in(view)
    return {name: str(kept.get(name) or "") for name in ("channel", "hash")}


def opened_from(home: Mapping[str, Any]) -> dict[str, str]:
    """What a modal keeps of the Home tab it is opened from, so that the tab can be published anew."""
    return {"channel": where(home)["channel"], "hash": str(home.get("hash") or "")}


def adding(home: Mapping[str, Any]) -> View:
    """Which address is to be added."""
    field = input_block(ADDRESS, LABEL, text_input(LONGEST_TYPED), HINT)
    return form(TITLE, [field], texts.ADD, "Next", compact(opened_from(home)))


def typed(view: Mapping[str, Any]) -> str:
    """What was typed into the modal."""
    return typed_in(view, ADDRESS).strip()


def confirming(proposal: Proposal, view: Mapping[str, Any]) -> View:
    """What would be done, to be confirmed. `view` is the modal before it."""
    kept = compact({**where(view), "proposal": proposal.document()})
    if len(kept) > LONGEST_METADATA:
        return modal(TITLE, [words(TOO_LONG)])
    return form(TITLE, [words(proposal.sentence)], texts.CONFIRM, "Confirm", kept)


def proposal_in(view: Mapping[str, Any]) -> Proposal:
    """What a modal that was confirmed proposed. Raises AlmanacError for one that holds nothing."""
    document = kept_in(view).get("proposal")
    return Proposal.of(document if isinstance(document, dict) else {})
