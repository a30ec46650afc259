"""A push is to a repository of almanac.toml however either of them writes where it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from forges import from_gitea, from_github, from_gitlab, from_plain, of_gitea, of_github, of_gitlab, plain

from bot.hooks import Push, push_of, to_read
from bot.settings_tables import RepositorySettings


def read(push: Push | None, *tables: RepositorySettings) -> list[str]:
    """The names of what a push has read."""
    assert push
    return to_read(tables, push) or []


def at(address: str, name: str | None = None, branch: str | None = None) -> RepositorySettings:
    return RepositorySettings(address=address, name=name, branch=branch)


GITHUB = push_of("github", *from_github(of_github()))
GITEA = push_of("gitea", *from_gitea(of_gitea()))
GITLAB = push_of("gitlab", *from_gitlab(of_gitlab()))


@pytest.mark.parametrize(
    ("push", "address"),
    [
        (GITHUB, "https://github.com/acme/engine"),
        (GITHUB, "https://github.com/acme/engine.git"),
        (GITHUB, "https://token@github.com/Acme/Engine/"),
        (GITHUB, "git@github.com:acme/engine.git"),
        (GITHUB, "ssh://git@ssh.github.com:443/acme/engine.git"),
        (GITHUB, "git@github-of-work:acme/engine.git"),
        (GITEA, "https://git.example.com:3000/acme/engine"),
        (GITEA, "ssh://git@git.example.com:2222/acme/engine"),
        (GITEA, "git@git.example.com:acme/engine"),
        (GITEA, "/var/lib/gitea/repositories/acme/engine.git"),
        (GITLAB, "https://gitlab.example.com/acme/tools/engine.git"),
        (GITLAB, "git@gitlab.example.com:acme/tools/engine"),
    ],
)
def test_it_is_found_by_any_of_its_addresses(push: Push, address: str) -> None:
    others = [at("https://github.com/acme/mill"), at("git@example.com:other/engine"), at("no\naddress at all")]
    assert read(push, at(address, "the engine"), *others) == ["the engine"]


def test_of_two_that_are_called_the_same_the_address_decides() -> None:
    tables = at("https://github.com/acme/engine", "ours"), at("https://gitlab.example.com/acme/engine", "theirs")
    assert read(GITHUB, *tables) == ["ours"]


def test_one_that_is_listed_twice_is_read_twice() -> None:
    tables = (
        at("https://github.com/acme/engine", "engine"),
        at("git@github.com:acme/engine.git", "engine of 2.x", "2.x"),
        at("ssh://git@github.com/acme/engine", "engine of main", "main"),
    )
    assert read(GITHUB, *tables) == ["engine", "engine of main"]
    assert read(push_of("github", *from_github(of_github("refs/heads/2.x"))), *tables) == ["engine of 2.x"]


def test_a_plain_push_says_a_name_an_address_or_a_path(tmp_path: Path) -> None:
    real, link = tmp_path / "real" / "engine.git", tmp_path / "acme" / "linked"
    real.mkdir(parents=True)
    link.parent.mkdir()
    link.symlink_to(real)
    tables = at(str(link)), at("https://git.example.com/acme/mill.git")
    for said in (str(real), f"{link}/", "acme/linked", f"{link}/.git", f"file://{real}"):
        assert read(push_of("push", *from_plain(plain(said))), *tables) == ["acme/linked"], said
    for said in ("acme/mill", "ACME/Mill", "git@git.example.com:acme/mill"):
        assert read(push_of("push", *from_plain(plain(said))), *tables) == ["acme/mill"], said
    for said in ("mill", "..", "/", "~", "acme/mill\0", str(tmp_path)):
        assert read(push_of("push", *from_plain(plain(said))), *tables) == [], said


@pytest.mark.parametrize(
    ("ref", "branch", "default", "is_read"),
    [
        ("refs/heads/main", None, "main", True),
        ("refs/heads/dev", None, "main", False),
        ("refs/heads/dev", "dev", "main", True),
        ("refs/heads/main", "dev", "main", False),
        ("refs/heads/main-2", None, "main", False),
        ("refs/heads/x/main", None, "main", False),
        ("refs/tags/v1", None, "main", True),
        ("refs/tags/v1", "dev", "main", True),
        ("refs/notes/commits", None, "main", False),
        ("refs/pull/1/head", None, "", False),
        ("refs/heads/anything", None, "", True),  # which is the default is not said
        ("", "dev", "", True),
    ],
)
def test_only_the_branch_that_is_read_and_tags_matter(
    ref: str, branch: str | None, default: str, is_read: bool
) -> None:
    table = at("https://github.com/acme/engine", "engine", branch)
    push = Push(ref, ("https://github.com/acme/engine",), "acme/engine", default)
    assert read(push, table) == (["engine"] if is_read else [])
