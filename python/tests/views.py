"""Builds the unified model from the typed views of a document, to compare it with `to_dict` in full."""

import functools
import inspect
from typing import Any

import agentsdisc

# Attributes of a document that are not members of the model.
BESIDES = {"bytes"}

# Raw values and maps by name are copied unchanged, even if they are empty.
RAW = {
    "value",
    "default",
    "example",
    "min",
    "max",
    "items",
    "confidence",
    "request_example",
    "response_example",
}
MEMBERS = {"metadata", "extra", "features"}


@functools.cache
def attributes(kind: type) -> tuple[str, ...]:
    """Returns the names of the properties of a view."""
    names = (name for name, _ in inspect.getmembers(kind, inspect.isdatadescriptor))
    return tuple(
        name for name in names if not name.startswith("_") and name not in BESIDES
    )


def as_model(part: Any, name: str = "") -> Any:
    """Returns a view as in the unified model."""
    if name in RAW or isinstance(part, str | bool | int | float) or part is None:
        return part
    if name in MEMBERS:
        return dict(part)
    if isinstance(part, dict | list):  # the type of an output is a raw value
        return part
    if isinstance(part, tuple | agentsdisc.Capabilities):
        # The options of a parameter are raw values.
        return [as_model(item, "value" if name == "options" else "") for item in part]
    model: dict[str, Any] = {}
    for attribute in attributes(type(part)):
        value = getattr(part, attribute)
        if value is None:
            # JSON null is a raw value, which cannot be distinguished from an absent value.
            continue
        shown = as_model(value, attribute)
        grants = (
            isinstance(part, agentsdisc.AgentPolicy) and attribute == "capabilities"
        )
        is_raw = attribute in RAW
        if shown in ({}, [], ()) and not grants and not is_raw:
            is_object = not isinstance(shown, list) and attribute not in MEMBERS
            always = attribute in {"access", "permissions"}
            if not is_object or always:
                continue
        model[attribute] = shown
    return model


def without_implied(model: dict[str, Any]) -> dict[str, Any]:
    """Returns the model without `none` as the authentication of a capability.

    The default is `none`. The views show this default; the model omits defaults.
    """
    results = model.get("search", {}).get("results", [])
    for owner in (model, *results):
        # A service without members.
        if owner.get("service") == {}:
            del owner["service"]
        for capability in owner.get("capabilities", []):
            if capability.get("auth", {}).get("type") == "none":
                del capability["auth"]["type"]
    return model
