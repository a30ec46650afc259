"""What somebody says of their part of a digest before it is posted → what is kept, and their message shown anew."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from bot.digest import preview_messages as previews
from bot.digest.preview_requests import PreviewRequests, Shown, preview_key
from bot.digest.previews import fitting
from bot.errors import AlmanacError
from bot.month.corrections import YES, checked
from bot.slack import modals
from bot.slack.actions import Action
from bot.slack.answering import SORRY, Answering, Asked, Refused
from bot.slack.blocks import Message
from bot.slack.ephemeral import Ephemeral
from bot.slack_app.home.actions import sentence
from bot.story.wording import plain_title
from storage import Store
from storage.digests import Answer

log = logging.getLogger(__name__)

NOT_YOURS = "this is not yours to say"
CALLED = "“{before}” is called “{after}” from now on."
LEFT_OUT = "“{title}” is left out from now on."
NOTED = {True: "Your own words are shown with your part.", False: "No words of yours are shown."}


class PreviewActions:
    """Does what the buttons of a part mean. Its methods block, never raise, and any thread may call them. A press that
    is delivered again is for the caller to drop: something else may have been said since."""

    def __init__(
        self,
        preview_requests: PreviewRequests,
        answering: Answering,
        ephemeral: Ephemeral,
        store: Store,
        now: Callable[[], datetime],
    ) -> None:
        self._preview_requests = preview_requests
        self._answering = answering
        self._ephemeral = ephemeral
        self._store = store
        self._now = now

    # buttons

    def right(self, press: Action) -> str:
        return self._answer(press, "right")

    def skip(self, press: Action) -> str:
        return self._answer(press, "skip")

    def never(self, press: Action) -> str:
        """Ask somebody no more; what they said of this digest stays."""

        def done() -> str:
            self._store.previews.unask(press.user, self._now())
            return previews.NEVER_AGAIN

        return self._done(press, done)

    def mention(self, press: Action) -> str:
        """Have digests mention somebody, or name them again."""

        def done() -> str:
            if press.user in self._store.previews.mentioned():
                self._store.previews.only_name(press.user)
                return previews.NAMED
            self._store.previews.mention(press.user, self._now())
            return previews.MENTIONED

        return self._done(press, done, anew=True)

    def _answer(self, press: Action, answer: Answer) -> str:
        def done() -> str:
            self._must_be_open(press.value)
            if not self._store.previews.answer(press.value, press.user, answer, self._now()):
                raise AlmanacError(NOT_YOURS)
            return previews.SAID[answer]

        return self._done(press, done)

    def _done(self, press: Action, done: Callable[[], str], *, anew: bool = False) -> str:
        """Do it, and say in the message that it is done, or why not."""
        said = self._guarded(done)
        where = previews.Where(press.value, press.channel, press.ts)
        if not anew or not self._shown_anew(where, press.user, said):
            shown = previews.answered(previews.sent_back(press.text, press.blocks), said)
            self._ephemeral.change(press.channel, press.ts, shown)
        return said

    # modals

    def wording(self, user: str, where: previews.Where) -> modals.View:
        return self._view(previews.WORDING, lambda: previews.wording(where, self._part(where, user).document))

    def leaving(self, user: str, where: previews.Where) -> modals.View:
        return self._view(previews.LEAVE, lambda: previews.leaving(where, self._part(where, user).document))

    def noting(self, user: str, where: previews.Where) -> modals.View:
        def made() -> modals.View:
            self._must_be_open(where.digest)
            said = self._store.previews.one(where.digest, user)
            if said is None:
                raise AlmanacError(NOT_YOURS)
            return previews.noting(where, said.note)

        return self._view(previews.NOTE, made)

    def call(self, user: str, where: previews.Where, sha: str, title: str) -> str:
        """Call a change something else."""
        return self._corrected(user, where, sha, "title", title)

    def leave(self, user: str, where: previews.Where, sha: str) -> str:
        """Leave a change out."""
        return self._corrected(user, where, sha, "hidden", YES)

    def note(self, user: str, where: previews.Where, words: str) -> str:
        """Keep somebody's own words."""

        def done() -> str:
            self._must_be_open(where.digest)
            if not self._store.previews.note(where.digest, user, fitting(words), self._now()):
                raise AlmanacError(NOT_YOURS)
            return NOTED[bool(fitting(words))]

        return self._told(user, where, done)

    def _corrected(self, user: str, where: previews.Where, sha: str, field: str, value: str) -> str:
        def done() -> str:
            self._part(where, user)  # whose it is
            view = self._answering.view(Asked(user, where.channel, alone=True))
            corrector = view.almanac.corrector()
            one = corrector.of(sha)
            if not self._answering.may_correct_change(one, view):
                raise AlmanacError(NOT_YOURS)
            by = self._answering.called(view)
            title = one.change.title or plain_title(one.change.lead.subject)
            if field == "hidden":
                corrector.correct(one, "hidden", YES, by)
                return LEFT_OUT.format(title=title)
            corrector.correct(one, "title", checked("title", value), by)
            return CALLED.format(before=title, after=checked("title", value))

        return self._told(user, where, done)

    def _told(self, user: str, where: previews.Where, done: Callable[[], str]) -> str:
        said = self._guarded(done)
        self._shown_anew(where, user, said)
        return said

    # what both need

    def _part(self, where: previews.Where, user: str) -> Shown:
        """Somebody's part as it is now; AlmanacError where nothing can be said of it any more."""
        self._must_be_open(where.digest)
        return self._preview_requests.part(where.digest, user)

    def _must_be_open(self, digest: str) -> None:
        if not self._preview_requests.is_open(digest):
            raise AlmanacError(previews.TOO_LATE.rstrip("."))

    def _shown_anew(self, where: previews.Where, user: str, said: str) -> bool:
        """Show the messages of a part as it is now. Those that are not needed any more say so."""
        try:
            messages = self._part(where, user).messages
        except (AlmanacError, ValueError):
            return False
        messages[0] = previews.answered(messages[0], said)
        key = preview_key(where.digest, user)
        others = list(self._store.outbox.parts(key))[1:]
        done = self._ephemeral.change(where.channel, where.ts, messages[0])
        for number, other in enumerate(others, 1):
            post = self._store.outbox.get(other)
            nothing = modals.words(previews.NOTHING_LEFT)
            shown = messages[number] if number < len(messages) else Message(previews.NOTHING_LEFT, (nothing,))
            if post and post.ts:
                self._ephemeral.change(where.channel, post.ts, shown)
        return done

    def _view(self, sort: str, made: Callable[[], modals.View]) -> modals.View:
        views: list[modals.View] = []

        def done() -> str:
            views.append(made())
            return ""

        said = self._guarded(done)
        return views[0] if views else modals.said(previews.TITLES[sort], said)

    def _guarded(self, done: Callable[[], str]) -> str:
        try:
            return done()
        except Refused as refused:
            return str(refused)
        except AlmanacError as error:
            return sentence(error)
        except (ValueError, KeyError, TypeError, LookupError):
            log.warning("a press of somebody's part could not be read", exc_info=True)
            return "This button cannot be read any more."
        except Exception:
            log.exception("what was said of a part could not be done")
            return SORRY
