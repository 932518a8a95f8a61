"""The codes of problems with how documents are served."""

CODES: dict[str, tuple[str, str]] = {
    "blocked-by-robots": (
        "error",
        "The site's own robots.txt disallows the document, so agents that respect it never read it.",
    ),
    "companion-differs": (
        "error",
        "agents.txt and agents.json differ (warning for descriptions and contacts, which do not affect decisions), or ard.json and ai-catalog.json.",
    ),
    "companion-missing": (
        "error",
        "A document requires or names an agents.json that the site does not serve, or serves in another format.",
    ),
    "dead-link": (
        "warning",
        "A link of the home page, of robots.txt or of a catalog leads to no document that agents can read.",
    ),
    "detail-missing": (
        "error",
        "The detail of a capability is not served: the server answers with another status than 200, or not at all.",
    ),
    "detail-name": (
        "error",
        "A detail describes another capability than the one that the manifest names it for.",
    ),
    "detail-not-checked": (
        "info",
        "The detail of a capability is not requested: it is on another site, its URL is invalid, or there are more than 64.",
    ),
    "detail-unreadable": (
        "error",
        "The detail of a capability is not JSON, or not a detail.",
    ),
    "insecure-transport": (
        "error",
        "The document is served without encryption (info on a loopback host).",
    ),
    "invalid-cache-control": (
        "warning",
        "Cache-Control has an invalid lifetime, or two different ones.",
    ),
    "locations-differ": (
        "warning",
        "The documents at the well-known location and at the root differ; agents use the well-known one.",
    ),
    "missing-cache-control": (
        "warning",
        "Cache-Control is absent, so agents choose how long they keep the document (info if it is only recommended).",
    ),
    "missing-content-type": ("error", "Content-Type is absent."),
    "missing-cors": (
        "warning",
        "Access-Control-Allow-Origin does not allow every origin, so programs in browsers cannot read the document (info if it is only recommended).",
    ),
    "missing-cors-methods": (
        "info",
        "Access-Control-Allow-Methods does not name GET and OPTIONS.",
    ),
    "missing-root-copy": (
        "info",
        "The document is not also at the root, where some agents look for it.",
    ),
    "not-answered": (
        "warning",
        "The time for the whole site was over before the location answered, so that nothing is known about it.",
    ),
    "not-compared": (
        "info",
        "The comparison of agents.txt and agents.json is incomplete: they are too large, in different order, or have too many differences.",
    ),
    "not-followed": (
        "info",
        "The site points to more documents than are requested.",
    ),
    "not-recognised": (
        "warning",
        "The response at the location of a document is not a document of a format for that location.",
    ),
    "nothing-served": ("error", "The site serves no document for agents."),
    "redirected": (
        "info",
        "A redirect leads to the document (warning if it leads to another host of the site).",
    ),
    "redirected-away": (
        "error",
        "Agents do not follow the redirect: it leaves the site, leads from https to http, is a loop, or exceeds the limit of redirects.",
    ),
    "refused": (
        "error",
        "The server refuses the document or fails; it sends neither the document nor a 404.",
    ),
    "robots-unavailable": (
        "error",
        "The server fails to send robots.txt, which disallows everything (RFC 9309).",
    ),
    "soft-404": (
        "warning",
        "The server sends an HTML page with status 200 for a document that does not exist; agents may read the page as a document.",
    ),
    "unreadable": ("error", "The document cannot be read."),
    "unsuitable-cache-time": (
        "warning",
        "The lifetime of the document is less than a minute, so that agents request it too often, or more than a week.",
    ),
    "wrong-content-type": (
        "error",
        "The Content-Type is not that of the format (warning if the specification does not require it, or if only the charset is absent).",
    ),
    "wrong-location": (
        "error",
        "The document is only at another location than its specification requires.",
    ),
}
"""Each code with its usual severity and its meaning. `docs/site-owners.md` contains the same table."""
