"""What a GM changes on a sheet by ruling: hit points, a number or a pool, as an action or within one that was played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rollbook.domain import events
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.entries import SecondThought
from rollbook.domain.events import Scalar
from rollbook.domain.rules import entered_numbers

if TYPE_CHECKING:
    from rollbook.domain.rules.table import Table
    from rollbook.domain.state.campaign_state import Character

ADJUST = "adjust"
"""The kind of second thought that is the GM's adjustment of a sheet, not one that a rule allows."""


@attrs.frozen(kw_only=True)
class Adjustment(Record):
    """``what`` of ``who`` is ``by`` more, and ``why``: "hp", "level", "xp", a number on the sheet, or "pool:NAME"."""

    who: CharacterId
    what: str
    by: int
    why: str = ""

    def check(self) -> None:
        """Raise Refused for a change of nothing: a blank number or pool."""
        if not self.what.removeprefix("pool:").strip():
            raise Refused(f"{self.what!r} is not on a sheet. Say hp, level, xp, a number on it, or pool:NAME.")

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
    """A ruling and the change that it makes. Raises NotFound if there is nobody of that name, Refused for no known number."""
    change.check()
    who = table.character(change.who)
    table.record(events.RulingMade(reason=change.why, about=who.id))
    kind, _, name = change.what.partition(":")
    wanted = change.what.casefold()
    if wanted == "hp":
        table.record(events.HitPointsCorrected(character=who.id, amount=change.by, reason=change.why))
    elif kind == "pool":
        table.record(entered_numbers.change_pool(who, name, change.by, change.why))
    elif wanted == "level":
        _grant_levels(table, who, change.by, change.why)
    elif wanted in ("xp", "experience"):
        _award(table, who, change.by, change.why)
    else:
        table.record(entered_numbers.change(table, who, change.what, change.by, change.why))
    changed(table, who)


def _award(table: Table, who: Character, amount: int, why: str) -> None:
    """Experience by ruling; the ruleset says whether a level is due."""
    table.record(events.ExperienceAwarded(character=who.id, amount=amount, reason=why))
    if table.ruleset is not None:
        table.ruleset.experience_awarded(table, who.id)


def _grant_levels(table: Table, who: Character, levels: int, why: str) -> None:
    """So many levels, each with the experience that it needs and all that it brings (QG.8)."""
    if levels < 1:
        table.refuse(
            "A level is granted, as in: level 1. One that was gained by mistake is undone with what brought it."
        )
    for _ in range(levels):
        now = table.character(who.id)
        threshold = entered_numbers.sheet_of(table, now).amount("next_level")
        if now.level < 1 or threshold <= now.experience:
            table.refuse(f"{who.name} has no level that could rise. Say another number on the sheet, or hp.")
        _award(table, now, threshold - now.experience, why)


def changed(table: Table, before: Character) -> None:
    """Let the ruleset look at a character whose sheet changed, ``before`` being how it was: a death line may be crossed."""
    if table.ruleset is not None:
        table.ruleset.character_changed(table, before)
