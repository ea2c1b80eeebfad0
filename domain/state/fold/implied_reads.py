"""What the fold carries from one part of a campaign into another: who looks at the second has looked at the first as well.

Apart from this an event changes a part by itself and by what that part was before.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from rollbook.domain import events
from rollbook.domain.events import Event
from rollbook.domain.state.campaign_state import CampaignState

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
