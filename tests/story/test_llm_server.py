"""A model's server that is of no use, slow or set wrongly: the plain story is shown, in time, and one line says why."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.errors import SettingsError
from bot.story.llm.client import Model, model_of
from bot.story.llm.write import Task, write
from bot.story.render import Templates
from tests import a_model
from tests.a_model import AModel, Answer, says
from tests.story.writing_months import FACTS, GOOD, KEY, NOW, Memory, ask

# --- a model that is of no use


def made_when_asked(make: Callable[[], Answer]) -> Answer:
    """An answer so large that it is not kept: every worker reads this module, and one of them asks."""
    return lambda asked: make()(asked)


TASK = Task("month", [FACTS])
NOTHING, REFUSED = "nothing of what it wrote holds", "it refuses the key, or wants one: see ALMANAC_MODEL_KEY"
USELESS: dict[str, tuple[Answer, str]] = {
    "no JSON": (says("I am sorry, I cannot do that."), "its answer holds no JSON of the wanted form"),
    "half of it": (says(json.dumps(GOOD)[:-30]), "its answer holds no JSON of the wanted form"),
    "another form": (says({"stories": []}), "its answer holds no JSON of the wanted form"),
    "an array": (says([]), "its answer holds no JSON of the wanted form"),
    "nested without end": (says('{"a":' * 100_000), "its answer holds no JSON of the wanted form"),
    "wrong types": (says({"items": {"1": []}, "headline": 7}), NOTHING),
    "nothing": (says({"items": [], "headline": None}), NOTHING),
    "odd items": (says({"items": [None, 7, [], {"title": "1"}, {"sentences": 5}]}), NOTHING),
    "an empty answer": (says(""), "its answer is empty"),
    "no completion": (a_model.sends(b"<html>Welcome</html>"), "its answer is not in the form of a chat completion"),
    "no choices": (a_model.sends(b'{"choices": []}'), "its answer is not in the form of a chat completion"),
    "no bytes": (a_model.sends(b""), "its answer is not in the form of a chat completion"),
    "no UTF-8": (a_model.sends(b'{"choices": "\xff\xfe'), "its answer is not in the form of a chat completion"),
    "nesting of JSON": (a_model.sends(b"[" * 200_000), "its answer is not in the form of a chat completion"),
    "a refusal": (a_model.sends(a_model.completion(None, refusal="I must not.")), "it refuses to answer"),
    "no key": (a_model.sends(f"bad key {KEY}".encode(), 401), REFUSED),
    "a key that may not": (a_model.sends(b"", 403), REFUSED),
    "no such model": (a_model.sends(b"", 404), "it knows no such model, or the address is not that of its API"),
    "too many": (a_model.sends(b"", 429), "it is asked too often, or the account is empty"),
    "a broken server": (a_model.sends(b"oops", 500), "it answers HTTP 500"),
    "another host": (
        a_model.sends(b"", 307, Location="http://192.0.2.1/v1/chat/completions"),
        "it answers with another address, and none is followed",
    ),
    "a packed answer": (
        made_when_asked(lambda: a_model.sends(gzip.compress(b"0" * 50_000_000), Content_Encoding="gzip")),
        "it packs its answer, which was not asked for",
    ),
    "no end": (a_model.floods, "its answer is longer than 1,000,000 bytes"),
    "fifty megabytes": (
        made_when_asked(lambda: says("x" * 50_000_000)),
        "its answer is longer than 1,000,000 bytes",
    ),
    "half an answer": (a_model.breaks_off, "the exchange broke off"),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "why"), USELESS.values(), ids=USELESS)
def test_a_model_that_is_of_no_use_leaves_the_plain_story_and_one_line_that_says_why(answer: Answer, why: str) -> None:
    outcome = ask(answer)
    assert outcome.told is None
    assert outcome.said == [f"October 2025 is written without the model small: {why}"]
    assert outcome.kept.rows == {}


@pytest.mark.parametrize("answer", [a_model.hangs, a_model.drips, a_model.drips_headers])
def test_a_model_that_is_slow_is_not_waited_for_beyond_the_limit(answer: Answer) -> None:
    """It would not end at all."""
    outcome = ask(answer, seconds=0.5)
    assert outcome.told is None
    assert outcome.said == ["October 2025 is written without the model small: it did not answer within 0.5 seconds"]


def test_an_address_where_nobody_listens_is_said() -> None:
    with AModel(says(GOOD)) as server:
        address = server.address
    said: list[str] = []
    assert write(TASK, Model(address, "small"), Templates(), Memory(), NOW, said.append) is None
    assert said == ["October 2025 is written without the model small: its address cannot be reached"]


@pytest.mark.parametrize("key", [f"{KEY}\nX-Evil: 1", f"{KEY} ключ", f"{KEY}\x00"])
def test_a_key_that_cannot_be_sent_is_not_said_either(key: str) -> None:
    outcome = ask(says(GOOD), key=key)
    assert outcome.told is None
    assert outcome.said == ["October 2025 is written without the model small: the exchange broke off"]


def test_a_model_does_not_show_its_key() -> None:
    assert KEY not in repr(Model("http://localhost/v1", "small", KEY))


# --- settings


@pytest.mark.parametrize("missing", ["httpx", "detect_secrets"])
def test_a_model_that_is_set_without_what_it_needs_is_said_in_a_line(
    missing: str, monkeypatch: pytest.MonkeyPatch, own_place: Path
) -> None:
    from bot.settings import load_settings

    (own_place / "almanac.toml").write_text('[model]\naddress = "http://localhost:11434/v1"\nname = "small"\n')
    monkeypatch.setattr("bot.story.llm.client.find_spec", lambda name: None if name == missing else object())
    with pytest.raises(SettingsError) as raised:
        model_of(load_settings(own_place))
    assert raised.value.faults == ["[model] needs more than is installed: pip install '.[model]' in Almanac's folder"]
