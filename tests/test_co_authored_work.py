"""What somebody wrote with a machine, or with another team, is told in digests and lists: once, and with whom."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Copy, GitRepo, Run, index

from storage import Store

NORA, MIA, ADA = ("Nora Quist", "nora@x.example"), ("Mia Tarn", "mia@x.example"), ("Ada Lovelace", "ada@x.example")
ROBOT = ("copilot-swe-agent[bot]", "198982749+Copilot@users.noreply.github.com")
BUMP = ("dependabot[bot]", "dependabot@github.com")
TEAMS = """[[teams]]
name = "deck"
people = ["Nora Quist", "Mia Tarn"]
[[digests]]
channel = "#deck"
team = "deck"
"""


def _with(*others: tuple[str, str]) -> str:
    return "\n\n" + "\n".join(f"Co-authored-by: {name} <{address}>" for name, address in others)


def _repositories(folder: Path) -> None:
    repo = GitRepo(folder / "sea" / "tides")
    for day, (title, author, others) in enumerate(
        [
            ("Add an anchor watch (#31)", ROBOT, [NORA]),
            ("Draw wrecks (#32)", ROBOT, [NORA, MIA]),
            ("Chart the Ems (#33)", ADA, [NORA]),
            ("Chart the Elbe (#34)", NORA, [ADA]),
            ("Chart the Jade (#35)", ADA, []),
            ("Bump a library (#36)", BUMP, []),
            ("Bump another (#37)", BUMP, [ROBOT]),
            ("Chart the Weser (#38)", MIA, []),
        ],
        1,
    ):
        body = _with(*others) if others else ""
        repo.commit(
            f"{title}{body}", author=author, at=f"2025-10-{day:02} 10:00 +0000", files={f"{day}.py": f"{day}\n"}
        )
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture(autouse=True)
def indexed(copy_home: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-10T12:00:00Z")
    copy_home(_repositories)
    Path("almanac.toml").write_text(TEAMS)


def _root(out: str) -> list[str]:
    return sorted(line for line in out.partition("Work\n")[2].partition("\n\n")[0].splitlines() if line)


def test_a_teams_digest_tells_what_it_wrote_with_others(almanac: Run) -> None:
    assert _root(almanac("digest", "2025-10", "--channel", "#deck").out) == [
        "- Add an anchor watch (#31, Nora Quist with copilot-swe-agent[bot])",
        "- Chart the Elbe (#34, Nora Quist)",
        "- Chart the Ems (#33, Nora Quist with Ada Lovelace)",
        "- Chart the Weser (#38, Mia Tarn)",
        "- Draw wrecks (#32, Mia Tarn with copilot-swe-agent[bot])",
    ]
