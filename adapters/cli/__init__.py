"""The command line: ``rollbook`` in a terminal."""

from adapters.cli.app import main

__all__ = ["main"]
