r"""Reads the documents with which web sites tell AI agents what they may do.

`parse` reads agents.txt, agents.json, agents.md, agent.json and their relatives into one
model; `detect` says what a document is; `Document.check` says what breaks the
specification, and where. `parse_batch` and `parse_stream` make Arrow tables of many
documents. `RobotsTxt` says who may fetch what, and by which line.

>>> import agentsdisc
>>> document = agentsdisc.parse(
...     "Spec-Version: 1.0\nSite-Name: Mug Shop\nSite-URL: https://mugs.example\n"
... )
>>> document.format, document.service.name
('agents-txt', 'Mug Shop')
"""

from collections.abc import Sequence as _Sequence

from ._agentsdisc import (
    Access,
    AgentPolicy,
    Audit,
    Batch,
    BatchReader,
    Capabilities,
    Capability,
    CapabilityAuth,
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
    Output,
    Parameter,
    ParseError,
    Permissions,
    Plan,
    Pricing,
    Provenance,
    RateLimit,
    Recovery,
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
    __version__,
    batch_schema,
    codes,
    detect,
    detect_evidence,
    formats,
    parse,
    parse_batch,
    parse_stream,
)

_Sequence.register(Capabilities)

__all__ = [
    "Access",
    "AgentPolicy",
    "Audit",
    "Batch",
    "BatchReader",
    "Capabilities",
    "Capability",
    "CapabilityAuth",
    "DecidingRule",
    "Dependency",
    "Diagnostic",
    "Document",
    "Endpoint",
    "Entity",
    "Flow",
    "Hint",
    "Idempotency",
    "Limits",
    "Output",
    "Parameter",
    "ParseError",
    "Permissions",
    "Plan",
    "Pricing",
    "Provenance",
    "RateLimit",
    "Recovery",
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
    "__version__",
    "batch_schema",
    "codes",
    "detect",
    "detect_evidence",
    "formats",
    "parse",
    "parse_batch",
    "parse_stream",
]
