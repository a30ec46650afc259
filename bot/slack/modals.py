"""What modals show: all changes of a month in pages, why a change is shown as it is, a whole month. Pure.

A modal takes a hundred blocks and 250 kB, and of blocks only some: neither charts nor feedback buttons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.ask.question import Question
from bot.model import Kind
from bot.month.calendar import AnyPeriod, Days, Month, parse_any_period
from bot.slack.blocks import Block, Message
from bot.slack.buttons import Around, actions, button, compact, context, written
from bot.slack.forms import View, channel_menu, form, input_block, kept_in, modal, words
from bot.slack.limits import MAX_VIEW_BLOCKS, MAX_VIEW_JSON, blocks_json_size
from bot.slack.limits.blocks import IN_MODAL
from bot.slack.packing import header, plain
from bot.slack.payload_checks import reads
from bot.story.documents import ChangeDocument, ChangeReference, DigestDocument, MonthDocument
from bot.story.render import Web, page_of, slack
from bot.story.wording import KIND_NAMES, count, mark, shortened

# What a press in a modal means; the questions they hold are those of bot/slack/buttons.py.
PAGE = "page"  # shows another page of the changes, in place of this one
EXPLAIN = "explain"  # pushes a modal
MONTH = "modal_month"  # shows another month, in place of this one
ALL_CHANGES = "modal_changes"  # pushes a modal
DIGESTS = "digests"  # opens the modal that lists digests

SHARE_TO = "share_to"  # the callback id of a modal

A_PAGE = 40  # changes: more are no easier to read, and each is a block
LONGEST_SUBJECT = 600
ROOM = MAX_VIEW_JSON - 20_000  # for what is around the blocks
_NUMBER = re.compile(r"[#!]\d{1,9}")
CUT = "There is more than fits here: ask me in a direct message to read all of it."
DIGESTS_HERE = "Digests are made, changed and paused here:"


def where_to_share(value: str) -> View:
    """Which channel an answer is to be posted in. `value` is the question, as buttons hold it."""
    channel = input_block("channel", "Post it in", channel_menu(placeholder=plain("Choose a channel")))
    return form("Share", [channel], SHARE_TO, "Post", value)


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """Which changes of the month that a question is of are shown: `question` is as buttons hold it."""

    question: str
    page: int = 0


@reads
def turned(view: Mapping[str, Any], value: str) -> ChangesPage:
    """The page to be shown after a press in a modal of changes."""
    return ChangesPage(str(kept_in(view)["question"]), int(value))


def changes_page(shown: ChangesPage, document: MonthDocument | DigestDocument, web: Web, channel: str) -> View:
    """A page of the changes of a month, newest first, or of a team's by area, each with why to be asked. The modal
    remembers what it shows and the channel that it was opened in."""
    is_team = isinstance(document, DigestDocument)
    every = (
        _by_area(document) if isinstance(document, DigestDocument) else [("", one) for one in document.changes[::-1]]
    )
    pages = max(1, -(-len(every) // A_PAGE))
    page = min(max(shown.page, 0), pages - 1)
    start = page * A_PAGE
    here = every[start : start + A_PAGE]
    whose = document.digest if isinstance(document, DigestDocument) else document.person.name
    title = f"{whose}, {parse_any_period(document.month).title}: {count(len(every), 'change')}"
    which = f", {start + 1} to {start + len(here)}" if len(here) < len(every) else ""
    blocks = [words(f"{title}{which}")]
    area = ""
    for number, (name, change) in enumerate(here, start):
        if name != area:
            blocks.append(header(name))
            area = name
        blocks.append(_change(change, number, web))
    if not every:
        blocks.append(words("There are none."))
    turning = [
        button("← Back" if is_team else "← Newer", f"{PAGE}.0", str(page - 1)) if page else None,
        button("More →" if is_team else "Older →", f"{PAGE}.1", str(page + 1)) if page < pages - 1 else None,
    ]
    held = {"channel": channel, "question": shown.question}
    return modal("All changes", [*blocks, *actions(turning)], private_metadata=compact(held))


def _by_area(document: DigestDocument) -> list[tuple[str, ChangeDocument]]:
    """The changes of a team, each below what it is of."""
    by_sha = {commit.sha: one for one in document.changes for commit in one.commits}
    parts = [(one.name, one.evidence) for one in document.areas]
    parts += [(one.kind, one.evidence) for one in (*document.also, *document.counted)]
    found = ((name, by_sha[sha]) for name, shas in parts for sha in shas if sha in by_sha)
    return list({one.id: (name, one) for name, one in found}.values())


def _kind(change: ChangeDocument) -> Kind:
    """What is not sure is called nothing."""
    return change.kind if change.sure else "chore"


def _change(change: ChangeDocument, number: int, web: Web) -> Block:
    """A change: its subject, what it is, its page, and a button. The subject is text in which nothing is parsed."""
    lead = change.commits[0]
    kind = "" if _kind(change) == "chore" else KIND_NAMES[_kind(change)]
    facts = ", ".join(word for word in (kind, mark(change.kind, change.state)) if word)
    block: Block = {
        "type": "section",
        "text": plain(shortened(change.subject, LONGEST_SUBJECT) or "(no subject)"),
        "fields": [*([plain(facts)] if facts else []), _link(change, web)],
    }
    explain = button("Explain", f"{EXPLAIN}.{number}", written(Question("explain", references=(lead.sha,))))
    return {**block, "accessory": explain} if explain else block


def _link(change: ChangeDocument, web: Web) -> Block:
    """The page of a change: the one thing here that Slack reads, so it holds hexadecimal digits, a number and pages of
    ours alone."""
    lead = change.commits[0]
    number = next((ref for ref in change.refs if _NUMBER.fullmatch(ref)), "")
    page, name = page_of(ChangeReference(number, lead.sha, lead.repository), web), number or lead.sha[:9]
    link = f"<{slack(page)}|{name}>" if page and not set(page) & set("<>|") else name
    return {"type": "mrkdwn", "text": link, "verbatim": True}


def explanation(message: Message) -> View:
    """Why a commit is shown as it is."""
    return modal("Why it is shown this way", fitting(message.blocks))


def month(
    question: Question,
    messages: Sequence[Message],
    month: AnyPeriod,
    changes: int,
    around: Around,
    channel: str = "",
) -> View:
    """A month as its messages tell it, with the months beside it. The modal remembers the channel that it was opened
    in: what may be shown depends on it."""
    value = written(question)
    row = actions(
        [
            _month(f"← {around.before.title}", question, around.before, 0) if around.before else None,
            _month(f"{around.after.title} →", question, around.after, 1) if around.after else None,
            button(f"All {count(changes, 'change')}", ALL_CHANGES, value) if changes > 1 else None,
        ]
    )
    blocks = [*fitting([block for one in messages for block in one.blocks], len(row) + 1), *row]
    return modal(month.title, blocks, private_metadata=compact({"channel": channel}))


def _month(label: str, question: Question, month: Month, number: int) -> Block | None:
    return button(label, f"{MONTH}.{number}", written(replace(question, span=Days.of(month))))


def fitting(blocks: Iterable[Block], beside: int = 1) -> list[Block]:
    """Those of the blocks that modals take, as many as fit; what is cut off is said to be."""
    taken, size = list[Block](), 0
    for block in blocks:
        if any(True for _ in IN_MODAL.check(block, "")):
            continue
        size += blocks_json_size(block)
        if size > ROOM or len(taken) + beside >= MAX_VIEW_BLOCKS:
            return [*taken, context(CUT)]
        taken.append(block)
    return taken


def scheduled_message() -> Message:
    """The answer to what is asked of schedules where no modal opens: anybody reads it, so it names no digest."""
    row = actions([button("Digests", f"{DIGESTS}.0", "open", style="primary")])
    return Message(f"{DIGESTS_HERE} /almanac digest", (words(DIGESTS_HERE), *row))
