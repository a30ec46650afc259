"""Settings and the index → the rules by which it is decided who may see what."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress

from bot.errors import RepositoryUnavailable
from bot.index.address import place as located
from bot.index.address import web_page
from bot.model import Repository
from bot.settings import Settings
from bot.slack.audience import NOBODY, AccessRules, Guarded, Place, is_id, sight


def rules_of(settings: Settings, indexed: Iterable[Repository]) -> AccessRules:
    """The rules. A repository is the one of a [[repositories]] table by its name, or by where it is: it may have been
    indexed by hand under another name before almanac.toml knew it."""
    stored = list(indexed)
    stored_at: defaultdict[str, set[str]] = defaultdict(set)
    for one in stored:
        for where in whereabouts(one.location):
            stored_at[where].add(one.name)
    guarded, every = [], {one.name for one in stored}
    for table in settings.repositories:
        names = {table.name} if table.name else set()
        with suppress(RepositoryUnavailable):  # it cannot be indexed from there, but may have been from elsewhere
            names.add(table.name or located(table.address).name)
        names = names.union(*(stored_at.get(where, ()) for where in whereabouts(table.address)))
        every |= names
        if isinstance(table.audience, list):
            guarded.append(Guarded(frozenset(names), tuple(table.audience)))
    privacy = settings.privacy
    others = privacy.about_others
    return AccessRules(
        every=frozenset(every),
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


def whereabouts(address: str) -> frozenset[str]:
    """By what two addresses are known to lead to one repository: https://host/a/b.git, git@host:a/b and
    ssh://git@host/a/b do, and a path does by whatever links it is written."""
    try:
        found = located(address)
    except RepositoryUnavailable:
        return frozenset({address})
    if found.path is not None:
        return frozenset({_path(str(found.path))})
    if found.location.startswith("file://"):
        return frozenset({_path(found.location.removeprefix("file://"))})
    shown = found.location.rstrip("/").removesuffix(".git").casefold()
    page = web_page(address)
    return frozenset({shown, page.casefold()}) if page else frozenset({shown})


def _path(text: str) -> str:
    real = os.path.realpath("/" + text.partition("/")[2] if text.startswith("localhost/") else text)
    return f"path:{real.removesuffix('/.git').removesuffix('.git')}"
