"""The odds of the dice that are kept out of a handful, counted face by face.

From the end that is nearer to the kept dice, every face asks how many dice show it. As soon as all kept dice are known,
those that are left may show any of the faces to come.
"""

from collections.abc import Callable
from math import comb
from typing import Final

from rollbook.domain.dice.weights import Effort, Weights, added, check_size, collect, same_whole

_STEPS_FOR_ONE: Final = 10
"""How many plain steps it takes to ask how many of the dice show a face; big handfuls need big numbers besides."""


def kept_sum(
    count: int, faces: Weights[int], adds_of: Callable[[int], Weights[int]], window: tuple[int, int]
) -> Weights[int]:
    """The sum of those of ``count`` dice that lie in ``window`` when sorted upwards.

    ``faces`` are the odds of one die, ``adds_of`` what a kept die adds that shows a face. Raises DiceError if it
    takes too long.
    """
    first, stop = window
    order = sorted(faces)
    if count - first < stop:
        order.reverse()
        first, stop = count - stop, count - first
    check_size(_STEPS_FOR_ONE * len(order) * count * stop * (1 + count // 100))
    adds = [adds_of(face) for face in order]
    keeping = _Keeping(count, first, stop)
    to_come = sum(faces.values())
    for face, added_by, scale in zip(order, adds, same_whole(adds), strict=True):
        to_come -= faces[face]
        scaled = {value: weight * scale for value, weight in added_by.items()}
        keeping.count_face(faces[face], scaled, to_come)
    return {value: weight for value, weight in keeping.finished.items() if weight}


class _Keeping:
    """``passed`` maps how many dice are counted to the odds of their sum; ``finished`` knows all dice that are kept."""

    def __init__(self, count: int, first: int, stop: int) -> None:
        self.count = count
        self.first = first
        self.stop = stop
        self.passed: dict[int, Weights[int]] = {0: {0: 1}}
        self.finished: Weights[int] = {}
        self.effort = Effort()

    def count_face(self, weight: int, adds: Weights[int], to_come: int) -> None:
        """The next face has ``weight``, the faces behind it weigh ``to_come`` together."""
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
