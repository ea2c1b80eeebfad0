"""What a GM changes on a sheet by ruling: hit points, a number or a pool, as an action or within one that was played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from domain import events
from domain.entries import Intervention
from domain.errors import Refused
from domain.events import CharacterId

if TYPE_CHECKING:
    from domain.state import Character
    from domain.table import Table

ADJUST = "adjust"
"""The kind of an intervention that is no second thought of the rules but the GM's adjustment of a sheet."""

BECAUSE = ", because "
"""Between what is adjusted and why, in an intervention: "hp, because the bonus was forgotten"."""


@attrs.frozen(kw_only=True)
class Adjustment:
    """``what`` of ``who`` is ``by`` more, and ``why``: "hp", the name of a number on the sheet, or "pool:NAME"."""

    who: CharacterId
    what: str
    by: int
    why: str = ""

    def thought(self) -> Intervention:
        """How it stands in the intent of the action that it belongs to. Raises Refused for what cannot stand there."""
        if not self.what.strip() or BECAUSE in self.what:
            raise Refused(
                f"{self.what!r} is nothing that stands on a sheet. Say hp, the name of a number, or pool:NAME."
            )
        return Intervention(
            kind=ADJUST,
            character=self.who,
            keep=f"{self.what}{BECAUSE}{self.why}" if self.why else self.what,
            roll=self.by,
        )

    @classmethod
    def of(cls, thought: Intervention) -> Adjustment:
        """The adjustment that an intervention holds."""
        what, _, why = thought.keep.partition(BECAUSE)
        return cls(who=thought.character, what=what, by=thought.roll, why=why)


def adjust(table: Table, change: Adjustment) -> None:
    """A ruling and the change that it makes. Raises NotFound if there is nobody of that name."""
    who = table.character(change.who)
    table.record(events.RulingMade(reason=change.why, about=who.id))
    kind, _, name = change.what.partition(":")
    if change.what == "hp":
        table.record(events.HitPointsCorrected(character=who.id, amount=change.by, reason=change.why))
    elif kind == "pool" and change.by >= 0:
        table.record(events.PoolGained(holder=who.id, pool=name, amount=change.by, reason=change.why))
    elif kind == "pool":
        table.record(events.PoolSpent(holder=who.id, pool=name, amount=-change.by, reason=change.why))
    else:
        table.record(events.StatChanged(character=who.id, stat=change.what, amount=change.by, reason=change.why))
    changed(table, who)


def changed(table: Table, before: Character) -> None:
    """Let the ruleset look at a character whose sheet changed, ``before`` being how it was: a death line may be crossed."""
    if table.ruleset is not None:
        table.ruleset.character_changed(table, before)
