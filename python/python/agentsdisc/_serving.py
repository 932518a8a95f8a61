"""What can be wrong with how documents are served: one code for one thing, as for what stands in them."""

CODES: dict[str, tuple[str, str]] = {
    "blocked-by-robots": (
        "error",
        "The site's own robots.txt disallows the document, so agents that heed it never read it.",
    ),
    "companion-differs": (
        "error",
        "agents.txt and agents.json do not say the same (warning for descriptions and contacts, which nothing is decided by).",
    ),
    "companion-missing": (
        "error",
        "A document needs or names an agents.json that the site does not serve.",
    ),
    "insecure-transport": (
        "error",
        "The document is served without encryption (info on this very machine).",
    ),
    "invalid-cache-control": (
        "warning",
        "Cache-Control gives no time that can be read, or two that differ.",
    ),
    "locations-differ": (
        "warning",
        "The document at the well-known place and that at the root are not the same; the well-known one counts.",
    ),
    "missing-cache-control": (
        "warning",
        "There is no Cache-Control, so each agent keeps the document as long as it thinks fit (info where it is only recommended).",
    ),
    "missing-content-type": ("error", "There is no Content-Type."),
    "missing-cors": (
        "warning",
        "There is no Access-Control-Allow-Origin for everyone, so programs in browsers cannot read the document (info where it is only recommended).",
    ),
    "missing-cors-methods": (
        "info",
        "Access-Control-Allow-Methods does not name GET and OPTIONS.",
    ),
    "missing-root-copy": (
        "info",
        "The document is not at the root as well, where some agents look.",
    ),
    "not-compared": (
        "info",
        "Not everything in agents.txt and agents.json is compared, or not every difference is told: they are too large, in different order, or differ too often.",
    ),
    "not-recognised": (
        "warning",
        "Something is served where agents look for a document, and it is none of those that belong there.",
    ),
    "nothing-served": ("error", "The site serves no document for agents at all."),
    "redirected": (
        "info",
        "The document is reached by a redirect (warning where that leads to another host of the site).",
    ),
    "redirected-away": (
        "error",
        "A redirect leads where agents do not follow: off the site, from https to http, in a loop, or too often.",
    ),
    "refused": (
        "error",
        "The document is refused, or the server fails: neither the document nor a clear 404.",
    ),
    "robots-unavailable": (
        "error",
        "robots.txt cannot be had for an error of the server, which disallows everything (RFC 9309).",
    ),
    "soft-404": (
        "warning",
        "A page for people comes with status 200 where nothing is: agents take it for a document.",
    ),
    "unreadable": ("error", "The document cannot be read."),
    "unsuitable-cache-time": (
        "warning",
        "The document is kept for less than a minute or not at all, so that it is asked for again and again, or for more than a week.",
    ),
    "wrong-content-type": (
        "error",
        "The Content-Type is not that of the format (warning where the specification does not demand it, and where only the charset is missing).",
    ),
    "wrong-location": (
        "error",
        "The document is not at the place where its specification wants it, only at another one.",
    ),
}
"""Each code with its usual severity and its meaning. `docs/site-owners.md` has the same table."""
