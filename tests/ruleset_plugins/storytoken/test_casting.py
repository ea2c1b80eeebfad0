"""Spells: who knows which, what casting takes, and what it does to the willing and the unwilling."""

from __future__ import annotations

from collections import Counter

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events, second_thought
from rollbook.rulesets.storytoken.body.afflictions import Afflict
from rollbook.rulesets.storytoken.body.harm import Harm, Hazard
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.heritage_powers import Promise
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter
from rollbook.rulesets.storytoken.magic.casting import Cast
from rollbook.rulesets.storytoken.magic.spells import NAMES, SPELLS, LearnSpell
from rollbook.testing.scenarios import like, rule, with_dice

ROLLED, HURT, HEALED, CHECKED = events.DiceRolled, events.DamageTaken, events.HitPointsRestored, events.CheckResolved


def mage(*roles: str, level: int = 5, **more) -> Join:
    scores = ("10", "10", "10", "16", "14", "18")
    given = {"name": "Mage", "id": "mage", "kind": "npc", "level": level, "roles": roles or ("arcane",), "hp": 30}
    return Join(**{**given, "scores": scores, **more})


def learn(*spells: str, **more) -> tuple[LearnSpell, ...]:
    return tuple(LearnSpell(who="mage", spell=spell, **more) for spell in spells)


def cast(spell: str, *targets: str, **more) -> Cast:
    return Cast(caster="mage", spell=spell, targets=targets, **more)


COUNTS = {
    ("divine", 1): 8, ("divine", 2): 8, ("divine", 3): 6, ("divine", 4): 6, ("divine", 5): 6,
    **{("arcane", level): 12 for level in range(1, 7)},
}  # fmt: skip


@rule(*(f"R0.{number}" for number in range(179, 192)))
def test_the_lists_are_whole_and_every_list_has_its_rule_and_minimum() -> None:
    assert Counter((spell.tradition, spell.level) for spell in SPELLS.values()) == COUNTS
    for spell in SPELLS.values():
        assert spell.rule == f"R0.{(179 if spell.tradition == 'divine' else 184) + spell.level}"
        assert spell.minimum == 2 * spell.level - 1
    assert [spell.minimum for spell in SPELLS.values() if spell.name in ("Sleep", "Fire Ball", "Geas")] == [1, 5, 11]


@rule("R0.191", "Q0.66")
def test_reversible_spells_are_one_spell_with_two_names() -> None:
    pairs = {spell.title for spell in SPELLS.values() if spell.reverse}
    assert len(pairs) == 13
    assert {"Light/Darkness", "Raise Dead/Finger of Death", "Stone to Flesh/Flesh to Stone"} <= pairs
    assert {"light", "darkness", "finger-of-death", "mud-to-rock"} <= set(NAMES)


@rule("R0.158", "R0.162", "R0.191", "Q0.66")
def test_a_caster_knows_as_many_spells_as_levels_and_none_beyond_them(nobody) -> None:
    game = nobody().given(mage(level=2), learn("sleep", "darkness"))
    assert dict(game.sheet("mage").words)["Arcane spells"] == "Sleep, Light/Darkness"
    game.when(*learn("shield")).refused("knows 2 arcane spells, and level 2 allows 2")
    nobody().given(mage(level=4)).when(*learn("fire-ball")).refused("spell of level 3", "takes level 5", "has level 4")
    nobody().given(mage(), learn("light")).when(*learn("darkness")).refused("knows Light/Darkness already")
    nobody().given(mage("noble")).when(*learn("sleep")).refused("no role to cast such spells", "Arcane Magic or Divine")
    nobody().given(mage()).when(*learn("bless")).refused("There is no arcane spell called bless")
    nobody().given(mage()).when(*learn("light", tradition="divine")).refused("It takes Divine Magic")


@rule("R0.158", "R0.162")
def test_two_traditions_are_counted_apart(nobody) -> None:
    game = nobody().given(mage("arcane", "divine", level=1), learn("light"), learn("light", tradition="divine"))
    words = dict(game.sheet("mage").words)
    assert (words["Arcane spells"], words["Divine spells"]) == ("Light/Darkness", "Light/Darkness")


@rule("Q0.66", "R0.158", "R0.162", "R0.10", "R0.11", "R0.12")
@pytest.mark.parametrize(
    ("role", "spell", "ability", "expression"),
    [
        ("arcane", "sleep", "", "1d20 + 2[INT] + 7[Arcane Magic]"),
        ("divine", "bless", "", "1d20 + 1[WIS] + 7[Divine Magic]"),
        ("arcane", "sleep", "cha", "1d20 + 3[CHA] + 7[Arcane Magic]"),
    ],
)
def test_casting_is_a_task_roll_against_15(nobody, role: str, spell: str, ability: str, expression: str) -> None:
    game = nobody().given(mage(role), learn(spell))
    works = game.when(cast(spell, ability=ability, effect="they nod off")).rolling(8)
    works.then(like(ROLLED, expression=expression), like(CHECKED, target=15, success=True, outcome="they nod off"))
    failed = game.when(cast(spell, ability=ability)).rolling(4)
    failed.then(like(CHECKED, success=False, outcome="the spell fails"))
    wrong = "wis" if role == "arcane" else "int"
    game.when(cast(spell, ability=wrong)).refused(f"{role.title()} magic is cast with")


@rule("Q0.66")
def test_where_the_table_says_so_casting_always_works(nobody) -> None:
    game = nobody(cast_target="auto").given(mage(), learn("magic-missile"), Harm(who="mage", amount="1"))
    game.when(cast("magic-missile", "mage", damage="3")).then(like(HURT, dealt=13)).never(CHECKED)


@rule("Q0.66")
def test_a_casting_without_a_roll_leaves_a_note_of_what_it_does(nobody) -> None:
    game = nobody(cast_target="auto").given(mage(), learn("sleep"))
    game.when(cast("sleep", effect="they nod off")).then(
        events.NoteWritten(text="Mage casts sleep: they nod off", about="mage")
    )
    game.when(cast("sleep")).then(events.NoteWritten(text="Mage casts sleep", about="mage"))


@rule("R0.170", "Q0.64")
def test_a_spell_that_harms_gives_a_hidden_caster_away(sherwood) -> None:
    hidden = events.ConditionBegan(character="mage", condition="hidden")
    game = sherwood().given(mage(), learn("magic-missile", "sleep"), hidden)
    gone = events.ConditionEnded(character="mage", condition="hidden")
    game.when(cast("magic-missile", "guard", damage="3")).rolling(15).then(gone)
    game.when(cast("sleep", "guard", effect="a yawn")).rolling(15).never(gone)


@rule("R0.22", "R0.64", "R0.163", "Q0.33")
def test_the_saves_against_a_spell_can_be_adjusted(sherwood) -> None:
    scholar = Join(name="Sage", id="sage", kind="npc", level=4, roles=("eldritch",), hp=9)
    afraid = Afflict(who="sage", condition="afraid", source="a spider")
    game = sherwood().given(mage(), learn("sleep"), scholar)

    def saved(**more) -> events.DiceRolled:
        dice = more.pop("dice")
        return game.when(cast("sleep", "sage", save="wis", **more)).rolling(15, *dice).events(ROLLED)[1]

    assert saved(save_advantage=("a charm",), dice=(3, 9)).natural == 9
    assert saved(save_disadvantage=("drowsy",), dice=(3, 9)).natural == 3
    assert saved(save_topic="resist mind-altering", dice=(3,)).total == 9
    game.given(afraid)
    assert len(saved(dice=(3, 9)).dice) == 2
    assert len(saved(save_spared=("afraid",), dice=(3,)).dice) == 1


@rule("R0.147", "R0.22")
def test_a_promise_helps_against_a_spell_that_would_have_it_broken(sherwood) -> None:
    puck = Join(name="Puck", id="puck", kind="npc", heritage="faerie", hp=9)
    game = sherwood().given(mage(), learn("charm-person"), puck, Promise(who="puck", what="silence"))
    charm = cast("charm-person", "puck", "marian", save="wis", promised=("puck",))
    rolls = game.when(charm).rolling(15, 3, 9, 4).events(ROLLED)
    assert [(roll.roller, len(roll.dice)) for roll in rolls] == [("mage", 1), ("puck", 2), ("marian", 1)]
    game.when(cast("charm-person", "marian", save="wis", promised=("marian",))).rolling(15, 3).refused("no promise")


@rule("R0.21", "R0.163")
def test_a_role_may_help_against_a_hazard(sherwood) -> None:
    scholar = Join(name="Sage", id="sage", kind="npc", level=4, roles=("eldritch",), hp=9)
    song = Hazard(who="sage", ability="wis", level=9, topic="resist mind-altering")
    sherwood().given(scholar).when(song).rolling(3).then(like(CHECKED, target=9, success=True))


@rule("Q0.66", "Q0.70")
def test_castings_are_free_or_as_many_a_day_as_levels(nobody) -> None:
    spell = with_dice(cast("sleep"), 1)
    nobody().given(mage(level=1), learn("sleep"), [spell] * 9)
    counted = nobody(casts_per_day="level").given(mage(level=2), learn("sleep"), spell)
    counted.given(PassTime(amount=20, unit="hours"), spell)
    counted.when(cast("sleep")).refused("has cast 2 spells today")
    counted.given(PassTime(amount=4, unit="hours"), spell)
    counted.when(cast("sleep")).refused("has cast 2 spells today")
    daily = nobody(casts_per_day="level", per_day="calendar").given(mage(level=1), learn("sleep"), spell)
    daily.given(PassTime(amount=23, unit="hours")).when(cast("sleep")).refused("has cast 1 spell today")
    daily.given(PassTime(amount=1, unit="hours")).when(cast("sleep")).rolling(1).then(CHECKED)


@rule("R0.22", "Q0.66", "Q0.67", "R0.158", "QG.1")
def test_the_unwilling_save_for_nothing_or_for_half_and_twice_the_level_is_added_once(sherwood) -> None:
    game = sherwood().given(mage(), learn("fire-ball"))
    ball = cast("fire-ball", "guard", "deputy", save="dex", half=True, damage="5d6", tags=("fire",))
    played = game.when(ball).rolling(10, 9, 15, 1, 2, 3, 4, 5)
    played.then(
        like(CHECKED, check="fire-ball", success=True),
        like(CHECKED, check="DEX save", target=15, success=False, against="mage"),
        like(CHECKED, character="deputy", success=True),
        like(ROLLED, purpose="damage", expression="5d6 + 10[Arcane Magic]", total=25),
        HURT(character="guard", amount=25, dealt=25, tags=("fire", "magic"), source="mage"),
        HURT(character="deputy", amount=7, dealt=7, tags=("fire", "magic"), source="mage"),
    )
    all_or_nothing = cast("fire-ball", "guard", "deputy", save="dex", damage="5d6")
    spared = game.when(all_or_nothing).rolling(10, 15, 9, 1, 2, 3, 4, 5)
    assert [(event.character, event.amount) for event in spared.events(HURT)] == [("deputy", 25)]
    game.when(all_or_nothing).rolling(10, 15, 15).never(HURT)
    game.when(all_or_nothing).rolling(1).never(HURT, like(ROLLED, purpose="damage"))


@rule("R0.162", "Q0.67", "Q0.75", "QG.9")
def test_divine_healing_adds_twice_the_level_once_and_counts_up_from_below_zero(sherwood) -> None:
    game = sherwood().given(mage("divine"), learn("cure-light-wounds"))
    game.given(Harm(who="robin", amount="50"), Harm(who="marian", amount="7"))
    cure = cast("cure-light-wounds", "robin", "marian", heal="1d6+1")
    played = game.when(cure).rolling(15, 4)
    played.then(
        like(ROLLED, purpose="healing", expression="1d6 + 1 + 10[Divine Magic]", total=15),
        HEALED(character="robin", amount=15, tags=("magic",), source="mage"),
        HEALED(character="marian", amount=5, tags=("magic",), source="mage"),
    )
    assert played.sheet("robin").amount("hp") == 1
    arcane = sherwood().given(mage(), learn("shield"), Harm(who="marian", amount="7"))
    arcane.when(cast("shield", "marian", heal="3")).rolling(15).then(like(HEALED, amount=3))
    dead = sherwood().given(mage("divine"), learn("cure-light-wounds"), Harm(who="guard", amount="30"))
    dead.when(cast("cure-light-wounds", "guard", heal="3")).rolling(15).refused("Guard is dead")


@rule("Q0.66", "Q0.67")
def test_the_other_side_of_a_spell_harms_and_divine_harm_has_no_bonus(sherwood) -> None:
    game = sherwood().given(mage("divine"), learn("cure-light-wounds"))
    cause = cast("cause-light-wounds", "guard", damage="1d6+1")
    game.when(cause).rolling(15, 4).then(like(HURT, character="guard", dealt=5))


@rule("R0.163")
def test_an_occult_insight_strengthens_a_spell(sherwood) -> None:
    game = sherwood().given(mage("arcane", "eldritch"), learn("magic-missile"))
    missile = cast("magic-missile", "deputy", damage="1", unaware=("insight",))
    game.when(missile).rolling(15).then(
        like(ROLLED, purpose="cast", total=15 + 2 + 7 + 2), like(HURT, dealt=1 + 10 + 10)
    )


@rule("R0.66", "R0.87")
def test_magic_passes_the_warded_by_and_does_not_heal_the_blighted(sherwood) -> None:
    game = sherwood().given(mage("divine"), learn("cure-light-wounds"), Harm(who="marian", amount="7"))
    cure = cast("cure-light-wounds", "marian", heal="1d6")
    game.given(Afflict(who="marian", condition="blighted"))
    game.when(cure).rolling(15).never(HEALED)
    game.given(Afflict(who="marian", condition="warded"))
    game.when(cure).rolling(15).then(like(events.NoteWritten, about="marian")).never(HEALED)
    game.when(cast("cause-light-wounds", "marian", damage="9")).rolling(15).never(HURT)


@rule("R0.82")
def test_the_silenced_cast_only_what_needs_no_words(nobody) -> None:
    game = nobody().given(mage(), learn("sleep"), Afflict(who="mage", condition="silenced"))
    game.when(cast("sleep")).refused("Mage cannot speak, and sleep needs words", "--wordless")
    game.when(cast("sleep", wordless=True)).rolling(15).then(CHECKED)


@rule("Q0.66")
def test_casting_is_an_action_and_needs_a_spell_that_is_known(sherwood) -> None:
    game = sherwood().given(mage(), learn("sleep"), with_dice(BeginEncounter(participants=("mage", "guard")), 15, 3))
    done = game.given(with_dice(cast("sleep"), 15))
    done.when(cast("sleep")).refused("no action left")
    sherwood().given(mage(), learn("sleep")).when(cast("shield")).refused("does not know shield", "Known are: Sleep")
    sherwood().when(Cast(caster="robin", spell="sleep")).refused("Robin Hood does not know sleep", "none")


def test_a_caster_who_has_lost_levels_casts_what_is_left(nobody) -> None:
    game = nobody().given(mage(), learn("fire-ball"), events.LevelGained(character="mage", levels=-2))
    game.when(cast("fire-ball")).refused("takes level 5, and Mage has level 3")


@rule("R0.95", "Q0.38")
def test_a_token_may_roll_the_casting_or_a_save_again(sherwood) -> None:
    token = events.PoolBecame(holder="mage", pool="token", amount=1)
    game = sherwood().given(mage(), learn("fire-ball"), token)
    ball = cast("fire-ball", "guard", save="dex", damage="7")
    worse = second_thought("reroll", "mage", roll=1, keep="worst")
    game.when(ball, worse).rolling(15, 20, 2).then(
        like(ROLLED, purpose="saving throw rerolled"), like(HURT, character="guard", dealt=17)
    )
