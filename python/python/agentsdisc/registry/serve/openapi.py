"""The OpenAPI description of the registry's interface."""

from typing import Any

from ... import __version__
from .state import Registry

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 1, "maximum": 100}
_OBJECT = {"type": "object"}


def description(registry: Registry) -> dict[str, Any]:
    """Returns the description, for OpenAPI 3.1."""
    return {
        "openapi": "3.1.0",
        "info": {"title": registry.settings.name, "version": __version__},
        "servers": [{"url": registry.settings.url}],
        "paths": {
            "/api/discover": _get(
                "discover", "Finds services by words (ADP)", "Search", _SEARCH
            ),
            "/api/services": {
                **_get("services", "Lists services by domain", "Services", _LIST),
                "post": _post(
                    "submit",
                    "Submits a domain, which is then fetched",
                    {
                        "type": "object",
                        "required": ["domain"],
                        "properties": {"domain": _TEXT},
                    },
                    "Submission",
                    "202",
                ),
            },
            "/api/submissions/{domain}": _get(
                "submission",
                "What came of a submission",
                "Submission",
                [_path("domain")],
            ),
            "/api/services/{domain}": _get(
                "service",
                "Describes a service",
                "Service",
                [_path("domain"), _param("after", _TEXT), _param("limit", _COUNT)],
            ),
            "/api/services/{domain}/capabilities/{name}": _get(
                "capability",
                "Describes a capability",
                "Capability",
                [_path("domain"), _path("name")],
            ),
            "/api/services/{domain}/capabilities": _get(
                "capabilityByName",
                "Describes a capability whose name cannot be a part of a path, such as ..",
                "Capability",
                [_path("domain"), _param("name", _TEXT, required=True)],
            ),
            "/search": {
                "post": _post("search", "Finds entries (ARD)", _ARD_SEARCH, "ArdSearch")
            },
            "/explore": {
                "post": _post(
                    "explore", "Counts values (ARD)", _ARD_EXPLORE, "ArdFacets"
                )
            },
            "/agents": _get(
                "agents",
                "Lists entries (ARD)",
                "ArdList",
                [
                    _param("filter", _TEXT),
                    _param("pageSize", _COUNT),
                    _param("pageToken", _TEXT),
                    _param("orderBy", {"enum": ["publisher", "publisherId"]}),
                ],
            ),
            "/healthz": _get("healthz", "Whether the store answers", "Health", []),
            "/readyz": _get("readyz", "Whether the store answers", "Health", []),
            "/livez": _get("livez", "Whether the process answers", "Health", []),
            "/metrics": _metrics(),
            "/mcp": {
                "post": _post("mcp", "MCP over streamable HTTP", _OBJECT, "Message")
            },
        },
        "components": {"schemas": _SCHEMAS},
    }


def _param(name: str, schema: Any, *, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "schema": schema}


def _path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": _TEXT}


def _get(name: str, about: str, schema: str, parameters: list[Any]) -> dict[str, Any]:
    operation = {
        "operationId": name,
        "summary": about,
        "parameters": parameters,
        "responses": _answers(schema, "200"),
    }
    return {"get": operation}


def _metrics() -> dict[str, Any]:
    found = _get("metrics", "Counters for Prometheus", "Health", [])
    content = {"text/plain": {"schema": _TEXT}}
    found["get"]["responses"]["200"]["content"] = content
    return found


def _post(
    name: str, about: str, body: Any, schema: str, status: str = "200"
) -> dict[str, Any]:
    content = {"application/json": {"schema": body}}
    return {
        "operationId": name,
        "summary": about,
        "requestBody": {"required": True, "content": content},
        "responses": _answers(schema, status),
    }


def _answers(schema: str, status: str) -> dict[str, Any]:
    def content(kind: str, name: str) -> dict[str, Any]:
        return {kind: {"schema": {"$ref": f"#/components/schemas/{name}"}}}

    return {
        status: {
            "description": "The answer",
            "content": content("application/json", schema),
        },
        "default": {
            "description": "A problem (RFC 9457)",
            "content": content("application/problem+json", "Problem"),
        },
    }


def _schema(required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required.split(), "properties": properties}


def _list_of(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


_FILTERS = [_param(name, _TEXT) for name in ("category", "format", "auth", "tag")]
_SEARCH = [
    _param("q", _TEXT),
    _param("limit", _COUNT),
    _param("offset", {"type": "integer", "minimum": 0, "maximum": 1000}),
    *_FILTERS,
]
_LIST = [_param("limit", _COUNT), _param("after", _TEXT), *_FILTERS]
_ENTRY = _schema(
    "identifier displayName type url",
    identifier=_TEXT,
    displayName=_TEXT,
    type=_TEXT,
    url=_TEXT,
    description=_TEXT,
    tags=_list_of(_TEXT),
    capabilities=_list_of(_TEXT),
    updatedAt=_TEXT,
    metadata=_OBJECT,
    score={"type": "integer", "minimum": 0, "maximum": 100},
    source=_TEXT,
)
_ENTRIES = _list_of({"$ref": "#/components/schemas/ArdEntry"})
_QUERY = _schema("", text=_TEXT, filter=_OBJECT)
_ARD_SEARCH = _schema(
    "query",
    query=_QUERY,
    federation={"enum": ["auto", "referrals", "none"]},
    pageSize=_COUNT,
    pageToken=_TEXT,
)
_FACET = _schema(
    "field", field=_TEXT, limit={"type": "integer"}, minCount={"type": "integer"}
)
_ARD_EXPLORE = _schema(
    "resultType", query=_QUERY, resultType=_schema("facets", facets=_list_of(_FACET))
)
_HIT = _schema(
    "service matching_capabilities",
    service=_schema(
        "name domain description base_url",
        **dict.fromkeys(("name", "domain", "description", "base_url"), _TEXT),
        auth_type=_TEXT,
        pricing_type=_TEXT,
        verified={"type": "boolean"},
    ),
    matching_capabilities=_list_of(
        _schema("name", name=_TEXT, description=_TEXT, detail_url=_TEXT)
    ),
)
_SCHEMAS = {
    "Search": _schema(
        "success query result_count data",
        success={"type": "boolean"},
        query=_TEXT,
        result_count={"type": "integer"},
        data=_list_of(_HIT),
    ),
    "Services": _schema(
        "success data", data=_list_of(_OBJECT), next={"type": ["string", "null"]}
    ),
    "Service": _schema("success data", data=_OBJECT),
    "Capability": _schema("success data", data=_OBJECT),
    "Submission": _schema(
        "domain state status_url", domain=_TEXT, state=_TEXT, status_url=_TEXT
    ),
    "ArdEntry": _ENTRY,
    "ArdSearch": _schema(
        "results", results=_ENTRIES, referrals=_ENTRIES, pageToken=_TEXT
    ),
    "ArdFacets": _schema(
        "resultType facets", resultType={"const": "facets"}, facets=_OBJECT
    ),
    "ArdList": _schema(
        "items", items=_ENTRIES, total={"type": "integer"}, pageToken=_TEXT
    ),
    "Message": _OBJECT,
    "Health": _schema("status", status=_TEXT),
    "Problem": _schema(
        "type title status detail",
        type=_TEXT,
        title=_TEXT,
        status={"type": "integer"},
        detail=_TEXT,
        errorCode=_TEXT,
        message=_TEXT,
    ),
}
