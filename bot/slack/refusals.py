"""Slack's error codes by what they ask for, and the words for each. Pure.

From the method pages of chat.postMessage and auth.test: https://docs.slack.dev/reference/methods/chat.postMessage
"""

from __future__ import annotations

# Nothing was done; the same call may pass later.
AGAIN = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded", "team_added_to_org", "org_login_required"})
# Something may have been done.
UNCERTAIN = frozenset({"fatal_error", "internal_error", "service_unavailable", "request_timeout"})
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
_CHANNEL = {
    "channel_not_found": "check the channel's name; a private one needs /invite @Almanac in it first",
    "not_in_channel": "type /invite @Almanac in the channel",
    "is_archived": "the channel is archived: name another in almanac.toml",
    "missing_scope": "install the app again with the scopes of manifest.json",
    "no_permission": "the app may not post there: ask an admin of the workspace",
    "restricted_action": "the workspace does not let apps post there: ask an admin",
    "restricted_action_read_only_channel": "only some people may post in that channel: ask an admin",
    "msg_too_long": "the message is longer than Slack takes",
}


def what_to_do(code: str) -> str:
    """What somebody can do about an error code, in a few words."""
    if code in _INSTALLATION:
        return "check SLACK_BOT_TOKEN, or install the app again and copy its new token"
    if code in AGAIN:
        return "it is tried again"
    if code in UNCERTAIN:
        return "Slack does not say whether it was done: look into the channel"
    return _CHANNEL.get(code, "see https://docs.slack.dev/reference/methods/chat.postMessage")
