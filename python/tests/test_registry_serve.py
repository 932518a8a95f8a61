"""A registry over HTTP."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import agentsdisc
import pytest

pytest.importorskip("starlette")
import uvicorn
from agentsdisc.registry import (
    CapabilityEntry,
    ServiceEntry,
    Source,
    Store,
    StoreError,
    open_store,
)
from agentsdisc.registry.serve import Settings, app
from agentsdisc.registry.serve.clients import Buckets
from starlette.testclient import TestClient

URL = "https://mugs.example/.well-known/agents.json"
HOSTILE = "<script>alert(1)</script>\u202e"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "registry.db"))
    fetched = datetime(2026, 11, 1, tzinfo=UTC)
    source = Source(
        url=URL, format="agents-json", digest="0" * 64, fetched=fetched, verdict="clean"
    )
    mug = CapabilityEntry(
        domain="mugs.example", name="order_mug", description="Orders a mug.", source=URL
    )
    service = ServiceEntry(domain="mugs.example", name=HOSTILE, sources=(source,))
    with opened.write() as writer:
        writer.put(service, [mug], [])
    yield opened
    opened.close()


def client(store: Any, **settings: Any) -> TestClient:
    return TestClient(app(store, Settings(check_every=0, **settings)))


def test_a_search_is_read_by_our_own_reader(store: Store) -> None:
    answer = client(store).get("/api/discover?q=mug")
    document = agentsdisc.parse(answer.content)
    assert (document.format, document.check()) == ("adp-search", [])
    assert document.search is not None
    (result,) = document.search.results
    assert result.service is not None
    assert result.service.domain == "mugs.example"
    tag = answer.headers["ETag"]
    again = client(store).get("/api/discover?q=mug", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/nothing", None, 404),
        ("GET", "/api/services/none.example", None, 404),
        ("DELETE", "/search", None, 405),
        ("GET", "/api/discover?limit=x", None, 400),
        ("GET", "/api/discover?q=" + "x" * 9000, None, 414),
        ("POST", "/search", b"x" * 10_000_000, 413),
        ("POST", "/search", b"[" * 100_000, 400),
        ("POST", "/search", b'{"query": {"text": "a", "filter": {"b": ["c"]}}}', 400),
        ("POST", "/search", b'{"query": {"text": "a"}, "pageToken": "x"}', 400),
        ("POST", "/explore", b'{"resultType": {"facets": [{"field": []}]}}', 400),
    ],
)
def test_errors_are_problems(
    store: Store, method: str, path: str, body: bytes | None, status: int
) -> None:
    answer = client(store).request(method, path, content=body)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == status
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_a_store_that_fails(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = client(store)
    assert asked.get("/api/discover?q=mug").status_code == 200

    def fail(*_: object) -> int:
        raise StoreError("gone")

    monkeypatch.setattr(store, "generation", fail)
    for path in ("/healthz", "/api/discover?q=mug", "/metrics"):
        answer = asked.get(path)
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "5"


def test_clients_have_limits(store: Store) -> None:
    asked = client(store, rate=1.0, burst=2)
    answers = [asked.get("/healthz") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1].headers["Retry-After"] == "1"
    buckets = Buckets(1, 1)
    assert [buckets.take(a, 0) for a in ("2001:db8::1", "2001:db8::2")] == [0, 1]


def test_the_page_shows_hostile_text_as_text(store: Store) -> None:
    answer = client(store).get("/?q=mug")
    assert "<script" not in answer.text
    assert "\u202e" not in answer.text
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_ard_conformance(store: Store) -> None:
    folder = os.environ.get("AGENTSDISC_ARD_CONFORMANCE")
    if folder is None:
        pytest.skip("AGENTSDISC_ARD_CONFORMANCE does not name the tool's folder")
    config = uvicorn.Config(app(store), port=0, log_level="critical")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        for mode, path in (
            ("registry", ""),
            ("manifest", "/.well-known/ai-catalog.json"),
        ):
            tool = [sys.executable, f"{folder}/bin/conformance-test", mode]
            done = subprocess.run(
                [*tool, f"http://127.0.0.1:{port}{path}"],
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stdout
    finally:
        server.should_exit = True
        thread.join(10)
