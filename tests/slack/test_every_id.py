"""Every id that can be pressed, submitted or run does what it is for, over the wire."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import pytest
from builders import GitRepo
from talking import SECONDS, answers, direct, said

from bot.ask.question import Question
from bot.month.calendar import Days, Month
from bot.settings import DigestSettings, PrivacySettings, Settings
from bot.slack.elements import compact, written
from bot.slack.modals import Origin
from bot.slack_app.listeners import GONE_WORDS
from bot.slack_app.serve import Bot
from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from storage import Store

Json = dict[str, Any]
ADA = "U0001"
OCTOBER = written(Question("month", people=("Ada Lovelace",), span=Days.of(Month(2025, 10))))
DIGEST = compact({"key": "shipped|", "cadence": "monthly"})
# Of 0.2.0, in messages and in Home tabs.
GONE = (
    "only_kind", "only_repository", "part_right", "part_correct", "part_note", "part_skip", "part_never", "feedback",
    "digest_ask_me", "digest_mention_me", "home_same", "home_different", "home_accept_all", "home_apart", "home_review",
)  # fmt: skip
ORIGIN = asdict(Origin(OCTOBER, "C0001", "1.1", ephemeral=False))
MINE = compact(
    {"action": "link", "user": ADA, "address": "ada@example.com", "person": "Ada Lovelace", "sentence": "You are Ada."}
)
# By where it is pressed: what a button holds, and what is read then.
PRESSES: dict[str, dict[str, tuple[str, str]]] = {
    "message": {
        "ask": (OCTOBER, "2 changes"),
        "choice": (OCTOBER, "Chosen: Go"),
        "share": (OCTOBER, "2 changes"),
        "link": (MINE, "ada@example.com is yours already"),
        "changes": (OCTOBER, "October 2025: 2 changes"),
        "correct": (OCTOBER, "Which change?"),
        "share_to": (OCTOBER, "Post it in"),
        "pick": ("pick", "In which month?"),
        "digests": ("open", "#shipped: everyone, monthly"),
        "digest_new": ("new", "How often"),
    },
    "modal": {
        "explain": ("{explain}", "Ping <!channel>"),
        "modal_changes": (OCTOBER, "October 2025: 2 changes"),
        "page": ("0", "October 2025: 2 changes"),
        "modal_month": (OCTOBER, "All 2 changes"),
        "correct_undo": (compact({"sha": "{sha}", "field": "kind", "number": 1}), "There is nothing to undo any more."),
        "digest_edit": (DIGEST, "his digest is set in almanac.toml"),
        "digest_preview": (DIGEST, "Nothing is posted."),
        "digest_post": (DIGEST, "is posted in #shipped now"),
        "digest_pause": (DIGEST, "Paused: nothing of it is posted"),
        "digest_resume": (DIGEST, "It is posted again"),
        "digest_delete": (DIGEST, "his digest is set in almanac.toml"),
        "digest_update": (compact({"digest": "digest|x", "sha": "{sha}"}), "This digest is not posted any more."),
    },
    "home": {
        "home_add": ("add", "An address that your commits are signed with"),
        "home_ask": (OCTOBER, "2 changes"),
        "home_hide": ("hide", "You are not shown"),
        "home_show": ("show", "You are shown"),
        "home_not_me": ("nobody@example.com", "nobody@example.com is not yours as far as I know."),
        "home_this_is_me": (MINE, "ada@example.com is yours already"),
        "home_undo": ("slack:99", "There is nothing to undo any more."),
        "home_confirm": ("slack:99", "There is nothing to confirm any more."),
        "home_refresh": ("again", "The index"),
        **dict.fromkeys(GONE, ("old", GONE_WORDS)),
    },
}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Ada is an admin, and a digest is wanted."""
    return replace(settings, digests=[DigestSettings(channel="#shipped")], privacy=PrivacySettings(admins=[ADA]))


def row_of(sort: str, value: str) -> Json:
    button = {"type": "button", "action_id": f"{sort}.1", "text": {"type": "plain_text", "text": "Go"}, "value": value}
    return {"type": "actions", "block_id": "choices", "elements": [button]}


def read(workspace: ThreadedWorkspace) -> str:
    """All that Ada sees: messages, modals and her Home tab."""
    channels = ("general", direct(workspace, "ada"))
    messages = [one for channel in channels for one in workspace.messages(channel, user=ADA)]
    threads = [
        one
        for channel in channels
        for root in workspace.messages(channel)
        for one in workspace.messages(channel, thread_ts=root["ts"])
    ]
    shown = [*messages, *threads, *workspace.modals("ada"), workspace.home_views.get(ADA, {"blocks": []})]
    return "\n".join(said(one) + str(one.get("text", "")) for one in shown if "blocks" in one)


def pressed(workspace: ThreadedWorkspace, place: str, sort: str, value: str) -> None:
    """Ada presses a button where nothing else is shown."""
    team, row = workspace.workspace, row_of(sort, value)
    if place == "message":
        team.modals.close(ADA, every=True)
        message = team.post("C0001", user=BOT_USER_ID, text=sort, blocks=[row])
        workspace.press("ada", "general", message.ts, f"{sort}.1")
        return
    kept = {"channel": direct(workspace, "ada"), "question": OCTOBER, **ORIGIN}
    view = {"id": "V1", "hash": "1", "blocks": [row], "private_metadata": compact(kept), "state": {"values": {}}}
    if place == "home":
        team.modals.close(ADA, every=True)
        team.home_views[ADA] = {**view, "type": "home"}
        workspace.press_home("ada", f"{sort}.1")
    else:
        title = {"type": "plain_text", "text": "Any"}
        callback = {"callback_id": "digests"} if sort.startswith("digest_") else {"callback_id": "any"}
        team.modals.open(ADA, {**view, **callback, "type": "modal", "title": title, "root_view_id": "V1"})
        workspace.press_modal("ada", f"{sort}.1")


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize("place", PRESSES)
def test_every_press_is_answered_in_words(workspace: ThreadedWorkspace, engine: GitRepo, place: str) -> None:
    sha = engine.shas()[1]
    explain = written(Question("explain", references=(sha,)))
    for sort, (value, words) in PRESSES[place].items():
        before = read(workspace).count(words)
        pressed(workspace, place, sort, explain if value == "{explain}" else value.replace("{sha}", sha))
        before = 0 if place != "message" else before
        workspace.wait_until(lambda w=words, n=before: read(workspace).count(w) > n, SECONDS)  # type: ignore[misc]


def chosen(**values: str) -> Json:
    """What a form was filled in with: a value, or an option of a menu."""
    filled = {
        name: {"value": value, "selected_option": {"value": value, "text": {"type": "plain_text", "text": "It"}},
               "selected_conversation": value, "selected_user": value}
        for name, value in values.items()
    }  # fmt: skip
    return {name: {name: one} for name, one in filled.items()}


def submissions(workspace: ThreadedWorkspace, sha: str) -> dict[str, tuple[Any, Json, str]]:
    """By callback id: what the modal keeps, what is filled in, and what is read then."""
    whom = {"whom": "everyone", "cadence": "monthly", "day": "1", "weekday": "1", "hour": "9", "zone": "UTC"}
    url = f"{workspace.api_url}response/nowhere"
    return {
        "correct": (ORIGIN, chosen(change=sha, wrong="docs", title=""), "counts as a docu"),
        "correct_what": (ORIGIN, chosen(change=sha, wrong="kind"), GONE_WORDS),
        "correct_how": ({"origin": ORIGIN, "sha": sha, "field": "kind"}, chosen(value="docs"), GONE_WORDS),
        "pick": ({"channel": "C0001", "url": url}, chosen(who=ADA, when="2025-10"), "2 changes"),
        "share_to": (OCTOBER, chosen(channel="C0001"), "It is posted there."),
        "home_add": ({}, chosen(address="nobody at all"), "is no address and no login"),
        "home_confirm": ({"proposal": json.loads(MINE)}, {}, "ada@example.com is yours already"),
        "digest_form": ({}, chosen(channel="C0001", quiet="say", **whom), "Saved: #general"),
        "digest_post_surely": (json.loads(DIGEST), {}, "#shipped: "),
    }


@pytest.mark.usefixtures("bot")
def test_every_submission_is_answered_in_words_and_done_once(
    workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
) -> None:
    """However often Slack delivers it."""
    team = workspace.workspace.team_id
    for number, (sort, (kept, values, words)) in enumerate(submissions(workspace, engine.shas()[1]).items()):
        metadata = kept if isinstance(kept, str) else compact(kept)
        view = {
            "id": f"V{number}", "type": "modal", "callback_id": sort, "private_metadata": metadata,
            "title": {"type": "plain_text", "text": "Any"}, "state": {"values": values}, "blocks": [], "hash": "1",
        }  # fmt: skip
        payload = {"type": "view_submission", "user": {"id": ADA}, "team": {"id": team}, "view": view}
        for _ in range(2):
            answered = json.dumps(workspace.deliver("interactive", payload).reply.payload)
            workspace.wait_until(lambda a=answered, w=words: w in a + read(workspace), SECONDS)  # type: ignore[misc]
    assert [one.value for one in indexed.said.log("change")] == ["docs"]
    assert len([one for one in answers(workspace, "general") if not one.get("ephemeral")]) == 1, "what was shared"
    assert len(answers(workspace, "shipped")) == 1
    made = [one for one in indexed.digests.all() if one.is_made_in_slack]
    assert [one.channel for one in made] == ["C0001"]


def test_none_is_missing(workspace: ThreadedWorkspace, settings: Settings) -> None:
    listeners = Bot.connected(settings).listeners
    assert {sort for every in PRESSES.values() for sort in every} - set(GONE) == set(listeners.presses)
    assert set(submissions(workspace, "")) - {"correct_what", "correct_how"} == set(listeners.submissions)
    assert {"my_month", "author_month"} == set(listeners.shortcuts)
