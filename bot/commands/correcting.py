"""`almanac correct`: what somebody says of a change by hand and undoes, and all that was said so far."""

from __future__ import annotations

import click

from bot.ask.correcting import Correctable, Logged
from bot.commands.house import House
from bot.commands.people import by, logged
from bot.errors import AlmanacError
from bot.model import Change, CorrectedField, Said
from bot.month.corrections import YES, checked
from bot.month.trailers import heading_of
from bot.story.lines import what_was_said
from bot.story.states import SHORT
from bot.story.wording import clean, plain_title, shortened

LONGEST_SUBJECT = 60
_GONE = "; no such commit is indexed, so it counts for nothing until one is"


def correct(
    house: House, sha: str | None, kind: str | None, title: str | None, *, hide: bool, undo: bool, listed: bool
) -> str:
    """What the command does, of which it takes one: say something of a change, undo it, or list what was said.

    Raises UsageError for any other wish, and AlmanacError in one line.
    """
    said: dict[CorrectedField, str | None] = {"kind": kind, "title": title, "hidden": YES if hide else None}
    wanted = {field: value for field, value in said.items() if value is not None}
    if (sha is None) != listed or (bool(wanted) + undo + listed) != 1:
        raise click.UsageError("say SHA with --kind, --title or --hide, or SHA with --undo, or --list alone")
    corrector = house.queries.corrector()
    if sha is None:
        return "\n".join(map(_log_line, corrector.log())) or "Nothing was corrected by hand."
    one = corrector.of(sha)
    if undo:
        back = corrector.undo(one, by())
        if back is None:
            raise AlmanacError(f"nothing that counts was said by hand of {_called(one.change)}")
        lines = [f"Undone: {_called(one.change)} {what_was_said(back)} (number {back.number})."]
    else:
        fit = {field: checked(field, value) for field, value in wanted.items()}
        lines = [_kept(corrector.correct(one, field, value, by()), one) for field, value in fit.items()]
    return "\n".join([*lines, _as_shown(corrector.of(sha))])


def _kept(said: Said, one: Correctable) -> str:
    return f"Noted: {_called(one.change)} {what_was_said(said)} (number {said.number})."


def _as_shown(one: Correctable) -> str:
    """How a change is shown now, and how it would be by the rules."""
    change = one.change
    if one.is_hidden:
        return f"It is left out of all months; `almanac correct {change.lead.sha[:SHORT]} --undo` undoes that."
    rule = f"by the rule “{one.before.rule}”"
    by = f"said by hand; {one.before.kind} {rule}" if change.rule != one.before.rule else rule
    title = f", called “{clean(change.title)}”, which is not proved" if change.title else ""
    whose = f" in the month of {clean(one.person.name)}" if one.person else ""
    return f"It is shown{whose} as {change.kind} ({by}){title}."


def _called(change: Change) -> str:
    return f"{change.lead.sha[:SHORT]} “{shortened(plain_title(heading_of(change.lead).line), LONGEST_SUBJECT)}”"


def _log_line(one: Logged) -> str:
    said, commit = one.correction, one.commit
    title = f" “{shortened(plain_title(commit.subject), LONGEST_SUBJECT)}”" if commit else ""
    sha = (commit.sha if commit else said.about)[:SHORT]
    return logged(said, f": {sha}{title} {what_was_said(said)}") + ("" if commit else _GONE)
