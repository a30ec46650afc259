"""Every query, by three readers under each setting, tells the same in Slack, at the command line with `--as`, by a
model's calls and by Slackbot's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Set
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from a_model import AModel, says
from bot_in_workspace import patient
from test_every_path import ASKERS, AUDIENCES, CHIEF, LEAD, MEMBER, MODES, NOW, OPEN, PLANS, WORDS, filled, text_of

from bot.ask.queries import Queries
from bot.commands.asking import ask
from bot.commands.house import House
from bot.settings import ModelSettings, PersonSettings, PrivacySettings, RepositorySettings, Secret, Settings
from bot.slack.answering import Answering
from bot.slack.audience import OTHERS_REFUSED, Request
from bot.slack.directory import Members
from bot.slack.web_api import without_proxy_for_loopback
from bot.story.render import Templates
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceUser
from bot.workspace.state import WorkspaceChannel, WorkspaceUserGroup
from storage import Store

pytest.importorskip("mcp", reason="almanac-bot[mcp] is not installed")

from bot.mcp.slackbot import SlackbotTools

READERS = {"member": MEMBER, "lead": LEAD, "chief": CHIEF}
LEADER = ASKERS["lead"]
# What somebody types, and the same as a tool.
ASKED: list[tuple[str, str, dict[str, Any]]] = [
    ("mem ber in october", "month", {"people": ["Mem Ber"], "span": "2025-10"}),
    ("lea der in october", "month", {"people": ["Lea Der"], "span": "2025-10"}),
    ("what did mem ber do in acme/plans in october?", "month",
     {"people": ["Mem Ber"], "span": "2025-10", "repositories": ["acme/plans"]}),
    ("changes of chie fly in october", "changes", {"people": ["Chie Fly"], "span": "2025-10"}),
    ("biggest changes in october", "changes", {"span": "2025-10", "order": "size"}),
    ("what shipped in october?", "team", {"span": "2025-10"}),
    ("who worked on src/part.py?", "who", {"paths": ["src/part.py"]}),
    ("reviews by zeppelin rev in october", "reviews", {"person": "Zeppelin Rev", "span": "2025-10"}),
    ("who reviewed lea der's changes in october?", "reviews", {"person": "Lea Der", "role": "of", "span": "2025-10"}),
    ("explain #1", "explain", {"references": ["#1"]}),
    ("explain {plan}", "explain", {"references": ["{plan}"]}),
    ("profile of mem ber", "profile", {"person": "Mem Ber"}),
]  # fmt: skip
UNREAD = "Cad a rinne siad?"  # of which the tables account for nothing
SETTINGS = {mode: MODES[mode] for mode in ("asker", "nobody", "some")}
Told = tuple[Set[str], bool]  # of which repositories, and whether it was refused instead


@pytest.fixture
def team() -> Iterator[ThreadedWorkspace]:
    people = [
        WorkspaceUser(id=ASKERS[who], name=who, real_name=one.name, email=one.addresses[0])
        for who, one in READERS.items()
    ]
    leads = WorkspaceChannel(name="leads", is_private=True, members=frozenset({LEADER, BOT_USER_ID}))
    chiefs = WorkspaceUserGroup(handle="chiefs", users=(ASKERS["chief"],))
    with patient(Workspace(people, ["general", leads], usergroups=[chiefs])) as opened:
        yield opened


@pytest.fixture
def settings(team: ThreadedWorkspace, tmp_path: Path) -> Settings:
    filled(Store(tmp_path / "almanac.db"))
    made = Settings(
        home=tmp_path, db=tmp_path / "almanac.db", fixed_now=NOW,
        bot_token=Secret(team.workspace.bot_token), slack_api=team.api_url,
        people=[PersonSettings(name="Mem Ber", addresses=["mem@acme.example"])],
        repositories=[
            RepositorySettings(address=f"/srv/{OPEN}", name=OPEN),
            *(RepositorySettings(address=f"/srv/{n}", name=n, audience=[a]) for n, a in AUDIENCES.items()),
        ],
    )  # fmt: skip
    without_proxy_for_loopback(made)
    return made


def answering_of(settings: Settings, team: ThreadedWorkspace) -> Answering:
    store = Store(settings.database)
    members = Members.of(settings, store, team.workspace.team_id)
    return Answering(Queries.of(store, settings), members, Templates(), BOT_USER_ID)


def told(said: str, asked: str) -> Told:
    """Of which repositories something tells, but for what was asked by name."""
    sought = {
        name: f"{word}|{name}" if name not in asked else word
        for name, word in ({OPEN: "part"} | WORDS).items()
        if word not in asked
    }
    found = (name for name, one in sought.items() if re.search(one, said.casefold()))
    is_unknown = any(word in asked or name in asked for name, word in WORDS.items())  # and refused as that, or so
    return frozenset(found), OTHERS_REFUSED in said and not is_unknown


def replaced(given: dict[str, Any], plan: str) -> dict[str, Any]:
    return {name: [plan] if value == ["{plan}"] else value for name, value in given.items()}


def at_terminal(settings: Settings, reader: str, text: str) -> Told:
    name = READERS[reader].name
    return told(ask(House(settings, "slack"), text, name), text)


@pytest.mark.parametrize("every_way", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("mode", SETTINGS)
def test_a_reader_is_told_the_same(settings: Settings, team: ThreadedWorkspace, mode: str, every_way: bool) -> None:
    """In Slack, and in each other way in turn or in every one."""
    settings = replace(settings, privacy=PrivacySettings(**SETTINGS[mode]))
    others = {"asker": READERS, "nobody": (), "some": ("member",)}[mode]
    plan = next(iter(Store(settings.database).commits.by_pull(PLANS, 9))).sha[:12]
    asked = [(text.format(plan=plan), tool, replaced(given, plan)) for text, tool, given in ASKED]
    with AModel() as server:
        model = ModelSettings(address=server.address, name="m", questions=True)
        answering, with_model = (answering_of(one, team) for one in (settings, replace(settings, model=model)))
        tools = SlackbotTools(answering, Templates(), "a made-up secret", team.workspace.team_id)
        for (first, reader), (second, (text, tool, given)) in product(enumerate(READERS), enumerate(asked)):
            turn = (first + second) % 3
            request = Request(ASKERS[reader], "", alone=True)
            in_slack = told(text_of(answering.answer(text, request))[0], text)
            if every_way or turn == 0:
                assert at_terminal(settings, reader, text) == in_slack, (reader, text)
            if every_way or turn == 1:
                called: Any = tools.answer(tool, given, {"slack": {"user_id": ASKERS[reader]}})
                said = json.dumps([called.structured_content, called.meta, [one.text for one in called.content]])
                assert told(said, text) == in_slack, (reader, text)
            if every_way or turn == 2:
                calls = {"tool": tool, "arguments": json.dumps(given), "sentences": []}
                server.answers = [says(calls), says({"tool": "", "arguments": "", "sentences": []})]
                by_model = told(text_of(with_model.answer(UNREAD, request))[0], text)
                # A model may ask for anybody's work, so those who may not are answered without it.
                assert by_model == (in_slack if reader in others else (frozenset(), False)), (reader, text)


@pytest.mark.parametrize("mode", SETTINGS)
def test_of_two_questions_each_is_answered_in_its_own_rights(
    settings: Settings, team: ThreadedWorkspace, mode: str
) -> None:
    settings = replace(settings, privacy=PrivacySettings(**SETTINGS[mode]))
    first, second = (f"what did {name} do in october" for name in ("mem ber", "lea der"))
    answering = answering_of(settings, team)
    for reader in READERS:
        one, other = (at_terminal(settings, reader, text) for text in (first, second))
        both = one if one[1] else (one[0] | other[0], other[1])
        text, request = f"{first}, and {second}?", Request(ASKERS[reader], "", alone=True)
        assert at_terminal(settings, reader, text) == both, reader
        assert told(text_of(answering.answer(text, request))[0], text) == both, reader


class TestWithoutSlack:
    """No token: whoever asks is a member, of whose channels and groups nothing is known."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return replace(settings, bot_token=None, slack_api="http://127.0.0.1:9/")

    def test_what_is_not_for_everyone_is_left_out(self, settings: Settings) -> None:
        for reader in READERS:
            assert at_terminal(settings, reader, "what shipped in october?") == ({OPEN}, False)

    def test_nobody_is_told_of_others_who_may_not_be(self, settings: Settings) -> None:
        closed = replace(settings, privacy=PrivacySettings(about_others="nobody"))
        assert at_terminal(closed, "member", "lea der in october") == (frozenset(), True)
        assert at_terminal(closed, "member", "my october") == ({OPEN}, False)
