"""Sends the requests of the core, and passes the answers to it."""

import os
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import httpx
from anyio import to_thread

from .. import Document, Limits, RobotsTxt, decide, parse
from .._agentsdisc import _Discovery, _licenses
from .cache import Cache, now
from .connections import Connections
from .fetch import Failed, Reply, client_name, fetch
from .results import (
    MANIFESTS,
    RESTRICTING,
    Attempt,
    Declaration,
    Found,
    Freshness,
    Pointer,
    Site,
    Timeouts,
    unread_robots,
)
from .transport import GuardedTransport

if TYPE_CHECKING:
    from .._agentsdisc import _Answer, _AttemptValues, _Request, _Stored
    from ..calls import OAuth2
    from ..identity import Identity

# The resource, and the URL of the first request: one URL may be requested as two resources.
_Key = tuple[str, str]

_MOST_DETAILS = 64
_MOST_DECLARATIONS = 16

# Why a URL in a document is not requested.
_NOT_ASKED = {
    "off-site": "the document names a URL on another site, which is not requested; fetch it yourself if you trust that site, or let the owner move it to a host of the same domain",
    "downgrade": "the document names a URL without encryption, which is not requested; the owner has to write https",
    "url-too-long": "the document names a URL that is too long to be requested",
}


async def run(
    site: str,
    *,
    resources: list[str] | None,
    follow: str | None,
    details: bool | Collection[str],
    declarations: bool,
    user_agent: str | None,
    timeouts: Timeouts,
    limits: Limits,
    concurrency: int,
    allow_private: bool,
    cache: Cache | str | os.PathLike[str] | bool,
    credentials: "OAuth2 | None",
    identity: "Identity | None",
) -> Site:
    """Discovers one site."""
    core = _Discovery(site, resources=resources, follow=follow, limits=limits)
    # After the core has accepted the site, so that an invalid one creates no file.
    store = Cache.of(cache)
    async with GuardedTransport(
        private=[core.origin] if allow_private else (),
        any_port=False,
        connections=concurrency,
        reuse=False,
        identity=identity,
    ) as transport:
        driver = _Driver(
            core,
            transport,
            store,
            client_name(user_agent),
            timeouts,
            limits,
            concurrency,
            allow_private,
            credentials,
        )
        with anyio.move_on_after(timeouts.total):
            await driver.settle()
            if details:
                await driver.ask_details(None if details is True else set(details))
            if declarations:
                await driver.ask_declarations()
        driver.give_up()
    return driver.result()


class _Driver:
    """The requests of one discovery."""

    def __init__(
        self,
        core: _Discovery,
        transport: httpx.AsyncBaseTransport,
        cache: Cache | None,
        user_agent: str,
        timeouts: Timeouts,
        limits: Limits,
        concurrency: int,
        allow_private: bool,
        credentials: "OAuth2 | None",
    ) -> None:
        self._core = core
        self._credentials = credentials
        # Why there are no tokens, by URL.
        self._unauthorized: dict[str, str] = {}
        self._authorizing = anyio.Lock()
        self._allow_private = allow_private
        self._transport = transport
        self._cache = cache
        self._user_agent = user_agent
        self._timeouts = timeouts
        self._limits = limits
        self._turn = anyio.Semaphore(concurrency)
        self._open: dict[int, _Key] = {}
        self._handed: list[_Request] = []
        self._bodies: dict[_Key, tuple[bytes, str]] = {}
        # Bodies of documents that have another format or cannot be read: their restrictions count.
        self._foreign: dict[_Key, bytes] = {}
        # Attempts at URLs that documents name; the core forgets them to free memory.
        self._asked: dict[_Key, Attempt | None] = {}
        self._details: dict[_Key, str] = {}
        # The capabilities whose details are wanted, by name.
        self._wanted: dict[str, _Key | None] = {}
        self._declarations: list[tuple[str, str, _Key | None]] = []
        self._robots: RobotsTxt | None = None
        self._licenses: tuple[str, ...] = ()

    async def settle(self) -> None:
        """Sends requests until the core has no more."""
        async with anyio.create_task_group() as group:

            def launch() -> None:
                while self._hand_out() is not None:
                    pass
                while self._handed:
                    group.start_soon(self._ask, launch, *self._handed.pop(0))

            launch()

    def _hand_out(self) -> _Key | None:
        """Takes the next request from the core. Returns its key, or None if there is none now."""
        request = self._core.next()
        if request is None:
            return None
        key = (request[1], request[3])
        self._open[request[0]] = key
        self._handed.append(request)
        if key[0] in {"detail", "declaration"}:
            # Keeps the order of the requests, not of the answers.
            self._asked.setdefault(key)
        return key

    def _stored_under(self, key: _Key) -> str:
        """Returns the key in the store. It contains the User-Agent, by which answers may vary.

        Answers for callers who permit private addresses have keys of their own, because other callers must not learn what a private network contains.
        """
        network = ("private",) if self._allow_private else ()
        return " ".join((*network, *key, self._user_agent))

    async def _ask(
        self,
        launch: Callable[[], None],
        id: int,
        resource: str,
        url: str,
        first: str,
        limit: int,
        cuts: bool,
        heeds_robots: bool,
    ) -> None:
        key = (resource, first)
        stored = None
        if heeds_robots and not self._may_fetch(url):
            self._take(id, key, self._core.fail(id, "disallowed", now()), None)
            launch()
            return
        if self._cache is not None:
            stored = await to_thread.run_sync(
                self._cache.get, self._stored_under(key), abandon_on_cancel=True
            )
        answer = self._core.recall(id, stored, now()) if stored else None
        if answer is not None:
            self._take(id, key, answer, stored[2] if stored else None)
            if resource == "home" and stored:
                self._see_home(id, answer, stored[6], stored[2])
            launch()
            return
        headers = self._core.headers(id, self._user_agent, stored)
        came = await self._fetch(url, headers, limit, cuts)
        links = b""
        if isinstance(came, Reply):
            if resource == "home":
                links = came.links or (stored[6] if stored else b"")
            answer = self._core.respond(
                id, came.status, came.headers, came.body, now(), stored
            )
            body = stored[2] if stored and came.status == 304 else came.body
        else:
            body = came.start
            answer = self._core.fail(id, came.why, now())
            if came.detail is not None:
                self._details[key] = came.detail
        self._take(id, key, answer, body)
        if resource == "home":
            self._see_home(id, answer, links, body)
        launch()
        if self._cache is not None and answer[0] != "waiting":
            kept = self._kept(id, answer, body, links)
            # The request was sent, so its answer is stored even if the time limit is over. If another process has locked the
            # store, the thread goes on alone.
            end = max(anyio.current_effective_deadline(), anyio.current_time())
            with anyio.CancelScope(shield=True, deadline=end + 0.1):
                await to_thread.run_sync(
                    self._cache.put,
                    self._stored_under(key),
                    kept,
                    abandon_on_cancel=True,
                )

    def _take(self, id: int, key: _Key, answer: "_Answer", body: bytes | None) -> None:
        """Records the result of a request."""
        self._open.pop(id, None)
        state, rejection, format, *_ = answer
        values = self._core.attempt(id) if state != "waiting" else None
        if values is not None:
            # The location can have a document of another resource than the requested one.
            key = (values["resource"], key[1])
        if state == "found" and format is not None and body is not None:
            self._bodies[key] = (body, format)
        elif rejection in RESTRICTING and body is not None and key[0] in MANIFESTS:
            self._foreign[key] = body
        if key[0] in {"detail", "declaration"} and values is not None:
            self._asked[key] = self._attempt(values)

    def _may_fetch(self, url: str) -> bool:
        """Returns whether the robots.txt of the site allows a request."""
        if self._robots is None:
            (text,) = (
                b for (r, _), (b, _) in self._bodies.items() if r == "robots-txt"
            )
            self._robots = RobotsTxt(text, limits=self._limits)
        return self._robots.allowed(self._user_agent, url)

    async def _fetch(
        self, url: str, headers: list[tuple[bytes, bytes]], limit: int, cuts: bool
    ) -> Reply | Failed:
        async with self._turn:
            came = await self._sent(url, headers, limit, cuts)
        if self._credentials is None or not isinstance(came, Reply):
            return came
        # Without a turn, because a person may have to agree; one at a time, so that nobody is asked twice.
        async with self._authorizing:
            token = await self._token(self._credentials, url, came)
        if token is None:
            return came
        async with self._turn:
            more = (b"Authorization", b"Bearer " + token.encode())
            came = await self._sent(url, [*headers, more], limit, cuts)
        if isinstance(came, Reply) and came.status == 401:
            self._credentials.reject(token)
        return came

    async def _sent(
        self, url: str, headers: list[tuple[bytes, bytes]], limit: int, cuts: bool
    ) -> Reply | Failed:
        try:
            return await fetch(
                self._transport,
                url,
                headers,
                limit=limit,
                cuts=cuts,
                timeouts=self._timeouts,
            )
        except Failed as failed:
            return failed

    async def _token(self, oauth: "OAuth2", url: str, reply: Reply) -> str | None:
        """Returns the token that the server wants for a document; None if it wants none, or gets none."""
        from ..calls.authorizing import challenge_of
        from ..calls.errors import CallError
        from ..calls.sending import texts

        challenge = challenge_of(reply.status, texts(reply))
        if challenge is None or challenge.resource_metadata is None:
            return None
        decision = decide(
            [], agent=self._user_agent, url=url, method="GET", origin=self._core.origin
        )
        # A refusal is the last one, because each of them can be the question of a person.
        if self._unauthorized or decision.credentials != "allowed":
            return None
        try:
            if oauth.knows(url):
                return await oauth.token_for(url, decision)
            return await oauth.authorize(
                challenge, url, decision, self._transport, self._user_agent
            )
        except CallError as problem:
            self._unauthorized[url] = str(problem)
            return None

    def _see_home(
        self, id: int, answer: "_Answer", links: bytes, body: bytes | None
    ) -> None:
        """Keeps the licences to which the home page links. They are not requested, because nothing reads them."""
        values = self._core.attempt(id)
        if answer[0] == "found" and values:
            self._licenses = tuple(_licenses(values["url"], links, body or b""))

    def _kept(
        self, id: int, answer: "_Answer", body: bytes | None, links: bytes = b""
    ) -> "_Stored":
        """Returns what to store of an answer."""
        state, rejection, _, freshness, etag, last_modified = answer
        values = self._core.attempt(id)
        url = values["url"] if values else ""
        keeps = state == "found" or (rejection in RESTRICTING and freshness[4])
        body = body if keeps else None
        return url, rejection, body, freshness, etag, last_modified, links

    def give_up(self) -> None:
        """Ends all requests in flight: the time is over."""
        for id, key in list(self._open.items()):
            answer = self._core.fail(id, "timeout", now())
            self._take(id, key, answer, None)
            # The request was sent, or was about to be sent.
            if self._cache is not None:
                self._cache.put(self._stored_under(key), self._kept(id, answer, None))
        while (request := self._core.next()) is not None:
            self._take(
                request[0],
                (request[1], request[3]),
                self._core.fail(request[0], "timeout", now()),
                None,
            )

    async def ask_details(self, names: set[str] | None) -> None:
        """Gets the details of these capabilities, or the first ones that the manifests name, if they are on the site."""
        keys: dict[str, _Key | None] = {}
        self._wanted.update(dict.fromkeys(sorted(names or ())))
        for document in self._documents():
            if document.format != "adp":
                continue
            for capability in document.capabilities:
                name, url = capability.id or "", capability.detail_url
                if url is None or (names is not None and name not in names):
                    continue
                is_wanted = names is not None or len(keys) < _MOST_DETAILS
                if url not in keys and is_wanted:
                    keys[url] = await self._ask_detail(document, url)
                self._wanted[name] = keys.get(url)
        await self.settle()

    async def _ask_detail(self, document: Document, url: str) -> _Key | None:
        """Requests a detail. Returns its key, or None if it is not requested."""
        problem = self._core.ask_detail(document, url, False)
        if problem == "busy":
            await self.settle()
            problem = self._core.ask_detail(document, url, False)
        self._refuse("detail", url, problem)
        # The core's next request is this one; it may spell the URL differently.
        if problem is not None:
            return None
        return self._hand_out() or ("detail", document.detail_url(url) or url)

    async def ask_declarations(self) -> None:
        """Gets the declarations that the documents name."""
        keys: dict[str, _Key | None] = {}
        for document in self._documents():
            for agent in document.agents:
                url = agent.declaration
                if url is None or len(self._declarations) == _MOST_DECLARATIONS:
                    continue
                asked = url.partition("#")[0]
                if asked not in keys:
                    problem = self._core.ask_declaration(url)
                    if problem == "busy":
                        await self.settle()
                        problem = self._core.ask_declaration(url)
                    self._refuse("declaration", url, problem)
                    # The core's next request is this one; it may spell the URL differently.
                    keys[asked] = self._hand_out() if problem is None else None
                self._declarations.append((agent.name or "", url, keys[asked]))
        await self.settle()

    def _refuse(self, resource: str, url: str, rejection: str | None) -> None:
        """Records that a URL in a document is not requested."""
        if rejection is not None:
            nothing = ("no", "network", "unknown", False, None, None, False, None)
            message = _NOT_ASKED.get(
                rejection, "the document names a URL that is not requested"
            )
            self._asked[resource, url] = Attempt(
                resource, url, url, rejection, message, None, 0, *nothing
            )

    def _documents(self) -> list[Document]:
        return [self._document(key) for key in self._core.documents()]

    def _document(self, key: _Key) -> Document:
        body, format = self._bodies[key]
        return parse(body, url=key[1], format=format, limits=self._limits)

    def result(self) -> Site:
        """Returns the result."""
        listed = [self._attempt(values) for values in self._core.attempts()]
        asked = {key: attempt for key, attempt in self._asked.items() if attempt}
        attempts = {(a.resource, a.key): a for a in listed} | asked
        details = [
            Found(self._document(key), attempt)
            for key, attempt in asked.items()
            if attempt.resource == "detail" and attempt.rejection is None
        ]
        elsewhere = [
            Found(self._document((attempt.resource, attempt.key)), attempt)
            for attempt in listed
            if attempt.rejection is None
            and not attempt.own
            and (attempt.resource, attempt.key) in self._bodies
        ]
        rules, text = self._core.robots
        if rules == "disallow-all":
            why = unread_robots(listed)
            attempts = {key: _because(each, why) for key, each in attempts.items()}
        if rules == "document":
            (text,) = (
                b for (r, _), (b, _) in self._bodies.items() if r == "robots-txt"
            )
        return Site(
            origin=self._core.origin,
            found=tuple(
                Found(self._document(key), attempts[key])
                for key in self._core.documents()
            ),
            attempts=tuple(attempts.values()),
            robots=None if text is None else RobotsTxt(text, limits=self._limits),
            robots_rules=rules,
            ask_again_at=self._core.ask_again_at,
            trail_is_cut=self._core.trail_is_cut,
            elsewhere=tuple(elsewhere),
            details=tuple(details),
            _allow_private=self._allow_private,
            missing_details=tuple(
                name
                for name, key in self._wanted.items()
                if key is None or key not in self._bodies
            ),
            unread=tuple(
                Found(parse(body, format="unknown", limits=self._limits), attempts[key])
                for key, body in self._foreign.items()
                if key in attempts
            ),
            declarations=tuple(
                self._declaration(*named) for named in self._declarations
            ),
            _home_licenses=self._licenses,
            _connections=Connections(),
        )

    def _declaration(self, agent: str, url: str, key: _Key | None) -> Declaration:
        if key is None or key not in self._bodies:
            return Declaration(agent, url, None, None)
        document = self._document(key)
        return Declaration(agent, url, self._core.declared(document), document)

    def _attempt(self, values: "_AttemptValues") -> Attempt:
        """Converts an attempt of the core. Adds the errors of connections, which the core does not know."""
        times = values["freshness"]
        others = {"freshness", "pointer"}
        rest = {name: value for name, value in values.items() if name not in others}
        if values["rejection"] in {"unreachable", "address-refused"}:
            rest["error"] = self._details.get((values["resource"], values["key"]))
        if (why := self._unauthorized.get(values["url"])) is not None:
            rest["error"] = why
        pointer = None
        if values["pointer"] is not None:
            source, how, relation, span = values["pointer"]
            pointer = Pointer(source, how, relation, *(span or (None, None)))
        freshness = Freshness(*times) if times[0] else None
        return Attempt(**rest, freshness=freshness, pointer=pointer)  # type: ignore[arg-type]


def _because(attempt: Attempt, why: str) -> Attempt:
    """Returns an attempt; if robots.txt forbids it, with the message `why`."""
    is_meant = attempt.rejection == "robots-disallowed"
    return replace(attempt, message=why) if is_meant else attempt
