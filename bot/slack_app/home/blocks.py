"""What the parts of Home are made of: plain words, dates, and what asks whether somebody is sure. Pure."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.month.calendar import NAMES
from bot.slack.blocks import Block
from bot.slack.limits import MAX_SECTION_TEXT
from bot.slack_app.home.texts import LONGEST, LONGEST_CONFIRMED
from bot.story.wording import clean, shortened


def slack_date(at: datetime) -> str:
    """An instant as Slack writes it, in the zone of whoever reads it; where it cannot, in UTC."""
    utc = at.astimezone(UTC)
    fallback = f"{utc.day} {NAMES[utc.month - 1]} {utc.year}, {utc:%H:%M} UTC"
    return f"<!date^{int(at.timestamp())}^{{date_pretty}} at {{time}}|{fallback}>"


def sure_of(title: str, text: str, yes: str) -> Block:
    return {
        "title": plain(title),
        "text": plain(shortened(clean(text), LONGEST_CONFIRMED) or title),
        "confirm": plain(yes),
        "deny": plain("Cancel"),
    }


def words(text: str) -> Block:
    """A section of plain text, never empty."""
    return {"type": "section", "text": plain(shortened(text, MAX_SECTION_TEXT) or "Nothing.")}


def plain(text: str) -> Block:
    return {"type": "plain_text", "text": text, "emoji": False}


def line(text: str) -> str:
    """A text in one line, never empty."""
    return shortened(clean(text), LONGEST) or "(nothing)"
