"""What each kind of event says of somebody, for one and for several: "loses 7 hit points", "lose 7 hit points each"."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from rollbook.domain import events
from rollbook.domain.events import Event
from rollbook.projections.acts import Names
from rollbook.projections.chronicle.model import points

FALLS = ("dead", "dying", "unconscious", "defeated", "critical", "incapacitated")
"""The conditions in which somebody has fallen, whatever game it is."""


@attrs.frozen
class Clause:
    """Something that is said of one who is named: ``one`` alone, ``many`` of several together ("": never together)."""

    who: str
    one: str
    many: str = ""


_Said = Callable[[Any], tuple[str, str]]


def _because(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _things(event: events.GearGained | events.GearLost) -> str:
    return f"{event.count:,} × {event.item}" if event.count > 1 else event.item


def _state(event: events.ConditionBegan | events.ConditionEnded) -> str:
    """``blurred``; what is written like a name is what somebody is under: ``under Shield of Faith``."""
    return f"under {event.condition}" if event.condition[:1].isupper() else event.condition


def _pool(event: events.PoolGained | events.PoolSpent, one: str, many: str) -> tuple[str, str]:
    if ":" in event.pool or not event.amount:
        return "", ""
    why = "" if event.reason.casefold() == event.pool.casefold() else event.reason
    what = f"{event.amount:,} {event.pool}{_because(why)}"
    return f"{one} {what}", f"{many} {what} each"


def _corrected(event: events.HitPointsCorrected) -> tuple[str, str]:
    what = f"{points(abs(event.amount))}, by a correction{_because(event.reason)}"
    return (f"gains {what}", f"gain {what} each") if event.amount > 0 else (f"loses {what}", f"lose {what} each")


_SAID: Mapping[type[Event], _Said] = {
    events.DamageTaken: lambda e: (f"loses {points(e.amount)}", f"lose {points(e.amount)} each"),
    events.HitPointsRestored: lambda e: (f"regains {points(e.amount)}", f"regain {points(e.amount)} each"),
    events.HitPointsCorrected: _corrected,
    events.ConditionBegan: lambda e: (f"is {_state(e)}", f"are {_state(e)}"),
    events.ConditionEnded: lambda e: (f"is no longer {_state(e)}", f"are no longer {_state(e)}"),
    events.PoolGained: lambda e: _pool(e, "gains", "gain"),
    events.PoolSpent: lambda e: _pool(e, "spends", "spend"),
    events.ExperienceAwarded: lambda e: (
        f"earns {e.amount:,} experience{_because(e.reason)}",
        f"earn {e.amount:,} experience each{_because(e.reason)}",
    ),
    events.GearGained: lambda e: (f"gets {_things(e)}", f"get {_things(e)} each") if e.count else ("", ""),
    events.GearLost: lambda e: (f"gives up {_things(e)}", f"give up {_things(e)} each"),
    events.ChoiceMade: lambda e: (f"chooses {e.picked}", f"choose {e.picked}"),
    events.CharacterLeft: lambda e: (f"leaves{_because(e.reason)}", f"leave{_because(e.reason)}"),
    events.CharacterRenamed: lambda e: (f"is called {e.name} from now on", f"are called {e.name} from now on"),
    events.CharacterHidden: lambda _: ("slips out of sight", "slip out of sight"),
    events.CharacterRevealed: lambda _: ("comes into the open", "come into the open"),
    events.SheetSetAside: lambda e: (f"sets the sheet of {e.ruleset} aside", f"set the sheet of {e.ruleset} aside"),
    events.SheetTakenUp: lambda e: (f"takes up the sheet of {e.ruleset}", f"take up the sheet of {e.ruleset}"),
}
"""What is said of the character that an event is about."""


def clause(event: Event, names: Names) -> Clause | None:
    """What an event says of somebody, None if nothing is to be said of it."""
    if isinstance(event, events.ControlPassed):
        by = event.seat or "the GM"
        return Clause(
            _named(event.character, names), f"is played by {by} from now on", f"are played by {by} from now on"
        )
    said = _SAID.get(event.__class__)
    if said is None:
        return None
    one, many = said(event)
    who = getattr(event, "character", "") or getattr(event, "holder", "")
    return Clause(_named(who, names), one, many) if one else None


def _named(who: str, names: Names) -> str:
    return names.get(who, who) if who else "the GM"


def is_fall(event: Event) -> bool:
    """Whether somebody falls by it."""
    return isinstance(event, events.ConditionBegan) and event.condition.casefold() in FALLS
