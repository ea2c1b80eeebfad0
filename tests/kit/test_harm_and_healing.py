"""What a GM does to hit points without an attack and without a rule."""

from __future__ import annotations

import pytest

from rollbook.domain.events import Role
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.table import Table
from rollbook.kit import hit_points, verbs
from rollbook.plugin import Refused, Ruleset, Sheet, events
from rollbook.testing.scenarios import like, scenario
from tests.support.bare_table import joined_events, recorded_events, seat_taken, table_after

TOLD = "Tea and rest."


def hurt(table: Table, name: str, dealt: int, *, tags: tuple[str, ...], source: str) -> None:
    hit_points.lose(table, name, dealt, tags=tags, source=source)


def restore(table: Table, name: str, amount: int, *, source: str) -> None:
    hit_points.regain(table, name, amount, source=source)


Harm, Heal = verbs.harm_verb(hurt), verbs.heal_verb(restore, help=TOLD)
GAME = Ruleset(
    key="game",
    title="Game",
    version="1",
    summary="Bruises.",
    actions=(Harm, Heal),
    sheet=lambda who, _: Sheet(character=who.id, name=who.name),
)
LOST = events.DamageTaken(character="robin", amount=3, dealt=3)


@pytest.mark.parametrize("purpose", ["damage", "healing"])
@pytest.mark.parametrize(("amount", "dice", "comes_to"), [("4", (), 4), ("2d6", (3, 4), 7), ("1d4 - 5", (2,), 0)])
def test_harm_and_healing_without_an_attack_are_a_number_or_dice_and_never_below_nothing(
    purpose: str, amount: str, dice: tuple[int, ...], comes_to: int
) -> None:
    table = table_after(joined_events("robin"), dice=dice)
    assert hit_points.roll_amount(table, table.character("robin"), amount, purpose) == comes_to
    assert [event.purpose for event in recorded_events(table)] == [purpose]


def test_anyone_who_acts_rolls_for_it() -> None:
    table = table_after((*joined_events("robin"), seat_taken("Vera", Role.GM)), dice=(5,), seat="Vera")
    assert hit_points.roll_amount(table, table.character("robin"), "1d6", "damage") == 5
    assert [event.roller for event in recorded_events(table)] == ["Vera"]


def test_nobody_is_healed_who_has_lost_nothing() -> None:
    table = table_after((*joined_events("robin"), LOST))
    hit_points.check_can_heal(table, table.character("robin"))
    with pytest.raises(Refused, match="Robin has lost no hit points"):
        hit_points.check_can_heal(table_after(), table_after(joined_events("robin")).character("robin"))


def test_harm_takes_hit_points_by_the_rules_of_the_game_and_a_nought_hurts_nobody() -> None:
    game = scenario(GAME).given(joined_events("robin"))
    harm = Harm(who="robin", amount="1d6 + 1", source="a ditch", tags=("fall",))
    game.when(harm).rolling(4).then(like(events.DamageTaken, amount=5, source="a ditch", tags=("fall",)))
    game.when(Harm(who="robin", amount="1d4 - 4")).rolling(2).never(events.DamageTaken)


def test_healing_gives_them_back_and_is_for_anyone_who_has_lost_some() -> None:
    assert Heal.__doc__ == TOLD
    game = scenario(GAME).given(joined_events("robin"))
    game.when(Heal(who="robin", amount="2")).refused("Robin has lost no hit points")
    game.given(LOST).when(Heal(who="robin", amount="9", source="tea")).then(
        like(events.HitPointsRestored, amount=3, source="tea")
    )


def test_nothing_hurts_or_heals_the_dead() -> None:
    dead = events.ConditionBegan(character="robin", condition="dead")
    game = scenario(GAME).given(joined_events("robin"), LOST, dead)
    for verb in (Harm, Heal):
        game.when(verb(who="robin", amount="1")).refused("Robin is dead")


@pytest.mark.parametrize("amount", ["-5", "2-7"])
@pytest.mark.parametrize("verb", [Harm, Heal])
def test_a_number_below_0_is_refused(verb: type[Action], amount: str) -> None:
    game = scenario(GAME).given(joined_events("robin"), events.DamageTaken(character="robin", amount=3, dealt=3))
    game.when(verb(who="robin", amount=amount)).refused("is 0 or more", "adjust robin hp")


def test_dice_that_come_to_less_than_0_are_0() -> None:
    game = scenario(GAME).given(joined_events("robin"))
    game.when(Harm(who="robin", amount="1d4-3")).rolling(1).never(events.DamageTaken)
