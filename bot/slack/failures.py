"""What goes wrong → the sentence that somebody is shown who pressed or submitted something."""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.errors import AlmanacError
from bot.slack.answering import SORRY, AccessRefused
from bot.slack.forms import View, said

log = logging.getLogger(__name__)

UNKNOWN_BUTTON = "This button cannot be read any more: try again."


def said_of(what: str, done: Callable[[], str]) -> str:
    """What is said of something that is done, or why it was not. `what` is what failed then, for the log."""
    try:
        return done()
    except Exception as error:
        return explained(error, what)


def view_of(what: str, title: str, made: Callable[[], View]) -> View:
    """A modal, or one that says why it cannot be shown."""
    try:
        return made()
    except Exception as error:
        return said(title, explained(error, what))


def explained(error: Exception, what: str) -> str:
    """Why something was not done. `what` is what failed, for the log, which has what nobody is shown."""
    if isinstance(error, AccessRefused):
        return str(error)
    if isinstance(error, AlmanacError):
        return sentence(error)
    if isinstance(error, ValueError | LookupError | TypeError):
        log.warning("%s: what it holds cannot be read", what, exc_info=error)
        return UNKNOWN_BUTTON
    log.error("%s", what, exc_info=error)
    return SORRY


def sentence(error: AlmanacError) -> str:
    """What an error says, as a sentence."""
    text = error.public_text
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
