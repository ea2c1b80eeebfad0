"""The same blows with the ``eventsourcing`` library as it comes: an Aggregate with decorated methods, JSON transcoding."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from benchmarks.long_fight import EVENTS_PER_BLOW, blows
from rollbook.domain import events
from rollbook.domain.entries import Entry


class Fight(Aggregate):
    """A fight, in the library's own way."""

    def __init__(self) -> None:
        self.lost: dict[str, int] = {}
        self.actions = 0

    @event("ActionTaken")
    def act(self, verb: str, params: Any, reads: Any) -> None:
        """An action is taken."""
        self.actions += 1

    @event("DiceRolled")
    def roll(self, roller: str, purpose: str, expression: str, dice: Any, flat: Any, total: int) -> None:
        """Dice are rolled."""

    @event("CheckResolved")
    def resolve(self, character: str, total: int, target: int, against: str) -> None:
        """A roll meets its target."""

    @event("HitPointsChanged")
    def hurt(self, character: str, amount: int) -> None:
        """Hit points change."""
        self.lost[character] = self.lost.get(character, 0) + amount

    @event("TurnWentOn")
    def go_on(self, what: str, character: str) -> None:
        """A turn begins or ends."""


def fill(application: Application[UUID], events: int, per_save: int) -> UUID:
    """A fight of about so many events; returns its id."""
    fight = Fight()
    for number, blow in enumerate(blows(events // EVENTS_PER_BLOW), 1):
        _record(fight, blow)
        if number % per_save == 0:
            application.save(fight)
    application.save(fight)
    return fight.id


def _record(fight: Fight, entry: Entry) -> None:
    fight.act(entry.intent.verb, dict(entry.intent.params), list(entry.reads))
    for recorded in entry.events:
        if isinstance(recorded, events.DiceRolled):
            dice = [list(die) for die in recorded.dice]
            flat = [list(term) for term in recorded.flat]
            fight.roll(recorded.roller, recorded.purpose, recorded.expression, dice, flat, recorded.total)
        elif isinstance(recorded, events.CheckResolved):
            fight.resolve(recorded.character, recorded.total, recorded.target, recorded.against)
        elif isinstance(recorded, events.DamageTaken):
            fight.hurt(recorded.character, recorded.amount)
        elif isinstance(recorded, events.HitPointsRestored):
            fight.hurt(recorded.character, -recorded.amount)
        else:
            fight.go_on(type(recorded).__name__, getattr(recorded, "character", ""))
