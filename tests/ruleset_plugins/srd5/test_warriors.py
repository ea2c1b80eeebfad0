"""Barbarians, fighters, monks, rangers and rogues at the table: what each of their features does."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5.character.joining import Join
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.srd5.fight.movement import Jump, Move
from rollbook.rulesets.srd5.fight.places import Place
from rollbook.rulesets.srd5.fight.reactions import Opportunity
from rollbook.rulesets.srd5.growth.rests import Attune
from rollbook.rulesets.srd5.magic.casting import Cast
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import again, condition, fight, fighter, hp, monster, post, rolled, swing, table
from tests.support.srd5_classes import choose, left, of, use

HURT, CHECKED, BEGAN = events.DamageTaken, events.CheckResolved, events.ConditionBegan


@rule("R5.326")
@pytest.mark.parametrize("key", ["barbarian", "fighter", "monk", "paladin", "ranger"])
def test_some_classes_attack_twice_from_level_5(key: str) -> None:
    scene = fight(of(key, 5)).given(with_dice(swing(plain=True), 2), with_dice(swing(plain=True), 2))
    scene.when(swing(plain=True)).refused("has used the action")
    fight(of(key, 4)).given(with_dice(swing(), 2)).when(swing()).refused("has used the action")


@rule("R5.338")
def test_primal_knowledge_is_a_skill_and_skills_by_strength_in_a_rage() -> None:
    scene = of("barbarian", 3, scores=("18", "10", "10", "10", "10", "10"))
    assert "stealth" not in scene.before.characters["kara"].traits
    raging = scene.given(choose("primal-knowledge-skill-1", "survival"), use("rage"))
    raging.when(Check(who="kara", skill="survival", ability="str", dc="10")).rolling(3, 8)
    raging.then(like(CHECKED, total=8 + 4 + 2))
    assert rolled(raging)[0].startswith("2d20kh1")


@rule("R5.340")
def test_a_barbarian_rolls_initiative_with_advantage() -> None:
    scene = of("barbarian", 7).when(BeginEncounter(participants=("kara", "post"))).rolling(2, 15, 9)
    assert rolled(scene)[0].startswith("2d20kh1")


@rule("R5.341")
def test_a_pounce_is_half_the_speed_together_with_a_rage() -> None:
    scene = fight(of("barbarian", 7)).when(use("rage"))
    assert any("Instinctive Pounce" in each.text for each in scene.events(events.NoteWritten))


@rule("R5.344")
def test_a_persistent_rage_comes_back_and_lasts() -> None:
    scene = fight(of("barbarian", 15)).given(use("rage"))
    assert left(scene, "rage") == 4
    lasting = again(scene).given(EndTurn(), EndTurn(), EndTurn(), EndTurn())
    assert lasting.before.characters["kara"].has("rage")
    back = again(scene).given(use("persistent rage"))
    assert left(back, "rage") == 5 and left(back, "persistent rage") == 0


@rule("R5.348")
@pytest.mark.parametrize("word", ["charmed", "frightened"])
def test_a_mindless_rage_knows_no_charm_and_no_fear(word: str) -> None:
    scene = of("barbarian", 6).given(condition("kara", word), use("rage"))
    assert not scene.before.characters["kara"].has(word)


@rule("R5.349")
def test_retaliation_is_an_attack_by_reaction() -> None:
    scene = fight(of("barbarian", 10), "post", "kara")
    scene = scene.when(use("retaliation", "post")).rolling(15, 8).then(like(HURT, character="post", amount=11)).go_on()
    assert scene.before.characters["kara"].has("reaction used")
    scene.when(use("retaliation", "post")).refused("reaction")


@rule("R5.350", "R5.206")
def test_an_intimidating_presence_frightens_or_costs_a_rage() -> None:
    scene = of("barbarian", 14, monster("Ogre"))
    shown = again(scene).when(use("intimidating presence", "post", "ogre")).rolling(3, 19)
    shown.then(like(BEGAN, character="post", condition="frightened"))
    shown = shown.go_on()
    again(shown).when(use("intimidating presence", "post")).refused("0 of 1 left")
    paid = shown.given(with_dice(use("intimidating presence", "ogre", pay=True), 2))
    assert left(paid, "rage") == 4 and paid.before.characters["ogre"].has("frightened")


@rule("R5.394")
def test_a_tactical_master_pushes_saps_or_slows_instead() -> None:
    scene = fight(of("fighter", 9, weapons=("longsword",))).given(
        events.TraitGained(character="kara", trait="longsword", kind="mastery")
    )
    slowed = again(scene).given(with_dice(swing(features=("slow",)), 15, 4))
    assert slowed.before.characters["post"].has("slow") and not slowed.before.characters["post"].has("sap")


@rule("R5.397", "R5.13")
@pytest.mark.parametrize(("level", "face", "critical"), [(3, 19, True), (3, 18, False), (15, 18, True)])
def test_a_champion_hits_critically_with_19_and_later_18(level: int, face: int, critical: bool) -> None:
    scene = fight(of("fighter", level)).when(swing()).rolling(face, 4, *((4,) if critical else ()))
    scene.then(like(CHECKED, outcome="critical hit" if critical else "hit"))


@rule("Q5.13", "R5.13")
@pytest.mark.parametrize("edition", ["2024", "2014"])
def test_a_champions_nineteen_has_to_hit_and_only_a_twenty_always_does(edition: str) -> None:
    scene = fight(table(fighter(level=3), post(ac=40), edition=edition))
    scene.when(swing()).rolling(19).then(like(CHECKED, outcome="miss"))
    scene.when(swing()).rolling(20, 4, 4).then(like(CHECKED, outcome="critical hit"))


@rule("R5.398")
def test_an_athlete_has_advantage_and_moves_after_a_critical_hit() -> None:
    scene = of("fighter", 3)
    first = again(scene).when(BeginEncounter(participants=("kara", "post"))).rolling(2, 15, 9)
    assert rolled(first)[0].startswith("2d20kh1")
    check = again(scene).when(Check(who="kara", skill="athletics", dc="10")).rolling(2, 15)
    assert rolled(check)[0].startswith("2d20kh1")
    moved = fight(scene).when(swing()).rolling(20, 4, 4)
    assert any("After a critical hit" in each.text for each in moved.events(events.NoteWritten))


@rule("R5.406")
def test_an_uncanny_metabolism_gives_focus_and_hit_points() -> None:
    scene = of("monk", 5).given(Harm(who="kara", amount="20"), use("step of the wind"), use("flurry of blows"))
    assert left(scene, "monk's focus") == 4
    scene = scene.when(use("uncanny metabolism")).rolling(6).then(like(events.HitPointsRestored, amount=11)).go_on()
    assert left(scene, "monk's focus") == 5
    scene.when(use("uncanny metabolism")).refused("0 of 1 left")


@rule("R5.417")
def test_a_perfect_focus_has_4_points_when_initiative_is_rolled() -> None:
    spent = events.PoolGained(holder="kara", pool="used:monk's focus", amount=14)
    scene = of("monk", 15).given(spent)
    assert left(scene, "monk's focus") == 1 and left(fight(scene), "monk's focus") == 4
    enough = of("monk", 15).given(events.PoolGained(holder="kara", pool="used:monk's focus", amount=10))
    assert left(fight(enough), "monk's focus") == 5


@rule("R5.408")
def test_a_slow_fall_takes_five_times_the_level_off() -> None:
    scene = of("monk", 4).given(use("slow fall"))
    scene.when(Harm(who="kara", amount="25", tags=("bludgeoning",))).then(like(HURT, amount=5))


@rule("R5.412")
def test_an_acrobatic_monk_walks_up_walls_at_no_more_cost_unless_armoured() -> None:
    scene = fight(of("monk", 9, weapons=()))
    assert again(scene).given(Move(who="kara", feet=45, mode="climb")).before.encounter.spent["feet"] == 45
    usual = fight(of("rogue", 2))
    assert usual.given(Move(who="kara", feet=15, mode="climb")).before.encounter.spent["feet"] == 30


@rule("R5.413", "R5.404")
def test_a_heightened_focus_is_three_strikes_and_temporary_hit_points() -> None:
    scene = fight(of("monk", 10, weapons=()))
    flurry = again(scene).given(with_dice(swing(weapon="unarmed"), 2), use("flurry of blows"))
    for _ in range(4):
        flurry = flurry.given(with_dice(swing(weapon="unarmed"), 2))
    flurry.when(swing(weapon="unarmed")).refused("has used the action")
    guarded = again(scene).given(with_dice(use("patient defense with focus"), 3, 4))
    assert guarded.sheet("kara").amount("temporary") == 7


@rule("R5.418")
def test_a_superior_defence_resists_all_but_force() -> None:
    scene = of("monk", 18).given(use("superior defense"))
    assert left(scene, "monk's focus") == 15
    again(scene).when(Harm(who="kara", amount="9", tags=("fire",))).then(like(HURT, amount=4))
    again(scene).when(Harm(who="kara", amount="9", tags=("force",))).then(like(HURT, amount=9))


@rule("R5.420")
def test_an_open_hand_addles_pushes_or_topples() -> None:
    scene = fight(of("monk", 3, weapons=())).given(use("flurry of blows"))
    toppled = again(scene).when(swing(weapon="unarmed", features=("topple",))).rolling(15, 4, 2)
    toppled.then(like(BEGAN, character="post", condition="prone"))
    pushed = again(scene).when(swing(weapon="unarmed", features=("push",))).rolling(15, 4, 2)
    assert any("15" in each.text for each in pushed.events(events.NoteWritten))
    addled = again(scene).given(with_dice(swing(weapon="unarmed", features=("addle",)), 15, 4))
    assert addled.before.characters["post"].has("addle")


@rule("R5.421")
def test_wholeness_of_body_heals_the_die_and_wisdom() -> None:
    scene = of("monk", 6).given(Harm(who="kara", amount="20"))
    scene = scene.when(use("wholeness of body")).rolling(5).then(like(events.HitPointsRestored, amount=8)).go_on()
    assert left(scene, "wholeness of body") == 2


@rule("R5.422")
def test_a_fleet_step_goes_with_another_bonus_action() -> None:
    scene = fight(of("monk", 11, weapons=()))
    again(scene).when(use("fleet step")).refused("follows a bonus action")
    dashed = again(scene).given(use("patient defense"), use("fleet step"))
    assert dashed.before.encounter.spent["dash"] == 1 and left(dashed, "monk's focus") == 11
    both = scene.given(use("flurry of blows"), use("fleet step", chosen=("focus",)))
    assert both.before.characters["kara"].has("disengaged") and left(both, "monk's focus") == 9


@rule("R5.423")
@pytest.mark.parametrize(("face", "amount"), [(2, 50), (20, 25)])
def test_a_quivering_palm_waits_for_days_and_then_deals_10d12(face: int, amount: int) -> None:
    scene = of("monk", 17).given(use("quivering palm", "post"))
    assert left(scene, "monk's focus") == 13 and hp(scene, "post") == 100
    assert scene.before.characters["post"].conditions["quivering palm"].until == 17 * 86_400
    again(scene).when(use("let loose", "kara")).refused("no vibrations")
    scene.when(use("let loose", "post")).rolling(face, *(5,) * 10).then(like(HURT, amount=amount, tags=("force",)))
    assert not scene.after.characters["post"].has("quivering palm")


@rule("R5.423")
def test_only_one_has_the_vibrations_at_a_time() -> None:
    scene = of("monk", 17, monster("Ogre")).given(use("quivering palm", "post"), use("quivering palm", "ogre"))
    assert not scene.before.characters["post"].has("quivering palm")
    ended = scene.given(events.ConditionEnded(character="ogre", condition="quivering palm"))
    assert ended.before.characters["ogre"].lost == 0


def give(item: str) -> events.GearGained:
    """A thing that Kara gets."""
    return events.GearGained(character="kara", item=item)


def marked(level: int, *others: Join, **more: object) -> Scenario:
    """A ranger in a fight who has marked the post."""
    scene = fight(of("ranger", level, *others, **more))
    return scene.given(Cast(caster="kara", spell="hunter's mark", target="post"))


@rule("R5.441")
def test_a_deft_explorer_is_an_expert_and_speaks_two_languages() -> None:
    scene = of("ranger", 2, skills=("stealth",)).given(choose("deft-explorer-expertise-1", "stealth"))
    scene = scene.given(choose("deft-explorer-language-1", "elvish"), choose("deft-explorer-language-2", "giant"))
    assert scene.sheet("kara").amount("stealth") == 3 + 4
    assert {"Elvish", "Giant"} <= set(scene.before.characters["kara"].traits_of("language"))


@rule("R5.445")
@pytest.mark.parametrize(("level", "faces", "keeps"), [(12, (2,), False), (13, (), True)])
def test_damage_does_not_end_the_mark_of_a_relentless_hunter(level: int, faces: tuple[int, ...], keeps: bool) -> None:
    scene = marked(level).given(with_dice(Harm(who="kara", amount="40"), *faces))
    assert scene.before.characters["kara"].has("concentrating") is keeps


@rule("R5.447")
def test_a_precise_hunter_has_advantage_against_the_marked() -> None:
    scene = marked(17, monster("Ogre"))
    assert rolled(again(scene).when(swing()).rolling(2, 3))[0].startswith("2d20kh1")
    assert rolled(again(scene).when(swing("ogre")).rolling(1))[0].startswith("1d20")
    assert rolled(marked(16).when(swing()).rolling(2))[0].startswith("1d20")


@rule("R5.448")
def test_feral_senses_find_the_invisible_nearby() -> None:
    unseen = condition("post", "invisible")
    near = fight(of("ranger", 18, at=("0", "0"))).given(unseen, Place(who="post", at=("1", "0")))
    assert rolled(near.when(swing()).rolling(2))[0].startswith("1d20")
    blind = fight(of("ranger", 17, at=("0", "0"))).given(unseen, Place(who="post", at=("1", "0")))
    assert rolled(blind.when(swing()).rolling(2, 3))[0].startswith("2d20kl1")


@rule("R5.449")
@pytest.mark.parametrize(("level", "die"), [(19, "1d6"), (20, "1d10")])
def test_the_mark_of_a_foe_slayer_is_a_d10(level: int, die: str) -> None:
    scene = marked(level).when(swing(plain=True)).rolling(19, 19, 4, 5)
    scene.then(like(HURT, amount=4 + 3 + 5))
    assert any(each.startswith(die) for each in rolled(scene))


@rule("R5.450")
def test_a_hunter_knows_what_the_marked_withstands() -> None:
    scene = fight(of("ranger", 3, monster("Skeleton")), "kara", "skeleton")
    again(scene).when(use("hunter's lore", "skeleton")).refused("marked")
    scene = scene.given(Cast(caster="kara", spell="hunter's mark", target="skeleton"))
    told = scene.when(use("hunter's lore", "skeleton")).events(events.NoteWritten)[0].text
    assert "vulnerability: bludgeoning" in told and "immunity: poison" in told


@rule("R5.452")
def test_a_hunter_escapes_the_horde_or_defends_after_a_hit() -> None:
    chosen = of("ranger", 7, monster("Ogre"))
    horde = fight(again(chosen).given(choose("defensive-tactics-1", "escape-the-horde")), "kara", "ogre")
    opportunity = horde.when(Opportunity(attacker="ogre", target="kara")).rolling(2, 3)
    assert rolled(opportunity)[0].startswith("2d20kl1")
    several = fight(
        chosen.given(choose("defensive-tactics-1", "multiattack-defense")), "ogre", "kara", "post", dice=(20, 9, 5)
    )
    struck = several.given(with_dice(swing("kara", "ogre"), 19, 1, 1))
    again_ = again(struck).when(swing("kara", "ogre", out_of_turn=True)).rolling(2, 3)
    assert rolled(again_)[0].startswith("2d20kl1")
    assert rolled(again(struck).when(swing("kara", "post", out_of_turn=True)).rolling(2))[0].startswith("1d20")
    assert not struck.given(EndTurn()).before.characters["kara"].has("multiattack defense")


@rule("R5.453")
def test_a_superior_prey_takes_the_damage_of_the_mark_to_another_once_a_turn() -> None:
    scene = marked(11, monster("Ogre"))
    spread = swing(features=("superior hunter's prey",), second="ogre", plain=True)
    scene = scene.when(spread).rolling(15, 4, 3, 6).then(like(HURT, character="ogre", amount=6)).go_on()
    scene.when(spread).rolling(15, 4, 3)
    assert not [each for each in scene.events(HURT) if each.character == "ogre"]


@rule("R5.454")
def test_a_superior_defence_resists_a_type_until_the_turn_ends() -> None:
    scene = fight(of("ranger", 15), "post", "kara").given(use("superior hunter's defense", chosen=("fire",)))
    again(scene).when(Harm(who="kara", amount="9", tags=("fire",))).then(like(HURT, amount=4))
    again(scene).when(Harm(who="kara", amount="9", tags=("cold",))).then(like(HURT, amount=9))
    over = scene.given(EndTurn())
    over.when(Harm(who="kara", amount="9", tags=("fire",))).then(like(HURT, amount=9))


@rule("R5.456")
def test_a_rogue_speaks_the_cant_and_one_language_more() -> None:
    scene = of("rogue").given(choose("thieves-cant-language-1", "gnomish"))
    assert {"Thieves' Cant", "Gnomish"} <= set(scene.before.characters["kara"].traits_of("language"))


@rule("R5.466")
def test_fast_hands_use_things_by_a_bonus_action() -> None:
    scene = fight(of("rogue", 3))
    again(scene).when(use("fast hands")).refused("sleight of hand, utilize, magic item")
    used = scene.given(use("fast hands", chosen=("utilize",)))
    again(used).when(use("fast hands", chosen=("utilize",))).refused("bonus action")
    used.when(swing()).rolling(2).then(like(CHECKED))


@rule("R5.467", "R5.443")
@pytest.mark.parametrize(
    ("key", "level", "mode"), [("rogue", 3, "climb"), ("ranger", 6, "climb"), ("ranger", 6, "swim")]
)
def test_some_climb_and_swim_as_fast_as_they_walk(key: str, level: int, mode: str) -> None:
    scene = fight(of(key, level)).given(Move(who="kara", feet=30, mode=mode))
    assert scene.before.encounter.spent["feet"] == 30


@rule("R5.467")
def test_a_thief_jumps_by_dexterity() -> None:
    scores = ("8", "18", "10", "10", "10", "10")
    fight(of("rogue", 2, scores=scores)).when(Jump(who="kara", feet=18)).refused("at most 8 feet")
    scene = fight(of("rogue", 3, scores=scores)).given(Jump(who="kara", feet=18))
    assert scene.before.encounter.spent["feet"] == 18
    scene.when(Jump(who="kara", feet=8, high=True)).refused("at most 7 feet")


@rule("R5.468")
def test_a_stealth_attack_leaves_the_rogue_hidden_for_a_die() -> None:
    scene = fight(of("rogue", 9, weapons=("shortsword",))).given(condition("kara", "hidden"))
    kept = again(scene).when(swing(features=("stealth attack",))).rolling(15, 14, 3, 6, 6, 6, 6)
    kept.then(like(HURT, amount=3 + 3 + 24))
    assert kept.after.characters["kara"].has("hidden")
    assert not scene.given(with_dice(swing(), 2, 3)).before.characters["kara"].has("hidden")


@rule("R5.469", "R5.280")
def test_a_thief_attunes_to_four_things() -> None:
    rings = [f"Ring of {each}" for each in ("Protection", "Evasion", "Warmth", "Free Action", "Feather Falling")]
    scene = of("rogue", 13).given(*map(give, rings), *(Attune(who="kara", item=each) for each in rings[:4]))
    scene.when(Attune(who="kara", item=rings[4])).refused("4 things are the most")


@rule("R5.469")
@pytest.mark.parametrize(("level", "faces", "spent"), [(12, (), 1), (13, (5,), 1), (13, (6,), 0)])
def test_a_thief_saves_the_charge_of_a_wand_on_a_6(level: int, faces: tuple[int, ...], spent: int) -> None:
    scene = of("rogue", level).given(give("Wand of Secrets"), with_dice(use("search"), *faces))
    assert scene.before.characters["kara"].pools.get("charges spent:wand-of-secrets", 0) == spent


@rule("R5.469")
@pytest.mark.parametrize(("face", "cast"), [(2, False), (19, True)])
def test_a_thief_reads_any_scroll_by_intelligence_and_arcana(face: int, cast: bool) -> None:
    scene = of("rogue", 13).given(give("Spell Scroll (Fireball)"), give("Spell Scroll (Magic Missile)"))
    easy = again(scene).when(Cast(caster="kara", spell="magic missile", target="post", scroll=True)).rolling(1, 1, 1)
    easy.then(like(HURT, amount=2))
    hard = scene.when(Cast(caster="kara", spell="fireball", target="post", scroll=True))
    hard.rolling(face, *((2, *(1,) * 8) if cast else ()))
    hard.then(like(CHECKED, total=face + 3, success=cast))
    assert bool(hard.events(HURT)) is cast


@rule("R5.470")
def test_a_thief_has_a_second_turn_ten_later_in_the_first_round() -> None:
    scene = fight(of("rogue", 17, monster("Ogre")), "kara", "post", "ogre", dice=(20, 18, 5))

    def after(turns_: int) -> tuple[str, int]:
        now = again(scene).given(*(EndTurn() for _ in range(turns_)))
        assert now.before.encounter is not None
        return now.before.encounter.current, now.before.encounter.round

    assert [after(turns_) for turns_ in range(7)] == [
        *(("kara", 1), ("post", 1), ("kara", 1), ("ogre", 1)),
        *(("kara", 2), ("post", 2), ("ogre", 2)),
    ]
