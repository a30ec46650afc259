"""What messages, modals and Home are made of, as dicts: texts, buttons, menus, inputs; and what is read back of them.

Text that people wrote stands in plain text or in rich text, in which Slack parses nothing. A button that asks holds a
whole question as JSON; whoever presses it is answered as if they had typed it, with what they may read where it is
pressed. A button holds no more than Slack takes, or it is left out. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

from bot.ask.question import Choice, Question
from bot.ask.question_document import question_document, question_of
from bot.errors import Unreadable
from bot.month.calendar import NAMES, Days, Month
from bot.slack.audience import Request
from bot.slack.web_api import STEERING, unsteered
from bot.story.render import slack, slack_lines
from bot.wording import clean, shortened

# Slack's numbers, from docs.slack.dev/reference/block-kit where nothing else is said. The rules of each block and
# element are those of the local workspace, which refuses what Slack refuses (bot/workspace/block_kit.py).
MAX_BLOCKS = 50
MAX_VIEW_BLOCKS = 100
# Slack's cap on all blocks of a message is not documented; msg_blocks_too_long was met between 15,561 bytes of JSON,
# which passed, and 17,694 (slackapi/bolt-js issues 2509 and 2867).
MAX_BLOCKS_JSON = 15_000
# Slack splits a text of more than 4,040 characters in several messages (slackapi/bolt-python issue 764) and
# recommends 4,000.
MAX_TEXT = 3_900
MAX_VIEW_JSON = 250_000  # view_too_large; the number is not documented, and reported by those who met it
MAX_VIEW_TITLE = 24  # also submit and close
MAX_SECTION_TEXT = 3_000
MAX_HEADER = 150
MAX_BUTTON_TEXT = 75
MAX_BUTTON_VALUE = 2_000
MAX_OPTIONS = 100
MAX_OPTION_TEXT = 75
MAX_OPTION_VALUE = 150
MAX_SUGGESTED_PROMPTS = 4


@contextmanager
def reads() -> Iterator[None]:
    """For what reads a view or a button that the bot once made: it raises Unreadable where that is not so."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable("what was pressed or filled in cannot be read any more: ask again") from error


Block = dict[str, Any]
# Kept free in the first of several messages, for what can be pressed: there it is seen without opening the thread.
BUTTONS_JSON = 3_000
BREAK: Block = {"type": "text", "text": "\n"}


@dataclass(frozen=True, slots=True)
class Message:
    """One message. One that is `in_thread` answers the first of its list."""

    text: str
    blocks: tuple[Block, ...]
    in_thread: bool = False

    def payload(self) -> dict[str, Any]:
        return {"text": unsteered(self.text), "blocks": unsteered(self.blocks)}


@dataclass(frozen=True, slots=True)
class Response:
    """What is shown to whoever pressed: messages, in the place of the one with the button where it says so, or
    nothing in that one's place."""

    messages: Sequence[Message] = ()
    replace: bool = False
    delete: bool = False


def _made(kind: str, **fields: Any) -> Block:
    """A block or an element without the fields that are empty."""
    return {"type": kind, **{name: value for name, value in fields.items() if value}}


def plain(text: str) -> Block:
    """Text in which Slack parses nothing."""
    return {"type": "plain_text", "text": text, "emoji": False}


def mrkdwn(text: str) -> Block:
    """Text that Slack reads, already fit for it."""
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def words_message(text: str, below: Sequence[Block] = ()) -> Message:
    """Words in which nothing is parsed, in several lines, and what can be pressed below them."""
    shown = words(text)
    return Message(slack_lines(shown["text"]["text"]), (shown, *below))


def header(text: str) -> Block:
    return {"type": "header", "text": plain(shortened(text, MAX_HEADER))}


def titled(text: str) -> str:
    """A title in plain text, as long as a header may be."""
    return f"*{slack(shortened(text, MAX_HEADER))}*"


def fits(message: Message, *, with_buttons: bool = False) -> bool:
    """Whether Slack takes a message; `with_buttons`, also with what can be pressed below it."""
    return (
        len(message.text) <= MAX_TEXT
        and len(message.blocks) <= MAX_BLOCKS
        and blocks_json_size(message.blocks) <= MAX_BLOCKS_JSON - with_buttons * BUTTONS_JSON
    )


def blocks_json_size(blocks: object) -> int:
    """How many bytes the blocks take as compact JSON in UTF-8, as measured against MAX_BLOCKS_JSON."""
    return len(json.dumps(blocks, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))


# What a press means, as the beginning of an action_id; a number may follow, since each must be unique.
ASK = "ask"  # answers beside the message, which stays as it is
CHOICE = "choice"  # answers once: the choices go
CHANGES = "changes"
CORRECT = "correct"  # opens a modal, whose callback id it is, too
SHARE = "share"
SHARE_TO = "share_to"
LINK = "link"
DIGESTS = "digests"  # opens the modal that lists digests
PICK = "pick"  # that of a question without typing; its callback id too

MOST_CHOICES = 5
NONE_OF_THESE = "None of these? Ask again with a full name, an address or a month such as 2025-10."
OTHER_MONTHS = "Or ask for any other month."
CHOICES = "choices"  # the id of the block that holds them


@dataclass(frozen=True, slots=True)
class Surface:
    """Where an answer will be read, which decides what is offered below it.

    `share` is how it can be shown to others: here, in the channel that is asked in, or in one to be chosen.
    """

    share: Literal["here", "to"] | None
    can_correct: bool = True


Around = tuple[Month | None, Month | None]  # the active months before and after a month


def written(question: Question) -> str:
    """A question as the value of a button: JSON without what is empty."""
    document = {**question_document(question), "form": "markdown" if "markdown" in question.form else None}
    return compact({key: value for key, value in document.items() if value})


def compact(value: object) -> str:
    """JSON in as few characters as it takes; what would not be sent is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return STEERING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


@reads()
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
    return (_made("actions", block_id=block_id, elements=shown),) if shown else ()


def choices(offered: Sequence[Choice], hint: str = NONE_OF_THESE) -> tuple[Block, ...]:
    """What may have been meant, a button each, and what to do where it is none of them."""
    shown = enumerate(offered[:MOST_CHOICES])
    row = actions((button(one.label, f"{CHOICE}.{at}", written(one.question)) for at, one in shown), CHOICES)
    return (*row, context(hint)) if row else ()


def context(text: str) -> Block:
    """A line of small print, in which nothing is parsed."""
    return {"type": "context", "elements": [plain(text)]}


def beside(question: Question, around: Around, sort: str) -> list[Block | None]:
    """The buttons that ask the same of the months beside one."""
    return [
        button(label.format(other.title), f"{sort}.{number}", written(replace(question, span=Days.of(other))))
        for number, (label, other) in enumerate(zip(("← {}", "{} →"), around, strict=True))
        if other
    ]


def share(question: Question, surface: Surface) -> Block | None:
    """The button that shows an answer to others, where only the asker sees it."""
    if surface.share is None:
        return None
    label, action_id = ("Share here", SHARE) if surface.share == "here" else ("Share in a channel", SHARE_TO)
    return button(label, action_id, written(replace(question, choices=())))


def below(messages: Sequence[Message], blocks: Sequence[Block], text: str) -> list[Message]:
    """The messages with blocks below them: at the end of the first where they fit, so that they are seen without
    opening the thread, else of the last, else in a message of their own that says `text`."""
    shown = list(messages)
    for at in (0, -1) if shown and blocks else ():
        longer = replace(shown[at], blocks=(*shown[at].blocks, *blocks))
        if fits(longer):
            shown[at] = longer
            return shown
    return [*shown, replace(words_message(text, blocks), in_thread=bool(shown))] if blocks else shown


@reads()
def settled(blocks: Sequence[Block], chosen: str) -> list[Block]:
    """The blocks of a message that asked back, once it is answered, without the buttons and the line below them."""
    at = next((number for number, one in enumerate(blocks) if one.get("block_id") == CHOICES), len(blocks))
    return [*blocks[:at], *blocks[at + 2 :], context(f"Chosen: {shortened(clean(chosen), MAX_BUTTON_TEXT)}")]


View = dict[str, Any]

LOADING = "One moment…"  # stands there until an answer is known: a modal must be opened within three seconds
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
    asked = shortened(clean(text), LONGEST_CONFIRMED) or title
    return {"title": plain(title), "text": plain(asked), "confirm": plain(yes), "deny": plain("Cancel")}


# modals


def modal(title: str, blocks: Iterable[Block], **more: Any) -> View:
    """A modal that is read and closed."""
    title = shortened(clean(title), MAX_VIEW_TITLE) or "Almanac"
    return {"type": "modal", "title": plain(title), "close": plain("Close"), "blocks": list(blocks), **more}


def form(title: str, blocks: Iterable[Block], callback_id: str, submit: str, metadata: str) -> View:
    """A modal that is filled in and submitted."""
    return modal(title, blocks, callback_id=callback_id, submit=plain(submit), private_metadata=metadata)


def said(title: str, text: str) -> View:
    """A modal with words of ours or from git, in which nothing is parsed."""
    return modal(title, [words(text)])


@dataclass(frozen=True, slots=True)
class Ending:
    """What a submitted modal comes to: what it shows then, or what is wrong with what was typed, by block. `words` are
    written to whoever submitted it where they closed it meanwhile."""

    view: View
    words: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def saying(cls, title: str, words: str, below: Sequence[Block] = (), metadata: str = "") -> Ending:
        """Words, and what can be pressed below them; `metadata` is what the modal keeps of where it was opened."""
        shown = said(title, words)
        kept = {"private_metadata": metadata} if metadata else {}
        return cls({**shown, **kept, "blocks": [*shown["blocks"], *below]}, words)


# inputs; each element has the name of its block


def input_block(name: str, label: str, element: Block, hint: str = "", *, optional: bool = False) -> Block:
    element, said = {**element, "action_id": name}, plain(hint) if hint else None
    return _made("input", block_id=name, label=plain(label), element=element, hint=said, optional=optional)


def text_input(most: int) -> Block:
    return {"type": "plain_text_input", "max_length": most, "min_length": 1}


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
    some = option_groups(every) if isinstance(every, Mapping) else {"options": list(every)[:MAX_OPTIONS]}
    return _made("static_select", **some, initial_option=first, placeholder=placeholder and plain(placeholder))


def option_groups(groups: Mapping[str, Sequence[Block]]) -> dict[str, list[Block]]:
    """Groups of options, each as long as Slack takes it."""
    found = [
        {"label": plain(f"{label}, from {at + 1:,} on" if at else label), "options": list(group[at : at + MAX_OPTIONS])}
        for label, group in groups.items()
        for at in range(0, len(group), MAX_OPTIONS)
    ]
    return {"option_groups": found[:MOST_GROUPS]}


# what was filled in, and what is kept


def kept_in(view: Mapping[str, Any]) -> dict[str, Any]:
    """What a modal or a Home tab keeps of where it was opened and of what it shows; nothing where it cannot be read."""
    try:
        kept = json.loads(view.get("private_metadata") or "{}")
    except (ValueError, TypeError):
        return {}
    return kept if isinstance(kept, dict) else {}


@reads()
def held(value: str) -> dict[str, Any]:
    """What a button holds, as JSON."""
    return dict(json.loads(value))


@reads()
def typed_in(view: Mapping[str, Any], name: str) -> str:
    """What was typed into an input; empty for none."""
    return str(view["state"]["values"][name][name].get("value") or "")


@reads()
def chosen_in(view: Mapping[str, Any], name: str) -> str:
    """The value of the option that was chosen."""
    return str(view["state"]["values"][name][name]["selected_option"]["value"])


def is_direct(channel: str) -> bool:
    """Whether nobody but one person and the bot reads a channel: Slack's ids of direct messages begin with a D, and
    Home has none."""
    return channel[:1] in ("", "D")


@dataclass(frozen=True, slots=True)
class Action:
    """Somebody's press on a button of a message, of a modal or of Home. `thread` is the thread the message stands in,
    `ephemeral` says that only they see it; `channel` is that of the message, or the one that the view keeps; `at` is
    the same when a press is delivered again, and `url` is where whoever pressed can be answered."""

    user: str
    channel: str
    ts: str
    action_id: str
    value: str
    at: str
    label: str = ""
    thread: str | None = None
    ephemeral: bool = False
    text: str = ""
    blocks: tuple[Block, ...] = ()
    url: str = ""
    view: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    @reads()
    def of(cls, body: Mapping[str, Any], action: Mapping[str, Any]) -> Action:
        """From a block_actions payload and one of its actions."""
        container, message, view = (body.get(name) or {} for name in ("container", "message", "view"))
        channel = (body.get("channel") or {}).get("id") or container.get("channel_id") or kept_in(view).get("channel")
        option = action.get("selected_option") or {}
        return cls(
            user=str(body["user"]["id"]),
            channel=str(channel or ""),
            ts=str(container.get("message_ts") or message.get("ts") or ""),
            action_id=str(action.get("action_id") or ""),
            value=str(action.get("value") or option.get("value") or ""),
            at=str(action.get("action_ts") or ""),
            label=str((action.get("text") or {}).get("text") or ""),
            thread=container.get("thread_ts") or message.get("thread_ts"),
            ephemeral=bool(container.get("is_ephemeral")),
            text=str(message.get("text") or ""),
            blocks=tuple(map(dict, message.get("blocks") or ())),
            url=str(body.get("response_url") or ""),
            view=view,
        )

    @property
    def asked(self) -> Request:
        return Request(self.user, self.channel, alone=self.ephemeral or is_direct(self.channel))
