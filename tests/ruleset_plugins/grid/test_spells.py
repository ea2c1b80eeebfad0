"""Wizards and clerics have so many castings of so many spells, and each spell does what its row says."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.grid.attack import Attack
from rollbook.rulesets.grid.casting import Cast
from rollbook.rulesets.grid.encounter import EndEncounter
from rollbook.rulesets.grid.hit_points import Harm, SetCondition
from rollbook.rulesets.grid.saves import Save
from rollbook.rulesets.grid.spells import SPELLS
from rollbook.testing.scenarios import like, rule

CHECK, ROLLED, HURT = events.CheckResolved, events.DiceRolled, events.DamageTaken


def cast(who: str, spell: str, *targets: str, **more) -> Cast:
    return Cast(who=who, spell=spell, targets=targets, **more)


@rule("R4.9", "R4.54", "R4.56", "R4.55")
def test_the_lists_are_finite_and_have_so_many_castings(table) -> None:
    scene = table({"jeff": (0, 0), "odo": (5, 0), "steve": (9, 0)})

    def castings(who: str) -> dict[str, int]:
        return {value.key[6:]: value.amount for value in scene.sheet(who).values if value.group == "Spells"}

    assert castings("jeff") == {
        "resistance": 1,
        "acid-splash": 2,
        "expeditious-retreat": 1,
        "magic-missile": 2,
        "blur": 1,
        "scorching-ray": 1,
        "fireball": 1,
    }
    assert castings("odo") == {
        "cure-light-wounds": 2,
        "cure-moderate-wounds": 2,
        "cure-serious-wounds": 1,
        "inflict-light-wounds": 1,
        "inflict-moderate-wounds": 1,
        "inflict-serious-wounds": 1,
    }
    assert castings("steve") == {}
    assert {row.key: (row.dice, row.range) for row in SPELLS.values() if row.caster == "wizard" and row.dice} == {
        "acid-splash": ("1d3", 35),
        "magic-missile": ("1d4 + 1", 100),
        "scorching-ray": ("4d6", 25),
        "fireball": ("3d6", 400),
    }
    scene.when(cast("steve", "blur")).refused("Steve has no spell", "There are none")


@rule("R4.54", "Q4.30")
def test_a_casting_is_used_up_and_comes_back_with_the_next_day(table) -> None:
    scene = table({"jeff": (0, 0)}).given(
        cast("jeff", "blur"), events.ConditionEnded(character="jeff", condition="blurred")
    )
    assert scene.sheet("jeff").amount("spell:blur") == 0
    scene.when(cast("jeff", "Blur")).refused("can cast Blur once and has done so")
    late = scene.when(PassTime(amount=23, unit="hours")).go_on()
    assert late.sheet("jeff").amount("spell:blur") == 0
    morning = late.when(PassTime(amount=2, unit="hours")).go_on()
    assert morning.sheet("jeff").amount("spell:blur") == 1
    morning.when(cast("jeff", "blur")).then(like(events.ConditionBegan, condition="blurred"))


@rule("Q4.30", "R4.54")
def test_castings_may_come_back_after_each_encounter_and_helpful_spells_last_a_day(fight) -> None:
    people = {"jeff": (0, 0), "steve": (9, 9)}
    encounter = fight(people, cast_refresh="encounter", buff_duration="day").given(cast("jeff", "blur"))
    over = encounter.when(EndEncounter()).go_on()
    assert over.sheet("jeff").amount("spell:blur") == 1
    assert over.before.characters["jeff"].has("blurred")
    later = over.when(PassTime(amount=25, unit="hours")).go_on()
    assert not later.before.characters["jeff"].has("blurred")
    usual = fight(people, cast_refresh="day", buff_duration="encounter").given(cast("jeff", "blur"))
    ended = usual.when(EndEncounter()).go_on()
    assert ended.sheet("jeff").amount("spell:blur") == 0
    assert not ended.before.characters["jeff"].has("blurred")


@rule("R4.54")
def test_resistance_adds_one_to_saves_and_a_quick_retreat_ten_feet(table) -> None:
    scene = table({"jeff": (0, 0)})
    before = scene.sheet("jeff")
    after = scene.given(cast("jeff", "resistance"), cast("jeff", "expeditious retreat")).sheet("jeff")
    assert after.amount("save:will") == before.amount("save:will") + 1
    assert after.amount("save:concentration") == before.amount("save:concentration") + 1
    assert (before.amount("speed"), after.amount("speed")) == (30, 40)
    scene.when(Save(who="jeff", save="will", dc=14)).rolling(10).then(like(CHECK, total=14, success=True))


@rule("R4.54", "Q4.34")
@pytest.mark.parametrize(("face", "outcome"), [(4, "blurred"), (5, "hit"), (1, "blurred"), (20, "hit")])
def test_a_blur_turns_one_hit_in_five_aside(table, face, outcome) -> None:
    scene = table({"jeff": (1, 0), "steve": (0, 0)}).given(SetCondition(who="jeff", condition="blurred"))
    damage = (1,) if outcome == "hit" else ()
    played = scene.when(Attack(attacker="steve", target="jeff")).rolling(10, face, *damage)
    played.then(like(ROLLED, purpose="blur"), like(CHECK, outcome=outcome, success=bool(damage)))
    scene.when(Attack(attacker="steve", target="jeff")).rolling(1).then(like(CHECK, outcome="fumble")).never(
        like(ROLLED, purpose="blur")
    )


@rule("R4.54", "Q4.31")
def test_two_missiles_find_one_target_or_two_without_a_roll_or_a_save(table) -> None:
    scene = table({"jeff": (0, 0), "steve": (5, 0), "odo": (20, 0)})
    both = scene.when(cast("jeff", "magic missile", "steve")).rolling(4, 1)
    both.then(
        HURT(character="steve", amount=5, dealt=5, tags=("force",), source="jeff"),
        HURT(character="steve", amount=2, dealt=2, tags=("force",), source="jeff"),
    ).never(CHECK)
    split = scene.when(cast("jeff", "magic-missile", "steve", "odo")).rolling(4, 1)
    split.then(like(HURT, character="steve", amount=5), like(HURT, character="odo", amount=2))
    far = table({"jeff": (0, 0), "steve": (21, 0)})
    far.when(cast("jeff", "magic missile", "steve")).refused("reaches 100 feet", "105 feet")
    scene.when(cast("jeff", "magic missile")).refused("one to 2 targets")


@rule("R4.54", "R4.16", "R4.24")
def test_rays_are_ranged_touch_attacks(table) -> None:
    scene = table({"jeff": (0, 0), "steve": (5, 0)})
    scene.when(cast("jeff", "acid splash", "steve")).rolling(6, 3).then(
        like(ROLLED, expression="1d20 + 2[wizard] + 3[Dexterity]"),
        like(CHECK, check="spell attack", target=11, success=True),
        like(HURT, amount=3, tags=("acid",)),
    )
    scene.when(cast("jeff", "scorching ray", "steve")).rolling(5).then(like(CHECK, outcome="miss")).never(HURT)
    far = table({"jeff": (0, 0), "steve": (6, 0)})
    far.when(cast("jeff", "scorching ray", "steve")).refused("reaches 25 feet", "30 feet")
    far.when(cast("jeff", "acid splash", "steve")).rolling(1).then(like(CHECK, outcome="fumble"))


@rule("Q4.35", "R4.21")
def test_a_spell_is_critical_on_a_twenty_unless_the_table_says_no(table) -> None:
    people = {"jeff": (0, 0), "steve": (5, 0)}
    ray = cast("jeff", "scorching ray", "steve")
    table(people, spell_crit=True).when(ray).rolling(20, *(1,) * 8).then(like(HURT, amount=8))
    table(people, spell_crit=False).when(ray).rolling(20, *(1,) * 4).then(
        like(CHECK, outcome="hit"), like(HURT, amount=4)
    )


@rule("R4.54", "R4.27", "Q4.32")
def test_a_fireball_reaches_everybody_within_two_squares_friend_or_foe(table) -> None:
    scene = table({"jeff": (0, 0), "steve": (10, 0), "odo": (12, 2), "wolf": (8, -2), "boar": (13, 0)})
    played = scene.when(Cast(who="jeff", spell="fireball", at=("10", "0"))).rolling(11, 20, 1, 4, 4, 4)
    played.then(
        like(CHECK, character="steve", check="Reflex save", target=15, success=False),
        like(CHECK, character="odo", success=True),
        like(ROLLED, expression="3d6", total=12),
        like(HURT, character="steve", amount=12, tags=("fire",)),
        like(HURT, character="wolf", amount=12),
    )
    assert {event.character for event in played.events(CHECK)} == {"steve", "odo", "wolf"}
    on_steve = scene.when(cast("jeff", "fireball", "steve")).rolling(20, 20, 20)
    assert len(on_steve.events(CHECK)) == 3
    on_steve.never(like(ROLLED, expression="3d6"))
    scene.when(Cast(who="jeff", spell="fireball", at=("81", "0"))).refused("reaches 400 feet", "405 feet")
    scene.when(Cast(who="jeff", spell="fireball", at=("40", "40"))).then(events.PowerUsed).never(ROLLED)


@rule("R4.55", "R4.57", "Q4.33", "QG.5")
@pytest.mark.parametrize(
    ("spell", "dice", "total"), [("light", (8,), 9), ("moderate", (3, 4), 10), ("serious", (3, 4, 5), 17)]
)
def test_wounds_are_cured_by_touch_and_inflicted_with_a_save_for_half(table, spell, dice, total) -> None:
    scene = table({"odo": (0, 0), "steve": (1, 0), "jeff": (0, 1), "boar": (1, 1)}).given(
        Harm(who="steve", amount="30")
    )
    cures = scene.when(cast("odo", f"cure {spell} wounds", "steve", spare=("jeff", "boar"))).rolling(*dice)
    cures.then(like(events.HitPointsRestored, character="steve", amount=total))
    inflict = cast("odo", f"inflict-{spell}-wounds", "boar", spare=("jeff", "boar"))
    fails = scene.when(inflict).rolling(9, 14, *dice)
    fails.then(
        like(CHECK, check="spell attack", character="odo", target=10),
        like(CHECK, check="Will save", target=15, success=False),
        like(HURT, character="boar", amount=total),
    )
    scene.when(inflict).rolling(9, 15, *dice).then(like(HURT, character="boar", amount=total // 2))


@rule("QG.1", "R4.57")
def test_half_of_an_odd_number_is_rounded_as_the_table_does(table) -> None:
    inflict = cast("odo", "inflict light wounds", "boar", spare=("boar",))
    table({"odo": (0, 0), "boar": (1, 0)}, rounding="ceil").when(inflict).rolling(9, 15, 8).then(like(HURT, amount=5))
    table({"odo": (0, 0), "boar": (1, 0)}, rounding="floor").when(inflict).rolling(9, 15, 8).then(like(HURT, amount=4))


@rule("R4.55")
def test_a_touch_needs_a_neighbour_and_a_blessing_is_for_oneself(table) -> None:
    scene = table({"odo": (0, 0), "steve": (2, 0), "jeff": (9, 9)}).given(
        Harm(who="steve", amount="3"), Harm(who="odo", amount="3")
    )
    scene.when(cast("odo", "cure light wounds", "steve")).refused("touches one square away", "10 feet")
    scene.when(cast("odo", "cure light wounds")).rolling(2).then(
        like(events.HitPointsRestored, character="odo", amount=3)
    )
    scene.when(cast("jeff", "blur", "steve")).refused("works on Jeff alone")
    blurred = SetCondition(who="jeff", condition="blurred")
    table({"jeff": (0, 0)}).given(blurred).when(cast("jeff", "blur")).refused("Jeff is blurred already")
    scene.when(cast("jeff", "acid splash", "jeff")).refused("does not cast Acid Splash on Jeff")
    scene.when(cast("jeff", "acid splash", "steve", at=("1", "1"))).refused("not on a square")
    scene.when(cast("odo", "fireball", "jeff")).refused("Odo has no spell called 'fireball'", "Cure Light Wounds")


@rule("R4.9")
def test_a_spell_can_be_taught_by_ruling(table) -> None:
    scene = table({"steve": (0, 0)}).given(events.TraitGained(character="steve", trait="blur", kind="spell"))
    scene.when(cast("steve", "blur")).then(like(events.ConditionBegan, character="steve", condition="blurred"))
