"""The local workspace in a process of its own, told through a pipe what is to go wrong."""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from faulty_slack import FaultyWorkspace

from bot.workspace import Workspace
from bot.workspace.state import WorkspaceChannel, WorkspaceUser


class SlackProcess:
    """Forked before anything else runs. `ask` has it do something, and gives its answer."""

    def __init__(self) -> None:
        ours, theirs = Pipe()
        self.pid = os.fork()
        if not self.pid:
            ours.close()
            _serve(theirs)
            os._exit(0)
        theirs.close()
        self._pipe = ours
        self.api, self.token, self.team = self._pipe.recv()

    def ask(self, *what: Any) -> Any:
        self._pipe.send(what)
        return self._pipe.recv()

    def stop(self) -> None:
        self._pipe.send(("stop",))
        os.waitpid(self.pid, 0)


def _serve(pipe: Connection) -> None:
    owner = WorkspaceUser(name="owner", real_name="The Owner", id="U0OWNER")
    with FaultyWorkspace(Workspace([owner], ["general"])) as running:
        workspace = running.workspace
        pipe.send((running.api_url, workspace.bot_token, workspace.team_id))
        while (what := pipe.recv())[0] != "stop":
            if what[0] == "channel":
                _, channel, readable = what
                members = None if readable else frozenset(["U0OWNER"])
                new = WorkspaceChannel(name=channel.lower(), id=channel, members=members)
                done: Any = running.in_thread(partial(workspace.add_channel, new)).id
            elif what[0] == "faults":
                running.faults.clear()
                done = None
                for method, kind, times in what[1]:
                    running.faults.next(method, kind, times)
            else:
                done = running.in_thread(partial(_posts, workspace, what[1]))
            pipe.send(done)


def _posts(workspace: Workspace, channel: str) -> Counter[str]:
    """How often each message is there that was meant for a channel, in it or as a notice to the owner."""
    direct = workspace.channel("U0OWNER")
    assert direct is not None
    keys = Counter[str]()
    for one in [*workspace.stored(channel), *workspace.stored(direct.id)]:
        key = (one.metadata or {}).get("event_payload", {}).get("key", "")
        if one.channel == channel or channel in key:
            keys[key] += 1
    return keys
