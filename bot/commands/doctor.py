"""`almanac doctor`: all that the bot needs, looked at side by side; a line each that is ok, or says what to do. Nothing
is changed by it, and nothing is posted."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.commands.indexing import newest_of
from bot.digest.service import problems
from bot.errors import AlmanacError, RepositoryUnavailable, SettingsError, without_credentials
from bot.index.mirrors import branch_at
from bot.index.places import named, one_line, place, readers
from bot.model import Repository, narrower
from bot.month.addresses import plain
from bot.settings import PostgresAddress, RepositorySettings, Settings, load_settings
from bot.slack.audience import is_id
from bot.slack.directory import Lookups, Members, lookup_client
from bot.slack.web_api import (
    AGAIN,
    OPTIONAL,
    SCOPES,
    TROUBLE,
    UNCERTAIN,
    Client,
    code_of,
    posting_client,
    reason_of,
    what_to_do,
    without_proxy_for_loopback,
)
from bot.wording import count
from storage import Store
from storage.engine import Health
from storage.migrations import BEFORE_0_2
from storage.store import engine_of

State = Literal["ok", "trouble", "skipped"]
MARKS: Mapping[State, str] = {"ok": "ok", "trouble": "!!", "skipped": "--"}
SECONDS = 5.0  # what each check may take; they run at the same time
CALL_SECONDS = 4  # what each call to Slack may
LEAST_BYTES = 1_000_000_000
LEAST_SHARE = 0.05
MOST_APART = timedelta(seconds=5)  # two clocks; nothing depends on less than half a minute
STALE = timedelta(days=1)  # a running bot reads every half hour
MANY_SECONDS = 3.0  # for one look at the pages of the database
LONG_WAIT = 3600.0  # seconds that no job should wait
LOCKED_SECONDS = 1.0  # for another process to let go of the database
_TOKEN = re.compile(r"\bx(?:ox[a-z]|app)-[\w-]+")

_NETWORK = "check SLACK_API_URL and the network"
_INSTALL = "install the app again with manifest.json"
_NAME_THEM = "name them in a [[people]] table, or write their id in Slack (U…)"


class Finding(NamedTuple):
    """`text` is one line; of a trouble it ends with what to do."""

    name: str
    state: State
    text: str


def ok(name: str, text: str) -> Finding:
    return Finding(name, "ok", text)


def trouble(name: str, text: str) -> Finding:
    return Finding(name, "trouble", text)


def skipped(name: str, text: str) -> Finding:
    return Finding(name, "skipped", text)


class Check(NamedTuple):
    """Something to look at. `name` is said where nothing comes of it, and `hint` what to do then."""

    name: str
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
        found, secrets = findings(Doctor(settings).checks()), settings.secrets
    click.echo(report(found, form, secrets))
    if any(one.state == "trouble" for one in found):
        raise SystemExit(1)


def findings(wanted: Sequence[Check], seconds: float = SECONDS) -> list[Finding]:
    """What each check finds, in order. One that fails, or takes longer than it may, ends as a trouble of its own, and
    does not hold up the end of the program."""
    results: dict[Check, list[Finding]] = {}

    def look(check: Check) -> None:
        try:
            results[check] = list(check.look())
        except AlmanacError as error:
            results[check] = [trouble(check.name, str(error))]
        except Exception as error:  # the others are to be shown all the same
            said = one_line(f"{type(error).__name__}: {error}")
            results[check] = [trouble(check.name, f"could not be looked at ({said}): {check.hint}")]

    end = time.monotonic() + seconds
    threads = [threading.Thread(target=look, args=(check,), daemon=True) for check in wanted]
    for one in threads:
        one.start()
    found: list[Finding] = []
    for check, one in zip(wanted, threads, strict=True):
        one.join(max(0.0, end - time.monotonic()))
        late = [trouble(check.name, f"no answer within {seconds:g} seconds: {check.hint}")]
        found += results.get(check, late)
    return found


def report(found: Sequence[Finding], form: str, secrets: Iterable[str]) -> str:
    """What was found, without the secrets: no check should print one, and none can."""
    if form == "json":
        listed = [one._asdict() | {"text": clean(one.text, secrets)} for one in found]
        document = {"schema": 1, "ok": all(one.state != "trouble" for one in found), "checks": listed}
        return json.dumps(document, indent=2, ensure_ascii=False)
    return "\n".join(f"{MARKS[one.state]}  {one.name}: {clean(one.text, secrets)}" for one in found)


def clean(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "…")
    return _TOKEN.sub("…", without_credentials(one_line(text)))


class Doctor:
    """What there is to look at for a bot with these settings: each check is a method that yields what it finds. The
    database is opened only if that changes nothing in it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def checks(self) -> list[Check]:
        """All of them, in the order in which they are shown."""
        one = self._settings
        checks = [
            Check("settings", self.settings),
            Check("zones", self.zones),
            Check("git", self.git, "check that `git --version` answers"),
            Check("disk", self.disk, "check the disk of ALMANAC_HOME"),
            Check("database", self.database, "check the disk of the database, and that this user may read it"),
            Check("repositories", self.repositories),
            Check("areas", self.areas),
            Check("workers", self.workers),
            Check("names", self.names),
            Check("digests", self.digests),
        ]
        if one.bot_token or one.app_token or one.signing_secret:
            without_proxy_for_loopback(one)
            checks += [
                Check("SLACK_BOT_TOKEN", self.bot_token, _NETWORK),
                Check("SLACK_APP_TOKEN" if one.app_token else "HTTP", self.way, _NETWORK),
                Check("channels", self.channels, _NETWORK),
            ]
        else:
            checks.append(Check("Slack", lambda: [skipped("Slack", "is not set up yet (docs/slack.md)")]))
        return [*checks, Check("model", self.model, "check the address under [model]")]

    @cached_property
    def store(self) -> Store | None:
        """None where there is nothing that can be asked: the line of the database says why."""
        where = self._settings.database
        with suppress(OSError, AlmanacError):
            found = self._health(0.0)
            if found and found.is_current:
                return Store(where, must_exist=True, busy_seconds=2.0, dates=self._settings.dates)
        return None

    @property
    def _has_database(self) -> bool:
        with suppress(OSError, AlmanacError):
            return self._health(0.0) is not None
        return True

    def _health(self, seconds: float) -> Health | None:
        return engine_of(self._settings.database, LOCKED_SECONDS).health(seconds)

    # on this machine

    def settings(self) -> Iterator[Finding]:
        one = self._settings
        config = Path(os.environ.get("ALMANAC_CONFIG") or "almanac.toml").expanduser().absolute()
        holds = ", ".join(
            count(len(values), *words)
            for values, words in (
                (one.repositories, ("repository", "repositories")),
                (one.people, ("person", "people")),
                (one.teams, ("team", "teams")),
                (one.digests, ("digest", "digests")),
            )
        )
        yield ok("settings", f"{config}: {holds}" if config.exists() else f"there is no {config}")
        for key in one.former:
            yield ok("settings", f"{key} is not used any more: take it out of almanac.toml")
        if one.fixed_now:
            yield ok("settings", f"ALMANAC_NOW holds the time at {one.fixed_now:%Y-%m-%d %H:%M}: no digest comes due")

    def zones(self) -> Iterator[Finding]:
        named = sorted({self._settings.zone.key, *(one.zone for one in self._settings.digests if one.zone)})
        yield ok("zones", ", ".join(named))

    def git(self) -> Iterator[Finding]:
        where = shutil.which("git")
        if where is None:
            yield trouble("git", "there is none on the PATH, so nothing can be indexed: install git")
            return
        said = subprocess.run([where, "--version"], capture_output=True, text=True, timeout=4, check=True).stdout
        yield ok("git", f"{said.strip().removeprefix('git version ')} at {where}")

    def disk(self) -> Iterator[Finding]:
        """The disk of mirrors and database; both, where they are on two."""
        seen: set[int] = set()
        place = self._settings.database  # a server's disk is its own matter
        for folder in (self._settings.home, *([place.parent] if isinstance(place, Path) else [])):
            there = next(path for path in (folder, *folder.parents) if path.exists())
            if (device := there.stat().st_dev) in seen:
                continue
            seen.add(device)
            size, _, free = shutil.disk_usage(there)
            said = f"{free / 1e9:,.1f} GB free ({free / (size or 1):.0%}) for {folder}"
            if not os.access(there, os.W_OK | os.X_OK):
                yield trouble("disk", f"{there} cannot be written to: give this user the right to")
            elif free < max(LEAST_BYTES, LEAST_SHARE * size):
                yield trouble("disk", f"only {said}: make room, or move ALMANAC_HOME to another disk")
            else:
                yield ok("disk", said)

    def database(self) -> Iterator[Finding]:
        path = self._settings.database
        found = self._health(MANY_SECONDS)
        if found is None:
            yield trouble("database", f"there is none at {path}: run `almanac index`")
            return
        looked = "" if found.faults is not None else ", too large to be looked through in this time"
        step = found.done[-1] if found.done else "none"
        said = f"{path}: {found.size / 1e6:,.1f} MB, at step {step}{looked}"
        faults = (
            (not found.is_ours, f"{path} is another program's: name another file in ALMANAC_DB"),
            (found.is_outdated, f"{path} {BEFORE_0_2}"),
            (found.is_newer, f"{path} was made by a newer Almanac: upgrade this one, or name another file"),
            (
                found.faults,
                f"{path} is damaged ({', '.join(found.faults or ())[:200]}): stop the bot, keep a copy, and restore a "
                "backup or run `almanac index` anew",
            ),
            (
                found.missing,
                f"{said}, {count(len(found.missing), 'step')} behind this Almanac: run `almanac index`, which brings "
                "it up to date",
            ),
        )
        wrong = next((text for is_so, text in faults if is_so), None)
        yield trouble("database", wrong) if wrong else ok("database", said)
        if abs(found.ahead) > MOST_APART:
            way = "behind" if found.ahead > timedelta(0) else "ahead of"
            apart = abs(found.ahead).total_seconds()
            yield trouble("clock", f"{apart:,.0f} s {way} the database server's: set the time of both (NTP)")

    def repositories(self) -> Iterator[Finding]:
        settings = self._settings
        if self.store is None and self._has_database:
            yield skipped("repositories", "are looked at once the database can be read")
            return
        stored = {one.name: one for one in self.store.commits.repositories()} if self.store else {}
        if not settings.repositories and not stored:
            said = "there are none: list [[repositories]] in almanac.toml, or run `almanac index REPO`"
            yield trouble("repositories", said)
        listed: set[str] = set()
        tables = named(settings.repositories, list(stored.values()))
        audiences = {name: one.audience for name, one in stored.items()}
        audiences |= {name: one.lets_in for one, some in tables for name in some}
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
            narrow = [name for name in alike if narrower(audiences[name], table.lets_in) != table.lets_in]
            yield self._repository(where.name, table, known, narrow)
        for name in sorted(stored.keys() - listed):
            yield self._repository(name, None, stored[name], [])

    def _repository(
        self, name: str, table: RepositorySettings | None, known: Repository | None, narrow: Sequence[str]
    ) -> Finding:
        """`narrow` are other names of the same history, whose audience is a narrower one."""
        if known is None or self.store is None:
            return trouble(name, "is not indexed yet: run `almanac index`")
        if known.failure:
            said = f"could not be read last time ({known.failure}); what was indexed of it stays: fix that"
            return trouble(name, said)
        if known.indexed_at is None:
            return trouble(name, "was never read to its end: run `almanac index`")
        branch = branch_at(known.location, self._settings.mirrors, table.branch if table else None, known.tip)
        newest = newest_of(self.store, self._settings, name, branch)
        said = f"read {known.indexed_at:%Y-%m-%d %H:%M} UTC, {newest}"
        if known.shallow:
            do = "run `git fetch --unshallow` there, then index it again"
            return trouble(name, f"{said}; it is a shallow clone: {do}")
        if table is None:
            whom = f", for {readers(known.audience)} in Slack" if known.audience else ""
            unseen = ", and nothing of it is shown in Slack" if self._settings.repositories else ""
            only = "; it is not in almanac.toml, so only `almanac index` reads it"
            return ok(name, f"{said}{whom}{only}{unseen}")
        if self._settings.now() - known.indexed_at > STALE:
            do = "run `almanac index`, and see whether `almanac serve` runs"
            return trouble(name, f"{said}; that is long ago: {do}")
        audience = narrower(known.audience, table.lets_in)
        if known.audience is not None and audience != table.lets_in:
            kept, wanted = f"in Slack for {readers(known.audience)}", f"almanac.toml says {readers(table.lets_in)}"
            if narrow:
                same = f"since {narrow[0]} has the same history, and {wanted}: give both one `audience`"
                return trouble(name, f"{kept}, {same}")
            return trouble(name, f"{kept}, and {wanted}: `almanac index` lets those in too")
        return ok(name, f"{said}, for {readers(audience)} in Slack" if audience else said)

    def areas(self) -> Iterator[Finding]:
        """Under which headings a team's posts tell each repository: those of almanac.toml, then what was learnt."""
        names = [one.name for one in self.store.commits.repositories()] if self.store else []
        for name, learnt in sorted(self.store.commits.areas(names).items()) if self.store else ():
            headings: dict[str, str] = {}
            for heading in (*(one.name for one in self._settings.areas_of(name)), *learnt.values()):
                headings.setdefault(heading.casefold(), heading)
            yield ok(f"areas of {name}", ", ".join(filter(None, headings.values())) or "none that its titles name")

    def workers(self) -> Iterator[Finding]:
        """Whether workers run, and keep up."""
        if self.store is None or not isinstance(self.store.database, PostgresAddress):
            return
        from bot.index.jobs import JobQueue

        found = JobQueue(self.store).state()
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
            do = "the logs of the workers say why; is almanac.toml the same on every host?"
            yield trouble("workers", f"{count(found.failed, 'job')} failed within a day: {do}")

    def names(self) -> Iterator[Finding]:
        """Whether the names in [privacy] are those of [[people]] tables: others count for nobody."""
        one, tables = self._settings, {plain(person.name) for person in self._settings.people}
        others = one.privacy.about_others if isinstance(one.privacy.about_others, list) else []
        for key, listed in (("admins", one.privacy.admins), ("about_others", others)):
            for name in listed:
                if not is_id(name) and "@" not in name and plain(name) not in tables:
                    yield trouble("privacy", f"{name!r} in `{key}` means nobody: {_NAME_THEM}")

    def digests(self) -> Iterator[Finding]:
        """What the database says of digests; their channels are looked at in Slack."""
        if self.store is None:
            return
        found = problems(self.store)
        yield from (trouble("digests", one) for one in found)
        wanted = len(self._settings.digests) + sum(one.origin == "slack" for one in self.store.digests.all())
        if wanted and not found:
            yield ok("digests", f"{count(wanted, 'digest')}, none paused, refused or lost")

    def model(self) -> Iterator[Finding]:
        model, key = self._settings.model, self._settings.model_key
        if model is None:
            return
        from bot.story.llm.client import server_check

        said, is_reached = server_check(model.address, key.get_secret_value() if key else "")
        yield (ok if is_reached else trouble)("model", f"{model.name} at {model.address}: {said}")

    # in Slack

    @cached_property
    def _client(self) -> Client:
        client = lookup_client(posting_client(self._settings))
        client.timeout = CALL_SECONDS
        return client

    @cached_property
    def _auth(self) -> SlackResponse | str:
        """Slack's answer to who the token is, or why there is none."""
        try:
            return self._client.auth_test()
        except AlmanacError as error:
            return str(error)
        except TROUBLE as error:
            return self._why(error)

    def _why(self, error: Exception, do: str = "") -> str:
        """Why Slack does not do what it was asked for, and what to do."""
        if not isinstance(error, SlackApiError):
            where = f"{self._settings.slack_api} ({reason_of(error)})"
            return f"Slack cannot be reached at {where}: check SLACK_API_URL and the network"
        code = code_of(error)
        if code in AGAIN or code in UNCERTAIN:
            return f"Slack does not answer ({code}): try again later"
        return f"Slack refuses it ({code}): {do or (_INSTALL if code == 'missing_scope' else what_to_do(code))}"

    @property
    def _granted(self) -> frozenset[str] | None:
        """The scopes of the token; None where Slack does not say."""
        if isinstance(self._auth, str):
            return None
        headers = {name.lower(): value for name, value in (self._auth.headers or {}).items()}
        said = str(headers.get("x-oauth-scopes") or "")
        return frozenset(scope.strip() for scope in said.split(",") if scope.strip())

    def bot_token(self) -> Iterator[Finding]:
        """Whether the token is good, and what its scopes lack."""
        auth, granted = self._auth, self._granted
        if isinstance(auth, str) or granted is None:
            yield trouble("SLACK_BOT_TOKEN", str(auth))
            yield skipped("Slack", "scopes and channels are looked at once SLACK_BOT_TOKEN is good")
            return
        yield ok("SLACK_BOT_TOKEN", f"{auth.get('user')} ({auth.get('user_id')}) in {auth.get('team')}")
        lacking = [scope for scope in SCOPES if scope not in granted]
        for scope in lacking:
            yield trouble("scopes", f"{scope} is missing, so {SCOPES[scope]}: {_INSTALL}")
        if not lacking:
            yield ok("scopes", f"all {len(SCOPES)} that are needed")
        for scope in (one for one in OPTIONAL if one not in granted):
            yield skipped("scopes", f"{scope} was left out, so {OPTIONAL[scope]}: to allow it, {_INSTALL}")

    def way(self) -> Iterator[Finding]:
        """How Slack reaches the bot."""
        one = self._settings
        if one.app_token:
            address = one.slack_api.rstrip("/") + "/"
            try:
                client = Client(base_url=address, timeout=CALL_SECONDS, retry_handlers=[])
                client.apps_connections_open(app_token=one.app_token.get_secret_value())
                yield ok("SLACK_APP_TOKEN", "Socket Mode can be opened")
            except TROUBLE as error:
                if isinstance(error, SlackApiError) and code_of(error) in AGAIN:  # as beside a bot that just connected
                    yield ok("SLACK_APP_TOKEN", "Slack knows it, and asks not to be asked again so soon")
                    return
                why = self._why(error, "generate one with connections:write, see docs/slack.md")
                yield trouble("SLACK_APP_TOKEN", why)
        elif one.signing_secret:
            yield ok("HTTP", f"Slack is to reach PORT {one.port}; GET /health there says whether the bot can work")
        else:
            do = "set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP"
            yield trouble("HTTP", f"{do}: see docs/slack.md")

    @cached_property
    def _names(self) -> Mapping[str, str]:
        return Lookups(self._client).channels()

    def channels(self) -> Iterator[Finding]:
        """Whether each channel of a digest can be posted to."""
        wanted = [one.channel for one in self._settings.digests]
        wanted += [one.channel for one in self.store.digests.all()] if self.store else []
        granted = self._granted
        if granted is None:
            return
        for name in dict.fromkeys(wanted):
            shown = name if is_id(name) or name.startswith("#") else f"#{name}"
            try:
                yield self._channel(name, shown, granted)
            except TROUBLE as error:
                yield trouble(shown, self._why(error))

    def _channel(self, name: str, shown: str, granted: frozenset[str]) -> Finding:
        if is_id(name, "UW"):
            return ok(shown, "a direct message")
        found = name if is_id(name) else self._names.get(name.lstrip("#").casefold())
        if found is None:
            do = "check the name; a private one needs /invite @Almanac in it"
            return trouble(shown, f"is no channel the bot can see: {do}")
        channel: Mapping[str, Any] = Lookups(self._client).channel(found)
        if channel.get("is_archived"):
            return trouble(shown, "is archived: name another in the digest, or have it brought back")
        if not channel.get("is_member") and (channel.get("is_private") or "chat:write.public" not in granted):
            return trouble(shown, "the bot is not in it: type /invite @Almanac there")
        if self.store and not isinstance(self._auth, str):
            members = Members.of(self._settings, self.store, self._auth["team_id"])
            if refused := members.seen_in(name)[1].refused:
                return trouble(shown, f"nothing is posted, {refused}")
        look = "; after /invite @Almanac it can look for what Slack did not answer"
        return ok(shown, f"the bot may post there{'' if channel.get('is_member') else look}")


def _since(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{seconds:.0f} s" if seconds < 120 else f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"
