"""Values of a forecast: possible outcomes of an action and their chances, exact fractions added up over all paths."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import TypeVar

import attrs

from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.dice.odds import Distribution
from rollbook.domain.dice.weights import added_up
from rollbook.domain.forecast.outcome import AmountKey, Checked, PathOutcome, RollKey, Spread, Turned

NONE = Fraction(0)

_Of = TypeVar("_Of", bound=Hashable)


@attrs.frozen
class Consequences(Record):
    """Results of all checks of the action, in their order, and the chance of that. No checks: nothing is at stake."""

    checks: tuple[Checked, ...]
    chance: Fraction


@attrs.frozen
class ForecastOutcome(Record):
    """One way in which a check comes out."""

    outcome: str
    success: bool
    chance: Fraction


@attrs.frozen
class CheckChance(Record):
    """One check by itself. ``made`` is the chance that it happens; ``success`` and the outcomes are shares of all.

    ``ordinal`` counts checks of the same name by the same character against the same from 0.
    """

    character: CharacterId
    check: str
    against: str
    ordinal: int
    made: Fraction
    success: Fraction
    outcomes: tuple[ForecastOutcome, ...]


@attrs.frozen
class Amount(Record):
    """Distribution of an amount: a path that does not touch it counts as 0, so that the mean is what to expect."""

    of: AmountKey
    totals: Distribution


@attrs.frozen
class TurnedChance(Record):
    """The chance that a condition begins, or ends."""

    turned: Turned
    chance: Fraction


@attrs.frozen
class RollChance(Record):
    """A roll: the chance that it is made, and its totals if it is."""

    roll: RollKey
    made: Fraction
    totals: Distribution


@attrs.frozen
class Refusal(Record):
    """A way in which the rules say no only once dice have fallen."""

    sentence: str
    chance: Fraction


@attrs.frozen(kw_only=True)
class Forecast(Record):
    """Everything that may come of an action, the likeliest first.

    The chances of the stories and the refusals add up to exactly 1. They are shares of what was followed, and ``not_followed``
    is what was not: chains of dice without an end (an exploding die, a tie that is rolled again for ever) are cut where hardly
    anything is left. Where each round of a chain is like the one before, as with ties, the shares are nevertheless exact.
    ``first`` has each character's chance of the first turn that begins; ``paths`` counts the ways that were followed.
    """

    stories: tuple[Consequences, ...]
    checks: tuple[CheckChance, ...]
    amounts: tuple[Amount, ...]
    turned: tuple[TurnedChance, ...]
    first: Mapping[CharacterId, Fraction]
    rolls: tuple[RollChance, ...]
    refusals: tuple[Refusal, ...]
    not_followed: Fraction
    paths: int

    def amount(self, character: CharacterId, kind: str, name: str = "") -> Distribution:
        """The distribution of one amount; a certain 0 if nothing touches it."""
        wanted = AmountKey(character, kind, name)
        return next((each.totals for each in self.amounts if each.of == wanted), Distribution({0: 1}))

    def chance_of(self, character: CharacterId, condition: str, *, began: bool = True) -> Fraction:
        """The chance that a condition begins, or (not ``began``) ends."""
        wanted = Turned(character, condition, began)
        return next((each.chance for each in self.turned if each.turned == wanted), NONE)


class ChanceTally:
    """Adds the outcomes of all paths up into a forecast."""

    def __init__(self) -> None:
        self._endings: list[PathOutcome] = []
        self.followed = NONE

    def add(self, ending: PathOutcome) -> None:
        self._endings.append(ending)
        self.followed += ending.chance

    @property
    def refusal(self) -> RollbookError | None:
        """The error that refuses the action whatever falls; None if it can be done."""
        refusals = [ending.refusal for ending in self._endings]
        return refusals[0] if all(refusals) else None

    def forecast(self) -> Forecast:
        ends = self._endings
        stories = self._shares((end.checks, end.chance) for end in ends if not end.refusal)
        turned = self._shares((turned, end.chance) for end in ends for turned in end.turned)
        refusals = self._shares((str(end.refusal), end.chance) for end in ends if end.refusal)
        return Forecast(
            stories=tuple(Consequences(checks, chance) for checks, chance in stories.items()),
            checks=tuple(self._checks()),
            amounts=tuple(self._amounts()),
            turned=tuple(TurnedChance(each, chance) for each, chance in turned.items()),
            first=self._shares((end.first, end.chance) for end in ends if end.first),
            rolls=tuple(self._rolls()),
            refusals=tuple(Refusal(sentence, chance) for sentence, chance in refusals.items()),
            not_followed=1 - self.followed,
            paths=len(ends),
        )

    def _shares(self, parts: Iterable[tuple[_Of, Fraction]]) -> dict[_Of, Fraction]:
        """The chances of equal parts added up, as shares of what was followed; the likeliest first."""
        found = added_up(parts)
        return {each: found[each] / self.followed for each in sorted(found, key=lambda each: -found[each])}

    def _checks(self) -> Iterator[CheckChance]:
        found: dict[tuple[str, str, str, int], list[tuple[Checked, Fraction]]] = {}
        for end in self._endings:
            for key, checked in _counted(end.checks):
                found.setdefault(key, []).append((checked, end.chance))
        for (character, check, against, ordinal), parts in found.items():
            shares = self._shares(parts)
            yield CheckChance(
                character=character,
                check=check,
                against=against,
                ordinal=ordinal,
                made=sum(shares.values(), NONE),
                success=sum((chance for checked, chance in shares.items() if checked.success), NONE),
                outcomes=tuple(ForecastOutcome(each.outcome, each.success, chance) for each, chance in shares.items()),
            )

    def _amounts(self) -> Iterator[Amount]:
        for of, parts in _by_key((end.amounts, end.chance) for end in self._endings).items():
            totals = added_up(parts)
            totals[0] = totals.get(0, NONE) + self.followed - sum(totals.values(), NONE)
            yield Amount(of, _distribution(totals))

    def _rolls(self) -> Iterator[RollChance]:
        for roll, parts in _by_key((end.rolls, end.chance) for end in self._endings).items():
            totals = added_up(parts)
            yield RollChance(roll, sum(totals.values(), NONE) / self.followed, _distribution(totals))


def _counted(checks: Iterable[Checked]) -> Iterator[tuple[tuple[str, str, str, int], Checked]]:
    """Checks with the key under which the same one is found in other stories."""
    count: dict[tuple[str, str, str], int] = {}
    for checked in checks:
        name = (checked.character, checked.check, checked.against)
        yield (*name, count.setdefault(name, 0)), checked
        count[name] += 1


def _by_key(spreads: Iterable[tuple[Mapping[_Of, Spread], Fraction]]) -> dict[_Of, list[tuple[int, Fraction]]]:
    found: dict[_Of, list[tuple[int, Fraction]]] = {}
    for spread, chance in spreads:
        for of, values in spread.items():
            found.setdefault(of, []).extend((value, chance * share) for value, share in values.items())
    return found


def _distribution(chances: Mapping[int, Fraction]) -> Distribution:
    whole = lcm(*(chance.denominator for chance in chances.values()))
    return Distribution({value: int(chance * whole) for value, chance in chances.items() if chance})
