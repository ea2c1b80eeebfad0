"""Where the GM wishes that players are told in words how foes are, ``--for`` a player's seat tells it so, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rollbook.adapters.local_files import paths
from rollbook.adapters.wiring import open_book
from tests.support.terminal import RunRollbook


@pytest.fixture
def in_words(table: RunRollbook, home: Path) -> RunRollbook:
    """A table whose GM wishes it."""
    with open_book(home / "books" / "rollbook.db", paths.seeds_folder(), create=False) as book:
        book.page_settings.say_foes_in_words("test-table", wanted=True)
    return table


def test_a_players_status_has_no_number_of_a_foe_and_the_gms_has(in_words: RunRollbook) -> None:
    told = in_words("status --for mira").out
    assert "Guard" in told
    assert "hurt" in told
    assert "of 18" not in told
    assert "of 18" in in_words("status").out


def test_a_players_status_for_programs_has_none_either(in_words: RunRollbook) -> None:
    people = json.loads(in_words("--json status --for table").out)["characters"]
    guard, robin = (next(who for who in people if who["character"] == name) for name in ("guard", "robin"))
    assert (guard["hp"], guard["left"], guard["most"]) == ("hurt", None, None)
    assert robin["left"] == robin["most"] > 0


def test_pictures_for_a_player_leave_out_what_foes_lost(in_words: RunRollbook) -> None:
    assert "Guard" in in_words("pictures --only damage").out
    assert "Guard" not in in_words("pictures --only damage --for mira").out
