"""What is shown of calls: curl lines that send the same request, plans and answers, and errors."""

import json
import pickle
import subprocess
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc import calls
from agentsdisc.calls.results import Answer, HttpRequest, Planned, Step
from agentsdisc.calls.sending import shared_limiter
from agentsdisc.cli.calling import show_answer, show_plan
from server import ADP, Handler, Page, Server

GET = HttpRequest("GET", "https://a.example/a")


@pytest.fixture
def decision() -> agentsdisc.Decision:
    text = "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\nAllow: /\n"
    return agentsdisc.decide(
        [agentsdisc.parse(text)], agent="Bot", url="/a", origin="https://a.example"
    )


def answered(decision: agentsdisc.Decision, body: bytes) -> Answer:
    return Answer(
        "look", 200, (), body, (), (Step("call", "look", GET, 200),), decision
    )


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/a?y=[1-3]&z={1,2}", None),
        ("/a", "@{secret}"),
        ("/a", 'it\'s \\ $HOME `x` "q"'),
        ("/a", "--b\r\nname: v\r\n\r\nline\x7f\u200b\U0001f600\r\n--b--"),
    ],
)
def test_a_curl_line_sends_the_same_request(
    server: Server, tmp_path: Path, path: str, body: str | None
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    sent = None if body is None else body.replace("{secret}", str(secret)).encode()
    received = []

    def record(handler: Handler) -> None:
        length = int(handler.headers.get("Content-Length") or 0)
        received.append((handler.path, handler.rfile.read(length)))
        handler.send(Page("ok"))

    server.routes["/"] = record
    headers = (("Content-Type", "text/plain"),)
    request = HttpRequest("POST", server.url + path, headers, sent)
    line = request.curl()
    assert line.isprintable()
    subprocess.run(["bash", "-c", f"{line} --silent --noproxy '*'"], check=True)
    assert received == [(path, sent or b"")]


def test_a_plan_is_shown_as_json(
    decision: agentsdisc.Decision, capsys: pytest.CaptureFixture[str]
) -> None:
    request = HttpRequest("POST", "https://a.example/a", (), b'{"a": 1}')
    show_plan(
        Planned("look", None, None, request, "Authorization", decision), as_json=True
    )
    shown = json.loads(capsys.readouterr().out)
    assert shown["request"]["body"] == '{"a": 1}'
    assert shown["request"]["method"] == "POST"
    assert shown["credential"] == "Authorization"
    assert shown["confirmation"] == "not-stated"


@pytest.mark.parametrize("depth", [300, 700, 980, 20_000])
@pytest.mark.parametrize("as_json", [False, True])
def test_an_answer_that_is_nested_deeply_is_shown(
    decision: agentsdisc.Decision,
    depth: int,
    as_json: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_answer(answered(decision, b"[" * depth + b"]" * depth), as_json)
    assert capsys.readouterr().out.count("[") >= depth


@pytest.mark.parametrize("body", [b"NaN", b'{"a": Infinity}'])
def test_what_is_not_json_is_text(
    decision: agentsdisc.Decision, body: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answered(decision, body)
    assert answer.data == body.decode()
    show_answer(answer, True)
    assert json.loads(capsys.readouterr().out)["data"] == body.decode()


def test_bytes_are_not_silent(
    decision: agentsdisc.Decision, capsys: pytest.CaptureFixture[str]
) -> None:
    show_answer(answered(decision, b"\x89PNG\xff"), False)
    assert "5 bytes that are not text" in capsys.readouterr().err


def test_errors_are_short_and_survive_pickle(decision: agentsdisc.Decision) -> None:
    steps = (Step("call", "look", GET, 500),)
    failed = calls.CallFailed(
        "x" * 100_000, decision, status=500, body=b"no", recovery={"a": 1}, steps=steps
    )
    assert len(str(failed)) == 1000
    again = pickle.loads(pickle.dumps(failed))
    assert str(again) == str(failed) and vars(again) == vars(failed)


def test_versions_and_spellings_share_the_limits() -> None:
    def manifest(name: str) -> agentsdisc.Document:
        return agentsdisc.parse(ADP % (f"https://{name}.example", ""), format="adp")

    documents = (manifest("a"),)
    found = shared_limiter("https://a.example", documents, "MugBot/1.0")
    for agent in ("mugbot/2.0", "MugBot", "MUGBOT (+https://b.example)"):
        assert shared_limiter("https://A.example/", documents, agent) is found
    assert shared_limiter("https://a.example", documents, "OtherBot") is not found
    own = shared_limiter(None, documents, "MugBot")
    assert shared_limiter(None, (manifest("a"),), "MugBot") is own
    assert shared_limiter(None, (manifest("b"),), "MugBot") is not own


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ('{"data": {"pay": null}, "errors": [{"message": "card declined"}]}', "card"),
        ('{"errors": []}', "no `data`"),
        ("[]", "no `data`"),
    ],
)
def test_errors_of_graphql_are_no_success(
    server: Server, reply: str, said: str
) -> None:
    server.routes["/graphql"] = Page(reply)
    with pytest.raises(calls.CallFailed, match=said) as failed:
        _graphql(server, {"query": "{ pay }"})
    assert failed.value.failure == "operation" and failed.value.body == reply.encode()


def test_no_variable_of_graphql_is_lost(server: Server) -> None:
    with pytest.raises(calls.CallRefused, match="'b'") as refused:
        _graphql(server, {"query": "{ pay }", "variables": {"a": 1}, "b": 2})
    assert refused.value.argument == "b" and server.asked == []


def _graphql(server: Server, arguments: dict[str, Any]) -> Answer:
    text = (
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {server.url}\nCapability: pay\n"
        f"  Endpoint: {server.url}/graphql\n  Protocol: GraphQL\n"
    )
    return calls.call(
        agentsdisc.parse(text),
        "pay",
        arguments,
        agent="Bot",
        origin=server.url,
        allow_private=True,
        undeclared=True,
    )
