"""Every number on a sheet is the sum of terms that say where they come from."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.heritages import HERITAGES
from rollbook.rulesets.storytoken.character.roles import ROLES, TOPICS
from rollbook.testing.scenarios import rule


@pytest.mark.parametrize("who", ["robin", "holmes", "dracula", "guard", "door"])
def test_terms_add_up_to_their_value(sherwood, who: str) -> None:
    for value in sherwood().given(Harm(who=who, amount="5")).sheet(who).values:
        if value.terms:
            assert sum(term.amount for term in value.terms) == value.amount, value.label


def test_terms_say_which_rule_and_which_part_of_the_character(sherwood) -> None:
    value = sherwood().sheet("robin").value("to_hit:longbow")
    assert value is not None
    assert [(term.amount, term.label, term.rule, term.path) for term in value.terms] == [
        (3, "DEX", "R0.13", "stat.dex"),
        (8, "Fighting Expert", "R0.165", "trait.fighting"),
    ]


def test_hit_points_show_what_is_left_of_the_maximum(sherwood) -> None:
    assert str(sherwood().given(Harm(who="robin", amount="8")).sheet("robin").value("hp")) == "28 of 36"


def test_labels_are_unlike_one_another(sherwood) -> None:
    for who in ("robin", "holmes", "dracula", "guard"):
        labels = [value.label for value in sherwood().sheet(who).values]
        assert len(set(labels)) == len(labels)


def test_the_words_name_condition_gear_and_open_choices(sherwood) -> None:
    afraid = events.ConditionBegan(character="dracula", condition="afraid", detail="of garlic")
    arrows = events.GearGained(character="dracula", item="candle", count=3)
    words = dict(sherwood().given(afraid, arrows).sheet("dracula").words)
    assert words["Conditions"] == "afraid (of garlic)"
    assert words["Gear"] == "light armour, candle x 3"


@rule("R0.141", "R0.142", "R0.143", "R0.146", "R0.148", "R0.149", "R0.152", "Q0.63")
@pytest.mark.parametrize("heritage", HERITAGES)
def test_every_heritage_makes_a_sheet(nobody, heritage: str) -> None:
    born = Join(name="Child", id="child", kind="npc", heritage=heritage, hp=5)
    sheet = nobody().given(born).sheet("child")
    row = HERITAGES[heritage]
    assert sheet.amount("ac") == 10 + row.armour_class
    assert sheet.amount("speed") == 40 + row.speed
    words = dict(sheet.words)["Heritage"]
    assert words.count("60 ft in the dark") == (1 if row.darkvision else 0)
    assert words.endswith(".")


@pytest.mark.parametrize("role", ROLES)
def test_every_role_tells_what_it_does_at_this_level(nobody, role: str) -> None:
    child = Join(name="Child", id="child", kind="npc", level=5, roles=(role,), hp=5)
    sheet = nobody().given(child).sheet("child")
    shown = dict(sheet.words)[ROLES[role].name]
    assert "{" not in shown
    bonus = {"L+2": 7, "L/2": 2, "": 0}[ROLES[role].topic_bonus]
    assert sheet.amount(f"topic:{role}") == bonus


@rule("Q0.77")
def test_half_a_level_is_nothing_at_level_1_unless_the_table_says_1(nobody) -> None:
    leader = Join(name="Child", id="child", kind="npc", level=1, roles=("leadership",), hp=5)
    assert "+0 to all tasks" in dict(nobody().given(leader).sheet("child").words)["Leadership Expert"]
    assert "+1 to all tasks" in dict(nobody(half_level_min=1).given(leader).sheet("child").words)["Leadership Expert"]


@rule("QG.14", "Q0.65")
def test_topics_are_a_vocabulary_and_a_dwarfs_are_among_them(nobody) -> None:
    assert {"clues", "stealth", "mining", "investigation"} <= set(TOPICS)
    dwarf = Join(name="Gimli", id="gimli", kind="npc", level=4, heritage="dwarf", hp=5)
    assert nobody().given(dwarf).sheet("gimli").amount("topic:mining") == 4


@rule("QG.1")
def test_halves_are_rounded_as_the_table_rounds(nobody) -> None:
    sly = Join(name="Child", id="child", kind="npc", level=5, roles=("obscurity",), hp=5)
    assert "armour class +2" in dict(nobody().given(sly).sheet("child").words)["Obscurity"]
    assert "armour class +3" in dict(nobody(rounding="ceil").given(sly).sheet("child").words)["Obscurity"]


@rule("Q0.29")
@pytest.mark.parametrize(
    ("clock", "shown"),
    [(40, "day 1, 00:00:40"), (600, "day 1, 00:10"), (86_400, "day 2, 00:00"), (180_061, "day 3, 02:01:01")],
)
def test_a_sheet_says_until_when_a_condition_lasts_and_stays_the_same_meanwhile(
    sherwood, clock: int, shown: str
) -> None:
    cursed = events.ConditionBegan(character="robin", condition="cursed", detail="by a witch", until=clock)
    game = sherwood().given(cursed)
    words = dict(game.sheet("robin").words)
    assert words["Conditions"] == f"cursed (by a witch, until {shown})"
    assert dict(game.given(events.TimePassed(seconds=clock - 1)).sheet("robin").words) == words
