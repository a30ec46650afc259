"""Every test runs in a folder and a home of its own, and reaches nothing outside this machine."""

from __future__ import annotations

import asyncio
import gc
import io
import ipaddress
import os
import shutil
import signal
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
import pytest
from builders import Copy, Fill
from hypothesis import HealthCheck, settings
from patience import be_patient

from bot.slack import sender
from bot.story import render
from bot.workspace.server import PATIENCE
from storage import Store, sqlite

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from postgres import Server

# The machine may be busy with other things, so no example has a deadline and none is drawn too slowly; the time limit
# of the whole test stays. What hypothesis finds is printed, not kept in the working copy.
# `make slow` draws more. CI draws the same examples each time, so that it judges a change and not luck.
settings.register_profile(
    "almanac",
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    derandomize="CI" in os.environ,
    max_examples=int(os.environ.get("EXAMPLES", "15")),
)
settings.load_profile("almanac")


MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes; a run needs a sixth of it


def pytest_configure() -> None:
    # Tests make and remove files by the ten thousand, which takes a fifth of their time on a disk.
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
        place = os.statvfs(MEMORY)
        if place.f_bavail * place.f_frsize > ROOM and not place.f_flag & os.ST_NOEXEC:
            os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)
    # What a shell starts in the background ignores Ctrl-C, and so would all that tests start and interrupt.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("property")


def pytest_collection_finish() -> None:
    # What there is by now, thousands of tests among it, stays to the end: to look at it again and again for what can be
    # freed takes a twentieth of the time of a run.
    gc.freeze()


_FOREIGN = ("ALMANAC_", "SLACK_", "GIT_", "XDG_")
_FOREIGN_NAMES = {"HOST", "PORT", "SSH_ASKPASS", "SSH_AUTH_SOCK", "NETRC", "OPENAI_API_KEY"}


class RealPlace(AssertionError):
    """A test was about to touch something outside its own folder or this machine."""


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("homes")


@pytest.fixture
def tmp_path(homes: Path) -> Path:
    """A folder of the test's own. Pytest's own way lists all that were made before, for each of thousands."""
    return Path(tempfile.mkdtemp(dir=homes))


@pytest.fixture(autouse=True)
def own_place(homes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, which is also the current folder; returns it. No setting comes from outside."""
    home = Path(tempfile.mkdtemp(dir=homes))
    for name in list(os.environ):
        if name.startswith(_FOREIGN) or name in _FOREIGN_NAMES or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    for name, value in {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "ALMANAC_HOME": str(home / "almanac"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PYTHON_REFRESH": "quiet",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(home)
    return home


@pytest.fixture(scope="session", autouse=True)
def only_this_machine() -> Iterator[None]:
    """Refuses connections and look-ups that would leave this machine, and names them."""
    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _refuse(self, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _refuse(self, address)
        return connect_ex(self, address)

    def guarded_look_up(host: Any, *rest: Any, **more: Any) -> Any:
        if host and not _is_here(host):
            raise RealPlace(f"this test looks up {host!r}: give it a server on 127.0.0.1")
        return look_up(host, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket, "getaddrinfo", guarded_look_up)
        yield


def _refuse(connection: socket.socket, address: Any) -> None:
    if connection.family in (socket.AF_INET, socket.AF_INET6) and not _is_here(address[0]):
        raise RealPlace(f"this test connects to {address[0]}:{address[1]}: give it a server on 127.0.0.1")


def _is_here(host: Any) -> bool:
    name = host.decode() if isinstance(host, bytes) else str(host)
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return name in ("localhost", socket.gethostname())
    return address.is_loopback or address.is_unspecified


@pytest.fixture(scope="session", autouse=True)
def without_pauses() -> Iterator[None]:
    """It takes any number of messages a second; tests/digest/test_outbox_order.py holds Slack's pace."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sender, "SECONDS_APART", 0.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """No limit of seconds decides what is answered, unless a test sets it."""
    with pytest.MonkeyPatch.context() as patch:
        be_patient(patch.setattr)
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A template is compiled once a session, not for each bot and each command that is run: to compile them all takes
    fifteen times as long as to fill them."""
    with pytest.MonkeyPatch.context() as patch:
        kept = jinja2.FileSystemBytecodeCache(str(tmp_path_factory.mktemp("compiled")))
        patch.setattr(render, "Environment", partial(jinja2.Environment, bytecode_cache=kept))
        yield


@pytest.fixture(scope="session", autouse=True)
def without_the_disk() -> Iterator[None]:
    """SQLite does not wait until the disk has what a test writes: no test cuts the power, and to wait takes longer than
    most of what is tested."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "SYNCHRONOUS", "OFF")
        patch.setattr(sqlite, "BULK_SYNCHRONOUS", "OFF")
        yield


@pytest.fixture(scope="session")
def filled_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Fill], Path]:
    """A folder of the session that a function filled, once."""

    @cache
    def folder(fill: Fill) -> Path:
        path = tmp_path_factory.mktemp("filled")
        fill(path)
        return path

    return folder


@pytest.fixture
def copy(filled_folder: Callable[[Fill], Path], tmp_path: Path) -> Copy:
    """Copies into the test's folder what a function fills a folder with: repositories, and databases that know where
    they are. To copy takes a tenth of the time that git takes to make them, and the index to read them."""

    def copy(fill: Fill) -> None:
        source = filled_folder(fill)
        shutil.copytree(source, tmp_path, dirs_exist_ok=True)
        for database in tmp_path.rglob("almanac.db"):
            with closing(sqlite3.connect(database)) as connection, connection:
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute(
                    "UPDATE repositories SET location = replace(location, ?, ?)", (f"{source}/", f"{tmp_path}/")
                )

    return copy


@pytest.fixture
def copy_home(copy: Copy, tmp_path: Path, own_place: Path) -> Copy:
    """The same, with the database where the `almanac` command looks for it."""

    def copy_home(fill: Fill) -> None:
        copy(fill)
        (own_place / "almanac").mkdir()
        (tmp_path / "almanac.db").rename(own_place / "almanac" / "almanac.db")

    return copy_home


@pytest.fixture(scope="session")
def chromium_and_loop() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """One Chromium, and the loop of who drives it, which is put aside: it runs in this thread until the end."""
    from browser import browser

    with browser() as chromium:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        try:
            yield chromium, loop
        finally:
            asyncio._set_running_loop(loop)


@pytest.fixture
def chromium(chromium_and_loop: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """Chromium. No event loop can be started in this thread meanwhile."""
    chromium, loop = chromium_and_loop
    asyncio._set_running_loop(loop)
    try:
        yield chromium
    finally:
        asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """A PostgreSQL server; whoever wants it is skipped where it is not installed."""
    pytest.importorskip("psycopg", reason="almanac-bot[postgres] is not installed")
    from postgres import server

    from storage import postgres

    with server() as one, pytest.MonkeyPatch.context() as patch:
        for limit in ("CONNECT_SECONDS", "WAIT_SECONDS"):
            patch.setattr(postgres, limit, round(PATIENCE))
        yield one


@pytest.fixture
def postgres(postgres_server: Server) -> Iterator[Server]:
    """The run's server. Connections of a test end with it, not when Python happens to free what holds them."""
    yield postgres_server
    postgres_server.end_sessions()


@pytest.fixture
def on_engine() -> str:
    """Which engine keeps the index. Tests of what might depend on it are marked `both_engines`."""
    return "sqlite"


@pytest.fixture
def placed(on_engine: str, request: pytest.FixtureRequest) -> Iterator[Callable[[Path], Store]]:
    """Opens an index that lies in a file; on PostgreSQL, a copy of it on the server."""
    if on_engine == "sqlite":
        yield Store
        return
    from storage.store import copy_database

    server: Server = request.getfixturevalue("postgres")
    address = server.database()

    def copied(file: Path) -> Store:
        store = Store(address)
        copy_database(Store(file), store, lambda table, done, rows: None)
        return store

    yield copied
    server.give_back(address)


def _empty(folder: Path) -> None:
    Store(folder / "store" / "almanac.db")


@pytest.fixture
def store(copy: Copy, tmp_path: Path) -> Store:
    """A new database."""
    copy(_empty)
    return Store(tmp_path / "store" / "almanac.db")


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of the `almanac` command came to."""

    code: int
    out: str
    err: str


@pytest.fixture
def almanac(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs the `almanac` command in this process: `almanac("index", path)`. A traceback is raised as it is."""
    from bot.cli import main

    # What stands back behind others does so to its end, and so would all tests after it.
    monkeypatch.setattr(os, "setpriority", lambda which, who, priority: None)
    # Nor is it collected less often: what a test left open, such as connections to a server, would stay so.
    monkeypatch.setattr(gc, "set_threshold", lambda *thresholds: None)

    def run(*arguments: object) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        code = 0
        surroundings = dict(os.environ)  # of which the command forgets a part
        with monkeypatch.context() as here, redirect_stdout(out), redirect_stderr(err):
            here.setattr(sys, "argv", ["almanac", *map(str, arguments)])
            try:
                main()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1
            finally:
                os.environ.clear()
                os.environ.update(surroundings)
        return Ran(code, out.getvalue(), err.getvalue())

    return run
