"""A blow before it falls: what it is struck with, from how far, and how easy the foe makes it (R3.76, R3.85, R3.89, R3.90)."""

from __future__ import annotations

import attrs

from ruleset_plugins import EVEN, Character, Ease, Table, record_check
from ruleset_plugins.conditions import STUNNED
from ruleset_plugins.russell.burning import burning
from ruleset_plugins.russell.light import check_shot
from ruleset_plugins.russell.moving import arrive_at
from ruleset_plugins.russell.ranges import band_number, range_between, reached
from ruleset_plugins.russell.settings import house
from ruleset_plugins.russell.weapons import Weapon, wield
from ruleset_plugins.russell.wounds import FLOORED

AT_FLOORED = Ease(advantage=("the foe is floored",))
AT_STUNNED = Ease(advantage=("the foe is stunned", "the foe is stunned"))


@attrs.frozen
class Blow:
    """A roll to hit: by whom, at whom, with what, from how many bands away, and how it came out."""

    attacker: Character
    target: Character
    weapon: Weapon
    band: int
    natural: int = 0

    @property
    def is_ranged(self) -> bool:
        """Whether it was shot or thrown."""
        return self.weapon.is_ranged(self.band)


def prey_ease(target: Character) -> Ease:
    """What the state of the one who is struck at does to the roll (R3.89, R3.90)."""
    if target.has(STUNNED):
        return AT_STUNNED
    return AT_FLOORED if target.has(FLOORED) else EVEN


def aim(table: Table, attacker: Character, target: Character, weapon: str, *, charge: bool, said: str) -> Blow:
    """Whether the weapon reaches that far, and whether the light allows the shot (R3.64, R3.66).

    ``said`` is the range in the GM's words, against what was played; a charge ends engaged.
    """
    bands = house(table).ranges
    held = wield(attacker, weapon)
    _check_torch(table, attacker, held)
    band = band_number(table, said) if said else range_between(table, attacker.id, target.id)
    if charge:
        _check_room(table, attacker, target, band, is_said=bool(said))
        band = _run(table, attacker, target, band)
    reach = reached(bands, held.kind.reach)
    if band > reach:
        table.refuse(
            f"{target.name} is at {bands[band]} range, and {attacker.name}'s {held.item} reaches {bands[reach]}. "
            f"Move first: move {attacker.id} --to {bands[band - 1]} --foes {target.id}"
        )
    blow = Blow(attacker, target, held, band)
    if blow.is_ranged:
        if charge:
            table.refuse("A charge ends hand to hand, and this is a shot. Leave out --charge.")
        check_shot(table, target, bands[band], bands)
    return blow


def _check_torch(table: Table, attacker: Character, weapon: Weapon) -> None:
    if weapon.kind.ignites and not any(light.source.key == "torch" for light in burning(attacker)):
        table.refuse(f"{attacker.name} has no burning torch to strike with. First: light {attacker.id} torch")


def _check_room(table: Table, attacker: Character, target: Character, band: int, *, is_said: bool) -> None:
    """Who is engaged already has no room to get moving (R3.85); outside a fight the table knows."""
    if band == 0 and table.encounter is not None and not is_said:
        table.refuse(
            f"{attacker.name} is engaged with {target.name} and has no room to get moving. Leave out --charge; if there "
            f"is room after all, the GM says so: --range {house(table).ranges[1 if len(house(table).ranges) > 1 else 0]}"
        )


def _run(table: Table, attacker: Character, target: Character, band: int) -> int:
    """A charge begins within a move of the foe, and ends engaged (R3.85)."""
    if band > 1:
        table.refuse(f"{target.name} is too far away to be charged; come to {house(table).ranges[1]} range first.")
    if band:
        arrive_at(table, attacker.id, [target.id], 0)
    return 0


def resolved(table: Table, blow: Blow, *, total: int, target: int, hits: bool, outcome: str) -> None:
    """Record how a blow came out."""
    record_check(
        table, blow.attacker.id, "attack", total, target, success=hits, outcome=outcome, against=blow.target.id
    )
