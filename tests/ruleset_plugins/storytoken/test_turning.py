"""Turning undead: one roll for all of them, the weakest first, and the strongest may not notice."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.characters import ChangeTrait, Drop, Give
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.fight.movement import Move
from rollbook.rulesets.storytoken.magic.turning import TurnUndead
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.testing.scenarios import like, rule

CHECKED, BEGAN = events.CheckResolved, events.ConditionBegan
DAY = 86_400


def undead(name: str, hd: int) -> tuple[Join, ChangeTrait]:
    born = Join(name=name.title(), id=name, kind="monster", hp=9, stats={"hd": hd})
    return born, ChangeTrait(who=name, trait="undead")


@pytest.fixture
def crypt(sherwood):
    """A priest of level 4, two skeletons, a ghoul and a wight."""

    def begin(**settings):
        priest = Join(name="Tuck", id="tuck", kind="npc", level=4, roles=("turn-undead",), hp=20)
        bones = [undead(name, hd) for name, hd in (("bones", 1), ("skull", 1), ("ghoul", 2), ("wight", 4))]
        symbol = Give(who="tuck", item="silver ankh", use=("holy symbol",))
        return sherwood(**settings).given(priest, symbol, bones)

    return begin


def turn(*targets: str, **more) -> TurnUndead:
    return TurnUndead(who="tuck", targets=targets, **more)


@rule("R0.176", "Q0.68")
def test_one_roll_is_compared_with_each_and_the_pool_is_spent_on_the_weakest_first(crypt) -> None:
    played = crypt().when(turn("wight", "ghoul", "bones", "skull")).rolling(10, 1, 1)
    played.then(
        like(events.DiceRolled, purpose="turn undead", expression="1d20 + 4[Turn Away Undead]", total=14),
        like(CHECKED, target=11, success=True, against="bones"),
        like(CHECKED, target=11, against="skull"),
        like(CHECKED, target=12, against="ghoul"),
        like(CHECKED, target=14, success=True, against="wight"),
        like(events.DiceRolled, purpose="hit dice turned", total=6),
        BEGAN(character="bones", condition="turned", source="tuck", until=DAY),
        BEGAN(character="skull", condition="turned", source="tuck", until=DAY),
        BEGAN(character="ghoul", condition="turned", source="tuck", until=DAY),
    )
    wight = played.character("wight")
    assert not wight.conditions, "its 4 hit dice exceed the 2 that are left, and it may be tried again"


@rule("R0.176")
def test_whom_the_roll_does_not_reach_ignores_it_for_a_day(crypt) -> None:
    game = crypt().given()
    failed = game.when(turn("bones", "wight")).rolling(9, 1, 1)
    failed.then(BEGAN(character="wight", condition="unturnable", until=DAY), like(BEGAN, character="bones"))
    later = failed.go_on()
    later.when(turn("wight")).refused("Wight has withstood it")
    later.given(PassTime(amount=24, unit="hours")).when(turn("wight")).rolling(10, 1, 1).then(
        like(BEGAN, condition="turned")
    )
    game.when(turn("wight")).rolling(2).never(like(events.DiceRolled, purpose="hit dice turned"))


@rule("R0.176", "R0.87")
def test_it_passes_by_the_warded_and_those_who_withstood_it(crypt) -> None:
    game = crypt().given(
        BEGAN(character="wight", condition="unturnable", until=DAY), BEGAN(character="skull", condition="warded")
    )
    played = game.when(turn("wight", "bones", "skull")).rolling(10, 1, 1)
    played.then(
        like(events.NoteWritten, about="wight"),
        like(events.NoteWritten, about="skull"),
        like(CHECKED, against="bones"),
        like(BEGAN, character="bones", condition="turned"),
    ).never(like(CHECKED, against="wight"), like(CHECKED, against="skull"))
    game.when(turn("skull")).refused("Skull is warded")


@rule("R0.176", "R0.64", "Q0.33")
def test_what_has_no_bearing_on_the_roll_is_spared(crypt) -> None:
    game = crypt().given(BEGAN(character="tuck", condition="compelled"))
    assert len(game.when(turn("bones")).rolling(10, 9, 1, 1).events(events.DiceRolled)[0].dice) == 2
    spared = game.when(turn("bones", spared=("compelled",))).rolling(10, 1, 1)
    assert len(spared.events(events.DiceRolled)[0].dice) == 1


@rule("R0.176")
def test_10_above_the_target_destroys(crypt) -> None:
    played = crypt().when(turn("bones", "ghoul")).rolling(17, 1, 1)
    played.then(
        BEGAN(character="bones", condition="dead", source="tuck"), like(BEGAN, character="ghoul", condition="turned")
    )


@rule("R0.176")
def test_the_turned_only_flee_until_a_day_has_passed(crypt) -> None:
    game = crypt().given(BEGAN(character="bones", condition="turned", source="tuck", until=DAY))
    game.when(Check(who="bones", ability="str")).refused("Bones is turned and cannot act", "can only flee")
    game.when(Move(who="bones", feet=40)).then(events.Moved)
    game.when(PassTime(amount=1, unit="days")).then(events.ConditionEnded(character="bones", condition="turned"))


@rule("R0.176", "R0.157", "Q0.78")
def test_vampires_are_undead_with_as_many_hit_dice_as_levels(crypt) -> None:
    game = crypt().given(events.LevelGained(character="tuck", levels=8))
    game.when(turn("dracula")).rolling(10, 1, 1).then(
        like(CHECKED, target=22, success=True), like(BEGAN, condition="turned")
    )
    destroyed = game.when(turn("dracula", bonus=("+8 relic",))).rolling(20, 1, 1)
    destroyed.then(BEGAN(character="dracula", condition="dead", source="tuck"))
    assert dict(destroyed.sheet("dracula").words)["Status"] == "Dead"


def test_only_undead_within_60_feet_are_turned_and_only_by_those_who_can(crypt) -> None:
    crypt().when(turn("marian")).refused("Marian is not undead", "trait marian undead")
    crypt().when(turn()).refused("Name at least one")
    crypt().when_typed(TurnUndead, who="tuck", targets=("bones",), distance=60).rolling(10, 1, 1).then(CHECKED)
    with pytest.raises(Exception, match="at most 60"):
        crypt().when_typed(TurnUndead, who="tuck", targets=("bones",), distance=61)
    crypt().when(TurnUndead(who="robin", targets=("bones",))).refused("it takes the role Turn Away Undead")


@rule("R0.176")
def test_it_takes_a_holy_symbol_unless_the_gm_rules_that_none_is_needed(crypt) -> None:
    game = crypt().given(Drop(who="tuck", item="silver ankh"))
    game.when(turn("bones")).refused("Tuck has no holy symbol", "--use")
    game.given(Give(who="tuck", item="holy symbol")).when(turn("bones")).refused("Tuck has no holy symbol")
    game.when(turn("bones", without_symbol=True)).rolling(10, 1, 1).then(CHECKED)
