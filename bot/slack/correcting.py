"""“Not right?”: the two modals in which somebody says what is wrong with a change, and how it should be. Pure.

The first asks which change and what is wrong with it, the second how it should be, and confirms it. What is needed to
carry it out travels with the modals; who may do it is looked at again when it is done.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from bot.ask.correcting import Correctable
from bot.errors import AlmanacError
from bot.model import CorrectedField, Correction, Kind
from bot.month.calendar import parse_any_period
from bot.month.corrections import LONGEST_TITLE, YES, checked
from bot.slack.blocks import Block
from bot.slack.buttons import actions, button, compact
from bot.slack.forms import (
    View,
    chosen_in,
    form,
    input_block,
    kept_in,
    menu,
    modal,
    option,
    options,
    radio,
    text_input,
    words,
)  # fmt: skip
from bot.slack.limits.blocks import MAX_OPTION_TEXT, MAX_OPTIONS
from bot.slack.payload_checks import reads
from bot.story.corrected import what_was_said
from bot.story.documents import MonthDocument
from bot.story.wording import KIND_NAMES, KINDS, capital, clean, shortened

TITLE = "Not right?"
WHAT, HOW = "correct_what", "correct_how"  # callback ids
UNDO = "correct_undo"  # a press, as the beginning of an action_id
MOST_CHANGES = 800  # in one menu: each takes some 250 bytes of 250,000
WRONG: dict[str, str] = {  # by CorrectedField
    "kind": "It is of another kind",
    "title": "It should be called something else",
    "hidden": "It should not be shown",
}
MOST_UNDOABLE = 20  # of a month
UNDOABLE = "What was corrected by hand, newest first:"
WISHED = "left out at the wish of"  # as a month says of what is hidden
NOT_THERE = "There is nothing to undo any more."
NOTHING_TO_CORRECT = "There is no change in this month that could be corrected."
ASK_AGAIN = "Ask again to see the month updated."
NOT_ALLOWED = "Only {name} and admins can correct what is shown of {name}."


@dataclass(frozen=True, slots=True)
class Origin:
    """The message that a correction began at: it is updated afterwards. `question` is as buttons hold it, `url` is
    where an ephemeral message is replaced, and `begins` how the message begins, by which it is known again."""

    question: str
    channel: str
    ts: str
    ephemeral: bool
    url: str = ""
    begins: str = ""


def _origin(held: Mapping[str, Any]) -> Origin:
    texts = {name: str(held[name] or "") for name in ("question", "channel", "ts", "url", "begins")}
    return Origin(**texts, ephemeral=bool(held["ephemeral"]))


def which_change(origin: Origin, document: MonthDocument, corrected: Sequence[Correctable] = ()) -> View:
    """Which change of a month, and what is wrong with it; and what was corrected in it already, hidden or shown, each
    with a button that undoes it."""
    whose = words(f"{document.person.name}, {parse_any_period(document.month).title}")
    undoable, kept = _undoable(corrected), compact(asdict(origin))
    if not document.changes:
        return modal(TITLE, [whose, *(undoable or [words(NOTHING_TO_CORRECT)])], private_metadata=kept)
    wrong = input_block("wrong", "What is wrong?", radio(WRONG))
    return form(TITLE, [whose, change_menu(document), wrong, *undoable], WHAT, "Next", kept)


def _undoable(corrected: Iterable[Correctable]) -> list[Block]:
    """What was said of changes and counts, newest first, each with a button that undoes it."""
    said = sorted(((one, each) for one in corrected for each in one.standing), key=lambda pair: -pair[1].number)
    rows = []
    for number, (one, each) in enumerate(said[:MOST_UNDOABLE]):
        lead = one.change.lead
        subject = shortened(clean(lead.subject), MAX_OPTION_TEXT)
        line = f"{lead.sha[:9]} {subject}: it {what_was_said(each)} ({clean(each.by)}, {each.at:%Y-%m-%d})."
        undo = undo_button(lead.sha, each, number)
        rows.append({**words(line), **({"accessory": undo} if undo else {})})
    return [words(UNDOABLE), *rows] if rows else []


def undo_button(sha: str, one: Correction, number: int = 0) -> Block | None:
    """The button that undoes what was said of the change that a commit belongs to."""
    return button("Undo", f"{UNDO}.{number}", compact({"sha": sha, "field": one.field, "number": one.number}))


def undo_row(sha: str, one: Correction) -> tuple[Block, ...]:
    return actions([undo_button(sha, one)])


@dataclass(frozen=True, slots=True)
class Undoing:
    """What somebody wants undone: what was said under a number of a field of the change that a commit belongs to."""

    origin: Origin
    sha: str
    field: CorrectedField
    number: int


@reads
def undoing(view: Mapping[str, Any], value: str) -> Undoing:
    """What the button of a modal wants undone."""
    held = json.loads(value)
    return Undoing(_origin(kept_in(view)), str(held["sha"]), held["field"], int(held["number"]))


def undone(sha: str, one: Correction) -> str:
    """What is said when something is undone."""
    return f"Undone: {sha[:9]} {what_was_said(one)}."


def change_menu(document: MonthDocument) -> Block:
    """Which change of a month, by the first of its commits."""
    changes = [
        option(change.commits[0].sha, change.subject or "(no subject)") for change in document.changes[:MOST_CHANGES]
    ]
    some = [changes[at : at + MAX_OPTIONS] for at in range(0, len(changes), MAX_OPTIONS)]
    numbered = {f"{at * MAX_OPTIONS + 1} to {at * MAX_OPTIONS + len(each)}": each for at, each in enumerate(some)}
    only = changes[0]["value"] if len(changes) == 1 else ""
    every = menu(numbered if len(some) > 1 else changes, only, "Choose a change")
    return input_block("change", "Which change?", every)


@reads
def how_it_should_be(view: Mapping[str, Any]) -> View:
    """The second modal, from the first as it was submitted."""
    chosen = view["state"]["values"]["change"]["change"]["selected_option"]
    field = cast(CorrectedField, chosen_in(view, "wrong"))
    origin = _origin(kept_in(view))
    sha, title = str(chosen["value"]), str(chosen["text"]["text"])
    kinds = options({kind: capital(name) for kind, name in KIND_NAMES.items()})
    asked: dict[CorrectedField, Block] = {
        "kind": input_block("value", "What kind is it?", menu(kinds)),
        "title": input_block("value", "What should it be called?", text_input(LONGEST_TITLE)),
        "hidden": words("It will be left out wherever this month is shown. The month says that something is."),
    }
    submit = "Leave it out" if field == "hidden" else "Correct it"
    kept = compact({"origin": asdict(origin), "sha": sha, "field": field})
    return form(TITLE, [words(f"{sha[:9]} {title}"), asked[field]], HOW, submit, kept)


def beginning(text: str) -> str:
    """How a message begins: its first line, cut short."""
    return text.partition("\n")[0][:100]


@dataclass(frozen=True, slots=True)
class Correcting:
    """What somebody wants corrected: a field of the change that a commit belongs to."""

    origin: Origin
    sha: str
    field: CorrectedField
    value: str


@reads
def wanted(view: Mapping[str, Any]) -> Correcting:
    """What the second modal was submitted with. Raises AlmanacError where the value cannot be."""
    kept = kept_in(view)
    field = cast(CorrectedField, kept["field"])
    state = view["state"]["values"].get("value", {}).get("value", {})
    entered = state.get("value") or (state.get("selected_option") or {}).get("value", "")
    value = YES if field == "hidden" else str(entered)
    try:
        said = checked(field, value)
    except AlmanacError as error:
        raise AlmanacError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
    return Correcting(_origin(kept["origin"]), str(kept["sha"]), field, said)


def done(wanted: Correcting) -> str:
    """What is said when it is done."""
    sha = wanted.sha[:9]
    if wanted.field == "hidden":
        return f"{sha} is left out from now on."
    if wanted.field == "title":
        return f"{sha} is called “{wanted.value}” from now on."
    one = KINDS[cast(Kind, wanted.value)][1]
    return f"{sha} counts as {'an' if one[0] in 'aeiou' else 'a'} {one} from now on."
