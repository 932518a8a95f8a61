"""The HTTP server of the example shop: only the standard library, and bounds on everything that a client sends."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from . import Answer, Shop

_LARGEST = 64 << 10
"""The largest body of a request, in bytes."""
_SECONDS = 15
"""How long a client may take for a part of a request."""
_CONNECTIONS = 64


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of a connection."""

    protocol_version = "HTTP/1.1"
    timeout = _SECONDS
    server: "Server"

    def do_GET(self) -> None:
        """Answers a request of any method."""
        body = self._body()
        if body is None:
            self.close_connection = True
            self._send(Answer(b"", status=413))
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._send(self.server.shop.answer(self.command, self.path, headers, body))

    do_HEAD = do_POST = do_OPTIONS = do_PUT = do_DELETE = do_GET

    def _body(self) -> bytes | None:
        """Reads the body; None if it is too large or of unknown length."""
        length = self.headers.get("Content-Length", "0")
        is_known = length.isascii() and length.isdigit() and len(length) < 9
        if (
            not is_known
            or int(length) > _LARGEST
            or "Transfer-Encoding" in self.headers
        ):
            return None
        return self.rfile.read(int(length))

    def _send(self, answer: Answer) -> None:
        self.send_response_only(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing."""


class Server(ThreadingHTTPServer):
    """Serves the shop until `shutdown`; at most 64 connections at one time."""

    daemon_threads = True

    def __init__(self, host: str, port: int) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._free = threading.BoundedSemaphore(_CONNECTIONS)
        super().__init__((host, port), Handler)
        shown = f"[{host}]" if ":" in host else host
        self.shop = Shop(f"http://{shown}:{self.server_address[1]}")

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answers a connection in its own thread, unless there are too many."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answers a connection in this thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing: the client has gone."""
