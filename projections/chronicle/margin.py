"""What stands beside a sentence: the dice that fell for it, and what they met."""

import re
from collections.abc import Iterator

from rollbook.domain import events
from rollbook.domain.entries import Entry
from rollbook.domain.events import DiceRolled
from rollbook.projections.chronicle.clauses import Names
from rollbook.projections.roll_lines import roll_text

_MINUS = re.compile(r"(?<!\w)-(?=[ \d(a-z])")


def dice_beside(entry: Entry, checks: list[events.CheckResolved], names: Names) -> Iterator[str]:
    """A line for each roll: whose it is, where others rolled too; the dice as they lay; the target, where it met one."""
    waiting = list(checks)
    rolls = [event for event in entry.events if isinstance(event, DiceRolled)]
    several = len({roll.roller for roll in rolls}) > 1
    for roll in rolls:
        lay = _MINUS.sub("−", roll_text(roll))
        if lay:
            met = _met(roll, waiting)
            is_said = roll.roller and (several or roll.roller != entry.actor)
            whose = f"{names.get(roll.roller, roll.roller)} " if is_said else ""
            yield f"{whose}{lay}{f' against {met.target}' if met is not None else ''}"


def _met(roll: DiceRolled, waiting: list[events.CheckResolved]) -> events.CheckResolved | None:
    """The check that a roll decided, taken from those that wait for theirs."""
    found = next((check for check in waiting if check.character == roll.roller and check.total == roll.total), None)
    if found is not None:
        waiting.remove(found)
    return found
