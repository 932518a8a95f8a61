"""Batches: the content of rows, the types of input, and failures."""

import json
import mmap
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from conftest import PATIENCE, ROOT, heed_interrupts
from test_conformance import normalised, vectors, with_every_value

pa = pytest.importorskip("pyarrow")

TEXT = b"Spec-Version: 1.0\nSite-Name: Mug Shop\nSite-URL: https://mugs.example\n"
JSON = b'{"specVersion":"1.0","site":{"name":"Mug Shop","url":"https://mugs.example"}}'
BROKEN = b'{"specVersion":"1.0","site":{"name":"Mug'
PAGE = b"<!DOCTYPE html><html><body>Not found</body></html>"
FEW = [TEXT, JSON, BROKEN, PAGE, b""]

OUTCOME = {
    "source",
    "fetched",
    "http_status",
    "digest",
    "record_type",
    "url",
    "bytes",
    "status",
    "error_kind",
    "error_offset",
    "error_line",
    "error_column",
    "error_message",
    "errors",
    "warnings",
    "infos",
    "diagnostics",
    "model",
    "links",
}
"""Columns that the model does not have as members."""

RENAMED = {"service_status": "status", "recoveries": "errors"}
"""Members of the model whose names have another meaning in the table."""


def whole(batch: agentsdisc.Batch) -> Any:
    """Returns the batch as a pyarrow batch, after full validation by pyarrow."""
    taken = pa.record_batch(batch)
    taken.validate(full=True)
    return taken


def plain(field: Any, value: Any) -> Any:
    """Returns a value as in the model: without absent members, with parsed JSON."""
    if value is None:
        return None
    if (field.metadata or {}).get(b"agentsdisc.content") == b"json":
        return json.loads(value, object_pairs_hook=with_every_value)
    if pa.types.is_list(field.type):
        return [plain(field.type.value_field, item) for item in value]
    if pa.types.is_struct(field.type):
        return {
            member.name: plain(member, value[member.name])
            for member in field.type
            if value[member.name] is not None
        }
    return value


def model_of(schema: Any, row: dict[str, Any]) -> dict[str, Any]:
    """Returns the unified model of a row."""
    return {
        RENAMED.get(field.name, field.name): plain(field, row[field.name])
        for field in schema
        if field.name not in OUTCOME and row[field.name] is not None
    }


def documents() -> Iterator[tuple[Path, bytes, dict[str, Any]]]:
    """Yields every conformance vector whose format is detected."""
    for path in vectors():
        options = json.loads(path.with_suffix(".json").read_bytes()).get("options", {})
        if not options.keys() & {"format", "content_type"}:
            yield path, path.read_bytes(), options


def test_every_vector_row_by_row() -> None:
    """Each row equals the result of `to_dict`, `check` or ParseError for its document."""
    groups: dict[str, list[tuple[Path, bytes, dict[str, Any]]]] = {}
    for path, data, options in documents():
        limits = json.dumps(options.get("limits", {}))
        groups.setdefault(limits, []).append((path, data, options))
    compared = 0
    for limit, group in groups.items():
        limits = agentsdisc.Limits(**json.loads(limit))
        urls = [options.get("url") for _, _, options in group]
        batch = agentsdisc.parse_batch(
            [data for _, data, _ in group],
            urls,
            columns=[*agentsdisc.batch_schema().names, "model", "links"],
            limits=limits,
        )
        table = whole(batch)
        lines = batch.to_json_lines().splitlines()
        assert table.num_rows == len(group) == len(lines)
        for (path, data, options), row, line in zip(
            group, table.to_pylist(), lines, strict=True
        ):
            url = options.get("url")
            assert (row["url"], row["bytes"]) == (url, len(data)), path
            written = json.loads(line, object_pairs_hook=with_every_value)
            assert row["error_kind"] == "too-large" or (row["links"] or []) == [
                {
                    "url": link.url,
                    "label": link.label or None,
                    "kind": link.kind,
                    "start": link.offset,
                    "end": link.end,
                }
                for link in agentsdisc.links(data)
            ], path
            try:
                document = agentsdisc.parse(data, url=url, limits=limits)
            except agentsdisc.ParseError as error:
                assert row["status"] == "error", path
                assert row["error_kind"] == error.kind, path
                assert row["error_offset"] == error.offset, path
                assert row["error_line"] == error.line, path
                assert row["error_column"] == error.column, path
                assert row["error_message"] == str(error), path
                assert model_of(table.schema, row).keys() <= {"format"}, path
                assert row["diagnostics"] is None and row["errors"] is None, path
            else:
                model = normalised(document.to_dict())
                assert row["status"] == "ok", path
                assert normalised(model_of(table.schema, row)) == model, path
                assert row["model"] == document.to_json(), path
                found = document.check()
                assert [
                    (d["code"], d["severity"], d["line"], d["column"], d["offset"])
                    for d in row["diagnostics"] or []
                ] == [(d.code, d.severity, d.line, d.column, d.offset) for d in found]
                assert [
                    (d["message"], d["spec"], d["section"] or "")
                    for d in row["diagnostics"] or []
                ] == [(d.message, d.spec, d.section) for d in found], path
                severities = [d.severity for d in found]
                assert [row["errors"], row["warnings"], row["infos"]] == [
                    severities.count(name) for name in ("error", "warning", "info")
                ], path
                in_line = {
                    RENAMED.get(name, name): value
                    for name, value in written.items()
                    if name not in OUTCOME
                }
                assert normalised(in_line) == model, path
                compared += 1
    assert compared > 800


def test_a_document_that_failed_halfway_leaves_nothing() -> None:
    """The visitor receives capabilities before the error of the document."""
    capability = '{"id":"c","endpoint":"/c","parameters":[{"name":"p"}],"rateLimit":{"requests":1,"window":"minute"}}'
    start = '{"specVersion":"1.0","site":{"name":"a"},"capabilities":['
    whole_text = start + capability + "]}"
    bodies = []
    for broken in (
        start + capability + ",",
        start + capability + "]}}",
        start + capability + ',{"parameters":[{"name":"x"},',
        start + capability + '],"agents":{"Bot":{"capabilities":["c"]}},',
    ):
        bodies += [broken.encode(), whole_text.encode()]
    rows = whole(agentsdisc.parse_batch(bodies, threads=1)).to_pylist()
    assert [row["status"] for row in rows] == ["error", "ok"] * 4
    for failed, good in zip(rows[::2], rows[1::2], strict=True):
        assert failed["capabilities"] is None and failed["agents"] is None
        (one,) = good["capabilities"]
        assert one["id"] == "c"
        assert [parameter["name"] for parameter in one["parameters"]] == ["p"]
        assert one["rate_limits"][0]["requests"] == 1


def test_texts_that_are_not_utf8() -> None:
    """A robots.txt may use any encoding, and concatenated bytes may form characters by chance."""
    odd = b"User-agent: *\nDisallow: /caf\xe9\nDisallow: /\xc3\n\xa9: x\n"
    rows = whole(agentsdisc.parse_batch([odd, TEXT, odd])).to_pylist()
    assert rows[0] == rows[2]
    assert rows[0]["robots"]["groups"][0]["rules"][0]["pattern"] == "/caf\ufffd"
    assert rows[1]["service"]["name"] == "Mug Shop"


def test_texts_beside_invalid_utf_8_are_unchanged() -> None:
    """Texts are repaired in groups; valid and invalid characters may be at group boundaries."""
    texts = [b"/%d" % n for n in range(200)]
    for at, text in {
        0: b"/\xe9",
        63: b"/\xc3",
        64: b"\xa9*",
        70: "/caf\u00e9".encode(),
        127: "/\u20ac".encode(),
        191: b"/\xe2",
        199: b"/\xff",
    }.items():
        texts[at] = text
    rules = b"".join(b"Disallow: " + text + b"\n" for text in texts)
    (row,) = whole(agentsdisc.parse_batch([b"User-agent: *\n" + rules])).to_pylist()
    patterns = [rule["pattern"] for rule in row["robots"]["groups"][0]["rules"]]
    assert patterns == [text.decode(errors="replace") for text in texts]


def arrow_kinds() -> dict[str, Any]:
    """Returns the same bodies in every Arrow type that can hold them."""
    plain = pa.array([*FEW, None], pa.binary())
    texts = pa.array([*(data.decode() for data in FEW), None])
    return {
        "binary": plain,
        "large_binary": plain.cast(pa.large_binary()),
        "binary_view": plain.cast(pa.binary_view()),
        "string": texts,
        "large_string": texts.cast(pa.large_string()),
        "string_view": texts.cast(pa.string_view()),
        "dictionary": plain.dictionary_encode(),
        "slice": pa.array([b"x", *FEW, None, b"y"], pa.binary())[1:-1],
        "chunked": pa.chunked_array([plain[:2], plain[2:2], plain[2:]]),
        "batch": pa.record_batch({"n": list(range(6)), "body": plain}),
        "table": pa.table({"body": pa.chunked_array([plain[:1], plain[1:]])}),
        "reader": pa.table({"body": plain}).to_reader(2),
    }


@pytest.mark.parametrize("kind", list(arrow_kinds()))
def test_arrow_inputs(kind: str) -> None:
    expected = whole(agentsdisc.parse_batch([*FEW, None]))
    assert whole(agentsdisc.parse_batch(arrow_kinds()[kind])).equals(expected)


def test_a_part_of_a_table_with_nested_structs_is_passed_on() -> None:
    nested = pa.array([{"a": {"b": number, "c": [{"d": 1}]}} for number in range(9)])
    table = pa.table({"body": [TEXT] * 9, "more": nested})
    (part,) = table.slice(3, 4).to_batches()
    rows = agentsdisc.parse_batch(part, columns=["status"], keep=["more"])
    assert whole(rows).column("more").to_pylist() == nested.to_pylist()[3:7]
    stream = agentsdisc.parse_stream(
        table.to_reader(4), columns=["status"], keep=["more"], batch_rows=3
    )
    found = pa.RecordBatchReader.from_stream(stream).read_all()
    assert found.column("more").to_pylist() == nested.to_pylist()


def test_python_inputs() -> None:
    expected = whole(agentsdisc.parse_batch(FEW))
    others = [
        tuple(FEW),
        iter(FEW),
        [bytearray(data) for data in FEW],
        [memoryview(data) for data in FEW],
        [data.decode() for data in FEW],
    ]
    for bodies in others:
        assert whole(agentsdisc.parse_batch(bodies)).equals(expected)
    fixed = pa.array([TEXT[:40], TEXT[:40]], pa.binary(40))
    assert whole(agentsdisc.parse_batch(fixed)).num_rows == 2


def test_nulls_are_rows() -> None:
    for bodies in (
        [None, TEXT],
        pa.array([None, TEXT]),
        pa.table({"body": pa.array([None, TEXT])}),
    ):
        hole, good = whole(agentsdisc.parse_batch(bodies)).to_pylist()
        assert (hole["status"], hole["error_kind"]) == ("error", "no-body")
        assert (hole["bytes"], hole["format"]) == (None, "unknown")
        assert good["status"] == "ok"
    only = whole(agentsdisc.parse_batch(pa.nulls(3))).to_pylist()
    assert [row["error_kind"] for row in only] == ["no-body"] * 3


@pytest.mark.parametrize("bodies", [[], pa.array([], pa.binary()), pa.nulls(0)])
def test_nothing_comes_of_nothing(bodies: Any) -> None:
    table = whole(agentsdisc.parse_batch(bodies))
    assert table.num_rows == 0
    assert table.schema.equals(pa.schema(agentsdisc.batch_schema()))


@pytest.mark.parametrize(
    ("bodies", "message"),
    [
        (b"one document", "sequence of bytes, not bytes"),
        ("one document", "not str"),
        (7, "not int"),
        ({"body": b""}, "not dict"),
        ([b"", 7], "must be bytes, bytearray, memoryview or str, not int"),
        (pa.array([1, 2]), "holds Int64; it must hold bytes or text"),
        (pa.table({"body": [1]}), '"body" holds Int64'),
        (pa.array([[b""]]), "List"),
    ],
)
def test_wrong_types_are_said(bodies: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        agentsdisc.parse_batch(bodies)


def test_wrong_arguments_are_said() -> None:
    table = pa.table({"content": FEW, "url": ["u"] * 5, "n": range(5)})
    with pytest.raises(
        ValueError, match='no column "body"; the columns are: content, url, n'
    ):
        agentsdisc.parse_batch(table)
    with pytest.raises(TypeError, match='URLs "n" holds Int64'):
        agentsdisc.parse_batch(table, body="content", url="n")
    with pytest.raises(ValueError, match='no column "where"'):
        agentsdisc.parse_batch(table, body="content", url="where")
    with pytest.raises(ValueError, match="duplicate column"):
        agentsdisc.parse_batch(table, body="content", keep=["url"])
    with pytest.raises(ValueError, match='duplicate column "n": `keep` names it'):
        agentsdisc.parse_batch(table, body="content", keep=["n", "n"])
    with pytest.raises(ValueError, match='"url" has no members'):
        agentsdisc.parse_batch(FEW, columns=["url.host"])
    with pytest.raises(ValueError, match='no column "x"'):
        agentsdisc.parse_batch(table, body="content", keep=["x"])
    with pytest.raises(ValueError, match="`bodies` has no columns"):
        agentsdisc.parse_batch(FEW, keep=["x"])
    with pytest.raises(ValueError, match="5 bodies and 1 urls"):
        agentsdisc.parse_batch(FEW, ["x"])
    for urls in ("x", [1], 7):
        with pytest.raises(TypeError, match="urls must be"):
            agentsdisc.parse_batch([b""], urls)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must hold text"):
        agentsdisc.parse_batch([b""], pa.array([1]))
    with pytest.raises(ValueError, match="at least 1"):
        agentsdisc.parse_batch(FEW, threads=0)
    with pytest.raises(
        ValueError, match=r'no column "capabilities\.size"; the columns are: id'
    ):
        agentsdisc.parse_batch(FEW, columns=["capabilities.size"])
    with pytest.raises(ValueError, match="`columns` is empty"):
        agentsdisc.parse_batch(FEW, columns=[])
    with pytest.raises(TypeError, match="source must be an Arrow stream"):
        agentsdisc.parse_stream(FEW)  # type: ignore[arg-type]


def test_urls_are_hints_and_stay() -> None:
    text = b"User-agent: somebody\n"
    urls = ["https://a.example/robots.txt", None]
    for given in (urls, pa.array(urls), pa.chunked_array([urls[:1], urls[1:]])):
        rows = whole(agentsdisc.parse_batch([text, text], given)).to_pylist()
        assert [row["url"] for row in rows] == urls
        assert rows[0]["format"] == "robots-txt"
    table = pa.table({"page": [text, text], "at": urls, "n": [1, 2]})
    kept = whole(agentsdisc.parse_batch(table, body="page", url="at", keep=["n"]))
    assert kept.column_names[:2] == ["n", "url"]
    assert kept.column("n").to_pylist() == [1, 2]
    assert kept.column("format").to_pylist()[0] == "robots-txt"


def test_columns_are_chosen() -> None:
    chosen = ["status", "capabilities.auth.type", "capabilities.id", "service.name"]
    samples = [
        path.read_bytes()
        for path in sorted((ROOT / "samples").rglob("*"))
        if path.is_file()
    ]
    table = whole(agentsdisc.parse_batch(samples, columns=chosen))
    assert table.column_names == ["status", "service", "capabilities"]
    assert [field.name for field in table.schema.field("service").type] == ["name"]
    everything = whole(agentsdisc.parse_batch(samples)).to_pylist()
    for row, full in zip(table.to_pylist(), everything, strict=True):
        assert row["status"] == full["status"]
        if full["capabilities"] is None:
            assert row["capabilities"] is None
            continue
        assert row["capabilities"] == [
            {
                "id": capability["id"],
                "auth": capability["auth"]
                and {"type": (capability["auth"] or {}).get("type")},
            }
            for capability in full["capabilities"]
        ]
    unchecked = agentsdisc.batch_schema(check=False).names
    assert set(agentsdisc.batch_schema().names) - set(unchecked) == {
        "errors",
        "warnings",
        "infos",
        "diagnostics",
    }


def test_the_schema_says_its_version() -> None:
    schema = agentsdisc.batch_schema()
    assert schema.metadata == {
        "agentsdisc.rows": "1",
        "agentsdisc.model": "1",
        "agentsdisc.version": agentsdisc.__version__,
    }
    assert pa.schema(schema).metadata[b"agentsdisc.rows"] == b"1"
    batch = agentsdisc.parse_batch(FEW)
    assert str(batch.schema) == str(schema)
    assert repr(batch) == f"<Batch of 5 rows, {len(schema.names)} columns>"
    assert len(batch) == batch.num_rows == 5 and batch.nbytes > 0


def test_the_guide_shows_the_schema() -> None:
    text = (ROOT / "docs/arrow.md").read_text(encoding="utf-8")
    names = [*agentsdisc.batch_schema().names, "model", "links"]
    schema = agentsdisc.batch_schema(names)
    assert f"```text\n{schema}```" in text, str(schema)


def many(count: int) -> list[bytes]:
    capabilities = ",".join(
        f'{{"id":"c{i}","description":"x"}}' for i in range(count % 7)
    )
    return [
        f'{{"specVersion":"1.0","site":{{"name":"Shop {n}"}},"capabilities":[{capabilities}]}}'.encode()
        if n % 3
        else FEW[n % 5]
        for n in range(count)
    ]


def test_threads_change_nothing() -> None:
    bodies = many(20_003)
    one = whole(agentsdisc.parse_batch(bodies, threads=1))
    for threads in (2, 3, 64, None):
        assert whole(agentsdisc.parse_batch(bodies, threads=threads)).equals(one)


def test_threads_change_no_column() -> None:
    """Reads every vector, so that all columns have values, and invalid UTF-8 is at the boundaries of parts."""
    bodies = [data for _, data, _ in documents()] * 2
    for columns in (None, ["capabilities.id", "robots.sitemaps"]):
        one = whole(agentsdisc.parse_batch(bodies, columns=columns, threads=1))
        for threads in (2, 3, 7):
            many_parts = agentsdisc.parse_batch(
                bodies, columns=columns, threads=threads
            )
            assert whole(many_parts).equals(one)


def test_a_row_does_not_depend_on_the_others() -> None:
    """A single document leaves most columns empty; many documents do not."""
    bodies = [data for _, data, _ in documents()][::7]
    together = whole(agentsdisc.parse_batch(bodies * 3, check=False)).to_pylist()
    for at, body in enumerate(bodies):
        alone = whole(agentsdisc.parse_batch([body], check=False)).to_pylist()
        assert [together[at]] == alone == [together[at + 2 * len(bodies)]]


def test_an_object_is_present_for_any_selected_member() -> None:
    bodies = [data for _, data, _ in documents()]
    objects = {
        "access": ("allow", "disallow", "metadata"),
        "permissions": ("can", "cannot", "behavior"),
        "robots": ("groups", "sitemaps", "preferences", "agentmaps", "fields"),
        "search": ("query", "results"),
    }
    everything = whole(agentsdisc.parse_batch(bodies, check=False)).to_pylist()
    for name, members in objects.items():
        assert {row[name] is None for row in everything} == {True, False}
        for member in members:
            chosen = agentsdisc.parse_batch(bodies, columns=[f"{name}.{member}"])
            assert [row[name] for row in whole(chosen).to_pylist()] == [
                row[name] and {member: row[name][member]} for row in everything
            ]


def test_other_threads_run_meanwhile() -> None:
    """Other threads run while a batch is read, not only before and after."""
    bodies = pa.array(many(60_000))
    ticks = 0
    over = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not over.is_set():
            ticks += 1
            time.sleep(0.001)

    counting = threading.Thread(target=count)
    counting.start()
    most = 0
    # On a busy machine the thread may not run during one batch. With the GIL held, it would run once or twice in each.
    for _ in range(50):
        before = ticks
        agentsdisc.parse_batch(bodies, threads=1)
        most = max(most, ticks - before)
        if most >= 10:
            break
    over.set()
    counting.join()
    assert most >= 10


def test_an_interrupt_is_heeded() -> None:
    code = (
        "import agentsdisc, sys\n"
        "body = b'Spec-Version: 1.0\\nSite-Name: a\\n' + b'Capability: c\\n' * 2000\n"
        "try:\n"
        "    print('ready', flush=True)\n"
        "    while True: agentsdisc.parse_batch([body] * 20000, columns=['capabilities'])\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        preexec_fn=heed_interrupts if os.name == "posix" else None,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == b"ready"
    time.sleep(0.5)  # probably during a batch
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=PATIENCE)[0].strip() == b"interrupted"
    assert process.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="memory that is never touched")
def test_a_row_of_two_gigabytes() -> None:
    size = 2**31 + 7
    offsets = pa.py_buffer((0).to_bytes(8, "little") + size.to_bytes(8, "little"))
    with mmap.mmap(-1, size) as zeros:
        data = pa.py_buffer(zeros)
        huge = pa.Array.from_buffers(pa.large_binary(), 1, [None, offsets, data])
        (row,) = whole(agentsdisc.parse_batch(huge)).to_pylist()
        assert (row["status"], row["error_kind"]) == ("error", "too-large")
        assert row["bytes"] == size
        wide = agentsdisc.Limits(document=2**32 - 1)
        (row,) = whole(agentsdisc.parse_batch(huge, limits=wide)).to_pylist()
        assert (row["error_kind"], row["error_offset"]) == ("too-large", 256 << 20)
        del huge, data


def test_a_stream_is_read_in_batches() -> None:
    bodies = many(5000)
    table = pa.table({"body": bodies, "n": range(5000)})
    expected = whole(agentsdisc.parse_batch(table, keep=["n"]))
    reader = agentsdisc.parse_stream(table.to_reader(1700), keep=["n"], batch_rows=1000)
    sizes = []
    parts = []
    for batch in reader:
        sizes.append(len(batch))
        parts.append(whole(batch))
    assert sizes == [1000, 700, 1000, 700, 1000, 600]
    assert (
        pa.Table.from_batches(parts)
        .combine_chunks()
        .equals(pa.Table.from_batches([expected]))
    )
    stream = agentsdisc.parse_stream(table, keep=["n"])
    assert pa.schema(stream).equals(expected.schema)
    taken = pa.RecordBatchReader.from_stream(stream).read_all()
    assert taken.combine_chunks().equals(pa.Table.from_batches([expected]))
    with pytest.raises(ValueError, match="read once"):
        next(stream)
    with pytest.raises(ValueError, match="read once"):
        stream.__arrow_c_stream__()
    bare = agentsdisc.parse_stream(pa.chunked_array([bodies]))
    assert sum(map(len, bare)) == 5000


def test_errors_of_a_stream_propagate() -> None:
    schema = pa.schema({"body": pa.binary()})

    def failing() -> Iterator[Any]:
        yield pa.record_batch({"body": [TEXT]})
        raise OSError("the disk is gone")

    reader = agentsdisc.parse_stream(
        pa.RecordBatchReader.from_batches(schema, failing())
    )
    assert len(next(reader)) == 1
    with pytest.raises(ValueError, match="the disk is gone"):
        next(reader)
    reader = agentsdisc.parse_stream(
        pa.RecordBatchReader.from_batches(schema, failing())
    )
    with pytest.raises(Exception, match="the disk is gone"):
        pa.RecordBatchReader.from_stream(reader).read_all()


def test_a_stream_in_python_may_need_another_thread() -> None:
    """The producer of a stream may wait for Python on another thread; this must not deadlock."""
    schema = pa.schema({"body": pa.binary()})

    def slow() -> Iterator[Any]:
        for _ in range(5):
            made: list[Any] = []
            thread = threading.Thread(
                target=lambda made=made: made.append(pa.record_batch({"body": FEW}))
            )
            thread.start()
            thread.join(30)
            yield made[0]

    source = pa.RecordBatchReader.from_batches(schema, slow())
    assert sum(map(len, agentsdisc.parse_stream(source))) == 25


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_does_not_grow_with_the_stream() -> None:
    code = """
import agentsdisc, pyarrow as pa, resource, sys
count = int(sys.argv[1])
body = b'{"specVersion":"1.0","site":{"name":"a"},"capabilities":[' + b','.join([b'{"id":"c","description":"' + b'd' * 900 + b'"}'] * 2) + b']}'
batch = pa.record_batch({"body": [body] * 2000})
source = pa.RecordBatchReader.from_batches(batch.schema, (batch for _ in range(count)))
rows = sum(map(len, agentsdisc.parse_stream(source, threads=2)))
print(rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""

    def peak(count: int) -> int:
        done = subprocess.run(
            [sys.executable, "-c", code, str(count)],
            capture_output=True,
            check=True,
            text=True,
            timeout=120,
        )
        rows, kilobytes = map(int, done.stdout.split())
        assert rows == count * 2000
        return kilobytes

    # 40 batches are 150 MB of further documents.
    assert peak(44) < peak(4) + 60_000
