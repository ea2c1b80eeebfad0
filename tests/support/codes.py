"""Whole codes, as one reads them aloud and compares them."""

from __future__ import annotations

from rollbook.domain.dice.stream import code_agrees, is_whole_code


def code_matches(written: str, digest: bytes) -> bool:
    """True if a code that was noted is the whole code of ``digest``. A part of it never is."""
    return is_whole_code(written) and code_agrees(written, digest)
