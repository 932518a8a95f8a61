"""Operating a server: configuration, metrics of several processes, readiness."""

import argparse
from pathlib import Path
from typing import Any

import pytest
from agentsdisc.cli import registry_serve
from agentsdisc.cli.reading import Unreadable
from agentsdisc.registry import open_store
from agentsdisc.registry.serve import Settings, app
from agentsdisc.registry.serve.metrics import Metrics
from starlette.testclient import TestClient


def configured(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    registry_serve.register(parser.add_subparsers(dest="subcommand"))
    options = parser.parse_args(["serve", *arguments])
    command = options.run.keywords["command"]
    return registry_serve.configured(options, command)


def test_configuration_by_file_environment_and_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "registry.toml"
    path.write_text(
        'store = "file.db"\nrate = 7.5\nport = 9000\nsubmissions = false\n'
        'proxy = ["10.0.0.1", "10.0.0.2"]\nallow-private = true\n'
    )
    monkeypatch.setenv("AGENTSDISC_REGISTRY_CONFIG", str(path))
    options = configured()
    assert (options.store, options.rate, options.port) == ("file.db", 7.5, 9000)
    assert options.submissions == "off" and options.allow_private is True
    assert options.proxy == ["10.0.0.1", "10.0.0.2"]
    monkeypatch.setenv("AGENTSDISC_REGISTRY_PORT", "9001")
    monkeypatch.setenv("AGENTSDISC_REGISTRY_PROXY", "10.0.0.3")
    options = configured("--rate", "3")
    assert (options.rate, options.port) == (3, 9001)
    assert options.proxy == ["10.0.0.3"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("store = 'a'\nunknown = 1", "unknown: there is no such option"),
        ("store = 'a'\nport = 'x'", "port"),
        ("store = 'a'\nworkers = 0", "from 1 to 64"),
        ("store = 'a'\nsubmissions = 'maybe'", "give one of on, off, signed"),
        ("store = 'a'\ncreate = 'maybe'", "true or false"),
        ("port = 1", "name a store"),
        ("[", "registry.toml"),
    ],
)
def test_a_wrong_configuration(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "registry.toml"
    path.write_text(text)
    with pytest.raises(Unreadable, match=said):
        configured("--config", str(path))


def test_one_scrape_has_the_counters_of_all_processes(tmp_path: Path) -> None:
    first, second = Metrics(1, str(tmp_path)), Metrics(2, str(tmp_path))
    first.request("discover", "GET", 200, 0.003)
    second.request("discover", "GET", 200, 0.3)
    second.event("kept_answers")
    second.keep()
    (tmp_path / "3.json").write_text('{"requests": [[1]]')
    lines = first.text({}).splitlines()
    labels = 'endpoint="discover",method="GET",status="200",process="{}"'
    for process in (1, 2):
        said = f"agentsdisc_registry_requests_total{{{labels.format(process)}}} 1"
        assert lines.count(said) == 1
    assert 'agentsdisc_registry_kept_answers_total{process="2"} 1' in lines
    # Each kind has one head, and its samples follow each other.
    heads = [line for line in lines if line.startswith("# TYPE")]
    assert len(heads) == len({*heads})


def test_a_process_is_alive_also_if_the_store_does_not_answer(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "registry.db"))
    with TestClient(app(store, Settings(submissions=False))) as client:
        assert client.get("/livez").status_code == 200
        assert client.get("/readyz").status_code == 200
        store.close()
        assert client.get("/livez").status_code == 200
        assert client.get("/readyz").status_code == 503


def test_without_a_model_the_words_are_searched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = str(tmp_path / "r.db")
    registry_serve._say_if_without_meaning(where, str(tmp_path))
    assert "searching by words only" in capsys.readouterr().err
    store: Any = object()
    assert registry_serve._with_meaning(store, where, str(tmp_path)) is store
