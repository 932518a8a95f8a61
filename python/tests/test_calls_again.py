"""Requests of every protocol that are sent again: after a wait, or with a new credential."""

import json
from collections.abc import Callable
from typing import Any

import agentsdisc
import pytest
from agentsdisc import calls
from asking import PATIENT
from server import Handler, Page, Server

AGENT = "MugBot/1.0"
NOW = {"Retry-After": "0"}


class Tokens:
    """Credentials that are new whenever they are asked for."""

    def __init__(self) -> None:
        self.given = 0

    def __call__(self, _: agentsdisc.Decision) -> str:
        self.given += 1
        return f"t{self.given}"


Refuse = Callable[[int, str], Page | None]


def refusing(server: Server, path: str, refuse: Refuse, answer: Page) -> list[str]:
    """Serves an answer, unless `refuse` has another one for the number of the request and its token. Returns the tokens that arrive."""
    seen: list[str] = []

    def page(handler: Handler) -> None:
        handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        seen.append(
            (handler.headers.get("Authorization") or "").removeprefix("Bearer ")
        )
        handler.send(refuse(len(seen), seen[-1]) or answer)

    server.routes[path] = page
    return seen


GRAPHQL = Page('{"data": {"pay": 7}}')
A2A = Page(
    json.dumps(
        {
            "message": {
                "messageId": "1",
                "role": "ROLE_AGENT",
                "parts": [{"data": {"price": 7}}],
            }
        }
    ),
    headers={"Content-Type": "application/json"},
)


def graphql(server: Server, **options: Any) -> Any:
    text = (
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {server.url}\nCapability: pay\n"
        f"  Endpoint: {server.url}/x\n  Protocol: GraphQL\n  Auth: bearer-token\n"
    )
    return made(server, text, "pay", {"query": "{ pay }"}, **options)


def a2a(server: Server, **options: Any) -> Any:
    interface = {"url": f"{server.url}/x", "protocolBinding": "HTTP+JSON"}
    card = {
        "name": "A",
        "description": "A",
        "version": "1",
        "supportedInterfaces": [{**interface, "protocolVersion": "1.0"}],
        "capabilities": {},
        "securitySchemes": {"b": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}},
        "securityRequirements": [{"schemes": {"b": {"list": []}}}],
        "defaultInputModes": [],
        "defaultOutputModes": [],
        "skills": [{"id": "pay", "name": "P", "description": "P", "tags": []}],
    }
    return made(server, json.dumps(card), "pay", {"text": "now"}, **options)


def made(server: Server, text: str, name: str, arguments: Any, **options: Any) -> Any:
    return calls.call(
        agentsdisc.parse(text),
        name,
        arguments,
        **{
            "agent": AGENT,
            "origin": server.url,
            "allow_private": True,
            "limiter": calls.Limiter(),
            **options,
        },
    )


PROTOCOLS = pytest.mark.parametrize(
    ("call", "path", "answer"),
    [(graphql, "/x", GRAPHQL), (a2a, "/x/message:send", A2A)],
    ids=["graphql", "a2a"],
)


@PROTOCOLS
def test_a_token_is_renewed_once(
    server: Server, call: Any, path: str, answer: Page
) -> None:
    seen = refusing(
        server,
        path,
        lambda _, token: Page(status=401) if token == "t1" else None,
        answer,
    )
    tokens = Tokens()
    found = call(server, credentials=tokens)
    assert found.data and seen == ["t1", "t2"]
    assert [step.kind for step in found.steps] == ["call", "retry"]
    seen = refusing(server, path, lambda *_: Page(status=401), answer)
    with pytest.raises(calls.CallFailed) as failed:
        call(server, credentials=Tokens())
    assert failed.value.status == 401 and seen == ["t1", "t2"]
    with pytest.raises(calls.CredentialsNeeded, match="does not accept"):
        call(server, credentials="fixed")
    assert seen == ["t1", "t2", "fixed"]


@PROTOCOLS
def test_too_many_requests_are_waited_for(
    server: Server, call: Any, path: str, answer: Page
) -> None:
    busy = Page(status=429, headers=NOW)
    seen = refusing(server, path, lambda n, _: busy if n == 1 else None, answer)
    assert call(server, credentials="t").data and len(seen) == 2
    seen = refusing(server, path, lambda *_: busy, answer)
    with pytest.raises(calls.CallFailed, match="after several attempts") as failed:
        call(server, credentials="t")
    assert (failed.value.status, failed.value.failure) == (429, "too-many-retries")
    assert len(seen) == 4
    late = Page(status=429, headers={"Retry-After": "3600"})
    seen = refusing(server, path, lambda *_: late, answer)
    with pytest.raises(calls.RateLimited):
        call(server, credentials="t", timeouts=PATIENT)
    assert len(seen) == 1


@PROTOCOLS
@pytest.mark.parametrize("status", [408, 500, 503])
def test_what_may_have_had_an_effect_is_not_sent_again(
    server: Server, call: Any, path: str, answer: Page, status: int
) -> None:
    seen = refusing(server, path, lambda *_: Page(status=status, headers=NOW), answer)
    with pytest.raises(calls.CallFailed) as failed:
        call(server, credentials="t")
    assert failed.value.status == status and len(seen) == 1


def test_polls_of_a_task_are_sent_again(server: Server) -> None:
    working = {"id": "t", "contextId": "c", "status": {"state": "TASK_STATE_WORKING"}}
    done = {**working, "status": {"state": "TASK_STATE_COMPLETED"}}
    sent = refusing(
        server,
        "/x/message:send",
        lambda *_: None,
        Page(
            json.dumps({"task": working}), headers={"Content-Type": "application/json"}
        ),
    )
    polls = refusing(
        server,
        "/x/tasks/t",
        lambda n, _: [Page(status=503, headers=NOW), Page(status=401), None][
            min(n, 3) - 1
        ],
        Page(json.dumps(done), headers={"Content-Type": "application/json"}),
    )
    answer = a2a(server, credentials=Tokens())
    assert sent == ["t1"] and polls == ["t1", "t1", "t2"]
    assert [step.kind for step in answer.steps] == ["call", "poll", "poll", "poll"]


def test_a_handshake_is_sent_again(server: Server) -> None:
    text = (
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {server.url}\nCapability: watch\n"
        f"  Endpoint: {server.url.replace('http', 'ws')}/x\n  Protocol: WebSocket\n  Auth: bearer-token\n"
    )
    pages = [Page(status=401), Page(status=429, headers=NOW), Page(status=403)]
    seen = refusing(server, "/x", lambda n, _: pages[n - 1], Page())
    with pytest.raises(calls.CallFailed) as failed:
        made(server, text, "watch", {}, credentials=Tokens())
    assert failed.value.status == 403 and seen == ["t1", "t2", "t2"]


def test_a_dry_run_of_graphql_is_a_request(server: Server) -> None:
    planned = graphql(server, credentials="t", dry_run=True)
    assert isinstance(planned.request, calls.HttpRequest) and server.asked == []
    assert json.loads(planned.request.body or b"") == {
        "query": "{ pay }",
        "variables": {},
    }
    assert str(planned).startswith("curl --request POST --user-agent MugBot/1.0")
