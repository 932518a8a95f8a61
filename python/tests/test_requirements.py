"""The packages that build and check the wheel: every file of requirements has the versions of the `.in` file beside it, and hashes."""

import re
from pathlib import Path

import pytest

PYTHON = Path(__file__).parents[1]
NAMES = sorted(path.stem for path in PYTHON.glob("requirements-*.in"))


def pinned(text: str) -> dict[str, str]:
    """Returns the version of each package; for those of several, of the last."""
    found = re.findall(r"^([\w.-]+)(?:\[[^]]*\])?==([^\s;]+)", text, re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in found}


def test_there_are_requirements() -> None:
    kinds = [name.removeprefix("requirements-") for name in NAMES]
    assert kinds == ["build", "dev", "docs", "engines", "frameworks", "release"]


@pytest.mark.parametrize("name", NAMES)
def test_requirements_are_locked(name: str) -> None:
    wanted = pinned((PYTHON / f"{name}.in").read_text())
    text = (PYTHON / f"{name}.txt").read_text()
    assert wanted and wanted.items() <= pinned(text).items(), "cargo xtask requirements"
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE))
    for line in lines.splitlines():
        # No other index, no file without a hash.
        assert re.fullmatch(
            r"[\w.-]+==[^\s;]+( ; [^#]*?)?( *--hash=sha256:[0-9a-f]{64})+", line
        )


def test_the_release_builds_with_a_maturin_whose_hash_is_compared() -> None:
    workflow = (PYTHON.parent / ".github" / "workflows" / "release.yml").read_text()
    assert "maturin" in pinned((PYTHON / "requirements-build.txt").read_text())
    # The action of maturin takes a file of its release, whose hash nobody compares.
    assert "maturin-action@" not in workflow
    assert workflow.count("maturin build ") == workflow.count("maturin sdist ") + 1
    installed = workflow.count("--require-hashes -r python/requirements-build.txt")
    assert installed == len(re.findall(r"maturin (?:build|sdist) ", workflow))
    # What pip downloads has a hash; a wheel that was built here has no dependencies.
    for line in re.findall(r"pip install (.*)", workflow):
        assert line.startswith(("--require-hashes -r ", "--no-deps dist/")), line
