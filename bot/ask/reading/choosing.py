"""Who and what a question may be about where that is not clear, as choices that are each the whole question. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice, product

from bot.ask.clarification import Missing, called, nobody_but, which_one
from bot.ask.known import Known
from bot.ask.reading.finds import Finds
from bot.ask.reading.names import Named
from bot.ask.reading.vocabulary import month_number
from bot.model import Choice, Person, Question
from bot.month.calendar import NAMES
from bot.story.wording import clean, listed

MOST_CHOICES = 5  # as many as stand in one row of buttons
WHO_ARE_YOU = (
    "I do not know which author you are in git: ask with your name as it stands in your commits, or have your "
    "Slack id put beside your name in almanac.toml."
)


class Choosing:
    """Asks back among the people and repositories that are known."""

    def __init__(self, known: Known) -> None:
        self.known, self.directory = known, known.directory

    def slots(self, named: Sequence[Named], finds: Finds, is_mine: bool) -> list[tuple[str, tuple[Person, ...]]]:
        """For each who is asked about, what was said, and the people it may be."""
        slots: list[tuple[int, str, tuple[Person, ...]]] = []
        for one in named:
            if one.is_plural:
                slots += [(one.first, p.name, (p,)) for p in one.people]
            else:
                people = self.known.narrowed(one.people, finds.when.span.months if finds.when.span else None)
                slots.append((one.first, self.directory.spelled(one.said), tuple(people) or one.people))
        if is_mine:
            if self.known.asker is None:
                raise Missing(WHO_ARE_YOU)
            me = next((n for n, w in enumerate(finds.text.words) if w.low in ("me", "my", "i", "mine", "myself")), 0)
            slots.append((me, "", (self.known.asker,)))
        return [(said, people) for _, said, people in sorted(slots, key=lambda slot: slot[0])]

    def settled(
        self, slots: list[tuple[str, tuple[Person, ...]]], made: Callable[[tuple[str, ...]], Question]
    ) -> Question:
        """The question, or what it may be where a name fits several."""
        if all(len(people) == 1 for _, people in slots):
            return made(tuple(dict.fromkeys(self.called(people[0]) for _, people in slots)))
        several = [slot for slot in slots if len(slot[1]) > 1]
        choices = []
        for some in islice(product(*(people[:MOST_CHOICES] for _, people in slots)), MOST_CHOICES):
            label = ", ".join(self.called(p) for p, (_, people) in zip(some, slots, strict=True) if len(people) > 1)
            choices.append(Choice(clean(label), made(tuple(dict.fromkeys(self.called(p) for p in some)))))
        raise Missing(which_one(*several[0]), choices)

    def which_repository(
        self, finds: Finds, slots: list[tuple[str, tuple[Person, ...]]], made: Callable[[tuple[str, ...]], Question]
    ) -> None:
        word, names = next(iter(finds.places.several.items()))
        question = self.settled(slots, made)
        choices = [
            Choice(one, replace(question, repositories=(*finds.repositories, one))) for one in names[:MOST_CHOICES]
        ]
        raise Missing(f"Which {word}: {listed(names, 'or')}?", choices)

    def month_or_name(self, finds: Finds) -> None:
        if other := [self.called(person) for person in finds.month_or_name()]:
            word = finds.text.words[finds.names.unsure[0]]
            month = NAMES[(month_number(word.low) or 1) - 1]
            choices = [Choice(clean(name), Question("month", (name,))) for name in other]
            raise Missing(
                f"Which {word.raw.capitalize()}: {clean(listed(other, 'or'))} or the month of {month}?", choices
            )

    def nobody(
        self, said: str, finds: Finds, intent: str, kinds: tuple[str, ...], named: Sequence[Named] = ()
    ) -> Missing:
        """What to say of a name that nobody has, with the nearest people."""
        near = finds.names.offered(said)
        choices = [
            Choice(clean(name), Question(intent, (name,), finds.when.span, finds.repositories, None, kinds))
            for name in map(self.called, near)
        ]
        return Missing(nobody_but(said, [one.label for one in choices]), choices)

    def instead(self, finds: Finds, question: Question) -> tuple[Choice, ...]:
        """The alternatives to who was taken for a name with a slip."""
        choices = []
        for one in (named for named in finds.names.found if named.is_near):
            taken = self.called(one.people[0])
            for other in map(self.called, one.others):
                if taken in question.people:
                    people = tuple(other if name == taken else name for name in question.people)
                    choices.append(Choice(clean(other), replace(question, people=people)))
        return tuple(choices[:MOST_CHOICES])

    def called(self, person: Person) -> str:
        return called(person, self.directory)
