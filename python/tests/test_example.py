"""The example shop: its documents, what they describe, and its server. test_quickstarts.py runs docs/start against it."""

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import agentsdisc
import pytest
from agentsdisc.example import TOKEN, Shop
from agentsdisc.example.documents import documents, payment, registry
from conftest import Run, heed_interrupts

SITE = "https://mugs.example"
PORT = 8000
"""The port in the documentation."""


def free_port() -> int:
    """Returns the port in the documentation, unless something else uses it."""
    for port in (PORT, 0):
        try:
            with socket.create_server(("127.0.0.1", port)) as listening:
                return int(listening.getsockname()[1])
        except OSError:
            pass
    raise AssertionError("there is no port")


def started(port: int, *options: str) -> tuple[subprocess.Popen[str], str]:
    """Starts the command. Returns its process and its address."""
    command = [sys.executable, "-m", "agentsdisc", "example", "--port", str(port)]
    process = subprocess.Popen(
        [*command, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    assert found, line
    return process, found[0]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    process, url = started(free_port())
    yield url
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")


def test_every_format_is_served_without_a_finding() -> None:
    formats = set()
    for path, served in documents(SITE).items():
        if path.endswith("SKILL.md"):
            continue
        document = agentsdisc.parse(served.body, url=SITE + path)
        formats.add(document.format)
        found = [(each.code, each.message) for each in document.check(SITE)]
        assert found == [], path
    for values in (registry(SITE, "mug"), payment(SITE)):
        document = agentsdisc.parse(json.dumps(values))
        formats.add(document.format)
        assert list(document.check(SITE)) == []
    assert formats == {name for name, is_read, _ in agentsdisc.formats() if is_read}


def test_every_location_of_a_document_has_it() -> None:
    shop = Shop(SITE)
    for facts in agentsdisc._facts.FACTS.values():
        if facts.is_read and not facts.has_rival_locations:
            for path in facts.locations[:1]:
                assert shop.answer("GET", path, {}, b"").status == 200, path


def test_lint_finds_nothing(address: str, run: Run) -> None:
    done = run("lint", address, "--allow-private", "--no-cache", "--fail-on", "info")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def ask(
    shop: Shop, method: str, target: str, values: Any = None, **headers: str
) -> tuple[int, Any]:
    body = b"" if values is None else json.dumps(values).encode()
    answer = shop.answer(method, target, headers, body)
    return answer.status, json.loads(answer.body) if answer.body else None


def test_the_shop_sells_mugs() -> None:
    shop = Shop(SITE)
    assert ask(shop, "GET", "/api/search?q=mug&limit=1")[1]["total"] == 3
    _, cart = ask(shop, "POST", "/api/cart", {"sku": "m2", "count": 2})
    _, order = ask(shop, "POST", "/api/checkout", {"cart": cart["cart"]})
    assert order["total"] == 18
    assert ask(shop, "POST", "/api/checkout", {"cart": cart["cart"]})[0] == 404
    status = f"/api/status?order={order['order']}"
    assert ask(shop, "GET", status)[0] == 401
    assert ask(shop, "GET", status, authorization=f"Bearer {TOKEN}")[0] == 200
    assert ask(shop, "GET", "/report")[0] == 402
    codes = [ask(shop, "GET", "/api/stock?sku=m1")[0] for _ in range(6)]
    assert codes == [200] * 5 + [429]


@pytest.mark.parametrize(
    ("method", "target", "body", "status"),
    [
        ("GET", "/api/search", b"", 400),
        ("POST", "/api/cart", b"{", 400),
        ("POST", "/api/cart", b"[" * 60_000, 400),
        ("POST", "/api/cart", b"[]", 400),
        ("POST", "/api/cart", b'{"sku": ["m1"]}', 400),
        ("POST", "/api/cart", b'{"sku": "m1", "count": true}', 400),
        ("POST", "/api/cart", b'{"sku": "m1", "count": 1e999}', 400),
        ("POST", "/api/cart", b'{"sku": "m1", "cart": {"a": []}}', 400),
        ("POST", "/api/checkout", b'{"cart": {}}', 400),
        ("POST", "/api/checkout", b'{"cart": "c9"}', 404),
        ("GET", "/api/status?order=o9", b"", 401),
        ("POST", "/.well-known/mcp", b'{"method": "tools/call", "params": 1}', 202),
        ("POST", "/.well-known/mcp", b'{"id": {}, "method": []}', 200),
        (
            "POST",
            "/.well-known/mcp",
            b'{"id": 1, "method": "tools/call", "params": {"name": "recommend", "arguments": [1]}}',
            200,
        ),
        ("POST", "/a2a", b"null", 400),
        ("GET", "/api/search?" + "a=1&" * 200, b"", 400),
        ("GET", "//[", b"", 400),
        ("BREW", "/", b"", 404),
        ("POST", "/internal/stocktake", b"{}", 403),
    ],
)
def test_a_wrong_request_is_answered(
    method: str, target: str, body: bytes, status: int
) -> None:
    assert Shop(SITE).answer(method, target, {}, body).status == status


def test_carts_are_forgotten() -> None:
    shop = Shop(SITE)
    for _ in range(1100):
        ask(shop, "POST", "/api/cart", {"sku": "m1"})
    assert len(shop._carts) == 1000


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"POST /api/cart HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", b"413"),
        (b"POST /api/cart HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"413"),
        (b"POST /a2a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"413"),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", b"414"),
        (b"HEAD /robots.txt HTTP/1.1\r\nConnection: close\r\n\r\n", b"200"),
    ],
)
def test_requests_are_bounded(address: str, head: bytes, status: bytes) -> None:
    port = int(address.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), 20) as client:
        client.sendall(head)
        assert client.recv(100).split()[1] == status


@pytest.mark.parametrize("signalled", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_on_a_signal(signalled: int) -> None:
    process, url = started(0)
    port = int(url.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), 20):  # a client that waits
        process.send_signal(signalled)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "", "")


def test_a_port_in_use(address: str, run: Run) -> None:
    port = address.rsplit(":", 1)[1]
    done = run("example", "--port", port, check=2)
    assert "cannot listen on 127.0.0.1" in done.stderr
    assert "give a port" in run("example", "--port", "65536", check=2).stderr
    assert "cannot listen" in run("example", "--host", "x" * 70, check=2).stderr
