"""Who may act at all: those in play and alive, and rules are waived by nobody but the GM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.campaign import Character
from domain.events import Role
from domain.table import Table
from ruleset_plugins.conditions import DEAD


def living(table: Table, name: str) -> Character:
    """Somebody who is in play and not dead (QG.9)."""
    who = table.character(name)
    if who.has(DEAD):
        table.refuse(f"{who.name} is dead: nothing acts on the dead but a ruling, or taking back what killed them.")
    if not who.present:
        table.refuse(f"{who.name} has left the campaign. Name somebody who is in play.")
    return who


def able(table: Table, name: str, unable: Mapping[str, str]) -> Character:
    """Somebody living who is in none of the ``unable`` conditions; each stands with what would help."""
    who = living(table, name)
    for condition, help_ in unable.items():
        if who.has(condition):
            table.refuse(f"{who.name} is {condition} and cannot act. {help_.format(name=who.name)}")
    return who


def check_targets(table: Table, attacker: Character, *targets: str) -> None:
    """Refuse to have somebody attack themselves."""
    if attacker.id in targets:
        who = attacker.name
        table.refuse(f"{who} cannot attack {who}. Harm without an attack is: harm {attacker.id} DICE")


def check_opponent(table: Table, who: str, opponent: str) -> None:
    """Refuse to have somebody try against themselves."""
    if who == opponent:
        table.refuse("Nobody tries against themselves. Name somebody else as the opponent.")


def check_once_each(table: Table, names: Sequence[str]) -> None:
    """Refuse names that stand there twice, and those who are dead or gone."""
    if len(set(names)) < len(names):
        table.refuse("Somebody is named twice; name everybody once.")
    for name in names:
        living(table, name)


def is_gm(table: Table) -> bool:
    """Whether the GM's seat acts, or nobody's in particular."""
    seat = table.seats.get(table.seat)
    return seat is None or seat.role is Role.GM


def check_ruling(table: Table, *, waived: bool, flag: str) -> None:
    """Refuse a flag that waives a rule, from anybody but the GM (QG.8)."""
    if waived and not is_gm(table):
        table.refuse(f"--{flag} waives a rule, and only the GM can; {table.seat} can ask for it.")
