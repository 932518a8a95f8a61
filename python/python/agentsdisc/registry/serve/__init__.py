"""Serves a registry over HTTP: ADP's and ARD's interfaces, and pages for people (extra `registry`).

`app` returns the ASGI application; `agentsdisc registry serve` runs it under uvicorn.
"""

from .settings import Settings

__all__ = ["Settings", "app"]

try:
    from .application import app
except ModuleNotFoundError as missing:
    if missing.name in {"starlette", "anyio", "jinja2", "httpx", "httpcore"}:
        message = (
            "serving a registry needs Starlette: pip install 'agentsdisc[registry]'"
        )
        raise ImportError(message, name=missing.name) from None
    raise
