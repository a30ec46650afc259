"""What the campaigns look for in exported months is found where it is."""

from __future__ import annotations

import json

import pytest
from exports import PAGES, faults

ALIVE = {
    "html": [
        "<p><script>x</script></p>", "<p onclick='x'>a</p>", "<a href='javascript:x'>a</a>", "<p>a", "</p>",
        "<!-- a -->", "<img src=x>", "<p>\x1b[2J</p>", "<a href='https://evil.example'>a</a>",
    ],
    "markdown": [
        "<script>", "a <b>b</b>", "[a](https://evil.example)", "![a](x)", "    code", "```\ncode", "> a",
        "| a |\n| - |", "<https://evil.example>", "~~a~~", "a\u202eb", "1. a",
    ],
    "text": ["\x1b[2J", "a\rb", "\x9b31m", "a\u2066b", "a\u200bb"],
    "csv": ["=1", '"a","+1"', "a;-1", 'x,"a;=1"', "a\t=1"],
    "json": [json.dumps(["a\x1b[2J"]), json.dumps({"a": "\u202e"}), "[NaN]"],
    "slack": [
        json.dumps([{"text": text}]) for text in ("<!here>", "<@U0ADA>", "<https://evil.example|a>", "a <b", "\x07")
    ] + [json.dumps([{"type": "rich_text", "elements": [{"type": "user", "user_id": "U0ADA"}]}])],
}  # fmt: skip
HARMLESS = {
    "html": f"<!doctype html><html lang='en'><p>&lt;b&gt; <a href='{PAGES}x'><code>1a</code></a><br></p></html>",
    "markdown": f"# A\n\n- **b** ([`1a2b`]({PAGES}x)) \\<b\\>\n\n---\n",
    "text": "Added the mill.\n",
    "csv": '"a","b; c"\n',
    "json": '["<b>"]',
    "slack": json.dumps([{"text": f"&lt;!here&gt; <{PAGES}x|1a>"}, {"type": "plain_text", "text": "<b>"}]),
}


@pytest.mark.parametrize(("form", "text"), [(form, text) for form, texts in ALIVE.items() for text in texts])
def test_what_is_alive_is_found(form: str, text: str) -> None:
    assert faults(form, text)


@pytest.mark.parametrize("form", HARMLESS)
def test_what_is_harmless_is_not(form: str) -> None:
    assert faults(form, HARMLESS[form]) == []
