"""What a call must not do: repeat an order, lose a job, or send a credential or a request elsewhere."""

import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import agentsdisc
import pytest
from agentsdisc import calls
from agentsdisc.calls import call
from asking import PATIENT
from server import Handler, Page, Server, serving
from shop import page
from test_calls import no_waiting

AGENT = "MugBot/1.0"
NOW = {"Retry-After": "0"}


class Shop:
    """A server whose answers a function gives, and what it was asked."""

    def __init__(self, server: Server) -> None:
        self.server, self.url = server, server.url
        self.asked: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: dict[str, list[Page] | Callable[[], Page]] = {}

    def serve(self, path: str, *pages: Page) -> None:
        """Serves these pages at a path, the last one again and again."""
        left = list(pages)

        def answer(handler: Handler) -> None:
            length = int(handler.headers.get("Content-Length") or 0)
            body = handler.rfile.read(length)
            headers = {name.lower(): value for name, value in handler.headers.items()}
            with self.server.lock:
                self.asked.append((f"{handler.command} {handler.path}", headers, body))
                one = left.pop(0) if len(left) > 1 else left[0]
            handler.send(one)

        self.server.routes[path] = answer

    @property
    def kinds(self) -> list[str]:
        return [line for line, _, _ in self.asked]

    @property
    def tokens(self) -> list[str | None]:
        return [headers.get("authorization") for _, headers, _ in self.asked]


@pytest.fixture
def shop() -> Iterator[Shop]:
    with serving() as server:
        yield Shop(server)


@pytest.fixture
def other() -> Iterator[Shop]:
    with serving() as server:
        yield Shop(server)


def action(id: str, method: str = "POST", **members: Any) -> dict[str, Any]:
    usual = {"description": id, "auth_required": False, "endpoint": f"/api/{id}"}
    return {"id": id, **usual, "method": method, "outputs": {}, **members}


def awp(*actions: dict[str, Any], **members: Any) -> agentsdisc.Document:
    values = {"awp_version": "0.2", "domain": "127.0.0.1", "intent": "Sells mugs."}
    values |= {"actions": list(actions), **members}
    return agentsdisc.parse(json.dumps(values), format="awp")


def made(shop: Shop, document: Any, name: str, *given: Any, **options: Any) -> Any:
    usual = {"agent": AGENT, "origin": shop.url, "allow_private": True}
    limiter = calls.Limiter()
    return call(document, name, *given, **{**usual, "limiter": limiter, **options})


JOB = action("order", execution_model="async", poll_endpoint="/jobs/{job_id}")
BEGUN = page({"job_id": "j1"}, 202)
DONE = page({"status": "done"})
AUTH = {"type": "bearer", "required_for": ["order"]}
RETRY = {"E": {"recovery": "wait 1 second, then retry"}}


@pytest.mark.parametrize(
    "answer",
    [
        page({}, 429, **NOW),
        page({}, 408, **NOW),
        page({}, 503, **NOW),
        page({"code": "E"}, 400, **NOW),
        page({}, 202, **NOW),
    ],
)
def test_the_answer_of_a_poll_is_about_the_poll(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, answer: Page
) -> None:
    no_waiting(monkeypatch)
    shop.serve("/api/order", BEGUN)
    shop.serve("/jobs/j1", answer, page({"status": "running"}), answer, DONE)
    made(shop, awp(JOB, errors=RETRY), "order")
    assert shop.kinds == ["POST /api/order", *["GET /jobs/j1"] * 4]


def test_a_token_is_renewed_for_a_poll(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_waiting(monkeypatch)
    shop.serve("/api/order", BEGUN)
    shop.serve("/jobs/j1", page({}, 401), DONE)
    tokens = iter(["t1", "t2"])
    document = awp({**JOB, "auth_required": True}, auth=AUTH)
    made(shop, document, "order", credentials=lambda _: next(tokens))
    assert shop.kinds == ["POST /api/order", "GET /jobs/j1", "GET /jobs/j1"]
    assert shop.tokens == ["Bearer t1", "Bearer t1", "Bearer t2"]


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (page({"status": "failed", "code": "E"}), "job"),
        (page({}, 404), "status"),
        (page({}, 303, Location="/x"), "redirect"),
        (page({"code": "E"}, 503), "too-many-retries"),
    ],
)
def test_a_job_ends_with_its_place(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, answer: Page, failure: str
) -> None:
    no_waiting(monkeypatch)
    shop.serve("/api/order", BEGUN)
    shop.serve("/jobs/j1", answer)
    with pytest.raises(calls.CallFailed) as failed:
        made(shop, awp(JOB, errors=RETRY), "order")
    error = failed.value
    assert (error.failure, error.job) == (failure, f"{shop.url}/jobs/j1")
    assert error.body.decode() == answer.body
    assert shop.kinds.count("POST /api/order") == 1
    assert error.steps[-1].request.url == error.job
    again = pickle.loads(pickle.dumps(error))
    assert (again.steps, again.job, str(again)) == (error.steps, error.job, str(error))


def test_a_job_that_must_be_waited_for_is_not_lost(shop: Shop) -> None:
    shop.serve("/api/order", page({"job_id": "j1"}, 202, **{"Retry-After": "3600"}))
    with pytest.raises(calls.RateLimited) as refused:
        made(shop, awp(JOB), "order")
    assert refused.value.job == f"{shop.url}/jobs/j1"
    assert [step.status for step in refused.value.steps] == [202]
    assert pickle.loads(pickle.dumps(refused.value)).job == refused.value.job


def test_polls_do_not_use_up_the_limit_of_their_capability(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_waiting(monkeypatch)
    shop.serve("/api/order", BEGUN)
    shop.serve("/jobs/j1", page({"status": "running"}), DONE)
    limited = {**JOB, "rate_limit": {"requests": 1, "window": "hour"}}
    made(shop, awp(limited), "order", max_wait=0)
    assert len(shop.asked) == 3


@pytest.mark.parametrize("poll", ["/jobs/{missing}", "https://evil.test/jobs"])
def test_a_job_whose_place_is_refused_is_a_failure(shop: Shop, poll: str) -> None:
    shop.serve("/api/order", BEGUN)
    with pytest.raises(calls.CallFailed) as failed:
        made(shop, awp({**JOB, "poll_endpoint": poll}), "order")
    error = failed.value
    assert (error.failure, error.status) == ("refused", 202)
    assert error.body.decode() == BEGUN.body
    assert len(error.steps) == len(shop.asked) == 1


@pytest.mark.parametrize("need", ["required_for", "optional_for"])
def test_a_poll_elsewhere_gets_no_credential(
    shop: Shop, other: Shop, monkeypatch: pytest.MonkeyPatch, need: str
) -> None:
    no_waiting(monkeypatch)
    shop.serve("/api/order", BEGUN)
    other.serve("/jobs/j1", DONE)
    job = {**JOB, "poll_endpoint": f"{other.url}/jobs/j1"}
    job["auth_required"] = need == "required_for"
    document = awp(job, auth={"type": "bearer", need: ["order"]})
    try:
        made(shop, document, "order", credentials="secret", approve=[other.url])
    except calls.CallFailed as failed:
        assert failed.body.decode() == BEGUN.body
    assert shop.tokens == ["Bearer secret"]
    assert other.tokens in ([], [None])


def test_a_token_is_asked_for_each_decision(shop: Shop) -> None:
    shop.serve("/api/hold", page({}))
    shop.serve("/api/order", page({}))
    asked: list[str] = []

    def token(decision: agentsdisc.Decision) -> str:
        asked.append(str(decision.capability))
        return f"for-{decision.capability}"

    document = awp(
        action("hold", auth_required=True),
        action("order", auth_required=True),
        auth={"type": "bearer", "required_for": ["hold", "order"]},
        dependencies={"order": ["hold"]},
    )
    made(shop, document, "order", credentials=token)
    assert asked == ["hold", "order"]
    assert shop.tokens == ["Bearer for-hold", "Bearer for-order"]


ORDERED: dict[str, Any] = {"dependencies": {"order": ["hold"]}}
HELD: dict[str, Any] = {"auth": AUTH, **ORDERED}
SURE = action(
    "order",
    auth_required=True,
    requires_human_confirmation=True,
    inputs={
        "sku": {"type": "string", "required": True},
        "hold_id": {"type": "string", "required": True},
    },
)
HOLD = action("hold", outputs={"hold_id": "string"})


@pytest.mark.parametrize(
    ("given", "options", "error"),
    [
        ({"sku": 5}, {}, calls.CallRefused),
        ({}, {}, calls.CallRefused),
        ({"sku": "m1", "x": 1}, {}, calls.CallRefused),
        ({"sku": "m1"}, {"credentials": None}, calls.CredentialsNeeded),
        ({"sku": "m1"}, {"confirm": None}, calls.ConfirmationRefused),
        ({"sku": "m1"}, {"confirm": lambda *_: False}, calls.ConfirmationRefused),
        ({"sku": "m1"}, {"before": {"hold": {"x": 1}}}, calls.CallRefused),
    ],
)
def test_nothing_is_sent_for_a_call_that_is_refused(
    shop: Shop, given: dict[str, Any], options: dict[str, Any], error: type
) -> None:
    shop.serve("/api/hold", page({"hold_id": "h1"}))
    shop.serve("/api/order", page({}))
    usual = {"credentials": "t", "confirm": lambda *_: True}
    with pytest.raises(error):
        made(shop, awp(HOLD, SURE, **HELD), "order", given, **{**usual, **options})
    assert shop.asked == []
    made(shop, awp(HOLD, SURE, **HELD), "order", {"sku": "m1"}, **usual)
    assert json.loads(shop.asked[-1][2]) == {"sku": "m1", "hold_id": "h1"}


def test_a_dry_run_shows_what_is_missing(shop: Shop) -> None:
    document = awp(HOLD, SURE, **HELD)
    with pytest.raises(calls.CallRefused) as refused:
        made(shop, document, "order", {}, credentials="t", dry_run=True)
    assert refused.value.argument == "sku"
    planned = made(shop, document, "order", {"sku": "m"}, credentials="t", dry_run=True)
    assert (planned.first, planned.detail) == ("action", "hold")


def test_what_is_missing_after_an_action_is_no_refusal(shop: Shop) -> None:
    shop.serve("/api/hold", page({"other": 1}))
    with pytest.raises(calls.CallFailed) as failed:
        made(
            shop,
            awp(HOLD, {**SURE, "auth_required": False}, **ORDERED),
            "order",
            {"sku": "m"},
            confirm=True,
        )
    assert failed.value.failure == "refused" and "hold_id" in str(failed.value)
    assert failed.value.body == b'{"other": 1}' and len(failed.value.steps) == 1


def test_a_consent_in_advance_is_for_this_call_only(shop: Shop) -> None:
    shop.serve("/api/hold", page({"hold_id": "h1"}))
    shop.serve("/api/order", page({}))
    order = {**SURE, "auth_required": False}
    made(shop, awp(HOLD, order, **ORDERED), "order", {"sku": "m"}, confirm=True)
    hold = {**HOLD, "requires_human_confirmation": True}
    shop.asked.clear()
    with pytest.raises(calls.ConfirmationRefused, match="hold"):
        made(shop, awp(hold, order, **ORDERED), "order", {"sku": "m"}, confirm=True)
    assert shop.asked == []
    asked: list[str] = []

    def confirm(decision: Any, name: str, arguments: Any) -> bool:
        asked.append(name)
        return True

    made(shop, awp(hold, order, **ORDERED), "order", {"sku": "m"}, confirm=confirm)
    assert sorted(asked) == ["hold", "order"]


REFUND = {
    "search": {},
    "hold": {"requires_human_confirmation": True},
    "refund": {"requires_human_confirmation": True},
}
CHAIN = {"dependencies": {"refund": ["hold"], "hold": ["search"]}}


def chain(**members: dict[str, Any]) -> agentsdisc.Document:
    """Three actions, each of which requires the one before it."""
    merged = {name: {**REFUND[name], **members.get(name, {})} for name in REFUND}
    actions = [action(name, **each) for name, each in merged.items()]
    protocols = {"grpc": {"version": "1", "endpoint": "https://127.0.0.1/grpc"}}
    return awp(*actions, **CHAIN, auth={"type": "api_key"}, protocols=protocols)


@pytest.mark.parametrize(
    ("members", "options", "error"),
    [
        ({}, {"confirm": lambda _, name, __: name == "refund"}, "did not agree"),
        ({}, {"confirm": True}, "be asked before 'hold'"),
        ({"hold": {"via": "grpc"}}, {"before": {"hold": {}}}, "use a client"),
        ({"refund": {"via": "grpc"}}, {}, "use a client"),
        ({"refund": {"auth_required": True}}, {"headers": {"X-Key": "é"}}, "not valid"),
        ({"hold": {"auth_required": True}}, {"credentials": "k"}, "which header"),
        ({"hold": {"auth_required": True}}, {"credentials": lambda _: None}, "none"),
    ],
)
def test_no_action_runs_before_a_refusal(
    shop: Shop, members: dict[str, Any], options: dict[str, Any], error: str
) -> None:
    for name in REFUND:
        shop.serve(f"/api/{name}", page({}))
    options = {"confirm": lambda *_: True, **options}
    with pytest.raises((calls.CallError, ValueError), match=error):
        made(shop, chain(**members), "refund", **options)
    assert shop.asked == []


def test_a_person_is_asked_once_about_each_action(shop: Shop) -> None:
    for name in REFUND:
        shop.serve(f"/api/{name}", page({}))
    asked: list[tuple[str, Any, int]] = []

    def confirm(_: Any, name: str, arguments: Any) -> bool:
        asked.append((name, dict(arguments), len(shop.asked)))
        return True

    before = {"hold": {"sku": "m1"}}
    sku = {"inputs": {"sku": {"type": "string"}}}
    made(shop, chain(hold=sku), "refund", confirm=confirm, before=before)
    assert asked == [("refund", {}, 0), ("hold", {"sku": "m1"}, 0)]
    assert shop.kinds == [f"POST /api/{name}" for name in REFUND]


def test_each_action_has_a_key_of_its_own(shop: Shop) -> None:
    shop.serve("/api/hold", page({}))
    shop.serve("/api/order", page({}, 503), page({}))
    keyed = {"idempotency": {"supported": True, "key_field": "key"}}
    document = awp(
        action("hold", **keyed),
        action("order", **keyed),
        **ORDERED,
    )
    made(shop, document, "order", idempotency_key="k1")
    keys = [json.loads(body)["key"] for _, _, body in shop.asked]
    assert keys == ["k1:hold", "k1", "k1"]
    for key in ("", " ", 5):
        with pytest.raises((ValueError, TypeError)):
            made(shop, document, "order", idempotency_key=key)
    assert len(shop.asked) == 3


def test_recoveries_have_one_budget(shop: Shop) -> None:
    names = [f"a{n}" for n in range(7)]
    actions, errors = [], {}
    for name, next in zip(names, [*names[1:], "a0"], strict=True):
        actions.append(action(name, "GET"))
        errors[f"E{name}"] = {"recovery": f"call {next} then retry"}
        shop.serve(f"/api/{name}", page({"code": f"E{name}"}, 500))
    with pytest.raises(calls.CallError):
        made(shop, awp(*actions, errors=errors), "a0")
    assert len(shop.asked) < 20


def test_a_recovery_runs_an_action_once(shop: Shop) -> None:
    shop.serve("/api/order", page({"code": "E"}, 402))
    shop.serve("/api/topup", page({}))
    document = awp(
        action("order"),
        action("topup"),
        errors={"E": {"recovery": "call topup then retry"}},
    )
    with pytest.raises(calls.CallFailed) as failed:
        made(shop, document, "order")
    assert failed.value.failure == "too-many-recoveries"
    assert shop.kinds == ["POST /api/order", "POST /api/topup", "POST /api/order"]


def test_a_recovery_does_not_repeat_what_was_asked_for(shop: Shop) -> None:
    shop.serve("/api/order", page({"code": "E1"}, 402))
    shop.serve("/api/topup", page({"code": "E2"}, 402))
    errors = {
        "E1": {"recovery": "call topup then retry"},
        "E2": {"recovery": "call order then retry"},
    }
    document = awp(action("order"), action("topup"), errors=errors)
    with pytest.raises(calls.CallError):
        made(shop, document, "order")
    assert shop.kinds == ["POST /api/order", "POST /api/topup"]


def test_a_recovery_of_a_poll_does_not_lose_the_job(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_waiting(monkeypatch)
    shop.serve("/api/order", BEGUN)
    shop.serve("/jobs/j1", page({"code": "E"}, 402))
    shop.serve("/api/topup", page({}))
    errors = {"E": {"recovery": "call topup then retry"}}
    document = awp(JOB, action("topup"), errors=errors)
    with pytest.raises(calls.CallFailed) as failed:
        made(shop, document, "order")
    assert failed.value.job == f"{shop.url}/jobs/j1"


def test_a_recovery_calls_what_it_names(shop: Shop, other: Shop) -> None:
    shop.serve("/api/order", page({"code": "E"}, 409), page({}))
    shop.serve("/api/reset", page({}))
    text = {"E": {"recovery": "call /api/reset then retry"}}
    answer = made(shop, awp(action("order"), errors=text), "order")
    assert shop.kinds == ["POST /api/order", "GET /api/reset", "POST /api/order"]
    assert [step.kind for step in answer.steps] == ["call", "action", "retry"]
    declared = awp(action("order"), action("reset"), errors=text)
    shop.asked.clear()
    shop.serve("/api/order", page({"code": "E"}, 409), page({}))
    made(shop, declared, "order")
    assert shop.kinds == ["POST /api/order", "POST /api/reset", "POST /api/order"]
    for named in (
        f"{other.url}/x",
        "POST /api/reset",
        "/api/{id}",
        "https://evil.test/",
    ):
        shop.asked.clear()
        shop.serve("/api/order", page({"code": "E"}, 409))
        text = {"E": {"recovery": f"call {named} then retry"}}
        with pytest.raises(calls.CallFailed) as failed:
            made(shop, awp(action("order"), errors=text), "order")
        assert failed.value.failure == "recovery"
        assert shop.kinds == ["POST /api/order"] and other.asked == []


def test_a_new_token_is_needed(shop: Shop) -> None:
    shop.serve("/api/order", page({}, 401))
    document = awp(
        action("order", auth_required=True), auth={**AUTH, "refresh_endpoint": "/token"}
    )
    with pytest.raises(calls.CredentialsNeeded, match=f"{shop.url}/token") as needed:
        made(shop, document, "order", credentials="old")
    assert len(shop.asked) == 1 and len(needed.value.steps) == 1
    assert needed.value.decision.auth.refresh_url == "/token"
    shop.asked.clear()
    with pytest.raises(calls.CallFailed, match=f"{shop.url}/token") as failed:
        made(shop, document, "order", credentials=lambda decision: "old")
    assert failed.value.status == 401 and len(shop.asked) == 2


def test_a_wait_that_the_server_asks_for_is_kept_by_the_next_call(shop: Shop) -> None:
    shop.serve("/api/order", page({}, 429, **{"Retry-After": "600"}))
    shop.serve("/api/other", page({}))
    document, limiter = awp(action("order"), action("other")), calls.Limiter()
    with pytest.raises(calls.RateLimited):
        made(shop, document, "order", limiter=limiter)
    with pytest.raises(calls.RateLimited) as refused:
        made(shop, document, "order", limiter=limiter, max_wait=1)
    assert 590 < refused.value.seconds <= 600
    assert len(shop.asked) == 1
    made(shop, document, "other", limiter=limiter)


SESSION = {
    "schema_version": "0.1",
    "session": {"create": "/api/session", "ttl_seconds": 60},
    "capabilities": [
        {
            "name": name,
            "endpoint": f"/api/{name}",
            "method": "POST",
            "requires_session": True,
        }
        for name in ("cart.add", "checkout")
    ],
}


def test_a_site_keeps_its_session(shop: Shop) -> None:
    values = {**SESSION, "site": {"name": "Mugs", "url": shop.url}}
    text = {"Content-Type": "application/json"}
    shop.server.pages["/.well-known/agents.json"] = Page(
        json.dumps(values), headers=text
    )
    sessions = [page({"data": {"session_token": f"s{n}"}}) for n in range(1, 9)]
    shop.serve("/api/session", *sessions)
    shop.serve("/api/cart.add", page({}))
    shop.serve("/api/checkout", page({}), page({}, 401), page({}))
    usual: dict[str, Any] = {"agent": AGENT, "allow_private": True}
    with agentsdisc.discover(shop.url, allow_private=True, cache=False) as site:
        site.call("cart.add", **usual)
        site.call("checkout", **usual)
        assert shop.tokens == [None, "Bearer s1", "Bearer s1"]
        site.call("checkout", **usual)
        assert shop.tokens[3:] == ["Bearer s1", None, "Bearer s2"]
        # A session belongs to the agent that opened it.
        site.call("cart.add", **{**usual, "agent": "OtherBot/1.0"})
        assert shop.tokens[6:] == [None, "Bearer s3"]
    site.call("cart.add", **usual)
    assert shop.tokens[8:] == [None, "Bearer s4"]


def test_a_description_elsewhere_is_not_fetched(shop: Shop, other: Shop) -> None:
    detail = {"name": "order", "endpoint": "/api/order", "method": "POST"}
    text = {"Content-Type": "application/json"}
    other.server.pages["/order"] = Page(json.dumps(detail), headers=text)
    manifest = {
        "spec_version": "1.0",
        "name": "Mugs",
        "description": "d",
        "base_url": shop.url,
        "auth": {"type": "none"},
        "capabilities": [
            {"name": "order", "description": "d", "detail_url": f"{other.url}/order"}
        ],
    }
    adp = agentsdisc.parse(json.dumps(manifest), format="adp")
    old = agentsdisc.parse(
        f"Site: Mugs\nURL: {shop.url}\nAgents-JSON: {other.url}/order\nAllow: order\n",
        format="agents-txt-0.1",
    )
    for document in (adp, old):
        for dry_run in (False, True):
            with pytest.raises(calls.CallRefused) as refused:
                made(shop, document, "order", dry_run=dry_run)
            assert refused.value.problem == "denied"
    assert other.server.asked == []
    shop.serve("/api/order", page({}))
    made(shop, adp, "order", approve=[f"{other.url}/order"])
    assert shop.kinds == ["POST /api/order"]


def test_two_formats_of_descriptions(shop: Shop) -> None:
    text = {"Content-Type": "application/json"}
    values = {**SESSION, "site": {"name": "Mugs", "url": shop.url}}
    shop.server.pages["/agents.json"] = Page(json.dumps(values), headers=text)
    manifest = {
        "spec_version": "1.0",
        "name": "Mugs",
        "description": "d",
        "base_url": shop.url,
    }
    adp = agentsdisc.parse(json.dumps({**manifest, "capabilities": []}), format="adp")
    old = agentsdisc.parse(
        f"Site: Mugs\nURL: {shop.url}\nAgents-JSON: {shop.url}/agents.json\nAllow: checkout\n",
        format="agents-txt-0.1",
    )
    shop.serve("/api/session", page({"session_token": "s1"}))
    shop.serve("/api/checkout", page({}))
    made(shop, [adp, old], "checkout")
    assert shop.kinds == ["POST /api/session", "POST /api/checkout"]


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


ODD: dict[str, Any] = {
    "nan": float("nan"),
    "infinite": float("inf"),
    "huge": 10**5000,
    "deep": nested(64),
    "deeper": nested(5000),
    "surrogate": "\ud800",
    "key": {1j: 2},
    "bytes": b"x",
}


@pytest.mark.parametrize("kind", ODD)
def test_arguments_that_json_cannot_carry_are_named(shop: Shop, kind: str) -> None:
    value = ODD[kind]
    for name in ("order", "no-such-tool"):
        with pytest.raises(calls.CallRefused, match="'odd'") as refused:
            made(shop, awp(action("order")), name, {"fine": 1, "odd": value})
        assert (refused.value.problem, refused.value.argument) == (
            "invalid-value",
            "odd",
        )
    assert shop.asked == []


def test_nesting_that_is_allowed(shop: Shop) -> None:
    shop.serve("/api/order", page({}))
    order = action("order", inputs={"a": {"type": "array"}})
    made(shop, awp(order), "order", {"a": nested(63)})
    assert json.loads(shop.asked[0][2]) == {"a": nested(63)}


def test_a_job_survives_a_lost_connection(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_waiting(monkeypatch)
    shop.serve("/api/order", BEGUN)

    def drop(handler: Handler) -> None:
        handler.close_connection = True
        shop.serve("/jobs/j1", DONE)

    shop.server.routes["/jobs/j1"] = drop
    made(shop, awp(JOB), "order", timeouts=PATIENT)
    assert shop.kinds == ["POST /api/order", "GET /jobs/j1"]


def test_an_argument_is_a_part_of_the_host(shop: Shop) -> None:
    # The names of tests are not resolved, so the calls end at the connection.
    manifest = {
        "spec_version": "1.0",
        "name": "Mugs",
        "description": "d",
        "base_url": "https://{shop}.mugs.invalid",
        "auth": {"type": "none"},
        "capabilities": [{"name": "list", "description": "d", "detail_url": "/d"}],
    }
    detail = {"name": "list", "endpoint": "/mugs", "method": "GET"}
    adp = agentsdisc.parse(json.dumps(manifest), format="adp")
    described = agentsdisc.parse(json.dumps(detail), format="adp-capability")
    usual: dict[str, Any] = {"agent": AGENT, "limiter": calls.Limiter()}
    with pytest.raises(calls.ConnectionFailed, match="blue"):
        call(adp, "list", {"shop": "blue"}, **usual)
    both = [adp, described]
    planned = call(both, "list", {"shop": "blue"}, dry_run=True, **usual)
    assert isinstance(planned.request, calls.HttpRequest)
    assert planned.request.url == "https://blue.mugs.invalid/mugs"
    for wrong in ({"shop": "evil.test/"}, {}):
        with pytest.raises(calls.CallRefused) as refused:
            call(both, "list", wrong, **usual)
        assert refused.value.argument == "shop"
    elsewhere = {**usual, "origin": "https://cups.invalid"}
    for documents in ([adp], both):
        with pytest.raises(calls.CallRefused) as refused:
            call(documents, "list", {"shop": "blue"}, **elsewhere)
        assert refused.value.problem == "denied"
