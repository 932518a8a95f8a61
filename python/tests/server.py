"""A real HTTP server for the tests; a dict maps hosts and paths to pages."""

import contextlib
import gzip
import re
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TXT = "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n"
TXT_01 = "Site: A\nURL: https://a.example\nAllow: search\nSession-TTL: 60s\n"
JSON = '{"specVersion": "1.0", "site": {"name": "A", "url": "https://a.example"}, "capabilities": []}'
JSON_01 = '{"schema_version": "0.1", "site": {"name": "A"}, "capabilities": [{"name": "a", "endpoint": "/a", "method": "GET"}]}'
MD = "---\nversion: 1.0\n---\n# A\n\n## Can\n\n- Read\n\n## Cannot\n\n- Write\n"
AWP = '{"awp_version": "0.2", "domain": "a.example", "intent": "x", "actions": []}'
ADP = (
    '{"spec_version": "1.0", "name": "A", "base_url": "%s", "auth": {"type": "none"}, '
    '"capabilities": [%s]}'
)
AWP_JOBS = """{"awp_version": "0.2", "domain": "localhost", "intent": "x", "actions": [{"id": "draw",
"auth_required": false, "endpoint": "/draw", "method": "POST", "inputs": {"what": {"type": "string", "required": true}},
"outputs": {"width": "integer"}, "execution_model": "async", "poll_endpoint": "/jobs/{job_id}"}]}"""
DETAIL = '{"name": "get_a", "endpoint": "/a", "method": "GET", "parameters": []}'
ROBOTS = "User-agent: *\nDisallow: /x\n"
HTML = "<!doctype html><title>Not here</title>"

LONG = 120.0
"""Duration of a hostile page in seconds, much longer than the timeout of any test."""


@dataclass
class Page:
    """A response."""

    body: bytes | str = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    """The Content-Length, if it differs from that of the body."""


Answer = Page | Callable[["Handler"], None]


def to(location: str, status: int = 302) -> Page:
    """A redirect."""
    return Page(status=status, headers={"Location": location})


def zipped(body: bytes | str, **headers: str) -> Page:
    """Returns a page with the content coding gzip."""
    data = body.encode() if isinstance(body, str) else body
    return Page(gzip.compress(data), headers={"Content-Encoding": "gzip", **headers})


class Handler(BaseHTTPRequestHandler):
    """Looks up the page, and records the request."""

    protocol_version = "HTTP/1.1"
    server: "Server"

    def do_POST(self) -> None:
        self.do_GET()

    def do_PUT(self) -> None:
        self.do_GET()

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_DELETE(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        host = re.sub(r":\d+$", "", self.headers.get("Host") or "")
        server = self.server
        with server.lock:
            server.asked.append((host, self.path))
            server.headers.append(dict(self.headers.items()))
        try:
            pages = server.hosts.get(host, server.pages)
            route = next(
                (
                    answer
                    for path, answer in server.routes.items()
                    if self.path.startswith(path)
                ),
                Page(status=404),
            )
            answer = pages.get(self.path, route)
            if isinstance(answer, Page):
                self.send(answer)
            else:
                answer(self)
        except OSError:
            self.close_connection = True

    def send(self, page: Page) -> None:
        data = page.body.encode() if isinstance(page.body, str) else page.body
        if page.status == 200:
            match = page.headers.get("ETag")
            if match is not None and self.headers.get("If-None-Match") == match:
                page, data = Page(status=304), b""
        self.send_response_only(page.status)
        for name, value in page.headers.items():
            self.send_header(name, value)
        if page.status != 304:
            length = len(data) if page.length is None else page.length
            self.send_header("Content-Length", str(length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """A server on a loopback address."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages: dict[str, Answer] = {}
        self.routes: dict[str, Answer] = {}
        """Answers by the beginning of the path, where there is no page."""
        self.hosts: dict[str, dict[str, Answer]] = {}
        self.asked: list[tuple[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.scheme = "http"

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def at(self, host: str) -> str:
        """Returns the origin of the server for a host name."""
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [path for _, path in self.asked]

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


@contextlib.contextmanager
def serving(
    context: ssl.SSLContext | None = None, kind: "type[Server] | None" = None
) -> Iterator[Server]:
    """Runs a server during the block, with TLS if there is a context."""
    server = (kind or Server)()
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.scheme = "https"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


def drip(handler: Handler) -> None:
    """A body that is sent byte by byte and does not end within any timeout."""
    handler.send_response_only(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        handler.wfile.write(b"#")
        handler.wfile.flush()
        if handler.server.stopping.wait(0.05):
            return


def silence(handler: Handler) -> None:
    """No response."""
    handler.server.stopping.wait(LONG)
    handler.close_connection = True


def endless(handler: Handler) -> None:
    """An endless body, at full speed."""
    handler.send_response_only(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    block = b"10000\r\n" + b"# and on\n" * 7281 + b"#######\r\n"
    end = time.monotonic() + LONG
    while time.monotonic() < end and not handler.server.stopping.is_set():
        handler.wfile.write(block)


def raw(data: bytes) -> Callable[[Handler], None]:
    """A response of raw bytes, which need not be valid HTTP."""

    def answer(handler: Handler) -> None:
        handler.wfile.write(data)
        handler.close_connection = True

    return answer


def main() -> None:
    """Serves a site with valid documents and hostile responses, and one whose action answers later (`localhost`), until
    standard input ends, for the C example."""
    capability = (
        '{"id": "search", "endpoint": "https://a.example/s", "protocol": "REST"}'
    )
    with serving() as server:
        server.pages = {
            "/.well-known/agents.json": zipped(JSON.replace("[]", f"[{capability}]")),
            "/agents.txt": to("/moved.txt"),
            "/moved.txt": Page(TXT),
            "/.well-known/agents.md": to("https://evil.test/agents.md"),
            "/agent.json": zipped(bytes(50 << 20)),
            "/.well-known/agent": to("/.well-known/agent"),
            "/robots.txt": Page(ROBOTS),
        }
        server.hosts = {
            "localhost": {
                "/agent.json": Page(AWP_JOBS),
                "/draw": Page('{"job_id": 7}', 202),
                "/jobs/7": Page('{"status": "completed", "width": 80}'),
            }
        }
        print(server.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
