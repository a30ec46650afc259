"""`almanac month`, `profile` and `explain`: a query, then its document in the form that is wanted."""

from __future__ import annotations

from bot.ask.queries import EVERY
from bot.commands.house import House, as_json, in_form
from bot.commands.periods import span_meant
from bot.errors import AlmanacError


def month(house: House, person: str, when: str) -> str:
    """One developer's month or days, or several months newest first."""
    queries = house.queries
    try:
        months = span_meant(when, house.settings, queries.zone)
    except AlmanacError as error:
        raise AlmanacError(
            f'{error}; a name of several words goes into quotes: almanac month "Ada Lovelace"'
        ) from error
    documents = queries.month(person, months, most=EVERY, repositories=house.repositories)
    are_several = bool(months.months and not months.month)
    return in_form(house.settings, documents, house.form, queries.pages(), as_list=are_several)


def profile(house: House, person: str) -> str:
    """The profile of a person. Raises AlmanacError where nobody is named, or nobody is called so."""
    if not person.strip():
        raise AlmanacError('whose profile? name somebody, as in: almanac profile "Ada Lovelace"')
    document = house.queries.profile(person, repositories=house.repositories)
    return in_form(house.settings, [document], house.form, house.queries.pages())


def explain(house: House, sha: str) -> str:
    """Why a commit is in whose month."""
    (explanation,) = house.queries.explain([sha]).explained
    return as_json(explanation) if house.form == "json" else explanation.text
