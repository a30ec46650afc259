"""A channel is told only what it may read."""

from __future__ import annotations

import pytest

from bot.settings import RepositorySettings
from bot.slack.audience import hidden_from

OPEN = RepositorySettings(address="https://example.com/acme/engine")
SECRET = RepositorySettings(address="https://example.com/acme/secret.git", audience=["#leads", "C0123", "@chiefs"])
NAMED = RepositorySettings(address="/srv/hidden", name="acme/hidden", audience=["#leads"])


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        ({"#leads"}, set()),
        ({"leads", "C0999"}, set()),
        ({"C0123"}, {"acme/hidden"}),
        ({"#general"}, {"acme/secret", "acme/hidden"}),
        ({"C0999"}, {"acme/secret", "acme/hidden"}),
        ({"chiefs"}, {"acme/secret", "acme/hidden"}),  # a channel called like the user group is not the group
        (set(), {"acme/secret", "acme/hidden"}),  # a direct message
    ],
)
def test_a_repository_is_hidden_where_its_audience_is_not(channel: set[str], expected: set[str]) -> None:
    assert hidden_from(channel, [OPEN, SECRET, NAMED]) == expected
