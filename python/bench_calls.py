"""Compares a call of a site with the same request by httpx alone, against a uvicorn server in another process, in one run.

    python bench_calls.py [--rounds 300]

Prints the median of each in milliseconds, the tenth of the times that is fastest, and the tenth of the processor times of this thread that is least: other
work of the machine disturbs them less and less. The ways take turns, so that it slows all of them.
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable

import agentsdisc
import httpx
from agentsdisc import calls

MANIFEST = """\
Spec-Version: 1.0
Site-Name: Mug Shop
Site-URL: {site}
Capability: search
  Endpoint: {site}/search
  Protocol: REST
  Param: q (query, string, required)
"""
SERVER = """
import sys
import uvicorn

MANIFEST = sys.argv[1]

async def app(scope, receive, send):
    site = "http://%s:%d" % tuple(scope["server"])
    is_manifest = scope["path"] == "/agents.txt"
    body = MANIFEST.replace("{site}", site).encode() if is_manifest else b'{"items": []}'
    status = 200 if scope["path"] in {"/agents.txt", "/search"} else 404
    kind = b"text/plain" if is_manifest else b"application/json"
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print("http://127.0.0.1:%d" % self.servers[0].sockets[0].getsockname()[1], flush=True)

Server(uvicorn.Config(app, port=0, log_level="critical", lifespan="off")).run()
"""
AGENT = "MugBot/1.0"


Times = dict[str, list[tuple[float, float]]]
"""The seconds of each way, and those of the processor."""


def measured(ways: dict[str, Callable[[], object]], rounds: int) -> Times:
    """Returns the times of each way."""
    times: Times = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            begun = now()
            way()
            times[name].append(since(begun))
    return times


async def measured_async(
    ways: dict[str, Callable[[], Awaitable[object]]], rounds: int
) -> Times:
    """Does the same in an event loop."""
    times: Times = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            begun = now()
            await way()
            times[name].append(since(begun))
    return times


def now() -> tuple[float, float]:
    """Returns the time, and the processor time of this thread."""
    return time.perf_counter(), time.thread_time()


def since(begun: tuple[float, float]) -> tuple[float, float]:
    """Returns the times since then."""
    seconds, processor = now()
    return seconds - begun[0], processor - begun[1]


def summed_up(times: list[tuple[float, float]]) -> list[float]:
    """Returns the milliseconds that are printed for a way: the median, the fastest tenth, and the least tenth of processor time."""
    seconds, processor = zip(*times, strict=True)
    tenths = statistics.quantiles(seconds, n=10), statistics.quantiles(processor, n=10)
    return [x * 1e3 for x in (tenths[0][4], tenths[0][0], tenths[1][0])]


def row(name: str, figures: list[float]) -> str:
    """Returns a row of the table."""
    return f"{name:26}" + "".join(f"{figure:9.2f} ms" for figure in figures)


def fresh(url: str) -> object:
    """Asks by a client of its own."""
    with httpx.Client(headers={"User-Agent": AGENT}) as client:
        return client.get(url, params={"q": "mug"}).json()


async def compared(site: agentsdisc.discovery.Site, rounds: int) -> Times:
    """Compares `acall`."""
    url, arguments = f"{site.origin}/search", {"q": "mug"}
    async with site, httpx.AsyncClient(headers={"User-Agent": AGENT}) as client:

        async def called() -> object:
            answer = await site.acall(
                "search", arguments, agent=AGENT, allow_private=True
            )
            return answer.data

        async def asked() -> object:
            return (await client.get(url, params=arguments)).json()

        ways = {"site.acall": called, "httpx.AsyncClient, kept": asked}
        return await measured_async(ways, rounds)


def main() -> None:
    """Prints one row for each way."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=300)
    rounds = options.parse_args().rounds
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, MANIFEST],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout
    try:
        url = server.stdout.readline().strip()
        with (
            agentsdisc.discover(url, allow_private=True, cache=False) as site,
            httpx.Client(headers={"User-Agent": AGENT}) as client,
        ):
            ask = f"{url}/search"
            limiter = calls.Limiter()
            found = measured(
                {
                    "site.call": lambda: (
                        site.call(
                            "search",
                            {"q": "mug"},
                            agent=AGENT,
                            allow_private=True,
                            limiter=limiter,
                        ).data
                    ),
                    "httpx.Client, kept": lambda: client.get(
                        ask, params={"q": "mug"}
                    ).json(),
                },
                rounds,
            ) | measured({"httpx.Client, new": lambda: fresh(ask)}, rounds // 10)
            found |= asyncio.run(compared(site, rounds))
    finally:
        server.kill()
        server.wait()
    print(" " * 26 + "".join(f"{x:>12}" for x in ("median", "fastest", "processor")))
    for name, times in found.items():
        print(row(name, summed_up(times)))


if __name__ == "__main__":
    main()
