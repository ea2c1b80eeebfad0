"""Requirements for acting: each function refuses what the rules do not allow."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from rollbook.kit import conditions
from rollbook.plugin import Character, Refused, Role, RollbookError, Table

__all__ = [
    "PARTY",
    "able",
    "any_of",
    "distinct_living",
    "is_gm",
    "living",
    "other_opponent",
    "other_targets",
    "party",
    "refusal",
    "ruling",
]

Each = TypeVar("Each")

PARTY = ("party",)
"""The word for everybody in the party, in the place of names."""


def living(table: Table, name: str) -> Character:
    """A character who is in play and not dead (QG.9)."""
    who = table.character(name)
    if who.has(conditions.DEAD):
        table.refuse(
            f"{who.name} is dead: nothing acts on the dead but a ruling, or undoing what killed them.",
            table.parameter_of(name),
        )
    if not who.present:
        table.refuse(f"{who.name} has left the campaign. Name somebody who is in play.", table.parameter_of(name))
    return who


def able(table: Table, name: str, unable: Mapping[str, str]) -> Character:
    """A living character in none of the ``unable`` conditions, each of which comes with what would help."""
    who = living(table, name)
    for condition, help_ in unable.items():
        if who.has(condition):
            table.refuse(
                f"{who.name} is {condition} and cannot act. {help_.format(name=who.name, id=who.id)}",
                table.parameter_of(name),
            )
    return who


def other_targets(table: Table, attacker: Character, *targets: str) -> None:
    """Refuse an attack on the attacker."""
    if attacker.id in targets:
        who = attacker.name
        sentence = f"{who} cannot attack {who}. Harm without an attack is: harm {attacker.id} DICE"
        table.refuse(sentence, table.parameter_of(targets) or "target")


def other_opponent(table: Table, who: str, opponent: str) -> None:
    """Refuse an opponent who is the acting character."""
    if who == opponent:
        table.refuse("Nobody tries against themselves. Name somebody else as the opponent.", "opponent")


def distinct_living(table: Table, names: Sequence[str]) -> None:
    """Refuse names that are given twice, and characters who are dead or gone."""
    if len(set(names)) < len(names):
        table.refuse("Somebody is named twice; name each character once.", table.parameter_of(tuple(names)))
    for name in names:
        living(table, name)


def party(table: Table, named: Sequence[str] = PARTY, members: Sequence[Character] | None = None) -> list[Character]:
    """Those who are named, or the party: its ``members``, or else all player characters in play who live.

    Refused for the dead who are named, and if there is nobody.
    """
    if members is None:
        members = [who for who in table.player_characters() if not who.has(conditions.DEAD)]
    found = list(members) if tuple(named) == PARTY else [living(table, name) for name in named]
    if not found:
        table.refuse("There is nobody in the party. Name the characters instead.", table.parameter_of(tuple(named)))
    return found


def any_of(those: Iterable[Each], check: Callable[[Each], object]) -> None:
    """Refuse what the check refuses for each of those, as it does for the first; nothing if there are none."""
    refused: RollbookError | None = None
    for each in those:
        try:
            check(each)
        except RollbookError as reason:
            refused = refused or reason
        else:
            return
    if refused is not None:
        raise refused


def refusal(check: Callable[[], object]) -> str:
    """The words in which a check refuses, "" if it does not."""
    try:
        check()
    except Refused as refused:
        return str(refused)
    return ""


def is_gm(table: Table) -> bool:
    """True if the GM's seat acts, or no particular seat."""
    seat = table.acting_seat
    return seat is None or seat.role is Role.GM


def ruling(table: Table, parameter: str, unless: str) -> None:
    """Refuse a player's word for a ``parameter`` that is a ruling ``unless`` the state of the game shows it, in words."""
    if not table.gm_says(parameter):
        option = parameter.replace("_", "-")
        table.refuse(
            f"--{option} is a ruling unless {unless}, so the GM says it; {table.seat} can ask for it.", parameter
        )
