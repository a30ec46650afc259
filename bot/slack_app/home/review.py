"""What admins look through: who may be one person, and who is treated as one by name. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.month.suggestions import Suggestion
from bot.slack.blocks import Block
from bot.slack.buttons import actions, button, compact, context
from bot.slack.forms import View, confirmation, line, modal, words
from bot.slack.packing import header
from bot.slack_app.home import texts
from bot.slack_app.home.values import ByName
from bot.story.wording import clean, count, shortened

MOST_SUGGESTED = 15  # two blocks each, of a hundred
MOST_JOINED = 50
TITLE = "Who is who"
ALL = (
    "Each of these {many} will be treated as one person. The doubtful ones are left out. It is logged, and can be "
    "undone."
)
BY_NAME = "They are treated as one because they have one full name. It gives nobody any right."


def suggestion(one: Suggestion, number: int) -> Iterator[Block]:
    """People who may be one, with what speaks for it, and what can be said of it."""
    lines = [line(one.people[0].name)]
    lines += [
        line(f"{', '.join(each.addresses)}: {count(each.commits, 'commit')}") for each in one.people[: texts.MOST_NAMED]
    ]
    lines.append(f"Why: {shortened('; '.join(map(clean, one.reasons)), texts.LONGEST)}.")
    if one.doubt:
        lines.append(f"But: {line(one.doubt)}.")
    yield words("\n".join(lines))
    addresses = [each.addresses[0] for each in one.people]
    value = compact({"addresses": addresses})
    sure = confirmation("One person?", f"{', '.join(map(clean, addresses))} will be one person's.", "Same person")
    yield from actions(
        [
            button("Same person", f"{texts.SAME}.{number}", value, confirm=sure),
            button("Different people", f"{texts.DIFFERENT}.{number}", value),
        ]
    )


def reviewing(found: Sequence[Suggestion], joined: Sequence[ByName], kept: Mapping[str, str], said: str = "") -> View:
    """The modal that says all of it, as much as fits. `kept` is what it keeps of its Home tab."""
    blocks = [words(said)] if said else []
    blocks.append(header("People who may be one"))
    if sure := [one for one in found if not one.doubt]:
        many = count(len(sure), "suggestion")
        asked = confirmation("Accept all of them?", ALL.format(many=many), "Accept all")
        blocks += actions([button(f"Accept all {len(sure):,}", f"{texts.ACCEPT_ALL}.0", "all", confirm=asked)])
    for number, one in enumerate(found[:MOST_SUGGESTED]):
        blocks += suggestion(one, number)
    if not found:
        blocks.append(context("Nobody looks like two people who are one."))
    elif len(found) > MOST_SUGGESTED:
        blocks.append(context(f"{len(found) - MOST_SUGGESTED:,} more: almanac people suggestions lists them all."))
    blocks.append(header("One person by name"))
    blocks.append(context(BY_NAME if joined else "Nobody is."))
    for number, each in enumerate(joined[:MOST_JOINED]):
        block = words(f"{line(each.name)}\n{line(each.first)}; by name: {line(each.address)}")
        asked = confirmation("Two people?", f"{each.address} will not be shown as {each.name} any more.", "Two people")
        two = button("Two people", f"{texts.APART}.{number}", compact({"address": each.address}), confirm=asked)
        blocks.append({**block, "accessory": two} if two else block)
    if len(joined) > MOST_JOINED:
        blocks.append(context(f"{len(joined) - MOST_JOINED:,} more: almanac people list lists them all."))
    return modal(TITLE, blocks, callback_id=texts.REVIEW, private_metadata=compact(dict(kept)))
