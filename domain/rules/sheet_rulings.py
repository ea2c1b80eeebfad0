"""A GM's rulings on a sheet: hit points, a number or a pool, as an action or within one that was played.

A ruleset derives its sheet, so deriving it with a changed number shows whether that number can be entered, and how it
counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rollbook.domain import events
from rollbook.domain.base.errors import Refused, not_found
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.entries import SecondThought
from rollbook.domain.events import Scalar
from rollbook.domain.rules.sheet import Sheet, Value

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
    """Record a ruling and its change. Raises NotFound for an unknown name, Refused for a number that is not known."""
    change.check()
    who = table.character(change.who)
    table.record(events.RulingMade(reason=change.why, about=who.id))
    kind, _, name = change.what.partition(":")
    wanted = change.what.casefold()
    if wanted == "hp":
        table.record(events.HitPointsCorrected(character=who.id, amount=change.by, reason=change.why))
    elif kind == "pool":
        table.record(pool_changed(who, name, change.by, change.why))
    elif wanted == "level":
        _grant_levels(table, who, change.by, change.why)
    elif wanted in ("xp", "experience"):
        award(table, who, change.by, change.why)
    else:
        table.record(_number_changed(table, who, change.what, change.by, change.why))
    changed(table, who)


def award(table: Table, who: Character, amount: int, why: str) -> None:
    """Record experience that was earned or is ruled; the ruleset says whether a level is due."""
    table.record(events.ExperienceAwarded(character=who.id, amount=amount, reason=why))
    if table.ruleset is not None:
        table.ruleset.experience_awarded(table, who.id)


def _grant_levels(table: Table, who: Character, levels: int, why: str) -> None:
    """Grant so many levels, each with the experience that it needs and all that it brings (QG.8)."""
    if levels < 1:
        table.refuse(
            "A level is granted, as in: level 1. One that was gained by mistake is undone with what brought it."
        )
    for _ in range(levels):
        now = table.character(who.id)
        threshold = _sheet_of(table, now).amount("next_level")
        if now.level < 1 or threshold <= now.experience:
            table.refuse(f"{who.name} has no level that could rise. Say another number on the sheet, or hp.")
        award(table, now, threshold - now.experience, why)


def changed(table: Table, before: Character) -> None:
    """Let the ruleset look at a character whose sheet changed, ``before`` being how it was: a death line may be crossed."""
    if table.ruleset is not None:
        table.ruleset.character_changed(table, before)


def _sheet_of(table: Table, who: Character) -> Sheet:
    """A character's sheet at this moment; empty without a ruleset."""
    if table.ruleset is None:
        return Sheet(character=who.id, name=who.name)
    return table.ruleset.sheet(who, table.campaign)


def _number_changed(table: Table, who: Character, name: str, by: int, why: str) -> events.Event:
    """The event by which the number of that name on somebody's sheet is ``by`` more.

    Without a ruleset any name is a number. Raises NotFound, or Refused for what follows from other numbers alone.
    """
    if table.ruleset is None:
        return events.StatChanged(character=who.id, stat=name, amount=by, reason=why)
    sheet = _sheet_of(table, who)
    value = sheet.value(name)
    if value is not None:
        return _value_changed(table, who, value, by, why)
    if name in who.stats or _sheet_of(table, _with_stat(who, name, by or 1)) != sheet:
        return events.StatChanged(character=who.id, stat=name, amount=by, reason=why)
    raise not_found(f"number on {who.name}'s sheet", name, [each.key for each in sheet.values])


def _value_changed(table: Table, who: Character, value: Value, by: int, why: str) -> events.Event:
    """The event for a number of the sheet, counted from the one shown: its stat or pool replaces it or adds to it."""
    other = table.ruleset.entered_as.get(value.key) if table.ruleset else None
    for stat in filter(None, (value.key, other)):
        amount = _needed(table, who, value, stat, by)
        if amount is not None:
            return events.StatChanged(character=who.id, stat=stat, amount=amount, reason=why)
    kind, _, pool = value.terms[0].path.partition(".") if len(value.terms) == 1 else ("", "", "")
    if kind != "pool" or not pool:
        origin = ", ".join(dict.fromkeys(term.label for term in value.terms)) or "other numbers"
        table.refuse(f"{value.label} follows from {origin}. Change one of those, or what {who.name} wears and holds.")
    return pool_changed(who, pool, by, why)


def pool_changed(who: Character, pool: str, by: int, why: str) -> events.Event:
    """The event by which somebody's pool holds ``by`` more."""
    if by >= 0:
        return events.PoolGained(holder=who.id, pool=pool, amount=by, reason=why)
    return events.PoolSpent(holder=who.id, pool=pool, amount=-by, reason=why)


def _needed(table: Table, who: Character, value: Value, stat: str, by: int) -> int | None:
    """The change of the stat that makes the number ``by`` more; None if none does."""
    wanted, amount = value.amount + by, by or 1
    for _ in range(3):
        found = _sheet_of(table, _with_stat(who, stat, amount)).value(value.key)
        if found is None or found.amount == value.amount != wanted:
            return None
        if found.amount == wanted:
            return amount
        amount += wanted - found.amount
    return None


def _with_stat(who: Character, stat: str, amount: int) -> Character:
    """The character with ``amount`` added to a stat."""
    stats = {**who.stats, stat: who.stats.get(stat, 0) + amount}
    return attrs.evolve(who, stats=stats)
