"""Hit points of mind and soul, for tables that need them: a number as entered and the modifier of Wisdom (R3.7)."""

from rollbook.kit import counters, sheet_lines, stat_entry
from rollbook.plugin import Character, Table, Term, events
from rollbook.rulesets.russell.character.attributes import attribute_term

KINDS = ("mental", "spiritual")
LOST = "lost"
"""The counter of the hit points of a kind that are lost."""


def stat(kind: str) -> str:
    """The number on the sheet that Wisdom is added to; a character without it has no such hit points."""
    return f"{kind}_hp"


def most_terms(who: Character, kind: str) -> tuple[Term, ...]:
    """The terms of the maximum: the number and Wisdom, never below 0; empty without the number."""
    if stat(kind) not in who.stats:
        return ()
    terms = (*stat_entry.terms(who, stat(kind), rule="R3.7"), attribute_term(who, "wis", "R3.7"))
    return sheet_lines.at_least(terms, 0, "R3.7")


def most(who: Character, kind: str) -> int:
    """The maximum of such hit points."""
    return sum(term.amount for term in most_terms(who, kind))


def lost(who: Character, kind: str) -> int:
    """The number of them that are lost, at most all."""
    return min(counters.count(who.pools, LOST, kind), most(who, kind))


def check_has(table: Table, who: Character, kind: str) -> None:
    """Refuse an action about hit points that a character does not have."""
    if stat(kind) not in who.stats:
        table.refuse(
            f"{who.name} has no {kind} hit points. The GM gives some with: adjust {who.id} {stat(kind)} NUMBER",
            table.parameter_of(who.id),
        )


def hurt(table: Table, who: Character, kind: str, dealt: int, *, source: str) -> None:
    """Take some of them, down to 0; the GM decides what follows at 0."""
    check_has(table, who, kind)
    left = most(who, kind) - lost(who, kind)
    counters.change(table, who.id, counters.counter(LOST, kind), min(dealt, left), source or "harm")
    if dealt >= left:
        table.record(events.NoteWritten(text=f"{who.name} has no {kind} hit points left; what that means the GM says"))


def restore(table: Table, who: Character, kind: str, amount: int, *, source: str) -> None:
    """Give some of them back, never above the maximum."""
    counters.change(table, who.id, counters.counter(LOST, kind), -min(amount, lost(who, kind)), source or "care")


def check_can_heal(table: Table, who: Character, kind: str) -> None:
    """Refuse to heal where nothing is lost."""
    check_has(table, who, kind)
    if not lost(who, kind):
        table.refuse(
            f"{who.name} has lost no {kind} hit points, so there is nothing to heal.", table.parameter_of(who.id)
        )
