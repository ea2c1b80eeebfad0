"""Attacks and opportunity attacks: to hit, and damage (R1.18–R1.21, R1.26–R1.33).

A natural 20 hits and does the most that the weapon can, a natural 1 misses; both look at the die that was kept (QG.3), and only
attacks know them (Q1.16).
"""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Ease,
    Rolled,
    Table,
    bonuses,
    character,
    check_resolved,
    check_targets,
    choice,
    flag,
    gear,
    living,
    names,
    strikes,
    written,
)
from ruleset_plugins.luckpoint.armour import COVER_HELP, COVERS, NO_COVER, armour_class
from ruleset_plugins.luckpoint.luck import TaskRolls, before_rolling
from ruleset_plugins.luckpoint.settings import house
from ruleset_plugins.luckpoint.skills import LOCATION, MANEUVERS, SKILLS, UNTRAINED, can_succeed
from ruleset_plugins.luckpoint.turns import react, take_action
from ruleset_plugins.luckpoint.weapons import WEAPON_WORDS, Weapon, damage_terms, to_hit_terms, wield
from ruleset_plugins.luckpoint.wounds import hurt, least_damage

FIGHTING = tuple(key for key in SKILLS if key != LOCATION)


@attrs.frozen(kw_only=True)
class Attack(Action):
    """Strike one target: 1d20 and Maneuvers against its armour class, then the weapon's damage (R1.18)."""

    verb: ClassVar[str] = "attack"

    attacker: str = character("who strikes", actor=True)
    target: str = character("who is struck at")
    weapon: str = gear("with what: a weapon held, a class of weapons, or unarmed", choices=WEAPON_WORDS)
    skill: str = choice("the skill; a power may name another one than Maneuvers", FIGHTING, default=MANEUVERS)
    cover: str = choice(COVER_HELP, tuple(COVERS), default=NO_COVER)
    opportunity: bool = flag("a reaction: the target leaves the reach of the attacker's melee weapon")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses to hit, as '+2 high ground'", default=())
    damage_bonus: tuple[str, ...] = names("further bonuses to damage, as '+2 poison'", default=())
    luck: bool = flag("spend a luck point first, which takes disadvantage away")
    tags: tuple[str, ...] = names("what sort of damage it is: fire, silver, holy …", default=())
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """Roll to hit; a hit does damage."""
        target = living(table, self.target)
        weapon = wield(table.character(self.attacker), self.weapon)
        self._check(table, target, weapon)
        if self.opportunity:
            attacker = react(table, self.attacker)
        else:
            attacker = take_action(table, self.attacker, out_of_turn=self.out_of_turn)
        ease = before_rolling(table, attacker, Ease(self.advantage, self.disadvantage), luck=self.luck)
        terms = (*to_hit_terms(attacker, self.skill), *bonuses(table, self.bonus))
        with TaskRolls(table) as rolls:
            roll = rolls.task(attacker, terms, purpose="to hit", ease=ease)
        if self._lands(table, attacker, target, roll):
            tags = tuple(dict.fromkeys((*weapon.tags, *self.tags)))
            dealt = self._damage(table, attacker, weapon, roll)
            hurt(table, target.id, dealt, tags=tags, source=attacker.id)

    def _check(self, table: Table, target: Character, weapon: Weapon) -> None:
        attacker = table.character(self.attacker)
        check_targets(table, attacker, target.id)
        if COVERS[self.cover].hides:
            table.refuse(f"{target.name} is behind total cover and cannot be attacked (R1.24). Move, or wait.")
        if weapon.kind.is_blast and weapon.kind.metres:
            table.refuse(f"Nobody aims an explosion at one target. Everybody near it saves: explosion {target.id}")
        if self.opportunity and weapon.kind.is_ranged:
            table.refuse(f"An opportunity attack needs a melee weapon or fists, and the {weapon.item} is neither.")

    def _lands(self, table: Table, attacker: Character, target: Character, roll: Rolled) -> bool:
        goal = armour_class(target, cover=self.cover)
        hits, outcome = strikes(roll.natural, reaches=roll.total >= goal)
        if not can_succeed(attacker, self.skill):
            hits, outcome = False, UNTRAINED
        check_resolved(table, "attack", roll, goal, success=hits, outcome=outcome, against=target.id)
        return hits

    def _damage(self, table: Table, attacker: Character, weapon: Weapon, roll: Rolled) -> int:
        """The weapon's dice and all that is added; on a natural 20 the dice need no rolling (R1.19, Q1.17)."""
        terms = (*damage_terms(attacker, weapon, house(table)), *bonuses(table, self.damage_bonus))
        if roll.natural == 20:
            total = weapon.kind.most + sum([term.amount for term in terms])
        else:
            total = table.roll(written(weapon.kind.dice, terms), roller=attacker.id, purpose="damage").total
        return least_damage(house(table), total)
