"""`almanac month` and `ask`: what is shown, in the form that is wanted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from html import escape, unescape
from shlex import quote
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot.ask.answers import Reply, answer_document, cited, fitted, more_said
from bot.ask.queries import EVERY, Queries
from bot.ask.question import Choice
from bot.ask.question_document import typed, understood_document
from bot.ask.writer import Writer
from bot.commands.options import AnswerOptions
from bot.commands.periods import span_meant
from bot.commands.rendering import as_json, in_form, payloads
from bot.month.calendar import Days, MonthRange
from bot.settings import Settings
from bot.story.document_json import to_json
from bot.story.render import Templates, markdown, markdown_lines
from bot.story.wording import clean
from storage import Store

if TYPE_CHECKING:
    pass


def month(settings: Settings, person: str, when: str, options: AnswerOptions) -> str:
    """One developer's month or days, or several months newest first, in a form."""
    queries = open_queries(settings, options.zone)
    months = span_meant(when, settings.now(), queries.zone, settings.sprint)
    documents = queries.month(person, months, most=EVERY, repositories=options.repositories)
    if options.form == "json":
        return as_json(documents[0] if isinstance(months, Days) or months.is_one else documents)
    return in_form(settings, documents, options.form, queries.pages())


def ask(
    settings: Settings,
    question: str,
    asker: str | None,
    thread: dict[str, Any] | None,
    after: Sequence[str],
    options: AnswerOptions,
    *,
    parse: bool = False,
) -> str:
    """What is answered to a question, in the thread of those that it is asked `after`, or what was understood of it."""
    from bot.ask.answers import answered, answered_by_model, understood
    from bot.ask.known import Thread

    queries = open_queries(settings, options.zone)
    present = queries.present()
    person = queries.person(asker, MonthRange(present, present)) if asker else None
    about = Thread.of(thread)
    for earlier in after:
        about = answered(queries, understood(queries, earlier, asker=person, thread=about), about).thread or about
    asked = understood(queries, question, asker=person, thread=about)
    if options.repositories:
        asked = replace(asked, repositories=options.repositories)
    if parse:
        return as_json(understood_document(asked))
    reply = answered_by_model(queries, question, asked, about, asker=person) or answered(queries, asked, about)
    if options.form == "json":
        return as_json(answer_document(reply))
    return rendered(settings, reply, options.form, queries)


def explain(settings: Settings, sha: str, form: str, zone: ZoneInfo | None) -> str:
    """Why a commit is in whose month, as text or JSON."""
    (explanation,) = open_queries(settings, zone).explain([sha]).explained
    return as_json(to_json(explanation)) if form == "json" else explanation.text


def open_queries(settings: Settings, zone: ZoneInfo | None = None) -> Queries:
    store = Store(settings.database, must_exist=True, dates=settings.dates)
    writer = Writer(settings, store, warn=lambda line: print(f"almanac: {line}", file=sys.stderr))
    return Queries.of(store, settings, zone, writer=writer)


def rendered(settings: Settings, reply: Reply, form: str, queries: Queries) -> str:
    """A reply as text, Markdown, HTML, or the messages that Slack would get."""
    templates = Templates(settings.templates)
    form = "markdown" if form == "text" and "markdown" in reply.question.form else form
    if form == "slack" or reply.help:
        from bot.slack.messages import reply_messages

        messages = reply_messages(reply, templates, queries)
        return as_json(payloads(messages)) if form == "slack" else unescape("\n\n".join(one.text for one in messages))
    shown, left = fitted(reply, templates)
    texts = [shown.explanations.short()] if shown.explanations else []
    texts += ["\n".join(f"- {one.text} ({cited(one)})" for one in shown.sentences)] if shown.sentences else []
    if form == "html":
        parts = [f"<pre>{escape(one)}</pre>" for one in texts] + [
            templates.month(form, one, queries.pages()) for one in shown.documents
        ]
        words = [line for line in (reply.first, *(() if parts else reply.words.splitlines()), more_said(left)) if line]
        return templates.page(
            "Almanac",
            "\n".join(
                [
                    *(f"<p>{escape(clean(one))}</p>" for one in words[:1]),
                    *parts,
                    *(f"<p>{escape(clean(one))}</p>" for one in words[1:]),
                ]
            ),
        )
    texts += [templates.month(form, one, queries.pages()) for one in shown.documents]
    if len(shown.documents) == 1 and reply.first:  # which says what its heading does
        texts = [texts[0].partition("\n")[2].lstrip("\n")]
    fenced = [f"```\n{one}\n```" if form == "markdown" and shown.explanations else one for one in texts]
    parts = ["\n\n\n".join(fenced), _words(reply.words, form), _words(more_said(left), form)]
    if form == "text":
        parts.append("\n".join(_offered(one) for one in reply.choices))
    first = (f"# {markdown(reply.first)}\n" if form == "markdown" else clean(reply.first)) if reply.first else ""
    return "\n".join(filter(None, [first, "\n\n".join(filter(None, parts))]))


def _words(text: str, form: str) -> str:
    return markdown_lines(text) if form == "markdown" else "\n".join(map(clean, text.splitlines()))


def _offered(one: Choice) -> str:
    """What may have been meant, where there are no buttons."""
    return f"- {clean(one.label)}: almanac ask {quote(clean(typed(one.question)))}"
