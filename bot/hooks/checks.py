"""What `almanac doctor` says of webhooks."""

from __future__ import annotations

from collections.abc import Iterator

from bot.doctor_findings import Finding, ok, skipped, trouble
from bot.hooks.signatures import FORGES
from bot.settings import Settings

SHORTEST = 16  # characters of a secret that nobody can find out by trying
_MAKE_ONE = "make one as docs/scale.md says, and set it in each forge too"


def webhooks(settings: Settings) -> Iterator[Finding]:
    secret = settings.hook_secret.get_secret_value() if settings.hook_secret else ""
    addresses = ", ".join(f"/hooks/{forge}" for forge in FORGES)
    if not secret:
        seen = f"a push is seen within {settings.refresh_minutes} minutes"
        yield skipped("webhooks", f"are off, so {seen}: to see it at once, set ALMANAC_HOOK_SECRET (docs/scale.md)")
    elif len(secret) < SHORTEST:
        yield trouble("webhooks", f"ALMANAC_HOOK_SECRET is so short that it can be guessed: {_MAKE_ONE}")
    else:
        yield ok("webhooks", f"what is signed is taken at {addresses}")
