"""What each game says of a turn: what is left of it, who may be next, where everybody is, and how long states last."""

from __future__ import annotations

import attrs
import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain.events import (
    CharacterJoined,
    CharacterKind,
    ConditionBegan,
    EncounterBegan,
    Event,
    Moved,
    PoolGained,
    RoundBegan,
    StatChanged,
    TraitGained,
    TurnBegan,
    TurnEnded,
    TurnOrderSet,
    TurnSpent,
)
from rollbook.domain.rules.board import Board
from rollbook.plugin import Ruleset
from rollbook.rulesets.grid import RULESET as GRID
from rollbook.rulesets.luckpoint import RULESET as LUCKPOINT
from rollbook.rulesets.powers import RULESET as POWERS
from rollbook.rulesets.russell import RULESET as RUSSELL
from rollbook.rulesets.srd5 import RULESET as SRD5
from rollbook.rulesets.storytoken import RULESET as STORYTOKEN
from rollbook.testing.scenarios import scenario
from tests.support.games import INSTALLED_RULESETS

GAMES = tuple(discover().ruleset(key) for key in INSTALLED_RULESETS)
KINDS = {"ann": CharacterKind.PLAYER_CHARACTER, "bob": CharacterKind.PLAYER_CHARACTER, "wolf": CharacterKind.MONSTER}
PEOPLE = tuple(CharacterJoined(character=who, name=who.title(), kind=kind) for who, kind in KINDS.items())
FIGHT = (
    *PEOPLE,
    EncounterBegan(),
    RoundBegan(),
    TurnOrderSet(order=tuple(KINDS), scores=(15, 10, 5)),
    TurnBegan(character="ann"),
)


def board(game: Ruleset, *happened: Event, **settings: bool | int | str) -> Board:
    """The board in Ann's turn, with Bob and the wolf to come, after more has happened."""
    return game.board(scenario(game, **settings).given(*FIGHT, *happened).before)


def spent(what: str, amount: int = 1, about: str = "") -> Event:
    return TurnSpent(character="ann", what=what, amount=amount, about=about)


def became(condition: str, who: str = "ann", **data: str | bool | int) -> Event:
    return ConditionBegan(character=who, condition=condition, data=data)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_between_turns_and_outside_a_fight_nothing_is_said_to_be_left(game: Ruleset) -> None:
    assert board(game, TurnEnded(character="ann")).left is None
    assert game.board(scenario(game).given(*PEOPLE).before).left is None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_dead_are_not_next(game: Ruleset) -> None:
    assert "bob" not in board(game, became("dead", "bob")).next


def test_storytoken_an_action_and_the_speed_or_twice_the_speed() -> None:
    """R0.34, R0.46, Q0.40."""
    assert board(STORYTOKEN).left == ("an action and 40 ft", "or 80 ft without it")
    assert board(STORYTOKEN, spent("feet", 10)).left == ("an action and 30 ft", "or 70 ft without it")
    assert board(STORYTOKEN, spent("feet", 50)).left == ("30 ft",)
    assert board(STORYTOKEN, spent("action")).left == ("40 ft",)
    assert board(STORYTOKEN, spent("action"), spent("feet", 40)).left == ()
    assert board(STORYTOKEN, spent("extra action")).left == ("2 actions and 40 ft", "or 80 ft without it")


def test_storytoken_states_take_from_a_turn() -> None:
    """R0.69, R0.74, R0.84."""
    assert board(STORYTOKEN, became("stunned")).left == ("80 ft",)
    assert board(STORYTOKEN, became("immobilised")).left == ("an action",)
    confused = board(STORYTOKEN, became("confused", does="flees")).left
    assert confused is not None
    assert confused[0] == "confused: runs"


def test_storytoken_any_who_has_not_acted_may_be_next() -> None:
    """R0.33: the turn is handed on."""
    assert board(STORYTOKEN).next == ("bob", "wolf")


def test_storytoken_counts_tokens_and_complication_points() -> None:
    """R0.93, R0.103."""
    found = board(
        STORYTOKEN,
        PoolGained(holder="ann", pool="token", amount=2),
        PoolGained(holder="", pool="complication", amount=2),
    )
    assert [found.pieces[who].resources for who in KINDS] == [("2 tokens",), ("0 tokens",), ()]
    assert found.lines == (("Complication points", "2"),)


def test_storytoken_says_what_a_state_costs_that_no_clock_ends() -> None:
    """R0.63, R0.77."""
    lasts = board(STORYTOKEN, became("aflame"), became("infected"), became("sunlit")).pieces["ann"].lasts
    assert (lasts["aflame"], lasts["infected"], "sunlit" in lasts) == ("5 a round", "1 CON a day", False)


def test_luckpoint_an_action_and_a_move_or_a_run() -> None:
    """R1.16, R1.46."""
    assert board(LUCKPOINT).left == ("an action and 10 m", "or a run of 20 m")
    assert board(LUCKPOINT, spent("metres", 10)).left == ("an action", "or a run of 10 m")
    assert board(LUCKPOINT, spent("metres", 15)).left == ("5 m",)
    assert board(LUCKPOINT, spent("action")).left == ("10 m",)
    assert board(LUCKPOINT, became("critical")).left == ("a crawl of 1 m",)
    assert board(LUCKPOINT, became("critical"), spent("metres", 1)).left == ()


def test_luckpoint_any_of_the_side_may_be_next_and_with_initiatives_of_their_own_the_best() -> None:
    """R1.15, Q1.6."""
    assert board(LUCKPOINT).next == ("bob",)
    both = board(LUCKPOINT, became("side", "wolf", side="party"))
    assert both.next == ("bob", "wolf")
    assert board(LUCKPOINT, became("side", "wolf", side="party"), initiative_mode="individual").next == ("bob",)


def test_luckpoint_says_how_open_wounds_bleed() -> None:
    """Q1.12."""
    assert board(LUCKPOINT).pieces["ann"].lasts["bleeding"] == "1d6 a round"
    assert board(LUCKPOINT, bleed_at="own_turn").pieces["ann"].lasts["bleeding"] == "1d6 a turn"


def test_powers_one_main_power_and_the_free_ones_that_were_not_used() -> None:
    """R2.11, Q2.5."""
    strike = (spent("main"), spent("power", about="strike"))
    assert board(POWERS).left == ("a main power", "free powers")
    assert board(POWERS, *strike).left == ("free powers but Strike",)
    assert board(POWERS, power_cost="one").left == ("one power",)
    assert board(POWERS, *strike, power_cost="one").left == ()
    assert board(POWERS, *strike, power_cost="any_number").left == ("any power but Strike",)


def test_powers_who_was_attacked_may_interrupt_until_something_is_done() -> None:
    """R2.13, Q2.7."""
    claims = spent("may interrupt", about="wolf")
    assert board(POWERS, claims).lines == (("May interrupt", "Wolf"),)
    assert board(POWERS, claims, spent("main")).lines == ()


def test_russell_one_thing_or_the_attacks_of_a_monster_and_feet() -> None:
    """R3.74, R3.76, Q3.43."""
    assert board(RUSSELL).left == ("one action", "24 ft on a map")
    assert board(RUSSELL, spent("action"), spent("feet", 24)).left == ()
    two = StatChanged(character="ann", stat="attacks", amount=2)
    assert board(RUSSELL, two).left == ("one action or 2 attacks", "24 ft on a map")
    assert board(RUSSELL, two, spent("attack"), spent("feet", 24)).left == ("1 more attack",)
    assert board(RUSSELL, became("floored"), spent("feet", 24)).left == ("to stand up or defend",)


def test_russell_everybody_is_at_a_range_from_the_nearest_foe() -> None:
    """R3.76."""
    near = became("at range to wolf", "bob", range_to="wolf", band="engaged")
    found = board(RUSSELL, PoolGained(holder="", pool="range", amount=2), near).pieces
    assert [found[who].where for who in KINDS] == ["medium to Wolf", "engaged with Wolf", "engaged with Bob"]
    assert found["bob"].covered == ("at range to wolf",)


def test_russell_a_stun_lasts_for_rounds_and_bleeding_for_saves() -> None:
    """R3.90, R3.92, Q3.13, Q3.14."""
    lasts = board(
        RUSSELL,
        PoolGained(holder="ann", pool="stunned rounds", amount=3),
        PoolGained(holder="ann", pool="bleeding", amount=1),
    ).pieces["ann"].lasts  # fmt: skip
    assert (lasts["stunned"], lasts["bleeding"]) == ("3 rounds", "1 of 3 saves failed")


def test_grid_a_standard_action_and_a_move() -> None:
    """R4.2, R4.47."""
    assert board(GRID).left == ("a standard action", "a move action of 6 squares")
    assert board(GRID, spent("standard action")).left == ("a move action of 6 squares",)
    assert board(GRID, became("prone"), spent("standard action")).left == ("a move action of 1 square",)
    assert board(GRID, spent("standard action"), spent("move action")).left == ()


def test_grid_everybody_is_on_a_square_so_far_from_who_has_the_turn() -> None:
    """Q4.16: a diagonal counts as one."""
    found = board(GRID, Moved(character="bob", east=1, north=1), Moved(character="wolf", east=-3, up=1)).pieces
    assert [(found[who].where, found[who].away) for who in KINDS] == [
        ("0,0", ""),
        ("1,1", "beside"),
        ("-3,0,1", "3 squares"),
    ]


def test_grid_the_next_is_the_first_who_is_conscious() -> None:
    """R4.42."""
    assert board(GRID).next == ("bob",)
    assert board(GRID, became("incapacitated", "bob")).next == ("wolf",)


def test_srd5_an_action_a_bonus_action_feet_and_a_reaction() -> None:
    """R5.27, R5.28, R5.30, R5.46."""
    rest = ("a bonus action", "30 ft", "a reaction")
    assert board(SRD5).left == ("an action", *rest)
    assert board(SRD5, spent("action"), spent("feet", 10)).left == ("a bonus action", "20 ft", "a reaction")
    assert board(SRD5, spent("dash"), spent("action")).left == ("a bonus action", "60 ft", "a reaction")
    assert board(SRD5, spent("bonus action"), became("reaction used")).left == ("an action", "30 ft")
    assert board(SRD5, became("stunned")).left == ()


def test_srd5_everybody_is_on_a_square_so_many_feet_from_who_has_the_turn() -> None:
    """R5.44, R5.45."""
    here = TraitGained(character="ann", trait="placed", kind="square")
    found = board(SRD5, here, Moved(character="bob", east=1, north=1), Moved(character="wolf", east=-3)).pieces
    assert [(found[who].where, found[who].away) for who in KINDS] == [("0,0", ""), ("1,1", "5 ft"), ("-3,0", "15 ft")]


def test_srd5_says_which_turn_ends_a_state_and_counts_temporary_hit_points() -> None:
    """R5.46, R5.66."""
    fears = became("frightened", ends="end", whose="wolf")
    found = board(SRD5, fears, PoolGained(holder="ann", pool="temporary", amount=4)).pieces["ann"]
    assert found.lasts["frightened"] == "until the end of Wolf's turn"
    assert found.resources == ("4 temporary",)


def test_every_game_of_ours_has_a_board_of_its_own() -> None:
    plain = attrs.fields_dict(Ruleset)["board"].default
    assert [game.key for game in GAMES if game.board is plain] == []
