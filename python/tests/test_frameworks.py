"""The recipes of docs/frameworks.md run as they stand there, and Scrapy's own tests pass with our parser of robots.txt.

`cargo xtask test --long` runs them with the packages of requirements-frameworks.txt, in an environment of their own.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shop as shops
from agentsdisc import discover
from agentsdisc.discovery import transport
from conftest import ROOT
from names import Here, certified, published
from server import Page, Server, serving
from shop import Shop

PAGE = (ROOT / "docs/frameworks.md").read_text(encoding="utf-8")
SECTIONS = {
    title: re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    for title, section in re.findall(
        r"^#+ ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE
    )
}
(BEGINNING,) = SECTIONS["Agent frameworks, and Scrapy"]

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"q": "blue"}),
    ("search", {"size": 1}),
    ("order", {"sku": "m1"}),
    ("cancel", {"order_id": "o1"}),
]
"""What the scripted model asks for, one call after the other."""
LAST = "There is one blue mug."


class Script:
    """A model that makes the calls, and then answers. Records what the framework gives it."""

    def __init__(self) -> None:
        self.tools: dict[str, tuple[str, dict[str, Any]]] = {}
        self.prompt = ""
        self.results: list[str] = []

    def next(self) -> tuple[str, dict[str, Any]] | None:
        """Returns the next call; None for the answer."""
        done = len(self.results)
        return CALLS[done] if done < len(CALLS) else None


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    _, context = certified(tmp_path, monkeypatch)
    with serving(context) as server:
        site = "https://mugs.example"
        published(server, [(f"{site}/agent.json", "json", shops.awp(site))])
        monkeypatch.setattr(transport, "_Network", Here(server.port, {}))
        yield Shop(server)


def checked(
    title: str,
    script: Script,
    model: Any,
    shop: Shop,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Runs a recipe, and checks what the model, the person and the shop were asked."""
    asked: list[str] = []
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or "yes")
    (recipe,) = SECTIONS[title]
    # Classes of pydantic look up the module in which they are made.
    made: dict[str, Any] = {"__name__": "__main__", "model": model}
    exec(BEGINNING, made)
    exec(recipe, made)
    assert capsys.readouterr().out.strip() == LAST
    assert {*script.tools} == {"search", "order", "cancel", "report"}
    site = discover("https://mugs.example", cache=False)
    for name, tool in site.tools(agent="MugBot/1.0").by_name.items():
        description, schema = script.tools[name]
        assert description == tool.description
        assert schema in (tool.schema, tool.strict)
    assert site.summary(agent="MugBot/1.0") in script.prompt
    found, wrong, unpaid, cancelled = map(json.loads, script.results)
    assert found["items"][0]["name"] == "blue mug"
    assert (wrong["error"], wrong["argument"]) == ("CallRefused", "size")
    assert unpaid["error"] == "CredentialsNeeded"
    assert cancelled == {"cancelled": "o1"}
    (question,) = asked
    assert "cancel" in question and "o1" in question
    assert shop.kinds == ["GET /api/search", "POST /api/cancel"]
    assert all(a["headers"]["user-agent"] == "MugBot/1.0" for a in shop.asked)


def test_langchain(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("langchain")
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langchain_core.utils.function_calling import convert_to_openai_tool

    script = Script()

    class Model(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "scripted"

        def bind_tools(self, tools: Any, **_: Any) -> Any:
            for each in tools:
                said = convert_to_openai_tool(each)["function"]
                schema = each.args_schema
                script.tools[said["name"]] = said["description"], schema
                assert {*said["parameters"]["properties"]} == {*schema["properties"]}
            return self

        def _generate(self, messages: Any, *_: Any, **__: Any) -> ChatResult:
            script.prompt = messages[0].text
            script.results = [m.text for m in messages if m.type == "tool"]
            match script.next():
                case None:
                    said = AIMessage(LAST)
                case name, arguments:
                    call = {"name": name, "args": arguments, "id": f"c{len(messages)}"}
                    said = AIMessage("", tool_calls=[call])
            return ChatResult(generations=[ChatGeneration(message=said)])

    checked("LangChain", script, Model(), shop, monkeypatch, capsys)


def test_the_agents_sdk_of_openai(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("agents")
    from agents import Model, ModelResponse, Usage, set_tracing_disabled
    from openai.types.responses import (
        ResponseFunctionToolCall,
        ResponseOutputMessage,
        ResponseOutputText,
    )

    set_tracing_disabled(True)
    script = Script()

    class Scripted(Model):
        async def get_response(
            self, system_instructions: Any, input: Any, *, tools: Any, **_: Any
        ) -> ModelResponse:
            script.prompt = system_instructions
            for each in tools:
                script.tools[each.name] = each.description, each.params_json_schema
            kind = "function_call_output"
            given = [] if isinstance(input, str) else input
            script.results = [i["output"] for i in given if i.get("type") == kind]
            said: Any
            match script.next():
                case None:
                    text = ResponseOutputText(
                        text=LAST, type="output_text", annotations=[]
                    )
                    said = ResponseOutputMessage(
                        id="m",
                        content=[text],
                        role="assistant",
                        status="completed",
                        type="message",
                    )
                case name, arguments:
                    said = ResponseFunctionToolCall(
                        name=name,
                        arguments=json.dumps(arguments),
                        call_id=f"c{len(script.results)}",
                        type="function_call",
                    )
            return ModelResponse(output=[said], usage=Usage(), response_id=None)

        def stream_response(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    checked("OpenAI Agents SDK", script, Scripted(), shop, monkeypatch, capsys)


def test_pydantic_ai(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    script = Script()

    def answer(messages: Any, info: AgentInfo) -> ModelResponse:
        script.prompt = info.instructions or ""
        for each in info.function_tools:
            script.tools[each.name] = (
                each.description or "",
                each.parameters_json_schema,
            )
        parts = [part for message in messages for part in message.parts]
        script.results = [p.content for p in parts if p.part_kind == "tool-return"]
        match script.next():
            case None:
                return ModelResponse([TextPart(LAST)])
            case name, arguments:
                return ModelResponse([ToolCallPart(name, arguments)])

    checked("Pydantic AI", script, FunctionModel(answer), shop, monkeypatch, capsys)


def test_llama_index(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
    from llama_index.core.llms.mock import MockFunctionCallingLLM

    script = Script()

    def answer(messages: Any, tools: Any = (), **_: Any) -> Any:
        script.prompt = messages[0].content
        for each in tools:
            said = each.metadata.to_openai_tool()["function"]
            script.tools[said["name"]] = said["description"], said["parameters"]
        script.results = [m.content for m in messages if m.role == "tool"]
        match script.next():
            case None:
                said = ChatMessage(role="assistant", content=LAST)
            case name, arguments:
                call = ToolCallBlock(
                    tool_call_id=f"c{len(messages)}",
                    tool_name=name,
                    tool_kwargs=arguments,
                )
                said = ChatMessage(role="assistant", blocks=[call])
        return said

    model = MockFunctionCallingLLM(response_generator=answer)
    checked("LlamaIndex", script, model, shop, monkeypatch, capsys)


ROBOTS = """\
User-agent: *
Disallow: /

User-agent: MugBot
Content-Usage: train-ai=y
Content-Usage: /art train-ai=n
Disallow: /private
Crawl-delay: 0.1
"""


def test_a_crawl_of_scrapy(server: Server, tmp_path: Path) -> None:
    pytest.importorskip("scrapy")
    html = {"Content-Type": "text/html"}
    links = "".join(
        f"<a href={each}>x</a>" for each in ("mugs", "art", "help", "private")
    )
    server.pages = {
        "/robots.txt": Page(ROBOTS),
        "/": Page(links, headers=html),
        "/mugs": Page("Mugs.", headers=html),
        "/art": Page("Art.", headers=html),
        "/help": Page("Help.", headers={**html, "Content-Usage": "train-ai=n"}),
        "/private": Page("Not for robots.", headers=html),
    }
    (spider,) = SECTIONS["Scrapy"]
    spider = spider.replace("http://127.0.0.1:8000/", f"{server.url}/")
    run = """
from scrapy.crawler import CrawlerProcess

process = CrawlerProcess({"FEEDS": {"pages.json": {"format": "json"}}})
process.crawl(Pages)
process.start()
"""
    (tmp_path / "crawl.py").write_text(BEGINNING + spider + run, encoding="utf-8")
    subprocess.run([sys.executable, "crawl.py"], cwd=tmp_path, check=True)
    items = json.loads((tmp_path / "pages.json").read_text(encoding="utf-8"))
    assert {each["url"] for each in items} == {f"{server.url}/", f"{server.url}/mugs"}
    asked = [path for _, path in server.asked]
    assert asked[:2] == ["/robots.txt", "/"]
    assert sorted(asked[2:]) == ["/art", "/help", "/mugs"]


def test_the_parser_for_scrapy() -> None:
    pytest.importorskip("scrapy")
    from agentsdisc.scrapy import RobotParser
    from scrapy.robotstxt import RobotParser as Interface

    parser = RobotParser.from_crawler(None, ROBOTS.encode())
    assert isinstance(parser, Interface)
    for agent in ("MugBot", b"MugBot/1.0", "Mozilla/5.0 (compatible; MugBot/1.0)"):
        assert parser.allowed(b"https://a.example/m\xc3\xbcgs", agent)
        assert not parser.allowed("https://a.example/private/x", agent)
        assert parser.crawl_delay(agent) == 0.1
    assert not parser.allowed("https://a.example/", "OtherBot")
    assert parser.crawl_delay("OtherBot") is None
    uses = [
        parser.preference(f"https://a.example{path}", "MugBot", "train-ai", **more)
        for path, more in (
            ("/mugs", {}),
            ("/art", {}),
            ("/mugs", {"content_usage": b"train-ai=n"}),
            ("/private", {}),
        )
    ]
    assert [use.preference for use in uses] == [
        "allow",
        "disallow",
        "disallow",
        "not-stated",
    ]
    assert not uses[3].crawlable


def test_scrapys_own_tests_for_parsers(tmp_path: Path) -> None:
    scrapy = pytest.importorskip("scrapy")
    if "AGENTSDISC_SCRAPY" not in os.environ:
        pytest.skip("AGENTSDISC_SCRAPY names the folder with Scrapy's source package")
    name = f"scrapy-{scrapy.__version__}"
    with tarfile.open(
        Path(os.environ["AGENTSDISC_SCRAPY"], f"{name}.tar.gz")
    ) as source:
        source.extractall(tmp_path, filter="data")
    (tmp_path / "test_ours.py").write_text(
        """
import pytest
from agentsdisc.scrapy import RobotParser
from tests.test_robotstxt_interface import BaseRobotParserTest


class TestOurs(BaseRobotParserTest):
    def setup_method(self):
        self._setUp(RobotParser)

    def test_order_based_precedence(self):
        pytest.skip("by RFC 9309, the longest match decides")
""",
        encoding="utf-8",
    )
    program = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "test_ours.py"]
    path = os.pathsep.join([str(tmp_path / name), *filter(None, sys.path)])
    done = subprocess.run(
        program,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"^[8-9]\d* passed, 1 skipped", done.stdout, re.MULTILINE)


def test_the_package_imports_no_framework() -> None:
    pytest.importorskip("scrapy")
    code = "import sys, agentsdisc, agentsdisc.calls; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    loaded = set(done.stdout.split())
    assert "agentsdisc" in loaded
    assert not loaded & {"scrapy", "langchain_core", "agents", "pydantic_ai", "twisted"}
