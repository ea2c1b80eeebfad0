"""Attacks: aiming, then a d20, Weapon or Shooting Skill and the foe's armour class make 20 or more (R3.76–R3.81, R3.85)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Character,
    Table,
    character,
    characters,
    choice,
    choices,
    dice,
    events,
    flag,
    gear,
    names,
    words,
)
from ruleset_plugins.kit import conditions, d20, open_choices, require
from ruleset_plugins.russell.delve import fire, light, light_sources
from ruleset_plugins.russell.fight import armour, criticals, hit_points, movement, rolls, turns, weapons, wounds
from ruleset_plugins.russell.settings import house

TARGET = 20
"""What every attack must reach (R3.77)."""

ASTRAY = 5
"""A missing die of this or less hits somebody else in the melee (R3.80, Q3.28)."""


@attrs.frozen(kw_only=True)
class Attack(rolls.Trial):
    """Strike or shoot at somebody: 1d20 + skill + the foe's armour class, and 20 or more hits (R3.77)."""

    verb: ClassVar[str] = "attack"

    attacker: str = character("who strikes", actor=True)
    target: str = character("who is struck at")
    weapon: str = gear("with what: a weapon held or a kind of weapon", choices=tuple(weapons.KINDS))
    charge: bool = flag("run at an open foe, with room to get moving: Advantage (R3.85)")
    press: bool = flag("Advantage, but armour class is 4 worse until the next turn (R3.87)")
    free: bool = flag("a free attack that a foe's fumble, failed stunt or coming near allows (R3.79, R3.86)")
    melee: tuple[str, ...] = characters(
        "allies who fight the target hand to hand, when one shoots; those engaged if not said", default=()
    )
    on_20: str = choice(
        "what a natural 20 does; left open if it is not said, or does not apply (Q3.27)",
        ("", *criticals.EFFECTS),
        default="",
    )
    fumble: str = choice("what a natural 1 brings; by default what fits (Q3.26)", ("", *criticals.FUMBLES), default="")
    spare: bool = flag("leave helpless who would fall dead (Q3.11)")
    to_wound: bool = flag("wound with bare hands instead of knocking out (R3.81)")
    wound: str = words("a Wound in the GM's words, instead of the chart's (R3.16)", default="")
    brings: tuple[str, ...] = choices("what that Wound brings", wounds.DOWN, default=())
    range: str = words("how far away the target is, against what was played, if the GM says so", default="")
    damage: str = dice("other dice than the weapon's, for special attacks (R3.98)", default="")
    bonus: tuple[str, ...] = names("further bonuses to hit, as '+2 high ground'", default=())
    damage_bonus: tuple[str, ...] = names("further bonuses to damage, as '+1 silver'", default=())
    tags: tuple[str, ...] = names("what sort of damage it is: fire, silver …", default=())
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        if self.free:
            attacker = turns.take_free_attack(table, self.attacker, self.target)
        else:
            attacker = turns.take_attack(table, self.attacker, out_of_turn=self.out_of_turn)
        target = require.living(table, self.target)
        self._check_rulings(table)
        require.other_targets(table, attacker, target.id)
        blow = aim(table, attacker, target, self.weapon, charge=self.charge, said=self.range)
        melee = self._melee(table, blow)
        if self.press:
            table.record(events.ConditionBegan(character=attacker.id, condition=armour.PRESSING))
        if target.has(conditions.HELPLESS):
            self._strike_helpless(table, blow)
        else:
            self._strike(table, blow, melee)

    def _check_rulings(self, table: Table) -> None:
        critical = open_choices.first_of(table.character(self.attacker), criticals.CRITICAL)
        if critical:
            table.refuse(f"The last blow was a natural 20. Say first what it does: choose {self.attacker} {critical} …")
        hit_points.check_described(table, self.wound, self.brings)
        require.gm_to_waive(table, waived=bool(self.range), flag="range")
        require.gm_to_waive(table, waived=bool(self.damage), flag="damage")
        require.gm_to_waive(table, waived=self.fumble == criticals.MISFORTUNE, flag="fumble misfortune")

    def _melee(self, table: Table, blow: Blow) -> tuple[str, ...]:
        """Only shots endanger friends, and others than shooter and target: those named, or else who is engaged with it."""
        if self.melee and not blow.is_ranged:
            table.refuse("--melee names allies whom a stray shot may hit; a blow hand to hand endangers nobody else.")
        for name in self.melee:
            require.living(table, name)
            if name in (blow.attacker.id, blow.target.id):
                table.refuse("--melee names the others who fight the target hand to hand.")
        return self.melee or (movement.engaged_allies(table, blow.attacker, blow.target) if blow.is_ranged else ())

    def _strike_helpless(self, table: Table, blow: Blow) -> None:
        """No roll: the blow hits and deals a Wound (R3.91, Q3.53)."""
        resolved(table, blow, total=0, target=0, hits=True, outcome="helpless")
        hit_points.strike_helpless(table, blow.target.id, self._manner(blow))

    def _strike(self, table: Table, blow: Blow, melee: tuple[str, ...]) -> None:
        settings = house(table)
        ac = armour.armour_class(blow.target)
        roll = rolls.roll_test(
            table,
            blow.attacker,
            (*weapons.to_hit_terms(blow.attacker, blow.weapon, settings, blow.band), *d20.bonuses(table, self.bonus)),
            kind="attack",
            purpose="to hit",
            ease=self._ease() + wounds.prey_ease(blow.target),
        )
        blow = attrs.evolve(blow, natural=roll.natural)
        hits, outcome = d20.attack_outcome(roll.natural, reaches=roll.total + ac >= TARGET)
        resolved(table, blow, total=roll.total + ac, target=TARGET, hits=hits, outcome=outcome)
        if hits:
            self._harm(table, blow)
        elif melee and roll.natural <= ASTRAY:
            self._go_astray(table, blow, melee)
        elif roll.natural == 1:
            criticals.fumble(table, blow.attacker.id, blow.target.id, self._fumble(blow))

    def _ease(self) -> d20.Advantage:
        own = self.ease
        if self.charge:
            own += d20.Advantage(advantage=("charge",))
        return own + d20.Advantage(advantage=("press",)) if self.press else own

    def _fumble(self, blow: Blow) -> str:
        """Hand to hand the target strikes back; from afar something goes wrong that the GM names (Q3.26)."""
        return self.fumble or (criticals.MISFORTUNE if blow.is_ranged else criticals.FREE)

    def _harm(self, table: Table, blow: Blow) -> None:
        """Damage; on a natural 20 twice as much, or something besides (R3.78, Q3.27)."""
        dealt = self._roll_damage(table, blow)
        before = table.character(blow.target.id)
        hit_points.hurt(table, blow.target.id, dealt, self._manner(blow))
        fire.lantern_struck(table, blow.target.id, blow.natural)
        if blow.weapon.kind.ignites:
            fire.torch_ignites(table, blow.attacker.id, blow.target.id)
        if blow.natural == 20:
            critical = criticals.offer_critical(table, blow.attacker.id, before, dealt, self._manner(blow))
            attacker = table.character(blow.attacker.id)
            if critical and attacker.choices[critical].option(self.on_20) is not None:
                open_choices.choose(table, attacker, critical, self.on_20)
                criticals.settle_critical(table, attacker, critical, self.on_20)

    def _roll_damage(self, table: Table, blow: Blow) -> int:
        terms = (*weapons.damage_terms(blow.attacker, blow.weapon, blow.band), *d20.bonuses(table, self.damage_bonus))
        expression = d20.notation(self.damage or blow.weapon.dice, terms)
        total = table.roll(expression, roller=blow.attacker.id, purpose="damage").total
        return max(total, house(table).min_damage_on_hit)

    def _manner(self, blow: Blow) -> hit_points.Manner:
        return hit_points.Manner(
            source=blow.attacker.id,
            tags=(hit_points.UNARMED, *self.tags) if blow.weapon.is_unarmed else self.tags,
            spare=self.spare,
            to_wound=self.to_wound,
            wound=self.wound,
            brings=self.brings,
        )

    def _go_astray(self, table: Table, blow: Blow, melee: tuple[str, ...]) -> None:
        """A missing die of 1 to 5 hits somebody else in the melee, whatever their armour (R3.80, Q3.28, QG.6)."""
        struck = melee[0]
        if len(melee) > 1:
            die = table.roll(f"1d{len(melee)}", roller=blow.attacker.id, purpose="who is hit")
            struck = melee[die.total - 1]
        other = attrs.evolve(blow, target=table.character(struck), natural=0)
        resolved(table, other, total=blow.natural, target=ASTRAY, hits=True, outcome="stray shot")
        hit_points.hurt(table, struck, self._roll_damage(table, other), self._manner(other))


@attrs.frozen
class Blow:
    """A roll to hit: by whom, at whom, with what, from how many bands away, and how it came out."""

    attacker: Character
    target: Character
    weapon: weapons.Weapon
    band: int
    natural: int = 0

    @property
    def is_ranged(self) -> bool:
        """Whether it was shot or thrown."""
        return self.weapon.is_ranged(self.band)


def aim(table: Table, attacker: Character, target: Character, weapon: str, *, charge: bool, said: str) -> Blow:
    """Whether the weapon reaches that far, and whether the light allows the shot (R3.64, R3.66).

    ``said`` is the range in the GM's words, against what was played; a charge ends engaged.
    """
    bands = house(table).ranges
    held = weapons.wield(attacker, weapon)
    _check_torch(table, attacker, held)
    band = movement.band_number(table, said) if said else movement.range_between(table, attacker.id, target.id)
    if charge:
        _check_room(table, attacker, target, band, is_said=bool(said))
        band = _run(table, attacker, target, band)
    reach = movement.reached(bands, held.kind.reach)
    if band > reach:
        table.refuse(
            f"{target.name} is at {bands[band]} range, and {attacker.name}'s {held.item} reaches {bands[reach]}. "
            f"Move first: move {attacker.id} --to {bands[band - 1]} --foes {target.id}"
        )
    blow = Blow(attacker, target, held, band)
    if blow.is_ranged:
        if charge:
            table.refuse("A charge ends hand to hand, and this is a shot. Leave out --charge.")
        light.check_shot(table, target, bands[band], bands)
    return blow


def _check_torch(table: Table, attacker: Character, weapon: weapons.Weapon) -> None:
    if weapon.kind.ignites and not light_sources.has_torch(attacker):
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
        movement.arrive_at(table, attacker.id, [target.id], 0)
    return 0


def resolved(table: Table, blow: Blow, *, total: int, target: int, hits: bool, outcome: str) -> None:
    """Record how a blow came out."""
    d20.record_check(
        table, blow.attacker.id, "attack", total, target, success=hits, outcome=outcome, against=blow.target.id
    )
