"""Settings and the index → the rules by which it is decided who may see what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from bot.index.listed import named, whereabouts
from bot.model import Repository
from bot.settings import Settings
from bot.slack.audience import NOBODY, AccessRules, Guarded, Place, is_id, sight


def rules_of(settings: Settings, indexed: Iterable[Repository]) -> AccessRules:
    """The rules, the only place where they are made. Of a repository the almanac.toml that is read here and what is
    kept in the index hold, and both where they differ; of one that is indexed twice, by place or by its newest commit,
    all that holds of either. Where almanac.toml lists repositories, nobody is shown another."""
    stored = list(indexed)
    every, listed = {one.name for one in stored}, frozenset[str]()
    said = [(frozenset({one.name}), one.audience or ()) for one in stored]
    for table, names in named(settings.repositories, stored):
        listed |= names
        said.append((names, table.lets_in))
    same = defaultdict[str, set[str]](set)
    for one in stored:
        for key in {whereabouts(one.location), one.tip or one.name}:
            same[key].add(one.name)
    alike = {one.name: same[whereabouts(one.location)] | same[one.tip or one.name] for one in stored}
    guarded = [
        Guarded(names.union(*(alike.get(name, ()) for name in names)), entries)
        for names, audience in said
        for entries in audience
    ]
    if guarded:  # whether it has commits of one of these is known of another only once it is read to its end
        unread = {one.name for one in stored if one.audience is None and not one.tip}
        guarded.append(Guarded(frozenset(unread - listed), ()))
    if settings.repositories:
        guarded.append(Guarded(frozenset(every - listed), ()))
    privacy = settings.privacy
    others = privacy.about_others
    return AccessRules(
        every=listed.union(every),
        guarded=tuple(guarded),
        guests=privacy.guests,
        shared_channels=privacy.shared_channels,
        about_others=tuple(others) if isinstance(others, list) else others,
        answers_about_others=privacy.answers_about_others,
        admins=tuple(privacy.admins),
    )


def hidden_in(channel: str, settings: Settings, indexed: Iterable[Repository]) -> frozenset[str]:
    """The names of the repositories that are left out in a channel, by name or id, where Slack is not asked who reads
    it: for what is printed at a terminal."""
    place = Place(channel, kind="public") if is_id(channel) else Place("", channel.lstrip("#"), "public")
    return sight(NOBODY, place, rules_of(settings, indexed)).hidden
