"""Whether a model's server is there. Nothing of anybody's work is sent to it."""

from __future__ import annotations

SECONDS = 4.0


def reached(address: str, key: str) -> tuple[str, bool]:
    """What came of asking a server of OpenAI's protocol which models it has, and whether it can be worked with.

    Neither what the server says nor the key is repeated.
    """
    try:
        import httpx
    except ImportError:
        return "httpx is not installed: run `pip install almanac-bot[model]`", False
    from bot.story.llm.completion import _is_here

    headers = {"Accept": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    try:
        with (
            httpx.Client(timeout=SECONDS, follow_redirects=False, trust_env=not _is_here(address)) as client,
            client.stream("GET", f"{address}/models", headers=headers) as response,
        ):
            status = response.status_code
    except httpx.TimeoutException:
        return f"no answer within {SECONDS:g} seconds: check the address and the server", False
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, RuntimeError):  # their texts may hold the key
        return "cannot be reached: check the address and the server", False
    if status in (401, 403):
        return "it refuses the key, or wants one: see ALMANAC_MODEL_KEY", False
    if status >= 500:
        return f"it answers HTTP {status}: see the server's log", False
    return "it answers", True
