"""A language model's server for tests, on 127.0.0.1: it answers as it is told to, however badly, and remembers what it
was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[["Asked"], None]


class Asked(BaseHTTPRequestHandler):
    """One request, which an answer is written to."""

    server: AModel
    body: dict[str, Any]
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.close_connection = True
        try:
            self.server.next_answer(self)(self)
        except OSError:  # whoever asked has gone
            self.server.left.set()

    def do_GET(self) -> None:
        self.server.requests.append(self)
        self.send(b"{}", self.server.status)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""

    @property
    def prompt(self) -> str:
        return str(self.body["messages"][0]["content"])

    def send(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.begin(status, **{"Content-Length": str(len(body)), **headers})
        self.wfile.write(body)

    def begin(self, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Connection": "close", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()


class AModel(ThreadingHTTPServer):
    """The server, to be used with `with`. It gives its answers in order, the last one again and again."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, *answers: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Asked)
        self.answers = list(answers)
        self.requests: list[Asked] = []
        self.status = 404  # of what is not asked of the model itself
        self.over = threading.Event()  # what hangs, hangs until then
        self.left = threading.Event()  # somebody hung up on an answer

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def prompts(self) -> list[str]:
        return [request.prompt for request in self.requests]

    def next_answer(self, request: Asked) -> Answer:
        self.requests.append(request)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever hangs up on an answer is no error."""

    def __enter__(self) -> AModel:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.shutdown()
        self.server_close()


def completion(content: object, **message: object) -> bytes:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content, **message}}
    return json.dumps({"object": "chat.completion", "choices": [choice]}).encode()


def says(content: object) -> Answer:
    """What the model says: text, or a value that is said as JSON."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return lambda asked: asked.send(completion(text))


def sends(body: bytes, status: int = 200, **headers: str) -> Answer:
    return lambda asked: asked.send(body, status, **headers)


def hangs(asked: Asked) -> None:
    """Reads the question and never says a word."""
    asked.server.over.wait()


def drips(asked: Asked) -> None:
    """Sends a space now and then, for ever."""
    asked.begin()
    while not asked.server.over.wait(0.01):
        asked.wfile.write(b" ")


def drips_headers(asked: Asked) -> None:
    """Sends one byte of its headers now and then, for ever."""
    asked.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not asked.server.over.wait(0.01):
        asked.wfile.write(b"a")


def floods(asked: Asked) -> None:
    """Sends without end, as fast as it is read."""
    asked.begin()
    while not asked.server.over.is_set():
        asked.wfile.write(b"x" * 65536)


def breaks_off(asked: Asked) -> None:
    """Promises more than it sends."""
    asked.begin(Content_Length="1000")
    asked.wfile.write(b'{"choices": [')
