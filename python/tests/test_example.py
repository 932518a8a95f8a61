"""The example shop: its documents, what they describe, its server, and docs/quickstart.md, which is run against it."""

import doctest
import json
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc.example import TOKEN, Shop
from agentsdisc.example.documents import documents, payment, registry
from conftest import ROOT, Run, heed_interrupts

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


@pytest.fixture(scope="module")
def page(address: str) -> str:
    """The quickstart, with the port of the example."""
    text = (ROOT / "docs/quickstart.md").read_text(encoding="utf-8")
    port = address.rsplit(":", 1)[1]
    assert text.count(f":{PORT}") > 5
    return text.replace(f":{PORT}", f":{port}")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def test_the_commands_of_the_quickstart(page: str, run: Run) -> None:
    install, start, rest, _ = blocks(page, "sh")
    assert "./python[http,mcp,a2a]" in install
    assert start == "agentsdisc example\n"
    commands = rest.splitlines()
    assert len(commands) == 6
    for line in commands:
        command, _, comment = line.partition("#")
        expected = re.search(r"exit code (\d)", comment)
        _, *arguments = shlex.split(command)
        done = run(*arguments, check=int(expected[1]) if expected else 0)
        if arguments[0] == "call":
            assert json.loads(done.stdout)["items"][0]["sku"] == "m1"


def test_the_python_of_the_quickstart(page: str, tmp_path: Path) -> None:
    for module in ("a2a", "mcp"):
        pytest.importorskip(module)
    examples = "\n".join(blocks(page, "python"))
    test = doctest.DocTestParser().get_doctest(examples, {}, "quickstart.md", None, 0)
    assert len(test.examples) > 20
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def test_the_mcp_server_of_the_quickstart(page: str) -> None:
    pytest.importorskip("mcp")
    import anyio
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    name, *arguments = shlex.split(blocks(page, "sh")[-1])
    assert name == "agentsdisc"
    given = StdioServerParameters(
        command=sys.executable, args=["-m", "agentsdisc", *arguments]
    )

    async def use() -> None:
        async with (
            stdio_client(given) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            names = [tool.name for tool in (await session.list_tools()).tools]
            assert "search" in names and "stocktake" not in names
            result = await session.call_tool("search", {"q": "blue"})
            assert "Blue mug" in str(result)

    anyio.run(use)
