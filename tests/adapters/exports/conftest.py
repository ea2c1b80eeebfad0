"""A campaign with secrets and whispers, of which files are made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.command_line import completions, home, played, rollbook, stored, table
from tests.support.javascript import JavaScriptVerifier
from tests.support.pages import opened

__all__ = ["completions", "home", "opened", "played", "rollbook", "stored", "table"]


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    made = begin_campaign(memory_book(tmp_path))
    made.do("entropy", {"text": "6 2 5"}, seat="mira")
    made.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    made.do("note", {"text": "the duke did it", "to": "gm"})
    made.do("note", {"text": "psst", "to": "mira"})
    made.do("hide", {"who": "robin"})
    made.do("adjust", {"who": "robin", "what": "hp", "by": -2, "reason": "fell"})
    made.corrections.undo(made.history.actions, reason="did not").apply()
    made.do("note", {"text": "heard by all"})
    made.do("close-session")
    return made


@pytest.fixture(scope="module")
def javascript() -> Iterator[JavaScriptVerifier]:
    made = JavaScriptVerifier()
    yield made
    made.close()
