"""At a terminal it is asked what becomes of an imported change that rests on one that is undone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rollbook.adapters.imports.recording import record_import
from rollbook.adapters.wiring import open_book
from tests.support.imported import IMPORTED
from tests.support.terminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@pytest.fixture
def cellar(rollbook, home: Path):
    """A campaign of imported changes alone: a wound, a rest, another wound."""
    (home / "books").mkdir()
    with open_book(home / "books" / "rollbook.db", home / "seeds") as book:
        record_import(book, IMPORTED)
    return rollbook


def hit_points(cellar) -> str:
    return cellar("sheet korva").out


@pytest.mark.parametrize(("answer", "left"), [("v", "25 of 45"), ("k", "36 of 45")])
def test_it_is_asked_whether_both_are_undone(cellar, answer: str, left: str) -> None:
    terminal = Terminal.running("undo", "2", "--why", "it missed")
    terminal.until("rests on #2: Korva has 56 of 45 hit points then")
    terminal.answer("#3: k leave it as it is imported, v undo it too", answer)
    terminal.answer("Apply? [y/N]", "y")
    assert terminal.ended() == 0
    assert left in hit_points(cellar)
