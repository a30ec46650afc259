"""A secret is shown only to who asks for it by name."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import asdict, dataclass

from bot.secret import Secret

TOKEN = "xoxb-S3cr3t"


@dataclass(frozen=True)
class Holder:
    secret: Secret


def test_a_secret_prints_as_asterisks_wherever_it_stands() -> None:
    secret = Secret(TOKEN)
    held = Holder(secret)
    for shown in (
        f"{secret}", f"{secret!r}", f"{secret!s:>20}", f"{secret:>20}", f"{[secret]}", repr(held),
        str(asdict(held)), format(secret, ""), str({"a": secret}),
    ):  # fmt: skip
        assert "**********" in shown and "S3cr3t" not in shown
    assert not hasattr(secret, "__dict__")


def test_a_secret_tells_itself_only_when_asked() -> None:
    assert Secret(TOKEN).get_secret_value() == TOKEN


def test_a_secret_is_a_value() -> None:
    assert Secret(TOKEN) == Secret(TOKEN) != Secret("another")
    assert Secret(TOKEN) != TOKEN
    assert len({Secret(TOKEN), Secret(TOKEN), Secret("another")}) == 2
    assert deepcopy(Secret(TOKEN)) == Secret(TOKEN)
