"""The log's bytes become the same commits however they arrive, and say what git itself says."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import ADA, GRACE, GitRepo
from hypothesis import given
from hypothesis import strategies as st

from bot.index.git import GitFailed
from bot.index.gitlog import OPTIONS, LogParser
from bot.model import Commit, FileChange, Signature

HOSTILE = [
    b"plain.txt",
    b"two words.txt",
    b"tab\there",
    b"line\nbreak",
    b"quo\"te's",
    b"back\\slash",
    b":100644 colon",
    b"\x01" + b"a" * 40,
    b"1\t2\tcounts",
    b"-\t-\t",
    b"\xff\xfe not UTF-8",
    "grüße/\N{SNOWMAN}.txt".encode(),
    b"sub/\n\n/deep",
]


def parsed(*blocks: bytes) -> tuple[list[Commit], Counter[str]]:
    parser = LogParser("acme/engine")
    return list(parser.commits(blocks)), parser.oddities


def log_of(repo: GitRepo) -> bytes:
    return repo.git("log", *OPTIONS)


@pytest.fixture(scope="module")
def varied(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    """A history with every shape a commit can have."""
    repo = GitRepo(tmp_path_factory.mktemp("varied") / "engine")
    repo.commit("Begin", files={"README": "one\ntwo\n", "src/a.py": "a\n" * 30, "src/b.py": "b\n"}, body="Why\n\nHow")
    for name in HOSTILE:
        path = Path(os.fsdecode(os.fsencode(repo.path) + b"/" + name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"1\n2\n")
    repo.commit("Add hostile names", author=GRACE, committer=ADA, committed_at="2025-10-04 08:00 -0730")
    repo.commit("Add a binary", files={"logo.png": b"\x89PNG\0\1\2"})
    repo.commit("Change the binary", files={"logo.png": b"\x89PNG\0\3"})
    repo.commit("Rename", rename={"src/a.py": "src/new\tname.py"})
    repo.commit("Rename and change", rename={"src/new\tname.py": "lib/a.py"}, files={"src/new\tname.py": "a\n" * 29})
    repo.commit("Rename the binary", rename={"logo.png": "art/logo.png"})
    repo.commit("Nothing at all")
    (repo.path / "README").chmod(0o755)
    repo.commit("Make it run")
    (repo.path / "src/b.py").unlink()
    (repo.path / "src/b.py").symlink_to("../README")
    repo.commit("Make it a link")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendor")
    repo._commit(("commit", "--quiet"), "Add a submodule\n", ADA, None, "2025-10-05 12:00 +0000", None)
    repo.git("rm", "--quiet", "--cached", "vendor")
    repo.git("commit", "--quiet", "--message=Remove the submodule")
    repo.commit("Delete", files={"README": None})
    repo.checkout("side", new=True)
    repo.commit("On the side", files={"side.txt": "s\n"})
    repo.checkout("main")
    repo.commit("On main", files={"main.txt": "m\n"})
    repo.merge("side", "Merge side")
    repo.git("checkout", "--quiet", "--orphan", "other")
    repo.git("rm", "-rf", "--quiet", ".")
    repo.commit("Another root", files={"other.txt": "o\n"})
    repo.checkout("main")
    repo.git("merge", "--quiet", "--allow-unrelated-histories", "--no-edit", "other")
    repo.raw_commit(b"")
    repo.raw_commit(b"\n\n  subject\nin two lines  \n\n\n\x01body\x02\n\n:100644 100644 a b M\r\nend\n\n\n")
    repo.raw_commit(b"subject \xff\n\nbody \xfe\n")
    repo.raw_commit("Größe\n\nÜber\n".encode("latin-1"), headers=b"encoding ISO-8859-1\n")
    repo.raw_commit(b"x" * 10_000 + b"\n")
    repo.raw_commit(b"Sign\n", headers=b"gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n")
    repo.commit("Octopus base", files={"o": "o"})
    for name in ("one", "two"):
        repo.git("checkout", "--quiet", "-b", name, "main")
        repo.commit(f"Leg {name}", files={name: "x"})
    repo.checkout("main")
    repo.git("merge", "--quiet", "--no-ff", "--no-edit", "one", "two")
    return repo


@pytest.fixture(scope="module")
def log(varied: GitRepo) -> bytes:
    return log_of(varied)


def test_every_commit_is_read_with_what_git_says_of_it(varied: GitRepo, log: bytes) -> None:
    """SHA, parents, people, dates, subject, body, files, states and line counts: each as plain git prints it."""
    commits, _ = parsed(log)
    assert [commit.sha for commit in commits] == varied.shas()
    for commit in commits:
        show = ["show", "--no-patch", "--encoding=UTF-8", "--date=raw", commit.sha]
        words = varied.git(*show, "--format=%P%n%an%n%ae%n%ad%n%cn%n%ce%n%cd%n%s%n%b").decode(errors="replace")
        parents, *who, subject, body = words.split("\n", 8)
        assert commit.parents == tuple(parents.split())
        assert [commit.author.name, commit.author.address, raw(commit.author)] == who[:3]
        assert [commit.committer.name, commit.committer.address, raw(commit.committer)] == who[3:]
        assert (commit.subject, commit.body) == (subject, body.strip("\n"))
        assert_files_are_gits(varied, commit)


def assert_files_are_gits(repo: GitRepo, commit: Commit) -> None:
    diff = ["diff-tree", "-r", "--root", "--no-commit-id", "--find-renames", "-z"]
    if commit.is_merge:
        assert commit.files == ()
        return
    names = repo.git(*diff, "--name-only", commit.sha).split(b"\0")[:-1]
    assert sorted(file.path for file in commit.files) == sorted(n.decode(errors="backslashreplace") for n in names)
    letters = {"added": "A", "modified": "M", "deleted": "D", "renamed": "R", "retyped": "T"}
    for letter in "AMDRT":
        chosen = repo.git(*diff, "--name-only", f"--diff-filter={letter}", commit.sha).split(b"\0")[:-1]
        assert sorted(f.path for f in commit.files if letters[f.state] == letter) == sorted(
            n.decode(errors="backslashreplace") for n in chosen
        )
    counts = repo.git("diff-tree", *diff[1:-1], "--numstat", commit.sha).splitlines()
    numbers = sorted(line.split(b"\t", 2)[:2] for line in counts)
    assert sorted([counted(file.additions), counted(file.deletions)] for file in commit.files) == numbers
    assert [file.binary for file in commit.files] == [file.additions is None for file in commit.files]


def raw(signature: Signature) -> str:
    hours, minutes = divmod(abs(signature.offset), 60)
    return f"{signature.seconds} {'-' if signature.offset < 0 else '+'}{hours:02}{minutes:02}"


def counted(number: int | None) -> bytes:
    return b"-" if number is None else str(number).encode()


@given(data=st.data())
def test_a_log_that_is_cut_off_gives_no_half_commit(log: bytes, data: st.DataObject) -> None:
    """What git printed before it died is given; the commit it was printing is not."""
    whole = parsed(log)[0]
    end = data.draw(st.integers(0, len(log)))

    def died() -> Iterator[bytes]:
        yield log[:end]
        raise GitFailed("killed")

    complete = list[Commit]()
    with pytest.raises(GitFailed, match="killed"):
        complete.extend(LogParser("acme/engine").commits(died()))
    begun = sum(log.index(b"\x01" + commit.sha.encode()) < end for commit in whole)
    assert complete == whole[: len(complete)]
    assert begun - len(complete) <= 2  # the one being printed, and the one before it until its end is sure


text = st.binary(max_size=12).map(lambda data: data.replace(b"\0", b""))
tricky = st.sampled_from([b"\x01", b":100644", b"1\t2\tx", b"-\t-\t", b"\n", b"\n\n", b"", b"\x01" * 3, b"\t"])
field = st.one_of(text, tricky)
path = st.one_of(text, tricky).filter(bool)


@given(
    st.lists(
        st.tuples(field, field, field, field, st.dictionaries(path, st.tuples(path, st.integers(0, 3)), max_size=3))
    )
)
def test_whatever_stands_in_a_field_or_a_path_stays_in_it(
    histories: list[tuple[bytes, bytes, bytes, bytes, dict[bytes, tuple[bytes, int]]]],
) -> None:
    """A name, a message or a path may look like any part of the log."""
    log = b""
    expected = []
    for number, (name, address, subject, body, files) in enumerate(histories):
        sha = f"{number:040}"
        fields = [sha.encode(), b"", name, address, b"5 +0130", name, address, b"-", subject, body]
        log += b"\x01" + b"\0".join(fields) + b"\0"
        states, counts, changes = b"", b"", []
        for new, (old, kind) in files.items():
            shown = new.decode(errors="backslashreplace")
            if kind == 0:
                states += b":100644 100644 1 2 M\0" + new + b"\0"
                counts += b"3\t4\t" + new + b"\0"
                changes.append(FileChange(shown, "modified", 3, 4))
            elif kind == 1:
                states += b":000000 100644 0 2 A\0" + new + b"\0"
                counts += b"-\t-\t" + new + b"\0"
                changes.append(FileChange(shown, "added", None, None, binary=True))
            else:
                letter, state = (b"R", "renamed") if kind == 2 else (b"C", "copied")
                states += b":100644 100644 1 2 " + letter + b"090\0" + old + b"\0" + new + b"\0"
                counts += b"1\t0\t\0" + old + b"\0" + new + b"\0"
                changes.append(FileChange(shown, state, 1, 0, old.decode(errors="backslashreplace")))  # type: ignore[arg-type]
        if files:
            log += b"\n" + states + counts
        who = [data.decode(errors="replace").strip() for data in (name, address)]
        expected.append(
            Commit(
                "acme/engine", sha, (), Signature(*who, 5, 90), Signature(*who, 0, 0),  # type: ignore[call-arg, arg-type]
                subject.decode(errors="replace"), body.decode(errors="replace").strip("\n"), tuple(changes),
            )
        )  # fmt: skip
    assert parsed(log)[0] == expected
