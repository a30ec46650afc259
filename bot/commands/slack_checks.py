"""What `almanac doctor` asks Slack: tokens, scopes, how the bot is reached, the channels it is to post in.

Nothing is posted and nothing is changed there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.doctor_findings import Check, Finding, ok, skipped, trouble
from bot.errors import AlmanacError, SlackRefused
from bot.settings import Settings
from bot.slack.audience import channel_of, is_id, may_be_group, rules_of
from bot.slack.directory import Lookups, Members, lookup_client
from bot.slack.web_api import (
    AGAIN,
    TROUBLE,
    UNCERTAIN,
    Client,
    code_of,
    identity,
    posting_client,
    what_to_do,
    without_proxy_for_loopback,
)
from storage import Store

CALL_SECONDS = 4
SET_UP = "see docs/slack.md"
NOT_SET_UP = "Slack is not set up yet (docs/slack.md)"

# What does not work without each scope of manifest.json; docs/slack.md says the same.
SCOPES = {
    "commands": "neither /almanac nor the shortcuts work",
    "app_mentions:read": "mentions are not heard",
    "im:history": "direct messages are not heard",
    "chat:write": "nothing can be answered",
    "assistant:write": "there are no suggested questions, and no status while an answer is made",
    "chat:write.public": "public channels are reached only after /invite @Almanac",
    "users:read": "nobody gets an answer, for it is not known who is a member",
    "users:read.email": "people are recognised only by their full name or the `slack` id in almanac.toml",
    "channels:read": "nothing is shown in public channels, for it is not known who reads them",
    "groups:read": "nothing is shown in private channels, for it is not known who reads them",
    "mpim:read": "nothing is shown in group messages, for it is not known who reads them",
    "im:read": "who reads a direct message is not known from Slack",
    "im:write": "a direct message whose posting Slack did not answer cannot be looked for, and is not sent again",
    "usergroups:read": "user groups that rules name match nobody",
}

# What is lost where whoever installs the app leaves one of its optional scopes out.
OPTIONAL = {
    "channels:history": "what Slack did not answer is not looked for in public channels, and not sent again",
    "groups:history": "what Slack did not answer is not looked for in private channels, and not sent again",
}

_NETWORK = "check SLACK_API_URL and the network"


def slack_checks(settings: Settings, store: Callable[[], Store | None]) -> list[Check]:
    """What to look at. `store` gives None where there is no database that can be asked."""
    if not (settings.bot_token or settings.app_token or settings.signing_secret):
        return [Check("Slack", lambda: [skipped("Slack", NOT_SET_UP)], SET_UP)]
    without_proxy_for_loopback(settings)
    slack = _Slack(settings, store)
    return [
        Check("SLACK_BOT_TOKEN", slack.bot_token, _NETWORK),
        Check("scopes", slack.scopes, _NETWORK),
        Check("SLACK_APP_TOKEN" if settings.app_token else "HTTP", slack.way, _NETWORK),
        Check("rules", slack.rules, _NETWORK),
        Check("channels", slack.channels, _NETWORK),
    ]


def missing_scopes(granted: Iterable[str]) -> list[Finding]:
    """A line for each scope that the app lacks; one for all that it needs where it lacks none of those."""
    have = set(granted)
    found = [
        trouble("scopes", f"{scope} is missing, so {lost}: install the app again with manifest.json")
        for scope, lost in SCOPES.items()
        if scope not in have
    ]
    left_out = [
        skipped("scopes", f"{scope} was left out, so {lost}: to allow it, install the app again with manifest.json")
        for scope, lost in OPTIONAL.items()
        if scope not in have
    ]
    return (found or [ok("scopes", f"all {len(SCOPES)} that are needed")]) + left_out


class _Slack:
    def __init__(self, settings: Settings, store: Callable[[], Store | None]) -> None:
        self._settings = settings
        self._store = store

    @cached_property
    def _client(self) -> WebClient:
        client = lookup_client(posting_client(self._settings))
        client.timeout = CALL_SECONDS
        return client

    @cached_property
    def _asked(self) -> SlackResponse | AlmanacError:
        """Slack's answer to who the token is."""
        try:
            return self._client.auth_test()
        except TROUBLE:
            try:
                identity(self._client)  # says it in words
            except SlackRefused as refused:
                return refused
            return SlackRefused("unknown_error", "Slack answered only the second time: try again")
        except AlmanacError as error:
            return error

    def _answer(self) -> SlackResponse | None:
        return None if isinstance(self._asked, AlmanacError) else self._asked

    def bot_token(self) -> Iterator[Finding]:
        if isinstance(self._asked, AlmanacError):
            said = str(self._asked).replace("Slack refused SLACK_BOT_TOKEN", "Slack refuses it")
            yield trouble("SLACK_BOT_TOKEN", said)
            return
        answer = self._asked
        yield ok("SLACK_BOT_TOKEN", f"{answer.get('user')} ({answer.get('user_id')}) in {answer.get('team')}")

    def scopes(self) -> Iterable[Finding]:
        granted = self._granted()
        if granted is None:
            return [skipped("scopes", "are known once SLACK_BOT_TOKEN is good")]
        return missing_scopes(granted)

    def _granted(self) -> frozenset[str] | None:
        answer = self._answer()
        if answer is None:
            return None
        headers = {name.lower(): value for name, value in (answer.headers or {}).items()}
        return frozenset(
            scope.strip() for scope in str(headers.get("x-oauth-scopes") or "").split(",") if scope.strip()
        )

    def way(self) -> Iterator[Finding]:
        """How Slack reaches the bot."""
        settings = self._settings
        if settings.app_token:
            yield self._app_token(settings.app_token.get_secret_value())
        elif settings.signing_secret:
            yield ok("HTTP", f"Slack is to reach PORT {settings.port}; GET /health there says whether the bot can work")
        else:
            yield trouble("HTTP", f"set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP: {SET_UP}")

    def _app_token(self, token: str) -> Finding:
        name = "SLACK_APP_TOKEN"
        client = Client(base_url=self._settings.slack_api.rstrip("/") + "/", timeout=CALL_SECONDS, retry_handlers=[])
        try:
            client.apps_connections_open(app_token=token)
        except SlackApiError as error:
            code = code_of(error)
            if code in AGAIN:
                return ok(name, "Slack knows it, and asks not to be asked again so soon")
            if code in UNCERTAIN:
                return trouble(name, f"Slack does not answer ({code}): try again later")
            return trouble(name, f"Slack refuses it ({code}): generate one with connections:write, {SET_UP}")
        except TROUBLE as error:
            return trouble(name, f"Slack cannot be reached ({type(error).__name__}): {_NETWORK}")
        return ok(name, "Socket Mode can be opened")

    def _lookups(self) -> Lookups | None:
        return Lookups(self._client) if self._answer() else None

    def rules(self) -> Iterator[Finding]:
        """Whether what rules name is there, and whether Slack lets it be seen."""
        answer, slack, store = self._answer(), self._lookups(), self._store()
        if answer is None or slack is None:
            yield skipped("rules", "are held against Slack once SLACK_BOT_TOKEN is good")
            return
        if store is None:
            yield skipped("rules", "are held against Slack once something is indexed")
            return
        rules = rules_of(self._settings, store.commits.repositories())
        people = rules.about_others if isinstance(rules.about_others, tuple) else ()
        named = rules.listed.union(one for one in (*people, *rules.admins) if one.startswith("@") or is_id(one, "S"))
        named |= {f"@{one.group.lstrip('@')}" for one in self._settings.digests if one.group}
        found = [said for entry in sorted(named) if (said := self._is_nowhere(entry, slack))]
        yield from (trouble("rules", one) for one in found)
        if not found:
            yield ok("rules", "what they name is there")

    def _is_nowhere(self, entry: str, slack: Lookups) -> str:
        """A sentence, where a channel or a user group that is named is not to be found."""
        channel = channel_of(entry)
        try:
            if may_be_group(entry):
                groups = self._groups
                if (entry if is_id(entry) else f"@{entry.lstrip('@').casefold()}") in groups:
                    return ""
            if channel and is_id(channel):
                slack.channel(channel)
                return ""
            if channel and channel[1:] in self._names:
                return ""
        except TROUBLE as error:
            return f"{entry} {_not_looked_up(error)}"
        return f"{entry} is neither a channel nor a user group that the bot can see: check how it is written"

    @cached_property
    def _groups(self) -> Mapping[str, frozenset[str]]:
        return Lookups(self._client).groups()

    @cached_property
    def _names(self) -> Mapping[str, str]:
        return Lookups(self._client).channels()

    def channels(self) -> Iterator[Finding]:
        """Whether each channel of a digest can be posted to."""
        store = self._store()
        wanted = [one.channel for one in self._settings.digests]
        if store:
            wanted += [one.channel for one in store.digests.all()]
        if not wanted:
            return
        granted, slack = self._granted(), self._lookups()
        if granted is None or slack is None:
            yield skipped("channels", "of digests are looked at once SLACK_BOT_TOKEN is good")
            return
        for name in dict.fromkeys(wanted):
            shown = name if is_id(name) or name.startswith("#") else f"#{name}"
            try:
                yield self._channel(name, shown, granted, slack)
            except TROUBLE as error:
                yield trouble(shown, _not_looked_up(error))

    def _channel(self, name: str, shown: str, granted: frozenset[str], slack: Lookups) -> Finding:
        if is_id(name, "UW"):
            return ok(shown, "a direct message")
        found = name if is_id(name) else self._names.get(name.lstrip("#").casefold())
        if found is None:
            return trouble(
                shown, "is no channel the bot can see: check the name; a private one needs /invite @Almanac in it"
            )
        channel: Mapping[str, Any] = slack.channel(found)
        if channel.get("is_archived"):
            return trouble(shown, "is archived: name another in the digest, or have it brought back")
        if not channel.get("is_member") and (channel.get("is_private") or "chat:write.public" not in granted):
            return trouble(shown, "the bot is not in it: type /invite @Almanac there")
        if store := self._store():
            answer = self._answer()
            members = Members.of(self._settings, store, answer["team_id"] if answer else "")
            if refused := members.seen_in(name)[1].refused:
                return trouble(shown, f"nothing is posted, {refused}")
        if not channel.get("is_member"):
            return ok(shown, "the bot may post there; after /invite @Almanac it can look for what Slack did not answer")
        return ok(shown, "the bot may post there")


_SCOPE = "install the app again with the scopes of manifest.json"


def _not_looked_up(error: Exception) -> str:
    """That Slack did not say what a channel or a user group is, why, and what to do."""
    code = code_of(error) if isinstance(error, SlackApiError) else type(error).__name__
    do = _SCOPE if code == "missing_scope" else what_to_do(code)
    return f"cannot be looked up ({code}): {do}"
