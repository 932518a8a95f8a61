"""Threads, and whether anything is held that nobody needs."""

import contextlib
import gc
import sys
import threading
import weakref
from collections.abc import Callable

import agentsdisc

MANY = (
    '{"specVersion":"1.0","site":{"name":"a"},"capabilities":['
    + ",".join(f'{{"id":"c{i}","auth":{{"type":"oauth2"}}}}' for i in range(2000))
    + "]}"
).encode()


def together(work: Callable[[], object], count: int = 8) -> list[object]:
    """Does the same in many threads at once."""
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
    gc.collect()
    blocks = sys.getallocatedblocks()
    for _ in range(20):
        read()
    gc.collect()
    # A single leaked view would make 20 blocks of each document, a leaked list of views 40,000.
    assert sys.getallocatedblocks() - blocks < 200
