"""Where a forge shows a commit and a pull request, by the address a repository is read from."""

from __future__ import annotations

import pytest

from bot.index.places import place
from bot.story.render import commit_link, ref_link

SHA = "6098b89ff24c51073006ea29f0c57267f663283d"
# The repository's page, what its commits' pages begin with, the addresses it is read from, and pages of pull requests.
FORGES: list[tuple[str, str, str, dict[str, str | None]]] = [
    (
        "https://github.com/sea/tides", "/commit/",
        """git@github.com:sea/tides.git https://nora:secret@github.com/sea/tides org-7@github.com:sea/tides.git
        ssh://git@ssh.github.com:443/sea/tides.git https://github.com/sea/tides""",
        {"#12": "/pull/12", "tides#12": "/pull/12", "air/wind#12": "https://github.com/air/wind/pull/12"},
    ),
    (
        "https://gitlab.com/sea/tides", "/-/commit/",
        "git@gitlab.com:sea/tides.git ssh://git@altssh.gitlab.com:443/sea/tides.git https://gitlab.com/sea/tides.git",
        {"!12": "/-/merge_requests/12", "sea/tides!12": "/-/merge_requests/12", "#12": None},  # which is an issue there
    ),
    (
        "https://gitlab.example.org:8443/sea/deep/tides", "/-/commit/",
        "https://oauth2:secret@gitlab.example.org:8443/sea/deep/tides.git", {"!12": "/-/merge_requests/12"},
    ),
    (
        "https://salsa.debian.org/sea/tides", "/-/commit/", "git@salsa.debian.org:sea/tides.git",
        {"!12": "/-/merge_requests/12"},
    ),
    (
        "https://bitbucket.org/sea/tides", "/commits/",
        """git@bitbucket.org:sea/tides.git https://nora@bitbucket.org/sea/tides.git
        ssh://git@altssh.bitbucket.org:443/sea/tides.git""",
        {"#12": "/pull-requests/12"},
    ),
    (
        "https://bitbucket.example.org/projects/SEA/repos/tides", "/commits/",
        "https://bitbucket.example.org/scm/SEA/tides.git ssh://git@bitbucket.example.org:7999/SEA/tides.git",
        {"#12": "/pull-requests/12"},
    ),
    (
        "https://example.org/stash/users/nora/repos/tides", "/commits/",
        "https://example.org/stash/scm/~nora/tides.git", {"#12": "/pull-requests/12"},
    ),
    (
        "https://dev.azure.com/sea/Ports/_git/tides", "/commit/",
        """https://sea@dev.azure.com/sea/Ports/_git/tides git@ssh.dev.azure.com:v3/sea/Ports/tides
        ssh://git@ssh.dev.azure.com/v3/sea/Ports/tides sea@vs-ssh.visualstudio.com:v3/sea/Ports/tides""",
        {"!12": "/pullrequest/12"},
    ),
    (
        "https://dev.azure.com/sea/Ports%20of%20call/_git/tides", "/commit/",
        "https://dev.azure.com/sea/Ports%20of%20call/_git/tides", {"!12": "/pullrequest/12"},
    ),
    (
        "https://sea.visualstudio.com/Ports/_git/tides", "/commit/", "https://sea.visualstudio.com/Ports/_git/tides",
        {"!12": "/pullrequest/12"},
    ),
    ("https://codeberg.org/sea/tides", "/commit/", "git@codeberg.org:sea/tides.git", {"#12": "/pulls/12"}),
    (
        "https://gitea.example.org/sea/tides", "/commit/", "ssh://git@gitea.example.org:2222/sea/tides.git",
        {"#12": "/pulls/12"},
    ),
    ("https://git.sr.ht/~nora/tides", "/commit/", "git@git.sr.ht:~nora/tides", {"#12": None}),
    (
        "https://chromium.googlesource.com/sea/tides", "/+/", "https://chromium.googlesource.com/sea/tides",
        {"#12": None},
    ),
    ("https://git.example.org/sea/tides", "/commit/", "git@git.example.org:sea/tides.git", {"#12": None}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("address", "page", "commit", "pulls"),
    [(address, page, commit, pulls) for page, commit, addresses, pulls in FORGES for address in addresses.split()],
)
def test_pages_of_commits_and_pull_requests(address: str, page: str, commit: str, pulls: dict[str, str | None]) -> None:
    web = place(address).web
    assert commit_link(SHA, web) == f"{page}{commit}{SHA}"
    for ref, pull in pulls.items():
        assert ref_link(ref, web) == (f"{page}{pull}" if pull and pull.startswith("/") else pull)
