"""What Slack refuses is of one class each, and each class has its consequence."""

from __future__ import annotations

import pytest

from bot.slack.refusals import AGAIN, CHANNEL, CONTENT, OURS, STOPS, UNCERTAIN, what_to_do

CLASSES = {"again": AGAIN, "uncertain": UNCERTAIN, "channel": CHANNEL, "installation": STOPS, "ours": OURS}
# The errors of chat.postMessage and conversations.open: https://docs.slack.dev/reference/methods/chat.postMessage
CODES = {
    "again": "ratelimited rate_limited message_limit_exceeded team_added_to_org org_login_required",
    "uncertain": "service_unavailable internal_error fatal_error request_timeout",
    "channel": "channel_not_found not_in_channel is_archived restricted_action "
    "restricted_action_read_only_channel restricted_action_thread_only_channel "
    "restricted_action_non_threadable_channel ekm_access_denied messages_tab_disabled user_not_found user_disabled "
    "user_not_visible no_permission access_denied",
    "installation": "invalid_auth not_authed token_revoked token_expired account_inactive app_access_restricted "
    "missing_scope not_allowed_token_type enterprise_is_restricted team_access_not_granted two_factor_setup_required "
    "accesslimited",
    "ours": "invalid_blocks invalid_blocks_format msg_blocks_too_long msg_blocks_too_many msg_too_long no_text "
    "markdown_text_conflict invalid_attachments too_many_attachments invalid_metadata_format invalid_metadata_schema "
    "metadata_too_large cannot_reply_to_message invalid_arguments",
}


@pytest.mark.parametrize(("name", "code"), [(name, code) for name, codes in CODES.items() for code in codes.split()])
def test_each_code_is_of_one_class(name: str, code: str) -> None:
    assert [one for one, codes in CLASSES.items() if code in codes] == [name]


def test_a_locked_thread_breaks_neither_its_channel_nor_the_installation() -> None:
    """The next digest begins a thread of its own."""
    assert [one for one, codes in CLASSES.items() if "restricted_action_thread_locked" in codes] == []
    assert what_to_do("restricted_action_thread_locked") == "the thread is locked: ask again outside of it"


def test_blocks_that_are_refused_are_our_mistake() -> None:
    assert CONTENT < OURS


@pytest.mark.parametrize("code", [*CODES["channel"].split(), *CODES["installation"].split()])
def test_what_somebody_can_mend_says_how(code: str) -> None:
    said = what_to_do(code)
    assert said and "docs.slack.dev" not in said
