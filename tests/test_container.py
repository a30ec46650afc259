"""What the container's files name is there, and holds no secret. The image itself is built by hand."""

from __future__ import annotations

import fnmatch
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from bot.cli import almanac
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


def locked(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / name).read_text(), re.MULTILINE))


def test_the_image_has_the_versions_that_are_tested() -> None:
    tested, image = locked("requirements-dev.txt"), locked("requirements-container.txt")
    assert {"psycopg", "procrastinate", "httpx", "hatchling", "slack-bolt"} <= image.keys()
    assert {name: tested.get(name) for name in image} == image
    assert locked("requirements.txt").items() <= image.items()


def test_it_does_not_run_as_root() -> None:
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert instructions("USER") == [["almanac"]] and "\nUSER almanac" in last


def test_there_are_two_bots_and_two_workers_beside_postgresql() -> None:
    commands = [one["command"][0] for one in OURS.values()]
    assert sorted(commands) == ["serve", "serve", "worker", "worker"]
    assert set(SERVICES) - set(OURS) == {"postgres"}
    for one in OURS.values():
        command = almanac.commands[one["command"][0]]
        options = {name for parameter in command.params for name in parameter.opts}
        assert {part for part in one["command"] if part.startswith("--")} <= options
        assert one["depends_on"] == {"postgres": {"condition": "service_healthy"}}


def test_they_are_set_by_variables_that_are_read_and_hold_no_secret() -> None:
    for one in OURS.values():
        assert set(one["environment"]) <= set(VARIABLES.values())
        assert "${POSTGRES_PASSWORD:?" in one["environment"]["ALMANAC_DB"]
    assert SERVICES["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")


def test_each_worker_keeps_its_own_mirrors_and_no_two_want_one_port() -> None:
    volumes = [v.partition(":")[0] for one in SERVICES.values() for v in one["volumes"] if not v.startswith(".")]
    assert sorted(volumes) == sorted(COMPOSE["volumes"]) == ["postgres", "worker-1", "worker-2"]
    ports = [port for one in SERVICES.values() for port in one.get("ports", [])]
    assert len(ports) == len({port.rpartition(":")[0] for port in ports}) == 2
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_a_bot_is_asked_whether_it_is_ready() -> None:
    for one in OURS.values():
        if one["command"] == ["serve"]:
            assert f"127.0.0.1:{one['environment']['PORT']}/ready" in one["healthcheck"]["test"][-1]
    assert "pg_isready" in SERVICES["postgres"]["healthcheck"]["test"]
