"""The API: parse, detect, documents and their views."""

import copy
import json
import pickle
from collections.abc import Sequence
from pathlib import Path

import agentsdisc
import pytest


def test_every_kind_of_data_is_read(shop_json: bytes) -> None:
    documents = [
        agentsdisc.parse(data)
        for data in (
            shop_json,
            bytearray(shop_json),
            memoryview(shop_json),
            memoryview(bytearray(shop_json)),
            shop_json.decode(),
        )
    ]
    assert all(document == documents[0] for document in documents)
    assert len({hash(document) for document in documents}) == 1


def test_bytes_are_borrowed_and_the_rest_is_copied(shop_json: bytes) -> None:
    assert agentsdisc.parse(shop_json).bytes is shop_json
    mutable = bytearray(shop_json)
    document = agentsdisc.parse(mutable)
    mutable[:] = b"x" * len(mutable)
    assert document.service is not None
    assert document.service.name == "Example Shop"


def test_a_view_with_steps_is_put_together(shop_txt: bytes) -> None:
    twice = bytes(byte for byte in shop_txt for _ in range(2))
    assert agentsdisc.parse(memoryview(twice)[::2]).bytes == shop_txt


@pytest.mark.parametrize("data", [None, 5, 1.5, [], {}, object()])
def test_other_data_are_refused(data: object) -> None:
    with pytest.raises(TypeError, match="bytes, bytearray, memoryview or str"):
        agentsdisc.parse(data)  # type: ignore[arg-type]


def test_the_model_as_attributes(shop_json: bytes) -> None:
    document = agentsdisc.parse(shop_json)
    assert document.format == "agents-json"
    assert document.spec_version == "1.0"
    assert document.kind == "platform"
    capability = document.capabilities[0]
    assert capability.id == "product-search"
    assert capability.protocol == "rest"
    assert capability.protocol_text == "REST"
    assert capability.method == "GET"
    assert capability.auth is not None
    assert capability.auth.type == "none"
    (limit,) = capability.rate_limits
    assert (limit.requests, limit.window) == (60, "minute")
    assert [parameter.name for parameter in capability.parameters] == [
        "q",
        "max_price",
        "in_stock",
        "page-size",
    ]
    assert capability.parameters[3].default == 20
    assert document.access.disallow
    assert document.agents[0].name == "*"
    assert document.status is None
    assert document.flows == ()


def test_parts_are_made_once(shop_json: bytes) -> None:
    document = agentsdisc.parse(shop_json)
    assert document.service is document.service
    assert document.capabilities is document.capabilities
    assert document.capabilities[0] is document.capabilities[0]
    capability = document.capabilities[0]
    assert capability.parameters is capability.parameters
    assert capability.auth is capability.auth


def test_no_value_of_a_repeated_member_is_lost() -> None:
    lines = "Spec-Version: 1.0\nFoo: 1\nfoo: 2\nFoo: 3\nFoo: 4\nCapability: a\n  Bar: x\n  Bar: y\n"
    document = agentsdisc.parse(lines, format="agents-txt")
    expected = {"Foo": ["1", "3", "4"], "foo": "2"}
    assert document.metadata == document.to_dict()["metadata"] == expected
    assert document.capabilities[0].metadata == {"Bar": ["x", "y"]}
    json = '{"specVersion":"1.0","x":[1],"x":[2],"x":3}'
    assert agentsdisc.parse(json, format="agents-json").metadata == {"x": [[1], [2], 3]}


def test_metadata_belong_to_their_owner() -> None:
    document = agentsdisc.parse(
        '{"specVersion":"1.0","site":{"name":"a","url":"https://a.example"},'
        '"capabilities":[{"id":"x","odd":{"deep":[1]}}],"extra":[1,2.5,null,true,"\\ud83d\\ude00"]}'
    )
    assert document.metadata == {"extra": [1, 2.5, None, True, "😀"]}
    document.metadata["extra"].append(1)
    assert document.metadata == {"extra": [1, 2.5, None, True, "😀"]}
    capability = document.capabilities[0]
    capability.metadata["odd"]["deep"].append(2)
    assert capability.metadata == {"odd": {"deep": [1]}}


def test_views_outlive_the_document(shop_json: bytes) -> None:
    capability = agentsdisc.parse(bytes(shop_json)).capabilities[1]
    assert capability.id == "place-order"
    assert capability.parameters[0].name is not None


def test_nothing_can_be_changed(shop_json: bytes) -> None:
    document = agentsdisc.parse(shop_json)
    for part in (document, document.service, document.capabilities[0]):
        with pytest.raises(AttributeError):
            part.name = "x"  # type: ignore[union-attr]


def test_capabilities_are_a_sequence(shop_json: bytes) -> None:
    capabilities = agentsdisc.parse(shop_json).capabilities
    assert isinstance(capabilities, Sequence)
    assert len(capabilities) == 2
    assert capabilities
    first, second = capabilities
    assert capabilities[-1] is second
    assert capabilities[:1] == (first,)
    assert capabilities[::-1] == (second, first)
    assert list(reversed(capabilities)) == [second, first]
    assert second in capabilities
    assert capabilities.index(second) == 1
    assert capabilities.count(first) == 1
    assert capabilities == (first, second)
    assert capabilities != (first,)
    assert "product-search" in repr(capabilities)
    for index in (2, -3, 10**30):
        with pytest.raises((IndexError, OverflowError)):
            capabilities[index]
    with pytest.raises(KeyError):
        capabilities["x"]
    with pytest.raises(TypeError):
        capabilities[1.5]  # type: ignore[call-overload]


def test_no_capabilities_are_an_empty_sequence() -> None:
    document = agentsdisc.parse(
        "Spec-Version: 1.0\nSite-Name: a\nSite-URL: https://a.example\n"
    )
    assert not document.capabilities
    assert len(document.capabilities) == 0
    assert list(document.capabilities) == []


def test_the_first_of_many_capabilities_does_not_wait_for_the_rest() -> None:
    many = ",".join(f'{{"id":"c{i}"}}' for i in range(20_000))
    document = agentsdisc.parse(
        '{"specVersion":"1.0","site":{"name":"a"},"capabilities":[' + many + "]}"
    )
    assert document.capabilities[0].id == "c0"
    assert document.capabilities[-1].id == "c19999"
    assert [c.id for c in document.capabilities] == [f"c{i}" for i in range(20_000)]


def test_dict_and_json_agree(shop_txt: bytes, shop_json: bytes) -> None:
    for data in (shop_txt, shop_json):
        document = agentsdisc.parse(data)
        assert document.to_dict() == json.loads(document.to_json())
        assert document.to_dict()["format"] == document.format


def test_numbers_of_any_size_are_given_and_can_be_written_again() -> None:
    digits = "9" * 5000
    document = agentsdisc.parse(
        '{"specVersion":"1.0","site":{"name":"a"},"capabilities":[],'
        f'"a":{digits},"b":{2**80},"c":1e999,"d":-0.5}}'
    )
    # A number that Python cannot hold is its text. By default, it refuses to parse an integer of this many digits.
    assert document.metadata["a"] == digits
    assert document.metadata["b"] == 2**80
    assert document.metadata["c"] == "1e999"
    assert document.metadata["d"] == -0.5
    json.dumps(document.to_dict(), allow_nan=False)
    assert digits in document.to_json()


def test_lone_surrogates_are_replaced() -> None:
    document = agentsdisc.parse(
        r'{"specVersion":"1.0","site":{"name":"\ud800x"},"capabilities":[],"\udc00":["\ud800"]}'
    )
    assert document.service is not None
    assert document.service.name == "\ufffdx"
    assert document.metadata == {"\ufffd": ["\ufffd"]}
    document.to_json().encode()


def test_documents_are_equal_where_bytes_and_format_are(shop_json: bytes) -> None:
    document = agentsdisc.parse(shop_json)
    assert document == agentsdisc.parse(bytes(bytearray(shop_json)))
    assert document != agentsdisc.parse(shop_json + b" ")
    assert document != shop_json
    assert document.capabilities[0] == agentsdisc.parse(shop_json).capabilities[0]
    assert document.capabilities[0] != document.capabilities[1]
    assert document.capabilities[0] != 1


def test_documents_can_be_pickled_and_copied(shop_json: bytes) -> None:
    limits = agentsdisc.Limits(document=1 << 22, depth=100)
    document = agentsdisc.parse(shop_json, limits=limits)
    again = pickle.loads(pickle.dumps(document))
    assert again == document
    assert again.to_dict() == document.to_dict()
    assert copy.copy(document) is document
    assert copy.deepcopy([document])[0] is document
    assert pickle.loads(pickle.dumps(limits)) == limits


def test_representations(shop_json: bytes) -> None:
    document = agentsdisc.parse(shop_json)
    assert repr(document) == (
        f"<Document agents-json of 'Example Shop', capabilities: 2, bytes: {len(shop_json)}>"
    )
    assert repr(document.capabilities[0].rate_limits) == (
        "(RateLimit(requests=60, window='minute'),)"
    )
    assert repr(agentsdisc.Limits(depth=3)).startswith("Limits(document=1048576")


def test_errors_have_kind_and_position() -> None:
    with pytest.raises(agentsdisc.ParseError) as caught:
        agentsdisc.parse('{\n  "specVersion": "1.0",\n  x}')
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.kind, error.offset, error.line, error.column) == (
        "invalid-json",
        28,
        3,
        3,
    )
    assert "line 3, column 3" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (again.kind, again.offset, str(again)) == ("invalid-json", 28, str(error))


def test_an_unpaired_surrogate_in_a_str_is_not_utf8() -> None:
    with pytest.raises(agentsdisc.ParseError) as caught:
        agentsdisc.parse("Site-Name: ab\ud800c")
    assert (caught.value.kind, caught.value.offset) == ("invalid-utf8", 13)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ('{"w2a": "1.0", "site": {"name": "S"}, "skills": []}', "w2a"),
        (
            "Contact: https://a.example\nExpires: 2030-01-01T00:00:00Z\n",
            "security-txt",
        ),
        ("<!doctype html><title>x</title>", "html"),
    ],
)
def test_errors_name_a_format_that_is_only_recognized(text: str, format: str) -> None:
    with pytest.raises(agentsdisc.ParseError) as caught:
        agentsdisc.parse(text)
    error = caught.value
    assert (error.kind, error.format) == ("not-a-discovery-document", format)
    assert format == "html" or f"`{format}`" in str(error)
    with pytest.raises(agentsdisc.ParseError) as caught:
        agentsdisc.parse('{"openapi"')
    assert caught.value.format == "unknown"


def test_limits_hold(shop_json: bytes) -> None:
    with pytest.raises(agentsdisc.ParseError) as caught:
        agentsdisc.parse(shop_json, limits=agentsdisc.Limits(document=100))
    assert (caught.value.kind, caught.value.offset) == ("too-large", 100)
    with pytest.raises(agentsdisc.ParseError) as caught:
        agentsdisc.parse(shop_json, limits=agentsdisc.Limits(depth=2))
    assert caught.value.kind == "too-deep"
    with pytest.raises(agentsdisc.ParseError) as caught:
        agentsdisc.parse(
            "Site-Name: " + "x" * 50 + "\n",
            format="agents-txt",
            limits=agentsdisc.Limits(line=20),
        )
    assert caught.value.kind == "line-too-long"


def test_a_format_can_be_forced() -> None:
    assert agentsdisc.parse("", format="agents-txt").format == "agents-txt"
    assert agentsdisc.parse("{}", format="agents-json").format == "agents-json"
    for name in ("html", "nonsense"):
        with pytest.raises(
            ValueError, match="not a format that can be parsed"
        ) as caught:
            agentsdisc.parse("{}", format=name)
        assert not isinstance(caught.value, agentsdisc.ParseError)
        assert "agents-txt" in str(caught.value)


def test_detection(shop_json: bytes, shop_txt: bytes) -> None:
    assert agentsdisc.detect(shop_json) == "agents-json"
    assert agentsdisc.detect(shop_txt) == "agents-txt"
    assert agentsdisc.detect("<!doctype html><p>") == "html"
    assert agentsdisc.detect(b"\xff\xfe") == "unknown"
    evidence = agentsdisc.detect_evidence(shop_json)
    assert evidence["format"] == "agents-json"
    assert "member specVersion" in evidence["signs"]
    assert evidence["by_hint"] is False
    # Detection stops counting at the first lines that decide.
    assert agentsdisc.detect_evidence(shop_txt)["fields"]["agents-txt"] >= 2


def test_enumerations_are_interned(shop_json: bytes) -> None:
    one, two = (agentsdisc.parse(bytes(bytearray(shop_json))) for _ in range(2))
    assert one.format is two.format
    assert one.capabilities[0].protocol is two.capabilities[0].protocol


def test_checks_are_sorted_and_complete(root: Path) -> None:
    for path in sorted(root.glob("samples/**/*")):
        if not path.is_file():
            continue
        try:
            document = agentsdisc.parse(path.read_bytes())
        except agentsdisc.ParseError:
            continue
        found = document.check()
        assert [d.offset for d in found] == sorted(d.offset for d in found)
        known = {code for code, _ in agentsdisc.codes()}
        for diagnostic in found:
            assert diagnostic.code in known
            assert diagnostic.severity in {"error", "warning", "info"}
            assert diagnostic.message
            assert diagnostic.spec
            before = document.bytes[: diagnostic.offset].replace(b"\r\n", b" \n")
            assert diagnostic.line == before.replace(b"\r", b"\n").count(b"\n") + 1
            assert diagnostic.offset <= diagnostic.end <= len(document.bytes)
            assert diagnostic.code in repr(diagnostic)
        assert found == document.check()


def test_a_broken_document_has_findings() -> None:
    document = agentsdisc.parse("Spec-Version: 1.0\nCapability: x\n")
    codes = {(d.code, d.severity) for d in document.check()}
    assert ("missing-required-field", "error") in codes
    assert document.check(origin="https://other.example") is not None
