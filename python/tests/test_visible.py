"""Every command escapes hidden characters and masks secrets in its text output."""

import json
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agentsdisc
import agentsdisc.calls
import pytest
from agentsdisc import _visible
from agentsdisc._visible import keys_in, masked, visible, without_secrets
from conftest import Run
from server import Page, serving

SECRET = "ghp_" + "q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA"
PASSWORD = "w8t3rQz7Lp"
SHOWN = {"\n", " "}

HIDDEN = [
    *range(0xE0000, 0xE01F0),
    *(0x00, 0x07, 0x1B, 0x7F, 0x85, 0x9B, 0xAD),
    *(0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180E, 0x180F),
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    *(0x2800, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0xFFFC),
    *(0x110BD, 0x13430, 0x16FE4, 0x1BCA0, 0x1D159, 0x1D173, 0x1D17A),
]
"""Hidden characters of each kind, including those that Python considers printable."""


KEY = [
    "-----BEGIN RSA PRIVATE KEY-----",
    "MIIEpAIBAAKCAQEA0q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oAZxN2LpD5rKc",
    "8VbM1sHg+3uJ6eTfQ/oA0q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oAZxN2LpD",
    "w8T3rQz7Lp0=",
    "-----END RSA PRIVATE KEY-----",
]


def is_hidden(c: str) -> bool:
    return c not in SHOWN and (ord(c) in HIDDEN or not c.isprintable())


def test_hidden_characters_are_escaped() -> None:
    for code in HIDDEN:
        text = visible(f"a{chr(code)}b")
        assert text.isascii() and text[0] == "a" and text[-1] == "b" and "\\" in text
    for code in range(0x110000):
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}:
            assert visible(chr(code)).isascii(), hex(code)
    for text in ("plain text", "Tassen für alle", "日本語", "🫖", "a\u0301", "\\x1b"):
        assert visible(text) == text
    assert visible("\U000e0041") == "\\U000e0041"
    assert visible(visible("\x1b\u3164")) == "\\x1b\\u3164"


def test_secrets_are_masked() -> None:
    text = visible(f"key {SECRET}, https://user:{PASSWORD}@e.test/")
    assert SECRET[4:] not in text and PASSWORD not in text
    assert visible(text) == text
    assert masked("nothing here") == "nothing here"
    values = without_secrets({"a": [SECRET, 1, None], "b": {"c": (SECRET,)}})
    assert SECRET[4:] not in json.dumps(values)


def documents(text: str) -> dict[str, bytes]:
    """Returns documents that contain a text in every possible field."""
    data: dict[str, Any] = {
        "specVersion": "1.0",
        "site": {
            "name": text,
            "url": "https://a.example",
            "description": text,
            text: text,
        },
        "capabilities": [
            {
                "id": text,
                "endpoint": f"https://a.example/{text}",
                "protocol": text,
                "description": text,
                "method": text,
                "auth": {"type": "oauth2", "scopes": [text], "docs": text},
                "parameters": [{"name": text, "in": "query", "type": text}],
            }
        ],
        "access": {"allow": [f"/{text}"], "disallow": [f"/{text}", "/x"]},
        "agents": {text: {"rateLimit": {"requests": 1, "window": text}}},
        "unknown": {text: text},
    }
    line = text.replace("\n", " ")
    # A field name ends at its first colon.
    name = line if ":" not in line else "X-Other"
    return {
        "agents.json": json.dumps(data, ensure_ascii=False).encode(),
        "agents.txt": (
            f"# {line}\nSpec-Version: {line}\nSite-Name: {line}\nSite-URL: https://a.example\n"
            f"{name}: x\nCapability: {line}\n  Endpoint: https://a.example/{line}\n"
            f"  Protocol: {line}\n  Param: {line}, in={line}\n  auth : {line}\n"
            f"Disallow: /x/{line}\nDisallow: /x\nAgent: {line}\n  Rate-Limit: {line}\n"
        ).encode(),
        "agents.md": (
            f"---\nversion: 1.0.0\nx: '{line}'\n---\n# {line}\n\n{line}\n\n## Can\n\n- {line}\n\n"
            f"## Cannot\n\n- {line}\n\n## {line}\n\n{line}\n"
        ).encode(),
        "agent.json": json.dumps(
            {
                "awp_version": "0.2",
                "domain": "a.example",
                "intent": text,
                "actions": [
                    {
                        "id": text,
                        "description": text,
                        "endpoint": f"/{text}",
                        "method": "GET",
                        "inputs": {text: {"type": text}},
                    }
                ],
                "errors": {text: {"recovery": text}},
            },
            ensure_ascii=False,
        ).encode(),
        "robots.txt": f"# {line}\nUser-agent: {line}\nDisallow: /x/{line}\nUser-agent: *\nDisallow: /x # {line}\n{name}: {line}\n".encode(),
        "broken.json": f'{{"specVersion": "1.0", "{text}": "{text}", x'.encode(),
    }


def commands(names: list[str], text: str) -> Iterator[list[str]]:
    """Yields every command that prints a document."""
    agent = ["--agent", text.replace("\0", "") or "Bot"]
    for name in names:
        yield ["inspect", name]
        for output in ("text", "json", "sarif", "github"):
            yield ["lint", name, "--output-format", output]
        yield ["lint", "--diff", name]
        yield ["decide", name, *agent, "--url", "/x", "--robots", "robots.txt"]
        yield ["decide", name, *agent, "--url", "/x", "--json"]
        yield ["decide", name, *agent, "--capability", text.replace("\0", "")]
        yield ["convert", name, "--to", "agents-txt", "-o", "out.txt"]
        yield ["convert", name, "--to", "agents-json", "-o", "out.json"]


def all_output(run: Run, folder: Path, text: str) -> Iterator[tuple[list[str], str]]:
    files = documents(text)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    for command in commands(list(files), text):
        done = run(*command)
        yield command, done.stdout + done.stderr
        if command[0] == "convert":
            (folder / command[-1]).unlink(missing_ok=True)
    (folder / "fixed.txt").write_bytes(files["agents.txt"])
    done = run("lint", "--fix", "fixed.txt")
    yield ["lint", "--fix"], done.stdout + done.stderr
    done = run(
        "init", "--name", text.replace("\0", ""), "--url", text.replace("\0", "")
    )
    yield ["init"], done.stderr
    done = run("parse", "agents.json", "--format", text.replace("\0", ""))
    yield ["parse"], done.stderr


def site_output(run: Run, text: str) -> Iterator[tuple[list[str], str]]:
    with serving() as server:
        paths = {"agents.json": "/.well-known/agents.json", "agent.json": "/agent.json"}
        for name, data in documents(text).items():
            header = text.encode("utf-8", "ignore").decode("latin-1")
            headers = {"Content-Type": "".join(c for c in header if c.isprintable())}
            server.pages[paths.get(name, f"/{name}")] = Page(data, headers=headers)
        options = ["--allow-private", "--no-cache"]
        for command in (
            ["discover", server.url, *options],
            ["inspect", server.url, *options],
            ["lint", server.url, *options],
            ["decide", server.url, "--agent", "Bot", "--url", "/x", *options],
            ["mcp", server.url, "--agent", "Bot", *options],
        ):
            done = run(*command)
            yield command, done.stdout + done.stderr


CHARACTERS = "a" + "".join(map(chr, HIDDEN[::9] + HIDDEN[-60:])) + "b"


def test_no_command_shows_a_hidden_character(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("mcp")
    for source in (all_output(run, tmp_path, CHARACTERS), site_output(run, CHARACTERS)):
        for command, output in source:
            assert output or command[0] in {"lint", "convert"}
            found = {hex(ord(c)) for c in output if is_hidden(c)}
            assert not found, command


def test_no_command_shows_a_secret(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("mcp")
    for secret, text in (
        (SECRET[4:], SECRET),
        (PASSWORD, f"https://user:{PASSWORD}@a.example/"),
    ):
        for source in (all_output(run, tmp_path, text), site_output(run, text)):
            for command, output in source:
                assert secret not in output, command


def test_errors_and_representations_show_no_secret() -> None:
    document = agentsdisc.parse(documents(SECRET)["agents.json"])
    decision = document.decide(agent="Bot", url=f"/{SECRET}")
    assert SECRET[4:] not in repr(decision)
    mcp = pytest.importorskip("agentsdisc.mcp")
    assert SECRET[4:] not in str(mcp.McpError(f"no session: {SECRET}"))


def test_parse_gives_the_data_as_it_is(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.json").write_bytes(documents(SECRET)["agents.json"])
    done = run("parse", "agents.json", check=0)
    assert json.loads(done.stdout)["service"]["name"] == SECRET
    (tmp_path / "agents.json").write_bytes(documents(CHARACTERS)["agents.json"])
    for options in ([], ["--indent", "1"]):
        done = run("parse", "agents.json", *options, check=0)
        assert not any(is_hidden(c) for c in done.stdout)
        assert json.loads(done.stdout)["service"]["name"] == CHARACTERS


def in_lines(form: str) -> str:
    """Returns the key, each line as in a form."""
    return "\n".join(form.replace("%", line) for line in KEY)


def with_a_key() -> dict[str, bytes]:
    """Returns documents in which each line of a private key is a text of its own."""
    site = "Spec-Version: 1.0\nSite-Name: S\nSite-URL: https://a.example\n"
    card = {"specVersion": "1.0", "site": {"name": "S", "url": "https://a.example"}}
    items = {**card, "capabilities": [], "x": KEY}
    names = {**card, "capabilities": [], **dict.fromkeys(KEY, 1)}
    access = {**card, "access": {"disallow": [f"/{line}" for line in KEY]}}
    skills = [{"id": line, "endpoint": f"/{line}"} for line in KEY]
    texts = {
        "agents.txt": f"{site}{in_lines('%')}\nAllow: /x\n",
        "a/agents.txt": f"{site}{in_lines('X-Key: %')}\n{in_lines('# %')}\nAllow: /x\n",
        "b/agents.txt": f"{site}Capability: a\n{in_lines('  X: %')}\n",
        "c/agents.txt": f"Site: S\nURL: https://a.example\n{in_lines('Allow: %')}\n",
        "robots.txt": f"User-agent: *\n{in_lines('Disallow: /%')}\n{in_lines('%')}\n",
        "agents.md": f"# S\n\n## Cannot\n\n{in_lines('- %')}\n\n## Agents must not\n\n{in_lines('- %')}\n",
        "a/agents.md": f"---\nname: S\nx:\n{in_lines('  - %')}\n---\n# S\n\n{in_lines('%')}\n",
        "llms.txt": f"# S\n\n## Docs\n\n{in_lines('- [%](https://a.example/%)')}\n",
        "agents.json": json.dumps(items),
        "a/agents.json": json.dumps(items, indent=2).replace("/", "\\/"),
        "b/agents.json": json.dumps(names),
        "c/agents.json": json.dumps(access, indent=1),
        "d/agents.json": json.dumps({**card, "capabilities": skills}),
        "broken.json": json.dumps(items)[:-1],
        "unknown.txt": f"hello\n{in_lines('%')}\n",
    }
    return {name: text.encode() for name, text in texts.items()}


@pytest.mark.parametrize("name", with_a_key())
def test_no_line_of_a_private_key_is_printed(
    run: Run, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(with_a_key()[name])
    asked = ["decide", name, "--agent", "Bot", "--url", f"/{KEY[2]}"]
    for command in (
        ["lint", name],
        ["lint", name, "--output-format", "json"],
        ["inspect", name],
        asked,
        [*asked, "--json"],
        ["convert", name, "--to", "agents-txt", "-o", "out"],
        ["convert", name, "--to", "awp", "-o", "out"],
    ):
        done = run(*command)
        said = done.stdout + done.stderr
        for line in KEY[1:-1]:
            assert line not in said, (command, said)
        assert "w8T3rQz7Lp" not in said and "+3uJ6eTfQ" not in said, command


def test_a_line_of_a_key_is_masked_wherever_it_stands() -> None:
    keys = keys_in(with_a_key()["a/agents.json"])

    def masked(text: str) -> str:
        return _visible.masked(text, keys)

    _, first, second, last, _ = KEY
    for form in ("%", "x %, y", "metadata.%", "(%)", "'%': %"):
        for line in (first, second, last):
            assert masked(form.replace("%", line)) == form.replace("%", "…")
    url = masked(f"https://a.example/{second}/x")
    assert url == "https://a.example/…/…/x"
    assert masked("Spec-Version, specVersion: S") == "Spec-Version, specVersion: S"


def test_objects_show_no_secret() -> None:
    text = (
        f"Spec-Version: 1.0\nSite-Name: {SECRET}\nSite-URL: https://a.example/{SECRET}\n"
        f"Disallow: /x/{SECRET}\nCapability: {SECRET}\n  Endpoint: https://a.example/{SECRET}\n"
        f"  Description: {SECRET}\n  Protocol: REST\n  Param: {SECRET} (query, string)\nAgent: {SECRET}\n"
        f"  Rate-Limit: 1/minute\nX-Key: https://a:{PASSWORD}@e.test/\n{in_lines('X-More: %')}\n"
        f"Agents-JSON: https://a.example/{SECRET}\nContact: {SECRET}\n"
    )
    document = agentsdisc.parse(text)
    robots = agentsdisc.RobotsTxt(
        f"User-agent: *\nDisallow: /{SECRET}\nContent-Usage: {SECRET}=y\nSitemap: https://e.test/{SECRET}\n"
    )
    decision = agentsdisc.decide(
        [document],
        agent="Bot",
        url=f"https://a.example/x/{SECRET}",
        origin="https://a.example",
    )
    planned = agentsdisc.calls.call(
        document, SECRET, {SECRET: SECRET}, agent="Bot", dry_run=True
    )
    shown = [
        document,
        document.service,
        document.capabilities,
        *document.capabilities,
        list(document.agents),
        document.access,
        document.links(),
        document.check(),
        document.convert("agents-json").losses,
        robots,
        robots.decide("Bot", f"/{SECRET}"),
        robots.groups,
        robots.preferences,
        decision,
        decision.rule,
        decision.auth,
        planned,
        planned.request,
    ]
    assert "ghp_…" in repr(shown)
    for each in shown:
        for secret in (SECRET[4:], PASSWORD, *KEY[1:-1]):
            assert secret not in repr(each), type(each)


ORDINARY = ("http", "api", "order", "Mugs", "a8", "shop-2", "agents-json", "allowed")
"""Words that a document names as lines of a private key."""


def with_ordinary_words(count: int = 0) -> bytes:
    """Returns a document with a false private key around each of some words, and the lines of some more."""
    blocks = [
        f"X-{n}: -----BEGIN PRIVATE KEY-----\nX-{n}: {word}\nX-{n}: -----END PRIVATE KEY-----\n"
        for n, word in enumerate(ORDINARY)
    ]
    lines = [f"X: {n:08}{KEY[1][:56]}\n" for n in range(count)]
    more = f"X: {KEY[0]}\n{''.join(lines)}X: {KEY[-1]}\n" if lines else ""
    site = "Spec-Version: 1.0\nSite-Name: S\nSite-URL: https://a.example\n"
    return f"{site}{''.join(blocks)}{more}".encode()


OTHER = json.dumps(
    {
        "specVersion": "1.0",
        "site": {"name": "Mugs a8", "url": "https://shop-2.example"},
        "capabilities": [
            {"id": "order", "endpoint": "http://shop-2.example/api/order"},
            {"id": "api", "endpoint": "/api/a8", "descripton": "order"},
        ],
        "access": {"disallow": ["/api/order"]},
    }
).encode()


def everything_about(data: bytes) -> list[str]:
    document = agentsdisc.parse(data, format="agents-json")
    decision = document.decide(agent="Bot", url="/api/order")
    values: list[Any] = [
        document,
        *document.capabilities,
        document.access,
        document.links(),
        document.check(),
        document.convert("agents-txt").losses,
        decision,
        decision.rule,
    ]
    texts = [visible("https://host/api/order"), masked("Mugs a8, order")]
    return [*map(repr, values), *texts]


def test_a_document_changes_no_output_about_another() -> None:
    before = everything_about(OTHER)
    false = agentsdisc.parse(with_ordinary_words())
    assert "…" not in "".join(before)
    # They count for the document itself.
    assert masked("GET order", keys_in(false.bytes)) == "GET …"
    assert everything_about(OTHER) == before


def test_commands_mask_each_document_by_itself(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.json").write_bytes(OTHER)
    (tmp_path / "false.txt").write_bytes(with_ordinary_words())
    alone = run("lint", "agents.json").stdout
    after = run("lint", "false.txt", "agents.json").stdout
    said = [line for line in alone.splitlines()[:-1] if line]
    assert len(said) > 2 and set(said) <= set(after.splitlines())


def test_large_documents_do_not_end_masking(run: Run, tmp_path: Path) -> None:
    with_key = with_a_key()["a/agents.json"]
    document = agentsdisc.parse(with_key)
    limits = agentsdisc.Limits(document=1 << 22, line=1 << 22)
    for _ in range(3):
        agentsdisc.parse(with_ordinary_words(1 << 13), limits=limits)
    keys = keys_in(document.bytes)
    for line in KEY[1:-1]:
        assert line not in masked(f"x {line}", keys)
    named = json.loads(with_a_key()["d/agents.json"])
    shown = repr(agentsdisc.parse(json.dumps(named)).capabilities[2])
    assert KEY[2] not in shown and "…" in shown
    (tmp_path / "large.txt").write_bytes(with_ordinary_words(1 << 13))
    (tmp_path / "agents.json").write_bytes(with_key)
    done = run("inspect", "agents.json")
    assert not any(line in done.stdout for line in KEY[1:-1])


def test_a_view_finds_the_keys_of_its_document_once() -> None:
    """The representation of a view does not read the whole document again."""
    skills = [{"id": f"c{n}", "endpoint": f"/{n}"} for n in range(20_000)]
    data = {**json.loads(OTHER), "capabilities": skills}
    document = agentsdisc.parse(
        json.dumps(data), limits=agentsdisc.Limits(document=1 << 24)
    )

    def seconds(count: int) -> float:
        begun = time.process_time()
        for each in list(document.capabilities)[:count]:
            repr(each)
        return time.process_time() - begun

    seconds(1)
    few = min(seconds(500) for _ in range(3))
    assert min(seconds(20_000) for _ in range(3)) < few * 40 * 4


def test_the_lines_of_an_answer_are_masked_by_the_answer() -> None:
    from agentsdisc.cli.calling import content

    answer = {"content": [{"type": "text", "text": line} for line in KEY]}
    shown = "\n".join(content(answer))
    assert not any(line in shown for line in KEY[1:-1])
    assert masked(KEY[1]) == KEY[1]
