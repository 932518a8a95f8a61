"""The examples in the guides and in the package run and print the documented output."""

import doctest
import re
import types
from pathlib import Path

import agentsdisc
import pytest
from agentsdisc import _companion, _written
from conftest import ROOT


def test_the_guide() -> None:
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "python.md", None, 0)
    assert len(test.examples) > 20
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0


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
