"""What is typed on the command line steers no terminal and turns no line around when it is said back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from builders import GitRepo

HOSTILE = "a\x1b[31mb\x07\u202egnp\u2066\u200f\x9b"


ARGUMENTS = [
    ["ask", HOSTILE], ["ask", f"who worked on {HOSTILE}?"], ["ask", f"what did {HOSTILE} do in october?"],
    ["ask", "ada", "--as", HOSTILE], ["month", HOSTILE], ["month", "ada", HOSTILE],
    ["month", "ada", "--repo", HOSTILE], ["month", "ada", "--zone", HOSTILE],
    ["profile", HOSTILE], ["digest", HOSTILE], ["explain", HOSTILE],
    ["index", HOSTILE], ["index", f"https://{HOSTILE}/a/b"], ["export", HOSTILE],
    ["correct", HOSTILE, "--kind", "fix"], ["correct", HOSTILE, "--kind", HOSTILE], ["people", "list", HOSTILE],
    ["people", "link", HOSTILE, "x@example.com"], ["people", "link", "ada", HOSTILE], ["people", "hide", HOSTILE],
    ["people", "undo", HOSTILE], [HOSTILE], [f"--{HOSTILE}"], ["doctor", HOSTILE], ["digest", "--pause", HOSTILE],
]  # fmt: skip


def test_no_sign_of_it_is_printed_raw(tmp_path: Path, almanac: Callable[..., Any]) -> None:
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.many(2)
    almanac("index", repo.path)
    for arguments in ARGUMENTS:
        ran = almanac(*arguments)
        raw = {sign for sign in ran.out + ran.err if not sign.isprintable() and sign != "\n"}
        assert raw == set(), (arguments, ran.out, ran.err)
