"""The verb attack: in melee, at range, and with a weapon in each hand (R4.13–R4.22)."""

from rollbook.kit import d20, require
from rollbook.plugin import Character, DiceStep, Table, Term, character, flag, gear, names
from rollbook.rulesets.grid.attack_rolls import Swing, deal_damage, swing
from rollbook.rulesets.grid.encounter import require_square
from rollbook.rulesets.grid.hands import find_weapon, throw
from rollbook.rulesets.grid.opportunity_attacks import OPENINGS, SHOOTING, OpenAction
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.squares import FEET, distance, in_reach, squares_in
from rollbook.rulesets.grid.weapons import WIELDED, Weapon, check_shot, innate, ready_weapons, shoot, strikers


class Attack(OpenAction, verb="attack"):
    """Attack a target: 1d20 + attack bonus against armour class; with a weapon in each hand, both strike at once.

    Shooting and throwing give an opening; a strike in melee does not (R4.32).
    """

    sentence = "strikes at {target}[ with {weapon:the}]"

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
        "with which weapon, if not with what is in the hands", default="", fits=ready_weapons, gm_only=False
    )
    second: str = character("whom the other hand strikes, if another", default="", gm_only=False)
    thrown: bool = flag("the weapon is thrown, though the target is near", gm_only=False)
    bonus: tuple[str, ...] = names("further bonuses, as '+2 high ground'", default=(), gm_only=True)

    def resolve(self, table: Table) -> None:
        attacker = self.begin(table, self.attacker)
        weapons = self._weapons(table, attacker)
        terms = d20.bonuses(table, self.bonus)
        targets = self._targets(table, len(weapons))
        melee = [self._check_range(table, attacker, *each) for each in zip(weapons, targets, strict=True)]
        if not all(melee) and not self.goes_through(table, attacker.id, SHOOTING):
            return
        swings = [
            self._swing(table, weapon, target, terms, melee=near, purpose="second attack" if place else "attack")
            for place, (weapon, target, near) in enumerate(zip(weapons, targets, melee, strict=True))
        ]
        for swung in swings:
            deal_damage(table, self.attacker, swung)

    def _weapons(self, table: Table, attacker: Character) -> tuple[Weapon, ...]:
        if self.weapon and self.weapon.casefold() != innate(attacker).kind.key:
            weapon = find_weapon(table, attacker, self.weapon)
            if weapon.place not in WIELDED:
                table.refuse(
                    f"{attacker.name} does not hold {weapon.item}: wield {attacker.id} {weapon.item!r}",
                    parameter="weapon",
                )
            return (weapon,)
        if self.weapon:
            return (innate(attacker),)
        return strikers(attacker)

    def _targets(self, table: Table, weapons: int) -> tuple[str, ...]:
        targets = (self.target, self.second or self.target)[:weapons]
        if self.second and weapons == 1:
            table.refuse("Only an attack with two weapons has a second target. Leave --second out.", parameter="second")
        for name in targets:
            require.living(table, name)
        require.other_targets(table, table.character(self.attacker), *targets)
        return targets

    def _check_range(self, table: Table, attacker: Character, weapon: Weapon, name: str) -> bool:
        """Whether this is melee. Refused for a target out of range."""
        target = table.character(name)
        require_square(table, attacker, target)
        apart = distance(attacker.position, target.position)
        if in_reach(attacker.position, target.position) and not weapon.kind.range and not self.thrown:
            return True
        if not weapon.kind.range and not weapon.kind.thrown:
            reach = f"{target.name} is {apart} squares from {attacker.name}, and melee reaches exactly one"
            table.refuse(f"{reach}: move {attacker.id} or place one of them first.", parameter="target")
        feet = weapon.reach(thrown=not weapon.kind.range)
        if apart > squares_in(feet):
            table.refuse(
                f"{target.name} is {apart * FEET} feet away, and a {weapon.kind.name} reaches {feet} feet.",
                parameter="target",
            )
        check_shot(table, attacker, weapon)
        return False

    def _swing(
        self, table: Table, weapon: Weapon, target: str, extra: tuple[Term, ...], *, melee: bool, purpose: str
    ) -> Swing:
        attacker = table.character(self.attacker)
        if not melee and not weapon.kind.range:
            extra = (Term(Settings.of(table).thrown_bonus, "thrown", "R4.52", "settings"), *extra)
            throw(table, attacker, weapon, table.character(target))
        elif not melee:
            shoot(table, attacker, weapon)
        return swing(table, attacker, table.character(target), weapon, extra, melee=melee, purpose=purpose)
