"""A path or an address, told apart; what could start a program is refused; a token is shown nowhere."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import AlmanacError, CleanFormatter, RepositoryUnavailable, without_credentials
from bot.index.git import Credentials
from bot.index.places import RepositoryLocation, place
from bot.story.render import commit_link, ref_link

HUB, FORGE = "https://github.com/acme/engine", "ssh://git@forge.example.com:2222/acme/engine.git"
MEANT = {  # name, location, and what git is given
    f"{HUB}.git": ("acme/engine", f"{HUB}.git", f"{HUB}.git", HUB),
    "HTTPS://user:secret@github.com/acme/engine/": (
        "acme/engine", HUB, "HTTPS://github.com/acme/engine/", HUB, Credentials("https://github.com", "user", "secret"),
    ),
    "ssh://git:secret@forge.example.com:2222/acme/engine.git": (
        "acme/engine", FORGE, FORGE, "https://forge.example.com/acme/engine",
    ),
    "git@github.com:acme/engine.git": (
        "acme/engine", "git@github.com:acme/engine.git", "git@github.com:acme/engine.git", HUB,
    ),
    "git@host:/srv/git/engine.git": ("git/engine", "git@host:/srv/git/engine.git", "git@host:/srv/git/engine.git"),
    "file:///srv/c#/what?.git": ("c#/what?", "file:///srv/c#/what?.git", "file:///srv/c#/what?.git"),
    "/srv/acme/engine/.git": ("acme/engine", "/srv/acme/engine/.git"),
    "/": ("repository", "/"),
}  # fmt: skip


@pytest.mark.parametrize("text", MEANT)
def test_what_is_meant(text: str) -> None:
    name, location, address, web, credentials = (*MEANT[text], None, None, None)[:5]
    path = None if address else Path(location)
    expected = RepositoryLocation(name, location, path, address, web, credentials=credentials)
    assert place(text) == expected
    assert place(text, "acme/mill") == replace(expected, name="acme/mill")


REFUSED = [
    "ext::sh -c 'touch /tmp/owned'", "ext::sh", "fd::17/foo", "https::https://example.com/a/b",
    "ext::https://example.com/a/b", "git://example.com/a/b", "http://example.com/a/b", "ftp://example.com/a/b",
    "rsync://example.com/a/b", "git+ssh://example.com/a/b", "remote-ext://example.com/a/b", "-u",
    "--upload-pack=touch /tmp/owned", "-oProxyCommand=x@host:path", "  --upload-pack=x  ",
    "ssh://-oProxyCommand=touch/a/b", "ssh://-oProxyCommand=x@host/a/b", "ssh://git@-host/a/b", "https://",
    "https://example.com", "https://example.com/", "ssh:///a/b", "file://", "file://host", "https://[::1/a/b",
    "https://example.com:port/a/b", "https://example.com/a/b?private_token=secret",
    "https://example.com/a/b#main", "", "   ", "a\0b", "one\ntwo", "https://example.com/a\x1b[2J/b",
    "~nobody-has-this-name/engine", "-git@host:path", "https://u:p%0Apassword=x@example.com/a/b",
    "https://u%0d@example.com/a/b",
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused_is_refused_in_one_line_that_shows_no_secret(text: str) -> None:
    with pytest.raises(RepositoryUnavailable) as refused:
        place(text)
    line = str(refused.value)
    assert line.isprintable()
    assert "secret" not in line


def test_what_only_looks_like_an_address_of_ssh_is_a_path() -> None:
    """So it never reaches git as an address; a hyphen in front is refused before."""
    assert [place(text).address for text in ("git@-host:path", "git@host:-path", "host:path")] == [None] * 3


SECRET = "S3cr3t"
ADDRESSES = [
    f"https://{SECRET}@example.com/a/b", f"https://user:{SECRET}@example.com/a/b",
    f"https://user:p@{SECRET}@example.com/a/b", f"https://user:p/{SECRET}@example.com/a/b",
    f"https://user:{SECRET}/x@example.com/a/b", f"https://example.com/a/b?token={SECRET}",
    f"http://{SECRET}@example.com/a/b", f"ssh://git:{SECRET}@example.com/a/b", f"https://{SECRET}@[::1/a/b",
]  # fmt: skip


MISSPELT = [
    f"https:/bot:{SECRET}@example.com/x.git", f"https//bot:{SECRET}@example.com/x.git",
    f"https:bot:{SECRET}@example.com/x.git", f"https:///bot:{SECRET}@example.com/x.git",
    f"htps://bot:{SECRET}@example.com/x.git", f"https://bot:{SECRET}example.com/x.git",
    f"https://bot/{SECRET}@example.com/x.git", f"https:// bot:{SECRET}@example.com/x.git",
    f"//{SECRET}@example.com/x.git", f"{SECRET}@example.com/x.git", f"bot:{SECRET}@example.com/x.git",
    f"bot:{SECRET}@example.com:x.git", f"bot:p/{SECRET}@example.com/x.git",
    f"git@bot:{SECRET}@example.com/x.git", f"https://example.com/x.git#bot:{SECRET}",
    f"https://example.com/x.git#{SECRET}", f"https://example.com/x.git#bot:{SECRET}@example.com",
    f"htps://example.com/x.git#{SECRET}", f"https:/example.com/x.git#{SECRET}",
    f"https:/pa#{SECRET}@example.com/x.git", f"https/{SECRET}@example.com/x.git",
    f"http#/{SECRET}@example.com/x.git", f"h/tps//{SECRET}@[::1]:80/x",
]  # fmt: skip


@pytest.mark.parametrize("text", ADDRESSES + MISSPELT)
def test_a_token_is_in_nothing_that_is_shown_or_stored(text: str) -> None:
    assert_keeps_its_secret(text)
    if text in MISSPELT:
        with pytest.raises(RepositoryUnavailable):
            place(text)


STARTS = ["https://bot:", "https://", "ssh://git:", "git+https://x:", "HTTPS://Bot:p@", "http://"]
ENDS = ["@example.com/acme/x.git", "@[::1]:80/x", "@example.com:22/~a/x"]
SLIPS = ["", *":/;.,@ -#?%\\'\"\t\n\0é", "double", "swap"]


def slipped(text: str, at: int, slip: str) -> str:
    """With one sign left out, doubled, changed for another, or moved."""
    put = text[at] * 2 if slip == "double" else text[at : at + 2][::-1] if slip == "swap" else slip
    return text[:at] + put + text[at + (2 if slip == "swap" else 1) :]


def assert_keeps_its_secret(text: str) -> None:
    try:
        where = place(text)
    except RepositoryUnavailable as refused:
        assert SECRET not in f"{refused} {refused.repository} {refused.reason}", text
    else:
        assert where.path is None, text
        assert SECRET not in f"{where!r} {where.address} {where.web}", text


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("end", ENDS)
def test_no_misspelt_address_shows_its_secret(start: str, end: str) -> None:
    """With each sign around the secret, but the @ behind it, misspelt."""
    for at, slip in product(range(len(start) + len(end)), SLIPS):
        before, after = start, end
        if at < len(start):
            before = slipped(start, at, slip)
        else:
            after = slipped(end, at - len(start), slip)
        # The user of ssh, who is shown; and a password that ends nowhere.
        if not re.match(r"ssh:[^:/]*//[^:/]*@", f"{before}{SECRET}{after}") and "@" in after:
            assert_keeps_its_secret(f"{before}{SECRET}{after}")


@pytest.mark.slow
def test_no_address_that_is_misspelt_twice_shows_its_secret() -> None:
    random = Random(27)  # noqa: S311  the same addresses in every run
    for _ in range(20_000):
        before, after = random.choice(STARTS), random.choice(ENDS)
        for _ in range(2):
            if random.random() < 0.7:
                before = slipped(before, random.randrange(len(before)), random.choice(SLIPS))
            else:
                after = "@" + slipped(after[1:], random.randrange(len(after) - 1), random.choice(SLIPS))
        text = f"{before}{SECRET}{after}"
        # What begins as a path is one, and what has no host behind the @ may be anything.
        if re.match(r"[/~.]|ssh:[^:/]*//[^:/]*@", text.strip()) or not re.match(r"@(?:[\w-]+\.\w+[:/]|\[)", after):
            continue
        assert_keeps_its_secret(text)


def test_no_error_and_no_line_of_a_log_has_the_credentials_of_an_address() -> None:
    for text in (f"https://bot:{SECRET}@example.com/x", f"see 'https:/bot:{SECRET}@example.com/x'"):
        assert SECRET not in str(AlmanacError(f"cannot read {text}: no"))
        record = logging.LogRecord("bot", logging.ERROR, "x", 1, "cannot read %s", (text,), None)
        assert SECRET not in CleanFormatter().format(record)


def test_tokens_are_taken_out_of_what_git_says() -> None:
    said = "fatal: unable to access 'https://user:p@ss@example.com/a/b/?token=x': no; see https://t@example.com"
    assert (
        without_credentials(said) == "fatal: unable to access 'https://example.com/a/b/': no; see https://example.com"
    )


@given(st.text(max_size=40))
def test_anything_is_a_place_or_refused_in_one_line(text: str) -> None:
    try:
        where = place(text)
    except RepositoryUnavailable as refused:
        assert "\n" not in str(refused)
    else:
        assert where.name and "\n" not in where.name + where.location
        assert (where.path is None) != (where.address is None)


# Where a forge shows a commit and a pull request, by the address a repository is read from.


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
