"""Older histories count the secret rolls of a session where it is closed, beside the open ones: that stays as true as it was."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.attacks.forging import DICE, Forged, file_of, forged, honest, looked_at, written
from tests.support.javascript import JavaScriptVerifier, needs_node, same


def counted_at_the_close(more: int = 0) -> list[Forged]:
    """The honest history with its secret rolls counted where their session is closed, and so many more."""
    entries = forged(honest().stored)
    *_, closed = (entry.event("SessionClosed") for entry in entries if entry.has("SessionClosed"))
    *_, told = (entry.event("ScreenCounted") for entry in entries if entry.has("ScreenCounted"))
    closed["counts"] += [[*run, many + more] for *run, many in told["counts"]]
    assert any(is_screen for is_screen, *_ in closed["counts"])
    return entries


@pytest.mark.parametrize(("more", "verdict"), [(0, "VERIFIED"), (1, "FAILED")])
def test_rolls_counted_at_the_close_are_as_many_as_fell(tmp_path: Path, more: int, verdict: str) -> None:
    found = looked_at(written(counted_at_the_close(more)), honest(), tmp_path)
    assert (found.of_engine(DICE), found.of_verifier(DICE)) == (verdict, verdict), found.said


@needs_node
@pytest.mark.parametrize("more", [0, 1])
def test_of_rolls_counted_at_the_close_both_verifiers_say_the_same(tmp_path: Path, more: int) -> None:
    path = tmp_path / "older.jsonl"
    path.write_bytes(file_of(written(counted_at_the_close(more)), honest().campaign))
    with closing(JavaScriptVerifier()) as javascript:
        same(javascript, path, plain=False)
