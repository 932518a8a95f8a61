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
_MOST_TYPES = 8
_LARGEST = 4 << 20
"""The largest description, in bytes."""
_MOST_CONTAINERS = 150_000
"""The most objects and lists of a description: parsing its JSON cannot be interrupted."""
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
    if len(body) > _LARGEST:
        raise Unclear(f"it is larger than {_LARGEST >> 20} MiB")
    if body.count(b"{") + body.count(b"[") > _MOST_CONTAINERS:
        raise Unclear(f"it has more than {_MOST_CONTAINERS:,} objects and lists")
    try:
        top = json.loads(body)
    except (ValueError, RecursionError):
        raise Unclear("it is not JSON") from None
    version = top.get("openapi") if isinstance(top, dict) else None
    if not (isinstance(version, str) and version.startswith("3.")):
        raise Unclear("it is not an OpenAPI description of version 3")
    reader = _Reader(top, location)
    if operation is None and endpoint is not None:
        found = reader.at(endpoint, (method or "get").lower())
        if found is not None:
            # Uses the endpoint that the site declares, even if the description names another server.
            return reader.described(found, endpoint)
    found = reader.named(operation or capability)
    if found is None:
        what = operation or f"{method or ''} {endpoint or capability}".strip()
        raise Unclear(f"it does not describe the operation {what!r}")
    return reader.described(found, None)


@dataclass(frozen=True, slots=True)
class _Found:
    """An operation before it is read."""

    method: str
    path: str
    item: Mapping[str, Any]
    values: Mapping[str, Any]


class _Servers:
    """The absolute URLs of servers, and their paths."""

    def __init__(self, urls: Iterable[str]) -> None:
        self.urls = tuple(urls)
        self._bases = {_path(url).rstrip("/") for url in self.urls}

    def is_at(self, path: str, wanted: str) -> bool:
        """Returns whether a path at one of these servers is `wanted`, which ends with it."""
        return wanted[: len(wanted) - len(path)] in self._bases


class _Reader:
    """A description, with its references.

    Its work is linear in the size of the description: many places can refer to one reference, path item or list of servers, and each of these is
    read once.
    """

    def __init__(self, top: dict[str, Any], location: str) -> None:
        self._top, self._location = top, location
        self._targets: dict[str, Any] = {}
        """The objects that references lead to."""
        self._servers: dict[int, _Servers | None] = {}
        """The servers of each object that can name some, by its identity."""
        self._default = _Servers([urljoin(location, "/")])

    def _operations(self, *methods: str) -> Iterator[tuple[str, str, Any, Any]]:
        """Returns all operations with these methods: method, path, path item, and operation."""
        for path, item in _object(self._top.get("paths")).items():
            item = self._resolved(item)
            for method in methods:
                values = item.get(method)
                if isinstance(values, dict):
                    yield method, path, item, values

    def named(self, id: str) -> _Found | None:
        """Returns the only operation with an id."""
        found = (each for each in self._operations(*_METHODS) if _id(each[3]) == id)
        first = next(found, None)
        if first is None or next(found, None) is not None:
            return None
        return _Found(*first)

    def at(self, endpoint: str, method: str) -> _Found | None:
        """Returns the first operation at an endpoint."""
        if method not in _METHODS:
            return None
        wanted = _path(endpoint)
        for each in self._operations(method):
            _, path, item, values = each
            if wanted.endswith(path) and self._servers_of(values, item).is_at(
                path, wanted
            ):
                return _Found(*each)
        return None

    def described(self, found: _Found, endpoint: str | None) -> Described:
        """Returns an operation. Raises Unclear if its request cannot be written."""
        url = endpoint or self._url(found)
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

    def _url(self, found: _Found) -> str:
        servers = self._servers_of(found.values, found.item)
        return servers.urls[0].rstrip("/") + found.path

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
        parts = (schema, *_items(schema.get("allOf")))
        # A schema that is named again overrides the ones before; the first time has no effect.
        read = {id(values): values for values in map(self._resolved, reversed(parts))}
        for values in reversed(read.values()):
            members.update(_object(values.get("properties")))
            needed += _items(values.get("required"))
        return {**schema, "properties": members, "required": needed}

    def _resolved(self, given: object) -> dict[str, Any]:
        """Returns an object, or the one that it refers to within the description."""
        if isinstance(given, dict) and "$ref" not in given:
            return given
        passed: list[str] = []
        while isinstance(given, dict) and "$ref" in given:
            reference = given["$ref"]
            if not isinstance(reference, str) or not reference.startswith("#/"):
                raise Unclear("it refers to other documents")
            if reference in self._targets:
                given = self._targets[reference]
                break
            if len(passed) >= _MOST_REFERENCES:
                raise Unclear("its references are nested too deeply or form a cycle")
            passed.append(reference)
            given = self._target(reference)
        found = _object(given)
        self._targets.update(dict.fromkeys(passed, found))
        return found

    def _target(self, reference: str) -> Any:
        """Returns what a reference leads to."""
        given: Any = self._top
        for part in reference[2:].split("/"):
            name = unquote(part).replace("~1", "/").replace("~0", "~")
            given = _object(given).get(name)
        if given is None:
            raise Unclear(f"it does not contain {reference[:200]!r}")
        return given

    def _servers_of(self, *places: Mapping[str, Any]) -> _Servers:
        """Returns the servers of the first place that names any, otherwise those of the description."""
        for place in (*places, self._top):
            key = id(place)
            if key not in self._servers:
                named = _items(place.get("servers"))[:_MOST_SERVERS]
                urls = [self._server(_object(each)) for each in named]
                self._servers[key] = _Servers(urls) if urls else None
            if (servers := self._servers[key]) is not None:
                return servers
        return self._default

    def _server(self, server: Mapping[str, Any]) -> str:
        url = str(server.get("url", "/"))
        values = {
            name: str(_object(variable).get("default", ""))
            for name, variable in _object(server.get("variables")).items()
        }
        if len(url) > _LONGEST_URL or max(map(len, values.values()), default=0) > 256:
            raise Unclear("the URL of a server is too long")
        url = re.sub(r"\{([^{}]*)\}", lambda found: values.get(found[1], found[0]), url)
        if len(url) > _LONGEST_URL:
            raise Unclear("the URL of a server is too long")
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
    if len(kinds) > _MOST_TYPES:
        return None
    kinds = [kind for kind in kinds if kind != "null"]
    return kinds[0] if len(kinds) == 1 and isinstance(kinds[0], str) else None


def _path(url: str) -> str:
    return unquote(urlsplit(url).path)


def _id(values: Mapping[str, Any]) -> object:
    return values.get("operationId")


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
