"""How a campaign stands follows from its state: who has the turn, who comes next, what is left, and nothing of who is hidden."""

from __future__ import annotations

import attrs
import pytest

from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.board import Board, Piece
from rollbook.domain.state.campaign_state import EMPTY, CampaignState, Character, Condition, OpenChoice
from rollbook.domain.state.encounters import Encounter
from rollbook.projections.status import Status, Turn, status_of, time_left
from tests.support.toy import TOY


def campaign(*people: Character, **parts: object) -> CampaignState:
    state = attrs.evolve(EMPTY, name="Sherwood", ruleset=TOY.key, characters={who.id: who for who in people})
    return attrs.evolve(state, **parts)


def stands(state: CampaignState, board: Board | None = None) -> Status:
    game = TOY if board is None else attrs.evolve(TOY, board=lambda _: board)
    return status_of(state, Rulebook({TOY.key: game}))


ROBIN, GUARD = Character(id="robin", name="Robin"), Character(id="guard", name="Guard")
FIGHT = Encounter(title="The ambush", round=2, order=("guard", "robin"), acted=("guard",), current="robin")


def test_a_game_that_says_nothing_of_its_own_follows_the_order() -> None:
    fight = stands(campaign(ROBIN, GUARD, encounter=attrs.evolve(FIGHT, acted=(), current="guard"))).fight
    assert fight is not None
    assert (fight.round, fight.current, fight.left, fight.next) == (2, "guard", None, ("robin",))
    assert [(each.character, each.turn) for each in fight.fighters] == [("guard", Turn.NOW), ("robin", Turn.TO_COME)]


def test_what_is_left_of_the_turn_is_what_the_ruleset_says() -> None:
    said = Board(left=("an action",), pieces={"robin": Piece(where="3,4", away="beside", resources=("2 tokens",))})
    fight = stands(campaign(ROBIN, GUARD, encounter=FIGHT), said).fight
    assert fight is not None
    guard, robin = fight.fighters
    assert (fight.left, fight.next, guard.turn) == (("an action",), (), Turn.ACTED)
    assert (robin.where, robin.away, robin.resources, guard.where) == ("3,4", "beside", ("2 tokens",), "")


def test_nothing_is_left_between_turns() -> None:
    fight = stands(campaign(GUARD, encounter=attrs.evolve(FIGHT, current="")), Board(left=("an action",))).fight
    assert fight is not None
    assert (fight.current, fight.left) == ("", None)


def test_two_of_one_name_are_told_apart_by_their_ids() -> None:
    rats = [Character(id=id_, name="Rat") for id_ in ("rat", "rat-2")]
    shown = stands(campaign(*rats, GUARD)).characters
    assert [each.label for each in shown] == ["Rat (rat)", "Rat (rat-2)", "Guard"]


def test_who_has_left_is_on_no_board() -> None:
    gone = Character(id="gone", name="Guard", present=False)
    found = stands(campaign(GUARD, gone, encounter=attrs.evolve(FIGHT, order=("gone", "guard"))))
    assert found.fight is not None
    assert [each.label for each in found.fight.fighters] == ["Guard"]


def conditions_of(board: Board, *held: Condition, fights: bool, clock: int = 0) -> list[tuple[str, str]]:
    robin = attrs.evolve(ROBIN, conditions={each.name: each for each in held})
    found = stands(campaign(robin, GUARD, clock=clock, encounter=FIGHT if fights else None), board)
    people = found.fight.fighters if found.fight else found.characters
    (shown,) = (each for each in people if each.character == "robin")
    return [(each.name, each.left) for each in shown.conditions]


def test_a_condition_has_rounds_left_in_a_fight_and_time_outside() -> None:
    stunned = Condition(name="stunned", since=0, until=25)
    board = Board(round_seconds=10)
    assert conditions_of(board, stunned, fights=True, clock=10) == [("stunned", "2 rounds")]
    assert conditions_of(board, stunned, fights=False, clock=10) == [("stunned", "15 s")]
    assert conditions_of(Board(), stunned, fights=True, clock=25) == [("stunned", "over now")]


def test_the_rules_say_what_is_left_where_no_clock_does() -> None:
    held = [Condition(name=name, since=0) for name in ("bleeding", "prone", "at range to guard")]
    board = Board(pieces={"robin": Piece(lasts={"bleeding": "1d6 a round"}, covered=("at range to guard",))})
    assert conditions_of(board, *held, fights=True) == [("bleeding", "1d6 a round"), ("prone", "")]


@pytest.mark.parametrize(
    ("seconds", "round_seconds", "text"),
    [
        (0, 10, "over now"),
        (1, 10, "1 round"),
        (60, 6, "10 rounds"),
        (3_600, 6, "1 h"),
        (3_660, 0, "1 h 1 min"),
        (90_061, 0, "1 d 1 h"),
        (59, 0, "59 s"),
    ],
)
def test_a_stretch_of_time_is_in_rounds_or_in_its_two_largest_units(
    seconds: int, round_seconds: int, text: str
) -> None:
    assert time_left(seconds, round_seconds) == text


def test_open_choices_are_named_with_what_may_be_picked() -> None:
    robin = attrs.evolve(ROBIN, choices={"feat": OpenChoice()})
    (choice,) = stands(campaign(robin, GUARD)).choices
    assert (choice.label, choice.choice, choice.options) == ("Robin", "feat", ())


def test_without_its_ruleset_a_campaign_still_stands_somehow() -> None:
    found = status_of(campaign(ROBIN, GUARD, encounter=FIGHT, ruleset="gone"), Rulebook({}))
    assert found.fight is not None
    assert (found.fight.current, found.fight.next) == ("robin", ())
