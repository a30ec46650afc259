"""What one value of the settings may be: functions from what was written to what is meant.

They raise voluptuous.Invalid with what is wrong; no secret is repeated there. A number, true and false may be written
as text too, for in the environment everything is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from voluptuous import Invalid, MultipleInvalid

from bot.secret import Secret

Check = Callable[[Any], Any]


def text(value: object) -> str:
    if not isinstance(value, str):
        raise Invalid("must be text in quotes")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:  # bytes of another encoding in the environment, half a pair in JSON
            raise Invalid("holds characters that are no text") from None
    return value


def filled(value: object) -> str:
    if not (written := text(value)):
        raise Invalid("must not be empty")
    return written


def secret(value: object) -> Secret:
    return Secret(text(value))


def truth(value: object) -> bool:
    if isinstance(value, str):
        value = _TRUTHS.get(value.lower())
    if not isinstance(value, int | float) or value not in (0, 1):
        raise Invalid("must be true or false")
    return bool(value)


_TRUTHS: Final = {
    **dict.fromkeys(("true", "yes", "on", "1", "t", "y"), True),
    **dict.fromkeys(("false", "no", "off", "0", "f", "n"), False),
}


def truth_or_name(value: object) -> bool | str:
    """Yes, no, or the name of something."""
    return filled(value) if isinstance(value, str) and value.lower() not in _TRUTHS else truth(value)


def whole(first: int, last: int | None = None, *, besides: str = "") -> Check:
    """A whole number of a range; `besides` is what else the key takes, to be told."""
    span = f"from {first} to {last}" if last is not None else f"of at least {first}"

    def check(value: object) -> int:
        number = _whole(value)
        if number is None or number < first or (last is not None and number > last):
            raise Invalid(f"must be a whole number {span}{besides}")
        return number

    return check


def _whole(value: object) -> int | None:
    if isinstance(value, str):
        written = re.fullmatch(r"([+-]?\d+(?:_\d+)*)(?:\.0+)?", value.strip(), re.ASCII)
        try:
            return int(written[1]) if written else None
        except ValueError:  # thousands of digits
            return None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**63 else None
    return int(value) if isinstance(value, int) else None


def number(above: float, most: float) -> Check:
    def check(value: object) -> float:
        found = _number(value)
        if found is None or not above < found <= most:
            raise Invalid(f"must be a number above {above:g}, up to {most:g}")
        return found

    return check


def _number(value: object) -> float | None:
    try:
        if isinstance(value, str):
            written = value.strip()
            is_plain = written.isascii() and not re.search(r"^_|__|_$", written)
            return float(written.replace("_", "")) if is_plain else None
        return float(value) if isinstance(value, int | float) else None
    except (ValueError, OverflowError):
        return None


def one_of(*words: str) -> Check:
    *others, last = (f'"{word}"' for word in words)

    def check(value: object) -> object:
        if value not in words:
            raise Invalid(f"must be {', '.join(others)} or {last}")
        return value

    return check


def each(check: Check, of: str = 'texts, such as ["a", "b"]') -> Check:
    """A list whose entries all pass; the faults of all are told, which a list of voluptuous's own does not do."""

    def check_all(value: object) -> list[Any]:
        if not isinstance(value, list):
            raise Invalid(f"must be a list of {of}")
        found, faults = [], []
        for place, entry in enumerate(value):
            try:
                found.append(check(entry))
            except Invalid as fault:
                fault.prepend([place])
                faults += fault.errors if isinstance(fault, MultipleInvalid) else [fault]
        if faults:
            raise MultipleInvalid(faults)
        return found

    return check_all


def zone(value: object) -> str:
    name = text(value)
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Invalid(f"{name!r} is no time zone; use a name such as Europe/Berlin or UTC") from None
    return name


def folder(value: object) -> Path:
    """A path, absolute; a relative one is seen from the current folder."""
    if not isinstance(value, str | Path):
        raise Invalid("must be a path in quotes")
    try:
        return Path(value).expanduser().absolute()
    except (RuntimeError, ValueError):  # a name that no user has, or could have
        raise Invalid(f"nobody knows the home folder in {str(value)!r}; write the whole path") from None


def instant(value: object) -> datetime:
    """An ISO time, in UTC where it names no zone; or seconds since 1970, or milliseconds."""
    written = text(value)
    try:
        if re.fullmatch(_ISO, written, re.ASCII):
            # Python's own reading takes weeks, days of the year and bare digits too.
            found = datetime.fromisoformat(written.upper().replace("−", "-").replace("_", "T"))
            return found if found.tzinfo else found.replace(tzinfo=UTC)
        if re.fullmatch(r"[+-]?(?:\d+\.?\d*|\.\d+)", written, re.ASCII):
            since = float(written)
            return _EPOCH + timedelta(seconds=since if abs(since) <= _MOST_SECONDS else since / 1000)
    except (ValueError, OverflowError):
        pass
    raise Invalid("must be a time such as 2025-11-05T09:00:00Z")


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_SECONDS: Final = 2e10  # a greater number is one of milliseconds
_ISO: Final = (  # compiled where it is asked for: ALMANAC_NOW is seldom set
    r"\d{4}-\d\d-\d\d"
    r"(?:[Tt _](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:[Zz]|[+−-](?:[01]\d|2[0-3]):?[0-5]\d)?)?"
)


def calendar_day(value: object) -> date:
    """A date of TOML, or one written as text."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise Invalid("must be a day such as 2025-01-06")


def slack_api(value: object) -> str:
    if not re.match("https?://", address := text(value)):
        raise Invalid("must begin with https:// or http://")
    return address


def audience(value: object) -> object:
    if value != "everyone" and not _is_list(value):
        raise Invalid('must be "everyone", or a list of channels and user groups')
    for entry in value if isinstance(value, list) else ():
        if entry == "everyone":
            raise Invalid('"everyone" stands alone, not in a list')
        if not re.fullmatch(r"[#@]?[^\s#@|<>]+", entry) or re.fullmatch(r"[UW][A-Z0-9]{8,}", entry):  # a user's id
            raise Invalid(
                f"{entry!r} is neither a channel (#leads, C0123456789) nor a user group (@leads, S0123456789)"
            )
    return value


def others(value: object) -> object:
    if value in ("everyone", "nobody"):
        return value
    if not _is_list(value):
        raise Invalid('must be "everyone", "nobody", or a list of people and user groups')
    return people(value)


def people(value: object) -> object:
    """A list of people: names, ids such as U0123456789, and user groups."""
    for entry in value if isinstance(value, list) else ():
        if entry in ("everyone", "nobody"):
            raise Invalid(f'"{entry}" stands for no person in a list')
        if isinstance(entry, str) and (not entry.strip() or entry.startswith("#") or entry == "@"):
            raise Invalid(f"{entry!r} is neither a person (a name, U0123456789) nor a user group (@leads, S0123456789)")
    return each(text)(value)


def _is_list(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def team_name(value: object) -> str:
    if "|" in (name := filled(value)):
        raise Invalid("must be without |")
    return name


def members(value: object) -> list[str]:
    if value == []:
        raise Invalid("must name at least one person")
    found: list[str] = each(text)(value)
    return found


def channel(value: object) -> str:
    if not re.fullmatch(r"#?[^\s#|]+", name := text(value)):
        raise Invalid(f"{name!r} is no channel; use a name such as #shipped or an id such as C0123456789")
    return name


def group(value: object) -> str:
    if not re.fullmatch(r"@?[^\s|,@]+", name := text(value)):
        raise Invalid(f"{name!r} is no user group; use a name such as @engine or an id such as S0123456789")
    return name


def day(value: object) -> int:
    found: int = 31 if value == "last" else _DAY(value)
    return found


_DAY: Final = whole(1, 31, besides=', or "last"')


def model_address(value: object) -> str:
    """An address that paths can be put behind, without a slash at its end."""
    address = text(value)
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise Invalid(_NO_ADDRESS) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"[\s\x00-\x1f]", address) or port == 0:
        raise Invalid(_NO_ADDRESS)
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise Invalid("must hold neither a name, nor a password, nor what stands behind ? or #")
    return address.rstrip("/")


_NO_ADDRESS: Final = "is no address; use one such as http://localhost:11434/v1"
