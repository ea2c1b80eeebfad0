"""The command line: ``rollbook`` in a terminal."""

from __future__ import annotations

from adapters.cli.app import main

__all__ = ["main"]
