"""What is wrong with the digests, as far as the database tells: for `almanac doctor` and `almanac digest --list`."""

from __future__ import annotations

from collections import Counter

from bot.digest.delivery import first_key
from bot.digest.pausing import code_in
from bot.digest.subscription import digest_keys
from bot.slack.web_api import STOPS, what_to_do
from bot.story.wording import count
from storage import Store
from storage.outbox import Post


def problems(store: Store) -> list[str]:
    """A sentence for each thing that somebody should know of, with what to do; none where all is well."""
    found = [
        f"A {one.cadence} digest is paused, for {one.key.partition('|')[0]}{f' of {one.whom}' if one.whom else ''}: "
        f"{one.paused_why}"
        for one in store.digests.all()
        if one.is_paused
    ]
    posts = store.digests.posts()

    def named(post: Post) -> str:
        digest = posts.get(first_key(post))
        return f"The digest for {post.channel}, {digest.title_of(post.key) if digest else post.key}"

    found += [
        f"{named(post)}: not known whether Slack has it ({post.error or 'its answer was lost'}). "
        + ("Look into the channel" if post.is_unsearchable else "It is looked for")
        for post in store.outbox.in_state("unknown", digest_keys())
    ]
    refused = dict[str, Post]()
    for post in store.outbox.in_state("failed", digest_keys()):
        refused.setdefault(first_key(post), post)
    found += [f"{named(post)}: Slack refused it ({post.error})" for post in refused.values()]
    planned = [post for post in store.outbox.in_state("planned") if post.thread_key not in refused]
    if stopped := Counter(code_in(post.error) for post in planned if code_in(post.error) in STOPS):
        code = stopped.most_common(1)[0][0]
        found.append(f"Slack does not let the app in ({code}), so nothing is sent: {what_to_do(code)}")
    if planned:
        found.append(f"{count(len(planned), 'message')} waiting to be sent, the oldest for {planned[0].channel}")
    return found
