"""How a registry is served."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from ..._visible import visible
from ...discovery.addresses import host_of

if TYPE_CHECKING:
    from ...identity import Directory


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a registry is served. Raises ValueError if a URL is invalid."""

    url: str = "http://127.0.0.1:8000"
    """The public URL, without a path, for its own documents and answers."""
    name: str = "Agent registry"
    """Its name, in its documents and on its pages."""
    upstreams: tuple[str, ...] = ()
    """Base URLs of other ARD registries: named as referrals, and asked for `federation: auto`."""
    submissions: bool = True
    """Whether anyone may submit a domain, which is then fetched."""
    signed: bool = False
    """Whether a submission must have a valid signature (Web Bot Auth)."""
    keys: "Directory | None" = None
    """Where the keys for signed submissions come from; None: a Directory that fetches."""
    identity: str | None = None
    """The file of the key that signs the requests to submitted domains; None: they are not signed."""
    directory: str | None = None
    """Where that key is published, such as https://registry.example."""
    subdomains: int = 50
    """How many submitted services one registrable domain may have; 0: no limit."""
    allow_private: bool = False
    """Whether submitted domains may have private addresses and ports: for a registry inside a company."""
    rate: float = 100.0
    """Requests per second and client address; 0: no limit."""
    burst: int = 500
    """Requests that a client may send at once after a pause."""
    connections: int = 64
    """Connections, and requests in progress, of one client address; 0: no limit. A proxy's connections are not limited."""
    head: float = 10.0
    """Seconds in which the line and the headers of a request must arrive."""
    body: float = 30.0
    """Seconds in which the body of a request must arrive."""
    threads: int = 8
    """Maximum number of queries of the store at the same time."""
    workers: int = 1
    """Processes that serve the registry together, of which this is one."""
    metrics: str | None = None
    """The folder in which the processes keep their counters for each other."""
    max_body: int = 256 << 10
    """The largest body of a request, in bytes."""
    answers: int = 32 << 20
    """The memory for answers that are kept until the index changes, in bytes."""
    check_every: float = 0.1
    """For how many seconds the index counts as unchanged after a check."""
    log_requests: bool = False
    """Whether each request is logged, without its query."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", _root(self.url))
        for upstream in self.upstreams:
            _checked(upstream, "--upstream")

    @property
    def host(self) -> str:
        """The host of the public URL."""
        return host_of(self.url) or "localhost"

    @property
    def ard(self) -> str:
        """The base URL of ARD's endpoints."""
        return f"{self.url}/"


def _root(url: str) -> str:
    parts = _checked(url, "--url")
    if parts.path not in {"", "/"}:
        raise ValueError(
            f"--url: {visible(url)!r} has a path; give scheme, host and port only"
        )
    return f"{parts.scheme}://{parts.netloc}"


def _checked(url: str, option: str) -> SplitResult:
    wanted = f"{option}: give an http or https URL without user, query and fragment, such as https://registry.example"
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError(wanted) from None
    if (
        parts.scheme not in {"http", "https"}
        or not parts.hostname
        or "@" in parts.netloc
        or parts.query
        or parts.fragment
    ):
        raise ValueError(wanted)
    return parts
