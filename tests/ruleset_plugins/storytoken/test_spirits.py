"""What befalls a spirit's conjured body ends with it, and a ghost reaches nothing."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import Afflict, PutOut, Relieve
from rollbook.rulesets.storytoken.body.harm import Harm, Heal
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.heritage_powers import Manifest
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.magic.casting import Cast
from rollbook.rulesets.storytoken.magic.spells import LearnSpell
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.storytoken import harm, wait

ROLLED, HURT, HEALED = events.DiceRolled, events.DamageTaken, events.HitPointsRestored
BEGAN, ENDED = events.ConditionBegan, events.ConditionEnded
GHOST = Join(
    name="Spirit", id="spirit", kind="npc", heritage="spirit", level=3, hit_dice=("4", "4", "4"), roles=("divine",)
)
BODY = Manifest(who="spirit", shape="body", anchor="the well")


@pytest.fixture
def haunted(sherwood):
    """A spirit of 12 hit points in a body of 12."""
    return lambda: sherwood().given(GHOST, BODY)


@rule("R0.153", "R0.63", "Q0.61")
def test_the_flames_that_destroyed_a_body_do_not_go_on_burning_the_spirit(haunted) -> None:
    game = haunted().given(Afflict(who="spirit", condition="aflame"), Afflict(who="spirit", condition="cursed"))
    burned = game.when(wait(1, "hours")).rolling(4)
    spirit = burned.character("spirit")
    assert set(spirit.conditions) == {"cursed", "dormant"}, "a curse is on the spirit itself"
    assert (spirit.lost, spirit.has("dead")) == (0, False)


@rule("R0.153")
def test_a_dormant_spirit_takes_no_harm(haunted) -> None:
    asleep = haunted().given(with_dice(Harm(who="spirit", amount="12"), 4))
    for tags in ((), ("magic",), ("fire",)):
        asleep.when(Harm(who="spirit", amount="90", tags=tags)).then(like(HURT, amount=0, dealt=90))
    asleep.given(Afflict(who="spirit", condition="aflame"), Afflict(who="spirit", condition="infected"))
    asleep.when(wait(2, "hours")).never(HURT, events.StatChanged)


@rule("R0.153", "R0.85", "R0.72")
@pytest.mark.parametrize("condition", ["suffocating", "thirsty", "starving", "infected"])
def test_what_would_fell_or_kill_it_takes_the_body_and_not_the_spirit(nobody, condition: str) -> None:
    scores = ("10", "10", "1", "10", "10", "10")
    ghost = Join(name="Spirit", id="spirit", kind="npc", heritage="spirit", level=25, hp=20, scores=scores)
    game = nobody().given(ghost, BODY, Afflict(who="spirit", condition=condition))
    gone = game.when(wait(24, "hours")).rolling(6)
    gone.then(ENDED(character="spirit", condition="embodied")).never(like(events.ConditionBegan, condition="dead"))
    assert set(gone.character("spirit").conditions) <= {"dormant"}
    assert gone.character("spirit").pools["body"] == 0
    later = gone.go_on().given(wait(5, "days"))
    assert not later.character("spirit").conditions


@rule("R0.153", "Q0.61")
def test_healing_that_a_whole_body_does_not_need_is_the_spirits(sherwood) -> None:
    game = sherwood().given(GHOST, Harm(who="spirit", amount="5", tags=("magic",)), BODY)
    game.given(Harm(who="spirit", amount="2"))
    healed = game.when(Heal(who="spirit", amount="4"))
    healed.then(like(events.PoolGained, pool="body", amount=2), like(HEALED, character="spirit", amount=2))
    assert (healed.sheet("spirit").amount("body"), healed.sheet("spirit").amount("hp")) == (12, 9)


@rule("R0.153")
def test_there_is_nothing_to_heal_in_a_whole_spirit_with_or_without_a_body(sherwood) -> None:
    heal = Heal(who="spirit", amount="4")
    game = sherwood().given(GHOST, BODY)
    game.when(heal).refused("has lost no hit points")
    awake = game.given(with_dice(Manifest(who="spirit", shape="ghost"), 1), wait(1, "hours"))
    awake.when(heal).refused("has lost no hit points")


@rule("R0.153")
def test_a_ghost_neither_harms_nor_heals_nor_puts_out_flames(sherwood) -> None:
    game = sherwood().given(
        GHOST, LearnSpell(who="spirit", spell="cure-light-wounds"), Harm(who="marian", amount="3"),
        Afflict(who="marian", condition="aflame"),
    )  # fmt: skip
    cure = Cast(caster="spirit", spell="cure-light-wounds", targets=("marian",), heal="2")
    cause = Cast(caster="spirit", spell="cause-light-wounds", targets=("marian",), damage="2")
    put_out, tend = PutOut(who="spirit", target="marian"), Heal(who="marian", amount="2", healer="spirit")
    for deed in (cure, cause, put_out, tend):
        game.when(deed).refused("Spirit is a ghost and touches nothing", "manifest spirit body")
    omen = Cast(caster="spirit", spell="cure-light-wounds", targets=("marian",), effect="a cold breath")
    game.when(omen).rolling(15, 9).then(like(events.CheckResolved, success=True))
    ruled = Cast(caster="spirit", spell="cure-light-wounds", targets=("marian",), heal="2", ghostly=True)
    game.when(ruled).rolling(15, 9).then(like(HEALED, character="marian", amount=3))
    game.given(BODY)
    game.when(cure).rolling(15, 9).then(like(HEALED, character="marian"))
    game.when(put_out).then(ENDED(character="marian", condition="aflame"))
    game.when(tend).then(like(HEALED, character="marian", amount=2))


@rule("R0.153", "Q0.53")
def test_a_ghost_feels_no_blows_and_touches_nobody(sherwood) -> None:
    game = sherwood().given(GHOST)
    blow = Attack(attacker="guard", target="spirit", weapon="heavy-melee")
    game.when(blow).rolling(15, 5, 5).then(HURT(character="spirit", amount=0, dealt=10, source="guard"))
    game.when(harm("spirit", 4)).then(like(HURT, amount=0, dealt=4))
    game.when(harm("spirit", 4, "magic")).then(like(HURT, amount=4))
    game.when(Attack(attacker="spirit", target="guard", weapon="light")).refused("is a ghost and touches nothing")


@rule("R0.153", "Q0.61")
def test_a_conjured_body_has_hit_points_of_its_own_and_rots_at_0(sherwood) -> None:
    game = sherwood().given(GHOST, harm("spirit", 5, "magic"), BODY)
    assert (game.sheet("spirit").amount("body"), game.sheet("spirit").amount("hp")) == (12, 7)
    hit = game.when(harm("spirit", 7))
    hit.then(like(HURT, amount=0, dealt=7), events.PoolSpent(holder="spirit", pool="body", amount=7, reason="hurt"))
    mended = hit.go_on().when(Heal(who="spirit", amount="3"))
    assert (mended.sheet("spirit").amount("body"), mended.sheet("spirit").amount("hp")) == (8, 7)
    gone = mended.go_on().when(harm("spirit", 30)).rolling(4)
    gone.then(
        ENDED(character="spirit", condition="embodied"),
        like(ROLLED, purpose="hours until it awakens", total=4),
        BEGAN(character="spirit", condition="dormant", detail="the well", until=4 * 3_600),
    )
    asleep = gone.go_on()
    asleep.when(Check(who="spirit", ability="wis")).refused("is dormant and cannot act", "awakens")
    asleep.when(Attack(attacker="guard", target="spirit", weapon="light")).refused("no body to strike at")
    awake = asleep.given(wait(4, "hours"))
    assert not awake.before.characters["spirit"].conditions
    awake.when(Check(who="spirit", ability="wis")).rolling(9, 10).then(events.CheckResolved)


@rule("R0.153")
def test_a_body_lasts_an_hour_for_each_level(sherwood) -> None:
    game = sherwood().given(GHOST, BODY)
    game.when(wait(179, "minutes")).never(ENDED)
    over = game.when(wait(3, "hours")).rolling(2)
    over.then(
        ENDED(character="spirit", condition="embodied"),
        events.PoolSpent(holder="spirit", pool="body", amount=12, reason="decays"),
        BEGAN(character="spirit", condition="dormant", detail="the well", until=5 * 3_600),
    )
    game.when(Manifest(who="spirit", shape="ghost")).rolling(1).then(ENDED)
    game.when(Relieve(who="spirit", condition="embodied")).rolling(1).then(ENDED)
    game.when(BODY).refused("in a body already")
    sherwood().when(Manifest(who="robin", shape="body")).refused("Robin Hood is not a spirit")


@rule("R0.153")
def test_a_body_can_be_struck_and_strikes(sherwood) -> None:
    game = sherwood().given(GHOST, BODY)
    game.when(Attack(attacker="guard", target="spirit", weapon="light")).rolling(15, 4).then(
        like(events.PoolSpent, pool="body", amount=2)
    )
    game.when(Attack(attacker="spirit", target="guard", weapon="light")).rolling(15, 4).then(like(HURT, amount=2))
