"""What is posted again and again: the words that ask for it, change it, or ask when. Pure."""

# ruff: noqa: E501  (a table of patterns reads best with few breaks)

from __future__ import annotations

import re

_POSTED = (
    r"(?:digests?|summar(?:y|ies)|reports?|recaps?|round-?ups?|posts?|posting|reminders?|schedules?|newsletter|cadence)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_OFTEN = r"(?:monthly|weekly|daily|quarterly|fortnightly|yearly)"
_EVERY = (
    rf"(?:every|each) (?:other |single )?(?:\w+ )?(?:months?|weeks?|days?|quarters?|first|last|morning|{_DAY}|\d+\w*)\b"
)
_AGAIN = (
    rf"(?:\b{_EVERY}|\b{_OFTEN}\b(?! {_POSTED})|\btomorrow\b|\bon (?:{_DAY}|the (?:first|last|\d+(?:st|nd|rd|th)))\b|"
    rf"\bat \d|\b{_DAY} \d|\bautomatically\b|\bregularly\b)"
)
_POST = r"\b(?:post|posting|send|sending|share|publish|deliver|remind|mail|dm|run|repeat|start)\b"
_CHANGE = (
    r"\b(?:pause|resume|unpause|stop|cancel|disable|enable|suspend|mute|unmute|delete|remove|turn|switch|skip|kill|end|set|"
    r"change|move|shift|postpone|delay|edit|update|create|make|add|restart|subscribe|no more|don't)\b"
)
_SCHEDULE = re.compile(
    "|".join(
        (
            rf"{_POST}.*{_AGAIN}",
            rf"^\W*{_EVERY}",
            rf"{_CHANGE}.*\b{_POSTED}\b(?! (?:code|page|module|tests?)\b)",
            rf"{_CHANGE} (?:it|that|this)\b.*(?:{_AGAIN}|\b{_DAY}|\b{_OFTEN})",
            r"^\W*(?:pause|resume|stop|cancel)\b(?: it| that| this| everything| please)*\W*$",
            r"^\W*(?:(?:please|can you|could you|so|and) )*(?:re|un)?-?schedule\b(?! (?:changes|fixes|work|code))",
            r"\bunsubscribe\b",
            rf"\b(?:want|need|like)\b.*\b{_OFTEN} {_POSTED}\b",
            r"^\W*(?:(?:and|so|but) )?(?:when|why|where)\b.*\b(?:digest|posted|next (?:one|run))\b",
            r"^\W*(?:what(?:'s)?|which|list|show|is|are|anything)\b(?: [\w']+){0,4}? (?:scheduled?|schedules|recurring|repeats?|"
            r"subscriptions|digests)(?=\W*$| (?:are|do|here|in|for|this)\b)",
            r"^\W*(?:(?:my|the|our) )?(?:schedules?|subscriptions?)\W*$",
        )
    )
)
_TOLD = re.compile(r"\b(?:did|has|had|who|worked|fixed|changed)\b")  # what somebody did is no schedule


def is_schedule(text: str) -> bool:
    """Whether a text is about what is posted again and again: to set, change, pause or list it."""
    low = text.casefold().replace("’", "'")
    return not _TOLD.search(low) and _SCHEDULE.search(low) is not None
