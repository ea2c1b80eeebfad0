"""The actions that made a part of a character what it is."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from domain import events
from domain.dice.ledger import opened_session
from domain.events import Event
from domain.history import History
from domain.identifiers import ActionNumber
from domain.records import Record


@attrs.frozen
class Contribution(Record):
    """An action that changed the part, and how; in which session, and from which seat it was done."""

    action: ActionNumber
    verb: str
    what: str
    session: int = 0
    seat: str = ""


_Describe = Callable[[Any], str]

# The kinds of events behind the first word of a path, the field that its second word names, and how they are said.
_MADE_BY: dict[str, tuple[tuple[type[Event], str, _Describe], ...]] = {
    "stat": ((events.StatChanged, "stat", lambda e: f"{e.amount:+d}" + (f" ({e.reason})" if e.reason else "")),),
    "trait": (
        (events.TraitGained, "trait", lambda e: f"gained {e.trait}"),
        (events.TraitLost, "trait", lambda e: f"lost {e.trait}"),
    ),
    "gear": (
        (events.GearGained, "item", lambda e: f"got {e.count} × {e.item}"),
        (events.GearLost, "item", lambda e: f"lost {e.count} × {e.item}"),
    ),
    "condition": (
        (events.ConditionBegan, "condition", lambda e: f"{e.condition} began"),
        (events.ConditionEnded, "condition", lambda e: f"{e.condition} ended"),
    ),
    "pool": (
        (events.PoolGained, "pool", lambda e: f"+{e.amount}" + (f" ({e.reason})" if e.reason else "")),
        (events.PoolSpent, "pool", lambda e: f"−{e.amount}" + (f" ({e.reason})" if e.reason else "")),
        (events.PoolBecame, "pool", lambda e: f"became {e.amount}" + (f" ({e.reason})" if e.reason else "")),
    ),
    "usage": ((events.PowerUsed, "power", lambda e: f"used {e.power}"),),
    "chosen": ((events.ChoiceMade, "choice", lambda e: f"chose {e.picked}"),),
    "level": ((events.LevelGained, "", lambda e: f"{e.levels:+d}"),),
    "experience": (
        (events.ExperienceAwarded, "", lambda e: f"{e.amount:+,}" + (f" ({e.reason})" if e.reason else "")),
    ),
    "lost": (
        (events.DamageTaken, "", lambda e: f"−{e.amount} HP"),
        (events.HitPointsRestored, "", lambda e: f"+{e.amount} HP"),
        (events.HitPointsCorrected, "", lambda e: f"{e.amount:+d} HP, {e.reason}"),
    ),
}
_SETTING = "setting"


def contributions_to(history: History, character: str, path: str) -> list[Contribution]:
    """The actions that count and that changed this part of a character, oldest first."""
    kind, _, name = path.partition(".")
    if kind == _SETTING:
        return _house_rules(history)
    wanted = _MADE_BY.get(kind, ())
    return [
        Contribution(done.action, done.verb, tell(event), done.session, done.seat)
        for done, event in _effective(history)
        for cls, field, tell in wanted
        if event.__class__ is cls
        and getattr(event, "character", getattr(event, "holder", "")) == character
        and (not field or getattr(event, field) == name)
    ]


def _house_rules(history: History) -> list[Contribution]:
    return [
        Contribution(done.action, done.verb, f"plays by {event.ruleset} {event.version}", done.session, done.seat)
        for done, event in _effective(history)
        if isinstance(event, events.RulesetAdopted)
    ]


@attrs.frozen
class _EffectiveAction(Record):
    """An action that counts: by whom, in which session."""

    action: ActionNumber
    verb: str
    session: int
    seat: str


def _effective(history: History) -> Iterator[tuple[_EffectiveAction, Event]]:
    session = 0
    for action, entry in history.outcomes():
        if entry is not None and entry.is_outcome:
            session = opened_session(entry.events) or session
            done = _EffectiveAction(action, entry.intent.verb, session, history.seat_of(action))
            for event in entry.events:
                yield done, event
