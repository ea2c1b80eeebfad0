"""What a turn holds: one standard and one move action, in whatever order (R4.1, R4.2)."""

from __future__ import annotations

from ruleset_plugins import Character, Table, own_turn, spend
from ruleset_plugins.grid.health import fit

STANDARD, MOVE = "standard action", "move action"


def take(table: Table, name: str, what: str, *, out_of_turn: bool = False) -> Character:
    """Somebody uses a part of the turn. Refused out of turn, twice in one, and for whoever cannot act (R4.42)."""
    who = fit(table, name)
    encounter = own_turn(table, who, out_of_turn=out_of_turn)
    if encounter is None:
        return who
    spent = encounter.spent
    if what in spent:
        left = MOVE if what == STANDARD else STANDARD
        rest = f"The {left} is left" if left not in spent else "Nothing is left of it"
        table.refuse(f"{who.name} has used the {what} of this turn. {rest}; the turn ends with: end-turn")
    spend(table, who, what)
    return who
