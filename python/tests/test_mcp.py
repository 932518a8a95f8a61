"""Discovery finds a real MCP server of the official SDK and connects to it."""

import json
import logging
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import agentsdisc
import anyio
import pytest
from conftest import ROOT, Run
from server import Page, Server, serving

pytest.importorskip("mcp")

from agentsdisc import calls, mcp
from agentsdisc._gateways import McpEndpoint, Rules, capabilities_of
from agentsdisc.cli import main
from asgi import app_serving
from mcp_server import MODERN, OLDER, Shop, mcp_serving
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse

TXT = """\
Spec-Version: 1.0
Site-Name: Shop
Site-URL: {site}
Capability: search
  Endpoint: {mcp}
  Protocol: MCP
  Rate-Limit: 2/hour
Capability: place-order
  Endpoint: {mcp}
  Protocol: MCP
Agent: Bot
  Capabilities: search
"""
MD = """\
---
version: 1.0
mcp:
  endpoint: {mcp}
{transport}---
# Shop

## Cannot

- Place orders without a human
"""
AWP = {
    "awp_version": "0.2",
    "domain": "127.0.0.1",
    "intent": "Sell mugs",
    "protocols": {"mcp": {"version": "1.0", "endpoint": "{mcp}"}},
    "actions": [
        {
            "id": "find",
            "description": "x",
            "via": "mcp",
            "operation": "search",
            "auth_required": False,
            "inputs": {},
            "outputs": {},
        },
        {
            "id": "place_order",
            "description": "x",
            "via": "mcp",
            "auth_required": True,
            "sensitivity": "irreversible",
            "requires_human_confirmation": True,
            "inputs": {},
            "outputs": {},
        },
    ],
}


@pytest.fixture(scope="module", params=["streamable-http", "sse", OLDER])
def shop(request: pytest.FixtureRequest) -> Iterator[Shop]:
    with mcp_serving(request.param) as shop:
        yield shop


@pytest.fixture(scope="module")
def streamable() -> Iterator[Shop]:
    with mcp_serving("streamable-http") as shop:
        yield shop


@pytest.fixture
def site() -> Iterator[Server]:
    with serving() as server:
        yield server


def publish(site: Server, kind: str, endpoint: str, transport: str = "") -> None:
    """Serves a document that declares an endpoint."""
    if kind == "agents-txt":
        site.pages["/.well-known/agents.txt"] = Page(
            TXT.format(site=site.url, mcp=endpoint)
        )
    elif kind == "agents-md":
        line = f"  transport: {transport}\n" if transport else ""
        site.pages["/.well-known/agents.md"] = Page(
            MD.format(mcp=endpoint, transport=line)
        )
    else:
        text = json.dumps(AWP).replace("{mcp}", endpoint)
        site.pages["/agent.json"] = Page(text)


def within(
    where: Any, block: Callable[[mcp.Session], Any] | None = None, **options: Any
) -> Any:
    """Connects, and runs the block in the session."""
    options = {
        "agent": "Bot/1.0",
        "allow_private": True,
        "discovery": {"cache": False},
        **options,
    }

    async def go() -> Any:
        with anyio.fail_after(120):
            async with mcp.connect(where, **options) as session:
                return await block(session) if block else None

    return anyio.run(go)


async def tools(session: mcp.Session) -> list[mcp.Tool]:
    return await session.tools()


def calling(name: str, **arguments: Any) -> Callable[[mcp.Session], Any]:
    async def call(session: mcp.Session) -> str:
        result = await session.call_tool(name, arguments)
        return "".join(part.text for part in result.content)  # type: ignore[union-attr]

    return call


# From the documents to a call


def test_agents_txt(site: Server, shop: Shop) -> None:
    """Without a declared transport, streamable HTTP is tried, then SSE."""
    publish(site, "agents-txt", shop.url)

    async def go(session: mcp.Session) -> None:
        assert session.transport == shop.kind
        assert session.endpoint == McpEndpoint(
            shop.url, None, ("search", "place-order")
        )
        assert session.protocol_version == shop.revision
        assert (session.initialize_result is None) is (shop.revision == MODERN)
        found = {tool.name: tool for tool in await session.tools()}
        said = {
            n: (t.capabilities, t.allowed, t.decision.reason) for n, t in found.items()
        }
        assert said == {
            "search": (("search",), True, "capability-granted"),
            "place_order": (("place-order",), False, "capability-not-granted"),
            "refund": ((), False, "unknown-capability"),
        }
        assert await calling("search", query="mugs")(session) == "found mugs"
        with pytest.raises(mcp.PolicyDenied, match="line 11: Bot") as refused:
            await session.call_tool("place_order", {"item": "mug"})
        decision = refused.value.decision
        assert decision is not None and decision.reason == "capability-not-granted"
        with pytest.raises(mcp.PolicyDenied, match="unknown-capability"):
            await session.call_tool("refund")
        with pytest.raises(mcp.NotDeclared, match="no tool 'nothing'"):
            await session.call_tool("nothing")

    shop.called.clear()
    within(site.url, go)
    assert shop.called == [("search", "mugs")]


def test_requests_of_2026_07_28_have_their_headers_and_no_session(
    site: Server, streamable: Shop
) -> None:
    publish(site, "agents-txt", streamable.url)
    streamable.headers.clear()
    assert within(site.url, calling("search", query="mugs")) == "found mugs"
    sent = [(h["mcp-method"], h.get("mcp-name")) for h in streamable.headers]
    assert sent == [
        ("server/discover", None),
        ("tools/list", None),
        ("tools/call", "search"),
    ]
    for headers in streamable.headers:
        assert headers["mcp-protocol-version"] == MODERN
        assert "mcp-session-id" not in headers


@pytest.mark.parametrize(
    ("status", "body", "revisions"),
    [
        (400, "Unsupported protocol version", 2),
        (404, "", 2),
        (500, "", 2),
        (400, {"code": -32601, "message": "unknown"}, 2),
        (400, {"code": -32022, "message": "no", "data": {"supported": [OLDER]}}, 2),
        (
            400,
            {"code": -32022, "message": "no", "data": {"supported": ["2030-01-01"]}},
            1,
        ),
        (400, {"code": -32020, "message": "header"}, 1),
        (401, "", 1),
        (403, {"code": -32601, "message": "unknown"}, 1),
    ],
)
def test_only_an_older_server_is_asked_to_initialize(
    site: Server, status: int, body: Any, revisions: int
) -> None:
    asked: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        request = await Request(scope, receive).json()
        asked.append(request["method"])
        error = {"jsonrpc": "2.0", "id": request["id"], "error": body}
        is_text = isinstance(body, str)
        answer = (
            PlainTextResponse(body, status) if is_text else JSONResponse(error, status)
        )
        await answer(scope, receive, send)

    with app_serving(app) as port:
        publish(site, "agents-txt", f"http://127.0.0.1:{port}/mcp")
        with pytest.raises(mcp.McpError):
            within(site.url, transport="streamable-http")
    assert asked == ["server/discover", "initialize"][:revisions]


def test_the_list_of_tools_is_asked_for_again_when_it_is_stale(site: Server) -> None:
    with mcp_serving(ttl_ms=300) as shop:
        publish(site, "agents-txt", shop.url)

        async def go(session: mcp.Session) -> None:
            for _ in range(3):
                await session.permission("search")
            await anyio.sleep(0.4)
            await session.permission("search")

        within(site.url, go)
    methods = [headers["mcp-method"] for headers in shop.headers]
    assert methods.count("tools/list") == 2


def test_a_tool_that_asks_for_input_of_a_person_fails_in_words(site: Server) -> None:
    more = {"agent": "Bot/1.0", "allow_private": True, "discovery": {"cache": False}}
    with mcp_serving(asks=True) as shop:
        publish(site, "agents-md", shop.url, "streamable-http")
        with pytest.raises(calls.CallFailed, match="asks for input") as failed:
            calls.call(site.url, "ask", {}, **more)
    assert failed.value.failure == "tool"


def test_agents_md_names_the_transport(site: Server, shop: Shop) -> None:
    publish(site, "agents-md", shop.url, shop.kind)
    shop.headers.clear()

    async def go(session: mcp.Session) -> None:
        assert (session.endpoint.transport, session.transport) == (shop.kind, shop.kind)
        assert session.decision.cannot == ("Place orders without a human",)
        assert [tool.decision.reason for tool in await session.tools()] == [
            "protocol-endpoint"
        ] * 3
        assert await calling("search", query="cups")(session) == "found cups"

    within(site.url, go)


def test_agents_md_with_the_other_transport_gives_no_session(
    site: Server, streamable: Shop
) -> None:
    publish(site, "agents-md", streamable.url, "sse")
    with pytest.raises(mcp.ConnectionFailed):
        within(site.url)
    assert (
        within(site.url, calling("search", query="a"), transport="streamable-http")
        == "found a"
    )


def test_agent_json(site: Server, shop: Shop) -> None:
    publish(site, "awp", shop.url)
    asked: list[Any] = []

    def confirm(decision: agentsdisc.Decision, name: str, arguments: Any) -> bool:
        asked.append((decision.sensitivity, name, dict(arguments)))
        return arguments["item"] == "mug"

    async def go(session: mcp.Session) -> None:
        found = {tool.name: tool for tool in await session.tools()}
        assert found["search"].capabilities == ("find",)
        assert await calling("search", query="mugs")(session) == "found mugs"
        assert await calling("place_order", item="mug")(session) == "bought"
        with pytest.raises(mcp.ConfirmationRefused, match="did not agree"):
            await session.call_tool("place_order", {"item": "car"})

    shop.called.clear()
    # The server listens on another port; a token is sent there only with approval.
    approved = {"token": "SECRET", "approve": [shop.url]}
    within(site.url, go, confirm=confirm, **approved)
    assert shop.called == [("search", "mugs"), ("place_order", "mug")]
    assert asked == [
        ("irreversible", "place_order", {"item": i}) for i in ("mug", "car")
    ]
    for options, error, why in [
        (approved, mcp.ConfirmationRefused, "give `confirm`"),
        ({"confirm": confirm}, mcp.CredentialsNeeded, "needs credentials"),
    ]:
        with pytest.raises(error, match=why):
            within(site.url, calling("place_order", item="mug"), **options)
    assert len(shop.called) == 2


def test_confirmation_may_be_asynchronous_and_only_true_is_consent(
    streamable: Shop, site: Server
) -> None:
    publish(site, "awp", streamable.url)

    async def yes(decision: Any, name: str, arguments: Any) -> bool:
        await anyio.sleep(0)
        return True

    call = calling("place_order", item="mug")
    approved = {"token": "SECRET", "approve": [streamable.url]}
    assert within(site.url, call, confirm=yes, **approved) == "bought"
    with pytest.raises(mcp.ConfirmationRefused):
        within(site.url, call, confirm=lambda *_: "no", **approved)


def test_documents_and_discovered_sites_serve_as_well(
    streamable: Shop, site: Server
) -> None:
    publish(site, "agents-txt", streamable.url)
    found = agentsdisc.discover(site.url, allow_private=True, cache=False)
    call = calling("search", query="a")
    for where in (found, found.document, found.documents):
        assert within(where, call) == "found a"


def test_trio(streamable: Shop) -> None:
    document = agentsdisc.parse(
        TXT.format(site=streamable.url[:-4], mcp=streamable.url)
    )

    async def go() -> Any:
        with anyio.fail_after(120):
            async with mcp.connect(
                document, agent="Bot", allow_private=True
            ) as session:
                return await calling("search", query="a")(session)

    assert anyio.run(go, backend="trio") == "found a"


def test_exceptions_of_the_block_propagate_unchanged(streamable: Shop) -> None:
    document = agentsdisc.parse(
        TXT.format(site=streamable.url[:-4], mcp=streamable.url)
    )
    mine = KeyError("mine")

    async def go(session: mcp.Session) -> None:
        raise mine

    with pytest.raises(KeyError) as raised:
        within(document, go)
    assert raised.value is mine


# Rate limits


def test_rate_limits_are_kept(streamable: Shop) -> None:
    document = agentsdisc.parse(
        TXT.format(site=streamable.url[:-4], mcp=streamable.url)
    )

    async def go(session: mcp.Session) -> None:
        for _ in range(2):
            await calling("search", query="a")(session)
        with pytest.raises(mcp.RateLimited) as limited:
            await session.call_tool("search", {"query": "a"})
        assert 3500 < limited.value.seconds <= 3600

    within(document, go)


def test_the_limiter() -> None:
    text = TXT.format(site="https://a.example", mcp="https://a.example/mcp")
    decide = agentsdisc.parse(text).decide
    search = decide(agent="Bot", capability="search")
    other = decide(agent="Other", url="/x")
    limiter = mcp.Limiter()
    assert limiter.take(search, 0.0) == 0
    assert limiter.take(search, 100.0) == 0
    assert limiter.take(search, 200.0) == 3400
    assert limiter.take(other, 200.0) == 0
    assert limiter.take(search, 3600.5) == 0
    never = agentsdisc.parse(text.replace("2/hour", "0/hour")).decide(
        agent="Bot", capability="search"
    )
    assert limiter.take(never, 0.0) == float("inf")


def test_a_limit_that_two_documents_state_is_one_limit() -> None:
    text = agentsdisc.parse(
        TXT.format(site="https://a.example", mcp="https://a.example/mcp")
    )
    both = [agentsdisc.parse(bytes(text.convert("agents-json"))), text]
    search = agentsdisc.decide(both, agent="Bot", capability="search")
    assert len(search.rate_limits) == 2
    limiter = mcp.Limiter()
    assert limiter.take(search, 0.0) == 0
    assert limiter.take(search, 1.0) == 0
    assert limiter.take(search, 2.0) == 3598


def test_errors_go_from_one_process_to_another() -> None:
    text = TXT.format(site="https://a.example", mcp="https://a.example/mcp")
    decision = agentsdisc.parse(text).decide(agent="Bot", capability="search")
    for error in (
        mcp.RateLimited("no room\x1b", decision, 5.5),
        mcp.PolicyDenied("no", decision),
        mcp.NotDeclared("none"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error)
        assert vars(again) == vars(error)


def test_a_wait_that_is_none_is_refused() -> None:
    document = agentsdisc.parse(TXT.format(site="https://a.example", mcp="x"))
    for seconds in (-1, float("nan")):
        with pytest.raises(ValueError, match="max_wait must be 0 s or more"):
            within(document, max_wait=seconds)
    with pytest.raises(TypeError, match="agent must be str, not int"):
        within(document, agent=5)


# Refusals before anything is sent


@pytest.mark.parametrize("kind", ["agents-txt", "agents-md", "awp"])
def test_endpoints_on_other_domains_are_refused(site: Server, kind: str) -> None:
    with serving() as evil:
        foreign = f"http://evil.test:{evil.port}/mcp"
        publish(site, kind, foreign)
        for options in ({}, {"endpoint": foreign}, {"token": "SECRET"}):
            with pytest.raises(
                mcp.PolicyDenied, match="is not connected to"
            ) as refused:
                within(site.url, **options)
            assert refused.value.decision is not None
            assert refused.value.decision.reason == "cross-origin-endpoint"
        assert evil.asked == []


def test_an_approved_endpoint_is_connected_to_but_without_credentials(
    site: Server,
) -> None:
    """An approved endpoint is the caller's choice, but still needs encryption."""
    publish(site, "agents-md", "http://evil.test:1/mcp")
    with pytest.raises(mcp.CredentialsRefused, match="insecure"):
        within(site.url, approve=["http://evil.test:1/mcp"], token="SECRET")
    with pytest.raises(mcp.ConnectionFailed):
        within(site.url, approve=["http://evil.test:1/mcp"])
    with pytest.raises(mcp.NotDeclared):
        within(site.url, endpoint="http://evil.test:2/mcp")


@pytest.mark.parametrize(
    "given", [{"token": "SECRET"}, {"headers": {"X-Api-Key": "SECRET"}}]
)
def test_credentials_need_encryption(given: dict[str, Any]) -> None:
    document = agentsdisc.parse(
        TXT.format(site="http://shop.example", mcp="http://shop.example/mcp")
    )
    with pytest.raises(mcp.PolicyDenied) as refused:
        within(document, **given)
    assert isinstance(refused.value, mcp.CredentialsRefused) and "SECRET" not in str(
        refused.value
    )


@pytest.mark.parametrize("bad", ["a\r\nX-Other: b", "a\tb", "ä", " Q", "a\0"])
def test_credentials_that_would_be_another_header_are_refused(bad: str) -> None:
    document = agentsdisc.parse(
        TXT.format(site="https://shop.example", mcp="https://shop.example/mcp")
    )
    for given in (
        {"token": bad},
        {"headers": {"X-Api-Key": bad}},
        {"headers": {bad: "a"}},
    ):
        with pytest.raises(ValueError, match="not valid in a header") as refused:
            within(document, **given)
        assert bad not in str(refused.value)


@pytest.mark.parametrize("name", ["Host", "User-Agent", "Origin", "Content-Length"])
def test_headers_that_are_no_credentials_are_refused(name: str) -> None:
    document = agentsdisc.parse(
        TXT.format(site="https://shop.example", mcp="https://shop.example/mcp")
    )
    with pytest.raises(ValueError, match=f"{name!r} cannot be given"):
        within(document, headers={name: "evil.test"})


def test_the_token_goes_where_the_documents_say(streamable: Shop, site: Server) -> None:
    publish(site, "agents-txt", streamable.url)
    call, approve = calling("search", query="a"), [streamable.url]
    streamable.headers.clear()
    # Another port of the same machine belongs to another program.
    with pytest.raises(mcp.CredentialsRefused, match="other-domain"):
        within(site.url, call, token="SECRET")
    assert streamable.headers == []
    site.headers.clear()
    within(site.url, call, token="SECRET", approve=approve)
    assert {h.get("authorization") for h in streamable.headers} == {"Bearer SECRET"}
    assert {h.get("user-agent") for h in streamable.headers} == {"Bot/1.0"}
    assert {h.get("User-Agent") for h in site.headers} == {"Bot/1.0"}
    # Discovery receives no credentials.
    assert not any(
        "SECRET" in value for asked in site.headers for value in asked.values()
    )
    key = MD.format(mcp=streamable.url, transport="  auth: api_key\n")
    with pytest.raises(ValueError, match="give `headers`"):
        within(agentsdisc.parse(key), origin=site.url, token="SECRET", approve=approve)
    streamable.headers.clear()
    within(
        agentsdisc.parse(key),
        call,
        origin=site.url,
        headers={"X-Api-Key": "SECRET"},
        approve=approve,
    )
    assert {h.get("x-api-key") for h in streamable.headers} == {"SECRET"}


def test_private_addresses_are_refused(streamable: Shop) -> None:
    document = agentsdisc.parse(
        TXT.format(site=streamable.url[:-4], mcp=streamable.url)
    )
    streamable.headers.clear()
    with pytest.raises(mcp.ConnectionFailed, match="not public"):
        within(document, allow_private=False)
    assert streamable.headers == []


def test_documents_without_an_endpoint(site: Server) -> None:
    site.pages["/.well-known/agents.txt"] = Page(
        "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n"
    )
    with pytest.raises(mcp.NotDeclared, match="no MCP endpoint"):
        within(site.url)
    with pytest.raises(ValueError, match="transport is"):
        within(site.url, transport="stdio")
    with pytest.raises(TypeError, match="several URLs"):
        within(
            agentsdisc.parse("# A\n## Can\n", format="agents-md"),
            approve="https://a.example",
        )


def test_one_granted_capability_suffices_to_connect(streamable: Shop) -> None:
    """The order of the capabilities at the endpoint has no effect."""
    text = TXT.format(site=streamable.url[:-4], mcp=streamable.url)
    head, tail = text[: text.index("Capability: ")], text[text.index("Agent: ") :]
    first, second = re.findall(r"Capability: (?:.|\n)*?(?=Capability: |Agent: )", text)
    for where in (text, head + second + first + tail):
        assert (
            within(agentsdisc.parse(where), calling("search", query="a")) == "found a"
        )


def test_the_same_id_elsewhere_permits_no_foreign_endpoint() -> None:
    own = TXT.format(site="https://shop.example", mcp="https://shop.example/s")
    other = TXT.format(site="https://shop.example", mcp="https://evil.test/mcp")
    documents = [agentsdisc.parse(own.replace("MCP", "REST")), agentsdisc.parse(other)]
    assert documents[0].decide(agent="Bot", capability="search").allowed
    for where in (documents, documents[::-1]):
        with pytest.raises(mcp.PolicyDenied, match="is not connected to"):
            within(where, origin="https://shop.example", token="SECRET")


# Tools and capabilities


@pytest.mark.parametrize(
    ("ids", "tools", "expected"),
    [
        (["search"], ["search", "other"], {"search": ("search",), "other": ()}),
        (["place-order"], ["Place_Order"], {"Place_Order": ("place-order",)}),
        (["mcp"], ["search", "order"], {"search": ("mcp",), "order": ("mcp",)}),
        (
            ["search", "shop"],
            ["search", "order"],
            {"search": ("search",), "order": ("shop",)},
        ),
        (["a", "b"], ["search"], {"search": ("a", "b")}),
        ([], ["search"], {"search": ()}),
    ],
)
def test_which_capability_a_tool_is(
    ids: list[str], tools: list[str], expected: dict[str, tuple[str, ...]]
) -> None:
    blocks = "".join(
        f"Capability: {id}\n  Endpoint: https://a.example/mcp\n  Protocol: MCP\n"
        for id in ids
    )
    document = agentsdisc.parse(
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n{blocks}"
    )
    rules = Rules.of(document, agent="Bot", origin=None, approve=())
    of = capabilities_of(
        rules, McpEndpoint("https://a.example/mcp", None, tuple(ids)), tools
    )
    assert {tool: of(tool) for tool in tools} == expected


# The command line


@pytest.fixture
def cli(
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Callable[..., tuple[int, str, str]]]:
    """Runs the command line in this process, because importing the SDK takes longer than the test."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(
            ["mcp", *arguments, "--agent", "Bot/1.0", "--allow-private", "--no-cache"]
        )
        return code, *capsys.readouterr()

    yield run
    logging.disable(logging.NOTSET)


def test_the_command_line(
    cli: Callable[..., tuple[int, str, str]],
    site: Server,
    streamable: Shop,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    publish(site, "agents-txt", streamable.url)
    monkeypatch.setenv("AGENTSDISC_MCP_TOKEN", "SECRET")
    done = [cli(site.url)]
    assert done[0][0] == 1 and "(other-domain)" in done[0][2]
    approve = ("--approve", streamable.url)
    done.append(cli(site.url, *approve))
    code, out, _ = done[-1]
    assert code == 0
    assert "search  allowed [capability-granted]" in out
    assert "place_order  not allowed [capability-not-granted]" in out
    assert "rate limit  2/hour" in out
    code, out, _ = cli(site.url, *approve, "--list", "--json")
    assert [tool["name"] for tool in json.loads(out)["tools"]] == [
        "search",
        "place_order",
        "refund",
    ]
    done.append(cli(site.url, *approve, "--call", "search", '{"query": "mugs"}'))
    assert done[-1][:2] == (0, "found mugs\n")
    done.append(cli(site.url, *approve, "--call", "place_order", '{"item": "a"}'))
    assert done[-1][:2] == (1, "") and "capability-not-granted" in done[-1][2]
    for arguments, why in [
        (("--call", "search", "[]"), "JSON object"),
        (("--call", "search", "{}", "x"), "one JSON object"),
        (("--call", "nothing"), "no tool"),
        (("--endpoint", "https://other.example/mcp"), "declare no MCP endpoint"),
    ]:
        code, _, said = cli(site.url, *approve, *arguments)
        assert code == 2 and why in said, arguments
    # The tool returns an error.
    assert cli(site.url, *approve, "--call", "search", '{"query": 1}')[0] == 2
    assert not any("SECRET" in text for _, *texts in done for text in texts)


def test_the_command_line_in_a_process_of_its_own(
    run: Run, site: Server, streamable: Shop
) -> None:
    publish(site, "agents-txt", streamable.url)
    common = ["--agent", "Bot/1.0", "--allow-private", "--no-cache"]
    done = run(
        "mcp", site.url, *common, "--call", "search", '{"query": "mugs"}', check=0
    )
    assert (done.stdout, done.stderr) == ("found mugs\n", "")


@pytest.mark.parametrize("missing", ["mcp", "httpx2", "httpx", "anyio"])
def test_the_error_names_the_package_to_install(missing: str) -> None:
    script = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from agentsdisc.cli import main\n"
        "sys.exit(main(['mcp', 'https://a.example', '--agent', 'Bot']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and "agentsdisc[mcp]" in done.stderr, done.stderr


def test_the_guide(
    streamable: Shop, site: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Runs the guide's example with the site of this test."""
    publish(site, "agents-txt", streamable.url)
    guide = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    (example,) = re.findall(
        r"```py\n(import agentsdisc\.mcp\n.*?)```", guide, re.DOTALL
    )
    here = 'agent="Bot/1.0", allow_private=True, discovery={"cache": False}'
    for old, new in [('agent="MyBot/1.0"', here), ("https://mugs.example", site.url)]:
        assert old in example
        example = example.replace(old, new)
    exec(example, {})
    assert capsys.readouterr().out == (
        "search True capability-granted\nplace_order False capability-not-granted\n"
        "refund False unknown-capability\nfound mugs\n"
    )
