"""Threads, forks and memory leaks."""

import contextlib
import gc
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable

import agentsdisc
import pytest
from conftest import LONG_ONLY

MANY = (
    '{"specVersion":"1.0","site":{"name":"a"},"capabilities":['
    + ",".join(f'{{"id":"c{i}","auth":{{"type":"oauth2"}}}}' for i in range(2000))
    + "]}"
).encode()


def together(work: Callable[[], object], count: int = 8) -> list[object]:
    """Runs the same action in many threads at once."""
    gate = threading.Barrier(count)
    results: list[object] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            gate.wait(30)
            results.append(work())
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not errors
    assert len(results) == count
    return results


def test_threads_read_one_document_together() -> None:
    document = agentsdisc.parse(MANY)

    def read() -> object:
        ids = [c.id for c in document.capabilities]
        kinds = {c.auth.type for c in document.capabilities if c.auth}
        return ids, kinds, document.service, len(document.capabilities)

    results = together(read)
    assert all(result == results[0] for result in results)
    assert all(result[2] is results[0][2] for result in results)  # type: ignore[index]


def test_threads_get_the_same_objects() -> None:
    document = agentsdisc.parse(MANY)
    results = together(lambda: [id(c) for c in document.capabilities])
    assert all(result == results[0] for result in results)


def test_threads_parse_large_documents() -> None:
    expected = agentsdisc.parse(MANY)
    assert len(MANY) > 16 << 10
    for result in together(lambda: [agentsdisc.parse(MANY) for _ in range(20)]):
        assert all(document == expected for document in result)  # type: ignore[attr-defined]


def test_the_bytes_are_let_go() -> None:
    data = bytes(bytearray(MANY))
    before = sys.getrefcount(data)
    document = agentsdisc.parse(data)
    capability = document.capabilities[5]
    reference = weakref.ref(document)
    assert sys.getrefcount(data) > before
    del document
    assert reference() is None
    assert capability.id == "c5"
    del capability
    assert sys.getrefcount(data) == before


def test_reading_leaks_no_objects() -> None:
    def read() -> None:
        document = agentsdisc.parse(MANY)
        document.to_dict()
        repr(document.capabilities[:20])
        document.check()
        list(document.capabilities)
        with contextlib.suppress(agentsdisc.ParseError):
            agentsdisc.parse(b"{")

    for _ in range(5):
        read()

    def left() -> int:
        gc.collect()
        blocks = sys.getallocatedblocks()
        for _ in range(20):
            read()
        gc.collect()
        return sys.getallocatedblocks() - blocks

    # In every round, a leaked view would leave 20 blocks per document, and a leaked list of views 40,000 blocks. Other threads of
    # this process may allocate blocks as well, but hardly in every round.
    assert min(left() for _ in range(3)) < 200


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_while_batches_are_read_can_read_on() -> None:
    """Forks as multiprocessing does on Linux: only the forking thread continues."""
    code = """
import os, signal, sys, threading, time
import agentsdisc
bodies = [b'{"specVersion":"1.0","site":{"name":"a"},"capabilities":[{"id":"c","description":"' + b'd' * 3000 + b'"}]}'] * 400
done = threading.Event()

def work():
    while not done.is_set():
        agentsdisc.parse_batch(bodies, threads=2)

threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
children = 0
for _ in range(40):
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # ends a child that hangs
        held = agentsdisc.parse_batch(bodies, threads=2)
        del held
        os._exit(0 if len(agentsdisc.parse_batch(bodies, threads=2)) == 400 else 1)
    children += os.waitpid(child, 0)[1] == 0
done.set()
for thread in threads:
    thread.join()
print(children)
"""
    command = [sys.executable, "-W", "ignore", "-c", code]
    ended = subprocess.run(
        command, capture_output=True, check=True, text=True, timeout=300
    )
    assert ended.stdout.split() == ["40"]


@LONG_ONLY
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_of_batches_is_used_again() -> None:
    code = """
import agentsdisc, re, sys
body = b'{"specVersion":"1.0","site":{"name":"a"},"capabilities":[{"id":"c","description":"' + b'd' * 900 + b'"}]}'
bodies = [body] * 8000
for _ in range(int(sys.argv[1])):
    agentsdisc.parse_batch(bodies, threads=2)
print(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
"""

    def peak(batches: int) -> int:
        command = [sys.executable, "-c", code, str(batches)]
        ended = subprocess.run(
            command, capture_output=True, check=True, text=True, timeout=300
        )
        return int(ended.stdout)

    # 36 batches are 270 MB of further documents.
    assert peak(40) < peak(4) + 40_000
