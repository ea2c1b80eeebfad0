"""Gear and potions are used by name: thrown in place of an attack, drunk as a bonus action, and gone."""

from __future__ import annotations

from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.grapple import Escape
from rollbook.rulesets.srd5.growth.using import Use
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.srd5 import fight, fighter, monster, post, rolled, swing, table, with_any_dice

BEGAN, ENDED, HURT, CHECK = events.ConditionBegan, events.ConditionEnded, events.DamageTaken, events.CheckResolved
SPENT, LOST, HEALED = events.TurnSpent, events.GearLost, events.HitPointsRestored


def having(item: str, *others, **settings) -> Scenario:
    """Kara with a thing, and others, in a fight."""
    scene = table(fighter(), *(others or (post(ac=10),)), **settings)
    scene = scene.given(events.GearGained(character="kara", item=item, count=2))
    return fight(scene, *scene.before.characters)


def use(thing: str, *targets: str) -> Use:
    return Use(who="kara", feature=thing, targets=targets)


@rule("R5.275")
def test_a_flask_is_thrown_in_place_of_an_attack_against_a_dexterity_save() -> None:
    hit = having("Acid", monster("Ogre")).when(use("acid", "ogre")).rolling(12, 3, 4)
    hit.then(like(SPENT, what="attack action"), like(CHECK, target=12, success=False))
    hit.then(like(HURT, amount=7, tags=("acid",)), like(LOST, item="Acid"))
    having("Acid", monster("Ogre")).when(use("acid", "ogre")).rolling(13).never(HURT)
    hit.go_on().when(swing("ogre")).refused("has used the action")
    burning = with_any_dice(having("Alchemist's Fire", monster("Ogre")), use("alchemist's fire", "ogre"), 3)
    assert burning.character("ogre").has("burning")


@rule("R5.275")
def test_holy_water_hurts_fiends_and_the_undead_alone() -> None:
    people = (monster("Skeleton"), monster("Ogre"))
    having("Holy Water", *people).when(use("holy water", "skeleton")).rolling(2, 4, 4).then(like(HURT, amount=8))
    having("Holy Water", *people).when(use("holy water", "ogre")).never(HURT)


@rule("R5.275", "R5.148")
def test_a_net_holds_until_somebody_gets_free_of_it() -> None:
    caught = having("Net", monster("Ogre")).when(use("net", "ogre")).rolling(2)
    caught.then(like(BEGAN, character="ogre", condition="restrained"))
    free = caught.go_on().when(Escape(who="ogre", out_of_turn=True)).rolling(6)
    free.then(like(CHECK, target=10, total=10), like(ENDED, condition="restrained"))
    having("Net", monster("Hill Giant")).when(use("net", "hill-giant")).never(BEGAN)


@rule("R5.275", "R5.28")
def test_a_potion_takes_a_bonus_action_and_is_drunk() -> None:
    scene = having("Potion of Healing").given(Harm(who="kara", amount="9"))
    drunk = scene.when(use("potion of healing")).rolling(2, 3)
    drunk.then(like(SPENT, what="bonus action"), like(HEALED, character="kara", amount=7))
    drunk.then(like(LOST, item="Potion of Healing"))
    drunk.go_on().when(use("potion of healing")).refused("has used the bonus action")


@rule("R5.275", "R5.93")
def test_a_potion_wakes_who_lies_at_0() -> None:
    scene = having("Potion of Healing", fighter(name="Odo")).given(Harm(who="odo", amount="12"))
    scene.when(use("potion of healing", "odo")).rolling(1, 1).then(
        like(ENDED, character="odo", condition="unconscious")
    )


@rule("R5.275", "R5.178")
def test_antitoxin_helps_against_poison_and_nothing_else() -> None:
    scene = having("Antitoxin").given(use("antitoxin"))
    poison = scene.when(Save(who="kara", ability="con", versus=("poisoned",))).rolling(4, 5)
    assert rolled(poison)[0].startswith("2d20kh1")
    assert rolled(scene.when(Save(who="kara", ability="con")).rolling(4))[0].startswith("1d20")


@rule("R5.275")
def test_who_does_not_have_a_thing_is_told_so() -> None:
    fight(table()).when(use("acid", "post")).refused("no feature of Kara called 'acid'")


@rule("R5.275")
def test_who_binds_with_a_rope_makes_the_check_and_the_bound_one_is_held() -> None:
    scene = table(fighter(), post()).given(events.GearGained(character="kara", item="Rope"))
    scene = scene.given(events.ConditionBegan(character="post", condition="grappled", source="kara"))
    tied = scene.when(use("rope", "post")).rolling(15)
    tied.then(like(CHECK, character="kara", success=True), like(BEGAN, character="post", condition="restrained"))
    scene.when(use("rope", "post")).rolling(1).then(like(CHECK, character="kara", success=False)).never(BEGAN)
