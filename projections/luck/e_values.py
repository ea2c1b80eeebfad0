"""Evidence that may be looked at after every roll: e-values of a series of faces against fair dice.

An e-value is the money of a bettor who starts with 1 and cannot gain on average as long as the dice are fair. So the chance
that honest dice ever bring it to ``e`` is at most 1 in ``e``, whenever and however often anyone looks. Both values are
natural logarithms, because a long uneven series has one of hundreds of digits.
"""

from collections import Counter
from collections.abc import Sequence
from math import exp, fsum, lgamma, log, log1p
from typing import Final

STAKES: Final = (-0.5, -0.3, -0.15, 0.15, 0.3, 0.5)
"""What is betted on high (or low) faces; the mean of all six is one bet that nobody had to choose beforehand."""

EACH_FACE: Final = 8.0
"""How firmly the shape's own dice are thought to be fair: as if each face had been seen so often before."""

SHOWN_FROM: Final = 20.0
"""An e-value below this says nothing worth saying."""


def directional(faces: Sequence[int], sides: int) -> float:
    """The logarithm of the e-value against dice that fall high, or low, too often."""
    middle, half = (sides + 1) / 2, (sides - 1) / 2
    counts = Counter(faces)
    grown = [fsum(many * log1p(stake * (face - middle) / half) for face, many in counts.items()) for stake in STAKES]
    most = max(grown)
    return most + log(fsum(exp(each - most) for each in grown) / len(grown))


def shape(faces: Sequence[int], sides: int) -> float:
    """The logarithm of the e-value against dice that show some face, whichever it is, too often."""
    whole = EACH_FACE * sides
    shown = fsum(lgamma(EACH_FACE + many) - lgamma(EACH_FACE) for many in Counter(faces).values())
    return lgamma(whole) - lgamma(whole + len(faces)) + shown + len(faces) * log(sides)
