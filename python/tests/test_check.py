"""`agentsdisc check` and `check_site`: what is true of a site, from its server and from its files."""

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import agentsdisc
import pytest
from agentsdisc.cli import main
from agentsdisc.readiness import Report, check_site
from server import Answer, Page, Server, drip, serving, to

SITE = "https://mugs.example"
OPEN = {"Access-Control-Allow-Origin": "*", "Cache-Control": "max-age=300"}
HTML = {"Content-Type": "text/html; charset=utf-8"}
HOME = (
    "<!doctype html><html lang=en><head><title>Mugs</title>"
    "<link rel=service-desc href=/api.json type=application/json></head>"
    "<body><h1>Mugs</h1><p>All of them.</p></body></html>"
)
SKILL = "---\nname: order\ndescription: Orders mugs.\n---\n# Order\n"
AGENTS = "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nSite-Description: All of them\n"


def skills(digest: str) -> str:
    skill = {
        "name": "order",
        "type": "skill-md",
        "description": "Orders mugs.",
        "url": "/skills/order/SKILL.md",
        "digest": digest,
    }
    return json.dumps(
        {
            "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
            "skills": [skill],
        }
    )


def digest(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


FILES: dict[str, tuple[str, dict[str, str]]] = {
    "/": (HOME, HTML),
    "/robots.txt": (
        f"User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /private\n\nSitemap: {SITE}/sitemap.xml\n",
        {"Content-Type": "text/plain"},
    ),
    "/sitemap.xml": (
        f"<urlset><url><loc>{SITE}/</loc></url><url><loc>{SITE}/mugs</loc></url></urlset>",
        {"Content-Type": "application/xml"},
    ),
    "/mugs": (HOME, HTML),
    "/llms.txt": (
        f"# Mugs\n\n> Sells mugs.\n\n## Docs\n\n- [Mugs]({SITE}/mugs): all of them\n",
        {"Content-Type": "text/markdown; charset=utf-8"},
    ),
    "/.well-known/agents.txt": (
        AGENTS,
        {
            "Content-Type": "text/plain; charset=utf-8",
            "Access-Control-Allow-Methods": "GET, OPTIONS",
            **OPEN,
        },
    ),
    "/.well-known/api-catalog": (
        json.dumps(
            {
                "linkset": [
                    {
                        "anchor": f"{SITE}/mugs",
                        "service-desc": [
                            {
                                "href": f"{SITE}/api.json",
                                "type": "application/json",
                            }
                        ],
                    }
                ]
            }
        ),
        {
            "Content-Type": "application/linkset+json",
            "Link": '</.well-known/api-catalog>; rel="api-catalog"',
        },
    ),
    "/api.json": ("{}", {"Content-Type": "application/json"}),
    "/.well-known/agent-skills/index.json": (
        skills(digest(SKILL)),
        {"Content-Type": "application/json", **OPEN},
    ),
    "/skills/order/SKILL.md": (SKILL, {"Content-Type": "text/markdown"}),
}
"""A site that is ready."""


@contextmanager
def ready(more: Mapping[str, str] = MappingProxyType({})) -> Iterator[Server]:
    """Serves the site, with more headers for each file."""
    with serving() as server:
        server.pages = {
            path: Page(body, headers={**headers, **more})
            for path, (body, headers) in FILES.items()
        }
        yield server


@pytest.fixture
def server() -> Iterator[Server]:
    with ready() as server:
        yield server


def checked(server: Server, **more: Any) -> Report:
    return check_site(server.url, canonical_origin=SITE, allow_private=True, **more)


def statuses(report: Report) -> dict[str, str]:
    return {check.id: check.status for check in report.checks}


def test_a_site_that_is_ready_has_no_failure_and_no_warning(server: Server) -> None:
    report = checked(server)
    bad = [(c.id, c.message) for c in report.checks if c.status in {"fail", "warn"}]
    assert bad == []
    for id in [
        "reachable",
        "honest-404",
        "redirects",
        "robots-txt",
        "ai-rules",
        "content-signals",
        "sitemap",
        "link-headers",
        "llms-txt",
        "content-in-html",
        "page-basics",
        "auth-gate",
        "api-catalog",
        "skills-index",
        "agents-documents",
        "served-as",
    ]:
        assert report[id].status == "pass", report[id]
    assert (report.level, report.level_name) == (4, "Discoverable")
    assert report.score.percent == 100
    assert len(server.asked) <= 60
    assert {host for host, _ in server.asked} == {"127.0.0.1"}
    # Variants of the home page, and the methods of the API catalog.
    assert len(set(server.asked)) >= len(server.asked) - 5


def text(path: str, change: Callable[[str], str]) -> Answer:
    body, headers = FILES[path]
    return Page(change(body), headers=headers)


def headers(path: str, **changes: str | None) -> Answer:
    body, old = FILES[path]
    new = old | {
        name.replace("_", "-"): v for name, v in changes.items() if v is not None
    }
    for name, value in changes.items():
        if value is None:
            new.pop(name.replace("_", "-"))
    return Page(body, headers=new)


BAD: list[tuple[str, str, str, Answer]] = [
    # check, status, path, answer
    ("reachable", "unknown", "/", Page(status=403)),
    ("reachable", "fail", "/", Page(status=500)),
    ("robots-txt", "fail", "/robots.txt", Page(status=503)),
    ("robots-txt", "fail", "/robots.txt", Page(HOME, headers=HTML)),
    (
        "robots-txt",
        "warn",
        "/robots.txt",
        text("/robots.txt", lambda t: t.replace("Disallow", "Disalow")),
    ),
    (
        "ai-rules",
        "fail",
        "/robots.txt",
        text("/robots.txt", lambda t: t.replace("/private", "/.well-known/")),
    ),
    (
        "ai-rules",
        "warn",
        "/robots.txt",
        text(
            "/robots.txt",
            lambda t: (
                t
                + "\nUser-agent: GPTBot\nContent-Signal: ai-train=no\nDisallow: /llms.txt\n"
            ),
        ),
    ),
    (
        "content-signals",
        "warn",
        "/robots.txt",
        text("/robots.txt", lambda t: t + "\nUser-agent: GPTBot\nDisallow: /x\n"),
    ),
    (
        "licence",
        "fail",
        "/robots.txt",
        text("/robots.txt", lambda t: t + f"\nLicense: {SITE}/gone.xml\n"),
    ),
    ("sitemap", "fail", "/sitemap.xml", Page(status=404)),
    ("sitemap", "fail", "/sitemap.xml", Page(HOME, headers=HTML)),
    (
        "sitemap",
        "warn",
        "/sitemap.xml",
        text(
            "/sitemap.xml",
            lambda t: t.replace(f"{SITE}/mugs", "https://other.example/"),
        ),
    ),
    ("sitemap", "fail", "/mugs", Page(status=404)),
    ("llms-txt", "fail", "/mugs", Page(status=404)),
    ("auth-gate", "warn", "/mugs", Page(status=401)),
    ("link-headers", "fail", "/api.json", Page(status=404)),
    (
        "link-headers",
        "warn",
        "/api.json",
        headers("/api.json", Content_Type="text/plain"),
    ),
    (
        "content-in-html",
        "fail",
        "/",
        Page(
            "<!doctype html><title>M</title><div id=root></div><script src=/a.js></script>",
            headers=HTML,
        ),
    ),
    ("page-basics", "warn", "/", Page("<!doctype html><p>Mugs</p>", headers=HTML)),
    (
        "page-markdown",
        "fail",
        "/",
        Page(
            HOME.replace(
                "<link", "<link rel=alternate type=text/markdown href=/i.md><link"
            ),
            headers=HTML,
        ),
    ),
    (
        "markdown-negotiation",
        "fail",
        "/",
        Page("# Mugs\n", headers={"Content-Type": "text/markdown"}),
    ),
    (
        "api-catalog",
        "fail",
        "/.well-known/api-catalog",
        Page("{}", headers={"Content-Type": "application/json"}),
    ),
    (
        "api-catalog",
        "fail",
        "/.well-known/api-catalog",
        Page("{", headers={"Content-Type": "application/linkset+json"}),
    ),
    ("api-catalog", "fail", "/api.json", Page(status=404)),
    (
        "api-catalog",
        "fail",
        "/.well-known/api-catalog",
        headers("/.well-known/api-catalog", Link=None),
    ),
    (
        "served-as",
        "fail",
        "/.well-known/api-catalog",
        headers("/.well-known/api-catalog", Content_Type="application/json"),
    ),
    (
        "served-as",
        "warn",
        "/.well-known/agents.txt",
        headers("/.well-known/agents.txt", Access_Control_Allow_Origin=None),
    ),
    (
        "skills-index",
        "fail",
        "/skills/order/SKILL.md",
        Page(SKILL.replace("\n", "\r\n")),
    ),
    ("skills-index", "fail", "/skills/order/SKILL.md", Page(status=404)),
    ("skills-index", "unknown-not-fail", "/skills/order/SKILL.md", Page(status=403)),
    (
        "agents-documents",
        "fail",
        "/.well-known/agents.txt",
        Page(
            "Spec-Version: 1.0\n", headers={"Content-Type": "text/plain; charset=utf-8"}
        ),
    ),
    (
        "oauth-resource",
        "warn",
        "/.well-known/oauth-protected-resource",
        Page(
            '{"resource": "https://other.example/", "authorization_servers": ["https://a.example"]}',
            headers={"Content-Type": "application/json"},
        ),
    ),
    (
        "oauth-server",
        "fail",
        "/.well-known/oauth-authorization-server",
        Page(
            '{"issuer": "https://mugs.example", "response_types_supported": ["code"]}',
            headers={"Content-Type": "application/json"},
        ),
    ),
    (
        "ai-catalog",
        "fail",
        "/.well-known/ai-catalog.json",
        Page(
            '{"specVersion": "1.0", "entries": []}',
            headers={"Content-Type": "application/ai-catalog+json"},
        ),
    ),
    ("auth-md", "warn", "/auth.md", Page("# Auth\n")),
    ("redirects", "fail", "/.well-known/agents.txt", to("/.well-known/agents.txt")),
    ("redirects", "warn", "/", to("https://other.example/")),
]


@pytest.mark.parametrize(("id", "status", "path", "answer"), BAD)
def test_what_is_wrong_is_found(
    server: Server, id: str, status: str, path: str, answer: Answer
) -> None:
    server.pages[path] = answer
    check = checked(server)[id]
    if status == "unknown-not-fail":
        assert check.status in {"pass", "unknown"}
        assert any(
            "could not be checked" in (each.text or "") for each in check.evidence
        )
        return
    assert check.status == status, check
    if status == "fail":
        assert check.fix is not None or check.evidence
        assert check.evidence


def page(head: str, headers: dict[str, str] = HTML) -> Answer:
    return Page(HOME.replace("<title>", f"{head}<title>"), headers=headers)


RIGHT: list[tuple[str, str, dict[str, Answer]]] = [
    # check, what is not worse than this, paths
    (
        "link-headers",
        "pass",
        {
            "/": page("<base href=/docs/><link rel=llms href=l.txt>"),
            "/docs/l.txt": Page(FILES["/llms.txt"][0]),
            "/docs/api.json": Page("{}", headers=FILES["/api.json"][1]),
        },
    ),
    (
        "link-headers",
        "pass",
        {
            "/": page("<link rel=agents-txt href='/a?x=1&amp;y=2'>"),
            "/a?x=1&y=2": Page(AGENTS),
        },
    ),
    ("link-headers", "pass", {"/": page("<link rel=mcp href=/mcp>")}),
    (
        "link-headers",
        "pass",
        {"/": page("<link rel=llms href=/l>"), "/l": Page(status=405)},
    ),
    (
        "link-headers",
        "pass",
        {
            "/": page(
                "<!-- <link rel=llms href=/gone> --><script>'<link rel=llms href=/gone>'</script>"
            )
        },
    ),
    (
        "page-markdown",
        "pass",
        {
            "/": page(
                "<base href=/docs/><link rel=alternate type='text/markdown; charset=utf-8' href=i.md>"
            ),
            "/docs/i.md": Page("# Mugs\n"),
            "/docs/api.json": Page("{}"),
        },
    ),
    (
        "sitemap",
        "pass",
        {
            "/sitemap.xml": text(
                "/sitemap.xml",
                lambda t: t.replace("/mugs<", "/m?a=1&amp;b=2<").replace(
                    "<loc>", "<loc>\n"
                ),
            ),
            "/m?a=1&b=2": Page(HOME, headers=HTML),
        },
    ),
    (
        "sitemap",
        "pass",
        {
            "/sitemap.xml": text(
                "/sitemap.xml",
                lambda t: t.replace("<", "<s:").replace("<s:/", "</s:"),
            )
        },
    ),
    ("sitemap", "pass", {"/sitemap.xml": Page("<rss><channel></channel></rss>")}),
    ("sitemap", "unknown", {"/sitemap.xml": Page(b"\x1f\x8b\x08")}),
    ("sitemap", "pass", {"/mugs": Page(status=403)}),
    (
        "api-catalog",
        "pass",
        {
            "/.well-known/api-catalog": text(
                "/.well-known/api-catalog", lambda t: t.replace("service-desc", "item")
            ),
            "/api.json": Page(status=404),
        },
    ),
    (
        "content-in-html",
        "unknown",
        {
            "/": Page(
                "<title>M</title><p>Twenty characters or more.</p><script></script>",
                headers=HTML,
            )
        },
    ),
    (
        "ap2",
        "not-applicable",
        {"/.well-known/agent-card.json": Page('{"name": "recap2"}')},
    ),
]


@pytest.mark.parametrize(("id", "status", "pages"), RIGHT)
def test_what_is_right_or_uncertain_is_not_accused(
    server: Server, id: str, status: str, pages: dict[str, Answer]
) -> None:
    server.pages |= pages
    assert checked(server)[id].status == status, checked(server)[id]


def x402(value: str | None, status: int = 402) -> dict[str, Answer]:
    listed = {"x402Version": 2, "items": [{"resource": "/paid", "accepts": [TERMS]}]}
    sent = {} if value is None else {"PAYMENT-REQUIRED": value}
    return {
        "/.well-known/x402": Page(json.dumps(listed)),
        "/paid": Page("{}", status=status, headers=sent),
    }


TERMS = {
    "scheme": "exact",
    "network": "eip155:8453",
    "amount": "10000",
    "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    "maxTimeoutSeconds": 60,
}


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"x402Version": 2, "accepts": [TERMS]}, "states its price"),
        ({"x402Version": 2, "accepts": []}, "is not base64"),
        (None, "may be of another protocol"),
        ("free", "GET is not answered with status 402"),
    ],
)
def test_what_a_list_of_x402_sells_states_its_price(
    server: Server, terms: Any, said: str
) -> None:
    header = None
    if isinstance(terms, dict):
        header = base64.b64encode(json.dumps(terms).encode()).decode()
    server.pages |= x402(header, 200 if terms == "free" else 402)
    found = checked(server)["x402"]
    texts = [found.message, *(each.text or "" for each in found.evidence)]
    assert any(said in text for text in texts), found
    assert ("is not base64" in said) == (found.status == "fail")


CARD = json.dumps(
    {
        "$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        "name": "example.mugs/shop",
        "version": "1.0.0",
        "description": "Sells mugs.",
        "remotes": [
            {"type": "streamable-http", "url": f"{SITE}/mcp"},
            {"type": "streamable-http", "url": "https://other.example/mcp"},
        ],
    }
)


def mcp(version: str = "1.0.0", checks_origin: bool = True, **changes: Any) -> Answer:
    result = {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {},
        "_meta": {
            "io.modelcontextprotocol/serverInfo": {"name": "m", "version": version}
        },
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": result | changes})

    def send(handler: Any) -> None:
        if handler.command != "POST":
            return handler.send(Page(status=405))
        call = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        meta = call["params"]["_meta"]
        assert call["method"] == handler.headers["Mcp-Method"] == "server/discover"
        assert (
            meta["io.modelcontextprotocol/protocolVersion"]
            == handler.headers["MCP-Protocol-Version"]
        )
        assert handler.headers["Content-Type"] == "application/json"
        if checks_origin and handler.headers["Origin"]:
            return handler.send(Page(status=403))
        return handler.send(Page(body, headers={"Content-Type": "application/json"}))

    return send


def posted(status: int, body: str = "", **headers: str) -> Answer:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page(body, status=status, headers=sent)


ERROR = '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}}'
EVENT = 'event: message\ndata: {"id": 1, "result": {"supportedVersions": ["2026-07-28"]}}\n\n'


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        (mcp(), "pass", "answers `server/discover`"),
        (mcp(), "pass", "refuses calls by pages of other sites"),
        (mcp("2.0.0"), "warn", "the server says `2.0.0`"),
        (mcp(checks_origin=False), "warn", "a page of another site"),
        (mcp(supportedVersions=[]), "fail", "supportedVersions"),
        (posted(200, EVENT, Content_Type="text/event-stream"), "warn", "answers"),
        (posted(404), "fail", "the server answers with status 404"),
        (posted(200, HOME, **HTML), "fail", "an HTML page answers"),
        (posted(404, ERROR), "unknown", "as servers of earlier versions do"),
        (posted(400, ERROR), "unknown", "as servers of earlier versions do"),
        (posted(405), "unknown", "does not answer as a server of this version"),
        (posted(503), "unknown", "the server refuses this program, or fails"),
        (posted(401), "unknown", "it needs a login"),
        (
            posted(
                401, WWW_Authenticate='Bearer resource_metadata="https://x.example/"'
            ),
            "pass",
            "names the metadata for it",
        ),
    ],
)
def test_servers_of_mcp_are_called_if_that_is_wanted(
    server: Server, answer: Answer, status: str, said: str
) -> None:
    server.pages["/.well-known/mcp/server-card.json"] = Page(
        CARD, headers={"Content-Type": "application/json", **OPEN}
    )
    server.pages["/mcp"] = answer
    assert checked(server)["mcp-server"].status == "unknown"
    assert ("127.0.0.1", "/mcp") not in server.asked
    found = checked(server, call_mcp=True)["mcp-server"]
    assert found.status == status, found
    texts = [found.message, *(each.text or "" for each in found.evidence)]
    assert any(said in text for text in texts), found
    # Servers on other hosts are not called.
    assert {host for host, _ in server.asked} == {"127.0.0.1"}


def test_a_document_that_is_too_long_is_not_accused(server: Server) -> None:
    server.pages["/openapi.json"] = Page('{"openapi": "3.1.0", "x": "' + "a" * 9000)
    report = checked(server, limits=agentsdisc.Limits(document=4096))
    assert report["openapi"].status == "unknown"
    assert "longer" in report["openapi"].message


def test_a_site_that_negotiates_markdown_must_tell_caches(server: Server) -> None:
    def answer(vary: bool) -> Answer:
        def send(handler: Any) -> None:
            accept = handler.headers.get("Accept", "")
            is_markdown = accept.startswith("text/markdown")
            kind = (
                "text/markdown; charset=utf-8"
                if is_markdown
                else "text/html; charset=utf-8"
            )
            more = {"Vary": "Accept"} if vary else {}
            body = "# Mugs\n\nAll of them.\n" if is_markdown else HOME
            handler.send(Page(body, headers={"Content-Type": kind, **more}))

        return send

    server.pages["/"] = answer(True)
    found = checked(server)
    assert (found["markdown-negotiation"].status, found["vary"].status) == (
        "pass",
        "pass",
    )
    server.pages["/"] = answer(False)
    found = checked(server)
    assert (found["markdown-negotiation"].status, found["vary"].status) == (
        "pass",
        "warn",
    )


def test_an_application_that_answers_everything_is_not_ready(server: Server) -> None:
    server.routes["/"] = Page(HOME, headers=HTML)
    report = checked(server)
    assert report["honest-404"].status == "fail"
    assert report.level == 0
    # Its page is no document: nothing else is accused.
    for id in ("oauth-server", "mcp-card", "a2a-card", "ucp", "openapi"):
        assert report[id].status == "not-applicable", report[id]


def test_robots_txt_decides_about_pages(server: Server) -> None:
    server.pages["/robots.txt"] = Page("User-agent: agentsdisc\nDisallow: /\n")
    report = checked(server)
    assert report["reachable"].status == "unknown"
    assert "robots.txt" in report["reachable"].message
    assert ("127.0.0.1", "/") not in server.asked
    assert report["agents-documents"].status == "pass"


def test_a_server_that_fails_everywhere_is_not_accused_of_documents(
    server: Server,
) -> None:
    server.pages, server.routes = {}, {"/": Page(status=503)}
    report = checked(server)
    assert {c.id for c in report.checks if c.status == "fail"} <= {
        "robots-txt",
        "reachable",
    }


def test_a_site_at_another_name_of_its_own_is_checked_there() -> None:
    from agentsdisc.readiness.site import _moved
    from agentsdisc.readiness.survey import Answer as Given
    from agentsdisc.readiness.survey import Probe

    def moved(origin: str, location: str) -> str | None:
        probe = Probe(f"{origin}/", "GET", "*/*", None)
        return _moved(origin, [Given(probe, 301, [(b"location", location.encode())])])

    assert moved("http://a.example", "https://a.example/") == "https://a.example"
    assert moved("https://a.example", "https://www.a.example/x") == (
        "https://www.a.example"
    )
    assert moved("https://a.example", "/de/") is None
    assert moved("https://a.example", "https://b.example/") is None
    assert moved("https://a.example", "http://www.a.example/") is None


def test_a_hostile_site_gets_no_more_requests_than_others(server: Server) -> None:
    for number in range(100):
        server.pages[f"/r{number}"] = to(f"/r{number + 1}")
    links = "".join(f"- [A](/r{number}): x\n" for number in range(100))
    server.pages["/llms.txt"] = Page(f"# A\n\n{links}")
    server.pages["/.well-known/api-catalog"] = to("/r1")
    server.pages["/openapi.json"] = to("/openapi.json?a")
    server.routes["/openapi.json?"] = to("/openapi.json")
    report = checked(server)
    assert len(server.asked) <= 60
    assert report["redirects"].status == "fail"
    assert report["agents-documents"].status == "pass"


def test_nothing_is_sent_to_other_hosts_and_slow_servers_end(server: Server) -> None:
    from agentsdisc.discovery import Timeouts

    server.pages["/llms.txt"] = drip
    report = checked(server, timeouts=Timeouts(request=0.5, total=20))
    assert report["llms-txt"].status == "unknown"
    assert report["reachable"].status == "pass"


def test_a_site_that_does_not_answer_is_not_checked() -> None:
    with pytest.raises(OSError, match=r"127\.0\.0\.1"):
        check_site("http://127.0.0.1:9", allow_private=True)


def write(folder: Path, files: dict[str, str]) -> Path:
    for path, body in files.items():
        place = folder / path.removeprefix("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body.encode())
    return folder


def build(folder: Path, **more: str) -> Path:
    """Writes the files of the site that is ready."""
    pages = {"/": "/index.html", "/mugs": "/mugs.html"}
    files = {pages.get(path, path): body for path, (body, _) in FILES.items()}
    return write(folder, files | more)


HOSTS = {
    "_headers": "/.well-known/api-catalog\n  Content-Type: application/linkset+json\n/.well-known/*\n  Access-Control-Allow-Origin: *\n"
    "  Access-Control-Allow-Methods: GET, OPTIONS\n  Cache-Control: max-age=300\n",
    "netlify.toml": '[[headers]]\nfor = "/.well-known/api-catalog"\n[headers.values]\nContent-Type = "application/linkset+json"\n'
    '[[headers]]\nfor = "/.well-known/*"\n[headers.values]\nAccess-Control-Allow-Origin = "*"\n'
    'Access-Control-Allow-Methods = "GET, OPTIONS"\nCache-Control = "max-age=300"\n',
    "vercel.json": json.dumps(
        {
            "headers": [
                {
                    "source": "/.well-known/api-catalog",
                    "headers": [
                        {"key": "Content-Type", "value": "application/linkset+json"}
                    ],
                },
                {
                    "source": "/.well-known/(.*)",
                    "headers": [
                        {"key": "Access-Control-Allow-Origin", "value": "*"},
                        {
                            "key": "Access-Control-Allow-Methods",
                            "value": "GET, OPTIONS",
                        },
                        {"key": "Cache-Control", "value": "max-age=300"},
                    ],
                },
            ]
        }
    ),
    ".htaccess": '<Files "api-catalog">\nForceType application/linkset+json\n</Files>\n<IfModule mod_headers.c>\n'
    'Header set Access-Control-Allow-Origin "*"\nHeader set Access-Control-Allow-Methods "GET, OPTIONS"\n'
    'Header set Cache-Control "max-age=300"\n</IfModule>\n',
    "staticwebapp.config.json": json.dumps(
        {
            "globalHeaders": {
                "Access-Control-Allow-Origin": "*",
                "Access-Control-Allow-Methods": "GET, OPTIONS",
                "Cache-Control": "max-age=300",
            },
            "routes": [
                {
                    "route": "/.well-known/api-catalog",
                    "headers": {"Content-Type": "application/linkset+json"},
                }
            ],
        }
    ),
}


@pytest.mark.parametrize("name", HOSTS)
def test_a_folder_has_the_headers_of_its_host(tmp_path: Path, name: str) -> None:
    build(tmp_path)
    assert check_site(tmp_path)["served-as"].status == "unknown"
    write(tmp_path, {name: HOSTS[name]})
    report = check_site(str(tmp_path))
    bad = [
        (c.id, c.message, c.evidence)
        for c in report.checks
        if c.status in {"fail", "warn"}
    ]
    assert bad == []
    assert report["served-as"].status == "pass"
    write(
        tmp_path,
        {name: HOSTS[name].replace("application/linkset+json", "application/json")},
    )
    served = check_site(tmp_path)["served-as"]
    assert served.status == "fail"
    # The place in the file of the host is evidence, too.
    assert [(e.file, e.header) for e in served.evidence if e.header] == [
        (".well-known/api-catalog", "Content-Type: application/json")
    ]


FALLBACKS = {
    "_redirects": "/* /index.html 200\n",
    "netlify.toml": '[[redirects]]\nfrom = "/*"\nto = "/index.html"\nstatus = 200\n',
    "vercel.json": '{"rewrites": [{"source": "/(.*)", "destination": "/index.html"}]}',
    ".htaccess": "FallbackResource /index.html\n",
    "staticwebapp.config.json": '{"navigationFallback": {"rewrite": "/index.html"}}',
}


@pytest.mark.parametrize("name", FALLBACKS)
def test_a_fallback_for_everything_is_found_in_a_folder(
    tmp_path: Path, name: str
) -> None:
    build(tmp_path)
    assert check_site(tmp_path)["honest-404"].status == "unknown"
    write(tmp_path, {"_headers": HOSTS["_headers"]})
    assert check_site(tmp_path)["honest-404"].status == "pass"
    write(tmp_path, {name: FALLBACKS[name]})
    report = check_site(tmp_path)
    assert report["honest-404"].status == "fail"
    assert report["api-catalog"].status == "pass"


def test_azure_spares_paths_from_its_fallback(tmp_path: Path) -> None:
    fallback = {
        "rewrite": "/index.html",
        "exclude": ["/.well-known/*", "/agentsdisc-*"],
    }
    build(
        tmp_path,
        **{"staticwebapp.config.json": json.dumps({"navigationFallback": fallback})},
    )
    assert check_site(tmp_path)["honest-404"].status == "pass"


def test_a_folder_names_files_and_lines(tmp_path: Path) -> None:
    build(tmp_path, **{"mugs.html": ""})
    (tmp_path / "mugs.html").unlink()
    llms = check_site(tmp_path)["llms-txt"]
    assert (llms.status, llms.evidence[0].file, llms.evidence[0].line) == (
        "fail",
        "llms.txt",
        7,
    )
    assert llms.evidence[0].url is None


def test_files_outside_of_the_folder_are_not_read(tmp_path: Path) -> None:
    site = build(tmp_path / "site")
    write(tmp_path, {"secret.txt": "x"})
    (site / "secret.txt").symlink_to(tmp_path / "secret.txt")
    write(
        site, {"llms.txt": "# Mugs\n\n- [A](/secret.txt)\n- [B](/%2e%2e/secret.txt)\n"}
    )
    assert check_site(site)["llms-txt"].status == "fail"


def test_a_folder_of_2000_files_takes_less_than_a_second(tmp_path: Path) -> None:
    import time

    build(tmp_path, **{f"/p/{number}.html": HOME for number in range(2000)})
    begin = time.process_time()
    check_site(tmp_path)
    assert time.process_time() - begin < 5


def test_what_is_expected_must_be_there(tmp_path: Path) -> None:
    build(tmp_path)
    assert check_site(tmp_path, expect=["mcp"])["mcp-card"].status == "fail"
    assert check_site(tmp_path, expect=["api"])["api-catalog"].status == "pass"
    assert (
        check_site(tmp_path, profile="content")["api-catalog"].status
        == "not-applicable"
    )
    for wrong in ({"expect": ["x"]}, {"profile": "x"}, {"canonical_origin": "ftp://x"}):
        with pytest.raises(ValueError):
            check_site(tmp_path, **wrong)  # type: ignore[arg-type]


def test_the_report_is_json(tmp_path: Path) -> None:
    report = check_site(build(tmp_path))
    values = json.loads(report.to_json())
    assert list(values) == ["rules", "target", "level", "level_name", "score", "checks"]
    assert set(values["checks"][0]) == {
        "id",
        "status",
        "message",
        "evidence",
        "fix",
        "predicted",
    }
    assert set(values["checks"][0]["evidence"][0]) == {
        "url",
        "file",
        "line",
        "status",
        "header",
        "text",
    }
    assert Report.from_json(report.to_json()) == report
    assert report.rules == agentsdisc._agentsdisc._RULES
    for wrong in ("[]", "{}", "null", '{"rules": 1}'):
        with pytest.raises(ValueError):
            Report.from_json(wrong)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(build(tmp_path / "site"))
    assert main(["check", folder]) == 0
    assert "level 4 (Discoverable)" in capsys.readouterr().out
    (tmp_path / "site/mugs.html").unlink()
    assert main(["check", folder, "--output-format", "json"]) == 1
    before = tmp_path / "before.json"
    before.write_text(capsys.readouterr().out)
    assert main(["check", folder, "--baseline", str(before)]) == 0
    assert main(["check", folder, "--fail-on", "never"]) == 0
    assert (
        main(["check", folder, "--expect", "mcp,shop", "--baseline", str(before)]) == 1
    )
    before.write_text("{}")
    assert main(["check", folder, "--baseline", str(before)]) == 2
    assert main(["check", str(tmp_path / "none")]) == 2
    assert main(["check", "http://127.0.0.1:9"]) == 2


def test_an_invalid_url_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "http://[::1"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("agentsdisc: ")


def test_the_command_asks_a_server_on_this_machine(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", server.url, "--canonical-origin", SITE]) == 0
    assert "score" in capsys.readouterr().out
