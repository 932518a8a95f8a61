"""The hostile campaign (`python/hostile.py`) finds faults that are put into the reading."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agentsdisc.cli import table, tables, warc
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
    def settle(self: Any, place: str | None) -> None:
        self._loss = None

    monkeypatch.setattr(warc._Archive, "_settle", settle)


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
