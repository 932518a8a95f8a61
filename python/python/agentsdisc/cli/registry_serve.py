"""`agentsdisc registry serve`: answers over HTTP."""

import argparse
from typing import Any

from .reading import Unreadable


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "serve",
        help="serve a registry over HTTP, for agents and people",
        description="Serves ADP's and ARD's interfaces and a page for people.",
    )
    command.add_argument("--store", metavar="FILE|URL", required=True)
    command.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1")
    command.add_argument("--port", type=int, default=8000, help="default: 8000")
    command.add_argument("--url", metavar="URL", help="the public URL")
    command.add_argument(
        "--upstream",
        metavar="URL",
        action="append",
        default=[],
        help="an ARD registry to refer to",
    )
    command.add_argument(
        "--rate",
        type=float,
        default=100.0,
        metavar="N",
        help="requests per second and client; 0: no limit (default: 100)",
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serves until it is interrupted."""
    try:
        import uvicorn

        from ..registry import StoreError, open_store
        from ..registry.serve import Settings, app
    except ModuleNotFoundError as missing:
        if missing.name != "uvicorn":
            raise
        raise Unreadable("serving needs: pip install 'agentsdisc[registry]'") from None
    except ImportError as problem:
        raise Unreadable(str(problem)) from None
    url = options.url or f"http://{options.host}:{options.port}"
    try:
        settings = Settings(
            url=url, upstreams=tuple(options.upstream), rate=options.rate
        )
        store = open_store(options.store, read_only=True)
    except (ValueError, StoreError) as problem:
        raise Unreadable(str(problem)) from None
    print(f"serving {options.store.rpartition('@')[2]} at {url}", flush=True)
    try:
        uvicorn.run(
            app(store, settings),
            host=options.host,
            port=options.port,
            access_log=False,
            log_level="warning",
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=10,
        )
    finally:
        store.close()
    return 0
