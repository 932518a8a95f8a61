"""An example shop for trying the library: documents of every format, and what they describe.

`agentsdisc example` serves it. `Shop` answers requests without a network, so that tests can serve it under any name.

>>> from agentsdisc.example import Shop
>>> shop = Shop("https://mugs.example")
>>> shop.answer("GET", "/api/search?q=blue", {}, b"").body
b'{"items": [{"sku": "m1", "name": "Blue mug", "price": 12.5}], "total": 1}'
"""

import json
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .documents import (
    ADVICE,
    FORBIDDEN,
    OPERATIONS,
    Answer,
    Operation,
    documents,
    payment,
    registry,
)

__all__ = ["TOKEN", "Answer", "Shop"]

TOKEN = "example-token"
"""The token that the shop accepts. It is no secret."""
_MUGS = {
    "m1": ("Blue mug", 12.5, 7),
    "m2": ("Red mug", 9.0, 3),
    "m3": ("Mug for espresso", 6.0, 0),
}
_MOST = 1000
"""The largest number of carts, and of orders; the oldest is forgotten."""
_MINUTE = 60.0
_HOME = b"""<!doctype html><html lang="en"><title>Mug Shop</title>
<link rel="service-desc" href="/openapi.json" type="application/json">
<h1>Mug Shop</h1>
<p>An example shop for AI agents. Start at <a href="/llms.txt">llms.txt</a>.</html>
"""


class _Wrong(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, said: str, **headers: str) -> None:
        super().__init__(said)
        self.status, self.headers = status, headers


class Shop:
    """The shop at an origin, such as `http://127.0.0.1:8000`. Its methods may be called from several threads."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.documents = documents(site)
        self._lock = threading.Lock()
        self._carts: dict[str, dict[str, int]] = {}
        self._orders: dict[str, float] = {}
        self._asked: dict[str, deque[float]] = {each.id: deque() for each in OPERATIONS}
        self._count = 0

    def answer(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Answer:
        """Answers a request. `target` is the path with its query; `headers` has names in lower case."""
        try:
            with self._lock:
                return self._answer(method, target, headers, body)
        except _Wrong as wrong:
            return _json({"error": str(wrong)}, wrong.status, **wrong.headers)

    def _answer(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Answer:
        try:
            split = urlsplit(target)
            pairs = parse_qs(split.query, max_num_fields=100)
        except ValueError:
            raise _Wrong(400, "the URL is not valid") from None
        path = split.path
        query = {name: values[-1] for name, values in pairs.items()}
        document = self.documents.get(path)
        if method == "OPTIONS":
            return Answer(b"", document.headers if document else {})
        if document is not None and method in {"GET", "HEAD"}:
            return document
        match method, path:
            case (("GET" | "HEAD"), "/"):
                return Answer(_HOME, {"Content-Type": "text/html; charset=utf-8"})
            case _, "/basket":
                return _json({"carts": len(self._carts)})
            case "GET", "/api/discover":
                return _json(registry(self.site, query.get("q", "")))
            case "GET", "/report":
                return _json(payment(self.site), 402)
            case "POST", "/oauth/token":
                return _json({"access_token": TOKEN, "token_type": "Bearer"})
            case _, FORBIDDEN.path:
                raise _Wrong(403, "this is only for the staff")
        operations = {(each.method, each.path): each for each in OPERATIONS}
        operation = operations.get((method, path))
        if operation is None:
            handler = _REMOTE.get((method, path))
            if handler is None:
                raise _Wrong(404, "there is nothing here")
            return handler(_read(body))
        given = _arguments(operation, query, body)
        if operation.token and headers.get("authorization") != f"Bearer {TOKEN}":
            where = f"{self.site}/.well-known/oauth-protected-resource"
            said = f'Bearer resource_metadata="{where}"'
            raise _Wrong(401, "a token is needed", **{"WWW-Authenticate": said})
        if operation.per_minute:
            self._limit(operation.id, operation.per_minute)
        run: Callable[[dict[str, Any]], dict[str, Any]] = getattr(
            self, f"_{operation.id}"
        )
        return _json(run(given))

    def _limit(self, id: str, most: int) -> None:
        asked, now = self._asked[id], time.monotonic()
        while asked and asked[0] <= now - _MINUTE:
            asked.popleft()
        if len(asked) >= most:
            wait = str(int(asked[0] + _MINUTE - now) + 1)
            raise _Wrong(429, "too many requests", **{"Retry-After": wait})
        asked.append(now)

    def _search(self, given: dict[str, Any]) -> dict[str, Any]:
        words = given["q"].lower().split()
        items = [
            {"sku": sku, "name": name, "price": price}
            for sku, (name, price, _) in _MUGS.items()
            if all(word in name.lower() for word in words)
        ]
        return {"items": items[: given.get("limit")], "total": len(items)}

    def _cart(self, given: dict[str, Any]) -> dict[str, Any]:
        sku, count = given["sku"], given.get("count", 1)
        if sku not in _MUGS:
            raise _Wrong(404, "there is no such mug")
        if not 0 < count <= 10:
            raise _Wrong(400, "count is not from 1 to 10")
        name = given.get("cart") or self._new("c")
        cart = self._carts.setdefault(name[:20], {})
        cart[sku] = count
        self._forget(self._carts)
        return {"cart": name, "total": _total(cart)}

    def _checkout(self, given: dict[str, Any]) -> dict[str, Any]:
        cart = self._carts.pop(given["cart"], None)
        if cart is None:
            raise _Wrong(404, "there is no such cart")
        order = self._new("o")
        self._orders[order] = _total(cart)
        self._forget(self._orders)
        return {"order": order, "total": self._orders[order]}

    def _status(self, given: dict[str, Any]) -> dict[str, Any]:
        if given["order"] not in self._orders:
            raise _Wrong(404, "there is no such order")
        return {"order": given["order"], "status": "on its way"}

    def _stock(self, given: dict[str, Any]) -> dict[str, Any]:
        if given["sku"] not in _MUGS:
            raise _Wrong(404, "there is no such mug")
        return {"sku": given["sku"], "left": _MUGS[given["sku"]][2]}

    def _new(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count}"

    @staticmethod
    def _forget(known: dict[str, Any]) -> None:
        while len(known) > _MOST:
            del known[next(iter(known))]


def _total(cart: dict[str, int]) -> float:
    return sum(_MUGS[sku][1] * count for sku, count in cart.items())


def _json(values: Any, status: int = 200, **headers: str) -> Answer:
    said = {"Content-Type": "application/json", **headers}
    return Answer(json.dumps(values).encode(), said, status)


def _read(body: bytes) -> dict[str, Any]:
    """Reads a JSON object."""
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise _Wrong(400, "the body is not a JSON object")
    return values


def _arguments(
    operation: Operation, query: dict[str, str], body: bytes
) -> dict[str, Any]:
    """Returns the arguments of a request with their types."""
    sent: dict[str, Any] = query if operation.method == "GET" else _read(body)
    given: dict[str, Any] = {}
    for each in operation.inputs:
        value = sent.get(each.name)
        if each.type == "integer" and each.place == "query" and value is not None:
            value = int(value) if re.fullmatch("[0-9]{1,9}", value) else value
        if value is None and not each.required:
            continue
        if type(value) is not {"string": str, "integer": int}[each.type] or value == "":
            raise _Wrong(400, f"{each.name} is missing, or no {each.type}")
        given[each.name] = value
    return given


def _mcp(asked: dict[str, Any]) -> Answer:
    """Answers a message of the Model Context Protocol 2025-06-18, over streamable HTTP without sessions."""
    match asked.get("method"):
        case "initialize":
            result: Any = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "example.mugs/shop", "version": "1.0.0"},
            }
        case "tools/list":
            result = {"tools": [ADVICE]}
        case "tools/call" if _inside(asked, "params", "name") == ADVICE["name"]:
            drink = str(_inside(asked, "params", "arguments", "drink"))[:80]
            text = f"For {drink}: the blue mug (m1)."
            result = {"content": [{"type": "text", "text": text}]}
        case "ping":
            result = {}
        case _ if "id" not in asked:
            return Answer(b"", status=202)
        case _:
            return _failed(asked)
    return _json({"jsonrpc": "2.0", "id": asked.get("id"), "result": result})


def _a2a(asked: dict[str, Any]) -> Answer:
    """Answers a message of the Agent2Agent Protocol 1.0 (JSON-RPC) at once."""
    if asked.get("method") != "SendMessage":
        return _failed(asked)
    message = {
        "messageId": "answer",
        "role": "ROLE_AGENT",
        "parts": [{"text": "Every mug of this shop is dishwasher-safe."}],
    }
    result = {"message": message}
    return _json({"jsonrpc": "2.0", "id": asked.get("id"), "result": result})


def _inside(asked: dict[str, Any], *names: str) -> Any:
    """Returns a value in a message by the names that lead to it; None if there is none."""
    value: Any = asked
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _failed(asked: dict[str, Any]) -> Answer:
    error = {"code": -32601, "message": "the method is not known"}
    return _json({"jsonrpc": "2.0", "id": asked.get("id"), "error": error})


_REMOTE: dict[tuple[str, str], Callable[[dict[str, Any]], Answer]] = {
    ("POST", "/.well-known/mcp"): _mcp,
    ("POST", "/a2a"): _a2a,
}
