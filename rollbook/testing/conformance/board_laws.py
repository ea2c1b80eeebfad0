"""Laws of the board: it can be asked of any moment, says the same each time, and names nobody who is not there."""

import attrs

from rollbook.domain.rules.board import Board
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.testing.conformance.moves import MoveResult
from rollbook.testing.conformance.playthrough import Playthrough
from rollbook.testing.conformance.random_suite import RandomPlaySuite, after_each_action
from rollbook.testing.conformance.side_effects import watched


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
        try:
            board = self.game.board(campaign)
        except Exception as error:
            raise AssertionError(f"The board ends in {type(error).__name__}: {error}") from error
        assert isinstance(board, Board), f"The board is a {type(board).__name__}."
        return board


def fault_in_board(board: Board, campaign: CampaignState) -> str:
    """What does not hold on a board; "" if everything does."""
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
