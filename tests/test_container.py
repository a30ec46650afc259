"""What the container's files name is there, and holds no secret. The image itself is built by hand."""

from __future__ import annotations

import fnmatch
import shlex
from pathlib import Path
from typing import Any

import pytest

from bot.settings import VARIABLES

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text()
IGNORED = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = {name: one for name, one in SERVICES.items() if "build" in one}


def instructions(name: str) -> list[list[str]]:
    whole = DOCKERFILE.replace("\\\n", " ")
    return [shlex.split(line)[1:] for line in whole.splitlines() if line.startswith(f"{name} ")]


def test_what_the_image_is_made_of_is_there_and_let_through() -> None:
    allowed = {line.removeprefix("!") for line in IGNORED if line.startswith("!")}
    copied = {part for parts in instructions("COPY") if not parts[0].startswith("--from") for part in parts[:-1]}
    assert copied == allowed
    assert [one for one in copied if not (ROOT / one).exists()] == []
    assert IGNORED[0] == "*"
    assert not any(fnmatch.fnmatch(secret, one) for secret in (".env", "almanac.toml") for one in allowed)


def test_packages_are_installed_by_their_hashes() -> None:
    installs = [line for line in DOCKERFILE.replace("\\\n", " ").splitlines() if "pip install" in line]
    assert len(installs) == 2
    assert "--require-hashes" in installs[0] and "--no-deps --no-build-isolation" in installs[1]


def test_they_are_set_by_variables_that_are_read_and_hold_no_secret() -> None:
    for one in OURS.values():
        assert set(one["environment"]) <= set(VARIABLES.values())
        assert "${POSTGRES_PASSWORD:?" in one["environment"]["ALMANAC_DB"]
    assert SERVICES["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
