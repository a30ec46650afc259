"""What can be pressed below an answer. Pure.

A button that asks holds a whole question as JSON; whoever presses it is answered as if they had typed it, with what
they may read where it is pressed. A button holds no more than Slack takes, or it is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from bot.ask.question import Choice, Question
from bot.ask.question_document import question_document, question_of
from bot.month.calendar import AnyPeriod, Days, Month
from bot.slack.blocks import Block, Message
from bot.slack.limits.blocks import MAX_BUTTON_TEXT, MAX_BUTTON_VALUE
from bot.slack.packing import STEERING, fits, plain
from bot.slack.payload_checks import reads
from bot.story.wording import clean, count, shortened

# What a press means, as the beginning of an action_id; a number may follow, since each must be unique.
ASK = "ask"  # answers beside the message, which stays as it is
CHOICE = "choice"  # answers once: the choices go
CHANGES = "changes"
CORRECT = "correct"
SHARE = "share"
SHARE_TO = "share_to"
FEEDBACK = "feedback"
LINK = "link"

MOST_CHOICES = 5
NONE_OF_THESE = "None of these? Ask again with a full name, an address or a month such as 2025-10."
OTHER_MONTHS = "Or ask for any other month."
CHOICES_BLOCK = "choices"


@dataclass(frozen=True, slots=True)
class Surface:
    """Where an answer will be read, which decides what is offered below it.

    `share` is how it can be shown to others: here, in the channel that is asked in, or in one to be chosen.
    """

    share: Literal["here", "to"] | None = None
    can_correct: bool = True


CHANNEL = Surface()


@dataclass(frozen=True, slots=True)
class Around:
    """The active months before and after a month."""

    before: Month | None = None
    after: Month | None = None


def written(question: Question) -> str:
    """A question as the value of a button: JSON without what is empty."""
    document = {**question_document(question), "form": "markdown" if "markdown" in question.form else None}
    return compact({key: value for key, value in document.items() if value})


def compact(value: object) -> str:
    """JSON in as few characters as it takes; what would not be sent is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return STEERING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


@reads
def asked(value: str) -> Question:
    """The question that a button holds."""
    document = json.loads(value)
    question = question_of(document)
    return replace(question, form=("markdown",)) if document.get("form") == "markdown" else question


def button(label: str, action_id: str, value: str, **more: Any) -> Block | None:
    """A button, or None where its value is longer than Slack takes."""
    if len(value) > MAX_BUTTON_VALUE:
        return None
    text = plain(shortened(clean(label), MAX_BUTTON_TEXT) or "?")
    return {"type": "button", "action_id": action_id, "text": text, "value": value, **more}


def actions(buttons: Iterable[Block | None], block_id: str | None = None) -> tuple[Block, ...]:
    """A row of buttons; none where there is none to show."""
    shown = [one for one in buttons if one]
    named = {"block_id": block_id} if block_id else {}
    return ({"type": "actions", **named, "elements": shown},) if shown else ()


def choices(offered: Sequence[Choice], hint: str = NONE_OF_THESE) -> tuple[Block, ...]:
    """What may have been meant, a button each, and what to do where it is none of them."""
    row = actions(
        (
            button(choice.label, f"{CHOICE}.{number}", written(choice.question))
            for number, choice in enumerate(offered[:MOST_CHOICES])
        ),
        CHOICES_BLOCK,
    )
    return (*row, context(hint)) if row else ()


def context(text: str) -> Block:
    """A line of small print, in which nothing is parsed."""
    return {"type": "context", "elements": [plain(text)]}


def of_month(
    question: Question,
    month: AnyPeriod,
    changes: int,
    around: Around = Around(),
    surface: Surface = CHANNEL,
    *,
    is_hidden: bool = False,
) -> tuple[Block, ...]:
    """The buttons of one person's month. The question is the one that was answered by it; `is_hidden` says that some
    of its changes are left out by hand."""
    person = question.people[:1]
    here = replace(question, intent="month", people=person, span=Days.of(month), choices=(), form=())
    profile = Question("profile", people=person, repositories=question.repositories)
    value = written(here)
    every = [
        *(
            button(label.format(other.title), f"{ASK}.{number}", written(replace(here, span=Days.of(other))))
            for number, (label, other) in enumerate((("← {}", around.before), ("{} →", around.after)))
            if other
        ),
        button(f"All {count(changes, 'change')}" if changes > 1 else "The change", CHANGES, value) if changes else None,
        button("Profile", f"{ASK}.2", written(profile)),
        share(question if question.span else replace(question, span=Days.of(month)), surface),
        button("Not right?", CORRECT, value) if (changes or is_hidden) and surface.can_correct else None,
    ]
    return actions(every)


def share(question: Question, surface: Surface) -> Block | None:
    """The button that shows an answer to others, where only the asker sees it."""
    if surface.share is None:
        return None
    label, action_id = ("Share here", SHARE) if surface.share == "here" else ("Share in a channel", SHARE_TO)
    return button(label, action_id, written(replace(question, choices=())))


def feedback() -> tuple[Block, ...]:
    """The two buttons by which a reader says what they think of an answer."""
    two = {
        f"{name}_button": {
            "text": plain(text),
            "value": value,
            "accessibility_label": f"This answer was {text.lower()}",
        }
        for name, value, text in (("positive", "good", "Helpful"), ("negative", "bad", "Not helpful"))
    }
    pair = {"type": "feedback_buttons", "action_id": FEEDBACK, **two}
    return ({"type": "context_actions", "elements": [pair]},)


def below(messages: Sequence[Message], blocks: Sequence[Block], text: str) -> list[Message]:
    """The messages with blocks below them: at the end of the first where they fit, so that they are seen without
    opening the thread, else of the last, else in a message of their own that says `text`."""
    shown = list(messages)
    if not blocks:
        return shown
    for at in dict.fromkeys((0, len(shown) - 1)) if shown else ():
        longer = replace(shown[at], blocks=(*shown[at].blocks, *blocks))
        if fits(longer):
            shown[at] = longer
            return shown
    section = {"type": "section", "text": plain(text)}
    return [*shown, Message(text, (section, *blocks), in_thread=bool(shown))]


def has_buttons(message: Message) -> bool:
    return any(block["type"] in ("actions", "context_actions") for block in message.blocks)


def settled(blocks: Sequence[Block], chosen: str) -> list[Block]:
    """The blocks of a message that asked back, once it is answered: what was chosen stands where the buttons did."""
    kept = [block for block in blocks if block.get("block_id") != CHOICES_BLOCK and not _is_hint(block)]
    return [*kept, context(f"Chosen: {shortened(clean(chosen), MAX_BUTTON_TEXT)}")]


def _is_hint(block: Block) -> bool:
    elements = block.get("elements") or [{}]
    return block.get("type") == "context" and elements[0].get("text") in (NONE_OF_THESE, OTHER_MONTHS)
