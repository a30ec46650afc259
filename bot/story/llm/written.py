"""What a model wrote, as far as it holds: values. Every commit of the month is in one of its sentences or in `rest`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.model import Change, MonthFacts, Sentence
from bot.story.documents import RestDocument, WrittenDocument, WrittenPart
from bot.story.lines import called, reference_of
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
class WrittenStory:
    """A month, a digest's root or a profile in a model's words.

    `headline` is None where what the model gave does not hold, and of a profile, whose first item is its paragraph and
    whose others are its months, "2026-08" being the title. `replaced` counts sentences that did not hold and stand in
    plain words, or nowhere. `rest` are the commits that nothing else names, in order; all of them stand.
    """

    headline: Sentence | None
    items: tuple[WrittenItem, ...]
    attention: tuple[Sentence, ...] = ()
    impact: tuple[Sentence, ...] = ()
    rest: tuple[str, ...] = ()
    replaced: int = 0

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        own = (sentence for item in self.items for sentence in item.sentences)
        first = (self.headline,) if self.headline else ()
        return (*first, *own, *self.attention, *self.impact)


def written_document(written: WrittenStory, months: Sequence[MonthFacts]) -> WrittenDocument:
    """What was written, as a part of the document of what it tells."""
    by_sha = {sha: change for facts in months for change in facts.changes for sha in change.shas}

    def named(shas: Sequence[str]) -> list[Change]:
        return list({by_sha[sha].id: by_sha[sha] for sha in shas if sha in by_sha}.values())

    return WrittenDocument(
        headline=_cleaned(written.headline) if written.headline else None,
        items=tuple(map(_part, written.items)),
        attention=tuple(map(_cleaned, written.attention)),
        impact=tuple(map(_cleaned, written.impact)),
        named=tuple(map(reference_of, named([sha for one in written.sentences for sha in one.evidence]))),
        rest=tuple(map(_rest, named(written.rest))),
    )


def _part(item: WrittenItem) -> WrittenPart:
    lines = tuple(clean(sentence.text) for sentence in item.sentences)
    return WrittenPart(clean(item.title), clean(item.text), lines, item.evidence)


def _cleaned(sentence: Sentence) -> Sentence:
    return replace(sentence, text=clean(sentence.text))


def _rest(change: Change) -> RestDocument:
    one = reference_of(change)
    return RestDocument(one.ref, one.sha, one.repository, called(change), clean(change.shared_by))
