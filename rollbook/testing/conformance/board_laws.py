"""Laws of the board and the map: they can be asked for at any moment, say the same each time, and name nobody who is absent."""

import attrs

from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import build
from rollbook.domain.state.campaign_state import EMPTY
from rollbook.plugin import Board, CampaignState, PlannedMove, Square
from rollbook.testing.conformance.isolation import watched
from rollbook.testing.conformance.playthrough import MoveResult, Playthrough
from rollbook.testing.conformance.random_suite import RandomPlaySuite, after_each_action, made


class BoardLaws(RandomPlaySuite):
    """Tried out whenever somebody acts."""

    def test_the_board_of_an_empty_campaign_can_be_asked_for(self) -> None:
        assert not fault_in_board(self._asked(attrs.evolve(EMPTY, ruleset=self.game.key)), EMPTY)

    @after_each_action
    def test_the_board_can_be_asked_for_at_any_moment(self, playthrough: Playthrough, _: MoveResult) -> None:
        with watched() as asked:
            board = self._asked(playthrough.state)
        assert not asked, f"The board asks for {', '.join(dict.fromkeys(asked))}: it reads nothing but the campaign."
        assert self._asked(playthrough.state) == board, "Asked twice of one moment, the board says two things."
        fault = fault_in_board(board, playthrough.state)
        assert not fault, f"On the board, {fault}."

    def _asked(self, campaign: CampaignState) -> Board:
        return made("The board", Board, lambda: self.game.board(campaign))


def fault_in_board(board: Board, campaign: CampaignState) -> str:
    """The fault in a board; "" for none."""
    encounter = campaign.encounter
    strangers = [who for who in (*board.next, *board.pieces) if who not in campaign.characters]
    if strangers:
        return f"{strangers} are named, who are not in the campaign"
    if encounter is not None and encounter.current in board.next:
        return f"{encounter.current} has the turn and is to take the next one too"
    if any(who not in (encounter.order if encounter else ()) for who in board.next):
        return f"{board.next} are to take the next turn, and not all of them fight"
    texts = (*(board.left or ()), *(text for line in board.lines for text in line))
    held = (text for piece in board.pieces.values() for text in (*piece.resources, *piece.lasts.values()))
    return "something is said in no words" if not all(text.strip() for text in (*texts, *held)) else ""


EVERY = 16
"""Entries between two planned moves, because finding a way takes as long as many actions."""


class SquareLaws(RandomPlaySuite):
    """Tried out whenever somebody acts, where the game says anything of squares."""

    @after_each_action
    def test_a_map_names_those_who_are_there_and_plans_are_moves_of_the_game(
        self, playthrough: Playthrough, _: MoveResult
    ) -> None:
        campaign, rules = playthrough.state, Rulebook({self.game.key: self.game})
        if self.game.squares is None or not self.game.squares.is_in_use(campaign):
            return
        found = rules.square_map(campaign)
        assert found is not None, rules.take_faults()[0]
        strangers = {*found.stands, *found.movers} - {who.id for who in campaign.characters.values() if who.present}
        assert not strangers, f"On the map, {strangers} are named, who are not in play."
        turn = playthrough.history.head
        if not found.movers or turn % EVERY:
            return
        who = found.movers[turn % len(found.movers)]
        goals = _plan(rules, campaign, who, ()).onward
        if goals:
            goal = goals[turn % len(goals)]
            planned = _plan(rules, campaign, who, (goal,))
            assert planned == _plan(rules, campaign, who, (goal,)), "Asked twice of one moment, a plan says two things."
            fault = "" if planned.refused else _fault(rules, campaign, planned, goal)
            assert not fault, f"The plan of {who} to {goal}: {fault}."


def _plan(rules: Rulebook, campaign: CampaignState, who: str, way: tuple[Square, ...]) -> PlannedMove:
    planned = rules.planned_move(campaign, who, way)
    assert planned is not None, rules.take_faults()[0]
    return planned


def _fault(rules: Rulebook, campaign: CampaignState, planned: PlannedMove, goal: Square) -> str:
    """The fault in a plan that is not refused, "" for none."""
    if planned.way[-1:] != (goal,):
        return f"it ends at {planned.way[-1:]}"
    if planned.most is not None and planned.cost > planned.most:
        return f"it costs {planned.cost} of {planned.most}"
    build(rules.verb(campaign, planned.verb), planned.params)
    return ""
