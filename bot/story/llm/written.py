"""What a model wrote, as far as it holds: values. Every commit of the month is in one of its sentences or in `rest`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.model import MonthFacts, Sentence
from bot.story.document import Document, sentence_document
from bot.story.lines import called
from bot.story.states import ref_of
from bot.story.wording import clean


@dataclass(frozen=True, slots=True)
class WrittenItem:
    """A piece of work: a word or a few for it, which may be empty, and its sentences. The evidence is that of them all.

    Texts hold code in backticks and references as "(#12)"; nothing else in them is markup.
    """

    title: str
    sentences: tuple[Sentence, ...]

    @property
    def evidence(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sha for sentence in self.sentences for sha in sentence.evidence))

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


@dataclass(frozen=True, slots=True)
class Written:
    """A month, a digest's root or a profile in a model's words.

    `headline` is None where what the model gave does not hold, and of a profile, whose first item is its paragraph and
    whose others are its months, "2026-08" being the title. `replaced` counts sentences that did not hold and stand in
    plain words, or nowhere. `rest` are the commits that nothing else names, in order; all of them stand.
    """

    headline: Sentence | None
    items: tuple[WrittenItem, ...]
    fixed: tuple[Sentence, ...] = ()
    attention: tuple[Sentence, ...] = ()
    impact: tuple[Sentence, ...] = ()
    technologies: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    replaced: int = 0

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        own = (sentence for item in self.items for sentence in item.sentences)
        first = (self.headline,) if self.headline else ()
        return (*first, *own, *self.fixed, *self.attention, *self.impact)


def written_document(written: Written, months: Sequence[MonthFacts]) -> Document:
    """What was written, as a part of the document of what it tells: {"headline", "items", "fixed", "attention",
    "impact", "technologies", "rest"}; docs/json.md."""
    by_sha = {sha: change for facts in months for change in facts.changes for sha in change.shas}

    def named(shas: Sequence[str]) -> list[Document]:
        found = {by_sha[sha].id: by_sha[sha] for sha in shas if sha in by_sha}
        return [
            {"ref": ref_of(one.lead), "sha": one.lead.sha, "repository": clean(one.lead.repository)}
            for one in found.values()
        ]

    items = [{"title": clean(i.title), "text": clean(i.text), "evidence": list(i.evidence)} for i in written.items]
    return {
        **({"headline": sentence_document(written.headline)} if written.headline else {}),
        "items": items,
        "fixed": list(map(sentence_document, written.fixed)),
        "attention": list(map(sentence_document, written.attention)),
        "impact": list(map(sentence_document, written.impact)),
        "technologies": list(map(clean, written.technologies)),
        "named": named([sha for sentence in written.sentences for sha in sentence.evidence]),
        "rest": [
            {**one, "title": called(by_sha[one["sha"]]), "by": clean(by_sha[one["sha"]].shared_by)}
            for one in named(written.rest)
        ],
    }
