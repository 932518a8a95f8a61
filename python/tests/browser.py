"""Headless Chromium for tests, driven over a pipe by the DevTools protocol."""

import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PHONE, DESKTOP = 360, 1280
# The browser reads from 3 and writes to 4.
_START = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for number, end in enumerate(ends, 3):
    os.dup2(end, number)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """A page of a browser: as wide as a screen, in the light or the dark scheme."""

    def __init__(self, send: int, receive: int) -> None:
        self._send, self._receive = send, receive
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        found = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = found["sessionId"]
        self._call("Page.enable")

    def _call(self, method: str, **values: Any) -> Any:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method}
        message["params"] = values
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        answer = self._until(lambda found: found.get("id") == self._number)
        assert "error" not in answer, answer
        return answer["result"]

    def _until(self, is_it: Any) -> dict[str, Any]:
        while True:
            while b"\0" not in self._rest:
                more = os.read(self._receive, 1 << 20)
                assert more, "the browser has ended"
                self._rest += more
            text, _, self._rest = self._rest.partition(b"\0")
            found: dict[str, Any] = json.loads(text)
            if is_it(found):
                return found

    def show(self, url: str, width: int = DESKTOP, scheme: str = "light") -> None:
        """Loads a page."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=800,
            deviceScaleFactor=1,
            mobile=width == PHONE,
        )
        chosen = [{"name": "prefers-color-scheme", "value": scheme}]
        self._call("Emulation.setEmulatedMedia", features=chosen)
        self._call("Page.navigate", url=url)
        self._until(lambda found: found.get("method") == "Page.loadEventFired")

    def value(self, expression: str) -> Any:
        """Evaluates an expression of JavaScript in the page."""
        found = self._call(
            "Runtime.evaluate", expression=expression, returnByValue=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Presses a key."""
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def screenshot(self, path: Path, whole: bool = True) -> None:
        """Writes what is seen, or the whole page, as PNG."""
        found = self._call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))


@contextmanager
def running(folder: Path) -> Iterator[Browser]:
    """Starts a browser with a profile in a folder; skips the test without one, which with CI=true is a failure."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        assert os.environ.get("CI") != "true", "chromium is missing"
        pytest.skip("needs chromium")
    (reads, send), (receive, writes) = os.pipe(), os.pipe()
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe")
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", _START, str(reads), str(writes), program),
            *(*options, f"--user-data-dir={folder}"),
        ],
        pass_fds=(reads, writes),
        stderr=subprocess.DEVNULL,
    )
    os.close(reads)
    os.close(writes)
    try:
        yield Browser(send, receive)
    finally:
        process.terminate()
        process.wait(30)
        os.close(send)
        os.close(receive)
