"""Attacks: to hit, damage, and what is left of a felling blow (R0.23, R0.36–R0.38, R0.58–R0.61, R0.165).

An attack is one d20 against the target's armour class. A natural 1 misses, a natural 20 hits and does the most that the
weapon can; both look at the die that was kept, and only attacks know them (QG.3, Q0.8).
"""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Table, character, characters, choices, flag, gear, names, number
from ruleset_plugins.kit import conditions, d20, require
from ruleset_plugins.storytoken.body.conditions import DORMANT, SITUATIONAL, SPARED, ease_against
from ruleset_plugins.storytoken.body.harm import felling, hurt
from ruleset_plugins.storytoken.body.spirit_body import check_touches
from ruleset_plugins.storytoken.character.heritage_powers import check_bleeds, feed
from ruleset_plugins.storytoken.character.roles import roles_of
from ruleset_plugins.storytoken.fight.armour import HIDDEN, armour_class
from ruleset_plugins.storytoken.fight.turns import take_action
from ruleset_plugins.storytoken.fight.weapons import (
    BITE,
    FARTHEST,
    UNARMED,
    WEAPON_WORDS,
    Weapon,
    attack_terms,
    damage_dice,
    extra_terms,
    most_damage,
    weapon_ability,
    wield,
)
from ruleset_plugins.storytoken.settings import Settings
from ruleset_plugins.storytoken.tasks.checks import check_thing
from ruleset_plugins.storytoken.tasks.task_rolls import (
    INFORMED_HELP,
    UNAWARE,
    UNAWARE_HELP,
    TaskRolls,
    informed_term,
    unaware_terms,
)


@attrs.frozen
class Blow:
    """Who strikes whom with what, and the roll to hit."""

    attacker: Character
    target: Character
    weapon: Weapon
    roll: d20.RollResult


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
    spared: tuple[str, ...] = choices(f"conditions that have no bearing now: {SPARED}", SITUATIONAL, default=())
    unaware: tuple[str, ...] = choices(UNAWARE_HELP, UNAWARE, default=())
    informed: bool = flag(INFORMED_HELP)
    cover: bool = flag("the target has partial cover")
    carry_to: tuple[str, ...] = characters("whom what is left of a felling blow goes on to (Fighting)", default=())
    grappled: bool = flag("the target is alive, and grappled or enthralled: a vampire's bite feeds")
    tags: tuple[str, ...] = names("what sort of damage it is: fire, silver, holy …", default=())
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """Roll to hit; a hit does damage; what fells a target may go on to the next."""
        attacker = take_action(table, self.attacker, out_of_turn=self.out_of_turn, attack=True)
        target = require.living(table, self.target)
        weapon = wield(attacker, self.weapon)
        self._check(table, attacker, target, weapon)
        conditions.end(table, attacker.id, HIDDEN)
        with TaskRolls(table) as rolls:
            blow = Blow(attacker, target, weapon, self._roll_to_hit(table, rolls, attacker, target, weapon))
            if self._lands(table, blow):
                self._harm(table, rolls, blow, self._roll_damage(table, blow))

    def _check(self, table: Table, attacker: Character, target: Character, weapon: Weapon) -> None:
        require.other_targets(table, attacker, target.id)
        if target.has(DORMANT):
            table.refuse(f"{target.name} has no body to strike at until {target.name} awakens.")
        check_touches(table, attacker, "")
        if weapon.item not in (UNARMED, BITE):
            check_thing(table, attacker, weapon.item, weapon.tags)
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
        if self.grappled:
            check_bleeds(table, target)

    def _roll_to_hit(
        self, table: Table, rolls: TaskRolls, attacker: Character, target: Character, weapon: Weapon
    ) -> d20.RollResult:
        settings = Settings.of(table)
        ease = d20.Advantage(self.advantage, self.disadvantage) + ease_against(target)
        if weapon.is_strained(self.distance):
            ease += d20.Advantage(disadvantage=("outermost range",))
        terms = [
            *extra_terms(attacker, "to_hit", settings),
            *unaware_terms(table, attacker, self.unaware, damage=False),
        ]
        if self.informed:
            terms.append(informed_term(table, attacker))
        is_unarmed = weapon.item == UNARMED and not weapon.is_ranged(self.distance)
        return rolls.task(
            attacker,
            weapon_ability(attacker, weapon, self.distance, settings),
            kinds=("attack", "unarmed") if is_unarmed else ("attack",),
            purpose="to hit",
            terms=(*terms, *d20.bonuses(table, self.bonus)),
            ease=ease,
            spared=self.spared,
        )

    def _lands(self, table: Table, blow: Blow) -> bool:
        goal = armour_class(blow.target, Settings.of(table), cover=self.cover)
        hits, outcome = d20.attack_outcome(blow.roll.natural, reaches=blow.roll.total >= goal)
        d20.record_roll(table, "attack", blow.roll, goal, success=hits, outcome=outcome, against=blow.target.id)
        return hits

    def _roll_damage(self, table: Table, blow: Blow) -> int:
        """The weapon's dice and all that is added; on a natural 20 the dice need no rolling (R0.38, Q0.9)."""
        settings = Settings.of(table)
        terms = (
            *attack_terms(blow.attacker, blow.weapon, settings, "damage", self.distance),
            *unaware_terms(table, blow.attacker, self.unaware, damage=True),
            *d20.bonuses(table, self.damage_bonus),
        )
        if blow.roll.natural == 20:
            total = most_damage(blow.weapon) + sum([term.amount for term in terms])
        else:
            expression = d20.notation(damage_dice(blow.weapon, settings), terms)
            total = table.roll(expression, roller=blow.attacker.id, purpose="damage").total
        return max(total, settings.min_damage_on_hit)

    def _harm(self, table: Table, rolls: TaskRolls, blow: Blow, dealt: int) -> None:
        settings, source, name = Settings.of(table), blow.attacker.id, blow.target.id
        tags = tuple(dict.fromkeys((*blow.weapon.tags, *self.tags)))
        used = felling(blow.target, dealt, tags, settings) if self.carry_to else 0
        carries = 0 < used < dealt
        suffered = hurt(table, name, dealt, tags=tags, source=source, stop_at_zero=carries, blow=True, rolls=rolls)
        if self.grappled:
            feed(table, blow.attacker, settings.half(suffered))
        if carries:
            self._carry_on(table, rolls, blow, dealt - used, tags)

    def _carry_on(self, table: Table, rolls: TaskRolls, blow: Blow, rest: int, tags: tuple[str, ...]) -> None:
        """What is left goes to the next target whose armour class the same roll reaches, while they fall (R0.165, Q0.54)."""
        settings, struck = Settings.of(table), {blow.attacker.id, blow.target.id}
        for name in self.carry_to:
            further = require.living(table, name)
            if name in struck or rest <= 0 or blow.roll.total < armour_class(further, settings):
                return
            struck.add(name)
            used, source = felling(further, rest, tags, settings), blow.attacker.id
            hurt(table, name, rest, tags=tags, source=source, stop_at_zero=used > 0, blow=True, rolls=rolls)
            rest = rest - used if used else 0
