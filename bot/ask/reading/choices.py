"""Who and what a question may be about where that is not clear, as choices that are each the whole question. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice, product

from bot.ask.clarification import Missing, nobody, which_one
from bot.ask.known import Known
from bot.ask.question import Choice, Question
from bot.ask.reading.finds import Finds
from bot.ask.reading.names import Named
from bot.ask.reading.time_words import LEADS
from bot.ask.reading.vocabulary import month_number
from bot.model import Person
from bot.month.calendar import NAMES, Days
from bot.story.wording import clean, listed

MOST_CHOICES = 5  # as many as stand in one row of buttons
MOST_NAMED = 3  # who can be asked about, where nobody is near a name
NOT_UNDERSTOOD = "I did not understand that."
WHO_ARE_YOU = (
    "I do not know which author you are in git: ask with your name as it stands in your commits, or have your "
    "Slack id put beside your name in almanac.toml."
)


class Choices:
    """Asks back among the people and repositories that are known."""

    def __init__(self, known: Known) -> None:
        self._known, self._directory = known, known.directory
        self._called = known.directory.called

    def slots(
        self, named: Sequence[Named], finds: Finds, is_mine: bool, when: Days
    ) -> list[tuple[str, tuple[Person, ...]]]:
        """For each who is asked about, what was said, and the people it may be; bots are those of the time."""
        slots: list[tuple[int, str, tuple[Person, ...]]] = []
        for one in named:
            if one.is_plural and not one.people:
                slots += [(one.first, p.name, (p,)) for p in self._bots(when)]
            elif one.is_plural:
                slots += [(one.first, p.name, (p,)) for p in one.people]
            else:
                people = self._known.narrowed(one.people, finds.when.span.months if finds.when.span else None)
                slots.append((one.first, self._directory.spelled(one.said), tuple(people) or one.people))
        if is_mine:
            if self._known.asker is None:
                raise Missing(WHO_ARE_YOU)
            me = next((n for n, w in enumerate(finds.text.words) if w.low in ("me", "my", "i", "mine", "myself")), 0)
            slots.append((me, "", (self._known.asker,)))
        return [(said, people) for _, said, people in sorted(slots, key=lambda slot: slot[0])]

    def _bots(self, when: Days) -> Sequence[Person]:
        """The machines that were active in a time, as digests count them."""
        if found := self._known.bots(when):
            return found
        raise Missing(f"No bot made a commit in {when.title}.")

    def settled(self, finds: Finds, slots: list[tuple[str, tuple[Person, ...]]], question: Question) -> Question:
        """The question, or what it may be where a name fits several people, or a word several repositories."""
        if several := [slot for slot in slots if len(slot[1]) > 1]:
            choices = []
            for some in islice(product(*(people[:MOST_CHOICES] for _, people in slots)), MOST_CHOICES):
                label = ", ".join(self._called(p) for p, slot in zip(some, slots, strict=True) if slot in several)
                people = tuple(dict.fromkeys(map(self._called, some)))
                choices.append(Choice(clean(label), replace(question, people=people)))
            raise Missing(which_one(*several[0]), choices)
        for word, names in finds.places.several.items():
            wheres = ((one, (*finds.repositories, one)) for one in names[:MOST_CHOICES])
            choices = [Choice(one, replace(question, repositories=where)) for one, where in wheres]
            raise Missing(f"Which {word}: {listed(names, 'or')}?", choices)
        return replace(question, found={self._called(people[0]): people[0] for _, people in slots})

    def month_or_name(self, finds: Finds) -> None:
        """Ask back where the one word of a text may be a month as well as somebody: "what about june?"."""
        text, names = finds.text, finds.names
        unsure = [n for n in names.unsure if text.word(n - 1) not in LEADS - {"about", "for"}]
        if len(unsure) != 1 or names.found or len([word for word in text.words if word.taken]) > 1:
            return
        word = text.words[unsure[0]]
        people = [self._called(person) for person in self._directory.exactly(word.low)]
        which = f"{clean(listed(people, 'or'))} or the month of {NAMES[(month_number(word.low) or 1) - 1]}"
        raise Missing(f"Which {word.raw.capitalize()}: {which}?", self._of(people, Question("month")))

    def nobody(self, said: str, finds: Finds, draft: Question) -> Missing:
        """What to say of a name that nobody has, with the nearest people."""
        choices = self._of(map(self._called, finds.names.offered(said)), draft)
        others = islice((one for one in self._directory.busiest if self._known.may_be_offered(one)), MOST_NAMED)
        return Missing(nobody(said, [one.label for one in choices], sorted(map(self._called, others))), choices)

    def no_team(self, finds: Finds) -> Missing:
        """What to say of a team that there is not, with those that there are."""
        everyone = Question("what_shipped", (), finds.when.span, finds.repositories)
        teams = list(islice(self._known.teams, MOST_CHOICES - 1))
        choices = [Choice(clean(one), replace(everyone, topic=one)) for one in teams]
        known = f"Teams are {clean(listed(teams))}." if teams else "almanac.toml names no [[teams]]."
        said = f"I know no team called “{clean(finds.places.unknown_team)[:80]}”. {known}"
        return Missing(said, [*choices, Choice("Everyone", everyone)])

    def whose(self, draft: Question) -> Missing:
        if not (draft.span or draft.repositories or draft.intent != "month"):
            return Missing(NOT_UNDERSTOOD)
        asker = self._known.asker
        choices = self._of([self._called(asker)] if asker else [], draft)
        if draft.intent in ("month", "changes"):
            everyone = "what_shipped" if draft.intent == "month" else draft.intent
            choices.append(Choice("Everyone", replace(draft, intent=everyone)))
        return Missing("Whose month do you mean? Name somebody.", choices)

    def alternatives(self, finds: Finds, question: Question) -> tuple[Choice, ...]:
        """The same question of those who may be meant instead of who was taken for a name with a slip."""
        choices = []
        for one in (named for named in finds.names.found if named.is_near):
            taken = self._called(one.people[0])
            for other in map(self._called, one.others):
                if taken in question.people:
                    people = tuple(other if name == taken else name for name in question.people)
                    choices.append(Choice(clean(other), replace(question, people=people)))
        return tuple(choices[:MOST_CHOICES])

    def _of(self, names: Iterable[str], draft: Question) -> list[Choice]:
        return [Choice(clean(name), replace(draft, people=(name,))) for name in names]
