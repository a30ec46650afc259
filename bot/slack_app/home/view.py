"""What is known of somebody and of the workspace → the Home tab, and the modals that open from it. Pure.

Everything in it has its most, so that it fits into the hundred blocks of a view whatever there is. Text from git
stands in plain or rich text, in which Slack parses nothing; dates are Slack's own, which it writes in the
reader's zone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.ask.people.identity_log import IdentityLogLine
from bot.slack.elements import (
    BREAK,
    DIGESTS,
    LOADING,
    Block,
    View,
    actions,
    button,
    compact,
    confirmation,
    context,
    context_block,
    header,
    line,
    prose,
    slack_date,
    words,
    written,
)
from bot.slack.linking import Guessed
from bot.slack_app.digests.views import DigestRow
from bot.slack_app.home import texts
from bot.slack_app.home.months import MonthBrief, MonthBriefs
from bot.slack_app.home.values import Address, IndexHealth, TabContent
from bot.story.wording import clean, count, listed, shortened


def view(known: TabContent, channel: str = "") -> View:
    """The Home tab. `channel` is the reader's direct messages with the bot, where answers go."""
    parts: tuple[Iterable[Block], ...] = (
        [words(known.said)] if known.said else [],
        _months(known.months) if known.name else [],
        _who(known),
        _log(known.log),
        _digests(known.digests),
        _health(known.health),
        _shown(known.is_shown),
        [context(line(one)) for one in known.troubles[: texts.MOST_FAILURES]],
    )
    return _home([block for part in parts for block in part], channel)


def refused(sentence: str) -> View:
    """The Home tab of somebody who is shown nothing, or of whom nothing can be shown just now."""
    return _home([words(sentence)])


def _home(blocks: list[Block], channel: str = "") -> View:
    return {"type": "home", "blocks": blocks, "private_metadata": compact({"channel": channel[:200]})}


# months


def _months(months: MonthBriefs | None) -> Iterator[Block]:
    yield header("Your months")
    if months is None:
        yield context(LOADING)
        return
    if months.refused:
        yield words(months.refused)
        return
    asking = []
    for number, brief in enumerate(months.briefs):
        yield _brief(brief)
        if brief.question:
            month = brief.question.span.title if brief.question.span else brief.title
            asking.append(button(f"All of {month}", f"{texts.ASK}.{number}", written(brief.question)))
    if months.newest and months.newest.question:
        value = written(months.newest.question)
        asking.append(button(f"Your {months.newest.title}", f"{texts.ASK}.8", value, style="primary"))
    if months.profile:
        asking.append(button("Your profile", f"{texts.ASK}.9", written(months.profile)))
    if row := actions(asking):
        yield from row
        yield context(texts.IN_MESSAGES)


def _brief(brief: MonthBrief) -> Block:
    title: Block = {"type": "text", "text": line(brief.title), "style": {"bold": True}}
    headline = shortened(clean(brief.headline), texts.LONGEST_HEADLINE) or "Nothing."
    elements: list[Block] = [{"type": "rich_text_section", "elements": [title, BREAK, *prose(headline)]}]
    items = [clean(one) for one in brief.items[: texts.MOST_ITEMS] if clean(one)]
    if items:
        listed_items = [
            {"type": "rich_text_section", "elements": list(prose(shortened(one, texts.LONGEST)))} for one in items
        ]
        elements.append({"type": "rich_text_list", "style": "bullet", "elements": listed_items})
    return {"type": "rich_text", "elements": elements}


# who they are


def _who(known: TabContent) -> Iterator[Block]:
    yield header("Who you are in git")
    is_known = bool(known.name) and known.is_certain
    if not known.name:
        yield words(texts.UNKNOWN)
    elif not known.is_certain:
        yield words(texts.BY_NAME.format(name=line(known.name)))
    for number, one in enumerate(known.addresses[: texts.MOST_ADDRESSES]):
        yield address_row(one, number)
    if len(known.addresses) > texts.MOST_ADDRESSES:
        yield context(texts.REST.format(count=f"{len(known.addresses) - texts.MOST_ADDRESSES:,}"))
    guesses = list(_guesses(known.guesses, is_known))
    if guesses:
        yield context("Is this you, too?" if is_known else "Is this you?")
        yield from guesses
    more = {} if is_known or guesses else {"style": "primary"}
    yield from actions([button("Add an address", f"{texts.ADD}.0", "add", **more)])


def address_row(one: Address, number: int) -> Block:
    """An address with why it is theirs, and the button that says it is not."""
    block = words(f"{line(one.address)}\nWhy: {line(one.why)}.")
    if not one.sentence or not one.address:
        return block
    not_me = button(
        "Not me", f"{texts.NOT_ME}.{number}", one.address, confirm=confirmation("Not you?", one.sentence, "Not me")
    )
    return {**block, "accessory": not_me} if not_me else block


def _guesses(guesses: Sequence[Guessed], is_known: bool) -> Iterator[Block]:
    for number, one in enumerate(guesses[: texts.MOST_GUESSES]):
        style = {} if is_known or number else {"style": "primary"}
        sure = confirmation("Is this you?", one.proposal.sentence, "This is me")
        value = compact(one.proposal.document())
        this_is_me = button("This is me", f"{texts.THIS_IS_ME}.{number}", value, confirm=sure, **style)
        if this_is_me:
            commits = "" if one.commits is None else f", {count(one.commits, 'commit')}"
            who = f"{line(one.name)}, {line(one.proposal.address)}{commits}"
            yield {**words(f"{who}\nWhy: {line(one.reason)}."), "accessory": this_is_me}


# what was said


def _log(lines: Sequence[IdentityLogLine]) -> Iterator[Block]:
    if not lines:
        return
    yield header("Who linked what")
    for number, one in enumerate(lines[: texts.MOST_LINES]):
        block = words(line(one.line))
        undo = button("Decline" if one.waits else "Undo", f"{texts.UNDO}.{number}", one.key) if one.key else None
        if one.waits:
            confirm = button("Confirm", f"{texts.CONFIRM}.{number}", one.key, style="primary")
            yield from (block, *actions([confirm, undo]))
        else:
            yield {**block, "accessory": undo} if undo else block


# digests


def _digests(rows: Sequence[DigestRow] | None) -> Iterator[Block]:
    yield header("Digests")
    if rows is None:
        yield context(LOADING)
        return
    if not rows:
        yield words(texts.NO_DIGESTS)
    for row in rows[: texts.MOST_DIGESTS]:
        yield row.block()
    if len(rows) > texts.MOST_DIGESTS:
        yield context(f"And {len(rows) - texts.MOST_DIGESTS:,} more.")
    yield from actions([button("Digests", f"{DIGESTS}.0", "open")])


# the index


def _health(health: IndexHealth) -> Iterator[Block]:
    yield header("The index")
    if not health.repositories:
        yield words(texts.NOTHING_INDEXED)
        yield from actions([button("Look again", f"{texts.REFRESH}.0", "again", style="primary")])
    else:
        names = [line(one) for one in health.repositories]
        more = len(names) - texts.MOST_NAMED
        shown = [*names[: texts.MOST_NAMED], f"{more:,} more"] if more > 0 else names
        yield words(f"{count(len(names), 'repository', 'repositories')}: {listed(shown)}.")
        said = []
        if health.newest:
            said.append(f"Newest commit: {slack_date(health.newest)}.")
        said.append(f"Last read: {slack_date(health.indexed_at)}." if health.indexed_at else "Not read yet.")
        yield context_block(" ".join(said))
    for name, failure in health.failures[: texts.MOST_FAILURES]:
        yield context(f"{line(name)} could not be read: {line(failure)}")
    if len(health.failures) > texts.MOST_FAILURES:
        yield context(f"{len(health.failures) - texts.MOST_FAILURES:,} more could not be read.")


# whether they are shown


def _shown(is_shown: bool | None) -> Iterator[Block]:
    yield header("What others see of you")
    if is_shown is not None:
        sure = confirmation("Not be shown?", texts.HIDING, "Do not show me")
        one = button("Do not show me", f"{texts.HIDE}.0", "hide", confirm=sure) if is_shown else None
        one = one or button("Show me again", f"{texts.SHOW}.0", "show")
        yield {**words(texts.SHOWN if is_shown else texts.HIDDEN), **({"accessory": one} if one else {})}
    yield context(texts.FORGETTING)
