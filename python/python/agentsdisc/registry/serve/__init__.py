"""Serves a registry over HTTP: ADP's and ARD's interfaces, and pages for people (extra `registry`).

`app` returns the ASGI application; `agentsdisc registry serve` runs it under uvicorn.
"""

from ..._extras import needing
from .settings import Settings

__all__ = ["Settings", "app"]

_PACKAGES = ("starlette", "anyio", "jinja2", "httpx", "httpcore")
with needing("serving a registry needs Starlette", "registry", *_PACKAGES):
    from .application import app
