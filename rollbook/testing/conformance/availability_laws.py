"""Laws of what can be done now: the rules say it without a die, and never call impossible what they then play."""

from random import Random

from rollbook.domain.base.errors import RollbookError
from rollbook.domain.entries import Intent
from rollbook.domain.events import Role
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, actor_of, actors_in, build, parameters
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.testing.conformance.moves import GM, Move, MoveResult
from rollbook.testing.conformance.playthrough import Playthrough
from rollbook.testing.conformance.random_play import chance_of, filled_in
from rollbook.testing.conformance.random_suite import RandomPlaySuite, after_each_action
from rollbook.testing.conformance.random_values import RandomValues

EVERY = 4
"""Impossible verbs are tried after so many entries, because all of them are."""

TRIES = 3
"""How often a verb that is called impossible is tried, with other parameters each time."""


class AvailabilityLaws(RandomPlaySuite):
    """Tried out whenever somebody acts."""

    @after_each_action
    def test_what_is_played_was_not_called_impossible(self, playthrough: Playthrough, outcome: MoveResult) -> None:
        move, before = outcome.move, outcome.before
        if outcome.played is None:
            return
        action = build(playthrough.rulebook.verb(before, move.intent.verb), move.intent.params)
        if not _is_plain(action, before, move.seat):
            return
        for who in (actor_of(action),) if actors_in(type(action)) else tuple(before.characters)[:1]:
            reason = who and _available(playthrough.rulebook, before, who, move.seat).get(action.verb, "")
            assert not reason, f"It is played, and was called impossible for {who}: {reason}"

    @after_each_action
    def test_what_is_called_impossible_is_refused(self, playthrough: Playthrough, _: MoveResult) -> None:
        state, head = playthrough.state, playthrough.history.head
        if head % EVERY or not state.characters or GM not in state.seats:
            return
        chance = chance_of("available", head)
        who = chance.choice(tuple(state.characters))
        said = _available(playthrough.rulebook, state, who, GM)
        assert said == _available(playthrough.rulebook, state, who, GM), (
            "Asked twice of one moment, it is another answer."
        )
        for name, reason in said.items():
            for _try in range(TRIES if reason else 0):
                move = _plain_move(playthrough.rulebook.verb(state, name), who, RandomValues(chance, state), chance)
                assert not playthrough.try_out(move).played, f"It is called impossible, and played: {reason}"


def _available(rules: Rulebook, campaign: CampaignState, who: str, seat: str) -> dict[str, str]:
    found = rules.available(campaign, who, seat=seat)
    faults = rules.take_faults()
    assert not faults, faults[0]
    return found


def _is_plain(action: Action, campaign: CampaignState, seat: str) -> bool:
    """Tell if an action holds no ruling of the GM's, and its seat may take it."""
    rulings = [each for each in parameters(type(action)) if each.gm_only and not each.required]
    if any(getattr(action, each.name) != each.default for each in rulings):
        return False
    try:
        action.check_taken(campaign, campaign.seats[seat].role if seat in campaign.seats else Role.GM)
    except RollbookError:
        return False
    return True


def _plain_move(verb: type[Action], who: str, values: RandomValues, chance: Random) -> Move:
    """Any move of a verb in which somebody acts, without a ruling."""
    params = filled_in(verb)
    for parameter in parameters(verb):
        is_said = parameter.required or (not parameter.gm_only and values.often(0.3))
        if is_said and not parameter.hidden:
            params[parameter.name] = values.of(parameter)
    params |= dict.fromkeys(actors_in(verb)[:1], who)
    return Move(intent=Intent(verb=verb.verb, params=params), seed=chance.getrandbits(32))
