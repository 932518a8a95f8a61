"""Calls of the shop: the same request from every format, over a real server."""

import json
from collections.abc import Callable
from typing import Any

import agentsdisc
import anyio
import pytest
import shop as shops
from agentsdisc import calls
from agentsdisc.calls import call
from agentsdisc.discovery import Timeouts
from server import HTML, Page, Server, serving, to
from shop import TOKEN, Shop, page

AGENT = "MugBot/1.0"
FORMATS = [
    "agents-txt",
    "agents-json",
    "awp",
    "agents-txt-0.1",
    "agents-json-0.1",
    "adp",
]


@pytest.fixture
def shop(server: Server) -> Shop:
    return Shop(server)


def document(shop: Shop, kind: str, **members: Any) -> agentsdisc.Document:
    if kind == "adp":
        text, details = shops.adp(shop.url)
        shop.server.pages.update(
            {
                path: Page(body, headers={"Content-Type": "application/json"})
                for path, body in details.items()
            }
        )
    else:
        if kind == "agents-txt-0.1":
            beside = Page(shops.agents_json_01(shop.url))
            shop.server.pages["/.well-known/agents.json"] = beside
        made: Callable[..., str] = getattr(
            shops, kind.replace("-0.1", "_01").replace("-", "_")
        )
        text = made(shop.url, **members)
    return agentsdisc.parse(text, format=kind)


def made(shop: Shop, kind: str, *asked: Any, **options: Any) -> calls.Answer:
    members = options.pop("members", {})
    settings = {
        "agent": AGENT,
        "origin": shop.url,
        "allow_private": True,
        "limiter": calls.Limiter(),
        **options,
    }
    return call(document(shop, kind, **members), *asked, **settings)


@pytest.mark.parametrize("kind", FORMATS)
def test_the_same_request_by_every_format(shop: Shop, kind: str) -> None:
    # The authentication of a manifest covers all of its capabilities.
    credentials = TOKEN if kind == "adp" else None
    arguments = {"q": "blue & white/50%", "limit": 5}
    answer = made(shop, kind, "search", arguments, credentials=credentials)
    assert answer.data["items"][0]["name"] == "blue & white/50% mug"
    assert answer.status == 200
    (asked,) = shop.asked
    assert asked["method"] == "GET"
    assert asked["query"] == {"q": "blue & white/50%", "limit": "5"}
    assert asked["headers"]["user-agent"] == AGENT
    assert ("authorization" in asked["headers"]) == (kind == "adp")
    assert answer.steps[-1].kind == "call"


@pytest.mark.parametrize("kind", FORMATS)
def test_a_body_and_a_credential_by_every_format(shop: Shop, kind: str) -> None:
    answer = made(shop, kind, "order", {"sku": "m1", "count": 2}, credentials=TOKEN)
    assert answer.data == {"order_id": "o1", "sku": "m1"}
    asked = shop.asked[-1]
    assert asked["body"] == {"sku": "m1", "count": 2}
    expected = "session-1" if kind.endswith("-0.1") else TOKEN
    assert asked["headers"]["authorization"] == f"Bearer {expected}"
    assert TOKEN not in repr(answer) and TOKEN not in str(answer.steps)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    ("arguments", "problem", "argument"),
    [
        ({}, "missing-argument", "q"),
        ({"q": None}, "missing-argument", "q"),
        ({"q": "a", "limit": "many"}, "wrong-type", "limit"),
        ({"q": "a", "size": 1}, "unknown-argument", "size"),
    ],
)
def test_wrong_arguments_are_named_and_nothing_is_sent(
    shop: Shop, kind: str, arguments: dict[str, Any], problem: str, argument: str
) -> None:
    with pytest.raises(calls.CallRefused) as refused:
        made(shop, kind, "search", arguments)
    assert (refused.value.problem, refused.value.argument) == (problem, argument)
    assert shop.asked == []


@pytest.mark.parametrize("kind", ["agents-txt", "agents-json", "awp", "adp"])
def test_a_needed_credential_is_asked_for(shop: Shop, kind: str) -> None:
    with pytest.raises(calls.CredentialsNeeded):
        made(shop, kind, "order", {"sku": "m1"})
    assert shop.asked == []


def test_a_dry_run_sends_nothing(shop: Shop) -> None:
    planned = made(
        shop, "agents-txt", "order", {"sku": "m'1"}, credentials=TOKEN, dry_run=True
    )
    assert isinstance(planned, calls.Planned)
    assert shop.asked == []
    assert isinstance(planned.request, calls.HttpRequest)
    assert planned.request.method == "POST"
    assert json.loads(planned.request.body or b"") == {"sku": "m'1"}
    line = str(planned)
    assert line.startswith("curl --request POST") and TOKEN not in line
    assert "Authorization: <credential>" in line
    planned = made(
        shop, "agents-json-0.1", "order", {"sku": "m1"}, credentials=TOKEN, dry_run=True
    )
    assert (planned.first, planned.detail) == ("session", f"{shop.url}/api/session")


def test_what_must_be_confirmed_is_not_sent_without(shop: Shop) -> None:
    arguments = {"order_id": "o1"}
    with pytest.raises(calls.ConfirmationRefused, match="confirm"):
        made(shop, "awp", "cancel", arguments)
    for no in (False, None, "yes", 1):
        with pytest.raises(calls.ConfirmationRefused):
            made(shop, "awp", "cancel", arguments, confirm=lambda *_, no=no: no)
    assert shop.asked == []
    seen = []

    async def agree(decision: Any, name: str, given: Any) -> bool:
        seen.append((decision.confirmation, name, dict(given)))
        return True

    answer = made(shop, "awp", "cancel", arguments, confirm=agree)
    assert seen == [("must", "cancel", arguments)]
    assert [(o.name, o.value, o.typed) for o in answer.outputs] == [
        ("cancelled", "o1", True)
    ]


def test_an_asynchronous_result_is_polled(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = no_waiting(monkeypatch)
    answer = made(shop, "awp", "report")
    assert shop.kinds == ["POST /api/report", "GET /jobs/j1", "GET /jobs/j1"]
    assert [step.kind for step in answer.steps] == ["call", "poll", "poll"]
    assert answer.outputs[0].value == 3 and waited


def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Records waits instead of waiting."""
    waited: list[float] = []

    async def pause(self: Any, seconds: float, *about: Any) -> float:
        waited.append(seconds)
        return seconds

    monkeypatch.setattr("agentsdisc.calls.sending.Sender.pause", pause)
    return waited


def test_safe_requests_are_repeated_and_others_are_not(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = no_waiting(monkeypatch)
    shop.failures = [page({}, 503, **{"Retry-After": "7"})]
    answer = made(shop, "awp", "search", {"q": "a"})
    assert [step.kind for step in answer.steps] == ["call", "retry"] and waited == [7]
    shop.asked.clear()
    shop.failures = [page({}, 503)]
    with pytest.raises(calls.CallFailed) as failed:
        made(shop, "awp", "order", {"sku": "m1"}, credentials=TOKEN)
    assert failed.value.status == 503 and len(shop.asked) == 1
    shop.asked.clear()
    shop.failures = [page({}, 503)]
    made(
        shop,
        "awp",
        "order",
        {"sku": "m1"},
        credentials=TOKEN,
        idempotency_key="key-1",
    )
    keys = [asked["body"]["request_key"] for asked in shop.asked]
    assert keys == ["key-1", "key-1"]


def test_repeating_ends(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    no_waiting(monkeypatch)
    shop.failures = [page({}, 503)] * 50
    with pytest.raises(calls.CallFailed) as failed:
        made(shop, "awp", "search", {"q": "a"})
    assert failed.value.failure == "too-many-retries"
    assert len(shop.asked) == 4


def test_actions_that_come_before_run_first(shop: Shop) -> None:
    members = {"dependencies": {"cancel": ["order"]}}
    answer = made(
        shop,
        "awp",
        "cancel",
        {"order_id": "o1"},
        members=members,
        confirm=lambda *_: True,
        credentials=TOKEN,
        before={"order": {"sku": "m1"}},
    )
    assert shop.kinds == ["POST /api/order", "POST /api/cancel"]
    assert [step.capability for step in answer.steps] == ["order", "cancel"]
    shop.asked.clear()
    with pytest.raises(calls.CallRefused) as refused:
        made(
            shop,
            "awp",
            "cancel",
            {"order_id": "o1"},
            members=members,
            confirm=lambda *_: True,
            credentials=TOKEN,
        )
    assert refused.value.argument == "sku" and shop.asked == []


def test_an_output_of_an_earlier_action_is_used(shop: Shop) -> None:
    answer = made(
        shop,
        "awp",
        "cancel",
        members={"dependencies": {"cancel": ["order"]}},
        confirm=lambda *_: True,
        credentials=TOKEN,
        before={"order": {"sku": "m1"}},
    )
    assert shop.asked[-1]["body"] == {"order_id": "o1"}
    assert answer.data == {"cancelled": "o1"}


def test_a_cycle_of_actions_is_an_error(shop: Shop) -> None:
    with pytest.raises(calls.CallError):
        made(
            shop,
            "awp",
            "cancel",
            {"order_id": "o1"},
            members={"dependencies": {"cancel": ["order"], "order": ["cancel"]}},
            confirm=lambda *_: True,
            credentials=TOKEN,
        )
    assert shop.asked == []


def test_a_renewed_token_is_asked_for_once(shop: Shop) -> None:
    tokens = iter(["old", TOKEN])
    answer = made(
        shop,
        "awp",
        "order",
        {"sku": "m1"},
        credentials=lambda decision: next(tokens),
        members={
            "auth": {
                "type": "oauth2",
                "required_for": ["order"],
                "refresh_endpoint": f"{shop.url}/token",
            }
        },
    )
    assert answer.data["order_id"] == "o1"
    sent = [asked["headers"]["authorization"] for asked in shop.asked]
    assert sent == ["Bearer old", f"Bearer {TOKEN}"]
    shop.asked.clear()
    with pytest.raises(calls.CallError):
        made(shop, "awp", "order", {"sku": "m1"}, credentials=lambda decision: "bad")
    assert len(shop.asked) <= 2


def test_limits_are_kept_and_shared(shop: Shop) -> None:
    text = shops.agents_txt(shop.url) + "Agent: *\n  Rate-Limit: 2/hour\n"
    limited = agentsdisc.parse(text)
    limiter = calls.Limiter()
    for _ in range(2):
        call(
            limited,
            "search",
            {"q": "a"},
            agent=AGENT,
            origin=shop.url,
            allow_private=True,
            limiter=limiter,
        )
    with pytest.raises(calls.RateLimited) as refused:
        call(
            limited,
            "search",
            {"q": "a"},
            agent=AGENT,
            origin=shop.url,
            allow_private=True,
            limiter=limiter,
            max_wait=1,
        )
    assert 3500 < refused.value.seconds <= 3600
    assert len(shop.asked) == 2


def test_what_a_document_denies_is_not_called(shop: Shop) -> None:
    text = shops.agents_txt(shop.url) + "Disallow: /api/\n"
    with pytest.raises(calls.PolicyDenied):
        call(
            agentsdisc.parse(text),
            "search",
            {"q": "a"},
            agent=AGENT,
            origin=shop.url,
            allow_private=True,
        )
    with pytest.raises(calls.CallError):
        made(shop, "agents-txt", "unknown")
    assert shop.asked == []


def test_redirects_are_not_followed_and_carry_no_credential(shop: Shop) -> None:
    with serving() as evil:
        shop.failures = [to(f"{evil.url}/steal", 307)]
        with pytest.raises(calls.CallFailed) as failed:
            made(shop, "awp", "order", {"sku": "m1"}, credentials=TOKEN)
        assert failed.value.failure == "redirect"
        assert evil.asked == []


def test_another_domain_gets_nothing(shop: Shop) -> None:
    with serving() as evil:
        text = shops.agents_json(evil.url).replace(
            f'"url": "{evil.url}"', f'"url": "{shop.url}"'
        )
        text = text.replace("127.0.0.1", "localhost").replace(
            f'"url": "http://localhost:{shop.server.port}"', f'"url": "{shop.url}"'
        )
        with pytest.raises(calls.CallError):
            call(
                agentsdisc.parse(text),
                "order",
                {"sku": "m1"},
                agent=AGENT,
                origin=shop.url,
                allow_private=True,
                credentials=TOKEN,
            )
        assert evil.asked == []


def test_private_addresses_are_refused(shop: Shop) -> None:
    with pytest.raises(calls.ConnectionFailed):
        made(shop, "agents-txt", "search", {"q": "a"}, allow_private=False)
    assert shop.asked == []


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe", b"{", b"[" * 5000, HTML.encode(), b"null", b"7"]
)
def test_answers_of_other_types_are_returned(shop: Shop, body: bytes) -> None:
    shop.failures = [Page(body)]
    answer = made(shop, "awp", "search", {"q": "a"})
    assert answer.body == body
    assert all(not output.typed for output in answer.outputs)


def test_an_endless_answer_ends(shop: Shop) -> None:
    shop.failures = [Page(b"x" * 100_000)]
    with pytest.raises(calls.LimitExceeded):
        made(shop, "awp", "search", {"q": "a"}, max_response=1000)


@pytest.mark.parametrize(
    "value", ["a\r\nX-Evil: 1", "../../admin", "%2e%2e/x", "?a=b#c"]
)
def test_hostile_values_stay_values(shop: Shop, value: str) -> None:
    made(shop, "agents-txt", "search", {"q": value})
    (asked,) = shop.asked
    assert asked["path"] == "/api/search"
    assert asked["query"]["q"] == value
    assert "x-evil" not in asked["headers"]


def test_a_site_is_discovered_and_called(shop: Shop) -> None:
    shop.server.pages["/.well-known/agents.txt"] = Page(
        shops.agents_txt(shop.url), headers={"Content-Type": "text/plain"}
    )
    site = agentsdisc.discover(shop.url, allow_private=True, cache=False)
    answer = site.call("search", {"q": "a"}, agent=AGENT, allow_private=True)
    assert answer.data["total"] == 1

    async def go() -> Any:
        return await site.acall("search", {"q": "b"}, agent=AGENT, allow_private=True)

    assert anyio.run(go).data["items"][0]["name"] == "b mug"
    answer = call(
        shop.url,
        "search",
        {"q": "c"},
        agent=AGENT,
        allow_private=True,
        discovery={"cache": False},
    )
    assert answer.data["items"][0]["name"] == "c mug"


def test_a_slow_server_ends_in_time(shop: Shop) -> None:
    def hang(handler: Any) -> None:
        shop.server.stopping.wait(20)

    shop.server.routes["/api/search"] = hang
    with pytest.raises(calls.CallError):
        made(
            shop,
            "agents-txt",
            "search",
            {"q": "a"},
            timeouts=Timeouts(request=0.5, total=1),
        )


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"agent": 5}, TypeError),
        ({"agent": "a\nb"}, ValueError),
        ({"max_wait": -1}, ValueError),
        ({"max_wait": float("nan")}, ValueError),
        ({"approve": "https://a.example"}, TypeError),
        ({"approve": [5]}, TypeError),
        ({"timeouts": 5}, TypeError),
        ({"dryrun": True}, TypeError),
        ({"credentials": 5}, TypeError),
        ({"confirm": "yes"}, TypeError),
        ({"notice": 5}, TypeError),
        ({"limiter": 5}, TypeError),
        ({"before": ["order"]}, TypeError),
        ({"before": {"order": 5}}, TypeError),
        ({"discovery": 5}, TypeError),
        ({"idempotency_key": " "}, ValueError),
        ({"max_response": 0}, ValueError),
    ],
)
def test_invalid_options_are_named(
    shop: Shop, options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error, match=rf"(?i)\b(User-)?{next(iter(options))}\b"):
        made(shop, "agents-txt", "search", {"q": "a"}, **options)
    assert shop.asked == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((5, "search", {}), "where must be a URL, a Site or documents, not int"),
        (([b"x"], "search", {}), r"where\[0\] must be Document, not bytes"),
        (([], 5, {}), "capability must be str"),
        (([], "search", ["q"]), "arguments must be Mapping"),
    ],
)
def test_arguments_of_other_types_are_named(asked: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        call(*asked, agent=AGENT)


def test_a_credential_with_a_line_break_is_not_sent_or_shown(shop: Shop) -> None:
    secret = "s3cret-value\r\nX-Evil: 1"
    with pytest.raises(ValueError, match="not valid in a header") as problem:
        made(shop, "awp", "order", {"sku": "m1"}, credentials=secret)
    assert "s3cret" not in str(problem.value) and shop.asked == []


def test_the_command_line(shop: Shop, run: Any) -> None:
    shop.server.pages["/agent.json"] = Page(
        shops.awp(shop.url), headers={"Content-Type": "application/json"}
    )
    site = [shop.url, "--agent", AGENT, "--allow-private", "--no-cache"]
    done = run("call", site[0], "search", "q=blue", "limit=3", *site[1:])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["items"][0]["name"] == "blue mug"
    assert shop.asked[-1]["query"] == {"q": "blue", "limit": "3"}
    done = run("call", site[0], "search", "q:=7", *site[1:])
    assert (done.returncode, "string" in done.stderr) == (1, True)
    done = run("call", site[0], "search", *site[1:])
    assert done.returncode == 1 and "q" in done.stderr
    count = len(shop.asked)
    done = run("call", site[0], "cancel", "order_id=o1", *site[1:])
    assert done.returncode == 1 and "--yes" in done.stderr
    done = run("call", site[0], "cancel", "order_id=o1", *site[1:], "--dry-run")
    assert done.returncode == 0 and done.stdout.startswith("curl --request POST")
    assert len(shop.asked) == count
    line = done.stdout.strip()
    options = ["--dry-run", "--json"]
    done = run("call", site[0], "cancel", "order_id=o1", *site[1:], *options)
    planned = json.loads(done.stdout)
    assert (planned["curl"], planned["request"]["method"]) == (line, "POST")
    done = run("call", site[0], "cancel", "order_id=o1", *site[1:], "--yes", "--json")
    values = json.loads(done.stdout)
    step = values["steps"][0]
    assert (step["protocol"], step["method"]) == ("http", "POST")
    assert values["outputs"] == [
        {"name": "cancelled", "type": "string", "value": "o1", "typed": True}
    ]
    done = run("call", site[0], "order", "sku=m1", *site[1:], "--json")
    assert done.returncode == 2 and "variable AGENTSDISC_TOKEN," in done.stderr
    # `--yes` is about the call itself, and nobody is there to be asked about the action before it.
    shop.server.pages["/agent.json"] = Page(
        shops.awp(shop.url, dependencies={"search": ["cancel"]}),
        headers={"Content-Type": "application/json"},
    )
    before = ["--before", 'cancel={"order_id": "o1"}']
    count = len(shop.asked)
    done = run("call", site[0], "search", "q=blue", *site[1:], "--yes")
    said = "'cancel', which the site requires before 'search', is not called"
    assert done.returncode == 1 and said in done.stderr
    assert "order_id; add --before cancel=JSON with" in done.stderr
    assert "--after cancel for what has run" in done.stderr
    done = run("call", site[0], "search", "q=blue", *site[1:], "--yes", *before)
    assert done.returncode == 1 and "'cancel'" in done.stderr, done
    assert len(shop.asked) == count
