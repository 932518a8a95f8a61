"""Fixtures for all tests."""

import itertools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import forks
import postgres
import pytest
from server import Server, serving

ROOT = Path(__file__).resolve().parents[2]
SHOP_TXT = ROOT / "samples/shop.example/.well-known/agents.txt"
SHOP_JSON = ROOT / "samples/shop.example/.well-known/agents.json"

_databases = itertools.count()

PATIENCE = 600.0
"""Seconds after which a program counts as hanging. Other work on a machine can make a program thirty times slower."""

LONG_ONLY = pytest.mark.skipif(
    not os.environ.get("AGENTSDISC_LONG"), reason="only with --long"
)

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def shop_json() -> bytes:
    return SHOP_JSON.read_bytes()


@pytest.fixture(scope="session")
def shop_txt() -> bytes:
    return SHOP_TXT.read_bytes()


@pytest.fixture
def server() -> Iterator[Server]:
    """A web server without pages."""
    with serving() as running:
        yield running


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    with postgres.running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty registry can be made, in each kind of store."""
    return empty_store(request, tmp_path)


def empty_store(request: pytest.FixtureRequest, folder: Path) -> str:
    if request.param == "sqlite":
        return str(folder / "registry.db")
    server: postgres.Server = request.getfixturevalue("postgres_server")
    return server.database(f"registry{next(_databases)}")


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated crawl of 1,200 responses."""
    if shutil.which("cargo") is None:
        pytest.skip("the generator needs cargo")
    path = tmp_path_factory.mktemp("corpus") / "crawl.warc.gz"
    command = ["cargo", "run", "-q", "-p", "agentsdisc-generator", "--", "warc"]
    subprocess.run(
        [*command, path, "--count", "1200", "--seed", "7"], cwd=ROOT, check=True
    )
    return path


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1", "COLUMNS": "120"}


@contextmanager
def on_a_terminal(
    *arguments: str, folder: Path | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Runs a command with a terminal as standard input, and returns the other end of the terminal; not on Windows."""
    import pty

    ours, theirs = pty.openpty()
    try:
        program = subprocess.Popen(
            [sys.executable, "-m", "agentsdisc", *arguments],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment(),
            preexec_fn=heed_interrupts,
        )
        yield program, ours
    finally:
        os.close(ours)
        os.close(theirs)


def heed_interrupts() -> None:
    """Restores the handling of interrupts in a child process, because background processes inherit that interrupts are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture(scope="session")
def programs() -> forks.Server:
    return forks.Server()


@pytest.fixture
def run(tmp_path: Path, programs: forks.Server) -> Run:
    """Runs the command line in a separate process and folder."""

    def run(
        *arguments: object, input: bytes = b"", check: int | None = None
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "agentsdisc", *map(str, arguments)]
        if forks.IS_SUPPORTED:
            code, out, err = programs.run(
                command[3:],
                input=input,
                folder=tmp_path,
                environ=environment(),
                timeout=PATIENCE,
            )
        else:
            done = subprocess.run(
                command,
                input=input,
                capture_output=True,
                cwd=tmp_path,
                env=environment(),
                timeout=PATIENCE,
            )
            code, out, err = done.returncode, done.stdout, done.stderr
        result = subprocess.CompletedProcess(
            command, code, out.decode("utf-8"), err.decode("utf-8")
        )
        assert "Traceback" not in result.stderr, result.stderr
        if check is not None:
            assert result.returncode == check, result.stderr + result.stdout
        return result

    return run
