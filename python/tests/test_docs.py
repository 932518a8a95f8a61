"""The examples in the guides and in the package run and print the documented output, and the documents in them are right."""

import ast
import doctest
import json
import re
import shlex
import shutil
import types
from collections.abc import Iterator
from pathlib import Path

import agentsdisc
import pytest
from agentsdisc import _companion, _written, example
from agentsdisc.cli import main
from agentsdisc.example import Shop
from conftest import ROOT, SHOP_TXT
from server import Handler, Page


def test_the_guide() -> None:
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "python.md", None, 0)
    assert len(test.examples) > 20
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0


def test_the_example_shop() -> None:
    assert doctest.testmod(example).failed == 0
    assert doctest.testmod(example).attempted > 1


def test_document_examples() -> None:
    assert doctest.testmod(_written).failed == 0
    assert doctest.testmod(_written).attempted > 3


def test_comparison_examples() -> None:
    assert doctest.testmod(_companion).failed == 0
    assert doctest.testmod(_companion).attempted > 3


def test_the_guide_to_tables() -> None:
    pytest.importorskip("pyarrow")
    text = (ROOT / "docs/arrow.md").read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "arrow.md", None, 0)
    assert len(test.examples) > 8
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_package() -> None:
    assert doctest.testmod(agentsdisc).failed == 0
    assert doctest.testmod(agentsdisc).attempted > 0


def test_the_readme() -> None:
    text = (ROOT / "python/README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(example, types.ModuleType("readme").__dict__)


def test_the_guide_to_signed_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both sides of the guide, one after the other: the agent makes its key, and asks the gated site."""
    for module in ("cryptography", "httpx", "trustme", "uvicorn"):
        pytest.importorskip(module)
    import test_identity_sites as sites

    text = (ROOT / "docs/identity.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands = "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).splitlines()
    assert [each.split()[:3] for each in commands if not each.startswith("pip")] == [
        ["agentsdisc", "identity", what] for what in ("new", "directory", "sign")
    ]
    for command in commands[1:]:
        assert main(shlex.split(command)[1:]) == 0
    assert 'Signature-Agent: sig1="https://agent.example"' in capsys.readouterr().out
    published = json.loads(Path("http-message-signatures-directory").read_text())
    ours = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(ours) == 4
    with sites.agent_serving(tmp_path, monkeypatch, published) as server:
        with sites.free_port() as port:
            origin = f"http://127.0.0.1:{port}"
        Path("agents.txt").write_text(sites.text_of_shop(origin))

        def run(example: str, **names: object) -> dict[str, object]:
            example = example.replace("https://shop.example", origin)
            example = example.replace("https://agent.example", server.url)
            example = example.replace("identity=me)", "identity=me, **here)")
            example = example.replace(
                "Directory()", f"Directory(allow_private=[{server.url!r}])"
            )
            example = example.replace(
                "documents=documents", "documents=documents, keys=keys"
            )
            exec(example, names)
            return names

        here = {"allow_private": True}
        keys = sites.keys_at(server)
        gated = run(ours[2], app=sites.shop, keys=keys)["app"]
        with sites.app_serving(gated, port=port, lifespan="off"):
            names = run(
                ours[0].replace("discover(", "discover(cache=False, url="), here=here
            )
            assert names["answer"].body.decode() == server.url + sites.PLACE
            names = run(ours[1], **names)
        run(ours[3], **names)
        assert capsys.readouterr().out.startswith("True valid https://127.0.0.1")


def test_the_guide_to_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("a2a", "mcp", "trustme", "uvicorn", "websockets"):
        pytest.importorskip(module)
    from mugs import mugs_serving

    text = (ROOT / "docs/calls.md").read_text(encoding="utf-8")
    pages = re.findall(r"At `(https://\S+)`:\n\n```(\w+)\n(.*?)```", text, re.DOTALL)
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "calls.md", None, 0)
    assert len(pages) > 11 and len(test.examples) > 40
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    with mugs_serving(pages, tmp_path, monkeypatch):
        assert runner.run(test).failed == 0


PAGES = [
    ROOT / "README.md",
    ROOT / "python/README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]

BLOCK = re.compile(
    r"(?:^<!-- lint: (?P<wrong>[a-z0-9-]+(?:, [a-z0-9-]+)*) -->\n)?"
    r"(?:^[^\n]*\bAt `(?P<url>https://\S+)`:\n\n)?"
    r"^```(?P<language>\w*)[^\n]*\n(?P<body>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
"""An example. The comment before it, which readers do not see, names the codes of mistakes that it shows on purpose."""

HARMLESS = {"unknown-field", "misspelled-field"}
"""Codes that are no errors in a document, but in an example."""


def written(language: str, body: str) -> Iterator[str]:
    """Yields the texts in an example that may be documents: the example itself, or the strings of a program."""
    match language:
        case "json" | "markdown" | "text":
            yield body
        case "python" | "py":
            lines = body.splitlines()
            if ">>> " in body:
                lines = [x[4:] for x in lines if x.startswith((">>> ", "... "))]
            for node in ast.walk(ast.parse("\n".join(lines))):
                if isinstance(node, ast.Constant):
                    if isinstance(node.value, bytes):
                        yield node.value.decode()
                    elif isinstance(node.value, str):
                        yield node.value
        case "rust" | "c" | "cpp":
            for raw, strings in re.findall(
                r'r#"(.*?)"#|((?:"(?:[^"\\]|\\.)*"\s*)+)', body, re.DOTALL
            ):
                yield raw or "".join(
                    re.sub(
                        r"\\(.)",
                        lambda escape: {"n": "\n", "t": "\t"}.get(escape[1], escape[1]),
                        text,
                    )
                    for text in re.findall(r'"((?:[^"\\]|\\.)*)"', strings, re.DOTALL)
                )


def linted(page: str) -> tuple[int, list[str]]:
    """Returns the number of documents in a page, and what is wrong with them."""
    documents, problems = 0, []
    for block in BLOCK.finditer(page):
        place = f"line {page.count(chr(10), 0, block.start()) + 1}"
        language, found = block["language"], set()
        url = block["url"]
        for text in written(language, block["body"]):
            try:
                document = agentsdisc.parse(text, url=url)
            except agentsdisc.ParseError as error:
                # A recognized document of a format that is not read is one, too, such as an OpenAPI description.
                if (
                    url or language in ("json", "markdown")
                ) and error.kind != "not-a-discovery-document":
                    problems.append(f"{place}: {error}")
                continue
            documents += 1
            found |= {
                each.code
                for each in document.check(origin=url)
                if each.severity != "info" or each.code in HARMLESS
            }
        marked = set((block["wrong"] or "").split(", ")) - {""}
        if found != marked:
            problems.append(f"{place}: {sorted(found)}, marked: {sorted(marked)}")
    return documents, problems


def test_the_documents_in_examples_are_right() -> None:
    # Of the pages on diagnostics, a test of the core checks every example.
    pages = [page for page in PAGES if page.parent.name != "diagnostics"]
    results = {page: linted(page.read_text(encoding="utf-8")) for page in pages}
    problems = {page.name: wrong for page, (_, wrong) in results.items() if wrong}
    assert not problems
    assert sum(number for number, _ in results.values()) > 35


HEAD = "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n"


@pytest.mark.parametrize(
    ("example", "code"),
    [
        (f"```text\n{HEAD}Allow-Agent: *\n```", "unknown-field"),
        (
            '```python\n>>> x = b"""\n'
            + "".join(f"... {line}\n" for line in HEAD.splitlines())
            + "... Capability: a\n...   Endpoint: https://a.example/a\n...   Protocol: REST\n"
            + '...   Param: q, in=query, type=string\n... """\n```',
            "invalid-value",
        ),
        (
            '```rust\nparse(br#"{"$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json", "skills": [{"name": "a",'
            '"type": "skill-md", "description": "A", "url": "/a/SKILL.md", "digest": "sha256:00"}]}"#);\n```',
            "invalid-value",
        ),
        (
            '```c\nparse("Site-Name: A\\nSite-URL: https://a.example\\n"\n"Spec-Version: 9.0\\n");\n```',
            "unsupported-version",
        ),
        ('```json\n{"name": "A"}\n```', "cannot detect"),
        ("At `https://a.example/agents.txt`:\n\n```text\nHello\n```", "cannot detect"),
        (f"<!-- lint: empty-value -->\n```text\n{HEAD}```", "marked"),
    ],
)
def test_a_wrong_document_in_an_example_is_found(example: str, code: str) -> None:
    _, problems = linted(f"# Page\n\n{example}\n")
    assert len(problems) == 1
    assert code in problems[0]


README = (ROOT / "README.md").read_text(encoding="utf-8")


def asked(handler: Handler, shop: Shop) -> Page:
    """Returns what the example shop answers."""
    body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
    headers = {name.lower(): value for name, value in handler.headers.items()}
    answer = shop.answer(handler.command, handler.path, headers, body)
    return Page(answer.body, answer.status, answer.headers)


def test_the_examples_of_the_readme_and_the_commands_of_calls(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    corpus: Path,
) -> None:
    for module in ("a2a", "fastwarc", "mcp", "pyarrow", "trustme", "websockets"):
        pytest.importorskip(module)
    from mugs import mugs_serving

    monkeypatch.chdir(tmp_path)
    shutil.copy(SHOP_TXT, "agents.txt")
    shutil.copy(corpus, "crawl.warc.gz")
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (shell,) = (
        block
        for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
        if "agentsdisc check" in block
    )
    (calls,) = re.findall(
        r"```sh\n(.*?)```", (ROOT / "docs/calls.md").read_text("utf-8"), re.DOTALL
    )
    commands = [line.split("#")[0] for line in (shell + calls).splitlines()]
    mug_shop = Shop("https://mugs.example")
    with mugs_serving([], tmp_path, monkeypatch) as shop:
        server = shop.server
        server.hosts["registry.example"] = {}
        server.routes = {"/": lambda handler: handler.send(asked(handler, mug_shop))}
        exec(program, {})
        assert capsys.readouterr().out == "True allowed /basket\n"
        assert server.paths[-1] == "/api/search?q=mug"
        codes = {}
        for command in commands:
            name, *arguments = shlex.split(command)
            assert name == "agentsdisc"
            codes[command.strip()] = main(arguments)
    assert set(codes.values()) == {0}, codes
    assert Path("registry.db").stat().st_size > 0


def test_the_table_of_conversions() -> None:
    """The guide for site owners lists the conversions that there are, and no others."""
    text = (ROOT / "docs/site-owners.md").read_text(encoding="utf-8")
    table = text.split("| from | to |\n")[1].split("\n\n")[0]
    read = {name: is_json for name, is_read, is_json in agentsdisc.formats() if is_read}
    listed: dict[str, set[str]] = {name: set() for name in read}
    sources: set[str] = set()
    for row in table.splitlines()[1:]:
        named, targets = (
            re.findall(r"`([a-z0-9.-]+)`", x) for x in row.split("|")[1:3]
        )
        if row.startswith("| every format"):
            sources = set(read) - set(named)
        elif row.startswith("| the same"):
            sources -= set(named)
        else:
            sources = set(named)
        for name in sources:
            listed[name] |= set(targets) - {"json"}
    done: dict[str, set[str]] = {}
    for source, is_json in read.items():
        document = agentsdisc.parse("{}" if is_json else "", format=source)
        done[source] = set()
        for target in read:
            try:
                document.convert(target)
            except agentsdisc.ConvertError as error:
                # Not refused, but not supported; these documents have no capability.
                if not error.losses and "one capability" not in str(error):
                    continue
            done[source].add(target)
    assert listed == done


def test_every_name_of_the_c_library_in_the_guides_exists() -> None:
    headers = "".join(
        file.read_text(encoding="utf-8") for file in (ROOT / "include").glob("*.h*")
    )
    names = set(re.findall(r"\b(?:agd|AGD)_\w+", headers))
    assert len(names) > 500
    for page in (ROOT / "CHANGELOG.md", *PAGES):
        text = page.read_text(encoding="utf-8")
        # `AGD_STEP_*` means all names that begin so.
        for name in re.findall(r"\b(?:agd|AGD)_\w+\b(?!\*)", text):
            if not name.endswith("_"):
                assert name in names, f"{page.name}: {name}"


def test_no_page_installs_what_is_not_published() -> None:
    """Nothing is in a registry yet; with the first release, this test goes."""
    wrong = r"pip install '?agentsdisc|additional_dependencies: \[agentsdisc|rev: v\d|agentsdisc-core = (?:\"|\{ version)"
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        assert not re.search(wrong, page.read_text(encoding="utf-8")), page.name
