"""An API and an MCP server that want tokens, and the authorization server of the MCP SDK that issues them."""

import json
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import httpx
from asgi import app_serving
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    ProviderTokenVerifier,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

WELL_KNOWN = "/.well-known/oauth-protected-resource"
CLIENT, SECRET = "mugbot", "s3cret-of-the-client"


class _Native(OAuthClientInformationFull):
    """A native client, whose redirects go to any port of its machine (RFC 8252 section 7.3)."""

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        assert redirect_uri is not None and redirect_uri.host == "127.0.0.1"
        return redirect_uri


@dataclass
class Issuer:
    """The provider of the SDK's authorization server: every person agrees at once."""

    url: str = ""
    lasts: int = 3600
    iss: str | None = None
    codes: dict[str, AuthorizationCode] = field(default_factory=dict)
    tokens: dict[str, AccessToken] = field(default_factory=dict)
    fresh: dict[str, RefreshToken] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    registered: dict[str, OAuthClientInformationFull] = field(default_factory=dict)

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        if client_id != CLIENT:
            return self.registered.get(client_id)
        return _Native(
            client_id=CLIENT,
            client_secret=SECRET,
            redirect_uris=[AnyUrl("http://127.0.0.1/callback")],
            scope="read write",
            token_endpoint_auth_method="client_secret_basic",
        )

    async def register_client(self, client: OAuthClientInformationFull) -> None:
        assert client.client_id is not None
        self.registered[client.client_id] = client

    async def authorize(self, client: Any, params: AuthorizationParams) -> str:
        code = secrets.token_hex(8)
        self.codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=True,
            resource=params.resource,
        )
        more = {} if self.iss is None else {"iss": self.iss}
        return construct_redirect_uri(
            str(params.redirect_uri), code=code, state=params.state, **more
        )

    async def load_authorization_code(self, client: Any, code: str) -> Any:
        return self.codes.get(code)

    async def exchange_authorization_code(self, client: Any, code: Any) -> OAuthToken:
        del self.codes[code.code]
        return self._issued(client.client_id, code.scopes, code.resource)

    async def load_refresh_token(self, client: Any, token: str) -> Any:
        return self.fresh.get(token)

    async def exchange_refresh_token(
        self, client: Any, token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        del self.fresh[token.token]
        return self._issued(client.client_id, scopes, token.subject)

    def _issued(
        self, client: str, scopes: list[str], resource: str | None
    ) -> OAuthToken:
        token, refresh = (f"{kind}-{secrets.token_hex(8)}" for kind in ("a", "r"))
        self.tokens[token] = AccessToken(
            token=token, client_id=client, scopes=scopes, resource=resource
        )
        self.fresh[refresh] = RefreshToken(
            token=refresh, client_id=client, scopes=scopes, subject=resource
        )
        return OAuthToken(
            access_token=token,
            token_type="Bearer",
            expires_in=self.lasts,
            refresh_token=refresh,
            scope=" ".join(scopes),
        )

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.tokens.get(token)

    async def revoke_token(self, token: Any) -> None:
        self.tokens.pop(token.token, None)


@dataclass
class World:
    """Both servers, and what they were asked."""

    issuer: Issuer
    api: str = ""
    scope: str | None = None
    """The scope that the API wants."""
    challenge: str | None = None
    """The challenge of the API instead of the usual one."""
    metadata: dict[str, Any] | str | None = None
    """The metadata of the API's resource instead of the usual one: an object, a text, a URL to redirect to, or each of them by its path."""
    server: dict[str, Any] | str | None = None
    """The metadata of the authorization server instead of the SDK's."""
    registration: tuple[int, str] | None = None
    """The answer to a registration instead of the SDK's."""
    sent: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def reset(self) -> None:
        self.issuer.__dict__.update(Issuer(self.issuer.url).__dict__)
        self.scope = self.challenge = self.metadata = self.server = None
        self.registration = None
        self.sent.clear()

    @property
    def mcp(self) -> str:
        """The URL of the MCP server."""
        return f"{self.api}/mcp"

    def opened(self, url: str) -> None:
        """Opens a URL as a browser does, and follows it to the client."""
        httpx.get(url, follow_redirects=True)


@contextmanager
def world() -> Iterator[World]:
    """Runs both servers on ports of their own."""
    ports = [_free_port(), _free_port()]
    urls = [f"http://127.0.0.1:{port}" for port in ports]
    found = World(Issuer(urls[0]), urls[1])
    with (
        app_serving(_authority(found), port=ports[0]),
        app_serving(_resources(found), port=ports[1]),
    ):
        yield found


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def _settings(found: World) -> AuthSettings:
    return AuthSettings.model_validate(
        {
            "issuer_url": found.issuer.url,
            "resource_server_url": found.mcp,
            "required_scopes": ["read"],
            "validate_token_resource": True,
        }
    )


def _authority(found: World) -> Any:
    issuer = found.issuer
    options = ClientRegistrationOptions(enabled=True, valid_scopes=["read", "write"])
    url = _settings(found).issuer_url
    routes = create_auth_routes(issuer, url, client_registration_options=options)
    inner = Starlette(routes=routes)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        body = await request.body()
        is_json = request.headers.get("content-type") == "application/json"
        text = body.decode() or request.url.query
        given = json.loads(text) if is_json else dict(parse_qsl(text))
        issuer.asked.append((scope["path"], given))
        if "/.well-known/" in scope["path"] and found.server is not None:
            await _document(found.server, scope["path"])(scope, receive, send)
            return
        if scope["path"] == "/register" and found.registration is not None:
            status, answer = found.registration
            await Response(answer, status)(scope, receive, send)
            return
        parts = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Any:
            return parts.pop() if parts else await receive()

        await inner(scope, again, send)

    return app


def _resources(found: World) -> Any:
    issuer = found.issuer
    server = MCPServer(
        "bank", token_verifier=ProviderTokenVerifier(issuer), auth=_settings(found)
    )

    @server.tool()
    def look() -> str:
        """Looks."""
        return "seen"

    @server.custom_route("/agents.txt", methods=["GET"])
    @server.custom_route("/.well-known/agents.txt", methods=["GET"])
    async def private(request: Request) -> Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        known = issuer.tokens.get(token)
        if known is None or known.resource != found.api:
            said = (
                found.challenge or f'Bearer resource_metadata="{found.api}{WELL_KNOWN}"'
            )
            return Response(status_code=401, headers={"WWW-Authenticate": said})
        text = f"Spec-Version: 1.0\nSite-Name: Bank\nSite-URL: {found.api}\n"
        return Response(text, media_type="text/plain")

    @server.custom_route("/api", methods=["GET", "POST"])
    async def api(request: Request) -> Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        known = issuer.tokens.get(token)
        where = f'resource_metadata="{found.api}{WELL_KNOWN}/api"'
        usual = f'Bearer {where}, scope="read"'
        challenge = usual if found.challenge is None else found.challenge
        status = 200
        if known is None or known.resource not in {f"{found.api}/api", found.api}:
            status = 401
        elif found.scope not in {None, *known.scopes}:
            status = 403
            challenge = (
                f'Bearer error="insufficient_scope", scope="{found.scope}", {where}'
            )
        headers = {"WWW-Authenticate": challenge} if status != 200 and challenge else {}
        return JSONResponse({"ok": status == 200}, status, headers)

    @server.custom_route(WELL_KNOWN + "{more:path}", methods=["GET"])
    async def metadata(request: Request) -> Response:
        path = request.url.path.removeprefix(WELL_KNOWN)
        usual = {
            "resource": found.api + path,
            "authorization_servers": [issuer.url],
            "scopes_supported": ["read", "write"],
        }
        return _document(found.metadata or usual, request.url.path)

    inner = server.streamable_http_app()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            headers = {k.decode(): v.decode() for k, v in scope["headers"]}
            found.sent.append((scope["path"], headers))
        await inner(scope, receive, send)

    return app


def _document(given: dict[str, Any] | str, path: str) -> Response:
    """A document, or a redirect to a URL, or what stands at each path; 404 for none."""
    if isinstance(given, dict) and any(name.startswith("/") for name in given):
        given = given.get(path, "")
    if isinstance(given, str):
        if given.startswith("http"):
            return Response(status_code=302, headers={"Location": given})
        return Response(given, 200 if given else 404, media_type="application/json")
    return JSONResponse(given)
