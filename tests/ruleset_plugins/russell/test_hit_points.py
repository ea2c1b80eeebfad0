"""Hit points are dice that were rolled; they stop at 0, and healing stops at the maximum."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.actions.characters import Adjust
from rollbook.plugin import events
from rollbook.rulesets.russell import RULESET
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.fight.hit_points import Harm, Heal
from rollbook.testing.scenarios import like, rule, scenario, with_dice

HURT, HEALED = events.DamageTaken, events.HitPointsRestored


@rule("R3.12")
def test_every_level_rolls_a_d6_of_its_own(nobody) -> None:
    join = Join(name="Eve", level=3, scores=("10", "13", "10", "10", "10", "10"))
    played = nobody().when(join).rolling(2, 6, 1)
    assert len([event for event in played.events(events.DiceRolled) if event.purpose == "hit die"]) == 3
    assert played.sheet("eve").amount("max_hp") == 2 + 6 + 1 + 3
    terms = played.sheet("eve").value("max_hp").terms
    assert [(term.amount, term.label) for term in terms] == [(9, "hit dice"), (3, "CON at each level")]


@rule("R3.12", "R3.50")
def test_templates_may_add_hit_points(dungeon) -> None:
    terms = dungeon().sheet("aldo").value("max_hp").terms
    assert [(term.amount, term.label) for term in terms] == [(5, "hit dice"), (1, "Drilled")]


@rule("R3.13", "Q3.8")
def test_past_level_10_a_level_is_2_hit_points_and_constitution_counts_no_more(nobody) -> None:
    join = Join(name="Eve", level=12, scores=("10", "16", "10", "10", "10", "10"), hit_dice=("3",) * 10)
    sheet = nobody().given(join).sheet("eve")
    assert [(term.amount, term.label) for term in sheet.value("max_hp").terms] == [
        (30, "hit dice"),
        (20, "CON at each level"),
        (4, "past level 10"),
    ]


@rule("R3.20")
def test_healing_stops_at_the_maximum(dungeon) -> None:
    hurt = dungeon().given(Harm(who="aldo", amount="3"))
    hurt.when(Heal(who="aldo", amount="2d6")).rolling(6, 6).then(like(HEALED, amount=3))
    dungeon().when(Heal(who="aldo", amount="1d6")).refused("has lost no hit points")


@rule("R3.14", "Q3.9")
def test_hit_points_stop_at_0(dungeon) -> None:
    played = dungeon().when(Harm(who="goblin", amount="9")).then(HURT(character="goblin", amount=4, dealt=9))
    assert played.sheet("goblin").amount("hp") == 0


@rule("QG.8", "QG.9")
def test_a_ruling_can_bring_back_the_dead_and_nothing_else_does(dungeon) -> None:
    dead = dungeon().given(Harm(who="goblin", amount="9"))
    assert dead.character("goblin").has("dead")
    dead.when(Heal(who="goblin", amount="3")).refused("Goblin is dead")
    alive = dead.when(Adjust(who="goblin", what="hp", by=2, reason="it only played dead"))
    assert not alive.character("goblin").has("dead")
    assert alive.sheet("goblin").amount("hp") == 2


def test_a_ruling_that_takes_too_much_stops_at_0_and_fells_a_monster(dungeon) -> None:
    played = dungeon().when(Adjust(who="goblin", what="hp", by=-50, reason="the roof came down"))
    assert played.sheet("goblin").amount("hp") == 0
    assert played.character("goblin").has("dead")
    lowered = dungeon().given(Harm(who="aldo", amount="3"))
    lowered.when(Adjust(who="aldo", what="max_hp", by=-2, reason="a curse")).then(like(HEALED, amount=2))


@given(blows=st.lists(st.integers(min_value=1, max_value=12), max_size=8), cure=st.integers(min_value=1, max_value=30))
def test_hit_points_stay_between_0_and_the_maximum(blows: list[int], cure: int) -> None:
    game = scenario(RULESET).given(Join(name="Rat", kind="monster", profile="HD 2", hp=10))
    for dealt in blows:
        if not game.character("rat").has("dead"):
            game = game.given(Harm(who="rat", amount=str(dealt)))
        assert 0 <= game.sheet("rat").amount("hp") <= 10
    if 0 < game.character("rat").lost < 10:
        game = game.given(with_dice(Heal(who="rat", amount=str(cure))))
    assert 0 <= game.sheet("rat").amount("hp") <= 10
