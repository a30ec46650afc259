"""What becomes known only after the post of its time is told by the next post of each subscription, once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest
from bot_in_workspace import settings_for
from builders import ADA, GRACE, GitRepo, Person, index
from digesting import service_of
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.digest.service import DigestService
from bot.digest.subscriptions import DigestPost, Subscriptions, digest_keys, due
from bot.settings import DigestSettings, RepositorySettings, Settings
from bot.story.documents import DigestDocument
from bot.story.render import Templates
from bot.workspace import ThreadedWorkspace, Workspace
from storage import Store
from storage.slack_state import COVERED, Post

EVERYBODY: Sequence[Person] = (ADA, GRACE, ("Bob Hope", "bob@example.com"), ("Mary Kay", "mary@example.com"))
BEGUN = datetime(2025, 1, 1, 10, tzinfo=UTC)
MONTHLY = DigestSettings(channel="#shipped")
WEEKLY = DigestSettings(channel="#shipped", cadence="weekly", months_back=24, quiet="skip")
QUARTERLY = DigestSettings(channel="#other", cadence="quarterly", repositories=["acme/engine"])

NOTHING = ("Nothing to tell of in acme/engine.", "The nearest active month is February 2025.")


@pytest.fixture(scope="module")
def slack() -> Iterator[ThreadedWorkspace]:
    with ThreadedWorkspace(Workspace(channels=["shipped", "other"])) as opened:
        yield opened


@dataclass(frozen=True)
class Made:
    """A commit by its mark in the stream for git."""

    mark: int
    title: str
    who: Person
    written: datetime
    committed: datetime
    parents: tuple[Made, ...] = ()

    @property
    def stream(self) -> str:
        (name, address), title = self.who, self.title
        lines = [f"commit refs/heads/m{self.mark}", f"mark :{self.mark}"]
        lines += [f"author {name} <{address}> {int(self.written.timestamp())} +0000"]
        lines += [f"committer {name} <{address}> {int(self.committed.timestamp())} +0000"]
        lines += [f"data {len(title)}", title]
        lines += [f"{'merge' if n else 'from'} :{one.mark}" for n, one in enumerate(self.parents)]
        return "\n".join([*lines, ""])


@dataclass
class History:
    """A repository that goes on: what is on its default branch, and what of that was pushed."""

    now: datetime = BEGUN
    commits: list[Made] = field(default_factory=list)
    tip: Made = field(init=False)
    pushed: Made = field(init=False)
    branches: list[list[Made]] = field(default_factory=list)  # each from where it begins
    _titles: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.tip = self.pushed = self.commit((), ADA)

    def commit(self, parents: tuple[Made, ...], who: Person, title: str = "", written: datetime | None = None) -> Made:
        title = title or f"Add part {next(self._titles)}"
        made = Made(len(self.commits) + 1, title, who, written or self.now, self.now, parents)
        self.commits.append(made)
        return made

    def again(self, some: Sequence[Made], on: Made) -> Made:
        """The same commits on another one, as after a rebase."""
        for one in some:
            on = self.commit((on,), one.who, one.title, one.written)
        return on

    def on_main(self, number: int) -> None:
        self.tip = self.commit((self.tip,), EVERYBODY[number % 4])

    def branch(self, number: int) -> None:
        self.branches.append([self.tip])
        self.work(number)

    def work(self, number: int) -> None:
        for branch in self.branches[-1:]:
            branch.append(self.commit((branch[-1],), EVERYBODY[number % 4]))

    def much_work(self, number: int) -> None:
        for each in range(14 + number):
            self.work(each)

    def merge(self, number: int, name: str = "side") -> None:
        for branch in self._ended():
            title = f"Merge branch '{name}'" if number % 2 else f"Merge pull request #7 from ada/{name}"
            self.tip = self.commit((self.tip, branch[-1]), EVERYBODY[number % 4], title)

    def rebase(self, _: int) -> None:
        for branch in self._ended():
            self.tip = self.again(branch[1:], self.tip)

    def squash(self, number: int) -> None:
        for _ in self._ended():
            self.on_main(number)

    def fast_forward(self, _: int) -> None:
        """As if it had been rebased when it was written, and pushed only now."""
        for branch in self._ended():
            now = self.now
            for one in branch[1:]:
                self.now = one.committed
                self.tip = self.again([one], self.tip)
            self.now = now

    def push(self, _: int) -> None:
        self.pushed = self.tip

    def rewrite(self, number: int) -> None:
        """The last commits of the default branch anew, as far as they are in one line. Branches from those are given
        up: to merge one would bring the old ones back beside the new."""
        last, on = [self.tip], self.tip
        while len(last) <= number and len(last[-1].parents) == 1 and last[-1].parents[0].parents:
            last.append(last[-1].parents[0])
        if len(last[-1].parents) == 1:
            on = last[-1].parents[0]
            self.tip = self.again(last[::-1], on)
            self.branches = [branch for branch in self.branches if branch[0] not in last]

    def _ended(self) -> list[list[Made]]:
        return [self.branches.pop(0)] if self.branches else []


class Bot:
    """A bot, as far as it makes posts: anew at each tick. Nothing is sent."""

    def __init__(self, slack: ThreadedWorkspace, folder: Path, *tables: DigestSettings) -> None:
        self.slack, self.tables = slack, list(tables)
        self.repositories: list[RepositorySettings] = []
        self.repo = GitRepo(folder / "acme" / "engine")
        self.store = Store(folder / "almanac.db")
        self.documents: dict[str, DigestDocument] = {}  # by the keys of the posts
        self.written = 0  # commits of the history that are in the repository

    @property
    def workspace(self) -> str:
        return self.slack.workspace.team_id

    def settings(self, at: datetime) -> Settings:
        more = {"digests": self.tables, "repositories": self.repositories}
        return settings_for(self.slack, "socket", db=self.store.path, fixed_now=at, **more)

    def read(self, history: History) -> None:
        self.repo.fast_import("".join(one.stream for one in history.commits).encode() + b"done\n")
        self.repo.git("update-ref", "refs/heads/main", f"refs/heads/m{history.pushed.mark}")
        index(self.store, self.repo, now=history.now)

    def service(self, at: datetime) -> DigestService:
        return service_of(self.settings(at), self.store, self.slack)

    def post(self, post: DigestPost, at: datetime) -> DigestDocument:
        service = self.service(at)
        composed = service.compose(post)
        self.documents[post.key] = composed.document
        is_empty = not composed.document.counts["commits"] and not composed.document.merged
        if is_empty and post.subscription.quiet == "skip":
            nothing = [Post(post.key, composed.channel, {})]
            assert self.store.digests.plan(post, {}, nothing, at, composed.covered, "skipped")
            return composed.document
        assert service.plan(post, composed, at)
        return composed.document

    def tick(self, at: datetime) -> list[DigestDocument]:
        """Make what is due."""
        wanted = Subscriptions(self.store.digests, self.tables, "UTC").all(at)
        posted = self.store.outbox.keys(digest_keys(self.workspace))
        return [self.post(one, at) for one in due(at, wanted, self.workspace, posted)]


def told(document: DigestDocument) -> set[str]:
    """The SHAs of the commits that a document tells, or counts in the line of what is late."""
    shas = {one.sha for change in document.changes for one in change.commits}
    merged = set(document.merged.evidence) if document.merged else set[str]()
    assert not shas & merged
    return shas | merged


def day(month: int, number: int = 1, hour: int = 9) -> datetime:
    return datetime(2025, month, number, hour, 5, tzinfo=UTC)


@dataclass
class Channel:
    """#shipped, which gets a digest each month, and a repository of one commit in January."""

    bot: Bot
    history: History

    def on(self, month: int, number: int = 1) -> History:
        self.history.now = day(month, number)
        return self.history

    def post(self, month: int, number: int = 1) -> list[DigestDocument]:
        """What is posted on a day."""
        return self.bot.tick(self.read(month, number))

    def read(self, month: int, number: int = 1) -> datetime:
        """Push and read all that there is by a day."""
        self.on(month, number).push(0)
        self.bot.read(self.history)
        return self.history.now

    def titles(self, document: DigestDocument) -> list[str]:
        """What a digest tells, in order of the titles."""
        subjects = {
            one.subject for shas in [told(document)] for one in self.bot.store.commits.of("acme/engine", [*shas])
        }
        return sorted(subjects)


@pytest.fixture
def shipped(slack: ThreadedWorkspace, tmp_path: Path) -> Channel:
    channel = Channel(Bot(slack, tmp_path, MONTHLY), History())
    channel.bot.tick(BEGUN)
    assert [channel.titles(one) for one in channel.post(2)] == [["Add part 1"]]
    return channel


def test_what_is_pushed_after_the_post_of_its_month_is_told_by_the_next_with_a_note(shipped: Channel) -> None:
    shipped.on(1, 20).on_main(1)
    shipped.on(2, 10).on_main(1)
    (document,) = shipped.post(3)
    assert shipped.titles(document) == ["Add part 2", "Add part 3"]
    assert document.counts["changes"] == 2
    assert document.notes == ("Told late: 1 change that came before February 2025.",)
    (after,) = shipped.post(4)
    assert (shipped.titles(after), after.notes) == ([], NOTHING)


def side_of_many_people(shipped: Channel) -> list[Made]:
    """What five people wrote on a branch from January to May, of which no post tells until it is merged."""
    for month in range(1, 6):
        history = shipped.on(month, 20)
        (history.work if history.branches else history.branch)(0)
        for number in range(1, 5):
            history.work(number)
    side = history.branches[0][1:]
    assert [shipped.titles(one) for one in shipped.post(6)] == [[]] * 3
    return side


def test_a_branch_that_all_work_goes_through_is_told_late_in_one_line(shipped: Channel) -> None:
    """Where a digest is made of a time when it had not been merged, and by the days of its own commits after that."""
    side = side_of_many_people(shipped)
    shipped.on(6, 10).merge(1, "beta")
    (june,) = shipped.post(7)
    assert june.merged and june.merged.text == "Came late: acme/engine, 25 changes written from January to May 2025."
    assert (june.counts["changes"], shipped.titles(june)) == (0, sorted(one.title for one in side))
    for form in ("text", "markdown", "html"):
        assert june.merged.text in Templates().month(form, june)


def test_what_was_in_a_guarded_repository_alone_is_told_once_it_is_in_another(shipped: Channel, tmp_path: Path) -> None:
    bot, before, secret = shipped.bot, shipped.history.tip, GitRepo(tmp_path / "acme" / "secret")
    bot.repositories = [
        RepositorySettings(address=str(secret.path), audience=["#other"]),
        RepositorySettings(address=str(bot.repo.path)),
    ]
    bot.store.commits.keep_audiences({"acme/engine": ()})
    history = shipped.on(2, 10)
    history.on_main(1)
    secret.fast_import("".join(one.stream for one in history.commits).encode() + b"done\n")
    secret.git("update-ref", "refs/heads/main", f"refs/heads/m{history.tip.mark}")
    index(bot.store, secret, now=history.now)
    published, history.tip = history.tip, before
    (february,) = shipped.post(3)
    assert shipped.titles(february) == []
    assert "1 commit in repositories that are not for this channel is left out." in february.notes
    history.tip = published
    shipped.on(3, 9).on_main(0)
    assert [shipped.titles(one) for one in shipped.post(4)] == [["Add part 2", "Add part 3"]]


def test_a_change_that_comes_to_another_branch_or_repository_later_is_told_once(
    shipped: Channel, tmp_path: Path
) -> None:
    bot, before = shipped.bot, shipped.history.tip
    shipped.on(2, 10).on_main(1)
    (february,) = shipped.post(3)
    (sha,) = told(february)
    history = shipped.on(3, 5)
    history.tip = history.commit(
        (history.tip, history.commit((before,), GRACE, f"Add part 2\n\n(cherry picked from commit {sha})")),
        ADA,
        "Merge branch 'release/1.2'",
    )
    other = History(now=day(3, 6))
    other.tip = other.commit((other.tip,), ADA, "Add a road")
    other.tip = other.commit((other.tip,), GRACE, "Add part 2", day(2, 10))
    web = GitRepo(tmp_path / "acme" / "web")
    web.fast_import("".join(one.stream for one in other.commits).encode() + b"done\n")
    web.git("update-ref", "refs/heads/main", f"refs/heads/m{other.tip.mark}")
    index(bot.store, web, now=day(3, 6))
    (march,) = shipped.post(4)
    assert told(march) == {web.line("rev-parse", f"m{mark}") for mark in (1, 2)}


def test_posts_that_went_by_author_dates_are_neither_told_again_nor_made_up_for(shipped: Channel) -> None:
    """The bot was brought up to date in March: what came in February and was written before it was in no post. What was
    in one, or may have been left out of it, is not told now."""
    history = shipped.on(1, 10)
    history.branch(1)
    for month, number in ((1, 25), (2, 10), (2, 20)):
        shipped.on(month, number).on_main(number)
    told_before, of_a_machine = history.tip, history.tip.parents[0]
    shipped.on(2, 25).rebase(0)
    shipped.post(3)
    with shipped.bot.store.transaction(write=True) as connection:  # as it was noted before the upgrade
        connection.execute("DELETE FROM digest_snapshots WHERE event = ?", (COVERED,))
        gone = [shipped.bot.repo.line("rev-parse", f"m{one.mark}") for one in (history.tip, of_a_machine)]
        connection.execute("DELETE FROM digest_snapshots WHERE change IN (?, ?)", gone)
    shipped.on(3, 10).on_main(0)
    new = history.tip.title
    (march,) = shipped.post(4)
    assert shipped.titles(march) == ["Add part 2", new]
    assert told_before.title not in shipped.titles(march)
    assert [shipped.titles(one) for one in shipped.post(5)] == [[]]


ACTIONS = ("on_main", "branch", "work", "much_work", "merge", "rebase", "squash", "fast_forward", "rewrite", "push")
steps = st.lists(
    st.tuples(st.sampled_from((*ACTIONS, "push", "tick", "tick", "wanted")), st.integers(0, 9), st.integers(0, 300)),
    min_size=10,
    max_size=50,
)


@settings(max_examples=max(3, settings.default.max_examples // 4))
@given(steps)
def test_each_change_is_told_by_one_post_of_each_subscription(
    slack: ThreadedWorkspace, drawn: list[tuple[str, int, int]]
) -> None:
    """Whatever is merged, rebased, squashed, pushed late or written anew, and however long the bot was down."""
    with TemporaryDirectory() as folder:
        history, bot = History(), Bot(slack, Path(folder), MONTHLY)
        bot.tick(history.now)

        def tick() -> None:
            bot.read(history)
            bot.tick(history.now)

        for action, number, hours in drawn:
            history.now += timedelta(hours=hours)
            if action == "tick":
                tick()
            elif action == "wanted":
                bot.tables = [MONTHLY, WEEKLY, QUARTERLY][: 2 + number % 2]
            else:
                getattr(history, action)(number)
        history.push(0)
        tick()
        history.now = (history.now + timedelta(days=100)).replace(hour=10)  # all that is over is due
        tick()
        title_of = dict(line.split(" ", 1) for line in bot.repo.line("log", "--all", "--format=%H %s").splitlines())
        commits = bot.store.came.between(BEGUN - timedelta(days=9), history.now + timedelta(days=9))
        for one in bot.store.digests.all():
            posts = [post for post in bot.store.digests.posts().values() if post.subscription.id == one.id]
            named = [title_of[sha] for post in posts for sha in told(bot.documents[post.key])]
            assert len(named) == len(set(named)), (one.id, sorted(named))
            zone = ZoneInfo("UTC")
            first, ended = (
                (one.first or one.present(history.now)).bounds(zone)[0],
                one.present(history.now).bounds(zone)[0],
            )
            covers = {each.subject for each in commits if not each.is_merge and first <= each.came < ended}
            assert covers <= set(named) <= set(title_of.values()), (one.id, sorted(covers - set(named)))
