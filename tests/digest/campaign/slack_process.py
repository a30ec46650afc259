"""The local workspace in a process of its own, told through a pipe what is to go wrong."""

from __future__ import annotations

import os
from collections import Counter
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from bot.workspace import ThreadedWorkspace, Workspace
from bot.workspace.model import WorkspaceChannel, WorkspaceUser


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
    with ThreadedWorkspace(Workspace([owner], ["general"])) as running:
        workspace = running.workspace
        pipe.send((running.api_url, workspace.bot_token, workspace.team_id))
        while (what := pipe.recv())[0] != "stop":
            if what[0] == "channel":
                _, channel, readable = what
                members = None if readable else frozenset(["U0OWNER"])
                done: Any = running._look(
                    lambda c=channel, m=members: (
                        workspace.add_channel(WorkspaceChannel(name=c.lower(), id=c, members=m)).id
                    )
                )
            elif what[0] == "faults":
                running.faults._waiting.clear()
                done = None
                for method, kind, times in what[1]:
                    running.faults.next(method, kind, times)
            else:
                channel = what[1]
                done = running._look(
                    lambda c=channel: Counter(
                        (one.metadata or {}).get("event_payload", {}).get("key", "")
                        for one in [*workspace.stored(c), *workspace.stored(workspace.channel("U0OWNER").id)]  # type: ignore[union-attr]
                        if one.channel == c or c in (one.metadata or {}).get("event_payload", {}).get("key", "")
                    )
                )
            pipe.send(done)
