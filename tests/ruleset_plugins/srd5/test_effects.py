"""Effects of the catalogue are carried out for all targets at once, last as they say, and what no rule does is written down."""

from __future__ import annotations

import pytest

from rollbook.plugin import Action, Table, character, characters, events, names, number, words
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.effects import carrying_out
from rollbook.rulesets.srd5.effects.carrying_out import Cause, carry_out
from rollbook.rulesets.srd5.effects.lasting import effects_of
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.fight.hit_points import Heal
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.rulesets.srd5.tasks.d20_tests import TestRolls
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.srd5 import end_turn, fight, fighter, hp, monster, post, rolled, swing, table

BEGAN, HURT, CHECK = events.ConditionBegan, events.DamageTaken, events.CheckResolved


class CarryOut(Action, verb="carry-out"):
    """Carry out the effects of an origin."""

    who: str = character("who brings it about", actor=True)
    origin: str = words("of what")
    targets: tuple[str, ...] = characters("on whom")
    level: int = number("slot levels above the spell's own", default=0)
    chosen: tuple[str, ...] = names("what was chosen", default=())
    duration: str = words("how long it lasts", default="")

    def resolve(self, table: Table) -> None:
        with TestRolls(table) as rolls:
            cause = Cause(
                table=table, rolls=rolls, source=self.who, origin=self.origin, name=self.origin.split(":")[1], level=self.level,
                caster_level=table.character(self.who).level, dc=13, attack=5, modifier=3, chosen=self.chosen,
                duration=self.duration, is_magic=True,
            )  # fmt: skip
            carry_out(cause, effects_of(self.origin), self.targets)


def cast(spell: str, *targets: str, **more) -> CarryOut:
    return CarryOut(who="kara", origin=f"spell:{spell}", targets=targets, **more)


def three() -> Scenario:
    return table(fighter(), post(), post(name="Second"), monster("Ogre"))


@rule("R5.81", "R5.82", "R5.7")
def test_all_save_first_and_the_damage_is_rolled_once_and_halved_for_those_who_made_it() -> None:
    scene = three().when(cast("fireball", "post", "second", "ogre")).rolling(5, 15, 20, *(3,) * 8)
    assert rolled(scene) == ("1d20", "1d20", "1d20 - 1[DEX]", "8d6")
    assert [each.amount for each in scene.events(HURT)] == [24, 12, 12]


@rule("R5.82")
def test_a_higher_slot_adds_dice() -> None:
    scene = three().when(cast("fireball", "post", level=2)).rolling(5, *(1,) * 10)
    assert rolled(scene)[1] == "8d6 + 2d6"


@rule("R5.9", "R5.80")
def test_a_spell_attack_is_critical_on_a_twenty() -> None:
    scene = three().when(cast("fire-bolt", "post")).rolling(20, 3, 4)
    scene.then(like(CHECK, outcome="critical hit"), like(HURT, amount=7, tags=("fire",)))


@rule("R5.88")
def test_healing_adds_the_spellcasting_modifier() -> None:
    hurt = three().given(events.DamageTaken(character="kara", amount=10, dealt=10))
    scene = hurt.when(cast("cure-wounds", "kara")).rolling(1, 2)
    scene.then(like(events.HitPointsRestored, amount=6))


@rule("R5.122")
def test_a_condition_lasts_as_its_spell_and_is_saved_against_again() -> None:
    scene = fight(three(), "post", "kara").when(cast("hold-person", "post", duration="1 minute")).rolling(5)
    began = next(each for each in scene.events(BEGAN) if each.condition == "paralyzed")
    assert (began.source, began.until, began.data["save"], began.data["dc"]) == ("kara", 60, "wis", 13)
    free = scene.go_on().when(EndTurn()).rolling(18)
    free.then(like(CHECK, check="Wisdom save", target=13), like(events.ConditionEnded, condition="paralyzed"))


def test_bless_adds_a_die_to_attacks_and_saves_and_to_nothing_else() -> None:
    scene = three().given(cast("bless", "kara", duration="1 minute"))
    assert rolled(scene.when(swing()).rolling(2, 1))[0] == "1d20 + 1d4[bless] + 3[STR] + 2[proficiency]"
    assert "1d4[bless]" in rolled(scene.when(Save(who="kara", ability="wis")).rolling(2, 1))[0]
    assert "bless" not in rolled(scene.when(Check(who="kara", skill="athletics")).rolling(2))[0]


def test_a_shield_of_faith_and_a_mages_armour_change_the_armour_class() -> None:
    scene = three().given(cast("shield-of-faith", "kara"))
    assert scene.sheet("kara").amount("ac") == 14
    armoured = three().given(cast("mage-armor", "kara"))
    assert armoured.sheet("kara").amount("ac") == 15


@rule("R5.84")
def test_protection_against_a_chosen_damage_resists_it() -> None:
    scene = three().given(cast("protection-from-energy", "kara", chosen=("fire",)))
    burnt = scene.when(CarryOut(who="post", origin="spell:fireball", targets=("kara",))).rolling(2, *(2,) * 8)
    burnt.then(like(HURT, amount=8, dealt=16))


def test_what_no_rule_carries_out_is_written_down_for_the_gm() -> None:
    scene = three().when(cast("knock", "post"))
    note = scene.events(events.NoteWritten)[-1]
    assert note.text.startswith("knock, on Post: unlock (")
    assert note.text.endswith("The GM applies it.")


@rule("R5.148")
def test_a_tentacle_grapples_with_an_escape_dc() -> None:
    scene = (
        table(fighter(level=8), monster("Aboleth")).when(swing("kara", "aboleth", weapon="tentacle")).rolling(12, 1, 1)
    )
    scene.then(like(BEGAN, condition="grappled", source="aboleth"))
    assert scene.character("kara").conditions["grappled"].data["escape"] == 14


@rule("R5.174", "R5.7")
def test_a_ghouls_claw_paralyses_those_who_fail_and_no_elves() -> None:
    bite = swing("kara", "ghoul", weapon="claw")
    scene = table(fighter(), monster("Ghoul")).when(bite).rolling(15, 1, 2)
    scene.then(like(CHECK, check="Constitution save", target=10))
    elf = table(fighter(species="elf"), monster("Ghoul")).when(bite).rolling(15, 1)
    elf.never(like(BEGAN, condition="paralyzed"))


@rule("R5.104", "R5.101")
def test_temporary_hit_points_of_a_spell_do_not_add_up() -> None:
    scene = three().given(Heal(who="kara", amount="20", temporary=True))
    scene.when(cast("false-life", "kara")).rolling(1, 1).never(events.PoolGained)


@pytest.mark.parametrize("who", ["kara"])
def test_an_effect_of_one_turn_is_over_after_it(who) -> None:
    scene = fight(table(fighter(weapons=("longbow",), masteries=("longbow",)), monster("Ogre")), "kara", "ogre")
    scene = scene.when(swing("ogre", weapon="longbow", distance=30)).rolling(15, 1).go_on()
    assert scene.sheet("ogre").amount("speed") == 30
    assert end_turn(end_turn(scene)).sheet("ogre").amount("speed") == 40
    assert hp(scene, who) == 12


def test_protection_against_some_kinds_of_creatures_is_no_protection_against_others() -> None:
    scene = table(fighter(), monster("Imp"), monster("Ogre")).given(cast("protection-from-evil-and-good", "kara"))
    imp = scene.when(swing("kara", "imp", weapon="sting")).rolling(2, 3)
    assert rolled(imp)[0].startswith("2d20kl1[protection-from-evil-and-good]")
    assert rolled(scene.when(swing("kara", "ogre", weapon="greatclub")).rolling(2))[0].startswith("1d20 ")


@rule("R5.82", "R5.190")
def test_what_burns_on_later_spares_who_saved() -> None:
    scene = fight(table(fighter(), post(hp=300)))
    saved = scene.when(cast("vitriolic-sphere", "post")).rolling(20, *[2] * 10)
    saved.then(like(HURT, amount=10)).never(BEGAN)
    failed = scene.when(cast("vitriolic-sphere", "post")).rolling(1, *[2] * 10)
    failed.then(like(HURT, amount=20), like(BEGAN, character="post", condition="vitriolic-sphere"))
    over = end_turn(failed.go_on()).when(EndTurn()).rolling(*[2] * 5)
    over.then(like(HURT, character="post", amount=10))


@rule("R5.122", "R5.190")
def test_a_condition_is_ended_by_a_save_of_the_ability_that_failed_against_it() -> None:
    scene = fight(table(fighter(), post(hp=300))).when(
        CarryOut(who="kara", origin="hazard:crawler-mucus", targets=("post",))
    )
    scene = scene.rolling(1)
    scene.then(like(BEGAN, condition="poisoned"), like(BEGAN, condition="paralyzed"))
    over = end_turn(scene.go_on()).when(EndTurn()).rolling(20)
    over.then(like(CHECK, check="Constitution save", target=13))
    over.then(like(events.ConditionEnded, condition="poisoned"), like(events.ConditionEnded, condition="paralyzed"))


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        (kinds.Special(name="jump distance", numbers={"times": 2}), "jump distance (times 2)"),
        (kinds.Special(name="noise", numbers={}), "noise"),
        (
            kinds.Special(name="table", numbers={"of": ["red", "blue"], "dice": {"1": "1d4"}}),
            "table (of red, blue, dice 1 1d4)",
        ),
        (kinds.Resistance(types=("fire", "cold"), how="immunity"), "resist (how immunity, types fire, cold)"),
    ],
)
def test_an_effect_that_no_rule_knows_is_told_in_words(effect: kinds.Effect, told: str) -> None:
    assert carrying_out.said(effect) == told
