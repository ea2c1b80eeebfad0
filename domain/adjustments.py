"""What a GM changes on a sheet by ruling: hit points, a number or a pool, as an action or within one that was played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from domain import events
from domain.entries import SecondThought
from domain.errors import Refused
from domain.events import CharacterId, Scalar

if TYPE_CHECKING:
    from domain.state import Character
    from domain.table import Table

ADJUST = "adjust"
"""The kind of second thought that is the GM's adjustment of a sheet, not one that a rule allows."""


@attrs.frozen(kw_only=True)
class Adjustment:
    """``what`` of ``who`` is ``by`` more, and ``why``: "hp", the name of a number on the sheet, or "pool:NAME"."""

    who: CharacterId
    what: str
    by: int
    why: str = ""

    def check(self) -> None:
        """Raise Refused for a change of nothing: a blank number or pool."""
        if not self.what.removeprefix("pool:").strip():
            raise Refused(f"{self.what!r} is not on a sheet. Say hp, the name of a number, or pool:NAME.")

    def thought(self) -> SecondThought:
        """As it is stored in the intent of its action. Raises Refused for what cannot be stored."""
        self.check()
        params: dict[str, Scalar] = {"what": self.what, "by": self.by}
        if self.why:
            params["why"] = self.why
        return SecondThought(kind=ADJUST, character=self.who, params=params)

    @classmethod
    def of(cls, thought: SecondThought) -> Adjustment:
        """The adjustment that a second thought holds."""
        by = thought.params.get("by", 0)
        return cls(
            who=thought.character,
            what=str(thought.params.get("what", "")),
            by=by if isinstance(by, int) else 0,
            why=str(thought.params.get("why", "")),
        )


def adjust(table: Table, change: Adjustment) -> None:
    """A ruling and the change that it makes. Raises NotFound if there is nobody of that name, Refused for a blank number."""
    change.check()
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
