"""`agentsdisc registry serve`: a registry over HTTP."""

import argparse
import logging
import os
import signal
import sys
import tomllib
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from .reading import Unreadable
from .registry_build import store_option
from .signing import identity_of, identity_options
from .terminal import visible

if TYPE_CHECKING:
    from ..registry import Store
    from ..registry.serve import Settings

_CONNECTIONS = 1000
"""Connections of all clients; above it, requests are answered 503."""

_DESCRIPTION = """\
Serves a registry over HTTP: ADP (/api/discover), ARD (/search, /explore, /agents), MCP (/mcp), and a page for people (/).
It stops on SIGINT and SIGTERM, after the requests that have begun.
"""


def register(subcommands: Any) -> None:
    """Adds the command to the command line."""
    from . import port

    command: argparse.ArgumentParser = subcommands.add_parser(
        "serve", help="serve a registry over HTTP", description=_DESCRIPTION
    )
    store_option(command, required=False)
    add = command.add_argument
    add(
        "--config",
        metavar="FILE",
        help="a TOML file with these options as keys, such as rate = 50 (default: $AGENTSDISC_REGISTRY_CONFIG)",
    )
    add(
        "--semantic",
        metavar="FOLDER",
        nargs="?",
        const="",
        help="also search by meaning; FOLDER has model.onnx and vocab.txt or tokenizer.json that are not installed as packages",
    )
    add(
        "--create",
        action="store_true",
        help="begin with an empty registry if there is none, for submissions or a later build",
    )
    add(
        "--host",
        default="127.0.0.1",
        help="the address to listen on (default: 127.0.0.1)",
    )
    add(
        "--port",
        type=port,
        default=8000,
        help="the port; 0: a free one (default: 8000)",
    )
    add(
        "--url",
        metavar="URL",
        help="the public URL, such as https://registry.example (default: http://HOST:PORT)",
    )
    add("--name", default="Agent registry", help="the name of the registry")
    add(
        "--upstream",
        metavar="URL",
        action="append",
        default=[],
        help="another ARD registry to refer to and to ask; may be repeated",
    )
    add(
        "--submissions",
        choices=("on", "off", "signed"),
        default="on",
        help="whether anyone may submit a domain; signed: only agents whose signature is valid (default: on)",
    )
    identity_options(add)
    add(
        "--subdomains",
        type=_count,
        default=50,
        metavar="N",
        help="submitted services of one registrable domain; 0: no limit (default: 50)",
    )
    add(
        "--allow-private",
        action="store_true",
        help="submitted domains may have private addresses and ports",
    )
    add(
        "--rate",
        type=_rate,
        default=100.0,
        metavar="N",
        help="requests per second of one client; 0: no limit (default: 100)",
    )
    add(
        "--connections",
        type=_count,
        default=64,
        metavar="N",
        help="connections of one client; 0: no limit (default: 64)",
    )
    add(
        "--threads",
        type=_threads,
        default=8,
        metavar="N",
        help="questions to the store at one time (default: 8)",
    )
    add(
        "--workers",
        type=_workers,
        default=1,
        metavar="N",
        help="processes that serve the registry together (default: 1)",
    )
    add(
        "--proxy",
        metavar="ADDRESS",
        action="append",
        default=[],
        help="the address of a reverse proxy whose X-Forwarded-For counts; may be repeated",
    )
    add(
        "--log-requests",
        action="store_true",
        help="log each request, without its query",
    )
    command.set_defaults(run=partial(run, command=command))


_ENVIRONMENT = "AGENTSDISC_REGISTRY_"


def configured(
    options: argparse.Namespace, command: argparse.ArgumentParser
) -> argparse.Namespace:
    """Returns the options, with those that are not on the command line from the environment, and then from the file.

    An option is a variable such as AGENTSDISC_REGISTRY_STORE, and a key such as `store`. Values of options that may be repeated are separated by spaces.
    """
    path = options.config or os.environ.get(f"{_ENVIRONMENT}CONFIG")
    values: dict[str, tuple[str, Any]] = {}
    if path:
        try:
            with Path(path).open("rb") as file:
                values = {
                    name.replace("-", "_"): (f"{path}: {name}", value)
                    for name, value in tomllib.load(file).items()
                }
        except OSError as problem:
            raise Unreadable.of(problem, path) from None
        except ValueError as problem:
            raise Unreadable(visible(f"{path}: {problem}")) from None
    actions = {
        action.dest: action
        for action in command._actions
        if action.dest not in {"help", "config"}
    }
    for name in actions:
        variable = f"{_ENVIRONMENT}{name.upper()}"
        if variable in os.environ:
            values[name] = variable, os.environ[variable]
    for name, (where, value) in values.items():
        action = actions.get(name)
        if action is None:
            raise Unreadable(visible(f"{where}: there is no such option"))
        # A value that is not the default is from the command line.
        if getattr(options, name) == action.default:
            try:
                setattr(options, name, _value(action, value))
            except (argparse.ArgumentTypeError, ValueError) as problem:
                raise Unreadable(visible(f"{where}: {problem}")) from None
    if options.store is None:
        raise Unreadable("name a store with --store")
    return options


def _value(action: argparse.Action, value: Any) -> Any:
    """Returns the value of an option as the command line gives it."""
    if isinstance(action.default, bool):
        text = str(value).lower()
        if text not in {"true", "false", "1", "0"}:
            raise ValueError("give true or false")
        return text in {"true", "1"}
    if isinstance(action.default, list):
        return value if isinstance(value, list) else str(value).split()
    if action.choices and isinstance(value, bool):
        value = "on" if value else "off"
    text = str(value)
    if action.choices and text not in action.choices:
        raise ValueError(f"give one of {', '.join(map(str, action.choices))}")
    return action.type(text) if callable(action.type) else text


def _threads(text: str) -> int:
    return _number(text, 1, 256)


def _workers(text: str) -> int:
    return _number(text, 1, 64)


def _count(text: str) -> int:
    return _number(text, 0, 999_999)


def _number(text: str, least: int, most: int) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= 7
    if not (is_number and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"give a number from {least} to {most:,}")
    return int(text)


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 1e6:
        raise argparse.ArgumentTypeError("give a number of requests per second")
    return rate


def run(options: argparse.Namespace, command: argparse.ArgumentParser) -> int:
    """Serves until a signal comes."""
    from . import OK

    options = configured(options, command)
    try:
        import uvicorn  # noqa: F401

        from ..registry import NoRegistryError, StoreError, open_store
        from ..registry.serve import Settings
        from ..registry.serve.workers import serve_together
    except ImportError as problem:
        needed = f"`registry serve` needs the package {problem.name}: pip install 'agentsdisc[registry]'"
        raise Unreadable(needed) from None
    # A key that cannot be read ends the command here, not later in a process of its own.
    identity_of(options)
    listening = _listening(options.host, options.port)
    with listening, ExitStack() as until:
        folder = None
        if options.workers > 1:
            made = TemporaryDirectory(prefix="agentsdisc-", ignore_cleanup_errors=True)
            folder = until.enter_context(made)
        port = listening.getsockname()[1]
        try:
            settings = Settings(
                url=options.url or _url(options.host, port),
                name=options.name,
                upstreams=tuple(options.upstream),
                submissions=options.submissions != "off",
                signed=options.submissions == "signed",
                identity=options.identity,
                directory=options.directory,
                subdomains=options.subdomains,
                allow_private=options.allow_private,
                rate=options.rate,
                burst=max(1, int(5 * options.rate)),
                connections=options.connections,
                threads=options.threads,
                workers=options.workers,
                metrics=folder,
                log_requests=options.log_requests,
            )
            read_only = not (settings.submissions or options.create)
            open_store(
                options.store, read_only=read_only, create=options.create
            ).close()
        except NoRegistryError as problem:
            said = f"{visible(str(problem))}; or begin with an empty one: --create"
            raise Unreadable(said) from None
        except (ValueError, StoreError) as problem:
            raise Unreadable(visible(str(problem))) from None
        _say_if_without_meaning(options.store, options.semantic)
        print(
            f"serving {visible(_url(options.host, port))} (public: {visible(settings.url)})",
            file=sys.stderr,
            flush=True,
        )
        # uvicorn ends its requests first, and then raises the signal again.
        signal.signal(signal.SIGTERM, _stop)
        work = (
            listening,
            options.store,
            settings,
            options.proxy,
            options.semantic,
        )
        try:
            if settings.workers > 1:
                _log()
                serve_together(settings.workers, _serve, *work)
            else:
                _serve(*work)
        except KeyboardInterrupt:
            pass
    return OK


def _log() -> None:
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(message)s",
    )
    # Otherwise these libraries log each request and start.
    for name in ("httpx", "mcp"):
        logging.getLogger(name).setLevel(logging.WARNING)


def _vectors(where: str) -> str | None:
    """Returns the file for the vectors of a store."""
    return None if "://" in where else f"{where}.vectors"


def _say_if_without_meaning(where: str, folder: str | None) -> None:
    if folder is None:
        return
    from ..registry.semantic import Cache, Model, NoModelError

    try:
        Model(folder or None)
        Cache(_vectors(where)).close()
    except NoModelError as problem:
        print(
            f"--semantic: {visible(str(problem))}; searching by words only",
            file=sys.stderr,
            flush=True,
        )


def _with_meaning(store: "Store", where: str, folder: str | None) -> "Store":
    """Returns a store that also searches by meaning; the store itself without a model."""
    if folder is None:
        return store
    from ..registry.semantic import Model, NoModelError, SemanticStore

    with suppress(NoModelError):
        found = SemanticStore(store, Model(folder or None), _vectors(where))
        found.watch()
        return cast("Store", found)
    return store


def _serve(
    listening: Any,
    where: str,
    settings: "Settings",
    proxies: list[str],
    semantic: str | None = None,
) -> None:
    """Serves in this process until a signal comes."""
    import uvicorn

    from ..registry import open_store
    from ..registry.serve import app
    from ..registry.serve.connections import protocol

    _log()
    _allow_files()
    store = open_store(where, read_only=not settings.submissions, create=False)
    config = uvicorn.Config(
        app(_with_meaning(store, where, semantic), settings),
        http=protocol(settings, proxies),
        ws="none",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or "",
        timeout_graceful_shutdown=10,
        timeout_keep_alive=15,
        limit_concurrency=_CONNECTIONS,
        h11_max_incomplete_event_size=32 << 10,
    )
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        store.close()


def _allow_files() -> None:
    """Allows as many open files as there may be connections, if the system lets it: a usual limit is 1,024 or 256."""
    try:
        import resource
    except ImportError:
        return
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * _CONNECTIONS
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    if least != resource.RLIM_INFINITY and least < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _stop(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _listening(host: str, port: int) -> Any:
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=1024)
        # Connections inherit this option. Without it, an answer waits until the client acknowledges its headers, usually 40 ms.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except OSError as problem:
        raise Unreadable(
            f"cannot listen on {visible(host)}:{port}: {problem.strerror}"
        ) from None


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
