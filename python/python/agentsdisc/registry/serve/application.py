"""The ASGI application of a registry."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ..store import Store
from . import adp, ard, own, pages
from .federation import Federation
from .gate import Gate
from .problems import of_status
from .settings import Settings
from .state import Registry
from .submissions import Submissions

_METRICS_EVERY = 1.0
"""Seconds between two writes of the counters of a process."""


def app(store: Store, settings: Settings | None = None) -> Starlette:
    """Returns the ASGI application of a registry. The caller closes the store."""
    registry = Registry(store, settings or Settings())
    submissions = Submissions(registry)
    mcp = _mcp(store)

    @asynccontextmanager
    async def lifespan(application: Starlette) -> AsyncIterator[None]:
        async with mcp.router.lifespan_context(mcp), anyio.create_task_group() as group:
            submissions.start(group)
            if registry.settings.metrics is not None:
                group.start_soon(_keep_metrics, registry)
            yield
            group.cancel_scope.cancel()
            with suppress(OSError):
                registry.metrics.keep()

    made = Starlette(
        routes=_routes(registry, submissions, mcp),
        middleware=[Middleware(Gate, registry=registry)],
        exception_handlers={HTTPException: _as_problem},
        lifespan=lifespan,
    )
    # A redirect would lead to the host that the request names.
    made.router.redirect_slashes = False
    made.state.registry = registry
    registry.error_page = lambda problem: pages.error_page(problem, registry)
    return made


async def _keep_metrics(registry: Registry) -> None:
    while True:
        with suppress(OSError):
            registry.metrics.keep()
        await anyio.sleep(_METRICS_EVERY)


def _routes(
    registry: Registry, submissions: Submissions, mcp: Starlette
) -> list[BaseRoute]:
    found: list[BaseRoute] = [
        *_joined(adp.routes(registry), submissions.routes()),
        *ard.routes(registry, Federation(registry)),
        *own.routes(registry),
    ]
    # Without sessions there is nothing to GET or DELETE.
    for route in mcp.routes:
        if isinstance(route, Route):
            found.append(Route(route.path, route.endpoint, methods=["POST"]))
    return [*found, *pages.routes()]


def _joined(routes: list[Route], more: list[Route]) -> list[Route]:
    """Returns routes with one for each path, so that 405 names all its methods."""
    by_path: dict[str, list[Route]] = {}
    for route in (*routes, *more):
        by_path.setdefault(route.path, []).append(route)
    return [_one(same) for same in by_path.values()]


def _one(routes: list[Route]) -> Route:
    if len(routes) == 1:
        return routes[0]

    async def either(request: Request) -> Response:
        for route in routes:
            if request.method in (route.methods or ()):
                break
        answer: Response = await route.endpoint(request)
        return answer

    either.__name__ = routes[0].name
    methods = sorted({method for route in routes for method in route.methods or ()})
    return Route(routes[0].path, either, methods=methods)


def _mcp(store: Store) -> Starlette:
    from mcp.server.transport_security import TransportSecuritySettings

    from ..mcp import mcp_server

    # Its answers are public, so hosts need not be checked.
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    server: Any = mcp_server(store)
    application: Starlette = server.streamable_http_app(
        stateless_http=True, json_response=True, transport_security=security
    )
    return application


async def _as_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    raise of_status(error.status_code, error.headers)
