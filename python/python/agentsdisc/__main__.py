"""Runs the command line: `python -m agentsdisc` is the same as `agentsdisc`."""

from .cli import entry

if __name__ == "__main__":
    entry()
