"""Sides: with whom a character stands, as far as the game or the state of a campaign says."""

from enum import StrEnum

from rollbook.domain.events import CharacterKind, Role
from rollbook.domain.state.campaign_state import CampaignState, Character


class Side(StrEnum):
    """The side on which a character fights."""

    PARTY = "party"
    FOES = "foes"
    NEITHER = "neither"


def is_players_character(campaign: CampaignState, who: Character) -> bool:
    """True for a player character, and for anybody whom a player plays."""
    seat = campaign.seats.get(who.seat)
    return who.kind is CharacterKind.PLAYER_CHARACTER or (seat is not None and seat.role is Role.PLAYER)


def plain_side(campaign: CampaignState, who: Character) -> Side:
    """The side in a game that knows none: players' characters and hirelings; against them monsters, and who else fights."""
    if who.kind is CharacterKind.HIRELING or is_players_character(campaign, who):
        return Side.PARTY
    fights = campaign.encounter is not None and who.id in campaign.encounter.order
    return Side.FOES if fights or who.kind is CharacterKind.MONSTER else Side.NEITHER
