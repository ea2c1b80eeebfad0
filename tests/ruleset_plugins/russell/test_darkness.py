"""What dim light and darkness do to rolls, to shots and to the nerves of hirelings."""

from __future__ import annotations

import attrs
import pytest

from rollbook.plugin import CharacterKind, Refused, events, settings_of
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.character.skills import Check
from rollbook.rulesets.russell.delve.exploration import Explore
from rollbook.rulesets.russell.delve.light import PANICKING, STEADY, check_nerve, check_shot, check_skill, light_ease
from rollbook.rulesets.russell.delve.lighting import Douse, Light, Place
from rollbook.rulesets.russell.delve.meeting import Morale
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.encounter import BeginEncounter
from rollbook.rulesets.russell.settings import Settings
from rollbook.testing.scenarios import like, rule
from tests.support.russell import TURN, has_gear, in_condition, joined_with_stats, party, stands, table_after_scenario

DARKNESS = Place(light="dark")
KINDS = ("attack", "save", "skill", "initiative", "stunt", "chase", "stealth", "listen", "morale")


def ease(game, name: str, kind: str):
    return light_ease(game.after, game.after.characters[name], kind)


@rule("R3.62")
def test_in_the_dark_every_test_has_double_disadvantage_and_no_skill_can_be_tried() -> None:
    game = party().given(DARKNESS)
    assert stands(game, "ida", "bram", "wat", "goblin") == ["dark"] * 4
    for kind in KINDS:
        if kind != "morale":
            assert ease(game, "ida", kind).disadvantage == ("dark", "dark")
    table = table_after_scenario(game)
    with pytest.raises(Refused, match="no skill can be tried"):
        check_skill(table, game.after.characters["ida"])


@rule("R3.62", "R3.65", "QG.10")
@pytest.mark.parametrize("place", ["dark", "dim"])
def test_bad_light_hinders_the_party_or_everybody(place: str) -> None:
    usual, ruled = (party(**rules).given(Place(light=place)) for rules in ({}, {"dark_hinders": "everybody"}))
    for game in (usual, ruled):
        assert ease(game, "ida", "attack").disadvantage
        assert ease(game, "wat", "attack").disadvantage
    assert not ease(usual, "goblin", "attack").disadvantage
    assert ease(ruled, "goblin", "attack").disadvantage
    check_skill(table_after_scenario(usual), usual.after.characters["goblin"])


@rule("QG.10")
def test_a_campaign_that_is_older_than_the_house_rule_goes_on_as_it_was_played() -> None:
    recorded = {name: value for name, value in attrs.asdict(Settings()).items() if name != "dark_hinders"}
    assert settings_of(Settings, recorded).dark_hinders == "everybody"
    assert settings_of(Settings, attrs.asdict(Settings())).dark_hinders == "party"


@rule("R3.67")
def test_in_good_light_nothing_is_harder() -> None:
    game = party().given(DARKNESS, Place(light="lit"))
    for kind in KINDS:
        assert not ease(game, "ida", kind).disadvantage
    assert stands(game, "ida") == ["lit"]


@rule("R3.65", "Q3.39")
def test_dim_light_hampers_attacks_and_skills_and_helps_to_hide() -> None:
    game = party().given(Place(light="dim"))
    assert [kind for kind in KINDS if ease(game, "ida", kind).disadvantage] == ["attack", "skill", "stunt"]
    assert ease(game, "ida", "stealth").advantage == ("dim light",)
    seeing = game.given(events.TraitGained(character="ida", trait="dim sight", kind="heritage"))
    assert not any(ease(seeing, "ida", kind).disadvantage for kind in KINDS)
    assert ease(seeing, "ida", "stealth").advantage == ("dim light",)


@rule("R3.63", "R3.66")
def test_hirelings_lose_heart_in_dim_light_and_in_the_dark() -> None:
    for place, why in (("dim", ("dim light",)), ("dark", ("dark",))):
        game = party().given(Place(light=place))
        assert ease(game, "wat", "morale").disadvantage == why
        assert not ease(game, "goblin", "morale").disadvantage


@rule("R3.63")
def test_a_hireling_in_the_dark_needs_morale_to_do_anything() -> None:
    game = party().given(DARKNESS)
    with pytest.raises(Refused, match="loses their head"):
        check_nerve(table_after_scenario(game), game.after.characters["wat"])
    check_nerve(table_after_scenario(game), game.after.characters["ida"])
    # 2d6 twice, the worse counts: 3 and 9 is 9, more than 7.
    panics = party().given(DARKNESS).when(Morale(who="wat", trigger="dark")).rolling(1, 2, 5, 4)
    panics.then(like(events.CheckResolved, total=9, target=7, outcome="breaks"))
    assert panics.character("wat").has(PANICKING)
    holds = party().given(DARKNESS).when(Morale(who="wat", trigger="dark")).rolling(1, 2, 3, 4)
    holds.then(like(events.ConditionBegan, character="wat", condition=STEADY, until=TURN))
    check_nerve(table_after_scenario(holds), holds.after.characters["wat"])
    later = holds.go_on().when(Explore())
    assert not later.character("wat").has(STEADY)


@rule("R3.63")
def test_light_ends_the_panic() -> None:
    game = party().given(DARKNESS, in_condition("wat", PANICKING), has_gear("ida", "torch"))
    assert not game.when(Light(who="ida", item="torch")).character("wat").has(PANICKING)
    own = party().given(DARKNESS, in_condition("wat", PANICKING), has_gear("wat", "torch"))
    own.when(Light(who="wat", item="torch")).refused("Wat panics", "morale wat --trigger dark")


@rule("R3.63")
def test_a_darkness_that_is_wanted_frightens_nobody() -> None:
    game = party().given(
        DARKNESS, has_gear("ida", "torch"), Light(who="ida", item="torch"), Douse(who="ida", hide=True)
    )
    assert stands(game, "ida", "wat") == ["dark", "dark"]
    check_nerve(table_after_scenario(game), game.after.characters["wat"])
    game.when(Morale(who="wat", trigger="dark")).refused("knows that this darkness is intended")


def test_only_hirelings_in_the_dark_are_asked_for_nerves() -> None:
    game = party()
    game.when(Morale(who="wat", trigger="dark")).refused("is not in the dark")
    game.when(Morale(who="goblin", trigger="dark")).refused("Goblin is not a hireling")


@rule("R3.64", "Q3.38")
def test_after_a_turn_in_the_dark_listening_simply_has_advantage() -> None:
    game = party().given(DARKNESS)
    assert ease(game, "ida", "listen").disadvantage == ("dark", "dark")
    game = game.given(Explore())
    assert ease(game, "ida", "listen").advantage == ("used to the dark",)
    assert not ease(game, "ida", "listen").disadvantage


@rule("R3.64", "Q3.38")
def test_or_the_advantage_counts_against_the_dark() -> None:
    game = party(dark_listen="net").given(DARKNESS, Explore())
    listening = ease(game, "ida", "listen")
    assert (len(listening.advantage), len(listening.disadvantage)) == (1, 2)


def shot_at_ida(game):
    """Bram, who shoots, and Ida, who is shot at."""
    return game.after.characters["bram"], game.after.characters["ida"]


@rule("R3.64", "R3.66", "Q3.24")
def test_nobody_shoots_into_the_dark_and_into_dim_light_only_from_close() -> None:
    bands = ("engaged", "close", "medium", "far")
    dark = party().given(DARKNESS)
    with pytest.raises(Refused, match="nobody can shoot"):
        check_shot(table_after_scenario(dark), *shot_at_ida(dark), "close", bands)
    dim = party().given(Place(light="dim"))
    check_shot(table_after_scenario(dim), *shot_at_ida(dim), "close", bands)
    with pytest.raises(Refused, match="from close range only, not from medium"):
        check_shot(table_after_scenario(dim), *shot_at_ida(dim), "medium", bands)


GOBLINS_AT_HOME = events.StatChanged(character="goblin", stat="sees_in_dark", amount=1)


@rule("R3.64", "R3.66")
def test_the_light_of_a_place_is_its_foes_too() -> None:
    """Nobody shoots at a goblin in the dark either, and at one in dim light from close range only."""
    bow = has_gear("ida", "bow", use="weapon:ranged")
    shot = Attack(attacker="ida", target="goblin", weapon="bow")
    party().given(DARKNESS, bow).when(shot).refused("Goblin is in the dark and cannot be seen")
    far = Attack(attacker="ida", target="goblin", weapon="bow", range="far")
    party().given(Place(light="dim"), bow).when(far).refused("from close range only, not from far")


@rule("R3.62", "R3.65")
def test_who_sees_in_the_dark_has_no_penalty_in_it() -> None:
    game = party().given(DARKNESS, GOBLINS_AT_HOME)
    assert not any(ease(game, "goblin", kind).disadvantage for kind in KINDS)
    party().given(
        DARKNESS, GOBLINS_AT_HOME, events.TraitGained(character="ida", trait="dark sight", kind="heritage")
    ).when(Check(who="ida", skill="stealth")).rolling(6).then(like(events.CheckResolved, total=6, success=True))
    assert dict(game.sheet("goblin").words)["Stands in"] == "the dark, and sees in it"
    bow = has_gear("goblin", "bow", use="weapon:ranged")
    shot = Attack(attacker="goblin", target="ida", weapon="bow")
    party().given(DARKNESS, GOBLINS_AT_HOME, bow).when(shot).rolling(15, 3).then(events.DamageTaken)


@rule("R3.69", "R3.66")
def test_a_torch_lights_the_party_first_and_then_who_fights_beside_it() -> None:
    """Three well and three dimly: with three in the party, the goblins beside them are seen dimly."""
    orc = joined_with_stats("orc", CharacterKind.MONSTER, level=0, hit_dice=1)
    game = party().given(orc, DARKNESS, has_gear("wat", "torch"), Light(who="wat", item="torch"))
    assert stands(game, "wat", "ida", "bram", "goblin", "orc") == ["lit"] * 3 + ["dim"] * 2
    candle = party().given(DARKNESS, orc, has_gear("goblin", "candle"), Light(who="goblin", item="candle"))
    assert stands(candle, "ida", "orc", "goblin") == ["dark", "dark", "dim"]


@rule("R3.64")
def test_those_who_come_into_a_dark_fight_stand_in_the_dark() -> None:
    fight = (
        party(dark_hinders="everybody")
        .given(DARKNESS)
        .when(BeginEncounter(participants=("ida", "goblin")))
        .rolling(4, 2, 3, 3)
    )
    fight.then(like(events.DiceRolled, roller="goblin", purpose="initiative", total=3 - 4))
    joined = Join(name="Orc", kind="monster", profile="HD 1", hp=3)
    assert stands(fight.go_on().given(joined), "orc") == ["dark"]
