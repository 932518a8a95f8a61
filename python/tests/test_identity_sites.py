"""Sites that check signatures: directories over HTTPS, the gate over ASGI and WSGI, and agents that sign what they send."""

import asyncio
import base64
import contextlib
import json
import socket
import ssl
import threading
import time
import wsgiref.simple_server
import wsgiref.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import agentsdisc
import httpx
import pytest
import trustme
from agentsdisc import RobotsTxt, _agentsdisc, decide, parse
from agentsdisc.discovery import Timeouts
from agentsdisc.identity import (
    Admission,
    AsgiGate,
    Directory,
    Gate,
    Identity,
    Key,
    Replays,
    WsgiGate,
    averify,
    sign,
    verify,
)
from agentsdisc.identity.middleware import _OPEN
from asgi import app_serving
from asking import PATIENT
from server import Page, Server, drip, endless, serving, silence, to
from test_policy import VECTORS, document_of, text_of

URL = "https://shop.example/mugs"
MEDIA = "application/http-message-signatures-directory+json"
PLACE = "/.well-known/http-message-signatures-directory"
KEY = Key.generate()
KEYS = {"keys": [KEY.public]}
FAST = Timeouts(connect=1.0, read=1.0, request=1.0)
TXT = """\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: {origin}
Allow: /mugs
Disallow: /admin
Agent: *
  Rate-Limit: 2/minute
Agent: Quick
  Rate-Limit: 3/minute
"""


@contextlib.contextmanager
def agent_serving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: Any
) -> Iterator[Server]:
    """Runs the server of an agent, with TLS: its directory is at a loopback address."""
    authority = trustme.CA()
    trusted = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(trusted))
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1", "localhost").configure_cert(context)
    with serving(context) as server:
        server.pages = {PLACE: directory(keys)}
        yield server


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with agent_serving(tmp_path, monkeypatch, KEYS) as server:
        yield server


@contextlib.contextmanager
def free_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        yield free.getsockname()[1]


def text_of_shop(origin: str) -> str:
    """The agents.txt of a site with one capability."""
    text = TXT.format(origin=origin).replace("2/minute", "100/minute")
    return f"{text}Capability: search\n  Endpoint: {origin}/search\n  Protocol: REST\n  Method: GET\n"


def directory(keys: Any, **headers: str) -> Page:
    return Page(json.dumps(keys), headers={"Content-Type": MEDIA, **headers})


def keys_at(agent: Server, **options: Any) -> Directory:
    settings = {"timeouts": PATIENT, **options}
    return Directory(allow_private=[agent.url], **settings)


def reason(agent: Server, keys: Directory, key: Key = KEY, place: str = "") -> str:
    made = sign(key, "GET", URL, directory=agent.url + place)
    return verify("GET", URL, made, keys=keys).reason


# Directories


def test_a_directory_is_fetched_once(agent: Server) -> None:
    keys = keys_at(agent)
    made = sign(KEY, "GET", URL, directory=agent.url)
    verdict = verify("GET", URL, made, keys=keys)
    assert verdict.valid and verdict.identity == agent.url + PLACE
    assert [reason(agent, keys) for _ in range(5)] == ["valid"] * 5
    assert agent.paths == [PLACE]
    assert agent.headers[0]["Accept"] == MEDIA


def test_many_requests_at_once_fetch_it_once(agent: Server) -> None:
    keys = keys_at(agent, concurrency=1)

    async def go() -> list[bool]:
        made = [sign(KEY, "GET", URL, directory=agent.url) for _ in range(20)]
        found = await asyncio.gather(
            *(averify("GET", URL, each, keys=keys) for each in made)
        )
        return [each.valid for each in found]

    assert asyncio.run(go()) == [True] * 20
    assert agent.paths == [PLACE]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (Page(status=404), "directory-failed"),
        (Page(status=500), "directory-failed"),
        (Page(json.dumps(KEYS), 204), "directory-failed"),
        (Page(json.dumps(KEYS), 203, {"Content-Type": MEDIA}), "directory-failed"),
        (to("/elsewhere"), "directory-failed"),
        (directory({"keys": [KEY.public], "x": "a" * 70_000}), "directory-failed"),
        (endless, "directory-failed"),
        (drip, "directory-failed"),
        (silence, "directory-failed"),
        (
            Page(json.dumps(KEYS), headers={"Content-Type": "text/html"}),
            "directory-invalid",
        ),
        (Page(json.dumps(KEYS)), "directory-invalid"),
        (Page("{", headers={"Content-Type": MEDIA}), "directory-invalid"),
        (directory([KEY.public]), "directory-invalid"),
        (directory({"keys": {}}), "directory-invalid"),
        (directory({"keys": []}), "unknown-key"),
        (directory({"keys": [Key.generate().public]}), "unknown-key"),
        (directory({"keys": [{**KEY.public, "d": "AAAA"}]}), "key-private"),
        (directory({"keys": [{**KEY.public, "exp": 1}]}), "key-expired"),
        (directory({"keys": [{**KEY.public, "x": "AAAA"}]}), "unknown-key"),
        (
            directory({"keys": [Key.generate().public] * 100 + [KEY.public]}),
            "too-many-keys",
        ),
    ],
)
def test_bad_directories(agent: Server, page: Any, expected: str) -> None:
    agent.pages = {PLACE: page, "/elsewhere": directory(KEYS)}
    timeouts = FAST if page in (drip, silence) else PATIENT
    begun = time.monotonic()
    assert reason(agent, keys_at(agent, timeouts=timeouts)) == expected
    assert time.monotonic() - begun < 50
    assert "/elsewhere" not in agent.paths


def test_directories_of_private_hosts_are_not_asked(agent: Server) -> None:
    assert reason(agent, Directory(timeouts=FAST)) == "directory-failed"
    for place in (
        "https://localhost:1",
        "https://169.254.169.254",
        "https://[::1]",
        "https://10.0.0.1",
        "https://agent.invalid",
    ):
        made = sign(KEY, "GET", URL, directory=place)
        keys = Directory(timeouts=FAST, allow_private=[agent.url])
        assert verify("GET", URL, made, keys=keys).reason == "directory-failed"
    assert reason(agent, keys_at(agent, allow=["agent.example"])) == "directory-failed"
    assert agent.paths == []
    assert reason(agent, keys_at(agent, allow=["127.0.0.1"])) == "valid"


def test_a_new_key_is_found_and_a_removed_one_refused(agent: Server) -> None:
    keys, new, now = keys_at(agent), Key.generate(), [0.0]
    keys._clock = lambda: now[0]
    assert reason(agent, keys) == "valid"
    agent.pages[PLACE] = directory({"keys": [new.public]})
    # Not more often than once a minute, however many requests name unknown keys.
    assert [reason(agent, keys, new) for _ in range(3)] == ["unknown-key"] * 3
    assert len(agent.paths) == 1
    now[0] = 61.0
    assert reason(agent, keys, new) == "valid"
    assert reason(agent, keys) == "unknown-key"
    assert len(agent.paths) == 2


def test_an_outage_revokes_nothing_for_a_day(agent: Server) -> None:
    keys, now = keys_at(agent), [0.0]
    keys._clock = lambda: now[0]
    agent.pages[PLACE] = directory(KEYS, **{"Cache-Control": "max-age=120"})
    assert reason(agent, keys) == "valid"
    agent.pages[PLACE] = Page(status=503)
    for at, expected, requests in (
        (119, "valid", 1),
        (121, "valid", 2),
        (122, "valid", 2),
        (86_519, "valid", 3),
        (86_600, "directory-failed", 4),
    ):
        now[0] = float(at)
        assert (reason(agent, keys), len(agent.paths)) == (expected, requests), at
    agent.pages[PLACE] = directory(KEYS)
    now[0] = 86_700.0
    assert reason(agent, keys) == "valid"


def test_failures_are_remembered_for_a_minute(agent: Server) -> None:
    keys, now = keys_at(agent), [0.0]
    keys._clock = lambda: now[0]
    agent.pages = {}
    assert [reason(agent, keys) for _ in range(4)] == ["directory-failed"] * 4
    assert len(agent.paths) == 1
    agent.pages = {PLACE: directory(KEYS)}
    now[0] = 61.0
    assert reason(agent, keys) == "valid"


def test_the_number_of_directories_is_bounded(agent: Server) -> None:
    keys = keys_at(agent, size=3)
    for number in range(10):
        reason(agent, keys, place=f"/{number}")
    assert len(keys._entries) == 3


def test_a_key_set_has_its_own_url(agent: Server) -> None:
    agent.pages = {
        "/keys?v=1": Page(
            json.dumps(KEYS), headers={"Content-Type": "application/json"}
        )
    }
    made = sign(KEY, "GET", URL, directory=agent.url + "/keys?v=1")
    verdict = verify("GET", URL, made, keys=keys_at(agent))
    assert verdict.identity == agent.url + "/keys"


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("", 3600),
        ("max-age=600", 600),
        ("public, max-age=5", 60),
        ("max-age=9999999", 86_400),
        ("no-store", 60),
        ("max-age=x", 60),
        ("max-age=120, max-age=600", 120),
        ('max-age="120"', 120),
    ],
)
def test_how_long_a_directory_is_fresh(given: str, seconds: float) -> None:
    from agentsdisc.identity.directory import _lifetime

    assert _lifetime([given.encode()] if given else []) == seconds


def card(agent: Server, **members: Any) -> Page:
    """A Client ID Metadata Document of the agent."""
    found = {"client_id": f"{agent.url}/card", "client_name": "Bot", **members}
    return Page(json.dumps(found), headers={"Content-Type": "application/json"})


def of_card(agent: Server, keys: Directory, place: str = "/card") -> Any:
    """The verdict about a request whose agent is a card."""
    said = f'sig1="{agent.url}{place}";type=cimd'
    made = sign(KEY, "GET", URL, [("X-Agent", said)])
    # Signed as a whole field of another name, which is as long.
    request = b"GET", URL.encode(), [(b"Signature-Agent", said.encode())]
    name = made["Signature-Input"].replace('"x-agent"', '"signature-agent"')
    base = _agentsdisc._signature_base(
        (*request[:2], [*request[2], (b"Signature-Input", name.encode())]), b"sig1"
    )
    value = base64.b64encode(KEY._sign(base)).decode()
    headers = {
        "Signature-Agent": said,
        "Signature-Input": name,
        "Signature": f"sig1=:{value}:",
    }
    return verify("GET", URL, headers, keys=keys)


def test_a_card_has_the_keys_or_their_url(agent: Server) -> None:
    agent.pages = {"/card": card(agent, jwks=KEYS)}
    verdict = of_card(agent, keys_at(agent))
    assert verdict.valid and verdict.identity == agent.url + "/card"
    # The URL counts more than what stands beside it.
    agent.pages = {
        "/card": card(agent, jwks={"keys": []}, jwks_uri=agent.url + "/keys"),
        "/keys": Page(json.dumps(KEYS), headers={"Content-Type": "application/json"}),
    }
    keys, seen = keys_at(agent), len(agent.paths)
    assert [of_card(agent, keys).reason for _ in range(3)] == ["valid"] * 3
    assert agent.paths[seen:] == ["/card", "/keys"]
    # A set of keys is no card, and a card is no set of keys.
    assert of_card(agent, keys_at(agent), "/keys").reason == "directory-invalid"
    assert reason(agent, keys_at(agent), place="/card") == "directory-invalid"


@pytest.mark.parametrize(
    ("members", "keys", "expected"),
    [
        ({}, None, "directory-invalid"),
        ({"jwks": [KEY.public]}, None, "directory-invalid"),
        ({"jwks": {}}, None, "directory-invalid"),
        ({"jwks": {"keys": []}}, None, "unknown-key"),
        (
            {"jwks": KEYS, "client_id": "https://other.example"},
            None,
            "directory-invalid",
        ),
        ({"jwks": KEYS, "client_id": None}, None, "directory-invalid"),
        ({"jwks_uri": "http://127.0.0.1/keys"}, None, "directory-invalid"),
        ({"jwks_uri": "/keys"}, None, "directory-invalid"),
        ({"jwks_uri": "https://10.0.0.1/keys"}, None, "directory-failed"),
        ({"jwks_uri": "https://169.254.169.254/keys"}, None, "directory-failed"),
        ({"jwks_uri": "/keys of the agent"}, to("/elsewhere"), "directory-failed"),
        ({"jwks_uri": "/keys of the agent"}, endless, "directory-failed"),
        ({"jwks_uri": "/keys of the agent"}, Page(status=404), "directory-failed"),
        (
            {"jwks_uri": "/keys of the agent"},
            directory({"keys": [{**KEY.public, "d": "AAAA"}]}),
            "key-private",
        ),
    ],
)
def test_bad_cards(
    agent: Server, members: dict[str, Any], keys: Any, expected: str
) -> None:
    if members.get("jwks_uri") == "/keys of the agent":
        members = {"jwks_uri": agent.url + "/keys"}
    agent.pages = {"/card": card(agent, **members), "/elsewhere": directory(KEYS)}
    if keys is not None:
        agent.pages["/keys"] = keys
    assert of_card(agent, keys_at(agent)).reason == expected
    assert "/elsewhere" not in agent.paths


def test_a_card_is_not_redirected_and_bounded(agent: Server) -> None:
    agent.pages = {"/card": to("/elsewhere"), "/elsewhere": card(agent, jwks=KEYS)}
    assert of_card(agent, keys_at(agent)).reason == "directory-failed"
    agent.pages = {"/card": card(agent, jwks=KEYS, client_name="a" * 70_000)}
    assert of_card(agent, keys_at(agent)).reason == "directory-failed"
    twice = f'{{"client_id":"{agent.url}/card","jwks":{{}},"jwks":{json.dumps(KEYS)}}}'
    headers = {"Content-Type": "application/json"}
    agent.pages = {"/card": Page(twice, headers=headers)}
    assert of_card(agent, keys_at(agent)).reason == "directory-invalid"


# The gate


def gate(**options: Any) -> Gate:
    origin = "https://shop.example"
    options = {
        "documents": parse(TXT.format(origin=origin)),
        "keys": KEYS,
        "origin": origin,
        **options,
    }
    return Gate(**options)


def signed(
    target: str = "/mugs", method: str = "GET", agent: str = "Bot/1.0", **options: Any
) -> dict[str, str]:
    url = "https://shop.example" + target
    return {"Host": "shop.example", "User-Agent": agent} | sign(
        options.pop("key", KEY), method, url, **options
    )


def test_a_gate_answers_200_401_403_and_429() -> None:
    found = gate()
    first = found.admit("GET", "/mugs", signed(), now=100.0 + time.time())
    assert (first.status, first.reason) == (401, "expired")
    now = time.time()
    admitted = [found.admit("GET", "/mugs", signed(now=now), now=now) for _ in range(3)]
    assert [each.status for each in admitted] == [200, 200, 429]
    assert admitted[0].decision == decide(
        parse(TXT.format(origin="https://shop.example")),
        agent="Bot/1.0",
        url=URL,
        method="GET",
        origin="https://shop.example",
    )
    assert admitted[2].headers == {"Retry-After": "60"}
    assert json.loads(admitted[2].body)["reason"] == "rate-limited"
    later = now + 60
    assert found.admit("GET", "/mugs", signed(now=later), now=later).status == 200
    denied = found.admit("GET", "/admin/x", signed("/admin/x"))
    assert (denied.status, denied.reason) == (403, "disallowed")
    nobody = found.admit("GET", "/mugs", {"User-Agent": "Bot/1.0"})
    assert (nobody.status, nobody.reason) == (401, "unsigned")
    assert nobody.headers["WWW-Authenticate"] == "Signature"
    assert 'tag="web-bot-auth"' in nobody.headers["Accept-Signature"]
    assert json.loads(nobody.body) == {
        "type": "about:blank",
        "title": "Unauthorized",
        "status": 401,
        "reason": "unsigned",
        "detail": "The request has neither Signature nor Signature-Input.",
    }


def test_rate_limits_count_each_agent() -> None:
    other = Key.generate()
    found = gate(keys={"keys": [KEY.public, other.public]})

    def status(key: Key, agent: str) -> int:
        return found.admit("GET", "/mugs", signed(key=key, agent=agent)).status

    assert [status(KEY, "Bot") for _ in range(3)] == [200, 200, 429]
    assert [status(other, "Quick") for _ in range(4)] == [200, 200, 200, 429]
    assert status(KEY, "Bot") == 429


def test_a_replayed_request_is_refused() -> None:
    found, made = gate(), signed()
    assert [found.admit("GET", "/mugs", made).reason for _ in range(2)][1] == "replayed"
    again = gate(replays=None)
    assert [again.admit("GET", "/mugs", made).status for _ in range(2)] == [200, 200]


def test_a_signature_for_another_site_fits_none() -> None:
    evil = sign(KEY, "GET", "https://evil.example/mugs")
    for host in ("evil.example", "shop.example", "", "shop.example, evil.example"):
        assert (
            gate().admit("GET", "/mugs", {"Host": host, **evil}).reason
            == "wrong-signature"
        )
    both = gate(origin=["https://shop.example", "https://www.shop.example"])
    made = sign(KEY, "GET", "https://www.shop.example/mugs")
    assert (
        both.admit(
            "GET", "/mugs", {"Host": "WWW.shop.example", "User-Agent": "Bot", **made}
        ).status
        == 200
    )
    made = sign(KEY, "GET", "https://www.shop.example/mugs")
    assert both.admit("GET", "/mugs", {"Host": "shop.example", **made}).status == 401


def test_documents_are_open_and_the_rest_is_not() -> None:
    found = gate()
    for target in ("/agents.txt", "/.well-known/agents.txt", "/robots.txt"):
        assert found.admit("GET", target, {}).status == 200, target
        assert found.admit("POST", target, {}).status == 401, target
        assert found.admit("GET", target, {"Signature": "x"}).status == 401, target
    for target in (
        "/",
        "/mugs",
        "/robots.txt/x",
        "//robots.txt",
        "",
        "*",
        "http://shop.example/agents.txt",
    ):
        assert found.admit("GET", target, {}).status == 401, target


def test_people_pass_where_the_site_says_so() -> None:
    found = gate(unsigned="pass")
    assert found.admit("GET", "/admin", {}).status == 200
    assert found.admit("GET", "/mugs", {"Signature-Input": "x"}).status == 401
    assert (
        found.admit("GET", "/mugs", signed() | {"Signature": "sig1=:AAAA:"}).status
        == 401
    )


def test_an_agent_without_counter_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentsdisc.identity import middleware

    monkeypatch.setattr(middleware, "_MOST_AGENTS", 1)
    other = Key.generate()
    found = gate(keys={"keys": [KEY.public, other.public]})
    assert found.admit("GET", "/mugs", signed()).status == 200
    refused = found.admit("GET", "/mugs", signed(key=other))
    assert (refused.status, refused.headers) == (429, {"Retry-After": "60"})


def test_what_a_request_contains_never_raises() -> None:
    for text in (
        "",
        "\0",
        "\ud800",
        "é",
        "☃",
        "a" * 100_000,
        "\r\n",
        "%",
        "/%zz",
        "/" * 5000,
    ):
        for found in (gate(), gate(unsigned="pass")):
            for headers in (
                {text: text},
                {"User-Agent": text},
                {"Host": text},
                signed() | {"User-Agent": text},
            ):
                for admission in (
                    found.admit("GET", text, headers),
                    found.admit(text, "/mugs", headers),
                ):
                    assert isinstance(json.loads(admission.body), dict)
    assert gate().admit("GET", "/", None).status == 401  # type: ignore[arg-type]


def test_wrong_options_raise() -> None:
    for origin in ("shop.example", "https://shop.example/x", "ftp://shop.example", []):
        with pytest.raises(ValueError, match="origin"):
            gate(origin=origin)
    with pytest.raises(ValueError, match="unsigned"):
        gate(unsigned="allow")
    with pytest.raises(TypeError):
        gate(documents="x")


def questions() -> list[Any]:
    found = []
    for path in VECTORS:
        vector = json.loads(path.read_text())
        for index, question in enumerate(vector["questions"]):
            if "url" in question:
                found.append(pytest.param(vector, question, id=f"{path.stem}-{index}"))
    return found


QUESTIONS = questions()


def test_there_are_questions() -> None:
    assert len(QUESTIONS) > 300


@pytest.mark.parametrize(("vector", "question"), QUESTIONS)
def test_site_and_agent_decide_alike(vector: Any, question: Any) -> None:
    """What the site answers is what the agent knew before it asked."""
    documents = [document_of(part) for part in vector["documents"]]
    robots = vector.get("robots")
    if isinstance(robots, dict):
        robots = RobotsTxt(text_of(robots).encode())
    url, agent = question["url"], question["agent"]
    parts = urlsplit(url)
    is_whole = (
        parts.scheme in {"http", "https"} and parts.hostname and "@" not in parts.netloc
    )
    base = f"{parts.scheme}://{parts.netloc}" if is_whole else "https://site.example"
    try:
        origin = str(httpx.URL(base)).rstrip("/")
        target = url[len(base) :].partition("#")[0] if is_whole else url
        method = question.get("method", "GET")
        made = sign(KEY, method, origin + target)
    except (ValueError, httpx.InvalidURL):
        pytest.skip("no client can send that request")
    if not target.startswith("/") or agent != agent.strip() or not agent.isprintable():
        pytest.skip("no client can send that request")
    expected = decide(
        documents,
        agent=agent,
        url=origin + target,
        method=method,
        robots=robots,
        origin=origin,
    )
    found = Gate(origin=origin, documents=documents, robots=robots, keys=KEYS)
    headers = [(b"User-Agent", agent.encode())] + [
        (n.encode(), v.encode()) for n, v in made.items()
    ]
    admission = found.admit(method, target, headers)
    assert admission.decision == expected
    if admission.reason == "valid":
        assert target.partition("?")[0] in _OPEN and method in {"GET", "HEAD"}
        return
    zero = any(limit.requests == 0 for limit in expected.rate_limits)
    assert admission.status == (200 if expected.allowed and not zero else 403)


# Over HTTP


async def shop(scope: Any, receive: Any, send: Any) -> None:
    """A site: its agents.txt, and otherwise says who asked."""
    admission: Admission = scope["agentsdisc"]
    body = str(admission.verdict.identity)
    if scope["path"] == "/.well-known/agents.txt":
        scheme, host = scope["scheme"], dict(scope["headers"])[b"host"].decode()
        body = text_of_shop(f"{scheme}://{host}")
    head = {"type": "http.response.start", "status": 200}
    await send({**head, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": body.encode()})


@contextlib.contextmanager
def site(**options: Any) -> Iterator[str]:
    """Runs a gated site over HTTP."""
    with free_port() as port:
        origin = f"http://127.0.0.1:{port}"
    documents = parse(text_of_shop(origin))
    gated = AsgiGate(shop, origin=origin, documents=documents, keys=KEYS, **options)
    with app_serving(gated, port=port, lifespan="off"):
        yield origin


def test_an_agent_signs_what_it_asks() -> None:
    with site() as origin:
        me = Identity(KEY, "https://agent.example")
        found = agentsdisc.discover(
            origin, allow_private=True, cache=False, identity=me, user_agent="Bot/1.0"
        )
        assert [document.format for document in found.documents] == ["agents-txt"]
        answer = found.call(
            "search", {}, agent="Bot/1.0", identity=(KEY, "https://agent.example")
        )
        assert answer.body.decode() == KEY.thumbprint
        with pytest.raises(agentsdisc.calls.CallFailed) as raised:
            found.call("search", {}, agent="Bot/1.0")
        assert raised.value.status == 401
        with pytest.raises(agentsdisc.calls.CallFailed):
            found.call(
                "search",
                {},
                agent="Bot/1.0",
                identity=(Key.generate(), "https://agent.example"),
            )


def test_a_proxy_that_changes_things() -> None:
    """Between an agent and a site, something changes the request: nothing that is covered may change."""
    with site() as origin, httpx.Client(trust_env=False) as client:
        url = origin + "/mugs?color=red"

        def status(method: str, changed: str, headers: dict[str, str]) -> int:
            return client.request(
                method, changed, headers={"User-Agent": "Bot"} | headers
            ).status_code

        def made() -> dict[str, str]:
            return sign(KEY, "GET", url, directory="https://agent.example")

        assert status("GET", url, made()) == 200
        assert (
            status(
                "GET",
                url,
                {name.lower(): value for name, value in made().items()}
                | {"Via": "proxy", "X-Forwarded-For": "10.0.0.1"},
            )
            == 200
        )
        assert status("POST", url, made()) == 401
        assert status("GET", url + "&x=1", made()) == 401
        assert status("GET", origin + "/mugs", made()) == 401
        assert status("GET", origin + "/mugs/?color=red", made()) == 401
        for name in ("Signature", "Signature-Input", "Signature-Agent"):
            assert (
                status("GET", url, {k: v for k, v in made().items() if k != name})
                == 401
            )
        assert (
            status(
                "GET", url, made() | {"Signature-Agent": 'sig1="https://evil.example"'}
            )
            == 401
        )
        late = sign(KEY, "GET", url, now=time.time() - 120)
        early = sign(KEY, "GET", url, now=time.time() + 120)
        assert status("GET", url, late) == status("GET", url, early) == 401
        answer = client.get(url)
        assert answer.headers["content-type"] == "application/problem+json"
        assert (
            answer.json()["reason"] == "unsigned"
            and answer.headers["cache-control"] == "no-store"
        )
        assert client.head(url).content == b""
        assert client.get(origin + "/.well-known/agents.txt").status_code == 200


def test_wsgi() -> None:
    seen: list[Any] = []

    def app(environ: Any, start: Any) -> list[bytes]:
        seen.append(environ["agentsdisc"])
        start("200 OK", [("Content-Type", "text/plain")])
        return [b"ok"]

    class Quiet(wsgiref.simple_server.WSGIRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    with wsgiref.simple_server.make_server(
        "127.0.0.1", 0, None, handler_class=Quiet
    ) as server:
        origin = f"http://127.0.0.1:{server.server_port}"
        server.set_app(
            WsgiGate(
                app,
                origin=origin,
                documents=parse(TXT.format(origin=origin)),
                keys=KEYS,
            )
        )
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        with httpx.Client(trust_env=False) as client:
            url = origin + "/mugs/%C3%A9%20x?a=%20b"

            def get(headers: dict[str, str]) -> httpx.Response:
                return client.get(url, headers={"User-Agent": "Bot"} | headers)

            assert [get(sign(KEY, "GET", url)).status_code for _ in range(3)] == [
                200,
                200,
                429,
            ]
            assert get({}).json()["reason"] == "unsigned"
            assert client.head(url).content == b""
        server.shutdown()
    assert seen[0].verdict.identity == KEY.thumbprint


def test_websockets_are_closed() -> None:
    sent: list[Any] = []

    async def app(*_: Any) -> None:
        raise AssertionError

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    gated = AsgiGate(app, origin="https://shop.example", documents=[], keys=KEYS)
    asyncio.run(gated({"type": "websocket", "path": "/", "headers": []}, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_replays_are_shared_if_the_site_says_so() -> None:
    shared = Replays()
    made = signed()
    assert gate(replays=shared).admit("GET", "/mugs", made).status == 200
    assert gate(replays=shared).admit("GET", "/mugs", made).reason == "replayed"
