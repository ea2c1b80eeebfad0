"""Dice that fall by a seed, with more lowest and highest faces than honest dice show."""

import random

from rollbook.domain.dice.supply import Hand, PhysicalHand, Request

WITHOUT_END = 5_000
"""No action at a table takes more dice than this."""

EXTREME = 0.3
"""How often a die shows its lowest or its highest face on purpose: rules look at those most."""


class SeededDice:
    """Dice that fall by a seed, with more ones and more highest faces than honest dice show; ``faces`` are those so far."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - the play is random, and nothing is secret
        self.faces: list[int] = []

    def hand(self, request: Request) -> Hand:
        """The dice for one roll."""
        return PhysicalHand(self.draw, request)

    def finish(self) -> None:
        """There are always more."""

    def draw(self, sides: int) -> int:
        """The next die. Raises AssertionError if an action never stops rolling."""
        if len(self.faces) == WITHOUT_END:
            raise AssertionError(f"One action has rolled {WITHOUT_END} dice, and still wants more.")
        is_extreme = self._random.random() < EXTREME
        self.faces.append(self._random.choice((1, sides)) if is_extreme else self._random.randint(1, sides))
        return self.faces[-1]
