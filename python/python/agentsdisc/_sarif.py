"""Logs in the Static Analysis Results Interchange Format (SARIF) 2.1.0."""

import ntpath
import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from ._agentsdisc import __version__


def log(
    rules: Sequence[dict[str, Any]],
    results: Sequence[dict[str, Any]],
    notices: Sequence[str] = (),
) -> dict[str, Any]:
    """Returns the log of one run. `notices` say what the run could not decide; the log has them beside the results."""
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "agentsdisc",
                "semanticVersion": __version__,
                "rules": rules,
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    if notices:
        told = [{"level": "note", "message": {"text": text}} for text in notices]
        run["invocations"] = [
            {"executionSuccessful": True, "toolExecutionNotifications": told}
        ]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }


def uri(file: str) -> str:
    """Converts a path to a URI reference."""
    if file == "<stdin>":
        return "stdin"
    if "://" in file:
        return quote(file, safe=":/?#[]@!$&'()*+,;=%")
    path = file.replace(os.sep, "/")
    # A drive (`C:/`) or a host (`//server/share`), on Windows.
    drive, path = ntpath.splitdrive(path) if os.sep == "\\" else ("", path)
    # Encodes the bytes of the name, which may not be UTF-8.
    path = quote(os.fsencode(path), safe="/")
    if drive and path.startswith("/"):
        start = "file:" if drive.startswith("//") else "file:///"
        return f"{start}{quote(drive, safe='/:')}{path}"
    return f"file://{path}" if path.startswith("/") else path
