"""What errors and help say: enough for a person or a model to know what to do next."""

import json
import logging
import pydoc
import subprocess
import sys
import time
from typing import Any

import agentsdisc
import pytest
from agentsdisc import calls
from asking import PATIENT
from server import Page, Server

AGENT = "MugBot/1.0"


def shop(server: Server, auth: str = "") -> agentsdisc.Document:
    return agentsdisc.parse(
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {server.url}\n"
        f"Capability: order_mug\n  Endpoint: {server.url}/order\n  Protocol: REST\n{auth}"
        f"Capability: look\n  Endpoint: {server.url}/look\n  Protocol: REST\n"
    )


def call(server: Server, name: str = "order_mug", auth: str = "", **more: Any) -> Any:
    options = {"allow_private": True, "limiter": calls.Limiter(), **more}
    document = shop(server, auth)
    return calls.call(document, name, {}, agent=AGENT, origin=server.url, **options)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"title": "No mugs", "detail": "All are sold."}', "No mugs; All are sold."),
        ('{"error": {"message": "no cup"}}', "no cup"),
        ('{"errors": [{"message": "first"}, {"message": "second"}]}', "first"),
        ('{"error": "invalid_size"}', "invalid_size"),
        ('"only a text"', "only a text"),
        ("sold\nout \x1b[2J", r"sold\x0aout \x1b[2J"),
    ],
)
def test_a_failed_call_says_what_the_server_said(
    server: Server, body: str, said: str
) -> None:
    server.routes["/order"] = Page(body, status=409)
    with pytest.raises(calls.CallFailed) as caught:
        call(server)
    assert str(caught.value).endswith(f"status 409; the server says: {said}")
    assert str(caught.value).isprintable()
    assert caught.value.body == body.encode()


@pytest.mark.parametrize(
    "body", ["<html>no", b"\xff\xfe", "", "{}", "[" * 50_000, "sold out" * 10_000]
)
def test_what_is_no_text_for_people_is_not_repeated(
    server: Server, body: str | bytes
) -> None:
    text = body if isinstance(body, bytes) else body.encode()
    server.routes["/order"] = Page(text, status=400)
    with pytest.raises(calls.CallFailed) as caught:
        call(server)
    said = str(caught.value)
    assert len(said) < 500
    if body != "[" * 50_000:
        assert "the server says" not in said


def test_the_words_of_a_server_are_bounded_and_masked(server: Server) -> None:
    secret = "ghp_" + "a1B2" * 9
    server.routes["/order"] = Page(
        json.dumps({"detail": f"{secret} " + "x" * 5000}), status=400
    )
    with pytest.raises(calls.CallFailed) as caught:
        call(server)
    assert secret not in str(caught.value) and len(str(caught.value)) < 500


def test_an_unknown_capability_names_those_that_are_declared(server: Server) -> None:
    with pytest.raises(calls.PolicyDenied) as caught:
        call(server, "order_mugs")
    said = str(caught.value)
    assert said.endswith("; did you mean 'order_mug'? declared: 'order_mug', 'look'")
    with pytest.raises(calls.PolicyDenied) as caught:
        call(server, "zzz")
    assert "did you mean" not in str(caught.value)


def test_a_rate_limit_says_when_a_call_is_allowed(server: Server) -> None:
    server.routes["/order"] = Page("{}")
    limiter = calls.Limiter()
    limit = "  Rate-Limit: 1/hour\n"
    call(server, auth=limit, limiter=limiter)
    with pytest.raises(calls.RateLimited) as caught:
        call(server, auth=limit, limiter=limiter, max_wait=0)
    seconds = caught.value.seconds
    assert 3500 < seconds <= 3600
    assert "the next call is allowed in 3" in str(caught.value)


def test_private_addresses_are_permitted_once(server: Server) -> None:
    """A call needs no second permission for the site that discovery was permitted to reach."""
    server.routes["/agents.txt"] = Page(
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {server.url}\n"
        f"Capability: look\n  Endpoint: {server.url}/look\n  Protocol: REST\n"
    )
    server.routes["/look"] = Page('{"ok": true}')
    site = agentsdisc.discover(server.url, allow_private=True, cache=False)
    assert site.call("look", agent=AGENT).data == {"ok": True}
    with pytest.raises(calls.ConnectionFailed) as caught:
        site.call("look", agent=AGENT, allow_private=False)
    assert "its address is not public; use allow_private=True" in str(caught.value)
    with pytest.raises(calls.ConnectionFailed):
        calls.call(site.documents, "look", agent=AGENT, origin=server.url)
    assert caught.value.__cause__ is not None
    assert len(repr(site)) < 160 and server.url in repr(site)


OAUTH = "  Auth: oauth2\n"


def token(server: Server, page: Page | None, **more: Any) -> str:
    """Returns the error when a token is needed that the token server does not give."""
    if page is not None:
        server.routes["/token"] = page
    oauth = calls.OAuth2(
        "mugbot", "s3cret", **{"token_url": f"{server.url}/token", **more}
    )
    with pytest.raises(calls.CredentialsNeeded) as caught:
        call(server, auth=OAUTH, credentials=oauth)
    assert "s3cret" not in str(caught.value)
    return str(caught.value)


def test_oauth_says_why_there_is_no_token(server: Server) -> None:
    wrong = '{"error": "invalid_client", "error_description": "no such client"}'
    said = token(server, Page(wrong, status=401))
    assert said.endswith("status 401: invalid_client; no such client")
    said = token(server, Page("<html>", status=404))
    assert said.endswith("status 404, and its answer is not JSON")
    said = token(server, Page("{}"))
    assert said.endswith("status 200: an answer without a valid access_token")
    said = token(server, None, token_url="http://127.0.0.1:1/token")
    assert said.endswith("it refuses the connection")


def test_oauth_names_the_network_error_as_the_cause(server: Server) -> None:
    oauth = calls.OAuth2("mugbot", token_url="http://127.0.0.1:1/token")
    with pytest.raises(calls.CredentialsNeeded) as caught:
        call(server, auth=OAUTH, credentials=oauth)
    causes: list[str] = []
    cause = caught.value.__cause__
    while cause is not None:
        causes.append(type(cause).__name__)
        cause = cause.__cause__
    assert "ConnectionRefusedError" in causes or "ConnectError" in causes


def test_oauth_on_this_machine_needs_a_site_on_this_machine(server: Server) -> None:
    """What documents declare about their site opens no connection to this machine."""
    server.routes["/token"] = Page('{"access_token": "t"}')
    server.routes["/order"] = Page('{"ok": true}')
    url = f"{server.url}/token"
    oauth = calls.OAuth2("mugbot", "s3cret", token_url=url)
    assert call(server, auth=OAUTH, credentials=oauth).data == {"ok": True}
    elsewhere = agentsdisc.parse(
        "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://mugs.example\n"
        "Capability: look\n  Endpoint: https://mugs.example/x\n  Protocol: REST\n  Auth: oauth2\n"
    )
    local = shop(server, OAUTH)
    paths = [path for _, path in server.asked]
    for document, origin in ((elsewhere, "https://mugs.example"), (local, None)):
        with pytest.raises(calls.CallError) as caught:
            calls.call(
                document,
                document.capabilities[0].id or "",
                agent=AGENT,
                origin=origin,
                credentials=calls.OAuth2("mugbot", "s3cret", token_url=url),
                timeouts=PATIENT,
            )
        assert "not public" in str(caught.value)
    assert [path for _, path in server.asked] == paths and "/token" in paths


def test_modules_are_imported_on_first_use() -> None:
    program = "import agentsdisc; agentsdisc.calls.call; agentsdisc.verify.verify_card"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    ("use", "extra"),
    [
        ("agentsdisc.calls", "http"),
        ("agentsdisc.discover('https://mugs.example')", "http"),
        ("agentsdisc.search('https://mugs.example', 'x')", "http"),
        ("agentsdisc.verify", "verify"),
    ],
)
def test_a_missing_extra_is_named(use: str, extra: str) -> None:
    program = (
        "import sys\n"
        "for name in ('anyio', 'httpx', 'httpcore', 'jwt', 'rfc8785'): sys.modules[name] = None\n"
        f"import agentsdisc\ntry:\n    {use}\nexcept ImportError as problem: print(problem)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout
    assert f"pip install 'agentsdisc[{extra}]'" in said


def test_help_shows_the_options() -> None:
    for function in (agentsdisc.discover, calls.call, agentsdisc.search):
        said = pydoc.plain(pydoc.render_doc(function))
        assert "allow_private" in said, function
    documented = pydoc.plain(pydoc.render_doc(agentsdisc.discovery.Site.call))
    for name in [*calls.Options.__annotations__, "dry_run"]:
        assert f"`{name}`" in documented, name


def test_public_modules_list_what_is_public() -> None:
    for name in ("calls", "discovery", "mcp", "registry", "serving", "verify"):
        module = getattr(agentsdisc, name)
        assert dir(module) == sorted(module.__all__), name


def test_tracebacks_name_what_programs_import() -> None:
    for name in calls.__all__:
        each = getattr(calls, name)
        if isinstance(each, type) and issubclass(each, Exception):
            assert each.__module__ == "agentsdisc.calls", name


def test_requests_are_logged(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    server.routes["/order"] = Page("{}")
    with caplog.at_level(logging.DEBUG, "agentsdisc"):
        call(server)
        agentsdisc.discover(server.url, allow_private=True, cache=False)
    said = [record.getMessage() for record in caplog.records]
    assert f"GET {server.url}/order: status 200" in said
    assert f"GET {server.url}/agents.txt: status 404" in said
    assert {record.name for record in caplog.records} == {"agentsdisc.requests"}


def test_a_capability_has_its_id_as_an_index(server: Server) -> None:
    capabilities = shop(server).capabilities
    assert capabilities["look"] == capabilities[1]
    with pytest.raises(KeyError, match="mug"):
        capabilities["mug"]


def awp(server: Server, **members: Any) -> agentsdisc.Document:
    """A site with an action to which a person has to agree, and one that runs before it."""
    search = {"id": "search", "endpoint": "/search", "method": "GET"}
    common = {"description": "Finds mugs.", "auth_required": False, "inputs": {}}
    order = {
        "id": "order",
        "description": "Orders a mug.",
        "auth_required": False,
        "endpoint": "/order",
        "method": "POST",
        "inputs": {"mug": {"type": "string", "required": True}},
        "requires_human_confirmation": True,
        "sensitivity": "destructive",
        "reversible": False,
        **members,
    }
    return agentsdisc.parse(
        json.dumps(
            {
                "awp_version": "0.2",
                "domain": "127.0.0.1",
                "intent": "x",
                "actions": [search | common, order],
            }
        )
    )


def order(server: Server, arguments: Any, seen: list[Any], **more: Any) -> Any:
    def confirm(question: calls.Question, name: str, given: Any) -> bool:
        seen.append(question)
        assert name == "order" and given == question.arguments
        return True

    return calls.call(
        awp(server, **more.pop("members", {})),
        "order",
        arguments,
        agent=AGENT,
        confirm=confirm,
        origin=server.url,
        allow_private=True,
        **{"limiter": calls.Limiter(), **more},
    )


def test_a_person_sees_what_is_sent_and_why(server: Server) -> None:
    server.routes["/order"] = Page("{}")
    seen: list[calls.Question] = []
    order(server, {"mug": "blue\x1b[2J"}, seen)
    (question,) = seen
    assert isinstance(question, agentsdisc.Decision) and question.allowed
    assert (question.site, question.description) == (server.url, "Orders a mug.")
    assert isinstance(question.request, calls.HttpRequest)
    assert question.request.url == f"{server.url}/order"
    assert str(question).splitlines() == [
        f"call order of {server.url}",
        "the site says: Orders a mug.",
        f'sends: POST {server.url}/order {{"mug":"blue\\u001b[2J"}}',
        'arguments: mug = "blue\\u001b[2J"',
        "a person must be asked; its effect: destructive; it cannot be undone",
    ]


@pytest.mark.parametrize(
    ("arguments", "members", "error"),
    [
        ({}, {}, calls.CallRefused),
        ({"mug": 7}, {}, calls.CallRefused),
        ({"mug": "m"}, {"auth_required": True}, calls.CredentialsNeeded),
        ({"mug": "m"}, {"rate_limit": "1/hour"}, calls.RateLimited),
    ],
)
def test_nobody_is_asked_about_a_call_that_cannot_be_made(
    server: Server, arguments: Any, members: Any, error: type[Exception]
) -> None:
    server.routes["/order"] = Page("{}")
    seen: list[calls.Question] = []
    limiter = calls.Limiter()
    if error is calls.RateLimited:
        order(server, arguments, [], members=members, limiter=limiter)
    with pytest.raises(error):
        order(server, arguments, seen, members=members, limiter=limiter, max_wait=0)
    assert seen == []


def test_an_unknown_capability_beside_many_takes_no_time(server: Server) -> None:
    ids = [f"order-{number}" for number in range(10_000)]
    ids += [f"{'ab' * 2000}{number}" for number in range(50)]
    capabilities = "".join(
        f"Capability: {each}\n  Endpoint: {server.url}/x\n  Protocol: REST\n"
        for each in ids
    )
    document = agentsdisc.parse(
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {server.url}\n{capabilities}"
    )
    begun = time.process_time()
    with pytest.raises(calls.PolicyDenied, match=r"did you mean .* and 10030 more"):
        calls.call(document, "order_7", agent=AGENT, origin=server.url)
    assert time.process_time() - begun < 5
