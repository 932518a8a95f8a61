"""Hostile servers: every call ends with a clear error, and no other origin learns anything."""

import contextlib
import json
import time
from collections.abc import Iterator
from typing import Any

import agentsdisc
import pytest
import shop as shops
from agentsdisc import calls
from agentsdisc.calls import call
from agentsdisc.discovery import Timeouts
from server import Page, Server, endless, serving, silence, to, zipped
from shop import TOKEN, Shop, page
from test_calls import made, no_waiting


@pytest.fixture
def shop() -> Iterator[Shop]:
    with serving() as server:
        yield Shop(server)


@pytest.fixture
def evil() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("kind", ["awp", "agents-txt", "adp"])
def test_no_redirect_is_followed(
    shop: Shop, evil: Server, kind: str, status: int
) -> None:
    shop.server.routes["/api/order"] = to(f"{evil.url}/steal", status)
    with pytest.raises(calls.CallFailed) as failed:
        made(shop, kind, "order", {"sku": "m1"}, credentials=TOKEN)
    assert failed.value.failure == "redirect"
    assert shop.server.paths.count("/api/order") == 1
    assert evil.asked == [] and TOKEN not in str(failed.value)


def test_a_redirect_to_itself_ends(shop: Shop) -> None:
    shop.server.routes["/api/search"] = to("/api/search")
    with pytest.raises(calls.CallFailed, match="redirects are not followed"):
        made(shop, "awp", "search", {"q": "a"})
    assert len(shop.server.asked) == 1


def test_a_description_that_redirects_is_not_followed(shop: Shop, evil: Server) -> None:
    text, _ = shops.adp(shop.url)
    shop.server.pages["/details/order"] = to(f"{evil.url}/detail")
    document = agentsdisc.parse(text, format="adp")
    options: dict[str, Any] = {"origin": shop.url, "allow_private": True}
    with pytest.raises(calls.CallFailed, match="status 302"):
        call(document, "order", {}, agent="Bot", credentials=TOKEN, **options)
    assert evil.asked == []
    assert all("authorization" not in map(str.lower, h) for h in shop.server.headers)


def test_polls_end(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    no_waiting(monkeypatch)
    shop.server.routes["/jobs/"] = page({"status": "running"})
    with pytest.raises(calls.CallFailed) as failed:
        made(shop, "awp", "report")
    assert failed.value.failure == "too-many-polls"
    assert shop.kinds == ["POST /api/report"]
    assert shop.server.paths.count("/jobs/j1") == 100


def test_a_job_names_no_other_place(
    shop: Shop, evil: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_waiting(monkeypatch)
    job = f"{evil.url}/steal/../x?y#z"
    shop.server.routes["/api/report"] = page({"job_id": job}, 202)
    shop.server.routes["/jobs"] = page({"status": "done"})
    with contextlib.suppress(calls.CallError):
        made(shop, "awp", "report", credentials=TOKEN)
    assert evil.asked == []
    assert all(".." not in p and "?" not in p for p in shop.server.paths)


@pytest.mark.parametrize(
    ("poll", "job"),
    [("{evil}/jobs/{job_id}", "1"), ("{site}/jobs/{job_id}", "../x?y")],
)
def test_a_call_that_was_sent_is_not_said_to_be_refused(
    shop: Shop, evil: Server, poll: str, job: str
) -> None:
    there = poll.replace("{evil}", evil.url.replace("127.0.0.1", "localhost"))
    report = {
        "id": "report",
        "description": "Reports.",
        "auth_required": False,
        "endpoint": f"{shop.url}/api/report",
        "method": "POST",
        "inputs": {},
        "outputs": {},
        "execution_model": "async",
        "poll_endpoint": there.replace("{site}", shop.url),
    }
    shop.server.routes["/api/report"] = page({"job_id": job}, 202)
    with pytest.raises(calls.CallFailed) as failed:
        made(shop, "awp", "report", members={"actions": [report]})
    assert (failed.value.failure, failed.value.status) == ("refused", 202)
    assert [step.kind for step in failed.value.steps] == ["call"]
    assert evil.asked == []


def test_a_long_wait_is_refused_at_once(shop: Shop) -> None:
    shop.server.routes["/api/search"] = page({}, 429, **{"Retry-After": "86400"})
    begun = time.monotonic()
    with pytest.raises(calls.RateLimited) as refused:
        made(shop, "awp", "search", {"q": "a"})
    assert time.monotonic() - begun < 50
    assert refused.value.seconds == 86400 and len(shop.server.asked) == 1


@pytest.mark.parametrize("recovery", ["call cancel", "retry", "POST {site}/api/order"])
def test_recoveries_end_and_ask_a_person(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, recovery: str
) -> None:
    no_waiting(monkeypatch)
    shop.server.routes["/api/search"] = page({"error": "E"}, 400)
    text = recovery.replace("{site}", shop.url)
    members = {"errors": {"E": {"recovery": text}}}
    with pytest.raises(calls.CallError):
        made(shop, "awp", "search", {"q": "a"}, members=members)
    # What a recovery names is called only as its own decision says; here it lacks consent or a credential.
    assert shop.asked == []
    assert len(shop.server.asked) <= 5


@pytest.mark.parametrize(
    "dependencies",
    [
        {"cancel": ["order"], "order": ["cancel"]},
        {"cancel": ["cancel"]},
        {"cancel": ["order"], "order": ["search"], "search": ["order"]},
    ],
)
def test_actions_in_a_cycle_send_nothing(
    shop: Shop, dependencies: dict[str, list[str]]
) -> None:
    with pytest.raises(calls.CallRefused) as refused:
        made(
            shop,
            "awp",
            "cancel",
            {"order_id": "o1"},
            members={"dependencies": dependencies},
            credentials=TOKEN,
            confirm=lambda *_: True,
            before={"order": {"sku": "m1"}, "search": {"q": "a"}},
        )
    assert refused.value.problem == "prerequisite-cycle"
    assert shop.asked == []


def test_an_action_that_comes_before_needs_its_own_consent(shop: Shop) -> None:
    asked: list[str] = []

    def confirm(decision: Any, name: str, arguments: Any) -> bool:
        asked.append(name)
        return name != "cancel"

    with pytest.raises(calls.ConfirmationRefused):
        made(
            shop,
            "awp",
            "search",
            {"q": "a"},
            members={"dependencies": {"search": ["cancel"]}},
            confirm=confirm,
            before={"cancel": {"order_id": "o1"}},
        )
    assert asked == ["cancel"] and shop.asked == []


@pytest.mark.parametrize("body", ["bomb", "endless", "claimed"])
def test_a_huge_answer_ends(shop: Shop, body: str) -> None:
    shop.server.routes["/api/order"] = {
        "bomb": zipped(bytes(64 << 20)),
        "endless": endless,
        "claimed": Page(b"x" * 2_000_000, length=1 << 40),
    }[body]
    settings: dict[str, Any] = {"credentials": TOKEN, "max_response": 1 << 20}
    with pytest.raises(calls.LimitExceeded, match="max_response"):
        made(shop, "awp", "order", {"sku": "m1"}, **settings)
    assert len(shop.server.asked) == 1


def test_silence_ends_and_the_order_is_not_repeated(shop: Shop) -> None:
    shop.server.routes["/api/order"] = silence
    waits = Timeouts(request=0.3, total=3)
    with pytest.raises(calls.ConnectionFailed, match="does not answer in time"):
        made(shop, "awp", "order", {"sku": "m1"}, credentials=TOKEN, timeouts=waits)
    assert len(shop.server.asked) == 1


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504])
def test_an_unsafe_call_is_not_repeated(shop: Shop, status: int) -> None:
    shop.server.routes["/api/order"] = page({}, status)
    with pytest.raises(calls.CallFailed) as failed:
        made(shop, "awp", "order", {"sku": "m1"}, credentials=TOKEN)
    assert failed.value.status == status and len(shop.server.asked) == 1


@pytest.mark.parametrize(
    "body", [b"<html>", b"\xff\xfe\x00", b"[]", b'{"session_token": "a\\r\\nX: 1"}']
)
def test_a_session_that_is_none_sends_no_order(shop: Shop, body: bytes) -> None:
    shop.server.routes["/api/session"] = Page(body)
    with pytest.raises(calls.CallFailed, match="opens no session"):
        made(shop, "agents-json-0.1", "order", {"sku": "m1"}, credentials=TOKEN)
    assert shop.asked == []


def placed(shop: Shop) -> agentsdisc.Document:
    """A document with a path parameter and one in a header."""
    text = f"""\
Spec-Version: 1.0
Site-Name: Mug Shop
Site-URL: {shop.url}
Capability: item
  Endpoint: {shop.url}/api/search/{{id}}/x
  Method: GET
  Protocol: REST
  Param: id (path, string, required)
  Param: X-Trace (header, string)
"""
    return agentsdisc.parse(text)


@pytest.mark.parametrize(
    "value", ["..", ".", "../../admin", "%2e%2e%2fadmin", "a/b", "a?b", "a#b", "a\\b"]
)
def test_a_value_does_not_leave_its_segment(shop: Shop, value: str) -> None:
    options: dict[str, Any] = {"origin": shop.url, "allow_private": True}
    try:
        call(placed(shop), "item", {"id": value}, agent="Bot", **options)
    except calls.CallError:
        assert shop.asked == []
        return
    (asked,) = shop.asked
    assert asked["path"].startswith("/api/search/") and asked["path"].endswith("/x")
    assert asked["path"].count("/") == 4 and asked["query"] == {}


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\0b", "é"])
def test_a_header_stays_one_header(shop: Shop, value: str) -> None:
    options: dict[str, Any] = {"origin": shop.url, "allow_private": True}
    arguments = {"id": "1", "X-Trace": value}
    with pytest.raises(calls.CallRefused) as refused:
        call(placed(shop), "item", arguments, agent="Bot", **options)
    assert refused.value.problem == "invalid-value" and shop.asked == []


def test_a_token_endpoint_elsewhere_gets_nothing(shop: Shop, evil: Server) -> None:
    site = json.loads(shops.awp(shop.url))
    elsewhere = evil.url.replace("127.0.0.1", "localhost")
    site["auth"] |= {
        "token_endpoint": f"{elsewhere}/token",
        "refresh_endpoint": f"{elsewhere}/refresh",
    }
    shop.token = "another"
    options: dict[str, Any] = {"origin": shop.url, "allow_private": True}
    with pytest.raises(calls.CallError) as failed:
        call(
            agentsdisc.parse(json.dumps(site)),
            "order",
            {"sku": "m1"},
            agent="Bot",
            credentials=lambda decision: TOKEN,
            **options,
        )
    assert evil.asked == [] and len(shop.asked) <= 2
    assert TOKEN not in str(failed.value)


@pytest.mark.parametrize(
    ("coding", "said"),
    [
        ("br", "Content-Encoding 'br', although only gzip was requested"),
        ("\x1b[2J" + "x" * 99, r"Content-Encoding '\\x1b\[2jx{36}', although"),
        ("gzip", "is gzip, but its content is not whole gzip data"),
    ],
)
def test_an_encoding_that_was_not_requested_is_named(
    shop: Shop, coding: str, said: str
) -> None:
    answer = Page("{}", headers={"Content-Encoding": coding})
    shop.server.routes["/api/search"] = answer
    with pytest.raises(calls.ConnectionFailed, match=said):
        made(shop, "awp", "search", {"q": "a"})


@pytest.mark.parametrize("value", ["../", "../../admin", "a%2Fb", "%2e%2e", "x" * 2048])
@pytest.mark.parametrize("others", [{}, {"note": "a"}])
def test_an_argument_that_makes_the_url_invalid_is_named(
    value: str, others: dict[str, str]
) -> None:
    document = agentsdisc.parse(
        b"Spec-Version: 1.0\nSite-Name: Mug\nSite-URL: https://a.example\nCapability: look\n"
        b"  Endpoint: https://a.example/mugs/{id}\n  Method: GET\n  Protocol: REST\n"
        b"  Param: note (query, string)\n  Param: id (path, string, required)\n"
    )
    with pytest.raises(
        calls.CallRefused, match="longer than 2,048 bytes, or ambiguous"
    ) as refused:
        call(document, "look", {**others, "id": value}, agent="Bot", dry_run=True)
    assert (refused.value.problem, refused.value.argument) == ("denied", "id")
    assert str(refused.value).endswith(": id")
