r"""Reads the documents with which web sites tell AI agents what they may do.

`parse` reads agents.txt, agents.json, agents.md, agent.json and their relatives into one
model; `detect` says what a document is; `Document.check` says what breaks the
specification, and where. `RobotsTxt` says who may fetch what, and by which line,
`decide` what an agent may do by all documents of a site, and `discover` asks a site over
HTTP for all of them. `parse_batch` and `parse_stream` make Arrow tables of many documents.

>>> import agentsdisc
>>> document = agentsdisc.parse(
...     "Spec-Version: 1.0\nSite-Name: Mug Shop\nSite-URL: https://mugs.example\n"
... )
>>> document.format, document.service.name
('agents-txt', 'Mug Shop')
"""

from collections.abc import Sequence as _Sequence
from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._agentsdisc import (
    Access,
    AgentPolicy,
    Audit,
    Batch,
    BatchReader,
    Capabilities,
    Capability,
    CapabilityAuth,
    Change,
    ConvertError,
    DecidingRule,
    Dependency,
    Diagnostic,
    Document,
    Endpoint,
    Entity,
    Flow,
    Hint,
    Idempotency,
    Limits,
    Loss,
    Output,
    Parameter,
    ParseError,
    Permissions,
    Plan,
    PrerequisiteError,
    Pricing,
    Provenance,
    RateLimit,
    Recovery,
    RequestError,
    Robots,
    RobotsDecision,
    RobotsGroup,
    RobotsRule,
    RobotsTxt,
    Schema,
    Search,
    SearchResult,
    Service,
    ServiceAuth,
    Session,
    Status,
    TypeExprError,
    __version__,
    adp_search_url,
    batch_schema,
    codes,
    detect,
    detect_evidence,
    formats,
    parse,
    parse_batch,
    parse_stream,
    parse_type,
    reasons,
)
from ._companion import Difference, Differences, differences
from ._formats import Request, TypeExpr
from ._policy import (
    AppliedLimit,
    Decision,
    DecisionAuth,
    DecisionRule,
    DecisionSession,
    decide,
)
from ._written import Converted, Fixed, fix

if _TYPE_CHECKING:
    from .discovery import adiscover, discover

_Sequence.register(Capabilities)

_MODULES = ("discovery", "mcp", "serving")
"""Those that need other packages: they are imported when they are asked for."""


def __getattr__(name: str) -> object:
    """What only those who ask sites need is imported when it is asked for: the rest comes sooner without it."""
    if name in {"adiscover", "discover"}:
        from . import discovery

        return getattr(discovery, name)
    if name in _MODULES:
        from importlib import import_module

        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """All names, also those that are imported when they are asked for."""
    return sorted({*globals(), *__all__, *_MODULES})


__all__ = [
    "Access",
    "AgentPolicy",
    "AppliedLimit",
    "Audit",
    "Batch",
    "BatchReader",
    "Capabilities",
    "Capability",
    "CapabilityAuth",
    "Change",
    "ConvertError",
    "Converted",
    "DecidingRule",
    "Decision",
    "DecisionAuth",
    "DecisionRule",
    "DecisionSession",
    "Dependency",
    "Diagnostic",
    "Difference",
    "Differences",
    "Document",
    "Endpoint",
    "Entity",
    "Fixed",
    "Flow",
    "Hint",
    "Idempotency",
    "Limits",
    "Loss",
    "Output",
    "Parameter",
    "ParseError",
    "Permissions",
    "Plan",
    "PrerequisiteError",
    "Pricing",
    "Provenance",
    "RateLimit",
    "Recovery",
    "Request",
    "RequestError",
    "Robots",
    "RobotsDecision",
    "RobotsGroup",
    "RobotsRule",
    "RobotsTxt",
    "Schema",
    "Search",
    "SearchResult",
    "Service",
    "ServiceAuth",
    "Session",
    "Status",
    "TypeExpr",
    "TypeExprError",
    "__version__",
    "adiscover",
    "adp_search_url",
    "batch_schema",
    "codes",
    "decide",
    "detect",
    "detect_evidence",
    "differences",
    "discover",
    "fix",
    "formats",
    "parse",
    "parse_batch",
    "parse_stream",
    "parse_type",
    "reasons",
]
