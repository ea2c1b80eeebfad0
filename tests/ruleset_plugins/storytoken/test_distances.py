"""Where the GM has said how far apart people are, attacks go by that, give or take what either has moved since."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.domain.actions.characters import Lend
from rollbook.plugin import events
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndEncounter
from rollbook.rulesets.storytoken.fight.movement import Move, SetDistance
from rollbook.rulesets.storytoken.magic.turning import TurnUndead
from rollbook.testing.scenarios import Scenario, rule, with_dice

ROLLED = events.DiceRolled


def shot(feet: int = 0, **more) -> Attack:
    return Attack(attacker="robin", target="guard", weapon="longbow", distance=feet, **more)


@pytest.fixture
def clearing(sherwood):
    """Mira plays Robin; a guard is so far away, if the GM has said it."""

    def begin(feet: int | None = 120, **more) -> Scenario:
        said = [] if feet is None else [SetDistance(who="robin", others=("guard",), feet=feet, **more)]
        seats = (TakeSeat(seat="Ana", role="gm"), TakeSeat(seat="Mira"), Lend(who="robin", to="Mira"))
        return sherwood().given(*seats, *said)

    return begin


def dice_of(scene: Scenario) -> int:
    return len(scene.events(ROLLED)[0].dice)


@rule("R0.88", "Q0.26")
def test_an_attack_goes_by_what_the_gm_has_said(clearing) -> None:
    """A bow is strained at 120 feet, whatever is left out."""
    assert dice_of(clearing().when(shot(), seat="Mira").rolling(1, 1)) == 2
    assert dice_of(clearing(40).when(shot(), seat="Mira").rolling(1)) == 1
    blow = Attack(attacker="robin", target="guard", weapon="unarmed")
    clearing().when(blow, seat="Mira").refused("Guard is 120 feet away, and Robin Hood's unarmed reaches 6")


@rule("R0.88")
def test_a_player_does_not_say_another_distance_and_the_gm_does(clearing) -> None:
    said = clearing().when(shot(40), seat="Mira").refused("120 feet away, as the GM said, and not 40 feet")
    assert "distance robin guard --feet" in said
    assert dice_of(clearing().when(shot(40), seat="Ana").rolling(1)) == 1


@rule("R0.46", "R0.88")
def test_what_was_moved_since_is_the_players_to_say(clearing) -> None:
    nearer = clearing(80).given(Move(who="robin", feet=30))
    assert dice_of(nearer.when(shot(50), seat="Mira").rolling(1)) == 1
    nearer.when(shot(49), seat="Mira").refused("80 feet away, as the GM said, and 30 feet were moved since")
    both = nearer.given(Move(who="guard", feet=40))
    both.when(Attack(attacker="robin", target="guard", weapon="unarmed", distance=10), seat="Mira").refused("reaches 6")
    both.when(shot(9), seat="Mira").refused("70 feet were moved since")


def test_where_the_gm_has_said_nothing_the_one_who_attacks_says_it(clearing) -> None:
    assert dice_of(clearing(None).when(shot(120), seat="Mira").rolling(1, 1)) == 2


@rule("R0.91")
def test_a_band_too_far_for_feet_can_be_said_too(clearing) -> None:
    far = clearing(0, band="stellar-subsystem")
    far.when(shot(), seat="Mira").refused("in the band stellar-subsystem")


@rule("R0.165", "Q0.54")
def test_a_blow_goes_on_to_nobody_whom_the_gm_has_put_out_of_range(clearing) -> None:
    apart = SetDistance(who="robin", others=("deputy",), feet=40)
    blow = Attack(attacker="robin", target="guard", weapon="unarmed", carry_to=("deputy",))
    said = clearing(5).given(apart).when(blow, seat="Mira").refused("The blow goes on to nobody 40 feet away")
    assert "reaches 6" in said
    claimed = Attack(attacker="robin", target="guard", weapon="unarmed", carry_to=("deputy",), carry_distance=5)
    clearing(5).given(apart).when(claimed, seat="Mira").refused("40 feet away, as the GM said, and not 5 feet")


@rule("R0.176")
def test_turning_reaches_nobody_farther_than_the_gm_says(clearing) -> None:
    scene = clearing().given(
        events.TraitGained(character="robin", trait="turn-undead", kind="role"),
        events.GearGained(character="robin", item="ankh", count=1, use=("holy symbol",)),
        SetDistance(who="robin", others=("dracula",), feet=70),
    )
    scene.when(TurnUndead(who="robin", targets=("dracula",)), seat="Mira").refused("farther away than 60 feet")


def test_a_distance_is_said_again_or_unsaid_and_ends_with_the_fight(clearing) -> None:
    again = clearing().given(SetDistance(who="guard", others=("robin",), feet=20))
    assert list(again.character("robin").conditions) == ["20 feet from guard"]
    unsaid = again.given(SetDistance(who="robin", others=("guard",), unsaid=True))
    assert not unsaid.character("guard").conditions
    fight = with_dice(BeginEncounter(participants=("robin", "guard")), 18, 5)
    over = clearing().given(fight, EndEncounter())
    assert not over.character("robin").conditions
    assert not over.character("guard").conditions


def test_a_distance_is_said_of_two(clearing) -> None:
    clearing().when(SetDistance(who="robin", others=("robin",), feet=5)).refused("Name others than Robin Hood")
    both = SetDistance(who="robin", others=("guard",), feet=5, band="stellar-subsystem")
    clearing().when(both).refused("--feet or with --band")
    clearing().when(SetDistance(who="robin", others=("guard",)), seat="Mira").refused("Only the GM can distance")
