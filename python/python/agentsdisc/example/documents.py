"""The documents of the example shop, in every format that the library reads, from one table of what the shop offers."""

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from .. import parse
from .._facts import FACTS

__all__ = ["OPERATIONS", "Answer", "Operation", "documents"]

NAME, ABOUT = "Mug Shop", "Mugs of clay, sent within a day."
_TERMS = "Prices include taxes. Please order at most ten mugs at a time."


@dataclass(frozen=True, slots=True)
class Input:
    """A parameter of an operation."""

    name: str
    type: str
    about: str
    required: bool = True
    place: str = "body"

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": self.type, "description": self.about}


@dataclass(frozen=True, slots=True)
class Operation:
    """What an agent can call."""

    id: str
    about: str
    method: str
    path: str
    inputs: tuple[Input, ...]
    outputs: dict[str, str]
    token: bool = False
    """Whether a token is required."""
    confirmed: bool = False
    """Whether a person must agree first."""
    per_minute: int | None = None
    """How many requests of one client are answered in a minute."""


_SKU = Input("sku", "string", "The number of a mug, such as m1")
OPERATIONS = (
    Operation(
        "search",
        "Finds mugs by words.",
        "GET",
        "/api/search",
        (
            Input("q", "string", "Words to look for", place="query"),
            Input("limit", "integer", "At most so many mugs", False, "query"),
        ),
        {"items": "array", "total": "integer"},
    ),
    Operation(
        "cart",
        "Puts a mug into a cart.",
        "POST",
        "/api/cart",
        (
            _SKU,
            Input("count", "integer", "How many", False),
            Input("cart", "string", "The cart, if there is one already", False),
        ),
        {"cart": "string", "total": "float"},
    ),
    Operation(
        "checkout",
        "Buys what is in a cart. It cannot be undone.",
        "POST",
        "/api/checkout",
        (Input("cart", "string", "The cart"),),
        {"order": "string", "total": "float"},
        confirmed=True,
    ),
    Operation(
        "status",
        "Says where an order is.",
        "GET",
        "/api/status",
        (Input("order", "string", "The order", place="query"),),
        {"order": "string", "status": "string"},
        token=True,
    ),
    Operation(
        "stock",
        "Says how many of a mug are left.",
        "GET",
        "/api/stock",
        (Input("sku", "string", "The number of a mug, such as m1", place="query"),),
        {"sku": "string", "left": "integer"},
        per_minute=5,
    ),
)
_OPEN = tuple(each for each in OPERATIONS if not each.token)
"""What formats describe that state one authentication for all operations."""
FORBIDDEN = Operation(
    "stocktake",
    "Counts all mugs. Only for the staff: robots.txt and agents.txt forbid it.",
    "POST",
    "/internal/stocktake",
    (),
    {"started": "boolean"},
)
"""Described by the OpenAPI description, and forbidden by the other documents."""
_SKILL = "---\nname: choose-a-mug\ndescription: Chooses a mug for a person.\n---\n\nAsk for the colour first. Then use `search`.\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a request: a document, or the result of an operation."""

    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 200


def documents(site: str) -> dict[str, Answer]:
    """Returns the documents of the shop by their paths. `site` is its origin, such as `http://127.0.0.1:8000`."""
    made = dict(_made(site))
    made["/agents.txt"] = made["/.well-known/agents.txt"]
    made["/agents.md"] = made["/.well-known/agents.md"]
    made["/.well-known/ai-catalog.json"] = made["/.well-known/ard.json"]
    return made


def _made(site: str) -> Iterator[tuple[str, Answer]]:
    text = parse(_agents_txt(site), format="agents-txt")
    yield "/.well-known/agents.txt", _served("agents-txt", text.bytes)
    companion = text.convert("agents-json", loosen=True)
    yield "/.well-known/agents.json", _served("agents-json", companion)
    yield (
        "/older/.well-known/agents.txt",
        _served("agents-txt-0.1", _agents_txt_01(site).encode()),
    )
    for name, path, make in _JSON:
        yield path, _served(name, json.dumps(make(site), indent=1).encode())
    for each in _OPEN:
        detail = json.dumps(_adp_detail(each, site), indent=1).encode()
        yield f"/capabilities/{each.id}", _served("adp-capability", detail)
    yield "/.well-known/agents.md", _served("agents-md", _agents_md(site).encode())
    yield "/llms.txt", _served("llms-txt", _llms_txt(site).encode())
    yield "/auth.md", _served("auth-md", _auth_md(site).encode())
    yield "/robots.txt", _served("robots-txt", _ROBOTS.encode())
    yield (
        "/.well-known/agent-skills/choose-a-mug/SKILL.md",
        Answer(_SKILL.encode(), {"Content-Type": "text/markdown; charset=utf-8"}),
    )


def _served(name: str, body: bytes) -> Answer:
    """Returns a document of a format with the headers that its specification asks for."""
    serving = FACTS[name].serving
    kind = serving["types"][0] if serving else "application/json"
    if kind.startswith("text/") or (serving and serving["charset"]):
        kind += "; charset=utf-8"
    age = serving["advice"] if serving else 3600
    headers = {
        "Content-Type": kind,
        "Cache-Control": f"public, max-age={age}",
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": "GET, OPTIONS",
    }
    if name == "api-catalog":
        # RFC 9727, section 2.
        headers["Link"] = '</.well-known/api-catalog>; rel="api-catalog"'
    return Answer(body, headers)


_ROBOTS = """\
User-agent: *
Allow: /
Disallow: /internal/
Content-Usage: train-ai=n
Content-Signal: ai-train=no
"""


def _agents_txt(site: str) -> str:
    lines = [
        "Spec-Version: 1.0",
        f"Site-Name: {NAME}",
        f"Site-URL: {site}",
        f"Site-Description: {ABOUT}",
        *(
            f"Allow: {path}"
            for path in ("/basket", "/report", "/a2a", "/.well-known/mcp")
        ),
        "Disallow: /internal/",
    ]
    for each in OPERATIONS:
        lines += [
            "",
            f"Capability: {each.id}",
            f"  Description: {each.about}",
            f"  Endpoint: {site}{each.path}",
            f"  Method: {each.method}",
            "  Protocol: REST",
        ]
        if each.token:
            lines += ["  Auth: bearer-token", f"  Auth-Endpoint: {site}/oauth/token"]
        if each.per_minute:
            lines.append(f"  Rate-Limit: {each.per_minute}/minute")
        for one in each.inputs:
            needed = ", required" if one.required else ""
            lines.append(
                f"  Param: {one.name} ({one.place}, {one.type}{needed}) - {one.about}"
            )
    lines += ["", f"Agents-JSON: {site}/.well-known/agents.json"]
    return "\n".join(lines) + "\n"


def _agents_txt_01(site: str) -> str:
    allowed = "".join(f"Allow: {each.id}\n" for each in _OPEN)
    return f"Site: {NAME}\nURL: {site}/older\n{allowed}Agents-JSON: {site}/older/.well-known/agents.json\n"


def _agents_json_01(site: str) -> dict[str, Any]:
    return {
        "schema_version": "0.1",
        "site": {"name": NAME, "url": f"{site}/older", "description": ABOUT},
        "capabilities": [
            {
                "name": each.id,
                "description": each.about,
                "endpoint": f"{site}{each.path}",
                "method": each.method,
                "params": {
                    one.name: {"type": one.type, "required": one.required}
                    for one in each.inputs
                },
            }
            for each in _OPEN
        ],
    }


def _agents_md(site: str) -> str:
    return f"""\
---
version: 1.0
---

# {NAME}

> {ABOUT}

## Can

- Search the mugs
- Put mugs into a cart
- Buy a cart, if a person agrees

## Cannot

- Count the stock of the whole shop

## Behavior

- {_TERMS}

## MCP

endpoint: {site}/.well-known/mcp
transport: streamable-http
auth: none
"""


def _auth_md(site: str) -> str:
    return f"""\
# auth.md - {NAME}

Orders need a token. There are no accounts: all agents have the same token, that of this example.

- What the token is for: {site}/.well-known/oauth-protected-resource
- Where it comes from: {site}/.well-known/oauth-authorization-server
"""


def _llms_txt(site: str) -> str:
    return f"""\
# {NAME}

> {ABOUT}

{_TERMS}

## API

- [OpenAPI description]({site}/openapi.json): everything that can be called
- [agents.txt]({site}/.well-known/agents.txt): what agents may do
"""


def _awp(site: str) -> dict[str, Any]:
    def action(each: Operation) -> dict[str, Any]:
        inputs = {
            one.name: {
                "type": one.type,
                "required": one.required,
                "description": one.about,
            }
            for one in each.inputs
        }
        made: dict[str, Any] = {
            "id": each.id,
            "description": each.about,
            "auth_required": each.token,
            "inputs": inputs,
            "outputs": each.outputs,
            "endpoint": f"{site}{each.path}",
            "method": each.method,
        }
        if each.confirmed:
            made |= {
                "sensitivity": "irreversible",
                "requires_human_confirmation": True,
                "reversible": False,
            }
        if each.per_minute:
            made["rate_limit"] = f"{each.per_minute}/minute"
        return made

    return {
        "awp_version": "0.2",
        "domain": urlsplit(site).hostname,
        "intent": ABOUT,
        "auth": {
            "type": "bearer",
            "required_for": [each.id for each in OPERATIONS if each.token],
        },
        "actions": [action(each) for each in OPERATIONS],
        "errors": {"RATE_LIMITED": {"recovery": "wait 60 seconds, then repeat"}},
        "agent_hints": {"orders": _TERMS},
    }


def _adp(site: str) -> dict[str, Any]:
    return {
        "spec_version": "1.0",
        "name": NAME,
        "description": ABOUT,
        "base_url": site,
        "auth": {"type": "none"},
        "capabilities": [
            {
                "name": each.id,
                "description": each.about,
                "detail_url": f"/capabilities/{each.id}",
            }
            for each in _OPEN
        ],
    }


_SAMPLES: dict[str, Any] = {
    "string": "m1",
    "integer": 1,
    "float": 12.5,
    "array": [],
    "boolean": True,
}


def _adp_detail(each: Operation, site: str) -> dict[str, Any]:
    sent = {one.name: _SAMPLES[one.type] for one in each.inputs if one.required}
    request: dict[str, Any] = {"method": each.method, "url": f"{site}{each.path}"}
    if each.method == "POST":
        request["body"] = sent
    else:
        request["url"] += "?" + "&".join(f"{k}={v}" for k, v in sent.items())
    made: dict[str, Any] = {
        "name": each.id,
        "description": each.about,
        "endpoint": each.path,
        "method": each.method,
        "parameters": [
            {
                "name": one.name,
                "type": one.type,
                "required": one.required,
                "description": one.about,
                "in": one.place,
            }
            for one in each.inputs
        ],
        "request_example": request,
        "response_example": {
            "status": 200,
            "body": {name: _SAMPLES[kind] for name, kind in each.outputs.items()},
        },
    }
    if each.per_minute:
        made["rate_limits"] = {"requests_per_minute": each.per_minute}
    return made


def _openapi(site: str) -> dict[str, Any]:
    types = {"float": "number"}

    def operation(each: Operation) -> dict[str, Any]:
        listed = [
            {
                "name": one.name,
                "in": one.place,
                "required": one.required,
                "schema": one.schema,
            }
            for one in each.inputs
            if one.place != "body"
        ]
        inside = {one.name: one.schema for one in each.inputs if one.place == "body"}
        made: dict[str, Any] = {
            "operationId": each.id,
            "description": each.about,
            "responses": {
                "200": {
                    "description": "Done.",
                    "content": _content(
                        {
                            name: {"type": types.get(kind, kind)}
                            for name, kind in each.outputs.items()
                        }
                    ),
                }
            },
            "security": [{"token": []}] if each.token else [],
        }
        if listed:
            made["parameters"] = listed
        if inside:
            needed = [
                one.name for one in each.inputs if one.name in inside and one.required
            ]
            made["requestBody"] = {
                "required": True,
                "content": _content(inside, needed),
            }
        return made

    return {
        "openapi": "3.1.0",
        "info": {"title": NAME, "version": "1.0.0", "description": ABOUT},
        "servers": [{"url": site}],
        "paths": {
            each.path: {each.method.lower(): operation(each)}
            for each in (*OPERATIONS, FORBIDDEN)
        },
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}
        },
    }


def _content(properties: dict[str, Any], required: list[str] | None = None) -> Any:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return {"application/json": {"schema": schema}}


ADVICE = {
    "name": "recommend",
    "description": "Recommends a mug for a drink.",
    "inputSchema": {
        "type": "object",
        "properties": {"drink": {"type": "string", "description": "Such as tea"}},
        "required": ["drink"],
        "additionalProperties": False,
    },
}
"""The tool of the MCP server, as in its answers."""


def _mcp_card(site: str) -> dict[str, Any]:
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        "name": "example.mugs/shop",
        "version": "1.0.0",
        "description": ABOUT,
        "title": NAME,
        "remotes": [
            {
                "type": "streamable-http",
                "url": f"{site}/.well-known/mcp",
                "supportedProtocolVersions": ["2025-06-18"],
            }
        ],
    }


def _a2a_card(site: str) -> dict[str, Any]:
    return {
        "name": "Mug agent",
        "description": "Answers questions about mugs.",
        "version": "1.0.0",
        "capabilities": {},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [
            {
                "id": "ask",
                "name": "Ask",
                "description": "Answers a question about mugs.",
                "tags": ["mugs"],
            }
        ],
        "supportedInterfaces": [
            {
                "url": f"{site}/a2a",
                "protocolBinding": "JSONRPC",
                "protocolVersion": "1.0",
            }
        ],
    }


def _ai_catalog(site: str) -> dict[str, Any]:
    return {
        "specVersion": "1.0",
        "host": {"displayName": NAME},
        "entries": [
            {
                "identifier": "urn:air:mugs.example:agents:mug-agent",
                "displayName": "Mug agent",
                "type": "application/a2a-agent-card+json",
                "url": f"{site}/.well-known/agent-card.json",
                "description": "Answers questions about mugs.",
                "representativeQueries": [
                    "which mug for tea",
                    "is a mug dishwasher-safe",
                ],
            },
            {
                "identifier": "urn:air:mugs.example:server:shop",
                "displayName": NAME,
                "type": "application/mcp-server-card+json",
                "url": f"{site}/.well-known/mcp/server-card.json",
                "description": ABOUT,
                "representativeQueries": ["recommend a mug", "a mug for coffee"],
            },
        ],
    }


def _skills(site: str) -> dict[str, Any]:
    return {
        "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
        "skills": [
            {
                "name": "choose-a-mug",
                "type": "skill-md",
                "description": "Chooses a mug for a person.",
                "url": "/.well-known/agent-skills/choose-a-mug/SKILL.md",
                "digest": f"sha256:{hashlib.sha256(_SKILL.encode()).hexdigest()}",
            }
        ],
    }


def _api_catalog(site: str) -> dict[str, Any]:
    described = {"href": f"{site}/openapi.json", "type": "application/json"}
    return {"linkset": [{"anchor": f"{site}/api", "service-desc": [described]}]}


def _resource(site: str) -> dict[str, Any]:
    return {
        "resource": site,
        "authorization_servers": [site],
        "scopes_supported": ["orders"],
        "bearer_methods_supported": ["header"],
    }


def _authorization(site: str) -> dict[str, Any]:
    return {
        "issuer": site,
        "token_endpoint": f"{site}/oauth/token",
        "scopes_supported": ["orders"],
        "response_types_supported": [],
        "grant_types_supported": ["client_credentials"],
    }


def _ucp(site: str) -> dict[str, Any]:
    version, at = "2026-04-08", "https://ucp.dev/2026-04-08"
    return {
        "ucp": {
            "version": version,
            "services": {
                "dev.ucp.shopping": [
                    {
                        "version": version,
                        "transport": "rest",
                        "spec": f"{at}/specification/overview/",
                        "schema": f"{at}/services/shopping/rest.openapi.json",
                        "endpoint": f"{site}/ucp",
                    }
                ]
            },
            "capabilities": {
                "dev.ucp.shopping.checkout": [
                    {
                        "version": version,
                        "spec": f"{at}/specification/checkout/",
                        "schema": f"{at}/schemas/shopping/checkout.json",
                    }
                ]
            },
            "payment_handlers": {},
        }
    }


def _acp(site: str) -> dict[str, Any]:
    return {
        "protocol": {
            "name": "acp",
            "version": "2025-09-29",
            "supported_versions": ["2025-09-29"],
        },
        "api_base_url": f"{site}/acp",
        "transports": ["rest"],
        "capabilities": {"services": ["checkout"]},
    }


def _x402(site: str) -> dict[str, Any]:
    return {"version": 1, "resources": [f"GET {site}/report"]}


def payment(site: str) -> dict[str, Any]:
    """Returns what is to be paid for the report."""
    return {
        "x402Version": 2,
        "error": "a payment is required",
        "resource": {"url": f"{site}/report", "description": "A report about mugs"},
        "accepts": [
            {
                "scheme": "exact",
                "network": "eip155:84532",
                "amount": "10000",
                "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
                "payTo": "0x52908400098527886E0F7030069857D2E4169EE7",
                "maxTimeoutSeconds": 60,
            }
        ],
    }


def _keys(site: str) -> dict[str, Any]:
    # The key of RFC 8032, section 7.1, test 1.
    x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    thumb = json.dumps(
        {"crv": "Ed25519", "kty": "OKP", "x": x}, separators=(",", ":")
    ).encode()
    digest = base64.urlsafe_b64encode(hashlib.sha256(thumb).digest()).rstrip(b"=")
    key = {"kty": "OKP", "crv": "Ed25519", "kid": digest.decode(), "x": x, "use": "sig"}
    return {"keys": [key]}


def registry(site: str, query: str) -> dict[str, Any]:
    """Returns the answer of a registry of the Agent Discovery Protocol that knows only this shop."""
    host = urlsplit(site).netloc
    matching = [
        {
            "name": each.id,
            "description": each.about,
            "detail_url": f"/capabilities/{each.id}",
        }
        for each in _OPEN
    ]
    service = {"name": NAME, "domain": host, "description": ABOUT, "base_url": site}
    return {
        "success": True,
        "query": query,
        "result_count": 1,
        "data": [{"service": service, "matching_capabilities": matching}],
    }


_JSON: tuple[tuple[str, str, Callable[[str], dict[str, Any]]], ...] = (
    ("agents-json-0.1", "/older/.well-known/agents.json", _agents_json_01),
    ("awp", "/agent.json", _awp),
    ("adp", "/.well-known/agent", _adp),
    ("openapi", "/openapi.json", _openapi),
    ("a2a-agent-card", "/.well-known/agent-card.json", _a2a_card),
    ("mcp-server-card", "/.well-known/mcp/server-card.json", _mcp_card),
    ("ai-catalog", "/.well-known/ard.json", _ai_catalog),
    ("agent-skills", "/.well-known/agent-skills/index.json", _skills),
    ("api-catalog", "/.well-known/api-catalog", _api_catalog),
    ("oauth-protected-resource", "/.well-known/oauth-protected-resource", _resource),
    (
        "oauth-authorization-server",
        "/.well-known/oauth-authorization-server",
        _authorization,
    ),
    ("ucp-profile", "/.well-known/ucp", _ucp),
    ("acp", "/.well-known/acp.json", _acp),
    ("x402", "/.well-known/x402", _x402),
    ("signature-directory", "/.well-known/http-message-signatures-directory", _keys),
)
"""The format, path and maker of each document in JSON."""
