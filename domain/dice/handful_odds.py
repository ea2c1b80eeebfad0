"""The exact odds of one handful of dice with everything that is done to it.

Each die goes its own way until something is kept or dropped, and again after that, so the ways are simply added. Keeping
looks at all dice together: one keep is counted face by face, anything more tangled goes through all handfuls.
"""

from itertools import takewhile
from typing import Final, TypeAlias

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.kept_odds import kept_sum
from rollbook.domain.dice.pool_odds import pool_weights
from rollbook.domain.dice.tree import DOWN, KEEPS, Dice, Modifier
from rollbook.domain.dice.weights import Weights, added, check_size, mixed, renamed, repeated

DEEPEST_EXPLOSION: Final = 8
"""How many extra dice in a row one die can bring before the odds stop counting."""

MOST_EXPLOSIONS: Final = 2
"""How often the exact odds let the same dice explode."""

Modifiers: TypeAlias = tuple[Modifier, ...]


def handful_weights(dice: Dice) -> Weights[int]:
    """The outcomes of ``dice``. Raises DiceError if there are too many for an exact answer."""
    _check(dice)
    before = tuple(takewhile(lambda each: each.kind not in KEEPS, dice.modifiers))
    rest = dice.modifiers[len(before) :]
    keeps = tuple(takewhile(lambda each: each.kind in KEEPS, rest))
    after = rest[len(keeps) :]
    if any(each.kind in KEEPS for each in after) or (keeps and any(each.kind == "x" for each in before)):
        return pool_weights(dice, DEEPEST_EXPLOSION)
    one = _fate(_fresh(dice.sides), before, dice.sides)
    if not keeps:
        return repeated(one, dice.count)
    kept = range(dice.count)
    for keep in keeps:
        kept = kept[slice(*keep.window(len(kept)))]
    return kept_sum(dice.count, one, lambda face: _fate({face: 1}, after, dice.sides), (kept.start, kept.stop))


def _check(dice: Dice) -> None:
    kinds = [each.kind for each in dice.modifiers]
    if kinds.count("x") > MOST_EXPLOSIONS:
        raise DiceError(f"Exact odds let dice explode {MOST_EXPLOSIONS} times at most. Leave out an x.")
    many = len(kinds) > 1 and not {"ro", "rr", "x", DOWN}.isdisjoint(kinds)
    check_size(dice.sides * (dice.sides if many else 1) * max(1, len(kinds)))


def _fresh(sides: int) -> Weights[int]:
    return dict.fromkeys(range(1, sides + 1), 1)


def _fate(lying: Weights[int], modifiers: Modifiers, sides: int) -> Weights[int]:
    """What a die adds in the end that counts as one of ``lying`` before the first of ``modifiers``."""
    if modifiers and modifiers[-1].kind == DOWN:
        return _open_ended(lying, modifiers, sides)
    for place, modifier in enumerate(modifiers):
        match modifier.kind:
            case "mi" | "ma":
                lying = renamed(lying, modifier.clamp)
            case "cs":
                lying = renamed(lying, modifier.matches)
            case "x":
                return _exploded(lying, modifiers[place:], sides)
            case _:
                stay, go = _split(lying, modifier)
                fresh = _fresh(sides) if modifier.kind == "ro" else _split(_fresh(sides), modifier)[0]
                lying = mixed([(sum(stay.values()), stay), (sum(go.values()), fresh)])
    return lying


def _exploded(lying: Weights[int], modifiers: Modifiers, sides: int) -> Weights[int]:
    """The first of ``modifiers`` is the explosion; the die and all that it brings go through the others."""
    explosion, rest = modifiers[0], modifiers[1:]
    stay, go = _split(_fresh(sides), explosion)
    settled, going = _fate(stay, rest, sides), _fate(go, rest, sides)
    chain = _fate(_fresh(sides), rest, sides)
    for _ in range(1, DEEPEST_EXPLOSION):
        chain = mixed([(len(stay), settled), (len(go), added(going, chain))])
    stay, go = _split(lying, explosion)
    gone = added(_fate(go, rest, sides), chain)
    return mixed([(sum(stay.values()), _fate(stay, rest, sides)), (sum(go.values()), gone)])


def _open_ended(lying: Weights[int], modifiers: Modifiers, sides: int) -> Weights[int]:
    """The last of ``modifiers`` makes low dice subtract a further one, which explodes like the others."""
    *before, down = modifiers
    ups = tuple(each for each in before if each.kind == "x")
    stay, go = _split(_fate(lying, tuple(before[: len(before) - len(ups)]), sides), down)
    taken = renamed(_fate(_fresh(sides), ups, sides), lambda value: -value)
    return mixed([(sum(stay.values()), _fate(stay, ups, sides)), (sum(go.values()), added(go, taken))])


def _split(lying: Weights[int], modifier: Modifier) -> tuple[Weights[int], Weights[int]]:
    """Those that stay as they are, and those of which the modifier speaks."""
    stay = {value: weight for value, weight in lying.items() if not modifier.matches(value)}
    return stay, {value: weight for value, weight in lying.items() if value not in stay}
