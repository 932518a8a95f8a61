"""The codes of problems with how documents are served."""

from . import _agentsdisc

CODES = {
    code: (severity, about) for code, severity, about in _agentsdisc._serving_codes()
}
"""Each code with its usual severity and its meaning."""
