"""The months of several people → a channel's digest: the team's month, then each person's. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Dates, Digest, MonthFacts, Person, Repository, Sentence
from bot.month.calendar import AnyPeriod
from bot.month.corrections import NOTHING_SAID, Corrections
from bot.month.facts import all_changes, by_repository, month_facts, state_of_index
from bot.month.histories import History, by_commit, histories_of
from bot.month.names import Names, as_signed
from bot.month.people import by_author, in_order, is_bot
from bot.story.document import Document, attention_document, chain, commits_of, line_document, measured_documents
from bot.story.groups import groups_of
from bot.story.month import month_story
from bot.story.parts import Item, Line, Story
from bot.story.states import ref_of
from bot.story.title import SHORT_CUTS, cut, title_of
from bot.story.topics import Topic, topics_of
from bot.story.weight import lines_of, weight_of
from bot.story.wording import clean, count, listed

MOST_THEMES, FEWEST_THEMES = 7, 5
FEW = 15  # changes of a team's month, of which each is told by its title
FEWEST_OF_TOPIC = 5
LONGEST_TITLE = 60
MOST_ALSO = 3  # further people of a theme that are named
ALSO_LINES = 50  # changed lines of the product from which on somebody is named with a theme
MOST_ATTENTION, MOST_MEASURED = 6, 3
# Characters of the lines of a team's month, which has 1,500 with its headings. Themes go before what needs attention
# and what was measured do, but for one.
LONGEST_ROOT, LEFT_FOR_THEMES = 1_300, 250

Tell = Callable[[Sequence[MonthFacts]], Sequence[Story]]


def plainly(months: Sequence[MonthFacts]) -> list[Story]:
    return [month_story(facts) for facts in months]


def month_digest(
    title: str,
    month: AnyPeriod,
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
    tell: Tell = plainly,
) -> Digest:
    """The digest of a month: everyone who is active in it by `dates`, in order of name, or only a team's people.

    Machines are left out and counted in a line. Nobody is ranked.
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
    stories = list(zip(months, [Story(())] * len(months) if briefly else tell(months), strict=True))
    root = _Root(stories, month)
    by_machines = len({commit.sha for machine in machines for commit in theirs[machine]})
    changes = all_changes(months)
    attention, measured = tuple(root.attention()), tuple(root.measured())
    themes, others = root.themes(changes)
    return Digest(
        title=title,
        month=month,
        zone=zone.key,
        to_date=not month.is_over(now, zone),
        headline=Sentence(
            _headline(months, changes), tuple(dict.fromkeys(c.sha for facts in months for c in facts.commits))
        ),
        months=tuple(stories),
        notes=tuple(state_of_index(repositories)),
        dates=dates,
        attention=attention,
        measured=measured,
        themes=tuple(themes),
        others=others,
        machines=of_machines(machines, by_machines) if team is None and machines else "",
        untold=tuple(facts for facts in every if facts.hidden and not facts.commits),
    )


def of_machines(machines: Iterable[Person], commits: int) -> str:
    """The line of a digest on the commits of machines, which it does not tell."""
    return f"Bots: {count(commits, 'commit')} by {count(len({one.name for one in machines}), 'account')}."


def _headline(months: Sequence[MonthFacts], changes: Sequence[Change]) -> str:
    commits = {commit.sha for facts in months for commit in facts.commits}
    if not commits:
        return "No commits."
    where = listed([clean(repository.name) for repository, _, _ in by_repository(months)])
    people = count(len(months), "person", "people")
    if not changes:
        return f"{people} merged branches in {where}."
    return f"{people}, {count(len(changes), 'change')} in {where}."


class _Root:
    """The team's month, from everyone's. Each change is its author's, and told once."""

    def __init__(self, stories: Sequence[tuple[MonthFacts, Story]], month: AnyPeriod) -> None:
        self._stories = stories
        self._month = month
        names = Counter(clean(facts.person.name) for facts, _ in stories)
        self._by: dict[str, str] = {}
        for facts, _ in stories:
            name = clean(facts.person.name)
            addresses = facts.person.addresses
            called = f"{name} ({clean(addresses[0])})" if names[name] > 1 and addresses else name
            for change in facts.changes:
                if not change.is_shared:
                    self._by.setdefault(change.id, called)
        self._room = LONGEST_ROOT

    def _lines(self) -> Iterator[tuple[Item, Line]]:
        seen: set[str] = set()
        for _, story in self._stories:
            for item in story.items:
                for line in item.lines:
                    if line.change.id in self._by and line.change.id not in seen:
                        seen.add(line.change.id)
                        yield item, line

    def attention(self) -> Iterator[Document]:
        """What was taken back, came back, was fixed later or turned tests off: the heaviest, in order of time."""
        found = [(item, line) for item, line in self._lines() if item.section == "attention"]
        found.sort(key=lambda one: (-lines_of(one[1].change.lead.files), one[1].change.lead.author.seconds))
        when = {line.change.lead.sha: line.change.lead.author.seconds for _, line in found}
        told = [{**self._line(line.change, line), **attention_document(item, line)} for item, line in found]
        yield from sorted(self._fitting(told[:MOST_ATTENTION]), key=lambda one: when[one["sha"]])

    def measured(self) -> Iterator[Document]:
        found = [line for _, line in self._lines() if line.measured]
        found.sort(key=lambda one: -weight_of(one.change))
        told = [{**self._line(one.change, one), **measured_documents(one)[0]} for one in found[:MOST_MEASURED]]
        yield from self._fitting(told)

    def _fitting(self, told: Sequence[Document]) -> Iterator[Document]:
        """Those that there is room for, the first in any case."""
        for number, one in enumerate(told):
            said = (*one["notes"], *one["measured"][:1], chain(one["steps"], one["on"]))
            length = _length(one) + sum(map(len, said))
            if number and length > self._room - LEFT_FOR_THEMES:
                return
            self._room -= length
            yield one

    def _line(self, change: Change, line: Line | None = None) -> Document:
        title = cut(line.title.text if line else title_of(change.lead).words, LONGEST_TITLE, SHORT_CUTS)
        whole = line_document(line) if line else {"steps": [], "notes": [], "reason": "", "measured": []}
        lead = change.lead
        return {
            "title": clean(change.title) or title,
            "ref": ref_of(lead),
            "sha": lead.sha,
            "repository": clean(lead.repository),
            "by": self._by.get(change.id, ""),
            "on": lead.author.local.date().isoformat(),
            "steps": whole["steps"],
            "notes": whole["notes"],
            "measured": whole["measured"],
        }

    def themes(self, changes: Sequence[Change]) -> tuple[list[Document], int]:
        """The pieces of work across people, the heaviest first, and how many other changes there are."""
        stayed = [one for one in changes if one.state != "backed_out" and one.kind != "revert"]
        if len(stayed) <= FEW:
            topics = [Topic(group.label, group.changes) for group in groups_of(stayed)]
        else:
            topics = topics_of(stayed, max(3, min(FEWEST_OF_TOPIC, len(stayed) // 12)), MOST_THEMES)
            alone = [one for one in stayed if not any(one in topic.changes for topic in topics)]
            alone.sort(key=lambda one: (-weight_of(one), one.id))
            topics += [Topic("", (one,)) for one in alone[: max(0, FEWEST_THEMES - len(topics))]]
        topics.sort(key=lambda topic: (-topic.weight, -len(topic.changes), topic.changes[0].id))
        told: list[Document] = []
        shown = 0
        for topic in topics:
            one = self._theme(topic)
            also = sum(len(other["by"]) + len(other["ref"]) + 8 for other in one["also"])
            self._room -= sum(map(_length, one["lines"])) + len(one["label"]) + also
            if self._room < 0:
                if told:
                    break
                one["also"] = []
            told.append(one)
            shown += len(topic.changes)
        return told, len(changes) - shown

    def _theme(self, topic: Topic) -> Document:
        ranked = sorted(topic.changes, key=lambda one: (-weight_of(one), -one.lead.author.seconds, one.id))
        first = ranked[0]
        also: dict[str, Document] = {}
        for change in ranked[1:]:
            by = self._by.get(change.id, "")
            if by and by != self._by.get(first.id) and by not in also and weight_of(change) >= ALSO_LINES:
                also[by] = self._line(change)
        line = self._line(first)
        return {
            "title": clean(topic.name) or line["title"],
            "label": clean(topic.name),
            "changes": len(topic.changes),
            "lines": [line],
            "also": list(also.values())[:MOST_ALSO],
            "repository": line["repository"],
            "evidence": commits_of(topic.changes),
        }


def _length(line: Document) -> int:
    return len(line["title"]) + len(line["ref"]) + len(line["by"]) + 12
