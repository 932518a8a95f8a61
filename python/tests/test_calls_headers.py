"""Headers that a caller gives, and a robots.txt that cannot be read."""

import argparse

import agentsdisc
import pytest
from agentsdisc import calls
from agentsdisc.cli.acting import header
from server import Handler, Page
from shop import page
from test_calls_safety import AGENT, Shop, action, awp, made, shop

__all__ = ["shop"]


@pytest.mark.parametrize(
    "name",
    [
        "Host",
        "host",
        "Connection",
        "Keep-Alive",
        "TE",
        "Trailer",
        "Transfer-Encoding",
        "Upgrade",
        "Expect",
        "Proxy-Authorization",
        "Proxy-Connection",
        "Content-Length",
        "content-type",
        "Accept-Encoding",
        "User-Agent",
        "Origin",
        "Set-Cookie",
        "Sec-WebSocket-Key",
    ],
)
def test_headers_of_the_connection_are_refused(shop: Shop, name: str) -> None:
    document = awp(action("order", auth_required=True), auth={"type": "bearer"})
    with pytest.raises(ValueError, match=f"{name!r} cannot be given"):
        made(shop, document, "order", headers={name: "evil.test"})
    with pytest.raises(argparse.ArgumentTypeError, match="cannot be given"):
        header(f"{name}: evil.test")
    assert shop.asked == []


def test_headers_that_describe_are_no_credential(shop: Shop) -> None:
    shop.serve("/api/order", page({}))
    document = awp(action("order", auth_required=True), auth={"type": "bearer"})
    described = {"Accept": "application/json", "Accept-Language": "de"}
    with pytest.raises(calls.CredentialsNeeded):
        made(shop, document, "order", headers=described)
    assert shop.asked == []
    made(shop, document, "order", headers={**described, "Cookie": "a=b"})
    assert shop.asked[0][1]["cookie"] == "a=b"
    assert shop.asked[0][1]["accept-language"] == "de"


@pytest.mark.parametrize(
    ("status", "said"), [(503, "the server failed, status 503"), (0, "not HTTP")]
)
def test_a_robots_txt_that_cannot_be_read_is_named(
    shop: Shop, status: int, said: str
) -> None:
    def garbage(handler: Handler) -> None:
        handler.wfile.write(b"no")
        handler.close_connection = True

    shop.server.routes["/robots.txt"] = Page(status=status) if status else garbage
    text = f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {shop.url}\nAllow: /\n"
    shop.server.routes["/agents.txt"] = Page(
        f"{text}Capability: look\n  Endpoint: {shop.url}/look\n  Protocol: REST\n",
        headers={"Content-Type": "text/plain"},
    )
    site = agentsdisc.discover(shop.url, allow_private=True, cache=False)
    why = "robots.txt could not be read"
    with pytest.raises(
        calls.PolicyDenied, match=rf"{why} .*{said}.*RFC 9309"
    ) as denied:
        site.call("look", agent=AGENT, allow_private=True)
    assert "disallows it" not in str(denied.value)
    unasked = {
        attempt.message
        for attempt in site.attempts
        if attempt.rejection == "robots-disallowed"
    }
    assert unasked == {site.robots_problem} and why in str(site.robots_problem)
    with pytest.raises(calls.NotDeclared, match=why):
        site.call("other", agent=AGENT, allow_private=True)
