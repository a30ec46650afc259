"""What Home says, what its buttons mean, and the most of everything in it."""

from __future__ import annotations

# What a press in Home means, as the beginning of an action_id; a number may follow.
ASK = "home_ask"  # answers in a direct message
ADD = "home_add"  # opens a modal
NOT_ME = "home_not_me"
THIS_IS_ME = "home_this_is_me"
UNDO = "home_undo"
CONFIRM = "home_confirm"
HIDE = "home_hide"
SHOW = "home_show"
REFRESH = "home_refresh"
CONFIRM = "home_confirm"  # the callback id of a modal; ADD is that of the one before it

MOST_ITEMS = 3  # of a month
MOST_ADDRESSES = 15
MOST_GUESSES = 5
MOST_LINES = 5  # of the log
MOST_DIGESTS = 8
MOST_FAILURES = 5
MOST_NAMED = 10  # repositories
LONGEST_HEADLINE = 600
LONGEST = 300  # of any other line

UNKNOWN = "I do not know yet who you are in git."
BY_NAME = "I take you for {name}, only because you have the same name. Confirm it, or say who you are."
IN_MESSAGES = "Whole months come as direct messages, under Messages."
REST = "{count} more: ask /almanac link and an address whose it is."
NOTHING_INDEXED = (
    "Nothing is indexed yet that you may read. Whoever runs me does that with almanac index and the address of a "
    "repository, or with [[repositories]] in almanac.toml."
)
NO_DIGESTS = "No digest is posted in a channel that you may see."
SHOWN = "You are shown: whoever may ask about others can ask about your months, and digests tell of your work."
HIDDEN = "You are not shown: only you see your months, and lists and digests leave your work out."
HIDING = (
    "Your months, your profile and your part in lists and digests will not be shown to others any more. Nothing is "
    "removed, and you can be shown again here at any time."
)
FORGETTING = (
    "To be forgotten, ask whoever runs me for almanac people forget and your address: it removes your commits and all "
    "that was said of you from my database, for good. What is posted in Slack already stays there."
)
