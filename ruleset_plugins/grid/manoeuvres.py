"""Trip, Hamstring and Disarm: a touch, then a contest of the target's strength or nimbleness (R4.28, R4.36, Q4.40)."""

from functools import partial

from rollbook.kit import conditions, d20, data, require
from rollbook.plugin import Character, DiceStep, Table, character, names
from rollbook.rulesets.grid.attack_rolls import Blow, attack_roll, attack_terms
from rollbook.rulesets.grid.encounter import STANDARD, require_square, take_action
from rollbook.rulesets.grid.hands import moved_item
from rollbook.rulesets.grid.opportunity_attacks import BLUR, MANOEUVRE, OPENINGS, OpenAction
from rollbook.rulesets.grid.saves import better_of, roll_save
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.squares import distance, in_reach
from rollbook.rulesets.grid.stats import bonus
from rollbook.rulesets.grid.weapons import DOWN, wielded

NIMBLE_OR_STRONG = ("str", "dex")
BASE = 10


class ManoeuvreRow(data.Row):
    """A manoeuvre: the condition that it brings, or that it disarms."""

    name: str
    condition: str = ""
    disarms: bool = False


ROWS = data.by_key(__package__, "manoeuvres.json", ManoeuvreRow)


class ManoeuvreAction(OpenAction):
    """A melee touch attack, then the better of a Strength and a Dexterity save against 10 + the attacker's Strength."""

    typed_dice = (
        OPENINGS,
        DiceStep(
            tests={"the d20 of the touch": "trip|hamstring|disarm", **BLUR, "the d20 of the target's save": "* save"},
            after="a hit spoils it (Q4.20)",
        ),
    )

    attacker: str = character("who tries it", actor=True)
    target: str = character("on whom")
    bonus: tuple[str, ...] = names("further bonuses to the touch, as '+2 from behind'", default=(), gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        attacker = take_action(table, who, STANDARD)
        others = (each for each in table.characters() if each.id != who)
        require.any_of(others, partial(cls._check, table, ROWS[cls.verb], attacker))

    def resolve(self, table: Table) -> None:
        """A hit with an attack of opportunity spoils it (Q4.20)."""
        row = ROWS[self.verb]
        attacker, target = self.begin(table, self.attacker), require.living(table, self.target)
        extra = d20.bonuses(table, self.bonus)
        self._check(table, row, attacker, target)
        if not self.goes_through(table, attacker.id, MANOEUVRE):
            return
        attacker, target = table.character(attacker.id), table.character(target.id)
        terms = (*attack_terms(attacker, Settings.of(table), melee=True), *extra)
        touched = attack_roll(table, attacker, target, Blow(dice="0", touch=True), terms, purpose=row.key)
        if touched.hits:
            self._contest(table, row, attacker, target)

    @staticmethod
    def _check(table: Table, row: ManoeuvreRow, attacker: Character, target: Character) -> None:
        require_square(table, attacker, target)
        if not in_reach(attacker.position, target.position):
            apart = distance(attacker.position, target.position)
            table.refuse(
                f"{target.name} is {apart} squares from {attacker.name}, and a {row.name} reaches one.",
                parameter="target",
            )
        if row.condition and target.has(row.condition):
            table.refuse(f"{target.name} is {row.condition} already.", parameter="target")
        if row.disarms and not wielded(target):
            table.refuse(f"{target.name} holds no weapon that could fall.", parameter="target")

    def _contest(self, table: Table, row: ManoeuvreRow, attacker: Character, target: Character) -> None:
        kind = better_of(target, NIMBLE_OR_STRONG, Settings.of(table))
        if roll_save(table, target, kind, BASE + bonus(attacker, "str"), against=row.name):
            return
        if row.disarms:
            table.record(moved_item(target.id, wielded(target)[0], DOWN, target.position))
        else:
            conditions.begin(table, target.id, row.condition, source=attacker.id)


class Trip(ManoeuvreAction, verb="trip"):
    """Knock a target over: a touch, then they save with Strength or Dexterity against 10 + your Strength, or fall (Q4.40)."""

    sentence = "tries to trip {target}"


class Hamstring(ManoeuvreAction, verb="hamstring"):
    """Cut at a target's leg: resisted like a trip, or they move at half speed until the fight is over (R4.36)."""

    sentence = "cuts at the leg of {target}"


class Disarm(ManoeuvreAction, verb="disarm"):
    """Knock a target's weapon out of the hand: resisted like a trip, or it falls to the ground (Q4.20)."""

    sentence = "tries to disarm {target}"
