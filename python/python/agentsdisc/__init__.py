r"""Reads the documents by which web sites tell AI agents what they may do.

`parse` reads agents.txt, agents.json, agents.md, agent.json and their relatives into one
model. `detect` returns the format of a document; `Document.check` reports what breaks the
specification, and where. `RobotsTxt` decides who may fetch what, `decide` what an agent may
do by all documents of a site, and `discover` gets them over HTTP. `parse_batch` and
`parse_stream` make Arrow tables of many documents.

>>> import agentsdisc
>>> document = agentsdisc.parse(
...     "Spec-Version: 1.0\nSite-Name: Mug Shop\nSite-URL: https://mugs.example\n"
... )
>>> document.format, document.service.name
('agents-txt', 'Mug Shop')
"""

from _collections_abc import Sequence as _Sequence

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
    CompiledRobots,
    ConvertError,
    DecidingRule,
    Dependency,
    Diagnostic,
    Document,
    Endpoint,
    Entity,
    Extension,
    Flow,
    Hint,
    Idempotency,
    Key,
    Limits,
    Link,
    Loss,
    Output,
    Parameter,
    ParseError,
    Permissions,
    Plan,
    Preference,
    PreferenceAnswer,
    PrerequisiteError,
    Pricing,
    Provenance,
    RateLimit,
    Recovery,
    Reference,
    Registration,
    RequestError,
    Robots,
    RobotsDecision,
    RobotsField,
    RobotsGroup,
    RobotsPreference,
    RobotsRule,
    RobotsTxt,
    Schema,
    Search,
    SearchResult,
    SecurityScheme,
    Service,
    ServiceAuth,
    Session,
    Signature,
    Skill,
    Status,
    TypeExprError,
    __version__,
    adp_search_url,
    batch_schema,
    codes,
    detect,
    detect_evidence,
    formats,
    links,
    parse,
    parse_batch,
    parse_stream,
    parse_type,
    reasons,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._companion import Difference, Differences, differences
    from ._formats import Request, TypeExpr
    from ._offers import Offer, capabilities
    from ._policy import (
        AppliedLimit,
        Decision,
        DecisionAuth,
        DecisionPreference,
        DecisionRule,
        DecisionSession,
        decide,
    )
    from ._tools import Tool, ToolResult, Tools, tools
    from ._written import Converted, Fixed, fix
    from .discovery import adiscover, discover
    from .readiness import acheck_site, check_site
    from .registry.client import (
        FoundCapability,
        FoundService,
        FoundServices,
        asearch,
        search,
    )

_Sequence.register(Capabilities)

_LAZY = {
    "AppliedLimit": "_policy",
    "Converted": "_written",
    "Decision": "_policy",
    "DecisionAuth": "_policy",
    "DecisionPreference": "_policy",
    "DecisionRule": "_policy",
    "DecisionSession": "_policy",
    "Difference": "_companion",
    "Differences": "_companion",
    "Fixed": "_written",
    "FoundCapability": "registry.client",
    "FoundService": "registry.client",
    "FoundServices": "registry.client",
    "Offer": "_offers",
    "Request": "_formats",
    "Tool": "_tools",
    "ToolResult": "_tools",
    "Tools": "_tools",
    "TypeExpr": "_formats",
    "acheck_site": "readiness",
    "adiscover": "discovery",
    "asearch": "registry.client",
    "capabilities": "_offers",
    "check_site": "readiness",
    "decide": "_policy",
    "differences": "_companion",
    "discover": "discovery",
    "fix": "_written",
    "search": "registry.client",
    "tools": "_tools",
}
"""The modules of the names that are imported on first use, so that importing the package is fast."""

_MODULES = ("calls", "discovery", "mcp", "readiness", "registry", "serving", "verify")
"""Modules that require other packages."""


def __getattr__(name: str) -> object:
    """Imports a name on first use."""
    from importlib import import_module

    if name in _LAZY:
        found: object = getattr(import_module(f".{_LAZY[name]}", __name__), name)
        globals()[name] = found
        return found
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Returns all public names, also those that are imported on first use."""
    own = (name for name in globals() if name not in {"TYPE_CHECKING"})
    return sorted({*own, *__all__, *_MODULES})


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
    "CompiledRobots",
    "ConvertError",
    "Converted",
    "DecidingRule",
    "Decision",
    "DecisionAuth",
    "DecisionPreference",
    "DecisionRule",
    "DecisionSession",
    "Dependency",
    "Diagnostic",
    "Difference",
    "Differences",
    "Document",
    "Endpoint",
    "Entity",
    "Extension",
    "Fixed",
    "Flow",
    "FoundCapability",
    "FoundService",
    "FoundServices",
    "Hint",
    "Idempotency",
    "Key",
    "Limits",
    "Link",
    "Loss",
    "Offer",
    "Output",
    "Parameter",
    "ParseError",
    "Permissions",
    "Plan",
    "Preference",
    "PreferenceAnswer",
    "PrerequisiteError",
    "Pricing",
    "Provenance",
    "RateLimit",
    "Recovery",
    "Reference",
    "Registration",
    "Request",
    "RequestError",
    "Robots",
    "RobotsDecision",
    "RobotsField",
    "RobotsGroup",
    "RobotsPreference",
    "RobotsRule",
    "RobotsTxt",
    "Schema",
    "Search",
    "SearchResult",
    "SecurityScheme",
    "Service",
    "ServiceAuth",
    "Session",
    "Signature",
    "Skill",
    "Status",
    "Tool",
    "ToolResult",
    "Tools",
    "TypeExpr",
    "TypeExprError",
    "__version__",
    "acheck_site",
    "adiscover",
    "adp_search_url",
    "asearch",
    "batch_schema",
    "capabilities",
    "check_site",
    "codes",
    "decide",
    "detect",
    "detect_evidence",
    "differences",
    "discover",
    "fix",
    "formats",
    "links",
    "parse",
    "parse_batch",
    "parse_stream",
    "parse_type",
    "reasons",
    "search",
    "tools",
]
