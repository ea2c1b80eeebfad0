"""Which parts of a campaign hang together by an event: whom it may meet, and what the fold carries from one part to another.

Apart from that an event changes a part by itself and by what that part was before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from operator import attrgetter
from typing import Any, TypeAlias

from rollbook.domain import events
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import field_names
from rollbook.domain.events import Event
from rollbook.domain.state.campaign_state import CampaignState

EVERYBODY = frozenset(
    (
        events.CampaignStarted,
        events.RulesetAdopted,
        events.SessionOpened,
        events.SceneFramed,
        events.EncounterBegan,
        events.EncounterEnded,
        events.TurnBegan,
        events.CharacterJoined,
    )
)
"""Events with which something begins for everybody: rules, a stretch of play in which requests for dice are counted, a life."""

_NAMING = ("character", "holder")
"""The fields in one of which an event names whom it changes."""


def _names(kind: type[Event]) -> Callable[[Event], CharacterId] | None:
    named = next((field for field in _NAMING if field in field_names(kind)), "")
    return attrgetter(named) if named and kind is not events.CheckResolved else None


_MET = {kind: _names(kind) for kind in events.vocabulary()}


def meets(happened: Iterable[Event], people: AbstractSet[str]) -> bool:
    """Whether one of these events may meet one of these characters (``@robin``), or everybody."""
    for event in happened:
        kind = event.__class__
        if kind in EVERYBODY:
            return True
        named = _MET[kind]
        if named is not None and "@" + named(event) in people:
            return True
    return False


Part: TypeAlias = tuple[str, str]
"""A part of a campaign and a field of it, or "" for all of it."""


def _clock(_: Event, __: CampaignState) -> Iterable[Part]:
    return (("clock", ""),)


def _clock_and_hidden(event: events.PowerUsed, campaign: CampaignState) -> Iterable[Part]:
    return (("clock", ""), *_hidden(event, campaign))


def _hidden(event: Any, campaign: CampaignState) -> Iterable[Part]:
    """Whether somebody hidden did it, where that would interrupt what the party is at."""
    is_at_something = campaign.stretch is not None and not campaign.stretch.interrupted
    return ((f"@{event.character}", "who"),) if is_at_something else ()


def _order(event: events.TurnOrderSet, _: CampaignState) -> Iterable[Part]:
    return (("encounter", "title"), *((f"@{name}", "who") for name in event.order))


def _turn(event: events.TurnBegan, _: CampaignState) -> Iterable[Part]:
    return ((f"@{event.character}", "who"),)


def _spent(_: events.TurnSpent, __: CampaignState) -> Iterable[Part]:
    return (("encounter", "current"),)


def _sheet(event: events.SheetSetAside | events.SheetTakenUp, _: CampaignState) -> Iterable[Part]:
    return ((f"@{event.character}", ""),)


def _rules(_: events.RulesetAdopted, __: CampaignState) -> Iterable[Part]:
    return (("settings", ""), ("ruleset", ""))


CARRIED: dict[type[Event], Callable[[Any, CampaignState], Iterable[Part]]] = {
    events.CheckResolved: _hidden,
    events.ConditionBegan: _clock,
    events.DamageTaken: _hidden,
    events.Moved: _hidden,
    events.PowerUsed: _clock_and_hidden,
    events.RulesetAdopted: _rules,
    events.SheetSetAside: _sheet,
    events.SheetTakenUp: _sheet,
    events.TurnBegan: _turn,
    events.TurnOrderSet: _order,
    events.TurnSpent: _spent,
}
"""The parts that an event, in the campaign before it, carries into other parts."""
