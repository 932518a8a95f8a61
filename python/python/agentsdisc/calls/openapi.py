"""Reads operations from OpenAPI descriptions (3.0 to 3.2, as JSON), so that the core plans their requests.

An operation becomes a capability of an agents.json. So the core checks, encodes and places its arguments, and decides its URL, as for all other
capabilities.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_MOST_REFERENCES = 32
_MOST_SERVERS = 16
_LONGEST_URL = 2048
# OpenAPI ignores parameters in headers with these names.
_OTHER_HEADERS = {"accept", "authorization", "content-type"}


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
    try:
        top = json.loads(body)
    except (ValueError, RecursionError):
        raise Unclear("it is not JSON") from None
    version = top.get("openapi") if isinstance(top, dict) else None
    if not (isinstance(version, str) and version.startswith("3.")):
        raise Unclear("it is not an OpenAPI description of version 3")
    reader = _Reader(top, location)
    found = list(reader.operations())
    chosen = [each for each in found if operation and each.id == operation]
    if operation is None:
        chosen = [each for each in found if each.is_at(endpoint, method)]
        if chosen:
            # Uses the endpoint that the site declares, even if the description names another server.
            return reader.described(chosen[0], endpoint)
        chosen = [each for each in found if each.id == capability]
    if len(chosen) != 1:
        what = operation or f"{method or ''} {endpoint or capability}".strip()
        raise Unclear(f"it does not describe the operation {what!r}")
    return reader.described(chosen[0], None)


@dataclass(frozen=True, slots=True)
class _Found:
    """An operation before it is read."""

    method: str
    path: str
    servers: tuple[str, ...]
    item: Mapping[str, Any]
    values: Mapping[str, Any]

    @property
    def id(self) -> object:
        return self.values.get("operationId")

    def is_at(self, endpoint: str | None, method: str | None) -> bool:
        if endpoint is None or (method or "get").lower() != self.method:
            return False
        path = unquote(urlsplit(endpoint).path)
        paths = (unquote(urlsplit(server).path) for server in self.servers)
        return any(base.rstrip("/") + self.path == path for base in paths)


class _Reader:
    """A description, with its references."""

    def __init__(self, top: dict[str, Any], location: str) -> None:
        self._top, self._location = top, location
        self._shared: tuple[str, ...] = ()
        """The servers of all operations that name none."""

    def operations(self) -> Iterator[_Found]:
        """Returns all operations."""
        for path, item in _object(self._top.get("paths")).items():
            item = self._resolved(item)
            for method in _METHODS:
                values = item.get(method)
                if isinstance(values, dict):
                    servers = self._servers(values, item, self._top)
                    yield _Found(method, path, servers, item, values)

    def described(self, found: _Found, endpoint: str | None) -> Described:
        """Returns an operation. Raises Unclear if its request cannot be written."""
        url = endpoint or found.servers[0].rstrip("/") + found.path
        parameters: dict[tuple[str, str], dict[str, Any]] = {}
        options: dict[str, list[Any]] = {}
        lists: dict[str, bool] = {}
        for each in (*_list(found.item), *_list(found.values)):
            parameter = self._resolved(each)
            name, place = parameter.get("name"), parameter.get("in")
            if not isinstance(name, str) or not isinstance(place, str):
                raise Unclear("a parameter has no name or no place")
            if place == "header" and name.lower() in _OTHER_HEADERS:
                continue
            parameters[place, name] = parameter
        made, needed = [], list[str]()
        for (place, name), parameter in parameters.items():
            schema = self._resolved(parameter.get("schema"))
            kind = _type(schema)
            is_required = parameter.get("required") is True or place == "path"
            if place not in {"path", "query", "header"} or "content" in parameter:
                if is_required:
                    raise Unclear(f"the parameter {name!r} is not of a supported kind")
                continue
            if place == "query" and kind == "array":
                if parameter.get("style", "form") != "form":
                    raise Unclear(f"the style of the parameter {name!r} is not known")
                lists[name] = parameter.get("explode") is not False
                needed += [name] if is_required else []
                continue
            if kind in {"array", "object"}:
                raise Unclear(f"the style of the parameter {name!r} is not known")
            made.append(_parameter(name, place, kind, is_required))
            _add_options(options, name, schema)
        made += self._body(found.values, options)
        names = [*lists, *(each["name"] for each in made)]
        if len(set(names)) != len(names):
            raise Unclear("two parameters have the same name")
        return Described(
            found.method.upper(), url, tuple(made), options, lists, frozenset(needed)
        )

    def _body(
        self, values: Mapping[str, Any], options: dict[str, list[Any]]
    ) -> list[dict[str, Any]]:
        """Returns the members of a body in JSON as parameters."""
        body = self._resolved(values.get("requestBody"))
        if not body:
            return []
        content = _object(body.get("content"))
        is_required = body.get("required") is True
        media = next((each for each in content if _is_json(each)), None)
        if media is None:
            if is_required:
                raise Unclear("the body is not JSON")
            return []
        schema = self._merged(_object(content[media]).get("schema"))
        members = _object(schema.get("properties"))
        if not members:
            if is_required:
                raise Unclear("the members of the body are not described")
            return []
        needed = schema.get("required")
        needed = set(map(str, needed)) if isinstance(needed, list) else set()
        made = []
        for name, each in members.items():
            member = self._resolved(each)
            if member.get("readOnly") is True:
                continue
            is_needed = is_required and name in needed
            made.append(_parameter(name, "body", _type(member), is_needed))
            _add_options(options, name, member)
        return made

    def _merged(self, given: object) -> dict[str, Any]:
        """Returns a schema together with those of its `allOf`."""
        schema = self._resolved(given)
        members, needed = dict(_object(schema.get("properties"))), []
        for part in (schema, *_items(schema.get("allOf"))):
            values = self._resolved(part)
            members.update(_object(values.get("properties")))
            needed += _items(values.get("required"))
        return {**schema, "properties": members, "required": needed}

    def _resolved(self, given: object) -> dict[str, Any]:
        """Returns an object, or the one that it refers to within the description."""
        for _ in range(_MOST_REFERENCES):
            if not isinstance(given, dict) or "$ref" not in given:
                return _object(given)
            reference, given = given["$ref"], self._top
            if not isinstance(reference, str) or not reference.startswith("#/"):
                raise Unclear("it refers to other documents")
            for part in reference[2:].split("/"):
                name = unquote(part).replace("~1", "/").replace("~0", "~")
                given = _object(given).get(name)
            if given is None:
                raise Unclear(f"it does not contain {reference!r}")
        raise Unclear("its references are nested too deeply or form a cycle")

    def _servers(self, *places: Mapping[str, Any]) -> tuple[str, ...]:
        """Returns the absolute URLs of the servers: those of the first place that names any."""
        for place in places:
            if place is self._top and self._shared:
                return self._shared
            if named := _items(place.get("servers"))[:_MOST_SERVERS]:
                found = tuple(self._server(_object(each)) for each in named)
                if place is self._top:
                    self._shared = found
                return found
        return (urljoin(self._location, "/"),)

    def _server(self, server: Mapping[str, Any]) -> str:
        url = str(server.get("url", "/"))
        values = {
            name: str(_object(variable).get("default", ""))
            for name, variable in _object(server.get("variables")).items()
        }
        if len(url) > _LONGEST_URL or max(map(len, values.values()), default=0) > 256:
            raise Unclear("the URL of a server is too long")
        url = re.sub(r"\{([^{}]*)\}", lambda found: values.get(found[1], found[0]), url)
        try:
            return urljoin(self._location, url)
        except ValueError:
            raise Unclear("the URL of a server is not valid") from None


def _parameter(
    name: str, place: str, kind: str | None, is_required: bool
) -> dict[str, Any]:
    made = {"name": name, "in": place, "type": kind, "required": is_required}
    return {name: value for name, value in made.items() if value is not None}


def _add_options(
    options: dict[str, list[Any]], name: str, schema: Mapping[str, Any]
) -> None:
    if isinstance(schema.get("enum"), list):
        options[name] = schema["enum"]
    elif "const" in schema:
        options[name] = [schema["const"]]


def _type(schema: Mapping[str, Any]) -> str | None:
    """Returns the type of a value; None if it can have several."""
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    kinds = [kind for kind in kinds if kind != "null"]
    return kinds[0] if len(kinds) == 1 and isinstance(kinds[0], str) else None


def _is_json(media: str) -> bool:
    kind = media.partition(";")[0].strip().lower()
    return kind == "application/json" or kind.endswith("+json")


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float | bool)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _list(values: Mapping[str, Any]) -> list[Any]:
    return _items(values.get("parameters"))
