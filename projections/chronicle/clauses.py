"""Clauses about characters by kind of event, singular and plural: "loses 7 hit points", "lose 7 hit points each"."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import attrs

from rollbook.domain import events
from rollbook.domain.events import Event
from rollbook.projections.acts import Names, subject_of
from rollbook.projections.chronicle.model import points

FALLS = ("dead", "dying", "unconscious", "defeated", "critical", "incapacitated")
"""The conditions of a fallen character, in every game."""


@attrs.frozen
class Clause:
    """A predicate for the name ``who``: ``one`` in the singular, ``many`` in the plural ("": never of several)."""

    who: str
    one: str
    many: str = ""


def _because(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _things(event: events.GearGained | events.GearLost) -> str:
    return f"{event.count:,} × {event.item}" if event.count > 1 else event.item


def _state(event: events.ConditionBegan | events.ConditionEnded) -> str:
    """``blurred``; a condition that is written like a name follows "under": ``under Shield of Faith``."""
    return f"under {event.condition}" if event.condition[:1].isupper() else event.condition


class _Number(NamedTuple):
    """Endings for singular or plural: of the verb, after an amount, and the form of "to be"."""

    s: str
    each: str
    be: str


_ONE, _MANY = _Number("s", "", "is"), _Number("", " each", "are")


def _pool(event: events.PoolGained | events.PoolSpent, verb: str, n: _Number) -> str:
    if ":" in event.pool or not event.amount:
        return ""
    why = "" if event.reason.casefold() == event.pool.casefold() else event.reason
    return f"{verb}{n.s} {event.amount:,} {event.pool}{_because(why)}{n.each}"


_SAID: Mapping[type[Event], Callable[[Any, _Number], str]] = {
    events.DamageTaken: lambda e, n: f"lose{n.s} {points(e.amount)}{n.each}",
    events.HitPointsRestored: lambda e, n: f"regain{n.s} {points(e.amount)}{n.each}",
    events.HitPointsCorrected: lambda e, n: (
        f"{'gain' if e.amount > 0 else 'lose'}{n.s} {points(abs(e.amount))}, by a correction{_because(e.reason)}{n.each}"
    ),
    events.ConditionBegan: lambda e, n: f"{n.be} {_state(e)}",
    events.ConditionEnded: lambda e, n: f"{n.be} no longer {_state(e)}",
    events.PoolGained: lambda e, n: _pool(e, "gain", n),
    events.PoolSpent: lambda e, n: _pool(e, "spend", n),
    events.ExperienceAwarded: lambda e, n: f"earn{n.s} {e.amount:,} experience{n.each}{_because(e.reason)}",
    events.GearGained: lambda e, n: f"get{n.s} {_things(e)}{n.each}" if e.count else "",
    events.GearLost: lambda e, n: f"give{n.s} up {_things(e)}{n.each}",
    events.ChoiceMade: lambda e, n: f"choose{n.s} {e.picked}",
    events.CharacterLeft: lambda e, n: f"leave{n.s}{_because(e.reason)}",
    events.CharacterRenamed: lambda e, n: f"{n.be} called {e.name} from now on",
    events.CharacterHidden: lambda _, n: f"slip{n.s} out of sight",
    events.CharacterRevealed: lambda _, n: f"come{n.s} into the open",
    events.SheetSetAside: lambda e, n: f"set{n.s} the sheet of {e.ruleset} aside",
    events.SheetTakenUp: lambda e, n: f"take{n.s} up the sheet of {e.ruleset}",
    events.ControlPassed: lambda e, n: f"{n.be} played by {e.seat or 'the GM'} from now on",
}
"""Predicates for the character that an event is about, by kind of event."""


def clause(event: Event, names: Names) -> Clause | None:
    """The clause for an event, None if it has none."""
    said = _SAID.get(event.__class__)
    if said is None:
        return None
    who = subject_of(event)
    one, many = said(event, _ONE), said(event, _MANY)
    return Clause(names.get(who, who) or "the GM", one, many) if one else None


def is_fall(event: Event) -> bool:
    """True if the event makes a character fall."""
    return isinstance(event, events.ConditionBegan) and event.condition.casefold() in FALLS
