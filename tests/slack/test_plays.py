"""What people see who talk to the bot and press what it offers; by Socket Mode and by HTTP in turn."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from builders import ADA, GitRepo, index
from plays import Play

from bot.settings import PrivacySettings, RepositorySettings, Settings
from bot.slack.answering import SUBCOMMANDS
from bot.slack.elements import NONE_OF_THESE
from bot.workspace import ThreadedWorkspace
from storage import Store

KIM, OKAFOR = ("Dave Kim", "dave.kim@example.com"), ("Dave Okafor", "okafor@example.com")

PLAYS = {
    "a thread remembers who it is about": """
        guest #general: @Almanac what did ada do in august?
        bot thread: Add the mill
        guest thread: @Almanac and october?
        bot thread: Ada Lovelace · October 2025
    """,
    "a direct message is answered beside it, and so is what follows": """
        ada direct: what did I do in october?
        bot direct: Ada Lovelace · October 2025
        ada direct: and august?
        bot direct: August 2025 … Add the mill
        ada presses October 2025 →
        bot direct: October 2025
        ada direct: and august?
        bot direct: August 2025
    """,
    "whose commits are unknown is told what to do": """
        guest direct: what did I do last month?
        bot direct: almanac.toml
    """,
    "a month offers what can be asked next": """
        guest #general: @Almanac ada october 2025
        bot thread: October 2025
        buttons: ← August 2025; All 2 changes; Profile; Not right?
        guest #general: @Almanac ada august 2025
        bot thread: August 2025
        buttons: October 2025 →; The change; Profile; Not right?
    """,
    "what one sees alone can be shared, and corrected by whom it is about": """
        ada #general: /almanac month october
        bot alone: October 2025
        buttons: ← August 2025; All 2 changes; Profile; Share here; Not right?
        guest #general: /almanac month @Ada Lovelace october
        bot alone: October 2025
        buttons: ← August 2025; All 2 changes; Profile; Share here
        guest direct: ada october 2025
        bot direct: October 2025
        buttons: ← August 2025; All 2 changes; Profile; Share in a channel
    """,
    "another month is told in the thread, whoever asks, which is then about it": """
        guest #general: @Almanac ada october 2025
        bot thread: October 2025
        grace presses ← August 2025
        bot thread: August 2025 … Add the mill
        unchanged
        guest thread: @Almanac and grace?
        bot thread: Grace … August 2025
    """,
    "another month takes the place of what one sees alone": """
        guest #general: /almanac month ada october
        bot alone: October 2025
        guest presses ← August 2025
        bot here: August 2025 … Add the mill
        buttons: October 2025 →; The change; Profile; Share here
        holds 0 #general: 2025
    """,
    "a press that is delivered twice is answered once": """
        guest #general: @Almanac ada october 2025
        bot thread: October 2025
        guest presses ← August 2025
        bot thread: August 2025
        again
        again
        guest presses Profile
        bot thread: Lovelace · August 2025 to
        holds 1 thread: *Ada Lovelace · August 2025*
    """,
    "what is shared is posted anew, and the other goes": """
        guest #general: /almanac month ada october
        bot alone: October 2025
        guest presses Share here
        bot channel: Ada Lovelace · October 2025 … the store
        buttons: ← August 2025; All 2 changes; Profile; Not right?
        nothing alone
        again
        guest #general: @Almanac ada august 2025
        bot thread: August 2025
        holds 1 #general: October 2025
    """,
    "from a direct message into a channel that is chosen": """
        ada direct: my october
        bot direct: October 2025
        ada presses Share in a channel
        modal: Post it in
        ada submits channel=C0002
        modal: It is posted there.
        holds 1 #shipped: the store
    """,
    "what cannot be posted is said to whoever wanted it, and what was there stays": """
        guest #general: /almanac month ada october
        bot alone: October 2025
        fault chat.postMessage error:not_in_channel
        guest presses Share here
        bot alone: could not be posted there … /invite @Almanac
        unchanged
    """,
    "an answer to a press that slack does not take is said to whoever pressed": """
        guest #general: @Almanac ada october 2025
        bot thread: the store
        fault chat.postMessage error:restricted_action
        ada presses Profile
        bot alone: could not be posted there: the workspace does not let apps post there
    """,
    "two of one name are offered, and the choice is answered in the thread": f"""
        guest #general: @Almanac what did dave do in october 2025?
        bot thread: Dave Kim (1 commit) or Dave Okafor (1)? … {NONE_OF_THESE}
        buttons: Dave Kim; Dave Okafor
        grace presses Dave Okafor
        bot thread: Add a saw
        bot here: Chosen: Dave Okafor
        buttons:
    """,
    "a second choice is not answered, though its button is still there": """
        guest #general: @Almanac what did dave do in october 2025?
        bot thread: Dave Kim
        fault chat.update error:message_not_found
        grace presses Dave Okafor
        bot thread: Add a saw
        ada presses the same: Dave Kim
        guest thread: @Almanac ada august 2025
        bot thread: August 2025
        holds 1 thread: Add a saw
        holds 0 thread: Add a hammer
    """,
    "a choice takes the place of what one sees alone": """
        guest #general: /almanac month dave october 2025
        bot alone: Dave Kim
        guest presses Dave Kim
        bot here: Add a hammer … Share here
    """,
    "a month without commits offers the nearest": """
        guest #general: @Almanac ada september 2025
        bot thread: September 2025
        buttons: ← August 2025; October 2025 →; Profile
    """,
    "another family name offers whom it is near": """
        guest #general: @Almanac what did Grace Kelly do in october 2025?
        bot thread: Grace Hopper
        guest presses Grace Hopper
        bot thread: Add a compiler
    """,
    "my month is the newest that holds anything, and is turned in its place": """
        ada runs my_month
        modal: the store … October 2025
        buttons: ← August 2025; All 2 changes
        ada presses ← August 2025
        modal: Add the mill
        buttons: October 2025 →
    """,
    "the month of whoever wrote a message": """
        grace #general: the compiler is in
        guest runs author_month on it
        modal: Add a compiler … Grace Hopper, October 2025
    """,
    "a bot has no month": """
        ada #general: @Almanac ada october 2025
        bot thread: October 2025
        ada runs author_month on that
        modal: No person wrote this message
    """,
    "who is nobody in git is told what to do": """
        guest runs my_month
        modal: say so by /almanac link
        guest #general: hello
        ada runs author_month on it
        modal: I do not know who Some Guest is in git
    """,
    "somebody picks a person and a month": """
        ada #general: /almanac
        modal: In which month?
        not: In which repository?
        ada submits who=U0002 when=2025-10
        bot alone: Grace Hopper · October 2025
    """,
    "link says who one is, and who one may be": """
        ada #general: /almanac link
        bot alone: You are Ada Lovelace … ada@example.com
        guest #general: /almanac link
        bot alone: I do not know yet who you are
        guest #general: /almanac link grace@example.com
        bot alone: grace@example.com
        buttons:
        not: almanac.toml
    """,
    "what is confirmed takes the place of the question": """
        ada #general: /almanac unlink ada@example.com
        bot alone: ada@example.com
        buttons: Confirm
        ada presses Confirm
        bot here: Done
        buttons:
        ada #general: /almanac link
        bot alone: I do not know yet
    """,
}
WITH_DAVES = {name for name, text in PLAYS.items() if "dave" in text.casefold()}


@pytest.fixture
def daves(indexed: Store, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Two of them, with one commit each."""
    if request.node.callspec.params["name"] in WITH_DAVES:
        repo = GitRepo(tmp_path / "acme" / "tools")
        repo.commit("Add a hammer (#7)", author=KIM, at="2025-10-03 10:00 +0000", files={"hammer.py": "h"})
        repo.commit("Add a saw (#8)", author=OKAFOR, at="2025-10-04 10:00 +0000", files={"saw.py": "s"})
        index(indexed, repo.path)


@pytest.mark.usefixtures("daves", "bot")
@pytest.mark.parametrize(
    ("name", "transport"), [(name, ("http", "socket")[number % 2]) for number, name in enumerate(PLAYS)]
)
def test_a_conversation(workspace: ThreadedWorkspace, name: str) -> None:
    Play(workspace).play(PLAYS[name])


COMMANDS = """
month                                | Ada Lovelace · October 2025
month @Grace H. october              | Grace Hopper · October 2025
month august                         | Ada Lovelace · August 2025
month zorblax in august              | I know nobody called “zorblax”
month everyone august                | 1 person, 1 change in acme/engine
month 2025-13                        | There is no month 2025-13
what did I do in august?             | Ada Lovelace · August 2025
profile                              | Ada Lovelace · August 2025 to October 2025
profile grace                        | Grace Hopper · October 2025
digest october                       | October 2025
who compiler                         | Grace Hopper
who the compiler                     | Grace Hopper
who worked on the compiler           | Grace Hopper
who’s been working on the compiler   | Grace Hopper
Profile @Grace H.                    | Grace Hopper · October 2025
changes grace in october             | Add a compiler
changes october                      | Fix the store
explain #3                           | Add a compiler (#3)
settings                             | almanac.toml
help                                 | What did
fhqwhgads                            | I did not understand
"""


@pytest.mark.usefixtures("bot")
def test_each_subcommand_is_answered_for_the_asker_alone(workspace: ThreadedWorkspace) -> None:
    lines = [tuple(map(str.strip, line.split("|"))) for line in COMMANDS.strip().splitlines()]
    Play(workspace).play("\n".join(f"ada #general: /almanac {typed}\nbot alone: {words}" for typed, words in lines))
    Play(workspace).play("holds 0 #general: 2025")
    played = re.findall(r"/almanac (\w+)", "".join(PLAYS.values())) + [typed.split()[0] for typed, _ in lines]
    assert {one.name for one in SUBCOMMANDS} <= {*played}


@pytest.mark.usefixtures("bot")
def test_of_several_repositories_one_can_be_picked(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo
) -> None:
    web = GitRepo(engine.path.parent / "web")
    web.commit("Add a page", at="2025-10-03 10:00 +0000", files={"page.ts": "page\n"})
    index(indexed, web)
    Play(workspace).play("""
        ada #general: /almanac
        modal: In which repository?
        ada submits when=2025-10 where=acme/web
        bot alone: October 2025 · acme/web
        not: compiler
    """)


class TestWithLessForOthers:
    """A repository that only #shipped reads of, and answers about others for the asker alone where `asker` is set."""

    @pytest.fixture
    def settings(
        self, settings: Settings, indexed: Store, engine: GitRepo, tmp_path: Path, request: pytest.FixtureRequest
    ) -> Settings:
        repo = GitRepo(tmp_path / "acme" / "secret")
        repo.commit("Plan the raid", author=ADA, at="2025-10-03 10:00 +0000", files={"plan.txt": "p"})
        index(indexed, repo.path)
        tables = [
            RepositorySettings(address=str(engine.path)),
            RepositorySettings(address=str(repo.path), audience=["#shipped"]),
        ]
        return replace(settings, repositories=tables, privacy=PrivacySettings(answers_about_others=request.param))

    PLAYS = {  # noqa: RUF012
        "what a channel may not read is left out there": """
            ada direct: my october
            bot direct: October 2025 … Plan the raid
            ada presses Share in a channel
            modal: Post it in
            ada submits channel=C0001
            modal: It is posted there.
            holds 1 #general: the store
            holds 0 #general: raid
        """,
        "answers about others stay with the asker": """
            grace #general: /almanac month ada october
            bot alone: October 2025
            grace presses Share here
            bot alone: cannot be shown in the channel
            holds 0 #general: 2025
        """,
        "a mention about others is answered to the asker alone, as is what is pressed": """
            grace #general: @Almanac ada october 2025
            bot alone: the store
            grace #general: @Almanac grace october 2025
            bot thread: Add a compiler
            ada presses Profile
            bot alone: Grace Hopper
            holds 1 thread: Grace
        """,
        "where nothing can be whispered it is a direct message": """
            fault chat.postEphemeral error:user_not_in_channel
            grace #general: @Almanac ada october 2025
            bot direct: the store
            holds 0 #general: 2025
        """,
    }

    @pytest.mark.usefixtures("bot")
    @pytest.mark.parametrize(
        ("name", "settings"),
        [(name, "asker" if number else "channel") for number, name in enumerate(PLAYS)],
        indirect=["settings"],
    )
    def test_a_conversation(self, workspace: ThreadedWorkspace, name: str) -> None:
        Play(workspace).play(self.PLAYS[name])
