"""`almanac profile`: somebody's whole history, in the form that is wanted."""

from __future__ import annotations

from bot.commands.options import AnswerOptions
from bot.commands.questions import open_queries
from bot.commands.rendering import as_json, in_form
from bot.errors import AlmanacError
from bot.settings import Settings


def profile(settings: Settings, person: str, options: AnswerOptions) -> str:
    """The profile of a person in a form. Raises AlmanacError where nobody is named, or nobody is called so."""
    if not person.strip():
        raise AlmanacError('whose profile? name somebody, as in: almanac profile "Ada Lovelace"')
    queries = open_queries(settings, options.zone)
    document = queries.profile(person, repositories=options.repositories)
    if options.form == "json":
        return as_json(document)
    return in_form(settings, [document], options.form, queries.pages())
