"""What goes wrong → the sentence that somebody is shown who pressed or submitted something."""

from __future__ import annotations

import logging

from bot.errors import AlmanacError
from bot.slack.answering import SORRY, AccessRefused

log = logging.getLogger(__name__)

UNKNOWN_BUTTON = "This button cannot be read any more: try again."


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
    said = error.public_text
    return f"{said[:1].upper()}{said[1:].rstrip('.')}."
