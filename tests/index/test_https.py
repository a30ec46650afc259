"""Over https, against a real server with a certificate of its own: the token opens it and is kept nowhere."""

from __future__ import annotations

import base64
import contextlib
import shutil
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepo, index

from bot.errors import RepositoryUnavailable
from bot.index.mirrors import open_source
from bot.index.places import place
from storage import Store

TOKEN = "S3cr3tT0k3n"

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the server's certificate")


class Forge(ThreadingHTTPServer):
    """Serves the folder of a bare repository to whoever has the token, as git's plain http protocol wants it."""

    redirect: str | None = None
    told: list[str]  # what was sent to prove who asks
    seen: set[str]  # the arguments of every process of this machine while somebody asked

    def __init__(self, folder: Path, certificate: Path, key: Path) -> None:
        self.told, self.seen = [], set()
        super().__init__(("127.0.0.1", 0), self._handler(folder))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True)

    def address(self, credentials: str) -> str:
        return f"https://{credentials}@127.0.0.1:{self.server_address[1]}/acme/engine.git"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no trouble of the test's."""

    def _handler(self, folder: Path) -> Callable[..., SimpleHTTPRequestHandler]:
        forge = self
        allowed = {"Basic " + base64.b64encode(who.encode()).decode() for who in (f"x:{TOKEN}", f"{TOKEN}:")}

        class Handler(SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                forge.seen |= arguments_of_all()
                forge.told += self.headers.get_all("Authorization", [])
                if forge.redirect:
                    self.send_response(302)
                    self.send_header("Location", forge.redirect)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                elif self.headers.get("Authorization") in allowed:
                    super().do_GET()
                else:
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="forge"')
                    self.send_header("Content-Length", "0")
                    self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        return lambda *arguments: Handler(*arguments, directory=str(folder))


def arguments_of_all() -> set[str]:
    """The arguments of every process, as everybody on the machine can read them."""
    found = set()
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found.add(one.read_bytes().decode(errors="replace"))
    return found


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("certificate")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", str(key), "-out", str(certificate), "-subj", "/CN=forge", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return certificate, key


@pytest.fixture
def there(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "forge" / "acme" / "engine.git", bare=True)
    repo.many(5)
    repo.git("update-server-info")
    return repo


@pytest.fixture
def forge(
    there: GitRepo, tmp_path: Path, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Forge]:
    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate[0]))
    with Forge(tmp_path / "forge", *certificate) as forge:
        serving = threading.Thread(target=forge.serve_forever, args=(0.02,))
        serving.start()
        yield forge
        forge.shutdown()
        serving.join()


def holding(folder: Path, word: str) -> list[Path]:
    """The files below a folder in which a word stands."""
    return [path for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


@pytest.mark.parametrize("credentials", [f"x:{TOKEN}", TOKEN])
def test_a_token_opens_the_repository_and_is_kept_nowhere(
    forge: Forge, there: GitRepo, own_place: Path, almanac: Callable[..., Any], credentials: str
) -> None:
    address = forge.address(credentials)
    ran = almanac("index", address)
    assert (ran.code, ran.out.partition(", newest")[0]) == (0, "acme/engine: 5 commits, 5 new"), ran.err
    there.many(2, start=1_770_000_000)
    there.git("update-server-info")
    again = almanac("index", address)
    assert again.out.startswith("acme/engine: 7 commits, 2 new")
    (own_place / "almanac/almanac.db").stat()
    shutil.rmtree(there.path)
    gone = almanac("index", address)
    assert gone.code == 1
    assert TOKEN not in "".join([ran.out, ran.err, again.out, again.err, gone.out, gone.err])
    assert holding(own_place, TOKEN) == []
    assert holding(own_place, "refs/heads/main") != []


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="there is no /proc")
@pytest.mark.parametrize("credentials", [f"x:{TOKEN}", TOKEN])
def test_a_token_is_in_no_arguments(forge: Forge, tmp_path: Path, credentials: str) -> None:
    open_source(place(forge.address(credentials)), tmp_path / "mirrors")
    assert any("remote-https" in one for one in forge.seen)
    assert [one for one in forge.seen if TOKEN in one] == []
    assert any(forge.told)


def test_a_token_is_told_to_no_other_server(
    forge: Forge, there: GitRepo, store: Store, tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    with Forge(tmp_path / "forge", *certificate) as other:
        serving = threading.Thread(target=other.serve_forever, args=(0.02,))
        serving.start()
        forge.redirect = (
            f"https://127.0.0.1:{other.server_address[1]}/acme/engine.git/info/refs?service=git-upload-pack"
        )
        with pytest.raises(RepositoryUnavailable):
            index(store, forge.address(f"x:{TOKEN}"))
        other.shutdown()
        serving.join()
    assert other.seen and other.told == []


def test_a_token_is_handed_to_no_helper_to_keep(forge: Forge, store: Store, own_place: Path) -> None:
    """Whoever has git store passwords did not mean those that almanac.toml holds."""
    kept = own_place / "kept"
    own = own_place / ".gitconfig"
    own.write_text(f'[credential]\n\thelper = "!cat >> {kept}; :"\n')
    with pytest.MonkeyPatch.context() as here:
        here.setenv("GIT_CONFIG_GLOBAL", str(own))
        index(store, forge.address(f"x:{TOKEN}"))
    assert not kept.exists()


def test_a_wrong_token_is_told_and_nobody_is_asked_for_another(forge: Forge, store: Store) -> None:
    with pytest.raises(RepositoryUnavailable) as error:
        index(store, forge.address("x:wr0ng"))
    assert "cannot be reached (Authentication failed" in str(error.value)
    assert "wr0ng" not in f"{error.value} {error.value.__cause__} {error.value.__cause__!r}"
    assert holding(store.path.parent, "wr0ng") == []


@pytest.mark.parametrize("scheme", ["http", "file", "ftp"])
def test_a_server_cannot_send_us_where_we_would_not_go(forge: Forge, there: GitRepo, store: Store, scheme: str) -> None:
    host = "" if scheme == "file" else "127.0.0.1:9"
    forge.redirect = f"{scheme}://{host}{there.path}/info/refs"
    with pytest.raises(RepositoryUnavailable) as error:
        index(store, forge.address(f"x:{TOKEN}"))
    assert "cannot be reached (" in str(error.value)
    assert TOKEN not in str(error.value)
