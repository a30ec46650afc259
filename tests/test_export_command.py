"""`almanac export`, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import ADA, GRACE, GitRepo, Run


@pytest.fixture(autouse=True)
def autumn(tmp_path: Path, almanac: Run, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """Two people's autumn, indexed, told in November."""
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00Z")
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.commit("Add the mill (#1)", author=ADA, at="2025-08-04 10:00 +0000", files={"src/mill.py": "mill\n"})
    repo.commit("=cmd|'/c calc'!A0", author=ADA, at="2025-10-03 10:00 +0000", files={"src/store.py": "store\n"})
    repo.commit("Add a compiler", author=GRACE, at="2025-10-05 10:00 +0000", files={"src/compiler.py": "c\n"})
    assert almanac("index", repo.path).code == 0
    return repo


def test_people_whose_names_make_one_folder_or_none_get_folders_of_their_own(
    almanac: Run, autumn: GitRepo, tmp_path: Path
) -> None:
    names = ["A", "a", "A 2", "!", "…", "é" * 300, "é" * 301, "../../up", "/"]
    for number, name in enumerate(names):
        autumn.commit(f"Add {number}", author=(name, f"{number}@x.org"), at="2025-10-07 10:00 +0000")
    almanac("index", autumn.path)
    into = tmp_path / "months"
    ran = almanac("export", "--format", "json", "--into", into)
    assert (ran.code, ran.err) == (0, f"{len(names) + 2} files written into {into}\n")
    told = [json.loads(path.read_text())["person"]["addresses"] for path in into.glob("*/2025-10.json")]
    assert len({tuple(addresses) for addresses in told}) == len(told) == len(names) + 2


def test_csv_goes_into_one_file_of_a_folder(almanac: Run, tmp_path: Path) -> None:
    ran = almanac("export", "grace", "--format", "csv", "--into", tmp_path)
    assert ran.err == f"1 file written into {tmp_path}\n"
    assert (tmp_path / "changes.csv").read_text() == almanac("export", "grace", "--format", "csv").out


def test_a_folder_that_cannot_be_written_is_said_in_one_line(almanac: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = almanac("export", "ada", "--into", tmp_path / "file" / "below")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.count("\n") == 1 and "cannot be written" in ran.err
