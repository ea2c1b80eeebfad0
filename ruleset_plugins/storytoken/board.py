"""The board: the action and the feet that a turn has left, story tokens, and the time that states last."""

from collections.abc import Iterator
from functools import partial

from rollbook.kit import board as kit
from rollbook.kit.remembering import remembered
from rollbook.plugin import Board, CampaignState, Character, CharacterKind, Encounter, Piece
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.fight import turns
from rollbook.rulesets.storytoken.fight.arms import HIDDEN
from rollbook.rulesets.storytoken.fight.encounter import KEPT_OUT
from rollbook.rulesets.storytoken.fight.turns import speed
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.story import tokens

FOR_THE_FIGHT = dict.fromkeys((HIDDEN, conditions.EVASIVE, conditions.ATTACKING, conditions.RAGING), "for the fight")
LASTS = {**kit.UNTIL_NEXT_ROUND, **FOR_THE_FIGHT, conditions.FLYING: "until the next turn"}


def board(campaign: CampaignState) -> Board:
    """A moment of the game (R0.33–R0.35, R0.46)."""
    points = campaign.pools.get(tokens.COMPLICATION, 0)
    return kit.of_game(
        campaign,
        left=partial(_left, campaign),
        piece=_piece,
        kept_out=KEPT_OUT,
        seconds=Settings.of(campaign).round_seconds,
        lines=(("Complication points", str(points or "")),),
    )


def _left(campaign: CampaignState, encounter: Encounter, who: Character) -> tuple[str, ...]:
    """An action and some movement, or twice the movement; the sort of a confused turn comes first (R0.34, R0.69)."""
    does = conditions.text(who.conditions.get(conditions.CONFUSED), conditions.DOES)
    confused = (f"confused: {turns.CONFUSED_TURNS[does]}",) if does in turns.CONFUSED_TURNS else ()
    return (*confused, *_action_and_feet(campaign, encounter, who))


def _action_and_feet(campaign: CampaignState, encounter: Encounter, who: Character) -> Iterator[str]:
    kept = any(who.has(state) for state in conditions.NO_ACTIONS)
    actions = 0 if kept else max(turns.actions_left(encounter, who, campaign), 0)
    action = "an action" if actions == 1 else kit.counted(actions, turns.ACTION) if actions else ""
    pace, moved = speed(campaign, who), encounter.spent.get(turns.FEET, 0)
    has_own_action = encounter.spent.get(turns.ACTION, 0) <= encounter.spent.get(turns.EXTRA_ACTION, 0)
    walk, run = pace - moved, (2 * pace if has_own_action else pace) - moved
    if actions and has_own_action:
        yield f"{action} and {walk} ft" if walk > 0 else action
    elif action:
        yield action
    if run > 0:
        yield f"or {run} ft without it" if actions and has_own_action else f"{run} ft"


@remembered
def _piece(who: Character) -> Piece:
    held = tokens.held(who)
    shown = held or who.kind is CharacterKind.PLAYER_CHARACTER
    return Piece(resources=(kit.counted(held, tokens.TOKEN),) if shown else (), lasts={**LASTS, **dict(_lasts(who))})


def _lasts(who: Character) -> Iterator[tuple[str, str]]:
    """Yield states that last for a scene, and the cost of those that no clock ends (R0.63, R0.77)."""
    for state, condition in conditions.states_of(who):
        if conditions.SCENE in condition.data:
            yield condition.name, "for the scene"
        elif (state.damage or state.drains) and not condition.until:
            yield condition.name, f"{state.damage or f'1 {state.drains.upper()}'} a {state.every}"
