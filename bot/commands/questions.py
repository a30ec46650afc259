"""`almanac month` and `ask`: what is shown, in the form that is wanted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from html import escape, unescape
from shlex import quote
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot.ask.queries import EVERY, Queries
from bot.ask.question import Choice, Question
from bot.ask.question_document import understood_document
from bot.ask.reply import Reply, said_first
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
    from bot.slack.blocks import Message


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
    options: AnswerOptions,
    *,
    parse: bool = False,
) -> str:
    """What is answered to a question, or what was understood of it."""
    from bot.ask.known import Thread

    queries = open_queries(settings, options.zone)
    present = queries.present()
    person = queries.person(asker, MonthRange(present, present)) if asker else None
    about = Thread.of(thread)
    understood = queries.question(question, asker=person, thread=about)
    if options.repositories:
        understood = replace(understood, repositories=options.repositories)
    if parse:
        return as_json(understood_document(understood))
    reply = queries.reply(understood, about)
    form = "markdown" if options.form == "text" and "markdown" in understood.form else options.form
    if form != "json":
        return rendered(settings, reply, form, queries)
    assumed = {"assumed": list(reply.assumed)} if reply.assumed else {}
    documents = [reply.explanation] if reply.explanation else reply.documents
    return as_json([to_json(document) | assumed for document in documents])


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
    if form == "slack" or not reply.documents:
        from bot.slack.messages import reply_messages

        messages = reply_messages(reply, Templates(settings.templates), queries, charts=settings.slack.charts)
        if form == "slack":
            return as_json(payloads(messages))
        words = _words(reply, form, messages)
        return Templates(settings.templates).page("Almanac", words) if form == "html" else words
    first, offered = said_first(reply.assumed), []
    text = in_form(settings, reply.documents, form, queries.pages(), first)
    if form == "html":
        return text
    if first and form == "text":
        offered = [_offered(one) for one in reply.question.choices]
    first = "\n".join(filter(None, [markdown(first) if form == "markdown" else first, *offered]))
    text = f"{first}\n\n{text}" if first else text
    return "\n\n\n".join(filter(None, [text, reply.words]))


def _offered(one: Choice) -> str:
    """What may have been meant, where there are no buttons."""
    return f"- {clean(one.label)}: {_command(one.question)}"


def _command(question: Question) -> str:
    """The command that asks a question."""
    from bot.ask.question_document import typed

    return f"almanac ask {quote(clean(typed(question)))}"


def _words(reply: Reply, form: str, messages: Sequence[Message]) -> str:
    """A reply in words alone; the help is written for Slack, where three signs are escaped."""
    if reply.explanation:
        text = "\n".join(filter(None, [said_first(reply.assumed), reply.words]))
        return {"html": f"<pre>{escape(text)}</pre>", "markdown": f"```\n{text}\n```"}.get(form, text)
    text = (
        unescape("\n\n".join(message.text for message in messages))
        if reply.help
        else "\n".join(map(clean, reply.words.splitlines()))
    )
    text = "\n".join(filter(None, [clean(said_first(reply.assumed)), text]))
    if form == "text" and reply.choices:  # where there are no buttons
        text = "\n".join([text, *map(_offered, reply.choices)])
    paragraphs = "\n".join(f"<p>{escape(line)}</p>" for line in text.split("\n") if line)
    return {"html": paragraphs, "markdown": text if reply.help else markdown_lines(text)}.get(form, text)
