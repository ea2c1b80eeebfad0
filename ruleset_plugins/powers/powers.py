"""Powers as data: their cost, their roll and its DC, and the outcome of each level of success (R2.11, R2.17–R2.20).

The rulebook prints one power, the Strike, and no numbers for it (Q2.10). Those that come with the game are rows of
``data/powers.json``; a table writes its own with ``define-power``, stored on the character in the same form.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import attrs

from rollbook.kit import data
from rollbook.plugin import Character, Record, RulesetBroken, events, not_found, slug
from rollbook.rulesets.powers.checks import LADDER, SuccessLevel
from rollbook.rulesets.powers.settings import ANY_NUMBER, MAIN_AND_FREE, Settings

MAIN, FREE = "main", "free"
POWER = "power"
"""The kind of trait that a power is. One of the table's own has its row as the trait's data."""

STRIKE = "strike"
ANY = 0
"""The ``most`` of a power with any number of targets."""


@attrs.frozen(kw_only=True)
class Outcome(Record):
    """The effect of one level of success on a target.

    ``damage`` or ``healing`` are dice, to which the stat ``adds`` is added; the sum is taken ``times`` over. The target may
    come into a ``condition``, or gain ``rerolls``.
    """

    damage: str = ""
    healing: str = ""
    adds: str = ""
    times: int = 1
    condition: str = ""
    rerolls: int = 0

    @property
    def summary(self) -> str:
        amount = (self.damage or self.healing) + (f" + {self.adds.upper()}" if self.adds else "")
        amount = f"{self.times} x ({amount})" if self.times > 1 else amount
        parts = (
            f"{amount} damage" if self.damage else f"{amount} healing" if self.healing else "",
            self.condition,
            f"{self.rerolls} reroll{'' if self.rerolls == 1 else 's'}" if self.rerolls else "",
        )
        return ", ".join(part for part in parts if part)


@attrs.frozen(kw_only=True)
class Power(Record):
    """A power that a character can use in a turn.

    An ``attack`` always rolls (R2.17). ``rolls`` is the stat that is rolled, "" for none. ``against`` is what sets the DC: a
    stat of the target, a step of the ladder, or a number. ``most`` targets at a time, 0 for any number. ``cost`` is main or
    free; without one, attacks are main and others free (Q2.5).
    """

    key: str
    title: str
    looks: str = ""
    attack: bool = False
    cost: str = ""
    rolls: str = ""
    against: str = ""
    most: int = 1
    tags: tuple[str, ...] = ()
    critical_success: Outcome | None = None
    success: Outcome | None = None
    failure: Outcome | None = None
    critical_failure: Outcome | None = None

    def __attrs_post_init__(self) -> None:
        if self.cost not in ("", MAIN, FREE):
            raise ValueError(f"the cost of {self.title} is {MAIN} or {FREE}, not {self.cost!r}")
        if self.attack and not self.rolls:
            raise ValueError(f"{self.title} is an attack, and an attack rolls a stat (R2.17)")
        if bool(self.rolls) != bool(self.against):
            raise ValueError(f"{self.title} needs a stat that it rolls and something that it rolls against, or neither")

    def outcome(self, level: SuccessLevel) -> Outcome | None:
        """The outcome of a level of success, None for nothing."""
        return (self.critical_failure, self.failure, self.success, self.critical_success)[level]

    def cost_under(self, settings: Settings) -> str:
        """Main or free, as this table counts powers (Q2.5)."""
        if settings.power_cost != MAIN_AND_FREE:
            return FREE if settings.power_cost == ANY_NUMBER else MAIN
        return self.cost or (MAIN if self.attack else FREE)

    def fixed_dc(self) -> int | None:
        """The DC, where it does not depend on the target."""
        is_number = self.against.removeprefix("-").isdecimal()
        return int(self.against) if is_number else LADDER.get(self.against)


POWERS = {power.key: power for power in data.load(__package__, "powers.json", Power)}


def dice_of(outcome: Outcome, settings: Settings) -> str:
    """The dice of an outcome; ``{strike_damage}`` is replaced by the house rule of that name."""
    return (outcome.damage or outcome.healing).replace("{strike_damage}", settings.strike_damage)


def powers_of(who: Character) -> dict[str, Power]:
    """The powers of a character, by key. All can Strike; powers written on the character go first."""
    known = {STRIKE: POWERS[STRIKE]}
    for trait, kind in who.traits.items():
        own = tuple(who.trait_data.get(trait, {}).items())
        found = _read(own) if own else POWERS.get(trait)
        if found is not None and kind == POWER:
            known[trait] = found
    return known


def attacks_of(who: Character, *, others: bool = False) -> tuple[str, ...]:
    """The powers of a character that are attacks, or all the ``others``, by key."""
    return tuple(key for key, power in powers_of(who).items() if power.attack != others)


def listed(name: str) -> Power:
    """A power that comes with the game, by key or title. Raises NotFound with the near misses."""
    key = slug(name)
    if key not in POWERS:
        raise not_found("power", name, POWERS)
    return POWERS[key]


def power_of(who: Character, name: str) -> Power:
    """One of a character's powers, by key or title. Raises NotFound with those on the sheet."""
    known = powers_of(who)
    wanted = "-".join(name.casefold().split())
    titled = (power for power in known.values() if "-".join(power.title.casefold().split()) == wanted)
    found = known.get(wanted) or next(titled, None)
    if found is None:
        raise not_found(f"power of {who.name}", name, known)
    return found


def as_data(power: Power) -> dict[str, events.Scalar]:
    """A power as the data of its trait: its fields, those of an outcome under ``success.damage`` and the like."""
    found: dict[str, events.Scalar] = {}
    for name, value in _given(power):
        found |= {f"{name}.{field}": of for field, of in _given(value)} if isinstance(value, Outcome) else {name: value}
    return found


def _given(row: Power | Outcome) -> Iterator[tuple[str, Any]]:
    for field in attrs.fields(type(row)):
        value = getattr(row, field.name)
        if value != field.default:
            yield field.name, value


@lru_cache(maxsize=256)
def _read(own: tuple[tuple[str, events.Scalar], ...]) -> Power | None:
    """A power out of its trait's data; None if the data is not a power."""
    row: dict[str, Any] = {}
    for name, value in own:
        level, _, field = name.partition(".")
        if field:
            row.setdefault(level, {})[field] = value
        else:
            row[name] = value
    try:
        return data.structure("the trait", row, Power)
    except RulesetBroken:
        return None
