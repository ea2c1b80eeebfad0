"""The form by which a fight begins: all who are there are chosen at first, as far as the table knows of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.support.web import StoreFiles
from tests.support.web_tables import in_the_fight


@pytest.fixture
def sherwood(tmp_path: Path) -> StoreFiles:
    """In the middle of a fight, beside which somebody is hidden."""
    return in_the_fight(tmp_path)


def test_a_fight_begins_with_all_who_are_there_and_nobody_whom_the_table_does_not_know(
    gm: TestClient, sherwood: StoreFiles
) -> None:
    with sherwood.book() as book:
        state = book.campaign("sherwood").state
        known = {who.id for who in state.characters.values() if who.present and not who.hidden}
        assert any(who.hidden and who.present for who in state.characters.values())
    boxes = re.findall(r'name="participants" value="([^"]+)" checked', gm.get("/c/sherwood/do/begin-encounter").text)
    assert set(boxes) <= known
    assert len(boxes) > 2
