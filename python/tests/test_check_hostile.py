"""Sites that are broken, large or do not want to be checked: what cannot be decided is no failure, says why, and costs bounded time and requests."""

import gzip
import time
from collections.abc import Iterator
from typing import Any

import pytest
from agentsdisc.discovery import Timeouts
from agentsdisc.readiness import Report
from server import Answer, Page, Server, drip, to
from test_check import FILES, HOME, HTML, SITE, checked, ready

XML = {"Content-Type": "application/xml"}


@pytest.fixture
def server() -> Iterator[Server]:
    with ready() as server:
        yield server


def failed(report: Report) -> set[str]:
    return {check.id for check in report.checks if check.status == "fail"}


def said(report: Report, id: str) -> str:
    check = report[id]
    return "\n".join([check.message, *(each.text or "" for each in check.evidence)])


CHALLENGE = "<!doctype html><title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/x.js></script>"
REFUSALS = {
    "challenge": Page(
        CHALLENGE,
        status=403,
        headers={**HTML, "Server": "cloudflare", "cf-mitigated": "challenge"},
    ),
    "login": Page("no", status=401),
    "too many": Page("slow down", status=429, headers={"Retry-After": "60"}),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_of_everything_decides_nothing(server: Server, name: str) -> None:
    server.pages, server.routes = {}, {"/": REFUSALS[name]}
    report = checked(server)
    assert failed(report) == set()
    for id in ("reachable", "honest-404", "link-headers", "page-basics"):
        assert report[id].status == "unknown", report[id]
        why = ("refuses", "does not answer", "no answer")
        assert any(each in said(report, id) for each in why), report[id]
    # A refusal is not the absence of documents, and not their presence.
    assert report["agents-documents"].status in {"unknown", "not-applicable"}


def test_a_site_that_answers_other_programs_only(server: Server) -> None:
    def answer(path: str) -> Answer:
        body, headers = FILES[path]

        def send(handler: Any) -> None:
            is_refused = handler.headers["User-Agent"].startswith("agentsdisc")
            page = REFUSALS["challenge"] if is_refused else Page(body, headers=headers)
            handler.send(page)

        return send

    server.pages = {path: answer(path) for path in FILES}
    ours, theirs = checked(server), checked(server, user_agent="Other/1.0")
    assert failed(ours) == failed(theirs) == set()
    assert ours["reachable"].status == "unknown"
    assert theirs["reachable"].status == "pass"
    # Nothing that was refused lowers or raises the score.
    assert ours.score.applicable < theirs.score.applicable


def test_a_page_of_10_megabytes(server: Server) -> None:
    server.pages["/"] = Page(HOME + "<p>mug</p>" * 1_000_000, headers=HTML)
    begin = time.monotonic()
    report = checked(server)
    assert time.monotonic() - begin < 20
    assert failed(report) == set()
    assert report["page-basics"].status == "pass"
    # What the beginning does not show is not known.
    server.pages["/"] = Page(
        "<!doctype html><!--" + "x" * 10_000_000 + "-->" + HOME, headers=HTML
    )
    report = checked(server)
    assert failed(report) == set()
    assert report["page-basics"].status == "unknown", report["page-basics"]


def test_headers_that_contradict_each_other(server: Server) -> None:
    def twice(path: str, *more: tuple[str, str]) -> Answer:
        body, headers = FILES[path]

        def send(handler: Any) -> None:
            handler.send_response_only(200)
            for name, value in (*headers.items(), *more):
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(body.encode())))
            handler.end_headers()
            if handler.command != "HEAD":
                handler.wfile.write(body.encode())

        return send

    server.pages["/"] = twice(
        "/",
        ("Content-Type", "application/json"),
        ("Vary", "*"),
        ("Vary", "Accept"),
        ("Link", "</.well-known/agents.txt>; rel=agents-txt"),
        ("Link", "<"),
        ("Location", "https://other.example/"),
        ("Content-Usage", "train-ai=y"),
        ("Content-Usage", "train-ai=n"),
    )
    server.pages["/.well-known/agents.txt"] = twice(
        "/.well-known/agents.txt",
        ("Content-Type", "text/html"),
        ("Access-Control-Allow-Origin", "https://other.example"),
        ("Cache-Control", "no-store, max-age=3600"),
    )
    report = checked(server)
    assert report["reachable"].status == "pass"
    assert report["redirects"].status == "pass"
    assert report["agents-documents"].status == "pass"
    assert failed(report) <= {"content-usage", "served-as"}, report


def chain(count: int) -> str:
    parts = "".join(
        f"<sitemap><loc>{SITE}/s{n}.xml</loc></sitemap>" for n in range(count)
    )
    return f"<sitemapindex>{parts}</sitemapindex>"


BOMBS = {
    "gzip": Page(gzip.compress(b"\0" * 50_000_000), headers=XML),
    "coding": Page(
        gzip.compress(b"<urlset>" + b" " * 50_000_000),
        headers={**XML, "Content-Encoding": "gzip"},
    ),
    "entities": Page(
        '<!DOCTYPE z [<!ENTITY a "aaaaaaaaaa">'
        + "".join(
            f'<!ENTITY {c} "{f"&{b};" * 10}">'
            for b, c in zip("abcdefgh", "bcdefghi", strict=True)
        )
        + f"]><urlset><url><loc>{SITE}/&i;</loc></url></urlset>",
        headers=XML,
    ),
    "itself": Page(
        f"<sitemapindex><sitemap><loc>{SITE}/sitemap.xml</loc></sitemap></sitemapindex>",
        headers=XML,
    ),
    "index": Page(chain(50_001), headers=XML),
    "urls": Page(
        "<urlset>" + f"<url><loc>{SITE}/mugs</loc></url>" * 60_000 + "</urlset>",
        headers=XML,
    ),
    "nesting": Page("<a>" * 300_000, headers=XML),
}


@pytest.mark.parametrize("name", BOMBS)
def test_sitemaps_that_are_bombs(server: Server, name: str) -> None:
    server.pages["/sitemap.xml"] = BOMBS[name]
    begin = time.monotonic()
    report = checked(server)
    assert time.monotonic() - begin < 20
    assert len(server.asked) <= 60
    # The sitemap alone may be accused.
    assert failed(report) <= {"sitemap"}, [(c.id, c.message) for c in report.checks]
    if name in ("gzip", "coding"):
        assert report["sitemap"].status == "unknown", report["sitemap"]


def test_redirects_in_circles_end(server: Server) -> None:
    for path in ("/llms.txt", "/sitemap.xml", "/mugs"):
        server.pages[path] = to("/circle")
    server.pages["/circle"] = to("/mugs")
    report = checked(server)
    assert report["redirects"].status == "fail"
    assert "do not end" in said(report, "redirects")
    assert failed(report) == {"redirects"}
    assert len(server.asked) <= 60


def test_a_server_that_is_slow_for_everything(server: Server) -> None:
    server.pages, server.routes = {}, {"/": drip}
    begin = time.monotonic()
    try:
        report = checked(server, timeouts=Timeouts(request=0.3, total=3))
    except OSError as problem:
        assert "in time" in str(problem)
    else:
        assert failed(report) == set()
    assert time.monotonic() - begin < 50
