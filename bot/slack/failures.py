"""What goes wrong → the sentence that somebody is shown who pressed or submitted something."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from bot.errors import AlmanacError
from bot.slack.forms import View, said
from bot.slack.request import SORRY, AccessRefused

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

UNKNOWN_BUTTON = "This button cannot be read any more: try again."


def explains(what: str) -> Callable[[Callable[P, str]], Callable[P, str]]:
    """For what does something and returns what is said of it: where it fails, it returns why. `what` is what failed
    then, for the log."""
    return _explaining(what, str)


def explains_in_modal(what: str, title: str) -> Callable[[Callable[P, View]], Callable[P, View]]:
    """For what makes a modal: where it fails, it returns one with that title that says why."""
    return _explaining(what, partial(said, title))


def _explaining(what: str, shown: Callable[[str], R]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Where a function fails, why is shown in place of what it returns."""

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def done(*arguments: P.args, **named: P.kwargs) -> R:
            try:
                return function(*arguments, **named)
            except Exception as error:
                return shown(explained(error, what))

        return done

    return decorated


def explained(error: Exception, what: str) -> str:
    """Why something was not done. `what` is what failed, for the log, which has what nobody is shown."""
    if isinstance(error, AccessRefused):
        return str(error)
    if isinstance(error, AlmanacError):
        if error.public_text != str(error):  # which says that the rest is in the log
            log.warning("%s: %s", what, error)
        return sentence(error.public_text)
    if isinstance(error, ValueError | LookupError | TypeError):
        log.warning("%s: what it holds cannot be read", what, exc_info=error)
        return UNKNOWN_BUTTON
    log.error("%s", what, exc_info=error)
    return SORRY


def sentence(text: str) -> str:
    """What an error says, as a sentence; an address that it begins with stays as it is."""
    is_address = "@" in text.partition(" ")[0]
    begun = text if is_address else f"{text[:1].upper()}{text[1:]}"
    return begun if begun.endswith(("?", "!", ".", ".”")) else f"{begun}."
