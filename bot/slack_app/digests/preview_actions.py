"""What somebody says of their part of a digest before it is posted → what is kept, and their message shown anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from bot.digest import preview_messages as previews
from bot.digest.preview_messages import PreviewOrigin
from bot.digest.preview_rules import fitting
from bot.digest.previews import PreviewRequests, preview_key
from bot.errors import AlmanacError
from bot.month.calendar import Days
from bot.slack import correcting, forms
from bot.slack.answer_actions import Action
from bot.slack.answering import Answering, Request
from bot.slack.blocks import Message
from bot.slack.buttons import written
from bot.slack.correcting import Origin
from bot.slack.dialogs import Dialogs
from bot.slack.ephemeral import Ephemeral
from bot.slack.failures import explained
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

    def answer(self, press: Action, answer: Answer) -> str:
        """Keep that a part is right, or that somebody is to be left out."""

        def done() -> str:
            self._must_be_open(press.value)
            if not self._store.previews.answer(press.value, press.user, answer, self._now()):
                raise AlmanacError(NOT_YOURS)
            return previews.SAID[answer]

        return self._done(press, done)

    def never(self, press: Action) -> str:
        """Ask somebody no more; what they said of this digest stays."""

        def done() -> str:
            self._store.previews.unask(press.user, self._now())
            return previews.NEVER_AGAIN

        return self._done(press, done)

    def _done(self, press: Action, done: Callable[[], str]) -> str:
        """Do it, and say in the message that it is done, or why not."""
        said = _said(done)
        shown = Message(press.text or "Your part", tuple(dict(block) for block in press.blocks))
        self._ephemeral.change(press.channel, press.ts, previews.answered(shown, said))
        return said

    # modals

    def correcting(self, user: str, where: PreviewOrigin) -> forms.View:
        """The modal that asks what is wrong with somebody's part."""
        try:
            self._must_be_open(where.digest)
            self._preview_requests.part(where.digest, user)  # whose it is
            digest = self._preview_requests.digest(where.digest)
            view = self._answering.context(Request(user, where.channel, alone=True))
            repositories = tuple(digest.subscription.repositories)
            question = replace(
                self._answering.parsed("my month", view), span=Days.of(digest.period), repositories=repositories
            )
            origin = Origin(written(question), where.channel, where.ts, None, False, digest=where.digest)
            return self._dialogs.correction(user, origin)
        except Exception as error:
            return forms.said(correcting.TITLE, explained(error, FAILED))

    def noting(self, user: str, where: PreviewOrigin) -> forms.View:
        try:
            self._must_be_open(where.digest)
            said = self._store.previews.one(where.digest, user)
            if said is None:
                raise AlmanacError(NOT_YOURS)
            return previews.noting(where, said.note)
        except Exception as error:
            return forms.said(previews.NOTE_TITLE, explained(error, FAILED))

    def note(self, user: str, where: PreviewOrigin, words: str) -> str:
        """Keep somebody's own words."""

        def done() -> str:
            self._must_be_open(where.digest)
            if not self._store.previews.note(where.digest, user, fitting(words), self._now()):
                raise AlmanacError(NOT_YOURS)
            return previews.NOTED[bool(fitting(words))]

        said = _said(done)
        self.show_anew(user, where, said)
        return said

    def show_anew(self, user: str, where: PreviewOrigin, said: str) -> None:
        """Show the messages of a part as it is now, with what was just said. Those that are not needed any more say
        so."""
        try:
            self._must_be_open(where.digest)
            messages = self._preview_requests.part(where.digest, user)
        except (AlmanacError, ValueError):
            return
        messages[0] = previews.answered(messages[0], said)
        self._ephemeral.change(where.channel, where.ts, messages[0])
        others = list(self._store.outbox.parts(preview_key(where.digest, user)))[1:]
        for number, key in enumerate(others, 1):
            nothing = Message(previews.NOTHING_LEFT, (forms.words(previews.NOTHING_LEFT),))
            post = self._store.outbox.get(key)
            if post and post.ts:
                shown = messages[number] if number < len(messages) else nothing
                self._ephemeral.change(where.channel, post.ts, shown)

    def _must_be_open(self, digest: str) -> None:
        if not self._preview_requests.is_open(digest):
            raise AlmanacError(previews.TOO_LATE.rstrip("."))


def _said(done: Callable[[], str]) -> str:
    try:
        return done()
    except Exception as error:
        return explained(error, FAILED)
