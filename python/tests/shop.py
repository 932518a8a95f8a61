"""One shop over HTTP: the same capabilities, described by every format, and a record of what it is asked."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

from server import Handler, Page, Server

TOKEN = "shop-token-1"


class Shop:
    """Serves `search`, `order`, `cancel` and `report` on a server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.asked: list[dict[str, Any]] = []
        self.token = TOKEN
        self.failures: list[Page] = []
        """Answers that come before the right one."""
        self.polls = 0
        for path in ("/api/search", "/api/order", "/api/cancel", "/api/report"):
            server.routes[path] = self.answer
        server.routes["/api/session"] = self.answer
        server.routes["/jobs/"] = self.answer

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def kinds(self) -> list[str]:
        """What was asked, in order: method and path."""
        return [f"{each['method']} {each['path']}" for each in self.asked]

    def answer(self, handler: Handler) -> None:
        """Records a request, and answers it."""
        split = urlsplit(handler.path)
        length = int(handler.headers.get("Content-Length") or 0)
        body = handler.rfile.read(length)
        asked = {
            "method": handler.command,
            "path": split.path,
            "query": {k: v[-1] for k, v in parse_qs(split.query).items()},
            "body": json.loads(body) if body else None,
            "headers": {k.lower(): v for k, v in handler.headers.items()},
        }
        with self.server.lock:
            self.asked.append(asked)
            failure = self.failures.pop(0) if self.failures else None
        if failure is not None:
            handler.send(failure)
            return
        handler.send(self.right(asked))

    def right(self, asked: dict[str, Any]) -> Page:
        """Returns the right answer."""
        given = {**asked["query"], **(asked["body"] or {})}
        match asked["path"]:
            case "/api/search":
                found = [{"sku": "m1", "name": f"{given.get('q', '')} mug"}]
                return page({"items": found, "total": len(found)})
            case "/api/session":
                return page({"session_token": "session-1", "expires_in": 60})
            case "/api/order":
                if asked["headers"].get("authorization") not in {
                    f"Bearer {self.token}",
                    "Bearer session-1",
                }:
                    return page({"error": "unauthorized"}, 401)
                return page({"order_id": "o1", "sku": given.get("sku")})
            case "/api/cancel":
                return page({"cancelled": given.get("order_id")})
            case "/api/report":
                return page({"job_id": "j1", "status": "queued"}, 202)
            case _:
                self.polls += 1
                state = "done" if self.polls > 1 else "running"
                return page({"status": state, "rows": 3})


def page(values: Any, status: int = 200, **headers: str) -> Page:
    """A page of JSON."""
    said = {"Content-Type": "application/json", **headers}
    return Page(json.dumps(values), status, said)


def agents_txt(site: str) -> str:
    """The shop in agents.txt."""
    return f"""\
Spec-Version: 1.0
Site-Name: Mug Shop
Site-URL: {site}
Capability: search
  Endpoint: {site}/api/search
  Method: GET
  Protocol: REST
  Param: q (query, string, required)
  Param: limit (query, integer)
Capability: order
  Endpoint: {site}/api/order
  Method: POST
  Protocol: REST
  Auth: bearer-token
  Param: sku (body, string, required)
  Param: count (body, integer)
"""


def agents_json(site: str) -> str:
    """The shop in agents.json of the draft."""
    auth = {"type": "bearer-token"}
    return json.dumps(
        {
            "specVersion": "1.0",
            "site": {"name": "Mug Shop", "url": site},
            "capabilities": [
                {
                    "id": "search",
                    "endpoint": f"{site}/api/search",
                    "method": "GET",
                    "protocol": "REST",
                    "parameters": [
                        {
                            "name": "q",
                            "in": "query",
                            "type": "string",
                            "required": True,
                        },
                        {"name": "limit", "in": "query", "type": "integer"},
                    ],
                },
                {
                    "id": "order",
                    "endpoint": f"{site}/api/order",
                    "method": "POST",
                    "protocol": "REST",
                    "auth": auth,
                    "parameters": [
                        {
                            "name": "sku",
                            "in": "body",
                            "type": "string",
                            "required": True,
                        },
                        {"name": "count", "in": "body", "type": "integer"},
                    ],
                },
            ],
        }
    )


def awp(site: str, **members: Any) -> str:
    """The shop in agent.json of the Agent Web Protocol."""
    host = urlsplit(site).hostname
    return json.dumps(
        {
            "awp_version": "0.2",
            "domain": host,
            "intent": "Sells mugs.",
            "auth": {"type": "bearer", "required_for": ["order"]},
            "actions": [
                {
                    "id": "search",
                    "description": "Searches.",
                    "endpoint": f"{site}/api/search",
                    "method": "GET",
                    "inputs": {
                        "q": {"type": "string", "required": True},
                        "limit": {"type": "integer", "default": 10},
                    },
                    "outputs": {"items": "array", "total": "integer"},
                },
                {
                    "id": "order",
                    "description": "Orders.",
                    "endpoint": f"{site}/api/order",
                    "method": "POST",
                    "auth_required": True,
                    "inputs": {
                        "sku": {"type": "string", "required": True},
                        "count": {"type": "integer"},
                    },
                    "outputs": {"order_id": "string"},
                    "idempotency": {"supported": True, "key_field": "request_key"},
                },
                {
                    "id": "cancel",
                    "description": "Cancels.",
                    "endpoint": f"{site}/api/cancel",
                    "method": "POST",
                    "sensitivity": "irreversible",
                    "requires_human_confirmation": True,
                    "inputs": {"order_id": {"type": "string", "required": True}},
                    "outputs": {"cancelled": "string"},
                },
                {
                    "id": "report",
                    "description": "Makes a report.",
                    "endpoint": f"{site}/api/report",
                    "method": "POST",
                    "execution_model": "async",
                    "poll_endpoint": f"{site}/jobs/{{job_id}}",
                    "outputs": {"rows": "integer"},
                },
            ],
            **members,
        }
    )


def agents_json_01(site: str) -> str:
    """The shop in agents.json 0.1."""
    return json.dumps(
        {
            "schema_version": "0.1",
            "site": {"name": "Mug Shop", "url": site},
            "session": {"create": f"{site}/api/session", "ttl_seconds": 60},
            "capabilities": [
                {
                    "name": "search",
                    "endpoint": f"{site}/api/search",
                    "method": "GET",
                    "params": {
                        "q": {"type": "string", "required": True},
                        "limit": {"type": "integer"},
                    },
                },
                {
                    "name": "order",
                    "endpoint": f"{site}/api/order",
                    "method": "POST",
                    "requires_session": True,
                    "params": {
                        "sku": {"type": "string", "required": True},
                        "count": {"type": "integer"},
                    },
                },
            ],
        }
    )


def agents_txt_01(site: str) -> str:
    """The shop in agents.txt 0.1.0; the agents.json beside it describes the capabilities."""
    return f"Site: Mug Shop\nURL: {site}\nAllow: search\nAllow: order\n"


def adp(site: str) -> tuple[str, dict[str, str]]:
    """The shop as a manifest of the Agent Discovery Protocol, with its details by path."""
    manifest = json.dumps(
        {
            "spec_version": "1.0",
            "name": "Mug Shop",
            "description": "Sells mugs.",
            "base_url": site,
            "auth": {"type": "bearer", "header": "Authorization", "prefix": "Bearer"},
            "capabilities": [
                {
                    "name": name,
                    "description": f"The {name}.",
                    "detail_url": f"/details/{name}",
                }
                for name in ("search", "order")
            ],
        }
    )
    details = {
        "/details/search": json.dumps(
            {
                "name": "search",
                "endpoint": "/api/search",
                "method": "GET",
                "parameters": [
                    {"name": "q", "type": "string", "required": True},
                    {"name": "limit", "type": "integer"},
                ],
            }
        ),
        "/details/order": json.dumps(
            {
                "name": "order",
                "endpoint": "/api/order",
                "method": "POST",
                "parameters": [
                    {"name": "sku", "type": "string", "required": True},
                    {"name": "count", "type": "integer"},
                ],
            }
        ),
    }
    return manifest, details
