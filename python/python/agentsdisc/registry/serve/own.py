"""What the registry publishes about itself: its documents for agents, its health and its metrics."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ... import parse
from ..hosts import publisher_of
from ..store import Store
from .openapi import description
from .problems import KINDS, Problem
from .state import Answer, Registry, as_json, response

_ABOUT = "Finds services for agents by words, from the documents that sites publish."
_CAPABILITIES = (
    (
        "discover",
        "Find services by words, such as send an e-mail",
        "/api/discover",
        (("q", "string", "what is needed"), ("limit", "integer", "1 to 100 services")),
    ),
    (
        "list_services",
        "List the services of the index by domain",
        "/api/services",
        (
            ("limit", "integer", "1 to 100 services"),
            ("after", "string", "the last domain of the page before"),
        ),
    ),
)
_STARTED = datetime.now(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")


def routes(registry: Registry) -> list[Route]:
    """Returns the routes of the registry's own documents, health and metrics."""
    url = registry.settings.url
    catalog = as_json(_catalog(registry))
    documents: dict[str, Answer] = {
        "/.well-known/agent": as_json(_adp(registry)),
        "/.well-known/ard.json": catalog,
        "/.well-known/ai-catalog.json": catalog,
        "/.well-known/agents.json": as_json(_agents_json(registry)),
        "/agents.json": as_json(_agents_json(registry)),
        "/.well-known/agents.txt": _text(_agents_txt(registry)),
        "/agents.txt": _text(_agents_txt(registry)),
        "/robots.txt": _text("User-agent: *\nAllow: /\n"),
        "/openapi.json": as_json(description(registry)),
        "/problems": as_json(_problems()),
        **{f"/own/{c[0]}": as_json(_detail(url, c)) for c in _CAPABILITIES},
    }

    def served(answer: Answer) -> Callable[[Request], Any]:
        async def document(request: Request) -> Response:
            return response(request, answer, answer.tag, 3600)

        return document

    async def healthz(request: Request) -> Response:
        await registry.ask(lambda store: store.check())
        return _plain(b'{"status":"ok"}', "application/json")

    async def livez(request: Request) -> Response:
        return _plain(b'{"status":"ok"}', "application/json")

    async def metrics(request: Request) -> Response:
        values: dict[str, tuple[str, float]] = {}
        # The counters are useful especially when the store does not answer.
        with suppress(Problem):
            values = await registry.ask(_gauges)
        text = registry.metrics.text(values)
        return _plain(text.encode(), "text/plain; version=0.0.4")

    return [
        *(Route(path, served(a), methods=["GET"]) for path, a in documents.items()),
        Route("/healthz", healthz, methods=["GET"]),
        Route("/readyz", healthz, methods=["GET"]),
        Route("/livez", livez, methods=["GET"]),
        Route("/metrics", metrics, methods=["GET"]),
    ]


def _gauges(store: Store) -> dict[str, tuple[str, float]]:
    services, capabilities = store.counts()
    return {
        "services": ("Services in the index.", services),
        "capabilities": ("Capabilities in the index.", capabilities),
        "generation": ("Changes of the index.", store.generation()),
    }


def _plain(body: bytes, kind: str) -> Response:
    return Response(body, media_type=kind, headers={"Cache-Control": "no-store"})


def _text(text: str) -> Answer:
    return Answer(text.encode(), "text/plain")


def _problems() -> dict[str, Any]:
    return {
        name: {"status": kind.status, "title": kind.title, "about": kind.about}
        for name, kind in KINDS.items()
    }


def _adp(registry: Registry) -> dict[str, Any]:
    return {
        "spec_version": "1.0",
        "name": registry.settings.name,
        "description": _ABOUT,
        "base_url": registry.settings.url,
        "auth": {"type": "none"},
        "capabilities": [
            {"name": name, "description": about, "detail_url": f"/own/{name}"}
            for name, about, _, _ in _CAPABILITIES
        ],
    }


def _detail(url: str, capability: Any) -> dict[str, Any]:
    name, about, path, parameters = capability
    return {
        "name": name,
        "description": about,
        "endpoint": path,
        "method": "GET",
        "parameters": _parameters(parameters),
        "request_example": {"method": "GET", "url": f"{url}{path}?{_example(name)}"},
        "response_example": {"status": 200, "body": {"success": True, "data": []}},
    }


def _parameters(parameters: Iterable[tuple[str, str, str]]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "query",
            "type": kind,
            "required": name == "q",
            "description": about,
        }
        for name, kind, about in parameters
    ]


def _example(name: str) -> str:
    return "q=send+email" if name == "discover" else "limit=20"


def _agents_json(registry: Registry) -> dict[str, Any]:
    settings = registry.settings
    return {
        "specVersion": "1.0",
        "generatedAt": _STARTED,
        "declarationType": "platform",
        "site": {"name": settings.name, "url": settings.url, "description": _ABOUT},
        "capabilities": [
            {
                "id": name.replace("_", "-"),
                "description": about,
                "endpoint": f"{settings.url}{path}",
                "method": "GET",
                "protocol": "REST",
                "auth": {"type": "none"},
                "openapi": f"{settings.url}/openapi.json",
                "parameters": _parameters(parameters),
            }
            for name, about, path, parameters in _CAPABILITIES
        ],
        "access": {"allow": ["/*"], "disallow": []},
    }


def _agents_txt(registry: Registry) -> str:
    """Returns the agents.json as an agents.txt, which points to it."""
    document = parse(as_json(_agents_json(registry)).body, format="agents-json")
    companion = f"{registry.settings.url}/.well-known/agents.json"
    return f"{document.convert('agents-txt').decode()}\nAgents-JSON: {companion}\n"


def _is_address(host: str) -> bool:
    """Whether a host is an IPv4 address."""
    return host.rpartition(".")[2].isdigit()


def _catalog(registry: Registry) -> dict[str, Any]:
    settings = registry.settings
    host = settings.host
    publisher = publisher_of(host)
    if _is_address(publisher):
        # ARD takes domains only.
        publisher = f"{publisher}.invalid"
    return {
        "specVersion": "1.0",
        "host": {"displayName": settings.name},
        "entries": [
            {
                "identifier": f"urn:air:{publisher}:registry",
                "displayName": settings.name,
                "type": "application/ai-registry+json",
                "url": settings.ard,
                "description": _ABOUT,
                "representativeQueries": ["send an e-mail", "track a parcel"],
            }
        ],
    }
