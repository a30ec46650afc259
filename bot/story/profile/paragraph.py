"""WholeFacts → a paragraph on somebody's whole history, each sentence with its commits. Pure.

It has FEWEST_WORDS to MOST_WORDS where a history gives that much. What there is to say of it stands in `remarks`,
each remark from full to short; here it is chosen how much of each is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.model import Sentence
from bot.month.whole import WholeFacts
from bot.story.profile.areas import Area, areas
from bot.story.profile.remark import Remark, Slot
from bot.story.profile.remarks import remarks
from bot.story.proving.proof import Proof

FEWEST_WORDS, MOST_WORDS = 90, 110


def recurring(whole: WholeFacts) -> list[Area]:
    """The areas of a whole history, those with most changes first."""
    return sorted(areas(whole.own), key=lambda area: -len(area.changes))


def paragraph(whole: WholeFacts, found: Sequence[Area]) -> tuple[Sentence, ...]:
    """The sentences of a profile, `found` being the areas that recur. One that its proof refuses is not said."""
    proof = Proof.of(*whole.months)
    held = [_held(slot, proof) for slot in remarks(whole, found)]
    return tuple(Sentence(one.text, one.evidence) for one in _fitting([slot for slot in held if slot.lengths]))


def _held(slot: Slot, proof: Proof) -> Slot:
    """The lengths that are borne out."""
    pairs = zip(slot.lengths, slot.lost, strict=True)
    kept = [(one, lost) for one, lost in pairs if one is None or _holds(one, proof)]
    return Slot(tuple(one for one, _ in kept), tuple(lost for _, lost in kept))


def _holds(one: Remark, proof: Proof) -> bool:
    """Whether a remark is borne out; what rests on others' commits or on none, by what was counted alone."""
    sentence = Sentence(one.text, one.evidence)
    faults = proof.faults(sentence, one.computed, counted=one.is_counted)
    return not [fault for fault in faults if not fault.endswith(("no commit of the month", "rests on no commit"))]


def _fitting(slots: Sequence[Slot]) -> list[Remark]:
    """Of each thing the length with which the whole has the number of words it should, and the least is lost."""
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}  # by the number of words so far
    for slot in slots:
        longer: dict[int, tuple[float, tuple[int, ...]]] = {}
        for number, (lost, chosen) in best.items():
            for step, one in enumerate(slot.lengths):
                now = number + (len(one.text.split()) if one else 0)
                loss = lost + slot.lost[step]
                if now not in longer or loss < longer[now][0]:
                    longer[now] = loss, (*chosen, step)
        best = longer
    _, chosen = best[min(best, key=lambda number: (max(0, number - MOST_WORDS, FEWEST_WORDS - number), best[number]))]
    return [one for slot, step in zip(slots, chosen, strict=True) if (one := slot.lengths[step]) is not None]


def words(sentences: Sequence[Sentence]) -> int:
    """How many words a paragraph has: what stands between spaces."""
    return sum(len(one.text.split()) for one in sentences)
