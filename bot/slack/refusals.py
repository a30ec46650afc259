"""Slack's error codes by what they ask for, and the words for each. Pure.

From the method pages of chat.postMessage and auth.test: https://docs.slack.dev/reference/methods/chat.postMessage
"""

from __future__ import annotations

# Nothing was done; the same call may pass later.
AGAIN = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded", "team_added_to_org", "org_login_required"})
# Something may have been done.
UNCERTAIN = frozenset({"fatal_error", "internal_error", "service_unavailable", "request_timeout", "unknown_error"})
# The blocks were refused; the text alone may pass.
CONTENT = frozenset(
    {
        "invalid_blocks",
        "invalid_blocks_format",
        "msg_blocks_too_long",
        "msg_blocks_too_many",
        "invalid_attachments",
        "too_many_attachments",
    }
)
# Our own mistake: the same would be refused again.
OURS = CONTENT | {
    "msg_too_long",
    "no_text",
    "markdown_text_conflict",
    "invalid_metadata_format",
    "invalid_metadata_schema",
    "metadata_too_large",
    "cannot_reply_to_message",
    "invalid_arguments",
}
# What the workspace, or how the app is installed in it, does not allow: the same call will not pass soon.
LACKING = frozenset(
    {
        "missing_scope",
        "unknown_method",
        "method_deprecated",
        "deprecated_endpoint",
        "method_not_supported_for_channel_type",
        "feature_not_enabled",
        "not_allowed",
        "not_allowed_token_type",
        "no_permission",
        "access_denied",
    }
)
# The app is not let in at all: whatever is sent is refused until somebody has fixed that.
_INSTALLATION = frozenset(
    {
        "invalid_auth",
        "not_authed",
        "token_revoked",
        "token_expired",
        "account_inactive",
        "app_access_restricted",
        "not_allowed_token_type",
        "enterprise_is_restricted",
        "team_access_not_granted",
        "two_factor_setup_required",
        "accesslimited",
    }
)
STOPS = _INSTALLATION | {"missing_scope"}
_CHANNEL = {
    "channel_not_found": "check the channel's name; a private one needs /invite @Almanac in it first",
    "not_in_channel": "type /invite @Almanac in the channel",
    "is_archived": "the channel is archived: name another in almanac.toml",
    "missing_scope": "install the app again with the scopes of manifest.json",
    "no_permission": "the app may not post there: ask an admin of the workspace",
    "access_denied": "the app may not post there: ask an admin of the workspace",
    "restricted_action": "the workspace does not let apps post there: ask an admin",
    "restricted_action_read_only_channel": "only some people may post in that channel: ask an admin",
    "restricted_action_thread_only_channel": "that channel takes replies only: name another in almanac.toml",
    "restricted_action_non_threadable_channel": "that channel takes no threads: name another in almanac.toml",
    "restricted_action_thread_locked": "the thread is locked: ask again outside of it",
    "ekm_access_denied": "the workspace's keys do not let apps post there: ask an admin",
    "messages_tab_disabled": "switch on the app's messages tab, as manifest.json has it",
    "user_not_found": "there is no such person in the workspace",
    "user_disabled": "that person's account is deactivated",
    "user_not_visible": "the app may not see that person: ask an admin of the workspace",
    "message_not_found": "the message was deleted",
    "msg_too_long": "the message is longer than Slack takes",
}
# A channel, or a person's direct messages, that can be posted to no more.
CHANNEL = frozenset(_CHANNEL) - STOPS - {"message_not_found", "msg_too_long", "restricted_action_thread_locked"}


def what_to_do(code: str) -> str:
    """What somebody can do about an error code, in a few words."""
    if code in _INSTALLATION:
        return "check SLACK_BOT_TOKEN, or install the app again and copy its new token"
    if code in AGAIN:
        return "it is tried again"
    if code in UNCERTAIN:
        return "Slack does not say whether it was done: look into the channel"
    return _CHANNEL.get(code, "see https://docs.slack.dev/reference/methods/chat.postMessage")
