"""Spells do what they say, on the turns on which they say it, and every spell can be cast in both editions."""

from __future__ import annotations

from collections import Counter

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.magic.concentration import Drop
from rollbook.rulesets.srd5.magic.ongoing import UseSpell
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support import srd5_unread as unread
from tests.support.srd5 import (
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
    with_any_dice,
)

BEGAN, ENDED, HURT, NOTE = events.ConditionBegan, events.ConditionEnded, events.DamageTaken, events.NoteWritten
HEALED = events.HitPointsRestored


def scene(class_name: str = "wizard", **settings: str) -> Scenario:
    return table(caster(class_name), fighter(), post(), **settings)


@rule("R5.79")
def test_marks_and_favours_add_damage_to_later_hits() -> None:
    marked = table(caster("ranger", 16, weapons=("shortsword",)), post()).given(cast("hunters-mark", "post"))
    hit = marked.when(swing(attacker="mira")).rolling(19, 3, 4)
    hit.then(like(HURT, amount=3 + 2 + 4))
    favoured = table(caster("paladin", level=5, weapons=("longsword",)), post()).given(cast("divine-favor"))
    assert favoured.when(swing(attacker="mira")).rolling(19, 3, 4).events(HURT)[0].amount == 3 - 1 + 4


@rule("R5.79", "R5.80")
def test_a_hex_adds_to_spell_attacks_and_moves_to_another() -> None:
    hexed = scene("warlock").given(cast("hex", "post"))
    played = hexed.when(cast("eldritch-blast", "post")).rolling(19, 2, 2, 2, 3, 3)
    assert len(played.events(HURT)) == 2
    hexed = scene("warlock").given(cast("hex", "post"), Harm(who="post", amount="200"))
    moved = hexed.when(UseSpell(caster="mira", spell="hex", targets=("kara",)))
    moved.then(like(ENDED, character="post", condition="hex"), like(BEGAN, character="kara", condition="hex"))


@rule("R5.426")
def test_a_smite_adds_to_the_hit_before_it_and_more_against_fiends_and_undead() -> None:
    paladin = table(caster("paladin"), post(), monster("Skeleton"))
    assert rolled(paladin.when(cast("divine-smite", "post", slot=2)).rolling(1, 1, 1)) == ("2d8 + 1d8",)
    assert len(rolled(with_any_dice(paladin, cast("divine-smite", "skeleton"), 1))) == 1
    assert "2d8 + 1d8" in rolled(with_any_dice(paladin, cast("divine-smite", "skeleton"), 1))[0]
    assert rolled(with_any_dice(paladin, cast("divine-smite", "post", critical=True), 1)) == ("4d8",)
    old = fight(table(caster("paladin"), post(), edition="2014"), "mira", "post")
    with_any_dice(old, cast("divine-smite", "post"), 1).never(like(events.TurnSpent, what="bonus action"))


def burning() -> Scenario:
    return fight(scene("paladin").given(with_dice(cast("searing-smite", "post"), 2)), "mira", "post")


def test_heroism_gives_hit_points_at_each_turn_and_fire_burns_at_each_turn() -> None:
    brave = fight(scene("bard").given(cast("heroism", "kara")), "mira", "kara")
    assert end_turn(brave).character("kara").pools["temporary"] == 4
    burnt = burning().when(EndTurn()).rolling(5, 2)
    burnt.then(like(HURT, character="post", amount=5, tags=("fire",)))
    out = burning().when(EndTurn()).rolling(5, 20)
    out.then(like(ENDED, character="post", condition="searing smite"))


def test_a_beam_hurts_who_stands_in_it_once_a_turn_and_who_leaves_is_free() -> None:
    beam = with_any_dice(fight(scene("druid"), "mira", "post"), cast("moonbeam", "post"), 5)
    beam.then(like(HURT, character="post"))
    ended = end_turn(beam.go_on()).when(EndTurn()).rolling(5, 3, 3)
    ended.then(like(HURT, character="post", amount=6))
    gone = beam.go_on().given(UseSpell(caster="mira", spell="moonbeam", targets=("post",), moment="leaves"))
    end_turn(gone).when(EndTurn()).never(HURT)
    other = with_any_dice(
        beam.go_on(), UseSpell(caster="mira", spell="moonbeam", targets=("kara",), moment="enters"), 1
    )
    other.then(like(HURT, character="kara"), like(BEGAN, character="kara", condition="moonbeam"))


def test_a_spiritual_weapon_strikes_again_by_a_bonus_action() -> None:
    fought = fight(scene("cleric"), "mira", "post")
    struck = with_any_dice(fought, cast("spiritual-weapon", "post"), 19)
    struck.then(HURT)
    again = end_turn(end_turn(struck.go_on()))
    strike = UseSpell(caster="mira", spell="spiritual-weapon", targets=("post",))
    with_any_dice(again, strike, 19).then(like(events.TurnSpent, what="bonus action"), HURT)


@rule("R5.240", "Q5.35")
@pytest.mark.parametrize(("edition", "keeps"), [("2024", True), ("2014", False)])
def test_counterspell_stops_the_spell_that_comes_next(edition, keeps) -> None:
    duel = table(caster(), caster("sorcerer", name="Nora"), post(), edition=edition)
    stopped = with_any_dice(duel, cast("counterspell", "nora"), 1).go_on()
    fireball = stopped.when(cast("fireball", "post", caster="nora"))
    fireball.never(HURT)
    assert bool(fireball.events(events.PoolGained)) != keeps
    saved = with_any_dice(duel, cast("counterspell", "nora"), 20)
    if edition == "2024":
        saved.never(BEGAN)


@rule("R5.240", "R5.248")
def test_a_shield_keeps_off_missiles() -> None:
    shielded = scene().given(cast("shield"))
    missiles = cast("magic-missile", "mira", caster="nora")
    both = table(caster(), caster(name="Nora")).given(cast("shield"))
    with_any_dice(both, missiles, 4).never(HURT)
    three = (
        table(caster(level=9), post(), fighter()).when(cast("magic-missile", "post", "post", "kara")).rolling(1, 2, 3)
    )
    assert [(each.character, each.amount) for each in three.events(HURT)] == [("post", 2), ("post", 3), ("kara", 4)]
    assert shielded.sheet("mira").amount("ac") == 17


def test_magic_is_dispelled_up_to_the_level_and_above_it_by_a_check() -> None:
    blessed = table(caster("cleric"), fighter()).given(cast("bless", "kara"))
    dispelled = blessed.when(cast("dispel-magic", "kara"))
    dispelled.then(like(ENDED, character="kara", condition="bless"), like(ENDED, character="mira"))
    high = table(caster("cleric"), fighter()).given(cast("bless", "kara", slot=5))
    high.when(cast("dispel-magic", "kara")).rolling(1).never(ENDED)


def test_the_dead_come_back_and_a_ward_keeps_from_falling() -> None:
    dead = scene("cleric").given(HURT(character="kara", amount=12, dealt=12), condition("kara", "dead"))
    raised = dead.when(cast("raise-dead", "kara", allowed=("components", "time")))
    raised.then(like(ENDED, condition="dead"))
    assert hp(raised, "kara") == 1
    assert "- 4[raised]" in rolled(raised.go_on().when(Check(who="kara", skill="stealth")).rolling(10))[0]
    warded = scene("cleric").given(cast("death-ward", "kara"))
    stands = warded.when(Harm(who="kara", amount="20"))
    assert hp(stands, "kara") == 1
    assert not stands.after.characters["kara"].has("unconscious")


def test_summoned_creatures_come_with_their_stat_blocks_and_go_with_the_spell() -> None:
    risen = scene().when(cast("animate-dead", choose=("zombie",)))
    risen.then(like(events.CharacterJoined, name="Zombie 1"))
    insect = scene("druid").when(cast("giant-insect", slot=6)).go_on()
    made = next(who for who in insect.after.characters.values() if "giant" in who.id)
    assert (insect.sheet(made.id).amount("max_hp"), insect.sheet(made.id).amount("ac")) == (50, 17)
    jab = insect.when(swing(attacker=made.id, weapon="poison jab")).rolling(19, 1, 1)
    assert rolled(jab) == ("1d20 + 10[Poison Jab]", "1d6 + 3 + 6", "1d4")
    insect.when(Drop(who="mira")).then(like(events.CharacterLeft, character=made.id))


def test_a_wave_pushes_those_on_squares() -> None:
    placed = table(caster(at=("0", "0")), post(at=("1", "0")))
    played = with_any_dice(placed, cast("thunderwave", "post"), 1)
    played.then(like(events.Moved, character="post", east=2, north=0))
    stepped = table(caster(at=("0", "0")), post()).when(cast("misty-step", at=("3", "4")))
    stepped.then(like(events.Moved, east=3, north=4))
    table(caster(at=("0", "0")), post()).when(cast("misty-step", at=("9", "0"))).refused("reaches 30")


def test_aid_raises_the_maximum_by_the_slot() -> None:
    aided = scene("cleric").when(cast("aid", "kara", slot=4))
    assert aided.sheet("kara").amount("max_hp") == 12 + 15


ALLOWED = ("unprepared", "no slot", "components", "time")
TURN_AND_DICE = (events.PowerUsed, events.DiceRolled, events.CheckResolved, events.TurnSpent, NOTE)


def played(key: str, edition: str, face: int) -> Scenario:
    """A spell that is cast on somebody who is hurt, poisoned and cursed, and dead if it is for the dead."""
    spell = catalogue.spells()[key]
    corpse = spell.targets is not None and spell.targets.corpses
    state = [condition("guard", "dead")] if corpse else [condition("guard", "poisoned"), condition("guard", "charmed")]
    kind = spell.targets.kinds[0] if spell.targets is not None and spell.targets.kinds else "humanoid"
    people = table(caster(at=("0", "0")), fighter(), post(name="Guard", hp=500, at=("1", "0")), edition=edition).given(
        HURT(character="guard", amount=50, dealt=50),
        events.TraitGained(character="guard", trait=kind, kind="creature type"),
        cast("shield-of-faith", "guard", allowed=ALLOWED) if key == "dispel-magic" else (),
        with_dice(cast("bestow-curse", "guard", allowed=ALLOWED), 1) if key == "remove-curse" else (),
        condition("guard", "unconscious", zero=True) if key == "spare-the-dying" else (),
        *state,
    )
    away = {"at": ("2", "0")} if spell.range == "self" and spell.area is None else {}
    shaped = any(word in key for word in ("shape", "polymorph"))
    chosen = ("grovel", "rat" if shaped else "deva")
    return with_any_dice(people, cast(key, "guard", allowed=ALLOWED, choose=chosen, **away), face)


def does_something(scene: Scenario) -> bool:
    """True if a spell left anything on record besides its casting, dice and words."""
    return any(
        not isinstance(each, TURN_AND_DICE) and not (isinstance(each, BEGAN) and each.condition == "concentrating")
        for each in scene.events(events.Event)
    )


@rule("R5.170", "R5.238")
def test_every_spell_is_cast_in_both_editions_and_at_most_a_quarter_is_words_alone() -> None:
    words: Counter[int] = Counter()
    for key, spell in catalogue.spells().items():
        scenes = [played(key, edition, face) for edition in ("2024", "2014") for face in (1, 20)]
        if not any(map(does_something, scenes)):
            words[spell.level] += 1
            assert any(scene.events(NOTE) for scene in scenes), f"{key} says nothing"
    assert words == unread.TOLD
    assert words.total() <= len(catalogue.spells()) // 4


@rule("R5.190")
def test_three_failed_saves_turn_to_stone_and_three_successes_free() -> None:
    caught = fight(scene(), "post", "mira").given(with_dice(cast("flesh-to-stone", "post", out_of_turn=True), 1))
    for face in (2, 2):
        caught = end_turn(end_turn(caught, face))
    stone = caught.when(EndTurn()).rolling(2)
    stone.then(like(BEGAN, character="post", condition="petrified"))
    freed = caught.when(EndTurn()).rolling(20).go_on()
    assert freed.character("post").has("restrained")


@rule("R5.190")
def test_sleep_deepens_at_the_end_of_the_next_turn_and_damage_wakes() -> None:
    drowsy = fight(scene(), "post", "mira").given(with_dice(cast("sleep", "post", out_of_turn=True), 1))
    assert drowsy.character("post").has("incapacitated")
    asleep = drowsy.when(EndTurn()).rolling(1).go_on()
    assert asleep.character("post").has("unconscious")
    woken = with_any_dice(asleep, Harm(who="post", amount="1"), 1)
    woken.then(like(ENDED, character="post", condition="unconscious"))


def test_laughter_is_saved_against_again_when_it_hurts() -> None:
    laughing = scene().given(with_dice(cast("hideous-laughter", "post"), 1))
    hurt = laughing.when(Harm(who="post", amount="1")).rolling(2, 20)
    hurt.then(like(ENDED, character="post"))


@rule("R5.121")
def test_an_end_of_the_last_effect_ends_the_concentration() -> None:
    held = fight(scene(), "post", "mira").given(with_dice(cast("hold-person", "post", out_of_turn=True), 1))
    free = held.when(EndTurn()).rolling(20)
    free.then(
        like(ENDED, character="post", condition="paralyzed"), like(ENDED, character="mira", condition="concentrating")
    )


def test_acid_burns_on_at_the_end_of_the_next_turn() -> None:
    splashed = fight(scene(), "mira", "post").given(with_dice(cast("acid-arrow", "post"), 19, 1, 1, 1, 1))
    burnt = end_turn(splashed).when(EndTurn()).rolling(2, 2)
    burnt.then(like(HURT, character="post", amount=4, tags=("acid",)))


def test_what_a_spell_brought_goes_when_its_time_is_over() -> None:
    hasted = scene().given(cast("phantom-steed", allowed=("time",)))
    gone = hasted.when(PassTime(amount=2, unit="hours"))
    gone.then(like(events.CharacterLeft, character="riding-horse-1"))
    fast = scene().given(cast("haste", "kara"))
    assert fast.sheet("kara").amount("speed") == 60
    slow = fast.when(PassTime(amount=2, unit="minutes"))
    slow.then(like(BEGAN, character="kara", condition="incapacitated"))


@rule("R5.15", "R5.16")
def test_what_is_chosen_decides_which_rolls_are_meant() -> None:
    guided = scene("cleric").given(cast("guidance", "kara", choose=("stealth",)))
    assert "1d4[guidance]" in rolled(guided.when(Check(who="kara", skill="stealth")).rolling(10, 2))[0]
    assert "1d4" not in rolled(guided.when(Check(who="kara", skill="arcana")).rolling(10))[0]
    hexed = scene("warlock").given(cast("hex", "kara", choose=("strength",)))
    assert rolled(hexed.when(Check(who="kara", skill="athletics")).rolling(10, 2))[0].startswith("2d20kl1[hex]")
    assert rolled(hexed.when(Check(who="kara", skill="stealth")).rolling(10))[0].startswith("1d20")


@rule("R5.60")
def test_wards_mean_the_creatures_that_they_name() -> None:
    warded = table(caster("cleric"), fighter(), monster("Skeleton"), post()).given(
        cast("protection-from-evil-and-good", "kara", allowed=("components",))
    )
    bones = warded.when(swing("kara", "skeleton", weapon="shortsword")).rolling(1, 1)
    assert rolled(bones)[0].startswith("2d20kl1")
    assert rolled(warded.when(swing("kara", "post")).rolling(1))[0].startswith("1d20")


@rule("R5.79")
def test_a_magic_weapon_hits_and_hurts_more_with_a_higher_slot() -> None:
    sharp = scene().given(cast("magic-weapon", "kara", slot=3)).when(swing()).rolling(10, 4)
    assert "+ 2[magic weapon]" in rolled(sharp)[0]
    sharp.then(like(HURT, amount=4 + 3 + 2))


@rule("R5.12", "R5.11")
def test_barkskin_is_a_least_armour_class_and_fire_hurts_less() -> None:
    assert scene("druid").when(cast("barkskin", "kara")).sheet("kara").amount("ac") == 17
    cold = scene().given(cast("protection-from-energy", "kara", choose=("cold",)))
    cold.when(Harm(who="kara", amount="9", tags=("cold",))).then(like(HURT, amount=4))


@rule("R5.161")
def test_the_invisible_are_seen_once_they_attack_or_cast() -> None:
    hidden = scene().given(cast("invisibility", "kara"))
    struck = hidden.when(swing()).rolling(19, 18, 4)
    assert rolled(struck)[0].startswith("2d20kh1")
    struck.then(like(ENDED, character="kara", condition="invisible"), like(ENDED, condition="concentrating"))


def test_who_comes_into_a_place_where_nobody_was_feels_it_on_every_turn() -> None:
    web = fight(scene(), "mira", "post").given(cast("web"))
    caught = web.when(UseSpell(caster="mira", spell="web", target="post", moment="enters")).rolling(2)
    caught.then(like(BEGAN, character="post", condition="restrained"), like(BEGAN, character="post", condition="web"))
    fresh = fight(scene(), "mira", "post").given(cast("web"))
    end_turn(fresh).when(EndTurn()).never(CHECKED)


CHECKED = events.CheckResolved


def test_who_attacks_the_warded_saves_first_and_the_ward_falls_when_they_attack() -> None:
    warded = scene("cleric").given(cast("sanctuary", "post"))
    warded.when(swing()).rolling(2).never(HURT, like(CHECKED, check="attack"))
    warded.when(swing()).rolling(20, 19, 5).then(like(HURT, character="post"))
    own = scene("cleric").given(cast("sanctuary", "kara")).when(swing()).rolling(2)
    own.then(like(ENDED, character="kara", condition="sanctuary"))


def test_a_duplicate_takes_the_hit_until_none_is_left() -> None:
    doubled = scene().given(cast("mirror-image"))
    for left in (3, 2):
        struck = doubled.when(swing("mira")).rolling(19, *(6,) * left)
        struck.never(HURT)
        doubled = struck.go_on()
    through = doubled.when(swing("mira")).rolling(19, 2, 5)
    through.then(like(HURT, character="mira"))
    last = doubled.when(swing("mira")).rolling(19, 3)
    last.then(like(ENDED, character="mira", condition="mirror image"))


def test_a_creature_summoned_in_a_fight_acts_after_who_summoned_it() -> None:
    fought = fight(scene("druid"), "mira", "post").when(cast("giant-insect"))
    assert fought.after.encounter.order == ("mira", "giant-insect-1", "post")
