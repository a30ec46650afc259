"""What somebody says of their part of a digest before it is posted → what is kept, and their message shown anew."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from bot.ask.question import Question
from bot.digest import preview_messages as previews
from bot.digest.preview_messages import PreviewOrigin
from bot.digest.preview_rules import fitting
from bot.digest.previews import PreviewRequests
from bot.errors import AlmanacError
from bot.month.calendar import Days
from bot.slack import correcting, forms
from bot.slack.answer_actions import Action
from bot.slack.answering import Answering
from bot.slack.blocks import Message
from bot.slack.buttons import written
from bot.slack.correcting import Origin
from bot.slack.dialogs import Dialogs
from bot.slack.ephemeral import Ephemeral
from bot.slack.failures import explains, explains_in_modal
from bot.slack.request import Request
from storage import Store
from storage.digests import Answer

NOT_YOURS = "this is not yours to say"
FAILED = "what was said of a part could not be done"


class PreviewActions:
    """Does what the buttons of a part mean. Its methods block, never raise, and any thread may call them. A press that
    is delivered again is for the caller to drop: something else may have been said since."""

    def __init__(
        self,
        preview_requests: PreviewRequests,
        answering: Answering,
        dialogs: Dialogs,
        ephemeral: Ephemeral,
        store: Store,
        now: Callable[[], datetime],
    ) -> None:
        self._preview_requests = preview_requests
        self._answering = answering
        self._dialogs = dialogs
        self._ephemeral = ephemeral
        self._store = store
        self._now = now

    @explains(FAILED)
    def answer(self, press: Action, answer: Answer) -> str:
        """Keep that a part is right, or that somebody is to be left out."""
        self._must_be_open(press.value)
        if not self._store.previews.answer(press.value, press.user, answer, self._now()):
            raise AlmanacError(NOT_YOURS)
        return previews.SAID[answer]

    @explains(FAILED)
    def never(self, press: Action) -> str:
        """Ask somebody no more; what they said of this digest stays."""
        self._store.preview_optouts.add(press.user, self._now())
        return previews.NEVER_AGAIN

    def say(self, press: Action, said: str) -> None:
        """Say in the message what came of a press."""
        shown = Message(press.text or "Your part", tuple(dict(block) for block in press.blocks))
        self._ephemeral.change(press.channel, press.ts, previews.answered(shown, said))

    # modals

    @explains_in_modal(FAILED, correcting.TITLE)
    def correcting(self, user: str, where: PreviewOrigin) -> forms.View:
        """The modal that asks what is wrong with somebody's part."""
        self._must_be_open(where.digest)
        self._preview_requests.part(where.digest, user)  # whose it is
        digest = self._preview_requests.digest(where.digest)
        view = self._answering.context(Request(user, where.channel, alone=True))
        if (person := view.reader.person) is None:
            raise AlmanacError(NOT_YOURS)
        name, repositories = view.queries.known.directory.called(person), tuple(digest.subscription.repositories)
        question = Question("month", (name,), Days.of(digest.period), repositories)
        origin = Origin(written(question), where.channel, where.ts, ephemeral=False, digest=where.digest)
        return self._dialogs.correction(user, origin)

    @explains_in_modal(FAILED, previews.NOTE_TITLE)
    def noting(self, user: str, where: PreviewOrigin) -> forms.View:
        """The modal in which they say something in their own words."""
        self._must_be_open(where.digest)
        said = self._store.previews.one(where.digest, user)
        if said is None:
            raise AlmanacError(NOT_YOURS)
        return previews.noting(where, said.note)

    def note(self, user: str, where: PreviewOrigin, words: str) -> str:
        """Keep somebody's own words, and show their message anew."""
        said = self._noted(user, where, fitting(words))
        self.show_anew(user, where, said)
        return said

    @explains(FAILED)
    def _noted(self, user: str, where: PreviewOrigin, words: str) -> str:
        self._must_be_open(where.digest)
        if not self._store.previews.note(where.digest, user, words, self._now()):
            raise AlmanacError(NOT_YOURS)
        return previews.NOTED[bool(words)]

    def show_anew(self, user: str, where: PreviewOrigin, said: str) -> None:
        """Show the message with the buttons as it is now, with what was just said. What did not fit into it stays as it
        was."""
        with suppress(AlmanacError, ValueError):
            self._must_be_open(where.digest)
            first = self._preview_requests.part(where.digest, user)[0]
            self._ephemeral.change(where.channel, where.ts, previews.answered(first, said))

    def _must_be_open(self, digest: str) -> None:
        if not self._preview_requests.is_open(digest):
            raise AlmanacError(previews.TOO_LATE.rstrip("."))
