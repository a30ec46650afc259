"""Bad input ends in one line that says what to do, with exit 1; what is indexed stays, and the others go on."""

from __future__ import annotations

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from builders import ADA, GRACE, Copy, GitRepo, Run, Steps, everything, index

from bot.errors import RepositoryUnavailable
from bot.index import mirrors
from storage import Store


@pytest.fixture(autouse=True)
def present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00Z")
    monkeypatch.setattr(mirrors, "BACK_OFF_SECONDS", 0.0)


def _good(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "good")
    repo.commit("Add the mill", author=ADA, at="2025-10-04 10:00 +0000", files={"mill.py": "mill\n"})
    repo.commit("Add a compiler", author=GRACE, at="2025-10-05 10:00 +0000", files={"compiler.py": "c\n"})


@pytest.fixture
def good(copy: Copy, tmp_path: Path) -> GitRepo:
    copy(_good)
    return GitRepo(tmp_path / "acme" / "good")


@pytest.fixture
def database(own_place: Path) -> Path:
    return own_place / "almanac" / "almanac.db"


def lines_of(ran: Any) -> list[str]:
    """What a command that failed, or that warns, says on standard error, apart from its progress."""
    lines = [line for line in ran.err.splitlines() if ": reading " not in line and ": counting " not in line]
    assert all(line.startswith("almanac: ") for line in lines), lines
    return [re.sub(r" after \d+ ms", "", line.removeprefix("almanac: ")) for line in lines]  # which curl measures


def told(ran: Any, code: int = 1) -> str:
    """The one such line."""
    assert ran.code == code, ran
    (line,) = lines_of(ran)
    return line


def a_file(folder: Path) -> str:
    (folder / "file.txt").write_text("text")
    return "file.txt"


def corrupt(folder: Path) -> str:
    repo = GitRepo(folder / "corrupt")
    repo.commit("One", files={"a": "1"})
    repo.loose_object(repo.line("rev-parse", "HEAD^{tree}")).unlink()
    return "corrupt"


def shallow(folder: Path) -> str:
    repo = GitRepo(folder / "deep")
    repo.many(4)
    repo.clone(folder / "shallow", "--depth=2")
    return "shallow"


def inside_a_repository(folder: Path) -> str:
    """Only the folder that is named counts, not one around it."""
    GitRepo(folder / "around").commit("Begin", files={"src/a.py": "a"})
    return "around/src"


def out_of_reach(folder: Path) -> str:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return f"https://ada:S3cr3t@127.0.0.1:{server.getsockname()[1]}/acme/engine"


UNREACHED = "check the address, and that git may read it here without a password"
BAD: dict[Callable[[Path], str], str] = {  # a path in the folder, or an address
    lambda _: "nothing": "does not exist: check the path",
    a_file: "is a file, not a repository: name the repository's folder",
    lambda folder: (folder / "plain" / "inside").mkdir(parents=True) or "plain": "is no git repository: name a folder",
    inside_a_repository: "is no git repository: name a folder",
    lambda folder: GitRepo(folder / "empty").path.name: "has no commits yet: make one, then index it again",
    lambda folder: GitRepo(folder / "bare.git", bare=True).path.name: "has no commits yet: make one, then index",
    corrupt: "fsck",
    shallow: "so its older commits are missing: run `git fetch --unshallow` there, then index it again",
    lambda folder: f"file://{folder}/empty": "has no commits yet: push one, then index it again",
    lambda folder: f"file://{folder}/nothing": UNREACHED,
    out_of_reach: UNREACHED,
    lambda folder: f"ext::sh -c 'touch {folder}/owned'": "only https, ssh and file addresses, and paths, are read",
}


def test_bad_repositories_are_told_and_do_not_stop_the_others(
    almanac: Run, good: GitRepo, tmp_path: Path, database: Path
) -> None:
    later = GitRepo(tmp_path / "acme" / "later")
    later.many(3)
    bad = [made if ":" in made else tmp_path / made for made in (make(tmp_path) for make in BAD)]
    ran = almanac("index", good.path, *bad, later.path)
    lines = lines_of(ran)
    assert (ran.code, len(lines)) == (1, len(BAD)), lines
    assert [says for says in BAD.values() if not any(says in line for line in lines)] == []
    assert "S3cr3t" not in ran.out + ran.err
    store = Store(database)
    assert (store.commits.count("acme/good"), store.commits.count("acme/later")) == (2, 3)
    assert not (tmp_path / "owned").exists()
    assert "shallow: 2 commits, 2 new" in ran.out
    before = almanac("month", "Ada Lovelace", "2025-10")
    assert lines_of(almanac("index", *bad)) == lines
    assert almanac("month", "Ada Lovelace", "2025-10") == before
    assert before.code == 0


def test_a_repository_of_sha_256_is_read_and_told(almanac: Run, tmp_path: Path) -> None:
    path = tmp_path / "acme" / "long"
    path.mkdir(parents=True)
    GitRepo(path).git("init", "--quiet", "--initial-branch=main", "--template=", "--object-format=sha256")
    repo = GitRepo(path)
    repo.commit("Add the mill", files={"mill.py": "1\n"})
    for _ in range(2):
        assert almanac("index", path).code == 0
    repo.reset(repo.commit("Fix the mill", files={"mill.py": "2\n"}))
    assert "2 commits, 1 new" in almanac("index", path).out
    assert repo.tip in almanac("month", "ada", "2025-10", "--format", "json").out


# --- odd commits

AUTHORS = (  # of a commit each, whatever it says
    b"Ada \xff Lovelace <ada@\xfe> 1759492800 +0000", b" <ada@example.com> 1759492800 +0000",
    b"Ada Lovelace <> 1759492800 +0000", b" <> 1759492800 +0000", b"",
    b"Ada\tLovelace <ada@example.com> 1759492800 +0000", b"*Ada* <ada@example.com> 1759492800 +0000",
    *(b"Ada Lovelace <ada@example.com> " + when for when in (
        b"0 +0000", b"4294967295 +0000", b"9223372036854775807 +0000", b"-1 +0000", b"1759492800 +9999",
        b"1759492800 -9999")),
)  # fmt: skip
MESSAGES = (
    b"Fix \xff\xfe\n\nBody \xfa\n", b"Add " + b"x" * 9_996 + b"\n", b"",
    b"Add \x1b[31m\x07 red\n\nBody \x01\x02\n", b"<!channel> & <b>\n\n```\n",
)  # fmt: skip
PLAIN = b"Ada Lovelace <ada@example.com> 1759492800 +0000"
ODD = [*((b"Add\n", author) for author in AUTHORS), *((message, PLAIN) for message in MESSAGES)]


def test_odd_commits_are_indexed_and_told_about(almanac: Run, good: GitRepo, tmp_path: Path, database: Path) -> None:
    """Everything that answers can live with them."""
    repo = GitRepo(tmp_path / "acme" / "odd")
    for message, author in ODD:
        repo.raw_commit(message, author=author, committer=PLAIN)
    ran = almanac("index", repo.path, good.path)
    assert ran.code == 0
    assert f"acme/odd: {len(ODD)} commits, {len(ODD)} new" in ran.out
    store = Store(database)
    commits = [one for sha in repo.shas() for one in store.commits.by_sha(sha)]
    whose = {(one.author.name or one.author.address or "ada", f"{one.author.at:%Y-%m}") for one in commits}
    asked = [["month", *one] for one in sorted(whose)] + [["digest", month] for month in sorted({m for _, m in whose})]
    for command in asked:
        for form in ("text", "markdown", "html", "json", "slack") if command[0] == "month" else ("slack",):
            answer = almanac(*command, "--format", form)
            assert answer.code in (0, 1), answer
            if answer.code:
                told(answer)
            elif form in ("json", "slack"):
                json.loads(answer.out)


# --- the database


def newer(path: Path) -> None:
    Store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('almanac', 'm999', '')"
        )


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE contacts (name)")


DATABASES: dict[str, Callable[[Path], object]] = {
    "was made by a newer Almanac: upgrade this one": newer,
    "is another program's database: name another file in ALMANAC_DB": foreign,
    "is damaged or no database: move it away": lambda path: path.write_bytes(b"garbage" * 1_000),
    "cannot be opened: check that it is a file": lambda path: path.mkdir(),
}


def test_files_a_thousand_folders_deep_are_indexed_and_told(almanac: Run, tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "acme" / "deep")
    path = "a/" * 1_200 + "mill.py"
    commits = (
        f"commit refs/heads/main\ncommitter Ada <ada@example.com> {1_759_492_800 + day} +0000\n"
        f"data 12\nAdd the mill\nM 100644 inline {path}\ndata 2\n{day}\n"
        for day in range(3)
    )
    repo.fast_import("".join(commits).encode())
    assert almanac("index", repo.path).code == 0
    told = almanac("digest", "2025-10")
    assert (told.code, told.out.count("Add the mill") > 0) == (0, True)


@pytest.mark.parametrize("said", DATABASES)
def test_a_bad_database_is_told_and_left_alone(
    almanac: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    path = tmp_path / "bad.db"
    DATABASES[said](path)
    monkeypatch.setenv("ALMANAC_DB", str(path))
    before = path.read_bytes() if path.is_file() else None
    for command in ["index", "."], ["month", "ada"], ["digest"], ["ask", "what did ada do?"]:
        line = told(almanac(*command))
        assert said in line and str(path) in line, command
        assert (path.read_bytes() if path.is_file() else None) == before, command


# --- as a program of its own


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
    )


def test_the_program_ends_with_1_and_without_a_traceback(good: GitRepo, tmp_path: Path) -> None:
    ran = run("index", good.path, tmp_path / "nothing")
    assert (ran.returncode, ran.stdout.split(", newest")[0]) == (1, "acme/good: 2 commits, 2 new")
    assert ran.stderr.splitlines() == [
        "acme/good: reading 2 commits",
        f"almanac: {tmp_path}/nothing: does not exist: check the path",
    ]


def test_a_machine_without_git_is_told(good: GitRepo, tmp_path: Path) -> None:
    ran = run("index", good.path, PATH=str(tmp_path))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "almanac: git is not installed, or not in PATH: install it and try again\n"


# --- odd histories


def test_a_message_of_16_mb_is_cut_and_told_about(almanac: Run, tmp_path: Path, database: Path) -> None:
    repo = GitRepo(tmp_path / "acme" / "long")
    for sign in ("\u00e4".encode(), b"\xff"):
        repo.raw_commit(b"Add a dump\n\n" + sign * (16 << 20) + b"\n")
    ran = almanac("index", repo.path)
    assert ran.code == 0
    assert "2 × a message of more than 1 MB (its end is left out)" in ran.err
    assert "1 × text that is not UTF-8" in ran.err
    bodies = [one.body for one in everything(Store(database))]
    assert sorted(len(body.encode(errors="replace")) <= 3 << 20 for body in bodies) == [True] * 2
    assert almanac("month", "ada", "2025-10").code == 0


class Pushing(Steps):
    """Someone who pushes while a repository is read."""

    def __init__(self, push: Callable[[], object]) -> None:
        super().__init__()
        self._push = push

    def start(self, repository: str, total: int | None) -> None:
        super().start(repository, total)
        self._push()


def test_a_force_push_while_it_is_read_is_left_to_the_next_run(good: GitRepo, store: Store) -> None:
    def push() -> None:
        good.reset("HEAD~1")
        good.commit("Instead")
        good.git("-c", "gc.reflogExpire=now", "reflog", "expire", "--expire=now", "--all")
        good.git("gc", "--quiet", "--prune=now")

    with pytest.raises(RepositoryUnavailable, match="what was read is kept"):
        index(store, good, steps=Pushing(push))
    index(store, good)
    assert {one.sha for one in everything(store)} == set(good.shas())


SECRET = "S3cr3tPassw0rd"
MISSPELT = ["https:/bot:{}@host.example/x.git", "https//bot:{}@host.example/x.git", "bot:{}@host.example:x.git"]
NO_DATABASES = [
    "postgresql+psycopg://a:{}@h/db", "POSTGRESQL://a:{}@h/db", "mysql://a:{}@h/db", "postgresql:/a:{}@h/db",
    "postgresql://a:{}h/db", "postgresql://a/{}@h/db", "a:{}@h/db", "postgres//a:{}@h/db",
    "host=h user=a password={} dbname=db",
]  # fmt: skip


def test_a_misspelt_address_is_printed_nowhere_with_its_password(almanac: Run, own_place: Path, good: GitRepo) -> None:
    """Neither as that of a repository, nor in a digest, where the name of a repository belongs."""
    almanac("index", good.path)
    for address, command in product((one.format(SECRET) for one in MISSPELT), ("index", "doctor", "digest", "given")):
        (own_place / "almanac.toml").write_text(f'[[repositories]]\naddress = "{address}"\n')
        ran = almanac("index", address) if command == "given" else almanac(command)
        assert SECRET not in ran.out + ran.err, address
        assert command == "digest" or (ran.code == 1 and "is no address" in ran.out + ran.err), (address, command)
    for address, command in product(
        ("https://bot:{}@host.example/x.git", *MISSPELT), (["doctor"], ["digest", "--list"], ["index"])
    ):
        (own_place / "almanac.toml").write_text(
            f'[[digests]]\nchannel = "#shipped"\nrepositories = ["acme/engine", "{address.format(SECRET)}"]\n'
        )
        ran = almanac(*command)
        assert SECRET not in ran.out + ran.err
        assert "digests[1].repositories" in ran.out + ran.err
        assert "is an address: write the name of the repository" in ran.out + ran.err


def test_a_misspelt_database_is_no_file_with_a_password_in_its_name(
    almanac: Run, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for address in (one.format(SECRET) for one in NO_DATABASES):
        monkeypatch.setenv("ALMANAC_DB", address)
        ran, copied = almanac("index", "."), almanac("db", "copy", address, "there.db")
        assert SECRET not in ran.out + ran.err + copied.out + copied.err
        assert told(ran).startswith("ALMANAC_DB: is no database address: use postgresql://")
        assert copied.code in (1, 2)
        assert not [path for path in own_place.rglob("*") if SECRET in path.name]


def test_credentials_in_the_address_of_slack_are_printed_nowhere(
    almanac: Run, good: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    almanac("index", good.path)
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1")
    monkeypatch.setenv("SLACK_SIGNING_SECRET", "s")
    for address in (
        "http://bot:{}@127.0.0.1:9/api/", "http://bot:p/{}@127.0.0.1:9/api/", "https://bot:{}",
        "http://bot:{} @127.0.0.1:9/api/",
    ):  # fmt: skip
        monkeypatch.setenv("SLACK_API_URL", address.format(SECRET))
        for command in (["doctor"], ["digest", "--post", "--channel", "C1"], ["serve"]):
            ran = almanac(*command)
            assert ran.code and SECRET not in ran.out + ran.err, ran
