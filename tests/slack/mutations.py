"""What Slack might never send: payloads that it did send, with something of them changed. From a seed."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

Json = Any
_ADDRESS = re.compile(rb"http(?:(?!%22|[&\"]).)*")
JUNK: list[Json] = [
    None, True, 0, -1, 1.5, 2**70, "", " ", "x", "\x00", "\u202e", "\ud83d\ude00", "é" * 300, "{", "[]", "{}", "null",
    "U0001", "C0001", "<!channel>", "<@U0001>", [], {}, [None], [[]], {"": None}, [1, "two"], {"id": 7}, {"value": []},
]  # fmt: skip


@dataclass(frozen=True)
class Delivery:
    """A request's body, how it is written, and what was changed in it."""

    body: bytes
    content_type: str
    what: str


def mutated(seen: list[tuple[str, Json]], seed: int, count: int) -> Iterator[Delivery]:
    """So many deliveries from payloads that were seen, each with its kind as the workspace calls it."""
    chance = random.Random(seed)  # noqa: S311
    pool = [value for _, payload in seen for _, _, value in _places(payload)]
    for _ in range(count):
        kind, payload = chance.choice(seen)
        payload, said = copy.deepcopy(payload), []
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            said.append(_change(payload, pool, chance))
        content_type, body = written(kind, payload)
        if chance.random() < 0.05:
            addresses = [range(*one.span()) for one in _ADDRESS.finditer(body)]  # they are to lead to this machine
            at = chance.choice([at for at in range(len(body)) if not any(at in one for one in addresses)])
            body = chance.choice((body[:at], body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :], body[at:]))
            said.append(f"bytes at {at}")
        yield Delivery(body, content_type, f"{kind}: {', '.join(said)}")


def written(kind: str, payload: Json) -> tuple[str, bytes]:
    """The content type and the body by which Slack sends a payload."""
    if kind == "events_api":
        return "application/json", json.dumps(payload).encode()
    form = payload if kind == "slash_commands" else {"payload": json.dumps(payload)}
    return "application/x-www-form-urlencoded", urlencode(form, errors="surrogatepass").encode()


def _places(value: Json) -> Iterator[tuple[Json, Any, Json]]:
    """Every place in a JSON value: what holds it, under which key, and what is there."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key, inner
        yield from _places(inner)


def _change(payload: Json, pool: list[Json], chance: random.Random) -> str:
    places = list(_places(payload))
    if not places:
        return "nothing"
    holder, key, value = chance.choice(places)
    held = _held(value)
    if held is not None and chance.random() < 0.7:  # JSON in a text, as buttons and modals hold it
        said = _change(held, pool, chance)
        holder[key] = json.dumps(held)
        return f"in {key}: {said}"
    way = chance.choice(("junk", "junk", "other", "removed", "cut", "wrapped"))
    if way == "removed":
        del holder[key]
    elif way == "cut" and isinstance(value, str) and value and not value.startswith("http"):
        at = chance.randrange(len(value))
        holder[key] = value[:at] + chance.choice(("", "\u2028", "&", '"', "|", "9")) + value[at + 1 :]
    elif way == "wrapped":
        holder[key] = chance.choice(([value], {"value": value}, [value, value]))
    else:
        holder[key] = copy.deepcopy(chance.choice(pool if way == "other" else JUNK))
    return f"{key} {way}"


def _held(value: Json) -> Json:
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value) or None
        except ValueError:
            return None
    return None
