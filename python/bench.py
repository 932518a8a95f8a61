"""Compares `parse` and ten attribute reads with other Python parsers, on the same bytes, in one run.

    python bench.py [FILE …]

Skips parsers that are not installed. The other parsers only read JSON: they do not detect the format, type the values or check them.
Prints the best time of many rounds, in microseconds.
"""

import importlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import agentsdisc


def document(size: int) -> bytes:
    """Returns an agents.json of about this many bytes."""
    capabilities: list[object] = []
    model = {
        "specVersion": "1.0",
        "site": {
            "name": "Example Shop",
            "url": "https://shop.example",
            "description": "Everything for the kitchen",
        },
        "capabilities": capabilities,
    }
    while len(text := json.dumps(model, indent=2)) < size:
        number = len(capabilities)
        capabilities.append(
            {
                "id": f"product-search-{number}",
                "description": "Finds products by words, price and stock",
                "endpoint": f"https://shop.example/api/search/{number}",
                "method": "GET",
                "protocol": "REST",
                "auth": {"type": "bearer-token"},
                "rateLimit": {"requests": 60, "window": "minute"},
                "parameters": [
                    {"name": "q", "in": "query", "type": "string", "required": True}
                ],
            }
        )
    return text.encode()


def ten_fields(data: bytes) -> object:
    """Parses a document and reads the values that an agent needs first."""
    parsed = agentsdisc.parse(data)
    service = parsed.service
    capability = parsed.capabilities[0]
    auth = capability.auth
    return (
        parsed.format,
        service and service.name,
        service and service.url,
        service and service.description,
        capability.id,
        capability.endpoint,
        capability.method,
        capability.protocol,
        capability.description,
        auth and auth.type,
    )


def best(action: Callable[[bytes], object], data: bytes) -> float:
    """Returns the shortest time of many runs, in microseconds."""
    started = time.perf_counter()
    action(data)
    once = max(time.perf_counter() - started, 1e-7)
    count = max(1, int(0.004 / once))
    least = float("inf")
    for _ in range(50):
        started = time.perf_counter()
        for _ in range(count):
            action(data)
        least = min(least, (time.perf_counter() - started) / count)
    return least * 1e6


def main() -> None:
    """Prints one row per document."""
    actions: dict[str, Callable[[bytes], object]] = {
        "parse": agentsdisc.parse,
        "parse + 10": ten_fields,
        "to_dict": lambda data: agentsdisc.parse(data).to_dict(),
        "json": json.loads,
    }
    for module, function in (("orjson", "loads"), ("msgspec.json", "decode")):
        try:
            actions[module] = getattr(importlib.import_module(module), function)
        except ImportError:
            print(f"({module} is not installed)")
    paths = [Path(name) for name in sys.argv[1:]]
    documents = {str(path): path.read_bytes() for path in paths} or {
        f"made, {size} B": document(size) for size in (500, 1000, 2000, 5000, 20000)
    }
    print(f"{'':30}{'bytes':>8}" + "".join(f"{name:>14}" for name in actions))
    for name, data in documents.items():
        figures = "".join(f"{best(action, data):14.2f}" for action in actions.values())
        print(f"{name[-30:]:30}{len(data):8}{figures}")


if __name__ == "__main__":
    main()
