"""Batches: a column does not depend on the other columns, or on how it was created."""

from collections.abc import Iterator
from typing import Any

import agentsdisc
from test_batch import FEW, JSON, pa, whole


def test_texts_in_any_encoding_stand_beside_others() -> None:
    """Texts equal those of `parse`: valid columns are copied; if one text is invalid, all texts are validated."""
    patterns = [
        b"/plain",
        "/caf\u00e9/\u65e5\u672c/\U0001f600".encode(),
        b"/caf\xe9",
        b"/\xff\xfe",
        b"/cut\xe6\x97",
        b"/\xed\xa0\x80",
        b"/\xc0\xaf",
        b"/\xf4\x90\x80\x80",
        b"/",
        "/\u00e9".encode() * 50 + b"\xe9" + "/\u00e9".encode() * 50,
    ]
    bodies = [b"User-agent: a\nDisallow: %b\n" % one for one in patterns] + [JSON, b""]
    for order in (bodies, bodies[::-1], bodies[:2], bodies[2:3] * 3):
        for threads in (1, 2):
            rows = whole(agentsdisc.parse_batch(order, threads=threads)).to_pylist()
            for body, row in zip(order, rows, strict=True):
                if row["format"] == "robots-txt":
                    alone = agentsdisc.parse(body).to_dict()["robots"]
                    found = row["robots"]["groups"][0]["rules"]
                    rules = alone["groups"][0]["rules"]
                    assert [one["pattern"] for one in found] == [
                        one["pattern"] for one in rules
                    ]
                    assert len(found) == 1


def leaves(field: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yields every column without members, with its path."""
    kind = field.type
    while pa.types.is_list(kind):
        field, kind = kind.value_field, kind.value_type
    if pa.types.is_struct(kind):
        for member in kind:
            yield from leaves(member, f"{path}.{member.name}")
    else:
        yield path, field


def test_every_column_can_be_chosen_alone() -> None:
    """The schema of selected columns is part of the full schema, although the columns are created separately."""
    everything = pa.schema(agentsdisc.batch_schema())
    everywhere = {
        path: field
        for column in everything
        for path, field in leaves(column, column.name)
    }
    assert len(everywhere) > 200
    for path, field in everywhere.items():
        schema = pa.schema(agentsdisc.batch_schema([path]))
        assert schema.metadata == everything.metadata
        (column,) = schema
        assert [(path, field)] == list(leaves(column, column.name))
        assert field.metadata == next(leaves(column, column.name))[1].metadata
        assert whole(agentsdisc.parse_batch(FEW, columns=[path])).schema == schema
    for path in ("capabilities.auth", "robots", "search.results.capabilities"):
        assert whole(agentsdisc.parse_batch(FEW, columns=[path])).num_columns == 1
