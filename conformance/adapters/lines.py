"""What the adapters in Python share: reads requests, and writes the answers of their functions."""

import base64
import json
import sys
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

Answer = Callable[[dict[str, Any]], "dict[str, Any] | None"]


def document_of(request: dict[str, Any]) -> bytes:
    """Returns the bytes of the document of a request."""
    if "path" in request:
        return Path(request["path"]).read_bytes()
    return base64.b64decode(request["document"])


def serve(
    name: str,
    package: str | None,
    functions: Mapping[str, Answer],
    formats: list[str] | None = None,
    **claims: str,
) -> None:
    """Answers requests until the input ends.

    A function returns the result of its task; None leaves the case out. `package` is the distribution whose
    version is told; None tells Python's.
    """
    version = metadata.version(package) if package else sys.version.split()[0]
    hello = {"name": name, "version": version, "tasks": list(functions), **claims}
    if formats is not None:
        hello["formats"] = formats
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["task"] == "hello":
            said: dict[str, Any] = {"result": hello}
        else:
            try:
                result = functions[request["task"]](request)
                said = {"skip": "not offered"} if result is None else {"result": result}
            except Exception as error:  # noqa: BLE001 (whatever it is, the case failed)
                said = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": request["id"], **said}), flush=True)
