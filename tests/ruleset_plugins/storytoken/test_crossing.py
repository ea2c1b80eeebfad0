"""Characters of other games come in with what every game knows, and go out with it again."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.rules.crossing import ABILITIES, ARMOURS, MEANINGS, WEAPONS
from rollbook.plugin import Passport, events
from rollbook.rulesets.storytoken import RULESET
from rollbook.rulesets.storytoken.character.abilities import modifier
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.levels import Choose
from rollbook.rulesets.storytoken.character.roles import ROLES
from rollbook.rulesets.storytoken.crossing import CROSSING, LOCALLY, arrive, describe, score_for, set_modifier
from rollbook.rulesets.storytoken.fight.arms import ARMOURS as OURS
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter
from rollbook.testing.scenarios import Scenario, like, rule, scenario, with_dice
from tests.support.bare_table import joined_events, table_after

MODIFIERS = dict(zip(ABILITIES, (-3, 0, 2, 5, -1, 9), strict=True))
STRANGER = Passport(
    max_hp=17, level=3, modifiers=MODIFIERS, armour_class=14, armour="light", worn="leather coat", shield="buckler",
    weapons={"dirk": "light", "spear": "medium", "maul": "heavy", "sling": "ranged"}, attack=4, luck=2,
)  # fmt: skip
ORC = Passport(max_hp=9, armour_class=13, is_entered=True, weapons={"axe": "medium"}, attack=3, speed=20)


def arrived(passport: Passport, *, kind: str = "pc", experience: int = 0, **settings):
    """A newcomer called Zed who has come in with this passport."""
    table = table_after(
        (
            *scenario_events(settings),
            events.CharacterJoined(character="zed", name="Zed", kind=events.CharacterKind(kind)),
            *(events.GearGained(character="zed", item=item) for item in things(passport)),
            events.ExperienceAwarded(character="zed", amount=experience),
        ),
        ruleset=RULESET,
    )
    for ability, amount in passport.modifiers.items():
        set_modifier(table, "zed", ability, amount)
    arrive(table, "zed", passport)
    return table


def scenario_events(settings) -> tuple[events.Event, ...]:
    return (events.RulesetAdopted(ruleset="storytoken", version="1", settings=settings),)


def things(passport: Passport) -> list[str]:
    return [item for item in (passport.worn, passport.shield, *passport.weapons) if item]


def sheet(table):
    return RULESET.sheet(table.character("zed"), table.campaign)


def out(table) -> Passport:
    return describe(table.character("zed"), table.campaign)


@given(st.integers(-4, 30))
def test_there_is_a_score_for_every_modifier(wanted: int) -> None:
    assert modifier(score_for(wanted)) == wanted


def test_below_the_table_the_lowest_score_counts() -> None:
    assert [score_for(wanted) for wanted in (-4, -5, -90)] == [1, 1, 1]


def test_modifiers_come_out_as_they_came_in() -> None:
    table = arrived(STRANGER)
    assert out(table).modifiers == MODIFIERS
    before = len(table.finish().events)
    set_modifier(table, "zed", "str", -3)
    assert len(table.finish().events) == before, "a score that has it already stays"


@rule("R0.40", "R0.44", "R0.58", "R0.60", "R0.61")
def test_what_is_worn_and_held_means_the_same_here() -> None:
    table = arrived(STRANGER)
    uses = {item: held.use for item, held in table.character("zed").gear.items()}
    assert uses == {
        "leather coat": ("armour", "light"),
        "buckler": ("shield",),
        "dirk": ("weapon", "light"),
        "spear": ("weapon", "medium-melee"),
        "maul": ("weapon", "heavy-melee"),
        "sling": ("weapon", "medium-ranged"),
    }
    gone = out(table)
    assert (gone.armour, gone.worn, gone.shield, gone.weapons) == ("light", "leather coat", "buckler", STRANGER.weapons)
    assert (gone.is_entered, gone.armour_class) == (False, 12 + 0 + 1)


@pytest.mark.parametrize("armour", ARMOURS)
@pytest.mark.parametrize("weapon", WEAPONS)
def test_every_meaning_of_armour_and_weapons_goes_there_and_back(armour: str, weapon: str) -> None:
    worn = "harness" if armour != "none" else ""
    passport = Passport(max_hp=5, armour=armour, worn=worn, weapons={"it": weapon})
    gone = out(arrived(passport))
    assert (gone.armour, gone.worn, gone.weapons) == (armour, worn, {"it": weapon})


@rule("R0.138", "Q0.49")
@pytest.mark.parametrize(("experience", "level", "picks"), [(0, 1, 0), (1_999, 1, 0), (8_000, 4, 1), (480_000, 11, 2)])
def test_the_level_follows_from_the_experience_and_each_die_is_worth_three_and_a_half(
    experience: int, level: int, picks: int
) -> None:
    table = arrived(STRANGER, experience=experience)
    zed = table.character("zed")
    assert (zed.level, zed.experience) == (level, experience)
    dice, flat = min(level, 9), 2 * max(level - 9, 0)
    assert sheet(table).amount("max_hp") == dice * 7 // 2 + 2 * level + flat
    assert sum(choice.startswith("pick-") for choice in zed.choices) == picks


@rule("R0.109", "R0.110", "R0.150")
def test_heritage_and_roles_are_for_the_player_to_choose(sherwood) -> None:
    table = arrived(STRANGER)
    assert set(table.character("zed").choices) == {"heritage", "role-1", "role-2"}
    human = Scenario(RULESET, table.finish().campaign).given(
        Choose(who="zed", choice="heritage", picked="human"), Choose(who="zed", choice="role-1", picked="fighting")
    )
    assert set(human.character("zed").choices) == {"role-2", "role-3"}
    assert dict(human.sheet("zed").words)["Heritage"].startswith("Human")
    assert human.character("zed").choices["role-3"].keys == tuple(ROLES)
    human.when(Choose(who="zed", choice="role-2", picked="fighting")).refused("already has the role fighting")
    vampire = Scenario(RULESET, table.finish().campaign).given(Choose(who="zed", choice="heritage", picked="vampire"))
    assert set(vampire.character("zed").choices) == {"role-1", "role-2", "heritage-ability"}


@rule("R0.45")
def test_a_monster_keeps_its_numbers() -> None:
    table = arrived(ORC, kind="monster")
    shown = sheet(table)
    assert [shown.amount(key) for key in ("ac", "max_hp", "to_hit", "speed")] == [13, 9, 3, 20]
    gone = out(table)
    assert (gone.armour_class, gone.is_entered, gone.max_hp, gone.attack, gone.speed) == (13, True, 9, 3, 20)
    assert not table.character("zed").choices
    behind = attrs.evolve(ORC, shield="targe")
    assert out(arrived(behind, kind="monster")).armour_class == 13


@given(
    st.integers(1, 200), st.integers(-5, 40), st.integers(-5, 20), st.integers(0, 90), st.booleans(),
    st.sampled_from(("pc", "npc", "monster", "thing")), st.integers(0, 12),
)  # fmt: skip
def test_an_entered_armour_class_and_maximum_come_out_as_they_came_in(
    most: int, ac: int, attack: int, speed: int, has_shield: bool, kind: str, level: int
) -> None:
    passport = Passport(
        max_hp=most, level=level, armour_class=ac, is_entered=True, attack=attack, speed=speed,
        shield="targe" if has_shield else "",
    )  # fmt: skip
    gone = out(arrived(passport, kind=kind))
    assert (gone.armour_class, gone.is_entered, gone.max_hp) == (ac, True, most)
    assert gone.speed in (speed, 40)


@rule("R0.94", "Q0.35")
def test_luck_becomes_story_tokens_up_to_the_level() -> None:
    assert CROSSING.luck == "token"
    table = arrived(STRANGER, experience=8_000)
    assert CROSSING.luck_cap(table.character("zed"), table.campaign) == 4
    free = arrived(STRANGER, token_cap="none")
    assert CROSSING.luck_cap(free.character("zed"), free.campaign) > 1_000
    held = scenario(RULESET).given(
        Join(name="Zed", id="zed", kind="npc", hp=3), events.PoolGained(holder="zed", pool="token", amount=3)
    )
    assert describe(held.character("zed"), held.before).luck == 3


def test_conditions_go_by_what_they_mean(sherwood) -> None:
    assert set(LOCALLY) <= set(MEANINGS)
    game = sherwood().given(
        events.ConditionBegan(character="robin", condition="paralysed"),
        events.ConditionBegan(character="robin", condition="stunned"),
        events.ConditionBegan(character="robin", condition="cursed"),
    )
    assert describe(game.character("robin"), game.before).conditions == ("stunned", "helpless")


@rule("R0.192", "R0.193", "R0.194")
def test_the_published_characters_have_passports(sherwood) -> None:
    game = sherwood()
    robin = describe(game.character("robin"), game.before)
    assert (robin.max_hp, robin.dies_at, robin.level, robin.armour_class, robin.attack) == (36, -36, 8, 15, 11)
    assert (robin.armour, robin.worn, robin.speed) == ("light", "leather jerkin", 30)
    assert robin.weapons == {"longbow": "ranged", "two small blades": "light"}
    deputy = describe(game.character("deputy"), game.before)
    assert (deputy.is_entered, deputy.armour_class, deputy.max_hp, deputy.weapons) == (True, 18, 20, {})


@rule("R0.170", "Q0.64")
def test_what_passes_with_a_fight_stays_out_of_the_passport(sherwood) -> None:
    begin = BeginEncounter(participants=("holmes", "guard"), hidden=("holmes",))
    game = sherwood().given(with_dice(begin, 18, 3))
    assert game.sheet("holmes").amount("ac") == 15
    assert describe(game.character("holmes"), game.before).armour_class == 11


@rule("R0.43")
def test_the_heaviest_armour_is_heavy_elsewhere(sherwood) -> None:
    tank = Join(name="Tank", id="tank", kind="npc", armour="superheavy", hp=9)
    game = sherwood().given(tank)
    assert describe(game.character("tank"), game.before).armour == "heavy"
    assert set(OURS) == {*ARMOURS, "superheavy"}


def test_nothing_is_known_of_somebody_without_a_sheet() -> None:
    table = table_after(joined_events("zed"), ruleset=RULESET)
    gone = out(table)
    assert (gone.max_hp, gone.armour_class, gone.weapons, gone.speed) == (1, 10, {}, 40)
    assert like(events.CharacterJoined, character="zed")(joined_events("zed")[0])
