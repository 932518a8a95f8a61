"""Searching registries that speak ADP and ARD, over real servers: the program, the command line, and calls from words."""

import json
import os
import re
import shlex
from collections.abc import Callable
from typing import Any

import agentsdisc
import anyio
import pytest
import shop as shops
from agentsdisc import calls
from agentsdisc.cli import parser
from agentsdisc.discovery import Timeouts
from conftest import PATIENCE, ROOT, on_a_terminal
from server import HTML, Handler, Page, Server, endless, silence, to
from shop import Shop, page

AGENT = "MugBot/1.0"
POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no pty")


def hit(domain: object = "mugs.example", *capabilities: str, **more: Any) -> Any:
    return {
        "service": {"name": "Mug Shop", "domain": domain, **more},
        "matching_capabilities": [
            {"name": name, "description": f"does {name}", "detail_url": f"/d/{name}"}
            for name in capabilities
        ],
    }


def adp(*hits: Any) -> dict[str, Any]:
    return {"success": True, "query": "q", "result_count": len(hits), "data": hits}


def entry(**members: Any) -> dict[str, Any]:
    return {
        "identifier": "urn:air:mugs.example:shop",
        "displayName": "Mug Shop",
        "type": "application/mcp-server-card+json",
        "url": "https://api.mugs.example/card.json",
        "description": "Sells mugs",
        "capabilities": ["search", "order"],
        "score": 95,
        "source": "https://registry.example",
        **members,
    }


class Ard:
    """Answers ARD searches, and keeps what it is asked."""

    def __init__(self, server: Server, path: str = "/search") -> None:
        self.asked: list[Any] = []
        self.answer: Any = {"results": [entry()]}
        server.pages[path] = self.search

    def search(self, handler: Handler) -> None:
        assert handler.command == "POST"
        length = int(handler.headers["Content-Length"])
        self.asked.append(json.loads(handler.rfile.read(length)))
        handler.send(page(self.answer))


def found(server: Server, words: str = "buy a mug", **options: Any) -> Any:
    return agentsdisc.search(server.url, words, allow_private=True, **options)


def test_a_registry_of_adp(server: Server) -> None:
    more = {"description": "Sells mugs", "base_url": "https://mugs.example/api"}
    server.routes["/api/discover"] = page(
        adp(
            hit("Mugs.Example", "search", "order", verified=True, **more),
            hit("b.example"),
        )
    )
    answer = found(server, "buy a mug & more", limit=2, category="shop", auth="none")
    assert server.asked[0][1] == (
        "/api/discover?q=buy+a+mug+%26+more&limit=2&category=shop&auth=none"
    )
    assert (answer.kind, answer.registry, len(answer.services)) == (
        "adp",
        server.url,
        2,
    )
    first, second = answer.services
    assert (first.domain, first.site) == ("mugs.example", "https://mugs.example")
    assert (first.name, first.description) == ("Mug Shop", "Sells mugs")
    assert first.verified is True and second.verified is False
    assert first.url == "https://mugs.example/api" and first.score is None
    assert [(c.name, c.description, c.detail_url) for c in first.capabilities] == [
        ("search", "does search", "/d/search"),
        ("order", "does order", "/d/order"),
    ]
    assert second.capabilities == () and answer.problems == ()


def test_a_registry_of_ard(server: Server) -> None:
    ard = Ard(server)
    other = {
        "identifier": "urn:air:x.example:r",
        "displayName": "X",
        "type": "application/ai-registry+json",
        "url": "https://x.example/search",
    }
    ard.answer["referrals"] = [other]
    answer = found(server, limit=7, format="a2a-agent-card", category="shop")
    assert ard.asked == [
        {
            "query": {
                "text": "buy a mug",
                "filter": {
                    "type": ["application/a2a-agent-card+json"],
                    "metadata.category": ["shop"],
                },
            },
            "pageSize": 7,
        }
    ]
    assert answer.kind == "ard" and answer.referrals == ("https://x.example/search",)
    (service,) = answer.services
    assert service.domain == "api.mugs.example" and service.score == 95
    assert service.format == "application/mcp-server-card+json"
    assert service.identifier == "urn:air:mugs.example:shop"
    assert [c.name for c in service.capabilities] == ["search", "order"]


def test_a_registry_that_a_catalog_names(server: Server) -> None:
    ard = Ard(server, "/api/v1/search")
    kind = "application/ai-registry+json"
    catalog = {"specVersion": "1.0", "entries": [entry(type=kind, url="/api/v1/")]}
    server.pages["/.well-known/ai-catalog.json"] = page(catalog)
    answer = found(server)
    assert answer.registry == f"{server.url}/api/v1/" and len(ard.asked) == 1
    catalog["entries"] = [entry(type=kind, url="https://other.example/api")]
    server.pages["/.well-known/ai-catalog.json"] = page(catalog)
    with pytest.raises(calls.ConnectionFailed, match=r"search https://other\.example"):
        found(server)
    assert len(ard.asked) == 1


def test_a_kind_is_forced(server: Server) -> None:
    server.routes["/api/discover"] = page(adp(hit()))
    ard = Ard(server)
    assert found(server, kind="adp").kind == "adp" and ard.asked == []
    assert found(server, kind="ard").kind == "ard"
    assert agentsdisc.search(
        f"{server.url}/search", "a", kind="ard", allow_private=True
    ).services
    del server.pages["/search"]
    with pytest.raises(calls.ConnectionFailed, match="status 404"):
        found(server, kind="ard")


def test_a_search_under_trio(server: Server) -> None:
    server.routes["/api/discover"] = page(adp(hit()))

    async def go() -> Any:
        return await agentsdisc.asearch(server.url, "a", allow_private=True)

    assert len(anyio.run(go, backend="trio").services) == 1


def text_page(body: str, status: int = 200) -> Page:
    return Page(body, status, {"Content-Type": "application/json"})


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Page(HTML), "cannot be read"),
        (text_page(""), "cannot be read"),
        (text_page('{"success": true, "data": [{"ser'), "cannot be read"),
        (text_page("[" * 100_000), "cannot be read"),
        (text_page("[]"), "cannot be read"),
        (text_page('{"results": 7}'), "not that of an ADP search"),
        (text_page('{"data": "x", "success": "yes"}'), "not that of an ADP search"),
        (text_page('{"success": false, "error": "too many words"}'), "too many words"),
        (text_page('{"detail": "no such \\u001b[31m"}', 404), r"no such \\x1b\[31m"),
        (Page('{"detail": [1]}', 500), "status 500"),
        (Page("", 204), "status 204"),
        (Page("", 429, {"Retry-After": "30"}), "ask again after 30 s"),
        (to("/api/discover"), "more than 3 redirects"),
        (to("https://other.example/api/discover"), r"other\.example.*not requested"),
        (to("//localhost/"), "not requested"),
        (
            Page(b"\x1f\x8bx", headers={"Content-Encoding": "gzip"}),
            "not whole gzip data",
        ),
    ],
)
def test_answers_that_are_none(server: Server, answer: Page, said: str) -> None:
    server.routes["/api/discover"] = answer
    with pytest.raises(calls.ConnectionFailed, match=said) as problem:
        found(server, kind="adp")
    assert "\x1b" not in str(problem.value)


@pytest.mark.parametrize(
    "answer",
    [Page("[" + " " * (10 << 20) + "]"), endless],
    ids=["large", "endless"],
)
def test_answers_that_are_too_large(server: Server, answer: Any) -> None:
    server.routes["/api/discover"] = answer
    with pytest.raises(calls.LimitExceeded, match="larger than 4 MiB"):
        found(server)


def test_a_registry_that_does_not_answer(server: Server) -> None:
    server.routes["/api/discover"] = silence
    with pytest.raises(calls.LimitExceeded, match=r"within 0\.2 s"):
        found(server, timeouts=Timeouts(request=0.2))
    with pytest.raises(calls.LimitExceeded, match=r"within 0\.2 s"):
        found(server, timeouts=Timeouts(total=0.2))


def test_a_server_that_is_no_registry(server: Server) -> None:
    with pytest.raises(calls.ConnectionFailed) as problem:
        found(server)
    said = str(problem.value)
    assert "as ADP" in said and "as ARD" in said and "status 404" in said
    server.routes["/api/discover"] = Page("", 503)
    with pytest.raises(calls.ConnectionFailed, match="status 503"):
        found(server)


def test_private_registries_are_refused(server: Server) -> None:
    with pytest.raises(calls.ConnectionFailed, match="not public"):
        agentsdisc.search(server.url, "a")
    assert server.asked == []


@pytest.mark.parametrize(
    ("domain", "shown"),
    [
        ("MUGS.example.", "mugs.example"),
        ("mugs.example:443", "mugs.example"),
        ("mugs.example:8443", "mugs.example:8443"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("straße.example", "xn--strae-oqa.example"),  # as browsers, not strasse
        ("ＭＵＧＳ。example", "mugs.example"),
        ("bücher.example:8443", "xn--bcher-kva.example:8443"),
        ("[fe80::1%eth0]", None),
        ("а.example", "xn--80a.example"),  # a Cyrillic letter
        ("0x7f.1", "127.0.0.1"),
        ("[::1]:80", "[::1]:80"),
        ("", None),
        (None, None),
        (7, None),
        ("good.example@evil.example", None),
        ("good.example/evil", None),
        ("good.example?x", None),
        ("good.example#x", None),
        ("good.example\\evil.example", None),
        ("good.example\u202e", None),
        ("good.example\n", None),
        ("good.example:x", None),
        ("a" * 300, None),
        ("-", None),
        ("a..b", None),
    ],
)
def test_domains_have_one_spelling(
    server: Server, domain: object, shown: str | None
) -> None:
    server.routes["/api/discover"] = page(adp(hit(domain), hit("other.example")))
    answer = found(server)
    domains = [service.domain for service in answer.services]
    assert domains == ([shown] if shown else []) + ["other.example"]
    assert len(answer.problems) == (shown is None)
    assert all(text.isascii() and text.isprintable() for text in answer.problems)


def test_entries_of_other_types_are_left_out(server: Server) -> None:
    ard = Ard(server)
    ard.answer = {
        "results": [
            7,
            entry(url=7, identifier=[]),
            entry(url=None),
            entry(url="javascript:alert(1)", identifier="urn:x"),
            entry(capabilities="x", score=1e9, description=[1], tags=7),
            entry(capabilities=[1, "", "search"], score=True),
        ],
        "referrals": "x",
        "pageToken": {},
    }
    answer = found(server)
    assert [service.domain for service in answer.services] == [
        "mugs.example",
        "api.mugs.example",
        "api.mugs.example",
    ]
    assert [service.score for service in answer.services] == [95, None, None]
    assert [c.name for c in answer.services[2].capabilities] == ["search"]
    assert len(answer.problems) >= 2


def test_more_results_than_asked_for_are_cut(server: Server) -> None:
    server.routes["/api/discover"] = page(
        adp(*[hit(f"d{i}.example") for i in range(50)])
    )
    assert len(found(server, limit=3).services) == 3
    Ard(server).answer = {"results": [entry()] * 50}
    assert len(found(server, kind="ard", limit=4).services) == 4


def test_http_only_where_the_registry_is_asked_by_http(server: Server) -> None:
    here = f"127.0.0.1:{server.port}"
    server.routes["/api/discover"] = page(
        adp(
            hit(here, base_url=f"http://{here}/api"),
            hit(here, base_url="http://127.0.0.1:1"),
            hit(here, base_url=f"https://{here}"),
        )
    )
    sites = [service.site for service in found(server).services]
    assert sites == [f"http://{here}", f"https://{here}", f"https://{here}"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"words": " "}, "words are empty"),
        ({"words": "x" * 1001}, "at most 1000"),
        ({"limit": 0}, "1 to 100"),
        ({"limit": 101}, "1 to 100"),
        ({"kind": "ADP"}, "kind must be"),
        ({"registry": "ftp://x.example"}, "not the URL of a registry"),
        ({"registry": "https://u:s3cret@x.example"}, "user name"),
    ],
)
def test_invalid_arguments_are_named(options: dict[str, Any], said: str) -> None:
    given = {"registry": "https://x.example", "words": "a", **options}
    with pytest.raises(ValueError, match=said) as problem:
        agentsdisc.search(given.pop("registry"), given.pop("words"), **given)
    assert "s3cret" not in str(problem.value)


def test_the_command(server: Server, run: Callable[..., Any]) -> None:
    server.routes["/api/discover"] = page(
        adp(
            hit(
                "mugs.example", "search", "evil\x1b[31m", description="a\u202eb " * 200
            ),
            hit("not valid"),
        )
    )
    done = run("search", server.url, "buy", "a", "mug", "--allow-private", check=0)
    lines = done.stdout.splitlines()
    assert lines[0] == "mugs.example  Mug Shop"
    assert lines[1].startswith("  a\\u202eb a") and len(lines[1]) < 1000
    assert lines[2:] == ["  search  does search", "  evil\\x1b[31m  does evil\\x1b[31m"]
    assert "result 2 is left out" in done.stderr
    done = run(
        "search", server.url, "a", "--json", "--allow-private", "--limit", 1, check=0
    )
    values = json.loads(done.stdout)
    assert values["kind"] == "adp"
    assert values["services"][0]["capabilities"][0]["name"] == "search"
    assert "\u202e" not in done.stdout
    server.routes["/api/discover"] = page(adp())
    done = run("search", server.url, "a", "--allow-private", check=1)
    assert done.stdout == "nothing is found\n"
    done = run("search", server.url, "a", "--kind", "ard", "--allow-private", check=2)
    assert done.stderr.count("\n") == 1 and "status 404" in done.stderr
    done = run("search", server.url, "a", check=2)
    assert "--allow-private" in done.stderr
    run("search", server.url, "a", "--limit", "0", check=2)
    run("search", server.url, check=2)


@pytest.fixture
def shop(server: Server) -> Shop:
    """A shop on the same server as the registry."""
    shop = Shop(server)
    json_type = {"Content-Type": "application/json"}
    server.pages["/agent.json"] = Page(shops.awp(shop.url), headers=json_type)
    return shop


def listed(shop: Shop, *capabilities: str, domain: str | None = None) -> None:
    here = domain or f"127.0.0.1:{shop.server.port}"
    found = hit(here, *capabilities, base_url=f"http://{here}")
    shop.server.routes["/api/discover"] = page(adp(found))


def words(shop: Shop, *more: str) -> list[str]:
    settings = ["--agent", AGENT, "--allow-private", "--no-cache"]
    return ["call", "--registry", shop.url, *settings, *more]


def test_a_call_from_words(shop: Shop, run: Callable[..., Any]) -> None:
    listed(shop, "search")
    done = run(*words(shop, "find", "mugs", "q=blue", "limit=3"), check=0)
    assert json.loads(done.stdout)["items"][0]["name"] == "blue mug"
    assert done.stderr.startswith(f"agentsdisc: calls search of {shop.url}")
    assert shop.asked[-1]["query"] == {"q": "blue", "limit": "3"}
    assert any("q=find+mugs&" in path for path in shop.server.paths)


def test_several_results_are_not_chosen_from(
    shop: Shop, run: Callable[..., Any]
) -> None:
    listed(shop, "search", "order")
    done = run(*words(shop, "mugs", "q=blue"), check=1)
    assert "--first" in done.stderr and "order  does order" in done.stderr
    assert shop.asked == [] and done.stdout == ""
    # A name that is exactly the words, and the first of several, are clear.
    run(*words(shop, "search", "q=blue"), check=0)
    run(*words(shop, "mugs", "q=red", "--first"), check=0)
    assert [each["query"]["q"] for each in shop.asked] == ["blue", "red"]
    listed(shop)
    done = run(*words(shop, "mugs", "--first"), check=1)
    assert "finds no capability" in done.stderr and "names no capability" in done.stderr


def test_the_decision_and_the_confirmation_stay(
    shop: Shop, run: Callable[..., Any]
) -> None:
    listed(shop, "cancel", "undeclared")
    done = run(*words(shop, "cancel", "order_id=o1"), check=1)
    assert "--yes" in done.stderr and shop.asked == []
    done = run(*words(shop, "undeclared"), check=1)
    assert "unknown-capability" in done.stderr and shop.asked == []
    done = run(*words(shop, "cancel", "order_id=o1", "--dry-run"), check=0)
    assert done.stdout.startswith("curl") and shop.asked == []


def test_a_registry_gets_no_credential_sent(
    shop: Shop, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed(shop, "order")
    done = run(*words(shop, "order", "sku=m1", "--header", "X-Key: s3cret"), check=2)
    assert "no credentials are sent" in done.stderr and shop.server.asked == []
    done = run(*words(shop, "order", "sku=m1", "--token-env", "MY_TOKEN"), check=2)
    assert "no credentials are sent" in done.stderr
    monkeypatch.setenv("AGENTSDISC_TOKEN", shops.TOKEN)
    done = run(*words(shop, "order", "sku=m1"), check=2)
    assert "credentials" in done.stderr
    assert all("authorization" not in each["headers"] for each in shop.asked)
    # It is the token for a site that the user names.
    named = [shop.url, "order", "sku=m1", "--agent", AGENT, "--allow-private"]
    run("call", *named, "--no-cache", check=0)


def test_a_registry_does_not_choose_machines_of_the_network(
    shop: Shop, run: Callable[..., Any]
) -> None:
    listed(shop, "search", domain=f"127.0.0.2:{shop.server.port}")
    asked = len(shop.server.asked)
    done = run(*words(shop, "mugs", "q=blue"), check=2)
    assert "127.0.0.2" in done.stderr and done.stdout == ""
    assert len(shop.server.asked) == asked + 1 and shop.asked == []


@POSIX
@pytest.mark.parametrize(("answer", "code"), [(b"2\n", 0), (b"\n", 1), (b"9\n", 1)])
def test_a_person_chooses(shop: Shop, answer: bytes, code: int) -> None:
    listed(shop, "order", "search")
    with on_a_terminal(*words(shop, "mugs", "q=blue")) as (program, terminal):
        os.write(terminal, answer)
        output, said = program.communicate(timeout=PATIENCE)
    assert program.returncode == code, said
    assert b"Call which?" in said and b"  2  127.0.0.1" in said
    assert len(shop.asked) == (code == 0) and bool(output) == (code == 0)


def test_words_are_needed(shop: Shop, run: Callable[..., Any]) -> None:
    done = run(*words(shop, "q=blue"), check=2)
    assert "needs words" in done.stderr
    # Options may stand anywhere between the words.
    listed(shop, "search")
    run(
        "call",
        "find",
        "--registry",
        shop.url,
        "mugs",
        "--agent",
        AGENT,
        "q=a",
        "--allow-private",
        check=0,
    )
    done = run("call", shop.url, "--agent", AGENT, check=2)
    assert "which capability" in done.stderr
    done = run("call", shop.url, "search", "mugs", "--agent", AGENT, check=2)
    assert "write NAME=VALUE" in done.stderr


def test_the_examples_of_the_guide(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.routes["/api/discover"] = page(adp(hit("mugs.example", "search")))
    text = (ROOT / "docs/registry.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(?:python|sh)\n(.*?)```", text, re.DOTALL)
    (program,) = (block for block in blocks if "agentsdisc.search(" in block)
    program = program.replace("https://registry.example", server.url)
    exec(program.replace("limit=5", "allow_private=True"), {"agentsdisc": agentsdisc})
    assert "mugs.example [('search', 'does search')]" in capsys.readouterr().out
    (commands,) = (block for block in blocks if "call --registry" in block)
    for line in commands.splitlines():
        options = parser().parse_args(shlex.split(line)[1:])
        assert options.registry == "https://registry.example"
