"""Stats as people enter them (by name, or six scores in a row) and as they are recorded."""

import re
from collections.abc import Mapping, Sequence

from rollbook.plugin import Character, Table, Term, events

__all__ = ["add", "checked_stats", "parse_scores", "set_to", "terms"]

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_LARGEST = 999_999
_NUMBER = re.compile(r"[+-]?[0-9]{1,4}")


def checked_stats(table: Table, entered: Mapping[str, int], known: Sequence[str] = ()) -> dict[str, int]:
    """Numbers by name, unchanged. Refused for numbers that no sheet has, and names that are not ``known`` (if any)."""
    for name, amount in entered.items():
        if not _NAME.fullmatch(name) or abs(amount) > _LARGEST:
            table.refuse(
                f"A number on the sheet is written name=number, as in to_hit=4, not '{name}={amount}'.",
                table.parameter_of(entered),
            )
        if known and name not in known:
            table.refuse(
                f"There is no number called {name!r} on the sheet. Known are: {', '.join(known)}.",
                table.parameter_of(entered),
            )
    return dict(entered)


def parse_scores(table: Table, typed: Sequence[str], names: Sequence[str], *, what: str) -> dict[str, int]:
    """As many numbers as there are ``names``, in their order. Refused, saying ``what`` they are, for anything else."""
    if len(typed) != len(names) or not all(_NUMBER.fullmatch(text) for text in typed):
        listed = ", ".join(name.upper() for name in names)
        table.refuse(
            f"{what} are {len(names)} numbers ({listed}), as in {','.join(['1'] * len(names))}; not {','.join(typed)!r}.",
            table.parameter_of(typed),
        )
    return dict(zip(names, map(int, typed), strict=True))


def terms(who: Character, stat: str, label: str = "as entered", rule: str = "QG.8") -> tuple[Term, ...]:
    """A number on a character's sheet as a summand; none if the sheet does not have it."""
    return (Term(who.stats[stat], label, rule, f"stat.{stat}"),) if stat in who.stats else ()


def add(table: Table, name: str, numbers: Mapping[str, int], *, reason: str = "as entered") -> None:
    """Raise each number on a character's sheet by so much; 0 is left out."""
    for stat, amount in numbers.items():
        if amount:
            table.record(events.StatChanged(character=name, stat=stat, amount=amount, reason=reason))


def set_to(table: Table, name: str, stat: str, amount: int, *, reason: str = "as entered") -> None:
    """Set a number on a character's sheet; recorded only if it changes, or if the sheet does not have it."""
    stats = table.character(name).stats
    change = amount - stats.get(stat, 0)
    if change or stat not in stats:
        table.record(events.StatChanged(character=name, stat=stat, amount=change, reason=reason))
