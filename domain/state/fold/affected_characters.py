"""Which characters an event may meet: those that it changes, or whose state decides what it changes.

Whether the event's own character is hidden decides what a check changes, too; who somebody is is not asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from operator import attrgetter

from rollbook.domain import events
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import field_names
from rollbook.domain.events import Event

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
