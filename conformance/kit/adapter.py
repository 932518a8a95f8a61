"""An adapter: a program that asks one implementation, in lines of JSON.

Whatever it does becomes a result of the case: an adapter that hangs, ends, floods, or answers something else
than was asked is started again, and never ends the run.
"""

import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
from typing import IO, Any

LONGEST = 16 << 20
"""The longest line that an adapter may write, in bytes."""

STARTS = 50
"""How often an adapter is started before the other cases count as not run."""


class Broken(Exception):
    """The adapter gave no answer that can be used. The text says why."""


class Adapter:
    """A running adapter. It answers one request at a time."""

    def __init__(self, command: str, seconds: float = 10.0) -> None:
        """Takes a command line, which is split as a POSIX shell would, and the time for an answer."""
        try:
            self.command = shlex.split(command, posix=sys.platform != "win32")
        except ValueError as error:
            raise Broken(f"its command cannot be read: {error}") from None
        if not self.command:
            raise Broken("its command is empty")
        self.seconds = seconds
        self.starts = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue(maxsize=64)

    def hello(self) -> dict[str, Any]:
        """Starts the adapter, and returns what it claims: its name, version, tasks and formats."""
        said = self._exchange({"id": "hello", "task": "hello"})
        claims = said.get("result")
        if not isinstance(claims, dict) or not isinstance(claims.get("tasks"), list):
            raise Broken(
                "the answer to `hello` has no object `result` with a list `tasks`"
            )
        return claims

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer to a request: an object with `result`, `skip` or `error`."""
        try:
            if self._process is None:
                self.hello()
            return self._exchange(request)
        except Broken:
            self.close()
            raise

    def close(self) -> None:
        """Ends the adapter."""
        process, self._process = self._process, None
        if process is None:
            return
        if sys.platform != "win32":
            # Also ends what the adapter has started, which would hold its output open.
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        if process.stdin is not None:
            # The pipe of an adapter that has ended cannot be flushed.
            with contextlib.suppress(OSError):
                process.stdin.close()

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        process = self._process or self._start()
        line = json.dumps(request, ensure_ascii=True, separators=(",", ":")).encode()
        # An adapter that does not read would block the writer.
        writer = threading.Thread(
            target=_write, args=(process.stdin, line), daemon=True
        )
        if len(line) > 16_384:
            writer.start()
        else:
            _write(process.stdin, line)
        try:
            answer = self._lines.get(timeout=self.seconds)
        except queue.Empty:
            raise Broken(f"no answer in {self.seconds:g} seconds") from None
        if answer is None:
            try:
                code = process.wait(1)
            except subprocess.TimeoutExpired:
                raise Broken("it closed its output") from None
            raise Broken(f"it ended with code {code}")
        if len(answer) > LONGEST:
            raise Broken(f"the answer has more than {LONGEST} bytes")
        try:
            said = json.loads(answer)
        except (ValueError, RecursionError):
            raise Broken(f"the answer is no JSON: {answer[:60]!r}") from None
        if not isinstance(said, dict):
            raise Broken("the answer is no object")
        if said.get("id") != request["id"]:
            raise Broken(f"the answer is to {str(said.get('id'))[:60]!r}")
        return said

    def _start(self) -> "subprocess.Popen[bytes]":
        if self.starts >= STARTS:
            raise Broken(f"not run: the adapter was started {STARTS} times")
        self.starts += 1
        # A pipe of its own: that of a process cannot be closed while a thread reads from it.
        output, end = os.pipe()
        try:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=end,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            os.close(output)
            raise Broken(f"it cannot be started: {error}") from None
        finally:
            os.close(end)
        self._process, self._lines = process, queue.Queue(maxsize=64)
        reader = threading.Thread(target=_read, args=(output, self._lines), daemon=True)
        reader.start()
        return process


def _write(pipe: "IO[bytes] | None", line: bytes) -> None:
    try:
        if pipe is not None:
            pipe.write(line + b"\n")
            pipe.flush()
    except (OSError, ValueError):
        pass  # The reader says that the adapter has ended.


def _read(pipe: int, lines: "queue.Queue[bytes | None]") -> None:
    """Passes on the lines of an adapter, each cut after the longest that is accepted."""
    line = bytearray()
    with contextlib.suppress(OSError):
        while len(line) <= LONGEST and (part := os.read(pipe, 1 << 16)):
            *ended, rest = part.split(b"\n")
            for end in ended:
                lines.put(bytes(line + end))
                line.clear()
            line += rest
    if line:
        lines.put(bytes(line))
    os.close(pipe)
    lines.put(None)
