"""The exact odds of one handful of dice with everything that is done to it.

Each die goes its own way until something is kept or dropped, and again after that, so the ways are simply added. Keeping
looks at all dice together: one keep is counted face by face, anything more tangled goes through all handfuls, as tuples of
what the dice count, sorted upwards. This is slow, and refused early.
"""

from collections.abc import Callable
from itertools import product, takewhile
from math import comb
from typing import Final, TypeAlias

from rollbook.domain.dice import weights
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.tree import DOWN, KEEPS, Dice, Modifier
from rollbook.domain.dice.weights import Effort, Weights, added, collect, mixed

DEEPEST_EXPLOSION: Final = 8
"""Most extra dice in a row from one die before the odds stop counting."""

MOST_EXPLOSIONS: Final = 2
"""Most explosions on the same dice in exact odds."""

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
        return weights.repeated(one, dice.count)
    kept = range(dice.count)
    for keep in keeps:
        kept = kept[slice(*keep.window(len(kept)))]
    return kept_sum(dice.count, one, lambda face: _fate({face: 1}, after, dice.sides), (kept.start, kept.stop))


def _check(dice: Dice) -> None:
    kinds = [each.kind for each in dice.modifiers]
    if kinds.count("x") > MOST_EXPLOSIONS:
        raise DiceError(f"Exact odds let dice explode {MOST_EXPLOSIONS} times at most. Leave out an x.")
    many = len(kinds) > 1 and not {"ro", "rr", "x", DOWN}.isdisjoint(kinds)
    weights.check_size(dice.sides * (dice.sides if many else 1) * max(1, len(kinds)))


def _fresh(sides: int) -> Weights[int]:
    return dict.fromkeys(range(1, sides + 1), 1)


def _fate(lying: Weights[int], modifiers: Modifiers, sides: int) -> Weights[int]:
    """The odds of a die's final addend, if it counts as one of ``lying`` before the first of ``modifiers``."""
    if modifiers and modifiers[-1].kind == DOWN:
        return _open_ended(lying, modifiers, sides)
    for place, modifier in enumerate(modifiers):
        match modifier.kind:
            case "mi" | "ma":
                lying = weights.renamed(lying, modifier.clamp)
            case "cs":
                lying = weights.renamed(lying, modifier.matches)
            case "x":
                return _exploded(lying, modifiers[place:], sides)
            case _:
                stay, go = _split(lying, modifier)
                fresh = _fresh(sides) if modifier.kind == "ro" else _split(_fresh(sides), modifier)[0]
                lying = mixed([(sum(stay.values()), stay), (sum(go.values()), fresh)])
    return lying


def _exploded(lying: Weights[int], modifiers: Modifiers, sides: int) -> Weights[int]:
    """The odds of a die that explodes by the first of ``modifiers``; it and the dice it brings go through the rest."""
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
    """The odds of a die that, if low by the last of ``modifiers``, subtracts a further one, which may explode too."""
    *before, down = modifiers
    ups = tuple(each for each in before if each.kind == "x")
    stay, go = _split(_fate(lying, tuple(before[: len(before) - len(ups)]), sides), down)
    taken = weights.renamed(_fate(_fresh(sides), ups, sides), lambda value: -value)
    return mixed([(sum(stay.values()), _fate(stay, ups, sides)), (sum(go.values()), added(go, taken))])


def _split(lying: Weights[int], modifier: Modifier) -> tuple[Weights[int], Weights[int]]:
    """The dice that stay as they are, and those that the modifier matches."""
    stay = {value: weight for value, weight in lying.items() if not modifier.matches(value)}
    return stay, {value: weight for value, weight in lying.items() if value not in stay}


_STEPS_FOR_ONE: Final = 10
"""Cost, in plain steps, of asking how many of the dice show a face; big handfuls need big numbers besides."""


def kept_sum(
    count: int, faces: Weights[int], adds_of: Callable[[int], Weights[int]], window: tuple[int, int]
) -> Weights[int]:
    """The sum of those of ``count`` dice that lie in ``window`` when sorted upwards.

    ``faces`` are the odds of one die, ``adds_of`` what a kept die with a face adds. Raises DiceError if it takes too long.
    """
    first, stop = window
    order = sorted(faces)
    if count - first < stop:
        order.reverse()
        first, stop = count - stop, count - first
    weights.check_size(_STEPS_FOR_ONE * len(order) * count * stop * (1 + count // 100))
    adds = [adds_of(face) for face in order]
    keeping = _Keeping(count, first, stop)
    to_come = sum(faces.values())
    for face, added_by, scale in zip(order, adds, weights.same_whole(adds), strict=True):
        to_come -= faces[face]
        scaled = {value: weight * scale for value, weight in added_by.items()}
        keeping.count_face(faces[face], scaled, to_come)
    return {value: weight for value, weight in keeping.finished.items() if weight}


class _Keeping:
    """Sums being counted: ``passed`` maps a number of dice to the odds of their sum; ``finished`` has all kept dice."""

    def __init__(self, count: int, first: int, stop: int) -> None:
        self.count = count
        self.first = first
        self.stop = stop
        self.passed: dict[int, Weights[int]] = {0: {0: 1}}
        self.finished: Weights[int] = {}
        self.effort = Effort()

    def count_face(self, weight: int, adds: Weights[int], to_come: int) -> None:
        """Count the next face, which has ``weight``; the faces behind it weigh ``to_come`` together."""
        before, self.passed = self.passed, {}
        powers: list[Weights[int]] = [{0: 1}]
        for done, sums in before.items():
            left = self.count - done
            ways = [comb(left, showing) * weight**showing for showing in range(left + 1)]
            short = self.stop - done
            for showing, way in enumerate(ways[:short]):
                kept = max(0, done + showing - max(done, self.first))
                collect(self.passed.setdefault(done + showing, {}), self.further(sums, powers, adds, kept), way)
            full = sum(way * to_come ** (left - showing) for showing, way in enumerate(ways) if showing >= short)
            collect(self.finished, self.further(sums, powers, adds, self.stop - max(done, self.first)), full)

    def further(self, sums: Weights[int], powers: list[Weights[int]], adds: Weights[int], kept: int) -> Weights[int]:
        """``sums`` with ``kept`` dice more, each adding ``adds``; the ``powers`` of ``adds`` are remembered."""
        while len(powers) <= kept:
            self.effort.spend(len(powers[-1]) * len(adds))
            powers.append(added(powers[-1], adds))
        self.effort.spend(len(sums) * len(powers[kept]))
        return added(sums, powers[kept])


Pool: TypeAlias = tuple[int, ...]

_COST: Final = 10
"""Cost of one step with pools, in steps with plain numbers."""


def pool_weights(dice: Dice, depth: int) -> Weights[int]:
    """The outcomes of ``dice``; one die brings at most ``depth`` extra dice. Raises DiceError if it takes too long."""
    work = _Work(dice.sides, depth)
    pools: Weights[Pool] = {(): 1}
    for _ in range(dice.count):
        pools = work.joined(pools, work.fresh)
    for modifier in dice.modifiers:
        pools = mixed((weight, work.after(pool, modifier)) for pool, weight in pools.items())
    return weights.added_up((sum(pool), weight) for pool, weight in pools.items())


class _Work:
    """The pools of dice with so many ``sides``, and the effort spent on them."""

    def __init__(self, sides: int, depth: int) -> None:
        self.fresh: Weights[Pool] = {(face,): 1 for face in range(1, sides + 1)}
        self.depth = depth
        self.effort = Effort()

    def joined(self, left: Weights[Pool], right: Weights[Pool]) -> Weights[Pool]:
        """Two independent pools lying together."""
        self.effort.spend(_COST * len(left) * len(right))
        pairs = product(left.items(), right.items())
        return weights.added_up(
            (tuple(sorted(one + other)), weight * further) for (one, weight), (other, further) in pairs
        )

    def after(self, pool: Pool, modifier: Modifier) -> Weights[Pool]:
        self.effort.spend(_COST)
        if modifier.kind in KEEPS:
            first, stop = modifier.window(len(pool))
            return {pool[first:stop]: 1}
        if modifier.kind in {"mi", "ma"}:
            return {tuple(sorted(map(modifier.clamp, pool))): 1}
        if modifier.kind == "cs":
            return {(sum(map(modifier.matches, pool)),): 1}
        found: Weights[Pool] = {(): 1}
        for value in pool:
            found = self.joined(found, self.fate(value, modifier) if modifier.matches(value) else {(value,): 1})
        return found

    def fate(self, value: int, modifier: Modifier) -> Weights[Pool]:
        """The odds of the fate of a die that the modifier matches."""
        if modifier.kind == "ro":
            return self.fresh
        if modifier.kind == "rr":
            return {pool: 1 for pool in self.fresh if not modifier.matches(pool[0])}
        chain = self.fresh
        for _ in range(1, self.depth):
            chain = mixed(
                (1, self.joined({pool: 1}, chain) if modifier.matches(pool[0]) else {pool: 1}) for pool in self.fresh
            )
        return self.joined({(value,): 1}, chain)
