"""How foes are, in words: what players are told where the GM wishes that no number of a foe's hit points is shown.

A rulebook that tells so (``Rulebook.telling``) has it on every sheet, and so in all that is made of sheets: how things stand,
previews, moments of the past. What events and forecasts say is told by the lists of ``foes``.
"""

from collections.abc import Collection, Iterable, Iterator

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.events import DamageTaken, Event, HitPointsCorrected, HitPointsRestored, Role
from rollbook.domain.forecast.chances import Forecast
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.projections.context import FOES

POINTS = (DamageTaken, HitPointsRestored, HitPointsCorrected)
"""The events that say a number of hit points."""
HIT_POINTS = "Hit points"
"""The line of a sheet that says how a foe is."""


def foes(state: CampaignState) -> frozenset[CharacterId]:
    """Whose hit points are told in words, by id: those whom no player plays."""
    return frozenset(who.id for who in state.characters.values() if is_foe(who, state))


def is_foe(who: Character, state: CampaignState) -> bool:
    """Whether nobody but the GM plays somebody."""
    seat = state.seats.get(who.seat)
    return who.kind in FOES and (seat is None or seat.role is not Role.PLAYER)


def sheet_in_words(sheet: Sheet, who: Character, state: CampaignState) -> Sheet:
    """A foe's sheet without any number, with how it is in words; everybody else's as it is."""
    if not is_foe(who, state):
        return sheet
    left, most = sheet.value("hp"), sheet.value("max_hp")
    said = health(left.amount if left else None, most.amount if most else None)
    return attrs.evolve(sheet, values=(), words=((HIT_POINTS, said), *sheet.words) if said else sheet.words)


def health(left: int | None, most: int | None) -> str:
    """How somebody is, in words; "" if nobody can say."""
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


def forecast_in_words(found: Forecast, some: frozenset[CharacterId]) -> Forecast:
    """A forecast without what may become of some: how many hit points they lose, and in which condition that leaves them."""
    if not some:
        return found
    return attrs.evolve(
        found,
        amounts=tuple(each for each in found.amounts if each.of.character not in some),
        turned=tuple(each for each in found.turned if each.turned.character not in some),
    )
