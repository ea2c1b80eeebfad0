"""The odds of handfuls in which dice explode or are rerolled between one keep and the next.

There is no short cut: all handfuls are gone through, as tuples of what the dice count, sorted upwards. This is slow, and
refused early.
"""

from itertools import product
from typing import Final, TypeAlias

from rollbook.domain.dice.tree import KEEPS, Dice, Modifier
from rollbook.domain.dice.weights import Effort, Weights, added_up, mixed

Pool: TypeAlias = tuple[int, ...]

_COST: Final = 10
"""How many steps with plain numbers one step with pools is worth."""


def pool_weights(dice: Dice, depth: int) -> Weights[int]:
    """The outcomes of ``dice``; one die brings at most ``depth`` extra dice. Raises DiceError if it takes too long."""
    work = _Work(dice.sides, depth)
    pools: Weights[Pool] = {(): 1}
    for _ in range(dice.count):
        pools = work.joined(pools, work.fresh)
    for modifier in dice.modifiers:
        pools = mixed((weight, work.after(pool, modifier)) for pool, weight in pools.items())
    return added_up((sum(pool), weight) for pool, weight in pools.items())


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
        return added_up((tuple(sorted(one + other)), weight * further) for (one, weight), (other, further) in pairs)

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
        """What a die of which the modifier speaks becomes."""
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
