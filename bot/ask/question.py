"""What somebody asked, as understood, how that is said, and what is asked back where a name fits several. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from bot.model import Person
from bot.month.calendar import Days
from bot.month.people import described
from bot.month.releases import LATEST, NEWEST, WHICH
from bot.wording import KINDS, clean, count, listed

NOT_UNDERSTOOD = "I did not understand that."
# How an answer may be wanted; what a language or plain words need is a model, so that it is said and not done.
FORMS = frozenset(
    ("markdown", "short", "long", "again", "plain", "english", "german", "french", "spanish", "japanese")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asked, as understood. `people` are names as the index knows them.

    `span` is the time, `ends` the two times that stand side by side, the earlier first; `span` is then from the first
    day of the one to the last of the other. `release` is a tag's name: "v2.5" is what is in it, "v2.4..v2.5" what came
    between, "v2.5.." what came since; NEWEST is the last one, LATEST what came since; of what is explained it is those
    that are asked about, WHICH all.

    `topic` is words that must all be there, alternatives joined by " OR "; `topic_in` is where alone they may stand.
    `references` are commits as they were typed: SHAs, #12, name#12. `kinds` are kinds of changes, `states` some of
    reverted, partly, relanded, unreleased, tagged and breaking. `order` and `limit` say which of a list come first, and
    how many; `count` is "how many", `only` that paths or kinds are all that a change has, `first_time` that its author
    had none before. `reviews` is whether the person is the reviewer ("by") or the reviewed ("of"). What is left out is
    in the four `without`; `deed` is what was done to what is explained ("remove OR drop"). `form` are how the answer is
    wanted: "short", "markdown".

    `unread` are the words that were not understood, as typed; `assumed` short phrases that say what was taken for
    granted. `missing` is the one line that is said instead of an answer, and `choices` whole questions that may have
    been meant, or that lie beside what was answered.

    `found` are those of the `people` who were found when it was read, by their names: whoever answers it at once need
    not look for them again. `then` are those of the `unread` that may be questions by themselves, to be asked in the
    thread of this one.
    """

    intent: str
    people: tuple[str, ...] = ()
    span: Days | None = None
    repositories: tuple[str, ...] = ()
    topic: str | None = None
    kinds: tuple[str, ...] = ()
    missing: str | None = None
    choices: tuple[Choice, ...] = ()
    form: tuple[str, ...] = ()
    ends: tuple[Days, Days] | None = None
    without: tuple[str, ...] = ()
    without_repositories: tuple[str, ...] = ()
    release: str | None = None
    assumed: tuple[str, ...] = ()
    found: Mapping[str, Person] = field(default_factory=dict, compare=False, repr=False)
    team: str | None = None
    topic_in: Literal["subject", "body", "path"] | None = None
    paths: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    reviews: Literal["by", "of"] | None = None
    order: Literal["size", "most", "files", "latest", "landed", "first"] | None = None
    limit: int | None = None
    count: bool = False
    only: bool = False
    first_time: bool = False
    without_topics: tuple[str, ...] = ()
    without_kinds: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    deed: str | None = None
    then: tuple[str, ...] = field(default=(), compare=False)

    @property
    def left_out(self) -> tuple[str, ...]:
        """All that is left out."""
        return (*self.without, *self.without_repositories, *self.without_topics, *self.without_kinds)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several that may have been meant: what stands on its button, and the whole question it stands for."""

    label: str
    question: Question


def named(name: str) -> str:
    """A name without the address that stands behind it where others have it too."""
    return name.partition(" <")[0]


def addressed(name: str) -> str:
    """What somebody is found by: that address, else the name."""
    return name.rpartition(" <")[2].rstrip(">")


def typed(question: Question) -> str:
    """A text that asks just that, whatever it is typed into."""
    bare = replace(question, unread=(), assumed=())
    return f"{_LEADS.get(question.intent, '')}{reading_line(bare, called=addressed)}"


def reading_line(question: Question, default: str = "", *, called: Callable[[str], str] = named) -> str:
    """How a question was read: `Matti Picus · July 2026 (no time named) · numpy`; `… · not understood: “with Ralf”`.

    `default` is the time that the answer takes where the question has none.
    """
    time = question.span.title if question.span else default
    time = " and ".join(one.title for one in question.ends) if question.ends else time
    timed = [one for one in question.assumed if time and one in TIME_ASSUMED]
    limit = f"{_ORDERED.get(question.order or '', 'first')} {question.limit or ''}".strip()
    kinds, without_kinds = (
        [KINDS[kind][2] if kind in KINDS else kind for kind in some]
        for some in (question.kinds, question.without_kinds)
    )
    without = (*question.without, *question.without_repositories, *question.without_topics, *without_kinds)
    many, unread = len(question.references), [f"“{one}”" for one in question.unread]
    parts = [
        listed([called(name) for name in question.people]), question.team and f"the {question.team} team",
        f"{time} ({', '.join(timed)})" if timed else time, _RELEASED.get(question.release or "", question.release),
        listed(list(question.references)) if many < 4 else f"{many} changes", listed(list(question.repositories)),
        f"“{question.topic}”{_WHERE.get(question.topic_in or '', '')}" if question.topic else "",
        listed(list(question.paths)), listed(kinds), listed(list(question.states)),
        _REVIEWED.get(question.reviews or ""), limit if question.order or question.limit else "",
        "counted" if question.count else "", "nothing else" if question.only else "",
        "first-time contributors" if question.first_time else "",
        f"without {listed(list(map(called, without)))}" if without else "", listed(list(question.form)),
        *(one for one in question.assumed if one not in TIME_ASSUMED),
        f"not understood: {listed(unread)}" if unread else "",
    ]  # fmt: skip
    return clean(" · ".join(part for part in parts if part))


_LEADS = {
    "what_shipped": "What shipped: ", "who": "Who: ", "compare": "Compare: ", "profile": "Profile: ",
    "changes": "Changes: ", "explain": "Explain: ",
}  # fmt: skip
_WHERE = {"subject": " in titles", "body": " in messages", "path": " in paths"}
_RELEASED = {LATEST: "since the last release", NEWEST: "the last release", WHICH: "in which release"}
_REVIEWED = {"by": "reviews by them", "of": "reviews of them"}
_ORDERED = {
    "size": "the largest", "most": "by the number of changes", "files": "the files changed most",
    "latest": "the latest", "landed": "by the last change", "first": "the earliest",
}  # fmt: skip
NO_TIME, THREADS_TIME, OTHERS_TIME = "no time named", "the thread's time", "the other question's time"
TIME_ASSUMED = (NO_TIME, THREADS_TIME, OTHERS_TIME)


# --- what is asked back


def which_one(said: str, people: Sequence[Person], commits: Mapping[Person, int] | None = None) -> str:
    """The question back where a name fits several people: "Which Dave: Dave Kim (12 commits) or Dave Okafor (3)?"."""
    names = [person.name for person in people]
    shown = [described(p) if names.count(p.name) > 1 else p.name for p in people[:6]]
    if commits and all(p in commits for p in people):
        numbers = [count(commits[people[0]], "commit"), *(str(commits[p]) for p in people[1:6])]
        shown = [f"{one} ({number})" for one, number in zip(shown, numbers, strict=True)]
    more = f" (and {len(people) - 6} more)" if len(people) > 6 else ""
    return f"Which {clean(said)}: {clean(listed(shown, 'or'))}{more}?"


def nobody(said: str, near: Sequence[str]) -> str:
    """What to say where nobody has a name, with the names that are near."""
    if not said.strip():
        return "Whose month do you mean? Name somebody."
    instead = "Ask with the name that stands in their commits."
    offer = f"Did you mean {clean(listed(near, 'or'))}?" if near else instead
    return f"I know nobody called “{clean(said)[:80]}”. {offer}"
