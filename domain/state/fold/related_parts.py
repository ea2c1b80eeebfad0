"""Relations between parts of a campaign in an event: characters it may meet, and what the fold carries between parts.

All other changes of a part depend only on the event and on the part before it. Who is in a group follows from the
characters (``GROUPS``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from operator import attrgetter
from typing import Any, TypeAlias, cast

from rollbook.domain import events
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import field_names
from rollbook.domain.events import Event
from rollbook.domain.state.campaign_state import CampaignState

EVERYBODY = frozenset(
    (
        events.CampaignStarted,
        events.RulesetAdopted,
        events.CharacterJoined,
        events.SceneSetAside,
        events.SceneResumed,
        events.SceneEnded,
    )
)
"""Events that may meet any character: new rules, a newcomer, a fight that waits or goes on."""

REQUESTS = "dice_requests"
"""The part of a campaign with the requests for dice."""

COUNTED_ANEW = frozenset(
    (
        events.SessionOpened,
        events.SceneFramed,
        events.SceneSetAside,
        events.SceneResumed,
        events.EncounterBegan,
        events.EncounterEnded,
        events.TurnBegan,
    )
)
"""Events that begin a new stretch of play, in which requests for dice are counted from nothing again."""

_MET: dict[type[Event], Callable[[Event], CharacterId]] = {
    kind: attrgetter(field)
    for field in ("holder", "character")
    for kind in events.vocabulary()
    if field in field_names(kind) and kind is not events.CheckResolved
}
"""The field that names whom an event changes, for events that name somebody."""


def meets(happened: Iterable[Event], parts: AbstractSet[str]) -> bool:
    """True if one of these events may meet one of these characters (``@robin``), or all, or begin to count requests for dice."""
    all_met = EVERYBODY | COUNTED_ANEW if REQUESTS in parts else EVERYBODY
    for event in happened:
        kind = event.__class__
        if kind in all_met:
            return True
        named = _MET.get(kind)
        if named is not None and "@" + named(event) in parts:
            return True
        if kind is events.TurnOrderSet and any(
            "@" + name in parts for name in cast("events.TurnOrderSet", event).order
        ):
            return True
    return False


Part: TypeAlias = tuple[str, str]
"""A part of a campaign and a field of it, or "" for all of it."""

_CLOCK: Part = ("clock", "")
_ELSEWHERE: Part = ("elsewhere", "")


def _hidden(event: Any, campaign: CampaignState) -> Iterable[Part]:
    """The character's identity (hidden or not), if the event would interrupt the party's activity; else nothing."""
    is_at_something = campaign.stretch is not None and not campaign.stretch.interrupted
    return ((f"@{event.character}", "who"),) if is_at_something else ()


def _sheet(event: events.SheetSetAside | events.SheetTakenUp, _: CampaignState) -> Iterable[Part]:
    return ((f"@{event.character}", ""),)


CARRIED: dict[type[Event], Callable[[Any, CampaignState], Iterable[Part]]] = {
    events.CheckResolved: _hidden,
    events.ConditionBegan: lambda event, campaign: (_CLOCK,),
    events.DamageTaken: _hidden,
    events.Moved: _hidden,
    events.PowerUsed: lambda event, campaign: (_CLOCK, *_hidden(event, campaign)),
    events.RulesetAdopted: lambda event, campaign: (("settings", ""), ("ruleset", "")),
    events.SceneEnded: lambda event, campaign: (_ELSEWHERE,),
    events.SceneResumed: lambda event, campaign: (_ELSEWHERE,),
    events.SceneSetAside: lambda event, campaign: (("scene", ""), _CLOCK, ("encounter", "")),
    events.SheetSetAside: _sheet,
    events.SheetTakenUp: _sheet,
    events.TurnBegan: lambda event, campaign: ((f"@{event.character}", "who"),),
    events.TurnOrderSet: lambda event, campaign: (
        ("encounter", "title"),
        *((f"@{name}", "who") for name in event.order),
    ),
    events.TurnSpent: lambda event, campaign: (("encounter", "current"),),
}
"""The parts that an event, in the campaign before it, carries into other parts."""
