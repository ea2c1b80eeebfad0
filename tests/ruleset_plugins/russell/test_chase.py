"""A chase is a d20 and Movement for each side; what is dropped on the way may end it."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import CharacterKind, events
from rollbook.rulesets.russell.delve.chase import Chase, DropBehind, RandomTurn
from rollbook.rulesets.russell.delve.lighting import Place
from rollbook.testing.scenarios import like, rule
from tests.support.russell import has_gear, in_condition, joined_with_stats, party

RUN = Chase(fleeing=("ida", "bram"), pursuers=("goblin",))


HUNGRY = events.TraitGained(character="goblin", trait="food", kind="wants")


def movement(name: str, by: int):
    return events.StatChanged(character=name, stat="movement", amount=by)


@rule("R3.59", "Q3.37")
@pytest.mark.parametrize(
    ("away", "after", "word", "success"),
    [(12, 11, "escapes", True), (9, 10, "is caught", False), (9, 9, "is still chased", False)],
)
def test_the_higher_roll_wins_and_after_a_tie_the_chase_goes_on(away, after, word, success) -> None:
    party().when(RUN).rolling(away, after).then(
        like(
            events.CheckResolved,
            check="chase",
            character="ida",
            against="goblin",
            total=away + 12,
            target=after + 12,
            success=success,
            outcome=word,
        )
    )


@rule("R3.59")
def test_the_fleeing_run_like_their_slowest_and_the_pursuers_like_their_fastest() -> None:
    game = party().given(
        movement("bram", 9),
        joined_with_stats("wolf", CharacterKind.MONSTER, level=0),
        movement("wolf", 18),
        movement("goblin", 6),
    )
    game.when(Chase(fleeing=("ida", "bram"), pursuers=("goblin", "wolf"))).rolling(10, 10).then(
        like(events.DiceRolled, roller="bram", total=19),
        like(events.DiceRolled, roller="wolf", total=28),
        like(events.CheckResolved, character="bram", against="wolf", success=False),
    )


@rule("R3.59", "R3.36")
def test_of_two_who_are_as_slow_the_more_hampered_counts() -> None:
    game = party().given(has_gear("bram", "rope", 10))
    game.when(RUN).rolling(15, 3, 1).then(like(events.DiceRolled, roller="bram", total=15))


@rule("R3.62", "R3.59")
def test_in_the_dark_one_runs_badly() -> None:
    game = party().given(Place(light="dark"))
    game.when(RUN).rolling(15, 8, 1).then(like(events.DiceRolled, roller="ida", total=8 + 12 - 4))


@rule("R3.60")
def test_help_says_what_those_who_are_chased_cannot_do() -> None:
    assert "map" in (Chase.__doc__ or "") and "random" in (Chase.__doc__ or "")


def test_a_chase_has_two_sides() -> None:
    party().when(Chase(fleeing=("ida",), pursuers=("ida",))).refused("nobody can do both")
    party().when(Chase(fleeing=(), pursuers=("goblin",))).refused("A chase needs people who flee")
    party().given(in_condition("goblin", "dead")).when(RUN).refused("Goblin is dead")


@rule("R3.61", "R3.83")
def test_dropping_what_they_want_makes_pursuers_test_morale_and_stop_or_come_on() -> None:
    game = party().given(has_gear("ida", "ration", 3), HUNGRY)
    drop = DropBehind(who="ida", item="ration", count=2, pursuer="goblin")
    game.when(drop).rolling(4, 4).then(
        events.GearLost(character="ida", item="ration", count=2),
        like(
            events.CheckResolved,
            character="goblin",
            check="Morale",
            total=8,
            target=7,
            outcome="stops",
            against="ration",
        ),
    )
    game.when(drop).rolling(4, 3).then(like(events.CheckResolved, success=True, outcome="comes on"))
    game.when(DropBehind(who="ida", item="caltrops", pursuer="goblin")).refused(
        "Ida does not have 1 of 'caltrops', but 0"
    )


@rule("R3.60")
def test_where_ways_part_a_die_says_which_the_hunted_take() -> None:
    turn = RandomTurn(ways=("left", "ahead", "right"))
    party().when(turn).rolling(2).then(
        like(events.DiceRolled, expression="1d3", purpose="random turn"),
        events.NoteWritten(text="The chase turns: ahead"),
    )
    party().when(RandomTurn(ways=("left",))).refused("two or more different ways")


@rule("R3.61")
def test_what_makes_a_pursuer_stop_is_on_record_or_the_gms_to_say() -> None:
    """Obstacles stop anybody; what somebody wants is a trait of theirs, or a ruling."""
    game = party().given(has_gear("ida", "ration"), has_gear("ida", "old boot"), has_gear("ida", "caltrops"))
    boot = DropBehind(who="ida", item="old boot", pursuer="goblin")
    game.when(boot).refused("old boot is no obstacle", "--wanted", "trait goblin food --kind wants")
    game.when(DropBehind(who="ida", item="old boot", pursuer="goblin", wanted=True)).rolling(4, 4).then(events.GearLost)
    game.when(DropBehind(who="ida", item="Caltrops", pursuer="goblin")).rolling(4, 4).then(events.GearLost)
    seat = events.SeatTaken(seat="Ann", role=events.Role.PLAYER, number=1)
    hers = game.given(seat, events.ControlPassed(character="ida", seat="Ann"))
    for ruling in ({"wanted": True}, {"turns": 3}):
        drop = DropBehind(who="ida", item="old boot", pursuer="goblin", **ruling)
        hers.when(drop, seat="Ann").refused("is a ruling")


@rule("R3.61")
def test_a_pursuer_who_stops_is_out_of_the_chase_for_as_long_as_the_gm_says() -> None:
    game = party().given(has_gear("ida", "ration", 3), HUNGRY)
    drop = DropBehind(who="ida", item="ration", pursuer="goblin", turns=2)
    stopped = game.when(drop).rolling(4, 4).then(like(events.ConditionBegan, condition="stopped", until=2 * 600))
    stopped.go_on().when(RUN).refused("Goblin has stopped")
    later = stopped.go_on().given(PassTime(amount=20, unit="minutes"))
    later.when(RUN).rolling(12, 11).then(like(events.CheckResolved, check="chase"))
