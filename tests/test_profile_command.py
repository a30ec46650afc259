"""`almanac profile` and the question for a profile, as a person types them."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import ADA, GRACE, Copy, GitRepo, Run, index

from storage import Store


@pytest.fixture(autouse=True)
def present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00Z")


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.commit("Add the great mill (#1)", author=ADA, at="2023-08-04 10:00 +0000", files={"src/mill.py": "mill\n"})
    repo.commit("Fix the store", author=ADA, at="2025-09-30 17:12 -0700", files={"src/store.py": "store\n"})
    repo.commit(
        "Teach the mill to stop", author=ADA, at="2025-10-02 10:00 +0000", files={"src/mill.py": "mill\nstop\n"}
    )
    repo.commit("Add a compiler", author=GRACE, at="2025-10-05 10:00 +0000", files={"src/compiler.py": "c\n"})
    repo.commit("Add a linker", author=ADA, at="2027-01-05 10:00 +0000", files={"src/linker.py": "l\n"})
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture
def engine(copy_home: Copy, tmp_path: Path) -> GitRepo:
    """Two people's work of two years, indexed."""
    copy_home(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.mark.usefixtures("engine")
class TestProfile:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ([], "almanac: whose profile? name somebody"),
            (["  "], "almanac: whose profile? name somebody"),
            (["Ada Lovelice"], "Did you mean Ada Lovelace"),
            (["ada", "--repo", "acme/none"], "acme/none: is not indexed"),
        ],
    )
    def test_what_a_person_can_mend_is_said_in_one_line(self, almanac: Run, arguments: list[str], said: str) -> None:
        ran = almanac("profile", *arguments)
        assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
        assert said in ran.err
