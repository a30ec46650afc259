"""The modals that are open before people's eyes, one upon another."""

from __future__ import annotations

from bot.workspace.model import Json

MOST_VIEWS = 3  # one that was opened and two that were pushed: docs.slack.dev/surfaces/modals


class Modals:
    """Each person's open modals by user id, the topmost last. `errors` are what a submission was answered with."""

    def __init__(self) -> None:
        self._open: dict[str, list[Json]] = {}
        self.errors: dict[str, dict[str, str]] = {}

    def of(self, user: str) -> list[Json]:
        """The modals a person has open, the topmost last."""
        return list(self._open.get(user, []))

    def top(self, user: str) -> Json:
        """The modal a person sees. LookupError where there is none."""
        if not self._open.get(user):
            raise LookupError(f"{user} has no modal open")
        return self._open[user][-1]

    def find(self, view_id: object, external_id: object = None) -> tuple[str, Json] | None:
        """The modal that is open under an id, and whose it is."""
        for user, views in self._open.items():
            for view in views:
                if view["id"] == view_id or (external_id and view.get("external_id") == external_id):
                    return user, view
        return None

    def open(self, user: str, view: Json) -> None:
        """Show a modal in the place of whatever is open."""
        self._open[user] = [view]
        self.errors.pop(user, None)

    def push(self, user: str, view: Json) -> None:
        """Show a modal upon what is open."""
        below = self.top(user)
        shown = {**view, "root_view_id": below["root_view_id"], "previous_view_id": below["id"]}
        self._open[user].append(shown)
        self.errors.pop(user, None)

    def has_room(self, user: str) -> bool:
        return len(self._open.get(user, [])) < MOST_VIEWS

    def replace(self, user: str, view: Json) -> None:
        """Show a modal anew, by its id, wherever it stands."""
        kept = ("root_view_id", "previous_view_id")
        self._open[user] = [
            {**view, **{key: one[key] for key in kept if key in one}} if one["id"] == view["id"] else one
            for one in self._open[user]
        ]
        self.errors.pop(user, None)

    def close(self, user: str, *, every: bool = False) -> list[Json]:
        """Take the topmost modal away, or every one, and return what was closed."""
        there = self._open.get(user, [])
        closed = list(reversed(there)) if every else there[-1:]
        self._open[user] = [] if every else there[:-1]
        self.errors.pop(user, None)
        return closed
