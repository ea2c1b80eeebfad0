"""Report on a number of rolls: by seat, character, session or kind of roll."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, TypeVar

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.dice.record import OVERRIDE
from rollbook.domain.dice.recorded import sourced
from rollbook.projections.luck import patterns
from rollbook.projections.luck.against_odds import Hits, Luck, fair, hits, luck
from rollbook.projections.luck.throws import DiscardReason, Origin, Throw, Throws, source_origin

Member = TypeVar("Member")
Key = TypeVar("Key", bound=Hashable)

BY: Final = ("seat", "character", "session", "kind")
"""Groupings of rolls; a kind is the purpose of a roll."""
ROWS: Final = 20
"""The most rows of a histogram."""


@attrs.frozen
class FaceSeries(Record):
    """The faces of all dice of one size and origin, in the order in which they fell."""

    origin: Origin
    sides: int
    faces: tuple[int, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of times that each face fell, from 1 up."""
        counted = Counter(self.faces)
        return tuple(counted[face] for face in range(1, self.sides + 1))

    @property
    def mean(self) -> float:
        return sum(self.faces) / len(self.faces)

    @property
    def fair_mean(self) -> tuple[float, float]:
        """The range of the means of two of three fair series of this length."""
        return fair((self.sides + 1) / 2, (self.sides**2 - 1) / 12 / len(self.faces))

    @property
    def rows(self) -> list[tuple[str, int, tuple[float, float]]]:
        """A row for each face, or for a few of a die with many sides: the faces, their count, and its fair range.

        Counts of fair dice lie in that range nineteen times of twenty.
        """
        step = -(-self.sides // ROWS)
        found = []
        for first in range(1, self.sides + 1, step):
            last = min(first + step - 1, self.sides)
            share = (last - first + 1) / self.sides
            mean = len(self.faces) * share
            low, high = fair(mean, mean * (1 - share), patterns.NINETEEN_OF_TWENTY)
            name = str(first) if first == last else f"{first}–{last}"
            found.append((name, sum(first <= face <= last for face in self.faces), (max(0.0, low), high)))
        return found


@attrs.frozen
class Typed(Record):
    """The dice of one size that one seat typed in, and the tests of them. E-values are natural logarithms."""

    seat: str
    faces: FaceSeries
    directional: float
    shape: float
    repeats: patterns.Count | None
    runs: patterns.Count | None


@attrs.frozen
class RollGroup(Record):
    """The rolls of one seat, character, session or kind, from one ``origin``; ``sessions`` has the luck of each session."""

    key: str
    origin: Origin
    luck: Luck
    hits: Hits
    sessions: tuple[tuple[int, Luck], ...]


@attrs.frozen
class Report(Record):
    """Report on rolls in groups ``by`` one of ``BY``, and on each session.

    ``aside`` counts the discarded rolls by reason, ``selective`` ranks each seat's choices.
    """

    by: str
    rolls: int
    origins: Mapping[Origin, int]
    sessions: tuple[tuple[int, Luck], ...]
    groups: tuple[RollGroup, ...]
    faces: tuple[FaceSeries, ...]
    typed: tuple[Typed, ...]
    aside: Mapping[DiscardReason, int]
    selective: Mapping[str, patterns.Selectivity]

    @property
    def party(self) -> int:
        """The number of seats, characters, sessions or kinds with enough rolls to say anything."""
        return len({group.key for group in self.groups if group.luck.is_enough})

    def to_dicts(self) -> list[dict[str, str | int | float]]:
        """A row of a data frame for each group and session: what its rolls came to, and what fair dice come to.

        ``expected`` and ``variance`` add up over rows, as ``total`` does. The group is called as it is grouped ``by``.
        """
        return [
            {
                self.by: group.key,
                "origin": str(group.origin),
                "session": session,
                "rolls": luck.rolls,
                "total": luck.total,
                "expected": luck.mean,
                "variance": luck.variance,
            }
            for group in self.groups
            for session, luck in group.sessions
        ]


def report(throws: Throws, by: str = "seat") -> Report:
    """Make the report on these rolls, in groups by ``by``."""
    counting = throws.counting
    fallen = [throw for throw in counting if throw.origin is not Origin.OVERRIDDEN]
    groups = _grouped(fallen, lambda throw: (_KEYS[by](throw), throw.origin))
    chosen = _grouped((each for each in throws.aside if each.chosen), lambda each: each.by)
    return Report(
        by=by,
        rolls=len(counting),
        origins=Counter(throw.origin for throw in counting),
        sessions=tuple(_sessions(fallen)),
        groups=tuple(_group(*key, found) for key, found in groups.items()),
        faces=tuple(_faces(counting)),
        typed=tuple(_typed(counting)),
        aside=Counter(each.fate for each in throws.aside),
        selective={seat: patterns.selectivity(each.throw.roll for each in own) for seat, own in chosen.items()},
    )


def _grouped(members: Iterable[Member], key_of: Callable[[Member], Key]) -> dict[Key, list[Member]]:
    found: dict[Key, list[Member]] = defaultdict(list)
    for member in members:
        found[key_of(member)].append(member)
    return found


_KEYS: Mapping[str, Callable[[Throw], str]] = {
    "seat": lambda throw: throw.seat,
    "character": lambda throw: throw.roll.roller,
    "session": lambda throw: str(throw.session),
    "kind": lambda throw: throw.roll.purpose,
}


def _group(key: str, origin: Origin, throws: Sequence[Throw]) -> RollGroup:
    return RollGroup(
        key=key,
        origin=origin,
        luck=luck(throw.roll for throw in throws),
        hits=hits((throw.roll, throw.check) for throw in throws if throw.check is not None),
        sessions=tuple(_sessions(throws)),
    )


def _sessions(throws: Iterable[Throw]) -> Iterator[tuple[int, Luck]]:
    for number, own in sorted(_grouped(throws, lambda throw: throw.session).items()):
        yield number, luck(throw.roll for throw in own)


def _faces(throws: Iterable[Throw]) -> Iterator[FaceSeries]:
    """Yield the faces by origin and size, the most used first; overridden dice are left out, as they never fell."""
    found: dict[tuple[Origin, int], list[int]] = defaultdict(list)
    for die, source in chain.from_iterable(sourced(throw.roll) for throw in throws):
        if source.kind != OVERRIDE and 1 <= die.face <= die.sides:
            found[source_origin(source), die.sides].append(die.face)
    for (origin, sides), faces in sorted(found.items(), key=lambda each: (each[0][0], -len(each[1]), each[0][1])):
        yield FaceSeries(origin, sides, tuple(faces))


def _typed(throws: Iterable[Throw]) -> Iterator[Typed]:
    for seat, own in _grouped(throws, lambda throw: throw.seat).items():
        for faces in _faces(own):
            if faces.origin is Origin.TYPED:
                series = faces.faces, faces.sides
                uneven = patterns.directional(*series), patterns.shape(*series)
                yield Typed(seat, faces, *uneven, patterns.repeats(*series), patterns.runs(*series))
