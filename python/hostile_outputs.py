"""What the commands, the gateway and the registry show of a document, for the growth campaign (`hostile.py`).

A server on a loopback address serves the document where its format belongs, so that each output is made as for a site.
"""

import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import agentsdisc
import pyarrow as pa
from agentsdisc import _visible
from agentsdisc._facts import FACTS
from agentsdisc._tools import Tools, host_in
from agentsdisc.cli import calling, discover, offering
from agentsdisc.cli.terminal import Style
from agentsdisc.discovery import Site, Timeouts
from agentsdisc.registry import Query, open_store
from agentsdisc.registry.build import build
from agentsdisc.registry.parts import COLUMNS, parts
from agentsdisc.registry.serve import pages

sys.path.append(str(Path(__file__).parent / "tests"))
from server import Page, Server, serving

PATIENT = Timeouts(connect=60, read=60, request=120, total=300)
AGENT = "bot"
_SERVERS: list[Server] = []
"""The running server, from the first use on."""


def served(document: Any, data: bytes, limits: agentsdisc.Limits) -> Site:
    """Returns the site that serves a document."""
    if not _SERVERS:
        _SERVERS.append(contextlib.ExitStack().enter_context(serving()))
    (server,) = _SERVERS
    locations = FACTS[document.format].locations or ("/.well-known/agents.txt",)
    kind = "application/json" if data[:1] == b"{" else "text/plain"
    server.pages = {locations[0]: Page(data, headers={"Content-Type": kind})}
    return agentsdisc.discover(
        server.url,
        resources="all",
        allow_private=True,
        cache=False,
        limits=limits,
        timeouts=PATIENT,
    )


def of_site(document: Any, data: bytes, limits: agentsdisc.Limits) -> None:
    """Writes what `discover` and `tools` print, the summary for a prompt, and the tools that the gateway lists."""
    site, style = served(document, data, limits), Style()
    for _ in discover.lines(site, style):
        pass
    offers = site.capabilities(agent=AGENT)
    keys = discover.keys_of_site(site)
    sources = [
        (each.url, each.document.bytes, each.document.format) for each in site.found
    ]
    for _ in offering.lines(offers, sources, keys, style):
        pass
    json.dumps(offering._values(offers), default=str)
    site.summary(agent=AGENT, characters=10_000)
    host = host_in(site, site.origin)
    tools = Tools(
        site, offers, agent=AGENT, style="mcp", prefix="", host=host, options={}
    )
    json.dumps(list(tools), default=str)
    repr(site)


def of_answer(_: Any, data: bytes) -> None:
    """Writes what `call` and `mcp` print of an answer that is the document."""
    text = data.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    steps = [SimpleNamespace(request=SimpleNamespace(protocol="http"))]
    for shown in (value, text):
        answer = SimpleNamespace(data=shown, body=data, steps=steps)
        with contextlib.redirect_stdout(io.StringIO()):
            calling.show_answer(answer, False)
    for _ in calling.content({"content": [{"type": "text", "text": text}]}):
        pass
    _visible.without_secrets({"data": value}, _visible.keys_in(data))


def of_registry(document: Any, data: bytes, limits: agentsdisc.Limits) -> None:
    """Stores the document, searches for it, and makes the page about it."""
    url = "https://e.test/.well-known/agents.txt"
    batch = agentsdisc.parse_batch(
        [data], [url], columns=[*COLUMNS], check=True, limits=limits
    )
    for part in parts(pa.record_batch(batch), [datetime.now(UTC)], [url], [data]):
        found = pages.findings(data, part.source)[: pages.MAX_FINDINGS]
        pages._lines(_visible.starred(data, document.format), 1, found)
    with tempfile.TemporaryDirectory() as name:
        source = Path(name, "in.jsonl")
        line = {"url": url, "body": data.decode("utf-8", "replace")}
        source.write_text(json.dumps(line))
        with contextlib.closing(open_store(f"{name}/registry.db")) as store:
            build(store, [str(source)], limits=limits, workers=1)
            for hit in _hits(store):
                repr(hit)


def _hits(store: Any) -> Iterator[Any]:
    yield from store.list(Query(limit=100)).hits
    yield from store.search(Query(text="a", limit=100)).hits
