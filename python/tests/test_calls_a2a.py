"""Calls of A2A agents: the official SDK on both sides, and agents that answer something else."""

import json
import time
from collections.abc import Iterator
from typing import Any

import agentsdisc
import pytest
from a2a_server import a2a_app
from agentsdisc import calls
from asgi import app_serving
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

AGENT = "MugBot/1.0"


def card(url: str, binding: str, **more: Any) -> dict[str, Any]:
    return {
        "name": "Mug agent",
        "description": "Sells mugs.",
        "version": "1.0.0",
        "supportedInterfaces": [
            {"url": url, "protocolBinding": binding, "protocolVersion": "1.0"}
        ],
        "capabilities": {},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [
            {
                "id": "order",
                "name": "Order",
                "description": "Orders mugs.",
                "tags": ["mugs"],
            }
        ],
        **more,
    }


class Served:
    """The address of the agent, and the requests that it received."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.seen: list[tuple[str, dict[str, str]]] = []
        self.hostile: Response = Response()


@pytest.fixture(scope="module")
def agent() -> Iterator[Served]:
    served = Served("")

    async def hostile(request: Request) -> Response:
        served.seen.append((request.url.path, dict(request.headers)))
        return served.hostile

    with app_serving(
        a2a_app(Route("/hostile{_:path}", hostile, methods=["GET", "POST"]))
    ) as port:
        served.origin = f"http://127.0.0.1:{port}"
        yield served


def call(
    agent: Served,
    path: str,
    binding: str,
    arguments: dict[str, Any],
    tenant: str | None = None,
    **more: Any,
) -> Any:
    given = card(f"{agent.origin}{path}", binding)
    if tenant is not None:
        given["supportedInterfaces"][0]["tenant"] = tenant
    document = agentsdisc.parse(json.dumps(given), format="a2a-agent-card")
    return calls.call(
        document,
        "order",
        arguments,
        agent=AGENT,
        origin=agent.origin,
        allow_private=True,
        **more,
    )


@pytest.mark.parametrize(
    ("path", "binding"), [("/a2a", "JSONRPC"), ("/rest", "HTTP+JSON")]
)
def test_a_message_and_a_task_are_answers(
    agent: Served, path: str, binding: str
) -> None:
    now = call(agent, path, binding, {"text": "now", "size": 2})
    assert now.data["parts"][0]["data"] == {"price": 7}
    later = call(agent, path, binding, {"text": "later"})
    assert later.data["status"]["state"] == "TASK_STATE_COMPLETED"
    assert later.data["artifacts"][0]["parts"][0]["data"] == {"price": 9}
    assert {step.kind for step in later.steps} <= {"call", "poll"}
    assert later.steps[0].kind == "call"


@pytest.mark.parametrize(
    ("path", "binding"), [("/a2a", "JSONRPC"), ("/rest", "HTTP+JSON")]
)
def test_the_tenant_of_the_interface_is_sent(
    agent: Served, path: str, binding: str
) -> None:
    answer = call(agent, path, binding, {"text": "who"}, tenant="west")
    assert answer.data["parts"][0]["data"] == {"tenant": "west"}
    done = call(agent, path, binding, {"text": "later"}, tenant="west")
    assert done.data["status"]["state"] == "TASK_STATE_COMPLETED"
    with pytest.raises(calls.CallRefused, match="the tenant"):
        call(agent, path, binding, {"text": "who"}, tenant="../admin")


@pytest.mark.parametrize(
    ("text", "state"), [("never", "failed"), ("ask", "input-required")]
)
def test_a_task_that_does_not_succeed_is_an_error(
    agent: Served, text: str, state: str
) -> None:
    with pytest.raises(calls.CallFailed, match=f"the task is {state}") as caught:
        call(agent, "/a2a", "JSONRPC", {"text": text})
    assert caught.value.failure == "job"
    assert json.loads(caught.value.body)["status"]


def test_other_bindings_need_another_client(agent: Served) -> None:
    with pytest.raises(calls.ClientNeeded, match="grpc") as caught:
        call(agent, "/a2a", "GRPC", {"text": "now"})
    assert caught.value.operation.url == f"{agent.origin}/a2a"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Response("<html>", media_type="text/html"), "has failed"),
        (JSONResponse({"jsonrpc": "2.0", "id": "1", "result": []}), "has failed"),
        (JSONResponse({"jsonrpc": "2.0", "id": "1", "result": {}}), "has failed"),
        (JSONResponse({"error": {"code": 1, "message": "no"}}), "has failed"),
        (Response(status_code=500), "has failed"),
        (Response(b"x" * 2_000_000), "larger than max_response"),
        (
            Response(status_code=307, headers={"Location": "http://127.0.0.1:1/x"}),
            "has failed",
        ),
    ],
)
def test_a_hostile_agent_is_an_error(
    agent: Served, answer: Response, message: str
) -> None:
    agent.seen.clear()
    agent.hostile = answer
    with pytest.raises(calls.CallError, match=message):
        call(agent, "/hostile", "JSONRPC", {"text": "now"}, max_response=1_000_000)
    assert len(agent.seen) == 1
    assert agent.seen[0][1]["user-agent"] == AGENT


@pytest.mark.parametrize("name", ["../../x?y#z", "..", "a/b", "a%2fb", "é"])
def test_the_id_of_a_task_chooses_no_path(agent: Served, name: str) -> None:
    agent.seen.clear()
    task = {"id": name, "contextId": "1", "status": {"state": "TASK_STATE_WORKING"}}
    agent.hostile = JSONResponse({"task": task})
    with pytest.raises(calls.CallFailed, match="the id of its task") as caught:
        call(agent, "/hostile", "HTTP+JSON", {"text": "now"}, credentials="t")
    assert caught.value.failure == "job" and json.loads(caught.value.body)["id"] == name
    assert len(agent.seen) == 1


@pytest.mark.parametrize("value", [2**53 + 1, -(2**70), {"a": [2**64]}])
def test_an_integer_that_would_change_is_refused(agent: Served, value: Any) -> None:
    agent.seen.clear()
    with pytest.raises(calls.CallRefused, match="write it as text") as caught:
        call(agent, "/hostile", "JSONRPC", {"size": value})
    assert caught.value.argument == "size" and agent.seen == []


def test_an_endless_task_ends_in_time(agent: Served) -> None:
    task = {
        "id": "1",
        "contextId": "1",
        "status": {"state": "TASK_STATE_WORKING"},
    }
    agent.hostile = JSONResponse(
        {"jsonrpc": "2.0", "id": "1", "result": {"task": task}}
    )
    begun = time.monotonic()
    with pytest.raises(calls.CallError):
        call(
            agent,
            "/hostile",
            "JSONRPC",
            {"text": "now"},
            timeouts=agentsdisc.discovery.Timeouts(request=2, total=2),
        )
    assert time.monotonic() - begun < 50
