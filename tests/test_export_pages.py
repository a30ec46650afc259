"""`almanac export` as HTML: what stands in a folder, that it can be served, read and printed as it stands, and that
running it again leaves what is still right as it is."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from builders import ADA, GRACE, Copy, GitRepo, Run, index

from storage import Store

REVIEWED = "A mill.\n\nReviewed-by: Grace Hopper <grace@example.com>"
TOGETHER = "A reader.\n\nCo-authored-by: Ada Lovelace <ada@example.com>"
SETTINGS = """
[[teams]]
name = "engine"
people = ["Ada Lovelace"]
"""


def _autumn(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.commit(
        "Add the mill (#1)", body=REVIEWED, author=ADA, at="2025-08-04 10:00 +0000", files={"src/mill.py": "m\n"}
    )
    for day in range(3, 9):
        repo.commit(f"Add `store_{day}`", author=ADA, at=f"2025-10-0{day} 10:00 +0000", files={f"src/{day}.py": "s\n"})
    bad = repo.commit("Add a cache", author=ADA, at="2025-10-13 10:00 +0000", files={"src/cache.py": "c\n"})
    repo.commit('Revert "Add a cache"', body=f"This reverts commit {bad}.", author=GRACE, at="2025-10-15 10:00 +0000")
    repo.commit("Read it", body=TOGETHER, author=GRACE, at="2025-10-16 10:00 +0000", files={"src/read.py": "r\n"})
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture(autouse=True)
def autumn(copy_home: Copy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """Two people's autumn, indexed, told in November; Ada is a team."""
    copy_home(_autumn)
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00Z")
    (tmp_path / "almanac.toml").write_text(SETTINGS)
    monkeypatch.setenv("ALMANAC_CONFIG", str(tmp_path / "almanac.toml"))
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.fixture
def folder(almanac: Run, tmp_path: Path) -> Path:
    """Exported once, from August on."""
    into = tmp_path / "pages"
    assert almanac("export", "--months", "since august", "--into", into).code == 0
    return into


def files(folder: Path) -> set[str]:
    return {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()}


class Elements(HTMLParser):
    """Every element of a page, in order, with its attributes, and the text within."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def of(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.found if tag in tags]


def test_every_page_is_reached_from_the_index_and_every_link_leads_somewhere(folder: Path) -> None:
    every = {one for one in files(folder) if one.endswith(".html")}
    reached: set[str] = set()
    for name in every:
        path = folder / name
        links = [str(one["href"]) for one in Elements(path).of("a")]
        inside = {str((path.parent / link).resolve().relative_to(folder.resolve())) for link in links}
        assert inside <= every, name
        reached |= inside if name == "index.html" else set()
    assert reached == every - {"index.html"}


def test_a_persons_page_tells_every_month_with_evidence(folder: Path) -> None:
    page = Elements(folder / "people" / "ada-lovelace.html")
    assert [one["id"] for one in page.of("section")] == ["2025-10", "2025-08"]
    headings = re.findall(r"<h2>(.+?)</h2>", (folder / "people" / "ada-lovelace.html").read_text())
    assert headings == ["October 2025", "August 2025"]
    assert "store_3" in page.text and "13 Oct landed → 15 Oct backed out by Grace Hopper" in page.text
    assert "8 changes with their commits" in page.text and page.of("code")


def test_nobody_who_asked_not_to_be_shown_is_on_a_page(almanac: Run, folder: Path) -> None:
    assert almanac("people", "hide", "grace").code == 0
    assert almanac("export", "--months", "since august", "--into", folder / "anew").code == 0
    assert not any("Grace" in path.read_text() for path in (folder / "anew").rglob("*.*"))


def test_run_again_it_touches_no_file_that_is_right(almanac: Run, folder: Path) -> None:
    before = {name: (folder / name).stat().st_mtime_ns for name in files(folder)}
    ran = almanac("export", "--months", "since august", "--into", folder)
    assert ran.err == f"6 pages in {folder / 'index.html'}\n"
    assert {name: (folder / name).stat().st_mtime_ns for name in files(folder)} == before
