"""`agentsdisc mcp` on a terminal: tokens, questions, interrupts and timeouts."""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import PATIENCE, Run, on_a_terminal
from server import Handler, Page, Server, serving, silence

pytest.importorskip("mcp")

from mcp_server import Shop, mcp_serving

COMMON = ["--agent", "Bot/1.0", "--allow-private", "--no-cache"]


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    with mcp_serving("streamable-http") as shop:
        yield shop


@pytest.fixture
def site(shop: Shop) -> Iterator[Server]:
    """A site whose orders need confirmation by a person."""
    action = {
        "id": "place_order",
        "description": "x",
        "via": "mcp",
        "auth_required": False,
        "sensitivity": "irreversible",
        "requires_human_confirmation": True,
        "inputs": {},
        "outputs": {},
    }
    with serving() as server:
        server.pages["/agent.json"] = Page(
            json.dumps(
                {
                    "awp_version": "0.2",
                    "domain": "127.0.0.1",
                    "intent": "Sell mugs",
                    "protocols": {"mcp": {"version": "1.0", "endpoint": shop.url}},
                    "actions": [action],
                }
            )
        )
        yield server


def test_ask_token_without_a_terminal(run: Run) -> None:
    done = run("mcp", "http://127.0.0.1:1", *COMMON, "--ask-token", check=2)
    assert done.stderr.endswith("agentsdisc: --ask-token: no terminal to ask on\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("answer", ["y\n", "n\n", None], ids=["yes", "no", "Ctrl-C"])
def test_a_person_is_asked(site: Server, shop: Shop, answer: str | None) -> None:
    shop.called.clear()
    call = ["--call", "place_order", '{"item": "mug"}']
    with on_a_terminal("mcp", site.url, *COMMON, *call) as (program, ours):
        asked = b""
        assert program.stderr is not None
        while not asked.endswith(b"[y/N] "):
            asked += (came := os.read(program.stderr.fileno(), 4096))
            assert came, asked
        assert b"must be asked" in asked
        if answer is None:
            program.send_signal(signal.SIGINT)
        else:
            os.write(ours, answer.encode())
        out, said = program.communicate(timeout=PATIENCE)
    code, result = {"y\n": (0, b"bought\n"), "n\n": (1, b""), None: (130, b"")}[answer]
    assert (program.returncode, out) == (code, result), said
    assert b"Traceback" not in said
    assert shop.called == ([("place_order", "mug")] if answer == "y\n" else [])


@pytest.fixture
def wordy(site: Server) -> Server:
    """The same site with restrictions in prose and with actions that depend on other actions."""
    page = site.pages["/agent.json"]
    assert isinstance(page, Page)
    document = json.loads(page.body)
    order = document["actions"][0] | {"requires_human_confirmation": False}
    order["sensitivity"] = "standard"
    search = order | {"id": "search"}
    document |= {
        "actions": [order, search],
        "dependencies": {"place_order": ["search"]},
    }
    site.pages["/agent.json"] = Page(json.dumps(document))
    site.pages["/.well-known/agents.md"] = Page(
        "# Shop\n\n## Cannot\n- Order without a human\n\n## Agents must not\n- Haggle\n\n## Behavior\n- Be kind\n"
    )
    return site


def test_without_a_person_the_option_for_one_is_named(
    run: Run, site: Server, shop: Shop
) -> None:
    shop.called.clear()
    call = ["--call", "place_order", '{"item": "mug"}']
    refused = run("mcp", site.url, *COMMON, *call, check=1)
    assert "must be asked" in refused.stderr and "add --yes" in refused.stderr
    assert shop.called == []
    assert run("mcp", site.url, *COMMON, *call, "--yes", check=0).stdout == "bought\n"
    assert shop.called == [("place_order", "mug")]


WORDS = """\
agentsdisc: cannot: Order without a human
agentsdisc: behavior: Be kind
agentsdisc: not read: Agents must not
agentsdisc: not read: Haggle
"""


def test_a_call_shows_the_words_of_the_site(
    run: Run, wordy: Server, shop: Shop
) -> None:
    approved = ["--approve", shop.url]
    call = ["--call", "search", '{"query": "mug"}']
    done = run("mcp", wordy.url, *COMMON, *call, check=0)
    assert (done.stdout, done.stderr) == ("found mug\n", WORDS)
    done = run("mcp", wordy.url, *COMMON, *call, "--json", check=0)
    values = json.loads(done.stdout)
    assert values["cannot"] == ["Order without a human"]
    assert values["behavior"] == ["Be kind"] and values["unread"] == [
        "Agents must not",
        "Haggle",
    ]
    # Also if the call fails or is refused.
    for name, code in (("search", 2), ("place_order", 1), ("missing", 2)):
        done = run("mcp", wordy.url, *COMMON, "--call", name, check=code)
        assert done.stderr.startswith(WORDS), done.stderr
    for words in (["mcp", "--list"], ["inspect"]):
        common = COMMON if words[0] == "mcp" else COMMON[2:]
        more = approved if words[0] == "mcp" else []
        done = run(words[0], wordy.url, *common, *more, *words[1:], check=0)
        assert "not read  Agents must not" in done.stdout


@pytest.mark.parametrize("name", ["search", "Search"])
def test_an_impaired_action_is_not_called_without_a_word(
    run: Run, wordy: Server, shop: Shop, name: str
) -> None:
    page = wordy.pages["/agent.json"]
    assert isinstance(page, Page)
    document = json.loads(page.body)
    document["actions"][1] |= {"id": name, "operation": "search"}
    document["dependencies"] = {}
    document["agent_status"] = {"operational": True, "degraded_actions": [name]}
    wordy.pages["/agent.json"] = Page(json.dumps(document))
    call = ["--call", "search", '{"query": "mug"}', "--json", "--approve", shop.url]
    done = run("mcp", wordy.url, *COMMON, *call, check=0)
    said = f"agentsdisc: {name}: the service reports that it is impaired\n"
    assert said in done.stderr and json.loads(done.stdout)["degraded"] is True


def test_prerequisites_come_first(run: Run, wordy: Server, shop: Shop) -> None:
    shop.called.clear()
    call = ["--call", "place_order", '{"item": "mug"}']
    refused = run("mcp", wordy.url, *COMMON, *call, check=1)
    assert "requires first: search" in refused.stderr
    assert "--before search=JSON" in refused.stderr
    assert "--after search" in refused.stderr
    assert shop.called == []
    assert run("mcp", wordy.url, *COMMON, *call, "--after", "search", check=0)
    assert shop.called == [("place_order", "mug")]


@pytest.mark.parametrize("more", [[], ["--endpoint"]], ids=["capability", "tool"])
def test_prerequisites_run_with_their_arguments(
    run: Run, wordy: Server, shop: Shop, more: list[str]
) -> None:
    shop.called.clear()
    call = [
        "--call",
        "place_order",
        '{"item": "mug"}',
        *more,
        *([shop.url] * len(more)),
    ]
    before = ["--before", 'search={"query": "cup"}']
    done = run("mcp", wordy.url, *COMMON, *call, *before, check=0)
    assert done.stdout == "bought\n"
    assert shop.called == [("search", "cup"), ("place_order", "mug")]
    wrong = run("mcp", wordy.url, *COMMON, *call, "--before", "search=1", check=2)
    assert "write ACTION=" in wrong.stderr


@pytest.mark.parametrize("more", [[], ["--endpoint"]], ids=["capability", "tool"])
@pytest.mark.parametrize("asks", ["refund", "place_order"])
def test_everybody_is_asked_before_an_action_runs(
    run: Run, wordy: Server, shop: Shop, asks: str, more: list[str]
) -> None:
    shop.called.clear()
    page = wordy.pages["/agent.json"]
    assert isinstance(page, Page)
    document = json.loads(page.body)
    refund = document["actions"][0] | {"id": "refund"}
    document["actions"].append(refund)
    document["dependencies"]["refund"] = ["place_order"]
    for each in document["actions"]:
        each["requires_human_confirmation"] = each["id"] == asks
    wordy.pages["/agent.json"] = Page(json.dumps(document))
    call = ["--call", "refund", "{}", *more, *([shop.url] * len(more))]
    before = ["--before", 'search={"query": "a"}']
    before += ["--before", 'place_order={"item": "mug"}']
    yes = ["--yes"] * (asks != "refund")
    done = run("mcp", wordy.url, *COMMON, *call, *before, *yes, check=1)
    assert f"be asked before '{asks}' is called" in done.stderr
    how = "add --yes" if asks == "refund" else "add --after place_order"
    assert done.stderr.endswith(f"{how}\n")
    assert shop.called == []


def test_the_variable_of_the_token_is_named(run: Run, site: Server, shop: Shop) -> None:
    page = site.pages["/agent.json"]
    assert isinstance(page, Page)
    document = json.loads(page.body)
    document["actions"][0]["auth_required"] = True
    site.pages["/agent.json"] = Page(json.dumps(document))
    approved = ["--approve", shop.url]
    call = ["mcp", site.url, *COMMON, *approved, "--call", "place_order", "--yes"]
    done = run(*call, check=2)
    assert "environment variable AGENTSDISC_MCP_TOKEN," in done.stderr
    assert "--token-env" not in done.stderr


def test_headers_are_sent_and_never_printed(run: Run, site: Server, shop: Shop) -> None:
    shop.headers.clear()
    approved = ["--approve", shop.url]
    headers = ["--header", "X-Api-Key: s3cret value", "--header", "X-Other:t0p"]
    done = run("mcp", site.url, *COMMON, *approved, *headers, check=0)
    assert shop.headers[0]["x-api-key"] == "s3cret value"
    assert shop.headers[0]["x-other"] == "t0p"
    assert "s3cret" not in done.stdout + done.stderr
    for bad in ("s3cret", "X-Key:", ":s3cret", "X Key: s3cret", "X-Key: s3cret\nX: y"):
        done = run("mcp", site.url, *COMMON, *approved, "--header", bad, check=2)
        assert "s3cret" not in done.stdout + done.stderr, bad


def test_a_document_that_hangs_leaves_time(run: Run, site: Server, shop: Shop) -> None:
    site.pages["/.well-known/agents.txt"] = silence
    approved = ["--approve", shop.url]
    done = run("mcp", site.url, *COMMON, *approved, "--timeout", "16", check=0)
    assert "place_order  allowed" in done.stdout


def test_the_time_is_for_everything_together(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each response meets its timeout, but the whole list of tools takes 40 seconds."""
    begun: list[float] = []

    def answer(handler: Handler) -> None:
        begun.append(time.monotonic())
        length = int(handler.headers.get("Content-Length") or 0)
        message = json.loads(handler.rfile.read(length) or b"{}")
        if "id" not in message:
            handler.send(Page(status=202))
            return
        result: dict[str, Any] = {"tools": [], "nextCursor": "more"}
        if message["method"] == "initialize":
            result = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "slow", "version": "1"},
            }
        time.sleep(0.4)
        text = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})
        handler.send(Page(text, headers={"Content-Type": "application/json"}))

    monkeypatch.setattr(
        Handler, "do_POST", lambda handler: Handler.do_GET(handler), raising=False
    )
    with serving() as slow:
        slow.pages["/mcp"] = answer
        slow.pages["/.well-known/agents.md"] = Page(
            f"---\nversion: 1.0\nmcp:\n  endpoint: {slow.url}/mcp\n---\n# A\n\n## Can\n\n- Read\n"
        )
        done = run("mcp", slow.url, *COMMON, "--timeout", "8", check=2)
        # Measured from the first message, without the start of the program.
        assert time.monotonic() - begun[0] < 30
    assert "timeout after 8 s (see --timeout)" in done.stderr
