"""Discovery against hostile sites: the guarantees on connections, time and memory."""

import socket
import ssl
import time
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import agentsdisc
import anyio
import httpcore
import httpx
import pytest
import trustme
from agentsdisc.discovery import Site, Timeouts
from agentsdisc.discovery.addresses import is_public
from server import (
    ADP,
    JSON,
    LONG,
    TXT,
    Page,
    Server,
    drip,
    endless,
    raw,
    serving,
    silence,
    to,
    zipped,
)

FIRST = "/.well-known/agents.json"


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The addresses of host names; other names do not resolve."""
    known: dict[str, list[str]] = {}
    real = socket.getaddrinfo

    def resolve(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        text = host.decode() if isinstance(host, bytes) else host
        try:
            socket.inet_pton(socket.AF_INET6 if ":" in text else socket.AF_INET, text)
        except OSError:
            if text not in known:
                raise socket.gaierror(socket.EAI_NONAME, "no such name") from None
        else:
            return real(host, port, *rest, **more)
        return [
            entry
            for address in known[text]
            for entry in real(address, port, type=socket.SOCK_STREAM)
        ]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return known


def ask(url: str, **options: Any) -> Site:
    options = {
        "allow_private": True,
        "cache": False,
        "resources": ["agents-json"],
        **options,
    }
    return agentsdisc.discover(url, **options)


def rejection(url: str, **options: Any) -> str | None:
    return ask(url, **options).attempts[0].rejection


# Redirects


def test_redirects_within_the_site(server: Server, names: dict[str, list[str]]) -> None:
    names |= {
        host: ["127.0.0.1"]
        for host in ("shop.example", "www.shop.example", "cdn.shop.example")
    }
    for target, moved in [
        ("/b", "same-origin"),
        (server.at("www.shop.example") + "/b", "canonical"),
        (server.at("cdn.shop.example") + "/b", "same-site"),
    ]:
        server.hosts = {"shop.example": {FIRST: to(target)}}
        server.pages = {"/b": Page(JSON)}
        server.hosts["shop.example"]["/b"] = Page(JSON)
        site = ask(server.at("shop.example"))
        (found,) = site.found
        assert (found.attempt.moved, found.attempt.redirects) == (moved, 1)
        assert found.url.endswith("/b")


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("{other}/b", "off-site"),
        ("//evil.test:{port}/b", "off-site"),
        ("http://shop.example@evil.test:{port}/b", "invalid-url"),
        ("http://evil.test:{port}\\@shop.example/b", "invalid-url"),
        ("http:\\/\\/evil.test:{port}/b", "invalid-url"),
        ("http://shop.example.evil.test:{port}/b", "off-site"),
        ("http://127.0.0.1:{port}/b", "off-site"),
        ("http://0x7f.1:{port}/b", "off-site"),
        ("http://[::ffff:127.0.0.1]:{port}/b", "off-site"),
        ("http://localhost:{port}/b", "off-site"),
        ("file:///etc/passwd", "invalid-url"),
        ("gopher://shop.example/b", "invalid-url"),
    ],
)
def test_redirects_off_the_site_are_not_followed(
    server: Server, names: dict[str, list[str]], target: str, code: str
) -> None:
    names |= {
        host: ["127.0.0.1"]
        for host in ("shop.example", "evil.test", "shop.example.evil.test", "localhost")
    }
    with serving() as other:
        other.pages["/b"] = Page(JSON)
        location = target.format(other=other.at("evil.test"), port=other.port)
        server.pages[FIRST] = to(location)
        assert rejection(server.at("shop.example")) == code
        assert other.asked == []
    assert server.paths == [FIRST]


def test_loops_and_long_chains_end(server: Server) -> None:
    server.pages = {FIRST: to("/a"), "/a": to("/b"), "/b": to("/a")}
    assert rejection(server.url) == "redirect-loop"
    server.asked.clear()
    server.pages = {f"/{n}": to(f"/{n + 1}", 308) for n in range(20)}
    server.pages[FIRST] = to("/0", 301)
    assert rejection(server.url) == "too-many-redirects"
    assert len(server.asked) == 6


def test_documents_lead_nowhere_else(
    server: Server, names: dict[str, list[str]]
) -> None:
    names |= {"shop.example": ["127.0.0.1"], "evil.test": ["127.0.0.1"]}
    with serving() as other:
        evil = other.at("evil.test")
        detail = f'{{"name": "a", "detail_url": "{evil}/a.json"}}'
        server.pages = {
            "/agents.txt": Page(
                TXT
                + f"Agents-JSON: {evil}/a.json\nSitemap: {evil}/\n"
                + f"Agent: Bot\n  Agent-Declaration: {evil}/agents.txt\n"
            ),
            "/.well-known/agent": Page(ADP % (evil, detail)),
            "/agent.json": Page(
                '{"awp_version": "0.2", "domain": "evil.test", "intent": "x", "actions": []}'
            ),
        }
        url = server.at("shop.example")
        site = ask(url, resources=None, details=True)
        assert len(site.found) == 3
        assert other.asked == []
        codes = {a.resource: a.rejection for a in site.attempts}
        assert (codes["companion"], codes["detail"]) == ("off-site", "off-site")


def test_robots_txt_may_be_elsewhere(
    server: Server, names: dict[str, list[str]]
) -> None:
    names |= {"shop.example": ["127.0.0.1"], "cdn.test": ["127.0.0.1"]}
    with serving() as other:
        other.pages["/r"] = Page("User-agent: *\nDisallow: /x\n")
        server.pages["/robots.txt"] = to(other.at("cdn.test") + "/r")
        site = ask(server.at("shop.example"), resources=["robots-txt"])
    assert site.robots is not None and not site.robots.allowed("Bot", "/x")
    assert site.attempts[0].moved == "other-site"


# Addresses


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1",
        "169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1",
        "239.1.1.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0",
        "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::",
        "2002:a00:1::1", "2001:0:7f00:1::", "168.63.129.16", "192.0.0.9", "192.0.0.10",
        "192.88.99.1", "::ffff:192.0.0.9", "64:ff9b:1::808:808", "2001:1::1", "3fff::1", "5f00::1", "", "localhost", "0x7f.1", "127.1",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"],
)  # fmt: skip
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]"],
)
def test_this_machine_is_not_asked(server: Server, host: str) -> None:
    url = f"http://{host}:{server.port}"
    assert rejection(url, allow_private=False) == "address-refused"
    assert server.asked == []


def test_names_of_private_addresses_are_not_asked(
    server: Server, names: dict[str, list[str]]
) -> None:
    names |= {
        "shop.example": ["127.0.0.1"],
        "both.example": ["93.184.216.34", "127.0.0.1"],
        "meta.example": ["169.254.169.254"],
        "localhost": ["127.0.0.1"],
    }
    for name in names:
        code = rejection(server.at(name), allow_private=False)
        assert code == "address-refused", name
    assert server.asked == []


def test_a_redirect_to_a_private_address_is_not_asked(
    server: Server, names: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    names |= {"shop.example": ["93.184.216.34"], "in.shop.example": ["10.0.0.1"]}
    tried: list[str] = []
    real = httpcore.AnyIOBackend.connect_tcp

    async def connect(self: Any, host: str, port: int, *rest: Any) -> Any:
        tried.append(host)
        return await real(self, "127.0.0.1", server.port, *rest)

    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)
    server.pages[FIRST] = to("http://in.shop.example/b")
    code = rejection("http://shop.example", allow_private=False)
    assert (code, tried) == ("address-refused", ["93.184.216.34"])


def test_the_address_that_was_looked_at_is_the_one_connected_to(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that resolves differently the second time (DNS rebinding) has no effect: it is resolved once."""
    answers = iter(["93.184.216.34", "127.0.0.1", "127.0.0.1"])
    looked: list[Any] = []
    tried: list[str] = []

    def resolve(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        looked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    async def connect(self: Any, host: str, port: int, *rest: Any) -> Any:
        tried.append(host)
        raise httpcore.ConnectError("not in a test")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)
    code = rejection(server.at("shop.example"), allow_private=False)
    assert code == "unreachable"
    assert len(looked) == 1 and tried == ["93.184.216.34"]


def test_proxies_are_not_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.pages[FIRST] = Page(JSON)
    with serving() as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert rejection(server.url) is None
        assert proxy.asked == []


# Time


@pytest.mark.parametrize("page", [drip, silence], ids=["drip", "silence"])
def test_slow_answers_end(server: Server, page: Any) -> None:
    server.pages[FIRST] = page
    for timeouts in (
        Timeouts(connect=100, read=100, request=0.5, total=100),
        Timeouts(connect=100, read=100, request=100, total=0.5),
    ):
        started = time.monotonic()
        assert rejection(server.url, timeouts=timeouts) == "timeout"
        assert time.monotonic() - started < 50
    assert rejection(server.url, timeouts=Timeouts(read=0.3, request=3)) == "timeout"


def test_a_hanging_request_does_not_delay_the_others(server: Server) -> None:
    server.pages = {FIRST: silence, "/.well-known/agents.txt": Page(TXT)}
    site = ask(server.url, resources=None, timeouts=Timeouts(total=5))
    assert [d.format for d in site.documents] == ["agents-txt"]
    assert site.attempts[0].rejection == "timeout"


def test_connections_that_hang_end(monkeypatch: pytest.MonkeyPatch) -> None:
    import anyio

    async def connect(self: Any, *rest: Any) -> Any:
        await anyio.sleep(LONG)

    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)
    started = time.monotonic()
    timeouts = Timeouts(connect=0.3, read=100, request=100, total=100)
    code = rejection("http://93.184.216.34", timeouts=timeouts)
    assert code == "timeout"
    assert time.monotonic() - started < 50


# Size


def test_endless_bodies_end(server: Server) -> None:
    server.pages = {FIRST: endless, "/robots.txt": endless}
    started = time.monotonic()
    timeouts = Timeouts(connect=100, read=100, request=100, total=100)
    site = ask(server.url, resources=["agents-json", "robots-txt"], timeouts=timeouts)
    assert time.monotonic() - started < 50
    assert site.attempts[0].rejection == "too-large"
    # The first part of a robots.txt above the limit counts.
    assert site.robots_rules == "document"


def test_the_limit_counts_decoded_bytes(server: Server) -> None:
    for size, code in [(1 << 20, None), ((1 << 20) + 1, "too-large")]:
        body = JSON.encode().ljust(size)
        for page in (Page(body), zipped(body)):
            server.pages[FIRST] = page
            assert rejection(server.url) == code
    server.pages[FIRST] = Page(JSON.ljust(2 << 20))
    assert rejection(server.url, limits=agentsdisc.Limits(document=4 << 20)) is None


def test_gzip_bombs_are_not_blown_up(server: Server) -> None:
    bomb = zlib.compressobj(9, wbits=31)
    block = bytes(1 << 20)
    data = b"".join(bomb.compress(block) for _ in range(400)) + bomb.flush()
    assert len(data) < 500_000
    server.pages[FIRST] = Page(data, headers={"Content-Encoding": "gzip"})
    tracemalloc.start()
    try:
        assert rejection(server.url) == "too-large"
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 16 << 20


def test_many_empty_members_of_gzip_end(server: Server) -> None:
    empty = zipped(b"").body
    assert isinstance(empty, bytes)
    data = empty * 100_000
    server.pages[FIRST] = Page(data, headers={"Content-Encoding": "gzip"})
    assert rejection(server.url) == "too-large"


def test_codings_that_are_broken_or_unknown(server: Server) -> None:
    whole = zipped(JSON).body
    assert isinstance(whole, bytes)
    two = zipped(JSON[:20]).body + zipped(JSON[20:]).body  # type: ignore[operator]
    for body, coding, code in [
        (whole, "GZip", None),
        (whole, "x-gzip", None),
        (two, "gzip", None),
        (JSON.encode(), "identity", None),
        (whole[:-9], "gzip", "encoding"),
        (whole + b"junk", "gzip", "encoding"),
        (JSON.encode(), "gzip", "encoding"),
        (whole, "br", "encoding"),
        (whole, "gzip, gzip", "encoding"),
        (whole, "\x00", "unreachable"),
    ]:
        server.pages[FIRST] = Page(body, headers={"Content-Encoding": coding})
        assert rejection(server.url) == code, (coding, body[-4:])


# Responses that are not HTTP


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\xff\xfe",
        b"HTTP/1.1 banana\r\n\r\n",
        b"HTTP/1.1 99999 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
        b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"a" * 300_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 60_000 + b"\r\n",
        b"SSH-2.0-OpenSSH_9.9\r\n",
    ],
)
def test_responses_that_are_not_http(server: Server, data: bytes) -> None:
    server.pages[FIRST] = raw(data)
    assert rejection(server.url) == "unreachable"


def test_an_unreachable_server_received_no_request(
    server: Server, names: dict[str, list[str]]
) -> None:
    """An agents.md is requested at most once an hour; attempts without a request do not count."""

    def pause(url: str) -> int:
        (attempt,) = ask(url, resources=["agents-md"]).attempts
        assert attempt.rejection == "unreachable"
        assert attempt.freshness is not None
        return attempt.freshness.ask_again_at - attempt.freshness.received_at

    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert pause(f"http://127.0.0.1:{port}") == 60
    assert pause("http://nowhere.example") == 60
    server.pages["/.well-known/agents.md"] = raw(b"")
    assert pause(server.url) == 3600


def test_odd_headers(server: Server) -> None:
    server.pages[FIRST] = raw(
        b"HTTP/1.1 200 OK\r\nCache-Control: max-age=\xff\xfe,,,=\r\nExpires: \x80\r\nETag: \xe9\r\n"
        b"Age: 1e9\r\nLast-Modified: never\r\nContent-Type: \xc3\x28\r\n"
        b"Connection: close\r\n\r\n" + JSON.encode()
    )
    (found,) = ask(server.url).found
    assert found.attempt.freshness is not None
    assert found.attempt.freshness.lifetime == 0


# Certificates


def test_certificates_are_checked(
    names: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names |= {"shop.example": ["127.0.0.1"], "wrong.example": ["127.0.0.1"]}
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("shop.example").configure_cert(context)
    spoken_of: list[str | None] = []
    context.sni_callback = lambda _, name, __: spoken_of.append(name)
    with serving(context) as server:
        server.pages[FIRST] = Page(JSON)
        assert rejection(server.at("shop.example")) == "unreachable"
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        # The connection uses the address; TLS and the Host header use the name.
        assert rejection(server.at("shop.example")) is None
        assert spoken_of[-1] == "shop.example"
        assert server.asked[-1] == ("shop.example", FIRST)
        assert rejection(server.at("wrong.example")) == "unreachable"
        assert rejection(server.url) == "unreachable"
        # A redirect from https to http is not followed, not even on the same host.
        with serving() as plain:
            server.pages[FIRST] = to(plain.at("shop.example") + "/b")
            assert rejection(server.at("shop.example")) == "downgrade"
            plain.pages[FIRST] = to(server.at("shop.example") + "/b")
            server.pages["/b"] = Page(JSON)
            site = ask(plain.at("shop.example"))
            assert site.found[0].url == server.at("shop.example") + "/b"
            assert plain.asked == [("shop.example", FIRST)]


def test_nothing_turns_the_checks_off() -> None:
    from agentsdisc.discovery.transport import GuardedTransport

    for option in ("verify", "ssl_context", "insecure", "transport", "proxy"):
        with pytest.raises(TypeError):
            ask("https://shop.example", **{option: False})
        with pytest.raises(TypeError):
            GuardedTransport(**{option: False})


# Private addresses: the effect of `allow_private`


def is_refused(site: Site, resource: str) -> bool:
    (attempt,) = (a for a in site.attempts if a.resource == resource)
    assert attempt.error is None or "only the host" in attempt.error
    return attempt.rejection == "address-refused"


@pytest.mark.parametrize(
    "address",
    ["127.0.0.2", "169.254.169.254", "10.0.0.1", "[::1]", "[::ffff:127.0.0.1]"],
)
@pytest.mark.parametrize("is_async", [False, True])
def test_allow_private_opens_the_named_host_alone(
    server: Server, names: dict[str, list[str]], address: str, is_async: bool
) -> None:
    bare = address.strip("[]")
    names |= {
        "shop.example": ["127.0.0.1"],
        "cdn.shop.example": [bare],
        "operator.test": [bare],
        "mixed.test": ["93.184.216.34", bare],
    }
    port = server.port
    server.pages = {
        # A robots.txt may redirect to any site, also to an IP address.
        "/robots.txt": to(f"http://{address}:{port}/r"),
        FIRST: to(f"http://cdn.shop.example:{port}/b"),
        "/agents.txt": Page(
            TXT
            + f"Agents-JSON: http://cdn.shop.example:{port}/c.json\n"
            + f"Agent: A\n  Agent-Declaration: http://operator.test:{port}/a\n"
            + f"Agent: B\n  Agent-Declaration: http://{address}:{port}/a\n"
            + f"Agent: C\n  Agent-Declaration: http://mixed.test:{port}/a\n"
        ),
    }
    options: dict[str, Any] = {
        "allow_private": True,
        "cache": False,
        "declarations": True,
    }
    url = server.at("shop.example")
    if is_async:
        site = anyio.run(lambda: agentsdisc.adiscover(url, **options))
    else:
        site = agentsdisc.discover(url, **options)
    assert len(site.found) == 1
    for resource in ("robots-txt", "agents-json", "companion"):
        assert is_refused(site, resource), resource
    declared = [a for a in site.attempts if a.resource == "declaration"]
    assert [a.rejection for a in declared] == ["address-refused"] * 3
    assert {host for host, _ in server.asked} == {"shop.example"}


def test_a_second_dns_answer_for_the_named_host_is_not_used(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["127.0.0.1", "169.254.169.254", "10.0.0.1", "127.0.0.2"] * 9)
    tried: list[str] = []
    real = httpcore.AnyIOBackend.connect_tcp

    def resolve(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    async def connect(self: Any, host: str, port: int, *rest: Any) -> Any:
        tried.append(host)
        return await real(self, "127.0.0.1", server.port, *rest)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)
    server.pages[FIRST] = Page(JSON)
    site = ask(server.at("shop.example"), resources=None, concurrency=1)
    assert site.found and set(tried) == {"127.0.0.1"}


def test_the_flag_of_the_command_line_opens_the_named_host_alone(
    server: Server, run: Any
) -> None:
    with serving() as other:
        server.pages["/robots.txt"] = to(f"http://127.0.0.2:{other.port}/robots.txt")
        server.pages["/agents.txt"] = Page(TXT)
        options = ("--allow-private", "--no-cache")
        done = run("discover", server.url, *options, check=0)
        assert "only the host that was named may be private" in done.stdout
        assert "--allow-private" not in done.stdout
        done = run("lint", server.url, *options)
        assert "redirected-away" in done.stdout
        assert other.asked == []


def test_allow_private_opens_no_other_port_of_a_machine(
    server: Server, names: dict[str, list[str]]
) -> None:
    names |= {"evil.test": ["127.0.0.1"], "localhost": ["127.0.0.1"]}
    with serving() as other:
        for target in (other.url, other.at("localhost"), other.at("evil.test")):
            server.pages["/robots.txt"] = to(f"{target}/r")
            server.pages["/agents.txt"] = Page(
                TXT + f"Agent: A\n  Agent-Declaration: {target}/a\n"
            )
            site = ask(server.url, declarations=True, resources=None)
            assert len(site.found) == 1 and site.robots_rules == "disallow-all"
            rejections = {a.resource: a.rejection for a in site.attempts}
            assert rejections["declaration"] in {"address-refused", "invalid-url"}
        assert other.asked == []


def test_port_zero_is_not_asked(server: Server) -> None:
    server.pages[FIRST] = to("http://127.0.0.1:0/b")
    assert rejection(server.url) == "invalid-url"
    with pytest.raises(ValueError, match="is not a site"):
        ask("http://127.0.0.1:0")


@pytest.mark.parametrize(
    "url", ["https://sh\u00f6p.example/a", "https://shop.example\u3002evil.test/a"]
)
def test_a_host_that_the_client_reads_otherwise_is_not_asked(url: str) -> None:
    """The core has checked the host as it is written; httpx maps some characters to others."""
    from agentsdisc.discovery.fetch import Failed, fetch

    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(404)

    limits: dict[str, Any] = {"limit": 9, "cuts": False, "timeouts": Timeouts()}
    transport = httpx.MockTransport(answer)
    with pytest.raises(Failed):
        anyio.run(lambda: fetch(transport, url, [], **limits))
    assert asked == []
    assert (
        anyio.run(
            lambda: fetch(transport, "https://shop.example/a", [], **limits)
        ).status
        == 404
    )
