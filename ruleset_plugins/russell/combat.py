"""Attacks: a d20, Weapon or Shooting Skill and the foe's armour class make 20 or more (R3.77–R3.81)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Ease,
    Table,
    bonuses,
    character,
    characters,
    check_ruling,
    check_targets,
    choice,
    dice,
    events,
    flag,
    gear,
    living,
    names,
    strikes,
    words,
    written,
)
from ruleset_plugins.conditions import HELPLESS
from ruleset_plugins.russell.blows import Blow, aim, prey_ease, resolved
from ruleset_plugins.russell.criticals import (
    CRITICAL,
    EFFECTS,
    FREE,
    FUMBLES,
    MISFORTUNE,
    fumble,
    is_offered,
    offer_critical,
    settle_critical,
)
from ruleset_plugins.russell.fire import torch_ignites
from ruleset_plugins.russell.injury import UNARMED, hurt, strike_helpless
from ruleset_plugins.russell.lanterns import lantern_struck
from ruleset_plugins.russell.prowess import PRESSING, armour_class
from ruleset_plugins.russell.ranges import engaged_allies
from ruleset_plugins.russell.rolls import roll_test
from ruleset_plugins.russell.settings import house
from ruleset_plugins.russell.turns import take_attack, take_free_attack
from ruleset_plugins.russell.weapons import KINDS, damage_terms, to_hit_terms
from ruleset_plugins.russell.wounds import described_wound

TARGET = 20
"""What every attack must reach (R3.77)."""

ASTRAY = 5
"""A missing die of this or less hits somebody else in the melee (R3.80, Q3.28)."""


@attrs.frozen(kw_only=True)
class Attack(Action):
    """Strike or shoot at somebody: 1d20 + skill + the foe's armour class, and 20 or more hits (R3.77)."""

    verb: ClassVar[str] = "attack"

    attacker: str = character("who strikes", actor=True)
    target: str = character("who is struck at")
    weapon: str = gear("with what: a weapon held or a kind of weapon", choices=tuple(KINDS))
    charge: bool = flag("run at an open foe, with room to get moving: Advantage (R3.85)")
    press: bool = flag("Advantage, but armour class is 4 worse until the next turn (R3.87)")
    free: bool = flag("a free attack that a foe's fumble, failed stunt or coming near allows (R3.79, R3.86)")
    melee: tuple[str, ...] = characters(
        "allies who fight the target hand to hand, when one shoots; those engaged if not said", default=()
    )
    on_20: str = choice(
        "what a natural 20 does; left open if it is not said, or does not apply (Q3.27)", ("", *EFFECTS), default=""
    )
    fumble: str = choice("what a natural 1 brings; by default what fits (Q3.26)", ("", *FUMBLES), default="")
    spare: bool = flag("leave helpless who would fall dead (Q3.11)")
    to_wound: bool = flag("wound with bare hands instead of knocking out (R3.81)")
    wound: str = words("a Wound in the GM's words, as in 'a lost ear: stunned, bleeding' (R3.16)", default="")
    range: str = words("how far away the target is, against what was played, if the GM says so", default="")
    damage: str = dice("other dice than the weapon's, for special attacks (R3.98)", default="")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses to hit, as '+2 high ground'", default=())
    damage_bonus: tuple[str, ...] = names("further bonuses to damage, as '+1 silver'", default=())
    tags: tuple[str, ...] = names("what sort of damage it is: fire, silver …", default=())
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """Roll to hit, unless the foe is helpless; a hit does damage; natural 1 and 20 do more."""
        if self.free:
            attacker = take_free_attack(table, self.attacker, self.target)
        else:
            attacker = take_attack(table, self.attacker, out_of_turn=self.out_of_turn)
        target = living(table, self.target)
        self._check_rulings(table)
        check_targets(table, attacker, target.id)
        blow = aim(table, attacker, target, self.weapon, charge=self.charge, said=self.range)
        melee = self._melee(table, blow)
        if self.press:
            table.record(events.ConditionBegan(character=attacker.id, condition=PRESSING))
        if target.has(HELPLESS):
            self._strike_helpless(table, blow)
        else:
            self._strike(table, blow, melee)

    def _check_rulings(self, table: Table) -> None:
        for choice_ in table.character(self.attacker).choices:
            if choice_.startswith(CRITICAL):
                table.refuse(
                    f"The last blow was a natural 20. Say first what it does: choose {self.attacker} {choice_} …"
                )
        check_ruling(table, waived=bool(self.wound), flag="wound")
        if self.wound:
            described_wound(table, self.wound)
        check_ruling(table, waived=bool(self.range), flag="range")
        check_ruling(table, waived=bool(self.damage), flag="damage")
        check_ruling(table, waived=self.fumble == MISFORTUNE, flag="fumble misfortune")

    def _melee(self, table: Table, blow: Blow) -> tuple[str, ...]:
        """Only shots endanger friends, and others than shooter and target: those named, or else who is engaged with it."""
        if self.melee and not blow.is_ranged:
            table.refuse("--melee names allies whom a stray shot may hit; a blow hand to hand endangers nobody else.")
        for name in self.melee:
            living(table, name)
            if name in (blow.attacker.id, blow.target.id):
                table.refuse("--melee names the others who fight the target hand to hand.")
        return self.melee or (engaged_allies(table, blow.attacker, blow.target) if blow.is_ranged else ())

    def _strike_helpless(self, table: Table, blow: Blow) -> None:
        """No roll: the blow hits and deals a Wound (R3.91, Q3.53)."""
        resolved(table, blow, total=0, target=0, hits=True, outcome="helpless")
        spare = self.spare or (blow.weapon.is_unarmed and not self.to_wound)
        strike_helpless(table, blow.target.id, source=blow.attacker.id, spare=spare, wound=self.wound)

    def _strike(self, table: Table, blow: Blow, melee: tuple[str, ...]) -> None:
        settings = house(table)
        ac = armour_class(blow.target, settings)
        roll = roll_test(
            table,
            blow.attacker,
            (*to_hit_terms(blow.attacker, blow.weapon, settings, blow.band), *bonuses(table, self.bonus)),
            kind="attack",
            purpose="to hit",
            ease=self._ease() + prey_ease(blow.target),
        )
        blow = attrs.evolve(blow, natural=roll.natural)
        hits, outcome = strikes(roll.natural, reaches=roll.total + ac >= TARGET)
        resolved(table, blow, total=roll.total + ac, target=TARGET, hits=hits, outcome=outcome)
        if hits:
            self._harm(table, blow)
        elif melee and roll.natural <= ASTRAY:
            self._go_astray(table, blow, melee)
        elif roll.natural == 1:
            fumble(table, blow.attacker.id, blow.target.id, self._fumble(blow))

    def _ease(self) -> Ease:
        own = Ease(self.advantage, self.disadvantage)
        if self.charge:
            own += Ease(advantage=("charge",))
        return own + Ease(advantage=("press",)) if self.press else own

    def _fumble(self, blow: Blow) -> str:
        """Hand to hand the target strikes back; from afar something goes wrong that the GM names (Q3.26)."""
        return self.fumble or (MISFORTUNE if blow.is_ranged else FREE)

    def _harm(self, table: Table, blow: Blow) -> None:
        """Damage; on a natural 20 twice as much, or something besides (R3.78, Q3.27)."""
        dealt = self._roll_damage(table, blow)
        before = table.character(blow.target.id)
        self._hurt(table, blow, blow.target.id, dealt)
        lantern_struck(table, blow.target.id, blow.natural)
        if blow.weapon.kind.ignites:
            torch_ignites(table, blow.attacker.id, blow.target.id)
        if blow.natural == 20:
            choice_ = offer_critical(
                table,
                blow.attacker.id,
                before,
                dealt,
                tags=self._tags(blow),
                spare=self.spare,
                to_wound=self.to_wound,
                wound=self.wound,
            )
            if self.on_20 and is_offered(table, blow.attacker.id, choice_, self.on_20):
                settle_critical(table, blow.attacker.id, choice_, self.on_20)

    def _roll_damage(self, table: Table, blow: Blow) -> int:
        terms = (*damage_terms(blow.attacker, blow.weapon, blow.band), *bonuses(table, self.damage_bonus))
        expression = written(self.damage or blow.weapon.dice, terms)
        total = table.roll(expression, roller=blow.attacker.id, purpose="damage").total
        return max(total, house(table).min_damage_on_hit)

    def _tags(self, blow: Blow) -> tuple[str, ...]:
        return (*((UNARMED,) if blow.weapon.is_unarmed else ()), *self.tags)

    def _hurt(self, table: Table, blow: Blow, name: str, dealt: int) -> None:
        hurt(
            table,
            name,
            dealt,
            tags=self._tags(blow),
            source=blow.attacker.id,
            spare=self.spare,
            to_wound=self.to_wound,
            wound=self.wound,
        )

    def _go_astray(self, table: Table, blow: Blow, melee: tuple[str, ...]) -> None:
        """A missing die of 1 to 5 hits somebody else in the melee, whatever their armour (R3.80, Q3.28, QG.6)."""
        struck = melee[0]
        if len(melee) > 1:
            die = table.roll(f"1d{len(melee)}", roller=blow.attacker.id, purpose="who is hit")
            struck = melee[die.total - 1]
        other = attrs.evolve(blow, target=table.character(struck), natural=0)
        resolved(table, other, total=blow.natural, target=ASTRAY, hits=True, outcome="stray shot")
        self._hurt(table, other, struck, self._roll_damage(table, other))
