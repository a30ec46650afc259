"""What is said where something fails, and what is in the log of it."""

from __future__ import annotations

import logging

import pytest

from bot.errors import AlmanacError, StoreUnavailable
from bot.slack.failures import UNKNOWN_BUTTON, explained, explains, explains_in_modal, sentence
from bot.slack.request import SORRY, AccessRefused


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (AlmanacError("there is no such digest any more"), "There is no such digest any more."),
        (AlmanacError("ada@example.com is yours already"), "ada@example.com is yours already."),
        (AlmanacError("Which Dave: Dave Kim or Dave Okafor?"), "Which Dave: Dave Kim or Dave Okafor?"),
        (AccessRefused("Ask me directly.", privately=True), "Ask me directly."),
        (KeyError("sha"), UNKNOWN_BUTTON),
        (RuntimeError("a bug"), SORRY),
    ],
)
def test_each_failure_is_one_sentence(error: Exception, said: str) -> None:
    assert explained(error, "a modal could not be filled") == said


def test_what_is_said_to_be_in_the_log_is_there(caplog: pytest.LogCaptureFixture) -> None:
    """And the sentence says nothing of the machine."""
    with caplog.at_level(logging.WARNING):
        said = explained(StoreUnavailable("/srv/almanac.db: disk I/O error"), "a modal could not be filled")
    assert said == "My database cannot be used, and why is in my log."
    assert "a modal could not be filled: /srv/almanac.db: disk I/O error" in caplog.text


def test_what_is_explained_is_returned() -> None:
    @explains("it was not done")
    def done(fails: bool) -> str:
        if fails:
            raise AlmanacError("not yours to say")
        return "Done."

    @explains_in_modal("it was not made", "A month")
    def made() -> dict[str, object]:
        raise AlmanacError("not yours to see")

    assert (done(False), done(True)) == ("Done.", "Not yours to say.")
    view = made()
    assert view["title"]["text"] == "A month" and view["blocks"][0]["text"]["text"] == "Not yours to see."


def test_a_sentence_ends_once() -> None:
    assert sentence("there is nothing.") == "There is nothing."
