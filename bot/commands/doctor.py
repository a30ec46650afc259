"""`almanac doctor`: all that the bot needs, looked at side by side; a line each that is ok, or says what to do. Nothing
is changed by it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click

from bot.ask.people_directory import PeopleDirectory
from bot.commands.indexing import newest_of
from bot.database import DatabasePlace, PostgresAddress
from bot.digest.service import problems
from bot.doctor_findings import Check, Finding, ok, skipped, trouble
from bot.errors import AlmanacError, RepositoryUnavailable, SettingsError, StoreUnavailable, without_credentials
from bot.index.places import named, one_line, place, readers
from bot.model import Dates, Repository, narrower
from bot.month.calendar import time_zone
from bot.settings import Settings, load_settings
from bot.settings_tables import RepositorySettings
from bot.slack.audience import names_nobody
from bot.story.wording import count
from storage import Store
from storage.engine import Health
from storage.migrations import BEFORE_0_2
from storage.store import engine_of

SECONDS = 5.0  # what each check may take; they run at the same time
MARKS = {"ok": "ok", "trouble": "!!", "skipped": "--"}
_TOKEN = re.compile(r"\bx(?:ox[a-z]|app)-[\w-]+")


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
    from bot.commands.slack_checks import slack_checks
    from bot.hooks import webhooks

    database = Database(settings.database, settings.dates)
    return [
        Check("settings", lambda: _settings_found(settings, folder)),
        Check("zones", lambda: _zones(settings, database)),
        Check("git", _git, "check that `git --version` answers"),
        Check("disk", lambda: _disk(settings), "check the disk of ALMANAC_HOME"),
        Check("database", lambda: database_found(settings, database), "check the disk of the database"),
        Check("repositories", lambda: _repositories(settings, database)),
        Check("workers", lambda: workers(database.store)),
        Check("people", lambda: _people(settings, database)),
        Check("teams", lambda: _teams(settings, database)),
        Check("privacy", lambda: _rights(settings)),
        Check("digests", lambda: _digests(settings, database)),
        *slack_checks(settings, lambda: database.store),
        Check("webhooks", lambda: webhooks(settings)),
        Check("model", lambda: _model(settings), "check the address under [model]"),
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


# --- what there is on this machine

LEAST_BYTES = 1_000_000_000
LEAST_SHARE = 0.05
MOST_APART = timedelta(seconds=5)  # two clocks; nothing depends on less than half a minute
STALE = timedelta(days=1)  # a running bot reads every half hour
MANY_SECONDS = 3.0  # for one look at the pages of the database
LONG_WAIT = 3600.0  # seconds that no job should wait
LOCKED_SECONDS = 1.0  # for another process to let go of it


class Database:
    """The database as it is found, opened only if that changes nothing in it."""

    def __init__(self, place: DatabasePlace, dates: Dates) -> None:
        self._place = place
        self._dates = dates

    @cached_property
    def health(self) -> Health | None:
        """Raises StoreUnavailable where it cannot be read."""
        return engine_of(self._place, LOCKED_SECONDS).health(MANY_SECONDS)

    @cached_property
    def store(self) -> Store | None:
        """None where there is nothing that can be asked: the line of the database says why."""
        try:
            found = engine_of(self._place, LOCKED_SECONDS).health(0.0)
            is_usable = found is not None and found.is_current
            return Store(self._place, must_exist=True, busy_seconds=2.0, dates=self._dates) if is_usable else None
        except (OSError, AlmanacError):
            return None


def _settings_found(settings: Settings, folder: Path) -> Iterator[Finding]:
    named = os.environ.get("ALMANAC_CONFIG")
    config = Path(named).expanduser() if named else folder / "almanac.toml"
    holds = ", ".join(
        count(len(values), *words)
        for values, words in (
            (settings.repositories, ("repository", "repositories")),
            (settings.people, ("person", "people")),
            (settings.teams, ("team", "teams")),
            (settings.digests, ("digest", "digests")),
        )
    )
    if config.exists():
        yield ok("settings", f"{config}: {holds}")
    else:
        yield ok("settings", f"there is no {config}; what the environment does not set is as it comes")
    gone = {
        "mirror_contents": settings.mirror_contents,
        "charts under [slack]": settings.slack.charts,
        "streaming under [slack]": settings.slack.streaming,
        "second_opinion under [model]": settings.model and settings.model.second_opinion,
        "preview_days under [[digests]]": [one for one in settings.digests if one.preview_days is not None],
        "unanswered under [[digests]]": [one for one in settings.digests if one.unanswered is not None],
    }
    for key, value in gone.items():
        if value not in (None, []):
            yield ok("settings", f"{key} is not used any more: take it out of almanac.toml")
    if settings.fixed_now:
        yield ok("settings", f"ALMANAC_NOW holds the time at {settings.fixed_now:%Y-%m-%d %H:%M}: no digest comes due")
    if settings.templates:
        yield ok("templates", f"your own in {settings.templates}")


def _zones(settings: Settings, database: Database) -> Iterator[Finding]:
    """Those of almanac.toml were known when it was read; those of members come from Slack."""
    named = sorted({settings.zone.key, *(one.zone for one in settings.digests if one.zone)})
    try:
        data = f"tzdata {version('tzdata')}"
    except PackageNotFoundError:
        data = "the system's time zones"
    yield ok("zones", f"{', '.join(named)} ({data})")
    members = {one.zone for one in database.store.slack_users.everyone() if one.zone} if database.store else set()
    unknown = sorted(zone for zone in members if not _is_known(zone))
    if unknown:
        yield trouble(
            "zones", f"members have {', '.join(unknown)}, unknown here, so UTC counts for them: upgrade tzdata"
        )


def _is_known(zone: str) -> bool:
    try:
        time_zone(zone)
    except ValueError:
        return False
    return True


def _git() -> Iterator[Finding]:
    where = shutil.which("git")
    if where is None:
        yield trouble("git", "there is none on the PATH, so nothing can be indexed: install git")
        return
    said = subprocess.run([where, "--version"], capture_output=True, text=True, timeout=4, check=False)
    if said.returncode:
        yield trouble("git", f"{where} does not start: {said.stderr.strip()}; install git again")
    else:
        yield ok("git", f"{said.stdout.strip().removeprefix('git version ')} at {where}")


def _disk(settings: Settings) -> Iterator[Finding]:
    """The disk of mirrors and database; both, where they are on two."""
    seen: set[int] = set()
    folders = [("ALMANAC_HOME", settings.home)]
    if isinstance(settings.database, Path):  # a server's disk is its own matter
        folders.append(("the database", settings.database.parent))
    for name, folder in folders:
        there = next(path for path in (folder, *folder.parents) if path.exists())
        if there.stat().st_dev in seen:
            continue
        seen.add(there.stat().st_dev)
        if not os.access(there, os.W_OK | os.X_OK):
            yield trouble("disk", f"{there}, the folder of {name}, cannot be written to: give this user the right to")
            continue
        size, _, free = shutil.disk_usage(there)
        said = f"{free / 1e9:,.1f} GB free ({free / (size or 1):.0%}) for {folder}"
        if free < max(LEAST_BYTES, LEAST_SHARE * size):
            yield trouble("disk", f"only {said}: make room, or move ALMANAC_HOME to another disk")
        else:
            yield ok("disk", said)


def database_found(settings: Settings, one: Database) -> Iterator[Finding]:
    path = settings.database
    try:
        found = one.health
    except StoreUnavailable as error:
        yield trouble("database", str(error))
        return
    except OSError as error:
        yield trouble("database", f"{path} cannot be read ({error}): check that it is a file this user may read")
        return
    if found is None:
        yield trouble("database", f"there is none at {path}: run `almanac index`")
        return
    if not found.is_ours:
        yield trouble("database", f"{path} is another program's: name another file in ALMANAC_DB")
        return
    if found.is_outdated:
        yield trouble("database", f"{path} {BEFORE_0_2}")
        return
    if found.is_newer:
        yield trouble("database", f"{path} was made by a newer Almanac: upgrade this one, or name another file")
        return
    if found.faults:
        yield trouble(
            "database",
            f"{path} is damaged ({found.faults[0]}): stop the bot, keep a copy, and restore a backup or run "
            f"`almanac index` anew",
        )
        return
    step = found.done[-1] if found.done else "none"
    looked = "" if found.faults is not None else ", too large to be looked through in this time"
    said = f"{path}: {found.size / 1e6:,.1f} MB, at step {step}{looked}"
    if found.missing:
        yield ok("database", f"{said}; {count(len(found.missing), 'step')} more are taken when it is next written to")
    else:
        yield ok("database", said)
    if abs(found.ahead) > MOST_APART:
        way = "behind" if found.ahead > timedelta(0) else "ahead of"
        apart = abs(found.ahead).total_seconds()
        yield trouble("clock", f"{apart:,.0f} s {way} the database server's: set the time of both (NTP)")


UNSEEN = ", and nothing of it is shown in Slack"
NOT_YET = "nothing is indexed that could be held against them"


def _repositories(settings: Settings, database: Database) -> Iterator[Finding]:
    store = database.store
    stored = {one.name: one for one in store.commits.repositories()} if store else {}
    if not settings.repositories and not stored:
        yield trouble(
            "repositories", "there are none: list [[repositories]] in almanac.toml, or run `almanac index REPO`"
        )
        return
    listed: set[str] = set()
    tables = named(settings.repositories, list(stored.values()))
    said = {name: one.audience for name, one in stored.items()} | {
        name: one.lets_in for one, some in tables for name in some
    }
    for table, names in tables:
        try:
            where = place(table.address, table.name)
        except RepositoryUnavailable as error:
            yield trouble(table.name or error.repository, error.reason)
            continue
        known = stored.get(where.name) or next((stored[name] for name in sorted(names) if name in stored), None)
        listed |= names
        if where.path and not where.path.exists() and not (known and known.failure):
            yield trouble(where.name, f"{where.path} does not exist: check the path in almanac.toml")
            continue
        alike = [one.name for one in stored.values() if known and one.tip == known.tip and one.name not in names]
        narrow = [name for name in alike if narrower(said[name], table.lets_in) != table.lets_in]
        yield _repository(where.name, table, known, store, settings, *narrow[:1])
    for name in sorted(stored.keys() - listed):
        one = _repository(name, None, stored[name], store, settings)
        yield replace(one, text=one.text + UNSEEN * bool(settings.repositories))


def _repository(
    name: str, table: RepositorySettings | None, known: Repository | None, store: Store | None, settings: Settings,
    narrow: str = "",
) -> Finding:  # fmt: skip
    now = settings.now()
    if known is None or store is None:
        return trouble(name, "is not indexed yet: run `almanac index`")
    if known.failure:
        return trouble(name, f"could not be read last time ({known.failure}); what was indexed of it stays: fix that")
    if known.indexed_at is None:
        return trouble(name, "was never read to its end: run `almanac index`")
    said = f"read {_when(known.indexed_at)}, {newest_of(store, settings, name, table.branch if table else None)}"
    if known.shallow:
        return trouble(name, f"{said}; it is a shallow clone: run `git fetch --unshallow` there, then index it again")
    if table and now - known.indexed_at > STALE:
        return trouble(name, f"{said}; that is long ago: run `almanac index`, and see whether `almanac serve` runs")
    if table and known.audience is not None and narrower(known.audience, table.lets_in) != table.lets_in:
        kept, wanted = readers(known.audience), readers(table.lets_in)
        if narrow:
            same = f"in Slack for {kept}, since {narrow} has the same history, and almanac.toml says {wanted}"
            return trouble(name, f"{same}: give both one `audience`")
        return trouble(name, f"in Slack for {kept}, and almanac.toml says {wanted}: `almanac index` lets those in too")
    audience = narrower(known.audience, table.lets_in if table else None)
    said += f", for {readers(audience)} in Slack" if audience else ""
    return ok(name, said if table else f"{said}; it is not in almanac.toml, so only `almanac index` reads it")


def _when(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M} UTC"


def _people(settings: Settings, database: Database) -> Iterator[Finding]:
    if not settings.people:
        return
    if database.store is None:
        yield skipped("people", NOT_YET)
        return
    identities = database.store.identities
    known = {one.address.casefold() for one in (*identities.authors(), *identities.credited())}
    missing = [
        f"{person.name}'s {address}"
        for person in settings.people
        for address in person.addresses
        if address.casefold() not in known
    ]
    for one in missing:
        yield trouble("people", f"{one} stands in no commit of the index: check how it is written, or remove it")
    if not missing:
        yield ok("people", f"each address of {count(len(settings.people), 'person', 'people')} stands in commits")


def _teams(settings: Settings, database: Database) -> Iterator[Finding]:
    """Whether each member of a team is somebody: a name counts only as it stands in git, or in a [[people]] table."""
    if not settings.teams:
        return
    if database.store is None:
        yield skipped("teams", NOT_YET)
        return
    known = {one.name for one in PeopleDirectory.of(database.store, settings).now().everyone}
    known |= {one.name for one in settings.people}
    missing = [(name, team.name) for team in settings.teams for name in team.people if name not in known]
    for name, team in missing:
        yield trouble("teams", f"{name!r} of {team} is nobody: write the name as `almanac people list` has it")
    if not missing:
        yield ok("teams", f"each member of {count(len(settings.teams), 'team')} is known")


def _rights(settings: Settings) -> Iterator[Finding]:
    """Whether whom [privacy] names can be known: a name counts only as that of a [[people]] table."""
    privacy = settings.privacy
    others = privacy.about_others if isinstance(privacy.about_others, list) else []
    tables = [one.name for one in settings.people]
    for key, listed in (("admins", privacy.admins), ("about_others", others)):
        for name in names_nobody(listed, tables):
            yield trouble(
                "privacy",
                f"{name!r} in `{key}` means nobody: name them in a [[people]] table, or write their id in Slack (U…)",
            )


def _digests(settings: Settings, database: Database) -> Iterator[Finding]:
    """What the database says of digests; their channels are looked at in Slack."""
    store = database.store
    if store is None:
        return
    found = problems(store)
    yield from (trouble("digests", one) for one in found)
    wanted = len(settings.digests) + sum(one.origin == "slack" for one in store.digests.all())
    if wanted and not found:
        yield ok("digests", f"{count(wanted, 'digest')}, none paused, refused or lost")


def workers(store: Store | None) -> Iterator[Finding]:
    """Whether workers run, and keep up."""
    if store is None or not isinstance(store.database, PostgresAddress):
        return
    from bot.index.jobs import JobQueue

    found = JobQueue(store).state()
    waiting = f"{count(found.waiting, 'job')} waiting"
    if found.waiting:
        waiting += f", the oldest for {_since(found.oldest_seconds)}"
    if found.put_off:
        waiting += f", {found.put_off:,} put off until a server answers"
    if not found.workers:
        yield trouble("workers", f"none runs, so no repository is read: start `almanac worker` ({waiting})")
    elif found.oldest_seconds > LONG_WAIT:
        yield trouble("workers", f"{found.workers:,} running, which is too few: start more ({waiting})")
    else:
        yield ok("workers", f"{found.workers:,} running; {waiting}")
    if found.failed:
        failed = f"{count(found.failed, 'job')} failed within a day"
        yield trouble("workers", f"{failed}: the logs of the workers say why; is almanac.toml the same on every host?")


def _since(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{seconds:.0f} s" if seconds < 120 else f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"


def _model(settings: Settings) -> Iterator[Finding]:
    if settings.model is None:
        return
    from bot.story.llm.completion import server_check

    said, is_reached = server_check(
        settings.model.address, settings.model_key.get_secret_value() if settings.model_key else ""
    )
    yield (ok if is_reached else trouble)("model", f"{settings.model.name} at {settings.model.address}: {said}")
