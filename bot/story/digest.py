"""The months of several people → a channel's digest. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Dates, Digest, Item, MonthFacts, Person, Repository, Sentence, Story
from bot.month.calendar import Period
from bot.month.corrections import NOTHING_SAID, Corrections
from bot.month.facts import all_changes, by_repository, month_facts, state_of_index
from bot.month.histories import History, by_commit, histories_of
from bot.month.names import Names, as_signed
from bot.month.people import by_author, in_order, is_bot
from bot.story.corrected import by_hand
from bot.story.grouping.themes import Theme, themes
from bot.story.grouping.traits import TraitsOnce
from bot.story.headline import about, kinds_among
from bot.story.items import REST, Items
from bot.story.proving.proof import Proof
from bot.story.standing import state_counts, stayed
from bot.story.story import month_story
from bot.story.wording import clean, count, ended, listed, when

MOST_THEMES = 6  # of a team that are told; everyone's own changes follow
MOST_NAMED = 5  # people of a theme
_UNTOLD = Story(Sentence("", ()), ())


def month_digest(
    title: str,
    month: Period,
    zone: ZoneInfo,
    people: Sequence[Person],
    commits: Sequence[Commit],
    repositories: Sequence[Repository],
    now: datetime,
    bots: Sequence[str],
    team: Sequence[Person] | None = None,
    histories: Mapping[tuple[str, str], History] | None = None,
    names: Names = as_signed,
    dates: Dates = "author",
    corrections: Corrections = NOTHING_SAID,
    briefly: bool = False,
) -> Digest:
    """The digest of a month: everyone who is active in it by `dates`, in order of name, or only a team's people.

    Machines are left out and counted in a note. Nobody is ranked.
    """
    theirs = by_author(people, commits)
    machines = {person for person in theirs if is_bot(person, bots)}
    told = in_order(p for p in theirs if p not in machines and (team is None or p in team))
    whole = by_commit(histories_of(commits)) if histories is None else histories
    every = [
        month_facts(
            p, month, zone, theirs[p], repositories, now,
            histories=whole, names=names, dates=dates, corrections=corrections,
        )
        for p in told
    ]  # fmt: skip
    months = [facts for facts in every if facts.commits or not facts.hidden]
    notes = list(state_of_index(repositories))
    if team is None and machines:
        by_machines = len({commit.sha for machine in machines for commit in theirs[machine]})
        notes.append(of_machines(machines, by_machines))
    to_date = not month.is_over(now, zone)
    proof = Proof.of(*months)
    read = TraitsOnce()
    shared = list(_themes(months, proof, read))
    stories = [(facts, _UNTOLD if briefly else month_story(facts, read)) for facts in months]
    return Digest(
        title=title,
        month=month,
        zone=zone.key,
        to_date=to_date,
        headline=_headline(month, to_date, months, [item for _, item in shared], proof),
        months=tuple(stories),
        notes=tuple(notes),
        dates=dates,
        themes=tuple(_told(shared, months)),
        summaries=() if briefly else tuple(_summaries(stories)),
        untold=tuple(facts for facts in every if facts.hidden and not facts.commits),
    )


def of_machines(machines: Iterable[Person], commits: int) -> str:
    """What a digest of everyone says of the commits of machines, which it does not tell."""
    called = sorted({clean(one.name) for one in machines})
    left = f"{count(commits, 'commit')} by {listed(called)} {'is' if commits == 1 else 'are'} left out"
    return f"{left}, as {'one of a machine' if commits == 1 else 'those of machines'}."


def _headline(
    month: Period, to_date: bool, months: Sequence[MonthFacts], items: Sequence[Item], proof: Proof
) -> Sentence:
    at = when(month, to_date)
    commits = tuple(dict.fromkeys(commit.sha for facts in months for commit in facts.commits))
    if not commits:
        return Sentence(f"No commits {at}.", ())
    where = listed([clean(repository.name) for repository, _, _ in by_repository(months)])
    every = all_changes(months)
    makers = count(sum(bool(facts.changes) for facts in months), "person", "people")
    others = count(sum(not facts.changes for facts in months), "person", "people")
    changes, kinds = count(len(every), "change"), kinds_among(every)
    if not every:
        text = f"{others} merged branches in {where} {at}."
    else:
        text = ended(f"{makers} made {changes} in {where} {at}{about(items, _texts(every), every)}")
        text += f" {not_all}" if (not_all := stayed(every, to_date, month)) else kinds
        if others != "0 people":
            text += f" {others} only merged branches."
    said = (word for change in every for word in by_hand(change))
    computed = (at, makers, others, changes, kinds, where, *state_counts(every), *said)
    plain = f"{makers} made {changes} {at}." if every else f"The month's work {at}."
    return proof.said(Sentence(text, commits), plain, computed)


def _texts(changes: Sequence[Change]) -> list[str]:
    return [one.subject for change in changes for one in change.commits]


def _themes(months: Sequence[MonthFacts], proof: Proof, read: TraitsOnce) -> Iterator[tuple[Theme, Item]]:
    """What was worked on across people, the weightiest first. What was taken out again is told with its people."""
    stayed_in = [change for change in all_changes(months) if change.state != "backed_out" and change.kind != "revert"]
    if not months or len(stayed_in) < 2:
        return
    items = Items(months[0], proof)
    for theme in themes(stayed_in, read=read)[:MOST_THEMES]:
        if not theme.is_rest:
            yield theme, items.of(theme, most=1)


def _told(shared: Sequence[tuple[Theme, Item]], months: Sequence[MonthFacts]) -> Iterator[Item]:
    """The themes with the first that was done for each, and who did it."""
    whose: dict[str, dict[str, None]] = {}
    for facts in months:
        for change in facts.changes:
            whose.setdefault(change.id, {}).setdefault(clean(facts.person.name))
    for theme, item in shared:
        others, by = theme.changes[1:], _named(theme.changes[:1], whose)
        more = count(len(others), "more change")
        if not others:
            done = f"Done by {by}."
        elif _named(others, whose) == by:
            done = f"Done by {by}, with {more}."
        else:
            done = f"Done by {by}; {more} with it {'is' if len(others) == 1 else 'are'} by {_named(others, whose)}."
        yield replace(item, sentences=(item.sentences[0], Sentence(done, item.evidence)))


def _named(changes: Sequence[Change], whose: Mapping[str, Mapping[str, None]]) -> str:
    names = list(dict.fromkeys(name for change in changes for name in whose[change.id]))
    more = [count(len(names) - MOST_NAMED, "other")] if len(names) > MOST_NAMED else []
    return listed([*names[:MOST_NAMED], *more])


def _summaries(stories: Sequence[tuple[MonthFacts, Story]]) -> Iterator[Sentence]:
    """A summary of each; who shares a name with another is called with an address."""
    names = Counter(clean(facts.person.name) for facts, _ in stories)
    several = len(by_repository([facts for facts, _ in stories])) > 1
    for facts, story in stories:
        name = clean(facts.person.name)
        known = names[name] > 1 and facts.person.addresses
        yield _summary(facts, story, f"{name} ({clean(known[0])})" if known else name, several=several)


def _summary(facts: MonthFacts, story: Story, called: str, *, several: bool) -> Sentence:
    """A person's month in two to four sentences: how much and on what, what stands out, what did not stay."""
    own = [change for change in facts.changes if not change.is_shared]
    commits = tuple(dict.fromkeys(commit.sha for commit in facts.commits))
    if not facts.changes:
        return story.headline
    made = f"made {count(len(own), 'change')}"
    if not own:
        made = f"shared in {count(len(facts.changes), 'change')} by others"
    where = f" in {listed([clean(one.name) for one in facts.repositories])}" if several else ""
    items = [item for item in story.items if item.title != REST and item.evidence[0] in _shas(facts.changes)]
    first = next((item for item in items if item.sentences), None)
    if first and len(facts.changes) == 1:
        said = [f"{called} {made}{where}.", *(sentence.text for sentence in first.sentences[:2])]
    else:
        said = [ended(f"{called} {made}{where}{about(items, _texts(facts.changes), own or facts.changes)}")]
        if not_all := stayed(own, facts.to_date, facts.month):
            said.append(not_all)
        if story.impact:
            said.append(story.impact[0].text)
        elif first and first.state == "landed":  # its first sentence is in its title, if there is another
            said.append(
                next((one for one in first.sentences[1:2] if not one.text.startswith("Also")), first.sentences[0]).text
            )
    said += [sentence.text for sentence in story.helped[:1]]
    evidence = (*commits, *(sha for one in story.helped[:1] for sha in one.evidence))
    return Sentence(" ".join(said), evidence)


def _shas(changes: Sequence[Change]) -> set[str]:
    return {sha for change in changes for sha in change.shas}
