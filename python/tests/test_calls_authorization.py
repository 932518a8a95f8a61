"""Authentication that is found: from a refusal to the resource, to its authorization server, to a token."""

import json
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import agentsdisc
import anyio
import pytest

pytest.importorskip("mcp")

from agentsdisc import calls, mcp
from authorization import CLIENT, SECRET, WELL_KNOWN, World, world


@pytest.fixture(scope="module")
def running() -> Iterator[World]:
    with world() as found:
        yield found


@pytest.fixture
def bank(running: World) -> World:
    running.reset()
    return running


def documents(bank: World, protocol: str = "REST", auth: str = "") -> Any:
    where = bank.mcp if protocol == "MCP" else f"{bank.api}/api"
    return agentsdisc.parse(
        f"Spec-Version: 1.0\nSite-Name: Bank\nSite-URL: {bank.api}\n"
        f"Capability: look\n  Endpoint: {where}\n  Protocol: {protocol}\n{auth}"
    )


def client(bank: World, opened: list[str] | None = None, **more: Any) -> calls.OAuth2:
    """A client for which a person agrees in a browser at once."""
    seen: list[str] = [] if opened is None else opened

    def open_url(url: str) -> None:
        seen.append(url)
        threading.Thread(target=bank.opened, args=(url,)).start()

    options = {"open_url": open_url, "approve": [bank.issuer.url], **more}
    return calls.OAuth2(CLIENT, SECRET, **options)


def registering(bank: World, opened: list[str] | None = None, **more: Any) -> Any:
    """A client that registers itself."""

    def open_url(url: str) -> None:
        if opened is not None:
            opened.append(url)
        threading.Thread(target=bank.opened, args=(url,)).start()

    options = {"open_url": open_url, "approve": [bank.issuer.url], **more}
    return calls.OAuth2(register="Mug bot", **options)


def call(bank: World, oauth: Any, protocol: str = "REST", auth: str = "") -> Any:
    return calls.call(
        documents(bank, protocol, auth),
        "look",
        {},
        agent="MugBot/1.0",
        origin=bank.api,
        allow_private=True,
        credentials=oauth,
    )


def asked_of(bank: World, path: str) -> list[dict[str, str]]:
    return [given for where, given in bank.issuer.asked if where == path]


@pytest.mark.parametrize("auth", ["", "  Auth: oauth2\n", "  Auth: none\n"])
def test_a_call_follows_the_refusal_to_a_token(bank: World, auth: str) -> None:
    oauth, opened = client(bank), list[str]()
    assert json.loads(call(bank, client(bank, opened), auth=auth).body) == {"ok": True}
    (page,), (token,) = asked_of(bank, "/authorize"), asked_of(bank, "/token")
    assert page["code_challenge_method"] == "S256" and page["scope"] == "read"
    assert page["resource"] == token["resource"] == f"{bank.api}/api"
    assert len(opened) == 1 and token["code_verifier"]
    # The next call has the token at once, without asking anybody.
    oauth = client(bank)
    call(bank, oauth, auth=auth)
    before, paths = len(bank.issuer.asked), len(bank.sent)
    call(bank, oauth, auth=auth)
    assert len(bank.issuer.asked) == before and len(bank.sent) == paths + 1


def test_a_session_follows_the_refusal_to_a_token(bank: World) -> None:
    oauth = client(bank)

    async def go() -> str:
        async with mcp.connect(
            documents(bank, "MCP"),
            agent="MugBot/1.0",
            origin=bank.api,
            allow_private=True,
            token=oauth,
        ) as session:
            await session.call_tool("look")
            # A token that is revoked is renewed in the session.
            bank.issuer.tokens.clear()
            result = await session.call_tool("look")
            return str(result.content[0].text)  # type: ignore[union-attr]

    assert anyio.run(go) == "seen"
    assert asked_of(bank, "/authorize")[0]["resource"] == bank.mcp
    grants = [given["grant_type"] for given in asked_of(bank, "/token")]
    assert grants == ["authorization_code", "refresh_token"]


def test_a_call_of_a_tool_follows_the_refusal_to_a_token(bank: World) -> None:
    for name in ("look", "look"):
        answer = calls.call(
            documents(bank, "MCP"),
            name,
            {},
            agent="MugBot/1.0",
            origin=bank.api,
            allow_private=True,
            credentials=client(bank),
        )
        assert json.loads(answer.body)["content"][0]["text"] == "seen"


def test_a_token_for_more_scopes_keeps_those_before(bank: World) -> None:
    oauth = client(bank)
    call(bank, oauth)
    bank.scope = "write"
    assert call(bank, oauth).status == 200
    assert [each["scope"] for each in asked_of(bank, "/authorize")] == [
        "read",
        "read write",
    ]
    bank.scope = "all"
    with pytest.raises(calls.CallError):
        call(bank, oauth)


def test_scopes_of_the_caller_are_not_exceeded(bank: World) -> None:
    call(bank, client(bank, scopes=["write"]))
    bank.scope = "read"
    with pytest.raises(calls.CallError):
        call(bank, client(bank, scopes=["write"]))
    assert {each["scope"] for each in asked_of(bank, "/authorize")} == {"write"}


def test_a_client_without_an_id_registers_itself(bank: World) -> None:
    oauth = registering(bank)
    assert repr(oauth) == "OAuth2('Mug bot')"
    assert call(bank, oauth).status == 200
    (metadata,) = asked_of(bank, "/register")
    assert metadata["application_type"] == "native"
    assert metadata["client_name"] == "Mug bot" and metadata["scope"] == "read"
    (page,), (token,) = asked_of(bank, "/authorize"), asked_of(bank, "/token")
    assert metadata["redirect_uris"] == [page["redirect_uri"]]
    (id,) = bank.issuer.registered
    assert page["client_id"] == token["client_id"] == id
    # A token that is revoked is renewed by the same client.
    bank.issuer.tokens.clear()
    assert call(bank, oauth).status == 200
    assert asked_of(bank, "/token")[1]["grant_type"] == "refresh_token"
    # More scopes need a client that is registered for them.
    bank.scope = "write"
    assert call(bank, oauth).status == 200
    assert [each["scope"] for each in asked_of(bank, "/register")] == [
        "read",
        "read write",
    ]


def test_a_client_that_the_server_has_forgotten_registers_again(bank: World) -> None:
    oauth = registering(bank)
    call(bank, oauth)
    for each in (bank.issuer.registered, bank.issuer.tokens):
        each.clear()
    assert call(bank, oauth).status == 200
    assert len(asked_of(bank, "/register")) == 2


@pytest.mark.parametrize("takes_it", [True, False])
def test_a_document_about_the_client_comes_before_a_registration(
    bank: World, takes_it: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentsdisc.calls.oauth._CODE_SECONDS", 2.0)
    bank.server = {
        "issuer": bank.issuer.url,
        "authorization_endpoint": f"{bank.issuer.url}/authorize",
        "token_endpoint": f"{bank.issuer.url}/token",
        "registration_endpoint": f"{bank.issuer.url}/register",
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "client_id_metadata_document_supported": takes_it,
    }
    id = "https://mugbot.example/client.json"
    # The SDK's server does not know the client by its URL.
    with pytest.raises(calls.CredentialsNeeded) if takes_it else nullcontext():
        call(bank, registering(bank, client_id=id))
    (page,) = asked_of(bank, "/authorize")
    assert (page["client_id"] == id) is takes_it
    assert len(asked_of(bank, "/register")) == (0 if takes_it else 1)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((400, '{"error":"invalid_redirect_uri"}'), "invalid_redirect_uri"),
        ((500, ""), "status 500"),
        ((201, "{"), "not JSON"),
        ((201, "[" * 100_000), "not JSON"),
        ((201, "[]"), "no valid client"),
        ((201, '{"client_id":"a\\r\\nb"}'), "no valid client"),
        ((201, json.dumps({"client_id": "x" * 5000})), "no valid client"),
        ((201, '{"client_id":7}'), "no valid client"),
        ((201, '{"client_id":"a","client_secret":["b"]}'), "no valid client"),
        ((201, '{"client_id":"a","redirect_uris":["https://a.example/"]}'), "redirect"),
        (
            (201, '{"client_id":"a","token_endpoint_auth_method":"private_key_jwt"}'),
            "another way",
        ),
        (
            (
                201,
                '{"client_id":"a","token_endpoint_auth_method":"client_secret_basic"}',
            ),
            "no secret",
        ),
        ((302, ""), "status 302"),
    ],
)
def test_a_registration_that_fails_says_why(
    bank: World, answer: tuple[int, str], why: str
) -> None:
    bank.registration = answer
    opened = list[str]()
    with pytest.raises(calls.CredentialsNeeded, match=why):
        call(bank, registering(bank, opened))
    assert not opened and not asked_of(bank, "/token")


@pytest.mark.parametrize(
    "endpoint", ["https://elsewhere.example/register", "javascript:alert(1)", None]
)
def test_a_client_registers_only_where_its_secrets_may_go(
    bank: World, endpoint: str | None
) -> None:
    server = {
        "issuer": bank.issuer.url,
        "authorization_endpoint": f"{bank.issuer.url}/authorize",
        "token_endpoint": f"{bank.issuer.url}/token",
        "code_challenge_methods_supported": ["S256"],
        "response_types_supported": ["code"],
    }
    bank.server = (
        server if endpoint is None else server | {"registration_endpoint": endpoint}
    )
    with pytest.raises(calls.CredentialsNeeded):
        call(bank, registering(bank))
    assert not asked_of(bank, "/register") and not asked_of(bank, "/authorize")


def test_nothing_is_registered_unless_the_caller_says_so(bank: World) -> None:
    call(bank, client(bank))
    assert not asked_of(bank, "/register")
    with pytest.raises(TypeError, match="client_id"):
        calls.OAuth2()


def test_without_a_challenge_the_well_known_places_are_asked(bank: World) -> None:
    bank.challenge = ""
    bank.metadata = {
        WELL_KNOWN: {"resource": bank.api, "authorization_servers": [bank.issuer.url]}
    }
    assert call(bank, client(bank)).status == 200
    paths = [path for path, _ in bank.sent if path.startswith("/.well-known")]
    assert paths == [f"{WELL_KNOWN}/api", WELL_KNOWN]
    assert asked_of(bank, "/token")[0]["resource"] == bank.api


def server(bank: World, **changes: Any) -> dict[str, Any]:
    url = bank.issuer.url
    usual = {
        "issuer": url,
        "authorization_endpoint": f"{url}/authorize",
        "token_endpoint": f"{url}/token",
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
    }
    return {name: each for name, each in (usual | changes).items() if each is not None}


@pytest.mark.parametrize("path", ["", "/tenant1"])
@pytest.mark.parametrize("place", range(3))
def test_metadata_of_a_server_is_asked_in_order(
    bank: World, path: str, place: int
) -> None:
    issuer = bank.issuer.url + path
    places = [
        f"/.well-known/oauth-authorization-server{path}",
        f"/.well-known/openid-configuration{path}",
        f"{path}/.well-known/openid-configuration",
    ][: 3 if path else 2]
    if place == len(places):
        pytest.skip("an issuer without a path has two places")
    bank.metadata = {"resource": f"{bank.api}/api", "authorization_servers": [issuer]}
    bank.server = {places[place]: server(bank, issuer=issuer)}
    assert call(bank, client(bank, approve=[issuer])).status == 200
    asked = [where for where, _ in bank.issuer.asked if ".well-known" in where]
    assert asked == places[: place + 1]


RESOURCES: list[tuple[Any, str]] = [
    ({"resource": "https://other.example/api"}, "another resource"),
    ({"resource": "{api}/other"}, "another resource"),
    ({"resource": "{api}/ap"}, "another resource"),
    ({"resource": "{api}/"}, "another resource"),
    ({"resource": "javascript:alert(1)"}, "another resource"),
    ({"resource": None}, "another resource"),
    ({"authorization_servers": None}, "names no authorization server"),
    ({"authorization_servers": []}, "names no authorization server"),
    ({"authorization_servers": "{issuer}"}, "no metadata of a resource"),
    ({"authorization_servers": ["javascript:alert(1)"]}, "not an https URL"),
    ({"authorization_servers": ["file:///etc/passwd"]}, "not an https URL"),
    ({"authorization_servers": ["http://auth.bank.example"]}, "not an https URL"),
    ({"authorization_servers": ["https://10.0.0.1"]}, "private host"),
    ({"authorization_servers": ["https://169.254.169.254"]}, "private host"),
    ({"authorization_servers": ["https://intranet"]}, "private host"),
    ({"authorization_servers": ["https://user@auth.bank.example"]}, "not a valid URL"),
    ({"authorization_servers": ["https://auth.bank.example#x"]}, "not a valid URL"),
    ({"authorization_servers": ["https://auth.bank.example?x"]}, "no query"),
    ({"authorization_servers": ["{issuer}/other"]}, "publishes no metadata"),
    ({"bearer_methods_supported": []}, "no token in a header"),
    ({"bearer_methods_supported": ["query"]}, "no token in a header"),
    ("http://127.0.0.1:1/elsewhere", "no metadata of the resource"),
    ("[]", "no metadata of a resource"),
    ('{"resource": "a", "resource": "b"}', "no metadata of a resource"),
    ("[" * 100_000, "no metadata of a resource"),
    ("x" * 300_000, "too large"),
]


@pytest.mark.parametrize(("changes", "why"), RESOURCES)
def test_metadata_of_a_resource_that_is_not_used(
    bank: World, changes: Any, why: str
) -> None:
    if isinstance(changes, str):
        bank.metadata = changes
    else:
        usual = {
            "resource": f"{bank.api}/api",
            "authorization_servers": [bank.issuer.url],
            **changes,
        }
        bank.metadata = _filled(usual, bank)
    refused(bank, why)


SERVERS: list[tuple[Any, str]] = [
    ({"issuer": "https://honest.example"}, "not of this issuer"),
    ({"issuer": "{issuer}/"}, "not of this issuer"),
    ({"issuer": None}, "not of this issuer"),
    ({"code_challenge_methods_supported": None}, "PKCE"),
    ({"code_challenge_methods_supported": ["plain"]}, "PKCE"),
    ({"token_endpoint": None}, "no token endpoint"),
    ({"token_endpoint": "javascript:alert(1)"}, "not an https URL"),
    ({"token_endpoint": "http://bank.example/token"}, "not an https URL"),
    ({"token_endpoint": "https://192.168.0.1/token"}, "private host"),
    ({"token_endpoint": 7}, "not of this issuer"),
    ({"authorization_endpoint": "javascript:alert(1)"}, "not an https URL"),
    ({"authorization_endpoint": "data:text/html,x"}, "not"),
    ({"authorization_endpoint": "https://localhost.internal/x"}, "private host"),
    ({"authorization_endpoint": None}, "neither the documents nor the server"),
    ("{api}/moved", "publishes no metadata"),
]


@pytest.mark.parametrize(("changes", "why"), SERVERS)
def test_metadata_of_a_server_that_is_not_used(
    bank: World, changes: Any, why: str
) -> None:
    if isinstance(changes, str):
        bank.server = changes.replace("{api}", bank.api)
    else:
        bank.server = _filled(server(bank, **changes), bank)
    refused(bank, why)


def _filled(given: dict[str, Any], bank: World) -> dict[str, Any]:
    def fill(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace("{api}", bank.api).replace("{issuer}", bank.issuer.url)
        return [fill(each) for each in value] if isinstance(value, list) else value

    return {name: fill(value) for name, value in given.items() if value is not None}


def refused(bank: World, why: str, **more: Any) -> None:
    """Nothing that a document names gets a credential, and no page is opened."""
    opened: list[str] = []
    with pytest.raises(calls.CallError, match=why):
        call(bank, client(bank, opened, **more))
    assert not opened and not asked_of(bank, "/token")
    assert all("authorization" not in headers for _, headers in bank.sent)


@pytest.mark.parametrize(
    "place",
    [
        "https://evil.example/.well-known/oauth-protected-resource/api",
        "{issuer}/.well-known/oauth-protected-resource/api",
        "javascript:alert(1)",
        "http://user@{host}/x",
    ],
)
def test_metadata_elsewhere_is_not_asked_for(bank: World, place: str) -> None:
    host = bank.api.removeprefix("http://")
    place = place.replace("{issuer}", bank.issuer.url).replace("{host}", host)
    bank.challenge = f'Bearer resource_metadata="{place}"'
    refused(bank, "not on the origin of the resource")
    assert not bank.issuer.asked


def test_a_server_that_nobody_approved_gets_nothing(bank: World) -> None:
    refused(bank, "approve it", approve=[])
    # Approving the issuer approves its endpoints, approving the token endpoint only that.
    refused(bank, "approve it", approve=[f"{bank.issuer.url}/token"])


def test_a_client_of_one_server_is_not_used_at_another(bank: World) -> None:
    refused(bank, "not of http", token_url=f"{bank.api}/token")
    other = f"{bank.issuer.url}/other"
    oauth = client(bank, approve=[bank.issuer.url, other])
    call(bank, oauth)
    bank.metadata = {"resource": f"{bank.api}/api", "authorization_servers": [other]}
    bank.server = server(bank, issuer=other)
    bank.issuer.tokens.clear()
    before = len(asked_of(bank, "/token"))
    with pytest.raises(calls.CallError, match="instead of"):
        call(bank, oauth)
    assert len(asked_of(bank, "/token")) == before


@pytest.mark.parametrize(
    ("iss", "states", "is_taken"),
    [
        (None, False, True),
        (None, True, False),
        ("{issuer}", False, True),
        ("{issuer}", True, True),
        ("{issuer}/", False, False),
        ("https://honest.example", True, False),
    ],
)
def test_the_answer_of_another_issuer_is_not_taken(
    bank: World, iss: str | None, states: bool, is_taken: bool, monkeypatch: Any
) -> None:
    monkeypatch.setattr("agentsdisc.calls.oauth._CODE_SECONDS", 2.0)
    bank.issuer.iss = iss and iss.replace("{issuer}", bank.issuer.url)
    bank.server = server(bank, authorization_response_iss_parameter_supported=states)
    if is_taken:
        assert call(bank, client(bank)).status == 200
        return
    with pytest.raises(calls.CredentialsNeeded, match="has not agreed"):
        call(bank, client(bank))
    assert not asked_of(bank, "/token")


def test_a_token_that_is_refused_is_not_asked_for_again_and_again(
    bank: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank.metadata = {"resource": bank.api, "authorization_servers": [bank.issuer.url]}
    bank.challenge = f'Bearer resource_metadata="{bank.api}{WELL_KNOWN}"'
    opened: list[str] = []
    oauth = client(bank, opened)
    issued = bank.issuer._issued
    monkeypatch.setattr(
        bank.issuer,
        "_issued",
        lambda client, scopes, _: issued(client, scopes, "https://o.example"),
    )
    with pytest.raises(calls.CallFailed, match="401"):
        call(bank, oauth)
    assert len(opened) == 1


def test_everything_ends_in_time(bank: World) -> None:
    waits = agentsdisc.discovery.Timeouts(total=1.0)
    oauth = calls.OAuth2(
        CLIENT, SECRET, open_url=lambda _: None, approve=[bank.issuer.url]
    )
    for protocol in ("REST", "MCP"):
        with pytest.raises(calls.LimitExceeded):
            calls.call(
                documents(bank, protocol),
                "look",
                {},
                agent="MugBot/1.0",
                origin=bank.api,
                allow_private=True,
                credentials=oauth,
                timeouts=waits,
            )


def test_other_credentials_are_sent_as_they_are(bank: World) -> None:
    with pytest.raises(calls.CallFailed, match=f"401.*{WELL_KNOWN}/api.*OAuth2"):
        call(bank, "a-token")
    with pytest.raises(calls.CredentialsNeeded, match=f"{WELL_KNOWN}/mcp.*OAuth2"):
        call(bank, "a-token", "MCP")
    assert not any(".well-known" in path for path, _ in bank.sent)


def discovered(bank: World, oauth: calls.OAuth2 | None) -> Any:
    return agentsdisc.discover(
        bank.api,
        resources=["agents-txt"],
        allow_private=True,
        cache=False,
        credentials=oauth,
    )


def test_discovery_gets_documents_for_those_who_have_a_token(bank: World) -> None:
    opened: list[str] = []
    site = discovered(bank, client(bank, opened))
    assert [each.service.name for each in site.documents] == ["Bank"]
    assert len(opened) == 1 and asked_of(bank, "/token")[0]["resource"] == bank.api
    assert not discovered(bank, None).documents


def test_discovery_says_why_it_gets_no_token(bank: World) -> None:
    opened: list[str] = []
    site = discovered(bank, client(bank, opened, approve=[]))
    assert not site.documents and not opened and not asked_of(bank, "/token")
    assert any("approve it" in (each.error or "") for each in site.attempts)
    bank.challenge = f'Bearer resource_metadata="{bank.issuer.url}/x"'
    site = discovered(bank, client(bank, opened))
    assert any("not on the origin" in (each.error or "") for each in site.attempts)
    with pytest.raises(TypeError, match="OAuth2"):
        discovered(bank, "token")  # type: ignore[arg-type]
