"""A .mailmap means what it means to git, and no text breaks it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

import pytest
from builders import GitRepo
from hypothesis import given
from hypothesis import strategies as st
from values import ENGINE, WEB

from bot.model import Identity
from bot.month.joining import MOST_CHARACTERS, Mailmap, Mailmaps, Proper

JANE = ("Jane Doe", "jane@example.com")


@pytest.mark.parametrize(
    ("text", "written", "mapped"),
    [
        ("Jane Doe <jane@example.com>", ("jane", "jane@example.com"), JANE),
        ("<jane@example.com> <jd@laptop>", ("Jane Doe", "jd@laptop"), JANE),
        ("Jane Doe <jane@example.com> <jd@laptop>", ("jd", "jd@laptop"), JANE),
        ("Jane Doe <jane@example.com> Jane <bugs@example.com>", ("Jane", "bugs@example.com"), JANE),
        ("Jane Doe <jane@example.com> Jane <bugs@example.com>", ("Joe", "bugs@example.com"), None),
        ("Jane Doe <jane@example.com> JANE <BUGS@Example.Com>", ("jane", "bugs@example.com"), JANE),
        ("Jane Doe <jane@example.com> <>", ("jd", ""), JANE),
        ("  Jane Doe\t<jane@example.com>   <jd@laptop>  # at work", ("jd", "jd@laptop"), JANE),
        ("# Jane Doe <jane@example.com> <jd@laptop>", ("jd", "jd@laptop"), None),
        ("Jane Doe <> <jd@laptop>", ("jd", "jd@laptop"), None),
        ("Jane Doe <jane@example.com", ("jd", "jane@example.com"), None),
        ("Jane Doe jane@example.com>", ("jd", "jane@example.com"), None),
        ("É <jane@example.com> É <x@x>", ("é", "x@x"), None),  # ASCII letters only, as in git
        ("Jane Doe <jane@example.com> <jd@laptop>\0\nJoe <jd@laptop>", ("jd", "jd@laptop"), JANE),
    ],
)
def test_a_line_is_read_as_git_reads_it(text: str, written: tuple[str, str], mapped: tuple[str, str] | None) -> None:
    assert Mailmap(text).mapped(*written) == (mapped or written)


def test_random_files_are_read_as_git_reads_them(tmp_path: Path) -> None:
    """Held against `git check-mailmap`, with lines broken in every way."""
    chance = random.Random(7)  # noqa: S311  the same files in every run
    repo = GitRepo(tmp_path / "repo")
    names = ["Jane Doe", "jane", "JOE", "Zoë", "", " "]
    addresses = ["a@x", "A@X", "b@x", "c@y", "ab@x", ""]
    for _ in range(12):
        lines = []
        for _ in range(chance.randrange(40)):
            pieces = [chance.choice(names), f"<{chance.choice(addresses)}>"]
            if chance.random() < 0.6:
                pieces += [chance.choice(names), f"<{chance.choice(addresses)}>"]
            if chance.random() < 0.15:
                pieces.insert(chance.randrange(len(pieces)), chance.choice(["#", "<", ">", "\t", "\r"]))
            lines.append(chance.choice([" ", ""]).join(pieces))
        file = tmp_path / "mailmap"
        file.write_text("\n".join(lines))
        asked = [
            (name, address) for name in ("Jane Doe", "jane", "Joe", "Zoë", "x") for address in addresses if address
        ]
        stdin = "".join(f"{name} <{address}>\n" for name, address in asked).encode()
        said = repo.git("-c", f"mailmap.file={file}", "check-mailmap", "--stdin", stdin=stdin).decode()
        mailmap = Mailmap(file.read_bytes().decode())
        ours = [mailmap.mapped(name, address) for name, address in asked]
        assert said.splitlines() == [f"{name} <{address}>" if name else f"<{address}>" for name, address in ours], lines


@given(st.text(alphabet="<>#ab@ \t\n\r\0é", max_size=200), st.text(max_size=10), st.text(max_size=10))
def test_any_text_is_a_mailmap(text: str, name: str, address: str) -> None:
    assert isinstance(Mailmap(text).mapped(name, address), tuple)


def test_of_a_file_without_end_only_the_beginning_is_read() -> None:
    line = "\nA <a@x> <b@x>\n"
    for many, said in ((MOST_CHARACTERS - len(line), ("A", "a@x")), (MOST_CHARACTERS, ("b", "b@x"))):
        assert Mailmap(f"{'#' * many}{line}").mapped("b", "b@x") == said


class TestSeveralFiles:
    """Each speaks of the commits of its own repository."""

    TEXTS: ClassVar = {ENGINE: "Jane Doe <jane@x> <jd@x>", WEB: "Joe Roe <joe@x> <jd@x>\nJan <new@x>"}

    def test_each_counts_in_its_own_repository(self) -> None:
        both = Mailmaps(self.TEXTS)
        assert both.proper("jd", "jd@x", ENGINE) == Proper("Jane Doe", "jane@x")
        assert both.proper("jd", "JD@x", WEB) == Proper("Joe Roe", "joe@x")
        assert both.proper("jd", "jd@x", "acme/other") is None
        assert both.proper("x", "x@x", ENGINE) is None

    def test_whom_they_speak_of_is_told_apart_by_repository(self) -> None:
        written = {ENGINE: {"jd@x": 3}, WEB: {"jd@x": 1, "new@x": 4}, "acme/other": {"jd@x": 2}}

        def counted(some: Iterable[Identity]) -> dict[tuple[str, str], dict[str, int]]:
            return {
                (one.name, one.address): {name: had[one.address] for name, had in written.items() if one.address in had}
                for one in some
            }

        identities = [Identity("jd", "jd@x", 6), Identity("new", "new@x", 4), Identity("max", "max@x", 1)]
        assert sorted(Mailmaps(self.TEXTS).split(identities, counted), key=str) == sorted(
            [
                Identity("jd", "jd@x", 2, but=(ENGINE, WEB)),
                Identity("jd", "jd@x", 3, only=ENGINE, moved=True),
                Identity("jd", "jd@x", 1, only=WEB, moved=True),
                Identity("new", "new@x", 4, only=WEB),
                Identity("max", "max@x", 1),
            ],
            key=str,
        )
