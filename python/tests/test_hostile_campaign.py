"""The hostile campaign (`python/hostile.py`) finds faults that are put into the reading."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agentsdisc.cli import archives, table, tables
from agentsdisc.cli.items import Documents
from conftest import ROOT

pa = pytest.importorskip("pyarrow")
pytest.importorskip("fastwarc.stream_io")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory")


@pytest.fixture
def campaign(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    import hostile

    return hostile


def faults(campaign: Any, folder: Path, name: str, seeds: range) -> Iterator[str]:
    """Yields what is wrong with the cases of these seeds."""
    make = campaign.CAMPAIGNS[name]
    for seed in seeds:
        why = campaign.failure(make(random.Random(seed)), folder, seed)
        if why is not None:
            yield why


def test_no_case_of_a_few_fails(campaign: Any, tmp_path: Path) -> None:
    for name in campaign.CAMPAIGNS:
        assert next(faults(campaign, tmp_path, name, range(3)), None) is None


def losing_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = tables._pieces

    def fewer(part: Any) -> Iterator[Any]:
        yield from pieces(part.slice(0, max(part.num_rows - 2, 0)))

    monkeypatch.setattr(tables, "_pieces", fewer)


def shifting_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = table.Maker._parsed

    def shifted(self: table.Maker, bodies: Any, urls: Any) -> Any:
        found = pa.array(bodies).to_pylist() if isinstance(bodies, list) else bodies
        found = found if isinstance(found, list) else found.to_pylist()
        return parsed(self, found[1:] + found[:1], urls)

    monkeypatch.setattr(table.Maker, "_parsed", shifted)


def silent_losses(monkeypatch: pytest.MonkeyPatch) -> None:
    read = archives.records

    def silent(*given: Any, **more: Any) -> Iterator[Documents]:
        for part in read(*given, **more):
            kept = Documents(passed=part.passed, consumed=part.consumed)
            for at in set(range(part.count)) - part.lost:
                kept.add(
                    part.sources[at],
                    part.urls[at],
                    part.bodies[at] or b"",
                    part.sizes[at],
                    part.problems.get(at),
                    is_recovered=at in part.recovered,
                )
            yield kept

    monkeypatch.setattr(archives, "records", silent)


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        *((losing_rows, name) for name in ("Arrow", "Parquet")),
        *((shifting_bodies, name) for name in ("Arrow", "Parquet", "WARC.gz")),
        *((silent_losses, name) for name in ("WARC.gz", "WARC.gz of one member")),
    ],
)
def test_a_fault_is_found(
    campaign: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: Any,
    name: str,
) -> None:
    fault(monkeypatch)
    assert next(faults(campaign, tmp_path, name, range(12)), None) is not None


def test_nothing_to_measure_is_a_failure(campaign: Any, tmp_path: Path) -> None:
    count, failures = campaign.growth(tmp_path / "nowhere")
    assert count == 0 and failures


TXT = "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n"
CAPABILITY = "Capability: c{}\n  Endpoint: https://a.example/c{}\n  Protocol: REST\n"


def documents_of_sizes(folder: Path, sizes: tuple[int, ...]) -> None:
    """Writes documents of a list in sizes in KB, as the core's tests write them."""
    place = folder / "agents-txt" / "capabilities"
    place.mkdir(parents=True)
    for size in sizes:
        items = (CAPABILITY.format(n, n) for n in range(size * 1024 // 60))
        (place / str(size)).write_text(TXT + "".join(items))


def test_every_output_is_measured(
    campaign: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "SIZES", (1, 2))
    monkeypatch.setattr(campaign, "TARGETS", {})
    documents_of_sizes(tmp_path, (1, 2))
    assert campaign.growth(tmp_path) == (len(campaign.OPERATIONS), [])


@pytest.mark.parametrize(
    ("name", "place", "called"),
    [
        ("outputs of a site", "discover", "lines"),
        ("outputs of a site", "offering", "lines"),
        ("output of call and mcp", "calling", "show_answer"),
        ("registry", "pages", "_lines"),
    ],
)
def test_an_output_that_takes_quadratic_time_is_found(
    campaign: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    place: str,
    called: str,
) -> None:
    size = 0

    def slow(*_: Any) -> Any:
        sum(range(size * size // 4))
        return ([], 0) if place == "pages" else ()

    def remembering(document: Any, data: bytes) -> object:
        nonlocal size
        size = len(data)
        return operation(document, data)

    operation = campaign.OPERATIONS[name]
    monkeypatch.setattr(getattr(campaign.outputs, place), called, slow)
    monkeypatch.setattr(campaign, "OPERATIONS", {name: remembering})
    monkeypatch.setattr(campaign, "SIZES", (1, 10))
    monkeypatch.setattr(campaign, "TARGETS", {})
    documents_of_sizes(tmp_path, (1, 10))
    _, (failure,) = campaign.growth(tmp_path)
    assert f"capabilities: {name} of 10 KB takes" in failure
