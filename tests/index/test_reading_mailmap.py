"""The .mailmap is read from the newest commit, whatever it is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import GitRepo

from bot.index.git import LARGEST, GitAt, GitFailed, read_mailmap


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "engine")


def read(repo: GitRepo, tip: str = "") -> str:
    return read_mailmap(GitAt(repo.path / ".git"), tip or repo.tip)


def test_it_is_read_from_the_commit_not_from_the_folder(repo: GitRepo) -> None:
    old = repo.commit("Add", files={".mailmap": "Ada <ada@x> <a@x>\n", "src/.mailmap": "no"})
    repo.commit("Change", files={".mailmap": b"Zo\xeb <zoe@x>\r\n"})
    (repo.path / ".mailmap").write_text("not committed")
    assert read(repo, old) == "Ada <ada@x> <a@x>\n"
    assert read(repo) == "Zo\ufffd <zoe@x>\r\n"


def test_where_there_is_none_it_is_empty(repo: GitRepo) -> None:
    repo.commit("Add", files={"a.py": "a", "x.mailmap": "Ada <ada@x>"})
    assert read(repo) == ""
    repo.commit("Add", files={".mailmap/file": "Ada <ada@x>"})
    assert read(repo) == ""


def test_a_link_is_not_followed(repo: GitRepo) -> None:
    repo.commit("Add", files={"real": "Ada <ada@x>"})
    (repo.path / ".mailmap").symlink_to("real")
    repo.git("add", ".mailmap")
    repo.commit("Add a link")
    assert read(repo) == ""


def test_of_a_large_one_whole_lines_that_fit_are_read(repo: GitRepo) -> None:
    repo.commit("Add", files={".mailmap": "Ada Lovelace <ada@x> <a@x>\n" * (LARGEST // 10)})
    text = read(repo)
    assert LARGEST - 30 < len(text) <= LARGEST
    assert set(text.split("\n")) == {"Ada Lovelace <ada@x> <a@x>"}


def test_one_that_cannot_be_read_is_an_error(repo: GitRepo) -> None:
    repo.commit("Add", files={".mailmap": "Ada <ada@x>\n"})
    repo.loose_object(repo.line("rev-parse", "HEAD:.mailmap")).unlink()
    with pytest.raises(GitFailed):
        read(repo)
