"""The documents of a site that serves them correctly, and a change of it for every remark."""

from collections.abc import Callable

from server import HTML, Answer, Page, drip, endless, silence, to

TXT = """\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: {site}
Site-Description: All of them
Capability: search
  Endpoint: {site}/s
  Protocol: REST
  Rate-Limit: 5/minute
Disallow: /admin
Agent: Bot
  Capabilities: search
"""
MD = "---\nversion: 1.0\n---\n# Mugs\n\n## Can\n\n- Read\n"
AWP = '{"awp_version": "0.2", "domain": "shop.example", "intent": "x", "actions": []}'
ADP = '{"spec_version": "1.0", "name": "A", "description": "Sells mugs of every kind", "base_url": "{site}", "auth": {"type": "none"}, "capabilities": []}'

OPEN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, OPTIONS",
}
PLAIN = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "max-age=300",
    **OPEN,
}
DATA = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "max-age=300",
    **OPEN,
}
WORDS = {
    "Content-Type": "text/markdown; charset=utf-8",
    "Cache-Control": "public, max-age=86400",
}


def robots(text: str) -> Page:
    return Page(text, headers={"Content-Type": "text/plain"})


WELL, ROOT_TXT, COMPANION = (
    "/.well-known/agents.txt",
    "/agents.txt",
    "/.well-known/agents.json",
)


def without(name: str) -> Callable[[Page], Page]:
    return lambda page: Page(
        page.body, headers={n: v for n, v in page.headers.items() if n != name}
    )


def having(name: str, value: str) -> Callable[[Page], Page]:
    return lambda page: Page(page.body, headers={**page.headers, name: value})


Change = Callable[[Page], Answer] | Answer | None

BAD: list[tuple[str, str, str, Change]] = [
    # code, severity, path, change of the page
    ("missing-content-type", "error", WELL, without("Content-Type")),
    ("missing-content-type", "error", COMPANION, without("Content-Type")),
    ("missing-content-type", "warning", "/agents.md", without("Content-Type")),
    (
        "wrong-content-type",
        "error",
        WELL,
        having("Content-Type", "text/html; charset=utf-8"),
    ),
    ("wrong-content-type", "warning", WELL, having("Content-Type", "text/plain")),
    (
        "wrong-content-type",
        "error",
        WELL,
        having("Content-Type", "application/octet-stream"),
    ),
    (
        "wrong-content-type",
        "error",
        WELL,
        having("Content-Type", "text/plain; charset=latin-1"),
    ),
    (
        "wrong-content-type",
        "error",
        COMPANION,
        having("Content-Type", "text/plain; charset=utf-8"),
    ),
    (
        "wrong-content-type",
        "warning",
        "/.well-known/agents.md",
        having("Content-Type", "application/x-a"),
    ),
    (
        "wrong-content-type",
        "error",
        "/agent.json",
        having("Content-Type", "text/plain"),
    ),
    (
        "wrong-content-type",
        "error",
        "/.well-known/agent",
        having("Content-Type", "text/plain"),
    ),
    ("missing-cache-control", "warning", WELL, without("Cache-Control")),
    ("missing-cache-control", "warning", "/agents.md", without("Cache-Control")),
    ("missing-cache-control", "info", "/.well-known/agent", without("Cache-Control")),
    ("invalid-cache-control", "warning", WELL, having("Cache-Control", "max-age=soon")),
    (
        "invalid-cache-control",
        "warning",
        WELL,
        having("Cache-Control", "max-age=60, max-age=300"),
    ),
    ("invalid-cache-control", "warning", WELL, having("Cache-Control", "public")),
    ("unsuitable-cache-time", "warning", WELL, having("Cache-Control", "no-store")),
    (
        "unsuitable-cache-time",
        "warning",
        "/agent.json",
        having("Cache-Control", "max-age=0"),
    ),
    (
        "unsuitable-cache-time",
        "warning",
        WELL,
        having("Cache-Control", "max-age=31536000"),
    ),
    (
        "unsuitable-cache-time",
        "warning",
        WELL,
        having("Cache-Control", "max-age=" + "9" * 5000),
    ),
    ("missing-cors", "warning", COMPANION, without("Access-Control-Allow-Origin")),
    (
        "missing-cors",
        "warning",
        COMPANION,
        having("Access-Control-Allow-Origin", "https://shop.example"),
    ),
    (
        "missing-cors",
        "info",
        "/.well-known/agent",
        without("Access-Control-Allow-Origin"),
    ),
    (
        "missing-cors-methods",
        "info",
        COMPANION,
        having("Access-Control-Allow-Methods", "POST"),
    ),
    ("redirected", "info", ROOT_TXT, to(WELL)),
    ("redirected", "warning", COMPANION, to("{cdn}/a.json")),
    ("redirected-away", "error", COMPANION, to("{evil}/a.json")),
    ("redirected-away", "error", COMPANION, to("http://shop.example/a.json")),
    ("redirected-away", "error", COMPANION, to(COMPANION)),
    (
        "redirected-away",
        "error",
        COMPANION,
        to("https://shop.example@evil.test/a.json"),
    ),
    ("redirected-away", "error", COMPANION, to("http://[::1/a.json")),
    ("redirected-away", "error", COMPANION, to("//evil.test\\@shop.example/")),
    ("refused", "error", COMPANION, Page(status=403)),
    ("refused", "error", COMPANION, Page(status=500)),
    ("refused", "error", COMPANION, silence),
    ("refused", "error", COMPANION, drip),
    ("unreadable", "error", COMPANION, endless),
    (
        "unreadable",
        "error",
        COMPANION,
        Page('{"specVersion": "1.0", oops}', headers=DATA),
    ),
    (
        "soft-404",
        "warning",
        COMPANION,
        Page(HTML, headers={"Content-Type": "text/html"}),
    ),
    ("not-recognised", "warning", "/agents.md", Page("Some words\n", headers=WORDS)),
    ("wrong-location", "error", WELL, None),
    ("wrong-location", "warning", "/.well-known/agents.md", None),
    (
        "locations-differ",
        "warning",
        ROOT_TXT,
        lambda page: (
            Page(bytes(page.body) + b"\n", headers=page.headers)
            if isinstance(page.body, bytes)
            else Page(page.body + "\n", headers=page.headers)
        ),
    ),
    ("missing-root-copy", "info", ROOT_TXT, None),
    ("missing-root-copy", "info", "/agents.md", None),
    (
        "blocked-by-robots",
        "error",
        "/robots.txt",
        robots("User-agent: *\nDisallow: /.well-known/agents.json\n"),
    ),
    ("wrong-content-type", "error", "/robots.txt", having("Content-Type", "text/html")),
    (
        "dead-link",
        "warning",
        "/robots.txt",
        robots("User-agent: *\nAgentmap: /gone.json\n"),
    ),
    ("robots-unavailable", "error", "/robots.txt", Page(status=503)),
]
