"""Laws of a game on squares: its map and its plans can be asked for at any moment, and a plan that is not refused can be gone."""

from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import build
from rollbook.domain.rules.board import PlannedMove, Square
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.testing.conformance.moves import MoveResult
from rollbook.testing.conformance.playthrough import Playthrough
from rollbook.testing.conformance.random_suite import RandomPlaySuite, after_each_action

EVERY = 16
"""A move is planned after so many entries, because to look for a way takes as long as many actions."""


class SquareLaws(RandomPlaySuite):
    """Tried out whenever somebody acts, where the game says anything of squares."""

    @after_each_action
    def test_a_map_names_those_who_are_there_and_plans_are_moves_of_the_game(
        self, playthrough: Playthrough, _: MoveResult
    ) -> None:
        if self.game.squares is None:
            return
        campaign, rules = playthrough.state, Rulebook({self.game.key: self.game})
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
    """What is wrong with a plan that is not refused, "" if nothing is."""
    if planned.way[-1:] != (goal,):
        return f"it ends at {planned.way[-1:]}"
    if planned.most is not None and planned.cost > planned.most:
        return f"it costs {planned.cost} of {planned.most}"
    build(rules.verb(campaign, planned.verb), planned.params)
    return ""
