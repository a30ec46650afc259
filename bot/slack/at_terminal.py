"""Who asks at the command line, by `--as`: they are answered there as in a direct message.

Whoever runs the program may read all of the database, and says who asks: that is believed, as Slack's word is. Slack
itself is asked only for what an audience or a list of people rests on, the channels and user groups of whoever asks,
and only where there is a token: without one they are in none.
"""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

from slack_sdk.errors import SlackClientError
from slack_sdk.web import SlackResponse

from bot.ask.queries import Queries
from bot.errors import PersonUnknown
from bot.model import Person
from bot.month.addresses import plain
from bot.month.calendar import MonthRange
from bot.slack.answering import Answering
from bot.slack.audience import HOME, NOBODY, rules_of, sight
from bot.slack.directory import Members, lookup_client
from bot.slack.linking import Linker
from bot.slack.web_api import Client, posting_client, workspace_of
from bot.story.render import Templates
from storage import Store
from storage.people import SlackUser


def answering_for(queries: Queries, name: str, zone: ZoneInfo | None = None) -> tuple[Answering, str]:
    """What answers somebody as in Slack, and the id of the user they are there. Raises PersonUnknown, and SlackRefused
    where Slack has to be asked and does not answer."""
    settings, store, rules = queries.settings, queries.store, rules_of(queries.settings, queries.indexed)
    asks = settings.bot_token is not None and (rules.listed or rules.name_groups)
    client: Client = lookup_client(posting_client(settings)) if asks else _Unasked()
    members = Members(client, settings, store, workspace_of(client) if asks else "")
    if asks:
        members.refresh()
    present = MonthRange(queries.present(), queries.present())
    try:  # who they are must not rest on what they may not read
        person = replace(queries, hidden=sight(NOBODY, HOME, rules).hidden).found(name, present)
    except PersonUnknown:
        person = queries.found(name, present)
    members.vouched = _user_of(person, store)
    if zone:
        members.vouched = replace(members.vouched, zone=zone.key)
    linker = Linker(store, settings, members)
    return Answering(queries, members, Templates(settings.templates), linker, "-"), members.vouched.id


def _user_of(person: Person, store: Store) -> SlackUser:
    """The user whom almanac.toml gives somebody, or whose profile has an address of theirs. Where Slack has not said
    anything of them they are a member, with the address they write most under."""
    ids = {address: user for user, address in store.slack_users.addresses().items()}
    user = person.slack or next((ids[one] for one in map(plain, person.addresses) if one in ids), "-")
    return store.slack_users.user(user) or SlackUser(user, person.name, person.addresses[0], standing="member")


class _Unasked(Client):
    """Slack where it is not to be asked."""

    def api_call(self, api_method: str, **arguments: object) -> SlackResponse:
        raise SlackClientError("Slack is not asked here")
