"""Newcomers like a stat block in a file: a Foundry actor or Markdown, in every game, with what it cannot use named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Say
from tests.support.foundry import ACTORS
from tests.support.games import INSTALLED_RULESETS

GOBLIN = """> ## Goblin
> *Small humanoid (goblinoid), neutral evil*
> ___
> - **Armor Class** 15 (leather armor, shield)
> - **Hit Points** 7 (2d6)
> - **Speed** 30 ft.
>
>|STR|DEX|CON|INT|WIS|CHA|
>|:---:|:---:|:---:|:---:|:---:|:---:|
>|8 (-1)|14 (+2)|10 (+0)|10 (+0)|8 (-1)|8 (-1)|
>
> - **Senses** darkvision 60 ft., passive Perception 9
> ***Nimble Escape.*** The goblin can take the Disengage or Hide action.
> ***Scimitar.*** *Melee Weapon Attack:* +4 to hit, reach 5 ft., one target.
"""
USED = {
    "storytoken": ("STR 8", "DEX 14", "Armour class 15"),
    "luckpoint": ("STR −1", "DEX +2", "Armour class 15"),
    "powers": ("Defense 15",),
    "russell": ("STR 8", "CON 10", "DEX 14"),
    "grid": ("Strength −1", "Dexterity +2", "Speed 30"),
    "srd5": ("STR 8", "DEX 14", "Armour class 15", "30 feet"),
}


@pytest.mark.parametrize("game", INSTALLED_RULESETS)
def test_a_stat_block_in_markdown_joins_in_every_game(say: Say, tmp_path: Path, game: str) -> None:
    (tmp_path / "goblin.md").write_text(GOBLIN, encoding="utf-8")
    say("new", "Cave", "--ruleset", game)
    said = say("do", "join", "--like", str(tmp_path / "goblin.md"), "--count", "2")
    assert f"{game} has no use for this of Goblin: " in said
    assert "Nimble Escape" in said
    shown = say("sheet", "goblin-1")
    for part in ("7 of 7", *USED[game]):
        assert part in shown
    say("sheet", "goblin-2")


def test_the_numbers_of_a_block_are_those_on_the_sheet(say: Say, tmp_path: Path) -> None:
    (tmp_path / "goblin.md").write_text(GOBLIN, encoding="utf-8")
    say("new", "Cave", "--ruleset", "storytoken")
    say("do", "join", "--like", str(tmp_path / "goblin.md"))
    shown = say("sheet", "goblin")
    for part in ("STR 8", "DEX 14", "CON 10", "INT 10", "WIS 8", "CHA 8", "Armour class 15", "7 of 7", "Speed 30"):
        assert part in shown


def test_a_metric_game_has_the_speed_in_metres(say: Say, tmp_path: Path) -> None:
    (tmp_path / "goblin.md").write_text(GOBLIN, encoding="utf-8")
    say("new", "Cave", "--ruleset", "luckpoint")
    say("do", "join", "--like", str(tmp_path / "goblin.md"))
    assert "Speed 9 m" in say("sheet", "goblin")


@pytest.mark.parametrize("version", ["system", "data"])
def test_an_actor_that_foundry_exported_joins(say: Say, tmp_path: Path, version: str) -> None:
    actor = {**ACTORS[0], "type": "npc"}
    actor[version] = actor.pop("system")
    path = tmp_path / "fvtt-Actor-robin.json"
    path.write_text(json.dumps(actor), encoding="utf-8")
    say("new", "Greenwood", "--ruleset", "grid")
    said = say("do", "join", "--like", str(path))
    assert "grid has no use for this of Robin: " in said
    assert "Longbow" in said
    shown = say("sheet", "robin")
    assert "24 of 24" in shown
    assert "Armour class 15" in shown


def test_a_block_of_obsidian_is_read(say: Say, tmp_path: Path) -> None:
    block = "```statblock\nname: Ash Wolf\nac: 13\nhp: 11\nspeed: 40 ft.\nstats: [12, 15, 12, 3, 12, 6]\n```\n"
    (tmp_path / "wolf.md").write_text(block, encoding="utf-8")
    say("new", "Cave", "--ruleset", "storytoken")
    say("do", "join", "--like", str(tmp_path / "wolf.md"), "--kind", "monster")
    shown = say("sheet", "ash-wolf")
    for part in ("DEX 15", "INT 3", "Armour class 13", "11 of 11", "Speed 40"):
        assert part in shown


def test_what_is_typed_goes_before_what_the_file_says(say: Say, tmp_path: Path) -> None:
    (tmp_path / "goblin.md").write_text(GOBLIN, encoding="utf-8")
    say("new", "Cave", "--ruleset", "storytoken")
    say("do", "join", "Boss", "--like", str(tmp_path / "goblin.md"), "--hp", "21")
    shown = say("sheet", "boss")
    assert "21 of 21" in shown
    assert "Armour class 15" in shown


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.md", "# A walk in the woods\n\nNothing happened.", "holds no stat block"),
        ("a.json", "{", "this is not JSON"),
        ("a.json", "[1]", "is not an actor that Foundry exported"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.md", "# \x00<script>alert(1)</script>\nAC 12, hp 4", ""),
    ],
)
def test_a_file_without_a_stat_block_is_refused_in_one_sentence(
    say: Say, tmp_path: Path, name: str, text: str, why: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    say("new", "Cave", "--ruleset", "storytoken")
    said = say("do", "join", "--like", str(tmp_path / name), fails=1 if why else 0)
    assert why in said


def test_a_file_that_is_not_there_is_named(say: Say) -> None:
    say("new", "Cave", "--ruleset", "storytoken")
    assert "There is no file nowhere.md" in say("do", "join", "--like", "nowhere.md", fails=3)
