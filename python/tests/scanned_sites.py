"""Sites of which it is known what each scanner says: parts that are put together, each with the answers and the results that follow from it."""

import base64
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from agentsdisc.readiness import Check, Report, Score
from agentsdisc.readiness.survey import Answer, Probe

ORIGIN = "https://mugs.example"
C, L, D, R, S, K, X = (
    *("isitagentready", "lighthouse", "afdocs", "agent-ready-dev"),
    *("agentready", "canagentuse", "x402"),
)
P, F, W, N, U = "pass", "fail", "warn", "not-applicable", "unknown"


@dataclass
class Part:
    """A part of a site."""

    answers: list[Answer]
    said: dict[tuple[str, str], str]
    here: dict[str, str] = field(default_factory=dict)


def at(
    path: str, body: Any = b"", kind: str = "", status: int = 200, **more: Any
) -> Answer:
    if isinstance(body, dict):
        body = json.dumps(body)
        kind = kind or "application/json"
    headers = [("Content-Type", kind)] if kind else []
    headers += more.pop("headers", [])
    probe = Probe(ORIGIN + path, "GET", more.pop("accept", ""), None)
    sent = [(name.encode(), value.encode()) for name, value in headers]
    data = body.encode() if isinstance(body, str) else body
    return Answer(probe, status, sent, data, **more)


def missing(path: str, **more: Any) -> Answer:
    return at(path, "<!doctype html><title>404</title>", "text/html", 404, **more)


def fallback(path: str, **more: Any) -> Answer:
    """The page that applications in a browser send for every path."""
    return at(path, "<!DOCTYPE html>\n<html><body></body></html>", "text/html", **more)


PLAIN = "text/plain; charset=utf-8"
SITEMAP = f'<?xml version="1.0"?><urlset><url><loc>{ORIGIN}/</loc></url></urlset>'
GUESSES = [
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/sitemap_index.xml",
    "/sitemap.xml",
]


def robots() -> list[Part]:
    def says(*statuses: str) -> dict[tuple[str, str], str]:
        names = [(C, "robotsTxt"), (C, "robotsTxtAiRules"), (C, "contentSignals")]
        names += [(L, "seo/robots-txt"), (R, "robots.txt exists"), (K, "licence")]
        return dict(zip(names, statuses, strict=True))

    path, star = "/robots.txt", "User-agent: *\nAllow: /\n"
    return [
        Part([missing(path)], says(F, F, F, N, F, N), {"robots-txt": N}),
        Part([at(path, "x", PLAIN, 503)], says(F, F, F, F, F, N)),
        Part([at(path, star, PLAIN)], says(P, F, F, P, P, N)),
        Part([at(path, star, "application/octet-stream")], says(F, F, F, P, P, N)),
        Part([at(path, "Disallow: /x\n", PLAIN)], says(F, F, F, P, P, N)),
        Part(
            [at(path, f"{star}# User-agent: GPTBot\n#Content-Signal: x\n", PLAIN)],
            says(P, F, F, P, P, N),
        ),
        Part(
            [at(path, "User-agent:  gptbot # x\r\nDisallow:\r\n", PLAIN)],
            says(P, P, F, P, P, N),
        ),
        Part(
            [at(path, "user-agent: *\ncontent-signal: ai-train=no\n", "text/plain")],
            says(P, F, P, P, P, N),
        ),
        Part(
            [
                at(
                    path,
                    f"{star}User-agent: ClaudeBot\nContent-Signal: search=yes\n",
                    PLAIN,
                )
            ],
            says(P, P, P, P, P, N),
            {"content-signals": W},
        ),
        Part(
            [at(path, f"{star}Content-Usage: train-ai=n\n", PLAIN)],
            says(P, F, F, F, P, N),
            {"content-usage": P},
        ),
        Part(
            [at(path, f"{star}License: {ORIGIN}/rsl.xml\n", PLAIN)],
            says(P, F, F, F, P, P),
            {"licence": P},
        ),
        Part(
            [at(path, f"{star}License: /rsl.xml\n", PLAIN)],
            says(P, F, F, F, P, F),
            {"licence": F},
        ),
        Part(
            [at(path, "User-agent: GPTBotX\nAllow: /\n", PLAIN)], says(P, F, F, P, P, N)
        ),
    ]


def sitemap() -> list[Part]:
    def says(*statuses: str) -> dict[tuple[str, str], str]:
        names = [(C, "sitemap"), (R, "sitemap valid"), (R, "sitemap lastmod")]
        return dict(zip(names, statuses, strict=True))

    rest = [missing(path) for path in GUESSES]
    dated = SITEMAP.replace("</loc>", "</loc><lastmod>2026-01-01</lastmod>")
    index = "<sitemapindex><sitemap><loc>x</loc></sitemap></sitemapindex>"
    return [
        Part(rest, says(F, F, F)),
        Part([*rest[:3], at(GUESSES[3], SITEMAP, "text/xml")], says(P, P, F)),
        Part([*rest[:3], at(GUESSES[3], dated, "application/xml")], says(P, P, P)),
        Part([*rest[:3], fallback(GUESSES[3])], says(F, F, F)),
        Part([at(GUESSES[0], index, "text/xml"), *rest[1:]], says(P, F, F)),
    ]


def home() -> list[Part]:
    def part(
        accept: str,
        page: str,
        headers: list[tuple[str, str]],
        markdown: Answer,
        **said: str,
    ) -> Part:
        names = {
            "link": (C, "linkHeaders"),
            "negotiated": (C, "markdownNegotiation"),
            "d": (D, "content-negotiation"),
            "fence": (D, "markdown-code-fence-validity"),
            "r": (R, "negotiation"),
            "canonical": (R, "canonical"),
            "lang": (R, "lang"),
            "ld": (S, "AR-READ-08"),
            "alternate": (S, "AR-READ-09"),
            "directive": (D, "llms-txt-directive-html"),
        }
        html = at("/", page, "text/html", headers=headers, accept=accept)
        return Part([html, markdown], {names[name]: s for name, s in said.items()})

    browser = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
    bare = "<!doctype html><title>Mugs</title><p>Mugs"
    full = (
        '<!doctype html><html lang="en"><link rel="canonical" href="/"><link rel=alternate type="text/markdown" href="/index.md">'
        '<script type="application/ld+json">{}</script><a href="/llms.txt">x</a>'
    )
    ignored = at("/", bare, "text/html", accept="text/markdown")
    refused = at("/", "", status=406, accept="text/markdown")
    wrong = at("/", "# Mugs", "text/plain", accept="text/markdown")
    right = at(
        "/",
        "# Mugs\n```\nx\n```\n",
        "text/markdown; charset=utf-8",
        accept="text/markdown",
    )
    open = at("/", "# Mugs\n```\nx\n", "text/markdown", accept="text/markdown")
    plain = {"canonical": F, "lang": F, "ld": W, "alternate": N, "directive": F}
    rich = {"canonical": P, "lang": P, "ld": P, "alternate": P, "directive": P}
    catalog = '</.well-known/api-catalog>; rel="api-catalog"'
    return [
        part(
            browser, bare, [], ignored, link=F, negotiated=F, d=F, r=F, fence=N, **plain
        ),
        part(
            *(browser, full, [("Link", "</a.css>; rel=preload")], refused),
            link=F,
            negotiated=F,
            d=F,
            r=F,
            fence=N,
            **rich,
        ),
        part(
            *("", full, [("link", catalog)], wrong),
            link=P,
            negotiated=F,
            d=W,
            r=F,
            fence=N,
            **rich,
        ),
        part(
            *(
                browser,
                bare,
                [("Link", "</x>; rel=preconnect"), ("Link", catalog)],
                right,
            ),
            link=P,
            negotiated=P,
            d=P,
            r=P,
            fence=P,
            **plain,
        ),
        part(
            *(browser, full, [("Link", "</openapi.json>; rel=service-desc")], open),
            link=P,
            negotiated=P,
            d=P,
            r=P,
            fence=F,
            **rich,
        ),
    ]


def llms() -> list[Part]:
    def says(*statuses: str) -> dict[tuple[str, str], str]:
        names = [(L, "llms-txt"), (D, "llms-txt-exists"), (D, "llms-txt-valid")]
        names += [(D, "llms-txt-size"), (R, "llms.txt exists")]
        names += [(R, "llms.txt Content-Type"), (R, "one H1"), (S, "AR-READ-07")]
        return dict(zip(names, statuses, strict=True))

    path, docs = "/llms.txt", missing("/docs/llms.txt")
    good = "# Mugs\n\n> A shop for mugs.\n\n## Pages\n\n- [Prices](/prices.md): all prices\n"
    html = "<!doctype html># x [a](b) <p>" + "x" * 50
    return [
        Part([missing(path), docs], says(N, F, N, N, F, F, F, W)),
        Part([at(path, "", "text/html", 403), docs], says(N, F, N, N, F, F, F, W)),
        Part([at(path, "", "text/html", 500), docs], says(F, F, N, N, F, F, F, W)),
        Part([at(path, good, PLAIN), docs], says(P, P, P, P, P, P, P, P)),
        Part([at(path, good, "text/markdown"), docs], says(P, P, P, P, P, F, P, P)),
        Part(
            [at(path, "# Mugs\n[a](/b)\n", PLAIN), docs], says(F, P, W, P, P, P, P, P)
        ),
        Part([at(path, "text " * 20, PLAIN), docs], says(F, P, F, P, P, P, F, P)),
        Part([at(path, html, "text/html"), docs], says(F, F, W, P, P, F, F, W)),
        Part([at(path, good + "x" * 60000, PLAIN), docs], says(P, P, P, W, P, P, P, P)),
        Part(
            [at(path, good + "x" * 120000, PLAIN), docs], says(P, P, P, F, P, P, P, P)
        ),
        Part([at(path, good + "# Other\n", PLAIN), docs], says(P, P, P, P, P, P, F, P)),
    ]


def api() -> list[Part]:
    path, linkset = "/.well-known/api-catalog", "application/linkset+json"

    def says(c: str, r: str) -> dict[tuple[str, str], str]:
        return {(C, "apiCatalog"): c, (R, "api-catalog"): r}

    full = {
        "linkset": [{"anchor": ORIGIN, "service-desc": [{"href": "/openapi.json"}]}]
    }
    return [
        Part([missing(path)], says(F, N), {"api-catalog": N}),
        Part([fallback(path)], says(F, F), {"api-catalog": F}),
        Part([at(path, full)], says(F, P), {"api-catalog": F}),
        Part([at(path, {"linkset": []}, linkset)], says(F, F)),
        Part([at(path, full, f"{linkset}; profile=x")], says(P, P)),
        Part([at(path, "[1]", linkset)], says(F, F)),
    ]


def oauth() -> list[Part]:
    places = [
        "/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server",
    ]
    resource = "/.well-known/oauth-protected-resource"

    def says(*statuses: str) -> dict[tuple[str, str], str]:
        names = [(C, "oauthDiscovery"), (C, "oauthProtectedResource"), (C, "authMd")]
        return dict(zip(names, statuses, strict=True))

    server = {
        "issuer": ORIGIN,
        "authorization_endpoint": f"{ORIGIN}/a",
        "token_endpoint": f"{ORIGIN}/t",
        "jwks_uri": f"{ORIGIN}/k",
    }
    agents = {
        "agent_auth": {
            "skill": f"{ORIGIN}/s",
            "register_uri": f"{ORIGIN}/r",
            "claim_uri": f"{ORIGIN}/c",
            "identity_types_supported": ["anonymous"],
        }
    }
    held = {"resource": f"{ORIGIN}/api", "authorization_servers": [ORIGIN]}
    full = held | {"scopes_supported": ["read"], "bearer_methods_supported": ["header"]}
    machines = {name: server[name] for name in ("issuer", "token_endpoint")}
    no = missing("/auth.md")
    md = at("/auth.md", "# auth.md", "text/markdown")
    none = [missing(place) for place in places]
    return [
        Part([*none, missing(resource), no], says(F, F, F), {"oauth-server": N}),
        Part([none[0], at(places[1], server), at(resource, held), no], says(P, P, F)),
        Part([at(places[0], server), none[1], at(resource, full), md], says(P, P, F)),
        Part(
            [none[0], at(places[1], server | agents), at(resource, full), md],
            says(P, P, P),
        ),
        Part(
            [
                none[0],
                at(places[1], server | agents),
                at(resource, full | {"scopes_supported": []}),
                md,
            ],
            says(P, P, F),
        ),
        Part(
            [none[0], at(places[1], machines), at(resource, held), no],
            says(F, P, F),
            {"oauth-server": P},
        ),
        Part(
            [*none, at(resource, held | {"resource": "https://api.example"}), no],
            says(F, F, F),
        ),
        Part([*none, at(resource, {"resource": f"{ORIGIN}:443/x"}), md], says(F, F, F)),
        Part(
            [fallback(places[0]), none[1], fallback(resource), fallback("/auth.md")],
            says(F, F, F),
        ),
    ]


def mcp() -> list[Part]:
    paths = [
        "/.well-known/mcp/server-card.json",
        "/.well-known/mcp/server-cards.json",
        "/.well-known/mcp.json",
    ]

    def says(c: str, r: str) -> dict[tuple[str, str], str]:
        return {(C, "mcpServerCard"): c, (R, "MCP card"): r}

    none = [missing(path) for path in paths]
    old = {
        "serverInfo": {"name": "x"},
        "transport": {"type": "http", "endpoint": "/mcp"},
    }
    new = {"name": "com.example/x", "version": "1", "description": "x", "remotes": []}
    return [
        Part(none, says(F, N), {"mcp-card": N}),
        Part([at(paths[0], old), *none[1:]], says(P, N)),
        Part([at(paths[0], new), *none[1:]], says(F, N), {"mcp-card": P}),
        Part([*none[:2], at(paths[2], old)], says(P, F)),
        Part([*none[:2], at(paths[2], new)], says(F, P)),
        Part([at(paths[0], {"serverInfo": {"name": "x"}}), *none[1:]], says(F, N)),
        Part([*map(fallback, paths)], says(F, F), {"mcp-card": F}),
    ]


def agents() -> list[Part]:
    path = "/.well-known/agent-card.json"

    def says(c: str, r: str) -> dict[tuple[str, str], str]:
        return {(C, "a2aAgentCard"): c, (R, "A2A card"): r}

    card = {"name": "x", "version": "1", "skills": [{"id": "a"}]}
    new = card | {"supportedInterfaces": [{"url": ORIGIN}]}
    ap2 = new | {
        "capabilities": {
            "extensions": [{"uri": "https://github.com/google-agentic-commerce/ap2/v1"}]
        }
    }
    return [
        Part([missing(path)], says(F, N) | {(C, "ap2"): N}, {"a2a-card": N}),
        Part([at(path, new)], says(P, P) | {(C, "ap2"): N}),
        Part(
            [at(path, card | {"url": ORIGIN})],
            says(F, P) | {(C, "ap2"): N},
            {"a2a-card": P},
        ),
        Part([at(path, ap2)], says(P, P) | {(C, "ap2"): P}),
        Part([fallback(path)], says(F, F) | {(C, "ap2"): N}),
    ]


def skills() -> list[Part]:
    path, name = "/.well-known/agent-skills/index.json", (C, "agentSkills")
    schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
    skill = {
        "name": "a",
        "type": "skill-md",
        "description": "x",
        "url": "/a",
        "digest": "sha256:0",
    }
    index = {"$schema": schema, "skills": [skill]}
    return [
        Part([missing(path)], {name: F}, {"skills-index": N}),
        Part([at(path, index)], {name: P}, {"skills-index": F}),
        Part([at(path, index | {"$schema": "https://x.example/0.1.0"})], {name: F}),
        Part(
            [at(path, index | {"skills": [skill, skill | {"digest": ""}]})], {name: F}
        ),
        Part([at(path, index | {"skills": []})], {name: F}),
        Part([fallback(path)], {name: F}),
    ]


def catalog() -> list[Part]:
    path, new = "/.well-known/ai-catalog.json", "/.well-known/ard.json"

    def says(c: str, l: str, s: str) -> dict[tuple[str, str], str]:  # noqa: E741
        return {(C, "ard"): c, (L, "ard-schema"): l, (S, "AR-FIND-04"): s}

    entry = {
        "identifier": "urn:air:mugs.example:a",
        "displayName": "A",
        "type": "application/json",
        "url": ORIGIN,
    }
    full = {"specVersion": "0.9", "entries": [entry]}
    cors = [("Access-Control-Allow-Origin", "*")]
    poor = {"specVersion": "0.9", "entries": [entry, {"identifier": "urn:air:x"}]}
    return [
        Part([missing(path), missing(new)], says(F, N, N), {"ai-catalog": N}),
        Part([at(path, full, headers=cors), missing(new)], says(P, P, P)),
        Part([at(path, full), missing(new)], says(F, P, P)),
        Part(
            [missing(path), at(new, full, headers=cors)],
            says(F, N, P),
            {"ai-catalog": P},
        ),
        Part([at(path, poor, headers=cors), missing(new)], says(P, F, P)),
        Part([at(path, {"x": 1}, headers=cors), missing(new)], says(P, F, W)),
        Part([fallback(path, headers=cors), missing(new)], says(F, F, W)),
        Part(
            [at(path, full, "application/ai-catalog+json", headers=cors), missing(new)],
            says(F, P, P),
            {"ai-catalog": P},
        ),
    ]


def keys() -> list[Part]:
    path = "/.well-known/http-message-signatures-directory"

    def says(c: str, r: str) -> dict[tuple[str, str], str]:
        return {(C, "webBotAuth"): c, (R, "Web Bot Auth"): r}

    return [
        Part([missing(path)], says(N, N)),
        Part([at(path, {"keys": [{"kty": "OKP"}]})], says(P, P)),
        Part([at(path, {"keys": []})], says(F, F)),
        Part([fallback(path)], says(N, F)),
    ]


def shop() -> list[Part]:
    ucp, acp, openapi = "/.well-known/ucp", "/.well-known/acp.json", "/openapi.json"

    def says(*statuses: str) -> dict[tuple[str, str], str]:
        names = [
            (C, "ucp"),
            (R, "UCP"),
            (C, "acp"),
            (C, "mpp"),
            (R, "OpenAPI at the root"),
        ]
        return dict(zip(names, statuses, strict=True))

    old = {"protocol_version": "2026-01-11", "endpoints": {"checkout": "/x"}}
    new = {
        "ucp": {"version": "2026-01-11", "services": {"a": [{}]}, "capabilities": {}}
    }
    good = {
        "protocol": {"name": "acp", "version": "1"},
        "api_base_url": ORIGIN,
        "transports": ["rest"],
        "capabilities": {"services": ["checkout"]},
    }
    paid = {"openapi": "3.1.0", "paths": {"/a": {"get": {"x-payment-info": {}}}}}
    none = [missing(ucp), missing(acp), missing(openapi)]
    return [
        Part(none, says(N, N, N, N, N)),
        Part([at(ucp, old), *none[1:]], says(P, P, N, N, N)),
        Part([at(ucp, new), *none[1:]], says(F, F, N, N, N), {"ucp": P}),
        Part([none[0], at(acp, good), none[2]], says(N, N, P, N, N)),
        Part(
            [none[0], at(acp, {"protocol": {"name": "x"}}), none[2]],
            says(N, N, F, N, N),
        ),
        Part([*none[:2], at(openapi, paid)], says(N, N, N, P, P)),
        Part([*none[:2], at(openapi, {"swagger": "2.0"})], says(N, N, N, N, P)),
        Part([*none[:2], fallback(openapi)], says(N, N, N, N, F)),
    ]


def payment() -> list[Part]:
    path, others = "/api", [missing("/api/v1")]

    def says(c: str, x: str) -> dict[tuple[str, str], str]:
        return {(C, "x402"): c, (X, "x402"): x}

    def asks(accepts: Any, *headers: tuple[str, str]) -> Answer:
        text = json.dumps({"x402Version": 2, "accepts": accepts}).encode()
        coded = base64.b64encode(text).decode()
        return at(path, "", "", 402, headers=[("Payment-Required", coded), *headers])

    one = {
        "scheme": "exact",
        "network": "eip155:8453",
        "amount": "10000",
        "payTo": "0x1",
        "asset": "0x2",
    }
    seen = ("Access-Control-Expose-Headers", "PAYMENT-REQUIRED")
    return [
        Part([missing(path), *others], says(N, N)),
        Part([asks([one], seen), *others], says(P, P)),
        Part([asks([one]), *others], says(P, W)),
        Part([asks([one | {"amount": "0.01"}], seen), *others], says(P, F)),
        Part([asks([one | {"network": "base"}], seen), *others], says(P, F)),
        Part([asks([], seen), *others], says(P, F)),
        Part([at(path, "", "", 402), *others], says(P, F)),
        Part(
            [at(path, "", "", 402, headers=[("PAYMENT-REQUIRED", "{}")]), *others],
            says(P, F),
        ),
    ]


def behaviour() -> list[Part]:
    """What follows from the checks of the report."""
    here = {
        "honest-404": [
            (D, "http-status-codes", {P: P, F: F}),
            (S, "AR-READ-02", {P: P, F: F}),
        ],
        "content-in-html": [
            (D, "rendering-strategy", {P: P, F: F}),
            (S, "AR-READ-01", {P: P, F: F}),
        ],
        "auth-gate": [(D, "auth-gate-detection", {P: P, F: F})],
        "reachable": [(D, "bot-protection-interference", {P: P, F: F})],
        "redirects": [(D, "redirect-behavior", {P: P, F: W})],
    }
    return [
        Part(
            [],
            {
                (who, id): means[status]
                for each in here.values()
                for who, id, means in each
            },
            dict.fromkeys(here, status),
        )
        for status in (P, F)
    ]


PARTS = [
    *(robots, sitemap, home, llms, api, oauth, mcp, agents),
    *(skills, catalog, keys, shop, payment, behaviour),
]


def sites(number: int) -> Iterator[Part]:
    """Sites of all parts: first each variant of each part once, then as chance will have it."""
    chance = random.Random(7)
    variants = [part() for part in PARTS]
    for count in range(number):
        site = Part([], {}, {})
        for several in variants:
            one = several[count] if count < len(several) else chance.choice(several)
            site.answers += one.answers
            site.said |= one.said
            site.here |= one.here
        yield site


def report(ids: set[str], here: dict[str, str]) -> Report:
    """A report with these checks, which pass if nothing else is said."""
    checks = tuple(Check(id, here.get(id, P), "as it is") for id in sorted(ids))
    return Report("test", ORIGIN, 1, "Reachable", Score(1, 1, 100), checks)
