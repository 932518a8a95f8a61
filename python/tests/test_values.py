"""Value types: comparison, pickling, copying and invalid arguments."""

import copy
import math
import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc.discovery import Timeouts
from conftest import Run

TXT = """\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: http://mugs.example
Capability: search
  Endpoint: http://mugs.example/search
  Protocol: REST
  Rate-Limit: 5/minute
Disallow: /x
Agent: Bot
  Capabilities: search
"""
ROBOTS = "User-agent: *\nDisallow: /x\nSitemap: https://a.example/s\n"
SEARCH = '{"success": true, "query": "mugs", "result_count": 1, "data": [{"service": {"name": "M", "domain": "m.example", "base_url": "https://m.example"}, "matching_capabilities": [{"name": "a", "detail_url": "/a"}]}]}'
HALF = "\udcff"
"""The byte FF in a file name, as Python represents it."""


def refused() -> agentsdisc.ConvertError:
    data = '{"specVersion":"1.0","site":{"name":"a"},"capabilities":[],"agents":[{"agent":"x","capabilities":5}]}'
    with pytest.raises(agentsdisc.ConvertError) as caught:
        agentsdisc.parse(data).convert("agents-txt")
    assert caught.value.losses
    return caught.value


def found() -> list[Any]:
    """Returns one result of each type for a document."""
    robots = agentsdisc.RobotsTxt(ROBOTS)
    lossy = '{"specVersion": "1.0", "x": 5}'
    converted = agentsdisc.parse(lossy, format="agents-json").convert("agents-txt")
    fixed = agentsdisc.fix("site-name:M", format="agents-txt")
    return [
        *agentsdisc.parse(TXT).check(),
        *converted.losses,
        *fixed.changes,
        robots.decide("Bot", "/x"),
        robots.decide("Bot", "/x").rule,
        robots.decide("Bot", "/y"),
        robots.decide("Bot", "/robots.txt"),
        agentsdisc.RobotsTxt("").decide("Bot", "/"),
    ]


def test_findings_are_equal_hashed_and_pickled_by_value() -> None:
    values = found()
    assert len({type(value) for value in values}) == 5
    for value, again in zip(values, found(), strict=True):
        for other in (
            again,
            pickle.loads(pickle.dumps(value)),
            copy.copy(value),
            copy.deepcopy(value),
        ):
            assert other == value and hash(other) == hash(value)
            assert repr(other) == repr(value)
    assert len(set(values)) == len(values)
    assert values[0] != 5


def test_attributes_of_bytes_and_errors_are_pickled() -> None:
    lossy = '{"specVersion": "1.0", "x": 5}'
    converted = agentsdisc.parse(lossy, format="agents-json").convert("agents-txt")
    again = pickle.loads(pickle.dumps(converted))
    assert (again, again.losses) == (converted, converted.losses) and again.losses
    fixed = agentsdisc.fix("site-name:M", format="agents-txt")
    assert pickle.loads(pickle.dumps(fixed)).changes == fixed.changes != ()
    error = refused()
    assert pickle.loads(pickle.dumps(error)).losses == error.losses


def checked(data: str) -> list[agentsdisc.Diagnostic]:
    return agentsdisc.parse(data).check()


def convert(data: str) -> bytes:
    return agentsdisc.parse(data).convert("ai-catalog")


def test_other_processes_give_findings_back() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(checked, TXT).result(120) == checked(TXT)
        with pytest.raises(agentsdisc.ConvertError, match="ai-catalog"):
            pool.submit(convert, TXT).result(120)


def test_a_pickle_that_names_no_class_is_refused() -> None:
    from agentsdisc._agentsdisc import _restored

    with pytest.raises(ValueError, match="not a class of these pickles"):
        _restored("os.system", ())
    with pytest.raises(TypeError):
        _restored("Change", (5, "a", None))


def test_parts_of_a_document_are_copies_of_themselves() -> None:
    document = agentsdisc.parse(TXT)
    search = agentsdisc.parse(SEARCH, format="adp-search").search
    robots = agentsdisc.parse(ROBOTS, format="robots-txt").robots
    hints = agentsdisc.parse(
        '{"awp_version":"0.2","domain":"a.example","intent":"x","actions":[],"agent_hints":{"a":"b"}}'
    ).hints
    assert search is not None and robots is not None and hints
    for part in (
        document,
        document.capabilities,
        document.capabilities[0],
        document.capabilities[0].rate_limits[0],
        document.service,
        document.access,
        document.agents[0],
        search,
        search.results[0],
        robots,
        robots.groups[0],
        hints[0],
    ):
        assert copy.copy(part) is part
        assert copy.deepcopy({"part": part})["part"] is part


def test_an_index_beyond_all_integers_is_out_of_range() -> None:
    capabilities = agentsdisc.parse(TXT).capabilities
    for index in (1, -2, 2**70, -(2**70)):
        with pytest.raises(IndexError):
            capabilities[index]


# Arguments


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"agent": 5}, "agent must be str, not int"),
        ({"agent": None}, "agent must be str, not NoneType"),
        ({"agent": b"Bot"}, "agent must be str, not bytes"),
        ({"url": b"/"}, "url must be str, not bytes"),
        ({"url": None, "capability": 5}, "capability must be str, not int"),
        ({"method": 5}, "method must be str, not int"),
        ({"origin": Path("/")}, r"origin must be str, not \w*Path"),
        ({"robots": 5}, 'robots must be RobotsTxt, "absent", "unreachable" or None, '),
        ({"approved": ["x", 5]}, r"approved\[1\] must be str, not int"),
        ({"approved": "x"}, "approved must be several texts, not one str"),
    ],
)
def test_decide_names_arguments_of_wrong_types(
    change: dict[str, Any], said: str
) -> None:
    options = {"agent": "Bot", "url": "/x", **change}
    document = agentsdisc.parse(TXT)
    for decide in (document.decide, lambda **more: agentsdisc.decide([], **more)):
        with pytest.raises(TypeError, match=said):
            decide(**options)
    for documents in ([document, TXT], TXT):
        with pytest.raises(TypeError, match=r"documents\[\d\] must be Document"):
            agentsdisc.decide(documents, agent="Bot", url="/x")  # type: ignore[arg-type]


def test_unpaired_surrogates_are_invalid_in_urls_and_names() -> None:
    """A client could send a request that differs from the decided one, so nothing is allowed."""
    document = agentsdisc.parse(TXT + "Allow: /\n")
    assert document.decide(agent="Bot", url="/a").allowed

    def reason(**options: str) -> str:
        decision = document.decide(**{"agent": "Bot", **options})
        assert not decision.allowed
        return decision.reason

    assert reason(url=f"/a{HALF}") == "invalid-url"
    assert reason(url="/a", origin=f"http://mugs.example{HALF}") == "invalid-url"
    assert reason(url="/a", method=f"GET{HALF}") == "invalid-method"
    assert reason(capability=f"search{HALF}") == "unknown-capability"
    assert reason(agent=f"Bot/1.0 {HALF}", url="/a") == "invalid-agent"
    decision = document.decide(agent="Bot", url="/a", approved=[HALF])
    assert decision.allowed


def test_nothing_approved_of_may_be_said_by_none() -> None:
    document = agentsdisc.parse(TXT)
    for approved in (None, (), [], iter(())):
        asked: dict[str, Any] = {"agent": "Bot", "url": "/x", "approved": approved}
        assert agentsdisc.decide([document], **asked) == document.decide(**asked)


def test_half_surrogate_pairs_are_poor_hints_but_no_errors() -> None:
    robots = f"https://a.example/{HALF}/robots.txt"
    assert agentsdisc.detect(ROBOTS, url=robots, content_type=HALF) == "robots-txt"
    assert agentsdisc.detect_evidence("x: y\n", url=HALF)["format"] == "unknown"
    document = agentsdisc.parse(TXT, url=HALF, content_type=HALF)
    assert document.format == "agents-txt"
    with pytest.raises(ValueError, match="not a format that can be parsed"):
        agentsdisc.parse(TXT, format=HALF)
    with pytest.raises(agentsdisc.ConvertError, match="cannot be converted to"):
        document.convert(HALF)


@pytest.mark.parametrize("origin", ["", "mugs.example", "//mugs.example", "/", HALF])
def test_an_invalid_origin_is_an_error(origin: str, run: Run) -> None:
    """An invalid origin is rejected: it would disable the origin check, and a conversion would write it unchanged."""
    document = agentsdisc.parse(TXT)
    for ask in (
        lambda: document.check(origin),
        lambda: document.convert("agents-json", origin=origin),
        lambda: document.convert("json", origin=origin),
    ):
        with pytest.raises(ValueError, match="origin must be a URL such as"):
            ask()
    for command in (["lint"], ["convert", "--to", "agents-json"]):
        done = run(*command, "-", "--origin", origin, input=TXT.encode(), check=2)
        assert "origin must be a URL" in done.stderr
    codes = {found.code for found in document.check("https://cups.example/agents.txt")}
    assert "origin-mismatch" in codes


def test_which_of_many_bodies_is_of_a_wrong_type() -> None:
    with pytest.raises(TypeError, match=r"bodies\[2\] must be bytes, .* not int"):
        agentsdisc.parse_batch([TXT, None, 5])  # type: ignore[list-item]


@pytest.mark.parametrize("name", ["user_agent", "timeouts", "limits"])
def test_discover_names_arguments_of_wrong_types(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} must be "):
        agentsdisc.discover("https://a.example", **{name: 5})
    with pytest.raises(TypeError, match=f"{name} must be "):
        agentsdisc.serving.check("https://a.example", **{name: 5})
    with pytest.raises(TypeError, match="url must be str, not NoneType"):
        agentsdisc.discover(None)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
def test_files_whose_names_are_not_utf_8_are_read(run: Run, tmp_path: Path) -> None:
    name = os.fsdecode(b"a\xff.txt")
    (tmp_path / name).write_text(TXT)
    run("parse", name, check=0)
    assert "Mugs" in run("inspect", name, check=0).stdout
    run("lint", name, check=1)
    run("convert", name, "--to", "agents-json", check=0)
    done = run("decide", name, "--agent", "Bot", "--url", f"/{HALF}", check=1)
    assert "invalid-url" in done.stdout
    for option in ("--name", "--description", "--disallow"):
        given = {"--name": "M", "--url": "https://a.example", option: HALF}
        flat = [word for pair in given.items() for word in pair]
        done = run("init", *flat, check=2)
        assert f"{option}: '\\\\udcff' is not UTF-8" in done.stderr


@pytest.mark.parametrize("name", ["connect", "read", "request", "total"])
def test_times_that_are_none_are_refused(name: str) -> None:
    for seconds in (0, -1, -math.inf, math.nan):
        with pytest.raises(ValueError, match=f"{name} must be more than 0 s"):
            Timeouts(**{name: seconds})
    for seconds in (None, "5", True):
        with pytest.raises(TypeError, match=f"{name} must be a number of seconds"):
            Timeouts(**{name: seconds})  # type: ignore[arg-type]
    assert getattr(Timeouts(**{name: math.inf}), name) == math.inf


def test_one_text_is_not_several() -> None:
    from agentsdisc.ray import Parse
    from agentsdisc.spark import parse

    with pytest.raises(TypeError, match="resources must be several texts"):
        agentsdisc.discover("https://a.example", resources="agents-json")
    for name in ("columns", "keep"):
        with pytest.raises(TypeError, match=f"{name} must be several texts"):
            Parse(**{name: "url"})
    with pytest.raises(TypeError, match="keep must be several texts"):
        parse(None, keep="url")


def test_lazy_names_are_visible_at_once() -> None:
    assert set(agentsdisc.__all__) <= set(dir(agentsdisc))
    modules = {"discovery", "mcp", "serving"}
    assert modules <= set(dir(agentsdisc))
    program = (
        "import agentsdisc\n"
        "assert agentsdisc.serving.check and agentsdisc.discovery.Site\n"
        "assert not hasattr(agentsdisc, 'nothing')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_credentials_are_masked_in_text_for_people() -> None:
    from agentsdisc._agentsdisc import masked

    key = "ghp_" + "q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA"
    assert masked(f"use {key}, or é") == "use ghp_…, or é"
    assert masked("https://user:w8t3r@e.test/") == "https://user:…@e.test/"
    assert (
        masked("AKIAIOSFODNN7EXAMPLE and YOUR_API_KEY")
        == "AKIAIOSFODNN7EXAMPLE and YOUR_API_KEY"
    )
