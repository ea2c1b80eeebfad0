"""What can be read and cannot be meant: a face that no die has, a keep of nothing, two rerolls on one die.

Only what is asked for from now on is held to it. What is on record is rolled again as it was.
"""

from collections.abc import Iterator, Sequence

from rollbook.domain.dice.refused_notation import no_face
from rollbook.domain.dice.scanner import Scanner
from rollbook.domain.dice.tree import KEEPS, Dice, Modifier

_REROLLS = frozenset({"ro", "rr"})
_DROPS = frozenset({"dh", "dl"})


def check_meant(scanner: Scanner, dice: Dice, starts: Sequence[int]) -> None:
    """Raise DiceError for a handful that nobody can mean; its modifiers begin at ``starts``."""
    for place, said in _faults(dice):
        scanner.refuse(said, starts[place])


def _faults(dice: Dice) -> Iterator[tuple[int, str]]:
    """What is wrong, by the place of the modifier."""
    before: set[str] = set()
    left = dice.count
    for place, modifier in enumerate(dice.modifiers):
        kind, number = modifier.kind, modifier.number
        if kind in _REROLLS and before & _REROLLS:
            yield place, "A die is rerolled in one way. Write one ro or rr, as in ro<=2."
        if kind in KEEPS:
            if before & (_DROPS if kind not in _DROPS else KEEPS - _DROPS):
                yield place, "Keep and drop do not go together. Write one of them: kh or kl, or dh or dl."
            if said := _wrong_number(modifier, left, is_open="x" in before):
                yield place, said
            low, high = modifier.window(left)
            left = high - low
        elif not 1 <= number <= dice.sides:
            yield place, no_face(dice.sides, number)
        before.add(kind)


def _wrong_number(modifier: Modifier, left: int, *, is_open: bool) -> str:
    """What is wrong with how many dice of those ``left`` are kept or dropped; more may lie there if it ``is_open``."""
    most = left - 1 if modifier.kind in _DROPS else left
    if modifier.number == 0 or (modifier.number > most and not is_open):
        does = "drops" if modifier.kind in _DROPS else "keeps"
        said = f"{modifier.kind}{modifier.number} {does} {modifier.number} of {left} dice."
        return (
            f"{said} Write a number from 1{'' if is_open else f' to {most}'}." if most > 0 else f"{said} Leave it out."
        )
    return ""
