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
from agentsdisc.calls.sending import _limiters, shared_limiter
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


HOSTILE = 'it\'s \\ $HOME `x` "q" $(id) ! %s %% \\n \\055 ; & | < > # ~ * ? é …'


@pytest.mark.parametrize("shell", ["sh", "bash"])
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/a?y=[1-3]&z={1,2}", None),
        ("POST", "/a", b"@{secret}"),
        ("POST", "/a", b""),
        ("PUT", "/a", b"-n --x"),
        ("PUT", "/a", HOSTILE.encode()),
        ("POST", "/a", b"--" + HOSTILE.encode() + b"\x00\x01\n\n"),
        ("DELETE", "/a", b"a=b&c=%41+d"),
        (
            "POST",
            "/a",
            "--b\r\nname: v\r\n\r\n\x7f\u200b\U0001f600\r\n--b--\r\n".encode(),
        ),
        ("POST", "/a", b"\xff\xfe not UTF-8"),
        ("GET", "/a/it's?$x=`y`&a;b=!c", None),
    ],
)
def test_a_curl_line_sends_the_same_request(
    server: Server,
    tmp_path: Path,
    shell: str,
    method: str,
    path: str,
    body: bytes | None,
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    if body is not None:
        body = body.replace(b"{secret}", str(secret).encode())
    received = []

    def record(handler: Handler) -> None:
        length = int(handler.headers.get("Content-Length") or 0)
        headers = [handler.headers.get(name) for name in ("X-Q", "User-Agent")]
        content = handler.rfile.read(length)
        received.append((handler.command, handler.path, headers, content))
        handler.send(Page("ok"))

    server.routes["/"] = server.routes["/a/it's"] = record
    value, agent = (
        "'$HOME' `x` \\ \"q\" %s !",
        "MugBot/1.0 (it's $HOME; +https://b.example)",
    )
    headers = (("Content-Type", "text/plain"), ("X-Q", value))
    request = HttpRequest(method, server.url + path, headers, body)
    line = request.curl(agent=agent)
    assert line.isprintable()
    subprocess.run(
        [shell, "-c", f"{line} --silent --noproxy '*'"], check=True, timeout=20
    )
    assert received == [(method, path, [value, agent], body or b"")]


def test_a_line_for_head_waits_for_no_body() -> None:
    line = HttpRequest("HEAD", "https://a.example/a").curl()
    assert line == "curl --head https://a.example/a"


SECRET = "sk-proj-T3BlbkFJQ2xhdWRlIGlzIG5vdCBhIHNlY3JldA"


def pay(site: str, arguments: dict[str, Any], **options: Any) -> Any:
    text = (
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {site}\nCapability: pay\n"
        f"  Endpoint: {site}/pay/{{sku}}\n  Protocol: REST\n  Method: POST\n  Auth: bearer-token\n"
        "  Param: sku (path, string, required)\n  Param: note (body, string)\n  Param: q (query, string)\n"
    )
    options = {"agent": "MugBot/1.0", "origin": site, **options}
    return calls.call(agentsdisc.parse(text), "pay", arguments, **options)


def planned(site: str, arguments: dict[str, Any], **options: Any) -> Planned:
    found = pay(site, arguments, dry_run=True, **options)
    assert isinstance(found, Planned)
    return found


def test_a_line_says_what_to_fill_in() -> None:
    given: dict[str, Any] = {
        "credentials": "t0p-s3cret-token",
        "headers": {"X-Key": "k3y"},
    }
    site = "https://a.example"
    line, *notes = str(planned(site, {"sku": "m1", "note": SECRET}, **given)).split(
        "\n"
    )
    assert "--user-agent MugBot/1.0" in line
    assert "'Authorization: <credential>'" in line and "'X-Key: <credential>'" in line
    assert SECRET not in line and '{"note":"sk-p…"}' in line
    assert notes == [
        "# fill in: <credential> is 'Bearer', a blank and the token",
        "# fill in: a value that looks like a credential is shortened to …",
    ]
    assert "t0p" not in line and "k3y" not in line
    for arguments in ({"sku": SECRET}, {"sku": "m1", "q": SECRET}):
        shown = str(planned(site, arguments, headers={"X-Key": "k3y"}))
        assert SECRET not in shown and "shortened to …" in shown
        assert "<credential> is your credential" in shown
    shown = planned(site, {"sku": "m1"}, headers={"X-Key": "k3y"})
    assert (shown.agent, shown.headers) == ("MugBot/1.0", ("X-Key",))


def test_a_line_is_the_request_that_a_call_sends(server: Server) -> None:
    received = []

    def record(handler: Handler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        own = {"content-type", "user-agent", "authorization"}
        headers = {k.lower(): v for k, v in handler.headers.items() if k.lower() in own}
        received.append((handler.command, handler.path, headers, body))
        handler.send(Page("{}"))

    server.routes["/"] = record
    arguments = {
        "sku": "it's é(x)",
        "note": HOSTILE + "\r\n\x00\u200b",
        "q": "'$(id)`&#+",
    }
    given: dict[str, Any] = {"credentials": "t0ken", "allow_private": True}
    line = str(planned(server.url, arguments, **given)).replace(
        "<credential>", "Bearer t0ken"
    )
    first, _, rest = line.partition("\n")
    command = f"{first} --silent --noproxy '*'\n{rest}"
    subprocess.run(["sh", "-c", command], check=True, timeout=20)
    pay(server.url, arguments, **given)
    assert received[0] == received[1]


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
    for agent in (
        "mugbot/2.0",
        "MugBot",
        "MUGBOT (+https://b.example)",
        "MugBot(+https://b.example)",
        "MugBot;v=2",
        "MugBot, Other/1.0",
        "Mozilla/5.0 (compatible; MugBot/1.0)",
        "mozilla/5.0 (COMPATIBLE;mugbot; +https://b.example)",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MugBot/1.2)",
    ):
        assert shared_limiter("https://A.example:443/", documents, agent) is found
    # A document that names a site does not use the limits of the site.
    assert shared_limiter(None, documents, "MugBot/1.0") is not found
    for agent in ("OtherBot", "Mozilla/5.0 (compatible; OtherBot/1.0)", "Mozilla/5.0"):
        assert shared_limiter("https://a.example", documents, agent) is not found
    own = shared_limiter(None, documents, "MugBot")
    assert shared_limiter(None, (manifest("a"),), "MugBot") is own
    assert shared_limiter(None, (manifest("b"),), "MugBot") is not own


def test_many_sites_do_not_make_a_limiter_forget(
    decision: agentsdisc.Decision,
) -> None:
    held = shared_limiter("https://held.example", (), "MugBot")
    held.hold(decision, 1000)
    idle = shared_limiter("https://idle.example", (), "MugBot")
    for number in range(3000):
        shared_limiter(f"https://{number}.example", (), "MugBot")
    assert shared_limiter("https://held.example", (), "MugBot") is held
    assert shared_limiter("https://idle.example", (), "MugBot") is not idle
    assert len(_limiters._all) < 2500


def test_a_limiter_is_used_while_it_counts() -> None:
    policy = agentsdisc.parse(
        "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\nAllow: /*\nAgent: *\n  Rate-Limit: 2/minute\n"
    )
    decision = agentsdisc.decide(policy, agent="Bot", url="https://a.example/")
    assert decision.rate_limits
    limiter = calls.Limiter()
    assert not limiter.is_used(100.0)
    limiter.take(decision, 100.0)
    assert limiter.is_used(159.0) and not limiter.is_used(161.0)


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
