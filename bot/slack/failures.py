"""What goes wrong → the sentence that somebody is shown who pressed or submitted something."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from bot.errors import AlmanacError
from bot.slack.forms import View, said
from bot.slack.request import SORRY, AccessRefused

log = logging.getLogger(__name__)

P = ParamSpec("P")

UNKNOWN_BUTTON = "This button cannot be read any more: try again."


def explains(what: str) -> Callable[[Callable[P, str]], Callable[P, str]]:
    """For what does something and returns what is said of it: where it fails, it returns why. `what` is what failed
    then, for the log."""

    def decorated(function: Callable[P, str]) -> Callable[P, str]:
        @wraps(function)
        def done(*arguments: P.args, **named: P.kwargs) -> str:
            try:
                return function(*arguments, **named)
            except Exception as error:
                return explained(error, what)

        return done

    return decorated


def explains_in_modal(what: str, title: str) -> Callable[[Callable[P, View]], Callable[P, View]]:
    """For what makes a modal: where it fails, it returns one with that title that says why."""

    def decorated(function: Callable[P, View]) -> Callable[P, View]:
        @wraps(function)
        def made(*arguments: P.args, **named: P.kwargs) -> View:
            try:
                return function(*arguments, **named)
            except Exception as error:
                return said(title, explained(error, what))

        return made

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
