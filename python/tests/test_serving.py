"""Checks how documents are served: a valid and an invalid case of every remark, against a real server with TLS."""

import json
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
import trustme
from agentsdisc import serving as checks
from agentsdisc.cli import main
from agentsdisc.discovery import Timeouts
from agentsdisc.serving import CODES, Remark
from asking import PATIENT
from conftest import Run
from relatives import RELATIVES, relative
from server import (
    HTML,
    Answer,
    Handler,
    Page,
    Server,
    drip,
    endless,
    serving,
    silence,
    to,
)
from serving_cases import (
    ADP,
    AWP,
    BAD,
    COMPANION,
    DATA,
    MD,
    PLAIN,
    ROOT_TXT,
    TXT,
    WELL,
    WORDS,
    Change,
    having,
    robots,
    without,
)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, Path]:
    known = trustme.CA()
    path = tmp_path_factory.mktemp("ca") / "ca.pem"
    known.cert_pem.write_to_path(path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    known.issue_cert("shop.example", "cdn.shop.example", "evil.test").configure_cert(
        context
    )
    return context, path


@pytest.fixture
def shop(
    authority: tuple[ssl.SSLContext, Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Server]:
    """A site without problems."""
    real = socket.getaddrinfo

    def resolve(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        text = host.decode() if isinstance(host, bytes) else host
        here = text.endswith(("shop.example", "evil.test"))
        return real("127.0.0.1" if here else host, port, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority[1]))
    with serving(authority[0]) as server:
        site = server.at("shop.example")
        text = TXT.replace("{site}", site)
        md, data = (
            Page(MD, headers=WORDS),
            agentsdisc.parse(text).convert("agents-json"),
        )
        server.pages = {
            WELL: Page(text, headers=PLAIN),
            ROOT_TXT: Page(text, headers=PLAIN),
            COMPANION: Page(data, headers=DATA),
            "/.well-known/agents.md": md,
            "/agents.md": md,
            "/agent.json": Page(AWP, headers={"Content-Type": "application/json"}),
            "/.well-known/agent": Page(ADP.replace("{site}", site), headers=DATA),
            "/robots.txt": robots("User-agent: *\nDisallow: /admin\n"),
        }
        yield server


# For pages that never end: such a page uses two request timeouts, and the other pages share the remaining time.
BRIEF = Timeouts(connect=60, read=60, request=3, total=120)


def remarks(server: Server, **options: Any) -> list[Remark]:
    options = {"allow_private": True, "timeouts": PATIENT, **options}
    return list(checks.check(server.at("shop.example"), **options).remarks)


def page(server: Server, path: str) -> Page:
    found = server.pages[path]
    assert isinstance(found, Page)
    return found


def test_a_correct_site(shop: Server) -> None:
    assert remarks(shop) == []


def with_details(server: Server, details: dict[str, Answer], *entries: str) -> str:
    """Serves a manifest with these entries and their detail documents."""
    site = server.at("shop.example")
    manifest = ADP.replace("{site}", site).replace("[]", f"[{', '.join(entries)}]")
    server.pages["/.well-known/agent"] = Page(manifest, headers=DATA)
    server.pages |= details
    return site


def entry(name: str, url: str) -> str:
    return f'{{"name": "{name}", "description": "d", "detail_url": "{url}"}}'


def detail_of(name: str) -> Page:
    text = '{"name": "%s", "description": "d", "endpoint": "/a", "method": "GET", "parameters": []}'
    return Page(text % name, headers=DATA)


def test_details_are_asked_for_and_compared(shop: Server) -> None:
    details: dict[str, Answer] = {
        "/good.json": detail_of("good"),
        "/other.json": detail_of("wrong"),
        "/html.json": Page("<!doctype html><html></html>"),
        "/broken.json": Page('{"name": '),
        "/list.json": Page("[1]", headers=DATA),
        "/down.json": Page(status=503),
    }
    names = ("good", "other", "html", "broken", "list", "down", "lost")
    site = with_details(
        shop,
        details,
        *[entry(name, f"/{name}.json") for name in names],
        entry("away", "https://elsewhere.test/away.json"),
    )
    found = {(r.code, r.severity, r.url.removeprefix(site)) for r in remarks(shop)}
    assert found == {
        ("detail-name", "error", "/other.json"),
        ("detail-unreadable", "error", "/html.json"),
        ("detail-unreadable", "error", "/broken.json"),
        ("detail-unreadable", "error", "/list.json"),
        ("detail-missing", "error", "/down.json"),
        ("detail-missing", "error", "/lost.json"),
        ("detail-not-checked", "info", "https://elsewhere.test/away.json"),
    }
    said = {r.url.removeprefix(site): r.message for r in remarks(shop)}
    assert "'wrong'" in said["/other.json"] and "'other'" in said["/other.json"]
    assert "503" in said["/down.json"] and "404" in said["/lost.json"]
    checked = checks.check(site, allow_private=True, timeouts=PATIENT)
    assert f"{site}/good.json" in dict(checked.documents)


def test_more_details_than_are_requested_are_counted(shop: Server) -> None:
    names = [f"get_{n}" for n in range(70)]
    site = with_details(
        shop,
        {f"/{name}.json": detail_of(name) for name in names},
        *[entry(name, f"/{name}.json") for name in names],
    )
    (remark,) = remarks(shop)
    assert (remark.code, remark.url) == ("detail-not-checked", site)
    assert " 6 further" in remark.message


@pytest.mark.parametrize(("code", "severity", "path", "change"), BAD)
def test_problems(
    shop: Server, code: str, severity: str, path: str, change: Change
) -> None:
    if change is None:
        del shop.pages[path]
    elif isinstance(change, Page):
        location = change.headers.get("Location")
        if location is not None:
            names = {
                "{cdn}": shop.at("cdn.shop.example"),
                "{evil}": shop.at("evil.test"),
            }
            for name, url in names.items():
                location = location.replace(name, url)
            change = to(location)
        shop.pages["/a.json"] = page(shop, COMPANION)
        shop.pages[path] = change
    elif change in {silence, drip, endless}:
        shop.pages[path] = change  # type: ignore[assignment]
    else:
        shop.pages[path] = change(page(shop, path))  # type: ignore[operator, arg-type]
    found = remarks(shop, timeouts=BRIEF if change in (silence, drip) else PATIENT)
    (said,) = [remark for remark in found if remark.code == code]
    assert said.severity == severity and said.message
    others = {remark.code for remark in found} - {code}
    # Other remarks may only be consequences of the change.
    assert others <= {"companion-missing", "soft-404"}, found
    assert all(host != "evil.test" for host, _ in shop.asked)


def test_nothing_is_served(shop: Server) -> None:
    shop.pages = {}
    (said,) = remarks(shop)
    assert (said.code, said.severity) == ("nothing-served", "error")


def test_correct_documents_at_every_location(shop: Server) -> None:
    shop.pages |= {path: relative(path) for path in RELATIVES}
    checked = checks.check(
        shop.at("shop.example"), allow_private=True, timeouts=PATIENT
    )
    assert checked.remarks == ()
    urls = {url.removeprefix(checked.origin) for url, _ in checked.documents}
    # Of two copies, the first is kept.
    assert urls >= set(RELATIVES) - {
        "/.well-known/agent.json",
        "/.well-known/ai-catalog.json",
        "/.well-known/mcp.json",
    }


def test_both_places_of_a_catalog_have_the_same_bytes(shop: Server) -> None:
    catalog = relative("/.well-known/ard.json")
    other = Page(catalog.body.replace("Mugs", "Cups"), headers=catalog.headers)
    for pages, expected in (
        ({"ard": catalog, "ai-catalog": catalog}, []),
        ({"ard": catalog, "ai-catalog": other}, [("companion-differs", "ai-catalog")]),
        ({"ard": catalog}, [("missing-root-copy", "ard")]),
        ({"ai-catalog": catalog}, [("wrong-location", "ai-catalog")]),
    ):
        places = {f"/.well-known/{name}.json": page for name, page in pages.items()}
        for name in ("ard", "ai-catalog"):
            shop.pages.pop(f"/.well-known/{name}.json", None)
        shop.pages |= places
        site = shop.at("shop.example")
        assert [(r.code, r.url) for r in remarks(shop)] == [
            (code, f"{site}/.well-known/{name}.json") for code, name in expected
        ]


@pytest.mark.parametrize("path", RELATIVES)
def test_a_faulty_document_alone_is_checked(shop: Server, path: str) -> None:
    shop.pages = {path: without("Content-Type")(relative(path, faulty=True))}
    checked = checks.check(
        shop.at("shop.example"), allow_private=True, timeouts=PATIENT
    )
    ((url, document),) = checked.documents
    assert url == checked.origin + path
    codes = {remark.code for remark in checked.remarks}
    places = {
        "/.well-known/agent.json": {"wrong-location"},
        "/.well-known/ai-catalog.json": {"wrong-location"},
        "/.well-known/ard.json": {"missing-root-copy"},
    }
    moved = places.get(path, set())
    assert codes == {"missing-content-type", *moved}
    correct = agentsdisc.parse(relative(path).body, format=document.format)
    assert len(document.check()) > len(correct.check())


def test_broken_documents_are_reported(shop: Server) -> None:
    broken = set(RELATIVES) - {"/llms.txt", "/robots.txt"}
    for path in broken:
        page = relative(path)
        shop.pages[path] = Page(page.body[:-2], headers=page.headers)
    found = remarks(shop)
    assert {remark.code for remark in found} == {"unreadable"}
    assert {r.url for r in found} == {shop.at("shop.example") + path for path in broken}


def test_documents_to_which_the_site_points(shop: Server) -> None:
    site = shop.at("shop.example")
    link = {"Link": '</cards/a.json>; rel="agent-card", </gone.json>; rel="llms"'}
    shop.pages |= {
        "/": Page(HTML, headers={"Content-Type": "text/html", **link}),
        "/cards/a.json": relative("/.well-known/agent-card.json", faulty=True),
    }
    checked = checks.check(site, allow_private=True, timeouts=PATIENT)
    assert f"{site}/cards/a.json" in dict(checked.documents)
    assert [(r.code, r.url) for r in checked.remarks] == [
        ("dead-link", f"{site}/gone.json")
    ]
    shop.pages["/cards/a.json"] = Page('{"name": ')
    shop.pages["/robots.txt"] = robots("User-agent: *\nDisallow: /gone\n")
    assert [(r.code, r.severity, r.url) for r in remarks(shop)] == [
        ("unreadable", "error", f"{site}/cards/a.json"),
        ("blocked-by-robots", "error", f"{site}/gone.json"),
    ]


def test_more_links_than_are_followed(shop: Server) -> None:
    links = ", ".join(f"</c{n}>; rel=llms" for n in range(17))
    shop.pages["/"] = Page(headers={"Link": links})
    shop.pages |= {f"/c{n}": relative("/llms.txt") for n in range(17)}
    (said,) = remarks(shop)
    assert (said.code, said.severity) == ("not-followed", "info")


def test_html_pages_at_every_location(shop: Server) -> None:
    class Everything(dict[str, Answer]):
        def get(self, key: str, default: Any = None) -> Any:
            return super().get(key, Page(HTML, headers={"Content-Type": "text/html"}))

    shop.pages = Everything(shop.pages)
    found = remarks(shop)
    (said,) = [remark for remark in found if remark.url == shop.at("shop.example")]
    assert said.code == "soft-404" and "does not exist" in said.message


def test_without_encryption(shop: Server) -> None:
    with serving() as plain:
        plain.pages = shop.pages
        for host, severity in [
            ("shop.example", "error"),
            ("localhost", "info"),
            ("127.0.0.1", "info"),
        ]:
            found = checks.check(plain.at(host), allow_private=True).remarks
            said = [remark for remark in found if remark.code == "insecure-transport"]
            assert len(said) == 7 and {remark.severity for remark in said} == {severity}


# agents.txt and agents.json


def differing(shop: Server, old: str, new: str) -> list[Remark]:
    body = page(shop, COMPANION).body
    text = body.decode() if isinstance(body, bytes) else body
    assert old in text
    shop.pages[COMPANION] = Page(text.replace(old, new, 1), headers=DATA)
    return [remark for remark in remarks(shop) if remark.code.startswith("companion")]


@pytest.mark.parametrize(
    ("old", "new", "field", "severity"),
    [
        ("Mugs", "Cups", "service.name", "warning"),
        ("All of them", "Some", "service.description", "warning"),
        ('/s"', '/other"', "capabilities.endpoint of 'search'", "error"),
        (
            '"requests": 5',
            '"requests": 6',
            "capabilities.rate_limits of 'search'",
            "error",
        ),
        ("/admin", "/private", "access.disallow '/admin'", "error"),
        ('"Bot"', '"Other"', "agents of 'Bot'", "error"),
    ],
)
def test_fields_that_differ(
    shop: Server, old: str, new: str, field: str, severity: str
) -> None:
    said = next(r for r in differing(shop, old, new) if field in r.message)
    assert (said.code, said.severity) == ("companion-differs", severity)
    for spot in said.spots:
        body = page(shop, spot.url.removeprefix(shop.at("shop.example"))).body
        data = body.encode() if isinstance(body, str) else body
        lines = data[: spot.offset].split(b"\n")
        assert (spot.line, spot.column) == (len(lines), len(lines[-1]) + 1)
        assert str(spot) in said.message


def test_both_places_of_a_difference(shop: Server) -> None:
    (said,) = differing(shop, "Mugs", "Cups")
    assert [spot.url.removeprefix(shop.at("shop.example")) for spot in said.spots] == [
        WELL,
        COMPANION,
    ]
    assert [spot.line for spot in said.spots] == [2, 4]


def test_a_missing_companion(shop: Server) -> None:
    del shop.pages[COMPANION]
    assert remarks(shop) == []
    text = page(shop, WELL).body
    assert isinstance(text, str)
    site = shop.at("shop.example")
    named = Page(f"{text}Agents-JSON: {site}{COMPANION}\n", headers=PLAIN)
    older = Page(
        f"Site: A\nURL: {site}\nAllow: search\nSession-TTL: 60s\n", headers=PLAIN
    )
    for one, why in [(named, "names its companion"), (older, "sessions or an audit")]:
        shop.pages[WELL] = shop.pages[ROOT_TXT] = one
        (said,) = remarks(shop)
        assert (said.code, said.severity) == (
            "companion-missing",
            "error",
        ) and why in said.message


@pytest.mark.parametrize("is_older", [False, True])
def test_a_companion_that_is_named_and_not_there(shop: Server, is_older: bool) -> None:
    site = shop.at("shop.example")
    text = page(shop, WELL).body
    assert isinstance(text, str)
    if is_older:
        text = f"Site: A\nURL: {site}\nAllow: search\n"
        data = agentsdisc.parse(text).convert("agents-json-0.1")
        shop.pages[COMPANION] = Page(data, headers=DATA)
    text += f"Agents-JSON: {site}/x/agents.json\n"
    shop.pages[WELL] = shop.pages[ROOT_TXT] = Page(text, headers=PLAIN)
    for named in [None, Page("<!doctype html><p>", headers=PLAIN)]:
        if named is not None:
            shop.pages["/x/agents.json"] = named
        (said,) = [r for r in remarks(shop) if r.code == "companion-missing"]
        assert said.severity == "error" and f"{site}/x/agents.json" in said.message
        assert f"name {site}{COMPANION}" in said.message
    shop.pages["/x/agents.json"] = shop.pages[COMPANION]
    assert "companion-missing" not in [r.code for r in remarks(shop)]


@pytest.mark.parametrize(
    ("lines", "needs"),
    [
        ("Allow: cart.add", True),
        ("Allow: cart.view", True),
        ("Capabilities: search, checkout", True),
        ("Audit: true", True),
        ("audit: TRUE", True),
        ("Audit: false", False),
        ("Audit-Endpoint: https://shop.example/audit/:session_id", False),
        ("Allow: contact", False),
        ("Rate-Limit: 5/minute", False),
    ],
)
def test_sessions_and_audits_need_an_agents_json_of_0_1(
    shop: Server, lines: str, needs: bool
) -> None:
    site = shop.at("shop.example")
    text = f"Site: A\nURL: {site}\nAllow: search\n{lines}\n"
    shop.pages[WELL] = shop.pages[ROOT_TXT] = Page(text, headers=PLAIN)
    draft = shop.pages.pop(COMPANION)
    for companion, why in [(None, f"'{site}{COMPANION}'"), (draft, "Internet-Draft")]:
        if companion is not None:
            shop.pages[COMPANION] = companion
        found = [(r.code, r.severity) for r in remarks(shop)]
        assert found == ([("companion-missing", "error")] if needs else [])
        for said in remarks(shop):
            assert why in said.message
            assert "`agentsdisc convert --to agents-json-0.1`" in said.message
    data = agentsdisc.parse(text).convert("agents-json-0.1")
    shop.pages[COMPANION] = Page(data, headers=DATA)
    assert remarks(shop) == []


def test_the_default_companion_is_below_the_url_of_the_site(shop: Server) -> None:
    site = shop.at("shop.example")
    text = f"Site: A\nURL: {site}/mugs/\nAllow: checkout\n"
    shop.pages[WELL] = shop.pages[ROOT_TXT] = Page(text, headers=PLAIN)
    shop.pages.pop(COMPANION)
    (said,) = remarks(shop)
    assert said.code == "companion-missing"
    assert f"'{site}/mugs{COMPANION}'" in said.message
    data = bytes(agentsdisc.parse(text).convert("agents-json-0.1"))
    shop.pages["/mugs" + COMPANION] = Page(data, headers=DATA)
    assert remarks(shop) == []
    checked = checks.check(site, allow_private=True, timeouts=PATIENT)
    assert f"{site}/mugs{COMPANION}" in [url for url, _ in checked.documents]
    # The companion is compared, although it is not at the root.
    shop.pages["/mugs" + COMPANION] = Page(
        data.replace(b'"A"', b'"B"', 1), headers=DATA
    )
    assert [(r.code, r.severity) for r in remarks(shop)] == [
        ("companion-differs", "warning")
    ]
    # A companion at the root is also valid, because agents request it first.
    shop.pages[COMPANION] = shop.pages.pop("/mugs" + COMPANION)
    assert [r.code for r in remarks(shop)] == ["companion-differs"]


def test_large_documents_in_another_order_are_compared(shop: Server) -> None:
    site = shop.at("shop.example")
    head = f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {site}\n"
    blocks = [
        f"Capability: c{n}\n  Endpoint: {site}/{n}\n  Protocol: REST\n"
        for n in range(5000)
    ]
    shop.pages[WELL] = shop.pages[ROOT_TXT] = Page(
        head + "".join(blocks), headers=PLAIN
    )
    turned = agentsdisc.parse(head + "".join(reversed(blocks))).convert("agents-json")
    shop.pages[COMPANION] = Page(turned, headers=DATA)
    assert remarks(shop) == []
    shop.pages[COMPANION] = Page(
        bytes(turned).replace(f'"{site}/77"'.encode(), b'"https://other.example/"'),
        headers=DATA,
    )
    (said,) = remarks(shop)
    assert said.code == "companion-differs"
    assert "capabilities.endpoint" in said.message


def test_secrets_that_differ_are_not_repeated(shop: Server) -> None:
    secret = "AKIA" + "IOSFODNN7QRSTUVW"
    (said,) = differing(shop, "/admin", f"/{secret}")[1:]
    assert "(withheld)" in said.message and secret not in said.message


def test_the_number_of_reported_differences_is_bounded(shop: Server) -> None:
    text = page(shop, WELL).body
    assert isinstance(text, str)
    shop.pages[WELL] = Page(
        text + "".join(f"Disallow: /{n}\n" for n in range(3000)), headers=PLAIN
    )
    codes = [remark.code for remark in remarks(shop)]
    assert codes.count("companion-differs") == 1000 and codes.count("not-compared") == 1


# The command line


@pytest.fixture
def lint(
    shop: Server, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(
            [
                "lint",
                shop.at("shop.example"),
                "--allow-private",
                "--timeout",
                "120",
                *arguments,
            ]
        )
        return code, *capsys.readouterr()

    return run


def test_exit_codes_and_outputs(
    shop: Server, lint: Callable[..., tuple[int, str, str]]
) -> None:
    shop.pages = {
        p: a for p, a in shop.pages.items() if p in {WELL, ROOT_TXT, COMPANION}
    }
    assert lint() == (0, "", "")
    shop.pages[COMPANION] = having("Content-Type", "text/html")(page(shop, COMPANION))
    url = shop.at("shop.example") + COMPANION
    code, out, _ = lint()
    assert code == 1
    assert out == (
        f"{url}: error[wrong-content-type]: send `Content-Type: application/json; charset=utf-8` "
        "(draft-car-agents-txt-wellknown-00, section 3.1)\n| Content-Type: text/html\n1 error\n"
    )
    code, out, _ = lint("--output-format", "json")
    (found,) = json.loads(out)
    assert code == 1 and (found["file"], found["code"], found["line"]) == (
        url,
        "wrong-content-type",
        1,
    )
    code, out, _ = lint("--output-format", "sarif")
    (result,) = json.loads(out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == url
    code, out, _ = lint("--output-format", "github")
    assert code == 1 and out.startswith("::error file=https%3A//shop.example")
    shop.pages[COMPANION] = Page('{"specVersion": "1.0", oops}', headers=DATA)
    assert lint()[0] == 2


def test_the_content_of_documents_is_also_checked(
    shop: Server, lint: Callable[..., tuple[int, str, str]]
) -> None:
    shop.pages = {
        WELL: Page(
            "Spec-Version: 9.9\nSite-Name: A\nSite-URL: https://other.example\n",
            headers=PLAIN,
        )
    }
    code, out, _ = lint()
    assert code == 1
    assert (
        f"{WELL}:1:15: error[unsupported-version]" in out
        and "error[origin-mismatch]" in out
    ) or "origin-mismatch" in out
    assert "missing-root-copy" in out


def test_headers_are_escaped(
    shop: Server, lint: Callable[..., tuple[int, str, str]]
) -> None:
    def answer(handler: Handler) -> None:
        body = TXT.replace("{site}", "https://shop.example").encode()
        handler.send_response_only(200)
        handler.wfile.write(b"")
        handler._headers_buffer.append(b"Content-Type: text/\x1b[2J\x9b\r\n")  # type: ignore[attr-defined]
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    shop.pages[WELL] = answer
    _, out, err = lint()
    assert all(line.isprintable() for line in (out + err).split("\n"))


def test_sites_that_cannot_be_checked(run: Run) -> None:
    assert (
        "apply to files only"
        in run("lint", "https://a.example", "--fix", check=2).stderr
    )
    assert (
        "does not answer"
        in run("lint", "http://127.0.0.1:1", "--allow-private", check=2).stderr
    )
    assert "does not answer" in run("lint", "http://127.0.0.1:1", check=2).stderr


def test_the_table_of_codes() -> None:
    """Every code has an invalid case."""
    names = ("test_serving.py", "serving_cases.py", "test_sites_command.py")
    files = (Path(__file__).with_name(name) for name in names)
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    assert list(CODES) == sorted(CODES)
    for code in CODES:
        assert f'"{code}"' in source or f"[{code}]" in source, code


def test_the_core_has_none_of_the_codes() -> None:
    assert not set(CODES) & {code for code, _ in agentsdisc.codes()}


def test_without_httpx_the_error_names_it() -> None:
    script = (
        "import sys; sys.modules['httpx'] = None\n"
        "from agentsdisc.cli import main\n"
        "sys.exit(main(['lint', 'https://a.example']))"
    )
    import sys

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and "agentsdisc[http]" in done.stderr
