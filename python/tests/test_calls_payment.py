"""Calls that cost something: the terms of x402 are stated, and nothing is paid."""

import base64
import json
import pickle
from typing import Any

import agentsdisc
import pytest
from agentsdisc import calls
from server import Handler, Page, Server

WAY = {
    "scheme": "exact",
    "network": "eip155:8453",
    "amount": "10000",
    "asset": "0x8335",
    "payTo": "0x5290",
    "maxTimeoutSeconds": 60,
}
INFO = {"url": "https://a.example/x", "description": "Mugs\u202e"}


def header(*ways: Any, **members: Any) -> str:
    document = {"x402Version": 2, "resource": INFO, "accepts": ways, **members}
    return base64.b64encode(json.dumps(document).encode()).decode()


def body(*ways: Any) -> str:
    old = {"resource": "https://a.example/y", "description": "Old mugs"}
    both = [{"maxAmountRequired": way.get("amount"), **old, **way} for way in ways]
    for way in both:
        way.pop("amount", None)
    return json.dumps({"x402Version": 1, "error": "X-PAYMENT needed", "accepts": both})


def call(server: Server, answers: list[Page]) -> Any:
    """Calls a capability that gives these answers, the last one for ever."""
    seen: list[str] = []

    def page(handler: Handler) -> None:
        seen.append(handler.command)
        handler.send(answers[min(len(seen), len(answers)) - 1])

    server.routes["/x"] = page
    text = (
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {server.url}\nCapability: mugs\n"
        f"  Endpoint: {server.url}/x\n  Protocol: REST\n"
    )
    try:
        return calls.call(
            agentsdisc.parse(text),
            "mugs",
            agent="MugBot/1.0",
            origin=server.url,
            allow_private=True,
            limiter=calls.Limiter(),
        )
    finally:
        # Nothing is sent again, except after an answer that says so.
        assert len(seen) == len(answers)


def terms_of(server: Server, page: Page) -> calls.PaymentRequired:
    with pytest.raises(calls.PaymentRequired) as raised:
        call(server, [page])
    return raised.value


def test_a_call_stops_with_the_terms_of_the_header(server: Server) -> None:
    page = Page(
        "{}", 402, headers={"PAYMENT-REQUIRED": header(WAY, {**WAY, "amount": "5"})}
    )
    error = terms_of(server, page)
    assert [way.amount for way in error.terms] == ["10000", "5"]
    assert error.terms[0] == calls.PaymentTerms(
        amount="10000",
        price="10000",
        asset="0x8335",
        network="eip155:8453",
        payee="0x5290",
        scheme="exact",
        description="Mugs\u202e",
        resource="https://a.example/x",
    )
    assert (error.status, error.failure, error.is_contested) == (402, "payment", False)
    assert (
        "10000 units of 0x8335 on eip155:8453, paid to 0x5290 (or 1 other ways)"
        in str(error)
    )
    assert "nothing was paid" in str(error) and "\u202e" not in str(error)
    assert len(error.steps) == 1
    assert isinstance(error, calls.CallFailed)
    again = pickle.loads(pickle.dumps(error))
    assert (again.terms, str(again)) == (error.terms, str(error))


def test_a_call_stops_with_the_terms_of_the_body(server: Server) -> None:
    error = terms_of(server, Page(body(WAY), 402))
    (way,) = error.terms
    assert (way.amount, way.description) == ("10000", "Old mugs")
    assert way.resource == "https://a.example/y"
    assert "X-PAYMENT needed" in str(error)


@pytest.mark.parametrize(
    "price",
    ["0.01", "-1", "1e6", "$5", "", "٣", "1" * 79, 10000, None, ["1"], {"a": 1}],
)
def test_a_price_that_is_no_number_of_units_has_no_amount(
    server: Server, price: Any
) -> None:
    page = Page("", 402, headers={"Payment-Required": header({**WAY, "amount": price})})
    (way,) = terms_of(server, page).terms
    assert way.amount is None
    assert way.price == (price if isinstance(price, str) else None)


@pytest.mark.parametrize(
    ("headers", "text"),
    [
        ({}, "pay"),
        ({}, ""),
        ({}, '{"error": "pay"}'),
        ({}, '{"x402Version": 1, "accepts": []}'),
        ({}, '{"x402Version": 1, "accepts": {}}'),
        ({}, '{"x402Version": 1, "items": [{"resource": "/x", "accepts": []}]}'),
        ({}, "[" * 5000),
        ({"PAYMENT-REQUIRED": "no base64!"}, "{}"),
        ({"PAYMENT-REQUIRED": base64.b64encode(b"\xff{").decode()}, "{}"),
        ({}, json.dumps({"x402Version": 1, "accepts": [WAY], "pad": "x" * 70_000})),
    ],
)
def test_an_answer_without_terms_is_an_error_like_others(
    server: Server, headers: dict[str, str], text: str
) -> None:
    with pytest.raises(calls.CallFailed) as raised:
        call(server, [Page(text, 402, headers=headers)])
    assert type(raised.value) is calls.CallFailed
    assert raised.value.status == 402


def test_terms_that_contradict_each_other_are_reported(server: Server) -> None:
    headers = {"PAYMENT-REQUIRED": header(WAY)}
    error = terms_of(
        server, Page(body({**WAY, "payTo": "0xEEEE"}), 402, headers=headers)
    )
    assert error.is_contested and "other terms" in str(error)
    assert [way.payee for way in error.terms] == ["0x5290"]


def test_terms_of_both_versions_agree(server: Server) -> None:
    headers = {"PAYMENT-REQUIRED": header(WAY)}
    text = body({**WAY, "network": "base"})
    assert not terms_of(server, Page(text, 402, headers=headers)).is_contested


def test_terms_are_bounded(server: Server) -> None:
    error = terms_of(server, Page(body(*[{**WAY, "asset": "x" * 501}] * 50), 402))
    assert len(error.terms) == 20 and error.terms[0].asset is None


def test_only_the_status_402_has_terms(server: Server) -> None:
    assert call(server, [Page(body(WAY))]).status == 200
    with pytest.raises(calls.CallFailed) as raised:
        call(server, [Page(body(WAY), 403)])
    assert type(raised.value) is calls.CallFailed


def test_terms_that_follow_a_retry_stop_the_call(server: Server) -> None:
    busy = Page("", 429, headers={"Retry-After": "0"})
    with pytest.raises(calls.PaymentRequired) as raised:
        call(server, [busy, Page(body(WAY), 402)])
    assert [step.status for step in raised.value.steps] == [429, 402]


def test_terms_of_two_calls_can_be_compared(server: Server) -> None:
    first = terms_of(server, Page(body(WAY), 402))
    assert terms_of(server, Page(body(WAY), 402)).terms == first.terms
    other = terms_of(server, Page(body({**WAY, "amount": "10001"}), 402))
    assert other.terms != first.terms
