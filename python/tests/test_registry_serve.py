"""A registry over HTTP: real servers, real requests."""

import contextlib
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import agentsdisc
import anyio
import httpx
import pytest
import shop as shops
import uvicorn
from agentsdisc.cli import main, registry_serve
from agentsdisc.identity import Directory, Key, sign, verify
from agentsdisc.registry import (
    CapabilityEntry,
    ServiceEntry,
    Source,
    Store,
    StoreError,
    open_store,
)
from agentsdisc.registry.serve import Settings, app, submissions
from agentsdisc.registry.serve.clients import CLIENTS, Buckets
from conftest import PATIENCE, empty_store, environment
from mcp import Client
from server import Page, Server, serving

HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m\nmore"
JSON = {"Content-Type": "application/json"}
PUBLIC = "https://registry.example"


def entry(number: int, **more: Any) -> tuple[ServiceEntry, list[CapabilityEntry]]:
    domain = f"mugs{number}.example"
    formats = {"agents-json": "agents.json", "a2a-agent-card": "agent-card.json"}
    sources = [
        Source(
            url=f"https://{domain}/.well-known/{file}",
            format=format,
            digest="0" * 64,
            fetched=datetime.now(UTC),
            verdict="clean",
        )
        for format, file in formats.items()
    ]
    mug = CapabilityEntry(
        domain=domain,
        name="order/mug",
        description="Orders a mug.",
        source=sources[0].url,
    )
    found = ServiceEntry(
        domain=domain,
        name=f"Mugs {number}",
        category="shop",
        auth="none",
        tags=("mugs",),
        sources=tuple(sources[: 1 + number % 2]),
    )
    return replace(found, **more), [mug]


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    opened = open_store(where)
    with opened.write() as writer:
        for number in range(5):
            writer.put(*entry(number), [])
        writer.put(*entry(7, name=HOSTILE, description=HOSTILE, category="odd"), [])
    yield opened
    opened.close()


@contextlib.contextmanager
def running(store: Any, **settings: Any) -> Iterator[httpx.Client]:
    """Serves a store, and gives a client for it."""
    given = Settings(**{"check_every": 0, "url": PUBLIC, **settings})
    config = uvicorn.Config(
        app(store, given), port=0, log_level="critical", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(10)


def until(done: Callable[[], Any]) -> Any:
    end = time.monotonic() + 120
    while not (found := done()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


@pytest.fixture
def asked(store: Store) -> Iterator[httpx.Client]:
    with running(store) as client:
        yield client


def ard(client: httpx.Client, text: str = "mug", **members: Any) -> Any:
    query = {"text": text, "filter": members.pop("filter", {})}
    answer = client.post("/search", json={"query": query, **members})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_our_own_reader_reads_a_search(asked: httpx.Client) -> None:
    answer = asked.get("/api/discover?q=mug&limit=3&category=shop")
    document = agentsdisc.parse(answer.content)
    assert (document.format, document.check()) == ("adp-search", [])
    assert document.search is not None
    domains = [each.service.domain for each in document.search.results if each.service]
    assert len(domains) == 3
    detail = document.search.results[0].capabilities[0].detail_url
    assert detail == f"{PUBLIC}/api/services/{domains[0]}/capabilities/order%2Fmug"
    found = asked.get(detail.removeprefix(PUBLIC)).json()["data"]
    assert (found["name"], found["description"]) == ("order/mug", "Orders a mug.")
    assert 'offset=3>; rel="next"' in answer.headers["Link"]


def test_our_own_client_searches_in_both_protocols(asked: httpx.Client) -> None:
    for kind in ("adp", "ard", None):
        found = agentsdisc.search(
            str(asked.base_url), "order a mug", limit=2, kind=kind, allow_private=True
        )
        names = {name.name for each in found.services for name in each.capabilities}
        assert (len(found.services), names) == (2, {"order/mug"})
        assert not found.problems


def test_answers_are_not_sent_twice(asked: httpx.Client, store: Store) -> None:
    first = asked.get("/api/discover?q=mug")
    tags = {"If-None-Match": f'"other", W/{first.headers["ETag"]}'}
    again = asked.get("/api/discover?q=mug", headers=tags)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    with store.write() as writer:
        writer.remove("mugs3.example")
    changed = asked.get("/api/discover?q=mug", headers=tags)
    assert changed.status_code == 200
    assert changed.headers["ETag"] != first.headers["ETag"]


def test_head_and_cors(asked: httpx.Client) -> None:
    got, head = asked.get("/api/services"), asked.head("/api/services")
    assert (head.status_code, head.content) == (200, b"")
    for name in ("Content-Length", "ETag", "Access-Control-Allow-Origin"):
        assert head.headers[name] == got.headers[name]
    preflight = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    answer = asked.options("/search", headers=preflight)
    assert answer.status_code == 204
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]


def test_services_are_listed_in_pages(asked: httpx.Client) -> None:
    seen, path = [], "/api/services?limit=2&category=shop"
    while path:
        page = asked.get(path).json()
        seen += [each["domain"] for each in page["data"]]
        path = (page["next"] or "").removeprefix(PUBLIC)
    assert seen == [f"mugs{number}.example" for number in range(5)]
    service = asked.get("/api/services/MUGS1.example").json()["data"]
    assert [each["format"] for each in service["sources"]] == [
        "agents-json",
        "a2a-agent-card",
    ]
    assert [each["name"] for each in service["capabilities"]] == ["order/mug"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/nothing", None, 404),
        ("GET", "/api/services/none.example", None, 404),
        ("GET", "/api/services/mugs1.example/capabilities/none", None, 404),
        ("GET", "/api/submissions/none.example", None, 404),
        ("DELETE", "/search", None, 405),
        ("PUT", "/api/services", None, 405),
        ("GET", "/api/discover", None, 400),
        ("GET", "/api/discover?q=a&limit=x", None, 400),
        ("GET", "/api/discover?q=a&limit=0", None, 400),
        ("GET", "/api/discover?q=" + "x" * 1001, None, 400),
        ("GET", "/api/discover?q=" + "x" * 9000, None, 414),
        ("GET", "/agents?filter=color%3Dred", None, 400),
        ("GET", "/agents?pageToken=x", None, 400),
        ("POST", "/search", b"x" * 10_000_000, 413),
        ("POST", "/search", b"[" * 100_000, 400),
        ("POST", "/search", b'{"query": NaN}', 400),
        ("POST", "/search", b"{}", 400),
        ("POST", "/search", b'{"query": {"text": " "}}', 400),
        ("POST", "/search", b'{"query": {"text": "a", "filter": {"b": ["c"]}}}', 400),
        ("POST", "/search", b'{"query": {"text": "a"}, "pageToken": "x"}', 400),
        ("POST", "/search", b'{"query": {"text": "a"}, "pageSize": true}', 400),
        ("POST", "/search", b'{"query": {"text": "a"}, "federation": "x"}', 400),
        ("POST", "/explore", b'{"resultType": {"facets": [{"field": []}]}}', 400),
        ("POST", "/api/services", b'{"domain": "a b"}', 400),
        ("POST", "/api/services", b'{"domain": "a.example:22"}', 400),
    ],
)
def test_errors_are_problems(
    errors: httpx.Client, method: str, path: str, body: bytes | None, status: int
) -> None:
    answer = errors.request(method, path, content=body, headers=JSON)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status
    assert {"type", "title", "detail", "errorCode", "message"} <= {*problem}
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert (status == 405) == ("Allow" in answer.headers)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def errors(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    opened = open_store(empty_store(request, tmp_path_factory.mktemp("errors")))
    with opened.write() as writer:
        writer.put(*entry(1), [])
    with running(opened) as client:
        yield client
    opened.close()


def test_bodies_without_a_length_are_bounded(errors: httpx.Client) -> None:
    body = (b"x" * 65536 for _ in range(160))
    assert errors.post("/search", content=body, headers=JSON).status_code == 413
    answer = errors.post("/search", content=b"a=b", headers={"Content-Type": "a/b"})
    assert answer.status_code == 415


def test_texts_that_no_store_can_keep(errors: httpx.Client) -> None:
    body = b'{"query": {"text": "\\ud800 mug \\u0000", "filter": {"tags": "\\udfff\\u0000"}}}'
    assert errors.post("/search", content=body, headers=JSON).status_code == 200
    for path in ("/api/discover?q=%00%ff%22*", "/api/services?after=%00"):
        assert errors.get(path).status_code == 200
    assert errors.get("/api/services/%00%ff").status_code == 404


def test_a_failing_store_and_a_bug(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> int:
        raise StoreError("no disk \x1b[31m")

    def bug(*_: object) -> int:
        raise RuntimeError("postgresql://user:password@host \u202e")

    with running(store) as asked, caplog.at_level(logging.INFO):
        assert asked.get("/api/discover?q=mug").status_code == 200
        monkeypatch.setattr(store, "search", bug)
        answer = asked.get("/api/discover?q=bug")
        assert (answer.status_code, "password" in answer.text) == (500, False)
        monkeypatch.setattr(store, "generation", fail)
        counted = asked.get("/metrics")
        assert counted.status_code == 200
        assert "agentsdisc_registry_store_errors_total 1" in counted.text
        assert "agentsdisc_registry_services" not in counted.text
        for path in ("/healthz", "/api/discover?q=mug"):
            answer = asked.get(path)
            assert answer.status_code == 503
            assert answer.headers["Retry-After"] == "5"
            assert "no disk" not in answer.text
    assert "\u202e" not in caplog.text
    assert "\x1b" not in caplog.text


def test_clients_have_limits(store: Store) -> None:
    with running(store, rate=1.0, burst=2) as asked:
        answers = [asked.get("/healthz") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1].headers["Retry-After"] == "1"
    buckets = Buckets(1, 1)
    assert [buckets.take(a, 0) for a in ("2001:db8::1", "2001:db8::2")] == [0, 1]
    for number in range(CLIENTS + 10):
        buckets.take(f"10.0.{number >> 8}.{number & 255}", 0)
    assert len(buckets._clients) == CLIENTS


def test_its_own_documents_are_clean(asked: httpx.Client) -> None:
    expected = {
        "/.well-known/agent": "adp",
        "/.well-known/agents.json": "agents-json",
        "/agents.json": "agents-json",
        "/agents.txt": "agents-txt",
        "/robots.txt": "robots-txt",
        "/.well-known/ard.json": "ai-catalog",
        "/.well-known/ai-catalog.json": "ai-catalog",
    }
    for path, format in expected.items():
        document = agentsdisc.parse(asked.get(path).content, url=PUBLIC + path)
        assert (path, document.format, document.check()) == (path, format, [])
        for each in document.capabilities:
            if each.detail_url:
                answer = asked.get(each.detail_url.removeprefix(PUBLIC))
                detail = agentsdisc.parse(answer.content, format="adp-capability")
                assert detail.check() == []
    places = ("/.well-known/ard.json", "/.well-known/ai-catalog.json")
    first, second = (asked.get(place).content for place in places)
    assert first == second
    (catalog,) = json.loads(first)["entries"]
    assert catalog["type"] == "application/ai-registry+json"
    described = asked.get("/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    for path, operations in described["paths"].items():
        filled = re.sub(r"\{(\w+)\}", "mugs1.example", path)
        for method in operations:
            assert asked.request(method, filled).status_code != 405, path


def test_ard_filters_and_pages(asked: httpx.Client) -> None:
    seen: list[str] = []
    token = None
    while token != "end":
        more = {"pageToken": token} if token else {}
        found = ard(asked, filter={"metadata.category": "shop"}, pageSize=2, **more)
        seen += [each["identifier"] for each in found["results"]]
        token = found.get("pageToken", "end")
    assert len(seen) == len({*seen}) == 5
    card = "application/a2a-agent-card+json"
    for filters, domains in (
        (
            {"type": [card], "tags": "mugs"},
            {"mugs1.example", "mugs3.example", "mugs7.example"},
        ),
        ({"publisher": ["MUGS2.example", "b.example"]}, {"mugs2.example"}),
        ({"displayName": "mugs 4"}, {"mugs4.example"}),
        (
            {"capabilities": ["order/mug"], "publisher": "mugs0.example"},
            {"mugs0.example"},
        ),
        ({"type": "image/png"}, set()),
    ):
        results = ard(asked, filter=filters)["results"]
        assert {each["identifier"].split(":")[2] for each in results} == domains
        if "type" in filters:
            assert all(each["type"] == card for each in results)
    for each in results:
        assert 0 <= each["score"] <= 100
        assert each["source"] == f"{PUBLIC}/"


def test_ard_counts_and_lists(asked: httpx.Client) -> None:
    facets = [{"field": "type", "limit": 1}, {"field": "tags"}]
    body = {"resultType": {"facets": facets}, "query": {"text": "mug"}}
    found = asked.post("/explore", json=body).json()["facets"]
    types = found["type"]
    assert [each["count"] for each in types["buckets"]] == [6]
    assert types["otherCount"] == 3
    assert found["tags"]["buckets"] == [{"value": "mugs", "count": 6}]
    one = asked.get("/agents?pageSize=4&filter=publisherId=mugs0.example,mugs1.example")
    assert one.json()["total"] == 2
    first = asked.get("/agents?pageSize=4").json()
    second = asked.get(f"/agents?pageSize=4&pageToken={first['pageToken']}").json()
    listed = [*first["items"], *second["items"]]
    assert len({each["identifier"] for each in listed}) == 6
    assert "pageToken" not in second


def test_ard_lists_what_is_newer(asked: httpx.Client, store: Store) -> None:
    old, new = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)
    with store.write() as writer:
        for domain, fetched, changed in (
            ("old.example", old, None),
            ("seen.example", new, old),
            ("new.example", new, None),
        ):
            source = Source(
                url=f"https://{domain}/agents.json",
                format="awp",
                digest="0" * 64,
                fetched=fetched,
                changed=changed,
                verdict="clean",
            )
            writer.put(ServiceEntry(domain=domain, sources=(source,)), [], [])
        for number in (*range(5), 7):
            writer.remove(f"mugs{number}.example")

    def listed(filter: str) -> set[str]:
        answer = asked.get("/agents", params={"filter": filter})
        assert answer.status_code == 200, answer.text
        return {
            each["displayName"].partition(".")[0] for each in answer.json()["items"]
        }

    assert listed("updatedAfter=2025-12-31") == {"old", "seen", "new"}
    assert listed("updatedAfter=2026-01-01T00:00:00Z") == {"new"}
    assert listed("createdAfter=2026-01-01T01:00:00+02:00") == {"old", "seen", "new"}
    assert listed("createdAfter='2026-02-28T23:59:59.999Z'") == {"seen", "new"}
    assert listed("createdAfter=2026-02-01 AND updatedAfter=2026-02-01") == {"new"}
    assert listed("type=application/json AND updatedAfter=2026-02-01") == {"new"}
    assert listed("updatedAfter=9999-12-31T23:59:59Z") == set()
    page = asked.get("/agents?pageSize=1&filter=createdAfter%3D2026-02-01").json()
    assert page["total"] == 2
    other = {"pageToken": page["pageToken"], "filter": "createdAfter=2025-02-01"}
    assert asked.get("/agents", params=other).status_code == 400
    for wrong in ("yesterday", "", "1,2", "0001-01-01T00:00:00+14:00", "2026-13-01"):
        answer = asked.get("/agents", params={"filter": f"updatedAfter={wrong}"})
        assert (answer.status_code, "ISO 8601" in answer.text) == (400, True)


def test_other_registries(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentsdisc.registry.serve.federation._SECONDS", 20)
    other = open_store(str(tmp_path / "other.db"))
    with other.write() as writer:
        for number in (4, 8):
            writer.put(*entry(number), [])
    with (
        serving() as broken,
        running(other, url="http://upstream.example") as upstream,
    ):
        broken.pages["/search"] = Page("[" * 100_000, headers=JSON)
        urls = (
            str(upstream.base_url),
            broken.url,
            "http://127.0.0.1:9",
            "https://nothing.invalid",
        )
        with running(store, upstreams=urls) as asked:
            merged = ard(asked, pageSize=20)["results"]
            sources = {
                each["identifier"].split(":")[2]: each["source"] for each in merged
            }
            assert len(merged) == len(sources) == 7
            assert sources["mugs8.example"] == str(upstream.base_url)
            assert sources["mugs4.example"] == f"{PUBLIC}/"
            assert len(ard(asked, federation="none", pageSize=20)["results"]) == 6
            referred = ard(asked, federation="referrals")["referrals"]
            assert [each["url"] for each in referred] == [*urls]
            metrics = asked.get("/metrics").text
            assert "agentsdisc_registry_upstream_errors_total 3" in metrics
    other.close()


@pytest.fixture
def site() -> Iterator[Server]:
    with serving() as server:
        server.pages["/agent.json"] = Page(shops.awp(server.url), headers=JSON)
        yield server


def submitted(client: httpx.Client, domain: str) -> Any:
    answer = client.post("/api/services", json={"domain": domain})
    assert answer.status_code == 202
    path = answer.headers["Location"].removeprefix(PUBLIC)
    assert answer.json()["status_url"].endswith(path)

    def ended() -> Any:
        found = client.get(path).json()
        return found if found["state"] in {"added", "refused"} else None

    return until(ended)


def test_a_submitted_domain(store: Store, site: Server) -> None:
    domain = site.url.removeprefix("http://")
    with running(store, allow_private=True) as asked:
        found = submitted(asked, site.url)
        assert (found["state"], found["formats"]) == ("added", ["awp"])
        service = asked.get(found["service"].removeprefix(PUBLIC)).json()["data"]
        assert service["domain"] == domain
        requests = len(site.asked)
        again = asked.post("/api/services", json={"domain": site.url})
        assert (again.status_code, again.json()["state"]) == (200, "added")
        assert len(site.asked) == requests
    # The hour counts for other processes, too.
    with running(store, allow_private=True) as asked:
        again = asked.post("/api/services", json={"domain": site.url})
        assert (again.status_code, again.json()["state"]) == (200, "added")
        with store.write() as writer:
            writer.remember("submissions", None)
        again = asked.post("/api/services", json={"domain": site.url})
        assert (again.status_code, again.json()["state"]) == (200, "recent")
        assert len(site.asked) == requests


def test_submissions_that_are_refused(store: Store) -> None:
    counts = store.counts()
    with running(store) as asked:
        assert submitted(asked, "nothing.invalid")["state"] == "refused"
        for number in range(40):
            domain = f"d{number}.invalid"
            answer = asked.post("/api/services", json={"domain": domain})
        assert answer.status_code == 429
        assert int(answer.headers["Retry-After"]) > 0
    assert store.counts() == counts
    assert store.recall("asked nothing.invalid") == {}
    with running(store, submissions=False) as asked:
        answer = asked.post("/api/services", json={"domain": "a.example"})
        assert answer.status_code == 403


def test_submissions_that_must_be_signed(
    store: Store, site: Server, tmp_path: Path
) -> None:
    agent = "https://agent.example"
    key, own = Key.generate(), Key.generate()
    own.save(tmp_path / "key.json")
    keys = Directory(known={agent: {"keys": [key.public]}}, only_known=True)
    given = {
        "allow_private": True,
        "signed": True,
        "keys": keys,
        "identity": str(tmp_path / "key.json"),
        "directory": "https://registry.example",
    }
    url = f"{PUBLIC}/api/services"

    def ask(headers: dict[str, str]) -> tuple[int, str | None]:
        answer = asked.post("/api/services", json={"domain": site.url}, headers=headers)
        if answer.status_code == 401:
            assert answer.headers["WWW-Authenticate"] == "Signature"
            assert "web-bot-auth" in answer.headers["Accept-Signature"]
            assert answer.json()["type"] == f"{PUBLIC}/problems#signature-required"
        return answer.status_code, answer.json().get("reason")

    with running(store, **given) as asked:
        assert ask({}) == (401, "unsigned")
        # Neither the request's own Host nor another key or method helps.
        here = str(asked.base_url).rstrip("/") + "/api/services"
        for made, reason in (
            (sign(key, "POST", here, directory=agent), "wrong-signature"),
            (sign(own, "POST", url, directory=agent), "unknown-key"),
            (sign(key, "GET", url, directory=agent), "wrong-signature"),
            (sign(key, "POST", url, directory=agent, now=1.0), "expired"),
            (sign(key, "POST", url), "agent-missing"),
            (sign(key, "POST", url, directory="https://b.example"), "directory-failed"),
            (sign(key, "POST", url, directory=agent, expires=1e6), "lifetime-too-long"),
        ):
            assert ask(made) == (401, reason)
        assert site.asked == []
        good = sign(key, "POST", url, directory=agent)
        assert ask(good) == (202, None)
        assert ask(good) == (401, "replayed")
        path = f"/api/submissions/{site.url.removeprefix('http://')}"
        until(lambda: asked.get(path).json()["state"] == "added")
    # The requests of the registry are signed, too.
    assert len(site.headers) > 3
    for sent, headers in zip(site.paths, site.headers, strict=True):
        verdict = verify(
            "GET", site.url + sent, headers.items(), keys={"keys": [own.public]}
        )
        assert (verdict.reason, verdict.directory) == (
            "valid",
            "https://registry.example/.well-known/http-message-signatures-directory",
        )


def test_the_command_takes_signed_submissions_only(
    tmp_path: Path, site: Server
) -> None:
    def command(*more: str) -> list[str]:
        common = ["--store", str(tmp_path / "r.db"), "--create", "--port", "0"]
        return [sys.executable, "-m", "agentsdisc", "registry", "serve", *common, *more]

    Key.generate().save(tmp_path / "key.json")
    wrong = (
        (("--identity", str(tmp_path / "none.json")), "none.json"),
        (("--directory", "https://a.example"), "give both"),
        (
            (
                "--identity",
                str(tmp_path / "key.json"),
                "--directory",
                "http://a.example",
            ),
            "not an https URL",
        ),
    )
    for options, said in wrong:
        done = subprocess.run(command(*options), capture_output=True, text=True)
        assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    options = ("--submissions", "signed", "--identity", str(tmp_path / "key.json"))
    with subprocess.Popen(
        command(*options), stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stderr is not None
            url = server.stderr.readline().split()[1]
            answer = httpx.post(
                f"{url}/api/services", json={"domain": "a.example"}, timeout=PATIENCE
            )
            assert (answer.status_code, answer.json()["reason"]) == (401, "unsigned")
        finally:
            server.terminate()


def test_the_requests_of_a_build_are_signed(tmp_path: Path, site: Server) -> None:
    key = Key.generate()
    key.save(tmp_path / "key.json")
    (tmp_path / "domains.txt").write_text(site.url)
    command = ["registry", "build", "--store", str(tmp_path / "r.db")]
    command += ["--domains", str(tmp_path / "domains.txt"), "--allow-private"]
    code = main([*command, "--identity", str(tmp_path / "key.json")])
    assert code == 0 and site.paths
    for sent, headers in zip(site.paths, site.headers, strict=True):
        found = verify(
            "GET", site.url + sent, headers.items(), keys={"keys": [key.public]}
        )
        assert found.reason == "valid"


def test_submissions_are_known_to_all_processes(store: Store, site: Server) -> None:
    with running(store, allow_private=True) as first:
        submitted(first, site.url)
        submitted(first, "nothing.invalid")
        with running(store, allow_private=True) as second:
            requests = len(site.asked)
            for domain, state in ((site.url, "added"), ("nothing.invalid", "refused")):
                path = f"/api/submissions/{domain.removeprefix('http://')}"
                assert second.get(path).json()["state"] == state
                again = second.post("/api/services", json={"domain": domain})
                assert (again.status_code, again.json()["state"]) == (200, state)
            assert len(site.asked) == requests


def test_one_owner_does_not_fill_the_registry(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put(writer: Any, domain: str, site: Any) -> ServiceEntry:
        service = ServiceEntry(domain=domain)
        writer.put(service, [], [])
        return service

    monkeypatch.setattr(submissions, "adiscover", lambda url, **_: Found.of(url))
    monkeypatch.setattr(submissions, "put_site", put)
    with running(store, subdomains=2) as asked:
        for domain in ("a.evil.co.uk", "evil.co.uk", "other.co.uk", "x.github.io"):
            assert submitted(asked, domain)["state"] == "added"
        answer = asked.post("/api/services", json={"domain": "b.a.evil.co.uk"})
        assert (answer.status_code, "evil.co.uk" in answer.text) == (403, True)
        # What is there may be submitted again; what is gone gives room.
        with store.write() as writer:
            writer.remember("submissions", None)
        assert submitted(asked, "evil.co.uk")["state"] == "added"
        with store.write() as writer:
            writer.remove("a.evil.co.uk")
        assert submitted(asked, "b.a.evil.co.uk")["state"] == "added"
    with running(store, subdomains=0) as asked:
        assert submitted(asked, "c.evil.co.uk")["state"] == "added"


class Found:
    """A site that has documents."""

    found = (True,)

    @classmethod
    async def of(cls, url: str) -> "Found":
        return cls()


def test_owners() -> None:
    for domain, owner in (
        ("a.b.shop.example:8080", "shop.example"),
        ("shop.co.uk", "shop.co.uk"),
        ("a.shop.co.uk", "shop.co.uk"),
        ("me.github.io", "me.github.io"),
        ("a.me.github.io", "me.github.io"),
        ("localhost", "localhost"),
        ("10.0.0.1", "10.0.0.1"),
        ("[::1]:80", "::1"),
    ):
        assert submissions.owner_of(domain) == owner


def test_mcp(asked: httpx.Client) -> None:
    async def ask() -> Any:
        async with Client(f"{asked.base_url}/mcp") as client:
            tools = await client.list_tools()
            assert {tool.name for tool in tools.tools} == {
                "discover",
                "get_service",
                "get_capability",
            }
            return await client.call_tool("discover", {"words": "order a mug"})

    assert len(anyio.run(ask).structured_content["untrusted"]) == 6
    assert asked.get("/mcp").status_code == 405


def test_the_page_shows_hostile_text_as_text(asked: httpx.Client) -> None:
    answer = asked.get("/?q=mug")
    assert answer.headers["Content-Type"].startswith("text/html")
    assert "<script>alert" not in answer.text
    assert "\u202e" not in answer.text
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    browser = {"Accept": "text/html"}
    for path, status in (("mugs1.example", 200), ("none.example", 404)):
        answer = asked.get(f"/services/{path}", headers=browser)
        assert answer.status_code == status
        assert answer.headers["Content-Type"].startswith("text/html")


@pytest.mark.skipif(sys.platform != "linux", reason="sockets inherit it on Linux")
def test_answers_do_not_wait_for_acknowledgements() -> None:
    with (
        registry_serve._listening("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@contextlib.contextmanager
def started(command: list[str]) -> Iterator[Any]:
    """A command, which is ended whatever happens."""
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()


def test_the_command(store: Store, where: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "agentsdisc", "registry", "serve", "--port", "0"]
    options = ["--store", where, "--log-requests"]
    with started([*command, *options]) as process:
        line = process.stderr.readline()
        url = line.split()[1]
        assert httpx.get(f"{url}/api/discover?q=secret", timeout=120).status_code == 200
        assert httpx.get(f"{url}/a%1B%0Ab", timeout=120).status_code == 404
        process.send_signal(signal.SIGTERM if os.name != "nt" else signal.SIGINT)
        _, log = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "GET /api/discover 200" in log
    assert "secret" not in log
    assert "\x1b" not in log
    failed = subprocess.run(
        [*command, "--store", str(tmp_path), "--url", "https://a.example/path"],
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert (failed.returncode, "has a path" in failed.stderr) == (2, True)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_several_processes(tmp_path: Path) -> None:
    where = str(tmp_path / "registry.db")
    command = [sys.executable, "-m", "agentsdisc", "registry", "serve", "--port", "0"]
    options = ["--store", where, "--create", "--workers", "2", "--rate", "0"]
    with started([*command, *options]) as process:
        url = process.stderr.readline().split()[1]

        def serving_processes() -> set[int]:
            # A new connection each time, which any of the processes may take.
            with contextlib.suppress(httpx.TransportError):
                metrics = httpx.get(f"{url}/metrics", timeout=30).text
                return {*map(int, re.findall(r'services{process="(\d+)"}', metrics))}
            return set()

        seen: set[int] = set()
        until(lambda: seen.update(serving_processes()) or len(seen) == 2)
        one = min(seen)
        os.kill(one, signal.SIGKILL)
        until(lambda: seen.update(serving_processes()) or len(seen) == 3)
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=PATIENCE)
    assert (process.returncode, log.count("\n")) == (0, 1)
    assert f"process {one} ended with -9" in log
    for worker in seen:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


def test_ard_conformance(asked: httpx.Client) -> None:
    folder = os.environ.get("AGENTSDISC_ARD_CONFORMANCE")
    if folder is None:
        pytest.skip("AGENTSDISC_ARD_CONFORMANCE does not name the tool's folder")
    for mode, path in (("registry", ""), ("manifest", "/.well-known/ai-catalog.json")):
        url = f"{str(asked.base_url).rstrip('/')}{path}"
        done = subprocess.run(
            [sys.executable, f"{folder}/bin/conformance-test", mode, url],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout
