"""`agentsdisc call`: calls a capability of a site, after the decision."""

import argparse
import json
import logging
import os
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .. import Decision
from .._visible import keys_in, without_secrets
from .acting import (
    Asker,
    Notices,
    acting_options,
    discovery_options,
    needing_credentials,
)
from .choosing import choose, registry_options
from .discover import ask, hinted, shown_url
from .json_text import put_json
from .keys import keys_of, verified
from .reading import Unreadable
from .terminal import tell, visible

if TYPE_CHECKING:
    from ..discovery import Site

TOKEN = "AGENTSDISC_TOKEN"


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command = commands.add_parser(
        "call",
        help="call a capability of a site, if its documents allow it",
        description="Requests the documents of a site, decides whether the agent may call the capability, checks the arguments, does what has to "
        "happen before, and prints the answer. Exit code 1 if the documents do not allow the call or the arguments are wrong, 2 if it fails.",
    )
    acting_options(command, url="URL or host of the site; with --registry, a word")
    command.add_argument(
        "capability",
        metavar="CAPABILITY",
        nargs="?",
        help="the id of the capability, or the name of an MCP tool",
    )
    command.add_argument(
        "arguments",
        metavar="NAME=VALUE",
        nargs="*",
        help="an argument, read as the declared type; NAME:=JSON gives a JSON value",
    )
    registry_options(command)
    command.add_argument(
        "--token-env",
        metavar="VAR",
        default=TOKEN,
        help=f"the environment variable with the token (default: {TOKEN})",
    )
    command.add_argument(
        "--idempotency-key",
        metavar="KEY",
        help="the key by which the service recognizes a repeated call",
    )
    command.add_argument(
        "--undeclared",
        action="store_true",
        help="send arguments to a capability that declares no parameters",
    )
    command.add_argument(
        "--dry-run",
        action="store_true",
        help="print the request, and a curl line that sends it, without sending it",
    )
    command.mixes = True
    command.set_defaults(run=run)


def argument(text: str) -> tuple[str, Any]:
    """Parses an argument."""
    name, equals, value = text.partition("=")
    if not equals or not name.rstrip(":"):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an argument: write NAME=VALUE"
        )
    if not name.endswith(":"):
        return name, value
    try:
        return name[:-1], json.loads(value)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{name[:-1]!r}: the value is not JSON; write NAME=VALUE for text"
        ) from None


def given(text: str) -> tuple[str, Any]:
    """Parses an argument among the words of the command."""
    try:
        return argument(text)
    except argparse.ArgumentTypeError as problem:
        raise Unreadable(str(problem)) from None


def run(options: argparse.Namespace) -> int:
    """Calls the capability."""
    from . import FINDINGS

    if options.registry is not None and not choose(options):
        return FINDINGS
    if options.capability is None:
        raise Unreadable("which capability? write: agentsdisc call URL CAPABILITY")
    arguments: dict[str, Any] = {}
    for name, value in map(given, options.arguments):
        if name in arguments:
            raise Unreadable(f"the argument {name!r} is given twice")
        arguments[name] = value
    return perform(
        options,
        options.capability,
        arguments,
        options.token_env,
        os.environ.get(options.token_env) or None,
        idempotency_key=options.idempotency_key,
        undeclared=options.undeclared,
        dry_run=options.dry_run,
    )


def perform(
    options: argparse.Namespace,
    capability: str,
    arguments: dict[str, Any],
    variable: str,
    token: str | None,
    **more: Any,
) -> int:
    """Calls a capability or a tool, prints the answer, and returns the exit code. `variable` names the environment variable for the token."""
    from .. import calls
    from ..discovery import Timeouts
    from . import CANNOT_READ, FINDINGS, OK

    # The logs of SDKs contain text from the server.
    logging.disable(logging.CRITICAL)
    seconds = Timeouts().total if options.timeout is None else options.timeout
    settings: dict[str, Any] = {
        "agent": options.agent,
        "credentials": token,
        "headers": dict(options.header),
        "confirm": (asker := Asker(options, capability)),
        "notice": Notices(),
        "done": options.after,
        "before": dict(options.before),
        "endpoint": options.endpoint,
        "transport": options.transport,
        "approve": options.approve,
        "timeouts": Timeouts(request=seconds, total=seconds),
        "allow_private": options.allow_private,
        "from_text": True,
        "discovery": discovery_options(options),
        **more,
    }
    place: str | Site = options.url
    if (keys := keys_of(options)) is not None:
        named = {**vars(options), "user_agent": options.user_agent or options.agent}
        place = ask(argparse.Namespace(**named))
        settings["verified"] = verified(place.documents, keys)
    try:
        answer = calls.call(place, capability, arguments, **settings)
    except calls.ConfirmationRefused as refusal:
        how = "add --yes"
        if asker.declined is not None:
            name = shlex.quote(asker.declined)
            how = f"run {name} by a call of its own, and add --after {name}"
        tell(f"{refusal}; if a person agrees, {how}")
        return FINDINGS
    except calls.PrerequisitesMissing as refusal:
        tell(f"{refusal}{first(refusal.missing)}")
        return FINDINGS
    except calls.CredentialsNeeded as refusal:
        tell(needing_credentials(refusal, variable))
        return CANNOT_READ
    except calls.CallRefused as refusal:
        step = refusal.decision.capability if refusal.decision else None
        missing = () if step in {None, capability} else (str(step),)
        tell(f"{refusal}{first(missing)}")
        return FINDINGS
    except calls.PolicyDenied as refusal:
        tell(refusal)
        return FINDINGS
    except calls.CallFailed as failed:
        tell(failed)
        if failed.body:
            secrets = keys_in(failed.body)
            lines = failed.body[:4096].decode("utf-8", "replace").split("\n")
            print(*(visible(line, secrets) for line in lines), sep="\n")
        return CANNOT_READ
    except (calls.CallError, ImportError, ValueError) as problem:
        said = visible(hinted(str(problem)))
        raise Unreadable(f"{shown_url(options.url)}: {said}") from None
    except OSError as problem:
        said = str(Unreadable.of(problem))
        raise Unreadable(f"{shown_url(options.url)}: {said}") from None
    if isinstance(answer, calls.Planned):
        show_plan(answer, options.json)
    else:
        show_answer(answer, options.json)
    return OK


def first(actions: Iterable[str]) -> str:
    """Returns the options that name actions before a call, as the end of a message."""
    names = [shlex.quote(name) for name in actions]
    if not names:
        return ""
    before = " ".join(f"--before {name}=JSON" for name in names)
    after = " ".join(f"--after {name}" for name in names)
    return f"; add {before} with the arguments, or {after} for what has run already"


def show_plan(planned: Any, as_json: bool) -> None:
    """Prints what would be sent."""
    decision = planned.decision
    if as_json:
        request = planned.request
        values = (
            {} if request is None else {"protocol": request.protocol, **asdict(request)}
        )
        if isinstance(values.get("body"), bytes):
            values["body"] = values["body"].decode()
        shown = {
            "capability": planned.capability,
            "first": planned.first,
            "detail": planned.detail,
            "request": values or None,
            "curl": str(planned) if values.get("protocol") == "http" else None,
            "agent": planned.agent,
            "credential": planned.credential,
            "headers": list(planned.headers),
            "confirmation": decision.confirmation,
            **heeded(decision),
        }
        put_json(without_secrets(shown, keys_in(shown)))
        return
    if decision.confirmation != "not-stated":
        tell(f"a person {decision.confirmation} be asked before this call")
    print(planned)


def heeded(decision: Decision) -> dict[str, Any]:
    """Returns what an agent has to heed beside a call, for programs."""
    words = {
        "cannot": decision.cannot,
        "behavior": decision.behavior,
        "unread": decision.unread,
    }
    return {**without_secrets(words, keys_in(words)), "degraded": decision.degraded}


def show_answer(answer: Any, as_json: bool) -> None:
    """Prints an answer. Text for people has no secrets and no hidden characters."""
    if as_json:
        values = {
            "capability": answer.capability,
            "status": answer.status,
            "data": answer.data,
            "outputs": [
                {
                    "name": each.name,
                    "type": each.type,
                    "value": each.value,
                    "typed": each.typed,
                }
                for each in answer.outputs
            ],
            "steps": [
                {
                    "kind": step.kind,
                    "capability": step.capability,
                    "protocol": step.request.protocol,
                    "method": step.request.method,
                    "url": step.request.url,
                    "status": step.status,
                    "waited": round(step.waited, 3),
                }
                for step in answer.steps
            ],
            **heeded(answer.decision),
        }
        try:
            put_json(values)
        except RecursionError:
            # It can be read, but is nested too deeply to be written.
            put_json({**values, "data": answer.body.decode()})
        return
    data, keys = answer.data, keys_in(answer.body)
    if answer.steps[-1].request.protocol == "mcp":
        print(*content(data), sep="\n")
    elif isinstance(data, str):
        print(visible(data, keys))
    elif data is not None:
        try:
            shown = without_secrets(data, keys)
            text = json.dumps(shown, indent=2, ensure_ascii=False)
        except RecursionError:
            text = answer.body.decode()
        print(*(visible(line, keys) for line in text.split("\n")), sep="\n")
    elif answer.body:
        tell(f"the answer has {len(answer.body)} bytes that are not text")


def content(answer: dict[str, Any]) -> Iterator[str]:
    """Yields the result of an MCP tool for people, as text without control characters."""
    keys = keys_in(answer)
    for part in answer.get("content", []):
        if part.get("type") == "text":
            for line in str(part.get("text", "")).split("\n"):
                yield visible(line, keys)
        else:
            yield f"({visible(str(part.get('type')))})"
