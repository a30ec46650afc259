"""Audience × path × asker: what a reader may not read is told to them on no path, whoever asks, wherever.

Every repository has words of its own, in subjects, paths, trailers, names, addresses, its .mailmap and links by hand.
Whatever is said is searched for the words of those that its readers may not read of.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from test_members import FakeSlack, user
from values import commit, sha_of, somebody

from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.digest.service import DigestService
from bot.errors import AlmanacError
from bot.model import Repository
from bot.month.calendar import Days, Month
from bot.settings import PersonSettings, PrivacySettings, RepositorySettings, Secret, Settings
from bot.slack.answering import Answering, Linker
from bot.slack.audience import AccessRefused, Request, explained
from bot.slack.directory import Members
from bot.slack.elements import written
from bot.slack.modals import Dialogs, Origin
from bot.slack.sender import Sender
from bot.slack_app.digests import DigestActions
from bot.slack_app.home import HomeTab
from bot.story.render import Templates
from storage import Store

NOW = datetime(2025, 11, 5, 9, tzinfo=UTC)
OCTOBER = Month.parse("2025-10")
OPEN, PLANS, PAY = "acme/open", "acme/plans", "acme/pay"
# The words of each repository; those of the open one may be told wherever anything may.
WORDS = {PLANS: "zeppelin", PAY: "quokka"}
AUDIENCES = {PLANS: "#leads", PAY: "@chiefs"}
ASKERS = {
    "member": "U0MEMB1", "lead": "U0LEAD1", "chief": "U0CHIEF1", "admin": "U0ROOT1", "guest": "U0GUEST1",
    "stranger": "U0PART1", "nobody in git": "U0NEW1", "unknown": "U0GONE1",
}  # fmt: skip
PLACES = {
    "#general": "C0GEN1", "#leads": "C0LEADS1", "with a guest": "C0MIX1", "shared": "C0PART1", "group": "G0GRP1",
    "unknown": "C0NONE1", "direct": "D0",
}  # fmt: skip
MODES: dict[str, dict[str, Any]] = {
    "open": {}, "asker": {"answers_about_others": "asker"}, "nobody": {"about_others": "nobody"},
    "some": {"about_others": ["Mem Ber"]}, "guests": {"guests": True},
    "both": {"guests": True, "shared_channels": True},
}  # fmt: skip
MEMBER, LEAD, CHIEF = (
    somebody(name, f"{name.split()[0].casefold()}@acme.example") for name in ("Mem Ber", "Lea Der", "Chie Fly")
)


class Slack(FakeSlack):
    """A workspace with somebody of each kind."""

    def __init__(self) -> None:
        super().__init__()
        names = {"U0MEMB1": "Mem Ber", "U0LEAD1": "Lea Der", "U0CHIEF1": "Chie Fly", "U0ROOT1": "Root Admin"}
        self.users = {one: user(one, name, f"{name.split()[0].casefold()}@acme.example") for one, name in names.items()}
        self.users["U0GUEST1"] = user("U0GUEST1", "A Guest", "guest@acme.example", is_restricted=True)
        self.users["U0PART1"] = user("U0PART1", "Mem Ber", "mem@acme.example", team_id="T2", is_stranger=True)
        self.users["U0NEW1"] = user("U0NEW1", "New Comer", "new@acme.example")
        inside = ["U0MEMB1", "U0LEAD1", "U0CHIEF1", "U0ROOT1", "U0NEW1"]
        self.channels = {
            "C0GEN1": {"name": "general", "members": inside},
            "C0LEADS1": {"name": "leads", "is_private": True, "members": ["U0LEAD1"]},
            "C0MIX1": {"name": "mixed", "members": [*inside, "U0GUEST1"]},
            "C0PART1": {"name": "partner", "is_ext_shared": True, "members": [*inside, "U0PART1"]},
            "G0GRP1": {"name": "mpdm", "is_mpim": True, "is_private": True, "members": inside},
            **{f"D0{one}": {"is_im": True, "user": one, "members": [one]} for one in ASKERS.values()},
        }
        self.groups = [{"id": "S0CHIEF1", "handle": "chiefs", "users": ["U0CHIEF1"]}]


def filled(store: Store) -> None:
    """Three repositories, the guarded ones full of their own word."""
    for name in (OPEN, *WORDS):
        store.commits.register(Repository(name, f"/srv/{name}", indexed_at=NOW))
    for number, person in enumerate((MEMBER, LEAD, CHIEF)):
        store.commits.add(OPEN, [commit(f"Add part {number} (#{number + 1})", author=person, paths=["src/part.py"])])
    store.commits.add(OPEN, [commit("Add a note", author=somebody("Mem Ber", "mem@home.example"))])
    for name, word in WORDS.items():
        spy = somebody(f"{word.title()} Spy", f"spy@{word}.example")
        body = f"The {word} flies.\n\nReviewed-by: {word.title()} Rev <rev@{word}.example>\nRelated: {word}-77"
        texts = (f"Add the {word} plan (#9)", f"Fix the {word} leak", f'Revert "Add the {word} plan (#9)"')
        for text, author in product(texts, (MEMBER, LEAD, CHIEF, spy)):
            one = commit(text, author=author, repository=name, body=body, paths=[f"{word}/{word}.rs"])
            store.commits.add(name, [one])
        by_name = somebody(LEAD.name, f"lead@{word}.example")  # one person with LEAD, for whoever may read of both
        store.commits.add(name, [commit(f"Add the {word} plan by name", author=by_name, repository=name)])
        store.commits.put_mailmap(
            name,
            "".join(
                f"{word.title()} {one.name.split()[0]} <{word}@{word}.example> <{one.addresses[0]}>\n"
                for one in (MEMBER, LEAD, CHIEF)
            ),
        )
        store.said.say("address", "link", [f"spy@{word}.example"], f"root@{word}.example", "op", NOW, confirmed=True)
        store.said.say("address", "link", [f"spy@{word}.example"], "mem@home.example", "op", NOW, confirmed=True)
        store.said.say("change", "title", [sha_of(word)], f"The {word}", "op", NOW)


@dataclass(frozen=True)
class Bot:
    """What answers, without what carries it to Slack."""

    answering: Answering
    dialogs: Dialogs
    home_tab: HomeTab
    digest_service: DigestService
    members: Members
    linker: Linker
    store: Store

    @classmethod
    def of(cls, store: Store, *more: str, **privacy: Any) -> Bot:
        """With `more` repositories that everyone may read of."""
        settings = Settings(
            fixed_now=NOW,
            bot_token=Secret("xoxb-0"),
            db=store.path,
            privacy=PrivacySettings(**{"admins": ["U0ROOT1"], **privacy}),
            people=[PersonSettings(name="Mem Ber", addresses=["mem@acme.example"])],
            repositories=[
                *(RepositorySettings(address=f"/srv/{name}", name=name) for name in (OPEN, *more)),
                *(RepositorySettings(address=f"/srv/{n}", name=n, audience=[a]) for n, a in AUDIENCES.items()),
            ],
        )
        members = Members(Slack(), settings, store, "T1")  # type: ignore[arg-type]
        templates = Templates()
        answering = Answering(Queries.of(store, settings), members, templates, "U0BOT1")
        unused = Sender(None, None, settings.now)  # type: ignore[arg-type]
        dialogs = Dialogs(answering, unused)
        digest_service = DigestService(settings, store, members, templates, unused, "T1")
        digests = DigestActions(answering, digest_service)
        home_tab = HomeTab(answering, digests)
        return cls(answering, dialogs, home_tab, digest_service, members, answering.linker, store)


TYPED = [
    "my october", "my last month as markdown", "mem ber october 2025", "mem@acme.example october", "profile of mem ber",
    "profile of lea", "compare mem ber and lea der in october", "mem ber vs chie fly in october", "mem ber since july",
    "what shipped in october?", "what happened in acme/open since september?", "who worked on part?", "who fixed leak?",
    "show mem ber's bug fixes in october", "which were reverted in october?", "changes of lea der in october",
    "explain #1", "explain #9", "why is #9 a fix?", "digest of october", "whose address is mem@acme.example?",
    "whose address is mem@home.example?", "link mem@home.example", "link", "help", "schedule", "Mem", "Spy october",
    "who is U0LEAD1", "<@U0LEAD1> october", "mem bre october", "grace october", "only acme/open", "october", "unlink",
    "everyone in october as markdown", "what did chie do last quarter?", "my profile", "my changes in october",
]  # fmt: skip
NAMED = [  # these name what is hidden; the answer must be as if it were not there
    "{word} spy october 2025", "spy@{word}.example october", "profile of {word}", "who worked on {word}?",
    "what shipped in {name} in october?", "explain {sha}", "whose address is {word}@{word}.example?",
    "link spy@{word}.example", "link rev@{word}.example", "mem ber in {name} october", "explain {name}#9",
    "whose address is root@{word}.example?", "{word} mem october", "show the {word} changes of mem ber in october",
]  # fmt: skip


def paths(bot: Bot, who: str, channel: str) -> Iterator[tuple[str, str, bool, Callable[[], object]]]:
    """Every way to be shown something: what it is called, what was typed in it, whether the asker alone reads it, and
    what says it."""
    direct = channel.startswith("D")
    shas = {name: one.sha for name in WORDS for one in list(bot.store.commits.by_pull(name, 9))[:1]}
    typed = [*TYPED, *(one.format(name=n, word=WORDS[n], sha=sha[:10]) for n, sha in shas.items() for one in NAMED)]
    for text in typed:
        yield f"said: {text}", text, direct, partial(bot.answering.answer, text, Request(who, channel))
        asked = Request(who, channel, alone=True)
        yield f"/almanac {text}", text, True, partial(bot.answering.answer, text, asked)
    for name in ("Mem Ber", "Lea Der", "Zeppelin Spy", "mem@home.example"):
        question = Question("month", (name,), Days.of(OCTOBER))
        held = written(question)
        yield f"share {name}", name, direct, partial(bot.answering.shared, question, who, channel)
        yield f"changes of {name}", name, True, partial(bot.dialogs.changes, who, channel, held)
        yield f"month of {name}", name, True, partial(bot.dialogs.month, who, channel, held)
        origin = Origin(held, channel, "1.1", ephemeral=False)
        yield f"correct {name}", name, True, partial(bot.dialogs.correction, who, origin)
    for name, sha in shas.items():
        explain = Question("explain", references=(sha,))
        yield f"share {name}'s", sha, direct, partial(bot.answering.shared, explain, who, channel)
        yield f"why {name}'s", sha, True, partial(bot.dialogs.explanation, who, channel, written(explain))
    yield from by_tools(bot, who, shas)
    for other in ASKERS.values():
        yield f"month of {other}", "", True, partial(bot.dialogs.month_of, who, channel, other)
    yield "prompts", "", True, lambda: bot.answering.prompts(who, channel)
    yield "home", "", True, partial(bot.home_tab.tab, who, channel)


def by_tools(bot: Bot, who: str, shas: dict[str, str]) -> Iterator[tuple[str, str, bool, Callable[[], object]]]:
    """What Slackbot may ask in somebody's name, where what it needs is installed."""
    if not find_spec("mcp"):
        return
    from bot.mcp.slackbot import SlackbotTools

    tools = SlackbotTools(bot.answering, Templates(), "a made-up secret", "T1")
    span = {"span": "2025-10"}
    calls: list[tuple[str, dict[str, Any]]] = [("team", span), ("changes", span), ("who", {"topic": "plan"})]
    for name in ("Mem Ber", "Lea Der", "Zeppelin Spy", "mem@home.example"):
        calls += [
            ("month", {"people": name, **span}),
            ("changes", {"people": [name], **span}),
            ("profile", {"person": name}),
        ]
        calls += [
            ("reviews", {"person": name, **span}),
            ("people", {"name": name}),
        ]
    for name, sha in shas.items():
        word = WORDS[name]
        calls += [("explain", {"references": [sha[:12]]}), ("explain", {"references": ["#1", f"{name}#9"]})]
        calls += [("who", {"topic": word}), ("team", {"repositories": [name], **span}), ("changes", {"topic": word})]
        calls += [("month", {"people": ["Mem Ber"], "without": [word], "repositories": [name]})]
    for called, given in calls:
        typed = next((str(one) for one in (*WORDS.values(), *WORDS) if one in json.dumps(given).casefold()), "")
        yield f"tool {called} {given}", typed, True, partial(tools.answer, called, given, {"slack": {"user_id": who}})


def is_let_in(asker: str, mode: dict[str, Any]) -> bool:
    """Whether somebody may read anything, said anew by docs/privacy.md."""
    guests, strangers = bool(mode.get("guests")), bool(mode.get("shared_channels"))
    return {"guest": guests, "stranger": strangers, "unknown": guests and strangers}.get(asker, True)


def may_read(asker: str, place: str, alone: bool, mode: dict[str, Any]) -> set[str]:
    """Which guarded repositories somebody may read of, said anew by docs/privacy.md."""
    if not is_let_in(asker, mode):
        return set()
    read = {PLANS} if place == "#leads" else set()
    if alone:
        read |= {PLANS} if asker == "lead" else set()
        read |= {PAY} if asker == "chief" else set()
    return read


def text_of(told: object) -> tuple[str, bool]:
    """All that is said, and whether for the asker alone."""
    if hasattr(told, "messages"):
        said = json.dumps([[one.text, one.blocks] for one in told.messages], ensure_ascii=False, default=str)
        return said, bool(getattr(told, "privately", False))
    return json.dumps(told, ensure_ascii=False, default=str), True


def shown(way: Callable[[], object]) -> tuple[str, bool]:
    """The same of a way to be told something: where it is refused, why is said instead."""
    try:
        return text_of(way())
    except (AccessRefused, AlmanacError) as error:
        return explained(error, "it is not told"), True


# What others did in the open repository, for whoever may ask only about themselves.
OTHERS = {"member": ("part 1", "part 2", "note"), "lead": ("part 0", "part 2"), "chief": ("part 0", "part 1")}


def look(bot: Bot, mode: str, asker: str, place: str, counts: Counter[str], nth: int = 0, of: int = 1) -> list[str]:
    """What somebody may ask somewhere, the nth of so many parts of it, and what was shown that may not be."""
    who = ASKERS[asker]
    channel = f"D0{who}" if place == "direct" else PLACES[place]
    found = []
    for called, typed, alone, told in islice(paths(bot, who, channel), nth % of, None, of):
        said, privately = shown(told)
        counts["tries"] += 1
        read = may_read(asker, place, alone or privately, MODES[mode])
        for name, word in WORDS.items():
            if name in read:
                counts[f"told {name}"] += word in said.casefold() or name in said
                continue
            without = said.casefold().replace(typed.casefold(), "") if typed else said.casefold()
            if word in typed.casefold() or name in typed:  # it may be said again, but for what stands beside it
                leaks = [
                    one
                    for one in (f"the {word} plan", f"the {word} leak", f"{word} flies", f"{word}/")
                    if one in without
                ]
            else:
                leaks = [one for one in (word, name) if one in without]
            found += [f"{mode} | {asker} | {place} | {called}: {leak!r} in {said[:600]}" for leak in leaks]
        if MODES[mode].get("about_others") == "nobody" or not is_let_in(asker, MODES[mode]):
            told_of = [one for one in OTHERS.get(asker, ("part 0", "part 1", "part 2")) if one in said.casefold()]
            if told_of:
                found.append(f"{mode} | {asker} | {place} | {called}: {told_of} in {said[:600]}")
    return found


@pytest.mark.parametrize(
    ("mode", "asker", "place", "of"),
    [("open", "member", "#general", 3), ("open", "guest", "direct", 6), ("nobody", "member", "direct", 6)],
)
def test_every_path_of_somebody_who_may_not_read_it(mode: str, asker: str, place: str, of: int, tmp_path: Path) -> None:
    """A part of the campaign below: one who reads nothing of them, and two who read nothing of others' at all."""
    store, counts = Store(tmp_path / "almanac.db"), Counter[str]()
    filled(store)
    assert look(Bot.of(store, **MODES[mode]), mode, asker, place, counts, of=of) == []
    assert counts["tries"] > 30


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_every_pair_of_an_asker_a_place_and_a_path(mode: str, tmp_path: Path) -> None:
    """Each asker is in each place, on each path, and each path is taken in each place; in every mode."""
    store, counts, of = Store(tmp_path / "almanac.db"), Counter[str](), len(ASKERS) - 1
    filled(store)
    bot, found = Bot.of(store, **MODES[mode]), list[str]()
    for (one, asker), (other, place) in product(enumerate(ASKERS), enumerate(PLACES)):
        found += look(bot, mode, asker, place, counts, one + other, of)
    assert found == [], "\n".join(found)
    assert counts["tries"] > 1_200 and counts[f"told {PLANS}"] > 5, counts
