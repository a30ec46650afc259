"""Programs that must not be started, and everything in a repository that would start one."""

from __future__ import annotations

from pathlib import Path

from builders import GitRepo


class Trap:
    """A program that leaves its name behind when it is started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sprung_in = folder / "sprung"
        self.sprung_in.mkdir(parents=True)

    def __call__(self, name: str) -> str:
        program = self.folder / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/bin/sh\ntouch {self.sprung_in}/{program.name}\ncat 2>/dev/null\nexit 0\n")
        program.chmod(0o755)
        return str(program)

    @property
    def sprung(self) -> list[str]:
        return sorted(path.name for path in self.sprung_in.iterdir())


HOOKS = ("reference-transaction", "post-index-change", "pre-auto-gc", "post-checkout", "post-update", "update")


def set_traps(repo: GitRepo, trap: Trap) -> None:
    """Have the repository start a program at every turn it can think of."""
    included = trap.folder / "included"
    included.write_text(f'[diff "trap"]\n\tcommand = {trap("included-diff")}\n')
    for hook in HOOKS:
        trap(f"hooks/{hook}")
        inner = repo.path / ".git/hooks" / hook
        inner.parent.mkdir(exist_ok=True)
        inner.symlink_to(trap.folder / "hooks" / hook)
    for key, value in {
        "core.fsmonitor": trap("fsmonitor"),
        "core.pager": trap("pager"),
        "core.editor": trap("editor"),
        "core.askPass": trap("askpass"),
        "core.sshCommand": trap("ssh"),
        "core.gitProxy": trap("proxy"),
        "core.hooksPath": str(trap.folder / "hooks"),
        "core.alternateRefsCommand": trap("alternate-refs"),
        "pager.log": trap("pager-log"),
        "pager.rev-list": trap("pager-rev-list"),
        "diff.external": trap("diff-external"),
        "diff.trap.textconv": trap("textconv"),
        "diff.trap.command": trap("diff-command"),
        "filter.trap.clean": trap("clean"),
        "filter.trap.smudge": trap("smudge"),
        "filter.trap.process": trap("process"),
        "interactive.diffFilter": trap("diff-filter"),
        "log.showSignature": "true",
        "gpg.program": trap("gpg"),
        "gpg.openpgp.program": trap("gpg"),
        "credential.helper": trap("credential"),
        "alias.log": f"!{trap('alias-log')}",
        "alias.rev-list": f"!{trap('alias-rev-list')}",
        "uploadpack.packObjectsHook": trap("pack-objects"),
        "remote.origin.url": f"ext::{trap('ext')}",
        "remote.origin.uploadpack": trap("upload-pack"),
        "remote.origin.promisor": "true",
        "extensions.partialClone": "origin",
        "include.path": str(included),
    }.items():
        repo.git("config", "--add", key, value)
