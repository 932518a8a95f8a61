"""Calls of operations that OpenAPI descriptions describe."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import agentsdisc
import pytest
from agentsdisc import calls
from agentsdisc.calls import openapi
from agentsdisc.discovery import Timeouts
from server import Page, endless, serving, silence, to
from shop import TOKEN, Shop, page

AGENT = "MugBot/1.0"
WORD = {"name": "q", "in": "query", "required": True, "schema": {"type": "string"}}


@pytest.fixture
def shop() -> Iterator[Shop]:
    with serving() as server:
        made = Shop(server)
        server.routes["/v1/"] = made.answer
        yield made


def description(paths: dict[str, Any], **members: Any) -> dict[str, Any]:
    info = {"title": "Mugs", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": paths, **members}


def operation(**members: Any) -> dict[str, Any]:
    return {"operationId": "find", "responses": {}, **members}


def body_of(members: dict[str, Any], *needed: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": members, "required": list(needed)}
    content = {"application/json": {"schema": schema}}
    return {"required": True, "content": content}


def made(shop: Shop, text: Any, arguments: dict[str, Any], **options: Any) -> Any:
    """Calls a capability of an agents.txt that names the description."""
    lines = options.pop("lines", [])
    endpoint = options.pop("endpoint", "/api/search")
    method = options.pop("method", "GET")
    if isinstance(text, dict):
        text = page(text)
    shop.server.pages["/openapi.json"] = text
    manifest = "\n".join(
        [
            f"Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: {shop.url}",
            *(line for line in lines if not line.startswith(" ")),
            f"Capability: search\n  Endpoint: {shop.url}{endpoint}\n  Method: {method}",
            f"  Protocol: REST\n  OpenAPI: {shop.url}/openapi.json",
            *(line for line in lines if line.startswith(" ")),
        ]
    )
    settings = {
        "agent": AGENT,
        "origin": shop.url,
        "allow_private": True,
        "limiter": calls.Limiter(),
        **options,
    }
    return calls.call(
        agentsdisc.parse(manifest + "\n"), "search", arguments, **settings
    )


def refused(problem: str, *asked: Any, **options: Any) -> None:
    with pytest.raises(calls.CallRefused) as caught:
        made(*asked, **options)
    assert caught.value.problem == problem


def test_the_operation_at_the_endpoint(shop: Shop) -> None:
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer"}}
    text = description({"/api/search": {"get": operation(parameters=[WORD, limit])}})
    answer = made(shop, text, {"q": "blue & white", "limit": 3})
    assert answer.data["items"][0]["name"] == "blue & white mug"
    assert [step.kind for step in answer.steps] == ["document", "call"]
    assert shop.asked[-1]["query"] == {"q": "blue & white", "limit": "3"}
    refused("missing-argument", shop, text, {"limit": 3})
    refused("wrong-type", shop, text, {"q": "a", "limit": "many"})
    refused("unknown-argument", shop, text, {"q": "a", "page": 1})
    assert len(shop.asked) == 1
    assert made(shop, text, {"q": "a", "limit": "4"}, from_text=True).status == 200


def test_a_dry_run_reads_the_description_only(shop: Shop) -> None:
    text = description({"/api/search": {"get": operation(parameters=[WORD])}})
    planned = made(shop, text, {"q": "a b"}, dry_run=True)
    line = f"curl --request GET --user-agent {AGENT} '{shop.url}/api/search?q=a%20b'"
    assert str(planned) == line
    assert isinstance(planned.request, calls.HttpRequest)
    assert shop.asked == []


def test_servers_references_and_every_place(shop: Shop) -> None:
    text = description(
        {
            "/mugs/{sku}": {
                "parameters": [{"$ref": "#/components/parameters/Sku"}],
                "post": operation(
                    operationId="search",
                    parameters=[
                        {"name": "X-Shop", "in": "header", "schema": {"enum": ["a"]}},
                        {
                            "name": "tag",
                            "in": "query",
                            "schema": {"type": "array", "items": {"type": "string"}},
                        },
                    ],
                    requestBody={"$ref": "#/components/requestBodies/Order"},
                ),
            }
        },
        servers=[{"url": "/{v}", "variables": {"v": {"default": "v1"}}}],
        components={
            "parameters": {
                "Sku": {
                    "name": "sku",
                    "in": "path",
                    "required": True,
                    "schema": {"type": "string"},
                }
            },
            "requestBodies": {
                "Order": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "allOf": [{"$ref": "#/components/schemas/Base"}],
                                "properties": {"note": {"type": ["string", "null"]}},
                            }
                        }
                    },
                }
            },
            "schemas": {
                "Base": {
                    "properties": {
                        "count": {"type": "integer"},
                        "id": {"type": "string", "readOnly": True},
                    },
                    "required": ["count", "id"],
                }
            },
        },
    )
    arguments = {
        "sku": "a/b?c",
        "X-Shop": "a",
        "tag": ["x&y", "z"],
        "count": 2,
        "note": "n",
    }
    answer = made(shop, text, arguments)
    (asked,) = shop.asked
    assert (
        answer.steps[-1].request.url == f"{shop.url}/v1/mugs/a%2Fb%3Fc?tag=x%26y&tag=z"
    )
    assert (asked["method"], asked["body"]) == ("POST", {"count": 2, "note": "n"})
    assert asked["headers"]["x-shop"] == "a"
    refused("missing-argument", shop, text, {"sku": "a"})
    refused("not-an-option", shop, text, arguments | {"X-Shop": "b"})
    refused("wrong-type", shop, text, arguments | {"tag": "x"})
    refused("wrong-type", shop, text, arguments | {"tag": [{}]})
    refused("invalid-value", shop, text, arguments | {"sku": ".."})
    assert len(shop.asked) == 1


def test_the_rules_apply_to_the_url_that_the_description_makes(shop: Shop) -> None:
    text = description({"/v1/secret": {"get": operation(operationId="search")}})
    lines = ["Disallow: /v1/*"]
    with pytest.raises(calls.CallError, match="not called"):
        made(shop, text, {"q": "a"}, lines=lines, undeclared=True)
    with pytest.raises(calls.CallError, match="not requested"):
        made(shop, text, {"q": "a"}, lines=["Disallow: /openapi.json"])
    assert shop.asked == []
    assert "/openapi.json" in shop.server.paths


@pytest.mark.parametrize("auth", ["bearer-token", None])
def test_other_servers_get_no_credentials(shop: Shop, auth: str | None) -> None:
    with serving() as elsewhere:
        other = Shop(elsewhere)
        url = elsewhere.url.replace("127.0.0.1", "localhost")
        text = description(
            {
                "/api/search": {
                    "get": operation(operationId="search", parameters=[WORD])
                }
            },
            servers=[{"url": url}],
        )
        lines = [f"  Auth: {auth}"] if auth else []
        with pytest.raises(calls.CallError) as caught:
            made(
                shop,
                text,
                {"q": "a"},
                lines=lines,
                endpoint="/other",
                credentials=TOKEN,
                approve=[] if auth else [url],
            )
        assert TOKEN not in str(caught.value)
        assert other.asked == [] and shop.asked == []


def test_another_domain_needs_approval(shop: Shop) -> None:
    find = operation(operationId="search", parameters=[WORD])
    elsewhere = "https://evil.example"
    text = description({"/find": {"get": find}}, servers=[{"url": elsewhere}])
    given = {"credentials": TOKEN, "dry_run": True, "lines": ["  Auth: bearer-token"]}
    with pytest.raises(calls.PolicyDenied, match="cross-origin-endpoint"):
        made(shop, text, {"q": "a"}, **given)
    planned = made(shop, text, {"q": "a"}, approve=[f"{elsewhere}/find"], **given)
    assert planned.request.url == f"{elsewhere}/find?q=a"


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("url", ["https://evil.example/openapi.json", "//evil", "x:y"])
def test_a_description_elsewhere_is_not_requested(
    shop: Shop, url: str, is_known: bool
) -> None:
    manifest = (
        f"Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: {shop.url}\nCapability: search\n"
        f"  Endpoint: {shop.url}/api/search\n  Protocol: REST\n  OpenAPI: {url}\n"
    )
    options: dict[str, Any] = {"agent": AGENT, "allow_private": True}
    with pytest.raises(calls.CallError, match=r"not requested|use a client of it"):
        calls.call(
            agentsdisc.parse(manifest),
            "search",
            {"q": "a"},
            origin=shop.url if is_known else None,
            **options,
        )
    assert shop.server.asked == []


def test_a_credential_goes_to_the_own_server(shop: Shop) -> None:
    sku = {"sku": {"type": "string"}}
    text = description(
        {"/api/order": {"post": operation(requestBody=body_of(sku, "sku"))}}
    )
    given = {"endpoint": "/api/order", "method": "POST", "credentials": TOKEN}
    answer = made(shop, text, {"sku": "m1"}, lines=["  Auth: bearer-token"], **given)
    assert answer.data["order_id"] == "o1"
    headers = [each for each in shop.server.headers if "Authorization" in each]
    assert len(headers) == 1  # not the request of the description


@pytest.mark.parametrize(
    "text",
    [
        Page("openapi: 3.1.0\n"),
        Page("[" * 100_000),
        page([]),
        page({"swagger": "2.0", "paths": {}}),
        page(description({})),
        page(description({"/api/search": {"get": 7}})),
        page(description({"/api/search": []})),
        page({"openapi": "3.0.0", "paths": 1}),
        page(
            description(
                {"/api/search": {"get": operation()}},
                servers=[
                    {
                        "url": "/{a}",
                        "variables": {
                            "a": {"default": "{b}" * 1000},
                            "b": {"default": "{c}" * 1000},
                            "c": {"default": "{d}" * 1000},
                        },
                    }
                ],
            )
        ),
        page(
            description(
                {
                    "/api/search": {
                        "get": operation(
                            requestBody=body_of({f"p{i}": {} for i in range(50_000)})
                        )
                    }
                }
            )
        ),
        page(
            description(
                {"/api/search": {"get": operation(parameters=[{"$ref": "#/x"}])}},
                x={"$ref": "#/x"},
            )
        ),
        page(
            description(
                {"/api/search": {"get": operation(parameters=[{"$ref": "http://a.b"}])}}
            )
        ),
        page(
            description(
                {"/api/search": {"get": operation(parameters=[{"in": "query"}])}}
            )
        ),
        page(
            description(
                {
                    "/api/search": {
                        "get": operation(
                            parameters=[{**WORD, "in": "cookie", "required": True}]
                        )
                    }
                }
            )
        ),
        page(
            description(
                {"/api/search": {"get": operation(requestBody={"required": True})}}
            )
        ),
    ],
)
def test_a_description_that_says_too_little(shop: Shop, text: Page) -> None:
    with pytest.raises(calls.ClientNeeded) as caught:
        made(shop, text, {"q": "a"})
    assert caught.value.operation.protocol == "openapi"
    assert shop.asked == []


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Page(status=404), calls.CallFailed),
        (to("/elsewhere"), calls.CallFailed),
        (endless, calls.LimitExceeded),
        (silence, calls.CallError),
    ],
)
def test_a_description_that_does_not_arrive(
    shop: Shop, answer: Any, kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        made(
            shop,
            answer,
            {"q": "a"},
            max_response=1 << 20,
            timeouts=agentsdisc.discovery.Timeouts(request=1, total=2),
        )
    assert shop.asked == [] and "/elsewhere" not in shop.server.paths


def test_an_operation_of_awp_by_its_id(shop: Shop) -> None:
    text = description(
        {
            "/api/search": {"get": operation(parameters=[WORD])},
            "/api/other": {"get": operation(operationId="other")},
        }
    )
    shop.server.pages["/openapi.json"] = page(text)
    manifest = {
        "awp_version": "0.2",
        "domain": "127.0.0.1",
        "intent": "Sells mugs.",
        "protocols": {
            "openapi": {"version": "3.1", "endpoint": f"{shop.url}/openapi.json"}
        },
        "actions": [
            {
                "id": "search",
                "description": "Searches.",
                "via": "openapi",
                "operation": "find",
                "auth_required": False,
                "inputs": {"q": {"type": "string", "required": True}},
                "outputs": {"total": "integer"},
            }
        ],
    }
    answer = calls.call(
        agentsdisc.parse(json.dumps(manifest)),
        "search",
        {"q": "a"},
        agent=AGENT,
        origin=shop.url,
        allow_private=True,
    )
    assert answer.outputs[0].value == 1
    assert shop.kinds == ["GET /api/search"]


def _hostile() -> dict[str, Any]:
    """Returns descriptions of about 1 MB in which much refers to one place."""
    methods = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
    item: dict[str, Any] = {key: {"operationId": "z"} for key in methods}
    variables: dict[str, Any] = {f"v{index}": {} for index in range(20_000)}
    servers = [{"url": "/{v}" * 300, "variables": variables}]
    long = [{"url": "/" + "a" * 2000} for _ in range(16)]
    paths = {f"/{index}": {"$ref": "#/x"} for index in range(30_000)}
    chain = {f"r{index}": {"$ref": f"#/r{index + 1}"} for index in range(30)}
    word = {"name": "a", "in": "query"}
    many: dict[str, Any] = {f"p{index}": {} for index in range(20_000)}
    whole = {"allOf": [{"$ref": "#/s"}] * 30_000}
    body = {"content": {"application/json": {"schema": whole}}}
    kind = {"schema": {"$ref": "#/s"}, "in": "query"}
    typed = [{"name": f"n{index}", **kind} for index in range(10_000)]
    return {
        "variables": {"x": {**item, "servers": servers}, "paths": paths},
        "servers": {"x": {**item, "servers": long}, "paths": paths},
        "references": {
            **chain,
            "r30": word,
            "paths": {
                "/api/search": {"get": {"parameters": [{"$ref": "#/r0"}] * 50_000}}
            },
        },
        "cycle": {"a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}, "paths": paths},
        "allOf": {
            "s": {"properties": many},
            "paths": {"/api/search": {"get": {"requestBody": body}}},
        },
        "types": {
            "s": {"type": ["string"] * 90_000},
            "paths": {"/api/search": {"get": {"parameters": typed}}},
        },
    }


@pytest.mark.parametrize("name", _hostile())
def test_the_work_is_bounded_by_the_size_of_the_description(name: str) -> None:
    text = json.dumps(description(**_hostile()[name])).encode()

    def seconds() -> float:
        begun = time.process_time()
        with suppress(openapi.Unclear):
            openapi.read(
                text,
                "https://mugs.example/o.json",
                operation=None,
                endpoint="https://mugs.example/api/search",
                method="GET",
                capability="search",
            )
        return time.process_time() - begun

    # Quadratic reading takes minutes. A busy machine takes longer, so there are several attempts.
    assert any(seconds() < 2 for _ in range(10))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b" " * (5 << 20), "larger than 4 MiB"),
        (
            b'{"openapi": "3.1.0", "x": [' + b"[]," * 200_000 + b"[]]}",
            "does not describe",
        ),
        (b"[" * 100_000, "not an OpenAPI description in JSON"),
    ],
)
def test_a_description_beyond_the_bounds_is_refused(text: bytes, reason: str) -> None:
    with pytest.raises(openapi.Unclear, match=reason):
        openapi.read(
            text,
            "https://mugs.example/o.json",
            operation=None,
            endpoint=None,
            method=None,
            capability="search",
        )


def test_a_description_that_trickles_ends_at_the_time_limit(shop: Shop) -> None:
    def trickle(handler: Any) -> None:
        handler.send_response_only(200)
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        while not handler.server.stopping.wait(0.02):
            handler.wfile.write(b" ")

    begun = time.monotonic()
    with pytest.raises(calls.LimitExceeded):
        made(shop, trickle, {"q": "a"}, timeouts=Timeouts(total=0.5))
    assert time.monotonic() - begun < 50


def test_a_description_that_takes_long_ends_at_the_time_limit(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = description({"/api/search": {"get": operation(parameters=[WORD])}})
    read, ended = openapi.read, threading.Event()

    def slowly(*given: Any, **options: Any) -> Any:
        ended.wait(120)
        return read(*given, **options)

    monkeypatch.setattr(openapi, "read", slowly)
    begun = time.monotonic()
    try:
        with pytest.raises(calls.LimitExceeded):
            made(shop, text, {"q": "a"}, timeouts=Timeouts(total=0.5))
        assert time.monotonic() - begun < 50
    finally:
        ended.set()


def test_the_last_of_two_equal_schemas_counts() -> None:
    parts = [{"$ref": "#/a"}, {"$ref": "#/b"}, {"$ref": "#/a"}]
    content = {"application/json": {"schema": {"allOf": parts}}}
    post = operation(requestBody={"content": content})
    whole = description(
        {"/api/search": {"post": post}},
        a={"properties": {"n": {"type": "string"}}},
        b={"properties": {"n": {"type": "integer"}, "m": {"type": "boolean"}}},
    )
    described = openapi.read(
        json.dumps(whole).encode(),
        "https://mugs.example/o.json",
        operation="find",
        endpoint=None,
        method=None,
        capability="search",
    )
    types = {each["name"]: each["type"] for each in described.parameters}
    assert types == {"n": "string", "m": "boolean"}
