"""`almanac month` and `explain`, and the index that every command asks."""

from __future__ import annotations

import sys
from zoneinfo import ZoneInfo

from bot.ask.queries import EVERY, Queries
from bot.ask.writer import Writer
from bot.commands.options import AnswerOptions
from bot.commands.periods import span_meant
from bot.commands.rendering import as_json, in_form
from bot.month.calendar import Days
from bot.settings import Settings
from bot.story.document_json import to_json
from storage import Store


def month(settings: Settings, person: str, when: str, options: AnswerOptions) -> str:
    """One developer's month or days, or several months newest first, in a form."""
    queries = open_queries(settings, options.zone)
    months = span_meant(when, settings.now(), queries.zone, settings.sprint)
    documents = queries.month(person, months, most=EVERY, repositories=options.repositories)
    if options.form == "json":
        return as_json(documents[0] if isinstance(months, Days) or months.is_one else documents)
    return in_form(settings, documents, options.form, queries.pages())


def explain(settings: Settings, sha: str, form: str, zone: ZoneInfo | None) -> str:
    """Why a commit is in whose month, as text or JSON."""
    (explanation,) = open_queries(settings, zone).explain([sha]).explained
    return as_json(to_json(explanation)) if form == "json" else explanation.text


def open_queries(settings: Settings, zone: ZoneInfo | None = None) -> Queries:
    store = Store(settings.database, must_exist=True, dates=settings.dates)
    writer = Writer(settings, store, warn=lambda line: print(f"almanac: {line}", file=sys.stderr))
    return Queries.of(store, settings, zone, writer=writer)
