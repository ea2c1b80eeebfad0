"""Stat blocks act: breath, multiattack, recharge, legendary actions and resistances, spells, traits that work by themselves."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.domain.entries import second_thought
from rollbook.plugin import NotFound, events
from rollbook.rulesets.srd5 import RULESET
from rollbook.rulesets.srd5.fight.attack import Attack
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.fight.movement import Move
from rollbook.rulesets.srd5.fight.places import Place
from rollbook.rulesets.srd5.magic.spells import caster_level
from rollbook.rulesets.srd5.monsters.act import Act
from rollbook.rulesets.srd5.monsters.uses import AwardFoes, Budget
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.rulesets.srd5.time.surroundings import Surroundings
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import condition, end_turn, fight, fighter, hp, monster, post, swing, table

HURT, HEALED, CHECK, BEGAN = events.DamageTaken, events.HitPointsRestored, events.CheckResolved, events.ConditionBegan
NOTE, SPENT = events.NoteWritten, events.TurnSpent


def act(who: str, what: str, *targets: str, **more: object) -> Act:
    return Act(who=who, what=what, targets=targets, **more)  # type: ignore[arg-type]


def dragon(*people: object) -> Scenario:
    return fight(table(monster("Adult Red Dragon", id="dragon"), fighter(), post(hp=300)), "dragon", "kara", "post")


@rule("R5.305", "R5.81", "R5.82", "R5.311")
def test_a_breath_is_one_roll_for_all_who_save_and_is_used_up_until_it_recharges() -> None:
    breath = dragon().when(act("dragon", "Fire Breath", "kara", "post")).rolling(20, 1, *[3] * 17)
    assert [event.dealt for event in breath.events(HURT)] == [25, 51]
    spent = breath.go_on()
    spent.when(act("dragon", "fire breath", "post", out_of_turn=True)).refused("no use of Fire Breath", "5-6")
    spent.given(EndTurn(), with_dice(EndTurn(), 4))  # Kara is dead
    spent.when(act("dragon", "Fire Breath", "post")).refused("no use of Fire Breath")
    spent.given(EndTurn(), with_dice(EndTurn(), 5))
    spent.when(act("dragon", "Fire Breath", "post")).rolling(20, *[3] * 17).then(HURT)


@rule("R5.307", "R5.304")
def test_a_multiattack_is_made_attack_by_attack_or_in_one_go() -> None:
    scene = fight(table(monster("Owlbear"), post(hp=300)), "owlbear", "post")
    first = scene.when(act("owlbear", "Rend", "post")).rolling(15, 4, 4).go_on()
    second = first.when(swing("post", "owlbear", weapon="Rend")).rolling(15, 4, 4).go_on()
    second.when(swing("post", "owlbear", weapon="Rend")).refused("used the action")
    whole = scene.when(act("owlbear", "Multiattack", "post")).rolling(15, 4, 4, 1)
    assert len(whole.events(CHECK)) == 2
    whole.go_on().when(swing("post", "owlbear", weapon="Rend")).refused("used the action")


@rule("R5.307")
def test_a_multiattack_spreads_over_its_targets_and_makes_what_is_chosen() -> None:
    scene = fight(table(monster("Goblin Boss", id="boss"), fighter(), post()), "boss", "kara", "post")
    spread = scene.when(act("boss", "Multiattack", "kara", "post", chosen=("Shortbow",))).rolling(2, 2)
    assert [event.against for event in spread.events(CHECK)] == ["kara", "post"]


@rule("R5.310", "Q5.50")
def test_legendary_actions_come_after_the_turns_of_others_and_come_back_with_ones_own() -> None:
    scene = dragon()
    scene.when(act("dragon", "Pounce", "kara")).refused("after the turn of somebody else")
    theirs = end_turn(scene)
    theirs.when(act("dragon", "Fire Breath", "post", cost="reaction")).rolling(1, *[3] * 17).then(HURT)
    once = theirs.when(act("dragon", "Pounce", "post")).rolling(15, 4, 4, 3).then(HURT).go_on()
    assert dict(once.sheet("dragon").words)["Legendary actions"] == "2 of 3"
    once.go_on().when(act("dragon", "Pounce", "post")).refused("since the last turn ended")
    stunned = dragon().given(condition("dragon", "stunned"))
    end_turn(stunned).when(act("dragon", "Pounce", "post")).refused("cannot act")
    assert dict(end_turn(end_turn(once)).sheet("dragon").words)["Legendary actions"] == "3 of 3"
    at_home = events.TraitGained(character="dragon", trait="the mountain", kind="lair")
    assert dict(dragon().given(at_home).sheet("dragon").words)["Legendary actions"] == "4 of 4"


@rule("R5.312", "R5.311")
def test_a_legendary_resistance_makes_a_failed_save_so_many_times_a_day() -> None:
    thought = second_thought("resistance", "dragon", roll=0)
    scene = table(monster("Adult Red Dragon", id="dragon"), fighter())
    for left in ("2 of 3", "1 of 3", "0 of 3"):
        scene.when(Save(who="dragon", ability="wis", dc=30), thought).rolling(2).then(like(CHECK, success=True))
        scene = scene.go_on()
        assert dict(scene.sheet("dragon").words)["Legendary resistances"] == left
    scene.when(Save(who="dragon", ability="wis", dc=30), thought).rolling(2).refused("no use of Legendary Resistance")


@rule("R5.308", "R5.206", "Q5.51")
def test_a_stat_block_casts_at_will_and_so_many_times_a_day() -> None:
    scene = table(monster("Mage"), post(hp=300))
    assert caster_level(scene.before.characters["mage"]) == 6
    scene.when(act("mage", "Spellcasting", "post")).refused("Which spell", "Fireball")
    spell = act("mage", "Spellcasting", "post", spell="Fireball")
    used = scene.when(spell).rolling(1, *[3] * 9).then(HURT).go_on().when(spell).rolling(1, *[3] * 9).go_on()
    used.when(spell).refused("as often as a day allows")
    with pytest.raises(NotFound):
        _ = scene.when(act("mage", "Spellcasting", "post", spell="Fireblast")).played


@rule("R5.309")
def test_bonus_actions_and_reactions_cost_theirs() -> None:
    scene = fight(table(monster("Goblin Boss", id="boss"), monster("Knight"), post()), "boss", "knight", "post")
    hidden = scene.when(act("boss", "Nimble Escape", chosen=("disengage",)))
    hidden.then(like(SPENT, what="bonus action"), like(BEGAN, condition="disengaged"))
    parry = scene.when(act("knight", "Parry")).then(like(BEGAN, condition="reaction used")).go_on()
    assert parry.sheet("knight").amount("ac") == 20
    parry.when(act("knight", "Parry")).refused("reaction")


@rule("R5.301")
def test_what_is_nearly_a_name_is_named_and_anything_else_is_done_in_words() -> None:
    scene = fight(table(monster("Adult Red Dragon", id="dragon"), fighter()), "dragon", "kara")
    with pytest.raises(NotFound, match="Fire Breath"):
        _ = scene.when(act("dragon", "Fire Breeth", "kara")).played
    scene.when(act("dragon", "Fire Breath")).refused("Whom does Fire Breath aim at")
    scene.when(act("dragon", "digs for gold")).then(like(SPENT, what="action"))


@rule("R5.301", "R5.88")
def test_a_troll_regenerates_unless_it_was_burnt_and_dies_only_where_its_turn_begins_at_none() -> None:
    scene = fight(table(fighter(), monster("Troll")), "kara", "troll")
    hurt = scene.given(Harm(who="troll", amount="40", tags=("slashing",)))
    end_turn(hurt)
    assert hp(hurt, "troll") == 94 - 40 + 15
    fallen = fight(table(fighter(), monster("Troll")), "kara", "troll").given(Harm(who="troll", amount="200"))
    assert not fallen.before.characters["troll"].has("dead")
    end_turn(fallen)
    assert hp(fallen, "troll") == 15
    burnt = fight(table(fighter(), monster("Troll")), "kara", "troll")
    burnt.given(Harm(who="troll", amount="200", tags=("fire",)))
    end_turn(burnt)
    assert burnt.before.characters["troll"].has("dead")


@rule("R5.301", "R5.90")
@pytest.mark.parametrize(
    ("face", "tags", "dead"), [(20, ("slashing",), False), (2, ("slashing",), True), (0, ("radiant",), True)]
)
def test_a_zombie_may_stand_what_would_fell_it(face, tags, dead) -> None:
    faces = (face,) if face else ()
    felled = table(monster("Zombie")).when(Harm(who="zombie", amount="16", tags=tags)).rolling(*faces)
    assert felled.character("zombie").has("dead") is dead
    assert hp(felled, "zombie") == (0 if dead else 1)


@rule("R5.301", "R5.86")
def test_a_golem_is_healed_by_what_it_absorbs() -> None:
    scene = table(monster("Iron Golem", id="golem")).given(Harm(who="golem", amount="50", tags=("slashing",)))
    healed = scene.when(Harm(who="golem", amount="20", tags=("fire",))).then(like(HEALED, amount=20))
    healed.never(events.DamageTaken)
    assert hp(healed, "golem") == 252 - 50 + 20


@rule("R5.301")
def test_what_surrounds_a_monster_reaches_those_beside_it() -> None:
    people = (monster("Ghast"), fighter(), monster("Azer Sentinel", id="azer"))
    scene = fight(table(*people), "ghast", "kara", "azer")
    scene.given(Place(who="ghast", at=("0", "0")), Place(who="kara", at=("1", "0")), Place(who="azer", at=("9", "9")))
    scene.when(EndTurn()).rolling(2).then(like(CHECK, check="Constitution save", success=False))
    assert scene.go_on().before.characters["kara"].has("poisoned")
    near = scene.go_on().given(Place(who="kara", at=("9", "8")))
    burning = end_turn(near)
    burning.when(EndTurn()).rolling(5)
    assert [event.character for event in burning.events(HURT)] == ["kara"]


@rule("R5.301")
def test_a_body_that_corrodes_hurts_who_strikes_it_and_a_death_bursts() -> None:
    scene = table(fighter(), monster("Black Pudding", id="pudding"), monster("Dust Mephit", id="mephit"))
    struck = scene.when(swing("pudding")).rolling(15, 5, 6)
    assert [event.character for event in struck.events(HURT)] == ["pudding", "kara"]
    died = table(fighter(), monster("Dust Mephit", id="mephit")).when(Harm(who="mephit", amount="99"))
    died.then(like(NOTE, about="mephit"))


@rule("R5.301", "R5.15")
def test_edges_of_a_stat_block_hold_in_their_case() -> None:
    boar = table(monster("Boar"), post())
    assert (
        "Bloodied"
        not in boar.when(Attack(attacker="boar", target="post")).rolling(2).events(events.DiceRolled)[0].expression
    )
    boar.given(Harm(who="boar", amount="8"))
    assert (
        "Bloodied Fury"
        in boar.when(Attack(attacker="boar", target="post")).rolling(2, 2).events(events.DiceRolled)[0].expression
    )


@rule("R5.303", "R5.137")
def test_experience_for_foes_is_shared_and_each_counts_once() -> None:
    scene = table(fighter(), fighter(name="Mira"), monster("Ogre"), monster("Wolf"))
    shared = scene.when(AwardFoes(foes=("ogre", "wolf")))
    shared.then(like(events.ExperienceAwarded, character="kara", amount=250))
    shared.then(like(events.ExperienceAwarded, character="mira", amount=250))
    shared.go_on().when(AwardFoes(foes=("ogre",))).refused("counted")


@rule("R5.319")
def test_a_budget_says_what_a_fight_may_cost_and_what_it_costs() -> None:
    scene = table(*(fighter(name=name, level=3) for name in ("Ada", "Bo", "Cy", "Di")))
    told = scene.when(Budget(foes=("ogre 2", "3 goblin warrior"))).events(NOTE)[0].text
    assert "low 600, moderate 900, high 1600" in told
    assert "worth 1050: high" in told
    other = scene.when(Budget(level=1, size=4)).events(NOTE)[0].text
    assert "low 200, moderate 300, high 400" in other
    with pytest.raises(NotFound, match="Ogre"):
        _ = scene.when(Budget(foes=("ogree",))).played


@rule("R5.304", "R5.52")
def test_a_charge_counts_where_the_feet_of_the_turn_say_so() -> None:
    scene = fight(table(monster("Boar"), fighter()), "boar", "kara")
    gore = act("boar", "Gore", "kara")
    scene.when(gore).rolling(15, 2).never(like(BEGAN, condition="prone"))
    ran = fight(table(monster("Boar"), fighter()), "boar", "kara").given(Move(who="boar", feet=20))
    assert ran.when(gore).rolling(15, *[2] * 2).character("kara").has("prone")


@rule("R5.309", "R5.315")
def test_a_bonus_action_may_give_feet_and_a_flame_sets_alight() -> None:
    scene = fight(table(monster("Troll"), fighter()), "troll", "kara")
    scene.when(act("troll", "Charge")).then(like(SPENT, what="feet", amount=-15))
    azer = table(monster("Azer Sentinel", id="azer"), fighter(), monster("Magmin"))
    assert azer.when(act("magmin", "Touch", "kara")).rolling(15, 2, 2).character("kara").has("burning")


@rule("R5.302", "R5.301", "R5.303")
def test_hit_points_are_the_average_or_rolled_and_the_sheet_says_what_a_block_has() -> None:
    dragon = table(monster("Adult Red Dragon", id="dragon"))
    assert hp(dragon, "dragon") == 256
    words = dict(dragon.sheet("dragon").words)
    assert (words["Challenge"], words["Senses"]) == ("17 (18000 XP)", "blindsight 60 ft, darkvision 120 ft")
    assert "fly 80 ft" in words["Speeds"]
    rolled_one = table().given(with_dice(monster("Ogre", rolled=True), *[3] * 8))
    assert hp(rolled_one, "ogre") == 24 + 24


@rule("R5.306", "Q5.52")
def test_damage_is_rolled_or_the_printed_average_and_critical_hits_are_rolled() -> None:
    scene = table(monster("Ogre"), fighter(level=9), monster_damage="average")
    scene.when(swing("kara", "ogre")).rolling(15).then(like(HURT, amount=13))
    scene.go_on().when(swing("kara", "ogre")).rolling(20, 1, 1, 1, 1).then(like(HURT, amount=8))


def test_the_board_says_what_is_left_of_legendary_actions_and_how_light_it_is() -> None:
    scene = dragon().given(Surroundings(light="darkness", wind="strong"))
    board = RULESET.board(scene.before)
    assert board.pieces["dragon"].resources == ("3 legendary",)
    assert board.lines == (("Light", "darkness"), ("Weather", "strong wind"))


@rule("R5.206", "R5.311")
def test_a_rest_brings_back_what_recharges_and_a_long_one_everything() -> None:
    scene = table(monster("Adult Red Dragon", id="dragon"), post(hp=900))
    scene.given(with_dice(act("dragon", "Fire Breath", "post"), 1, *[1] * 17))
    scene.given(PassTime(amount=1, unit="hours", rest=True, who=("dragon",)))
    scene.given(with_dice(act("dragon", "Fire Breath", "post"), 1, *[1] * 17))
    mage = table(monster("Mage"), post(hp=900)).given(
        with_dice(act("mage", "Spellcasting", "post", spell="Cone of Cold"), 1, *[1] * 8)
    )
    mage.given(PassTime(amount=1, unit="hours", rest=True, who=("mage",)))
    cold = act("mage", "Spellcasting", "post", spell="Cone of Cold")
    mage.when(cold).refused("as often as a day allows")
    mage.given(PassTime(amount=8, unit="hours", rest=True, who=("mage",))).when(cold).rolling(1, *[1] * 8).then(HURT)


def test_targets_may_be_typed_after_the_name_of_a_feature() -> None:
    before = dragon().before
    typed = Act(who="dragon", what="Fire Breath kara,post").settled(before, secret=False)
    assert typed == {"what": "Fire Breath", "targets": ("kara", "post")}
    assert Act(who="dragon", what="Fire Breath").settled(before, secret=False) == {}
    assert Act(who="dragon", what="looks at kara").settled(before, secret=False) == {}
    assert Act(who="kara", what="waves to post").settled(before, secret=False) == {}
