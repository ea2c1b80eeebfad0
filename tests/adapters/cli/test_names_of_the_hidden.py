"""Who is hidden takes no name from anybody: neither what open newcomers are called nor what a player is refused says of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

HIDDEN = (
    "do join Ogre --kind npc --hp 20 --ac 13 --secret",
    "do join 'The Brute' --id ogre --kind npc --hp 20 --ac 13 --secret",
    "do join Ogre --id ogre --count 2 --kind npc --hp 20 --ac 13 --secret",
)
OPEN = "do join Ogre --kind npc --hp 9 --ac 10"
PROBES = (
    *("attack robin ogre longbow --distance 40", "attack robin og longbow", "attack robin hidden-ogre longbow"),
    *("attack robin brute longbow", "attack robin 'The Brute' longbow", "attack robin o longbow"),
    *("influence robin ogre --way charm", "attack robin nobody longbow", "give-way robin ogre"),
)


@pytest.mark.parametrize("hidden", HIDDEN)
def test_an_open_newcomer_is_called_as_if_nobody_was_hidden(table, hidden: str) -> None:
    assert table(hidden).code == 0
    came = table(f"{OPEN} --json")
    assert came.code == 0, came.err
    assert came.data["actor"] == ["ogre", "Ogre"]
    assert came.data["events"][0]["character"] == "ogre"
    assert table(f"{OPEN} --json").data["actor"] == ["ogre-2", "Ogre 2"]


def test_an_id_of_the_gms_own_gets_the_beginning_of_hidden_ones_and_is_typed_without_it(table) -> None:
    assert table("do join 'The Brute' --id brute --kind npc --hp 20 --ac 13 --secret").code == 0
    assert table("do harm brute 3").code == 0
    assert table("sheet hidden-brute --json").data["name"] == "The Brute"
    assert table("do join Cutpurse --id brute --kind npc --hp 8 --ac 10").code == 0
    assert table("sheet brute --json").data["name"] == "Cutpurse"
    assert table("do join Shadow --id hidden-shadow --kind npc --hp 8 --ac 10 --secret").code == 0
    assert table("sheet hidden-shadow --json").data["name"] == "Shadow"


@pytest.mark.parametrize("hidden", HIDDEN)
def test_no_line_of_a_players_says_who_is_hidden(table, home: Path, hidden: str) -> None:
    store = home / "books"
    shutil.copytree(store, home / "plain")
    assert table(hidden).code == 0
    for probe in PROBES:
        line = f"do {probe} --seat Mira --dice 1"
        said = [table(f"{line} --store {folder / 'rollbook.db'}") for folder in (store, home / "plain")]
        assert said[0].code == said[1].code != 0, probe
        assert said[0].err == said[1].err, probe


def test_the_gm_finds_the_hidden_by_any_beginning(table) -> None:
    assert table(HIDDEN[0]).code == 0
    assert table("do harm ogr 2").code == 0
    assert table("sheet hidden-ogre --json").data["values"]
