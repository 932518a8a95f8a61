"""Hostile and damaged documents yield a result or a clear error in a short time."""

import time

import agentsdisc
import pytest
from conftest import SHOP_JSON, SHOP_TXT, Run

LARGE = agentsdisc.Limits(document=64 << 20)


def read_all(data: bytes, **options: object) -> None:
    """Reads all values, or checks that the ParseError has a position."""
    try:
        document = agentsdisc.parse(data, **options)  # type: ignore[arg-type]
    except agentsdisc.ParseError as error:
        assert error.kind and error.line >= 1 and error.column >= 1
        assert 0 <= error.offset <= max(len(data), 1 << 20)
        return
    assert document.to_dict()["format"] == document.format
    repr(list(document.capabilities))
    document.check()


@pytest.mark.parametrize("path", [SHOP_TXT, SHOP_JSON], ids=lambda path: path.name)
def test_documents_cut_at_every_byte(path: object) -> None:
    data = path.read_bytes()  # type: ignore[attr-defined]
    for end in range(len(data)):
        read_all(data[:end])
        agentsdisc.detect(data[:end])


def test_documents_with_one_odd_byte_everywhere() -> None:
    data = SHOP_TXT.read_bytes()
    for at in range(0, len(data), 7):
        for byte in (0, 0x0D, 0x22, 0x5C, 0x80, 0xFF):
            read_all(data[:at] + bytes([byte]) + data[at + 1 :], format="agents-txt")


def test_wrong_types_everywhere() -> None:
    members = [
        "specVersion",
        "site",
        "capabilities",
        "access",
        "agents",
        "metadata",
        "generatedAt",
        "operatesOn",
    ]
    for member in members:
        for value in (
            "null",
            "1",
            "-1.5e3",
            '"x"',
            "true",
            "[]",
            "{}",
            "[[[1]]]",
            '[{"id":[]},1]',
        ):
            read_all(f'{{"{member}":{value}}}'.encode(), format="agents-json")
    for value in ("null", "1", '"x"', "[]", '{"type":1}', "[{}]"):
        for field in ("id", "endpoint", "auth", "rateLimit", "parameters", "scopes"):
            read_all(
                f'{{"capabilities":[{{"{field}":{value}}}]}}'.encode(),
                format="agents-json",
            )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 1000,
        b"\xef\xbb\xbf",
        b"\xff\xfe{\0}\0",
        b"\xed\xa0\x80",
        b"\r" * 1000,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'"' + b"\\" * 100_000,
        b"{" + b'"a":1,' * 50_000 + b'"a":2}',
        b'{"specVersion":"1.0","site":{"name":"' + b"\\u0000" * 10_000 + b'"}}',
        b": \n" * 50_000,
        b"Capability: x\n" * 20_000,
        b"Agent: *\n" * 20_000,
    ],
    ids=lambda data: repr(data[:12]),
)
@pytest.mark.parametrize("format", [None, "agents-txt", "agents-json"])
def test_odd_documents(data: bytes, format: str | None) -> None:
    started = time.perf_counter()
    read_all(data, format=format)
    agentsdisc.detect(data)
    assert time.perf_counter() - started < 20


def test_deep_nesting_says_where() -> None:
    with pytest.raises(agentsdisc.ParseError) as caught:
        agentsdisc.parse(b'{"a":' * 100_000, limits=LARGE)
    assert caught.value.kind == "too-deep"


def test_deepest_nesting_that_can_be_allowed() -> None:
    limits = agentsdisc.Limits(depth=100_000)
    data = '{"specVersion":"1.0","site":{"name":"a"},"capabilities":[],"x":' + (
        "[" * 255 + "]" * 255 + "}"
    )
    document = agentsdisc.parse(data, limits=limits)
    assert repr(document.to_dict()["metadata"]["x"]) == "[" * 255 + "]" * 255
    assert repr(document.metadata["x"]) == "[" * 255 + "]" * 255


@pytest.mark.parametrize("limits", [None, LARGE], ids=["usual", "large"])
def test_lines_of_ten_megabytes(limits: agentsdisc.Limits | None) -> None:
    line = b"x" * (10 << 20)
    read_all(b"Site-Name: " + line, format="agents-txt", limits=limits)
    text = b'{"specVersion":"1.0","site":{"name":"' + line + b'"},"capabilities":[]}'
    read_all(text, limits=limits)


def test_duplicates_count_with_the_last_value() -> None:
    document = agentsdisc.parse(
        '{"specVersion":"1.0","site":{"name":"a"},"site":{"name":"b"},"capabilities":[]}'
    )
    assert document.service is not None
    assert document.service.name == "b"


def test_hostile_documents_end_the_command_line_cleanly(run: Run) -> None:
    for data in (b"[" * 100_000, b"\0" * 100, b"\xff" * 100, b"x" * (10 << 20)):
        for command in ("parse", "inspect", "lint"):
            done = run(command, "-", input=data, check=2)
            assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("head", "item", "tail"),
    [
        ('{"capabilities":{"services":[', '"s#"', "]}}"),
        ('{"ucp":{"capabilities":[', '{"name":"dev.ucp.c#"}', "]}}"),
        ('{"serverInfo":{"name":"a","version":"1"},"tools":[', '{"name":"t#"}', "]}"),
    ],
    ids=["acp", "ucp-profile", "mcp-server-card"],
)
def test_all_capabilities_are_read_in_linear_time(
    request: pytest.FixtureRequest, head: str, item: str, tail: str
) -> None:
    def took(count: int) -> float:
        items = ",".join(item.replace("#", str(number)) for number in range(count))
        document = agentsdisc.parse(
            (head + items + tail).encode(),
            format=request.node.callspec.id,
            limits=LARGE,
        )
        begun = time.process_time()
        assert len(document.capabilities) == count
        for one in document.capabilities:
            assert one.parameters == () and one.rate_limits == ()
        return time.process_time() - begun

    # Reading the document again for each of them takes a hundred times as long.
    assert any(took(10_000) < 30 * took(1_000) for _ in range(5))
