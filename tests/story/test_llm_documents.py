"""What a model wrote as a part of a document: told in every form, with every change, and rendered again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from bot.ask.writer import Writer
from bot.month.calendar import Month
from bot.month.credits import BOTS
from bot.month.facts import FactsContext, MonthFacts
from bot.settings import ModelSettings, Settings
from bot.slack.render import document_messages
from bot.story.digest import month_digest
from bot.story.documents import AreaDocument, CountedDocument, DigestDocument, Document, MonthDocument, NotableDocument
from bot.story.llm.write import LONGEST_POST
from bot.story.month import month_document
from bot.story.render import Templates
from storage import Store
from tests.a_model import AModel, says
from tests.story.writing_months import (
    CHUNKS,
    COMMITS,
    GOOD,
    HEADLINE,
    MEASURED,
    MENDED,
    NOW,
    PARSER,
    STREAMS,
    facts_of,
    said,
)
from tests.values import ADA, ENGINE, UTC_ZONE, commit, indexed

Told = MonthDocument | DigestDocument
Sort = Literal["month", "digest"]
SORTS: tuple[Sort, ...] = ("month", "digest")
CACHE = commit("Move the cache (#14)", at="2025-10-09 12:00", sha="d" * 40)  # which no reply names
MERGE = commit("Merge branch 'cache'", at="2025-10-20 12:00", merge=True, sha="f" * 40)
MONTH = facts_of(*COMMITS, CACHE, MERGE)


def document_of(sort: Sort, facts: MonthFacts) -> Told:
    """What is shown without a model."""
    if sort == "month":
        return month_document(facts)
    context = FactsContext(UTC_ZONE, [indexed(ENGINE)], NOW)
    return month_digest("acme", Month(2025, 10), [ADA], facts.commits, context, BOTS).document


def overlaid(sort: Sort, store: Store, answer: Any, facts: MonthFacts = MONTH) -> Told:
    """The same with what a model wrote of it."""
    with AModel(says(answer)) as server:
        settings = Settings(model=ModelSettings(address=server.address, name="small"))
        writer = Writer(settings, store)
        return writer.written(sort, [facts], document_of(sort, facts), writer.until(), "Ada Lovelace")


def forms_of(document: Document) -> dict[str, str]:
    templates = Templates()
    told = {form: templates.month(form, document) for form in ("text", "markdown", "html")}
    return told | {"slack": "\n".join(one.text for one in document_messages([document], templates))}


@pytest.mark.parametrize("sort", SORTS)
def test_what_was_written_is_told_in_every_form_with_what_it_does_not_name(sort: Sort, store: Store) -> None:
    document = overlaid(sort, store, GOOD)
    written = document.written
    assert written and [one.ref for one in written.rest] == ["#14"]
    sentences = [one["text"].rstrip(".") for one in (STREAMS, MENDED, MEASURED, HEADLINE)]
    told = forms_of(document)
    bare = forms_of(replace(document, written=replace(written, rest=())))
    for form, text in told.items():
        assert all(sentence in text for sentence in sentences), form
        assert any("#14" in line for line in set(text.splitlines()) - set(bare[form].splitlines())), form


def test_what_stands_in_its_authors_words_is_below_a_heading_of_its_own(store: Store) -> None:
    wrong = said("The cache is 40 times faster.", 3)
    twice = [STREAMS, said("The chunks have 64 KiB (#12).", 1)]
    answer = {**GOOD, "items": [{"title": "Checkpoint", "sentences": twice}, {"title": "Cache", "sentences": [wrong]}]}
    told = Templates().month("text", overlaid("month", store, answer))
    assert told.index("\nCheckpoint\n") < told.index("\nMore\n") < told.index("Move the cache")


@pytest.mark.parametrize("sort", SORTS)
def test_the_longest_reply_is_kept_and_a_teams_is_cut_to_a_post(sort: Sort, store: Store) -> None:
    subjects = [f"Move part {n} of the cache, {'which is far ' * 9}(#{n})" for n in range(20, 60)]
    many = [commit(subject, at="2025-10-09 12:00") for subject in subjects]
    long = said(f"The checkpoint is streamed from disk{', in chunks of 64 KiB' * 16} (#12).", 1)
    wrong = said("The cache is 40 times faster.", *range(3, 43))
    rows = [long] * 16 + [wrong]
    answer = {**GOOD, "items": [{"title": "", "sentences": rows}, {"title": "", "sentences": [wrong]}]}
    facts = facts_of(*COMMITS, *many)
    document = overlaid(sort, store, answer, facts)
    assert overlaid(sort, store, "nothing, since it is kept", facts) == document
    assert document.written
    texts = [one.text for one in document.written.items]
    named = sum(text.count("Move part") for text in texts)
    assert long["text"] in texts[0] and named + len(document.written.rest) >= len(many)
    assert named == len(many) if sort == "month" else sum(map(len, texts)) <= LONGEST_POST


def test_without_an_answer_the_document_is_as_it_was(store: Store) -> None:
    assert overlaid("month", store, "no") == document_of("month", MONTH)


def test_a_team_is_told_below_the_areas_of_its_plain_post(store: Store) -> None:
    plain = document_of("digest", MONTH)
    assert isinstance(plain, DigestDocument)
    shas = [one.sha for one in (PARSER, CHUNKS, CACHE)]
    areas = [AreaDocument(name, "acme/engine", 1, (), (), (sha,)) for name, sha in zip("PQ", shas, strict=False)]
    counted = (CountedDocument("tests", 1, (CACHE.sha,)),)
    with AModel(says(GOOD)) as server:
        settings = Settings(model=ModelSettings(address=server.address, name="small"))
        writer = Writer(settings, store)
        plain = replace(plain, areas=tuple(areas), also=(), counted=counted, released="Released 2.1 (3 Oct).")
        told = writer.written("digest", [MONTH], plain, writer.until(), "acme")
    assert told.written
    prompt = server.prompts[0]
    order = ["--- P", PARSER.subject, "--- Q", CHUNKS.subject, "--- tests", CACHE.subject]
    assert [prompt.index(one) for one in order] == sorted(prompt.index(one) for one in order)
    assert "Released 2.1 (3 Oct)." in prompt


def test_the_opening_of_a_teams_post_may_name_its_releases_and_no_other(store: Store) -> None:
    plain = document_of("digest", MONTH)
    assert isinstance(plain, DigestDocument)
    plain = replace(plain, notable=(NotableDocument("released", "v2.1.0", "2025-10-03", (CHUNKS.sha,)),))
    for text, is_told in (("2.1.0 came out, and checkpoints are streamed.", True), ("2.1.1 came out.", False)):
        with AModel(says({**GOOD, "headline": said(text, 1)})) as server:
            writer = Writer(Settings(model=ModelSettings(address=server.address, name=f"small {is_told}")), store)
            told = writer.written("digest", [MONTH], plain, writer.until(), "acme")
        assert told.written and (told.written.headline is not None) is is_told
