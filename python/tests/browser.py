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
# The elements that reach out of the page to the right, and the texts whose contrast with what is behind them is below that of WCAG 2.2 (AA).
WIDE = """[...document.querySelectorAll("body *")].filter(e => !e.closest(".hidden, .skip") && e.getBoundingClientRect().right > innerWidth + 0.5)
    .map(e => e.outerHTML.slice(0, 200))"""
PALE = """(() => {
    const light = text => {
        const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = e => {
        const color = e ? getComputedStyle(e).backgroundColor : "rgb(255, 255, 255)";
        return color === "rgba(0, 0, 0, 0)" ? behind(e.parentElement) : color;
    };
    const pale = [];
    for (const e of document.querySelectorAll("body *")) {
        if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
        const [one, other] = [light(getComputedStyle(e).color), light(behind(e))].sort((a, b) => b - a);
        const contrast = (one + 0.05) / (other + 0.05);
        if (contrast < 4.5) pale.push(contrast + " " + e.outerHTML.slice(0, 200));
    }
    return pale;
})()"""
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
