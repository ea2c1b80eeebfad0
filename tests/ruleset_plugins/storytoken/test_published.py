"""The published characters come out with the numbers that are printed."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.character.creation import PUBLISHED, BringIn
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.testing.scenarios import rule

SHEETS = {
    "sherlock-holmes": {
        "scores": (10, 14, 12, 18, 16, 13),
        "modifiers": (0, 1, 0, 3, 2, 1),
        "body": (11, 28, 30, 8),
        "topics": {"investigation": 10, "leadership": 10, "obscurity": 10, "science": 10},
        "to_hit": 1,
    },
    "robin-hood": {
        "scores": (13, 18, 14, 12, 15, 17),
        "modifiers": (1, 3, 1, 0, 1, 2),
        "body": (15, 36, 30, 8),
        "topics": {"leadership": 10, "wilderness": 10},
        "to_hit": 11,
    },
    "count-dracula": {
        "scores": (18, 16, 16, 16, 14, 18),
        "modifiers": (3, 2, 2, 2, 1, 3),
        "body": (14, 58, 30, 12),
        "topics": {"arcane": 14, "noble": 14, "obscurity": 14},
        "to_hit": 15,
    },
}


@rule("R0.192", "R0.193", "R0.194", "Q0.12", "Q0.16", "Q0.15")
@pytest.mark.parametrize("flat", ["text", "table"])
@pytest.mark.parametrize("cap", ["none", "9"])
@pytest.mark.parametrize("who", SHEETS)
def test_every_printed_number(nobody, who: str, flat: str, cap: str) -> None:
    printed = SHEETS[who]
    game = nobody(hp_flat_above_9=flat, hp_con_cap_level=cap).given(BringIn(who=who))
    sheet = game.sheet(who)
    abilities = ("str", "dex", "con", "int", "wis", "cha")
    assert tuple(sheet.amount(ability) for ability in abilities) == printed["scores"]
    shown = [str(sheet.value(ability)) for ability in abilities]
    assert shown == [f"{score} ({mod:+d})" for score, mod in zip(printed["scores"], printed["modifiers"], strict=True)]
    assert tuple(sheet.amount(key) for key in ("ac", "max_hp", "speed", "level")) == printed["body"]
    assert sheet.amount("hp") == sheet.amount("max_hp")
    assert {topic: sheet.amount(f"topic:{topic}") for topic in printed["topics"]} == printed["topics"]
    assert sheet.amount("to_hit") == printed["to_hit"]


@rule("R0.192", "R0.166", "R0.167", "R0.170", "R0.171")
def test_holmes_can_do_what_his_sheet_says(sherwood) -> None:
    words = dict(sherwood().sheet("holmes").words)
    assert "4 specific questions" in words["Investigation Expert"]
    assert "+4 to all tasks for 8 hours, or 8 rounds" in words["Leadership Expert"]
    assert "armour class +4" in words["Obscurity"]
    assert "4 others +4" in words["Science Expert"]
    assert "24 hours" in words["Science Expert"]
    assert words["Gear"].startswith("cane, magnifying lens")


@rule("R0.193", "R0.165", "R0.177", "Q0.25", "Q0.73")
def test_robin_can_do_what_his_sheet_says(sherwood) -> None:
    sheet = sherwood().sheet("robin")
    words = dict(sheet.words)
    assert words["Fighting Expert"].startswith("+8 to hit and damage")
    assert words["Wilderness Expert"].startswith("+10")
    assert str(sheet.value("damage:longbow")) == "1d6 + 11"
    assert str(sheet.value("damage:two small blades")) == "1d6 + 11"
    cane = sherwood().sheet("holmes")
    assert str(cane.value("damage:cane")) == "1d6/^2 + 1"


@rule("R0.194", "R0.158", "R0.169", "Q0.56")
def test_dracula_can_do_what_his_sheet_says_and_his_ability_is_open(sherwood) -> None:
    game = sherwood()
    sheet = game.sheet("dracula")
    words = dict(sheet.words)
    assert "Knows 12 spells" in words["Arcane Magic"]
    assert "for 6 hours" in words["Noble"]
    assert "armour class +6" in words["Obscurity"]
    assert "60 ft in the dark" in words["Heritage"]
    assert sheet.value("to_hit:bite") is not None
    assert words["Open choices"] == "heritage-ability"


@rule("Q0.16")
def test_the_hit_dice_are_dice_and_not_a_number(nobody) -> None:
    played = nobody().when(BringIn(who="count-dracula"))
    dice = [event.amount for event in played.events(events.StatChanged) if event.stat == "hit_dice"]
    assert (len(dice), sum(dice), set(dice) <= set(range(1, 7))) == (9, 28, True)
    assert sum(PUBLISHED["count-dracula"].hit_dice(Settings(hp_flat_above_9="table"))) == 32


@rule("Q0.12")
def test_speed_is_the_sheets_own(nobody) -> None:
    value = nobody(base_speed_ft=50).given(BringIn(who="robin-hood")).sheet("robin-hood").value("speed")
    assert value is not None
    assert (value.amount, value.terms[0].rule) == (30, "Q0.12")


def test_everybody_is_brought_in_once(nobody) -> None:
    game = nobody().given(BringIn(who="robin-hood"))
    game.when(BringIn(who="robin-hood")).refused("There is already a character called 'robin-hood'")
    game.when(BringIn(who="robin-hood", id="another-robin")).then(events.CharacterJoined)
