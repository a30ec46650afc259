"""The queries: plain values in, a document out, in the rights of one reader.

Whatever is answered comes from these: in Slack, at the command line, to a model and over MCP. There is no English here,
and nothing of Slack. The docstrings are the manual for whoever calls them, a model among others.

*Names.* A person is named by a full name, an address, a login, a nickname, or a part of a name that one alone has; or
handed in as a `Person`. `team` is a table of almanac.toml, a repository the whole name or its last part.

*Spans* are days in the reader's zone, both ends included: "2026-03" (a month), "2026-03..2026-05",
"2026-03-01..2026-03-14", "2026-W12", "2026-Q1"; or tags: "v2.5" is what v2.5 holds and the release before it does not,
"v2.4..v2.5" what lies between, "v2.5.." what came since. With None each query takes the time that its docstring names,
and the document says which.

*Limits*, which every query takes by keyword:

- `repositories=("pytorch/ao",)`: only these;
- `topic="nvfp4 moe"`: all of these words, in whatever form, in the subject, else in the body, else in the paths of a
  third of the files. "CVE OR GHSA OR advisory" are alternatives. Where nothing has all of the words, some of them are
  enough, and a note says so. `topic_in="subject"` ("body", "path") looks there alone;
- `paths=("torchao/quantization", "setup.py")`: what touches one of these files or folders, or what is in them;
- `only=True`: and nothing else: all files of a change are in `paths`, or of the sort that `kinds` names ("docs alone");
- `without=("Jerry Zhang", "pytorch/torchrec", "typing", "docs", "docs/")`: none of these people, repositories, topics,
  kinds or paths. What nobody and nothing is called is said in the notes, and stops nothing;
- `team="engine"`: what its people did.

*Documents* are frozen values, `to_json` prints them. Notes say what was left out, or taken otherwise than was asked.

*Errors*, each with a sentence for whoever asked: PersonUnknown (nobody, or several, who are named in it), PersonHidden,
RepositoryUnavailable, CommitUnknown, and AlmanacError for a team, a tag or a time that there is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack
from zoneinfo import ZoneInfo

from bot.ask.people_directory import PeopleDirectory
from bot.ask.query_service import QueryService
from bot.ask.readable_index import ReadableIndex
from bot.ask.writer import Writer
from bot.errors import AlmanacError, CommitUnknown
from bot.model import Kind, Person
from bot.month.calendar import AnyPeriod, Days, MonthRange, Span, parse_any_period
from bot.settings import Settings
from bot.story.documents import DigestDocument, MonthDocument
from storage import Store

if TYPE_CHECKING:
    from bot.ask.explain import Explanations
    from bot.story.list_documents import ChangesDocument, TopicDocument
    from bot.story.profile_documents import ProfileDocument

Named = str | Person
When = AnyPeriod | Span | str | None
Order = Literal["size", "latest", "landed", "first"]
ChangeState = Literal["reverted", "partly", "relanded", "unreleased"]


class Limits(TypedDict, total=False):
    """What every query may be limited to; see above."""

    repositories: Sequence[str]
    topic: str | None
    topic_in: Literal["subject", "body", "path"] | None
    paths: Sequence[str]
    only: bool
    without: Sequence[str]
    team: str | None


@dataclass(eq=False, repr=False, kw_only=True)
class Queries(ReadableIndex):
    """The queries, over what one reader may read. `dataclasses.replace` makes them anew for another."""

    writer: Writer

    @classmethod
    def of(
        cls,
        store: Store,
        settings: Settings,
        zone: ZoneInfo | None = None,
        hidden: frozenset[str] = frozenset(),
        writer: Writer | None = None,
    ) -> Queries:
        """The index as the settings have it; in the configured zone unless another is given."""
        directory = PeopleDirectory.of(store, settings)
        return cls(
            store=store, settings=settings, zone=zone or settings.zone, directory=directory,
            writer=writer or Writer(settings, store), hidden=hidden,
        )  # fmt: skip

    def month(
        self, people: Named | Sequence[Named], span: When | Sequence[When] = None, *, recent: bool = False,
        **limits: Unpack[Limits],
    ) -> list[MonthDocument]:  # fmt: skip
        """What one or several people did: a document a person and month, newest first, at most twelve months each; of
        days that are no whole months, or of each of several spans, one of all of it. Each has counts, the changes with
        their state, reviews, and what was written before and came then.

        Default: last month. With `recent` and no span the last 30 days, or where somebody has nothing in them, the last
        month in which they have something; the notes say which. With a topic or paths it is that part of the month.

        month("Jerry Zhang", "2026-03", topic="mx formats", without=("docs",))
        """
        named = [people] if isinstance(people, str | Person) else people
        spans = list(span) if isinstance(span, Sequence) and not isinstance(span, str) else [span]
        found = []
        for one in named:
            for each in spans:
                when = self._when(each)
                person = self.person(one, when) if isinstance(one, str) else one
                found += self._old.months(person, when, limits.get("repositories", ()))
        return found

    def team(self, span: When = None, **limits: Unpack[Limits]) -> DigestDocument:
        """What came to the default branches in a time: of everyone, of a team, of repositories, or of a release. Bots
        are counted, not listed.

        Default: last month.

        team("2026-03", repositories=("pytorch/ao",)); team("v2.4..v2.5"); team("2026-W12", team="engine")
        """
        when = self._when(span)
        period = when if isinstance(when, Days) or not when.is_one else when.last
        whole = Days.of(period) if isinstance(period, MonthRange) else period
        return self._old.digest(whole, limits.get("team"), limits.get("repositories", ()))

    def changes(
        self,
        people: Named | Sequence[Named] = (),
        span: When = None,
        *,
        kinds: Sequence[Kind] = (),
        states: Sequence[ChangeState] = (),
        order: Order | None = None,
        limit: int | None = None,
        first_time: bool = False,
        **limits: Unpack[Limits],
    ) -> ChangesDocument:
        """A list of changes, with how many there are, and how many of each kind, person and repository: of some people,
        a team or everyone. A row has 12 digits of the hash, day, author, title, kind, state, and of what was reverted
        the reason in the reverter's words; at most 50 rows, the largest of each kind first.

        `kinds` are of feature, fix, performance, refactor, docs, test, build, ci, revert, release, chore. `states`:
        reverted (taken out, at whatever time since), partly, relanded, unreleased (in no release; needs tags). `order`:
        "size" (changed lines, within `paths` where given), "latest" (by the day written), "landed" (by the day it came
        to the default branch), "first". `limit` is of rows. `first_time`: of those alone whose first commit ever in
        these repositories is in the span. Bots are counted, unless they are asked for by name.

        Default: last month; with a topic, paths, or an order, any time.

        changes("Grace Hopper", "2026-03", kinds=("fix",)); changes(paths=("torchao/float8",), order="landed", limit=1)
        """
        when = self._when(span)
        found = [self.person(one, when) if isinstance(one, str) else one for one in _several(people)]
        repositories, team = limits.get("repositories", ()), limits.get("team")
        return self._old.lists.changes(found, when, kinds, repositories, team, largest=order == "size")

    def who(
        self, span: When = None, *, order: Order | None = None, first_time: bool = False, **limits: Unpack[Limits]
    ) -> TopicDocument:
        """Who worked on a topic or on paths: people, those of most changes first, each with how many, the first and the
        last day, and their latest changes. `order="landed"`: who touched it last comes first, by the day on which it
        came to the default branch; "latest": by the day written. `first_time`: who is new, whose first commit ever in
        these repositories is in the span; then a topic is not needed. No bots.

        Default: any time; with `first_time` last month.

        who(topic="flash attention"); who(paths=("torchao/float8/inference.py",), order="landed")
        """
        when = self._when(span) if span is not None else None
        return self._old.lists.who(limits.get("topic") or "", when, limits.get("repositories", ()))

    def reviews(
        self,
        person: Named | None = None,
        role: Literal["by", "of"] = "by",
        reference: str | None = None,
        span: When = None,
        **limits: Unpack[Limits],
    ) -> ChangesDocument:
        """What trailers say of reviews: changes that a person reviewed (role "by"), or a person's changes with who
        reviewed them or wrote them with them ("of"), or that of one commit (`reference`: a hash, "#12", "ao#12").

        Default: last month.

        reviews("Grace Hopper", "of", span="2026-03"); reviews(reference="#4021")
        """
        when = self._when(span)
        found = self.person(person or "", when) if not isinstance(person, Person) else person
        lists = self._old.lists
        return (lists.reviews if role == "by" else lists.reviewers)(found, when, limits.get("repositories", ()))

    def explain(
        self,
        references: Sequence[str] = (),
        span: When = None,
        *,
        people: Named | Sequence[Named] = (),
        reverted: bool = False,
        **limits: Unpack[Limits],
    ) -> Explanations:
        """What a commit is, whose, when, why in its author's words, its fate, copies and release: of several references
        ("#4021", "ao#12", a hash), each one. By `topic` or a path the three best changes, with their messages, and
        before them the first that named it; of those that were ever reverted ("why was X reverted"), of some people,
        or of a time alone, where that is asked for.

        explain(["#4021"]); explain(topic="blockwise fp8"); explain(topic="typing", reverted=True)
        """
        from bot.ask.explain import Explainer

        explainer, where = Explainer(self), limits.get("repositories", ())
        if references:
            return explainer.of_each(references, where)
        about = limits.get("topic") or " OR ".join(limits.get("paths", ()))
        if not about:
            raise CommitUnknown("name a commit: the first digits of its hash, or #12 of its subject")
        months = self._when(span)
        found = [self.person(one, months) if isinstance(one, str) else one for one in _several(people)]
        bounds = months.bounds(self.zone) if span is not None else (None, None)
        return explainer.of_topic(about, where, found, bounds, reverted=reverted)

    def profile(self, person: Named, **limits: Unpack[Limits]) -> ProfileDocument:
        """A person's whole history: spans, counts, recurring work, repositories, and each month.

        profile("Grace Hopper")
        """
        every = MonthRange(self.present(), self.present())
        found = self.person(person, every) if isinstance(person, str) else person
        return self._old.profile(found, limits.get("repositories", ()))

    # --- names and times

    def _when(self, span: When) -> Span:
        """The days, or months where they are whole ones; last month of None. Raises AlmanacError."""
        if span is None:
            return MonthRange(self.present() - 1, self.present() - 1)
        try:
            days = Days.of(parse_any_period(span)) if isinstance(span, str) else Days.of(span)
        except ValueError as error:
            raise AlmanacError(f"{span!r} is no time: write 2026-03, or 2026-03-01..2026-03-14") from error
        return days.months or days

    @cached_property
    def _old(self) -> QueryService:
        held = {
            "store": self.store, "settings": self.settings, "zone": self.zone, "directory": self.directory,
            "hidden": self.hidden, "skipped": self.skipped, "reader": self.reader, "apart": self.apart,
        }  # fmt: skip
        return QueryService(**held, writer=self.writer)  # type: ignore[arg-type]


def _several(people: Named | Sequence[Named]) -> Sequence[Named]:
    return [people] if isinstance(people, str | Person) else people
