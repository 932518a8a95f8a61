"""Checks whether a site is ready for agents: `agentsdisc check`, `agentsdisc.check_site`."""

from .report import Check, Evidence, Prediction, Report, Score

__all__ = ["Check", "Evidence", "Prediction", "Report", "Score"]
