"""What is installed works where it is installed: the wheel holds all it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from builders import GitRepo

ROOT = Path(__file__).parent.parent


@pytest.mark.wheel
def test_a_wheel_installed_elsewhere_tells_a_month(tmp_path: Path) -> None:
    built = tmp_path / "built"
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", built], cwd=ROOT, check=True)
    (wheel,) = built.glob("*.whl")
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "site")
    assert {"bot", "storage", "templates"} <= {name.split("/")[0] for name in names}
    assert "bot/workspace/page/index.html" in names
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.commit("Add the mill", at="2025-10-03 12:00 +0000", files={"mill.py": "mill\n"})

    program = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import bot; assert bot.__file__.startswith(sys.path[0]);"
        "from bot.cli import main; main()"
    )

    def almanac(*arguments: object) -> str:
        command = [sys.executable, "-P", "-c", program, tmp_path / "site", *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    almanac("index", repo.path)
    page = almanac("month", "Ada Lovelace", "2025-10", "--format", "html")
    assert "<h1>" in page and "Add the mill" in page
    assert "acme/billing" in almanac("demo", "--once")  # the sample, and what is private in it
