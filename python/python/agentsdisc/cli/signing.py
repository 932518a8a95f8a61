"""`agentsdisc identity`: makes the key of an agent and the directory that publishes it, and signs a request."""

import argparse
import json
import shlex
import sys
from pathlib import Path
from typing import Any

from .reading import Unreadable
from .terminal import visible
from .writing import put

_ORIGIN = "https://agent.example"


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "identity",
        help="make the key and the directory of an agent that signs its requests",
        description="Makes what an agent needs to sign its requests (Web Bot Auth): a key, the directory that publishes it, and the headers of a request.",
    )
    kinds = command.add_subparsers(dest="identity", required=True, metavar="WHAT")
    new = kinds.add_parser(
        "new",
        help="make a key",
        description="Makes an Ed25519 key, writes it to a file that only you can read (0600), and prints its thumbprint.",
    )
    new.add_argument(
        "key", metavar="FILE", help="the file of the key; it must not exist"
    )
    new.set_defaults(run=_new)
    directory = kinds.add_parser(
        "directory",
        help="write the directory that publishes keys",
        description="Writes the public parts of keys as a directory. Serve it at /.well-known/http-message-signatures-directory of your site, with the "
        "media type application/http-message-signatures-directory+json.",
    )
    directory.add_argument("keys", metavar="FILE", nargs="+", help="a file with a key")
    directory.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help="where to write it (default: stdout)",
    )
    directory.set_defaults(run=_directory)
    sign = kinds.add_parser(
        "sign",
        help="sign a request, as a curl line",
        description="Prints a curl line with a signed request. The signature is valid for a minute, and for this request only.",
    )
    sign.add_argument("key", metavar="FILE", help="the file of the key")
    sign.add_argument("url", metavar="URL", help="the URL to request")
    sign.add_argument(
        "--directory",
        metavar="URL",
        help=f"the origin whose directory has the key, such as {_ORIGIN}",
    )
    sign.add_argument("--method", metavar="METHOD", default="GET", help="default: GET")
    sign.add_argument(
        "--expires",
        metavar="SECONDS",
        type=_seconds,
        default=60,
        help="for how long the signature is valid (default: 60)",
    )
    sign.set_defaults(run=_sign)


def _seconds(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= 86_400):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 86400")
    return int(text)


def _new(options: argparse.Namespace) -> int:
    """Makes a key."""
    from ..identity import Key

    path = Path(options.key)
    try:
        key = Key.generate()
        # The name is taken first, so that no key is ever overwritten.
        path.touch(mode=0o600, exist_ok=False)
        key.save(path)
    except FileExistsError:
        raise Unreadable(
            f"{visible(options.key)} exists; a key is never overwritten"
        ) from None
    except OSError as problem:
        raise Unreadable(f"{visible(options.key)}: {problem.strerror}") from None
    print(key.thumbprint)
    return 0


def _loaded(name: str) -> Any:
    from ..identity import Key

    try:
        return Key.load(name)
    except OSError as problem:
        raise Unreadable(f"{visible(name)}: {problem.strerror}") from None
    except ValueError as problem:
        raise Unreadable(visible(str(problem))) from None


def identity_options(add: Any) -> None:
    """Adds the options of commands whose requests to sites can be signed."""
    add(
        "--identity",
        metavar="FILE",
        help="sign the requests to sites with this key, which `agentsdisc identity new` made",
    )
    add(
        "--directory",
        metavar="URL",
        help=f"where that key is published, such as {_ORIGIN}",
    )


def identity_of(options: argparse.Namespace) -> Any:
    """Returns the identity of the options; None without a key."""
    from ..identity import Identity
    from ..identity.directory import named

    if options.identity is None:
        if options.directory is not None:
            raise Unreadable(
                "--directory says where the key of --identity is published; give both"
            )
        return None
    try:
        if options.directory is not None:
            named(options.directory)
    except ValueError as problem:
        raise Unreadable(visible(f"--directory: {problem}")) from None
    return Identity(_loaded(options.identity), options.directory)


def _directory(options: argparse.Namespace) -> int:
    """Writes a directory."""
    keys = [_loaded(name).public for name in options.keys]
    text = json.dumps({"keys": keys}, indent=2) + "\n"
    if options.output == "-":
        sys.stdout.write(text)
    else:
        put(options.output, text.encode())
    return 0


def _sign(options: argparse.Namespace) -> int:
    """Prints a curl line."""
    from ..identity import sign

    key = _loaded(options.key)
    try:
        headers = sign(
            key,
            options.method,
            options.url,
            directory=options.directory,
            expires=options.expires,
        )
    except ValueError as problem:
        raise Unreadable(visible(str(problem))) from None
    parts = ["curl", "-X", options.method] if options.method != "GET" else ["curl"]
    for name, value in headers.items():
        parts += ["-H", f"{name}: {value}"]
    print(shlex.join([*parts, options.url]))
    return 0
