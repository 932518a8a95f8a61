"""A PostgreSQL server of Debian's package, for tests: in a temporary folder, on a Unix socket, without a password."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_VERSIONS = Path("/usr/lib/postgresql")


class Server:
    """A server that can be stopped and started again."""

    def __init__(self, programs: Path, folder: Path, user: str | None) -> None:
        self._programs, self._folder, self._user = programs, folder, user

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._programs / program, *arguments],
            user=self._user,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
        )
        assert done.returncode == 0, done.stderr

    def make(self) -> None:
        self._run("initdb", "-D", "data", "-U", "tester", "-A", "trust", "-E", "UTF8")

    def start(self) -> None:
        settings = (
            "-c listen_addresses='' -c fsync=off -c shared_buffers=32MB"
            f" -c unix_socket_directories='{self._folder}'"
        )
        log = self._folder / "log"
        self._run("pg_ctl", "start", "-w", "-D", "data", "-l", str(log), "-o", settings)

    def stop(self) -> None:
        """Ends the server at once, as a crash does."""
        self._run("pg_ctl", "stop", "-m", "immediate", "-D", "data")

    def database(self, name: str) -> str:
        """Makes an empty database, and returns its URL."""
        self._run("createdb", "-h", str(self._folder), "-U", "tester", name)
        return f"postgresql://tester@/{name}?host={self._folder}"


@contextmanager
def running() -> Iterator[Server]:
    """Starts a server; skips the test without PostgreSQL, which with CI=true is a failure."""
    found = sorted(_VERSIONS.glob("*/bin/initdb"))
    if not found:
        reason = "PostgreSQL is not installed: apt-get install postgresql"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    # A short path: that of a socket has at most 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="agentsdisc-pg-"))
    user = None
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root; its package makes this user.
        user = "postgres"
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    server = Server(found[-1].parent, folder, user)
    try:
        server.make()
        server.start()
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
