"""The extension module. Its public names are those of the package `agentsdisc`."""

import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import (
    Any,
    ClassVar,
    Protocol,
    Self,
    TypeAlias,
    TypedDict,
    final,
    overload,
    type_check_only,
)

from typing_extensions import Buffer

from ._formats import Request, TypeExpr
from ._policy import Decision, RobotsState
from ._written import Converted, Fixed

__all__ = [
    "_ASKING_ORIGIN",
    "_BUDGET",
    "_RULES",
    "Access",
    "AgentPolicy",
    "Audit",
    "Batch",
    "BatchReader",
    "Capabilities",
    "Capability",
    "CapabilityAuth",
    "Change",
    "CompiledRobots",
    "ConvertError",
    "DecidingRule",
    "Dependency",
    "Diagnostic",
    "Document",
    "Endpoint",
    "Entity",
    "Extension",
    "Flow",
    "Hint",
    "Idempotency",
    "Key",
    "Limits",
    "Link",
    "Loss",
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
    "TypeExprError",
    "_Archive",
    "_Call",
    "_Claim",
    "_Discovery",
    "_Keys",
    "_Zstd",
    "__version__",
    "_agent_name",
    "_auth_header",
    "_card_keys",
    "_checks",
    "_claim",
    "_decide",
    "_differences",
    "_document",
    "_explained",
    "_facts",
    "_find_key",
    "_identity_reasons",
    "_key_words",
    "_licenses",
    "_lifetime",
    "_limits",
    "_offers",
    "_resources",
    "_restored",
    "_robots",
    "_serve",
    "_serving_codes",
    "_signature_base",
    "_survey",
    "_thumbprints",
    "_to_sign",
    "_whole",
    "adp_search_url",
    "batch_json_lines",
    "batch_of",
    "batch_schema",
    "codes",
    "detect",
    "detect_evidence",
    "fitting_rows",
    "formats",
    "host_relation",
    "json_lines",
    "links",
    "masked",
    "parse",
    "parse_batch",
    "parse_stream",
    "parse_type",
    "reasons",
]

__version__: str

class ParseError(ValueError):
    """A document cannot be read."""

    kind: str
    """A stable name, such as `invalid-json`."""
    format: str
    """The format of a document that is recognized but not read (`not-a-discovery-document`); otherwise `unknown`."""
    offset: int
    """Byte offset, from 0."""
    line: int
    """Line, from 1."""
    column: int
    """Column in bytes, from 1."""

class ConvertError(ValueError):
    """A document cannot be converted or fixed."""

    losses: tuple[Loss, ...]
    """If the conversion was refused, losses of severity `error` state why."""

class RequestError(ValueError):
    """A URL or a request cannot be created."""

    kind: str
    """A stable name, such as `missing-argument`."""
    parameter: str | None
    """The name of the parameter with the error; None if the error concerns no parameter."""

class PrerequisiteError(ValueError):
    """Actions require each other, so that no order is possible, or the dependencies cannot be read."""

    cycle: tuple[str, ...]
    """Each action requires the next one, and the last one the first. Empty if the dependencies cannot be read."""
    readable: tuple[str, ...]
    """If the dependencies cannot be read, the prerequisites that can be."""

class TypeExprError(ValueError):
    """A text is not a valid type expression."""

    kind: str
    """A stable name: `empty`, `unbalanced`, `malformed` or `too-deep`."""

@final
class Limits:
    """The largest documents that are read.

    Parsing fails with an error that names the exceeded limit; nothing is truncated
    silently. Omitted arguments have their defaults.
    """

    def __new__(
        cls,
        *,
        document: int = 1048576,
        depth: int = 64,
        line: int = 65536,
        robots: int = 512000,
    ) -> Self: ...
    @property
    def document(self) -> int:
        """Size of a document in bytes. Default 1 MiB."""

    @property
    def depth(self) -> int:
        """Depth of JSON, YAML and Markdown, at most 256. Default 64."""

    @property
    def line(self) -> int:
        """Length of a line in the text formats, in bytes. Default 64 KiB."""

    @property
    def robots(self) -> int:
        """Number of bytes of a robots.txt to read. Default 500 KiB."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Diagnostic:
    """One problem that the check of a document found."""

    @property
    def code(self) -> str:
        """The code: a stable name, such as `missing-required-field`."""

    @property
    def severity(self) -> str:
        """`error`, `warning` or `info`."""

    @property
    def line(self) -> int:
        """Line, from 1."""

    @property
    def column(self) -> int:
        """Column in bytes, from 1."""

    @property
    def offset(self) -> int:
        """Byte offset of the start, from 0."""

    @property
    def end(self) -> int:
        """Byte offset of the end."""

    @property
    def message(self) -> str:
        """The problem, in a sentence."""

    @property
    def spec(self) -> str:
        """The specification that states the rule."""

    @property
    def section(self) -> str:
        """The section of that specification; empty if none applies."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Link:
    """A URL in a document."""

    @property
    def url(self) -> str:
        r"""The URL as written.

        Only the escapes of JSON are decoded, such as `\/`, in a document that is JSON:
        neither percent-encoding, nor entities of HTML, nor escapes of Markdown.
        """

    @property
    def label(self) -> str:
        """The name beside it.

        The key of the member, the text of a Markdown link, the relation of an HTML
        link, or the text before it on its line or in its string. Decoded like the URL.
        Empty if there is none.
        """

    @property
    def kind(self) -> str:
        """What it probably leads to, judged from URL and label.

        `mcp-endpoint`, `openapi`, `agent-card`, `llms-txt`, `ai-catalog`, `docs`,
        `contact`, `payment`, `license` or `other`.
        """

    @property
    def line(self) -> int:
        """Line, from 1."""

    @property
    def column(self) -> int:
        """Column in bytes, from 1."""

    @property
    def offset(self) -> int:
        """Byte offset of the start, from 0."""

    @property
    def end(self) -> int:
        """Byte offset of the end."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Loss:
    """One value that a conversion lost or changed."""

    @property
    def path(self) -> str:
        """The member of the unified model, such as `capabilities[0].parameters[1].default`; includes everything below it."""

    @property
    def reason(self) -> str:
        """The reason: a stable name, such as `no-place`."""

    @property
    def severity(self) -> str:
        """`error`, `warning` or `info`."""

    @property
    def line(self) -> int:
        """Line, from 1."""

    @property
    def column(self) -> int:
        """Column in bytes, from 1."""

    @property
    def offset(self) -> int:
        """Byte offset of the value in the source, from 0."""

    @property
    def end(self) -> int:
        """Byte offset after the value."""

    @property
    def message(self) -> str:
        """What was lost, in a sentence."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Change:
    """One automatic fix."""

    @property
    def fix(self) -> str:
        """The fix: a stable name, such as `indentation`."""

    @property
    def line(self) -> int:
        """The line, from 1."""

    @property
    def message(self) -> str:
        """What was fixed, in a sentence."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

# The classes of the model: generated by `cargo xtask model`.
@final
class Service:
    """The service or site that a document describes."""

    @property
    def name(self) -> str | None:
        """Name for people."""

    @property
    def url(self) -> str | None:
        """Canonical URL."""

    @property
    def domain(self) -> str | None:
        """Domain, in formats that name the service by its domain."""

    @property
    def description(self) -> str | None:
        """What the service does."""

    @property
    def contact(self) -> tuple[str, ...]:
        """Email addresses, URLs or other ways to reach the operator."""

    @property
    def privacy_policy(self) -> str | None:
        """URL of the privacy policy."""

    @property
    def docs(self) -> str | None:
        """URL of the documentation."""

    @property
    def identifier(self) -> str | None:
        """Identifier of the service or its operator, for example a DID."""

    @property
    def version(self) -> str | None:
        """Version of the service."""

    @property
    def icon(self) -> str | None:
        """URL of an icon or logo."""

    @property
    def provider(self) -> str | None:
        """The organization that operates the service."""

    @property
    def provider_url(self) -> str | None:
        """URL of that organization."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Provenance:
    """Where a document comes from (Agent Web Protocol section 14)."""

    @property
    def source(self) -> str:
        """Who published the document: `native` (the site itself), `synthetic` or `unknown`."""

    @property
    def source_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def generated_by(self) -> str | None:
        """The tool that made a synthetic document."""

    @property
    def confidence(self) -> Any:
        """Confidence from 0 to 1, as written."""

    @property
    def last_verified(self) -> str | None:
        """When the document was last compared with the site."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class ServiceAuth:
    """Authentication for the whole service."""

    @property
    def type(self) -> str:
        """The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (some authentication, never none)."""

    @property
    def type_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def header(self) -> str | None:
        """Request header that carries the key."""

    @property
    def prefix(self) -> str | None:
        """Text before the key in the header."""

    @property
    def setup_url(self) -> str | None:
        """URL where people get a key."""

    @property
    def authorization_url(self) -> str | None:
        """OAuth 2 authorization endpoint."""

    @property
    def token_url(self) -> str | None:
        """OAuth 2 token endpoint."""

    @property
    def refresh_url(self) -> str | None:
        """URL that refreshes an expired token."""

    @property
    def token_expiry(self) -> str | None:
        """Lifetime of a token, as written, for example `24h`."""

    @property
    def token_expiry_seconds(self) -> int | None:
        """Lifetime of a token in seconds; absent if `token_expiry` is not a duration."""

    @property
    def scopes(self) -> tuple[str, ...]:
        """OAuth 2 scopes."""

    @property
    def required_for(self) -> tuple[str, ...]:
        """Actions that need authentication."""

    @property
    def optional_for(self) -> tuple[str, ...]:
        """Actions for which authentication is optional."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Registration:
    """How an agent registers itself (auth.md). No registration is sent without consent."""

    @property
    def url(self) -> str | None:
        """URL where an agent registers."""

    @property
    def claim_url(self) -> str | None:
        """URL where a person takes over what an agent registered."""

    @property
    def revocation_url(self) -> str | None:
        """URL where the provider of an identity revokes it."""

    @property
    def guide_url(self) -> str | None:
        """URL of the instructions for agents."""

    @property
    def identities(self) -> tuple[str, ...]:
        """The kinds of identity with which an agent can register, for example `anonymous`."""

    @property
    def assertions(self) -> tuple[str, ...]:
        """The assertions that prove an identity, for example `verified_email`."""

    @property
    def anonymous_credentials(self) -> tuple[str, ...]:
        """The credentials that an anonymous agent gets, for example `api_key`."""

    @property
    def credentials(self) -> tuple[str, ...]:
        """The credentials that an agent with an identity gets."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class SecurityScheme:
    """A named way to authenticate."""

    @property
    def name(self) -> str | None:
        """The name by which requirements refer to it."""

    @property
    def type(self) -> str | None:
        """The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (some authentication, never none)."""

    @property
    def type_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def description(self) -> str | None:
        """What it is for."""

    @property
    def location(self) -> str | None:
        """Where a key is sent: `query`, `header` or `unknown`, for example in a cookie."""

    @property
    def location_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def parameter(self) -> str | None:
        """The name of the header or query parameter that carries the key."""

    @property
    def http_scheme(self) -> str | None:
        """The HTTP authentication scheme, for example `Bearer`."""

    @property
    def authorization_url(self) -> str | None:
        """OAuth 2 authorization endpoint."""

    @property
    def token_url(self) -> str | None:
        """OAuth 2 token endpoint."""

    @property
    def metadata_url(self) -> str | None:
        """URL of the metadata of the authorization server or OpenID provider."""

    @property
    def issuers(self) -> tuple[str, ...]:
        """The OAuth 2 authorization servers that issue tokens, by their issuer identifiers."""

    @property
    def registration_url(self) -> str | None:
        """The URL where clients register themselves."""

    @property
    def challenge_methods(self) -> tuple[str, ...]:
        """The methods of PKCE that the server supports, for example `S256`."""

    @property
    def bearer_methods(self) -> tuple[str, ...]:
        """How a bearer token may be sent: `header`, `body` or `query`."""

    @property
    def scopes(self) -> tuple[str, ...]:
        """OAuth 2 scopes."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Reference:
    """A document or page that another document refers to."""

    @property
    def relation(self) -> str | None:
        """The relation, for example `service-desc`."""

    @property
    def identifier(self) -> str | None:
        """Its identifier, for example a URN."""

    @property
    def title(self) -> str | None:
        """Its title."""

    @property
    def url(self) -> str | None:
        """Its URL, as written."""

    @property
    def description(self) -> str | None:
        """What it is."""

    @property
    def section(self) -> str | None:
        """The heading of the section that contains it."""

    @property
    def optional(self) -> bool | None:
        """Whether a reader with little space can leave it out. Absent: no."""

    @property
    def media_type(self) -> str | None:
        """Its media type."""

    @property
    def version(self) -> str | None:
        """Its version."""

    @property
    def updated_at(self) -> str | None:
        """When it was changed, as written."""

    @property
    def tags(self) -> tuple[str, ...]:
        """Keywords."""

    @property
    def anchor(self) -> str | None:
        """URL of what the reference belongs to (`anchor` of a link set)."""

    @property
    def data(self) -> Any:
        """The document itself, if it is included."""

    @property
    def trust(self) -> Any:
        """What is declared about its trustworthiness, not verified."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Extension:
    """An extension of a protocol."""

    @property
    def uri(self) -> str | None:
        """Its identifier."""

    @property
    def description(self) -> str | None:
        """How the service uses it."""

    @property
    def required(self) -> bool | None:
        """Whether callers must support it. Absent: no."""

    @property
    def params(self) -> Any:
        """Its settings."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Signature:
    """A JSON Web Signature over a document (RFC 7515), not verified."""

    @property
    def protected_header(self) -> str | None:
        """The protected header in base64url."""

    @property
    def signature(self) -> str | None:
        """The signature in base64url."""

    @property
    def header(self) -> Any:
        """The unprotected header."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Key:
    """A public key. What belongs to its private part is left out."""

    @property
    def id(self) -> str | None:
        """Its identifier, for example its RFC 7638 thumbprint."""

    @property
    def type(self) -> str | None:
        """The family of its algorithm, for example `OKP`, `EC` or `RSA`."""

    @property
    def curve(self) -> str | None:
        """The curve, for example `Ed25519`."""

    @property
    def public_key(self) -> str | None:
        """The key in base64url; of a key of the type `EC`, its first coordinate."""

    @property
    def algorithm(self) -> str | None:
        """The algorithm for which it is meant, for example `ed25519`."""

    @property
    def usage(self) -> str | None:
        """What it is for, for example `sig`."""

    @property
    def not_before(self) -> Any:
        """When its validity begins, in seconds since 1970, as written."""

    @property
    def expires(self) -> Any:
        """When its validity ends, in seconds since 1970, as written."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class CapabilityAuth:
    """Authentication for one capability."""

    @property
    def type(self) -> str:
        """The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (some authentication, never none)."""

    @property
    def type_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def token_url(self) -> str | None:
        """URL that issues a token."""

    @property
    def docs_url(self) -> str | None:
        """URL of the description of how to authenticate."""

    @property
    def scopes(self) -> tuple[str, ...]:
        """OAuth 2 scopes."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class RateLimit:
    """A number of requests in a time window."""

    @property
    def requests(self) -> int:
        """The number of requests. Zero is kept as zero."""

    @property
    def window(self) -> str:
        """The time window: `second`, `minute`, `hour`, `day` or `unknown`."""

    @property
    def window_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Parameter:
    """A parameter of a capability."""

    @property
    def name(self) -> str | None:
        """Its name."""

    @property
    def location(self) -> str | None:
        """Where it is sent: `query`, `path` (or another part of a URL template), `header`, `body` or `unknown`."""

    @property
    def location_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def type(self) -> str | None:
        """Its type, as written."""

    @property
    def required(self) -> bool | None:
        """Whether it is required. Absent: no."""

    @property
    def secret(self) -> bool | None:
        """Whether its value is secret. Absent: no."""

    @property
    def description(self) -> str | None:
        """What it means."""

    @property
    def default(self) -> Any:
        """The default value."""

    @property
    def example(self) -> Any:
        """An example value."""

    @property
    def min(self) -> Any:
        """The minimum value."""

    @property
    def max(self) -> Any:
        """The maximum value."""

    @property
    def items(self) -> Any:
        """The type of the items of an array."""

    @property
    def options(self) -> tuple[Any, ...]:
        """The allowed values."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Endpoint:
    """An endpoint of another protocol that the site supports."""

    @property
    def name(self) -> str | None:
        """Its name."""

    @property
    def protocol(self) -> str:
        """The protocol: `mcp`, `a2a`, `x402`, … or `unknown`."""

    @property
    def protocol_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def url(self) -> str | None:
        """URL of the endpoint."""

    @property
    def version(self) -> str | None:
        """Version of the protocol."""

    @property
    def transport(self) -> str | None:
        """The transport: `streamable-http`, `sse`, `http`, `stdio`, `jsonrpc`, `grpc`, `http+json` or `unknown`."""

    @property
    def transport_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def auth(self) -> str | None:
        """How a caller authenticates: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown`."""

    @property
    def auth_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Headers that a caller sends, and variables of its URL."""

    @property
    def extra(self) -> dict[str, Any]:
        """Members that only this protocol has."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Output:
    """A named result of a capability, or a field of an entity."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def type(self) -> Any:
        """Its type as written: a type expression, or an object."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Idempotency:
    """How repeated calls are recognized."""

    @property
    def supported(self) -> bool | None:
        """Whether keys are supported."""

    @property
    def key_field(self) -> str | None:
        """The field that carries the key."""

    @property
    def window(self) -> str | None:
        """How long a key is remembered, as written, for example `24h`."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Skill:
    """What a skill has besides the members of a capability."""

    @property
    def title(self) -> str | None:
        """Name for people."""

    @property
    def tags(self) -> tuple[str, ...]:
        """Keywords."""

    @property
    def examples(self) -> tuple[str, ...]:
        """Example requests in words."""

    @property
    def input_modes(self) -> tuple[str, ...]:
        """Media types of the input."""

    @property
    def output_modes(self) -> tuple[str, ...]:
        """Media types of the output."""

    @property
    def artifact(self) -> str | None:
        """The kind of the document or archive with its instructions, for example `skill-md`."""

    @property
    def digest(self) -> str | None:
        """The digest of that document or archive, as written, not verified."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the skill."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Capability:
    """Something an agent can do."""

    @property
    def id(self) -> str | None:
        """Its id or name."""

    @property
    def description(self) -> str | None:
        """What it does."""

    @property
    def endpoint(self) -> str | None:
        """URL or path to call."""

    @property
    def method(self) -> str | None:
        """HTTP method as written. Absent means GET in the Internet-Draft's formats."""

    @property
    def protocol(self) -> str | None:
        """The protocol of the endpoint: `rest`, `mcp`, `a2a`, `graphql`, `websocket`, … or `unknown`."""

    @property
    def protocol_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def via(self) -> str | None:
        """The protocol in the document's endpoints that is used to call it."""

    @property
    def operation(self) -> str | None:
        """Its name at that endpoint."""

    @property
    def detail_url(self) -> str | None:
        """URL of its details."""

    @property
    def openapi(self) -> str | None:
        """URL of an OpenAPI description."""

    @property
    def auth(self) -> CapabilityAuth | None:
        """Authentication; absent where the document does not mention it, which means none."""

    @property
    def auth_required(self) -> bool | None:
        """Whether authentication is required, if the document states it separately."""

    @property
    def requires_session(self) -> bool | None:
        """Whether a session must be opened first."""

    @property
    def human_handoff(self) -> bool | None:
        """Whether a person takes over at the end."""

    @property
    def rate_limits(self) -> tuple[RateLimit, ...]:
        """Rate limits."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters."""

    @property
    def outputs(self) -> tuple[Output, ...]:
        """Results."""

    @property
    def sensitivity(self) -> str | None:
        """How dangerous it is: `standard`, `destructive`, `irreversible` or `unknown`."""

    @property
    def sensitivity_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def requires_confirmation(self) -> bool | None:
        """Whether a person should confirm the call."""

    @property
    def reversible(self) -> bool | None:
        """Whether it can be undone."""

    @property
    def execution(self) -> str | None:
        """How the result is returned: `sync` (in the response), `async` (later) or `unknown`."""

    @property
    def execution_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def poll_url(self) -> str | None:
        """URL to poll for an asynchronous result."""

    @property
    def idempotency(self) -> Idempotency | None:
        """How repeated calls are recognized."""

    @property
    def skill(self) -> Skill | None:
        """What only skills and tools have."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Access:
    """Which paths agents may access."""

    @property
    def allow(self) -> tuple[str, ...]:
        """Patterns of allowed paths."""

    @property
    def disallow(self) -> tuple[str, ...]:
        """Patterns of disallowed paths."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class AgentPolicy:
    """The policy for one agent."""

    @property
    def name(self) -> str | None:
        """Product token of the agent, or `*` for every agent without a policy of its own."""

    @property
    def rate_limits(self) -> tuple[RateLimit, ...]:
        """Rate limits."""

    @property
    def capabilities(self) -> tuple[str, ...] | None:
        """Capabilities that the agent may use. Absent: all. An empty list: none, also where the list could not be read."""

    @property
    def declaration(self) -> str | None:
        """URL of the operator's own declaration."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Permissions:
    """Permissions in words (agents.md)."""

    @property
    def can(self) -> tuple[str, ...]:
        """What agents can do."""

    @property
    def cannot(self) -> tuple[str, ...]:
        """What agents cannot do."""

    @property
    def cannot_prose(self) -> tuple[str, ...]:
        """Further prohibitions: the paragraphs between the items of `cannot`."""

    @property
    def behavior(self) -> tuple[str, ...]:
        """How agents should behave."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Flow:
    """A suggested sequence of capabilities."""

    @property
    def name(self) -> str | None:
        """Its name."""

    @property
    def description(self) -> str | None:
        """What it is for."""

    @property
    def steps(self) -> tuple[str, ...]:
        """Capabilities in order."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Dependency:
    """What a capability requires."""

    @property
    def capability(self) -> str:
        """The dependent capability."""

    @property
    def requires(self) -> tuple[str, ...]:
        """The capabilities that must come first."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Entity:
    """A named type."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def fields(self) -> tuple[Output, ...]:
        """Its fields."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Recovery:
    """How to recover from an error."""

    @property
    def code(self) -> str:
        """Code of the error."""

    @property
    def recovery(self) -> str | None:
        """What to do."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Hint:
    """A hint for planning."""

    @property
    def name(self) -> str:
        """The name of the hint."""

    @property
    def value(self) -> Any:
        """The advice."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Status:
    """Whether the service works now."""

    @property
    def operational(self) -> bool | None:
        """Whether it is operational."""

    @property
    def degraded(self) -> tuple[str, ...]:
        """Capabilities that are impaired."""

    @property
    def url(self) -> str | None:
        """URL of the current status."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Plan:
    """A plan of a service."""

    @property
    def name(self) -> str | None:
        """Its name."""

    @property
    def price(self) -> str | None:
        """Its price, as written."""

    @property
    def limits(self) -> str | None:
        """What it includes, as written."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Pricing:
    """What the service costs."""

    @property
    def type(self) -> str | None:
        """The pricing model: `free`, `freemium`, `paid` or `unknown`."""

    @property
    def type_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The plans."""

    @property
    def plans_url(self) -> str | None:
        """URL of the prices."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Session:
    """How sessions work."""

    @property
    def ttl_seconds(self) -> int | None:
        """Lifetime of a session in seconds, if the document states it."""

    @property
    def create(self) -> str | None:
        """URL that opens a session."""

    @property
    def delete(self) -> str | None:
        """URL that closes a session."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Audit:
    """Whether the actions of agents are recorded."""

    @property
    def enabled(self) -> bool | None:
        """Whether they are recorded."""

    @property
    def endpoint(self) -> str | None:
        """URL of the record."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class RobotsRule:
    """A rule of robots.txt."""

    @property
    def allow(self) -> bool:
        """Whether it is an allow rule."""

    @property
    def pattern(self) -> str:
        """The pattern of paths."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class RobotsGroup:
    """A group of robots.txt rules."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Product tokens that the group applies to."""

    @property
    def rules(self) -> tuple[RobotsRule, ...]:
        """Its rules, in order."""

    @property
    def crawl_delay(self) -> str | None:
        """Seconds between requests, as written."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class RobotsPreference:
    """What a robots.txt says about one use of the content (AI preferences)."""

    @property
    def purpose(self) -> str:
        """The purpose: `train-ai`, `search`, `ai-input` or `unknown`."""

    @property
    def purpose_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def preference(self) -> str:
        """Whether that use is allowed: `allow`, `disallow` or `not-stated`."""

    @property
    def preference_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def path(self) -> str | None:
        """The pattern of paths; absent for all paths."""

    @property
    def group(self) -> int | None:
        """The index of the group with the agents; absent before the first group, for every agent."""

    @property
    def source(self) -> str:
        """The field: `content-signal` or `content-usage`."""

    @property
    def source_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class RobotsField:
    """A field of a robots.txt that has no meaning here."""

    @property
    def name(self) -> str:
        """The name as written."""

    @property
    def value(self) -> str:
        """The value as written."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Robots:
    """The rules of a robots.txt."""

    @property
    def groups(self) -> tuple[RobotsGroup, ...]:
        """Its groups, in order."""

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """URLs of sitemaps."""

    @property
    def preferences(self) -> tuple[RobotsPreference, ...]:
        """What the content may be used for, in order."""

    @property
    def agentmaps(self) -> tuple[str, ...]:
        """URLs of AI catalogs (`Agentmap`)."""

    @property
    def licenses(self) -> tuple[str, ...]:
        """URLs of licences of Really Simple Licensing (`License`)."""

    @property
    def fields(self) -> tuple[RobotsField, ...]:
        """Other fields, in order."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class SearchResult:
    """One result of a registry search."""

    @property
    def service(self) -> Service:
        """The service."""

    @property
    def capabilities(self) -> tuple[Capability, ...]:
        """The capabilities of the service that match."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Search:
    """The response of a registry search."""

    @property
    def query(self) -> str | None:
        """The search query."""

    @property
    def results(self) -> tuple[SearchResult, ...]:
        """The results, in order."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

# End of the generated classes.

@final
class RobotsTxt:
    """A robots.txt (RFC 9309), in any encoding.

    `data` is bytes (borrowed), bytearray, memoryview (copied) or str. Parsing never
    fails; only the first `limits.robots` bytes are read.
    """

    def __new__(
        cls, data: str | Buffer, *, limits: Limits | None = None
    ) -> RobotsTxt: ...
    @staticmethod
    def of(document: Document, /) -> RobotsTxt:
        """Returns the rules of a document of the format `robots-txt`."""

    def allowed(self, agent: str | builtins.bytes, url: str | builtins.bytes) -> bool:
        """Whether `agent` may fetch `url`: `decide(…).allowed`."""

    def decide(
        self, agent: str | builtins.bytes, url: str | builtins.bytes
    ) -> RobotsDecision:
        """Decides whether `agent` may fetch `url`.

        `agent` is a name or a User-Agent; `url` is a URL,
        of which only path and query matter, or a path. All groups that name the agent
        apply; those for `*` apply only if no group names it. The longest matching
        pattern decides; Allow wins a tie.
        """

    def compile(self, agent: str | builtins.bytes) -> CompiledRobots:
        """Reads the rules for `agent`, a name or a User-Agent, for many decisions.

        A decision about a URL then takes a fraction of the time.
        """

    def crawl_delay(self, agent: str | builtins.bytes) -> float | None:
        """Returns the seconds to wait between two requests of `agent`.

        They are from the Crawl-delay that applies; None if it is absent or not a
        number.
        """

    def preference(
        self,
        agent: str | builtins.bytes,
        url: str | builtins.bytes,
        purpose: str | builtins.bytes,
        *,
        content_usage: str | builtins.bytes | None = None,
    ) -> PreferenceAnswer:
        """Returns whether the content at `url` may be used for `purpose`.

        The Content-Usage and Content-Signal lines for `agent` state it; `agent` and `url`
        as in `decide`. `purpose` is `train-ai`, `search` or `ai-input`, a name in another
        vocabulary (`ai-train`), or another label as written. `content_usage` is the
        Content-Usage header of the answer; the stricter one of header and robots.txt counts.
        """

    @property
    def preferences(self) -> tuple[Preference, ...]:
        """What the content may be used for, in the order of the document.

        One item for each purpose of a Content-Usage or Content-Signal line.
        """

    @property
    def agentmaps(self) -> tuple[str, ...]:
        """URLs of AI catalogs (Agentmap), as written."""

    @property
    def licenses(self) -> tuple[str, ...]:
        """URLs of licences (License), as written."""

    @property
    def fields(self) -> tuple[RobotsField, ...]:
        """Other fields, in the order of the document."""

    @property
    def groups(self) -> tuple[RobotsGroup, ...]:
        """The groups, in the order of the document."""

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """URLs of sitemaps, as written."""

    @property
    def is_cut(self) -> bool:
        """Whether the document is longer than the part that is read."""

    @property
    def bytes(self) -> builtins.bytes:
        """The bytes of the document."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class CompiledRobots:
    """The rules of a robots.txt for one agent, made by `RobotsTxt.compile`."""

    def allowed(self, url: str | builtins.bytes) -> bool:
        """Whether the agent may fetch `url`: `decide(…).allowed`."""

    def decide(self, url: str | builtins.bytes) -> RobotsDecision:
        """Decides whether the agent may fetch `url`, as `RobotsTxt.decide`."""

    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RobotsDecision:
    """The decision whether an agent may fetch a URL."""

    @property
    def allowed(self) -> bool:
        """Whether the agent may fetch it."""

    @property
    def reason(self) -> str:
        """The reason: `rule`, `no-rule`, `no-group` or `robots-file`.

        These mean: a rule decides; no rule of the agent's groups matches; no group
        applies to the agent; the URL is robots.txt itself, which is always allowed.
        """

    @property
    def rule(self) -> DecidingRule | None:
        """The rule that decides; None unless the reason is `rule`."""

    @property
    def binding(self) -> str | None:
        """The groups that apply to the agent: `named` or `any` (`*`).

        None if no group applies.
        """

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class PreferenceAnswer:
    """Whether the content at a URL may be used for a purpose."""

    @property
    def preference(self) -> str:
        """Whether the use is allowed: `allow`, `disallow` or `not-stated`."""

    @property
    def statement(self) -> Preference | None:
        """The statement that decides; None if none does, or if the header decides."""

    @property
    def crawlable(self) -> bool:
        """Whether the agent may fetch the URL.

        If not, the robots.txt states nothing about it.
        """

    @property
    def by_header(self) -> bool:
        """Whether the Content-Usage header decides."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Preference:
    """What a line of a robots.txt says about one purpose."""

    @property
    def purpose(self) -> str:
        """The purpose: `train-ai`, `search`, `ai-input` or `unknown`."""

    @property
    def purpose_text(self) -> str:
        """The purpose as written, such as `ai-train`."""

    @property
    def preference(self) -> str:
        """Whether that use is allowed: `allow`, `disallow` or `not-stated`."""

    @property
    def preference_text(self) -> str:
        """That value as written."""

    @property
    def path(self) -> str | None:
        """The pattern of paths, as written; None for all paths."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents in the group, as written.

        Empty before the first group, for every agent.
        """

    @property
    def source(self) -> str:
        """The field: `content-signal` or `content-usage`."""

    @property
    def line(self) -> int:
        """The line, from 1."""

    @property
    def span(self) -> tuple[int, int]:
        """Byte offsets of the start and the end of name and value."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class DecidingRule:
    """The rule of a robots.txt that decides."""

    @property
    def allow(self) -> bool:
        """Whether the rule allows."""

    @property
    def pattern(self) -> str:
        """The pattern of paths, as written."""

    @property
    def line(self) -> int:
        """Its line, from 1."""

    @property
    def span(self) -> tuple[int, int]:
        """Byte offsets of the start and the end of the pattern."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Capabilities(Sequence[Capability]):
    """The capabilities of a document: an immutable sequence whose items are created on first use.

    An id is an index, too: `capabilities["order_mug"]` is the first capability with that id; KeyError if there is none.
    """

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    @overload
    def __getitem__(self, index: int, /) -> Capability: ...
    @overload
    def __getitem__(self, index: slice, /) -> tuple[Capability, ...]: ...
    @overload
    def __getitem__(self, index: str, /) -> Capability: ...
    def __iter__(self) -> Iterator[Capability]: ...
    def __reversed__(self) -> Iterator[Capability]: ...
    def __contains__(self, value: object, /) -> bool: ...
    def index(self, value: Any, start: int = 0, stop: int = ..., /) -> int:
        """Returns the index of the first capability that equals `value`."""

    def count(self, value: Any, /) -> int:
        """Returns the number of capabilities that equal `value`."""

    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...

@final
class Document:
    """A parsed document: the unified model of any format.

    It is immutable, and everything read from it stays valid. Single values are None,
    and lists are empty, if the document does not contain them.
    """

    @property
    def format(self) -> str:
        """The format: `agents-txt`, `agents-json`, `awp`, and so on."""

    # The members of a document: generated by `cargo xtask model`.

    @property
    def spec_version(self) -> str | None:
        """Version of the specification that the document follows, as written."""

    @property
    def kind(self) -> str:
        """Whose declaration the document is: `platform` (the default), `agent` or `unknown`."""

    @property
    def kind_text(self) -> str | None:
        """The text as written, if it differs from the canonical name."""

    @property
    def generated_at(self) -> str | None:
        """Date and time of generation, as written."""

    @property
    def operates_on(self) -> tuple[str, ...]:
        """The platforms that an agent operates on."""

    @property
    def companion(self) -> str | None:
        """URL of the companion document in the other notation."""

    @property
    def provenance(self) -> Provenance | None:
        """Where the document comes from."""

    @property
    def service(self) -> Service | None:
        """The service or site that the document describes."""

    @property
    def auth(self) -> ServiceAuth | None:
        """Authentication for the whole service."""

    @property
    def security_schemes(self) -> tuple[SecurityScheme, ...]:
        """The named ways to authenticate."""

    @property
    def registration(self) -> Registration | None:
        """How an agent registers itself."""

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """Endpoints of other protocols."""

    @property
    def references(self) -> tuple[Reference, ...]:
        """Documents and pages that the document refers to."""

    @property
    def input_modes(self) -> tuple[str, ...]:
        """Media types of the input that capabilities accept if they state none."""

    @property
    def output_modes(self) -> tuple[str, ...]:
        """Media types of the output that capabilities produce if they state none."""

    @property
    def capabilities(self) -> Capabilities:
        """The capabilities."""

    @property
    def access(self) -> Access:
        """The paths that agents may access."""

    @property
    def agents(self) -> tuple[AgentPolicy, ...]:
        """The policies for single agents."""

    @property
    def permissions(self) -> Permissions:
        """The permissions in prose (agents.md)."""

    @property
    def flows(self) -> tuple[Flow, ...]:
        """The suggested sequences of capabilities."""

    @property
    def dependencies(self) -> tuple[Dependency, ...]:
        """The capabilities that others require first."""

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The named types."""

    @property
    def errors(self) -> tuple[Recovery, ...]:
        """How to recover from errors."""

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The hints for planning."""

    @property
    def status(self) -> Status | None:
        """Whether the service works now."""

    @property
    def features(self) -> dict[str, Any]:
        """The feature flags."""

    @property
    def extensions(self) -> tuple[Extension, ...]:
        """The protocol extensions that the service supports."""

    @property
    def signatures(self) -> tuple[Signature, ...]:
        """The signatures over the document, not verified."""

    @property
    def keys(self) -> tuple[Key, ...]:
        """The public keys with which signatures by the owner are verified."""

    @property
    def pricing(self) -> Pricing | None:
        """What the service costs."""

    @property
    def session(self) -> Session | None:
        """How sessions work."""

    @property
    def audit(self) -> Audit | None:
        """Whether the actions of agents are recorded."""

    @property
    def rate_limits(self) -> tuple[RateLimit, ...]:
        """The rate limits of the whole document."""

    @property
    def cache_seconds(self) -> int | None:
        """How long responses may be cached, in seconds."""

    @property
    def robots(self) -> Robots | None:
        """The rules of a robots.txt."""

    @property
    def search(self) -> Search | None:
        """The response of a registry search."""

    @property
    def request_example(self) -> Any:
        """An example request."""

    @property
    def response_example(self) -> Any:
        """An example response."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Unknown members, and members that could not be read."""

    # End of the generated members.

    def companion_url(self) -> str | None:
        """Returns the URL of the companion, with the default of the format.

        In agents.txt 0.1.0 the default is `/.well-known/agents.json` below the URL of
        the site. None if there is neither.
        """

    def server_url(self) -> str | None:
        """Returns the URL of the first server of an OpenAPI description, with the defaults of its variables.

        It may be a path of the site that has the description: `/` without a server. None for other
        documents, and if the URL is not known.
        """

    def needs_companion(self) -> bool:
        """Returns whether the site must serve an agents.json 0.1 beside this document.

        An agents.txt 0.1.0 needs it with `cart.add`, `checkout` and the like, or with
        `Audit: true`.
        """

    def session_seconds(self) -> int | None:
        """Returns the lifetime of a session in seconds, with the default of the format.

        The default is 1800 in agents.txt 0.1.0, 3600 in agents.json 0.1. None if the
        document or its format has no sessions.
        """

    def is_audited(self) -> bool | None:
        """Returns whether the actions of agents are recorded; false by default.

        None for formats other than agents.txt 0.1.0 and agents.json 0.1, and if the
        value cannot be read.
        """

    @property
    def bytes(self) -> builtins.bytes:
        """The bytes of the document."""

    def to_dict(self) -> dict[str, Any]:
        """Returns the unified model as a dict."""

    def to_json(self) -> str:
        """Returns the unified model as JSON text on one line."""

    def check(
        self, origin: str | None = None, *, received_from: str | None = None
    ) -> list[Diagnostic]:
        """Checks the document against its specification.

        Returns diagnostics sorted by offset. `origin` is the origin it was fetched
        from, such as `https://example.com`, if known; only with it are statements about
        other origins reported. `received_from` is the origin of the server that sent
        it, if that is another one, as with a preview. A server on this machine may
        name itself: neither its address nor statements about other origins are
        reported. Raises ValueError if one of them is not a valid URL.
        """

    def links(self) -> list[Link]:
        """Returns the http and https URLs of the document: `agentsdisc.links` of its bytes."""

    def decide(
        self,
        *,
        agent: str,
        url: str | None = None,
        capability: str | None = None,
        method: str | None = None,
        robots: RobotsTxt | RobotsState | None = None,
        origin: str | None = None,
        approved: Iterable[str] | None = None,
        purpose: str | None = None,
        content_usage: str | None = None,
    ) -> Decision:
        """Decides a request by this document and the site's robots.txt.

        Does the same as `agentsdisc.decide` for one document.
        """

    def convert(
        self,
        target: str,
        *,
        origin: str | None = None,
        pretty: bool = True,
        loosen: bool = False,
        generated_by: str | None = None,
        last_verified: str | None = None,
        capability: str | None = None,
    ) -> Converted:
        """Returns the document in another format, as bytes with the attribute `losses`.

        `target` is `agents-txt`, `agents-json`, `agents-md`, `awp`, `adp` or `adp-capability` (the
        detail of `capability`, or of the only one), for a 0.1 document also `agents-txt-0.1` or `agents-json-0.1`, for a robots.txt `robots-txt` (its AI
        preferences in both fields), or `json` for the unified model.
        `origin` is the origin that the document was fetched from; `pretty` indents JSON; `loosen` drops
        restrictions that the target cannot express, instead of omitting their capabilities or
        raising ConvertError. Raises ConvertError if the document cannot be converted to this
        format, or if the result would allow agents more; ValueError if `origin` is not
        a valid URL. An agent.json with `generated_by` and `last_verified` says that another party than
        the owner of the site publishes it (Agent Web Protocol section 14).
        """

    def fix(self) -> Fixed:
        """Returns an agents.txt with automatic fixes applied, as bytes with the attribute `changes`.

        Raises ConvertError for other formats.
        """

    def request(
        self,
        detail: Document,
        arguments: Mapping[str, object] | None = None,
        *,
        token: str | None = None,
        origin: str | None = None,
        trust_endpoint: bool = False,
        rfc3986: bool = False,
        constant_headers: bool = False,
    ) -> Request:
        """Returns the request that calls the capability with this `detail`.

        This document is the manifest of its service; the formats are `adp` and `adp-
        capability`. `arguments` maps parameter names to values: str, or any type that
        `json.dumps` accepts. The `in` of a parameter determines where its argument is
        sent. Arguments also replace names in braces in the URL. `token` is the key or
        token; it is sent only over https to the host of `origin`, from which the manifest
        was fetched, and related hosts, unless `trust_endpoint` permits it for any
        endpoint. Without `origin`, the host of `base_url` counts, as in `decide`.
        `rfc3986` lets an endpoint that begins with `/` replace the path of `base_url`. `constant_headers` also
        sends the headers that the method `constant_headers` returns. This method sends
        nothing. Raises RequestError if the documents or arguments make no valid
        request, ValueError if a document has another format, TypeError if JSON does not
        support the type of a value.
        """

    def constant_headers(self, detail: Document) -> dict[str, str]:
        """Returns the constant headers in the example of `detail`.

        These are headers with a constant value, such as the version of an API. Omits
        the headers of authentication, of parameters and of the body. This document is
        the manifest. Raises ValueError if a document has another format.
        """

    def detail_url(
        self,
        capability: Capability | str,
        *,
        rfc3986: bool = False,
        arguments: Mapping[str, object] | None = None,
    ) -> str | None:
        """Returns the absolute URL of the detail of a capability of this ADP manifest.

        None if the capability has no detail. `capability` is a capability, or a
        reference such as its `detail_url`. An absolute URL is returned as it is. A path
        is appended to `base_url`, as consumers of published manifests do. A path that
        already begins with the path of `base_url` replaces that path; with `rfc3986`,
        every path does. `arguments` maps names in braces to their values. Raises
        RequestError if the reference cannot be resolved, ValueError if the document is
        not a manifest.
        """

    def prerequisites(self, action: str) -> tuple[str, ...]:
        """Returns the actions of an AWP document that must run before `action`, in an executable order.

        Each is listed once, after its own prerequisites. Empty if nothing is required.
        Only `check` verifies that the names are those of actions. Raises
        PrerequisiteError if actions require each other or if `dependencies` cannot be
        read, ValueError if the document has another format.
        """

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@type_check_only
class Detection(TypedDict):
    """The result of `detect_evidence`."""

    format: str
    signs: list[str]
    by_hint: bool
    fields: dict[str, int]

def parse(
    data: str | Buffer,
    *,
    url: str | None = None,
    format: str | None = None,
    content_type: str | None = None,
    limits: Limits | None = None,
) -> Document:
    """Parses a document.

    `data` is bytes (borrowed), bytearray, memoryview (copied) or str. The format is
    detected from the content, and from `url` (a URL or path) and `content_type` if the
    content is ambiguous; `format` skips detection. Raises ParseError if the document
    cannot be read.

    With the format `unknown`, the document is not read. For `decide`, it then allows
    nothing, and only the lines count that a reader of robots.txt takes for
    restrictions.
    """

def detect(
    data: str | Buffer, *, url: str | None = None, content_type: str | None = None
) -> str:
    """Returns the format of a document: `agents-txt`, `awp`, `html`, …, or `unknown`.

    Never raises because of the data.
    """

def detect_evidence(
    data: str | Buffer, *, url: str | None = None, content_type: str | None = None
) -> Detection:
    """Returns the format of a document with the evidence.

    `signs` has descriptions of the evidence; `by_hint` is whether `url` or
    `content_type` was needed; `fields` is the number of different signs of each format
    that has any. The largest number decides; if two are equal, the format is unknown.
    """

def links(data: str | Buffer) -> list[Link]:
    """Returns the http and https URLs of a document of any format, in their order.

    A link states where something is; it never allows or denies a request.
    """

def formats() -> list[tuple[str, bool, bool]]:
    """Returns every format as (name, whether documents of it are read, whether it is JSON)."""

def host_relation(document_host: str, endpoint_host: str) -> str:
    """Returns how the host of an endpoint relates to that of a document: `same-host`, `subdomain`, `same-registrable-domain` or `other`.

    A public suffix is related to itself only.
    """

def adp_search_url(registry: str, words: str) -> str:
    """Returns the URL that searches a registry of the Agent Discovery Protocol for services (section 6).

    `registry` is its URL and `words` are the search words. Raises RequestError if
    `registry` is not a valid http(s) URL.
    """

def parse_type(text: str, /) -> TypeExpr:
    """Parses a type expression of the Agent Web Protocol (section 8), such as the `type` of a parameter.

    Ignores the letter case of type names. Raises TypeExprError if the text is not a
    valid type expression.
    """

@final
class _Keys:
    """The words of the private keys in documents. Only texts about these documents may be masked with it."""

    def __new__(cls, *documents: bytes) -> _Keys: ...
    def __bool__(self) -> bool: ...

def masked(text: str, keys: _Keys | None = None) -> str:
    """Returns `text` with each credential replaced by its first four characters and `…`.

    A password, and each word of a private key in the documents of `keys`, becomes `…` alone.
    """

def _whole(text: str, most: int) -> int:
    """Returns how many of the first `most` characters of a text can be kept so that no secret is cut."""

def _key_words(document: bytes) -> list[tuple[int, int]]:
    """Returns the byte ranges of the words of private keys in a document."""

def _facts() -> list[dict[str, Any]]:
    """Returns what is known about each format."""

_RULES: str
_BUDGET: int
_ASKING_ORIGIN: str

def _survey(
    origin: str,
    canonical: str,
    agent: str,
    nonce: str,
    *,
    is_folder: bool,
    calls: bool,
    expected: list[str],
    ignored: list[str],
    answers: list[tuple[Any, ...]],
) -> tuple[
    list[tuple[str, str, str, str | None, list[tuple[str, str]], str]],
    list[tuple[str, str, str, str | None, int | None, str | None, int | None]],
    list[tuple[str, str]],
    int,
    str,
    int,
    int,
    int,
]:
    """Walks over all checks: returns the requests that are missing, and what the answers mean.

    The result is (requests, findings, the status of each check, level and its name, twice the weight that passed, the weight that applies,
    percent). A request is (URL, method, Accept, Origin), a finding (check, status, message, fix, number of the answer, header, line).
    """

def _serve(
    origin: str,
    name: str,
    nonce: str,
    *,
    agent: str,
    found: list[tuple[str, str]],
    answers: list[tuple[Any, ...]],
) -> tuple[
    list[tuple[str, str, str, str | None, list[tuple[str, str]], str]],
    list[
        tuple[
            str,
            str,
            str,
            str,
            str,
            str,
            str | None,
            tuple[str, int, int, int, int] | None,
        ]
    ],
    list[tuple[str, int, str]],
]:
    """Walks over all locations of documents: returns the requests that are missing, what is wrong, and the documents that are there.

    A remark is (code, severity, url, message, specification, section, header, place), a document (resource, number of its answer, format).
    """

def _licenses(url: str, link: bytes, page: bytes, /) -> list[str]:
    """Returns the licences to which a home page links, in the `Link` header or in its head: absolute URLs, each once."""

def _serving_codes() -> list[tuple[str, str, str]]:
    """Returns every code of a problem with how documents are served: (code, usual severity, meaning)."""

def _checks() -> list[tuple[str, str, int, int, str]]:
    """Returns every check: (id, meaning, level, weight, topic)."""

def _resources() -> list[tuple[str, tuple[str, ...], tuple[str, ...], bool]]:
    """Returns the kinds of documents that discovery requests at well-known locations, and the companion.

    Each is (name, locations, formats, whether it is requested by default).
    """

def codes() -> list[tuple[str, str]]:
    """Returns every diagnostic code as (code, usual severity)."""

def _explained(
    code: str,
) -> tuple[str, str, str, str, tuple[str, str, str] | None] | None:
    """Returns what is known about a diagnostic code; None if there is no such code.

    That is (severity, what it points at, meaning, why it matters, (format, wrong document, right document) or None).
    """

def reasons() -> list[tuple[str, bool, str, str]]:
    """Returns every reason of a decision as (id, whether it allows, section, message)."""

_Question: TypeAlias = tuple[
    Sequence[Document],
    str,
    str | None,
    str | None,
    str | None,
    RobotsTxt | None,
    str | None,
    str | None,
    Sequence[str],
    str | None,
    str | None,
]

def _decide(question: _Question, /) -> str: ...
def _offers(question: _Question, /) -> str: ...
def _agent_name(agent: str, /) -> str: ...
def _auth_header(token: str, question: _Question, /) -> str | None: ...

_Place: TypeAlias = tuple[int, int, int, int]

def _differences(
    first: Document, second: Document
) -> tuple[list[tuple[str, str, str, _Place | None, _Place | None]], bool]: ...

@type_check_only
class _ArrowArray(Protocol):
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...

@type_check_only
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Schema:
    """The names and types of columns, in order.

    Implements the Arrow PyCapsule interface: `pyarrow.schema(schema)`. `str` returns
    one line for each column and each of its members.
    """

    @property
    def names(self) -> list[str]:
        """The names of the columns, in order."""

    @property
    def metadata(self) -> dict[str, str]:
        """The metadata of the table.

        `agentsdisc.rows` is the version of the table, `agentsdisc.model` that of the
        unified model, `agentsdisc.version` that of this package.
        """

    def __arrow_c_schema__(self) -> object: ...

@final
class Batch:
    """The table of many documents: an Arrow record batch with one row per document, in order.

    It implements the Arrow PyCapsule interface: `pyarrow.record_batch(batch)`,
    `polars.DataFrame(batch)`, DuckDB queries and others accept it without a copy.
    """

    @property
    def num_rows(self) -> int:
        """The number of rows."""

    @property
    def num_columns(self) -> int:
        """The number of columns."""

    @property
    def nbytes(self) -> int:
        """The size in memory, in bytes."""

    @property
    def schema(self) -> Schema:
        """The names and types of the columns."""

    def to_json_lines(self) -> bytes:
        """Returns the rows as JSON Lines: one object per row.

        Omits absent values; JSON columns become JSON.
        """

    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...

@final
class BatchReader:
    """The tables of a stream of documents: an iterator of `Batch`, and an Arrow stream.

    It can be read once, in one of both ways:
    `pyarrow.RecordBatchReader.from_stream(reader)`.
    """

    @property
    def schema(self) -> Schema:
        """The names and types of the columns."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Batch: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def batch_schema(columns: Sequence[str] | None = None, *, check: bool = True) -> Schema:
    """Returns the columns that `parse_batch` creates with the same `columns` and `check`."""

def parse_batch(
    bodies: _ArrowArray | _ArrowStream | Iterable[str | Buffer | None],
    urls: _ArrowArray | _ArrowStream | Iterable[str | None] | None = None,
    *,
    columns: Sequence[str] | None = None,
    check: bool = True,
    threads: int | None = None,
    limits: Limits | None = None,
    body: str = "body",
    url: str | None = None,
    keep: Sequence[str] | None = None,
) -> Batch:
    """Parses many documents into an Arrow record batch: one row per document, in order.

    The columns are the unified model, typed and nested, with the result of each
    document (docs/arrow.md).

    `bodies` is an Arrow array, chunked array, record batch, table or stream (any object
    with the PyCapsule interface), or a sequence of bytes, str and None. In a table,
    `body` and `url` name the columns with the documents and their URLs (None: `url` if
    the column exists), and the columns in `keep` are copied to the output, before all
    others. `urls` has one text per body, a hint for detection like `url` of `parse`.

    `columns` selects columns, or members of them (`capabilities.id`); other columns are
    not created and cost nothing. The default is all columns except `model` and
    `links`. With `check=False`, the default omits the columns that need the check
    (`errors`, `warnings`, `infos`, `diagnostics`), which costs up to three times as
    much as everything else. Releases the GIL, and uses up to `threads` threads (None:
    one per processor).

    A document that is null, cannot be read or is larger than 256 MiB becomes a row with
    the status `error`, never an exception. Raises TypeError if bodies or URLs have
    another type, ValueError for unknown columns and unequal lengths, OverflowError if a
    column would hold more than 2 GiB.
    """

def parse_stream(
    source: _ArrowArray | _ArrowStream,
    *,
    columns: Sequence[str] | None = None,
    check: bool = True,
    threads: int | None = None,
    limits: Limits | None = None,
    body: str = "body",
    url: str | None = None,
    keep: Sequence[str] | None = None,
    batch_rows: int = 16_384,
) -> BatchReader:
    """Parses a stream of documents, and returns a stream of record batches.

    This is `parse_batch` for data larger than memory: the source is read batch by batch
    while the result is read, and memory holds one batch of each. A batch of the result
    has at most `batch_rows` rows and 64 MiB of documents, or one document. The other
    arguments are those of `parse_batch`.
    """

def batch_json_lines(batch: _ArrowArray) -> bytes:
    """Returns the rows of an Arrow record batch as JSON Lines.

    Writes one object per row: omits absent values; JSON columns become JSON. The
    columns are those of `parse_batch`, or of plain types.
    """

def fitting_rows(batch: _ArrowArray, bytes: int) -> int:
    """Returns how many rows of an Arrow record batch, from the first on, form a piece.

    The columns hold bytes or text. In the piece, each column has at most `bytes` bytes, or
    the piece has one row. A dictionary value counts in each row that refers to it. Raises
    ValueError if the batch is invalid.
    """

def batch_of(
    texts: Mapping[str, Sequence[str | None]],
    integers: Mapping[str, Sequence[int | None]],
) -> Batch:
    """Returns a record batch of equally long lists by column name.

    pyarrow does the same, but first imports pandas if it is installed, to test whether
    a list is a series.
    """

def json_lines(
    data: bytes,
    *,
    columns: Sequence[str] | None = None,
    check: bool = True,
    limits: Limits | None = None,
) -> Batch:
    """Reads the documents of JSON Lines: one row for each line that is not blank.

    `data` holds whole lines: objects with the string `body` and optionally `url`. The
    columns are those of `parse_batch`, with `line` (from 0, in `data`) before them. A
    line that is not such an object becomes a row with the kind `invalid-record`, never
    an exception.
    """

@final
class _Claim:
    @property
    def label(self) -> str: ...
    @property
    def key_id(self) -> str: ...
    @property
    def algorithm(self) -> str | None: ...
    @property
    def created(self) -> int: ...
    @property
    def expires(self) -> int: ...
    @property
    def nonce(self) -> str | None: ...
    @property
    def url(self) -> str | None: ...
    @property
    def identifier(self) -> str | None: ...
    @property
    def kind(self) -> str | None: ...
    @property
    def base(self) -> bytes: ...
    @property
    def signature(self) -> bytes: ...

_Fields: TypeAlias = Sequence[tuple[bytes, bytes]]

def _claim(
    request: tuple[bytes, bytes, _Fields],
    index: int,
    now: int,
    skew: int,
    longest: int | None,
) -> tuple[str | None, _Claim | None] | None: ...
def _find_key(
    directory: bytes, key_id: bytes, algorithm: str | None, now: int
) -> tuple[str | None, tuple[str, bool, list[tuple[str, str]]] | None]: ...
def _thumbprints(directory: bytes) -> list[bytes | None]: ...
def _card_keys(
    card: bytes, url: bytes
) -> tuple[str | None, bytes | None, str | None]: ...
def _lifetime(lines: Sequence[bytes]) -> int: ...
def _to_sign(
    request: tuple[bytes, bytes, _Fields],
    covered: Sequence[str],
    key_id: str,
    times: tuple[int, int],
    nonce: str,
    agent: str | None,
) -> tuple[str, str | None, bytes]: ...
def _signature_base(
    request: tuple[bytes, bytes, _Fields],
    label: bytes,
    answer: _Fields | None = None,
) -> bytes: ...
def _identity_reasons() -> list[tuple[str, str]]: ...
def _robots(data: bytes, limits: tuple[int, int, int, int]) -> RobotsTxt: ...
def _document(
    data: bytes, format: str, limits: tuple[int, int, int, int]
) -> Document: ...
def _limits(document: int, depth: int, line: int, robots: int) -> Limits: ...
def _restored(cls: str, attributes: tuple[Any, ...], /) -> Any: ...

_Freshness: TypeAlias = tuple[int, int, int, int, bool]
_Stored: TypeAlias = tuple[
    str, str | None, bytes | None, _Freshness, bytes, bytes, bytes
]
_Request: TypeAlias = tuple[int, str, str, str, int, bool, bool]
_Answer: TypeAlias = tuple[str, str | None, str | None, _Freshness, bytes, bytes]

@type_check_only
class _AttemptValues(TypedDict):
    resource: str
    key: str
    url: str
    rejection: str | None
    message: str | None
    status: int | None
    redirects: int
    moved: str
    source: str
    format: str
    synthetic: bool
    error: str | None
    freshness: _Freshness
    own: bool
    pointer: tuple[str, str, str, tuple[int, int] | None] | None

@final
class _Call:
    """The progress of one call."""

    def __new__(cls) -> Self: ...
    def plan(
        self,
        question: tuple[Any, ...],
        arguments: builtins.bytes,
        settings: tuple[Any, ...],
        /,
    ) -> str:
        """Returns the next step, or why there is none, as the core's JSON."""

    def next(
        self,
        question: tuple[Any, ...],
        status: int,
        headers: list[tuple[str, str]],
        body: builtins.bytes,
        now: int,
        /,
    ) -> str:
        """Returns what an answer means, as the core's JSON."""

@final
class _Discovery:
    """Returns the next requests to a site, and takes the responses."""

    USER_AGENT: ClassVar[str]
    def __new__(
        cls,
        site: str,
        *,
        resources: Sequence[str] | None = None,
        follow: str | None = None,
        limits: Limits | None = None,
    ) -> Self: ...
    @property
    def origin(self) -> str: ...
    @property
    def is_done(self) -> bool: ...
    def next(self) -> _Request | None: ...
    def headers(
        self, id: int, user_agent: str, stored: _Stored | None
    ) -> list[tuple[bytes, bytes]]: ...
    def recall(self, id: int, stored: _Stored, now: int) -> _Answer | None: ...
    def respond(
        self,
        id: int,
        status: int,
        headers: Sequence[tuple[bytes, bytes]],
        body: bytes,
        now: int,
        stored: _Stored | None = None,
    ) -> _Answer: ...
    def fail(self, id: int, why: str, now: int) -> _Answer: ...
    def ask_detail(
        self, manifest: Document, detail_url: str, approved: bool
    ) -> str | None: ...
    def ask_declaration(self, url: str) -> str | None: ...
    def declared(self, declaration: Document) -> str: ...
    def attempt(self, id: int) -> _AttemptValues | None: ...
    def attempts(self) -> list[_AttemptValues]: ...
    def documents(self) -> list[tuple[str, str]]: ...
    @property
    def robots(self) -> tuple[str, bytes | None]: ...
    @property
    def trail_is_cut(self) -> bool: ...
    @property
    def ask_again_at(self) -> int | None: ...

_Found = tuple[
    list[str],
    list[str | None],
    list[bytes | None],
    list[int],
    dict[int, tuple[str, str]],
    set[int],
    set[int],
    dict[int, str],
    dict[int, tuple[int | None, str | None, str]],
    list[tuple[str, str, str | None, str | None, str, str | None]],
    dict[str, int],
    int,
    int,
]

@final
class _Archive:
    def __new__(
        cls,
        name: str,
        source: object,
        prefix: bytes | None,
        section: tuple[int, int] | None,
        limit: int,
        all_records: bool,
        only: set[str] | None,
        revisits: bool,
        threads: int,
        batch: tuple[int, int],
    ) -> Self: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> _Found: ...
    def close(self) -> None: ...

@final
class _Zstd:
    def __new__(cls) -> Self: ...
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, size: int) -> bytes: ...
