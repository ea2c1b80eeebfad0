"""What burns in the party, who stands in whose light, and when it goes out."""

from __future__ import annotations

from rollbook.domain.actions.characters import Drop
from rollbook.plugin import CharacterKind, events
from rollbook.rulesets.russell.delve.exploration import Explore
from rollbook.rulesets.russell.delve.lanterns import Refill
from rollbook.rulesets.russell.delve.light import DARK, DIM, shade
from rollbook.rulesets.russell.delve.lighting import Douse, Light, Place, ShareLight
from rollbook.rulesets.russell.wealth.handover import HandOver
from rollbook.testing.scenarios import like, rule
from tests.support.russell import TURN, has_gear, in_condition, joined_with_stats, party, stands

DARKNESS = Place(light="dark")
DANGEROUS = Place(light="dark", dangerous=True)


def crowd(game):
    """Six more hirelings, so that eight people and Ida want light."""
    return game.given(*(joined_with_stats(f"h{number}", CharacterKind.HIRELING) for number in range(1, 7)))


@rule("R3.68")
def test_a_candle_is_dim_light_for_one() -> None:
    game = party().given(DARKNESS, has_gear("bram", "candle"), Light(who="bram", item="candle"))
    assert stands(game, "ida", "bram", "wat") == ["dark", "dim", "dark"]


@rule("R3.69")
def test_a_torch_lights_three_and_dimly_three_more() -> None:
    game = crowd(party()).given(DARKNESS, has_gear("h2", "torch"), Light(who="h2", item="torch"))
    lit = [
        name
        for name, who in game.after.characters.items()
        if shade(who) == "lit" and who.kind is not CharacterKind.MONSTER
    ]
    dim = [name for name, who in game.after.characters.items() if shade(who) == "dim"]
    assert lit == ["ida", "bram", "h2"]
    assert dim == ["wat", "h1", "h3"]
    assert stands(game, "h4", "h6") == ["dark", "dark"]


@rule("R3.70")
def test_a_lantern_lights_two_and_dimly_two_more() -> None:
    game = crowd(party()).given(DARKNESS, has_gear("ida", "lantern"), Light(who="ida", item="lantern"))
    assert stands(game, "ida", "bram", "wat", "h1", "h2") == ["lit", "lit", "dim", "dim", "dark"]


@rule("R3.69", "R3.70")
def test_lights_add_up_and_their_bearers_come_first() -> None:
    game = crowd(party()).given(
        DARKNESS,
        has_gear("h5", "lantern"),
        has_gear("h6", "torch"),
        Light(who="h5", item="lantern"),
        Light(who="h6", item="torch"),
    )
    assert stands(game, "h5", "h6", "ida", "bram", "wat") == ["lit"] * 5
    assert stands(game, "h1", "h2", "h3", "h4") == ["dim"] * 4


@rule("R3.69")
def test_who_gets_the_light_can_be_said() -> None:
    lit = crowd(party()).given(DARKNESS, has_gear("ida", "torch"), Light(who="ida", item="torch"))
    lit.when(ShareLight(who="ida", item="torch", lit=("wat", "h6"), dim=("bram",)))
    assert stands(lit, "wat", "h6", "bram", "ida", "h1") == ["lit", "lit", "dim", "dark", "dark"]
    lit.when(ShareLight(who="ida", item="torch", lit=("wat", "h6", "h5", "h4"))).refused(
        "A torch lights 3 fully, not 4"
    )
    lit.when(ShareLight(who="ida", item="torch", dim=("wat", "h6", "h5", "h4"))).refused(
        "A torch lights 3 dimly, not 4"
    )
    lit.when(ShareLight(who="bram", item="torch", lit=("wat",))).refused(
        "Bram has no burning torch", "light bram torch"
    )


def test_a_place_is_no_darker_for_a_torch() -> None:
    game = crowd(party()).given(Place(light="dim"), has_gear("ida", "candle"), Light(who="ida", item="candle"))
    assert stands(game, "ida", "h6") == ["dim", "dim"]


@rule("R3.62")
def test_who_is_apart_has_the_light_of_their_own_place() -> None:
    game = party().given(
        DARKNESS, has_gear("ida", "torch"), Light(who="ida", item="torch"), Place(light="dark", who=("bram",))
    )
    assert stands(game, "ida", "bram", "wat") == ["lit", "dark", "lit"]
    own = game.given(has_gear("bram", "torch"), Light(who="bram", item="torch"))
    assert stands(own, "bram") == ["lit"]
    back = party().given(
        DARKNESS, has_gear("ida", "torch"), Light(who="ida", item="torch"), Place(light="lit", who=("bram",))
    )
    back = back.given(Douse(who="ida"))
    assert stands(back, "ida", "bram") == ["dark", "lit"]
    assert stands(back.given(Place(light="dark", together=True)), "bram") == ["dark"]


def test_a_monster_stands_in_the_dark_only_if_the_gm_says_so() -> None:
    game = party().given(DARKNESS, Place(light="dark", who=("goblin",)))
    assert stands(game, "goblin") == ["dark"]
    assert stands(game.given(Place(light="lit", who=("goblin",))), "goblin") == ["lit"]


@rule("R3.56", "R3.54", "R3.68", "Q3.34")
def test_a_three_uses_up_whatever_torches_and_candles_burn() -> None:
    game = party().given(
        DANGEROUS,
        has_gear("ida", "torch", 2),
        has_gear("bram", "candle", 6),
        has_gear("wat", "torch"),
        has_gear("wat", "lantern"),
    )
    game = game.given(
        Light(who="ida", item="torch"), Light(who="bram", item="candle"), Light(who="wat", item="lantern")
    )
    burnt = (
        game.when(Explore())
        .rolling(3)
        .then(events.GearLost(character="ida", item="torch"), events.GearLost(character="bram", item="candle"))
    )
    burnt.never(like(events.GearLost, character="wat"), like(events.PoolGained, pool="burnt:lantern"))
    assert stands(burnt, "wat", "ida", "bram") == ["lit", "lit", "dim"]


@rule("R3.56")
def test_another_torch_is_lit_the_next_turn_at_no_cost() -> None:
    game = party().given(DANGEROUS, has_gear("ida", "torch", 2), Light(who="ida", item="torch"))
    burnt = game.when(Explore()).rolling(3)
    assert stands(burnt, "ida") == ["dark"]
    burnt.go_on().when(Light(who="ida", item="torch")).then(
        like(events.ConditionBegan, condition="carrying a burning torch")
    ).never(events.TimePassed, events.TurnSpent)


@rule("R3.57", "R3.54", "R3.70")
def test_a_four_marks_a_pip_on_every_lantern_and_the_second_puts_it_out() -> None:
    game = party().given(
        DANGEROUS, has_gear("ida", "lantern"), has_gear("bram", "torch"), Light(who="ida", item="lantern")
    )
    once = game.when(Explore()).rolling(4).then(like(events.PoolGained, holder="ida", pool="burnt:lantern", amount=1))
    assert stands(once, "ida") == ["lit"]
    twice = (
        once.go_on()
        .when(Explore())
        .rolling(4)
        .then(like(events.ConditionEnded, condition="carrying a burning lantern"))
    )
    assert stands(twice, "ida") == ["dark"]
    twice.go_on().when(Light(who="ida", item="lantern")).refused("lantern is empty", "refill ida lantern")


@rule("R3.57")
def test_two_lanterns_have_four_pips() -> None:
    game = party().given(DANGEROUS, has_gear("ida", "lantern", 2), Light(who="ida", item="lantern"))
    game = game.when(Explore()).rolling(4).go_on().when(Explore()).rolling(4).go_on()
    relit = game.when(Light(who="ida", item="lantern")).then(events.ConditionBegan)
    assert stands(relit, "ida") == ["lit"]
    assert "2 pips of oil, burning" in dict(relit.sheet("ida").words)["Light"]


@rule("R3.57", "R3.70", "Q3.35")
def test_a_flask_of_oil_fills_both_pips_and_takes_a_turn() -> None:
    empty = party().given(has_gear("ida", "lantern"), events.PoolGained(holder="ida", pool="burnt:lantern", amount=2))
    empty.when(Refill(who="ida", item="lantern")).refused("no flask of oil")
    filled = empty.given(has_gear("ida", "oil flask", 2)).when(Refill(who="ida", item="lantern"))
    filled.then(
        events.GearLost(character="ida", item="oil flask"),
        like(events.PoolSpent, holder="ida", pool="burnt:lantern", amount=2),
        events.TimePassed(seconds=TURN),
        only=True,
    )
    empty.when(Refill(who="ida", item="lantern", same_turn=True)).never(events.TimePassed)
    filled.go_on().when(Refill(who="ida", item="lantern")).refused("needs no oil")


@rule("R3.69", "R3.70")
def test_what_does_not_burn_cannot_be_lit_and_nothing_is_lit_twice() -> None:
    game = party().given(has_gear("ida", "rope"), has_gear("ida", "torch"))
    game.when(Light(who="bram", item="torch")).refused("Bram has no 'torch' to light", "candle, torch, lantern")
    game.when(Light(who="ida", item="rope")).refused("Ida has no 'rope' to light, but torch")
    game.given(Light(who="ida", item="torch")).when(Light(who="ida", item="torch")).refused("burns already")
    game.when(Douse(who="bram")).refused("Bram has no burning light")


@rule("R3.69")
def test_a_torch_that_is_handed_on_burns_for_its_new_bearer() -> None:
    game = crowd(party()).given(DARKNESS, has_gear("h6", "torch"), Light(who="h6", item="torch"))
    assert stands(game, "wat", "h6") == ["dim", "lit"]
    game = game.given(HandOver(who="h6", to="wat", item="torch"))
    assert stands(game, "wat", "h6") == ["lit", "dark"]
    assert not game.character("h6").has("carrying a burning torch")
    two = party().given(has_gear("ida", "torch", 2), Light(who="ida", item="torch"))
    two.when(HandOver(who="ida", to="bram", item="torch")).never(events.ConditionBegan, events.ConditionEnded)


@rule("R3.70")
def test_a_lantern_is_handed_on_with_the_oil_that_is_left() -> None:
    game = party().given(has_gear("ida", "lantern"), events.PoolGained(holder="ida", pool="burnt:lantern", amount=2))
    game = game.given(HandOver(who="ida", to="bram", item="lantern"))
    game.when(Light(who="bram", item="lantern")).refused("is empty")
    game.given(has_gear("ida", "lantern")).when(Light(who="ida", item="lantern")).then(events.ConditionBegan)


def test_a_torch_that_was_dropped_lights_nobody_any_more() -> None:
    lit = party().given(DARKNESS, has_gear("ida", "torch"), Light(who="ida", item="torch"))
    dropped = lit.given(Drop(who="ida", item="torch"), Explore())
    assert stands(dropped, "ida") == ["dark"]
    assert not dropped.character("ida").has("carrying a burning torch")


@rule("R3.62", "R3.65", "R3.68", "R3.69")
def test_the_sheet_says_where_one_stands_and_what_burns() -> None:
    dark = party().given(DARKNESS, has_gear("ida", "candle", 3)).sheet("ida")
    assert "no skills" in dict(dark.words)["Stands in"]
    lit = party().given(DARKNESS, has_gear("ida", "candle", 3), Light(who="ida", item="candle")).sheet("ida")
    assert "dim light" in dict(lit.words)["Stands in"]
    assert dict(lit.words)["Light"] == "3 candle, burning, seen 10 feet (stuck somewhere it needs no hand)"
    torch = party().given(has_gear("ida", "torch"), Light(who="ida", item="torch")).sheet("ida")
    assert dict(torch.words)["Light"] == "1 torch, burning, seen 30 feet (put down when a fight begins)"


def test_the_dead_stand_in_no_light() -> None:
    game = party().given(in_condition("bram", "dead"), DARKNESS)
    assert not game.character("bram").has(DARK) and not game.character("bram").has(DIM)


def test_danger_is_the_partys_and_not_of_those_apart() -> None:
    party().when(Place(light="dark", who=("ida",), dangerous=True)).refused("--who names", "place dark --dangerous")
