"""JSON Schemas for the tools of models: bounded, without hidden characters, and in the part of JSON Schema that every API accepts.

The core writes the schemas. What is in them comes from strangers: an instruction in the description of a parameter reaches the model, and one name or
keyword that an API does not accept makes it refuse the whole request.
"""

import hashlib
import json
import re
from typing import Any

from ._visible import beginning, hidden, masked

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", re.ASCII)
"""Matches the names of tools and of parameters that every API accepts."""
LONGEST = 64
_MOST_TEXT, _MOST_BYTES, _MOST_VALUE = 200, 16_000, 200
_DEPTH, _STRICT_DEPTH, _STRICT_COUNT = 12, 5, 100
_KEPT = (
    "type",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "$ref",
)
"""Keywords whose values are kept as they are. Those that are not known are dropped, because models read them as well."""
_ONE = ("items", "not", "contains")
_SEVERAL = ("anyOf", "oneOf", "allOf", "prefixItems")
_NAMED = ("$defs", "definitions")
_ANYTHING: dict[str, Any] = {"type": "object", "properties": {}}


def foreign(text: str, most: int) -> str:
    """Returns a text of a stranger on one line between « and »: bounded, without secrets, hidden characters and these marks."""
    line = " ".join(cleaned(text).split())
    return f"«{beginning(masked(line), most)}»"


def cleaned(text: str) -> str:
    """Returns a text without hidden characters, and without the marks around foreign texts."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        " " if c.isspace() else c
        for c in text
        if c.isspace() or not (hidden(c) or c in "«»")
    )


def accepted_name(name: str, known: set[str] = frozenset()) -> str:  # type: ignore[assignment]
    """Returns the name itself if every API accepts it; otherwise similar characters and the beginning of a digest, which is in no name of `known`."""
    if NAME.fullmatch(name):
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    similar = re.sub(r"[^A-Za-z0-9-]+", "_", name[: 4 * LONGEST], flags=re.ASCII).strip(
        "_-"
    )
    similar = similar if similar[:1].isalpha() else f"_{similar}"
    for length in range(6, LONGEST - 1, 4):
        made = f"{similar[: LONGEST - 1 - length]}_{digest[:length]}"
        if made not in known:
            return made
    return digest


class Arguments:
    """The schema of the arguments of a tool as a model gets it, and the names in it that differ from those of the document."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.renamed: dict[str, str] = {}
        """The document's names, by those in the schema."""
        made = self._schema(schema, 0, is_top=True)
        if len(json.dumps(made)) > _MOST_BYTES:
            made = self._bare(made)
        self.schema: dict[str, Any] = made
        self.strict = strict(made)
        """The schema in the form that strict modes accept: every member required, none besides them. None if it cannot be written so."""

    def read(self, given: Any) -> Any:
        """Returns arguments of a model with the names of the document."""
        if not self.renamed:
            return given
        match given:
            case dict():
                return {
                    self.renamed.get(name, name): self.read(value)
                    for name, value in given.items()
                }
            case list():
                return [self.read(each) for each in given]
        return given

    def _name(self, name: str) -> str:
        made = accepted_name(name)
        if made != name:
            self.renamed[made] = name
        return made

    def _schema(self, given: Any, depth: int, *, is_top: bool = False) -> Any:
        """Returns a schema with what is kept of it. Its nesting is bounded by the core."""
        if isinstance(given, bool):
            return given
        if not isinstance(given, dict) or depth > _DEPTH:
            return {}
        made: dict[str, Any] = {name: given[name] for name in _KEPT if name in given}
        said = given.get("description", given.get("title"))
        if isinstance(said, str) and said.strip():
            made["description"] = foreign(said, _MOST_TEXT)
        if "enum" in given and (options := [o for o in given["enum"] if _is_plain(o)]):
            made["enum"] = options
        for name in ("const", "default"):
            if name in given and _is_plain(given[name]):
                made[name] = given[name]
        if isinstance(properties := given.get("properties"), dict):
            made["properties"] = {
                self._name(name): self._schema(each, depth + 1)
                for name, each in properties.items()
            }
            required = [
                self._name(name)
                for name in given.get("required", ())
                if name in properties
            ]
            if required:
                made["required"] = required
        for name in _ONE:
            if name in given:
                made[name] = self._schema(given[name], depth + 1)
        for name in _NAMED:
            if name in given:
                made[name] = {
                    key: self._schema(each, depth + 1)
                    for key, each in given[name].items()
                }
        for name in _SEVERAL:
            # No API accepts alternatives at the top.
            if name in given and not is_top:
                made[name] = [self._schema(each, depth + 1) for each in given[name]]
        if (
            given.get("additionalProperties") is False
            and "patternProperties" not in given
        ):
            made["additionalProperties"] = False
        if is_top:
            made.pop("$ref", None)
            made = {**_ANYTHING, **made}
        if made.get("type") == "array":
            made.setdefault("items", {})
        return made

    @staticmethod
    def _bare(schema: dict[str, Any]) -> dict[str, Any]:
        """Returns a long schema with no more than the types of its required members."""
        required = schema.get("required", [])[:_STRICT_COUNT]
        types = {name: schema["properties"][name] for name in required}
        bare = {
            name: {"type": each["type"]}
            if isinstance(each, dict) and each.get("type") in _SCALARS
            else {}
            for name, each in types.items()
        }
        return {
            "type": "object",
            "properties": bare,
            **({"required": required} if required else {}),
        }


_SCALARS = ("string", "integer", "number", "boolean")


def _is_plain(value: Any) -> bool:
    """Whether a value in a schema is shown to models as it is: it is short, and its text has no hidden characters."""
    if isinstance(value, str):
        return len(value) <= _MOST_VALUE and not any(map(hidden, value))
    return value is None or isinstance(value, bool | int | float)


def strict(schema: dict[str, Any]) -> dict[str, Any] | None:
    """Returns a schema in the form that the strict modes of models' APIs accept; None if it has none.

    There, each object names all its members as required, and permits no others. A member that was not required may be null, which
    counts as absent. What else a schema says becomes a part of its description.
    """
    if schema.get("additionalProperties") is not False:
        return None
    try:
        return _Strict().object(schema, 1)
    except _NotStrict:
        return None


class _NotStrict(Exception):
    """A schema has no strict form."""


_WORDS = {
    "default": "default: {}",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "uniqueItems": "no item twice",
    "format": "format: {}",
}
"""How what is no part of a strict schema is said in words."""


_LOOSE = frozenset({*_SEVERAL, *_NAMED, "not"})
"""Keywords that no strict schema has."""
_UNSAID = frozenset({"$ref", "contains"})
"""Keywords that no member of a strict schema has."""


class _Strict:
    """Makes strict schemas; counts the members."""

    def __init__(self) -> None:
        self.count = 0

    def object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        properties = schema.get("properties")
        if properties is None or depth > _STRICT_DEPTH or not _LOOSE.isdisjoint(schema):
            raise _NotStrict
        self.count += len(properties)
        if self.count > _STRICT_COUNT:
            raise _NotStrict
        required = schema.get("required", ())
        made = {
            name: self.member(each, depth, is_optional=name not in required)
            for name, each in properties.items()
        }
        said = {"description": schema["description"]} if "description" in schema else {}
        return {
            "type": "object",
            **said,
            "properties": made,
            "required": [*made],
            "additionalProperties": False,
        }

    def member(self, schema: Any, depth: int, *, is_optional: bool) -> dict[str, Any]:
        if (
            not isinstance(schema, dict)
            or not _LOOSE.isdisjoint(schema)
            or not _UNSAID.isdisjoint(schema)
        ):
            raise _NotStrict
        options = [schema["const"]] if "const" in schema else schema.get("enum")
        kind = schema.get("type")
        if kind is None:
            kind = (
                _type_of(options) if options else [*_SCALARS[:1], "number", "boolean"]
            )
        kinds = [kind] if isinstance(kind, str) else [*kind]
        made: dict[str, Any] = {}
        words = [schema["description"]] if "description" in schema else []
        words += [
            text.format(json.dumps(schema[name]))
            for name, text in _WORDS.items()
            if name in schema
        ]
        if words:
            made["description"] = "; ".join(words)
        if "object" in kinds:
            if kinds != ["object"]:
                raise _NotStrict
            inner = self.object(
                {**schema, "description": made.get("description", "")}, depth + 1
            )
            if not inner["description"]:
                del inner["description"]
            if not is_optional:
                return inner
            return {"anyOf": [inner, {"type": "null"}]}
        if "array" in kinds:
            if (
                not {*kinds} <= {"array", "null"}
                or not isinstance(schema.get("items"), dict)
                or not schema["items"]
            ):
                raise _NotStrict
            made["items"] = self.member(schema["items"], depth + 1, is_optional=False)
        if is_optional and "null" not in kinds:
            kinds.append("null")
        if options is not None:
            made["enum"] = (
                [*options, None] if is_optional and None not in options else options
            )
        return {"type": kinds if len(kinds) > 1 else kinds[0], **made}


def _type_of(options: list[Any]) -> list[str]:
    """Returns the types of options."""
    names = {
        str: "string",
        bool: "boolean",
        int: "number",
        float: "number",
        type(None): "null",
    }
    return [*dict.fromkeys(names[type(each)] for each in options)]
