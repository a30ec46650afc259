"""Who the admins are in Slack, and what they are told of: what somebody says of themselves, for them to confirm."""

from __future__ import annotations

from collections.abc import Iterator

from bot.ask.people.linking import spoken
from bot.ask.people.proposal import Proposal
from bot.settings import Settings
from bot.slack.audience import is_admin, is_id
from bot.slack.blocks import words_message
from bot.slack.members import Members
from bot.story.render import slack
from bot.story.wording import clean
from storage import Store
from storage.outbox import Post

CLAIMED = (
    "{who} says in Slack that {what} is theirs. {counts} Whether that is so is for you to say: confirm or decline it "
    "in my Home tab."
)
COUNTS = {True: "It counts for nothing until an admin confirms it.", False: "It is shown so from now on, as unproven."}


def admins(settings: Settings, members: Members) -> list[str]:
    """The ids of those whom `admins` of almanac.toml names."""
    return list(dict.fromkeys(_admins(settings, members)))


def _admins(settings: Settings, members: Members) -> Iterator[str]:
    entries = settings.privacy.admins
    yield from (entry for entry in entries if is_id(entry, "UW"))
    if all(is_id(entry, "UW") for entry in entries):
        return
    rules = members.rules()
    for member in members.everyone():
        if not member.deleted and is_admin(members.reader(members.member(member.id), rules), rules):
            yield member.id


def tell_of_claim(store: Store, settings: Settings, members: Members, claim: Proposal, user: str) -> None:
    """Write down a direct message to each admin of what a user has just said of themselves; the clock sends it."""
    now = settings.now()
    who = clean(members.member(user).name) or user
    text = CLAIMED.format(who=who, what=spoken(claim.address), counts=COUNTS[settings.privacy.claims_wait])
    message = words_message(slack(text))
    for admin in admins(settings, members):
        if admin != user:
            key = f"claim|{user}|{claim.address.casefold()}|{now:%Y%m%d%H%M%S}|{admin}"
            store.outbox.plan([Post(key, admin, message.payload())], now)
