"""A registry of services: built from crawls or domains, searched by words, served over HTTP and MCP (extra `registry`).

`open_store` opens the index; `build` fills it; `app` is the ASGI application that answers.
"""
