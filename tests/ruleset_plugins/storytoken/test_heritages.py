"""What birth gives and takes: regrowth, forms, bodies, promises, silver, fire and the sun."""

from __future__ import annotations

import pytest

from rollbook.domain.entries import second_thought
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import Afflict
from rollbook.rulesets.storytoken.body.harm import Hazard, Heal
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.heritage_powers import ChangeForm, Promise
from rollbook.rulesets.storytoken.character.levels import Choose
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.storytoken.magic.casting import Cast
from rollbook.rulesets.storytoken.magic.spells import INNATE_OPTIONS
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.rulesets.storytoken.tasks.saves import Save
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.storytoken import born, harm, hp, wait

ROLLED, HURT, HEALED = events.DiceRolled, events.DamageTaken, events.HitPointsRestored
BEGAN, ENDED = events.ConditionBegan, events.ConditionEnded


def eased(game, deed, *dice: int) -> bool:
    """Whether a roll took two dice."""
    return len(game.when(deed).rolling(*dice).events(ROLLED)[0].dice) == 2


@rule(
    "R0.141",
    "R0.142",
    "R0.143",
    "R0.145",
    "R0.146",
    "R0.147",
    "R0.148",
    "R0.149",
    "R0.151",
    "R0.152",
    "R0.153",
    "R0.155",
)
@pytest.mark.parametrize(
    ("heritage", "ability"),
    [
        ("android", "int"),
        ("animal", "wis"),
        ("cyborg", "con"),
        ("dwarf", "con"),
        ("elf", "dex"),
        ("faerie", "cha"),
        ("goblin", "dex"),
        ("halfling", "dex"),
        ("mutant", "con"),
        ("orc", "str"),
        ("spirit", "wis"),
        ("troll", "str"),
    ],
)
def test_birth_makes_checks_and_saves_of_one_ability_easier(nobody, heritage: str, ability: str) -> None:
    game = nobody().given(born(heritage))
    other = "wis" if ability == "cha" else "cha"
    assert eased(game, Check(who=heritage, ability=ability), 3, 4)
    assert eased(game, Save(who=heritage, ability=ability), 3, 4)
    assert not eased(game, Check(who=heritage, ability=other), 3)


@rule("R0.142")
def test_an_animal_has_claws_and_no_use_for_tools(sherwood) -> None:
    game = sherwood().given(
        born("animal"), events.GearGained(character="animal", item="sword", use=("weapon", "medium-melee"))
    )
    game.when(Attack(attacker="animal", target="guard", weapon="sword")).refused("is an animal and cannot use sword")
    game.when(Attack(attacker="animal", target="guard", weapon="light")).refused("is an animal")
    game.when(Attack(attacker="animal", target="guard", weapon="unarmed")).rolling(15, 5).then(like(HURT, dealt=5))
    assert game.sheet("animal").amount("speed") == 45


@rule("R0.145", "Q0.65")
def test_a_dwarf_adds_the_level_below_ground_and_at_the_forge(nobody) -> None:
    game = nobody().given(born("dwarf", level=4, hit_dice=("3",) * 4, hp=0))
    for topic in ("underground navigation", "mining", "blacksmithing", "brewing"):
        game.when(Check(who="dwarf", ability="int", topic=topic)).rolling(10).then(like(ROLLED, total=14))


# What grows back.


@rule("R0.144", "Q0.58")
def test_a_demigod_below_0_regains_a_point_a_minute_and_stops_at_0(nobody) -> None:
    game = nobody().given(born("demigod"), harm("demigod", 25))
    assert hp(game.when(wait(3, "minutes")), "demigod") == -2
    up = game.when(wait(30, "minutes")).then(HEALED(character="demigod", amount=5, tags=("regeneration",)))
    assert hp(up, "demigod") == 0
    assert up.character("demigod").has("unconscious")
    wounded = nobody().given(born("demigod"), harm("demigod", 5))
    wounded.when(wait(30, "minutes")).never(HEALED)


@rule("R0.155", "Q0.29")
def test_a_troll_regains_a_point_a_round_at_the_start_of_its_turn(sherwood) -> None:
    game = sherwood().given(born("troll"), harm("troll", 9))
    game.given(with_dice(BeginEncounter(participants=("guard", "troll")), 15, 3))
    turn = game.when(EndTurn())
    turn.then(events.TurnBegan(character="troll"), HEALED(character="troll", amount=1, tags=("regeneration",)))
    turn.go_on().when(EndTurn()).rolling(15, 3).then(events.TimePassed).never(HEALED)
    assert hp(game.when(wait(50, "seconds")), "troll") == 16
    assert hp(game.when(wait(1, "hours")), "troll") == 20


@rule("R0.155", "Q0.57", "QG.11")
@pytest.mark.parametrize("tag", ["fire", "acid"])
def test_what_fire_and_acid_took_from_a_troll_heals_like_anybodys(nobody, tag: str) -> None:
    game = nobody().given(born("troll"), harm("troll", 6, tag), harm("troll", 8))
    grown = game.when(wait(1, "hours")).then(HEALED(character="troll", amount=8, tags=("regeneration",)))
    assert (hp(grown, "troll"), grown.character("troll").pools["burns"]) == (14, 6)
    rested = grown.go_on().when(wait(4, "hours", rest=True))
    rested.then(
        HEALED(character="troll", amount=4, tags=("rest",)),
        events.PoolSpent(holder="troll", pool="burns", amount=4, reason="healed"),
    )
    cared = rested.go_on().when(Heal(who="troll", amount="9"))
    assert (hp(cared, "troll"), cared.character("troll").pools["burns"]) == (20, 0)


@rule("R0.155", "Q0.57")
def test_a_troll_in_the_sun_turns_to_stone_when_it_dies_of_it(nobody) -> None:
    game = nobody().given(born("troll", hp=4), Afflict(who="troll", condition="sunlit"))
    dead = game.when(wait(10, "minutes")).rolling(4, 6)
    dead.then(
        BEGAN(character="troll", condition="dead"), BEGAN(character="troll", condition="stone", source="sunlight")
    )
    struck = nobody().given(born("troll", hp=4), harm("troll", 8))
    assert struck.character("troll").has("dead")
    assert not struck.character("troll").has("stone")
    struck.when(wait(10, "minutes")).never(HEALED)


@rule("R0.155")
def test_the_sun_takes_and_nature_gives_back_in_the_same_round(nobody) -> None:
    game = nobody().given(born("troll"), Afflict(who="troll", condition="sunlit", lasts=3, unit="rounds"))
    burned = game.when(wait(30, "seconds")).rolling(2, 1, 5)
    assert [event.amount for event in burned.events(HURT)] == [2, 1, 5]
    assert hp(burned, "troll") == 20 - 8 + 3


@rule("R0.156")
def test_a_werebeast_heals_a_point_a_minute(nobody) -> None:
    game = nobody().given(born("werebeast"), harm("werebeast", 12))
    assert hp(game.when(wait(5, "minutes")), "werebeast") == 13
    assert hp(game.when(wait(2, "hours")), "werebeast") == 20


@rule("R0.156", "Q0.59", "QG.11")
def test_silver_hurts_a_werebeast_three_times_over_and_stops_its_healing_for_a_day(nobody) -> None:
    game = nobody().given(born("werebeast", hp=60))
    struck = game.when(harm("werebeast", 7, "silver"))
    struck.then(
        HURT(character="werebeast", amount=21, dealt=21, tags=("silver",)),
        BEGAN(character="werebeast", condition="silvered", source="silver", until=86_400),
    )
    later = struck.go_on()
    later.when(wait(23, "hours")).never(HEALED)
    assert hp(later.when(wait(1_441, "minutes")), "werebeast") == 40
    assert later.when(wait(2, "hours", rest=True)).character("werebeast").lost == 19, "rest heals as ever"


@rule("R0.156", "Q0.59")
def test_silver_is_counted_last(nobody) -> None:
    game = nobody().given(
        born("werebeast", hp=60, roles=("berserker",), level=2),
        Join(name="Hunter", id="hunter", kind="npc", hp=9),
        events.GearGained(character="hunter", item="silver axe", use=("weapon", "medium-melee", "silver")),
        events.ConditionBegan(character="werebeast", condition="raging", until=900),
    )
    blow = Attack(attacker="hunter", target="werebeast", weapon="silver axe")
    game.when(blow).rolling(18, 5).then(like(HURT, amount=6, dealt=6))


@rule("R0.156", "Q0.51")
def test_each_form_of_a_werebeast_is_good_at_something_else(sherwood) -> None:
    game = sherwood().given(born("werebeast", ability="str"))
    claws = Attack(attacker="werebeast", target="deputy", weapon="unarmed")
    blade = Attack(attacker="werebeast", target="deputy", weapon="light")
    assert eased(game, Check(who="werebeast", ability="cha"), 3, 4)
    assert not eased(game, claws, 3)
    for form in ("hybrid", "animal"):
        game.given(ChangeForm(who="werebeast", form=form))
        assert eased(game, Check(who="werebeast", ability="str"), 3, 4)
        assert eased(game, Save(who="werebeast", ability="str"), 3, 4)
        assert eased(game, claws, 3, 4)
        assert not eased(game, blade, 3)
        assert not eased(game, Check(who="werebeast", ability="cha"), 3)
    assert "is in animal form" in dict(game.given().sheet("werebeast").words)["Heritage"].lower()


@rule("R0.156")
def test_some_werebeasts_are_quick_instead_of_strong(nobody) -> None:
    game = nobody().given(born("werebeast"), ChangeForm(who="werebeast", form="hybrid"))
    assert eased(game, Check(who="werebeast", ability="str"), 3, 4), "strong, until they say otherwise"
    game.given(Choose(who="werebeast", choice="heritage-ability", picked="dex"))
    assert eased(game, Check(who="werebeast", ability="dex"), 3, 4)
    assert not eased(game, Check(who="werebeast", ability="str"), 3)
    nobody().when(born("werebeast", ability="wis")).refused("A werebeast excels in str or dex, not in wis")


@rule("R0.156")
def test_changing_form_is_an_action(sherwood) -> None:
    game = sherwood().given(born("werebeast"), with_dice(BeginEncounter(participants=("werebeast", "guard")), 15, 3))
    wolf = ChangeForm(who="werebeast", form="animal")
    changed = game.when(wolf).then(
        events.TurnSpent, like(BEGAN, character="werebeast", condition="changed", data={"form": "animal"})
    )
    changed.go_on().when(ChangeForm(who="werebeast", form="human")).refused("no action left")
    sherwood().when(ChangeForm(who="robin", form="animal")).refused("Robin Hood has one form only")
    sherwood().given(born("werebeast")).when(ChangeForm(who="werebeast", form="human")).refused("in human form already")


@rule("R0.156", "Q0.59")
def test_a_werebeast_is_harder_to_hit_in_all_forms_or_only_as_a_beast(nobody) -> None:
    wolf = ChangeForm(who="werebeast", form="hybrid")
    assert nobody().given(born("werebeast")).sheet("werebeast").amount("ac") == 12
    strict = nobody(were_ac_forms="hybrid_animal").given(born("werebeast"))
    assert strict.sheet("werebeast").amount("ac") == 10
    assert strict.given(wolf).sheet("werebeast").amount("ac") == 12


# Faeries and mutants.


@rule("R0.147")
def test_a_promise_guards_and_breaking_it_costs_a_point_a_minute(nobody) -> None:
    game = nobody().given(born("faerie"), Promise(who="faerie", what="to guard the spring"))
    save = Save(who="faerie", ability="wis", promised=True)
    assert eased(game, save, 3, 4)
    broken = game.given(Promise(who="faerie", how="broken"))
    lost = broken.when(wait(4, "minutes"))
    assert hp(lost, "faerie") == 16
    kept = lost.go_on().given(Promise(who="faerie", how="kept"))
    assert hp(kept.when(wait(1, "hours")), "faerie") == 16
    free = kept.given(Promise(who="faerie", how="released"))
    free.when(save).refused("has given no promise")


@rule("R0.147")
def test_only_faeries_are_bound_by_their_word(nobody) -> None:
    game = nobody().given(born("faerie"), born("elf"))
    game.when(Promise(who="elf", what="anything")).refused("only a faerie is bound")
    game.when(Promise(who="faerie", how="broken")).refused("has given no promise")
    game.when(Promise(who="faerie")).refused("Say what Faerie promises")
    game.given(Promise(who="faerie", what="silence")).when(Promise(who="faerie", what="Silence")).refused(
        "bound already"
    )


def mutant(spell: str = "sleep") -> tuple[Join, Choose]:
    return born("mutant"), Choose(who="mutant", choice="innate-spell", picked=spell)


@rule("R0.151", "Q0.60")
def test_pain_at_full_health_may_set_a_mutants_power_off_at_anybody(sherwood) -> None:
    game = sherwood().given(*mutant())
    game.given(with_dice(BeginEncounter(participants=("guard", "mutant", "marian", "deputy")), 19, 3, 2, 1))
    blow = Attack(attacker="guard", target="mutant", weapon="medium-melee")
    shocked = game.when(blow).rolling(15, 4, 14, 2, 5)
    shocked.then(
        like(HURT, character="mutant", amount=4),
        like(ROLLED, roller="mutant", purpose="shock"),
        like(events.CheckResolved, check="WIS save", target=15, success=False, against="shock"),
        like(ROLLED, purpose="random target", expression="1d3"),
        events.PowerUsed(character="mutant", power="innate spell", target="marian"),
        BEGAN(character="mutant", condition="recharging", until=5 * 60),
    )
    game.when(blow).rolling(15, 4, 15).never(events.PowerUsed)


@rule("R0.151", "Q0.60")
def test_anyone_who_is_hurt_already_or_rests_is_not_shocked(sherwood) -> None:
    hurt = sherwood().given(*mutant(), with_dice(harm("mutant", 3), 15))
    shock = like(ROLLED, purpose="shock")
    hurt.when(harm("mutant", 3)).never(shock)
    resting = sherwood().given(*mutant(), events.ConditionBegan(character="mutant", condition="recharging", until=60))
    resting.when(harm("mutant", 3)).never(shock)
    sherwood().given(born("mutant")).when(harm("mutant", 3)).never(shock)
    saved = Hazard(who="mutant", ability="dex", level=1)
    sherwood().given(*mutant()).when(saved).rolling(9).never(HURT, events.PowerUsed)


@rule("R0.151", "R0.95")
def test_a_token_may_roll_the_save_against_the_shock_again(sherwood) -> None:
    game = sherwood().given(*mutant(), events.PoolBecame(holder="mutant", pool="token", amount=1))
    thought = second_thought("reroll", "mutant", roll=0)
    game.when(harm("mutant", 3), thought).rolling(3, 18).then(
        like(ROLLED, purpose="shock rerolled"), like(events.CheckResolved, success=True)
    )


@rule("R0.151")
def test_the_inborn_spell_is_cast_at_will_and_rests_for_minutes(sherwood) -> None:
    game = sherwood().given(*mutant("magic-missile"))
    cast = Cast(caster="mutant", spell="magic-missile", targets=("guard",), damage="1d6+1")
    used = game.when(cast).rolling(15, 6, 4)
    used.then(
        like(ROLLED, purpose="cast", expression="1d20"),
        events.PowerUsed(character="mutant", power="innate spell", target="guard"),
        BEGAN(character="mutant", condition="recharging", until=360),
        like(HURT, character="guard", dealt=5),
    )
    used.go_on().when(cast).refused("inborn power rests")
    used.go_on().given(wait(6, "minutes")).when(cast).rolling(15, 1, 4).then(events.PowerUsed)
    assert game.character("mutant").chosen["innate-spell"] == "magic-missile"


@rule("R0.151", "Q0.66")
def test_both_sides_of_an_inborn_spell_are_inborn_and_none_is_counted(sherwood) -> None:
    game = sherwood(casts_per_day="level").given(*mutant("light"))
    for side in ("light", "darkness"):
        cast = Cast(caster="mutant", spell=side, effect="so be it")
        game.when(cast).rolling(15, 2).then(like(events.PowerUsed, power="innate spell")).never(
            like(events.PowerUsed, power="cast 1")
        )
    said = game.when(Cast(caster="mutant", spell="light", ability="int")).refused("Inborn magic is cast with CHA.")
    assert "or with" not in said


@rule("R0.151", "Q0.66")
def test_a_mutants_spell_is_of_the_first_level(nobody) -> None:
    game = nobody().given(born("mutant"))
    assert game.character("mutant").choices["innate-spell"].keys == INNATE_OPTIONS
    assert {"sleep", "cure-light-wounds", "cause-light-wounds", "darkness"} <= set(INNATE_OPTIONS)
    assert "fire-ball" not in INNATE_OPTIONS
    assert "Inborn spell" not in dict(game.sheet("mutant").words)
