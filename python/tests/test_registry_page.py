"""The pages of a registry: well-formed, and hostile documents stay text."""

import contextlib
import hashlib
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from urllib.parse import quote

import browser
import httpx
import pytest
import uvicorn
from agentsdisc.registry import CapabilityEntry, ServiceEntry, Source, open_store
from agentsdisc.registry.serve import Settings, app
from test_registry_serve import until

SCRIPT = "<script>alert('x')</script>"
BIDI = "safe\u202egnihton"
LONG = "w" * 1_000_000
URL = "https://evil.example/.well-known/agents.txt"
DOCUMENT = (
    f"Spec-Version: 1.0\nSite-Name: {SCRIPT}\nSite-URL: https://evil.example\n"
    f"X-Bidi: {BIDI}\nX-Long: {LONG}\nCapability: a\n  Endpoint: javascript:alert(1)\n"
).encode()
_VOID = {"meta", "link", "input", "br", "hr", "img"}


class Markup(HTMLParser):
    """The elements of a page. Fails where they are not nested."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(
        self, tag: str, attributes: list[tuple[str, str | None]]
    ) -> None:
        self.found.append((tag, dict(attributes)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    store = open_store(str(tmp_path_factory.mktemp("store") / "registry.db"))
    source = Source(
        url=URL,
        format="agents-txt",
        digest=hashlib.sha256(DOCUMENT).hexdigest(),
        fetched=datetime.now(UTC),
        verdict="errors",
        errors=2,
    )
    service = ServiceEntry(
        domain="evil.example",
        name=SCRIPT,
        description=f"{BIDI} {LONG}",
        url="javascript:alert(1)",
        auth=SCRIPT,
        price=SCRIPT,
        sources=(source,),
    )
    capability = CapabilityEntry(
        domain="evil.example",
        name="order" + SCRIPT,
        description=SCRIPT,
        endpoint="javascript:alert(1)",
        method=SCRIPT,
        parameters=(SCRIPT, LONG[:5000]),
        source=URL,
    )
    with store.write() as writer:
        writer.put(service, [capability], [(URL, DOCUMENT)])
        for number in range(30):
            writer.put(
                ServiceEntry(
                    domain=f"mugs{number}.example", name="Mugs", description="order"
                ),
                [],
                [],
            )
    settings = Settings(url="https://registry.example", rate=0)
    config = uvicorn.Config(app(store, settings), port=0, log_level="critical")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    port = server.servers[0].sockets[0].getsockname()[1]
    with (
        contextlib.closing(store),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client,
    ):
        yield client
        server.should_exit = True
        thread.join(10)


PAGES = [
    "/",
    "/?q=order",
    "/?q=order&offset=20",
    "/?q=nothinglikethis",
    f"/?q={quote(SCRIPT)}",
    "/services/evil.example",
    f"/services/evil.example/document?url={quote(URL, safe='')}",
    "/services/unknown.example",
]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_well_formed_and_escaped(pages: httpx.Client, path: str) -> None:
    answer = pages.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == (404 if "unknown" in path else 200)
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    markup = Markup(answer.text)
    assert markup.all("script") == []
    assert "\u202e" not in answer.text
    assert len(answer.text) < 200_000
    assert [tag for tag, _ in markup.found].count("h1") == 1
    assert len(markup.all("main")) == 1
    assert any("viewport" in (each.get("name") or "") for each in markup.all("meta"))
    for link in markup.all("a"):
        target = link.get("href") or ""
        assert target.startswith(("/", "#", "?", "https://")), target
        if target.startswith("https://"):
            assert {"nofollow", "noopener"} <= set((link.get("rel") or "").split())
    for each in markup.all("input"):
        labels = [label.get("for") for label in markup.all("label")]
        assert each.get("type") == "hidden" or each.get("id") in labels


def test_a_search_is_a_page_of_many(pages: httpx.Client) -> None:
    first = pages.get("/?q=order").text
    links = [each.get("href") or "" for each in Markup(first).all("a")]
    assert any("offset=20" in link for link in links)
    assert "/services/evil.example" in " ".join(links)


def test_findings_stand_at_their_lines(pages: httpx.Client) -> None:
    path = f"/services/evil.example/document?url={quote(URL, safe='')}"
    markup = Markup(pages.get(path).text)
    anchors = {each["id"] for _, each in markup.found if each.get("id")}
    targets = [each.get("href") or "" for each in markup.all("a")]
    jumps = [target[1:] for target in targets if target.startswith("#") and target[1:]]
    assert jumps
    assert set(jumps) <= anchors
    missing = pages.get("/services/evil.example/document?url=https://x.example/")
    assert missing.status_code == 404


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Browser]:
    with browser.running(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [browser.PHONE, browser.DESKTOP])
def test_pages_fit_and_are_readable(
    pages: httpx.Client, chromium: browser.Browser, width: int, scheme: str
) -> None:
    for path in PAGES:
        chromium.show(f"{pages.base_url}{path}", width, scheme)
        assert chromium.value("innerWidth") == width, path
        assert chromium.value("document.documentElement.scrollWidth") <= width, path
        assert chromium.value(browser.WIDE) == [], path
        assert chromium.value(browser.PALE) == [], path
        behind = chromium.value("getComputedStyle(document.body).backgroundColor")
        first = int(behind.removeprefix("rgb(").partition(",")[0])
        assert (first < 64) == (scheme == "dark"), path


def test_pages_are_used_by_keyboard(
    pages: httpx.Client, chromium: browser.Browser
) -> None:
    chromium.show(f"{pages.base_url}/?q=order")
    ringed = "getComputedStyle(document.activeElement).outlineStyle"
    seen = []
    for _ in range(6):
        chromium.press("Tab")
        assert chromium.value(ringed) == "solid"
        seen.append(chromium.value("document.activeElement.textContent.trim()"))
    assert seen[:2] == ["Skip to the content", "Agent registry"]
    assert "Search" in seen
    # No script of a document has run, and none is needed.
    assert chromium.value("document.scripts.length") == 0
