"""Measures the way from the documents of a site to the tools of a model, and what the MCP gateway adds to a call.

    python bench_tools.py [--rounds 200]

Builds a site of 100, 1,000 and 10,000 capabilities, and prints the milliseconds of processor time for its capabilities in the core, and for
`capabilities` and `tools` in Python, each for 100 capabilities, so that equal rows mean linear time. Then calls a site through `agentsdisc mcp serve`
over standard input and output, and by `site.acall` in turns, and prints the columns of `bench_calls.py` (the
processor time is that of the client).
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import agentsdisc
from agentsdisc import Limits
from agentsdisc._agentsdisc import _offers
from agentsdisc._policy import Case
from mcp import Client, StdioServerParameters

from bench_calls import AGENT, MANIFEST, SERVER, measured_async, row, summed_up


def document(count: int) -> agentsdisc.Document:
    """Returns an agents.json with so many capabilities."""
    capabilities = [
        {
            "id": f"product-search-{number}",
            "description": "Finds products by words, price and stock",
            "endpoint": f"https://shop.example/api/search/{number}",
            "method": "GET",
            "protocol": "REST",
            "parameters": [
                {"name": "q", "in": "query", "type": "string", "required": True},
                {"name": "limit", "in": "query", "type": "integer"},
            ],
        }
        for number in range(count)
    ]
    site = {"name": "Example Shop", "url": "https://shop.example"}
    model = {"specVersion": "1.0", "site": site, "capabilities": capabilities}
    return agentsdisc.parse(json.dumps(model), limits=Limits(document=16 << 20))


def per_hundred(
    count: int, action: Callable[..., object], *given: Any, **named: Any
) -> float:
    """Returns the milliseconds of processor time for 100 capabilities: the least of several runs."""
    least = float("inf")
    for _ in range(max(2, 2000 // count)):
        begun = time.thread_time()
        action(*given, **named)
        least = min(least, time.thread_time() - begun)
    return least * 1e3 * 100 / count


def to_tools() -> None:
    """Prints one row for each number of capabilities."""
    print(f"{'capabilities':>12}{'core':>10}{'capabilities':>14}{'tools':>10}")
    for count in (100, 1000, 10_000):
        site = document(count)
        asked = Case(site, agent=AGENT, url="").asked
        core = per_hundred(count, _offers, asked)
        listed = per_hundred(count, agentsdisc.capabilities, site, agent=AGENT)
        made = per_hundred(count, agentsdisc.tools, site, agent=AGENT)
        print(f"{count:12}{core:7.2f} ms{listed:11.2f} ms{made:7.2f} ms", flush=True)


async def through_gateway(url: str, rounds: int) -> None:
    """Compares a call through the gateway with the same call without it."""
    serve = ["-m", "agentsdisc", "mcp", "serve", url, "--agent", AGENT]
    private = ["--allow-private", "--no-cache"]
    server = StdioServerParameters(
        command=sys.executable, args=[*serve, *private], env=dict(os.environ)
    )
    async with (
        Client(server) as client,
        await agentsdisc.adiscover(url, allow_private=True, cache=False) as site,
    ):

        async def by_gateway() -> object:
            return await client.call_tool("search", {"q": "mug"})

        async def by_site() -> object:
            return (await site.acall("search", {"q": "mug"}, agent=AGENT)).data

        ways = {"agentsdisc mcp serve": by_gateway, "site.acall": by_site}
        await measured_async(ways, 20)
        times = await measured_async(ways, rounds)
    gateway, alone = map(summed_up, times.values())
    print(row("agentsdisc mcp serve", gateway))
    print(row("site.acall", alone))
    added = [a - b for a, b in zip(gateway[:2], alone[:2], strict=True)]
    print(row("the gateway adds", added))


def main() -> None:
    """Prints both tables."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=200)
    rounds = options.parse_args().rounds
    to_tools()
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, MANIFEST], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout
    try:
        asyncio.run(through_gateway(server.stdout.readline().strip(), rounds))
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
