"""Every word of a restriction and every rule of a stat block's own is asked by code, or is the GM's by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from rollbook.plugin import Action, events
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect, kinds
from rollbook.rulesets.srd5.fight import places, states
from rollbook.rulesets.srd5.fight.actions import Dash, Disengage, Dodge
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import BeginEncounter, EndTurn, SetCondition
from rollbook.rulesets.srd5.fight.grapple import Escape, Release
from rollbook.rulesets.srd5.fight.hit_points import Heal
from rollbook.rulesets.srd5.fight.movement import Jump, Move, Stand
from rollbook.rulesets.srd5.fight.reactions import Opportunity
from rollbook.rulesets.srd5.growth.using import Use
from rollbook.rulesets.srd5.time.journeys import HoldBreath
from rollbook.rulesets.srd5.time.perils import Fall
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import (
    again,
    cast,
    caster,
    condition,
    end_turn,
    fight,
    fighter,
    hp,
    monster,
    post,
    rolled,
    swing,
    table,
)
from tests.support.srd5_edges import act, beside, has, is_under, number
from tests.support.srd5_text import effects_of, raw

SOURCE = "\n".join(path.read_text("utf-8") for path in Path(catalogue.__file__).parents[1].rglob("*.py"))
DATA = Path(catalogue.__file__).parents[1] / "data"
BEGAN, HURT, CHECKED = events.ConditionBegan, events.DamageTaken, events.CheckResolved


def origins() -> Iterator[tuple[str, tuple[Effect, ...]]]:
    """Every origin with its effects: spells, and the features of stat blocks."""
    for spell in catalogue.spells().values():
        yield f"spell:{spell.key}", spell.effects
    for block in catalogue.monsters().values():
        for feature in block.features:
            yield f"monster:{block.key}:{feature.name}", feature.effects
    for item in catalogue.magic_items().values():
        for power in item.powers:
            yield f"magic:{item.key}:{power.name}", power.effects
    for row in catalogue.classes().values():
        for trait in (*row.features, *row.subclass.features):
            for each in (trait, *trait.parts):
                yield f"class:{row.key}:{each.name}", each.effects


def inner(found: Any, path: str) -> Iterator[tuple[str, Effect]]:
    """Every effect with the path that leads to it."""
    if isinstance(found, tuple):
        for place, each in enumerate(found):
            yield from inner(each, f"{path}/{place}".removeprefix("/"))
    elif attrs.has(type(found)):
        if isinstance(found, Effect):
            yield path, found
        for field in attrs.fields(type(found)):
            yield from inner(getattr(found, field.name), f"{path}/{field.name}")


def restriction(word: str, who: str = "kara") -> events.ConditionBegan:
    """The first condition of the catalogue that forbids something by this word alone, or among others."""
    every = ((origin, path, effect) for origin, effects in origins() for path, effect in inner(effects, ""))
    found = [each for each in every if isinstance(each[2], kinds.Restriction) and word in each[2].cannot]
    origin, path, _ = min(found, key=lambda each: len(each[2].cannot))
    return condition(who, "under a test", of=origin, at=(path,))


def bound(word: str, *people: Any, seats: tuple[str, ...] = ("kara", "post")) -> Scenario:
    """A fight in which Kara, on her turn, is under a restriction."""
    return fight(table(*(people or (fighter(), post()))), *seats).given(restriction(word))


GMS = {"lie"}
"""What nobody but the GM can judge."""


@rule("R5.27")
def test_every_word_of_a_restriction_is_asked_by_code_or_is_the_gms() -> None:
    words = json.loads((DATA / "vocabulary.json").read_text("utf-8"))["Restriction.cannot"]
    assert [word for word in words if f'"{word}"' not in SOURCE and word not in GMS] == []


@rule("R5.27", "R5.29")
@pytest.mark.parametrize(
    ("word", "action", "told"),
    [
        ("action", Dash(who="kara"), "no action"),
        ("turn", Dash(who="kara"), "no action"),
        ("turn", Move(who="kara", feet=5), "cannot move"),
        ("move", Move(who="kara", feet=5), "cannot move"),
        ("all but climb", Move(who="kara", feet=5), "only by climbing"),
        ("attack", swing(), "cannot attack"),
        ("all but dash", swing(), "no action"),
        ("all but dash", Dodge(who="kara"), "no action"),
        ("all but dodge", Dash(who="kara"), "no action"),
    ],
)
def test_what_is_forbidden_is_refused(word: str, action: Action, told: str) -> None:
    bound(word).when(action).refused(told)


@rule("R5.27", "R5.129")
def test_what_a_restriction_leaves_is_allowed() -> None:
    bound("all but dash").when(Dash(who="kara")).then(events.TurnSpent)
    bound("all but dodge").when(Dodge(who="kara")).then(BEGAN)
    bound("all but climb").when(Move(who="kara", feet=5, mode="climb")).then(events.TurnSpent)


@rule("R5.28", "R5.29")
def test_either_an_action_or_a_bonus_action_forbids_one_of_them_and_not_both() -> None:
    rogue = fighter(class_name="rogue", level=2)
    slowed = bound("action and bonus action", rogue, post())
    acted = again(slowed).given(Dash(who="kara"))
    acted.when(Disengage(who="kara", bonus_action=True)).refused("only one of these")
    other = slowed.given(Dash(who="kara", bonus_action=True))
    again(other).when(Disengage(who="kara")).refused("only one of these")
    other.when(Move(who="kara", feet=5)).then(events.TurnSpent)


@rule("R5.27", "R5.52")
def test_either_a_move_or_an_action_forbids_the_second() -> None:
    moved = bound("move and action").given(Move(who="kara", feet=5))
    again(moved).when(Dash(who="kara")).refused("only one of these")
    moved.when(Move(who="kara", feet=5)).then(events.TurnSpent)
    bound("move and action").given(Dash(who="kara")).when(Move(who="kara", feet=5)).refused("only one of these")


@rule("R5.326", "R5.29")
def test_the_slowed_make_one_attack_with_an_action() -> None:
    twice = fight(table(fighter(level=5), post())).given(with_dice(swing(), 2))
    again(twice).when(swing()).rolling(2).then(CHECKED)
    twice.given(restriction("second attack")).when(swing()).refused("action")


@rule("R5.179", "R5.104")
def test_who_laughs_stays_down_and_a_swarm_gains_no_temporary_hit_points() -> None:
    down = table().given(condition("kara", "prone"), restriction("stand"))
    down.when(Stand(who="kara")).refused("cannot stand up")
    swarm = beside("Swarm of Rats").given(Heal(who="it", amount="5", temporary=True))
    assert number(swarm, "temporary", "it") == 0


@rule("R5.187", "R5.242")
def test_nobody_teleports_out_of_a_bite_or_uses_things_in_another_shape() -> None:
    mage = fight(table(caster(at=("0", "0")), post(at=("1", "0"))), "mira", "post").given(
        restriction("teleport", "mira")
    )
    step = cast("misty step", caster="mira", at=("2", "2"), allowed=("unprepared", "no slot"))
    mage.when(step).refused("cannot teleport")
    shaped = table().given(events.GearGained(character="kara", item="Potion of Healing"), restriction("use objects"))
    shaped.when(Use(who="kara", feature="Potion of Healing")).refused("handles nothing")


@rule("R5.459")
def test_the_dazed_do_one_thing_although_they_fear_nobody() -> None:
    dazed = bound("all but one of move and actions").given(Move(who="kara", feet=5))
    dazed.when(Dash(who="kara")).refused("only one of these")


@rule("R5.431")
def test_abjured_foes_are_free_again_once_their_fear_ends() -> None:
    data = {"of": "class:paladin:Abjure Foes", "at": ("0/fail/1",), "lasts": "while frightened"}
    fear = condition("kara", "frightened", source="post")
    feared = fight(table()).given(fear, condition("kara", "abjure foes", source="post", **data))
    again(feared).given(Dash(who="kara")).when(Move(who="kara", feet=5)).refused("only one of these")
    freed = feared.given(events.ConditionEnded(character="kara", condition="frightened"), EndTurn())
    assert not is_under(freed.when(EndTurn()), "abjure foes")


WHILE = {f"while {key}": key for key in states.ROWS}


@rule("R5.178", "R5.122")
def test_what_lasts_while_a_condition_does_comes_with_that_condition() -> None:
    def brings(found: list[dict[str, Any]], key: str) -> bool:
        return any(key in each.get("conditions", ()) for each in found)

    alone = []
    for file in ("monsters.json", "hazards.json", "classes.json", "magic_items.json", "spells.json"):
        for entry in raw(file):
            every = list(effects_of(entry))
            lasting = [WHILE[each["lasts"]] for each in every if each.get("lasts") in WHILE]
            alone += [(entry["key"], key) for key in lasting if not brings(every, key)]
    assert alone == []


@rule("R5.148", "R5.146")
def test_what_lasts_while_somebody_is_grappled_ends_with_the_grapple() -> None:
    behir = fight(beside("Behir", level=20), "it", "kara")
    held = behir.given(with_dice(act("Constrict", "kara"), 1, *(1,) * 5))
    assert is_under(again(held).when(EndTurn()), "restrained")
    free = again(held).given(EndTurn(), with_dice(Escape(who="kara", advantage=("luck",)), 20, 20))
    assert not is_under(free.when(EndTurn()), "restrained")
    assert not is_under(held.when(Release(who="it", target="kara")), "restrained")


@rule("R5.178")
def test_what_lasts_while_somebody_is_poisoned_ends_with_the_poison() -> None:
    cloud = fight(beside("Dretch"), "it", "kara").given(with_dice(act("Fetid Cloud", "kara"), 1))
    assert is_under(again(cloud).when(EndTurn()), "fetid cloud")
    assert not is_under(end_turn(cloud).when(EndTurn()), "fetid cloud")
    proof = fight(beside("Dretch", monster("Skeleton")), "it", "skeleton")
    assert not is_under(proof.when(act("Fetid Cloud", "skeleton")).rolling(1), "fetid cloud", "skeleton")


@rule("R5.245", "R5.29")
def test_confusion_decides_each_turn_by_itself() -> None:
    mad = fight(table(caster(level=9), fighter()), "mira", "kara")
    mad = mad.given(with_dice(cast("confusion", "kara", caster="mira", allowed=("unprepared",)), 1))
    still = mad.given(with_dice(EndTurn(), 3))
    again(still).when(Move(who="kara", feet=5)).refused("cannot move")
    later = still.given(with_dice(EndTurn(), 1), with_dice(EndTurn(), 9))
    assert is_under(again(later).when(Move(who="kara", feet=5)), "confusion")


GMS_RULES = {
    *("attached", "carries nothing", "corrode", "corrode armour", "corrode weapons", "drop held", "earth glide"),
    *("eats through", "holds", "legendary resistance", "narrow gaps", "noise", "possess", "severed limb"),
    *("share damage", "split", "store", "swap places", "tunnel", "weaknesses", "wishes"),
}
"""Rules of stat blocks that the GM applies: what becomes of things, of walls, and of monsters that are two."""


@rule("R5.301")
def test_every_rule_of_a_stat_block_is_asked_by_code_or_is_the_gms() -> None:
    named = {each["name"] for each in effects_of(raw("monsters.json")) if each["kind"] == "special"}
    read = {name for name in named if f'"{name}"' in SOURCE or f":{name}" in SOURCE}
    assert named - read == GMS_RULES & named
    assert {*GMS_RULES} <= named


@rule("R5.411")
def test_an_assassin_evades_what_dexterity_saves_halve() -> None:
    burnt = table(caster(level=9), monster("Assassin")).when(cast("fireball", "assassin", caster="mira"))
    burnt.rolling(20, *(6,) * 8).never(lambda event: isinstance(event, HURT) and event.amount > 0)
    assert hp(burnt, "assassin") == number(burnt, "max_hp", "assassin")


@rule("R5.374")
def test_a_supreme_healer_shares_out_what_mass_heal_has() -> None:
    healer = table(caster("cleric", 17), fighter(), post()).given(condition("kara", "hurt"))
    hurt = healer.given(events.DamageTaken(character="kara", amount=8, dealt=8))
    assert hp(hurt.when(cast("mass heal", "kara", caster="mira", allowed=("unprepared",))), "kara") == 12


@rule("R5.235")
def test_mass_cure_wounds_of_2014_grows_by_one_die_a_slot() -> None:
    hurt = table(caster("cleric", 13), fighter(level=13), edition="2014")
    hurt = hurt.given(events.DamageTaken(character="kara", amount=60, dealt=60))
    healed = hurt.when(cast("mass cure wounds", "kara", caster="mira", slot=6, allowed=("unprepared",)))
    assert rolled(healed.rolling(*(1,) * 4)) == ("3d8 + 1d8 + 4",)


@rule("R5.135", "R5.42")
def test_a_fixed_initiative_counts_exhaustion_and_training() -> None:
    slow = table(fighter(), post(), initiative="fixed")
    weary = again(slow).given(condition("kara", "exhaustion", level=2))
    scores = {each: fight_scores(scene) for each, scene in (("fresh", slow), ("weary", weary))}
    assert scores["fresh"]["kara"] - scores["weary"]["kara"] == 4


def fight_scores(scene: Scenario) -> dict[str, int]:
    encounter = scene.given(BeginEncounter(participants=("kara", "post"))).before.encounter
    assert encounter is not None
    return dict(zip(encounter.order, encounter.scores, strict=True))


@rule("R5.69", "R5.68")
def test_who_flies_by_gives_no_opportunity_but_on_foot() -> None:
    bird = table(monster("Owl", at=("1", "0")), fighter(at=("0", "0")))
    bird = fight(bird.given(has("party", "side"), has("foes", "side", "owl")), "owl", "kara")
    again(bird).when(Move(who="owl", to=("4", "0"), mode="fly")).never(BEGAN)
    bird.when(Move(who="owl", to=("2", "0"), mode="walk")).then(BEGAN)


@rule("R5.68")
def test_the_way_decides_who_has_an_opportunity_and_not_its_ends_alone() -> None:
    scene = table(fighter(at=("0", "0")), monster("Ogre", at=("2", "1")))
    scene = fight(scene.given(has("party", "side"), has("foes", "side", "ogre")), "kara", "ogre")
    passed = again(scene).when(Move(who="kara", to=("5", "0"))).then(BEGAN).go_on()
    passed.when(Opportunity(attacker="ogre", target="kara")).rolling(2).then(CHECKED)
    round_ = Move(who="kara", to=("5", "0"), over=("1", "-1", "2", "-2", "3", "-2", "4", "-1"))
    scene.when(round_).never(BEGAN).then(events.TurnSpent)


@rule("R5.56")
def test_who_is_enlarged_or_reduced_has_another_size() -> None:
    def sized(choice: str) -> str:
        spell = cast("enlarge/reduce", "kara", caster="mira", choose=(choice,), allowed=("unprepared",))
        return dict(table(caster(), fighter()).given(spell).sheet("kara").words)["Size"]

    assert (sized("enlarge"), sized("reduce")) == ("large", "small")


@rule("R5.116")
def test_a_beast_of_burden_carries_as_if_it_were_larger() -> None:
    def carries(name: str) -> int:
        return sum(term.amount for term in places.carrying_terms(beside(name).before.characters["it"]))

    assert (carries("Mule"), carries("Goat")) == (14 * 30, 11 * 15)


@rule("R5.154")
def test_some_leap_without_a_run_and_some_by_dexterity() -> None:
    frog = table(monster("Giant Frog"), monster("Cat"))
    again(frog).when(Jump(who="giant-frog", feet=21, standing=True)).refused("at most 20 feet")
    again(frog).when(Jump(who="giant-frog", feet=11, standing=True, high=True)).refused("at most 10 feet")
    frog.when(Jump(who="cat", feet=16)).refused("at most 15 feet")


@rule("R5.154", "R5.245")
def test_a_spell_has_somebody_leap_once_a_turn_for_ten_feet() -> None:
    scene = fight(table(caster(), fighter()), "mira", "kara")
    leaping = scene.given(cast("jump", "kara", caster="mira", allowed=("unprepared",)), EndTurn())
    leapt = again(leaping).when(Jump(who="kara", feet=30)).then(like(events.TurnSpent, what="feet", amount=10)).go_on()
    leapt.when(Jump(who="kara", feet=30)).refused("at most 16 feet")


@rule("R5.139", "R5.245")
def test_a_fall_like_a_feather_hurts_nobody() -> None:
    light = table(caster(), fighter()).given(cast("feather fall", "kara", caster="mira", allowed=("unprepared",)))
    light.when(Fall(who="kara", feet=60)).never(HURT)


@rule("R5.260", "R5.147")
def test_who_holds_a_foe_and_a_shield_has_no_hand_for_a_weapon() -> None:
    shield = events.GearGained(character="kara", item="shield", use=("shield", "shield"))
    held = table(fighter(), post(), shield).given(condition("post", "grappled", source="kara"))
    held.when(swing()).refused("takes a hand")


@rule("R5.136", "R5.194")
def test_an_immune_one_stops_no_journey_and_no_turn() -> None:
    choking = fight(table(monster("Skeleton"), fighter()), "skeleton", "kara")
    choking = choking.given(HoldBreath(who="skeleton", choking=True))
    choking.when(EndTurn()).then(events.TurnEnded)


@rule("R5.245")
def test_some_spells_end_when_their_caster_casts_them_again() -> None:
    twice = [cast("foresight", name, caster="mira", allowed=("unprepared", "no slot")) for name in ("kara", "post")]
    seen = table(caster(), fighter(), post()).given(twice[0])
    assert is_under(again(seen).when(twice[0]), "foresight")
    assert [is_under(again(seen).when(twice[1]), "foresight", name) for name in ("kara", "post")] == [False, True]


@rule("R5.245", "R5.366")
def test_a_bond_ends_with_the_fall_of_who_made_it_and_turning_with_who_turned() -> None:
    bond = cast("warding bond", "kara", caster="mira", allowed=("unprepared", "components"))
    bound_ = table(caster("cleric"), fighter(), post()).given(bond)
    assert not is_under(bound_.when(condition_by_gm("mira", "dead")), "warding bond")
    turned = condition("post", "frightened", source="kara", of="class:cleric:Turn Undead", at=(turning(),))
    scene = table().given(turned)
    assert not is_under(scene.when(condition_by_gm("kara", "stunned")), "frightened", "post")


def condition_by_gm(who: str, name: str) -> SetCondition:
    return SetCondition(who=who, condition=name)


def turning() -> str:
    """The path of the fear that turning brings."""
    effects = next(effects for origin, effects in origins() if origin == "class:cleric:Turn Undead")
    return next(path for path, effect in inner(effects, "") if "source incapacitated" in getattr(effect, "ends", ()))


@rule("R5.114")
def test_a_siege_monster_deals_twice_the_damage_to_things() -> None:
    wall = table(monster("Treant"), post(kind="thing"))
    broken = wall.when(Harm(who="post", amount="10", tags=("bludgeoning",), source="treant"))
    assert [each.amount for each in broken.events(HURT)] == [20]
