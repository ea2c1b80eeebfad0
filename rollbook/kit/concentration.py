"""Concentration: one thing at a time that somebody holds, which ends on everybody when they stop.

On record: the condition ``concentrating`` on who holds it, its data ``of`` what it is. What it holds, on whomever, has the data
``concentration``: who holds it. A game makes one ``Concentration`` with what else follows when something ends.
"""

from collections.abc import Callable

from rollbook.domain.events import Data
from rollbook.kit import conditions, fields
from rollbook.kit.lasting import OF
from rollbook.plugin import Character, Condition, Table

__all__ = ["BY", "CONCENTRATING", "Concentration", "held_by"]

CONCENTRATING, BY = "concentrating", "concentration"


def held_by(who: Character, holder: str) -> tuple[Condition, ...]:
    """The conditions of a character that somebody's concentration holds."""
    return conditions.with_data(who, BY, holder)


def _nothing(*_: object) -> None:
    """Do nothing: what follows in games in which nothing does."""


class Concentration:
    """The concentration of one game; ``follow(table, id, condition)`` is what else follows when something ends."""

    def __init__(self, follow: Callable[[Table, str, Condition], object] = _nothing) -> None:
        self._follow = follow

    def of(self, who: Character) -> str:
        """The thing that somebody concentrates on, "" for nothing."""
        return conditions.text(who.conditions.get(CONCENTRATING), OF)

    def hold(self, table: Table, name: str, what: str, data: Data, *, until: int = 0, still: bool = False) -> None:
        """Hold something: something new, which ends what was held before, or ``still`` the same."""
        if not still:
            self.end(table, name)
        conditions.begin(table, name, CONCENTRATING, detail=what, until=until, data=data, again=True)

    def end(self, table: Table, name: str) -> bool:
        """End somebody's concentration and all that it holds. Returns whether there was any."""
        if not conditions.end(table, name, CONCENTRATING):
            return False
        for who in table.with_conditions():
            for held in held_by(who, name):
                self.finish(table, who.id, held)
        return True

    def finish(self, table: Table, name: str, held: Condition) -> None:
        """End one condition on somebody, and do what follows."""
        conditions.end(table, name, held.name)
        self._follow(table, name, held)

    def finish_last(self, table: Table, name: str, held: Condition) -> None:
        """End one condition on somebody, and with the last of its kind the concentration that holds it."""
        self.finish(table, name, held)
        self.end_empty(table, held.source, fields.text(held.data, OF))

    def end_empty(self, table: Table, name: str, of: str) -> None:
        """End somebody's concentration on something, if it holds nothing any more."""
        if not name or not table.knows(name) or self.of(table.character(name)) != of:
            return
        if not any(held_by(who, name) for who in table.with_conditions()):
            conditions.end(table, name, CONCENTRATING)
