"""Almanac tells a developer's month from git, in Slack, every line with its commits.

The flow is the layout; data goes one way, and so do imports:

    git → commits → changes → facts → story → blocks → channel

    index/      git → commits: mirrors, the bytes of one `git log`, what is new into the store
    month/      commits → facts: months and their bounds, who is who, kinds, every number that is said
    diff.py     the bytes of a diff → what only it tells: ignored tests, notes for users, the lines for a model
    story/      facts → words: what stands where, in the authors' own words, and the document that templates are given
    ask/        words → a question → an answer; who is who, who is hidden
    slack/      what the bot knows of Slack: blocks, limits, who may see what, answers, the one sender
    digest/     when a post is due, that it is made once, and what comes after it; above slack/
    slack_app/  what Slack delivers: listeners, App Home, the windows of digests, and `serve`; above slack/ and digest/
    commands/   what the commands do; `cli.py` is the table of them, and opens what each needs

Beside it: `wording.py` has words that all rooms use, `hooks.py` takes webhooks of forges, `monitoring.py` says
whether the bot is well, mcp/ makes tools of the queries, workspace/ is a local Slack to try and test the bot in,
sample/ the history that `demo.py` plays on.

Deciding is pure, doing is thin; docs/architecture.md says what reads no clock, file, database or network, and walks a
commit to its digest and a question to its answer. All SQL is in `storage`, beside this package, all git in index/ (but
for what makes the sample).

Two things hold everywhere. Nothing is said without a commit: a `Quote` cannot be made of words that do not stand in
its commit, and `story/llm/check.py` holds what a model wrote against the commits it names. A post is made once: each
goes through the outbox in `storage/slack_state.py`, written before the call and settled after it.
"""
