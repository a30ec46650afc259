"""Where a forge shows a commit and a pull request, by the address a repository is read from."""

from __future__ import annotations

import pytest

from bot.index.places import place
from bot.story.render import commit_link, ref_link

SHA = "6098b89ff24c51073006ea29f0c57267f663283d"
GITHUB, GITLAB = "https://github.com/sea/tides", "https://gitlab.com/sea/tides/-"
CLOUD, AZURE = "https://bitbucket.org/sea/tides", "https://dev.azure.com/sea/Ports/_git/tides"
SERVER = "https://bitbucket.example.org/projects/SEA/repos/tides"


@pytest.mark.parametrize(
    ("address", "commit", "ref", "pull"),
    [
        ("git@github.com:sea/tides.git", f"{GITHUB}/commit/", "#12", f"{GITHUB}/pull/12"),
        ("https://nora:secret@github.com/sea/tides", f"{GITHUB}/commit/", "#12", f"{GITHUB}/pull/12"),
        ("ssh://git@ssh.github.com:443/sea/tides.git", f"{GITHUB}/commit/", "#12", f"{GITHUB}/pull/12"),
        ("org-7@github.com:sea/tides.git", f"{GITHUB}/commit/", "tides#12", f"{GITHUB}/pull/12"),
        ("https://github.com/sea/tides", f"{GITHUB}/commit/", "air/wind#12", "https://github.com/air/wind/pull/12"),
        ("git@gitlab.com:sea/tides.git", f"{GITLAB}/commit/", "!12", f"{GITLAB}/merge_requests/12"),
        ("ssh://git@altssh.gitlab.com:443/sea/tides.git", f"{GITLAB}/commit/", "!12", f"{GITLAB}/merge_requests/12"),
        ("https://gitlab.com/sea/tides.git", f"{GITLAB}/commit/", "sea/tides!12", f"{GITLAB}/merge_requests/12"),
        ("https://gitlab.com/sea/tides.git", f"{GITLAB}/commit/", "#12", None),  # which is an issue there
        (
            "https://oauth2:secret@gitlab.example.org:8443/sea/deep/tides.git",
            "https://gitlab.example.org:8443/sea/deep/tides/-/commit/",
            "!12",
            "https://gitlab.example.org:8443/sea/deep/tides/-/merge_requests/12",
        ),
        (
            "git@salsa.debian.org:sea/tides.git",
            "https://salsa.debian.org/sea/tides/-/commit/",
            "!12",
            "https://salsa.debian.org/sea/tides/-/merge_requests/12",
        ),
        ("git@bitbucket.org:sea/tides.git", f"{CLOUD}/commits/", "#12", f"{CLOUD}/pull-requests/12"),
        ("https://nora@bitbucket.org/sea/tides.git", f"{CLOUD}/commits/", "#12", f"{CLOUD}/pull-requests/12"),
        ("ssh://git@altssh.bitbucket.org:443/sea/tides.git", f"{CLOUD}/commits/", "#12", f"{CLOUD}/pull-requests/12"),
        ("https://bitbucket.example.org/scm/SEA/tides.git", f"{SERVER}/commits/", "#12", f"{SERVER}/pull-requests/12"),
        (
            "ssh://git@bitbucket.example.org:7999/SEA/tides.git",
            f"{SERVER}/commits/",
            "#12",
            f"{SERVER}/pull-requests/12",
        ),
        (
            "https://example.org/stash/scm/~nora/tides.git",
            "https://example.org/stash/users/nora/repos/tides/commits/",
            "#12",
            "https://example.org/stash/users/nora/repos/tides/pull-requests/12",
        ),
        ("https://sea@dev.azure.com/sea/Ports/_git/tides", f"{AZURE}/commit/", "!12", f"{AZURE}/pullrequest/12"),
        ("git@ssh.dev.azure.com:v3/sea/Ports/tides", f"{AZURE}/commit/", "!12", f"{AZURE}/pullrequest/12"),
        ("ssh://git@ssh.dev.azure.com/v3/sea/Ports/tides", f"{AZURE}/commit/", "!12", f"{AZURE}/pullrequest/12"),
        ("sea@vs-ssh.visualstudio.com:v3/sea/Ports/tides", f"{AZURE}/commit/", "!12", f"{AZURE}/pullrequest/12"),
        (
            "https://dev.azure.com/sea/Ports%20of%20call/_git/tides",
            "https://dev.azure.com/sea/Ports%20of%20call/_git/tides/commit/",
            "!12",
            "https://dev.azure.com/sea/Ports%20of%20call/_git/tides/pullrequest/12",
        ),
        (
            "https://sea.visualstudio.com/Ports/_git/tides",
            "https://sea.visualstudio.com/Ports/_git/tides/commit/",
            "!12",
            "https://sea.visualstudio.com/Ports/_git/tides/pullrequest/12",
        ),
        (
            "git@codeberg.org:sea/tides.git",
            "https://codeberg.org/sea/tides/commit/",
            "#12",
            "https://codeberg.org/sea/tides/pulls/12",
        ),
        (
            "ssh://git@gitea.example.org:2222/sea/tides.git",
            "https://gitea.example.org/sea/tides/commit/",
            "#12",
            "https://gitea.example.org/sea/tides/pulls/12",
        ),
        ("git@git.sr.ht:~nora/tides", "https://git.sr.ht/~nora/tides/commit/", "#12", None),
        ("https://chromium.googlesource.com/sea/tides", "https://chromium.googlesource.com/sea/tides/+/", "#12", None),
        ("git@git.example.org:sea/tides.git", "https://git.example.org/sea/tides/commit/", "#12", None),
    ],
)
def test_pages_of_commits_and_pull_requests(address: str, commit: str, ref: str, pull: str | None) -> None:
    web = place(address).web
    assert commit_link(SHA, web) == f"{commit}{SHA}"
    assert ref_link(ref, web) == pull
