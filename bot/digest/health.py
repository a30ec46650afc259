"""What is wrong with the digests, as far as the database tells: for `almanac doctor` and `almanac digest --list`."""

from __future__ import annotations

from collections import Counter

from bot.digest.keys import first_of
from bot.digest.pausing import code_in, told_as
from bot.slack.refusals import STOPS, what_to_do
from bot.story.wording import count
from storage import Store
from storage.outbox import Post


def problems(store: Store) -> list[str]:
    """A sentence for each thing that somebody should know of, with what to do; none where all is well."""
    found = [
        f"A {one.cadence} digest is paused, {_where(one.key)}: {one.paused_why}"
        for one in store.digests.all()
        if one.paused_at is not None
    ]
    unknown = store.outbox.in_state("unknown", "digest|")
    found += [
        f"{_named(post)}: not known whether Slack has it ({post.error or 'its answer was lost'}). "
        + ("Look into the channel" if post.is_unsearchable else "It is looked for")
        for post in unknown
    ]
    refused = dict[str, Post]()
    for post in store.outbox.in_state("failed", "digest|"):
        refused.setdefault(first_of(post.key), post)
    found += [f"{_named(post)}: Slack refused it ({post.error})" for post in refused.values()]
    planned = [post for post in store.outbox.planned() if post.thread_key not in refused]
    if stopped := Counter(code_in(post.error) for post in planned if code_in(post.error) in STOPS):
        code = stopped.most_common(1)[0][0]
        found.append(f"Slack does not let the app in ({code}), so nothing is sent: {what_to_do(code)}")
    if planned:
        found.append(f"{count(len(planned), 'message')} waiting to be sent, the oldest for {planned[0].channel}")
    return found


def _named(post: Post) -> str:
    return f"The digest for {post.channel}, {told_as(post)}"


def _where(key: str) -> str:
    channel, _, whom = key.partition("|")
    return f"for {channel}{f' of {whom}' if whom else ''}"
