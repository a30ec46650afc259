"""The sample's commits → bare repositories, by `git fast-import`."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import IO

from bot.errors import AlmanacError
from bot.sample.history import SampleCommit, sample_commits
from bot.settings import Settings, fields_of

HERE = Path(__file__).parent
FORGE = ("GitHub", "noreply@github.com")  # who commits what is merged there, by the number behind its title
OWNER = "acme"
FORGE_AT = "https://github.com"  # so that numbers and SHAs are links, as a team would see them; they lead nowhere


def sample(settings: Settings) -> Settings:
    """Make the sample in `demo/sample` of the bot's home unless it is there, and give the settings to index and tell
    it with: its repositories, people, teams and digests, and a database beside it.

    The folder is a set-up of its own, with an almanac.toml, for trying commands in. Raises AlmanacError where git is
    missing or the disk is full.
    """
    folder = settings.home / "demo" / "sample"
    try:
        make(folder, settings.now())
    except OSError as error:
        raise AlmanacError(f"the sample history could not be made in {folder}: {error}") from error
    table = tomllib.loads((HERE / "settings.toml").read_text("utf-8"))
    ours = Settings(**fields_of(table)[0])
    repositories = [replace(one, address=str(folder / one.address)) for one in ours.repositories]
    return replace(
        settings,
        db=folder / "almanac.db",  # whatever ALMANAC_DB says: what is made up is no business of a real bot's
        repositories=repositories,
        people=ours.people,
        teams=ours.teams,
        digests=ours.digests,
        privacy=replace(settings.privacy, admins=[*settings.privacy.admins, *ours.privacy.admins]),
    )


def make(folder: Path, now: datetime) -> None:
    """Make the repositories as they are at `now` in `folder`/acme, unless they are there."""
    history = sample_commits((HERE / "history.txt").read_text("utf-8"), now)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until it is closed: another demonstration may begin at the same time
        shutil.copyfile(HERE / "settings.toml", folder / "almanac.toml")
        _renew(folder, history)


def _renew(folder: Path, history: Mapping[str, Sequence[SampleCommit]]) -> None:
    is_of = sha256(repr(history).encode()).hexdigest()
    mark = folder / "made-of"
    is_whole = all((folder / OWNER / name / "HEAD").is_file() for name in history)
    if is_whole and mark.is_file() and mark.read_text() == is_of:
        return
    with tempfile.TemporaryDirectory(dir=folder) as made:
        for name, commits in history.items():
            _make(Path(made) / name, commits)
        mark.unlink(missing_ok=True)  # what is stopped from here on is made anew
        shutil.rmtree(folder / OWNER, ignore_errors=True)
        (folder / OWNER).mkdir()
        for name in history:
            (Path(made) / name).rename(folder / OWNER / name)
    mark.write_text(is_of)


def _make(path: Path, commits: Sequence[SampleCommit]) -> None:
    """One repository. Raises AlmanacError with what git says."""
    path.mkdir(parents=True)
    _git(path, "init", "--quiet", "--bare", "--initial-branch=main", "--template=")
    _git(path, "config", "remote.origin.url", f"{FORGE_AT}/{OWNER}/{path.name}.git")
    with tempfile.TemporaryFile() as said:
        running = subprocess.Popen(
            ["git", "fast-import", "--quiet", "--date-format=raw", "--done"],
            cwd=path, env=_surroundings(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said,
        )  # fmt: skip
        assert running.stdin and running.stdout  # noqa: S101 -- both are pipes
        try:
            with running:
                _import(running.stdin, running.stdout, commits)
        except BrokenPipeError:
            pass  # it ended early, and has said why
        if running.returncode:
            said.seek(0)
            raise AlmanacError(f"git could not make the sample: {said.read().decode(errors='replace').strip()}")


def _import(stream: IO[bytes], answers: IO[bytes], commits: Sequence[SampleCommit]) -> None:
    """What fast-import reads. A message that names earlier commits asks git for their SHAs first."""
    for mark, one in enumerate(commits, 1):
        message = one.message
        for written, place in one.named.items():
            stream.write(b"get-mark :%d\n" % (place + 1))
            stream.flush()
            message = message.replace(written, answers.readline().decode().strip())
        seconds, offset = int(one.at.timestamp()), one.at.strftime("%z")
        is_merged = message.partition("\n")[0].endswith(")")
        committer = FORGE if is_merged else (one.author.name, one.author.address)
        when = f"{seconds} +0000" if is_merged else f"{seconds} {offset}"
        stream.write(
            f"commit refs/heads/main\nmark :{mark}\n"
            f"author {one.author.name} <{one.author.address}> {seconds} {offset}\n"
            f"committer {committer[0]} <{committer[1]}> {when}\n".encode()
        )
        stream.write(_data(message))
        for path, text in one.files.items():
            if text is None:
                stream.write(f"D {path}\n".encode())
            else:
                stream.write(f"M 100644 inline {path}\n".encode() + _data(text))
        for tag in one.tags:
            stream.write(f"reset refs/tags/{tag}\nfrom :{mark}\n\n".encode())
    stream.write(b"done\n")
    stream.flush()


def _data(text: str) -> bytes:
    content = text.encode()
    return b"data %d\n%s\n" % (len(content), content)


def _git(path: Path, *arguments: str) -> None:
    try:
        subprocess.run(["git", *arguments], cwd=path, env=_surroundings(), check=True, capture_output=True)
    except FileNotFoundError as error:
        raise AlmanacError("git is not installed, or not in PATH: install it") from error
    except subprocess.CalledProcessError as error:
        raise AlmanacError(f"git could not make the sample: {error.stderr.decode(errors='replace').strip()}") from error


def _surroundings() -> dict[str, str]:
    """The environment, without what may lead git elsewhere or change what it makes."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
