"""The board: what is left of a turn, reactions, temporary hit points, squares and distances (R5.46)."""

from functools import partial

from rollbook.kit import board as kit
from rollbook.kit import squares, turn_limits
from rollbook.plugin import Board, CampaignState, Character, Encounter, Piece
from rollbook.rulesets.srd5.fight import durations, encounter, hit_points, movement, places, states, turns
from rollbook.rulesets.srd5.monsters import uses
from rollbook.rulesets.srd5.time import surroundings


def board(campaign: CampaignState) -> Board:
    """A moment of the game."""
    turn = kit.on_turn(campaign)
    return kit.of_game(
        campaign,
        left=partial(_left, campaign),
        piece=partial(_piece, campaign, turn[1] if turn else None),
        kept_out=encounter.KEPT_OUT,
        seconds=durations.ROUND,
        lines=surroundings.lines(campaign),
        in_order=True,
    )


def _left(campaign: CampaignState, fight: Encounter, who: Character) -> tuple[str, ...]:
    """The action, attacks of it, the bonus action and the feet that are left."""
    if states.is_unable(who):
        return ()
    attacks = turns.attacks_left(who, fight)
    pace = movement.budget(campaign, who)
    said = (
        (turns.left(fight, turns.ACTION) > 0, "an action"),
        (attacks > 0, kit.counted(attacks, "attack")),
        (turns.left(fight, turns.BONUS) > 0, "a bonus action"),
        (pace > 0, f"{pace} ft"),
        (not who.has(turns.REACTED), "a reaction"),
    )
    return tuple(text for holds, text in said if holds)


def _piece(campaign: CampaignState, acting: Character | None, who: Character) -> Piece:
    legendary = uses.legendary_left(who) if campaign.encounter is not None else 0
    said = ((hit_points.temporary(who), "temporary"), (legendary, "legendary"))
    resources = tuple(f"{amount} {word}" for amount, word in said if amount > 0)
    lasts = {name: text for name, each in who.conditions.items() if (text := turn_limits.said(campaign, each.data))}
    apart = places.distance(acting, who) if acting is not None and acting.id != who.id else None
    return Piece(
        where=squares.text(who.position) if squares.was_placed(who) else "",
        away=f"{apart} ft" if apart is not None else "",
        resources=resources,
        lasts={**kit.UNTIL_NEXT_ROUND, **dict.fromkeys(encounter.TURN_CONDITIONS, "until the next turn"), **lasts},
    )
