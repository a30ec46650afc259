"""The queries as tools: for a model that answers a question, and over MCP. A tool is a method of Queries: its docstring
is the manual, and its arguments as JSON has them are the schema. What one returns is a document, cut to what fits."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType, SimpleNamespace
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

from bot.errors import AlmanacError, StoreUnavailable
from bot.story.documents import to_json

NAMES = ("month", "team", "changes", "who", "reviews", "explain", "profile", "people")
MOST_GIVEN = 20  # values of one argument
MOST_ROWS, LONGEST_RESULT = 50, 12_000  # of each list of a document, and characters of all of it
LONGEST_ARGUMENT = 400  # characters of one value
HASH, MOST_HASHES = 12, 3  # digits of a commit's hash that are shown, and hashes beside what is told as one
# How many of a document's lists are shown, and of the lists in these: names before what stands below each.
_FEWER = (
    (MOST_ROWS, MOST_ROWS), (MOST_ROWS, 8), (MOST_ROWS, 2), (30, 2), (20, 2), (12, 2), (8, 2), (5, 1), (3, 1), (1, 1),
)  # fmt: skip
# What a document holds twice, or holds for a page and for those who keep it.
_LEFT_OUT = frozenset((
    "schema", "details", "addresses", "attention", "measured", "coverage", "sure", "decided", "indexed_at", "sort",
    "span", "rest",
))  # fmt: skip
_OF_LINES = frozenset(("title", "text", "kind", "state", "refs", "evidence"))  # of a piece of work that has lines
_UNSAID: tuple[tuple[str, Any], ...] = (("state", "landed"), ("more", 0))
_EMPTY: tuple[Any, ...] = (None, "", [], {})
_HASH = re.compile(rf"[0-9a-f]{{{HASH},64}}")
_TYPES: dict[Any, str] = {str: "string", int: "integer", bool: "boolean"}


@dataclass(frozen=True, slots=True)
class Tool:
    """A query: its name, its manual, the JSON schema of its arguments, and which of these every query has."""

    name: str
    manual: str
    schema: Mapping[str, Any]
    limits: frozenset[str]

    @property
    def usage(self) -> str:
        """Its own arguments in one line, each with what it may be, and whether it takes the limits."""
        needed, own = self.schema["required"], {k: one for k, one in self._properties.items() if k not in self.limits}
        given = [f"{name}{'' if name in needed else '?'}: {_said(one)}" for name, one in own.items()]
        return f"{self.name}({', '.join([*given, *['limits'] * bool(self.limits)])})"

    @property
    def _properties(self) -> Mapping[str, Mapping[str, Any]]:
        properties: Mapping[str, Mapping[str, Any]] = self.schema["properties"]
        return properties

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What the query is called with. Raises AlmanacError with what is wrong."""
        if unknown := given.keys() - self._properties:
            raise AlmanacError(f"{self.name} has no {', '.join(sorted(unknown))[:LONGEST_ARGUMENT]}: {self.usage}")
        there = {name: value for name, value in given.items() if value is not None}
        if lacking := [name for name in self.schema["required"] if name not in there]:
            raise AlmanacError(f"{self.name} needs {', '.join(lacking)}: {self.usage}")
        return {name: _checked(name, self._properties[name], value) for name, value in there.items()}


@dataclass(frozen=True, slots=True)
class Called:
    """What came of a call: documents, or else the sentence that says why there are none."""

    documents: tuple[Any, ...] = ()
    refused: str = ""

    def text(self, longest: int = LONGEST_RESULT, worded: Callable[[str], str] = str) -> str:
        """As JSON of at most so many characters, with how much was cut; `worded` is what becomes of each text."""
        if self.refused:
            return json.dumps({"error": worded(self.refused)}, ensure_ascii=False)
        documents = [to_json(one) for one in self.documents]
        is_one = len({one["repository"] for one in dicts(documents) if isinstance(one.get("repository"), str)}) == 1
        whole = texts(_lean(documents, _LEFT_OUT | ({"repository"} if is_one else set())), worded)
        text = ""
        for rows, inner in _FEWER:
            text = json.dumps(_cut(whole, (rows, rows, inner)), ensure_ascii=False, separators=(",", ":"))
            if len(text) <= longest:
                return text
        return json.dumps({"cut": text[: longest // 2], "characters_more": len(text) - longest // 2})


def hashes_in(value: Any) -> list[str]:
    """The commits that JSON tells of, by their hashes or the first digits of these, in its order."""
    return list(dict.fromkeys(re.findall(rf'"([0-9a-f]{{{HASH},64}})"', json.dumps(value))))


def tools_of(queries: type) -> dict[str, Tool]:
    """The queries of a class, by their names."""
    methods = ((name, getattr(queries, name, None)) for name in NAMES)
    return {name: _tool(name, method) for name, method in methods if method}


def call(queries: Any, tool: Tool | None, given: object) -> Called:
    """What a query answers in the rights that `queries` has. What is wrong with a call is said in its place. Raises
    StoreUnavailable."""
    try:
        if tool is None or not isinstance(given, Mapping):
            raise AlmanacError(f"there is no such call: call one of {', '.join(NAMES)} with named arguments")
        found = getattr(queries, tool.name)(**tool.arguments(given))
    except StoreUnavailable:
        raise
    except AlmanacError as error:
        return Called(refused=error.public_text)
    return Called(tuple(found) if isinstance(found, list | tuple) else (found,))


def _tool(name: str, method: Callable[..., Any]) -> Tool:
    known = vars(sys.modules[method.__module__])
    written = {key: value for key, value in method.__annotations__.items() if key != "return"}
    hints = get_type_hints(SimpleNamespace(__annotations__=written), known)
    properties: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    required = []
    for each in inspect.signature(method).parameters.values():
        if each.kind is each.VAR_KEYWORD:  # Unpack[Limits]
            common = (get_type_hints(one) for one in get_args(hints[each.name]) if is_typeddict(one))
            limits |= {key: schema for one in common for key, kind in one.items() if (schema := _schema(kind))}
        elif each.name in hints and (schema := _schema(hints[each.name])):
            properties[each.name] = schema
            required += [each.name] if each.default is each.empty else []
    every = properties | limits
    schema = {"type": "object", "properties": every, "required": required, "additionalProperties": False}
    return Tool(name, inspect.getdoc(method) or "", schema, frozenset(limits))


def _schema(kind: Any) -> dict[str, Any] | None:
    """An annotation as JSON has it. Of several, a list is taken, which a single value is read as too; what JSON has no
    word for is left out."""
    if kind in _TYPES:
        return {"type": _TYPES[kind]}
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    parts = [one for one in map(_schema, get_args(kind)) if one] if kind is not NoneType else []
    if isinstance(get_origin(kind), type) and issubclass(get_origin(kind), Sequence):
        return {"type": "array", "items": parts[0], "maxItems": MOST_GIVEN} if parts else None
    return next((one for one in parts if one["type"] == "array"), parts[0] if parts else None)


def _checked(name: str, schema: Mapping[str, Any], value: Any) -> Any:
    if schema["type"] == "array":
        values = value if isinstance(value, list) else [value]
        if len(values) > MOST_GIVEN:
            raise AlmanacError(f"{name} may hold {MOST_GIVEN} values at most")
        return tuple(_checked(name, schema["items"], one) for one in values)
    fits = _TYPES.get(type(value)) == schema["type"] and len(str(value)) <= LONGEST_ARGUMENT
    if not fits or value not in schema.get("enum", (value,)):
        raise AlmanacError(f"{name} must be {_said(schema)}")
    return value


def _said(schema: Mapping[str, Any]) -> str:
    if schema["type"] == "array":
        return f"[{_said(schema['items'])}]"
    return "|".join(schema["enum"]) if "enum" in schema else str(schema["type"])


def dicts(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every object of some JSON."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from dicts(one)


def texts(value: Any, worded: Callable[[str], str]) -> Any:
    """JSON with what becomes of each of its texts, and with the first digits of hashes."""
    if isinstance(value, str):
        return value[:HASH] if _is_hash(value) else worded(value)
    if isinstance(value, list):
        return [texts(one, worded) for one in value]
    return {key: texts(one, worded) for key, one in value.items()} if isinstance(value, dict) else value


def _lean(value: Any, unsaid: frozenset[str]) -> Any:
    """A document without what it says twice, or what goes without saying."""
    if isinstance(value, list):
        return [_lean(one, unsaid) for one in value]
    if not isinstance(value, dict):
        return value
    sha, evidence = str(value.get("sha")), value.get("evidence") or ()
    twice = {key for key, own in (("evidence", "sha"), ("refs", "ref")) if value.get(key) == [value.get(own)]}
    twice |= {"evidence"} if len(evidence) > MOST_HASHES else set()  # so many name none
    twice |= {"ref"} if sha.startswith(str(value.get("ref"))) else set()
    twice |= _OF_LINES if value.get("lines") else set()
    twice |= {"changes"} if "items" in value and isinstance(value.get("changes"), list) else set()
    twice |= {"things"} if "digest" not in value else set()  # of an area
    twice |= {"id"} if isinstance(value.get("commits"), list) else set()
    held = {key: _lean(one, unsaid) for key, one in value.items() if key not in twice | unsaid}
    held |= {one["about"]: one["text"] for one in held.pop("brief", ())}
    held |= {"why": None} if value.get("message") else {}
    said = {key: one for key, one in held.items() if one is not False and one not in _EMPTY}
    return {key: one for key, one in said.items() if (key, one) not in _UNSAID}


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and _HASH.fullmatch(value) is not None


def _cut(value: Any, rows: Sequence[int]) -> Any:
    """JSON with at most so many of each list, of the lists in these, and so on; the last number holds for the rest."""
    if isinstance(value, list):
        more = [f"… and {len(value) - rows[0]} more"] if len(value) > rows[0] else []
        return [_cut(one, rows[1:] or rows) for one in value[: rows[0]]] + more
    return {key: _cut(one, rows) for key, one in value.items()} if isinstance(value, dict) else value
