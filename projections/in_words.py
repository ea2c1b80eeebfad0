"""Health of foes in words, for players where the GM wishes that no number of a foe's hit points is shown.

A rulebook with these words (``Rulebook.telling``) has them on every sheet, and so in all that is made of sheets:
status, previews, moments of the past. In events and forecasts, the ids of ``foes`` say where to leave numbers out.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.events import DamageTaken, Event, HitPointsCorrected, HitPointsRestored, Role
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.projections.context import FOES

if TYPE_CHECKING:
    from rollbook.domain.forecast.chances import Forecast

POINTS = (DamageTaken, HitPointsRestored, HitPointsCorrected)
"""The events that say a number of hit points."""
HIT_POINTS = "Hit points"
"""The label of a foe's health on its sheet."""


def foes(state: CampaignState) -> frozenset[CharacterId]:
    """The ids of the foes, whose hit points are in words."""
    return frozenset(who.id for who in state.characters.values() if is_foe(who, state))


def is_foe(who: Character, state: CampaignState) -> bool:
    """True for an NPC or a monster that no player plays."""
    seat = state.seats.get(who.seat)
    return who.kind in FOES and (seat is None or seat.role is not Role.PLAYER)


def sheet_in_words(sheet: Sheet, who: Character, state: CampaignState) -> Sheet:
    """A foe's sheet with its health in words and without any number; any other sheet unchanged."""
    if not is_foe(who, state):
        return sheet
    left, most = sheet.value("hp"), sheet.value("max_hp")
    said = health(left.amount if left else None, most.amount if most else None)
    return attrs.evolve(sheet, values=(), words=((HIT_POINTS, said), *sheet.words) if said else sheet.words)


def health(left: int | None, most: int | None) -> str:
    """The health of a character in words; "" if it is not known."""
    if left is None or not most:
        return ""
    if left <= 0:
        return "down"
    if left >= most:
        return "unhurt"
    if 4 * left <= most:
        return "close to falling"
    return "badly hurt" if 2 * left <= most else "hurt"


def without_points(recorded: Iterable[Event], some: Collection[CharacterId]) -> Iterator[Event]:
    """Events without those that say how many hit points some of the characters lost or got."""
    return (event for event in recorded if not (isinstance(event, POINTS) and event.character in some))


def forecast_in_words(found: "Forecast", some: frozenset[CharacterId]) -> "Forecast":
    """A forecast without the hit points that ``some`` characters may lose and the conditions that these cause."""
    if not some:
        return found
    return attrs.evolve(
        found,
        amounts=tuple(each for each in found.amounts if each.of.character not in some),
        turned=tuple(each for each in found.turned if each.turned.character not in some),
    )
