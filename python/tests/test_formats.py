"""Features of single formats beyond the unified model: requests of ADP, order and types of AWP."""

import copy
import enum
import json
import pickle
import types
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import agentsdisc
import pytest
from agentsdisc import (
    Document,
    PrerequisiteError,
    Request,
    RequestError,
    TypeExpr,
    TypeExprError,
    adp_search_url,
    parse_type,
)

TEXT = "Spec-Version: 1.0\nSite-Name: Mugs\n"


def manifest(**members: object) -> Document:
    whole: dict[str, object] = {
        "spec_version": "1.0",
        "name": "Mug Shop",
        "description": "Sells mugs of all kinds.",
        "base_url": "https://mugs.example/v1",
        "auth": {"type": "api_key"},
        "capabilities": [
            {"name": "order", "description": "Orders.", "detail_url": "/order.json"},
            {"name": "lost", "description": "It names no detail."},
        ],
    }
    return agentsdisc.parse(json.dumps(whole | members), format="adp")


def detail(*parameters: dict[str, object], **members: object) -> Document:
    whole: dict[str, object] = {
        "name": "order",
        "description": "Orders mugs.",
        "endpoint": "/orders",
        "method": "post",
        "parameters": parameters,
    }
    return agentsdisc.parse(json.dumps(whole | members), format="adp-capability")


class Size(enum.StrEnum):
    """A subclass of str."""

    SMALL = "s"


def test_every_place() -> None:
    order = detail(
        {"name": "id", "required": True},
        {"name": "count"},
        {"name": "lang", "in": "query"},
        {"name": "X-Trace", "in": "header"},
        endpoint="/mugs/{id}/orders",
    )
    request = manifest().request(
        order,
        {"count": 2, "id": "a/b ü", "X-Trace": 7, "lang": "d&e"},
        token="KEY",
    )
    assert request == Request(
        "POST",
        "https://mugs.example/v1/mugs/a%2Fb%20%C3%BC/orders?lang=d%26e",
        {
            "Authorization": "Bearer KEY",
            "Content-Type": "application/json",
            "X-Trace": "7",
        },
        b'{"count":2}',
    )
    assert "KEY" not in repr(request)
    assert pickle.loads(pickle.dumps(request)) == request == copy.deepcopy(request)


def test_a_request_without_arguments_token_and_body() -> None:
    request = manifest().request(detail(method="GET"))
    assert request == Request("GET", "https://mugs.example/v1/orders", {}, None)


@pytest.mark.parametrize(
    ("value", "body", "query"),
    [
        ("5", '"5"', "5"),
        ("", '""', ""),
        ('"\n\\', r'"\"\n\\"', "%22%0A%5C"),
        (Size.SMALL, '"s"', "s"),
        (5, "5", "5"),
        (10**30, str(10**30), str(10**30)),
        (-2.5, "-2.5", "-2.5"),
        (True, "true", "true"),
        (None, "null", None),
        ([], "[]", "%5B%5D"),
        ((1, "ü"), '[1,"ü"]', "%5B1%2C%22%C3%BC%22%5D"),
        ({"a": [None, {"b": False}]}, '{"a":[null,{"b":false}]}', None),
    ],
)
def test_values(value: object, body: str, query: str | None) -> None:
    request = manifest().request(detail({"name": "x"}), {"x": value})
    assert request.body == f'{{"x":{body}}}'.encode()
    if query is not None:
        request = manifest().request(detail({"name": "x"}, method="GET"), {"x": value})
        assert request.url == f"https://mugs.example/v1/orders?x={query}"
        assert request.body is None


def test_none_is_no_text() -> None:
    request = manifest().request(detail({"name": "x"}, method="GET"), {"x": None})
    assert request.url == "https://mugs.example/v1/orders"


def filled_manifest() -> agentsdisc.Document:
    text = '{"base_url": "https://{shop}.example/v1", "auth": {"type": "none"}}'
    return agentsdisc.parse(text, format="adp")


def test_placeholders_of_the_base_url_are_named_and_filled() -> None:
    service, capability = filled_manifest(), detail(endpoint="/v1/orders", method="GET")
    with pytest.raises(agentsdisc.RequestError, match="`shop`") as caught:
        service.request(capability)
    assert (caught.value.kind, caught.value.parameter) == ("placeholder", "shop")
    request = service.request(capability, {"shop": "mugs"})
    assert request.url == "https://mugs.example/v1/orders"
    with pytest.raises(agentsdisc.RequestError, match="`shop`") as caught:
        service.request(capability, {"shop": "evil.test/"})
    assert (caught.value.kind, caught.value.parameter) == ("invalid-argument", "shop")
    with pytest.raises(agentsdisc.RequestError, match="`shop`") as caught:
        service.detail_url("/x.json")
    assert caught.value.parameter == "shop"
    shop = {"shop": "mugs", "other": 1}
    url = "https://mugs.example/x.json"
    assert service.detail_url("/x.json", arguments=shop, rfc3986=True) == url
    url = "https://mugs.example/v1/x.json"
    assert service.detail_url("/x.json", arguments=shop) == url


def test_rfc3986_is_an_option_of_requests() -> None:
    capability = detail(endpoint="/orders", method="GET")
    assert manifest().request(capability).url == "https://mugs.example/v1/orders"
    request = manifest().request(capability, rfc3986=True)
    assert request.url == "https://mugs.example/orders"


def test_the_example_says_the_type_of_the_body_and_constant_headers() -> None:
    capability = detail(
        {"name": "a"},
        {"name": "b", "required": True, "default": [1]},
        request_example={
            "headers": {
                "Content-Type": "application/x-www-form-urlencoded",
                "API-Version": "3",
                "X-Token": "abc",
            }
        },
    )
    request = manifest().request(capability, {"a": "x y"})
    assert request.body == b"a=x+y&b=%5B1%5D"
    assert request.headers == {"Content-Type": "application/x-www-form-urlencoded"}
    assert manifest().constant_headers(capability) == {"API-Version": "3"}
    request = manifest().request(capability, {"a": "x y"}, constant_headers=True)
    assert request.headers["API-Version"] == "3"
    with pytest.raises(ValueError, match="adp-capability"):
        manifest().constant_headers(manifest())


def test_any_mapping_will_do_and_its_order_stands() -> None:
    arguments = types.MappingProxyType({"b": 1, "a": 2})
    request = manifest().request(detail({"name": "a"}, {"name": "b"}), arguments)
    assert request.body == b'{"b":1,"a":2}'
    wrong: Any
    for wrong in (["a"], "a", 5):
        with pytest.raises(TypeError, match="Mapping"):
            manifest().request(detail(), wrong)


def test_the_buffer_of_a_request_grows() -> None:
    text = "ü" * 100_000
    request = manifest().request(
        detail({"name": "x"}, {"name": "q", "in": "query"}), {"x": text, "q": text}
    )
    assert request.body == json.dumps({"x": text}, ensure_ascii=False).replace(
        ": ", ":"
    ).encode("utf-8")
    assert request.url == "https://mugs.example/v1/orders?q=" + "%C3%BC" * 100_000


def nested(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth - 1):
        value = [value]
    return value


def endless() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("arguments", "kind", "parameter", "said"),
    [
        ({}, "missing-argument", "id", "missing"),
        ({"id": 1, "zz\n": 2}, "unknown-argument", "zz\n", r"`zz\\n`"),
        ({"id": 1, "odd": 2}, "unplaced-argument", "odd", "cannot be sent"),
        ({"id": ".."}, "invalid-argument", "id", "does not allow"),
        ({"id": ""}, "invalid-argument", "id", "does not allow"),
        ({"id": 1, "X-A": "a\r\nb: c"}, "invalid-argument", "X-A", "does not allow"),
        ({"id": 1, "body": float("nan")}, "invalid-argument", "body", "JSON"),
        ({"id": 1, "body": [float("inf")]}, "invalid-argument", "body", "JSON"),
        ({"id": 1, "body": endless()}, "invalid-argument", "body", "ircular"),
        ({"id": 1, "body": nested(65)}, "invalid-argument", "body", "too deep"),
        (
            {"id": 1, "body": nested(100_000)},
            "invalid-argument",
            "body",
            "does not allow",
        ),
        ({"id": "\ud800"}, "invalid-argument", "id", "Unicode"),
        ({"id": ["\ud800"]}, "invalid-argument", "id", "surrogates"),
        (
            {"id": 1, "\ud800": 2},
            "unknown-argument",
            "\ufffd\ufffd\ufffd",
            "no parameter",
        ),
    ],
)
def test_invalid_arguments(
    arguments: Mapping[str, object], kind: str, parameter: str, said: str
) -> None:
    order = detail(
        {"name": "id", "required": True},
        {"name": "body"},
        {"name": "odd", "in": "path"},
        {"name": "X-A", "in": "header"},
        endpoint="/mugs/{id}",
    )
    with pytest.raises(RequestError, match=said) as caught:
        manifest().request(order, arguments)
    assert isinstance(caught.value, ValueError)
    assert (caught.value.kind, caught.value.parameter) == (kind, parameter)


def test_a_long_name_makes_no_long_message() -> None:
    name = "x" * 500_000
    with pytest.raises(RequestError) as caught:
        manifest().request(detail({"name": name, "required": True}))
    assert caught.value.parameter == name
    assert len(str(caught.value)) < 200


def test_values_that_json_does_not_support_are_type_errors() -> None:
    order = detail({"name": "x"})
    with pytest.raises(TypeError, match="`x` cannot be converted to JSON") as caught:
        manifest().request(order, {"x": object()})
    assert isinstance(caught.value.__cause__, TypeError)
    with pytest.raises(TypeError, match="`x` cannot be converted to JSON"):
        manifest().request(order, {"x": b"bytes"})
    wrong: Any = {1: 2}
    with pytest.raises(TypeError, match="names of arguments must be str, not int"):
        manifest().request(order, wrong)
    assert manifest().request(order, {"x": nested(64)}).body is not None


def test_errors_of_an_object_come_as_they_are() -> None:
    class Failing(dict[str, object]):
        def items(self) -> Any:
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        manifest().request(detail(), Failing())


@pytest.mark.parametrize(
    ("service", "members", "kind"),
    [
        ({"base_url": "ftp://mugs.example"}, {}, "invalid-base-url"),
        ({"base_url": "https://{host}"}, {}, "placeholder"),
        ({}, {"endpoint": "https://{host}/x"}, "missing-argument"),
        ({}, {"endpoint": "http://mugs.example:x/"}, "invalid-reference"),
        ({}, {"endpoint": None}, "missing-member"),
        ({}, {"method": ""}, "missing-member"),
        ({}, {"method": "GET /"}, "invalid-method"),
        ({"auth": {"header": "A:B"}}, {}, "invalid-auth-header"),
        ({"auth": {"prefix": "a\nb"}}, {}, "invalid-auth-header"),
        ({}, {"endpoint": "https://other.example/x"}, "cross-origin"),
        ({}, {"endpoint": "http://mugs.example/x"}, "insecure"),
    ],
)
def test_invalid_documents(
    service: dict[str, object], members: dict[str, object], kind: str
) -> None:
    with pytest.raises(RequestError) as caught:
        manifest(**service).request(detail(**members), token="KEY")
    assert caught.value.kind == kind
    is_named = kind in {"missing-argument", "placeholder"}
    assert (caught.value.parameter is None) is not is_named


def test_two_headers_of_one_name_are_refused() -> None:
    order = detail({"name": "X-A", "in": "header"}, {"name": "x-a", "in": "header"})
    with pytest.raises(RequestError) as caught:
        manifest().request(order, {"X-A": "1", "x-a": "2"})
    assert (caught.value.kind, caught.value.parameter) == ("repeated-argument", "x-a")
    service = manifest(auth={"type": "api_key", "header": "X-A"})
    with pytest.raises(RequestError) as caught:
        service.request(order, {"x-a": "2"}, token="KEY")
    assert (caught.value.kind, caught.value.parameter) == ("invalid-argument", "x-a")


def test_a_token_in_the_header_of_the_body_type_is_refused() -> None:
    service = manifest(auth={"type": "api_key", "header": "Content-Type"})
    order = detail({"name": "x"})
    with pytest.raises(RequestError) as caught:
        service.request(order, {"x": 1}, token="KEY")
    assert caught.value.kind == "invalid-auth-header"


def test_tokens() -> None:
    for token in ("", "a\r\nX: y", "ü", "\ud800"):
        with pytest.raises(RequestError) as caught:
            manifest().request(detail(), token=token)
        assert caught.value.kind == "invalid-token"
        assert caught.value.parameter is None
    elsewhere = detail(endpoint="https://other.example/x")
    assert manifest().request(elsewhere).headers == {}
    trusting = manifest().request(elsewhere, token="KEY", trust_endpoint=True)
    assert trusting.headers == {"Authorization": "Bearer KEY"}
    own = detail(endpoint="/x")
    base = urlsplit(manifest().detail_url("/x") or "")
    origin = f"{base.scheme}://{base.netloc}"
    sent = manifest().request(own, token="KEY", origin=origin).headers
    assert sent == {"Authorization": "Bearer KEY"}
    for other in ("https://other.example", f"{origin}:0", "", "\ud800"):
        with pytest.raises(RequestError) as caught:
            manifest().request(own, token="KEY", origin=other)
        assert caught.value.kind == "cross-origin"
    without = manifest(auth={"type": "none"}).request(elsewhere, token="KEY")
    assert without.headers == {}


def test_documents_of_other_formats() -> None:
    other = agentsdisc.parse(TEXT, format="agents-txt")
    with pytest.raises(
        ValueError, match="the document has the format agents-txt, not adp"
    ):
        other.request(detail())
    with pytest.raises(
        ValueError, match="the detail has the format adp, not adp-capability"
    ):
        manifest().request(manifest())
    with pytest.raises(
        ValueError, match="the document has the format adp-capability, not adp"
    ):
        detail().detail_url("/x")
    with pytest.raises(
        ValueError, match="the document has the format agents-txt, not awp"
    ):
        other.prerequisites("x")


def test_where_details_are() -> None:
    service = manifest()
    order, lost = service.capabilities
    assert service.detail_url(order) == "https://mugs.example/v1/order.json"
    assert service.detail_url(order, rfc3986=True) == "https://mugs.example/order.json"
    assert service.detail_url(lost) is None
    assert service.detail_url("https://other.example/x") == "https://other.example/x"
    assert service.detail_url("//other.example/x") == "https://other.example/x"
    assert service.detail_url("x") == "https://mugs.example/v1/x"
    assert service.detail_url("x", rfc3986=True) == "https://mugs.example/x"
    for reference, kind in {
        "/{id}": "placeholder",
        "file:///etc/passwd": "invalid-reference",
        "/a b": "invalid-reference",
        "/\ud800": "invalid-reference",
        "/" + "x" * 100_000: "invalid-reference",
    }.items():
        with pytest.raises(RequestError) as caught:
            service.detail_url(reference)
        parameter = "id" if kind == "placeholder" else None
        assert (caught.value.kind, caught.value.parameter) == (kind, parameter)
    wrong: Any
    for wrong in (None, 5, b"/x"):
        with pytest.raises(TypeError, match="must be a Capability or str"):
            service.detail_url(wrong)


def test_where_to_search() -> None:
    url = adp_search_url("https://registry.example/v1/", "send ü~*&")
    assert url == "https://registry.example/v1/api/discover?q=send+%C3%BC%7E*%26"
    long = adp_search_url("https://registry.example", "ü" * 10_000)
    assert long.endswith("?q=" + "%C3%BC" * 10_000)
    with pytest.raises(RequestError, match="registry") as caught:
        adp_search_url("mugs", "x")
    assert caught.value.kind == "invalid-base-url"


def agent_json(dependencies: object) -> Document:
    whole = {"awp_version": "0.2", "dependencies": dependencies}
    return agentsdisc.parse(json.dumps(whole), format="awp")


def test_prerequisites_are_in_order() -> None:
    document = agent_json(
        {"check_in": ["book", "p\u00e4y"], "book": "search", "p\u00e4y": ["book"]}
    )
    assert document.prerequisites("check_in") == ("search", "book", "päy")
    assert document.prerequisites("search") == ()
    assert document.prerequisites("unheard-of") == ()
    assert agent_json(None).prerequisites("x") == ()


def test_a_long_chain_of_prerequisites() -> None:
    count = 20_000
    document = agent_json({f"a{n}": [f"a{n + 1}"] for n in range(count)})
    order = document.prerequisites("a0")
    assert order == tuple(f"a{n}" for n in range(count, 0, -1))


def test_a_cycle_is_named() -> None:
    document = agent_json({"a": ["b"], "b": ["c"], "c": ["d", "b"], "d": []})
    with pytest.raises(PrerequisiteError, match="require one another") as caught:
        document.prerequisites("a")
    assert isinstance(caught.value, ValueError)
    assert set(caught.value.cycle) == {"b", "c"}
    assert document.prerequisites("d") == ()
    with pytest.raises(PrerequisiteError) as caught:
        agent_json({"a": ["a"]}).prerequisites("a")
    assert caught.value.cycle == ("a",)


@pytest.mark.parametrize(
    ("dependencies", "readable"),
    [
        (5, ()),
        ("pay", ()),
        ({"a": 5}, ()),
        ({"a": {"b": True}}, ()),
        ({"a": ["b", 7]}, ("b",)),
    ],
)
def test_unreadable_dependencies_raise(
    dependencies: object, readable: tuple[str, ...]
) -> None:
    with pytest.raises(PrerequisiteError, match="cannot be read") as caught:
        agent_json(dependencies).prerequisites("a")
    assert (caught.value.cycle, caught.value.readable) == ((), readable)


def test_types() -> None:
    flight = TypeExpr("object", "object[flight]", entity="flight")
    inner = TypeExpr("array", "Array[ object[flight] ]", flight)
    whole = parse_type(" array[Array[ object[flight] ]] ")
    assert whole == TypeExpr("array", "array[Array[ object[flight] ]]", inner)
    assert whole.innermost == flight
    assert flight.innermost is flight
    assert hash(whole) == hash(pickle.loads(pickle.dumps(whole)))
    with pytest.raises(AttributeError):
        whole.kind = "x"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "kind", "options"),
    [
        ("string", "string", ()),
        ("INTEGER", "integer", ()),
        ("float", "float", ()),
        ("boolean", "boolean", ()),
        ("ISO8601", "date-time", ()),
        ("url", "url", ()),
        ("enum", "enum", ()),
        ("enum[a, b c,, d]", "enum", ("a", "b c", "d")),
        ("array", "array", ()),
        ("object", "object", ()),
        ("airport_code", "named", ()),
    ],
)
def test_kinds_of_types(text: str, kind: str, options: tuple[str, ...]) -> None:
    assert parse_type(text) == TypeExpr(kind, text, options=options)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        (" ", "empty"),
        ("array[string", "unbalanced"),
        ("array[]", "malformed"),
        ("object[array[x]]", "malformed"),
        ("array[" * 33 + "x" + "]" * 33, "too-deep"),
        ("[" * 1_000_000, "too-deep"),
    ],
)
def test_invalid_type_expressions(text: str, kind: str) -> None:
    with pytest.raises(TypeExprError) as caught:
        parse_type(text)
    assert caught.value.kind == kind
    assert isinstance(caught.value, ValueError)


def test_types_as_deep_as_can_be() -> None:
    whole = parse_type("array[" * 32 + "x" + "]" * 32)
    assert whole.innermost == TypeExpr("named", "x")
    assert repr(whole).count("kind='array'") == 32
