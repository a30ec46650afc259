"""`almanac doctor`: all that the bot needs, looked at side by side; a line each that is ok, or says what to do."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from bot.doctor_findings import Finding, skipped, trouble
from bot.errors import AlmanacError, SettingsError, without_credentials
from bot.index.places import one_line
from bot.settings import Settings, load_settings

SECONDS = 5.0  # what each check may take; they run at the same time
MARKS = {"ok": "ok", "trouble": "!!", "skipped": "--"}
_TOKEN = re.compile(r"\bx(?:ox[a-z]|app)-[\w-]+")


@dataclass(frozen=True, slots=True)
class Check:
    """Something to look at. `what` names it where nothing comes of it; `hint` says what to do then."""

    what: str
    look: Callable[[], Iterable[Finding]]
    hint: str = "look into what it needs, then try again"


def doctor(form: str = "text") -> None:
    """Print what is found, as text or as JSON, and exit with 1 where something is wrong. Reads the settings itself, to
    tell what is wrong in them."""
    secrets: tuple[str, ...] = ()
    try:
        settings = load_settings()
    except SettingsError as error:
        found = [trouble("settings", fault) for fault in error.faults]
        found.append(skipped("everything else", "is looked at once the settings are good"))
    else:
        found, secrets = findings(checks(settings, Path.cwd())), secrets_of(settings)
    click.echo(report(found, form, secrets))
    if any(one.state == "trouble" for one in found):
        raise SystemExit(1)


def checks(settings: Settings, folder: Path) -> list[Check]:
    """All there is to look at, in the order in which it is shown."""
    from bot.commands import local_checks as here
    from bot.commands.slack_checks import slack_checks
    from bot.hooks.receiving import webhooks
    from bot.index.requests import workers

    database = here.Database(settings.database, settings.dates)
    return [
        Check("settings", lambda: here.settings_found(settings, folder)),
        Check("zones", lambda: here.zones(settings, database)),
        Check("git", here.git, "check that `git --version` answers"),
        Check("disk", lambda: here.disk(settings), "check the disk of ALMANAC_HOME"),
        Check("database", lambda: here.database(settings, database), "check the disk of the database"),
        Check("repositories", lambda: here.repositories(settings, database)),
        Check("workers", lambda: workers(database.store)),
        Check("people", lambda: here.people(settings, database)),
        Check("teams", lambda: here.teams(settings, database)),
        Check("privacy", lambda: here.rights(settings)),
        Check("digests", lambda: here.digests(settings, database)),
        *(Check(name, look, hint) for name, look, hint in slack_checks(settings, lambda: database.store)),
        Check("webhooks", lambda: webhooks(settings)),
        Check("model", lambda: here.model(settings), "check the address under [model]"),
    ]


def findings(wanted: Sequence[Check], seconds: float = SECONDS) -> list[Finding]:
    """What each check finds, in order. One that fails, or takes longer than it may, ends as a trouble of its own."""
    end = time.monotonic() + seconds
    running = [(check, _Running(check)) for check in wanted]
    return [finding for check, one in running for finding in one.found(end - time.monotonic(), seconds)]


class _Running:
    """A check in a thread of its own, which does not hold up the end of the program."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._found: list[Finding] = []
        self._thread = threading.Thread(target=self._run, name=f"doctor {check.what}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._found = list(self._check.look())
        except AlmanacError as error:
            self._found = [trouble(self._check.what, str(error))]
        except Exception as error:  # the others are to be shown all the same
            said = one_line(f"{type(error).__name__}: {error}")
            self._found = [trouble(self._check.what, f"could not be looked at ({said}): {self._check.hint}")]

    def found(self, wait: float, seconds: float) -> list[Finding]:
        self._thread.join(max(0.0, wait))
        if self._thread.is_alive():
            return [trouble(self._check.what, f"no answer within {seconds:g} seconds: {self._check.hint}")]
        return self._found


def report(found: Sequence[Finding], form: str, secrets: Iterable[str]) -> str:
    """What was found, without the secrets: no check should print one, and none can."""
    if form == "json":
        listed = [{"name": one.name, "state": one.state, "text": clean(one.text, secrets)} for one in found]
        well = all(one.state != "trouble" for one in found)
        document: dict[str, Any] = {"schema": 1, "ok": well, "checks": listed}
        return json.dumps(document, indent=2, ensure_ascii=False)
    return "\n".join(f"{MARKS[one.state]}  {one.name}: {clean(one.text, secrets)}" for one in found)


def clean(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "…")
    return _TOKEN.sub("…", without_credentials(one_line(text)))


def secrets_of(settings: Settings) -> tuple[str, ...]:
    held = (
        settings.bot_token, settings.app_token, settings.signing_secret, settings.hook_secret, settings.metrics_token,
        settings.model_key,
    )  # fmt: skip
    return tuple(secret.get_secret_value() for secret in held if secret and secret.get_secret_value())
