"""OAuth 2 for calls, against a server that checks what it receives."""

import base64
import copy
import hashlib
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import agentsdisc
import anyio
import httpx
import pytest
from agentsdisc import calls
from agentsdisc.discovery import Timeouts
from asgi import app_serving
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    JSONResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

TOKEN = {"access_token": "t", "token_type": "bearer"}
SECRET = "s3cret-of-the-client"


class Bank:
    """A token server and the API behind it."""

    def __init__(self) -> None:
        self.origin = ""
        self.tokens: list[str] = []
        self.grants: list[str] = []
        self.challenge = ""
        self.lasts = 3600
        self.answer: Response | None = None

    async def token(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        self.grants.append(form["grant_type"])
        if self.answer is not None:
            return self.answer
        if form["grant_type"] == "authorization_code":
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            made = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            if form["code"] != "the-code" or made != self.challenge:
                return JSONResponse({"error": "invalid_grant"}, 400)
        else:
            given = request.headers.get("authorization", "")
            wanted = base64.b64encode(f"mugbot:{SECRET}".encode()).decode()
            if given != f"Basic {wanted}":
                return JSONResponse({"error": "invalid_client"}, 401)
        self.tokens.append(f"token-{len(self.tokens)}")
        return JSONResponse(
            {
                "access_token": self.tokens[-1],
                "token_type": "Bearer",
                "expires_in": self.lasts,
            }
        )

    async def authorize(self, request: Request) -> Response:
        query = request.query_params
        assert query["code_challenge_method"] == "S256"
        self.challenge = query["code_challenge"]
        back = urlencode({"code": "the-code", "state": query["state"]})
        return RedirectResponse(f"{query['redirect_uri']}?{back}")

    async def api(self, request: Request) -> Response:
        if request.headers.get("authorization") != f"Bearer {self.tokens[-1]}":
            return Response(status_code=401)
        return JSONResponse({"ok": True})


@pytest.fixture(scope="module")
def server() -> Iterator[Bank]:
    bank = Bank()
    app = Starlette(
        routes=[
            Route("/token", bank.token, methods=["POST"]),
            Route("/authorize", bank.authorize),
            Route("/api", bank.api),
        ]
    )
    with app_serving(app) as port:
        bank.origin = f"http://127.0.0.1:{port}"
        yield bank


@pytest.fixture
def bank(server: Bank) -> Bank:
    server.tokens, server.grants = [], []
    server.answer, server.lasts = None, 3600
    return server


def documents(bank: Bank, token_url: str | None = None) -> agentsdisc.Document:
    return agentsdisc.parse(
        f"Spec-Version: 1.0\nSite-Name: Bank\nSite-URL: {bank.origin}\n"
        f"Capability: look\n  Endpoint: {bank.origin}/api\n  Protocol: REST\n"
        f"  Auth: oauth2\n  Auth-Endpoint: {token_url or bank.origin + '/token'}\n"
    )


def call(
    bank: Bank, oauth: calls.OAuth2, token_url: str | None = None, **more: Any
) -> Any:
    return calls.call(
        documents(bank, token_url),
        "look",
        {},
        agent="MugBot/1.0",
        origin=bank.origin,
        credentials=oauth,
        allow_private=True,
        **more,
    )


def client(**more: Any) -> calls.OAuth2:
    return calls.OAuth2("mugbot", SECRET, allow_private=True, **more)


def test_a_client_obtains_a_token_and_keeps_it(bank: Bank) -> None:
    oauth = client()
    assert call(bank, oauth).data == {"ok": True}
    assert call(bank, oauth).data == {"ok": True}
    assert bank.grants == ["client_credentials"]
    assert SECRET not in repr(oauth)


def test_each_site_has_tokens_of_its_own(bank: Bank) -> None:
    """The address is another one; the token server is the same."""
    oauth = client(token_url=f"{bank.origin}/token")
    call(bank, oauth)
    first = bank.tokens[-1]
    other = copy.copy(bank)
    other.origin = bank.origin.replace("127.0.0.1", "localhost")
    assert call(other, oauth).data == {"ok": True}
    assert bank.tokens[-1] != first and len(bank.grants) == 2
    bank.tokens.append(first)
    assert call(bank, oauth).data == {"ok": True}
    assert len(bank.grants) == 2


def test_a_token_without_an_end_in_numbers_is_asked_for_again(bank: Bank) -> None:
    bank.lasts = -1
    oauth = client()
    call(bank, oauth)
    call(bank, oauth)
    assert len(bank.grants) == 2


def test_a_refresh_token_survives_a_failure(bank: Bank) -> None:
    oauth = client(refresh_token="r1")
    bank.answer = Response(status_code=503)
    with pytest.raises(calls.CredentialsNeeded):
        call(bank, oauth)
    bank.answer, bank.grants = None, []
    assert call(bank, oauth).data == {"ok": True}
    assert bank.grants == ["refresh_token"]


def test_a_call_that_waits_for_a_token_ends_in_time(bank: Bank) -> None:
    oauth = client()
    lock = oauth._of((bank.origin, f"{bank.origin}/token", None)).lock
    lock.acquire()
    begun = time.monotonic()
    with pytest.raises(calls.LimitExceeded):
        call(bank, oauth, timeouts=Timeouts(total=0.3))
    assert time.monotonic() - begun < 50
    lock.release()
    assert call(bank, oauth).data == {"ok": True}


def test_a_rejected_token_is_renewed_once(bank: Bank) -> None:
    oauth = client()
    call(bank, oauth)
    bank.tokens.append("revoked")
    assert call(bank, oauth).data == {"ok": True}
    assert bank.grants == ["client_credentials"] * 2


def test_a_person_agrees_in_a_browser(bank: Bank) -> None:
    def browser(url: str) -> None:
        assert parse_qs(urlsplit(url).query)["client_id"] == ["mugbot"]
        assert httpx.get(url, follow_redirects=True).status_code == 200

    oauth = calls.OAuth2(
        "mugbot",
        authorization_url=f"{bank.origin}/authorize",
        open_url=browser,
        allow_private=True,
    )
    assert call(bank, oauth).data == {"ok": True}
    assert bank.grants == ["authorization_code"]


def test_another_host_gets_no_secret(bank: Bank) -> None:
    elsewhere = f"{bank.origin}/token".replace("127.0.0.1", "localhost")
    with pytest.raises(calls.CallError) as caught:
        call(bank, client(), elsewhere)
    assert bank.grants == []
    assert SECRET not in str(caught.value)


def test_the_origin_or_the_approved_url_decides(bank: Bank) -> None:
    """As for a bearer token: another port of this machine is another owner, and approving a URL approves that URL."""
    document = agentsdisc.parse(
        "Spec-Version: 1.0\nSite-Name: Bank\nSite-URL: http://127.0.0.1:8001\n"
        "Capability: look\n  Endpoint: http://127.0.0.1:8001/api\n  Protocol: REST\n  Auth: oauth2\n"
    )
    decision = agentsdisc.decide(
        [document], agent="a/1", capability="look", origin="http://127.0.0.1:8001"
    )
    own, other = "http://127.0.0.1:8001/token", "http://127.0.0.1:8002/token"
    assert client()._checked(own, decision) == own
    for approve in (
        [],
        [f"{other}/other"],
        ["http://127.0.0.1:8003/token"],
        ["http://127.0.0.1:8002/"],
    ):
        with pytest.raises(calls.CredentialsRefused):
            client(approve=approve)._checked(other, decision)
    assert client(approve=[other])._checked(other, decision) == other
    assert client(token_url=other)._checked(other, decision) == other
    elsewhere = "https://login.example/token"
    named = client(token_url=elsewhere)
    assert named._checked(elsewhere, decision) == elsewhere
    for url in ("https://login.example/other", "https://login.example:8443/token"):
        with pytest.raises(calls.CredentialsRefused):
            named._checked(url, decision)


@pytest.mark.parametrize(
    "url", ["http://bank.example/token", "https://u:p@bank.example/token"]
)
def test_an_unsafe_endpoint_gets_no_secret(bank: Bank, url: str) -> None:
    with pytest.raises(calls.CredentialsRefused):
        call(bank, client(token_url=url))


@pytest.mark.parametrize(
    "answer",
    [
        JSONResponse({"error": "invalid_client"}, 401),
        Response("<html>", media_type="text/html"),
        JSONResponse({"access_token": 7}),
        JSONResponse({"access_token": "t", "token_type": "mac"}),
        JSONResponse({"access_token": "t\r\nCookie: a=b", "token_type": "Bearer"}),
        JSONResponse([]),
        RedirectResponse("http://localhost:1/token", 307),
        Response(status_code=500),
        JSONResponse(TOKEN, 500),
        JSONResponse({**TOKEN, "token_type": "mac"}),
        JSONResponse({**TOKEN, "token_type": ["Bearer"]}),
        JSONResponse({**TOKEN, "access_token": "t\r\nX-Evil: 1"}),
        JSONResponse({**TOKEN, "access_token": "t\u0000"}),
        JSONResponse({**TOKEN, "access_token": "t\u00e9"}),
        JSONResponse({**TOKEN, "access_token": ""}),
        JSONResponse({**TOKEN, "access_token": "t" * 100_000}),
        JSONResponse({"error": "\x1b[2Jgone\r\n"}, 400),
        Response("[" * 100_000, media_type="application/json"),
        Response(b"\xff\xfe", media_type="application/json"),
        Response('{"access_token": "t", "pad": "' + "x" * (2 << 20) + '"}'),
    ],
)
def test_a_server_without_a_token_is_an_error(bank: Bank, answer: Response) -> None:
    bank.answer = answer
    with pytest.raises(calls.CredentialsNeeded) as caught:
        call(bank, client())
    assert SECRET not in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(bank.grants) == 1


@pytest.mark.parametrize("part", [b"x" * 65536, b"x"])
def test_an_endless_answer_ends(bank: Bank, part: bytes) -> None:
    ended = threading.Event()

    async def parts() -> AsyncIterator[bytes]:
        try:
            while True:
                yield part
                await anyio.sleep(0.001)
        finally:
            ended.set()

    bank.answer = StreamingResponse(parts(), media_type="application/json")
    begun = time.monotonic()
    with pytest.raises(calls.CredentialsNeeded):
        call(bank, client(timeouts=Timeouts(request=1)))
    assert time.monotonic() - begun < 50
    assert ended.wait(50)


@pytest.mark.parametrize(
    ("lasts", "asked"),
    [
        (3600, 1),
        ("3600", 1),
        (None, 1),
        (True, 1),
        (-5, 2),
        (0, 2),
        (10**400, 1),
        ("NaN", 1),
        (float("nan"), 2),
        (float("inf"), 1),
        ([], 1),
    ],
)
def test_any_lifetime_is_read(bank: Bank, lasts: Any, asked: int) -> None:
    bank.tokens.append("t")
    text = json.dumps({**TOKEN, "expires_in": lasts, "refresh_token": 7})
    bank.answer = Response(text, media_type="application/json")
    oauth = client()
    for _ in range(2):
        assert call(bank, oauth).data == {"ok": True}
    assert bank.grants == ["client_credentials"] * asked


@pytest.mark.parametrize(
    ("origin", "url", "is_own"),
    [
        ("https://bank.co.uk", "https://login.bank.co.uk/token", True),
        ("https://api.bank.co.uk", "https://login.bank.co.uk:8443/token", True),
        ("https://api.bank.co.uk", "https://bank.co.uk/token", True),
        ("https://bank.co.uk", "https://other.co.uk/token", False),
        ("https://bank.co.uk", "https://bank.co.uk.evil.example/token", False),
        ("https://bank.co.uk", "https://evil-bank.co.uk/token", False),
        ("https://a.github.io", "https://b.github.io/token", False),
        ("https://bank.co.uk", "http://login.bank.co.uk/token", False),
        ("https://bank.co.uk", "https://u@login.bank.co.uk/token", False),
        ("https://bank.co.uk", "https://login.bank.co.uk\\@evil.example/token", False),
        ("https://bank.co.uk", "/token", False),
        ("https://bank.co.uk", "https://bank.co.uk:0/token", False),
        ("https://bank.co.uk", "https://10.0.0.1/token", False),
    ],
)
def test_the_registrable_domain_decides(origin: str, url: str, is_own: bool) -> None:
    document = agentsdisc.parse(
        f"Spec-Version: 1.0\nSite-Name: Bank\nSite-URL: {origin}\n"
        f"Capability: look\n  Endpoint: {origin}/api\n  Protocol: REST\n  Auth: oauth2\n"
    )
    decision = agentsdisc.decide(
        [document], agent="a/1", capability="look", origin=origin
    )
    oauth = calls.OAuth2("mugbot", SECRET)
    if is_own:
        assert oauth._checked(url, decision) == url
        return
    with pytest.raises(calls.CredentialsRefused):
        oauth._checked(url, decision)
