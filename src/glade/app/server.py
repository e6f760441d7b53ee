"""The app's server: on this machine only, for whoever holds the token, and for no other site's pages.

A request must name this server as its host (a name that somebody else lets point here is refused), must not come from
the page of another site, and must carry the token. The token is in the address with which the app is opened; the page
sends it in a header from then on.
"""

import base64
import hashlib
import hmac
import json
import secrets
import sys
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from threading import Lock
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from glade.app.work import MAX_BYTES, AppFolder
from glade.core.errors import InputError, ResourceError

HOST, TOKEN_HEADER = "127.0.0.1", "X-Glade-Token"
MAX_ASKED = 1_000_000  # bytes of a question
SECONDS = 60.0  # that a client may be silent
HTML, JSON, BYTES = "text/html; charset=utf-8", "application/json", "application/octet-stream"


class App(ThreadingHTTPServer):
    """The server with its work and its token.

    Parameters
    ----------
    work
        The table and the fit.
    port
        To listen at; 0 for any that is free.
    """

    daemon_threads = True

    def __init__(self, work: AppFolder, port: int = 0) -> None:
        super().__init__((HOST, port), Answers)
        self.work, self.token, self.lock = work, secrets.token_urlsafe(32), Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that leaves before it is answered is no fault to print."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def hosts(self) -> set[str]:
        """What a request may call this server."""
        return {f"{name}:{self.server_port}" for name in (HOST, "localhost")}

    @property
    def address(self) -> str:
        """With which the app is opened."""
        return f"http://{HOST}:{self.server_port}/?token={self.token}"


class Refused(Exception):
    """A request that is not answered, with the reason."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Answers(BaseHTTPRequestHandler):
    """One request."""

    server: App
    timeout = SECONDS
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "glade", ""

    def do_GET(self) -> None:
        """Answer for a page, or how the fit goes on."""
        self._answer(self.GETS)

    def do_POST(self) -> None:
        """Take a table, or a question about it."""
        self._answer(self.POSTS)

    def log_message(self, *_: Any) -> None:
        """Say nothing: the address holds the token."""

    def _answer(self, ways: dict[str, Callable[["Answers"], None]]) -> None:
        try:
            self._check_sender()
            way = ways.get(urlsplit(self.path).path)
            if way is None:
                raise Refused(HTTPStatus.NOT_FOUND, "there is nothing here")
            way(self)
        except Refused as refused:
            self.close_connection = True  # what the request still holds is not read
            self._send_json({"fault": str(refused)}, refused.status)
        except (InputError, ResourceError, ValueError, OSError) as fault:
            self._send_json({"fault": str(fault)}, HTTPStatus.UNPROCESSABLE_ENTITY)

    def _check_sender(self) -> None:
        """The host is this server, the origin its own page, and the token is right."""
        if self.headers.get("Host", "") not in self.server.hosts:
            raise Refused(HTTPStatus.FORBIDDEN, "this server is not known by that name")
        origin = self.headers.get("Origin")
        if origin is not None and origin not in {f"http://{host}" for host in self.server.hosts}:
            raise Refused(HTTPStatus.FORBIDDEN, "the page of another site may not ask here")
        given = self.headers.get(TOKEN_HEADER) or self._query("token")
        if not hmac.compare_digest(given.encode(), self.server.token.encode()):
            raise Refused(HTTPStatus.FORBIDDEN, "open the app with the address that `glade app` has printed")

    def _query(self, name: str) -> str:
        return parse_qs(urlsplit(self.path).query).get(name, [""])[0]

    def _read(self, most: int) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            raise Refused(HTTPStatus.LENGTH_REQUIRED, "the request does not say how long it is")
        if int(length) > most:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"that is more than {most:,} bytes")
        return self.rfile.read(int(length))

    def _read_json(self) -> Any:
        asked = json.loads(self._read(MAX_ASKED) or b"{}")
        if not isinstance(asked, dict):
            raise InputError("a question is an object")
        return asked

    def _send(self, content: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK, **headers: str) -> None:
        self.send_response(status)
        always = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
        own = {"Content-Type": kind, "Content-Length": str(len(content)), "X-Frame-Options": "DENY"}
        for name, value in (always | own | {key.replace("_", "-"): value for key, value in headers.items()}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _send_json(self, told: Any, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._send(json.dumps(told).encode(), JSON, status)

    def _show_app(self) -> None:
        page, policy = make_page()
        self._send(page, HTML, Content_Security_Policy=policy)

    def _show_page(self) -> None:
        self._send(self._content(self.server.work.page), HTML)

    def _save(self) -> None:
        work, wanted = self.server.work, self._query("file")
        path = {"page": work.page, "model": work.model}.get(wanted)
        if path is None:
            raise Refused(HTTPStatus.NOT_FOUND, "there is no such file")
        self._send(self._content(path), BYTES, Content_Disposition=f'attachment; filename="{path.name}"')

    def _content(self, path: Any) -> bytes:
        if not path.exists():
            raise Refused(HTTPStatus.NOT_FOUND, "there is no page yet: fit a model first")
        content: bytes = path.read_bytes()
        return content

    def _take_table(self) -> None:
        content = self._read(MAX_BYTES)
        with self.server.lock:
            self._send_json(self.server.work.take_table(self._query("name"), content))

    def _check(self) -> None:
        self._send_json(self.server.work.check(self._read_json()))

    def _fit(self) -> None:
        asked = self._read_json()
        with self.server.lock:
            self.server.work.fit(asked)
        self._send_json(self.server.work.tell_job())

    def _tell_job(self) -> None:
        self._send_json(self.server.work.tell_job())

    def _stop(self) -> None:
        self._read(MAX_ASKED)
        with self.server.lock:
            self.server.work.stop()
        self._send_json(self.server.work.tell_job())

    GETS: ClassVar[dict[str, Callable[["Answers"], None]]] = {
        "/": _show_app, "/page": _show_page, "/job": _tell_job, "/save": _save,
    }  # fmt: skip
    POSTS: ClassVar[dict[str, Callable[["Answers"], None]]] = {
        "/table": _take_table, "/check": _check, "/fit": _fit, "/stop": _stop,
    }  # fmt: skip


@cache
def make_page() -> tuple[bytes, str]:
    """The app's own page, and what a browser lets it do: run its script, use its style, ask this server."""
    style, script, page = (
        (files("glade.app") / "assets" / name).read_text("utf-8") for name in ("app.css", "app.js", "app.html")
    )
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    policy = f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; connect-src 'self'"
    text = page.replace("/* STYLE */", style).replace("/* SCRIPT */", script)
    return text.encode(), f"{policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
