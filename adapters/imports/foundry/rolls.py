"""Reader of rolls as Foundry stores them: terms with their dice, and the total, which is taken as recorded.

No roll is lost: if one cannot be read in detail, its formula and total are imported, with a remark. In versions before
12 the dice of a parenthesis or a function are apart from the terms, in ``dice``. A total is kept in whole points; a
fraction is in the label of a number beside the dice.
"""

import math
import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

import attrs

from rollbook.adapters.imports.course import ImportedRoll
from rollbook.adapters.imports.foundry.formulas import canonical
from rollbook.adapters.imports.foundry.roll_terms import Odd, Walk, flats_of
from rollbook.adapters.imports.foundry.values import NOTHING, Fields, each, fields, number, unpacked, words

LONGEST_FORMULA = 300
NO_ROLL = "what stands there is not written as a roll"
NO_DICE = "none of the dice could be read, and the total was kept"
UNREAD = "not all of the dice could be read, and the total was kept"
UNKNOWN = "a part has a shape that this import does not know; dice in it were kept, and the total"
NO_TOTAL = "there is no total, and 0 was taken"
TOTAL_OF_DICE = "there is no total, and that of the dice was taken"
TOO_LARGE = "the total is larger than can be kept, and that of the dice was taken, or 0"
ODD_DICE = "a sort of dice counts in a way that this import does not know, and the total was kept"
OTHER_SUM = "dice and numbers come to something else than was recorded, and the total was kept"
_ASKS = re.compile(r"(?<![a-z0-9])[1-9][0-9]*d[1-9]", re.IGNORECASE)


@attrs.frozen
class FoundryRoll(ImportedRoll):
    """A Foundry roll: ``formula`` is its typed form, ``options`` are the game system's.

    ``reason`` is why a part could not be kept as it is, "" if all was kept, and ``detail`` names the part of this roll.
    ``seen`` counts the dice on record, which may be more than could be read.
    """

    LOOKED_AT: ClassVar[tuple[int, ...]] = (20, 100)

    options: Fields = NOTHING
    kind: str = ""
    reason: str = ""
    detail: str = ""
    is_as_recorded: bool = True
    seen: int = 0


def read_roll(value: object, shown: str = "") -> FoundryRoll:
    """The roll in a document, or in a string of JSON; ``shown`` is the message's text in its place. Never raises."""
    roll = fields(value)
    recorded = number(roll.get("total"))
    if recorded is None:
        recorded = number(shown.strip()) if shown else None
    formula = _formula(roll, value)
    walk = _walked(roll)
    walk.is_unread |= walk.seen > len(walk.dice)
    reason, detail = _missing(roll, walk, formula, recorded)
    is_known = recorded is not None
    if recorded is None:
        recorded = walk.total if walk.is_sum else 0
    total = math.floor(recorded)
    fits = not walk.is_sum or walk.total == recorded
    expression = canonical(each(roll.get("terms"))) if not walk.is_apart and fits else ""
    return FoundryRoll(
        formula=formula if total == recorded or walk.dice else f"{formula} ({recorded:.12g})",
        expression=expression or formula,
        total=total,
        dice=tuple(walk.dice),
        flat=flats_of(walk, total, recorded),
        options=fields(roll.get("options")),
        kind=words(roll.get("class")),
        reason=reason,
        detail=detail,
        is_as_recorded=is_known,
        seen=max(walk.seen, len(walk.dice)),
    )


def _walked(roll: Fields) -> Walk:
    """The walk through a roll: without any dice if rollbook's cannot show one of them."""
    walk = Walk()
    try:
        walk.all_of(roll)
    except (Odd, RecursionError):
        seen, walk = walk.seen, Walk()
        walk.seen, walk.is_unread, walk.is_sum = seen, True, False
    return walk


def _missing(roll: Fields, walk: Walk, formula: str, recorded: float | None) -> tuple[str, str]:
    """The reason why a part of a roll could not be kept, and the part; empty if all was kept."""
    if not roll:
        return NO_ROLL, ""
    if recorded is None and isinstance(roll.get("total"), int | float) and not isinstance(roll["total"], bool):
        return TOO_LARGE, f"{roll['total']:.6g}"
    if walk.is_unread:
        return (UNREAD if walk.dice else NO_DICE), ""
    if walk.unknown:
        return UNKNOWN, ", ".join(walk.unknown)[:80]
    if recorded is None:
        return (TOTAL_OF_DICE if walk.is_sum else NO_TOTAL), ""
    if walk.is_sum and walk.dice and walk.total != recorded:
        sums = f"{walk.total:.12g} instead of {recorded:.12g}"
        return (ODD_DICE, f"{', '.join(walk.odd_dice)}, {sums}") if walk.odd_dice else (OTHER_SUM, sums)
    if not walk.dice and "terms" in roll and _ASKS.search(formula):
        return NO_DICE, ""
    return "", ""


def _formula(roll: Fields, value: object) -> str:
    said = words(roll.get("formula")) or words(roll.get("_formula"))
    if not said and isinstance(value, str) and unpacked(value) is None:
        said = words(value)
    return " ".join(said.split())[:LONGEST_FORMULA] or "?"


def shown_rolls(rolls: Iterable[Fields], known: Iterable[FoundryRoll]) -> Iterator[FoundryRoll]:
    """The rolls of a card's HTML that are not among the rolls of its message."""
    there = [*known]
    for document in rolls:
        found = read_roll(document)
        same = next((one for one in there if _is_shown(one, found)), None)
        if same is None:
            yield found
        else:
            there.remove(same)


def _is_shown(roll: FoundryRoll, shown: FoundryRoll) -> bool:
    """True if a card shows this roll: the totals are equal, and so are the kept dice, if both have any."""
    faces, others = (sorted(die.face for die in one.dice if die.kept) for one in (roll, shown))
    return roll.total == shown.total and (faces == others or not roll.dice or not shown.dice)


def inline_rolls(rolls: Iterable[str], known: Iterable[FoundryRoll]) -> Iterator[FoundryRoll]:
    """The rolls inside the words of a message that are not among its rolls."""
    there = [*known]
    for value in rolls:
        found = read_roll(value)
        if found in there:
            there.remove(found)
        else:
            yield found
