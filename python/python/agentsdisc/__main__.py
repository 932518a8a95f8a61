"""`python -m agentsdisc` is `agentsdisc`."""

from .cli import entry

if __name__ == "__main__":
    entry()
