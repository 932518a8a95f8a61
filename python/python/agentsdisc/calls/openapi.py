"""Finds an operation in an OpenAPI description, so that the core plans its request.

The core reads the description. The operation becomes a capability of an agents.json, so that the rules of all documents of the site apply to its
URL, and the core checks, encodes and places its arguments as for all other capabilities. Only lists in a query are written here.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit

from .. import Capability, Document, Limits, Parameter, ParseError, parse

_LARGEST = 4 << 20
"""The largest description, in bytes."""
_MOST_PARAMETERS = 1000
_DEFAULT = "get"


class Unclear(Exception):
    """The description has no such operation, or the request of the operation cannot be derived from it."""


_SAID = {
    "missing-argument": "a required argument is missing",
    "not-an-option": "the argument is none of the declared options",
    "wrong-type": "the argument does not have the declared type",
}


class Wrong(Exception):
    """An argument does not match the description. `problem` is a problem of `CallRefused`."""

    def __init__(self, problem: str, argument: str) -> None:
        super().__init__(f"{_SAID[problem]}: {argument}")
        self.problem, self.argument = problem, argument


@dataclass(frozen=True, slots=True)
class Described:
    """An operation of a description."""

    method: str
    url: str
    """The absolute URL, with placeholders."""
    parameters: tuple[dict[str, Any], ...]
    """The parameters as in an agents.json of the draft."""
    options: Mapping[str, list[Any]]
    """The values that parameters can have, where the description lists them."""
    lists: Mapping[str, bool]
    """The query parameters that are lists, and whether each item becomes its own parameter (`explode`). The core would write a list as JSON."""
    needed: frozenset[str]
    """The required parameters among `lists`."""

    def manifest(self, capability: str, origin: str, query: str) -> bytes:
        """Returns an agents.json with the operation as a capability; `query` is the query string of the lists."""
        mark = "&" if "?" in self.url else "?"
        url = f"{self.url}{mark}{query}" if query else self.url
        return manifest(capability, origin, url, self.method, self.parameters)

    def taken(self, arguments: dict[str, Any]) -> str:
        """Takes the lists out of the arguments, and returns them as a query (style `form`). Raises Wrong."""
        parts = []
        for name, is_exploded in self.lists.items():
            items = arguments.pop(name, None)
            if items is None:
                if name in self.needed:
                    raise Wrong("missing-argument", name)
                continue
            if not isinstance(items, list) or not all(map(_is_plain, items)):
                raise Wrong("wrong-type", name)
            key = quote(name, safe="")
            texts = [quote(_text(item), safe="") for item in items]
            if is_exploded:
                parts += [f"{key}={text}" for text in texts]
            elif texts:
                parts.append(f"{key}={','.join(texts)}")
        return "&".join(parts)

    def check_options(self, arguments: Mapping[str, Any]) -> None:
        """Raises Wrong for a value that is none of the options of its parameter."""
        for name, options in self.options.items():
            value = arguments.get(name)
            # A number may be given as text; the core decides whether that is allowed.
            if value is not None and value not in [*options, *map(_text, options)]:
                raise Wrong("not-an-option", name)


def manifest(
    capability: str,
    origin: str,
    url: str,
    method: str = "GET",
    parameters: Iterable[Mapping[str, Any]] = (),
) -> bytes:
    """Returns an agents.json with one capability."""
    declared = {
        "id": capability,
        "endpoint": url,
        "method": method,
        "protocol": "REST",
        "parameters": [dict(each) for each in parameters],
    }
    values = {
        "specVersion": "1.0",
        "site": {"name": origin, "url": origin},
        "capabilities": [declared],
    }
    return json.dumps(values).encode()


def read(
    body: bytes,
    location: str,
    *,
    operation: str | None,
    endpoint: str | None,
    method: str | None,
    capability: str,
) -> Described:
    """Finds an operation: by its id if the document names it, otherwise by the endpoint and method, otherwise by the id of the capability."""
    if len(body) > _LARGEST:
        raise Unclear(f"it is larger than {_LARGEST >> 20} MiB")
    try:
        document = parse(body, format="openapi", limits=Limits(document=_LARGEST))
    except ParseError as problem:
        raise Unclear(f"it is not an OpenAPI description in JSON ({problem})") from None
    if not (document.spec_version or "").startswith("3."):
        raise Unclear("it is not an OpenAPI description of version 3")
    if operation is None and endpoint is not None:
        for found in _at(document, location, endpoint, method or _DEFAULT):
            # Uses the endpoint that the site declares, even if the description names another server.
            return _described(found, endpoint)
    named = (
        each for each in document.capabilities if each.id == (operation or capability)
    )
    only = next(named, None)
    if only is None or next(named, None) is not None:
        what = operation or f"{method or ''} {endpoint or capability}".strip()
        raise Unclear(f"it does not describe the operation {what!r}")
    url = _url(document, location, only)
    if url is None:
        raise Unclear("the URL of its server is not known")
    return _described(only, url)


def _at(
    document: Document, location: str, endpoint: str, method: str
) -> Iterator[Capability]:
    """Returns the operations at an endpoint."""
    wanted = _path(endpoint)
    for each in document.capabilities:
        if (each.method or "").lower() != method.lower():
            continue
        if each.endpoint and wanted.endswith(unquote(each.endpoint)):
            url = _url(document, location, each)
            if url is not None and _path(url) == wanted:
                yield each


def _url(document: Document, location: str, operation: Capability) -> str | None:
    """Returns the URL of an operation, whose server can be relative to the description."""
    base = document.server_url()
    if base is None or not operation.endpoint:
        return None
    try:
        url = urljoin(location, base)
        return url.rstrip("/") + operation.endpoint if urlsplit(url).hostname else None
    except ValueError:
        return None


def _described(found: Capability, url: str) -> Described:
    """Returns an operation. Raises Unclear if its request cannot be written."""
    options: dict[str, list[Any]] = {}
    lists: dict[str, bool] = {}
    made: dict[str, dict[str, Any]] = {}
    needed, places = set[str](), set[tuple[str, str | None]]()
    for number, each in enumerate(found.parameters):
        if number == _MOST_PARAMETERS:
            raise Unclear(
                f"the operation has more than {_MOST_PARAMETERS:,} parameters"
            )
        name, place, kind = each.name, each.location, each.type
        if name is None or place is None:
            raise Unclear("a parameter has no name or no place, or is not in it")
        if place == "unknown":
            if each.required:
                raise Unclear(f"the parameter {name!r} is not of a supported kind")
            continue
        if place != "body" and kind in {"array", "object"}:
            if place != "query" or kind == "object" or _style(each) != "form":
                raise Unclear(f"the style of the parameter {name!r} is not known")
            lists[name] = each.metadata.get("explode") is not False
            needed |= {name} if each.required else set()
            continue
        if any(own == name and other != place for own, other in places):
            raise Unclear("two parameters have the same name")
        places.add((name, place))
        parts = {
            "name": name,
            "in": place,
            "type": kind,
            "required": bool(each.required),
        }
        made[name] = {key: value for key, value in parts.items() if value is not None}
        if values := list(each.options):
            options[name] = values
    if set(lists) & set(made):
        raise Unclear("two parameters have the same name")
    method = (found.method or _DEFAULT).upper()
    return Described(
        method, url, tuple(made.values()), options, lists, frozenset(needed)
    )


def _style(parameter: Parameter) -> object:
    return parameter.metadata.get("style", "form")


def _path(url: str) -> str:
    return unquote(urlsplit(url).path)


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float | bool)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
