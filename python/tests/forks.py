"""Runs commands in separate processes without starting an interpreter for each.

A server process imports what the commands need and forks once for each command. A command has its own standard streams, environment,
working folder and exit code, as if it had been started by itself. Run as a program, this file is the server.
"""

import contextlib
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

IS_SUPPORTED = sys.platform == "linux"

_SITES = ("httpx", "anyio._backends._asyncio", "agentsdisc.discovery.driver")
_USED = {
    "ingest": ("pyarrow", "pyarrow.parquet", "rich.progress"),
    "mcp": (*_SITES, "agentsdisc.mcp"),
    **dict.fromkeys(
        ("call", "search"),
        (*_SITES, "agentsdisc.calls.runner", "agentsdisc.registry.asking"),
    ),
    **dict.fromkeys(("discover", "lint", "inspect", "decide"), _SITES),
}
"""The modules that a command imports."""

_SIZE = 8
"""Size in bytes of the length field before each request."""


class Server:
    """The server process; started with the first command."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None

    def run(
        self,
        arguments: list[str],
        *,
        input: bytes,
        folder: Path,
        environ: dict[str, str],
        timeout: float,
    ) -> tuple[int, bytes, bytes]:
        """Runs a command; returns its exit code, standard output and standard error."""
        request = json.dumps([arguments, str(folder), environ]).encode()
        pipes = [os.pipe() for _ in range(4)]
        (stdin, into), (out, stdout), (err, stderr), (status, report) = pipes
        theirs = [stdin, stdout, stderr, report]
        with self._lock:
            server = self._connected()
            socket.send_fds(server, [len(request).to_bytes(_SIZE, "big")], theirs)
            server.sendall(request)
        for end in theirs:
            os.close(end)
        read: dict[int, bytes] = {}
        threads = [
            threading.Thread(target=_read, args=(end, read), daemon=True)
            for end in (out, err, status)
        ]
        threads.append(threading.Thread(target=_write, args=(into, input), daemon=True))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout)
            if thread.is_alive():
                raise subprocess.TimeoutExpired(arguments, timeout)
        return int(read[status]), read[out], read[err]

    def _connected(self) -> socket.socket:
        if self._socket is None:
            self._socket, theirs = socket.socketpair()
            with theirs:
                subprocess.Popen(
                    [sys.executable, __file__, str(theirs.fileno())],
                    pass_fds=[theirs.fileno()],
                    # Pipes, so that the standard streams are made as for a command.
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=None,
                    env={**os.environ, "PYTHONUTF8": "1"},
                )
        return self._socket


def _read(end: int, into: dict[int, bytes]) -> None:
    with open(end, "rb") as file:
        into[end] = file.read()


def _write(end: int, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), open(end, "wb", buffering=0) as file:
        while data:
            data = data[file.write(data) :]


def _serve(server: socket.socket) -> None:
    """Forks for each request; returns at the end of the requests, or raises SystemExit in a command."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        head, ends, _, _ = socket.recv_fds(server, _SIZE, 4)
        if not head:
            return
        size, data = int.from_bytes(head, "big"), b""
        while len(data) < size:
            data += server.recv(size - len(data))
        arguments, folder, environ = json.loads(data)
        for name in _USED.get(arguments[0] if arguments else "", ()):
            with contextlib.suppress(ImportError):
                import_module(name)
        # Else the end of each command writes to every object that it shares with this process, which copies it.
        gc.freeze()
        waiting = os.fork()
        if not waiting:
            server.close()
            _start(arguments, folder, environ, ends)
        for end in ends:
            os.close(end)
        _reap()


def _reap() -> None:
    """Reaps the processes that have ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _start(arguments: list[str], folder: str, environ: Any, ends: list[int]) -> None:
    """Runs the command in one more process, waits for it here, and reports how it ended."""
    *streams, report = ends
    program = os.fork()
    if program:
        for end in streams:
            os.close(end)
        code = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
        os.write(report, str(code).encode())
        os._exit(0)
    os.close(report)
    for number, end in enumerate(streams):
        os.dup2(end, number)
        os.close(end)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv[:] = ["agentsdisc", *arguments]
    runpy.run_module("agentsdisc", run_name="__main__", alter_sys=True)
    sys.exit(0)


if __name__ == "__main__":
    import agentsdisc.cli  # noqa: F401

    # As for `python -m`; the folder of this file is not one of a command's.
    sys.path[0] = ""
    _serve(socket.socket(fileno=int(sys.argv[1])))
