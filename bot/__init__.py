"""Almanac tells a developer's month from git, in Slack, every line with its commits.

The flow is the layout; data goes one way, and so do imports:

    git → commits → changes → facts → story → blocks → channel

    index/      git → commits: mirrors, the bytes of one `git log`, what is new into the store
    month/      commits → facts: months and their bounds, who is who, kinds, every number that is said
    diff/       the bytes of a diff → what only it tells: ignored tests, what only raises, which lines say most
    story/      facts → words: what stands where, in the authors' own words (`quote.py`), and the document that
                templates are given; `llm` asks a model where one is set, `checking` holds what it writes against facts
    ask/        words → a question → an answer: `reading` needs no model; `people`: who is who, who is hidden
    slack/      what the bot knows of Slack: blocks, limits, who may see what, answers, the one sender
    digest/     when a post is due, that it is made once, and what comes before and after it; above slack/
    slack_app/  what Slack delivers: listeners, App Home, the modals of digests, and `serve`; above slack/ and digest/
    hooks/      webhooks: what a forge delivers → which repositories are read at once
    monitoring/ whether the bot is healthy and ready, and its metrics
    workspace/  a local Slack to try and test the bot in; demo.py plays in it
    sample/     a small team's history to show the bot with, made where it is wanted
    commands/   what the commands do; cli.py reads the command line and the settings, once, and hands them inward

Deciding is pure, doing is thin: `month`, `diff`, `story` (but for `story/llm`, which asks a model where one is set),
`ask/reading`, `due` of `digest/subscriptions.py`, `slack/render.py` and `sight` of `slack/audience.py` read no
clock, file, database or network. All SQL is in `storage`, beside this package, all git in `index` (but for what makes
the sample).

Two things hold everywhere. Nothing is said without a commit: a `Quote` cannot be made of words that do not stand in
its commit, and `story/llm/check.py` holds what a model wrote against the commits it names. A post is made once: each
goes through the outbox in `storage/outbox.py`, written before the call and settled after it.
"""
