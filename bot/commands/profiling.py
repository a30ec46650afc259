"""`almanac profile`: somebody's whole history, in the form that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from bot.ask.profiles import every_month
from bot.commands.questions import open_queries
from bot.commands.rendering import as_json, in_form
from bot.errors import AlmanacError
from bot.settings import Settings


def profile(settings: Settings, person: str, form: str, repositories: Sequence[str], zone: ZoneInfo | None) -> str:
    """The profile of a person in a form. Raises AlmanacError where nobody is named, or nobody is called so."""
    if not person.strip():
        raise AlmanacError('whose profile? name somebody, as in: almanac profile "Ada Lovelace"')
    queries = open_queries(settings, zone)
    document = queries.profile(queries.person(person, every_month(queries.present())), repositories)
    return as_json(document) if form == "json" else in_form(settings, [document], form, queries.pages())
