"""What modals show: all changes of a month in pages, why a change is shown as it is, a whole month. Pure.

A modal takes a hundred blocks and 250 kB, and of blocks only some: neither charts nor feedback buttons.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.model import Question
from bot.month.calendar import AnyPeriod, Days, Month, parse_any_period
from bot.slack.blocks import Block, Message
from bot.slack.buttons import Around, actions, button, compact, context, written
from bot.slack.forms import View, channel_menu, form, input_block, modal, plain, words
from bot.slack.limits import MAX_VIEW_BLOCKS, MAX_VIEW_JSON, blocks_json_size
from bot.slack.limits.blocks import IN_MODAL, MAX_FIELD_TEXT
from bot.story.documents import ChangeDocument, CommitDocument, MonthDocument
from bot.story.render import Web, commit_link, slack
from bot.story.wording import KINDS, count, mark, shortened

# What a press in a modal means; the questions they hold are those of bot/slack/buttons.py.
PAGE = "page"  # shows another page of the changes, in place of this one
EXPLAIN = "explain"  # pushes a modal
MONTH = "modal_month"  # shows another month, in place of this one
ALL_CHANGES = "modal_changes"  # pushes a modal
DIGESTS = "digests"  # opens the modal that lists digests

SHARE_TO = "share_to"  # the callback id of a modal

A_PAGE = 40  # changes: more are no easier to read, and each is a block
LONGEST_SUBJECT = 600
MOST_COMMITS = 5  # of one change that are linked
LONGEST_LINKS = MAX_FIELD_TEXT - 100  # of one change: an address may be long
ROOM = MAX_VIEW_JSON - 20_000  # for what is around the blocks
CUT = "There is more than fits here: ask me in a direct message to read all of it."
DIGESTS_HERE = "Digests are made, changed and paused here:"


def in_channel(view: View, channel: str) -> View:
    """The modal, which remembers where it was opened: what may be shown depends on it."""
    return {**view, "private_metadata": compact({"channel": channel})}


def origin_of(view: Mapping[str, Any]) -> str:
    """The channel a modal was opened in; empty where it was in none."""
    try:
        return str(json.loads(view.get("private_metadata") or "{}").get("channel") or "")
    except (ValueError, AttributeError):
        return ""


def where_to_share(value: str) -> View:
    """Which channel an answer is to be posted in. `value` is the question, as buttons hold it."""
    channel = input_block("channel", "Post it in", channel_menu(placeholder=plain("Choose a channel")))
    return form("Share", [channel], SHARE_TO, "Post", value)


def changes_page(question: Question, document: MonthDocument, web: Web, page: int = 0) -> View:
    """A page of all changes of a month, in the order of writing, each with why to be asked."""
    every = document.changes
    pages = max(1, -(-len(every) // A_PAGE))
    page = min(max(page, 0), pages - 1)
    start = page * A_PAGE
    shown = every[start : start + A_PAGE]
    blocks = [words(_whose_changes(document, start, len(shown)))]
    blocks += [_change(change, number, web) for number, change in enumerate(shown, start)]
    if not every:
        blocks.append(words("There are none."))
    turning = [
        _page("← Earlier", question, page - 1, 0) if page else None,
        _page("Later →", question, page + 1, 1) if page < pages - 1 else None,
    ]
    return modal("All changes", [*blocks, *actions(turning)])


def _whose_changes(document: MonthDocument, start: int, shown: int) -> str:
    whose = f"{document.person.name}, {parse_any_period(document.month).title}"
    every = len(document.changes)
    some = f", {start + 1} to {start + shown}" if shown < every else ""
    return f"{whose}: {count(every, 'change')}{some}"


def _page(label: str, question: Question, page: int, number: int) -> Block | None:
    return button(label, f"{PAGE}.{number}", compact({"page": page, "question": written(question)}))


def _change(change: ChangeDocument, number: int, web: Web) -> Block:
    """A change: its subject, what it is, its commits, and a button. The subject is text in which nothing is parsed."""
    kind = KINDS[change.kind][1]
    became = mark(change.kind, change.state)
    block: Block = {
        "type": "section",
        "text": plain(shortened(change.subject, LONGEST_SUBJECT) or "(no subject)"),
        "fields": [plain(f"{kind}, {became}" if became else kind), _commits(change.commits, web)],
    }
    lead = change.commits[0]
    explain = button("Explain", f"{EXPLAIN}.{number}", written(Question("explain", topic=lead.sha)))
    return {**block, "accessory": explain} if explain else block


def _commits(commits: Sequence[CommitDocument], web: Web) -> Block:
    """Links to commits, which are the one thing here that Slack reads: hexadecimal digits and pages of ours."""
    shown, taken = [], 0
    for commit in commits[:MOST_COMMITS]:
        page, sha = commit_link(commit.sha, web.get(commit.repository)), commit.sha[:9]
        link = f"<{slack(page)}|{sha}>" if page and not set(page) & set("<>|") else sha
        taken += len(link)
        shown.append(link if taken <= LONGEST_LINKS else sha)
    more = len(commits) - MOST_COMMITS
    return {"type": "mrkdwn", "text": " ".join(shown) + (f" and {more:,} more" if more > 0 else ""), "verbatim": True}


def explanation(message: Message) -> View:
    """Why a commit is shown as it is."""
    return modal("Why it is shown this way", fitting(message.blocks))


def month(question: Question, messages: Sequence[Message], month: AnyPeriod, changes: int, around: Around) -> View:
    """A month as its messages tell it, with the months beside it."""
    value = written(question)
    row = actions(
        [
            _month(f"← {around.before.title}", question, around.before, 0) if around.before else None,
            _month(f"{around.after.title} →", question, around.after, 1) if around.after else None,
            button(f"All {count(changes, 'change')}", ALL_CHANGES, value) if changes > 1 else None,
        ]
    )
    return modal(month.title, [*fitting([block for one in messages for block in one.blocks], len(row) + 1), *row])


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
