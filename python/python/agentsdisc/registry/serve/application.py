"""Puts the endpoints together."""

from collections.abc import Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from ..store import Store
from . import adp, ard, pages
from .gate import Gate
from .problems import of_status
from .settings import Settings
from .state import Registry, as_json, response


def app(
    store: Store,
    settings: Settings | None = None,
    *,
    routes: Sequence[BaseRoute] = (),
    lifespan: Any = None,
) -> Starlette:
    """Returns the ASGI application of a registry. `routes` are served beside its own, such as the mount of an MCP server."""
    registry = Registry(store, settings or Settings())
    base = registry.settings.base
    ways = [
        Route(f"{prefix}{path}", endpoint, methods=[method])
        for prefix in dict.fromkeys(("", base))
        for path, endpoint, method in (
            ("/search", ard.search, "POST"),
            ("/explore", ard.explore, "POST"),
            ("/agents", ard.agents, "GET"),
        )
    ]
    made = Starlette(
        routes=[
            Route("/api/discover", adp.discover),
            *ways,
            Route("/api/services", adp.services),
            Route("/api/services/{domain}/capabilities/{name:path}", adp.capability),
            Route("/api/services/{domain}", adp.service),
            *pages.routes(),
            Route("/.well-known/ai-catalog.json", catalog),
            Route("/robots.txt", robots),
            Route("/healthz", health),
            Route("/metrics", metrics),
            *routes,
        ],
        middleware=[Middleware(Gate, registry=registry)],
        exception_handlers={HTTPException: _refused},
        lifespan=lifespan,
    )
    made.state.registry = registry
    return made


def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    raise of_status(error.status_code, error.headers)


async def catalog(request: Request) -> Response:
    """Answers with the AI Catalog that names the registry."""
    settings = adp.registry_of(request).settings
    entry = {
        "identifier": f"urn:air:{settings.host}:registry:search",
        "displayName": settings.name,
        "type": "application/ai-registry+json",
        "url": settings.ard,
        "description": "Finds services for agents by words.",
    }
    answer = as_json(
        {
            "specVersion": "1.0",
            "host": {"displayName": settings.name},
            "entries": [entry],
        }
    )
    return response(request, answer, answer.tag, 3600)


async def robots(request: Request) -> Response:
    """Answers with the robots.txt of the registry."""
    url = adp.registry_of(request).settings.url
    text = f"User-agent: *\nAllow: /\n\nAgentmap: {url}/.well-known/ai-catalog.json\n"
    return PlainTextResponse(text)


async def health(request: Request) -> Response:
    """Answers 200 while the store answers."""
    registry = adp.registry_of(request)
    generation = await registry.ask(lambda store: store.generation())
    answer = as_json({"status": "ok", "generation": generation})
    return Response(answer.body, media_type=answer.media_type)


async def metrics(request: Request) -> Response:
    """Answers with the counters."""
    registry = adp.registry_of(request)
    return PlainTextResponse(
        registry.metrics.text({}), media_type="text/plain; version=0.0.4"
    )
