"""400 hostile histories: nothing in them is started, every commit is stored, every month can be made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import NOW, GitRepo, index
from exports import PAGES, faults
from hostile import Maker
from traps import Trap, set_traps
from values import read

from bot.commands.answers import shown_digest
from bot.commands.export import export
from bot.commands.house import House, WantedDigest, as_json, payloads
from bot.index.lines import Lines
from bot.settings import Settings
from bot.slack.render import document_messages
from bot.story.render import Templates
from storage import Store

PARTS, REPOSITORIES, BRANCHES = 2, 4, 50
MONTHS = ("2025-10", "1970-01")
PROGRAM = "-$(touch${IFS}CANARY);&|'"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_hostile_histories_are_indexed_whole_and_told_in_every_form(
    tmp_path: Path, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    trap, templates = Trap(tmp_path / "traps"), Templates()
    histories = commits = told = 0
    for seed in range(part * REPOSITORIES, (part + 1) * REPOSITORIES):
        home = tmp_path / str(seed)
        repo = GitRepo(home / "acme" / "engine")
        names = [f"{number}{PROGRAM}" if number % 7 == 0 else f"{number}" for number in range(BRANCHES)]
        repo.git(
            "-c", "core.protectNTFS=false", "fast-import", "--quiet", "--force", "--date-format=raw-permissive",
            stdin=Maker(seed).stream(names),
        )  # fmt: skip
        set_traps(repo, trap)
        store = Store(home / "almanac.db")
        for name in names:
            done = index(store, repo, f"acme/{name}", branch=name)
            there = set(repo.shas(f"refs/heads/{name}"))
            assert store.commits.stored(f"acme/{name}") == there, (seed, name)
            assert (done.total, done.new, done.failure) == (len(there), len(there), None)
            histories += 1
            commits += len(there)
            if len(there) % 5 == 0:
                assert index(store, repo, f"acme/{name}", branch=name).new == 0
                Lines(store.commits, home).count_all(f"acme/{name}")
            assert store.commits.uncounted(f"acme/{name}") == 0
        there = set(repo.shas("refs/heads/1"))
        assert index(store, f"file://{repo.path}", "acme/mirrored", branch="1").total == len(there)
        told += _told_in_every_form(Settings(home=home, db=store.path, fixed_now=NOW), templates)
    assert trap.sprung == []
    assert not list(tmp_path.rglob("CANARY"))
    assert (histories, commits > 600, told > 200) == (REPOSITORIES * BRANCHES, True, True)


def _told_in_every_form(settings: Settings, templates: Templates) -> int:
    """How many months and digests were; each holds nothing alive in any form."""
    documents = []
    for month in MONTHS:
        said = export(House(settings, "json"), [], month, None)
        assert faults("json", said) == []
        documents += map(read, json.loads(said))
        rows = export(House(settings, "csv"), [], month, None)
        assert faults("csv", rows) == []
    documents.append(read(json.loads(shown_digest(House(settings, "json"), WantedDigest("2025-10")))))
    for document in documents:
        names = [one if isinstance(one, str) else one.name for one in document.repositories]
        web = dict.fromkeys(names, f"{PAGES}acme/engine")
        told = {form: templates.month(form, document, web) for form in ("text", "markdown", "html")}
        told["html"] = templates.page("Almanac", told["html"])
        told["slack"] = as_json(payloads(document_messages([document], templates, web)))
        for form, text in told.items():
            assert faults(form, text) == [], (form, document.template)
    return len(documents)
