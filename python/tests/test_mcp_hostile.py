"""Hostile MCP servers: connections, time and memory of a session, and output to a terminal."""

import json
import logging
import queue
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import agentsdisc
import anyio
import pytest
from server import LONG, Answer, Handler, Page, Server, drip, serving, silence, to

pytest.importorskip("mcp")

from agentsdisc import mcp
from agentsdisc.cli import main
from agentsdisc.discovery import Timeouts

QUICK = Timeouts(connect=1, read=1, request=1, total=2)
"""Timeouts for servers that never end a response."""
PATIENT = Timeouts(connect=60, read=60, request=60, total=60)
"""Timeouts for servers that respond in time, also on a busy machine."""

Respond = Callable[[dict[str, Any]], Any]

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "evil", "version": "1"},
}


@pytest.fixture
def evil() -> Iterator[Server]:
    with serving() as server:
        yield server


def document(endpoint: str, transport: str = "streamable-http") -> agentsdisc.Document:
    return agentsdisc.parse(
        f"---\nversion: 1.0\nmcp:\n  endpoint: {endpoint}\n  transport: {transport}\n---\n# A\n\n## Can\n\n- Read\n"
    )


def within(
    server: Server, block: Callable[[mcp.Session], Any] | None = None, **options: Any
) -> Any:
    """Connects to the hostile server, which must not block the test."""
    transport = options.pop("kind", "streamable-http")
    origin = options.pop("origin", server.url)
    documents = options.pop("documents", document(origin + "/mcp", transport=transport))
    options = {
        "agent": "Bot/1.0",
        "allow_private": True,
        "timeouts": PATIENT,
        **options,
    }

    async def go() -> Any:
        async with mcp.connect(documents, origin=origin, **options) as session:
            return await block(session) if block else None

    begun = time.monotonic()
    try:
        return anyio.run(go)
    finally:
        assert time.monotonic() - begun < 100


async def tools(session: mcp.Session) -> list[mcp.Tool]:
    return await session.tools()


def speaking(respond: Respond, greeting: dict[str, str] | None = None) -> Answer:
    """Returns a minimal MCP server; `respond` creates the responses after the handshake."""

    def answer(handler: Handler) -> None:
        message = json.loads(
            handler.rfile.read(int(handler.headers.get("Content-Length") or 0)) or b"{}"
        )
        if "id" not in message:
            handler.send(Page(status=202))
            return
        is_first = message["method"] == "initialize"
        result = HELLO if is_first else respond(message)
        text = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})
        headers = {"Content-Type": "application/json"}
        headers |= (greeting or {}) if is_first else {}
        handler.send(Page(text, headers=headers))

    return answer


@pytest.fixture(autouse=True)
def posts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the test server accept messages; it offers no event streams."""

    def post(handler: Handler) -> None:
        Handler.do_GET(handler)

    monkeypatch.setattr(Handler, "do_POST", post, raising=False)
    monkeypatch.setattr(
        Handler,
        "do_DELETE",
        lambda handler: handler.send(Page(status=405)),
        raising=False,
    )


def tool(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"}, **more}


def stream(block: bytes, pause: float) -> Answer:
    """Returns an event stream that never ends."""

    def answer(handler: Handler) -> None:
        handler.send_response_only(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        end = time.monotonic() + LONG
        while time.monotonic() < end and not handler.server.stopping.wait(pause):
            handler.wfile.write(block)
            handler.wfile.flush()

    return answer


# Time and memory


@pytest.mark.parametrize("kind", ["streamable-http", "sse"])
@pytest.mark.parametrize(
    ("block", "pause"),
    [
        (b": still there\n\n", 0.05),
        (b"event: message\ndata: {}\n\n", 0.01),
        (b"data: " + b"a" * 65536, 0.0),
    ],
    ids=["comments", "messages", "one-event"],
)
def test_streams_without_an_end(
    evil: Server, kind: str, block: bytes, pause: float
) -> None:
    evil.pages["/mcp"] = stream(block, pause)
    with pytest.raises(mcp.McpError):
        within(evil, kind=kind, timeouts=QUICK)


def test_silence(evil: Server) -> None:
    evil.pages["/mcp"] = silence
    for kind in ("streamable-http", "sse"):
        with pytest.raises(mcp.ConnectionFailed):
            within(evil, kind=kind, timeouts=QUICK)


def test_long_answers(evil: Server) -> None:
    evil.pages["/mcp"] = speaking(
        lambda message: {"tools": [tool("a", description="x" * 200_000)]}
    )
    with pytest.raises(mcp.McpError):
        within(evil, tools, max_response=100_000)
    assert len(within(evil, tools)) == 1


def test_giant_lists_of_tools(evil: Server) -> None:
    evil.pages["/mcp"] = speaking(
        lambda message: {"tools": [tool(f"t{n}") for n in range(2000)]}
    )
    with pytest.raises(mcp.LimitExceeded, match="1000 tools"):
        within(evil, tools)
    evil.pages["/mcp"] = speaking(
        lambda message: {"tools": [tool("t")], "nextCursor": "more"}
    )
    with pytest.raises(mcp.LimitExceeded, match="100 pages"):
        within(evil, tools)


def test_lists_of_tools_that_come_slowly(evil: Server) -> None:
    def respond(message: dict[str, Any]) -> Any:
        time.sleep(0.5)
        return {"tools": [tool("t")], "nextCursor": "more"}

    evil.pages["/mcp"] = speaking(respond)
    with pytest.raises(mcp.LimitExceeded, match="longer than 5 s"):
        within(evil, tools, timeouts=Timeouts(60, 60, 60, total=5))


@pytest.mark.parametrize(
    ("answer", "fails"),
    [(drip, None), (silence, None), (silence, KeyError), (silence, SystemExit)],
)
def test_closing_does_not_last(
    evil: Server,
    monkeypatch: pytest.MonkeyPatch,
    answer: Any,
    fails: type[BaseException] | None,
) -> None:
    """The server is notified when the session ends, and need not respond."""
    gone: queue.Queue[str | None] = queue.Queue()

    def delete(handler: Handler) -> None:
        gone.put(handler.headers["Mcp-Session-Id"])
        answer(handler)

    async def block(session: mcp.Session) -> str:
        if fails:
            raise fails("mine")
        return "done"

    monkeypatch.setattr(Handler, "do_DELETE", delete)
    evil.pages["/mcp"] = speaking(lambda message: {}, {"Mcp-Session-Id": "abc"})
    # The request timeout also applies to the final request.
    timeouts = Timeouts(60, 60, request=3, total=60)
    if fails:
        with pytest.raises(fails, match="mine"):
            within(evil, block, timeouts=timeouts)
    else:
        assert within(evil, block, timeouts=timeouts) == "done"
    assert gone.get(timeout=60) == "abc" and gone.empty()


def test_schemas_of_results_are_not_run(evil: Server) -> None:
    """Each of thirty levels refers to the next one twice, so expanding them takes exponential time."""
    levels: dict[str, Any] = {
        f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(30)
    }
    schema = {
        "type": "object",
        "$defs": {**levels, "a30": {"type": "object"}},
        "$ref": "#/$defs/a0",
    }
    evil.pages["/mcp"] = speaking(
        lambda message: (
            {"tools": [tool("t", outputSchema=schema)]}
            if message["method"] == "tools/list"
            else {"content": [], "structuredContent": {"a": 1}}
        )
    )

    async def call(session: mcp.Session) -> Any:
        return (await session.call_tool("t", {})).structured_content

    assert within(evil, call) == {"a": 1}


def test_compressed_answers_are_refused(evil: Server) -> None:
    evil.pages["/mcp"] = Page(
        bytes(100),
        headers={"Content-Type": "application/json", "Content-Encoding": "gzip"},
    )
    with pytest.raises(mcp.ConnectionFailed, match="compressed"):
        within(evil)


def test_responses_that_are_not_mcp(evil: Server) -> None:
    for page in (
        Page("<!doctype html>"),
        Page("{}", headers={"Content-Type": "application/json"}),
        Page(status=500),
        Page(status=204),
    ):
        evil.pages["/mcp"] = page
        with pytest.raises(mcp.ConnectionFailed):
            within(evil)


def test_a_server_that_wants_credentials(evil: Server) -> None:
    evil.pages["/mcp"] = Page(status=401, headers={"WWW-Authenticate": "Bearer"})
    with pytest.raises(mcp.CredentialsNeeded) as wanted:
        within(evil)
    assert wanted.value.decision is not None


def test_documents_with_very_many_capabilities(evil: Server) -> None:
    """A separate decision for each capability would read the whole document each time."""
    text = f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {evil.url}\n" + "".join(
        f"Capability: c{n}\n  Endpoint: {evil.url}/mcp\n  Protocol: MCP\n"
        for n in range(9000)
    )
    evil.pages["/mcp"] = speaking(lambda message: {"tools": [tool("t")]})
    for policy in ("Agent: Bot\n  Capabilities: none\n", ""):
        many = agentsdisc.parse(text + policy)
        block = None if policy else tools
        with pytest.raises(mcp.LimitExceeded, match="5 s"):
            within(evil, block, documents=many, timeouts=Timeouts(60, 60, 60, total=5))


# Connections


@pytest.mark.parametrize("kind", ["streamable-http", "sse"])
@pytest.mark.parametrize("status", [302, 307, 308])
def test_redirects_to_other_hosts_are_not_followed(
    evil: Server, kind: str, status: int
) -> None:
    with serving() as other:
        evil.pages["/mcp"] = to(other.url + "/mcp", status)
        with pytest.raises(mcp.McpError):
            within(evil, kind=kind, token="SECRET")
        assert other.asked == []


def test_an_sse_server_cannot_send_messages_elsewhere(evil: Server) -> None:
    with serving() as other:
        evil.pages["/mcp"] = stream(
            f"event: endpoint\ndata: {other.url}/messages\n\n".encode(), 0.1
        )
        with pytest.raises(mcp.McpError):
            within(evil, kind="sse", token="SECRET", timeouts=QUICK)
        assert other.asked == []


def test_names_that_resolve_to_private_addresses(
    evil: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = socket.getaddrinfo

    def resolve(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        text = host.decode() if isinstance(host, bytes) else host
        return real(
            "127.0.0.1" if text.endswith(".example") else host, port, *rest, **more
        )

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(mcp.ConnectionFailed, match="not public"):
        within(evil, origin=evil.at("shop.example"), allow_private=False)
    for host in ("169.254.169.254", "10.0.0.1", "[::1]"):
        with pytest.raises(mcp.ConnectionFailed, match="not public"):
            within(evil, origin=f"http://{host}", allow_private=False)
    assert evil.asked == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://shop.example@evil.test/mcp",
        "https://evil.test\\@shop.example/mcp",
        "//evil.test/mcp",
        "https://shop.example.evil.test/mcp",
        "file:///etc/passwd",
        "https://shop.example:99999/mcp",
    ],
)
def test_tricks_in_endpoints(endpoint: str) -> None:
    found = agentsdisc.parse(
        f"---\nversion: 1.0\nmcp:\n  endpoint: '{endpoint}'\n---\n# A\n\n## Can\n\n- Read\n"
    )

    async def go() -> None:
        async with mcp.connect(found, agent="Bot", origin="https://shop.example"):
            raise AssertionError("connected")

    with pytest.raises((mcp.PolicyDenied, mcp.NotDeclared)):
        anyio.run(go)


# Output to a terminal

Cli = Callable[..., str]


@pytest.fixture
def cli(evil: Server, capsys: pytest.CaptureFixture[str]) -> Iterator[Cli]:
    """Runs the command line in this process and returns its output."""

    def run(code: int, *arguments: str) -> str:
        common = ["mcp", evil.url, "--agent", "Bot", "--allow-private", "--no-cache"]
        assert main([*common, *arguments]) == code
        return "".join(capsys.readouterr())

    yield run
    logging.disable(logging.NOTSET)


def test_control_characters_never_reach_a_terminal(evil: Server, cli: Cli) -> None:
    bad = "a\x1b[2J\x07\u202e\r\nb"
    text = (
        document(evil.url + "/mcp")
        .bytes.decode()
        .replace("- Read", "- Read\n\n## Cannot\n\n- x\x1b[31m")
    )
    evil.pages["/.well-known/agents.md"] = Page(text)

    def respond(message: dict[str, Any]) -> Any:
        if message["method"] == "tools/list":
            return {"tools": [tool(bad, description=bad), tool("t")]}
        return {"content": [{"type": "text", "text": bad}], "isError": False}

    evil.pages["/mcp"] = speaking(respond)
    done = [
        cli(0),
        cli(0, "--list", "--json"),
        cli(0, "--call", "t"),
        cli(0, "--call", "t", "--json"),
        cli(0, "--call", bad),
        cli(2, "--call", "no\x1b[2J"),
    ]
    for said in done:
        for line in said.split("\n"):
            assert line.isprintable(), line
    assert "\\x1b[2J" in done[0] and "\\x1b[31m" in done[0]


def test_errors_of_the_server_are_escaped(evil: Server, cli: Cli) -> None:
    def answer(handler: Handler) -> None:
        message = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        error = {"code": -32000, "message": "\x1b]0;owned\x07"}
        text = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "error": error})
        handler.send(Page(text, headers={"Content-Type": "application/json"}))

    evil.pages["/mcp"] = answer
    evil.pages["/.well-known/agents.md"] = Page(document(evil.url + "/mcp").bytes)
    said = cli(2)
    assert "owned" in said and "\x1b" not in said and "\x07" not in said
