"""The verbs attack, trip, hamstring and disarm (R4.13–R4.22, R4.28, R4.36, Q4.40)."""

from functools import partial

from rollbook.kit import conditions, d20, data, require, squares, verbs
from rollbook.plugin import Character, DiceStep, Table, Term, character, flag, gear, names
from rollbook.rulesets.grid import weapons
from rollbook.rulesets.grid.attack_rolls import Blow, Landed, attack_roll, attack_terms, deal_damage, swing
from rollbook.rulesets.grid.encounter import STANDARD, require_square, take_action
from rollbook.rulesets.grid.hands import find_weapon, moved_item, throw
from rollbook.rulesets.grid.opportunity_attacks import BLUR, MANOEUVRE, OPENINGS, SHOOTING, OpenAction
from rollbook.rulesets.grid.saves import roll_save, save_terms
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.squares import FEET, in_reach, squares_in
from rollbook.rulesets.grid.stats import bonus, total


class Attack(OpenAction, verb="attack"):
    """Attack a target: 1d20 + attack bonus against armour class; with a weapon in each hand, both strike at once.

    Shooting and throwing give an opening; a strike in melee does not (R4.32).
    """

    sentence = "strikes at {target}[ with {weapon:the}]"
    handles = verbs.attacks()

    typed_dice = (
        OPENINGS,
        DiceStep(
            tests={"the d20 to hit with each weapon": "attack|blur|second attack"},
            effects={"the damage of each hit": "attack damage|second attack damage"},
            after="whom an opening fells does not attack (R4.34)",
        ),
    )

    attacker: str = character("who attacks", actor=True)
    target: str = character("who is attacked")
    weapon: str = gear(
        "with which weapon, if not with what is in the hands", default="", fits=weapons.ready_weapons, gm_only=False
    )
    second: str = character("whom the other hand strikes, if another", default="", gm_only=False)
    thrown: bool = flag("the weapon is thrown, though the target is near", gm_only=False)
    bonus: tuple[str, ...] = names("further bonuses, as '+2 high ground'", default=(), gm_only=True)

    def resolve(self, table: Table) -> None:
        attacker = self.begin(table, self.attacker)
        striking = self._striking(table, attacker)
        terms = d20.bonuses(table, self.bonus)
        targets = self._targets(table, len(striking))
        melee = [self._check_range(table, attacker, *each) for each in zip(striking, targets, strict=True)]
        if not all(melee) and not self.goes_through(table, attacker.id, SHOOTING):
            return
        landed = [
            self._swing(table, weapon, target, terms, melee=near, purpose="second attack" if place else "attack")
            for place, (weapon, target, near) in enumerate(zip(striking, targets, melee, strict=True))
        ]
        for each in landed:
            deal_damage(table, self.attacker, each)

    def _striking(self, table: Table, attacker: Character) -> tuple[weapons.Weapon, ...]:
        if not self.weapon:
            return weapons.strikers(attacker)
        if self.weapon.casefold() == weapons.innate(attacker).kind.key:
            return (weapons.innate(attacker),)
        weapon = find_weapon(table, attacker, self.weapon)
        if weapon.place not in weapons.WIELDED:
            table.refuse(f"{attacker.name} does not hold {weapon.item}: wield {attacker.id} {weapon.item!r}", "weapon")
        return (weapon,)

    def _targets(self, table: Table, many: int) -> tuple[str, ...]:
        targets = (self.target, self.second or self.target)[:many]
        if self.second and many == 1:
            table.refuse("Only an attack with two weapons has a second target. Leave --second out.", "second")
        for name in targets:
            require.living(table, name)
        require.other_targets(table, table.character(self.attacker), *targets)
        return targets

    def _check_range(self, table: Table, attacker: Character, weapon: weapons.Weapon, name: str) -> bool:
        """Tell whether this is melee. Refused for a target out of range."""
        target = table.character(name)
        require_square(table, attacker, target)
        apart = squares.distance(attacker.position, target.position)
        if in_reach(attacker.position, target.position) and not weapon.kind.range and not self.thrown:
            return True
        if not weapon.kind.range and not weapon.kind.thrown:
            reach = f"{target.name} is {apart} squares from {attacker.name}, and melee reaches exactly one"
            table.refuse(f"{reach}: move {attacker.id} or place one of them first.", "target")
        feet = weapon.reach(thrown=not weapon.kind.range)
        if apart > squares_in(feet):
            table.refuse(
                f"{target.name} is {apart * FEET} feet away, and a {weapon.kind.name} reaches {feet} feet.", "target"
            )
        weapons.check_shot(table, attacker, weapon)
        return False

    def _swing(
        self, table: Table, weapon: weapons.Weapon, target: str, extra: tuple[Term, ...], *, melee: bool, purpose: str
    ) -> Landed:
        attacker = table.character(self.attacker)
        if not melee and not weapon.kind.range:
            extra = (Term(Settings.of(table).thrown_bonus, "thrown", "R4.52", "settings"), *extra)
            throw(table, attacker, weapon, table.character(target))
        elif not melee:
            weapons.shoot(table, attacker, weapon)
        return swing(table, attacker, table.character(target), weapon, extra, melee=melee, purpose=purpose)


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
            apart = squares.distance(attacker.position, target.position)
            table.refuse(
                f"{target.name} is {apart} squares from {attacker.name}, and a {row.name} reaches one.", "target"
            )
        if row.condition and target.has(row.condition):
            table.refuse(f"{target.name} is {row.condition} already.", "target")
        if row.disarms and not weapons.wielded(target):
            table.refuse(f"{target.name} holds no weapon that could fall.", "target")

    def _contest(self, table: Table, row: ManoeuvreRow, attacker: Character, target: Character) -> None:
        settings = Settings.of(table)
        kind = max(
            NIMBLE_OR_STRONG, key=lambda kind: total(save_terms(target, kind, settings))
        )  # level: Strength (R4.28)
        if roll_save(table, target, kind, BASE + bonus(attacker, "str"), against=row.name):
            return
        if row.disarms:
            table.record(moved_item(target.id, weapons.wielded(target)[0], weapons.DOWN, target.position))
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
