"""Whether PORT can be listened on, or who has it."""

from __future__ import annotations

import errno
import json
import socket
import urllib.request
from http.client import HTTPException
from urllib.error import HTTPError

from bot.doctor_findings import Finding, ok, trouble

SECONDS = 4


def port_finding(port: int, host: str = "") -> Finding:
    """Whether PORT is free, or it is the bot that has it."""
    if port == 0:
        return trouble("HTTP", "PORT is 0, so nobody knows where to send events: choose one")
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                return trouble(
                    "HTTP", f"{_where(port, host)} cannot be used ({error.strerror}): set HOST or PORT to another"
                )
        else:
            return ok("HTTP", f"{_where(port, host)} is free; the bot will listen there")
    return _taken(port, host)


def _where(port: int, host: str) -> str:
    return f"PORT {port} on {host}" if host else f"PORT {port}"


def _taken(port: int, host: str) -> Finding:
    asked = f"[{host}]" if ":" in host else host or "127.0.0.1"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://{asked}:{port}/health", timeout=SECONDS) as response:
            answer = json.load(response)
    except HTTPError as error:
        with error:
            said = _why(error)
        if said:
            return trouble("HTTP", f"the bot runs on PORT {port} and cannot work: {said}")
    except (OSError, HTTPException, ValueError):
        pass
    else:
        if isinstance(answer, dict) and answer.get("ok") is True:
            return ok("HTTP", f"the bot answers on PORT {port}")
    return trouble("HTTP", f"PORT {port} is another program's: end that, or set PORT to another")


def _why(error: HTTPError) -> str:
    try:
        answer = json.load(error)
    except (OSError, HTTPException, ValueError):
        return ""
    return str(answer.get("error") or "") if isinstance(answer, dict) else ""
