"""The command line: ``rollbook`` in a terminal."""

from rollbook.adapters.cli.app import main

__all__ = ["main"]
