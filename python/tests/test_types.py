"""The type stub and its documentation. The step `python-types` compares it with the module, and checks the types of the package."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import agentsdisc
import pytest
from agentsdisc import _agentsdisc

PACKAGE = Path(agentsdisc.__file__).parent
STUB = ast.parse((PACKAGE / "_agentsdisc.pyi").read_text(encoding="utf-8"))

POLICY = ast.parse((PACKAGE / "_policy.py").read_text(encoding="utf-8"))


def stubbed() -> dict[str, set[str]]:
    """Returns the names in the stub, including the members of classes."""
    names: dict[str, set[str]] = {}
    for node in STUB.body:
        if isinstance(node, ast.ClassDef):
            names[node.name] = {
                inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)
            } | {
                inner.target.id
                for inner in node.body
                if isinstance(inner, ast.AnnAssign)
                and isinstance(inner.target, ast.Name)
            }
        elif isinstance(node, ast.FunctionDef):
            names[node.name] = set()
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names[node.target.id] = set()
    return names


def test_every_public_name_is_in_the_stub() -> None:
    names = stubbed()
    for name in _agentsdisc.__all__:
        assert name in names
        thing = getattr(_agentsdisc, name)
        if isinstance(thing, type) and not issubclass(thing, Exception):
            public = {n for n in vars(thing) if not n.startswith("_")}
            assert public == {n for n in names[name] if not n.startswith("_")}, name


def test_the_package_exports_all_names_of_the_module() -> None:
    internal = {
        "batch_json_lines",
        "batch_of",
        "fitting_rows",
        "host_relation",
        "json_lines",
        "masked",
    }
    module = {name for name in _agentsdisc.__all__ if not name.startswith("_")}
    # These types are implemented in Python.
    own = {node.name for node in POLICY.body if isinstance(node, ast.ClassDef)} - {
        "Case"
    }
    own |= {
        "Converted",
        "Difference",
        "Differences",
        "Fixed",
        "Request",
        "TypeExpr",
        "fix",
        "decide",
        "capabilities",
        "Offer",
        "tools",
        "Tool",
        "ToolResult",
        "Tools",
        "differences",
        "discover",
        "adiscover",
        "check_site",
        "acheck_site",
        "search",
        "asearch",
        "FoundCapability",
        "FoundService",
        "FoundServices",
        "__version__",
    }
    assert set(agentsdisc.__all__) == (module - internal) | own
    assert all(hasattr(agentsdisc, name) for name in own)
    assert not hasattr(agentsdisc, "undiscover")
    assert agentsdisc.__version__ == _agentsdisc.__version__


def test_everything_is_documented() -> None:
    for name in agentsdisc.__all__:
        if name == "__version__":
            continue
        thing = getattr(agentsdisc, name)
        assert inspect.getdoc(thing), name
        if isinstance(thing, type):
            fields = getattr(thing, "__dataclass_fields__", {})
            for inner, value in vars(thing).items():
                if not inner.startswith("_") and inner not in fields:
                    assert inspect.getdoc(value), f"{name}.{inner}"


def test_every_field_is_documented() -> None:
    classes = [node for node in POLICY.body if isinstance(node, ast.ClassDef)]
    assert len(classes) > 4
    for node in classes:
        for member, behind in zip(node.body, node.body[1:], strict=False):
            if isinstance(member, ast.AnnAssign):
                name = ast.unparse(member.target)
                documented = isinstance(behind, ast.Expr)
                assert documented or name.startswith("_"), f"{node.name}.{name}"


def test_the_import_loads_no_heavy_module() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules); "
        "import agentsdisc; print(*(set(sys.modules) - before))"
    )
    command = [sys.executable, "-I", "-S", "-c", script, str(PACKAGE.parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if "agentsdisc" not in name}
    assert not loaded & {"dataclasses", "enum", "inspect", "json", "re", "typing"}
    assert len(loaded) < 5, loaded


def test_lazy_names_keep_their_identity() -> None:
    script = (
        "import pickle, agentsdisc; from agentsdisc import *; "
        "d = agentsdisc.parse('Spec-Version: 1.0\\nSite-Name: a\\n', format='agents-txt')"
        ".decide(agent='Bot', url='/'); "
        "assert pickle.loads(pickle.dumps(d.auth)) == d.auth; "
        "assert type(d) is Decision is agentsdisc.Decision; "
        "assert set(agentsdisc.__all__) <= set(dir(agentsdisc)); "
        "assert all(getattr(agentsdisc, n) is not None for n in agentsdisc.__all__)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        agentsdisc.nothing  # type: ignore[attr-defined]  # noqa: B018
