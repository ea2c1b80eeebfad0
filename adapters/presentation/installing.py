"""Commands that install rollbook, as sentences say them: from a checkout, until the package index has it under its name."""

from __future__ import annotations

PUBLISHED = False
"""Set by the last step of a first release (RELEASING.md), which changes the pages, too."""


def install(extra: str = "", *, by: str = "pip install") -> str:
    """The command that installs rollbook with an extra, and where to say it: ``pip install '.[pdf]' in a checkout``."""
    name = "rollbook" if PUBLISHED else "."
    what = f"'{name}[{extra}]'" if extra else name
    return f"{by} {what}" if PUBLISHED else f"{by} {what} in a checkout of rollbook"
