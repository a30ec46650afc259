"""MonthFacts → Story: a headline, then the themes of the month, with every commit in them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from bot.model import Change, MonthFacts, Role, Sentence, Story
from bot.story.effects import effects_of, impact, led_by_what_was_measured
from bot.story.grouping.themes import Theme, themes
from bot.story.grouping.traits import Traits, traits_of
from bot.story.headline import headline
from bot.story.items import Items
from bot.story.merged import merges
from bot.story.proving.proof import Proof
from bot.story.standing import happened_later
from bot.story.wording import clean, count, listed, plain_title

HELPED: dict[Role, str] = {
    "reviewer": "Reviewed",
    "tester": "Tested",
    "reporter": "Reported what was mended in",
    "suggester": "Suggested",
    "helper": "Helped with",
}


def month_story(facts: MonthFacts, read: Callable[[Change], Traits] = traits_of) -> Story:
    """The story of a month. Every commit of it is in the evidence of an item, and every sentence was proved. Who tells
    its changes several times gives what has `read` them."""
    proof = Proof.of(facts)
    found = effects_of(facts.changes)
    items = Items(facts, proof, found)
    groups = _with_their_reverts(themes(facts.changes, facts.merges, read))
    groups = [_led_by_their_own(led_by_what_was_measured(group, found)) for group in _with_a_title(groups)]
    told = [items.of(theme) for theme in groups]
    about = [item for theme, item in zip(groups, told, strict=True) if not theme.is_rest]
    titles = {change.id: change.title or plain_title(change.lead.subject) for change in facts.changes}
    return Story(
        headline=headline(facts, about, proof),
        items=(*told, *merges(facts)),
        impact=tuple(impact(facts.changes, found, proof)),
        helped=tuple(_helped(facts)),
        later=tuple(happened_later(facts, titles)),
        replaced=proof.replaced,
    )


def _with_a_title(groups: Iterable[Theme]) -> Iterator[Theme]:
    """The themes; what somebody gave a title by hand is not among the rest, which has none for it."""
    for group in groups:
        named = [change for change in group.changes if change.title] if group.is_rest else []
        yield from (Theme((change,)) for change in named)
        if len(named) < len(group.changes):
            yield replace(group, changes=tuple(one for one in group.changes if one not in named)) if named else group


def _led_by_their_own(group: Theme) -> Theme:
    """The theme; where somebody else's change speaks for it, one of the person's own that is in it does instead."""
    own = next((change for change in group.changes if not change.is_shared), None)
    if group.is_rest or own is None or not group.lead.is_shared:
        return group
    return replace(group, changes=(own, *(change for change in group.changes if change is not own)))


def _with_their_reverts(groups: Sequence[Theme]) -> list[Theme]:
    """The themes; a change that is only the revert of all of one of them is told with it."""
    reverts = {change.id: change for group in groups for change in group.changes if change.kind == "revert"}
    joined: dict[str, Change] = {}
    found = []
    for group in groups:
        outs = {change.out.commit.sha if change.out else None for change in group.changes}
        revert = next((one for one in reverts.values() if outs == {one.lead.sha}), None)
        if revert and not group.is_rest:
            joined[revert.id] = revert
            group = replace(group, changes=(*group.changes, revert))
        found.append(group)
    kept = [
        replace(group, changes=tuple(one for one in group.changes if one.id not in joined or _is_out(group)))
        for group in found
    ]
    return [group for group in kept if group.changes]


def _is_out(group: Theme) -> bool:
    return group.changes[0].state == "backed_out"


def _helped(facts: MonthFacts) -> Iterator[Sentence]:
    """What the person did for others' commits, a sentence for each role."""
    for role, did in HELPED.items():
        of_role = [one for one in facts.helped if one.role == role]
        if not of_role:
            continue
        where = [
            f"{count(one.commits, 'commit')} by {count(one.people, 'other')} in {clean(one.repository)}"
            for one in of_role
        ]
        yield Sentence(f"{did} {listed(where)}.", tuple(dict.fromkeys(sha for one in of_role for sha in one.evidence)))
