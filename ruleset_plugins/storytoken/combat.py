"""Attacks, and other harm that comes to people (R0.21, R0.23, R0.36–R0.38, R0.58–R0.62).

An attack is one d20 against the target's armour class. A natural 1 misses, a natural 20 hits and does the most that the
weapon can; both look at the die that was kept, and only attacks know them (QG.3, Q0.8).
"""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Table,
    character,
    characters,
    choice,
    dice,
    events,
    flag,
    gear,
    names,
    number,
    words,
)
from ruleset_plugins.storytoken.abilities import ABILITIES
from ruleset_plugins.storytoken.armour import HIDDEN, armour_class
from ruleset_plugins.storytoken.injury import THIRST, current_hp, hurt, restore
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.task_rolls import EVEN, Ease, TaskRolls, bonuses, written
from ruleset_plugins.storytoken.traits import heritage_of, roles_of
from ruleset_plugins.storytoken.turns import living, take_action
from ruleset_plugins.storytoken.weapons import (
    BITE,
    FARTHEST,
    WEAPON_WORDS,
    Weapon,
    attack_terms,
    damage_dice,
    extra_terms,
    most_damage,
    weapon_ability,
    wield,
)

BLOOD = "blood"


@attrs.frozen(kw_only=True)
class Attack(Action):
    """Strike one target: 1d20 + ability + bonuses against its armour class, then the weapon's damage (R0.36)."""

    verb: ClassVar[str] = "attack"

    attacker: str = character("who strikes", actor=True)
    target: str = character("who is struck at")
    weapon: str = gear("with what: a weapon held, a class of weapons, unarmed or bite", choices=WEAPON_WORDS)
    distance: int = number("how far away the target is", default=0, minimum=0, maximum=FARTHEST, unit="feet")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses to hit, as '+2 high ground'", default=())
    damage_bonus: tuple[str, ...] = names("further bonuses to damage, as '+2 poison'", default=())
    cover: bool = flag("the target has partial cover")
    carry_to: tuple[str, ...] = characters("whom what is left of a felling blow goes on to (Fighting)", default=())
    grappled: bool = flag("the target is alive, and grappled or enthralled: a vampire's bite feeds")
    tags: tuple[str, ...] = names("what sort of damage it is: fire, silver, holy …", default=())
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """Roll to hit; a hit does damage; what fells a target may go on to the next."""
        attacker = take_action(table, self.attacker, out_of_turn=self.out_of_turn)
        target = living(table, self.target)
        weapon = wield(attacker, self.weapon)
        self._check(table, attacker, target, weapon)
        if attacker.has(HIDDEN):
            table.record(events.ConditionEnded(character=attacker.id, condition=HIDDEN))
        with TaskRolls(table) as rolls:
            total, natural = self._roll_to_hit(table, rolls, attacker, weapon)
        if self._lands(table, target, total, natural):
            dealt = self._roll_damage(table, attacker, weapon, maximum=natural == 20)
            self._harm(table, attacker, target, weapon, dealt, total)

    def _check(self, table: Table, attacker: Character, target: Character, weapon: Weapon) -> None:
        if attacker.id == target.id:
            table.refuse(
                f"{attacker.name} cannot attack {attacker.name}. Harm without an attack is: harm {target.id} DICE"
            )
        if self.distance > weapon.reach:
            table.refuse(
                f"{target.name} is {self.distance} feet away, and {attacker.name}'s {weapon.item} reaches "
                f"{weapon.reach}. Move closer, or name a weapon that reaches farther."
            )
        if self.carry_to and not any(role.carries_over for role in roles_of(attacker)):
            table.refuse(
                f"{attacker.name} has no role whose blows go on to another target; Fighting does. Leave out --carry-to."
            )
        if self.grappled and weapon.item != BITE:
            table.refuse("--grappled says that a bite feeds; it goes with the weapon bite only.")

    def _roll_to_hit(self, table: Table, rolls: TaskRolls, attacker: Character, weapon: Weapon) -> tuple[int, int]:
        settings = house(table)
        ease = Ease(self.advantage, self.disadvantage) if self.advantage or self.disadvantage else EVEN
        if weapon.is_strained(self.distance):
            ease += Ease(disadvantage=("outermost range",))
        roll = rolls.roll(
            attacker,
            weapon_ability(attacker, weapon, self.distance, settings),
            kind="attack",
            purpose="to hit",
            terms=(*extra_terms(attacker, "to_hit", settings), *bonuses(table, self.bonus)),
            ease=ease,
        )
        return roll.total, roll.natural

    def _lands(self, table: Table, target: Character, total: int, natural: int) -> bool:
        goal = armour_class(target, house(table), cover=self.cover)
        hits = natural == 20 or (natural != 1 and total >= goal)
        outcome = {20: "natural 20", 1: "natural 1"}.get(natural, "hit" if hits else "miss")
        table.record(
            events.CheckResolved(
                character=self.attacker,
                check="attack",
                total=total,
                target=goal,
                success=hits,
                outcome=outcome,
                against=target.id,
            )
        )
        return hits

    def _roll_damage(self, table: Table, attacker: Character, weapon: Weapon, *, maximum: bool) -> int:
        """The weapon's dice and everything that is added; on a natural 20 the dice need no rolling (R0.38, Q0.9)."""
        settings = house(table)
        terms = (
            *attack_terms(attacker, weapon, settings, "damage", self.distance),
            *bonuses(table, self.damage_bonus),
        )
        if maximum:
            total = most_damage(weapon) + sum([term.amount for term in terms])
        else:
            total = table.roll(
                written(damage_dice(weapon, settings), terms), roller=attacker.id, purpose="damage"
            ).total
        return max(total, settings.min_damage_on_hit)

    def _harm(
        self, table: Table, attacker: Character, target: Character, weapon: Weapon, dealt: int, total: int
    ) -> None:
        settings = house(table)
        tags = tuple(dict.fromkeys((*weapon.tags, *self.tags)))
        carries = bool(self.carry_to) and 0 < current_hp(target, settings) < dealt
        suffered = hurt(table, target.id, dealt, tags=tags, source=attacker.id, stop_at_zero=carries)
        if self.grappled:
            feed(table, attacker, settings.half(suffered))
        if carries:
            self._carry_on(table, attacker, dealt - suffered, total, tags)

    def _carry_on(self, table: Table, attacker: Character, rest: int, total: int, tags: tuple[str, ...]) -> None:
        """What is left goes to the next target whose armour class the same roll reaches (R0.165, Q0.54)."""
        settings = house(table)
        for name in self.carry_to:
            further = living(table, name)
            if name in (self.target, attacker.id) or rest <= 0 or total < armour_class(further, settings):
                return
            above_zero = current_hp(further, settings) > 0
            rest -= hurt(table, name, rest, tags=tags, source=attacker.id, stop_at_zero=above_zero)


def feed(table: Table, who: Character, amount: int) -> None:
    """A vampire drinks: half of what the bite did comes back, thirst first (R0.157, Q0.55)."""
    if not heritage_of(who).daily_thirst or amount < 1:
        return
    quenched = min(amount, who.pools.get(THIRST, 0))
    if quenched:
        table.record(events.PoolSpent(holder=who.id, pool=THIRST, amount=quenched, reason=BLOOD))
    restore(table, who.id, amount, tags=(BLOOD,), source=who.id)


@attrs.frozen(kw_only=True)
class Hazard(Action):
    """Save against a hazard of a level: half the level in damage if it is made, twice the level if not (R0.21)."""

    verb: ClassVar[str] = "hazard"

    who: str = character("whom it threatens", actor=True)
    level: int = number("the hazard's level", minimum=1, maximum=1_000)
    ability: str = choice("the ability that saves from it (Q0.6)", ABILITIES)
    name: str = words("what it is", default="hazard")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses, as '+2 braced'", default=())
    tags: tuple[str, ...] = names("what sort of damage it is: fire, acid, poison …", default=())

    def resolve(self, table: Table) -> None:
        """The save costs neither action nor movement (R0.47)."""
        who = living(table, self.who)
        with TaskRolls(table) as rolls:
            roll = rolls.roll(
                who,
                self.ability,
                kind="save",
                purpose="saving throw",
                terms=bonuses(table, self.bonus),
                ease=Ease(self.advantage, self.disadvantage),
            )
        saved = roll.total >= self.level
        table.record(
            events.CheckResolved(
                character=who.id,
                check=f"{self.ability.upper()} save",
                total=roll.total,
                target=self.level,
                success=saved,
                outcome="saved" if saved else "not saved",
                against=self.name,
            )
        )
        dealt = house(table).half(self.level) if saved else 2 * self.level
        if dealt:
            hurt(table, who.id, dealt, tags=self.tags, source=self.name)


@attrs.frozen(kw_only=True)
class Harm(Action):
    """Somebody is hurt without an attack: a fall, sunlight, a trap."""

    verb: ClassVar[str] = "harm"
    gm_only: ClassVar[bool] = True

    who: str = character("who is hurt")
    amount: str = dice("how much, as a number or dice")
    source: str = words("what by", default="")
    tags: tuple[str, ...] = names("what sort of damage it is: fire, sunlight, holy …", default=())

    def resolve(self, table: Table) -> None:
        """The dice, and the damage."""
        who = living(table, self.who)
        total = table.roll(self.amount, roller=table.seat or who.id, purpose="damage").total
        if total > 0:
            hurt(table, who.id, total, tags=self.tags, source=self.source)


@attrs.frozen(kw_only=True)
class Heal(Action):
    """Medicine, technology or magic gives hit points back; for things it is repair (R0.55, R0.56)."""

    verb: ClassVar[str] = "heal"
    gm_only: ClassVar[bool] = True

    who: str = character("who is healed")
    amount: str = dice("how much, as a number or dice")
    source: str = words("what by", default="")

    def resolve(self, table: Table) -> None:
        """Up to the maximum; below 0 it is added like anywhere else (Q0.75)."""
        who = living(table, self.who)
        if not who.lost:
            table.refuse(f"{who.name} has lost no hit points, so there is nothing to heal.")
        total = table.roll(self.amount, roller=table.seat or who.id, purpose="healing").total
        restore(table, who.id, max(total, 0), tags=("care",), source=self.source)
